"""Less noise for the same battles: what follows from luck is taken out of their figures.

Every roll has an exact expectation. How far the rolls of a battle were off is zero on average, whatever the players do,
and goes together with how the battle ended: who rolled well has lost less. So the part of a figure that goes by luck is
found by regression and taken away; its average stays the same, and it strays less (control variates).

Luck is counted apart where it has other consequences: for each side and kind of roll the first rolls and the rest, how
much a roll was worth and whether it was worth so much; how many factors it sank at once, since the third hit sinks what
two have not; which of the enemy's groups was found, before anything was hit and since; which kind of ship was come
upon; and what players drew in secret. Each of these is zero on average for one roll, given all that came before it, and
so is their sum: to know when to count a roll takes nothing that it decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import lcm
from typing import Any, NamedTuple

from flagplot.kernel.dice import Dice, Head
from flagplot.kernel.effects import effect
from flagplot.kernel.requests import Faces, Roll
from flagplot.players.doctrine.player import DoctrinePlayer

Luck = dict[str, float]
"""How far the dice of a battle were off, for each control."""
MANY_DICE = 8
"""More dice than these fall in too many ways, and are too many to stray far."""
FIRST, NEXT = 2, 5
"""Rolls of a side and a kind that count as its first, and those before the rest: early luck has more time to tell."""
HITS = "hits"
"""How the units begin by which hits are measured."""
MANY_KINDS = 6
"""More readings without a measure than these are not told apart."""
STEPS = (1, 2, 3, 4)
"""It is also counted how often a roll was worth at least so much. If its `sinks` says what each hit destroys, the first
step is enough."""
RARE = 0.1
"""A step that is reached, or missed, less often is not counted: with few battles it may not have come up yet."""


class Worth(NamedTuple):
    """What a roll is worth on average, and the chances of what else is counted of it."""

    unit: str
    """What is measured; nothing if readings have no measure."""
    mean: float
    reaches: dict[int, float]
    """The chances that it is worth at least so much as each step, for those that count."""
    kinds: dict[Any, float]
    """The chances of readings without a measure, such as the kind of ship that a submarine comes upon."""
    finds: dict[int, float]
    """The chances that a number is in what is read, if that is a list of what was found."""
    any: float
    """The chance that anything is found."""


@lru_cache(maxsize=8192)
def worth_of(reads: Any, dice: int) -> Worth | None:
    """What dice that are read so are worth; None if there is no luck in them, or none that can be told."""
    return _worth(getattr(reads, "worth_as", reads), dice)


@lru_cache(maxsize=8192)
def _worth(reads: Any, dice: int) -> Worth | None:
    outcomes, all_ways = Roll("", dice, "", reads, "").outcomes(), 6**dice
    ways: dict[tuple[int, int], int] = {}  # by whole numbers: the hash of a fraction takes long
    finds: dict[int, int] = {}
    unit = ""
    for reading, number in outcomes.items():
        found = effect(reading)
        if found is None:
            return _kinds(outcomes, all_ways)
        unit = found.unit
        amount = found.amount.as_integer_ratio()
        ways[amount] = ways.get(amount, 0) + number
        if isinstance(reading, tuple):
            for one in set(reading):
                finds[one] = finds.get(one, 0) + number
    if len(ways) == 1:
        return None
    whole = lcm(*[under for _, under in ways])  # sums of fractions take long too
    mean = sum([over * number * (whole // under) for (over, under), number in ways.items()]) / (whole * all_ways)
    reaches = {
        step: sum([number for (over, under), number in ways.items() if over >= step * under]) / all_ways
        for step in STEPS
    }
    told = {step: chance for step, chance in reaches.items() if RARE <= chance <= 1 - RARE}
    return Worth(unit, mean, told, {}, {one: number / all_ways for one, number in finds.items()}, reaches[1])


def _kinds(outcomes: Mapping[Any, int], all_ways: int) -> Worth | None:
    """The chances of readings that have no measure. The last one follows from the others."""
    if not 1 < len(outcomes) <= MANY_KINDS:
        return None
    kinds = {kind: number / all_ways for kind, number in [*outcomes.items()][:-1]}
    return Worth("", 0.0, {}, kinds, {}, 0.0)


@lru_cache(maxsize=8192)
def mean_sunk(reads: Any, dice: int, sinks: Any) -> float | None:
    """What dice that are read so sink on average; None if that is certain."""
    sunk = [(sinks(reading), ways) for reading, ways in _outcomes(reads, dice)]
    if len({number for number, _ in sunk}) == 1:
        return None
    mean: float = sum([number * ways for number, ways in sunk]) / 6**dice
    return mean


@lru_cache(maxsize=8192)
def _outcomes(reads: Any, dice: int) -> tuple[tuple[Any, int], ...]:
    return tuple(Roll("", dice, "", reads, "").outcomes().items())


@lru_cache(maxsize=8192, typed=True)
def _amount(reading: object) -> float:
    """What a reading is worth that has a measure."""
    found = effect(reading)
    assert found is not None
    return float(found.amount)


class Watched:
    """Dice that count how lucky they were, and how far the draws of players were from their average.

    Everything that is counted is zero on average, given all that was before the roll: an amount less its mean, or what
    has happened, as 1 or 0, less its chance. Under which name it is counted may follow from what was before.
    """

    def __init__(self, dice: Dice, players: Mapping[str, object] | None = None) -> None:
        self._dice = dice
        self._rolled: dict[tuple[str, ...], int] = {}
        """How often each side has rolled for each unit."""
        self._hit = False
        """Whether anything was hit: what is found before that matters more."""
        self.luck: Luck = {}
        for player in (players or {}).values():
            if isinstance(player, DoctrinePlayer):
                player.lots.told = self.drawn

    @property
    def header(self) -> dict[str, Any]:
        return self._dice.header

    def faces(self, roll: Roll[Any], number: int, head: Head) -> Faces:
        faces = self._dice.faces(roll, number, head)
        worth = worth_of(roll.reads, roll.dice) if roll.dice <= MANY_DICE else None
        if worth is None:
            return faces
        reading = roll.reads(faces)
        if worth.unit:
            self._measure(roll, reading, worth)
        for kind, chance in worth.kinds.items():
            self._count(_name("1 kind", roll.side, roll.rule, kind), (reading == kind) - chance)
        return faces

    def _measure(self, roll: Roll[Any], reading: Any, worth: Worth) -> None:
        """What the roll was worth, and what it has found."""
        amount, side, sinks = _amount(reading), roll.side, roll.sinks
        luck, names = self.luck, _measures(side, worth.unit, roll.rule if sinks is None else "")
        before = self._rolled.get(names, 0)
        self._rolled[names] = before + 1
        name = names[0 if before < FIRST else 5 if before < NEXT else 6]
        luck[name] = luck.get(name, 0.0) + amount - worth.mean
        if sinks is not None and (mean := mean_sunk(roll.reads, roll.dice, sinks)) is not None:
            self._count(_name("0 at once", side), sinks(reading) - mean)
        for step, chance in worth.reaches.items():
            if sinks is None or step == 1:
                name = names[step]
                luck[name] = luck.get(name, 0.0) + (amount >= step) - chance
        if roll.finds:
            when = "since" if self._hit else "before"
            self._count(_name("1 any", side, when), (amount >= 1) - worth.any)
            alike = hasattr(roll.reads, "worth_as")  # then all numbers have one chance
            for number, found in roll.finds.items():
                chance = worth.finds.get(1 if alike else number, 0.0)
                if chance:
                    self._count(_name("1 found", side, found, when), (number in reading) - chance)
        elif amount > 0 and worth.unit.startswith(HITS):
            self._hit = True

    def drawn(self, moment: str, weights: Mapping[Any, float], answer: Any) -> None:
        """A player has drawn a secret choice: how far it is from the average, as a number or as a place in the list."""
        side, _, choice = moment.split("/", 2)
        kind, _, of = choice.rpartition("/")
        worth = {one: float(one) if isinstance(one, (int, float)) else place for place, one in enumerate(weights)}
        mean = sum([worth[one] * weight for one, weight in weights.items()]) / sum(weights.values())
        self._count(_name("2 draw", side, kind if of.isdigit() else choice), worth[answer] - mean)

    def _count(self, name: str, off: float) -> None:
        self.luck[name] = self.luck.get(name, 0.0) + off


@lru_cache(maxsize=256)
def _measures(side: str, unit: str, rule: str) -> tuple[str, ...]:
    """The controls of what a side's rolls are worth: of the first ones, by step, and of those after the first."""
    return tuple([f"{which} {side} {unit} {rule}".rstrip() for which in ("0 first", *STEPS, "0 next", "0 late")])


@lru_cache(maxsize=4096)
def _name(*parts: object) -> str:
    return " ".join(map(str, parts))
