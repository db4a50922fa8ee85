"""The enumerator against naive enumeration, hand-worked chances and simulation, with the scripts that play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Seeded
from flagplot.kernel.game import Game
from flagplot.kernel.plain_data import copy_of, key_of
from flagplot.kernel.requests import Choose, Roll
from flagplot.library import ruleset
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import CERTAIN, Limits, Mass, enumerate_ends
from flagplot.players.doctrine import DoctrinePlayer
from tests.awaw.battles import squadron
from tests.awaw.strike_orders import AMERICA, ELITE, JAPAN
from tests.awaw.strikes import kido, meet, task

RULES = ruleset("awaw")
PLAYERS = {"red": DoctrinePlayer(), "blue": DoctrinePlayer()}


def striking(game: Game[State]) -> bool:
    return game.state.frames[-1].procedure == "strike"


def small_strike() -> Game[State]:
    """One Japanese squadron on a carrier without a patrol: an air defense of 2 dice, then 2 dice for the attack."""
    orders = ["strike:1", f"fly:{JAPAN}:1"]
    return meet(kido(2), task(destroyers=8), orders=orders, until=striking)


def standard_strike() -> Game[State]:
    """Twelve elite squadrons on four carriers under a patrol of four."""
    red = squadron("kido", "red", "Akagi", "Kaga", "Hiryu", "Soryu", cruisers=8, destroyers=4, air=12, elite=True)
    blue = squadron("task", "blue", "Enterprise", "Hornet", "Yorktown", "Wasp", cruisers=8, destroyers=4, air=12)
    orders = ["strike:1", f"fly:{ELITE}:12", f"patrol:1:{AMERICA}:4"]
    return meet(red, blue, orders=orders, until=striking)


def damage(state: State) -> Hashable:
    """The hits of each named ship that is struck, sunk ships at their size, and the light ships that are left."""
    (group,) = [group for group in state.battle.groups.values() if group.side == "blue"]
    named = {which.id: which.hits for which in group.ships if which.named}
    lost = {which.id: which.size for which in state.losses.ships if which.named}
    return tuple(sorted((named | lost).items())), sum(number for which, number in group.ships.items() if which.light)


def played(game: Game[State]) -> Game[State]:
    """Go on until the strike is over, as the doctrine would."""
    depth = len(game.state.frames)
    while len(game.state.frames) >= depth and game.pending is not None:
        game.play(PLAYERS, until=game.turn + 1)
    return game


# --- exact numbers ------------------------------------------------------------------------------------------------


def test_masses_add_up_without_rounding() -> None:
    assert CERTAIN.times(6, 1) + Mass(0, 0) == Mass(1, 0)
    assert (Mass(1, 1) + Mass(1, 2)).fraction == Fraction(7, 36)
    assert Mass(12, 2) + Mass(24, 2) == CERTAIN
    total = Mass(0, 0)
    for ways in (1, 5, 10, 20):
        total = total + Mass(ways, 2)
    assert total == CERTAIN


def test_distribution_of_a_die() -> None:
    die = Distribution({face: Fraction(1, 6) for face in range(1, 7)})
    assert die.total == 1
    assert die.left_over == 0
    assert die.mean(lambda face: face) == Fraction(7, 2)
    assert die.variance(lambda face: face) == Fraction(35, 12)
    assert die.chance(lambda face: face >= 5) == Fraction(1, 3)
    assert die.of(lambda face: face % 2)[1] == Fraction(1, 2)
    assert die.as_dict()["6"] == {"fraction": "1/6", "chance": pytest.approx(1 / 6)}


def test_keys_are_equal_for_equal_states_and_differ_otherwise() -> None:
    state = small_strike().state
    other = copy_of(state)
    assert key_of(state) == key_of(other)
    other.battle.groups["task"].this_round.attacked = not other.battle.groups["task"].this_round.attacked
    assert key_of(state) != key_of(other)


# --- against other ways to the same numbers -----------------------------------------------------------------------


def naive(game: Game[State]) -> Distribution[Hashable]:
    """Every sequence of faces, played out one by one in the game itself."""
    depth, chances = len(game.state.frames), Counter[Hashable]()
    waiting = [(game, Fraction(1))]
    while waiting:
        now, chance = waiting.pop()
        while len(now.state.frames) >= depth and isinstance(now.pending, Choose):
            now.play(PLAYERS, until=now.turn + 1)
        if len(now.state.frames) < depth or now.pending is None:
            chances[damage(now.state)] += chance  # type: ignore[assignment]
            continue
        assert isinstance(now.pending, Roll)
        for faces in product(range(1, 7), repeat=now.pending.dice):
            twin = now.copy()
            twin.roll(list(faces))
            waiting.append((twin, chance / 6**now.pending.dice))
    return Distribution(dict(chances))  # type: ignore[arg-type]


def test_every_sequence_of_faces_gives_the_same_fractions() -> None:
    game = small_strike()
    found = enumerate_ends(RULES, copy_of(game.state), PLAYERS, damage)
    assert found.complete
    assert found.ends == naive(game)
    assert len(found.ends) > 2


def test_standard_strike_is_exact_and_fast_in_states() -> None:
    found = enumerate_ends(RULES, copy_of(standard_strike().state), PLAYERS, damage)
    assert found.complete
    assert found.ends.total == 1
    assert found.states < 5_000
    assert len(found.ends) > 20


def test_simulation_agrees_within_four_standard_errors() -> None:
    opening = standard_strike()
    exact = enumerate_ends(RULES, copy_of(opening.state), PLAYERS, damage).ends

    def hits(end: Any) -> int:
        return sum(number for _, number in end[0])

    battles = 400
    seen = [hits(damage(played(opening.copy(Seeded(seed))).state)) for seed in range(battles)]
    error = float(exact.variance(hits) / battles) ** 0.5
    assert abs(sum(seen) / battles - float(exact.mean(hits))) < 4 * error


def test_a_search_that_is_too_large_says_what_it_has_not_followed() -> None:
    found = enumerate_ends(RULES, copy_of(standard_strike().state), PLAYERS, damage, limits=Limits(states=200))
    assert not found.complete
    assert 0 < found.ends.left_over <= 1
    assert found.ends.total + found.ends.left_over == 1
