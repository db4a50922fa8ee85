"""What belongs to one kind of play has no place in another."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.basing import distance
from flagplot.awaw.belonging import check_nation
from flagplot.awaw.checks.places import hex_of
from flagplot.kernel.errors import Fault
from flagplot.kernel.rules import rule

ON_MAP = ("operation", "air-turn")
"""The kinds of scenario that are played on a map."""


def check_kind(data: dict[str, Any], faults: list[Fault]) -> None:
    """What belongs to the one kind of battle has no place in the other."""
    ids = [side["id"] for side in data["sides"]]
    if data["kind"] not in ON_MAP:
        _check_places(data, faults)
    if data["kind"] == "air-phase":
        if not data["bases"]:
            faults.append(Fault("bases", "an air phase is flown against bases: give at least one"))
        if data["forces"]:
            faults.append(Fault("forces", "naval forces fight in a naval battle, not in an air phase"))
        return
    if data["carriers"]:
        faults.append(Fault("carriers", "in a naval battle carriers belong to forces"))
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
    if data["kamikazes"]:
        _check_kamikazes(data, faults)
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


@rule("22.35", "22.35A")
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
    for number, force in enumerate(data["forces"]):
        if force["arrives"] > 1:
            faults.append(Fault(f"forces[{number}].arrives", "raider combat has only one round", "22.35D"))


KAMIKAZE_RANGE = 4


@rule("17.462", "18.31C")
def _check_kamikazes(data: dict[str, Any], faults: list[Fault]) -> None:
    """17.462: kamikazes fly from Japan, four hexes from any air base."""
    sides = [side["id"] for side in data["sides"] if "japan" in side["nations"]]
    bases = [base for base in data["bases"] if base["side"] in sides and not base["box"]]
    if not any(distance(hex_of(base), hex_of(data)) <= KAMIKAZE_RANGE for base in bases):
        faults.append(Fault("kamikazes", "they need a Japanese air base within four hexes of the battle", "17.462"))
