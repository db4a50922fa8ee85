"""Battles that are played on from a save, and battles under other readings of the rules."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.kernel.dice import Committed, Seeded
from flagplot.kernel.errors import BadValue, SaveError, ScenarioError
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.kernel.tape import secret_path
from flagplot.players import player
from flagplot.simulation import simulate
from flagplot.simulation.battles import Fought, opening_of, seed_of, toll_of
from flagplot.simulation.simulation import prepared
from flagplot.simulation.starting import is_save, starting

QUICK = "force-z"


def saved(path: Path, answers: int, scenario: str = QUICK, seed: int | None = 1) -> Game[Any]:
    """A save of a game after some answers; without a seed its dice are honest."""
    game = flagplot.load(scenario, seed=seed)
    game.play({side: player("doctrine", 0) for side in game.sides}, until=answers)
    game.save(path, follow=False)
    return game


def figures(*arguments: Any, **more: Any) -> str:
    return json.dumps(simulate(*arguments, **more).as_dict())


# --- playing on -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "answers"), [(QUICK, 12), ("midway", 60)])
def test_battles_go_on_from_the_position_of_the_save(tmp_path: Path, scenario: str, answers: int) -> None:
    path = tmp_path / "game.jsonl"
    saved(path, answers, scenario)
    battles: list[Fought] = []
    found = simulate(path, 4, {}, seed=3, keep=battles.extend)
    for number, fought in enumerate(battles, start=1):
        seed = seed_of(3, number)
        by_hand = flagplot.resume(path, follow=False).copy(Seeded(seed))
        by_hand.play({side: player("doctrine", seed + place) for place, side in enumerate(by_hand.sides)})
        assert by_hand.turn == fought.answers > answers
        assert toll_of(by_hand) == fought.toll
    assert found.as_dict()["from"] == {"save": str(path), "answers": answers}
    assert len({fought.answers for fought in battles}) > 1  # the dice are fresh in each


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    saved(path, 12)
    alone = figures(path, 25, seed=11)
    assert figures(path, 25, seed=11, jobs=2) == alone
    assert figures(path, 25, seed=12) != alone
    assert figures(QUICK, 25, seed=11) != alone


def test_what_was_lost_before_counts(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = saved(path, 150, "midway", seed=4)
    before = {side: toll.lost for side, toll in toll_of(game).items()}
    assert any(before.values())
    found = simulate(path, 5)
    for side, lost in before.items():
        for kind, number in lost.items():
            assert found.lost(side)[kind].least >= number


def test_answers_that_were_taken_back_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = flagplot.load(QUICK, seed=5)
    game.save(path)
    assert isinstance(game.pending, Choose)
    first, *_, last = [option.text for option in game.pending.options]
    game.choose(first)
    game.undo()
    game.choose(last)
    game.stop_saving()
    twin = tmp_path / "twin.jsonl"
    straight = flagplot.load(QUICK, seed=5)
    straight.choose(last)
    straight.save(twin, follow=False)
    one, other = simulate(path, 10, seed=1), simulate(twin, 10, seed=1)
    assert len(one.plan.answers) == 3
    assert one.tally == other.tally


def test_copies_of_a_late_position_have_little_to_run_again(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    saved(path, 150, "midway", seed=4)
    opening = opening_of(prepared(path, 1, {}, 0).plan)
    assert opening.turn == 150
    assert opening.turn - opening.border.turn < 30


# --- the dice of the game are not foreseen ----------------------------------------------------------------------


def test_the_secret_of_the_dice_is_neither_used_nor_sent_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.jsonl"
    game = saved(path, 12, seed=None)
    assert isinstance(game.dice, Committed)
    secret = secret_path(path)
    assert secret.read_text(encoding="ascii") == game.dice.secret
    before = path.read_bytes()

    def foreseen(*arguments: object) -> None:
        pytest.fail("the dice of the game were rolled")

    monkeypatch.setattr(Committed, "faces", foreseen)
    simulation = simulate(path, 12, seed=3)
    assert game.dice.secret.encode() not in pickle.dumps(simulation.plan)
    assert game.dice.commitment.encode() not in pickle.dumps(simulation.plan)
    assert not isinstance(simulation.start.game.dice, Committed)
    assert path.read_bytes() == before
    secret.unlink()
    assert json.dumps(simulate(path, 12, seed=3).as_dict()) == json.dumps(simulation.as_dict())


def test_the_seed_of_a_seeded_game_is_not_used_either(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    for path, seed in ((one, 1), (other, 2)):
        flagplot.load(QUICK, seed=seed).save(path, follow=False)
    assert simulate(one, 12, seed=3).tally == simulate(other, 12, seed=3).tally


# --- what is a save, and what can be wrong with it --------------------------------------------------------------


def test_a_save_is_known_by_its_name_or_by_how_it_begins(tmp_path: Path) -> None:
    path = tmp_path / "my battle"
    saved(path, 3)
    assert is_save(path)
    assert starting(path).game.turn == 3
    assert is_save("not there.jsonl")
    assert not is_save(QUICK)
    assert not is_save(tmp_path)
    (tmp_path / "my.toml").write_text('game = "awaw"\n', encoding="utf8")
    assert not is_save(tmp_path / "my.toml")


def test_a_game_that_is_over_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    saved(path, 10_000)
    with pytest.raises(BadValue, match="this game is over"):
        simulate(path, 1)


def test_a_damaged_save_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    saved(path, 12)
    lines = path.read_text(encoding="utf8").splitlines(keepends=True)
    path.write_text("".join([*lines[:5], *lines[6:]]), encoding="utf8")
    with pytest.raises(SaveError, match="damaged: line 6 does not follow line 5"):
        simulate(path, 1)


def test_a_half_written_last_line_is_left_out_and_told(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    saved(path, 12)
    path.write_bytes(path.read_bytes()[:-9])
    start = starting(path)
    assert start.game.turn == 11
    assert start.notices == ["the last line of game.jsonl was only half written and has been left out"]
    assert simulate(start.save, 2).battles == 2


def test_the_options_of_a_saved_game_are_settled(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game = flagplot.load(QUICK, seed=1, options={"hit_faces": "5-6"})
    game.save(path, follow=False)
    assert simulate(path, 20, seed=1).tally == simulate(QUICK, 20, seed=1, options={"hit_faces": "5-6"}).tally
    assert simulate(path, 1).options == {"hit_faces": "5-6"}
    with pytest.raises(BadValue, match="keeps its house rules: “hit_faces=6”"):
        simulate(path, 1, options={"hit_faces": "6"})


# --- other readings ---------------------------------------------------------------------------------------------


def test_options_stand_before_those_of_the_scenario() -> None:
    scenario = flagplot.read_scenario(QUICK)
    usual = simulate(QUICK, 30, seed=1)
    other = simulate({**scenario, "options": {"hit_faces": "5-6"}}, 30, seed=1)
    assert usual.options == {}
    assert other.options == {"hit_faces": "5-6"}
    assert simulate(QUICK, 30, seed=1, options={"hit_faces": "5-6"}, jobs=2).tally == other.tally != usual.tally
    back = simulate({**scenario, "options": {"hit_faces": "5-6"}}, 30, seed=1, options={"hit_faces": "6"})
    assert back.tally == usual.tally


def test_an_option_that_is_not_there_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"options\.luck: no such option"):
        simulate(QUICK, 1, options={"luck": True})
