"""22.45, 23.72: search: how many dice, what they find, what the owner of a found group tells, and what it opens."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.battle.groups import facts_of
from flagplot.awaw.battle.search import count_attack, dice_of, open_to_fleets, results_left
from flagplot.awaw.battle.strikes import open_targets, results_against, striking_order, surprising_side
from flagplot.awaw.ships import Fleet, Kind, ship
from flagplot.awaw.state.battle import Facts, Group, GroupRound
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Roll
from tests.awaw.battles import asked_now, asks, battle, fight, fleet_of, group, rolls_for, squadron
from tests.awaw.scenes import base, log, start

LEXINGTON = squadron("lady", "blue", "Lexington", cruisers=10, air=3)
ENEMY = squadron("enemy", "blue", destroyers=12)


def dice(game: Game[State], side: str) -> list[tuple[str, int]]:
    """The search dice of a side, line by line, each with its rule."""
    return [(line.rule, line.amount) for line in dice_of(game.state, side).lines if line.amount]


def ready_to_search(*forces: dict[str, Any], orders: tuple[str, ...] = (), **more: Any) -> Game[State]:
    """A battle up to the first search roll that is made."""
    return fight(start(battle(*forces, **more)), *orders, until=rolls_for(": search"))


# --- the number of dice -----------------------------------------------------------------------------------------


@pytest.mark.rule("22.425D.1.1", "22.428A", "22.451D.1", "23.722D.1", "T22.45-04", "T23.72-04")
@pytest.mark.parametrize(
    ("ships", "number"),
    [
        ({"destroyers": 10}, 1),
        ({"cruisers": 8, "cves": 2}, 1),
        ({"destroyers": 9, "transports": 5, "task_force": False}, 0),
        ({"cruisers": 8, "destroyers": 3, "damaged_cruisers": 1}, 0),
        ({"cruisers": 8, "destroyers": 4, "damaged_cruisers": 1}, 1),
    ],
)
def test_an_active_group_gives_a_die_for_ten_undamaged_factors(ships: dict[str, Any], number: int) -> None:
    game = ready_to_search(squadron("a", "red", **ships), ENEMY)
    assert dice(game, "red") == ([("22.451D", 1)] if number else [])


@pytest.mark.rule("22.428A", "22.451D.1")
def test_a_distant_group_gives_no_die_for_its_factors() -> None:
    game = ready_to_search(squadron("a", "red", destroyers=25), ENEMY, orders=("number:a:2",))
    assert dice(game, "red") == []


@pytest.mark.rule("22.425D.1.1", "22.425D.2.1", "22.451D.1", "22.451D.2")
def test_every_active_group_and_every_distant_carrier_group_counts() -> None:
    forces = [squadron(name, "red", destroyers=10) for name in "ab"]
    forces += [squadron(name, "red", ship, cruisers=10, air=3) for name, ship in (("c", "Akagi"), ("d", "Kaga"))]
    orders = ("number:a:1", "number:b:2", "number:c:5", "number:d:6")
    game = start(battle(*forces, ENEMY, rounds=2))
    fight(game, *orders, until=lambda game: game.state.battle.round == 2 and rolls_for("Red: search")(game))
    assert dice(game, "red") == [("22.451C", 1), ("22.451D", 2), ("22.451D", 2)]
    assert isinstance(game.pending, Roll)
    assert game.pending.dice == 1 + 2 + 2


@pytest.mark.rule("22.425D.2.1", "22.428B", "22.451D.2", "23.722D.2", "T22.45-05", "T23.72-05")
@pytest.mark.parametrize(
    ("named", "air", "hits", "number"),
    [
        (["Akagi"], 3, {}, 1),
        (["Akagi"], 2, {}, 0),
        (["Akagi", "Shoho"], 2, {}, 1),
        (["Akagi", "Kaga"], 6, {}, 1),
        (["Akagi", "Kaga"], 3, {"Akagi": 2}, 1),
        (["Akagi", "Kaga"], 3, {"Akagi": 1}, 1),
        (["Akagi"], 0, {"Akagi": 2}, 0),
        ([], 0, {}, 0),
    ],
)
def test_a_distant_group_gives_one_die_for_a_fully_operational_carrier(
    named: list[str], air: int, hits: dict[str, int], number: int
) -> None:
    """Undamaged, with as many squadrons as her size; the smaller carrier may have them. A second one adds nothing."""
    far = squadron("a", "red", *named, cruisers=12, air=air, hits=hits)
    game = ready_to_search(far, ENEMY, orders=("number:a:6",))
    assert dice(game, "red") == ([("22.451D", 1)] if number else [])


@pytest.mark.rule("22.451D.2", "22.428B")
def test_an_active_group_gives_nothing_more_for_its_carriers() -> None:
    game = ready_to_search(squadron("a", "red", "Akagi", cruisers=12, air=3), ENEMY)
    assert dice(game, "red") == [("22.451D", 1)]


@pytest.mark.rule("22.451D.2", "23.722D.2")
def test_carriers_are_looked_at_as_the_round_begins() -> None:
    """One squadron is on patrol and two have flown against a base before the dice are counted: she still counts."""
    with Scripted(("Red: air combat over Isle", 1, 1), ("Blue: air combat over Isle", 6, 6)) as faces:
        game = start(
            battle(
                *[squadron("a", "red", "Akagi", cruisers=12, air=3), ENEMY],
                bases=[base("isle", "blue", (0, 3), "3 united-states naval")],
            ),
            faces,
        )
        orders = ["patrol:6:red-at-sea:japan:naval:squadrons:1", "send:isle:red-at-sea:japan:naval:squadrons:2"]
        fight(game, "number:a:6", *orders, until=rolls_for(": search"))
    assert game.state.losses.air == {"japan/naval/squadrons": 2}
    assert dice(game, "red") == [("22.451D", 1)]


@pytest.mark.rule("22.451B", "23.722B", "T22.45-02", "T23.72-02")
@pytest.mark.parametrize(("holder", "ours", "theirs"), [("red", 2, 0), ("blue", 0, 2), ("", 1, 1)])
def test_codebreaking_gives_a_die_and_takes_one(holder: str, ours: int, theirs: int) -> None:
    more: dict[str, Any] = {"codebreaking": holder} if holder else {}
    game = ready_to_search(squadron("a", "red", destroyers=10), ENEMY, **more)
    assert (dice_of(game.state, "red").total, dice_of(game.state, "blue").total) == (ours, theirs)


@pytest.mark.rule("22.451")
def test_without_dice_nothing_is_rolled() -> None:
    with Scripted(("Blue: search", 5, 5)) as faces:
        game = fight(start(battle(squadron("a", "red", destroyers=10), ENEMY, codebreaking="blue"), faces))
    assert "Red: 0 search dice" in log(game, "blue")


@pytest.mark.rule("22.451C", "23.722C", "T22.45-03", "T23.72-03")
def test_each_round_before_gives_a_die() -> None:
    """A force of nine factors has no others: no die in the first round, five in the sixth."""
    game = fight(start(battle(squadron("a", "red", destroyers=9, task_force=False), ENEMY, rounds=6)))
    told = [one.text for one in game.log("umpire") if one.text.startswith("Red: ") and " search di" in one.text]
    assert told == [f"Red: {number} search di{'e' if number == 1 else 'ce'}" for number in range(6)]


@pytest.mark.rule("22.451A", "22.4422C", "23.722A", "T22.45-01", "T23.72-01")
@pytest.mark.parametrize(("sent", "number"), [(0, 0), (1, 1), (3, 3), (5, 3)])
def test_each_searching_squadron_gives_a_die_up_to_three(sent: int, number: int) -> None:
    game = ready_to_search(
        *[squadron("a", "red", destroyers=9, task_force=False), ENEMY],
        bases=[base("isle", "red", (0, 3), "5 japan naval")],
        orders=(f"search:isle:japan:naval:squadrons:{sent}",),
    )
    assert dice(game, "red") == ([("22.451A", number)] if number else [])


@pytest.mark.rule("22.451", "23.722", "T22.45", "T23.72")
def test_all_the_reasons_add_up_and_the_roll_shows_them_to_its_side() -> None:
    game = start(
        battle(
            *[squadron("a", "red", destroyers=10), squadron("b", "red", "Akagi", cruisers=12, air=3), ENEMY],
            bases=[base("isle", "red", (0, 3), "5 japan naval")],
            codebreaking="red",
            rounds=2,
        )
    )
    second = fight(
        game, "number:a:1", "number:b:6", until=lambda game: game.state.battle.round == 2 and asks("search")(game)
    )
    fight(second, "search:isle:japan:naval:squadrons:2", until=rolls_for("Red: search"))
    assert isinstance(game.pending, Roll)
    assert game.pending.dice == game.pending.ledger.total == 2 + 1 + 1 + 1 + 1
    assert [line.rule for line in game.pending.ledger] == ["22.451A", "22.451B", "22.451C", "22.451D", "22.451D"]


@pytest.mark.rule("22.451D.3", "22.428C", "23.722D.3")
def test_pending_groups_give_no_die() -> None:
    late = squadron("b", "red", "Akagi", cruisers=12, air=3, arrives=2)
    game = ready_to_search(squadron("a", "red", destroyers=10), late, ENEMY)
    assert dice(game, "red") == [("22.451D", 1)]
    seven = [squadron(f"t{number}", "red", destroyers=10) for number in range(7)]
    game = ready_to_search(*seven, ENEMY, orders=("number:t0:0", "number:t1:1"))
    assert dice(game, "red") == [("22.451D", 1)]


@pytest.mark.rule("22.451", "22.41E", "SOP-NC-I.E")
def test_both_search_once_a_round_after_the_air_is_allocated() -> None:
    """Red has covered and sent out searchers; Blue's roll comes before anybody strikes."""
    game = start(
        battle(
            *[squadron("a", "red", "Akagi", cruisers=12, air=3), LEXINGTON],
            bases=[base("isle", "red", (0, 3), "5 japan naval")],
        )
    )
    fight(game, "number:a:1", "cover:1:isle:japan:naval:squadrons:2", until=rolls_for("Red: search"))
    assert group(game, "red", 1).cover
    game.roll([6])
    assert rolls_for("Blue: search")(game)
    game.roll([1])
    assert asks("surprise")(game)


