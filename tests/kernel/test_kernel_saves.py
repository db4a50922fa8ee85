"""Saves: the file at every step is the game at that step, can be gone on from, and proves sound."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.kernel.dice import Committed, Dice, Seeded, Typed
from flagplot.kernel.errors import SaveError
from flagplot.kernel.save_lines import FORMAT
from tests.kernel.toys import DUEL, SHORT, lively, lively_seed, players, snapshot, step

fcntl = pytest.importorskip("fcntl")

KINDS: dict[str, Callable[[], Dice]] = {"seeded": lambda: Seeded(8), "committed": lambda: Committed("hush")}


GAMES = list(zip(SHORT, itertools.cycle(KINDS), strict=False))
"""Each with one kind of dice: the cost is the square of a game's length."""


@pytest.mark.parametrize(("scenario", "kind"), GAMES)
def test_a_save_is_the_game_at_every_step_and_can_be_resumed_at_each(tmp_path: Path, scenario: str, kind: str) -> None:
    """One game follows its save undisturbed; the other is resumed from its own save before each answer."""
    path, other = tmp_path / "game.jsonl", tmp_path / "resumed.jsonl"
    seed = lively_seed(scenario, KINDS[kind]())
    game, again = [flagplot.load(scenario, seed=seed, dice=KINDS[kind]()) for _ in range(2)]
    who, others = players(game, seed), players(again, seed)
    game.save(path)
    again.save(other)
    while True:
        again.stop_saving()
        again = flagplot.resume(other)
        assert snapshot(again) == snapshot(game)
        assert path.read_text(encoding="utf8").splitlines() == game.tape().texts
        assert other.read_bytes() == path.read_bytes()
        if game.turn % 3 == 0:  # a proof goes through the whole save each time
            assert flagplot.verify(path).problems == []
        if game.pending is None:
            break
        step(game, who)
        step(again, others)
    verification = flagplot.verify(path)
    assert verification.answers == game.turn
    assert verification.rolls == verification.proved
    assert verification.result == game.result
    assert verification.notes == []


