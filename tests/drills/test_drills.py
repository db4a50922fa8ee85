"""Drills: each comes to its question, each option has exact odds, and the best answer is the one in the file."""

from __future__ import annotations

from fractions import Fraction

import pytest

from flagplot.drills import Measure, begun, drill, drills, judged
from flagplot.kernel.errors import UnknownName
from flagplot.kernel.requests import Choose
from flagplot.register import register


@pytest.mark.parametrize("name", list(drills()))
def test_the_question_comes_up(name: str) -> None:
    one = drill(name)
    request = begun(one).pending
    assert isinstance(request, Choose)
    assert (request.side, request.options[0].text.partition(":")[0]) == (one.side, one.verb)
    assert one.rule in register()
    assert len(one.about.split()) < 90
    assert len(one.lesson.split()) < 80


@pytest.mark.parametrize("name", list(drills()))
def test_every_option_has_exact_odds_and_a_reason_and_the_best_is_that_of_the_file(name: str) -> None:
    one, found = drill(name), judged(name)
    request = begun(one).pending
    assert isinstance(request, Choose)
    assert [choice.text for choice in found.choices] == [option.text for option in request.options]
    assert all([choice.answer.soundness.startswith("Exact") for choice in found.choices])
    assert set(one.why) == {choice.text for choice in found.choices}
    assert found.best.text == one.best
    assert found.best.worth == max([choice.worth for choice in found.choices])
    assert len({choice.worth for choice in found.choices}) > 1, "nothing to learn where all answers are alike"


def test_all_that_was_promised_is_practised() -> None:
    assert list(drills()) == ["search", "cap", "screening", "withdrawal", "interception"]


def test_odds_that_can_be_counted_by_hand() -> None:
    shares = [choice.worth for choice in judged("search").choices]
    assert shares == [1 - Fraction(4, 6) ** dice for dice in (1, 2, 3, 4, 4)], "two of six faces find a group"
    assert judged("interception").choices[1].worth == Fraction(206, 216), "three dice that add up to six or more"


def test_the_staff_compares_a_choice_with_its_own() -> None:
    found = judged("cap")
    first, second, third = [choice.text for choice in found.choices]
    assert found.verdict(third) == "2: 79 %. The staff would do the same."
    assert found.verdict(first) == "The staff’s choice, “2”: 79 %. Yours, “None”: 25 %."
    search = judged("search")
    assert "the same as the staff’s choice, “3”" in search.verdict(search.choices[4].text)
    with pytest.raises(UnknownName):
        found.verdict("engage:everything")
    assert second in {choice.text for choice in found.choices}


def test_a_balance_is_what_he_loses_less_what_we_lose() -> None:
    found = judged("withdrawal")
    stay, leave = found.choices
    assert leave.worth == 0
    assert stay.worth < -2
    assert drill("withdrawal").measure.shown(Fraction(-3)) == "−3.00 factors"
    assert Measure("x", ("a",)).of({}) == 0, "what cannot happen is not told"


def test_an_unknown_drill_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="screening"):
        drill("screens")
