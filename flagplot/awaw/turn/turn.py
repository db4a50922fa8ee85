"""A player turn of the air and naval forces, phase by phase (18.511-18.513).

Each step is a procedure of its own, named after the rule that it carries out; what the phases of the scenario leave out
is not played. Naval activities, patrols, counterair and attacks on bases of a phase are those of an operation's stage.
"""

from __future__ import annotations

from flagplot.awaw import procedures
from flagplot.awaw.operations.patrols.submarine_patrols import begin_second_turn
from flagplot.awaw.procedures import (
    air_supply,
    air_transport,
    air_turn,
    airbases,
    bombing,
    crowding,
    disembarking,
    embarking,
    exploitation,
    flights_home,
    hump,
    isolation,
    naval_air_declared,
    opening_airbases,
    overruns,
    player_turn,
    redeploying,
    stage,
    staging,
    sw_redeploying,
    transfers,
    turn_end,
    uninverting,
)
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Phase
from flagplot.awaw.turn.basing.displacement import displace_absent
from flagplot.awaw.turn.end.outcome import points
from flagplot.awaw.turn.end.record import close_turn, open_turn, trace_supply
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import listing

SHARED = (Phase.MOVEMENT, Phase.COMBAT, Phase.REDEPLOYMENT)
"""The phases in which there are naval activities (22.15)."""


@air_turn.segment("18.141", "Airbases of the opening setup, in a campaign")
def set_up(state: State) -> Next:
    return Call(opening_airbases) if state.turn.plan.opening else None


@air_turn.segment("18.4", "A player turn begins")
def play_turn(state: State) -> Next:
    turn = state.turn
    hand_over(state, turn.plan.turns[turn.player_turn])
    begin_second_turn(state)
    return Call(player_turn, then=next_turn)


@air_turn.segment("18.4", "The next player turn, if there is one")
def next_turn(state: State) -> Script[Next]:
    turn = state.turn
    if turn.player_turn + 1 < len(turn.plan.turns):
        turn.player_turn += 1
        return play_turn
    yield Note("Air turn ends", "18.4")
    return END


# --- the phases -------------------------------------------------------------------------------------------------

calls = player_turn.calls
"""Most steps of a player turn do nothing but call a procedure."""


def begin(state: State, phase: Phase) -> Script[bool]:
    """A phase begins: whether the scenario has it. Exploitation belongs to the combat phase (18.512D)."""
    turn = state.turn
    operation = state.operation
    if phase is not Phase.EXPLOITATION:
        yield from displace_absent(state)
    if phase not in turn.plan.phases:
        return False
    if phase in SHARED and turn.step not in ("", phase):
        operation.stage = min(operation.stage + 1, len(operation.plan.stages) - 1)
    turn.step = phase
    if phase is not Phase.EXPLOITATION:
        turn.held_at_start = {key: place.side for key, place in state.scene.places.items()}
    yield Note(("{}: {} phase begins", state.name(state.moving), phase.value), _RULES[phase])
    return True


_RULES = {
    Phase.MOVEMENT: "18.511",
    Phase.COMBAT: "18.512",
    Phase.EXPLOITATION: "18.512D",
    Phase.CONSTRUCTION: "17.24",
    Phase.REDEPLOYMENT: "18.513",
    Phase.END: "18.7",
}


@player_turn.segment("18.71", "Inverted air may be turned face up as the turn begins")
def open_player_turn(state: State) -> Script[Next]:
    open_turn(state)
    yield from trace_supply(state)
    return Call(uninverting, ("start",))


@player_turn.segment("18.511", "The movement phase")
def movement(state: State) -> Script[Next]:
    there = yield from begin(state, Phase.MOVEMENT)
    return None if there else combat


place_airbases = calls("place_airbases", "18.142", "Airbases are placed", airbases)
before_staging = calls("before_staging", "17.3122A", "Naval air goes between ports and carriers", transfers)
stage_air = calls("stage_air", "18.21", "Air units stage", staging)
uninvert_staged = calls(
    "uninvert_staged", "18.71", "Air in a newly supplied base may be turned face up", uninverting, "during"
)
after_staging = calls("after_staging", "17.3122A", "Naval air goes between ports and carriers, once more", transfers)
embark_air = calls("embark_air", "18.24", "Air units embark for sea transport", embarking)
sail_in_movement = calls(
    "sail_in_movement", "22.15", "Counterair, patrols and naval activities of the movement phase", stage
)
disembark_air = calls("disembark_air", "18.15", "Air units that were not landed come ashore again", disembarking)
after_base_changes = calls(
    "after_base_changes", "17.3122A", "Naval air goes between ports and carriers after changes of base", transfers
)
after_sailing = calls("after_sailing", "18.15", "Overfull bases are relieved", crowding, "moving")
carry_in_movement = calls("carry_in_movement", "18.541", "Ground units are carried by air", air_transport)
supply_by_air = calls("supply_by_air", "18.531", "Ground units are supplied by air", air_supply)
fly_the_hump = calls("fly_the_hump", "18.511E", "BRPs are flown to China", hump)


