"""22.411, 22.6, 22.7: who announces first, who may withdraw, when a battle is over and who has lost it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from flagplot.awaw.battle.air_plan import break_down_army_air
from flagplot.awaw.battle.groups import is_slow_group
from flagplot.awaw.battle.withdrawal import announcing_order, ending, has_operational_carrier
from flagplot.awaw.counting import take
from flagplot.awaw.state.battle import Group, Outcome
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.levels import Level
from flagplot.kernel.requests import Choose
from tests.awaw.battles import asked_now, asks, battle, fight, group, ships, squadron
from tests.awaw.endings import BLUE, RED, Change, all_of, cripple, damage, mark, round_over, sink
from tests.awaw.scenes import base, log, short, start

DESTROYER, CRUISER = "japan:destroyer", "japan:cruiser"
THEIR_DESTROYER, THEIR_CRUISER = "united-states:destroyer", "united-states:cruiser"
AIR = "united-states:naval"
HIT = mark("blues", attacked=True, revealed=True)
SECOND = squadron("others", "blue", "Hornet", cruisers=10, air=2)


def asked_first(game: Game[State]) -> str:
    assert isinstance(game.pending, Choose)
    assert game.pending.verb == "withdraw"
    return game.pending.side


def nothing(state: State) -> None: ...


def someone_left(game: Game[State]) -> bool:
    return bool(game.state.battle.departed)


def gone(game: Game[State], key: str = "blues") -> Group:
    return game.state.battle.departed[key]


def shed_cruiser(state: State) -> None:
    """A damaged cruiser of Red has left its group (22.524A)."""
    damage("reds", CRUISER)(state)
    reds = state.battle.groups["reds"]
    which = next(which for which in reds.ships if which.light and which.damaged)
    take(reds.ships, which, 1)
    reds.shed = {which: 1}


def ended(rule: str, losers: Sequence[str], *reasons: str) -> Outcome:
    """A battle that ended so; each side has lost it by the same rule unless others are given."""
    return Outcome(rule, tuple(losers), reasons or (rule,) * len(losers))


# --- who announces first ----------------------------------------------------------------------------------------


@pytest.mark.rule("22.61A")
@pytest.mark.parametrize(
    ("change", "first"),
    [
        (nothing, "blue"),
        (sink("reds", DESTROYER), "red"),
        (all_of(sink("reds", DESTROYER), sink("blues", THEIR_DESTROYER)), "blue"),
        (all_of(sink("reds", DESTROYER), sink("blues", THEIR_CRUISER)), "blue"),
        (all_of(sink("reds", DESTROYER, 2), damage("blues", "washington"), sink("blues", THEIR_DESTROYER)), "red"),
        (damage("reds", CRUISER), "red"),
        (all_of(damage("reds", CRUISER), damage("blues", "washington")), "blue"),
        (all_of(damage("reds", "akagi"), damage("blues", THEIR_CRUISER)), "red"),
        (all_of(damage("reds", "akagi"), damage("blues", "enterprise")), "blue"),
        (damage("reds", "akagi", hits=1), "blue"),
        (shed_cruiser, "red"),
        (all_of(sink("reds", CRUISER), sink("blues", THEIR_DESTROYER, 3)), "blue"),
        (all_of(sink("reds", DESTROYER, 3), sink("blues", THEIR_CRUISER)), "red"),
    ],
)
def test_who_lost_more_announces_first_then_who_was_damaged_more_then_the_interceptor(
    change: Change, first: str
) -> None:
    assert asked_first(round_over(change=change)) == first


@pytest.mark.rule("22.61A")
@pytest.mark.parametrize(
    ("before", "change", "first"),
    [
        (sink("reds", DESTROYER, 3), nothing, "blue"),
        (damage("reds", "akagi"), nothing, "blue"),
        (damage("reds", CRUISER), nothing, "blue"),
        (all_of(damage("reds", CRUISER), sink("reds", DESTROYER, 3)), sink("blues", THEIR_DESTROYER), "blue"),
        (damage("reds", CRUISER), damage("reds", CRUISER), "red"),
    ],
)
def test_only_the_round_that_has_ended_counts(before: Change, change: Change, first: str) -> None:
    assert asked_first(round_over(before=before, change=change)) == first


@pytest.mark.rule("22.61A")
def test_a_cruiser_damaged_before_and_sunk_now_hides_no_fresh_damage() -> None:
    """Both sides lose a cruiser; Red's was damaged before, and another one is damaged now."""

    def change(state: State) -> None:
        reds = state.battle.groups["reds"].ships
        hurt = next(which for which in reds if which.light and which.damaged)
        take(reds, hurt, 1)
        state.losses.ships[hurt.bearing(0)] = 1
        damage("reds", CRUISER)(state)
        sink("blues", THEIR_CRUISER)(state)

    assert asked_first(round_over(before=damage("reds", CRUISER), change=change)) == "red"


