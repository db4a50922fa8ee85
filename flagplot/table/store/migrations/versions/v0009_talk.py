"""What players say to each other, their note pads, and rematches that they offer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def _game() -> sa.Column[str]:
    reference = sa.ForeignKey("games.id", ondelete="CASCADE")
    return sa.Column("game", sa.String(32), reference, primary_key=True, nullable=False)


def upgrade() -> None:
    op.create_table(
        "messages",
        _game(),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "pads",
        _game(),
        sa.Column("side", sa.Text, primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "rematches",
        _game(),
        sa.Column("next", sa.String(32), nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("swapped", sa.Boolean, nullable=False),
        sa.Column("made", sa.Double, nullable=False),
    )


def downgrade() -> None:
    for name in ("rematches", "pads", "messages"):
        op.drop_table(name)
