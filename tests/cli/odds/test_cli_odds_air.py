"""`flagplot odds` and its questions of the air at the command line."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.cli.test_cli_imports import imported_by

STRIKE = ["strike", "--attackers", "4 japan elite", "--target", "Enterprise, Wasp, 6 cruisers, 4 destroyers"]
DUEL = ["air-combat", "--attackers", "6 japan elite", "--defenders", "4 united-states naval, 3 united-states army"]
BASE = ["base-attack", "--attackers", "6 germany army", "--defenders", "4 britain army"]
SEARCH = ["search", "--groups", "1,3,5"]


@pytest.mark.parametrize(
    ("arguments", "titles"),
    [
        ([*STRIKE, "--cap", "2"], ["Enterprise, 3 factors: hits", "Squadrons of the attackers lost"]),
        ([*STRIKE, "--aim", "wasp 2, light-ships 2", "--hits", "wasp 1"], ["Light ships sunk, in factors"]),
        ([*STRIKE, "--cover", "2 american army", "--engage", "1", "--surprise", "2"], ["Fast carriers sunk"]),
        ([*STRIKE, "--research", "defenders:air_defense=1", "--option", "critical_hits=never"], ["Cruisers damaged"]),
        (DUEL, ["Attackers eliminated, in squadrons", "Defenders aborted, in squadrons"]),
        ([*BASE, "--rounds", "2"], ["Attackers lost, in factors", "Defenders left and ready, in factors"]),
        ([*SEARCH, "--dice", "3"], ["Results against CG 3", "Combat groups found", "Anything found"]),
        (
            [*SEARCH, "--squadrons", "2", "--codebreaking", "-1", "--enemy-dice", "1", "--own-groups", "2"],
            ["Surprise (22.462D)"],
        ),
    ],
)
def test_an_answer_for_people_and_for_programs(run: Run, arguments: list[str], titles: list[str]) -> None:
    ran = run("odds", *arguments)
    assert ran.code == 0, ran.err
    assert not ran.err
    for title in titles:
        assert f"\n{title}" in ran.out
    assert "Exact" in ran.out.splitlines()[-1]
    document: dict[str, Any] = run("odds", *arguments, "--json").json
    told = {part["title"]: part["chances"] for part in document["parts"]}
    assert set(titles) <= set(told)
    for chances in told.values():
        assert sum(Fraction(chance["fraction"]) for chance in chances.values()) == 1
    assert document["exact"] is True


def test_a_strike_shows_what_was_decided_and_why_numbers_are_what_they_are(run: Run) -> None:
    out = run("odds", *STRIKE, "--cap", "2", "--engage", "1", "--option", "critical_hits=never").out
    assert "Assumed: United States engages with 1 of the 2 over the target" in out
    assert "-1  defenders fly only combat air patrol (19.31C)" in out
    assert "+1  naval air attacking ships at sea (17.354)" in out
    assert "Option critical_hits = never" in out
    assert " sunk " in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([*STRIKE[:2], "-4 japan elite", *STRIKE[3:]], ["“-4 japan elite”"]),
        ([*STRIKE[:2], "12 japan naval", *STRIKE[3:]], ["“12 japan naval”", "(rule 23.73)"]),
        ([*STRIKE, "--cap", "3"], ["“3”", "(rule 23.33)"]),
        ([*STRIKE, "--cap", "-1"], ["“-1”"]),
        ([*STRIKE, "--cap", "many"], ["“many”"]),
        ([*STRIKE[:-1], "Entreprise"], ["“Entreprise”", "Enterprise"]),
        ([*STRIKE, "--hits", "wasp 3"], ["“wasp 3”", "Wasp is sunk already"]),
        ([*STRIKE, "--option", "luck=good"], ["luck", "critical_hits"]),
        ([*SEARCH, "--dice", "99"], ["“99”"]),
        ([*DUEL, "--kind", "dogfight"], ["“dogfight”", "at-sea"]),
        ([*BASE, "--rounds", "0"], ["“0”"]),
    ],
)
def test_bad_input_is_quoted_and_ends_with_two(run: Run, arguments: list[str], words: list[str]) -> None:
    ran = run("odds", *arguments)
    assert ran.code == 2
    assert not ran.out
    assert ran.err.startswith("flagplot: ")
    for word in words:
        assert word in ran.err
    assert run("odds", *arguments, "--json").err.startswith('{"error": "')


@pytest.mark.parametrize("arguments", [["odds", "strike"], ["odds", "poker"], ["odds", *STRIKE, "--luck"]])
def test_wrong_usage_of_odds(run: Run, arguments: list[str]) -> None:
    ran = run(*arguments)
    assert ran.code == 2
    assert "Usage: flagplot odds" in ran.err


@pytest.mark.parametrize("command", ["odds --help", "odds strike --help"])
def test_help_of_odds_imports_no_game(command: str) -> None:
    modules = imported_by("-m", "flagplot", *command.split())
    assert not {name for name in modules if name.startswith(("flagplot.awaw", "flagplot.players"))}