@pytest.mark.rule("SOP-NC-I.E", "SOP-NC-I.F")
def test_raiders_neither_search_nor_reveal() -> None:
    game = fight(start(battle(squadron("a", "red", destroyers=10), ENEMY, raiders=True)))
    assert "search" not in log(game)
    assert " found: " not in log(game)


# --- who may search ---------------------------------------------------------------------------------------------


@pytest.mark.rule("22.341C", "22.4422A", "23.11B", "23.131D")
def test_search_squadrons_of_army_air_and_naval_squadrons_ashore_may_search() -> None:
    """Not those of the other two kinds, jets or transports; and no carrier squadron."""
    mixed = base("isle", "red", (0, 3), "2 japan army", "1 japan naval", "1 japan jet", "1 japan transport")
    game = start(
        battle(
            *[squadron("a", "red", "Akagi", cruisers=12, air=3), ENEMY], bases=[mixed], research={"japan": {"jets": 9}}
        )
    )
    fight(game, until=asks("search"))
    assert asked_now(game) == [f"search:isle:japan:army:search:{number}" for number in (0, 1, 2)]
    game.choose("search:isle:japan:army:search:2")
    assert asked_now(game) == [f"search:isle:japan:naval:squadrons:{number}" for number in (0, 1)]
    game.choose("search:isle:japan:naval:squadrons:1")
    assert rolls_for("Red: search")(game)
    assert dice(game, "red") == [("22.451A", 3), ("22.451D", 1)]


