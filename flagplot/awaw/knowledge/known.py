"""What a side knows of a game: the state without the enemy's secrets, and what is known of what was taken out."""

from __future__ import annotations

from dataclasses import dataclass, field

from flagplot.awaw.air_units import Force
from flagplot.awaw.ships import Fleet
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.kernel.errors import BadValue


class NothingFits(BadValue):
    """No state was found that fits what a side knows."""


@dataclass(slots=True)
class Marker:
    """20.164: what is known of a naval force on the map, beside where it is."""

    nations: tuple[str, ...]
    ships: Fleet
    """All of them, or if it is `hidden` those on cargo duty."""
    hidden: bool
    fights: bool = False
    """Whether it is in a battle, or under attack on its way."""
    activity: str = ""
    """What it is in the battle for (22.81)."""
    cargo: str = ""
    loads: dict[str, int] = field(default_factory=dict)
    divisible: tuple[str, ...] = ()
    slow: bool | None = None
    """22.22J: whether it is slow, if its interception dice have shown it."""
    light: bool | None = None
    """22.22D: the same, whether it has only cruisers and destroyers."""
    large: bool | None = None
    """21.5342: of raiders, whether there are three ships or more."""


@dataclass(slots=True)
class Knowledge:
    """All that a side knows at a border between two segments.

    Enemy combat groups are called by their numbers, and those that nobody has seen have no ships and no squadrons; so
    two states that differ only in what the side may not know give it the same knowledge, to the byte.
    """

    side: str
    enemy: str
    state: State
    """Without the enemy's secrets."""
    unseen: tuple[int, ...] = ()
    """The numbers of his combat groups that nobody has seen."""
    elsewhere: tuple[str, ...] = ()
    """Named ships of the enemy that are known to be somewhere: sunk, or in a group that was seen."""
    waiting: int | None = None
    """The enemy's forces that have not joined the battle; None as long as nobody knows how many he has."""
    cover: Force = field(default_factory=dict)
    """Enemy air cover of which it is not known over which group it flies (22.4421B)."""
    over: tuple[int, ...] = ()
    """The numbers of the enemy groups that it may fly over."""
    ready: dict[int, int] = field(default_factory=dict)
    """By group: its fully operational carriers, where the owner has just told their number (22.9413)."""
    searching: int | None = None
    """22.451D: how many of the enemy's groups gave a search die in this round, among those that were not seen and those
    that are distant."""
    activities: tuple[str, ...] = ()
    """The naval activities of the enemy groups that nobody has seen, in no order."""
    markers: dict[str, Marker] = field(default_factory=dict)
    """On a map: the enemy's naval forces."""
    behind: tuple[str, ...] = ()
    """Those of them that are the combat groups which nobody has seen, in no order; if even the make-up of the others is
    forgotten, all that are in the battle or have left it."""
    forgets_make_up: bool = False
    """In a battle on a map: whether it is left open which forces make up the groups that were seen, too."""

    def group(self, number: int) -> Group:
        """An enemy combat group by its number."""
        return next(group for group in self.groups() if group.number == number)

    def groups(self) -> list[Group]:
        return self.state.battle.numbered(self.enemy)


def name_of(side: str, number: int) -> str:
    """What an enemy combat group is called by those who know only its number."""
    return f"{side} CG {number}"
