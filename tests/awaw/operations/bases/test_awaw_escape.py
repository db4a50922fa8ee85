"""Escape from a base under air attack (23.46-23.462)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.operations.bases.escape import havens, in_enemy_reach, threatened
from flagplot.awaw.operations.bases.port_room import port_room
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import escape, patrol
from flagplot.awaw.state.operation import Activity, Progress
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from tests.awaw import seas
from tests.awaw.harbours import (
    ABOARD,
    ARMY,
    MISSION_HEX,
    at,
    attack,
    begin,
    call,
    fleet_in_port,
    fly,
    kido,
    on_mission,
    on_patrol,
    text,
    told,
    until,
    voyage_of,
    waters,
)
from tests.awaw.scenes import base, short
from tests.awaw.seas import flotilla, force, offered, port, sail, sea
from tests.awaw.voyages import cruise, reaching

DIEGO, OAHU = (12, 0), (3, 3)


def refuge(name: str = "diego", where: tuple[int, int] = DIEGO, *air: str, **more: Any) -> dict[str, Any]:
    return port(name, "blue", where, *air, **more)


def escape_from(state: State, base: str = "pearl", key: str = "") -> Game[Any]:
    return call(state, escape.start(base, key))


# --- when, and from where -------------------------------------------------------------------------------------------


@pytest.mark.rule("23.46", "23.46A")
def test_the_attacked_base_may_be_left_after_a_round() -> None:
    state = waters(
        refuge(), fleet_in_port("Arizona", task_force=False), air=["2 united-states army"], red=["1 japan army"]
    )
    game = begin(state)
    assert not told(game, "choosing whether ships leave", "red")  # not before the round is fought
    until(game, "escape")
    assert offered(game) == ["escape:pac:stay", "escape:pac:diego"]
    assert told(game, "back from the attack")
    assert threatened(state, "pearl", "") == ["pearl"]
    game.choose("escape:pac:stay")
    assert told(game, "choosing whether ships leave", "red")


@pytest.mark.rule("23.46B", "23.46C")
def test_a_patrol_threatens_all_bases_in_range_of_its_hex() -> None:
    state = waters(kido(), refuge("hilo", (5, 2)), refuge("maui", (5, -3)), refuge())
    patrol = on_patrol(state)
    assert threatened(state, "pearl", patrol) == ["pearl", "hilo", "maui"]  # it has attacked Pearl
    assert threatened(state, "", patrol) == ["pearl", "hilo", "maui"]  # it was in naval combat in its hex
    state.operation.fleet["kido"].patrol = ""
    mission = on_mission(state)
    assert threatened(state, "pearl", mission) == ["pearl"]
    voyage = state.operation.voyages[mission]
    voyage.activity, voyage.progress, voyage.step = Activity.PATROL, Progress.UNDER_WAY, voyage.step - 1
    assert threatened(state, "pearl", mission) == ["pearl"]  # it is not in its patrol hex


@pytest.mark.rule("23.46B", "SOP-PA-C.3")
def test_ships_of_another_base_leave_as_a_patrol_attacks_nearby() -> None:
    state = waters(
        kido(),
        *(refuge("hilo", (5, 2)), refuge()),
        fleet_in_port("Arizona", home="hilo", task_force=False),
        air=["1 united-states naval"],
        stage="movement",
    )
    rolls = [("Red: air combat", 1, 1), ("Blue: air combat", 1, 1)]
    game = attack(state, fly(6, ABOARD), "escape:pac:diego", key=on_patrol(state), rolls=rolls)
    assert game.state.operation.fleet["pac"].base == "diego"


@pytest.mark.rule("23.46C", "23.46")
@pytest.mark.parametrize(
    ("met", "loser", "leaves"),
    [("6,0", "blue", True), ("5,0", "blue", False), ("6,0", "red", False)],
)
def test_ships_may_leave_bases_near_a_patrol_that_was_in_naval_combat(met: str, loser: str, leaves: bool) -> None:
    """23.46C: after naval combat with a patrol in its patrol hex ships and air units in bases within range of it may
    leave; not if it was met on its way, nor if it was driven off and is no patrol any more."""
    bases = (
        port("noumea", "blue", (8, 0), "1 united-states army"),
        port("suva", "blue", (10, 0)),
        port("pearl", "blue", (20, 0)),
    )
    kido = force("kido", "red", "truk", "Akagi", cruisers=8, air=3)
    fleets = (force("tf", "blue", "suva", cruisers=10), force("old", "blue", "noumea", cruisers=10))
    state = sea(seas.TRUK, *bases, kido, *fleets, strategic="blue")
    sail(state, "patrol", "kido", (6, 0), shown=False)
    state.operation.fleet["kido"].group.activity = "patrol"
    orders = [f"intercept:v1:1:{met}", "go:v1:1:tf:direct"]
    orders += ["escape:old:suva", "flee-from:noumea:leave"] if leaves else []
    played = cruise(state, patrol.start("v1"), *orders, flees=loser, dice=reaching())
    assert played.places == [met]
    assert ("escape:old" in played.asked) == leaves
    assert ("flee-from:noumea" in played.asked) == leaves
    assert played.state.operation.fleet["old"].base == ("suva" if leaves else "noumea")
    assert not short(played.state.sites["noumea"].air) if leaves else short(played.state.sites["noumea"].air)


def patrol_near_noumea(**more: Any) -> State:
    """A patrol on its way to (6, 0), two hexes from the air and the ships in Noumea."""
    bases = (port("noumea", "blue", (8, 0), "1 united-states army"), port("suva", "blue", (10, 0)))
    kido = force("kido", "red", "truk", "Akagi", cruisers=8, air=3)
    fleets = (force("tf", "blue", "suva", cruisers=10), force("old", "blue", "noumea", cruisers=10))
    state = sea(seas.TRUK, *bases, port("pearl", "blue", (20, 0)), kido, *fleets, strategic="blue", **more)
    sail(state, "patrol", "kido", (6, 0), shown=False)
    state.operation.fleet["kido"].group.activity = "patrol"
    return state


@pytest.mark.rule("23.46C", "23.461A")
@pytest.mark.parametrize(("reading", "often"), [("each-round", 2), ("after-battle", 1)])
def test_air_units_may_leave_bases_near_a_patrol_after_each_round(reading: str, often: int) -> None:
    """Two rounds: they are asked after the first, and when the battle is over."""
    state = patrol_near_noumea(options=Options(escape_from_patrols=reading))
    orders = ["intercept:v1:1:6,0", "go:v1:1:tf:direct"]
    played = cruise(state, patrol.start("v1"), *orders, rounds={"6,0": 2}, dice=reaching())
    assert played.battles[-1].rounds == 2
    assert played.asked.count("flee-from:noumea") == often
    gone = patrol_near_noumea(options=Options(escape_from_patrols=reading))
    played = cruise(gone, patrol.start("v1"), *orders, "flee-from:noumea:leave", rounds={"6,0": 2}, dice=reaching())
    assert played.asked.count("flee-from:noumea") == 1


@pytest.mark.rule("23.46A", "23.462A", "22.43")
def test_ships_may_leave_a_base_that_carriers_attacked_in_a_naval_battle() -> None:
    """The patrol is met before its hex, and its squadrons attack Noumea in the battle: the ships there may leave when
    it is over."""
    orders = ["intercept:v1:1:5,0", "go:v1:1:tf:direct"]
    for flies in (True, False):
        sent = ["send:noumea:red-at-sea:japan:naval:squadrons:1", "escape:old:suva"] * flies
        played = cruise(patrol_near_noumea(), patrol.start("v1"), *orders, *sent, dice=reaching())
        assert played.places == ["5,0"]
        assert ("escape:old" in played.asked) == flies
        assert played.state.operation.fleet["old"].base == ("suva" if flies else "noumea")


# --- ships ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.462A", "23.46")
def test_ships_go_to_the_nearest_base_beyond_enemy_air() -> None:
    """Hilo is nearest, but Red's air at Atoll reaches it; inverted air does not count."""
    state = waters(
        *(refuge("hilo", (6, 0)), refuge(), refuge("far", (20, 0))),
        port("atoll", "red", (6, 2), "1 japan naval"),
        fleet_in_port("Arizona"),
    )
    assert in_enemy_reach(state, "hilo")
    assert not in_enemy_reach(state, "diego")
    assert havens(state, "pac", {}) == ["diego"]
    for hexes, reached in ((3, True), (4, False)):
        near = waters(refuge("hilo", (6, 0)), port("atoll", "red", (6, hexes), "1 japan naval"))
        assert in_enemy_reach(near, "hilo") is reached
    down = waters(
        *(refuge("hilo", (6, 0)), refuge()),
        port("atoll", "red", (6, 2), "1 japan naval inverted", "1 japan transport"),
        fleet_in_port("Arizona"),
    )
    assert havens(down, "pac", {}) == ["hilo"]


