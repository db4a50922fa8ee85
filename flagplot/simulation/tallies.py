"""What many battles come to: counts alone, so that it does not matter in which order they were fought."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from flagplot.simulation.battles import Fought

Key = tuple[str, str]
"""A side, and a kind of unit, a figure or a name."""


def _counters() -> defaultdict[Key, Counter[int]]:
    return defaultdict(Counter)


@dataclass(slots=True)
class Tally:
    """How often what happened. Zeros are not counted where they go without saying."""

    battles: int = 0
    unended: int = 0
    """Battles that were broken off."""
    winners: Counter[str | None] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    rounds: Counter[int] = field(default_factory=Counter)
    answers: Counter[int] = field(default_factory=Counter)
    figures: defaultdict[Key, Counter[int]] = field(default_factory=_counters)
    lost: defaultdict[Key, Counter[int]] = field(default_factory=_counters)
    """For each side and kind of unit: how often so many were lost."""
    through: defaultdict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    """For each side: how often so many factors of cargo got through."""
    fates: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    """How often a side's ship of this name came to that."""

    def add(self, fought: Fought) -> None:
        self.battles += 1
        self.answers[fought.answers] += 1
        if fought.over:
            self.winners[fought.winner] += 1
        else:
            self.unended += 1
        if fought.ending:
            self.endings[fought.ending] += 1
        if fought.rounds is not None:
            self.rounds[fought.rounds] += 1
        for figure, by_side in fought.figures.items():
            for side, number in by_side.items():
                self.figures[side, figure][number] += 1
        for side, toll in fought.toll.items():
            self.through[side][toll.through] += 1
            for kind, number in toll.lost.items():
                self.lost[side, kind][number] += 1
            for name, fate in toll.named.items():
                if fate:
                    self.fates[side, name, fate] += 1


def tally_of(battles: Iterable[Fought]) -> Tally:
    tally = Tally()
    for fought in battles:
        tally.add(fought)
    return tally
