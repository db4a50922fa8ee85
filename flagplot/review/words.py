"""A review in words, for the terminal and the page at the end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from flagplot.kernel.game import Game
from flagplot.odds.luck import luck
from flagplot.odds.luck_words import how_far, how_often, number
from flagplot.review.deciding import Decision

MOST = 3
"""Decisions that are named."""


@dataclass(frozen=True, slots=True)
class Named:
    """A decision that mattered, in words."""

    where: str
    question: str
    verdict: str
    soundness: str
    rule: str


def mattered(decisions: Iterable[Decision], most: int = MOST) -> list[Decision]:
    """Those that cost or gained most, the weightiest first; of several of a kind in the same step only one."""
    found: dict[tuple[str, str], Decision] = {}
    for one in sorted([one for one in decisions if one.is_sure], key=lambda one: (-abs(one.swing), one.number)):
        found.setdefault((one.where, one.kind), one)
    return [*found.values()][:most]


def named(one: Decision, who: str = "You") -> Named:
    """``You chose “1”. “4” was worth 1.35 factors more.``"""
    much = f"{abs(one.swing):.2f} factors"
    if one.swing < 0:
        verdict = f"{who} chose “{one.chosen}”. “{one.other}” was worth {much} more."
    else:
        verdict = f"{who} chose “{one.chosen}”: worth {much} more than the best other answer, “{one.other}”."
    soundness = f"sampled, ± {one.error:.2f}" if one.error else "exact"
    return Named(one.where, one.question, verdict, soundness, one.rule)


def luck_told(game: Game[Any], side: str, reader: str, whose: str = "Your") -> list[str]:
    """How lucky a side was, with the error."""
    found = luck(game, reader)
    if not found.of(side):
        return ["No rolls to compare."]
    far = found.in_all(side)
    lines = [f"{whose} dice were {how_far(far)}: {how_often(far)}."]
    for unit, total in found.balances(side).items():
        rolled, average = number(total.amount), number(total.expected)
        lines.append(f"{unit.capitalize()}: {rolled} rolled, {average} ± {total.error:.2f} on average.")
    return lines
