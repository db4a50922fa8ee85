"""Functions that cite rules, broken at random places: how many of the mutants do the tests kill?"""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
import sys
import time
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench._breaking import Mutant, modules, mutants
from bench._trying import LEAST, Plan, Verdict, session

ROOT = Path(__file__).resolve().parents[1]
EQUIVALENT = "bench/equivalent_mutants.toml"
"""Mutants that give the same results as the sound code, each with the reason."""
OFTEN = 25
"""Mutants between two writes of the file of results."""

Name = tuple[str, str, str]


@dataclass(slots=True)
class Results:
    """What has become of the mutants so far."""

    of: int
    seed: int | None
    marked_only: bool
    file: Path | None
    verdicts: list[tuple[Mutant, Verdict]] = field(default_factory=list)
    start: float = field(default_factory=time.perf_counter)

    def add(self, mutant: Mutant, verdict: Verdict) -> None:
        self.verdicts.append((mutant, verdict))
        if self.file and len(self.verdicts) % OFTEN == 0:
            self.write()
        if sys.__stderr__ and sys.__stderr__.isatty():
            print(f"\r{len(self.verdicts):,} of {self.of:,} {self.shares()}", end="", file=sys.__stderr__, flush=True)

    @property
    def marked(self) -> int:
        return sum(verdict.killed and verdict.marked for _, verdict in self.verdicts)

    @property
    def killed(self) -> int:
        return sum(verdict.killed for _, verdict in self.verdicts)

    @property
    def alive(self) -> str:
        """What can be said of a mutant that no test has killed."""
        return "alive to marked tests, others not tried" if self.marked_only else "alive"

    def shares(self) -> str:
        tried = len(self.verdicts) or 1
        return f"{self.marked / tried:.1%} by marked tests, {self.killed / tried:.1%} by all"

    def write(self) -> None:
        if self.file:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            found = {
                "seed": self.seed,
                "of": self.of,
                "tried": len(self.verdicts),
                "killed_by_marked": self.marked,
                "killed": None if self.marked_only else self.killed,
                "mutants": [as_dict(mutant, verdict, self.alive) for mutant, verdict in self.verdicts],
            }
            self.file.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def as_dict(mutant: Mutant, verdict: Verdict, alive: str) -> dict[str, Any]:
    return {
        "file": mutant.file,
        "line": mutant.line,
        "function": mutant.function.name,
        "kind": mutant.change.kind,
        "before": mutant.before,
        "after": mutant.after,
        "rules": list(mutant.rules),
        "result": "marked" if verdict.killed and verdict.marked else "package" if verdict.killed else alive,
        "by": verdict.by,
        "marked_tests": verdict.reached[0],
        "other_tests": verdict.reached[1],
    }


def drawn(everything: list[Mutant], sample: int, seed: int) -> list[Mutant]:
    """One mutant each of so many places."""
    places: dict[tuple[str, int], list[Mutant]] = {}
    for mutant in everything:
        places.setdefault((mutant.file, mutant.place), []).append(mutant)
    chance = random.Random(seed)
    return [chance.choice(found) for found in chance.sample(list(places.values()), min(sample, len(places)))]


def equivalents(path: Path) -> dict[Name, str]:
    """The mutants judged equivalent, with the reasons."""
    if not path.exists():
        return {}
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", [])
    found = {(row["function"], row["before"], row["after"]): row.get("reason", "").strip() for row in rows}
    if unexplained := [name for name, reason in found.items() if not reason]:
        raise SystemExit(f"{path.name}: no reason is given for {unexplained}")
    return found


def told(mutant: Mutant, verdict: Verdict, alive: str) -> str:
    """One mutant in a few lines."""
    end = f"killed by {verdict.by}" if verdict.killed else verdict.by or alive
    marked, others = verdict.reached
    return "\n".join(
        [
            f"{mutant.file}:{mutant.line} {mutant.function.name} [{mutant.change.kind}] {', '.join(mutant.rules)}",
            f"  - {mutant.before}",
            f"  + {mutant.after}",
            f"  {end}; reached by {marked} marked tests and {others} of the others that were tried",
        ]
    )


