"""Why forces are not offered for an interception or an activity, and what a side learns by asking."""

from __future__ import annotations

from typing import Any

import pytest

import flagplot
from flagplot.awaw.operations.announcing import no_orders, not_ordered
from flagplot.awaw.operations.interception.interceptors import able_flotillas, able_forces
from flagplot.awaw.operations.interception.why import reasons
from flagplot.awaw.operations.names import force_name
from flagplot.awaw.procedures import announcing
from flagplot.awaw.state.operation import Activity, Order
from flagplot.awaw.state.state import State
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.requests import Choose
from flagplot.players.random import RandomPlayer
from tests.awaw.seas import flotilla, force, play, port, sail, sea
from tests.awaw.voyages import intercept

TRUK, NOUMEA = port("truk", "red", (0, 0)), port("noumea", "blue", (9, 0))
KIDO = force("kido", "red", "truk", "Akagi", "Kaga", cruisers=6)


def scene(*more: dict[str, Any], activity: str = "sea-transport", shown: bool = True, **plan: Any) -> State:
    """Kido sails from Truk in (0, 0) to (6, 0)."""
    state = sea(TRUK, NOUMEA, KIDO, *more, **plan)
    sail(state, activity, "kido", (6, 0), shown=shown)
    return state


def told(state: State, side: str = "blue") -> list[tuple[str, str]]:
    return [(reason.about, reason.rule) for reason in reasons(state, side)]


BLUE = force("tf", "blue", "noumea", "Hornet", cruisers=8)


def test_nothing_is_said_of_who_may_intercept() -> None:
    assert told(scene(BLUE)) == []


def test_a_force_that_is_used_up_or_has_tried() -> None:
    assert told(scene({**BLUE, "inverted": True})) == [("TF 1 (Blue)", "22.11")]
    state = scene(BLUE)
    state.operation.fleet["tf"].tried = state.now
    assert told(state) == [("TF 1 (Blue)", "22.14A")]
    state = scene(BLUE)
    sail(state, "base-change", "tf", (9, 3))
    assert told(state) == [("TF 1 (Blue)", "22.11")]


def test_an_offensive_patrol_a_box_and_a_port_without_supply() -> None:
    assert told(scene({**BLUE, "at": (8, 0), "patrol": "offensive"})) == [("TF 1 (Blue)", "22.11D")]
    box = port("box", "blue", (20, 0), box=True)
    assert told(scene(box, {**BLUE, "home": "box"})) == [("TF 1 (Blue)", "22.11B")]
    dry = port("dry", "blue", (9, 3), supply="none")
    assert told(scene(dry, {**BLUE, "home": "dry"})) == [("TF 1 (Blue)", "22.11B")]


def test_a_defensive_patrol_and_what_it_may_not_meet() -> None:
    patrol = {**BLUE, "at": (8, 0), "patrol": "defensive"}
    assert told(scene(patrol, activity="base-change")) == [("TF 1 (Blue) against TF 1 (Red)", "22.14F")]


def test_out_of_range_and_without_dice() -> None:
    far = port("far", "blue", (29, 0))
    state = scene(far, {**BLUE, "home": "far"}, pacific=True)
    (reason,) = reasons(state, "blue")
    assert (reason.rule, reason.text) == ("22.22", "its path is 23 hexes away at the nearest; the range is 20")
    slow = force("slow", "blue", "noumea", "Maryland", cruisers=8)
    (reason,) = reasons(scene(slow, activity="base-change"), "blue")
    assert reason.rule == "22.24C"
    assert "-1 22.22J" in reason.text


def test_a_path_that_was_not_asked_for_and_one_that_is_used_up() -> None:
    assert told(scene(BLUE, shown=False)) == [("TF 1 (Red)", "22.12")]
    state = scene(BLUE)
    state.operation.voyages["v1"].intercepted.append(0)
    assert told(state) == [("TF 1 (Red)", "22.13")]


@pytest.mark.rule("22.11", "22.14C")
def test_transports_alone_intercept_nobody() -> None:
    (reason,) = reasons(scene(force("convoy", "blue", "noumea", transports=3)), "blue")
    assert (reason.about, reason.rule) == ("group 1 (Blue)", "22.14C")
    assert "transports" in reason.text


