"""The routes of air transports (18.22, 18.48, 18.621): hex by hex, since they may be intercepted in any one of them."""

from __future__ import annotations

from flagplot.awaw.mapboard.hexes import Hex, middle, neighbours
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

DIRECT = "direct"


@rule("18.48", "18.621")
def air_path(state: State, start: Hex, end: Hex, via: Hex | None = None) -> tuple[Hex, ...]:
    """18.48: the shortest way for air units, around what they may not fly over, both ends included; nothing if there is
    none. Of equally short ones that which keeps nearest to the straight line."""
    if via is not None:
        first, second = air_path(state, start, via), air_path(state, via, end)
        return first + second[1:] if first and second else ()
    if air_distance(state, start, end) is None:
        return ()
    path = [start]
    while path[-1] != end:
        path.append(_next(state, path[-1], start, end))
    return tuple(path)


def _next(state: State, here: Hex, start: Hex, end: Hex) -> Hex:
    """The next hex of a shortest way; it never leaves the map."""
    far = air_distance(state, here, end) or 0
    ways = [
        there
        for there in neighbours(here)
        if there in state.operation.plan.board
        and air_distance(state, end, there) == far - 1  # the same way back, which is worked out once for all hexes
        and air_distance(state, here, there) == 1
    ]
    return min(ways, key=lambda there: _aside(there, start, end))


def _aside(at: Hex, start: Hex, end: Hex) -> float:
    """How far a hex lies off the straight line between two others, times its length."""
    (x, y), (x0, y0), (x1, y1) = middle(at), middle(start), middle(end)
    return round(abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)), 6)


@rule("18.621", "18.541", "18.533")
def choose_route(state: State, side: str, start: Hex, end: Hex, most: int) -> Script[tuple[Hex, ...]]:
    """18.621: the moving side says which way its transports fly: straight, or over one of its other bases, if that is
    not farther than they fly."""
    routes: dict[str, tuple[Hex, ...]] = {DIRECT: air_path(state, start, end)}
    labels: dict[str, Words] = {DIRECT: "Shortest route"}
    for base in state.of_side(side):
        place = state.place(base)
        if place.afloat or place.box or place.at in routes[DIRECT]:
            continue
        path = air_path(state, start, end, place.at)
        if path and len(path) - 1 <= most:
            routes[base], labels[base] = path, ("Via {}", place.name)
    question = ("Choose a route to {}", hex_name(state, end))
    chosen: str = yield Choose(side, "route", [*routes], question, labels, "18.621")
    return routes[chosen]
