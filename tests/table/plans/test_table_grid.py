"""The grid of an air phase: bases by missions, what flies, what stays, and which rule keeps the others."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

import flagplot
from flagplot import library
from flagplot.kernel.game import Game
from flagplot.kernel.levels import Level
from flagplot.kernel.requests import Choose
from flagplot.kernel.sheets import Answers
from flagplot.players import player
from flagplot.register.rule_lookup import is_known
from flagplot.table.plans.grid import Column, Grid, numbers_of
from flagplot.table.plans.missions import standings_of
from flagplot.table.plans.rows import Plan, plan_of
from flagplot.table.plans.words import words_of

AWAW = words_of("awaw")


def plan_at(game: Game[Any], side: str, answers: Answers | None = None, level: Level = Level.COMMAND) -> Plan:
    sheet = game.sheet(side, answers or {}, level=level)
    told = standings_of(game, side, sheet)
    return plan_of(sheet, AWAW, library.board_of("awaw", game.view(side).position), side, told)


def grid_at(game: Game[Any], side: str, answers: Answers | None = None) -> Grid:
    grid = plan_at(game, side, answers).grid
    assert grid is not None
    return grid


def column_at(grid: Grid, key: str) -> Column:
    return next(column for column in grid.columns if column.field.key == key)


def cell_words(grid: Grid, key: str) -> dict[str, str]:
    """What each row of a column shows."""
    column, told = column_at(grid, key), {}
    for unit, cell in zip(grid.units, column.cells, strict=True):
        shown = [one.chosen.rpartition(":")[2] for one in cell.fields] + (["pick"] if cell.pick else [])
        standing = cell.standing
        told[unit.tag] = ",".join(shown) or (f"{standing.text} ({standing.rule})" if standing and standing.text else "")
    return told


@pytest.fixture(scope="module")
def malta() -> Game[Any]:
    game = flagplot.load("malta-turn", seed=1)
    game.play({side: player("doctrine", 1) for side in game.sides}, until=lambda now: is_at(now, "axis", "uninvert"))
    return game


def is_at(game: Game[Any], side: str, verb: str) -> bool:
    asked = game.pending
    return isinstance(asked, Choose) and asked.side == side and asked.option(0).text.startswith(verb)


def test_a_phase_of_counterair_is_one_column_with_totals_and_what_stays() -> None:
    game = flagplot.load("kursk", seed=1)
    grid = grid_at(game, "axis", {"counterair": "counterair:kursk"})
    column = column_at(grid, "counterair")
    assert column.mission.title == "Attack a base"
    assert column.total == sum(cell.flying for cell in column.cells) > 0
    assert column.total + grid.held == sum(unit.number for unit in grid.units)
    words = cell_words(grid, "counterair")
    assert words["kharkov:germany:transport:factors"] == "air transports do not attack (17.63)"
    inverted = next(unit for unit in grid.units if unit.counter.inverted)
    assert words[inverted.tag] == "inverted (18.42A)"


def test_a_turn_has_a_column_for_each_mission_and_says_which_rule_is_in_the_way(malta: Game[Any]) -> None:
    grid = grid_at(malta, "axis")
    titles = [column.title for column in grid.columns]
    assert titles[:3] == ["Stage", "Attack a base", "Carry by air"]
    assert "Attack a base, again" in titles
    assert cell_words(grid, "stage")["augusta:germany:army:factors"] == "pick"
    lift = cell_words(grid, "airlift")
    assert lift["trapani:germany:transport:factors"] == "pick"
    assert lift["augusta:germany:army:factors"] == "army air does not do this (17.23)"
    attack = cell_words(grid, "base-attack:land")
    assert attack["trapani:germany:transport:factors"] == "air transports only carry and supply (17.63)"
    assert attack["cagliari:italy:army:factors"] == "no target in range (within 4 hexes) (18.45)"


def test_a_chosen_target_has_steppers_and_its_own_range(malta: Game[Any]) -> None:
    grid = grid_at(malta, "axis", {"base-attack:land": "base-attack:land:malta"})
    attack = cell_words(grid, "base-attack:land")
    assert attack["augusta:germany:army:factors"].isdecimal()
    assert attack["derna:germany:army:factors"] == "out of range (18.45)"


def test_staging_is_entered_in_the_row_of_the_base(malta: Game[Any]) -> None:
    grid = grid_at(malta, "axis", {"stage": "stage:augusta"})
    row = next(place for place, unit in enumerate(grid.units) if unit.tag == "augusta:germany:army:factors")
    cell = column_at(grid, "stage").cells[row]
    assert [one.family for one in cell.fields] == ["units", "stage", "stage"]
    assert cell.pick is not None
    assert cell.pick.chosen
    assert "stage#2" in [column.field.key for column in grid.columns]


def test_nothing_of_a_plan_is_lost_between_grid_and_blocks(malta: Game[Any]) -> None:
    sheet = malta.sheet("axis", {}, level=Level.COMMAND)
    plan = plan_at(malta, "axis")
    assert sorted(key for key, _ in plan.posted) == sorted(one.key for one in sheet.open_to())


@pytest.mark.parametrize("scenario", ["kursk", "malta-turn", "rhine-turn"])
def test_who_is_offered_may_fly_and_who_is_not_is_told_why(scenario: str) -> None:
    game = flagplot.load(scenario, seed=3)
    chance, seen = player("random", 3), 0
    for _ in range(400):
        asked = game.pending
        if asked is None or seen > 3:
            break
        if isinstance(asked, Choose) and AWAW.missions and (grid := _grid(game, asked.side)):
            seen += _compare(grid)
        at = game.turn
        game.play(dict.fromkeys(game.sides, chance), until=partial(_gone_on, at))
    assert seen


def _gone_on(at: int, game: Game[Any]) -> bool:
    return game.turn > at


def _grid(game: Game[Any], side: str) -> Grid | None:
    asked = game.pending
    assert isinstance(asked, Choose)
    if asked.option(0).text.partition(":")[0] not in {"counterair", "base-attack", "defend", "stage"} or len(asked) < 2:
        return None
    first = asked.option(0).text
    return plan_at(game, side, {first.rpartition(":")[0]: first}, Level.ROUTINE).grid


def _compare(grid: Grid) -> int:
    """Those who have a field are open; those who have none are closed, by a rule that there is."""
    seen = 0
    for column in grid.columns:
        for unit, cell in zip(grid.units, column.cells, strict=True):
            counted = [one for one in cell.fields if one.counts and max(numbers_of(one))]
            if cell.standing is None or column.idle or column.picked:
                continue
            if counted:
                assert cell.standing.open, (column.field.key, unit.tag, cell.standing)
            elif column.mission.task == "counterair":
                assert not cell.standing.open, (column.field.key, unit.tag)
            if not cell.standing.open:
                assert cell.standing.text
                assert is_known(cell.standing.rule)
                seen += 1
    return seen
