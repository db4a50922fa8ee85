"""Where a battle stands: its line of segments with the present one in brackets, as the view tells it.

Any game may offer such a line: `segment` in its views has `line`, a short name for each mark, the `mark` of the present
one, its `name` and its `rule`. A game without one shows none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from flagplot.cli.screen import FAINT, STRONG, Line

Data = Mapping[str, Any]


def stage_of(data: Data) -> list[Line]:
    """``Round 2  A B C D [E] F G H I W  search (22.41E)``."""
    return [*_step(data), *_segment(data)]


def _step(data: Data) -> list[Line]:
    """``Combat stage  announce bases [intercept] sail carry-out home  counter-interceptions (22.164B)``."""
    now = data.get("step")
    if not now:
        return []
    head = f"{now['title']}  "
    line = Text.assemble((head, STRONG), Text(" ").join(_mark(mark, now["mark"]) for mark in now["line"]), "  ")
    name = f"{now['name']} " if now["name"] else ""
    return [Line(Text.assemble(line, (name, STRONG), (f"({now['rule']})", FAINT)), hang=len(head))]


def _segment(data: Data) -> list[Line]:
    now = data.get("segment")
    if not now:
        return []
    parts = [(f"Round {data['round']}  ", STRONG)] if "round" in data else []
    line = Text.assemble(*parts, Text(" ").join(_mark(mark, now["mark"]) for mark in now["line"]))
    line.append("  ")
    return [Line(Text.assemble(line, (now["name"], STRONG), (f" ({now['rule']})", FAINT)), hang=len(parts) * 9)]


def _mark(mark: str, now: str) -> Text:
    return Text(f"[{mark}]", STRONG) if mark == now else Text(mark, FAINT)


def line_in_words(data: Data) -> list[Line]:
    """What each mark of the lines means: the steps of an operation, the segments of a round."""
    return [line for key in ("step", "segment") for line in _in_words(data.get(key) or {"line": {}, "mark": ""})]


def _in_words(now: Data) -> list[Line]:
    width = max(map(len, now["line"]), default=0)
    return [
        Line(Text.assemble((f"{mark:<{width}}  ", STRONG), name + (" (now)" if mark == now["mark"] else "")), 2, 3)
        for mark, name in now["line"].items()
    ]
