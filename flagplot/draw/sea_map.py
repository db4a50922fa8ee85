"""The map of an operation, for a page: what stands where, known paths, and the same in words."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from flagplot.awaw.mapboard.reading import read_map
from flagplot.board.model import Hex, SeaMap
from flagplot.draw.mapboard import board_svg

WITH_STYLE = re.compile(r' style="[^"]*"')
"""A style in the picture itself, which a page of ours would not let in."""


def sea_map(sea: SeaMap, chart: Any) -> str:
    """The map as SVG without styles of its own, for a page that has them; `chart` is the scenario's map, by name or as
    data."""
    own = "" if isinstance(chart, str) else json.dumps(chart)
    return _drawn("" if own else chart, own, tuple(sea.flags.items()), tuple(sea.ways.items()))


@lru_cache(maxsize=256)
def _drawn(
    name: str, own: str, flags: tuple[tuple[Hex, str], ...], paths: tuple[tuple[str, tuple[Hex, ...]], ...]
) -> str:
    """A map changes only where something moves: most looks find it drawn. It is named, or a scenario's own as JSON."""
    board = read_map(json.loads(own) if own else name)
    drawn = board_svg(board, dict(flags), dict(paths), crop=True, theme="light")
    return WITH_STYLE.sub("", drawn, count=1)


def map_in_words(sea: SeaMap, chart: Any) -> list[str]:
    """What stands where on the map, and the paths that are known."""
    board = read_map(chart)
    lines = [f"{board.name_of(at)}: {what}" for at, what in sea.marks.items()]
    return lines + [
        f"{who}: from {board.name_of(path[0])} to {board.name_of(path[-1])}, {len(path) - 1} hexes"
        for who, path in sea.ways.items()
    ]
