"""Ships, submarines and cargo in air turns: whose supply lines and ports they are, who is still at sea when the enemy
moves, and who is lost with a port or a ship."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from flagplot.awaw.operations.bases.harbours import hit_light_in_port
from flagplot.awaw.operations.interception.dice import ground_defenders
from flagplot.awaw.operations.interception.interceptors import able_flotillas
from flagplot.awaw.operations.interception.why import reasons
from flagplot.awaw.operations.patrols.patrol_cost import may_afford
from flagplot.awaw.operations.patrols.submarine_patrols import begin_second_turn
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import air_turn, announcing, stage, turn_end
from flagplot.awaw.scenario import read_state
from flagplot.awaw.ships import Kind, ship
from flagplot.awaw.state.operation import Activity
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import GroundUnit
from flagplot.awaw.state.turn import Kind as GroundKind
from flagplot.awaw.turn.basing.geography import resettle
from flagplot.awaw.turn.ground.conquest import take_hex
from flagplot.awaw.turn.transport.landing import lade
from flagplot.awaw.turn.transport.passengers import aboard
from flagplot.awaw.turn.turn import hand_over
from flagplot.kernel.errors import ScenarioError
from flagplot.kernel.plain_data import copy_of
from flagplot.testing.awaw_turns import TurnLaws
from tests.awaw.seas import least, sail
from tests.awaw.turn.moves import offered, play, script, steer
from tests.awaw.turn.turns import base, ground, scenario, small_force, turn
from tests.awaw.voyages import Same

KIEL, OSLO = base("kiel", "red", (0, -7), ports=1), base("oslo", "red", (3, -7), ports=1)
HULL, ROSYTH = base("hull", "blue", (6, -7), ports=1), base("rosyth", "blue", (9, -7), ports=1)
BOTH = ["red", "blue"]


def fleet(name: str, side: str, home: str, *orders: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Destroyers in a port, with orders."""
    nation = {"red": "germany", "blue": "britain"}[side]
    ships = {"nation": nation, "destroyers": 4} | more.pop("ships", {})
    return small_force(name, side, home, ships, orders=list(orders), **more)


def to(activity: str, place: str) -> dict[str, Any]:
    return {"activity": activity, "to": place}


def seize(state: State, name: str, side: str) -> None:
    """A base is taken."""
    resettle(state, **{name: replace(state.place(name), side=side)})


def faults(**more: Any) -> str:
    """What is wrong with a file in which these keys are changed."""
    data = scenario(KIEL, OSLO, HULL, ROSYTH) | more
    with pytest.raises(ScenarioError) as told:
        read_state(data, Options())
    return str(told.value)


# --- supply lines -----------------------------------------------------------------------------------------------


def lines(*ends: tuple[str, str]) -> State:
    data = scenario(KIEL, OSLO, HULL, ROSYTH, turns=BOTH, phases=["movement"])
    data["supply_lines"] = [{"from": start, "to": end, "stage": "movement"} for start, end in ends]
    state = read_state(data, Options())
    assert state.turn_if_any is not None
    state.turn.step = "movement"
    return state


@pytest.mark.rule("22.15B", "22.15")
def test_each_side_traces_its_own_supply_lines_in_its_own_player_turn() -> None:
    state = lines(("kiel", "oslo"), ("hull", "rosyth"))
    assert offered(play(state, announcing)) == ["trace:0:trace", "trace:0:stay"]
    hand_over(state, "blue")
    game = play(state, announcing)
    assert offered(game) == ["trace:1:trace", "trace:1:stay"]
    (voyage,) = steer(game, "trace:1:trace").state.operation.voyages.values()
    assert (voyage.side, voyage.base) == ("blue", "rosyth")


@pytest.mark.rule("22.15B")
def test_no_line_is_traced_to_or_from_a_port_that_is_lost() -> None:
    for lost in ("hull", "rosyth"):
        state = lines(("hull", "rosyth"))
        hand_over(state, "blue")
        seize(state, lost, "red")
        assert play(state, announcing).pending is None


@pytest.mark.rule("22.15B")
def test_a_line_joins_two_ports_of_one_side() -> None:
    told = faults(supply_lines=[{"from": "kiel", "to": "hull"}])
    assert "“hull” is no port of the side that traces the line" in told


# --- ports that have changed hands ------------------------------------------------------------------------------


