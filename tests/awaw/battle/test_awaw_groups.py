"""22.42: combat groups: how forces form them, their numbers, their speed and status, and what the enemy learns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.awaw.battle.air_plan import COVERERS, eligible
from flagplot.awaw.battle.groups import is_active, is_hampered, is_slow_group
from flagplot.awaw.ships import Fleet, Kind, factors, ship
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from tests.awaw.battles import asked_now, asks, battle, fight, fleet_of, group, rolls_for, ships, squadron
from tests.awaw.scenes import base, log, short, start

ENEMY = squadron("enemy", "blue", destroyers=12)


def tf(name: str, side: str = "red", **more: Any) -> dict[str, Any]:
    """A task force of twelve fast factors without carriers, unless something else is said."""
    light = {} if {"cruisers", "destroyers"} & set(more) else {"cruisers": 8, "destroyers": 4}
    return squadron(name, side, **light, **more)


def small(name: str, side: str = "red", *named: str, **more: Any) -> dict[str, Any]:
    return squadron(name, side, *named, task_force=False, **more)


def in_segment(name: str) -> Callable[[Game[State]], bool]:
    return lambda game: bool(game.state.frames) and game.state.frames[-1].segment == name


def formed(game: Game[State], *orders: str, round_: int = 1) -> Game[State]:
    """Go on until the groups of a round are formed."""
    return fight(
        game, *orders, until=lambda game: game.state.battle.round == round_ and in_segment("combat_air_patrol")(game)
    )


def in_battle(game: Game[State], side: str = "red") -> dict[int, str]:
    """The groups of a side that take part, by number."""
    return {one.number: one.name for one in game.state.battle.present(side)}


def questions(game: Game[State], side: str) -> list[str]:
    """The verbs of all that a side was asked so far, each once."""
    asked = [
        request for request, answer in game.events if isinstance(request, Choose) and len(request) > 1 and answer >= 0
    ]
    verbs = [one.verb if isinstance(one.verb, str) else one.verb[0] for one in asked if one.side == side]
    return list(dict.fromkeys(verbs))


def offers(game: Game[State], verb: str) -> list[list[str]]:
    """What was offered each time a question of that verb was asked, forced ones too."""
    found = [request for request, _ in game.events if isinstance(request, Choose)]
    return [
        [str(value) for value in one.values]
        for one in found
        if (one.verb if isinstance(one.verb, str) else one.verb[0]) == verb
    ]


# --- forming them -----------------------------------------------------------------------------------------------


@pytest.mark.rule("22.41A", "22.421", "22.421A.1", "22.421A.2", "23.71A", "23.721A", "SOP-NC-I.A")
def test_each_task_force_is_a_group_and_small_forces_make_one_together() -> None:
    """23.71A: within naval combat; that ships attacked from land elsewhere may form more than six is not built."""
    game = formed(
        start(battle(tf("a"), tf("b"), small("c", destroyers=5), small("d", destroyers=4), ENEMY)),
        *["number:a:2", "number:b:5", "number:c:1"],
    )
    assert in_battle(game) == {1: "C and D", 2: "A", 5: "B"}
    assert [factors(one.ships) for one in game.state.battle.present("red")] == [9, 12, 12]
    assert questions(game, "red") == ["number"]


@pytest.mark.rule("22.421A.1", "22.426")
def test_task_forces_without_cargo_neither_merge_nor_divide() -> None:
    """Even where the number of groups makes some wait: nobody is asked to merge or divide them."""
    game = formed(start(battle(*[tf(f"t{number}") for number in range(8)], ENEMY)))
    assert questions(game, "red") == ["number"]
    assert [factors(one.ships) for one in game.state.battle.groups.values() if one.side == "red"] == [12] * 8


@pytest.mark.rule("22.421A.2")
def test_small_forces_of_either_side_merge() -> None:
    game = formed(
        start(
            battle(
                *[small("a", destroyers=5), small("b", cruisers=4)],
                *[small("c", "blue", destroyers=3), small("d", "blue", destroyers=2)],
            )
        )
    )
    assert in_battle(game, "red") == {1: "A and B"}
    assert ships(group(game, "red", 1)) == {"japan cruiser": 2, "japan destroyer": 5}
    assert ships(group(game, "blue", 1)) == {"united-states destroyer": 5}


@pytest.mark.rule("22.421A.2")
def test_a_small_force_stays_apart_from_task_forces_and_from_cargo() -> None:
    convoy = small("convoy", destroyers=2, laden_transports=3, cargo="troops")
    game = formed(start(battle(tf("a"), small("b", destroyers=5), convoy, ENEMY)))
    assert sorted(in_battle(game).values()) == ["A", "B", "CONVOY"]


@pytest.mark.rule("22.421A.4.1", "22.421A.2")
def test_small_forces_beyond_twenty_five_factors_make_a_second_group_of_the_owners_choice() -> None:
    """Three times nine factors are two too many; transports do not count."""
    game = start(
        battle(
            *[small("a", destroyers=9, transports=4), small("b", cruisers=8, destroyers=1), small("c", destroyers=9)],
            ENEMY,
        )
    )
    assert asked_now(game) == ["detach:japan:cruiser", "detach:japan:destroyer"]
    formed(game, "detach:japan:cruiser", "number:a:1", "number:b:2")
    assert ships(group(game, "red", 1)) == {"japan cruiser": 3, "japan destroyer": 19, "japan transport": 4}
    assert ships(group(game, "red", 2)) == {"japan cruiser": 1}


@pytest.mark.rule("22.421A.4.1")
def test_what_is_over_again_makes_a_third_group() -> None:
    """Six times nine are 54: 25, 25 and 4."""
    game = formed(start(battle(*[small(f"s{number}", destroyers=9) for number in range(6)], ENEMY)))
    assert [factors(one.ships) for one in game.state.battle.present("red")] == [25, 25, 4]


@pytest.mark.rule("22.421A.4.2")
def test_a_carrier_of_a_merged_group_without_a_fast_fleet_factor_returns_to_port() -> None:
    """Four carrier factors, three fast fleet factors and a slow battleship: one of the two light carriers goes, with
    squadrons that the other has no deck for."""
    game = start(
        battle(
            tf("a"), small("b", "red", "Shoho", "Zuiho", destroyers=3, air=4), small("c", "red", "Ise", cves=1), ENEMY
        )
    )
    assert asked_now(game) == ["return:shoho", "return:zuiho"]
    formed(game, "return:zuiho")
    at_sea = game.state.at_sea("red")
    assert {which.id: number for which, number in at_sea.gone.items()} == {"zuiho": 1}
    assert short(at_sea.ashore) == {"japan naval": 2}
    merged = next(one for one in game.state.battle.present("red") if "B" in one.name)
    assert ships(merged) == {"shoho": 0, "ise": 0, "japan cve": 1, "japan destroyer": 3}
    assert short(merged.air) == {"japan naval": 2}


@pytest.mark.rule("22.421A.4.2")
def test_with_enough_fast_fleet_factors_every_carrier_stays() -> None:
    game = formed(
        start(battle(small("b", "red", "Shoho", "Zuiho", destroyers=3, air=4), small("c", destroyers=1), ENEMY))
    )
    assert ships(group(game, "red", 1)) == {"shoho": 0, "zuiho": 0, "japan destroyer": 4}
    assert short(group(game, "red", 1).air) == {"japan naval": 4}
    assert not game.state.at_sea("red").gone


@pytest.mark.rule("22.421A.4.2")
def test_the_limit_is_for_merged_groups_alone() -> None:
    """A small force that merges with nobody keeps its carriers."""
    game = formed(start(battle(tf("a"), small("b", "red", "Shoho", "Zuiho", air=4), ENEMY)))
    assert len([one for one in game.state.battle.present("red") if one.air]) == 1
    assert not game.state.at_sea("red").gone


@pytest.mark.rule("22.421A.4.2")
def test_which_squadrons_return_to_port_is_the_owners_choice() -> None:
    mixed = small("b", "red", "Shoho", "Zuiho", destroyers=1)
    mixed["air"] = [
        {"nation": "japan", "squadrons": 2, "elite": True},
        {"nation": "japan", "squadrons": 2, "elite": False},
    ]
    game = start(battle(mixed, small("c", destroyers=1), ENEMY))
    formed(game, "return:shoho", "leave:red-at-sea:japan:elite-naval:squadrons:0")
    assert short(game.state.at_sea("red").ashore) == {"japan naval": 2}
    assert short(group(game, "red", 1).air) == {"japan elite-naval": 2}


@pytest.mark.rule("22.421A.4.2")
def test_a_group_of_carriers_alone_does_not_come_at_all() -> None:
    game = formed(start(battle(tf("a"), small("b", "red", "Shoho"), small("c", "red", "Zuiho"), ENEMY)))
    assert in_battle(game) == {1: "A"}
    assert [which.id for which in game.state.at_sea("red").gone] == ["shoho", "zuiho"]


# --- cargo ------------------------------------------------------------------------------------------------------

CONVOY = small("convoy", destroyers=6, laden_transports=5, cargo="troops")


@pytest.mark.rule("22.421A.3", "22.421A.4.1")
def test_a_force_with_cargo_may_be_strengthened_and_the_surplus_comes_from_the_escort() -> None:
    """Six and 23 factors are four too many: a battleship and a cruiser go, none of the convoy's destroyers can."""
    game = start(battle(CONVOY, squadron("escort", "red", "Haruna", cruisers=20), ENEMY))
    assert asked_now(game) == ["strengthen:alone", "strengthen:escort"]
    game.choose("strengthen:escort")
    assert asked_now(game) == ["detach:haruna", "detach:japan:cruiser"]
    formed(game, "detach:haruna", "number:convoy:3", "number:escort:1")
    assert ships(group(game, "red", 3)) == {"japan cruiser": 9, "japan destroyer": 6, "japan transport laden": 5}
    assert ships(group(game, "red", 1)) == {"haruna": 0, "japan cruiser": 1}
    assert in_battle(game) == {1: "ESCORT, detached", 3: "CONVOY and ESCORT"}


