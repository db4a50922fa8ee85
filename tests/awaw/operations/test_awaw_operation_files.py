"""Scenario files of operations: every fault is told, with its place in the file and the rule."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from copy import deepcopy
from importlib.resources import files
from typing import Any

import pytest

from flagplot.awaw.options import Options
from flagplot.awaw.scenario import read_state
from flagplot.awaw.state.operation import Activity
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import MAXIMUM_RANGE
from flagplot.kernel.errors import ScenarioError

Change = Callable[[dict[str, Any]], object]


def scenario(name: str = "coral-sea-operation") -> dict[str, Any]:
    return tomllib.loads(files("flagplot.scenarios").joinpath(f"{name}.toml").read_text())


def read(data: dict[str, Any]) -> State:
    made = read_state(data, Options())
    assert made.operation_if_any is not None
    return made


def force(data: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(entry for entry in data["forces"] if entry["id"] == name)
    return found


def put(value: Any, *path: Any) -> Change:
    """Put a value somewhere into the scenario."""

    def change(data: dict[str, Any]) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


def add_order(who: str, **order: Any) -> Change:
    return lambda data: force(data, who).setdefault("orders", []).append(order)


def boats(**more: Any) -> Change:
    """Japan's submarines in Truk, with something changed."""
    return lambda data: data["flotillas"][0].update(more)


