"""`flagplot learn`: a battle with a coach, and drills."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Run = Callable[..., Any]


def test_the_coach_speaks_once_at_each_kind_of_decision(run: Run) -> None:
    out = run("learn", "first-battle", "--seed", "3", typed="\n" * 200).out
    assert out.count("Coach 1/12: ") == 1
    assert out.index("Coach 2/12: ") < out.index("Coach 3/12: ")
    assert out.count("Coach 3/12: ") == 1
    assert "Coach 12/12: " in out, "the end of the battle too"


def test_the_coach_can_be_sent_away(run: Run) -> None:
    out = run("learn", "first-battle", "--seed", "3", typed="coach off\n\n\n\n\n").out
    assert "Coach 1/12: " in out
    assert "Coach 3/12: " not in out


def test_an_unknown_lesson_names_those_there_are(run: Run) -> None:
    ran = run("learn", "nonsense")
    assert (ran.code, "first-battle" in ran.err, "screening" in ran.err) == (2, True, True)


def test_without_a_name_everything_is_listed(run: Run) -> None:
    out = run("learn").out
    assert "first-battle" in out
    assert "interception" in out
    listed = json.loads(run("learn", "--json").out)
    assert [one["kind"] for one in listed] == ["lesson", *["drill"] * 5]


def test_a_drill_asks_and_judges_by_the_odds(run: Run) -> None:
    out = run("learn", "cap", typed="seven\n1\n").out
    assert "Type a number: 0 to 2" in out
    assert "The staff’s choice, “2”: 79 %. Yours, “1”: 63 %." in out
    assert "Remember: " in out


def test_a_drill_for_programs(run: Run) -> None:
    found = json.loads(run("learn", "withdrawal", "--answer", "2", "--json").out)
    assert (found["chosen"], found["best"]) == ("withdraw:all", "withdraw:all")
    assert [one["shown"] for one in found["options"]] == ["−3.00 factors", "+0.00 factors"]


def test_options_of_the_other_kind_are_refused(run: Run) -> None:
    assert run("learn", "cap", "--seed", "3").code == 2
    assert run("learn", "first-battle", "--answer", "1").code == 2
    ran = run("learn", "cap", "--answer", "9")
    assert (ran.code, "0 to 2" in ran.err) == (2, True)
