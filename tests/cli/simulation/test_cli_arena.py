"""`flagplot arena`: what it prints and writes, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
SOME = ("arena", "doctrine", "random:stay", "--scenario", "savo-island", "--games", "4", "--seed", "3")


def test_it_tells_who_is_better_and_writes_files(run: Run, tmp_path: Path) -> None:
    games, table, plot = tmp_path / "games.jsonl", tmp_path / "table.csv", tmp_path / "plot.svg"
    ran = run(*SOME, "--jobs", "2", "--results", str(games), "--csv", str(table), "--plot", str(plot))
    assert ran.code == 0
    assert ran.out.startswith("Arena: doctrine, random:stay\n4 games, 4 of each pair in each scenario, from seed 3.\n")
    assert "== Standing ==" in ran.out
    assert "== doctrine against random:stay ==" in ran.out
    assert len(games.read_text().splitlines()) == 4
    assert table.read_text().count("\n") == 2
    assert "<svg" in plot.read_text()
    again = run(*SOME[:-2], "--jobs", "1", "--results", str(games), "--json")
    assert len(games.read_text().splitlines()) == 4
    assert again.json == run(*SOME, "--jobs", "1", "--json").json


def test_with_bids_it_says_what_they_are_and_what_shares_count(run: Run) -> None:
    ran = run(*SOME, "--jobs", "1", "--bids")
    assert ran.code == 0
    assert " Bids: savo-island 1 unit for the Allies." in ran.out
    assert "greater after the bid" in ran.out
    assert "Bids:" not in run(*SOME, "--jobs", "1").out


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (("arena", "doctrine", "nelson", *SOME[3:]), "no such computer player"),
        (("arena", "doctrine", "random"), "needs a scenario"),
        ((*SOME[:4], "no-such", *SOME[5:]), "no such scenario or file"),
        ((*SOME[:6], "5"), "games are even"),
        ((*SOME[:6], "many"), "--games is not a number"),
        ((*SOME, "--csv", "table.txt"), "a file.csv"),
        ((*SOME, "--csv", "no/table.csv"), "cannot be written"),
        ((*SOME, "--results", "no/games.jsonl"), "cannot be written"),
        ((*SOME, "--plot", "plot.gif"), "no known kind"),
    ],
)
def test_what_is_wrong_is_said(run: Run, changed: tuple[str, ...], words: str) -> None:
    ran = run(*changed)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
