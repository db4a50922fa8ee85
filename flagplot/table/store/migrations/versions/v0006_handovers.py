"""Seats that the host asks for, and what happened to seats."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from flagplot.table.store.migrations.columns import game_column

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "handovers",
        game_column(),
        sa.Column("side", sa.Text, primary_key=True),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("asked", sa.Double, nullable=False),
        sa.Column("since", sa.Double, nullable=False),
        sa.Column("days", sa.Integer, nullable=False),
    )
    op.create_table(
        "happenings",
        game_column(),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("days", sa.Integer, nullable=False),
        sa.Column("places", sa.Text, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("happenings")
    op.drop_table("handovers")
