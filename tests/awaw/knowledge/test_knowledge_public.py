"""What is public of a scenario's forces: what is drawn comes from it, and the truth is among what is believed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.awaw.air_units import Arm
from flagplot.awaw.knowledge.account import Beliefs, knowledge_of
from flagplot.awaw.knowledge.known import Knowledge
from flagplot.awaw.knowledge.public import NOTHING_PUBLIC, Belief, Public, deals, public_of
from flagplot.awaw.ships import Kind
from flagplot.awaw.state.state import State
from flagplot.kernel.errors import ScenarioError
from flagplot.library import read_scenario
from flagplot.players.by_game import DoctrineByGame


@cache
def borders(name: str, seed: int, stride: int) -> tuple[Public, tuple[State, ...]]:
    """Borders of a battle between doctrine players, and what is public of its second side."""
    game = flagplot.load(name, seed=seed)
    game.copy()  # from now on every border is remembered
    opening = game.ruleset.read(game.scenario, game.options)
    found = []
    while game.pending is not None and game.turn < 150:
        found.append(game.border.state)
        game.play({side: DoctrineByGame() for side in game.sides}, until=game.turn + stride)
    return public_of(opening, game.sides[0], "forces"), tuple(found)


def believed(name: str, belief: str, stride: int = 9) -> Iterator[tuple[Knowledge, State, State]]:
    """What the second side knows at some borders, a state drawn from it, and the true one."""
    public, states = borders(name, 1, stride)
    for place, state in enumerate(states):
        side = state.other(next(iter(public.forces)).side)
        known = knowledge_of(state, side)
        yield known, Beliefs(known, _with(public, belief)).draw(Random(place)), state


def _with(public: Public, belief: str) -> Public:
    return Public(Belief(belief), public.forces, public.keys, public.hidden, public.ashore)


def named(state: State, side: str) -> set[str]:
    groups = [*state.battle.groups.values(), *state.battle.departed.values()]
    return {which.id for group in groups if group.side == side for which in group.ships if which.named}


@pytest.mark.parametrize("belief", ["forces", "ships"])
def test_at_coral_sea_nobody_dreads_battleships_that_were_never_there(belief: str) -> None:
    for known, drawn, _ in believed("coral-sea", belief):
        assert named(drawn, known.enemy) <= {"shokaku", "zuikaku", "shoho"}
        groups = drawn.battle.forces(known.enemy).values()
        light = [which for group in groups for which in group.ships if which.kind is Kind.CRUISER]
        assert sum([group.ships.get(which, 0) for group in groups for which in set(light)]) <= 8


def test_without_an_order_of_battle_there_may_be_any_ships() -> None:
    drawn = [named(state, known.enemy) for known, state, _ in believed("coral-sea", "navies")]
    assert any(ships - {"shokaku", "zuikaku", "shoho"} for ships in drawn), "else this test says nothing"


@pytest.mark.parametrize("name", ["coral-sea", "midway", "santa-cruz"])
def test_the_truth_is_among_what_is_believed(name: str) -> None:
    public, states = borders(name, 1, 9)
    narrowed = 0
    for state in states:
        known = knowledge_of(state, state.other(public.forces[0].side))
        truth = {
            group.number: group.ships for group in state.battle.numbered(known.enemy) if group.number in known.unseen
        }
        able = [{number: group.ships for number, group in deal.numbers.items()} for deal in deals(known, public)]
        assert truth in able
        narrowed += len(able) == 1
    assert narrowed, "what is seen tells more and more"


def test_all_ships_of_the_scenario_sail() -> None:
    known, drawn, true = next(believed("midway", "ships"))
    assert named(drawn, known.enemy) == named(true, known.enemy)


def test_squadrons_are_those_that_the_scenario_lists() -> None:
    public, _ = borders("coral-sea", 1, 9)
    assert public.aboard({}, Random(1)) == {("japan", Arm.ELITE): 6, ("japan", Arm.NAVAL): 2}
    assert public.aboard({"japan/elite-naval/squadrons": 4}, Random(1))["japan", Arm.ELITE] == 2


def test_squadrons_of_bases_share_in_the_losses_by_chance() -> None:
    public, _ = borders("coral-sea", 1, 9)
    both = replace(public, ashore={("japan", Arm.ELITE): 6})
    left = [both.aboard({"japan/elite-naval/squadrons": 1}, Random(seed))["japan", Arm.ELITE] for seed in range(400)]
    assert set(left) == {5, 6}
    assert 160 < left.count(5) < 240


def test_squadrons_under_a_marker_are_those_of_the_scenario() -> None:
    game = flagplot.load("rabaul", seed=0)
    side, enemy = sorted(
        game.sides, key=lambda one: any(game.state.sites[key].hidden for key in game.state.of_side(one))
    )
    known = knowledge_of(game.state, side)
    public = public_of(game.state, enemy, "forces")
    drawn = Beliefs(known, public).draw(Random(1))
    hidden = {key: site.hidden for key, site in game.state.sites.items()}
    assert {key: site.hidden for key, site in drawn.sites.items()} == hidden
    assert any(hidden.values())
    others = {str(Beliefs(known, NOTHING_PUBLIC).draw(Random(seed)).sites) for seed in range(5)}
    assert len(others) > 1


def test_if_the_forces_do_not_fit_less_is_believed() -> None:
    public, states = borders("midway", 1, 9)
    known = knowledge_of(states[0], states[0].other(public.forces[0].side))
    assert Beliefs(known, public).belief is Belief.FORCES
    known.elsewhere = ("akagi",)  # without the ships that sailed with her
    assert Beliefs(known, public).belief is not Belief.FORCES
    Beliefs(known, public).draw(Random(0))


def test_a_scenario_says_what_is_public() -> None:
    scenario: dict[str, Any] = dict(read_scenario("coral-sea"))
    flagplot.load({**scenario, "public": "ships"})
    with pytest.raises(ScenarioError, match="navies"):
        flagplot.load({**scenario, "public": "all of it"})
