"""Rule citations: ``@rule("19.61", "19.62")`` says which numbered rules a function or class carries out.

The decorator changes nothing. `flagplot.register.coverage` reads the citations from the source text, so a
citation costs nothing in play, and an id that is not in the register fails the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def rule(first: str, *others: str) -> Callable[[T], T]:
    """Cite the numbered rules that the decorated function or class carries out."""

    def cited(thing: T) -> T:
        return thing

    return cited
