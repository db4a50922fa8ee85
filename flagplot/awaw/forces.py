"""The naval forces of a scenario file: their shape, the rules of task forces and basing, and the groups they make."""

from __future__ import annotations

from collections import Counter
from typing import Any

from flagplot.awaw.air_units import Arm, Force, Role, add, listed
from flagplot.awaw.battle.cargo import tag
from flagplot.awaw.battle.groups import CARGO_MISSIONS, on_cargo_duty
from flagplot.awaw.belonging import check_nation, check_naval
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Fleet, Kind, decks, named_ship, ship, ship_ledger
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.setting import Conditions, at_sea
from flagplot.awaw.task_forces import small_force_faults, task_force_faults
from flagplot.kernel.errors import Fault, UnknownName
from flagplot.kernel.rules import rule
from flagplot.kernel.shapes import Flag, Items, Named, Shape, Table, Text, Whole

_air = Table(
    "Naval air aboard.",
    {"nation": Text("The country it belongs to."), "squadrons": Whole("How many squadrons.", 1, 99)},
    {"elite": (Flag("Elite Japanese squadrons."), False)},
)
_contingent = Table(
    "Ships of one country.",
    {"nation": Text("The country they belong to.")},
    {
        "named": (Items("Capital ships and fast carriers by name; `flagplot ships` lists them.", Text("A name.")), []),
        "cruisers": (Whole("Cruiser factors, two to a cruiser.", 0, 98), 0),
        "destroyers": (Whole("Destroyer factors without cargo.", 0, 99), 0),
        "laden_destroyers": (Whole("Destroyer factors that carry cargo.", 0, 99), 0),
        "cves": (Whole("Escort carriers.", 0, 99), 0),
        "transports": (Whole("Transport factors without cargo.", 0, 99), 0),
        "laden_transports": (Whole("Transport factors that carry cargo.", 0, 99), 0),
        "damaged_cruisers": (Whole("How many of the cruisers are damaged.", 0, 49), 0),
        "hits": (Named("Hits that named ships have.", Whole("How many hits.", 1, 4)), {}),
    },
)
ACTIVITIES = (
    "sea-transport",
    "seaborne-invasion",
    "sea-escort",
    "sea-supply",
    "base-change",
    "redeployment",
    "patrol",
    "shore-bombardment",
    "fast-carrier-mission",
)
"""22.552B, 22.63: the naval activities of a moving force; an intercepting force has none."""

_load = Table(
    "A part of the cargo.",
    {
        "name": Text("What it is."),
        "factors": Whole("The laden destroyer or transport factors that it needs.", 1, 99, rule="22.82"),
    },
    {"divisible": (Flag("It can be lost factor by factor, as air units are."), False)},
)
STAGES = ("movement", "combat", "redeployment")
"""22.15: the stages of a player turn in which naval activities are announced."""

ORDER = Table(
    "A naval activity that a force of the moving side may be told to carry out.",
    {
        "activity": Text("What it is.", *ACTIVITIES, "raid", "displacement", "asw-deployment", rule="22.15"),
        "to": Text("Where: a place of the map, a base of this file, a mapboard box, or a hex as “q,r”."),
    },
    {
        "stage": (Text("The stage in which it is announced; else the usual one.", *STAGES, rule="22.15"), None),
        "worth": (Whole("What it counts for its side if it is carried out.", 0, 99), 0),
    },
)

FORCE: Shape = Table(
    "A naval force that fights in a naval battle.",
    {
        "id": Text("A short name for the tape."),
        "name": Text("The name for its owner; the enemy knows only the combat group number."),
        "side": Text("The side that it belongs to."),
        "ships": Items("Its ships, country by country.", _contingent, 1),
    },
    {
        "task_force": (Flag("A task force of 10 to 25 factors; else a small force of up to nine."), True),
        "air": (Items("Naval air aboard its fast carriers.", _air), []),
        "cargo": (Text("What its laden ships carry."), ""),
        "loads": (Items("The cargo in parts, if it can be lost in parts.", _load), []),
        "activity": (Text("What it is at sea for.", *ACTIVITIES, rule="22.552B"), ""),
        "origin": (Text("The base that it came from: a base of this file, or any other by its name."), ""),
        "arrives": (Whole("The round in which it reaches the battle.", 1, 6, rule="22.24B"), 1),
        "base": (Text("In an operation: the port that it is in."), ""),
        "patrol": (Text("In an operation: the hex of the map in which it is on patrol."), ""),
        "inverted": (Flag("In an operation: whether it is inverted."), False),
        "began_at_sea": (Flag("In an operation: raiders in a box that were at sea as the game began."), False),
        "orders": (Items("In an operation: what it may be told to do.", ORDER), []),
    },
)


