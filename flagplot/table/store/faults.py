"""What goes wrong with a database: in plain words, in the log once in a while, and remembered if it will not mend."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator

from sqlalchemy.exc import (
    DBAPIError,
    IntegrityError,
    InterfaceError,
    InternalError,
    InvalidRequestError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as NoneFree

from flagplot.table.refusals import StoreError

LOG = logging.getLogger("flagplot.table")

QUIET = 60.0
"""Seconds in which a fault of the same kind is logged only once."""
DAMAGED = "the database is damaged"
WORDS = {
    "SQLITE_FULL": "the disk is full",
    "SQLITE_IOERR": "the disk cannot be read or written",
    "SQLITE_READONLY": "the database is read-only",
    "SQLITE_CANTOPEN": "the file of the database cannot be opened",
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_NOTADB": DAMAGED,
    "SQLITE_BUSY": "another program keeps the database busy",
    "SQLITE_LOCKED": "another program keeps the database busy",
    "53100": "the disk of the database server is full",
    "25006": "the database is read-only",
    "53300": "the database server has too many connections",
    "57P01": "the database server is shutting down",
    "57P03": "the database server is starting up",
    "XX001": DAMAGED,
    "XX002": DAMAGED,
}
"""What the codes of SQLite, and those of PostgreSQL, mean to whoever runs the server."""


class Faults:
    """The faults of one database. Safe to use from many threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._logged: dict[str, float] = {}
        self._unlogged: dict[str, int] = {}
        self.number = 0
        """How many there were."""
        self.damaged = ""
        """That the database is damaged, once that has shown: it does not mend by itself."""

    def note(self, fault: DBAPIError | NoneFree | InvalidRequestError) -> str:
        """Log a fault, unless it was logged just now; what it is in words that hold no statement and no value."""
        kind = kind_of(fault)
        words = WORDS.get(kind) or WORDS.get("_".join(kind.split("_")[:2])) or kind
        now = self._clock()
        with self._lock:
            self.number += 1
            if words == DAMAGED:
                self.damaged = words
            if now - self._logged.get(kind, -QUIET) < QUIET:
                self._unlogged[kind] = self._unlogged.get(kind, 0) + 1
                return words
            self._logged[kind], more = now, self._unlogged.pop(kind, 0)
        LOG.error("the store is in trouble: %s", words, extra={"told": {"kind": kind, "not_logged_before": more}})
        return words


def kind_of(fault: DBAPIError | NoneFree | InvalidRequestError) -> str:
    """The name that the database has for a fault."""
    if not isinstance(fault, DBAPIError):
        return "no connection was free"
    for name in ("sqlite_errorname", "sqlstate"):
        if code := getattr(fault.orig, name, None):
            return str(code)
    return type(fault.orig).__name__


def was_refused(fault: Exception) -> bool:
    """Whether the database has refused something and kept nothing of it; if a connection breaks, nobody knows."""
    cause = fault.__cause__ if isinstance(fault, StoreError) else fault
    if isinstance(cause, OperationalError):
        return str(getattr(cause.orig, "sqlstate", "")).startswith("40")  # a deadlock, for one
    return not isinstance(cause, (InterfaceError, InternalError, NoneFree))


@contextlib.contextmanager
def readable_faults(faults: Faults) -> Iterator[None]:
    """Faults of the database as refusals, and in the log. Duplicates are for the caller to judge. The pool says that a
    request is invalid if each connection that it opens is closed at once."""
    try:
        yield
    except IntegrityError:
        raise
    except (DBAPIError, NoneFree, InvalidRequestError) as fault:
        raise StoreError(f"the store cannot be read or written now ({faults.note(fault)})") from fault
