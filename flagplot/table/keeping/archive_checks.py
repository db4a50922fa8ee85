"""Reading an archive: every fault is found before anything is kept, and each is told with its line.

What a row may hold follows from the columns of the store, so that whatever passes here can be written there.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from sqlalchemy import Boolean, Column, Double, Integer, Table

from flagplot import library
from flagplot.kernel.dice import dice_of
from flagplot.kernel.errors import BadValue, Fault, FaultsError, FlagplotError
from flagplot.kernel.levels import SEAT_LEVELS
from flagplot.kernel.requests import Choose
from flagplot.kernel.saves import begin_tape, follow_line
from flagplot.kernel.tape import check_chain
from flagplot.players import player
from flagplot.table.games.live import old_format, old_rules
from flagplot.table.games.seat_log import WORDS
from flagplot.table.info import BOTS, HOLDERS, STAFFS
from flagplot.table.plans.orders import read_orders_text
from flagplot.table.playing.ahead import read_ahead
from flagplot.table.seats.outgoing import read_email, read_webhook
from flagplot.table.store.database import Row
from flagplot.table.store.schema import games, happenings, keys, seats
from flagplot.table.store.schema import lines as table_of_lines
from flagplot.table.store.store import Line, Whole

FORMAT = 1
SHOWN = 50
"""Faults that are told one by one; the others are counted."""
LARGEST = 2**31 - 1
NAMES = {
    "id": re.compile("g[a-z2-7]{10}"),
    "public_id": re.compile("w[a-z2-7]{10}"),
    "hash": re.compile("[0-9a-f]{64}"),
}
LEFT_OUT = ("game", "present")
"""Columns that are not in an archive: they follow from where a row stands, or mean nothing elsewhere."""


class ArchiveError(FaultsError, code="archive"):
    """All that is wrong with an archive. Nothing of it was kept."""

    def __init__(self, name: object, faults: Sequence[Fault]) -> None:
        count = f"{len(faults)} fault{'s' * (len(faults) != 1)}"
        super().__init__(f"this archive has {count}, so none of its tables was imported", faults, given=name)

    def __str__(self) -> str:
        told = [f"  {fault}" for fault in self.faults[:SHOWN]]
        more = len(self.faults) - SHOWN
        return "\n".join([f"{FlagplotError.__str__(self)}:", *told, *([f"  … and {more} more"] if more > 0 else [])])


class Packed(NamedTuple):
    """One table of an archive, as the store takes it."""

    place: str
    """Where it stands in the file."""
    whole: Whole

    @property
    def game(self) -> Row:
        return self.whole.game


def read_archive(path: Path) -> list[Packed]:
    """The tables of an archive. Raises ArchiveError with every fault of every line."""
    faults = list[Fault]()
    found = list[Packed]()
    for number, text in numbered(path):
        entry, wrong = parsed(text)
        table = None if wrong else _Reading(f"line {number}", faults).table(entry)
        if wrong:
            faults.append(Fault(f"line {number}", wrong))
        if table is not None:
            found.append(table)
    _check_unique(found, faults)
    if faults:
        raise ArchiveError(path, faults)
    return found


def numbered(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not empty, with their numbers."""
    try:
        with path.open("rb") as file:
            for number, text in enumerate(file, 1):
                if number == 1 and text.startswith(b"\x1f\x8b"):
                    raise BadValue("this file is compressed: unpack it first (gunzip)", given=path)
                if text.strip():
                    yield number, text
    except OSError as fault:
        raise BadValue(f"the file cannot be read ({fault.strerror})", given=path) from fault


def parsed(text: bytes) -> tuple[Any, str]:
    """What a line of JSON holds, or what is wrong with it."""
    try:
        return json.loads(text.decode(), parse_constant=_no_number, object_pairs_hook=_once_each), ""
    except _Twice as fault:
        return None, f"{_short(str(fault))} stands there twice"
    except UnicodeDecodeError:
        return None, "this is not text in UTF-8"
    except RecursionError:
        return None, "this is nested too deeply"
    except ValueError:
        return None, "this is not JSON" if text.endswith(b"\n") else "this is cut off, or not JSON"


