"""What belongs to one kind of play has no place in another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.awaw.basing import distance
from flagplot.awaw.belonging import check_nation
from flagplot.awaw.checks.places import hex_of
from flagplot.kernel.errors import Fault
from flagplot.kernel.rules import rule

ON_MAP = ("operation", "air-turn")
"""The kinds of scenario that are played on a map."""


AIR_PHASE, BATTLE, OPERATION, TURN = "air-phase", "naval-battle", "operation", "air-turn"
KINDS = {AIR_PHASE: "an air phase", BATTLE: "a naval battle", OPERATION: "an operation", TURN: "an air turn"}
USED_IN: dict[str, tuple[str, ...]] = {
    "theatre": (AIR_PHASE, BATTLE),
    "phases": (AIR_PHASE,),
    "carriers": (AIR_PHASE,),
    "forces": (BATTLE, *ON_MAP),
    "rounds": (BATTLE,),
    "raiders": (BATTLE,),
    "at": (BATTLE,),
    "submarines": (BATTLE,),
    "withholds": (BATTLE,),
    "transports": (BATTLE, *ON_MAP),
    "asw": (BATTLE, *ON_MAP),
    "destroyers_elsewhere": (BATTLE, *ON_MAP),
    "codebreaking": (BATTLE, *ON_MAP),
    "tactical_codebreaking": (BATTLE, *ON_MAP),
    "submarine_codebreaking": (BATTLE, *ON_MAP),
    "stages": (OPERATION,),
    "ground": (OPERATION,),
    "turn": (TURN,),
    **dict.fromkeys(("map", "supply_lines", "flotillas", "zones", "strategic", "cooperation"), ON_MAP),
    **dict.fromkeys(("hunting", "at_peace", "norway"), ON_MAP),
}
"""Keys of a scenario file that only some kinds of play use."""
USED_WITHIN: dict[str, dict[str, tuple[str, ...]]] = {
    "forces": {
        **dict.fromkeys(("activity", "origin", "arrives"), (BATTLE,)),
        **dict.fromkeys(("base", "patrol", "inverted", "began_at_sea", "orders"), ON_MAP),
    },
    "bases": {"place": ON_MAP},
}
"""The same for the keys of each force and each base. What stands in the hex of a base may be told in any of them."""
MEANT_FOR_OTHERS = {
    "theatre": "the map says it",
    "stages": "an air turn has phases: see turn.phases",
    "ground": "the ground units in a hex are counted: see turn.units",
    "submarines": "on the map they are flotillas",
    "carriers": "carriers belong to forces",
}
"""What to write instead of some of them."""


def check_keys(scenario: Mapping[str, Any], faults: list[Fault]) -> None:
    """A key that a kind of play does not use is refused: nothing that a file says is ignored."""
    kind = scenario.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        return
    _refuse_unused(scenario, USED_IN, "", kind, faults)
    for group, used in USED_WITHIN.items():
        entries = scenario.get(group)
        for number, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, Mapping):
                _refuse_unused(entry, used, f"{group}[{number}].", kind, faults)


def _refuse_unused(
    entry: Mapping[str, Any], used: dict[str, tuple[str, ...]], where: str, kind: str, faults: list[Fault]
) -> None:
    for key, kinds in used.items():
        if kind not in kinds and entry.get(key) not in (None, "", [], {}):
            instead = MEANT_FOR_OTHERS.get(key, f"it belongs to {' or '.join([KINDS[one] for one in kinds])}")
            faults.append(Fault(f"{where}{key}", f"{KINDS[kind]} does not use this: {instead}"))


def check_kind(data: dict[str, Any], faults: list[Fault]) -> None:
    """What belongs to the one kind of battle has no place in the other."""
    ids = [side["id"] for side in data["sides"]]
    if data["kind"] not in ON_MAP:
        _check_places(data, faults)
    if data["kamikazes"]:
        _check_kamikazes(data, faults)
    if data["kind"] == "air-phase":
        if not data["bases"]:
            faults.append(Fault("bases", "an air phase is flown against bases: give at least one"))
        return
    for side in ids if data["kind"] == "naval-battle" else ():
        if all(force["side"] != side or force["arrives"] > 1 for force in data["forces"]):
            faults.append(Fault("forces", f"{side} has no naval force in the first round", "22.31"))
    for key, number in SIDES_NAMED.items():
        if data[key] and data[key] not in ids:
            faults.append(Fault(key, f"“{data[key]}” is not one of the sides: {', '.join(ids)}", number))
    for key, number in (("asw", "22.9415"), ("destroyers_elsewhere", "22.9432")):
        for side in data[key]:
            if side not in ids:
                faults.append(Fault(f"{key}.{side}", f"“{side}” is not one of the sides: {', '.join(ids)}", number))
    if data["kind"] == "naval-battle":
        _check_raiders(data, faults)


def _check_places(data: dict[str, Any], faults: list[Fault]) -> None:
    """Without a map a scenario says its theatre, and where each base is."""
    if data["theatre"] is None and not any(fault.place == "theatre" for fault in faults):
        faults.append(Fault("theatre", "this is missing: the theatre, europe or pacific, sets ranges and capacities"))
    for number, base in enumerate(data["bases"]):
        if len(base["at"]) != 2:
            faults.append(Fault(f"bases[{number}].at", "this is missing: the hex, as two axial coordinates"))


SIDES_NAMED = {
    "strategic": "22.22I",
    "codebreaking": "22.451B",
    "tactical_codebreaking": "22.552A",
    "submarine_codebreaking": "22.9418",
    "withholds": "22.26D",
}


@rule("22.35", "22.35A", "22.35C", "22.35D", "18.49")
def _check_raiders(data: dict[str, Any], faults: list[Fault]) -> None:
    """22.35: raider combat is one round between what is there; transports are the defender's, and stand behind it."""
    if not data["raiders"]:
        if data["transports"]:
            faults.append(Fault("transports", "transports behind a battle are attacked by raiders alone", "22.35E"))
        return
    if data["transports"]:
        defender = next((side["id"] for side in data["sides"] if side["id"] != data["attacker"]), "")
        check_nation(data["transports"]["nation"], "transports", defender, data, faults)
    if data["submarines"]:
        faults.append(Fault("submarines", "there are no submarine attacks in raider combat", "22.35"))
    if data["kamikazes"]:
        faults.append(Fault("kamikazes", "none fly into an SW box, where raiders fight", "18.49"))
    for number, force in enumerate(data["forces"]):
        if force["arrives"] > 1:
            faults.append(Fault(f"forces[{number}].arrives", "raider combat has only one round", "22.35D"))


