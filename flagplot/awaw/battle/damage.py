"""What hits do to the ships of a battle, and what is told of it: alike for strikes, fleets and submarines (20.5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from flagplot.awaw.battle.groups import label, subject_of
from flagplot.awaw.counting import add
from flagplot.awaw.hits import Tally, hit_light
from flagplot.awaw.ships import Fleet, Ship, Ships
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.kernel.effects import Effect
from flagplot.kernel.requests import Faces, Headline, Note, Script
from flagplot.kernel.words import Words, plural


class Hits(int):
    """Hits on ships, as people read them."""

    def __str__(self) -> str:
        return f"{int(self)} hit{'s' * (self != 1)}" if self else "no hits"

    def effect(self) -> Effect:
        return Effect(Fraction(int(self)), "hits")


@lru_cache(maxsize=1024)
def hits_read(row: Sequence[int], modifier: int) -> Callable[[Faces], Hits]:
    """What two dice with this modifier read in a row of the Naval Attack Table."""
    readings = [Hits(hits) for hits in row]

    def reads(faces: Faces) -> Hits:
        roll = faces[0] + faces[1] + modifier
        return readings[0 if roll < 2 else 10 if roll > 12 else roll - 2]

    return reads


def tell_named(state: State, which: Ship, after: Ship | None, number: str) -> Script[None]:
    """Count a named ship that sank, and tell what became of it; `number` is the rule."""
    if after is None:
        add(state.losses.ships, which.bearing(0), 1)
        yield Note(("{} sunk", which.name), number, headline=Headline("sunk", (which.id,)))
    elif after.damaged and not which.damaged:
        yield Note(("{} damaged", which.name), number, headline=Headline("damaged", (which.id,)))


def hit_light_ships(state: State, group: Group, fleet: Fleet, hits: int, tally: Tally, number: str) -> Script[None]:
    """Deal hits to the light ships of a fleet, which is a group or a part of it and is changed; count and tell what
    sank."""
    sunk = yield from deal_and_tell(state, group, fleet, hits, tally, number, label(state, group))
    for which, count in sunk.items():
        add(state.losses.ships, which, count)


def deal_and_tell(
    state: State, group: Group, fleet: Fleet, hits: int, tally: Tally, number: str, name: Words
) -> Script[Fleet]:
    """The same for a fleet of any name; gives what sank, which is yet to be counted."""
    before = damaged_cruisers(fleet)
    sunk = yield from hit_light(group.side, fleet, hits, tally, state.setting.options)
    damaged = damaged_cruisers(fleet)
    if sunk or before != damaged:
        told = Headline("sunk" if sunk else "damaged", (subject_of(group),))
        yield Note(("{}: {}", name, LightLosses(Ships(sunk.items()), before, damaged)), number, headline=told)
    return sunk


class LightLosses(NamedTuple):
    """What hits did to light ships, put into words only when somebody reads it: who sank, and how many cruisers are
    damaged if that has changed."""

    sunk: Ships
    before: int
    damaged: int

    def __str__(self) -> str:
        sunk, before, damaged = self
        if before == damaged:
            return f"{sunk} sunk"
        lame = f"{plural(damaged, 'cruiser')}{' now' * (before > 0)} damaged" if damaged else "no damaged cruiser left"
        return f"{sunk} sunk; {lame}" if sunk else lame


def damaged_cruisers(fleet: Fleet) -> int:
    damaged = 0
    for which, number in fleet.items():
        if which.damaged and which.light:
            damaged += number
    return damaged
