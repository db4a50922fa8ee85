"""`flagplot luck`: expectations that are exact, sums, secrets, and words that accuse nobody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.awaw.battle.damage import Hits
from flagplot.awaw.battle.search import Sightings
from flagplot.awaw.battle.strikes import Level
from flagplot.awaw.battle.torpedoes import Category, Outcome
from flagplot.awaw.hits import Critical
from flagplot.awaw.tables.grids import AirResult, SubmarineResult
from flagplot.kernel.dice import Typed
from flagplot.kernel.effects import effect
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Faces, Roll
from flagplot.line_of_battle.attacks import Points, Volley
from flagplot.odds.luck import Rolled, as_far_off, expectation, luck, together
from flagplot.odds.luck_words import in_words, number, often
from flagplot.players import player

Run = Callable[..., Any]


def played(name: str, until: int | None = None, seed: int = 3) -> Game[Any]:
    game = flagplot.load(name, seed=seed)
    game.play({side: player("doctrine", place) for place, side in enumerate(game.sides)}, until=until)
    return game


def over_malta(*faces: int) -> Game[Any]:
    """Five German factors against Malta, row 5 with +1, and one roll of two dice."""
    game = flagplot.load("malta", dice=Typed())
    game.choose("counterair:malta")
    game.choose("send:malta:catania:germany:army:factors:5")
    while isinstance(game.pending, flagplot.Choose):
        game.choose(game.pending.options[0])
    game.roll(faces)
    return game


# --- what a reading is worth ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "amount", "unit"),
    [
        (AirResult(2, 3), Fraction(7, 2), "air losses"),
        (AirResult(0, 0), 0, "air losses"),
        (Hits(3), 3, "hits"),
        (Sightings((2, 2, 5)), 3, "search results"),
        (Level(4), 4, "surprise levels"),
        (Level(-2), 0, "surprise levels"),
        (SubmarineResult(2, False), 2, "hits by submarines, less boats lost"),
        (Outcome(0, True), -1, "hits by submarines, less boats lost"),
        (Critical.SUNK, 1, "critical hits"),
        (Critical.NOTHING, 0, "critical hits"),
        (Volley(disabled=2, hits=1), Fraction(3, 2), "hits"),
        (Points(7), 7, "points of damage"),
    ],
)
def test_readings_have_a_measure(reading: object, amount: Fraction | int, unit: str) -> None:
    assert effect(reading) == (amount, unit)


@pytest.mark.parametrize("reading", [4, "hit", Category.LIGHT, (1, 2)])
def test_what_is_no_number_has_no_measure(reading: object) -> None:
    assert effect(reading) is None


# --- expectations -----------------------------------------------------------------------------------------------


def one_die(faces: Faces) -> Hits:
    return Hits(faces[0])


def test_the_expectation_of_a_die_is_exact() -> None:
    assert expectation(Roll("red", 1, "a die", one_die, "0")) == (Fraction(7, 2), Fraction(35, 12))
    assert expectation(Roll("red", 1, "a die", sum, "0")) is None


def test_a_save_with_one_roll_is_judged_by_its_own_modifiers(run: Run, tmp_path: Path) -> None:
    """Row 5 with +1, of 36: 1/2 once, 1/3 5 times, 2/2 4, 2/3 5, 2/4 6, 3/3 5, 3/4 4, 3/5 3, 4/4 3 times; with half for
    the aborted that is 145/36 on average."""
    over_malta(1, 3).save(tmp_path / "game.jsonl", follow=False)
    found = run("luck", "game.jsonl", "--json").json
    assert found["over"] is False
    (rolled,) = found["mattered"]
    assert (rolled["faces"], rolled["reading"], rolled["amount"]) == ([1, 3], "1/3", "5/2")
    assert rolled["expected"] == "145/36"
    assert rolled["variance"] == "1601/1296"
    off = float(Fraction(5, 2) - Fraction(145, 36)) / sqrt(1601 / 1296)
    assert rolled["deviations"] == pytest.approx(off)
    axis = found["sides"]["axis"]
    assert axis["units"]["air losses"]["expected"] == "145/36"
    assert axis["deviations"] == pytest.approx(off)
    assert axis["as_far_off"] == pytest.approx(as_far_off(off))
    assert found["sides"]["allies"]["rolls"] == 0


def test_sums_are_those_of_the_rolls() -> None:
    found = luck(played("midway"), "umpire")
    for side in found.sides:
        for unit, total in found.balances(side).items():
            some = [one for one in found.rolls if (one.side, one.unit) == (side, unit)]
            assert total.rolls == len(some)
            assert total.amount == sum(one.amount for one in some)
            assert total.expected == sum(one.expected for one in some)
            assert total.variance == sum(one.variance for one in some)
    assert {"air losses", "search results", "hits"} <= set(found.balances("japan"))
    assert sum(found.unmeasured.values()) == 2  # upon which ships two submarines came


@pytest.mark.parametrize("name", ["midway", "okinawa", "force-z", "malta", "denmark-strait"])
def test_every_roll_is_judged_or_counted_as_left_out(name: str) -> None:
    game = played(name)
    found = luck(game, "umpire")
    rolls = [request for request, _ in game.events if isinstance(request, Roll)]
    assert len(found.rolls) + sum(found.unmeasured.values()) == len(rolls)
    assert not found.hidden
    assert len(found.rolls) > len(rolls) / 2


def test_over_many_games_luck_evens_out() -> None:
    off = [luck(played("savo-island", seed=seed), "umpire").in_all("japan") for seed in range(80)]
    mean, spread = sum(off) / 80, sqrt(sum(one * one for one in off) / 80)
    assert abs(mean) < 4 / sqrt(80)
    assert 0.7 < spread < 1.3


def rolled(place: int, amount: int, expected: Fraction, variance: Fraction) -> Rolled:
    return Rolled(place, "red", "a roll", "0", (1,), "", "hits", Fraction(amount), expected, variance)


def test_the_rolls_that_matter_are_unusual_and_weighty() -> None:
    likely = rolled(1, 1, Fraction(1, 2), Fraction(1, 4))
    rare = rolled(2, 1, Fraction(1, 36), Fraction(35, 1296))
    great = rolled(3, 9, Fraction(3), Fraction(4))
    certain = rolled(4, 2, Fraction(2), Fraction(0))
    found = replace(luck(over_malta(1, 3), "umpire"), rolls=[likely, rare, great, certain])
    assert found.mattered() == [great, rare, likely]
    assert found.mattered(1) == [great]
    assert certain.deviations == 0.0
    assert together([great, likely]) == pytest.approx((3.0 + 1.0) / sqrt(2))
    assert together([great, likely, certain]) == together([great, likely])
    assert together([certain]) == 0.0


def test_no_more_than_ten_rolls_are_named() -> None:
    assert len(luck(played("midway"), "umpire").mattered()) == 10


# --- secrets ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reader", ["japan", "allies"])
def test_until_the_end_a_side_judges_only_what_it_may_know(reader: str) -> None:
    game = played("midway", until=80)
    assert game.pending is not None
    found, all_of_it = luck(game, reader), luck(game, "umpire")
    rolls = [request for request, _ in game.events if isinstance(request, Roll)]
    secret = {place for place, roll in enumerate(rolls, 1) if roll.secret and roll.side != reader}
    assert secret
    assert {one.number for one in found.rolls} == {one.number for one in all_of_it.rolls} - secret
    (enemy,) = {"japan", "allies"} - {reader}
    assert found.hidden == {enemy: len(secret)}
    assert not all_of_it.hidden


def test_after_the_end_everybody_judges_all() -> None:
    game = played("midway")
    assert luck(game, "japan") == luck(game, "umpire")


def test_only_sides_of_the_game_can_ask(run: Run, tmp_path: Path) -> None:
    over_malta(1, 3).save(tmp_path / "game.jsonl", follow=False)
    ran = run("luck", "game.jsonl", "--as", "france")
    assert ran.code == 2
    assert "“france”" in ran.err
    assert run("luck", "nowhere.jsonl").code == 2


# --- words ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["midway", "force-z"])
def test_it_is_told_in_words_that_accuse_nobody(run: Run, tmp_path: Path, name: str) -> None:
    played(name).save(tmp_path / "game.jsonl", follow=False)
    ran = run("luck", "game.jsonl")
    assert ran.code == 0
    assert "== Japan ==" in ran.out
    assert "The rolls that mattered most" in ran.out
    assert "\n10. " in ran.out
    assert "This measures the dice, not how well anybody played" in ran.out
    assert not [word for word in ("cheat", "suspic", "unfair", "loaded", "lucky", "blame") if word in ran.out.lower()]


def test_a_game_that_goes_on_says_so(run: Run, tmp_path: Path) -> None:
    played("midway", until=80).save(tmp_path / "game.jsonl", follow=False)
    ran = run("luck", "game.jsonl", "--as", "japan")
    assert "The game is still in progress. Luck so far, from what Japan may know:" in ran.out
    assert "left out until the end: the reasons are secret." in ran.out


@pytest.mark.parametrize(
    ("deviations", "words"),
    [
        (0.4, "about as expected (+0.4 sd; fair dice are this far off in 69% of all games)"),
        (-1.5, "somewhat below expectation (-1.5 sd; fair dice are this far off in 13% of all games)"),
        (2.0, "well above expectation (+2.0 sd; fair dice are this far off in about one game in 22)"),
        (-3.5, "far below expectation (-3.5 sd; fair dice are this far off in about one game in 2,149)"),
    ],
)
def test_how_far_off_is_told_with_how_often_that_happens(deviations: float, words: str) -> None:
    assert in_words(deviations) == words


def test_numbers_for_people() -> None:
    assert number(Fraction(6, 2)) == "3"
    assert number(Fraction(145, 36)) == "4.03"
    assert often(0.0) == "about one game in 1,000,000,000"
