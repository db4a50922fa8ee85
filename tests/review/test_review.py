"""The review of a battle: decisions against the best other answer, from what the side knew then."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import flagplot
from flagplot.drills import begun, drill
from flagplot.drills import judged as judged_drill
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.odds.answer import Answer, Part
from flagplot.odds.chances import Distribution
from flagplot.odds.position_answer import SampledPart
from flagplot.review.deciding import Decision, Step, Worth, judged, judged_from, steps, worth_of
from flagplot.review.words import luck_told, mattered, named


@pytest.fixture(scope="module")
def guns() -> Game[Any]:
    """The drill of screening, at its question."""
    return begun(drill("screening"))


def a_decision(swing: float, *, error: float = 0.0, kind: str = "screen", where: str = "Round 1") -> Decision:
    return Decision(1, kind, where, "Screen?", "22.531C", "None", "One", Worth(swing, error), Worth(0.0))


def test_the_steps_are_the_sides_own_decisions_as_they_were(guns: Game[Any]) -> None:
    played = [(step.chosen, step.game.pending) for step in steps(guns, "japan")]
    assert [chosen for chosen, _ in played] == ["number:bombardment:1", "ready:go", "ready:go", "screen:none"][:1] + [
        chosen for chosen, _ in played[1:]
    ]
    assert "screen:none" in [chosen for chosen, _ in played]
    again = [*steps(guns, "allies")]
    assert again[-1].game.turn == guns.turn, "nothing is missing, nothing is doubled"


def test_what_was_taken_back_is_left_out() -> None:
    game = flagplot.load("first-battle", seed=3)
    first = game.pending
    assert isinstance(first, Choose)
    game.choose(first.options[1])
    game.undo("japan")
    game.choose(first.options[0])
    assert [step.chosen for step in steps(game, "japan")] == [first.options[0].text]


def test_a_decision_is_compared_with_the_best_other_answer() -> None:
    game = begun(drill("cap"))
    request = game.pending
    assert isinstance(request, Choose)
    best, worst = request.options[2].text, request.options[0].text
    good = judged(Step(0, game, best), "japan")
    bad = judged(Step(0, game, worst), "japan")
    assert good is not None
    assert bad is not None
    assert good.swing > 0 > bad.swing
    assert (good.other, bad.other) == ("1", "2")
    assert good.error == 0
    assert named(bad).verdict.startswith("You chose “None”. “2” was worth ")
    assert named(good).soundness == "exact"
    assert judged_drill("cap").best.text == best, "the drill comes to the same"


def test_what_depends_on_the_whole_battle_is_judged_if_there_is_time_for_it() -> None:
    game = begun(drill("withdrawal"))
    assert judged(Step(0, game, "withdraw:all"), "allies") is None
    found = judged(Step(0, game, "withdraw:all"), "allies", wide=0.3)
    assert found is not None
    assert found.error > 0, "played on, so it is an estimate"
    assert found.swing > 0


def test_losses_are_counted_in_factors_the_enemys_less_ones_own() -> None:
    even = Distribution({0: Fraction(1, 2), 2: Fraction(1, 2)})
    answer = Answer(
        "",
        (
            Part("Japan: factors sunk", even),
            Part("The Allies: factors newly damaged", even),
            Part("Japan: fast carriers sunk", even),
        ),
    )
    names = {"japan": "Japan", "allies": "the Allies"}
    assert worth_of(answer, names, "allies") == Worth(1 - 0.5)
    assert worth_of(answer, names, "japan") == Worth(-1 + 0.5)
    sampled = Answer("", (SampledPart("Japan: factors sunk", even, 101),))
    assert worth_of(sampled, names, "allies").error == pytest.approx(0.1)


def test_three_are_named_the_weightiest_first_and_one_of_a_kind() -> None:
    found = [a_decision(swing, where=f"Round {place}") for place, swing in enumerate((0.2, -3.0, 1.0, 0.5, 0.01))]
    assert [one.swing for one in mattered(found)] == [-3.0, 1.0, 0.5]
    assert mattered([a_decision(1.0), a_decision(-2.0)])[0].swing == -2.0
    assert len(mattered([a_decision(1.0), a_decision(-2.0)])) == 1
    assert not mattered([a_decision(1.0, error=0.6)]), "chance may explain it"


def test_a_review_goes_on_where_it_stopped(guns: Game[Any]) -> None:
    first = judged_from(guns, "japan", 0, 0.0)
    assert first.seen == 1
    seen, found = first.seen, [*first.decisions]
    while seen < first.of:
        part = judged_from(guns, "japan", seen, 0.0)
        seen, found = part.seen, [*found, *part.decisions]
    whole = judged_from(guns, "japan", 0, 60.0)
    assert len(found) == len(whole.decisions)
    assert (whole.seen, whole.of) == (first.of, first.of)


def test_luck_is_told_with_its_error() -> None:
    game = begun(drill("withdrawal"))
    first, *rest = luck_told(game, "allies", "allies")
    assert first.startswith("Your dice were ")
    assert any(["±" in line for line in rest])
    assert luck_told(flagplot.load("first-battle", seed=1), "japan", "japan") == ["No rolls to compare."]
