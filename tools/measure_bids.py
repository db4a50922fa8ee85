"""Measures the bids that make scenarios even (`flagplot/simulation/bids.toml`) by games of the doctrine with itself.

    .venv/bin/python -m tools.measure_bids --games 60 --write [SCENARIO…]

Scenarios that are not named keep the bids that they have.
"""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from flagplot.library import described, scenario_names
from flagplot.simulation.arena import arena
from flagplot.simulation.bids import FILE, Bid, bid_of, measured

PLACE = Path(__file__).parent.parent / "flagplot" / "simulation" / FILE
HEAD = "# What makes each scenario even, from games of the doctrine with itself. Written by tools/measure_bids.py.\n"


def bid_by_games(scenario: str, games: int, seed: int) -> Bid:
    """The bid of one scenario, measured."""
    first, second = [side["id"] for side in described(scenario)["sides"]]
    found = arena(["doctrine", "captain"], [scenario], games, seed=seed, jobs=1)  # one doctrine under two names
    return measured([game.margin for game in found.games], (first, second), found.games[0].unit)


def written(bids: dict[str, Bid]) -> str:
    parts = [f"\n[{name}]\n{''.join(map(_line, one._asdict().items()))}" for name, one in sorted(bids.items())]
    return HEAD + "".join(parts)


def _line(entry: tuple[str, object]) -> str:
    name, value = entry
    return f'{name} = "{value}"\n' if isinstance(value, str) else f"{name} = {value}\n"


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="*", default=scenario_names())
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--seed", type=int, default=2301)
    parser.add_argument("--write", action="store_true")
    wanted = parser.parse_args()
    bids = {name: known for name in scenario_names() if (known := bid_of(name)) is not None}
    for name in wanted.scenarios:
        bids[name] = bid_by_games(name, wanted.games, wanted.seed)
        print(name, bids[name].words(bids[name].side), flush=True)
        if wanted.write:
            PLACE.write_text(written(bids), encoding="utf8")


if __name__ == "__main__":
    main()