@pytest.mark.rule("22.61A")
def test_ships_sunk_in_the_round_do_not_count_as_damaged_too() -> None:
    """Both sides lose a cruiser; then Red has one damaged and Blue a battleship."""
    both = all_of(sink("reds", CRUISER), sink("blues", THEIR_CRUISER))
    hurt = all_of(damage("reds", CRUISER), damage("blues", "washington"))
    assert asked_first(round_over(change=all_of(both, hurt))) == "blue"
    twice = all_of(damage("reds", CRUISER, 2), damage("blues", THEIR_CRUISER))
    assert asked_first(round_over(change=all_of(both, twice))) == "red"


@pytest.mark.rule("22.61A")
def test_transports_count_by_their_printed_size() -> None:
    laden = squadron("reds", "red", "Kongo", cruisers=10, transports=2)
    game = round_over(laden, BLUE, change=sink("reds", "japan:transport"))
    assert announcing_order(game.state) == ("red", "blue")


@pytest.mark.rule("22.61A")
def test_the_second_knows_what_the_first_has_announced() -> None:
    game = round_over()
    assert asked_first(game) == "blue"
    game.choose("withdraw:all")
    assert asked_first(game) == "red"
    assert "CG 1 (Blue) withdraws" in log(game, "red")
    assert game.view("red").data["departed"][0]["number"] == 1


# --- who may withdraw -------------------------------------------------------------------------------------------


@pytest.mark.rule("22.61", "22.411A", "22.54H.2", "SOP-NC-I.K")
def test_after_a_round_without_a_shot_each_side_may_withdraw_or_stay() -> None:
    game = round_over()
    assert asked_now(game) == ["withdraw:none", "withdraw:all"]
    fight(game, "withdraw:none", until=lambda game: game.pending.side == "red")  # type: ignore[union-attr]
    assert asked_now(game) == ["withdraw:none", "withdraw:all"]
    fight(game, until=lambda game: game.state.battle.round == 2)
    assert not game.state.battle.departed
    assert "Red: no withdrawal" in log(game, "blue")


@pytest.mark.rule("22.411A", "22.54H.2", "SOP-NC-I.K", "22.54H")
def test_withdrawal_follows_the_fights_of_every_round() -> None:
    small = [
        squadron("a", "red", destroyers=1, task_force=False),
        squadron("b", "blue", destroyers=1, task_force=False),
    ]
    game = fight(start(battle(*small, rounds=2)), "number:a:3", "number:b:3", until=asks("withdraw"))
    assert game.state.battle.round == 1
    fight(game, "withdraw:none", "withdraw:none", until=lambda game: game.state.battle.round == 2)
    fight(game, until=asks("withdraw"))
    assert game.state.battle.round == 2


@pytest.mark.rule("22.61")
def test_some_groups_leave_and_others_stay() -> None:
    game = fight(
        round_over(RED, BLUE, SECOND), "withdraw:some", "withdraw:1:stay", "withdraw:2:leave", until=someone_left
    )
    assert [one.number for one in game.state.battle.present("blue")] == [1]
    assert ships(gone(game, "others")) == {"hornet": 0, "united-states cruiser": 5}
    assert short(gone(game, "others").air) == {"united-states naval": 2}
    assert (gone(game, "others").number, gone(game, "others").left) == (2, 1)


@pytest.mark.rule("22.61D")
def test_of_a_group_that_was_not_attacked_nobody_leaves_alone() -> None:
    """Not even a damaged ship."""
    hurt = damage("blues", "washington")
    game = round_over(RED, BLUE, SECOND, change=all_of(hurt, mark("others", attacked=True)))
    fight(game, "withdraw:some", until=asks("withdraw:1"))
    assert asked_now(game) == ["withdraw:1:stay", "withdraw:1:leave"]
    game.choose("withdraw:1:stay")
    assert asked_now(game) == ["withdraw:2:stay", "withdraw:2:leave", "withdraw:2:part"]
    assert asked_now(round_over(change=hurt)) == ["withdraw:none", "withdraw:all"]


@pytest.mark.rule("22.61D", "22.61")
@pytest.mark.parametrize(
    ("groups", "able"),
    [
        ({"blues": 1}, ["none", "all"]),
        ({"blues": 2}, ["none", "all", "some"]),
        ({"blues": 1, "others": 1}, ["none", "all", "some"]),
    ],
)
def test_some_leave_if_there_is_more_than_one_ship_or_group(groups: dict[str, int], able: list[str]) -> None:
    """All the groups were attacked and have so many destroyers."""
    forces = [squadron(name, "blue", destroyers=number, task_force=False) for name, number in groups.items()]
    game = round_over(RED, *forces, change=all_of(*[mark(name, attacked=True) for name in groups]))
    assert asked_now(game) == [f"withdraw:{answer}" for answer in able]


@pytest.mark.rule("22.61D", "22.61B", "22.61")
def test_ships_of_one_kind_leave_in_any_number() -> None:
    game = round_over(change=HIT)
    fight(game, "withdraw:some", "withdraw:1:part", until=asks(f"leave:1:{THEIR_DESTROYER}"))
    assert asked_now(game) == [f"leave:1:{THEIR_DESTROYER}:{number}" for number in range(5)]
    assert "withdraw how many of 4 American destroyer factors?" in str(game.pending)
    game.choose(f"leave:1:{THEIR_DESTROYER}:3")
    assert ships(gone(game)) == {"united-states destroyer": 3}
    assert "withdraw Washington?" in log(game, "blue")