@pytest.mark.rule("22.15")
@pytest.mark.parametrize("activity", ["base-change", "redeployment", "sea-transport", "sea-escort", "sea-supply"])
def test_nobody_is_ordered_to_a_port_that_the_enemy_has_taken(activity: str) -> None:
    state = turn(KIEL, OSLO, HULL, forces=[fleet("tf", "red", "kiel", to(activity, "oslo"))])
    state.turn.step = state.operation.plan.orders["tf"][0].stage
    assert offered(play(state, announcing)) == ["order:tf:stay", "order:tf:0"]
    seize(state, "oslo", "blue")
    assert play(state, announcing).pending is None, "there is nothing that it could be told"
    state.frames = [announcing.start()]
    assert [(why.text.partition(": ")[2], why.rule) for why in reasons(state, "red")] == [
        ("the enemy holds it now", "22.15")
    ]


@pytest.mark.rule("22.15")
def test_nobody_invades_what_his_own_side_has_taken() -> None:
    state = turn(KIEL, HULL, forces=[fleet("tf", "red", "kiel", to("seaborne-invasion", "hull"))], phase="combat")
    assert offered(play(state, announcing)) == ["order:tf:stay", "order:tf:0"]
    seize(state, "hull", "red")
    assert play(state, announcing).pending is None


@pytest.mark.rule("22.15")
@pytest.mark.parametrize("activity", ["sea-transport", "sea-escort", "sea-supply"])
@pytest.mark.parametrize("place", ["hull", "6,-7"])
def test_a_file_that_ships_anything_into_an_enemy_port_is_refused(activity: str, place: str) -> None:
    told = faults(forces=[fleet("tf", "red", "kiel", to(activity, place))])
    assert f"{place} is held by the enemy" in told


@pytest.mark.rule("22.15")
def test_nothing_is_transported_to_a_hex_in_which_enemy_ground_units_stand() -> None:
    landing = fleet("tf", "red", "kiel", to("sea-transport", "3,-7"))
    for there in (True, False):
        units = [ground("guard", "blue", "britain", "3,-7")] * there
        state = turn(KIEL, HULL, forces=[landing], units=units, coast=[(3, -7)])
        assert (play(state, announcing).pending is None) == there


# --- ground factors ---------------------------------------------------------------------------------------------


@pytest.mark.rule("22.22F")
def test_the_ground_factors_that_defend_a_hex_are_those_of_the_units_in_it_now() -> None:
    invaders = fleet("tf", "red", "kiel", to("seaborne-invasion", "hull"))
    guards = [ground("one", "blue", "britain", "hull", factors=2), ground("two", "blue", "britain", "rosyth")]
    state = turn(KIEL, HULL, ROSYTH, forces=[invaders], units=guards, phase="combat")
    voyage = state.operation.voyages[sail(state, "seaborne-invasion", "tf", (6, -7), base="hull")]
    assert ground_defenders(state, voyage, (6, -7)) == 2
    state.turn.units["two"].at = (6, -7)
    assert ground_defenders(state, voyage, (6, -7)) == 3
    state.turn.units["one"].aboard = "somewhere"
    assert ground_defenders(state, voyage, (6, -7)) == 1
    assert ground_defenders(state, voyage, (4, -7)) == 0
    assert "the ground units in a hex are counted" in faults(ground={"hull": 3})


# --- a port falls -----------------------------------------------------------------------------------------------


def harbour(*ports: dict[str, Any], elsewhere: str = "") -> State:
    """British ships and submarines belong to Hull, which the Germans next to it are about to take; others lie in Kiel
    and `elsewhere`."""
    data = scenario(KIEL, HULL, *ports, units=[ground("storm", "red", "germany", "6,-6")])
    data["forces"] = [fleet("ships", "blue", "hull"), fleet("patrol", "blue", "hull", patrol="4,-8")]
    data["flotillas"] = [
        {"id": "boats", "side": "blue", "nation": "britain", "factors": 3, "base": "hull"},
        {"id": "hunters", "side": "blue", "nation": "britain", "factors": 2, "base": "hull", "patrol": "4,-8"},
    ]
    if elsewhere:
        data["forces"] += [fleet("theirs", "red", "kiel"), fleet("others", "blue", elsewhere)]
        boats = {"id": "other-boats", "side": "blue", "nation": "britain", "factors": 3, "base": elsewhere}
        data["flotillas"] += [boats, boats | {"id": "their-boats", "side": "red", "nation": "germany", "base": "kiel"}]
    state = read_state(data, Options())
    assert state.turn_if_any is not None
    state.turn.step = "combat"
    submarines = state.operation.flotillas["boats"]
    submarines.factors, submarines.tried, submarines.inverted = 1, 1, 1
    return state


def take_hull(state: State) -> Any:
    return play(state, script("take", lambda now: take_hex(now, (6, -7), ["storm"])))


