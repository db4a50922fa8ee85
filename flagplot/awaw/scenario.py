"""Scenario files of A World at War: their shape, the rules that they must keep, and the state they describe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from flagplot.awaw.air_units import NAVAL_ARMS, Arm, Force, Role, add, flying_range, listed, unit, value
from flagplot.awaw.belonging import check_nation, check_naval
from flagplot.awaw.checks.air import check_elite, check_room, check_unit
from flagplot.awaw.checks.bases import check_berths, check_hexes
from flagplot.awaw.checks.kinds import ON_MAP, check_keys, check_kind
from flagplot.awaw.checks.names import check_names, check_nations, check_sides
from flagplot.awaw.checks.operations import check_operation
from flagplot.awaw.checks.places import hex_of, installations
from flagplot.awaw.checks.turns import check_turn
from flagplot.awaw.forces import (
    FORCE,
    STAGES,
    check_ships_once,
    conditions,
    read_force,
    shielded_transports,
    tell_off_for_cargo,
)
from flagplot.awaw.operations.files import FLOTILLA, SUPPLY_LINE, operation_state, place_on_map
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import air_phase, naval_battle
from flagplot.awaw.reach import decks_ashore, in_reach, near, ports_from, refuges
from flagplot.awaw.state.air import Site
from flagplot.awaw.state.battle import Battle, Group, Submarines
from flagplot.awaw.state.setting import Asw, Defenses, Place, Research, Scene, Setting, Supply, at_sea, drm_ledger
from flagplot.awaw.state.state import Elsewhere, State
from flagplot.awaw.turn.files import TURN, turn_state
from flagplot.kernel.briefings import TOLD_OF_A_BATTLE, check_briefing
from flagplot.kernel.errors import Fault, ScenarioError
from flagplot.kernel.rules import rule
from flagplot.kernel.shapes import Anything, Flag, Items, Named, Shape, Table, Text, Whole

BASED_ARMS = ("army", "naval", "elite-naval", "jet", "transport")
PHASES = ("movement", "combat")

_unit = Table(
    "Identical air units.",
    {
        "nation": Text("The country they belong to, as `flagplot table air-nationality` names it."),
        "arm": Text("The type of air unit.", *BASED_ARMS, rule="17.11"),
    },
    {
        "factors": (Whole("How many factors: army air, jets and air transports.", 1, 99), 0),
        "squadrons": (Whole("How many squadrons: naval air only.", 1, 99), 0),
        "inverted": (Flag("Whether they are inverted."), False),
        "committed": (Flag("Already committed to a mission: they take no part in a naval battle."), False),
    },
)
_ship = Table(
    "A fast carrier.", {"name": Text("Its name."), "size": Whole("Its size in factors.", 2, 4, rule="17.312")}, {}
)
_carriers: dict[str, Shape] = {
    "nation": Text("The country they belong to."),
    "ships": Items("The fast carriers.", _ship, 1),
    "squadrons": Whole("Naval air squadrons aboard.", 0, 99),
}
_elite = (Flag("Whether the squadrons are elite Japanese ones."), False)
_hex = Items("The hex, as two axial coordinates.", Whole("A coordinate.", -999, 999), 2, 2)
_base = Table(
    "An air base, or a mapboard box.",
    {
        "id": Text("A short name for the tape."),
        "name": Text("The name for people."),
        "side": Text("The side that controls it."),
    },
    {
        "at": (_hex, []),
        "place": (Text("In an operation: its place on the map, if it is not that of its own name."), ""),
        "fortified": (Flag("A fortified port."), False),
        "cities": (Whole("Cities in the hex.", 0, 3), 0),
        "ports": (Whole("Ports in the hex.", 0, 2), 0),
        "airbases": (Whole("Airbase counters in the hex.", 0, 1, rule="18.142D"), 0),
        "artificial_ports": (Whole("Artificial port counters in the hex.", 0, 1, rule="18.12"), 0),
        "flak": (Whole("Flak factors in the hex.", 0, 9, rule="23.4212B"), 0),
        "objectives": (Whole("Objectives in the hex.", 0, 3, rule="23.4212B"), 0),
        "anchors": (Whole("Anchor symbols in the hex.", 0, 3, rule="23.4212B"), 0),
        "fortification": (Whole("1 a fortification, 2 a fortress.", 0, 2, rule="23.4212C"), 0),
        "island": (Flag("A one-hex island."), False),
        "jungle": (Flag("Jungle or jungle/mountain."), False),
        "box": (Flag("A mapboard box: it bases any number of air units and is safe from counterair."), False),
        "supply": (Text("How it is supplied.", "full", "partial", "none", rule="18.51"), "full"),
        "oil": (Flag("Subject to air oil effects."), False),
        "winter": (Whole("The winter effect on it.", 0, 12), 0),
        "air": (Items("The air units based here.", _unit), []),
        "task_force": (
            Table(
                "Carriers in port under a TF marker.",
                {"marker": Text("What the enemy sees of it."), **_carriers},
                {"elite": _elite},
            ),
            None,
        ),
    },
)
_fleet = Table(
    "Fast carriers at sea that attack bases in an air phase.",
    {
        "id": Text("A short name for the tape."),
        "name": Text("The name for people."),
        "side": Text("The side that they belong to."),
        "at": _hex,
        **_carriers,
    },
    {"elite": _elite},
)
_side = Table(
    "One of the two sides.",
    {
        "id": Text("A short name for the tape, such as axis."),
        "name": Text("The name for people."),
        "nations": Items("The countries that fight on it.", Text("A country."), 1),
    },
    {
        "partial_supply": (Flag("Its naval forces, and the air aboard, are in partial supply."), False),
        "naval_oil": (Flag("Its ships are subject to naval oil effects."), False),
        "air_oil": (Flag("The air aboard its carriers is subject to air oil effects."), False),
    },
)
_research = Table(
    "Research results of a country that touch air and naval combat.",
    {},
    {
        "air_drm": (Whole("Increase of its Air Nationality DRM.", 0, 3), 0),
        "jets": (Whole("Its research result for jets: 9, 11 or 12.", 0, 15, rule="17.52"), 0),
        "radar": (Whole("Its radar results.", 0, 9), 0),
        "air_defense": (Whole("Its air defense results.", 0, 9, rule="23.4213"), 0),
        "naval_drm": (Whole("Increase of its Naval Nationality DRM.", 0, 3), 0),
        "torpedo": (Whole("Its torpedo results.", 0, 9, rule="22.9412"), 0),
        "asw": (Whole("Its ASW results.", 0, 9, rule="22.9412"), 0),
        "air_range": (Whole("Its air range results.", 0, 3, rule="17.72"), 0),
    },
)
_submarines = Table(
    "Submarines that take part in a naval battle.",
    {
        "side": Text("The side that they belong to."),
        "nation": Text("The country they belong to."),
        "factors": Whole("How many factors.", 1, 99),
    },
    {
        "advanced": (Flag("Advanced submarines."), False),
        "accompany": (Flag("They came with a naval force; else they have intercepted and must attack."), False),
        "arrives": (Whole("The round in which they reach the battle.", 1, 6, rule="22.24B"), 1),
        "origin": (Text("The base that they came from."), ""),
    },
)
_asw = Table(
    "ASW in the SW box that covers the battle.",
    {
        "factors": Whole("The ASW factors of the side.", 0, 99, rule="22.9415"),
        "submarines": Whole("The enemy submarines that could wage war there.", 0, 99, rule="22.9415"),
    },
    {},
)
_transports = Table(
    "Transports in the SW box that raiders are kept from.",
    {"nation": Text("The country they belong to."), "factors": Whole("How many factors.", 1, 99, rule="22.35E")},
    {},
)
_kamikazes = Table(
    "Japanese kamikazes, in a naval battle those in range.",
    {"number": Whole("How many there are.", 1, 99, rule="17.43")},
    {
        "growth": (Whole("How often their pool has grown.", 0, 6, rule="17.47H"), 0),
        "bases": (Items("The air bases in Japan; all of their side if none is given.", Text("A base.")), []),
    },
)

SHAPE = Table(
    "A battle of A World at War.",
    {
        "game": Text("The game.", "awaw"),
        "kind": Text("What is played.", "air-phase", "naval-battle", "operation", "air-turn"),
        "title": Text("The name for people."),
        "sides": Items("The two sides.", _side, 2, 2),
        "attacker": Text("The side whose player turn it is; in a naval battle the moving side."),
    },
    {
        "theatre": (Text("The theatre, which sets ranges and capacities.", "", "europe", "pacific"), None),
        "map": (Anything("In an operation: the map, by name or drawn here (`docs/maps.md`).", "string", "object"), ""),
        "stages": (Items("In an operation: the stages that are played.", Text("A stage.", *STAGES), 1), [*STAGES]),
        "supply_lines": (
            Items("In an operation or air turn: sea supply lines, each for its side to trace.", SUPPLY_LINE),
            [],
        ),
        "flotillas": (Items("In an operation: submarines in port or on patrol.", FLOTILLA), []),
        "ground": (Named("In an operation: ground factors in a base.", Whole("How many.", 0, 99, rule="22.22F")), {}),
        "zones": (Named("The supply zone of a base.", Text("Its name.", rule="22.141B")), {}),
        "strategic": (Text("The side that has played more strategic cards.", rule="22.22I"), ""),
        "cooperation": (Flag("Whether British and French forces act together."), True),
        "hunting": (Whole("What makes raiders easier to find in the SW box.", 0, 9, rule="21.5342"), 0),
        "at_peace": (Items("Pairs of nations that are not at war.", Items("Two.", Text("A nation."), 2, 2)), []),
        "norway": (Items("Places of the map on Norway's North Sea coast.", Text("A place.", rule="22.11A")), []),
        "bases": (Items("The bases and mapboard boxes.", _base), []),
        "turn": (TURN, {}),
        **TOLD_OF_A_BATTLE,
        "public": (
            Text(
                "What both sides know beforehand of each other: the forces as they are listed here, their ships only, "
                "or nothing but the navies.",
                "forces",
                "ships",
                "navies",
            ),
            "forces",
        ),
        "phases": (Items("The phases in which counterair is flown.", Text("A phase.", *PHASES), 1, 2), ["combat"]),
        "rounds": (Whole("The round after which an undecided naval battle is broken off.", 1, 20), 12),
        "raiders": (Flag("Raider combat in an SW box; the moving side are the raiders."), False),
        "transports": (_transports, None),
        "carriers": (Items("Carrier forces at sea, in an air phase.", _fleet), []),
        "at": (_hex, [0, 0]),
        "forces": (Items("The naval forces of a naval battle.", FORCE), []),
        "submarines": (Items("The submarines of a naval battle.", _submarines), []),
        "asw": (Named("By side: ASW against the submarines of the enemy.", _asw), {}),
        "destroyers_elsewhere": (
            Named(
                "By side: uncommitted destroyers in the SW box, and in a naval battle uninverted ones in the base of "
                "origin; in an operation or air turn the forces in port are those.",
                Whole("How many factors.", 0, 99, rule="22.9432"),
            ),
            {},
        ),
        "kamikazes": (_kamikazes, None),
        "withholds": (Text("In a counter-interception battle: the side that was on its way to intercept."), ""),
        "codebreaking": (Text("The side that has the search advantage from codebreaking.", rule="22.451B"), ""),
        "tactical_codebreaking": (Text("The side that has the tactical advantage in fleet combat."), ""),
        "submarine_codebreaking": (Text("The side that has the advantage in submarine attacks."), ""),
        "research": (Named("Research results by country.", _research), {}),
        "options": (Anything("Readings of the rules; see `flagplot options awaw`.", "object"), {}),
    },
)


class _Read(NamedTuple):
    """A scenario that has been read: as data with its defaults, and what stands in it."""

    data: dict[str, Any]
    places: dict[str, Place]
    sites: dict[str, Site]
    groups: dict[str, Group]


def read_state(scenario: Mapping[str, Any], options: Options) -> State:
    """The state at the start of a scenario; every fault of it at once if there are any."""
    data, places, sites, groups = _read(scenario, options)
    if data["kind"] != "air-phase":
        for side in data["sides"]:
            places[at_sea(side["id"])] = _sea_place(data, side)
            sites[at_sea(side["id"])] = Site()
    setting, scene = _setting(data, places, sites, groups, options), _scene(data, places)
    for site in sites.values():
        site.air = _rated(setting, places, site.air)
        site.hidden = _rated(setting, places, site.hidden)
        site.committed = _rated(setting, places, site.committed)
    for group in groups.values():
        group.air = _rated(setting, places, group.air)
    elsewhere = Elsewhere(
        {side: number for side, number in data["destroyers_elsewhere"].items() if number},
        shielded_transports(data, options) if data["transports"] else {},
    )
    if data["kind"] in ON_MAP:
        started = operation_state(data, setting, scene, sites, groups, elsewhere)
        return started if data["kind"] == "operation" else turn_state(data, started)
    if data["kind"] == "naval-battle":
        tell_off_for_cargo(groups)
    procedure = naval_battle if data["kind"] == "naval-battle" else air_phase
    return State(
        setting,
        scene,
        [procedure.start()],
        sites,
        kamikazes=data["kamikazes"]["number"] if data["kamikazes"] else 0,
        kamikaze_growth=data["kamikazes"]["growth"] if data["kamikazes"] else 0,
        elsewhere=elsewhere,
        battle=Battle(groups=groups, submarines=[Submarines(**entry) for entry in data["submarines"]]),
    )


def _read(scenario: Mapping[str, Any], options: Options) -> _Read:
    """What a scenario says, checked; every fault of it at once if there are any."""
    faults: list[Fault] = []
    data = SHAPE.check(scenario, "", faults)
    check_briefing(data, faults)
    check_keys(scenario, faults)
    check_sides(data, faults)
    check_names(data, faults)
    if data["kind"] in ON_MAP:
        place_on_map(data, faults)
    check_nations(data, faults)
    check_kind(data, faults)
    check_hexes(data, faults)
    check_elite(data, faults)
    places, sites = {}, {}
    for number, base in enumerate(data["bases"]):
        where = f"bases[{number}]"
        places[base["id"]] = _place(base)
        sites[base["id"]] = _site(base, where, data, options, faults)
        check_room(base, sites[base["id"]], where, data["theatre"] == "pacific", faults)
    for number, fleet in enumerate(data["carriers"]):
        where = f"carriers[{number}]"
        places[fleet["id"]] = Place(fleet["name"], fleet["side"], hex_of(fleet), afloat=True)
        sites[fleet["id"]] = Site(air=_aboard(fleet, fleet["id"], where, data, faults))
    groups = {
        entry["id"]: read_force(entry, f"forces[{number}]", data, options, faults)
        for number, entry in enumerate(data["forces"])
    }
    for place, group in enumerate(groups.values()):
        group.place = place
    check_ships_once(groups, faults)
    check_berths(data, groups, faults)
    for number, entry in enumerate(data["submarines"]):
        check_nation(entry["nation"], f"submarines[{number}]", entry["side"], data, faults)
    if data["kind"] in ON_MAP:
        check_operation(data, groups, faults)
    if data["kind"] == "air-turn":
        check_turn(data, groups, options, faults)
    if faults:
        raise ScenarioError(str(data["title"]) or "without a title", faults)
    return _Read(data, places, sites, groups)


def _sea_place(data: dict[str, Any], side: dict[str, Any]) -> Place:
    """The place at sea from which all the carrier air of a side acts in a naval battle."""
    supply = Supply.PARTIAL if side["partial_supply"] else Supply.FULL
    return Place(
        f"the carriers of {side['name']}", side["id"], hex_of(data), afloat=True, supply=supply, oil=side["air_oil"]
    )


def _setting(
    data: dict[str, Any], places: dict[str, Place], sites: dict[str, Site], groups: dict[str, Group], options: Options
) -> Setting:
    attacker, defender = _moving_first(data)
    pool: dict[str, int] = {}
    worth = {attacker["id"]: 0, defender["id"]: 0}
    for key, site in sites.items():
        worth[places[key].side] += value(site.air) + value(site.hidden)
        for which, number in site.air.items():
            if not which.is_naval:
                key = f"{which.nation}/{which.arm}"
                pool[key] = pool.get(key, 0) + number
    for group in groups.values():
        worth[group.side] += value(group.air)
    for side in data["sides"]:
        worth[side["id"]] += _worth_of_kamikazes(data, side)
    return Setting(
        title=data["title"],
        pacific=data["theatre"] == "pacific",
        nations={side["id"]: tuple(side["nations"]) for side in data["sides"]},
        research={country: Research(**results) for country, results in data["research"].items()},
        research_of_side={side["id"]: _best(side, data["research"]) for side in data["sides"]},
        pool=pool,
        worth=worth,
        options=options,
        naval=conditions(data) if data["kind"] != "air-phase" else {},
        ends_turn=data["kind"] not in ON_MAP,
    )


def _scene(data: dict[str, Any], places: dict[str, Place]) -> Scene:
    """The scene as the game begins; one on a map has no reach, since nothing happens yet."""
    attacker, defender = _moving_first(data)
    battle, pacific, at = data["kind"] == "naval-battle", data["theatre"] == "pacific", hex_of(data)
    return Scene(
        kind=data["kind"],
        attacker=attacker["id"],
        defender=defender["id"],
        names=(attacker["name"], defender["name"]),
        phases=tuple(f"round {n + 1}" for n in range(data["rounds"])) if battle else tuple(data["phases"]),
        places=places,
        held={
            side["id"]: tuple(key for key, place in places.items() if place.side == side["id"])
            for side in (attacker, defender)
        },
        near=near(places, battle),
        refuges=refuges(places, pacific),
        raiders=data["raiders"],
        at=at,
        in_reach=in_reach(places, at) if battle else {},
        decks_ashore=decks_ashore(places, at, pacific) if battle else {},
        codebreaking=data["codebreaking"],
        tactical=data["tactical_codebreaking"],
        underwater=data["submarine_codebreaking"],
        ports=ports_from(places, at) if battle else {},
        asw={side: Asw(entry["factors"], entry["submarines"]) for side, entry in data["asw"].items()},
        withholder=data["withholds"],
    )


def _moving_first(data: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    first, second = data["sides"]
    return (first, second) if first["id"] == data["attacker"] else (second, first)


@rule("17.44C")
def _worth_of_kamikazes(data: dict[str, Any], side: dict[str, Any]) -> int:
    """17.44C: a kamikaze costs one BRP; there are only Japanese ones."""
    number: int = data["kamikazes"]["number"] if data["kamikazes"] and "japan" in side["nations"] else 0
    return number


def _best(side: dict[str, Any], research: dict[str, dict[str, int]]) -> dict[str, int]:
    results = [research[country] for country in side["nations"] if country in research]
    return {name: max(result[name] for result in results) for name in results[0]} if results else {}


def _rated(setting: Setting, places: dict[str, Place], force: Force) -> Force:
    """The force with the DRM and range of its units."""
    rated: Force = {}
    for which, number in force.items():
        jets = setting.research.get(which.nation, Research()).jets
        drm = drm_ledger(setting, places[which.home], which.nation, which.arm).total
        reach = flying_range(which.arm, setting.pacific, jets)
        add(rated, unit(which.nation, which.arm, drm, reach, which.home, which.role, which.inverted), number)
    return rated


def _place(base: dict[str, Any]) -> Place:
    force = base["task_force"]
    return Place(
        name=base["name"],
        side=base["side"],
        at=hex_of(base),
        installations=installations(base),
        island=base["island"],
        jungle=base["jungle"],
        box=base["box"],
        supply=Supply(base["supply"]),
        oil=base["oil"],
        winter=base["winter"],
        marker=force["marker"] if force else "",
        ports=base["ports"],
        fortified=base["fortified"],
        defenses=_defenses(base),
    )


def _defenses(base: dict[str, Any]) -> Defenses:
    """23.4212: what counts for the air defense of a port; a fortified port has at least a fortification."""
    fortification = max(base["fortification"], int(base["fortified"]))
    symbols = base["flak"], base["objectives"], base["anchors"]
    return Defenses(base["cities"] + base["ports"], base["airbases"], *symbols, fortification)


# --- the units --------------------------------------------------------------------------------------------------


@rule("17.92")
def _site(base: dict[str, Any], where: str, data: dict[str, Any], options: Options, faults: list[Fault]) -> Site:
    """The air units of a base; the same kind may be listed in parts (17.92)."""
    air: Force = {}
    committed: Force = {}
    for number, entry in enumerate(base["air"]):
        place = f"{where}.air[{number}]"
        check_unit(entry, place, base["side"], data, options, faults)
        arm = Arm(entry["arm"])
        naval = arm in NAVAL_ARMS
        role = Role.SQUADRONS if naval else Role.FACTORS
        which = listed(entry["nation"], arm, base["id"], role, inverted=entry["inverted"])
        units = entry["squadrons"] if naval else entry["factors"]
        add(air, which, units)
        if entry["committed"]:
            add(committed, which, units)
    hidden: Force = {}
    if force := base["task_force"]:
        if not base["ports"]:
            faults.append(Fault(f"{where}.task_force", "naval units base in ports, and there is none here", "20.15"))
        force = {**force, "side": base["side"]}
        hidden = _aboard(force, base["id"], f"{where}.task_force", data, faults)
    return Site(air=air, hidden=hidden, committed=committed)


@rule("17.312", "17.312.1")
def _aboard(force: dict[str, Any], home: str, where: str, data: dict[str, Any], faults: list[Fault]) -> Force:
    """17.312: carriers base naval air of their own nation, as many squadrons as their size in factors."""
    room_aboard = sum(ship["size"] for ship in force["ships"])
    if force["squadrons"] > room_aboard:
        message = f"{force['squadrons']} squadrons are more than the {room_aboard} that these carriers base"
        faults.append(Fault(f"{where}.squadrons", message, "17.312"))
    check_nation(force["nation"], where, force["side"], data, faults)
    arm = Arm.ELITE if force["elite"] else Arm.NAVAL
    check_naval(force["nation"], arm, where, faults)
    which = listed(force["nation"], arm, home, Role.SQUADRONS)
    return {which: force["squadrons"]} if force["squadrons"] else {}
