"""`flagplot simulate`: many battles between players of the program, and what comes of them."""

from __future__ import annotations

import os
import re
import secrets
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from flagplot import library
from flagplot.cli.command import program
from flagplot.cli.failures import DONE, INTERRUPTED, NO
from flagplot.cli.output import new_console, print_json, print_table
from flagplot.cli.plots import plot_into
from flagplot.cli.screen import STRONG, Screen
from flagplot.cli.seats import read_players, read_readings, read_seed
from flagplot.cli.simulation.rows import Begun, Rows, begun
from flagplot.kernel.errors import BadValue
from flagplot.kernel.margins import figure_name
from flagplot.kernel.toll import DAMAGED, SUNK
from flagplot.simulation.battles import fight, opening_of
from flagplot.simulation.exact import Exact
from flagplot.simulation.intervals import Share, Spread, between, percent
from flagplot.simulation.regression import Estimate
from flagplot.simulation.simulating import LOOK, Run, carry_out
from flagplot.simulation.simulation import Simulation, prepared
from flagplot.simulation.starting import Start, is_save, starting

if TYPE_CHECKING:
    from flagplot.simulation.cluster import Cluster

USUAL_BATTLES = 1000
MOST_BATTLES = 1_000_000_000
LEAST_ERROR = 0.0001
MOST_JOBS = 1024
MOST_SECONDS = 86_400


class Given(NamedTuple):
    """Many battles, in the words of the command line."""

    scenario: str
    battles: str | None = None
    players: Sequence[str] = ()
    seed: str | None = None
    jobs: str | None = None
    out: str | None = None
    options: Sequence[str] = ()
    cluster: str | None = None
    error: str | None = None
    resume: bool = False
    seconds: str | None = None


class Amount(NamedTuple):
    """How many battles, in how many processes, and which standard error is enough."""

    battles: int
    processes: int
    error: float | None


def simulate(given: Given, plot: str | None = None, *, as_json: bool) -> int:
    """`flagplot simulate`."""
    wanted, processes, aim = read_amount(given.battles, given.jobs, given.error)
    out = given.out
    if given.cluster is not None and given.jobs is not None:
        raise BadValue("--jobs does not apply to a cluster", given=f"--jobs {given.jobs}", allowed=["--cluster alone"])
    before = begun(out) if given.resume else None
    number = read_seed(given.seed)
    if number is None:
        number = before.seed if before else secrets.randbits(32)
    start = read_start(given.scenario, given.options)
    players = read_players(start.game.sides, given.players)
    run = Run(prepared(start, wanted, players, number, error=aim, seconds=read_seconds(given.seconds)))
    if before:
        continue_from(run, before)
    interrupted = threading.Event()
    with (
        # whatever is wrong is told before a file is made
        joined_if_any(given.cluster, start.game.ruleset.name) as workers,
        Rows.open(out, number, resume=before is not None) as rows,
        progress("battles", None if aim else wanted, lambda: so_far(run.found)) as told,
        heeding(interrupted),
    ):
        for done in carry_out(run, jobs=processes, cluster=workers, stop=interrupted.is_set, keep=rows.keep):
            told(done)
    found = run.found
    if as_json:
        print_json(found.as_dict() | {"out": out})
    else:
        _tell(Screen(new_console()), found, given)
    plot_into(plot, found.drawn, as_json=as_json)
    return ending(found.stopped, interrupted)


def ending(stopped: str, interrupted: threading.Event) -> int:
    """The exit code of battles that were played to their end, or stopped by somebody or something."""
    return INTERRUPTED if interrupted.is_set() and stopped else NO if stopped else DONE


# --- what was given ---------------------------------------------------------------------------------------------


def read_amount(battles: str | None, jobs: str | None, error: str | None) -> Amount:
    """What is said after `--battles`, `--jobs` and `--error`. With an error, as many battles as it takes."""
    usual = USUAL_BATTLES if error is None else MOST_BATTLES
    return Amount(
        read_count("--battles", str(usual) if battles is None else battles, MOST_BATTLES),
        cores() if jobs is None else read_count("--jobs", jobs, MOST_JOBS),
        None if error is None else read_error(error),
    )


def read_count(option: str, given: str, most: int) -> int:
    """A number of battles or processes."""
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", given.strip()) or not 1 <= int(given) <= most:
        raise BadValue(f"{option} is not a number from 1 to {most:,}", given=given, allowed=["a number such as 1000"])
    return int(given)


