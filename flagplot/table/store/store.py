"""The only SQL of the table. Each method is one transaction; none waits for anything but the database."""

from __future__ import annotations

import contextlib
import json
import re
import threading
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    false,
    func,
    insert,
    or_,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.exc import IntegrityError

from flagplot.table.refusals import NoSuchTable
from flagplot.table.store.engines import WRITES, check_reached, check_sound, open_engine, read_address
from flagplot.table.store.faults import Faults, readable_faults, was_refused
from flagplot.table.store.grouping import Group, Waiting
from flagplot.table.store.schema import (
    confirmations,
    games,
    handovers,
    happenings,
    keys,
    lines,
    notices,
    probes,
    proposals,
    reveals,
    seats,
)
from flagplot.table.store.upgrading import upgrade

Row: TypeAlias = Mapping[str, Any]
Found: TypeAlias = dict[str, Any]

CHANNEL = "flagplot"
"""The channel on which servers of one PostgreSQL tell each other that a game has changed."""
ALL, LINES_ONLY, UNSEEN, REVEALED = "all", "lines", "unseen", "revealed"
"""What has changed of it: anything; lines and what follows from them; lines of which no page hears; or a browser has
revealed bytes. The words hold no more than that: anybody may listen who is let into the database."""
PRESENT = "present"
"""Or that seats of several games have pages open, which follow as JSON."""
IN_A_WORD = 25
"""Seats that one word names: PostgreSQL takes 8,000 bytes."""


LINES = (
    select(lines.c.n, lines.c.text, lines.c.at)
    .where(lines.c.game == bindparam("wanted"), lines.c.n >= bindparam("begin"))
    .order_by(lines.c.n)
)
"""Asked all the time, so it is made once."""


ROOM = "." * 65536
"""What a probe asks for on top of its row: an answer with all that follows from it may need as much."""


CALLED = (notices.c.due, notices.c.game, notices.c.side, notices.c.moment, notices.c.kind)
"""The order of calls. None is left to the database: a seat could see by it what was written for others."""
NOTIFY = text(f"SELECT pg_notify('{CHANNEL}', word) FROM unnest(CAST(:words AS text[])) AS word")
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
SEATS = select(seats).where(seats.c.game == bindparam("wanted")).order_by(seats.c.place)


def columns_of(rows: Sequence[tuple[Any, ...]], number: int) -> list[list[Any]]:
    """Rows as columns, also if there is none."""
    return [[row[place] for row in rows] for place in range(number)]


class Duplicate(Exception):
    """Somebody else has written this row already."""


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


class Aged(NamedTuple):
    """Which tables are due: finished, or without a turn that passed, before these times; None for none of them."""

    finished: float | None
    idle: float | None
    warned: float | None = None
    """If given, only those whose pages have said so since then at the latest."""
    limit: int | None = None


class Append(NamedTuple):
    """What is kept of a game when it goes on, see `Store.append`."""

    game: str
    new: Sequence[Line]
    changes: Row
    seat: tuple[str, Row] | None
    link: tuple[str, Row | None] | None
    calls: Sequence[Row]
    settles: str
    quiet: bool = False
    happening: Row | None = None
    request: tuple[str, Row | None] | None = None

    @property
    def _is_more(self) -> bool:
        """Whether more changes than lines and what follows from them."""
        others = (self.seat, self.link, self.happening, self.request)
        return bool(self.settles) or any([other is not None for other in others])

    @property
    def word(self) -> str:
        """What other servers are told of it."""
        return ALL if self._is_more else UNSEEN if self.quiet else LINES_ONLY

    @property
    def is_plain(self) -> bool:
        """Whether it is what most answers are: lines, and perhaps another side is asked."""
        return not (self._is_more or self.calls) and tuple(self.changes) in ((), PLAIN)


