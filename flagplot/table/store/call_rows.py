"""Rows of calls to seats whose turn it is: when they are due, and how they went."""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, select, update

from flagplot.table.store.database import Database, Found, Row
from flagplot.table.store.schema import games, notices, seats

CALLED = (notices.c.due, notices.c.game, notices.c.side, notices.c.moment, notices.c.kind)
"""The order of calls. None is left to the database: a seat could see by it what was written for others."""

AT_ONCE = 20
"""Calls that are looked at together."""


class CallRows(Database):
    """The calls that are to be made."""

    def due(self, now: float) -> list[Found]:
        """The calls that are to be made now, each with its game and seat."""
        joined = notices.join(games, games.c.id == notices.c.game).join(
            seats, and_(seats.c.game == notices.c.game, seats.c.side == notices.c.side)
        )
        wanted = select(
            notices, games.c.title, games.c.waiting_for, seats.c.webhook, seats.c.email, seats.c.present
        ).select_from(joined)
        due = wanted.where(notices.c.done.is_(None), notices.c.due <= now)
        return self._rows(due.order_by(*CALLED).limit(AT_ONCE))

    def claim(self, call: Row, until: float) -> bool:
        """Take a call for this server; if it dies meanwhile another one makes it after `until`."""
        with self._writing() as connection:
            taken = connection.execute(
                update(notices)
                .where(self._is(call), notices.c.tries == call["tries"], notices.c.done.is_(None))
                .values(tries=call["tries"] + 1, due=until)
            )
            return taken.rowcount == 1

    def put_off(self, call: Row, due: float) -> None:
        """Look at a call again later, unless some server has begun it meanwhile."""
        with self._writing() as connection:
            same = and_(self._is(call), notices.c.tries == call["tries"], notices.c.done.is_(None))
            connection.execute(update(notices).where(same).values(due=due))

    def called(self, call: Row, **changes: Any) -> None:
        """Note how a call went: `done`, or `due` again."""
        with self._writing() as connection:
            connection.execute(update(notices).where(self._is(call)).values(**changes))

    def _is(self, call: Row) -> Any:
        return and_(*[notices.c[name] == call[name] for name in ("game", "side", "kind", "moment")])