def read_force(entry: dict[str, Any], place: str, data: dict[str, Any], options: Options, faults: list[Fault]) -> Group:
    """A force as it is before segment A, and everything that is wrong with it."""
    fleet: Fleet = {}
    for number, part in enumerate(entry["ships"]):
        _add_contingent(fleet, part, f"{place}.ships[{number}]", entry["side"], data, options, faults)
    checked = task_force_faults if entry["task_force"] else small_force_faults
    faults += [Fault(place, message, number) for message, number in checked(fleet, options)]
    laden = any(which.laden for which in fleet)
    if laden and not entry["cargo"]:
        faults.append(Fault(f"{place}.cargo", "laden ships carry something: say what", "22.427"))
    if entry["cargo"] and not laden:
        message = "cargo rides on destroyers or transports: give laden_destroyers or laden_transports"
        faults.append(Fault(f"{place}.cargo", message, "22.427"))
    _check_loads(entry, fleet, place, faults)
    return Group(
        entry["side"],
        entry["name"],
        fleet,
        entry["task_force"],
        entry["arrives"],
        entry["cargo"],
        {load["name"]: load["factors"] for load in entry["loads"]},
        tuple(load["name"] for load in entry["loads"] if load["divisible"]),
        entry["activity"],
        entry["origin"],
        air=_aboard(entry, fleet, place, faults),
    )


@rule("22.552B.3")
def tell_off_for_cargo(groups: dict[str, Group]) -> None:
    """22.552B: a force on a cargo mission without cargo is on the way to it or from it, and its destroyers and
    transports carry the mission; but if others of its side have the cargo of that mission, it is their escort."""
    carried = {(group.side, group.activity) for group in groups.values() if group.cargo}
    for group in groups.values():
        if group.activity in CARGO_MISSIONS and (group.side, group.activity) not in carried:
            group.ships = on_cargo_duty(group.ships)


@rule("22.82A")
def _check_loads(entry: dict[str, Any], fleet: Fleet, place: str, faults: list[Fault]) -> None:
    """22.82A: no more cargo than the laden ships can carry."""
    carried = sum(number for which, number in fleet.items() if which.laden)
    needed = sum(load["factors"] for load in entry["loads"])
    if needed > carried:
        message = f"these loads need {needed} laden factors, and there are {carried}"
        faults.append(Fault(f"{place}.loads", message, "22.82"))
    names = [tag(load["name"]) for load in entry["loads"]]
    if len(set(names)) < len(names):
        faults.append(Fault(f"{place}.loads", "each load needs a name of its own"))


def _add_contingent(
    fleet: Fleet,
    part: dict[str, Any],
    place: str,
    side: str,
    data: dict[str, Any],
    options: Options,
    faults: list[Fault],
) -> None:
    country = part["nation"]
    if not check_nation(country, place, side, data, faults):
        return
    for name in part["named"]:
        _add_named(fleet, name, part, place, data, options, faults)
    for name in part["hits"]:
        if name not in part["named"]:
            faults.append(Fault(f"{place}.hits.{name}", "no such ship in this force"))
    if part["cruisers"] % 2:
        message = f"{part['cruisers']} factors are no whole number of cruisers of two factors"
        faults.append(Fault(f"{place}.cruisers", message, "T23.44-08"))
    cruisers = part["cruisers"] // 2
    if part["damaged_cruisers"] > cruisers:
        faults.append(Fault(f"{place}.damaged_cruisers", f"there are only {cruisers} cruisers"))
        return
    for kind, laden, hits, count in (
        (Kind.CRUISER, False, 0, cruisers - part["damaged_cruisers"]),
        (Kind.CRUISER, False, 1, part["damaged_cruisers"]),
        (Kind.DESTROYER, False, 0, part["destroyers"]),
        (Kind.DESTROYER, True, 0, part["laden_destroyers"]),
        (Kind.CVE, False, 0, part["cves"]),
        (Kind.TRANSPORT, False, 0, part["transports"]),
        (Kind.TRANSPORT, True, 0, part["laden_transports"]),
    ):
        if count:
            size = 2 if kind is Kind.CRUISER else 1
            add(
                fleet,
                ship(country, kind, "", size, False, _drm(country, kind, size, data, options), laden, hits),
                count,
            )


