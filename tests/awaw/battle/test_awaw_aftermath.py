"""22.63, 22.72, 22.8: after a battle: who goes on, who returns where, who is inverted, and what the result says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from flagplot.awaw.battle.homecoming import has_orders, may_go_on, ports_in_range, survivors
from flagplot.awaw.state.battle import Submarines
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from tests.awaw.battles import asked_now, asks, fight, squadron
from tests.awaw.endings import BLUE, RED, Change, all_of, cripple, damage, mark, round_over, sink
from tests.awaw.scenes import base, log

BLUE_LOSES, RED_LOSES = ("blue",), ("red",)
HIT = mark("reds", attacked=True, revealed=True)


def after(
    *forces: dict[str, Any],
    losers: Sequence[str] = BLUE_LOSES,
    orders: Sequence[str] = (),
    change: Change | None = None,
    **more: Any,
) -> Game[State]:
    """A battle that these sides have lost by withdrawing, or that was broken off, and the orders after it."""
    game = settled(*forces, losers=losers, change=change, **more)
    return fight(game, *orders)


def settled(
    *forces: dict[str, Any], losers: Sequence[str] = BLUE_LOSES, change: Change | None = None, **more: Any
) -> Game[State]:
    game = round_over(*forces, change=change, **({"rounds": 1} | more))
    for group in game.state.battle.groups.values():
        group.revealed = True  # so that everything is told to everybody
    while game.pending is not None and game.state.frames[0].segment == "withdrawal":
        game.choose("withdraw:all" if game.pending.side in losers else "withdraw:none")
    return game


def follows(game: Game[State], rule: str, side: str = "") -> list[str]:
    """What follows from a battle by a rule."""
    assert game.result is not None
    found = game.result["consequences"]
    return [entry["text"] for entry in found if entry["rule"] == rule and entry["side"].startswith(side)]


# --- going on or aborting ---------------------------------------------------------------------------------------


@pytest.mark.rule("22.81", "22.81A.1", "SOP-NI-I", "SOP-NC-III")
def test_a_victorious_force_goes_on_or_aborts() -> None:
    invasion = RED | {"activity": "seaborne-invasion"}
    game = settled(invasion, BLUE)
    assert asked_now(game) == ["activity:reds:go-on", "activity:reds:abort"]
    fight(game, "activity:reds:go-on")
    assert follows(game, "22.81A") == ["CG 1 (Red): goes on with its activity (seaborne invasion)"]
    assert follows(game, "22.63", "red") == []
    game = after(invasion, BLUE, orders=["activity:reds:abort"])
    assert "CG 1 (Red): aborts its activity (seaborne invasion) and returns" in follows(game, "22.81A")
    assert follows(game, "22.63", "red") == ["CG 1 (Red): returns to its base of origin"]


@pytest.mark.rule("22.281", "22.28", "22.28A")
def test_who_aborts_is_inverted() -> None:
    game = after(orders=["activity:reds:abort"])
    assert "CG 1 (Red): is inverted for the rest of the player turn" in follows(game, "22.81A", "red")


@pytest.mark.rule("22.81A.2", "22.81", "SOP-NI-J", "SOP-NC-III")
def test_a_defeated_force_must_abort_and_is_inverted() -> None:
    game = after(change=cripple("reds"), losers=())
    assert "activity:" not in str([entry.text for entry in game.log("umpire")])
    assert follows(game, "22.81A", "red") == [
        "CG 1 (Red): is defeated, must abort its activity and returns",
        "CG 1 (Red): is inverted for the rest of the player turn",
    ]


@pytest.mark.rule("22.61C")
def test_ships_that_withdrew_are_defeated_even_if_their_side_has_won() -> None:
    game = round_over(change=all_of(HIT, damage("reds", "kongo")), rounds=1)
    part = ("withdraw:some", "withdraw:1:part", "leave:1:kongo:1")
    fight(game, *part, "withdraw:all", "activity:reds:go-on")
    assert game.result is not None
    assert game.result["winner"] == "red"
    name = "CG 1 (Red), withdrawn in round 1"
    assert follows(game, "22.61C") == [f"{name}: has withdrawn, counts as defeated and aborts its activity"]
    assert follows(game, "22.81A", "red") == [
        "CG 1 (Red): goes on with its activity",
        f"{name}: is inverted for the rest of the player turn",
    ]


@pytest.mark.rule("22.81A.1", "22.28A")
def test_a_battle_without_a_winner_compels_nobody() -> None:
    assert asked_now(settled(losers=())) == ["activity:reds:go-on", "activity:reds:abort"]


@pytest.mark.rule("22.28B")
def test_a_force_that_did_not_join_is_not_compelled_by_the_defeat_of_the_others() -> None:
    late = squadron("late", "red", "Haruna", cruisers=10, arrives=2)
    game = settled(RED, late, BLUE, losers=RED_LOSES)
    assert asked_now(game) == ["activity:late:go-on", "activity:late:abort"]
    fight(game, "activity:late:go-on")
    assert follows(game, "22.28B") == [
        "Red: a force that did not join: goes on with its activity; it is not compelled to abort"
    ]


# --- interceptors -----------------------------------------------------------------------------------------------


@pytest.mark.rule("22.81B", "22.26", "22.26D.4")
@pytest.mark.parametrize("losers", [(), RED_LOSES, BLUE_LOSES])
def test_interceptors_return_and_are_inverted_however_it_ended(losers: Sequence[str]) -> None:
    game = after(losers=losers)
    name = "CG 1 (Blue), withdrawn in round 1" if losers == BLUE_LOSES else "CG 1 (Blue)"
    assert follows(game, "22.81B") == [
        f"{name}: returns to base after the interception",
        f"{name}: is inverted for the rest of the player turn",
    ]


@pytest.mark.rule("22.26C", "22.27")
def test_an_interceptor_that_came_too_late_returns_to_its_base_and_is_not_inverted() -> None:
    late = squadron("late", "blue", "Hornet", cruisers=10, arrives=2, origin="noumea")
    ports = [base("pearl", "blue", (0, 5), ports=1, cities=1), base("noumea", "blue", (0, 6), ports=1, cities=1)]
    game = settled(RED, BLUE, late, losers=RED_LOSES, bases=ports)
    assert asked_now(game)[0].startswith("return:blues")
    fight(game)
    name = "Blue: a force that did not join"
    again = "never joined the battle, returns to its base and may not intercept again in this phase"
    assert follows(game, "22.27") == [f"{name}: {again}"]
    assert follows(game, "22.26C") == [f"{name}: is not inverted"]
    assert f"{name}: returns to Noumea" in follows(game, "22.63")
    assert "Choose a port for BLUES" in log(game)
    assert "Choose a port for LATE" not in log(game)


@pytest.mark.rule("22.81B", "SOP-PA-E.2.b")
def test_patrols_that_intercepted_may_stay_unless_they_are_defeated() -> None:
    patrol = BLUE | {"activity": "patrol"}
    game = settled(RED, patrol, losers=RED_LOSES)
    assert asked_now(game) == ["activity:blues:go-on", "activity:blues:abort"]
    fight(game, "activity:blues:go-on")
    assert follows(game, "22.81B") == ["CG 1 (Blue): goes on with its activity (patrol)"]
    beaten = after(RED, patrol, change=cripple("blues"), losers=())
    assert follows(beaten, "22.81B")[0] == "CG 1 (Blue): returns to base after the interception"


# --- ships that were withheld -----------------------------------------------------------------------------------


@pytest.mark.rule("22.26D", "22.26D.2")
def test_ships_that_were_withheld_in_every_round_are_not_inverted() -> None:
    kept = {"washington": 1, "united-states:cruiser": 2}
    game = after(
        losers=RED_LOSES,
        change=mark("blues", withheld=kept, used=True),
        withholds="blue",
        orders=["activity:blues:abort"],
    )
    assert follows(game, "22.26D") == [
        "CG 1 (Blue): is inverted, but not what was withheld: Washington and 2 American cruisers"
    ]


@pytest.mark.rule("22.26D", "22.26D.2")
def test_a_group_that_was_withheld_altogether_is_not_inverted_and_a_damaged_ship_is() -> None:
    def withhold_all(state: State) -> None:
        blues = state.battle.groups["blues"]
        blues.withheld = {which.tag: number for which, number in blues.ships.items()}
        blues.used = True

    whole = after(losers=RED_LOSES, change=withhold_all, withholds="blue", orders=["activity:blues:abort"])
    assert follows(whole, "22.26D") == ["CG 1 (Blue): was withheld and is not inverted"]
    hurt = all_of(withhold_all, damage("blues", "washington"))
    game = after(losers=RED_LOSES, change=hurt, withholds="blue", orders=["activity:blues:abort"])
    assert "Washington" not in follows(game, "22.26D")[0]
    assert "Enterprise" in follows(game, "22.26D")[0]


@pytest.mark.rule("22.26D")
def test_withheld_ships_that_leave_with_a_part_of_their_group_stay_fresh() -> None:
    marks = mark("blues", attacked=True, used=True, revealed=True)
    kept = all_of(mark("blues", withheld={"washington": 1, "enterprise": 1}), marks)
    game = round_over(change=kept, withholds="blue", rounds=1)
    orders = ("withdraw:some", "withdraw:1:part", "leave:1:washington:1", "leave:1:united-states:destroyer:1")
    fight(game, *orders, "activity:blues:abort")
    told = follows(game, "22.26D")
    assert [text.split(": ")[-1] for text in told] == ["Enterprise", "Washington"]


@pytest.mark.rule("22.26D.2", "22.26D.3")
@pytest.mark.parametrize(("used", "launched", "fresh"), [(0, 0, True), (1, 0, False), (0, 1, False)])
def test_a_group_that_neither_fought_nor_launched_is_not_inverted(used: int, launched: int, fresh: bool) -> None:
    def change(state: State) -> None:
        state.battle.groups["blues"].used, state.at_sea("blue").launched = bool(used), bool(launched)

    game = after(losers=RED_LOSES, change=change, withholds="blue", orders=["activity:blues:abort"])
    assert bool(follows(game, "22.26D")) is fresh


@pytest.mark.rule("22.26D.2", "22.26D.3")
def test_a_group_with_a_damaged_ship_has_not_stood_aside() -> None:
    hurt = damage("blues", "washington")
    game = after(losers=RED_LOSES, change=hurt, withholds="blue", orders=["activity:blues:abort"])
    assert "took no part" not in "".join(follows(game, "22.26D"))
    whole = after(losers=RED_LOSES, withholds="blue", orders=["activity:blues:abort"])
    assert "took no part" in "".join(follows(whole, "22.26D"))


@pytest.mark.rule("22.81A.2", "22.28B")
def test_forces_on_their_way_to_intercept_are_beaten_with_those_who_met_the_enemy() -> None:
    """In a counter-interception battle a late force of the losers may not go on; in others it may."""
    late = squadron("late", "blue", destroyers=10, arrives=3)
    game = settled(RED, BLUE, late, withholds="blue")
    assert not [one for one in survivors(game.state, "blue").values() if may_go_on(game.state, one)]
    moving = settled(RED, BLUE, squadron("late", "red", destroyers=10, arrives=3), losers=RED_LOSES)
    assert [one.name for one in survivors(moving.state, "red").values() if may_go_on(moving.state, one)] == ["LATE"]


@pytest.mark.rule("22.81A.2", "22.421C")
def test_a_group_that_waits_outside_is_part_of_the_force_that_is_beaten() -> None:
    waits = squadron("more", "red", destroyers=10)
    game = settled(RED, waits, BLUE, losers=RED_LOSES, change=mark("more", number=0))
    (outside,) = [one for one in survivors(game.state, "red").values() if not one.number]
    assert not may_go_on(game.state, outside)


@pytest.mark.rule("22.423B")
def test_of_a_group_that_nobody_has_seen_the_enemy_learns_only_that_it_leaves() -> None:
    laden = squadron("reds", "red", cruisers=6, destroyers=6, laden_destroyers=2, cargo="a secret")
    game = round_over(laden, BLUE, rounds=1)
    while game.pending is not None:
        first = game.pending.options[0].text  # type: ignore[union-attr]
        game.choose("withdraw:all" if first == "withdraw:none" and game.pending.side == "red" else first)
    assert "a secret" in log(game, "red")
    assert "a secret" not in log(game, "blue")
    assert "a secret" not in str(game.view("blue").data["outcome"])
    assert "CG 1 (Red), withdrawn in round 1: returns to base" in log(game, "blue")
    assert len(follows(game, "22.61C", "red")) == 1, "the first of the reasons"


@pytest.mark.rule("22.81A.2")
@pytest.mark.parametrize(
    ("ports", "blues", "orders"),
    [
        ([], {}, {"red": True, "blue": False}),
        (["blue"], {}, {"red": True, "blue": True}),
        (["red"], {}, {"red": True, "blue": False}),
        ([], {"activity": "patrol"}, {"red": True, "blue": True}),
    ],
)
def test_orders_are_given_by_who_may_go_on_or_has_a_port_to_choose(
    ports: list[str], blues: dict[str, Any], orders: dict[str, bool]
) -> None:
    """The battle was broken off. Blue has intercepted with two groups; one of them may be a patrol, and goes on."""
    bases = [port("near", 3, side=side) for side in ports]
    game = settled(RED, BLUE | blues, squadron("more", "blue", cruisers=10), losers=(), bases=bases)
    assert {side: has_orders(game.state, side) for side in ("red", "blue")} == orders


@pytest.mark.rule("22.81A.2")
def test_raiders_and_the_sunk_have_no_orders_to_give() -> None:
    game = settled(losers=(), raiders=True)
    assert not has_orders(game.state, "red")
    game = settled(losers=(), bases=[port("near", 3)])
    game.state.battle.groups = {}
    assert not has_orders(game.state, "blue")


@pytest.mark.rule("22.81C")
def test_counter_interceptors_take_over_the_activity_that_they_protected() -> None:
    game = after(withholds="blue", orders=["activity:reds:go-on"])
    assert follows(game, "22.81C") == [
        "CG 1 (Red): takes over the activity of the force that it protected, if it is permitted to"
    ]
    game = after(withholds="blue", losers=RED_LOSES, orders=["activity:blues:go-on"])
    assert follows(game, "22.81A", "blue") == ["CG 1 (Blue): goes on to intercept the enemy that it set out for"]


# --- where they return to ---------------------------------------------------------------------------------------


def port(name: str, hexes: int, side: str = "blue", **more: Any) -> dict[str, Any]:
    return base(name, side, (0, hexes), **({"ports": 1, "cities": 1} | more))


@pytest.mark.rule("22.63")
@pytest.mark.parametrize(("theatre", "most"), [("pacific", 10), ("europe", 20)])
def test_ships_return_to_where_they_came_from_or_to_a_port_in_range(theatre: str, most: int) -> None:
    ports = [
        port("near", 3),
        port("edge", most),
        port("beyond", most + 1),
        port("theirs", 4, side="red"),
        port("inland", 5, ports=0),
    ]
    game = settled(RED, BLUE | {"origin": "Pearl Harbor"}, losers=(), bases=ports, theatre=theatre)
    fight(game, until=asks("return"))
    assert asked_now(game) == ["return:blues:origin", "return:blues:edge", "return:blues:near"]
    fight(game, "return:blues:edge")
    assert follows(game, "22.63", "blue") == ["CG 1 (Blue): returns to Edge"]


@pytest.mark.rule("22.63")
def test_the_base_of_origin_is_open_at_any_distance_and_listed_once() -> None:
    ports = [port("home", 40), port("near", 3)]
    game = settled(RED, BLUE | {"origin": "home"}, losers=(), bases=ports)
    fight(game, until=asks("return"))
    assert [option.label for option in game.pending.options] == ["Home", "Near"]  # type: ignore[union-attr]
    fight(game, "return:blues:origin")
    assert follows(game, "22.63", "blue") == ["CG 1 (Blue): returns to Home"]
    assert ports_in_range(game.state, "blue") == {"near": "Near"}


@pytest.mark.rule("22.63A", "22.63", "22.63E")
@pytest.mark.parametrize("activity", ["base-change", "redeployment"])
def test_a_defeated_base_change_returns_to_where_it_came_from(activity: str) -> None:
    force = RED | {"activity": activity, "origin": "truk"}
    ports = [port("truk", 30, side="red"), port("near", 3, side="red")]
    game = after(force, BLUE, losers=(), change=cripple("reds"), bases=ports)
    assert "Choose a port for REDS" not in log(game)
    assert follows(game, "22.63A") == ["CG 1 (Red): returns to Truk"]
    assert bool(follows(game, "22.63E")) is (activity == "redeployment")
    won = settled(force, BLUE, bases=ports)
    fight(won, "activity:reds:abort", until=asks("return"))
    assert asked_now(won) == ["return:reds:origin", "return:reds:near"]
    fight(won, "return:reds:near")
    assert (follows(won, "22.63", "red"), follows(won, "22.63A")) == (["CG 1 (Red): returns to Near"], [])
    assert follows(won, "22.63E") == []


@pytest.mark.rule("22.63", "22.63E")
def test_who_was_beaten_at_something_else_returns_as_he_likes() -> None:
    ports = [port("truk", 30, side="red"), port("near", 3, side="red")]
    game = after(RED | {"activity": "sea-supply", "origin": "truk"}, BLUE, losers=RED_LOSES, bases=ports)
    assert (len(follows(game, "22.63", "red")), follows(game, "22.63A"), follows(game, "22.63E")) == (1, [], [])


@pytest.mark.rule("22.63E", "22.63C")
def test_one_group_of_several_is_enough_for_what_holds_for_a_whole_side() -> None:
    """Of two groups of Red one redeploys and is beaten; of two that are there one invades."""
    more = squadron("more", "red", cruisers=10)
    game = after(RED | {"activity": "redeployment"}, more, BLUE, losers=RED_LOSES)
    assert len(follows(game, "22.63E", "red")) == 1
    game = after(RED | {"activity": "seaborne-invasion"}, more, BLUE)
    assert len(follows(game, "22.63C", "blue")) == 1


CONVOY = squadron(
    "reds", "red", "Kongo", cruisers=8, laden_destroyers=3, cargo="a corps", activity="sea-transport", origin="truk"
)


@pytest.mark.rule("22.63B", "22.63")
def test_ships_with_cargo_go_back_to_where_they_came_from() -> None:
    ports = [port("truk", 30, side="red"), port("near", 3, side="red")]
    game = after(CONVOY, BLUE, orders=["activity:reds:abort", "return:reds:near"], bases=ports)
    back = "3 Japanese destroyer factors with cargo return to Truk, and with them a corps"
    assert follows(game, "22.63B") == [f"CG 1 (Red): {back}"]
    assert follows(game, "22.63", "red") == ["CG 1 (Red): the other ships return to Near"]


@pytest.mark.rule("22.63B")
@pytest.mark.parametrize(("number", "words"), [(1, "factor with cargo returns"), (2, "factors with cargo return")])
def test_one_returns_and_several_return(number: int, words: str) -> None:
    convoy = squadron("reds", "red", "Kongo", cruisers=8, laden_destroyers=number, cargo="a corps", origin="truk")
    game = after(convoy, BLUE, orders=["activity:reds:abort"])
    back = f"{number} Japanese destroyer {words} to truk, and with them a corps"
    assert follows(game, "22.63B") == [f"CG 1 (Red): {back}"]


@pytest.mark.rule("22.63B")
def test_laden_ships_alone_have_no_choice() -> None:
    alone = squadron("reds", "red", laden_destroyers=3, task_force=False, cargo="a corps", origin="truk")
    game = after(alone, BLUE, orders=["activity:reds:abort"], bases=[port("near", 3, side="red")])
    assert follows(game, "22.63", "red") == []
    assert "Choose a port for REDS" not in log(game)
    assert "return to truk, and with them a corps" in follows(game, "22.63B")[0]


@pytest.mark.rule("22.282")
def test_an_aborted_transport_bars_transports_for_its_destination() -> None:
    force = squadron("reds", "red", "Kongo", cruisers=8, laden_transports=3, cargo="a corps")
    assert len(follows(after(force, BLUE, orders=["activity:reds:abort"]), "22.282")) == 1
    assert follows(after(force, BLUE, orders=["activity:reds:go-on"]), "22.282") == []
    assert follows(after(CONVOY, BLUE, orders=["activity:reds:abort"]), "22.282") == []


@pytest.mark.rule("22.82C")
def test_destroyers_that_lost_their_cargo_may_bombard() -> None:
    game = after(RED | {"activity": "seaborne-invasion"}, BLUE, change=mark("reds", freed=2))
    assert "may bombard the shore in the same activity" in follows(game, "22.82C")[0]
    assert follows(after(), "22.82C") == []


@pytest.mark.rule("22.62", "22.281", "22.63D", "SOP-NI-J")
def test_who_returns_may_be_met_on_the_way_and_overfull_bases_are_put_right() -> None:
    game = after(orders=["activity:reds:go-on"])
    assert follows(game, "22.62") == ["Blue: ships on their way home may be attacked from the air or intercepted"]
    assert len(follows(game, "22.63D")) == 1


@pytest.mark.rule("22.63C")
def test_nobody_returns_to_a_base_that_is_being_invaded() -> None:
    assert len(follows(after(RED | {"activity": "seaborne-invasion"}, BLUE), "22.63C", "blue")) == 1
    assert follows(after(), "22.63C") == []


@pytest.mark.rule("22.92")
def test_submarines_that_attacked_are_inverted_and_others_not() -> None:
    def change(state: State) -> None:
        state.battle.submarines = [
            Submarines("blue", "united-states", 2, origin="Pearl Harbor", spent=1),
            Submarines("red", "japan", 3, accompany=True),
        ]

    game = after(change=change)
    later = "are not inverted and may intercept in later phases"
    assert follows(game, "22.92") == [
        "Japanese submarines: factors that did not attack, stay with their force and are not inverted: 3",
        "American submarines: factors that attacked, return to Pearl Harbor and are inverted: 1",
        f"American submarines: factors that did not attack, return to Pearl Harbor, {later}: 2",
    ]


@pytest.mark.rule("22.81A.2")
def test_raiders_have_rules_of_their_own() -> None:
    game = after(raiders=True, losers=RED_LOSES)
    assert follows(game, "22.81A", "red") == ["Red: ships in an SW box follow rules of their own (25.36)"]
    assert follows(game, "22.63") == []


# --- what is told -----------------------------------------------------------------------------------------------


def test_orders_are_given_in_secret_and_then_told() -> None:
    ports = [port("near", 3, side="red"), port("far", 9, side="red")]
    game = settled(bases=ports)
    fight(game, "activity:reds:abort", until=asks("return"))
    assert log(game, "blue").count("Red: choosing who continues and who returns") == 1
    assert "Near" not in log(game, "blue")
    fight(game, "return:reds:near")
    assert "CG 1 (Red): returns to Near" in log(game, "blue")


@pytest.mark.rule("22.72", "22.72A")
def test_the_result_says_who_has_won_and_why() -> None:
    """Red loses a destroyer and has Akagi damaged, Blue withdraws with its squadrons, which are not lost."""
    game = after(change=all_of(sink("reds", "japan:destroyer"), damage("reds", "akagi")))
    result = game.result
    assert result is not None
    assert result["summary"] == (
        "Red has won: Blue withdrew; Red lost 1 Japanese destroyer factor and 0 air squadrons; "
        "Blue lost no ships and 0 air squadrons"
    )
    assert (result["winner"], result["ended"], result["rule"]) == ("red", "Blue withdrew", "22.71A")
    assert (result["factors_sunk"], result["factors_damaged"]) == ({"red": 1, "blue": 0}, {"red": 3, "blue": 0})
    assert result["ships"] == {"red": "1 Japanese destroyer factor", "blue": "no ships"}
    assert result["brps_lost"] == {"red": 0, "blue": 0}
    assert result["cargo_lost"] == {"red": {}, "blue": {}}
    assert "Battle over: Blue withdrew; Red has won (22.71A)" in log(game, "red")
    assert game.view("blue").data["outcome"]["losers"] == ["blue"]


def test_the_result_of_a_battle_that_both_have_lost() -> None:
    result = after(losers=("red", "blue")).result
    assert result is not None
    assert result["summary"].startswith("Both sides are defeated: Red and Blue withdrew; ")
    assert result["winner"] is None
