"""What scripts ask: options with their texts, labels and rules; rolls with their outcomes; choices that are none."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest

from flagplot.kernel.procedures import Next
from flagplot.kernel.requests import Choose, Faces, Note, Option, Roll, Script, falls
from tests.kernel.toys import Pad, game_of, pick, throw


def test_an_options_text_is_the_verb_and_the_parts_of_the_value() -> None:
    request = Choose("blue", "flee", ("home", ("rabaul", 2), 7), "Where to?", str, "18.1")
    assert [option.text for option in request.options] == ["flee:home", "flee:rabaul:2", "flee:7"]


def test_labels_and_rules_are_given_once_for_all_values_or_value_by_value() -> None:
    once = Choose("blue", "take", (1, 2), "How many?", lambda value: ("{} of them", value), "18.1")
    each = Choose("blue", "take", (1, 2), "How many?", {1: "one", 2: ("{} pieces", 2)}, {1: "18.1", 2: "18.2"})
    assert [option.label for option in once.options] == ["1 of them", "2 of them"]
    assert [option.label for option in each.options] == ["One", "2 pieces"]
    assert [option.rule for option in once.options] == ["18.1", "18.1"]
    assert [option.rule for option in each.options] == ["18.1", "18.2"]
    assert once.rules == ("18.1",)
    assert each.rules == ("18.1", "18.2")


def test_the_rules_of_a_question_are_listed_once_each() -> None:
    request = Choose("blue", "take", (1, 2, 3), "How many?", str, {1: "18.1", 2: "18.2", 3: "18.1"})
    assert request.rules == ("18.1", "18.2")


def test_words_are_made_only_when_they_are_read() -> None:
    """A label that cannot be made hurts nobody who does not read it."""
    request = Choose("blue", "take", (1, 2), "How many?", lambda value: 1 / 0, "18.1")  # type: ignore[arg-type, return-value]
    assert request.options[1].text == "take:2"
    with pytest.raises(ZeroDivisionError):
        _ = request.options[1].label


def test_options_are_a_sequence() -> None:
    options = pick("blue", *"abcde").options
    assert len(options) == 5
    assert [option.value for option in options] == list("abcde")
    assert options[0].value == "a"
    assert options[-1].value == "e"
    assert [option.value for option in options[1:3]] == ["b", "c"]
    assert [option.value for option in options[::-2]] == ["e", "c", "a"]
    assert options[2] in options
    assert options.index(options[3]) == 3
    assert repr(options[:2]) == "[<option pick:a>, <option pick:b>]"
    assert repr(options) == "(pick:a, pick:b, pick:c, pick:d, pick:e)"
    with pytest.raises(IndexError):
        _ = options[5]


@pytest.mark.parametrize("index", [-1, 3])
def test_an_option_by_a_number_that_is_not_there_is_refused(index: int) -> None:
    request = pick("blue", *"abc")
    assert request.option(2).value == "c"
    with pytest.raises(IndexError, match="there are 3 options, counted from 0"):
        request.option(index)


def test_find_takes_the_whole_text_and_nothing_less() -> None:
    request = pick("blue", "a", ("b", 1))
    found = request.find("pick:b:1")
    assert found is not None
    assert found.value == ("b", 1)
    assert [request.find(text) for text in ("b:1", "pick:b", "PICK:A", "", "pick:a ")] == [None] * 5


def test_options_of_equal_text_are_equal() -> None:
    one, other = pick("blue", "a", "b").options[0], pick("blue", "x", "a").options[1]
    assert one == other
    assert hash(one) == hash(other)
    assert one != pick("blue", "b").options[0]
    assert one != "pick:a"
    assert {one: 1}[other] == 1
    assert str(one) == "pick:a"


@pytest.mark.parametrize("dice", [0, 1, 2, 3, 4])
def test_the_weights_of_all_outcomes_are_all_the_ways_that_dice_can_fall(dice: int) -> None:
    outcomes = throw(dice=dice).outcomes()
    assert sum(outcomes.values()) == 6**dice
    assert set(outcomes) == set(range(dice, 6 * dice + 1))


def test_outcomes_that_read_the_same_are_one_branch() -> None:
    roll = Roll("blue", 2, "A hit?", lambda faces: "hit" if max(faces) == 6 else "miss", "3.1")
    assert roll.outcomes() == {"miss": 25, "hit": 11}


def highest_and_pairs(faces: Faces) -> str:
    """Something that hangs on more than the sum."""
    return f"{max(faces)}, {sum(count > 1 for count in Counter(faces).values())} pairs"


@pytest.mark.parametrize("dice", [1, 2, 3, 5])
def test_outcomes_are_those_of_all_the_orders_in_which_dice_can_fall(dice: int) -> None:
    every = Counter(map(highest_and_pairs, product(range(1, 7), repeat=dice)))
    outcomes = Roll("blue", dice, "Search", highest_and_pairs, "22.31").outcomes()
    assert outcomes == every
    assert list(outcomes) == list(every)  # in the same order too


def test_sixteen_dice_have_their_exact_odds() -> None:
    hits = Roll("blue", 16, "Search", lambda faces: faces.count(6), "22.31").outcomes()
    assert sum(hits.values()) == 6**16
    assert (hits[0], hits[1], hits[16]) == (5**16, 16 * 5**15, 1)


def test_dice_fall_in_few_ways_if_their_order_does_not_count() -> None:
    assert falls(2)[:3] == (((1, 1), 1), ((1, 2), 2), ((1, 3), 2))
    assert len(falls(16)) == 20349
    assert all(faces == tuple(sorted(faces)) for faces, _ in falls(3))


def test_secret_requests_have_words_for_everybody() -> None:
    hidden = Roll("blue", 2, "Blue searches with radar", sum, "22.31", secret=("{} searches", "Blue"))
    assert hidden.public == ("{} searches", "Blue")
    assert throw(purpose="The clash").public == "The clash"
    assert pick("blue", 1, 2, question="Which?", secret="blue decides").public == "blue decides"
    assert pick("blue", 1, 2, question="Which?").public == "Which?"


def test_requests_name_their_side_and_question() -> None:
    assert str(pick("blue", 1, question=("How many of {}?", 3))) == "blue: How many of 3?"
    assert str(throw("red", purpose=("Roll {}", 2))) == "red: Roll 2"


def test_a_choice_with_one_option_is_not_asked() -> None:
    def script(state: Pad) -> Script[Next]:
        state.trail.append((yield pick("blue", "only")))
        state.trail.append((yield pick("red", "a", "b")))
        return None

    game = game_of(script)
    assert game.state.trail == ["only"]
    assert game.turn == 0
    assert str(game.pending) == "red: Which?"
    game.choose("pick:b")
    assert game.state.trail == ["only", "b"]
    assert len(game.tape().texts) == 3  # header, one answer, the end


def test_a_script_that_offers_nothing_fails_and_names_the_question() -> None:
    def script(state: Pad) -> Script[Next]:
        yield pick("blue", question=("Which of the {} ships?", 0))
        return None

    with pytest.raises(AssertionError, match=r"the rules offer nothing: blue: Which of the 0 ships\?"):
        game_of(script)


def test_a_script_may_ask_nothing_at_all() -> None:
    def script(state: Pad) -> Script[Next]:
        yield Note("nothing happens", "1.1")
        return None

    game = game_of(script)
    assert game.pending is None
    assert [str(entry) for entry in game.log("red")] == ["Nothing happens (1.1)"]
    assert game.result is not None


@pytest.mark.parametrize("values", [("a", "b"), ["a", "b"], range(2), "ab"])
def test_values_may_be_any_sequence(values: Any) -> None:
    request: Choose[Any] = Choose("blue", "take", values, "Which?", str, "1")
    assert len(request) == 2
    assert [option.value for option in request.options] == list(values)
    assert isinstance(request.options[0], Option)


def test_a_choice_with_one_option_is_asked_if_not_asking_would_tell() -> None:
    """Where the number of options follows from a secret, the other side must not learn that there was but one."""

    def script(state: Pad) -> Script[Next]:
        state.trail.append((yield Choose("blue", "pick", ("only",), "Which?", str, "1", "blue decides", always=True)))
        return None

    game = game_of(script)
    assert str(game.pending) == "blue: Which?"
    assert game.log("blue") == []
    game.choose("pick:only")
    assert game.state.trail == ["only"]
    assert [entry.text for entry in game.log("red")] == ["Blue decides"]
    assert len(game.tape().texts) == 3


def test_nothing_on_offer_is_a_fault_even_if_it_is_always_asked() -> None:
    def script(state: Pad) -> Script[Next]:
        yield Choose("blue", "pick", (), "Which?", str, "1", always=True)
        return None

    with pytest.raises(AssertionError, match=r"the rules offer nothing: blue: Which\?"):
        game_of(script)