@pytest.mark.rule("22.61B", "22.61")
@pytest.mark.parametrize(
    ("escort", "leaving"),
    [
        ([], {"washington damaged": 2}),
        (
            [f"leave:1:{THEIR_CRUISER}:1", f"leave:1:{THEIR_DESTROYER}:3"],
            {"washington damaged": 2, "united-states cruiser": 1, "united-states destroyer": 3},
        ),
    ],
)
def test_damaged_ships_leave_alone_or_with_others_to_protect_them(escort: list[str], leaving: dict[str, int]) -> None:
    game = round_over(change=all_of(damage("blues", "washington"), HIT))
    hits = next(which.hits for which in game.state.battle.groups["blues"].ships if which.id == "washington")
    leaving["washington damaged"] = hits
    fight(
        game,
        "withdraw:some",
        "withdraw:1:part",
        "leave:1:washington:1",
        *escort,
        until=someone_left,
    )
    assert ships(gone(game)) == leaving
    assert not {"washington", "washington damaged"} & set(ships(group(game, "blue", 1)))
    assert sum(group(game, "blue", 1).ships.values()) == 9 - sum(gone(game).ships.values())


@pytest.mark.rule("22.61B")
def test_damaged_cruisers_are_told_from_sound_ones() -> None:
    game = round_over(change=all_of(damage("blues", THEIR_CRUISER), HIT))
    fight(
        game,
        "withdraw:some",
        "withdraw:1:part",
        f"leave:1:{THEIR_CRUISER}:damaged:1",
        until=someone_left,
    )
    assert ships(gone(game)) == {"united-states cruiser damaged": 1}
    assert ships(group(game, "blue", 1))["united-states cruiser"] == 2


@pytest.mark.rule("22.61C")
def test_parts_of_one_group_that_leave_in_different_rounds_are_kept_apart() -> None:
    game = round_over(change=HIT)
    one = ("withdraw:some", "withdraw:1:part", f"leave:1:{THEIR_DESTROYER}:1")
    fight(game, *one, until=someone_left)
    fight(game, until=lambda game: game.state.battle.round == 2)
    fight(game, until=lambda game: game.state.frames[0].segment == "withdrawal")
    game.state.battle.groups["blues"].this_round.attacked = True
    again = game.from_border(game.state)
    fight(again, *one, until=lambda game: len(game.state.battle.departed) == 2)
    assert {key: part.left for key, part in again.state.battle.departed.items()} == {"blues": 1, "blues/2": 2}


@pytest.mark.rule("22.427", "22.61B")
def test_laden_ships_and_their_cargo_leave_together() -> None:
    convoy = squadron(
        "blues", "blue", "Washington", cruisers=6, laden_destroyers=3, laden_transports=2, cargo="a corps"
    )
    convoy |= {"activity": "sea-transport", "origin": "noumea", "loads": [{"name": "corps", "factors": 5}]}
    game = round_over(RED, convoy, change=HIT)
    fight(game, "withdraw:some", "withdraw:1:part", until=asks("leave:1:laden"))
    assert asked_now(game) == ["leave:1:laden:0", "leave:1:laden:1"]
    fight(game, "leave:1:laden:1", until=someone_left)
    away, left = gone(game), group(game, "blue", 1)
    assert ships(away) == {"united-states destroyer laden": 3, "united-states transport laden": 2}
    assert (away.cargo, away.loads, away.origin, away.activity) == ("a corps", {"corps": 5}, "noumea", "sea-transport")
    assert (left.cargo, left.loads) == ("", {})


@pytest.mark.rule("22.524A")
def test_ships_that_were_shed_leave_in_any_case() -> None:
    game = fight(round_over(change=shed_cruiser), "withdraw:none", until=someone_left)
    assert ships(gone(game, "reds")) == {"japan cruiser damaged": 1}
    assert group(game, "red", 1).shed == {}
    assert ships(group(game, "red", 1))["japan cruiser"] == 2


@pytest.mark.rule("22.524A")
def test_they_leave_too_if_the_rest_of_their_group_is_sunk() -> None:
    def change(state: State) -> None:
        shed_cruiser(state)
        state.losses.ships = dict(state.battle.groups["reds"].ships)
        state.battle.groups["reds"].ships = {}

    game = fight(round_over(change=change), until=someone_left)
    assert ships(gone(game, "reds")) == {"japan cruiser damaged": 1}


def test_a_whole_group_takes_what_it_has_shed_with_it() -> None:
    game = round_over(change=all_of(shed_cruiser, damage("reds", CRUISER)))
    fight(game, "withdraw:all", until=someone_left)
    assert ships(gone(game, "reds"))["japan cruiser damaged"] == 2


# --- squadrons --------------------------------------------------------------------------------------------------

TWO_DECKS = squadron("blues", "blue", "Enterprise", "Hornet", cruisers=10, air=4)


