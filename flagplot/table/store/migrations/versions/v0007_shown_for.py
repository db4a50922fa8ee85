"""Bytes that browsers have revealed name the answer that they were revealed for.

Rows from before do not say it, so they go: the dice that wait for them ask the browsers once more.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from flagplot.table.store.migrations.columns import game_column

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    _make_anew(sa.Column("before", sa.String(64), nullable=False))


def downgrade() -> None:
    _make_anew()


def _make_anew(*more: sa.Column[str]) -> None:
    op.drop_table("reveals")
    op.create_table(
        "reveals",
        game_column(),
        sa.Column("side", sa.Text, primary_key=True),
        *more,
        sa.Column("shown", sa.String(64), nullable=False),
        sa.Column("pledge", sa.String(64), nullable=False),
    )
