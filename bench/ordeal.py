"""Plays tables while servers die, disks fill up, connections break and clocks jump: nothing lost, nothing twice."""

from __future__ import annotations

import argparse
import asyncio
import random
import secrets
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from bench._ordeal_checks import Findings, check
from bench._ordeal_faults import HURRY, Conductor, Site, site
from bench._ordeal_players import CUTS, World, keep_playing

END = 150.0
"""Seconds that clients have at the end to settle what they are at."""


@dataclass(slots=True)
class Outcome:
    """One ordeal: what was done, and what it came to."""

    faults: Counter[str]
    world: World
    findings: Findings
    seconds: float
    undeclared: list[str]

    @property
    def problems(self) -> list[str]:
        return self.findings.faults + self.world.ledger.problems + self.undeclared


async def endure(where: Site, faults: int, seed: int, places: int, until: float) -> tuple[Conductor, World]:
    """Play at this number of tables at a time until all faults are done; then let every client finish its request."""
    world = World(seed, where.ports)
    conductor = Conductor(where, world, random.Random(seed))
    work = [asyncio.create_task(keep_playing(world)) for _ in range(places)]
    try:
        await conductor.run(faults, until)
        await asyncio.sleep(0.5)
    finally:
        world.closing = True
    done, late = await asyncio.wait(work, timeout=END)
    world.ledger.problems += [f"a client stopped: {fault!r}" for task in done if (fault := task.exception())]
    world.ledger.problems += ["a client was stuck at the end" for _ in late]
    for task in late:
        task.cancel()
    return conductor, world


def ordeal(
    store: str,
    faults: int,
    seed: int,
    *,
    places: int = 10,
    servers: int = 2,
    until: float = float("inf"),
    log: Path | None = None,
) -> Outcome | None:
    """One ordeal on one kind of database; None where there is no PostgreSQL."""
    begun = time.monotonic()
    with site(store, servers, log) as where:
        if where is None:
            return None
        conductor, world = asyncio.run(endure(where, faults, seed, places, until))
        where.stop()
        findings = check(where.address, world.tables)
        undeclared = [
            f"{each.status} to {each.about} without a fault"
            for each in world.ledger.failures
            if not where.was_declared(each.begun, each.ended)
        ]
    kinds = conductor.done.copy()
    for kind, number in world.ledger.done.items():
        kinds[f"cut: {kind}" if kind in CUTS else f"replay: {kind}"] += number
    return Outcome(kinds, world, findings, time.monotonic() - begun, undeclared)


def tell(store: str, outcome: Outcome, wanted: int) -> None:
    ledger, findings = outcome.world.ledger, outcome.findings
    print(f"{store}: {outcome.faults.total()} of {wanted} faults in {outcome.seconds:.0f} s")
    for kind, number in sorted(outcome.faults.items()):
        print(f"  {number:5} {kind}")
    print(
        f"{ledger.kept} acts acknowledged at {len(outcome.world.tables)} tables ({findings.finished} games finished), "
        f"{ledger.repeated} of them only when asked again, {ledger.plans} plans; "
        f"{sum(ledger.refused.values())} refused"
    )
    print(
        f"{findings.ahead} plans with {ledger.ahead} orders ahead: {ledger.given} given, {ledger.cancelled} cancelled, "
        f"{ledger.dropped} dropped, the others wait"
    )
    print(f"{findings.acts} acts on the tapes, {findings.receipts} receipts checked, {findings.reveals} fresh bytes")
    statuses = Counter(each.status for each in ledger.failures)
    told = ", ".join(f"{number} times {status}" for status, number in sorted(statuses.items())) or "none"
    print(f"{ledger.gone} requests without a reply; failures told: {told}; without a fault: {len(outcome.undeclared)}")
    words = ("lost", "doubled", "made up", "out of order", "forged", "broken")
    counts = [f"{findings.count(word)} {word}" for word in words]
    print(f"{', '.join(counts)}, {len(ledger.problems)} otherwise wrong", flush=True)
    for problem, number in Counter(outcome.problems).most_common(12):
        print(f"  {number} times: {problem}", file=sys.stderr)
    print(f"{store}: {verdict(outcome, wanted)}", flush=True)


def verdict(outcome: Outcome, wanted: int) -> str:
    """What it came to, in a line."""
    if outcome.problems:
        return f"FAILED: {len(outcome.problems)} things went wrong"
    if not outcome.world.ledger.kept:
        return "FAILED: nothing was acknowledged, so nothing was tried"
    done = outcome.faults.total()
    if done < wanted:
        return f"NOT FINISHED: nothing went wrong in {done} of {wanted} faults"
    return f"PASSED: {done} faults, {outcome.world.ledger.kept} acts acknowledged, nothing lost, nothing twice"


def _hurry(*_: object) -> None:
    """The first time no more faults, and the tapes are compared; then it ends, and servers and disks are put away."""
    if HURRY.is_set():
        sys.exit(1)
    HURRY.set()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faults", type=int, default=1000, help="how many, on each kind of database")
    parser.add_argument("--seed", type=int, default=None, help="the same seed gives the same faults in the same order")
    parser.add_argument("--store", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="no more faults after this time")
    parser.add_argument("--tables", type=int, default=10, help="played at the same time")
    parser.add_argument("--servers", type=int, default=2, help="on PostgreSQL")
    parser.add_argument("--log", type=Path, default=None, help="where the servers write their log, to be kept")
    wanted = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, _hurry)
    seed = secrets.randbits(32) if wanted.seed is None else wanted.seed
    print(f"seed {seed}")
    stores = ["sqlite", "postgresql"] if wanted.store == "both" else [wanted.store]
    wrong = False
    for store in stores:
        until = time.monotonic() + wanted.minutes * 60
        outcome = ordeal(
            store, wanted.faults, seed, places=wanted.tables, servers=wanted.servers, until=until, log=wanted.log
        )
        if outcome is None:
            print("no PostgreSQL here: install Debian's package postgresql", file=sys.stderr)
            wrong = True
            continue
        tell(store, outcome, wanted.faults)
        wrong = wrong or not verdict(outcome, wanted.faults).startswith("PASSED")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
