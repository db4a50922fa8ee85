"""Whole battles for the odds desk, played in one of its processes."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from flagplot.simulation.battles import Fought, Plan, fight, opening_of

BRIEFLY = {"commodore": "commodore:playouts=6"}
"""Players who think here for a shorter time than at a table."""
CHUNK = 0.35
"""Seconds for which a process plays before it tells what came of it."""
SEED = 1
"""Everybody gets the same battles, so a link shows the same figures again."""


class Battle(NamedTuple):
    """What is played: a scenario from its start, or a game as one side knows it."""

    scenario: Mapping[str, Any]
    players: Mapping[str, str]
    """By side, in the order of the sides."""
    lines: Sequence[str] = ()
    """The tape of a game that is played on."""
    side: str = ""
    """Who knows no more of that game than he may."""
    before: Mapping[str, Any] | None = None
    """What it is compared with: the scenario before a change, played with the same dice."""
    without: str = ""
    """A ship that is taken out of a game that is played on, to compare it with the game as it is."""


Pair = tuple[Fought, Fought | None]
"""A battle, and the one that it is compared with."""


class Played(NamedTuple):
    """Battles that were played, and the seconds of work that it took."""

    battles: list[Pair]
    seconds: float


def battles_played(pickled: bytes, numbers: Sequence[int]) -> Played:
    """What becomes of the battles of these numbers, of as many as there is time for."""
    begun, until, found = time.process_time(), time.monotonic() + CHUNK, list[Pair]()
    one = _fighter(pickled)
    for number in numbers:
        found.append(one(number))
        if time.monotonic() > until:
            break
    return Played(found, time.process_time() - begun)


@lru_cache(maxsize=4)
def _fighter(pickled: bytes) -> Callable[[int], Pair]:
    """How a battle is played, by its number. What it begins with is made once."""
    battle: Battle = pickle.loads(pickled)
    battle = battle._replace(players={side: BRIEFLY.get(name, name) for side, name in battle.players.items()})
    if battle.side:
        from flagplot.simulation.known import KnownGame
        from flagplot.table.workers.game_work import game_of

        known = KnownGame(game_of(battle.lines), battle.side)
        if battle.without:
            return lambda number: known.fight_without(battle.without, battle.players, SEED, number)
        return lambda number: (known.fight(battle.players, SEED, number), None)
    paired = battle.before is not None
    plan = Plan(battle.scenario, battle.players, SEED, paired=paired)
    opening = opening_of(plan)
    if battle.before is None:
        return lambda number: (fight(plan, opening, number), None)
    other = plan._replace(scenario=battle.before)
    start = opening_of(other)
    return lambda number: (fight(plan, opening, number), fight(other, start, number))
