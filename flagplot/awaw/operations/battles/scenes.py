"""Scenes: setting up a battle, or an attack at sea, in the fields that its scripts know, and clearing it away again.

The scripts of `flagplot.awaw.battle` know nothing of the map: they find the groups, the submarines and the reach of
bases in the state and in its setting. `set_scene` and `bring_in` put them there; `clear_scene` takes what is left back.
"""

from __future__ import annotations

from dataclasses import replace

from flagplot.awaw.air_units import Force, add, take
from flagplot.awaw.carriers_in_port import stand_easy
from flagplot.awaw.counting import merged
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.battles.dispersal import Claims, Part, deal, deal_air, heir
from flagplot.awaw.operations.markers import new_key, part_of
from flagplot.awaw.operations.passage.asw import asw_at
from flagplot.awaw.operations.records.record import begin_fight, end_fight
from flagplot.awaw.reach import decks_ashore, in_reach, near
from flagplot.awaw.ships import Fleet, Ship, decks, factors
from flagplot.awaw.state.air import without_deck
from flagplot.awaw.state.battle import Battle, Group, Submarines
from flagplot.awaw.state.operation import Activity, NavalForce
from flagplot.awaw.state.setting import Scene, at_sea
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import LEAST
from flagplot.kernel.rules import rule

MOST_ROUNDS = 12
"""After so many rounds an undecided battle is broken off."""


def set_scene(state: State, at: Hex, *, withholder: str = "", raiders: bool = False, moving: str = "") -> None:
    """Naval combat, or an attack at sea, takes place in a hex: from here bases and ports are as far as they are. The
    side that is intercepted is the `moving` one in it, whoever's player turn it is."""
    begin_fight(state, at)
    scene = scene_at(state, at, withholder=withholder, raiders=raiders)
    state.scene = scene.turned_round() if moving == scene.defender else scene
    state.battle = Battle()


@rule("22.63")
def ports_by_sea(state: State, at: Hex) -> dict[str, int]:
    """22.63: the ports that can be reached from a hex, and how far they are by sea. A box is not among them: only who
    came from it goes back there."""
    sails = state.operation.plan.board.sea_distance
    places = state.operation.between.places.items()
    found = {key: sails(at, place.at) for key, place in places if place.ports and not place.box}
    return {key: hexes for key, hexes in found.items() if hexes is not None}


@rule("22.63C")
def invaded(state: State) -> tuple[str, ...]:
    """22.63C: in the combat stage the bases that are the target of a seaborne invasion of this stage."""
    if state.now != "combat":
        return ()
    return tuple(
        [
            voyage.base
            for voyage in state.operation.voyages.values()
            if voyage.activity is Activity.INVASION and voyage.base
        ]
    )


def scene_at(state: State, at: Hex, *, withholder: str = "", raiders: bool = False) -> Scene:
    """The scene of what happens in a hex."""
    between = state.operation.between
    afloat = {at_sea(side) for side in between.sides}
    places = {key: replace(place, at=at) if key in afloat else place for key, place in between.places.items()}
    return replace(
        between,
        kind="naval-battle",
        at=at,
        phases=tuple(f"round {n + 1}" for n in range(MOST_ROUNDS)),
        places=places,
        near=near(places, battle=True),
        in_reach=in_reach(places, at),
        decks_ashore=decks_ashore(places, at, state.setting.pacific),
        ports=ports_by_sea(state, at),
        asw=asw_at(state, at),
        invaded=invaded(state),
        withholder=withholder,
        raiders=raiders,
    )


@rule("22.24B", "22.141")
def bring_in(state: State, key: str, arrives: int = 1) -> None:
    """A naval force takes part, from the round in which it arrives (22.24B)."""
    force = state.operation.fleet[key]
    ground_surplus(force)
    state.battle.groups[key] = group = _combat_group(force, arrives)
    force.group = _vacant(group)
    group.parts, force.group.parts = {key: dict(group.ships)}, {key: dict(group.ships)}


def _combat_group(force: NavalForce, arrives: int) -> Group:
    """A force as it comes into a battle: what it was in the last one does not count."""
    was = force.group
    return Group(
        was.side,
        was.name,
        was.ships,
        was.task_force,
        arrives,
        was.cargo,
        was.loads,
        was.divisible,
        was.activity,
        force.base,
        air=was.air,
        place=was.place,
        carried=was.carried,
        freed=was.freed,
    )


def _vacant(group: Group) -> Group:
    """What stands for a group on the map while it is in a battle: it moves there whole, so that it is one thing in one
    place."""
    return Group(group.side, group.name, {}, group.task_force, activity=group.activity, place=group.place)


@rule("17.3124")
def ground_surplus(force: NavalForce) -> None:
    """17.3124: squadrons for which there is no undamaged carrier are aboard the damaged ones, and stay there."""
    for which, number in without_deck(force.group.ships, force.group.air).items():
        take(force.group.air, which, number)
        add(force.grounded, which, number)


def bring_in_submarines(state: State, key: str, factors: int, *, accompany: bool = False, arrives: int = 1) -> None:
    """Submarine factors of a flotilla take part (22.914)."""
    boats = state.operation.flotillas[key]
    some = Submarines(boats.side, boats.nation, factors, boats.advanced, accompany, arrives, boats.base, key)
    state.battle.submarines.append(some)


