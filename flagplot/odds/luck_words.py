"""Luck in words: how far off dice were, and how often fair ones are. It tells how they fell, and nothing of anybody."""

from __future__ import annotations

from fractions import Fraction

from flagplot.odds.luck import as_far_off

RAREST = 1e-9
"""What is rarer is not told more exactly."""
HOW_FAR = ((1.0, "about as expected"), (2.0, "somewhat {} expectation"), (3.0, "well {} expectation"))


def number(amount: Fraction) -> str:
    """An amount for people: whole if it is, else to two places."""
    return str(amount) if amount.denominator == 1 else f"{float(amount):.2f}"


def off(deviations: float) -> str:
    """How far off something was, in standard deviations."""
    return f"{deviations:+.1f} sd"


def how_far(deviations: float) -> str:
    """How far off a whole game was."""
    way = "above" if deviations > 0 else "below"
    return next((words for most, words in HOW_FAR if abs(deviations) < most), "far {} expectation").format(way)


def in_words(deviations: float) -> str:
    """How unusual a whole game was."""
    return f"{how_far(deviations)} ({off(deviations)}; {how_often(deviations)})"


def how_often(deviations: float) -> str:
    """How often fair dice stray as far."""
    return f"fair dice are this far off in {often(as_far_off(deviations))}"


def often(share: float) -> str:
    """How many games that is."""
    return f"{share:.0%} of all games" if share >= 0.1 else f"about one game in {1 / max(share, RAREST):,.0f}"