@pytest.mark.rule("17.3124")
def test_who_stays_needs_room_on_carriers_that_stay() -> None:
    """Four squadrons on two carriers of three: at least one leaves with one of them, and at most three."""
    game = round_over(RED, TWO_DECKS, change=HIT)
    fight(game, "withdraw:some", "withdraw:1:part", "leave:1:hornet:1", until=asks("land:1"))
    assert [text[-1] for text in asked_now(game)] == ["1", "2", "3"]
    game.choose(asked_now(game)[1])
    assert short(gone(game).air) == {AIR.replace(":", " "): 2}
    assert short(group(game, "blue", 1).air) == {AIR.replace(":", " "): 2}


@pytest.mark.rule("17.3124")
def test_squadrons_aboard_damaged_carriers_leave_with_them() -> None:
    def change(state: State) -> None:
        all_of(HIT, damage("blues", "hornet"), damage("blues", "enterprise"))(state)
        site, blues = state.at_sea("blue"), state.battle.groups["blues"]
        site.grounded, blues.air = blues.air, {}

    game = round_over(RED, TWO_DECKS, change=change)
    fight(game, "withdraw:some", "withdraw:1:part", "leave:1:hornet:1", until=asks("carry:1"))
    assert [text[-1] for text in asked_now(game)] == ["1", "2", "3"]
    game.choose(asked_now(game)[-1])
    assert short(gone(game).air) == {AIR.replace(":", " "): 3}
    assert short(game.state.at_sea("blue").grounded) == {AIR.replace(":", " "): 1}


def test_all_squadrons_leave_with_all_carriers() -> None:
    game = fight(round_over(), "withdraw:all", until=someone_left)
    assert short(gone(game).air) == {AIR.replace(":", " "): 3}


# --- what the enemy learns --------------------------------------------------------------------------------------


def test_of_a_group_that_he_has_not_seen_the_enemy_learns_the_number_alone() -> None:
    game = fight(round_over(RED, BLUE, SECOND), "withdraw:some", "withdraw:2:leave", until=someone_left)
    assert asked_first(game) == "red"
    assert "CG 2 (Blue) withdraws" in log(game, "red")
    assert "Hornet" not in log(game, "red")
    assert "CG 2 (Blue) withdraws: Hornet, 5 American cruisers" in log(game, "blue")
    theirs, ours = (game.view(side).data["departed"][0] for side in ("red", "blue"))
    assert theirs == {"side": "blue", "number": 2, "round": 1, "revealed": False}
    assert [entry["text"] for entry in ours["ships"]] == ["Hornet", "5 American cruisers"]
    assert "CG 2 [withdrawn after round 1]" in str(game.view("red"))
    assert "CG 2 OTHERS [withdrawn after round 1]: Hornet" in str(game.view("blue"))


def test_of_a_group_that_he_has_seen_he_learns_the_ships() -> None:
    game = round_over(change=all_of(damage("blues", "washington"), HIT))
    fight(game, "withdraw:some", "withdraw:1:part", "leave:1:washington:1", until=someone_left)
    assert "Ships of CG 1 (Blue) withdraw: Washington (damaged)" in log(game, "red")
    assert [entry["id"] for entry in game.view("red").data["departed"][0]["ships"]] == ["washington"]


def test_the_enemy_reads_one_line_however_much_is_decided() -> None:
    game = round_over(RED, BLUE, SECOND, change=HIT)
    fight(game, "withdraw:some", "withdraw:1:part", f"leave:1:{THEIR_DESTROYER}:1", until=asks("withdraw:2"))
    assert log(game, "red").count("choosing whether to withdraw") == 1
    assert game.view("red").data["departed"] == []


# --- between rounds ---------------------------------------------------------------------------------------------


LATE = squadron("late", "blue", "Yorktown", cruisers=10, arrives=2)


@pytest.mark.rule("22.411B", "22.421B", "22.73", "SOP-NI-H.2")
def test_late_forces_join_in_the_next_round() -> None:
    game = fight(round_over(RED, BLUE, LATE), until=asks("number:late"))
    assert game.state.battle.round == 2
    assert asked_now(game) == [f"number:late:{number}" for number in (2, 3, 4, 5, 6, 0)]
    fight(game, "number:late:4", until=asks("withdraw"))
    assert [one.number for one in game.state.battle.present("blue")] == [1, 4]


@pytest.mark.rule("22.411B", "22.71", "22.71A")
def test_they_come_too_late_for_a_battle_that_is_over() -> None:
    game = fight(round_over(RED, BLUE, LATE), "withdraw:all", "withdraw:none")
    assert game.state.battle.outcome == ended("22.71A", ("blue",))
    assert game.state.battle.round == 1


@pytest.mark.rule("22.411B", "22.421C.3")
def test_the_number_of_a_group_that_withdrew_is_free() -> None:
    game = fight(
        round_over(RED, BLUE, SECOND, LATE),
        "withdraw:some",
        "withdraw:1:leave",
        "withdraw:2:stay",
        until=asks("number"),
    )
    assert asked_now(game) == [f"number:late:{number}" for number in (1, 3, 4, 5, 6, 0)]