@player_turn.segment("18.511G", "Overruns, with ground support and defensive air support")
def overrun(state: State) -> Next:
    return Call(overruns) if state.turn.plan.overruns else None


@player_turn.segment("18.512", "The combat phase")
def combat(state: State) -> Script[Next]:
    there = yield from begin(state, Phase.COMBAT)
    return None if there else construction


@player_turn.segment("18.512F", "Economic targets are bombed")
def bomb(state: State) -> Next:
    return Call(bombing) if state.turn.plan.targets else None


sail_in_combat = calls("sail_in_combat", "22.15", "Counterair, missions, naval activities and ground combat", stage)
disembark_after_combat = calls(
    "disembark_after_combat", "18.15", "Air units that patrols have brought back come ashore", disembarking
)
fly_the_hump_again = calls("fly_the_hump_again", "18.512G", "BRPs are flown to China", hump)


@player_turn.segment("18.512D", "Exploitation")
def exploit(state: State) -> Script[Next]:
    there = yield from begin(state, Phase.EXPLOITATION)
    return Call(exploitation) if there else None


after_combat = calls("after_combat", "18.618", "Air that was out over the fighting returns", flights_home)


@player_turn.segment("17.24", "The unit construction phase: airbases are placed")
@rule("18.142A")
def construction(state: State) -> Script[Next]:
    """18.142A: airbases come before units, so that those built in the phase may use them at once (18.146)."""
    there = yield from begin(state, Phase.CONSTRUCTION)
    return Call(airbases) if there else redeployment


build_units = calls("build_units", "17.24", "Units are built", procedures.construction)
board_launched = calls("board_launched", "17.3122C", "New naval air goes aboard carriers that are launched", transfers)


@player_turn.segment("18.513", "The redeployment phase")
def redeployment(state: State) -> Script[Next]:
    there = yield from begin(state, Phase.REDEPLOYMENT)
    return Call(airbases) if there else disembark_at_last


before_redeploying = calls("before_redeploying", "17.3122B", "Naval air goes between ports and carriers", transfers)
redeploy = calls("redeploy", "18.72D", "Air units are redeployed", redeploying)


@player_turn.segment("17.71", "Strategic bombers and interceptors change fronts")
def shift_bombers(state: State) -> Next:
    return Call(sw_redeploying) if state.turn.bombers else None


carry_in_redeployment = calls("carry_in_redeployment", "18.513A", "Ground units are carried by air", air_transport)
embark_for_escort = calls("embark_for_escort", "17.141B", "Air units embark to redeploy by sea escort", embarking)


@player_turn.segment("22.15", "Naval redeployments")
def sail_in_redeployment(state: State) -> Next:
    state.turn.berths = {key: force.base for key, force in state.operation.everybody()}
    return Call(stage)


after_redeploying = calls(
    "after_redeploying", "17.3122B", "Naval air goes between ports and carriers, once more", transfers
)
after_naval_redeployments = calls(
    "after_naval_redeployments", "18.15", "Overfull bases are relieved", crowding, "moving"
)
disembark_at_last = calls("disembark_at_last", "18.15", "No air units stay aboard ships in port", disembarking)
cut_off = calls("cut_off", "18.147.1", "Airbases that are cut off are removed", isolation)
declare_naval_air = calls("declare_naval_air", "17.3123", "Naval air is aboard or ashore", naval_air_declared)


@player_turn.segment("18.72B", "The player turn ends: used air is inverted, other air turned face up")
def close_player_turn(state: State) -> Script[Next]:
    yield from displace_absent(state)
    state.turn.step = Phase.END
    return Call(turn_end)


after_conversion = calls("after_conversion", "18.15", "Overfull bases are relieved as the turn ends", crowding, "both")


@player_turn.segment("18.72B", "The player turn is complete")
def over(state: State) -> Script[Next]:
    yield from close_turn(state)
    have = [f"{state.name(side)} {points(state, side)}" for side in state.turn.plan.sides]
    yield Note(("Points: {}", listing(have)), "")
    return END


def hand_over(state: State, side: str) -> None:
    """It is the player turn of a side: it is the attacker of every script from here on."""
    if state.scene.attacker != side:
        state.scene = state.operation.between = state.scene.turned_round()
