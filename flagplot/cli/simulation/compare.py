"""`flagplot compare`: pairs of battles with the same dice, and what changes between them."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from typing import NamedTuple

from flagplot.cli.output import new_console, print_json, print_table
from flagplot.cli.screen import STRONG, Screen
from flagplot.cli.seats import read_players, read_seed
from flagplot.cli.simulation.simulate import ending, heeding, progress, read_amount, read_start
from flagplot.kernel.errors import BadValue
from flagplot.simulation.comparing import Pairs, both
from flagplot.simulation.comparison import Comparison, Difference, shown
from flagplot.simulation.intervals import percent
from flagplot.simulation.simulation import Simulation


class Given(NamedTuple):
    """What is compared, in the words of the command line."""

    scenario: str
    other: str | None
    players: Sequence[str]
    with_players: Sequence[str]
    options: Sequence[str]
    with_options: Sequence[str]


def compare(
    given: Given, battles: str | None, seed: str | None, jobs: str | None, *, error: str | None, as_json: bool
) -> int:
    """`flagplot compare`."""
    wanted, processes, aim = read_amount(battles, jobs, error)
    number = read_seed(seed)
    pairs = Pairs(*_both(given, wanted, secrets.randbits(32) if number is None else number), error=aim)
    interrupted = threading.Event()
    with (
        progress("pairs", None if aim else wanted, lambda: _so_far(pairs.found)) as told,
        heeding(interrupted),
    ):
        for done in pairs.carry_out(processes, interrupted.is_set):
            told(done)
    found = pairs.found
    if as_json:
        print_json(found.as_dict())
    else:
        _tell(Screen(new_console()), found)
    return ending(found.stopped, interrupted)


def _both(given: Given, wanted: int, seed: int) -> tuple[Simulation, Simulation]:
    if given.other is None and not given.with_players and not given.with_options:
        raise BadValue(
            "nothing is different in the second battle",
            given=given.scenario,
            allowed=["another battle or file", "--with-player SIDE=WHO", "--with-option NAME=VALUE"],
        )
    first = read_start(given.scenario, given.options)
    second = read_start(given.other or given.scenario, [*given.options, *given.with_options])
    players = read_players(first.game.sides, given.players)
    others = read_players(second.game.sides, given.with_players)
    return both(first, second, wanted, players, {**players, **others}, seed)


def _so_far(found: Comparison) -> str:
    """The figures so far, in one line."""
    won = [one for name, one in found.differences.items() if name.startswith("won ")]
    sides = list(found.first.sides.values())
    shares = [f"{side} {100 * one.mean:+.1f} %" for side, one in zip(sides, won, strict=True)]
    return f"{', '.join(shares)}; s.e. {percent(found.greatest_error())}"


def _tell(screen: Screen, found: Comparison) -> None:
    titles = dict.fromkeys([found.first.title, found.second.title])
    screen.say(" and ".join(titles), STRONG)
    for line in found.conditions:
        screen.say(line)
    if not found.battles:
        return
    told = [(side, what, name, one) for side, what, name, one in found.told() if _is_shown(name, one)]
    screen.rule("Difference, without the luck of the dice")
    rows = [[f"{side}: {what}", *_cells(name, one, found.battles)] for side, what, name, one in told]
    print_table(["", "first", "second", "difference", "s.e.", "as good as"], rows)
    if found.differences and not any([one.is_clear for *_, one in told]):
        screen.say("No difference is larger than chance would make it.")


def _is_shown(name: str, one: Difference) -> bool:
    """Ships are shown where their fate is clearly different."""
    return not name.startswith("sunk ") or one.is_clear


def _cells(name: str, one: Difference, battles: int) -> list[str]:
    saved = f"{one.ratio * battles:,.0f} pairs apart" if one.error and one.apart else "-"
    return [*shown(name, one), saved]
