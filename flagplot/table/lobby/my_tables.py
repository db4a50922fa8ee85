"""The tables that this browser sits at, or made: who plays whom, whose turn it is, how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import Request

from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.naming import in_sentence
from flagplot.kernel.ruleset import NEUTRAL
from flagplot.kernel.words import listing
from flagplot.table.battle.page_words import board_of, moment_in_words
from flagplot.table.info import Look, Seat, Table
from flagplot.table.lobby.seat_pages import opened_by
from flagplot.table.reader import tables_of
from flagplot.table.seats.cookies import GAME
from flagplot.table.visitors import cookies_of

if TYPE_CHECKING:
    from flagplot.table.tables import Tables

MOST_TABLES = 100


@dataclass(frozen=True, slots=True)
class Mine:
    """A table that this browser sits at, or made."""

    table: Table
    seat: Seat | None
    look: Look | None
    """What a spectator sees of it; None if it is of older rules."""

    @property
    def names(self) -> Mapping[str, str]:
        return self.table.usual_names | (self.look.view.sides if self.look else {})

    @property
    def address(self) -> str:
        return f"/table/{self.table.id}" if self.seat else f"/watch/{self.table.public_id}"

    @property
    def my_turn(self) -> bool:
        return is_my_turn(self.table, self.seat)

    @property
    def who(self) -> str:
        """As what this browser is there, and against whom."""
        if self.seat is None:
            return "You are the host"
        me = listing([in_sentence(self.names[side]) for side in self.seat.sides])
        others = [side for side in self.table.sides if side not in self.seat.sides]
        if not others:
            return f"You play both sides: {me}"
        return f"You play {me} against {listing([self._opponent(side) for side in others])}"

    def _opponent(self, side: str) -> str:
        holder = self.table.holders[side]
        if holder.is_bot:
            return "the staff" if holder.kind == "doctrine" else f"the staff ({holder.kind})"
        return holder.name or ("a friend" if holder.joined else "nobody yet")

    @property
    def state(self) -> str:
        """Whose turn it is or who won, in words."""
        if self.table.finished:
            return self._result
        if self.table.readonly:
            return "of older rules"
        if self.my_turn:
            return "your turn"
        asked = self.table.waiting_for
        return f"waiting for {in_sentence(self.names.get(asked, asked))}" if asked else "going on"

    @property
    def _result(self) -> str:
        if not self.look or not self.look.result:
            return "over"
        winner = self.look.result.get("winner")
        if winner is None:
            return "over, nobody won"
        if self.seat and len(self.seat.sides) == 1:
            return "you won" if winner in self.seat.sides else "you lost"
        return f"{self.names.get(winner, winner)} won"

    @property
    def stage(self) -> str:
        """Where the battle stands: ``round 2, air strikes``."""
        board = board_of(self.look) if self.look and not self.table.finished else None
        step = board.steps[-1] if board and board.steps else None
        return f"{step.title}, {step.label}".rstrip(", ") if step else ""

    @property
    def when(self) -> str:
        """Since when somebody is asked, else when the table was made."""
        since = self.look.waiting_since if self.look else None
        return moment_in_words(since or self.table.created)


def is_my_turn(table: Table, seat: Seat | None) -> bool:
    return bool(seat and table.waiting_for in seat.sides)


def my_tables(request: Request, most: int = MOST_TABLES) -> tuple[list[Mine], list[str], int]:
    """The tables of this browser, those first where it is its turn; the seats that open nothing any more; and how many
    tables there are if some are left out."""
    tables = tables_of(request)
    found, gone = dict[str, tuple[Table, Seat | None]](), list[str]()
    for name, token in sorted(cookies_of(request.scope).items(), reverse=True)[: 2 * MOST_TABLES]:
        kind, _, game = name.partition("-")
        if kind not in ("seat", "host") or not GAME.fullmatch(game) or game in found:
            continue
        seat = opened_by(tables, token, game)
        if seat is None:
            gone += [game] * (kind == "seat")
        else:
            found[game] = (tables.table(game), seat if seat.sides else None)
    ordered = sorted(found.values(), key=lambda one: (not is_my_turn(*one), one[0].finished, -one[0].created))
    mine = [Mine(table, seat, _look(tables, table)) for table, seat in ordered[:most]]
    return mine, [game for game in gone if game not in found], len(found)


def _look(tables: Tables, table: Table) -> Look | None:
    try:
        return tables.look(table.id, NEUTRAL)
    except FlagplotError:  # a table of older rules cannot be looked at
        return None
