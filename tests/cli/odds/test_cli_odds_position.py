"""`flagplot odds position`, and `odds` at the prompt of a game."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import flagplot
from flagplot.cli.odds import position as odds_position
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.players.by_game import DoctrineByGame
from tests.cli.conftest import Run

PATIENT = ("--seconds", "60")
QUICK = ("--trials", "10", *PATIENT)


@pytest.fixture(scope="module")
def strike(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A save of Midway in which Japan decides whom to strike."""
    return _save(tmp_path_factory.mktemp("strike") / "strike.jsonl", "strike", 3)


@pytest.fixture(scope="module")
def engage(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A save of Midway in which the Allies decide how many squadrons engage a strike."""
    return _save(tmp_path_factory.mktemp("engage") / "engage.jsonl", "engage", 3)


def _save(path: Path, verb: str, least: int) -> str:
    game = flagplot.load("midway", seed=0)

    def asks(game: Game[Any]) -> bool:
        request = game.pending
        if not isinstance(request, Choose) or len(request) < least:
            return False
        return (request.verb if isinstance(request.verb, str) else request.verb[0]) == verb

    game.play({side: DoctrineByGame() for side in game.sides}, until=asks)
    game.save(path, follow=False)
    return str(path)


def test_a_save_option_by_option(run: Run, engage: str) -> None:
    ran = run("odds", "position", engage, "--as", "allies", *PATIENT)
    assert ran.code == 0
    assert "Engage the strike with how many of 2 American naval air squadrons?" in ran.out
    assert "Odds until the end of the air strike (23.76)." in ran.out
    assert "== None (engage:" in ran.out
    assert "or more" in ran.out
    assert "(19.31C)" in ran.out, "the ledgers have their rules"
    assert "Exact" in ran.out
    assert "Assumed: both sides decide everything else" in ran.out
    assert max(map(len, ran.out.splitlines())) < 120


def test_json_has_fractions(run: Run, engage: str) -> None:
    seen = run("odds", "position", engage, "--as", "allies", "--json", *PATIENT).json
    assert seen["side"] == "allies"
    assert [one["exact"] for one in seen["options"]] == [True, True, True]
    part = seen["options"][0]["parts"][0]
    assert {"title", "chances", "mean", "at_least"} <= set(part)


def test_what_is_sampled_is_marked_and_what_is_assumed_is_used(run: Run, strike: str) -> None:
    ran = run("odds", "position", strike, "--as", "japan", "--believe", "navies", *QUICK)
    assert "SAMPLED, not exact" in ran.out
    assert "Not known: the ships of CG 5" in ran.out
    assert "--assume cg5=" in ran.out
    assert "Believed: the enemy may have any ships of his navies" in ran.out
    assert "--believe forces or --believe ships" in ran.out
    assert "Otherwise, if the enemy has the forces that the scenario lists" in " ".join(ran.out.split())
    words = (
        "--believe",
        "navies",
        "--assume",
        "cg5=Enterprise, Hornet, 8 cruisers, 4 destroyers",
        "--assume",
        "cg5.patrol=2",
    )
    seen = run("odds", "position", strike, "--as", "japan", *QUICK, *words, "--json").json
    exact = {one["option"]: one["exact"] for one in seen["options"]}
    assert exact == {"strike:4": False, "strike:5": True, "strike:none": True}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--as", "germany"), "“germany”"),
        (("--as", "japan", "--assume", "cg9=Hornet"), "“cg9=Hornet”"),
        (("--as", "japan", "--assume", "cg5=Bismarck"), "Bismarck"),
        (("--as", "japan", "--believe", "everything"), "forces, ships or navies"),
        (("--as", "japan", "--trials", "none"), "“none”"),
        (("--as", "japan", "--seconds", "-3"), "“-3”"),
        (("--as", "japan", "--option", "classic=true"), "a save keeps its house rules: they cannot be changed"),
    ],
)
def test_bad_input_is_refused(run: Run, strike: str, words: tuple[str, ...], told: str) -> None:
    ran = run("odds", "position", strike, *words)
    assert ran.code == 2
    assert told in ran.err


def test_no_such_file(run: Run) -> None:
    ran = run("odds", "position", "nowhere", "--as", "japan")
    assert ran.code == 2
    assert "“nowhere”" in ran.err


def test_a_scenario_and_its_options(run: Run) -> None:
    ran = run("odds", "position", "malta", "--as", "axis", "--states", "2000", "--option", "inverted_air=nonsense")
    assert ran.code == 2
    assert "nonsense" in ran.err
    ran = run("odds", "position", "midway", "--as", "japan", "--trials", "2")
    assert ran.code == 0
    assert "Odds until the end of the battle (22.72)." in ran.out
    assert "Believed: the enemy has the forces that the scenario lists" in ran.out
    assert "simulate" not in ran.out


def test_whose_turn_it_is(run: Run, strike: str) -> None:
    ran = run("odds", "position", strike, "--as", "allies")
    assert ran.code == 0
    assert ran.out == "japan decides now, not allies.\n"
    assert run("odds", "position", strike, "--as", "allies", "--json").json["why_not"]


def test_a_plot(run: Run, engage: str, tmp_path: Path) -> None:
    file = tmp_path / "odds.svg"
    assert run("odds", "position", engage, "--as", "allies", "--plot", str(file)).code == 0
    assert "<svg" in file.read_text()
    ran = run("odds", "position", engage, "--as", "japan", "--plot", str(tmp_path / "other.svg"))
    assert ran.code == 2
    assert "nothing to draw" in ran.err


# --- at a prompt ----------------------------------------------------------------------------------------------------


def test_odds_at_a_prompt(run: Run, engage: str, tmp_path: Path) -> None:
    save = tmp_path / "mine.jsonl"
    save.write_text(Path(engage).read_text())
    keys = "odds\nodds 2\nodds zz\nodds 99\nhelp\nquit\n"
    ran = run("resume", str(save), "--player", "allies=human", "--player", "japan=doctrine", typed=keys)
    assert "Odds until the end of the air strike (23.76)." in ran.out
    assert "  0  None: United States: factors sunk" in ran.out
    assert "  2  United States: factors sunk" in ran.out
    assert "“odds 2” shows everything about answer 2." in ran.out
    assert "100.00% or more" in ran.out
    assert "“zz” is not an answer here. Type odds and 0 to 2." in ran.out
    assert "“99” is not an answer here. Type odds and 0 to 2." in ran.out
    assert "odds       the odds of each answer; odds 2 shows everything about answer 2" in ran.out
    assert len(save.read_text().splitlines()) == len(Path(engage).read_text().splitlines()), "nothing was answered"


def test_odds_at_a_prompt_where_the_rest_of_the_battle_decides(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds_position, "PROMPT_SECONDS", 0.01)
    keys = "odds\nodds\n"
    ran = run("play", "midway", "--player", "japan=human", "--player", "allies=random", "--seed", "1", typed=keys)
    assert ran.out.count("Odds until the end of the battle (22.72).") == 2
    assert "Type odds again for a better estimate." in ran.out


def test_whoever_asks_again_waits_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    monkeypatch.setattr(
        sys.modules["flagplot.odds.position"], "position", lambda *_, limits, trials: given.append(limits.seconds)
    )
    for asked in (0, 1, 2, 9):
        odds_position.at_prompt(None, "japan", asked)  # type: ignore[arg-type]
    assert given == [1.5, 3.0, 6.0, 24.0]


def test_asking_does_not_change_the_game(engage: str) -> None:
    game = flagplot.resume(engage, follow=False)
    before = json.dumps(game.view("umpire").as_dict()), game.moment
    game.odds("allies", trials=2)
    assert (json.dumps(game.view("umpire").as_dict()), game.moment) == before
