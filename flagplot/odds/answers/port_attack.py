"""The odds of an attack on ships in port (23.411, 23.5, 23.6): one sortie, with or without counterair."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from flagplot.awaw.air_combat import Combat
from flagplot.awaw.air_units import NAVAL_ARMS, Arm, Force, Role
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.operations.bases.attacks import come_home, reveal
from flagplot.awaw.operations.bases.harbours import harbour
from flagplot.awaw.operations.bases.targets import LAND_BASED, may_attack_ships
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Ship, described_ships
from flagplot.awaw.state.air import Mission
from flagplot.awaw.state.battle import Group, Strike
from flagplot.awaw.state.operation import BaseStrike, NavalForce, Operation, Plan
from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.state.state import State
from flagplot.awaw.views.operation import BaseStrikeView
from flagplot.kernel.errors import BadValue
from flagplot.kernel.views import View
from flagplot.library import ruleset
from flagplot.odds.answer import Answer, Part, Reasons
from flagplot.odds.answers.air_scenario import FIELD, base, escort, field, force_of, only, opening
from flagplot.odds.answers.players import Aimed, Decided
from flagplot.odds.answers.strike import shared_out, ship_parts
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import enumerate_ends
from flagplot.odds.questions.base_attack import BaseAttackQuestion
from flagplot.odds.questions.shared import ATTACKERS, DEFENDERS
from flagplot.odds.words import Flight, described_flights, read_whole

PORT, FLEET = "port", "fleet"
OVER = come_home
"""The segment that comes when the sortie is over."""


class Raided(NamedTuple):
    """What became of a sortie against ships in port."""

    hits: tuple[int, ...]
    """The hits of each named ship; its size if it is sunk."""
    destroyed: int
    """Named ships that are not even lying in port."""
    light_sunk: int
    cruisers_damaged: int
    attackers_lost: int
    defenders_lost: int


def port_attack(question: BaseAttackQuestion) -> Answer:
    """The exact odds of one sortie against the ships in a port: hits on each, ships sunk and destroyed, air lost."""
    state = port_state(question)
    shares = _shares(state, question.counterair)
    attacker, told = _attacker(state, question, shares)
    reasons = Reasons()
    players = {ATTACKERS: attacker, DEFENDERS: Decided()}
    found = enumerate_ends(
        ruleset("awaw"), state, players, _sum_up(state), over=_is_over, limits=question.limits, seen=reasons
    )
    ships = [*harbour(state, PORT).ships]
    parts = tuple(_parts(found.ends, ships, question.options.chosen))
    told = (
        *told,
        "one sortie; squadrons of carriers in port are among the defenders",
        *[WIPED_OFF] * _may_be_wiped(ships),
    )
    return Answer(_question(state, question), parts, reasons.kept, told, question.options.unusual, *found.extent)


WIPED_OFF = "in port, new hits too few to damage a ship are removed and not shown (23.443B)"


def _may_be_wiped(ships: Sequence[Ship]) -> bool:
    """Whether a ship could take a hit and not be damaged by it."""
    return any([which.named and not which.damaged and which.size > 2 for which in ships])


def _is_over(state: State) -> bool:
    return not state.frames or state.frames[-1].is_at(OVER)


# --- the state ----------------------------------------------------------------------------------------------------


def port_state(question: BaseAttackQuestion) -> State:
    """The state after the attackers have taken off: they share themselves out next."""
    flying, defending = question.attackers, question.defenders
    _check(question)
    fleet = question.ships.fleet(question.nation, question.hits, question.options.chosen)
    nations = {
        ATTACKERS: [flight.nation for flight in flying],
        DEFENDERS: [which.nation for which in fleet] + [flight.nation for flight in defending],
    }
    first = opening(
        "naval-battle",
        nations,
        question,
        {"bases[0]": "defenders", "bases[1]": "attackers"},
        rounds=1,
        bases=[base(PORT, "the port", defending), field(ATTACKERS, flying)],
        forces=[escort(ATTACKERS, nations[ATTACKERS][0]), escort(DEFENDERS, nations[DEFENDERS][0])],
    )
    places = dict(first.scene.places)
    places[PORT] = replace(places[PORT], defenses=question.port)
    scene = replace(first.scene, kind="operation", places=places)
    plan = Plan(Mapboard("sea", "the sea", "", True, (0, 0), ("~",)), ("combat",), {})
    frames, begun = [reveal.start(PORT, LAND_BASED)], Operation(plan, scene)
    state = State(first.setting, scene, frames, first.sites, operation_if_any=begun)
    state.operation.fleet[FLEET] = NavalForce(Group(DEFENDERS, "the ships", fleet, False), PORT, (0, 0), "the ships")
    combat = Combat.CARRIER_COUNTERAIR if question.carriers else Combat.NAVAL_BASE
    home = at_sea(ATTACKERS) if question.carriers else FIELD.format(ATTACKERS)
    attackers = force_of(state, flying, lambda _: home, _role)
    state.sites[FIELD.format(ATTACKERS)].air = {}
    state.operation.base_strike = BaseStrike(
        Mission(PORT, ATTACKERS, combat, attackers), Strike(ATTACKERS, PORT), LAND_BASED
    )
    return state


def _role(flight: Flight) -> Role:
    return Role.SQUADRONS if flight.arm in NAVAL_ARMS else Role.FACTORS


def _check(question: BaseAttackQuestion) -> None:
    if question.rounds is not None:
        raise BadValue("an attack on ships in port is one sortie", given=f"rounds {question.rounds}", rule="23.54")
    flying, given = question.attackers, question.text("attackers")
    if not flying:
        raise BadValue("an attack needs air units", given=given, allowed=["6 japan naval"], rule="23.411")
    if question.carriers:
        only(flying, NAVAL_ARMS, "only naval squadrons fly from carriers", given, "23.51")
    arms = (Arm.ARMY, Arm.JET, *NAVAL_ARMS)
    only(flying, arms, "army and naval air, and jets as their escort, attack a port", given, "23.11F")


# --- who decides --------------------------------------------------------------------------------------------------


def _flying(state: State) -> Force:
    assert state.operation.base_strike is not None
    return state.operation.base_strike.mission.attackers


def _shares(state: State, counterair: int | None) -> dict[str, int]:
    """How many of each kind counterair, in the order in which they are named; jets always do."""
    flying = _flying(state)
    least = sum([number for which, number in flying.items() if not may_attack_ships(which)])
    wanted = read_whole(counterair or 0, "number that counterair", 0, sum(flying.values()), "23.411")
    left, shares = max(0, wanted - least), {}
    for which, number in flying.items():
        some = min(left, number) if may_attack_ships(which) else 0
        shares[which.tag] = some if may_attack_ships(which) else number
        left -= some
    return shares


class _Aimed(Aimed):
    """An attacker whose targets are given."""

    def flown(self, view: View) -> BaseStrikeView:
        seen: BaseStrikeView = view.position.operation.base_strike
        return seen


def _attacker(state: State, question: BaseAttackQuestion, shares: Mapping[str, int]) -> tuple[Decided, tuple[str, ...]]:
    """The attacker with his shares and aims, or aims by the doctrine, and the same in words."""
    name, number = state.name(ATTACKERS), sum(_flying(state).values())
    counterair = sum(shares.values())
    if counterair:
        told = f"{name} sends {counterair} of {number} against enemy air"
    else:
        told = f"{name} ignores the air in the base" if question.defenders else "there is no air in the base"
    if not question.aim:
        return Decided(share=shares), (told, f"{name} divides the squadrons that get through like the doctrine player")
    aims, words = shared_out(harbour(state, PORT), question.aim, number - counterair, name, question.text("aim"))
    return _Aimed(aims, share=shares), (told, words)


# --- the answer ---------------------------------------------------------------------------------------------------


def _sum_up(opening_: State) -> Callable[[State], Raided]:
    """How to sum up a state in which the sortie is over."""
    ships = harbour(opening_, PORT).ships
    named = tuple([which for which in ships if which.named])
    damaged = sum([number for which, number in ships.items() if which.light and which.damaged])
    enemies = opening_.setting.nations[ATTACKERS]

    def sum_up(state: State) -> Raided:
        assert state.operation_if_any is not None
        force = state.operation.fleet[FLEET]
        borne = {which.id: which.hits for which in force.group.ships if which.named}
        lying = {which.id for which in force.sunk_in_port}
        still = sum([number for which, number in force.group.ships.items() if which.light and which.damaged])
        lost = sum([number for pool, number in state.losses.air.items() if pool.partition("/")[0] in enemies])
        return Raided(
            tuple([borne.get(which.id, which.size) for which in named]),
            sum([which.id not in borne and which.id not in lying for which in named]),
            sum([which.size * number for which, number in state.losses.ships.items() if which.light]),
            max(0, still - damaged),
            lost,
            sum(state.losses.air.values()) - lost,
        )

    return sum_up


def _question(state: State, question: BaseAttackQuestion) -> str:
    ships, defenders = described_ships(harbour(state, PORT).ships.items()), described_flights(question.defenders)
    attackers = described_flights(question.attackers)
    against = f"{carriers_or_land(question)} against ships in port: {attackers} against {ships}"
    return ", ".join(filter(None, [against, f"defended by {defenders}" if defenders else "", question.text("port")]))


def carriers_or_land(question: BaseAttackQuestion) -> str:
    return "Carriers" if question.carriers else "Land-based air"


def _parts(ends: Distribution[Raided], ships: Sequence[Ship], options: Options) -> list[Part]:
    parts = ship_parts(ends, ships)
    if any([which.named for which in ships]) and options.critical_hits != "never":
        parts.append(Part("Named ships destroyed by critical hits", ends.of(lambda end: end.destroyed)))
    return [
        *parts,
        Part("Attackers lost, in factors and squadrons", ends.of(lambda end: end.attackers_lost)),
        Part("Defenders lost, in the same", ends.of(lambda end: end.defenders_lost)),
    ]
