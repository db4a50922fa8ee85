"""Questions of odds as dataclasses: one declaration for the command line, the desk, the parser and Python."""

from __future__ import annotations

import pickle
import shlex
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

import flagplot
from flagplot.kernel.errors import FlagplotError
from flagplot.odds.questions.forms import FORMS
from flagplot.odds.questions.question import BadQuestion
from flagplot.odds.questions.strike import StrikeQuestion
from flagplot.odds.reading import read
from tests.cli.conftest import Run, run

__all__ = ["run"]

WRONG = {"attackers": "6 japan elitt", "target": "Hoodd", "surprise": "x", "research": "defenders:air_defense=1"}
FOUND = {
    "attackers": "no such arm of air units among the attackers: “6 japan elitt”. Use army",
    "target": "no such named ship: “Hoodd”. Did you mean Hood? Otherwise use Shoho",
    "surprise": "the surprise level should be a whole number from 0 to 9: “x” (rule 23.7412)",
}


def test_words_become_values() -> None:
    said = {"attackers": "6 Japanese elite", "target": "Wasp, 4 cruisers", "cap": "2", "hits": "wasp 1", "aim": "wasp"}
    question = read("strike", said)
    assert isinstance(question, StrikeQuestion)
    assert [tuple(flight) for flight in question.attackers] == [(6, "japan", "elite-naval", False)]
    assert question.target.fleet() != question.target.fleet(hits=question.hits)
    assert (question.cap, question.aboard, question.surprise, question.engage) == (2, None, 0, None)
    assert (question.hits, question.aim, question.cover) == ({"wasp": 1}, {"wasp": 0}, ())
    assert question.text("attackers") == "6 Japanese elite"
    with pytest.raises(FrozenInstanceError):
        question.cap = 3  # type: ignore[misc]


def test_all_that_cannot_be_read_is_told_at_once() -> None:
    with pytest.raises(BadQuestion, match="3 parts of this question cannot be read") as refused:
        flagplot.odds("strike", **WRONG)
    told = refused.value.faults
    assert list(told) == list(FOUND)
    assert all(str(told[name]).startswith(words) for name, words in FOUND.items())
    sent = pickle.loads(pickle.dumps(refused.value))
    assert (str(sent), sent.as_dict()) == (str(refused.value), refused.value.as_dict())


def test_one_fault_is_told_by_itself() -> None:
    with pytest.raises(FlagplotError) as refused:
        flagplot.odds("strike", **WRONG | {"attackers": "6 japan elite", "surprise": 2})
    assert str(refused.value).startswith(FOUND["target"])


def test_the_command_line_tells_them_too(run: Run) -> None:
    ran = run(*shlex.split(FORMS["strike"].command(WRONG))[1:])
    assert (ran.code, ran.out) == (2, "")
    lines = ran.err.splitlines()
    assert lines[0] == "flagplot: 3 parts of this question cannot be read:"
    assert [line.split(":")[0].strip() for line in lines[1:]] == list(FOUND)


@pytest.mark.parametrize(
    ("kind", "place"), [(kind, n) for kind, form in FORMS.items() for n in range(len(form.examples))]
)
def test_python_and_the_command_that_repeats_a_question_agree(run: Run, kind: str, place: int) -> None:
    example = FORMS[kind].examples[place]
    ran = run(*shlex.split(FORMS[kind].command(example))[1:], "--json")
    ask = getattr(flagplot.odds, kind.replace("-", "_"))
    assert ran.json == ask(**example).as_dict()


@pytest.mark.parametrize("words", [{"groups": "1", "colour": "red"}, {"dice": 2}, {"groups": None}])
def test_other_words_and_missing_ones_are_faults_of_a_program(words: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"colour|groups"):
        flagplot.odds("search", **words)
    with pytest.raises(AttributeError, match="poker"):
        flagplot.odds.poker(groups="1")
