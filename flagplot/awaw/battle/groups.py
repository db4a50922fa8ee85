"""Combat groups (22.42): how naval forces form them, and their numbers, speed and status. Segment A of a round."""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.awaw.air_units import Force, add, take
from flagplot.awaw.battle.decks import by_nation, join_battle, sound_decks, spread
from flagplot.awaw.battle.picking import pick
from flagplot.awaw.counting import merged
from flagplot.awaw.ships import Fleet, Kind, Ship, carriers, factors
from flagplot.awaw.state.battle import Facts, Group
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import LEAST, surplus_carriers, surplus_factors
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Listing, Words

MOST_GROUPS = 6


# --- what a group is --------------------------------------------------------------------------------------------


@rule("22.425", "22.425A", "22.425B")
def is_active(group: Group, combat_round: int) -> bool:
    """22.425: a group is active once the round's number has reached its own; before that it is distant."""
    return 0 < group.number <= combat_round


@rule("22.422", "22.422A", "22.422B", "22.427")
def is_slow_group(group: Group) -> bool:
    """22.422: a group is slow if it has a slow ship, damaged ones among them, carries cargo, or protects sea supply
    (22.427)."""
    return are_slow(group.ships, group.activity)


def are_slow(ships: Iterable[Ship], activity: str) -> bool:
    """Whether ships that sail together on an activity are slow."""
    return activity == "sea-supply" or any([which.slow or which.laden for which in ships])


CARGO_MISSIONS = frozenset({"sea-transport", "seaborne-invasion", "sea-escort"})
FROM_SUPPLY = "return-from-sea-supply"
HAMPERING = frozenset({"sea-supply", FROM_SUPPLY})
"""What hampers every ship that takes part in it (22.552B)."""


_MISSIONS = HAMPERING | CARGO_MISSIONS


@rule("22.427", "22.552B", "22.552B.1.1", "22.552B.1.2", "22.552B.3", "22.9417B")
def is_hampered(group: Group) -> bool:
    """22.552B, 22.9417B: whether its activity hampers a group: it protects sea supply, or returns from that, or has
    destroyers or transports on sea transport, invasion or escort, with their cargo or on the way to it or from it.
    Escorts that sail with such ships in a group of their own are not hampered."""
    if group.activity in HAMPERING:
        return True
    for which in reversed(group.ships):
        if which.size > 1:
            break  # destroyers and transports stand last
        if which.laden or which.empty:
            return True
    return False


@rule("22.552B.3")
def on_cargo_duty(fleet: Fleet) -> Fleet:
    """22.552B: the ships of a force on a cargo mission that has no cargo aboard, since it is on the way to it or from
    it: its destroyers and transports are those that carry the mission."""
    duty: Fleet = {}
    for which, number in fleet.items():
        add(duty, which.carrying(empty=True) if which.kind in (Kind.DESTROYER, Kind.TRANSPORT) else which, number)
    return duty


@rule("22.421A.3", "22.421C.2", "22.427")
def is_encumbered(group: Group) -> bool:
    """22.421: whether a force carries cargo or protects sea supply: it does not combine with others of its kind, and
    does not wait outside."""
    return has_cargo(group) or group.activity == "sea-supply"


@rule("22.427")
def has_cargo(group: Group) -> bool:
    """22.427: cargo rides on laden destroyers and transports."""
    for which in reversed(group.ships):
        if which.size > 1:
            break  # destroyers and transports stand last
        if which.laden:
            return True
    return False


@rule("22.452B.1", "22.452B.2", "22.452B.3", "22.452B.4", "22.41F.1", "22.41F.2", "22.41F.3", "22.41F.4")
def facts_of(group: Group) -> Facts:
    """22.452B: what the owner must tell of a found group, and no more."""
    slow = is_slow_group(group)
    cargo = slow and has_cargo(group)  # cargo makes a group slow
    return Facts(factors(group.ships) < LEAST, carriers(group.ships), slow, cargo)


def label(state: State, group: Group) -> Words:
    """What everybody calls a combat group."""
    scene = state.scene  # this is asked very often
    return (LABEL, group.number, scene.names[0] if group.side == scene.attacker else scene.names[1])


LABEL = "CG {} ({})"


def subject_of(group: Group) -> str:
    """What the board calls it."""
    return f"group:{group.side}:{group.number}"


def key_of(state: State, group: Group) -> str:
    """The name of a group in the scenario, whatever its number is."""
    for key, other in state.battle.groups.items():
        if other is group:
            return key
    raise AssertionError(f"{group.name} is not in the battle")


# --- forming them -----------------------------------------------------------------------------------------------


