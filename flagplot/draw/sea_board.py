"""An operation on its map as cards: the forces of each side, who is under way, and bases. The map is drawn apart."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.plotting import flags_of, marks_of, paths_of, short
from flagplot.draw.bases import bases_of
from flagplot.draw.cards import Band, Board, Card, Row
from flagplot.draw.combat_chart import doing_of
from flagplot.draw.ships import air_rows, ship_rows

Data = Mapping[str, Any]

WITH_STYLE = re.compile(r' style="[^"]*"')
"""A style in the picture itself, which a page of ours would not let in."""


def sea_board(data: Data) -> Board:
    """The forces and submarines of each side, and their bases."""
    bands = [forces_of(data, side, number) for number, side in enumerate(data["sides"])]
    return Board(str(data["title"]), [*bands, *bases_of(data)], _doing(data))


def _doing(data: Data) -> list[str]:
    fight = data.get("fighting")
    where = [f"Fighting in {fight['where']}"] if fight else []
    return [*score_of(data), *where, *doing_of(data)]


def score_of(data: Data) -> list[str]:
    """The points of the sides in words."""
    points = " to ".join(f"{data['sides'][side]} {number}" for side, number in data["points"].items())
    return [f"Points: {points}"]


def forces_of(data: Data, side: str, number: int) -> Band:
    """The naval forces and submarines of a side."""
    marks = ["moving"] * (side == data["attacker"]) + ["you"] * (side == data["side"])
    cards = [_force(data, key, force, number) for key, force in data["forces"].items() if force["side"] == side]
    boats = [some for some in data["flotillas"].values() if some["side"] == side]
    cards += [_boats(some, number) for some in boats]
    name = data["sides"][side] + (f" ({', '.join(marks)})" if marks else "")
    return Band(f"{name}: forces", cards, side=number)


def _force(data: Data, key: str, force: Data, number: int) -> Card:
    voyage = data["voyages"].get(force["voyage"])
    doing = voyage["what"] if voyage else f"{force['patrol']} patrol" if force["patrol"] else ""
    known = "ships" in force
    tone = "active" if known and (voyage or force["patrol"]) else "distant" if known else "hidden"
    card = Card(short(force, data), "inverted" if force["inverted"] else "", "plain", number)
    card.tone = tone  # type: ignore[assignment]
    card.about = str(data["sides"][force["side"]])
    card.unit = key if "player_turn" in data and force["side"] == data["side"] and force.get("air") else ""
    card.rows += [Row(str(force["name"]), look="strong")] if "name" in force else []
    card.rows.append(Row(f"in {force['where']}", look="faint"))
    if doing:
        bound = f" to {voyage['bound']}" if voyage and "bound" in voyage else ""
        card.rows.append(Row(f"{doing}{bound}", "speed"))
    card.rows += ship_rows(force["ships"]) if known else [Row("its ships are hidden", look="faint")]
    card.rows += ship_rows(force.get("sunk_in_port", ()), "sunk in port: ")
    card.rows += [Row(str(force["cargo"]), "cargo", words=f"carries {force['cargo']}")] if force.get("cargo") else []
    card.rows += air_rows(force.get("air", ()), "aboard")
    card.rows += air_rows(force.get("grounded", ()), "cannot fly", faint=True)
    return card


def _boats(some: Data, number: int) -> Card:
    words = (("factors", "ready"), ("tried", "tried"), ("away", "away"), ("inverted", "inverted"), ("lost", "lost"))
    counts = ", ".join(f"{some[key]} {doing}" for key, doing in words if some[key])
    rows = [Row(f"in {some['where']}", look="faint"), Row(counts or "none left", "submarine")]
    rows += [Row(f"{some['patrol']} patrol", "speed")] if some["patrol"] else []
    return Card("Submarines", "", "plain", number, rows)


def sea_map(data: Data, chart: Any) -> str:
    """The map of an operation as SVG without styles of its own, for a page that has them; `chart` is the scenario's
    map, by name or as data."""
    own = "" if isinstance(chart, str) else json.dumps(chart)
    return _drawn("" if own else chart, own, tuple(flags_of(data).items()), tuple(paths_of(data).items()))


@lru_cache(maxsize=256)
def _drawn(
    name: str, own: str, flags: tuple[tuple[Hex, str], ...], paths: tuple[tuple[str, tuple[Hex, ...]], ...]
) -> str:
    """A map changes only where something moves: most looks find it drawn. It is named, or a scenario's own as JSON."""
    from flagplot.awaw.mapboard.reading import read_map
    from flagplot.draw.mapboard import board_svg

    board = read_map(json.loads(own) if own else name)
    drawn = board_svg(board, dict(flags), dict(paths), crop=True, theme="light")
    return WITH_STYLE.sub("", drawn, count=1)


def map_in_words(data: Data, chart: Any) -> list[str]:
    """What stands where on the map, and the paths that are known."""
    from flagplot.awaw.mapboard.reading import read_map

    board = read_map(chart)
    lines = [f"{board.name_of(at)}: {what}" for at, what in marks_of(data).items()]
    return lines + [
        f"{who}: from {board.name_of(path[0])} to {board.name_of(path[-1])}, {len(path) - 1} hexes"
        for who, path in paths_of(data).items()
    ]
