"""Committed dice: nobody can look ahead and then choose, nobody can exchange them, and everybody can check them."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.kernel import tape
from flagplot.kernel.dice import Committed, Sealed, Seeded, commitment
from flagplot.kernel.errors import DiceError, SaveError
from flagplot.kernel.game import Game
from flagplot.kernel.tape import secret_path
from tests.kernel.toys import DUEL, Pad, lively, players, snapshot


def saved(path: Path, until: int | None = None) -> Game[Pad]:
    """A committed duel that is saved and played for a while."""
    game = DUEL.game(Committed("hush"))
    game.save(path)
    game.play(players(game), until=until)
    return game


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_dice_without_a_seed_are_committed_to_a_fresh_secret() -> None:
    one, other = flagplot.load("malta"), flagplot.load("malta")
    assert isinstance(one.dice, Committed)
    assert isinstance(other.dice, Committed)
    assert one.dice.secret != other.dice.secret
    assert len(one.dice.secret) == 64


def test_before_the_end_the_save_holds_only_the_commitment(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    game = saved(path, until=6)
    assert lines(path)[0]["dice"] == {"kind": "committed", "commitment": commitment("hush")}
    assert "hush" not in path.read_text()
    assert "hush" not in "".join(game.tape().texts)
    verification = DUEL.verify(path)
    assert verification.sound
    assert verification.proved == 0
    assert "the secret of the dice is not open yet" in verification.notes[0]


def test_the_secret_lies_beside_the_save_for_its_owner_alone_until_the_end(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    game = saved(path, until=6)
    assert secret_path(path).read_text() == "hush"
    assert stat.S_IMODE(secret_path(path).stat().st_mode) == 0o600
    game.play(players(game))
    assert not secret_path(path).exists()
    assert lines(path)[-1]["secret"] == "hush"
    assert [entry.name for entry in tmp_path.iterdir()] == ["duel.jsonl"]


def test_a_secret_file_that_others_could_read_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    secret_path(path).write_text("left over from another game")
    secret_path(path).chmod(0o644)
    saved(path, until=1)
    assert secret_path(path).read_text() == "hush"
    assert stat.S_IMODE(secret_path(path).stat().st_mode) == 0o600


def test_the_secret_is_on_the_disk_before_the_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At no moment is there a save whose secret could be lost: every file is flushed before it gets its name."""
    steps: list[str] = []
    replace, fsync = os.replace, os.fsync

    def replacing(old: Path, new: Path) -> None:
        steps.append(f"name {Path(new).name}")
        replace(old, new)

    def flushing(handle: int) -> None:
        steps.append("flush")
        fsync(handle)

    monkeypatch.setattr(os, "replace", replacing)
    monkeypatch.setattr(os, "fsync", flushing)
    saved(tmp_path / "duel.jsonl", until=0)
    assert steps == ["flush", "flush", "name duel.jsonl.secret", "flush", "name duel.jsonl", "flush"]


def test_every_roll_is_proved_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    game, who = lively("rabaul", Committed())
    game.save(path)
    game.play(who)
    verification = flagplot.verify(path)
    assert verification.sound
    assert verification.rolls == verification.proved == sum("roll" in line for line in lines(path))


