"""Pictures as PNG, drawn by Pillow with the font that it brings along: no font has to be installed for it."""

from __future__ import annotations

import io
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from flagplot.draw.colours import LIGHT
from flagplot.draw.shapes import Box, Diamond, Drawing, Shape, Stroke, Words
from flagplot.kernel.errors import BadValue

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
INSTEAD = {"–": "-", "—": "-", "−": "-", "×": "x", "≥": ">=", "≤": "<=", "’": "'", "“": '"', "”": '"', "…": "..."}
INSTEAD |= {"ß": "ss", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "œ": "oe", "Œ": "OE", "ł": "l", "Ł": "L", "ı": "i"}
NOT_A_CHARACTER = "\uffff"


def check_png(given: object) -> None:
    """Refuse a PNG file if Pillow is not there, or was built without fonts."""
    remedy = ["a file.svg", "a PNG after: pip install pillow"]
    try:
        from PIL import features
    except ImportError as fault:
        raise BadValue("PNG needs the package pillow, which is not installed", given=given, allowed=remedy) from fault
    if not features.check("freetype2"):
        raise BadValue("the package pillow has no fonts here (FreeType)", given=given, allowed=remedy[:1])


def png(picture: Drawing, scale: float = 2) -> bytes:
    """A PNG of a picture, in the light colours."""
    from PIL import Image, ImageDraw

    size = (round(picture.width * scale), round(picture.height * scale))
    image = Image.new("RGB", size, LIGHT["paper"])
    pen = ImageDraw.Draw(image)
    for shape in picture.shapes:
        _draw(pen, shape, scale)
    written = io.BytesIO()
    image.save(written, "PNG", optimize=True)
    return written.getvalue()


def _draw(pen: ImageDraw, shape: Shape, scale: float) -> None:
    colour = LIGHT[shape.colour]
    match shape:
        case Box():
            _draw_box(pen, shape, scale)
        case Stroke():
            ends = [shape.x1 * scale, shape.y1 * scale, shape.x2 * scale, shape.y2 * scale]
            pen.line(ends, fill=colour, width=max(1, round(shape.width * scale)))
        case Diamond():
            for radius, fill in ((shape.radius + 1, LIGHT["paper"]), (shape.radius, colour)):
                x, y, r = shape.x * scale, shape.y * scale, radius * scale
                pen.polygon([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], fill=fill)
        case Words():
            font = font_of(shape.size * scale)
            bold = scale / 6 if shape.bold else 0
            place = (shape.x * scale, shape.y * scale)
            text = drawable(shape.text)
            pen.text(place, text, colour, font, ANCHORS[shape.anchor], stroke_width=bold, stroke_fill=colour)


def _draw_box(pen: ImageDraw, box: Box, scale: float) -> None:
    left, top = round(box.x * scale), round(box.y * scale)
    right, bottom = round((box.x + box.width) * scale) - 1, round((box.y + box.height) * scale) - 1
    if right < left or bottom < top:
        return
    colour = LIGHT[box.colour]
    if box.hollow:
        pen.rectangle((left, top, right, bottom), outline=colour, width=max(1, round(scale)))
    else:
        pen.rectangle((left, top, right, bottom), fill=colour)


@cache
def font_of(size: float) -> FreeTypeFont:
    from PIL import ImageFont
    from PIL.ImageFont import FreeTypeFont

    font = ImageFont.load_default(size)
    assert isinstance(font, FreeTypeFont)
    return font


def drawable(text: str) -> str:
    """A text in characters that the font has: without accents if need be, and a question mark for what is foreign."""
    return "".join([_drawable(character) for character in unicodedata.normalize("NFC", text)])


@cache
def _drawable(character: str) -> str:
    if _has(character):
        return character
    if character in INSTEAD:
        return INSTEAD[character]
    base = "".join([one for one in unicodedata.normalize("NFKD", character) if not unicodedata.combining(one)])
    if all([_has(one) for one in base]):  # nothing is left of an accent by itself
        return base
    return " " if character.isspace() else "?"


def _has(character: str) -> bool:
    """Whether the font has a character: those that it lacks all look the same."""
    if " " <= character <= "~":
        return True
    font = font_of(20)
    seen, lacking = font.getmask(character), font.getmask(NOT_A_CHARACTER)
    return (seen.size, bytes(seen)) != (lacking.size, bytes(lacking)) and seen.getbbox() is not None
