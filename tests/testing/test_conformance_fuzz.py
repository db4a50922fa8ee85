"""The fuzzer: it says its seed, its figures and that nothing was found, or how to see again what was."""

from __future__ import annotations

import pickle

import pytest

from bench import fuzz
from flagplot.testing import ConformanceError, Setup
from tests.testing.conformance_broken import Crashes
from tests.testing.conformance_toys import SCENARIO, Toy


def broken(name: str) -> Setup:
    game: Toy = Crashes()
    return Setup(repr(name), game, SCENARIO, game.options, game.read(SCENARIO, game.options))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_figures_and_no_faults(jobs: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "BATCH", 1)  # else the processes play a hundred games more than are wanted
    assert fuzz.main(["--requests", "200", "--seed", "5", "--jobs", jobs, "malta", "rabaul"]) == 0
    first, figures, last = capsys.readouterr().out.splitlines()
    assert first == "seed 5: 200 requests over malta, rabaul"
    assert int(figures.split()[0].replace(",", "")) >= 200
    assert "moments looked at closely" in figures
    assert last.endswith("0 faults")


def test_the_same_seed_plays_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    figures = []
    for _ in range(2):
        assert fuzz.main(["--requests", "60", "--seed", "8", "--jobs", "1", "midway", "rabaul"]) == 0
        figures.append(capsys.readouterr().out.splitlines()[1])
    assert figures[0] == figures[1]


def test_a_fresh_seed_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--requests", "1", "--jobs", "1", "malta"]) == 0
    assert capsys.readouterr().out.startswith("seed ")


def test_a_fault_ends_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "set_up", broken)
    assert fuzz.main(["--requests", "100", "--seed", "5", "--jobs", "1", "stones"]) == 1
    out = capsys.readouterr().out
    assert out.endswith("1 fault, found with seed 5\n")
    assert "KeyError: 'blue'" in out
    assert "to see it again: flagplot.testing.conform('stones', seeds=[" in out


def test_a_fault_comes_whole_from_another_process() -> None:
    fault = ConformanceError("Stones", 3, 5, "nothing_goes_wrong", "KeyError", "conform('stones', seeds=[3])")
    assert str(pickle.loads(pickle.dumps(fault))) == str(fault)


def test_an_unknown_scenario_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err
