"""Silhouettes, signs of nations and small icons, each one path: for pages, where each is defined once and used often,
and for pictures, where the path stands itself. `symbols.csv` has silhouettes, then signs (m-), then icons (i-)."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from flagplot.board.model import Silhouette


class Symbol(NamedTuple):
    """A shape in a box of its own."""

    width: int
    height: int
    path: str


def _read() -> dict[str, Symbol]:
    lines = csv.DictReader(files("flagplot.draw").joinpath("symbols.csv").read_text(encoding="utf8").splitlines())
    return {line["id"]: Symbol(int(line["width"]), int(line["height"]), line["path"]) for line in lines}


SYMBOLS: Final[Mapping[str, Symbol]] = _read()
SILHOUETTES: Final[dict[Silhouette, str]] = {
    "carrier": "cv",
    "battleship": "bb",
    "cruiser": "ca",
    "destroyer": "dd",
    "transport": "tr",
    "submarine": "ss",
    "plane": "air",
    "army": "army",
}


@cache
def symbol_sheet() -> str:
    """All of them as one hidden picture, to stand once at the top of a page."""
    made = [
        f'<symbol id="{key}" viewBox="0 0 {one.width} {one.height}"><path fill-rule="evenodd" d="{one.path}"/></symbol>'
        for key, one in SYMBOLS.items()
    ]
    hidden = 'width="0" height="0" aria-hidden="true" focusable="false"'
    return f'<svg class="symbols" {hidden}><defs>{"".join(made)}</defs></svg>'
