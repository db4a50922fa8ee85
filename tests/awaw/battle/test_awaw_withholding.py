"""22.26D: a side on its way to intercept that is intercepted itself may keep ships out of the battle."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.air_units import Arm, unit
from flagplot.awaw.battle.strikes import carrier_strikers
from flagplot.awaw.battle.withholding import count_rest, keep_aboard
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from tests.awaw.battles import asked_now, asks, battle, fight, fleet_of, group, rolls_for, squadron
from tests.awaw.scenes import base, log, short, start

BLUE = "blue-at-sea:united-states:naval:squadrons"
ORDERS = ("number:kido:1", "number:task:1")
SEARCH = rolls_for(": search")
EVERYTHING = {
    "enterprise": 1,
    "hornet": 1,
    "washington": 1,
    "united-states:cruiser": 3,
    "united-states:destroyer": 2,
}


def counter_interception() -> dict[str, Any]:
    """Japanese ships counter-intercept two American carriers on their way elsewhere; a Japanese island is in range."""
    return battle(
        squadron("kido", "red", "Akagi", cruisers=6, destroyers=4, air=3),
        squadron("task", "blue", "Enterprise", "Hornet", "Washington", cruisers=6, destroyers=2, air=6),
        bases=[base("isle", "red", (0, 1), "1 japan naval")],
        withholds="blue",
    )


def task(game: Game[State]) -> dict[str, int]:
    return group(game, "blue", 1).withheld


@pytest.mark.rule("22.26D.1", "22.33")
def test_each_group_says_which_ships_it_keeps_back() -> None:
    game = fight(start(counter_interception()), *ORDERS, until=asks("withhold:1"))
    assert asked_now(game) == ["withhold:1:none", "withhold:1:all", "withhold:1:some"]
    fight(game, "withhold:1:some", "withhold:1:washington:1", "withhold:1:united-states:cruiser:2", until=SEARCH)
    assert task(game) == {"washington": 1, "united-states:cruiser": 2}
    assert "Hold Washington back? Hold back (22.26D)" in log(game, "blue")
    assert "Hold back how many of 3 American cruisers? 2 (22.26D)" in log(game, "blue")
    assert log(game, "red").count("choosing ships to hold back") == 1
    assert "Washington" not in log(game, "red")


@pytest.mark.rule("22.26D.1")
def test_all_or_none_can_be_kept_back() -> None:
    assert task(fight(start(counter_interception()), *ORDERS, "withhold:1:all", until=SEARCH)) == EVERYTHING
    assert task(fight(start(counter_interception()), *ORDERS, "withhold:1:none", until=SEARCH)) == {}


@pytest.mark.rule("22.26D.4")
def test_nothing_is_kept_back_from_the_enemy_that_was_to_be_intercepted() -> None:
    entry = counter_interception()
    del entry["withholds"]
    game = fight(start(entry), *ORDERS, until=lambda game: asks("withhold:1")(game) or SEARCH(game))
    assert SEARCH(game)


@pytest.mark.rule("22.26D.3")
@pytest.mark.parametrize(("kept", "free"), [((), 6), (("enterprise",), 3), (("enterprise", "hornet"), 0)])
def test_squadrons_of_carriers_kept_back_neither_strike_nor_attack_bases(kept: tuple[str, ...], free: int) -> None:
    orders = [f"withhold:1:{name}:1" for name in kept]
    game = fight(start(counter_interception()), *ORDERS, "withhold:1:some", *orders, until=asks("send:isle"))
    assert sum(carrier_strikers(game.state, "blue").values()) == free
    if free:
        assert asked_now(game)[-1] == f"send:isle:{BLUE}:{free}"


@pytest.mark.rule("22.26D.3")
@pytest.mark.parametrize(
    ("kept", "damaged", "barred"),
    [
        (["enterprise"], "", {"united-states naval": 3}),
        (["enterprise", "hornet"], "", {"united-states naval": 4, "united-states elite-naval": 2}),
        (["enterprise"], "hornet", {"united-states naval": 4, "united-states elite-naval": 2}),
        ([], "", {}),
    ],
)
def test_the_lower_drm_stays_back_first(kept: list[str], damaged: str, barred: dict[str, int]) -> None:
    """Four plain and two elite squadrons on two carriers; a British carrier in the group takes none of them."""
    game = fight(start(counter_interception()), *ORDERS, "withhold:1:none", until=SEARCH)
    state, mine = game.state, group(game, "blue", 1)
    (plain,) = state.at_sea("blue").air
    elite = unit(plain.nation, Arm.ELITE, plain.drm + 1, plain.reach, plain.home, plain.role, False)
    mine.air, mine.withheld = {elite: 2, plain: 4}, dict.fromkeys(kept, 1)
    hurt = [which.bearing(2) if which.id == damaged else which for which in mine.ships]
    mine.ships = fleet_of("Illustrious", nation="britain") | dict(zip(hurt, mine.ships.values(), strict=True))
    keep_aboard(state)
    assert short(state.at_sea("blue").barred) == barred


@pytest.mark.rule("22.26D.2", "22.26D.3")
def test_only_groups_of_that_side_that_are_in_the_battle_rest() -> None:
    game = fight(start(counter_interception()), *ORDERS, "withhold:1:all", until=SEARCH)
    state, mine, theirs = game.state, group(game, "blue", 1), group(game, "red", 1)
    theirs.withheld = {"akagi": 1}
    mine.number = 0
    count_rest(state)
    assert (mine.rested, theirs.rested) == ({}, {})


@pytest.mark.rule("22.26D.3")
def test_those_on_patrol_come_from_the_carriers_kept_back() -> None:
    orders = ("withhold:1:some", "withhold:1:hornet:1", f"patrol:1:{BLUE}:2")
    game = fight(start(counter_interception()), *ORDERS, *orders, until=asks("send:isle"))
    assert sum(carrier_strikers(game.state, "blue").values()) == 3


@pytest.mark.rule("22.26D.2", "22.26D.1")
def test_only_who_was_kept_back_in_every_round_and_is_sound_has_rested() -> None:
    game = fight(start(counter_interception()), *ORDERS, "withhold:1:all", until=SEARCH)
    state, mine = game.state, group(game, "blue", 1)
    hornet = next(which for which in mine.ships if which.id == "hornet")
    mine.ships[hornet.bearing(2)] = mine.ships.pop(hornet)
    count_rest(state)
    assert mine.rested == {tag: number for tag, number in EVERYTHING.items() if tag != "hornet"}
    state.battle.phase += 1
    mine.withheld = {"enterprise": 1, "hornet": 1, "united-states:cruiser": 2}
    count_rest(state)
    assert mine.rested == {"enterprise": 1, "united-states:cruiser": 2}
    assert mine.withheld == {}


@pytest.mark.rule("22.26D.1", "22.26D.2")
def test_who_fought_in_an_earlier_round_has_not_rested() -> None:
    game = fight(start(counter_interception()), *ORDERS, "withhold:1:all", until=SEARCH)
    state, mine = game.state, group(game, "blue", 1)
    mine.withheld = {"enterprise": 1, "united-states:cruiser": 1}
    count_rest(state)
    state.battle.phase += 1
    mine.withheld = dict(EVERYTHING)
    count_rest(state)
    assert mine.rested == {"enterprise": 1, "united-states:cruiser": 1}


@pytest.mark.rule("22.26D.1", "22.26D.2")
def test_a_group_that_joins_later_rests_from_then_on() -> None:
    game = fight(start(counter_interception()), *ORDERS, "withhold:1:all", until=SEARCH)
    state, mine = game.state, group(game, "blue", 1)
    assert mine.since == 1
    state.battle.phase, mine.since = 1, 2
    count_rest(state)
    assert mine.rested == EVERYTHING
