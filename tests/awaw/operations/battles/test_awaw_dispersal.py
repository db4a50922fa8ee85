"""After a battle, and in port: each force has its own ships, base and voyage again (22.26-22.28, 22.63, 22.81)."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest

from flagplot.awaw.battle.groups import absorb
from flagplot.awaw.battle.homecoming import ports_in_range
from flagplot.awaw.counting import add, take
from flagplot.awaw.operations.bases.overstacking import clear_overstacking, excess
from flagplot.awaw.operations.bases.port_room import port_room
from flagplot.awaw.operations.battles.dispersal import Claims, deal, deal_air
from flagplot.awaw.operations.battles.encounters import disperse
from flagplot.awaw.operations.battles.scenes import bring_in, clear_scene, set_scene
from flagplot.awaw.operations.interception.dice import task_forces
from flagplot.awaw.operations.interception.hexes import open_legs
from flagplot.awaw.operations.interception.interceptors import is_free
from flagplot.awaw.operations.passage.aborting import may_abort
from flagplot.awaw.operations.passage.homeward import dock, finish, turn_back
from flagplot.awaw.operations.passage.joining import may_act_with
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import air_attack, completion, interceptions, operation, passage, submarine_interception
from flagplot.awaw.scenario import read_state
from flagplot.awaw.ships import Fleet, Kind, factors, ship
from flagplot.awaw.state.battle import GO_ON, ORIGIN, Group, Outcome
from flagplot.awaw.state.operation import Activity, Encounter, NavalForce, Order, Progress
from flagplot.awaw.state.state import State
from flagplot.kernel.errors import ScenarioError
from flagplot.kernel.procedures import Frame
from tests.awaw import seas
from tests.awaw.looks import look
from tests.awaw.scenes import force as air_force
from tests.awaw.scenes import run, short
from tests.awaw.seas import flotilla, force, ocean, play, port, sail, sea, steer
from tests.awaw.voyages import cruise, dive, intercept, reaching

TRUK, PALAU = port("truk", "red", (0, 0)), port("palau", "red", (0, -4))
RABAUL, PANAMA = port("rabaul", "blue", (4, 4)), port("panama", "blue", (25, 0))
RAIDERS = force("a", "red", "truk", "Nagato", cruisers=8)
SAIL, SAIL_HOME = Frame("stage", "sail", ()), Frame("stage", "sail_home", ())


def tags(force: NavalForce) -> dict[str, int]:
    """The ships of a force: names, and light ships by nation and kind."""
    found: dict[str, int] = {}
    for which, number in force.group.ships.items():
        found[which.tag] = found.get(which.tag, 0) + number
    return found


def bases(state: State) -> dict[str, str]:
    return {key: force.base for key, force in state.operation.fleet.items()}


def squadrons(state: State, key: str) -> int:
    return sum(state.operation.fleet[key].group.air.values())


def bombard(*more: dict[str, Any], **plan: Any) -> State:
    """Red's a sails from Truk to (8, 0) as v1; Rabaul is Blue's port at (4, 4), and Panama at (25, 0)."""
    state = sea(TRUK, PALAU, RABAUL, PANAMA, RAIDERS, *more, **{"stage": "combat", **plan})
    assert sail(state, "shore-bombardment", "a", (8, 0)) == "v1"
    return state


def engage(state: State, at: tuple[int, int], level: int, target: str, *voyages: str) -> None:
    """A battle of these voyages, all their forces in combat groups; to be ended by hand."""
    state.operation.encounter = Encounter(at, target, level, [*voyages])
    side = state.operation.voyages[target].side
    set_scene(state, at, withholder=side if level > 1 else "", moving="" if level > 1 else side)
    for voyage in voyages:
        for number, key in enumerate(state.operation.sailing(state.operation.voyages[voyage])):
            bring_in(state, key)
            group = state.battle.groups[key]
            group.number, group.formed, group.used, group.bound = 1 + number, True, True, ORIGIN


# --- who gets what back: 22.63, 22.81A --------------------------------------------------------------------------


@pytest.mark.rule("22.63", "22.81B", "22.421A.2")
def test_small_forces_that_made_one_group_return_each_to_its_own_base() -> None:
    state = bombard(force("x1", "blue", "rabaul", cruisers=6), force("x2", "blue", "panama", "Iowa"))
    intercept(state, "x1", "v1", (4, 0))
    intercept(state, "x2", "v1", (4, 0))
    played = cruise(play(state, SAIL, dice=reaching()), flees="blue")
    assert "Choose a port for X1 and X2 (CG 1)" in played.log()
    assert bases(played.state) == {"a": "truk", "x1": "rabaul", "x2": "panama"}
    assert tags(played.state.operation.fleet["x1"]) == {"united-states:cruiser": 3}
    assert tags(played.state.operation.fleet["x2"]) == {"iowa": 1}
    assert played.state.operation.fleet["x2"].group.name == "X2"
    assert {"x1", "x2"} <= played.inverted()


@pytest.mark.rule("22.81A.1", "22.421A.3")
def test_who_strengthens_a_force_with_cargo_goes_on_with_his_own_activity() -> None:
    landing = [Order(Activity.INVASION, "combat", (8, 0), "malta", 10)]
    guns = [Order(Activity.BOMBARDMENT, "combat", (8, 0), "malta", 2)]
    state = sea(
        TRUK,
        PALAU,
        port("rabaul", "blue", (8, 4)),
        port("malta", "blue", (8, 0)),
        force("a", "red", "truk", "Nagato", cruisers=8, laden_destroyers=2, cargo="a division", orders=landing),
        force("b", "red", "palau", "Mutsu", cruisers=6, orders=guns),
        force("x", "blue", "rabaul", "Iowa", cruisers=8),
        stage="combat",
        stages=("combat",),
    )
    said = ("order:a:0", "order:b:0", "route:all", "intercept:v1:1:8,0", "go:v1:1:x:direct", "strengthen:b")
    played = cruise(play(state, operation, dice=reaching()), None, *said, flees="blue")
    assert played.state.operation.done == {"red": 12}
    assert bases(played.state) == {"a": "truk", "b": "palau", "x": "rabaul"}
    assert tags(played.state.operation.fleet["b"]) == {"mutsu": 1, "japan:cruiser": 3}
    assert tags(played.state.operation.fleet["a"]) == {"nagato": 1, "japan:cruiser": 4, "japan:destroyer": 2}


def side_by_side(*entries: dict[str, Any]) -> State:
    """Red's forces of one voyage, which have made one combat group under the key of the first."""
    state = sea(TRUK, RABAUL, *entries)
    keys = [entry["entry"]["id"] for entry in entries]
    sail(state, "base-change", keys, (6, 0), start=(2, 0))
    set_scene(state, (2, 0))
    for key in keys:
        bring_in(state, key)
    for key in keys[1:]:
        absorb(state.battle.groups[keys[0]], state.battle.groups.pop(key))
    return state


