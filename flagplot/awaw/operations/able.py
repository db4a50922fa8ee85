"""Who may intercept (22.11, 22.14): uncommitted, uninverted naval units that have not tried in this stage."""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.awaw.operations.companions import nations
from flagplot.awaw.operations.state import Activity, Flotilla, Hex, NavalForce, OperationState, Voyage
from flagplot.awaw.ships import factors
from flagplot.awaw.state import Supply
from flagplot.awaw.tables.counts import MAXIMUM_RANGE, within_range
from flagplot.kernel.rules import rule

DEFENSIVE, OFFENSIVE = "defensive", "offensive"
MOST_LOOSE = 9
"""Naval factors outside task forces that intercept one target from one port (22.14C)."""
RUSSIA = "russia"

MISSIONS = frozenset({Activity.SEA_TRANSPORT, Activity.INVASION, Activity.BOMBARDMENT, Activity.CARRIER_MISSION})
CARRIED = frozenset({Activity.SEA_SUPPLY, Activity.SEA_TRANSPORT})


def theatre(state: OperationState) -> str:
    return "pacific" if state.setting.pacific else "europe"


@rule("22.11", "22.11B", "22.11D", "22.14A", "22.27", "22.116", "22.24A", "SOP-NI-K.2", "22.281")
def is_free(state: OperationState, force: NavalForce) -> bool:
    """22.11: a force in port or on defensive patrol that is uninverted, not on an activity of this stage, and has not
    tried to intercept in this stage, be it in vain (22.14A, 22.27). Offensive patrols only support (22.11D)."""
    return (
        not force.voyage
        and force.patrol != OFFENSIVE
        and not force.inverted
        and force.tried != state.now
        and factors(force.group.ships) > 0
        and (force.patrol == DEFENSIVE or may_sail_from(state, force.base))
    )


@rule("22.11B", "22.11B.1", "22.11B.2", "22.911")
def may_sail_from(state: OperationState, base: str, *, submarines: bool = False) -> bool:
    """22.11B: nobody intercepts from a box or from a port that is not operational; submarines do from a fortified
    port, operational or not."""
    place = state.setting.places.get(base)
    if place is None or place.box:
        return False
    return place.supply is not Supply.NONE or (submarines and place.fortified)


@rule("22.11", "22.911", "22.916A", "22.916B", "22.14F", "22.11B.2")
def flotilla_is_free(state: OperationState, flotilla: Flotilla) -> bool:
    """22.916: submarines intercept from port and from defensive patrol; on offensive patrol they only support."""
    if not flotilla.factors or flotilla.patrol == OFFENSIVE:
        return False
    return flotilla.patrol == DEFENSIVE or may_sail_from(state, flotilla.base, submarines=True)


@rule("22.112", "22.113")
def may_meet(state: OperationState, side: str, of: Iterable[str], target: Voyage, taken: Iterable[Voyage]) -> bool:
    """22.112: only nations that are at war intercept each other. 22.113: where Western Allied forces intercept an
    activity the Russians do not, and nobody intercepts it together with Russians."""
    own = set(of)
    peace = state.plan.at_peace
    if peace:
        theirs = nations(state, target)
        if any([(one in own and other in theirs) or (other in own and one in theirs) for one, other in peace]):
            return False
    return all([is_russian(nations(state, other)) == is_russian(own) for other in taken if other.side == side])


def is_russian(of: Iterable[str]) -> bool:
    return RUSSIA in of


@rule("22.14F", "SOP-PA-E.8", "SOP-PA-E.9", "23.462C")
def patrol_may_meet(state: OperationState, target: Voyage) -> bool:
    """21.4192: what a defensive patrol may intercept: supply and transports in the movement stage, missions in the
    combat stage, patrols that want to stay for it, and displaced units, but not those that escape from a base under
    attack (23.462C); it may counter-intercept as any other."""
    kind = target.was or target.activity
    if target.level or kind == Activity.DISPLACEMENT or target.staying:
        return True
    return kind in {"movement": CARRIED, "combat": MISSIONS}.get(state.now, frozenset())


@rule("22.11", "22.112", "22.113", "22.14F", "22.14D")
def able_forces(
    state: OperationState, side: str, target: Voyage, taken: Iterable[Voyage] = ()
) -> dict[str, NavalForce]:
    """22.11: the forces of a side that may intercept a voyage, Western Allied ones before Russian ones (22.113);
    `taken` are those that do already. Each of them may be held back (22.14D)."""
    declared = list(taken)
    found = {
        key: force
        for key, force in state.fleet_of(side).items()
        if is_free(state, force)
        and (not force.patrol or patrol_may_meet(state, target))
        and may_meet(state, side, [which.nation for which in force.group.ships], target, declared)
    }
    return dict(sorted(found.items(), key=lambda entry: is_russian(which.nation for which in entry[1].group.ships)))


@rule("22.114", "22.915", "22.112", "22.113", "22.14F")
def able_flotillas(
    state: OperationState, side: str, target: Voyage, taken: Iterable[Voyage] = ()
) -> dict[str, Flotilla]:
    """22.915: the submarines of a side that may intercept a voyage."""
    declared = list(taken)
    return {
        key: flotilla
        for key, flotilla in state.boats()
        if flotilla.side == side
        and flotilla_is_free(state, flotilla)
        and (not flotilla.patrol or patrol_may_meet(state, target))
        and may_meet(state, side, [flotilla.nation], target, declared)
    }


@rule("22.22", "T22.21-16", "22.23")
def way_to(state: OperationState, start: Hex, at: Hex, via: tuple[Hex, ...] = ()) -> tuple[Hex, ...] | None:
    """22.23: the path to an interception hex, if it is not longer than the range of interceptions: 40 hexes, 20 in the
    Pacific."""
    path = state.plan.board.sea_path(start, at, via)
    return path if path and within_range(len(path) - 1, theatre(state)) else None


def in_range(state: OperationState, start: Hex, at: Hex) -> bool:
    """22.22: whether a hex can be reached at all."""
    hexes = state.plan.board.sea_distance(start, at)
    return hexes is not None and hexes <= MAXIMUM_RANGE[theatre(state)]
