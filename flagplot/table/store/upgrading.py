"""Bringing a database to the shape of this version, and refusing one of a later version."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Column, Connection, MetaData, PrimaryKeyConstraint, String, Table, inspect, text
from sqlalchemy.schema import CreateTable

from flagplot.table.refusals import StoreError
from flagplot.table.store.schema import metadata

if TYPE_CHECKING:
    from alembic.config import Config

NEWEST = "0012"
"""The last step of the migrations. A store that has it is ready, and alembic need not be imported."""
LOCK = 0x666C6167
"""The number of the lock that servers of one PostgreSQL take while they migrate."""


def config_for(connection: Connection) -> Config:
    """What alembic needs to know."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection) -> None:
    """Run the steps that are missing. Several servers may start at the same time."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    now = shape_of(connection)
    if now == NEWEST:
        return
    if connection.dialect.name == "sqlite" and not inspect(connection).get_table_names():
        _make(connection)
        return
    run_steps(connection, now)


def _make(connection: Connection) -> None:
    """Give a new file all its tables at once: the steps would come to the same, and take twenty times as long."""
    metadata.create_all(connection)
    connection.execute(CreateTable(_versions))
    connection.execute(_versions.insert().values(version_num=NEWEST))


_versions = Table("alembic_version", MetaData(), Column("version_num", String(32), nullable=False))
_versions.append_constraint(PrimaryKeyConstraint("version_num", name="alembic_version_pkc"))


def run_steps(connection: Connection, now: str | None) -> None:
    """The steps from a shape to the newest; None is that of an empty database."""
    from alembic import command
    from alembic.script import ScriptDirectory

    config = config_for(connection)
    known = {step.revision for step in ScriptDirectory.from_config(config).walk_revisions()}
    if now is not None and now not in known:
        raise StoreError("this store was made by a later version of Flagplot: use that version", given=now)
    command.upgrade(config, "head")


def shape_of(connection: Connection) -> str | None:
    """The last step that a database has gone through; None for a new one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def downgrade(connection: Connection, to: str) -> None:
    """Run steps backwards, for tests and for those who go back to an older version."""
    from alembic import command

    command.downgrade(config_for(connection), to)
