"""What a battle has cost a side, in a form that all games share."""

from __future__ import annotations

from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

S_contra = TypeVar("S_contra", contravariant=True)

DAMAGED, SUNK = "damaged", "sunk"


class Toll(NamedTuple):
    """What a side has lost so far."""

    lost: dict[str, int]
    """Units that are lost for good, by kind, in words: ``cruisers``."""
    named: dict[str, str]
    """All its named ships and units by name, and what became of each: `SUNK`, `DAMAGED`, or nothing."""
    through: int = 0
    """Factors of cargo that go on to where they were bound, at the end of a battle."""


@runtime_checkable
class CountsLosses(Protocol[S_contra]):
    """A ruleset that says what counts as a loss. It need not: then only the figures of its result are compared."""

    def toll(self, state: S_contra) -> dict[str, Toll]:
        """What each side has lost so far; the umpire's."""
        ...
