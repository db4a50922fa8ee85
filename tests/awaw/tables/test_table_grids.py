"""The tables of rows and columns, cell by cell against the second copies in ``copies/``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.awaw.tables import grids
from flagplot.awaw.tables.grids import AirResult, SubmarineResult
from flagplot.kernel.errors import BadValue, UnknownName

COPIES = Path(__file__).parent / "copies"
ROLLS = range(2, 13)
LADDER = """
    0 0/1 1/0 1/1 1/2 1/3 2/2 2/3 2/4 3/3 3/4 3/5 4/4 4/5 4/6
    5/5 5/6 5/7 6/6 6/7 6/8 7/7 7/8 7/9 8/8 8/9 8/10 9/9
"""


def copied(name: str) -> list[list[str]]:
    lines = (COPIES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def air_combat_cells() -> Iterator[tuple[int, int, AirResult]]:
    for strength, elim, *cells in copied("air-combat"):
        assert (elim, cells[11], len(cells)) == ("elim", "abort", 23)
        for roll, eliminated, aborted in zip(ROLLS, cells[:11], cells[12:], strict=True):
            yield int(strength), roll, AirResult(int(eliminated), int(aborted))


def air_defense_cells() -> Iterator[tuple[int, int, str]]:
    for _, roll, *cells in copied("air-defense"):
        assert len(cells) == 10
        for level, cell in enumerate(cells, start=1):
            yield level, int(roll.rstrip(":")), cell


def naval_attack_rows() -> Iterator[tuple[str, str, list[int]]]:
    for squadrons, factors, first, *steps in copied("naval-attack"):
        yield squadrons, factors, [int(first) + sum(roll >= int(step) for step in steps) for roll in ROLLS]


@pytest.mark.rule("T19.2", "T19.2-06")
def test_every_cell_of_the_air_combat_table() -> None:
    cells = list(air_combat_cells())
    assert len(cells) == 20 * 11
    for strength, roll, result in cells:
        assert grids.air_combat(strength, roll) == result, (strength, roll)


@pytest.mark.rule("T19.2")
def test_the_air_combat_table_is_one_ladder() -> None:
    """Of 28 steps; no row ever falls, and from row 8 on the step is row - 3 + (roll - 2)."""
    ladder = LADDER.split()
    assert len(ladder) == 28
    for strength in range(1, 21):
        steps = [ladder.index(str(result)) for result in grids.air_combat_row(strength)]
        assert steps == sorted(steps)
        if strength >= 8:
            assert steps == [strength - 3 + roll - 2 for roll in ROLLS]


@pytest.mark.rule("T23.42")
def test_every_cell_of_the_air_defense_table() -> None:
    cells = list(air_defense_cells())
    assert len(cells) == 10 * 11
    for level, roll, text in cells:
        assert str(grids.air_defense(level, roll)) == text, (level, roll)


@pytest.mark.rule("T23.42")
def test_air_defense_never_falls_with_the_level_or_the_roll() -> None:
    rows = [grids.air_defense_row(level) for level in range(11)]
    for row in rows:
        assert list(row) == sorted(row)
    for weaker, stronger in pairwise(rows):
        assert all(low <= high for low, high in zip(weaker, stronger, strict=True))


@pytest.mark.rule("T22.55", "T23.44")
def test_every_cell_of_the_naval_attack_table_by_squadrons() -> None:
    rows = [(int(label), hits) for label, _, hits in naval_attack_rows() if label != "-"]
    assert [label for label, _ in rows] == list(range(1, 21))
    for squadrons, hits in rows:
        assert [grids.naval_attack_by_air(squadrons, roll) for roll in ROLLS] == hits, squadrons


@pytest.mark.rule("T22.55", "T23.44")
def test_every_cell_of_the_naval_attack_table_by_fleet_factors() -> None:
    seen = []
    for _, label, hits in naval_attack_rows():
        first, _, last = label.partition("-")
        for factors in range(int(first), int(last) + 1) if first else ():
            seen.append(factors)
            assert [grids.naval_attack_by_fleet(factors, roll) for roll in ROLLS] == hits, factors
    assert seen == list(range(1, 26))


@pytest.mark.rule("T23.44")
@pytest.mark.parametrize("factors", range(26, 61))
def test_fleets_above_25_factors_read_the_row_of_a_third_as_many_squadrons(factors: int) -> None:
    """Chapter 23 alone labels these rows; three factors go to a squadron, the odd ones count up."""
    squadrons = -(-factors // 3)
    assert grids.naval_attack_by_fleet_row(factors) == grids.naval_attack_by_air_row(squadrons)


@pytest.mark.rule("T22.55", "T23.44")
@pytest.mark.parametrize(
    ("factors", "roll", "hits"),
    [
        (1, 8, 1),
        (1, 7, 0),
        (4, 5, 1),
        (4, 12, 3),
        (6, 4, 1),
        (9, 2, 1),
        (12, 12, 5),
        (15, 9, 4),
        (25, 2, 3),
        (25, 12, 8),
        (25, 1, 3),
        (25, 14, 8),
    ],
)
def test_naval_attack_spot_checks(factors: int, roll: int, hits: int) -> None:
    assert grids.naval_attack_by_fleet(factors, roll) == hits


@pytest.mark.rule("T22.94", "T22.94-09")
def test_every_cell_of_the_submarine_attack_table() -> None:
    for outcome, *rolls in copied("submarine-attack"):
        expected = SubmarineResult(0, True) if outcome == "lost" else SubmarineResult(int(outcome), False)
        for roll in rolls:
            assert grids.submarine_attack(int(roll)) == expected, roll


@pytest.mark.rule("19.42")
@pytest.mark.parametrize("strength", [1, 7, 20, 33])
def test_air_combat_rolls_off_the_table_read_its_edges(strength: int) -> None:
    row = grids.air_combat_row(strength)
    assert [grids.air_combat(strength, roll) for roll in (-3, 0, 1, 2)] == [row[0]] * 4
    assert [grids.air_combat(strength, roll) for roll in (12, 13, 14, 20)] == [row[-1]] * 4
    assert row[0] != row[1] or row[0] != row[-1]


def test_other_rolls_off_the_table_read_its_edges() -> None:
    assert grids.air_defense(4, 1) == grids.air_defense(4, 2) == AirResult(1, 0)
    assert grids.air_defense(4, 15) == grids.air_defense(4, 12) == AirResult(2, 3)
    assert grids.naval_attack_by_air(5, -1) == grids.naval_attack_by_air(5, 2) == 2
    assert grids.naval_attack_by_air(5, 13) == grids.naval_attack_by_air(5, 12) == 6


@pytest.mark.rule("T19.2-05")
@pytest.mark.parametrize(
    ("strength", "roll", "result"),
    [
        (23, 7, "8/10"),
        (20, 7, "7/8"),
        (21, 2, "5/7"),
        (40, 12, "18/18"),
        (41, 12, "19/21"),
        (43, 7, "15/18"),
    ],
)
def test_more_than_twenty_in_air_combat(strength: int, roll: int, result: str) -> None:
    assert str(grids.air_combat(strength, roll)) == result


@pytest.mark.rule("T23.42-09")
@pytest.mark.parametrize(("level", "roll", "result"), [(13, 7, "3/4"), (10, 7, "2/3"), (20, 7, "4/6"), (21, 7, "4/7")])
def test_air_defense_above_level_ten(level: int, roll: int, result: str) -> None:
    assert str(grids.air_defense(level, roll)) == result


@pytest.mark.rule("T22.55-07", "T23.44-07")
@pytest.mark.parametrize(("squadrons", "roll", "hits"), [(23, 7, 13), (20, 7, 11), (40, 2, 16), (43, 2, 17)])
def test_more_than_twenty_squadrons(squadrons: int, roll: int, hits: int) -> None:
    assert grids.naval_attack_by_air(squadrons, roll) == hits


@pytest.mark.rule("T23.44-07")
@pytest.mark.parametrize(
    ("factors", "roll", "hits"), [(60, 7, 11), (61, 7, 11), (61, 8, 12), (64, 12, 16), (130, 12, 31)]
)
def test_more_than_sixty_fleet_factors(factors: int, roll: int, hits: int) -> None:
    assert grids.naval_attack_by_fleet(factors, roll) == hits


@pytest.mark.rule("T19.2-05", "T23.42-09", "T23.44-07", "T22.55-07")
@pytest.mark.parametrize(
    ("table", "strength", "by", "parts"),
    [
        ("air-combat", 23, "air", (20, 3)),
        ("air-combat", 43, "air", (20, 20, 3)),
        ("air-combat", 20, "air", (20,)),
        ("air-combat", 0, "air", ()),
        ("air-defense", 13, "air", (10, 3)),
        ("naval-attack", 25, "air", (20, 5)),
        ("naval-attack", 25, "fleet", (25,)),
        ("naval-attack", 125, "fleet", (60, 60, 5)),
    ],
)
def test_which_rows_are_combined(table: str, strength: int, by: str, parts: tuple[int, ...]) -> None:
    assert grids.rows(table, strength, by) == parts


@given(strength=st.integers(0, 200), roll=st.integers(-5, 20))
def test_combined_rows_are_the_sum_of_their_parts(strength: int, roll: int) -> None:
    total = AirResult(0, 0)
    for part in grids.rows("air-combat", strength):
        total = total + grids.air_combat(part, roll)
    assert grids.air_combat(strength, roll) == total
    hits = sum(grids.naval_attack_by_fleet(part, roll) for part in grids.rows("naval-attack", strength, "fleet"))
    assert grids.naval_attack_by_fleet(strength, roll) == hits


@pytest.mark.parametrize("roll", [2, 7, 12])
def test_no_strength_has_no_effect(roll: int) -> None:
    assert str(grids.air_combat(0, roll)) == str(grids.air_defense(0, roll)) == "0"
    assert grids.naval_attack_by_air(0, roll) == grids.naval_attack_by_fleet(0, roll) == 0


@pytest.mark.parametrize(
    "look_up",
    [grids.air_combat, grids.air_defense, grids.naval_attack_by_air, grids.naval_attack_by_fleet],
)
@pytest.mark.parametrize("strength", [-1, 10_001])
def test_impossible_strengths_are_refused(look_up: Callable[[int, int], object], strength: int) -> None:
    with pytest.raises(BadValue, match=str(strength)):
        look_up(strength, 7)


@pytest.mark.parametrize("strength", [2.5, "3"])
def test_strengths_that_are_no_numbers_are_refused(strength: Any) -> None:
    with pytest.raises(BadValue, match=str(strength)):
        grids.air_combat(strength, 7)


def test_unknown_grids_are_refused() -> None:
    with pytest.raises(UnknownName, match="air-combat"):
        grids.rows("search", 3)
    with pytest.raises(BadValue, match="fleet"):
        grids.rows("naval-attack", 3, "submarines")


@pytest.mark.parametrize(
    ("result", "text"),
    [(AirResult(0, 0), "0"), (AirResult(0, 1), "0/1"), (AirResult(1, 0), "1/0"), (AirResult(2, 3), "2/3")],
)
def test_air_results_as_text(result: AirResult, text: str) -> None:
    assert str(result) == text


def test_submarine_results_as_text() -> None:
    assert [str(grids.submarine_attack(roll)) for roll in (2, 3, 9)] == ["*", "0", "3"]


def test_rows_are_made_once() -> None:
    assert grids.air_combat_row(23) is grids.air_combat_row(23)
    assert len(grids.air_combat_row(23)) == 11