def sink(state: State, key: str, number: int, *, laden: bool = False) -> None:
    """So many destroyers of a group are sunk."""
    ships = state.battle.groups[key].ships
    which = next(which for which in ships if which.kind is Kind.DESTROYER and which.laden == laden)
    take(ships, which, number)
    add(state.losses.ships, which, number)


@pytest.mark.rule("22.63", "22.81A")
def test_light_ships_that_were_sunk_are_shared_in_proportion() -> None:
    state = side_by_side(force("one", "red", "truk", destroyers=6), force("two", "red", "truk", destroyers=3))
    sink(state, "one", 3)
    clear_scene(state)
    assert [factors(state.operation.fleet[key].group.ships) for key in ("one", "two")] == [4, 2]
    assert not state.battle.groups
    assert all(not one.group.parts for one in state.operation.fleet.values())


@pytest.mark.rule("22.63B", "22.427")
def test_cargo_stays_with_the_force_that_came_with_it() -> None:
    convoy = force("convoy", "red", "truk", destroyers=1, laden_destroyers=3, cargo="oil")
    state = side_by_side(convoy, force("escort", "red", "truk", destroyers=4))
    sink(state, "convoy", 1, laden=True)
    sink(state, "convoy", 3)
    clear_scene(state)
    assert [state.operation.fleet[key].group.cargo for key in ("convoy", "escort")] == ["oil", ""]
    assert tags(state.operation.fleet["convoy"]) == {"japan:destroyer:laden": 2}
    assert tags(state.operation.fleet["escort"]) == {"japan:destroyer": 2}


@pytest.mark.rule("17.3124", "22.63")
def test_squadrons_are_aboard_the_carriers_of_each_force_again() -> None:
    state = side_by_side(
        force("one", "red", "truk", "Shoho", cruisers=2, air=1), force("two", "red", "truk", "Hiryu", cruisers=2, air=3)
    )
    clear_scene(state)
    assert tags(state.operation.fleet["one"]) == {"shoho": 1, "japan:cruiser": 1}
    assert [squadrons(state, key) for key in ("one", "two")] == [1, 3]


@pytest.mark.rule("23.71A", "22.93A", "22.63")
@pytest.mark.parametrize("attack", ["air", "submarines"])
def test_small_forces_stay_apart_after_an_attack_on_their_way(attack: str) -> None:
    """23.71A, 22.93A: they deploy into one combat group, and are two forces again when it is over; carriers without
    escort are under attack as all others, and stay with their force."""
    state = sea(
        TRUK,
        port("isle", "blue", (3, 0), "4 united-states naval"),
        force("one", "red", "truk", "Shoho", air=2),
        force("two", "red", "truk", destroyers=1, cruisers=2),
        force("three", "red", "truk", "Zuiho", air=2),
        flotilla("boats", "blue", "isle"),
        pacific=True,
    )
    key = sail(state, "base-change", ["one", "two", "three"], (6, 0), start=(2, 0))
    if attack == "air":
        game = steer(play(state, air_attack.start(key), dice=reaching(1)), f"sortie:{key}:yes")
    else:
        dive(state, "boats", key, (2, 0))
        game = steer(play(state, submarine_interception.start(key), dice=reaching(1)))
    after = game.state
    assert "combat group 1" in "\n".join(map(str, game.log("umpire")))
    assert after.operation.voyages[key].forces == ["one", "two", "three"]
    assert [tags(after.operation.fleet[name]) for name in ("one", "three")] == [{"shoho": 1}, {"zuiho": 1}]
    assert squadrons(after, "one") + squadrons(after, "three") == 4
    assert len(after.operation.fleet) == 3


@pytest.mark.rule("22.61C", "22.81A.1")
def test_ships_that_stay_are_told_where_to_go_as_those_that_withdrew() -> None:
    """22.81: of a group from which some ships have withdrawn both parts have a fate of their own."""
    state = bombard(force("x", "blue", "rabaul", "Iowa", cruisers=8))
    intercept(state, "x", "v1", (4, 0))
    state.operation.voyages["v1"].step = 4
    engage(state, (4, 0), 1, "v1", "v1", "v2")
    whole = state.battle.groups["x"]
    cruiser = next(which for which in whole.ships if which.light)
    gone = replace(whole, ships={cruiser: 1}, left=1)
    take(whole.ships, cruiser, 1)
    state.battle.departed["x"] = gone
    state.battle.outcome = Outcome("22.71A", ("red",))
    list(disperse(state))
    homebound = {
        key
        for key, one in state.operation.fleet.items()
        if state.operation.voyages[one.voyage].activity is Activity.RETURN
    }
    assert homebound == {"a", "x", "x-2"}
    assert all(one.inverted for one in state.operation.fleet.values())
    assert tags(state.operation.fleet["x"]) == {"iowa": 1, "united-states:cruiser": 3}
    assert tags(state.operation.fleet["x-2"]) == {"united-states:cruiser": 1}


