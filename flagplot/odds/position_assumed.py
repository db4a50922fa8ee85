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
from flagplot.awaw.knowledge.account import Beliefs
from flagplot.awaw.knowledge.battle import moment_of
from flagplot.awaw.knowledge.fleets import Wanted, fleets, rated, told_by
from flagplot.awaw.knowledge.known import Knowledge
from flagplot.awaw.knowledge.public import Belief, Public
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
from flagplot.awaw.ships import Fleet, Kind, described_ships, factors, ship
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import MOST
from flagplot.kernel.errors import BadValue
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.words import plural
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


def missing_of(beliefs: Beliefs, involved: Involved) -> list[Missing]:
    """What the side does not know of forces that a question hangs on."""
    found: list[Missing] = []
    known = beliefs.known
    for number in involved.groups:
        group, what = known.group(number), f"cg{number}"
        if number in known.unseen:
            told = f" ({group.facts})" if group.facts else ""
            found.append(Missing(what, f"the ships of CG {number}{told}: {_likely(beliefs, number)}", hidden=True))
        if involved.air and _may_patrol(known, group):
            words = f"the combat air patrol over CG {number}: from none to a third of full decks, equally likely"
            found.append(Missing(f"{what}.patrol", words))
        if involved.air and known.cover and not group.this_round.uncovered:
            found.append(Missing(f"{what}.cover", f"the air cover over CG {number}: {_cover_words(known)}"))
    for base in involved.bases:
        name = known.state.place(base).name
        listed = base in beliefs.believed.public.hidden
        likely = "as the scenario lists them" if listed else f"from none to {MOST_HIDDEN}, equally likely"
        found.append(Missing(f"{base}.hidden", f"the squadrons under the TF marker in {name}: {likely}", hidden=True))
    return found


def _cover_words(known: Knowledge) -> str:
    """How much air cover there is, and over which groups it may be."""
    flying, over = sum(known.cover.values()), len(known.over)
    told = plural(flying, "squadron")
    if over == 1:
        return f"{told}, since no other group can have it"
    return f"{told}, {'each ' * (flying > 1)}over any of {over} groups, equally likely"


def _likely(beliefs: Beliefs, number: int) -> str:
    """Which ships a group that nobody has seen may have."""
    able = dealt(beliefs, [number])
    if len(able) == 1:
        return f"of the scenario's forces only {described_ships(able[0][1][number].items())} fit"
    if able:
        return f"one of {len(able)} forces of the scenario, likelier if the others fit elsewhere in more ways"
    if beliefs.belief is Belief.SHIPS:
        return "any of the scenario's ships that fit"
    return "all that fit are equally likely"


def dealt(beliefs: Beliefs, numbers: Sequence[int]) -> list[tuple[Fraction, dict[int, Fleet]]]:
    """The forces of the scenario that may be behind some numbers, with weights; none if that is not believed."""
    found: dict[tuple[tuple[int, str], ...], tuple[int, dict[int, Fleet]]] = {}
    for deal in beliefs.believed.deals:
        ships = {number: deal.numbers[number].ships for number in numbers}
        key = tuple([(number, str([*map(str, fleet.items())])) for number, fleet in ships.items()])
        found[key] = found.get(key, (0, ships))[0] + 1, ships
    return [(Fraction(ways, len(beliefs.believed.deals)), ships) for ways, ships in found.values()]


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


NO_PATROL = Patrol(Arm.NAVAL, 0)
Patrols = Mapping[int, Patrol]
Arms = Mapping[str, tuple[Arm, ...]]
"""By nation: the kinds of carrier squadrons that it has, if they are public."""


class Air(NamedTuple):
    """What flies over the combat groups."""

    patrols: Patrols
    covers: Covers


def worlds_of(beliefs: Beliefs, involved: Involved, assumed: Assumed) -> Worlds:
    """All states that fit, or if they are too many a way to draw one."""
    known, public = beliefs.known, beliefs.believed.public
    ships = {number: _fleet(known, number, assumed) for number in involved.groups}
    unseen = [number for number, fleet in ships.items() if fleet is None]
    seen = {number: fleet for number, fleet in ships.items() if fleet is not None}
    over = covers(known, involved.groups, assumed.cover) if involved.air else [(Fraction(1), Covers())]
    able = _arms(public)

    def patrol(number: int, fleet: Fleet) -> list[tuple[Fraction, Patrol]]:
        return _patrols(known, number, fleet, assumed, able) if involved.air else [(Fraction(1), NO_PATROL)]

    def under(base: str) -> list[tuple[Fraction, Flying]]:
        return _under_markers(known, base, assumed, public)

    def draw(chance: Random) -> State:
        arranged = _drawn_fleets(beliefs, ships, chance)
        flying = {number: _pick(patrol(number, fleet), chance) for number, fleet in arranged.items()}
        hidden = {base: _pick(under(base), chance) for base in involved.bases}
        return _filled(known, arranged, Air(flying, _pick(over, chance)), hidden, able)

    key = (involved, str(assumed))
    fleets_ = [(weight, {**seen, **some}) for weight, some in _fitting_deals(beliefs, unseen, seen)]
    if unseen and not fleets_:
        return Worlds(None, draw, tuple([f"cg{number}" for number in unseen]), key)
    markers_ = [under(base) for base in involved.bases]
    arranged = [(weight, some, [patrol(*one) for one in some.items()]) for weight, some in fleets_]
    many = sum([prod(map(len, flying)) for _, _, flying in arranged])
    if prod([many, len(over), *map(len, markers_)]) > MOST_WORLDS:
        return Worlds(None, draw, tuple([one.key for one in missing_of(beliefs, involved)]), key)
    listed = []
    for (chance_, some, flying), (weight, covering) in product(arranged, over):
        for chosen in product(*flying):
            air = Air({number: one for number, (_, one) in zip(some, chosen, strict=True)}, covering)
            for below in product(*markers_):
                hidden = {base: one for base, (_, one) in zip(involved.bases, below, strict=True)}
                share = prod([one for one, _ in (*chosen, *below)], start=weight * chance_)
                listed.append((share, _filled(known, some, air, hidden, able)))
    return Worlds(listed, draw)


