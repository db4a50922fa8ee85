"""What a conformance run found: figures if all is well, an error that can be reproduced if not."""

from __future__ import annotations

from dataclasses import dataclass, field


class ConformanceError(AssertionError):
    """Something that no ruleset or scenario may do: where it was found, what it is, and how to see it again."""

    def __init__(self, scenario: str, seed: int, answer: int, check: str, found: str, again: str) -> None:
        super().__init__(scenario, seed, answer, check, found, again)
        self.scenario = scenario
        self.seed = seed
        self.answer = answer
        self.check = check
        self.found = found
        self.again = again

    def __str__(self) -> str:
        holds = self.check.replace("_", " ")
        where = f"{self.scenario}, seed {self.seed}, answer {self.answer}"
        return f"{where}: {self.found}\n  what should hold: {holds}\n  to see it again: {self.again}"


@dataclass(slots=True)
class Report:
    """Figures of games that kept every rule of the suite."""

    requests: int = 0
    games: int = 0
    longest: int = 0
    looked: int = 0
    """Moments at which the costly checks were made too."""
    pairs: int = 0
    """Moments at which one side's view of two paired states was compared."""
    differed: int = 0
    """Pairs whose states really differed: the others prove nothing."""
    unlike: int = 0
    """Pairs given up because the other side could not have answered so in the second state."""
    revealed: int = 0
    """Pairs given up because the rules had revealed something since the last border."""
    rules: set[str] = field(default_factory=set)
    """Every rule number that was cited."""

    def add(self, other: Report) -> None:
        """Take in the figures of other games."""
        for name in ("requests", "games", "looked", "pairs", "differed", "unlike", "revealed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.longest = max(self.longest, other.longest)
        self.rules |= other.rules

    def __str__(self) -> str:
        return (
            f"{self.requests:,} requests in {self.games:,} games, the longest of {self.longest}; "
            f"{self.looked:,} moments looked at closely; {self.pairs:,} pairs of states compared, "
            f"{self.differed:,} of them different ({self.unlike:,} did not fit, {self.revealed:,} were revealed)"
        )
