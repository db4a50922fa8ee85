"""A battle on the map is the battle alone: with the same answers and dice, every request, ledger and loss is equal."""

from __future__ import annotations

from random import Random

import pytest

import flagplot
from flagplot.kernel.errors import ScenarioError
from flagplot.players import player
from tests.awaw.same_battle import NoWords, alone, battle_ahead, in_step

GAMES = 10
"""Games in each of the tests below."""


def battles_compared(name: str, seed: int) -> int:
    """Play a scenario of the map at random, and each battle on the way a second time alone. How many there were.

    Left out are forces that have become, on their way, what no scenario may begin with: a task force of few ships."""
    game = flagplot.load(name, seed=seed)
    players = {side: player("random", seed) for side in game.sides}
    game.copy()  # from now on the game remembers every border between segments
    compared, looked = 0, -1
    while game.pending is not None:
        border = game.border
        if border.turn > looked and (begun := battle_ahead(border.state)) is not None:
            try:
                lone = alone(game.scenario, begun)
            except (NoWords, ScenarioError):
                pass
            else:
                in_step(game.from_border(border.state), lone, Random(seed))
                compared += 1
            looked = border.turn
        game.play(players, until=game.turn + 1)
    return compared


@pytest.mark.rule("22.31", "22.141", "22.63")
@pytest.mark.parametrize("first", range(0, 2 * GAMES, GAMES))
@pytest.mark.parametrize("kind", ["operation", "air-turn"])
def test_a_battle_on_the_map_is_the_battle_alone(kind: str, first: int) -> None:
    assert sum(battles_compared(f"generated:{kind}:{number}", number) for number in range(first, first + GAMES))