@pytest.mark.rule("22.13G", "22.11A.7")
def test_submarines_of_a_port_that_is_taken_are_in_the_next_at_once() -> None:
    after = steer(take_hull(harbour(ROSYTH))).state
    boats, hunters = after.operation.flotillas["boats"], after.operation.flotillas["hunters"]
    assert (boats.base, boats.at) == ("rosyth", (9, -7))
    assert (boats.factors, boats.tried, boats.inverted, boats.lost) == (1, 1, 1, 0)
    assert (hunters.base, hunters.at, hunters.patrol) == ("rosyth", (4, -8), "defensive")
    assert {force.base for force in after.operation.fleet.values()} == {"rosyth"}


@pytest.mark.rule("22.13G", "22.11A.7")
def test_ships_and_submarines_of_other_ports_stay_there_when_one_is_taken() -> None:
    dover = base("dover", "blue", (-4, -7), ports=1)
    after = steer(take_hull(harbour(ROSYTH, dover, elsewhere="dover"))).state
    homes = {key: (force.base, force.in_port) for key, force in after.operation.fleet.items()}
    assert homes["theirs"] == ("kiel", True)
    assert homes["others"] == ("dover", True)
    assert (homes["ships"][0], homes["patrol"][0]) == ("rosyth", "rosyth")
    assert [after.operation.flotillas[key].base for key in ("other-boats", "their-boats")] == ["dover", "kiel"]


@pytest.mark.rule("22.13G", "22.11A.7")
def test_with_the_last_port_of_a_side_its_ships_and_submarines_are_lost() -> None:
    after = steer(take_hull(harbour())).state
    for boats, factors in (("boats", 3), ("hunters", 2)):
        left = after.operation.flotillas[boats]
        assert (left.factors, left.tried, left.inverted, left.lost, left.patrol) == (0, 0, 0, factors, "")
    assert not after.operation.fleet
    assert sum(after.losses.ships.values()) == 8


@pytest.mark.rule("22.13G", "23.443B.2")
def test_ships_that_lie_sunk_in_a_port_that_is_taken_stay_there_for_good() -> None:
    state = harbour(ROSYTH)
    hood = ship("britain", Kind.BATTLECRUISER, "hood", 4, False, 0)
    state.operation.fleet["ships"].sunk_in_port = {hood: 1}
    state.losses.ships = {hood: 1}
    after = steer(take_hull(state)).state
    assert [force.sunk_in_port for force in after.operation.fleet.values()] == [{}, {}]
    assert after.losses.ships == {hood: 1}


# --- submarines that stay at sea --------------------------------------------------------------------------------


def pack(*phases: str, options: Options | None = None, **more: Any) -> State:
    """Three German submarine factors are on patrol off Rosyth, where a British convoy is about to sail to Hull."""
    convoy = fleet(
        "convoy", "blue", "rosyth", to("sea-transport", "hull"), ships={"destroyers": 0, "laden_transports": 2}
    )
    data = scenario(KIEL, HULL, ROSYTH, forces=[convoy | {"cargo": "tanks"}], turns=BOTH, phases=list(phases))
    boats = {"id": "boats", "side": "red", "nation": "germany", "factors": 3, "base": "kiel", "patrol": "8,-8"}
    data["flotillas"] = [boats | more]
    state = read_state(data, options or Options())
    assert state.turn_if_any is not None
    return state


def questions(game: Any, *orders: str) -> list[str]:
    """Play to the end: in which player turn and phase it was asked whether submarines return or intercept, and on which
    patrol they were then."""
    waiting, asked = list(orders), []
    while game.pending is not None:
        if not hasattr(game.pending, "values"):
            game.roll()
            continue
        texts = offered(game)
        verb, now = texts[0].split(":")[0], game.state
        if verb in ("recall", "submarine"):
            asked.append(f"{now.moving} {now.turn.step}: {verb}, {now.operation.flotillas['boats'].patrol}")
        order = next((order for order in waiting if order in texts), None)
        if order:
            waiting.remove(order)
        game.choose(order or least(texts))
    assert not waiting, f"never asked: {waiting}"
    return asked


@pytest.mark.rule("SOP-PA-E.5", "SOP-PA-E.8", "22.14F")
def test_submarines_that_stay_may_intercept_in_the_enemys_turn_and_are_home_when_it_is_over() -> None:
    game = play(pack("movement", "combat", "redeployment"), air_turn)
    asked = questions(game, "recall:boats:stay", "order:convoy:0", "route:v1")
    assert asked == ["red combat: recall, offensive", "blue movement: submarine, defensive"]
    boats = game.state.operation.flotillas["boats"]
    assert (boats.patrol, boats.at, boats.factors) == ("", (0, -7), 3)


