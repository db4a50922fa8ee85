"""Damaged saves: half-written lines at every length, files that are no saves, other versions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot import library
from flagplot.kernel.dice import Committed, Seeded
from flagplot.kernel.errors import FlagplotError, SaveError
from flagplot.kernel.tape import Tape, secret_path
from tests.kernel.toys import DUEL, lively, players, snapshot


def all_saved(folder: Path, kind: str) -> tuple[Path, list[bytes], list[dict[str, Any]]]:
    """A finished save, its lines, and what the game looked like after each line."""
    path = folder / "malta.jsonl"
    game, who = lively("malta", Committed("hush") if kind == "committed" else Seeded(8))
    game.save(path)
    seen = [snapshot(game)]
    while game.pending is not None:
        game.play(who, until=game.turn + 1)
        seen.append(snapshot(game))
    game.stop_saving()
    return path, path.read_bytes().splitlines(keepends=True), seen


@pytest.mark.parametrize("kind", ["committed", "seeded"])
@pytest.mark.parametrize("last", [2, -2, -1], ids=["first answer", "last answer", "closing line"])
def test_a_half_written_last_line_loses_only_that_answer(tmp_path: Path, kind: str, last: int) -> None:
    """At every byte length of the line: resuming repairs the file and says so; verifying reports it."""
    path, lines, seen = all_saved(tmp_path, kind)
    last %= len(lines)
    whole, line = b"".join(lines[:last]), lines[last]
    for length in range(len(line)):
        path.write_bytes(whole + line[:length])
        secret_path(path).write_text("hush")
        verification = flagplot.verify(path)
        halves = [problem for problem in verification.problems if "half written" in problem]
        assert halves == ([f"line {last + 1} is only half written"] if length else [])
        if length % 16 > 1 and length < len(line) - 2:
            continue  # some lengths will do: resuming takes longer than verifying
        looked, notices = library.resume_with_notices(path, follow=False)
        assert path.read_bytes() == whole + line[:length]
        game, notices_again = library.resume_with_notices(path)
        assert notices == notices_again
        assert notices == (
            ["the last line of malta.jsonl was only half written and has been left out"] if length else []
        )
        assert looked.turn == game.turn == min(last - 1, len(seen) - 1)
        assert snapshot(game) == seen[game.turn]
        closed = game.pending is None  # the closing line is made again, since the answers say all of it
        assert path.read_bytes() == (whole + line if closed else whole)
        game.stop_saving()


def test_a_repaired_save_goes_on(tmp_path: Path) -> None:
    path, lines, _ = all_saved(tmp_path, "committed")
    path.write_bytes(b"".join(lines[:6]) + lines[6][:20])
    secret_path(path).write_text("hush")
    game = flagplot.resume(path)
    game.play(players(game, 77))
    assert flagplot.verify(path).sound


NOT_SAVES: dict[str, bytes] = {
    "empty": b"",
    "no line end": b'{"flagplot":1}',
    "blank lines": b"\n\n\n",
    "text": b"Dear diary,\nnothing happened.\n",
    "binary": bytes(range(256)) * 20 + b"\n",
    "utf-16": "{}\n".encode("utf-16"),
    "a list": b"[1,2,3]\n",
    "a number": b"7\n",
    "deeply nested": b"[" * 100_000 + b"\n",
    "deeply nested tables": b'{"a":' * 100_000 + b"\n",
    "half a character": b'{"flagplot":1,"x":"\\ud800","hash":""}\n',
    "a long number": b'{"flagplot":' + b"9" * 10_000 + b"}\n",
    "not a number": b'{"flagplot":NaN,"hash":"x"}\n',
    "other JSON": b'{"name":"flagplot","version":"1.0"}\n',
}


@pytest.mark.parametrize("case", NOT_SAVES)
def test_what_is_no_save_is_refused_in_words(tmp_path: Path, case: str) -> None:
    path = tmp_path / "no-save.jsonl"
    path.write_bytes(NOT_SAVES[case])
    for follow in (False, True):
        with pytest.raises(SaveError) as refusal:
            flagplot.resume(path, follow=follow)
        assert refusal.value.given == path
    assert any(problem.startswith("line 1") for problem in flagplot.verify(path).problems)
    assert path.read_bytes() == NOT_SAVES[case]


@pytest.mark.parametrize("case", NOT_SAVES)
def test_such_lines_in_the_middle_of_a_save_are_found(tmp_path: Path, case: str) -> None:
    lines = DUEL.game().tape().texts
    path = tmp_path / "duel.jsonl"
    path.write_bytes(f"{lines[0]}\n".encode() + NOT_SAVES[case].rstrip(b"\n") + b"\n")
    assert "line 2" in DUEL.verify(path).problems[0]
    with pytest.raises(SaveError, match="damaged: line 2"):
        DUEL.resume(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path, words in ((tmp_path / "nothing.jsonl", "no such save"), (tmp_path, "cannot be read")):
        for read in (flagplot.resume, flagplot.verify):
            with pytest.raises(SaveError, match=words):
                read(path)


def header_save(path: Path, **changed: Any) -> Path:
    """A save that is nothing but a header, some of it changed, properly sealed."""
    header = DUEL.game().header() | changed
    path.write_text(Tape({key: value for key, value in header.items() if value is not ...}).texts[0] + "\n")
    return path


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"flagplot": 1}, "this save is of format 1: play it on, or prove it, with the version of Flagplot that wrote"),
        ({"flagplot": 3}, "another version of the format: 3 is not 2"),
        ({"flagplot": "2"}, "another version of the format"),
        ({"flagplot": 2.0}, "another version of the format"),
        ({"flagplot": True}, "another version of the format"),
        ({"program": "0.1 or so"}, "“program” must be a version"),
        ({"rules": "duel-0"}, "this save was played under rules duel-0 of Sandbox"),
        ({"rules": ...}, "not the keys of a header"),
        ({"game": "chess"}, "no such game: “chess”"),
        ({"game": ...}, "not the keys of a header"),
        ({"scenario": ...}, "not the keys of a header"),
        ({"scenario": [1]}, "“scenario” must be a scenario"),
        ({"options": ...}, "not the keys of a header"),
        ({"options": "two"}, "“options” must be a table of options"),
        ({"options": {"rounds": "four"}}, "the options of this save are not those of this version"),
        ({"options": {"weather": True}}, "no such option"),
        ({"options": {}}, "not all of them, each once and in their order"),
        ({"weather": "fine"}, "not the keys of a header"),
        ({"dice": ...}, "not the keys of a header"),
        ({"dice": "loaded"}, "“dice” must be exactly one kind of dice"),
        ({"dice": {"kind": "loaded"}}, "“dice” must be exactly one kind of dice"),
        ({"dice": {"kind": "seeded"}}, "“dice” must be exactly one kind of dice"),
        ({"dice": {"kind": "seeded", "seed": "x"}}, "“dice” must be exactly one kind of dice"),
        ({"dice": {"kind": "committed"}}, "“dice” must be exactly one kind of dice"),
        ({"dice": {"kind": "seeded", "seed": True}}, "“dice” must be exactly one kind of dice"),
        ({"dice": {"seed": 7, "kind": "seeded"}}, "“dice” must be exactly one kind of dice"),
        ({"dice": {"kind": "typed", "by": "hand"}}, "“dice” must be exactly one kind of dice"),
        ({"dice": {"kind": "committed", "commitment": "A" * 64}}, "“dice” must be exactly one kind of dice"),
        ({"dice": {"kind": "committed", "commitment": 7}}, "“dice” must be exactly one kind of dice"),
    ],
)
def test_a_header_of_another_kind_is_refused_in_words(tmp_path: Path, changed: dict[str, Any], words: str) -> None:
    path = header_save(tmp_path / "duel.jsonl", **changed)
    with pytest.raises(FlagplotError) as refusal:
        DUEL.resume(path)
    assert words in str(refusal.value)
    verification = DUEL.verify(path)
    if changed.get("rules") == "duel-0":  # its chain and its dice hold, and no more is claimed
        assert (verification.whole, verification.old_rules) == (False, "duel-0")
    else:
        assert verification.problems[0].startswith("line 1:")
    DUEL.resume(header_save(path))  # the refused one is not left locked


def test_a_save_of_a_scenario_that_is_faulty_by_now_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "malta.jsonl"
    header = flagplot.load("malta", seed=1).header()
    header["scenario"] = header["scenario"] | {"theatre": "moon"}
    path.write_text(Tape(header).texts[0] + "\n", encoding="utf8")
    with pytest.raises(FlagplotError, match="theatre"):
        flagplot.resume(path)
    assert "line 1" in flagplot.verify(path).problems[0]


FOLDERS: dict[str, Callable[[Path], Path]] = {
    "a folder that is not there": lambda folder: folder / "nowhere" / "duel.jsonl",
    "a folder that is a file": lambda folder: folder / "file" / "duel.jsonl",
    "a name that is too long": lambda folder: folder / ("x" * 300),
}


@pytest.mark.parametrize("case", FOLDERS)
@pytest.mark.parametrize("kind", ["committed", "seeded"])
def test_where_nothing_can_be_written_the_game_goes_on_unsaved(tmp_path: Path, case: str, kind: str) -> None:
    (tmp_path / "file").write_text("a file")
    game = DUEL.game(Committed("hush") if kind == "committed" else Seeded(8))
    before = snapshot(game)
    with pytest.raises(SaveError, match=r"the save cannot be written or read \(.+\)"):
        game.save(FOLDERS[case](tmp_path))
    assert snapshot(game) == before
    game.choose("stance:low")
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_every_line_of_a_save_is_one_json_document(tmp_path: Path) -> None:
    _, lines, seen = all_saved(tmp_path, "seeded")
    assert [json.loads(line).get("n", 0) for line in lines] == list(range(len(lines)))
    assert len(lines) == len(seen) + 1
