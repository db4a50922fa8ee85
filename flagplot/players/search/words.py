"""What was found out about the options of a decision, in words and as a table."""

from __future__ import annotations

from collections.abc import Sequence

from flagplot.players.search.judging import POINTS
from flagplot.players.search.weighing import Weighed

LITTLE = 0.05
"""Differences below this are not told."""
HEAD = ("Option", "Score", "Own loss", "Enemy loss", "Playouts")
MEANING = "Score: -100 all lost, +100 all won, ± its standard error. Losses in {}, on average, since the battle began."


def in_a_sentence(options: Sequence[Weighed], chosen: str, doctrine: str, unit: str, *, mixed: bool = False) -> str:
    """``“Hold back” costs us 0.4 factors fewer than “Strike CG 2”.``"""
    best = next(one for one in options if one.text == chosen)
    often = [f"“{one.label}” {one.chance:.0%}" for one in options if one.chance >= LITTLE]
    if mixed and len(often) > 1:
        return f"A secret choice, so it is mixed: {', '.join(often)}. This time: “{best.label}”."
    others = [one for one in options if one is not best]
    if not others:
        return f"“{best.label}” was the only option that was compared."
    other = next((one for one in others if one.text == doctrine), others[0])
    if chosen == doctrine and not any([_is_clear(one) for one in others]):
        return f"No option is clearly better than another, so we keep to our doctrine: “{best.label}”."
    told = [part for part in (_losses(best, other, unit), _enemy(best, other, unit), _wins(best, other)) if part]
    if not told:
        return f"“{best.label}” comes out slightly better than “{other.label}”."
    return f"“{best.label}” {_listed(told)} than “{other.label}”."


def _is_clear(one: Weighed) -> bool:
    return abs(one.better.mean) > 2 * one.better.error


def _losses(best: Weighed, other: Weighed, unit: str) -> str:
    less = other.own - best.own
    if abs(less) < LITTLE:
        return ""
    verb = "gives the enemy" if unit == POINTS else "loses"
    return f"{verb} {abs(less):.1f} {unit} {'fewer' if less > 0 else 'more'}"


def _enemy(best: Weighed, other: Weighed, unit: str) -> str:
    more = best.enemy - other.enemy
    if abs(more) < LITTLE:
        return ""
    verb = "brings us" if unit == POINTS else "costs the enemy"
    return f"{verb} {abs(more):.1f} {unit} {'more' if more > 0 else 'fewer'}"


def _wins(best: Weighed, other: Weighed) -> str:
    more = 100 * (best.won - other.won) / 2
    if abs(more) < 100 * LITTLE:
        return ""
    return f"wins {abs(more):.0f} {'more' if more > 0 else 'fewer'} of 100 battles"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def cells(one: Weighed) -> tuple[str, ...]:
    """A row of the table, without the option."""
    score, error = 100 * one.value.mean, 100 * one.value.error
    return f"{score:+.0f} ± {error:.0f}", f"{one.own:.1f}", f"{one.enemy:.1f}", str(one.playouts)


def table(options: Sequence[Weighed], chosen: str, unit: str) -> list[str]:
    """The options as lines of text; the chosen one is marked."""
    rows = [HEAD, *[(f"{'›' if one.text == chosen else ' '} {one.label}", *cells(one)) for one in options]]
    widths = [max([len(row[place]) for row in rows]) for place in range(len(HEAD))]
    lines = []
    for row in rows:
        numbers = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join([row[0].ljust(widths[0]), *numbers]))
    return [*lines, MEANING.format(unit)]