FAULTS: dict[str, tuple[Change, str, str]] = {
    "map": (put("nowhere", "map"), "map", "one of the maps"),
    "base-place": (put("atlantis", "bases", 0, "place"), "bases[0].place", "atlantis"),
    "base-off-map": (put([99, 99], "bases", 0, "at"), "bases[0].at", "is not on the map"),
    "no-base": (put("atlantis", "forces", 0, "base"), "forces[0].base", "there is no base “atlantis”"),
    "enemy-base": (put("noumea", "forces", 0, "base"), "forces[0].base", "held by the enemy"),
    "orders-of-the-other-side": (
        add_order("tf-17", activity="patrol", to="coral-sea"),
        "orders",
        "only forces of the moving side have orders",
    ),
    "order-to-nowhere": (add_order("covering-group", activity="patrol", to="atlantis"), ".to", "atlantis"),
    "order-on-land": (add_order("covering-group", activity="patrol", to="0,99"), ".to", "0,99"),
    "patrol-nowhere": (put("atlantis", "forces", 0, "patrol"), "forces[0].patrol", "atlantis"),
    "base-change-to-the-enemy": (
        add_order("covering-group", activity="base-change", to="noumea"),
        ".to",
        "noumea is no port of this side",
    ),
    "base-change-to-the-sea": (
        add_order("covering-group", activity="base-change", to="coral-sea"),
        ".to",
        "coral-sea is no port of this side",
    ),
    "raid-to-a-port": (
        add_order("covering-group", activity="raid", to="noumea"),
        ".to",
        "raiders go to an SW box, and noumea is none",
    ),
    "nation-of-submarines": (boats(nation="australia"), "flotillas[0]", "australia"),
    "base-of-submarines": (boats(base="brisbane"), "flotillas[0].base", "held by the enemy"),
    "name-of-submarines": (boats(id="tf-17"), "flotillas[0].id", "there is another “tf-17”"),
    "patrol-of-submarines": (boats(patrol="atlantis"), "flotillas[0].patrol", "atlantis"),
    "orders-of-submarines": (
        boats(orders=[{"activity": "raid", "to": "coral-sea"}]),
        "flotillas[0].orders[0].activity",
        "submarines can only be told to patrol",
    ),
    "orders-of-enemy-submarines": (
        put([{"activity": "patrol", "to": "coral-sea"}], "flotillas", 1, "orders"),
        "flotillas[1].orders",
        "only submarines of the moving side have orders",
    ),
    "norway": (put(["atlantis"], "norway"), "norway", "atlantis"),
    "ground": (put({"atlantis": 2}, "ground"), "ground", "there is no base “atlantis”"),
    "zones": (put({"atlantis": "west"}, "zones"), "zones", "there is no base “atlantis”"),
    "side-of-strategic-cards": (put("nobody", "strategic"), "strategic", "“nobody” is not one of the sides"),
    "carriers": (
        put(
            [{"id": "x", "name": "X", "side": "japan", "at": [0, 0], "nation": "japan", "ships": [], "squadrons": 1}],
            "carriers",
        ),
        "carriers",
        "belong to forces",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_told_with_its_place(name: str) -> None:
    """A file with a fault is refused; the fault says where it is and what is wrong."""
    change, place, words = FAULTS[name]
    data = scenario()
    read(deepcopy(data))
    change(data)
    with pytest.raises(ScenarioError) as refused:
        read(data)
    assert [fault for fault in refused.value.faults if place in fault.place and words in fault.message], refused.value


def test_all_faults_are_told_at_once() -> None:
    """People see everything that is wrong with their file at the first reading."""
    data = scenario()
    for name in ("no-base", "zones", "norway", "patrol-of-submarines"):
        FAULTS[name][0](data)
    with pytest.raises(ScenarioError) as refused:
        read(data)
    assert len(refused.value.faults) >= 4


def test_ships_need_ports() -> None:
    """21.11: a base without a port holds no ships, and a port needs water."""
    data = scenario()
    data["bases"].append({"id": "strip", "name": "An airstrip", "side": "japan", "airbases": 1, "at": [0, 0]})
    force(data, "covering-group")["base"] = "strip"
    with pytest.raises(ScenarioError, match="has none"):
        read(data)


def test_orders_keep_to_the_range(monkeypatch: pytest.MonkeyPatch) -> None:
    """21.36: in the Pacific 20 hexes are the most, in Europe 40; a redeployment goes any way."""
    assert MAXIMUM_RANGE == {"europe": 40, "pacific": 20}
    monkeypatch.setattr("flagplot.awaw.checks.orders.MAXIMUM_RANGE", {**MAXIMUM_RANGE, "pacific": 2})
    data = scenario()
    for entry in data["forces"]:
        entry.pop("orders", None)
    mover = force(data, "carrier-force")
    mover["orders"] = [{"activity": "redeployment", "to": "rabaul"}]
    read(deepcopy(data))
    mover["orders"] = [{"activity": "base-change", "to": "rabaul"}]
    with pytest.raises(ScenarioError, match=r"rabaul is \d+ hexes away, and 2 are the most"):
        read(data)


def test_raiding_groups_are_small_and_escort_carriers_stay_out() -> None:
    """21.53: a raiding group has at most three ships; 20.42: escort carriers neither raid nor patrol."""
    data = scenario("norwegian-sortie")
    raid = next(
        (entry, n)
        for entry in data["forces"]
        for n, order in enumerate(entry.get("orders", []))
        if order["activity"] == "raid"
    )
    entry = raid[0]
    entry["ships"] = [{"nation": "germany", "destroyers": 4}]
    entry["task_force"] = False
    with pytest.raises(ScenarioError, match="at most 3 ships"):
        read(data)
    entry["ships"] = [{"nation": "germany", "cves": 1, "destroyers": 1}]
    with pytest.raises(ScenarioError, match="escort carriers neither patrol nor raid"):
        read(data)


def test_what_a_file_becomes() -> None:
    """The map places the bases and sets the theatre; forces have markers by side and kind; orders have their stages."""
    state = read(scenario())
    assert state.setting.pacific
    assert state.now == state.operation.plan.stages[0]
    markers = {key: force_.marker for key, force_ in state.operation.fleet.items()}
    assert markers["tf-17"] == "TF 1 (Allies)"
    assert markers["support-group"] == "group 1 (Allies)"
    tf = state.operation.fleet["tf-17"]
    assert (tf.patrol, tf.at) == ("defensive", (3, 1)), "the side that does not move"
    orders = state.operation.plan.orders["covering-group"]
    assert [order.stage for order in orders] == ["movement", "combat"]
    assert orders[1].activity is Activity.BOMBARDMENT
    assert orders[1].base == "port-moresby"


def test_patrols_of_the_moving_side_are_offensive() -> None:
    """21.418: who is on patrol as his own player turn begins is on offensive patrol; so are his submarines."""
    data = scenario()
    force(data, "covering-group")["patrol"] = "coral-sea"
    boats(patrol="coral-sea", orders=[{"activity": "patrol", "to": "coral-sea"}])(data)
    state = read(data)
    assert state.operation.fleet["covering-group"].patrol == "offensive"
    assert state.operation.flotillas["truk-boats"].patrol == "offensive"
    assert state.operation.plan.orders["truk-boats"][0].stage == "movement"


# --- keys that a kind of play does not use ----------------------------------------------------------------------

OF_OTHER_KINDS: dict[str, dict[str, Any]] = {
    "coral-sea-operation": {
        "rounds": 12,
        "phases": ["combat"],
        "raiders": False,
        "at": [0, 0],
        "theatre": "pacific",
        "withholds": "japan",
        "submarines": [{"side": "japan", "nation": "japan", "factors": 1}],
        "turn": {"season": "summer"},
    },
    "malta-turn": {"rounds": 3, "stages": ["movement"], "ground": {"malta": 2}},
    "midway": {"map": "coral-sea", "strategic": "japan", "hunting": 1, "cooperation": False, "phases": ["combat"]},
    "malta": {"rounds": 3, "destroyers_elsewhere": {"axis": 2}, "asw": {"axis": {"factors": 1, "submarines": 0}}},
}


@pytest.mark.parametrize(("name", "key"), [(name, key) for name, keys in OF_OTHER_KINDS.items() for key in keys])
def test_a_key_that_a_kind_of_play_does_not_use_is_refused(name: str, key: str) -> None:
    data = scenario(name)
    read_state(data, Options())
    with pytest.raises(ScenarioError) as refused:
        read_state(data | {key: OF_OTHER_KINDS[name][key]}, Options())
    assert any(fault.place == key and "does not use this" in fault.message for fault in refused.value.faults)


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [("coral-sea-operation", "arrives", 2), ("coral-sea-operation", "origin", "truk"), ("midway", "patrol", "midway")],
)
def test_so_is_a_key_of_a_force(name: str, key: str, value: Any) -> None:
    data = scenario(name)
    data["forces"][0][key] = value
    with pytest.raises(ScenarioError) as refused:
        read_state(data, Options())
    assert any(fault.place == f"forces[0].{key}" for fault in refused.value.faults)


def test_what_is_left_empty_does_no_harm() -> None:
    read_state(scenario("midway") | {"map": "", "flotillas": [], "zones": {}}, Options())
