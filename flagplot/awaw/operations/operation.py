"""An operation: the naval activities of a player turn, stage by stage (22.15, and the sequence of interception).

In each stage all activities are announced, intercepted and countered; then they are sailed, carried out, and everybody
returns together.
"""

from __future__ import annotations

from flagplot.awaw.counterair import end_of_turn
from flagplot.awaw.operations.bases.overstacking import clear_overstacking
from flagplot.awaw.operations.bases.targets import (
    BASE_ATTACK,
    LAND_BASED,
    Permission,
    carrier_forces,
    offer_base_strike,
    permission,
)
from flagplot.awaw.operations.markers import strike_marker
from flagplot.awaw.operations.names import ACTIVITIES, force_name
from flagplot.awaw.operations.passage.homeward import dock, finish, send_home
from flagplot.awaw.operations.passage.naval_air import invert_used
from flagplot.awaw.operations.passage.submarine_attacks import may_be_hunted
from flagplot.awaw.operations.passage.supply_lines import is_bare_line
from flagplot.awaw.operations.patrols.submarine_patrols import end_second_turn, recall_submarines
from flagplot.awaw.operations.records.points import points_told
from flagplot.awaw.operations.records.record import close_voyages
from flagplot.awaw.procedures import (
    announcing,
    completion,
    ground_combat,
    ground_support,
    homeward,
    interceptions,
    land_strikes,
    operation,
    passage,
    patrols,
    stage,
    submarine_hunt,
)
from flagplot.awaw.state.battle import ORIGIN
from flagplot.awaw.state.operation import Activity, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import END, AnySegment, Call, Next
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words


@operation.segment("22.15", "Movement, combat and redeployment, one after the other")
@rule("22.15A")
def play_stage(state: State) -> Next:
    """22.15A: each stage has activities of its own."""
    return Call(stage, then=next_stage)


@operation.segment("22.15", "The next stage, if there is one")
def next_stage(state: State) -> Next:
    if state.operation.stage + 1 == len(state.operation.plan.stages):
        return None
    state.operation.stage += 1
    return play_stage


@operation.segment("23.164", "The player turn ends")
@rule("23.164")
def end_operation(state: State) -> Script[Next]:
    """23.164: what was used at sea is inverted, and squadrons are put together again. The enemy's submarines that were
    at sea through all of it return (21.4184B)."""
    invert_used(state)
    yield from end_second_turn(state)
    yield from end_of_turn(state)
    yield Note("Naval activities of the player turn completed", "22.15")
    return END


@stage.segment("22.15", "A stage of the player turn begins")
@rule("22.15A")
def open_stage(state: State) -> Script[Next]:
    """22.15A: movement, combat and redeployment have activities of their own."""
    yield Note(("{}: {} stage begins", state.name(state.scene.attacker), state.now), "22.15")
    return None


@stage.segment("22.15", "Activities are announced")
def announce(state: State) -> Next:
    return Call(announcing)


@stage.segment("18.511B", "Land-based air may hunt enemy submarines on patrol")
@rule("18.511B", "SOP-PA-E.7")
def hunt_submarines(state: State) -> Next:
    """18.511B, 21.4184C: in the movement stage each patrol of enemy submarines may be attacked by one sortie."""
    for key, _ in state.operation.boats():
        if key not in state.operation.hunted and may_be_hunted(state, key):
            state.operation.hunted.append(key)
            return Call(submarine_hunt, (key,), then=hunt_submarines)
    return None


@stage.segment("21.416", "Patrols go to their hexes, one after the other")
@rule("SOP-PA-SEQ")
def go_on_patrol(state: State) -> Next:
    """21.416M: patrols are conducted one at a time, apart from other activities."""
    return Call(patrols)


@stage.segment("21.4181", "Carriers on patrol may attack a base in the combat stage")
@rule("SOP-PA-E.1", "SOP-PA-E.1.c", "18.512B", "18.511C")
def strike_from_patrol(state: State) -> Script[Next]:
    """21.4181C: the squadrons of an offensive patrol do one thing in the combat stage; attacking a base is one."""
    for key, force in state.operation.fleet_of(state.scene.attacker).items():
        free = key not in state.operation.struck and key not in state.operation.tasks
        if state.now == "combat" and force.patrol == "offensive" and free:
            state.operation.struck += carrier_forces(state, key)  # those of one hex fly together
            attack = yield from offer_base_strike(state, key)
            if attack is not None:
                state.operation.tasks |= dict.fromkeys(carrier_forces(state, key), BASE_ATTACK)
                return attack._replace(then=strike_from_patrol)
    return None


@stage.segment("23.51", "Land-based air may attack bases")
@rule("23.51", "18.511A", "18.512A", "18.512B")
def strike_from_land(state: State) -> Next:
    """23.51: ships in port are attacked in the combat stage, before they may intercept; air bases in the movement stage
    too (18.511)."""
    return Call(land_strikes) if permission(state, LAND_BASED) is not Permission.NOTHING else None


@stage.segment("18.55", "Ground attacks and their air support are announced")
def support_attacks(state: State) -> Next:
    return Call(ground_support) if state.fights_on_land else None


@stage.segment("22.164", "Interceptions, counter-interceptions and their counters")
@rule("22.164", "22.164A")
def contest(state: State) -> Next:
    """22.164: all of them are announced and rolled for before anything is fought."""
    return Call(interceptions, ("out",)) if _to_sail(state) else None


def _to_sail(state: State) -> dict[str, Voyage]:
    """Activities that have not set out, or have waited for others on their way; who joins another sails when that one
    gets there."""
    return {
        key: voyage
        for key, voyage in state.operation.voyages.items()
        if voyage.level == 0 and voyage.is_open and not voyage.joins
    }


