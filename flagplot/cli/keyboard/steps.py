"""Where a game stands: its lines of steps with the present one in brackets. A game without any shows none."""

from __future__ import annotations

from rich.text import Text

from flagplot.board.model import Board, Steps
from flagplot.cli.screen import FAINT, STRONG, Line


def stage_of(board: Board | None) -> list[Line]:
    """``Round 2  A B C D [E] F G H I W  search (22.41E)``."""
    return [_line(steps) for steps in _lines(board)]


def _lines(board: Board | None) -> list[Steps]:
    return [steps for steps in board.steps if not steps.outer] if board else []


def _line(steps: Steps) -> Line:
    head, name = f"{steps.title}  ", f"{steps.name} " if steps.name else ""
    marks = [Text(f"[{mark}]", STRONG) if mark == steps.mark else Text(mark, FAINT) for mark in steps.line]
    text = Text.assemble((head, STRONG), Text(" ").join(marks), "  ", (name, STRONG), (f"({steps.rule})", FAINT))
    return Line(text, hang=len(head))


def line_in_words(board: Board | None) -> list[Line]:
    """What each mark of the lines means: the steps of an operation, the segments of a round."""
    return [line for steps in _lines(board) for line in _in_words(steps)]


def _in_words(steps: Steps) -> list[Line]:
    width = max(map(len, steps.line), default=0)
    return [
        Line(Text.assemble((f"{mark:<{width}}  ", STRONG), name + (" (now)" if mark == steps.mark else "")), 2, 3)
        for mark, name in steps.line.items()
    ]
