"""What a side knows does not hang on what it may not know, and states drawn from it fit all that it knows.

Two games begin with states that look alike to a side, its enemy decides otherwise in secret in each, and all else is
the same. As long as the side sees the same in both, it knows the same to the byte, and the same is drawn from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, cycle
from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.awaw.battle.withholding import sound_ships
from flagplot.awaw.knowledge import battle as known_battle
from flagplot.awaw.knowledge.account import HURT, RARE, Beliefs, draw, knowledge_of
from flagplot.awaw.knowledge.fleets import Likely
from flagplot.awaw.knowledge.known import NothingFits
from flagplot.awaw.knowledge.paths import draw_paths
from flagplot.awaw.knowledge.public import Public, public_of
from flagplot.awaw.ships import named_ships
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.plain_data import canonical, copy_of
from flagplot.kernel.requests import Choose, Roll
from flagplot.testing.awaw import AwawLaws
from flagplot.testing.secrecy import Pair
from flagplot.testing.trial import LEAVING, difference
from tests.awaw.battles import battle, squadron
from tests.awaw.looks import look

RAIDERS = battle(
    squadron("raiders", "red", "Kongo", "Haruna", "Zuiho", cruisers=8, air=2, arrives=1),
    squadron("patrol", "blue", "Washington", "Wasp", cruisers=8, air=3, arrives=1),
    raiders=True,
    transports={"nation": "united-states", "factors": 3},
)
PLAYED: dict[str, tuple[Any, ...]] = {
    "naval battle": ("midway", "coral-sea", "okinawa"),
    "raider battle": (RAIDERS,),
    "air phase": ("rabaul",),
    "operation": ("coral-sea-operation", "malta-landing", "rendezvous"),
    "air turn": ("solomons-turn",),
}
SEEDS = {"raider battle": 8, "air phase": 8}
STRETCH = 30
"""Answers for which two games are kept in step before another pair is made of the first."""


def a_game(scenario: Any, seed: int) -> Game[Any]:
    game = flagplot.load(scenario, seed=seed)
    game.copy()  # from now on every border is remembered
    return game


def at_random(game: Game[Any], chance: Random, answers: int) -> None:
    for _ in range(answers):
        request = game.pending
        if isinstance(request, Choose):
            game.choose(request.option(0 if request.verb in LEAVING else chance.randrange(len(request))))
        elif isinstance(request, Roll):
            game.roll()


def is_at_border(game: Game[Any]) -> bool:
    return game.border.turn == game.turn


def rename_enemies(state: State, side: str) -> None:
    """Nobody knows what the enemy calls his forces."""
    groups = [*state.battle.groups.values(), *state.battle.departed.values()]
    if state.operation_if_any is not None:
        groups += [force.group for force in state.operation.fleet.values()]
    for group in groups:
        group.name += ", renamed" * (group.side != side)


def in_step(game: Game[Any], side: str, chance: Random) -> Iterator[tuple[State, State]]:
    """States at borders of two games that look alike to a side, until they no longer do."""
    other = game.ruleset.reshuffle(game.border.state, side, chance)
    rename_enemies(other, side)
    pair = Pair(game.from_border(game.border.state), game.from_border(other), side, game.border, chance)
    first, second = pair.first, pair.second
    for _ in range(STRETCH):
        for one in (first, second):
            while isinstance(asked := one.pending, Choose) and pair._decides_in_secret(one):
                one.choose(asked.option(chance.randrange(len(asked))))
        if pair._sight(first) != pair._sight(second):
            return
        if is_at_border(first) and is_at_border(second):
            yield first.border.state, second.border.state
        request, twin = first.pending, second.pending
        if isinstance(request, Roll) and isinstance(twin, Roll) and request.dice == twin.dice:
            faces = [chance.randint(1, 6) for _ in range(request.dice)]
            first.roll(faces)
            second.roll(faces)
        elif isinstance(request, Choose) and isinstance(twin, Choose):
            text = request.option(chance.randrange(len(request))).text
            if twin.find(text) is None:
                return
            first.choose(text)
            second.choose(text)
        else:
            return


def alike(scenario: Any, seed: int) -> Iterator[tuple[State, State, str]]:
    """Pairs of states of one game that look alike to a side."""
    game, chance = a_game(scenario, seed), Random(seed)
    while game.pending is not None and game.turn < 150:
        for side in game.sides:
            for one, other in in_step(game, side, chance):
                yield one, other, side
        at_random(game, chance, chance.randint(2, 9))


@pytest.mark.parametrize("kind", PLAYED)
def test_who_sees_the_same_knows_the_same(kind: str) -> None:
    """Knowledge to the byte, and with the same seed the same draws."""
    found: Counter[str] = Counter()
    for scenario in PLAYED[kind]:
        opening = flagplot.load(scenario, seed=0).state
        for one, other, side in chain(*[alike(scenario, seed) for seed in range(SEEDS.get(kind, 1))]):
            ours, theirs = knowledge_of(one, side), knowledge_of(other, side)
            text, others = canonical(ours), canonical(theirs)
            assert text == others, difference(text, others)
            found["pairs"] += 1
            found["different"] += canonical(one) != canonical(other)
            if found["pairs"] % 8 == 0:
                assert canonical(drawn(ours, 7)) == canonical(drawn(theirs, 7))
                public = public_of(opening, ours.enemy, "forces")
                assert canonical(believed(ours, public, 7)) == canonical(believed(theirs, public, 7))
    print(f"\n{kind}: {found['pairs']} pairs, {found['different']} different")
    assert found["different"] >= 40


def drawn(known: Any, seed: int) -> State:
    return draw(known, Random(seed), RARE, HURT)


def believed(known: Any, public: Public, seed: int) -> State:
    return Beliefs(known, public).draw(Random(seed))


@pytest.mark.parametrize("kind", PLAYED)
def test_what_is_drawn_fits_what_is_known(kind: str) -> None:
    """It looks the same, is as much of a secret as before, and keeps the laws."""
    found: Counter[str] = Counter()
    for scenario in PLAYED[kind]:
        game, chance = a_game(scenario, 3), Random(3)
        opening, beliefs = game.border.state, cycle(["forces", "ships"])
        while game.pending is not None and game.turn < 300:
            if is_at_border(game):
                state = game.border.state
                for side in game.sides:
                    known = knowledge_of(state, side)
                    text = canonical(known)
                    other = drawn(known, game.turn)
                    public = public_of(opening, known.enemy, next(beliefs))
                    assert canonical(known) == text
                    for one in (other, believed(known, public, game.turn)):
                        assert look(one, side) == look(state, side)
                        assert canonical(knowledge_of(one, side)) == text
                        faults = [fault for fault in AwawLaws(one).step(one, one) if "pool" not in fault]
                        assert not faults or list(AwawLaws(state).step(state, state))
                    found["drawn"] += 1
                    found["others"] += look(other, known.enemy) != look(state, known.enemy)
            at_random(game, chance, chance.randint(1, 8))
    assert found["others"] > found["drawn"] / 3


def test_ways_that_nobody_asked_for_are_not_known() -> None:
    """Other ways to the same destinations, also of forces that sail, of patrols and of those that are to meet."""
    found: Counter[str] = Counter()
    for scenario in PLAYED["operation"]:
        game, chance = a_game(scenario, 4), Random(4)
        while game.pending is not None and game.turn < 150:
            if is_at_border(game):
                state = game.border.state
                for side in game.sides:
                    other = copy_of(state)
                    draw_paths(other, state.other(side), chance)
                    assert canonical(knowledge_of(other, side)) == canonical(knowledge_of(state, side))
                    for key, voyage in other.operation.voyages.items():
                        found[voyage.progress] += voyage.path != state.operation.voyages[key].path
            at_random(game, chance, chance.randint(1, 6))
    assert found["announced"]
    assert found["under way"]


def test_ships_that_are_kept_back_are_not_known() -> None:
    game, chance, kept = a_game("malta-landing", 3), Random(3), 0
    while game.pending is not None:
        if is_at_border(game):
            for side in game.sides:
                state, other = game.border.state, copy_of(game.border.state)
                for group in other.battle.present(state.other(side)):
                    group.withheld = sound_ships(group)
                    kept += 1
                assert canonical(knowledge_of(other, side)) == canonical(knowledge_of(state, side))
        at_random(game, chance, 3)
    assert kept


PEEKING: dict[str, Callable[[Group], dict[str, Any]]] = {
    "ships": lambda group: {"ships": dict(group.ships)},
    "squadrons": lambda group: {"air": dict(group.air)},
    "patrol": lambda group: {"patrol": dict(group.patrol)},
    "names": lambda group: {"name": group.name},
    "a ready carrier": lambda group: {"ready": group.ready},
}


@pytest.mark.parametrize("what", PEEKING)
def test_knowledge_that_peeks_is_found_out(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = known_battle._seen

    def peeking(state: State, key: str, group: Group) -> Group:
        return replace(seen(state, key, group), **PEEKING[what](group))

    monkeypatch.setattr(known_battle, "_seen", peeking)
    pairs = chain(*[alike(scenario, seed) for seed in range(3) for scenario in PLAYED["naval battle"]])
    assert any(canonical(knowledge_of(one, side)) != canonical(knowledge_of(other, side)) for one, other, side in pairs)


# --- weights ----------------------------------------------------------------------------------------------------


def found_group() -> tuple[State, Group]:
    """Midway after the first search."""
    game = a_game("midway", 2)
    chance = Random(2)
    while not any(group.facts and not group.revealed for group in game.border.state.battle.groups.values()):
        at_random(game, chance, 1)
    state: State = game.border.state
    return state, next(group for group in state.battle.groups.values() if group.facts and not group.revealed)


def test_unseen_ships_come_from_a_pool_that_is_given() -> None:
    state, group = found_group()
    known = knowledge_of(state, state.other(group.side))
    nation = state.setting.nations[group.side][0]
    navy = [one for one in named_ships().values() if one.nation == nation and one.id not in known.elsewhere]
    pool = frozenset([one.id for one in navy[::2]])
    for seed in range(10):
        other = draw(known, Random(seed), Likely(pool))
        for number in known.unseen:
            ships = next(one.ships for one in other.battle.numbered(known.enemy) if one.number == number)
            assert {which.id for which in ships if which.named} <= pool


def test_ships_can_be_made_rarer() -> None:
    state, group = found_group()
    known = knowledge_of(state, state.other(group.side))
    named = [
        sum(
            which.named
            for seed in range(8)
            for one in draw(known, Random(seed), Likely(against=against)).battle.numbered(known.enemy)
            for which in one.ships
            if one.number in known.unseen
        )
        for against in (1, 200)
    ]
    assert named[0] > 2 * named[1]


def test_knowledge_that_nothing_fits_is_refused() -> None:
    state, group = found_group()
    known = knowledge_of(state, state.other(group.side))
    known.elsewhere = tuple(named_ships())
    unseen = next(one for one in known.groups() if one.number in known.unseen)
    unseen.facts = group.facts and group.facts._replace(carriers=3)
    with pytest.raises(NothingFits):
        draw(known, Random(1))
