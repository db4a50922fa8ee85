"""Ships under attack from the air (23.42-23.44): at sea or in port, by squadrons or by kamikazes.

The air defense, the targets, the dice and the hits are the same for all of them. What differs between a combat group
and a port is the `Target`; `AtSea` is the one here, `InPort` stands with the harbours. Air combat comes before this
(`flagplot.awaw.air_rounds`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import attrgetter
from typing import ClassVar

from flagplot.awaw.air_combat import AT_SEA, Circumstances
from flagplot.awaw.air_units import Counted, Force, Unit
from flagplot.awaw.basing import UNLIMITED
from flagplot.awaw.battle.damage import Hits, hit_light_ships, hits_read, tell_named
from flagplot.awaw.battle.groups import label
from flagplot.awaw.counting import take, without
from flagplot.awaw.hits import Critical, Tally, critical_roll, hit_named, sinks_light, sinks_named
from flagplot.awaw.ships import DefenseCounts, Fleet, Ship, Ships, defense_counts
from flagplot.awaw.state.battle import LIGHT_SHIPS, Aim, Group, Strike
from flagplot.awaw.state.setting import at_sea, drm_ledger, naval_ledger
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import air_attack_modifiers, air_defense_level, surprise_effects
from flagplot.awaw.tables.grids import NO_EFFECT, AirResult, air_defense_row, naval_attack_by_air_row
from flagplot.awaw.tables.grids import rows as rows_of
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.requests import Choose, Faces, Roll, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, count_or_not

# --- what is attacked -------------------------------------------------------------------------------------------


class Target(ABC):
    """Ships that air units attack: how they are defended, what the attackers see, and what hits do to them."""

    at_sea: ClassVar[bool]
    arrival: ClassVar[str]
    """What is told when attackers come through to the ships."""

    side: str
    name: Words
    attacker: str
    state: State

    @property
    @abstractmethod
    def ships(self) -> Fleet:
        """Those that are left of them."""

    @abstractmethod
    def circumstances(self, defending: Force) -> Circumstances:
        """What changes an air combat over the ships, beside the forces in it."""

    @abstractmethod
    def defense_level(self) -> Ledger:
        """Their air defense level."""

    @abstractmethod
    def show(self) -> Script[None]:
        """23.424#2: attackers who get through see them."""

    @abstractmethod
    def hit_named(self, which: Ship, hits: int) -> Script[None]:
        """Hits on one of the named ships."""

    @abstractmethod
    def hit_light(self, hits: int) -> Script[None]:
        """Hits on the light ships, which are one target."""


class AtSea(Target):
    """A combat group (23.76), attacked in naval combat or `outside` it, at a surprise `level`."""

    at_sea = True
    arrival = "The strike reaches {}"

    def __init__(self, state: State, group: Group, attacker: str, level: int = 0, outside: bool = False) -> None:
        self.side, self.name, self.attacker = group.side, label(state, group), attacker
        self.state, self.group, self.level, self.outside = state, group, level, outside
        self.stricken = False
        """Whether a fast carrier was damaged or sunk."""

    @property
    def ships(self) -> Fleet:
        return self.group.ships

    @rule("23.415D")
    def circumstances(self, defending: Force) -> Circumstances:
        """23.415D: who of the defenders are on patrol and who fly cover, and surprise."""
        home, patrol, cover = at_sea(self.side), False, False
        for which in defending:
            if which.home == home:
                patrol = True
            else:
                cover = True
        return Circumstances(AT_SEA, patrol, cover, self.level)

    @rule("23.4211", "23.4213", "T23.42-08", "23.421.1", "23.4211D")
    def defense_level(self) -> Ledger:
        """23.4211: the air defense level of the struck group alone; submarines have none, whatever the research of
        their side."""
        shipless = self.group.shipless
        research = 0 if shipless and shipless.nation else self.state.setting.best(self.side, "air_defense")
        return _defense_level(defense_counts(self.ships), research, self.level)

    @rule("23.424#2")
    def show(self) -> Script[None]:
        """23.424#2: in naval combat they see the group, outside it the whole naval force."""
        for seen in self.state.battle.present(self.side) if self.outside else [self.group]:
            if seen.ships:
                seen.revealed = True
                yield disclosed(
                    ("{} revealed: {}", label(self.state, seen), Ships(seen.ships.items())),
                    "23.424#2",
                    seen.side,
                )

    @rule("T23.44-08", "23.443A.1", "T23.7413-07", "23.7413")
    def hit_named(self, which: Ship, hits: int) -> Script[None]:
        """T23.44-08: a named ship is damaged one hit short of its size and sunk at its size; at surprise level 7 or
        more damage brings a die for a critical hit (T23.7413-07)."""
        after = hit_named(self.ships, which, hits)
        if after is not None and after.damaged and not which.damaged and surprise_effects(self.level).critical_hits:
            roll = critical_roll(self.attacker, after, self.state.setting.options)
            if roll is not None and (yield roll) is Critical.SUNK:
                take(self.ships, after, 1)
                after = None
        self.stricken |= which.fast_carrier and (after is None or after.damaged)
        yield from tell_named(self.state, which, after, "23.443")

    def hit_light(self, hits: int) -> Script[None]:
        return hit_light_ships(self.state, self.group, self.ships, hits, Tally(), "23.443")  # one target, hit at once


