"""Generated scenarios: one name is one scenario, every one of them is legal and can be played, and they are varied."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

import flagplot
from bench import fuzz
from flagplot.awaw.options import Options
from flagplot.generating import KINDS, generate
from flagplot.kernel.errors import UnknownName
from flagplot.kernel.options import describe
from flagplot.library import read_scenario
from flagplot.players.random import RandomPlayer
from flagplot.testing import conform


@pytest.mark.parametrize("kind", KINDS)
def test_each_scenario_loads_and_comes_to_its_end(kind: str) -> None:
    for seed in range(12):
        game = flagplot.load(f"generated:{kind}:{seed}", seed=seed)
        game.play({side: RandomPlayer(seed) for side in game.sides}, until=5000)
        assert game.pending is None


@pytest.mark.parametrize("kind", KINDS)
def test_generated_scenarios_conform(kind: str) -> None:
    for seed in range(2):
        assert conform(f"generated:{kind}:{seed}", seeds=[seed], deep=False, every=60).games == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_is_always_the_same_scenario_and_another_number_another(kind: str) -> None:
    made = generate(kind, 3)
    assert made == generate(kind, 3) == read_scenario(f"generated:{kind}:3")
    assert made["title"] == f"generated:{kind}:3"
    assert made != {**generate(kind, 4), "title": made["title"]}
    assert json.loads(json.dumps(made)) == made


@pytest.mark.parametrize("name", ["generated:", "generated:jutland:3", "generated:operation", "generated:operation:x"])
def test_a_name_needs_a_kind_and_a_number(name: str) -> None:
    with pytest.raises(UnknownName, match="generated:operation:17"):
        flagplot.load(name)


def words(data: Any) -> Counter[str]:
    """The scenarios in which each key, and each short word, stands."""
    found: set[str] = set()

    def read(part: Any) -> None:
        if isinstance(part, dict):
            found.update(key for key, value in part.items() if value not in (0, False, [], {}, ""))
            for value in part.values():
                read(value)
        elif isinstance(part, list):
            for value in part:
                read(value)
        elif isinstance(part, str):
            found.add(part)

    read(data)
    return Counter(found)


VARIETY = {
    "naval-battle": "army naval elite-naval jet transport hits damaged_cruisers laden_destroyers cves submarines "
    "advanced kamikazes withholds asw destroyers_elsewhere loads divisible arrives japan italy britain russia",
    "raider-battle": "raiders transports hits pacific europe",
    "air-phase": "carriers task_force jet inverted movement combat elite",
    "base-attack": "patrol fast-carrier-mission fortified flak hits",
    "operation": "seaborne-invasion sea-transport sea-escort sea-supply base-change redeployment displacement raid "
    "asw-deployment shore-bombardment patrol supply_lines flotillas straits boxes cooperation zones stage kamikazes "
    "destroyers_elsewhere",
    "air-turn": "airborne armor partisan aboard raid flotillas kamikazes bomber pacific-bomber interceptor force_pool "
    "seaborne-invasion sea-transport supply_lines exploitation construction",
    "line-of-battle": "base-attack battle lbas damaged reduced bonus air_base air_base_distance",
}


@pytest.mark.parametrize("kind", VARIETY)
def test_scenarios_are_varied(kind: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(150):
        seen += words(generate(kind, seed))
    assert [word for word in VARIETY[kind].split() if not seen[word]] == []


def test_every_reading_is_played_sometimes() -> None:
    seen = {(name, value) for seed in range(150) for name, value in generate("operation", seed)["options"].items()}
    missed = [
        (reading.name, other)
        for reading in describe(Options)
        for other in reading.alternatives[1:]
        if (reading.name, other) not in seen
    ]
    assert missed == []


def test_the_fuzzer_plays_them_and_a_fault_names_the_scenario(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fuzz.main(["--requests", "100", "--seed", "5", "--jobs", "1", "--generated", "--lightly"]) == 0
    assert "over generated:naval-battle, generated:raider-battle" in capsys.readouterr().out
    monkeypatch.setattr(fuzz, "LONGEST", 1)
    assert fuzz.main(["--requests", "100", "--seed", "5", "--jobs", "1", "--lightly", "generated:operation"]) == 1
    assert "play_lightly('generated:operation:" in capsys.readouterr().out
