"""Line of Battle in plain text: one line a counter, ``Japan Chokai: gunnery 3, torpedo 3, defense 5, damage 3``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from flagplot.builder.draft import Draft
from flagplot.builder.heads import Head
from flagplot.builder.pieces import START, Piece, Statement
from flagplot.builder.vocabulary import fold, slug

FACTORS: Final = {
    "gunnery": ("gunnery", "guns", "gun", "g"),
    "torpedo": ("torpedo", "torpedoes", "torp", "t"),
    "airstrike": ("airstrike", "air strike", "air", "a"),
    "defense": ("defense", "defence", "def", "d"),
    "damage": ("damage", "damage factor", "dmg"),
}
WORDS: Final = {word: key for key, words in FACTORS.items() for word in words}
KINDS: Final = {"ships": "", "lbas": " LBA"}
"""The counters of a side, and the word that tells them apart."""
AIR_UNIT: Final = re.compile(r"\s+(?:lba|air unit|land-based air)$", re.IGNORECASE)


def infers_line_of_battle(statements: list[Statement]) -> bool:
    """Whether lines tell counters of Line of Battle."""
    bodies = (body.text for one in statements for body in one.body)
    return any(re.search(r"\b(?:gunnery|airstrike)\s+\d", text, re.IGNORECASE) for text in bodies)


def add_counter(draft: Draft, head: Head, side: str, statement: Statement) -> None:
    """A ship or a land-based air unit of a side."""
    number = next(place for place, entry in enumerate(draft.sides) if entry["id"] == side)
    name = AIR_UNIT.sub("", head.name)
    group = "lbas" if name != head.name else "ships"
    entry: dict[str, Any] = {"id": head.tag or slug(name) or "ship", "name": name or head.piece.text}
    here, turned = entry, "reduced" if group == "lbas" else "damaged"
    for item in statement.items:
        words = item
        if found := re.match(r"(?:damaged|reduced)\b\s*", item.text, re.IGNORECASE):
            here, words = entry.setdefault(turned, {}), item.part(found.end())
        if fold(words.text) == "bonus":
            entry["bonus"] = True
        elif words.text:
            _add_factor(draft, here, words)
    counters: list[Any] = draft.sides[number].setdefault(group, [])
    counters.append(entry)
    path = f"sides[{number}].{group}[{len(counters) - 1}]"
    draft.said(path, head.piece)
    draft.line(statement, side, path)


def _add_factor(draft: Draft, here: dict[str, Any], piece: Piece) -> None:
    found = re.fullmatch(r"(?P<word>[^\d]+?)\s*(?P<n>\d{1,3})|(?P<m>\d{1,3})\s*(?P<after>[^\d]+)", piece.text)
    word = fold((found["word"] or found["after"]) if found else piece.text)
    if found is None:
        draft.leave_out(piece, "Type a factor and its number, such as gunnery 3")
    elif word not in WORDS:
        draft.refuse_word(piece.match(found, "word" if found["word"] else "after"), "factor", [*FACTORS])
        draft.unread.add(piece.line)
    else:
        here[WORDS[word]] = int(found["n"] or found["m"])


def complete_lines(draft: Draft) -> None:
    """What a battle of Line of Battle needs and the text does not say."""
    document = draft.document
    document.setdefault("title", "A battle of my own")
    if "attacker" in document:
        document["phasing"] = document.pop("attacker")
        draft.spans["phasing"] = draft.spans.pop("attacker", START)
    if "phasing" not in document and draft.sides:
        document["phasing"] = draft.sides[0]["id"]
        draft.note(START, f"{draft.sides[0]['name']} moves", estimate=True)
    for entry in draft.sides:
        if entry["id"] not in draft.nations_told:
            entry.pop("nations", None)


# --- writing ------------------------------------------------------------------------------------------------------


def counter_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """The counters of both sides, one line each."""
    for side in document["sides"]:
        for group, kind in KINDS.items():
            for entry in side.get(group, ()):
                yield counter_line(side, entry, kind)


def counter_line(side: Mapping[str, Any], entry: Mapping[str, Any], kind: str) -> str:
    """One counter; `kind` is a word for an air unit."""
    tag = f" #{entry['id']}" if slug(entry["name"]) != entry["id"] else ""
    return f"{side['name']} {entry['name']}{kind}{tag}: {_counter(entry)}"


def _counter(entry: Mapping[str, Any]) -> str:
    parts = [_factors(entry)]
    for key in ("damaged", "reduced"):
        if entry.get(key):
            parts.append(f"{key} {_factors(entry[key])}")
    return "; ".join([*parts, *["bonus"] * bool(entry.get("bonus"))])


def _factors(entry: Mapping[str, Any]) -> str:
    return ", ".join([f"{key} {entry[key]}" for key in FACTORS if key in entry])
