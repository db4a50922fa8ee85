"""Whole battles over all dice: small ones are exact, and sampled ones agree with them."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import flagplot
from flagplot.cli import main
from flagplot.simulation import simulate
from flagplot.simulation.battles import Plan
from flagplot.simulation.exact import exact
from flagplot.simulation.simulation import prepared

SMALL = "denmark-strait"


def test_a_small_battle_is_exact_and_sampled_ones_agree() -> None:
    found = simulate(SMALL, 200, seed=3)
    assert found.exact is not None
    assert found.exact.ends.total == 1
    assert sum((found.exact.won(side) for side in (*found.sides, None)), Fraction()) == 1
    for (figure, side), mean in found.exact.figures.items():
        sampled = found.figures(side)[figure]
        assert abs(sampled.mean - float(mean)) <= 4 * sampled.error + 1e-9
    first, second = found.sides
    more = float(found.exact.figures["factors_sunk", first] - found.exact.figures["factors_sunk", second])
    adjusted = found.without_luck["factors_sunk more"]
    assert abs(adjusted.mean - more) <= 4 * adjusted.error
    assert adjusted.ratio > 2


def test_it_is_exact_only_where_all_is_known() -> None:
    assert prepared("midway", 1, {}, 0).exact is None, "too large for a moment"
    assert prepared(SMALL, 1, {"germany": "random"}, 0).exact is None, "nobody knows what he answers"
    game = flagplot.load(SMALL, seed=1)
    plan = Plan(dict(game.scenario), dict.fromkeys(game.sides, "doctrine"), 1)
    assert exact(plan, game) is not None
    assert game.pending is not None
    game.choose(game.pending.options[0])  # type: ignore[union-attr]
    if game.since_border:
        assert exact(plan, game) is None


def test_the_command_tells_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", SMALL, "--battles", "2", "--seed", "1", "--jobs", "1"]) == 0
    assert "All dice were followed" in capsys.readouterr().out
    assert main(["simulate", SMALL, "--battles", "2", "--seed", "1", "--jobs", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["exact"]
    assert sum(one["number"] for one in told["winners"].values()) == pytest.approx(1)
    assert 0.9 < told["winners"]["nobody"]["number"] < 1, "Bismarck and Hood seldom decide it"
    assert "/" in told["figures"]["britain"]["factors_sunk"]["fraction"]