class _Twice(Exception):
    """A key that an object has twice: nobody can tell which one is meant."""


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Twice(next(name for name in names if names.count(name) > 1))
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


# --- one table ----------------------------------------------------------------------------------------------------


class _Reading:
    """One line of an archive on its way to a table; what is wrong with it is added to the faults."""

    def __init__(self, place: str, faults: list[Fault]) -> None:
        self.place, self.faults = place, faults
        self._before = len(faults)

    def fault(self, where: str, message: str) -> None:
        self.faults.append(Fault(f"{self.place}, {where}" if where else self.place, message))

    @property
    def is_sound(self) -> bool:
        return len(self.faults) == self._before

    def table(self, entry: Any) -> Packed | None:
        if not isinstance(entry, dict) or "flagplot-archive" not in entry:
            self.fault("", "this is not a table of an archive")
            return None
        version = entry["flagplot-archive"]
        if type(version) is not int or version != FORMAT:
            self.fault("flagplot-archive", f"this version reads archives of format {FORMAT}, not {_short(version)}")
            return None
        for name in entry:
            if name not in ("flagplot-archive", "game", "seats", "links", "lines", "happenings"):
                self.fault(_short(name), "nothing of this name belongs here")
        game = self._row(entry.get("game"), games, "game")
        sides = self._rows(entry.get("seats"), seats, "seats")
        links = self._rows(entry.get("links"), keys, "links")
        happened = self._rows(entry.get("happenings", []), happenings, "happenings")
        lines = self._lines(entry.get("lines"))
        if self.is_sound:
            self._check_tape(game, lines)
        if self.is_sound:
            self._check_seats(game, sides, links, lines)
            self._check_happenings(happened)
        return Packed(self.place, Whole(game, lines, sides, links, happened)) if self.is_sound else None

    def _rows(self, given: Any, table: Table, name: str) -> list[dict[str, Any]]:
        if not isinstance(given, list):
            self.fault(name, "this should be a list")
            return []
        return [self._row(row, table, f"{name}[{place}]") for place, row in enumerate(given)]

    def _row(self, given: Any, table: Table, where: str) -> dict[str, Any]:
        """A row of the store; a column that an older version did not have may be missing."""
        if not isinstance(given, dict):
            self.fault(where, "this should be an object")
            return {}
        columns = {column.name: column for column in table.columns if column.name not in LEFT_OUT}
        for name in given:
            if name not in columns:
                self.fault(f"{where}.{_short(name)}", "nothing of this name belongs here")
        row = dict[str, Any]()
        for name, column in columns.items():
            value = given.get(name, _default(column))
            if value is _MISSING:
                self.fault(f"{where}.{name}", "this is missing")
            elif wrong := _why_not(value, column):
                self.fault(f"{where}.{name}", wrong)
            row[name] = value
        return row

    def _lines(self, given: Any) -> list[Line]:
        if not isinstance(given, list) or not given:
            self.fault("lines", "this should be a list of at least one line")
            return []
        found = list[Line]()
        for n, line in enumerate(given):
            if not isinstance(line, list) or len(line) != 3:
                self.fault(f"lines[{n}]", "this should be a number, a text and a time")
                continue
            wrong = [_why_not(value, column) for value, column in zip(line, _LINE, strict=True)]
            if any(wrong):
                self.fault(f"lines[{n}]", next(filter(None, wrong)))
            elif line[0] != n:
                self.fault(f"lines[{n}]", f"this should be line {n} of the game, not {_short(line[0])}")
            else:
                found.append(Line(n, line[1], float(line[2])))
        return found

    # --- what has the right shape, but does not fit together ------------------------------------------------------

    def _check_tape(self, game: Mapping[str, Any], lines: Sequence[Line]) -> None:
        bodies, problems = check_chain([line.text.encode() for line in lines])
        for problem in problems:
            self.fault("lines", f"the game was damaged: {problem}")
        if problems:
            return
        header, last = bodies[0], bodies[-1]
        dice = header.get("dice")
        for name, stands in (
            ("ruleset", header.get("game")),
            ("rules", header.get("rules")),
            ("commitment", dice.get("commitment") if isinstance(dice, dict) else None),
        ):
            if game[name] != stands:
                self.fault(f"game.{name}", f"the game itself says {_short(stands)}")
        over = "end" in last
        if (game["finished"] is not None) != over:
            self.fault("game.finished", "the game is over" if over else "the game is not over")
        secret = last.get("secret") if over else game["secret"]
        if not isinstance(secret, str):
            self.fault("game.secret", "the secret of the dice is missing")
            return
        with self._telling("game.secret"):
            dice_of(dice, secret)

    def _check_seats(
        self,
        game: Mapping[str, Any],
        sides: Sequence[Mapping[str, Any]],
        links: Sequence[Mapping[str, Any]],
        lines: Any,
    ) -> None:
        known = [str(seat["side"]) for seat in sides]
        if len(set(known)) != len(known) or not known:
            self.fault("seats", "each side should have one seat")
        if sorted([seat["place"] for seat in sides]) != list(range(len(sides))):
            self.fault("seats", "the places should count from 0")
        written = json.loads(lines[0].text).get("flagplot")
        if not old_rules(game["ruleset"], game["rules"]) and not old_format(written):
            self._check_play(game, {str(seat["side"]): str(seat["holder"]) for seat in sides}, lines)
        if game["waiting_for"] is not None and game["waiting_for"] not in known:
            self.fault("game.waiting_for", "there is no such side")
        for place, link in enumerate(links):
            if link["side"] and link["side"] not in known:
                self.fault(f"links[{place}].side", "there is no such side")
        for place, seat in enumerate(sides):
            self._check_seat(f"seats[{place}]", seat)

    def _check_play(self, game: Mapping[str, Any], holders: Mapping[str, str], lines: Sequence[Line]) -> None:
        """Play the game again: a chain can hold and the rules still forbid what it says, or its end may be missing."""
        n = 0
        try:
            played = begin_tape(lines[0].text, library.ruleset, None)
            for n, line in enumerate(lines[1:], 1):  # noqa: B007
                follow_line(played, line.text)
        except FlagplotError as refusal:
            self.fault(f"lines[{n}]", _one_line(refusal))
            return
        except Exception as fault:  # whatever a damaged scenario can do to those who read it, the archive is at fault
            self.fault(f"lines[{n}]", f"this cannot be played ({type(fault).__name__})")
            return
        if sorted(played.sides) != sorted(holders):
            self.fault("seats", f"the sides of this game are {_short(', '.join(played.sides))}")
        elif played.seats is not None and dict(played.seats) != dict(holders):
            told = ", ".join([f"{side}: {holder}" for side, holder in played.seats.items()])
            self.fault("seats", f"the game itself says who holds them: {_short(told)}")
        asked = played.pending.side if isinstance(played.pending, Choose) else None
        if asked != game["waiting_for"]:
            self.fault("game.waiting_for", f"the game itself waits for {_short(asked)}")

    def _check_seat(self, where: str, seat: Mapping[str, Any]) -> None:
        kind, settings, _ = seat["holder"].partition(":")
        if kind not in HOLDERS or (settings and kind not in BOTS):
            self.fault(f"{where}.holder", f"nobody of that kind can hold a seat: {_short(seat['holder'])}")
        elif kind in BOTS:
            with self._telling(f"{where}.holder"):
                player(seat["holder"], 0)
        if seat.get("orders"):
            with self._telling(f"{where}.orders"):
                read_orders_text(seat["orders"], "the orders")
        for name, words in (("level", SEAT_LEVELS), ("staff", STAFFS)):
            if seat.get(name, "") not in ("", *words):
                self.fault(f"{where}.{name}", f"this should be one of {', '.join(words)}: {_short(seat[name])}")
        with self._telling(f"{where}.ahead"):
            read_ahead(seat.get("ahead", ""))
        with self._telling(f"{where}.webhook"):
            read_webhook(seat.get("webhook", ""), private=True)
        with self._telling(f"{where}.email"):
            read_email(seat.get("email", ""))

    def _check_happenings(self, happened: Sequence[Mapping[str, Any]]) -> None:
        """What happened to seats must be of a known kind, in order, and say where it stands in the logs."""
        for n, row in enumerate(happened, 1):
            where = f"happenings[{n - 1}]"
            if row["n"] != n:
                self.fault(f"{where}.n", f"this should be {n}")
            if row["kind"] not in WORDS:
                self.fault(f"{where}.kind", f"nothing of that kind happens to seats: {_short(row['kind'])}")
            places, wrong = parsed(row["places"].encode())
            if wrong or not isinstance(places, dict) or not all([type(place) is int for place in places.values()]):
                self.fault(f"{where}.places", "this should say how long each log was")

    @contextlib.contextmanager
    def _telling(self, where: str) -> Iterator[None]:
        """A refusal of the engine is one more fault."""
        try:
            yield
        except FlagplotError as refusal:
            self.fault(where, _one_line(refusal))


