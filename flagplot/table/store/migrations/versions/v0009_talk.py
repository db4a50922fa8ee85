"""What players say to each other, their note pads, and rematches that they offer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from flagplot.table.store.migrations.columns import game_column

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "messages",
        game_column(),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "pads",
        game_column(),
        sa.Column("side", sa.Text, primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "rematches",
        game_column(),
        sa.Column("next", sa.String(32), nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("swapped", sa.Boolean, nullable=False),
        sa.Column("made", sa.Double, nullable=False),
    )


def downgrade() -> None:
    for name in ("rematches", "pads", "messages"):
        op.drop_table(name)