@pytest.mark.rule("22.4422A")
def test_both_sides_send_out_searchers_before_either_searches() -> None:
    bases = [base("isle", "red", (0, 3), "1 japan naval"), base("rock", "blue", (3, 0), "1 united-states naval")]
    game = fight(start(battle(squadron("a", "red", destroyers=10), ENEMY, bases=bases)), until=asks("search"))
    game.choose("search:isle:japan:naval:squadrons:1")
    assert asked_now(game)[0] == "search:rock:united-states:naval:squadrons:0"


@pytest.mark.rule("22.4422A")
def test_naval_squadrons_on_cover_do_not_search() -> None:
    game = start(
        battle(squadron("a", "red", destroyers=10), ENEMY, bases=[base("isle", "red", (0, 3), "3 japan naval")])
    )
    fight(game, "number:a:1", "cover:1:isle:japan:naval:squadrons:2", until=asks("search"))
    assert asked_now(game) == [f"search:isle:japan:naval:squadrons:{number}" for number in (0, 1)]


@pytest.mark.rule("22.4422B", "23.161.1")
def test_naval_squadrons_that_searched_do_not_strike_in_that_round() -> None:
    """One of three searches and two can strike; in the next round all three can."""
    rolls = [("Red: search", 1, 6), ("Blue: search", 6), ("Red: search", 1, 2), ("Blue: search", 6, 6)]
    with Scripted(*rolls) as faces:
        game = start(
            battle(
                *[squadron("a", "red", destroyers=10), ENEMY],
                bases=[base("isle", "red", (0, 3), "3 japan naval")],
                rounds=2,
            ),
            faces,
        )
        fight(game, "search:isle:japan:naval:squadrons:1", "number:enemy:1", until=asks("strike"))
        one = game.copy()
        one.choose("strike:1")
        assert asked_now(one) == [f"fly:isle:japan:naval:squadrons:{number}" for number in (1, 2)]
        fight(game, until=lambda game: game.state.battle.round == 2 and asks("strike")(game))
        game.choose("strike:1")
        assert asked_now(game) == [f"fly:isle:japan:naval:squadrons:{number}" for number in (1, 2, 3)]


