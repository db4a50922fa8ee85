"""What a game must bring to the kernel. The kernel asks these things and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Protocol, TypeVar

from flagplot.kernel.procedures import HasFrames, Procedure

S = TypeVar("S", bound=HasFrames)

UMPIRE = "umpire"
"""The one who may know everything: a referee, or the players after the end."""

NEUTRAL = "neutral"
"""The one who may know nothing but what lies open: of each side's forces what the other side sees. A spectator."""


class Ruleset(Protocol[S]):
    """One game: its procedures, how a scenario becomes a state, and what each side may know of a state."""

    name: str
    title: str
    version: str
    options: Any
    """The options with their defaults; see `flagplot.kernel.options`."""
    procedures: dict[str, Procedure]
    state_type: type[S]
    """The class of its states; they may be of classes that add to it."""

    def read(self, scenario: Mapping[str, Any], options: Any) -> S:
        """The state at the start. Raises ScenarioError with every fault of the scenario."""
        ...

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its scenario files."""
        ...

    def sides(self, state: S) -> tuple[str, ...]: ...

    def look(self, state: S, side: str) -> Any:
        """All that a side (or the umpire, or a neutral) may know of the state, as `flagplot.kernel.view_types` has it,
        or as plain data. The only way out of the state."""
        ...

    def draw(self, look: Any) -> str:
        """A look as text for people. A game may also have `draw_at(look, width)`, for screens of so many columns, and
        `board(look)`, what lies on its board (`flagplot.board`), for pictures."""
        ...

    def result(self, state: S) -> dict[str, Any]:
        """How a finished game ended: at least `summary` (words), `winner` (a side or None) and `losses`."""
        ...

    def reshuffle(self, state: S, side: str, chance: Random) -> S:
        """A state that differs from this one only in what the side may not know, for the tests of secrecy.

        A game may also have `imagine(state, side, now)`: a state that fits what the side knows and follows from nothing
        else, for orders ahead; `state` is that of the last border, `now` the present one. And `sight(state, side)`:
        secrets of the enemy that show themselves bit by bit without dice or notes, as far as the side has seen them.
        Who has seen more of them takes back nothing, and plans no further. And `reshuffle_since(state, side, chance,
        now)` for agents that search, where what has come to light since the border is no secret: if it finds no state
        it raises a `BadValue`, since the true one would tell them everything."""
        ...


def sight(ruleset: Ruleset[S], state: S, side: str) -> Any:
    """What a side has seen of secrets that show themselves bit by bit; nothing in a game without such secrets."""
    see = getattr(ruleset, "sight", None)
    return see(state, side) if see else None
