"""22.41B, 22.43: attacks on enemy air bases in a round of a naval battle, and what they leave for the rest of it."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.air_units import Role
from flagplot.awaw.battle.air_plan import eligible, patrol_limit
from flagplot.awaw.battle.strikes import carrier_strikers
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from flagplot.players.random import RandomPlayer
from tests.awaw.battles import asked_now, asks, battle, fight, group, rolls_for, squadron
from tests.awaw.scenes import air, base, log, short, start

RED, BLUE = "red-at-sea:japan:naval:squadrons", "blue-at-sea:united-states:naval:squadrons"
SEARCH = rolls_for(": search")
"""The moment after the counterairs and before the first search die of a round."""
NOTHING_FOUND = (("Red: search", 6), ("Blue: search", 6))
KILL_AND_ABORT = (("Red: air combat over Isle", 1, 1), ("Blue: air combat over Isle", 1, 1))
"""Six squadrons against the two at Isle: 1/2 on row 6 kills one and aborts the other, 0/1 on row 2 aborts one."""
ALL_ROLES = frozenset(Role)


def two_fleets(**more: Any) -> dict[str, Any]:
    """Six Japanese squadrons against three American ones, with two islands of Blue and one of Red in range."""
    return battle(
        squadron("first", "red", "Akagi", "Kaga", cruisers=6, destroyers=2, air=6),
        squadron("other", "blue", "Enterprise", cruisers=8, air=3),
        bases=[
            base("isle", "blue", (0, 2), "2 united-states naval"),
            base("rock", "blue", (1, 2), "1 united-states army"),
            base("home", "red", (0, -2), "2 japan naval"),
        ],
        **more,
    )


def may_strike(game: Game[State], side: str = "red") -> int:
    return sum(carrier_strikers(game.state, side).values())


def may_act(game: Game[State], side: str = "blue") -> dict[str, int]:
    """The land-based air that may still act in this round, base by base."""
    found: dict[str, int] = {}
    for which, number in eligible(game.state, side, ALL_ROLES).items():
        found[which.home] = found.get(which.home, 0) + number
    return found


# --- combat air patrol ------------------------------------------------------------------------------------------


@pytest.mark.rule("23.33", "23.33.EX1")
@pytest.mark.parametrize(("squadrons", "most"), [(12, 4), (9, 3), (3, 1), (4, 2), (1, 1), (0, 0)])
def test_printed_example_of_a_third_on_patrol(squadrons: int, most: int) -> None:
    assert patrol_limit(squadrons) == most


@pytest.mark.rule("22.41B.1", "22.431", "22.431A", "23.33")
def test_patrol_is_chosen_before_the_counterairs_and_in_secret() -> None:
    game = fight(start(two_fleets()), until=asks("patrol:1"))
    assert asked_now(game) == [f"patrol:1:{RED}:{number}" for number in range(3)]
    fight(game, f"patrol:1:{RED}:2", until=asks("send"))
    ours, theirs = (game.view(side).data["groups"][0] for side in ("red", "blue"))
    assert [entry["count"] for entry in ours["patrol"]] == [2]
    assert "patrol" not in theirs
    assert "Red: assigning combat air patrol" in log(game, "blue")
    assert "how many of 6 Japanese naval air squadrons? 2" in log(game, "red")
    assert "how many of 6 Japanese naval air squadrons?" not in log(game, "blue")


@pytest.mark.rule("23.64", "23.35A", "23.33")
def test_by_the_other_reading_patrol_is_chosen_after_the_counterairs() -> None:
    """All six fly and one is lost: nobody unused is left. Of two that stayed behind both may, a third of the six."""
    with Scripted(("Red: air combat over Isle", 6, 6), ("Blue: air combat over Isle", 3, 4)) as dice:
        game = start(two_fleets(), dice, patrol_chosen="after-counterair")
        fight(game, "number:first:1", "number:other:1", f"send:isle:{RED}:6", until=asks("patrol:1"))
        assert asked_now(game) == [f"patrol:1:{BLUE}:0", f"patrol:1:{BLUE}:1"]
        assert group(game, "red", 1).patrol == {}
    with Scripted(("Red: air combat over Isle", 6, 6), ("Blue: air combat over Isle", 1, 1)) as dice:
        game = start(two_fleets(), dice, patrol_chosen="after-counterair")
        fight(game, f"send:isle:{RED}:4", until=asks("patrol:1"))
        assert asked_now(game) == [f"patrol:1:{RED}:0", f"patrol:1:{RED}:1", f"patrol:1:{RED}:2"]
        fight(game, f"patrol:1:{RED}:2", until=SEARCH)
        assert short(group(game, "red", 1).patrol) == {"japan naval": 2}
        assert may_strike(game) == 3


# --- sorties ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.41B.2", "22.431B")
def test_only_squadrons_off_patrol_may_counterair() -> None:
    game = fight(start(two_fleets()), f"patrol:1:{RED}:2", until=asks("send:isle"))
    assert asked_now(game)[-1] == f"send:isle:{RED}:4"
    game.choose(f"send:isle:{RED}:3")
    assert asked_now(game)[-1] == f"send:rock:{RED}:1"


@pytest.mark.rule("22.341A", "22.431B")
def test_land_based_air_is_a_target_only_within_range_of_the_carriers() -> None:
    places = two_fleets()
    places["bases"][1]["at"] = [0, 4]
    game = fight(start(places), until=asks("send:isle"))
    game.choose(f"send:isle:{RED}:0")
    assert asked_now(game)[0].startswith(f"send:home:{BLUE}")


@pytest.mark.rule("22.432")
def test_attacks_are_announced_together_and_resolved_in_any_order() -> None:
    with Scripted(
        ("Red: air combat over Rock", 1, 1),
        ("Blue: air combat over Rock", 1, 1),
        ("Red: air combat over Isle", 1, 1),
        ("Blue: air combat over Isle", 1, 1),
    ) as dice:
        game = fight(start(two_fleets(), dice), f"send:isle:{RED}:2", f"send:rock:{RED}:2", until=asks("next"))
        assert asked_now(game) == ["next:isle", "next:rock"]
        two = "2 Japanese naval air squadrons"
        assert f"Red: attacks on bases: Isle {two}; Rock {two}" in log(game, "blue")
        fight(game, "next:rock", until=asks("send:home"))


@pytest.mark.rule("22.432")
def test_nothing_of_the_sorties_is_seen_before_they_are_announced() -> None:
    game = fight(start(two_fleets()), f"send:isle:{RED}:3", until=asks("send:rock"))
    assert game.view("blue").data["announced"] == []
    assert "sorties" not in log(game, "blue")
    game.choose(f"send:rock:{RED}:1")
    assert [entry["target"] for entry in game.view("blue").data["announced"]] == ["isle", "rock"]


@pytest.mark.rule("22.31A", "22.41B.2", "19.12.1", "22.432", "23.61C")
def test_one_round_for_each_base_and_both_sides_may_attack() -> None:
    """Row 6 at 2 is 1/2 and row 2 at 2 is 0/1: nobody is asked to go on."""
    with Scripted(
        *KILL_AND_ABORT, ("Blue: air combat over Home", 1, 1), ("Red: air combat over Home", 1, 1), *NOTHING_FOUND
    ) as dice:
        game = fight(start(two_fleets(), dice), f"send:isle:{RED}:6", f"send:home:{BLUE}:3")
        assert game.pending is None
        assert "Fight another round?" not in log(game)


@pytest.mark.rule("22.342")
def test_land_based_air_attacks_no_bases_in_a_naval_battle() -> None:
    """Two Japanese squadrons at Home are two hexes from the American islands, and nobody asks about them."""
    game = start(two_fleets())
    sent: set[str] = set()
    while game.pending is not None and not SEARCH(game):
        sent |= {text for text in asked_now(game) if text.startswith("send:")}
        fight(game, until=lambda game, before=game.turn: game.turn > before)  # type: ignore[misc]
    assert {text.split(":")[2] for text in sent} == {"red-at-sea", "blue-at-sea"}


@pytest.mark.rule("SOP-NC-I.B", "23.131A")
def test_army_air_under_carrier_attack_breaks_down() -> None:
    with Scripted(("Red: air combat over Rock", 1, 1), ("Blue: air combat over Rock, round 1, row 3", 1, 1)) as dice:
        game = fight(start(two_fleets(), dice), f"send:rock:{RED}:1", until=SEARCH)
        assert "Red: air combat over Rock" in log(game)


# --- what they leave --------------------------------------------------------------------------------------------


@pytest.mark.rule("22.433", "18.524B")
@pytest.mark.parametrize(("flown", "option", "ready"), [(6, True, 5), (6, False, 0), (4, True, 5), (4, False, 2)])
def test_squadrons_that_counteraired_may_strike_unless_aborted(flown: int, option: bool, ready: int) -> None:
    """Six or four of six fly, one is aborted (row 2 at 2: 0/1); by the other reading all who flew sit the round out,
    and only those that stayed may strike."""
    with Scripted(*KILL_AND_ABORT) as dice:
        game = start(two_fleets(), dice, counterair_nas_may_strike=option)
        fight(game, f"send:isle:{RED}:{flown}", until=SEARCH)
        assert may_strike(game) == ready


@pytest.mark.rule("22.433")
@pytest.mark.parametrize(("option", "offered"), [(True, 5), (False, 2)])
def test_a_strike_is_offered_those_and_no_others(option: bool, offered: int) -> None:
    """Four of six have flown and one of them was aborted."""
    with Scripted(*KILL_AND_ABORT, ("Red: search", 1), ("Blue: search", 6)) as dice:
        game = start(two_fleets(), dice, counterair_nas_may_strike=option)
        fight(game, f"send:isle:{RED}:4", "strike:1", until=asks("fly:red-at-sea"))
        assert asked_now(game)[-1] == f"fly:{RED}:{offered}"


@pytest.mark.rule("22.433")
def test_aborted_squadrons_may_strike_again_in_the_next_round() -> None:
    with Scripted(*KILL_AND_ABORT, *NOTHING_FOUND) as dice:
        game = fight(
            start(two_fleets(rounds=2), dice), f"send:isle:{RED}:6", until=lambda game: game.state.battle.round == 2
        )
        fight(game, f"patrol:1:{RED}:1", until=SEARCH)
        assert may_strike(game) == 5


@pytest.mark.rule("22.41B.3", "22.434")
def test_land_air_neither_lost_nor_aborted_acts_this_round_and_the_aborted_later() -> None:
    """Two squadrons at Isle: Red's row 6 at 2 (1/2) kills one and aborts the other; in round two he acts again."""
    with Scripted(*KILL_AND_ABORT, *NOTHING_FOUND) as dice:
        game = fight(start(two_fleets(rounds=2), dice), f"send:isle:{RED}:6", until=SEARCH)
        assert may_act(game) == {"rock": 3}
        fight(game, until=lambda game: game.state.battle.round == 2)
        fight(game, until=asks("send"))
        assert may_act(game) == {"isle": 1, "rock": 3}