# --- what the dice find -----------------------------------------------------------------------------------------


def searched(faces: list[int], *forces: dict[str, Any], orders: tuple[str, ...] = ()) -> Game[State]:
    """Red rolls three dice on Blue's forces, two of them for searchers, and Blue finds nothing."""
    game = start(
        battle(
            squadron("a", "red", "Akagi", cruisers=12, air=3),
            *forces,
            bases=[base("isle", "red", (0, 3), "6 japan naval")],
        )
    )
    orders = ("number:a:1", "search:isle:japan:naval:squadrons:2", *orders)
    fight(game, *orders, until=rolls_for("Red: search"))
    game.roll(faces)
    while isinstance(game.pending, Roll):
        game.roll([6] * game.pending.dice)
    return game


TWO = (ENEMY, squadron("other", "blue", "Lexington", "Yorktown", "Nevada", cruisers=4, destroyers=3, air=6))
NUMBERED = ("number:enemy:2", "number:other:5")


@pytest.mark.rule("22.452", "22.41E", "23.721B", "23.723", "SOP-NC-I.E.1")
@pytest.mark.parametrize(
    ("faces", "results"),
    [([1, 3, 4], [0, 0]), ([2, 3, 4], [1, 0]), ([5, 2, 6], [1, 1]), ([5, 5, 2], [1, 2]), ([5, 5, 5], [0, 3])],
)
def test_each_die_that_shows_a_number_is_a_result_against_that_group(faces: list[int], results: list[int]) -> None:
    game = searched(faces, *TWO, orders=NUMBERED)
    assert [group(game, "blue", number).this_round.results for number in (2, 5)] == results
    assert results_against(game.state).get("blue", 0) == sum(results)


@pytest.mark.rule("22.452A", "23.723A", "22.452B", "23.723B", "T22.45-07", "T23.72-07", "22.41F", "SOP-NC-I.F")
def test_a_found_group_is_revealed_in_part_and_another_stays_hidden() -> None:
    game = searched([2, 3, 4], *TWO, orders=NUMBERED)
    told = {one["number"]: one["told"] for one in game.view("red").data["groups"] if one["side"] == "blue"}
    assert told == {2: {"small": False, "carriers": 0, "slow": False, "cargo": False}, 5: None}
    assert "CG 2 (Blue) found: ten or more factors, no fast carrier, fast, without cargo" in log(game, "red")
    assert "CG 5 (Blue)" not in log(game, "red")


