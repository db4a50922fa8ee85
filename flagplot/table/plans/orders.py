"""Standing orders as a person typed them: read, and asked what they answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flagplot.kernel.errors import Fault
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.sheets import Orders
from flagplot.kernel.views import View
from flagplot.players.orders import Order, OrdersError, orders_of, taken_by
from flagplot.table.guard.uploads import read_toml


def read_orders_text(text: str, name: str) -> list[Order]:
    """Standing orders as a person typed them. Raises OrdersError with every fault."""
    try:
        data = read_toml(text)
    except (ValueError, RecursionError) as fault:
        raise OrdersError(name, [Fault("the orders", f"this is not TOML: {fault}")]) from fault
    return orders_of(data, name)


def answers_by(orders: Sequence[Order]) -> Orders:
    """What standing orders answer, as plans want to know it."""

    def ordered(view: View, request: Choose[Any]) -> tuple[Option[Any], int] | None:
        taken = taken_by(orders, view, request)
        return (taken.option, taken.order.number) if taken else None

    return ordered
