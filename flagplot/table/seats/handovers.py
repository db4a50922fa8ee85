"""Seats change hands: by their holders, by the host where nobody has joined, and else by consent or a long absence.

Somebody who has joined keeps his seat. The host can ask for it, which stands in everybody's log at once; then it
changes hands when its holder allows it, or when he has given no sign for many days: neither looked at the table nor
answered.
"""

from __future__ import annotations

import json
from typing import Any

from flagplot.kernel.errors import UnknownName
from flagplot.kernel.requests import Roll
from flagplot.players import player
from flagplot.table.games.live import LiveGame
from flagplot.table.games.seat_log import (
    ABSENCE_DAYS,
    ALLOWED,
    ASKED,
    DAY,
    DECLINED,
    GIVEN,
    LEFT,
    NOTED,
    RELINKED,
    TAKEN,
    WITHDRAWN,
    request_of,
)
from flagplot.table.info import BOTS, HOLDERS, HOTSEAT, PERSON, Seat, SeatRequest
from flagplot.table.playing.answers import Playing
from flagplot.table.refusals import Conflict, NotAllowed, NotYet
from flagplot.table.seats.seating import Seating, mark_of, new_token
from flagplot.table.store.database import Row

ASKS_A_DAY = 5
"""How often the host may ask for a seat in a day: each time is a line in everybody's log."""


