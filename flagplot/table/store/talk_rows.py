"""Rows of what players say to each other, of their note pads, and of rematches that they offer."""

from __future__ import annotations

from sqlalchemy import delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from flagplot.table.store.database import Database, Duplicate, Found, Row
from flagplot.table.store.schema import heard, messages, pads, rematches


class TalkRows(Database):
    """Messages, note pads, rematches. None of it is part of a game."""

    def messages(self, game: str) -> list[Found]:
        """What was said at a table, in its order."""
        wanted = select(messages.c.n, messages.c.side, messages.c.text, messages.c.at).where(messages.c.game == game)
        return self._rows(wanted.order_by(messages.c.n))

    def said_since(self, game: str, side: str, since: float) -> int:
        """How much a side has said since a moment."""
        which = (messages.c.game == game, messages.c.side == side, messages.c.at > since)
        return self._scalar(select(func.count()).select_from(messages).where(*which)) or 0

    def say(self, game: str, side: str, text: str, now: float, keep: int) -> None:
        """Keep a message, and of all that was said the newest `keep`. Raises Duplicate if somebody else was first."""
        try:
            with self._writing(game) as connection:
                last = connection.scalar(select(func.max(messages.c.n)).where(messages.c.game == game)) or 0
                row = {"game": game, "n": last + 1, "side": side, "text": text, "at": now}
                connection.execute(insert(messages), [row])
                connection.execute(delete(messages).where(messages.c.game == game, messages.c.n <= last + 1 - keep))
        except IntegrityError as fault:
            raise Duplicate(game) from fault

    def heard(self, game: str) -> dict[str, tuple[int, bool]]:
        """By side: up to which message it has read, and whether it wants quick reactions."""
        rows = self._rows(select(heard.c.side, heard.c.n, heard.c.reactions).where(heard.c.game == game))
        return {row["side"]: (row["n"], row["reactions"]) for row in rows}

    def keep_heard(self, game: str, side: str, n: int, reactions: bool) -> None:
        with self._writing(game) as connection:
            self._put(connection, heard, {"game": game, "side": side, "n": n, "reactions": reactions})

    def pad(self, game: str, side: str) -> str:
        """The note pad of a side."""
        return str(self._scalar(select(pads.c.text).where(pads.c.game == game, pads.c.side == side)) or "")

    def write_pad(self, game: str, side: str, text: str) -> None:
        with self._writing() as connection:
            connection.execute(delete(pads).where(pads.c.game == game, pads.c.side == side))
            if text:
                connection.execute(insert(pads), [{"game": game, "side": side, "text": text}])

    def rematch(self, game: str) -> Found | None:
        """The rematch that was offered after a game."""
        return self._row(select(rematches).where(rematches.c.game == game))

    def offer_rematch(self, game: str, row: Row) -> None:
        """Raises Duplicate if one is offered already."""
        self._add(rematches, {"game": game, **row})