@pytest.mark.rule("22.11", "22.14C", "22.14E", "22.22K")
def test_who_cannot_go_beside_those_that_are_declared() -> None:
    """22.14C: nine loose factors from a port; 22.24C: a die for each attempt; 22.14E: one hex for all."""
    small = [force(f"small{n}", "blue", "noumea", cruisers=6) for n in (1, 2)]
    state = scene(*small)
    intercept(state, "small1", "v1", (5, 0))
    state.operation.voyages["v1"].intercepted.clear()
    assert ("group 2 (Blue) against TF 1 (Red)", "22.14C") in told(state)
    others = [force(f"tf{n}", "blue", "noumea", cruisers=10) for n in (1, 2)]
    state = scene(*others, activity="base-change")
    intercept(state, "tf1", "v1", (5, 0))
    state.operation.voyages["v1"].intercepted.clear()
    assert ("TF 2 (Blue) against TF 1 (Red)", "22.24C") in told(state)
    far = port("far", "blue", (23, 0))
    state = scene(far, others[0], {**others[1], "home": "far"}, pacific=True)
    intercept(state, "tf1", "v1", (2, 0))
    state.operation.voyages["v1"].intercepted.clear()
    assert ("TF 2 (Blue) against TF 1 (Red)", "22.14E") in told(state)


@pytest.mark.rule("22.11", "22.15", "22.282", "22.81A.2")
def test_orders_that_cannot_be_carried_out_now() -> None:
    def about(order: Order, **more: Any) -> list[tuple[str, str]]:
        fleet = force("kido", "red", "truk", "Akagi", cruisers=6, transports=1, orders=[order])
        state = sea(TRUK, NOUMEA, {**fleet, "inverted": more.pop("inverted", False)}, pacific=True, **more)
        state.operation.barred_zones, state.frames = ["solomons"], [announcing.start()]
        return [entry for entry in told(state, "red") if entry[1] != "22.11"]

    move = Order(Activity.BASE_CHANGE, "movement", (9, 0), "noumea")
    assert about(move) == [("group 1 (Red)", "22.15")], "the enemy holds it"
    assert about(move._replace(to=(6, 0), base="")) == []
    land = move._replace(activity=Activity.INVASION)
    assert about(land, zones={"noumea": "solomons"}) == [("group 1 (Red)", "22.282")]
    assert about(land._replace(to=(0, 0), base="truk")) == [("group 1 (Red)", "22.15")], "it is Red's own"
    assert about(land._replace(to=(25, 0), base="")) == [("group 1 (Red)", "21.36")]
    assert about(move._replace(to=(6, 0), base=""), inverted=True) == [("group 1 (Red)", "22.81")]
    again = Order(Activity.REDEPLOYMENT, "movement", (6, 0))
    assert about(again, inverted=True) == []


@pytest.mark.rule("22.11", "22.913")
def test_submarines_that_are_not_sent_on_patrol() -> None:
    later = Order(Activity.PATROL, "combat", (6, 0))
    boats = [flotilla("boats", "red", "truk"), flotilla("idle", "red", "truk"), flotilla("used", "red", "truk", 0)]
    out = flotilla("out", "red", "truk", at=(4, 0), patrol="offensive")
    state = sea(TRUK, NOUMEA, KIDO, *boats, out)
    state.operation.plan.orders["boats"] = (later,)
    state.frames = [announcing.start()]
    boats_ = [rule for about, rule in told(state, "red") if about.startswith("submarines")]
    assert boats_[:4] == ["22.15A", "22.913", "22.913", "22.92"]


def test_submarines() -> None:
    boats = flotilla("boats", "blue", "noumea", 1)
    state = scene(boats)
    assert told(state) == []
    state.operation.flotillas["boats"].factors, state.operation.flotillas["boats"].tried = 0, 1
    assert told(state) == [("submarines in Noumea", "22.92")]
    away = flotilla("boats", "blue", "noumea", 1, at=(8, 0), patrol="offensive")
    assert [rule for _, rule in told(scene(away))] == ["22.916B"]


def test_orders_of_another_stage_and_forces_without_any() -> None:
    later = Order(Activity.BOMBARDMENT, "combat", (6, 0))
    now = Order(Activity.PATROL, "movement", (6, 0))
    idle = force("idle", "red", "truk", "Hiei", cruisers=8)
    state = sea(TRUK, NOUMEA, {**KIDO, "orders": (now, later)}, idle)
    game = play(state, announcing)
    assert told(game.state, "red") == [("TF 1 (Red)", "22.15A"), ("TF 2 (Red)", "22.15")]


