"""Words made when they are read, ledgers of reasons, and errors that quote, allow and cite."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.kernel.errors import (
    BadValue,
    DiceError,
    Fault,
    FlagplotError,
    IllegalAnswer,
    SaveError,
    ScenarioError,
    StaleAnswer,
    UndoRefused,
    UnknownName,
    quoted,
)
from flagplot.kernel.ledger import NOTHING, Ledger, Line
from flagplot.kernel.rules import rule
from flagplot.kernel.words import listing, say


def test_words_are_text_or_a_template_with_its_arguments() -> None:
    assert say("plain {text}") == "plain {text}"
    assert say(("{} loses {} {}", "Japan", 2, "NAS")) == "Japan loses 2 NAS"
    assert say(("{:+d} and {!r}", 3, "x")) == "+3 and 'x'"
    assert say(("no arguments",)) == "no arguments"


def test_arguments_may_be_words_themselves() -> None:
    assert say(("{}: {}", ("{} of {}", 1, 2), ("{}", ("{}", "deep")))) == "1 of 2: deep"


def test_a_tuple_that_is_no_template_is_an_argument_like_any_other() -> None:
    assert say(("at {}", (3, 4))) == "at (3, 4)"
    assert say(("at {}", ())) == "at ()"


@pytest.mark.parametrize(
    ("names", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_lists_are_written_as_people_write_them(names: list[str], text: str) -> None:
    assert listing(names) == text
    assert listing(names, "or") == text.replace(" and ", " or ")


LEDGER = Ledger(
    [Line(2, ("{} is better", "Japan"), "19.31A"), Line(0, "no jets", "19.31B"), Line(-3, "winter", "19.31C")]
)


def test_a_ledger_adds_up_and_says_why() -> None:
    assert LEDGER.total == int(LEDGER) == -1
    assert len(LEDGER) == 3
    assert str(LEDGER).splitlines() == [
        "+2  Japan is better (19.31A)",
        "+0  no jets (19.31B)",
        "-3  winter (19.31C)",
        "-1  total",
    ]
    assert LEDGER.as_dict() == {
        "total": -1,
        "lines": [
            {"amount": 2, "reason": "Japan is better", "rule": "19.31A"},
            {"amount": 0, "reason": "no jets", "rule": "19.31B"},
            {"amount": -3, "reason": "winter", "rule": "19.31C"},
        ],
    }


def test_an_empty_ledger_is_nothing() -> None:
    assert NOTHING.total == 0
    assert not NOTHING.lines
    assert list(NOTHING) == []


lines = st.builds(Line, st.integers(-9, 9), st.sampled_from(["a", "b"]), st.sampled_from(["1", "2"]))
ledgers = st.lists(lines, max_size=5).map(Ledger)


@given(ledgers, ledgers)
def test_ledgers_add_and_turn_with_all_their_lines(one: Ledger, other: Ledger) -> None:
    both = one + other
    assert both.total == one.total + other.total
    assert both.lines == (*one.lines, *other.lines)
    assert (-one).total == -one.total
    assert [line.amount for line in -one] == [-line.amount for line in one]
    opposed = -one
    assert -opposed == one
    assert (-one + one).total == 0
    assert one + NOTHING == one
    assert len(-one) == len(one)
    assert sum(line.amount for line in -one) == (-one).total


@given(ledgers, st.integers(0, 6))
def test_a_capped_ledger_says_that_it_is_capped(ledger: Ledger, most: int) -> None:
    capped = ledger.capped(most, "the most that counts", "19.31")
    assert capped.total == max(-most, min(most, ledger.total))
    assert sum(line.amount for line in capped) == capped.total
    if abs(ledger.total) <= most:
        assert capped == ledger
    else:
        assert capped.lines[:-1] == ledger.lines
        assert capped.lines[-1].words == "the most that counts"


def test_a_turned_ledger_can_be_capped_and_added_to() -> None:
    turned = -LEDGER
    assert turned.capped(0, "cap", "1").lines == (*turned.lines, Line(-1, "cap", "1"))
    assert (turned + LEDGER).lines == (*turned.lines, *LEDGER.lines)


def test_equal_ledgers_have_equal_hashes() -> None:
    twin = Ledger(list(LEDGER.lines))
    assert twin == LEDGER
    assert hash(twin) == hash(LEDGER)
    opposed = -LEDGER
    assert hash(-opposed) == hash(LEDGER)
    assert -LEDGER != LEDGER
    assert LEDGER != "ledger"
    assert "Line(amount=0" in repr(LEDGER)


def test_an_error_quotes_the_input_cites_the_rule_and_says_what_is_allowed() -> None:
    error = IllegalAnswer("not one of the answers", given="cap:9", allowed=["cap:1", "cap:2", 3], rule="22.41B")
    assert str(error) == "not one of the answers: “cap:9” (rule 22.41B). Use cap:1, cap:2 or 3"
    assert error.as_dict() == {
        "error": "illegal-answer",
        "message": "not one of the answers",
        "given": "cap:9",
        "allowed": ["cap:1", "cap:2", "3"],
        "rule": "22.41B",
    }


def test_an_error_guesses_what_was_meant_unless_it_is_a_toss_up() -> None:
    places = ["Oslo", "kiel", "bergen"]
    assert str(UnknownName("no such place", given="Keil", allowed=places)).endswith(
        "Did you mean kiel? Otherwise use Oslo or bergen"
    )
    assert str(UnknownName("no such place", given="OSLO", allowed=places)).endswith(
        "Did you mean Oslo? Otherwise use kiel or bergen"
    )
    alike = UnknownName("no such group", given="cg", allowed=["cg1", "cg2"])
    assert str(alike).endswith("“cg”. Use cg1 or cg2")


def test_an_error_may_say_only_what_is_wrong() -> None:
    error = UndoRefused("nothing to take back yet")
    assert str(error) == "nothing to take back yet"
    assert error.as_dict()["given"] is None
    assert error.as_dict()["rule"] is None
    assert error.as_dict()["allowed"] == []


def test_empty_and_zero_inputs_are_quoted_too() -> None:
    assert str(BadValue("wrong", given="")) == "wrong: “”"
    assert str(BadValue("wrong", given=0)) == "wrong: “0”"


def test_a_long_input_is_shortened() -> None:
    assert quoted("x" * 80) == f"“{'x' * 80}”"
    assert quoted("x" * 81) == f"“{'x' * 77}…”"


def test_every_error_has_a_code_of_its_own() -> None:
    kinds = (
        UnknownName,
        BadValue,
        IllegalAnswer,
        StaleAnswer,
        UndoRefused,
        DiceError,
        SaveError,
        ScenarioError,
    )
    codes = {kind.code for kind in (FlagplotError, *kinds)}
    assert len(codes) == len(kinds) + 1
    assert all(issubclass(kind, FlagplotError) for kind in kinds)


def test_all_faults_of_a_scenario_are_in_one_error() -> None:
    error = ScenarioError("malta", [Fault("bases[0].at", "this is missing", "18.1"), Fault("title", "too long")])
    assert str(error).splitlines() == [
        "scenario “malta” has 2 faults:",
        "  bases[0].at: this is missing (rule 18.1)",
        "  title: too long",
    ]
    assert error.as_dict()["faults"] == [
        {"place": "bases[0].at", "message": "this is missing", "rule": "18.1"},
        {"place": "title", "message": "too long", "rule": ""},
    ]
    assert str(ScenarioError("malta", [Fault("a", "b")])).startswith("scenario “malta” has 1 fault:")


@pytest.mark.parametrize(
    "error",
    [
        IllegalAnswer("not one of the answers", given="x", allowed=["y"], rule="1"),
        ScenarioError("malta", [Fault("a", "b", "c")]),
    ],
    ids=["refusal", "scenario"],
)
def test_errors_pass_from_one_process_to_another(error: FlagplotError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert back.as_dict() == error.as_dict()


def test_a_citation_changes_nothing() -> None:
    def function() -> int:
        return 3

    assert rule("19.61", "19.62")(function) is function