def _one_line(refusal: FlagplotError) -> str:
    return " ".join(str(refusal).split())[:300]


_LINE: tuple[Column[Any], ...] = (table_of_lines.c.n, table_of_lines.c.text, table_of_lines.c.at)


_MISSING: Any = object()


def _default(column: Column[Any]) -> Any:
    """What stands in a column that an older version did not have."""
    if column.server_default is not None:
        return False if isinstance(column.type, Boolean) else 0 if isinstance(column.type, Integer) else ""
    return None if column.nullable else _MISSING


def _why_not(value: Any, column: Column[Any]) -> str:
    """Why the store could not keep a value in a column; nothing if it can."""
    if value is None:
        return "" if column.nullable else "this should not be null"
    kind = column.type
    if isinstance(kind, Boolean):
        return "" if isinstance(value, bool) else "this should be true or false"
    if isinstance(kind, Integer):
        fits = type(value) is int and abs(value) <= LARGEST
        return "" if fits else "this should be a whole number"
    if isinstance(kind, Double):
        return "" if _is_time(value) else "this should be a time in seconds"
    if not isinstance(value, str):
        return "this should be text"
    return _why_no_text(value, column)


def _is_time(value: Any) -> bool:
    """Years 1 to 9999, which pages can show."""
    return type(value) in (int, float) and math.isfinite(value) and -62e9 < value < 253e9


