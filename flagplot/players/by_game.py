"""The doctrine player of whatever game it is asked in: each game has principles of its own."""

from __future__ import annotations

from typing import Any, Protocol

from flagplot.kernel.plugins import imported
from flagplot.kernel.progress import Pick
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.players.doctrine import Doctrine, DoctrinePlayer

DOCTRINES = {"line-of-battle": "flagplot.players.line_of_battle:LineOfBattleDoctrine"}
"""Where the doctrine players of other games than the first are; each is made with a `Doctrine` and `Lots`."""


class Chooser(Protocol):
    """A doctrine player: it answers with an option."""

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]: ...


class DoctrineByGame(DoctrinePlayer):
    """Hands a question to the doctrine player of its game; without one, it is answered by the first game's."""

    def __init__(self, doctrine: Doctrine | None = None, seed: int | None = None) -> None:
        super().__init__(doctrine, seed)
        self._others: dict[str, Chooser] = {}

    def elsewhere(self, view: View) -> Pick:
        if view.game not in DOCTRINES:
            return super().elsewhere(view)
        chooser = self._player(view.game)
        return lambda request: chooser.choose(view, request).index

    def _player(self, game: str) -> Chooser:
        if game not in self._others:
            self._others[game] = imported(DOCTRINES[game])(self.doctrine, self.lots)
        return self._others[game]