@pytest.mark.rule("22.22E", "22.14C")
@pytest.mark.parametrize(("cruisers", "is_task_force"), [(4, False), (5, True)])
def test_ships_that_part_from_a_task_force_are_one_only_if_they_have_ten_factors(
    cruisers: int, is_task_force: bool
) -> None:
    """22.22E: a smaller part gives no die to those who look for it, and its ships lie open."""
    state = bombard(force("x", "blue", "rabaul", "Iowa", cruisers=20), force("hunter", "red", "palau", cruisers=4))
    intercept(state, "x", "v1", (4, 0))
    state.operation.voyages["v1"].step = 4
    engage(state, (4, 0), 1, "v1", "v1", "v2")
    whole = state.battle.groups["x"]
    cruiser = next(which for which in whole.ships if which.light)
    take(whole.ships, cruiser, cruisers)
    state.battle.departed["x"] = replace(whole, ships={cruiser: cruisers}, left=1, bound="panama")
    state.battle.outcome = Outcome("22.71A", ("red",))
    list(disperse(state))
    part = state.operation.fleet["x-2"]
    assert (part.group.task_force, part.marker) == (
        is_task_force,
        "TF 1 (Blue)/2" if is_task_force else "group 1 (Blue)",
    )
    assert ("ships" in look(state, "red")["forces"][part.marker]) is not is_task_force
    assert task_forces(state, part.voyage, 0, (4, 1)) == is_task_force


@pytest.mark.rule("17.3124", "22.26C")
def test_squadrons_aboard_a_damaged_carrier_that_comes_late_stay_aboard() -> None:
    """17.3124: carriers that have not joined the battle are neither sunk nor withdrawn in it, nor what they carry."""
    state = bombard(
        force("x", "blue", "rabaul", "Wasp", cruisers=8, air=2),
        force("late", "blue", "panama", "Hornet", cruisers=8, air=3),
    )
    hornet = next(which for which in state.operation.fleet["late"].group.ships if which.id == "hornet")
    take(state.operation.fleet["late"].group.ships, hornet, 1)
    add(state.operation.fleet["late"].group.ships, hornet.bearing(2), 1)
    intercept(state, "x", "v1", (4, 0))
    intercept(state, "late", "v1", (4, 0), arrives=3)
    after = cruise(state, passage.start("v1"), flees="blue").state
    assert sum(after.operation.fleet["late"].grounded.values()) + squadrons(after, "late") == 3
    assert squadrons(after, "x") == 2
    assert not after.losses.air


# --- how the ships and squadrons of a combat group are dealt out: 22.63, 22.81A, 17.3124 ------------------------


DESTROYER = ship("japan", Kind.DESTROYER, "", 1, False, 0)
LADEN = DESTROYER.carrying(laden=True)


def dealt(parts: dict[str, Fleet], left: Fleet) -> dict[str, Fleet]:
    """What each force gets of the ships that are left of a group."""
    group = Group("red", "the group", left, task_force=False)
    return {key: part.ships for key, part in deal(group, Claims(parts)).items()}


@pytest.mark.rule("22.63", "22.81A")
@pytest.mark.parametrize(("left", "of_four", "of_two"), [(1, 1, 0), (2, 1, 1), (3, 2, 1), (5, 3, 2), (6, 4, 2)])
def test_losses_of_light_ships_are_shared_in_proportion(left: int, of_four: int, of_two: int) -> None:
    """22.63: of one and the same sort the next ship goes to the force that has got back the smallest share."""
    back = dealt({"four": {DESTROYER: 4}, "two": {DESTROYER: 2}}, {DESTROYER: left})
    assert {key: sum(fleet.values()) for key, fleet in back.items()} == {"four": of_four} | (
        {"two": of_two} if of_two else {}
    )


@pytest.mark.rule("22.63", "22.81A")
def test_laden_ships_are_those_of_the_force_that_came_with_cargo() -> None:
    """22.63: whatever the order in which the ships of the group are listed."""
    parts: dict[str, Fleet] = {"escort": {DESTROYER: 2}, "convoy": {LADEN: 2}}
    assert dealt(parts, {DESTROYER: 2, LADEN: 2}) == {"escort": {DESTROYER: 2}, "convoy": {LADEN: 2}}


@pytest.mark.rule("22.63")
def test_a_ship_that_nobody_misses_goes_to_the_first() -> None:
    assert dealt({"one": {DESTROYER: 1}, "two": {DESTROYER: 1}}, {LADEN: 1}) == {"one": {LADEN: 1}}


def carrier(name: str, size: int, *, damaged: bool = False) -> Fleet:
    return {ship("japan", Kind.CV, name, size, False, 0).bearing(size - 1 if damaged else 0): 1}


@pytest.mark.rule("17.3124", "22.463C.1")
@pytest.mark.parametrize(
    ("squadrons", "back"),
    [(1, (1, 0)), (2, (2, 0)), (3, (2, 1)), (4, (3, 1)), (5, (3, 2)), (6, (4, 2))],
)
@pytest.mark.parametrize("damaged", [False, True])
def test_squadrons_fill_the_emptiest_decks(squadrons: int, back: tuple[int, int], damaged: bool) -> None:
    """17.3124: undamaged or damaged, each squadron goes where most room is left, and the last to the first force."""
    fleets = {"three": carrier("Akagi", 3, damaged=damaged), "two": carrier("Soryu", 2, damaged=damaged)}
    air = deal_air(air_force(f"{squadrons} japan naval 3"), fleets)
    assert tuple(sum(some.values()) for some in air.values()) == back


