"""Real dice for a secret roll: two people at one keyboard read what both may know, one alone reads his reasons."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from flagplot.cli.keyboard.session import Session
from flagplot.cli.output import new_console
from flagplot.cli.screen import Screen
from flagplot.cli.seats import seats
from flagplot.kernel.dice import Typed
from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.procedures import Next
from flagplot.kernel.requests import Roll, Script
from tests.kernel.toys import Pad, game_of, pick

LEDGER = Ledger([Line(2, "elite squadrons from Akagi", "19.31A")])
PRIVATE = ["Blue searches from Akagi (22.31)", "+2  elite squadrons from Akagi (19.31A)", "modifier +2", "19.31A"]


def search(state: Pad) -> Script[Next]:
    yield pick("red", "a", "b")
    yield from dice(state)
    return None


def own_search(state: Pad) -> Script[Next]:
    """The side that rolls sits at the keyboard when the dice are wanted."""
    yield pick("blue", "a", "b")
    yield from dice(state)
    return None


def dice(state: Pad) -> Script[None]:
    yield Roll("blue", 2, "Blue searches from Akagi", sum, "22.31", LEDGER, secret="Blue searches")
    yield pick("red", "c", "d")


def played(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    players: list[str],
    *typed: str,
    script: Callable[[Pad], Script[Next]] = search,
) -> str:
    """What is printed until nothing more is typed."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    game = game_of(script, dice=Typed())
    session = Session(game, seats(game.sides, players, 1, "human"), Screen(new_console()), None)
    with pytest.raises(EOFError):
        session.play()
    return capsys.readouterr().out


def test_two_people_read_what_both_may_know(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = played(capsys, monkeypatch, [], "pick:a", "?", "3 5")
    assert "\nBlue searches (22.31)\n2 dice, such as 3 5> ?\n" in out
    assert "3 5  Blue searches (22.31)\n    → 8\n" in out
    assert "3 + 5" not in out
    assert not any(words in out for words in PRIVATE)


def test_two_people_read_no_more_when_the_one_who_rolls_sits_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = played(capsys, monkeypatch, [], "pick:a", "?", script=own_search)
    assert "\nBlue searches (22.31)\n2 dice, such as 3 5> ?\n" in out
    assert not any(words in out for words in PRIVATE)


def test_the_only_human_reads_his_own_reasons(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = played(capsys, monkeypatch, ["red=random"], "?")
    assert all(words in out for words in PRIVATE)


def test_the_only_human_does_not_read_the_others_reasons(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = played(capsys, monkeypatch, ["blue=random"], "pick:a", "?", "3 5")
    assert "\nBlue searches (22.31)\n" in out
    assert "3 5  Blue searches (22.31)\n    → 8\n" in out
    assert "3 + 5" not in out
    assert not any(words in out for words in PRIVATE)
