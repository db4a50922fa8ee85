"""Moving tables: whole ones to a file and back, and saves of the terminal to a table.

An archive has one line of JSON for each table: its row, its lines, its seats and the hashes of its links, so that they
go on opening seats. It holds both sides' secrets and the secret of the dice: it is the umpire's, as a save is.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from flagplot import library
from flagplot.kernel.dice import Committed
from flagplot.kernel.errors import BadValue, Fault, SaveError
from flagplot.kernel.requests import Roll
from flagplot.table.info import PERSON, Created
from flagplot.table.keeping.archive_checks import FORMAT, LEFT_OUT, ArchiveError, numbered, parsed, read_archive
from flagplot.table.refusals import Conflict, NoSuchTable
from flagplot.table.seats.seating import keep_table, new_id, new_token
from flagplot.table.store.database import Duplicate, Row
from flagplot.table.store.store import Store


class Imported(NamedTuple):
    """What became of a file: the tables that came in, those that were there already, and a new table of a save."""

    came: list[str]
    there: list[str]
    made: Created | None = None


def export(store: Store, ids: Sequence[str], path: Path) -> int:
    """Write tables to a new file that only its owner can read; all if none are named. How many they were."""
    known = store.ids()
    unknown = [each for each in ids if each not in known]
    if unknown:
        raise NoSuchTable("there is no such table in this store", given=unknown[0])
    wanted = list(ids) or known
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise BadValue("there is a file of this name already; it is left as it is", given=path) from None
    except OSError as fault:
        raise BadValue(f"the file cannot be written ({fault.strerror})", given=path) from fault
    try:
        with os.fdopen(handle, "w", encoding="utf8") as file:
            for game_id in wanted:
                file.write(json.dumps(_packed(store, game_id), ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        with contextlib.suppress(OSError):
            path.unlink()
        raise
    return len(wanted)


def _packed(store: Store, game_id: str) -> dict[str, Any]:
    whole = store.whole(game_id)
    return {
        "flagplot-archive": FORMAT,
        "game": whole.game,
        "seats": [_without_game(row) for row in whole.seats],
        "links": [_without_game(row) for row in whole.links],
        "happenings": [_without_game(row) for row in whole.happenings],
        "lines": [list(line) for line in whole.lines],
    }


def _without_game(row: Row) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in LEFT_OUT}


def bring_in(store: Store, path: Path) -> Imported:
    """Bring the tables of an archive into a store, or make a table of a save: all of it, or nothing if there is any
    fault. Tables that are there already are left as they are."""
    number, text = next(numbered(path), (0, b""))
    if not number:
        raise BadValue("this file is empty", given=path)
    first, _ = parsed(text)
    if isinstance(first, dict) and "flagplot" in first:
        return Imported([], [], _table_of_save(store, path))
    packed = read_archive(path)
    known = set(store.ids())
    new = [table for table in packed if table.game["id"] not in known]
    try:
        store.add_games([table.whole for table in new])
    except Duplicate as fault:
        place = next(table.place for table in new if table.game["id"] == fault.args[0])
        clash = Fault(place, "another table of this store has the same id, public id or link")
        raise ArchiveError(path, [clash]) from fault
    return Imported([table.game["id"] for table in new], [one.game["id"] for one in packed if one not in new])


def _table_of_save(store: Store, path: Path) -> Created:
    """A new table of a save: persons hold all sides, by new links."""
    game = library.resume(path, follow=False)
    if not isinstance(game.dice, Committed):
        raise SaveError(
            "a table needs committed dice and their secret; this save has other dice, or its secret file is missing",
            given=path,
        )
    if isinstance(game.pending, Roll):
        game.roll()
    made = Created(new_id("g"), new_id("w"), new_token(), {side: new_token() for side in game.sides})
    try:
        keep_table(store, game, made, path.stat().st_mtime, [{"holder": PERSON} for _ in game.sides])
    except Duplicate as fault:
        raise Conflict("no free name was found for the table: try again") from fault
    return made
