"""Who fills in the plans of a seat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.add_column(sa.Column("staff", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("staff")
