"""Ways to spoil a generated scenario: each makes it illegal in one way, and says the place and rule of the fault."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from flagplot.generating.seas import COAST, columns_of, map_hexes

Scenario = dict[str, Any]
Expected = tuple[str, str]
Spoil = Callable[[Scenario], Expected]
"""Changes a scenario, and gives the place and the rule of the fault. Raises NotSpoilt if there is nothing to spoil."""


class NotSpoilt(Exception):
    """The scenario lacks what would be spoilt."""


SPOILS: dict[str, tuple[str, Spoil]] = {}
"""By name: the kind of scenario, and what is done to it."""


def spoil(kind: str) -> Callable[[Spoil], Spoil]:
    def note(how: Spoil) -> Spoil:
        SPOILS[how.__name__.replace("_", " ")] = (kind, how)
        return how

    return note


def _entries(data: Scenario, key: str) -> Iterator[tuple[str, dict[str, Any]]]:
    found = data["turn"]["units"] if key == "turn.units" else data[key]
    for number, entry in enumerate(found):
        yield f"{key}[{number}]", entry


def _of(data: Scenario, side: str, *, ashore: bool = False) -> tuple[str, dict[str, Any]]:
    """The first ground unit of a side, or the first that is ashore."""
    return _first(data, "turn.units", lambda unit: unit["side"] == side and not (ashore and unit.get("aboard")))


def _enemy(side: str) -> str:
    return "allies" if side == "axis" else "axis"


def _first(data: Scenario, key: str, fits: Callable[[dict[str, Any]], Any]) -> tuple[str, dict[str, Any]]:
    for where, entry in _entries(data, key):
        if fits(entry):
            return where, entry
    raise NotSpoilt


def _cargo(data: Scenario) -> tuple[str, dict[str, Any]]:
    """The first ground unit that is aboard ships."""
    return _first(data, "turn.units", lambda unit: unit.get("aboard"))


def _ashore(data: Scenario) -> tuple[str, dict[str, Any]]:
    """The first ground unit that is not."""
    return _first(data, "turn.units", lambda unit: not unit.get("aboard"))


def _an_order(data: Scenario, activity: str) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """The first order to do this: where it stands, the force and the order."""
    for where, force in _entries(data, "forces"):
        for number, order in enumerate(force.get("orders", [])):
            if order["activity"] == activity:
                return f"{where}.orders[{number}]", force, order
    raise NotSpoilt


def _need(*things: object) -> None:
    if not all(things):
        raise NotSpoilt


def _base(data: Scenario, key: str) -> dict[str, Any]:
    found: dict[str, Any] = next(entry for entry in data["bases"] if entry["id"] == key)
    return found


def _on_map(data: Scenario, side: str) -> list[dict[str, Any]]:
    return [entry for entry in data["bases"] if entry["side"] == side and not entry.get("box")]


def _text(at: list[int]) -> str:
    return f"{at[0]},{at[1]}"


def _laden(force: dict[str, Any]) -> int:
    return sum(part.get("laden_destroyers", 0) + part.get("laden_transports", 0) for part in force["ships"])


# --- ground units -----------------------------------------------------------------------------------------------


@spoil("air-turn")
def aboard_nobody(data: Scenario) -> Expected:
    where, unit = _first(data, "turn.units", lambda unit: True)
    unit["aboard"] = "nobody"
    return f"{where}.aboard", "22.15A"


@spoil("air-turn")
def aboard_an_enemy_force(data: Scenario) -> Expected:
    sides = {unit["side"] for unit in data["turn"]["units"]}
    _, force = _first(data, "forces", lambda force: _enemy(force["side"]) in sides)
    where, unit = _of(data, _enemy(force["side"]))
    unit |= {"aboard": force["id"], "at": force["base"]}
    return f"{where}.aboard", "22.15A"


@spoil("air-turn")
def in_another_port_than_its_force(data: Scenario) -> Expected:
    where, unit = _cargo(data)
    others = [base for base in _on_map(data, unit["side"]) if base["id"] != unit["at"]]
    _need(others)
    unit["at"] = others[0]["id"]
    return f"{where}.at", "22.15A"


@spoil("air-turn")
def aboard_ships_without_cargo(data: Scenario) -> Expected:
    sides = {unit["side"] for unit in data["turn"]["units"]}
    _, force = _first(
        data, "forces", lambda force: force["side"] in sides and not _laden(force) and force["base"] != "far-sea"
    )
    where, unit = _of(data, force["side"])
    unit |= {"aboard": force["id"], "at": force["base"]}
    return f"{where}.aboard", "22.427"


@spoil("air-turn")
def aboard_too_few_ships(data: Scenario) -> Expected:
    where, unit = _cargo(data)
    unit["factors"] = 9
    return f"{where}.aboard", "22.82"


@spoil("air-turn")
def a_unit_that_is_no_part_of_the_cargo(data: Scenario) -> Expected:
    where, unit = _cargo(data)
    force = next(force for force in data["forces"] if force["id"] == unit["aboard"])
    force["loads"] = [{"name": "guns", "factors": 1}]
    return f"{where}.aboard", "22.82"


@spoil("air-turn")
def a_unit_in_open_sea(data: Scenario) -> Expected:
    where, unit = _ashore(data)
    unit["at"] = "0,0"
    return f"{where}.at", "22.82"


@spoil("air-turn")
def a_unit_in_an_enemy_base(data: Scenario) -> Expected:
    where, unit = _ashore(data)
    unit["at"] = _on_map(data, _enemy(unit["side"]))[0]["id"]
    return f"{where}.at", "18.25"


@spoil("air-turn")
def units_of_both_sides_in_one_hex(data: Scenario) -> Expected:
    (hex_,) = map_hexes(range(COAST + 3, COAST + 4), columns_of("axis")[:1])
    for side in ("axis", "allies"):
        _, unit = _of(data, side, ashore=True)
        unit["at"] = _text([*hex_])
    data["turn"]["neutral"], data["turn"]["neutral_sides"] = [], []
    last = max(n for n, unit in enumerate(data["turn"]["units"]) if unit["at"] == _text([*hex_]))
    return f"turn.units[{last}].at", "18.25"


@spoil("air-turn")
def a_unit_on_neutral_land(data: Scenario) -> Expected:
    where, unit = _ashore(data)
    _need(data["turn"].get("neutral"))
    unit["at"] = data["turn"]["neutral"][0]
    return f"{where}.at", "18.22"


# --- names and nations ------------------------------------------------------------------------------------------


@spoil("operation")
def a_side_with_a_blank(data: Scenario) -> Expected:
    renamed = json.loads(json.dumps(data).replace('"axis"', '"the axis"'))
    data |= renamed
    return "sides[0].id", ""


@spoil("operation")
def a_force_with_a_colon(data: Scenario) -> Expected:
    data["forces"][0]["id"] = "force:0"
    return "forces[0].id", ""


@spoil("operation")
def a_flotilla_with_a_colon(data: Scenario) -> Expected:
    _need(data["flotillas"])
    data["flotillas"][0]["id"] = "boats:0"
    return "flotillas[0].id", ""


@spoil("air-turn")
def a_unit_with_a_blank(data: Scenario) -> Expected:
    _need(data["turn"]["units"])
    data["turn"]["units"][0]["id"] = "third army"
    return "turn.units[0].id", ""


@spoil("naval-battle")
def research_of_nobody(data: Scenario) -> Expected:
    data["research"]["atlantis"] = {"radar": 1}
    return "research.atlantis", ""


@spoil("operation")
def peace_with_nobody(data: Scenario) -> Expected:
    data["at_peace"] = [["britain", "germany"], ["britain", "atlantis"]]
    return "at_peace[1]", "22.112"


# --- bases ------------------------------------------------------------------------------------------------------


@spoil("naval-battle")
def bases_of_both_sides_in_one_hex_of_a_battle(data: Scenario) -> Expected:
    return _two_sides_in_one_hex(data)


@spoil("operation")
def bases_of_both_sides_in_one_hex(data: Scenario) -> Expected:
    return _two_sides_in_one_hex(data)


def _two_sides_in_one_hex(data: Scenario) -> Expected:
    one, other = (_on_map(data, side) for side in ("axis", "allies"))
    _need(one, other)
    other[0]["at"] = one[0]["at"]
    last = max(data["bases"].index(one[0]), data["bases"].index(other[0]))
    return f"bases[{last}]", "18.25"


@spoil("air-turn")
def a_base_on_neutral_land(data: Scenario) -> Expected:
    where, base = _first(data, "bases", lambda base: not base.get("box") and not base.get("ports"))
    _need(data["turn"].get("neutral"))
    column, row = data["turn"]["neutral"][0].split(",")
    base["at"] = [int(column), int(row)]
    return where, "18.22"


@spoil("air-turn")
def two_airbases_in_one_hex(data: Scenario) -> Expected:
    _, base = _first(data, "bases", lambda base: base.get("airbases"))
    data["bases"].append({**base, "id": "second", "name": "Second", "air": [], "ports": 0, "cities": 0})
    return f"bases[{len(data['bases']) - 1}].airbases", "18.142D"


def _islands_with_airbases(data: Scenario) -> list[dict[str, Any]]:
    pacific = data["map"]["theatre"] == "pacific"
    return [base for base in data["bases"] if pacific and base.get("island") and base.get("airbases")]


@spoil("air-turn")
def two_airbases_in_an_island_group(data: Scenario) -> Expected:
    islands = _islands_with_airbases(data)
    for side in ("axis", "allies"):
        mine = sorted(base["id"] for base in islands if base["side"] == side)
        if len(mine) > 1:
            data["turn"].setdefault("island_groups", {}).update(dict.fromkeys(mine[:2], "the Solomons"))
            return f"turn.island_groups.{mine[1]}", "18.142E"
    raise NotSpoilt


@spoil("air-turn")
def an_airbase_in_the_aleutians(data: Scenario) -> Expected:
    islands = _islands_with_airbases(data)
    _need(islands)
    data["turn"].setdefault("island_groups", {})[islands[0]["id"]] = "the Aleutians"
    return f"turn.island_groups.{islands[0]['id']}", "18.142E"


@spoil("operation")
def more_ships_than_a_port_holds(data: Scenario) -> Expected:
    where, base = _first(data, "bases", lambda base: base.get("ports"))
    nation = next(side for side in data["sides"] if side["id"] == base["side"])["nations"][0]
    boats = {"side": base["side"], "nation": nation, "factors": 51, "base": base["id"]}
    data["flotillas"].append({"id": "armada", **boats})
    return where, "22.63D"


# --- air units --------------------------------------------------------------------------------------------------


@spoil("naval-battle")
def elite_air_beside_kamikazes(data: Scenario) -> Expected:
    where, base = _first(data, "bases", lambda base: base["side"] == "axis")
    _need("kamikazes" in data)
    base["air"] = [{"nation": "japan", "arm": "elite-naval", "squadrons": 1}]
    base["cities"] = 1
    return f"{where}.air[0]", "17.42"


@spoil("air-turn")
def elite_air_aboard_beside_kamikazes(data: Scenario) -> Expected:
    for where, force in _entries(data, "forces"):
        for number, part in enumerate(force.get("air", [])):
            if data["turn"].get("kamikaze_limit") and part["nation"] == "japan":
                part["elite"] = True
                return f"{where}.air[{number}].elite", "17.42"
    raise NotSpoilt


@spoil("air-turn")
def pacific_bombers_in_europe(data: Scenario) -> Expected:
    _need(data["map"]["theatre"] != "pacific", "united-states" in data["sides"][1]["nations"])
    bombers = {"nation": "united-states", "arm": "pacific-bomber", "factors": 1, "front": "western"}
    data["turn"].setdefault("sw", []).append(bombers)
    return f"turn.sw[{len(data['turn']['sw']) - 1}].arm", "17.75A"


# --- the rest of an air turn ------------------------------------------------------------------------------------


@spoil("air-turn")
def a_box_of_the_united_states_that_is_none(data: Scenario) -> Expected:
    data["turn"]["us_boxes"] = [_on_map(data, "allies")[0]["id"]]
    return "turn.us_boxes", "18.73B"


@spoil("air-turn")
def a_hump_with_one_base(data: Scenario) -> Expected:
    data["turn"]["hump"] = [_on_map(data, "allies")[0]["id"]]
    return "turn.hump", "18.511E"


@spoil("air-turn")
def a_hump_from_a_base_to_itself(data: Scenario) -> Expected:
    data["turn"]["hump"] = [_on_map(data, "allies")[0]["id"]] * 2
    return "turn.hump", "18.511E"


@spoil("air-turn")
def a_neutral_hexside_between_far_hexes(data: Scenario) -> Expected:
    south = [f"{q},{r}" for q, r in map_hexes(range(COAST + 3, COAST + 4))]
    data["turn"]["neutral_sides"] = [[south[0], south[1]], [south[0], south[2]]]
    return "turn.neutral_sides[1]", "18.22"


# --- orders -----------------------------------------------------------------------------------------------------


@spoil("operation")
def an_invasion_of_ones_own_base(data: Scenario) -> Expected:
    where, force, order = _an_order(data, "seaborne-invasion")
    order["to"] = force["base"]
    return f"{where}.to", "22.15A"


@spoil("air-turn")
def an_invasion_of_the_hex_of_ones_own_base(data: Scenario) -> Expected:
    where, force, order = _an_order(data, "seaborne-invasion")
    order["to"] = _text(_base(data, force["base"])["at"])
    return f"{where}.to", "22.15A"


def _in_stage(activity: str, stage: str, rule: str) -> Spoil:
    """An order of this activity in a stage that is not its own."""

    def how(data: Scenario) -> Expected:
        where, _, order = _an_order(data, activity)
        order["stage"] = stage
        return f"{where}.stage", rule

    return how


for _activity, _stage, _rule in (
    ("patrol", "combat", "22.15A"),
    ("base-change", "redeployment", "22.15A"),
    ("asw-deployment", "combat", "22.15A"),
    ("sea-transport", "combat", "22.15A"),
    ("seaborne-invasion", "movement", "22.15A"),
    ("shore-bombardment", "movement", "22.15A"),
    ("fast-carrier-mission", "redeployment", "22.15A"),
    ("raid", "movement", "22.15B"),
    ("redeployment", "combat", "22.15B"),
    ("sea-escort", "movement", "22.15B"),
):
    SPOILS[f"{_activity} in the {_stage} stage"] = ("operation", _in_stage(_activity, _stage, _rule))