@pytest.mark.rule("17.3124")
@pytest.mark.parametrize(("squadrons", "grounded"), [(2, 0), (3, 1), (5, 3)])
def test_squadrons_on_damaged_decks_stay_there_in_a_battle(squadrons: int, grounded: int) -> None:
    """17.3124: as many fight as undamaged carriers base, and those of other nations do not count for them."""
    state = seas.sea(seas.port("truk", "red", (0, 0)), seas.force("tf", "red", "truk", cruisers=8))
    made = state.operation.fleet["tf"]
    made.group.ships = carrier("Soryu", 2) | carrier("Akagi", 3, damaged=True)
    made.group.air = air_force(f"{squadrons} japan naval 3", "1 germany naval 3")
    bring_in(state, "tf")
    assert short(state.battle.groups["tf"].air) == {"japan naval": squadrons - grounded}
    assert short(made.grounded) == {"germany naval": 1} | ({"japan naval": grounded} if grounded else {})


@pytest.mark.rule("17.3124", "22.463C.1")
def test_undamaged_decks_are_filled_before_damaged_ones() -> None:
    """17.3124: three squadrons on the small sound carrier and the sound one beside it, then those on damaged decks."""
    mixed = carrier("Soryu", 2) | carrier("Akagi", 3, damaged=True)
    fleets = {"mixed": mixed, "sound": carrier("Zuiho", 1), "none": {DESTROYER: 1}}
    assert [short(some) for some in deal_air(air_force("3 japan naval 3"), fleets).values()] == [
        {"japan naval": 2},
        {"japan naval": 1},
        {},
    ]


# --- carriers without escort: 22.421A ---------------------------------------------------------------------------


@pytest.mark.rule("22.421A.4.2", "22.27")
def test_carriers_without_escort_return_to_the_base_of_their_own_force() -> None:
    state = bombard(
        force("x1", "blue", "rabaul", cruisers=2, destroyers=2), force("x2", "blue", "panama", "Hornet", "Wasp", air=5)
    )
    intercept(state, "x1", "v1", (4, 0))
    intercept(state, "x2", "v1", (4, 0))
    played = cruise(play(state, SAIL, dice=reaching()), None, "return:wasp", flees="blue")
    after = played.state
    found = {which.id: one for one in after.operation.fleet.values() for which in one.group.ships if which.named}
    assert {name: found[name].base for name in ("hornet", "wasp")} == {"hornet": "panama", "wasp": "panama"}
    assert (found["hornet"].inverted, found["wasp"].inverted) == (True, False)
    assert found["wasp"].in_port
    assert found["wasp"].tried in ("", after.now)
    assert sum(squadrons(after, key) for key in after.operation.fleet) == 5


@pytest.mark.rule("17.3124", "22.421A.4.2")
def test_squadrons_aboard_a_damaged_carrier_that_may_not_fight_return_with_it() -> None:
    state = bombard(
        force("x1", "blue", "rabaul", cruisers=2, destroyers=2), force("x2", "blue", "panama", "Hornet", "Wasp", air=5)
    )
    ships = state.operation.fleet["x2"].group.ships
    wasp = next(which for which in ships if which.id == "wasp")
    take(ships, wasp, 1)
    add(ships, wasp.bearing(2), 1)
    intercept(state, "x1", "v1", (4, 0))
    intercept(state, "x2", "v1", (4, 0))
    after = cruise(play(state, SAIL, dice=reaching()), None, "return:wasp", flees="blue").state
    found = {which.id: one for one in after.operation.fleet.values() for which in one.group.ships if which.named}
    assert (sum(found["wasp"].grounded.values()), sum(found["wasp"].group.air.values())) == (2, 0)
    assert (sum(found["hornet"].grounded.values()), sum(found["hornet"].group.air.values())) == (0, 3)


@pytest.mark.rule("22.421A.4.2", "22.281")
def test_carriers_of_an_activity_that_may_not_fight_abort_it() -> None:
    state = sea(
        TRUK,
        RABAUL,
        force("one", "red", "truk", "Shoho", air=2),
        force("two", "red", "truk", destroyers=2),
        force("three", "red", "truk", "Zuiho", air=2),
        force("x", "blue", "rabaul", "Iowa", cruisers=8),
        stage="combat",
    )
    sail(state, "shore-bombardment", ["one", "two", "three"], (8, 0))
    intercept(state, "x", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "return:zuiho", flees="blue")
    zuiho = played.state.operation.fleet["three"]
    assert (zuiho.in_port, zuiho.base, zuiho.inverted) == (True, "truk", True)
    assert played.state.operation.voyages["v1"].forces == ["one", "two"]


# --- ships that were withheld: 22.26D ---------------------------------------------------------------------------


def spared(*ships: str, **light: int) -> State:
    """Blue's tf comes home inverted; these ships of it were withheld in all rounds."""
    state = sea(TRUK, RABAUL, RAIDERS, force("tf", "blue", "rabaul", "Hornet", "Iowa", cruisers=14, air=3))
    tf = state.operation.fleet["tf"]
    tf.inverted, tf.tried = True, state.now
    tf.spared = {which: 1 for which in tf.group.ships if which.id in ships}
    tf.spared |= {which: light["cruisers"] for which in tf.group.ships if which.light and light}
    key = sail(state, "return", "tf", (4, 4), start=(4, 3), base="rabaul")
    dock(state, state.operation.voyages[key])
    return state


@pytest.mark.rule("22.26D", "22.27", "22.14A")
def test_withheld_ships_do_not_intercept_again_in_the_same_stage() -> None:
    state = spared("hornet", cruisers=5)
    (name,) = set(state.operation.fleet) - {"a", "tf"}
    fresh = state.operation.fleet[name]
    assert (fresh.inverted, fresh.tried) == (False, state.now)
    assert tags(fresh) == {"hornet": 1, "united-states:cruiser": 5}
    sail(state, "base-change", "a", (6, 0))
    played = cruise(play(state, interceptions.start("out"), dice=reaching()), None)
    assert not any(verb.startswith("go:") for verb in played.asked)


