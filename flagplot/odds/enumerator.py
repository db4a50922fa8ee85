"""The enumerator: a procedure run over all dice, with somebody who answers for the sides.

A segment begins with nothing but the state. So all that can become of a state is found segment by segment: the script
of a segment is gone through once for each way in which its dice can read, and the states in which it ends are merged
where they are equal. Faces that read the same are one way from the first (`Roll.outcomes`), and a roll that changes
nothing leaves equal states whose chances add up again.

Chances are whole numbers: in how many of ``6 ** power`` ways. Nothing is rounded. A rest that is less likely than
`NEGLIGIBLE` is not followed; if there are too many states the search stops and says how much it has not followed. What
it has found is exact.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

from flagplot.kernel.game import Player
from flagplot.kernel.plain_data import copy_of, key_of
from flagplot.kernel.procedures import Border, HasFrames, story
from flagplot.kernel.replaying import Position
from flagplot.kernel.requests import Choose, Faces, Note, Roll
from flagplot.kernel.ruleset import Ruleset
from flagplot.kernel.views import View
from flagplot.odds.chances import NEGLIGIBLE, Distribution

S = TypeVar("S", bound=HasFrames)
T = TypeVar("T", bound=Hashable)


class Mass(NamedTuple):
    """An exact chance: so many of ``6 ** power`` ways."""

    ways: int
    power: int

    def __add__(self, other: Mass) -> Mass:  # type: ignore[override]
        low, high = (self, other) if self.power <= other.power else (other, self)
        return _lowest(low.ways * 6 ** (high.power - low.power) + high.ways, high.power)

    def times(self, ways: int, dice: int) -> Mass:
        return Mass(self.ways * ways, self.power + dice)

    @property
    def fraction(self) -> Fraction:
        return Fraction(self.ways, 6**self.power)


def _lowest(ways: int, power: int) -> Mass:
    while power and ways % 6 == 0:
        ways, power = ways // 6, power - 1
    return Mass(ways, power)


CERTAIN = Mass(1, 0)


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search stops that does not come to its end."""

    states: int = 1_000_000
    seconds: float = 60.0
    ways: int | None = None
    """In how many ways segments are gone through at most; many dice in one segment are many ways from few states."""


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """What a search has found: exact chances, and what it took."""

    ends: Distribution[T]
    states: int
    """How many different states it went through."""
    ways: int
    """In how many ways segments were gone through."""
    complete: bool

    @property
    def extent(self) -> tuple[int, Fraction]:
        """How far it went, as an answer tells it: the states, and what is left over."""
        return self.states, self.ends.left_over


Tally = tuple[int, ...]
"""Numbers that add up along the way, such as losses."""
NOTHING: Tally = ()


def enumerate_ends(
    ruleset: Ruleset[S],
    state: S,
    players: Mapping[str, Player],
    outcome: Callable[[S], T],
    *,
    over: Callable[[S], bool] | None = None,
    limits: Limits | None = None,
    seen: Callable[[Roll[Any]], None] | None = None,
    given: Sequence[Any] = (),
) -> Found[T]:
    """The exact chances of what becomes of a state that stands at a border: of `outcome` when its last frame is done,
    or by `over` when something else is true. Players must answer the same question in the same way each time. `seen` is
    shown every roll, for its ledger. `given` are answers of the first segment, choices and readings, that are known
    already."""
    found = enumerate_apart(
        ruleset, state, players, outcome, lambda _: NOTHING, over=over, limits=limits, seen=seen, given=given
    )
    return Found(found.ends.of(lambda end: end[0]), found.states, found.ways, found.complete)


