"""Who is intercepted together (22.141, 22.162, 22.251): other forces that are in the same hex at the same time.

Together they are awaited, together they fight: who comes first to a hex where any of them is intercepted has to wait
for the others (`passage`).
"""

from __future__ import annotations

from itertools import pairwise

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.state.operation import Activity, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.rules import rule

FRENCH = frozenset({"france", "free-france"})
SEPARATE = frozenset({Activity.SEA_ESCORT, Activity.REDEPLOYMENT})


@rule("22.12")
def is_known(voyage: Voyage) -> bool:
    """22.12: whether the enemy knows where a force goes: he has asked for its path, or it is a patrol in some hex."""
    return voyage.shown or voyage.activity is Activity.PATROL


@rule("22.141", "22.18C", "SOP-PA-SEQ")
def companions(state: State, target: str, at: Hex) -> list[str]:
    """22.141: the other voyages of its side that are intercepted with the target in that hex: those that are in the
    same hex at the same time, on the way out or on the way home (22.18C). Submarines are nobody's target. Patrols sail
    one at a time, so nobody is with them (21.416M); who joins others there is one force with them (22.13C)."""
    operation = state.operation
    voyage = operation.voyages[target]
    if voyage.activity is Activity.PATROL:
        return []
    return [
        other
        for other, friend in operation.voyages.items()
        if other != target
        and friend.side == voyage.side
        and friend.level == voyage.level == 0
        and not friend.flotilla
        and friend.activity is not Activity.PATROL
        and not (friend.joins and friend.path[-1] == at)
        and (friend.activity is Activity.RETURN) == (voyage.activity is Activity.RETURN)
        and _can_be_there(state, friend, at)
        and together(state, voyage, friend, at)
    ]


def _can_be_there(state: State, voyage: Voyage, at: Hex) -> bool:
    """Whether a voyage has not yet passed a hex of its path, or lies there."""
    if not state.operation.sailing(voyage) or at not in voyage.path:
        return False
    if voyage.progress is Progress.ARRIVED:
        return voyage.at == at
    return voyage.is_open and voyage.path.index(at) >= voyage.step


@rule("22.141", "22.141A", "22.141B", "22.141C", "22.141D", "22.141E")
def together(state: State, one: Voyage, other: Voyage, at: Hex) -> bool:
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
    origin = one.path[0] == other.path[0] == at
    destination = one.path[-1] == other.path[-1] == at
    return origin or destination or bool(_steps(one, at) & _steps(other, at))


def _steps(voyage: Voyage, at: Hex) -> set[tuple[Hex, Hex]]:
    """The steps of a path into a hex and out of it."""
    return {step for step in pairwise(voyage.path) if at in step}


@rule("22.141B")
def _same_zone(state: State, one: Voyage, other: Voyage) -> bool:
    """22.141B: two lines of sea supply for two zones are two targets."""
    if not one.activity == other.activity == Activity.SEA_SUPPLY:
        return True
    zones = state.operation.plan.zones
    return zones.get(one.base, one.base) == zones.get(other.base, other.base)


@rule("22.141E")
def _cooperate(state: State, one: Voyage, other: Voyage) -> bool:
    """22.141E: British and French forces are intercepted apart while they do not cooperate."""
    return may_cooperate(state, nations(state, one) | nations(state, other))


@rule("22.141E")
def may_cooperate(state: State, of: set[str]) -> bool:
    """53.253: whether ships of these nations act together: British and French ones if their restrictions are gone."""
    return state.operation.plan.cooperation or not ("britain" in of and of & FRENCH)


def nations(state: State, voyage: Voyage) -> set[str]:
    """The nations of the ships of a voyage."""
    operation = state.operation
    if voyage.flotilla:
        return {operation.flotillas[voyage.flotilla].nation}
    return {which.nation for force in operation.sailing(voyage).values() for which in force.group.ships}