def _add_named(
    fleet: Fleet,
    name: str,
    part: dict[str, Any],
    place: str,
    data: dict[str, Any],
    options: Options,
    faults: list[Fault],
) -> None:
    try:
        found = named_ship(name)
    except UnknownName as unknown:
        faults.append(Fault(f"{place}.named", str(unknown)))
        return
    if found.nation != part["nation"]:
        faults.append(Fault(f"{place}.named", f"{found.name} is a ship of {found.nation}, not of {part['nation']}"))
        return
    hits = part["hits"].get(name, 0)
    if hits >= found.factors:
        faults.append(Fault(f"{place}.hits.{name}", f"{hits} hits sink a ship of {found.factors} factors", "T23.44-08"))
        return
    drm = _drm(found.nation, found.kind, found.factors, data, options)
    add(fleet, ship(found.nation, found.kind, found.id, found.factors, found.slow, drm, False, hits), 1)


def shielded_transports(data: dict[str, Any], options: Options) -> Fleet:
    """The transports in the SW box that raiders are after."""
    country, factors = data["transports"]["nation"], data["transports"]["factors"]
    drm = _drm(country, Kind.TRANSPORT, 1, data, options)
    return {ship(country, Kind.TRANSPORT, "", 1, False, drm): factors}


def conditions(data: dict[str, Any]) -> dict[str, Conditions]:
    """What changes the Naval Nationality DRM of each nation's ships in this battle."""
    return {
        country: Conditions(
            side["partial_supply"], side["naval_oil"], data["research"].get(country, {}).get("naval_drm", 0)
        )
        for side in data["sides"]
        for country in side["nations"]
    }


def _drm(country: str, kind: Kind, size: int, data: dict[str, Any], options: Options) -> int:
    """22.552A: the Naval Nationality DRM of such ships in this battle."""
    short, oil, research = conditions(data)[country]
    return ship_ledger(
        country, kind, size, short_supply=short, oil=oil, research=research, supply_and_oil=options.supply_and_oil
    ).total


@rule("17.312", "17.312.1", "17.3124.5")
def _aboard(entry: dict[str, Any], fleet: Fleet, place: str, faults: list[Fault]) -> Force:
    """17.312: fast carriers base naval air of their own nation, as many squadrons as their size in factors; damaged
    ones still carry it (17.3124)."""
    air: Force = {}
    aboard: dict[str, int] = {}
    for number, part in enumerate(entry["air"]):
        country, where = part["nation"], f"{place}.air[{number}]"
        arm = Arm.ELITE if part["elite"] else Arm.NAVAL
        check_naval(country, arm, where, faults)
        add(air, listed(country, arm, at_sea(entry["side"]), Role.SQUADRONS), part["squadrons"])
        aboard[country] = aboard.get(country, 0) + part["squadrons"]
    room = Counter({country: sum(some) for country, some in decks(fleet).items()})
    for country, squadrons in aboard.items():
        holds = room[country]
        if squadrons > holds:
            message = f"{squadrons} squadrons of {country} are more than the {holds} that its carriers here base"
            faults.append(Fault(f"{place}.air", message, "17.312"))
    return air


def check_ships_once(groups: dict[str, Group], faults: list[Fault]) -> None:
    """No named ship can be in two places."""
    seen: dict[str, str] = {}
    for key, group in groups.items():
        for which in group.ships:
            if which.named and seen.setdefault(which.id, key) != key:
                faults.append(Fault("forces", f"{which.name} is in {seen[which.id]} and in {key}"))
        for which, number in group.ships.items():
            if which.named and number > 1:
                faults.append(Fault("forces", f"{which.name} stands twice in {key}"))
