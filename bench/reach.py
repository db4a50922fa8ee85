"""Which rules play reaches, by kind of play: games of all scenarios for some time, with every citation counted."""

from __future__ import annotations

import argparse
import functools
import os
import random
import secrets
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path
from types import FunctionType
from typing import Any

import flagplot
import flagplot.kernel.rules
from flagplot.kernel.dice import Seeded
from flagplot.kernel.errors import ScenarioError
from flagplot.kernel.options import describe
from flagplot.kernel.requests import Choose
from flagplot.kernel.views import View
from flagplot.library import RULESETS
from flagplot.players import player
from flagplot.register import reach as summary
from flagplot.register import register
from flagplot.register.reach import KINDS, Reach, tallies, unreached, with_twins

SHARES = {
    "naval-battle": 0.13,
    "raider-battle": 0.04,
    "air-phase": 0.04,
    "operation": 0.27,
    "air-turn": 0.5,
    "line-of-battle": 0.02,
}
"""How the time is shared out. Base attacks come up within the others."""
EXTRA = 4
"""So often a quarter of the time is added for the kinds of play in which a rule is still missing."""
BASE_ATTACKS = frozenset({"base-attacks", "base-strike", "carrier-mission", "land-strikes", "port-dive"})
"""The procedures that are attacks on bases (22.43, 23.5, 23.6, 17.463), whatever they are part of."""
AT_SEA = frozenset({"interceptions", "attempts", "passage", "confrontation", "homeward", "encounter"})
"""What those who leave a base under attack may come to at sea is no longer part of the attack."""
PLAYERS = ("random", "random", "doctrine")
LOOKED_AT = 0.04
"""How many of the moments are looked at as people do: the view of a side, its options, the log."""
GENERATED = "generated:"
"""As in `flagplot.generating`, which imports the rules: they must not be there before `Watch` is."""
SCENARIOS = "names or files, or generated:KIND; all that come with Flagplot and generated ones of every kind"
LONGEST = 6000
"""Answers after which a game is left."""


