"""Interceptions, counter-interceptions and their counters: who may, how they are declared, in which order (22.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from flagplot.awaw.counting import add, take
from flagplot.awaw.operations.interception.interceptions import targets
from flagplot.awaw.operations.interception.interceptors import able_flotillas, able_forces, is_free, way_to
from flagplot.awaw.operations.interception.regrouping import by_speed, divide, halves, join, possible_steps
from flagplot.awaw.procedures import interceptions
from flagplot.awaw.ships import factors, is_slow
from flagplot.awaw.state.operation import Progress
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import task_force_faults
from flagplot.kernel.dice import Scripted, Seeded
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Roll
from flagplot.players.random import RandomPlayer
from tests.awaw import seas
from tests.awaw.battles import fleet_of
from tests.awaw.harbours import text
from tests.awaw.scenes import base
from tests.awaw.seas import flotilla, force, ocean, offered, play, port, sail, sea, steer
from tests.awaw.voyages import cruise, reaching

Op = Game[State]
TRUK, NOUMEA = port("truk", "red", (0, 0)), port("noumea", "blue", (9, 0))
KIDO = force("kido", "red", "truk", "Akagi", cruisers=8)
TF = force("tf", "blue", "noumea", "Enterprise", cruisers=8)


def scene(*more: dict[str, Any], activity: str = "fast-carrier-mission", **plan: Any) -> State:
    """Kido sails from Truk in (0, 0) to (6, 0) as v1; Blue's tf is in Noumea in (9, 0)."""
    sailing = plan.pop("sailing", {})
    state = sea(TRUK, NOUMEA, KIDO, TF, *more, **plan)
    sail(state, activity, "kido", (6, 0), **sailing)
    return state


def begin(state: State, *dice: tuple[Any, ...], scope: str = "out") -> Op:
    return play(state, interceptions.start(scope), dice=Scripted(*dice) if dice else Seeded(1))


def contest(state: State, *orders: str, dice: tuple[tuple[Any, ...], ...] = (), scope: str = "out") -> Op:
    """All three levels with these orders and dice; all must be used."""
    if not dice:
        return steer(begin(state, scope=scope), *orders)
    with Scripted(*dice) as scripted:
        return steer(play(state, interceptions.start(scope), dice=scripted), *orders)


def until(game: Op, verb: str) -> Op:
    """Give the least answers until a question of this verb is put."""
    while game.pending is not None and not offered(game)[0].startswith(verb):
        assert isinstance(game.pending, Choose), game.pending
        game.choose(offered(game)[0])
    assert game.pending is not None, f"{verb} was never asked"
    return game


def verbs(game: Op, pick: Callable[[list[str]], str] | None = None) -> list[str]:
    """The verbs of all that is asked and rolled to the end; the last option is chosen unless `pick` says otherwise."""
    found = []
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            found.append("roll")
            game.roll()
            continue
        texts = offered(game)
        found.append(":".join(texts[0].split(":")[:-1]))
        game.choose(pick(texts) if pick else texts[-1])
    return found


def attempts(game: Op, level: int = 1) -> dict[str, str]:
    """The forces of the attempts of a level and the hexes in which they intercept."""
    return {
        "+".join(voyage.forces) or voyage.flotilla: f"{voyage.meet[0]},{voyage.meet[1]}"
        for voyage in game.state.operation.voyages.values()
        if voyage.level == level and voyage.progress is not Progress.OVER
    }


# --- who may intercept ----------------------------------------------------------------------------------------


def able(state: State, key: str = "v1") -> list[str]:
    voyage = state.operation.voyages[key]
    side = state.other(voyage.side)
    return [*able_forces(state, side, voyage), *able_flotillas(state, side, voyage)]


@pytest.mark.rule("22.11")
def test_uninverted_uncommitted_forces_in_port_may_intercept() -> None:
    state = scene(
        force("spent", "blue", "noumea", "Hornet", cruisers=8, inverted=True),
        force("busy", "blue", "noumea", "Wasp", cruisers=8),
    )
    sail(state, "base-change", "busy", (9, 3))
    assert able(state) == ["tf"]


@pytest.mark.rule("22.11")
def test_transports_alone_do_not_intercept() -> None:
    """22.11: who has no naval factors intercepts nobody; one factor is enough."""
    convoy = force("convoy", "blue", "noumea", transports=4, task_force=False)
    state = sea(*seas.PORTS, seas.KIDO, seas.TF, convoy, force("picket", "blue", "noumea", destroyers=1))
    key = sail(state, "sea-supply", "kido", (5, 0))
    assert [*able_forces(state, "blue", state.operation.voyages[key])] == ["tf", "picket"]


@pytest.mark.rule("22.11D", "22.916B")
def test_offensive_patrols_do_not_intercept() -> None:
    state = scene(
        force("off", "blue", "noumea", "Hornet", cruisers=8, at=(8, 0), patrol="offensive"),
        flotilla("subs", "blue", "noumea", 1, at=(8, 0), patrol="offensive"),
        activity="sea-supply",
    )
    assert able(state) == ["tf"]


@pytest.mark.rule("22.14A", "22.116", "22.27", "SOP-NI-K.2")
def test_who_has_tried_in_this_stage_does_not_try_again() -> None:
    state = scene()
    state.operation.fleet["tf"].tried = "movement"
    assert able(state) == []
    state.operation.stage = 1
    assert able(state) == ["tf"]