def _fitting_deals(
    beliefs: Beliefs, unseen: Sequence[int], seen: Mapping[int, Fleet]
) -> list[tuple[Fraction, dict[int, Fleet]]]:
    """What may be behind some numbers, if what is behind others is known or assumed."""
    taken = {which.id for fleet in seen.values() for which in fleet if which.named}
    fitting = [
        (weight, some)
        for weight, some in dealt(beliefs, unseen)
        if taken.isdisjoint([which.id for fleet in some.values() for which in fleet])
    ]
    whole = sum([weight for weight, _ in fitting], Fraction(0))
    return [(weight / whole, some) for weight, some in fitting] if unseen else [(Fraction(1), {})]


def _arms(public: Public) -> dict[str, tuple[Arm, ...]]:
    """By nation: the kinds of carrier squadrons that the scenario lists."""
    listed = {(which.nation, which.arm) for force in public.forces for which in force.air}
    return {nation: tuple(sorted([arm for other, arm in listed if other == nation])) for nation, _ in listed}


def _fleet(known: Knowledge, number: int, assumed: Assumed) -> Fleet | None:
    group = known.group(number)
    return assumed.ships.get(number) if number in known.unseen else group.ships


def _drawn_fleets(beliefs: Beliefs, ships: Mapping[int, Fleet | None], chance: Random) -> dict[int, Fleet]:
    """Ships for all groups that nobody has seen: by what is believed, and else group by group, all that fit and are not
    in a group before it being equally likely."""
    known = beliefs.known
    seen = {number: fleet for number, fleet in ships.items() if fleet is not None}
    unseen = [number for number, fleet in ships.items() if fleet is None]
    if not unseen:
        return seen
    if able := _fitting_deals(beliefs, unseen, seen):
        return {**seen, **_pick(able, chance)}
    taken = frozenset([*known.elsewhere, *[which.id for fleet in seen.values() for which in fleet if which.named]])
    if beliefs.belief is Belief.SHIPS:
        drawn = beliefs.draw(chance)
        found = {group.number: group.ships for group in drawn.battle.numbered(known.enemy) if group.number in unseen}
        if taken.isdisjoint([which.id for fleet in found.values() for which in fleet]):
            return {**seen, **found}
    nations = tuple(known.state.setting.nations[known.enemy])
    for number in unseen:
        fitting = Wanted(nations, taken, told_by(known.group(number).facts))
        fleet = fleets(known.state.setting, fitting).draw(chance)
        if fleet is None:
            raise BadValue(f"no ships of the enemy fit what is known of CG {number}", given=known.group(number).facts)
        taken |= {which.id for which in fleet if which.named}
        seen[number] = fleet
    return seen


def _patrols(
    known: Knowledge, number: int, fleet: Fleet, assumed: Assumed, able: Arms
) -> list[tuple[Fraction, Patrol]]:
    """What may fly patrol over a group with these ships, with weights."""
    if number not in assumed.patrol:
        return [(weight, Patrol(arm, some)) for weight, arm, some in patrols(fleet, able)]
    arm, some = assumed.patrol[number]
    most = patrol_limit(sum(sound_decks([Group(known.enemy, "", fleet)]).values()))
    return [(Fraction(1), Patrol(arm, min(some, most)))]


def _under_markers(known: Knowledge, base: str, assumed: Assumed, public: Public) -> list[tuple[Fraction, Flying]]:
    if base not in assumed.hidden:
        if base in public.hidden:
            return [(Fraction(1), tuple(public.hidden[base].items()))]
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


def _filled(known: Knowledge, ships: Mapping[int, Fleet], air: Air, hidden: Mapping[str, Flying], able: Arms) -> State:
    """A state with these ships and squadrons; what it does not hang on is filled in somehow, always the same."""
    drawn = copy_of(known.state)
    drawn.losses.air = {}  # everybody knows of it, but it has no bearing on what comes
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
    _man_decks(drawn, known, {one.arm for one in air.patrols.values() if one.number}, able)
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


def _man_decks(drawn: State, known: Knowledge, arms: set[Arm], able: Arms) -> None:
    """All undamaged carriers have full decks, as far as squadrons are not in the air and their number was not told."""
    listed = {arm for some in able.values() for arm in some}
    arm, side = Arm.ELITE if Arm.ELITE in (arms or listed) and Arm.NAVAL not in arms else Arm.NAVAL, known.enemy
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