class Store:
    """Games, lines, seats, links, proposals and notices in one database. Safe to use from many threads."""

    def __init__(self, address: str, *, alone: bool = False, check: bool = True) -> None:
        """Open a store, and bring it to the shape of this version. Raises StoreError with the remedy.

        `check` looks whether a file of SQLite is sound: who wants to save what can be read goes without it.

        `alone` promises that no other program changes its tables meanwhile: then games in memory need not ask for rows
        of others."""
        self.alone = alone
        self.url = read_address(address)
        self.origin = uuid.uuid4().hex[:12]
        """The name of this server among those that share the store."""
        self.faults = Faults()
        self._engine = open_engine(self.url)
        self.shared = self._engine.dialect.name == "postgresql"
        """Whether other servers may use it at the same time, and tell by `CHANNEL` what they change."""
        level = {"isolation_level": "READ COMMITTED"} if self.shared else {}
        self._writer = self._engine.execution_options(**{WRITES: True, **level})
        self._turn: contextlib.AbstractContextManager[Any] = (
            contextlib.nullcontext() if self.shared else threading.Lock()
        )
        """SQLite has one writer at a time: to wait for him here is quicker than to ask the file again and again."""
        self._group = Group(self._append_all)
        try:
            if self.shared:
                check_reached(self._engine)
            elif check:
                with readable_faults(self.faults):
                    check_sound(self._engine)
            with self._writing() as connection:
                upgrade(connection)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._engine.dispose()

    @contextlib.contextmanager
    def _writing(self, *changed: str | tuple[str, str]) -> Iterator[Connection]:
        """A transaction; when it is done, the other servers hear which games have changed, and what of them."""
        with readable_faults(self.faults), self._turn, self._writer.begin() as connection:
            yield connection
            pairs = [(each, ALL) if isinstance(each, str) else each for each in changed]
            self._tell(connection, [f"{game} {self.origin} {what}" for game, what in pairs])

    def _tell(self, connection: Connection, words: Sequence[str]) -> None:
        if self.shared and words:
            connection.execute(NOTIFY, {"words": list(words)})

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Connection]:
        with readable_faults(self.faults), self._engine.connect() as connection:
            yield connection

    def probe(self, now: float) -> None:
        """Raises StoreError if nothing can be kept: one row is written, and there must be room for some more."""
        with self._writing() as connection:
            room = connection.begin_nested()
            connection.execute(insert(probes), [{"id": 2, "at": now, "room": ROOM}])
            room.rollback()
            if not connection.execute(update(probes).where(probes.c.id == 1).values(at=now)).rowcount:
                connection.execute(insert(probes), [{"id": 1, "at": now, "room": ""}])

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
        with self._reading() as connection:
            row = connection.execute(select(games).where(which)).mappings().first()
        if row is None:
            raise NoSuchTable("there is no such table here")
        return dict(row)

    def ids(self) -> list[str]:
        """All games, the oldest first."""
        with self._reading() as connection:
            return list(connection.scalars(select(games.c.id).order_by(games.c.created, games.c.id)))

    def lines(self, game: str, begin: int = 0) -> list[Line]:
        """The lines of a game from the `begin`-th on."""
        with self._reading() as connection:
            return [Line(*row) for row in connection.execute(LINES, {"wanted": game, "begin": begin})]

    def format_of(self, game: str) -> int:
        """The version of the format in which the lines of a game are written; 0 if it has none."""
        with self._reading() as connection:
            first = select(func.substr(lines.c.text, 1, 32)).where(lines.c.game == game, lines.c.n == 0)
            begin = connection.scalar(first)
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
        with self._reading() as connection:
            return connection.scalar(select(func.count()).select_from(lines).where(lines.c.game == game)) or 0

    def append(
        self,
        game: str,
        new: Sequence[Line],
        changes: Row,
        *,
        seat: tuple[str, Row] | None = None,
        link: tuple[str, Row | None] | None = None,
        calls: Sequence[Row] = (),
        settles: str = "",
        quiet: bool = False,
        happening: Row | None = None,
        request: tuple[str, Row | None] | None = None,
    ) -> None:
        """Keep new lines of a game, what they change in its row and in a seat, what opens a side from now on, and the
        calls that they make due: all or nothing. `settles` ends the proposal of a side, or with ``*`` any. `happening`
        is what happens to a seat, `request` the side and the row if the host asks for its seat from now on, or None if
        he does not. If it is `quiet`, pages of other servers are not told. Raises Duplicate if another server has
        kept a row of that number."""
        try:
            self._group.keep(Append(game, new, changes, seat, link, calls, settles, quiet, happening, request))
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
        for game, _, changes, seat, link, calls, settles, _, happening, request in together:
            if changes:
                connection.execute(update(games).where(games.c.id == game).values(**changes))
            if seat is not None:
                self._change_seat(connection, game, *seat)
            if link is not None:
                self._replace_link(connection, game, *link)
            if settles:
                any_side = settles == "*"
                concerned = (
                    proposals.c.game == game
                    if any_side
                    else and_(proposals.c.game == game, proposals.c.side == settles)
                )
                connection.execute(delete(proposals).where(concerned))
            if calls:
                connection.execute(CALL, [{"game": game, **call} for call in calls])
            if happening is not None:
                connection.execute(insert(happenings), [{"game": game, **happening}])
            if request is not None:
                self._ask(connection, game, *request)

    def _ask(self, connection: Connection, game: str, side: str, row: Row | None) -> None:
        connection.execute(delete(handovers).where(handovers.c.game == game, handovers.c.side == side))
        if row is not None:
            connection.execute(insert(handovers), [{"game": game, "side": side, **row}])

    def waiting(self, holders: Iterable[str]) -> list[str]:
        """The games in which a side is asked that such a player holds, or that has standing orders; or no side, because
        dice are to be rolled."""
        due = or_(seats.c.orders != "", *[seats.c.holder.startswith(holder) for holder in holders])
        asked = and_(seats.c.game == games.c.id, seats.c.side == games.c.waiting_for, due)
        waiting = or_(games.c.waiting_for.is_(None), exists().where(asked))
        with self._reading() as connection:
            return list(connection.scalars(select(games.c.id).where(games.c.finished.is_(None), waiting)))

    def delete(self, game: str) -> None:
        """Forget a game and everything of it."""
        with self._writing(game) as connection:
            connection.execute(delete(games).where(games.c.id == game))

    # --- tables that are due to be deleted ------------------------------------------------------------------------

    def _is_aged(self, aged: Aged) -> Any:
        kept = func.coalesce(games.c.kept, 0.0)
        over, under_way = games.c.finished.is_not(None), games.c.finished.is_(None)
        either = [
            false() if since is None else and_(kind, column < since, kept < since)
            for since, kind, column in (
                (aged.finished, over, games.c.finished),
                (aged.idle, under_way, games.c.changed),
            )
        ]
        return or_(*either) if aged.warned is None else and_(or_(*either), games.c.warned <= aged.warned)

    def aged(self, aged: Aged) -> list[str]:
        """The tables that are due, the oldest first."""
        wanted = select(games.c.id).where(self._is_aged(aged)).order_by(games.c.changed, games.c.id)
        with self._reading() as connection:
            return list(connection.scalars(wanted if aged.limit is None else wanted.limit(aged.limit)))

    def warn(self, aged: Aged, now: float) -> None:
        """From now on the pages of these tables say that they will be deleted."""
        with self._writing() as connection:
            connection.execute(update(games).where(self._is_aged(aged), games.c.warned.is_(None)).values(warned=now))

    def keep(self, game: str, now: float) -> None:
        """Somebody wants to keep a table."""
        with self._writing(game) as connection:
            connection.execute(update(games).where(games.c.id == game).values(kept=now, warned=None))

    def delete_aged(self, game: str, aged: Aged) -> bool:
        """Forget a game, if it is still due."""
        with self._writing(game) as connection:
            return connection.execute(delete(games).where(games.c.id == game, self._is_aged(aged))).rowcount == 1

    def size(self) -> int:
        """How many bytes the store takes, without room that is free to be used again."""
        with self._reading() as connection:
            if self.shared:
                return int(connection.scalar(text("SELECT pg_database_size(current_database())")) or 0)
            pages, free, size = [
                int(connection.exec_driver_sql(f"PRAGMA {name}").scalar() or 0)
                for name in ("page_count", "freelist_count", "page_size")
            ]
            return (pages - free) * size

    def figures(self) -> dict[str, int]:
        """How many tables there are, and how many of them are finished."""
        with self._reading() as connection:
            total, over = connection.execute(select(func.count(), func.count(games.c.finished))).one()
        return {"tables": int(total), "finished": int(over)}

    # --- seats and links ----------------------------------------------------------------------------------------

    def seats(self, game: str) -> list[Found]:
        """The seats of a game in the order of its sides."""
        with self._reading() as connection:
            return [dict(row) for row in connection.execute(SEATS, {"wanted": game}).mappings()]

    def change_seat(self, game: str, side: str, **changes: Any) -> None:
        with self._writing(game) as connection:
            self._change_seat(connection, game, side, changes)

    def note_seat(self, game: str, side: str, **changes: Any) -> None:
        """Change what nobody else needs to hear of: when it looked, that it is there."""
        with self._writing() as connection:
            self._change_seat(connection, game, side, changes)

    def note_present(self, some: Iterable[tuple[str, str]], now: float) -> None:
        """Note that these seats, each of a game and a side, are there now, and tell the other servers."""
        named = sorted(some)
        with self._writing() as connection:
            for begin in range(0, len(named), IN_A_WORD):
                these = named[begin : begin + IN_A_WORD]
                which = tuple_(seats.c.game, seats.c.side).in_(these)
                connection.execute(update(seats).where(which).values(present=now))
                self._tell(connection, [f"* {self.origin} {PRESENT} {json.dumps(these, ensure_ascii=False)}"])

    def _change_seat(self, connection: Connection, game: str, side: str, changes: Row) -> None:
        connection.execute(update(seats).where(seats.c.game == game, seats.c.side == side).values(**changes))

    def opened_by(self, mark: str) -> list[Found]:
        """What the link with that hash opens: a row for each side, with its seat; the host's has no seat."""
        joined = keys.outerjoin(seats, and_(seats.c.game == keys.c.game, seats.c.side == keys.c.side))
        wanted = select(keys.c.game, keys.c.side, seats.c.name, seats.c.joined, seats.c.place, seats.c.contributed)
        with self._reading() as connection:
            found = connection.execute(wanted.select_from(joined).where(keys.c.hash == mark).order_by(seats.c.place))
            return [dict(row) for row in found.mappings()]

    def links(self, game: str) -> list[Found]:
        with self._reading() as connection:
            found = connection.execute(select(keys).where(keys.c.game == game))
            return [dict(row) for row in found.mappings()]

    def _replace_link(self, connection: Connection, game: str, side: str, link: Row | None) -> None:
        self._forget_unconfirmed(connection, game, side)
        connection.execute(delete(keys).where(keys.c.game == game, keys.c.side == side))
        if link is not None:
            connection.execute(insert(keys), [{"game": game, **link}])

    def handovers(self, game: str) -> tuple[dict[str, Found], list[Found]]:
        """The seats that the host asks for, by their sides; and what happened to seats, in its order."""
        with self._reading() as connection:
            asked = connection.execute(select(handovers).where(handovers.c.game == game)).mappings()
            requests = {str(row["side"]): dict(row) for row in asked}
            found = connection.execute(select(happenings).where(happenings.c.game == game).order_by(happenings.c.n))
            return requests, [dict(row) for row in found.mappings()]

    def note_sign(self, game: str, side: str, now: float) -> None:
        """The holder of a seat that the host asks for has given a sign."""
        with self._writing(game) as connection:
            concerned = and_(handovers.c.game == game, handovers.c.side == side)
            connection.execute(update(handovers).where(concerned).values(since=now))

    # --- bytes of browsers for the dice ------------------------------------------------------------------------

    def note_revealed(self, game: str, side: str, shown: str, pledge: str) -> None:
        """Keep the bytes that a side has revealed and its next pledge, until those of the others are there too."""
        with self._writing((game, REVEALED)) as connection:
            connection.execute(delete(reveals).where(reveals.c.game == game, reveals.c.side == side))
            connection.execute(insert(reveals), [{"game": game, "side": side, "shown": shown, "pledge": pledge}])

    def revealed(self, game: str) -> list[tuple[str, str, str]]:
        """Side, bytes and next pledge of those that have revealed; perhaps at an earlier roll."""
        wanted = select(reveals.c.side, reveals.c.shown, reveals.c.pledge).where(reveals.c.game == game)
        with self._reading() as connection:
            return [(str(side), str(shown), str(pledge)) for side, shown, pledge in connection.execute(wanted)]

    # --- take-backs that are asked for --------------------------------------------------------------------------

    def proposal(self, game: str) -> Found | None:
        with self._reading() as connection:
            row = connection.execute(select(proposals).where(proposals.c.game == game)).mappings().first()
        return None if row is None else dict(row)

    def propose(self, game: str, row: Row) -> None:
        """Ask for a take-back. Raises Duplicate if one is asked for already."""
        try:
            with self._writing(game) as connection:
                connection.execute(insert(proposals), [{"game": game, **row}])
        except IntegrityError as fault:
            raise Duplicate(game) from fault

    def settle(self, game: str) -> None:
        """The proposal is settled, one way or the other."""
        with self._writing(game) as connection:
            connection.execute(delete(proposals).where(proposals.c.game == game))

    # --- e-mail addresses that wait for their confirmation ------------------------------------------------------

    def ask_to_confirm(self, game: str, side: str, address: str, mark: str, asked: float) -> None:
        """An address waits for its confirmation. The seat has none until then, and a code from before is dead."""
        with self._writing(game) as connection:
            self._forget_unconfirmed(connection, game, side)
            row = {"game": game, "side": side, "address": address, "mark": mark, "asked": asked}
            connection.execute(insert(confirmations), [row])
            self._change_seat(connection, game, side, {"email": ""})

    def unconfirmed(self, game: str, side: str, since: float) -> str:
        """The address of a seat that waits for its confirmation."""
        which = (confirmations.c.game == game, confirmations.c.side == side, confirmations.c.asked >= since)
        with self._reading() as connection:
            return connection.scalar(select(confirmations.c.address).where(*which)) or ""

    def confirm(self, mark: str, since: float) -> tuple[str, str] | None:
        """The address to which a code was sent is the seat's from now on; of which game and side, or None."""
        which = and_(confirmations.c.mark == mark, confirmations.c.asked >= since)
        with self._reading() as connection:
            row = connection.execute(select(confirmations).where(which)).mappings().first()
        if row is None:
            return None
        with self._writing(row["game"]) as connection:
            if not connection.execute(delete(confirmations).where(which)).rowcount:
                return None  # another address was given meanwhile, or the seat changed hands
            self._change_seat(connection, row["game"], row["side"], {"email": row["address"], "told": ""})
        return row["game"], row["side"]

    def forget_unconfirmed(self, game: str, side: str) -> None:
        with self._writing() as connection:
            self._forget_unconfirmed(connection, game, side)

    def _forget_unconfirmed(self, connection: Connection, game: str, side: str) -> None:
        connection.execute(delete(confirmations).where(confirmations.c.game == game, confirmations.c.side == side))

    def lapse(self, before: float) -> int:
        """Forget the addresses that nobody has confirmed since then; how many."""
        with self._writing() as connection:
            return connection.execute(delete(confirmations).where(confirmations.c.asked < before)).rowcount

    # --- calls to seats -----------------------------------------------------------------------------------------

    def due(self, now: float, limit: int = 20) -> list[Found]:
        """The calls that are to be made now, each with its game and seat."""
        joined = notices.join(games, games.c.id == notices.c.game).join(
            seats, and_(seats.c.game == notices.c.game, seats.c.side == notices.c.side)
        )
        wanted = select(
            notices, games.c.title, games.c.waiting_for, seats.c.webhook, seats.c.email, seats.c.present
        ).select_from(joined)
        with self._reading() as connection:
            found = connection.execute(
                wanted.where(notices.c.done.is_(None), notices.c.due <= now).order_by(*CALLED).limit(limit)
            )
            return [dict(row) for row in found.mappings()]

    def claim(self, call: Row, until: float) -> bool:
        """Take a call for this server; if it dies meanwhile another one makes it after `until`."""
        with self._writing() as connection:
            taken = connection.execute(
                update(notices)
                .where(self._is(call), notices.c.tries == call["tries"], notices.c.done.is_(None))
                .values(tries=call["tries"] + 1, due=until)
            )
            return taken.rowcount == 1

    def put_off(self, call: Row, due: float) -> None:
        """Look at a call again later, unless some server has begun it meanwhile."""
        with self._writing() as connection:
            same = and_(self._is(call), notices.c.tries == call["tries"], notices.c.done.is_(None))
            connection.execute(update(notices).where(same).values(due=due))

    def called(self, call: Row, **changes: Any) -> None:
        """Note how a call went: `done`, or `due` again."""
        with self._writing() as connection:
            connection.execute(update(notices).where(self._is(call)).values(**changes))

    def _is(self, call: Row) -> Any:
        return and_(*[notices.c[name] == call[name] for name in ("game", "side", "kind", "moment")])