@stage.segment("22.19", "The forces sail, in an order of the moving side's choice")
@rule("22.19", "23.752C", "23.752C.1", "22.15B")
def sail(state: State) -> Script[Next]:
    """22.19: it is for the moving side to say in which order its activities are resolved, after all interceptions were
    rolled for (23.752C)."""
    waiting = _to_sail(state)
    if not waiting:
        return None
    labels: dict[str, Words] = {
        key: ("{}: {}", force_name(state, voyage), ACTIVITIES[voyage.activity]) for key, voyage in waiting.items()
    }
    side = state.scene.attacker
    chosen: str = yield Choose(side, "sail", [*waiting], "Choose the next force to sail", labels, "22.19")
    return Call(passage, (chosen,), then=sail)


@stage.segment("22.131", "Forces that have arrived carry out their activities")
@rule("22.131", "22.15C")
def carry_out(state: State) -> Next:
    """22.131: an activity is carried out after the interception in its hex, if the force got through."""
    for key, voyage in list(state.operation.voyages.items()):
        if voyage.level == 0 and voyage.progress is Progress.ARRIVED and voyage.activity is not Activity.RETURN:
            if state.operation.sailing(voyage) or is_bare_line(state, voyage):
                return Call(completion, (key,), then=carry_out)
            finish(state, key)
    return None


@stage.segment("18.61", "Ground attacks are opposed from the air and fought")
def fight_on_land(state: State) -> Next:
    return Call(ground_combat) if state.fights_on_land else None


@stage.segment("22.15C", "All forces return to base")
@rule("22.15C", "22.18A")
def turn_home(state: State) -> Next:
    """22.15C: naval units return together once all activities of the stage are done."""
    late = _straggler(state)
    if late:
        return Call(homeward, (late,), then=turn_home)
    for key, force in state.operation.everybody():
        if force.voyage and state.operation.voyages[force.voyage].progress is Progress.OVER:
            send_home(state, key, ORIGIN, at_once=False)
    return Call(interceptions, ("home",)) if _to_sail(state) else None


def _straggler(state: State) -> str:
    """A force that has turned back and is not yet on its way."""
    for key, voyage in state.operation.voyages.items():
        if voyage.activity is Activity.RETURN and voyage.progress is Progress.ABORTED:
            return key
    return ""


@stage.segment("22.18", "They sail home, in an order of the moving side's choice")
@rule("22.18", "22.18A")
def sail_home(state: State) -> Script[Next]:
    """22.18: forces may be intercepted and attacked as they return."""
    return (yield from _sail_home(state, sail_home))


def _sail_home(state: State, again: AnySegment) -> Script[Next]:
    back = [voyage for voyage in state.operation.voyages.values() if _is_back(voyage)]
    for voyage in back:
        dock(state, voyage)
    late = _straggler(state)
    if late:
        return Call(homeward, (late,), then=again)
    waiting = _to_sail(state)
    if not waiting:
        return None
    labels: dict[str, Words] = {key: ("{}", force_name(state, voyage)) for key, voyage in waiting.items()}
    side = next(iter(waiting.values())).side
    mine = [key for key, voyage in waiting.items() if voyage.side == side]
    chosen: str = yield Choose(side, "sail", mine, "Choose the next force to sail home", labels, "22.18")
    return Call(passage, (chosen,), then=again)


def _is_back(voyage: Voyage) -> bool:
    return voyage.activity is Activity.RETURN and voyage.progress is Progress.ARRIVED


@stage.segment("21.4183", "After the combat stage patrols return as well")
@rule("SOP-PA-E.3", "SOP-PA-E.10", "22.15C", "22.18E")
def recall_patrols(state: State) -> Script[Next]:
    """21.4183, 21.4191: patrols return after the others, whom they may have helped on their way home (22.18E). They
    have been used, and are inverted at base (`docs/rulings.md`)."""
    if state.now == "movement" and "combat" in state.operation.plan.stages[state.operation.stage :]:
        return close_stage
    yield from recall_submarines(state)
    for key, force in state.operation.everybody():
        if force.patrol:
            force.inverted = True
            send_home(state, key, ORIGIN, at_once=False)
    return Call(interceptions, ("home",)) if _to_sail(state) else close_stage


@stage.segment("22.18", "They sail home")
@rule("22.18")
def sail_patrols_home(state: State) -> Script[Next]:
    """22.18: as the others did."""
    return (yield from _sail_home(state, sail_patrols_home))


@stage.segment("22.27", "The stage ends")
@rule("22.27", "22.116", "22.14C", "SOP-NI-K.2", "SOP-PA-E.3", "22.63D")
def close_stage(state: State) -> Script[Next]:
    """22.27: who has tried to intercept in vain may try again in the next stage. Ports of the moving side that hold too
    much are put right with its movement or redeployment stage (22.63D)."""
    yield from points_told(state)
    close_voyages(state)
    state.operation.voyages = {
        key: voyage for key, voyage in state.operation.voyages.items() if voyage.progress is not Progress.OVER
    }
    for force in state.operation.fleet.values():
        force.tried = ""
        if not force.group.ships:  # lost, wherever it was
            force.voyage, force.at = "", state.place(force.base).at
        if force.in_port:
            strike_marker(state, force)
    for flotilla in state.operation.flotillas.values():
        flotilla.factors, flotilla.tried = flotilla.factors + flotilla.tried, 0
    if state.now != "combat":
        for base in state.of_side(state.scene.attacker):
            yield from clear_overstacking(state, base, "22.63D")
    return END