@pytest.mark.rule("23.462A")
def test_equally_near_bases_are_the_owners_choice() -> None:
    state = waters(refuge(), refuge("cove", (-6, 0)), fleet_in_port("Arizona"))
    assert havens(state, "pac", {}) == ["diego", "cove"]


@pytest.mark.rule("23.462A")
def test_patrols_reach_three_hexes_unless_they_are_known_to_have_no_carriers() -> None:
    state = waters(kido(), refuge("hilo", (7, 0)), fleet_in_port("Arizona"))
    on_patrol(state)
    assert in_enemy_reach(state, "hilo")
    ships = state.operation.fleet["kido"].group.ships
    state.operation.fleet["kido"].group.ships = {which: number for which, number in ships.items() if not which.named}
    assert in_enemy_reach(state, "hilo")  # nobody knows that it has none
    state.operation.fleet["kido"].seen = True
    assert not in_enemy_reach(state, "hilo")


@pytest.mark.rule("23.462A")
def test_ships_escape_no_farther_than_their_range() -> None:
    for where, found in (((23, 0), ["diego"]), ((24, 0), [])):
        state = waters(refuge("diego", where), fleet_in_port("Arizona"), pacific=True)
        assert havens(state, "pac", {}) == found


@pytest.mark.rule("23.462A")
def test_a_port_holds_fifty_factors() -> None:
    state = waters(
        refuge(),
        fleet_in_port("Arizona", cruisers=8),
        fleet_in_port(name="full", home="diego", destroyers=20, transports=3),
        fleet_in_port(name="more", home="diego", cruisers=10),
        flotilla("subs", "blue", "diego", 6),
    )
    assert port_room(state, "diego") == 50 - 20 - 3 - 10 - 6  # transports take room too
    assert havens(state, "pac", {}) == ["diego"]
    assert havens(state, "pac", {"full": "diego"}) == []  # others who are on their way there
    two = waters(base("diego", "blue", DIEGO, ports=2), fleet_in_port("Arizona"))
    assert port_room(two, "diego") == 100


