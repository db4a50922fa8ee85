"""What a side knows when it is asked something, as a value: whoever thinks for the side is handed this and no more.

It is made in one place from the true game, by the account of what a side knows, and holds no part of it: another truth
that looks the same to the side makes the same situation. It can be sent to another process.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, TypeGuard

from flagplot.kernel.game import Game
from flagplot.kernel.levels import Level, Levels
from flagplot.kernel.replaying import Asked, Seen, asked_in, seen_by, stand_of
from flagplot.kernel.requests import Choose, value_text
from flagplot.kernel.views import Seeable
from flagplot.kernel.words import sentence


class Beliefs(Protocol):
    """What a side knows of the state at the last border between segments, and what it believes of the rest."""

    def draw(self, chance: Random) -> Any:
        """A state that fits; the same chance gives the same."""
        ...


@dataclass(frozen=True, slots=True)
class Situation:
    """A question of a side, and all that the side knows."""

    game: str
    """The name of the game."""
    kind: str
    """The kind of play: its outermost procedure."""
    side: str
    sides: tuple[str, ...]
    names: dict[str, str]
    """What the sides are called, in games that tell."""
    beliefs: Beliefs
    seen: tuple[Seen, ...]
    """What it has seen in this segment."""
    asked: Asked
    question: str
    options: tuple[tuple[str, str], ...]
    """The text and the label of each option, in their order."""
    rules: tuple[str, ...]
    level: Level
    """How much the question matters."""

    @property
    def word(self) -> str:
        """The kind of question: the first word of its options."""
        return first_word(self.asked[0])


def first_word(verb: str | tuple[str, ...]) -> str:
    """The first word of a verb: ``patrol`` of ``patrol:3:army``."""
    return value_text(verb).partition(":")[0]


def has_situations(game: Seeable) -> TypeGuard[Game[Any]]:
    """Whether the account of what a side knows is complete in this kind of play, so that a side can be thought for."""
    levels: Levels = getattr(game.ruleset, "levels", Levels())
    return (
        hasattr(game.ruleset, "beliefs") and bool(game.state.frames) and game.state.frames[0].procedure in levels.ahead
    )


def situation_of(game: Seeable, side: str) -> Situation | None:
    """What a side knows that is asked now; None if it is not asked, or where the account of what it knows is not
    complete."""
    request = game.pending
    if not isinstance(request, Choose) or request.side != side or not has_situations(game):
        return None
    stand = stand_of(game)
    levels: Levels = getattr(game.ruleset, "levels", Levels())
    beliefs = game.ruleset.beliefs(game.scenario, game.options, stand.state, side, stand.now)  # type: ignore[attr-defined]
    return Situation(
        game=game.ruleset.name,
        kind=game.state.frames[0].procedure,
        side=side,
        sides=game.sides,
        names=dict(game.view(side).names),
        beliefs=beliefs,
        seen=seen_by(stand.events, side),
        asked=asked_in(request),
        question=sentence(request.question),
        options=tuple([(option.text, option.label) for option in request.options]),
        rules=request.rules,
        level=levels.of(game.state.frames[-1].procedure, first_word(request.verb)),
    )
