"""Ships that support ground attacks from the sea: shore bombardment, and escort carriers (18.5521, 18.553)."""

from __future__ import annotations

from flagplot.awaw.mapboard.hexes import hex_text
from flagplot.awaw.operations.names import factors_long, hex_name
from flagplot.awaw.ships import Kind, bombardment_factors
from flagplot.awaw.state.operation import Activity, Progress
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import GroundAttack
from flagplot.awaw.turn.ground.strengths import cve_limit, support_ledger
from flagplot.kernel.requests import Choose, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import how_many

OFF_THE_SHORE = frozenset({Activity.INVASION, Activity.BOMBARDMENT})


@rule("18.5521.1", "18.553A")
def supporting_forces(state: State, attack: GroundAttack) -> list[str]:
    """18.553A: the forces of the moving side in the attacked hex, on an invasion or to bombard the shore, that have
    arrived."""
    return [
        key
        for key, force in state.operation.fleet_of(state.moving).items()
        if force.at in attack.hexes and _has_arrived(state, force.voyage)
    ]


def _has_arrived(state: State, key: str) -> bool:
    voyage = state.operation.voyages.get(key)
    if voyage is None or voyage.level or voyage.activity not in OFF_THE_SHORE:
        return False
    return voyage.progress in (Progress.ARRIVED, Progress.OVER) and voyage.at == voyage.path[-1]


@rule("18.5521.1", "18.553A", "18.553B", "18.553C", "18.553D", "18.554B")
def support_from_sea(state: State, attack: GroundAttack) -> Script[None]:
    """18.5521, 18.553: the moving side says how many of its fleet factors off the shore bombard it, those that have
    brought the invaders not among them, and how many escort carriers support an invasion. What there is only it knows,
    so it is asked in any case."""
    forces = supporting_forces(state, attack)
    if not forces:
        return
    side, where = state.moving, hex_name(state, attack.hexes[0])
    words = ("{}: choosing ships off {} to support the attack", state.name(side), where)
    yield from secretly(side, words, _choose(state, attack, forces), "18.553")
    ledger = support_ledger({}, attack.guns, attack.cves)
    told = ("{}: support off {} from {} of fleets and {} of escort carriers, worth {}", state.name(side))
    worth = [factors_long(number) for number in (attack.guns, attack.cves, ledger.total)]
    yield disclosed((*told, where, *worth), "18.553", side)


def _choose(state: State, attack: GroundAttack, forces: list[str]) -> Script[None]:
    """Both numbers are kept only when both are decided: until then the enemy must not see either."""
    operation = state.operation
    ships = [item for key in forces for item in operation.fleet[key].group.ships.items()]
    guns = sum([bombardment_factors(operation.fleet[key].group.ships) for key in forces])
    text = hex_text(attack.hexes[0])
    question = ("Bombard with how many of {} of fleets?", factors_long(guns))
    bombarding: int = yield Choose(state.moving, ("bombard", text), range(guns + 1), question, how_many, "18.5521")
    there = sum([number for which, number in ships if which.kind is Kind.CVE])
    most = min(there, cve_limit(state, attack))
    question = ("Support with how many of {} of escort carriers?", factors_long(there))
    supporting: int = yield Choose(state.moving, ("cves", text), range(most + 1), question, how_many, "18.553")
    attack.guns, attack.cves = bombarding, supporting