@pytest.mark.rule("SOP-PA-E.5")
def test_submarines_that_return_are_in_port_and_intercept_from_there() -> None:
    asked = questions(play(pack("movement", "combat"), air_turn), "recall:boats:return", "order:convoy:0", "route:v1")
    assert asked == ["red combat: recall, offensive", "blue movement: submarine, "]


@pytest.mark.rule("SOP-PA-E.9", "22.14F")
def test_in_the_combat_phase_they_intercept_missions_and_nothing_else() -> None:
    for activity, may in (("shore-bombardment", ["boats"]), ("base-change", [])):
        state = pack("combat")
        hand_over(state, "blue")
        begin_second_turn(state)
        state.turn.step = "combat"
        key = sail(state, activity, "convoy", (6, -7), base="hull")
        assert list(able_flotillas(state, "red", state.operation.voyages[key])) == may


@pytest.mark.rule("SOP-PA-E.5", "SOP-PA-E.3")
@pytest.mark.parametrize("phases", [["movement"], ["movement", "redeployment"], ["redeployment"]])
def test_they_are_asked_once_also_where_there_is_no_combat_phase(phases: list[str]) -> None:
    game = play(pack(*phases), air_turn)
    assert questions(game, "recall:boats:stay") == [f"red {phases[0]}: recall, offensive"]


@pytest.mark.rule("SOP-PA-E.5", "SOP-PA-E.10")
@pytest.mark.parametrize(("ends", "patrol"), [("turn-end", "defensive"), ("with-patrols", "")])
def test_by_option_they_return_with_all_other_defensive_patrols(ends: str, patrol: str) -> None:
    state = pack("movement", "combat", options=Options(submarine_patrol_ends=ends))
    hand_over(state, "blue")
    begin_second_turn(state)
    state.turn.step, state.operation.stage = "combat", 3
    assert steer(play(state, stage)).state.operation.flotillas["boats"].patrol == patrol


@pytest.mark.rule("22.92", "SOP-PA-E.6")
def test_those_that_have_attacked_are_uninverted_in_port_while_the_others_stay_at_sea() -> None:
    state = pack("movement", "combat")
    state.operation.flotillas["boats"].factors, state.operation.flotillas["boats"].inverted = 2, 1
    after = steer(play(state, turn_end)).state
    found = {key: (one.at, one.patrol, one.factors, one.inverted) for key, one in after.operation.flotillas.items()}
    assert found == {"boats": ((8, -8), "offensive", 2, 0), "boats-2": ((0, -7), "", 1, 0)}
    state.operation.flotillas["boats"].factors, state.operation.flotillas["boats"].inverted = 0, 3
    after = steer(play(state, turn_end)).state
    found = {key: (one.at, one.patrol, one.factors, one.inverted) for key, one in after.operation.flotillas.items()}
    assert found == {"boats": ((0, -7), "", 3, 0)}


# --- ground units at sea ----------------------------------------------------------------------------------------


def convoy(activity: str, to_: str, phase: str, **more: Any) -> State:
    """Three laden German destroyers in Kiel carry the ground units Anton (2) and Berta (1)."""
    ships = {"destroyers": 0, "laden_destroyers": 3}
    force = fleet("convoy", "red", "kiel", to(activity, to_), ships=ships, cargo="two units")
    units = [
        ground("anton", "red", "germany", "kiel", factors=2, aboard="convoy"),
        ground("berta", "red", "germany", "kiel", aboard="convoy"),
        *more.pop("units", []),
    ]
    data = scenario(KIEL, OSLO, HULL, forces=[force], units=units, phases=[phase])
    data["flotillas"] = [{"id": "boats", "side": "blue", "nation": "britain", "factors": 1, "base": "hull"}]
    state = read_state(data, Options())
    assert state.turn_if_any is not None
    state.turn.step = phase
    return state


@pytest.mark.rule("22.82A", "22.82A.1", "22.82")
def test_ground_units_are_eliminated_with_their_ships_in_the_movement_phase_too() -> None:
    """A British submarine sinks two of the three destroyers: Anton is lost at once, and Berta is not ashore yet."""
    game = play(convoy("sea-transport", "oslo", "movement"), stage, dice=Same(4))
    orders = ["order:convoy:0", "route:v1", "submarine:v1:1:boats:2,-7", "cargo:anton"]
    while game.pending is not None and "anton" in game.state.turn.units:
        if not hasattr(game.pending, "values"):
            game.roll()
            continue
        texts = offered(game)
        quiet = least(texts)
        game.choose(next((order for order in orders if order in texts), quiet))
    assert (game.state.turn.units["berta"].aboard, game.state.turn.step) == ("convoy", "movement")
    assert "Anton lost at sea" in "\n".join(map(str, game.log("blue")))
    after: Any = steer(game).state
    assert {name: unit.at for name, unit in after.turn.units.items()} == {"berta": (3, -7)}