@pytest.mark.rule("22.11B", "22.11B.1", "22.911")
def test_nobody_intercepts_from_a_box() -> None:
    state = scene(
        port("us", "blue", (8, 0), box=True),
        force("home", "blue", "us", "Hornet", cruisers=8),
        flotilla("subs", "blue", "us", 1),
    )
    assert able(state) == ["tf"]


@pytest.mark.rule("22.11B", "22.11B.2")
def test_nobody_intercepts_from_a_port_without_supply_but_submarines_from_a_fortified_one() -> None:
    def found(**more: Any) -> list[str]:
        return able(
            scene(
                port("malta", "blue", (8, 0), **more),
                force("m", "blue", "malta", "Hornet", cruisers=8),
                flotilla("subs", "blue", "malta", 1),
            )
        )

    assert found() == ["tf", "m", "subs"]
    assert found(supply="none") == ["tf"]
    assert found(supply="none", fortified=True) == ["tf", "subs"]


@pytest.mark.rule("22.14F")
def test_a_defensive_patrol_intercepts_from_its_hex() -> None:
    state = scene(
        force("guard", "blue", "noumea", cruisers=10, at=(8, 2), patrol="defensive"),
        flotilla("subs", "blue", "noumea", 1, at=(8, 2), patrol="defensive"),
        activity="sea-supply",
    )
    game = contest(state, "intercept:v1:1:6,0", "go:v1:1:guard:direct")
    assert state.operation.plan.board.sea_distance((8, 2), (6, 0)) == 4
    (voyage,) = [one for one in game.state.operation.voyages.values() if one.level == 1]
    assert (voyage.path[0], len(voyage.path) - 1, voyage.step) == ((8, 2), 4, 0)


@pytest.mark.rule("SOP-PA-E.8", "SOP-PA-E.9", "22.14F", "23.462C")
@pytest.mark.parametrize(
    ("stage", "activity", "may"),
    [
        ("movement", "sea-supply", True),
        ("movement", "sea-transport", True),
        ("movement", "displacement", True),
        ("movement", "escape", False),
        ("movement", "base-change", False),
        ("movement", "patrol", False),
        ("combat", "seaborne-invasion", True),
        ("combat", "shore-bombardment", True),
        ("combat", "fast-carrier-mission", True),
        ("combat", "displacement", True),
        ("combat", "base-change", False),
        ("redeployment", "sea-escort", False),
    ],
)
def test_what_a_defensive_patrol_intercepts(stage: str, activity: str, may: bool) -> None:
    state = scene(
        force("guard", "blue", "noumea", cruisers=10, at=(8, 2), patrol="defensive"), activity=activity, stage=stage
    )
    assert ("guard" in able(state)) is may


@pytest.mark.rule("SOP-PA-E.9")
def test_it_intercepts_a_patrol_that_wants_to_stay() -> None:
    state = scene(force("guard", "blue", "noumea", cruisers=10, at=(8, 2), patrol="defensive"), activity="patrol")
    state.operation.voyages["v1"].staying = True
    assert "guard" in able(state)


@pytest.mark.rule("SOP-PA-E.8")
def test_it_may_counter_intercept() -> None:
    state = scene(force("guard", "red", "truk", cruisers=10, at=(1, 2), patrol="defensive"))
    game = begin(state)
    steer_to(game, "intercept:v1:1:5,0", "go:v1:1:tf:direct", roll=(3, 3, 3))
    assert "guard" in able(game.state, "v2")


def steer_to(game: Op, *orders: str, roll: tuple[int, ...]) -> Op:
    """Give orders as they are asked for, then the dice of the first roll."""
    waiting = list(orders)
    while isinstance(game.pending, Choose):
        texts = offered(game)
        game.choose(next((order for order in waiting if order in texts), texts[0]))
    game.roll(roll)
    return game


@pytest.mark.rule("22.112")
def test_only_nations_at_war_intercept_each_other() -> None:
    more = force("soviets", "blue", "noumea", nation="russia", cruisers=10)
    assert able(scene(more)) == ["tf", "soviets"]
    assert able(scene(more, at_peace=(("russia", "japan"),))) == ["tf"]
    assert able(scene(more, at_peace=(("japan", "united-states"),))) == ["soviets"]
    assert able(scene(more, at_peace=(("russia", "germany"),))) == ["tf", "soviets"]
    assert able(scene(more, at_peace=(("russia", "germany"), ("russia", "japan")))) == ["tf"]


@pytest.mark.rule("22.113")
def test_where_the_western_allies_intercept_the_russians_do_not() -> None:
    state = scene(force("soviets", "blue", "noumea", nation="russia", cruisers=10))
    game = until(begin(state), "intercept:")
    game.choose("intercept:v1:1:5,0")
    assert offered(game)[0].startswith("go:v1:1:tf:")
    game.choose("go:v1:1:tf:direct")
    assert isinstance(game.pending, Roll)
    game = until(begin(state), "intercept:")
    game.choose("intercept:v1:1:5,0")
    game.choose("go:v1:1:tf:stay")
    game.choose("go:v1:1:soviets:direct")
    assert attempts(game) == {"soviets": "5,0"}


