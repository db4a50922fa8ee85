"""Ships and LBAs: counters with two sides, and the factors that are printed on them."""

from __future__ import annotations

from typing import NamedTuple

GUNNERY, TORPEDO, AIRSTRIKE = "gunnery", "torpedo", "airstrike"
WEAPONS = (GUNNERY, TORPEDO, AIRSTRIKE)


class Factors(NamedTuple):
    """One side of a counter. Without a Damage Factor (0) it cannot be damaged or reduced."""

    gunnery: int
    torpedo: int
    airstrike: int
    defense: int
    damage: int = 0

    def of(self, weapon: str) -> int:
        number: int = getattr(self, weapon)
        return number

    @property
    def attack(self) -> int:
        """All its attack factors together."""
        return self.gunnery + self.torpedo + self.airstrike


class Unit(NamedTuple):
    """A ship, or a land-based air unit (LBA). A ship with an Airstrike Factor is a carrier."""

    id: str
    name: str
    side: str
    lba: bool
    bonus: bool
    front: Factors
    back: Factors
    """Its damaged or reduced side."""
    armoured: bool
    """Whether the damaged side has a Defense Factor of its own; else that of the front holds on."""

    def factors(self, damaged: bool) -> Factors:
        return self.back if damaged else self.front

    @property
    def word_damaged(self) -> str:
        return "reduced" if self.lba else "damaged"

    @property
    def word_sunk(self) -> str:
        return "destroyed" if self.lba else "sunk"
