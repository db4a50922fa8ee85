"""A game takes answers: the right ones count, the wrong ones are refused and change nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from flagplot.kernel.dice import Scripted, Typed
from flagplot.kernel.errors import DiceError, FlagplotError, IllegalAnswer, StaleAnswer, UnknownName
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import Next
from flagplot.kernel.requests import Choose, Option, Roll, Script
from flagplot.kernel.views import View
from tests.kernel.toys import DUEL, Pad, game_of, pick, players, snapshot


def at_the_clash() -> Game[Pad]:
    """A duel that waits for its first roll."""
    game = DUEL.game(Typed())
    game.choose("stance:high")
    game.choose("stance:low")
    return game


def finished() -> Game[Pad]:
    game = DUEL.game()
    game.play(players(game))
    return game


def test_an_answer_is_an_option_or_its_text() -> None:
    game = DUEL.game()
    request = game.pending
    assert isinstance(request, Choose)
    game.choose(request.options[1])
    assert game.state.stances == {"blue": "low"}
    game.choose("stance:mid")
    assert game.state.stances == {"blue": "low", "red": "mid"}
    assert game.turn == 2


def test_an_option_of_a_copy_counts_by_its_text() -> None:
    game = DUEL.game()
    request = game.copy().pending
    assert isinstance(request, Choose)
    game.choose(request.options[2])
    assert game.state.stances == {"blue": "mid"}


def test_dice_may_be_given_in_any_plain_form() -> None:
    for faces in ([3, 4], (3, 4), "34", ["3", " 4 "], iter([3, 4])):
        game = at_the_clash()
        assert game.roll(faces) == (3, 4)
        assert game.state.trail == ["clash 7"]


def test_the_games_own_dice_are_rolled_and_returned() -> None:
    with Scripted(("The clash of round 1", 5, 6)) as dice:
        game = DUEL.game(dice)
        game.choose("stance:high")
        game.choose("stance:high")
        assert game.roll() == (5, 6)
    assert game.state.trail == ["clash 11"]


REFUSED: dict[str, tuple[Callable[[], Game[Pad]], Callable[[Game[Pad]], Any], type[FlagplotError], str]] = {
    "not offered": (
        DUEL.game,
        lambda game: game.choose("stance:flat"),
        IllegalAnswer,
        "not one of the answers: “stance:flat”",
    ),
    "a value without its verb": (DUEL.game, lambda game: game.choose("high"), IllegalAnswer, "“high”"),
    "nothing": (DUEL.game, lambda game: game.choose(""), IllegalAnswer, "not one of the answers"),
    "None": (DUEL.game, lambda game: game.choose(None), IllegalAnswer, "not one of the answers"),  # type: ignore[arg-type]
    "an option of another question": (
        DUEL.game,
        lambda game: game.choose(pick("blue", 1, 2).options[0]),
        IllegalAnswer,
        "“pick:1”",
    ),
    "dice for a choice": (DUEL.game, lambda game: game.roll([1, 2]), IllegalAnswer, "there are no dice to roll"),
    "own dice for a choice": (
        DUEL.game,
        lambda game: game.roll(),
        IllegalAnswer,
        "a choice must be made first: blue: Blue takes a stance",
    ),
    "a choice for dice": (
        at_the_clash,
        lambda game: game.choose("stance:low"),
        IllegalAnswer,
        "dice must be rolled first",
    ),
    "too few dice": (at_the_clash, lambda game: game.roll([1]), DiceError, "roll 2 dice here, not 1"),
    "too many dice": (at_the_clash, lambda game: game.roll([1, 2, 3]), DiceError, "roll 2 dice here, not 3"),
    "no dice": (at_the_clash, lambda game: game.roll([]), DiceError, "roll 2 dice here, not 0"),
    "a face 0": (at_the_clash, lambda game: game.roll([0, 3]), DiceError, "a die has no face '0'"),
    "a face 7": (at_the_clash, lambda game: game.roll([3, 7]), DiceError, "a die has no face '7'"),
    "a face -1": (at_the_clash, lambda game: game.roll([3, -1]), DiceError, "a die has no face '-1'"),
    "half a face": (at_the_clash, lambda game: game.roll([3, 2.5]), DiceError, "a die has no face '2.5'"),
    "true is no face": (at_the_clash, lambda game: game.roll([True, 2]), DiceError, "a die has no face 'True'"),
    "a word": (at_the_clash, lambda game: game.roll("no"), DiceError, "a die has no face 'n'"),
    "one number": (at_the_clash, lambda game: game.roll(11), DiceError, "a die has no face '11'"),
    "people's dice are not rolled by the game": (at_the_clash, lambda game: game.roll(), DiceError, "type 2 faces"),
    "a choice after the end": (finished, lambda game: game.choose("stance:low"), IllegalAnswer, "the game is over"),
    "dice after the end": (finished, lambda game: game.roll(), IllegalAnswer, "the game is over"),
    "an answer to an older question": (
        at_the_clash,
        lambda game: game.roll([1, 2], at=1),
        StaleAnswer,
        "this answer is for question 1, but red is at question 4",
    ),
    "an umpire's answer to an older question": (
        at_the_clash,
        lambda game: game.roll([1, 2], at=5),
        StaleAnswer,
        "this answer is for question 5, but umpire is at question 8",
    ),
    "an answer to a question to come": (
        DUEL.game,
        lambda game: game.choose("stance:low", at=3),
        StaleAnswer,
        "this answer is for question 3, but blue is at question 0",
    ),
    "an illegal answer to an older question": (
        at_the_clash,
        lambda game: game.choose("stance:flat", at=0),
        StaleAnswer,
        "question 0",
    ),
    "an answer from a side that is not asked": (
        DUEL.game,
        lambda game: game.choose("stance:low", at=game.view("red").moment),
        StaleAnswer,
        "question 1 is not for red",
    ),
    "a number that is nobody's": (DUEL.game, lambda game: game.choose("stance:low", at=-1), StaleAnswer, "question -1"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_answer_says_why_and_changes_nothing(case: str) -> None:
    start, answer, kind, words = REFUSED[case]
    game = start()
    before = snapshot(game)
    with pytest.raises(kind) as refusal:
        answer(game)
    assert words in str(refusal.value)
    assert snapshot(game) == before


def test_a_refusal_lists_what_is_offered_and_the_rule() -> None:
    with pytest.raises(IllegalAnswer) as refusal:
        DUEL.game().choose("stance:flat")
    assert refusal.value.allowed == ("stance:high", "stance:low", "stance:mid")
    assert refusal.value.rule == "2.1"


def test_an_option_that_does_not_exist_changes_nothing() -> None:
    """Whoever makes an option by hand, past the end of the list, gets an error and the game goes on."""
    game = DUEL.game()
    assert isinstance(game.pending, Choose)
    before = snapshot(game)
    with pytest.raises(IndexError):
        game.choose(Option(game.pending, 3))
    assert snapshot(game) == before
    game.choose(game.pending.options[-1])
    assert game.state.stances == {"blue": "mid"}


@pytest.mark.parametrize("umpired", [False, True])
def test_an_answer_to_the_pending_question_by_its_number_counts(umpired: bool) -> None:
    game = DUEL.game()
    for side in ("blue", "red"):
        game.choose("stance:low", at=game.view("umpire" if umpired else side).moment)
    game.roll([1, 1], at=game.view("umpire" if umpired else "blue").moment)
    assert game.turn == 3


def test_dice_may_be_rolled_by_whoever_sees_that_they_are_wanted() -> None:
    for side in ("blue", "red", "umpire"):
        game = at_the_clash()
        assert game.roll([1, 2], at=game.view(side).moment) == (1, 2)


def test_an_answer_sent_twice_is_not_taken_for_the_other_sides() -> None:
    """Blue's stance and red's are asked in the same words, and each side is at its first question."""
    game = DUEL.game()
    first = game.view("blue").moment
    game.choose("stance:low", at=first)
    with pytest.raises(StaleAnswer):
        game.choose("stance:low", at=first)
    with pytest.raises(StaleAnswer):
        game.choose("stance:low", at=game.view("blue").moment)
    assert game.state.stances == {"blue": "low"}


def test_a_refusal_says_of_a_secret_roll_what_everybody_may_know() -> None:
    def script(state: Pad) -> Script[Next]:
        yield Roll("blue", 2, "Blue searches from Akagi", sum, "22.31", secret="Blue searches")
        return None

    game = game_of(script, dice=Typed())
    with pytest.raises(IllegalAnswer, match="dice must be rolled first: blue: Blue searches: "):
        game.choose("search:no")
    with pytest.raises(DiceError, match=r"type 2 faces for Blue searches$"):
        game.roll()


def test_play_goes_to_the_end() -> None:
    game = DUEL.game()
    game.play(players(game))
    assert game.pending is None
    assert game.result == {"summary": "it is over", "winner": None, "losses": {}, "trail": game.state.trail}


def test_play_stops_at_a_number_of_answers() -> None:
    game = DUEL.game()
    for turn in (0, 3, 3, 5):
        game.play(players(game), until=turn)
        assert game.turn == turn


def test_play_stops_when_a_test_says_so() -> None:
    game = DUEL.game()
    game.play(players(game), until=lambda game: isinstance(game.pending, Roll))
    assert isinstance(game.pending, Roll)
    assert game.turn == 2


def test_play_stops_when_a_side_without_a_player_must_choose() -> None:
    game = DUEL.game()
    game.play({"blue": players(game)["blue"]})
    assert str(game.pending) == "red: Which stance?"
    assert game.turn == 1


def test_play_goes_on_from_an_answer_as_if_it_had_been_chosen_before() -> None:
    first, second = DUEL.game(), DUEL.game()
    mine, yours = [{"blue": players(game)["blue"]} for game in (first, second)]
    first.play(mine)
    second.play(yours)
    for named in (False, True) * 20:
        if isinstance(first.pending, Choose) and isinstance(second.pending, Choose):
            one, other = first.pending.option(0), second.pending.option(0)
            first.choose(one)
            first.play(mine)
            second.play(yours, answer=other.text if named else other)
            assert (first.turn, first.rolls, first.state) == (second.turn, second.rolls, second.state)
    assert first.pending is second.pending is None
    assert first.log("umpire") == second.log("umpire")
    with pytest.raises(IllegalAnswer, match="the game is over"):
        second.play(yours, answer="stance:any")


def test_play_refuses_an_answer_that_is_none_of_those_offered() -> None:
    game = DUEL.game()
    before = game.turn
    with pytest.raises(IllegalAnswer, match="not one of the answers"):
        game.play({}, answer="stance:any")
    assert game.turn == before


def test_a_player_is_given_the_view_of_its_own_side() -> None:
    seen: list[tuple[str, str]] = []

    class Curious:
        def choose(self, view: View, request: Choose[Any]) -> str:
            seen.append((view.side, request.side))
            assert set(view.data["stances"]) <= {view.side}
            return request.options[0].text

    DUEL.game().play({"blue": Curious(), "red": Curious()})
    assert len(seen) > 5
    assert all(of_view == of_request for of_view, of_request in seen)


def test_a_running_game_has_no_result() -> None:
    assert DUEL.game().result is None


def test_unknown_sides_are_refused_with_the_known_ones() -> None:
    game = DUEL.game()
    for look in (game.view, game.log):
        with pytest.raises(UnknownName) as refusal:
            look("green")
        assert refusal.value.allowed == ("blue", "red", "umpire")


def test_notes_need_no_answer_and_stand_in_the_log() -> None:
    game = at_the_clash()
    assert [entry.kind for entry in game.log("umpire")] == ["choice", "choice", "note"]
    assert game.log("umpire")[-1].text == "Both stances are taken"


def test_a_script_gets_the_value_and_the_reading() -> None:
    def script(state: Pad) -> Script[Next]:
        value = yield pick("blue", ("a", 1), ("b", 2))
        state.trail.append(repr(value))
        return None

    game = game_of(script)
    game.choose("pick:b:2")
    assert game.state.trail == ["('b', 2)"]
