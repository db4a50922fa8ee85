"""A battle as environments play it: again and again from one opening, and what its end is worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, overload

from flagplot.kernel.dice import Seeded
from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Game
from flagplot.kernel.margins import UNITS, margin, unit_of
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.toll import CountsLosses
from flagplot.kernel.views import View
from flagplot.library import load
from flagplot.simulation.battles import toll_of

Scenario: TypeAlias = str | Path | Mapping[str, Any]
Reward = Literal["result", "toll"]


class Opening:
    """The beginning of a battle; each game from it is a copy with dice of its own."""

    def __init__(self, scenario: Scenario, options: Mapping[str, Any] | None = None) -> None:
        self._game = load(scenario, seed=0, options=options)
        self.sides = self._game.sides
        self.title = str(self._game.scenario["title"])

    def start(self) -> Game[Any]:
        """A game in which nothing has happened."""
        return self._game.copy(self._game.dice)

    def game(self, seed: int) -> Game[Any]:
        """A game at its first choice, with the dice of a seed."""
        game = self._game.copy(Seeded(seed))
        roll_on(game)
        return game


def roll_on(game: Game[Any]) -> None:
    """Roll dice until somebody must choose or the battle is over."""
    while isinstance(game.pending, Roll):
        game.roll()


def check_reward(reward: str) -> None:
    if reward not in ("result", "toll"):
        raise BadValue("no such reward", given=reward, allowed=["result", "toll"])


def rewards_of(game: Game[Any], sides: Iterable[str], reward: Reward) -> dict[str, float]:
    """What a finished battle is worth to each side; the rewards of both sides add up to nothing.

    ``result``: 1 if it won, -1 if the enemy did, else 0. ``toll``: what the enemy lost less what it lost itself, by the
    measure of the rules: points, naval factors sunk, BRPs of air lost, or units lost for good.
    """
    result = game.result
    if result is None:
        return dict.fromkeys(sides, 0.0)
    if reward == "toll" and (unit_of(result) != UNITS or isinstance(game.ruleset, CountsLosses)):
        tolls = toll_of(game)
        return {side: float(margin(result, tolls, side)) for side in sides}
    winner = result["winner"]
    return {side: 0.0 if winner is None else 1.0 if winner == side else -1.0 for side in sides}


class AgentView(View):
    """A view that is equal to one that shows the same, as the tests of environments want it."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AgentView) and self.as_dict() == other.as_dict()

    __hash__ = None  # type: ignore[assignment]


def question_of(game: Game[Any], side: str) -> Choose[Any] | None:
    """What a side is asked now, if it is."""
    request = game.pending
    return request if isinstance(request, Choose) and request.side == side else None


class OptionTexts(Sequence[str]):
    """The stable texts of the options of a question; each is made when somebody reads it."""

    __slots__ = ("_request",)

    def __init__(self, request: Choose[Any]) -> None:
        self._request = request

    def __len__(self) -> int:
        return len(self._request.values)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        options = self._request.options
        return options[index].text if isinstance(index, int) else [option.text for option in options[index]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))


def info_of(view: AgentView, request: Choose[Any] | None) -> dict[str, Any]:
    """What an agent is told besides the array: its view and, if it is asked, the texts of the options."""
    return {"view": view} if request is None else {"view": view, "options": OptionTexts(request)}
