"""What a game brings to the odds of its positions: which procedure decides, what is not known, and what is told.

The kernel knows none of it. `flagplot.odds.position` finds the staff of a game by the game's name.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple, Protocol

from flagplot.kernel.game import Game, Player
from flagplot.kernel.replaying import Stand
from flagplot.kernel.requests import Choose, Roll
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Limits, Tally

Told = tuple[tuple[str, Any], ...]
"""What became of a position: titles, and a number or words for each."""


WINNER = "Winner"
"""The title of who has won."""


class Horizon(NamedTuple):
    """The procedure that decides a question, and how far it is followed."""

    name: str
    """What it is called: ``the air strike``."""
    rule: str
    over: Callable[[Any], bool]
    """Whether it is over, in a state at a border."""
    take_out: Callable[[Any], Tally] = lambda _: ()
    """Takes from a state what nothing will read any more, as numbers; see `enumerate_apart`."""
    tallies: tuple[str, ...] = ()
    """The titles of these numbers."""
    narrow: Callable[[Any, Sequence[str], Choose[Any]], None] | None = None
    """Leaves in a state what the question hangs on, after the segment in which it is answered (without dice)."""
    tell: Callable[[Any, str], Callable[[Any], Told]] | None = None
    """How the end is summed up, if no single procedure decides; then it is sampled, in whole states."""


class Counted(NamedTuple):
    """The chances of everything that is told, by title, and what it took to find them."""

    chances: dict[str, Distribution[Any]]
    left_over: Fraction
    states: int


def apart(ends: Distribution[Told], states: int) -> Counted:
    """The chances of each title by itself."""
    titles = dict.fromkeys([title for told in ends for title, _ in told])
    placed = {title: [dict(told).get(title) for told in ends] for title in titles}
    chances: dict[str, Distribution[Any]] = {}
    for title, values in placed.items():
        sums: dict[Any, Fraction] = {}
        for value, chance in zip(values, ends.chances.values(), strict=True):
            sums[value] = sums.get(value, Fraction(0)) + chance
        chances[title] = Distribution(sums)
    return Counted(chances, ends.left_over, states)


class Missing(NamedTuple):
    """Something that bears upon a question and that the side does not know."""

    key: str
    """What `--assume` calls it."""
    words: str
    """What is taken of it unless it is assumed."""
    hidden: bool = False
    """Whether it follows from what is believed of the enemy's forces."""


@dataclass(frozen=True, slots=True)
class Worlds:
    """The states that a position may be in, as far as a side knows."""

    all: Sequence[tuple[Fraction, Any]] | None
    """Each with its weight, if they can be listed."""
    draw: Callable[[Random], Any]
    """Any of them by chance, each as often as its weight says."""
    left_open: tuple[str, ...] = ()
    """The keys of what they differ in."""
    key: Hashable = None
    """Worlds with the same key draw the same states."""


class Believed(NamedTuple):
    """What is believed of the enemy's unseen forces, where a game has several beliefs."""

    name: str
    words: str
    others: tuple[str, ...]
    """What else could be believed."""
    wider: str = ""
    """The next belief that leaves more open."""


class Staff(Protocol):
    """The odds officer of one game."""

    def horizon(self, state: Any, request: Choose[Any], side: str) -> Horizon | None:
        """The procedure that decides the question of a side in a state at a border, if one does."""
        ...

    def wide(self, state: Any, side: str) -> list[Horizon]:
        """How far it is played on if no single procedure decides; the next one if nothing has come of it by then."""
        ...

    def veiled(self, game: Game[Any], stand: Stand, side: str, believe: str) -> Any:
        """What the side knows of where the game stands, and nothing else, together with what it believes of the rest;
        without `believe` what the scenario says. Everything below is given this."""
        ...

    def believed(self, known: Any) -> Believed | None:
        """What is believed of the enemy's unseen forces; nothing if there are none."""
        return None

    def missing(self, known: Any, side: str, answers: Sequence[str]) -> list[Missing]:
        """What bears upon the outcome after these answers of the side and is not known to it."""
        ...

    def assumed(self, known: Any, side: str, given: Mapping[str, str], missing: Sequence[Missing]) -> Any:
        """Assumptions, read and checked; given back to `worlds`."""
        ...

    def worlds(self, known: Any, side: str, answers: Sequence[str], assumed: Any) -> Worlds: ...

    def whole_worlds(self, known: Any) -> Worlds:
        """Whole states, drawn by chance."""
        ...

    def tell(self, before: Any, side: str, *, names: bool) -> Callable[[Any], Told]:
        """How a state at the end is summed up against the one before it. `names`: ship by ship as well."""
        ...

    def policies(self, known: Any, side: str, horizon: Horizon) -> list[str]:
        """What else is taken for granted."""
        ...

    def quickly(
        self,
        start: Any,
        given: Sequence[Any],
        horizon: Horizon,
        players: Mapping[str, Player],
        limits: Limits,
        seen: Callable[[Roll[Any]], None],
    ) -> Counted | None:
        """A quicker way to all ends, if there is one."""
        return None
