"""The odds of a counterair mission against a base (18.52, 22.432), for one round or several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flagplot.awaw.air_combat import Combat, single_round
from flagplot.awaw.air_units import NAVAL_ARMS, Arm
from flagplot.awaw.counterair import end_phase
from flagplot.awaw.procedures import counterair
from flagplot.awaw.state.air import Mission
from flagplot.awaw.state.state import State
from flagplot.kernel.errors import BadValue
from flagplot.kernel.words import plural
from flagplot.library import ruleset
from flagplot.odds.answer import Answer, Part, Reasons
from flagplot.odds.answers.air_scenario import Entry, base, field, only, opening
from flagplot.odds.answers.players import Decided, Pressing
from flagplot.odds.answers.port_attack import carriers_or_land, port_attack
from flagplot.odds.enumerator import enumerate_ends
from flagplot.odds.questions.base_attack import BaseAttackQuestion
from flagplot.odds.questions.shared import ATTACKERS, DEFENDERS
from flagplot.odds.words import Flight, described_flights

BASE, FLEET = "base", "fleet"
LARGEST_CARRIER = 4


class Raided(NamedTuple):
    """What became of a mission against a base."""

    attackers_lost: int
    defenders_lost: int
    defenders_inverted: int
    """Those that stand inverted in the base at the end."""
    defenders_ready: int


def base_attack(question: BaseAttackQuestion) -> Answer:
    """The exact odds of a counterair mission: land-based air, or squadrons of carriers, against the air in a base. The
    attacker fights so many rounds, unless one side is wiped out before; the defender stays. If ships are named it is a
    sortie against ships in port instead."""
    if question.ships:
        return port_attack(question)
    combat = Combat.CARRIER_COUNTERAIR if question.carriers else Combat.COUNTERAIR
    number = question.rounds or 1
    _check(question, combat, number)
    state = _state(question, combat)
    reasons = Reasons()
    players = {ATTACKERS: Pressing(number), DEFENDERS: Decided()}
    found = enumerate_ends(ruleset("awaw"), state, players, _outcome, limits=question.limits, seen=reasons)
    naval = any(flight.arm in NAVAL_ARMS for flight in (*question.attackers, *question.defenders))
    unit = "squadrons" if naval else "factors"
    who = carriers_or_land(question)
    policies = (
        f"{state.name(ATTACKERS)} breaks off after {plural(number, 'round')}, and {state.name(DEFENDERS)} stays",
        "inverted air and air transports are not engaged while others are left to fight",
        "of types equal in number and DRM the less useful are lost first",
    )
    parts = (
        Part(f"Attackers lost, in {unit}", found.ends.of(lambda end: end.attackers_lost)),
        Part(f"Defenders lost, in {unit}", found.ends.of(lambda end: end.defenders_lost)),
        Part(f"Defenders left and inverted, in {unit}", found.ends.of(lambda end: end.defenders_inverted)),
        Part(f"Defenders left and ready, in {unit}", found.ends.of(lambda end: end.defenders_ready)),
    )
    attackers, defenders = described_flights(question.attackers), described_flights(question.defenders)
    asked = f"{who} against a base: {attackers} against {defenders}"
    return Answer(asked, parts, reasons.kept, policies, question.options.unusual, *found.extent)


def _check(question: BaseAttackQuestion, combat: Combat, rounds: int) -> None:
    for name in ("port", "hits", "aim", "counterair"):
        given = question.said.get(name)
        if given:
            raise BadValue(f"{name} is for an attack on ships in port", given=given, allowed=["ships"], rule="23.411")
    ours, given = question.attackers, question.text("attackers")
    if not ours:
        raise BadValue("a counterair needs attackers", given=given, allowed=["6 japan naval"], rule="18.521")
    if any(flight.inverted for flight in ours):
        raise BadValue("inverted air flies no missions", given=given, rule="18.521")
    if combat is Combat.CARRIER_COUNTERAIR:
        only(ours, NAVAL_ARMS, "only naval squadrons fly from carriers", given, "23.51")
    if rounds > 1 and single_round(combat, question.options.chosen):
        remedy = "the option carrier_counterair=many-rounds"
        raise BadValue("carriers fight one round over a base", given=f"rounds {rounds}", allowed=[remedy], rule="19.12")
    if not question.defenders:
        message = "no air combat over a base without air units"
        raise BadValue(message, given=question.text("defenders"), rule="18.521D")


def _state(question: BaseAttackQuestion, combat: Combat) -> State:
    ours, theirs = question.attackers, question.defenders
    state = opening(
        "air-phase",
        {ATTACKERS: [flight.nation for flight in ours], DEFENDERS: [flight.nation for flight in theirs]},
        question,
        {"bases[0]": "defenders", "bases[1]": "attackers", "carriers": "attackers"},
        bases=[base(BASE, "the base", theirs)] + [field(ATTACKERS, ours)] * (not question.carriers),
        carriers=[_fleet(ours, place) for place in range(len(ours))] if question.carriers else [],
    )
    _launch(state, combat)
    return state


def _fleet(ours: Sequence[Flight], place: int) -> Entry:
    """Carriers enough for one flight."""
    flight = ours[place]
    ships = [{"name": f"a carrier {n}", "size": LARGEST_CARRIER} for n in range(-(-flight.number // LARGEST_CARRIER))]
    entry = {"id": f"{FLEET}-{place}", "name": "the carriers", "side": ATTACKERS, "at": [0, 1], "ships": ships}
    return entry | {"nation": flight.nation, "squadrons": flight.number, "elite": flight.arm is Arm.ELITE}


def _launch(state: State, combat: Combat) -> None:
    """All attackers are on their way."""
    mission = Mission(BASE, ATTACKERS, combat)
    for key, site in state.sites.items():
        if state.place(key).side == ATTACKERS:
            mission.attackers |= site.air
            site.air = {}
    state.battle.mission = mission
    state.frames = [end_phase.start(), counterair.start()]


def _outcome(state: State) -> Raided:
    nations = state.setting.nations[ATTACKERS]
    lost = sum([number for pool, number in state.losses.air.items() if pool.partition("/")[0] in nations])
    air = state.sites[BASE].air
    inverted = sum([number for which, number in air.items() if which.inverted])
    return Raided(lost, sum(state.losses.air.values()) - lost, inverted, sum(air.values()) - inverted)
