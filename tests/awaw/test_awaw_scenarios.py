"""Scenario files: every fault is found, at once, with its place and its rule; basing by 18.1."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.awaw.air_units import Arm, Role, flying_range, value
from flagplot.awaw.basing import capacity, distance, holds, staging_range
from flagplot.awaw.reach import squadrons_based
from flagplot.kernel.errors import ScenarioError, UnknownName
from flagplot.library import read_scenario
from flagplot.players.doctrine import DoctrinePlayer
from flagplot.players.random import RandomPlayer
from tests.awaw.duels import duel
from tests.awaw.scenes import CARRIERS, base, fleet, force, scene, short, start


def faults(scenario: dict[str, Any], **options: Any) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        flagplot.load(scenario, seed=1, options=options)
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize("name", flagplot.scenario_names())
def test_every_scenario_that_comes_along_is_sound_and_says_what_it_is(name: str) -> None:
    game = flagplot.load(name, seed=1)
    assert game.pending is not None
    for key in ("about", "history", "teaches", "sources"):
        assert len(game.scenario[key]) > 20
    assert "estimate" in game.scenario["sources"] or "ours" in game.scenario["sources"]


# --- the naval battles ------------------------------------------------------------------------------------------

NAVAL = (
    "cape-matapan",
    "coral-sea",
    "denmark-strait",
    "first-battle",
    "malta-convoy",
    "midway",
    "okinawa",
    "philippine-sea",
    "santa-cruz",
    "surigao-strait",
)


def test_there_are_ten_naval_battles() -> None:
    found = [name for name in flagplot.scenario_names() if read_scenario(name)["kind"] == "naval-battle"]
    assert tuple(found) == NAVAL


@pytest.mark.parametrize("name", NAVAL)
def test_a_naval_battle_says_in_one_line_what_it_is_and_where_its_ships_come_from(name: str) -> None:
    scenario = read_scenario(name)
    assert "\n" not in scenario["about"]
    assert len(scenario["about"]) <= 75
    assert "rounds" not in scenario  # it lasts until it is decided
    bases = {entry["id"]: entry for entry in scenario.get("bases", [])}
    for entry in [*scenario["forces"], *scenario.get("submarines", [])]:
        assert entry["origin"]
        if entry["origin"] in bases:
            assert bases[entry["origin"]]["side"] == entry["side"]
            assert bases[entry["origin"]].get("ports")
    assert not {entry["name"] for entry in bases.values()} & {entry["origin"] for entry in scenario["forces"]}


@pytest.mark.parametrize("name", NAVAL)
def test_cargo_stands_there_in_parts_that_fill_its_ships(name: str) -> None:
    for entry in read_scenario(name)["forces"]:
        laden = sum(part.get("laden_destroyers", 0) + part.get("laden_transports", 0) for part in entry["ships"])
        assert sum(load["factors"] for load in entry.get("loads", [])) == laden


@pytest.mark.parametrize("name", NAVAL)
def test_only_forces_of_the_moving_side_have_an_activity(name: str) -> None:
    scenario = read_scenario(name)
    for entry in scenario["forces"]:
        moving = entry["side"] == scenario["attacker"] and not scenario.get("raiders")
        assert bool(entry.get("activity")) == moving


@pytest.mark.parametrize("name", NAVAL)
def test_a_naval_battle_can_be_played_to_its_end(name: str) -> None:
    for seed in range(3):
        game = flagplot.load(name, seed=seed)
        game.play({side: RandomPlayer(seed) for side in game.sides})
        assert game.result is not None
        assert game.pending is None


EVEN = ("first-battle", "coral-sea", "santa-cruz", "malta-convoy")


@pytest.mark.parametrize("name", EVEN)
def test_a_battle_that_is_called_even_costs_both_sides_about_as_many_ships(name: str) -> None:
    sunk: Counter[str] = Counter()
    for seed in range(16):
        game = flagplot.load(name, seed=seed)
        game.play({side: DoctrinePlayer() for side in game.sides})
        assert game.result is not None
        sunk.update(game.result["factors_sunk"])
    fewer, more = sorted(sunk.values())
    assert fewer >= more / 2 > 16


def test_the_page_on_scenarios_names_the_even_ones() -> None:
    text = (Path(flagplot.__file__).parent.parent / "docs" / "scenarios.md").read_text(encoding="utf8")
    called = ", ".join(f"`{name}`" for name in EVEN[:-1]) + f" and `{EVEN[-1]}` are about even"
    assert called in " ".join(text.split())


def _force(scenario: dict[str, Any], key: str) -> dict[str, Any]:
    found: dict[str, Any] = next(entry for entry in scenario["forces"] if entry["id"] == key)
    return found


Spoiling = Callable[[dict[str, Any]], object]
SPOILT: dict[str, tuple[str, Spoiling, str, str]] = {
    "carriers without escorts": (
        "midway",
        lambda data: _force(data, "striking-force")["ships"][0].update(cruisers=4),
        "forces[0]: at most half of the factors may be fast carriers",
        "20.162F",
    ),
    "a small force that is too large": (
        "surigao-strait",
        lambda data: _force(data, "shima")["ships"][0].update(destroyers=6),
        "forces[1]: only a task force has 10 factors or more",
        "22.14C",
    ),
    "half a cruiser": (
        "santa-cruz",
        lambda data: _force(data, "advance-force")["ships"][0].update(cruisers=5),
        "forces[2].ships[0].cruisers: 5 factors are no whole number of cruisers",
        "T23.44-08",
    ),
    "too many squadrons": (
        "philippine-sea",
        lambda data: _force(data, "force-a")["air"][0].update(squadrons=10),
        "forces[6].air: 10 squadrons of japan are more than the 9",
        "17.312",
    ),
    "cargo without a name": (
        "first-battle",
        lambda data: _force(data, "landing-group").pop("cargo"),
        "forces[1].cargo: laden ships carry something",
        "22.427",
    ),
    "more loads than ships": (
        "malta-convoy",
        lambda data: _force(data, "force-x")["loads"][0].update(factors=2),
        "forces[1].loads: these loads need 5 laden factors, and there are 4",
        "22.82",
    ),
    "kamikazes too far away": (
        "okinawa",
        lambda data: data.update(at=[-9, 9]),
        "kamikazes: they need a Japanese air base within four hexes",
        "17.462",
    ),
    "codebreaking by a third party": (
        "cape-matapan",
        lambda data: data.update(codebreaking="greece"),
        "codebreaking: “greece” is not one of the sides",
        "22.451B",
    ),
    "ASW of nobody": (
        "philippine-sea",
        lambda data: data.update(asw={"britain": {"factors": 3, "submarines": 0}}),
        "asw.britain: “britain” is not one of the sides",
        "22.9415",
    ),
    "nobody there in the first round": (
        "first-battle",
        lambda data: [entry.update(arrives=2) for entry in data["forces"][:2]],
        "forces: japan has no naval force in the first round",
        "22.31",
    ),
    "no such activity": (
        "coral-sea",
        lambda data: _force(data, "carrier-force").update(activity="cruise"),
        "forces[0].activity: “cruise” is not sea-transport, seaborne-invasion",
        "22.552B",
    ),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_spoilt_copy_of_a_naval_battle_is_refused_by_rule(what: str) -> None:
    name, spoil, message, number = SPOILT[what]
    scenario = read_scenario(name)
    spoil(scenario)
    (fault,) = faults(scenario)
    assert fault.startswith(message)
    assert fault.endswith(f"(rule {number})")


def test_a_ship_in_two_places_and_a_submarine_of_the_wrong_side() -> None:
    scenario = read_scenario("santa-cruz")
    _force(scenario, "advance-force")["ships"][0]["named"][1] = "Hiei"
    scenario["submarines"][0]["nation"] = "united-states"
    found = faults(scenario)
    assert "forces: Hiei is in vanguard and in advance-force" in found
    assert "submarines[0].nation: united-states does not fight on the side of japan" in found


# --- faults -----------------------------------------------------------------------------------------------------


def test_all_faults_at_once_each_with_its_place() -> None:
    bad = duel(["3 germany army"], ["1 britain army"])
    bad["theater"] = bad.pop("theatre")
    bad["bases"][0]["air"][0]["factors"] = -3
    bad["bases"][1]["air"][0]["nation"] = "atlantis"
    bad["bases"][1]["side"] = "green"
    bad["bases"][2]["id"] = "field"
    found = faults(bad)
    for part in (
        "theater: no such key",
        "theatre: this is missing",
        "bases[0].air[0].factors: -3 is not between 1 and 99",
        "bases[1].air[0].nation: there is no nation “atlantis”",
        "bases[1].side: “green” is not one of the sides: red, blue",
        "bases[2].id: “field” is used twice",
    ):
        assert any(line.startswith(part) for line in found), (part, found)


@pytest.mark.rule("18.11", "18.12")
def test_an_overfilled_base_is_refused() -> None:
    assert faults(duel(["11 germany army"], [])) == [
        "bases[0]: air units worth 33 squadrons are based here, but only 10 factors fit (rule 18.12)"
    ]
    assert start(duel(["10 germany army"], ["1 britain army"])).pending is not None


@pytest.mark.rule("18.11", "17.141B")
@pytest.mark.parametrize(
    ("words", "fits"),
    [
        (("4 germany army 2", "3 germany naval 2"), True),
        (("3 germany army 2", "6 germany naval 2"), True),
        (("15 germany naval 2",), True),
        (("4 germany army 2", "4 germany naval 2"), False),
        (("16 germany naval 2",), False),
    ],
)
def test_printed_examples_of_five_factors_of_room(words: tuple[str, ...], fits: bool) -> None:
    assert holds(force(*words), 5, island=False) == fits


@pytest.mark.rule("18.12", "17.21", "17.21.2", "17.21.1")
@pytest.mark.parametrize(("installations", "usual", "reduced"), [(1, 5, 3), (2, 10, 6), (3, 15, 9)])
def test_printed_examples_of_capacity(installations: int, usual: int, reduced: int) -> None:
    assert capacity(installations, reduced=False) == usual
    assert capacity(installations, reduced=True) == reduced


@pytest.mark.rule("18.12.1", "17.21.1")
@pytest.mark.parametrize(
    ("theatre", "land", "most"), [("pacific", "jungle", 3), ("pacific", "island", 3), ("europe", "jungle", 5)]
)
def test_pacific_jungle_and_islands_hold_less(theatre: str, land: str, most: int) -> None:
    places = duel(["1 germany army"], [f"{most} britain army"], target={"airbases": 1, land: True}, theatre=theatre)
    assert start(places).state is not None
    aim = start(places).state.place("aim")
    assert squadrons_based(aim, theatre == "pacific") == 3 * most
    places["bases"][1]["air"][0]["factors"] += 1
    assert "18.12" in faults(places)[0]


@pytest.mark.rule("18.13", "17.311")
def test_a_one_hex_island_holds_one_naval_squadron_more() -> None:
    """Five factors and one naval squadron beside one airbase; ten and one beside two installations."""
    assert holds(force("5 britain army 2", "1 britain naval 1"), 5, island=True)
    assert not holds(force("5 britain army 2", "2 britain naval 1"), 5, island=True)
    assert not holds(force("6 britain army 2"), 5, island=True)
    assert holds(force("10 britain army 2", "1 britain naval 1"), 10, island=True)


@pytest.mark.rule("18.521", "18.523", "18.12")
def test_only_bases_ashore_are_targets_and_have_refuges() -> None:
    places = [base("field", "red", (0, 0)), base("aim", "blue", (0, 2)), base("box", "blue", (0, 4), box=True)]
    staged = start(scene(*places, fleet("force", "red", (1, 0), "japan", 3))).state.scene
    assert set(staged.near) == set(staged.refuges) == {"field", "aim"}


@pytest.mark.rule("17.22", "17.32", "17.52A", "17.52B", "17.52C", "18.31A", "18.31B", "18.31E")
@pytest.mark.parametrize(
    ("arm", "jets", "europe", "pacific"),
    [("army", 0, 4, 3), ("naval", 0, 3, 3), ("jet", 9, 2, 1), ("jet", 10, 2, 1), ("jet", 11, 3, 2), ("jet", 12, 4, 3)],
)
def test_how_far_each_arm_flies(arm: str, jets: int, europe: int, pacific: int) -> None:
    assert [flying_range(Arm(arm), theatre, jets) for theatre in (False, True)] == [europe, pacific]


@pytest.mark.rule("17.312", "17.312.1")
@pytest.mark.parametrize(("elite", "arm"), [(False, Arm.NAVAL), (True, Arm.ELITE)])
def test_carriers_may_be_full_and_may_be_empty(elite: bool, arm: Arm) -> None:
    full, empty = fleet("force", "red", (0, 0), "japan", 3, elite=elite), fleet("bare", "red", (1, 0), "japan", 0)
    state = start(scene(full, empty, base("aim", "blue", (0, 2)))).state
    assert {(which.arm, which.role, number) for which, number in state.sites["force"].air.items()} == {
        (arm, Role.SQUADRONS, 3)
    }
    assert state.sites["bare"].air == {}


@pytest.mark.rule("17.92")
def test_the_air_of_a_base_as_the_scenario_lists_it() -> None:
    """Naval air in squadrons, the rest in factors; task forces need a port."""
    places = scene(
        base("field", "red", (0, 0), "2 germany army", "3 germany naval inverted"), base("aim", "blue", (0, 2))
    )
    site = start(places).state.sites["field"]
    assert {(which.role, which.inverted, number) for which, number in site.air.items()} == {
        (Role.FACTORS, False, 2),
        (Role.SQUADRONS, True, 3),
    }
    assert site.committed == {}
    places["bases"][0]["air"][0]["committed"] = True
    assert short(start(places).state.sites["field"].committed) == {"germany army": 2}
    assert "there is none here (rule 20.15)" in faults(duel([], [], target={"task_force": CARRIERS, "cities": 1}))[0]
    port = start(duel([], [], target={"task_force": CARRIERS, "ports": 1})).state.sites["aim"]
    assert short(port.hidden) == {"britain naval": 3}


@pytest.mark.rule("17.312", "17.312.1")
def test_carriers_base_their_size_in_squadrons() -> None:
    bad = scene(fleet("force", "red", (0, 0), "japan", 3), base("aim", "blue", (0, 2)))
    bad["carriers"][0]["squadrons"] = 4
    assert faults(bad) == [
        "carriers[0].squadrons: 4 squadrons are more than the 3 that these carriers base (rule 17.312)"
    ]


@pytest.mark.rule("17.352", "17.353D")
def test_who_has_naval_air_and_who_has_elite_naval_air() -> None:
    assert "only Japan has elite naval air" in faults(duel(["1 germany elite-naval"], []))[0]
    assert "russia never builds naval air (rule 17.353D)" in faults(duel([], ["1 russia naval"]))[0]


@pytest.mark.rule("17.54.1")
def test_jets_need_research() -> None:
    assert "jets need a research result of 9; germany has 0 (rule 17.54)" in faults(duel(["1 germany jet"], []))[0]
    assert "germany has 8 (rule 17.54)" in faults(duel(["1 germany jet"], [], research={"germany": {"jets": 8}}))[0]
    state = start(duel(["1 germany jet", "1 italy army"], [], research={"germany": {"jets": 9}})).state
    assert short(state.sites["field"].air) == {"germany jet": 1, "italy army": 1}


@pytest.mark.rule("17.141A")
def test_units_are_counted_as_the_rules_count_them() -> None:
    bad = duel(["1 germany army"], [])
    bad["bases"][0]["air"][0] = {"nation": "germany", "arm": "naval", "factors": 2}
    assert "naval air is counted in squadrons alone (rule 17.141A)" in faults(bad)[0]
    bad["bases"][0]["air"][0] = {"nation": "germany", "arm": "naval", "factors": 2, "squadrons": 1}
    assert "naval air is counted in squadrons alone (rule 17.141A)" in faults(bad)[0]


def test_a_nation_fights_on_its_own_side_alone() -> None:
    assert "italy does not fight on the side of blue" in faults(duel([], ["1 italy army"]))[0]
    bad = duel([], [])
    bad["sides"][1]["nations"] = ["italy"]
    assert any("italy cannot fight on both sides" in line for line in faults(bad))


def test_options_of_a_scenario_are_checked_with_the_rest() -> None:
    bad = duel(["99 germany army"], [], options={"classic": "yes", "nonsense": 1})
    found = faults(bad)
    assert any("options.classic: “yes” is not one of false, true (rule 19.31A#classic" in line for line in found)
    assert any(line.startswith("options.nonsense: no such option") for line in found)
    assert any("18.12" in line for line in found)


def test_toml_that_is_none_and_names_that_are_none(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("game = awaw", encoding="utf8")
    with pytest.raises(ScenarioError, match=r"this is not TOML: .*line 1"):
        flagplot.load(broken)
    with pytest.raises(UnknownName, match=r"“jutland”.*malta"):
        flagplot.load("jutland")


def test_a_scenario_is_not_changed_by_playing_it() -> None:
    scenario = duel(["1 germany army"], ["1 britain army"])
    before = copy.deepcopy(scenario)
    start(scenario).choose("counterair:aim")
    assert scenario == before


@pytest.mark.rule("18.21")
def test_staging_is_twice_the_range_and_distance_is_in_hexes() -> None:
    assert staging_range(4) == 8
    assert [distance((0, 0), at) for at in ((0, 3), (2, -2), (-1, 3), (2, 2))] == [3, 2, 3, 4]


@pytest.mark.rule("17.62", "18.31D")
@pytest.mark.parametrize(("pacific", "hexes"), [(False, 4), (True, 3)])
def test_range_of_air_transports(pacific: bool, hexes: int) -> None:
    assert flying_range(Arm.TRANSPORT, pacific, 0) == hexes


@pytest.mark.rule("17.141A")
def test_a_factor_is_worth_three_squadrons_in_brps() -> None:
    """One factor lost is three BRPs; a naval squadron is one."""
    assert value(force("2 britain army 2", "3 britain naval 1")) == 9
    game = flagplot.load("malta", seed=3)
    game.play({side: RandomPlayer(3) for side in game.sides})
    assert game.result is not None
    lost = sum(number * 3 for key, number in game.result["losses"].items() if key.endswith("factors"))
    assert sum(game.result["brps_lost"].values()) == lost