@pytest.mark.rule("22.26D", "17.3121")
def test_withheld_carriers_keep_their_squadrons_and_a_marker() -> None:
    state = spared("hornet", cruisers=5)
    (name,) = set(state.operation.fleet) - {"a", "tf"}
    assert (squadrons(state, name), squadrons(state, "tf")) == (3, 0)
    assert state.operation.fleet[name].group.task_force
    assert not state.operation.fleet["tf"].group.task_force, "nine factors are left of it"
    few = spared(cruisers=2)
    (name,) = set(few.operation.fleet) - {"a", "tf"}
    assert not few.operation.fleet[name].group.task_force
    assert squadrons(few, "tf") == 3


@pytest.mark.rule("22.14C")
@pytest.mark.parametrize(("cruisers", "asked"), [(8, True), (10, False)])
def test_ten_factors_intercept_only_as_a_task_force(cruisers: int, asked: bool) -> None:
    state = bombard(force("x", "blue", "rabaul", cruisers=cruisers))
    state.operation.fleet["x"].group.task_force = False
    played = cruise(play(state, interceptions.start("out"), dice=reaching()), None, "intercept:v1:1:4,0")
    assert ("go:v1:1:x" in played.asked) == asked


# --- who has helped others: 22.26, 22.27, 22.81 -----------------------------------------------------------------


@pytest.mark.rule("22.27", "22.63", "22.81C", "22.163D")
@pytest.mark.parametrize("kind", ["counter", "patrol"])
def test_who_fights_for_a_returning_force_goes_to_his_own_base_and_is_inverted(kind: str) -> None:
    on_patrol: dict[str, Any] = {"at": (5, 1), "patrol": "offensive"} if kind == "patrol" else {}
    state = sea(
        TRUK,
        port("palau", "red", (8, 4)),
        RABAUL,
        RAIDERS,
        force("p", "red", "palau", "Mutsu", cruisers=8, **on_patrol),
        force("x", "blue", "rabaul", "Iowa", cruisers=8),
        stage="combat",
    )
    state.operation.fleet["a"].inverted = True
    state.operation.fleet["a"].at = (8, 0)
    home = sail(state, "return", "a", (0, 0), start=(8, 0), base="truk", was="shore-bombardment")
    x = intercept(state, "x", home, (4, 0))
    if kind == "counter":
        intercept(state, "p", x, (4, 0))
    said = ["support:p:go"] if kind == "patrol" else []
    played = cruise(play(state, SAIL_HOME, dice=reaching()), None, *said, flees="blue")
    assert played.battles[0].forces == {"a", "p", "x"}
    helper = played.state.operation.fleet["p"]
    assert (helper.base, helper.inverted, helper.in_port) == ("palau", True, True)
    assert played.state.operation.fleet["a"].base == "truk"


@pytest.mark.rule("22.26", "22.81D")
@pytest.mark.parametrize("used", [True, False])
def test_who_countered_a_counter_has_fought_whatever_becomes_of_the_target(used: bool) -> None:
    """22.81D: he goes on with the interceptors; home again he is inverted, unless he has not engaged."""
    state = bombard(
        force("c", "red", "palau", "Mutsu", cruisers=8),
        force("x", "blue", "rabaul", "Iowa", cruisers=8),
        force("z", "blue", "panama", "New Jersey", cruisers=8),
    )
    x = intercept(state, "x", "v1", (8, 0))
    where = state.operation.voyages[x].path[2]
    c = intercept(state, "c", x, where)
    z = intercept(state, "z", c, where)
    state.operation.voyages[x].step = 2
    engage(state, where, 2, x, x, c, z)
    for key in ("x", "z"):
        state.battle.groups[key].bound = GO_ON
    state.battle.groups["z"].used = used
    state.battle.outcome = Outcome("22.71A", ("red",))
    list(disperse(state))
    assert state.operation.fleet["z"].voyage == x
    assert (state.operation.fleet["x"].inverted, state.operation.fleet["z"].inverted) == (True, used)


# --- who takes over: 22.81C, 22.163D ----------------------------------------------------------------------------


@pytest.mark.rule("22.81C")
@pytest.mark.parametrize(("named", "cruisers", "joins"), [(["Bismarck", "Tirpitz"], 0, True), (["Bismarck"], 8, False)])
def test_a_counter_joins_a_raid_only_if_there_is_room_in_it(named: list[str], cruisers: int, joins: bool) -> None:
    state = sea(
        port("kiel", "red", (0, 0)),
        port("trondheim", "red", (4, -4)),
        port("scapa", "blue", (4, 4)),
        port("atlantic", "blue", (8, 0), box=True),
        force("a", "red", "kiel", "Scharnhorst", nation="germany"),
        force("c", "red", "trondheim", *named, nation="germany", cruisers=cruisers),
        force("x", "blue", "scapa", "Hood", nation="britain", cruisers=8),
        stage="redeployment",
    )
    raid = sail(state, "raid", "a", (8, 0), base="atlantic")
    x = intercept(state, "x", raid, (4, 0))
    intercept(state, "c", x, (4, 0))
    played = cruise(state, passage.start(raid), flees="blue")
    counter = played.state.operation.fleet["c"]
    assert (counter.voyage == raid) == joins
    assert (counter.base, counter.in_port, counter.inverted) == ("trondheim", not joins, not joins)


@pytest.mark.rule("22.163D")
def test_escort_carriers_take_over_no_patrol() -> None:
    state = sea(
        TRUK,
        PALAU,
        RABAUL,
        RAIDERS,
        force("c", "red", "palau", cruisers=8, cves=2),
        force("x", "blue", "rabaul", "Iowa", cruisers=8),
    )
    patrol = sail(state, "patrol", "a", (4, 0))
    x = intercept(state, "x", patrol, (2, 0))
    intercept(state, "c", x, (2, 0))
    played = cruise(state, passage.start(patrol), flees="blue")
    assert played.state.operation.voyages[patrol].forces == ["a"]
    assert played.state.operation.fleet["c"].in_port


