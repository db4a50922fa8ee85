"""What one kind of reader is shown of a game, made once and shared: the pages of one side, or those of all spectators.

All that a shared part may show is in the `Look` of its reader and in the `Place` of its kind, so nothing can cross from
one kind to another; what belongs to one visitor alone, as the token of his forms, is in none of them. A part is made
again only if what it is made of has changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from markupsafe import Markup, escape

from flagplot.board.model import Board
from flagplot.table.battle.page_parts import Part, as_partials, parts_of
from flagplot.table.battle.page_words import Line, board_of, lines_of, own_words, turn_in_words
from flagplot.table.games.lane import AHEAD, in_lane
from flagplot.table.info import Look
from flagplot.table.reader import Place

if TYPE_CHECKING:
    from flagplot.table.tables import Tables

KNOWN = 2.0
"""Seconds for which something that was made is shown to others without looking again who is present."""
SPOKEN = 6
"""Lines that are said aloud at a time; more would be a lecture."""
NUMBERS = count(1)
STEADY = "ground"
"""The part that a page has from the beginning and that hardly ever changes, so that a stream does not begin with it."""

KindKey: TypeAlias = tuple[str, str, str, tuple[str, ...], bool]


class Sitting(NamedTuple):
    """Who sits where: while that is the same, no link was replaced."""

    kind: str
    name: str
    joined: bool


@dataclass(frozen=True, eq=False, slots=True)
class Rendered:
    """All parts of a page for one kind of reader at one moment."""

    place: Place
    look: Look
    made: dict[str, Part]
    lines: dict[int, Line]
    """The newest lines of the log by their numbers, the newest first."""
    turn: str
    board: Board | None
    """What lies on the board."""
    number: int = field(default_factory=lambda: next(NUMBERS))
    _since: dict[int, bytes] = field(default_factory=dict)
    """What was sent to pages that had another moment before, by its number."""

    @classmethod
    def of(cls, place: Place, look: Look, before: Rendered | None = None) -> Rendered:
        """Make it; what is the same as before is taken from there."""
        lines = lines_of(look, before.lines if before else {})
        board = before.board if before and before.look.view is look.view else board_of(look)
        made = parts_of(place, look, board, lines, before.made if before else None)
        return cls(place, look, made, lines, turn_in_words(look), board)

    @property
    def parts(self) -> dict[str, Markup]:
        """The text of each part."""
        return {name: part.text for name, part in self.made.items()}

    def since(self, before: Rendered | None) -> bytes:
        """The event that brings a page up to this moment that was last sent another one, or none; empty if it has all
        of it."""
        if before is self:
            return b""
        known = before.number if before else 0
        if known not in self._since:
            text = self._news(before)
            self._since[known] = event_of(text) if text else b""
        return self._since[known]

    def _news(self, before: Rendered | None) -> str:
        sent, parts = before.parts if before else {}, self.parts
        if before is None:
            sent[STEADY] = parts[STEADY]
        changed = {name: text for name, text in parts.items() if sent.get(name) != text}
        if before and not self._dice_are_news(before):
            changed.pop("dice", None)
        said = self._said(before) if before else ""
        if said:
            said = f'<hx-partial hx-target="#part-said" hx-swap="innerHTML">{escape(said)}</hx-partial>'
        return as_partials(changed) + said

    def _dice_are_news(self, before: Rendered) -> bool:
        """Whether the page's script has to hear something of the dice. Not of its own pledge, which it knows: it would
        go out with whatever wakes the page next, and so tell when the other side answers in secret."""
        was, now = before.look, self.look
        void = bool(was.pledge) and not now.pledge  # the dice did not wait for it
        asked = was.pledge is None and now.pledge is not None
        given = was.ahead.given != now.ahead.given
        return void or asked or given or was.reveal != now.reveal or self._contributed != before._contributed

    @property
    def _contributed(self) -> bool:
        holder = self.place.table.holders.get(self.place.side)
        return holder is not None and holder.contributed

    def _said(self, before: Rendered) -> str:
        """Rolls and decisions that are new, and whose turn it is."""
        log = self.look.log
        first = max(len(before.look.log), len(log) - SPOKEN)
        lines = [self.lines[number].told for number in range(first + 1, len(log) + 1)]
        words = [line.spoken for line in lines if line.side < 0 or self.look.reader != log[line.number - 1].side]
        if self.turn != before.turn or words:
            own = own_words(self.look, None)
            words.append(f"{self.turn} {own(self.look.pending.text)}" if self.look.pending else self.turn)
        if self.look.unread > before.look.unread:
            words.append("New message.")
        if self.look.reacted and self.look.reacted != before.look.reacted:
            words.append(f"Your opponent: {self.look.reacted}.")
        return " ".join(words)


def event_of(text: str, name: str = "") -> bytes:
    """A text as an event of a stream."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\ndata: ")
    named = f"event: {name}\r\n" if name else ""
    return f"{named}data: {lines}\r\n\r\n".encode()