def report(results: Results) -> None:
    verdicts = sorted(results.verdicts, key=lambda pair: (pair[0].file, pair[0].line))
    alive = [pair for pair in verdicts if not pair[1].killed]
    others = [pair for pair in verdicts if pair[1].killed and not pair[1].marked]
    for title, pairs in (("Killed only by tests that are not marked", others), (results.alive.capitalize(), alive)):
        if pairs:
            print(f"\n== {title} ({len(pairs)})\n")
            print("\n".join(told(*pair, results.alive) for pair in pairs))
    files = Counter(mutant.file for mutant, _ in verdicts)
    missed = Counter(mutant.file for mutant, _ in alive + others)
    print(f"\n== Files with the most mutants that the marked tests let live ({sum(missed.values())})\n")
    for file, number in missed.most_common(20):
        print(f"{number:4} of {files[file]:4}  {file}")
    tried = len(verdicts)
    print(f"\nkilled by marked tests alone: {share(results.marked, tried)}")
    if not results.marked_only:
        print(f"killed by all tests of the package: {share(results.killed, tried)}")
    print(f"{time.perf_counter() - results.start:,.0f} seconds")


def share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / (whole or 1):.1%})"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./bench/run mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=100, metavar="N", help="places to break, one way each (100)")
    parser.add_argument(
        "--seed", type=int, metavar="S", help="a number printed by an earlier run; a fresh one if left out"
    )
    parser.add_argument("--all", action="store_true", help="every change at every place instead of a sample")
    parser.add_argument("--only", action="append", default=[], metavar="PATH", help="files whose path begins so")
    parser.add_argument("--marked-only", action="store_true", help="run only the tests marked with the rules")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every mutant and what became of it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes; as many as there are cores")
    parser.add_argument("--equivalent", action="store_true", help="try only the mutants that are listed as equivalent")
    parser.add_argument("--project", type=Path, default=ROOT, help=argparse.SUPPRESS)
    parser.add_argument("--package", default="flagplot", help=argparse.SUPPRESS)
    parser.add_argument("--least", type=float, default=LEAST, help=argparse.SUPPRESS)
    wanted = parser.parse_args(arguments)
    project = wanted.project.resolve()
    files = modules(project, wanted.package)
    everything = [mutant for module in files for mutant in mutants(module)]
    judged = equivalents(project / EQUIVALENT)
    for name in judged.keys() - {mutant.name for mutant in everything}:
        print(f"{EQUIVALENT}: no such mutant any more: {name[0]}: {name[2]}")
    chosen = [mutant for mutant in everything if not wanted.only or mutant.file.startswith(tuple(wanted.only))]
    seed = None
    if wanted.equivalent:
        tried = [mutant for mutant in chosen if mutant.name in judged]
    else:
        if not wanted.all:
            seed = wanted.seed if wanted.seed is not None else secrets.randbelow(10**9)
            print(f"seed {seed}")
            chosen = drawn(chosen, wanted.sample, seed)
        tried = [mutant for mutant in chosen if mutant.name not in judged]
        print(
            f"{len(chosen):,} mutants, {len(chosen) - len(tried)} of them listed as equivalent and left out", flush=True
        )
    if not tried:
        print("nothing to try")
        return 0
    results = Results(len(tried), seed, wanted.marked_only, wanted.json and wanted.json.resolve())
    code = session(Plan(project, files, tried, wanted.jobs, wanted.marked_only, wanted.least, results.add, say))
    if len(results.verdicts) < len(tried):
        print(f"stopped after {len(results.verdicts)} mutants", file=sys.stderr)
        return code or 1
    results.write()
    report(results)
    return 0


def say(text: str) -> None:
    print(text, file=sys.__stderr__, flush=True)


if __name__ == "__main__":
    sys.exit(main())