def test_faces_that_people_put_in_the_place_of_committed_dice_show(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    game = saved(path, until=2)
    honest = game.copy().roll()
    game.roll([face % 6 + 1 for face in honest])
    game.play(players(game))
    assert f"line 4: the dice must show {list(honest)} here" in DUEL.verify(path).problems[0]


def test_a_secret_that_was_exchanged_shows(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    game = saved(path, until=6)
    game.stop_saving()
    secret_path(path).write_text("another")
    with pytest.raises(SaveError, match="not the one that the save is committed to"):
        DUEL.resume(path)
    secret_path(path).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SaveError, match="not the one that the save is committed to"):
        DUEL.resume(path)
    secret_path(path).write_text("hush\n")
    assert snapshot(DUEL.resume(path)) == snapshot(game)


@pytest.mark.parametrize("secret", ["another", "", "x" * 200, 7, None])
def test_a_wrong_secret_in_the_closing_line_shows(tmp_path: Path, secret: Any) -> None:
    path = tmp_path / "duel.jsonl"
    saved(path)
    closing = lines(path)[-1] | {"secret": secret}
    text = tape.seal({key: value for key, value in closing.items() if key != "hash"})[0]
    path.write_text("".join(f"{line}\n" for line in [*path.read_text().splitlines()[:-1], text]))
    verification = DUEL.verify(path)
    words = "this secret is not the one" if isinstance(secret, str) else "“secret” must be the text of the secret"
    assert f"line {len(lines(path))}: {words}" in verification.problems[0]
    assert verification.proved == 0


def test_a_finished_game_that_does_not_open_its_secret_is_not_sound(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    saved(path)
    closing = {key: value for key, value in lines(path)[-1].items() if key not in ("secret", "hash")}
    path.write_text("".join(f"{line}\n" for line in [*path.read_text().splitlines()[:-1], tape.seal(closing)[0]]))
    verification = DUEL.verify(path)
    assert verification.problems == [
        f"line {len(lines(path))}: the closing line must open the secret of the dice: without it no roll is proved"
    ]
    assert "NOT sound" in verification.headline("duel.jsonl")


def test_a_secret_that_no_key_can_be_made_of_shows(tmp_path: Path) -> None:
    """A header committed to an overlong secret, and that secret: refused in words."""
    for secret in ("", "x" * 65):
        with pytest.raises(DiceError, match="1 to 64 bytes"):
            Committed(secret)
    path = tmp_path / "duel.jsonl"
    made = tape.Tape(DUEL.game().header() | {"dice": {"kind": "committed", "commitment": commitment("x" * 65)}})
    made.add(*made.line({"end": {"result": {}, "state": "0" * 64}, "secret": "x" * 65}))
    path.write_text("".join(f"{text}\n" for text in made.texts))
    assert "line 2: a secret has 1 to 64 bytes" in DUEL.verify(path).problems[0]


def test_without_its_secret_a_game_can_be_read_and_replayed_but_not_rolled(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    game = saved(path, until=2)
    game.stop_saving()
    secret_path(path).unlink()
    back = DUEL.resume(path)
    assert isinstance(back.dice, Sealed)
    assert snapshot(back) == snapshot(game)
    before = path.read_bytes()
    with pytest.raises(DiceError, match="the secret of these committed dice is missing"):
        back.roll()
    assert snapshot(back) == snapshot(game)
    assert path.read_bytes() == before
    assert DUEL.verify(path).sound


def test_a_secret_that_is_not_ours_to_read_is_a_missing_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "duel.jsonl"
    saved(path, until=2).stop_saving()
    read_text = Path.read_text

    def refusing(self: Path, *arguments: Any, **named: Any) -> str:
        if self.name.endswith(".secret"):
            raise PermissionError(13, "Permission denied")
        return read_text(self, *arguments, **named)

    monkeypatch.setattr(Path, "read_text", refusing)
    assert isinstance(DUEL.resume(path, follow=False).dice, Sealed)


def test_a_secret_that_a_killed_program_left_beside_a_finished_save_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    saved(path).stop_saving()
    secret_path(path).write_text("hush")
    assert DUEL.resume(path, follow=False).result is not None
    assert secret_path(path).exists()
    assert DUEL.resume(path).result is not None
    assert not secret_path(path).exists()


def test_a_save_that_was_cut_off_before_its_closing_line_is_closed_when_it_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    saved(path).stop_saving()
    whole = path.read_text()
    path.write_text("".join(whole.splitlines(keepends=True)[:-1]))
    secret_path(path).write_text("hush")
    assert "the closing line is missing" in DUEL.verify(path).problems[0]
    assert DUEL.resume(path).result is not None
    assert path.read_text() == whole
    assert not secret_path(path).exists()


def test_the_next_roll_hangs_on_the_choice_before_it() -> None:
    """The same secret, another option: other dice. So nobody can look ahead and then choose."""
    rolls = set()
    for blue in ("high", "low", "mid"):
        for red in ("high", "low", "mid"):
            game = DUEL.game(Committed("hush"))
            game.choose(f"stance:{blue}")
            game.choose(f"stance:{red}")
            rolls.add(game.roll())
    assert len(rolls) > 4


def test_a_take_back_changes_the_dice_to_come() -> None:
    game = DUEL.game(Committed("hush"))
    game.choose("stance:high")
    rolls = set()
    for _ in range(8):
        game.choose("stance:low")
        rolls.add(game.copy().roll())
        game.undo()
    assert len(rolls) > 4


def test_later_rolls_hang_on_all_earlier_choices() -> None:
    def second_roll(first: str) -> tuple[int, ...]:
        game = DUEL.game(Committed("hush"))
        for text in (first, "stance:low"):
            game.choose(text)
        game.roll([6, 6])
        for text in ("parry:left", "stake0:0", "stake1:0", "stake2:0", "round:go-on", "stance:low", "stance:low"):
            game.choose(text)
        return game.roll()

    assert len({second_roll(f"stance:{stance}") for stance in ("high", "low", "mid")}) > 1


def test_seeded_rolls_are_proved_and_a_changed_one_is_found(tmp_path: Path) -> None:
    path = tmp_path / "duel.jsonl"
    game = DUEL.game(Seeded(4))
    game.save(path)
    game.play(players(game))
    assert DUEL.verify(path).proved == DUEL.verify(path).rolls > 0
    other = DUEL.game(Seeded(4))
    other.save(tmp_path / "other.jsonl")
    other.play(players(other), until=2)
    other.roll([face % 6 + 1 for face in other.copy().roll()])
    assert "line 4: the dice must show" in DUEL.verify(tmp_path / "other.jsonl").problems[0]
