"""The naval forces of a scenario file: what they may be, and that every fault of them is told at once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.awaw.state.state import State
from flagplot.kernel.errors import ScenarioError
from flagplot.kernel.game import Game
from tests.awaw.battles import battle, ships, squadron
from tests.awaw.scenes import short, start

ENEMY = squadron("enemy", "blue", destroyers=12)


def faults(*forces: dict[str, Any], options: dict[str, Any] | None = None, **more: Any) -> list[tuple[str, str]]:
    """The faults of a battle with these forces: the place of each and the rule behind it."""
    return [(place, rule) for place, _, rule in complaints(*forces, options=options, **more)]


def complaints(
    *forces: dict[str, Any], options: dict[str, Any] | None = None, **more: Any
) -> list[tuple[str, str, str]]:
    try:
        start(battle(*forces, ENEMY, **more), **(options or {}))
    except ScenarioError as error:
        return [(fault.place, fault.message, fault.rule) for fault in error.faults]
    return []


def small(name: str, *named: str, **more: Any) -> dict[str, Any]:
    return squadron(name, "red", *named, task_force=False, **more)


def read(*forces: dict[str, Any], **more: Any) -> Game[State]:
    return start(battle(*forces, ENEMY, **more))


# --- the size of a force ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("light", "broken"),
    [
        ({"destroyers": 9}, ["20.16"]),
        ({"destroyers": 9, "transports": 8}, ["20.16"]),
        ({"destroyers": 10}, []),
        ({"cruisers": 24, "destroyers": 1}, []),
        ({"cruisers": 26}, ["20.162"]),
    ],
)
def test_a_task_force_has_ten_to_twenty_five_factors(light: dict[str, int], broken: list[str]) -> None:
    assert faults(squadron("a", "red", **light)) == [("forces[0]", rule) for rule in broken]


@pytest.mark.parametrize(("light", "broken"), [({"destroyers": 9}, []), ({"destroyers": 10}, ["22.14C"])])
def test_a_small_force_has_fewer_than_ten(light: dict[str, int], broken: list[str]) -> None:
    assert faults(small("a", **light)) == [("forces[0]", rule) for rule in broken]


def test_a_force_has_ships() -> None:
    assert faults(small("a")) == [("forces[0]", "22.31")]
    assert faults(small("a", transports=1)) == []


@pytest.mark.parametrize(
    ("named", "light", "options", "broken"),
    [
        (["Akagi", "Kaga"], {"cruisers": 4, "destroyers": 1}, {}, ["20.162F"]),
        (["Akagi", "Kaga"], {"cruisers": 6}, {}, []),
        (["Akagi", "Kaga", "Nagato"], {"cruisers": 2}, {}, ["22.421A"]),
        (["Akagi", "Kaga", "Nagato"], {"cruisers": 2}, {"task_force_escort": "any"}, []),
    ],
)
def test_half_of_a_task_force_with_carriers_is_a_fast_escort(
    named: list[str], light: dict[str, int], options: dict[str, Any], broken: list[str]
) -> None:
    assert faults(squadron("a", "red", *named, **light), options=options) == [("forces[0]", rule) for rule in broken]


# --- its ships --------------------------------------------------------------------------------------------------


def test_a_ship_that_nobody_knows_is_told_with_its_place() -> None:
    assert complaints(squadron("a", "red", "Nonsuch", destroyers=10)) == [
        ("forces[0].ships[0].named", "no such named ship: “Nonsuch”", "")
    ]


def test_a_ship_sails_under_her_own_flag() -> None:
    (place, message, _), *others = complaints(squadron("a", "red", "Lexington", destroyers=10))
    assert (place, others) == ("forces[0].ships[0].named", [])
    assert message == "Lexington is a ship of united-states, not of japan"


@pytest.mark.parametrize(("hits", "fine"), [(1, True), (2, True), (3, False), (4, False)])
def test_a_ship_with_as_many_hits_as_factors_is_sunk(hits: int, fine: bool) -> None:
    found = faults(squadron("a", "red", "Akagi", cruisers=10, hits={"Akagi": hits}))
    assert found == ([] if fine else [("forces[0].ships[0].hits.Akagi", "T23.44-08")])


def test_hits_are_for_ships_of_the_force() -> None:
    assert faults(squadron("a", "red", "Akagi", cruisers=10, hits={"Kaga": 1})) == [
        ("forces[0].ships[0].hits.Kaga", "")
    ]


@pytest.mark.parametrize(
    ("light", "place", "rule"),
    [
        ({"cruisers": 3, "destroyers": 9}, "cruisers", "T23.44-08"),
        ({"cruisers": 4, "destroyers": 9, "damaged_cruisers": 3}, "damaged_cruisers", ""),
    ],
)
def test_cruisers_have_two_factors_each(light: dict[str, int], place: str, rule: str) -> None:
    assert (f"forces[0].ships[0].{place}", rule) in faults(squadron("a", "red", **light))


def test_a_ship_is_in_one_place() -> None:
    twice = squadron("a", "red", "Akagi", cruisers=10), squadron("b", "red", "Akagi", cruisers=10)
    assert [message for _, message, _ in complaints(*twice)] == ["Akagi is in a and in b"]
    same = squadron("a", "red", "Akagi", "AKAGI", cruisers=12)
    assert [message for _, message, _ in complaints(same)] == ["Akagi stands twice in a"]


def test_a_nation_fights_on_its_own_side() -> None:
    assert ("forces[0].ships[0].nation", "") in faults(squadron("a", "red", nation="britain", destroyers=10))


def test_a_nation_that_does_not_exist_is_a_fault_wherever_it_stands() -> None:
    sides = [
        {"id": "red", "name": "Red", "nations": ["japan", "atlantis"]},
        {"id": "blue", "name": "Blue", "nations": ["united-states"]},
    ]
    found = faults(squadron("a", "red", nation="atlantis", destroyers=10), sides=sides)
    assert found[:2] == [("sides[0].nations", ""), ("forces[0].ships[0].nation", "")]


def test_a_side_that_does_not_exist_is_a_fault() -> None:
    stray = squadron("b", "red", destroyers=10) | {"side": "green"}
    assert faults(squadron("a", "red", destroyers=10), stray)[0] == ("forces[1].side", "")


# --- cargo, air, arrival ----------------------------------------------------------------------------------------


def test_cargo_rides_on_laden_ships_and_is_named() -> None:
    assert faults(squadron("a", "red", destroyers=10, cargo="troops")) == [("forces[0].cargo", "22.427")]
    assert faults(squadron("a", "red", destroyers=10, laden_transports=1)) == [("forces[0].cargo", "22.427")]
    assert faults(squadron("a", "red", destroyers=9, laden_destroyers=1, cargo="troops")) == []


@pytest.mark.rule("17.312", "17.312.1")
@pytest.mark.parametrize(
    ("named", "air", "hits", "fine"),
    [
        (["Akagi", "Shoho"], 5, {}, True),
        (["Akagi", "Shoho"], 6, {}, False),
        (["Akagi", "Kaga"], 7, {"Kaga": 2}, False),
        (["Akagi", "Kaga"], 6, {"Kaga": 2}, True),
    ],
)
def test_carriers_base_as_many_squadrons_as_their_size(
    named: list[str], air: int, hits: dict[str, int], fine: bool
) -> None:
    """Damaged ones still carry theirs (17.3124)."""
    found = faults(squadron("a", "red", *named, cruisers=10, air=air, hits=hits))
    assert found == ([] if fine else [("forces[0].air", "17.312")])


@pytest.mark.rule("17.312", "17.312.1")
def test_carriers_base_squadrons_of_their_own_nation() -> None:
    german = squadron("a", "red", "Akagi", cruisers=10) | {"air": [{"nation": "germany", "squadrons": 1}]}
    assert faults(german) == [("forces[0].air", "17.312")]
    cves = squadron("a", "red", cves=10) | {"air": [{"nation": "japan", "squadrons": 1}]}
    assert faults(cves) == [("forces[0].air", "17.312")]


@pytest.mark.rule("17.352")
def test_only_japan_has_elite_naval_air() -> None:
    lexington = squadron("b", "blue", "Lexington", cruisers=10, air=3, elite=True)
    assert faults(squadron("a", "red", destroyers=10), lexington) == [("forces[1].air[0]", "17.352")]
    assert faults(squadron("a", "red", "Akagi", cruisers=10, air=3, elite=True)) == []


def test_each_side_has_a_force_in_the_first_round() -> None:
    assert faults(squadron("a", "red", destroyers=10, arrives=2)) == [("forces", "22.31")]


def test_the_round_of_arrival_is_one_to_six() -> None:
    assert faults(squadron("a", "red", destroyers=10, arrives=7))[0][0] == "forces[0].arrives"


# --- all at once ------------------------------------------------------------------------------------------------


def test_every_fault_of_every_force_is_told_at_once() -> None:
    found = faults(
        squadron("a", "red", "Akagi", "Nonsuch", destroyers=3, cargo="troops", air=9),
        squadron("b", "red", "Akagi", cruisers=3, destroyers=24, laden_transports=1, elite=True),
        small("c", cruisers=10),
        squadron("d", "blue", "Lexington", "Yamato", cruisers=10, air=4, elite=True, hits={"Lexington": 2}),
    )
    assert found == [
        ("forces[0].ships[0].named", ""),
        ("forces[0]", "20.16"),
        ("forces[0].cargo", "22.427"),
        ("forces[0].air", "17.312"),
        ("forces[1].ships[0].cruisers", "T23.44-08"),
        ("forces[1]", "20.162"),
        ("forces[1].cargo", "22.427"),
        ("forces[2]", "22.14C"),
        ("forces[3].ships[0].named", ""),
        ("forces[3].air[0]", "17.352"),
        ("forces[3].air", "17.312"),
        ("forces", ""),
    ]


# --- the groups that they make ----------------------------------------------------------------------------------


def test_a_force_is_read_as_it_stands() -> None:
    light = {"cruisers": 8, "damaged_cruisers": 1, "destroyers": 2, "laden_destroyers": 3, "cves": 1}
    more: dict[str, Any] = {**light, "laden_transports": 2, "cargo": "troops", "hits": {"Akagi": 1}, "elite": True}
    force = squadron("a", "red", "Akagi", "Haruna", air=2, **more)
    one = read(force).state.battle.groups["a"]
    assert ships(one) == {
        "akagi": 1,
        "haruna": 0,
        "japan cruiser": 3,
        "japan cruiser damaged": 1,
        "japan cve": 1,
        "japan destroyer": 2,
        "japan destroyer laden": 3,
        "japan transport laden": 2,
    }
    assert short(one.air) == {"japan elite-naval": 2}
    assert (one.side, one.name, one.cargo, one.task_force, one.number) == ("red", "A", "troops", True, 0)


def test_ships_of_several_nations_sail_together() -> None:
    force = squadron("a", "blue", nation="united-states", cruisers=8)
    force["ships"].append({"nation": "australia", "cruisers": 4})
    one = read(squadron("b", "red", destroyers=10), force).state.battle.groups["a"]
    assert ships(one) == {"australia cruiser": 2, "united-states cruiser": 4}


@pytest.mark.parametrize(
    ("more", "drm"), [({}, 3), ({"partial_supply": True}, 2), ({"naval_oil": True}, 2), ({"air_oil": True}, 3)]
)
def test_supply_and_oil_of_a_side_lower_the_drm_of_its_ships(more: dict[str, bool], drm: int) -> None:
    sides = [
        {"id": "red", "name": "Red", "nations": ["japan"], **more},
        {"id": "blue", "name": "Blue", "nations": ["united-states"]},
    ]
    game = read(squadron("a", "red", destroyers=10), sides=sides)
    assert [which.drm for which in game.state.battle.groups["a"].ships] == [drm]


@given(st.integers(0, 30), st.integers(0, 30), st.booleans())
def test_a_force_of_light_ships_is_taken_exactly_if_its_size_is_right(
    destroyers: int, transports: int, task_force: bool
) -> None:
    force = squadron("a", "red", destroyers=destroyers, transports=transports, task_force=task_force)
    fine = 10 <= destroyers <= 25 if task_force else destroyers < 10 and destroyers + transports > 0
    assert (not faults(force)) is fine


def test_the_name_of_a_sides_place_at_sea_is_taken() -> None:
    (fault,) = complaints(squadron("red-at-sea", "red", cruisers=10))
    assert fault[:2] == ("forces[0].id", "“red-at-sea” is used twice")


@pytest.mark.rule("17.353D")
def test_a_country_that_never_builds_naval_air_has_none_aboard_either() -> None:
    """France has no carriers in the list of ships; its squadrons are refused for themselves as well."""
    force = squadron("a", "blue", nation="free-france", cruisers=10, air=1)
    assert ("forces[1].air[0]", "17.353D") in faults(squadron("r", "red", cruisers=10), force)