# --- the air defense --------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _defense_level(ships: DefenseCounts, research: int, surprise_level: int) -> Ledger:
    return air_defense_level(**ships._asdict(), research=research, surprise_level=surprise_level)


@rule("23.421", "23.424", "T23.42-09", "23.4211D")
def fire_at_air(state: State, target: Target) -> Script[AirResult | None]:
    """23.42: what the air defense does to all who came through to the ships, without a choice (23.424); nothing if its
    level is below one. Above level 10 one roll is read in several rows, or by option each row is rolled for."""
    level = target.defense_level()
    yield disclosed((target.arrival, target.name), "23.42", True)
    if not level.total:
        return None
    separate = state.setting.options.beyond_last_row == "separate-rolls"
    public = ("{}: air defense of {}", state.name(target.side), target.name)
    result = NO_EFFECT
    for row in rows_of("air-defense", level.total) if separate else (level.total,):
        purpose = ("{}, row {}", public, row)
        result += yield Roll(target.side, 2, purpose, _defense_reads(row), "23.42", level, public, "level")
    return result


@lru_cache(maxsize=64)
def _defense_reads(level: int) -> Callable[[Faces], AirResult]:
    row = air_defense_row(level)

    def reads(faces: Faces) -> AirResult:
        return row[faces[0] + faces[1] - 2]

    return reads


# --- the targets of squadrons -----------------------------------------------------------------------------------


@rule("23.43", "23.43A", "23.43B", "23.76C", "17.3121.1")
def take_aim(flown: Strike, ships: Fleet, most: int = UNLIMITED, *, always: bool = False) -> Script[None]:
    """23.43: the targets of all squadrons before any of them rolls: named ships one by one, light ships as one, and by
    `most` no more than so many."""
    names: dict[str, Words] = {}
    for which in ships:
        if which.named:
            names[which.id] = which.name
        else:
            names[LIGHT_SHIPS] = "light ships"
    able, left = [*names], dict(flown.attackers)
    while left:
        target: str = yield Choose(flown.side, "target", [*able], "Choose a target", names, "23.43")
        able.remove(target)
        least = sum(left.values()) if not able or len(flown.aims) + 1 >= most else 1
        some = yield from _against(flown.side, target, names[target], left, least, always=always)
        flown.aims.append(Aim(target, some))
        left = without(left, some)


def _against(side: str, target: str, name: Words, left: Force, least: int, *, always: bool) -> Script[Force]:
    """At least so many squadrons for one target, kind by kind. Raiders are asked `always`: whether they have a choice
    would tell from how many carriers they fly (17.3121)."""
    rest = sum(left.values())
    if least == rest and not always:
        return dict(left)
    some: Force = {}
    for which, count in left.items():
        rest -= count
        values = range(max(0, least - rest), count + 1)
        words, labels = count_or_not(
            count,
            ("Attack {} with how many of {}?", name, Counted(which, count)),
            ("Attack {} with {}?", name, Counted(which, count)),
            ("Spare {}", name),
            ("Attack {}", name),
        )
        number: int = yield Choose(side, ("against", target, which.tag), values, words, labels, "23.43", always=always)
        if number:
            some[which] = number
            least -= number
    return some


