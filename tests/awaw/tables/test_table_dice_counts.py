"""The tables that give a number of dice or a level: search, surprise, interception."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest

from flagplot.awaw.tables import counts
from flagplot.awaw.tables.count_table import CountTable
from flagplot.awaw.tables.counts import (
    MAXIMUM_RANGE,
    SEARCH,
    SurpriseEffects,
    air_attack_modifiers,
    air_defense_level,
    interception_dice,
    interception_distance,
    may_intercept,
    search_dice,
    surprise_effects,
    surprise_level,
    within_range,
)
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.ledger import NOTHING


@pytest.mark.rule("T22.45", "T23.72")
@pytest.mark.parametrize(
    ("counts", "dice"),
    [
        pytest.param(
            {"searching_squadrons": 2},
            2,
            marks=pytest.mark.rule("T22.45-01", "T23.72-01", "22.451A", "23.722A"),
        ),
        pytest.param(
            {"searching_squadrons": 4},
            3,
            marks=pytest.mark.rule("T22.45-01", "T23.72-01", "22.451A", "23.722A"),
        ),
        pytest.param({"codebreaking": 1}, 1, marks=pytest.mark.rule("T22.45-02", "T23.72-02", "22.451B", "23.722B")),
        pytest.param({"codebreaking": 3}, 1, marks=pytest.mark.rule("22.451B", "23.722B")),
        pytest.param(
            {"codebreaking": -2, "active_groups": 3},
            2,
            marks=pytest.mark.rule("T22.45-02", "22.451B", "23.722B"),
        ),
        pytest.param(
            {"active_groups": 2},
            2,
            marks=pytest.mark.rule("T22.45-04", "T23.72-04", "22.451D.1", "23.722D.1"),
        ),
        pytest.param(
            {"active_groups": 7},
            6,
            marks=pytest.mark.rule("T22.45-04", "T23.72-04", "22.451D.1", "23.722D.1"),
        ),
        pytest.param(
            {"distant_carrier_groups": 1},
            1,
            marks=pytest.mark.rule("T22.45-05", "T23.72-05", "22.451D.2", "23.722D.2"),
        ),
        pytest.param(
            {"distant_carrier_groups": 6},
            5,
            marks=pytest.mark.rule("T22.45-05", "T23.72-05", "22.451D.2", "23.722D.2"),
        ),
        ({"searching_squadrons": 9, "codebreaking": 1, "active_groups": 9, "distant_carrier_groups": 9}, 15),
    ],
)
def test_each_line_of_the_search_table(counts: dict[str, int], dice: int) -> None:
    assert search_dice(**counts).total == dice


@pytest.mark.rule("T22.45-03", "T23.72-03", "22.451C", "23.722C")
def test_search_dice_of_earlier_rounds() -> None:
    assert [search_dice(combat_round=number).total for number in (1, 2, 3, 12)] == [0, 1, 2, 11]
    with pytest.raises(BadValue, match=r"combat round.*0"):
        search_dice(combat_round=0)


def test_search_dice_are_not_below_zero() -> None:
    ledger = search_dice(codebreaking=-1)
    assert ledger.total == 0
    assert [line.amount for line in ledger] == [-1, 1]


def test_lines_that_count_nothing_are_left_out() -> None:
    ledger = search_dice(searching_squadrons=5)
    assert [line.rule for line in ledger] == ["22.451A"]
    assert str(ledger.lines[0]) == "+3  land-based squadrons on search: 5, at most 3 (22.451A)"


def test_the_limit_is_named_only_where_it_bites() -> None:
    assert str(search_dice(searching_squadrons=3).lines[0]).endswith("on search: 3 (22.451A)")
    assert len(search_dice()) == 0


def test_bad_search_counts() -> None:
    with pytest.raises(BadValue, match=r"0.*22\.451C"):
        search_dice(combat_round=0)
    with pytest.raises(BadValue, match=r"searching_squadrons.*-1"):
        search_dice(searching_squadrons=-1)
    with pytest.raises(UnknownName, match=r"radar.*searching_squadrons"):
        SEARCH.ledger(radar=1)
    assert "codebreaking" in SEARCH.keys


@pytest.mark.rule("23.74121")
@pytest.mark.parametrize("die", range(1, 7))
def test_surprise_starts_from_the_die(die: int) -> None:
    assert surprise_level(die, 1, 0).total == die


@pytest.mark.rule("T23.7413-08", "T23.7413-09", "23.74122A", "23.74122A.1", "23.74122A.2", "23.74122A.3")
def test_surprise_by_search_results() -> None:
    assert [surprise_level(3, results, 0).total for results in (0, 1, 2, 3, 4)] == [3, 3, 4, 5, 5]


@pytest.mark.rule("T23.7413-10", "23.74122B")
def test_surprise_against_radar() -> None:
    assert [surprise_level(2, 1, radar).total for radar in (0, 1, 3)] == [2, 1, -1]
    with pytest.raises(BadValue, match="-1"):
        surprise_level(2, 1, -1)


@pytest.mark.rule("23.74121", "23.74122A")
@pytest.mark.parametrize(("die", "results", "use"), [(0, 1, "1 to 6"), (7, 1, "1 to 6"), (3, -1, "0 or more")])
def test_bad_surprise_counts(die: int, results: int, use: str) -> None:
    with pytest.raises(BadValue, match=f"Use {use}$"):
        surprise_level(die, results, 0)


@pytest.mark.rule("T23.7413", "T23.7413-11")
@pytest.mark.parametrize(
    ("level", "effects"),
    [
        (-2, (False, 0, 0, 0, False)),
        (0, (False, 0, 0, 0, False)),
        pytest.param(1, (True, 0, 0, 0, False), marks=pytest.mark.rule("T23.7413-01")),
        pytest.param(2, (True, 1, 0, 0, False), marks=pytest.mark.rule("T23.7413-02")),
        pytest.param(3, (True, 1, 1, 0, False), marks=pytest.mark.rule("T23.7413-03")),
        pytest.param(4, (True, 1, 1, 1, False), marks=pytest.mark.rule("T23.7413-04")),
        pytest.param(5, (True, 1, 1, 2, False), marks=pytest.mark.rule("T23.7413-05")),
        pytest.param(6, (True, 1, 1, 3, False), marks=pytest.mark.rule("T23.7413-06")),
        pytest.param(7, (True, 1, 1, 4, True), marks=pytest.mark.rule("T23.7413-07")),
        pytest.param(8, (True, 1, 1, 4, True), marks=pytest.mark.rule("T23.7413-07")),
    ],
)
def test_surprise_effects(level: int, effects: tuple[bool, int, int, int, bool]) -> None:
    assert surprise_effects(level) == SurpriseEffects(*effects)


@pytest.mark.rule("T23.7413-07", "T23.7413-09", "23.74122A.3")
def test_the_highest_surprise() -> None:
    assert surprise_level(6, 3, 0).total == 8
    assert surprise_effects(8).critical_hits


@pytest.mark.parametrize("level", range(10))
def test_surprise_means_the_same_on_every_table(level: int) -> None:
    effects = surprise_effects(level)
    defense = air_defense_level(naval_factors=20, surprise_level=level).total
    assert defense == 2 - effects.air_defense_reduction
    assert air_attack_modifiers(NOTHING, NOTHING, surprise_level=level).total == effects.attack_bonus


@pytest.mark.rule("T22.21")
@pytest.mark.parametrize(
    ("counts", "dice"),
    [
        pytest.param({"cargo": True}, 2, marks=pytest.mark.rule("T22.21-01")),
        pytest.param({"bombardment": True}, 2, marks=pytest.mark.rule("T22.21-01")),
        pytest.param({"carrier_mission": True}, 2, marks=pytest.mark.rule("T22.21-01")),
        pytest.param({"cargo": True, "bombardment": True}, 2, marks=pytest.mark.rule("T22.21-01")),
        pytest.param({"patrol_staying": True}, 2, marks=pytest.mark.rule("T22.21-02", "22.22B")),
        pytest.param({"counter_in_hex": True}, 2, marks=pytest.mark.rule("T22.21-03", "22.22C")),
        pytest.param(
            {"cargo": True, "cruisers_and_destroyers_only": True},
            3,
            marks=pytest.mark.rule("T22.21-04", "22.22D"),
        ),
        pytest.param(
            {"bombardment": True, "cruisers_and_destroyers_only": True},
            2,
            marks=pytest.mark.rule("T22.21-04", "22.22D"),
        ),
        pytest.param({"task_forces": 5}, 5, marks=pytest.mark.rule("T22.21-05", "22.22E")),
        pytest.param({"ground_defenders": 2}, 2, marks=pytest.mark.rule("T22.21-06", "22.22F")),
        pytest.param({"ground_defenders": 4}, 3, marks=pytest.mark.rule("T22.21-06", "22.22F")),
        pytest.param({"spotters": 2}, 2, marks=pytest.mark.rule("T22.21-07", "22.22G")),
        pytest.param({"spotters": 5}, 3, marks=pytest.mark.rule("T22.21-07", "22.22G")),
        pytest.param({"submarines": 1}, 1, marks=pytest.mark.rule("T22.21-08", "22.22H")),
        pytest.param({"submarines": 4}, 3, marks=pytest.mark.rule("T22.21-08", "22.22H")),
        pytest.param(
            {"task_forces": 3, "submarines": 2, "submarine_force": True},
            2,
            marks=pytest.mark.rule("T22.21-08", "22.22H"),
        ),
        pytest.param({"card_lead": 1}, 1, marks=pytest.mark.rule("T22.21-09")),
        pytest.param({"card_lead": 3}, 1, marks=pytest.mark.rule("T22.21-09", "22.22I.1")),
        pytest.param({"task_forces": 2, "card_lead": -2}, 2, marks=pytest.mark.rule("22.22I.2")),
        pytest.param({"task_forces": 2, "slow": True}, 1, marks=pytest.mark.rule("T22.21-10", "22.22J")),
        pytest.param({"task_forces": 2, "submarine_force": True}, 1, marks=pytest.mark.rule("T22.21-10", "22.22J")),
        ({"task_forces": 2, "slow": True, "submarine_force": True}, 1),
    ],
)
def test_each_line_of_the_interception_table(counts: dict[str, Any], dice: int) -> None:
    assert interception_dice(**counts).total == dice


@pytest.mark.rule("T22.21-11", "22.22K", "22.22K.1")
def test_several_attempts_on_one_activity() -> None:
    dice = [interception_dice(task_forces=4, attempts=number).total for number in (1, 2, 3)]
    assert dice == [4, 3, 2]


@pytest.mark.rule("22.22K.3")
def test_other_attempts_do_not_hamper_submarines() -> None:
    alone = interception_dice(task_forces=4, submarine_force=True)
    assert interception_dice(task_forces=4, submarine_force=True, attempts=3) == alone


@pytest.mark.rule("T22.21-12", "22.24C")
def test_without_dice_there_is_no_interception() -> None:
    assert not may_intercept(interception_dice())
    assert not may_intercept(interception_dice(task_forces=1, slow=True))
    assert not may_intercept(interception_dice(task_forces=1, slow=True, attempts=3))
    assert may_intercept(interception_dice(task_forces=1))


@pytest.mark.rule("T22.21-13")
@pytest.mark.parametrize(
    ("total", "theatre", "hexes"),
    [(9, "europe", 9), (9, "pacific", 5), (10, "pacific", 5), (1, "pacific", 1), (0, "pacific", 0)],
)
def test_the_pacific_halves_the_sum(total: int, theatre: str, hexes: int) -> None:
    assert interception_distance(total, theatre) == hexes


@pytest.mark.rule("T22.21-16")
def test_maximum_range() -> None:
    assert dict(MAXIMUM_RANGE) == {"europe": 40, "pacific": 20}
    assert within_range(40, "europe")
    assert not within_range(41, "europe")
    assert within_range(20, "pacific")
    assert not within_range(21, "pacific")


@pytest.mark.rule("22.22K", "T22.21-13")
def test_bad_interception_counts() -> None:
    with pytest.raises(BadValue, match=r"attempt.*0"):
        interception_dice(attempts=0)
    with pytest.raises(BadValue, match="-1"):
        interception_dice(spotters=-1)
    with pytest.raises(BadValue, match="-3"):
        interception_distance(-3, "europe")
    with pytest.raises(BadValue, match="-1"):
        interception_distance(-1, "europe")
    with pytest.raises(UnknownName, match=r"mars.*europe or pacific"):
        interception_distance(3, "mars")


@pytest.mark.parametrize(
    ("table", "listed", "apart", "counted"),
    [
        (counts.AIR_DEFENSE, counts.AirDefense, set(), set()),
        (counts.AIR_ATTACK, counts.AirAttack, set(), {"attacker_drm", "defender_drm"}),
        (counts.FLEET_ATTACK, counts.FleetAttack, set(), {"firing_drm", "target_drm"}),
        (counts.SUBMARINE_ATTACK, counts.SubmarineAttack, set(), {"attacker_drm", "target_drm"}),
        (counts.SEARCH, counts.Search, set(), {"earlier_rounds"}),
        (
            counts.INTERCEPTION,
            counts.Interception,
            {"cruisers_and_destroyers_only", "card_lead"},
            {"light_against_cargo", "codebreaking"},
        ),
    ],
)
def test_what_may_be_given_is_what_the_table_counts(
    table: CountTable, listed: type, apart: set[str], counted: set[str]
) -> None:
    """But for what is `apart`, from which something else is `counted`; DRMs are given as ledgers."""
    assert {*get_type_hints(listed)} - apart == {*table.keys} - counted
