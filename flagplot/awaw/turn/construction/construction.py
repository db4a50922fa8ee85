"""The unit construction phase (17.24, 17.34, 17.54, 17.64, 17.74, 17.84): what air units cost, who may build what, and
where new units appear."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import NamedTuple

from flagplot.awaw.air_units import (
    FIRST_JETS,
    NAMES,
    NAVAL_ARMS,
    Arm,
    Counted,
    Plural,
    Role,
    Unit,
    add,
    flying_range,
    unit,
)
from flagplot.awaw.procedures import construction
from flagplot.awaw.state.setting import NO_RESEARCH, Supply, drm_ledger
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Until
from flagplot.awaw.tables.nations import nation
from flagplot.awaw.turn.basing.conversion import convert_unbuilt
from flagplot.awaw.turn.basing.rooms import fits
from flagplot.awaw.turn.construction.kamikaze_pool import (
    KAMIKAZE,
    KAMIKAZE_COST,
    grow,
    invoke,
    may_convert,
    offer_conversion,
    so_many,
)
from flagplot.awaw.turn.construction.training import (
    CVE,
    CVE_NATIONS,
    escort_carriers,
    escort_carriers_left,
    squadrons_left,
    training_rate,
)
from flagplot.awaw.turn.marks import BUILT, set_mark
from flagplot.awaw.turn.missions.inversion import invert
from flagplot.awaw.turn.nations import home_bases
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, how_many

DONE = "done"
SW_ARMS = frozenset({Arm.BOMBER, Arm.PACIFIC_BOMBER, Arm.INTERCEPTOR})
FIRST_PACIFIC_BOMBERS = 1944
"""17.75: the year in which their production begins."""


class Cost(NamedTuple):
    """What one unit costs, in BRPs, and the rule that says so."""

    brps: int
    rule: str


COSTS = MappingProxyType(
    {
        Arm.ARMY: Cost(3, "17.24"),
        Arm.NAVAL: Cost(1, "17.34"),
        Arm.ELITE: Cost(1, "17.34"),
        Arm.JET: Cost(3, "17.54"),
        Arm.TRANSPORT: Cost(3, "17.64"),
        Arm.BOMBER: Cost(3, "17.74"),
        Arm.PACIFIC_BOMBER: Cost(3, "17.74"),
        Arm.INTERCEPTOR: Cost(3, "17.84"),
    }
)


@rule("17.141", "17.141A", "17.24", "17.34", "17.54", "17.64", "17.74", "17.84")
def cost_of(arm: Arm) -> Cost:
    """17.141A: a factor costs three BRPs, a squadron one; naval air alone is built in squadrons."""
    return COSTS[arm]


@rule("17.13")
def is_air_unit(arm: Arm) -> bool:
    """17.13: strategic bombers and interceptors are SW units: they stand in an SW box and not in a base."""
    return arm not in SW_ARMS


# --- what may be built ------------------------------------------------------------------------------------------


def pool_keys(state: State, side: str) -> list[str]:
    """What the force pools of a side name, kamikazes and squadrons that wait to make factors apart."""
    mine = state.setting.nations[side]
    return [key for key in sorted(state.turn.unbuilt) if key.count("/") == 1 and key.partition("/")[0] in mine]


def parts_of(key: str) -> tuple[str, Arm]:
    country, _, arm = key.partition("/")
    return country, Arm(arm)


@rule("17.353A", "17.353D", "17.54.1", "17.75A", "17.75B", "18.12", "17.24", "17.34")
def obstacle(state: State, side: str, key: str) -> Refusal | None:
    """Why a nation may build none of an arm now; nothing if it may."""
    turn = state.turn
    country, arm = parts_of(key)
    if arm is Arm.JET and state.setting.research.get(country, NO_RESEARCH).jets < FIRST_JETS:
        return Refusal(f"jets need a research result of {FIRST_JETS}", "17.54.1")
    if arm is Arm.PACIFIC_BOMBER and not state.setting.pacific:
        return Refusal("Pacific strategic bombers serve only in the Pacific theatre", "17.75A")
    if arm is Arm.PACIFIC_BOMBER and turn.plan.year < FIRST_PACIFIC_BOMBERS:
        return Refusal("Pacific strategic bombers are built from 1944 on", "17.75B")
    cost = cost_of(arm)
    if not turn.unbuilt.get(key, 0):
        return Refusal("the whole force pool is built", cost.rule)
    have = turn.brps.get(country, 0)
    if have < cost.brps:
        return Refusal(f"one costs {_brps(cost.brps)}, and there are {have} left", cost.rule)
    if arm in NAVAL_ARMS and not squadrons_left(state, country):
        rate = training_rate(state, country)
        return Refusal(f"the naval air training rate is {rate.total} in a turn", rate.lines[0].rule)
    if not _rooms(state, side, country, arm):
        return Refusal("no base of its own with full supply has room for it", "18.12")
    return None


@rule("17.353A", "17.24", "17.34")
def most_of(state: State, key: str) -> int:
    """How many of an arm that a nation may build: as far as force pool, BRPs and naval air training reach."""
    turn = state.turn
    country, arm = parts_of(key)
    most = min(turn.unbuilt[key], turn.brps[country] // cost_of(arm).brps)
    return min(most, squadrons_left(state, country)) if arm in NAVAL_ARMS else most


@rule("17.352B", "17.352B.1", "17.352B.2", "17.352C")
def built_as(state: State, arm: Arm) -> Arm:
    """17.352B: what was added to the Japanese force pool before the war with the Western Allies is built as elite naval
    air until that war begins, and as regular from then on; all that is rebuilt is regular, because the force pool has
    it so (17.352C). With kamikazes there are no elite units any more (17.42)."""
    turn = state.turn
    if arm is Arm.ELITE and (turn.plan.at_war.get("japan-west") or turn.pool.limit):
        return Arm.NAVAL
    return arm


# --- where new units appear -------------------------------------------------------------------------------------


def _rooms(state: State, side: str, country: str, arm: Arm) -> dict[str, int]:
    """Where new units may appear, and how many of them."""
    if not is_air_unit(arm):
        return dict.fromkeys(fronts(state), most_of(state, f"{country}/{arm}"))
    made = built_as(state, arm)
    places = {
        base: room
        for base in home_bases(state, side, country)
        if state.place(base).supply is Supply.FULL and (room := fits(state, new_unit(state, country, made, base), base))
    }
    return _near_carriers(state, country, arm, places)


@rule("17.355")
def _near_carriers(state: State, country: str, arm: Arm, places: dict[str, int]) -> dict[str, int]:
    """17.355: before the war with Japan new American naval air appears where fast carriers lie, in a port or a box, so
    that it can board them as soon as it may."""
    if country != "united-states" or arm is not Arm.NAVAL or state.turn.plan.at_war.get("us-japan"):
        return places
    ports = {base: room for base, room in places.items() if state.place(base).ports or state.place(base).box}
    return ports or places


@rule("17.71", "17.81")
def fronts(state: State) -> list[str]:
    """17.71: the fronts of the SW box."""
    turn = state.turn
    return sorted({*turn.plan.fronts.values(), *turn.bombers}) or ["main"]


def new_unit(state: State, country: str, arm: Arm, home: str) -> Unit:
    """A new unit as it stands in a base, or on a front: inverted."""
    if not is_air_unit(arm):
        return unit(country, arm, 0, 0, home, Role.FACTORS, True)
    jets = state.setting.research.get(country, NO_RESEARCH).jets
    role = Role.SQUADRONS if arm in NAVAL_ARMS else Role.FACTORS
    drm = drm_ledger(state.setting, state.place(home), country, arm).total
    return unit(country, arm, drm, flying_range(arm, state.setting.pacific, jets), home, role, True)


# --- the phase --------------------------------------------------------------------------------------------------


@construction.segment("23.141B", "Unbuilt squadrons become factors")
def unbuilt_squadrons(state: State) -> Script[Next]:
    yield from convert_unbuilt(state, state.moving)
    return None


@construction.segment("17.41", "Kamikazes are invoked, or their force pool grows")
def kamikaze_rule(state: State) -> Script[Next]:
    if "japan" in state.setting.nations[state.moving]:
        yield from grow(state)
        yield from invoke(state, state.moving)
    return None


@construction.segment("17.44A", "Air units become kamikazes")
def become_kamikazes(state: State) -> Script[Next]:
    if "japan" not in state.setting.nations[state.moving] or not may_convert(state, state.moving):
        return None
    more = yield from offer_conversion(state, state.moving)
    return become_kamikazes if more else None


@construction.segment("17.24", "Units are built, one kind in one place at a time")
@rule("17.24", "17.34", "17.54", "17.64", "17.74", "17.84", "17.44B", "17.44B.1", "17.44C", "18.72C")
def build(state: State) -> Script[Next]:
    """17.24: the side says what it builds, where, and how many, until it is done."""
    side = state.moving
    labels: dict[str, Words] = {key: _offer(state, key) for key in _buildable(state, side)}
    if not labels:
        return begin_escort_carriers
    labels[DONE] = "Build no more"
    key: str = yield Choose(side, "build", [*labels], "Choose what to build", labels, _rules(labels))
    if key == DONE:
        return begin_escort_carriers
    yield from _build_kamikazes(state, side) if key == KAMIKAZE else _build_air(state, side, key)
    return build


def _buildable(state: State, side: str) -> Iterator[str]:
    for key in pool_keys(state, side):
        if not key.endswith(f"/{CVE}") and obstacle(state, side, key) is None:
            yield key
    if KAMIKAZE.partition("/")[0] in state.setting.nations[side] and _kamikazes_left(state):
        yield KAMIKAZE


def _rules(labels: dict[str, Words]) -> dict[str, str]:
    known = {KAMIKAZE: KAMIKAZE_COST.rule, DONE: "17.24"}
    return {key: known[key] if key in known else cost_of(parts_of(key)[1]).rule for key in labels}


def _offer(state: State, key: str) -> Words:
    if key == KAMIKAZE:
        return ("Build kamikazes: up to {}, {} each", _kamikazes_left(state), _brps(KAMIKAZE_COST.brps))
    country, arm = parts_of(key)
    name = f"{nation(country).adjective} {NAMES[built_as(state, arm)]}"
    return ("Build {}: up to {}, {} each", name, most_of(state, key), _brps(cost_of(arm).brps))


@rule("18.72C", "17.141A", "17.352B", "17.355")
def _build_air(state: State, side: str, key: str) -> Script[None]:
    """New units appear inverted in a base of their nation, and stay so until the redeployment phase is over (18.72C);
    strategic bombers and interceptors on a front of the SW box (17.71)."""
    country, arm = parts_of(key)
    made, cost = built_as(state, arm), cost_of(arm)
    rooms = _rooms(state, side, country, arm)
    named = {home: f"in {state.place(home).name}" if is_air_unit(arm) else f"on the {home} front" for home in rooms}
    units = Plural(new_unit(state, country, made, next(iter(rooms))))
    home: str = yield Choose(side, ("place", key), [*rooms], ("Choose where to build {}", units), named, cost.rule)
    which = new_unit(state, country, made, home)
    numbers = range(1, min(rooms[home], most_of(state, key)) + 1)
    question = ("Build how many {} {}?", units, named[home])
    number: int = yield Choose(side, ("number", key), numbers, question, how_many, cost.rule)
    _pay(state, country, key, number, cost)
    _use_up(state, key, number)
    if is_air_unit(arm):
        add(state.sites[home].air, which, number)
        set_mark(state, BUILT, which, number)
        invert(state, which, number, "18.72C", "was built in this player turn", Until.TURN_END)
    else:
        add(state.turn.bombers.setdefault(home, {}), which, number)
    told = ("{}: {} built {} for {}", state.name(side), Counted(which, number), named[home])
    yield Note((*told, _brps(number * cost.brps)), cost.rule)


def _pay(state: State, country: str, key: str, number: int, cost: Cost) -> None:
    turn = state.turn
    turn.brps[country] -= number * cost.brps
    turn.built[key] = turn.built.get(key, 0) + number


def _use_up(state: State, key: str, number: int) -> None:
    turn = state.turn
    left = turn.unbuilt[key] - number
    if left:
        turn.unbuilt[key] = left
    else:
        del turn.unbuilt[key]


@rule("17.44B", "17.44B.1", "17.44C")
def _kamikazes_left(state: State) -> int:
    """17.44B: the kamikazes that can be built, for a BRP each: new ones and those that have flown, up to the limit of
    their force pool; the naval air training rate has no say in it."""
    turn = state.turn
    return min(turn.pool.unbuilt, turn.pool.limit - state.kamikazes, turn.brps.get("japan", 0))


@rule("17.44B", "17.44C", "17.461")
def _build_kamikazes(state: State, side: str) -> Script[None]:
    """17.44C: each costs a BRP, and it stands in no base (17.461)."""
    numbers = range(1, _kamikazes_left(state) + 1)
    number: int = yield Choose(side, ("number", KAMIKAZE), numbers, "Build how many kamikazes?", how_many, "17.44B")
    _pay(state, "japan", KAMIKAZE, number, Cost(*KAMIKAZE_COST))
    state.turn.pool.unbuilt -= number
    state.kamikazes += number
    yield Note(("{}: {} built for {}", state.name(side), so_many(number), _brps(number)), "17.44B")


@construction.segment("17.353B", "The U.S. begins escort carriers")
@rule("17.353B", "17.353B.1", "17.356.1")
def begin_escort_carriers(state: State) -> Script[Next]:
    """17.353B: for itself and for Britain, each up to that nation's rate; they are counted, and launched some other
    turn."""
    turn = state.turn
    side = state.moving
    for country in CVE_NATIONS if "united-states" in state.setting.nations[side] else ():
        key = f"{country}/{CVE}"
        most = min(turn.unbuilt.get(key, 0), escort_carriers_left(state, country))
        if not most:
            continue
        question = ("Begin how many {} CVEs?", nation(country).adjective)
        number: int = yield Choose(side, ("begin", key), range(most + 1), question, how_many, "17.353B")
        if number:
            turn.built[key] = turn.built.get(key, 0) + number
            _use_up(state, key, number)
            told = ("{}: {} {} CVE{} begun", state.name(side), number, nation(country).adjective, "s" * (number != 1))
            yield Note(told, escort_carriers(state, country).lines[0].rule)
    return END


def _brps(number: int) -> str:
    return f"{number} BRP{'s' * (number != 1)}"
