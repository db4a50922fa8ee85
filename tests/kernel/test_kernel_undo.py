"""Taking back: free until a die was rolled, something was revealed or the other side chose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.kernel.dice import Committed, Dice, Seeded, Typed
from flagplot.kernel.errors import StaleAnswer, UndoRefused
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import Next
from flagplot.kernel.requests import Choose, Note, Script
from tests.kernel.toys import DUEL, SHORT, Pad, game_of, lively, pick, players, sandbox, snapshot, step


def at_the_purse(dice: Dice | None = None) -> Game[Pad]:
    """A duel in which blue stakes three times in a row."""
    game = DUEL.game(dice or Typed())
    game.choose("stance:high")
    game.choose("stance:low")
    game.roll([1, 2])
    game.choose("parry:left")
    return game


def refusal(game: Game[Any], side: str | None = None) -> str:
    """Why a take-back is refused; nothing may have changed."""
    before = snapshot(game)
    with pytest.raises(UndoRefused) as refused:
        game.undo(side)
    assert snapshot(game) == before
    return str(refused.value)


def test_a_choice_is_taken_back_and_made_otherwise() -> None:
    game = at_the_purse()
    before = snapshot(game)
    game.choose("stake0:2")
    game.undo()
    assert snapshot(game) == before
    game.choose("stake0:1")
    assert game.state.points == {"blue": 1}


def test_several_choices_are_taken_back_in_a_row() -> None:
    game = at_the_purse()
    seen = []
    for text in ("stake0:2", "stake1:1", "stake2:0"):
        seen.append(snapshot(game))
        game.choose(text)
    assert game.state.frames[-1].segment == "again"  # the take-back goes over the border of a segment
    for before in reversed(seen):
        game.undo("blue")
        assert snapshot(game) == before


def test_nothing_can_be_taken_back_before_the_first_answer() -> None:
    assert refusal(DUEL.game()) == "nothing to take back yet"


def test_a_roll_cannot_be_taken_back() -> None:
    def script(state: Pad) -> Script[Next]:
        yield pick("blue", "a", "b")
        yield DIE
        yield pick("blue", "c", "d")
        yield pick("blue", "e", "f")
        return None

    game = game_of(script, dice=Typed())
    game.choose("pick:a")
    game.roll([3])
    assert refusal(game) == "a die was rolled since"
    game.choose("pick:c")
    game.undo()
    assert refusal(game) == "a die was rolled since"


DIE = flagplot.Roll("blue", 1, "A die", sum, "1")


def test_what_was_revealed_cannot_be_taken_back() -> None:
    def script(state: Pad) -> Script[Next]:
        yield pick("blue", "a", "b")
        yield Note("the marker hides four carriers", "1", reveals=True)
        yield pick("blue", "c", "d")
        return None

    game = game_of(script)
    game.choose("pick:a")
    assert refusal(game) == "something hidden was revealed since"


def test_an_ordinary_note_hinders_nobody() -> None:
    def script(state: Pad) -> Script[Next]:
        yield pick("blue", "a", "b")
        yield Note("nothing much", "1")
        yield pick("blue", "c", "d")
        return None

    game = game_of(script)
    game.choose("pick:a")
    game.undo()
    assert game.turn == 0
    assert game.log("umpire") == []


def test_a_side_cannot_take_back_what_it_chose_before_the_other_side_did() -> None:
    game = DUEL.game()
    game.choose("stance:high")
    game.choose("stance:low")
    assert refusal(game, "blue") == "red has chosen since: “blue”"
    game.undo("red")
    game.undo("blue")
    assert game.turn == 0


def test_without_a_side_the_last_choice_is_taken_back_whosever_it_was() -> None:
    game = DUEL.game()
    game.choose("stance:high")
    game.choose("stance:low")
    game.undo()
    assert str(game.pending) == "red: Which stance?"
    game.undo()
    assert str(game.pending) == "blue: Which stance?"


def test_a_forced_choice_is_nobodys_choice() -> None:
    """Red's only option, not asked, does not stand between blue and its choice."""

    def script(state: Pad) -> Script[Next]:
        yield pick("blue", "a", "b")
        yield pick("red", "only", secret="red decides")
        yield pick("blue", "c", "d")
        return None

    game = game_of(script)
    game.choose("pick:a")
    game.undo("blue")
    assert game.turn == 0