@pytest.mark.rule("22.22", "T22.21-16", "22.911")
@pytest.mark.parametrize(("pacific", "most"), [(False, 40), (True, 20)])
def test_the_range_is_40_hexes_and_20_in_the_pacific(pacific: bool, most: int) -> None:
    board = ocean(101, pacific=pacific)
    far = {"home": port("far", "blue", (most + 2, 0)), "force": force("tf", "blue", "far", "Enterprise", cruisers=8)}
    state = sea(TRUK, far["home"], KIDO, far["force"], board=board)
    sail(state, "base-change", "kido", (4, 0))
    game = until(begin(state), "intercept:")
    assert offered(game) == ["intercept:v1:1:none", "intercept:v1:1:2,0", "intercept:v1:1:3,0", "intercept:v1:1:4,0"]
    boats = sea(TRUK, far["home"], KIDO, flotilla("subs", "blue", "far"), board=board)
    sail(boats, "fast-carrier-mission", "kido", (4, 0))
    texts = offered(until(begin(boats), "submarine:"))
    assert texts == [f"submarine:v1:1:subs:{where}" for where in ("none", "2,0", "3,0", "4,0")]


@pytest.mark.rule("22.22", "22.23", "T22.21-16")
def test_a_path_by_way_of_a_port_may_not_be_longer_than_the_range() -> None:
    state = sea(TRUK, KIDO, board=ocean(101))
    assert way_to(state, (40, 0), (0, 0)) is not None
    assert way_to(state, (41, 0), (0, 0)) is None
    assert way_to(state, (40, 0), (0, 0), via=((20, 2),)) is None
    assert way_to(state, (36, 0), (0, 0), via=((20, 2),)) is not None


# --- paths and hexes ------------------------------------------------------------------------------------------


@pytest.mark.rule("22.12", "SOP-NI-B")
def test_only_who_knows_the_path_can_choose_a_hex_of_it() -> None:
    state = scene(sailing={"shown": False})
    game = begin(state)
    assert offered(game) == ["route:none", "route:v1"]
    blind = begin(state)
    blind.choose("route:none")
    assert blind.pending is None
    game.choose("route:v1")
    assert game.state.operation.voyages["v1"].shown
    assert "0,0 1,0 2,0 3,0 4,0 5,0 6,0" in str(game.log("blue")[-1])
    assert offered(until(game, "intercept:"))[1:] == [f"intercept:v1:1:{q},0" for q in range(7)]


@pytest.mark.rule("22.12")
def test_who_cannot_intercept_does_not_ask_for_paths() -> None:
    state = scene(sailing={"shown": False})
    state.operation.fleet["tf"].inverted = True
    assert begin(state).pending is None


@pytest.mark.rule("22.11A", "22.12")
@pytest.mark.parametrize(("activity", "asked"), [("base-change", True), ("asw-deployment", False)])
def test_nobody_asks_for_the_path_of_a_force_that_is_safe(activity: str, asked: bool) -> None:
    """22.12: the path is told to those who may intercept; of an immune force nobody asks for it (22.11A)."""
    state = sea(*seas.PORTS, seas.KIDO, seas.TF)
    sail(state, activity, "kido", (5, 0), shown=False)
    assert ("route" in cruise(state, interceptions.start("out")).asked) == asked


@pytest.mark.rule("22.12")
def test_all_paths_can_be_asked_for_at_once() -> None:
    state = scene(force("two", "red", "truk", "Kaga", cruisers=8), sailing={"shown": False})
    sail(state, "base-change", "two", (0, 5), shown=False)
    game = begin(state)
    assert offered(game) == ["route:none", "route:all", "route:v1", "route:v2"]
    game.choose("route:all")
    assert all(voyage.shown for voyage in game.state.operation.voyages.values())


@pytest.mark.rule("22.13", "22.14E", "SOP-NI-C")
def test_all_who_intercept_a_target_do_so_in_one_hex() -> None:
    state = scene(port("fiji", "blue", (9, 2)), force("f", "blue", "fiji", "Hornet", cruisers=8))
    game = begin(state)
    asked = verbs(game, lambda texts: next((t for t in texts if t.endswith(":5,0") or "direct" in t), texts[0]))
    assert asked.count("intercept:v1:1") == 1
    assert len({voyage.meet for voyage in game.state.operation.voyages.values() if voyage.level == 1}) == 1
    assert game.state.operation.voyages["v1"].intercepted == [0]


@pytest.mark.rule("22.14E", "22.13A")
def test_each_side_of_a_strait_has_a_hex_of_its_own() -> None:
    board = ocean(straits=[("Sund", (2, 0), (3, 0))])
    state = scene(force("b", "blue", "noumea", "Hornet", cruisers=8), board=board)
    with Scripted(("TF 1", 6, 6, 6), ("TF 2", 6, 6, 6)) as dice:
        game = steer(
            play(state, interceptions.start("out"), dice=dice),
            "intercept:v1:1:1,0",
            "go:v1:1:tf:direct",
            "intercept:v1:2:5,0",
            "go:v1:2:b:direct",
        )
    assert attempts(game) == {"tf": "1,0", "b": "5,0"}
    assert [voyage.leg for voyage in game.state.operation.voyages.values() if voyage.level == 1] == [0, 1]


@pytest.mark.rule("22.23")
def test_the_announced_path_counts_be_it_longer() -> None:
    state = scene(port("fiji", "blue", (9, -2)))
    game = contest(state, "intercept:v1:1:6,0", "go:v1:1:tf:via:fiji", dice=(("TF 1", 1, 1, 2),))
    assert (9, -2) in game.state.operation.voyages["v2"].path
    assert len(game.state.operation.voyages["v2"].path) - 1 > 4
    assert attempts(game) == {}
    straight = contest(state, "intercept:v1:1:6,0", "go:v1:1:tf:direct", dice=(("TF 1", 1, 1, 2),))
    assert attempts(straight) == {"tf": "6,0"}


