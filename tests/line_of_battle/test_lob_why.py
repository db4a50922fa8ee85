"""Why units are not offered: in the line a unit attacks or is told why not, and so is every target."""

from __future__ import annotations

from random import Random

import pytest

import flagplot
from flagplot.kernel.requests import Choose
from flagplot.line_of_battle.why import reasons
from tests.games import decisions


@pytest.mark.parametrize("scenario", ["ceylon-raid", "force-z", "savo-island"])
def test_every_unit_and_target_is_offered_or_explained(scenario: str) -> None:
    game, chance, told_of = flagplot.load(scenario, seed=5), Random(5), set[str]()
    for asked in decisions(game):
        verb, _, key = asked.option(0).text.partition(":")
        told = {one.about: one.rule for one in reasons(game.state, asked.side)}
        if verb == "targets":
            state, unit = game.state, key.split(":")[0]
            offered = {option.text.split(":")[-1] for option in asked.options}
            for target in state.line(state.setting.enemy(asked.side)):
                about = f"{state.unit(unit).name} against {state.unit(target).name}"
                assert target in offered or about in told
            assert state.unit(unit).name not in told
            for mine in state.of(asked.side):
                attacks = bool(state.markers[mine].target) or mine == unit
                assert attacks or mine in state.line(asked.side) or state.unit(mine).name in told
        told_of |= set(told.values())
        game.choose(chance.choice(asked.options).text)
    assert told_of & {"LOB-13", "LOB-16", "LOB-17", "LOB-20", "LOB-24"}


def test_a_ship_without_aircraft_is_told_what_a_base_attack_needs() -> None:
    game = flagplot.load("ceylon-raid", seed=1)
    state = game.state
    idle = {one.about: one for side in game.sides for one in reasons(state, side)}
    asked = game.pending
    assert isinstance(asked, Choose)
    assert all([one.text == "no Airstrike Factor, which this action needs" for one in idle.values()])
