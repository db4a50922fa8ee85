"""Interception of defensive air support (18.56): who intercepts, round by round, and what comes of it."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.air_units import Arm
from flagplot.awaw.counterair import launch
from flagplot.awaw.procedures import exploitation, ground_combat, ground_support, overruns
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Flight, FlightKind
from flagplot.awaw.turn.ground.carriers_at_sea import forces_in_reach
from flagplot.awaw.turn.ground.das_interception import come_home
from flagplot.awaw.turn.ground.strengths import air_of
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.kernel.dice import Dice, Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from tests.awaw.turn.moves import offered, play, script, steer
from tests.awaw.turn.turns import air_at, base, ground, small_force, turn

ARMY = "oslo:britain:army:factors"
KIEL = "intercept:3,0:kiel:germany:army:factors"
NAVAL = "intercept:3,0:kiel:germany:naval:squadrons"


def front(*air: str, kiel: tuple[str, ...] = ("3 germany army",), phase: str = "combat", **more: Any) -> State:
    """Germans beside Oslo, which a British unit and some air hold; German air is in Kiel."""
    units = [
        ground("anton", "red", "germany", "2,0", factors=3, kind="armor"),
        ground("mons", "blue", "britain", "oslo", factors=more.pop("mons", 1)),
    ]
    return turn(
        base("kiel", "red", (0, 0), *kiel, airbases=1),
        base("oslo", "blue", (3, 0), *air),
        units=units,
        phase=phase,
        **more,
    )


def opposed(state: State, number: int, dice: Dice | None = None, which: str = ARMY) -> Game[Any]:
    """An attack on Oslo is announced, and so many units fly to defend it."""
    announced = steer(play(state, ground_support), "attack:3,0").state
    return choose(play(announced, ground_combat, dice=dice), "defend:3,0", f"das:3,0:{which}:{number}")


def choose(game: Game[Any], *texts: str) -> Game[Any]:
    for text in texts:
        game.choose(text)
    return game


def roll(game: Game[Any], times: int = 2) -> Game[Any]:
    for _ in range(times):
        game.roll()
    return game


def support(state: State) -> dict[str, int]:
    """The defensive air support over Oslo, by arm."""
    flights = [flight for flight in state.turn.flights if flight.kind is FlightKind.DEFENSIVE_SUPPORT]
    return {which.arm.value: number for which, number in air_of(flights).items()}


# --- who may ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.561", "18.512E", "17.53D")
def test_any_uninverted_air_in_range_may_intercept_jets_too() -> None:
    state = front(
        "2 britain army",
        kiel=("2 germany army", "3 germany naval", "1 germany jet", "1 germany army inverted", "1 germany transport"),
        research={"germany": {"jets": 12}},
    )
    game = opposed(state, 2)
    asked = []
    while offered(game)[0].startswith("intercept"):
        asked.append(offered(game)[-1])
        game.choose(offered(game)[0])
    assert asked == [
        "intercept:3,0:kiel:germany:army:factors:2",
        "intercept:3,0:kiel:germany:jet:factors:1",
        "intercept:3,0:kiel:germany:naval:squadrons:3",
    ]
    assert support(game.state) == {"army": 2}


@pytest.mark.rule("18.561")
def test_nobody_is_asked_if_nobody_is_in_range() -> None:
    state = front("2 britain army", kiel=("1 germany army inverted",))
    assert offered(opposed(state, 2))[0].startswith("fight")


@pytest.mark.rule("18.561", "18.511H")
def test_support_against_overruns_may_be_intercepted() -> None:
    game = play(front("2 britain army", phase="movement"), overruns)
    choose(game, "overrun:3,0", "support:3,0:kiel:germany:army:factors:1", "defend:3,0", f"das:3,0:{ARMY}:1")
    assert offered(game) == [f"{KIEL}:0", f"{KIEL}:1", f"{KIEL}:2"]


@pytest.mark.rule("18.561")
def test_support_against_exploitation_may_be_intercepted() -> None:
    game = play(front("2 britain army", phase="exploitation"), exploitation)
    choose(game, "exploit:3,0", "support:3,0:kiel:germany:army:factors:0", "defend:3,0", f"das:3,0:{ARMY}:1")
    assert offered(game)[-1] == f"{KIEL}:3"


def at_sea(**ships: Any) -> State:
    """A Japanese force on patrol off the coast, and an airfield beside it; the Americans hold the town."""
    squadrons = 3 if "named" in ships else 0
    fleet = small_force("kido", "red", "kure", {"nation": "japan", **ships}, squadrons=squadrons, patrol="3,-8")
    return turn(
        base("kure", "red", (1, -7), "2 japan army", ports=1),
        base("oslo", "blue", (3, -6), "1 united-states army"),
        units=[
            ground("anton", "red", "japan", "2,-6", factors=3),
            ground("mons", "blue", "united-states", "oslo"),
        ],
        forces=[fleet],
        phase="combat",
        pacific=True,
    )


@pytest.mark.rule("18.562", "SOP-PA-E.1.b")
def test_squadrons_of_carriers_at_sea_intercept_together_with_land_based_air() -> None:
    announced = steer(play(at_sea(named=["akagi"], destroyers=4), ground_support), "attack:3,-6").state
    dice = Scripted(("Red", 1, 1), ("Blue", 1, 1))
    game = play(announced, ground_combat, dice=dice)
    choose(game, "launch:kido:red-at-sea:japan:naval:squadrons:0", "defend:3,-6")
    choose(game, "das:3,-6:oslo:united-states:army:factors:1", "intercept:3,-6:kure:japan:army:factors:1")
    choose(game, "launch:kido:red-at-sea:japan:naval:squadrons:3")
    assert "row 6" in str(game.pending)  # three squadrons, and a factor of three
    roll(game)
    assert game.state.operation.tasks == {"kido": "intercept-das/combat"}
    steer(game)
    assert sum(game.state.operation.fleet["kido"].group.air.values()) == 3
    assert air_at(game.state, "kure") == {"japan army": 1, "japan army inverted": 1}


@pytest.mark.rule("18.562")
def test_escort_carriers_and_carriers_out_of_range_do_not_intercept() -> None:
    carriers = at_sea(named=["akagi"], destroyers=4)
    assert forces_in_reach(carriers, Task.INTERCEPT_DAS, [(3, -6)]) == ["kido"]
    assert forces_in_reach(carriers, Task.INTERCEPT_DAS, [(3, -4)]) == []
    escorts = at_sea(destroyers=4, cves=2)
    assert forces_in_reach(escorts, Task.INTERCEPT_DAS, [(3, -6)]) == []


# --- rounds -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.5631", "18.5633")
def test_after_one_round_support_that_was_not_hit_counts_and_aborted_air_returns() -> None:
    dice = Scripted(("Red: air combat", 3, 3), ("Blue: air combat", 1, 1))  # 3 against 3: 1/2, and 1/0
    game = opposed(front("3 britain army"), 3, dice)
    roll(choose(game, f"{KIEL}:3"))
    assert offered(game) == ["mission:3,0:continue", "mission:3,0:return"]
    choose(game, "mission:3,0:continue", "round:3,0:break-off")
    assert support(game.state) == {}  # one was lost, and two forced to abort
    assert air_at(game.state, "oslo") == {"britain army inverted": 2}
    assert air_at(game.state, "kiel") == {"germany army inverted": 2}
    assert {entry.rule for entry in game.state.turn.down} == {"18.5633", "18.564"}


@pytest.mark.rule("18.5632")
def test_support_that_gives_up_is_cancelled_and_the_combat_ends() -> None:
    dice = Scripted(("Red", 1, 1), ("Blue", 1, 1))
    game = roll(choose(opposed(front("3 britain army"), 3, dice), f"{KIEL}:1"))
    game.choose("mission:3,0:return")
    assert offered(game)[0].startswith("fight")
    assert air_at(game.state, "oslo") == {"britain army inverted": 3}
    assert support(game.state) == {}


@pytest.mark.rule("18.5634", "18.5634.1")
def test_another_round_engages_all_survivors_aborted_ones_too_and_may_be_reinforced() -> None:
    dice = Scripted(
        ("Red: air combat over hex 3,0, round 1, row 2", 2, 2),  # 1/0
        ("Blue: air combat over hex 3,0, round 1, row 3", 3, 3),  # 1/2: one lost, one aborted
        ("Red: air combat over hex 3,0, round 2, row 2", 1, 1),
        ("Blue: air combat over hex 3,0, round 2, row 2", 1, 1),
    )
    game = roll(choose(opposed(front("3 britain army"), 3, dice), f"{KIEL}:2"))
    choose(game, "mission:3,0:continue", "round:3,0:press-on")
    assert offered(game) == [f"{KIEL}:0", f"{KIEL}:1"]
    roll(choose(game, f"{KIEL}:1"))
    assert offered(game) == ["mission:3,0:continue", "mission:3,0:return"]


@pytest.mark.rule("18.5634")
def test_even_if_no_interceptor_is_left_others_may_follow() -> None:
    dice = Scripted(("Red", 1, 1), ("Blue", 6, 6), ("Red", 6, 6), ("Blue", 1, 1))
    game = roll(choose(opposed(front("3 britain army"), 3, dice), f"{KIEL}:1"))
    assert not [flight for flight in game.state.turn.flights if flight.kind is FlightKind.INTERCEPTION]
    choose(game, "mission:3,0:continue", "round:3,0:press-on")
    assert offered(game) == [f"{KIEL}:1", f"{KIEL}:2"]  # at least one
    roll(choose(game, f"{KIEL}:2"))
    assert game.pending is not None


@pytest.mark.rule("18.5634")
def test_without_anybody_left_to_send_the_interception_is_over() -> None:
    dice = Scripted(("Red", 1, 1), ("Blue", 6, 6))
    game = roll(choose(opposed(front("3 britain army", kiel=("1 germany army",)), 3, dice), f"{KIEL}:1"))
    game.choose("mission:3,0:continue")
    assert offered(game)[0].startswith("fight")
    assert support(game.state) == {"army": 3}


@pytest.mark.rule("18.564")
def test_interceptors_are_inverted_whatever_came_of_it() -> None:
    dice = Scripted(("Red", 6, 6), ("Blue", 1, 1))
    game = roll(choose(opposed(front("1 britain army"), 1, dice), f"{KIEL}:3"))
    assert support(game.state) == {}
    assert air_at(game.state, "kiel") == {"germany army inverted": 3}
    assert all(entry.rule == "18.564" for entry in game.state.turn.down)


@pytest.mark.rule("17.141C", "18.5633", "23.144")
def test_with_naval_air_the_combat_is_fought_in_squadrons_and_factors_come_of_it_again() -> None:
    state = front("1 britain army", "3 britain naval", kiel=("3 germany naval",))
    announced = steer(play(state, ground_support), "attack:3,0").state
    dice = Scripted(
        ("Red: air combat over hex 3,0, round 1, row 3", 1, 1), ("Blue: air combat over hex 3,0, round 1, row 6", 1, 1)
    )
    game = play(announced, ground_combat, dice=dice)
    choose(game, "defend:3,0", f"das:3,0:{ARMY}:1", "das:3,0:oslo:britain:naval:squadrons:3")
    choose(game, "intercept:3,0:kiel:germany:naval:squadrons:3")
    roll(game)
    steer(game)
    assert all("squadrons" not in text or "naval" in text for text in map(str, game.state.sites["oslo"].air))


@pytest.mark.rule("17.141C", "23.141A.2", "18.5631")
def test_who_was_broken_down_in_one_round_fights_in_squadrons_in_the_next_and_so_does_who_meets_him() -> None:
    """The only naval squadron is shot down; the army air that comes after it would fight army air in factors."""
    over = "air combat over hex 3,0, round"
    rows = [(f"Red: {over} 1, row 1", 1, 1), (f"Blue: {over} 1, row 6", 6, 6)]
    rows += [(f"Red: {over} 2, row 3", 1, 1), (f"Blue: {over} 2, row 6", 1, 1)]
    state = front("2 britain army", kiel=("1 germany army", "1 germany naval"))
    game = opposed(state, 2, Scripted(*rows))
    assert not game.state.squadrons
    roll(choose(game, f"{KIEL}:0", f"{NAVAL}:1"))
    assert game.state.squadrons
    choose(game, "mission:3,0:continue", "round:3,0:press-on")
    assert isinstance(roll(game).pending, Choose)


@pytest.mark.rule("18.5633", "18.6141")
@pytest.mark.parametrize(("stopped", "over_oslo"), [(0, ["defensive-support", "escort"]), (1, [])])
def test_jets_return_when_there_is_nothing_to_escort_any_more(stopped: int, over_oslo: list[str]) -> None:
    state = front("1 britain army", "1 britain jet", research={"britain": {"jets": 12}})
    for which, number in list(state.sites["oslo"].air.items()):
        launch(state, {which: number})
        kind = FlightKind.ESCORT if which.arm is Arm.JET else FlightKind.DEFENSIVE_SUPPORT
        aborted = {which: stopped} if stopped and kind is FlightKind.DEFENSIVE_SUPPORT else {}
        state.turn.flights.append(Flight("blue", kind, (3, 0), {which: number}, aborted=aborted))
    after = play(state, script("home", lambda now: come_home(now, "3,0", 0))).state
    assert [flight.kind.value for flight in after.turn.flights] == over_oslo
    assert air_at(after, "oslo") == ({"britain army inverted": 1, "britain jet inverted": 1} if stopped else {})


@pytest.mark.rule("18.6141", "17.53E")
def test_jets_that_escort_take_part_in_the_air_combat() -> None:
    state = front("1 britain army", "1 britain jet", research={"britain": {"jets": 12}})
    dice = Scripted(("Red", 1, 1), ("Blue: air combat over hex 3,0, round 1, row 4", 1, 1))
    game = opposed(state, 1, dice)
    choose(game, "escort:3,0:oslo:britain:jet:factors:1", f"{KIEL}:1")
    roll(game)
    assert game.state.turn.flights


@pytest.mark.rule("18.619.1")
def test_deferred_support_is_intercepted_apart_from_what_was_there_before() -> None:
    state = front("2 britain army", mons=2)
    dice = Scripted(("Red", 1, 1), ("Blue: air combat over hex 3,0, round 1, row 1", 1, 1))
    game = opposed(state, 1, dice)
    choose(game, f"{KIEL}:0")  # 3 to 3
    state = game.state
    state.turn.units["anton"].factors = 1  # 1 to 3
    game = play(state, ground_combat, dice=dice)
    choose(game, f"{KIEL}:0", "fight:3,0", "go:3,0:all", f"das:3,0:{ARMY}:1")
    assert offered(game)[-1] == f"{KIEL}:3"
    roll(choose(game, f"{KIEL}:1"))  # the row of the defender is that of the one who came late
    assert support(game.state)["army"] >= 1
