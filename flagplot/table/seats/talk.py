"""What players say to each other, and the note pad of each seat.

None of it is part of the game: it is in no tape, proof, archive or log, and spectators get none of it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from flagplot.kernel.errors import BadValue
from flagplot.table.recent import Recent
from flagplot.table.refusals import Conflict, NotAllowed, TooManyCalls
from flagplot.table.seats.seating import TURNING, clean
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
REACTIONS: Final = ("Good luck", "Well played", "Nice roll", "Ouch", "One moment", "Thank you")
"""What can be said with one click, if both sides want that."""
REACTIONS_A_MINUTE: Final = 4
REMEMBERED: Final = 2000
"""Tables of which is remembered what was not read."""


@dataclass(frozen=True, slots=True)
class Message:
    """Something that a side said."""

    side: str
    text: str
    at: float


class Unread(NamedTuple):
    """What a side has not read yet."""

    number: int = 0
    reaction: str = ""
    """What the other side said last with one click."""
    reactions: bool = False
    """Whether quick reactions are on: both sides want them."""


NOTHING: Final = Unread()


class Talk:
    """Chat and note pads of all tables."""

    def __init__(self, store: Store, clock: Callable[[], float], wake: Callable[[str], None]) -> None:
        self._store, self._clock, self._wake = store, clock, wake
        self._lock = threading.Lock()
        self._known: Recent[str, dict[str, Unread]] = Recent(REMEMBERED)

    def unread(self, game: str, side: str) -> Unread:
        """What a side has not read yet; for those who sit at a table. It is asked at every look, so it is remembered
        until somebody says or reads something."""
        with self._lock:
            known = self._known.get(game)
        if known is None:
            known = self._counted(game)
            with self._lock:
                self._known[game] = known
        return known.get(side, NOTHING)

    def _counted(self, game: str) -> dict[str, Unread]:
        said, heard = self._store.messages(game), self._store.heard(game)
        sides = {*heard, *[seat["side"] for seat in self._store.seats(game)]}
        both = len(sides) > 1 and all([heard.get(side, (0, False))[1] for side in sides])
        found = {}
        for side in sides:
            last = heard.get(side, (0, False))[0]
            new = [row["text"] for row in said if row["n"] > last and row["side"] != side]
            words = [text for text in new if text not in REACTIONS]
            reaction = new[-1] if both and new and new[-1] in REACTIONS else ""
            found[side] = Unread(len(words), reaction, both)
        return found

    def forget(self, game: str) -> None:
        """Something was said or read, here or at another server."""
        with self._lock:
            self._known.pop(game, None)

    def read(self, game: str, side: str) -> None:
        """A side has seen all that was said."""
        last = max([row["n"] for row in self._store.messages(game)], default=0)
        before, wants = self._store.heard(game).get(side, (0, False))
        if last > before:
            self._keep(game, side, last, wants)

    def wants_reactions(self, game: str, side: str) -> bool:
        return self._store.heard(game).get(side, (0, False))[1]

    def want_reactions(self, game: str, side: str, wants: bool) -> None:
        """Turn quick reactions on or off for a side; they are shown while both sides have them on."""
        self._keep(game, side, self._store.heard(game).get(side, (0, False))[0], wants)

    def _keep(self, game: str, side: str, n: int, wants: bool) -> None:
        self._store.keep_heard(game, side, n, wants)
        self.forget(game)
        self._wake(game)

    def react(self, game: str, side: str, text: str) -> None:
        """Say one of a few things with one click. Raises BadValue, NotAllowed, TooManyCalls."""
        if text not in REACTIONS:
            raise BadValue("there is no such reaction", given=text, allowed=list(REACTIONS))
        if not self.unread(game, side).reactions:
            raise NotAllowed("quick reactions are off: both sides turn them on under Chat and notes")
        recent = [row for row in self._store.messages(game) if row["side"] == side and row["text"] in REACTIONS]
        if len([row for row in recent if row["at"] > self._clock() - 60]) >= REACTIONS_A_MINUTE:
            raise TooManyCalls("that is a lot in one minute: wait a moment")
        self.say(game, side, text)

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
                self._store.say(game, side, said, now, KEPT)
                self.forget(game)
                return self._wake(game)
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
