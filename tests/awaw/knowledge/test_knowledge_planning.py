"""What orders ahead are planned in owes nothing to the enemy's secrets, not even to those that the account of an
operation takes as they are: which forces make up groups that were seen, and how forces that are to meet sail on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import flagplot
from flagplot.awaw.knowledge.account import imagine, knowledge_of
from flagplot.awaw.knowledge.battle import rename
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.state.operation import NavalForce, Progress
from flagplot.awaw.state.state import State
from flagplot.kernel.errors import UndoRefused
from flagplot.kernel.game import Game
from flagplot.kernel.plain_data import canonical, copy_of
from flagplot.kernel.procedures import Frame
from flagplot.kernel.requests import Choose
from flagplot.players import player
from flagplot.testing.trial import difference
from tests.awaw.looks import look
from tests.awaw.seas import KIDO, NOUMEA, RABAUL, TF, TRUK, force, sail, sea


def borders(scenario: str, seed: int, turns: range) -> Iterator[tuple[State, str]]:
    """States at borders of a game by doctrine, with each side that looks at them."""
    game = flagplot.load(scenario, seed=seed)
    game.copy()  # from now on every border is remembered
    for turn in turns:
        game.play({side: player("doctrine:mix=no", 0) for side in game.sides}, until=turn)
        yield from [(game.border.state, side) for side in game.sides if game.pending is not None]


# --- which forces make up a group -----------------------------------------------------------------------------------


def public(force: NavalForce) -> tuple[Any, ...]:
    """What everybody knows of a force that is in a battle."""
    (ships,) = force.group.parts.values()
    marked = tuple([(which, number) for which, number in ships.items() if which.laden or which.empty])
    return {which.nation for which in ships}, marked, force.tried, force.group.activity


def in_battle(state: State, enemy: str) -> list[str]:
    """Hidden forces of the enemy that are in a battle or have left it."""
    groups = [*state.battle.numbered(enemy), *state.battle.withdrawn(enemy).values()]
    keys = {key for group in groups for key in group.parts}
    fleet = state.operation.fleet
    return sorted([key for key in keys if fleet[key].group.task_force and not fleet[key].seen])


def swapped(state: State, one: str, other: str) -> State:
    """The same battle with the ships of two forces under each other's markers."""
    new = copy_of(state)
    names = {one: other, other: one}
    rename(new, names)
    new.battle.departed = {
        "/".join([names.get(key.split("/")[0], key.split("/")[0]), *key.split("/")[1:]]): group
        for key, group in new.battle.departed.items()
    }
    for key, group in [*new.battle.groups.items(), *new.battle.departed.items()]:
        group.parts = {names.get(key, key): ships for key, ships in group.parts.items()}
        first = new.operation.fleet.get(key.split("/")[0])
        if group.parts.keys() & names and first is not None:
            group.place, group.origin = first.group.place, first.base
    fleet = new.operation.fleet
    fleet[one].group.parts, fleet[other].group.parts = (
        {one: fleet[other].group.parts.get(other, {})},
        {other: fleet[one].group.parts.get(one, {})},
    )
    fleet[one].grounded, fleet[other].grounded = fleet[other].grounded, fleet[one].grounded
    return new


def test_which_forces_a_group_is_made_of_does_not_show_in_plans() -> None:
    found: Counter[str] = Counter()
    for state, side in borders("rendezvous", 1, range(90, 290, 40)):
        enemy = state.other(side)
        for one, other in combinations(in_battle(state, enemy), 2):
            twin, fleet = swapped(state, one, other), state.operation.fleet
            if public(fleet[one]) != public(fleet[other]) or look(twin, side) != look(state, side):
                continue
            plans = [canonical(imagine(each, side, each)) for each in (state, twin)]
            assert plans[0] == plans[1], difference(*plans)
            found["planned"] += plans[0] != "null"
            found["told"] += canonical(knowledge_of(state, side)) != canonical(knowledge_of(twin, side))
    assert found["planned"] > 4
    assert found["told"] > 2, "the account of the operation takes it as it is"


# --- ways of forces that meet ---------------------------------------------------------------------------------------


def meeting(at: Hex, via: tuple[Hex, ...]) -> State:
    """One force has sailed, on a way that nobody knows; another is to join it on that way."""
    state = sea(TRUK, RABAUL, NOUMEA, KIDO, TF, force("more", "red", "rabaul", cruisers=10))
    state.frames = [Frame("operation", "")]
    host = state.operation.voyages[sail(state, "shore-bombardment", "kido", (6, 0), via=via, shown=False)]
    sail(state, "shore-bombardment", "more", at, shown=False, joins="v1")
    host.progress, host.step, host.parts = Progress.UNDER_WAY, 1, (at,)
    return state


def test_where_forces_are_to_meet_does_not_show_in_plans() -> None:
    states = [meeting((3, 0), ((1, 0), (3, 0))), meeting((5, 0), ((1, 0), (3, 1), (5, 0)))]
    assert look(states[0], "blue") == look(states[1], "blue")
    plans = [canonical(imagine(state, "blue", state)) for state in states]
    assert plans[0] == plans[1] != "null", difference(*plans)
    told = [canonical(knowledge_of(state, "blue")) for state in states]
    assert told[0] != told[1], "the account of the operation takes it as it is"


# --- ways that show themselves hex by hex ---------------------------------------------------------------------------


def at_a_patrol() -> tuple[Game[Any], str]:
    """The Allies are asked whether they intercept a patrol, which sails hex by hex on a way that they do not know."""
    game, staff = flagplot.load("solomons-turn", seed=2), player("doctrine", 0)
    game.copy()  # from now on every border is remembered
    while not (isinstance(game.pending, Choose) and game.pending.option(0).text.startswith("intercept:")):
        game.play(dict.fromkeys(game.sides, staff), until=game.turn + 1)
    return game, game.pending.side


def test_a_plan_does_not_show_on_which_way_a_patrol_sails() -> None:
    game, side = at_a_patrol()
    sheets = []
    for via in ((), ((6, -8),)):
        state = copy_of(game.border.state)
        ((_, voyage),) = state.operation.voyages.items()
        path = state.operation.plan.board.sea_path(voyage.path[0], voyage.path[-1], via)
        assert path is not None
        voyage.path = path
        sheets.append(game.from_border(state).sheet(side, ahead=True))
    assert sheets[0].as_dict() == sheets[1].as_dict()
    assert [one.family for one in sheets[0]] == ["intercept"]


def test_whoever_has_seen_where_a_patrol_sails_takes_nothing_back() -> None:
    game, side = at_a_patrol()
    assert isinstance(game.pending, Choose)
    before = game.state.operation.voyages["v1"].at
    game.choose(game.pending.option(0))
    assert game.state.operation.voyages["v1"].at != before
    assert isinstance(game.undo_refused(side), UndoRefused)
