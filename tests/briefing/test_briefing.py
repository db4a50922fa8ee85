"""Briefings: each scenario has one, each side reads its own, and nobody learns a secret from it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import flagplot
from flagplot import library
from flagplot.briefing.briefing import brief
from flagplot.cli.keyboard.briefing import opening
from flagplot.kernel.briefings import MOODS
from flagplot.kernel.errors import ScenarioError
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.players import player
from flagplot.register.rule_lookup import is_known

SCENARIOS = flagplot.scenario_names()


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_has_a_whole_briefing(name: str) -> None:
    told = library.read_scenario(name)["briefing"]
    assert told["mood"] in MOODS
    assert 1 <= told["difficulty"] <= 3
    assert told["minutes"] >= 5
    assert 80 <= len(told["situation"]) <= 330
    assert all(len(order) <= 70 and order.endswith(".") for order in told["orders"].values())


def test_each_mood_has_battles() -> None:
    assert {library.read_scenario(name)["briefing"]["mood"] for name in SCENARIOS} == set(MOODS)


@pytest.mark.parametrize("game", ["awaw", "line-of-battle"])
def test_guides_name_rules_that_there_are(game: str) -> None:
    guides: dict[str, Any] = library.ruleset(game).guides  # type: ignore[attr-defined]
    for kind, guide in guides.items():
        for line in (*guide.wins, *guide.steps):
            assert not line.rule or is_known(line.rule), (kind, line)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_side_reads_its_own_order_and_sees_its_own_forces(name: str) -> None:
    game = flagplot.load(name, seed=1)
    orders = game.scenario["briefing"]["orders"]
    for side in game.sides:
        told = brief(game, side)
        assert told.order == orders[side]
        assert told.own is not None
        assert told.own.stacks
        assert told.guide is not None
        assert told.guide.wins
        assert told.guide.steps
    watching = brief(game, NEUTRAL)
    assert (watching.order, watching.tasks, watching.own) == ("", (), None)


@pytest.mark.parametrize("name", ["first-battle", "midway", "coral-sea-operation", "rabaul"])
def test_a_briefing_tells_nothing_that_its_side_may_not_know(name: str) -> None:
    game = flagplot.load(name, seed=1)
    for side in (*game.sides, NEUTRAL):
        before = brief(game, side)
        for seed in range(3):
            other = game.copy()
            other.state = game.ruleset.reshuffle(other.state, side, Random(seed))
            assert brief(other, side) == before, (name, side)


def test_at_the_keyboard_a_side_is_named_as_in_a_sentence() -> None:
    first = next(opening(brief(flagplot.load("first-battle", seed=1), "allies")))
    assert str(first.text).startswith("Orders for the United States: ")


def test_the_umpire_sees_both_sides() -> None:
    told = brief(flagplot.load("first-battle", seed=1), UMPIRE)
    assert all(camp.stacks for camp in told.camps)


def test_points_of_orders_are_told_to_their_side_alone() -> None:
    game = flagplot.load("coral-sea-operation", seed=1)
    assert [task.points for task in brief(game, "japan").tasks] == [2, 5, 1]
    assert brief(game, "allies").tasks == ()
    assert brief(game, "japan").points == {"Japan": 0, "Allies": 0}


@pytest.mark.parametrize(
    ("briefing", "place"),
    [
        ({"situation": "War.", "orders": {"japan": "Go."}}, "briefing.orders.allies"),
        ({"situation": "War.", "orders": {"japan": "Go.", "allies": "Go.", "italy": "Go."}}, "briefing.orders.italy"),
        ({"situation": "War.", "orders": {"japan": "Go.", "allies": 3}}, "briefing.orders.allies"),
        ({"orders": {"japan": "Go.", "allies": "Go."}}, "briefing.situation"),
        ({"situation": "War.", "orders": {"japan": "Go.", "allies": "Go."}, "mood": "sad"}, "briefing.mood"),
        ({"situation": "War.", "orders": {"japan": "Go.", "allies": "Go."}, "difficulty": 9}, "briefing.difficulty"),
    ],
)
def test_faults_of_a_briefing_are_named(briefing: dict[str, Any], place: str) -> None:
    for name in ("midway", "savo-island"):
        data = library.read_scenario(name) | {"briefing": briefing}
        with pytest.raises(ScenarioError) as refused:
            library.load(data, seed=1)
        assert place in [fault.place for fault in refused.value.faults]


def test_a_scenario_without_a_briefing_is_told_by_its_history() -> None:
    data = library.read_scenario("midway")
    del data["briefing"]
    told = brief(library.load(data, seed=1), "japan")
    assert told.order == ""
    assert told.situation.startswith("Admiral Yamamoto")


def test_points_that_change_are_announced_to_both_sides() -> None:
    game = flagplot.load("coral-sea-operation", seed=3)
    game.play({side: player("doctrine", 0) for side in game.sides})
    points = game.result["points"] if game.result else {}
    told = f"Points: Japan {points['japan']} and Allies {points['allies']}"
    for side in game.sides:
        assert [entry.text for entry in game.log(side) if entry.text.startswith("Points: ")][-1] == told
