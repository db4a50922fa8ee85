"""Tampering: each line of a finished game is changed, dropped, swapped and invented in turn, and it always shows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.kernel.dice import Committed, Seeded
from flagplot.kernel.errors import SaveError
from flagplot.kernel.tape import seal
from flagplot.kernel.verifying import Verification
from tests.kernel.test_kernel_undo import two_choices
from tests.kernel.toys import DUEL, lively, players, sandbox


@cache
def finished(kind: str = "committed") -> tuple[str, ...]:
    """The lines of a finished game of a real scenario."""
    game, who = lively("midway", Committed("hush") if kind == "committed" else Seeded(8))
    game.play(who)
    return tuple(game.tape().texts)


def body(line: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(line)
    return read


def sealed(changed: dict[str, Any]) -> str:
    """A line with its own hash worked out again, as somebody would who knows how."""
    return seal({key: value for key, value in changed.items() if key != "hash"})[0]


def altered(line: str) -> dict[str, Any]:
    """The same line with another answer in it."""
    changed = body(line)
    if "roll" in changed:
        changed["roll"] = [face % 6 + 1 for face in changed["roll"]]
    elif "choose" in changed:
        changed["choose"] += "0"
    elif "end" in changed:
        changed["end"]["result"]["winner"] = "nobody"
    else:
        changed["dice"]["commitment"] = "0" * 64
    return changed


def change(lines: list[str], place: int, *, seals: bool) -> list[str]:
    changed = altered(lines[place])
    lines[place] = sealed(changed) if seals else json.dumps(changed, separators=(",", ":"), ensure_ascii=False)
    return lines


def drop(lines: list[str], place: int, *, seals: bool) -> list[str]:
    """The line is taken out; with `seals` the next is chained to the one before the gap."""
    del lines[place]
    if seals and 0 < place < len(lines):
        lines[place] = sealed(body(lines[place]) | {"n": place, "prev": body(lines[place - 1])["hash"]})
    return lines


def swap(lines: list[str], place: int, *, seals: bool) -> list[str]:
    """The line changes places with the one before it (the header with the line after it)."""
    first = max(place - 1, 0)
    one, other = lines[first : first + 2]
    if seals and first:
        one, other = (sealed(body(line) | {"n": n}) for line, n in ((one, first + 1), (other, first)))
    lines[first : first + 2] = [other, one]
    return lines


def invent(lines: list[str], place: int, *, seals: bool) -> list[str]:
    """A copy of the line stands after it; with `seals` it is numbered and chained as if it belonged there."""
    copy = body(lines[place])
    if seals:
        copy = copy | {"n": place + 1, "prev": copy["hash"]}
    lines.insert(place + 1, sealed(copy) if seals else lines[place])
    return lines


def verify(path: Path, lines: list[str] | tuple[str, ...]) -> Verification:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf8")
    return flagplot.verify(path)


def named_line(verification: Verification) -> int:
    """The line that the first problem names."""
    found = re.match(r"line (\d+)", verification.problems[0])
    assert found, verification.problems
    return int(found[1])


WAYS: dict[str, Callable[..., list[str]]] = {"change": change, "drop": drop, "swap": swap, "invent": invent}


@pytest.mark.parametrize("seals", [False, True], ids=["as-it-is", "hash-recomputed"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["committed", "seeded"])
def test_whatever_is_done_to_a_line_shows_at_that_line(tmp_path: Path, kind: str, way: str, seals: bool) -> None:
    lines = finished(kind)
    assert verify(tmp_path / "save.jsonl", lines).sound
    for place in range(len(lines)):
        verification = verify(tmp_path / "save.jsonl", WAYS[way](list(lines), place, seals=seals))
        assert not verification.sound, f"{way} of line {place + 1}"
        touched = {"swap": max(place, 1), "invent": place + 2}.get(way, place + 1)
        last = touched + (way == "swap")
        assert touched <= named_line(verification) <= last + 1, verification.problems
        assert len(verification.problems) <= 3


@pytest.mark.parametrize("way", WAYS)
def test_a_damaged_save_is_not_played_on(tmp_path: Path, way: str) -> None:
    path = tmp_path / "save.jsonl"
    lines = WAYS[way](list(finished()), 5, seals=False)
    verify(path, lines)
    before = path.read_bytes()
    with pytest.raises(SaveError, match=r"this save has been damaged: line [5-7] "):
        flagplot.resume(path)
    assert path.read_bytes() == before


def rechained(lines: list[str]) -> list[str]:
    """All hashes worked out again: the chain holds, so only the rules and the dice can tell."""
    chained = [sealed(body(lines[0]))]
    for number, line in enumerate(lines[1:], start=1):
        chained.append(sealed(body(line) | {"n": number, "prev": body(chained[-1])["hash"]}))
    return chained


def places(kind: str) -> list[int]:
    return [place for place, line in enumerate(finished()) if kind in body(line)]


def test_a_choice_that_the_rules_do_not_allow_shows_though_the_chain_holds(tmp_path: Path) -> None:
    for place in places("choose"):
        lines = rechained(change(list(finished()), place, seals=True))
        verification = verify(tmp_path / "save.jsonl", lines)
        assert verification.problems, place
        assert named_line(verification) <= place + 1  # rolls before it are wrong too: they hang on the chain


def test_every_roll_after_a_changed_choice_is_wrong(tmp_path: Path) -> None:
    """Who changes an answer and works the whole chain out again gets other dice from there on."""
    lines = list(finished())
    first = places("roll")[0]
    place = next(place for place in places("choose") if place < first)
    changed = body(lines[place])
    game = flagplot.load("midway", dice=Committed("hush"))
    for line in lines[1:place]:
        game.choose(body(line)["choose"])
    assert isinstance(game.pending, flagplot.Choose)
    changed["choose"] = next(option.text for option in game.pending.options if option.text != changed["choose"])
    lines[place] = sealed(changed)
    verification = verify(tmp_path / "save.jsonl", rechained(lines))
    assert named_line(verification) <= first + 1


def test_a_changed_roll_shows_though_the_chain_holds(tmp_path: Path) -> None:
    for place in places("roll"):
        verification = verify(tmp_path / "save.jsonl", rechained(change(list(finished()), place, seals=True)))
        assert f"line {place + 1}: the dice must show" in verification.problems[0]


def test_a_wrong_side_shows_though_the_chain_holds(tmp_path: Path) -> None:
    lines = [sealed(body(line)) for line in finished("seeded")]
    asked = body(lines[1])["side"]
    lines[1] = sealed(body(lines[1]) | {"side": "allies" if asked == "japan" else "japan"})
    verification = verify(tmp_path / "save.jsonl", rechained(lines))
    assert f"line 2: {asked} must answer this: " in verification.problems[0]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"side": "blue", "undo": 1}, "line 2: this takes back answer 1, but the game is at 0"),
        ({"side": "blue", "undo": 0}, "line 2: nothing to take back yet"),
        ({"side": "blue", "roll": [1, 2]}, "line 2: there are no dice to roll"),
        ({"side": "blue", "roll": None}, "line 2: “roll” must be a list of faces"),
        ({"side": "blue", "dance": 1}, "line 2: these are not the keys of any kind of line"),
        ({"end": {}}, "line 2: “end” must be the result and the hash of the last state"),
        (
            {"end": {"result": {}, "state": "0" * 64}},
            "line 2: the save says that the game is over",
        ),
        ({"side": "blue", "choose": 7}, "line 2: “choose” must be the text of an option"),
        ({"side": "blue", "choose": "stance:odd"}, "line 2: not one of the answers: “stance:odd”"),
        ({"side": None, "choose": "stance:low"}, "line 2: “side” must be the name of a side"),
        ({"side": "red", "choose": "stance:low"}, "line 2: blue must answer this"),
    ],
)
def test_lines_that_no_game_writes_are_refused(tmp_path: Path, line: dict[str, Any], words: str) -> None:
    path = tmp_path / "save.jsonl"
    tape = DUEL.game().tape()
    path.write_text("".join(f"{text}\n" for text in (tape.texts[0], tape.line(line)[0])))
    assert DUEL.verify(path).problems[0].startswith(words)
    with pytest.raises(SaveError, match=r"line 2 of this save does not fit the rules|damaged: line 2: "):
        DUEL.resume(path)


def test_a_roll_without_faces_does_not_make_the_program_roll(tmp_path: Path) -> None:
    game = DUEL.game()
    game.play(players(game), until=2)
    tape = game.tape()
    path = tmp_path / "save.jsonl"
    path.write_text("".join(f"{text}\n" for text in (*tape.texts, tape.line({"side": "blue", "roll": None})[0])))
    with pytest.raises(SaveError, match="damaged: line 4: “roll” must be a list of faces"):
        DUEL.resume(path)
    assert "line 4: “roll” must be" in DUEL.verify(path).problems[0]


def test_nothing_follows_the_closing_line_that_opens_the_secret(tmp_path: Path) -> None:
    ruleset, path = sandbox(two_choices), tmp_path / "save.jsonl"
    game = ruleset.game(Committed("hush"))
    game.choose("pick:a")
    game.choose("pick:c")
    tape = game.tape().copy()
    tape.add(*tape.line({"side": "blue", "undo": 2}))
    path.write_text("".join(f"{text}\n" for text in tape.texts))
    assert ruleset.verify(path).problems == ["line 5: nothing can follow the closing line"]


def test_a_line_that_reads_the_same_but_is_written_otherwise_was_changed(tmp_path: Path) -> None:
    """A key given twice, a blank, an escape: what people see in the file must be what was played."""
    lines = list(finished("seeded"))
    for other in (
        lines[1].replace('"side":', '"choose":"something else","side":', 1),
        lines[1].replace(",", ", ", 1),
        lines[1].replace('"side"', '"\\u0073ide"', 1),
    ):
        assert body(other) == body(lines[1])
        verification = verify(tmp_path / "save.jsonl", [lines[0], other, *lines[2:]])
        assert verification.problems == ["line 2 was changed: its hash does not fit it"]


def test_cutting_answers_off_the_end_is_said_to_be_beyond_proof(tmp_path: Path) -> None:
    verification = verify(tmp_path / "save.jsonl", finished()[:-3])
    assert verification.sound
    assert "missing answers after the last line would not show" in verification.notes[-1]
