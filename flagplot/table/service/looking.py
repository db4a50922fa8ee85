"""Looking: what a side, a spectator or everybody may know of a table now, and the game again from its beginning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from flagplot.briefing.briefing import Briefing, brief
from flagplot.kernel.game import Game
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.table.games.ending import Ending, ending_of
from flagplot.table.games.look import look_at, question_to, reader_of, table_of, with_coach
from flagplot.table.games.replay import Moment, Replay, Replays
from flagplot.table.games.wakeups import is_present
from flagplot.table.info import BOTS, Look, Question, Since, Table
from flagplot.table.playing.ahead import ahead_of
from flagplot.table.playing.staff import sheet_of, standings_at
from flagplot.table.refusals import NotYet
from flagplot.table.service.common import Service
from flagplot.table.service.ordering import listed


class Looking(Service):
    """What readers may know."""

    _replays: Replays

    def table(self, game_id: str) -> Table:
        """What everybody at a table may know of it. Works for tables of older rules too. Raises NoSuchTable."""
        with self._playing.games.peek(game_id) as live:
            if live is not None and live.is_loaded and not live.stale and self._hears:
                return table_of(live.row, list(live.seats.values()), live.version, self.wakeups, self.clock())
        return self._table(self.store.game(game_id))

    def is_same(self, table: Table) -> bool:
        """Whether it is known, without asking the store, that nobody has come or gone since a table was looked at, nor
        anything changed that its tick does not tell. For those who may not wait."""
        live = self._playing.games.known(table.id)
        if live is None or not live.is_loaded or live.stale or not self._hears:
            return False
        now, holders = self.clock(), table.holders
        seats = [seat for side, seat in live.seats.items() if holders[side].kind not in BOTS]
        return all([is_present(table.id, seat, self.wakeups, now) == holders[seat["side"]].present for seat in seats])

    def public_table(self, public_id: str) -> Table:
        """The table of a spectator's link. Raises NoSuchTable."""
        return self._table(self.store.public_game(public_id))

    def _table(self, row: Mapping[str, Any]) -> Table:
        game_id = row["id"]
        seats, count, written = self.store.seats(game_id), self.store.count(game_id), self.store.format_of(game_id)
        return table_of(row, seats, count, self.wakeups, self.clock(), written)

    def look(self, game_id: str, reader: str, *, subscribed: bool = False, sheet: bool = False) -> Look:
        """This moment as a side or NEUTRAL may know it; after the end NEUTRAL gets what UMPIRE gets, everything. Who is
        `subscribed` is woken when another server changes something, so the store is not asked each time. With `sheet`
        a side that is asked gets its plan, unless it wants to be asked one question at a time.

        Raises NoSuchTable, UnknownName (no such side), NotYet (UMPIRE before the end), OldRules."""
        with self._game(game_id, reader, heard=subscribed and self._hears) as live:
            look = look_at(live, reader)
            if reader in live.game.sides:
                look = replace(look, advice=self._playing.advisers.advice(live, reader))
            if sheet and look.pending is not None and look.level != "step":
                plan = sheet_of(live, reader, {}, proposed=look.advice.found.answers)
                look = with_coach(live, replace(look, sheet=plan, standings=standings_at(live, reader, plan)))
            if reader not in live.game.sides:
                return look
            fresh = self._playing.fresh  # a side is told of its own bytes for the dice, and of nobody else's
            pledge, reveal = fresh.open_pledge(live, reader), fresh.wanted(live, reader) or ""
            own: dict[str, Any] = {"pledge": pledge, "reveal": reveal}
            if sheet:
                said = self.talk.unread(game_id, reader)
                own |= {"orders": listed(live, reader), "ahead": ahead_of(live, reader)}
                own |= {"unread": said.number, "reacted": said.reaction, "reactions": said.reactions}
            return replace(look, **own)

    def briefing(self, game_id: str, reader: str) -> Briefing:
        """What a side, or NEUTRAL, is told before its first decision, as things stand now."""
        with self._game(game_id, reader) as live:
            return brief(live.game, reader_of(live.game, reader))

    def ending(self, game_id: str, reader: str) -> Ending:
        """How a game ended, what it cost, and how the dice fell. Raises NotYet."""
        with self._game(game_id, reader) as live:
            return ending_of(live.game, reader)

    def asked(self, game_id: str, side: str, *, subscribed: bool = False) -> tuple[Question | None, str | None, int]:
        """A side's question, the side that is asked, and the first side's moment: a `look` without what it costs."""
        with self._game(game_id, side, heard=subscribed and self._hears) as live:
            return question_to(live.game, side), live.waiting_for, live.game.moment_of(side)

    def since(self, game_id: str, side: str) -> Since:
        """What happened since this seat last looked; call `seen` when it has been shown."""
        with self._game(game_id, side) as live:
            log = live.log(side)
            seat = live.seats[side]
            return Since(log[min(seat["seen"], len(log)) :], seat["seen_at"], len(log))

    def seen(self, game_id: str, side: str, total: int) -> None:
        """A seat has read its log up to that many lines (`Since.total`, or the length of `Look.log`)."""
        with self._game(game_id, side) as live:
            changes = {"seen": max(0, min(total, len(live.log(side)))), "seen_at": self.clock()}
            self.store.note_seat(game_id, side, **changes)
            live.seats[side] = {**live.seats[side], **changes}

    def replay(self, game_id: str, reader: str, step: int) -> Look:
        """The game again as a reader saw it, `step` from 0 to `Look.steps`. A side may do so at any time, with its own
        answers and the rolls as steps; UMPIRE (and NEUTRAL, who is then shown everything) only after the end."""
        replay, reader = self._replay(game_id, reader)
        return replay.look(reader, step)

    def key_moments(self, game_id: str, reader: str) -> list[Moment]:
        """The steps of a replay that are worth going to, as its reader knows them."""
        replay, reader = self._replay(game_id, reader)
        return replay.moments(reader)

    def asked_lines(self, game_id: str, side: str, at: int | None = None) -> list[str]:
        """The lines of a game that asks a side something, at that moment if one is named; for the odds of it, which are
        worked out from what the side knows. Nothing if it is not asked."""
        with self.game(game_id, side) as game:
            asked = game.pending is not None and game.pending.side == side
            return list(game.tape().texts) if asked and at in (None, game.moment_of(side)) else []

    def lines(self, game_id: str) -> list[str]:
        """The lines of a finished game's tape, for the server itself. Raises NotYet."""
        with self._game(game_id, UMPIRE) as live:
            return list(live.game.tape().texts[: live.version])

    def _replay(self, game_id: str, reader: str) -> tuple[Replay, str]:
        with self._game(game_id, reader) as live:
            reader = reader_of(live.game, reader)
            if reader == NEUTRAL:
                raise NotYet("spectators can replay the battle after its end")
            texts = live.game.tape().texts[: live.version]
        return self._replays.of(game_id, texts), reader

    @contextmanager
    def game(self, game_id: str, reader: str) -> Iterator[Game[Any]]:
        """A copy of the game, for those who make something of it for one reader: a report, odds, the map. They may show
        him nothing but what comes of his view and log. The table goes on meanwhile, however long they take."""
        with self._game(game_id, reader) as live:
            twin = live.game.copy()
        yield twin