class Kind:
    """One kind of reader of one game, while pages of it are open."""

    def __init__(self, tables: Tables, place: Place) -> None:
        self.tables, self.place = tables, place
        self.pages = 0
        """How many are open."""
        self._made: Rendered | None = None
        self._sitting: list[Sitting] = []
        self._relinked: tuple[tuple[str, float], ...] = ()
        self._shown: tuple[int, float, Rendered] | None = None
        """What was made last, at which tick of the game and when."""
        self._making: asyncio.Task[Rendered] | None = None
        self._begun: int | None = None
        """At which tick the making has begun; none while it waits for its turn."""

    async def now(self) -> Rendered:
        """This moment. However many pages ask, it is made once after each change of the game. While there is none, all
        that can change is who is present."""
        tick = self.tables.tick(self.place.table.id)
        if self._shown and self._shown[0] == tick:
            _, made, shown = self._shown
            if monotonic() - made < KNOWN or self.tables.is_same(shown.place.table):
                return shown
        if self._making is None or self._begun not in (None, tick):
            self._begun = None
            self._making = asyncio.create_task(self._make())
            self._making.add_done_callback(_hear)
        return await asyncio.shield(self._making)  # a page that is closed meanwhile takes nothing from the others

    async def _make(self) -> Rendered:
        """Make it when its turn comes. What changes while it waits in line is taken along, whoever changed it: it comes
        no sooner for that, or it would show that the other side has answered in secret."""
        tick, begun = 0, 0.0

        def work() -> Rendered:
            nonlocal tick, begun
            tick, begun = self.tables.tick(self.place.table.id), monotonic()
            self._begun = tick
            return self.look()

        try:
            made = await in_lane(work, self._urgency)
        finally:
            if self._making is asyncio.current_task():
                self._making = None
        if self._shown is None or self._shown[0] <= tick:
            self._shown = tick, begun, made
        return made

    @property
    def _urgency(self) -> float:
        """A player who waits for the other one comes first; spectators, and a player whose answer was acknowledged just
        now, after the answers that have come."""
        waits = not self.place.spectator and self.tables.changed_by(self.place.table.id) != self.place.side
        return AHEAD if waits else -AHEAD

    def look(self) -> Rendered:
        """Look at the game now; the same object as before if this kind of reader sees no difference."""
        before = self._made
        look = self.tables.look(self.place.table.id, self.place.side, subscribed=True, sheet=True)
        same = before is not None and before.look.view == look.view  # then nothing has to be made of it again
        look = replace(look, version=0, view=before.look.view if before and same else look.view)
        table = replace(self.tables.table(self.place.table.id), version=0)  # after that, since it is known now
        if not self.place.spectator:
            sitting = [Sitting(one.kind, one.name, one.joined) for one in table.holders.values()]
            if sitting != self._sitting:
                self._sitting = sitting
                self._relinked = tuple(self.tables.relinked(table.id).items())
        names = tuple(look.view.sides.items())
        place = replace(self.place, table=table, names=names, relinked=self._relinked)
        if before is None or not same or before.place != place or before.look != look:
            before = self._made = Rendered.of(place, look, before)
        return before  # not what is kept: another thread may just have kept an older moment


def _hear(task: asyncio.Task[Rendered]) -> None:
    """A table may be deleted while its last page closes: then nobody waits for the fault, and asyncio would log it."""
    if not task.cancelled():
        task.exception()


class Kinds:
    """The kinds of readers that have pages open. For the event loop alone."""

    def __init__(self) -> None:
        self._open: dict[KindKey, Kind] = {}

    @contextmanager
    def open(self, tables: Tables, place: Place) -> Iterator[Kind]:
        """The kind of a page, while it is open."""
        key = (place.table.id, place.base, place.side, place.sides, place.host)
        kind = self._open.setdefault(key, Kind(tables, place))
        kind.pages += 1
        try:
            yield kind
        finally:
            kind.pages -= 1
            if not kind.pages:
                del self._open[key]
