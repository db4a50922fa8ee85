"""Who is intercepted together (22.141, 22.162, 22.251): other forces that are in the same hex at the same time."""

from __future__ import annotations

from itertools import pairwise

from flagplot.awaw.operations.state import Activity, Hex, OperationState, Progress, Voyage
from flagplot.kernel.rules import rule

FRENCH = frozenset({"france", "free-france"})
SEPARATE = frozenset({Activity.SEA_ESCORT, Activity.REDEPLOYMENT})


@rule("22.141", "22.18C")
def companions(state: OperationState, target: str, at: Hex) -> list[str]:
    """22.141: the other voyages of its side that are intercepted with the target in that hex: those that are in the
    same hex at the same time, on the way out or on the way home (22.18C). Submarines are nobody's target."""
    voyage = state.voyages[target]
    return [
        other
        for other, friend in state.voyages.items()
        if other != target
        and friend.side == voyage.side
        and friend.level == voyage.level == 0
        and not friend.flotilla
        and (friend.activity is Activity.RETURN) == (voyage.activity is Activity.RETURN)
        and _can_be_there(state, friend, at)
        and together(state, voyage, friend, at)
    ]


def _can_be_there(state: OperationState, voyage: Voyage, at: Hex) -> bool:
    """Whether a voyage has not yet passed a hex of its path, or lies there."""
    if not state.sailing(voyage) or at not in voyage.path:
        return False
    if voyage.progress is Progress.ARRIVED:
        return voyage.at == at
    return voyage.is_open and voyage.path.index(at) >= voyage.step


@rule("22.141", "22.141A", "22.141B", "22.141C", "22.141D", "22.141E")
def together(state: OperationState, one: Voyage, other: Voyage, at: Hex) -> bool:
    """22.141: whether two forces of a side are intercepted together in a hex. Not if they only cross there (A), serve
    different supply zones (B), are raiders (C), escorts or redeployments (D), or may not cooperate (E)."""
    return (
        meet_on_the_way(one, other, at)
        and _same_zone(state, one, other)
        and Activity.RAID not in (one.activity, one.was, other.activity, other.was)
        and not {one.activity, other.activity} & SEPARATE
        and _cooperate(state, one, other)
    )


@rule("22.141A")
def meet_on_the_way(one: Voyage, other: Voyage, at: Hex) -> bool:
    """22.141A: whether a hex is the common origin or the common destination of two voyages, or they come into it or
    leave it by the same way; otherwise they cross at different times."""
    if at not in one.path or at not in other.path:
        return False
    origin = one.path[0] == other.path[0] == at
    destination = one.path[-1] == other.path[-1] == at
    return origin or destination or bool(_steps(one, at) & _steps(other, at))


def _steps(voyage: Voyage, at: Hex) -> set[tuple[Hex, Hex]]:
    """The steps of a path into a hex and out of it."""
    return {step for step in pairwise(voyage.path) if at in step}


@rule("22.141B")
def _same_zone(state: OperationState, one: Voyage, other: Voyage) -> bool:
    """22.141B: sea supply lines to different supply zones are intercepted apart."""
    if not one.activity == other.activity == Activity.SEA_SUPPLY:
        return True
    zones = state.plan.zones
    return zones.get(one.base, one.base) == zones.get(other.base, other.base)


@rule("22.141E")
def _cooperate(state: OperationState, one: Voyage, other: Voyage) -> bool:
    """22.141E: British and French forces are intercepted apart while they do not cooperate."""
    return may_cooperate(state, nations(state, one) | nations(state, other))


@rule("22.141E")
def may_cooperate(state: OperationState, of: set[str]) -> bool:
    """53.253: whether ships of these nations act together: British and French ones if their restrictions are gone."""
    return state.plan.cooperation or not ("britain" in of and of & FRENCH)


def nations(state: OperationState, voyage: Voyage) -> set[str]:
    """The nations of the ships of a voyage."""
    if voyage.flotilla:
        return {state.flotillas[voyage.flotilla].nation}
    return {which.nation for force in state.sailing(voyage).values() for which in force.group.ships}


@rule("22.162", "22.251", "22.252", "22.252C", "22.252F", "22.253")
def same_path(state: OperationState, key: str, at: Hex | None = None) -> list[str]:
    """22.162: the other interceptors of the same level on the path of one, which are countered together with it in a
    hex short of the interception hex, wherever they started and whenever they would arrive (22.252C). Those on other
    paths are countered apart and give no help (22.251, 22.252F). Counters of counters go the same way (22.253).

    Without a hex that of the battle at hand is meant, or, if there is none, any hex of the path.
    """
    voyage = state.voyages[key]
    if at is None and state.encounter is not None:
        at = state.encounter.at
    hexes = voyage.path if at is None else (at,)
    return [
        other
        for other, friend in state.voyages.items()
        if other != key
        and friend.side == voyage.side
        and friend.level == voyage.level > 0
        and not friend.flotilla
        and friend.progress not in (Progress.OVER, Progress.ABORTED)
        and state.sailing(friend)
        and any([meet_on_the_way(voyage, friend, place) for place in hexes])
        and _cooperate(state, voyage, friend)
    ]
