"""22.552B, 22.9417B: who is hampered by a cargo mission on the map: the ships that carry it, out and home, and nobody
else."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.battle.groups import is_hampered, is_slow_group, on_cargo_duty
from flagplot.awaw.hits import Tally, hit_light
from flagplot.awaw.operations.passage.homeward import dock, send_home, turn_back
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import completion, operation, passage
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.operation import Activity, Order, Progress
from flagplot.awaw.state.state import State
from tests.awaw.battles import fleet_of, ships
from tests.awaw.scenes import run
from tests.awaw.seas import flotilla, force, play, port, sail, sea
from tests.awaw.voyages import Cruise, cruise, dive, intercept, reaching

PORTS = port("truk", "red", (0, 0)), port("noumea", "blue", (9, 0))
TF = force("tf", "blue", "noumea", "Washington", cruisers=6)
GUNS = {"cruisers": 8, "destroyers": 2}
COMBAT: dict[str, Any] = {"stage": "combat", "stages": ("combat",)}
CARGO = {"laden_destroyers": 2, "cargo": "troops"}


def fleet(name: str, **light: Any) -> dict[str, Any]:
    return force(name, "red", "truk", orders=[Order(Activity.INVASION, "combat", (6, 0))], **light)


def activity_lines(played: Cruise, rule: str = "22.552B") -> set[tuple[str, int]]:
    """By the side that rolls: what naval activities have changed in fire, or in submarine attacks."""
    return {(side, line.amount) for side, ledger in played.ledgers for line in ledger.lines if line.rule == rule}


# --- on the way home --------------------------------------------------------------------------------------------


def homebound(activity: str, **light: Any) -> State:
    """A red force has carried out its activity in (6, 0), and sails home as v2."""
    state = sea(*PORTS, TF, fleet("van", **light), flotilla("boats", "blue", "noumea"), stage="combat")
    key = sail(state, activity, "van", (6, 0))
    voyage, van = state.operation.voyages[key], state.operation.fleet["van"]
    voyage.step, voyage.progress, van.at, van.group.activity = 6, Progress.ARRIVED, (6, 0), activity
    state = play(state, completion.start(key)).state
    send_home(state, "van", "", at_once=False)
    return state


@pytest.mark.rule("22.552B.3")
def test_destroyers_and_transports_carry_the_mission() -> None:
    fleet = fleet_of("Kongo", cruisers=2, cves=1, destroyers=3, transports=1)
    assert ships(Group("red", "", on_cargo_duty(fleet))) == {
        "kongo": 0,
        "japan cruiser": 2,
        "japan cve": 1,
        "japan destroyer empty": 3,
        "japan transport empty": 1,
    }


@pytest.mark.rule("22.552B", "22.552B.3", "22.552B.1.1", "22.552B.1.2")
@pytest.mark.parametrize(
    ("activity", "light", "hampered"),
    [
        ("seaborne-invasion", GUNS | CARGO, True),
        ("sea-transport", GUNS | CARGO, True),
        ("sea-escort", GUNS | CARGO, True),
        ("sea-supply", {"cruisers": 10}, True),
        ("seaborne-invasion", GUNS, False),
        ("shore-bombardment", GUNS, False),
    ],
)
def test_who_has_carried_a_mission_is_hampered_on_the_way_home(
    activity: str, light: dict[str, Any], hampered: bool
) -> None:
    state = homebound(activity, **light)
    intercept(state, "tf", "v2", (4, 0))
    played = cruise(state, passage.start("v2"), flees="blue", guns=True)
    assert played.places == ["4,0"]
    assert activity_lines(played) == ({("blue", 1), ("red", -1)} if hampered else set())


@pytest.mark.rule("22.427", "22.71C", "22.552B.3", "22.281")
@pytest.mark.parametrize("aborts", [False, True])
def test_who_returns_from_sea_supply_is_not_slow_whether_or_not_it_was_completed(aborts: bool) -> None:
    """It is hampered as before, but protects no line any more, and has none to fight on for."""
    if aborts:
        state = sea(*PORTS, fleet("van", cruisers=10), stage="combat")
        key = sail(state, "sea-supply", "van", (6, 0), step=3)
        state.operation.fleet["van"].group.activity = "sea-supply"
        turn_back(state, key)
    else:
        state = homebound("sea-supply", cruisers=10)
    van = state.operation.fleet["van"].group
    assert is_hampered(van)
    assert not is_slow_group(van)
    assert van.activity != "sea-supply"


@pytest.mark.rule("22.9417B")
@pytest.mark.parametrize(("light", "amounts"), [(GUNS | CARGO, {("blue", 1)}), (GUNS, set())])
def test_and_easier_for_submarines_to_hit(light: dict[str, Any], amounts: set[tuple[str, int]]) -> None:
    state = homebound("seaborne-invasion", **light)
    dive(state, "boats", "v2", (4, 0))
    played = cruise(state, passage.start("v2"))
    assert "submarine attack on light ships" in played.log()
    assert activity_lines(played, "22.9417") == amounts


@pytest.mark.rule("22.552B.3")
def test_until_they_are_in_port() -> None:
    state = homebound("seaborne-invasion", **GUNS, **CARGO)
    assert ships(state.operation.fleet["van"].group)["japan destroyer empty"] == 2
    assert (state.operation.fleet["van"].group.cargo, state.operation.fleet["van"].group.carried) == ("", 0)
    assert cruise(state, passage.start("v2")).state.operation.voyages["v2"].progress is Progress.ARRIVED
    dock(state, state.operation.voyages["v2"])
    assert ships(state.operation.fleet["van"].group) == {"japan cruiser": 4, "japan destroyer": 4}


@pytest.mark.rule("22.552B.3", "22.552B")
def test_the_owner_says_whether_ships_on_cargo_duty_are_sunk() -> None:
    """Destroyers that have landed their cargo are of one type with the others; if they are sunk nobody is hampered."""
    state = homebound("seaborne-invasion", **GUNS, **CARGO)
    van = state.operation.fleet["van"].group
    run(hit_light("red", van.ships, 4, Tally(), Options()), *["japan:destroyer:empty"] * 2)
    assert ships(van) == {"japan cruiser": 3, "japan destroyer": 2}
    assert not is_hampered(van)


# --- escorts ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.9417B", "22.552B.1.2")
@pytest.mark.parametrize(("prey", "amounts"), [("v1", {("blue", 1)}), ("v2", set())])
def test_an_escort_is_not_hampered_by_the_invasion_that_it_sails_on(prey: str, amounts: set[tuple[str, int]]) -> None:
    """The convoy v1 and its escort v2, which has destroyers as well, are on the same invasion."""
    boats = flotilla("boats", "blue", "noumea")
    state = sea(*PORTS, fleet("convoy", **GUNS, **CARGO), fleet("escort", **GUNS), boats, **COMBAT)
    orders = "order:convoy:0", "order:escort:0", "route:all", f"submarine:{prey}:1:boats:3,0"
    played = cruise(state, operation, *orders, dice=reaching())
    assert activity_lines(played, "22.9417") == amounts


@pytest.mark.rule("22.552B.1.2", "22.81C")
def test_nor_is_a_force_that_takes_over_the_activity_of_those_whom_it_protected() -> None:
    state = sea(*PORTS, TF, fleet("convoy", **GUNS, **CARGO), fleet("cover", **GUNS), stage="combat")
    sail(state, "seaborne-invasion", "convoy", (6, 0))
    state.operation.fleet["convoy"].group.activity = "seaborne-invasion"
    intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (4, 0))
    played = cruise(state, passage.start("v1"), flees="blue").state
    assert played.operation.voyages["v1"].forces == ["convoy", "cover"]
    assert played.operation.fleet["cover"].group.activity == "seaborne-invasion"
    assert {key: is_hampered(force.group) for key, force in played.operation.fleet.items()} == {
        "convoy": True,
        "cover": False,
        "tf": False,
    }