# --- the attacks ------------------------------------------------------------------------------------------------

Rolls = Callable[[str, list[Ship]], list[Roll[Hits]]]
"""The dice of those who attack one target, given its name and its ships."""


@rule("23.44", "23.76D", "23.76E")
def attack_ships(target: Target, aims: Iterable[str], rolls: Rolls) -> Script[None]:
    """23.44: one target after the other is rolled for on the Naval Attack Table, and takes its hits."""
    for aim in aims:
        aimed = aimed_at(target.ships, aim)
        light, hits = aim == LIGHT_SHIPS, 0
        sinks = sinks_light(target.ships, Tally(), target.state.setting.options) if light else sinks_named(aimed[0])
        for roll in rolls(aim, aimed):
            roll.sinks = sinks
            hits += yield roll
        if hits and light:
            yield from target.hit_light(hits)
        elif hits:
            yield from target.hit_named(aimed[0], hits)


def aimed_at(ships: Fleet, target: str) -> list[Ship]:
    if target == LIGHT_SHIPS:
        return [which for which in ships if which.light]
    return [which for which in ships if which.id == target]


@rule("23.44", "17.142A", "23.53")
def squadrons_attack(state: State, flown: Strike, target: Target) -> Script[None]:
    """23.44: for each target two dice, in the row of the squadrons against it; army air factors that attack ships in
    port count as a squadron each (17.142A)."""
    against = {aim.target: aim.squadrons for aim in flown.aims}

    def rolls(aim: str, aimed: list[Ship]) -> list[Roll[Hits]]:
        ledger = attack_ledger(state, flown, against[aim], aimed, at_sea=target.at_sea)
        return [attack_roll(state, flown.side, against[aim], target_name(aimed), ledger)]

    return attack_ships(target, against, rolls)


def target_name(aimed: list[Ship]) -> str:
    """A target in words."""
    return "light ships" if aimed[0].light else aimed[0].name


def attack_roll(state: State, side: str, squadrons: Force, what: str, ledger: Ledger) -> Roll[Hits]:
    """23.44: the dice of squadrons against one target."""
    number = sum(squadrons.values())
    purpose = ("{}: attack on {}, row {}", state.name(side), what, number)
    return Roll(side, 2, purpose, hits_read(naval_attack_by_air_row(number), ledger.total), "23.44", ledger)


@rule("23.441A", "23.441B", "23.441C", "T22.55-03", "T23.44-03", "T22.552A-11")
def attack_ledger(state: State, flown: Strike, squadrons: Force, aimed: list[Ship], *, at_sea: bool = True) -> Ledger:
    """23.441: the modifiers of squadrons against ships; light ships have the lowest of their Naval DRMs
    (`docs/rulings.md`)."""
    against = naval_ledger(state.setting, min(aimed, key=_drm))
    return squadrons_ledger(state, squadrons, against, flown.level, at_sea=at_sea)


@rule("23.441A", "23.441B", "17.354")
def squadrons_ledger(state: State, squadrons: Force, against: Ledger, level: int = 0, *, at_sea: bool = True) -> Ledger:
    """23.441: the attackers' lowest Air DRM, at sea with the +1 of naval air, less the target's Naval DRM."""
    lowest = min(squadrons, key=_attack_value if at_sea else _drm)
    return air_attack_modifiers(
        drm_ledger(state.setting, state.place(lowest.home), lowest.nation, lowest.arm),
        against,
        naval_air_at_sea=at_sea and lowest.is_naval,
        surprise_level=level,
    )


def _attack_value(which: Unit) -> int:
    return which.drm + which.is_naval


_drm = attrgetter("drm")
