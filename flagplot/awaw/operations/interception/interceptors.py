"""Who may intercept (22.11, 22.14): uncommitted, uninverted naval units that have not tried in this stage."""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.interception.sailing_together import nations
from flagplot.awaw.operations.names import ACTIVITIES
from flagplot.awaw.ships import Fleet, factors
from flagplot.awaw.state.operation import Activity, Flotilla, NavalForce, Voyage
from flagplot.awaw.state.setting import Supply
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import MAXIMUM_RANGE, within_range
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.rules import rule

DEFENSIVE, OFFENSIVE = "defensive", "offensive"
MOST_LOOSE = 9
"""Naval factors outside task forces that intercept one target from one port (22.14C)."""
RUSSIA = "russia"

MISSIONS = frozenset({Activity.SEA_TRANSPORT, Activity.INVASION, Activity.BOMBARDMENT, Activity.CARRIER_MISSION})
CARRIED = frozenset({Activity.SEA_SUPPLY, Activity.SEA_TRANSPORT})


def theatre(state: State) -> str:
    return "pacific" if state.setting.pacific else "europe"


def is_free(state: State, force: NavalForce) -> bool:
    """Whether a force may intercept somebody."""
    return kept_from_intercepting(state, force) is None


@rule("22.11", "22.11B", "22.11D", "22.14A", "22.27", "22.116", "22.24A", "SOP-NI-K.2", "22.281")
def kept_from_intercepting(state: State, force: NavalForce) -> Refusal | None:
    """22.11: only a force in port or on defensive patrol intercepts that is uninverted, not on an activity of this
    stage, and has not tried to intercept in this stage, be it in vain (22.14A, 22.27). Offensive patrols only support
    (22.11D)."""
    if force.voyage:
        activity = state.operation.voyages[force.voyage].activity
        return Refusal(("at sea on {}: cannot intercept", ACTIVITIES[activity]), "22.11")
    if force.patrol == OFFENSIVE:
        return Refusal("on offensive patrol: supports others but cannot intercept", "22.11D")
    if force.inverted:
        return Refusal("inverted: already used this player turn", "22.11")
    if force.tried == state.now:
        return Refusal("already tried to intercept this stage; may try again in the next", "22.14A")
    if not factors(force.group.ships):
        return Refusal("only transports: no naval factors to intercept with", "22.14C")
    return None if force.patrol else _kept_in_port(state, force.base)


def _kept_in_port(state: State, base: str) -> Refusal | None:
    if may_sail_from(state, base):
        return None
    place = state.scene.places.get(base)
    where = place.name if place else base
    kind = "a box" if place is None or place.box else "a port that is not operational"
    return Refusal(("in {}, {}: no interception from there", where, kind), "22.11B")


@rule("22.11B", "22.11B.1", "22.11B.2", "22.911")
def may_sail_from(state: State, base: str, *, submarines: bool = False) -> bool:
    """22.11B: nobody intercepts from a box or from a port that is not operational; submarines do from a fortified
    port, operational or not."""
    place = state.scene.places.get(base)
    if place is None or place.box:
        return False
    return place.supply is not Supply.NONE or (submarines and place.fortified)


@rule("22.11", "22.911", "22.916A", "22.916B", "22.14F", "22.11B.2")
def submarines_kept_from_intercepting(state: State, flotilla: Flotilla) -> Refusal | None:
    """22.916: submarines intercept from port and from defensive patrol; on offensive patrol they only support."""
    if flotilla.patrol == OFFENSIVE:
        return Refusal("on offensive patrol: they support others but cannot intercept", "22.916B")
    if not flotilla.factors and flotilla.tried:
        return Refusal("already tried to intercept this stage; may try again in the next", "22.92")
    if not flotilla.factors:
        return Refusal("all of them are inverted or away", "22.92")
    if not flotilla.patrol and not may_sail_from(state, flotilla.base, submarines=True):
        return Refusal("in a box, or in a port that is neither operational nor fortified", "22.11B")
    return None


