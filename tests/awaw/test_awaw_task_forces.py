"""20.16, 22.421: what a task force and a combined combat group may hold."""

from __future__ import annotations

import pytest

from flagplot.awaw.counting import add
from flagplot.awaw.options import Options
from flagplot.awaw.ships import Fleet, Kind, named_ship, ship
from flagplot.awaw.task_forces import (
    carrier_factors,
    fast_fleet_factors,
    small_force_faults,
    surplus_carriers,
    surplus_factors,
    task_force_faults,
)

DEFAULT = Options()
ANY = Options(task_force_escort="any")
LIGHT = {"CA": Kind.CRUISER, "DD": Kind.DESTROYER, "CVE": Kind.CVE, "AP": Kind.TRANSPORT}


def force(words: str, hits: int = 0) -> Fleet:
    """A fleet as set-ups write it, light ships in factors: ``force("Shokaku, CA 8, DD 2")``; hits on the first."""
    made: Fleet = {}
    for word in words.split(", "):
        kind, _, count = word.partition(" ")
        if kind in LIGHT:
            size = 2 if kind == "CA" else 1
            add(made, ship("japan", LIGHT[kind], "", size, False, 2), int(count) // size)
        else:
            found = named_ship(word)
            add(made, ship(found.nation, found.kind, found.id, found.factors, found.slow, 2, False, hits), 1)
            hits = 0
    return made


def rules(fleet: Fleet, options: Options = DEFAULT) -> list[str]:
    return [number for _, number in task_force_faults(fleet, options)]


@pytest.mark.parametrize(
    ("words", "size", "aboard"),
    [
        ("Shokaku, Zuikaku, CA 8, DD 2", 16, 6),
        ("Lexington, Yorktown, CA 8, DD 1", 15, 6),
        ("Akagi, Hiryu, Kaga, Soryu, CA 12, DD 1", 25, 12),
    ],
)
def test_the_task_forces_of_coral_sea_and_midway(words: str, size: int, aboard: int) -> None:
    made = force(words)
    assert carrier_factors(made) == aboard
    assert fast_fleet_factors(made) == size - aboard
    assert rules(made) == rules(made, ANY) == []


def test_four_fleet_carriers_need_twelve_other_factors_and_have_room_for_thirteen() -> None:
    assert rules(force("Akagi, Hiryu, Kaga, Soryu, CA 10, DD 1")) == ["20.162F"]
    assert rules(force("Akagi, Hiryu, Kaga, Soryu, CA 12")) == []
    assert rules(force("Akagi, Hiryu, Kaga, Soryu, CA 12, DD 2")) == ["20.162"]


def test_thirteen_carrier_factors_never_make_a_task_force() -> None:
    assert rules(force("Akagi, Hiryu, Kaga, Shinano, CA 12")) == ["20.162F"]


@pytest.mark.parametrize(
    ("words", "broken"), [("DD 9", ["20.16"]), ("DD 10", []), ("DD 25", []), ("DD 26", ["20.162"])]
)
def test_a_task_force_has_ten_to_twenty_five_factors(words: str, broken: list[str]) -> None:
    assert rules(force(words)) == broken


def test_every_fault_is_told_at_once() -> None:
    assert rules(force("Akagi, DD 2")) == ["20.16", "20.162F"]


def test_transports_count_for_nothing_and_cves_as_one_factor() -> None:
    assert rules(force("DD 25, AP 30")) == []
    assert rules(force("DD 9, AP 30")) == ["20.16"]
    assert rules(force("DD 9, CVE 1")) == []


@pytest.mark.parametrize(("words", "fine"), [("DD 9, AP 5", True), ("CA 8, CVE 1", True), ("CA 8, CVE 2", False)])
def test_a_small_force_has_at_most_nine_factors(words: str, fine: bool) -> None:
    assert [number for _, number in small_force_faults(force(words), DEFAULT)] == ([] if fine else ["22.14C"])


@pytest.mark.parametrize("escort", ["Nagato, CVE 5", "CVE 9", "Fuso, Nagato, CVE 2"])
def test_by_default_the_escort_of_carriers_is_fast(escort: str) -> None:
    made = force(f"Akagi, Kaga, {escort}")
    assert rules(made) == ["22.421A"]
    assert rules(made, ANY) == []


@pytest.mark.rule("22.421A.4.2")
def test_fast_fleet_factors_are_of_fast_undamaged_capital_ships_cruisers_and_destroyers() -> None:
    assert fast_fleet_factors(force("Yamato, Haruna, CA 4, DD 3")) == 5 + 3 + 4 + 3
    assert fast_fleet_factors(force("Yamato, CA 4", hits=4)) == 4
    assert fast_fleet_factors(force("Yamato, CA 4", hits=3)) == 9
    assert fast_fleet_factors(force("Nagato, Akagi, CVE 3, AP 3")) == 0


@pytest.mark.rule("22.421A.4.2")
@pytest.mark.parametrize(
    ("words", "surplus"),
    [("Akagi, Shoho, DD 5", 0), ("Akagi, Shoho, DD 4", 1), ("Akagi, Nagato, CVE 2", 3), ("DD 4", 0)],
)
def test_carrier_factors_beyond_the_fast_fleet_factors_are_surplus(words: str, surplus: int) -> None:
    assert surplus_carriers(force(words)) == surplus


@pytest.mark.rule("22.421A.4.2")
def test_a_damaged_carrier_still_needs_its_escort() -> None:
    assert surplus_carriers(force("Akagi, DD 2", hits=2)) == 1


@pytest.mark.rule("22.421A.4.1")
@pytest.mark.parametrize(("words", "surplus"), [("DD 25", 0), ("DD 27", 2), ("DD 25, CVE 1", 1), ("DD 25, AP 9", 0)])
def test_a_combined_group_holds_twenty_five_factors_and_any_transports(words: str, surplus: int) -> None:
    assert surplus_factors(force(words)) == surplus
