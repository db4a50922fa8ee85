"""Pictures as SVG. Every shape has its light colour by itself; a style sheet changes it for those who like it dark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from html import escape

from flagplot.draw.colours import DARK, LIGHT, Colour
from flagplot.draw.shapes import Box, Diamond, Drawing, Shape, Stroke, Theme, Words

FONTS = "'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg(picture: Drawing, theme: Theme = "auto") -> str:
    """An SVG of a picture that fills the width it is given, up to its natural one."""
    palette = DARK if theme == "dark" else LIGHT
    paper = Box(0, 0, picture.width, picture.height, "paper")
    shapes = [_shape(shape, palette) for shape in (paper, *picture.shapes)]
    size = (length(picture.width), length(picture.height))
    return document("chart", picture.title, picture.text, size, shapes, dark_style() if theme == "auto" else "", theme)


def document(
    kind: str, title: str, told: str, size: tuple[str, str], shapes: Sequence[str], style: str, theme: Theme
) -> str:
    """The text of an SVG file with a title and its words for those who do not see it."""
    key = blake2b(f"{title}\n{told}".encode(errors="replace"), digest_size=5).hexdigest()
    width, height = size
    room = f'width="{width}"' if theme == "page" else f'width="100%" style="max-width:{width}px"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="flagplot-{kind}" viewBox="0 0 {width} {height}" {room} '
        f'role="img" aria-labelledby="flagplot-{key}-title" '
        f'aria-describedby="flagplot-{key}-text" font-family="{FONTS}">',
        f'<title id="flagplot-{key}-title">{xml_text(title)}</title>',
        f'<desc id="flagplot-{key}-text">{xml_text(told)}</desc>',
        *([f"<style>{style}</style>"] if style else []),
        *shapes,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def dark_style() -> str:
    """The rules of a style sheet that gives charts their dark colours for those who like it dark."""
    rules = [
        f".flagplot-chart .flagplot-{name}{{fill:{colour}}}.flagplot-chart .flagplot-{name}-line{{stroke:{colour}}}"
        for name, colour in DARK.items()
    ]
    return f"@media (prefers-color-scheme:dark){{{''.join(rules)}}}"


def _shape(shape: Shape, palette: dict[Colour, str]) -> str:
    match shape:
        case Box():
            place = _attributes(x=shape.x, y=shape.y, width=shape.width, height=shape.height)
            look = _stroked(shape.colour, palette, 1) + ' fill="none"' if shape.hollow else _filled(shape, palette)
            return _told("rect", f"{place} {look}", shape.told)
        case Stroke():
            place = _attributes(x1=shape.x1, y1=shape.y1, x2=shape.x2, y2=shape.y2)
            return f"<line {place} {_stroked(shape.colour, palette, shape.width)}/>"
        case Diamond():
            x, y, r = shape.x, shape.y, shape.radius
            place = f'd="M{length(x)} {length(y - r)}l{r} {r}l-{r} {r}l-{r} -{r}z"'
            rim = f'class="flagplot-{shape.colour} flagplot-paper-line" fill="{palette[shape.colour]}" '
            return _told("path", f'{place} {rim}stroke="{palette["paper"]}" stroke-width="1"', shape.told)
        case Words():
            look = f"{_attributes(x=shape.x, y=shape.y, font_size=shape.size)} {_filled(shape, palette)}"
            look += f' text-anchor="{shape.anchor}"' * (shape.anchor != "start")
            look += ' font-weight="bold"' * shape.bold
            return f"<text {look}>{xml_text(shape.text)}</text>"


def _attributes(**values: float) -> str:
    return " ".join([f'{name.replace("_", "-")}="{length(value)}"' for name, value in values.items()])


def _filled(shape: Box | Words, palette: dict[Colour, str]) -> str:
    return f'class="flagplot-{shape.colour}" fill="{palette[shape.colour]}"'


def _stroked(colour: Colour, palette: dict[Colour, str], width: float) -> str:
    return f'class="flagplot-{colour}-line" stroke="{palette[colour]}" stroke-width="{length(width)}"'


def _told(tag: str, attributes: str, told: str) -> str:
    return f"<{tag} {attributes}><title>{xml_text(told)}</title></{tag}>" if told else f"<{tag} {attributes}/>"


def length(value: float) -> str:
    """A length, to a hundredth."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def xml_text(text: str) -> str:
    """Any text as XML may hold it; what it may not hold is shown as a mark of its own."""
    return escape(NOT_IN_XML.sub("\ufffd", text))
