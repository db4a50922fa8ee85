"""Air combat (chapter 19): the kinds of it, the modifiers, and one round of it.

A round is the same wherever it is fought; what differs from one kind to the next (how many rounds, who aborts, which
modifiers) stands in `Combat`. The missions that lead to combat decide who takes part and who goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from flagplot.awaw.air_units import Force, Unit
from flagplot.awaw.options import Options
from flagplot.awaw.tables.grids import AirResult, air_combat_row, rows
from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.requests import Faces, Roll
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words


class Combat(StrEnum):
    """19.11, 19.12: the kinds of air combat, by what brings it about."""

    COUNTERAIR = "counterair"  # 18.52: land-based air against an air base
    CARRIER_COUNTERAIR = "carrier-counterair"  # 19.12.1: carriers against a land base
    NAVAL_BASE = "naval-base"  # 19.12.1: against a base and the ships in port
    DEFENSIVE_SUPPORT = "defensive-support"  # 18.563: interception of defensive air support
    COUNTER_INTERCEPTION = "counter-interception"  # 18.622: over air transports
    AIR_TRANSPORT = "air-transport"  # 18.623: interceptors against the air transports themselves
    AT_SEA = "at-sea"  # 23.415: a strike on ships
    BOMBING = "bombing"  # chapter 26


AT_SEA, BOMBING, CARRIER_COUNTERAIR = (
    Combat.AT_SEA,
    Combat.BOMBING,
    Combat.CARRIER_COUNTERAIR,
)  # at hand: a member of an enumeration takes long to look up, and so does a set of members
MANY_ROUNDS = frozenset({Combat.COUNTERAIR, Combat.DEFENSIVE_SUPPORT, Combat.COUNTER_INTERCEPTION})


@rule("19.11", "19.12", "19.12.1")
def single_round(combat: Combat, options: Options) -> bool:
    """19.12: whether this kind of combat is over after one round; 19.11 lets the others go on."""
    if options.carrier_counterair == "many-rounds" and combat is Combat.CARRIER_COUNTERAIR:
        return False
    return combat not in MANY_ROUNDS


@rule("T19.2-07", "23.416B.2", "SOP-NC-I.G.2.c.ii.b")
def defenders_abort(combat: Combat) -> bool:
    """19.2 note, 23.416B: combat air patrol, air cover and defenders against bombing ignore aborts."""
    return combat is not AT_SEA and combat is not BOMBING


@rule("19.62")
def tie_by_drm(combat: Combat, options: Options) -> bool:
    """19.62: whether among types equal in number the lower DRM takes the odd loss; in bombing it is the owner's say."""
    return combat is not BOMBING or options.bombing_remnant == "lower-drm"


class Circumstances(NamedTuple):
    """What changes an air combat beside the forces themselves."""

    combat: Combat
    cap: bool = False
    """Combat air patrol is among the engaged defenders."""
    cover: bool = False
    """Air cover is among the engaged defenders."""
    surprise: int = 0
    """The attacker's surprise level."""
    radar: int = 0
    """The defender's radar research results."""


@rule("23.415B.1", "23.415B.2", "23.415B.4", "SOP-NC-I.G.2.c.ii")
def attackers_engaged(attacking: int, engaging: int) -> int:
    """23.415B: over ships as many attackers fight as defenders engage them, all of them if they are no more than that.

    The attacker picks them, and only those who fight count for the nationality DRM (23.415B.4): the forces given to
    `modifiers` and `fight` are the engaged ones.
    """
    return min(attacking, engaging)


@dataclass(slots=True)
class Weight:
    """What counts of a force in a round of air combat."""

    strength: int
    lowest: Unit
    jets: int


@rule("17.55", "17.56", "17.65.2", "19.31A.1", "19.31A.2", "19.31B", "19.41", "T19.2-01", "T19.2-02")
@rule("23.153", "23.415B.4")
def weigh(force: Force, options: Options) -> Weight:
    """19.41: what is fixed of a force before a round: its strength, the units whose DRM it has, and its jets.

    17.55, 17.65: jets count three each for the row, air transports nothing. 19.31A: a mixed force has the lowest DRM of
    its units now engaged; units lost earlier do not count. Air transports do not fight and give no DRM, unless there is
    nobody else (`docs/rulings.md`). 17.56: three jet squadrons are a jet factor; a rest is dropped, or by option not.
    """
    strength = jets = 0
    lowest: Unit | None = None
    for which, number in force.items():
        if which.strength:
            strength += number * which.strength
            jets += number * which.jets
            if lowest is None or which.drm < lowest.drm:
                lowest = which
    if jets and options.jet_remainder == "rounded-up":
        jets += 2
    return Weight(strength, lowest or min(force, key=attrgetter("drm")), jets // 3)


Reasons = Callable[[Unit], object]
"""Gives something that tells, when it is read, where a unit's DRM comes from."""


@rule("19.31", "19.31A", "19.31B", "19.31C", "19.31D", "T19.2-03", "T19.2-04", "23.415D", "SOP-NC-I.G.2.c.ii.a")
def modifiers(attackers: Weight, defenders: Weight, reasons: Reasons, circumstances: Circumstances) -> Ledger:
    """19.31: the attacker's modifiers; the defender's are the same with the signs changed."""
    ours, theirs = attackers.lowest, defenders.lowest
    lines = [
        Line(ours.drm, (ATTACKER_DRM, reasons(ours)), "19.31A"),
        Line(-theirs.drm, (DEFENDER_DRM, reasons(theirs)), "19.31A"),
    ]
    if attackers.jets or defenders.jets:
        words = ("jet factors: attacker {}, defender {}", attackers.jets, defenders.jets)
        lines.append(Line(attackers.jets - defenders.jets, words, "19.31B"))
    combat, cap, cover, surprise, radar = circumstances
    if cap and not cover and surprise < 1 and combat is AT_SEA:
        lines.append(Line(-1, "defenders fly only combat air patrol", "19.31C"))
    if radar and combat is BOMBING:
        lines.append(Line(-radar, ("defender's radar results, {}", radar), "19.31D"))
    return Ledger(lines)


ATTACKER_DRM = "attacker's lowest Air Nationality DRM, {}"
DEFENDER_DRM = "defender's lowest Air Nationality DRM, {}"


@rule("19.21", "19.42", "T19.2-05", "T19.2-06")
def rolls(side: str, strength: int, ledger: Ledger, purpose: Words, options: Options) -> list[Roll[AirResult]]:
    """19.21: one side's dice, read on the Air Combat Table in the row of its strength; none if it has no strength.

    Beyond the last row one roll is read in several rows, or by option each row is rolled for.
    """
    if strength == 0:
        return []
    if strength <= 20 or options.beyond_last_row == "one-roll":
        return [Roll(side, 2, purpose, _reads(strength, ledger.total), "19.2", ledger)]
    return [
        Roll(side, 2, ("{}, row {}", purpose, row), _reads(row, ledger.total), "19.2", ledger)
        for row in rows("air-combat", strength)
    ]


@cache
def _reads(force: int, modifier: int) -> Callable[[Faces], AirResult]:
    row = air_combat_row(force)

    def reads(faces: Faces) -> AirResult:
        roll = faces[0] + faces[1] + modifier
        return row[0 if roll < 2 else 10 if roll > 12 else roll - 2]

    return reads