@pytest.mark.rule("22.81C", "22.282", "22.163D")
@pytest.mark.parametrize(("zone", "able"), [("south", False), ("north", True)])
def test_who_has_transports_joins_no_activity_for_a_barred_zone(zone: str, able: bool) -> None:
    """22.282: after transports have turned back from a supply zone no others are used for it, nor those of a force that
    could take over an activity there (22.81C)."""
    convoy = force("convoy", "red", "truk", cruisers=4, transports=2, task_force=False)
    state = sea(*seas.PORTS, seas.KIDO, convoy, zones={"rabaul": zone})
    key = sail(state, "sea-transport", "kido", (0, 4), base="rabaul")
    state.operation.barred_zones = ["south"]
    assert may_act_with(state, state.operation.fleet["convoy"], state.operation.voyages[key]) == able
    assert may_act_with(state, state.operation.fleet["kido"], state.operation.voyages[key])


@pytest.mark.rule("22.163", "22.141E")
@pytest.mark.parametrize("cooperation", [True, False])
def test_british_and_french_patrols_support_each_other_only_if_they_cooperate(cooperation: bool) -> None:
    state = sea(
        TRUK,
        RABAUL,
        force("a", "blue", "rabaul", nation="britain", cruisers=10),
        force("p", "blue", "rabaul", nation="free-france", cruisers=10, at=(5, 0), patrol="offensive"),
        flotilla("boats", "blue", "rabaul", nation="free-france", at=(5, 0), patrol="offensive"),
        force("x", "red", "truk", "Nagato", cruisers=8),
        stage="combat",
        cooperation=cooperation,
    )
    sail(state, "shore-bombardment", "a", (8, 0))
    intercept(state, "x", "v1", state.operation.voyages["v1"].path[2])
    asked = cruise(state, passage.start("v1"), flees="red").asked
    assert ("support:p" in asked) == ("support:boats" in asked) == cooperation


# --- who was to combine with others: 22.13C, 22.28B -------------------------------------------------------------

TARGET = [Order(Activity.BOMBARDMENT, "combat", (10, 0), "", 5)]
NEAR = (port("palau", "red", (3, -1)), port("yap", "red", (3, 1)))


@pytest.mark.rule("22.28B")
def test_those_who_were_to_join_a_lost_force_carry_out_its_activity_together() -> None:
    state = sea(
        TRUK,
        *NEAR,
        port("rabaul", "blue", (0, 4)),
        force("a", "red", "truk", "Nagato", cruisers=8, orders=TARGET),
        force("b", "red", "palau", "Mutsu", cruisers=8),
        force("c", "red", "yap", "Ise", cruisers=8),
        force("x", "blue", "rabaul", "Iowa", cruisers=8),
        stage="combat",
        stages=("combat",),
    )
    said = ["order:a:0", "order:b:v1", "order:c:v1", "meet:b:4,0", "meet:c:4,0", "route:all"]
    said += ["intercept:v1:1:2,0", "go:v1:1:x:direct"]
    played = cruise(play(state, operation, dice=reaching()), None, *said, flees="red")
    assert played.state.operation.done == {"red": 5}
    assert played.log().count("shore bombardment by") == 1


@pytest.mark.rule("22.28B", "22.13C.1")
def test_the_first_on_the_path_takes_the_place_of_a_lost_force() -> None:
    state = sea(
        TRUK, *NEAR, RABAUL, RAIDERS, force("b", "red", "palau", cruisers=8), force("c", "red", "yap", cruisers=8)
    )
    sail(state, "shore-bombardment", "a", (10, 0), worth=5, freight=2, order=0, parts=((4, 0), (5, 0)))
    sail(state, "shore-bombardment", "b", (5, 0), joins="v1")
    sail(state, "shore-bombardment", "c", (4, 0), joins="v1", freight=1)
    finish(state, "v1")
    late, heir = state.operation.voyages["v2"], state.operation.voyages["v3"]
    assert (heir.joins, heir.worth, heir.freight, heir.parts) == ("", 5, 3, ((5, 0),))
    assert heir.path == ((3, 1), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0))
    assert (late.joins, late.worth, late.path[-1]) == ("v3", 0, (5, 0))
    assert late.attacked
    assert heir.attacked


@pytest.mark.rule("22.13C.1", "22.28B")
@pytest.mark.parametrize(("where", "meets"), [((8, 0), True), ((2, 0), False)])
def test_interceptors_of_the_combined_force_meet_what_is_left_of_it(where: tuple[int, int], meets: bool) -> None:
    state = sea(
        TRUK,
        NEAR[0],
        port("rabaul", "blue", (8, 4)),
        RAIDERS,
        force("b", "red", "palau", "Mutsu", cruisers=8),
        force("x", "blue", "rabaul", "Iowa", cruisers=8),
        flotilla("boats", "blue", "rabaul"),
        stage="combat",
    )
    sail(state, "shore-bombardment", "a", (12, 0), parts=((4, 0),))
    sail(state, "shore-bombardment", "b", (4, 0), joins="v1")
    intercept(state, "x", "v1", where)
    dive(state, "boats", "v1", where)
    turn_back(state, "v1")
    assert (state.operation.voyages["v3"].target == "v2") == (state.operation.voyages["v4"].target == "v2") == meets
    assert (state.operation.flotillas["boats"].tried == 0) == meets
    played = cruise(play(state, SAIL, dice=reaching()), None, flees="blue")
    assert played.places == (["8,0"] if meets else [])