@pytest.mark.rule("22.421A.3")
def test_a_force_with_cargo_may_stay_alone() -> None:
    game = formed(start(battle(CONVOY, tf("escort"), ENEMY)), "strengthen:alone")
    assert sorted(in_battle(game).values()) == ["CONVOY", "ESCORT"]


@pytest.mark.rule("22.421A.1", "22.421A.3")
def test_only_one_force_without_cargo_joins_one_with_cargo() -> None:
    """The small forces are one group before; another force with cargo cannot be chosen."""
    other = small("other", laden_destroyers=3, cargo="supplies")
    game = start(battle(CONVOY, other, tf("a"), small("b", destroyers=2), small("c", destroyers=2), ENEMY))
    assert asked_now(game) == ["strengthen:alone", "strengthen:a", "strengthen:b"]
    game.choose("strengthen:b")
    assert asked_now(game) == ["strengthen:alone", "strengthen:a"]
    formed(game, "strengthen:alone")
    assert sorted(in_battle(game).values()) == ["A", "CONVOY and B and C", "OTHER"]


def strengthened(destroyers: int, cves: int) -> Game[State]:
    """Ten slow factors with cargo and sixteen factors around Akagi; a destroyer is the one factor too many."""
    convoy = squadron("convoy", "red", cves=10, laden_transports=2, cargo="troops")
    escort = squadron("escort", "red", "Akagi", "Nagato", "Mutsu", destroyers=destroyers, cves=cves, air=3)
    orders = ["strengthen:escort", "detach:japan:destroyer", "number:convoy:1", "number:escort:2"]
    return formed(start(battle(convoy, escort, ENEMY)), *orders)


