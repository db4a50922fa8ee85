"""Trays: a stack of a board with its counters on it, and what is said at its rim.

What a tray says is in words for those who do not see it: its own name, and the sentence of each counter. The same stack
makes the same tray at every table, so trays are remembered by what they are made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from html import escape
from typing import NamedTuple
from urllib.parse import quote

from flagplot.awaw.board.units import AS_COVER, ON_PATROL
from flagplot.board.model import Board, Counter, Note, Place, Stack, counter_subject
from flagplot.draw.board_words import Whose, stack_in_words, whose
from flagplot.draw.counters import LONG, Ask, Face, Kind, attributes, counter_html, face_of, key_html, use
from flagplot.draw.nations import code_of

ICONS = {
    "eye": "i-eye",
    "bolt": "i-bolt",
    "speed": "i-speed",
    "cargo": "i-cargo",
    "plane": "i-plane",
    "submarine": "i-sub",
}
FLYING = {ON_PATROL: "CAP", AS_COVER: "Cover"}
"""What air units do that are drawn on the upper rim of a group."""
DOING = {
    "aboard": "",
    "ready aboard": "Ready",
    "of them aborted this round": "Aborted",
    "have flown": "Flown",
    "back from strikes": "Back",
    "back from a strike": "Back",
    "aboard damaged carriers": "Stuck",
    "carried on damaged carriers": "Stuck",
    "returned to port": "Ashore",
    "searching": "Search",
    "intercepting": "Fighter",
    "guarding": "Guard",
}
"""What stands on an air counter instead of its arm: where it is or what it does."""
FLAT = ("lost", "departed")
"""Kinds of stacks that are over: their counters lie flat."""


class Badge(NamedTuple):
    """A small sign with words."""

    icon: str
    text: str
    look: str
    told: str


class Tray(NamedTuple):
    """A stack as it lies on a board."""

    subject: str
    nation: str
    look: str
    number: str
    title: str
    aside: str
    """What is said beside the title: ``18 factors, slow``."""
    badges: tuple[Badge, ...]
    when: str
    active: bool
    above: tuple[str, ...]
    """The counters on its rim, as HTML."""
    counters: tuple[str, ...]
    notes: tuple[Note, ...]
    label: str
    """What it is, for those who do not see it."""
    unit: str
    ask: Ask | None
    widths: tuple[int, ...]
    """How wide its counters are, in pixels."""
    back: str = ""
    """What stands on the back of a stack that is hidden."""
    asked: bool = False
    """Whether some of its counters answer something."""


Asks = Mapping[str, Ask]
"""What can be clicked: by the subject of a stack, or of a counter in it (`counter_subject`)."""


def tray_of(board: Board, place: Place, stack: Stack, asks: Asks) -> Tray:
    """A stack as a tray."""
    clicks = tuple[tuple[str, Ask], ...]()
    if asks and stack.subject:
        subjects = [stack.subject, *[counter_subject(stack.subject, one) for one in stack.counters]]
        clicks = tuple([(subject, asks[subject]) for subject in subjects if subject in asks])
    return _tray(stack, whose(board, place, stack), clicks)


@lru_cache(maxsize=16_384)
def _tray(stack: Stack, owner: Whose, clicks: tuple[tuple[str, Ask], ...]) -> Tray:
    nation, asks = _nation(stack, owner), dict(clicks)
    ask = asks.get(stack.subject) if stack.subject else None
    above = [one for one in stack.counters if one.above]
    below = [one for one in stack.counters if not one.above]
    drawn = [_counter(stack, one, nation, asks, ask) for one in below]
    return Tray(
        subject=stack.subject,
        nation=code_of(nation),
        look=_look(stack, owner),
        number=str(stack.number) if stack.kind == "group" else "",
        title=_title(stack),
        aside=", ".join([note.text for note in _notes(stack) if _is_aside(stack, note)]),
        badges=tuple([_badge(note, owner) for note in stack.marks if note.sign]),
        when=_when(stack),
        active=stack.active,
        above=tuple([_flying(stack, one, nation, _asked(stack, one, asks, ask)) for one in above]),
        counters=_reachable([text for _, text in drawn]),
        notes=tuple([note for note in _notes(stack) if not _is_aside(stack, note)]),
        label=", ".join(filter(None, [stack_in_words(stack, owner), stack.name])),
        unit=stack.unit,
        ask=ask,
        widths=tuple([width for width, _ in drawn]),
        back=_back(stack),
        asked=any([counter_subject(stack.subject, one) in asks for one in below]),
    )


def _reachable(counters: list[str]) -> tuple[str, ...]:
    """The first counter of a tray can be reached by the keyboard; from there arrows go on."""
    return (counters[0].replace('tabindex="-1"', 'tabindex="0"'), *counters[1:]) if counters else ()


def _nation(stack: Stack, owner: Whose) -> str:
    """The nation of a stack: that of its counters if they have one, else the one whose flag its side flies."""
    nations = {one.nation for one in stack.counters if one.nation}
    return nations.pop() if len(nations) == 1 else owner.flag


def _notes(stack: Stack) -> list[Note]:
    """What is said of a stack below its counters; that it is hidden its back shows."""
    return [
        item
        for item in stack.items
        if isinstance(item, Note) and not (stack.state == "hidden" and item.look == "strong")
    ]


def _is_aside(stack: Stack, note: Note) -> bool:
    return stack.kind in ("group", "waiting") and bool(stack.ships) and note.look == "faint" and not note.sign


def _look(stack: Stack, owner: Whose) -> str:
    words: list[str] = [stack.kind, stack.state]
    words += ["far"] * (stack.kind in ("group", "waiting") and not stack.active)
    words += ["mine"] * owner.mine
    return " ".join(words)


def _title(stack: Stack) -> str:
    """What stands on the rim: what its owner calls it, without an article."""
    if stack.name:
        return stack.name.removeprefix("the ")
    if stack.kind == "group":
        named = [ship.label for ship in stack.ships if ship.id]
        known = f"{named[0]} group" if named else "Light ships"
        return {"hidden": "Hidden", "gone": "Destroyed"}.get(stack.state, known if stack.ships else "Found")
    if stack.kind == "submarines":
        return "Subs"
    return f"Group {stack.title.removeprefix('CG ')}" if stack.kind == "departed" else stack.title


def _when(stack: Stack) -> str:
    """22.425: a group comes into action in the round of its number."""
    if stack.kind == "line":
        return ""
    if stack.kind == "group":
        return "in action" if stack.active else "" if stack.state == "gone" else f"round {stack.number}"
    if stack.kind in ("force", "flotilla", "air"):
        return stack.where
    return ", ".join([note.text for note in stack.marks if note.text and not note.sign])


def _badge(note: Note, owner: Whose) -> Badge:
    look = "seen" if note.sign == "eye" and owner.mine else "shock" if note.sign == "bolt" else ""
    return Badge(ICONS[note.sign or "eye"], note.text, look, note.told)


def _back(stack: Stack) -> str:
    """What is known of ships that nobody sees: the number of their group, or how many forces there are."""
    if stack.kind == "waiting" and stack.state == "hidden":
        return next((item.text.partition(" ")[0] for item in stack.items if isinstance(item, Note)), "?")
    unseen = stack.state == "hidden" or (stack.kind == "group" and stack.state != "gone" and not stack.ships)
    return str(stack.number or "?") if unseen else ""


def _face(stack: Stack, one: Counter, nation: str) -> Face:
    return face_of(one, sunk=stack.kind == "lost" and stack.state == "gone", nation=nation)


def _flying(stack: Stack, one: Counter, nation: str, ask: Ask | None) -> str:
    return counter_html(_face(stack, one, nation), None, ask, FLYING[one.doing])


def _counter(stack: Stack, one: Counter, nation: str, asks: Asks, whole: Ask | None) -> tuple[int, str]:
    face = _face(stack, one, nation)
    kind, letters = _kind(stack, face), len(face.name)
    wide = 83 if letters <= LONG else 10 + 7 * letters
    width = {"slip": 70 + 7 * letters, "air": 58, "mini": 58, "ship": wide}[kind]
    flag = DOING.get(one.doing, "") if kind == "air" else ""
    return width, counter_html(face, kind, _asked(stack, one, asks, whole), flag)


def _kind(stack: Stack, face: Face) -> Kind:
    """How large a counter is: what is over lies flat, and submarines off the chart need no name."""
    if stack.kind in FLAT:
        return "slip"
    return "mini" if stack.kind == "submarines" else "air" if face.is_air and not face.id else "ship"


def _asked(stack: Stack, one: Counter, asks: Asks, whole: Ask | None) -> Ask | None:
    """What a counter answers: itself, or what its tray does."""
    own = asks.get(counter_subject(stack.subject, one)) if stack.subject and not one.idle else None
    return own or (whole._replace(quiet=True) if whole else None)


# --- for pages --------------------------------------------------------------------------------------------------


def tray_html(tray: Tray, place: str = "", base: str = "", query: str = "") -> str:
    """A tray for a page: `place` says in classes where it lies. If `base` is the address of a table, the title of a
    unit leads to what it may do."""
    opening, until_title, rest = _around_title(tray)
    title = escape(tray.title)
    if not tray.ask and tray.unit and base:
        link = f"{base}/unit/{quote(tray.unit)}{query}"
        title = f'<a href="{escape(link)}" data-panel title="What may it do?">{title}</a>'
    elif tray.ask:
        told = f' aria-label="{escape(tray.ask.words)}"' if tray.ask.words else ""
        title = f'<button class="take" {attributes(tray.ask)}{told}>{title}{key_html(tray.ask)}</button>'
    return f"{opening} {place}{until_title}{title}{rest}"


@lru_cache(maxsize=16_384)
def _around_title(tray: Tray) -> tuple[str, str, str]:
    """The HTML of a tray up to where its place is said, from there to its title, and after that."""
    subject = f' data-stack="{escape(tray.subject)}"' if tray.subject else ""
    above = f'<div class="above">{"".join(tray.above)}</div>' if tray.above else ""
    number = f'<span class="no" aria-hidden="true">{escape(tray.number)}</span>' if tray.number else ""
    aside = f'<span class="aside">{escape(tray.aside)}</span>' if tray.aside else ""
    when = f'<span class="when{" up" * tray.active}">{escape(tray.when)}</span>' if tray.when else ""
    ships = f'<div class="ships">{"".join(tray.counters)}</div>' if tray.counters else ""
    notes = f'<ul class="notes">{"".join(map(_note_html, tray.notes))}</ul>' if tray.notes else ""
    return (
        f'<div role="group" class="tray {tray.nation} {tray.look}{" aim" * (tray.ask is not None)}',
        f'"{subject} aria-label="{escape(tray.label)}">{above}<header>{number}<h3>',
        f"</h3>{aside}{''.join(map(_badge_html, tray.badges))}{when}</header>{_back_html(tray)}{ships}{notes}</div>",
    )


def _badge_html(one: Badge) -> str:
    text = f'<span aria-hidden="true">{escape(one.text)}</span><span class="unseen">{escape(one.told)}</span>'
    return f'<span class="badge {one.look}">{use(one.icon, "ico")}{text}</span>'


def _note_html(note: Note) -> str:
    sign = use(f"i-{note.sign}", "ico") if note.sign else ""
    return f'<li class="{note.look}">{sign}{escape(note.told)}</li>'


def _back_html(tray: Tray) -> str:
    """The back of a hidden stack: a button too, if the tray answers something."""
    if not tray.back:
        return ""
    if tray.ask is None:
        return f'<span class="back" aria-hidden="true">{escape(tray.back)}</span>'
    told = escape(tray.ask.words or tray.label)
    quiet = attributes(tray.ask._replace(quiet=True))
    return f'<button class="back via" {quiet} aria-label="{told}">{escape(tray.back)}</button>'
