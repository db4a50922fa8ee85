"""Cargo (22.82): what is lost with the ships that carry it."""

from __future__ import annotations

import re

from flagplot.awaw.battle.groups import label
from flagplot.awaw.counting import add, take
from flagplot.awaw.ships import Fleet
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.operation import NavalForce
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.transport.passengers import lose_passengers
from flagplot.kernel.requests import Choose, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words, listing, plural


def laden_factors(fleet: Fleet) -> int:
    """The destroyer factors and transports that carry cargo."""
    laden = 0
    for which in reversed(fleet):
        if which.size > 1:
            break  # destroyers and transports stand last
        if which.laden:
            laden += fleet[which]
    return laden


def load_up(state: State) -> None:
    """What each group's cargo rides on once the groups are formed (22.427)."""
    for group in state.battle.groups.values():
        if not group.carried:
            group.carried = laden_factors(group.ships)


def note_carried(group: Group) -> None:
    """What a group's cargo rides on, before anything is sunk."""
    if not group.carried:
        group.carried = laden_factors(group.ships)


@rule("22.82A", "22.82A.1", "22.82B")
def settle_cargo(state: State, group: Group, marker: str = "") -> Script[None]:
    """22.82: cargo that the laden ships left in its own group cannot carry is lost at once, whatever room there is
    elsewhere and whether or not the activity is then aborted. In port a force is called by its `marker`.

    To be called after every attack that may have sunk laden ships.
    """
    carry = laden_factors(group.ships)
    if sum(group.loads.values()) > carry:
        yield from _lose_loads(state, group, carry, marker or label(state, group))
        yield from lose_passengers(state)
        carry = laden_factors(group.ships)
    elif not group.loads and group.carried > carry:
        yield from _lose_share(state, group, carry, marker or label(state, group))
    group.carried = carry


@rule("22.82A", "22.82B")
def _lose_share(state: State, group: Group, carry: int, name: Words) -> Script[None]:
    """22.82A: of cargo that is not given in parts a share is lost, in proportion to its ships."""
    gone, cargo = group.carried - carry, group.cargo or "its cargo"
    _count_lost(state, group, cargo, gone)
    words = ("{}: {} of {} laden factors sunk, with that share of {}", name, gone, group.carried)
    yield disclosed((*words, cargo), "22.82", group.side)
    if not carry:
        group.cargo = ""


def _lose_loads(state: State, group: Group, carry: int, name: Words) -> Script[None]:
    """22.82A: the owner says which loads are lost; everybody sees what was lost, and not what he chose from."""
    before = dict(group.loads)
    words = ("{}: losing cargo with its ships", name)
    yield from secretly(group.side, words, _choose(group, carry, name), "22.82")
    lost = {load: number - group.loads.get(load, 0) for load, number in before.items()}
    for load, number in lost.items():
        if number:
            _count_lost(state, group, load, number)
    parts = [described_load(load, number) for load, number in lost.items() if number]
    yield disclosed(("{}: cargo lost: {}", name, listing(parts)), "22.82", group.side)
    spare = carry - sum(group.loads.values())
    if spare:
        _set_free(group, spare)
    if not group.loads:
        group.cargo = ""


@rule("22.82A", "22.82A.3")
def _choose(group: Group, carry: int, whose: Words) -> Script[None]:
    """22.82A: load after load is given up until the rest can be carried; air units, which break down, factor by factor,
    others as a whole."""
    lost: list[int] = []
    while (excess := sum(group.loads.values()) - carry) > 0:
        question = ("{}: {} left. Choose the cargo lost", whose, plural(carry, "laden factor"))
        names: dict[str, str] = {tag(name): name for name in _necessary(group, lost, excess)}
        chosen: str = yield Choose(group.side, "cargo", [*names], question, names, "22.82")
        name = names[chosen]
        left = group.loads[name] - 1 if name in group.divisible else 0
        lost.append(group.loads[name] - left)
        if left:
            group.loads[name] = left
        else:
            del group.loads[name]


@rule("22.82A")
def _necessary(group: Group, lost: list[int], excess: int) -> list[str]:
    """22.82A: the loads that may be given up next. No more is lost than necessary: in the end nothing that was lost
    could have been carried after all. `lost` are the parts given up so far, in laden factors."""
    parts = {name: [1] * size if name in group.divisible else [size] for name, size in group.loads.items()}
    needed = sum(lost) + excess
    fit = []
    for name in sorted(parts):
        others = [size for other, sizes in parts.items() for size in (sizes[1:] if other == name else sizes)]
        if _can_end([*lost, parts[name][0]], others, needed):
            fit.append(name)
    return fit


def _can_end(lost: list[int], others: list[int], needed: int) -> bool:
    """Whether with some of the other parts these make up what is needed, but would not without the smallest of all that
    is lost."""
    for smallest in {size for size in (*lost, *others) if size <= min(lost)}:
        sums = {sum(lost)}
        for size in others:
            if size >= smallest:
                sums |= {total + size for total in sums if total < needed}
        if any([needed <= total < needed + smallest for total in sums]):
            return True
    return False


def tag(name: str) -> str:
    """A load in the text of an option: ``the-naval-infantry``."""
    return "-".join(re.findall(r"[a-z0-9]+", name.lower()))


@rule("22.82C")
def _set_free(group: Group, number: int) -> None:
    """22.82C: laden ships whose cargo is gone carry none any more; destroyers among them may bombard the shore. Only
    their owner knows how many there are."""
    freed: Fleet = {}
    for which in [which for which in group.ships if which.laden]:  # destroyers stand before transports
        some = min(number - sum(freed.values()), group.ships[which])
        if some:
            take(group.ships, which, some)
            add(group.ships, which.carrying(), some)
            freed[which] = some
    group.freed += number


def _count_lost(state: State, group: Group, name: str, number: int) -> None:
    lost = state.losses.cargo.setdefault(group.side, {})
    lost[name] = lost.get(name, 0) + number


def described_load(name: str, number: int) -> str:
    """A load in words: ``an infantry corps (3 laden factors)``."""
    return f"{name} ({number} laden factor{'s' * (number != 1)})"


@rule("22.552B.3", "22.9417B")
def unload(force: NavalForce) -> None:
    """The cargo is ashore. At sea its ships are still on their mission, which hampers them on the way home as well."""
    group = force.group
    for which, number in list(group.ships.items()):
        if which.laden:
            take(group.ships, which, number)
            add(group.ships, which.carrying(empty=not force.in_port), number)
    group.cargo, group.loads, group.divisible, group.carried = "", {}, (), 0
