"""Questions that come up wherever squadrons are sorted out: which of them, and how many of each kind."""

from __future__ import annotations

from collections.abc import Callable

from flagplot.awaw.air_units import Counted, Force, From, Unit
from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.words import Words, how_many

Most = Callable[[Unit, Force], int]
"""The most of a kind that may still be taken, given what was taken so far."""


def pick(side: str, verb: str, force: Force, number: int, question: str, rule: str) -> Script[Force]:
    """Exactly so many squadrons of a force; which kinds is the side's choice. The force is not changed."""
    chosen: Force = {}
    if number <= 0:
        return chosen
    rest = sum(force.values())
    if number >= rest:
        return dict(force)
    for which, count in force.items():
        rest -= count
        values = range(max(0, number - rest), min(count, number) + 1)
        words = (question, Counted(which, count))
        some: int = yield Choose(side, (verb, which.tag), values, words, how_many, rule)
        if some:
            chosen[which] = some
            number -= some
    return chosen


def any_of(force: Force) -> Most:
    """All of each kind may be taken."""
    return lambda which, _: force[which]


def gather(
    side: str,
    verb: str,
    force: Force,
    most: Most,
    least: int,
    question: Words,
    rule: str,
    *,
    named: Callable[[str], str] | None = None,
) -> Script[Force]:
    """Any squadrons of a force within limits, at least so many in all: how many of each kind. It is not changed. With
    `named`, which gives the names of bases, the question says where they come from."""
    chosen: Force = {}
    kinds = [which for which in force if most(which, chosen)]
    for which in kinds:
        count = force[which]
        must = least if which is kinds[-1] and not chosen else 0
        values = range(must, min(count, most(which, chosen)) + 1)
        there = From(which, count, named(which.home)) if named else Counted(which, count)
        some: int = yield Choose(side, (verb, which.tag), values, (question, there), how_many, rule)
        if some:
            chosen[which] = some
    return chosen
