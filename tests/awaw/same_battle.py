"""The same fight twice: a naval battle that came about on the map, and alone, from a scenario of its own.

`alone` writes down a battle that is about to begin on the map as a scenario file would. What a lone battle cannot say,
because only the map knows it, is given to it in `know_the_map`: how far the ports are by sea, and
what forces are there for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from flagplot.awaw.air_units import NAVAL_ARMS, Arm, Role
from flagplot.awaw.forces import ACTIVITIES
from flagplot.awaw.kamikaze_force import kamikazes_fly
from flagplot.awaw.operations.battles.scenes import MOST_ROUNDS
from flagplot.awaw.procedures import naval_battle
from flagplot.awaw.refuge import is_refuge
from flagplot.awaw.ruleset import AWorldAtWar
from flagplot.awaw.scenario import read_state
from flagplot.awaw.ships import Kind, Ship
from flagplot.awaw.state.air import Site
from flagplot.awaw.state.battle import Group, Submarines
from flagplot.awaw.state.operation import NavalForce
from flagplot.awaw.state.setting import Place
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Seeded
from flagplot.kernel.game import Game
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.procedures import Call
from flagplot.kernel.requests import Choose
from flagplot.testing.trial import asked_of

AWAW: Any = AWorldAtWar()
STAYS = 0.8
LIGHT = {
    (Kind.DESTROYER, False): "destroyers",
    (Kind.DESTROYER, True): "laden_destroyers",
    (Kind.CVE, False): "cves",
    (Kind.TRANSPORT, False): "transports",
    (Kind.TRANSPORT, True): "laden_transports",
}


class NoWords(Exception):
    """A scenario file cannot say this: several carrier forces in one port, or inverted ones."""


def battle_ahead(state: State) -> State | None:
    """The state in which a naval battle begins, if the segment that comes next leads to one."""
    frame = state.frames[-1]
    if (frame.procedure, frame.segment) not in (("encounter", "fight"), ("raid", "fight")):
        return None
    begun = copy_of(state)
    assert AWAW.procedures[frame.procedure].segments[frame.segment](begun, *frame.arguments) == Call(naval_battle)
    return begun


def alone(scenario: Mapping[str, Any], state: State) -> Game[State]:
    """The battle that begins now as a game of its own."""
    written = battle_of(scenario, state)
    lone = read_state(written, state.setting.options)
    know_the_map(lone, state)
    return Game(AWAW, written, state.setting.options, lone, Seeded(1))


def battle_of(scenario: Mapping[str, Any], state: State) -> dict[str, Any]:
    """The battle that begins now as a scenario file would say it."""
    setting, scene = state.setting, state.scene
    written = {
        "game": "awaw",
        "kind": "naval-battle",
        "title": "The same battle, alone",
        "theatre": "pacific" if setting.pacific else "europe",
        "rounds": MOST_ROUNDS,
        "raiders": scene.raiders,
        "attacker": scene.attacker,
        "at": [*scene.at],
        "sides": scenario["sides"],
        "research": scenario.get("research", {}),
        "bases": [_base(state, key, place) for key, place in scene.places.items() if not place.afloat],
        "forces": [
            _force(key, group) for key, group in sorted(state.battle.groups.items(), key=lambda entry: entry[1].place)
        ],
        "submarines": [_boats(some) for some in state.battle.submarines],
        "withholds": scene.withholder,
        "asw": {side: entry._asdict() for side, entry in scene.asw.items()},
        "codebreaking": scene.codebreaking,
        "tactical_codebreaking": scene.tactical,
        "submarine_codebreaking": scene.underwater,
        "destroyers_elsewhere": dict(state.elsewhere.destroyers),
    }
    if state.elsewhere.transports and scene.raiders:
        [(which, number)] = state.elsewhere.transports.items()
        written["transports"] = {"nation": which.nation, "factors": number}
    if any(kamikazes_fly(state, side) for side in state.sides):
        written["kamikazes"] = {"number": state.kamikazes, "growth": state.kamikaze_growth}
    return {key: value for key, value in written.items() if value != ""}


def know_the_map(lone: State, state: State) -> None:
    """What only the map knows: sea distances, invasions elsewhere, what forces are there for that have no activity of
    their own, which ships carried a cargo that is ashore by now, air that has flown or is broken down
    into squadrons already, and bases that were attacked before."""
    lone.setting = replace(lone.setting, ends_turn=False)
    lone.scene = replace(lone.scene, ports=state.scene.ports, invaded=state.scene.invaded)
    for key, group in state.battle.groups.items():
        lone.battle.groups[key].activity, lone.battle.groups[key].freed = group.activity, group.freed
        if not group.cargo:
            lone.battle.groups[key].ships = dict(group.ships)
    for key, site in state.sites.items():
        if not _is_plain(site):
            lone.sites[key] = replace(copy_of(site), hidden=lone.sites[key].hidden)
        lone.sites[key].counteraired = not is_refuge(state, key)
    lone.losses.air, lone.losses.ships, lone.squadrons = (
        dict(state.losses.air),
        dict(state.losses.ships),
        state.squadrons,
    )


def _base(state: State, key: str, place: Place) -> dict[str, Any]:
    built = place.defenses
    entry = {
        "id": key,
        "name": place.name,
        "side": place.side,
        "at": [*place.at],
        "cities": built.cities_and_ports - place.ports,
        "ports": place.ports,
        "airbases": built.airbases,
        "artificial_ports": place.installations - built.cities_and_ports - built.airbases,
        "flak": built.flak,
        "objectives": built.objectives,
        "anchors": built.anchors,
        "fortification": built.fortification,
        "fortified": place.fortified,
        "island": place.island,
        "jungle": place.jungle,
        "box": place.box,
        "supply": place.supply.value,
        "oil": place.oil,
        "winter": place.winter,
        "air": _air(state.sites[key]),
    }
    aboard = [
        force for force in state.operation.fleet.values() if force.in_port and force.base == key and force.group.air
    ]
    if not place.ports or not aboard:
        return entry
    if len(aboard) > 1 or len(aboard[0].group.air) > 1 or aboard[0].inverted:
        raise NoWords
    return entry | {"task_force": _in_port(aboard[0])}


def _in_port(force: NavalForce) -> dict[str, Any]:
    """Carriers in port, whose squadrons defend it (17.3126)."""
    carriers = [which for which in force.group.ships if which.fast_carrier and not which.damaged]
    [(which, squadrons)] = force.group.air.items()
    return {
        "marker": force.marker,
        "nation": which.nation,
        "ships": [{"name": ship.name, "size": ship.size} for ship in carriers],
        "squadrons": squadrons,
        "elite": which.arm is Arm.ELITE,
    }


def _is_plain(site: Site) -> bool:
    """Whether a scenario file has words for the air of a base."""
    whole = all(which.role is (Role.SQUADRONS if which.arm in NAVAL_ARMS else Role.FACTORS) for which in site.air)
    return whole and not (site.transports or site.committed or site.used)


def _air(site: Site) -> list[dict[str, Any]]:
    return [
        {
            "nation": which.nation,
            "arm": which.arm.value,
            "inverted": which.inverted,
            "squadrons" if which.arm in NAVAL_ARMS else "factors": number,
        }
        for which, number in site.air.items()
        if _is_plain(site)
    ]


def _force(key: str, group: Group) -> dict[str, Any]:
    nations = dict.fromkeys(which.nation for which in group.ships)
    entry: dict[str, Any] = {
        "id": key,
        "name": group.name,
        "side": group.side,
        "task_force": group.task_force,
        "arrives": group.arrives,
        "cargo": group.cargo,
        "activity": group.activity if group.activity in ACTIVITIES else "",
        "origin": group.origin,
        "ships": [_contingent(nation, group.ships) for nation in nations],
        "air": [
            {"nation": which.nation, "squadrons": number, "elite": which.arm.value == "elite-naval"}
            for which, number in group.air.items()
        ],
        "loads": [
            {"name": name, "factors": factors, "divisible": name in group.divisible}
            for name, factors in group.loads.items()
        ],
    }
    return {key: value for key, value in entry.items() if value != ""}


def _contingent(nation: str, ships: Mapping[Ship, int]) -> dict[str, Any]:
    part: dict[str, Any] = {"nation": nation, "named": [], "hits": {}}
    for which, number in ships.items():
        if which.nation != nation:
            continue
        if which.named:
            part["named"].append(which.name)
            part["hits"] |= {which.name: which.hits} if which.hits else {}
        elif which.kind is Kind.CRUISER:
            part["cruisers"] = part.get("cruisers", 0) + 2 * number
            part["damaged_cruisers"] = part.get("damaged_cruisers", 0) + number * which.damaged
        else:
            part[LIGHT[which.kind, which.laden]] = number
    return part


def _boats(some: Submarines) -> dict[str, Any]:
    fields = ("side", "nation", "factors", "advanced", "accompany", "arrives", "origin")
    return {name: getattr(some, name) for name in fields}


# --- in step ------------------------------------------------------------------------------------------------------


def in_step(on_map: Game[State], lone: Game[State], chance: Random) -> int:
    """Play both with the same answers and dice until the fighting is over, and hold each request of the one, and what
    it leaves of the forces, against the other. How many requests there were. In which ports there is room for those who
    return, and which destroyers there may be lost instead of others (22.9432), the map alone knows."""
    count = 0
    while lone.pending is not None and not any(asks_to_return(game) for game in (on_map, lone)):
        if on_map.pending is not None and on_map.pending.rule == "22.9432":
            return count
        _stay_in_bases(on_map, lone)
        assert asked_of(on_map) == asked_of(lone)
        assert forces_in(on_map.state) == forces_in(lone.state)
        if isinstance(lone.pending, Choose):
            text = _answer(lone.pending, chance)
            on_map.choose(text)
            lone.choose(text)
        else:
            faces = [chance.randint(1, 6) for _ in range(lone.pending.dice)]
            on_map.roll(faces)
            lone.roll(faces)
        count += 1
    assert on_map.state.losses.ships == lone.state.losses.ships
    assert on_map.state.losses.air == lone.state.losses.air
    return count


def _stay_in_bases(on_map: Game[State], lone: Game[State]) -> None:
    """23.46C: near a patrol air units may leave their bases, which only the map knows. Nobody does."""
    while isinstance(on_map.pending, Choose) and on_map.pending.verb[0] == "flee-from":
        if asked_of(on_map) == asked_of(lone):
            return
        on_map.choose(on_map.pending.options[0])


def asks_to_return(game: Game[Any]) -> bool:
    return isinstance(game.pending, Choose) and game.pending.verb[0] == "return"


def _answer(request: Choose[Any], chance: Random) -> str:
    """Any answer; but battles shall last."""
    texts = [option.text for option in request.options]
    return texts[0] if request.verb[0] == "withdraw" and chance.random() < STAYS else chance.choice(texts)


def forces_in(state: State) -> dict[str, Any]:
    """All that fights, and what has been lost."""
    groups = {
        key: (group.ships, group.air, group.patrol, group.cover, group.loads)
        for key, group in state.battle.groups.items()
    }
    boats = [(some.side, some.factors, some.spent, some.lost) for some in state.battle.submarines]
    air = {key: site.air for key, site in state.sites.items()}
    return {"groups": groups, "boats": boats, "air": air, "sunk": state.losses.ships, "lost": state.losses.air}
