"""Archives that are damaged: all or nothing comes in, and every fault is told with its line."""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.cli import main
from flagplot.kernel.dice import Committed
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.ruleset import NEUTRAL
from flagplot.players.random import RandomPlayer
from flagplot.table.keeping import archives
from flagplot.table.keeping.archive_checks import SHOWN, ArchiveError
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.archive_mutants import spoilt
from tests.table.nonces import fresh_nonce

MUTANTS = 90


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Three tables: just begun, under way, and with a player of the program."""
    folder = tmp_path_factory.mktemp("archive")
    tables, chance = Tables(Store(str(folder / "tables.sqlite"))), random.Random(7)
    for scenario, answers in (("first-battle", 0), ("midway", 8), ("denmark-strait", 2)):
        made = tables.create(
            scenario, seats={"britain": "random"} if scenario == "denmark-strait" else {}, level="step"
        )
        for token in made.tokens.values():
            tables.join(token, name="Somebody", contribution=secrets.token_hex(32))
        for _ in range(answers):
            side = tables.look(made.game, NEUTRAL).waiting_for or ""
            question = tables.asked(made.game, side)[0]
            if question is not None and side in made.tokens:
                tables.answer(made.game, side, chance.choice(question.options).text, question.at, fresh_nonce())
        if scenario == "midway":
            tables.handovers.replace_link(made.host_token, "allies")
            tables.handovers.settle(made.tokens["allies"], "allies", yes=False)
    tables._playing.stop()
    archives.export(tables.store, [], folder / "archive.jsonl")
    tables.close()
    return (folder / "archive.jsonl").read_bytes()


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Store]:
    opened = Store(str(tmp_path / "other.sqlite"))
    yield opened
    opened.close()


def changed(archive: bytes, table: int, **changes: Any) -> str:
    """The archive with other values in the row of one game."""
    entries = [json.loads(line) for line in archive.decode().splitlines()]
    entries[table]["game"].update(changes)
    return "".join(f"{json.dumps(entry)}\n" for entry in entries)


def test_no_mutant_gives_a_traceback_or_leaves_half_of_itself(archive: bytes, empty: Store, tmp_path: Path) -> None:
    path, refused = tmp_path / "mutant.jsonl", 0
    for seed in range(MUTANTS):
        path.write_bytes(spoilt(archive, seed))
        try:
            archives.bring_in(empty, path)
        except FlagplotError as refusal:  # anything else is a traceback, and fails the test
            told, refused = str(refusal), refused + 1
            assert not empty.ids(), seed
            assert "\n  line " in told or "compressed" in told or "empty" in told, (seed, told)
            continue
        tables = Tables(empty)
        for game in empty.ids():  # what comes in can be played
            tables.look(game, NEUTRAL)
            empty.delete(game)
        tables._playing.stop()
    assert refused > MUTANTS * 0.8


def test_no_mutant_of_a_save_gives_a_traceback(empty: Store, tmp_path: Path) -> None:
    save = tmp_path / "game.jsonl"
    game = flagplot.load("midway", dice=Committed("hush"))
    game.save(save)
    game.play({side: RandomPlayer(3) for side in game.sides}, until=9)
    game.stop_saving()
    text = save.read_bytes()
    chance = random.Random(11)
    for _ in range(40):
        at, size = chance.randrange(len(text)), chance.randrange(3)
        save.write_bytes(text[:at] + chance.randbytes(chance.randrange(4)) + text[at + size :])
        before = empty.ids()
        try:
            archives.bring_in(empty, save)
        except FlagplotError:
            assert empty.ids() == before


def test_a_fault_in_the_second_table_keeps_the_first_one_out(
    address: str, archive: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "archive.jsonl"
    path.write_text(changed(archive, 1, title=7, created="yesterday"))
    assert main(["import", str(path), "--store", address]) == 2
    told = capsys.readouterr().err
    assert "2 faults" in told
    assert "  line 2, game.title: this should be text\n" in told
    assert "  line 2, game.created: this should be a time in seconds\n" in told
    assert main(["import", str(path), "--store", address, "--json"]) == 2
    faults = json.loads(capsys.readouterr().err)["faults"]
    assert [fault["place"] for fault in faults] == ["line 2, game.title", "line 2, game.created"]
    store = Store(address)
    assert store.ids() == []
    store.close()


def test_a_name_that_another_table_of_the_store_has_keeps_all_out(store: Store, archive: bytes, tmp_path: Path) -> None:
    """One transaction for all: the clash is found by the database, after the first table has been written."""
    path = tmp_path / "archive.jsonl"
    path.write_bytes(archive.splitlines(keepends=True)[2])
    (there,) = archives.bring_in(store, path).came
    taken = store.game(there)["public_id"]
    path.write_text("".join(changed(archive, 1, public_id=taken).splitlines(keepends=True)[:2]))
    with pytest.raises(ArchiveError, match="line 2: another table of this store has the same id, public id or link"):
        archives.bring_in(store, path)
    assert store.ids() == [there]
    path.write_bytes(archive)
    found = archives.bring_in(store, path)
    assert (len(found.came), found.there) == (2, [there])


def test_a_game_that_does_not_stand_where_its_row_says_does_not_come_in(
    archive: bytes, empty: Store, tmp_path: Path
) -> None:
    """The chain of a game that lacks its last lines holds; whose turn it is tells."""
    entry = json.loads(archive.splitlines()[1])
    asked = entry["game"]["waiting_for"]
    entry["game"]["waiting_for"] = next(seat["side"] for seat in entry["seats"] if seat["side"] != asked)
    (tmp_path / "archive.jsonl").write_text(json.dumps(entry))
    with pytest.raises(ArchiveError, match=rf"line 1, game\.waiting_for: the game itself waits for “{asked}”"):
        archives.bring_in(empty, tmp_path / "archive.jsonl")


def test_very_many_faults_are_counted_not_listed(empty: Store, tmp_path: Path) -> None:
    path = tmp_path / "archive.jsonl"
    path.write_text("[]\n" * (SHOWN + 20))
    with pytest.raises(ArchiveError) as refusal:
        archives.bring_in(empty, path)
    lines = str(refusal.value).splitlines()
    assert len(lines) == SHOWN + 2
    assert lines[-1] == "  … and 20 more"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\x1f\x8b\x08\x00", "this file is compressed: unpack it first"),
        (b"\n\n", "this file is empty"),
        (b'{"flagplot-archive": 1, "flagplot-archive": 1}\n', "“flagplot-archive” stands there twice"),
        (b'{"flagplot-archive": NaN}\n', "line 1: this is not JSON"),
        (b'{"flagplot-archive": 1', "line 1: this is cut off, or not JSON"),
        (b"[" * 200_000, "line 1: this is nested too deeply"),
        (b"\xff\n", "line 1: this is not text in UTF-8"),
    ],
    ids=["compressed", "empty", "twice", "nan", "cut", "deep", "bytes"],
)
def test_what_is_no_archive_is_refused_in_plain_words(empty: Store, tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "archive.jsonl"
    path.write_bytes(content)
    with pytest.raises(FlagplotError) as refusal:
        archives.bring_in(empty, path)
    assert words in str(refusal.value)
