"""What players say to each other, and the note pad of each seat.

None of it is part of the game: it is in no tape, proof, archive or log, and spectators get none of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from flagplot.kernel.errors import BadValue
from flagplot.table.refusals import Conflict, TooManyCalls
from flagplot.table.seating import TURNING, clean
from flagplot.table.store.database import Duplicate
from flagplot.table.store.store import Store

MESSAGE: Final = 500
"""Characters of a message."""
PAD: Final = 10_000
"""Characters of a note pad."""
KEPT: Final = 300
"""Messages that a table keeps."""
A_MINUTE: Final = 12
"""Messages that one side may send in a minute."""


@dataclass(frozen=True, slots=True)
class Message:
    """Something that a side said."""

    side: str
    text: str
    at: float


class Talk:
    """Chat and note pads of all tables."""

    def __init__(self, store: Store, clock: Callable[[], float]) -> None:
        self._store, self._clock = store, clock

    def messages(self, game: str) -> list[Message]:
        """What was said at a table, for those who sit at it."""
        return [Message(row["side"], row["text"], row["at"]) for row in self._store.messages(game)]

    def say(self, game: str, side: str, text: str) -> None:
        """Say something to the other side. Raises BadValue, TooManyCalls."""
        said = clean(text, MESSAGE + 1)
        if not said:
            raise BadValue("write something first")
        if len(said) > MESSAGE:
            raise BadValue(f"a message has at most {MESSAGE} characters")
        now = self._clock()
        if self._store.said_since(game, side, now - 60) >= A_MINUTE:
            raise TooManyCalls("that is a lot in one minute: wait a moment")
        for _ in range(5):
            try:
                return self._store.say(game, side, said, now, KEPT)
            except Duplicate:  # the other side spoke at the same moment, at another server
                continue
        raise Conflict("the other side spoke at the same moment: try again")

    def pad(self, game: str, side: str) -> str:
        return self._store.pad(game, side)

    def write_pad(self, game: str, side: str, text: str) -> None:
        """Keep what a side noted. Raises BadValue."""
        plain = "".join([letter for letter in text.replace("\r\n", "\n") if letter not in TURNING and letter != "\0"])
        if len(plain) > PAD:
            raise BadValue(f"the note pad has room for {PAD} characters")
        self._store.write_pad(game, side, plain.rstrip())
