"""What a seat says about plans: how much its holder decides himself."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.add_column(sa.Column("level", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("level")