@pytest.mark.rule("22.23")
@pytest.mark.parametrize(
    ("places", "ways"),
    [
        ([port("near", "blue", (8, 2)), port("far", "blue", (9, 2))], ["near"]),
        ([port("line", "blue", (7, 0)), port("box", "blue", (8, 2), box=True), base("isle", "blue", (8, 2))], []),
        ([port("back", "blue", (10, 0))], []),
        ([port(f"p{n}", "blue", at) for n, at in enumerate(((8, 2), (8, 1), (7, 1), (8, -1)))], ["p0", "p1", "p2"]),
    ],
)
def test_paths_lead_by_way_of_ports_that_are_no_great_detour(places: list[dict[str, Any]], ways: list[str]) -> None:
    """Three hexes longer than the shortest at most, and three such paths at most; not by way of boxes, bases without a
    port, or ports on the shortest path, and through no hex twice."""
    game = until(begin(scene(*places)), "intercept:")
    game.choose("intercept:v1:1:6,0")
    assert offered(game) == ["go:v1:1:tf:stay", "go:v1:1:tf:direct", *[f"go:v1:1:tf:via:{name}" for name in ways]]


# --- declaring ------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.14D")
def test_everybody_may_be_held_back() -> None:
    game = contest(scene(), "intercept:v1:1:5,0", "go:v1:1:tf:stay")
    assert attempts(game) == {}
    assert is_free(game.state, game.state.operation.fleet["tf"])
    assert game.state.operation.voyages["v1"].intercepted == []


@pytest.mark.rule("22.14B.1", "SOP-NI-D", "22.21")
def test_each_task_force_rolls_for_itself() -> None:
    state = scene(force("b", "blue", "noumea", "Hornet", cruisers=8))
    dice = (("TF 1 (Blue)", 6, 6), ("TF 2 (Blue)", 1, 1))
    game = contest(state, "intercept:v1:1:5,0", "go:v1:1:tf:direct", "go:v1:1:b:direct", dice=dice)
    found = {
        voyage.forces[0]: (voyage.reached, voyage.arrives)
        for voyage in game.state.operation.voyages.values()
        if voyage.level
    }
    assert found == {"tf": (12, 1), "b": (2, 2)}


@pytest.mark.rule("22.14A")
def test_forces_of_a_port_may_have_different_targets_but_each_only_one() -> None:
    state = scene(force("b", "blue", "noumea", "Hornet", cruisers=8), force("two", "red", "truk", "Kaga", cruisers=8))
    sail(state, "base-change", "two", (0, 5))
    asked = []
    game = begin(state)
    while isinstance(game.pending, Choose):
        texts = offered(game)
        asked.append(texts[0])
        wanted = ("intercept:v1:1:5,0", "go:v1:1:tf:direct", "intercept:v2:1:0,3", "go:v2:1:b:direct")
        game.choose(next((text for text in texts if text in wanted), texts[0]))
    assert attempts(game) == {"tf": "5,0", "b": "0,3"}
    assert "go:v2:1:tf:stay" not in asked


@pytest.mark.rule("22.14C")
def test_up_to_nine_factors_of_a_port_that_are_no_task_force_go_together() -> None:
    state = scene(
        force("x", "blue", "noumea", cruisers=4),
        force("y", "blue", "noumea", destroyers=4),
        force("z", "blue", "noumea", destroyers=2),
    )
    game = begin(state)
    asked = verbs(game, lambda texts: next((t for t in texts if t.endswith(":5,0") or "direct" in t), texts[0]))
    assert "go:v1:1:z" not in asked
    assert [voyage.forces for voyage in game.state.operation.voyages.values() if voyage.level == 1] == [
        ["tf"],
        ["x", "y"],
    ]
    assert asked.count("roll") == 2
    assert [game.state.operation.fleet[name].voyage for name in ("tf", "x", "y", "z")] == ["v2", "v3", "v3", ""]


@pytest.mark.rule("22.14C")
@pytest.mark.parametrize(("more", "goes"), [(1, True), (2, False)])
def test_nine_factors_go_together_and_ten_do_not(more: int, goes: bool) -> None:
    state = scene(force("x", "blue", "noumea", cruisers=8), force("y", "blue", "noumea", destroyers=more))
    game = begin(state)
    asked = verbs(game, lambda texts: next((t for t in texts if t.endswith(":5,0") or "direct" in t), texts[0]))
    assert ("go:v1:1:y" in asked) is goes


@pytest.mark.rule("22.14C", "22.24C")
def test_a_slow_force_does_not_go_with_others_if_they_would_have_no_dice() -> None:
    """One die against a change of base, and one fewer for slow ships."""
    state = scene(
        force("x", "blue", "noumea", "Hornet", task_force=False),
        force("y", "blue", "noumea", "Arizona", task_force=False),
        activity="base-change",
    )
    game = until(begin(state), "intercept:")
    for order in ("intercept:v1:1:5,0", "go:v1:1:tf:stay", "go:v1:1:x:direct"):
        game.choose(order)
    assert isinstance(game.pending, Roll)


