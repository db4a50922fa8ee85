"""Taking back by consent: a side's last decision and all that came after it, with the agreement of another side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.kernel.dice import Committed, Dice, Seeded, Typed
from flagplot.kernel.errors import SaveError, StaleAnswer, UndoRefused
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.kernel.saves import answer
from flagplot.kernel.verifying import verify_lines
from tests.kernel.toys import DUEL, lively, players, snapshot, step


def after_dice(dice: Dice | None = None, scenario: str = "midway") -> tuple[Game[Any], Any, str, str]:
    """A game in which dice have fallen since some side's last decision: game, players, that side, the other."""
    game, who = lively(scenario, dice or Committed("hush"))
    while game.pending is not None:
        step(game, who)
        sides = [
            request.side for request, given in game.events if isinstance(request, Choose) and given not in (None, -1)
        ]
        if sides and '"roll"' in game.tape().texts[-1] and isinstance(game.pending, Choose):
            side = sides[-1]
            return game, who, side, next(other for other in game.sides if other != side)
    raise AssertionError("no such moment")


def bare(game: Game[Any]) -> dict[str, Any]:
    """A snapshot without the tape and what counts take-backs."""
    return {"turn": game.turn, "state": snapshot(game)["state"], "logs": snapshot(game)["logs"]}


def test_a_decision_before_dice_is_taken_back_and_the_dice_after_it_are_new() -> None:
    game, who = lively("midway", Committed("hush"))
    seen = [bare(game)]
    while game.pending is not None:
        step(game, who)
        seen.append(bare(game))
        if '"roll"' in game.tape().texts[-1]:
            break
    side, other = (str(json.loads(game.tape().texts[-2])["side"]), "")
    other = next(each for each in game.sides if each != side)
    number = game.last_answer_of(side, other)
    old = game.tape().head
    with pytest.raises(UndoRefused, match="a die was rolled"):
        game.undo(side)
    game.undo(side, consent=other)
    assert bare(game) == seen[number - 1]
    line = json.loads(game.tape().texts[-1])
    assert (line["side"], line["undo"], line["consent"], line["prev"]) == (side, number, other, old)
    game.play(who)
    found = verify_lines([text.encode() for text in game.tape().texts], flagplot.library.ruleset)
    assert found.sound
    assert (found.taken_back_by_consent, found.taken_back) == (1, 1)
    assert found.proved == found.rolls
    assert "1 decision taken back by agreement: the dice after it are new" in "\n".join(found.in_words())


def test_decisions_of_the_other_side_go_with_it() -> None:
    game = DUEL.game(Typed())
    before = bare(game)
    game.choose("stance:high")
    game.choose("stance:low")
    with pytest.raises(UndoRefused, match="red has chosen"):
        game.undo("blue")
    game.undo("blue", consent="red")
    assert bare(game) == before
    assert isinstance(game.pending, Choose)
    assert game.pending.side == "blue"


def test_what_was_taken_back_by_consent_seals_what_was_before_it() -> None:
    game, _, side, other = after_dice()
    game.undo(side, consent=other)
    assert game.turn
    with pytest.raises(UndoRefused, match="more was taken back by agreement since"):
        game.undo()


def test_another_side_has_to_consent_and_something_must_be_there() -> None:
    game, _, side, other = after_dice()
    for wrong in (side, "umpire"):
        with pytest.raises(UndoRefused, match="the other side must agree"):
            game.undo(side, consent=wrong)
    fresh, _ = lively("midway", Committed("hush"))
    with pytest.raises(UndoRefused, match="this side has nothing to take back"):
        fresh.undo(side, consent=other)


def test_never_past_a_contribution_nor_the_end() -> None:
    game, who, side, other = after_dice()
    twin = game.copy()
    twin.contribute(other, "0a" * 32)
    with pytest.raises(UndoRefused, match="added to the dice"):
        twin.undo(side, consent=other)
    game.play(who)
    with pytest.raises(UndoRefused, match="the secret of the dice was opened"):
        game.undo(side, consent=other)


def test_dice_from_a_seed_would_fall_the_same_again() -> None:
    game, _, side, other = after_dice(Seeded(8))
    with pytest.raises(UndoRefused, match="from a seed they would fall the same"):
        game.undo(side, consent=other)


def test_moments_never_come_back() -> None:
    game, who = lively("midway", Committed("hush"))
    asked: dict[str, list[int]] = {side: [] for side in (*game.sides, "umpire")}
    for number in range(60):
        pending = game.pending
        if pending is None:
            break
        if isinstance(pending, Choose):
            asked[pending.side].append(game.moment_of(pending.side))
        asked["umpire"].append(game.moment)
        step(game, who)
        if number % 7 == 5:
            for side, other in (game.sides, game.sides[::-1]):
                old = game.moment_of(side), game.view(side)
                try:
                    game.undo(side, consent=other)
                except UndoRefused:
                    continue
                assert game.moment_of(side) > old[0]
                with pytest.raises(StaleAnswer):
                    _ = old[1].data
                break
    for moments in asked.values():
        assert moments == sorted(set(moments))
        assert moments


def test_copies_and_saves_keep_it(tmp_path: Path) -> None:
    game, who, side, other = after_dice()
    game.save(tmp_path / "game.jsonl")
    game.undo(side, consent=other)
    game.stop_saving()
    again = flagplot.resume(tmp_path / "game.jsonl")
    assert snapshot(again) == snapshot(game)
    twin = again.copy()
    assert snapshot(twin) == snapshot(game)
    again.play(who)
    assert flagplot.library.verify(tmp_path / "game.jsonl").sound


def test_a_line_that_takes_back_another_answer_is_refused() -> None:
    game, _, side, other = after_dice()
    number = game.last_answer_of(side, other)
    for body, words in (
        ({"side": side, "undo": number - 1, "consent": other}, "takes back answer"),
        ({"side": side, "undo": number, "consent": side}, "the other side must agree"),
        ({"side": side, "undo": number}, "takes back answer|a die was rolled"),
    ):
        with pytest.raises((SaveError, UndoRefused), match=words):
            answer(game.copy(), body)


@pytest.mark.parametrize("seed", range(3))
def test_games_with_many_take_backs_are_sound(seed: int) -> None:
    game = flagplot.load("coral-sea", dice=Committed("hush"))
    who, count = players(game, seed), 0
    while game.pending is not None:
        step(game, who)
        if game.tape().head[0] in "0123" and count < 12:
            for side, other in (game.sides, game.sides[::-1]):
                try:
                    game.undo(side, consent=other)
                except UndoRefused:
                    continue
                count += 1
                break
    found = verify_lines([text.encode() for text in game.tape().texts], flagplot.library.ruleset)
    assert found.sound
    assert found.taken_back_by_consent == count > 2
