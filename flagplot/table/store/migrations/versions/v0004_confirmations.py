"""E-mail addresses that wait for their confirmation. Those of before were never confirmed, and are forgotten."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from flagplot.table.store.migrations.columns import game_column

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "confirmations",
        game_column(),
        sa.Column("side", sa.Text, primary_key=True),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("mark", sa.String(64), nullable=False),
        sa.Column("asked", sa.Double, nullable=False),
    )
    op.create_index("ix_confirmations_mark", "confirmations", ["mark"])
    words = "email: addresses are confirmed now, so type yours again"
    op.execute(sa.text("UPDATE seats SET email = '', told = :words WHERE email != ''").bindparams(words=words))


def downgrade() -> None:
    op.drop_table("confirmations")
