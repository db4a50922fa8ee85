"""The state of a battle: plain data that says everything at a border between segments."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from flagplot.kernel.procedures import Frame
from flagplot.kernel.rules import rule
from flagplot.line_of_battle.options import Options
from flagplot.line_of_battle.units import Factors, Unit

BATTLE, BASE_ATTACK = "battle", "base-attack"
DAY, NIGHT = "day", "night"


@rule("LOB-24")
class Box(Enum):
    """Where a unit stands: the boxes of the page in its order, and where units go from them."""

    LINE = "line-of-battle"
    DISABLED = "disabled"
    DAMAGED = "damaged"
    BOTH = "damaged-and-disabled"
    SUNK = "sunk"
    DELAY = "delay"
    OUT = "out-of-play"
    RETREATED = "retreated"


@dataclass(frozen=True, slots=True)
class Setting:
    """What does not change during a battle; all copies share it."""

    title: str
    kind: str
    rounds: int
    """How many rounds there can be."""
    phasing: str
    other: str
    names: dict[str, str]
    all_sea: bool
    air_bases: dict[str, bool]
    """Whether a faction has an air base no more than three hexes away."""
    order: tuple[str, ...]
    """All units in the order in which they attack."""
    units: dict[str, Unit]
    options: Options

    def enemy(self, side: str) -> str:
        return self.other if side == self.phasing else self.phasing

    @property
    def sides(self) -> tuple[str, str]:
        return self.phasing, self.other


@dataclass(slots=True)
class Marker:
    """A unit on the board: its box, the side that is up, and what is noted beside it in this round."""

    box: Box = Box.LINE
    damaged: bool = False
    points: int = 0
    disabled: bool = False
    weapons: str = ""
    """What it attacks with, joined by ``+``; nothing before its target is named."""
    target: str = ""
    attacked: bool = False
    fate: str = ""
    """Why it has left: ``disabled``, ``sunk``, ``destroyed`` or ``retreated``."""


@dataclass(slots=True)
class State:
    """A battle at one moment."""

    setting: Setting
    frames: list[Frame]
    markers: dict[str, Marker]
    round: int = 0
    action: str = ""
    """Day or night, once that is settled for the round."""
    after: str = ""
    """The action that follows in the same round, if any."""
    hidden: dict[str, str] = field(default_factory=dict)
    """Day or night as chosen in secret, until both factions have chosen."""
    selected: dict[str, str] = field(default_factory=dict)
    """Day or night as everybody knows it."""
    resolution: str = ""

    def name(self, side: str) -> str:
        return self.setting.names[side]

    def unit(self, key: str) -> Unit:
        return self.setting.units[key]

    def factors(self, key: str) -> Factors:
        """The factors of the side of a counter that is up."""
        return self.setting.units[key].factors(self.markers[key].damaged)

    def of(self, side: str) -> list[str]:
        return [key for key in self.setting.order if self.setting.units[key].side == side]

    @rule("LOB-24")
    def line(self, side: str) -> list[str]:
        """The units of a faction that fight: those in its Line of Battle Box."""
        return [key for key in self.of(side) if self.markers[key].box is Box.LINE]

    def is_decided(self) -> bool:
        """Whether a faction has nobody left to fight."""
        return not all(map(self.line, self.setting.sides))