@rule("22.162", "22.251", "22.252", "22.252C", "22.252F", "22.253")
def same_path(state: State, key: str, at: Hex | None = None) -> list[str]:
    """22.162: the other interceptors of the same level on the path of one, which are countered together with it in a
    hex short of the interception hex, wherever they started and whenever they would arrive (22.252C). Those on other
    paths are countered apart and give no help (22.251, 22.252F). Counters of counters go the same way (22.253).

    Without a hex that of the battle at hand is meant, or, if there is none, any hex of the path.
    """
    operation = state.operation
    voyage = operation.voyages[key]
    if at is None and operation.encounter is not None:
        at = operation.encounter.at
    hexes = voyage.path if at is None else (at,)
    return [
        other
        for other, friend in operation.voyages.items()
        if other != key
        and friend.side == voyage.side
        and friend.level == voyage.level
        and not friend.flotilla
        and friend.progress not in (Progress.OVER, Progress.ABORTED)
        and operation.sailing(friend)
        and any([meet_on_the_way(voyage, friend, place) for place in hexes])
        and _cooperate(state, voyage, friend)
    ]


# --- who is awaited with whom -----------------------------------------------------------------------------------


def fellows(state: State, key: str, at: Hex) -> list[str]:
    """The others that are intercepted together with a voyage in a hex: on an activity, or on the way to intercept."""
    return same_path(state, key, at) if state.operation.voyages[key].level else companions(state, key, at)


@rule("22.141", "22.162", "22.19A")
def interceptors(state: State, key: str) -> list[str]:
    """22.19A: those who intercept a voyage, or others together with it: all of them sail before it does."""
    return [
        other
        for other, voyage in state.operation.voyages.items()
        if voyage.target
        and voyage.progress is not Progress.OVER
        and not voyage.flotilla
        and (voyage.target == key or _meets_with(state, voyage, key))
    ]


def _meets_with(state: State, voyage: Voyage, key: str) -> bool:
    """Whether an interceptor of somebody else meets a voyage together with him."""
    passing = _is_on_its_way(state.operation.voyages[voyage.target], voyage.meet)
    return passing and key in fellows(state, voyage.target, voyage.meet)


def _is_on_its_way(voyage: Voyage, at: Hex) -> bool:
    """22.161: whether who is met in a hex is only passing through it; where he intercepts others all fight together
    with those."""
    return not voyage.level or voyage.meet != at


@rule("22.161B", "22.23")
def is_awaited(state: State, key: str, at: Hex) -> bool:
    """22.23: whether somebody intercepts a voyage in a hex and is there in time."""
    operation = state.operation
    met = [one for _, one in operation.opposing(key) if one.meet == at and one.arrives == 1 and not one.flotilla]
    return bool(met) and _is_on_its_way(operation.voyages[key], at)


@rule("22.141", "22.162", "22.252A")
def met_together(state: State, key: str, at: Hex) -> list[str]:
    """22.141: the voyages that are met as one in a hex, if a voyage or any of those with it is awaited there: each that
    is awaited, and all that are intercepted with it. There is one battle in a hex, whoever came for whom."""
    prey = [one for one in (key, *fellows(state, key, at)) if is_awaited(state, one, at)]
    found = dict.fromkeys([key, *prey]) if prey else {}
    for one in prey:
        for other in fellows(state, one, at):
            found[other] = None
            if other not in prey and is_awaited(state, other, at):
                prey.append(other)
    return list(found)


@rule("22.162", "22.252")
def hand_over(state: State, key: str) -> None:
    """22.162: who counters one of several interceptors on one and the same path counters all of them: when that one is
    gone he waits for the next."""
    operation = state.operation
    gone = operation.voyages[key]
    for _, voyage in operation.opposing(key):
        for other in same_path(state, key, voyage.meet) if gone.level else ():
            if operation.voyages[other].path == gone.path:
                voyage.target = other
                break


def is_at(voyage: Voyage, at: Hex) -> bool:
    """Whether a voyage has come to a hex."""
    return voyage.step >= 0 and voyage.at == at
