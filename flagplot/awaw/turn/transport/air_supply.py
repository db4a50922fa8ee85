"""Air supply (18.53): air transports keep ground units alive that no other supply reaches."""

from __future__ import annotations

from flagplot.awaw.air_units import Unit
from flagplot.awaw.mapboard.hexes import Hex, hex_text
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.procedures import air_interception, air_supply
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Ration
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.turn.missions.inversion import free_to_fly, is_box
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.awaw.turn.transport.air_interception import under_way
from flagplot.awaw.turn.transport.air_routes import choose_route
from flagplot.awaw.turn.transport.airlift import (
    announce,
    choose_transports,
    choose_units,
    cooperate,
    fly_back,
    get_ready,
    send_back,
    take_off,
    transports_at,
    unit_words,
)
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

air_supply.segment("23.141A", "Squadrons recombine into factors")(get_ready)


@air_supply.segment("18.531", "Transports supply ground units or are done")
@rule("18.531", "18.511D", "18.532", "18.533")
def supply(state: State) -> Script[Next]:
    """18.531: in the movement phase, after supply by land and sea is known, transports fly limited supply to ground
    units, a factor to each (18.532)."""
    ready = {key: which for key, which in transports_at(state, Task.AIR_SUPPLY).items() if in_want(state, which)}
    question = "Choose air transports to fly supply"
    which = yield from choose_transports(state, "fly-supply", ready, question, "18.531")
    if which is None:
        return END
    found = in_want(state, which)
    labels: dict[str, Words] = {hex_text(at): hex_name(state, at) for at in found}
    hexes = {hex_text(at): at for at in found}
    verb = ("fly-supply", which.home)
    chosen: str = yield Choose(state.moving, verb, [*hexes], "Choose a destination", labels, "18.533")
    at = hexes[chosen]
    question = "Choose a ground unit to supply"
    names = yield from choose_units(state, "supply", found[at], free_to_fly(state, which), question, "18.532")
    path = yield from choose_route(state, state.moving, state.place(which.home).at, at, which.reach)
    take_off(state, "air-supply", which, len(names), path, names)
    yield announce(state, "air supply", "18.53")
    return Call(air_interception)


NOBODY_IN_WANT = Refusal("no unsupplied ground unit of its alliance faction in range", "18.533")


@rule("18.533", "18.532.1", "18.532")
def in_want(state: State, which: Unit) -> dict[Hex, list[str]]:
    """18.533: the unsupplied ground units of their alliance faction within the operational range of some transports,
    by hex."""
    found: dict[Hex, list[str]] = {}
    start = state.place(which.home).at
    for name, unit in sorted(state.turn.units.items()):
        if unit.side != state.moving or unit.supply is not Ration.NONE or unit.aboard or is_box(state, unit.at):
            continue
        far = air_distance(state, start, unit.at)
        if far is not None and far <= which.reach and cooperate(state, unit.nation, which.nation):
            found.setdefault(unit.at, []).append(name)
    return dict(sorted(found.items()))


@air_supply.segment("18.532", "Transports that got through drop supply")
@rule("18.532", "18.534", "18.623.3")
def drop_supply(state: State) -> Script[Next]:
    """18.532: each transport factor that came through gives one ground unit limited supply; the owner says which, if
    some were intercepted."""
    turn = state.turn
    mission = under_way(state)
    left = sum(mission.transports.values())
    fed = list(mission.units)
    while len(fed) > left:
        labels: dict[str, Words] = {name: unit_words(state, name) for name in fed}
        question = "Transports intercepted. Which ground unit goes without?"
        one: str = yield Choose(mission.side, "unsupplied", fed, question, labels, "18.623")
        fed = [name for name in fed if name != one]
    for name in fed:
        turn.units[name].supply = Ration.LIMITED
        turn.supplied.append(name)
        yield Note(("{} in limited supply by air", name), "18.532")
    yield from send_back(state)
    yield from fly_back(state, "flew air supply")
    return supply
