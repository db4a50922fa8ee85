"""The odds of an attack on ships in port (23.411, 23.5, 23.6): one sortie, with or without counterair."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from flagplot.awaw.air_combat import Combat
from flagplot.awaw.air_units import NAVAL_ARMS, Arm, Force, Role
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.operations.base_strikes import base_strike
from flagplot.awaw.operations.base_targets import LAND_BASED, may_attack_ships
from flagplot.awaw.operations.harbours import harbour
from flagplot.awaw.operations.state import BaseStrike, NavalForce, OperationState, Plan
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Ship, described_ships
from flagplot.awaw.state import Defenses, Group, Mission, State, Strike, at_sea
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.procedures import Frame
from flagplot.kernel.requests import Choose
from flagplot.kernel.views import View
from flagplot.library import ruleset
from flagplot.odds.answer import Answer, Part
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Limits, enumerate_ends
from flagplot.odds.questions.air_players import Aimed, Decided
from flagplot.odds.questions.air_states import (
    ATTACKERS,
    DEFENDERS,
    FIELD,
    Entry,
    based,
    escort,
    field,
    force_of,
    only,
    opening,
)
from flagplot.odds.questions.air_telling import Reasons, joined
from flagplot.odds.questions.sea_forces import read_fleet
from flagplot.odds.questions.strike_question import read_aims, ship_parts
from flagplot.odds.words import Flight, entries, read_flights, read_readings, read_research, read_whole, whole
from flagplot.players.doctrine.principles import part

PORT, FLEET = "port", "fleet"
OVER = "come_home"
"""The segment that comes when the sortie is over."""


class Words(NamedTuple):
    """A question about ships in port as it is put."""

    attackers: str
    ships: str
    defenders: str = ""
    port: str = ""
    nation: str = ""
    hits: str = ""
    aim: str = ""
    counterair: int | str | None = None
    carriers: bool = False
    research: str = ""


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


def port_attack(words: Words, options: Sequence[str] | dict[str, Any] = (), limits: Limits | None = None) -> Answer:
    """The exact odds of one sortie against the ships in a port: hits on each, ships sunk and destroyed, air lost."""
    readings, unusual = read_readings(options)
    state = port_state(words, readings)
    shares = _shares(state, words.counterair)
    attacker, told = _attacker(state, words.aim, shares)
    reasons = Reasons()
    players = {ATTACKERS: attacker, DEFENDERS: Decided()}
    found = enumerate_ends(ruleset("awaw"), state, players, _sum_up(state), over=_is_over, limits=limits, seen=reasons)
    ships = [*harbour(state, PORT).ships]
    return Answer(
        _question(state, words),
        tuple(_parts(found.ends, ships, readings)),
        reasons.kept,
        (*told, "one sortie is flown; the squadrons of carriers in port are those among the defenders"),
        unusual,
        found.states,
        found.ends.left_over,
    )


def _is_over(state: State) -> bool:
    return not state.frames or state.frames[-1].segment == OVER


# --- the state ----------------------------------------------------------------------------------------------------


def port_state(words: Words, options: Options) -> OperationState:
    """The state after the attackers have taken off: they share themselves out next."""
    flying, defending = read_flights(words.attackers, "attackers"), read_flights(words.defenders, "defenders")
    _check(flying, words)
    fleet = read_fleet(words.ships, "ships", words.nation, words.hits, options)
    nations = {
        ATTACKERS: [flight.nation for flight in flying],
        DEFENDERS: [which.nation for which in fleet] + [flight.nation for flight in defending],
    }
    said = {
        "bases[0]": ("defenders", words.defenders),
        "bases[1]": ("attackers", words.attackers),
        "research": ("research", words.research),
    }
    first = opening(
        "naval-battle",
        nations,
        options,
        said,
        rounds=1,
        bases=[_base(defending), field(ATTACKERS, flying)],
        forces=[escort(ATTACKERS, nations[ATTACKERS][0]), escort(DEFENDERS, nations[DEFENDERS][0])],
        research=read_research(words.research, nations),
    )
    places = dict(first.setting.places)
    places[PORT] = replace(places[PORT], defenses=read_port(words.port))
    setting = replace(first.setting, kind="operation", places=places)
    plan = Plan(Mapboard("sea", "the sea", "", True, (0, 0), ("~",)), setting, ("combat",), {})
    state = OperationState(setting, [Frame(base_strike.name, "reveal", (PORT, LAND_BASED))], first.sites, plan=plan)
    state.fleet[FLEET] = NavalForce(Group(DEFENDERS, "the ships", fleet, False), PORT, (0, 0), "the ships")
    combat = Combat.CARRIER_COUNTERAIR if words.carriers else Combat.NAVAL_BASE
    home = at_sea(ATTACKERS) if words.carriers else FIELD.format(ATTACKERS)
    attackers = force_of(state, flying, lambda _: home, _role)
    state.sites[FIELD.format(ATTACKERS)].air = {}
    state.base_strike = BaseStrike(Mission(PORT, ATTACKERS, combat, attackers), Strike(ATTACKERS, PORT), LAND_BASED)
    return state


def _role(flight: Flight) -> Role:
    return Role.SQUADRONS if flight.arm in NAVAL_ARMS else Role.FACTORS


def _base(defending: Sequence[Flight]) -> Entry:
    """A port that holds as much air as any can (18.12)."""
    place = {"id": PORT, "name": "the port", "side": DEFENDERS, "at": [0, 0]}
    return {**place, "cities": 3, "ports": 2, "airbases": 1, "air": [based(flight) for flight in defending]}


def _check(flying: Sequence[Flight], words: Words) -> None:
    if not flying:
        raise BadValue("an attack needs air units", given=words.attackers, allowed=["6 japan naval"], rule="23.411")
    if words.carriers:
        only(flying, NAVAL_ARMS, "from carriers fly naval squadrons", words.attackers, "23.51")
    only(
        flying,
        (Arm.ARMY, Arm.JET, *NAVAL_ARMS),
        "army and naval air, and jets as their escort, attack a port",
        words.attackers,
        "23.11F",
    )


SYMBOLS = {"city": "cities_and_ports", "cities": "cities_and_ports", "airbase": "airbases", "airbases": "airbases"}
SYMBOLS |= {"flak": "flak", "objective": "objectives", "objectives": "objectives"}
SYMBOLS |= {"anchor": "anchors", "anchors": "anchors"}
STRONG = {"fortification": 1, "fortress": 2}


def read_port(text: str) -> Defenses:
    """What stands in a port against air attacks: ``1 city, 1 airbase, 2 flak, fortress``; the port itself is there."""
    counted = Defenses(cities_and_ports=1)._asdict()
    for entry in entries(text):
        number, _, name = entry.casefold().rpartition(" ")
        if name in STRONG and number in ("", "1"):
            counted["fortification"] = STRONG[name]
        elif name in SYMBOLS:
            counted[SYMBOLS[name]] += whole(number or "1", entry, "defenses of the port")
        else:
            raise UnknownName("nothing of this name defends a port", given=entry, allowed=[*SYMBOLS, *STRONG])
    return Defenses(**counted)


# --- who decides --------------------------------------------------------------------------------------------------


def _flying(state: OperationState) -> Force:
    assert state.base_strike is not None
    return state.base_strike.mission.attackers


def _shares(state: OperationState, counterair: int | str | None) -> dict[str, int]:
    """How many of each kind counterair, in the order in which they are named; jets always do."""
    flying = _flying(state)
    least = sum([number for which, number in flying.items() if not may_attack_ships(which)])
    wanted = read_whole(counterair, "number that counterair", 0, sum(flying.values()), "23.411")
    left, shares = max(0, wanted - least), {}
    for which, number in flying.items():
        some = min(left, number) if may_attack_ships(which) else 0
        shares[which.tag] = some if may_attack_ships(which) else number
        left -= some
    return shares


class _Planned(Decided):
    """An attacker of whom it is given how many counterair; all else is up to the doctrine."""

    def __init__(self, shares: Mapping[str, int]) -> None:
        super().__init__()
        self.shares = dict(shares)

    def on_share(self, view: View, request: Choose[Any]) -> int:
        return self.shares[part(request, 1)]


class _Aimed(Aimed):
    """One whose targets are given too."""

    def __init__(self, shares: Mapping[str, int], aims: Mapping[str, int]) -> None:
        super().__init__(aims)
        self.shares = dict(shares)

    def flown(self, view: View) -> dict[str, Any]:
        seen: dict[str, Any] = view.data["base_strike"]
        return seen

    def on_share(self, view: View, request: Choose[Any]) -> int:
        return self.shares[part(request, 1)]


def _attacker(state: OperationState, aim: str, shares: Mapping[str, int]) -> tuple[Decided, tuple[str, ...]]:
    """The attacker with his shares and aims, or aims by the doctrine, and the same in words."""
    name, number = state.name(ATTACKERS), sum(_flying(state).values())
    counterair = sum(shares.values())
    told = f"{name} counterairs with {counterair} of {number}" if counterair else f"{name} ignores the air in the base"
    if not aim:
        return _Planned(shares), (told, f"{name} shares out those who come through as the doctrine player does")
    aims, words = read_aims(harbour(state, PORT), aim, number - counterair, name)
    return _Aimed(shares, aims), (told, words)


# --- the answer ---------------------------------------------------------------------------------------------------


def _sum_up(opening_: OperationState) -> Callable[[State], Raided]:
    """How to sum up a state in which the sortie is over."""
    ships = harbour(opening_, PORT).ships
    named = tuple([which for which in ships if which.named])
    damaged = sum([number for which, number in ships.items() if which.light and which.damaged])
    enemies = opening_.setting.nations[ATTACKERS]

    def sum_up(state: State) -> Raided:
        assert isinstance(state, OperationState)
        force = state.fleet[FLEET]
        borne = {which.id: which.hits for which in force.group.ships if which.named}
        lying = {which.id for which in force.sunk_in_port}
        still = sum([number for which, number in force.group.ships.items() if which.light and which.damaged])
        lost = sum([number for pool, number in state.lost.items() if pool.partition("/")[0] in enemies])
        return Raided(
            tuple([borne.get(which.id, which.size) for which in named]),
            sum([which.id not in borne and which.id not in lying for which in named]),
            sum([which.size * number for which, number in state.sunk.items() if which.light]),
            max(0, still - damaged),
            lost,
            sum(state.lost.values()) - lost,
        )

    return sum_up


def _question(state: OperationState, words: Words) -> str:
    who = "Carriers" if words.carriers else "Land-based air"
    against = (
        f"{who} against ships in port: {words.attackers} against {described_ships(harbour(state, PORT).ships.items())}"
    )
    return joined([against, f"defended by {words.defenders}" if words.defenders else "", words.port])


def _parts(ends: Distribution[Raided], ships: Sequence[Ship], options: Options) -> list[Part]:
    parts = ship_parts(ends, ships)
    if any([which.named for which in ships]) and options.critical_hits != "never":
        parts.append(Part("Named ships destroyed by critical hits", ends.of(lambda end: end.destroyed)))
    return [
        *parts,
        Part(
            "Attackers lost, in the factors and squadrons that they fought as", ends.of(lambda end: end.attackers_lost)
        ),
        Part("Defenders lost, in the same", ends.of(lambda end: end.defenders_lost)),
    ]
