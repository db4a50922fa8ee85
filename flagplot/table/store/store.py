"""The store of tables: games, their lines, and all other rows. In this folder is the only SQL of the table.

Each method is one transaction; none waits for anything but the database.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypedDict, Unpack

from sqlalchemy import Connection, and_, bindparam, delete, exists, func, insert, or_, select, text, update
from sqlalchemy.exc import IntegrityError

from flagplot.table.refusals import NoSuchTable
from flagplot.table.store.aged_rows import AgedRows
from flagplot.table.store.call_rows import CallRows
from flagplot.table.store.course_rows import CourseRows
from flagplot.table.store.database import ALL, CHANNEL, LINES_ONLY, UNSEEN, Duplicate, Found, Row
from flagplot.table.store.faults import readable_faults, was_refused
from flagplot.table.store.grouping import Group, Waiting
from flagplot.table.store.schema import games, handovers, happenings, keys, lines, proposals, seats
from flagplot.table.store.seat_rows import SEATS, SeatRows
from flagplot.table.store.talk_rows import TalkRows

LINES = (
    select(lines.c.n, lines.c.text, lines.c.at)
    .where(lines.c.game == bindparam("wanted"), lines.c.n >= bindparam("begin"))
    .order_by(lines.c.n)
)
"""Asked all the time, so it is made once."""
PLAIN = ("changed", "waiting_for")
"""What most answers change in the row of a game, if anything."""
APPEND = text(f"""
    WITH kept AS (
        INSERT INTO lines (game, n, text, at)
        SELECT * FROM unnest(CAST(:a AS text[]), CAST(:b AS int[]), CAST(:c AS text[]), CAST(:d AS float8[]))
    ), now AS (
        UPDATE games SET changed = new.changed, waiting_for = new.asked
        FROM unnest(CAST(:e AS text[]), CAST(:f AS float8[]), CAST(:g AS text[])) AS new (game, changed, asked)
        WHERE games.id = new.game
    )
    SELECT pg_notify('{CHANNEL}', word) FROM unnest(CAST(:h AS text[])) AS word
