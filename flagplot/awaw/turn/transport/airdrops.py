"""Airdrops (18.512C, 18.621C): airborne units jump from air transports onto an enemy hex in the combat phase.

Chapter 10 is not at hand; what is said here of range and targets is our reading (`docs/rulings.md`). An airdrop on
ground units is an attack on them: it is fought with the other ground attacks.
"""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.awaw.air_units import Unit
from flagplot.awaw.mapboard.hexes import Hex, hex_text
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.procedures import air_interception, airdrops
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import GroundAttack, GroundUnit, Kind, Phase, Ration
from flagplot.awaw.turn.ground.conquest import take_hex
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.turn.missions.inversion import form_up, free_to_fly, is_box, reconcile
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.awaw.turn.nations import unit_names
from flagplot.awaw.turn.transport.air_interception import under_way
from flagplot.awaw.turn.transport.air_routes import choose_route
from flagplot.awaw.turn.transport.airlift import (
    DROPPED,
    announce,
    choose_transports,
    choose_units,
    cooperate,
    fly_back,
    lose_carried,
    take_off,
    transports_at,
)
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

AIRDROP = "airdrop"
"""The kind of attack that airborne units make alone."""


@airdrops.segment("23.141A", "Squadrons recombine into factors")
def get_ready(state: State) -> Next:
    if state.turn.step != Phase.COMBAT:
        return END
    reconcile(state)
    form_up(state, state.moving)
    return None


@airdrops.segment("18.512C", "Transports drop airborne units or are done")
@rule("18.512C", "18.542")
def drop(state: State) -> Script[Next]:
    """18.512C: in the combat phase transports drop airborne units of their base, a factor each, on an enemy hex in
    their range."""
    ready = {key: which for key, which in transports_at(state, Task.AIRDROP).items() if drops(state, which)}
    which = yield from choose_transports(state, "airdrop", ready, "Choose air transports for an airdrop", "18.512C")
    if which is None:
        return END
    zones = {hex_text(at): at for at in drop_zones(state, which)}
    labels: dict[str, Words] = {text: hex_name(state, at) for text, at in zones.items()}
    verb = ("airdrop", which.home)
    chosen: str = yield Choose(state.moving, verb, [*zones], "Choose a drop zone", labels, "18.512C")
    names = yield from choose_units(
        state, "jump", jumpers(state, which), free_to_fly(state, which), "Choose an airborne unit to drop", "18.512C"
    )
    path = yield from choose_route(state, state.moving, state.place(which.home).at, zones[chosen], which.reach)
    take_off(state, "airdrop", which, len(names), path, names)
    yield announce(state, "an airdrop", "18.512C")
    return Call(air_interception)


NOBODY_TO_DROP = Refusal("no airborne unit in its base, or no enemy hex in range", "18.512C")


def drops(state: State, which: Unit) -> list[Hex]:
    """The hexes that some transports can drop somebody on."""
    return drop_zones(state, which) if jumpers(state, which) else []


def jumpers(state: State, which: Unit) -> list[str]:
    """The airborne units that some transports can drop."""
    return [
        name
        for name, unit in sorted(state.turn.units.items())
        if unit.side == state.moving
        and cooperate(state, unit.nation, which.nation)
        and may_be_dropped(state, unit, which.home) is None
    ]


@rule("18.547C.4", "18.512C")
def may_be_dropped(state: State, unit: GroundUnit, base: str) -> Refusal | None:
    """18.547C: whether a ground unit in a base may be dropped from the air; if not, why. Who was transported by air in
    this turn may not."""
    if unit.kind is not Kind.AIRBORNE:
        return Refusal("only airborne units are dropped", "18.512C")
    if unit.at != state.place(base).at or unit.aboard:
        return Refusal("not in the base", "18.512C")
    if unit.flown:
        return Refusal("already transported this turn", "18.547C")
    if unit.supply is Ration.NONE:
        return Refusal("unsupplied", "18.547C")
    return None


def drop_zones(state: State, which: Unit) -> list[Hex]:
    """The hexes with enemy ground units or enemy bases within the range of some transports."""
    start = state.place(which.home).at
    enemy = [state.place(base) for base in state.of_side(state.other(state.moving))]
    bases = [place.at for place in enemy if not place.afloat]
    units = [unit.at for unit in state.turn.units.values() if unit.side != state.moving and not unit.aboard]
    zones = []
    for at in sorted({*bases, *units}):
        far = air_distance(state, start, at) if state.operation.plan.board.is_land(at) else None
        if far is not None and far <= which.reach and not is_box(state, at):
            zones.append(at)
    return zones


@rule("18.551", "18.611")
def airdrop_targets(state: State) -> list[Hex]:
    """18.551: the hexes with enemy ground units that airborne units can be dropped on in this phase."""
    if state.turn.step != Phase.COMBAT:
        return []
    zones = {at for which in transports_at(state, Task.AIRDROP).values() for at in drops(state, which)}
    return [at for at in sorted(zones) if _is_defended(state, at)]


def _is_defended(state: State, at: Hex) -> bool:
    return any([unit.side != state.moving and unit.at == at and not unit.aboard for unit in state.turn.units.values()])


def airborne_in_reach(state: State, hexes: Iterable[Hex]) -> int:
    """The factors of airborne units that can be dropped on some hexes in this phase, a transport factor for each."""
    turn = state.turn
    if turn.step != Phase.COMBAT:
        return 0
    chosen: list[str] = []
    for which in transports_at(state, Task.AIRDROP).values():
        if {*hexes} & {*drop_zones(state, which)}:
            able = [name for name in jumpers(state, which) if name not in chosen]
            chosen += sorted(able, key=lambda name: -turn.units[name].factors)[: free_to_fly(state, which)]
    return sum([turn.units[name].factors for name in chosen])


@airdrops.segment("18.624", "Units that got through land")
@rule("18.624", "18.512C", "18.251", "18.623.3")
def come_down(state: State) -> Script[Next]:
    """18.624: who got through attacks the ground units there, with others that do, or takes an empty base at once."""
    turn = state.turn
    mission = under_way(state)
    at, sent = mission.path[-1], {name: turn.units[name].factors for name in mission.units}
    yield from lose_carried(state)
    names = list(mission.units)
    for attack in [attack for attack in turn.attacks if at in attack.hexes and not attack.done]:
        attack.driven_off += sum([factors for name, factors in sent.items() if name not in names])
    for name in names:
        turn.units[name].at, turn.units[name].flown = at, DROPPED
    if names:
        yield Note(("Dropped on {}: {}", hex_name(state, at), unit_names(state, names)), "18.512C")
        if _is_defended(state, at):
            join_attack(state, at, names)
        else:
            yield from take_hex(state, at, names)
    yield from fly_back(state, "dropped airborne units")
    return drop


def join_attack(state: State, at: Hex, names: list[str]) -> None:
    """Airborne units attack together with others that attack the hex, else alone."""
    turn = state.turn
    for attack in turn.attacks:
        if at in attack.hexes and not attack.done:
            attack.units = [*attack.units, *names]
            return
    turn.attacks.append(GroundAttack((at,), names, AIRDROP))


def stranded(state: State) -> list[str]:
    """Airborne units that are still among enemy ground units when all attacks are over: they are lost
    (`docs/rulings.md`)."""
    turn = state.turn
    return [
        name
        for name, unit in sorted(turn.units.items())
        if unit.flown == DROPPED
        and any([other.side != unit.side and other.at == unit.at and not other.aboard for other in turn.units.values()])
    ]
