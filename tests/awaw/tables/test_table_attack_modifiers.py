"""The modifiers of air combat, air defense, and attacks on ships by air, by fleets and by submarines."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.tables.charts import air_nationality, naval_nationality
from flagplot.awaw.tables.count_table import CountTable
from flagplot.awaw.tables.counts import (
    AIR_ATTACK,
    AIR_DEFENSE,
    FLEET_ATTACK,
    SUBMARINE_ATTACK,
    air_attack_modifiers,
    air_defense_level,
    fleet_attack_modifiers,
    submarine_modifiers,
)
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.ledger import NOTHING, Ledger, Line

GERMAN_ARMY = air_nationality("germany", arm="army")
BRITISH_NAVAL = air_nationality("britain", arm="naval")
ELITE = air_nationality("japan", arm="naval", elite=True)


def level(**counts: Any) -> int:
    return air_defense_level(**counts).total


def submarine(attacker: int = 0, target: int = 0, **counts: Any) -> int:
    sides = [Ledger([Line(drm, "a nation", "22.552A")]) for drm in (attacker, target)]
    return submarine_modifiers(*sides, **counts).total


@pytest.mark.rule("T23.42-01")
@pytest.mark.parametrize(("factors", "expected"), [(0, 0), (1, 1), (9, 1), (10, 1), (11, 2), (20, 2), (25, 3)])
def test_air_defense_by_naval_factors(factors: int, expected: int) -> None:
    assert level(naval_factors=factors) == expected


@pytest.mark.rule("T23.42-01", "23.4211B")
@pytest.mark.parametrize(("factors", "cves", "expected"), [(0, 1, 1), (0, 4, 2), (8, 1, 2), (7, 1, 1), (1, 3, 1)])
def test_a_cve_counts_three_factors(factors: int, cves: int, expected: int) -> None:
    assert level(naval_factors=factors, cves=cves) == expected


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        pytest.param({"research": 2}, 2, marks=pytest.mark.rule("T23.42-02", "23.4213")),
        pytest.param({"flak": 3}, 3, marks=pytest.mark.rule("T23.42-03", "23.4212B")),
        pytest.param({"airbases": 1}, 1, marks=pytest.mark.rule("T23.42-03", "23.4212B")),
        pytest.param({"objectives": 1}, 1, marks=pytest.mark.rule("T23.42-03", "23.4212B")),
        pytest.param({"anchors": 2}, 2, marks=pytest.mark.rule("T23.42-03", "23.4212B")),
        pytest.param({"cities_and_ports": 1}, 2, marks=pytest.mark.rule("T23.42-04", "23.4212A")),
        pytest.param({"cities_and_ports": 2}, 4, marks=pytest.mark.rule("T23.42-04")),
        pytest.param({"fortification": 1}, 1, marks=pytest.mark.rule("T23.42-05", "23.4212C")),
        pytest.param({"fortification": 2}, 2, marks=pytest.mark.rule("T23.42-05", "23.4212C")),
        pytest.param({"five_factor_battleships": 2}, 2, marks=pytest.mark.rule("T23.42-06")),
        pytest.param({"cvbs": 3}, 3, marks=pytest.mark.rule("T23.42-07")),
    ],
)
def test_each_line_of_the_air_defense_level(counts: dict[str, int], expected: int) -> None:
    assert level(**counts) == expected
    assert level(naval_factors=12, **counts) == expected + 2


@pytest.mark.rule("T23.42-08")
@pytest.mark.parametrize(("surprise", "expected"), [(-1, 2), (0, 2), (1, 2), (2, 1), (3, 1), (8, 1)])
def test_surprise_lowers_the_air_defense_level(surprise: int, expected: int) -> None:
    assert level(naval_factors=12, surprise_level=surprise) == expected


@pytest.mark.rule("T23.42-05", "23.4212C")
def test_a_fortress_is_the_most() -> None:
    assert AIR_DEFENSE.ledger(fortification=5).total == 2


def test_an_air_defense_level_is_not_below_zero() -> None:
    ledger = air_defense_level(surprise_level=5)
    assert ledger.total == 0
    assert [line.amount for line in ledger] == [-1, 1]


@pytest.mark.rule("23.4212C")
def test_bad_counts_of_an_air_defense_level() -> None:
    with pytest.raises(BadValue, match=r"3.*23\.4212C.*0, 1 or 2"):
        air_defense_level(fortification=3)
    with pytest.raises(BadValue, match="-1"):
        air_defense_level(naval_factors=-1)
    with pytest.raises(UnknownName, match=r"balloons.*naval_factors"):
        AIR_DEFENSE.ledger(balloons=1)


@pytest.mark.rule("T23.44-01", "T22.55-01", "T23.44-02", "T22.55-02", "23.441A", "23.441B")
@pytest.mark.rule("T22.552A-11", "T23.441B-06")
def test_air_attack_drms() -> None:
    american_cv = naval_nationality("united-states", kind="cv")
    japanese_battleship = naval_nationality("japan", kind="battleship", five_factor=True)
    russian_cve = naval_nationality("russia", kind="cve")
    assert air_attack_modifiers(ELITE, NOTHING).total == 3
    assert air_attack_modifiers(ELITE, american_cv).total == 3
    assert air_attack_modifiers(BRITISH_NAVAL, japanese_battleship).total == 1 - 4
    assert air_attack_modifiers(GERMAN_ARMY, russian_cve).total == 2 + 2


@pytest.mark.rule("T23.44-03", "T22.55-03", "17.354")
def test_naval_air_at_sea() -> None:
    assert air_attack_modifiers(NOTHING, NOTHING, naval_air_at_sea=True).total == 1


@pytest.mark.rule("T23.44-04", "T22.55-04", "23.441C")
@pytest.mark.parametrize(("surprise", "total"), [(-2, 0), (0, 0), (2, 0), (3, 1), (4, 1), (9, 1)])
def test_surprise_helps_air_attacks(surprise: int, total: int) -> None:
    assert air_attack_modifiers(NOTHING, NOTHING, surprise_level=surprise).total == total


@pytest.mark.rule("T23.44-05", "T22.55-05", "T22.552A-10", "T23.441B-06", "22.552A")
def test_fleet_attack_drms() -> None:
    japan, italy = naval_nationality("japan", kind="cruiser"), naval_nationality("italy", kind="cruiser")
    assert fleet_attack_modifiers(japan, italy).total == 2
    assert fleet_attack_modifiers(italy, japan).total == -2


@pytest.mark.rule("22.552A")
@pytest.mark.parametrize(("advantage", "total"), [(1, 1), (0, 0), (-1, -1), (2, 1)])
def test_tactical_codebreaking_changes_the_difference_by_one(advantage: int, total: int) -> None:
    assert fleet_attack_modifiers(NOTHING, NOTHING, codebreaking=advantage).total == total


@pytest.mark.rule("T23.44-06", "T22.55-06", "22.552B.1", "22.552B.2")
@pytest.mark.parametrize(
    ("firing", "target", "total"), [(True, False, -1), (False, True, 1), (True, True, 0), (False, False, 0)]
)
def test_hampered_groups(firing: bool, target: bool, total: int) -> None:
    ledger = fleet_attack_modifiers(NOTHING, NOTHING, firing_hampered=firing, target_hampered=target)
    assert ledger.total == total


@pytest.mark.parametrize(
    ("counts", "total"),
    [
        pytest.param({"attacker": 3, "target": 1}, 2, marks=pytest.mark.rule("T22.94-01", "22.9411")),
        pytest.param({"attacker": 0, "target": 3}, -3, marks=pytest.mark.rule("T22.94-01", "22.9411")),
        pytest.param({"tactical_codebreaking": 2}, 1, marks=pytest.mark.rule("22.9411")),
        pytest.param({"tactical_codebreaking": -1}, -1, marks=pytest.mark.rule("22.9411")),
        pytest.param({"torpedo_research": 2, "asw_research": 1}, 1, marks=pytest.mark.rule("T22.94-02", "22.9412A")),
        pytest.param({"asw_research": 1}, -1, marks=pytest.mark.rule("T22.94-02", "22.9412A")),
        pytest.param({"attacking_searchers": 3}, 1, marks=pytest.mark.rule("T22.94-03", "22.9413A.1")),
        pytest.param({"attacking_searchers": 2}, 0, marks=pytest.mark.rule("T22.94-03", "22.9413A.1")),
        pytest.param(
            {"defending_searchers": 1, "fast_carriers": 1, "cves": 1},
            -1,
            marks=pytest.mark.rule("T22.94-03", "22.9413A.2"),
        ),
        pytest.param({"fast_carriers": 2}, 0, marks=pytest.mark.rule("T22.94-03", "22.9413A.2")),
        pytest.param({"attacking_searchers": 5, "defending_searchers": 4}, 0, marks=pytest.mark.rule("22.9413A")),
        pytest.param({"asw_factors": 3}, -1, marks=pytest.mark.rule("T22.94-05", "22.9415A")),
        pytest.param({"destroyers": 3}, -1, marks=pytest.mark.rule("T22.94-04", "22.9414A")),
        pytest.param({"destroyers": 5}, -1, marks=pytest.mark.rule("T22.94-04", "22.9414A")),
        pytest.param({"asw_factors": 8, "submarines_in_box": 3}, -1, marks=pytest.mark.rule("T22.94-05", "22.9415A")),
        pytest.param({"asw_factors": 2, "submarines_in_box": 9}, 0, marks=pytest.mark.rule("T22.94-05", "22.9415A")),
        pytest.param({"damaged": True}, 1, marks=pytest.mark.rule("T22.94-07")),
        pytest.param({"hampered": True}, 1, marks=pytest.mark.rule("T22.94-07")),
        pytest.param({"damaged": True, "hampered": True}, 1, marks=pytest.mark.rule("22.9417C")),
        pytest.param({"codebreaking": 2}, 1, marks=pytest.mark.rule("T22.94-08", "22.9418")),
        pytest.param({"codebreaking": -1}, -1, marks=pytest.mark.rule("T22.94-08", "22.9418")),
    ],
)
def test_each_line_of_the_submarine_modifiers(counts: dict[str, int], total: int) -> None:
    assert submarine(**counts) == total


@pytest.mark.rule("T22.94-06", "22.9416A", "22.9416D", "22.9416E")
def test_earlier_submarine_attacks() -> None:
    assert [submarine(previous_attacks=earlier) for earlier in range(4)] == [0, -1, -2, -3]


@pytest.mark.parametrize(
    ("counts", "total"),
    [
        pytest.param({"torpedo_research": 5, "asw_research": 1}, 2, marks=pytest.mark.rule("22.9412B")),
        pytest.param({"asw_research": 3}, -2, marks=pytest.mark.rule("22.9412B")),
        pytest.param({"attacking_searchers": 9}, 2, marks=pytest.mark.rule("22.9413E")),
        pytest.param({"cves": 12}, -2, marks=pytest.mark.rule("22.9413E")),
        pytest.param({"attacking_searchers": 9, "cves": 3}, 2, marks=pytest.mark.rule("22.9413E")),
        pytest.param({"destroyers": 15}, -2, marks=pytest.mark.rule("22.9414B")),
        pytest.param({"asw_factors": 30}, -2, marks=pytest.mark.rule("22.9415C")),
    ],
)
@pytest.mark.rule("T22.94-10")
def test_limits_of_the_submarine_categories(counts: dict[str, int], total: int) -> None:
    assert submarine(**counts) == total


@pytest.mark.rule("T22.94-10")
def test_nationality_and_earlier_attacks_have_no_limit_of_their_own() -> None:
    assert submarine(attacker=3) == 3
    assert submarine(previous_attacks=3) == -3
    assert submarine(attacker=3, previous_attacks=3, destroyers=9) == -2


@pytest.mark.rule("T22.94-11", "22.941")
def test_overall_limit_of_the_submarine_modifiers() -> None:
    assert submarine(attacker=3, torpedo_research=2, damaged=True) == 4
    assert submarine(target=3, destroyers=6, previous_attacks=2) == -4
    assert submarine(attacker=3, codebreaking=1) == 4


@pytest.mark.rule("T22.94-12", "22.941")
def test_advanced_submarines_attack_at_plus_one() -> None:
    assert submarine(attacker=3, damaged=True, advanced=True) == 1
    assert submarine(target=3, destroyers=9, previous_attacks=4, advanced=True) == 1


@pytest.mark.parametrize(
    ("table", "own", "other"),
    [
        (AIR_ATTACK, "attacker_drm", "defender_drm"),
        (FLEET_ATTACK, "firing_drm", "target_drm"),
        (SUBMARINE_ATTACK, "attacker_drm", "target_drm"),
    ],
)
def test_the_printed_lines_count_drms_as_the_charts_do(table: CountTable, own: str, other: str) -> None:
    assert table.ledger(**{own: 3}).total == 3
    assert table.ledger(**{other: 2}).total == -2
    assert table.ledger(**{own: -1, other: 2}).total == -3
    assert table.ledger(**{other: -2}).total == 2