@pytest.mark.rule("22.24C", "22.22K")
@pytest.mark.parametrize("first", ["direct", "stay"])
def test_nobody_goes_beside_another_if_one_of_them_has_no_dice_then(first: str) -> None:
    """A search squadron gives a second die against a change of base: one for two attempts, and none for slow ships."""
    old = force("old", "blue", "noumea", "Arizona", cruisers=8)
    state = scene(port("isle", "blue", (6, 3), "1 united-states army"), old, activity="base-change")
    game = until(begin(state), "intercept:")
    for order in ("intercept:v1:1:5,0", f"go:v1:1:tf:{first}"):
        game.choose(order)
    assert (offered(game)[0] == "go:v1:1:old:stay") is (first == "stay")


@pytest.mark.rule("22.14C")
def test_those_of_two_ports_are_two_attempts() -> None:
    state = scene(
        port("fiji", "blue", (9, 2)), force("x", "blue", "noumea", cruisers=4), force("y", "blue", "fiji", destroyers=4)
    )
    asked = until(begin(state), "intercept:")
    asked.choose("intercept:v1:1:5,0")
    for answer in ("go:v1:1:tf:stay", "go:v1:1:x:direct", "go:v1:1:y:direct"):
        asked.choose(answer)
    assert attempts(asked) == {"x": "5,0", "y": "5,0"}


@pytest.mark.rule("22.24C", "22.22K")
def test_no_attempt_is_offered_that_would_leave_one_without_dice() -> None:
    state = scene(
        force("b", "blue", "noumea", "Hornet", cruisers=8),
        force("c", "blue", "noumea", "Wasp", cruisers=8),
        force("d", "blue", "noumea", "Essex", cruisers=8),
    )
    game = begin(state)
    asked = verbs(game, lambda texts: next((t for t in texts if t.endswith(":5,0") or "direct" in t), texts[0]))
    assert {"go:v1:1:tf", "go:v1:1:b", "go:v1:1:c"} <= set(asked)
    assert "go:v1:1:d" not in asked
    dice = [voyage.reached for voyage in game.state.operation.voyages.values() if voyage.level == 1]
    assert len(dice) == 3
    assert max(dice) <= 6


@pytest.mark.rule("22.24C", "22.22J")
def test_a_slow_force_may_have_no_dice_where_a_fast_one_has() -> None:
    slow = force("old", "blue", "noumea", "Arizona", cruisers=8)
    state = scene(slow, activity="base-change")
    game = until(begin(state), "intercept:")
    game.choose("intercept:v1:1:5,0")
    assert offered(game)[0] == "go:v1:1:tf:stay"
    game.choose("go:v1:1:tf:direct")
    assert isinstance(game.pending, Roll)


@pytest.mark.rule("22.24C")
def test_without_dice_for_anybody_nothing_is_asked() -> None:
    state = sea(TRUK, NOUMEA, TF, force("few", "red", "truk", destroyers=5))
    sail(state, "base-change", "few", (6, 0))
    assert begin(state).pending is None


@pytest.mark.rule("22.114", "22.915", "22.13E", "SOP-NI-C.1", "22.22K.3", "22.916A", "22.911")
def test_each_submarine_factor_rolls_for_itself_in_a_hex_of_its_own_choice() -> None:
    state = scene(flotilla("subs", "blue", "noumea", 3))
    orders = ["intercept:v1:1:5,0", "go:v1:1:tf:direct"]
    orders += ["submarine:v1:1:subs:6,0", "factors:v1:1:subs:2", "submarine:v1:1:subs:3,0", "factors:v1:1:subs:1"]
    dice = (("TF 1", 6, 6, 6), ("submarine", 6, 6), ("submarine", 1, 1), ("submarine", 1, 2))
    game = contest(state, *[order for order in orders if order != "factors:v1:1:subs:1"], dice=dice)
    found = [
        (voyage.meet, voyage.arrives)
        for voyage in game.state.operation.voyages.values()
        if voyage.flotilla and voyage.level == 1
    ]
    assert found == [((6, 0), 1), ((6, 0), 0), ((3, 0), 0)]
    subs = game.state.operation.flotillas["subs"]
    assert (subs.factors, subs.away, subs.tried) == (0, 1, 2)


@pytest.mark.rule("22.915")
def test_no_more_submarines_intercept_than_there_are() -> None:
    game = until(begin(scene(flotilla("subs", "blue", "noumea", 2))), "submarine:")
    game.choose("submarine:v1:1:subs:6,0")
    assert offered(game) == ["factors:v1:1:subs:1", "factors:v1:1:subs:2"]
    game.choose("factors:v1:1:subs:2")
    assert isinstance(game.pending, Roll), "nobody is left who could be asked for"


@pytest.mark.rule("22.111")
def test_interceptions_cost_nothing() -> None:
    state = scene()
    game = contest(state, "intercept:v1:1:5,0", "go:v1:1:tf:direct")
    assert (game.state.operation.done, game.state.losses.air, game.state.operation.told) == (
        state.operation.done,
        state.losses.air,
        state.operation.told,
    )


# --- regrouping -----------------------------------------------------------------------------------------------


@pytest.mark.rule("22.14B.2")
def test_small_forces_of_a_port_may_form_a_task_force_first() -> None:
    state = scene(force("x", "blue", "noumea", cruisers=6), force("y", "blue", "noumea", cruisers=8))
    game = contest(state, "regroup:noumea:join:x:y", "intercept:v1:1:5,0", "go:v1:1:x:direct")
    assert "y" not in game.state.operation.fleet
    assert factors(game.state.operation.fleet["x"].group.ships) == 14
    assert game.state.operation.fleet["x"].group.task_force
    assert game.state.operation.fleet["x"].marker == "TF 2 (Blue)"
    assert "forces in Noumea regrouped: TF 1 (Blue) and TF 2 (Blue)" in text(game, "red")


