"""The record of an operation: what was fought where and what it cost, points, cargo, and the step that is played."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import flagplot
from flagplot.awaw.board.boards import board_of
from flagplot.awaw.operations.records.outcome import operation_result
from flagplot.awaw.operations.records.record import begin_base_attack, begin_fight, end_fight
from flagplot.awaw.operations.steps import LINE, present_step
from flagplot.awaw.ships import factors
from flagplot.awaw.state.state import State
from flagplot.awaw.toll import toll
from flagplot.awaw.views.position import Position
from flagplot.board.model import SeaMap
from flagplot.kernel.game import Game
from flagplot.players.random import RandomPlayer
from tests.awaw.seas import flotilla, force, port, sail, sea

SCENARIOS = (
    "arctic-convoy",
    "coral-sea-operation",
    "malta-landing",
    "norwegian-sortie",
    "pearl-harbor",
    "rendezvous",
)
TRUK, NOUMEA = port("truk", "red", (0, 0), "2 japan army"), port("noumea", "blue", (9, 0))
KIDO = force("kido", "red", "truk", "Akagi", cruisers=8)
TF = force("tf", "blue", "noumea", "Hornet", cruisers=8)


def over(scenario: str, seed: int) -> Game[Any]:
    game = flagplot.load(scenario, seed=seed)
    game.play({side: RandomPlayer(seed + place) for place, side in enumerate(game.sides)})
    return game


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_loss_belongs_to_a_fight(scenario: str) -> None:
    for seed in range(4):
        state: State = over(scenario, seed).state
        assert state.operation.open_fights == []
        assert together(state, "air") == {key: number for key, number in state.losses.air.items() if number}
        for which, number in together(state, "sunk").items():
            assert number <= state.losses.ships[which]  # a port that holds too many may cost ships as well (22.63D)


def together(state: State, part: str) -> dict[Any, int]:
    """What all fights have cost."""
    costs: Counter[Any] = Counter()
    for fight in state.operation.fights:
        costs.update(getattr(fight, part))
    return dict(costs)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_points_are_for_activities_and_for_factors_sunk(scenario: str) -> None:
    game = over(scenario, 1)
    result, state = game.result, game.state
    assert result is not None
    for side in game.sides:
        nations = state.setting.nations[state.other(side)]
        sunk = factors({which: number for which, number in state.losses.ships.items() if which.nation in nations})
        assert result["points_for_ships_sunk"][side] == sunk
        assert result["points"][side] == result["points_for_activities"][side] + sunk
    best = max(result["points"].values())
    leaders = [side for side, points in result["points"].items() if points == best]
    assert result["winner"] == (leaders[0] if len(leaders) == 1 else None)


def test_a_fight_within_an_attack_on_a_base_is_not_counted_twice() -> None:
    state = sea(TRUK, NOUMEA, KIDO, TF)
    begin_base_attack(state, "red", "noumea", "kido")
    state.losses.air["japan/naval/squadrons"] = 2
    begin_fight(state, (4, 0))
    state.losses.air["united-states/naval/squadrons"] = 3
    end_fight(state)
    state.losses.air["japan/naval/squadrons"] = 5
    end_fight(state)
    inner, outer = state.operation.fights
    assert inner.air == {"united-states/naval/squadrons": 3}
    assert outer.air == {"japan/naval/squadrons": 5}
    assert outer.sides == {"red": "TF 1 (Red)", "blue": "Noumea"}


def test_the_result_hides_ships_that_the_enemy_has_not_seen() -> None:
    state = sea(TRUK, NOUMEA, KIDO, TF, force("small", "blue", "noumea", cruisers=4))
    state.operation.fleet["tf"].seen = True
    home = {entry["force"]: entry["ships"] for entry in operation_result(state)["home"]}
    assert home["kido"] is None
    assert home["tf"][0]["text"] == "Hornet"
    assert home["small"][0]["text"] == "2 American cruisers"


def test_cargo_that_arrives_is_counted() -> None:
    landed = []
    for seed in range(12, 28):
        result = over("coral-sea-operation", seed).result
        assert result is not None
        parts = result["cargo_landed"]["japan"]
        assert result["cargo_factors_landed"]["japan"] == sum(parts.values())
        landed += list(parts)
    assert {"the naval infantry", "an infantry brigade"} >= set(landed)
    assert landed


def test_the_toll_counts_ships_on_the_map_and_submarines() -> None:
    state = sea(TRUK, NOUMEA, KIDO, TF, flotilla("boats", "red", "truk", 2))
    state.operation.flotillas["boats"].lost = 1
    hornet = next(iter(state.operation.fleet["tf"].group.ships))
    state.operation.fleet["tf"].group.ships = {hornet.bearing(2): 1}
    found = toll(state)
    assert found["red"].lost == {"submarine factors": 1}
    assert found["red"].named == {"Akagi": ""}
    assert found["blue"].named == {"Hornet": "damaged"}


# --- steps ------------------------------------------------------------------------------------------------------


def test_each_step_of_a_stage_is_told_in_its_order() -> None:
    game = flagplot.load("coral-sea-operation", seed=2)
    players = {side: RandomPlayer(place) for place, side in enumerate(game.sides)}
    seen: dict[str, list[str]] = {}
    while game.pending is not None:
        step = present_step(game.state)
        assert step is not None
        assert game.view("japan").position.step == game.view("allies").position.step == step
        seen.setdefault(step.stage, []).append(step.mark)
        game.play(players, until=game.turn + 1)
    order = list(LINE)
    for marks in seen.values():
        assert marks == sorted(marks, key=order.index)
    assert present_step(game.state) is None


# --- what is drawn ----------------------------------------------------------------------------------------------


def test_marks_and_paths_of_a_view() -> None:
    state = sea(TRUK, NOUMEA, KIDO, TF, flotilla("boats", "blue", "noumea", 2))
    sail(state, "sea-transport", "kido", (6, 0), shown=False)
    own, theirs = (looked(state, side) for side in ("red", "blue"))
    marks = {(0, 0): "TF 1, 2 air factors (Red)", (9, 0): "TF 1, 2 submarines (Blue)"}
    assert own.marks == theirs.marks == marks
    assert own.flags == {(0, 0): "TF 1, air (Red)", (9, 0): "TF 1, submarines (Blue)"}
    assert list(own.ways) == ["TF 1 (Red), sea transport"]
    assert own.ways["TF 1 (Red), sea transport"][-1] == (6, 0)
    assert theirs.ways == {}
    state.operation.voyages["v1"].shown = True
    assert looked(state, "blue").ways == own.ways


def looked(state: State, side: str) -> SeaMap:
    sea = board_of(Position(state, side)).sea
    assert sea is not None
    return sea
