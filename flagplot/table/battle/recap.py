"""What happened since somebody's last move, in the order in which it happened and under the steps of play.

Made from the lines of the reader's own log and nothing else. The page's script shows the dice in it one after another;
without the script it is a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from flagplot.kernel.log import Entry
from flagplot.table.battle.page_words import Line, Told
from flagplot.table.info import Look
from flagplot.table.plans.words import words_of

MOST = 40
"""Lines that are told at most; all of them are in the log."""
NOTHING = "Nothing to decide"
HEXES = re.compile(r"-?\d+,-?\d+ -?\d+,-?\d+")
SIGNALS = 4
"""Things that the line below the chart tells."""


class Chapter(NamedTuple):
    """The lines of one step of play."""

    title: str
    lines: Sequence[Told]


class Recap(NamedTuple):
    """What a page tells of the past: all since the last move, and the newest of it on one line."""

    chapters: Sequence[Chapter]
    signals: Sequence[Told]

    @property
    def rolls(self) -> int:
        return sum([line.kind == "roll" for chapter in self.chapters for line in chapter.lines])

    @property
    def newest(self) -> str:
        """The newest line that can be read at a glance: paths are lists of hexes."""
        texts = [line.text for chapter in self.chapters for line in chapter.lines]
        return next((text for text in reversed(texts) if not HEXES.search(text)), texts[-1])

    @property
    def headlines(self) -> list[Told]:
        """Ships sunk or damaged, air lost, groups found: what somebody wants to know first."""
        return [line for chapter in self.chapters for line in chapter.lines if line.headline not in ("", "round")]


def recap_of(look: Look, lines: Mapping[int, Line]) -> Recap:
    """The recap of a reader; `lines` are the newest lines of his log by their numbers."""
    numbers = since_last_move(look)
    told = [lines[number].told for number in numbers if number in lines and not _is_idle(lines[number].told)]
    newest = [lines[number].told for number in sorted(lines)]
    signals = [line for line in newest if _is_signal(line)]
    if not signals and look.result is None:
        signals = [line for line in newest if line.kind == "note" and not HEXES.search(line.text)][-1:]
    return Recap(chapters_of(look, told), signals[-SIGNALS:])


def since_last_move(look: Look) -> range:
    """The numbers of the lines since the reader last decided something himself; for a neutral, the last lines."""
    first = len(look.log) - MOST
    for place in range(len(look.log) - 1, max(first, 0) - 1, -1):
        if is_own_move(look.log[place], look.reader):
            first = place + 1
            break
    return range(max(first, 0) + 1, len(look.log) + 1)


def is_own_move(entry: Entry, reader: str) -> bool:
    """Whether a line is a decision that this reader made, and neither his staff nor an order of his."""
    return entry.kind == "choice" and entry.side == reader and not entry.mark


def chapters_of(look: Look, lines: Iterable[Told]) -> list[Chapter]:
    """Lines under the steps that they belong to."""
    words, found = words_of(look.game), list[tuple[str, list[Told]]]()
    for line in lines:
        title = words.chapter(line.rule) or (found[-1][0] if found else _title_before(look, line.number))
        if not found or found[-1][0] != title:
            found.append((title, []))
        found[-1][1].append(line)
    return [Chapter(title, some) for title, some in found]


def _title_before(look: Look, number: int) -> str:
    """The step in which a line stands that begins none."""
    words = words_of(look.game)
    return next((title for entry in reversed(look.log[: number - 1]) if (title := words.chapter(entry.rule))), "")


def _is_idle(line: Told) -> bool:
    """Whether a line says only that there was nothing to decide: the log has it, the news does not need it."""
    return line.kind == "choice" and line.text.startswith(NOTHING)


def _is_signal(line: Told) -> bool:
    """Whether a line is worth the little room below the chart: dice, and what is to be shown."""
    return line.kind == "roll" or bool(line.headline)
