"""What fire has cost: the difference between two states, ship by ship, and how tolls that hang on nothing else add up.

The dice of one volley decide about one target. So what becomes of sixteen battleships is sixteen small distributions,
each by itself; nobody ever has to list all that can become of all of them. What adds up over ships, such as factors
sunk, is found by folding the distributions together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from flagplot.awaw.ships import NAMES, Fleet, Kind, Ship
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.nations import nation
from flagplot.odds.answer import Part
from flagplot.odds.chances import Distribution
from flagplot.odds.questions.shared import SIDES


class Loss(NamedTuple):
    """What became of one named ship, or of light ships of one kind."""

    side: str
    key: str
    """The ship, or the kind of light ships, as options call them."""
    hits: int
    sunk: int
    """How many have sunk."""
    damaged: int
    """How many more are afloat and damaged than before; fewer if damaged ones were finished."""
    size: int
    """The factors of one."""
    were_damaged: int = 0
    """How many were damaged before."""

    @property
    def newly_damaged(self) -> int:
        """How many are afloat and damaged that were not before. Damaged ships are the first to sink (20.551), and one
        that sinks is not one damaged less."""
        return self.damaged + min(self.were_damaged, self.sunk)


Toll = tuple[Loss, ...]
"""All losses of a state against another; what is as it was does not stand in it."""


def toll(before: State, after: State) -> Toll:
    """What both groups have lost between two states."""
    losses: list[Loss] = []
    for side in SIDES:
        losses += _losses(side, before.battle.groups[side].ships, after.battle.groups[side].ships)
    return tuple(losses)


def _losses(side: str, before: Fleet, after: Fleet) -> Iterable[Loss]:
    for key in dict.fromkeys([which.tag for which in before]):
        old, new = _of(before, key), _of(after, key)
        if old != new:
            which = next(iter(old))
            sunk = sum(old.values()) - sum(new.values())
            hits = _hits(new) + sunk * which.size - _hits(old)
            yield Loss(side, key, hits, sunk, _damaged(new) - _damaged(old), which.size, _damaged(old))


def _of(fleet: Fleet, key: str) -> Fleet:
    return {which: number for which, number in fleet.items() if which.tag == key}


def _hits(fleet: Fleet) -> int:
    return sum([which.hits * number for which, number in fleet.items()])


def _damaged(fleet: Fleet) -> int:
    return sum([number for which, number in fleet.items() if which.damaged])


def added(one: Toll, other: Toll) -> Toll:
    """Two tolls one after the other."""
    both = {(loss.side, loss.key): loss for loss in one}
    for loss in other:
        known = both.get((loss.side, loss.key))
        if known:
            hits, sunk, damaged = known.hits + loss.hits, known.sunk + loss.sunk, known.damaged + loss.damaged
            loss = known._replace(hits=hits, sunk=sunk, damaged=damaged)
        both[loss.side, loss.key] = loss
    return tuple(sorted(both.values()))


# --- adding up --------------------------------------------------------------------------------------------------

Tolls = Sequence[Distribution[Toll]]
"""Distributions that hang on different dice: any toll of one goes with any toll of the others."""
Cases = Sequence[Tolls]
"""Cases that exclude each other; the first distribution of each says how likely it is."""
Sums = tuple[int, ...]


def folded(cases: Cases, count: Callable[[Loss], Sums], places: int) -> Distribution[Sums]:
    """The chances of sums over all losses, where each loss counts for so many numbers."""
    chances: dict[Sums, Fraction] = {}
    for tolls in cases:
        for sums, chance in _folded_case(tolls, count, places).items():
            chances[sums] = chances.get(sums, Fraction(0)) + chance
    return Distribution(chances)


def _folded_case(tolls: Tolls, count: Callable[[Loss], Sums], places: int) -> dict[Sums, Fraction]:
    chances: dict[Sums, Fraction] = {(0,) * places: Fraction(1)}
    for some in tolls:
        parts = some.of(lambda losses: _summed(losses, count, places)).chances
        following: dict[Sums, Fraction] = {}
        for sums, chance in chances.items():
            for more, other in parts.items():
                both = tuple([one + two for one, two in zip(sums, more, strict=True)])
                following[both] = following.get(both, Fraction(0)) + chance * other
        chances = following
    return chances


def _summed(losses: Toll, count: Callable[[Loss], Sums], places: int) -> Sums:
    counted = [count(loss) for loss in losses]
    return tuple([sum([one[place] for one in counted]) for place in range(places)])


def folded_number(cases: Cases, count: Callable[[Loss], int]) -> Distribution[int]:
    return folded(cases, lambda loss: (count(loss),), 1).of(lambda sums: sums[0])


# --- what is told of it -----------------------------------------------------------------------------------------


def ship_part(cases: Cases, side: str, which: Ship) -> Part:
    """What becomes of one named ship, in words."""
    hits = folded_number(cases, lambda loss: loss.hits if (loss.side, loss.key) == (side, which.id) else 0)
    return Part(which.name, hits.of(lambda number: condition(which, number)))


def condition(which: Ship, hits: int) -> str:
    """What a named ship is after so many more hits."""
    total = which.hits + hits
    if total >= which.size:
        return "sunk"
    if which.bearing(total).damaged:
        return "damaged" if hits else "damaged as before"
    return "not hit" if not hits else f"{total} hit{'s' * (total != 1)}, not damaged"


def light_parts(cases: Cases, side: str, fleet: Fleet) -> list[Part]:
    """How many light ships of each kind sink, and how many more cruisers are damaged."""
    parts = []
    for key in dict.fromkeys([which.tag for which in fleet if which.light]):
        which = next(which for which in fleet if which.tag == key)
        sunk = folded_number(cases, lambda loss, key=key: loss.sunk if (loss.side, loss.key) == (side, key) else 0)  # type: ignore[misc]
        parts.append(Part(f"{_kind(which)} sunk", sunk))
        if which.kind is Kind.CRUISER:
            parts.append(Part(f"{_kind(which)} damaged", _afloat_damaged(cases, side, fleet, key)))
    return parts


def _afloat_damaged(cases: Cases, side: str, fleet: Fleet, key: str) -> Distribution[int]:
    """Those that were damaged before among them."""
    before = _damaged(_of(fleet, key))
    more = folded_number(cases, lambda loss: loss.damaged if (loss.side, loss.key) == (side, key) else 0)
    return more.of(lambda number: before + number)


def _kind(which: Ship) -> str:
    return f"{nation(which.nation).adjective} {NAMES[which.kind]}s{' with cargo' * which.laden}"


def factor_parts(cases: Cases, side: str, whose: str) -> list[Part]:
    """The factors of a side that sink, and those of its ships that are damaged and afloat beyond those before."""
    sunk = folded_number(cases, lambda loss: loss.sunk * loss.size if loss.side == side else 0)
    damaged = folded_number(cases, lambda loss: loss.newly_damaged * loss.size if loss.side == side else 0)
    return [Part(f"{whose} factors sunk", sunk), Part(f"{whose} factors newly damaged", damaged)]