@pytest.mark.rule("23.462A")
def test_a_box_receives_any_number_and_is_out_of_reach() -> None:
    state = waters(
        refuge("pacific", DIEGO, box=True), port("atoll", "red", DIEGO, "1 japan naval"), fleet_in_port("Arizona")
    )
    assert havens(state, "pac", {}) == ["pacific"]


@pytest.mark.rule("23.462A", "23.443B.2")
def test_ships_sunk_in_port_do_not_leave() -> None:
    state = waters(refuge(), fleet_in_port("Arizona", "Nevada", task_force=False), red=["4 japan naval"])
    game = attack(
        state,
        *("fly:field:japan:naval:squadrons:4", "target:arizona"),
        *("against:arizona:field:japan:naval:squadrons:3", "escape:pac:diego"),
        rolls=[("air defense", 1, 1), ("attack on Arizona, row 3", 6, 6), ("critical", 1)],
    )
    assert at(game) == {"nevada": 0}
    assert game.state.operation.fleet["pac"].base == "diego"
    assert {one.base for one in game.state.operation.fleet.values() if one.sunk_in_port} == {"pearl"}


@pytest.mark.rule("23.462A")
def test_escaped_ships_lie_in_their_refuge() -> None:
    state = waters(refuge(), fleet_in_port("Arizona", cruisers=8))
    game = until(escape_from(state), "nothing", "escape:pac:diego")
    pac = game.state.operation.fleet["pac"]
    assert (pac.base, pac.at, pac.in_port) == ("diego", DIEGO, True)
    assert "TF 1 (Blue) leaves Pearl for Diego" in text(game, "red")


@pytest.mark.rule("23.462A")
def test_only_ships_that_escape_are_in_their_refuge_afterwards() -> None:
    """The carriers that attack stay in their mission hex."""
    state = waters(kido(), refuge(), fleet_in_port("Arizona", cruisers=8))
    key = on_mission(state)
    game = until(escape_from(state), "nothing", "escape:pac:diego")
    assert (game.state.operation.voyages[key].progress, game.state.operation.fleet["kido"].at) == (
        Progress.ARRIVED,
        MISSION_HEX,
    )


@pytest.mark.rule("23.462B", "22.13G")
def test_the_air_that_struck_the_base_attacks_those_who_leave() -> None:
    """Its factors are uninverted in their base as the ships enter the water of their port; afterwards they are not."""
    state = waters(refuge(), fleet_in_port("Arizona", cruisers=8), red=["2 japan army"])
    game = until(begin(state), "sortie:v1", fly(2, ARMY), "escape:pac:diego")
    voyage = voyage_of(game.state, Activity.ESCAPE)
    assert (voyage.at, voyage.activity) == ((3, 0), Activity.ESCAPE)
    assert offered(game) == ["sortie:v1:no", "sortie:v1:yes"]
    assert not any(which.inverted for which in game.state.sites["field"].air)
    game.choose("sortie:v1:yes")
    until(game, "nothing")
    assert all(which.inverted for which in game.state.sites["field"].air)
    assert game.state.sites["field"].used == {}


