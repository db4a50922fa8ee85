"""When somebody kept a table, and when its pages began to say that it will be deleted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    with op.batch_alter_table("games") as games:
        games.add_column(sa.Column("kept", sa.Double))
        games.add_column(sa.Column("warned", sa.Double))


def downgrade() -> None:
    with op.batch_alter_table("games") as games:
        games.drop_column("warned")
        games.drop_column("kept")