@pytest.mark.rule("22.421A.4.2", "22.421A.4.1")
def test_a_carrier_stays_if_the_surplus_leaves_her_a_fast_fleet_factor_for_each_of_hers() -> None:
    game = strengthened(destroyers=4, cves=1)
    assert ships(group(game, "red", 1)) == {
        "akagi": 0,
        "nagato": 0,
        "mutsu": 0,
        "japan cve": 11,
        "japan destroyer": 3,
        "japan transport laden": 2,
    }


@pytest.mark.rule("22.421A.4.2", "22.421A.4.1")
def test_a_carrier_that_lost_its_escort_to_the_surplus_returns_to_port() -> None:
    """Slow battleships and CVEs are no fast fleet factors, and two destroyers are too few."""
    game = strengthened(destroyers=3, cves=2)
    assert [which.id for which in game.state.at_sea("red").gone] == ["akagi"]
    assert short(game.state.at_sea("red").ashore) == {"japan naval": 3}


@pytest.mark.rule("22.421A.4.1")
def test_squadrons_stay_with_carriers_that_fight_in_either_group() -> None:
    """One of two carriers is detached: the owner says how the five squadrons are shared, three decks here and two or
    three there."""
    escort = squadron("escort", "red", "Akagi", "Kaga", cruisers=18, air=5)
    convoy = small("convoy", destroyers=8, laden_transports=1, cargo="troops")
    game = start(battle(convoy, escort, ENEMY))
    fight(game, "strengthen:escort", "detach:akagi", *["detach:japan:cruiser"] * 2, until=asks("land"))
    assert asked_now(game) == [f"land:0:red-at-sea:japan:naval:squadrons:{number}" for number in (2, 3)]
    formed(game, "land:0:red-at-sea:japan:naval:squadrons:2", "number:convoy:1", "number:escort:2")
    assert short(group(game, "red", 1).air) == {"japan naval": 2}
    assert short(group(game, "red", 2).air) == {"japan naval": 3}


