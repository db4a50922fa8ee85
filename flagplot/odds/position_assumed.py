"""What a side may assume about a position of *A World at War*, and the states that it may be in then.

What the side knows comes from `flagplot.awaw.knowledge`; here the question says which of the rest bears upon it. Only
that is listed or drawn, and all else filled in somehow, always the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import NamedTuple, TypeVar

from flagplot.awaw.air_units import Arm, Force, take
from flagplot.awaw.battle.air_plan import patrol_limit
from flagplot.awaw.battle.cargo import laden_factors
from flagplot.awaw.battle.decks import in_the_air, sound_decks
from flagplot.awaw.battle.groups import facts_of
from flagplot.awaw.counting import add
from flagplot.awaw.knowledge.battle import moment_of
from flagplot.awaw.knowledge.fleets import Wanted, fleets, rated, told_by
from flagplot.awaw.knowledge.known import Knowledge
from flagplot.awaw.knowledge.squadrons import (
    MOST_HIDDEN,
    Covers,
    Flying,
    carrier_countries,
    covers,
    deck_country,
    hidden_squadrons,
    patrols,
    squadron,
    under_marker,
)
from flagplot.awaw.ships import Fleet, Kind, factors, ship
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import MOST
from flagplot.kernel.errors import BadValue
from flagplot.kernel.plain_data import copy_of
from flagplot.odds.position_staff import Missing, Worlds
from flagplot.odds.ship_lists import read_fleet

T = TypeVar("T")

MOST_WORLDS = 150
"""Arrangements that are gone through one by one; if there are more, they are drawn by chance."""


class Involved(NamedTuple):
    """Enemy forces that a question hangs on."""

    groups: tuple[int, ...] = ()
    """Combat groups, by their numbers."""
    air: bool = False
    """Whether the air over them matters."""
    bases: tuple[str, ...] = ()
    """Bases in which a TF marker may hide squadrons."""


@dataclass(slots=True)
class Assumed:
    """What is assumed of the enemy."""

    ships: dict[int, Fleet] = field(default_factory=dict)
    patrol: dict[int, tuple[Arm, int]] = field(default_factory=dict)
    cover: dict[int, int] = field(default_factory=dict)
    hidden: dict[str, tuple[Arm, int]] = field(default_factory=dict)


# --- what is missing ----------------------------------------------------------------------------------------------


def missing_of(known: Knowledge, involved: Involved) -> list[Missing]:
    """What the side does not know of forces that a question hangs on."""
    found: list[Missing] = []
    for number in involved.groups:
        group, what = known.group(number), f"cg{number}"
        if number in known.unseen:
            told = f" ({group.facts})" if group.facts else ""
            words = f"the ships of CG {number}{told}: all that fit are equally likely"
            found.append(Missing(what, words))
        if involved.air and _may_patrol(known, group):
            words = f"the combat air patrol over CG {number}: from none to a third of full decks, equally likely"
            found.append(Missing(f"{what}.patrol", words))
        if involved.air and known.cover and not group.this_round.uncovered:
            flying, over = sum(known.cover.values()), len(known.over)
            words = f"the air cover over CG {number}: each of {flying} squadrons may fly over any of {over} groups"
            found.append(Missing(f"{what}.cover", words))
    for base in involved.bases:
        name = known.state.place(base).name
        words = f"the squadrons under the TF marker in {name}: from none to {MOST_HIDDEN}, equally likely"
        found.append(Missing(f"{base}.hidden", words))
    return found


def _may_patrol(known: Knowledge, group: Group) -> bool:
    if group.number not in known.unseen:
        return bool(sum(sound_decks([group]).values()))
    return group.facts is None or group.facts.carriers > 0


# --- what is assumed ----------------------------------------------------------------------------------------------


def read_assumed(known: Knowledge, given: Mapping[str, str]) -> Assumed:
    """Assumptions by their keys, checked against what the side knows."""
    assumed = Assumed()
    for key, text in given.items():
        name, _, part = key.partition(".")
        if part == "hidden":
            assumed.hidden[name] = _squadrons(known, text, key, MOST_HIDDEN, "17.312")
        elif not part:
            assumed.ships[int(name[2:])] = _ships(known, int(name[2:]), text)
    for key, text in given.items():
        name, _, part = key.partition(".")
        if part == "patrol":
            number = int(name[2:])
            assumed.patrol[number] = _squadrons(known, text, key, _most_patrol(known, number, assumed), "23.33")
        elif part == "cover":
            assumed.cover[int(name[2:])] = _whole(text, key, sum(known.cover.values()), "22.4421")
    return assumed


def _ships(known: Knowledge, number: int, text: str) -> Fleet:
    setting, group = known.state.setting, known.group(number)
    countries = list(setting.nations[known.enemy])
    only = countries[0] if len(countries) == 1 else ""
    read = read_fleet(text, f"ships of CG {number}", only, options=setting.options)
    fleet: Fleet = {}
    for which, count in read.items():
        if which.nation not in countries:
            raise BadValue(f"{which.name} is no ship of the enemy", given=text, allowed=countries)
        if which.id in known.elsewhere:
            raise BadValue(f"{which.name} is known to be elsewhere, or sunk", given=text)
        add(fleet, rated(setting, which), count)
    if factors(fleet) > MOST:
        raise BadValue(
            f"a combat group has at most {MOST} factors, and these are {factors(fleet)}", given=text, rule="22.421A"
        )
    told = facts_of(Group(known.enemy, "", fleet))
    if group.facts is not None and told != group.facts:
        message = f"CG {number} is known to have: {group.facts}; these have {told}"
        raise BadValue(message, given=text, rule="22.452B")
    return fleet


def _squadrons(known: Knowledge, text: str, key: str, most: int, rule: str) -> tuple[Arm, int]:
    """``4`` or ``4 elite`` squadrons."""
    found = re.fullmatch(r"(\d{1,3})(\s+elite)?", text.strip().casefold())
    elite = "japan" in known.state.setting.nations[known.enemy]
    if found is None or int(found[1]) > most or (found[2] and not elite):
        allowed = [f"0 to {most}", *[f"0 to {most} elite"] * elite]
        raise BadValue(f"{key} is a number of squadrons", given=text, allowed=allowed, rule=rule)
    return Arm.ELITE if found[2] else Arm.NAVAL, int(found[1])


def _whole(text: str, key: str, most: int, rule: str) -> int:
    if not re.fullmatch(r"\d{1,3}", text.strip()) or int(text) > most:
        raise BadValue(f"{key} is a number of squadrons", given=text, allowed=[f"0 to {most}"], rule=rule)
    return int(text)


def _most_patrol(known: Knowledge, number: int, assumed: Assumed) -> int:
    group = known.group(number)
    fleet = assumed.ships.get(number, None if number in known.unseen else group.ships)
    if fleet is None:
        return patrol_limit(MOST // 2)
    return patrol_limit(sum(sound_decks([Group(known.enemy, "", fleet)]).values()))


# --- the states ---------------------------------------------------------------------------------------------------


class Patrol(NamedTuple):
    """The combat air patrol over a combat group."""

    arm: Arm
    number: int


Patrols = Mapping[int, Patrol]


class Air(NamedTuple):
    """What flies over the combat groups."""

    patrols: Patrols
    covers: Covers


def worlds_of(known: Knowledge, involved: Involved, assumed: Assumed) -> Worlds:
    """All states that fit, or if they are too many a way to draw one."""
    ships = {number: _fleet(known, number, assumed) for number in involved.groups}
    unseen = [number for number, fleet in ships.items() if fleet is None]
    over = covers(known, involved.groups, assumed.cover) if involved.air else [(Fraction(1), Covers())]

    def patrol(number: int, fleet: Fleet) -> list[tuple[Fraction, Patrol]]:
        return _patrols(known, number, fleet, assumed) if involved.air else [(Fraction(1), Patrol(Arm.NAVAL, 0))]

    def draw(chance: Random) -> State:
        arranged = _drawn_fleets(known, ships, chance)
        flying = {number: _pick(patrol(number, fleet), chance) for number, fleet in arranged.items()}
        hidden = {base: _pick(_under_markers(known, base, assumed), chance) for base in involved.bases}
        return _filled(known, arranged, Air(flying, _pick(over, chance)), hidden)

    if unseen:
        return Worlds(None, draw, tuple([f"cg{number}" for number in unseen]))
    seen = {number: fleet for number, fleet in ships.items() if fleet is not None}
    flying = [patrol(number, fleet) for number, fleet in seen.items()]
    markers = [_under_markers(known, base, assumed) for base in involved.bases]
    if prod([len(over), *map(len, flying), *map(len, markers)]) > MOST_WORLDS:
        return Worlds(None, draw, tuple([one.key for one in missing_of(known, involved)]))
    listed = []
    for weight, covering in over:
        for chosen in product(*flying):
            air = Air({number: one for number, (_, one) in zip(seen, chosen, strict=True)}, covering)
            for under in product(*markers):
                hidden = {base: one for base, (_, one) in zip(involved.bases, under, strict=True)}
                share = prod([one for one, _ in (*chosen, *under)], start=weight)
                listed.append((share, _filled(known, seen, air, hidden)))
    return Worlds(listed, draw)


def _fleet(known: Knowledge, number: int, assumed: Assumed) -> Fleet | None:
    group = known.group(number)
    return assumed.ships.get(number) if number in known.unseen else group.ships


def _drawn_fleets(known: Knowledge, ships: Mapping[int, Fleet | None], chance: Random) -> dict[int, Fleet]:
    """Group by group: of all fleets that fit it, and that are not in a group before it, each is equally likely."""
    given = [which.id for fleet in ships.values() if fleet for which in fleet if which.named]
    taken = frozenset([*known.elsewhere, *given])
    nations = tuple(known.state.setting.nations[known.enemy])
    drawn: dict[int, Fleet] = {}
    for number, fleet in ships.items():
        if fleet is None:
            fitting = Wanted(nations, taken, told_by(known.group(number).facts))
            fleet = fleets(known.state.setting, fitting).draw(chance)
            if fleet is None:
                raise BadValue(
                    f"no ships of the enemy fit what is known of CG {number}", given=known.group(number).facts
                )
            taken |= {which.id for which in fleet if which.named}
        drawn[number] = fleet
    return drawn


def _patrols(known: Knowledge, number: int, fleet: Fleet, assumed: Assumed) -> list[tuple[Fraction, Patrol]]:
    """What may fly patrol over a group with these ships, with weights."""
    if number not in assumed.patrol:
        return [(weight, Patrol(arm, some)) for weight, arm, some in patrols(fleet)]
    arm, some = assumed.patrol[number]
    most = patrol_limit(sum(sound_decks([Group(known.enemy, "", fleet)]).values()))
    return [(Fraction(1), Patrol(arm, min(some, most)))]


def _under_markers(known: Knowledge, base: str, assumed: Assumed) -> list[tuple[Fraction, Flying]]:
    if base not in assumed.hidden:
        return under_marker(known, base)
    arm, number = assumed.hidden[base]
    return [(Fraction(1), hidden_squadrons(known, base, arm, number, carrier_countries(known)[0]))]


def _pick(able: Sequence[tuple[Fraction, T]], chance: Random) -> T:
    """One of some things by their weights, which are 1 in all."""
    left = Fraction(chance.randrange(10**12), 10**12)
    for weight, thing in able:
        left -= weight
        if left < 0:
            return thing
    return able[-1][1]


# --- filling in ---------------------------------------------------------------------------------------------------


def _filled(known: Knowledge, ships: Mapping[int, Fleet], air: Air, hidden: Mapping[str, Flying]) -> State:
    """A state with these ships and squadrons; what it does not hang on is filled in somehow, always the same."""
    drawn = copy_of(known.state)
    for base, cover in hidden.items():
        drawn.sites[base].hidden = dict(cover)
    if drawn.scene.kind != "naval-battle":
        return drawn
    for group in drawn.battle.numbered(known.enemy):
        if group.number in known.unseen:
            group.ships = dict(ships[group.number]) if group.number in ships else _somebody(known, group)
            group.carried = laden_factors(group.ships)
            group.cargo = "its cargo" if group.carried else ""
        if group.number in air.patrols:
            _fly(drawn, known, group, air.patrols[group.number], air.covers.get(group.number, ()))
    _man_decks(drawn, known, {one.arm for one in air.patrols.values() if one.number})
    return drawn


def _somebody(known: Knowledge, group: Group) -> Fleet:
    """Ships of a group that nothing hangs on."""
    setting = known.state.setting
    which = ship(setting.nations[known.enemy][0], Kind.DESTROYER, "", 1, False, 0)
    return {rated(setting, which): 5 if group.facts is not None and group.facts.small else 10}


def _fly(drawn: State, known: Knowledge, group: Group, patrol: Patrol, cover: Flying) -> None:
    country = deck_country(group.ships)
    if patrol.number and country:
        group.patrol = {squadron(drawn, country, patrol.arm, at_sea(known.enemy)): patrol.number}
    for which, number in cover:
        add(group.cover, which, number)
    group.third = patrol_limit(sum(sound_decks([group]).values()))


def _man_decks(drawn: State, known: Knowledge, arms: set[Arm]) -> None:
    """All undamaged carriers have full decks, as far as squadrons are not in the air and their number was not told."""
    arm, side = Arm.ELITE if arms == {Arm.ELITE} else Arm.NAVAL, known.enemy
    mustered, site = moment_of(drawn).mustered, drawn.sites[at_sea(side)]
    for group in drawn.battle.present(side):
        sound = sorted([one for one in group.ships if one.fast_carrier and not one.damaged], key=lambda one: one.size)
        for carrier in sound[: known.ready.get(group.number)]:
            which = squadron(drawn, carrier.nation, arm, at_sea(side))
            add(site.air if mustered else group.air, which, carrier.size)
    away: Force = in_the_air(drawn, side) if mustered else {}
    for which, number in away.items():
        for aboard in [one for one in site.air if one.nation == which.nation]:
            gone = min(number, site.air[aboard])
            take(site.air, aboard, gone)
            number -= gone
            if not number:
                break