@pytest.mark.rule("22.82A.2", "22.82A", "23.443B.1")
def test_cargo_is_lost_with_ships_that_are_sunk_in_port() -> None:
    state = convoy("sea-transport", "oslo", "movement")
    game = steer(play(state, script("bombs", lambda now: hit_light_in_port(now, "kiel", 1))), "cargo:berta")
    assert list(game.state.turn.units) == ["anton"]
    assert game.state.operation.fleet["convoy"].group.loads == {"Anton": 2}
    game = steer(play(state, script("bombs", lambda now: hit_light_in_port(now, "kiel", 3))))
    assert not game.state.turn.units


@pytest.mark.rule("22.82A.2")
def test_in_port_a_share_of_cargo_is_lost_that_is_not_given_in_parts() -> None:
    state = convoy("sea-transport", "oslo", "movement")
    state.turn.units, state.operation.fleet["convoy"].group.loads = {}, {}
    game = steer(play(state, script("bombs", lambda now: hit_light_in_port(now, "kiel", 1))))
    assert game.state.losses.cargo == {"red": {"two units": 1}}


@pytest.mark.rule("18.5551", "22.82")
def test_invaders_that_are_not_landed_are_aboard_again_and_in_danger() -> None:
    guards = [ground("guard", "blue", "britain", "hull", factors=5)]
    game = play(convoy("seaborne-invasion", "hull", "combat", units=guards), stage)
    after: Any = steer(game, "order:convoy:0", "fight:6,-7", "go:6,-7:none").state
    group = after.operation.fleet["convoy"].group
    assert group.loads == {"Anton": 2, "Berta": 1}
    assert sum(number for which, number in group.ships.items() if which.laden) == 3
    assert aboard(after, "convoy") == ["anton", "berta"]
    assert after.turn.ashore == []


@pytest.mark.rule("22.13G", "22.82")
def test_ground_units_are_lost_with_ships_that_have_no_port_to_go_to() -> None:
    state = harbour()
    group = state.operation.fleet["ships"].group
    state.turn.units["tommy"] = GroundUnit(
        "blue", "britain", GroundKind.INFANTRY, 1, (6, -7), aboard="ships", load="tommy"
    )
    lade(group, "tommy", 1)
    assert list(steer(take_hull(state)).state.turn.units) == ["storm"]


def test_a_unit_that_nobody_carries_breaks_the_laws_of_air_turns() -> None:
    state = convoy("sea-transport", "oslo", "movement")
    laws, lost = TurnLaws(state), copy_of(state)
    assert list(laws.step(state, state)) == []
    lost.operation.fleet["convoy"].group.loads = {"Berta": 1}
    assert list(laws.step(state, lost)) == ["anton is aboard convoy, and nobody carries it"]


# --- what patrols cost ------------------------------------------------------------------------------------------


@pytest.mark.rule("SOP-PA-A")
@pytest.mark.parametrize(("cost", "brps", "left"), [("none", 1, 1), ("one-a-force", 1, 0), ("one-a-force", 0, 0)])
def test_by_option_a_patrol_costs_a_brp_and_submarines_patrol_for_nothing(cost: str, brps: int, left: int) -> None:
    data = scenario(KIEL, HULL, forces=[fleet("tf", "red", "kiel", to("patrol", "4,-8"))], brps={"germany": brps})
    boats = {"id": "boats", "side": "red", "nation": "germany", "factors": 1, "base": "kiel"}
    data["flotillas"] = [boats | {"orders": [to("patrol", "4,-8")]}]
    state = read_state(data, Options(patrol_cost=cost))
    assert state.turn_if_any is not None
    state.turn.step = "movement"
    game = play(state, announcing)
    may = cost == "none" or brps > 0
    assert ("order:tf:0" in offered(game)) == may
    orders = ["order:tf:0"] * may + ["order:boats:0"]
    after = steer(game, *orders).state
    assert after.turn.brps == {"germany": left}
    poor = copy_of(state)
    poor.turn.brps = {}
    assert may_afford(poor, state.operation.fleet["tf"], Activity.PATROL) == (cost == "none"), (
        "nothing is known of its BRPs"
    )
    assert after.operation.flotillas["boats"].patrol == "offensive"
    state.frames = [announcing.start()]
    assert ("21.411" in [why.rule for why in reasons(state, "red")]) == (not may)
