"""The states of *A World at War* that a side's position may be in, and what it may assume about them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import comb, prod
from random import Random
from typing import NamedTuple, TypeVar

from flagplot.awaw.air_units import Arm, Force, Role, Unit, flying_range, take, unit
from flagplot.awaw.battle.air_plan import patrol_limit
from flagplot.awaw.battle.cargo import laden_factors
from flagplot.awaw.battle.decks import in_the_air, sound_decks
from flagplot.awaw.battle.groups import facts_of
from flagplot.awaw.counting import add
from flagplot.awaw.ships import FAST_CARRIERS, Fleet, Kind, factors, named_ships, ship
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.setting import at_sea, drm_ledger
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import MOST
from flagplot.kernel.errors import BadValue
from flagplot.kernel.plain import copy_of
from flagplot.odds.position_fleets import fleets, rated
from flagplot.odds.position_staff import Missing, Worlds
from flagplot.odds.position_veil import Known, is_mustered
from flagplot.odds.ship_lists import read_fleet

T = TypeVar("T")

MOST_HIDDEN = 12
"""17.312, 20.162: at most half of the 25 factors of a task force are carriers, with as many squadrons."""
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


def missing_of(known: Known, involved: Involved) -> list[Missing]:
    """What the side does not know of forces that a question hangs on."""
    found: list[Missing] = []
    for number in involved.groups:
        group, what = known.group(number), f"cg{number}"
        if not group.revealed:
            told = f" ({group.facts})" if group.facts else ""
            words = f"the ships of CG {number}{told}: all that fit are taken to be equally likely"
            found.append(Missing(what, words))
        if involved.air and _may_patrol(group):
            words = f"the combat air patrol over CG {number}: from none to a third of full decks, equally likely"
            found.append(Missing(f"{what}.patrol", words))
        if involved.air and known.cover and not group.this_round.uncovered:
            flying, over = sum(known.cover.values()), known.flying
            words = f"the air cover over CG {number}: of {flying} squadrons each flies over any of {over} groups"
            found.append(Missing(f"{what}.cover", words))
    for base in involved.bases:
        name = known.state.place(base).name
        words = f"the squadrons under the TF marker in {name}: from none to {MOST_HIDDEN}, equally likely"
        found.append(Missing(f"{base}.hidden", words))
    return found


def _may_patrol(group: Group) -> bool:
    if group.revealed:
        return bool(sum(sound_decks([group]).values()))
    return group.facts is None or group.facts.carriers > 0


# --- what is assumed ----------------------------------------------------------------------------------------------


def read_assumed(known: Known, given: Mapping[str, str]) -> Assumed:
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


def _ships(known: Known, number: int, text: str) -> Fleet:
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
        message = f"of CG {number} was told: {group.facts}; these have {told}"
        raise BadValue(message, given=text, rule="22.452B")
    return fleet


def _squadrons(known: Known, text: str, key: str, most: int, rule: str) -> tuple[Arm, int]:
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


def _most_patrol(known: Known, number: int, assumed: Assumed) -> int:
    group = known.group(number)
    fleet = assumed.ships.get(number, group.ships if group.revealed else None)
    if fleet is None:
        return patrol_limit(MOST // 2)
    return patrol_limit(sum(sound_decks([Group(known.enemy, "", fleet)]).values()))


# --- the states ---------------------------------------------------------------------------------------------------


class Over(NamedTuple):
    """The air over a combat group."""

    arm: Arm
    patrol: int
    cover: tuple[tuple[Unit, int], ...]


NOBODY = Over(Arm.NAVAL, 0, ())


def worlds_of(known: Known, involved: Involved, assumed: Assumed) -> Worlds:
    """All states that fit, or if they are too many a way to draw one."""
    ships = {number: _fleet(known, number, assumed) for number in involved.groups}
    unseen = [number for number, fleet in ships.items() if fleet is None]

    def airs(number: int, fleet: Fleet) -> Airs:
        return _airs(known, number, fleet, involved, assumed)

    def draw(chance: Random) -> State:
        arranged = _drawn_fleets(known, ships, chance)
        over = {number: _pick(airs(number, fleet), chance) for number, fleet in arranged.items()}
        hidden = {base: _pick(_under_markers(known, base, assumed), chance) for base in involved.bases}
        return _filled(known, arranged, over, hidden)

    if unseen:
        return Worlds(None, draw, tuple([f"cg{number}" for number in unseen]))
    seen = {number: fleet for number, fleet in ships.items() if fleet is not None}
    over_each = [airs(number, fleet) for number, fleet in seen.items()]
    markers = [_under_markers(known, base, assumed) for base in involved.bases]
    if prod([*map(len, over_each), *map(len, markers)]) > MOST_WORLDS:
        return Worlds(None, draw, tuple([one.key for one in missing_of(known, involved)]))
    listed = []
    for chosen in product(*over_each):
        over = {number: one for number, (_, one) in zip(seen, chosen, strict=True)}
        for under in product(*markers):
            hidden = {base: one for base, (_, one) in zip(involved.bases, under, strict=True)}
            weight = prod([one for one, _ in chosen], start=Fraction(1)) * prod([one for one, _ in under])
            listed.append((weight, _filled(known, seen, over, hidden)))
    return Worlds(listed, draw)


Airs = Sequence[tuple[Fraction, Over]]


def _fleet(known: Known, number: int, assumed: Assumed) -> Fleet | None:
    group = known.group(number)
    return group.ships if group.revealed else assumed.ships.get(number)


def _drawn_fleets(known: Known, ships: Mapping[int, Fleet | None], chance: Random) -> dict[int, Fleet]:
    """Group by group: of all fleets that fit it, and that are not in a group before it, each is equally likely."""
    given = [which.id for fleet in ships.values() if fleet for which in fleet if which.named]
    taken = known.elsewhere | frozenset(given)
    drawn: dict[int, Fleet] = {}
    for number, fleet in ships.items():
        if fleet is None:
            fitting = fleets(known.state.setting, known.enemy, frozenset(taken), known.group(number).facts)
            fleet = fitting.draw(chance)
            if fleet is None:
                raise BadValue(
                    f"no ships of the enemy fit what is known of CG {number}", given=known.group(number).facts
                )
            taken |= {which.id for which in fleet if which.named}
        drawn[number] = fleet
    return drawn


def _airs(known: Known, number: int, fleet: Fleet, involved: Involved, assumed: Assumed) -> list[tuple[Fraction, Over]]:
    """What may fly over a group with these ships, with weights."""
    if not involved.air:
        return [(Fraction(1), NOBODY)]
    patrols = _patrols(known, number, fleet, assumed)
    covers = _covers(known, number, assumed)
    each = Fraction(1, len(patrols))
    return [(each * weight, Over(arm, some, cover)) for arm, some in patrols for weight, cover in covers]


def _patrols(known: Known, number: int, fleet: Fleet, assumed: Assumed) -> list[tuple[Arm, int]]:
    limit = patrol_limit(sum(sound_decks([Group(known.enemy, "", fleet)]).values()))
    if number in assumed.patrol:
        arm, some = assumed.patrol[number]
        return [(arm, min(some, limit))]
    arms = _arms(known, fleet)
    return [(Arm.NAVAL, 0), *[(arm, some) for arm in arms for some in range(1, limit + 1)]]


def _arms(known: Known, fleet: Fleet) -> tuple[Arm, ...]:
    """The Japanese may have elite squadrons."""
    country = _deck_country(fleet)
    return (Arm.NAVAL, Arm.ELITE) if country == "japan" else (Arm.NAVAL,)


def _deck_country(fleet: Fleet) -> str:
    decks = sound_decks([Group("", "", fleet)])
    return max(decks, key=lambda country: decks[country]) if decks else ""


Cover = tuple[tuple[Unit, int], ...]


def _covers(known: Known, number: int, assumed: Assumed) -> list[tuple[Fraction, Cover]]:
    """22.4421: each squadron that flies cover covers one of the groups, any of them equally likely."""
    group = known.group(number)
    if group.this_round.uncovered or not known.cover:
        return [(Fraction(1), ())]
    if number in assumed.cover:
        left, cover = assumed.cover[number], list[tuple[Unit, int]]()
        for which, count in known.cover.items():
            some = min(left, count)
            left -= some
            cover += [(which, some)] if some else []
        return [(Fraction(1), tuple(cover))]
    kinds = []
    for which, count in known.cover.items():
        ways = [(comb(count, some) * (known.flying - 1) ** (count - some), some) for some in range(count + 1)]
        kinds.append([(Fraction(many, known.flying**count), which, some) for many, some in ways if many])
    return [
        (
            prod([one for one, _, _ in chosen], start=Fraction(1)),
            tuple([(which, some) for _, which, some in chosen if some]),
        )
        for chosen in product(*kinds)
    ]


def _under_markers(known: Known, base: str, assumed: Assumed) -> list[tuple[Fraction, Cover]]:
    """17.3126: what a TF marker in a port may hide."""
    if base in assumed.hidden:
        arm, number = assumed.hidden[base]
        able = [(arm, number, _carrier_countries(known)[0])]
    else:
        able = [(Arm.NAVAL, 0, "")]
        for country in _carrier_countries(known):
            for arm in (Arm.NAVAL, Arm.ELITE) if country == "japan" else (Arm.NAVAL,):
                able += [(arm, number, country) for number in range(1, MOST_HIDDEN + 1)]
    each = Fraction(1, len(able))
    return [
        (each, ((_squadron(known.state, country, arm, base), number),) if number else ())
        for arm, number, country in able
    ]


def _carrier_countries(known: Known) -> list[str]:
    have = {one.nation for one in named_ships().values() if one.kind in FAST_CARRIERS}
    return [country for country in known.state.setting.nations[known.enemy] if country in have] or ["britain"]


def _squadron(state: State, country: str, arm: Arm, home: str) -> Unit:
    setting = state.setting
    drm = drm_ledger(setting, state.place(home), country, arm).total
    return unit(country, arm, drm, flying_range(arm, setting.pacific, 0), home, Role.SQUADRONS, False)


def _pick(able: Sequence[tuple[Fraction, T]], chance: Random) -> T:
    """One of some things by their weights, which are 1 in all."""
    left = Fraction(chance.randrange(10**12), 10**12)
    for weight, thing in able:
        left -= weight
        if left < 0:
            return thing
    return able[-1][1]


# --- filling in ---------------------------------------------------------------------------------------------------


def _filled(known: Known, ships: Mapping[int, Fleet], over: Mapping[int, Over], hidden: Mapping[str, Cover]) -> State:
    """A state with these ships and squadrons; what it does not hang on is filled in somehow, always the same."""
    world = copy_of(known.state)
    for base, cover in hidden.items():
        world.sites[base].hidden = dict(cover)
    if world.scene.kind != "naval-battle":
        return world
    for group in world.battle.numbered(known.enemy):
        if not group.revealed:
            group.ships = dict(ships[group.number]) if group.number in ships else _somebody(known, group)
            group.carried = laden_factors(group.ships)
            group.cargo = "its cargo" if group.carried else ""
        if group.number in over:
            _fly(world, known, group, over[group.number])
    _man_decks(world, known, {one.arm for one in over.values() if one.patrol})
    return world


def _somebody(known: Known, group: Group) -> Fleet:
    """Ships of a group that nothing hangs on."""
    setting = known.state.setting
    which = ship(setting.nations[known.enemy][0], Kind.DESTROYER, "", 1, False, 0)
    return {rated(setting, which): 5 if group.facts is not None and group.facts.small else 10}


def _fly(world: State, known: Known, group: Group, over: Over) -> None:
    country = _deck_country(group.ships)
    if over.patrol and country:
        group.patrol = {_squadron(world, country, over.arm, at_sea(known.enemy)): over.patrol}
    for which, number in over.cover:
        add(group.cover, which, number)
    group.third = patrol_limit(sum(sound_decks([group]).values()))


def _man_decks(world: State, known: Known, arms: set[Arm]) -> None:
    """All undamaged carriers have full decks, as far as squadrons are not in the air and their number was not told."""
    arm, side = Arm.ELITE if arms == {Arm.ELITE} else Arm.NAVAL, known.enemy
    mustered, site = is_mustered(world), world.sites[at_sea(side)]
    for group in world.battle.present(side):
        sound = sorted([one for one in group.ships if one.fast_carrier and not one.damaged], key=lambda one: one.size)
        for carrier in sound[: known.ready.get(group.number)]:
            which = _squadron(world, carrier.nation, arm, at_sea(side))
            add(site.air if mustered else group.air, which, carrier.size)
    away: Force = in_the_air(world, side) if mustered else {}
    for which, number in away.items():
        for aboard in [one for one in site.air if one.nation == which.nation]:
            gone = min(number, site.air[aboard])
            take(site.air, aboard, gone)
            number -= gone
            if not number:
                break
