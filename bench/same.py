"""Plays the same games with this tree and an older one and compares them to the byte: has a change changed any play?

`./bench/run same --against COMMIT` plays every scenario in both trees, with random and with doctrine players, and
compares what is asked, offered and rolled, what each reader sees and reads, and the save. For each scenario it counts
the games that differ in each part, and of each part it shows a difference; `--without` leaves out the parts that are
meant to differ. `--keep FILE` keeps digests of the games of this tree, and `--against FILE` compares with those: the
older games are then played only once. Exit code 0 means that all is the same, 1 that something differs, 2 bad input.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from itertools import groupby, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from bench._same_games import Match
from bench._same_trees import ROOT, BadInput, Digests, Workers, commit_of, finished, git, worktree

MADE = "generated:"
FORM = 1
"""The form of kept digests: another one whenever `_same_games.story` tells something else of a game."""
SHOWN = 3
"""Games of which a difference in the same part is shown, one of each scenario."""
FAULT = "fault"
"""What differs if a game cannot be played to its end."""
LINES, WIDTH = 14, 150
"""Lines of a difference that are shown, and how much of each."""


class Settings(NamedTuple):
    """Which games are played, and how often views are looked at. By default both trees take less than five minutes on
    two cores."""

    random: int = 40
    doctrine: int = 10
    generated: int = 3
    seed: int = 1
    every: int = 4
    scenario: tuple[str, ...] = ()
    """All that come with Flagplot if there are none."""


class Kept(NamedTuple):
    """Digests in a file, with the commit that they are of."""

    commit: str
    changed: bool
    """Whether the tree held changes that were not committed."""
    settings: Settings
    games: dict[Match, Digests]


# --- files of digests -------------------------------------------------------------------------------------------


def keep(path: Path, settings: Settings, games: dict[Match, Digests]) -> None:
    """Write a file of digests, with the commit that they are of."""
    header: dict[str, Any] = {"same": FORM, "commit": "", "changed": True, "settings": settings._asdict()}
    with contextlib.suppress(BadInput):  # without git there is no commit
        header |= {"commit": git("rev-parse", "HEAD"), "changed": bool(git("status", "--porcelain", "--", "flagplot"))}
    lines = [header, *[{**match._asdict(), **told._asdict()} for match, told in games.items()]]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf8")


def read_kept(path: Path) -> Kept:
    try:
        header, *lines = [json.loads(line) for line in path.read_text(encoding="utf8").splitlines()]
        if header["same"] != FORM:
            raise BadInput(f"{path} was kept in another form ({header['same']}, now {FORM}): keep it anew")
        given = header["settings"]
        settings = Settings(**given | {"scenario": tuple(given["scenario"])})
        games = {Match(line["scenario"], line["player"], line["seed"]): Digests.of(line) for line in lines}
        return Kept(header["commit"], header["changed"], settings, games)
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise BadInput(f"{path} is not a file that --keep wrote: {fault!r}") from fault


# --- which games ------------------------------------------------------------------------------------------------


def settled(wanted: argparse.Namespace, usual: Settings) -> Settings:
    """What is asked for, and as usual what is left open."""
    given = {name: value for name in Settings._fields if (value := getattr(wanted, name)) is not None}
    if "scenario" in given:
        given = {"generated": 0} | given
    return usual._replace(**given)


def matches(settings: Settings, scenarios: Iterable[str], kinds: Iterable[str]) -> list[Match]:
    """The games to play. A generated scenario is played once by each kind of player."""
    first = settings.seed
    counts = {"random": settings.random, "doctrine": settings.doctrine}
    named = [
        Match(name, who, seed)
        for name in settings.scenario or scenarios
        for who, number in counts.items()
        for seed in range(first, first + number)
    ]
    made = [
        Match(f"generated:{kind}:{number}", who, number)
        for kind in kinds
        for number in range(first, first + settings.generated)
        for who in counts
        if counts[who]
    ]
    return named + made


# --- comparing --------------------------------------------------------------------------------------------------


@dataclass
class Row:
    """One scenario: what was played, what differs, and what there is nothing to compare with."""

    scenario: str
    games: int = 0
    requests: int = 0
    differing: dict[Match, list[str]] = field(default_factory=dict)
    """The games that differ, each with the parts that do."""

    def __str__(self) -> str:
        found = "same"
        if self.differing:
            first = next(iter(self.differing))
            counts = Counter(part for parts in self.differing.values() for part in parts)
            told = ", ".join(f"{part} {number:,}" for part, number in counts.items())
            found = f"{differ(len(self.differing))} ({told}), first {first.player} {first.seed}"
        return f"{self.scenario:<28} {self.games:>6} {self.requests:>9,}   {found}"


def differing(old: Digests, new: Digests, without: Sequence[str]) -> list[str]:
    """The parts in which two games differ, for whichever reader; none if they are the same."""
    if old.fault or new.fault:
        return [FAULT]
    parts = [part for part in {**old.parts, **new.parts} if old.parts.get(part) != new.parts.get(part)]
    return [name for name in dict.fromkeys(map(name_of, parts)) if name not in without]


def differ(number: int) -> str:
    return f"{number:,} differ{'s' * (number == 1)}"


def name_of(part: str) -> str:
    """A part, whoever reads it."""
    return part.partition(":")[0]


def compare(
    games: Sequence[Match], old: Iterable[Digests], new: Iterable[Digests], without: Sequence[str]
) -> Iterator[Row]:
    """A row for each scenario."""
    together = zip(games, old, new, strict=True)
    for scenario, group in groupby(together, key=lambda each: group_of(each[0].scenario)):
        row = Row(scenario)
        for match, before, now in group:
            row.games, row.requests = row.games + 1, row.requests + now.requests
            if parts := differing(before, now, without):
                row.differing[match] = parts
        yield row


def group_of(scenario: str) -> str:
    """Generated scenarios of one kind share a row."""
    return scenario.rpartition(":")[0] or scenario


# --- showing a difference ---------------------------------------------------------------------------------------


def to_show(rows: Iterable[Row]) -> dict[Match, list[str]]:
    """Which games are looked at more closely, and at which parts: of each part the first game of a few scenarios."""
    found: dict[Match, list[str]] = {}
    times: Counter[str] = Counter()
    for row in rows:
        firsts = {part: match for match, parts in reversed(row.differing.items()) for part in parts}
        for part, match in firsts.items():
            times[part] += 1
            if times[part] <= SHOWN:
                found.setdefault(match, []).append(part)
    return found


def shown(match: Match, parts: Sequence[str], every: int, there: Workers, here: Workers) -> Iterator[str]:
    """The first difference in each of some parts of a game, which is played again in both trees for that."""
    old, new = [workers.ask(match, every, "outline") for workers in (there, here)]
    for name, outline in (("the old tree", old), ("this tree", new)):
        if isinstance(outline, dict):
            yield f"{match}: a fault in {name}:\n{outline['fault'].rstrip()}"
            return
    for name in parts:
        places = first_difference(old, new, name)
        if places is None:
            yield f"{match}: played again, {name} is the same in both trees. Either the kept digests are not of that"
            yield "  commit, or the game does not follow from its seed alone."
            continue
        before, now = old[places[0] : places[0] + 1], new[places[1] : places[1] + 1]  # one of them may be at its end
        request, part, _ = (now or before)[0]
        yield f"{match}, request {request}: {part} differs"
        if before and before[0][:2] != [request, part]:
            yield f"  in its place the old tree tells {before[0][1]} of request {before[0][0]}"
        texts = [workers.ask(match, every, place) for workers, place in zip((there, here), places, strict=True)]
        yield from [f"  {line}" for line in difference(texts[0], texts[1])]


def first_difference(old: Sequence[Any], new: Sequence[Any], name: str) -> tuple[int, int] | None:
    """The places in two outlines at which they first differ in a part."""
    compared = [
        [(place, told) for place, told in enumerate(outline) if name_of(told[1]) == name] for outline in (old, new)
    ]
    for before, now in zip_longest(*compared):
        if before is None or now is None or before[1] != now[1]:
            return (before[0] if before else len(old)), (now[0] if now else len(new))
    return None


def difference(old: str, new: str) -> list[str]:
    """Two texts around the place where they begin to differ, line by line."""
    lines = list(difflib.unified_diff(_lines(old), _lines(new), lineterm="", n=2))[2:]
    gone, come = [next((line[1:] for line in lines if line[0] == sign), "") for sign in "-+"]
    shared = next((column for column, (a, b) in enumerate(zip(gone, come, strict=False)) if a != b), 0)
    start = max(0, shared - WIDTH // 2)
    return [_clipped(line, start) for line in lines[:LINES]] + ["…"] * (len(lines) > LINES)


def _lines(text: str) -> list[str]:
    """JSON is told one value a line."""
    with contextlib.suppress(ValueError):
        text = json.dumps(json.loads(text), ensure_ascii=False, indent=1)
    return text.splitlines()


def _clipped(line: str, start: int) -> str:
    """As much of a line of a difference as fits, from some column if it is long."""
    if len(line) <= WIDTH:
        return line
    text = line[1:]
    return line[0] + "…" * (start > 0) + text[start : start + WIDTH] + "…" * (len(text) > start + WIDTH)


# --- the program ------------------------------------------------------------------------------------------------


def list_games(here: Workers, settings: Settings, file: Path | None) -> int:
    """Play the games of this tree alone; print a line for each, or keep them."""
    games = matches(settings, here.scenarios, here.kinds)
    kept: dict[Match, Digests] = {}
    for match, told in zip(games, here.play(games, settings.every), strict=True):
        kept[match] = told
        if told.fault:
            print(f"{match}: {told.fault}", file=sys.stderr)
        elif file is None:
            whole = blake2b("".join(told.parts.values()).encode(), digest_size=16).hexdigest()
            print(f"{match.scenario:<28} {match.player:<9} {match.seed:>4} {told.requests:>6} {whole}", flush=True)
    faults = sum(bool(told.fault) for told in kept.values())
    if file is not None:
        keep(file, settings, kept)
        requests = sum(told.requests for told in kept.values())
        print(f"{len(kept):,} games, {requests:,} requests, {faults} faults: kept in {file}")
    return 1 if faults else 0


@dataclass
class Old:
    """What this tree is compared with: the tree of a commit, or a file of digests and the commit that they are of."""

    scenarios: Sequence[str]
    kinds: Sequence[str]
    play: Callable[[Sequence[Match], int], Iterable[Digests]]
    commit: str
    settings: Settings
    workers: Workers | None = None


def opened(against: str, jobs: int, closing: contextlib.ExitStack) -> Old:
    if not Path(against).is_file():
        commit = commit_of(against, "neither a file nor a commit")
        workers = closing.enter_context(Workers(closing.enter_context(worktree(commit)), jobs))
        return Old(workers.scenarios, workers.kinds, workers.play, commit, Settings(), workers)
    kept = read_kept(Path(against))
    names = list(dict.fromkeys(match.scenario for match in kept.games))
    kinds = list(dict.fromkeys(group_of(name).removeprefix(MADE) for name in names if name.startswith(MADE)))
    named = [name for name in names if not name.startswith(MADE)]

    def play(games: Sequence[Match], every: int) -> Iterable[Digests]:
        if missing := [match for match in games if match not in kept.games]:
            raise BadInput(f"{against} does not hold {missing[0]}; it was kept with {kept.settings}")
        if every != kept.settings.every:
            raise BadInput(f"{against} was kept with --every {kept.settings.every}")
        return [kept.games[match] for match in games]

    return Old(named, kinds, play, "" if kept.changed else kept.commit, kept.settings)


def compare_trees(
    old: Old, here: Workers, settings: Settings, wanted: argparse.Namespace, closing: contextlib.ExitStack
) -> int:
    """A row for each scenario, and of each part in which games differ some differences."""
    scenarios = settings.scenario or [name for name in here.scenarios if name in old.scenarios]
    kinds = [kind for kind in here.kinds if kind in old.kinds]
    games = matches(settings, scenarios, kinds)
    if not games:
        raise BadInput("there is nothing to compare")
    start, rows = time.perf_counter(), []
    before, now = old.play(games, settings.every), here.play(games, settings.every)
    print(f"{'scenario':<28} {'games':>6} {'requests':>9}")
    for row in compare(games, before, now, wanted.without):
        rows.append(row)
        print(row, flush=True)
    gone = [name for name in old.scenarios if name not in here.scenarios] if not settings.scenario else []
    fresh = [name for name in here.scenarios if name not in old.scenarios] if not settings.scenario else []
    for words, names in (("only in the old tree", gone), ("new, and compared with nothing", fresh)):
        if names:
            print(f"{words}: {', '.join(names)}")
    show(to_show(rows), old, here, settings.every, closing)
    number, requests = sum(len(row.differing) for row in rows), sum(row.requests for row in rows)
    spent = time.perf_counter() - start
    result = differ(number) if number else "all the same"
    print(f"{len(games):,} games, {requests:,} requests, {spent:,.0f} seconds: {result}")
    return 1 if number or gone else 0


def show(found: dict[Match, list[str]], old: Old, here: Workers, every: int, closing: contextlib.ExitStack) -> None:
    """Differences of some games, each in some parts."""
    if not found:
        return
    if old.workers is None:
        try:
            old.workers = closing.enter_context(Workers(closing.enter_context(worktree(commit_of(old.commit))), 1))
        except BadInput:
            print("\nThe old games cannot be played again to show more: they are of no commit that is here.\n")
            return
    for match, parts in found.items():
        print("", *shown(match, parts, every, old.workers, here), sep="\n", flush=True)
    print()


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    usual = Settings()
    parser = argparse.ArgumentParser(prog="./bench/run same", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--against", metavar="COMMIT|FILE", help="what to compare with; else the games are listed")
    parser.add_argument("--keep", metavar="FILE", type=Path, help="keep digests of the games of this tree")
    for who in ("random", "doctrine"):
        number = getattr(usual, who)
        parser.add_argument(f"--{who}", type=_count, metavar="N", help=f"{who} games of each scenario ({number})")
    parser.add_argument(
        "--generated",
        type=_count,
        metavar="N",
        help=f"generated scenarios of each kind, each played once by each kind of player ({usual.generated})",
    )
    parser.add_argument("--scenario", nargs="+", metavar="NAME", help="some scenarios, or generated:KIND:NUMBER (all)")
    parser.add_argument("--seed", type=_count, metavar="N", help=f"the first seed ({usual.seed})")
    parser.add_argument("--every", type=_count, metavar="K", help=f"views at one request in K ({usual.every})")
    parser.add_argument("--jobs", type=_count, default=2, metavar="N", help="processes, at least one a tree (2)")
    parser.add_argument(
        "--without", nargs="+", default=[], metavar="PART", help="parts that may differ: state, order, log, …"
    )
    return parser.parse_args(arguments)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"“{text}” is not a whole number")
    return int(text)


def run(wanted: argparse.Namespace, closing: contextlib.ExitStack) -> int:
    if wanted.every == 0 or wanted.jobs == 0:
        raise BadInput("--every and --jobs are at least 1")
    if wanted.against and wanted.keep:
        raise BadInput("--keep is for the games of this tree alone: leave out --against")
    is_commit = wanted.against and not Path(wanted.against).is_file()
    jobs = max(1, wanted.jobs // 2) if is_commit else wanted.jobs
    old = opened(wanted.against, jobs, closing) if wanted.against else None
    settings = settled(wanted, old.settings if old else Settings())
    here = closing.enter_context(Workers(ROOT, jobs))
    for name in settings.scenario:
        if name not in here.scenarios and not name.startswith(MADE):
            raise BadInput(f"there is no scenario “{name}”; there are {', '.join(here.scenarios)}")
    if old is None:
        return list_games(here, settings, wanted.keep)
    return compare_trees(old, here, settings, wanted, closing)


def main(arguments: Sequence[str] | None = None) -> int:
    return finished(partial(run, parsed(arguments)))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the old tree is removed then too
    sys.exit(main())
