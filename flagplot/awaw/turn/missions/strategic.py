"""Strategic bombers and interceptors (17.7, 17.8): SW units that stand on a front of the SW box and fly from its bases.

Their ranges grow with air range research. Chapter 26 is not among our documents; what of it is needed here is in
`docs/rulings.md`.
"""

from __future__ import annotations

from collections.abc import Iterable

from flagplot.awaw.air_units import Arm, Counted, Unit, add, take
from flagplot.awaw.basing import distance
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.procedures import sw_redeploying
from flagplot.awaw.reach import is_fit
from flagplot.awaw.state.setting import NO_RESEARCH, Supply
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.awaw.turn.nations import side_of_nation
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import how_many

BOMBERS = (Arm.BOMBER, Arm.PACIFIC_BOMBER)
BOMBER_RANGES = {False: (4, 8, 16, 24), True: (3, 6, 12, 18)}
"""17.72: by theatre (the Pacific or not) and air range results."""
INTERCEPTOR_RANGES = {False: (4, 4, 8, 12), True: (3, 3, 6, 9)}
"""17.82: the same for interceptors."""
ENOUGH = 3
"""18.49: the air range results with which a box of the United States may be bombed."""


# --- how far they fly -------------------------------------------------------------------------------------------


@rule("17.72A", "17.72B", "17.72C", "17.72D", "18.31F")
def bomber_range(results: int, *, pacific: bool) -> int:
    """17.72: the range of strategic bombers in hexes."""
    return BOMBER_RANGES[pacific][min(results, ENOUGH)]


@rule("17.82A", "17.82B", "17.82C", "17.82D")
def interceptor_range(results: int, *, pacific: bool) -> int:
    """17.82: the range of interceptors in hexes."""
    return INTERCEPTOR_RANGES[pacific][min(results, ENOUGH)]


def range_of(state: State, which: Unit) -> int:
    """The range of an SW unit."""
    results = air_range(state, which.nation)
    far = bomber_range if which.arm in BOMBERS else interceptor_range
    return far(results, pacific=state.setting.pacific)


def air_range(state: State, nation: str) -> int:
    return state.setting.research.get(nation, NO_RESEARCH).air_range


# --- fronts and bases -------------------------------------------------------------------------------------------


@rule("17.71", "17.81")
def front_of(state: State, at: Hex) -> str:
    """17.71: the front that a hex lies on: that of a base in it, or as the map has it, or that of the nearest base."""
    fronts = {base: front for base, front in state.turn.plan.fronts.items() if base in state.scene.places}
    here = [fronts[base] for base in fronts if state.place(base).at == at]
    for front in (*here, state.operation.plan.board.front(at)):
        if front:
            return front
    nearest = min(fronts, key=lambda base: (distance(state.place(base).at, at), base), default="")
    return fronts.get(nearest, "")


@rule("17.72", "17.82.1")
def bases_on(state: State, side: str, front: str) -> list[str]:
    """17.72: the operational air bases of a side on a front, however crowded they are."""
    return [
        base
        for base in state.of_side(side)
        if state.turn.plan.fronts.get(base) == front
        and not state.place(base).box
        and not state.place(base).afloat
        and state.place(base).installations
        and is_fit(state.place(base))
    ]


@rule("17.72", "17.82.1", "17.71.2", "18.31F", "18.31G.1", "18.48")
def reaches(state: State, side: str, which: Unit, at: Hex) -> list[str]:
    """17.72: the bases of its front from which an SW unit reaches a target, on whatever front that is (17.71)."""
    far = range_of(state, which)
    return [base for base in bases_on(state, side, which.home) if _within(state, state.place(base).at, at, far)]


def _within(state: State, one: Hex, other: Hex, far: int) -> bool:
    hexes = air_distance(state, one, other) if other in state.operation.plan.board else distance(one, other)
    return hexes is not None and hexes <= far


@rule("17.82", "18.31G", "17.83")
def may_intercept(state: State, side: str, which: Unit, route: Iterable[Hex]) -> str:
    """18.31G: interceptors oppose bombers that fly over their front, or attack a target on it, and come within their
    range of a controlled and fully supplied air base on it: one such base, or nothing. By option one of the two is
    enough (17.82)."""
    hexes, far = list(route), range_of(state, which)
    bases = [
        base
        for base in state.of_side(side)
        if state.turn.plan.fronts.get(base) == which.home
        and state.place(base).supply is Supply.FULL
        and state.place(base).installations
    ]
    near = [base for base in bases if any([distance(state.place(base).at, at) <= far for at in hexes])]
    over = any([front_of(state, at) == which.home for at in hexes])
    if state.setting.options.interceptor_reach == "either":
        return next(iter(near or (bases if over else [])), "")
    return near[0] if near and over else ""


@rule("17.75C", "17.85", "17.75A")
def as_flown(state: State, which: Unit, base: str) -> Unit:
    """17.75C, 17.85: an SW unit as it fights, with its Air Nationality DRM; it flies from a base of its front."""
    return state.rebased(which, base)


# --- boxes ------------------------------------------------------------------------------------------------------


@rule("18.49A", "18.49B")
def may_bomb_box(state: State, nation: str, base: str) -> Refusal | None:
    """18.49: boxes are bombed by the Axis alone: that of the Urals, and with three air range results the Atlantic one
    of the United States; by Japan also those of Australia and India, and with three results the Pacific one."""
    place = state.place(base)
    words = f"{base} {place.name}".lower()
    japan, american = nation == "japan", base in state.turn.plan.us_boxes
    number = "18.49B" if japan else "18.49A"
    if not japan and not {"germany", "italy"} & set(state.setting.nations[side_of_nation(state, nation)]):
        return Refusal("only the Axis and Japan bomb mapboard boxes", "18.49")
    if american:
        enough = air_range(state, nation) >= ENOUGH
        return None if enough else Refusal("this box is bombed with three air range results", number)
    boxes = ("urals", "australia", "india") if japan else ("urals",)
    return None if any([box in words for box in boxes]) else Refusal("this box may not be bombed", number)


# --- redeployment -----------------------------------------------------------------------------------------------


@sw_redeploying.segment("17.71", "They may change fronts, used or not")
@rule("17.71.1", "17.81.1", "17.71", "17.81")
def shift(state: State) -> Script[Next]:
    """17.71, 17.81: in the redeployment phase strategic bombers and interceptors go to another front of the SW box,
    whether or not they were used, and are none the worse for it."""
    turn = state.turn
    fronts = sorted({*turn.plan.fronts.values(), *turn.bombers})
    side, moved = state.moving, list[tuple[Unit, str, int]]()
    for front in fronts:
        for which, number in list(turn.bombers.get(front, {}).items()):
            others = [other for other in fronts if other != front]
            if which.nation not in state.setting.nations[side]:
                continue
            for other in others:
                left = number - sum([some for unit, _, some in moved if unit is which])
                question = ("Shift how many of {} ({} front) to {}?", Counted(which, left), front, other)
                verb = ("shift", which.nation, which.arm.value, _status(which), front, other)
                some: int = yield Choose(side, verb, range(left + 1), question, how_many, "17.71")
                if some:
                    moved.append((which, other, some))
    for which, front, number in moved:
        take(turn.bombers[which.home], which, number)
        add(turn.bombers.setdefault(front, {}), which.based(front, which.drm), number)
        yield Note(("{}: {} shifted to the {} front", state.name(side), Counted(which, number), front), "17.71")
    return END


def _status(which: Unit) -> str:
    return "inverted" if which.inverted else "ready"
