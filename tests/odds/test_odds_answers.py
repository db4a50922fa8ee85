"""How answers read: chances, averages, what is left over, and the same for programs."""

from __future__ import annotations

from fractions import Fraction

from flagplot.kernel.ledger import Ledger, Line
from flagplot.odds.answer import Answer, Part, percent
from flagplot.odds.chances import Distribution

DIE = Distribution({face: Fraction(1, 6) for face in range(1, 7)})
HALF = Distribution({0: Fraction(1, 4), 2: Fraction(1, 4)})


def test_a_number_has_an_average_and_the_chance_of_so_many_or_more() -> None:
    lines = Part("Hits", DIE).lines()
    assert lines[0] == "Hits: 3.500 on average"
    assert lines[1].startswith("  1   16.67%  100.00% or more")
    assert lines[6].startswith("  6   16.67%   16.67% or more")


def test_words_stand_with_the_likeliest_first() -> None:
    words = Distribution({"sunk": Fraction(1, 4), "afloat": Fraction(3, 4)})
    assert [line.split()[0] for line in Part("Hood", words).lines()] == ["Hood", "afloat", "sunk"]


def test_an_answer_that_is_not_whole_says_what_is_certain_and_what_is_missing() -> None:
    part = Part("Hits", HALF)
    assert part.mean == 1
    assert "50.00% or more" in part.lines()[1]
    answer = Answer("How many hits?", (part,), states=7, left_over=HALF.left_over)
    assert answer.soundness.startswith("Incomplete: ")
    assert "50.00%" in answer.soundness
    assert answer.as_dict()["exact"] is False
    assert answer.as_dict()["left_over"] == "1/2"


def test_a_whole_answer_gives_its_ledgers_and_policies() -> None:
    ledger = Ledger([Line(2, "a reason", "22.552A")])
    answer = Answer("How many?", (Part("Pips", DIE),), (("the die", ledger),), ("as the doctrine would",), states=1)
    text = str(answer)
    for words in (
        "the die:",
        "+2  a reason (22.552A)",
        "Assumed: as the doctrine would",
        "Exact",
    ):
        assert words in text
    assert answer.as_dict()["parts"][0]["mean"] == {"fraction": "7/2", "number": 3.5}
    assert answer.as_dict()["parts"][0]["at_least"]["5"] == float(Fraction(1, 3))


def test_a_small_chance_is_never_nothing() -> None:
    assert percent(Fraction(1, 10**6)).strip() == "<0.01%"
    assert percent(Fraction(0)).strip() == "0.00%"
