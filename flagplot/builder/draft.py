"""A scenario while it is read: what is known of it so far, what is wrong, and which letters said what."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from flagplot.builder.dates import Date
from flagplot.builder.items import Units
from flagplot.builder.pieces import START, Piece, Statement
from flagplot.builder.values import Line, Note, Problem
from flagplot.builder.vocabulary import fold, nation_words
from flagplot.kernel.errors import most_like, quoted
from flagplot.kernel.words import listing

MOST_HELPED = 60
"""Problems that come with a suggestion: to find one takes its time."""


@dataclass
class Draft:
    """What has been read. Places are paths of the scenario, such as ``forces[0].ships``."""

    document: dict[str, Any] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    spans: dict[str, Piece] = field(default_factory=dict)
    """By path: the letters that said it."""
    ships: dict[str, Piece] = field(default_factory=dict)
    """By name: where a ship was named last."""
    side_names: dict[str, str] = field(default_factory=dict)
    """Names of sides, folded, with their ids."""
    unread: set[int] = field(default_factory=set)
    """Lines of which something was left out: what the rules say of them would be misleading."""
    unnamed: list[tuple[str, dict[str, Any], Units]] = field(default_factory=list)
    """Ships that were only counted: the path of their nation's ships, those ships, and what was said."""
    distances: dict[int, int] = field(default_factory=dict)
    """By number of a base: how far it is from the battle."""
    bare: set[int] = field(default_factory=set)
    """Bases that have nothing, as the text says."""
    regular: set[str] = field(default_factory=set)
    """Squadrons that are not elite, as the text says."""
    nations_told: set[str] = field(default_factory=set)
    """Sides of which the text says which nations they are."""
    winter: int = 0
    """The winter effect on all bases that say none of their own."""
    date: Date | None = None
    date_piece: Piece = START

    # --- what is wrong, what was understood ---------------------------------------------------------------------

    def refuse(self, piece: Piece, message: str, suggestion: str = "", rule: str = "") -> None:
        told = "" if piece.letters >= 0 else suggestion  # what stands in a cell is only a part of what was read
        self.problems.append(Problem(piece.line, piece.column, piece.length, message, told, rule))

    def leave_out(self, piece: Piece, message: str, suggestion: str = "") -> None:
        """Refuse something that the scenario then goes without."""
        self.refuse(piece, message, suggestion)
        self.unread.add(piece.line)

    def meant(self, word: str, allowed: Sequence[str]) -> str:
        """What a word most likely stands for; nothing once so much is wrong that nobody reads on."""
        return most_like(word, [*dict.fromkeys(allowed)]) if len(self.problems) < MOST_HELPED else ""

    def refuse_word(self, piece: Piece, what: str, allowed: Sequence[str]) -> None:
        """Refuse a word that should be one of some, with the one that is most like it."""
        meant = self.meant(fold(piece.text), allowed)
        instead = f"Did you mean {meant}?" if meant else f"Type {listing([*allowed][:8], 'or')}"
        self.refuse(piece, f"No {what} called {quoted(piece.text)}. {instead}", meant)

    def note(self, piece: Piece, message: str, *, estimate: bool = False) -> None:
        self.notes.append(Note(piece.line, piece.column, piece.length, message, estimate))

    def said(self, path: str, piece: Piece) -> None:
        """Remember which letters said what stands at a path."""
        self.spans[path] = piece

    def line(self, statement: Statement, side: str, path: str) -> None:
        self.lines.append(Line(statement.whole.line, statement.last, side, path))

    # --- sides --------------------------------------------------------------------------------------------------

    @property
    def sides(self) -> list[dict[str, Any]]:
        """The sides so far; none once a ``Set`` line has put something else in their place."""
        sides = self.document.setdefault("sides", [])
        return sides if isinstance(sides, list) and all([_is_side(entry) for entry in sides]) else []

    def nations_of(self, side: str) -> list[str]:
        return next((entry["nations"] for entry in self.sides if entry["id"] == side), [])

    def side_of(self, owner: str) -> str:
        """The side of this id, or that the nation of this id fights on."""
        found = (entry["id"] for entry in self.sides if owner == entry["id"] or owner in entry["nations"])
        return next(found, "")

    def read_side(self, piece: Piece) -> str:
        """The side that a word means: by its name, or by one of its nations."""
        words = re.sub(r"^the ", "", fold(piece.text))
        owner = self.side_names.get(fold(piece.text)) or self.side_names.get(words) or nation_words().get(words, "")
        if not owner or not (side := self.side_of(owner)):
            self.refuse_word(piece, "side", [entry["name"] for entry in self.sides] or ["Japan", "United States"])
            return ""
        return side

    # --- lists --------------------------------------------------------------------------------------------------

    def add(self, group: str, entry: dict[str, Any] | list[str], piece: Piece) -> str:
        """Add an entry to a list of the scenario; its path is returned."""
        entries: list[Any] = self.document.setdefault(group, [])
        entries.append(entry)
        path = f"{group}[{len(entries) - 1}]"
        self.said(path, piece)
        return path


def _is_side(entry: object) -> bool:
    return isinstance(entry, dict) and all([isinstance(entry.get(key), str) for key in ("id", "name")])