@pytest.mark.parametrize("scenario", SHORT[::2])
def test_taking_back_leads_to_the_position_before_at_every_step(scenario: str) -> None:
    game, who = lively(scenario)
    taken, reasons = 0, set()
    while game.pending is not None:
        before, request = snapshot(game), game.pending
        step(game, who)
        if isinstance(request, Choose):
            twin = game.copy()
            try:
                twin.undo(request.side)
            except UndoRefused as refused:
                reasons.add(str(refused))
            else:
                taken += 1
                assert snapshot(twin) == before
    assert taken > 3
    assert reasons <= {"something hidden was revealed since"}


@pytest.mark.parametrize("scenario", SHORT[1::2])
def test_a_game_with_take_backs_ends_as_one_without(scenario: str) -> None:
    """Every choice is made twice, with a take-back between, until something hinders it."""
    game, who = lively(scenario)
    whole, others = lively(scenario)
    whole.play(others)
    while (request := game.pending) is not None:
        turn = game.turn
        step(game, who)
        if isinstance(request, Choose):
            text = whole.tape().texts[turn + 1]
            try:
                game.undo()
            except UndoRefused:
                continue
            choice = next(option for option in request.options if f'"choose":"{option.text}"' in text)
            game.choose(choice.text)
    assert snapshot(game) == snapshot(whole)


@pytest.mark.parametrize("dice", [Seeded(4), Committed("hush")], ids=["seeded", "committed"])
def test_a_take_back_in_a_save_is_a_line_of_its_own(tmp_path: Path, dice: Dice) -> None:
    path = tmp_path / "duel.jsonl"
    game = DUEL.game(dice)
    game.save(path)
    game.choose("stance:high")
    game.choose("stance:low")
    game.undo()
    assert '"side":"red","undo":2' in path.read_text().splitlines()[-1]
    game.choose("stance:mid")
    back = DUEL.resume(path, follow=False)
    assert snapshot(back) == snapshot(game)
    assert back.state.stances == {"blue": "high", "red": "mid"}
    game.play(players(game))
    assert len(path.read_text().splitlines()) == game.turn + 4  # a header, the undone choice, the undo, the end
    verification = DUEL.verify(path)
    assert verification.sound, verification.problems
    assert verification.rolls == verification.proved > 0


def test_the_last_choice_of_a_seeded_game_may_be_taken_back_after_the_end(tmp_path: Path) -> None:
    ruleset = sandbox(two_choices)
    path = tmp_path / "short.jsonl"
    game = ruleset.game()
    game.save(path)
    for text in ("pick:a", "pick:c"):
        game.choose(text)
    assert game.result is not None
    game.undo()
    assert game.result is None
    assert not ruleset.verify(path).problems
    assert ruleset.resume(path, follow=False).turn == 1
    game.choose("pick:d")
    assert ruleset.verify(path).result == {"summary": "it is over", "winner": None, "losses": {}, "trail": ["a", "d"]}


def test_nothing_is_taken_back_once_the_secret_of_the_dice_is_open() -> None:
    """The closing line shows the secret: who could go back from there would know every roll to come."""
    game = sandbox(two_choices).game(Committed("hush"))
    game.choose("pick:a")
    game.choose("pick:c")
    assert refusal(game) == "the secret of the dice was opened since"
    assert refusal(game.copy()) == "the secret of the dice was opened since"


def two_choices(state: Pad) -> Script[Next]:
    state.trail.append((yield pick("blue", "a", "b")))
    state.trail.append((yield pick("blue", "c", "d")))
    return None


def test_an_undone_question_is_asked_again_in_the_same_words() -> None:
    game = at_the_purse()
    asked = str(game.pending)
    game.choose("stake0:0")
    game.undo()
    assert str(game.pending) == asked


def asked(game: Game[Any]) -> str:
    """The first option that is offered."""
    assert isinstance(game.pending, Choose)
    return game.pending.options[0].text


def test_an_answer_to_a_question_that_was_taken_back_is_stale() -> None:
    """After an undo and another answer the game has as many answers as before, but it is not the same moment."""
    game = flagplot.load("malta", seed=1)
    game.choose("counterair:malta")
    meant_for = game.moment
    game.undo()
    game.choose("counterair:tobruk")
    assert game.turn == 1
    with pytest.raises(StaleAnswer):
        game.choose(asked(game), at=meant_for)
    game.choose(asked(game), at=game.moment)
    assert game.turn == 2
