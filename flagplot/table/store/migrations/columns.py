"""What columns of several steps have in common. Steps stay as they were made: never change this, add another."""

from __future__ import annotations

import sqlalchemy as sa


def game_column(*, primary: bool = True) -> sa.Column[str]:
    """The game that a row belongs to: it goes when its game goes."""
    reference = sa.ForeignKey("games.id", ondelete="CASCADE")
    return sa.Column("game", sa.String(32), reference, primary_key=primary, nullable=False)
