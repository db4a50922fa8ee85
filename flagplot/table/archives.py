"""Moving tables: whole ones to a file and back, and saves of the terminal to a table.

An archive has one line of JSON for each table: its row, its lines, its seats and the hashes of its links, so that they
go on opening seats. It holds both sides' secrets and the secret of the dice: it is the umpire's, as a save is.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from flagplot import library
from flagplot.kernel.dice import Committed
from flagplot.kernel.errors import BadValue, SaveError
from flagplot.kernel.requests import Roll
from flagplot.kernel.tape import check_chain
from flagplot.table.facts import PERSON, Created
from flagplot.table.refusals import Conflict, NoSuchTable
from flagplot.table.seating import game_row, mark_of, new_id, new_token
from flagplot.table.store.schema import games, keys, seats
from flagplot.table.store.store import Duplicate, Line, Store

FORMAT = 1


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
    game, lines, sides, links = store.whole(game_id)
    return {
        "flagplot-archive": FORMAT,
        "game": game,
        "seats": [_without_game(row) for row in sides],
        "links": [_without_game(row) for row in links],
        "lines": [list(line) for line in lines],
    }


def _without_game(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in ("game", "present")}


def bring_in(store: Store, path: Path) -> Imported:
    """Bring the tables of an archive into a store, or make a table of a save. Nothing is overwritten."""
    first = next(_lines(path), None)
    if first is None:
        raise BadValue("this file is empty", given=path)
    if isinstance(first, dict) and "flagplot" in first:
        return Imported([], [], _table_of_save(store, path))
    packed = [_checked(entry, number) for number, entry in enumerate(_lines(path), 1)]  # all of it, before any is kept
    imported = Imported([], [])
    for game, lines, sides, links in packed:
        try:
            store.add_game(game, lines, sides, links)
            imported.came.append(game["id"])
        except Duplicate:
            imported.there.append(game["id"])
    return imported


def _lines(path: Path) -> Iterator[Any]:
    try:
        with path.open(encoding="utf8") as file:
            for number, text in enumerate(file, 1):
                try:
                    yield json.loads(text)
                except (ValueError, RecursionError):
                    raise BadValue(f"line {number} is neither of an archive nor of a save", given=path) from None
    except (OSError, UnicodeDecodeError) as fault:
        reason = getattr(fault, "strerror", None) or "it is no text"
        raise BadValue(f"the file cannot be read ({reason})", given=path) from fault


Packed = tuple[dict[str, Any], list[Line], list[dict[str, Any]], list[dict[str, Any]]]


def _checked(entry: Any, number: int) -> Packed:
    """A table of an archive, if it has the right shape and its chain holds."""
    wrong = BadValue(f"line {number} is not a table of an archive of this version")
    if not isinstance(entry, dict) or entry.get("flagplot-archive") != FORMAT:
        raise wrong
    try:
        game = {column.name: entry["game"][column.name] for column in games.columns}
        lines = [Line(int(n), str(text), float(at)) for n, text, at in entry["lines"]]
        sides = [_row(row, seats) for row in entry["seats"]]
        links = [_row(row, keys) for row in entry["links"]]
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise wrong from fault
    _, problems = check_chain([line.text.encode(errors="replace") for line in lines])
    if problems or [line.n for line in lines] != list(range(len(lines))) or not lines:
        reason = problems[0] if problems else "a line is missing"
        raise SaveError(f"table {game['id']} has been damaged: {reason}")
    return game, lines, sides, links


def _row(row: dict[str, Any], table: Any) -> dict[str, Any]:
    return {name: row[name] for name in table.columns.keys() if name in row and name != "game"}  # noqa: SIM118


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
    now = path.stat().st_mtime
    row = game_row(game, made.game, made.public_id, "", now)
    sides = [{"side": side, "place": place, "holder": PERSON} for place, side in enumerate(game.sides)]
    links = [{"hash": mark_of(token), "side": side, "made": now} for side, token in made.tokens.items()]
    links.append({"hash": mark_of(made.host_token), "side": "", "made": now})
    lines = [Line(n, text, now) for n, text in enumerate(game.tape().texts)]
    try:
        store.add_game(row, lines, sides, links)
    except Duplicate as fault:
        raise Conflict("no free name was found for the table: try again") from fault
    return made
