"""The lists of modifiers, table by table: what a caller counts goes in, a ledger comes out.

What a table counts is listed once, in a `TypedDict`; what a caller leaves out is not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple, TypedDict, Unpack

from flagplot.awaw.tables.count_table import CountTable, not_below_zero, remembered
from flagplot.awaw.tables.sheets import sheet
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.rules import rule

AIR_DEFENSE: Final = CountTable("air-defense")
AIR_ATTACK: Final = CountTable("naval-attack", "air")
FLEET_ATTACK: Final = CountTable("naval-attack", "fleet")
SUBMARINE_ATTACK: Final = CountTable("submarine-attack")
SEARCH: Final = CountTable("search")
SURPRISE: Final = CountTable("surprise")
INTERCEPTION: Final = CountTable("interception")

MAXIMUM_RANGE: Final[Mapping[str, int]] = MappingProxyType({"europe": 40, "pacific": 20})
"""22.22: how many hexes off an interception may be, by theatre."""


class SurpriseEffects(NamedTuple):
    """23.7413: all that a surprise level does."""

    cap_bonus_lost: bool = False
    air_defense_reduction: int = 0
    attack_bonus: int = 0
    squadrons_withheld: int = 0
    critical_hits: bool = False


class AirDefense(TypedDict, total=False):
    """What counts for air defense: `naval_factors` are those of every ship that counts but the CVEs; five-factor
    battleships and CVBs are in it and are also counted apart. `fortification` is 1, a fortress 2. A surprise level of 0
    or less is no surprise."""

    naval_factors: int
    cves: int
    five_factor_battleships: int
    cvbs: int
    research: int
    cities_and_ports: int
    flak: int
    airbases: int
    objectives: int
    anchors: int
    fortification: int
    surprise_level: int


@rule(
    "T23.42-01",
    "T23.42-02",
    "T23.42-03",
    "T23.42-04",
    "T23.42-05",
    "T23.42-06",
    "T23.42-07",
    "T23.42-08",
    "23.4211B",
    "23.4212A",
    "23.4212B",
    "23.4212C",
    "23.4213",
)
@remembered
def air_defense_level(**counts: Unpack[AirDefense]) -> Ledger:
    """23.42: the air defense level of an attacked force; below 1 it does not roll."""
    if "fortification" in counts and counts["fortification"] > 2:
        given = counts["fortification"]
        raise BadValue("no such level of fortification", given=given, allowed=(0, 1, 2), rule="23.4212C")
    if "surprise_level" in counts:
        counts["surprise_level"] = max(0, counts["surprise_level"])
    level = AIR_DEFENSE.ledger(**counts)
    return not_below_zero(level, "an air defense level is not below zero", "23.4211D")


class AirAttack(TypedDict, total=False):
    """What counts in an attack by air; `kamikaze_growth` is how often the kamikaze pool has grown, and is given for
    attacks by kamikazes alone."""

    naval_air_at_sea: bool
    surprise_level: int
    kamikaze_growth: int


@rule(
    "T23.44-01",
    "T23.44-02",
    "T23.44-03",
    "T23.44-04",
    "T22.55-01",
    "T22.55-02",
    "T22.55-03",
    "T22.55-04",
    "23.441A",
    "23.441B",
    "23.441C",
    "17.354",
    "T22.552A-11",
    "T23.441B-06",
    "17.47H.1",
)
@remembered
def air_attack_modifiers(attacker: Ledger, defender: Ledger, **counts: Unpack[AirAttack]) -> Ledger:
    """23.441: the Air DRM of the attackers, less the Naval DRM of the target, and what else helps them."""
    if "surprise_level" in counts:
        counts["surprise_level"] = max(0, counts["surprise_level"])
    return attacker + -defender + AIR_ATTACK.ledger(**counts)


class FleetAttack(TypedDict, total=False):
    """What counts when ships fire; `codebreaking` is 1 if the firing side has the tactical advantage, -1 if the other
    has it."""

    firing_hampered: bool
    target_hampered: bool
    codebreaking: int


@rule(
    "T23.44-05",
    "T23.44-06",
    "T22.55-05",
    "T22.55-06",
    "22.552A",
    "22.552B.1",
    "22.552B.2",
    "T22.552A-10",
    "T23.441B-06",
)
@remembered
def fleet_attack_modifiers(firing: Ledger, target: Ledger, **counts: Unpack[FleetAttack]) -> Ledger:
    """22.552: the Naval DRM of the firing ships less that of the target, and what the activities do."""
    return firing + -target + FLEET_ATTACK.ledger(**counts)


class SubmarineAttack(TypedDict, total=False):
    """What counts in a submarine attack: `fast_carriers` are the fully operational ones of the attacked group. Both
    codebreaking values are 1 for the attacker's advantage, -1 for the defender's."""

    torpedo_research: int
    asw_research: int
    attacking_searchers: int
    defending_searchers: int
    fast_carriers: int
    cves: int
    destroyers: int
    asw_factors: int
    submarines_in_box: int
    previous_attacks: int
    damaged: bool
    hampered: bool
    codebreaking: int
    tactical_codebreaking: int


@rule(
    "22.941",
    "22.9411",
    "22.9412A",
    "22.9412B",
    "22.9413A",
    "22.9413A.1",
    "22.9413A.2",
    "22.9413E",
    "22.9414A",
    "22.9414B",
    "22.9415A",
    "22.9415C",
    "22.9416A",
    "22.9416D",
    "22.9416E",
    "22.9417C",
    "22.9418",
    "T22.94-01",
    "T22.94-02",
    "T22.94-03",
    "T22.94-04",
    "T22.94-05",
    "T22.94-06",
    "T22.94-07",
    "T22.94-08",
    "T22.94-10",
    "T22.94-11",
    "T22.94-12",
)
@remembered
def submarine_modifiers(
    attacker: Ledger, target: Ledger, *, advanced: bool = False, **counts: Unpack[SubmarineAttack]
) -> Ledger:
    """22.941: what is added to the roll of a submarine attack: each category net, then all, within limits. `attacker`
    and `target` are Naval Nationality DRMs."""
    if advanced:
        return _advanced_submarines()
    counted = SUBMARINE_ATTACK.ledger(**counts)
    limit = sheet(SUBMARINE_ATTACK.name).limit("overall")
    return (attacker + -target + counted).capped(limit.most, limit.words, limit.rule)


@cache
def _advanced_submarines() -> Ledger:
    entry = sheet(SUBMARINE_ATTACK.name).extra["advanced"]
    return Ledger([Line(entry["amount"], entry["words"], entry["rule"])])


class Search(TypedDict, total=False):
    """What gives search dice, apart from the combat round."""

    searching_squadrons: int
    codebreaking: int
    active_groups: int
    distant_carrier_groups: int


@rule(
    "T22.45",
    "T22.45-01",
    "T22.45-02",
    "T22.45-03",
    "T22.45-04",
    "T22.45-05",
    "T23.72",
    "T23.72-01",
    "T23.72-02",
    "T23.72-03",
    "T23.72-04",
    "T23.72-05",
    "22.451A",
    "22.451B",
    "22.451C",
    "22.451D.1",
    "22.451D.2",
    "23.722A",
    "23.722B",
    "23.722C",
    "23.722D.1",
    "23.722D.2",
)
@remembered
def search_dice(*, combat_round: int = 1, **counts: Unpack[Search]) -> Ledger:
    """22.451, 23.722: the number of search dice; outside naval combat only squadrons and codebreaking."""
    if combat_round < 1:
        raise BadValue("no such combat round", given=combat_round, allowed=("1 or more",), rule="22.451C")
    dice = SEARCH.ledger(earlier_rounds=combat_round - 1, **counts)
    return not_below_zero(dice, "never fewer than no dice", "22.451B")


@rule(
    "23.74121",
    "23.74122A",
    "23.74122A.1",
    "23.74122A.2",
    "23.74122A.3",
    "23.74122B",
    "T23.7413-08",
    "T23.7413-09",
    "T23.7413-10",
)
def surprise_modifiers(search_results: int, radar: int) -> Ledger:
    """23.74122: what is added to the die of a surprise strike: results against the group, less enemy radar."""
    if search_results < 0:
        raise BadValue("negative search results", given=search_results, allowed=("0 or more",), rule="23.74122A")
    return SURPRISE.ledger(two_results=search_results == 2, three_results=search_results >= 3, radar=radar)


@rule("23.74121")
def surprise_level(die: int, search_results: int, radar: int) -> Ledger:
    """23.7412: the level of a surprise strike: one die and its modifiers."""
    if not 1 <= die <= 6:
        raise BadValue("no die shows this", given=die, allowed=("1 to 6",), rule="23.74121")
    return Ledger([Line(die, "the die", "23.74121")]) + surprise_modifiers(search_results, radar)


@rule(
    "T23.7413",
    "T23.7413-01",
    "T23.7413-02",
    "T23.7413-03",
    "T23.7413-04",
    "T23.7413-05",
    "T23.7413-06",
    "T23.7413-07",
    "T23.7413-11",
)
@remembered
def surprise_effects(level: int) -> SurpriseEffects:
    """23.7413: the effects of a surprise level and of those below it; 0 or less does nothing."""
    levels = _surprise_effects()
    return levels[max(0, min(level, len(levels) - 1))]


@cache
def _surprise_effects() -> tuple[SurpriseEffects, ...]:
    """The effects by level from 0: each kind of effect at the largest value printed up to that level."""
    effects = [SurpriseEffects()]
    for entry in sheet(SURPRISE.name).extra["effect"]:
        printed = {name: entry[name] for name in SurpriseEffects._fields if name in entry}
        effects.append(effects[-1]._replace(**printed))
    return tuple(effects)


class Intercepted(TypedDict, total=False):
    """What counts for the dice about a target in one hex, whoever intercepts it; everybody may know it. `cargo` holds
    on the way home too. `submarines` are those that may help, `card_lead` the strategic cards played more than the
    opponent's."""

    cargo: bool
    bombardment: bool
    carrier_mission: bool
    patrol_staying: bool
    counter_in_hex: bool
    task_forces: int
    ground_defenders: int
    spotters: int
    submarines: int
    card_lead: int


