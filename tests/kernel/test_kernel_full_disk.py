"""A disk that fails: the answer does not count, the file is as it was, and the game goes on when the disk is back."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from flagplot.kernel.dice import Committed, Seeded
from flagplot.kernel.errors import SaveError
from flagplot.kernel.game import Game
from flagplot.kernel.tape import secret_path
from tests.kernel.toys import DUEL, Pad, players, snapshot, step


class Disk:
    """A disk that fills up, breaks or is mended, seen by the kernel's writing alone."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.room: int | None = None
        self.flushes = self.cuts = True
        self._write, self._fsync, self._ftruncate = os.write, os.fsync, os.ftruncate
        monkeypatch.setattr(os, "write", self.write)
        monkeypatch.setattr(os, "fsync", self.fsync)
        monkeypatch.setattr(os, "ftruncate", self.ftruncate)

    def write(self, handle: int, data: bytes) -> int:
        if self.room is None:
            return self._write(handle, data)
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        part = data[: self.room]
        self.room -= len(part)
        return self._write(handle, part)

    def fsync(self, handle: int) -> None:
        if not self.flushes:
            raise OSError(errno.EIO, "Input/output error")
        self._fsync(handle)

    def ftruncate(self, handle: int, size: int) -> None:
        if not self.cuts:
            raise OSError(errno.EIO, "Input/output error")
        self._ftruncate(handle, size)

    def mend(self) -> None:
        self.room, self.flushes, self.cuts = None, True, True


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def saved(path: Path, kind: str) -> Game[Pad]:
    game = DUEL.game(Committed("hush") if kind == "committed" else Seeded(8))
    game.save(path)
    return game


@pytest.mark.parametrize("kind", ["committed", "seeded"])
def test_an_answer_that_cannot_be_written_does_not_count(tmp_path: Path, disk: Disk, kind: str) -> None:
    """Every answer of a game is first tried with too little room, then with a disk that does not flush."""
    path = tmp_path / "duel.jsonl"
    game = saved(path, kind)
    who = players(game)
    while game.pending is not None:
        before, on_disk = snapshot(game), path.read_bytes()
        for room, flushes in ((0, True), (1, True), (25, True), (None, False)):
            disk.room, disk.flushes = room, flushes
            with pytest.raises(SaveError, match="the save cannot be written"):
                step_same(game)
            disk.mend()
            assert snapshot(game) == before
            assert path.read_bytes() == on_disk
        step(game, who)
    assert DUEL.verify(path).sound


def step_same(game: Game[Any]) -> None:
    """Give some legal answer, always the same one."""
    step(game, players(game, 12))


def test_a_line_that_comes_in_pieces_is_put_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "duel.jsonl"
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:7]))
    game = saved(path, "committed")
    game.play(players(game))
    assert DUEL.verify(path).sound


def test_a_broken_line_that_could_not_be_cut_off_is_cut_off_later(tmp_path: Path, disk: Disk) -> None:
    path = tmp_path / "duel.jsonl"
    game = saved(path, "seeded")
    whole = path.read_bytes()
    disk.room, disk.cuts = 10, False
    with pytest.raises(SaveError):
        game.choose("stance:low")
    assert len(path.read_bytes()) == len(whole) + 10
    disk.mend()
    game.choose("stance:low")
    game.play(players(game))
    assert DUEL.verify(path).sound


def test_an_interrupt_in_the_middle_of_writing_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while the line is flushed: it is gone, and who goes on all the same has a sound save."""
    path = tmp_path / "duel.jsonl"
    game = saved(path, "seeded")
    before, on_disk = snapshot(game), path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            game.choose("stance:low")
    assert snapshot(game) == before
    assert path.read_bytes() == on_disk
    game.play(players(game))
    assert DUEL.verify(path).sound


def interrupt(handle: int) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("kind", ["committed", "seeded"])
def test_a_save_that_cannot_be_made_leaves_nothing_behind(tmp_path: Path, disk: Disk, kind: str) -> None:
    path = tmp_path / "duel.jsonl"
    game = DUEL.game(Committed("hush") if kind == "committed" else Seeded(8))
    for room, flushes in ((0, True), (40, True), (2000, False)):
        disk.room, disk.flushes = room, flushes
        with pytest.raises(SaveError):
            game.save(path)
        assert os.listdir(tmp_path) == []
    disk.mend()
    game.save(path)
    game.play(players(game))
    assert DUEL.verify(path).sound


def test_a_save_that_cannot_be_overwritten_keeps_its_secret(tmp_path: Path, disk: Disk) -> None:
    """Whatever fails, the old save and its secret still belong together."""
    path = tmp_path / "duel.jsonl"
    old = saved(path, "committed")
    old.play(players(old), until=4)
    old.stop_saving()
    size = len("".join(f"{text}\n" for text in DUEL.game(Committed("other")).tape().texts))
    for room in (0, 40, size, size + 2):
        disk.room = room
        with pytest.raises(SaveError):
            DUEL.game(Committed("other")).save(path, overwrite=True)
        disk.mend()
        assert secret_path(path).read_text() == "hush"
        back = DUEL.resume(path)
        assert snapshot(back) == snapshot(old)
        back.stop_saving()
    assert sorted(os.listdir(tmp_path)) == ["duel.jsonl", "duel.jsonl.secret"]


@pytest.mark.parametrize("kind", ["committed", "seeded"])
def test_a_closing_line_that_cannot_be_written_is_said_and_added_later(tmp_path: Path, disk: Disk, kind: str) -> None:
    """The last answer itself is on the disk by then and counts."""
    path = tmp_path / "duel.jsonl"
    game, twin = saved(path, kind), DUEL.game(Committed("hush") if kind == "committed" else Seeded(8))
    who, others = players(game), players(twin)
    twin.play(others)
    game.play(who, until=twin.turn - 1)
    disk.room = len(twin.tape().texts[-2]) + 1 + 30
    with pytest.raises(SaveError, match="the game is over and its last answer is saved, but not its closing line"):
        game.play(who)
    assert game.pending is None
    assert game.turn == twin.turn
    assert path.read_text().splitlines() == twin.tape().texts[:-1]
    disk.mend()
    back = DUEL.resume(path)
    assert snapshot(back) == snapshot(twin)
    assert DUEL.verify(path).sound
    assert os.listdir(tmp_path) == ["duel.jsonl"]


def test_a_take_back_that_cannot_be_written_does_not_count(tmp_path: Path, disk: Disk) -> None:
    path = tmp_path / "duel.jsonl"
    game = saved(path, "committed")
    game.choose("stance:high")
    before, on_disk = snapshot(game), path.read_bytes()
    disk.room = 3
    with pytest.raises(SaveError):
        game.undo()
    assert (snapshot(game), path.read_bytes()) == (before, on_disk)
    disk.mend()
    game.undo()
    game.play(players(game))
    assert DUEL.verify(path).sound


def test_an_answer_is_on_the_disk_before_it_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the line is flushed the file holds it already and the game does not know of it yet."""
    path = tmp_path / "duel.jsonl"
    game = saved(path, "seeded")
    seen: list[tuple[int, int]] = []
    fsync = os.fsync

    def looking(handle: int) -> None:
        seen.append((len(path.read_bytes().splitlines()), game.turn))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", looking)
    game.play(players(game), until=6)
    assert seen == [(number + 2, number) for number in range(6)]