@pytest.mark.rule("23.46A", "23.461A", "23.461B", "22.432")
def test_defenders_may_leave_a_base_that_carriers_attack_in_a_naval_battle() -> None:
    """After the round over Isle those who are left fly to Rock, and take no part any more; not if Rock is attacked as
    well, or was in an earlier round."""
    with Scripted(*KILL_AND_ABORT) as dice:
        game = fight(start(two_fleets(), dice), f"send:isle:{RED}:6", "defender:leave", until=SEARCH)
        assert (air(game, "isle"), air(game, "rock")["united-states naval inverted"]) == ({}, 1)
        assert "isle" not in may_act(game)
    both = fight(start(two_fleets()), f"send:isle:{RED}:2", f"send:rock:{RED}:2", "next:isle", until=SEARCH)
    assert "Evacuate Isle?" not in log(both)
    later = start(two_fleets(rounds=2))
    fight(later, f"send:rock:{RED}:2", until=lambda game: game.state.battle.round == 2)
    fight(later, f"send:isle:{RED}:2", until=SEARCH)
    assert "air combat over Isle" in log(later)
    assert "Evacuate Isle?" not in log(later)


@pytest.mark.rule("22.435", "18.526A")
def test_the_last_counterair_of_the_battle_inverts_the_land_air_that_it_aborted() -> None:
    with Scripted(*KILL_AND_ABORT, *NOTHING_FOUND) as dice:
        game = fight(start(two_fleets(), dice), f"send:isle:{RED}:6")
        assert air(game, "isle") == {"united-states naval inverted": 1}
        assert short(group(game, "red", 1).air) == {"japan naval": 6}


