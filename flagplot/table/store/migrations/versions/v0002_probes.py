"""A row that is written now and then, to see whether the store can be."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "probes",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("room", sa.Text, nullable=False, server_default=""),
    )


def downgrade() -> None:
    op.drop_table("probes")
