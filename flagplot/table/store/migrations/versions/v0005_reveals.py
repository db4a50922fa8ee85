"""Bytes that browsers have revealed for a roll, until those of the others are there too."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reveals",
        sa.Column("game", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("side", sa.Text, primary_key=True),
        sa.Column("shown", sa.String(64), nullable=False),
        sa.Column("pledge", sa.String(64), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("reveals")