@pytest.mark.rule("22.452B", "SOP-NC-I.F.1", "22.41F")
def test_no_more_than_the_four_facts_comes_to_light() -> None:
    """Two carriers and a slow battleship are there; neither their names nor anything else is told."""
    game = searched([5, 3, 4], *TWO, orders=NUMBERED)
    assert "CG 5 (Blue) found: ten or more factors, 2 fast carriers, slow, without cargo" in log(game, "red")
    seen = next(one for one in game.view("red").data["groups"] if one["number"] == 5)
    assert not set(seen) & {"name", "ships", "factors", "air", "patrol"}
    for text in (log(game, "red"), str(game.view("red").data)):
        assert all(name.upper() not in text.upper() for name in ("other", "lexington", "yorktown", "nevada"))


LADEN: Fleet = {ship("japan", Kind.TRANSPORT, "", 1, False, 2, True): 1}
DAMAGED: Fleet = {ship("japan", Kind.CRUISER, "", 2, False, 2, False, 1): 5}


@pytest.mark.rule("22.452B.1", "22.452B.2", "22.452B.3", "22.452B.4", "22.41F.1", "22.41F.2", "22.41F.3", "22.41F.4")
@pytest.mark.rule("23.723B.1", "23.723B.2", "23.723B.3", "23.723B.4", "SOP-NC-I.F.1")
@pytest.mark.parametrize(
    ("fleet", "facts"),
    [
        (fleet_of(destroyers=9), Facts(small=True, carriers=0, slow=False, cargo=False)),
        (fleet_of(destroyers=10), Facts(small=False, carriers=0, slow=False, cargo=False)),
        (fleet_of(destroyers=9, transports=3), Facts(small=True, carriers=0, slow=True, cargo=False)),
        (DAMAGED, Facts(small=False, carriers=0, slow=True, cargo=False)),
        (fleet_of("Akagi", "Shoho", cruisers=5, cves=1), Facts(small=False, carriers=2, slow=True, cargo=False)),
        (fleet_of("Akagi", cruisers=5), Facts(small=False, carriers=1, slow=False, cargo=False)),
        (fleet_of(destroyers=4) | LADEN, Facts(small=True, carriers=0, slow=True, cargo=True)),
    ],
)
def test_the_four_facts(fleet: Fleet, facts: Facts) -> None:
    """Damaged ships count for the size; a carrier that is not fast does not count as one."""
    assert facts_of(Group("red", "a", fleet)) == facts


@pytest.mark.rule("22.452B.2", "22.452B.4")
def test_the_four_facts_in_words() -> None:
    assert str(Facts(True, 0, True, True)) == "fewer than ten factors, no fast carrier, slow, with cargo"
    assert str(Facts(False, 1, False, False)) == "ten or more factors, 1 fast carrier, fast, without cargo"


@pytest.mark.rule("22.451")
def test_the_reasons_for_the_dice_are_hidden_from_the_enemy() -> None:
    """They would tell which groups are large or have carriers; the number of dice and the faces are open."""
    game = searched([2, 3, 4], *TWO, orders=NUMBERED)
    rolled = {side: next(one for one in game.log(side) if one.text == "Red: search") for side in ("red", "blue")}
    assert rolled["blue"].faces == rolled["red"].faces == (2, 3, 4)
    assert rolled["red"].ledger.total == 3
    assert not rolled["blue"].ledger.lines
    assert "Red: 3 search dice" in log(game, "blue")
    assert "active groups of ten or more undamaged factors" in str(rolled["red"].ledger)
    assert "active groups of ten" not in log(game, "blue")
    assert "active groups of ten" not in str(rolled["blue"].ledger)


@pytest.mark.rule("22.4422A", "22.41E", "22.451")
def test_who_searches_is_told_once_all_have_been_sent() -> None:
    game = searched([2, 3, 4], *TWO, orders=NUMBERED)
    assert "Red: searching with 2 Japanese naval air squadrons" in log(game, "blue")
    assert "Blue: searching with" not in log(game, "blue")


# --- what a result opens ----------------------------------------------------------------------------------------


@pytest.mark.rule("T22.45-06", "T23.72-06", "22.452A", "23.72", "23.721B")
def test_a_group_that_was_not_found_cannot_be_attacked() -> None:
    """Neither by carriers alone in surprise nor by all together."""
    game = searched([2, 3, 4], *TWO, orders=NUMBERED)
    assert asked_now(game) == ["surprise:2", "surprise:none"]
    game.choose("surprise:none")
    assert asked_now(game) == ["strike:2", "strike:none"]


