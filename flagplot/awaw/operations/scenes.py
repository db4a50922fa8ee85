"""Scenes: setting up a battle, or an attack at sea, in the fields that its scripts know, and clearing it away again.

The scripts of `flagplot.awaw.battle` know nothing of the map: they find the groups, the submarines and the reach of
bases in the state and in its setting. `set_scene` and `bring_in` put them there; `clear_scene` takes what is left back.
"""

from __future__ import annotations

from dataclasses import replace

from flagplot.awaw.air_units import Force, add, take
from flagplot.awaw.counting import merged
from flagplot.awaw.operations.asw import asw_at
from flagplot.awaw.operations.record import begin_fight, end_fight
from flagplot.awaw.operations.state import Activity, Flotilla, Hex, NavalForce, OperationState
from flagplot.awaw.reach import decks_ashore, in_reach, near, ports_from
from flagplot.awaw.ships import decks, factors
from flagplot.awaw.state import Group, Setting, Submarines, at_sea
from flagplot.kernel.rules import rule

MOST_ROUNDS = 12
"""After so many rounds an undecided battle is broken off."""
PORT_FACTORS = 50
"""Naval factors that a port holds (21.11)."""


def set_scene(state: OperationState, at: Hex, *, withholder: str = "", raiders: bool = False, moving: str = "") -> None:
    """Naval combat, or an attack at sea, takes place in a hex: from here bases and ports are as far as they are. The
    side that is intercepted is the `moving` one in it, whoever's player turn it is."""
    begin_fight(state, at)
    scene = scene_at(state.plan.setting, at, withholder=withholder, raiders=raiders)
    if moving == scene.defender:
        scene = replace(scene, attacker=moving, defender=scene.attacker, names=scene.names[::-1])
    state.setting = replace(scene, asw=asw_at(state.plan, at), rooms=rooms(state), invaded=invaded(state))
    state.phase = 0


@rule("22.63")
def rooms(state: OperationState) -> dict[str, int]:
    """22.63: the naval factors for which each port still has room; boxes hold any number."""
    return {
        key: PORT_FACTORS * place.ports - based(state, key)
        for key, place in state.plan.setting.places.items()
        if place.ports and not place.box
    }


def based(state: OperationState, base: str) -> int:
    """The naval factors in a port."""
    forces = [force for force in state.fleet.values() if force.base == base and force.in_port]
    return sum([factors(force.group.ships) for force in forces])


@rule("22.63C")
def invaded(state: OperationState) -> tuple[str, ...]:
    """22.63C: in the combat stage the bases that are the target of a seaborne invasion of this stage."""
    if state.now != "combat":
        return ()
    return tuple(
        [voyage.base for voyage in state.voyages.values() if voyage.activity is Activity.INVASION and voyage.base]
    )


def scene_at(setting: Setting, at: Hex, *, withholder: str = "", raiders: bool = False) -> Setting:
    """The setting of what happens in a hex."""
    afloat = {at_sea(side) for side in (setting.attacker, setting.defender)}
    places = {key: replace(place, at=at) if key in afloat else place for key, place in setting.places.items()}
    return replace(
        setting,
        kind="naval-battle",
        at=at,
        phases=tuple(f"round {n + 1}" for n in range(MOST_ROUNDS)),
        places=places,
        near=near(places, battle=True),
        in_reach=in_reach(places, at),
        decks_ashore=decks_ashore(places, at, setting.pacific),
        ports=ports_from(places, at),
        withholder=withholder,
        raiders=raiders,
    )


@rule("22.24B", "22.141")
def bring_in(state: OperationState, key: str, arrives: int = 1) -> None:
    """A naval force takes part, from the round in which it arrives (22.24B)."""
    force = state.fleet[key]
    group = force.group
    fresh(group)
    group.arrives, group.origin = arrives, force.base
    _ground_surplus(force)
    site = state.at_sea(force.side)
    site.grounded, force.grounded = merged(site.grounded, force.grounded), {}
    state.groups[key], force.group = group, _vacant(group)


def _vacant(group: Group) -> Group:
    """What stands for a group on the map while it is in a battle: it moves there whole, so that it is one thing in one
    place."""
    return Group(group.side, group.name, {}, group.task_force, activity=group.activity, place=group.place)


@rule("17.3124")
def _ground_surplus(force: NavalForce) -> None:
    """17.3124: squadrons for which there is no undamaged carrier are aboard the damaged ones, and stay there."""
    room = {country: sound for country, (sound, _) in decks(force.group.ships).items()}
    for which, number in list(force.group.air.items()):
        some = min(number, room.get(which.nation, 0))
        room[which.nation] = room.get(which.nation, 0) - some
        if number > some:
            take(force.group.air, which, number - some)
            add(force.grounded, which, number - some)


def fresh(group: Group) -> None:
    """A group as it is before a battle: what it was in the last one does not count."""
    group.number = group.since = group.left = group.results = group.attacks = group.submarined = 0
    group.formed = group.revealed = group.attacked = group.fought = group.evaded = group.uncovered = False
    group.kamikazed = group.used = group.ready = False
    group.facts, group.bound, group.withheld, group.rested = None, "", {}, {}


