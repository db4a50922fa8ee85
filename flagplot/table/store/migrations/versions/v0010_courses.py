"""How the chances to win went in finished games; what each side has heard of the talk at a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from flagplot.table.store.migrations.columns import game_column

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "courses",
        game_column(),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "heard",
        game_column(),
        sa.Column("side", sa.Text, primary_key=True),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("reactions", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("heard")
    op.drop_table("courses")