@pytest.mark.rule("22.13G")
def test_those_who_leave_may_be_intercepted() -> None:
    state = waters(
        refuge(),
        port("atoll", "red", (8, 2)),
        force("hunters", "red", "atoll", destroyers=4),
        fleet_in_port("Arizona", cruisers=8),
    )
    game = until(escape_from(state), "route", "escape:pac:diego")
    assert offered(game) == ["route:none", "route:v1"]
    assert game.pending
    assert game.pending.side == "red"


@pytest.mark.rule("23.462C")
def test_patrols_neither_intercept_nor_attack_those_who_leave() -> None:
    state = waters(kido(), refuge("diego", (14, 0)), fleet_in_port("Arizona", cruisers=8), stage="movement")
    game = attack(
        state,
        *(fly(6, ABOARD), "target:arizona", f"against:arizona:{ABOARD}:5", "escape:pac:diego"),
        key=on_patrol(state),
        rolls=[("air defense", 1, 1), ("attack on Arizona", 1, 1)],
    )
    assert game.state.operation.fleet["pac"].base == "diego"
    asked = text(game).split("leaves Pearl for")[1]
    assert "path" not in asked
    assert "sortie" not in asked


@pytest.mark.rule("17.3126C.2", "23.462A")
def test_carriers_take_their_squadrons_along() -> None:
    state = waters(refuge(), fleet_in_port("Enterprise", cruisers=8, air=3), red=["1 japan naval"])
    game = attack(
        state,
        *("escape:pac:diego", "embark:pac:aboard"),
        rolls=[("Blue: air combat", 6, 6)],
    )
    assert short(game.state.operation.fleet["pac"].group.air) == {"united-states naval": 3}
    assert game.state.sites["pearl"].air == {}


@pytest.mark.rule("17.3126C.2", "23.462A")
def test_squadrons_of_ships_that_escape_are_aboard_before_the_air_of_the_base_leaves() -> None:
    """17.3126C: carriers that leave a base take their squadrons with them; what is asked afterwards about the air of
    the base (23.461) is not about them."""
    pac = fleet_in_port("Enterprise", air=3, task_force=False)
    state = waters(port("cove", "blue", (3, 4)), pac, red=["1 japan naval"])
    played = cruise(begin(state, dice=reaching(1)), None, "escape:pac:cove", "embark:pac:aboard")
    assert "flee-from:pearl" not in played.asked
    assert (played.state.operation.fleet["pac"].base, short(played.state.operation.fleet["pac"].group.air)) == (
        "cove",
        {"united-states naval": 3},
    )


# --- air units ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.461A", "23.461B", "23.46", "SOP-PA-C.3")
def test_air_units_leave_for_a_base_in_staging_range_and_are_inverted() -> None:
    state = waters(refuge("oahu", OAHU), air=["2 united-states army", "1 united-states naval"])
    game = until(escape_from(state), "nothing", "flee-from:pearl:leave")
    assert game.state.sites["pearl"].air == {}
    assert short(game.state.sites["oahu"].air) == {"united-states army inverted": 2, "united-states naval inverted": 1}


@pytest.mark.rule("23.461A")
def test_air_units_do_not_flee_to_a_base_that_was_attacked_in_this_phase() -> None:
    state = waters(refuge("oahu", OAHU), air=["1 united-states army"])
    state.operation.note_attack("oahu")
    assert escape_from(state).pending is None
    state.operation.last_raids.stage -= 1  # that was in the phase before
    assert offered(escape_from(state)) == ["flee-from:pearl:stay", "flee-from:pearl:leave"]


@pytest.mark.rule("23.461A")
def test_all_air_units_leave_or_none() -> None:
    """Oahu holds ten factors and has nine: one finds room, two do not."""
    for factors, asked in ((1, True), (2, False)):
        state = waters(refuge("oahu", OAHU, "9 united-states army"), air=[f"{factors} united-states army"])
        assert (escape_from(state).pending is not None) is asked


# --- secrets --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("23.462A")
def test_the_enemy_does_not_learn_whether_a_task_force_could_leave() -> None:
    """Twelve factors find room, twenty do not; the attacker sees one wait in both cases."""
    for cruisers in (8, 16):
        state = waters(
            refuge(),
            fleet_in_port("Arizona", cruisers=cruisers),
            fleet_in_port(name="full", home="diego", destroyers=20),
            fleet_in_port(name="more", home="diego", destroyers=16),
        )
        game = escape_from(state)
        assert game.pending
        assert game.pending.side == "blue"
        assert text(game, "red") == "Blue: choosing whether ships leave Pearl"
