"""Scenario files of Line of Battle: their shape, what is checked, and the state they describe."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from flagplot.kernel.briefings import TOLD_OF_A_BATTLE, check_briefing
from flagplot.kernel.errors import Fault, ScenarioError, quoted
from flagplot.kernel.rules import rule
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.kernel.shapes import Anything, Flag, Items, Shape, Table, Text, Whole
from flagplot.line_of_battle.options import Options
from flagplot.line_of_battle.rounds import base_attack, battle
from flagplot.line_of_battle.state import BASE_ATTACK, BATTLE, Marker, Setting, State
from flagplot.line_of_battle.units import AIRSTRIKE, WEAPONS, Factors, Unit

NAME = "line-of-battle"
COMBAT_ROUNDS = 2
REACH = 3
"""Hexes at which an air base still counts."""
MOST = 10
"""The largest factor: more than any counter shows, and few enough dice to list how they can fall."""


def _factor(about: str, rule: str, least: int = 0) -> Whole:
    return Whole(about, least, MOST, rule=rule)


_gunnery = _factor("Gunnery Factor: dice by night.", "LOB-17")
_torpedo = _factor("Torpedo Factor: dice by day, or by night instead of guns.", "LOB-13")
_airstrike = _factor("Airstrike Factor: dice by day. A ship that has one is a carrier.", "LOB-15")
_defense = _factor("Defense Factor: the damage points that sink or destroy it.", "LOB-22", 1)
_damage = (_factor("Damage Factor: the points that turn it over; none if left out.", "LOB-23", 1), 0)
_bonus = (Flag("An attack bonus, for the option `attack_bonus`."), False)
_about: dict[str, Shape] = {"id": Text("A short name for the tape."), "name": Text("The name for people.")}
_damaged = Table(
    "The damaged side; what it does not give follows from the option `damaged_factors`.",
    {},
    {
        "gunnery": (_gunnery, None),
        "torpedo": (_torpedo, None),
        "airstrike": (_airstrike, None),
        "defense": (_defense, None),
    },
)
_reduced = Table("The reduced side.", {}, {"airstrike": (_airstrike, None), "defense": (_defense, None)})
_ship = Table(
    "A ship.",
    {**_about, "defense": _defense},
    {
        "gunnery": (_gunnery, 0),
        "torpedo": (_torpedo, 0),
        "airstrike": (_airstrike, 0),
        "damage": _damage,
        "damaged": (_damaged, None),
        "bonus": _bonus,
    },
)
_lba = Table(
    "A land-based air unit (LBA).",
    {
        **_about,
        "airstrike": _factor("Airstrike Factor: dice by day.", "LOB-14", 1),
        "defense": _defense,
    },
    {"damage": _damage, "reduced": (_reduced, None), "bonus": _bonus},
)
_side = Table(
    "One of the two factions.",
    {"id": Text("A short name for the tape, such as japan."), "name": Text("The name for people.")},
    {
        "nations": (Items("The countries that fight on it, for the colours of counters.", Text("A country."), 1), []),
        "air_base": (Flag("Whether it has an air base no more than three hexes away."), False),
        "air_base_distance": (
            Whole("The hexes to its nearest air base, for the option `air_base_near`.", rule="LOB-12"),
            None,
        ),
        "ships": (Items("Its ships in the battle.", _ship), []),
        "lbas": (Items("Its land-based air units in the battle.", _lba), []),
    },
)

SHAPE = Table(
    "A battle of Line of Battle.",
    {
        "game": Text("The game.", NAME),
        "title": Text("The name for people."),
        "sides": Items("The two factions.", _side, 2, 2),
        "phasing": Text("The faction whose turn it is: it attacks and may retreat first."),
    },
    {
        "kind": (Text("What is fought.", BATTLE, BASE_ATTACK), BATTLE),
        "theatre": (Text("Where it is fought."), ""),
        **TOLD_OF_A_BATTLE,
        "all_sea": (Flag("Whether the battle hex is an All-Sea Hex."), True),
        "base_attack_rounds": (Whole("How many rounds a base attack has, 2 if left out.", 1, 6, rule="LOB-20"), 0),
        "options": (Anything(f"What is assumed; see `flagplot options {NAME}`.", "object"), {}),
    },
)


def read_state(scenario: Mapping[str, Any], options: Options) -> State:
    """The state at the start of a scenario; every fault of it at once if there are any."""
    faults: list[Fault] = []
    data = SHAPE.check(scenario, "", faults)
    check_briefing(data, faults)
    faults += [*_check_sides(data), *_check_names(data), *_check_counters(data, options), *_check_kind(data)]
    faults += _check_bases(data, options)
    if faults:
        raise ScenarioError(str(data["title"]) or "without a title", faults)
    setting = _setting(data, options)
    procedure = base_attack if data["kind"] == BASE_ATTACK else battle
    return State(setting, [procedure.start()], {key: Marker() for key in setting.order})


def _setting(data: dict[str, Any], options: Options) -> Setting:
    units = [_unit(entry, side, place == "lbas", options) for side, place, _, entry in _entries(data)]
    phasing = data["phasing"]
    (other,) = [side["id"] for side in data["sides"] if side["id"] != phasing]
    return Setting(
        title=data["title"],
        kind=data["kind"],
        rounds=(data["base_attack_rounds"] or 2) if data["kind"] == BASE_ATTACK else COMBAT_ROUNDS,
        phasing=phasing,
        other=other,
        names={side["id"]: side["name"] for side in data["sides"]},
        all_sea=data["all_sea"],
        air_bases={side["id"]: _is_near(side, options) for side in data["sides"]},
        order=tuple(unit.id for unit in units),
        units={unit.id: unit for unit in units},
        options=options,
    )


@rule("LOB-12")
def _is_near(side: dict[str, Any], options: Options) -> bool:
    """LOB-12: whether a faction has an air base within three hexes, as the scenario says or by its distance."""
    near: bool = side["air_base"]
    hexes: int | None = side["air_base_distance"]
    return hexes is not None and hexes <= REACH if _is_measured(options) else near


def _is_measured(options: Options) -> bool:
    return options.air_base_near == "distance"


def _entries(data: dict[str, Any]) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Every unit with its side, its list and its place in the file."""
    for number, side in enumerate(data["sides"]):
        for kind in ("ships", "lbas"):
            for place, entry in enumerate(side[kind]):
                yield side["id"], kind, f"sides[{number}].{kind}[{place}]", entry


