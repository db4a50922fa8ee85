"""A database of tables: how it is opened, read and written, and how servers that share one tell each other."""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from sqlalchemy import Connection, Select, Table, delete, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from flagplot.table.store.engines import WRITES, check_reached, check_sound, close_all, open_engine, read_address
from flagplot.table.store.faults import Faults, readable_faults
from flagplot.table.store.schema import games, probes
from flagplot.table.store.upgrading import upgrade

Row: TypeAlias = Mapping[str, Any]
Found: TypeAlias = dict[str, Any]

CHANNEL = "flagplot"
"""The channel on which servers of one PostgreSQL tell each other that a game has changed."""
ALL, LINES_ONLY, UNSEEN, REVEALED = "all", "lines", "unseen", "revealed"
"""What has changed of it: anything; lines and what follows from them; lines of which no page hears; or a browser has
revealed bytes. The words hold no more than that: anybody may listen who is let into the database."""
PRESENT = "present"
"""Or that seats of several games have pages open, which follow as JSON."""
NOTIFY = text(f"SELECT pg_notify('{CHANNEL}', word) FROM unnest(CAST(:words AS text[])) AS word")
ROOM = "." * 65536
"""What a probe asks for on top of its row: an answer with all that follows from it may need as much."""


class Duplicate(Exception):
    """Somebody else has written this row already."""


class Database:
    """One database. Safe to use from many threads."""

    def __init__(self, address: str, *, alone: bool = False, check: bool = True) -> None:
        """Open a store, and bring it to the shape of this version. Raises StoreError with the remedy.

        `check` looks whether a file of SQLite is sound: who wants to save what can be read goes without it.

        `alone` promises that no other program changes its tables meanwhile: then games in memory need not ask for rows
        of others."""
        self.alone = alone
        self.url = read_address(address)
        self.origin = uuid.uuid4().hex[:12]
        """The name of this server among those that share the store."""
        self.faults = Faults()
        self._engine = open_engine(self.url)
        self.shared = self._engine.dialect.name == "postgresql"
        """Whether other servers may use it at the same time, and tell by `CHANNEL` what they change."""
        level = {"isolation_level": "READ COMMITTED"} if self.shared else {}
        self._writer = self._engine.execution_options(**{WRITES: True, **level})
        self._turn: contextlib.AbstractContextManager[Any] = (
            contextlib.nullcontext() if self.shared else threading.Lock()
        )
        """SQLite has one writer at a time: to wait for him here is quicker than to ask the file again and again."""
        try:
            if self.shared:
                check_reached(self._engine)
            elif check:
                with readable_faults(self.faults):
                    check_sound(self._engine)
            with self._writing() as connection:
                upgrade(connection)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        close_all(self._engine)

    @contextlib.contextmanager
    def _writing(self, *changed: str | tuple[str, str]) -> Iterator[Connection]:
        """A transaction; when it is done, the other servers hear which games have changed, and what of them."""
        with readable_faults(self.faults), self._turn, self._writer.begin() as connection:
            yield connection
            pairs = [(each, ALL) if isinstance(each, str) else each for each in changed]
            self._tell(connection, [f"{game} {self.origin} {what}" for game, what in pairs])

    def _tell(self, connection: Connection, words: Sequence[str]) -> None:
        if self.shared and words:
            connection.execute(NOTIFY, {"words": list(words)})

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Connection]:
        with readable_faults(self.faults), self._engine.connect() as connection:
            yield connection

    def _rows(self, wanted: Select[Any], given: Row | None = None) -> list[Found]:
        with self._reading() as connection:
            return [dict(row) for row in connection.execute(wanted, given).mappings()]

    def _row(self, wanted: Select[Any]) -> Found | None:
        """The first row, if there is one."""
        with self._reading() as connection:
            row = connection.execute(wanted).mappings().first()
        return None if row is None else dict(row)

    def _scalar(self, wanted: Select[Any]) -> Any:
        """The first value of the first row, if there is one."""
        with self._reading() as connection:
            return connection.scalar(wanted)

    def _scalars(self, wanted: Select[Any]) -> list[Any]:
        """The first value of each row."""
        with self._reading() as connection:
            return list(connection.scalars(wanted))

    def _add(self, table: Table, row: Row, *changed: str) -> None:
        """Write a new row. Raises Duplicate if there is one with the same key."""
        try:
            with self._writing(*changed) as connection:
                connection.execute(insert(table), [dict(row)])
        except IntegrityError as fault:
            raise Duplicate(row["game"]) from fault

    def _put(self, connection: Connection, table: Table, row: Row) -> None:
        """Write a row in the place of one with the same key."""
        connection.execute(delete(table).where(*[column == row[column.name] for column in table.primary_key]))
        connection.execute(insert(table), [dict(row)])

    def probe(self, now: float) -> None:
        """Raises StoreError if nothing can be kept: one row is written, and there must be room for some more."""
        with self._writing() as connection:
            room = connection.begin_nested()
            connection.execute(insert(probes), [{"id": 2, "at": now, "room": ROOM}])
            room.rollback()
            if not connection.execute(update(probes).where(probes.c.id == 1).values(at=now)).rowcount:
                connection.execute(insert(probes), [{"id": 1, "at": now, "room": ""}])

    def size(self) -> int:
        """How many bytes the store takes, without room that is free to be used again."""
        with self._reading() as connection:
            if self.shared:
                return int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0)
            pages, free, size = [
                int(connection.exec_driver_sql(f"PRAGMA {name}").scalar() or 0)
                for name in ("page_count", "freelist_count", "page_size")
            ]
            return (pages - free) * size

    def figures(self) -> dict[str, int]:
        """How many tables there are, and how many of them are finished."""
        with self._reading() as connection:
            total, over = connection.execute(select(func.count(), func.count(games.c.finished))).one()
        return {"tables": int(total), "finished": int(over)}
