"""Displaced air (18.25): bases fall, airbases are removed, and the air units on them go to the nearest base with room.

`capture` is for whoever takes a base, `displace` for whoever drives air units out of one, `displace_absent` for air
that was out flying when its base fell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from flagplot.awaw.air_units import Counted, Force, Listed, Lost, Unit, add, room, take
from flagplot.awaw.basing import staging_range
from flagplot.awaw.counterair import put_together
from flagplot.awaw.state.setting import Supply
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.basing.base_changes import described_as
from flagplot.awaw.turn.basing.geography import resettle
from flagplot.awaw.turn.basing.relocation import clip_down, clip_site, relocate
from flagplot.awaw.turn.basing.rooms import excess, fits
from flagplot.awaw.turn.marks import clip
from flagplot.awaw.turn.missions.inversion import invert
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.awaw.turn.nations import side_of_nation
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, how_many

# --- bases that are lost ----------------------------------------------------------------------------------------


@rule("18.147", "18.15.1", "18.25")
def capture(state: State, base: str, side: str, nation: str = "") -> Script[None]:
    """18.147: a base comes under enemy control: its airbase is removed, and its air is displaced (18.25). `nation` is
    the one that controls it from now on. Its supply is not the former owner's: there is none before the new one traces
    it (`docs/rulings.md`)."""
    turn = state.turn
    yield from strip_airbase(state, base, "18.147")
    at_once = state.setting.options.captured_supply == "at-once"
    supply = Supply.FULL if at_once else Supply.NONE
    resettle(state, **{base: replace(state.place(base), side=side, supply=supply, oil=False)})
    if not at_once and base not in turn.untraced:
        turn.untraced.append(base)
    turn.controllers.pop(base, None)
    if nation:
        turn.controllers[base] = nation
    yield from displace(state, base)


@rule("18.147.1", "18.15.1", "18.25")
def isolate(state: State, base: str) -> Script[None]:
    """18.147: an airbase that the enemy has cut off from supply is removed as ground units are; the air on it, all that
    the hex does not hold without it, is displaced."""
    yield from strip_airbase(state, base, "18.147.1")
    yield from displace(state, base, surplus=True)


@rule("18.147", "18.147.2", "18.143")
def strip_airbase(state: State, base: str, why: str) -> Script[None]:
    """18.147: the airbase counter in a base, if there is one, leaves the map; it may be placed again."""
    turn = state.turn
    if base not in turn.airbases:
        return
    country = turn.airbases.pop(base).nation
    place = state.place(base)
    defenses = place.defenses._replace(airbases=0)
    resettle(state, **{base: replace(place, installations=place.installations - 1, defenses=defenses)})
    owner = state.name(side_of_nation(state, country))
    yield Note(("{}: airbase in {} removed", owner, place.name), why)


# --- where their air goes ---------------------------------------------------------------------------------------


@rule("18.25", "18.25.3", "18.252", "18.253")
def displace(state: State, base: str, *, surplus: bool = False) -> Script[None]:
    """18.25: the air units in a base that is lost go to the nearest bases of their side with room, within twice their
    range, and are inverted there; nobody intercepts them. Those for whom there is none are eliminated.

    To be called before the base changes hands or afterwards. With `surplus` only those leave that it does not hold."""
    yield from put_together(state, state.sites[base])
    if surplus:
        waiting = yield from _too_many(state, base)
    else:
        waiting = _driven_out(state, base)
        _part_from_carriers(state, base)
    if not waiting:
        return
    side = side_of_nation(state, next(iter(waiting)).nation)
    leaving = Listed(waiting.items())
    yield Note(("{}: {} displaced from {}", state.name(side), leaving, state.place(base).name), "18.25")
    for far, bases in _havens(state, base, side):
        yield from _take_in(state, waiting, far, bases)
    if waiting:
        for which, number in waiting.items():
            take(state.sites[base].air, which, number)
        state.lose(waiting)
        yield Note(("{}: no base in reach of {}: lost", state.name(side), Lost(waiting.items())), "18.25")
    _forget(state, base)


@rule("18.25.4")
def displace_absent(state: State) -> Script[None]:
    """18.25: air units that were out on a mission while their base was captured, and found no other base to land in,
    are displaced from there as the phase ends."""
    turn = state.turn
    waiting, turn.absent = turn.absent, []
    for which, number, by, why, until in waiting:
        add(state.sites[which.home].air, which, number)
        invert(state, which, number, by, why, until)
    for base in dict.fromkeys([entry.which.home for entry in waiting]):
        yield from displace(state, base)


def _driven_out(state: State, base: str) -> Force:
    """All air units of the base; if it has changed hands already, those of the side that has lost it."""
    air, holder = state.sites[base].air, state.place(base).side
    lost = {which: number for which, number in air.items() if side_of_nation(state, which.nation) != holder}
    return lost or dict(air)


@rule("17.3126C")
def _part_from_carriers(state: State, base: str) -> None:
    """17.3126C: squadrons that came ashore from carriers are land-based, and displaced as others are: they do not board
    the carriers that leave the port."""
    for _, force in state.operation.everybody():
        if force.in_port and force.base == base:
            force.ashore = {}


@rule("18.15.1")
def _too_many(state: State, base: str) -> Script[Force]:
    """18.15: of more air units than the base holds the owner says which leave it."""
    leaving: Force = {}
    there = dict(state.sites[base].air)
    while (left := excess(state, base) - room(leaving)) > 0:
        side = side_of_nation(state, next(iter(there)).nation)
        labels: dict[str, Words] = {
            which.text: ("Move one of {}", described_as(which, number)) for which, number in there.items()
        }
        question = ("{} is {} squadrons over capacity. Move what?", state.place(base).name, left)
        chosen: str = yield Choose(side, ("leave", base), [*labels], question, labels, "18.15")
        which = next(which for which in there if which.text == chosen)
        take(there, which, 1)
        add(leaving, which, 1)
    return leaving


@rule("18.25", "18.25.5", "18.22.2")
def _havens(state: State, base: str, side: str) -> Iterator[tuple[int, list[str]]]:
    """18.25: the other bases of a side, whatever their supply, and mapboard boxes, by their distance for air units; the
    nearest first."""
    rings: dict[int, list[str]] = {}
    start = state.place(base).at
    for other in state.of_side(side):
        if other != base and not state.place(other).afloat:
            far = air_distance(state, start, state.place(other).at)
            if far is not None:
                rings.setdefault(far, []).append(other)
    yield from sorted(rings.items())


@rule("18.25", "18.25.1", "18.25.2")
def _take_in(state: State, waiting: Force, far: int, bases: list[str]) -> Script[None]:
    """18.25: bases at one distance take in all they can. The owner says who goes where, if there are several of them,
    and who goes on to the next if there is no room for all."""
    while able := {base: units for base in bases if (units := _able(state, waiting, far, base))}:
        base = yield from _which_base(state, waiting, able)
        units = able[base]
        if len(able) == 1 and _holds_all(state, units, base):
            for which, number in units.items():
                _arrive(state, waiting, which, number, base)
        else:
            which = yield from _which_units(state, waiting, base, [*units])
            number = yield from _how_many(state, which, units[which], base)
            _arrive(state, waiting, which, number, base)


def _able(state: State, waiting: Force, far: int, base: str) -> Force:
    """Those who can fly so far, each kind as far as a base has room for it alone."""
    return {
        which: some
        for which, number in waiting.items()
        if far <= staging_range(which.reach) and (some := min(number, fits(state, which, base)))
    }


def _holds_all(state: State, units: Force, base: str) -> bool:
    """Whether a base has room for all of these together, so that nobody is asked who goes."""
    return all([room(units) <= which.size * fits(state, which, base) for which in units])


def _which_base(state: State, waiting: Force, able: dict[str, Force]) -> Script[str]:
    side = _owner(state, waiting)
    labels: dict[str, Words] = {base: state.place(base).name for base in able}
    question = ("Choose a base for displaced air ({})", Listed(waiting.items()))
    chosen: str = yield Choose(side, "displaced", [*able], question, labels, "18.25.1")
    return chosen


def _which_units(state: State, waiting: Force, base: str, units: list[Unit]) -> Script[Unit]:
    labels: dict[str, Words] = {which.text: described_as(which, waiting[which]) for which in units}
    question = ("Choose displaced units for {}", state.place(base).name)
    verb = ("displaced", base)
    chosen: str = yield Choose(_owner(state, waiting), verb, [*labels], question, labels, "18.25.2")
    return next(which for which in units if which.text == chosen)


def _how_many(state: State, which: Unit, most: int, base: str) -> Script[int]:
    question = ("Send how many of {} to {}?", Counted(which, most), state.place(base).name)
    verb, side = ("displaced", base, which.tag), side_of_nation(state, which.nation)
    number: int = yield Choose(side, verb, range(1, most + 1), question, how_many, "18.25.2")
    return number


def _owner(state: State, waiting: Force) -> str:
    return side_of_nation(state, next(iter(waiting)).nation)


@rule("18.253")
def _arrive(state: State, waiting: Force, which: Unit, number: int, base: str) -> None:
    """18.253: displaced air units are inverted."""
    take(waiting, which, number)
    landed = relocate(state, which, number, base)
    if not landed.inverted:
        left = state.place(which.home).name
        invert(state, landed, number, "18.253", f"was displaced from {left}")
        clip_site(state, base)


def _forget(state: State, base: str) -> None:
    """Nothing is written down any more of air that is gone from a base."""
    clip(state)
    clip_site(state, base)
    clip_down(state)
