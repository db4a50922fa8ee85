"""What an enemy is taken to do in secret: as the doctrine does, mostly."""

from __future__ import annotations

from collections import Counter
from math import prod
from random import Random

import pytest

import flagplot
from flagplot.awaw.knowledge import habits
from flagplot.awaw.knowledge.account import knowledge_of
from flagplot.awaw.knowledge.battle_ships import Believed
from flagplot.awaw.knowledge.public import Belief, Public, deals, public_of
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.kernel.requests import Choose
from flagplot.players import player
from flagplot.players.doctrine import Doctrine, air_plan, combat_groups


def test_the_tables_are_those_of_the_doctrine() -> None:
    assert habits.CARRIERS == combat_groups.FAR
    assert habits.CARGO == combat_groups.LAST
    assert habits.GUNS == combat_groups.NEAR
    assert habits.PATROLS == air_plan.PATROLS
    assert Doctrine().carrier_escort == habits.CARRIER_ESCORT


def formed(name: str, seed: int) -> State:
    """A battle as soon as both sides have formed their groups."""
    game = flagplot.load(name, seed=seed)
    game.copy()  # from now on it remembers every border
    players = {side: player("doctrine", seed) for side in game.sides}
    game.play(
        players,
        until=lambda now: (
            isinstance(now.pending, Choose) and all([group.number for group in now.border.state.battle.groups.values()])
        ),
    )
    state: State = game.border.state
    return state


def public_in(name: str, side: str) -> Public:
    game = flagplot.load(name, seed=1)
    return public_of(game.ruleset.read(game.scenario, game.options), side, Belief.FORCES)


def test_ways_are_drawn_as_likely_as_the_doctrine_makes_them() -> None:
    """Which force is behind which number, in a battle in which nobody has seen anything yet."""
    state, public = formed("santa-cruz", 2), public_in("santa-cruz", "japan")
    ways = deals(knowledge_of(state, state.other("japan")), public)
    assert len({round(one.weight, 9) for one in ways}) > 1, "else this test says nothing"
    for one in ways:
        numbered = prod([habits.number_weight(group, number) for number, group in one.numbers.items()])
        assert one.weight == pytest.approx(numbered), "nobody has cargo that could be escorted"
    drawn = Counter(id(Believed(public, ways).deal(Random(seed))) for seed in range(2000))
    whole = sum([one.weight for one in ways])
    for one in ways:
        assert drawn[id(one)] / 2000 == pytest.approx(one.weight / whole, abs=0.05)


@pytest.mark.parametrize("seed", [1, 2, 3])  # nothing is found before the first question
def test_a_fleet_of_guns_alone_is_taken_to_keep_its_order(seed: int) -> None:
    state, public = formed("surigao-strait", seed), public_in("surigao-strait", "allies")
    assert public.guns_alone
    likely, other = sorted(deals(knowledge_of(state, "japan"), public), key=lambda one: -one.weight)
    assert [group.name for _, group in sorted(likely.numbers.items())] == ["the Battle Line", "the Flank Forces"]
    assert likely.weight > 5 * other.weight
    truth = {group.number: group.name for group in state.battle.numbered("allies")}
    assert {number: group.name for number, group in likely.numbers.items()} == truth


@pytest.mark.parametrize(
    ("name", "side"),
    [("cape-matapan", "italy"), ("first-battle", "japan"), ("first-battle", "allies"), ("okinawa", "japan")],
)
def test_a_fleet_with_carriers_cargo_or_aircraft_hides_its_order(name: str, side: str) -> None:
    assert not public_in(name, side).guns_alone


def test_chances_of_an_escort_and_of_numbers_add_up() -> None:
    forces = [group for group in flagplot.load("coral-sea", seed=1).state.battle.groups.values() if group.ships]
    choices: list[Group | None] = [None, *forces]
    assert sum([habits.escort_weight(one, forces) for one in choices]) == pytest.approx(1)
    strongest = max(forces, key=lambda one: habits.carriers_in(one.ships))
    assert habits.escort_weight(strongest, forces) > 0.7
    assert habits.escort_weight(None, []) == 1
    for force in forces:
        assert sum([habits.number_weight(force, number) for number in range(1, 7)]) == pytest.approx(1)


def test_patrols_are_mostly_full() -> None:
    flown = Counter(habits.patrol(0, 4, Random(seed)) for seed in range(4000))
    assert flown[4] / 4000 == pytest.approx(0.56, abs=0.03)
    assert flown[3] / 4000 == pytest.approx(0.29, abs=0.03)
    assert set(flown) == {0, 1, 2, 3, 4}
    assert {habits.patrol(2, 2, Random(seed)) for seed in range(50)} == {2}, "those that are in sight fly"
