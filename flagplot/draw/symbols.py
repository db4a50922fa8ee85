"""Silhouettes, signs of nations and small icons, each one path: for pages, where each is defined once and used often,
and for pictures, where the path stands itself."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from flagplot.board.model import Silhouette


class Symbol(NamedTuple):
    """A shape in a box of its own."""

    width: int
    height: int
    path: str


def _ship(path: str) -> Symbol:
    return Symbol(70, 19, path)


def _sign(path: str) -> Symbol:
    return Symbol(12, 12, path)


def _icon(path: str) -> Symbol:
    return Symbol(20, 20, path)


RING: Final = "M6 .6A5.4 5.4 0 1 0 6 11.4A5.4 5.4 0 1 0 6 .6ZM6 2.2A3.8 3.8 0 1 1 6 9.8A3.8 3.8 0 1 1 6 2.2Z"
STAR: Final = "M6 .4L7.5 4.3L11.7 4.5L8.4 7.1L9.5 11.2L6 8.9L2.5 11.2L3.6 7.1L.3 4.5L4.5 4.3Z"

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
SYMBOLS: Final[dict[str, Symbol]] = {
    "cv": _ship(
        "M1 8.4H69L67.4 10.4H64L61.6 16H8.6L5.4 10.4H2.4ZM39 8V5.6H37.6V4.6H41V2.8H42V.8H42.9V2.8H44.4V4.2H47.4V5.4H46.4V8Z"
        "M8 7.6H14V8H8ZM20 7.6H25V8H20Z"
    ),
    "bb": _ship(
        "M1 10.6L69 9.8L66 13L63.6 16.4H5.4L3 13.4ZM8 10.2V8.2H3.6V7.2H8.4L9.4 6.4H14.2L15 8.2V10.2ZM15.8 10V6H12V5H16.4"
        "L17.2 4.2H21.4V10ZM26 10V6H28.2V3.4H31V6H33V10ZM34.4 10V5H36.6V2.4H37.4V.6H38.4V2.4H40V4H42V6.4H43.4V10ZM45 10V4.4"
        "L45.8 3.8H50L50.6 4.6H55.4V5.6H51.4V10ZM52.6 9.8V8L53.4 6.4H57.8L58.8 7.2H63.4V8.2H59.4V9.8Z"
    ),
    "ca": _ship(
        "M3 11.4L67 10.4L63.6 13.6L62 16.4H8L5 13.8ZM11 11V9.4H7.2V8.6H11.6L12.4 8H16.6V11ZM19 11V7.6H16V6.8H19.4L20.2 6.2"
        "H23.8V11ZM27 11V6.4H30V4H32.6V6.4H34V11ZM36 10.8V5.6H37.8V2H38.7V5.6H41V7.4H42.4V10.8ZM44.4 10.8V6.2H48.6L49.4 6.8"
        "H53V7.6H49.8V10.8ZM51 10.6V8.8L51.8 8H56L56.8 8.6H60.6V9.4H57.4V10.6Z"
    ),
    "dd": _ship(
        "M9 12.2L62 11.4L58.6 14L57.2 16.4H14L11 14.2ZM17 11.8V10.4H13.6V9.7H17.6L18.4 9.2H21.8V11.8ZM27 11.8V7.8H29.8V11.8Z"
        "M33 11.8V8.2H35.8V11.8ZM38.6 11.6V7.6H40.2V4H41V7.6H43.4V11.6ZM46.4 11.6V9.4L47.2 8.8H50.6L51.4 9.4H55V10.1H51.8"
        "V11.6Z"
    ),
    "tr": _ship(
        "M5 9.6H65L61.6 16.4H9.4ZM12 9.2V7H20V9.2ZM24 9.2V7H31V9.2ZM34 9.2V4.4H44V9.2ZM36.4 4V1.4H39.6V4ZM48 9.2V7H56V9.2Z"
        "M21.6 9.2V3H22.4V9.2ZM46 9.2V3H46.8V9.2Z"
    ),
    "ss": _ship(
        "M4 13C4 11 10 10 18 10H29V6H31V3H32V5H40V10H54C61 10 66 11.4 66 13C66 14.6 60 16 52 16H18C10 16 4 15 4 13Z"
    ),
    "air": Symbol(
        32, 22,
        "M16 .6C17.3 .6 17.9 2.2 17.9 4.4V6.6L31 10.2C31.6 10.4 32 10.8 32 11.4V13L17.9 11.8L17.3 17L21.6 19V20.8L16 20.2"
        "L10.4 20.8V19L14.7 17L14.1 11.8L0 13V11.4C0 10.8 .4 10.4 1 10.2L14.1 6.6V4.4C14.1 2.2 14.7 .6 16 .6Z",
    ),
    "army": _ship(
        "M17 12.4C17 10.4 18.6 9 20.6 9H48.4C50.6 9 53 10.4 53 12.4S50.6 16.4 48.4 16.4H20.6C18.6 16.4 17 14.6 17 12.4Z"
        "M22 11A1.6 1.6 0 1 0 22 14.2A1.6 1.6 0 1 0 22 11ZM30.6 11A1.6 1.6 0 1 0 30.6 14.2A1.6 1.6 0 1 0 30.6 11Z"
        "M39.2 11A1.6 1.6 0 1 0 39.2 14.2A1.6 1.6 0 1 0 39.2 11ZM47.6 11A1.6 1.6 0 1 0 47.6 14.2A1.6 1.6 0 1 0 47.6 11Z"
        "M20 8.4L22 6.4H27L28.6 2.8H39.6L41 4H55V5.4H41.4L42.4 6.4H47.6L49.6 8.4Z"
    ),
    "m-jp": _sign("M6 1A5 5 0 1 0 6 11A5 5 0 1 0 6 1Z"),
    "m-us": _sign(STAR),
    "m-uk": _sign(
        "M6 .6A5.4 5.4 0 1 0 6 11.4A5.4 5.4 0 1 0 6 .6ZM6 2.4A3.6 3.6 0 1 1 6 9.6A3.6 3.6 0 1 1 6 2.4ZM6 4.4A1.6 1.6 0 1 0"
        " 6 7.6A1.6 1.6 0 1 0 6 4.4Z"
    ),
    "m-au": _sign(RING),
    "m-de": _sign("M4 0H8V4H12V8H8V12H4V8H0V4H4Z"),
    "m-it": _sign("M1 1H3.4V11H1ZM4.8 1H7.2V11H4.8ZM8.6 1H11V11H8.6Z"),
    "m-fr": _sign("M5 0H7V2H9.6V4H7V6H11V8H7V12H5V8H1V6H5V4H2.4V2H5Z"),
    "m-su": _sign("M0 0H12V12H0ZM6 1.2L4.8 4.6L1.4 4.7L4.1 6.9L3.2 10.3L6 8.4L8.8 10.3L7.9 6.9L10.6 4.7L7.2 4.6Z"),
    "m-nl": _sign("M6 .6L11.8 11.2H.2Z"),
    "m-cn": _sign(
        "M6 0L7 2.3L9 .8L8.7 3.3L11.2 3L9.7 5L12 6L9.7 7L11.2 9L8.7 8.7L9 11.2L7 9.7L6 12L5 9.7L3 11.2L3.3 8.7L.8 9L2.3 7"
        "L0 6L2.3 5L.8 3L3.3 3.3L3 .8L5 2.3Z"
    ),
    "m-ca": _sign("M6 0L7.4 2.6L9 2L8.6 5L11 4L11.6 5.6L9.4 8.2L6.5 8.6V12H5.5V8.6L2.6 8.2L.4 5.6L1 4L3.4 5L3 2L4.6 2.6Z"),
    "m-pl": _sign("M0 0H6V6H12V12H6V6H0ZM6.8 .8V5.2H11.2V.8ZM.8 6.8V11.2H5.2V6.8Z"),
    "m-fi": _sign("M0 1H3V4.6H12V7.4H3V11H0V7.4H0V4.6H0ZM4 1H12V3.6H4ZM4 8.4H12V11H4Z"),
    "m-hu": _sign("M0 1H12L6 11ZM2.6 2.6L6 8.2L9.4 2.6Z"),
    "m-ro": _sign("M4.4 0H7.6V4.4H12V7.6H7.6V12H4.4V7.6H0V4.4H4.4ZM6 4.6A1.4 1.4 0 1 0 6 7.4A1.4 1.4 0 1 0 6 4.6Z"),
    "m-xx": _sign("M1.4 1.4H10.6V10.6H1.4ZM3 3V9H9V3Z"),
    "i-eye": _icon(
        "M10 4C5.6 4 2.4 6.8 .8 10C2.4 13.2 5.6 16 10 16S17.6 13.2 19.2 10C17.6 6.8 14.4 4 10 4ZM10 6.2A3.8 3.8 0 1 1 10"
        " 13.8A3.8 3.8 0 1 1 10 6.2ZM10 8.2A1.8 1.8 0 1 0 10 11.8A1.8 1.8 0 1 0 10 8.2Z"
    ),
    "i-bolt": _icon("M11.8 .8L3.6 11.4H8.6L7 19.2L16.4 7.6H10.6Z"),
    "i-check": _icon("M7.8 14.2L3.4 9.8L1.6 11.6L7.8 17.8L18.6 5L16.6 3.2Z"),
    "i-cross": _icon(
        "M4 2.4L10 8.4L16 2.4L17.6 4L11.6 10L17.6 16L16 17.6L10 11.6L4 17.6L2.4 16L8.4 10L2.4 4Z"
    ),
    "i-plane": _icon(
        "M10 .8C10.9 .8 11.3 2 11.3 3.6V6L19 9.2V11L11.3 9.8L10.9 14.6L13.6 16.4V18L10 17.2L6.4 18V16.4L9.1 14.6L8.7 9.8L1 11"
        "V9.2L8.7 6V3.6C8.7 2 9.1 .8 10 .8Z"
    ),
    "i-gun": _icon("M1 15.4H19V17.6H1ZM3 14.4V11.4L5 9.4H10.4L11 10.4L18.6 5.2L19.6 6.6L12.4 11.8V14.4Z"),
    "i-sub": _icon(
        "M1 12.4C1 10.8 4 10.2 7 10.2H8V6.6H9V4H10V6H12V10.2H14C17.6 10.2 19 11.2 19 12.4S17.4 15 14 15H6C3 15 1 14 1 12.4Z"
    ),
    "i-shield": _icon(
        "M10 1L17.6 3.6V9.4C17.6 14 14.6 17.2 10 19C5.4 17.2 2.4 14 2.4 9.4V3.6ZM10 3.4L4.6 5.2V9.4C4.6 12.8 6.6 15 10 16.6Z"
    ),
    "i-home": _icon(
        "M8.6 3L9.8 4.4L6.6 7.2H13.4A4.9 4.9 0 0 1 13.4 17H6V14.8H13.2A2.7 2.7 0 0 0 13.2 9.4H6.6L9.8 12.2L8.6 13.6L2.6 8.3Z"
    ),
    "i-ammo": _icon(
        "M10 1.4L12 6.6L17.6 5L14.6 9.6L18.6 13L13.2 13.2L12.6 18.6L9.4 14.4L5 17.4L5.6 12.2L1 9.8L6 8L5 3L9 6Z"
    ),
    "i-run": _icon("M7 1H13L16 19H4ZM9.3 3.4V6H10.7V3.4ZM9.2 8V11H10.8V8ZM9 13V16.6H11V13Z"),
    "i-cargo": _icon("M2 4H18V17H2ZM4 6V15H16V6ZM9 6H11V10L10 9.2L9 10Z"),
    "i-anchor": _icon(
        "M10 1A2.7 2.7 0 0 0 8.9 6.2V7.4H6V9.4H8.9V16.2C6.3 15.8 4.4 14.2 3.8 12L5.4 12.4L3.4 8.8L1 12L2.2 11.9C2.8 15.8 6"
        " 18.6 10 18.6S17.2 15.8 17.8 11.9L19 12L16.6 8.8L14.6 12.4L16.2 12C15.6 14.2 13.7 15.8 11.1 16.2V9.4H14V7.4H11.1V6.2"
        "A2.7 2.7 0 0 0 10 1ZM10 2.6A1.1 1.1 0 1 1 10 4.8A1.1 1.1 0 1 1 10 2.6Z"
    ),
    "i-clock": _icon(
        "M10 1A9 9 0 1 0 10 19A9 9 0 1 0 10 1ZM10 3A7 7 0 1 1 10 17A7 7 0 1 1 10 3ZM9 5H11V9.6L14.4 12L13.2 13.6L9 10.7Z"
    ),
    "i-dice": _icon(
        "M4 1.4H16A2.6 2.6 0 0 1 18.6 4V16A2.6 2.6 0 0 1 16 18.6H4A2.6 2.6 0 0 1 1.4 16V4A2.6 2.6 0 0 1 4 1.4ZM6 4.6A1.5 1.5"
        " 0 1 0 6 7.6A1.5 1.5 0 1 0 6 4.6ZM14 12.4A1.5 1.5 0 1 0 14 15.4A1.5 1.5 0 1 0 14 12.4ZM10 8.5A1.5 1.5 0 1 0 10 11.5"
        "A1.5 1.5 0 1 0 10 8.5Z"
    ),
    "i-flag": _icon("M4 1H6V2.4H17L14.2 6.6L17 10.8H6V19H4Z"),
    "i-flame": _icon(
        "M10.8 .6C11.4 4.2 15.8 6.2 15.8 11.8C15.8 16 13.2 19.2 10 19.2S4.2 16.4 4.2 12.6C4.2 9.8 5.6 8.2 6.4 6.2C7.4 7 7.8 8"
        " 7.8 9.2C9.8 7.4 11.2 4.4 10.8 .6ZM10.2 11C9.6 12.8 7.8 13.4 7.8 15.4C7.8 16.8 8.8 17.8 10 17.8S12.3 16.8 12.3 15.3"
        "C12.3 13.4 10.8 12.8 10.2 11Z"
    ),
    "i-groups": _icon(
        "M2 2H9V9H2ZM11 2H18V9H11ZM2 11H9V18H2ZM13.4 11H15.6V13.4H18V15.6H15.6V18H13.4V15.6H11V13.4H13.4Z"
    ),
    "i-speed": _icon("M2 3L10 10L2 17ZM10.4 3L18.4 10L10.4 17Z"),
    "i-link": _icon(
        "M8 5H5A5 5 0 0 0 5 15H8V12.8H5A2.8 2.8 0 0 1 5 7.2H8ZM12 5H15A5 5 0 0 1 15 15H12V12.8H15A2.8 2.8 0 0 0 15 7.2H12Z"
        "M6.4 8.9H13.6V11.1H6.4Z"
    ),
    "i-save": _icon("M8.9 2H11.1V9.4L13.8 6.8L15.3 8.3L10 13.4L4.7 8.3L6.2 6.8L8.9 9.4ZM3 15.4H17V17.6H3Z"),
    "i-down": _icon("M4 7L10 13L16 7L17.6 8.6L10 16.2L2.4 8.6Z"),
}  # fmt: skip


@cache
def symbol_sheet() -> str:
    """All of them as one hidden picture, to stand once at the top of a page."""
    made = [
        f'<symbol id="{key}" viewBox="0 0 {one.width} {one.height}"><path fill-rule="evenodd" d="{one.path}"/></symbol>'
        for key, one in SYMBOLS.items()
    ]
    return f'<svg class="symbols" width="0" height="0" aria-hidden="true" focusable="false"><defs>{"".join(made)}</defs></svg>'
