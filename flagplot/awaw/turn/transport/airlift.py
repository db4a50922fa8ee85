"""Air transport of ground units (18.54), and what it shares with air supply, airdrops and the Hump: which transports
fly from where, who is aboard, and what becomes of both when they were intercepted."""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.awaw.air_units import Counted, Listed, Unit
from flagplot.awaw.basing import distance, staging_range
from flagplot.awaw.counterair import launch
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.interception.sailing_together import may_cooperate
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.procedures import air_interception, air_transport
from flagplot.awaw.reach import is_fit
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import AirTransportMission, GroundUnit, Kind, Phase, Ration
from flagplot.awaw.turn.basing.rooms import lands
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.turn.missions.inversion import available, form_up, free_to_fly, is_mission_base, reconcile
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.awaw.turn.missions.returning import land_in, return_home
from flagplot.awaw.turn.nations import faction_of, unit_name, unit_names
from flagplot.awaw.turn.transport.air_interception import under_way
from flagplot.awaw.turn.transport.air_routes import choose_route
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

DONE = "done"
BY_AIR, BY_SEA, DROPPED = "air", "sea", "airdrop"  # beside "invasion"
"""How a ground unit has travelled in this player turn (18.547C)."""


# --- transports -------------------------------------------------------------------------------------------------


def transports_at(state: State, task: Task) -> dict[str, Unit]:
    """The transports of the moving side that may fly a mission, by base and nation."""
    found: dict[str, Unit] = {}
    for base in state.of_side(state.moving):
        if not state.place(base).afloat:
            for which in available(state, state.moving, task, state.place(base).at):
                if which.home == base:
                    found[f"{base}:{which.nation}"] = which
    return found


@rule("18.532.1", "18.542.1")
def cooperate(state: State, one: str, other: str) -> bool:
    """18.532, 18.542: transports serve ground units of their own alliance faction, British and French ones each other
    only while they cooperate (53.253)."""
    return faction_of(state, one) == faction_of(state, other) and may_cooperate(state, {one, other})


def choose_transports(
    state: State, verb: str, able: dict[str, Unit], question: str, number: str
) -> Script[Unit | None]:
    """The moving side says which transports fly next, if any."""
    if not able:
        return None
    labels: dict[str, Words] = {
        key: ("{} from {}", Counted(which, free_to_fly(state, which)), state.place(which.home).name)
        for key, which in able.items()
    }
    labels[DONE] = "No more"
    chosen: str = yield Choose(state.moving, verb, [*able, DONE], question, labels, number)
    return able.get(chosen)


@rule("18.532", "18.542")
def choose_units(
    state: State, verb: str, names: Iterable[str], most: int, question: Words, number: str
) -> Script[list[str]]:
    """18.532, 18.542: each transport factor takes one ground unit: as many as fly, at least one."""
    left, chosen = list(names), list[str]()
    while left and len(chosen) < most:
        labels: dict[str, Words] = {name: unit_words(state, name) for name in left}
        labels[DONE] = "No more"
        values = [*left, DONE] if chosen else list(left)
        one: str = yield Choose(state.moving, verb, values, question, labels, number)
        if one == DONE:
            break
        chosen.append(one)
        left.remove(one)
    return chosen


def unit_words(state: State, name: str) -> Words:
    """A ground unit for people."""
    unit = state.turn.units[name]
    return ("{} ({}, {})", unit_name(state, name), unit.kind.value, unit.factors)


def take_off(
    state: State, kind: str, which: Unit, number: int, path: tuple[Hex, ...], units: list[str], to: str = ""
) -> None:
    """Transports leave their base with what they carry."""
    launch(state, {which: number})
    state.turn.airlift = AirTransportMission(kind, state.moving, path, {which: number}, units, to)


def announce(state: State, what: str, number: str) -> Note:
    """What everybody learns of a mission as it begins."""
    mission = under_way(state)
    carried = f" with {unit_names(state, mission.units)}" if mission.units else ""
    where = hex_name(state, mission.path[-1])
    flying = Listed(mission.transports.items())
    return Note(("{}: {} to {} by {}{}", state.name(mission.side), what, where, flying, carried), number)


# --- what may be carried ----------------------------------------------------------------------------------------


