"""A battle that somebody types: what was read of it, force by force, with its totals and their limits.

All of it is made from the text, in one of the desk's processes (`Calculator.ask_built`): the text comes from strangers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flagplot.builder import Line, Note, Problem, Reading, read, to_toml
from flagplot.kernel.errors import FlagplotError
from flagplot.table.build.edits import changed, fixed
from flagplot.table.build.map import Chart, chart_of
from flagplot.table.build.trays import NAVAL, Side, sides_of

TRIED = 3
"""Ships of a side that are tried for one that might stay away."""


@dataclass(frozen=True, slots=True)
class Built:
    """A text as it was read, and what came of it."""

    text: str
    title: str
    kind: str
    problems: tuple[Problem, ...]
    notes: tuple[Note, ...]
    lines: tuple[Line, ...]
    sides: tuple[Side, ...]
    draft: Mapping[str, Any]
    """As much of the scenario as could be read."""
    document: Mapping[str, Any] | None
    """The scenario, if nothing is wrong; or as it will be if every suggestion is taken."""
    toml: str
    """The scenario file, if nothing is wrong."""
    chart: Chart | None = None
    """The map of an operation."""
    ifs: tuple[tuple[str, str], ...] = ()
    """Ships that might stay away, and the text without each."""

    @property
    def ready(self) -> bool:
        return bool(self.toml)

    @property
    def estimates(self) -> list[Note]:
        return [note for note in self.notes if note.estimate]


def built(text: str) -> Built:
    """What a text says."""
    reading = read(text)
    draft, sides = reading.draft, _sides(reading)
    document = reading.document or read(corrected(text, reading.problems)).document
    return Built(
        text,
        str(draft.get("title", "")),
        str(draft.get("kind", NAVAL)),
        reading.problems,
        reading.notes,
        reading.lines,
        sides,
        draft,
        document,
        to_toml(reading.document) if reading.document is not None else "",
        chart_of(draft, sides) if sides else None,
        tuple(_ifs(text, sides)) if reading.document is not None else (),
    )


def _sides(reading: Reading) -> tuple[Side, ...]:
    """Both sides; nothing of a draft that a stranger's ``Set`` lines have put out of shape."""
    try:
        return tuple(sides_of(reading))
    except (FlagplotError, LookupError, TypeError, AttributeError, ValueError):
        if reading.document is not None:
            raise
        return ()


def _ifs(text: str, sides: tuple[Side, ...]) -> Iterator[tuple[str, str]]:
    """The largest carrier of each side, or its largest ship, if the battle can be fought without her."""
    for side in sides:
        sizes = {one.label: (one.silhouette == "carrier", one.factors) for tray in side.trays for one in tray.counters}
        ships = [part for tray in side.trays for part in tray.parts if not part.step and part.name in sizes]
        best = sorted(ships, key=lambda part: sizes[part.name], reverse=True)[:TRIED]
        without = [(part.name, changed(text, {}, part.path)) for part in best]
        yield from [one for one in without if read(one[1]).document is not None][:1]


def corrected(text: str, problems: tuple[Problem, ...]) -> str:
    """The text with every suggestion taken."""
    for one in sorted(problems, reverse=True):
        text = fixed(text, one) if one.suggestion else text
    return text