@pytest.mark.rule("22.28B", "22.13C.1")
def test_who_takes_the_place_of_a_lost_force_was_intercepted_with_it() -> None:
    """22.28B, 22.13C: who was to join a force that is gone sails on in its place; those who were to intercept both
    await him there, and on that part of the path nobody else tries."""
    joiner = force("two", "red", "rabaul", cruisers=10)
    state = sea(*seas.PORTS, seas.KIDO, seas.TF, joiner, stage="combat")
    sail(state, "shore-bombardment", "kido", (6, 0))
    sail(state, "shore-bombardment", "two", (3, 0), joins="v1")
    state.operation.voyages["v1"].parts = ((3, 0),)
    waiting = intercept(state, "tf", "v1", (5, 0))
    finish(state, "v1")
    assert state.operation.voyages["v2"].path[-1] == (6, 0)
    assert state.operation.voyages[waiting].target == "v2"
    leg = state.operation.voyages[waiting].leg
    assert state.operation.voyages["v2"].intercepted == [leg]
    assert leg not in open_legs(state, "v2")


# --- who is committed: 22.11 ------------------------------------------------------------------------------------


@pytest.mark.rule("22.11", "22.116")
@pytest.mark.parametrize("activity", ["base-change", "escape", "return"])
def test_who_has_moved_to_another_base_intercepts_nobody_in_this_stage(activity: str) -> None:
    state = bombard(force("x", "blue", "panama", "Iowa", cruisers=8))
    state.operation.fleet["x"].at = (5, 4)
    dock(state, state.operation.voyages[sail(state, activity, "x", (4, 4), start=(5, 4), base="rabaul")])
    assert state.operation.fleet["x"].base == "rabaul"
    able = is_free(state, state.operation.fleet["x"])
    assert able == (activity == "return")
    state.operation.stage = 2
    assert is_free(state, state.operation.fleet["x"]), "in a later stage it is free again"


# --- submarines: 22.92, 22.163E ---------------------------------------------------------------------------------


@pytest.mark.rule("22.163E", "22.92")
def test_submarines_that_came_too_late_are_on_patrol_again() -> None:
    state = bombard(
        force("x", "blue", "rabaul", "Iowa", cruisers=8),
        flotilla("boats", "red", "truk", 2, at=(16, 0), patrol="offensive"),
    )
    intercept(state, "x", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), "support:boats:go", flees="blue")
    boats = played.state.operation.flotillas["boats"]
    assert (boats.factors, boats.tried, boats.away, boats.at, boats.patrol) == (0, 2, 0, (16, 0), "offensive")
    assert set(played.state.operation.flotillas) == {"boats"}


@pytest.mark.rule("22.92")
def test_submarines_from_a_patrol_hex_that_had_no_chance_go_back_to_it() -> None:
    boats = flotilla("boats", "blue", "rabaul", 1, at=(6, 2), patrol="defensive")
    state = bombard(force("x", "blue", "rabaul", "Iowa", cruisers=8), boats)
    intercept(state, "x", "v1", (4, 0))
    state.operation.voyages[dive(state, "boats", "v1", (4, 0))].arrives = 3
    after = cruise(state, passage.start("v1"), flees="blue").state.operation.flotillas
    assert (after["boats"].tried, after["boats"].at, after["boats"].patrol) == (1, (6, 2), "defensive")
    assert set(after) == {"boats"}


@pytest.mark.rule("SOP-PA-E.5", "22.92")
@pytest.mark.parametrize(("factors", "inverted"), [(1, 0), (0, 1)])
def test_only_submarines_that_are_in_their_patrol_hex_are_recalled(factors: int, inverted: int) -> None:
    boats = flotilla("boats", "red", "truk", factors, at=(6, 2), patrol="offensive", inverted=inverted)
    state = sea(TRUK, RABAUL, RAIDERS, boats, stage="combat", stages=("combat",))
    assert ("recall:boats" in cruise(state, operation).asked) == bool(factors)


# --- who aborts an interception: 22.27 --------------------------------------------------------------------------


@pytest.mark.rule("22.27", "22.281")
@pytest.mark.parametrize(
    ("damaged", "reading", "inverted"),
    [(False, "not-inverted", False), (True, "not-inverted", True), (False, "inverted", True)],
)
def test_an_interceptor_that_turns_back_before_any_battle(damaged: bool, reading: str, inverted: bool) -> None:
    """22.27: he is not inverted unless he is damaged; by the other reading he is as all who abort (22.281)."""
    hits: dict[str, Any] = {"hits": {"Iowa": 4}} if damaged else {}
    options = Options(aborted_interception=reading)
    state = bombard(force("x", "blue", "rabaul", "Iowa", cruisers=8, **hits), options=options)
    x = intercept(state, "x", "v1", (4, 0))
    turn_back(state, x)
    turn_back(state, "v1")
    assert (state.operation.fleet["a"].inverted, state.operation.fleet["x"].inverted) == (True, inverted)


# --- ports: 20.14, 20.163, 22.63 --------------------------------------------------------------------------------


@pytest.mark.rule("22.63")
def test_ports_are_as_far_as_they_are_by_sea() -> None:
    """22.63: a port behind land is as far as the way round it; one without a way, and a box, is not offered."""
    wall = [(3, row) for row in range(-6, 6)] + [(q, 0) for q in range(-8, -5)]
    ring = [(-7, 1), (-6, 1), (-8, 1), (-8, 2), (-7, 3), (-6, 2), (-8, 3)]
    state = sea(
        port("truk", "red", (0, 0)),
        port("near", "red", (5, 0)),
        port("lake", "red", (-7, 2)),
        port("box", "red", (1, 1), box=True),
        RABAUL,
        board=ocean(land=[*wall, *ring], pacific=True),
    )
    set_scene(state, (1, 0))
    sails = state.operation.plan.board.sea_distance((1, 0), (5, 0))
    assert sails is not None
    assert sails > 10
    assert state.scene.ports["near"] == sails
    assert set(ports_in_range(state, "red")) == {"truk"}
    assert "lake" not in state.scene.ports