@rule("18.543", "18.544", "18.547C.1", "18.547C.2", "18.547C.3", "18.547A.3")
def may_be_carried(state: State, unit: GroundUnit, base: str, to: str = "") -> Refusal | None:
    """18.543-18.547: whether a ground unit in a base may be carried by air from it, to another one; if not, why."""
    if unit.at != state.place(base).at or unit.aboard:
        return Refusal("not in the base", "18.545")
    fit = (unit.kind is Kind.INFANTRY and unit.factors == 1) or unit.kind in (Kind.AIRBORNE, Kind.SPECIALIZED)
    if not fit:
        return Refusal("only one-factor infantry and specialized units are carried", "18.544")
    if unit.supply is Ration.NONE:
        return Refusal("unsupplied units are not carried", "18.547C")
    if unit.flown == BY_SEA and state.turn.step == Phase.MOVEMENT:
        return Refusal("already carried by sea this movement phase", "18.547C")
    if unit.flown not in ("", BY_SEA):
        return Refusal("already carried by air, dropped or landed this turn", "18.547C")
    if unit.movement < movement_cost(state, unit, base, to):
        return Refusal("too little movement left", "18.547A")
    return None


@rule("18.547A", "18.547A.1", "18.547A.2")
def movement_cost(state: State, unit: GroundUnit, base: str, to: str) -> int:
    """18.547A: what it costs a unit to be carried: nothing to go aboard, but in an enemy zone of control two movement
    factors in Europe and one in the Pacific; one to leave, and one more in rough terrain. In the redeployment phase
    nobody moves, and nothing is reckoned (`docs/rulings.md`)."""
    if state.turn.step != Phase.MOVEMENT:
        return 0
    embark = (1 if state.setting.pacific else 2) if in_zone(state, unit.side, state.place(base).at) else 0
    return embark + (1 + is_rough(state, unit, to) if to else 1)


@rule("18.547A.1")
def in_zone(state: State, side: str, at: Hex) -> bool:
    """18.547A: whether a hex is in the zone of control of an enemy ground unit beside it."""
    return any(
        [
            unit.side != side and not unit.aboard and has_zone(state, unit) and distance(unit.at, at) == 1
            for unit in state.turn.units.values()
        ]
    )


@rule("18.547A.1", "18.142C")
def has_zone(state: State, unit: GroundUnit) -> bool:
    """18.142C speaks of the zone of control of armor: no other ground unit has one, or by option all but partisans
    (`docs/rulings.md`)."""
    if state.setting.options.zones_of_control == "all-units":
        return unit.kind is not Kind.PARTISAN
    return unit.kind is Kind.ARMOR


@rule("18.547A.2")
def is_rough(state: State, unit: GroundUnit, base: str) -> bool:
    """18.547A: whether rough terrain makes it harder to leave the transports; jungle does not for Japanese units and
    the Chindits."""
    place = state.place(base)
    if place.jungle:
        return unit.nation != "japan" and not unit.jungle
    return place.at in state.turn.plan.rough


# --- the mission ------------------------------------------------------------------------------------------------


@air_transport.segment("23.141A", "Squadrons recombine into factors")
def get_ready(state: State) -> Next:
    reconcile(state)
    form_up(state, state.moving)
    return None


@air_transport.segment("18.541", "Transports carry ground units or are done")
@rule("18.541", "18.511F", "18.513A", "18.542", "18.545")
def carry(state: State) -> Script[Next]:
    """18.541: in the movement and in the redeployment phase transports carry ground units from base to base."""
    ready = {key: which for key, which in transports_at(state, Task.AIR_TRANSPORT).items() if passages(state, which)}
    question = "Choose air transports for ground units"
    which = yield from choose_transports(state, "airlift", ready, question, "18.541")
    if which is None:
        return END
    found = passages(state, which)
    labels: dict[str, Words] = {base: state.place(base).name for base in found}
    verb = ("airlift", which.home)
    to: str = yield Choose(state.moving, verb, [*found], "Choose a destination", labels, "18.545")
    most = free_to_fly(state, which)
    names = yield from choose_units(state, "board", found[to], most, "Choose a ground unit to carry", "18.543")
    start, end = state.place(which.home).at, state.place(to).at
    path = yield from choose_route(state, state.moving, start, end, staging_range(which.reach))
    take_off(state, "air-transport", which, len(names), path, names, to)
    yield announce(state, "air transport", "18.54")
    return Call(air_interception)


