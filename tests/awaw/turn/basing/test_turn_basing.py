"""How much air a base holds in an air turn (17.21, 17.31, 17.51, 17.61, 18.11-18.13): every printed example."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.air_units import Arm, Role, Unit, add, unit
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Airbase, Flight, FlightKind
from flagplot.awaw.turn.basing.rooms import excess, fits, lands
from flagplot.kernel.errors import ScenarioError
from tests.awaw.battles import squadron
from tests.awaw.turn.turns import base, turn

HOME = (0, 0)


def hex_with(*air: str, pacific: bool = False, **place: Any) -> State:
    """A red base alone on the map."""
    nations = "japan" if pacific else "germany"
    units = [text.replace("ours", nations) for text in air]
    return turn(base("home", "red", HOME, *units, **place), pacific=pacific, research=_JETS)


_JETS = {"germany": {"jets": 12}}


def kind(state: State, arm: Arm) -> Unit:
    role = Role.SQUADRONS if arm in (Arm.NAVAL, Arm.ELITE) else Role.FACTORS
    nation = "japan" if state.setting.pacific else "germany"
    return unit(nation, arm, 2, 4, "elsewhere", role, False)


@pytest.mark.rule("18.11#ex1", "18.11", "17.31", "17.141B")
@pytest.mark.parametrize(
    ("factors", "squadrons", "more"),
    [(4, 0, 3), (3, 0, 6), (0, 0, 15), (4, 3, 0), (3, 6, 0), (0, 15, 0), (5, 0, 0)],
)
def test_three_naval_squadrons_take_the_room_of_a_factor(factors: int, squadrons: int, more: int) -> None:
    air = [f"{factors} ours army"] * bool(factors) + [f"{squadrons} ours naval"] * bool(squadrons)
    state = hex_with(*air)
    assert fits(state, kind(state, Arm.NAVAL), "home") == more
    assert fits(state, kind(state, Arm.ARMY), "home") == more // 3


@pytest.mark.rule("18.11#ex1", "18.11")
@pytest.mark.parametrize("squadrons", [4, 16])
def test_a_base_that_is_too_full_is_refused(squadrons: int) -> None:
    air = ["4 ours army"] if squadrons == 4 else []
    with pytest.raises(ScenarioError, match="only 5 factors fit"):
        hex_with(*air, f"{squadrons} ours naval")


@pytest.mark.rule("18.12#ex1", "18.12", "17.21", "17.21.2")
@pytest.mark.parametrize(
    ("place", "factors"),
    [
        ({"cities": 1}, 5),
        ({"cities": 2}, 10),
        ({"cities": 1, "airbases": 1}, 10),
        ({"cities": 2, "airbases": 1}, 15),
        ({"cities": 0, "artificial_ports": 1}, 5),
        ({"cities": 1, "artificial_ports": 1}, 10),
        ({"cities": 0, "ports": 1}, 5),
        ({"cities": 0}, 0),
    ],
)
def test_each_installation_bases_five_factors(place: dict[str, Any], factors: int) -> None:
    state = hex_with(**place)
    assert fits(state, kind(state, Arm.ARMY), "home") == factors


@pytest.mark.rule("18.12#ex1", "18.12.1", "17.21.1")
@pytest.mark.parametrize("terrain", ["island", "jungle"])
@pytest.mark.parametrize(
    ("place", "factors"), [({"cities": 2}, 6), ({"cities": 1, "airbases": 1}, 6), ({"cities": 2, "airbases": 1}, 9)]
)
def test_pacific_islands_and_jungle_base_three_for_each(terrain: str, place: dict[str, Any], factors: int) -> None:
    state = hex_with(pacific=True, **place, **{terrain: True})
    assert fits(state, kind(state, Arm.ARMY), "home") == factors
    assert fits(hex_with(**place, **{terrain: True}), kind(state, Arm.ARMY), "home") > factors  # in Europe


@pytest.mark.rule("18.13#ex1", "18.13", "17.311")
@pytest.mark.parametrize("pacific", [False, True])
@pytest.mark.parametrize(("place", "facilities"), [({"cities": 1}, 1), ({"cities": 1, "airbases": 1}, 2)])
def test_a_one_hex_island_bases_one_naval_squadron_more(pacific: bool, place: dict[str, Any], facilities: int) -> None:
    full = facilities * (3 if pacific else 5)
    state = hex_with(f"{full} ours army", pacific=pacific, island=True, **place)
    assert fits(state, kind(state, Arm.NAVAL), "home") == 1
    assert fits(state, kind(state, Arm.ARMY), "home") == 0
    state = hex_with(f"{full} ours army", "1 ours naval", pacific=pacific, island=True, **place)
    assert excess(state, "home") == 0
    assert fits(state, kind(state, Arm.NAVAL), "home") == 0


@pytest.mark.rule("17.311", "18.13")
def test_an_island_without_anything_bases_one_naval_squadron() -> None:
    state = hex_with(cities=0, island=True)
    assert fits(state, kind(state, Arm.NAVAL), "home") == 1
    assert fits(state, kind(state, Arm.ARMY), "home") == 0


@pytest.mark.rule("18.13", "17.311")
def test_squadrons_of_army_air_have_no_place_more_on_an_island() -> None:
    state = hex_with(pacific=True, cities=1, island=True)
    search = unit("japan", Arm.ARMY, 2, 3, "elsewhere", Role.SEARCH, False)
    assert fits(state, search, "home") == 9
    assert fits(state, kind(state, Arm.NAVAL), "home") == 10


@pytest.mark.rule("17.51", "17.61")
@pytest.mark.parametrize("arm", [Arm.JET, Arm.TRANSPORT])
def test_jets_and_transports_base_as_army_air_does(arm: Arm) -> None:
    state = hex_with("3 ours army")
    assert fits(state, kind(state, arm), "home") == 2
    state = hex_with(f"3 ours {arm.value}")
    assert fits(state, kind(state, Arm.ARMY), "home") == 2
    assert fits(state, kind(state, Arm.NAVAL), "home") == 6


@pytest.mark.rule("17.21.3")
def test_a_box_holds_any_number() -> None:
    state = hex_with("90 ours army", box=True, cities=0)
    assert fits(state, kind(state, Arm.ARMY), "home") > 99
    assert excess(state, "home") == 0


# --- who comes back, and who is a guest -------------------------------------------------------------------------


@pytest.mark.rule("18.46", "18.11", "18.13")
@pytest.mark.parametrize(
    ("air", "army", "naval"),
    [
        (["2 ours army", "1 ours naval"], 1, 3),
        (["2 ours army", "2 ours naval"], 0, 2),
        (["3 ours army"], 0, 1),
        (["3 ours army", "1 ours naval"], 0, 0),
    ],
)
def test_on_an_island_army_air_comes_home_beside_the_one_naval_squadron(air: list[str], army: int, naval: int) -> None:
    state = hex_with(*air, pacific=True, island=True)
    found = [lands(state, kind(state, arm).based("home", 2), "home") for arm in (Arm.ARMY, Arm.NAVAL)]
    assert found == [army, naval]


@pytest.mark.rule("18.46", "18.11")
def test_who_is_out_flying_keeps_his_place_from_strangers() -> None:
    state = hex_with("4 ours army")
    (mine,) = state.sites["home"].air
    state.turn.flights = [Flight("red", FlightKind.GROUND_SUPPORT, (1, 0), {mine: 1})]
    assert (lands(state, mine, "home"), lands(state, kind(state, Arm.ARMY), "home")) == (1, 0)
    add(state.sites["home"].air, mine, 2)
    assert (lands(state, mine, "home"), lands(state, kind(state, Arm.ARMY), "home")) == (0, 0), "it is too full"
    assert excess(state, "home") == 3


@pytest.mark.rule("17.3126#note1.1", "18.11", "18.15", "18.46")
def test_squadrons_of_carriers_in_port_that_are_ashore_take_no_room() -> None:
    """As many as are still there, of two forces three of three; not those of a force that lies elsewhere or is out."""
    ports = {"a": "home", "b": "home", "c": "away"}
    forces = [squadron(name, "red", cruisers=2, base=port, task_force=False) for name, port in ports.items()]
    home = base("home", "red", (0, -8), "4 japan army", "3 japan naval", ports=1, cities=0)
    state = turn(home, base("away", "red", (2, -8), ports=1, cities=0), forces=forces, pacific=True)
    naval = next(which for which in state.sites["home"].air if which.is_naval)
    elite = unit("japan", Arm.ELITE, 3, 3, "home", Role.SQUADRONS, False)
    for name, ashore in {"a": {naval: 2, elite: 1}, "b": {naval: 2}, "c": {naval: 1}}.items():
        state.operation.fleet[name].ashore = ashore
    assert (fits(state, kind(state, Arm.NAVAL), "home"), lands(state, naval, "home")) == (3, 3)
    add(state.sites["home"].air, next(iter(state.sites["home"].air)), 1)
    assert excess(state, "home") == 0
    state.operation.fleet["b"].patrol = "offensive"
    assert excess(state, "home") == 1


@pytest.mark.rule("18.146.3", "18.146", "18.13")
def test_on_an_island_allies_use_all_but_the_new_airbase() -> None:
    state = turn(base("home", "red", HOME, "1 italy army", cities=1, airbases=1, island=True))
    state.turn.airbases["home"] = Airbase("germany", state.turn.player_turn, state.turn.step)
    italian = unit("italy", Arm.NAVAL, 1, 3, "elsewhere", Role.SQUADRONS, False)
    assert (fits(state, italian, "home"), fits(state, kind(state, Arm.NAVAL), "home")) == (13, 28)
    add(state.sites["home"].air, next(iter(state.sites["home"].air)), 5)
    assert fits(state, italian, "home") == 0