def _why_no_text(value: str, column: Column[Any]) -> str:
    if "\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
        return "this has characters that cannot be written down"
    length = getattr(column.type, "length", None)
    if length and len(value) > length:
        return f"this is too long: at most {length} characters"
    form = NAMES.get(column.name)
    return "" if form is None or form.fullmatch(value) else f"this is not one of our names: {_short(value)}"


def _short(thing: object) -> str:
    """What stands there, in a few letters that can be printed."""
    text = thing if isinstance(thing, str) else json.dumps(thing, default=str)[:60]
    shown = "".join([letter if letter.isprintable() else "�" for letter in text[:60]])
    return f"“{shown}{'…' * (len(text) > 60)}”"


# --- all tables together ------------------------------------------------------------------------------------------


def _check_unique(found: Sequence[Packed], faults: list[Fault]) -> None:
    """No id, public id or link may stand in the file twice."""
    kinds: dict[str, Callable[[Packed], Iterable[object]]] = {
        "game.id": lambda one: [one.game["id"]],
        "game.public_id": lambda one: [one.game["public_id"]],
        "links": lambda one: {link["hash"] for link in one.whole.links},
    }
    for name, values in kinds.items():
        first: dict[object, str] = {}
        for one in found:
            for value in values(one):
                before = first.setdefault(value, one.place)
                if before != one.place:
                    faults.append(Fault(f"{one.place}, {name}", f"this is in {before} already"))
    for one in found:
        opened = [(link["hash"], link["side"]) for link in one.whole.links]
        if len(set(opened)) != len(opened):
            faults.append(Fault(f"{one.place}, links", "a link opens the same side twice"))