# --- later rounds -----------------------------------------------------------------------------------------------


@pytest.mark.rule("22.421B", "22.426", "22.425C", "22.425C.1", "22.425D.3.2", "SOP-NC-I.A.1")
def test_late_forces_form_groups_of_their_own_in_the_round_of_their_arrival() -> None:
    """A task force is a group; small forces that come together make one, but join neither those already there nor
    those that come a round later. They may stay out, and get a number that is free."""
    game = start(
        battle(
            *[tf("a"), small("s", destroyers=3), tf("b", arrives=2)],
            *[small(f"s{number}", destroyers=number, arrives=2) for number in (1, 2)],
            *[small("last", destroyers=4, arrives=3), ENEMY],
            rounds=3,
        )
    )
    formed(game, "number:a:2", "number:s:5")
    assert in_battle(game) == {2: "A", 5: "S"}
    fight(game, until=asks("number"))
    assert asked_now(game) == [f"number:b:{number}" for number in (1, 3, 4, 6, 0)]
    formed(game, "number:b:1", "number:s1:3", round_=2)
    assert in_battle(game) == {1: "B", 2: "A", 3: "S1 and S2", 5: "S"}
    formed(game, "number:last:4", round_=3)
    assert in_battle(game) == {1: "B", 2: "A", 3: "S1 and S2", 4: "LAST", 5: "S"}


@pytest.mark.rule("22.421B")
def test_late_small_forces_keep_the_limits_too() -> None:
    """Three times nine factors that come in round two: 25 and 2. And two carriers with one destroyer: one goes."""
    late = [small(f"s{number}", destroyers=9, arrives=2) for number in range(3)]
    game = formed(start(battle(tf("a"), *late, ENEMY, rounds=2)), "number:s0:2", "number:s1:3", round_=2)
    assert [factors(one.ships) for one in game.state.battle.present("red")] == [12, 25, 2]
    late = [small("x", "red", "Shoho", "Zuiho", arrives=2), small("y", destroyers=2, arrives=2)]
    game = formed(start(battle(tf("a"), *late, ENEMY, rounds=2)), "return:zuiho", "number:x:2", round_=2)
    assert ships(group(game, "red", 2)) == {"shoho": 0, "japan destroyer": 2}


@pytest.mark.rule("22.421B")
def test_a_late_force_with_cargo_is_strengthened_by_nobody() -> None:
    late = small("late", destroyers=2, laden_transports=1, cargo="troops", arrives=2)
    game = formed(start(battle(tf("a"), late, tf("b", arrives=2), ENEMY, rounds=2)), round_=2)
    assert "strengthen" not in questions(game, "red")


@pytest.mark.rule("22.425C", "22.425C.1", "22.425D.3.1", "22.421C.1", "22.428C", "22.451D.3", "23.722D.3")
def test_a_pending_group_takes_no_part() -> None:
    """The carriers of a force that comes later give no die, fly no patrol, cannot be covered, found or struck, and
    launch no strike."""
    late = squadron("late", "red", "Akagi", "Kaga", cruisers=8, air=6, arrives=2)
    game = start(
        battle(
            *[tf("a"), late, squadron("enemy", "blue", "Lexington", cruisers=10, air=3)],
            bases=[base("isle", "red", (0, 3), "3 japan naval")],
            rounds=2,
        )
    )
    formed(game, "number:a:6")
    fight(game, until=asks("cover"))
    assert questions(game, "red") == ["number"]
    assert asked_now(game)[0] == "cover:6:isle:japan:naval:squadrons:0"
    assert len(eligible(game.state, "red", COVERERS)) == 1
    fight(game, until=rolls_for("Blue: search"))
    assert "Red: 0 search dice" in log(game)
    pending = next(one for one in game.state.battle.groups.values() if one.name == "LATE")
    assert (pending.number, pending.this_round.results, pending.patrol, sum(pending.air.values())) == (0, 0, {}, 6)
    assert not game.state.at_sea("red").air


