"""What a seat has decided about questions that come after the enemy's next decisions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.add_column(sa.Column("ahead", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("ahead")