def read_seconds(given: str | None) -> float | None:
    """The time after `--seconds`, if any."""
    return None if given is None else float(read_count("--seconds", given, MOST_SECONDS))


def read_error(given: str) -> float:
    """A standard error after `--error`, in per cent."""
    match = re.fullmatch(r"\s*([0-9]{1,2}(?:\.[0-9]{1,4})?)\s*%\s*", given)
    error = float(match[1]) / 100 if match else 0.0
    if error < LEAST_ERROR:
        raise BadValue("--error is not a percentage", given=given, allowed=["1%", "0.5%", "0.01% or more"])
    return error


def continue_from(run: Run, before: Begun) -> None:
    """Count the battles of a file that is continued. The last of them is played again: if it is another one, the file
    is of other players, another scenario or another program."""
    last = before.battles[-1]
    again = fight(run.plan, opening_of(run.plan), last.number)
    if again.as_dict() != last.as_dict():
        raise BadValue(
            "these are not the battles of this file: the last of them ends otherwise",
            given=f"--seed {run.plan.seed}",
            allowed=["the same battle, players, options and version of the program"],
        )
    for fought in before.battles[: run.wanted]:
        run.add(fought)


def read_start(scenario: str, options: Sequence[str]) -> Start:
    """The scenario or save that was named, with the readings after `--option`."""
    if not is_save(scenario):
        return starting(scenario, read_readings(library.read_scenario(scenario), options))
    if options:
        raise BadValue(
            "a save keeps its house rules",
            given=f"--option {options[0]}",
            allowed=["--option for a scenario"],
        )
    return starting(scenario)


