"""How the chances to win went in finished games; what each side has heard of the talk at a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "courses",
        sa.Column(
            "game", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True, nullable=False
        ),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "heard",
        sa.Column(
            "game", sa.String(32), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True, nullable=False
        ),
        sa.Column("side", sa.Text, primary_key=True),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("reactions", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("heard")
    op.drop_table("courses")