NOBODY_TO_CARRY = Refusal("no ground unit to carry in its base, or no operational base in reach", "18.545")


@rule("18.541", "18.545", "18.547B", "18.542.1")
def passages(state: State, which: Unit) -> dict[str, list[str]]:
    """18.545: the operational bases that transports can carry ground units to, at most eight hexes away in Europe and
    six in the Pacific, and which units; how many stack in either base is no matter (18.547B)."""
    found: dict[str, list[str]] = {}
    start = state.place(which.home).at
    for to in state.of_side(state.moving):
        place = state.place(to)
        if (
            to == which.home
            or place.box
            or place.afloat
            or not is_fit(place)
            or not is_mission_base(state, which, place)
        ):
            continue
        far = air_distance(state, start, place.at)
        if far is None or far > staging_range(which.reach):
            continue
        names = [
            name
            for name, unit in sorted(state.turn.units.items())
            if unit.side == state.moving
            and cooperate(state, unit.nation, which.nation)
            and may_be_carried(state, unit, which.home, to) is None
        ]
        if names:
            found[to] = names
    return found


@air_transport.segment("18.545", "Transports that got through land")
@rule("18.545", "18.545.1", "18.547A", "18.42A")
def deliver(state: State) -> Script[Next]:
    """18.545: the ground units are in the other base, with what movement they have left (18.547A); the transports end
    in either base, inverted."""
    turn = state.turn
    mission = under_way(state)
    yield from lose_carried(state)
    for name in mission.units:
        unit = turn.units[name]
        start = next(iter(mission.transports)).home
        unit.movement -= movement_cost(state, unit, start, mission.to)
        unit.at, unit.flown = state.place(mission.to).at, BY_AIR
    if mission.units:
        where = state.place(mission.to).name
        yield Note(("Arrived in {} by air: {}", where, unit_names(state, mission.units)), "18.545")
    flown, turn.airlift = mission.transports, None
    for which, number in flown.items():
        yield from _land_either(state, which, number, mission.to)
    return carry


@rule("18.545.1", "18.42A")
def _land_either(state: State, which: Unit, number: int, to: str) -> Script[None]:
    """18.545: transports end in the base that they came from, or in the one that they flew to if it has room."""
    while number:
        bases = {which.home: number}
        room = min(number, lands(state, which, to))
        if room:
            bases[to] = room
        number -= yield from land_in(state, which, number, bases, "18.42A", "flew air transport")


# --- what interception has done ---------------------------------------------------------------------------------


@rule("18.624", "18.623.3")
def lose_carried(state: State) -> Script[None]:
    """18.624: of the ground units aboard one is lost with each transport factor that was shot down, and one returns to
    base with each that was forced back; the owner says which. Those that go on are left in `mission.units`."""
    mission = under_way(state)
    lost = yield from _stay_behind(state, "lost", mission.down, "Lose which ground unit with its transport?")
    for name in lost:
        words = ("{} lost with its transport", unit_name(state, name))
        del state.turn.units[name]
        yield Note(words, "18.624")
    back = yield from _stay_behind(state, "back", sum(mission.turned.values()), "Send which ground unit back?")
    for name in back:
        yield Note(("{} returns to base: its transport was forced back", unit_name(state, name)), "18.624")
    yield from send_back(state)


def _stay_behind(state: State, verb: str, number: int, question: str) -> Script[list[str]]:
    mission = under_way(state)
    chosen: list[str] = []
    for _ in range(min(number, len(mission.units))):
        labels: dict[str, Words] = {name: unit_words(state, name) for name in mission.units}

        one: str = yield Choose(mission.side, verb, list(mission.units), question, labels, "18.624")
        mission.units.remove(one)
        chosen.append(one)
    return chosen


@rule("18.623.3", "18.42A")
def send_back(state: State) -> Script[None]:
    """18.623: transports that were forced back return, inverted; their mission has failed."""
    mission = under_way(state)
    turned, mission.turned = mission.turned, {}
    if mission.intercepted is not None:
        yield from return_home(state, turned, mission.intercepted, "18.623", "was forced back by interceptors")


def fly_back(state: State, why: str) -> Script[None]:
    """18.42: those who have flown their mission return from the end of their route, inverted."""
    mission = under_way(state)
    flown, state.turn.airlift = mission.transports, None
    yield from return_home(state, flown, mission.path[-1], "18.42A", why)
