"""What a neutral may know, a spectator: of each side's forces what the other side sees, and no secret of either.

Battles and operations are played at random. At many moments the secrets of both sides are exchanged for others: the
neutral sees the same bytes. And games that differ in one side's secrets are played on beside each other, as in the
tests of secrecy between the sides: the neutral's view, log and question stay the same as long as the enemy's do.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.awaw.views import operation
from flagplot.awaw.views.battle import BattleView
from flagplot.kernel.errors import ScenarioError, StaleAnswer
from flagplot.kernel.game import Game
from flagplot.kernel.log import read_log
from flagplot.kernel.plain_data import canonical
from flagplot.kernel.requests import Choose
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.kernel.view_types import part, to_json
from flagplot.library import read_scenario
from flagplot.testing import Report, set_up
from flagplot.testing.conforming import open_trial
from flagplot.testing.secrecy import Pair, _is_answer, _revealed
from flagplot.testing.trial import Trial, as_json, difference, log_of
from tests.awaw.looks import look

BATTLES = ("coral-sea", "midway", "okinawa", "surigao-strait", "denmark-strait", "malta")
OPERATIONS = ("coral-sea-operation", "malta-convoy", "norwegian-sortie")
LINES = ("force-z", "savo-island")
LONGEST = 260
"""Answers of a game that are looked at."""


def played(name: str, seed: int, folder: Path, longest: int = LONGEST) -> Iterator[Trial]:
    """A game at random, at each moment before an answer and at the end."""
    trial = open_trial(set_up(name), seed, Report(), folder)
    for _ in range(longest):
        yield trial
        if trial.game.pending is None:
            return
        trial.answer()


def seen_by_neutral(game: Game[Any], state: Any) -> str:
    seen = game.ruleset.look(state, NEUTRAL)
    return as_json(to_json(seen)) + game.ruleset.draw(seen)


# --- both sides' secrets at once --------------------------------------------------------------------------------


def told_apart(name: str, seed: int, folder: Path, share: float) -> Iterator[str]:
    """Where a neutral can tell states apart that differ in the secrets of both sides; at the end, how many differed."""
    compared, chance = 0, Random(seed)
    for trial in played(name, seed, folder):
        if chance.random() > share:
            continue
        game, state = trial.game, trial.game.border.state
        other = state
        for side in game.sides:
            other = game.ruleset.reshuffle(other, side, chance)
        ours, theirs = seen_by_neutral(game, state), seen_by_neutral(game, other)
        if ours != theirs:
            yield difference(ours, theirs)
            return
        compared += canonical(state) != canonical(other)
    if not compared:
        yield "there were no secrets"


@pytest.mark.parametrize("name", BATTLES)
def test_other_secrets_of_both_sides_look_the_same_to_a_neutral(name: str, tmp_path: Path) -> None:
    assert list(told_apart(name, 7, tmp_path, 0.3)) == ([] if name != "malta" else ["there were no secrets"])


@pytest.mark.parametrize("name", OPERATIONS)
def test_other_secrets_of_both_sides_in_an_operation_look_the_same_to_a_neutral(name: str, tmp_path: Path) -> None:
    assert list(told_apart(name, 3, tmp_path, 0.25)) == []


@pytest.mark.parametrize("name", LINES)
def test_other_selections_in_line_of_battle_look_the_same_to_a_neutral(name: str, tmp_path: Path) -> None:
    found = {fault for seed in range(6) for fault in told_apart(name, seed, tmp_path, 1.0)}
    assert found == {"there were no secrets"}  # by chance the other selection is the same in some games
    assert any(not list(told_apart(name, seed, tmp_path, 1.0)) for seed in range(6))


# --- games that are played on -----------------------------------------------------------------------------------


@dataclass(slots=True)
class Watched(Pair):
    """Two games that differ in one side's secrets, as a neutral sees them."""

    def _shown(self, game: Game[Any], closely: bool) -> dict[str, str]:
        view, events = game.view(NEUTRAL), game.events[self.border.logged :]
        return {
            "what is asked:": as_json([view.moment, view.asked]),
            "the log:": as_json([entry.as_dict() for entry in read_log(events, NEUTRAL, game.pending)]),
            "the view:": as_json(view.data),
        }