@pytest.mark.rule("22.11")
@pytest.mark.parametrize("scenario", ["coral-sea-operation", "norwegian-sortie", "malta-landing", "rendezvous"])
def test_who_is_not_named_is_offered_and_who_is_offered_is_not_named(scenario: str) -> None:
    """At each question where to intercept: what is said fits what is asked."""
    met = 0
    for seed in range(6):
        game = flagplot.load(scenario, seed=seed)
        players = {side: RandomPlayer(seed + place) for place, side in enumerate(game.sides)}
        while game.pending is not None:
            request = game.pending
            if isinstance(request, Choose) and request.verb[0] == "intercept":
                side, key = request.side, request.verb[1]
                named = {reason.about.split(" against ")[0] for reason in reasons(game.state, side)}
                target = game.state.operation.voyages[key]
                able = [one.marker for one in able_forces(game.state, side, target).values()]
                assert not set(able) <= named
                silent = [f.marker for f in game.state.operation.fleet_of(side).values() if f.marker not in named]
                assert set(silent) <= set(able)
                assert able_flotillas(game.state, side, target) is not None
                met += 1
            game.play(players, until=game.turn + 1)
    assert met > 5


@pytest.mark.rule("22.11", "22.14", "22.15")
@pytest.mark.parametrize(
    "name", ["coral-sea-operation", "malta-landing", "generated:operation:6", "generated:air-turn:8"]
)
def test_whatever_is_offered_has_no_refusal_and_whatever_is_not_has_one(name: str) -> None:
    """What a force may announce, and whether it may go against a target."""
    met = {"order": 0, "go": 0}
    for seed in range(8):
        game = flagplot.load(name, seed=seed)
        players = {side: RandomPlayer(seed + place) for place, side in enumerate(game.sides)}
        while game.pending is not None:
            request = game.pending
            if (
                isinstance(request, Choose)
                and request.verb[0] in met
                and request.verb[-1] in game.state.operation.fleet
            ):
                state, key, offered = game.state, request.verb[-1], {*map(str, request.values)} - {"stay"}
                named = {reason.about: reason.rule for reason in reasons(state, request.side)}
                marker = state.operation.fleet[key].marker
                if request.verb[0] == "order":
                    allowed = [
                        not_ordered(state, state.operation.fleet[key], order)
                        for order in state.operation.plan.orders.get(key, ())
                    ]
                    assert {n for n in offered if n.isdigit()} == {str(n) for n, why in enumerate(allowed) if not why}
                    assert not offered or no_orders(state, key, state.operation.fleet[key]) is None
                    assert offered or marker in named, "it is said why it has nothing to do"
                else:
                    target = force_name(state, state.operation.voyages[request.verb[1]])
                    assert not {marker, target, f"{marker} against {target}"} & {*named}
                met[request.verb[0]] += 1
            game.play(players, until=game.turn + 1)
    assert met["order"] > 5
    assert met["go"] or name == "generated:air-turn:8"


@pytest.mark.rule("22.13C.1", "22.15")
def test_who_has_no_order_but_may_sail_with_others_is_not_refused() -> None:
    idle = force("idle", "red", "truk", "Hiei", cruisers=8)
    state = sea(TRUK, NOUMEA, KIDO, idle)
    sail(state, "patrol", "kido", (6, 0))
    state.operation.voyages["v1"].step = -1
    state.frames = [announcing.start()]
    assert ("TF 2 (Red)", "22.15") not in told(state, "red")


def test_why_tells_nothing_of_the_enemys_secrets() -> None:
    """The answers are the same whatever the enemy's task forces hold."""
    game = flagplot.load("coral-sea-operation", seed=5)
    players = {side: RandomPlayer(place) for place, side in enumerate(game.sides)}
    asked = 0
    while game.pending is not None:
        state = game.state
        if isinstance(game.pending, Choose):
            side = game.pending.side
            assert reasons(with_other_ships(state, side), side) == reasons(state, side)
            asked += 1
        game.play(players, until=game.turn + 1)
    assert asked > 20


def with_other_ships(state: State, side: str) -> State:
    """The same position, but with more light ships in each task force of the enemy that nobody has seen."""
    other = copy_of(state)
    for enemy in other.operation.fleet.values():
        if enemy.side != side and enemy.group.task_force and not enemy.seen:
            enemy.group.ships = {which: number + which.light for which, number in enemy.group.ships.items()}
    return other
