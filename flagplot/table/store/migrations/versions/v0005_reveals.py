"""Bytes that browsers have revealed for a roll, until those of the others are there too."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from flagplot.table.store.migrations.columns import game_column

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "reveals",
        game_column(),
        sa.Column("side", sa.Text, primary_key=True),
        sa.Column("shown", sa.String(64), nullable=False),
        sa.Column("pledge", sa.String(64), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("reveals")
