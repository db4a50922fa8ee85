"""The rules' own check of what was built; each fault is told at the letters that it is about."""

from __future__ import annotations

import re
from typing import Any

from flagplot import library
from flagplot.awaw.tables.nations import nation, nations
from flagplot.builder.draft import Draft
from flagplot.builder.pieces import Piece
from flagplot.kernel.errors import Fault, ScenarioError
from flagplot.kernel.naming import in_sentence
from flagplot.kernel.words import capital, plural


def check(draft: Draft, end: Piece) -> None:
    """Load the scenario as every game does, and add what is wrong with it to the problems. What is about the whole
    battle stands at the end of the text."""
    told = {(one.line, one.column) for one in draft.problems}
    for fault in faults_of(draft.document):
        piece = _place(draft, fault) or end
        if piece.line in draft.unread:
            continue
        if (piece.line, piece.column) not in told:
            message, suggestion = capital(_in_words(draft, fault.message)), _instead(fault, piece)
            message += f". For whole ships type {suggestion}" if suggestion else ""
            draft.refuse(piece, message, suggestion, fault.rule)


def faults_of(document: dict[str, Any]) -> tuple[Fault, ...]:
    """What the scenario loader has against a document."""
    try:
        library.load(document, seed=0)
    except ScenarioError as error:
        return error.faults
    return ()


def _instead(fault: Fault, piece: Piece) -> str:
    """What to type for half a cruiser: most likely the ships were counted, not their factors."""
    found = re.match(r"\d+", piece.text)
    return f"{plural(int(found[0]), 'cruiser')}" if fault.place.endswith(".cruisers") and found else ""


def _in_words(draft: Draft, message: str) -> str:
    """A message with the names of nations, sides, forces and bases instead of their short names in files."""
    told = {country for entry in draft.sides for country in _list(entry.get("nations")) if isinstance(country, str)}
    names = {country: nation(country).name for country in sorted(told) if country in nations()}
    names |= {entry["id"]: entry["name"] for entry in draft.sides}
    for group in ("forces", "bases"):
        entries = draft.document.get(group)
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and "-" in str(entry.get("id")):
                names.setdefault(entry["id"], str(entry.get("name")))
    if not names:
        return message
    known = "|".join([re.escape(name) for name in sorted(names, key=len, reverse=True)])
    return re.sub(rf"(?<![\w-])(?:{known})(?![\w-])", lambda found: in_sentence(names[found[0]]), message)


def _place(draft: Draft, fault: Fault) -> Piece | None:
    """The letters that a fault is about: those of its path, or of the longest part of it that was said."""
    for name, piece in draft.ships.items():
        if fault.message.startswith(f"{name} "):
            return piece
    path = fault.place
    while path:
        if path in draft.spans:
            return draft.spans[path]
        path = re.sub(r"(\.[^.\[\]]*|\[\d+\]|^[^.\[\]]+)$", "", path)
    return None


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