# --- counters -----------------------------------------------------------------------------------------------------


@rule("LOB-26", "LOB-27")
def _unit(entry: dict[str, Any], side: str, lba: bool, options: Options) -> Unit:
    """LOB-26: a counter with its two sides."""
    attack = {weapon: entry.get(weapon, 0) for weapon in WEAPONS}
    front = Factors(**attack, defense=entry["defense"], damage=_damage_factor(entry, options))
    turned = entry.get("reduced" if lba else "damaged") or {}
    defense = turned.get("defense")
    weak = {weapon: _weakened(turned.get(weapon), weapon, attack[weapon], options) for weapon in WEAPONS}
    back = Factors(**weak, defense=defense or front.defense, damage=0 if defense else front.damage)
    return Unit(entry["id"], entry["name"], side, lba, entry["bonus"], front, back, bool(defense))


@rule("LOB-23")
def _damage_factor(entry: dict[str, Any], options: Options) -> int:
    """LOB-23: the Damage Factor as the scenario gives it; where it gives none there is none (an assumption)."""
    given: int = entry["damage"]
    if given or options.no_damage_factor == "defense-only" or entry["defense"] == 1:
        return given
    half: int = (entry["defense"] + 1) // 2
    return half


def _weakened(given: int | None, weapon: str, factor: int, options: Options) -> int:
    """A factor of the damaged side: as the scenario gives it, or as is assumed."""
    if given is not None:
        return given
    if options.damaged_factors == "halved":
        return factor // 2
    return 0 if weapon == AIRSTRIKE and options.damaged_factors == "no-airstrike" else factor


