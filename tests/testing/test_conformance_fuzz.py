"""The fuzzer: it says its seed, its figures and that nothing was found, or how to see again what was."""

from __future__ import annotations

import pytest

from bench import fuzz
from flagplot.testing import Setup
from tests.testing.conformance_broken import Crashes
from tests.testing.conformance_toys import SCENARIO, Toy


def broken(name: str) -> Setup:
    game: Toy = Crashes()
    return Setup(repr(name), game, SCENARIO, game.options, game.read(SCENARIO, game.options))


def test_figures_and_no_faults(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--requests", "200", "--seed", "5", "malta", "rabaul"]) == 0
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first == "seed 5: 200 requests over malta, rabaul"
    assert last.endswith("0 faults")


def test_a_fresh_seed_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--requests", "1", "malta"]) == 0
    assert capsys.readouterr().out.startswith("seed ")


def test_a_fault_ends_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "set_up", broken)
    assert fuzz.main(["--requests", "100", "stones"]) == 1
    out = capsys.readouterr().out
    assert "KeyError: 'blue'" in out
    assert "to see it again: flagplot.testing.conform('stones', seeds=[" in out


def test_an_unknown_scenario_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["nowhere"]) == 2
    assert "nowhere" in capsys.readouterr().err
