"""How the shape of a database came about, step by step. Steps are history: never change one, add another at the end.

The number of a step is its place in `STEPS`, from 0001 on; a database has the number of the last one that it has gone
through. `schema` has the shape that they lead to, and tests compare the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import Boolean, Column, Double, ForeignKey, Integer, String, Text, TextClause, false, text

if TYPE_CHECKING:
    from alembic.operations import Operations

Columns = Mapping[str, Sequence[Column[Any]]]
"""Columns by their tables. They belong to the tables that are made with them, so each time they are made anew."""


class Step(NamedTuple):
    """What a step adds; whoever goes back takes it away again."""

    about: str
    tables: Callable[[], Columns] = dict
    """A table that was there before is made anew, and what was in it is gone."""
    columns: Callable[[], Columns] = dict
    indexes: tuple[tuple[str, ...], ...] = ()
    """The table of each, and its columns."""
    then: TextClause | None = None


def _game(*, primary: bool = True) -> Column[Any]:
    """The game that a row belongs to: it goes when its game goes."""
    reference = ForeignKey("games.id", ondelete="CASCADE")
    return Column("game", String(32), reference, primary_key=primary, nullable=False)


def _word(name: str) -> Column[Any]:
    return Column(name, Text, nullable=False, server_default="")


STEPS: Final = (
    Step(
        "The first shape: games, their lines, seats, links, take-backs that are asked for, and notices.",
        tables=lambda: {
            "games": [
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
            ],
            "lines": [
                _game(),
                Column("n", Integer, primary_key=True, autoincrement=False),
                Column("text", Text, nullable=False),
                Column("at", Double, nullable=False),
            ],
            "seats": [
                _game(),
                Column("side", Text, primary_key=True),
                Column("place", Integer, nullable=False),
                Column("holder", Text, nullable=False),
                _word("name"),
                Column("joined", Double),
                Column("contributed", Boolean, nullable=False, server_default=false()),
                Column("seen", Integer, nullable=False, server_default="0"),
                Column("seen_at", Double),
                Column("present", Double),
                _word("orders"),
                Column("by_hand", Integer),
                _word("webhook"),
                _word("email"),
                _word("told"),
            ],
            "keys": [
                Column("hash", String(64), primary_key=True),
                Column("side", Text, primary_key=True),
                _game(primary=False),
                Column("made", Double, nullable=False),
            ],
            "proposals": [
                _game(),
                Column("side", Text, nullable=False),
                Column("answer", Integer, nullable=False),
                Column("made", Double, nullable=False),
            ],
            "notices": [
                _game(),
                Column("side", Text, primary_key=True),
                Column("kind", String(16), primary_key=True),
                Column("moment", Integer, primary_key=True, autoincrement=False),
                Column("due", Double, nullable=False),
                Column("tries", Integer, nullable=False, server_default="0"),
                Column("done", Double),
            ],
        },
        indexes=(("games", "finished", "waiting_for"), ("keys", "game"), ("notices", "done", "due")),
    ),
    Step(
        "A row that is written now and then, to see whether the store can be.",
        tables=lambda: {
            "probes": [
                Column("id", Integer, primary_key=True, autoincrement=False),
                Column("at", Double, nullable=False),
                _word("room"),
            ]
        },
    ),
    Step(
        "When somebody kept a table, and when its pages began to say that it will be deleted.",
        columns=lambda: {"games": [Column("kept", Double), Column("warned", Double)]},
    ),
    Step(
        "E-mail addresses that wait for their confirmation. Those of before were never confirmed, and are forgotten.",
        tables=lambda: {
            "confirmations": [
                _game(),
                Column("side", Text, primary_key=True),
                Column("address", Text, nullable=False),
                Column("mark", String(64), nullable=False),
                Column("asked", Double, nullable=False),
            ]
        },
        indexes=(("confirmations", "mark"),),
        then=text("UPDATE seats SET email = '', told = :words WHERE email != ''").bindparams(
            words="email: addresses are confirmed now, so type yours again"
        ),
    ),
    Step(
        "Bytes that browsers have revealed for a roll, until those of the others are there too.",
        tables=lambda: {
            "reveals": [
                _game(),
                Column("side", Text, primary_key=True),
                Column("shown", String(64), nullable=False),
                Column("pledge", String(64), nullable=False),
            ]
        },
    ),
    Step(
        "Seats that the host asks for, and what happened to seats.",
        tables=lambda: {
            "handovers": [
                _game(),
                Column("side", Text, primary_key=True),
                Column("holder", Text, nullable=False),
                Column("asked", Double, nullable=False),
                Column("since", Double, nullable=False),
                Column("days", Integer, nullable=False),
            ],
            "happenings": [
                _game(),
                Column("n", Integer, primary_key=True, autoincrement=False),
                Column("at", Double, nullable=False),
                Column("kind", String(16), nullable=False),
                Column("side", Text, nullable=False),
                Column("holder", Text, nullable=False),
                Column("days", Integer, nullable=False),
                Column("places", Text, nullable=False),
            ],
        },
    ),
    Step(
        "Bytes that browsers have revealed name the answer that they were revealed for. Rows from before do not say it,"
        " so they go: the dice that wait for them ask the browsers once more.",
        tables=lambda: {
            "reveals": [
                _game(),
                Column("side", Text, primary_key=True),
                Column("before", String(64), nullable=False),
                Column("shown", String(64), nullable=False),
                Column("pledge", String(64), nullable=False),
            ]
        },
    ),
    Step(
        "What a seat says about plans: how much its holder decides himself.",
        columns=lambda: {"seats": [_word("level")]},
    ),
    Step(
        "What players say to each other, their note pads, and rematches that they offer.",
        tables=lambda: {
            "messages": [
                _game(),
                Column("n", Integer, primary_key=True, autoincrement=False),
                Column("side", Text, nullable=False),
                Column("text", Text, nullable=False),
                Column("at", Double, nullable=False),
            ],
            "pads": [_game(), Column("side", Text, primary_key=True), Column("text", Text, nullable=False)],
            "rematches": [
                _game(),
                Column("next", String(32), nullable=False),
                Column("side", Text, nullable=False),
                Column("swapped", Boolean, nullable=False),
                Column("made", Double, nullable=False),
            ],
        },
    ),
    Step(
        "How the chances to win went in finished games; what each side has heard of the talk at a table.",
        tables=lambda: {
            "courses": [_game(), Column("text", Text, nullable=False)],
            "heard": [
                _game(),
                Column("side", Text, primary_key=True),
                Column("n", Integer, nullable=False),
                Column("reactions", Boolean, nullable=False),
            ],
        },
    ),
    Step(
        "What a seat has decided about questions that come after the enemy's next decisions.",
        columns=lambda: {"seats": [_word("ahead")]},
    ),
    Step("Who fills in the plans of a seat.", columns=lambda: {"seats": [_word("staff")]}),
)


def go_on(op: Operations, place: int) -> None:
    """Go through the step at a place."""
    step = STEPS[place]
    for name, columns in step.tables().items():
        if _before(name, place):
            op.drop_table(name)
        op.create_table(name, *columns)
    for table, *indexed in step.indexes:
        op.create_index("_".join(["ix", table, *indexed]), table, indexed)
    for table, columns in step.columns().items():
        with op.batch_alter_table(table) as batch:
            for column in columns:
                batch.add_column(column)
    if step.then is not None:
        op.execute(step.then)


def go_back(op: Operations, place: int) -> None:
    """Undo the step at a place."""
    step = STEPS[place]
    for table, columns in step.columns().items():
        with op.batch_alter_table(table) as batch:
            for column in reversed(columns):
                batch.drop_column(column.name)
    for name in reversed([*step.tables()]):
        op.drop_table(name)
        if columns := _before(name, place):
            op.create_table(name, *columns)


def _before(name: str, place: int) -> Sequence[Column[Any]]:
    """What a table was made of before a step; nothing if there was none."""
    return next((found for step in reversed(STEPS[:place]) if (found := step.tables().get(name))), ())