# --- faults -------------------------------------------------------------------------------------------------------


def _check_sides(data: dict[str, Any]) -> Iterator[Fault]:
    ids = [side["id"] for side in data["sides"]]
    if data["phasing"] and data["phasing"] not in ids:
        words = f"{quoted(data['phasing'])} is not one of the factions: {', '.join(ids)}"
        yield Fault("phasing", words, "LOB-02")
    for number, side in enumerate(data["sides"]):
        if side["id"] == UMPIRE:
            yield Fault(f"sides[{number}].id", f"“{UMPIRE}” is taken: it names the umpire")
        if side["id"] == NEUTRAL:
            yield Fault(f"sides[{number}].id", f"“{NEUTRAL}” is taken: it names spectators")
        if not side["ships"] and not side["lbas"]:
            yield Fault(f"sides[{number}]", f"{side['id']} has no unit in the Line of Battle", "LOB-24")


def _check_names(data: dict[str, Any]) -> Iterator[Fault]:
    """Short names are words of the tape, and each is used once."""
    seen: set[str] = set()
    sides = [(f"sides[{number}]", side) for number, side in enumerate(data["sides"])]
    for place, entry in [*sides, *[(place, entry) for _, _, place, entry in _entries(data)]]:
        name = entry["id"]
        if name and not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
            yield Fault(f"{place}.id", f"{quoted(name)} should be small letters, digits and hyphens")
        if name in seen:
            yield Fault(f"{place}.id", f"{quoted(name)} is used twice")
        seen.add(name)


@rule("LOB-22", "LOB-23", "LOB-26")
def _check_counters(data: dict[str, Any], options: Options) -> Iterator[Fault]:
    """LOB-23, LOB-26: a Damage Factor is below the Defense Factor, and a damaged side is not the stronger one."""
    for _, _, place, entry in _entries(data):
        if entry["damage"] >= entry["defense"]:
            words = f"a Damage Factor of {entry['damage']} is not below the Defense Factor of {entry['defense']}"
            yield Fault(f"{place}.damage", words, "LOB-23")
        key = "damaged" if "damaged" in entry else "reduced"
        turned = entry[key] or {}
        if turned and not _damage_factor(entry, options):
            yield Fault(f"{place}.{key}", "without a Damage Factor it is never turned over", "LOB-23")
        for name, factor in turned.items():
            if factor is not None and factor > entry[name]:
                words = f"a factor of {factor} is more than the {entry[name]} of the undamaged side"
                yield Fault(f"{place}.{key}.{name}", words, "LOB-26")


@rule("LOB-12")
def _check_bases(data: dict[str, Any], options: Options) -> Iterator[Fault]:
    """LOB-12: air bases are given in the form that the option wants, and in no other."""
    measured = _is_measured(options)
    wrong, right = ("air_base", "air_base_distance") if measured else ("air_base_distance", "air_base")
    for number, side in enumerate(data["sides"]):
        if side["air_base"] if measured else side["air_base_distance"] is not None:
            words = f"with the option air_base_near = {options.air_base_near} this is said by {right}"
            yield Fault(f"sides[{number}].{wrong}", words, "LOB-12")


@rule("LOB-20")
def _check_kind(data: dict[str, Any]) -> Iterator[Fault]:
    """LOB-20: base attack rounds belong to a base attack, and somebody must fly in it."""
    if data["kind"] != BASE_ATTACK:
        if data["base_attack_rounds"]:
            yield Fault("base_attack_rounds", f"only a {BASE_ATTACK} has such rounds", "LOB-20")
        return
    flying = {side for side, _, _, entry in _entries(data) if entry["airstrike"]}
    if data["phasing"] not in flying:
        yield Fault("sides", "in a base attack the phasing faction needs aircraft to attack with", "LOB-20")
