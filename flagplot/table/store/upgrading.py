"""Bringing a database to the shape of this version, and refusing one of a later version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, delete, insert, inspect, text
from sqlalchemy.schema import CreateTable

from flagplot.table.refusals import StoreError
from flagplot.table.store.migrations import STEPS, go_back, go_on
from flagplot.table.store.schema import metadata

if TYPE_CHECKING:
    from alembic.operations import Operations

NUMBERS: Final = [f"{number:04d}" for number in range(1, len(STEPS) + 1)]
NEWEST: Final = NUMBERS[-1]
"""The last step of the migrations. A store that has it is ready, and alembic need not be imported."""
BASE: Final = "base"
"""Before the first step."""
LOCK = 0x666C6167
"""The number of the lock that servers of one PostgreSQL take while they migrate."""
_versions = Table("alembic_version", MetaData(), Column("version_num", String(32), nullable=False))
_versions.append_constraint(PrimaryKeyConstraint("version_num", name="alembic_version_pkc"))


def upgrade(connection: Connection) -> None:
    """Run the steps that are missing. Several servers may start at the same time."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    now = shape_of(connection)
    if now == NEWEST:
        return
    if connection.dialect.name == "sqlite" and not inspect(connection).get_table_names():
        metadata.create_all(connection)  # all at once: the steps would come to the same, and take twenty times as long
        _note(connection, NEWEST)
        return
    run_steps(connection, now)


def run_steps(connection: Connection, now: str | None) -> None:
    """The steps from a shape to the newest; None is that of an empty database."""
    if now is not None and now not in NUMBERS:
        raise StoreError("this store was made by a later version of Flagplot: use that version", given=now)
    op = _operations(connection)
    for place in range(NUMBERS.index(now) + 1 if now else 0, len(STEPS)):
        go_on(op, place)
    _note(connection, NEWEST)


def downgrade(connection: Connection, to: str) -> None:
    """Run steps backwards, for tests and for those who go back to an older version."""
    now, op = shape_of(connection), _operations(connection)
    for place in reversed(range(0 if to == BASE else int(to), int(now or 0))):
        go_back(op, place)
    _note(connection, to)


def _operations(connection: Connection) -> Operations:
    """What changes tables, in the same way in both databases."""
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext

    return Operations(MigrationContext.configure(connection, opts={"target_metadata": metadata}))


def shape_of(connection: Connection) -> str | None:
    """The last step that a database has gone through; None for a new one."""
    if not inspect(connection).has_table(_versions.name):
        return None
    found = connection.execute(_versions.select()).scalar()
    return None if found is None else str(found)


def _note(connection: Connection, shape: str) -> None:
    """Note the last step in the database."""
    connection.execute(CreateTable(_versions, if_not_exists=True))
    connection.execute(delete(_versions))
    if shape != BASE:
        connection.execute(insert(_versions).values(version_num=shape))
