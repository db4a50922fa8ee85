"""Printing for people: colour and tables on a terminal, plain text in a pipe; and one JSON document for programs."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

WIDE = 10_000
"""The width of a pipe: lines are not broken there."""


def print_json(document: Any) -> None:
    """The one JSON document of a command."""
    print(json.dumps(document, ensure_ascii=False, indent=2))


def new_console() -> Console:
    """The console on standard output. Colour blind or without colour at all, everything is said in words too."""
    from rich.console import Console

    class Piped(Console):
        """Rich would end with exit code 1 when its reader goes away, which here means: the answer is no."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    terminal = sys.stdout.isatty()
    return Piped(
        highlight=False,
        emoji=False,
        markup=False,
        soft_wrap=not terminal,
        width=None if terminal else WIDE,
        force_terminal=terminal,
    )


def tolerate_any_text() -> None:
    """Never fail over a character that the terminal cannot show, or over bytes that are no text."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError, OSError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table: with rules and colour on a terminal, in aligned columns in a pipe."""
    if not sys.stdout.isatty():
        print("\n".join(aligned([headings, *rows])))
        return
    from rich import box
    from rich.table import Table

    table = Table(*headings, box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for row in rows:
        table.add_row(*row)
    new_console().print(table)


def aligned(rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows as lines of text whose columns stand under each other."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
