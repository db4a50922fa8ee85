"""22.41B, 22.43: attacks on enemy air bases in a naval combat round."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.battle.counterair import able, patrol_limit
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from tests.awaw.scenes import air, answer, asked, base, fleet, log, scene, short, start


def battle(*places: dict[str, Any], rounds: int = 1, **more: Any) -> dict[str, Any]:
    return scene(*places, kind="naval-battle", theatre="pacific", rounds=rounds, **more)


def two_fleets(**more: Any) -> dict[str, Any]:
    """Six Japanese squadrons off two islands, three American ones beyond them."""
    return battle(
        fleet("first", "red", (0, 0), "japan", 6),
        fleet("other", "blue", (0, 4), "united-states", 3),
        base("isle", "blue", (0, 2), "2 united-states naval"),
        base("rock", "blue", (1, 2), "1 united-states army"),
        base("home", "red", (1, 3), "2 japan naval"),
        **more,
    )


def may_act(game: Game[Any], site: str) -> dict[str, int]:
    return short(able(game.state, site).units())


def to_the_end(game: Game[Any]) -> None:
    while game.pending is not None:
        game.choose(game.pending.options[0]) if hasattr(game.pending, "options") else game.roll()


@pytest.mark.rule("23.33", "23.33.EX1")
@pytest.mark.parametrize(("squadrons", "most"), [(12, 4), (9, 3), (3, 1), (4, 2), (1, 1), (0, 0)])
def test_printed_example_of_a_third_on_patrol(squadrons: int, most: int) -> None:
    assert patrol_limit(squadrons) == most


@pytest.mark.rule("22.41B.1", "22.431A", "23.33")
def test_patrol_is_chosen_first_and_in_secret() -> None:
    game = start(two_fleets())
    assert asked(game) == ["patrol:first:0", "patrol:first:1", "patrol:first:2"]
    answer(game, "patrol:first:2")
    assert game.view("red").data["sites"]["first"]["patrol"] == 2
    assert "patrol" not in game.view("blue").data["sites"]["first"]
    assert "Red: combat air patrol is allocated in secret" in log(game, "blue")
    assert "how many squadrons" not in log(game, "blue")


@pytest.mark.rule("23.64", "23.35A", "23.33")
def test_by_the_other_reading_patrol_is_chosen_after_the_counterairs() -> None:
    """All six fly and one is lost: nobody unused is left. Of two that stayed behind both may, a third of the six."""
    with Scripted(("Red: air combat over Isle", 6, 6), ("Blue: air combat over Isle", 3, 4)) as dice:
        game = start(two_fleets(), dice, patrol_chosen="after-counterair")
        answer(game, "send:isle:first:japan:naval:squadrons:6", "send:home:other:united-states:naval:squadrons:0")
        assert asked(game) == ["patrol:other:0", "patrol:other:1"]
        assert game.state.sites["first"].patrol == 0
    with Scripted(("Red: air combat over Isle", 6, 6), ("Blue: air combat over Isle", 1, 1)) as dice:
        game = start(two_fleets(), dice, patrol_chosen="after-counterair")
        answer(game, "send:isle:first:japan:naval:squadrons:4", "send:rock:first:japan:naval:squadrons:0")
        answer(game, "send:home:other:united-states:naval:squadrons:0")
        assert asked(game) == ["patrol:first:0", "patrol:first:1", "patrol:first:2"]


@pytest.mark.rule("22.41B.2", "22.431B")
def test_only_squadrons_off_patrol_may_counterair() -> None:
    game = answer(start(two_fleets()), "patrol:first:2", "patrol:other:0")
    assert asked(game)[-1] == "send:isle:first:japan:naval:squadrons:4"
    answer(game, "send:isle:first:japan:naval:squadrons:3")
    assert asked(game)[-1] == "send:rock:first:japan:naval:squadrons:1"


@pytest.mark.rule("22.341A", "22.431B")
def test_land_based_air_is_a_target_only_within_range_of_the_carriers() -> None:
    places = two_fleets()
    places["bases"][1]["at"] = [0, 4]
    game = answer(start(places), "patrol:first:0", "patrol:other:0", "send:isle:first:japan:naval:squadrons:0")
    assert asked(game)[0].startswith("send:home:other")


@pytest.mark.rule("22.432")
def test_attacks_are_announced_together_and_resolved_in_any_order() -> None:
    with Scripted(
        ("Red: air combat over Rock", 1, 1),
        ("Blue: air combat over Rock", 1, 1),
        ("Red: air combat over Isle", 1, 1),
        ("Blue: air combat over Isle", 1, 1),
    ) as dice:
        game = start(two_fleets(), dice)
        answer(game, "patrol:first:0", "patrol:other:0")
        answer(game, "send:isle:first:japan:naval:squadrons:2", "send:rock:first:japan:naval:squadrons:2")
        assert asked(game) == ["next:isle", "next:rock"]
        answer(game, "next:rock", "first:search")
        assert asked(game)[0].startswith("send:home:other")
        answer(game, "send:home:other:united-states:naval:squadrons:0")
        assert game.pending is None


@pytest.mark.rule("22.41B.2", "19.12.1", "22.432", "23.61C")
def test_one_round_for_each_base_and_both_sides_may_attack() -> None:
    """Row 6 at 2 is 1/2 and row 2 at 2 is 0/1: nobody is asked to go on."""
    with Scripted(
        ("Red: air combat over Isle", 1, 1),
        ("Blue: air combat over Isle", 1, 1),
        ("Blue: air combat over Home", 1, 1),
        ("Red: air combat over Home", 1, 1),
    ) as dice:
        game = start(two_fleets(), dice)
        answer(game, "patrol:first:0", "patrol:other:0", "send:isle:first:japan:naval:squadrons:6")
        answer(game, "send:home:other:united-states:naval:squadrons:3")
        assert game.pending is None
        assert "Does the defender fight on?" not in log(game)


@pytest.mark.rule("22.433", "18.524B")
@pytest.mark.parametrize(("may_strike", "ready"), [(True, 5), (False, 0)])
def test_squadrons_that_counteraired_may_strike_unless_aborted(may_strike: bool, ready: int) -> None:
    """Six fly, one is aborted (row 2 at 2: 0/1); by the other reading all who flew sit the round out."""
    with Scripted(("Red: air combat over Isle", 1, 1), ("Blue: air combat over Isle", 1, 1)) as dice:
        game = start(two_fleets(rounds=2), dice, counterair_nas_may_strike=may_strike)
        answer(game, "patrol:first:0", "patrol:other:0", "send:isle:first:japan:naval:squadrons:6")
        assert game.state.sites["first"].flown == 6
        assert sum(may_act(game, "first").values()) == ready
        answer(game, "send:home:other:united-states:naval:squadrons:0")
        note = next(entry.text for entry in game.log("red") if "Red: the carriers may strike" in entry.text)
        assert (f"{ready} Japanese" in note) == bool(ready)
        assert "Red: the carriers make ready" in log(game, "blue")


@pytest.mark.rule("22.433", "18.524B")
@pytest.mark.parametrize(("may_strike", "ready"), [(True, 5), (False, 2)])
def test_squadrons_that_stayed_behind_may_strike_by_either_reading(may_strike: bool, ready: int) -> None:
    """Four of six fly and one of them is aborted: five may strike, or only the two that stayed."""
    with Scripted(("Red: air combat over Isle", 1, 1), ("Blue: air combat over Isle", 1, 1)) as dice:
        game = start(two_fleets(rounds=2), dice, counterair_nas_may_strike=may_strike)
        answer(game, "patrol:first:0", "patrol:other:0")
        answer(game, "send:isle:first:japan:naval:squadrons:4", "send:rock:first:japan:naval:squadrons:0")
        assert sum(may_act(game, "first").values()) == ready


@pytest.mark.rule("22.433")
def test_aborted_squadrons_may_strike_again_in_the_next_round() -> None:
    with Scripted(("Red: air combat over Isle", 1, 1), ("Blue: air combat over Isle", 1, 1)) as dice:
        game = start(two_fleets(rounds=2), dice)
        answer(game, "patrol:first:0", "patrol:other:0", "send:isle:first:japan:naval:squadrons:6")
        answer(game, "send:home:other:united-states:naval:squadrons:0", "patrol:first:1")
        assert sum(may_act(game, "first").values()) == 5


@pytest.mark.rule("22.41B.3", "22.434")
def test_land_air_neither_lost_nor_aborted_acts_this_round_and_the_aborted_later() -> None:
    """Two squadrons at Isle: Red's row 6 at 2 (1/2) kills one and aborts the other; in round two he acts again."""
    with Scripted(("Red: air combat over Isle", 1, 1), ("Blue: air combat over Isle", 1, 1)) as dice:
        game = start(two_fleets(rounds=2), dice)
        answer(game, "patrol:first:0", "patrol:other:0", "send:isle:first:japan:naval:squadrons:6")
        assert (may_act(game, "isle"), may_act(game, "rock")) == ({}, {"united-states army": 1})
        answer(game, "send:home:other:united-states:naval:squadrons:0", "patrol:first:0", "patrol:other:0")
        assert may_act(game, "isle") == {"united-states naval": 1}


