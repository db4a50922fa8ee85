"""Rematches: the same battle again, with the same people, on the same or on swapped sides.

Whoever asks first makes the new table and sits down there. The others are offered their seats on the page of the old
one; a seat's link is made when its player accepts, so nobody else ever has it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from flagplot.table.info import PERSON
from flagplot.table.playing.answers import Playing
from flagplot.table.refusals import Conflict, NotYet
from flagplot.table.seats.seating import Seating, mark_of, new_token
from flagplot.table.store.database import Duplicate, Found


@dataclass(frozen=True, slots=True)
class Offer:
    """A rematch that waits for the others."""

    game: str
    side: str
    """Who offers it, by the side that he had."""
    swapped: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """A seat at the new table."""

    game: str
    token: str = field(repr=False)
    host: str = field(default="", repr=False)
    """The host's token, for whoever has made the table."""


class Rematches:
    """Makes rematches and hands out their seats."""

    def __init__(self, playing: Playing, seating: Seating) -> None:
        self._playing, self._seating, self._store = playing, seating, playing.store

    def offered(self, game_id: str, sides: Sequence[str]) -> Offer | None:
        """The rematch that somebody else offers to the holder of these sides, as long as he has not accepted."""
        row = self._store.rematch(game_id)
        if row is None or row["side"] in sides or self._is_taken(game_id, row, sides):
            return None
        return Offer(row["next"], row["side"], row["swapped"])

    def _is_taken(self, game_id: str, row: Found, sides: Sequence[str]) -> bool:
        mine = self._partners(game_id, row["swapped"])
        wanted = {mine[side] for side in sides}
        seats = [seat for seat in self._store.seats(row["next"]) if seat["side"] in wanted]
        return not seats or any([seat["joined"] is not None for seat in seats])

    def _partners(self, game_id: str, swapped: bool) -> dict[str, str]:
        """By the sides of the old table: those of the new one."""
        sides = [seat["side"] for seat in self._store.seats(game_id)]
        return dict(zip(sides, reversed(sides) if swapped else sides, strict=True))

    def take(self, game_id: str, sides: Sequence[str], *, swap: bool, name: str = "", network: str = "") -> Taken:
        """A seat at the rematch: of the one that is offered, else of a new one. Raises NotYet, Conflict."""
        row = self._store.rematch(game_id)
        if row is None:
            made = self._make(game_id, sides, swap, network)
            if made is not None:
                self._seating.join(made.token, name, "")
                return made
            row = self._store.rematch(game_id)
        if row is None:
            raise Conflict("the rematch is gone: try again")
        taken = self._accept(game_id, row, sides)
        self._seating.join(taken.token, name, "")
        return taken

    def _make(self, game_id: str, sides: Sequence[str], swap: bool, network: str) -> Taken | None:
        """A new table, offered to the others; None if somebody was quicker."""
        with self._playing.using(game_id) as live:
            if live.game.pending is not None:
                raise NotYet("a rematch can be played after this battle")
            scenario, title = live.game.scenario, live.row["title"]
            options = json.loads(live.game.tape().texts[0])["options"]
        partners = self._partners(game_id, swap)
        old = {seat["side"]: seat["holder"] for seat in self._store.seats(game_id)}
        seats = {partners[side]: holder for side, holder in old.items()}
        created = self._seating.create(scenario, options, seats, title, "", network)
        others = [side for side, holder in old.items() if holder == PERSON and side not in sides]
        try:
            if others:
                row = {"next": created.game, "side": sides[0], "swapped": swap, "made": self._playing.clock()}
                self._store.offer_rematch(game_id, row)
        except Duplicate:
            self._store.delete(created.game)
            return None
        return Taken(created.game, created.tokens[partners[sides[0]]], created.host_token)

    def _accept(self, game_id: str, row: Found, sides: Sequence[str]) -> Taken:
        """A link of his own for the seat that was kept for him."""
        if row["side"] in sides:
            raise Conflict("you have offered a rematch already: you find it under My tables")
        if self._is_taken(game_id, row, sides):
            raise Conflict("somebody sits there already: if it is you, the table is under My tables")
        partners = self._partners(game_id, row["swapped"])
        token, now = new_token(), self._playing.clock()
        for side in sides:
            link = {"hash": mark_of(token), "side": partners[side], "made": now}
            self._store.append(row["next"], [], {}, link=(partners[side], link))
        self._seating.forget(row["next"])
        return Taken(row["next"], token)
