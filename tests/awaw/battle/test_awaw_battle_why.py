"""Why groups and squadrons are not offered in a naval battle: what is not offered is explained, and nothing secret."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.awaw.battle.why import reasons
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose

VERBS = ("strike", "seek", "submarines")
"""Questions whose options are enemy groups."""


def moments(scenario: str, seed: int, most: int = 400) -> list[Game[Any]]:
    """A battle at random: the moments at which somebody is asked about enemy groups, or about patrol."""
    game, chance, found = flagplot.load(scenario, seed=seed), Random(seed), list[Game[Any]]()
    for _ in range(most):
        asked = game.pending
        if asked is None:
            break
        if not isinstance(asked, Choose):
            game.roll()
            continue
        if asked.option(0).text.split(":")[0] in (*VERBS, "patrol"):
            found.append(game.copy())
        options = [one for one in asked.options if not one.text.startswith("withdraw:all")]
        game.choose(chance.choice(options or list(asked.options)).text)
    return found


@pytest.fixture(scope="module", params=[("coral-sea", 3), ("midway", 5)])
def battle(request: pytest.FixtureRequest) -> list[Game[Any]]:
    return moments(*request.param)


def test_every_enemy_group_is_offered_or_explained(battle: list[Game[Any]]) -> None:
    seen = set()
    for game in battle:
        asked = game.pending
        assert isinstance(asked, Choose)
        verb = asked.option(0).text.split(":")[0]
        if verb not in ("strike", "seek"):
            continue
        offered = {option.text.split(":")[-1] for option in asked.options} - {"none"}
        told = reasons(game.state, asked.side) or []
        enemy = game.state.other(asked.side)
        for group in game.state.battle.present(enemy):
            about = [one for one in told if one.about.startswith(f"CG {group.number} (")]
            slow = [one for one in told if one.text.startswith("slow")]
            if str(group.number) in offered:
                assert not about
            elif verb == "strike" and not offered:
                assert about or [one for one in told if one.about == "Air strike"]
            else:  # a slow group is told of itself, and two that are to meet already are on the board
                assert about or (verb == "seek" and (slow or game.state.battle.engagements)), (verb, group.number, told)
        seen.add(verb)
    assert "seek" in seen


def test_reasons_tell_no_secret(battle: list[Game[Any]]) -> None:
    for game in battle[:25]:
        for side in game.sides:
            other = game.ruleset.reshuffle(game.copy().state, side, Random(1))
            assert reasons(game.state, side) == reasons(other, side)


def test_patrols_and_tired_squadrons_are_explained(battle: list[Game[Any]]) -> None:
    texts = {(one.about, one.rule) for game in battle for side in game.sides for one in reasons(game.state, side) or ()}
    assert {rule for _, rule in texts} >= {"23.33", "22.521D"}
