"""`flagplot arena`: players meet in scenarios, and it is measured who is better."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

from flagplot import library
from flagplot.cli.failures import DONE, INTERRUPTED, NO
from flagplot.cli.output import new_console, print_json, print_table
from flagplot.cli.plots import plot_into
from flagplot.cli.screen import STRONG, Screen
from flagplot.cli.seats import read_readings, read_seed
from flagplot.cli.simulation.simulate import MOST_JOBS, cores, heeding, progress, read_count
from flagplot.draw.arena_charts import conditions, cut_short, elo, margin, share_words
from flagplot.kernel.errors import BadValue
from flagplot.simulation.arena import Arena
from flagplot.simulation.arena import arena as play_arena
from flagplot.simulation.arena.games import lines_of, seed_in
from flagplot.simulation.arena.schedule import MOST_GAMES
from flagplot.simulation.arena.standings import Record
from flagplot.simulation.intervals import between, percent

USUAL_GAMES = 100


def arena(
    players: Sequence[str],
    scenarios: Sequence[str],
    games: str | None,
    seed: str | None,
    jobs: str | None,
    *,
    options: Sequence[str],
    bids: bool,
    results: str | None,
    csv: str | None,
    plot: str | None,
    as_json: bool,
) -> int:
    """`flagplot arena`."""
    wanted = USUAL_GAMES if games is None else read_count("--games", games, MOST_GAMES)
    processes = cores() if jobs is None else read_count("--jobs", jobs, MOST_JOBS)
    readings = read_readings(library.read_scenario(scenarios[0]), options) if scenarios else {}
    number = read_seed(seed)
    if number is None:
        number = seed_in(lines_of(results)) if results else None
    interrupted = threading.Event()
    every = wanted * len(list(combinations(players, 2))) * len(scenarios)
    with written(csv) as write, progress("games", every, str) as told, heeding(interrupted):
        found = play_arena(
            players,
            scenarios,
            wanted,
            seed=secrets.randbits(32) if number is None else number,
            options=readings,
            bids=bids,
            jobs=processes,
            results=results,
            stop=interrupted.is_set,
            told=told,
        )
        write(found)
    if as_json:
        print_json(found.as_dict())
    else:
        tell(found)
    plot_into(plot, found.drawn, as_json=as_json)
    return INTERRUPTED if interrupted.is_set() and found.stopped else NO if found.stopped else DONE


@contextmanager
def written(given: str | None) -> Iterator[Callable[[Arena], None]]:
    """Writes the table as CSV, if a file was named; it is opened before a game is played."""
    if given is None:
        yield lambda found: None
        return
    if Path(given).suffix != ".csv":
        raise BadValue("--csv is not a CSV file", given=given, allowed=["a file.csv"])
    path = Path(given).expanduser()
    try:
        path.open("a").close()
        yield lambda found: _write(path, found)
    except OSError as fault:
        raise BadValue(f"this file cannot be written ({fault.strerror})", given=given) from fault


def _write(path: Path, found: Arena) -> None:
    path.write_text(found.to_csv(), encoding="utf8")


# --- what came of it --------------------------------------------------------------------------------------------


def tell(found: Arena) -> None:
    """Print an arena for people."""
    screen = Screen(new_console())
    screen.say(f"Arena: {', '.join(found.players)}", STRONG)
    screen.say(conditions(found))
    if found.stopped:
        screen.say(cut_short(found), STRONG)
    if not found.games:
        return
    screen.rule("Standing")
    ratings = found.ratings
    print_table(
        ["player", "Elo", *HEADINGS],
        [
            [player, elo(ratings[player].elo, ratings[player].low), *_cells(found.record(player))]
            for player in found.best_first
        ],
    )
    for one, other in found.schedule.pairs:
        screen.rule(f"{one} against {other}")
        rows = [[place, *_cells(found.record(one, other, place))] for place in found.scenarios]
        if len(rows) > 1:
            rows.append(["all", *_cells(found.record(one, other))])
        print_table(["scenario", *HEADINGS], rows)
    screen.say(share_words(found))
    screen.say("Pairs: of the seeds, how often the player did better with both sides: more wins, else the margin.")
    screen.say("Margin: what the enemy lost less what the player lost, on average, and its standard error.")


HEADINGS = ["games", "won", "lost", "no winner", "level", "share", "95 % interval", "pairs", "margin", "unit"]


def _cells(record: Record) -> list[str]:
    counts = (record.games, record.won, record.lost, record.undecided, record.level)
    shares = percent(record.share), between(record.low, record.high), _pairs(record)
    return [*[f"{count:,}" for count in counts], *shares, margin(record), record.unit]


def _pairs(record: Record) -> str:
    """``83 % (61 to 94)``."""
    low, high = record.pairs_interval
    return f"{100 * record.pairs:.0f} % ({100 * low:.0f} to {100 * high:.0f})"