""")
"""New lines of some games, what they change in their rows, and the words for other servers: one way to PostgreSQL and
back, where a thread waits for its turn as well while others are busy."""
CALL = text(
    "INSERT INTO notices (game, side, kind, moment, due) VALUES (:game, :side, :kind, :moment, :due) "
    "ON CONFLICT DO NOTHING"
)


def columns_of(rows: Sequence[tuple[Any, ...]], number: int) -> list[list[Any]]:
    """Rows as columns, also if there is none."""
    return [[row[place] for row in rows] for place in range(number)]


AHEAD = '{"orders":[{'
"""How the text begins of a seat that has orders ahead which wait."""


class Line(NamedTuple):
    """One line of a tape as it is kept."""

    n: int
    text: str
    at: float


class Whole(NamedTuple):
    """A game and all the rows that belong to it."""

    game: Row
    lines: Sequence[Line]
    seats: Sequence[Row]
    links: Sequence[Row]
    happenings: Sequence[Row] = ()


class Beside(TypedDict, total=False):
    """What is kept together with new lines of a game."""

    seat: tuple[str, Row] | None
    """A side, and what changes in its row."""
    before: Row | None
    """What that row must still say."""
    link: tuple[str, Row | None] | None
    """A side, and what opens it from now on."""
    settles: str
    """The side whose proposal ends with it, or ``*`` for any."""
    quiet: bool
    """Whether pages of other servers are not told."""
    happening: Row | None
    """What happens to a seat."""
    request: tuple[str, Row | None] | None
    """A side, and the row if the host asks for its seat from now on, or None if he does not."""
    calls: Sequence[Row]
    """The calls that become due."""


class Append(NamedTuple):
    """What is kept of a game when it goes on, see `Store.append`."""

    game: str
    new: Sequence[Line]
    changes: Row
    beside: Beside

    @property
    def _is_more(self) -> bool:
        """Whether more changes than lines and what follows from them."""
        others = [self.beside.get(name) for name in ("seat", "link", "happening", "request")]
        return bool(self.beside.get("settles")) or any([other is not None for other in others])

    @property
    def word(self) -> str:
        """What other servers are told of it."""
        return ALL if self._is_more else UNSEEN if self.beside.get("quiet") else LINES_ONLY

    @property
    def is_plain(self) -> bool:
        """Whether it is what most answers are: lines, and perhaps another side is asked."""
        return not (self._is_more or self.beside.get("calls")) and tuple(self.changes) in ((), PLAIN)


class Store(SeatRows, CallRows, AgedRows, TalkRows, CourseRows):
    """Games, lines, seats, links, proposals and notices in one database. Safe to use from many threads."""

    def __init__(self, address: str, *, alone: bool = False, check: bool = True) -> None:
        """See `Database`."""
        super().__init__(address, alone=alone, check=check)
        self._group = Group(self._append_all)

    # --- games and their lines ----------------------------------------------------------------------------------

    def add_game(self, game: Row, texts: Iterable[Line], sides: Sequence[Row], links: Sequence[Row]) -> None:
        """Keep a whole new game. Raises Duplicate if its id or its public id is taken."""
        self.add_games([Whole(game, list(texts), sides, links)])

    def add_games(self, new: Iterable[Whole]) -> None:
        """Keep several new games: all or none. Raises Duplicate with the id of the first that cannot be added."""
        now = ""
        try:
            with self._writing() as connection:
                for game, texts, sides, links, happened in new:
                    now = game["id"]
                    connection.execute(insert(games), [dict(game)])
                    kept = {lines: [line._asdict() for line in texts], seats: sides, keys: links, happenings: happened}
                    for table, rows in kept.items():
                        if rows:
                            connection.execute(insert(table), [{"game": now, **row} for row in rows])
        except IntegrityError as fault:
            raise Duplicate(now) from fault

    def game(self, game: str) -> Found:
        return self._game(games.c.id == game)

    def around(self, game: str) -> tuple[Found, list[Found], Found | None]:
        """A game, its seats in the order of its sides, and the take-back that is asked for."""
        with self._reading() as connection:
            row = connection.execute(select(games).where(games.c.id == game)).mappings().first()
            if row is None:
                raise NoSuchTable("there is no such table here")
            sides = connection.execute(SEATS, {"wanted": game}).mappings().all()
            proposal = connection.execute(select(proposals).where(proposals.c.game == game)).mappings().first()
        return dict(row), [dict(each) for each in sides], None if proposal is None else dict(proposal)

    def public_game(self, public_id: str) -> Found:
        return self._game(games.c.public_id == public_id)

    def _game(self, which: Any) -> Found:
        row = self._row(select(games).where(which))
        if row is None:
            raise NoSuchTable("there is no such table here")
        return row

    def ids(self) -> list[str]:
        """All games, the oldest first."""
        return self._scalars(select(games.c.id).order_by(games.c.created, games.c.id))

    def lines(self, game: str, begin: int = 0) -> list[Line]:
        """The lines of a game from the `begin`-th on."""
        with self._reading() as connection:
            return [Line(*row) for row in connection.execute(LINES, {"wanted": game, "begin": begin})]

    def format_of(self, game: str) -> int:
        """The version of the format in which the lines of a game are written; 0 if it has none."""
        begin = self._scalar(select(func.substr(lines.c.text, 1, 32)).where(lines.c.game == game, lines.c.n == 0))
        found = re.match(r'\{"flagplot":([0-9]+)[,}]', begin or "")
        return int(found[1]) if found else 0

    def whole(self, game: str) -> Whole:
        """A game with all that belongs to it, as it is at one moment, also while it is played."""
        reader = self._engine.execution_options(isolation_level="REPEATABLE READ") if self.shared else self._engine
        with readable_faults(self.faults), reader.begin() as connection:
            row = connection.execute(select(games).where(games.c.id == game)).mappings().first()
            if row is None:
                raise NoSuchTable("there is no such table here")
            tape = [Line(*line) for line in connection.execute(LINES, {"wanted": game, "begin": 0})]
            sides = connection.execute(select(seats).where(seats.c.game == game).order_by(seats.c.place)).mappings()
            links = connection.execute(select(keys).where(keys.c.game == game)).mappings()
            happened = connection.execute(
                select(happenings).where(happenings.c.game == game).order_by(happenings.c.n)
            ).mappings()
            rows = [[dict(one) for one in found] for found in (sides, links, happened)]
            return Whole(dict(row), tape, *rows)

    def count(self, game: str) -> int:
        """The number of lines of a game."""
        return self._scalar(select(func.count()).select_from(lines).where(lines.c.game == game)) or 0

    def append(self, game: str, new: Sequence[Line], changes: Row, **beside: Unpack[Beside]) -> None:
        """Keep new lines of a game, what they change in its row, and what is `Beside` them: all or nothing. Raises
        Duplicate if another server has kept a row of that number, or if a seat says something else."""
        try:
            self._group.keep(Append(game, new, changes, beside))
        except IntegrityError as fault:
            raise Duplicate(game) from fault

    def _append_all(self, together: Sequence[Waiting[Append]]) -> None:
        """Keep what several games bring, in one transaction. If one of them does not fit, each gets one of its own, so
        that none fails by the fault of another. If it is the commit that fails, nobody knows what is kept: all fail."""
        ordered = sorted(together, key=lambda each: each.work.game)  # so that two servers never wait for each other
        works = [each.work for each in ordered]
        at_once = self.shared and all([work.is_plain for work in works])
        known = len(ordered) > 1
        try:
            with self._reading() if at_once else self._writing(*[(work.game, work.word) for work in works]) as sending:
                self._append(sending, works, at_once=at_once)
                known = False
            return
        except Exception as fault:
            if not known or (at_once and not was_refused(fault)):
                for each in ordered:
                    each.fault = fault
                return
        for each in ordered:
            self._append_all([each])

    def _append(self, connection: Connection, together: Sequence[Append], *, at_once: bool) -> None:
        """`at_once` for PostgreSQL: all of it in one statement, which is a transaction by itself."""
        rows = [(each.game, *line) for each in together for line in each.new]
        if at_once:
            changed = [(each.game, *[each.changes[name] for name in PLAIN]) for each in together if each.changes]
            words = [f"{each.game} {self.origin} {each.word}" for each in together]
            columns = [*columns_of(rows, 4), *columns_of(changed, 3), words]
            connection.execute(APPEND, dict(zip("abcdefgh", columns, strict=True)))
            return
        if rows:
            connection.execute(insert(lines), [dict(zip(lines.c.keys(), row, strict=True)) for row in rows])
        for game, _, changes, beside in together:
            if changes:
                connection.execute(update(games).where(games.c.id == game).values(**changes))
            seat = beside.get("seat")
            if seat is not None and not self._change_seat(connection, game, *seat, beside.get("before")):
                raise Duplicate(game)
            if link := beside.get("link"):
                self._replace_link(connection, game, *link)
            if settles := beside.get("settles"):
                whose = () if settles == "*" else (proposals.c.side == settles,)
                connection.execute(delete(proposals).where(proposals.c.game == game, *whose))
            if calls := beside.get("calls"):
                connection.execute(CALL, [{"game": game, **call} for call in calls])
            if happening := beside.get("happening"):
                connection.execute(insert(happenings), [{"game": game, **happening}])
            if request := beside.get("request"):
                self._ask(connection, game, *request)

    def _ask(self, connection: Connection, game: str, side: str, row: Row | None) -> None:
        connection.execute(delete(handovers).where(handovers.c.game == game, handovers.c.side == side))
        if row is not None:
            connection.execute(insert(handovers), [{"game": game, "side": side, **row}])

    def waiting(self, holders: Iterable[str]) -> list[str]:
        """The games in which a side is asked that such a player holds, or that has standing orders or orders ahead; or
        no side, because dice are to be rolled."""
        ordered = seats.c.orders != "", seats.c.ahead.startswith(AHEAD)
        due = or_(*ordered, *[seats.c.holder.startswith(holder) for holder in holders])
        asked = and_(seats.c.game == games.c.id, seats.c.side == games.c.waiting_for, due)
        waiting = or_(games.c.waiting_for.is_(None), exists().where(asked))
        return self._scalars(select(games.c.id).where(games.c.finished.is_(None), waiting))

    def ordered_ahead(self) -> list[str]:
        """The games in which a side is asked that has orders ahead."""
        due = and_(seats.c.game == games.c.id, seats.c.side == games.c.waiting_for, seats.c.ahead.startswith(AHEAD))
        return self._scalars(select(games.c.id).where(games.c.finished.is_(None), exists().where(due)))

    def delete(self, game: str) -> None:
        """Forget a game and everything of it."""
        with self._writing(game) as connection:
            connection.execute(delete(games).where(games.c.id == game))
