"""What counts in a ground combat: ground units, air, guns and escort carriers, with reasons (18.55, 18.61).

Three naval squadrons, or three fleet factors that bombard, are worth one factor, and remnants of both are added
together (18.5521). So everything is reckoned in thirds of a factor and rounded down at the end.
"""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.awaw.air_units import Force
from flagplot.awaw.counting import combined
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Flight, FlightKind, GroundAttack, GroundUnit, Kind
from flagplot.awaw.turn.transport.airlift import DROPPED
from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.rules import rule

THIRDS = 3
"""Thirds in a factor."""


# --- air --------------------------------------------------------------------------------------------------------


@rule("17.143", "17.143.1", "18.5521", "18.612")
def thirds(force: Force) -> int:
    """17.143: what air is worth in thirds of a factor: a factor three, a naval squadron one. Diplomacy, which is not
    played here, counts the same way (17.143.1)."""
    return sum([number * which.size for which, number in force.items()])


@rule("17.143", "17.143#ex1", "18.551", "18.552", "18.5521", "18.5521.1", "18.5521#ex2", "18.553B")
def support_ledger(force: Force, guns: int = 0, cves: int = 0) -> Ledger:
    """18.5521: what supports an attack: a factor for each army air factor, for three naval squadrons, for three fleet
    factors that bombard the shore, remnants of both together, and for each factor of escort carriers (18.553B)."""
    army = {which: number for which, number in force.items() if not which.is_naval}
    squadrons = sum([number for which, number in force.items() if which.is_naval])
    lines = [Line(thirds(army) // THIRDS, ("{} army air factors", thirds(army) // THIRDS), "18.551")]
    lines += [
        Line(squadrons // THIRDS, ("{} naval squadrons, three to a factor", squadrons), "18.5521"),
        Line(guns // THIRDS, ("{} fleet factors that bombard the shore, three to a factor", guns), "18.5521"),
        Line((squadrons % THIRDS + guns % THIRDS) // THIRDS, "remainders of both added together", "18.5521"),
        Line(cves, ("{} factors of escort carriers", cves), "18.553B"),
    ]
    return Ledger([line for line in lines if line.amount])


# --- the attack -------------------------------------------------------------------------------------------------


def supporting(state: State, attack: GroundAttack) -> list[Flight]:
    """The flights that give ground support to an attack."""
    return [one for one in state.turn.flights if one.kind is FlightKind.GROUND_SUPPORT and one.at == attack.hexes[0]]


def air_of(flights: Iterable[Flight]) -> Force:
    """The air units of some flights together."""
    return combined([flight.air for flight in flights])


def ground_factors(state: State, names: Iterable[str]) -> int:
    """The combat factors of some ground units."""
    turn = state.turn
    return sum([turn.units[name].factors for name in names if name in turn.units])


@rule("18.551", "18.615", "18.5521#ex1")
def attack_ledger(state: State, attack: GroundAttack) -> Ledger:
    """18.551: the strength of an attack: its ground units, and what supports them. Air on both sides does not fight
    each other: each side adds its own (18.615)."""
    ground = ground_factors(state, attack.units)
    air = air_of(supporting(state, attack))
    return Ledger([Line(ground, "attacking ground factors", "18.551")]) + support_ledger(air, attack.guns, attack.cves)


@rule("18.554A", "18.553D")
def support_limit(state: State, attack: GroundAttack) -> int:
    """18.554A: the thirds of air and escort carriers that may support an attack: three factors for each ground
    factor, those of airborne units among them that may yet join it."""
    return THIRDS * 3 * (ground_factors(state, attack.units) + attack.airborne)


@rule("18.553C", "18.554B", "18.553D", "18.553A")
def cve_limit(state: State, attack: GroundAttack) -> int:
    """18.553: escort carriers support seaborne invasions alone, with no more factors than there are invading ground
    factors, and within the limit on all support."""
    if attack.kind != "invasion":
        return 0
    turn = state.turn
    spare = support_limit(state, attack) - thirds(air_of(supporting(state, attack)))
    invading = [name for name in attack.units if name in turn.units and turn.units[name].flown != DROPPED]
    return max(0, min(ground_factors(state, invading), spare // THIRDS))


# --- the defence ------------------------------------------------------------------------------------------------


def defenders(state: State, hexes: Iterable[Hex]) -> dict[str, GroundUnit]:
    """The ground units that defend some hexes against the moving side."""
    places, side = set(hexes), state.other(state.moving)
    return {
        name: unit
        for name, unit in state.turn.units.items()
        if unit.side == side and unit.at in places and not unit.aboard
    }


def supportable(units: Iterable[GroundUnit]) -> list[GroundUnit]:
    """18.611D: those of some ground units that defensive air support is given to: all but partisans."""
    return [unit for unit in units if unit.kind is not Kind.PARTISAN]


@rule("18.614A", "18.611D.3")
def defensive_limit(state: State, at: Hex) -> int:
    """18.614A: the thirds of air that may give defensive air support in a hex: three factors for each ground factor,
    whatever the defence multiplies; partisans count for nothing (18.611D)."""
    units = supportable(defenders(state, [at]).values())
    return THIRDS * 3 * sum([unit.factors for unit in units])


@rule("18.611A", "18.611B", "18.611C", "18.612")
def defensive_ledger(force: Force, *, invasion: bool) -> Ledger:
    """18.611B: against ground attacks each army air factor and every three naval squadrons add a factor; against
    seaborne invasions each army air factor adds three, each naval squadron one (18.611C). Terrain multiplies none of it
    (18.611A)."""
    army = sum([number for which, number in force.items() if not which.is_naval])
    squadrons = sum([number for which, number in force.items() if which.is_naval])
    number = "18.611C" if invasion else "18.611B"
    lines = [
        Line(army * (THIRDS if invasion else 1), ("defensive air support: {} army air factors", army), number),
        Line(
            squadrons if invasion else squadrons // THIRDS,
            ("defensive air support: {} naval squadrons", squadrons),
            number if invasion else "18.612",
        ),
    ]
    return Ledger([line for line in lines if line.amount])


@rule("18.611A", "18.615")
def defence_ledger(state: State, attack: GroundAttack, air: Force) -> Ledger:
    """18.611A: the strength of the defence: ground units as their terrain makes them, and what of their air is used."""
    units = defenders(state, attack.hexes).values()
    ground = sum([unit.defence for unit in units])
    lines = Ledger([Line(ground, "defending ground units, including terrain", "18.611A")])
    return lines + defensive_ledger(air, invasion=attack.kind == "invasion")


# --- odds -------------------------------------------------------------------------------------------------------


@rule("18.5521#ex1")
def odds(attack: int, defence: int) -> tuple[int, int]:
    """Odds as ground combat gives them, rounded in favour of the defender: 9 to 3 are 3:1, 5 to 7 are 1:2."""
    if not attack or not defence:
        return attack, min(1, defence)
    return max(1, attack // defence), -(-defence // attack)


@rule("18.611.1", "18.619")
def is_low(attack: int, defence: int) -> bool:
    """18.619: whether an attack is made at less than 1:1."""
    return attack < defence