KAMIKAZE_RANGE = 4


@rule("17.462", "17.463", "18.31C")
def _check_kamikazes(data: dict[str, Any], faults: list[Fault]) -> None:
    """17.463: kamikazes attack ships, so an air phase has none; an air turn has a pool of them (17.43). 17.462:
    they fly from Japan, four hexes from any air base."""
    if data["kind"] == "air-phase":
        faults.append(Fault("kamikazes", "they attack ships alone, and an air phase has no attacks on ships", "17.463"))
        return
    if data["kind"] == "air-turn":
        faults.append(Fault("kamikazes", "an air turn has them in turn.kamikazes and turn.kamikaze_limit", "17.43"))
        return
    sides = [side["id"] for side in data["sides"] if "japan" in side["nations"]]
    bases = {base["id"]: base for base in data["bases"] if base["side"] in sides and not base["box"]}
    named = data["kamikazes"]["bases"]
    for base in named:
        if base not in bases:
            faults.append(Fault("kamikazes.bases", f"“{base}” is no air base of the side that has Japan", "17.462"))
    if data["kind"] == "naval-battle":
        near = [base for key, base in bases.items() if key in named or not named]
        if not any(distance(hex_of(base), hex_of(data)) <= KAMIKAZE_RANGE for base in near):
            faults.append(Fault("kamikazes", "they need a Japanese air base within four hexes of the battle", "17.462"))
    elif not bases:
        faults.append(Fault("kamikazes", "they fly from air bases in Japan, and there is none", "17.462"))