def enumerate_apart(
    ruleset: Ruleset[S],
    state: S,
    players: Mapping[str, Player],
    outcome: Callable[[S], T],
    take_out: Callable[[S], Tally],
    *,
    over: Callable[[S], bool] | None = None,
    limits: Limits | None = None,
    seen: Callable[[Roll[Any]], None] | None = None,
    given: Sequence[Any] = (),
) -> Found[tuple[T, Tally]]:
    """The same, but after each segment `take_out` takes from the state what nothing will read any more, and gives it as
    numbers. States that differ in nothing else are one, and the numbers are added up beside them; so the outcome comes
    with their sums."""
    within, depth = limits or Limits(), len(state.frames)
    ended = over or (lambda state: len(state.frames) < depth)
    search = Search(ruleset, players, seen)
    layer: dict[Any, tuple[Masses, S]] = {key_of(state): ({NOTHING: CERTAIN}, state)}
    ends: dict[tuple[T, Tally], Mass] = {}
    start, states = time.monotonic(), 0
    while layer and not _is_negligible(layer.values()):
        following: dict[Any, tuple[Masses, S]] = {}
        for masses, here in layer.values():
            states += 1
            if states > within.states or time.monotonic() - start > within.seconds:
                return _found(ends, states, search.ways, complete=False)
            for ways, dice, after in search.through(here, given):
                if time.monotonic() - start > within.seconds:
                    return _found(ends, states, search.ways, complete=False)
                if within.ways is not None and search.ways > within.ways:
                    return _found(ends, states, search.ways, complete=False)
                taken = take_out(after)
                if ended(after):
                    result = outcome(after)
                    for tally, mass in _added(masses, taken, ways, dice):
                        key = (result, tally)
                        ends[key] = ends[key] + mass if key in ends else mass
                    continue
                known = following.setdefault(key_of(after), ({}, after))[0]
                for tally, mass in _added(masses, taken, ways, dice):
                    known[tally] = known[tally] + mass if tally in known else mass
        layer, given = following, ()
    return _found(ends, states, search.ways, complete=True)


Masses = dict[Tally, Mass]


def _is_negligible(layer: Iterable[tuple[Masses, Any]]) -> bool:
    """Whether all that is still open is too unlikely to matter."""
    left = NEGLIGIBLE
    for masses, _ in layer:
        for mass in masses.values():
            left -= mass.fraction
            if left <= 0:
                return False
    return True


def _added(masses: Masses, taken: Tally, ways: int, dice: int) -> Iterator[tuple[Tally, Mass]]:
    """What was taken out so far and what is now, with its chance."""
    for tally, mass in masses.items():
        sums = tuple(map(sum, zip(tally, taken, strict=True))) if tally else taken
        yield sums, mass.times(ways, dice)


def _found(ends: Mapping[T, Mass], states: int, ways: int, *, complete: bool) -> Found[T]:
    chances = {result: mass.fraction for result, mass in ends.items()}
    return Found(Distribution(chances), states, ways, complete)


class Search(Generic[S]):
    """One segment after the other, in all ways."""

    def __init__(
        self, ruleset: Ruleset[S], players: Mapping[str, Player], seen: Callable[[Roll[Any]], None] | None = None
    ) -> None:
        self.ruleset = ruleset
        self.players = players
        self.seen = seen
        self.ways = 0

    def through(self, state: S, given: Sequence[Any] = ()) -> Iterator[tuple[int, int, S]]:
        """All that can become of a state in its next segment: in how many ways of how many dice, and the state then."""
        waiting: list[tuple[list[Any], int, int]] = [([*given], 1, 0)]
        while waiting:
            answers, ways, dice = waiting.pop()
            self.ways += 1
            yield self._run(copy_of(state), answers, ways, dice, waiting)

    def _run(
        self, state: S, answers: list[Any], ways: int, dice: int, waiting: list[tuple[list[Any], int, int]]
    ) -> tuple[int, int, S]:
        """Go through the segment with some answers given; at a roll beyond them take the first way, and let the others
        wait."""
        script = story(self.ruleset.procedures, state)
        given, answer = 0, None
        while not isinstance(request := script.send(answer), Border):
            if isinstance(request, Note):
                answer = None
            elif given < len(answers):
                answer = answers[given]
                given += 1
            else:
                if isinstance(request, Roll):
                    if self.seen:
                        self.seen(request)
                    (answer, some), *others = outcomes(request.reads, request.dice)
                    waiting += [([*answers, reading], ways * number, dice + request.dice) for reading, number in others]
                    ways, dice = ways * some, dice + request.dice
                else:
                    answer = self._choose(state, request)
                answers.append(answer)
                given += 1
        return ways, dice, state

    def _choose(self, state: S, request: Choose[Any]) -> Any:
        if len(request.values) == 1:
            return request.values[0]
        view = View(Position(self.ruleset, state), request.side)  # type: ignore[arg-type]
        chosen = self.players[request.side].choose(view, request)
        text = chosen if isinstance(chosen, str) else chosen.text
        option = request.find(text)
        assert option is not None, f"{text} is not offered: {request}"
        return request.values[option.index]


@lru_cache(maxsize=4096)
def outcomes(reads: Callable[[Faces], Any], dice: int) -> tuple[tuple[Any, int], ...]:
    """What some dice can read, and in how many ways."""
    return tuple(Roll("", dice, "", reads, "").outcomes().items())