def cores() -> int:
    """The processors that this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def joined_if_any(address: str | None, game: str) -> AbstractContextManager[Cluster | None]:
    """The cluster after `--cluster`, if there is one."""
    if address is None:
        return nullcontext()
    from flagplot.simulation.cluster import joined

    return joined(address, game)


# --- while it runs ----------------------------------------------------------------------------------------------


@contextmanager
def heeding(interrupted: threading.Event) -> Iterator[None]:
    """Let Ctrl-C ask for the answer so far; a second one ends the program as usual."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def heed(number: int, frame: object) -> None:
        interrupted.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, heed)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def progress(what: str, total: int | None, figures: Callable[[], str]) -> Iterator[Callable[[int], None]]:
    """On a terminal how far it is, and the figures so far; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

    columns: list[ProgressColumn] = [TextColumn(what), BarColumn(), MofNCompleteColumn()]
    if total is not None:
        columns += [TextColumn("left:"), TimeRemainingColumn()]
    columns.append(TextColumn("{task.fields[figures]}", markup=False))
    # without a thread of its own, so that worker processes can be copies of this one
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task(what, total=total, figures="")
        bar.refresh()
        said = [0]

        def tell(done: int) -> None:
            if done - said[0] >= LOOK or not said[0]:
                said[0] = done
                bar.update(task, figures=figures())
            bar.update(task, completed=done, refresh=True)

        yield tell


def so_far(found: Simulation) -> str:
    """The figures so far, in one line."""
    shares = [f"{name} {percent(found.won(side).share)}" for side, name in found.sides.items()]
    aim = "" if found.error is None else f" of {100 * found.error:g} %"
    return f"{', '.join(shares)}; s.e. {percent(found.greatest_error())}{aim}"


# --- what came of it --------------------------------------------------------------------------------------------


def _tell(screen: Screen, found: Simulation, given: Given) -> None:
    screen.say(found.title, STRONG)
    for line in found.conditions:
        screen.say(line)
    if found.start.save:
        _tell_position(screen, found.start)
    if found.cut_short:
        screen.say(found.cut_short, STRONG)
    if found.exact:
        _tell_exact(screen, found, found.exact)
    elif given.seconds:
        screen.say(f"Sampled: not all dice could be followed in {given.seconds} seconds.")
    if found.battles:
        _tell_results(screen, found)
        _tell_length(screen, found)
        for side in found.sides:
            _tell_side(screen, found, side)
    if given.out is not None:
        screen.say(f"Battle by battle: {given.out}")


def _tell_position(screen: Screen, start: Start) -> None:
    """Where the battles began, if not at the start, and for whose eyes the answer is."""
    for notice in start.notices:
        screen.say(f"Note: {notice}.")
    count = f"{start.game.turn:,} answer{'s' * (start.game.turn != 1)}"
    screen.say(f"Continued from {start.save} after {count}, with other dice; losses and length count the whole battle.")
    screen.say("For the umpire only: hidden forces are as they really are. What one side can know of its chances:")
    screen.command(f"{program()} odds position {shlex.quote(start.save)} --as SIDE")


def _tell_exact(screen: Screen, found: Simulation, exact: Exact) -> None:
    """The chances over all dice, or between what and what they are."""
    screen.rule("Between these, exactly" if exact.left_over else "Exact")
    followed = "All dice were followed"
    if exact.left_over:
        followed = f"The likeliest dice were followed, {percent(float(1 - exact.left_over))} of all"
    screen.say(f"{followed}, through {exact.positions:,} positions. What follows below is sampled.")
    chances = [(name, exact.won(side)) for side, name in found.sides.items()] + [("nobody", exact.won(None))]
    print_table(["", "chance"], [[f"{name} wins", _chance(chance, exact.left_over)] for name, chance in chances])
    rows = [
        [f"{found.sides[side]}: {figure_name(figure)}", f"{float(mean):.4f}"]
        for (figure, side), mean in exact.figures.items()
    ]
    if rows:
        print_table(["", "mean"], rows)


def _chance(least: Fraction, left_over: Fraction) -> str:
    """A chance, or between what and what it is."""
    return between(float(least), float(least + left_over)) if left_over else f"{float(100 * least):.4f} %"


def _tell_results(screen: Screen, found: Simulation) -> None:
    screen.rule("Winners")
    _shares(found.winners)
    _tell_without_luck(screen, found)
    if found.endings:
        screen.rule("How it ended")
        _shares(found.endings)


def _tell_without_luck(screen: Screen, found: Simulation) -> None:
    """Averages from which the luck of the dice is taken out."""
    rows = [
        [f"{name} has won", percent(one.mean), percent(one.error), _as_good_as(found, one)]
        for name, one in found.shares_without_luck.items()
        if one.error
    ]
    first = next(iter(found.sides.values()))
    for name, one in found.without_luck.items():
        figure, _, which = name.rpartition(" ")
        if which == "more" and one.error:
            words = f"{figure_name(figure)}: {first} less the other"
            rows.append([words, f"{one.mean:+.2f}", f"{one.error:.2f}", _as_good_as(found, one)])
    if rows:
        screen.rule("Without the luck of the dice")
        print_table(["", "mean", "s.e.", "as good as"], rows)


def _as_good_as(found: Simulation, one: Estimate) -> str:
    """The battles that would have as small an error if luck were left in."""
    return f"{one.ratio * found.battles:,.0f} battles"


def _shares(shares: dict[str, Share]) -> None:
    rows = [[name, f"{one.times:,}", percent(one.share), between(*one.interval)] for name, one in shares.items()]
    print_table(["", "battles", "share", "95 % interval"], rows)


# s.e. is the standard error of the mean
HEADINGS = ["mean", "s.e.", "least", "5 %", "median", "95 %", "most"]


def _tell_length(screen: Screen, found: Simulation) -> None:
    screen.rule("Length")
    rounds = found.rounds
    spreads = {"rounds": rounds} if rounds else {}
    _spreads("", spreads | {"answers and rolls": found.answers})


def _spreads(title: str, spreads: dict[str, Spread]) -> None:
    print_table([title, *HEADINGS], [[name, *_figures(spread)] for name, spread in spreads.items()])


def _figures(spread: Spread) -> list[str]:
    numbers = (spread.least, spread.quantile(5), spread.quantile(50), spread.quantile(95), spread.most)
    return [f"{spread.mean:.2f}", f"{spread.error:.2f}", *[f"{number:,}" for number in numbers]]


def _tell_side(screen: Screen, found: Simulation, side: str) -> None:
    screen.rule(found.sides[side])
    figures = {figure_name(key): spread for key, spread in found.figures(side).items()}
    spreads = {**figures, **{f"lost: {kind}": spread for kind, spread in found.lost(side).items()}}
    if spreads:
        _spreads("in one battle", spreads)
    fates = {name: [found.fate(side, name, fate) for fate in (SUNK, DAMAGED)] for name in found.named[side]}
    hurt = [
        [name, *[cell for one in (sunk, damaged) for cell in (percent(one.share), between(*one.interval))]]
        for name, (sunk, damaged) in fates.items()
        if sunk.times or damaged.times
    ]
    if hurt:
        print_table(["by name", "sunk", "95 % interval", "damaged", "95 % interval"], hurt)
    spared = len(fates) - len(hurt)
    if spared:
        others = "other " * bool(hurt)
        screen.say(f"{spared} {others}named {'ship was' if spared == 1 else 'ships were'} neither sunk nor damaged.")
