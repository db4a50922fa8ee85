"""The way home (22.15C-D, 22.18, 22.26-22.28, 22.63): who returns where, along which path, and how it is in port."""

from __future__ import annotations

from flagplot.awaw.battle.groups import FROM_SUPPLY
from flagplot.awaw.counting import add, take
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.bases.overstacking import clear_overstacking
from flagplot.awaw.operations.bases.port_room import MOVES, port_room, size
from flagplot.awaw.operations.battles.scenes import invaded
from flagplot.awaw.operations.interception.hexes import legs
from flagplot.awaw.operations.interception.regrouping import divide
from flagplot.awaw.operations.interception.sailing_together import SEPARATE, hand_over, may_cooperate, nations
from flagplot.awaw.operations.markers import new_key, part_of, strike_marker
from flagplot.awaw.operations.names import ACTIVITIES, force_name, hex_name
from flagplot.awaw.operations.passage.aborting import bar_transports, inverts
from flagplot.awaw.operations.records.record import tell
from flagplot.awaw.procedures import homeward, interceptions, passage
from flagplot.awaw.ships import Fleet
from flagplot.awaw.state.battle import ORIGIN, Group
from flagplot.awaw.state.operation import Activity, NavalForce, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Script
from flagplot.kernel.rules import rule


@homeward.segment("22.281", "It may be intercepted")
@rule("22.281", "22.18", "22.18A", "22.62", "22.15D", "22.115")
def contest(state: State, key: str) -> Next:
    """22.15D, 22.281: who aborts or withdraws returns at once, and may be intercepted on the way by forces that have
    not tried to intercept in this stage."""
    state.operation.voyages[key].progress = Progress.ANNOUNCED
    return Call(interceptions, (key,))


@homeward.segment("22.18", "It sails home")
@rule("22.18", "22.132A")
def sail(state: State, key: str) -> Next:
    """22.18: it sails along its path, open to attack from the air as on the way out (22.132A)."""
    return Call(passage, (key,))


@homeward.segment("22.63", "It is in port")
@rule("22.63", "22.63E")
def arrive(state: State, key: str) -> Script[Next]:
    """22.63: what is left of it is in its base. After a redeployment that failed ships beyond what the base holds are
    lost at once (22.63E)."""
    voyage = state.operation.voyages[key]
    dock(state, voyage)
    if voyage.was == Activity.REDEPLOYMENT:
        yield from clear_overstacking(state, voyage.base, "22.63E")
    return END


@rule("22.63", "22.15C", "22.18C", "22.18D", "22.13F", "22.22A", "22.141C", "22.141D")
def send_home(state: State, key: str, where: str, *, at_once: bool = True) -> None:
    """22.63: a force returns to the base that was chosen, its base of origin unless another is named. Forces that
    return from the same hex to the same base sail together (22.18C), raiders and redeployments apart (22.141); others
    part (22.18D). Who has carried cargo is easier to find on the way home too (22.22A)."""
    operation = state.operation
    force = operation.fleet[key]
    base = _haven(state, force, where)
    progress = Progress.ABORTED if at_once else Progress.ANNOUNCED
    home = _errand(state, force)
    leave_voyage(state, key)
    _leave_supply(force)
    home.progress, home.base, home.forces = progress, base, [key]
    home.path = operation.plan.board.sea_path(force.at, state.place(base).at) or (force.at,)
    for other, voyage in operation.voyages.items():
        if voyage.activity is Activity.RETURN and _sail_together(state, voyage, home):
            voyage.forces.append(key)
            voyage.cargo = voyage.cargo or home.cargo
            voyage.names = force_name(state, voyage)
            force.voyage = other
            return
    home.leaves = "" if at_once else _parent(state, home)
    new_voyage(state, home)


@rule("22.427", "22.71C", "22.552B.3")
def _leave_supply(force: NavalForce) -> None:
    """22.427: who returns protects no sea supply any more, whether or not it was completed: it is not slow for that,
    and has no line to fight on for (22.71C). It is hampered on the way home as well (22.552B)."""
    if force.group.activity == Activity.SEA_SUPPLY:
        force.group.activity = FROM_SUPPLY


@rule("22.13D", "22.18D")
def _parent(state: State, home: Voyage) -> str:
    """22.18D: the force from which a returning one parts on the way: both were on one voyage and set out by the same
    way, to different bases."""
    for other, voyage in state.operation.voyages.items():
        fresh = voyage.progress is home.progress
        if fresh and voyage.after == home.after != "" and voyage.path[:2] == home.path[:2]:
            return other
    return ""


def _errand(state: State, force: NavalForce) -> Voyage:
    """The voyage home of a force, as far as it follows from what it was at sea for."""
    home = Voyage(force.side, Activity.RETURN, [], (force.at,), step=0, after=force.voyage)
    before = state.operation.voyages.get(force.voyage)
    if before is None:
        home.was = Activity.PATROL.value if force.patrol else ""
        return home
    home.was = before.was or before.activity.value
    if before.activity is Activity.RETURN:
        home.after = before.after
    carried = before.level == 0 and (before.cargo or before.activity in CARGO)
    home.cargo = carried and not _is_escort(state, force, home.after)
    return home