@pytest.mark.rule("22.425C.1", "22.425A", "22.425D.3.2")
def test_a_pending_group_with_a_low_number_is_active_at_once() -> None:
    game = formed(start(battle(tf("a"), tf("b", arrives=2), ENEMY, rounds=2)), "number:a:6", "number:b:2", round_=2)
    assert is_active(group(game, "red", 2), game.state.battle.round)
    assert not is_active(group(game, "red", 6), game.state.battle.round)


# --- six at most ------------------------------------------------------------------------------------------------

SEVEN = [tf(f"t{number}") for number in range(1, 8)]


@pytest.mark.rule("22.421C", "22.421C.1", "22.425C", "22.425C.2")
def test_a_seventh_group_waits_and_cannot_be_found() -> None:
    """Whatever the dice show, only six groups can be found."""
    game = formed(start(battle(*SEVEN, ENEMY)), "number:t3:0")
    assert sorted(in_battle(game).values()) == ["T1", "T2", "T4", "T5", "T6", "T7"]
    fight(game, until=rolls_for("Blue: search"))
    game.roll([1])
    found = [one.name for one in game.state.battle.groups.values() if one.this_round.results]
    assert len(found) == 1
    assert found != ["T3"]


@pytest.mark.rule("22.421C.2", "22.421C")
def test_the_owner_says_who_waits_but_six_must_fight() -> None:
    """Each may wait until one does; then the rest must come in."""
    game = formed(start(battle(*SEVEN, ENEMY)), "number:t3:0")
    assert ["0" in offer for offer in offers(game, "number")[:7]] == [True, True, True, False, False, False, False]
    last = formed(start(battle(*SEVEN, ENEMY)))
    assert sorted(in_battle(last).values()) == ["T1", "T2", "T3", "T4", "T5", "T6"]


@pytest.mark.rule("22.421C.2")
def test_a_group_with_cargo_must_fight() -> None:
    """It stands last in the scenario and is numbered first."""
    convoy = small("convoy", destroyers=2, laden_transports=1, cargo="troops")
    game = formed(start(battle(*SEVEN, convoy, ENEMY)), "strengthen:alone", "number:t1:0", "number:t2:0")
    assert offers(game, "number")[0] == ["1", "2", "3", "4", "5", "6"]
    assert "CONVOY" in in_battle(game).values()


@pytest.mark.rule("22.421C.3", "22.421C")
def test_without_room_a_waiting_group_stays_out_in_later_rounds() -> None:
    game = formed(start(battle(*SEVEN, ENEMY, rounds=3)), "number:t3:0")
    asked = len(offers(game, "number"))
    formed(game, round_=3)
    assert len(offers(game, "number")) == asked
    assert len(in_battle(game)) == 6


@pytest.mark.rule("22.421C.3", "22.425D.3.2", "SOP-NC-I.A.1")
def test_a_waiting_group_comes_into_the_place_of_one_that_is_gone_or_stays_out() -> None:
    for number, there in (("4", True), ("0", False)):
        game = formed(start(battle(*SEVEN, ENEMY, rounds=2)), "number:t3:0", "number:t5:4")
        group(game, "red", 4).ships = {}  # as if they had all been sunk
        formed(game, f"number:t3:{number}", round_=2)
        assert offers(game, "number")[-1] == ["4", "0"]
        assert (in_battle(game).get(4) == "T3") is there
        assert "T5" not in [one.name for one in game.state.battle.groups.values()]


@pytest.mark.rule("22.421B", "22.426")
def test_a_small_group_that_waits_does_not_combine_with_one_that_arrives_later() -> None:
    waits, late = small("waits", destroyers=2), small("late", destroyers=3, arrives=2)
    game = formed(start(battle(*SEVEN[:6], waits, late, ENEMY, rounds=2)))
    formed(game, round_=2)
    assert {"WAITS", "LATE"} <= {one.name for one in game.state.battle.groups.values()}