class Interception(Intercepted, total=False):
    """All that counts for the dice of one attempt; `attempts` are those on the activity, submarines apart."""

    cruisers_and_destroyers_only: bool
    slow: bool
    submarine_force: bool
    attempts: int


@rule(
    "T22.21",
    "T22.21-01",
    "T22.21-02",
    "T22.21-03",
    "T22.21-04",
    "T22.21-05",
    "T22.21-06",
    "T22.21-07",
    "T22.21-08",
    "T22.21-09",
    "T22.21-10",
    "T22.21-11",
    "22.22B",
    "22.22C",
    "22.22D",
    "22.22E",
    "22.22F",
    "22.22G",
    "22.22H",
    "22.22I.1",
    "22.22I.2",
    "22.22J",
    "22.22K",
    "22.22K.1",
    "22.22K.3",
)
@remembered
def interception_dice(**counts: Unpack[Interception]) -> Ledger:
    """22.22: the dice of one interception attempt; with none or fewer it cannot be made."""
    if "attempts" in counts and counts["attempts"] < 1:
        raise BadValue("an attempt counts itself", given=counts["attempts"], allowed=("1 or more",), rule="22.22K")
    counted = dict[str, int](**counts)
    if counted.pop("cruisers_and_destroyers_only", False):
        counted["light_against_cargo"] = counted.get("cargo", False)
    if "card_lead" in counted:
        counted["codebreaking"] = max(0, counted.pop("card_lead"))
    if counted.get("submarine_force"):
        counted = {name: count for name, count in counted.items() if name not in ("submarines", "attempts")}
    return INTERCEPTION.ledger(**counted)


