"""What a ruleset says must be true of its own states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from flagplot.testing.trial import Trial


def the_rulesets_invariants_hold(trial: Trial) -> Iterator[str]:
    """A ruleset may have `invariants(state)`: it lists in words what is wrong with a state."""
    invariants: Callable[[Any], Iterable[str]] | None = getattr(trial.setup.ruleset, "invariants", None)
    if invariants is not None:
        yield from invariants(trial.game.state)


def the_laws_of_the_game_hold(trial: Trial) -> Iterator[str]:
    """Laws that know the opening: of the state at each moment, and of each step from border to border."""
    if trial.laws is None:
        return
    yield from trial.laws.always(trial.game.state)
    before, border = trial.border, trial.game.border
    if before is not None and border.turn > before.turn:  # else a choice was taken back, or nothing is new
        yield from trial.laws.step(before.state, border.state)
    trial.border = border
    if trial.game.pending is None:
        yield from trial.laws.step(border.state, trial.game.state)