def watched_apart(trial: Trial, side: str, chance: Random) -> Iterator[str]:
    game, border = trial.game, trial.game.border
    since = list(game.events[border.logged :])
    other = game.ruleset.reshuffle(border.state, side, chance)
    pair = Watched(game.from_border(border.state), game.from_border(other), side, border, chance)
    answers = deque(filter(_is_answer, since))
    while not _revealed(since, pair.second, border):
        if faults := list(pair.told_apart(closely=False)):
            yield from faults
            return
        if not answers or not pair.step(answers):
            return


@pytest.mark.parametrize("name", ["coral-sea", "midway", "surigao-strait", "coral-sea-operation", "force-z"])
def test_games_with_other_secrets_are_watched_without_a_difference(name: str, tmp_path: Path) -> None:
    chance = Random(name)
    for trial in played(name, 11, tmp_path):
        if chance.random() < 0.12:
            for side in trial.game.sides:
                faults = list(watched_apart(trial, side, chance))
                assert faults == [], f"answer {trial.answers}, secrets unknown to {side}"


# --- the tests have teeth ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["strength", "carrier_air"])
def test_a_neutral_who_was_given_a_sides_numbers_would_be_noticed(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leaky(battle: BattleView) -> Any:
        return getattr(BattleView(battle.now, UMPIRE), what) if battle.reader == NEUTRAL else shown(battle)

    shown, leaky.__name__ = vars(BattleView)[what].make, what
    monkeypatch.setattr(BattleView, what, part(leaky))
    assert list(told_apart("coral-sea", 7, tmp_path, 0.3))


@pytest.mark.parametrize("lifted", [False, True])
def test_a_neutral_sees_no_voyage_that_is_still_being_decided(
    lifted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a side decides in secret about its forces on the map, a neutral sees what its enemy sees, unless somebody
    lifts the curtain."""
    if lifted:
        monkeypatch.setattr(operation, "_on_map", lambda view, in_the_open, _: in_the_open(view.now, view.reader))
    hidden, seen = 0, list[str]()
    for trial in played("coral-sea-operation", 3, tmp_path, 120):
        state = trial.game.state
        if not state.operation.curtain:
            continue
        before = json.loads(state.operation.curtain)
        side = state.other(before.pop("side"))
        new = [
            key
            for key, voyage in state.operation.voyages.items()
            if voyage.side == side and key not in before["voyages"]
        ]
        hidden += len(new)
        seen += [key for key in new if key in look(state, NEUTRAL)["voyages"]]
    assert hidden
    assert bool(seen) == lifted


# --- what a neutral is told -------------------------------------------------------------------------------------


def test_a_neutral_knows_of_each_group_what_the_enemy_knows(tmp_path: Path) -> None:
    groups = 0
    for trial in played("midway", 2, tmp_path):
        game = trial.game
        watched = game.view(NEUTRAL).data
        assert watched["strength"] == watched["carrier_air"] == {}
        for group in watched["groups"]:
            enemy = next(side for side in game.sides if side != group["side"])
            assert group in game.view(enemy).data["groups"]
            assert "name" not in group
            groups += 1
    assert groups > 100


def test_a_neutral_reads_secret_choices_and_notes_as_the_enemy_does(tmp_path: Path) -> None:
    """No line of his log is one that only a side may read, and every line is in the log of one of the sides."""
    *_, last = played("coral-sea", 4, tmp_path)
    game = last.game
    own = log_of(game, NEUTRAL)
    sides = [{as_json(entry) for entry in log_of(game, side)} for side in game.sides]
    both = sides[0] & sides[1]
    for entry in own:
        text = as_json(entry)
        assert any(text in some for some in sides)
        if entry["kind"] != "note" or entry["rule"]:
            assert text in both or entry["kind"] == "roll"
    assert len(own) < max(map(len, sides))


def test_a_neutral_is_asked_nothing_and_can_answer_nothing() -> None:
    game = flagplot.load("midway", seed=1)
    view = game.view(NEUTRAL)
    assert isinstance(game.pending, Choose)
    assert view.asked == {"side": game.pending.side, "choose": None}
    assert view.moment < 0
    with pytest.raises(StaleAnswer):
        game.choose(game.pending.option(0).text, at=view.moment)


@pytest.mark.parametrize("name", ["midway", "force-z"])
def test_no_side_may_be_called_neutral(name: str) -> None:
    data = read_scenario(name)
    data["sides"][0]["id"] = NEUTRAL
    with pytest.raises(ScenarioError, match="neutral"):
        flagplot.load(data)
