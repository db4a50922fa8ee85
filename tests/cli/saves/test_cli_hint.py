"""`hint` at a prompt and of a save, `--staff`, and what an opponent that looked ahead tells when the battle is over."""

from __future__ import annotations

import pytest

from flagplot.players import ranks
from flagplot.players.search.budget import Budget
from tests.cli.conftest import Run

RAID = ("ceylon-raid", "--seed", "3")


@pytest.fixture(autouse=True)
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few playouts do to see the words."""
    monkeypatch.setattr(ranks, "BUDGETS", dict.fromkeys(ranks.BUDGETS, Budget(4, 60.0, 2, 0)))


def test_a_hint_at_a_prompt_answers_nothing(run: Run) -> None:
    human = ("--player", "japan=human", "--player", "britain=captain")
    for level in ("step", "flag"):
        ran = run("play", *RAID, *human, "--level", level, typed="hint\nhelp\n")
        assert "Own loss" in ran.out
        assert "Score: -100 all lost" in ran.out
        assert "hint       what your staff would do, and why" in ran.out
        assert "Nothing to save: no answers yet." in ran.out


def test_an_opponent_that_looked_ahead_tells_why_afterwards(run: Run) -> None:
    ran = run("play", *RAID, "--player", "japan=commodore", "--player", "britain=captain", "--save", "game.jsonl")
    assert ran.code == 0
    assert "What Japan thought:" in ran.out
    listed = run("hint", "game.jsonl", "--as", "japan")
    assert "   1  Choose a target for Akagi: " in listed.out
    one = run("hint", "game.jsonl", "--as", "japan", "--at", "1")
    assert "› " in one.out
    told = run("hint", "game.jsonl", "--as", "japan", "--at", "1", "--json").json["hint"]
    assert told["options"][0]["playouts"] > 0
    assert told["sentence"] in " ".join(one.out.split())


def test_a_staff_that_looks_ahead_fills_in_plans(run: Run) -> None:
    human = ("--player", "japan=human", "--player", "britain=captain")
    ran = run("play", *RAID, *human, "--level", "everything", "--staff", "commodore", typed="\nquit\n-\n")
    assert ran.code == 0
    assert "Choose a target for Akagi" in ran.out


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["play", *RAID, "--staff", "cook"], "ensign, captain, commodore, admiral or fleet"),
        (["hint", "game.jsonl", "--as", "japan", "--rank", "captain"], "commodore, admiral or fleet"),
        (["hint", "game.jsonl", "--as", "france"], "japan or britain"),
        (["hint", "game.jsonl", "--as", "japan", "--at", "x"], "1"),
    ],
)
def test_wrong_words_get_a_clear_refusal(run: Run, arguments: list[str], allowed: str) -> None:
    assert (
        run("play", *RAID, "--player", "japan=captain", "--player", "britain=captain", "--save", "game.jsonl").code == 0
    )
    ran = run(*arguments)
    assert ran.code == 2
    assert allowed in ran.err