@pytest.mark.rule("22.421C.3")
def test_nobody_rotates_out() -> None:
    """Those in the battle are not asked again; only the two that wait are, one place being free."""
    game = formed(start(battle(*SEVEN, tf("t8"), ENEMY, rounds=2)), "number:t1:0", "number:t2:0")
    group(game, "red", 6).ships = {}
    asked = len(offers(game, "number"))
    formed(game, "number:t1:0", "number:t2:6", round_=2)
    assert offers(game, "number")[asked:] == [["6", "0"], ["6", "0"]]
    assert in_battle(game)[6] == "T2"


# --- numbers ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.423A", "22.421C")
@given(st.integers(1, 8), st.data())
def test_numbers_are_unique_from_one_to_six_whatever_is_chosen(forces: int, data: st.DataObject) -> None:
    game = start(battle(*[tf(f"t{number}") for number in range(forces)], ENEMY))
    while game.state.frames[-1].segment == "combat_groups":
        game.choose(data.draw(st.sampled_from(asked_now(game))))
    numbers = [one.number for one in game.state.battle.present("red")]
    assert len(numbers) == min(forces, 6)
    assert numbers == sorted(set(numbers))
    assert set(numbers) <= set(range(1, 7))


@pytest.mark.rule("22.423A")
def test_any_number_may_be_chosen_that_the_side_does_not_use() -> None:
    game = start(battle(tf("a"), tf("b"), ENEMY))
    assert asked_now(game) == [f"number:a:{number}" for number in range(1, 7)]
    game.choose("number:a:6")
    assert asked_now(game) == [f"number:b:{number}" for number in range(1, 6)]
    game.choose("number:b:3")
    assert asked_now(game) == [f"number:enemy:{number}" for number in range(1, 7)]


@pytest.mark.rule("22.423B", "22.421B", "22.411B")
def test_the_numbers_in_use_are_told_again_only_by_a_side_that_has_somebody_to_bring_in() -> None:
    game = formed(
        start(battle(tf("a"), tf("late", arrives=2), ENEMY, rounds=3)), "number:a:2", "number:late:1", round_=3
    )
    told = [entry.text for entry in game.log("red") if entry.rule == "22.423" and entry.kind == "note"]
    assert told == ["Red: combat group 2", "Blue: combat group 1", "Red: combat groups 1 and 2"]


@pytest.mark.rule("22.424")
def test_a_number_is_kept_in_later_rounds() -> None:
    """Even when numbers are given to others; in this half of the battle nothing changes one, evading fleet combat
    will."""
    game = start(battle(tf("a"), tf("b"), tf("late", arrives=3), ENEMY, rounds=3))
    formed(game, "number:a:6", "number:b:3")
    asked = len(offers(game, "number"))
    formed(game, "number:late:1", round_=3)
    assert in_battle(game) == {1: "LATE", 3: "B", 6: "A"}
    assert len(offers(game, "number")) == asked + 1


@pytest.mark.rule("22.423B", "22.421", "22.41A", "SOP-NC-I.A")
def test_the_enemy_sees_the_numbers_and_nothing_else() -> None:
    game = start(battle(tf("quietone"), squadron("quiettwo", "red", "Akagi", cruisers=10, air=3), ENEMY))
    assert "Red: forming combat groups" in log(game, "blue")
    formed(game, "number:quietone:4", "number:quiettwo:2")
    assert "Red: combat groups 2 and 4" in log(game, "blue")
    view = game.view("blue")
    theirs = [one for one in view.data["groups"] if one["side"] == "red"]
    assert [one["number"] for one in theirs] == [2, 4]
    assert all(not set(one) & {"name", "ships", "factors", "air", "cargo", "slow", "patrol", "cover"} for one in theirs)
    for text in (log(game, "blue"), str(view.data), game.ruleset.draw(view.position)):
        assert "QUIET" not in text.upper()
        assert "Akagi" not in text
        assert "akagi" not in text


@pytest.mark.rule("22.423B", "22.421")
def test_the_owner_sees_his_own_groups() -> None:
    game = formed(start(battle(tf("hidden"), ENEMY)), "number:hidden:4")
    mine = next(one for one in game.view("red").data["groups"] if one["side"] == "red")
    assert (mine["name"], mine["factors"], mine["slow"]) == ("HIDDEN", 12, False)
    assert [one["text"] for one in mine["ships"]] == ["4 Japanese cruisers", "4 Japanese destroyer factors"]


