"""Seats: making a table, sitting down, links. How a seat changes hands is in `handovers`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.table.info import Created, Seat
from flagplot.table.service.common import Service


class Seats(Service):
    """Who sits where."""

    def create(
        self,
        scenario: Mapping[str, Any] | str,
        *,
        options: Mapping[str, Any] | None = None,
        seats: Mapping[str, str] | None = None,
        title: str = "",
        level: str = "",
        network: str = "",
    ) -> Created:
        """Make a table of a scenario: the name of one that comes with Flagplot, or its data (never a file's name).

        `seats` says who holds each side: ``person`` (the default), ``hotseat`` (one link for all such sides), or a
        player of the program, ``captain`` for one. `level` is how much they decide themselves (see `set_level`): if
        it is not named, what an admiral decides against the program, and everything against people. `network` is
        where the request comes from, for the limit of tables a day. Raises ScenarioError with every fault,
        UnknownName, BadValue, TooManyTables, NoRoom.
        """
        return self._seating.create(scenario, options or {}, seats or {}, title, level, network)

    def seat(self, token: str) -> Seat:
        """What a token opens. Raises NoSuchSeat."""
        return self._seating.seat(token, remembered=self._hears)

    def known_seat(self, token: str) -> Seat | None:
        """The same, if it is known without asking the store: for those who may not wait."""
        return self._seating.known(token) if self._hears else None

    def join(self, token: str, *, name: str = "", contribution: str = "") -> Seat:
        """Sit down: at the first time the contribution (16 to 64 random bytes, hexadecimal) goes into the dice.

        Joining again changes the name if one is given. Raises NoSuchSeat, and DiceError for a bad contribution."""
        return self._seating.join(token, name, contribution)

    def contribute(self, game_id: str, side: str, contribution: str) -> str:
        """Add to the dice what the client of a side drew (16 to 64 random bytes, hexadecimal), once for whoever sits
        there; the receipt. The same bytes sent again change nothing. Raises DiceError, and Conflict if others are there
        already."""
        return self._seating.contribute(game_id, side, contribution)

    def relinked(self, game_id: str) -> dict[str, float]:
        """The sides whose links were replaced since the table was made, and when: everybody at it may know."""
        made = float(self.store.game(game_id)["created"])
        links = self.store.links(game_id)
        return {str(link["side"]): float(link["made"]) for link in links if link["side"] and link["made"] > made}