@pytest.mark.rule("22.435")
def test_a_counterair_of_an_earlier_round_inverts_at_the_end_if_it_was_the_last_against_its_base() -> None:
    two_dice = (("Red: search", 6, 6), ("Blue: search", 6, 6))
    with Scripted(*KILL_AND_ABORT, *NOTHING_FOUND, *two_dice) as dice:
        game = fight(start(two_fleets(rounds=2), dice), f"send:isle:{RED}:6")
        assert air(game, "isle") == {"united-states naval inverted": 1}
    again = (("Red: air combat over Isle", 1, 1), ("Blue: air combat over Isle", 1, 1))
    with Scripted(*KILL_AND_ABORT, *NOTHING_FOUND, *again, *two_dice) as dice:
        game = fight(
            start(two_fleets(rounds=2), dice), f"send:isle:{RED}:6", until=lambda game: game.state.battle.round == 2
        )
        fight(game, f"send:isle:{RED}:1")
        assert air(game, "isle") == {"united-states naval": 1}


# --- rounds -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SOP-NC-I.B", "SOP-NC-DAGGER")
def test_raider_combat_has_no_attacks_on_bases() -> None:
    game = start(two_fleets(rounds=2, raiders=True))
    asked: set[str] = set()
    while game.pending is not None:
        asked.add(asked_now(game)[0].split(":")[0])
        fight(game, until=lambda game, before=game.turn: game.turn > before)  # type: ignore[misc]
    assert "Raider combat: one group per side, both found; no attacks on bases" in log(game)
    assert "strike" in asked
    assert not asked & {"send", "next", "cover", "search"}


def test_a_battle_lasts_the_rounds_of_the_scenario() -> None:
    """Nobody flies, so both fleets are there to the end."""
    game = fight(start(two_fleets(rounds=3)))
    assert log(game).count("of naval combat (22.41)") == 3
    assert game.result is not None


@pytest.mark.parametrize("rounds", [1, 2, 6])
def test_a_battle_comes_to_its_end_however_it_is_played(rounds: int) -> None:
    game = start(two_fleets(rounds=rounds))
    game.play({side: RandomPlayer(rounds) for side in game.sides})
    assert game.result is not None
    assert 1 <= log(game).count("of naval combat (22.41)") <= rounds
