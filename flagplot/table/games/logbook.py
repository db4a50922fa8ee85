"""The log of a table: as each reader may know it, with marks on his own answers that he did not give himself.

A log grows at its end, unless something is taken back. So what was read is kept, and a look reads what is new.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from flagplot.kernel.game import Game
from flagplot.kernel.log import FORCED, Entry, LogReader
from flagplot.kernel.requests import Note
from flagplot.kernel.save_lines import ORDERS


class Logbook:
    """What the readers of one game in memory have read of its log."""

    def __init__(self) -> None:
        self._begin(0)

    def _begin(self, undone: int) -> None:
        """From the beginning: what was taken back is no longer in the log."""
        self._undone = undone
        self._lines = 0
        self._turn = 0
        self._by: dict[int, str] = {}
        self._readers: dict[str, tuple[LogReader, int, int]] = {}
        """For each reader the log, the events, and the answers that are in it."""

    def read(self, game: Game[Any], texts: Sequence[str], reader: str) -> list[Entry]:
        """The log as a reader may know it; `texts` is the tape."""
        if game.undone != self._undone or len(texts) < self._lines:
            self._begin(game.undone)
        self._note(texts)
        log, known, turn = self._readers.get(reader) or (LogReader(reader, marked=True), 0, 0)
        events = game.events
        for event in events[known:]:
            if not isinstance(event[0], Note) and event[1] != FORCED:
                turn += 1
            log.add(event, self._by.get(turn, ""))
        self._readers[reader] = log, len(events), turn
        return log.entries(game.pending)

    def _note(self, texts: Sequence[str]) -> None:
        """Go on through the tape: which answers were given by what."""
        for text in texts[max(1, self._lines) :]:
            body = json.loads(text)
            if "undo" in body:
                self._turn = body["undo"] - 1
                self._by = {turn: by for turn, by in self._by.items() if turn <= self._turn}
            elif "choose" in body or "roll" in body:
                self._turn += 1
                if body.get("by") == ORDERS:
                    self._by[self._turn] = ORDERS
        self._lines = len(texts)
