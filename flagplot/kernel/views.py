"""Nobody sees the state; everybody sees a view. It is built when somebody looks at it, not before."""

from __future__ import annotations

from functools import partial
from typing import Any, Protocol

from flagplot.kernel.errors import StaleAnswer
from flagplot.kernel.log import Entry, is_secret_from
from flagplot.kernel.plugins import plugin
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.ruleset import UMPIRE, Ruleset
from flagplot.kernel.view_types import Parts, to_json
from flagplot.kernel.words import sentence


class Seeable(Protocol):
    """What can be looked at: a game, or one that is only played on."""

    @property
    def ruleset(self) -> Ruleset[Any]: ...
    @property
    def state(self) -> Any: ...
    @property
    def pending(self) -> Choose[Any] | Roll[Any] | None: ...
    def log(self, side: str) -> list[Entry]: ...
    def moment_of(self, side: str) -> int: ...


def now(game: Seeable, pending: Choose[Any] | Roll[Any] | None) -> Seeable:
    """The game, as long as it waits for the same as at the moment that is looked at."""
    if game.pending is not pending:
        raise StaleAnswer("this view is out of date: the game has moved on")
    return game


class View:
    """What one side may know at one moment of a game. Looking at it after the game went on is refused."""

    __slots__ = ("_game", "_pending", "_position", "side")

    def __init__(self, game: Seeable, side: str) -> None:
        self._game = game
        self._pending = game.pending
        self._position: Any = None
        self.side = side

    def _now(self) -> Seeable:
        return now(self._game, self._pending)

    @property
    def game(self) -> str:
        """The name of the game that it is a view of, for players who know several."""
        return self._game.ruleset.name

    @property
    def moment(self) -> int:
        """The number of this moment, for `at=`; a side's tells nothing of the other side's secret questions."""
        return self._now().moment_of(self.side)

    @property
    def position(self) -> Any:
        """All that the side may know, as the game's own type of position; its parts are made as they are read."""
        if self._position is None:
            game = self._now()
            seen = game.ruleset.look(game.state, self.side)
            if isinstance(seen, Parts):
                seen.while_(partial(now, game, self._pending))  # not by this view: they would hold each other
            self._position = seen
        return self._position

    def glance(self) -> Any:
        """The same for whoever reads it at once and keeps nothing of it: nobody checks that the moment still lasts."""
        game = self._game
        if game.pending is not self._pending:
            self._now()
        return game.ruleset.look(game.state, self.side)

    def close_up(self) -> Any:
        """In the same way only what is fought at this moment, in a game whose ruleset has a `close_up` of it: players
        ask for that very often."""
        game = self._game
        if game.pending is not self._pending:
            self._now()
        ruleset: Any = game.ruleset
        return ruleset.close_up(game.state, self.side)

    @property
    def names(self) -> dict[str, str]:
        """The names of the sides, in games that tell them."""
        names: dict[str, str] = getattr(self.position, "sides", {})
        return names

    @property
    def data(self) -> dict[str, Any]:
        """The same as plain data."""
        self._now()
        data: dict[str, Any] = to_json(self.position)
        return data

    @property
    def log(self) -> list[Entry]:
        return self._now().log(self.side)

    @property
    def situation(self) -> Any:
        """What the side knows when it is asked, as a value that draws states which fit (`flagplot.kernel.situations`):
        for players who look ahead. None where there is none."""
        return plugin("situation")(self._now(), self.side)

    @property
    def asked(self) -> dict[str, Any] | None:
        """What the game waits for, as this side may know it: the options only if they are its own."""
        request = self._now().pending
        if request is None:
            return None
        if isinstance(request, Roll):
            words = request.secret if is_secret_from(request, self.side) else request.purpose
            return {"side": request.side, "roll": request.dice, "purpose": sentence(words)}
        if self.side not in (request.side, UMPIRE):
            return {"side": request.side, "choose": None}
        return {"side": request.side, "choose": sentence(request.question), "options": options_of(request)}

    @property
    def board(self) -> Any:
        """What lies on the board, for pictures; None if the game offers no `board`."""
        make = getattr(self._now().ruleset, "board", None)
        return make(self.position) if make else None

    def as_dict(self) -> dict[str, Any]:
        return {"side": self.side, "moment": self.moment, "position": self.data, "asked": self.asked}

    def __str__(self) -> str:
        game = self._now()
        return game.ruleset.draw(self.position)

    def __repr__(self) -> str:
        if self._game.pending is not self._pending:
            return f"<View of {self.side}, out of date>"
        return f"<View of {self.side}: {str(self).partition(chr(10))[0]}>"

    def _repr_svg_(self) -> str:
        board = self.board
        return str(plugin("panel")(str(self)) if board is None else plugin("board_picture")(board))


class Window(View):
    """A view that goes on with the game: what a side may know whenever it looks."""

    __slots__ = ()

    def _now(self) -> Seeable:
        game = self._game
        if game.pending is not self._pending:
            self._pending, self._position = game.pending, None
        return game

    @property
    def position(self) -> Any:
        self._now()
        return super().position

    def glance(self) -> Any:
        game = self._game
        return game.ruleset.look(game.state, self.side)

    def close_up(self) -> Any:
        game = self._game
        ruleset: Any = game.ruleset
        return ruleset.close_up(game.state, self.side)


def options_of(request: Choose[Any]) -> list[dict[str, str]]:
    """The options of a choice for a program: text, label and rule."""
    return [{"text": option.text, "label": option.label, "rule": option.rule} for option in request.options]