@pytest.mark.rule("23.72", "T22.45-06")
def test_without_a_search_result_there_is_no_air_attack_at_all() -> None:
    """Red has carriers and six squadrons ashore, and finds nobody."""
    game = searched([1, 3, 4], *TWO, orders=NUMBERED)
    assert game.pending is None or not asks("strike")(game)
    assert open_targets(game.state, "red") == {}
    fight(game)
    assert "strike" not in log(game)


@pytest.mark.rule("23.72", "T22.45-07", "T23.72-07")
@pytest.mark.parametrize("fly", ["isle:japan:naval:squadrons", "red-at-sea:japan:naval:squadrons"])
def test_a_found_group_may_be_attacked_from_land_and_from_carriers(fly: str) -> None:
    game = searched([2, 3, 4], *TWO, orders=NUMBERED)
    fight(game, "strike:2", f"fly:{fly}:3", until=lambda game: game.state.battle.strike is not None)
    assert game.state.battle.strike is not None
    assert sum(game.state.battle.strike.attackers.values()) >= 3


def strike(game: Game[State], order: str) -> None:
    """A strike of one squadron that does no harm, up to the next question about strikes."""
    game.choose(order)
    while game.pending is not None and not asks("strike")(game):
        game.roll([1] * game.pending.dice) if isinstance(game.pending, Roll) else game.choose(game.pending.options[0])


def strikes_flown(game: Game[State]) -> int:
    """How many strikes can be flown on CG 5 before the other side is asked."""
    flown = 0
    while asks("strike")(game) and "strike:5" in asked_now(game):
        strike(game, "strike:5")
        flown += 1
    return flown


@pytest.mark.rule("22.452C", "22.452C.3", "22.452C.3.1", "23.723B", "23.723C", "SOP-NC-I.F.2")
@pytest.mark.parametrize(("faces", "number"), [([5, 3, 4], 1), ([5, 5, 4], 2), ([5, 5, 5], 3)])
def test_each_result_against_a_group_allows_one_strike_on_it(faces: list[int], number: int) -> None:
    """22.452C: here only strikes use the budget; what fleet combats take of it is held below."""
    game = searched(faces, *TWO, orders=NUMBERED)
    game.choose("surprise:none")
    assert strikes_flown(game) == number


@pytest.mark.rule("22.452C.3", "22.452C")
def test_the_surprise_strike_is_one_of_them() -> None:
    game = searched([5, 5, 4], *TWO, orders=NUMBERED)
    strike(game, "surprise:5")
    assert strikes_flown(game) == 1


@pytest.mark.rule("22.452C", "23.723C")
def test_a_result_is_for_its_own_group() -> None:
    """One result each: after a strike on the one group only the other can be struck."""
    game = searched([5, 2, 4], *TWO, orders=NUMBERED)
    game.choose("surprise:none")
    assert asked_now(game) == ["strike:2", "strike:5", "strike:none"]
    strike(game, "strike:5")
    assert asked_now(game) == ["strike:2", "strike:none"]


DISTANT, ACTIVE = 5, 1


@pytest.mark.rule("22.452C.3", "22.452C.3.1", "22.452C.3.2", "22.452C.3.3", "22.452C.2")
@pytest.mark.parametrize("attacks", [("air", "air"), ("fleet", "fleet"), ("air", "fleet"), ("fleet", "air")])
def test_two_results_against_a_distant_group_are_two_attacks_by_air_or_fleet(attacks: tuple[str, str]) -> None:
    found = Group("blue", "FOUND", fleet_of(destroyers=10), number=DISTANT, this_round=GroupRound(results=2))
    for left, attack in zip((1, 0), attacks, strict=True):
        assert open_to_fleets(found, 1)
        count_attack(found, 1, by_air=attack == "air")
        assert results_left(found) == left
    assert not open_to_fleets(found, 1)


@pytest.mark.rule("22.452C.2", "22.452C.3")
def test_fleet_combat_between_active_groups_needs_and_uses_no_results() -> None:
    met = Group("blue", "MET", fleet_of(destroyers=10), number=ACTIVE, this_round=GroupRound(results=1))
    count_attack(met, 1, by_air=False)
    assert results_left(met) == 1
    count_attack(met, 1, by_air=True)
    assert results_left(met) == 0
    assert open_to_fleets(met, 1)


