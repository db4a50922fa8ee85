"""Scenarios by name, from files and as data; players by name; what cannot be found or read is said in words."""

from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

import flagplot
from flagplot import library
from flagplot.kernel.dice import Committed, Seeded, Typed
from flagplot.kernel.errors import FlagplotError, ScenarioError, UnknownName
from flagplot.players import player
from tests.kernel.toys import SCENARIOS, lively, players, snapshot


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_is_loaded_by_name_from_toml_and_from_json(tmp_path: Path, scenario: str) -> None:
    data = flagplot.read_scenario(scenario)
    written = tmp_path / "copy.json"
    written.write_text(json.dumps(data))
    by_name = snapshot(flagplot.load(scenario, seed=3))
    assert snapshot(flagplot.load(data, seed=3)) == by_name
    assert snapshot(flagplot.load(MappingProxyType(data), seed=3)) == by_name
    assert snapshot(flagplot.load(written, seed=3)) == by_name
    assert snapshot(flagplot.load(str(written), seed=3)) == by_name


def test_the_dice_of_a_new_game() -> None:
    assert isinstance(flagplot.load("malta").dice, Committed)
    assert isinstance(flagplot.load("malta", seed=0).dice, Seeded)
    assert isinstance(flagplot.load("malta", dice=Typed()).dice, Typed)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_same_seed_and_players_make_the_same_game(scenario: str) -> None:
    one, other = lively(scenario), lively(scenario)
    for game, who in (one, other):
        game.play(who)
    assert snapshot(one[0]) == snapshot(other[0])


FAULTS: dict[str, tuple[Any, type[FlagplotError], str]] = {
    "an unknown name": ("atlantis", UnknownName, "no such scenario or file: “atlantis”. Use "),
    "a missing file": ("atlantis.toml", UnknownName, "no such scenario file"),
    "no game": ({"title": "x"}, ScenarioError, "game: “None” is not a game; use awaw"),
    "another game": ({"game": "chess"}, ScenarioError, "“chess” is not a game"),
    "a game that is no name": ({"game": ["awaw"]}, ScenarioError, "is not a game"),
    "nothing but the game": ({"game": "awaw"}, ScenarioError, "title: this is missing"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_what_cannot_be_loaded_is_said_in_words(case: str) -> None:
    source, kind, words = FAULTS[case]
    with pytest.raises(kind) as refusal:
        flagplot.load(source)
    assert words in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("bad.toml", b"game = ", "this is not TOML"),
        ("bad.json", b"{", "this is not JSON"),
        ("list.json", b"[]", "it should be a table of keys and values"),
        ("binary.toml", b"\xff\xfe", "it cannot be read"),
        ("plain", b"game = 'awaw", "this is not TOML"),
        ("deep.json", b"[" * 100_000, "this is not JSON"),
        ("deep.toml", b"x = " + b"[" * 100_000, "this is not TOML"),
    ],
    ids=["bad TOML", "bad JSON", "a list", "binary", "no suffix", "deep JSON", "deep TOML"],
)
def test_a_file_that_cannot_be_read_is_said_in_words(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ScenarioError) as refusal:
        flagplot.load(tmp_path / name)
    assert words in str(refusal.value)


def test_a_folder_is_no_scenario(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="it cannot be read"):
        flagplot.load(tmp_path)


def test_unknown_games_and_players_are_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName) as refusal:
        library.ruleset("chess")
    assert "awaw" in refusal.value.allowed
    with pytest.raises(UnknownName) as refusal:
        player("kasparov", 1)
    assert set(refusal.value.allowed) >= {"human", "random"}


def test_a_random_player_is_the_same_every_time_and_others_for_other_seeds() -> None:
    def game(seed: int) -> dict[str, Any]:
        made = flagplot.load("midway", seed=1)
        made.play({side: player("random", seed) for side in made.sides})
        return snapshot(made)

    assert game(1) == game(1)
    assert game(1) != game(2)


def test_a_random_player_takes_every_option() -> None:
    opening = flagplot.load("midway", seed=1)
    assert isinstance(opening.pending, flagplot.Choose)
    taken = set()
    for seed in range(100):
        request = opening.pending
        taken.add(players(opening, seed)[request.side].choose(opening.view(request.side), request).text)
    assert taken == {option.text for option in opening.pending.options}
