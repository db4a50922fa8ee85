"""Rows of tables that are due to be deleted."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import and_, delete, false, func, or_, select, update

from flagplot.table.store.database import Database
from flagplot.table.store.schema import games


class Aged(NamedTuple):
    """Which tables are due: finished, or without a turn that passed, before these times; None for none of them."""

    finished: float | None
    idle: float | None
    warned: float | None = None
    """If given, only those whose pages have said so since then at the latest."""
    limit: int | None = None


class AgedRows(Database):
    """Tables that nobody has played at for long."""

    def _is_aged(self, aged: Aged) -> Any:
        kept = func.coalesce(games.c.kept, 0.0)
        over, under_way = games.c.finished.is_not(None), games.c.finished.is_(None)
        either = [
            false() if since is None else and_(kind, column < since, kept < since)
            for since, kind, column in (
                (aged.finished, over, games.c.finished),
                (aged.idle, under_way, games.c.changed),
            )
        ]
        return or_(*either) if aged.warned is None else and_(or_(*either), games.c.warned <= aged.warned)

    def aged(self, aged: Aged) -> list[str]:
        """The tables that are due, the oldest first."""
        wanted = select(games.c.id).where(self._is_aged(aged)).order_by(games.c.changed, games.c.id)
        return self._scalars(wanted if aged.limit is None else wanted.limit(aged.limit))

    def warn(self, aged: Aged, now: float) -> None:
        """From now on the pages of these tables say that they will be deleted."""
        with self._writing() as connection:
            connection.execute(update(games).where(self._is_aged(aged), games.c.warned.is_(None)).values(warned=now))

    def keep(self, game: str, now: float) -> None:
        """Somebody wants to keep a table."""
        with self._writing(game) as connection:
            connection.execute(update(games).where(games.c.id == game).values(kept=now, warned=None))

    def delete_aged(self, game: str, aged: Aged) -> bool:
        """Forget a game, if it is still due."""
        with self._writing(game) as connection:
            return connection.execute(delete(games).where(games.c.id == game, self._is_aged(aged))).rowcount == 1