@rule("T22.21-12", "22.24C")
def may_intercept(dice: Ledger) -> bool:
    """22.24C: an attempt without dice cannot be made."""
    return dice.total > 0


@rule("T22.21-13")
def interception_distance(total: int, theatre: str) -> int:
    """22.21: the hexes that a force reaches with this sum of dice; in the Pacific half, rounded up."""
    if total < 0:
        raise BadValue("no sum of dice", given=total, allowed=("0 or more",), rule="22.21")
    return -(-total // 2) if _theatre(theatre) == "pacific" else total


@rule("22.23", "22.24B", "22.24B.1", "22.24B.2")
def arrival_round(distance: int, reached: int, theatre: str) -> int:
    """22.23, 22.24B: the round in which a force joins that had so far to go and reached so many hexes: the first, or
    one later for every four hexes that it falls short, every two in the Pacific, or part of them."""
    step = 2 if _theatre(theatre) == "pacific" else 4
    return 1 + max(0, -((reached - distance) // step))


@rule("T22.21-16")
def within_range(distance: int, theatre: str) -> bool:
    """22.22: whether an interception at this distance may be tried at all."""
    return distance <= MAXIMUM_RANGE[_theatre(theatre)]


def _theatre(name: str) -> str:
    if name not in MAXIMUM_RANGE:
        raise UnknownName("no such theatre", given=name, allowed=tuple(MAXIMUM_RANGE))
    return name
