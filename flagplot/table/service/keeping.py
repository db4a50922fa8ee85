"""How long tables are kept, and how the server is."""

from __future__ import annotations

from collections.abc import Sequence

from flagplot.table.keeping.health import Health
from flagplot.table.keeping.retention import Deletion, Tidying
from flagplot.table.refusals import NotAllowed
from flagplot.table.service.common import Service


class Keeping(Service):
    """Retention, health and figures."""

    _health: Health
    _tidying: Tidying

    def deletion(self, game_id: str) -> Deletion | None:
        """When a table will be deleted, if that is near: everybody at it may know."""
        retention = self._tidying.retention
        return retention.deletion(self.store.game(game_id), self.clock()) if retention.is_set else None

    def keep(self, game_id: str) -> None:
        """Keep an unfinished table: its time begins again."""
        if self.store.game(game_id)["finished"] is not None:
            raise NotAllowed("the game is over: download it to keep it")
        self.store.keep(game_id, self.clock())
        self._changed_elsewhere(game_id)

    def tidy(self) -> Sequence[str]:
        """Delete the tables that are due; their ids. A running server does it by itself."""
        return self._tidying.tidy()

    def trouble(self) -> str:
        """For `/healthz`: why nothing can be kept now, in words; nothing if all is well."""
        return self._health.trouble()

    def figures(self) -> dict[str, int]:
        """For `/metrics`: tables, finished ones, games in memory, streams."""
        return {**self.store.figures(), "in_memory": len(self._playing.games), "streams": self.wakeups.streams}