@rule("22.22A")
def _is_escort(state: State, force: NavalForce, key: str) -> bool:
    """22.22A: whether a force only escorted those that had the cargo of a voyage: if it returns without them it has
    carried nothing. Who protects sea supply always has. By the other reading the cargo counts for all of them."""
    mission = state.operation.voyages.get(key)
    if mission is None or state.setting.options.returning_escort == "cargo-dice":
        return False
    return mission.cargo and mission.activity is not Activity.SEA_SUPPLY and not force.with_cargo


CARGO = frozenset({Activity.SEA_SUPPLY, Activity.SEA_TRANSPORT, Activity.INVASION, Activity.SEA_ESCORT})


@rule("22.18C", "22.141C", "22.141D", "22.141E")
def _sail_together(state: State, one: Voyage, other: Voyage) -> bool:
    """22.18C: whether two forces that return from a hex combine: to the same base, and not if they are raiders, escorts
    or redeployments of different voyages (22.141)."""
    same_way = one.side == other.side and one.base == other.base and one.path == other.path
    apart = {one.was, other.was} & {Activity.RAID, *SEPARATE} and one.after != other.after
    allied = may_cooperate(state, nations(state, one) | nations(state, other))
    return same_way and one.progress is other.progress and not apart and allied


@rule("22.63", "22.63C")
def _haven(state: State, force: NavalForce, where: str) -> str:
    """22.63C: where a force returns to; if that is being invaded, to the nearest other port in range that has room for
    it, if there is one."""
    base = force.base if where in (ORIGIN, "") else where
    closed = invaded(state)
    if base not in closed:
        return base
    board = state.operation.plan.board
    hexes = {
        key: sails
        for key in state.of_side(force.side)
        if state.place(key).ports
        and key not in closed
        and (sails := board.sea_distance(force.at, state.place(key).at)) is not None
        and sails <= (10 if state.setting.pacific else 20)
        and port_room(state, key) >= size(force.group.ships)
    }
    return min(hexes, key=lambda key: hexes[key], default=base)


def new_voyage(state: State, voyage: Voyage) -> str:
    """Put a voyage on the map; keys tell nothing but the order in which they were announced."""
    operation = state.operation
    operation.sailings += 1
    key = voyage_key(operation.sailings)
    operation.voyages[key] = voyage
    for force in voyage.forces:
        _leave_the_sunk(state, force)
        operation.fleet[force].voyage = key
        if voyage.level == 0 and voyage.activity is not Activity.RETURN:
            operation.fleet[force].with_cargo = bool(operation.fleet[force].group.cargo)
    voyage.names = force_name(state, voyage)
    return key


@rule("23.443B.2", "23.462A")
def _leave_the_sunk(state: State, key: str) -> None:
    """23.443B: ships that lie sunk in port stay there when their force sails."""
    operation = state.operation
    force = operation.fleet[key]
    if force.sunk_in_port and force.in_port:
        left = Group(force.side, f"{force.group.name}, sunk in port", {}, False, place=force.group.place)
        wrecks = part_of(state, force, left)
        wrecks.sunk_in_port, force.sunk_in_port = force.sunk_in_port, {}
        operation.fleet[new_key(state, key)] = wrecks


def voyage_key(number: int) -> str:
    """The key of a voyage; in alphabetical order they stand as they were announced: v1 to v9, then w10 and so on."""
    return f"{'vwxyz'[len(str(number)) - 1]}{number}"


def leave_voyage(state: State, key: str) -> None:
    """A force is no longer part of the voyage that it was on; a voyage without forces is over."""
    operation = state.operation
    force = operation.fleet[key]
    if force.voyage:
        voyage = operation.voyages[force.voyage]
        voyage.forces.remove(key)
        if not voyage.forces and voyage.progress is not Progress.OVER:
            finish(state, force.voyage)
    force.voyage = force.patrol = ""


@rule("22.28", "22.281", "22.282", "22.15D", "22.27")
def turn_back(state: State, key: str) -> None:
    """22.281: all forces of a voyage abort: they return at once and are inverted when they are home. Interceptors that
    have not been in naval combat may be spared that (22.27)."""
    operation = state.operation
    voyage = operation.voyages[key]
    bar_transports(state, voyage, operation.sailing(voyage).values())
    what, where = ACTIVITIES[voyage.activity], hex_name(state, voyage.at)
    tell(state, "aborted", voyage.side, "22.28", f"{force_name(state, voyage)} aborts its {what} in {where}")
    for name, force in operation.sailing(voyage).items():
        force.inverted = force.inverted or inverts(state, voyage, force)
        send_home(state, name, ORIGIN)
    finish(state, key)


