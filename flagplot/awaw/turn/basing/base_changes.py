"""What staging and redeployment have in common: air units change base, so many of a kind at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flagplot.awaw.air_units import Counted, Unit
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.basing.relocation import relocate
from flagplot.awaw.turn.basing.rooms import excess
from flagplot.awaw.turn.marks import set_mark
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, capital, how_many

DONE = "done"


class BaseChange(NamedTuple):
    """A way to change base, and who may do so, to where, or why not."""

    verb: str
    doing: str
    past: str
    rule: str
    mark: str
    """What units get that have changed base in this way."""
    able: Callable[[State, Unit], int]
    refusal: Callable[[State, Unit], Refusal | None]
    bases: Callable[[State, Unit], dict[str, int]]
    nowhere: Refusal


class Moved(NamedTuple):
    """Units that are in another base now."""

    which: Unit
    used: int
    """How many of them were used at sea."""


@rule("18.143.2", "18.15")
def change_base(state: State, change: BaseChange) -> Script[Moved | None]:
    """18.143: the moving side says who changes base and where to, or that it is done: not while a base holds too much
    and somebody can leave it."""
    side = state.moving
    ways = _ways(state, change)
    if not ways:
        return None
    must = any([excess(state, base) for base in ways])
    labels: dict[str, Words] = {home: state.place(home).name for home in ways}
    labels[DONE] = ("Done {}", change.doing)
    question: Words = ("Choose a base to {} from", change.verb)
    able = [*ways] if must else [*ways, DONE]
    home: str = yield Choose(side, change.verb, able, question, labels, "18.143" if must else change.rule)
    if home == DONE:
        return None
    which = yield from _choose_units(state, ways[home], change)
    most, bases = change.able(state, which), change.bases(state, which)
    labels = {base: state.place(base).name for base in bases}
    question = ("Choose a new base for {}", described_as(which, most))
    base: str = yield Choose(side, (change.verb, home, tag_of(which)), [*bases], question, labels, change.rule)
    most = min(most, bases[base])
    question = ("{} how many of {} to {}?", capital(change.verb), Counted(which, most), state.place(base).name)
    verb = (change.verb, base, which.tag)
    number: int = yield Choose(side, verb, range(1, most + 1), question, how_many, change.rule)
    used = dict(state.sites[base].used)
    landed = relocate(state, which, number, base)
    set_mark(state, change.mark, landed, number)
    words = ("{}: {} {} from {} to {}", state.name(side), Counted(which, number), change.past, state.place(home).name)
    yield Note((*words, state.place(base).name), change.rule)
    return Moved(landed, state.sites[base].used.get(landed, 0) - used.get(landed, 0))


def _ways(state: State, change: BaseChange) -> dict[str, list[Unit]]:
    """By base: the units in it that may go somewhere."""
    homes = [home for home in state.of_side(state.moving) if not state.place(home).afloat]
    found = {
        home: [which for which in state.sites[home].air if change.able(state, which) and change.bases(state, which)]
        for home in homes
    }
    return {home: units for home, units in found.items() if units}


def _choose_units(state: State, units: list[Unit], change: BaseChange) -> Script[Unit]:
    """Which kind of unit in a base, in the words of the map."""
    home = units[0].home
    named = {tag_of(which): which for which in units}
    labels: dict[str, Words] = {tag: described_there(state, which) for tag, which in named.items()}
    question = ("Choose air units in {} to {}", state.place(home).name, change.verb)
    chosen: str = yield Choose(state.moving, ("units", home), [*named], question, labels, change.rule)
    return named[chosen]


def tag_of(which: Unit) -> str:
    return f"{which.nation}:{which.arm}:{which.role}{':inverted' * which.inverted}"


def described_there(state: State, which: Unit) -> Words:
    return described_as(which, state.sites[which.home].air[which])


def described_as(which: Unit, number: int) -> Words:
    """Some units, and whether they are inverted: ``2 German army air factors, inverted``."""
    return ("{}{}", Counted(which, number), ", inverted" * which.inverted)
