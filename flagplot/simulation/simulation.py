"""What came of many battles: shares, losses and averages, each with how sure it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.options import describe
from flagplot.kernel.plugins import Picture, plugin
from flagplot.kernel.results import Result
from flagplot.kernel.toll import DAMAGED, SUNK
from flagplot.players import is_local_player, local_player, player_names
from flagplot.simulation.battles import Plan, toll_of
from flagplot.simulation.exact import Exact, exact
from flagplot.simulation.intervals import NINETY_FIVE, Share, Spread
from flagplot.simulation.regression import Estimate, Sample
from flagplot.simulation.starting import Start, starting
from flagplot.simulation.tallies import Tally

DEFAULT = "doctrine"


@dataclass(frozen=True, slots=True, repr=False)
class Simulation(Result):
    """What came of many battles. The same seed gives the same figures, however many processes played them."""

    title: str
    game: str
    sides: dict[str, str]
    """The sides and their names."""
    plan: Plan
    wanted: int
    named: dict[str, list[str]]
    """By side: its named ships at the start."""
    start: Start
    tally: Tally = field(default_factory=Tally)
    sample: Sample = field(default_factory=Sample)
    """The same battles for averages without luck."""
    stopped: str = ""
    """Why there are fewer battles than wanted, if there are."""
    error: float | None = None
    """The standard error of the shares of the winners at which it is enough, if one was wanted."""

    exact: Exact | None = None
    """The battle over all dice, if it is small enough."""

    @property
    def battles(self) -> int:
        return self.tally.battles

    @property
    def options(self) -> dict[str, Any]:
        """The readings of the rules that are not the usual ones."""
        chosen = self.start.game.options
        named = {reading.name: getattr(chosen, reading.name) for reading in describe(type(chosen))}
        usual = {reading.name: reading.default for reading in describe(type(chosen))}
        return {name: value for name, value in named.items() if value != usual[name]}

    def won(self, side: str | None) -> Share:
        """How often a side, or nobody, has won."""
        return Share(self.tally.winners[side], self.battles)

    @property
    def winners(self) -> dict[str, Share]:
        """How often each side has won, by its name, and nobody; and battles that were broken off, if there are any."""
        won = {name: self.won(side) for side, name in self.sides.items()} | {"nobody": self.won(None)}
        off = {"unfinished": Share(self.tally.unended, self.battles)} if self.tally.unended else {}
        return won | off

    # --- how sure it is -----------------------------------------------------------------------------------------

    @property
    def without_luck(self) -> dict[str, Estimate]:
        """Averages from which the luck of the dice is taken out, see `flagplot.simulation.regression`: the share of
        each winner (``won SIDE``), figures (``FIGURE SIDE``), and by how much the first side has more of them
        (``FIGURE more``)."""
        return self.sample.estimates()

    @property
    def shares_without_luck(self) -> dict[str, Estimate]:
        """The shares of the winners by name."""
        found = self.without_luck
        names = {side: name for side, name in self.sides.items() if f"won {side}" in found}
        return {name: found[f"won {side}"] for side, name in names.items()}

    def greatest_error(self) -> float:
        """The greatest standard error of a winner's share. If somebody has won always or never, it is that by which
        Wilson's interval may still be off."""
        found, errors = self.without_luck, []
        for side in self.sides:
            low, high = self.won(side).interval
            sure = self.won(side).times in (0, self.battles)
            errors.append((high - low) / 2 / NINETY_FIVE if sure else found[f"won {side}"].error)
        return max(errors, default=0.0)

    @property
    def conditions(self) -> list[str]:
        """Who played, and by which readings that are not the usual ones."""
        players = ", ".join([f"{name}: {self.plan.players[side]}" for side, name in self.sides.items()])
        readings = ", ".join([f"{name}={str(value).lower()}" for name, value in self.options.items()])
        return [
            f"{_many(self.battles)} from seed {self.plan.seed}. {players}.",
            *[f"Options: {readings}."] * bool(readings),
        ]

    @property
    def cut_short(self) -> str:
        """A sentence that says so, if there are fewer battles than wanted."""
        return f"Fewer than {_many(self.wanted)}: {self.stopped}. This is the answer so far." if self.stopped else ""

    @property
    def endings(self) -> dict[str, Share]:
        """How the battles ended, the most frequent first."""
        ordered = sorted(self.tally.endings.items(), key=lambda entry: (-entry[1], entry[0]))
        return {ending: Share(count, self.battles) for ending, count in ordered}

    def fate(self, side: str, name: str, fate: str) -> Share:
        """How often a named ship came to this."""
        return Share(self.tally.fates[side, name, fate], self.battles)

    def lost(self, side: str) -> dict[str, Spread]:
        """What a side lost, by kind of unit."""
        return self._spreads(self.tally.lost, side)

    def figures(self, side: str) -> dict[str, Spread]:
        """What the results of the battles count for a side."""
        return self._spreads(self.tally.figures, side)

    def _spreads(self, counted: Mapping[tuple[str, str], Mapping[int, int]], side: str) -> dict[str, Spread]:
        return {key: Spread(counts, self.battles) for (one, key), counts in sorted(counted.items()) if one == side}

    @property
    def rounds(self) -> Spread | None:
        """How many rounds the battles lasted, if the game counts them."""
        return Spread(self.tally.rounds) if self.tally.rounds else None

    @property
    def answers(self) -> Spread:
        return Spread(self.tally.answers)

    def __str__(self) -> str:
        return str(plugin("simulation_text")(self))

    def drawn(self, columns: int | None = None) -> Picture:
        """A chart of it; `columns` says how many panels stand beside each other."""
        picture: Picture = plugin("draw_simulation")(self, columns)
        return picture

    def _repr_svg_(self) -> str:
        return self.drawn().svg()

    def as_dict(self) -> dict[str, Any]:
        rounds = self.rounds
        return {
            "title": self.title,
            "game": self.game,
            "from": {"save": self.start.save, "answers": self.start.game.turn} if self.start.save else None,
            "options": self.options,
            "players": dict(self.plan.players),
            "seed": self.plan.seed,
            "wanted": self.wanted,
            "battles": self.battles,
            "complete": self.battles == self.wanted,
            "stopped": self.stopped or None,
            "not_over": self.tally.unended,
            "winners": {side: self.won(side).as_dict() for side in self.sides} | {"nobody": self.won(None).as_dict()},
            "endings": {ending: share.as_dict() for ending, share in self.endings.items()},
            "rounds": rounds and rounds.as_dict(),
            "exact": self.exact and self.exact.as_dict(tuple(self.sides)),
            "without_luck": {name: found.as_dict() for name, found in self.without_luck.items()},
            "answers": self.answers.as_dict(),
            "sides": {side: {"name": name, **self._side(side)} for side, name in self.sides.items()},
        }

    def rows(self) -> list[dict[str, Any]]:
        """How often each side won and what it lost on average, each with its 95 % interval."""
        rows = [_row(name, "won", share.share, *share.interval) for name, share in self.winners.items()]
        for side, name in self.sides.items():
            for what, spread in [*self.figures(side).items(), *self.lost(side).items()]:
                half = NINETY_FIVE * spread.error
                rows.append(_row(name, what, spread.mean, spread.mean - half, spread.mean + half))
        return rows

    def _side(self, side: str) -> dict[str, Any]:
        return {
            "figures": {key: spread.as_dict() for key, spread in self.figures(side).items()},
            "lost": {kind: spread.as_dict() for kind, spread in self.lost(side).items()},
            "named": {
                name: {fate: self.fate(side, name, fate).as_dict() for fate in (SUNK, DAMAGED)}
                for name in self.named[side]
            },
        }


