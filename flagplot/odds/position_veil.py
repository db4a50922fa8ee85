"""A state of *A World at War* as one side knows it: what the enemy keeps secret is taken out.

Enemy combat groups are made anew from what is open about them: number, what search told, what was seen, what they did.
Of a group that nobody has seen there are no ships, and no squadrons of any. So two states that differ only in what the
side may not know are the same under the veil, and whatever is made from it does not hang on the enemy's secrets.
"""

from __future__ import annotations

from typing import NamedTuple

from flagplot.awaw.air_units import Force, add
from flagplot.awaw.battle import submarines
from flagplot.awaw.battle.cargo import laden_factors
from flagplot.awaw.battle.rounds import combat_air_patrol, landing
from flagplot.awaw.battle.stages import of_battle
from flagplot.awaw.battle.torpedoes import ready_carriers
from flagplot.awaw.counting import merged
from flagplot.awaw.procedures import naval_battle
from flagplot.awaw.state.air import Site
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.state.state import State
from flagplot.kernel.plain import copy_of


class Known(NamedTuple):
    """What a side knows."""

    state: State
    """Without the enemy's secrets."""
    enemy: str
    cover: Force
    """Enemy air cover of which it is not known over which group it flies (22.4421B)."""
    flying: int
    """The enemy groups that it may fly over."""
    elsewhere: frozenset[str]
    """Named ships of the enemy that are known to be somewhere: sunk, or in a group that was seen."""
    ready: dict[int, int]
    """Fully operational carriers of groups, where the owner has just told their number (22.9413)."""

    def group(self, number: int) -> Group:
        """An enemy combat group by its number."""
        return self.state.battle.groups[key_of(self.enemy, number)]

    def groups(self) -> list[Group]:
        return self.state.battle.numbered(self.enemy)


def key_of(side: str, number: int) -> str:
    """What an enemy combat group is called behind the veil."""
    return f"{side} CG {number}"


def veil(state: State, side: str, now: State | None = None) -> Known:
    """What a side knows of a state at a border. If the segment has gone on since, `now` is the state in it: what came
    to light in the segment is known too."""
    world, enemy = copy_of(state), state.other(side)
    world.losses.air = {}  # everybody knows of it, but it has no bearing on what comes
    for key, site in world.sites.items():
        if world.place(key).side == enemy:
            site.hidden = {}
    if state.scene.kind != "naval-battle":
        return Known(world, enemy, {}, 0, frozenset(), {})
    return _veiled_battle(world, enemy, now or state)


def is_mustered(state: State) -> bool:
    """Whether the carrier squadrons of a side stand together, and not in their groups (22.41C)."""
    frames = of_battle(state.frames)
    place = naval_battle.segments[frames[0].segment].place if frames else 0
    return combat_air_patrol.place < place <= landing.place


def _veiled_battle(world: State, enemy: str, now: State) -> Known:
    theirs = {key: group for key, group in world.battle.groups.items() if group.side == enemy}
    for key, group in theirs.items():
        group.revealed |= key in now.battle.groups and now.battle.groups[key].revealed
    ready = _told_ready(world, now)
    cover: Force = {}
    uncertain = [group for group in theirs.values() if group.number and group.ships and not group.this_round.uncovered]
    for group in uncertain:
        cover = merged(cover, group.cover)
    names = {key: key_of(enemy, group.number) for key, group in theirs.items() if group.number}
    seen = sorted([group for group in theirs.values() if group.number], key=lambda group: group.number)
    world.battle.groups = {key: group for key, group in world.battle.groups.items() if group.side != enemy}
    _rename(world, names)
    for group in seen:
        world.battle.groups[key_of(enemy, group.number)] = _seen(world, group)
    elsewhere = _accounted_for(world, [*seen, *world.battle.departed.values()])
    world.battle.departed = {key: group for key, group in world.battle.departed.items() if group.side != enemy}
    site = world.sites[at_sea(enemy)]
    world.sites[at_sea(enemy)] = Site(flown=site.flown, struck=site.struck)
    own = world.setting.nations[world.other(enemy)]
    world.battle.this_round.damaged_before = {
        which: number for which, number in world.battle.this_round.damaged_before.items() if which.nation in own
    }
    world.losses.cargo.pop(enemy, None)
    return Known(world, enemy, cover, len(uncertain), elsewhere, ready)


def _told_ready(world: State, now: State) -> dict[int, int]:
    """22.9413: a submarine that has found its group knows how many of its carriers are fully operational."""
    if not world.frames[-1].is_at(submarines.attack) or not world.battle.this_round.announced:
        return {}
    first = world.battle.this_round.announced[0]
    group, boats = now.battle.groups[first.target], world.battle.submarines[first.flotilla].factors
    if now.battle.submarines[first.flotilla].factors == boats:
        return {}  # it has not found it yet
    return {group.number: ready_carriers(group)}


def _accounted_for(world: State, groups: list[Group]) -> frozenset[str]:
    fleets = [group.ships for group in groups if group.revealed]
    return frozenset([which.id for fleet in (world.losses.ships, *fleets) for which in fleet if which.named])


def _seen(world: State, group: Group) -> Group:
    """22.423B: what is open about an enemy group."""
    ships = group.ships if group.revealed else {}
    patrol: Force = {}
    for flight in (world.battle.strike, *world.battle.dives):
        if flight is not None and flight.target == key_of(group.side, group.number):
            for which, number in flight.defenders.items():
                if which.home == at_sea(group.side):
                    add(patrol, which, number)
    return Group(
        group.side,
        f"CG {group.number}",
        ships,
        formed=True,
        number=group.number,
        place=group.number,
        cargo="its cargo" if any(which.laden for which in ships) else "",
        carried=laden_factors(ships),
        patrol=patrol,
        cover=group.cover if group.this_round.uncovered else {},
        facts=group.facts,
        revealed=group.revealed or not group.ships,
        this_round=copy_of(group.this_round),
        used=group.this_round.fought,
        since=1,
    )


def _rename(world: State, names: dict[str, str]) -> None:
    """Enemy groups are called by their numbers, not as the scenario calls them."""
    if world.battle.strike is not None:
        world.battle.strike.target = names.get(world.battle.strike.target, world.battle.strike.target)
    for dive in world.battle.dives:
        dive.target = names.get(dive.target, dive.target)
    for attack in world.battle.this_round.announced:
        attack.target = names.get(attack.target, attack.target)
    agreed = [*world.battle.engagements, *([world.battle.engagement] if world.battle.engagement else [])]
    for one in agreed:
        one.moving = names.get(one.moving, one.moving)
        one.intercepting = names.get(one.intercepting, one.intercepting)
