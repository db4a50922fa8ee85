"""The legs of a voyage (22.12, 22.13): where a naval force may be intercepted, and how often.

A naval force may be intercepted in one hex of its path. Straits divide the path, and a force that others join is a new
force from there on: each of these legs allows one interception hex of its own.
"""

from __future__ import annotations

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.interception.immunity import immune_hexes, is_immune
from flagplot.awaw.operations.interception.sailing_together import is_known
from flagplot.awaw.state.operation import Activity, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.rules import rule


@rule("22.13", "22.13A", "22.13B", "22.13C.1", "22.13-EX", "SOP-NI-C.3", "SOP-NI-C.4")
def legs(state: State, key: str) -> tuple[tuple[int, int], ...]:
    """22.13: the legs of a voyage's path, each as the places of its first and last hex: it is divided by straits (A),
    and where other forces join it (C)."""
    operation = state.operation
    voyage = operation.voyages[key]
    cuts = {first for first, _ in operation.plan.board.legs(voyage.path)} | _joints(state, key, voyage)
    starts = sorted(cuts)
    return tuple(zip(starts, [*(start - 1 for start in starts[1:]), len(voyage.path) - 1], strict=True))


@rule("22.13C.1", "22.13D")
def _joints(state: State, key: str, voyage: Voyage) -> set[int]:
    """22.13C: the places of the path from which on it is a new force, because others have joined it. Who only parts
    with others stays the force that it was: the new one is that which leaves (22.13D)."""
    joined = {other.path[-1] for other in state.operation.voyages.values() if other.joins == key}
    return {voyage.path.index(at) for at in {*joined, *voyage.parts}}


@rule("22.12", "22.12A", "22.12B", "22.13", "22.13C.2", "22.13D", "22.13F", "22.13G", "22.18", "22.18B", "22.18D")
@rule("22.115", "22.131", "22.164A", "SOP-NI-C", "SOP-NI-C.2", "SOP-NI-C.4")
def interceptable_hexes(state: State, key: str, leg: int) -> tuple[Hex, ...]:
    """22.12: the hexes of a leg in which a force may be intercepted now, whatever its activity is (22.13B, 22.13G).

    From port that begins with the water of its base's hex (22.12A), at sea with the first new hex (22.12B); for a force
    that returns this is beside its activity hex (22.18B). The destination is among them (22.131). A patrol is
    intercepted hex by hex as it enters them, and in its patrol hex (21.416). Who joins others is one force with them in
    the hex where they meet; who waits for them in port is not intercepted before (22.13C). Who parts from others must
    enter a hex that they do not enter (22.13D).
    """
    voyage = state.operation.voyages[key]
    if is_immune(state, voyage):
        return ()
    first, last = legs(state, key)[leg]
    if voyage.activity is Activity.PATROL:
        return voyage.path[voyage.step : voyage.step + 1] if first <= voyage.step <= last else ()
    path = voyage.path[max(first, voyage.step + 1) : last + 1]
    if voyage.joins and last == len(voyage.path) - 1:
        path = path[:-1]
    shared = _shared(state, voyage)
    safe = immune_hexes(state, voyage)
    return tuple(at for at in path if at not in shared and at not in safe)


def _shared(state: State, voyage: Voyage) -> frozenset[Hex]:
    """The hexes of the force from which a new one parts."""
    parent = state.operation.voyages.get(voyage.leaves)
    return frozenset(parent.path) if parent else frozenset()


@rule("22.12B", "22.18B")
def began_at_sea(voyage: Voyage) -> bool:
    """22.12B: whether a force begins its activity at sea: it returns, parts from others, or comes from a patrol hex."""
    from_patrol = voyage.step >= 0 and voyage.progress is Progress.ANNOUNCED
    return voyage.activity is Activity.RETURN or bool(voyage.leaves) or from_patrol


@rule("22.13", "22.13E", "22.13F", "SOP-PA-D.2")
def open_legs(state: State, key: str, *, submarines: bool = False) -> dict[int, tuple[Hex, ...]]:
    """22.13: the legs on which nobody has yet tried to intercept a voyage, and the hexes of each; so too of a patrol,
    be it in its hex (21.416L). Submarines do not care who has (22.13E)."""
    tried = [] if submarines else state.operation.voyages[key].intercepted
    found = {leg: interceptable_hexes(state, key, leg) for leg in range(len(legs(state, key))) if leg not in tried}
    return {leg: hexes for leg, hexes in found.items() if hexes}


@rule("22.11A", "22.12", "22.12B", "22.13", "22.13E")
def out_of_bounds(state: State, key: str, *, submarines: bool = False) -> Refusal | None:
    """22.12: why a voyage cannot be intercepted now, by whomever: it is immune, nobody knows its path, or no leg of it
    is open."""
    voyage = state.operation.voyages[key]
    if is_immune(state, voyage):
        return Refusal("cannot be intercepted", "22.11A")
    if not is_known(voyage):
        return Refusal("its path was not asked for", "22.12")
    if open_legs(state, key, submarines=submarines):
        return None
    if voyage.intercepted and not submarines:
        return Refusal("one attempt for each leg of its path, already made", "22.13")
    if voyage.activity is Activity.PATROL:
        return Refusal("a patrol is intercepted in the hex that it enters, when it sails", "21.416C")
    return Refusal("no hex ahead in which it can be intercepted", "22.12B")


@rule("22.13C.1", "22.22E")
def forces_on_leg(state: State, key: str, leg: int) -> list[str]:
    """22.13C: the forces that sail together on a leg: those of the voyage, and those that have joined it by then."""
    operation = state.operation
    voyage = operation.voyages[key]
    first, _ = legs(state, key)[leg]
    found = list(operation.sailing(voyage))
    for joiner in operation.voyages.values():
        if joiner.joins == key and joiner.is_open and voyage.path.index(joiner.path[-1]) <= first:
            found += operation.sailing(joiner)
    return found
