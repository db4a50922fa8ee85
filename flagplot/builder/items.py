"""One item of a line: some ships, some air, or a detail such as ``from Tokyo``, ``island`` or ``arrives round 2``."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from flagplot.awaw.forces import ACTIVITIES, STAGES
from flagplot.builder.pieces import Piece, items_of
from flagplot.builder.vocabulary import AIR_FORCES, fold, nation_at_start, singulars, type_of

Marks = frozenset[str]


@dataclass(frozen=True, slots=True)
class Units:
    """Some units of one type: ``6 CA``, ``12 elite NAS``, ``2 laden DD``."""

    piece: Piece
    group: str
    key: str
    number: int
    nation: str = ""
    marks: Marks = frozenset()
    counted: str = ""
    """``factors`` or ``counters`` where the text says which."""
    word: str = ""


@dataclass(frozen=True, slots=True)
class Name:
    """A ship by its name, or something that nobody understood."""

    piece: Piece
    nation: str = ""
    hits: int = 0


@dataclass(frozen=True, slots=True)
class Detail:
    """A key of the scenario file and its value."""

    piece: Piece
    key: str
    value: Any


@dataclass(frozen=True, slots=True)
class Bad:
    """An item that is recognisably wrong."""

    piece: Piece
    message: str
    suggestion: str = ""


Item = Units | Name | Detail | Bad

MARKS: Final = {
    "laden": "laden",
    "loaded": "laden",
    "elite": "elite",
    "regular": "regular",
    "damaged": "damaged",
    "inverted": "inverted",
    "flipped": "inverted",
    "committed": "committed",
    "advanced": "advanced",
    "fresh": "",
    "uninverted": "",
}
COUNTED: Final = {"factor": "factors", "counter": "counters", "ship": "counters", "unit": "", "of": "", "x": ""}
_NUMBERS: Final = {
    word: number
    for number, word in enumerate(("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"))
} | {"a": 1, "an": 1, "eleven": 11, "twelve": 12}


MOST_WORDS = 12
"""No units need more."""


@lru_cache(4096)
def read_item(piece: Piece) -> Item:
    """One item of a list, as far as it can be understood by itself."""
    text = piece.text
    if text[0] == text[-1] == '"' and len(text) > 2:
        return Name(piece.part(1, -1))
    return read_detail(piece) or _read_damaged(piece) or _read_units(piece) or _read_name(piece)


# --- units --------------------------------------------------------------------------------------------------------


def _read_units(piece: Piece) -> Item | None:
    """``6 CA``, ``CA6``, ``six cruisers``, ``2 laden destroyers``, ``1 US AAF``, ``12 NAS (elite)``."""
    words = list(re.finditer(r"[^\s()]+", piece.text))
    if len(words) > MOST_WORDS:
        return None
    number, where = 0, piece
    rest: list[str] = []
    letters: list[tuple[int, int]] = []
    for found in words:
        word = found[0]
        if (told := re.fullmatch(r"([+-]?\d{1,9})[x×]?", word, re.IGNORECASE)) and not number:
            number, where = int(told[1]), piece.match(found)
        elif (told := re.fullmatch(r"(\d{1,9})([A-Za-z]+)", word)) and not number and type_of(fold(told[2])):
            number, where = int(told[1]), piece.match(found)
            rest, letters = [*rest, told[2]], [*letters, found.span()]
        elif (told := re.fullmatch(r"([A-Za-z]{2,4})(\d{1,9})", word)) and not number and type_of(fold(told[1])):
            number, where = int(told[2]), piece.match(found)
            rest, letters = [*rest, told[1]], [*letters, found.span()]
        elif not rest and not number and fold(word) in _NUMBERS and len(words) > 1:
            number, where = _NUMBERS[fold(word)], piece.match(found)
        else:
            rest, letters = [*rest, word], [*letters, found.span()]
    marks, counted, nation, left, kind = _sorted_out(rest)
    if kind is None:
        if number and left:
            return _unknown_type(piece, letters, rest, left)
        return None
    if not number and where is piece:
        return None if not _is_bare(rest, marks) else Bad(piece, f"How many? Type a number: {_example(piece.text)}")
    if number < 1:
        return Bad(where, "Type a number from 1 on, or leave this out")
    if left:
        return _unknown_type(piece, letters, rest, left)
    group, key = kind[0]
    return Units(piece, group, key, number, nation or AIR_FORCES.get(kind[1], ""), marks, counted, kind[1])


def _example(text: str) -> str:
    return f"2 {text}" if not text.lower().startswith("elite") else f"6 {text}"


def _is_bare(words: list[str], marks: Marks) -> bool:
    """Whether a type stands there without a number, and is not a part of a name."""
    return len(words) - len(marks) == 1


Kind = tuple[tuple[str, str], str]


def _sorted_out(words: list[str]) -> tuple[Marks, str, str, list[str], Kind | None]:
    """Words about units: marks, what is counted, the nation, what nobody knows, and the type with its word."""
    text, nation, counted = " ".join(words), "", ""
    marks: set[str] = set()
    kept: list[str] = []
    plain = [fold(word) for word in text.split()]
    while plain:
        word = plain[0]
        country, length = nation_at_start(" ".join(plain))
        taken = len(" ".join(plain)[:length].split()) if country else 0
        if country and not type_of(" ".join(plain[:1])) and not nation:
            nation, plain = country, plain[taken:]
            continue
        mark = next((MARKS[one] for one in (word, word.removesuffix("s")) if one in MARKS), None)
        if mark is not None and not (word == "elite" and len(plain) == 1 and not kept):
            marks |= {mark} - {""}
        elif word == "with" and plain[1:2] == ["cargo"]:
            marks.add("laden")
            plain = plain[1:]
        elif found := next((COUNTED[one] for one in singulars(word) if one in COUNTED), None):
            counted = found
        elif word not in COUNTED and word:
            kept.append(word)
        plain = plain[1:]
    kind = _type_in(kept)
    left = [] if kind and kind[1] == " ".join(kept) else kept
    if kind and left:
        left = [word for word in kept if word not in kind[1].split()]
    return frozenset(marks), counted, nation, left, (kind[0], kind[1]) if kind else None


def _type_in(words: list[str]) -> Kind | None:
    """The type that some words name; all of them if they do, else the longest run."""
    text = " ".join(words)
    if text in AIR_FORCES:
        return ("air", "army"), text
    for size in range(len(words), 0, -1):
        for start in range(len(words) - size + 1):
            part = " ".join(words[start : start + size])
            if found := type_of(part):
                return found, part
    return None


def _unknown_type(piece: Piece, letters: list[tuple[int, int]], words: list[str], left: list[str]) -> Item:
    """The first word that nobody knows, at its place."""
    if any(word.isdigit() for word in left):
        return Bad(piece, "Type each number apart, such as 2 CA, 2 damaged CA")
    for (start, end), word in zip(letters, words, strict=True):
        if fold(word) in left:
            return Bad(piece.part(start, end), "unknown type")
    return Bad(piece, "unknown type")


# --- names --------------------------------------------------------------------------------------------------------

_HITS: Final = re.compile(r"\s*\(?\s*(?:(\d)\s*hits?|(damaged))\s*\)?\s*$", re.IGNORECASE)
_TYPE_AFTER: Final = re.compile(r"\s*\((?:cvb|cvl|cve|cv|bb|bc|pb)\s*\d?\)\s*$", re.IGNORECASE)


def _read_damaged(piece: Piece) -> Item | None:
    """A ship with hits; units that are damaged begin with their number."""
    return _read_name(piece) if _HITS.search(piece.text) and not piece.text[0].isdigit() else None


def _read_name(piece: Piece) -> Item:
    """A ship by its name, perhaps with hits: ``Kaga (1 hit)``."""
    hits = 0
    if found := _HITS.search(piece.text):
        hits = int(found[1]) if found[1] else -1
        piece = piece.part(0, found.start())
    if found := _TYPE_AFTER.search(piece.text):
        piece = piece.part(0, found.start())
    return Name(piece, hits=hits) if piece.text else Bad(piece, "Type the name of a ship before its hits")


# --- details ------------------------------------------------------------------------------------------------------

FEATURES: Final[dict[str, tuple[str, int | bool | str]]] = {
    "city": ("cities", 1),
    "port": ("ports", 1),
    "airbase": ("airbases", 1),
    "air base": ("airbases", 1),
    "airfield": ("airbases", 1),
    "artificial port": ("artificial_ports", 1),
    "island": ("island", True),
    "jungle": ("jungle", True),
    "fortified": ("fortified", True),
    "fortified port": ("fortified", True),
    "fortification": ("fortification", 1),
    "fortress": ("fortification", 2),
    "box": ("box", True),
    "flak": ("flak", 1),
    "objective": ("objectives", 1),
    "anchor": ("anchors", 1),
    "oil": ("oil", True),
    "air oil": ("oil", True),
    "oil effects": ("oil", True),
    "full supply": ("supply", "full"),
    "partial supply": ("supply", "partial"),
    "no supply": ("supply", "none"),
    "unsupplied": ("supply", "none"),
    "out of supply": ("supply", "none"),
    "bare": ("bare", True),
    "small force": ("task_force", False),
    "no task force": ("task_force", False),
    "task force": ("task_force", True),
    "inverted": ("inverted", True),
    "began at sea": ("began_at_sea", True),
    "accompany": ("accompany", True),
    "accompanying": ("accompany", True),
    "intercepting": ("accompany", False),
    "advanced": ("advanced", True),
}
COUNTABLE: Final = frozenset(
    {"cities", "ports", "airbases", "artificial_ports", "flak", "objectives", "anchors", "fortification"}
)
_ACTIVITY_WORDS: Final = {fold(one): one for one in ACTIVITIES} | {
    "invasion": "seaborne-invasion",
    "landing": "seaborne-invasion",
    "bombardment": "shore-bombardment",
    "escort": "sea-escort",
    "convoy": "sea-transport",
    "supply": "sea-supply",
    "on patrol": "patrol",
    "patrolling": "patrol",
    "invading": "seaborne-invasion",
    "carrier mission": "fast-carrier-mission",
}
ORDER_WORDS: Final = _ACTIVITY_WORDS | {
    "raid": "raid",
    "displacement": "displacement",
    "asw deployment": "asw-deployment",
    "transport": "sea-transport",
    "redeploy": "redeployment",
    "bombard": "shore-bombardment",
    "invade": "seaborne-invasion",
}


def read_detail(piece: Piece) -> Item | None:
    """A detail of a force, a base or submarines; None if it is none."""
    words = fold(piece.text)
    if words in _ACTIVITY_WORDS:
        return Detail(piece, "activity", _ACTIVITY_WORDS[words])
    if feature := next((FEATURES[one] for one in singulars(words) if one in FEATURES), None):
        return Detail(piece, *feature)
    if number := re.fullmatch(r"(\d{1,9}|one|two|three|a|an|no) (.+)", words):
        counted = next((FEATURES[one] for one in singulars(number[2]) if one in FEATURES), ("", 0))
        if counted[0] in COUNTABLE:
            count = int(number[1]) if number[1].isdigit() else _NUMBERS[number[1]]
            return Detail(piece, counted[0], count * int(counted[1]))
    for pattern, make in _PATTERNS:
        if found := pattern.fullmatch(piece.text):
            return make(piece, found)
    return None


def _hex(piece: Piece, found: re.Match[str]) -> Item:
    return Detail(piece, "at", [int(found["q"]), int(found["r"])])


def _cargo(piece: Piece, found: re.Match[str]) -> Item:
    what = found["what"].strip().strip('"')
    loads = []
    if found["parts"]:
        for part in items_of(piece.match(found, "parts")):
            if not (load := _LOAD.fullmatch(part.text)):
                return Bad(part, "Type each part of the cargo with its factors, such as: a brigade 1")
            entry: dict[str, Any] = {"name": load["name"].strip().strip('"'), "factors": int(load["factors"])}
            loads.append(entry | ({"divisible": True} if load["divisible"] else {}))
    return Detail(piece, "cargo", {"cargo": what} | ({"loads": loads} if loads else {}))


def _order(piece: Piece, found: re.Match[str]) -> Item:
    words = ORDER_WORDS.get(fold(found["activity"]))
    if words is None:
        return Bad(piece.match(found, "activity"), "unknown activity")
    order: dict[str, Any] = {"activity": words, "to": found["to"].strip().strip('"')}
    if found["stage"]:
        order["stage"] = found["stage"].casefold()
    if found["worth"]:
        order["worth"] = int(found["worth"])
    return Detail(piece, "orders", order)


def _marker(piece: Piece, found: re.Match[str]) -> Item:
    return Detail(piece, "task_force", {"marker": found["marker"], "inside": piece.match(found, "inside")})


def _text(key: str) -> Callable[[Piece, re.Match[str]], Item]:
    return lambda piece, found: Detail(piece, key, found["what"].strip().strip('"'))


def _whole(key: str) -> Callable[[Piece, re.Match[str]], Item]:
    return lambda piece, found: Detail(piece, key, int(found["n"]))


_LOAD: Final = re.compile(r"(?P<name>.+?)\s+(?P<factors>\d{1,3})(?:\s+factors?)?(?P<divisible>\s+divisible)?", re.I)
_STAGES: Final = "|".join(STAGES)
_PATTERNS: Final = [
    (re.compile(pattern, re.IGNORECASE), make)
    for pattern, make in (
        (r"(?:at|hex)\s+\(?(?P<q>-?\d{1,4})\s*,\s*(?P<r>-?\d{1,4})\)?", _hex),
        (r"(?:with\s+)?(?:cargo|carrying|carries)\s+(?P<what>[^()]+?)\s*(?:\((?P<parts>.*)\))?", _cargo),
        (
            r"(?:may|order|orders)\s+(?P<activity>[\w -]+?)\s+(?:to|at|off|in)\s+(?P<to>.+?)"
            rf"(?:\s+in\s+(?:the\s+)?(?P<stage>{_STAGES})(?:\s+stage)?)?(?:\s+worth\s+(?P<worth>\d{{1,3}}))?",
            _order,
        ),
        (r"under\s+(?P<marker>[^()]+?)\s*\((?P<inside>.*)\)", _marker),
        (r"(?:on\s+)?patrol(?:ling)?\s+(?:at|in|off)\s+(?P<what>.+)", _text("patrol")),
        (r"from\s+(?P<what>.+)", _text("origin")),
        (r"in\s+(?:port\s+(?:at|in)\s+)?(?P<what>[^\d].*)", _text("base")),
        (r"place\s+(?P<what>.+)", _text("place")),
        (r"(?:arrives?|arriving)\s+(?:in\s+)?(?:round\s+)?(?P<n>\d{1,3})", _whole("arrives")),
        (r"(?:from\s+)?round\s+(?P<n>\d{1,3})", _whole("arrives")),
        (r"winter\s+(?P<n>\d{1,3})", _whole("winter")),
        (r"(?P<n>\d{1,3})\s+hex(?:es)?(?:\s+away)?", _whole("distance")),
    )
]


def detail_words() -> list[str]:
    """What details may be called, for suggestions."""
    return [*FEATURES, *_ACTIVITY_WORDS, "from", "arrives round 2", "cargo"]