class Watch:
    """Counts the calls of whatever cites a rule. It takes the place of the decorator before the rules are imported."""

    def __init__(self) -> None:
        self.on = False
        self.frames: list[tuple[Any, ...]] = []
        self.cells: list[tuple[tuple[str, ...], list[int]]] = []
        """The ids of each citation, with the number of calls, and of those within base attacks."""

    def rule(self, first: str, *others: str) -> Callable[[Any], Any]:
        cell = [0, 0]
        self.cells.append(((first, *others), cell))
        return functools.partial(self.cited, cell=cell)

    def cited(self, thing: Any, cell: list[int]) -> Any:
        """The thing, counted in this cell whenever it is called; of a class, all its methods."""
        if isinstance(thing, type):
            for name, part in list(vars(thing).items()):
                if isinstance(part, FunctionType):
                    setattr(thing, name, self.cited(part, cell))
                elif isinstance(part, property) and part.fget:
                    setattr(thing, name, property(self.cited(part.fget, cell)))
            return thing

        @functools.wraps(thing)
        def counted(*args: Any, **kwargs: Any) -> Any:
            if self.on:
                cell[0] += 1
                cell[1] += self.in_base_attack()
            return thing(*args, **kwargs)

        vars(counted)["cell"] = cell
        return counted

    def in_base_attack(self) -> bool:
        """Whether what is going on is part of an attack on a base."""
        for frame in reversed(self.frames):
            if frame[0] in BASE_ATTACKS:
                return True
            if frame[0] in AT_SEA:
                return False
        return False

    def outside_caches(self) -> None:
        """Calls that a cache answers count too: the rule comes up, whether or not it is worked out again."""
        functools.cache = self._counting(functools.cache)
        plain = functools.lru_cache

        def lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:
            if callable(maxsize):
                return self._counting(plain)(maxsize)
            return self._counting(plain(maxsize, typed))

        functools.lru_cache = lru_cache

    def _counting(self, cached: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def around(thing: Any) -> Any:
            cell = vars(thing).get("cell") if isinstance(thing, FunctionType) else None
            return cached(thing) if cell is None else self.cited(cached(thing.__wrapped__), cell)

        return around


@dataclass
class Played:
    """What some games of one kind of play came to."""

    kind: str
    games: int = 0
    answers: int = 0
    faults: list[str] = field(default_factory=list)
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    """By rule id, how often it was reached in each kind of play."""

    def add(self, other: Played) -> None:
        self.games, self.answers = self.games + other.games, self.answers + other.answers
        self.faults += other.faults
        for rule_id, counts in other.counts.items():
            self.counts.setdefault(rule_id, Counter()).update(counts)


@dataclass(frozen=True)
class Task:
    """Games of one kind of play, for so many seconds, in a process of their own."""

    kind: str
    scenarios: tuple[str, ...]
    seconds: float
    seed: int


def play(task: Task) -> Played:
    """Play. This must be a fresh process: citations are counted only of what is imported from now on."""
    watch = Watch()
    loaded = [where for where in RULESETS.values() if where.split(":")[0] in sys.modules]
    if loaded:
        raise RuntimeError(f"too late to count: {', '.join(loaded)} have been imported")
    watch.outside_caches()
    flagplot.kernel.rules.rule = watch.rule
    played, end = Played(task.kind), time.perf_counter() + task.seconds
    for scenario, seed in matches(task):
        if time.perf_counter() > end and played.games >= len(task.scenarios):
            break
        try:
            played.answers += play_game(scenario, seed, watch)
        except Exception as fault:  # whatever it is, it is told with its seed
            again = f"play_game({scenario!r}, {seed}, Watch())"
            played.faults.append(f"{task.kind}, {again}: {type(fault).__name__}: {fault}")
        watch.on = False
        played.games += 1
    for ids, (calls, within) in watch.cells:
        for rule_id in ids:
            found = played.counts.setdefault(rule_id, Counter())
            found.update({task.kind: calls, "base-attack": within})
    return played


def matches(task: Task) -> Iterator[tuple[str, int]]:
    """Games of each scenario in turn, each with a seed of its own; of each generated kind a fresh scenario."""
    chance = random.Random(task.seed)
    for scenario in cycle(task.scenarios):
        seed = chance.randrange(10**9)
        yield f"{scenario}:{seed}" if is_generated(scenario) else scenario, seed


def is_generated(scenario: str) -> bool:
    """Whether it is the name of a kind of generated scenarios: ``generated:operation``."""
    return scenario.startswith(GENERATED) and scenario.count(":") == 1


def play_game(scenario: str, seed: int, watch: Watch) -> int:
    """One game with players, readings of the rules and looks that follow from the seed; the number of answers."""
    chance = random.Random(seed)
    data = flagplot.read_scenario(scenario)
    watch.frames, watch.on = [], True
    game = open_game(data, seed, readings(data, chance))
    watch.frames = game.state.frames
    players = {side: player(chance.choice(PLAYERS), chance.randrange(10**9)) for side in game.sides}
    while (request := game.pending) is not None and game.turn < LONGEST:
        if chance.random() < LOOKED_AT:
            watch.frames = []  # whoever looks takes no part in a base attack
            look_at(game, request)
            watch.frames = game.state.frames
        if isinstance(request, Choose):
            watch.on = False  # what a player thinks is not play
            answer = players[request.side].choose(View(game, request.side), request)
            watch.on = True
            game.choose(answer)
        else:
            game.roll()
    look_at(game, None)
    return game.turn


def open_game(data: Mapping[str, Any], seed: int, options: Mapping[str, Any]) -> flagplot.Game[Any]:
    """The game under these readings, or under the standard ones if the scenario is not made for them."""
    try:
        return flagplot.load(data, dice=Seeded(seed), options=options)
    except ScenarioError:
        return flagplot.load(data, dice=Seeded(seed))


def readings(data: Mapping[str, Any], chance: random.Random) -> dict[str, Any]:
    """The standard rules in half of the games, otherwise one other reading or many."""
    known = describe(type(flagplot.library.ruleset(data["game"]).options))
    share = chance.choice([0.0, 0.0, 1 / len(known), 0.4])
    given = data.get("options", {})
    return {
        option.name: chance.choice(option.alternatives)
        for option in known
        if option.name not in given and chance.random() < share
    }


def look_at(game: Any, request: object) -> None:
    """Read what people read: the position of each side, its log, the options, the result."""
    for side in game.sides:
        str(game.view(side))
        [str(entry) for entry in game.log(side)[-20:]]
    if request is None:
        game.result  # noqa: B018 - it is made when it is read
    else:
        str(request)
    if isinstance(request, Choose):
        [option.label for option in request.options]


def kind_of(data: Mapping[str, Any]) -> str:
    """The kind of play that a scenario is."""
    if data["game"] == "line-of-battle":
        return "line-of-battle"
    raiders = data["kind"] == "naval-battle" and data.get("raiders")
    return "raider-battle" if raiders else str(data["kind"])


def kind_of_generated(name: str) -> str:
    """The kind of play of scenarios that are generated; attacks on bases are made in operations."""
    kind = name.removeprefix(GENERATED)
    return "operation" if kind == "base-attack" else kind


def by_kind(names: list[str]) -> dict[str, tuple[str, ...]]:
    """The scenarios of each kind of play, and where some are generated one of those after each of the others."""
    found: dict[str, list[str]] = {}
    for name in names:
        kind = kind_of_generated(name) if is_generated(name) else kind_of(flagplot.read_scenario(name))
        found.setdefault(kind, []).append(name)
    for here in found.values():
        made = [name for name in here if is_generated(name)]
        written = [name for name in here if not is_generated(name)]
        more = len(written) // len(made) if made else 0
        here += made * more
    return {kind: tuple(names) for kind, names in found.items()}


def run(names: list[str], seconds: float, seed: int, jobs: int) -> dict[str, Played]:
    """Play all kinds for so many seconds, and up to as long again those in which a rule is missing."""
    scenarios, chance = by_kind(names), random.Random(seed)
    total = play_kinds(scenarios, seconds, chance, jobs)
    for _ in range(EXTRA):
        missing = {kind: scenarios[kind] for kind in lacking(gathered(total, "")) if kind in scenarios}
        if not missing:
            break
        for kind, part in play_kinds(missing, seconds / EXTRA, chance, jobs).items():
            total[kind].add(part)
    return total


def lacking(found: Reach) -> set[str]:
    """The kinds of play that should go on: something that applies to them is neither reached nor explained."""
    kinds = {gap.kind for gap in unreached(found) if not gap.reason}
    return kinds | {"operation", "air-turn"} if "base-attack" in kinds else kinds


def play_kinds(
    scenarios: Mapping[str, tuple[str, ...]], seconds: float, chance: random.Random, jobs: int
) -> dict[str, Played]:
    """Play these kinds for so many seconds together; what came of each."""
    whole = sum(SHARES[kind] for kind in scenarios)
    tasks = [
        Task(kind, scenarios[kind], seconds * share / whole, chance.randrange(10**9))
        for kind, share in SHARES.items()
        if kind in scenarios
        for _ in range(jobs)
    ]
    total: dict[str, Played] = {}
    with ProcessPoolExecutor(jobs, get_context("spawn"), max_tasks_per_child=1) as pool:
        for played in pool.map(play, tasks):
            total.setdefault(played.kind, Played(played.kind)).add(played)
    return total


def gathered(parts: Mapping[str, Played], note: str) -> Reach:
    """The summary of what was played."""
    counts: dict[str, Counter[str]] = {}
    for part in parts.values():
        for rule_id, found in part.counts.items():
            counts.setdefault(rule_id, Counter()).update(found)
    return Reach(note, with_twins(counts))


def versions() -> str:
    return ", ".join(flagplot.library.ruleset(name).version for name in RULESETS)


def show(found: Reach, shown: int) -> None:
    rules = [rule for rule in register().values() if rule.is_mechanic]
    print(f"{'':<16} {'applies':>8} {'reached':>8} {'explained':>10} {'missing':>8}")
    for kind, tally in tallies(found, rules).items():
        figures = f"{tally.applies:>8} {tally.reached:>8} {tally.explained:>10} {tally.missing:>8}"
        print(f"{KINDS[kind]:<16} {figures}")
    missing = [gap for gap in unreached(found, rules) if not gap.reason]
    for gap in missing[:shown]:
        print(f"{gap.rule.id}  {gap.rule.title}: not reached in {KINDS[gap.kind]}")
    if len(missing) > shown:
        print(f"… and {len(missing) - shown} more; --all lists them")
    nowhere = sum(not found.of(rule.id) for rule in rules)
    print(f"{len(rules) - nowhere} of {len(rules)} mechanics are reached in some kind of play")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=0.0, help="how long to play; up to as long again if rules are missing"
    )
    parser.add_argument("--minutes", type=float, default=0.0, help="the same in minutes; 10 if neither is given")
    parser.add_argument("--seed", type=int, help="a number printed by an earlier run; a fresh one if it is left out")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes; as many as there are cores")
    parser.add_argument("--write", action="store_true", help="write the summary that comes with the program")
    parser.add_argument("--all", action="store_true", help="list everything that is not reached")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO", help=SCENARIOS)
    wanted = parser.parse_args(arguments)
    seed = wanted.seed if wanted.seed is not None else secrets.randbelow(10**9)
    seconds = wanted.seconds + 60 * wanted.minutes or 600
    names = wanted.scenarios or [*flagplot.scenario_names(), *[f"{GENERATED}{kind}" for kind in KINDS]]
    print(f"seed {seed}: {seconds:,.0f} seconds, {wanted.jobs} processes, {len(names)} scenarios", flush=True)
    parts = run(names, seconds, seed, wanted.jobs)
    games, faults = (
        sum(part.games for part in parts.values()),
        [line for part in parts.values() for line in part.faults],
    )
    print("games: " + ", ".join(f"{KINDS[kind]} {part.games:,}" for kind, part in parts.items()))
    note = f"seed {seed}, {seconds:,.0f} seconds, {wanted.jobs} processes, {games:,} games, {versions()}"
    found = gathered(parts, note)
    show(found, 10**6 if wanted.all else 40)
    if wanted.write:
        path = Path(summary.__file__).with_name(summary.FILE)
        path.write_text(summary.written(found), encoding="utf-8")
        print(f"written to {path}")
    for line in faults[:20]:
        print(line, file=sys.stderr)
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