@rule("22.28B")
def finish(state: State, key: str) -> None:
    """A voyage is over. Those who were to intercept it return; who was to combine with it may abort, or goes on alone
    (22.28B)."""
    operation = state.operation
    over = operation.voyages[key]
    over.progress = Progress.OVER
    _hand_on(state, key)
    release(state, key)
    host = operation.voyages.get(over.joins)
    if host is not None and host.is_open:
        host.attacked = True


@rule("22.28B", "22.13C.1")
def _hand_on(state: State, key: str) -> None:
    """22.28B: those who were to combine with a voyage that is over may abort or go on. The first of them along its path
    takes its place, and the others are to join that one. Who was to intercept the combined force awaits it (22.13C)."""
    operation = state.operation
    over = operation.voyages[key]
    joiners = {other: voyage for other, voyage in operation.voyages.items() if voyage.joins == key and voyage.is_open}
    if not joiners:
        return
    first = min(joiners, key=lambda other: over.path.index(joiners[other].path[-1]))
    heir = joiners[first]
    onward = over.path[over.path.index(heir.path[-1]) :]
    for voyage in joiners.values():
        voyage.joins, voyage.attacked = first, True
    heir.joins, heir.path = "", heir.path + onward[1:]
    heir.parts = tuple([at for at in over.parts if at in onward[1:]])
    heir.order, heir.worth, heir.freight = over.order, over.worth, heir.freight + over.freight
    for _, voyage in operation.opposing(key):
        if voyage.meet in onward:
            voyage.target, voyage.leg = first, _leg_of(state, first, voyage.meet)
            heir.intercepted += [voyage.leg] * (not voyage.flotilla)


def _leg_of(state: State, key: str, at: Hex) -> int:
    """The leg of a voyage's path that a hex is on."""
    operation = state.operation
    place = len(operation.voyages[key].path) - 1 - operation.voyages[key].path[::-1].index(at)
    return next(number for number, (first, last) in enumerate(legs(state, key)) if first <= place <= last)


@rule("22.26B", "22.27", "22.92")
def release(state: State, key: str) -> None:
    """22.26B, 22.27: those who were to intercept a voyage and did not meet it return uninverted, unless there is
    another on its path for whom they came as well (22.162)."""
    operation = state.operation
    hand_over(state, key)
    for other, voyage in operation.opposing(key):
        if voyage.flotilla:
            release_submarine(state, voyage)
        for force in list(operation.sailing(voyage)):
            send_home(state, force, ORIGIN)
        finish(state, other)


@rule("22.92")
def release_submarine(state: State, voyage: Voyage) -> None:
    """22.92: a submarine that could not attack goes back uninverted, and may intercept again in a later stage."""
    flotilla = state.operation.flotillas[voyage.flotilla]
    flotilla.away -= 1
    flotilla.tried += 1


# --- in port ----------------------------------------------------------------------------------------------------


@rule("22.63", "22.26", "22.27", "22.11", "SOP-NI-K")
def dock(state: State, voyage: Voyage) -> None:
    """22.63: the forces of a voyage are in their base; hits too few for damage are gone (20.512). Who has moved to
    another base is committed for this stage (22.11). Who was late to intercept them returns as well (22.27)."""
    operation = state.operation
    for name, force in operation.sailing(voyage).items():
        force.base, force.at = voyage.base or force.base, voyage.at
        force.voyage = force.patrol = force.group.bound = force.group.activity = ""
        force.began_at_sea = force.with_cargo = False
        if voyage.activity in MOVES:
            force.tried = state.now
        mend(force.group.ships)
        _end_cargo_duty(force.group.ships)
        _part_from_the_spared(state, name)
        strike_marker(state, force)
    voyage.forces = []
    for key in [key for key, other in operation.voyages.items() if other is voyage]:
        finish(state, key)


@rule("23.443B.4", "23.444")
def mend(fleet: Fleet) -> None:
    """20.512, 23.443B: in port hits that have not damaged a ship are removed."""
    for which, number in list(fleet.items()):
        if which.hits and not which.damaged:
            take(fleet, which, number)
            add(fleet, which.bearing(0), number)


@rule("22.552B.3")
def _end_cargo_duty(fleet: Fleet) -> None:
    """22.552B: ships that have landed their cargo are as any others once they are in port."""
    for which, number in list(fleet.items()):
        if which.empty:
            take(fleet, which, number)
            add(fleet, which.carrying(), number)


@rule("22.26D", "22.26D.2", "SOP-NI-K.1")
def _part_from_the_spared(state: State, key: str) -> None:
    """22.26D: ships that were withheld in all rounds are a force of their own from here on, which is not inverted; not
    those that were damaged since. They have tried to intercept in this stage as the others have (22.14A, 22.27)."""
    force = state.operation.fleet[key]
    ships, spared, force.spared = force.group.ships, force.spared, {}
    left: Fleet = {which: some for which, number in spared.items() if (some := min(number, ships.get(which, 0)))}
    if not left or not force.inverted:
        return
    if left == ships:
        force.inverted = False
        return
    divide(state, key, left)