def _row(side: str, what: str, mean: float, low: float, high: float) -> dict[str, Any]:
    return {"side": side, "what": what, "mean": mean, "low": low, "high": high}


def _many(battles: int) -> str:
    return f"{battles:,} battle{'s' * (battles != 1)}"


def prepared(
    scenario: str | Path | Mapping[str, Any] | Start,
    battles: int,
    players: Mapping[str, str],
    seed: int,
    *,
    error: float | None = None,
    paired: bool = False,
    seconds: float | None = None,
) -> Simulation:
    """A simulation before its first battle: everything that was given is checked, and all dice are followed if that
    takes no more than a moment, or than the `seconds` that it is given."""
    if battles < 1:
        raise BadValue("play at least one battle", given=battles, allowed=["1 or more"])
    start = scenario if isinstance(scenario, Start) else starting(scenario)
    game = start.game
    for side in players:
        if side not in game.sides:
            raise UnknownName("no such side", given=side, allowed=list(game.sides))
    who = {side: players.get(side, DEFAULT) for side in game.sides}
    for name in who.values():
        if not is_local_player(name):
            raise UnknownName("no such computer player", given=name, allowed=player_names())
        local_player(name, 0)  # its settings may be wrong
    names = game.view(game.sides[0]).names
    plan = Plan(dict(game.scenario), who, seed, start.options, start.answers, paired)
    return Simulation(
        title=str(game.scenario.get("title", game.ruleset.title)),
        game=game.ruleset.name,
        sides={side: names.get(side, side) for side in game.sides},
        plan=plan,
        exact=exact(plan, game, seconds),
        wanted=battles,
        named={side: list(toll.named) for side, toll in toll_of(game).items()},
        start=start,
        error=error,
    )