def test_a_game_goes_on_from_its_save_in_the_same_program(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    game = DUEL.game()
    game.play(players(game), until=4)
    game.save(path)
    back = DUEL.resume(path)
    assert snapshot(back) == snapshot(game)
    back.play(players(back))
    assert DUEL.verify(path).result == back.result


def test_only_the_last_game_of_a_program_follows_a_file(tmp_path: Path) -> None:
    """The game that was cut off from its save refuses to go on as if it were saved; elsewhere it may."""
    path = tmp_path / "duel.jsonl"
    game = DUEL.game()
    game.save(path)
    back = DUEL.resume(path)
    before = snapshot(game)
    with pytest.raises(SaveError, match="another game of this program has this save open"):
        game.choose("stance:low")
    assert snapshot(game) == before
    back.choose("stance:high")
    game.save(tmp_path / "elsewhere.jsonl")
    game.choose("stance:low")
    assert DUEL.resume(path).state.stances == {"blue": "high"}
    assert DUEL.resume(tmp_path / "elsewhere.jsonl").state.stances == {"blue": "low"}


def test_a_save_need_not_follow(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    game = DUEL.game()
    game.play(players(game), until=3)
    game.save(path, follow=False)
    before = snapshot(game)
    game.play(players(game))
    back = DUEL.resume(path, follow=False)
    assert snapshot(back) == before
    back.play(players(back))
    assert snapshot(DUEL.resume(path)) == before


def test_a_finished_game_can_be_saved(tmp_path: Path) -> None:
    for number, make in enumerate(KINDS.values()):
        path = tmp_path / f"duel{number}.jsonl"
        game = DUEL.game(make())
        game.play(players(game))
        game.save(path)
        assert snapshot(DUEL.resume(path)) == snapshot(game)
        assert DUEL.verify(path).proved > 0
        assert os.listdir(tmp_path) == [f"duel{number}.jsonl"]
        path.unlink()


def test_a_file_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "precious.jsonl"
    path.write_text("precious")
    for make in KINDS.values():
        game = DUEL.game(make())
        with pytest.raises(SaveError, match="a file of this name exists already"):
            game.save(path)
        game.choose("stance:low")
    assert path.read_text() == "precious"
    assert os.listdir(tmp_path) == ["precious.jsonl"]


def test_overwriting_must_be_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    first = DUEL.game(Committed("first"))
    first.save(path)
    second = DUEL.game(Committed("second"))
    second.save(path, overwrite=True)
    second.choose("stance:mid")
    assert snapshot(DUEL.resume(path)) == snapshot(second)
    with pytest.raises(SaveError, match="another game of this program"):
        first.choose("stance:low")


def test_saving_twice_to_the_same_file_is_saving_once(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    game = DUEL.game()
    game.save(path)
    game.choose("stance:mid")
    game.save(path)
    game.choose("stance:low")
    assert len(path.read_text().splitlines()) == 3


def test_saving_elsewhere_lets_go_of_the_first_file(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    game = DUEL.game()
    game.save(one)
    game.choose("stance:mid")
    game.save(other)
    game.choose("stance:low")
    assert [len(path.read_text().splitlines()) for path in (one, other)] == [2, 3]
    assert not locked(one)
    assert locked(other)


def locked(path: Path) -> bool:
    handle = os.open(path, os.O_WRONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(handle)
    return False


def test_a_game_that_nobody_holds_any_more_lets_go_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    game = DUEL.game()
    game.save(path)
    assert locked(path)
    del game
    assert not locked(path)


OTHER_PROGRAM = """
import sys, flagplot
for attempt in (lambda: flagplot.resume(sys.argv[1]), lambda: flagplot.load("malta").save(sys.argv[1], overwrite=True)):
    try:
        attempt()
        print("done")
    except flagplot.FlagplotError as refusal:
        print(refusal)
print(flagplot.verify(sys.argv[1]).sound, flagplot.resume(sys.argv[1], follow=False).turn)
"""


def test_two_programs_cannot_play_from_one_file(tmp_path: Path) -> None:
    """The other program may look, but neither go on nor overwrite; a half-written line is not its to repair."""
    path = tmp_path / "malta.jsonl"
    game, who = lively("malta")
    game.save(path)
    game.play(who, until=5)
    with path.open("ab") as file:
        file.write(b'{"n":6,"si')
    before = path.read_bytes()
    said = other_program(path)
    assert [line.startswith("another program is playing this game from the same file") for line in said[:2]] == [
        True
    ] * 2
    assert said[2] == "False 5"
    assert path.read_bytes() == before
    game.play(who)
    game.stop_saving()
    assert flagplot.verify(path).sound
    assert other_program(path)[:1] == ["done"]


def other_program(path: Path) -> list[str]:
    command, root = [sys.executable, "-c", OTHER_PROGRAM, str(path)], Path(flagplot.__file__).parents[1]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=root).stdout.splitlines()


def test_the_header_holds_all_that_the_answers_are_answers_to(tmp_path: Path) -> None:
    game, _ = lively("malta", Seeded(3))
    game.save(tmp_path / "malta.jsonl")
    header = json.loads((tmp_path / "malta.jsonl").read_text(encoding="utf8"))
    assert list(header) == ["flagplot", "program", "game", "rules", "scenario", "options", "dice", "hash"]
    assert header["flagplot"] == FORMAT
    assert header["program"] == flagplot.__version__
    assert (header["game"], header["rules"]) == ("awaw", game.ruleset.version)
    assert header["scenario"] == flagplot.read_scenario("malta")
    assert header["options"]["classic"] is False
    assert header["dice"] == {"kind": "seeded", "seed": 3}


def test_every_line_carries_its_number_and_the_hash_of_the_line_before(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    game = DUEL.game(Committed("hush"))
    game.save(path)
    game.play(players(game))
    bodies: list[dict[str, Any]] = [json.loads(line) for line in path.read_text().splitlines()]
    for number, body in enumerate(bodies):
        rest = {key: value for key, value in body.items() if key != "hash"}
        text = json.dumps(rest, separators=(",", ":"), ensure_ascii=False)
        assert hashlib.sha256(text.encode()).hexdigest() == body["hash"]
        if number:
            assert body["prev"] == bodies[number - 1]["hash"]
            assert body["n"] == number
    assert bodies[1] == {**bodies[1], "side": "blue", "choose": f"stance:{game.state.stances['blue']}"}
    assert list(bodies[-1]) == ["n", "end", "secret", "prev", "hash"]
    assert DUEL.verify(path).head == bodies[-1]["hash"]


def test_typed_dice_are_not_proved_but_legal(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    game = DUEL.game(Typed())
    game.save(path)
    for text in ("stance:low", "stance:mid"):
        game.choose(text)
    game.roll([6, 6])
    verification = DUEL.verify(path)
    assert verification.sound
    assert (verification.rolls, verification.proved) == (1, 0)
    assert verification.notes == [
        "people rolled the dice: their faces cannot be proved",
        "the game is still in progress: missing answers after the last line would not show",
    ]
    assert verification.as_dict()["sound"] is True
    assert DUEL.resume(path).turn == 3


def test_a_scenario_that_is_changed_after_loading_does_not_change_the_save(tmp_path: Path) -> None:
    scenario = flagplot.read_scenario("malta")
    game = flagplot.load(scenario, seed=1)
    scenario["bases"].clear()
    game.save(tmp_path / "malta.jsonl")
    assert snapshot(flagplot.resume(tmp_path / "malta.jsonl")) == snapshot(game)


def test_the_options_of_a_game_come_back(tmp_path: Path) -> None:
    game = flagplot.load("malta", seed=1, options={"classic": True})
    game.save(tmp_path / "malta.jsonl")
    assert flagplot.resume(tmp_path / "malta.jsonl").options == game.options
    assert game.options.classic is True


def test_texts_of_any_script_survive(tmp_path: Path) -> None:
    scenario = flagplot.read_scenario("malta") | {"title": "Мальта – “✈” \u2028 \U0001f6e9"}
    game = flagplot.load(scenario, seed=1)
    game.save(tmp_path / "malta.jsonl")
    assert flagplot.resume(tmp_path / "malta.jsonl").scenario["title"] == scenario["title"]