@pytest.mark.rule("22.14B.2")
@pytest.mark.parametrize(("one", "other", "seen"), [(True, True, True), (True, False, False), (False, True, False)])
def test_a_task_force_is_known_only_if_all_its_ships_are(one: bool, other: bool, seen: bool) -> None:
    state = scene(force("x", "blue", "noumea", cruisers=10), force("y", "blue", "noumea", cruisers=10))
    state.operation.fleet["x"].seen, state.operation.fleet["y"].seen = one, other
    join(state, "x", "y")
    assert state.operation.fleet["x"].seen == seen


@pytest.mark.rule("22.14B.2")
@pytest.mark.parametrize(("cruisers", "task_force"), [(4, False), (5, True)])
def test_ten_factors_that_part_from_others_are_a_task_force(cruisers: int, task_force: bool) -> None:
    state = scene(force("big", "blue", "noumea", cruisers=24))
    (which,) = state.operation.fleet["big"].group.ships
    name = divide(state, "big", {which: cruisers})
    assert state.operation.fleet[name].group.task_force == task_force


@pytest.mark.rule("22.14B.2", "22.14B.1")
def test_a_task_force_may_be_divided_so_that_more_of_them_intercept() -> None:
    state = scene(force("big", "blue", "noumea", "Hornet", "Wasp", cruisers=16))
    steps = possible_steps(state, "blue", "noumea")
    assert ("halve", "big") in steps
    orders = ("regroup:noumea:halve:big", "intercept:v1:1:5,0", "go:v1:1:big:direct", "go:v1:1:big-2:direct")
    game = contest(state, *orders)
    parts = [game.state.operation.fleet[key].group for key in ("big", "big-2")]
    assert all(not task_force_faults(part.ships, game.state.setting.options) for part in parts)
    assert sum(factors(part.ships) for part in parts) == factors(state.operation.fleet["big"].group.ships)
    assert len([voyage for voyage in game.state.operation.voyages.values() if voyage.level == 1]) == 2


@pytest.mark.rule("22.14B.2")
def test_slow_ships_may_be_left_behind() -> None:
    state = scene(force("mixed", "blue", "noumea", "Arizona", "Hornet", cruisers=10))
    game = contest(state, "regroup:noumea:by-speed:mixed")
    fast, slow = (game.state.operation.fleet[key] for key in ("mixed", "mixed-2"))
    assert not is_slow(fast.group.ships)
    assert [which.id for which in slow.group.ships] == ["arizona"]
    assert (slow.group.task_force, slow.marker) == (False, "group 1 (Blue)")


@pytest.mark.rule("22.14B.2")
def test_nobody_is_regrouped_into_what_may_not_sail() -> None:
    state = scene(
        force("huge", "blue", "noumea", "Hornet", cruisers=16),
        force("spent", "blue", "noumea", cruisers=4, inverted=True),
    )
    steps = possible_steps(state, "blue", "noumea")
    assert ("join", "tf", "huge") not in steps
    assert not [step for step in steps if "spent" in step]
    assert ("halve", "tf") not in steps


@pytest.mark.rule("17.3121")
def test_squadrons_go_with_their_carriers() -> None:
    state = scene(force("big", "blue", "noumea", "Hornet", "Wasp", cruisers=16, air=6))
    before = sum(state.operation.fleet["big"].group.air.values())
    other = divide(state, "big", halves(state.operation.fleet["big"].group.ships)[1])
    air = [sum(state.operation.fleet[key].group.air.values()) for key in ("big", other)]
    assert sum(air) == before
    assert all(air)
    join(state, "big", other)
    assert sum(state.operation.fleet["big"].group.air.values()) == before
    assert other not in state.operation.fleet


@pytest.mark.rule("17.3124.5")
@pytest.mark.parametrize("leaves", ["hornet", "wasp"])
def test_squadrons_aboard_a_damaged_carrier_stay_with_it(leaves: str) -> None:
    """Hornet is damaged and carries three squadrons that cannot fly; Wasp has three that can."""
    state = scene(force("big", "blue", "noumea", "Hornet", "Wasp", cruisers=16, air=6))
    one = state.operation.fleet["big"]
    hornet = next(which for which in one.group.ships if which.id == "hornet")
    take(one.group.ships, hornet, 1)
    add(one.group.ships, hornet.bearing(hornet.size - 1), 1)
    which = next(iter(one.group.air))
    take(one.group.air, which, 3)
    add(one.grounded, which, 3)
    other = state.operation.fleet[divide(state, "big", {which: 1 for which in one.group.ships if which.id == leaves})]
    damaged, sound = (other, one) if leaves == "hornet" else (one, other)
    assert (sum(damaged.grounded.values()), sum(damaged.group.air.values())) == (3, 0)
    assert (sum(sound.grounded.values()), sum(sound.group.air.values())) == (0, 3)


def test_a_fleet_is_divided_by_speed() -> None:
    fast, slow = by_speed(fleet_of("Arizona", "Hornet", nation="united-states", cruisers=2, cves=1))
    assert sorted(which.kind for which in fast) == ["cruiser", "cv"]
    assert sorted(which.kind for which in slow) == ["battleship", "cve"]


# --- the order of 22.164 --------------------------------------------------------------------------------------