@pytest.mark.rule("22.411B", "22.421C", "22.421C.3")
def test_a_seventh_group_comes_in_only_if_one_has_left() -> None:
    small = [squadron(f"b{number}", "blue", "Nevada", cruisers=8) for number in range(1)]
    six = [squadron(f"b{number}", "blue", destroyers=10) for number in range(1, 6)]
    late = squadron("late", "blue", destroyers=10, arrives=2)
    full = fight(round_over(RED, *small, *six, late), until=lambda game: game.state.battle.round == 2)
    fight(full, until=asks("withdraw"))
    assert full.state.battle.groups["late"].number == 0
    game = fight(round_over(RED, *small, *six, late), "withdraw:some", "withdraw:3:leave", until=asks("number"))
    assert asked_now(game) == ["number:late:3", "number:late:0"]


@pytest.mark.rule("22.73", "22.311", "22.31", "SOP-NC-II", "22.411B")
def test_round_follows_round_until_the_battle_is_over() -> None:
    game = fight(round_over(rounds=9), until=lambda game: game.state.battle.round == 4)
    assert game.state.battle.outcome is None
    fight(game, until=asks("withdraw"))
    game.choose("withdraw:all")
    fight(game)
    assert game.state.battle.round == 4
    assert game.result is not None


@pytest.mark.rule("22.411B")
def test_what_a_round_did_to_a_group_is_forgotten() -> None:
    marks = mark("blues", attacked=True, fought=True, results=2, attacks=1, submarined=3, uncovered=True)
    game = fight(
        round_over(change=all_of(marks, mark("reds", evaded=True))), until=lambda game: game.state.battle.round == 2
    )
    blues, reds = group(game, "blue", 1), group(game, "red", 1)
    left = (
        blues.this_round.attacked,
        blues.this_round.fought,
        blues.this_round.results,
        blues.this_round.attacks,
        blues.this_round.submarined,
        blues.this_round.uncovered,
        reds.this_round.evaded,
    )
    assert not any(left)


# --- when it is over --------------------------------------------------------------------------------------------


def outcome(change: Change, *forces: dict[str, Any]) -> Outcome | None:
    return ending(round_over(*forces, change=change).state)


@pytest.mark.rule("22.71", "22.71A", "22.72", "22.72A")
@pytest.mark.parametrize(
    ("orders", "losers"),
    [(("withdraw:all", "withdraw:none"), ("blue",)), (("withdraw:none", "withdraw:all"), ("red",))],
)
def test_a_side_that_withdraws_everything_has_lost(orders: tuple[str, str], losers: tuple[str, ...]) -> None:
    game = round_over()
    for order in orders:
        game.choose(order)
    fight(game)
    assert game.state.battle.outcome == ended("22.71A", losers)
    assert game.result is not None
    assert game.result["winner"] == ("red" if losers == ("blue",) else "blue")


@pytest.mark.rule("22.71A", "22.72A")
def test_if_both_withdraw_both_have_lost() -> None:
    game = fight(round_over(), "withdraw:all", "withdraw:all")
    assert game.state.battle.outcome == ended("22.71A", ("red", "blue"))
    assert game.result is not None
    assert game.result["winner"] is None


@pytest.mark.rule("22.71A")
def test_if_only_some_groups_withdraw_the_battle_goes_on() -> None:
    game = fight(
        round_over(RED, BLUE, SECOND),
        "withdraw:some",
        "withdraw:2:leave",
        until=lambda game: game.state.battle.round == 2,
    )
    assert game.state.battle.outcome is None


BARE = squadron("reds", "red", "Kongo", cruisers=10)
MORE = squadron("more", "red", "Haruna", cruisers=10)
EVADED = mark("reds", evaded=True)


@pytest.mark.rule("22.71B", "22.72B")
def test_a_side_without_carriers_that_evaded_with_all_groups_has_lost() -> None:
    assert outcome(EVADED, BARE, BLUE) == ended("22.71B", ("red",))
    assert outcome(EVADED, BARE, MORE, BLUE) is None
    assert outcome(all_of(EVADED, mark("more", evaded=True)), BARE, MORE, BLUE) == ended("22.71B", ("red",))
    game = fight(round_over(BARE, BLUE, change=EVADED))
    assert game.result is not None
    assert (game.result["winner"], game.result["rule"]) == ("blue", "22.71B")


@pytest.mark.rule("22.71B")
def test_not_so_with_an_operational_carrier() -> None:
    """An undamaged fast carrier with a squadron; without one, or damaged, she does not count."""
    assert outcome(EVADED) is None
    assert outcome(all_of(EVADED, mark("reds", air={}))) == ended("22.71B", ("red",))
    assert outcome(all_of(EVADED, damage("reds", "akagi"))) == ended("22.71B", ("red",))
    other = squadron("more", "red", "Kaga", cruisers=10, air=1)
    assert outcome(all_of(EVADED, mark("more", evaded=True)), BARE, other, BLUE) is None
    assert has_operational_carrier(round_over().state.battle.groups["reds"])


@pytest.mark.rule("22.71B")
def test_groups_that_evaded_and_then_withdrew_have_evaded_and_others_have_not() -> None:
    for evaded, over in ((True, True), (False, False)):
        game = round_over(BARE, MORE, BLUE, change=all_of(EVADED, mark("more", evaded=evaded)))
        game.choose("withdraw:none")
        fight(game, "withdraw:some", "withdraw:2:leave", until=asks("activity") if over else asks("patrol"))
        assert (game.state.battle.outcome is not None) is over