@pytest.mark.rule("22.14C")
def test_in_port_a_task_force_of_under_ten_factors_has_no_marker() -> None:
    """20.163: at sea it keeps its marker; in port its ships lie open."""
    state = bombard(force("x", "blue", "rabaul", "Iowa", cruisers=8))
    x = state.operation.fleet["x"]
    cruiser = next(which for which in x.group.ships if which.light)
    take(x.group.ships, cruiser, 3)
    home = sail(state, "return", "x", (4, 4), start=(4, 3), base="rabaul")
    assert "ships" not in look(state, "red")["forces"][x.marker]
    dock(state, state.operation.voyages[home])
    assert (x.group.task_force, x.marker) == (False, "group 1 (Blue)")
    assert "ships" in look(state, "red")["forces"][x.marker]


@pytest.mark.rule("22.14C")
@pytest.mark.parametrize("lost", [0, 1])
def test_a_task_force_that_has_lost_ships_in_port_has_no_marker_after_the_stage(lost: int) -> None:
    """22.14C: ships in port of fewer than ten factors are no task force: from the end of the stage on they lie open."""
    state = sea(*seas.PORTS, seas.KIDO, stage="combat", stages=("combat",))
    ships = state.operation.fleet["kido"].group.ships
    take(ships, next(iter(ships)), lost)
    made = cruise(state, operation).state.operation.fleet["kido"]
    assert made.group.task_force is not bool(lost)


@pytest.mark.rule("22.63", "22.63D", "23.462A")
def test_transports_and_submarines_take_room_in_port() -> None:
    state = sea(
        TRUK,
        RABAUL,
        force("full", "red", "truk", cruisers=20, transports=5),
        force("more", "red", "truk", cruisers=20),
        flotilla("boats", "red", "truk", 4, inverted=2),
        flotilla("out", "red", "truk", 3, at=(4, 0), patrol="offensive"),
        force("away", "red", "truk", destroyers=2),
    )
    sail(state, "base-change", "away", (4, 4), start=(1, 0), base="rabaul")
    assert excess(state, "truk") == 20 + 5 + 20 + 6 - 50
    set_scene(state, (2, 0))
    assert port_room(state, "truk") == 50 - 20 - 5 - 20 - 6 - 3
    clear_scene(state)
    run(clear_overstacking(state, "truk", "22.63D"), "boats")
    assert (state.operation.flotillas["boats"].inverted, state.operation.flotillas["boats"].lost) == (1, 1)
    assert excess(state, "truk") == 0


# --- in files: 22.11A -------------------------------------------------------------------------------------------


def norwegian(activity: str, to: str, base: str = "kiel", **more: Any) -> State:
    """The Norwegian sortie with a German force more, and a box in which it may be."""
    data = tomllib.loads(files("flagplot.scenarios").joinpath("norwegian-sortie.toml").read_text())
    data["bases"].append({"id": "ocean", "name": "Ocean", "side": "germany", "place": "atlantic", "box": True})
    extra = {"id": "extra", "name": "Extra", "side": "germany", "task_force": False, "base": base}
    ships = {"ships": [{"nation": "germany", "destroyers": 2}], "orders": [{"activity": activity, "to": to}]}
    data["forces"].append(extra | ships | more)
    made = read_state(data, Options())
    assert made.operation_if_any is not None
    return made


def set_out(state: State) -> str:
    """The force sails on its order; the key of the voyage."""
    (order,) = state.operation.plan.orders["extra"]
    assert order.stage in ("movement", "redeployment")
    return sail(state, order.activity, "extra", order.to, base=order.base)


@pytest.mark.rule("22.13G")
def test_a_file_may_have_a_force_that_is_displaced() -> None:
    """22.13G: it may be intercepted on its way, and does not turn back."""
    state = norwegian("displacement", "bergen")
    key = set_out(state)
    assert state.operation.voyages[key].activity is Activity.DISPLACEMENT
    assert open_legs(state, key)
    assert not may_abort(state, replace(state.operation.voyages[key], attacked=True))
    dock(state, state.operation.voyages[key])
    assert state.operation.fleet["extra"].base == "bergen"


@pytest.mark.rule("22.11A.4")
def test_a_file_may_have_asw_that_goes_to_a_box() -> None:
    state = norwegian("asw-deployment", "ocean")
    key = set_out(state)
    assert not open_legs(state, key)
    state.operation.voyages[key].progress = Progress.ARRIVED
    after = steer(play(state, completion.start(key))).state
    assert (after.operation.fleet["extra"].base, after.operation.fleet["extra"].in_port) == ("ocean", True)
    with pytest.raises(ScenarioError, match="only destroyers deploy as ASW"):
        norwegian("asw-deployment", "ocean", ships=[{"nation": "germany", "cruisers": 2}])


@pytest.mark.rule("22.11A.2")
@pytest.mark.parametrize("began_at_sea", [True, False])
def test_a_file_may_have_raiders_that_began_at_sea(began_at_sea: bool) -> None:
    """22.11A: they come home from their box in safety; from port they are as others."""
    ships = [{"nation": "germany", "named": ["Admiral Graf Spee"]}]
    state = norwegian("base-change", "kiel", "ocean", began_at_sea=began_at_sea, ships=ships)
    key = set_out(state)
    assert bool(open_legs(state, key)) != began_at_sea
    dock(state, replace(state.operation.voyages[key], step=len(state.operation.voyages[key].path) - 1))
    assert not state.operation.fleet["extra"].began_at_sea
    with pytest.raises(ScenarioError, match="are in a box"):
        norwegian("base-change", "bergen", "kiel", began_at_sea=True)
