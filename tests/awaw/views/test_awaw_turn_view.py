"""What a side may know of an air turn beyond the map of an operation."""

from __future__ import annotations

import pytest

import flagplot
from flagplot.awaw.state.state import State
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from tests.awaw.looks import look


def opening() -> State:
    state: State = copy_of(flagplot.load("kamikaze-turn", seed=1).state)
    assert state.turn_if_any is not None
    return state


@pytest.mark.rule("22.15A")
def test_who_has_embarked_is_told_with_the_activity() -> None:
    state = opening()
    seen = {side: look(state, side)["units"]["tenth-army"]["aboard"] for side in ("allies", "japan", NEUTRAL, UMPIRE)}
    assert seen == {"allies": "iceberg", "japan": "", NEUTRAL: "", UMPIRE: "iceberg"}
    state.operation.fleet["iceberg"].voyage = "v1"
    assert look(state, "japan")["units"]["tenth-army"]["aboard"] == state.operation.fleet["iceberg"].marker


def test_the_phase_is_shown_with_the_line_of_them_all() -> None:
    state = opening()
    state.turn.step = ""
    step = look(state, "japan")["step"]
    assert (step["title"], step["mark"]) == ("Player turn of Japan", "opening")
    assert list(step["line"]) == ["opening", "movement", "combat", "construction", "redeployment", "end"]
    state.turn.step = "combat"
    assert look(state, "japan")["step"]["mark"] == "combat"


def test_every_look_of_the_scenarios_is_the_same_but_for_secrets() -> None:
    """Ground units, BRPs and force pools lie open."""
    state = opening()
    ours, theirs = look(state, "japan"), look(state, "allies")
    for key in ("brps", "force_pool", "kamikaze_pool", "airbases", "room", "flights", "attacks"):
        assert ours[key] == theirs[key], key
    assert ours["brps"]