@pytest.mark.rule("22.435", "18.526A")
def test_the_last_counterair_of_the_battle_inverts_the_land_air_that_it_aborted() -> None:
    with Scripted(("Red: air combat over Isle", 1, 1), ("Blue: air combat over Isle", 1, 1)) as dice:
        game = start(two_fleets(), dice)
        answer(game, "patrol:first:0", "patrol:other:0", "send:isle:first:japan:naval:squadrons:6")
        answer(game, "send:home:other:united-states:naval:squadrons:0")
        assert air(game, "isle") == {"united-states naval inverted": 1}
        assert air(game, "first") == {"japan naval": 6}


@pytest.mark.rule("SOP-NC-I.B", "23.131A")
def test_army_air_under_carrier_attack_breaks_down() -> None:
    with Scripted(("Red: air combat over Rock", 1, 1), ("Blue: air combat over Rock, round 1, row 3", 1, 1)) as dice:
        game = start(two_fleets(rounds=2), dice)
        answer(game, "patrol:first:0", "patrol:other:0", "send:isle:first:japan:naval:squadrons:0")
        answer(game, "send:rock:first:japan:naval:squadrons:1")
        assert "Red: air combat over Rock" in log(game)


@pytest.mark.rule("SOP-NC-I.B", "SOP-NC-DAGGER")
def test_raider_combat_has_no_attacks_on_bases() -> None:
    game = start(two_fleets(rounds=2, raiders=True))
    assert game.pending is None
    assert "Raider combat: bases are not attacked" in log(game)


def test_a_battle_lasts_the_rounds_of_the_scenario() -> None:
    game = start(two_fleets(rounds=3))
    to_the_end(game)
    assert log(game).count("of naval combat (22.41)") == 3
    assert game.result is not None
