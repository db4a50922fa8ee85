"""The odds of a counterair mission against a base (18.52, 22.432), for one round or several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from flagplot.awaw.air_combat import Combat, single_round
from flagplot.awaw.air_units import NAVAL_ARMS, Arm
from flagplot.awaw.counterair import air_phase, counterair
from flagplot.awaw.options import Options
from flagplot.awaw.state import Mission, State
from flagplot.kernel.errors import BadValue
from flagplot.library import ruleset
from flagplot.odds.answer import Answer, Part
from flagplot.odds.enumerator import Limits, enumerate_ends
from flagplot.odds.questions.air_players import Decided, Pressing
from flagplot.odds.questions.air_states import ATTACKERS, DEFENDERS, Entry, based, field, only, opening
from flagplot.odds.questions.air_telling import Reasons, plural
from flagplot.odds.words import Flight, read_flights, read_readings, read_research, read_whole

BASE, FLEET = "base", "fleet"
MOST_ROUNDS = 12
LARGEST_CARRIER = 4


class Raided(NamedTuple):
    """What became of a mission against a base."""

    attackers_lost: int
    defenders_lost: int
    defenders_inverted: int
    """Those that stand inverted in the base at the end."""
    defenders_ready: int


def base_attack(
    attackers: str,
    defenders: str = "",
    *,
    ships: str = "",
    port: str = "",
    nation: str = "",
    hits: str = "",
    aim: str = "",
    counterair: int | str | None = None,
    carriers: bool = False,
    rounds: int | str | None = None,
    research: str = "",
    options: Sequence[str] | dict[str, Any] = (),
    limits: Limits | None = None,
) -> Answer:
    """The exact odds of a counterair mission: land-based air, or squadrons of carriers, against the air in a base. The
    attacker fights so many rounds, unless one side is wiped out before; the defender stays. With `ships` it is a sortie
    against ships in port instead."""
    if ships:
        from flagplot.odds.questions.air_port import Words, port_attack

        if rounds is not None:
            raise BadValue("ships in port: one sortie is asked for", given=f"rounds {rounds}", rule="23.54")
        words = Words(attackers, ships, defenders, port, nation, hits, aim, counterair, carriers, research)
        return port_attack(words, options, limits)
    for name, given in (("port", port), ("hits", hits), ("aim", aim), ("counterair", counterair)):
        if given:
            raise BadValue(f"{name} is for an attack on ships in port", given=given, allowed=["ships"], rule="23.411")
    readings, unusual = read_readings(options)
    ours, theirs = read_flights(attackers, "attackers"), read_flights(defenders, "defenders")
    number = 1 if rounds is None else read_whole(rounds, "number of rounds", 1, MOST_ROUNDS, "18.522")
    combat = Combat.CARRIER_COUNTERAIR if carriers else Combat.COUNTERAIR
    _check(ours, attackers, combat, number, readings)
    if not theirs:
        raise BadValue("a base without air units is not fought for", given=defenders, rule="18.521D")
    sides = {ATTACKERS: [flight.nation for flight in ours], DEFENDERS: [flight.nation for flight in theirs]}
    said = {
        "bases[0]": ("defenders", defenders),
        "bases[1]": ("attackers", attackers),
        "carriers": ("attackers", attackers),
        "research": ("research", research),
    }
    bases: list[Entry] = [_base(theirs)] + [field(ATTACKERS, ours)] * (not carriers)
    state = opening(
        "air-phase",
        sides,
        readings,
        said,
        bases=bases,
        carriers=[_fleet(ours, place) for place in range(len(ours))] if carriers else [],
        research=read_research(research, sides),
    )
    _launch(state, combat)
    reasons = Reasons()
    players = {ATTACKERS: Pressing(number), DEFENDERS: Decided()}
    found = enumerate_ends(ruleset("awaw"), state, players, _outcome, limits=limits, seen=reasons)
    unit = "squadrons" if any(flight.arm in NAVAL_ARMS for flight in (*ours, *theirs)) else "factors"
    policies = (
        f"{state.name(ATTACKERS)} breaks off after {plural(number, 'round')}, and {state.name(DEFENDERS)} stays",
        "inverted air and air transports are not engaged while others are left to fight",
        "of types equal in number and DRM the less useful are lost first",
    )
    return Answer(
        f"{'Carriers' if carriers else 'Land-based air'} against a base: {attackers} against {defenders}",
        (
            Part(f"Attackers lost, in {unit}", found.ends.of(lambda end: end.attackers_lost)),
            Part(f"Defenders lost, in {unit}", found.ends.of(lambda end: end.defenders_lost)),
            Part(f"Defenders left and inverted, in {unit}", found.ends.of(lambda end: end.defenders_inverted)),
            Part(f"Defenders left and ready, in {unit}", found.ends.of(lambda end: end.defenders_ready)),
        ),
        reasons.kept,
        policies,
        unusual,
        found.states,
        found.ends.left_over,
    )


def _check(ours: Sequence[Flight], given: str, combat: Combat, rounds: int, options: Options) -> None:
    if not ours:
        raise BadValue("a counterair needs attackers", given=given, allowed=["6 japan naval"], rule="18.521")
    if any(flight.inverted for flight in ours):
        raise BadValue("inverted air flies no missions", given=given, rule="18.521")
    if combat is Combat.CARRIER_COUNTERAIR:
        only(ours, NAVAL_ARMS, "from carriers fly naval squadrons", given, "23.51")
    if rounds > 1 and single_round(combat, options):
        remedy = "the option carrier_counterair=many-rounds"
        raise BadValue("carriers fight one round over a base", given=f"rounds {rounds}", allowed=[remedy], rule="19.12")


def _base(theirs: Sequence[Flight]) -> Entry:
    """A base that holds as much air as any can (18.12)."""
    place = {"id": BASE, "name": "the base", "side": DEFENDERS, "at": [0, 0]}
    return {**place, "cities": 3, "ports": 2, "airbases": 1, "air": [based(flight) for flight in theirs]}


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
    state.mission = mission
    state.frames = [air_phase.frames["end_phase"], counterair.start()]


def _outcome(state: State) -> Raided:
    nations = state.setting.nations[ATTACKERS]
    lost = sum([number for pool, number in state.lost.items() if pool.partition("/")[0] in nations])
    air = state.sites[BASE].air
    inverted = sum([number for which, number in air.items() if which.inverted])
    return Raided(lost, sum(state.lost.values()) - lost, inverted, sum(air.values()) - inverted)
