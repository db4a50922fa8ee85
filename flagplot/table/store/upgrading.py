"""Bringing a database to the shape of this version, and refusing one of a later version."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from flagplot.table.refusals import StoreError

LOCK = 0x666C6167
"""The number of the lock that servers of one PostgreSQL take while they migrate."""


def config_for(connection: Connection) -> Config:
    """What alembic needs to know."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run the steps that are missing. Several servers may start at the same time."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    config = config_for(connection)
    script = ScriptDirectory.from_config(config)
    now = MigrationContext.configure(connection).get_current_revision()
    if now == script.get_current_head() and to == "head":
        return
    if now is not None and now not in {step.revision for step in script.walk_revisions()}:
        raise StoreError("this store was made by a later version of Flagplot: use that version", given=now)
    command.upgrade(config, to)


def downgrade(connection: Connection, to: str) -> None:
    """Run steps backwards, for tests and for those who go back to an older version."""
    command.downgrade(config_for(connection), to)