@rule(
    "22.41A", "22.411B", "22.421", "22.421B", "22.423B", "23.71A", "23.721A", "SOP-NC-I.A", "SOP-NC-I.A.1", "SOP-NI-H.2"
)
def form_groups(state: State, side: str, most: int = MOST_GROUPS, *, to_fight: bool = True) -> Script[None]:
    """22.421: in secret a side forms and numbers its combat groups; then the numbers in use are shown (22.423B).

    22.421B, 22.411B: forces that arrive later form groups of their own in the round in which they arrive. Who is only
    attacked, from the air or by submarines, deploys in the same way, but not `to_fight` in naval combat.
    """
    for group in state.battle.groups.values():
        if not group.number and group.side == side:
            break
    else:
        return
    words = ("{}: forming combat groups", state.name(side))
    used = yield from secretly(side, words, _form(state, side, most, to_fight), "22.421")
    told = "{}: combat group {}" if len(used) == 1 else "{}: combat groups {}"
    yield disclosed((told, state.name(side), Listing(used)), "22.423", side)


def _form(state: State, side: str, most: int, to_fight: bool) -> Script[list[int]]:
    """Gives the numbers of all the side's groups. Those with cargo come first (22.421C)."""
    battle = state.battle
    now = battle.round
    laden: dict[str, Group] = {}
    others: dict[str, Group] = {}
    used = []
    for key, group in battle.forces(side).items():
        if group.number:
            used.append(group.number)
        elif not_here_yet(group, now) is None:
            (laden if is_encumbered(group) else others)[key] = group
    yield from _combine_small(state, others, to_fight)
    if now == 1:
        for group in laden.values():
            yield from _strengthen(state, group, others, to_fight)
    numbers = yield from _number(side, now, laden, others, used, most)
    for key, group in (*laden.items(), *others.items()):
        group.formed = True  # only now, when nothing more is asked: the enemy sees how many groups there are
        if key in numbers:
            group.number, group.since = numbers[key], now
            join_battle(state, group)
        elif not group.ships:
            del battle.groups[key]
    return sorted([*used, *numbers.values()])


@rule("22.411B", "22.421B")
def not_here_yet(group: Group, combat_round: int) -> Refusal | None:
    """22.421B: why a force forms no combat group in a round."""
    if group.arrives <= combat_round:
        return None
    return Refusal(("arrives in round {}", group.arrives), "22.421B")


@rule("22.421C.2")
def may_not_wait(group: Group) -> Refusal | None:
    """22.421C: why a group cannot wait outside the battle."""
    return _ENTERS if is_encumbered(group) else None


_ENTERS = Refusal("cannot wait outside: it carries cargo or protects sea supply", "22.421C")


@rule("22.421A.1", "22.421A.2", "22.421B", "22.421A.4.1", "22.421A.4.2", "22.41A")
def _combine_small(state: State, unladen: dict[str, Group], to_fight: bool) -> Script[None]:
    """22.421A: forces of under ten factors without cargo make one group together, of 25 factors at most; what is over
    makes another. Task forces stay as they are."""
    small = [group for group in unladen.values() if not group.task_force and not group.formed]
    if len(small) < 2:
        return
    for other in small[1:]:
        absorb(small[0], other)
    for place, group in enumerate(small):
        if surplus := surplus_factors(group.ships):
            yield from _shed(group, small[place + 1], group.ships, surplus)
    yield from _keep_the_balance(state, [group for group in small if group.ships], to_fight)


@rule("22.421A.1", "22.421A.3", "22.421A.4.1", "22.426")
def _strengthen(state: State, laden: Group, unladen: dict[str, Group], to_fight: bool) -> Script[None]:
    """22.421A: a force with cargo may be strengthened by one group without; beyond 25 factors ships of the latter form
    a group of their own. Two groups without cargo never combine."""
    labels: dict[str, Words] = {ALONE: "No escort"}
    for key, group in unladen.items():
        if group.ships:
            labels[key] = ("Escort with {}", group.name)
    question = ("Escort {} with another force?", laden.name)
    chosen: str = yield Choose(laden.side, "strengthen", [*labels], question, labels, "22.421")
    if chosen == ALONE:
        return
    escort = unladen[chosen]
    free = escort.ships
    absorb(laden, escort)
    if surplus := surplus_factors(laden.ships):
        yield from _shed(laden, escort, free, surplus)
    yield from _keep_the_balance(state, [group for group in (laden, escort) if group.ships], to_fight)


ALONE = "alone"


