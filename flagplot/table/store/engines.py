"""Opening a database: SQLite as a file that survives everything, PostgreSQL as its address says."""

from __future__ import annotations

import os
import select
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, ExceptionContext, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, DisconnectionError, NoSuchModuleError

from flagplot.table.refusals import StoreError

WRITES = "flagplot_writes"
"""The execution option of connections that are going to write."""

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "foreign_keys=ON", "cache_size=-16000")
"""FULL: what was committed is on the disk, also if the power fails."""


def read_address(text: str) -> URL:
    """The address of a store, checked: a file for SQLite, or ``postgresql://…``."""
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text)
    except ArgumentError as fault:
        raise StoreError("this is not the address of a store", allowed=EXAMPLES) from fault
    if url.drivername in ("postgres", "postgresql", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername != "sqlite" or not url.database or url.database == ":memory:":
        raise StoreError("there is no such kind of store", given=url.drivername, allowed=EXAMPLES)
    return url


WAITS = {"connect_timeout": 10, "tcp_user_timeout": 20_000, "keepalives_idle": 10, "keepalives_interval": 5}
"""A database that does not answer is given up after some seconds: else all who want to write would wait for minutes."""
ABANDONED = 10_000
"""Milliseconds after which PostgreSQL ends a transaction in which nothing happens: its server hangs, and what it holds
locked would hold up the answers of all others."""
EXAMPLES = ["sqlite:///tables.sqlite", "postgresql://user@host/database"]


def open_engine(url: URL) -> Engine:
    """An engine for an address. The files of SQLite are made so that only their owner can read them."""
    if url.get_backend_name() == "sqlite":
        return _sqlite(url)
    try:
        import sqlalchemy.dialects.postgresql  # noqa: F401 - so that the dialect is there

        engine = create_engine(
            url, pool_size=16, max_overflow=16, hide_parameters=True, isolation_level="AUTOCOMMIT", connect_args=WAITS
        )
    except (ModuleNotFoundError, NoSuchModuleError) as fault:
        raise StoreError("PostgreSQL needs the package psycopg: pip install 'flagplot[postgres]'") from fault
    event.listen(engine, "connect", _limit_transactions)
    event.listen(engine, "checkout", _check_open)
    event.listen(engine, "handle_error", _keep_others)
    return engine


def _keep_others(fault: ExceptionContext) -> None:
    """A connection that breaks takes no others with it: each shows by itself whether it is open. The pool would note by
    the clock on the wall which ones are older than the break, and if that is set back, open a new one for each
    statement from then on."""
    fault.invalidate_pool_on_disconnect = False


def _limit_transactions(connection: Any, _: Any) -> None:
    connection.execute(f"SET idle_in_transaction_session_timeout = {ABANDONED}")
    connection.commit()


def _check_open(connection: Any, *_: Any) -> None:
    """A connection that the database has closed is replaced. While it lies idle nothing comes on it but its end, so no
    question is needed to see that it is open: one for each statement would double what goes to and fro."""
    if connection.closed:
        raise DisconnectionError
    end = select.poll()
    end.register(connection.fileno(), select.POLLIN)
    if end.poll(0):
        raise DisconnectionError


def _sqlite(url: URL) -> Engine:
    path = Path(str(url.database))
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as fault:
        raise StoreError(f"the store cannot be opened ({fault.strerror})", given=path) from fault
    engine = create_engine(url, pool_size=16, max_overflow=48, hide_parameters=True)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # transactions begin where `_begin` says so
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    """One who is going to write takes his turn at once: to ask for it later may be refused."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get(WRITES) else "BEGIN")


def close_all(engine: Engine) -> None:
    """Close its connections; one that is in use, when it is given back."""
    event.listen(engine, "checkin", lambda _, record: record.close())
    engine.dispose()


def check_reached(engine: Engine) -> None:
    """A server of databases answers, and lets us in; if not, its address is told without the password."""
    try:
        engine.connect().close()
    except DBAPIError as fault:
        address = engine.url.set(drivername="postgresql").render_as_string(hide_password=True)
        message = "the database cannot be reached; it must run there, exist, and let this user in"
        raise StoreError(message, given=address) from fault


def check_sound(engine: Engine) -> None:
    """A file of SQLite that is damaged is refused before anything is written to it."""
    path = engine.url.database
    try:
        with engine.connect() as connection:
            found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA quick_check(3)")]
    except (DatabaseError, sqlite3.DatabaseError) as fault:
        code = getattr(getattr(fault, "orig", fault), "sqlite_errorname", "")
        if not code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
            raise
        found = [str(getattr(fault, "orig", fault))]
    if found != ["ok"]:
        reason = " ".join(found[0].split())[:200]
        raise StoreError(
            f"the file of the tables is damaged ({reason}); nothing was changed. Move it away, with its -wal and -shm "
            f"files, and restore a backup: see “Backups” in docs/hosting.md. The file is {path}"
        )
