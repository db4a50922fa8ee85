"""Counters: a ship, light ships of a kind, air units, submarines or a ground unit as a thing that lies on a board.

A counter looks the same everywhere. `counter_html` writes it for pages: the shapes are defined once a page
(`symbol_sheet`), and `static/board.css` gives it its look. `counter_svg` writes it for pictures that stand alone. What
is drawn is also said in a sentence.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import Literal, NamedTuple

from flagplot.board.model import Counter
from flagplot.draw.measuring import width_of
from flagplot.draw.nations import code_of
from flagplot.draw.svg import xml_text
from flagplot.draw.symbols import SILHOUETTES, SYMBOLS

Kind = Literal["ship", "air", "mini", "slip"]
"""A whole counter, a small one for air units, one without its name for lists, and a flat one for what is over."""
LONG = 9
"""Letters of a name that have room on a counter; longer names make it wider."""


class Ask(NamedTuple):
    """What a click on a counter answers: an option of the question, or the value of a field of the plan."""

    option: str
    """The text of the option."""
    form: str
    """The form that it is sent with."""
    field: str = ""
    """The key of the field that it sets; nothing if it answers the question."""
    key: str = ""
    """The number key that does the same."""
    words: str = ""
    """What it does."""
    chosen: bool = False
    """Whether the plan has this value now."""
    more: bool = False
    """Whether it counts: a click makes the field one more."""
    quiet: bool = False
    """Whether it only repeats what its tray answers: no ring, and no stop of the keyboard."""


class Face(NamedTuple):
    """What is printed on a counter."""

    nation: str
    """Its two letters."""
    art: str
    name: str
    number: str
    sentence: str
    size: int = 0
    hits: int = 0
    id: str = ""
    damaged: bool = False
    pile: bool = False
    sunk: bool = False
    down: bool = False
    laden: bool = False
    tip: tuple[str, ...] = ()
    """What the card says that opens when somebody points at it."""

    @property
    def is_air(self) -> bool:
        return self.art == "air"


@lru_cache(maxsize=8192)
def face_of(counter: Counter, *, sunk: bool = False, nation: str = "") -> Face:
    """What is printed on the counter of ships or units; `nation` is for those that have none of their own."""
    air = counter.silhouette == "plane"
    name = counter.label or counter.name
    told = f"{counter.sentence}, sunk" if sunk and not air else counter.sentence
    return Face(
        nation=code_of(counter.nation or nation),
        art=SILHOUETTES[counter.silhouette] if counter.silhouette else "army",
        name=f"{name} {counter.count}" if air and not counter.id else name,
        number="" if air and not counter.id else counter.value or (str(counter.factors) if counter.factors else ""),
        sentence=told,
        size=counter.size,
        hits=counter.size if sunk else counter.hits,
        id=counter.id,
        damaged=(counter.damaged or bool(counter.hits)) and not sunk,
        pile=counter.is_ship and not counter.id and counter.count > 1,
        sunk=sunk,
        down=counter.inverted,
        laden=counter.laden,
        tip=counter.card,
    )


# --- for pages --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16_384)
def counter_html(
    face: Face, kind: Kind | None = None, ask: Ask | None = None, flag: str = "", silent: bool = False
) -> str:
    """A counter for a page: a button if it answers something. `flag` is a word that stands before the name, as CAP;
    `silent` is for counters beside words that say the same."""
    kind = kind or ("air" if face.is_air else "ship")
    looks = [
        "ctr",
        face.nation,
        *[kind] * (kind != "ship"),
        *[word for word, so in (("pile", face.pile), ("hurt", face.damaged), ("sunk", face.sunk)) if so],
        *["down"] * face.down,
        *["long"] * (kind == "ship" and len(face.name) > LONG),
    ]
    inner, look = _inner(face, kind, flag), " ".join(looks)
    if silent:
        return f'<span class="{look}" aria-hidden="true">{inner}</span>'
    told = f"{flag}: {face.sentence}" if flag else face.sentence
    named = f' data-counter="{escape(face.id)}"' if face.id else ""
    inner += _tip(face, flag)
    if ask is None:
        return f'<span class="{look}" role="img" aria-label="{escape(told)}"{named} tabindex="-1">{inner}</span>'
    label = escape(f"{told}. {ask.words}" if ask.words else told)
    look += " via" if ask.quiet else " ask on" if ask.chosen else " ask"
    return f'<button class="{look}" {attributes(ask)} aria-label="{label}"{named}>{inner}{key_html(ask)}</button>'


def attributes(ask: Ask) -> str:
    """How a button says what it answers; without a script it sends the form itself."""
    key = f' data-key="{ask.key}" aria-keyshortcuts="{ask.key}"' if ask.key else ""
    key = ' tabindex="-1"' if ask.quiet else key
    option = escape(ask.option)
    if not ask.field:
        return f'form="{escape(ask.form)}" name="option" value="{option}" data-option="{option}"{key}'
    field = f'data-field="{escape(ask.field)}" data-option="{option}"'
    pressed = "data-more" if ask.more else f'aria-pressed="{"true" if ask.chosen else "false"}"'
    return f'form="{escape(ask.form)}" name="pick.{escape(ask.field)}" value="{option}" {field} {pressed}{key}'


def key_html(ask: Ask) -> str:
    return f'<span class="key" aria-hidden="true">{ask.key}</span>' if ask.key and not ask.quiet else ""


def use(symbol: str, look: str) -> str:
    """A shape that is defined at the top of the page."""
    return f'<svg class="{look}" aria-hidden="true"><use href="#{symbol}"/></svg>'


def _inner(face: Face, kind: Kind, flag: str) -> str:
    name = escape(f"{flag} {face.name.rpartition(' ')[2]}" if flag else face.name)
    if kind == "air":
        return f'{use(face.art, "art")}<span class="name">{name}</span>'
    if kind == "slip":
        return f'{use(f"m-{face.nation}", "mark")}{use(face.art, "art")}<span class="name">{name}</span>'
    cargo = use("i-cargo", "load") if face.laden else ""
    number = f'<span class="f">{escape(face.number)}</span>'
    top = f'<span class="top">{use(f"m-{face.nation}", "mark")}{_boxes(face)}{cargo}{number}</span>'
    return f"{top}{use(face.art, 'art')}" + (f'<span class="name">{name}</span>' if kind != "mini" else "")


def _boxes(face: Face) -> str:
    """A box for each hit that sinks it; those taken are hatched."""
    if not face.size:
        return ""
    taken = min(face.hits, face.size)
    return f'<span class="pips">{"<i class=hit></i>" * taken}{"<i></i>" * (face.size - taken)}</span>'


def _tip(face: Face, flag: str) -> str:
    if not face.tip:
        return ""
    first, *rest = face.tip
    lines = "".join([f"<span>{escape(line)}</span>" for line in ([flag] if flag else []) + rest])
    return f'<span class="tip" aria-hidden="true"><b>{escape(first)}</b>{lines}</span>'


# --- for pictures that stand alone ------------------------------------------------------------------------------

INKS: dict[str, tuple[str, str, str]] = {
    "jp": ("#f0b65f", "#8a3a06", "#231404"),
    "us": ("#95c1ec", "#174a80", "#081a2e"),
    "uk": ("#dcc690", "#664f12", "#221a05"),
    "au": ("#d5d67c", "#565c0c", "#1d1f04"),
    "de": ("#bac0c6", "#39424b", "#12161a"),
    "it": ("#a2d6ba", "#1b5b40", "#06200f"),
    "fr": ("#b4b8f0", "#3a3a92", "#101033"),
    "su": ("#e9a79c", "#8c1f1f", "#2b0808"),
    "nl": ("#f5b896", "#8f3f0e", "#2b1205"),
    "cn": ("#9fd3d8", "#125a63", "#042023"),
    "ca": ("#e3b9c6", "#7d2747", "#290a16"),
    "pl": ("#e8c3d9", "#7a2a5e", "#270a1d"),
    "fi": ("#c3d6e6", "#33566f", "#0d1b25"),
    "hu": ("#b9cf9b", "#3f5a1a", "#131e05"),
    "ro": ("#d9c67a", "#5f4f05", "#201b02"),
    "xx": ("#d6d3cd", "#55514a", "#1c1a16"),
}
"""The face of a counter, its rim and its print: the light colours of `static/palette.css`."""
SUNK = ("#c3c7ca", "#5a6268", "#23292e")
WIDTH, HEIGHT = 80, 64


@lru_cache(maxsize=4096)
def counter_svg(face: Face, x: float = 0, y: float = 0) -> str:
    """A counter as part of a picture, its upper left corner at a point: `WIDTH` by `HEIGHT`, in light colours."""
    fill, rim, ink = SUNK if face.sunk else INKS[face.nation]
    plate = f'width="{WIDTH - 3}" height="{HEIGHT - 3}" rx="5" fill="{fill}" stroke="{rim}"'
    shapes = [f'<rect x="3.5" y="3.5" {plate}/>'] if face.pile else []
    shapes.append(f'<rect x=".5" y=".5" {plate}/>')
    shapes += _stripes(ink) if face.down else []
    shapes += [_shape(f"m-{face.nation}", 5, 5, 13, 13, ink), *_boxes_svg(face, ink)]
    shapes.append(_text(WIDTH - 8, 18, face.number, 16, ink, ' text-anchor="end" font-weight="800"'))
    art = SYMBOLS[face.art]
    wide = 32 if face.is_air else 66
    shapes.append(_shape(face.art, (WIDTH - 3 - wide) / 2, 21, wide, wide * art.height / art.width, ink))
    tight = width_of(face.name, 13, bold=True) > WIDTH - 6
    squeeze = f' textLength="{WIDTH - 13}" lengthAdjust="spacingAndGlyphs"' if tight else ""
    shapes.append(_text(5, 56, face.name, 13, ink, f' font-weight="700"{squeeze}'))
    if face.damaged:
        rim = f'width="{WIDTH - 5}" height="{HEIGHT - 5}" rx="4" fill="none" stroke="#b01f24" stroke-width="2"'
        shapes.append(f'<rect x="1.5" y="1.5" {rim}/>')
    if face.sunk:
        shapes.append('<path d="M24 12L54 40M54 12L24 40" stroke="#a3151a" stroke-width="4" fill="none"/>')
    return f'<g transform="translate({x:g} {y:g})"><title>{xml_text(face.sentence)}</title>{"".join(shapes)}</g>'


def _shape(symbol: str, x: float, y: float, width: float, height: float, ink: str) -> str:
    one = SYMBOLS[symbol]
    size = f"translate({x:g} {y:g}) scale({width / one.width:.3g} {height / one.height:.3g})"
    return f'<path transform="{size}" fill-rule="evenodd" fill="{ink}" d="{one.path}"/>'


def _boxes_svg(face: Face, ink: str) -> list[str]:
    made = []
    for number in range(face.size):
        x, hit = 21 + number * (7 if face.size > 4 else 8 if face.size > 3 else 10), number < face.hits
        fill = "#c1262a" if hit else "#ffffff"
        made.append(f'<rect x="{x}" y="6" width="5" height="10" rx="1.5" fill="{fill}" stroke="{ink}"/>')
        made += [f'<path d="M{x} 16l5 -10" stroke="#ffffff"/>'] * hit
    return made


def _stripes(ink: str) -> list[str]:
    lines = "".join([f"M{start} {HEIGHT - 3}L{start + 30} 1" for start in range(-10, WIDTH - 30, 12)])
    return [f'<path d="{lines}" stroke="{ink}" stroke-opacity=".25" stroke-width="5" fill="none"/>']


def _text(x: float, y: float, text: str, size: int, ink: str, more: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{ink}"{more}>{xml_text(text)}</text>' if text else ""