def bring_in_submarines(
    state: OperationState, key: str, factors: int, *, accompany: bool = False, arrives: int = 1
) -> None:
    """Submarine factors take part (22.914); their flotilla is known by their origin."""
    flotilla = state.flotillas[key]
    state.submarines.append(
        Submarines(flotilla.side, flotilla.nation, factors, flotilla.advanced, accompany, arrives=arrives, origin=key)
    )


def clear_scene(state: OperationState) -> None:
    """What is left of the forces goes back to the map; the battle's fields are empty again."""
    end_fight(state)
    for key, group in [*sorted(state.groups.items()), *sorted(state.departed.items())]:
        _take_back(state, key, group)
    for side in state.sides:
        _take_back_returned(state, side)
        _take_back_grounded(state, side)
    for submarines in state.submarines:
        _take_back_submarines(state, submarines)
    state.groups, state.departed, state.submarines, state.announced = {}, {}, [], []
    state.engagements, state.engagement, state.strike, state.sorties = [], None, None, []
    state.searched, state.sunk_before, state.damaged_before = {}, {}, {}
    state.told += state.consequences
    state.outcome, state.consequences = None, []
    for site in state.sites.values():
        site.flown, site.barred, site.launched, site.aborted, site.shaken = {}, {}, False, {}, {}
        site.counteraired = False
    state.stand_easy()
    state.fleet = {key: force for key, force in state.fleet.items() if force.group.ships or force.sunk_in_port}
    for voyage in state.voyages.values():  # keys of forces that are gone may be used again
        voyage.forces = [key for key in voyage.forces if key in state.fleet]
    state.setting, state.phase = state.plan.setting, 0


def _take_back(state: OperationState, key: str, group: Group) -> None:
    """A force as it is now; ships that left their group are a force of their own from here on."""
    force = state.fleet.get(key)
    if force is None or force.group.ships:
        parent = state.fleet[key.split("/")[0]]
        key = new_key(state, key)
        force = state.fleet[key] = part_of(state, parent, group)
        if parent.voyage:
            state.voyages[parent.voyage].forces.append(key)
    force.group = group
    force.seen |= group.revealed
    group.origin = force.base


def part_of(state: OperationState, force: NavalForce, group: Group) -> NavalForce:
    """Some ships of a force, which are a force of their own from here on."""
    taken = {other.marker for other in state.fleet.values()}
    marker = next(name for n in range(2, 99) if (name := f"{force.marker}/{n}") not in taken)
    return NavalForce(group, force.base, force.at, marker, force.voyage, seen=force.seen)


def new_key(state: OperationState, key: str) -> str:
    """A key for a part of a force."""
    whole = key.split("/")[0]
    return next(name for n in range(2, 99) if (name := f"{whole}-{n}") not in state.fleet)


def _take_back_returned(state: OperationState, side: str) -> None:
    """22.421A: carriers that had to leave the battle for want of escorts; they sail home by themselves."""
    site = state.at_sea(side)
    if site.gone:
        keys = sorted([key for key, group in state.groups.items() if group.side == side])
        like = state.fleet[keys[0]] if keys else next(iter(state.fleet_of(side).values()))
        group = Group(side, "carriers without escort", site.gone, False, air=site.ashore, place=like.group.place)
        key = new_key(state, f"{side}-carriers")
        state.fleet[key] = part_of(state, like, group)
        if like.voyage:
            state.voyages[like.voyage].forces.append(key)
        site.gone, site.ashore = {}, {}


def _take_back_grounded(state: OperationState, side: str) -> None:
    """17.3124: squadrons that damaged carriers carry stay with them."""
    site = state.at_sea(side)
    left, site.grounded = dict(site.grounded), {}
    for key in [*sorted(state.groups), *sorted(state.departed)]:
        force = state.fleet.get(key)
        if force is None or force.side != side:
            continue
        for country, (_, damaged) in decks(force.group.ships).items():
            _carry(force.grounded, left, country, damaged)


def _carry(grounded: Force, left: Force, country: str, decks_: int) -> None:
    for which in [which for which in left if which.nation == country]:
        number = min(left[which], decks_)
        if number:
            add(grounded, which, number)
            decks_ -= number
            left[which] -= number


@rule("22.92", "SOP-PA-E.6")
def _take_back_submarines(state: OperationState, submarines: Submarines) -> None:
    """22.92: submarines that attacked are inverted; those that could not attack are free again in a later stage. From a
    patrol hex they have gone for good, whether they attacked or not (21.4184B)."""
    flotilla = state.flotillas[submarines.origin]
    flotilla.away -= submarines.factors + submarines.spent + submarines.lost
    flotilla.inverted += submarines.spent
    flotilla.lost += submarines.lost
    if submarines.factors:
        home = _in_port(state, submarines.origin) if flotilla.patrol else flotilla
        home.tried += submarines.factors


def _in_port(state: OperationState, key: str) -> Flotilla:
    """Where factors of a flotilla are that have come back from its patrol hex."""
    flotilla = state.flotillas[key]
    home = replace(
        flotilla, at=state.place(flotilla.base).at, patrol="", factors=0, tried=0, away=0, inverted=0, lost=0
    )
    return state.flotillas.setdefault(f"{key}-back", home)
