"""A map for a page: layers that lie on each other, each sent when it changes, without styles of their own.

The ground and its names follow from the map and are sent once; what stands on it when something moves; what can be
chosen with the question. Names and counters are laid out for each of the sizes of `LEVELS`, and the page shows one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import Hex, hex_text
from flagplot.awaw.mapboard.reading import read_map
from flagplot.board.model import MapAnswer, MapBase, SeaMap
from flagplot.draw.counters import Ask, attributes
from flagplot.draw.map.ground import (
    LEVELS,
    UNIT,
    Sheet,
    closed,
    ground_parts,
    number,
    opened,
    pair,
    room,
    sheet_of,
    written_ground,
)
from flagplot.draw.map.picture import told_path
from flagplot.draw.map.standing import arrow, counter_symbols, counters_at, fight_part, path_parts, reach_parts
from flagplot.draw.nations import code_of
from flagplot.draw.svg import xml_text

KEY = "mc"
"""How the counters of the map are named on a page."""


def board_named(chart: Any) -> Mapboard:
    """The map of a scenario, which names one or holds it as data."""
    return read_map(chart) if isinstance(chart, str) else _own(json.dumps(chart))


@lru_cache(maxsize=32)
def _own(text: str) -> Mapboard:
    return read_map(json.loads(text))


def layer(sheet: Sheet, look: str, parts: Sequence[str]) -> str:
    wide, high = map(number, sheet.size)
    box = f'viewBox="0 0 {wide} {high}" data-left="{sheet.left:.3f}" data-top="{sheet.top:.3f}"'
    return f'<svg class="seamap {look}" {box} aria-hidden="true" focusable="false">{"".join(parts)}</svg>'


def _in_sizes(drawn: Mapping[int, str]) -> list[str]:
    return [f'<g class="lv lv{LEVELS.index(size)}">{text}</g>' for size, text in drawn.items()]


@lru_cache(maxsize=64)
def ground_layers(board: Mapboard, bases: tuple[MapBase, ...]) -> str:
    """Sea and land, and above them the names: for places of the battle in any case, for others where there is room."""
    sheet = sheet_of(board)
    names = {size: "".join(written_ground(sheet, bases, size)) for size in LEVELS}
    return layer(sheet, "m-ground", ground_parts(sheet)) + layer(sheet, "m-names", _in_sizes(names))


def moving_layers(board: Mapboard, sea: SeaMap) -> str:
    """Paths and ranges, and above the names the counters."""
    return _moving(board, sea.bases, sea.items, sea.paths, sea.reaches, sea.fighting)


@lru_cache(maxsize=256)
def _moving(board: Mapboard, bases: Any, items: Any, paths: Any, reaches: Any, fighting: Hex | None) -> str:
    sheet, sea = sheet_of(board), SeaMap(items, paths, (), (), {}, bases, reaches, fighting)
    told = [told_path(board, path.who, path.hexes) for path in paths]
    below = [
        *reach_parts(sheet, reaches),
        *path_parts(sheet, paths, told),
        fight_part(sheet, fighting) if fighting else "",
    ]
    above = [counter_symbols(items, KEY), *_in_sizes({size: counters_at(sheet, sea, KEY, size) for size in LEVELS})]
    return layer(sheet, "m-paths", below) + layer(sheet, "m-counters", above)


# --- what can be chosen -----------------------------------------------------------------------------------------


def answer_layers(
    board: Mapboard, answers: Sequence[MapAnswer], form: str, nation: str, told: Mapping[str, str]
) -> str:
    """The hexes that answer, ringed and each a button, and the paths that they stand for; `told` says what is to be
    known of an option in a sentence."""
    if not answers:
        return ""
    sheet = sheet_of(board)
    fields = list(dict.fromkeys([answer.field for answer in answers]))
    by_field = {name: [answer for answer in answers if answer.field == name] for name in fields}
    ways = [
        f'<g class="m-field m-{code_of(nation)}-word" data-for="{xml_text(name)}">'
        f"{''.join([_way(sheet, answer) for answer in some if len(answer.path) > 1])}</g>"
        for name, some in by_field.items()
    ]
    rings = [
        f'<g class="m-field" data-for="{xml_text(name)}">{"".join(_rings(sheet, some, form, told))}</g>'
        for name, some in by_field.items()
    ]
    shown = layer(sheet, "m-rings", rings).replace(' aria-hidden="true" focusable="false"', "", 1)
    return layer(sheet, "m-ways", ways) + shown


def _way(sheet: Sheet, answer: MapAnswer) -> str:
    points = [sheet.centre(at) for at in answer.path]
    cells = "".join([closed(sheet.corners(at)) for at in answer.path])
    steps = "".join([f"M{pair((x - 3, y))}a3 3 0 1 0 6 0a3 3 0 1 0-6 0" for x, y in points[1:-1]])
    chosen = " on" * answer.chosen + " is-way" * answer.is_way
    hexes = " ".join(map(hex_text, answer.path))
    return (
        f'<g class="m-way{chosen}" data-option="{xml_text(answer.option)}" data-hexes="{hexes}">'
        f'<path class="m-cell" d="{cells}"/>'
        f'<path class="m-under" d="{opened(points)}"/><path class="m-route" d="{opened(points)}"/>'
        f'<path class="m-step" d="{steps}"/>{arrow(points)}</g>'
    )


def _rings(sheet: Sheet, answers: Sequence[MapAnswer], form: str, told: Mapping[str, str]) -> list[str]:
    there: dict[Hex, list[MapAnswer]] = {}
    for answer in answers:
        there.setdefault(answer.at, []).append(answer)
    return [_ring(sheet, at, some, form, told) for at, some in there.items()]


def _ring(sheet: Sheet, at: Hex, answers: Sequence[MapAnswer], form: str, told: Mapping[str, str]) -> str:
    """A hex that answers; if there are several answers in it each has a part of it."""
    (x, y), wide = sheet.centre(at), UNIT / len(answers)
    parts = []
    for place, answer in enumerate(answers):
        left = x - UNIT / 2 + place * wide
        ask = Ask(answer.option, form, answer.field, answer.key, told.get(answer.option, answer.words), answer.chosen)
        words = xml_text(ask.words)
        parts.append(
            f'<g class="m-ask{" on" if answer.chosen else ""}" data-option="{xml_text(answer.option)}">'
            f'<path class="m-goal" d="{closed(sheet.corners(at, 0.94))}"/>'
            f"<foreignObject {room(left, y - UNIT * 0.56, wide, UNIT * 1.12)}>"
            f'<button class="m-button" {attributes(ask)} aria-label="{words}" title="{words}"></button>'
            "</foreignObject></g>"
        )
    badges = {size: "".join(_badges(x, y, answers, size)) for size in LEVELS}
    return "".join([*parts, *_in_sizes(badges)])


def _badges(x: float, y: float, answers: Sequence[MapAnswer], size: int) -> list[str]:
    """The number keys of answers, below their hex."""
    dot = UNIT / size
    keys = [answer.key for answer in answers if answer.key]
    middle = y + UNIT * 0.5
    made = []
    for place, key in enumerate(keys):
        at = x + (2 * place - len(keys) + 1) * 11 * dot
        made.append(
            f'<circle class="m-badge" cx="{number(at)}" cy="{number(middle)}" r="{number(9.5 * dot)}"/>'
            f'<text class="m-key" x="{number(at)}" y="{number(middle + 4.6 * dot)}" font-size="{number(13 * dot)}">'
            f"{key}</text>"
        )
    return made


# --- in words ---------------------------------------------------------------------------------------------------


def places_in_words(sea: SeaMap, board: Mapboard) -> list[tuple[Hex, str, str]]:
    """The places of the map with what is there, from north to south: hex, name, what there is."""
    marks = sea.marks
    bases = {base.at: base for base in sea.bases}
    found = []
    for at in sorted({*marks, *bases}, key=lambda at: (at[1], at[0])):
        if at in board:
            has = f" ({', '.join(sorted(bases[at].has))})" if at in bases and bases[at].has else ""
            found.append((at, f"{board.name_of(at)}{has}", marks.get(at, "nothing")))
    return found


def map_in_words(sea: SeaMap, board: Mapboard) -> list[str]:
    """The paths that are known, and what lies beyond the edge."""
    lines = [told_path(board, path.who, path.hexes) for path in sea.paths]
    return lines + [f"Beyond the edge: {box.name}" for box in board.boxes]