# --- the printed example ----------------------------------------------------------------------------------------

JAPAN = [
    squadron("j1", "red", cruisers=10),
    squadron("j2", "red", destroyers=10),
    squadron("j4", "red", "Akagi", "Kaga", cruisers=12, air=6),
]
AMERICA = [
    squadron("u1", "blue", cruisers=10),
    squadron("u3", "blue", "Lexington", cruisers=8, air=3),
    squadron("u5", "blue", destroyers=10, laden_transports=4, cargo="an invasion"),
]
THEIR_NUMBERS = [f"number:{name}:{name[1]}" for name in ("j1", "j2", "j4", "u1", "u3", "u5")]
EXAMPLE = [
    *[("Red: search", 3, 6), ("Blue: search", 1, 2)],
    *[("Red: search", 1, 4, 5, 5), ("Blue: search", 2, 4, 6)],
]


def example(round_: int) -> Game[State]:
    """The battle of the example up to the strikes of a round, in which nobody has struck yet."""
    game = start(battle(*JAPAN, *AMERICA, rounds=2), Scripted(*EXAMPLE))
    orders = [*THEIR_NUMBERS, "strengthen:alone"]
    return fight(game, *orders, until=lambda game: game.state.battle.round == round_ and asks("strike")(game))


def search_totals(game: Game[State]) -> list[tuple[str, int]]:
    return [(one.text, one.ledger.total) for one in game.log("umpire") if one.kind == "roll"]


def found(game: Game[State], side: str) -> dict[int, int]:
    """The groups of a side that were found, and how often."""
    return {one.number: one.this_round.results for one in game.state.battle.present(side) if one.this_round.results}


@pytest.mark.rule("22.524-EX1", "22.451", "22.452")
def test_printed_example_of_search_round_one() -> None:
    """Two dice each; Japan finds CG 3, America CG 1 and CG 2. No surprise, and America strikes first with two results
    to one. The fleet combat of the example is not built yet."""
    game = example(1)
    assert search_totals(game) == [("Red: search", 2), ("Blue: search", 2)]
    assert (found(game, "blue"), found(game, "red")) == ({3: 1}, {1: 1, 2: 1})
    assert surprising_side(game.state) is None
    assert striking_order(game.state) == ("blue", "red")
    assert asked_now(game) == ["strike:1", "strike:2", "strike:none"]
    game.choose("strike:none")
    assert asked_now(game) == ["strike:3", "strike:none"]


@pytest.mark.rule("22.524-EX1", "22.452C.3.1")
def test_printed_example_america_may_strike_both_groups() -> None:
    game = example(1)
    strike(game, "strike:1")
    assert asked_now(game) == ["strike:2", "strike:none"]


@pytest.mark.rule("22.524-EX2", "22.451", "22.452")
def test_printed_example_of_search_round_two() -> None:
    """Four dice to three; Japan finds CG 1 once and CG 5 twice, America CG 2 and CG 4. Japan strikes first with three
    results to two. The slow CG 5 with its cargo is known as that. The fleet combat of the example is not built yet."""
    game = example(2)
    assert search_totals(game)[2:] == [("Red: search", 4), ("Blue: search", 3)]
    assert (found(game, "blue"), found(game, "red")) == ({1: 1, 5: 2}, {2: 1, 4: 1})
    assert surprising_side(game.state) is None
    assert striking_order(game.state) == ("red", "blue")
    assert asked_now(game) == ["strike:1", "strike:5", "strike:none"]
    assert group(game, "blue", 5).facts == Facts(small=False, carriers=0, slow=True, cargo=True)
    game.choose("strike:none")
    assert asked_now(game) == ["strike:2", "strike:4", "strike:none"]


@pytest.mark.rule("22.524-EX2", "22.452C.3")
def test_printed_example_one_strike_leaves_one_of_the_two_results_against_a_group() -> None:
    """The example keeps it for fleet combat; another strike could have it as well."""
    game = example(2)
    strike(game, "strike:5")
    assert asked_now(game) == ["strike:1", "strike:5", "strike:none"]
    target = group(game, "blue", 5)
    assert target.this_round.results - target.this_round.attacks == 1
