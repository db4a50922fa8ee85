"""After a fight: which of the forces that made up a combat group gets which of its ships and squadrons back.

A combat group may be made of several forces (22.421A). Each of them has a base and a voyage of its own (22.63, 22.81),
so that what is left of the group is dealt out among them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from flagplot.awaw.air_units import Force
from flagplot.awaw.counting import add
from flagplot.awaw.ships import Fleet, Kind, Ship, decks
from flagplot.awaw.state.battle import Group
from flagplot.kernel.rules import rule

Sort = tuple[str, Kind, str]
"""What a ship is, whatever hits it has and whatever it carries: a named ship, or light ships of a nation."""


def sort_of(which: Ship) -> Sort:
    return which.nation, which.kind, which.id


def _on_duty(which: Ship) -> bool:
    return which.laden or which.empty


class Part(NamedTuple):
    """What a force has in a combat group."""

    ships: Fleet
    air: Force


class Claims:
    """What the forces that made up a combat group brought into it, and what they have got back so far."""

    def __init__(self, parts: dict[str, Fleet]) -> None:
        self.forces = [*parts]
        self.on_duty = {key for key, brought in parts.items() if any([_on_duty(which) for which in brought])}
        self.brought: dict[tuple[str, Sort], int] = {}
        self.back: dict[tuple[str, Sort], int] = {}
        for key, brought in parts.items():
            for which, number in brought.items():
                sort = sort_of(which)
                self.brought[key, sort] = self.brought.get((key, sort), 0) + number

    @rule("22.63", "22.81A")
    def owner(self, which: Ship) -> str:
        """Whose a ship is. A named ship is that of the force that brought it; of light ships the next goes to the force
        that has got back the smallest share of its own, so that losses are shared in proportion."""
        sort = sort_of(which)
        able = [key for key in self.forces if self._missing(key, sort) and (not _on_duty(which) or key in self.on_duty)]
        if not able:
            return self.forces[0]
        return min(able, key=lambda key: (self.back.get((key, sort), 0) / self.brought[key, sort], self._rank(key)))

    def _missing(self, key: str, sort: Sort) -> int:
        return self.brought.get((key, sort), 0) - self.back.get((key, sort), 0)

    def _rank(self, key: str) -> int:
        return self.forces.index(key)

    def count(self, key: str, which: Ship) -> None:
        sort = sort_of(which)
        self.back[key, sort] = self.back.get((key, sort), 0) + 1


@rule("22.63", "22.81A")
def deal(group: Group, claims: Claims) -> dict[str, Part]:
    """What is left of a group, or of a part of it that withdrew, by the forces that it goes back to. Ships on cargo
    duty go first: they are those of the force that came with cargo, or returns from where it landed it."""
    fleets: dict[str, Fleet] = {}
    for which, number in sorted(group.ships.items(), key=lambda entry: not _on_duty(entry[0])):
        for _ in range(number):
            key = claims.owner(which)
            claims.count(key, which)
            add(fleets.setdefault(key, {}), which, 1)
    air = deal_air(group.air, fleets)
    return {key: Part(fleets[key], air[key]) for key in claims.forces if key in fleets}


@rule("17.3124", "22.463C.1")
def deal_air(air: Force, fleets: dict[str, Fleet]) -> dict[str, Force]:
    """17.3124: squadrons are aboard the carriers of their nation, undamaged ones first; where several forces have
    room the emptiest decks are filled."""
    dealt: dict[str, Force] = {key: {} for key in fleets}
    room = {key: {country: list(both) for country, both in decks(fleet).items()} for key, fleet in fleets.items()}
    for which, number in air.items() if room else ():
        for _ in range(number):
            key = _roomiest(room, which.nation)
            add(dealt[key], which, 1)
            if bases := room[key].get(which.nation):
                bases[0 if bases[0] > 0 else 1] -= 1
    return dealt


def _roomiest(room: dict[str, dict[str, list[int]]], country: str) -> str:
    """The force with most room for a squadron: on undamaged carriers, else on damaged ones."""
    for place in (0, 1):
        able = {key: bases[country][place] for key, bases in room.items() if country in bases}
        if max(able.values(), default=0) > 0:
            return max(able, key=lambda key: able[key])
    return next(iter(room))


def heir(parts: Iterable[tuple[str, Part]]) -> str:
    """The force that the cargo of a group belongs to: that of the laden ships."""
    return max(parts, key=lambda entry: sum([number for which, number in entry[1].ships.items() if which.laden]))[0]
