"""Playing scenarios at random and holding every check against them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flagplot import library
from flagplot.kernel.dice import Committed, Dice, Seeded
from flagplot.kernel.plain_data import canonical, copy_of
from flagplot.kernel.plugins import imported
from flagplot.kernel.ruleset import Ruleset
from flagplot.testing.checks import AT_EVERY_REQUEST, AT_THE_END, AT_THE_OPENING, CLOSELY, RARELY, Check
from flagplot.testing.report import ConformanceError, Report
from flagplot.testing.state_checks import frozen_parts
from flagplot.testing.trial import Enact, Setup, Trial

LAWS = {
    "awaw": "flagplot.testing.awaw:AwawLaws",
    "line-of-battle": "flagplot.testing.line_of_battle:LineOfBattleLaws",
}
"""Where the laws of each game are that come with Flagplot."""

RARE = 0.15
"""How many of the moments that are looked at closely get the rare checks too."""


LONGEST = 5000
"""Answers after which a game should have come to its end."""


@dataclass(frozen=True, slots=True)
class Depth:
    """How closely games are looked at: the costly checks are made at one request in `every`, or never if that is 0."""

    longest: int = LONGEST
    every: int = 1
    also: tuple[Check, ...] = ()

    def arguments(self) -> str:
        """What a call of `conform` needs to look as closely again."""
        closely = "" if self.every < 2 else f", deep=False, every={self.every}"
        also = f", also=({', '.join(check.__name__ for check in self.also)},)" if self.also else ""
        return f"{closely}{also}" + ("" if self.longest == LONGEST else f", longest={self.longest}")


def conform(
    source: str | Path | Mapping[str, Any],
    *,
    seeds: Iterable[int] = range(20),
    longest: int = LONGEST,
    deep: bool = True,
    every: int = 25,
    also: Iterable[Check] = (),
    options: Mapping[str, Any] | None = None,
    ruleset: Ruleset[Any] | None = None,
    laws: Enact | None = None,
) -> Report:
    """Play a scenario to its end at random, once for each seed, and check all that any ruleset must hold.

    Raises ConformanceError at the first thing that does not hold; else gives figures. `deep` makes the costly checks
    at every request, otherwise at one in `every`; `also` adds checks of your own to these. A ruleset that Flagplot does
    not know by name is given as `ruleset`; `laws` makes, from an opening state, what must be true of all later ones
    (see `flagplot.testing.awaw`).
    """
    setup = set_up(source, options=options, ruleset=ruleset, laws=laws)
    report, depth = Report(), Depth(longest, 1 if deep else every, tuple(also))
    for seed in seeds:
        play_through(setup, seed, report, depth)
    return report


def set_up(
    source: str | Path | Mapping[str, Any],
    *,
    options: Mapping[str, Any] | None = None,
    ruleset: Ruleset[Any] | None = None,
    laws: Enact | None = None,
) -> Setup:
    """A scenario made ready for any number of games."""
    if ruleset is not None:
        data = library.read_scenario(source)
        return Setup(
            _label(source, data, None), ruleset, data, ruleset.options, ruleset.read(data, ruleset.options), laws
        )
    game = library.load(source, seed=0, options=options)
    opening = game.ruleset.read(game.scenario, game.options)
    label = _label(source, game.scenario, options)
    return Setup(label, game.ruleset, game.scenario, game.options, opening, laws or laws_of(game.ruleset.name))


def _label(source: object, data: Mapping[str, Any], options: Mapping[str, Any] | None) -> str:
    name = f"<{data.get('title', 'scenario')}>" if isinstance(source, Mapping) else repr(str(source))
    return f"{name}, options={dict(options)!r}" if options else name


def laws_of(game: str) -> Enact | None:
    return imported(LAWS[game]) if game in LAWS else None


def play_through(setup: Setup, seed: int, report: Report, depth: Depth) -> None:
    """One game from its opening to its end, added to the report. Raises ConformanceError if something does not hold."""
    with TemporaryDirectory(prefix="flagplot-") as folder:
        trial = None
        try:
            if depth.every == 1:  # first in passing, so that simple faults are called by their simple names
                trial = open_trial(setup, seed, Report(), Path(folder))
                _go_through(trial, replace(depth, every=0))
            trial = open_trial(setup, seed, report, Path(folder))
            _go_through(trial, depth)
        except ConformanceError:
            raise
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
            raise _fault(setup, seed, trial, "nothing_goes_wrong", found, depth) from error
    report.games += 1
    report.requests += trial.answers
    report.longest = max(report.longest, trial.answers)


def open_trial(setup: Setup, seed: int, report: Report, folder: Path) -> Trial:
    """A game of a scenario at its opening, ready to be answered and checked."""
    game = setup.game(_dice(seed))
    game.copy()  # from now on the game remembers every border between segments
    laws = setup.enact(copy_of(setup.opening)) if setup.enact else None
    trial = Trial(setup, seed, game, report, folder, laws)
    trial.shared = [(part, canonical(part)) for part in frozen_parts(game.state)]
    trial.border = game.border
    if laws is not None:
        _raise_first(trial, "the_laws_hold_at_the_opening", laws.step(setup.opening, game.border.state), Depth())
    return trial


def _dice(seed: int) -> Dice:
    """Two games in three have seeded dice, the third committed ones, whose tape is written as it goes."""
    return Seeded(seed) if seed % 3 else Committed(f"a secret for seed {seed}")


def _go_through(trial: Trial, depth: Depth) -> None:
    _hold(trial, AT_THE_OPENING, depth)
    while True:
        _hold(trial, AT_EVERY_REQUEST, depth)
        over = trial.game.pending is None
        if depth.every == 1 or (depth.every and trial.chance("closely").random() * depth.every < 1):
            trial.report.looked += 1
            _hold(trial, (*CLOSELY, *depth.also), depth)
            if over or trial.chance("rarely").random() < RARE:
                _hold(trial, RARELY, depth)
        if over:
            _hold(trial, AT_THE_END, depth)
            return
        if trial.answers == depth.longest:
            _raise_first(trial, "the_game_comes_to_an_end", [f"{depth.longest} answers, and it still asks"], depth)
        trial.answer()


def _hold(trial: Trial, checks: Iterable[Check], depth: Depth) -> None:
    for check in checks:
        _raise_first(trial, check.__name__, check(trial), depth)


def _raise_first(trial: Trial, check: str, faults: Iterable[str], depth: Depth) -> None:
    for fault in faults:
        raise _fault(trial.setup, trial.seed, trial, check, fault, depth)


def _fault(setup: Setup, seed: int, trial: Trial | None, check: str, found: str, depth: Depth) -> ConformanceError:
    title = str(setup.scenario.get("title", setup.label))
    again = f"flagplot.testing.conform({setup.label}, seeds=[{seed}]{depth.arguments()})"
    return ConformanceError(title, seed, trial.answers if trial else 0, check, found, again)