@pytest.mark.rule("22.71C", "22.72C")
def test_a_side_without_undamaged_ships_has_lost() -> None:
    assert outcome(cripple("reds")) == ended("22.71C", ("red",))
    assert outcome(cripple("blues")) == ended("22.71C", ("blue",))
    assert outcome(all_of(cripple("reds"), cripple("blues"))) == ended("22.71C", ("red", "blue"))
    assert outcome(cripple("reds"), RED, MORE, BLUE) is None


@pytest.mark.rule("22.71C")
def test_hits_short_of_damage_leave_a_ship_undamaged() -> None:
    """Akagi has one hit of the two that damage her, and is the only ship left."""

    def change(state: State) -> None:
        cripple("reds")(state)
        reds = state.battle.groups["reds"].ships
        hurt = next(which for which in reds if which.id == "akagi")
        take(reds, hurt, 1)
        state.battle.groups["reds"].ships = {hurt.bearing(1): 1, **reds}

    assert outcome(change) is None


@pytest.mark.rule("22.71C", "22.311")
def test_a_side_that_was_sunk_has_lost() -> None:
    def change(state: State) -> None:
        state.battle.groups["blues"].ships = {}

    game = fight(round_over(change=change))
    assert game.state.battle.outcome == ended("22.71C", ("blue",))


@pytest.mark.rule("22.71A", "22.71C")
def test_a_side_of_which_a_part_withdrew_earlier_and_the_rest_was_sunk_has_not_withdrawn() -> None:
    def change(state: State) -> None:
        state.battle.departed["blues"] = state.battle.groups.pop("blues")
        state.battle.departed["blues"].left = 1
        state.battle.groups["others"].ships = {}
        state.battle.phase = 1

    game = round_over(RED, BLUE, SECOND, change=change)
    assert ending(game.state) == ended("22.71C", ("blue",))
    game.state.battle.departed["blues"].left = 2
    assert ending(game.state) == ended("22.71A", ("blue",))


@pytest.mark.rule("22.71")
@pytest.mark.parametrize("change", [cripple("blues"), mark("blues", evaded=True, air={})])
def test_forces_that_have_not_entered_do_not_count(change: Change) -> None:
    """Neither undamaged ships nor operational carriers of a late force prolong the battle."""
    late = squadron("late", "blue", "Hornet", cruisers=10, air=3, arrives=2)
    found = outcome(change, RED, BLUE, late)
    assert found is not None
    assert found.losers == ("blue",)


@pytest.mark.rule("22.72")
def test_each_side_may_have_lost_in_its_own_way() -> None:
    """Blue withdraws from an enemy who has no undamaged ship left."""
    game = fight(round_over(change=all_of(cripple("reds"), sink("blues", THEIR_DESTROYER, 4))), until=asks("withdraw"))
    while game.pending is not None and game.state.frames[0].segment == "withdrawal":
        game.choose("withdraw:all" if asked_first(game) == "blue" else "withdraw:none")
    fight(game)
    assert game.state.battle.outcome == ended("22.71A", ("red", "blue"), "22.71C", "22.71A")
    words = "Red had no undamaged ship left; Blue withdrew"
    assert f"Battle over: {words}; both sides are defeated" in log(game)


@pytest.mark.rule("22.71B", "22.72B")
def test_a_group_that_was_sunk_without_evading_has_not_evaded() -> None:
    destroyed = all_of(EVADED, mark("more", ships={}))
    assert outcome(destroyed, BARE, MORE, BLUE) is None


@pytest.mark.rule("17.3124")
def test_damaged_carriers_that_have_not_arrived_are_no_room_for_squadrons_that_stay() -> None:
    """Enterprise is damaged and leaves with two squadrons aboard; Hornet, damaged too, comes only later."""
    late = squadron("late", "blue", "Hornet", cruisers=8, arrives=2, hits={"Hornet": 2})

    def aboard(state: State) -> None:
        blues = state.battle.groups["blues"]
        (which,) = blues.air
        state.at_sea("blue").grounded, blues.air, blues.this_round.attacked = {which: 2}, {}, True

    game = round_over(RED, BLUE, late, change=all_of(damage("blues", "enterprise"), aboard))
    orders = ("withdraw:some", "withdraw:1:part", "leave:1:enterprise:1")
    fight(game, *orders, until=lambda game: bool(game.state.battle.departed))
    assert sum(game.state.battle.departed["blues"].air.values()) == 2


@pytest.mark.rule("22.61A")
def test_in_a_counter_interception_battle_the_tie_is_the_counter_interceptors() -> None:
    assert announcing_order(round_over().state) == ("blue", "red")
    assert announcing_order(round_over(withholds="blue").state) == ("red", "blue")


# --- sea supply -------------------------------------------------------------------------------------------------


def convoy(**more: Any) -> dict[str, Any]:
    return squadron("reds", "red", "Kongo", cruisers=10, activity="sea-supply", **more)


@pytest.mark.rule("22.71C")
def test_who_traces_sea_supply_may_fight_on() -> None:
    game = fight(round_over(convoy(), BLUE, change=cripple("reds")), until=asks("battle"))
    assert (game.pending.side, asked_now(game)) == ("red", ["battle:ends", "battle:goes-on"])  # type: ignore[union-attr]
    assert is_slow_group(group(game, "red", 1))
    fight(game, "battle:goes-on", until=lambda game: game.state.battle.round == 2)
    assert game.state.battle.outcome is None
    fight(game, "battle:ends")
    assert game.state.battle.outcome == ended("22.71C", ("red",))


