"""An operation at the keyboard: the map, and what of it was shown already."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.text import Text

from flagplot.awaw.operations.records.outcome import FightView
from flagplot.awaw.state.operation import Progress
from flagplot.awaw.views.operation import OperationView
from flagplot.awaw.views.position import Position
from flagplot.board.model import Board, News, SeaMap
from flagplot.cli.keyboard.position import news_lines
from flagplot.cli.saves.chronicle import style_of, with_rule
from flagplot.cli.screen import FAINT, STRONG, Line
from flagplot.kernel.view_types import HIDDEN

if TYPE_CHECKING:
    from flagplot.awaw.mapboard.board import Mapboard
    from flagplot.kernel.game import Game

WIDEST = 120
"""A map is not drawn wider than this, however wide the screen is."""
PIPE = 80
"""The width of a map in a pipe."""
SIGN = re.compile(r"\[(.)\]")


class Moment:
    """An operation as its reader sees it now."""

    def __init__(self, operation: OperationView, position: Position, board: Board, sea: SeaMap) -> None:
        self.operation, self.position, self.board, self.sea = operation, position, board, sea

    @property
    def stage(self) -> str:
        return self.position.stage or ""

    @property
    def is_naval_combat(self) -> bool:
        """Whether a naval battle is fought, as against attacks outside it."""
        fight = self.operation.fighting
        return bool(fight and fight.kind in ("battle", "raid"))

    @property
    def costly(self) -> int:
        """How many fights so far have cost anything, or were naval battles."""
        return sum([_has_cost(fight) for fight in self.operation.fights])

    @property
    def places(self) -> tuple[object, ...]:
        """What the map shows: where forces are that do not sail just now, and who is bound where."""
        voyages = self.operation.voyages.items()
        sailing = {key for key, voyage in voyages if voyage.progress is Progress.UNDER_WAY}
        still = [(key, *force.at) for key, force in self.operation.forces.items() if force.voyage not in sailing]
        bound = [(key, voyage.path is HIDDEN) for key, voyage in voyages if voyage.progress is not Progress.OVER]
        return (*still, *bound)

    @property
    def step(self) -> tuple[object, ...]:
        """When it is time to draw a changed map again: in a new step, or when the enemy has shown a path."""
        step, voyages = self.position.step, self.operation.voyages.items()
        shown = [key for key, one in voyages if one.path is not HIDDEN and one.side != self.board.reader]
        return (self.stage, step and step.mark, step and step.name, *shown)

    def told(self, news: tuple[News, ...]) -> list[Line]:
        return news_lines(self.board, news)


def _has_cost(fight: FightView) -> bool:
    hit = [*fight.sunk.values(), *fight.damaged.values()]
    return fight.kind == "battle" or any([*hit, *fight.air.values(), *fight.submarines.values(), fight.cargo])


def moment_of(position: Any, board: Board | None) -> Moment | None:
    """The operation that a position is of; None of any other."""
    operation = position.operation if isinstance(position, Position) else None
    return Moment(operation, position, board, board.sea) if operation and board and board.sea else None


class Shown:
    """What was shown last of the map, so that it is shown again only if it has changed."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._places: tuple[object, ...] = ()
        self._step: tuple[object, ...] = ()
        self._told: tuple[tuple[News, ...], ...] = ((), (), ())
        self._stage, self._costly = "", 0
        self.drawn = False
        """Whether the map was drawn with the last changes."""

    def needs_view(self, now: Moment) -> bool:
        """Whether all forces are worth a look: in a new stage, and when a fight has cost something."""
        return (now.stage, now.costly) != (self._stage, self._costly)

    def map(self, now: Moment, width: int, *, names: bool = False) -> list[Line]:
        return map_lines(map_of(self._game), now.sea, width, names=names)

    def all_of(self, now: Moment, width: int) -> list[Line]:
        """Map and activities, whatever was shown before; in naval combat not the map, which can be asked for."""
        self._note(now)
        if now.is_naval_combat:
            return []
        self._places, self._step = now.places, now.step
        return [*self.map(now, width), *now.told(now.sea.announced)]

    def changes(self, now: Moment, width: int) -> list[Line]:
        """The map, the activities, who is under way and what is fought, each only if it has changed."""
        lines, self.drawn = [], now.places != self._places and now.step != self._step
        if self.drawn:
            lines = self.map(now, width)
            self._places, self._step = now.places, now.step
        before = self._told
        self._note(now)
        changed = [told for told, old in zip(self._told, before, strict=True) if told != old]
        return lines + [line for told in changed for line in now.told(told)]

    def _note(self, now: Moment) -> None:
        self._stage, self._costly = now.stage, now.costly
        self._told = (now.sea.announced, now.sea.sailing, now.board.told("fight"))


def map_of(game: Game[Any]) -> Mapboard:
    """The map of a game, as its scenario has it."""
    from flagplot.awaw.mapboard.reading import read_map

    return read_map(game.scenario["map"])


def map_lines(board: Mapboard, sea: SeaMap, width: int, *, names: bool = False) -> list[Line]:
    """The waters that matter, with marks and known paths; with `names` all names of places are explained too."""
    from flagplot.awaw.mapboard.drawing import draw_board

    hexes = tuple(dict.fromkeys([at for path in sea.paths for at in path.hexes]))
    drawn = draw_board(board, sea.marks, hexes, min(width, WIDEST), names=names, crop=True)
    styles = _styles(sea)
    lines = [Line(_coloured(line, styles), hang=4) for line in drawn]
    return lines + [Line(Text("* a path you know", FAINT))] * bool(hexes and not names)


def _styles(sea: SeaMap) -> dict[str, str]:
    """The colour of each mark that is of one side alone; the legend names the side too."""
    from flagplot.awaw.mapboard.drawing import signs

    there = [sea.sides_at(at) for at in sea.marks]
    return {
        sign: style_of(next(iter(sides)), sea.names) if len(sides) == 1 else ""
        for sides, sign in zip(there, signs(len(there)), strict=True)
    }


def _coloured(line: str, styles: Mapping[str, str]) -> Text:
    text = Text(line)
    for found in SIGN.finditer(line):
        text.stylize(f"{STRONG} {styles.get(found[1], '')}".strip(), *found.span())
    return text


def reasons_told(found: list[Any]) -> list[Line]:
    """Why forces are not offered, each with the rule."""
    return [Line(Text.assemble((f"{about}: ", STRONG), with_rule(text, rule))) for about, text, rule in found]
