"""Orders ahead at the table: kept with the seat, and given when their questions come, each exactly once.

They stand in the row of the seat, which changes in the same transaction as the lines of the tape, and only if it is
still as it was read: so none is lost with a server that dies, none is given by two servers, and none after it was
cancelled. Each line has a nonce, which follows from that of the plan.
"""

from __future__ import annotations

import json
from typing import Any

from flagplot.kernel.ahead import OrderAhead, fits, orders_ahead
from flagplot.kernel.dice import plan_nonce
from flagplot.kernel.errors import BadValue
from flagplot.kernel.sheets import Sheet
from flagplot.table.games.live import LiveGame
from flagplot.table.info import NOTHING_AHEAD, Ahead

ROOM = 100_000
"""Characters that the orders ahead of a seat may have."""


def read_ahead(text: str) -> Ahead:
    """What stands in the row of a seat. Raises BadValue."""
    if not text:
        return NOTHING_AHEAD
    try:
        data: dict[str, Any] = json.loads(text)
        orders = tuple([OrderAhead.of(order) for order in data["orders"]])
        return Ahead(orders, str(data["nonce"]), int(data["given"]), bool(data["again"]))
    except (ValueError, KeyError, TypeError) as fault:
        raise BadValue("these are no orders ahead") from fault


def ahead_of(live: LiveGame, side: str) -> Ahead:
    """The orders ahead of a side."""
    return read_ahead(str(live.seats[side]["ahead"]))


def text_after(sheet: Sheet, nonce: str) -> str:
    """What the row of a seat says when its plan was confirmed."""
    orders = orders_ahead(sheet)
    text = str(Ahead(orders, nonce, len(sheet.now))) if orders else ""
    return text if len(text) <= ROOM else ""


def is_next(live: LiveGame, side: str, ahead: Ahead) -> bool:
    """Whether the side is asked just what its first order answers."""
    return bool(ahead.orders) and fits(live.game, side, ahead.orders[0])


def give(live: LiveGame, side: str) -> str:
    """Give all orders of a side that answer what it is asked now, or drop them; what its row says then."""
    ahead = ahead_of(live, side)
    dropped = not is_next(live, side, ahead)
    while live.asked == side and is_next(live, side, ahead):
        live.game.choose(ahead.orders[0].chosen, nonce=live.nonce(plan_nonce(ahead.nonce, ahead.given)))
        ahead = ahead._replace(orders=ahead.orders[1:], given=ahead.given + 1)
    return str(ahead._replace(orders=(), again=True) if dropped else ahead)
