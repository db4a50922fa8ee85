"""The command `flagplot map`: the maps that there are, one of them, ways by sea, and the map of a saved operation."""

from __future__ import annotations

import shutil
import sys
from textwrap import wrap
from typing import Any

from flagplot import library
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.drawing import draw_board
from flagplot.awaw.mapboard.hexes import Hex, hex_text
from flagplot.awaw.mapboard.reading import maps, read_map
from flagplot.board.model import Board
from flagplot.board.model import Path as Way
from flagplot.cli.command import program
from flagplot.cli.output import print_json, print_table
from flagplot.cli.saves.readers import reader_name, reader_of
from flagplot.draw.files import check_plot, write_plot
from flagplot.kernel.errors import BadValue
from flagplot.kernel.words import plural

NARROWEST, USUAL = 40, 80


def show(name: str | None, svg: str | None, start: str | None, end: str | None, *, as_json: bool) -> None:
    """`flagplot map`: without a name the list of maps; with one the map, and the way between two places."""
    if name is None:
        _check_alone(svg, start, end)
        _list(as_json=as_json)
        return
    if svg is not None:
        check_plot(svg)
    board = read_map(name)
    path = _path(board, start, end)
    if svg is not None:
        _write(board, path, svg)
    if as_json:
        print_json(_described(board, path))
        return
    width = _width()
    lines = [board.title, *wrap(board.about, width), "", *draw_board(board, _ends(path), path, width)]
    print("\n".join([*lines, *_told(board, path, width)]))
    if svg is not None:
        print(f"drawn in {svg}")


def show_game(file: str, as_: str | None, svg: str | None, given: list[str | None], *, as_json: bool) -> None:
    """`flagplot map --game FILE`: the map of a saved operation, as a side or the umpire may know it."""
    if any(value is not None for value in given):
        words = "the map of a saved game takes no other map or route"
        raise BadValue(words, given="--game", allowed=["--as SIDE", "--svg FILE"])
    if svg is not None:
        check_plot(svg)
    game, notices = library.resume_with_notices(file, follow=False)
    reader = reader_of(game, file, as_)
    seen: Board | None = game.view(reader).board
    if seen is None or seen.sea is None:
        raise BadValue("this game has no map", given=file, allowed=["a save of an operation"])
    board, sea = read_map(game.scenario["map"]), seen.sea
    if svg is not None:
        from flagplot.draw.map.picture import game_picture

        write_plot(game_picture(game, reader), svg)
    if as_json:
        marks = [{"at": at, "where": board.name_of(at), "what": what} for at, what in sea.marks.items()]
        paths = [{"who": who, "path": path} for who, path in sea.ways.items()]
        print_json({"as": reader, "map": board.name, "marks": marks, "paths": paths, "notices": notices})
        return
    hexes = tuple(dict.fromkeys([at for path in sea.paths for at in path.hexes]))
    told = reader_name(reader, dict(seen.names))
    steps = [str(steps) for steps in seen.steps if not steps.outer]
    lines = [f"{game.scenario['title']}, as known to {told}", *steps, ""]
    lines += draw_board(board, sea.marks, hexes, _width(), crop=True)
    lines += [f"{who}: {board.name_of(path[0])} to {board.name_of(path[-1])}" for who, path in sea.ways.items()]
    print("\n".join(lines))
    if svg is not None:
        print(f"drawn in {svg}")


def refuse_reader(reader: str) -> None:
    """A bare map looks the same to everybody."""
    raise BadValue("only the map of a saved game differs by side", given=f"--as {reader}", allowed=["--game FILE"])


def _check_alone(*given: str | None) -> None:
    if any(value is not None for value in given):
        raise BadValue("choose a map", allowed=maps())


def _list(*, as_json: bool) -> None:
    boards = [read_map(name) for name in maps()]
    if as_json:
        print_json([_summary(board) for board in boards])
        return
    rows = [(board.name, _theatre(board), _size(board), board.title) for board in boards]
    print_table(("map", "theatre", "hexes", "title"), rows)
    print(f"To see one: {program()} map NAME")


def _path(board: Mapboard, start: str | None, end: str | None) -> tuple[Hex, ...]:
    """The way by sea that is asked for; none if none is."""
    if start is None and end is None:
        return ()
    if start is None or end is None:
        raise BadValue("a sea route needs both --from and --to", given=start or end)
    one, other = board.find(start), board.find(end)
    for text, at in ((start, one), (end, other)):
        if not board.is_water(at):
            raise BadValue("this place is on land", given=text)
    path = board.sea_path(one, other)
    if path is None:
        raise BadValue("no sea route between these places", given=f"{start}, {end}")
    return path


def _ends(path: tuple[Hex, ...]) -> dict[Hex, str]:
    if len(path) == 1:
        return {path[0]: "from and to"}
    return {path[0]: "from", path[-1]: "to"} if path else {}


def _told(board: Mapboard, path: tuple[Hex, ...], width: int) -> list[str]:
    """A path in words: its length, its hexes, and its parts on each side of straits."""
    if not path:
        return []
    straits = board.straits_along(path)
    through = f", through {' and '.join(straits)}" if straits else ", no strait"
    lines = [
        "",
        f"{board.name_of(path[0])} to {board.name_of(path[-1])}: {plural(len(path) - 1, 'hex', 'hexes')}{through}",
    ]
    legs = board.legs(path)
    for number, (first, last) in enumerate(legs):
        part = f"leg {number + 1} (22.13A), " if len(legs) > 1 else ""
        hexes = " ".join(map(hex_text, path[first : last + 1]))
        lines += wrap(
            f"{part}hexes {hexes}", width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )
    return lines


def _write(board: Mapboard, path: tuple[Hex, ...], file: str) -> None:
    from flagplot.draw.map.picture import bare, map_picture

    write_plot(map_picture(board, bare([Way("The route", path, "")] if path else [])), file)


def _width() -> int:
    """The width of the terminal, as far as it is of use; in a pipe that of an ordinary one."""
    return max(NARROWEST, shutil.get_terminal_size((USUAL, 24)).columns) if sys.stdout.isatty() else USUAL


def _theatre(board: Mapboard) -> str:
    return "pacific" if board.pacific else "europe"


def _size(board: Mapboard) -> str:
    return f"{len(board.rows[0])} by {len(board.rows)}"


def _summary(board: Mapboard) -> dict[str, Any]:
    return {
        "name": board.name,
        "title": board.title,
        "about": board.about,
        "theatre": _theatre(board),
        "columns": len(board.rows[0]),
        "rows": len(board.rows),
    }


def _described(board: Mapboard, path: tuple[Hex, ...]) -> dict[str, Any]:
    return _summary(board) | {
        "hexes": [
            {"at": at, "terrain": kind.value, "name": board.names.get(at), "front": board.front(at) or None}
            for at, kind in board.terrain.items()
        ],
        "places": [place._asdict() for place in board.places],
        "straits": [{"name": strait.name, "between": [strait.one, strait.other]} for strait in board.sides],
        "barred": [list(side) for side in board.isthmuses],
        "boxes": [box._asdict() for box in board.boxes],
        "path": _described_path(board, path) if path else None,
    }


def _described_path(board: Mapboard, path: tuple[Hex, ...]) -> dict[str, Any]:
    return {
        "hexes": list(path),
        "names": [board.name_of(at) for at in path],
        "distance": len(path) - 1,
        "straits": list(board.straits_along(path)),
        "parts": [list(path[first : last + 1]) for first, last in board.legs(path)],
    }
