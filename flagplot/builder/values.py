"""What comes of reading a text: the scenario, what is wrong with it, and how each part was understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


class Problem(NamedTuple):
    """Something wrong at a place of the text; lines and columns count from 1."""

    line: int
    column: int
    length: int
    message: str
    suggestion: str = ""
    """What to put in the place of these letters; nothing if there is no one thing to type."""
    rule: str = ""

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}" + (f" (rule {self.rule})" if self.rule else "")


class Note(NamedTuple):
    """How a part of the text was understood where it could be understood in several ways."""

    line: int
    column: int
    length: int
    message: str
    estimate: bool = False
    """Whether it was filled in by us rather than read."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}" + (" (our estimate)" if self.estimate else "")


class Line(NamedTuple):
    """A statement of the text: its first and last line, whose it is, and where it went in the scenario."""

    line: int
    last: int
    side: str
    path: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as it was read."""

    text: str
    document: dict[str, Any] | None
    """The scenario; None while anything is wrong."""
    draft: dict[str, Any]
    """As much of the scenario as could be read."""
    problems: tuple[Problem, ...]
    notes: tuple[Note, ...]
    lines: tuple[Line, ...]
