"""Questions that come up wherever squadrons are sorted out: which of them, and how many of each kind."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from flagplot.awaw.air_units import Counted, Force, From, Unit
from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.words import CountLabel, Words, count_or_not

Most = Callable[[Unit, Force], int]
"""The most of a kind that may still be taken, given what was taken so far."""


Asked = tuple[str, str, str, str]
"""How squadrons are asked for: of several of a kind; of a single one, with what its two answers say."""


def asked_about(subject: str, verb: str, no: str, yes: str) -> Asked:
    """Such a question about a place or a force: ``Malta: escort with how many of {}?``."""
    return f"{subject}: {verb} with how many of {{}}?", f"{subject}: {verb} with {{}}?", no, yes


def pick(side: str, verb: str, force: Force, number: int, asked: Asked, rule: str) -> Script[Force]:
    """Exactly this number of squadrons of a force; which kinds is the side's choice. The force is not changed."""
    chosen: Force = {}
    if number <= 0:
        return chosen
    rest = sum(force.values())
    if number >= rest:
        return dict(force)
    for which, count in force.items():
        rest -= count
        values = range(max(0, number - rest), min(count, number) + 1)
        words, labels = _in_words(asked, which, count)
        some: int = yield Choose(side, (verb, which.tag), values, words, labels, rule)
        if some:
            chosen[which] = some
            number -= some
    return chosen


@lru_cache(maxsize=4096)
def _in_words(asked: Asked, which: Unit, count: int, home: str = "") -> tuple[Words, CountLabel]:
    many, one, no, yes = asked
    who = From(which, count, home) if home else Counted(which, count)
    return count_or_not(count, (many, who), (one, who), no, yes)


def any_of(force: Force) -> Most:
    """All of each kind may be taken."""
    return lambda which, _: force[which]


def gather(
    side: str,
    verb: str,
    force: Force,
    most: Most,
    least: int,
    asked: Asked,
    rule: str,
    *,
    named: Callable[[str], str] | None = None,
) -> Script[Force]:
    """Any squadrons of a force within limits, at least `least` of them: how many of each kind. It is not changed. With
    `named`, which gives the names of bases, the question says where they come from."""
    chosen: Force = {}
    kinds = [which for which in force if most(which, chosen)]
    for which in kinds:
        count = force[which]
        must = least if which is kinds[-1] and not chosen else 0
        values = range(must, min(count, most(which, chosen)) + 1)
        words, labels = _in_words(asked, which, count, named(which.home) if named else "")
        some: int = yield Choose(side, (verb, which.tag), values, words, labels, rule)
        if some:
            chosen[which] = some
    return chosen