@pytest.mark.rule("22.71A", "22.71C", "22.72A")
@pytest.mark.parametrize("leaves", [True, False])
def test_once_the_enemy_has_left_an_admirals_staff_stays_for_him(leaves: bool) -> None:
    """The rules ask even then (22.61), with nothing to gain, and the battle is over (22.71A)."""
    game = fight(round_over(change=damage("reds", CRUISER)), *["withdraw:all"] * leaves, until=second_is_asked)
    assert isinstance(game.pending, Choose)
    side = game.pending.side
    (share, *_) = game.sheet(side, level=Level.COMMAND, staff=Leaver())
    assert (share.key, share.chosen) == ("withdraw", "withdraw:none" if leaves else "withdraw:all")
    assert bool(game.sheet(side, level=Level.COMMAND).open_to()) is not leaves
    assert game.sheet(side, staff=Leaver()).open_to()[0].chosen == "withdraw:all", "who decides everything is asked"


class Leaver:
    """A staff that would always go home."""

    def choose(self, view: Any, request: Choose[Any]) -> str:
        return "withdraw:all" if request.find("withdraw:all") else request.option(0).text


def second_is_asked(game: Game[State]) -> bool:
    asked = game.pending
    first = announcing_order(game.border.state)[0]
    return isinstance(asked, Choose) and asked.verb == "withdraw" and asked.side != first


def test_a_crippled_escort_of_sea_supply_has_not_lost_if_the_enemy_leaves() -> None:
    game = round_over(convoy(), BLUE, change=cripple("reds"))
    while game.pending is not None and game.state.frames[0].segment == "withdrawal":
        game.choose("withdraw:all" if asked_first(game) == "blue" else "withdraw:none")
    fight(game)
    assert game.state.battle.outcome == ended("22.71A", ("blue",))


@pytest.mark.rule("22.71C")
def test_he_may_also_let_it_end() -> None:
    game = fight(round_over(convoy(), BLUE, change=cripple("reds")), "battle:ends")
    assert game.state.battle.outcome == ended("22.71C", ("red",))


@pytest.mark.rule("22.71C")
def test_nobody_fights_on_without_a_line_an_enemy_or_another_round() -> None:
    def lost(state: State) -> None:
        state.battle.groups["reds"].ships = {}

    def won(state: State) -> None:
        state.battle.groups["blues"].ships = {}

    for game in (
        round_over(BARE, BLUE, change=cripple("reds")),
        round_over(convoy(), BLUE, change=lost),
        round_over(convoy(), BLUE, change=cripple("reds"), rounds=1),
    ):
        fight(game)
        assert game.state.battle.outcome == ended("22.71C", ("red",))
        assert "Keep fighting for the sea supply line?" not in log(game)
    game = fight(round_over(convoy(), BLUE, change=won))
    assert game.state.battle.outcome == ended("22.71C", ("blue",))
    assert "Keep fighting for the sea supply line?" not in log(game)


@pytest.mark.rule("22.71")
def test_a_battle_that_ended_because_all_groups_evaded_does_not_go_on_for_sea_supply() -> None:
    """Nobody is crippled: Red, who protects the line, has evaded without a carrier."""
    game = fight(round_over(convoy(), BLUE, change=EVADED))
    assert game.state.battle.outcome == ended("22.71B", ("red",))
    assert "Keep fighting for the sea supply line?" not in log(game)


@pytest.mark.rule("22.71")
@pytest.mark.parametrize("rounds", [1, 2])
def test_the_last_round_of_the_scenario_is_not_followed_by_another(rounds: int) -> None:
    """Crippled escorts of sea supply might go on, but only while there are rounds."""
    game = round_over(convoy(), BLUE, change=cripple("reds"), rounds=rounds)
    fight(game, until=lambda game: asks("battle")(game) or game.state.battle.outcome is not None)
    assert asks("battle")(game) is (rounds > 1)


@pytest.mark.rule("22.71C", "22.72")
@pytest.mark.parametrize("leaves", [False, True])
def test_one_group_that_protects_sea_supply_is_enough(leaves: bool) -> None:
    """Another group is in the battle for something else; all are crippled, and the enemy stays or leaves."""
    game = round_over(convoy(), MORE, BLUE, change=all_of(cripple("reds"), cripple("more")))
    while game.pending is not None and game.state.frames[0].segment == "withdrawal":
        game.choose("withdraw:all" if leaves and asked_first(game) == "blue" else "withdraw:none")
    if leaves:
        fight(game)
        assert game.state.battle.outcome == ended("22.71A", ("blue",))
    else:
        assert asked_now(game) == ["battle:ends", "battle:goes-on"]


@pytest.mark.rule("22.71A")
def test_withdrawal_ends_it_even_so() -> None:
    game = fight(round_over(convoy(), BLUE, change=cripple("reds")), "withdraw:all", "withdraw:none")
    assert game.state.battle.outcome is not None
    assert game.state.battle.outcome.rule == "22.71A"


