"""The first shape: games, their lines, seats, links, take-backs that are asked for, and notices."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from flagplot.table.store.migrations.columns import game_column

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("public_id", sa.String(32), nullable=False, unique=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("scenario", sa.Text, nullable=False),
        sa.Column("ruleset", sa.String(64), nullable=False),
        sa.Column("rules", sa.String(64), nullable=False),
        sa.Column("commitment", sa.String(128), nullable=False),
        sa.Column("secret", sa.String(128)),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.Column("finished", sa.Double),
        sa.Column("waiting_for", sa.Text),
    )
    op.create_index("ix_games_finished_waiting_for", "games", ["finished", "waiting_for"])
    op.create_table(
        "lines",
        game_column(),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "seats",
        game_column(),
        sa.Column("side", sa.Text, primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("holder", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False, server_default=""),
        sa.Column("joined", sa.Double),
        sa.Column("contributed", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("seen", sa.Integer, nullable=False, server_default="0"),
        sa.Column("seen_at", sa.Double),
        sa.Column("present", sa.Double),
        sa.Column("orders", sa.Text, nullable=False, server_default=""),
        sa.Column("by_hand", sa.Integer),
        sa.Column("webhook", sa.Text, nullable=False, server_default=""),
        sa.Column("email", sa.Text, nullable=False, server_default=""),
        sa.Column("told", sa.Text, nullable=False, server_default=""),
    )
    op.create_table(
        "keys",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("side", sa.Text, primary_key=True),
        game_column(primary=False),
        sa.Column("made", sa.Double, nullable=False),
    )
    op.create_index("ix_keys_game", "keys", ["game"])
    op.create_table(
        "proposals",
        game_column(),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("answer", sa.Integer, nullable=False),
        sa.Column("made", sa.Double, nullable=False),
    )
    op.create_table(
        "notices",
        game_column(),
        sa.Column("side", sa.Text, primary_key=True),
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("moment", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("due", sa.Double, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
        sa.Column("done", sa.Double),
    )
    op.create_index("ix_notices_done_due", "notices", ["done", "due"])


def downgrade() -> None:
    for table in ("notices", "proposals", "keys", "seats", "lines", "games"):
        op.drop_table(table)
