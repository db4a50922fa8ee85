"""Secret choices that both sides make at once: a small matrix game of playouts, solved by regret matching.

Rows are our options, columns what the enemy may do. Each plays against the other many times, more often what it regrets
not having played; the average of that tends to a mix that no answer of the enemy can exploit (Hart, Mas-Colell, 2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

STEPS = 2_000
"""How often the matrix is played."""


def solved(payoffs: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
    """The mix of the one who wants much, and that of the one who wants little."""
    rows, columns = len(payoffs), len(payoffs[0])
    ours, theirs = [0.0] * rows, [0.0] * columns
    our_regret, their_regret = [0.0] * rows, [0.0] * columns
    for _ in range(STEPS):
        mine, other = _matched(our_regret), _matched(their_regret)
        gains = [sum([other[j] * payoffs[i][j] for j in range(columns)]) for i in range(rows)]
        costs = [sum([mine[i] * payoffs[i][j] for i in range(rows)]) for j in range(columns)]
        value = sum([mine[i] * gains[i] for i in range(rows)])
        our_regret = [max(0.0, our_regret[i] + gains[i] - value) for i in range(rows)]
        their_regret = [max(0.0, their_regret[j] + value - costs[j]) for j in range(columns)]
        ours = [total + share for total, share in zip(ours, mine, strict=True)]
        theirs = [total + share for total, share in zip(theirs, other, strict=True)]
    return [total / STEPS for total in ours], [total / STEPS for total in theirs]


def _matched(regrets: Sequence[float]) -> list[float]:
    whole = sum(regrets)
    return [one / whole for one in regrets] if whole > 0 else [1 / len(regrets)] * len(regrets)


def mixed(chances: Sequence[float], seed: int) -> int:
    """One place, each as often as its chance says."""
    drawn, whole = Random(f"mix {seed}").random() * sum(chances), 0.0
    for place, chance in enumerate(chances):
        whole += chance
        if drawn < whole:
            return place
    return len(chances) - 1
