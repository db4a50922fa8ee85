"""The place where people look and type: a terminal, or a pipe that gets the same words without control codes."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable
from typing import NamedTuple

from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.text import Text

from flagplot.board.model import TIE

SIDES = ("#2f8fd8", "#d9790b")
"""Blue and orange differ for every kind of eyes, on a dark and on a light screen."""
FAINT = "dim"
STRONG = "bold"

TWO_COLUMNS = 78
"""The least width of a screen on which two things stand beside each other."""

CLEAR_ALL = "\x1b[H\x1b[2J\x1b[3J"
"""Home, clear the screen, clear what was scrolled off it."""


class Line(NamedTuple):
    """A line of text; where it is too long for a terminal it goes on `hang` columns further in."""

    text: Text
    indent: int = 0
    hang: int = 2


class Screen:
    """Prints to a console and asks at the keyboard."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.live = console.is_terminal and not console.record and sys.stdin.isatty()
        if self.live:
            _edit_lines()

    @property
    def pretty(self) -> bool:
        """Whether this is a terminal, with a width to fill."""
        return self.console.is_terminal

    @property
    def width(self) -> int:
        return self.console.width

    def say(self, text: str = "", style: str = "") -> None:
        self.show([Line(Text(text, style), hang=0)])

    def show(self, lines: Iterable[Line]) -> None:
        """Print lines, broken with a hanging indent on a terminal and whole in a pipe."""
        for line in lines:
            for piece in broken(line, self.console) if self.pretty else [indented(line.text, line.indent)]:
                self.console.print(piece, soft_wrap=True)

    def command(self, text: str) -> None:
        """A command to be copied: it is never broken into lines."""
        self.console.print(Text(f"  {text}"), soft_wrap=True)

    def draw(self, picture: RenderableType) -> None:
        self.console.print(picture)

    def rule(self, title: str = "") -> None:
        """A line across the screen."""
        if self.pretty:
            self.console.print(Rule(Text(title, STRONG) if title else "", style=FAINT, align="left"))
        else:
            self.say(f"== {title} ==" if title else "==")

    def ask(self, prompt: str) -> str:
        """One line from the keyboard. Raises EOFError at the end of input."""
        if self.live:
            return input(prompt).strip()
        typed = sys.stdin.isatty()
        if typed:  # but the output goes into a pipe
            print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        if not typed:  # a pipe does not echo what it sends: the record should show it
            self.say(f"{prompt}{line.strip()}")
        return line.strip()

    def wipe(self) -> None:
        """Leave nothing to be read on the screen or above it."""
        if self.console.is_dumb_terminal:
            self.console.print("\n" * self.console.height)
        elif self.live:
            self.console.file.write(CLEAR_ALL)
            self.console.file.flush()


def _edit_lines() -> None:
    """Let arrow keys edit the line. Without a history: it would show one player's answers to the other."""
    with contextlib.suppress(ImportError):
        import readline

        readline.set_auto_history(False)


def indented(text: Text, columns: int) -> Text:
    line = Text(" " * columns).append_text(text)
    line.plain = line.plain.replace(TIE, " ")
    return line


def broken(line: Line, console: Console, width: int = 0) -> list[Text]:
    """The pieces of a line that fit into the width."""
    room = (width or console.width) - line.indent
    first, *_ = line.text.wrap(console, room) or [Text()]
    pieces = [indented(first, line.indent)]
    rest = line.text[len(first.plain) :]
    blanks = len(rest.plain) - len(rest.plain.lstrip(" "))
    if rest.plain.strip():
        more = rest[blanks:].wrap(console, max(room - line.hang, 10))
        pieces += [indented(piece, line.indent + line.hang) for piece in more]
    for piece in pieces:
        piece.rstrip()
    return pieces