@pytest.mark.rule("22.411B", "22.311")
@pytest.mark.parametrize("rounds", [1, 2])
def test_what_was_found_and_attacked_in_a_round_is_forgotten_with_it(rounds: int) -> None:
    """Before the next one, in which a late force is numbered, or at the end of the battle."""
    marks = all_of(*[mark(key, results=2, attacks=1, submarined=1) for key in ("reds", "blues")])
    late = squadron("late", "red", cruisers=10, arrives=2)
    game = fight(round_over(RED, late, BLUE, change=marks, rounds=rounds), until=asks("number"))
    assert (game.pending is None) is (rounds == 1)
    counts = [
        (one.this_round.results, one.this_round.attacks, one.this_round.submarined)
        for one in game.state.battle.groups.values()
    ]
    assert counts == [(0, 0, 0)] * 3
    assert ("Battle over" in log(game)) is (rounds == 1)


@pytest.mark.rule("22.8")
@pytest.mark.parametrize(("ends", "air"), [(True, {"japan army": 1}), (False, {"japan army attack": 1})])
def test_squadrons_are_put_together_unless_something_follows_the_battle(ends: bool, air: dict[str, int]) -> None:
    isle = base("isle", "red", (0, 2), "1 japan army")

    def change(state: State) -> None:
        break_down_army_air(state, "red")
        state.setting = replace(state.setting, ends_turn=ends)

    game = fight(round_over(RED, BLUE, bases=[isle], rounds=1, change=change))
    assert air.items() <= short(game.state.sites["isle"].air).items()


@pytest.mark.rule("23.164", "23.141C", "23.144")
@pytest.mark.parametrize(
    ("orders", "air"),
    [
        ((), {"united-states army": 2, "united-states naval": 2}),
        (("cover:1:isle:united-states:army:cover:1",), {"united-states army": 1, "united-states army inverted": 1}),
        (
            ("search:isle:united-states:naval:squadrons:1",),
            {"united-states naval": 1, "united-states naval inverted": 1},
        ),
    ],
)
def test_air_that_was_used_is_inverted_as_after_an_operation(orders: tuple[str, ...], air: dict[str, int]) -> None:
    """23.164: the player turn of a battle by itself is over with it. A factor of which one squadron was used is
    inverted (23.144)."""
    isle = base("isle", "blue", (0, 2), "2 united-states army", "2 united-states naval")
    game = fight(start(battle(RED, BLUE, bases=[isle])), *orders)
    assert air.items() <= short(game.state.sites["isle"].air).items()
    assert not game.state.sites["isle"].used
    assert ("Air used at sea is inverted" in log(game)) == bool(orders)


# --- our own endings --------------------------------------------------------------------------------------------


@pytest.mark.rule("22.71")
def test_an_undecided_battle_is_broken_off_with_the_last_round_of_its_scenario() -> None:
    game = fight(round_over(rounds=1))
    assert game.state.battle.outcome == ended("22.73", ())
    assert "Battle over: broken off after the scenario's last round; nobody has won" in log(game)


@pytest.mark.rule("22.35D", "SOP-NC-II", "SOP-NC-DAGGER", "22.61")
def test_raiders_fight_one_round() -> None:
    game = round_over(raiders=True, rounds=6)
    assert "Raider combat ends after this round. Withdraw?" in str(game.pending)
    assert "Raider combat" not in str(round_over().pending)
    fight(game)
    assert game.state.battle.outcome == ended("22.35", ())
    assert game.state.battle.round == 1
    assert fight(round_over(raiders=True), "withdraw:all").state.battle.outcome == ended("22.71A", ("blue",))


# --- the order of a round ---------------------------------------------------------------------------------------


@pytest.mark.rule("22.31", "22.32", "22.41")
def test_the_segments_of_a_round_come_in_the_order_of_the_book() -> None:
    """Air bases, search and air strikes, then fleet combat, then submarines, then withdrawal; and all over again."""
    boats = [{"side": "red", "nation": "japan", "factors": 1, "accompany": True}]
    isle = base("isle", "blue", (0, 2), "2 united-states naval")
    game = start(battle(RED, BLUE, rounds=2, submarines=boats, bases=[isle]))
    passed: list[str] = []
    while game.pending is not None:
        frames = game.state.frames
        segment = frames[1].procedure if len(frames) > 1 else frames[0].segment
        if passed[-1:] != [segment]:
            passed.append(segment)
        fight(game, until=lambda game, before=game.turn: game.turn > before)  # type: ignore[misc]
    last = passed[: passed.index("withdrawal") + 1]
    order = [name for name in BOOK if name in last]
    assert last == order
    assert {"combat_groups", "base-attacks", "searches", "fleet-combat", "submarine-attacks"} <= set(last)
    assert passed.count("searches") == 2


BOOK = (
    "combat_groups",
    "combat_air_patrol",
    "base-attacks",
    "air_cover",
    "search_squadrons",
    "searches",
    "surprise_strike",
    "air-strikes",
    "landing",
    "fleet-combat",
    "submarine-attacks",
    "withdrawal",
)
"""22.41A-I, 22.411A."""