class HandingOver:
    """Gives seats to others."""

    def __init__(self, playing: Playing, seating: Seating, days: int = ABSENCE_DAYS) -> None:
        self.playing, self.seating, self.store, self.clock = playing, seating, playing.store, playing.clock
        self.days = days
        """For how many days the holder of a seat must have given no sign before the host may give it away."""

    # --- at once ------------------------------------------------------------------------------------------------

    def replace_link(self, token: str, side: str, *, leave: bool = False) -> str:
        """A new link for a side, by its holder or the host; the old one is dead. Nothing if the host has to ask."""
        seat = self._seat(token, side)
        own = side in seat.sides
        with self.playing.using(seat.game) as live:
            holder = live.seats[side]["holder"]
            if holder not in (PERSON, HOTSEAT):
                raise NotAllowed(f"{side} is played by the program: hand the seat over to a person first", given=holder)
            if not own and self._is_taken(live, side):
                self._ask(live, side, PERSON)
                return ""
            both = [each for each, row in live.seats.items() if row["holder"] == HOTSEAT] if holder == HOTSEAT else []
            fresh = new_token()
            for each in both or [side]:
                joined = live.seats[each]["joined"] is not None
                kind = (LEFT if leave else RELINKED) if own else GIVEN if joined else ""
                self._change(live, each, fresh, holder, kind)
        return fresh

    def hand_over(self, token: str, side: str, holder: str) -> str:
        """The host gives a seat to a person (returns the new token) or to a player of the program (returns nothing). If
        somebody has joined there he asks for it instead, and nothing is returned."""
        seat = self._host(token, side)
        if holder == HOTSEAT or holder.partition(":")[0] not in HOLDERS:
            raise UnknownName("nobody of that kind can hold a seat", given=holder, allowed=[PERSON, *BOTS])
        if holder != PERSON:
            player(holder, 0)  # its settings are checked
        with self.playing.using(seat.game) as live:
            if self._is_taken(live, side):
                self._ask(live, side, holder)
                return ""
            free = live.seats[side]["holder"] == holder == PERSON  # only the link of an empty seat is another one
            return self._give(live, side, holder, "" if free else GIVEN)

    def _is_taken(self, live: LiveGame, side: str) -> bool:
        """Whether somebody has joined there, so that the seat is not the host's to give."""
        row = live.seats[side]
        return row["holder"] == PERSON and row["joined"] is not None

    # --- by consent, or after a long absence ----------------------------------------------------------------------

    def requests(self, game_id: str) -> list[SeatRequest]:
        """The seats that the host asks for now."""
        with self.playing.using(game_id) as live:
            return [request_of(row, due=self._is_due(live, row)) for row in live.requests.values()]

    def _ask(self, live: LiveGame, side: str, holder: str) -> None:
        """The host asks for a seat: it is announced to everybody, and its holder is called if he wants that."""
        if live.game.pending is None:
            raise NotAllowed("the game is over: seats do not change hands any more")
        if side in live.requests:
            raise Conflict("you have asked for this seat already: its holder has to answer first")
        now = self.clock()
        recent = [one for one in live.happenings if one["kind"] == ASKED and now - one["at"] < DAY]
        if len([one for one in recent if one["side"] == side]) >= ASKS_A_DAY:
            raise NotAllowed(f"you have asked for this seat {ASKS_A_DAY} times today: try again tomorrow")
        happening = self._happening(live, ASKED, side, holder)
        request = {"holder": holder, "asked": now, "since": now, "days": self.days}
        kinds = [kind for kind in ("webhook", "email") if live.seats[side][kind]]
        calls = [{"side": side, "kind": kind, "moment": -int(happening["n"]), "due": now} for kind in kinds]
        self.playing.keep(live, happening=happening, request=(side, request), calls=calls)

    def settle(self, token: str, side: str, *, yes: bool) -> None:
        """The holder of a seat that the host asks for allows it, or declines."""
        seat = self._seat(token, side)
        if side not in seat.sides:
            raise NotAllowed("only who holds the seat can give it up", given=side)
        with self.playing.using(seat.game) as live:
            request = self._request(live, side)
            if not yes:
                self._end(live, side, DECLINED)
            elif request["holder"] == PERSON:  # nobody has a link now: the host makes one
                self._change(live, side, "", PERSON, ALLOWED)
            else:
                self._give(live, side, request["holder"], ALLOWED)

    def withdraw(self, token: str, side: str) -> None:
        """The host asks for a seat no more."""
        seat = self._host(token, side)
        with self.playing.using(seat.game) as live:
            self._request(live, side)
            self._end(live, side, WITHDRAWN)

    def carry_out(self, token: str, side: str) -> str:
        """The host gives away a seat that he asked for and whose holder has given no sign since; the new token, if it
        goes to a person. Raises NotYet."""
        seat = self._host(token, side)
        with self.playing.using(seat.game) as live:
            request = self._request(live, side)
            if not self._is_due(live, request):
                raise NotYet(
                    f"the holder of this seat has given a sign within the last {request['days']} days, or could still "
                    "do so: it stays his until he allows it, or stays away that long"
                )
            return self._give(live, side, request["holder"], TAKEN)

    def note_sign(self, live: LiveGame, side: str) -> None:
        """Somebody who holds the seat looks at the table or answers: if the host asks for it, the time begins again."""
        request = live.requests.get(side)
        now = self.clock()
        if request is not None and now - request["since"] >= NOTED:
            self.store.note_sign(live.id, side, now)
            live.requests[side] = {**request, "since": now}

    def _is_due(self, live: LiveGame, request: Row) -> bool:
        side, now = request["side"], self.clock()
        away = now - request["since"] >= request["days"] * DAY
        return away and not self.playing.is_there(live, side)

    def _request(self, live: LiveGame, side: str) -> Row:
        """What the host asks for, as the store has it now: another server may have heard of a sign."""
        live.requests, live.happenings = self.store.handovers(live.id)
        if side not in live.requests:
            raise Conflict("nobody asks for this seat any more")
        return live.requests[side]

    def _end(self, live: LiveGame, side: str, kind: str) -> None:
        happening = self._happening(live, kind, side, live.requests[side]["holder"])
        self.playing.keep(live, happening=happening, request=(side, None))

    # --- how it is done -------------------------------------------------------------------------------------------

    def _give(self, live: LiveGame, side: str, holder: str, kind: str) -> str:
        """Give a seat to a person, who gets the token that is returned, or to a player of the program."""
        fresh = new_token() if holder == PERSON else ""
        live.players.pop(side, None)
        self._change(live, side, fresh, holder, kind)
        self.playing.start_players(live)
        return fresh

    def _change(self, live: LiveGame, side: str, token: str, holder: str, kind: str) -> None:
        """Change who holds a seat, and all that goes with it, at once."""
        self.playing.fresh.settle_now(live)
        if isinstance(live.game.pending, Roll):
            raise Conflict("dice are being rolled at this table: try again in a moment")
        link = {"hash": mark_of(token), "side": side, "made": self.clock()} if token else None
        fresh: dict[str, Any] = {
            "name": "",
            "joined": None,
            "contributed": False,
            "orders": "",
            "ahead": "",
            "by_hand": None,
            "level": "",
            "staff": "",
        }
        silent = {"webhook": "", "email": "", "told": "", "seen": 0, "seen_at": None}
        before = live.seats[side]["holder"]
        happening = self._happening(live, kind, side, holder) if kind else None
        keeps = kind == RELINKED  # the same person sits there, and the host may go on asking
        if keeps:
            fresh |= {"name": live.seats[side]["name"], "joined": live.seats[side]["joined"]}
        with self.playing.changing(live):
            if live.game.seats is not None and live.asked and (holder != before or holder == PERSON):
                live.game.change_seat(side, holder)
            self.playing.keep(
                live,
                seat=(side, {"holder": holder, **fresh, **silent}),
                link=(side, link),
                happening=happening,
                request=None if keeps else (side, None),
            )
        self.seating.forget(live.id)
        live.catch_up(self.store)

    def _happening(self, live: LiveGame, kind: str, side: str, holder: str) -> Row:
        places = json.dumps(live.log_lengths())
        told = {"kind": kind, "side": side, "holder": holder, "days": self.days, "places": places}
        return {"n": len(live.happenings) + 1, "at": self.clock(), **told}

    # --- who may do it ------------------------------------------------------------------------------------------

    def _host(self, token: str, side: str) -> Seat:
        seat = self._seat(token, side)
        if not seat.is_host:
            raise NotAllowed("only the host of the table may hand seats over")
        return seat

    def _seat(self, token: str, side: str) -> Seat:
        seat = self.seating.seat(token)
        known = [row["side"] for row in self.store.seats(seat.game)]
        if side not in known:
            raise UnknownName("there is no such side at this table", given=side, allowed=known)
        if not seat.is_host and side not in seat.sides:
            raise NotAllowed("only the side itself or the host of the table may do that", given=side)
        return seat
