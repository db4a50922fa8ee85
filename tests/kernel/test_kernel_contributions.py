"""What players add to committed dice: lines of the tape that change nothing but the dice after them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.kernel.dice import Committed, Seeded, Typed, derive
from flagplot.kernel.errors import DiceError, IllegalAnswer, SaveError, UndoRefused, UnknownName
from flagplot.kernel.game import Game
from flagplot.kernel.saves import begin_tape, follow_line
from flagplot.kernel.tape import seal
from flagplot.kernel.verifying import verify_lines
from tests.kernel.toys import lively, snapshot, step

MINE, THEIRS = "0a" * 32, "b1" * 16


def begun(*given: tuple[str, str]) -> tuple[Game[Any], Any]:
    game, who = lively("midway", Committed("hush"))
    for side, contribution in given:
        game.contribute(side, contribution)
    return game, who


def test_a_contribution_changes_nothing_but_the_tape() -> None:
    game, _ = begun()
    before = snapshot(game)
    game.contribute("japan", MINE.upper())
    after = snapshot(game)
    assert json.loads(after.pop("tape")[-1])["contribute"] == MINE
    del before["tape"]
    assert after == before
    assert game.contributors == ("japan",)


def test_the_dice_hang_on_every_contribution() -> None:
    fallen = []
    for given in ([], [("japan", MINE)], [("japan", THEIRS)], [("japan", MINE), ("allies", THEIRS)]):
        game, who = begun(*given)
        game.play(who, until=lambda at: any('"roll"' in text for text in at.tape().texts))
        roll = json.loads(game.tape().texts[-1])
        assert roll["roll"] == list(derive(b"hush", roll["prev"].encode(), len(roll["roll"])))
        fallen.append(roll["prev"])
    assert len(set(fallen)) == 4


@pytest.mark.parametrize("wrong", ["", "0a", "xy" * 32, "0" * 33, "00" * 65, "0a" * 32 + "\n0a"])
def test_what_is_no_contribution_is_refused(wrong: str) -> None:
    game, _ = begun()
    before = snapshot(game)
    with pytest.raises(DiceError, match="16 to 64 random bytes"):
        game.contribute("japan", wrong)
    assert snapshot(game) == before


def test_only_sides_add_and_only_to_committed_dice_and_only_before_the_end() -> None:
    game, who = begun()
    with pytest.raises(UnknownName):
        game.contribute("atlantis", MINE)
    for dice in (Seeded(1), Typed()):
        with pytest.raises(DiceError, match="only committed dice"):
            flagplot.load("midway", dice=dice).contribute("japan", MINE)
    game.play(who)
    with pytest.raises(IllegalAnswer, match="the game is over"):
        game.contribute("japan", MINE)


def test_nothing_is_taken_back_past_a_contribution() -> None:
    game, who = begun()
    while game.undo_refused() is not None:
        step(game, who)
    game.contribute("allies", THEIRS)
    with pytest.raises(UndoRefused, match="added to the dice since"):
        game.undo()
    twin = game.copy()
    with pytest.raises(UndoRefused, match="added to the dice since"):
        twin.undo()
    assert twin.contributors == ("allies",)


def test_a_save_with_contributions_is_resumed_and_proved(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game, who = begun(("japan", MINE))
    game.save(path)
    game.play(who, until=5)
    game.contribute("allies", THEIRS)
    game.stop_saving()
    again = flagplot.resume(path)
    assert again.contributors == ("japan", "allies")
    assert snapshot(again) == snapshot(game)
    with pytest.raises(UndoRefused):
        again.undo()
    again.play(who)
    found = flagplot.library.verify(path)
    assert found.sound
    assert found.proved == found.rolls > 0
    lines = [number for number, text in enumerate(again.tape().texts, 1) if '"contribute"' in text]
    assert found.contributions == {"japan": [lines[0]], "allies": [lines[1]]}
    words = "\n".join(found.in_words())
    early = sum('"roll"' in text for text in again.tape().texts[: lines[1] - 1])
    assert f"japan had a part in {found.rolls} of {found.rolls} rolls" in words
    assert f"allies had a part in {found.rolls - early} of {found.rolls} rolls" in words
    assert [roll.parts for roll in found.parts] == [("japan",)] * early + [("japan", "allies")] * (found.rolls - early)
    assert found.answers == again.turn


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"contribute": "00" * 32}, "must show"),
        ({"contribute": "short"}, "16 to 64 random bytes"),
        ({"side": "atlantis"}, "line 2: nothing can be added to the dice here: “atlantis”"),
    ],
)
def test_a_contribution_that_is_changed_afterwards_shows(change: dict[str, str], words: str) -> None:
    game, who = begun(("japan", MINE))
    game.play(who)
    texts, prev = [], ""
    for number, text in enumerate(game.tape().texts):
        body = {key: value for key, value in json.loads(text).items() if key != "hash"}
        if number == 1:
            body |= change
        if number:
            body["prev"] = prev
        text, prev = seal(body)
        texts.append(text.encode())
    found = verify_lines(texts, flagplot.library.ruleset)
    assert not found.sound
    assert words in "\n".join(found.problems)


# --- lines that somebody else has put on the same tape ------------------------------------------------------------


def test_a_game_goes_on_by_the_lines_of_another() -> None:
    game, who = begun(("japan", MINE))
    twin = begin_tape(game.tape().texts[0], flagplot.library.ruleset, "hush")
    while True:
        for text in game.tape().texts[len(twin.tape().texts) :]:
            follow_line(twin, text)
        assert snapshot(twin) == snapshot(game)
        assert twin.contributors == game.contributors
        if game.pending is None:
            break
        step(game, who)
    with pytest.raises(UndoRefused, match="the secret of the dice was opened"):
        twin.undo()


def test_a_line_that_does_not_follow_changes_nothing() -> None:
    game, who = begun()
    twin = begin_tape(game.tape().texts[0], flagplot.library.ruleset, "hush")
    game.play(who, until=3)
    before = snapshot(twin)
    first, second = game.tape().texts[1:3]
    for wrong in (second, first.replace("choose", "chosen"), first[:-2] + '0"}'):
        with pytest.raises(SaveError, match="does not follow"):
            follow_line(twin, wrong)
        assert snapshot(twin) == before
    follow_line(twin, first)
    follow_line(twin, second)
    assert twin.tape().texts == game.tape().texts[:3]