def absorb(group: Group, other: Group) -> None:
    group.ships, group.air = merged(group.ships, other.ships), merged(group.air, other.air)
    group.name = f"{group.name} and {other.name}"
    group.cargo = " and ".join(filter(None, (group.cargo, other.cargo)))
    group.loads, group.divisible = {**group.loads, **other.loads}, (*group.divisible, *other.divisible)
    missions = [one.activity for one in (group, other) if one.activity in _MISSIONS]
    group.activity = missions[0] if missions else group.activity or other.activity
    group.origin = " and ".join(dict.fromkeys(filter(None, (group.origin, other.origin))))
    group.parts = {**group.parts, **other.parts}
    other.ships, other.air, other.parts = {}, {}, {}


@rule("22.421A.4.1")
def _shed(group: Group, other: Group, free: Fleet, surplus: int) -> Script[None]:
    """22.421A: ships of the owner's choice leave until 25 factors are left; transports do not count."""
    left = dict(free)
    able = {f"{which.tag}{':damaged' * (which.light and which.damaged)}": which for which in free if which.weight}
    names: dict[str, Words] = {key: which.name for key, which in able.items()}
    while surplus > 0:
        question = (_OVER_BY_ONE if surplus == 1 else _OVER, group.name, surplus)
        chosen: str = yield Choose(group.side, "detach", [*able], question, names, "22.421")
        which = able[chosen]
        surplus -= which.weight
        take(group.ships, which, 1)
        take(left, which, 1)
        if which not in left:
            del able[chosen]
        add(other.ships, which, 1)
        _hand_over(group, other, which)
    other.name = f"{other.name}, detached"


_OVER, _OVER_BY_ONE = (f"{{}}: {{}} {factors} over 25. Detach which ship?" for factors in ("factors", "factor"))


def _hand_over(group: Group, other: Group, which: Ship) -> None:
    """A ship that goes into another group is still that of the force that brought it; the last to come parts first."""
    for key in reversed(group.parts):
        if which in group.parts[key]:
            take(group.parts[key], which, 1)
            add(other.parts.setdefault(key, {}), which, 1)
            return


@rule("22.421A.4.2")
def _keep_the_balance(state: State, groups: list[Group], to_fight: bool) -> Script[None]:
    """22.421A: in groups that were put together each carrier factor needs a fast fleet factor; carriers beyond that may
    not join in naval combat, and return to port. What squadrons there are stay with the carriers that fight, as far as
    they have room."""
    air: Force = {}
    for group in groups:
        air, group.air = merged(air, group.air), {}
        while to_fight and surplus_carriers(group.ships) > 0:
            able = {which.tag: which for which in group.ships if which.fast_carrier}
            names: dict[str, Words] = {key: which.name for key, which in able.items()}
            question = ("{}: too many carriers. Send which home?", group.name)
            chosen: str = yield Choose(group.side, "return", [*able], question, names, "22.421")
            take(group.ships, able[chosen], 1)
            add(state.at_sea(group.side).gone, able[chosen], 1)
    side, room = groups[0].side, sound_decks(groups)
    for country, mine in by_nation(air).items():
        few = ("Too few decks. Send how many of {} home?", "Too few decks. Send {} home?", "Keep it", "Send it home")
        surplus = sum(mine.values()) - room[country]
        for squadron, number in (yield from pick(side, "leave", mine, surplus, few, "17.312")).items():
            take(air, squadron, number)
            add(state.at_sea(side).ashore, squadron, number)
    yield from spread(side, air, groups)


# --- their numbers ----------------------------------------------------------------------------------------------


@rule(
    "22.421C",
    "22.421C.1",
    "22.421C.2",
    "22.421C.3",
    "22.423A",
    "22.424",
    "22.425C",
    "22.425C.1",
    "22.425C.2",
    "22.425D.3.1",
    "22.425D.3.2",
)
def _number(
    side: str, now: int, laden: dict[str, Group], others: dict[str, Group], used: list[int], most: int
) -> Script[dict[str, int]]:
    """22.423: each group that joins gets a number of 1 to 6 that its side does not use, and keeps it.

    22.421C: six groups at most; the owner says who waits, but nobody with cargo. From the second round on groups come
    in only where there is room, and may stay out (22.411B).
    """
    given: dict[str, int] = {}
    free = sorted({*range(1, most + 1)} - {*used})
    waiting = [(key, group) for key, group in (*laden.items(), *others.items()) if group.ships]
    surplus = len(waiting) - len(free)
    for key, group in waiting:
        if not free:
            break
        may_wait = (now > 1 or surplus > 0) and may_not_wait(group) is None
        values = [*free, 0] if may_wait else [*free]
        question = ("Choose a combat group number for {}", group.name)
        number: int = yield Choose(side, ("number", key), values, question, _numbered, "22.423")
        if number:
            given[key] = number
            free.remove(number)
        else:
            surplus -= 1
    return given


def _numbered(number: int) -> Words:
    return ("{}", number) if number else "Wait outside"
