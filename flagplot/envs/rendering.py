"""A battle as text, or as a picture of pixels, for those who watch agents learn."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flagplot.draw.board_words import board_in_words
from flagplot.draw.measuring import wrapped
from flagplot.draw.png import check_png, png
from flagplot.draw.shapes import Drawing, Words
from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Game

MODES = ["human", "ansi", "rgb_array"]
"""Printed, returned as text, returned as an array of pixels."""
WIDTH, HEIGHT, COLUMNS = 960, 720, 3
EDGE, LINE, SIZE = 16.0, 16.0, 12.0


def check_mode(mode: str | None) -> None:
    if mode is not None and mode not in MODES:
        raise BadValue("no such render mode", given=mode, allowed=MODES)
    if mode == "rgb_array":
        check_png(mode)


def rendered(game: Game[Any], reader: str, mode: str | None) -> str | NDArray[np.uint8] | None:
    """What a reader (a side, or the umpire) sees of a battle, in one of the modes."""
    view = game.view(reader)
    if mode == "rgb_array":
        return pixels("\n".join(board_in_words(view.board)) if view.board is not None else str(view))
    if mode == "ansi":
        return str(view)
    if mode == "human":
        print(view)
    return None


def pixels(text: str) -> NDArray[np.uint8]:
    """Text as a picture, always of the same size: height, width, and red, green and blue."""
    from PIL import Image

    with Image.open(io.BytesIO(png(_page(text), scale=1))) as image:
        return np.asarray(image.convert("RGB"))


def _page(text: str) -> Drawing:
    """Lines from top to bottom in columns; what has no room is left out."""
    page, wide = Drawing(text.partition("\n")[0], WIDTH, HEIGHT, text), (WIDTH - 2 * EDGE) / COLUMNS
    x, y = EDGE, EDGE + LINE
    for line in text.splitlines():
        indent = (len(line) - len(line.lstrip())) * 5.0
        for part in wrapped(line.strip(), SIZE, wide - indent - EDGE) or [""]:
            if y > HEIGHT - EDGE:
                x, y = x + wide, EDGE + LINE
            if x + EDGE < WIDTH:
                page.add([Words(x + indent, y, part, SIZE, bold=not indent)])
            y += LINE
    return page
