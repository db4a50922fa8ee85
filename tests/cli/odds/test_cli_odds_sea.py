"""`flagplot odds fire`, `engagement`, `submarine` and `interception`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

Run = Callable[..., Any]

FIRE = ("odds", "fire", "--ships", "Bismarck", "--target", "Hood")
COMBAT = ("odds", "engagement", "--ours", "Kongo, 6 destroyers", "--theirs", "Iowa, 6 cruisers")
SUBMARINE = ("odds", "submarine", "--submarines", "2", "--nation", "germany", "--target", "Hood, 6 cruisers")
INTERCEPTION = ("odds", "interception", "--distance", "12", "--theatre", "europe", "--cargo", "--task-forces", "2")


def chances(document: Any, title: str) -> dict[str, Fraction]:
    found = next(one for one in document["parts"] if one["title"] == title)
    return {outcome: Fraction(chance["fraction"]) for outcome, chance in found["chances"].items()}


@pytest.mark.parametrize("command", [FIRE, COMBAT, SUBMARINE, INTERCEPTION])
def test_answers_for_people_and_programs(run: Run, command: tuple[str, ...]) -> None:
    told = run(*command)
    assert told.code == 0
    assert not told.err
    assert "Exact" in told.out.splitlines()[-1]
    found = run(*command, "--json").json
    assert found["exact"] is True
    assert found["ledgers"]
    for one in found["parts"]:
        assert sum(chances(found, one["title"]).values()) == 1


def test_fire_with_everything(run: Run) -> None:
    ran = run(
        *("odds", "fire", "--factors", "12", "--nation", "germany", "--target", "6 cruisers, 4 destroyers"),
        *("--target-nation", "britain", "--hampered", "them", "--codebreaking", "us"),
        *("--option", "damaged_cruiser_first=false"),
    )
    assert ran.code == 0
    assert "+2  total" in ran.out
    assert "Option damaged_cruiser_first = False" in ran.out
    assert "British cruisers damaged" in ran.out


def test_fire_counts_earlier_hits(run: Run) -> None:
    fresh, hurt = run(*FIRE, "--json").json, run(*FIRE, "--hits", "hood 2", "--json").json
    assert chances(hurt, "Hood")["sunk"] > chances(fresh, "Hood").get("sunk", 0)


def test_engagement_with_everything(run: Run) -> None:
    ran = run(
        *COMBAT,
        *("--screen", "2 japan destroyers", "--their-screen", "none", "--our-activity", "sea-transport"),
        *("--their-activity", "patrol", "--hits", "kongo 1", "--their-hits", "iowa 1", "--surplus", "join"),
        *("--codebreaking", "them", "--seconds", "9", "--states", "5000"),
    )
    assert ran.code == 0, ran.err
    assert (
        "the doctrine player decides for us, but screens 2 Japanese destroyer factors on cargo duty; surplus" in ran.out
    )
    assert "hampered by its activity" in ran.out
    assert "Who loses more factors" in ran.out


def test_submarine_with_everything(run: Run) -> None:
    ran = run(
        *("odds", "submarine", "--submarines", "1", "--nation", "germany", "--target", "6 cruisers, 9 destroyers"),
        *("--target-nation", "britain", "--searchers", "us=3,them=6", "--torpedo", "1", "--asw", "4"),
        *("--excess-asw", "3", "--earlier", "1", "--hampered", "--codebreaking", "us", "--tactical", "them"),
        *("--idle-carriers", "--option", "damaged_cruiser_first=true"),
    )
    assert ran.code == 0, ran.err
    for words in ("research counts 2 at most", "destroyers count 2 at most", "earlier submarine attacks", "22.9418"):
        assert words in ran.out
    advanced = run(*SUBMARINE, "--advanced")
    assert "advanced submarines" in advanced.out


def test_interception_with_everything(run: Run) -> None:
    ran = run(
        *INTERCEPTION,
        *("--bombardment", "--carrier-mission", "--patrol-staying", "--counter-in-hex", "--light-only"),
        *("--ground-defenders", "3", "--spotters", "1", "--submarines", "1", "--cards", "1", "--slow"),
        *("--attempts", "2"),
    )
    assert ran.code == 0, ran.err
    assert "with 13 dice" in ran.out
    assert "+13  total" in ran.out
    far = run("odds", "interception", "--distance", "41", "--theatre", "europe", "--task-forces", "3")
    assert far.code == 0
    assert "not at all  100.00%" in far.out
    below = run("odds", "interception", "--distance", "4", "--theatre", "pacific", "--submarine-force")
    assert "22.24C" in below.out


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("odds", "fire", "--ships", "Bismark", "--target", "Hood"), "“Bismark”"),
        ((*FIRE, "--hits", "hood 4"), "“hood 4”"),
        ((*FIRE, "--codebreaking", "nobody"), "“nobody”"),
        (("odds", "fire", "--factors", "-4", "--nation", "germany", "--target", "Hood"), "“-4”"),
        (("odds", "fire", "--factors", "4", "--target", "Hood"), "--nation"),
        ((*COMBAT, "--surplus", "flee"), "“flee”"),
        ((*COMBAT, "--our-activity", "fishing"), "“fishing”"),
        ((*COMBAT, "--hits", "kongo -1"), "“kongo -1”"),
        ((*SUBMARINE, "--searchers", "many"), "“many”"),
        ((*SUBMARINE, "--torpedo", "-1"), "“-1”"),
        ((*SUBMARINE, "--hits", "hood 9"), "“hood 9”"),
        ((*INTERCEPTION, "--spotters", "-1"), "“-1”"),
        (("odds", "interception", "--distance", "-3", "--theatre", "europe"), "“-3”"),
        (("odds", "interception", "--distance", "3", "--theatre", "mars"), "“mars”"),
    ],
)
def test_bad_input_ends_with_2_and_is_quoted(run: Run, command: tuple[str, ...], told: str) -> None:
    ran = run(*command)
    assert ran.code == 2
    assert not ran.out
    assert told in ran.err
    assert "Traceback" not in ran.err