def kept_from(
    state: State, side: str, patrol: str, of: Iterable[str], target: Voyage, taken: Iterable[Voyage] = ()
) -> Refusal | None:
    """Why units of some nations may not intercept a voyage, wherever it is; `taken` are the attempts on it."""
    if patrol and not patrol_may_meet(state, target):
        activity = ACTIVITIES[target.activity]
        return Refusal(("a defensive patrol does not intercept {} in this stage", activity), "22.14F")
    own = set(of)
    if _are_at_peace(state, own, target):
        return Refusal("their nations are not at war with each other", "22.112")
    if not _keep_apart_from_russians(state, side, own, taken):
        return Refusal("Russians and Western Allies do not intercept the same activity", "22.113")
    return None


@rule("22.112")
def _are_at_peace(state: State, own: set[str], target: Voyage) -> bool:
    """22.112: only nations that are at war intercept each other."""
    peace = state.operation.plan.at_peace
    if not peace:
        return False
    theirs = nations(state, target)
    return any([(one in own and other in theirs) or (other in own and one in theirs) for one, other in peace])


@rule("22.113")
def _keep_apart_from_russians(state: State, side: str, own: set[str], taken: Iterable[Voyage]) -> bool:
    """22.113: where Western Allied forces intercept an activity the Russians do not, and nobody intercepts it together
    with Russians."""
    return all([is_russian(nations(state, other)) == is_russian(own) for other in taken if other.side == side])


def nations_of(ships: Fleet) -> list[str]:
    return [which.nation for which in ships]


def is_russian(of: Iterable[str]) -> bool:
    return RUSSIA in of


@rule("22.14F", "SOP-PA-E.8", "SOP-PA-E.9", "23.462C")
def patrol_may_meet(state: State, target: Voyage) -> bool:
    """21.4192: what a defensive patrol may intercept: supply and transports in the movement stage, missions in the
    combat stage, patrols that want to stay for it, and displaced units, but not those that escape from a base under
    attack (23.462C); it may counter-intercept as any other."""
    kind = target.was or target.activity
    if target.level or kind == Activity.DISPLACEMENT or target.staying:
        return True
    return kind in {"movement": CARRIED, "combat": MISSIONS}.get(state.now, frozenset())


@rule("22.11", "22.112", "22.113", "22.14F", "22.14D")
def able_forces(state: State, side: str, target: Voyage, taken: Iterable[Voyage] = ()) -> dict[str, NavalForce]:
    """22.11: the forces of a side that may intercept a voyage, Western Allied ones before Russian ones (22.113);
    `taken` are those that do already. Each of them may be held back (22.14D)."""
    declared = list(taken)
    found = {
        key: force
        for key, force in state.operation.fleet_of(side).items()
        if is_free(state, force)
        and not kept_from(state, side, force.patrol, nations_of(force.group.ships), target, declared)
    }
    return dict(sorted(found.items(), key=lambda entry: is_russian(nations_of(entry[1].group.ships))))


@rule("22.114", "22.915", "22.112", "22.113", "22.14F")
def able_flotillas(state: State, side: str, target: Voyage, taken: Iterable[Voyage] = ()) -> dict[str, Flotilla]:
    """22.915: the submarines of a side that may intercept a voyage."""
    declared = list(taken)
    return {
        key: flotilla
        for key, flotilla in state.operation.boats()
        if flotilla.side == side
        and not submarines_kept_from_intercepting(state, flotilla)
        and not kept_from(state, side, flotilla.patrol, [flotilla.nation], target, declared)
    }


@rule("22.22", "T22.21-16", "22.23")
def way_to(state: State, start: Hex, at: Hex, via: tuple[Hex, ...] = ()) -> tuple[Hex, ...] | None:
    """22.23: the path to an interception hex, if it is not longer than the range of interceptions: 40 hexes, 20 in the
    Pacific."""
    path = state.operation.plan.board.sea_path(start, at, via)
    return path if path and within_range(len(path) - 1, theatre(state)) else None


def in_range(state: State, start: Hex, at: Hex) -> bool:
    """22.22: whether a hex can be reached at all."""
    hexes = state.operation.plan.board.sea_distance(start, at)
    return hexes is not None and hexes <= MAXIMUM_RANGE[theatre(state)]
