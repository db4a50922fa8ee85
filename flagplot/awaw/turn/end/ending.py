"""The end of a player turn (18.42B, 18.7, 23.141C, 23.164), and the way home of air that is out over a hex.

In this order: squadrons that were used at sea are inverted, all squadrons are put together, then air is uninverted
(`docs/rulings.md`).
"""

from __future__ import annotations

from collections import Counter

from flagplot.awaw.air_units import Arm, Role, Unit
from flagplot.awaw.counterair import put_together
from flagplot.awaw.operations.interception.interceptors import may_sail_from
from flagplot.awaw.operations.passage.naval_air import invert_used
from flagplot.awaw.operations.patrols.submarine_patrols import end_second_turn, uninvert_submarines
from flagplot.awaw.procedures import flights_home, turn_end, uninverting
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.basing.conversion import settle_pools
from flagplot.awaw.turn.end.uninverting import LAST, uninvert_automatically
from flagplot.awaw.turn.ground.support_home import fly_back
from flagplot.awaw.turn.marks import lift, marked, set_mark
from flagplot.awaw.turn.missions.inversion import reconcile
from flagplot.awaw.turn.nations import unit_name
from flagplot.awaw.turn.transport.airdrops import stranded
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Note, Script
from flagplot.kernel.rules import rule

# --- the way home -----------------------------------------------------------------------------------------------


@flights_home.segment("18.46", "The next of them returns")
@rule("18.42A", "18.46", "18.618")
def fly_home(state: State) -> Script[Next]:
    """18.42: whoever was out over a hex has flown a mission, whether or not there was any fighting (18.618), and is
    inverted as it returns; squadrons of carriers return to these."""
    turn = state.turn
    if not turn.flights:
        for name in stranded(state):
            yield Note(("{} lost: it failed to take its drop zone", unit_name(state, name)), "18.512C")
            del turn.units[name]
        return END
    yield from fly_back(state, turn.flights[0])
    return fly_home


# --- the end ----------------------------------------------------------------------------------------------------


@turn_end.segment("18.46", "Units still out return")
def recall(state: State) -> Next:
    return Call(flights_home) if state.turn.flights else None


@turn_end.segment("23.164", "Squadrons that were used at sea are inverted")
@rule("23.164", "18.42B", "18.42B.1", "18.473.2")
def invert_squadrons(state: State) -> Script[Next]:
    """23.164: what has searched, covered or attacked at sea in this player turn, of either side, is inverted as the
    redeployment phase ends."""
    reconcile(state)
    used = any([site.used for site in state.sites.values()])
    invert_used(state)
    reconcile(state, "23.164", "was used at sea")
    if used:
        yield Note("Air used at sea is inverted", "23.164")
    return None


@turn_end.segment("23.141C", "All squadrons recombine into factors")
@rule("23.141C", "23.144")
def put_all_together(state: State) -> Script[Next]:
    """23.141C: army air, jets and transports are factors again, inverted ones unless they are made of three sound
    squadrons (23.144); nobody is committed any more."""
    squadrons = _marked_squadrons(state)
    for side in state.turn.plan.sides:
        for key in state.of_side(side):
            site = state.sites[key]
            yield from put_together(state, site, last=True)
            site.committed, site.aborted, site.shaken, site.counteraired = {}, {}, {}, False
    state.squadrons = False
    settle_marks(state, squadrons)
    yield from settle_pools(state)
    reconcile(state, "23.144", "was put together from squadrons of which some were inverted or missing")
    return None


def _marked_squadrons(state: State) -> list[tuple[str, Unit, int]]:
    """By mark: the factors that squadrons which have it belong to, as they will be."""
    found: dict[tuple[str, Unit], Counter[Role]] = {}
    for mark, force in state.turn.marks.items():
        for which, number in force.items():
            if not which.is_factor and not which.is_naval:
                factor = which.counted(Role.FACTORS).turned(inverted=False)
                found.setdefault((mark, factor), Counter())[which.role] += number
    return [
        (mark, factor, max(roles.values()) if factor.arm is Arm.ARMY else -(-roles.total() // 3))
        for (mark, factor), roles in found.items()
    ]


def settle_marks(state: State, squadrons: list[tuple[str, Unit, int]]) -> None:
    """Marks on squadrons hold for the factors that these make; those on units that were inverted since, for these."""
    for mark, factor, number in squadrons:
        set_mark(state, mark, factor, number)
    for mark, force in list(state.turn.marks.items()):
        for which, number in list(force.items()):
            over = number - state.sites[which.home].air.get(which, 0)
            down = which.turned(inverted=True)
            room = state.sites[which.home].air.get(down, 0) - marked(state, mark, down)
            if over > 0 and not which.inverted and room > 0:
                set_mark(state, mark, down, lift(state, mark, which, min(over, room)))


@turn_end.segment("18.73", "Some air is turned face up automatically")
def uninvert_by_itself(state: State) -> Script[Next]:
    """18.73: first, so that nobody is asked about it."""
    yield from uninvert_automatically(state)
    return None


@turn_end.segment("18.7", "Air is turned face up")
@rule("18.72B", "18.72B.1", "18.41.2")
def uninvert_air(state: State) -> Next:
    """18.72B: what was inverted until the end of the player turn may be uninverted now, for the enemy's player turn."""
    return Call(uninverting, (LAST,))


@turn_end.segment("21.4184", "Submarines that were at sea in the enemy's player turn return")
def end_submarine_patrols(state: State) -> Script[Next]:
    yield from end_second_turn(state)
    return None


@turn_end.segment("21.7", "Naval units in port are turned face up")
def uninvert_ships(state: State) -> Script[Next]:
    """21.7 (`docs/rulings.md`): the naval units of the moving side in operational ports are uninverted, unless they
    were redeployed; submarines too."""
    turn = state.turn
    operation = state.operation
    turned = False
    for key, force in operation.everybody():
        stays = force.base == turn.berths.get(key, force.base)
        if (
            force.side == state.moving
            and force.inverted
            and force.in_port
            and stays
            and may_sail_from(state, force.base)
        ):
            force.inverted, turned = False, True
    for key, flotilla in operation.boats():
        if flotilla.side == state.moving and flotilla.inverted and may_sail_from(state, flotilla.base, submarines=True):
            uninvert_submarines(state, key)
            turned = True
    turn.berths = {}
    if turned:
        yield Note(("{}: naval units in port turned face up", state.name(state.moving)), "18.7")
    return END