def three_deep() -> State:
    """Kido sails; Blue intercepts, Red counters, Blue counters that; each side has a force more than it may use."""
    return scene(
        force("b", "blue", "noumea", "Hornet", cruisers=8),
        force("cover", "red", "truk", "Kaga", cruisers=8),
        force("more", "red", "truk", "Hiryu", cruisers=8),
    )


@pytest.mark.rule("22.164", "22.164A", "22.164B", "22.164C", "22.17", "22.16", "22.161", "SOP-NI-F", "SOP-NI-F.1")
@pytest.mark.rule("SOP-NI-G", "SOP-NI-G.1")
def test_three_levels_are_declared_and_rolled_one_after_the_other() -> None:
    state = three_deep()
    orders = ["intercept:v1:1:5,0", "go:v1:1:tf:direct", "intercept:v2:1:5,0", "go:v2:1:cover:direct"]
    orders += ["intercept:v3:1:3,0", "go:v3:1:b:direct"]
    dice = (("TF 1 (Blue)", 6, 6, 6), ("TF 2 (Red)", 6, 6, 6), ("TF 2 (Blue)", 6))
    game = contest(state, *orders, dice=dice)
    levels = {key: (one.level, one.target, one.meet) for key, one in game.state.operation.voyages.items()}
    assert levels["v2"] == (1, "v1", (5, 0))
    assert levels["v3"] == (2, "v2", (5, 0))
    assert levels["v4"] == (3, "v3", (3, 0))
    assert game.pending is None
    assert is_free(game.state, game.state.operation.fleet["more"])
    lines = [entry.text for entry in game.log("umpire")]
    order = ["out to intercept", "TF 1 (Blue), ", "out to counter-intercept", "TF 2 (Red), ", "out to counter-counter"]
    places = [next(n for n, line in enumerate(lines) if words in line) for words in order]
    assert places == sorted(places)


@pytest.mark.rule("22.164A")
def test_all_attempts_are_declared_before_the_first_die() -> None:
    state = three_deep()
    sail(state, "base-change", "more", (0, 5))
    wanted = ("intercept:v1:1:5,0", "go:v1:1:tf:direct", "intercept:v2:1:0,3", "go:v2:1:b:direct")
    game = begin(state)
    asked = verbs(game, lambda texts: next((text for text in texts if text in wanted), texts[0]))
    rolls = [n for n, verb in enumerate(asked) if verb == "roll"]
    assert len(rolls) == 2
    assert [verb for verb in asked[: rolls[0]] if verb.startswith("go:")] == ["go:v1:1:tf", "go:v1:1:b", "go:v2:1:b"]
    assert rolls[1] == rolls[0] + 1


@pytest.mark.rule("22.23", "22.24A", "SOP-NI-E")
@pytest.mark.parametrize("face", [6, 1])
def test_everybody_is_told_who_arrives_and_who_does_not(face: int) -> None:
    game = play(scene(), interceptions.start("out"), dice=reaching(face))
    steer(game, "intercept:v1:1:5,0", "go:v1:1:tf:direct")
    assert ("TF 1 (Blue) reaches" in text(game, "red")) == (face == 6)
    assert ("not intercepted by TF 1 (Blue)" in text(game, "red")) == (face == 1)


@pytest.mark.rule("22.21", "22.114")
@pytest.mark.parametrize("cruisers", [8, 10])
def test_only_the_owner_reads_why_a_hidden_task_force_has_its_dice(cruisers: int) -> None:
    state = sea(TRUK, NOUMEA, KIDO, force("tf", "blue", "noumea", cruisers=cruisers))
    sail(state, "fast-carrier-mission", "kido", (6, 0))
    game = begin(state)
    for order in ("intercept:v1:1:5,0", "go:v1:1:tf:direct"):
        until(game, order.rsplit(":", 1)[0]).choose(order)
    assert isinstance(game.pending, Roll)
    assert bool(game.pending.secret) == (cruisers == 10)


@pytest.mark.rule("22.21", "22.114")
def test_everybody_reads_why_submarines_have_their_dice() -> None:
    game = begin(scene(flotilla("subs", "blue", "noumea")))
    while isinstance(game.pending, Choose):
        order = "submarine:v1:1:subs:6,0"
        game.choose(order if order in offered(game) else offered(game)[0])
    assert isinstance(game.pending, Roll)
    assert not game.pending.secret


@pytest.mark.rule("22.25", "22.24A", "22.14A", "22.116")
def test_interceptions_that_have_all_failed_cannot_be_countered() -> None:
    game = contest(three_deep(), "intercept:v1:1:2,0", "go:v1:1:tf:direct", dice=(("TF 1 (Blue)", 1, 1, 1),))
    assert targets(game.state, "out", 2) == []
    assert game.state.operation.fleet["tf"].in_port
    assert able(game.state) == ["b"]


@pytest.mark.rule("22.25")
def test_late_ones_can_be_countered_if_another_has_succeeded() -> None:
    state = scene(
        port("fiji", "blue", (9, -3)),
        force("b", "blue", "fiji", "Hornet", cruisers=8),
        force("cover", "red", "truk", "Kaga", cruisers=8),
    )
    orders = ["intercept:v1:1:5,0", "go:v1:1:tf:direct", "go:v1:1:b:direct"]
    game = begin(state)
    steer_to(game, *orders, roll=(6, 6))
    game.roll((1, 1))
    assert game.state.operation.voyages["v3"].arrives == 2
    assert targets(game.state, "out", 2) == ["v2", "v3"]
    assert offered(game)[0] == "intercept:v2:1:none"


