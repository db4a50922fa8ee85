"""The exact odds of a large air strike, beside simulation with the same scripts and icepool with bare tables.

With ``--ladder``: how large a question may be that is answered exactly within a minute.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from random import Random
from typing import Any, NamedTuple

from flagplot.awaw.ships import Ship
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.grids import air_combat_row, air_defense_row, naval_attack_by_air_row
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.procedures import Border, story
from flagplot.kernel.replaying import Position
from flagplot.kernel.requests import Choose, Note
from flagplot.kernel.views import View
from flagplot.library import ruleset
from flagplot.odds import ask
from flagplot.odds.answer import Answer
from flagplot.odds.answers.strike import outcome_of
from flagplot.odds.answers.strike_state import TARGET, strike_state
from flagplot.odds.enumerator import Limits
from flagplot.odds.questions.shared import ATTACKERS, DEFENDERS
from flagplot.odds.questions.strike import StrikeQuestion
from flagplot.odds.reading import read
from flagplot.players.doctrine import DoctrinePlayer
from flagplot.players.doctrine.target_value import CARRIER, LIGHT_FACTOR, LIGHT_SHIPS, Prey, air_attack_plan

STRIKE = {
    "attackers": "12 japan elite",
    "target": "Enterprise, Hornet, Yorktown, Wasp, 8 cruisers, 4 destroyers",
    "cap": 4,
}
"""Twelve elite squadrons on four carriers under a patrol of four."""
ERROR = 0.005
"""The standard error that simulation is to reach."""


Chances = dict[Any, Fraction]


def exact() -> Answer:
    """The whole answer: ships, light ships, squadrons of both sides, ledgers."""
    return ask("strike", **STRIKE)


def carrier_sinks(answer: Answer) -> Fraction:
    """The chance that at least one carrier sinks."""
    return 1 - part(answer, "Fast carriers sunk").get(0, Fraction(0))


def part(answer: Answer, title: str) -> Chances:
    (found,) = [one.chances.chances for one in answer.parts if one.title == title]
    return found


# --- simulation with the same scripts -------------------------------------------------------------------------------


def opening() -> State:
    question = read("strike", STRIKE)
    assert isinstance(question, StrikeQuestion)
    return strike_state(question)


def simulated(battles: int) -> float:
    """The share of some battles in which at least one carrier sank."""
    state, chance, player = opening(), Random(7), DoctrinePlayer()
    players, sum_up = {ATTACKERS: player, DEFENDERS: player}, outcome_of(state)
    sizes = [which.size for which in state.battle.groups[TARGET].ships if which.named]
    sunk = 0
    for _ in range(battles):
        end = sum_up(_flown(copy_of(state), players, chance))
        sunk += any(hits >= size for hits, size in zip(end.hits, sizes, strict=True))
    return sunk / battles


def _flown(state: State, players: dict[str, DoctrinePlayer], chance: Random) -> State:
    """Go through the strike once, with dice."""
    rules, depth = ruleset("awaw"), len(state.frames)
    while len(state.frames) >= depth:
        script = story(rules.procedures, state)
        answer: Any = None
        while not isinstance(request := script.send(answer), Border):
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


def with_icepool() -> Any:
    """The hits on the four carriers together, by icepool, from the rows of the tables and the share-out of the doctrine
    player alone: the rows, the modifiers and the order of the steps were looked up by a person."""
    icepool: Any = import_module("icepool")
    two_dice = 2 @ icepool.d6
    ships = carriers()
    combat, guns = air_combat_row(4), air_defense_row(3)

    def through(roll: int) -> Any:
        left = 12 - sum(combat[roll - 2])
        return two_dice.map(lambda fire: max(0, left - sum(guns[fire - 2])))

    def struck(squadrons: int) -> Any:
        plan = shares(ships, squadrons)
        dice = [
            two_dice.map(_hits(naval_attack_by_air_row(some), which)) if some else icepool.Die([0])
            for which, some in zip(ships, plan, strict=False)
        ]
        return icepool.map(lambda *hits: tuple(hits), *dice)

    return two_dice.map(through).map(struck)


def _hits(row: tuple[int, ...], which: Ship) -> Callable[[int], int]:
    """The hits of an attack at +4, as elite squadrons have it on these carriers."""
    return lambda roll: min(row[min(roll + 4, 12) - 2], which.size)


def carriers() -> list[Ship]:
    return [which for which in opening().battle.groups[TARGET].ships if which.named]


def compared(answer: Answer, bare: Any) -> int:
    """Check that both say the same of the carriers, fraction by fraction; how many chances there were."""
    ships = carriers()
    asked: dict[str, Callable[[Any], int]] = {
        "Fast carriers sunk": lambda hits: sum([one >= which.size for one, which in zip(hits, ships, strict=True)]),
        "Fast carriers sunk or damaged": lambda hits: sum(
            [one >= which.size - 1 for one, which in zip(hits, ships, strict=True)]
        ),
    }
    for place, which in enumerate(ships):
        asked[f"{which.name}, {which.size} factors: hits"] = lambda hits, place=place: hits[place]  # type: ignore[misc]
    for title, number in asked.items():
        theirs: Chances = {}
        for hits, ways in bare.items():
            theirs[number(hits)] = theirs.get(number(hits), Fraction(0)) + Fraction(ways, bare.denominator())
        ours = {int(outcome): chance for outcome, chance in part(answer, title).items()}
        assert ours == theirs, f"{title}: {ours} by the scripts, {theirs} by icepool"
    return sum([len(part(answer, title)) for title in asked])


def shares(ships: list[Ship], squadrons: int) -> tuple[int, ...]:
    """How the doctrine player shares out squadrons of DRM 4 among carriers of DRM 0 and light ships of DRM 2."""
    targets = [Prey(which.id, CARRIER, which.size, 0, which.drm) for which in ships]
    return air_attack_plan((*targets, Prey(LIGHT_SHIPS, LIGHT_FACTOR, 12, 0, 2)), squadrons, 4)


# --- how large a question may be -----------------------------------------------------------------------------------

PATIENCE = 60.0
"""Seconds in which a question is to be answered exactly."""
BUDGET = 180.0
"""Seconds for the whole ladder."""


class Rung(NamedTuple):
    """A question of a ladder."""

    about: str
    kind: str
    words: dict[str, Any]


GUNS = ["Alaska", "Guam", "Hawaii", "Philippines", "Orion", "Swiftsure", "Revanche"]
DECKS = ["Bataan", "Belleau Wood", "Buena Vista", "Cowpens", "Independence"]
"""Twelve ships of two factors: more do not go into a task force, and more squadrons not into a strike."""
OURS = ["Yamato", "Nagato", "Ise", "Hyuga", "Fuso"]
THEIRS = ["Iowa", "Washington", "Colorado", "Maryland", "California"]


def rungs() -> list[Rung]:
    """Three ladders; the last rung of each, which may take long, at the end."""
    standard = {
        "ours": "Yamato, Musashi, Nagato, Mutsu, Ise, Hyuga, Fuso, Yamashiro, 10 cruisers, 10 destroyers",
        "theirs": "Iowa, New Jersey, North Carolina, Washington, Colorado, Maryland, California, Tennessee, "
        "10 cruisers, 10 destroyers",
    }
    return [
        Rung("strike: the standard one", "strike", dict(STRIKE)),
        Rung("fleet combat: the standard one, 8 to 8, falls apart", "engagement", standard),
        *[_combat(number) for number in (3, 4)],
        *[_submarines(number) for number in (6, 9)],
        *[_strike(number) for number in (8, 10, 12)],
        _submarines(12),
        _combat(5),
    ]


def _strike(number: int) -> Rung:
    ships = [*GUNS[: number - number // 2 + 1], *DECKS][:number]
    words = {
        "attackers": STRIKE["attackers"],
        "target": ", ".join([*ships, "1 united-states destroyers"]),
        "aim": ", ".join([name.lower().replace(" ", "-") for name in ships]),
        "cap": 2,
    }
    return Rung(f"strike: 12 squadrons, {number} named targets", "strike", words)


def _submarines(number: int) -> Rung:
    target = "Ark Royal, Hood, Rodney, Nelson, 6 cruisers, 4 destroyers"
    words = {"submarines": number, "nation": "germany", "target": target}
    return Rung(f"submarines: {number} on 4 named ships and light ships", "submarine", words)


def _combat(number: int) -> Rung:
    """Surplus light ships look at what became of each capital ship, so nothing can be taken apart."""
    fleets = {
        "ours": ", ".join([*OURS[:number], "20 japan destroyers"]),
        "theirs": ", ".join([*THEIRS[:number], "4 united-states destroyers"]),
    }
    return Rung(f"fleet combat: {number} to {number}, followed together", "engagement", fleets)


def climb() -> None:
    """Each question in a process of its own, so that its memory is its own."""
    print(
        f"the largest questions; {PATIENCE:.0f} seconds for each, {BUDGET:.0f} in all; told are those of the processor"
    )
    print(f"  {'':<52} {'states':>10} {'seconds':>8} {'memory':>8}")
    start = time.monotonic()
    for number, rung in enumerate(rungs()):
        left = BUDGET - (time.monotonic() - start)
        if left < 5:
            print(f"  {rung.about:<52} not tried: the time is used up")
            continue
        command = [sys.executable, __file__, "--rung", str(number), "--patience", str(min(PATIENCE, left))]
        found = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)
        told = "whole" if not found["left"] else f"not whole: {found['left']:.2%} left over"
        print(
            f"  {rung.about:<52} {found['states']:>10,} {found['seconds']:>8.1f} {found['memory']:>5,} MB  {told}",
            flush=True,
        )


def stand_on(number: int, patience: float) -> None:
    """Answer one question and say what it took."""
    rung = rungs()[number]
    most = 10_000_000
    limits = {"states": most, "seconds": int(patience)}
    start = time.process_time()
    answer = ask(rung.kind, **rung.words, **({"limits": Limits(most, patience)} if rung.kind == "strike" else limits))
    seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    left = float(answer.left_over)
    print(json.dumps({"states": answer.states, "seconds": seconds, "memory": memory, "left": left}))


# --- all of it ------------------------------------------------------------------------------------------------------


class Best:
    """The best time of something, in seconds of the processor, since other programs may be running; and what came of it
    the last time."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.found: Any = None
        self.seconds = float("inf")

    def once_more(self) -> float:
        gc.collect()
        start = time.process_time()
        self.found = self.work()
        spent = time.process_time() - start
        self.seconds = min(self.seconds, spent)
        return spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=1500, help="battles that are simulated to measure one (1500)")
    parser.add_argument("--times", type=int, default=5, help="turns; all take turns, the best of each counts (5)")
    parser.add_argument("--ladder", action="store_true", help="questions that grow, three minutes at most")
    parser.add_argument("--rung", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--patience", type=float, default=PATIENCE, help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.rung is not None:
        stand_on(wanted.rung, wanted.patience)
    elif wanted.ladder:
        climb()
    else:
        compare(wanted.battles, wanted.times)


def compare(battles: int, times: int) -> None:
    """The same strike in three ways."""
    scripts, dice, bare = Best(exact), Best(lambda: simulated(battles)), Best(with_icepool)
    first = scripts.once_more()
    for _ in range(times):
        for one in (scripts, dice, bare):
            one.once_more()
    answer: Answer = scripts.found
    chance, share = carrier_sinks(answer), float(dice.found)
    variance = float(chance * (1 - chance))
    needed = variance / ERROR**2
    simulation = dice.seconds / battles * needed
    off = abs(share - float(chance)) / (variance / battles) ** 0.5
    same = compared(answer, bare.found)
    print(f"{STRIKE['attackers']} on {STRIKE['target']}, {STRIKE['cap']} on patrol")
    print(f"a carrier is sunk: {float(chance):.4%} exactly")
    print(f"                   {share:.2%} of {battles:,} battles, {off:.1f} standard errors off")
    print(f"  exact            {scripts.seconds:>8.3f} s   {first:.3f} s the first time; {answer.states:,} states")
    print(f"  simulation       {simulation:>8.3f} s   {needed:,.0f} battles for a standard error of {ERROR:.1%}")
    print(f"  simulation takes {simulation / scripts.seconds:.1f} times as long as the exact answer")
    print(f"  icepool          {bare.seconds:>8.4f} s   bare tables: the hits on the four carriers, nothing else")
    print(f"  the same {same} chances of hits, damage and sinking, fraction by fraction")
    print(f"  the scripts take {scripts.seconds / bare.seconds:.0f} times as long as icepool")
    print(
        "  (they also find light ships, squadrons and ledgers, and look every row, modifier and decision up themselves)"
    )


if __name__ == "__main__":
    main()
