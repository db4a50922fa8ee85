"""How much the odds of a position hang on what is believed of the enemy's unseen forces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flagplot.odds.answer import Part
from flagplot.odds.position_answer import PositionAnswer, SampledPart

SIGNIFICANT = 2.0
"""Standard errors by which two figures differ that are not the same by chance."""


def other_beliefs(answer: PositionAnswer, others: Sequence[tuple[str, PositionAnswer]]) -> Iterator[str]:
    """For each other belief a line: the figure that differs most, or that none differs."""
    for name, other in others:
        words = other.belief.words if other.belief is not None else name
        if not other.options or (other.belief is not None and other.belief.name != name):
            continue  # it fits nothing, so less was believed
        moved = max(_moved(answer, other), key=lambda one: one[0], default=None)
        if moved is None or moved[0] < SIGNIFICANT:
            yield f"if {words}: about the same"
        else:
            _, label, ours, theirs = moved
            yield f"if {words}: {label}: {ours.title} {float(theirs.mean):.2f} instead of {float(ours.mean):.2f}"


def _moved(answer: PositionAnswer, other: PositionAnswer) -> Iterator[tuple[float, str, Part, Part]]:
    """Each figure of each option that both tell, and by how many standard errors they differ."""
    for ours, theirs in zip(answer.options, other.options, strict=True):
        found = {part.title: part for part in theirs.answer.parts if part.is_number}
        for part in ours.answer.parts:
            if part.is_number and part.title in found:
                twin = found[part.title]
                error = (_error(part) ** 2 + _error(twin) ** 2) ** 0.5
                gap = abs(float(part.mean - twin.mean))
                yield (gap / error if error else 1000 * gap), ours.label, part, twin


def _error(part: Part) -> float:
    return part.error if isinstance(part, SampledPart) else 0.0
