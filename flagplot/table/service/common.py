"""What all parts of the service have: the games in memory, and the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flagplot.kernel.errors import UnknownName
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.table.games.live import LiveGame
from flagplot.table.games.wakeups import Wakeups
from flagplot.table.playing.answers import Playing
from flagplot.table.seats.handovers import HandingOver
from flagplot.table.seats.seating import Seating
from flagplot.table.seats.talk import Talk
from flagplot.table.store.database import ALL, LINES_ONLY, REVEALED, UNSEEN
from flagplot.table.store.store import Store


class Service:
    """A part of the service of the tables of a store."""

    store: Store
    clock: Callable[[], float]
    wakeups: Wakeups
    talk: Talk
    _playing: Playing
    _seating: Seating
    handovers: HandingOver

    @property
    def _hears(self) -> bool:
        return self._playing.hears

    @contextmanager
    def _game(self, game_id: str, reader: str, *, heard: bool = False) -> Iterator[LiveGame]:
        with self._playing.using(game_id, heard=heard) as live:
            if reader not in live.game.sides and reader not in (NEUTRAL, UMPIRE):
                raise UnknownName("there is no such side at this table", given=reader, allowed=list(live.game.sides))
            self.handovers.note_sign(live, reader)
            yield live

    def _changed_elsewhere(self, game_id: str, what: str = ALL) -> None:
        """Another server has changed something, or this one something beside the lines of a game."""
        if what == REVEALED:
            self._playing.fresh.heard_of_bytes(game_id)
            return
        self._playing.games.changed_elsewhere(game_id, lines_only=what in (LINES_ONLY, UNSEEN))
        if what not in (LINES_ONLY, UNSEEN):
            self._seating.forget(game_id)
            self.talk.forget(game_id)
        if what != UNSEEN:
            self.wakeups.wake(game_id)
