"""One game, reached in several ways: played, copied, replayed from its tape, resumed from a file, taken back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from flagplot.kernel import saves, verifying
from flagplot.kernel.dice import Dice, Typed
from flagplot.kernel.errors import FlagplotError, UndoRefused
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.ruleset import Ruleset
from flagplot.testing.trial import Trial, go_on, quick, unlike

FURTHER = 30
"""Answers for which two equal games are played on to see that they stay equal."""


def a_moment_met_again_is_the_same(trial: Trial) -> Iterator[str]:
    """After a choice and its take-back everything is as it was; else the moment is new, and remembered."""
    yield from unlike(trial.seen.setdefault(trial.game.turn, trial.now), trial.now)


def a_copy_is_equal(trial: Trial) -> Iterator[str]:
    copied = trial.game.copy()
    yield from unlike(trial.now, trial.snapshot(copied))
    if copied.moment != trial.game.moment:
        yield f"the copy is at moment {copied.moment}, the game at {trial.game.moment}"


def a_replay_of_the_tape_is_equal(trial: Trial) -> Iterator[str]:
    yield from unlike(trial.now, trial.snapshot(replayed(trial.game, Typed())))


def replayed(game: Game[Any], dice: Dice) -> Game[Any]:
    """The game played again from nothing but the lines of its tape."""
    header, *bodies = [json.loads(text) for text in game.tape().texts]
    again = saves.start(header, _finder(game), dice)
    for body in bodies:
        saves.answer(again, body)
    return again


def _finder(game: Game[Any]) -> saves.Find:
    def find(name: str) -> Ruleset[Any]:
        return game.ruleset

    return find


def copies_and_replays_go_on_alike(trial: Trial) -> Iterator[str]:
    """With the same dice and the same players a copy and a replay come to the same moment."""
    copied, again = trial.game.copy(), replayed(trial.game, trial.game.dice)
    for further in (copied, again):
        go_on(further, trial.chance("further"), FURTHER)
    yield from unlike(trial.snapshot(copied), trial.snapshot(again))


def a_save_is_resumed_equal_and_proved(trial: Trial) -> Iterator[str]:
    """Written to disk, read, followed for some answers, read again; and the file is proved sound each time."""
    game, find = trial.game, _finder(trial.game)
    path = trial.folder / f"{trial.seed}-{trial.answers}.jsonl"
    game.save(path, follow=False)
    resumed, notices = saves.resume(path, find, follow=True)
    yield from notices
    yield from unlike(trial.now, trial.snapshot(resumed))
    copied = game.copy()
    for further in (resumed, copied):
        go_on(further, trial.chance("on disk"), 3)
    yield from unlike(trial.snapshot(copied), trial.snapshot(resumed))
    resumed.stop_saving()
    yield from unlike(trial.snapshot(copied), trial.snapshot(saves.resume(path, find, follow=False)[0]))
    yield from verifying.verify(path, find).problems
    for left in trial.folder.glob(f"{path.name}*"):
        left.unlink()


def what_is_refused_changes_nothing(trial: Trial) -> Iterator[str]:
    game = trial.game
    before = quick(game)
    nonsense: list[tuple[str, Any]] = [("choose", "no-such:answer"), ("roll", [0]), ("roll", [1] * 99)]
    for kind, given in nonsense:
        try:
            game.choose(given) if kind == "choose" else game.roll(given)
        except FlagplotError:
            pass
        else:
            yield f"{kind}({given!r}) was accepted"
    if quick(game) != before:
        yield "a refused answer changed the game"


def what_is_done_to_copies_does_not_touch_the_game(trial: Trial) -> Iterator[str]:
    """After all the other checks the game is as it was before them."""
    yield from unlike(trial.now, trial.snapshot(trial.game))


# --- taking back ------------------------------------------------------------------------------------------------


def a_choice_taken_back_leaves_no_trace(trial: Trial) -> Iterator[str]:
    """A take-back leads exactly to the moment before the choice; if it is refused nothing changes."""
    game = trial.game.copy()
    if isinstance(game.pending, Choose):
        side = game.pending.side
        go_on(game, trial.chance("take back"), 1)
        yield from _refused_to_others(game, side)
        yield from _back(trial, game)


def _refused_to_others(game: Game[Any], side: str) -> Iterator[str]:
    for other in game.sides:
        if other != side:
            try:
                game.undo(other)
            except UndoRefused:
                continue
            yield f"{other} took back a choice of {side}"


def _back(trial: Trial, game: Game[Any]) -> Iterator[str]:
    after = quick(game)
    try:
        game.undo()
    except UndoRefused:
        if quick(game) != after:
            yield "a refused take-back changed the game"
    else:
        for fault in unlike(trial.now, trial.snapshot(game)):
            yield f"the take-back did not lead back: {fault}"


def dice_are_never_taken_back(trial: Trial) -> Iterator[str]:
    if isinstance(trial.game.pending, Roll):
        game = trial.game.copy()
        game.roll()
        try:
            game.undo()
        except UndoRefused:
            return
        yield "a roll could be taken back"


def take_backs_lead_through_the_moments_before(trial: Trial) -> Iterator[str]:
    """Taken back as far as it goes, the game passes through the moments that it came by."""
    game = trial.game.copy()
    while True:
        before = game.turn
        try:
            game.undo()
        except UndoRefused:
            return
        if game.turn != before - 1 or not isinstance(game.pending, Choose):
            yield f"a take-back led from answer {before} to {game.turn}, where the game asks: {game.pending}"
        if seen := trial.seen.get(game.turn):
            yield from unlike(seen, trial.snapshot(game))
