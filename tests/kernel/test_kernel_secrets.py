"""Scripts run in secret: to the other side one wait and one line, whether much was asked or nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from flagplot.kernel.game import Game
from flagplot.kernel.procedures import Next
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words
from tests.kernel.toys import Pad, game_of, pick, throw

WORDS: Words = ("{} plans", "Blue")


def planned(inner: Callable[[Pad], Script[Any]], *answers: str) -> Game[Pad]:
    """A game where blue has given these answers to a secret script, and red is asked next."""

    def script(state: Pad) -> Script[Next]:
        result = yield from secretly("blue", WORDS, inner(state), "22.2")
        state.trail.append(f"result {result}")
        yield pick("red", "a", "b")
        return None

    game = game_of(script)
    for answer in answers:
        game.choose(answer)
    return game


def nothing(state: Pad) -> Script[str]:
    return "none"
    yield


def forced(state: Pad) -> Script[str]:
    return f"only {(yield pick('blue', 7))}"


def one(state: Pad) -> Script[int]:
    value: int = yield pick("blue", 1, 2)
    return value


def always(state: Pad) -> Script[int]:
    value: int = yield Choose("blue", "pick", (1,), "Which?", str, "2.1", always=True)
    return value


def three(state: Pad) -> Script[int]:
    first: int = yield pick("blue", 1, 2)
    only: int = yield pick("blue", 10)
    third: int = yield pick("blue", 100, 200)
    return first + only + third


SCRIPTS: dict[str, tuple[Callable[[Pad], Script[Any]], list[str], str]] = {
    "nothing": (nothing, ["ready:go"], "none"),
    "one value": (forced, ["ready:go"], "only 7"),
    "one question": (one, ["pick:2"], "2"),
    "one value that is asked all the same": (always, ["pick:1"], "1"),
    "three": (three, ["pick:2", "pick:100"], "112"),
}


@pytest.mark.parametrize("case", SCRIPTS)
def test_the_other_side_sees_one_wait_and_one_line(case: str) -> None:
    inner, answers, result = SCRIPTS[case]
    game = planned(inner)
    waiting = game.view("red").as_dict()
    for answer in answers:
        assert game.view("red").as_dict() == waiting
        assert waiting["asked"] == {"side": "blue", "choose": None}
        assert [str(entry) for entry in game.log("red")] == ["Blue plans"]
        game.choose(answer)
    assert str(game.pending) == "red: Which?"
    assert game.view("red").moment == waiting["moment"]
    assert [str(entry) for entry in game.log("red")] == ["Blue plans"]
    assert game.state.trail == [f"result {result}"]


@pytest.mark.parametrize(("inner", "wait", "times"), [(one, True, 0), (nothing, True, 1), (nothing, False, 1)])
def test_whether_to_wait_is_worked_out_only_if_nothing_was_asked(
    inner: Callable[[Pad], Script[Any]], wait: bool, times: int
) -> None:
    worked_out: list[bool] = []

    def anyway() -> bool:
        worked_out.append(wait)
        return wait

    script = secretly("blue", WORDS, inner(Pad([])), "22.2", anyway)
    requests = []
    try:
        requests.append(next(script))
        script.send(1)
    except StopIteration:
        pass
    assert worked_out == [wait] * times
    assert [str(request) for request in requests] == (
        ["blue: Which?"] if not times else ["blue: Nothing to decide (Blue plans)."] if wait else []
    )


def test_where_nothing_is_asked_the_side_is_told_so() -> None:
    game = planned(nothing)
    assert game.view("blue").asked == {
        "side": "blue",
        "choose": "Nothing to decide (Blue plans).",
        "options": [{"text": "ready:go", "label": "Continue", "rule": "22.2"}],
    }
    game.choose("ready:go")
    assert [str(entry) for entry in game.log("blue")] == ["Nothing to decide (Blue plans). Continue (22.2)"]


def test_the_side_reads_its_own_decisions() -> None:
    game = planned(three, "pick:1", "pick:200")
    assert [entry.text for entry in game.log("blue")] == ["Which? Take 1", "Which? Take 200"]


def test_a_choice_with_secret_words_of_its_own_keeps_them() -> None:
    def inner(state: Pad) -> Script[None]:
        yield pick("blue", 1, 2)
        yield pick("blue", 3, 4, secret="Blue ponders")

    game = planned(inner, "pick:1", "pick:3")
    assert [entry.text for entry in game.log("red")] == ["Blue plans", "Blue ponders"]


def test_notes_and_rolls_pass_as_they_are() -> None:
    def inner(state: Pad) -> Script[int]:
        yield Note("blue hides a marker", "22.2", side="blue", twin=WORDS)
        total: int = yield throw("blue", 2, "Blue rolls")
        yield Note("the dice have fallen", "22.3")
        return total

    game = planned(inner)
    assert game.roll([2, 3]) == (2, 3)
    assert [entry.text for entry in game.log("red")] == [
        "Blue plans",
        "Blue rolls",
        "The dice have fallen",
        "Blue plans",
    ]
    game.choose("ready:go")
    assert game.state.trail == ["result 5"]


def test_what_was_decided_in_secret_can_be_taken_back() -> None:
    game = planned(three, "pick:1", "pick:200")
    game.undo("blue")
    game.undo("blue")
    assert game.turn == 0
    assert [entry.text for entry in game.log("red")] == ["Blue plans"]


def test_where_everybody_can_tell_nobody_has_to_say_that_there_is_nothing() -> None:
    def segment(state: Pad) -> Script[Next]:
        state.trail.append((yield from secretly("blue", WORDS, nothing(state), "22.1", anyway=False)))
        return None

    game = game_of(segment)
    assert game.pending is None
    assert game.state.trail == ["none"]
    assert game.log("red") == []
