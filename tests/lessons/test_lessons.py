"""Lessons: they fit their scenario, and each step comes up when its decision is first asked."""

from __future__ import annotations

from typing import Any

import pytest

import flagplot
from flagplot.kernel.errors import UnknownName
from flagplot.kernel.game import Game
from flagplot.kernel.levels import Level
from flagplot.kernel.requests import Roll
from flagplot.lessons import END, Lesson, Step, lesson, lessons, steps_due
from flagplot.library import read_scenario
from flagplot.players import player
from flagplot.register import register

LEVELS = {"flag": Level.COMMAND, "captain": Level.TACTICS, "everything": Level.ROUTINE}


def played(guide: Lesson, seed: int) -> list[Step]:
    """The steps that a player meets who accepts his staff's plans, in their order."""
    game: Game[Any] = flagplot.load(guide.scenario, seed=seed)
    staff = {side: player("doctrine", seed) for side in game.sides}
    met: list[Step] = []
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            game.roll()
        elif game.pending.side != guide.side:
            game.choose(staff[game.pending.side].choose(game.view(game.pending.side), game.pending))
        else:
            sheet = game.sheet(guide.side, staff=staff[guide.side], level=LEVELS[guide.level])
            met += steps_due(guide, game, [field.family for field in sheet.open_to()])
            game.confirm(sheet)
    return [*met, *steps_due(guide, game, ())]


@pytest.mark.parametrize("name", list(lessons()))
def test_every_step_comes_up_once_and_only_once(name: str) -> None:
    guide = lesson(name)
    reached: set[Step] = set()
    for seed in range(3, 15):
        met = played(guide, seed)
        assert len(met) == len({*met}), "nobody is told the same thing twice"
        assert met[0] == guide.steps[0]
        assert met[-1].when == (END,)
        reached |= {*met}
        if len(reached) == len(guide.steps):
            break
    assert reached == {*guide.steps}, "a step that never comes up teaches nobody"


@pytest.mark.parametrize("name", list(lessons()))
def test_a_lesson_fits_its_scenario(name: str) -> None:
    guide = lesson(name)
    sides = [side["id"] for side in read_scenario(guide.scenario)["sides"]]
    assert guide.side in sides
    assert guide.level in LEVELS
    assert 10 <= len(guide.steps) <= 15
    for step in guide.steps:
        assert step.rule in register(), step.title
        assert len(step.text.split()) < 80, "short enough to be read"


def test_what_is_due_follows_from_the_game_alone() -> None:
    guide = lesson("first-battle")
    game = flagplot.load("first-battle", seed=3)
    first = steps_due(guide, game, ["strengthen", "number"])
    assert [step.number for step in first] == [1, 2]
    before = game.copy()
    game.confirm(game.sheet("japan"))
    assert not steps_due(guide, game, ["strengthen", "number"]), "once is enough"
    assert steps_due(guide, before, ["strengthen", "number"]) == first, "who is back there is told again"


def test_an_unknown_lesson_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="first-battle"):
        lesson("second-battle")
