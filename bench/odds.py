"""The exact odds of a large air strike, beside simulation with the same scripts and icepool with bare tables."""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

from flagplot.awaw.options import Options
from flagplot.awaw.ships import Ship
from flagplot.awaw.state import State
from flagplot.awaw.tables.grids import air_combat_row, air_defense_row, naval_attack_by_air_row
from flagplot.kernel.plain import copy_of
from flagplot.kernel.procedures import begin, proceed
from flagplot.kernel.requests import Choose, Note
from flagplot.kernel.views import View
from flagplot.library import ruleset
from flagplot.odds import ask
from flagplot.odds.enumerator import Position
from flagplot.odds.questions.air_states import ATTACKERS, DEFENDERS
from flagplot.odds.questions.strike_question import outcome_of
from flagplot.odds.questions.strike_state import TARGET, Words, strike_state
from flagplot.players.doctrine import DoctrinePlayer
from flagplot.players.doctrine.judging import CARRIER, LIGHT_FACTOR, LIGHT_SHIPS, Prey, air_attack_plan

STRIKE = {
    "attackers": "12 japan elite",
    "target": "Enterprise, Hornet, Yorktown, Wasp, 8 cruisers, 4 destroyers",
    "cap": 4,
}
"""Twelve elite squadrons on four carriers under a patrol of four."""
ERROR = 0.005
"""The standard error that simulation is to reach."""


def exact() -> Fraction:
    """The chance that at least one carrier sinks."""
    answer = ask("strike", **STRIKE)
    (sunk,) = [part.chances for part in answer.parts if part.title == "Fast carriers sunk"]
    return 1 - sunk[0]


# --- simulation with the same scripts -------------------------------------------------------------------------------


def opening() -> State:
    return strike_state(Words(**STRIKE), Options())  # type: ignore[arg-type]


def simulated(battles: int) -> float:
    """The share of some battles in which at least one carrier sank."""
    state, chance, player = opening(), Random(7), DoctrinePlayer()
    players, sum_up = {ATTACKERS: player, DEFENDERS: player}, outcome_of(state)
    sizes = [which.size for which in state.groups[TARGET].ships if which.named]
    sunk = 0
    for _ in range(battles):
        end = sum_up(_flown(copy_of(state), players, chance))
        sunk += any(hits >= size for hits, size in zip(end.hits, sizes, strict=True))
    return sunk / battles


def _flown(state: State, players: dict[str, DoctrinePlayer], chance: Random) -> State:
    """Go through the strike once, with dice."""
    rules, depth = ruleset("awaw"), len(state.frames)
    while len(state.frames) >= depth:
        script = begin(rules.procedures, state)
        assert script is not None
        answer: Any = None
        while True:
            try:
                request = script.send(answer)
            except StopIteration as stop:
                proceed(rules.procedures, state.frames, stop.value)
                break
            if isinstance(request, Note):
                answer = None
            elif isinstance(request, Choose):
                answer = _chosen(rules, state, players, request)
            else:
                answer = request.reads(tuple([chance.randint(1, 6) for _ in range(request.dice)]))
    return state


def _chosen(rules: Any, state: State, players: dict[str, DoctrinePlayer], request: Choose[Any]) -> Any:
    if len(request.values) == 1:
        return request.values[0]
    view = View(Position(rules, state), request.side)  # type: ignore[arg-type]
    return players[request.side].choose(view, request).value


# --- bare tables ----------------------------------------------------------------------------------------------------


def with_icepool() -> Fraction:
    """The same chance by icepool, from the rows of the tables and the share-out of the doctrine player alone."""
    icepool: Any = import_module("icepool")
    two_dice = 2 @ icepool.d6
    ships = [which for which in opening().groups[TARGET].ships if which.named]
    combat, guns = air_combat_row(4), air_defense_row(3)

    def through(roll: int) -> Any:
        left = 12 - sum(combat[roll - 2])
        return two_dice.map(lambda fire: max(0, left - sum(guns[fire - 2])))

    def all_afloat(squadrons: int) -> Any:
        dice = [
            two_dice.map(_sinks(naval_attack_by_air_row(some), which))
            for which, some in zip(ships, shares(ships, squadrons), strict=False)
            if some
        ]
        return icepool.map(lambda *sunk: not any(sunk), *dice) if dice else icepool.Die([True])

    afloat = two_dice.map(through).map(all_afloat)
    return 1 - Fraction(afloat.quantity(True), afloat.denominator())


def _sinks(row: tuple[int, ...], which: Ship) -> Callable[[int], bool]:
    """Whether an attack at +4, as elite squadrons have it on these carriers, sinks a ship."""
    return lambda roll: row[min(roll + 4, 12) - 2] >= which.size


def shares(ships: list[Ship], squadrons: int) -> tuple[int, ...]:
    """How the doctrine player shares out squadrons of DRM 4 among carriers of DRM 0 and light ships of DRM 2."""
    targets = [Prey(which.id, CARRIER, which.size, 0, which.drm) for which in ships]
    return air_attack_plan((*targets, Prey(LIGHT_SHIPS, LIGHT_FACTOR, 12, 0, 2)), squadrons, 4)


def timed(work: Callable[[], Any], times: int) -> tuple[float, Any]:
    """The best time of several, and what came of it."""
    best, found = float("inf"), None
    for _ in range(times):
        gc.collect()
        start = time.perf_counter()
        found = work()
        best = min(best, time.perf_counter() - start)
    return best, found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--battles", type=int, default=1500, help="battles that are simulated to measure one")
    parser.add_argument("--times", type=int, default=3, help="the best of so many turns counts")
    wanted = parser.parse_args()
    first, chance = timed(exact, 1)
    again, _ = timed(exact, wanted.times)
    spent, share = timed(lambda: simulated(wanted.battles), wanted.times)
    needed = float(chance * (1 - chance)) / ERROR**2
    simulation = spent / wanted.battles * needed
    off = abs(share - float(chance)) / (float(chance * (1 - chance)) / wanted.battles) ** 0.5
    print(f"{STRIKE['attackers']} on {STRIKE['target']}, {STRIKE['cap']} on patrol")
    print(f"a carrier is sunk: {float(chance):.4%} exactly")
    print(f"                   {share:.2%} of {wanted.battles:,} battles, {off:.1f} standard errors off")
    print(f"  exact            {again:>8.3f} s   {first:.3f} s the first time")
    print(f"  simulation       {simulation:>8.3f} s   {needed:,.0f} battles for a standard error of {ERROR:.1%}")
    print(f"  simulation takes {simulation / again:.1f} times as long as the exact answer")
    if find_spec("icepool") is None:
        print("  icepool is not installed: not compared")
        return
    bare, same = timed(with_icepool, wanted.times)
    print(
        f"  icepool          {bare:>8.3f} s   bare tables, {'the same chance' if same == chance else f'gives {same}'}"
    )
    print(f"  the scripts take {again / bare:.1f} times as long as icepool")


if __name__ == "__main__":
    main()
