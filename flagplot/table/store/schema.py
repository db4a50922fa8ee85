"""The tables of the store. Migrations bring a database to this shape; `tests` compare the two.

Times are seconds since 1970. Tokens are kept as SHA-256, never as they are. `lines` is the tape of each game: its
primary key is what makes one of two answers to the same question win.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Boolean, Column, Double, ForeignKey, Index, Integer, MetaData, String, Table, Text, false

NAMING: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

metadata = MetaData(naming_convention=NAMING)


def _game(*, primary: bool = False) -> Column[str]:
    return Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=primary, nullable=False)


games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("public_id", String(32), nullable=False, unique=True),
    Column("title", Text, nullable=False),
    Column("scenario", Text, nullable=False),
    Column("ruleset", String(64), nullable=False),
    Column("rules", String(64), nullable=False),
    Column("commitment", String(128), nullable=False),
    Column("secret", String(128)),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    Column("finished", Double),
    Column("waiting_for", Text),
    Column("kept", Double),
    Column("warned", Double),
    Index(None, "finished", "waiting_for"),
)

lines = Table(
    "lines",
    metadata,
    _game(primary=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
)

seats = Table(
    "seats",
    metadata,
    _game(primary=True),
    Column("side", Text, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("holder", Text, nullable=False),
    Column("name", Text, nullable=False, server_default=""),
    Column("joined", Double),
    Column("contributed", Boolean, nullable=False, server_default=false()),
    Column("seen", Integer, nullable=False, server_default="0"),
    Column("seen_at", Double),
    Column("present", Double),
    Column("orders", Text, nullable=False, server_default=""),
    Column("ahead", Text, nullable=False, server_default=""),
    Column("by_hand", Integer),
    Column("level", Text, nullable=False, server_default=""),
    Column("staff", Text, nullable=False, server_default=""),
    Column("webhook", Text, nullable=False, server_default=""),
    Column("email", Text, nullable=False, server_default=""),
    Column("told", Text, nullable=False, server_default=""),
)

keys = Table(
    "keys",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("side", Text, primary_key=True),
    _game(),
    Column("made", Double, nullable=False),
    Index(None, "game"),
)
"""What each link opens: a row for each side; the host's has a row with no side."""

proposals = Table(
    "proposals",
    metadata,
    _game(primary=True),
    Column("side", Text, nullable=False),
    Column("answer", Integer, nullable=False),
    Column("made", Double, nullable=False),
)
"""The take-back that is asked for in a game now, if any, and which answer it is about."""

reveals = Table(
    "reveals",
    metadata,
    _game(primary=True),
    Column("side", Text, primary_key=True),
    Column("before", String(64), nullable=False),
    Column("shown", String(64), nullable=False),
    Column("pledge", String(64), nullable=False),
)
"""Bytes that browsers have revealed for a roll which waits for those of others, where several servers share a store.
`before` is the receipt of the answer that they were revealed for: they are used for its dice, and for no others."""

handovers = Table(
    "handovers",
    metadata,
    _game(primary=True),
    Column("side", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("asked", Double, nullable=False),
    Column("since", Double, nullable=False),
    Column("days", Integer, nullable=False),
)
"""Seats that the host asks for: to whom they would go, when he asked, and since when their holders gave no sign."""

happenings = Table(
    "happenings",
    metadata,
    _game(primary=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("side", Text, nullable=False),
    Column("holder", Text, nullable=False),
    Column("days", Integer, nullable=False),
    Column("places", Text, nullable=False),
)
"""What happened to the seats of a game, and how long the log of each reader was then (JSON)."""

notices = Table(
    "notices",
    metadata,
    _game(primary=True),
    Column("side", Text, primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("moment", Integer, primary_key=True, autoincrement=False),
    Column("due", Double, nullable=False),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("done", Double),
    Index(None, "done", "due"),
)
"""Calls to seats whose turn it is: one for each moment of a seat, however many servers there are."""

confirmations = Table(
    "confirmations",
    metadata,
    _game(primary=True),
    Column("side", Text, primary_key=True),
    Column("address", Text, nullable=False),
    Column("mark", String(64), nullable=False),
    Column("asked", Double, nullable=False),
    Index(None, "mark"),
)
"""E-mail addresses that somebody has yet to confirm, with the SHA-256 of the code that was sent there. A seat has only
confirmed ones."""

messages = Table(
    "messages",
    metadata,
    _game(primary=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("side", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Double, nullable=False),
)
"""What players said to each other. It belongs to no tape, proof or archive."""

pads = Table(
    "pads",
    metadata,
    _game(primary=True),
    Column("side", Text, primary_key=True),
    Column("text", Text, nullable=False),
)
"""The note pad of each side, which nobody else reads."""

rematches = Table(
    "rematches",
    metadata,
    _game(primary=True),
    Column("next", String(32), nullable=False),
    Column("side", Text, nullable=False),
    Column("swapped", Boolean, nullable=False),
    Column("made", Double, nullable=False),
)
"""The table that somebody made to play a finished game again, who that was, and whether sides are swapped in it."""

heard = Table(
    "heard",
    metadata,
    _game(primary=True),
    Column("side", Text, primary_key=True),
    Column("n", Integer, nullable=False),
    Column("reactions", Boolean, nullable=False),
)
"""Up to which message each side has read, and whether it wants quick reactions."""

courses = Table("courses", metadata, _game(primary=True), Column("text", Text, nullable=False))
"""How the chances to win went in a finished game. It can be worked out again."""

probes = Table(
    "probes",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    Column("room", Text, nullable=False, server_default=""),
)
"""One row that is written now and then to see whether anything can be."""
