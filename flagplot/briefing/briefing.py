"""The briefing of a side, made from its view and from what the scenario says to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flagplot.board.model import Board, PlaceKind, Stack
from flagplot.kernel.briefings import Guide, Task
from flagplot.kernel.game import Game

LEFT_OUT: tuple[PlaceKind, ...] = ("lost", "inverted", "economy")
"""Parts of a board that no briefing tells of."""


@dataclass(frozen=True, slots=True)
class Camp:
    """A side's forces as the reader knows them."""

    side: str
    name: str
    nation: str
    """The country whose colours it has; empty if nobody says."""
    stacks: tuple[Stack, ...]
    own: bool

    @property
    def factors(self) -> int:
        """The naval factors that the reader knows of."""
        return sum([counter.factors for stack in self.stacks for counter in stack.ships])


@dataclass(frozen=True, slots=True)
class Briefing:
    """All that a briefing tells."""

    title: str
    about: str
    reader: str
    """Who reads it: a side, or a spectator."""
    name: str
    """The side's name; empty for a spectator."""
    order: str
    situation: str
    camps: tuple[Camp, ...]
    guide: Guide | None
    tasks: tuple[Task, ...]
    points: dict[str, int]
    """By the names of the sides, where points are counted."""
    minutes: int
    """About how long a game takes; 0 if nobody has measured it."""

    @property
    def own(self) -> Camp | None:
        return next((camp for camp in self.camps if camp.own), None)

    @property
    def others(self) -> list[Camp]:
        return [camp for camp in self.camps if not camp.own]


def brief(game: Game[Any], reader: str) -> Briefing:
    """The briefing of a side at this moment, or of a spectator."""
    data, ruleset = game.scenario, game.ruleset
    view = game.view(reader)
    look = view.position
    board = _outermost(ruleset.board(look)) if hasattr(ruleset, "board") else None
    names = dict(view.names)
    told = data.get("briefing", {})
    nations = {side["id"]: next(iter(side.get("nations", ())), side["id"]) for side in data.get("sides", ())}
    tasks = getattr(ruleset, "tasks", None)
    guide = getattr(ruleset, "guide", None)
    return Briefing(
        title=data["title"],
        about=data.get("about", ""),
        reader=reader,
        name=names.get(reader, ""),
        order=told.get("orders", {}).get(reader, ""),
        situation=" ".join((told.get("situation") or data.get("history", "")).split()),
        camps=tuple(
            [
                Camp(side, name, nations.get(side, side), _stacks(board, side), side == reader)
                for side, name in names.items()
            ]
        ),
        guide=guide(data) if guide else None,
        tasks=tasks(look) if tasks else (),
        points={names[side]: number for side, number in board.points.items()} if board else {},
        minutes=told.get("minutes", 0),
    )


def _outermost(board: Board) -> Board:
    """The board of the whole game, if a battle is only a part of it."""
    while board.around:
        board = board.around
    return board


def _stacks(board: Board | None, side: str) -> tuple[Stack, ...]:
    """The forces of a side, but for empty bases."""
    places = [place for place in board.places if place.kind not in LEFT_OUT] if board else []
    stacks = [stack for place in places for stack in place.stacks if stack.side == side]
    return tuple([stack for stack in stacks if stack.counters or stack.state == "hidden"])