@pytest.mark.rule("22.162", "22.252")
def test_of_interceptors_on_one_path_the_first_stands_for_all() -> None:
    state = three_deep()
    game = steer_to(begin(state), "intercept:v1:1:5,0", "go:v1:1:tf:direct", "go:v1:1:b:direct", roll=(6, 6))
    game.roll((1, 1))
    assert targets(game.state, "out", 2) == ["v2"]
    assert "TF 1 (Blue) and TF 2 (Blue)" in str(until(game, "intercept:").pending)


@pytest.mark.rule("22.917")
def test_submarines_that_intercept_cannot_be_countered() -> None:
    state = scene(flotilla("subs", "blue", "noumea", 1), force("cover", "red", "truk", "Kaga", cruisers=8))
    game = contest(state, "submarine:v1:1:subs:6,0", dice=(("submarine", 6, 6),))
    assert game.state.operation.voyages["v2"].arrives == 1
    assert targets(game.state, "out", 2) == []


@pytest.mark.rule("22.18A", "22.18", "22.115")
def test_returning_forces_are_intercepted_when_they_return() -> None:
    state = scene(force("two", "red", "truk", "Kaga", cruisers=8))
    home = sail(state, "return", "two", (0, 0), start=(6, 0))
    assert targets(state, "out", 1) == ["v1"]
    assert targets(state, "home", 1) == [home]
    game = until(begin(state, scope="home"), "intercept:")
    assert offered(game)[1] == f"intercept:{home}:1:5,0"


@pytest.mark.rule("22.281")
def test_a_single_force_that_turns_back_may_be_intercepted_by_those_who_have_not_tried() -> None:
    state = scene(force("two", "red", "truk", "Kaga", cruisers=8), force("b", "blue", "noumea", "Hornet", cruisers=8))
    home = sail(state, "return", "two", (0, 0), start=(6, 0))
    state.operation.fleet["tf"].tried = state.now
    assert targets(state, home, 1) == [home]
    game = until(begin(state, scope=home), "intercept:")
    game.choose(f"intercept:{home}:1:5,0")
    assert offered(game)[0] == f"go:{home}:1:b:stay"


# --- secrets --------------------------------------------------------------------------------------------------


def test_the_enemy_sees_one_decision_then_what_is_announced() -> None:
    state = scene(force("b", "blue", "noumea", "Hornet", cruisers=8), flotilla("subs", "blue", "noumea", 1))
    game = steer_to(begin(state), "intercept:v1:1:5,0", "go:v1:1:tf:direct", roll=(6, 6, 6))
    seen = [entry.text for entry in game.log("red")]
    assert seen[0] == "Blue: choosing forces to intercept"
    assert seen[1] == "Blue: TF 1 (Blue) sets out to intercept TF 1 (Red) in the hex 4 west of Noumea, 4 hexes away"
    assert any("Hold back" in str(entry) for entry in game.log("blue"))
    assert not any("Hold back" in str(entry) for entry in game.log("red"))


def test_why_a_task_force_has_its_dice_is_its_own_secret() -> None:
    state = scene(force("old", "blue", "noumea", "Arizona", cruisers=8))
    game = steer_to(begin(state), "intercept:v1:1:5,0", "go:v1:1:old:direct", roll=(6, 6))
    mine = "\n".join(map(str, game.log("blue")))
    theirs = "\n".join(map(str, game.log("red")))
    assert "22.22J" in mine
    assert "22.22J" not in theirs
    assert "22.22A" not in theirs


def test_a_side_with_no_force_that_fits_waits_like_any_other() -> None:
    state = sea(TRUK, NOUMEA, KIDO, force("old", "blue", "noumea", "Arizona", cruisers=8))
    sail(state, "base-change", "kido", (6, 0))
    game = begin(state)
    while isinstance(game.pending, Choose) and offered(game)[0].startswith("regroup"):
        game.choose(offered(game)[0])
    seen = [entry.text for entry in game.log("red")]
    assert seen == ["Blue: choosing forces to intercept", "Blue: no interception of TF 1 (Red)"]


@pytest.mark.parametrize("seed", range(12))
def test_random_players_come_to_an_end_and_every_attempt_has_dice(seed: int) -> None:
    state = scene(
        port("fiji", "blue", (9, -3), "2 united-states army"),
        force("b", "blue", "fiji", "Hornet", "Wasp", cruisers=16, air=5),
        force("x", "blue", "noumea", cruisers=4),
        force("y", "blue", "noumea", "Arizona", destroyers=4),
        flotilla("subs", "blue", "fiji", 3),
        force("cover", "red", "truk", "Kaga", cruisers=8),
        force("more", "red", "truk", "Hiryu", cruisers=8),
        sailing={"shown": False},
    )
    game = play(state, interceptions.start("out"), dice=Seeded(seed))
    player = RandomPlayer(seed)
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            assert game.pending.dice >= 1
            assert game.pending.ledger.total == game.pending.dice
            game.roll()
            continue
        assert len(game.pending) <= 40
        game.choose(player.choose(None, game.pending))  # type: ignore[arg-type]
    for key, voyage in game.state.operation.voyages.items():
        assert (voyage.arrives > 0) is (voyage.progress is not Progress.OVER) or voyage.level == 0
        for name in voyage.forces:
            assert game.state.operation.fleet[name].voyage == key
    assert all(not force.tried or force.voyage or not force.inverted for force in game.state.operation.fleet.values())
