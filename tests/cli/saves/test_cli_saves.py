"""Saves on the command line: played, replayed, verified, resumed, damaged."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from flagplot.kernel.codewords import words_of
from flagplot.kernel.tape import seal

Run = Callable[..., Any]
HALF = "1\n2\n0\n0\n0\n1\n"
"""Some answers to `malta`: an attack on Tobruk that has begun when the input ends."""
ROLLED = re.compile(
    r"^[⚀-⚅ ]+  ([1-6](?: [1-6])*)  .*\n((?: +[+-]\d+  .*\n)+) +(\d+(?: [+-] \d+)*) = (\d+) → ", re.MULTILINE
)
"""A roll of a log with a modifier: its faces, the lines of its reasons, the sum as people write it, what it makes."""


@pytest.fixture
def finished(run: Run, tmp_path: Path) -> Path:
    assert run("play", "rabaul", "--seed", "5", "--save", "game.jsonl").code == 0
    return tmp_path / "game.jsonl"


@pytest.fixture
def unfinished(run: Run, tmp_path: Path) -> Path:
    ran = run("play", "malta", "--player", "axis=human", "--save", "half.jsonl", typed="1\n5\n")
    assert ran.code == 0
    return tmp_path / "half.jsonl"


def reseal(path: Path, change: Callable[[dict[str, Any]], Mapping[str, Any]]) -> None:
    """Change the header of a save and chain all its lines anew."""
    lines, prev = [], ""
    for number, text in enumerate(path.read_text(encoding="utf8").splitlines()):
        body = {key: value for key, value in json.loads(text).items() if key != "hash"}
        body = dict(change(body)) if number == 0 else {**body, "prev": prev}
        sealed, prev = seal(body)
        lines.append(sealed)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf8")


def test_a_game_of_bots_prints_its_log_and_result(run: Run) -> None:
    ran = run("play", "rabaul", "--seed", "5")
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert ": air combat over" in ran.out
    assert "(19.31A)" in ran.out
    assert ROLLED.search(ran.out)
    assert "== Game over ==" in ran.out
    assert "Lost: " in ran.out
    assert run("play", "rabaul", "--seed", "5").out == ran.out


def test_a_game_of_bots_as_json(run: Run) -> None:
    ran = run("play", "malta", "--seed", "2", "--json")
    found = ran.json
    assert (ran.code, ran.err) == (0, "")
    assert found["players"] == {"axis": "random", "allies": "random"}
    assert found["dice"] == {"kind": "seeded", "seed": 2}
    assert {"kind", "side", "text", "rule"} <= set(found["log"][0])
    assert found["result"]["summary"]
    assert len(found["head"]) == 64


def test_without_a_scenario_a_battle_is_shown(run: Run) -> None:
    ran = run("play")
    assert ran.code == 0
    assert "== Game over ==" in ran.out
    assert run("play").out == ran.out
    assert run("play", "--seed", "3").code == 2


def test_a_save_is_verified(run: Run, finished: Path) -> None:
    ran = run("verify", "game.jsonl")
    assert ran.code == 0
    found = run("verify", "game.jsonl", "--json").json
    rolls = found["rolls"]
    told = f"game.jsonl is proved: {found['answers']} answers, {rolls} of {rolls} rolls, the result."
    assert ran.out.startswith(told)
    assert found["proved"] == dict.fromkeys(("chain", "answers", "dice", "result"), "proved")
    head = json.loads(finished.read_text(encoding="utf8").splitlines()[-1])["hash"]
    assert f"head: {head}" in ran.out
    assert f"head in words: {words_of(head)}" in ran.out
    found = run("verify", "game.jsonl", "--json").json
    assert found["sound"] is True
    assert found["head"] == head
    assert found["words"] == words_of(head)
    assert found["rolls"] == found["rolls_proved"] > 0


def test_committed_dice_are_proved_at_the_end(run: Run) -> None:
    assert run("play", "malta", "--save", "fair.jsonl").code == 0
    found = run("verify", "fair.jsonl", "--json").json
    assert found["sound"]
    assert found["rolls"] == found["rolls_proved"]


def test_the_headline_says_what_is_not_proved_yet(run: Run) -> None:
    assert run("play", "malta", "--save", "fair.jsonl").code == 0
    path = Path("fair.jsonl")
    whole = path.read_text(encoding="utf8").splitlines(keepends=True)
    path.write_text("".join(whole[:2]), encoding="utf8")
    ran = run("verify", "fair.jsonl")
    assert ran.code == 0
    assert ran.out.startswith("fair.jsonl holds so far. The dice can be proved when the secret is opened.")
    proved = run("verify", "fair.jsonl", "--json").json["proved"]
    assert proved == {"chain": "proved", "answers": "proved", "dice": "holds so far", "result": "not over"}
    closing = json.loads(whole[-1])
    bare = {key: value for key, value in closing.items() if key not in ("secret", "hash")}
    path.write_text("".join(whole[:-1]) + seal(bare)[0] + "\n", encoding="utf8")
    ran = run("verify", "fair.jsonl")
    assert ran.code == 1
    assert ran.out.startswith("fair.jsonl is NOT sound: 1 fault.")
    assert "must open the secret" in ran.out


def test_a_file_of_something_else_is_no_saved_game(run: Run, finished: Path) -> None:
    finished.with_name("notes.md").write_text("# Notes\n\nBring dice.\n", encoding="utf8")
    ran = run("verify", "notes.md")
    assert ran.code == 1
    assert ran.out == "notes.md is not a saved game. Use a file that `play` or a table has saved.\n"


def test_receipts_that_are_none_are_refused(run: Run, finished: Path) -> None:
    assert run("verify", "game.jsonl", "--receipts", "nothing.json").code == 2
    Path("receipts.json").write_text("[]", encoding="utf8")
    ran = run("verify", "game.jsonl", "--receipts", "receipts.json")
    assert ran.code == 2
    assert "not a file of receipts" in ran.err


def test_a_changed_save_is_not_sound(run: Run, finished: Path) -> None:
    text = finished.read_text(encoding="utf8")
    finished.write_text(text.replace('"choose":"counterair:none"', '"choose":"counterair:buin"', 1), encoding="utf8")
    ran = run("verify", "game.jsonl")
    assert ran.code == 1
    assert "NOT sound" in ran.out
    assert "was changed" in ran.out
    assert run("verify", "game.jsonl", "--json").json["sound"] is False
    ran = run("resume", "game.jsonl")
    assert ran.code == 2
    assert "damaged" in ran.err


def test_other_dice_are_found_even_with_a_new_chain(run: Run, finished: Path) -> None:
    reseal(finished, lambda header: {**header, "dice": {"kind": "seeded", "seed": 6}})
    ran = run("verify", "game.jsonl")
    assert ran.code == 1
    assert "the dice must show" in ran.out


@pytest.mark.parametrize(
    ("change", "told"),
    [({"flagplot": 99}, "99"), ({"rules": "awaw-0"}, "rules awaw-0 "), ({"game": "chess"}, "“chess”")],
)
def test_a_save_of_another_version_is_refused(run: Run, unfinished: Path, change: dict[str, object], told: str) -> None:
    reseal(unfinished, lambda header: {**header, **change})
    for command in ("resume", "replay"):
        ran = run(command, "half.jsonl")
        assert ran.code == 2
        assert told in ran.err
    assert run("verify", "half.jsonl").code == 1


def test_a_replay_tells_every_roll_with_its_reasons(run: Run, finished: Path) -> None:
    ran = run("replay", "game.jsonl")
    assert ran.code == 0
    assert "  →" not in ran.out
    rolled = ROLLED.findall(ran.out)
    assert rolled
    for faces, reasons, terms, made in rolled:
        modifier = sum(int(line.split()[0]) for line in reasons.splitlines())
        extra = f" {'+' if modifier > 0 else '-'} {abs(modifier)}" if modifier else ""
        assert terms == " + ".join(faces.split()) + extra
        assert sum(map(int, faces.split())) + modifier == int(made)
    assert ran.out.splitlines()[-1].startswith("Game over: ")
    found = run("replay", "game.jsonl", "--json").json
    assert found["as"] == "umpire"
    assert any(entry["kind"] == "roll" and entry["ledger"]["lines"] for entry in found["log"])


def test_a_replay_for_a_side_keeps_the_other_sides_secrets(run: Run) -> None:
    assert run("play", "midway", "--seed", "4", "--save", "game.jsonl").code == 0
    asked, named = "CAP over", "Choose a combat group number for"
    ours, theirs = (run("replay", "game.jsonl", "--as", side).out for side in ("japan", "allies"))
    assert "First Striking Force" not in theirs
    assert f"{named} Task Force 16: 4 (22.423)" in theirs
    assert f"{named} the First Striking Force: 3 (22.423)" in ours
    assert "Japan: assigning combat air patrol" in theirs
    assert any("Japanese" in line for line in ours.splitlines() if asked in line)
    assert not any("Japanese" in line for line in theirs.splitlines() if asked in line)
    ran = run("replay", "game.jsonl", "--as", "mars")
    assert ran.code == 2
    assert "“mars”" in ran.err
    assert "japan, allies or umpire" in ran.err


def test_a_game_goes_on_to_its_end(run: Run, unfinished: Path) -> None:
    ran = run("verify", "half.jsonl")
    assert ran.code == 0
    assert "the game is still in progress" in ran.out
    ran = run("resume", "half.jsonl", "--seed", "1", "--player", "axis=random")
    assert ran.code == 0
    assert "== Game over ==" in ran.out
    assert "flagplot verify half.jsonl" in ran.out
    assert run("verify", "half.jsonl", "--json").json["result"]
    ran = run("resume", "half.jsonl")
    assert ran.code == 0
    assert "== Game over ==" in ran.out


def test_a_half_written_line_is_left_out_and_told(run: Run, unfinished: Path) -> None:
    whole = unfinished.read_bytes()
    lines = whole.splitlines(keepends=True)
    unfinished.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    ran = run("verify", "half.jsonl")
    assert ran.code == 1
    assert "half written" in ran.out
    assert "half written" in run("replay", "half.jsonl").out
    ran = run("resume", "half.jsonl", "--player", "axis=human", typed="5\n")
    assert ran.code == 0
    assert "Note: the last line of half.jsonl was only half written and has been left out." in ran.out
    assert run("verify", "half.jsonl").code == 0
    found = run("resume", "half.jsonl", "--json", "--seed", "1").json
    assert found["result"]
    assert found["notices"] == []


@pytest.mark.parametrize("command", ["resume", "replay", "verify"])
def test_a_save_that_is_none(run: Run, tmp_path: Path, command: str) -> None:
    ran = run(command, "nowhere.jsonl")
    assert ran.code == 2
    assert "“nowhere.jsonl”" in ran.err
    (tmp_path / "poem.txt").write_text("O Captain! my Captain!\n", encoding="utf8")
    assert run(command, "poem.txt").code in (1, 2)
