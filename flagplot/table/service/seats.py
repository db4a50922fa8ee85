"""Seats: making a table, sitting down, links, and how a seat changes hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.table.info import Created, Seat, SeatRequest
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

    def replace_link(self, token: str, side: str) -> str:
        """A new token for a side, by its own holder or the host; the old one is dead. NotAllowed for others. If
        somebody has joined there, the host only asks for the seat, and nothing is returned."""
        return self._handing_over.replace_link(token, side)

    def leave(self, token: str, side: str) -> str:
        """The holder of a side hands it on: a token for somebody else; his own is dead."""
        return self._handing_over.replace_link(token, side, leave=True)

    def relinked(self, game_id: str) -> dict[str, float]:
        """The sides whose links were replaced since the table was made, and when: everybody at it may know."""
        made = float(self.store.game(game_id)["created"])
        links = self.store.links(game_id)
        return {str(link["side"]): float(link["made"]) for link in links if link["side"] and link["made"] > made}

    def hand_over(self, host_token: str, side: str, holder: str) -> str:
        """Give a seat to a ``person`` (returns the new token) or to a player of the program (returns ""). If
        somebody has joined there, the host only asks for it (see `seat_requests`), and nothing is returned."""
        return self._handing_over.hand_over(host_token, side, holder)

    @property
    def absence_days(self) -> int:
        """For how many days the holder of a seat must have given no sign before the host may give it away."""
        return self._handing_over.days

    def seat_requests(self, game_id: str) -> list[SeatRequest]:
        """The seats that the host asks for, whose holders have joined: everybody may know."""
        return self._handing_over.requests(game_id)

    def settle_seat_request(self, token: str, side: str, yes: bool) -> None:
        """The holder of a seat that the host asks for allows it or declines. Raises Conflict, NotAllowed."""
        self._handing_over.settle(token, side, yes=yes)

    def withdraw_seat_request(self, host_token: str, side: str) -> None:
        """The host asks for a seat no more. Raises Conflict, NotAllowed."""
        self._handing_over.withdraw(host_token, side)

    def carry_out_seat_request(self, host_token: str, side: str) -> str:
        """The host gives a seat away whose holder has given no sign for long enough since he asked; the new token, if
        it goes to a person. Raises NotYet, Conflict, NotAllowed."""
        return self._handing_over.carry_out(host_token, side)