@rule("22.63", "22.81A")
def clear_scene(state: State) -> dict[str, Group | None]:
    """What is left of the forces goes back to the map, each with the base and the voyage that it had; the battle's
    fields are empty again. By force: the combat group that it was in, or None if it had to leave it (22.421A)."""
    end_fight(state)
    dealt = _deal_back(state)
    for side in state.sides:
        _take_back_grounded(state, side, [*dealt])
    for submarines in state.battle.submarines:
        _take_back_submarines(state, submarines)
    state.operation.told += state.battle.consequences
    state.scene, state.battle = state.operation.between, Battle()
    for site in state.sites.values():
        site.flown, site.barred, site.launched, site.aborted, site.shaken = {}, {}, False, {}, {}
        site.counteraired = False
    stand_easy(state)
    state.operation.drop_sunk_forces()
    for voyage in state.operation.voyages.values():  # keys of forces that are gone may be used again
        voyage.forces = [key for key in voyage.forces if key in state.operation.fleet]
    for force in state.operation.fleet.values():
        force.group.parts = {}
    return dealt


def _deal_back(state: State) -> dict[str, Group | None]:
    """What is left of each combat group goes back to the forces that made it up. By force: the group that it was in, or
    None for carriers that had to leave for want of escorts."""
    claims: dict[str, Claims] = {}
    dealt: dict[str, Group | None] = {}
    known: dict[tuple[object, ...], str] = {}
    for name, group in [*sorted(state.battle.groups.items()), *sorted(state.battle.departed.items())]:
        whole = name.split("/")[0]
        mine = claims.setdefault(whole, Claims(group.parts or {whole: {}}))
        parts = deal(group, mine)
        carries = heir(parts.items()) if parts else ""
        for key, part in parts.items():
            alike = (key, group.bound, group.left, bool(group.number), group.revealed)
            back = known[alike] = _give_back(state, key, part, known.get(alike, ""))
            dealt.setdefault(back, group)
            state.operation.fleet[back].seen |= group.revealed
            if key == carries:
                _give_cargo(state.operation.fleet[back].group, group)
    for side in state.sides:
        dealt |= dict.fromkeys(_deal_back_carriers(state, side))
    return dealt


@rule("22.14C", "22.22E")
def _give_back(state: State, key: str, part: Part, fellows: str = "") -> str:
    """A force has these ships again. If it has others already, which fared otherwise, they are a force of their own
    from here on, a task force only if they have ten factors (22.14C); with `fellows` that fared alike they are one
    force. The key of the force that has them."""
    force = state.operation.fleet[fellows or key]
    if fellows:
        group = force.group
        group.ships, group.air = merged(group.ships, part.ships), merged(group.air, part.air)
        return fellows
    if force.group.ships:
        group = _vacant(force.group)
        group.task_force = group.task_force and factors(part.ships) >= LEAST
        key = new_key(state, key)
        if force.voyage:
            state.operation.voyages[force.voyage].forces.append(key)
        force = state.operation.fleet[key] = part_of(state, force, group)
    force.group.ships, force.group.air, force.group.origin = part.ships, part.air, force.base
    return key


def _give_cargo(group: Group, was: Group) -> None:
    group.cargo, group.loads, group.divisible, group.carried = was.cargo, was.loads, was.divisible, was.carried


@rule("22.421A.4.2")
def _deal_back_carriers(state: State, side: str) -> list[str]:
    """22.421A: carriers that had to leave the battle for want of escorts, by the forces that they came with; they are
    forces of their own from here on. Their keys."""
    site = state.at_sea(side)
    fleets: dict[str, Fleet] = {}
    for which, number in site.gone.items():
        add(fleets.setdefault(_came_with(state, side, which), {}), which, number)
    air = deal_air(site.ashore, fleets) if fleets else {}
    site.gone, site.ashore = {}, {}
    return [_give_back(state, key, Part(fleet, air[key])) for key, fleet in fleets.items()]


def _came_with(state: State, side: str, which: Ship) -> str:
    """The force that brought a ship into the battle."""
    forces = {key: force.group.parts.get(key, {}) for key, force in state.operation.fleet.items() if force.side == side}
    return next((key for key, brought in forces.items() if which in brought), next(iter(forces)))


def _take_back_grounded(state: State, side: str, dealt: list[str]) -> None:
    """17.3124: squadrons that damaged carriers carry stay with them, also where a force has parted."""
    site, forces = (
        state.at_sea(side),
        [state.operation.fleet[key] for key in dealt if state.operation.fleet[key].side == side],
    )
    left, site.grounded = dict(site.grounded), {}
    for force in forces:
        left, force.grounded = merged(left, force.grounded), {}
    for force in forces:
        for country, (_, damaged) in decks(force.group.ships).items():
            _carry(force.grounded, left, country, damaged)


def _carry(grounded: Force, left: Force, country: str, decks_: int) -> None:
    for which in [which for which in left if which.nation == country]:
        number = min(left[which], decks_)
        if number > 0:
            add(grounded, which, number)
            decks_ -= number
            left[which] -= number


@rule("22.92", "22.163E", "SOP-PA-E.6")
def _take_back_submarines(state: State, submarines: Submarines) -> None:
    """22.92: submarines that attacked are in port, inverted, also those from a patrol hex (21.4184B); those that could
    not attack are where they came from, and free again in a later stage."""
    flotilla = state.operation.flotillas[submarines.flotilla]
    flotilla.away -= submarines.factors + submarines.spent + submarines.lost
    flotilla.inverted += submarines.spent
    flotilla.lost += submarines.lost
    flotilla.tried += submarines.factors
