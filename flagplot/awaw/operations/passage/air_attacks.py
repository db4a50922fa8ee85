"""Air attacks on naval forces on their way, hex by hex (22.132, 23.75, 23.752)."""

from __future__ import annotations

from flagplot.awaw.battle.air_plan import break_down_army_air
from flagplot.awaw.battle.cargo import load_up
from flagplot.awaw.battle.groups import MOST_GROUPS, form_groups
from flagplot.awaw.kamikaze_force import kamikazes_fly
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.battles.scenes import bring_in, clear_scene, set_scene
from flagplot.awaw.operations.interception.immunity import transports_of_a_box
from flagplot.awaw.operations.names import force_name, hex_name
from flagplot.awaw.operations.passage.damaged_ships import send_damaged_home
from flagplot.awaw.operations.passage.sortie import at_no_ships, could_attack, under_attack
from flagplot.awaw.operations.passage.supply_lines import is_bare_line, put_line, take_line
from flagplot.awaw.procedures import air_attack, sortie
from flagplot.awaw.state.operation import Activity, AirAttack, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

NO, YES = "no", "yes"
_ANSWERS: dict[str, Words] = {NO: "Hold back", YES: "Attack it"}


@rule("22.132A", "22.132B", "23.75A", "23.752A", "23.752B")
def may_be_attacked(state: State, voyage: Voyage) -> bool:
    """23.75A: whether land-based air can attack a force in the hex that it has entered: it has somebody in range, and
    there was no naval combat in this hex (22.132B). All that this follows from is known to everybody."""
    there = bool(state.operation.sailing(voyage)) or is_bare_line(state, voyage)
    open_ = there and voyage.at not in voyage.fought_at and not is_exempt(state, voyage)
    return open_ and could_attack(state, state.other(voyage.side), voyage.at, kamikazes=kamikazes_near(state, voyage))


@rule("17.462", "17.463", "17.47D.1", "23.75D")
def kamikazes_near(state: State, voyage: Voyage) -> bool:
    """17.462: whether kamikazes could attack it where it is; a supply line without ships gives them nothing to attack
    (17.47F)."""
    return bool(state.operation.sailing(voyage)) and kamikazes_fly(state, state.other(voyage.side), voyage.at)


@rule("23.75A.1", "22.917")
def is_exempt(state: State, voyage: Voyage) -> bool:
    """23.75A: submarines that are not on patrol are not attacked, nor are those that intercept (22.917), nor Western
    Allied transports and ASW on their way to or from an SW box."""
    return bool(voyage.flotilla) or Activity.ASW in (voyage.activity, voyage.was) or transports_of_a_box(state, voyage)


@air_attack.segment("23.752A", "The attacker says whether he attacks in this hex")
@rule("23.752A", "23.752A.2", "23.23C", "22.132A", "23.165", "18.473", "18.58")
def announce(state: State, key: str) -> Script[Next]:
    """23.752A: in each hex the attacker flies one sortie or none, and may leave out hexes as he likes. It costs
    nothing (23.165). He announces it before the defender decides on cover (23.23C)."""
    operation = state.operation
    voyage = operation.voyages[key]
    side = state.other(voyage.side)
    where = hex_name(state, voyage.at)
    who = "land-based air or kamikazes" if kamikazes_near(state, voyage) else "land-based air"
    question = ("Attack {} in {} with {}?", force_name(state, voyage), where, who)
    chosen: str = yield Choose(side, ("sortie", key), (NO, YES), question, _ANSWERS, "23.752")
    if chosen == NO:
        return END
    yield Note(("{}: {} attack {} in {}", state.name(side), who, force_name(state, voyage), where), "23.752")
    begin(state, side, key, voyage.at)
    if is_bare_line(state, voyage):
        put_line(state, key)
    for force in operation.sailing(voyage):
        bring_in(state, force)
    return None


@rule("17.141D", "23.131C", "23.131D", "23.131E", "23.163", "17.23B", "17.23C", "17.23D")
def begin(state: State, side: str, target: str, at: Hex) -> None:
    """17.141D: an attack begins in a hex; army air in range of it is broken down into squadrons."""
    set_scene(state, at)
    state.operation.attack = AirAttack(side, target, at)
    for one in state.sides:
        break_down_army_air(state, one)


@air_attack.segment("23.71A", "The force deploys into combat groups")
@rule("23.71A", "23.721A", "17.47A")
def deploy(state: State, key: str) -> Script[Next]:
    """23.71A, 17.47A: the attacked force forms combat groups as for naval combat, more than six if it has so many
    forces."""
    side = state.operation.voyages[key].side
    if not at_no_ships(state):
        yield from form_groups(state, side, max(MOST_GROUPS, len(state.battle.forces(side))), to_fight=False)
        load_up(state)
    return None


@air_attack.segment("23.752", "The sortie")
def fly(state: State, key: str) -> Next:
    return Call(sortie)


@air_attack.segment("23.752A", "The force goes on")
@rule("23.752A", "23.23E", "22.28A", "23.76#2", "23.443A.2", "22.82A.2")
def go_on(state: State, key: str) -> Script[Next]:
    """23.752A: what is left of the force goes on, without the damaged ships that are sent home (23.443A), and may abort
    if it was struck (22.28A). Air attacks do not stop it otherwise (23.76#2)."""
    voyage, attack = state.operation.voyages[key], under_attack(state)
    voyage.attacked |= attack.flown
    if key in state.battle.groups:
        take_line(state, key)
    clear_scene(state)
    if attack.flown:
        yield from send_damaged_home(state, key)
    return END
