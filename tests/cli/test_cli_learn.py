"""`flagplot learn`: a battle with a coach."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Run = Callable[..., Any]


def test_the_coach_speaks_once_at_each_kind_of_decision(run: Run) -> None:
    out = run("learn", "--seed", "3", typed="\n" * 200).out
    assert out.count("Coach 1/12: ") == 1
    assert out.index("Coach 2/12: ") < out.index("Coach 3/12: ")
    assert out.count("Coach 3/12: ") == 1
    assert "Coach 12/12: " in out, "the end of the battle too"


def test_the_coach_can_be_sent_away(run: Run) -> None:
    out = run("learn", "--seed", "3", typed="coach off\n\n\n\n\n").out
    assert "Coach 1/12: " in out
    assert "Coach 3/12: " not in out


def test_an_unknown_lesson_names_those_there_are(run: Run) -> None:
    ran = run("learn", "nonsense")
    assert (ran.code, "first-battle" in ran.err) == (2, True)
