"""Squadrons that the enemy may have over his groups: the weights are those that players are told."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from flagplot.awaw.air_units import Arm, Role, Unit, unit
from flagplot.awaw.knowledge.squadrons import covers, patrols
from flagplot.odds.ship_lists import read_fleet

COVER = unit("united-states", Arm.ARMY, 2, 3, "port-moresby", Role.COVER, False)
NAVAL = unit("united-states", Arm.NAVAL, 2, 3, "port-moresby", Role.SQUADRONS, False)


def known(flying: dict[Unit, int], *over: int) -> Any:
    return SimpleNamespace(cover=flying, over=over)


def squadrons(over: dict[int, Any]) -> dict[int, int]:
    return {number: sum([some for _, some in flying]) for number, flying in over.items()}


@pytest.mark.rule("22.4421A")
def test_cover_over_all_groups_is_shared_out_once() -> None:
    able = covers(known({COVER: 2, NAVAL: 1}, 1, 3, 4, 6), (1, 3, 4, 6), {})
    assert sum([weight for weight, _ in able]) == 1
    assert {sum(squadrons(over).values()) for _, over in able} == {3}, "neither more nor fewer than fly"
    for number in (1, 3, 4, 6):
        mean = sum([weight * squadrons(over).get(number, 0) for weight, over in able])
        assert mean == Fraction(3, 4), "any group is equally likely"


@pytest.mark.rule("22.4421A")
def test_cover_may_be_over_groups_that_nobody_asks_about() -> None:
    able = covers(known({COVER: 2}, 1, 3, 4, 6), (3,), {})
    chances: Counter[int] = Counter()
    for weight, over in able:
        chances[squadrons(over).get(3, 0)] += weight  # type: ignore[assignment]
    assert chances == {0: Fraction(9, 16), 1: Fraction(6, 16), 2: Fraction(1, 16)}


@pytest.mark.rule("22.4421A")
def test_what_is_assumed_of_one_group_is_not_over_another() -> None:
    able = covers(known({COVER: 2}, 1, 3), (1, 3), {3: 2})
    assert [squadrons(over) for _, over in able] == [{3: 2}]
    assert {squadrons(over).get(1, 0) for _, over in covers(known({COVER: 2}, 1, 3), (1, 3), {3: 1})} == {1}


@pytest.mark.rule("23.33")
def test_each_number_of_a_patrol_is_equally_likely() -> None:
    for ships in ("Akagi, Kaga", "Enterprise, Hornet"):
        numbers: dict[int, Fraction] = {}
        for weight, _, some in patrols(read_fleet(ships, "ships")):
            numbers[some] = numbers.get(some, Fraction(0)) + weight
        assert numbers == dict.fromkeys(range(3), Fraction(1, 3)), "none, one or two of six squadrons"