@pytest.mark.rule("22.421")
def test_both_sides_form_their_groups_before_anything_else() -> None:
    """The moving side first; the numbers of the one tell the other nothing that it could use against it."""
    game = start(battle(tf("a"), tf("b"), tf("c", "blue"), tf("d", "blue")))
    assert game.pending is not None
    sides = []
    while game.state.frames[-1].segment == "combat_groups":
        assert isinstance(game.pending, Choose)
        sides.append(game.pending.side)
        game.choose(game.pending.options[0])
    assert sides == ["red", "red", "blue", "blue"]


@pytest.mark.rule("SOP-NC-I.A", "22.35A")
def test_raiders_form_no_combat_groups() -> None:
    game = start(battle(tf("a"), tf("b"), ENEMY, raiders=True))
    assert offers(game, "number") == []
    assert in_battle(game) == {1: "A and B"}


@pytest.mark.rule("22.421A.3", "22.421C.2", "22.427")
def test_a_force_that_protects_sea_supply_is_encumbered_like_one_with_cargo() -> None:
    """It does not melt into a patrol, and what strengthens it does not make it fast."""
    patrol = squadron("patrol", "red", cruisers=4, task_force=False, activity="patrol")
    line = squadron("line", "red", cruisers=4, task_force=False, activity="sea-supply")
    game = start(battle(patrol, line, ENEMY))
    assert asked_now(game) == ["strengthen:alone", "strengthen:patrol"]
    game.choose("strengthen:patrol")
    (group,) = [one for one in game.state.battle.groups.values() if one.side == "red" and one.ships]
    assert group.activity == "sea-supply"
    assert is_hampered(group)


@pytest.mark.rule("22.552B.1.2")
@pytest.mark.parametrize(("light", "hampered"), [({"cruisers": 10}, False), ({"cruisers": 8, "destroyers": 2}, True)])
def test_an_activity_hampers_a_group_that_has_ships_for_it(light: dict[str, int], hampered: bool) -> None:
    game = start(battle(squadron("a", "red", activity="seaborne-invasion", **light), ENEMY))
    assert is_hampered(game.state.battle.groups["a"]) is hampered


# --- status and speed -------------------------------------------------------------------------------------------


@pytest.mark.rule("22.425", "22.425A", "22.425B")
@pytest.mark.parametrize(
    ("number", "round_", "active"), [(1, 1, True), (2, 1, False), (2, 2, True), (1, 3, True), (6, 5, False)]
)
def test_a_group_is_active_once_the_round_has_reached_its_number(number: int, round_: int, active: bool) -> None:
    assert is_active(Group("red", "a", {}, number=number), round_) is active


@pytest.mark.rule("22.425", "22.425C")
def test_a_pending_group_is_not_active() -> None:
    assert not is_active(Group("red", "a", {}), 3)


@pytest.mark.rule("22.425", "22.425A", "22.425B")
def test_status_follows_from_the_round() -> None:
    game = formed(start(battle(tf("a"), tf("b"), ENEMY, rounds=2)), "number:a:1", "number:b:2")
    seen = [one["status"] for one in game.view("blue").data["groups"]]
    assert seen == ["active", "distant", "active"]
    formed(game, round_=2)
    assert [one["status"] for one in game.view("blue").data["groups"]] == ["active"] * 3


DAMAGED: Fleet = {ship("japan", Kind.CRUISER, "", 2, False, 2, False, 1): 1}
LADEN: Fleet = {ship("japan", Kind.DESTROYER, "", 1, False, 2, True): 1}


@pytest.mark.rule("22.422", "22.422A", "22.422B")
@pytest.mark.parametrize(
    ("fleet", "slow"),
    [
        (fleet_of("Akagi", "Haruna", cruisers=4, destroyers=3), False),
        (fleet_of("Akagi", "Nagato", cruisers=4), True),
        (fleet_of(destroyers=4, cves=1), True),
        (fleet_of(destroyers=4, transports=1), True),
        (fleet_of(cruisers=4) | DAMAGED, True),
        (fleet_of(destroyers=4) | LADEN, True),
    ],
)
def test_one_slow_or_damaged_ship_or_any_cargo_makes_a_group_slow(fleet: Fleet, slow: bool) -> None:
    assert is_slow_group(Group("red", "a", fleet)) is slow
