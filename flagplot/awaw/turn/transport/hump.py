"""BRPs for China over the Hump (18.511E, 18.512G), as far as they are an air transport activity (18.621D)."""

from __future__ import annotations

from flagplot.awaw.air_units import Counted, Unit
from flagplot.awaw.basing import staging_range
from flagplot.awaw.procedures import air_interception, hump
from flagplot.awaw.reach import is_fit
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Phase
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.turn.missions.inversion import form_up, free_to_fly, reconcile
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.awaw.turn.nations import side_of_nation
from flagplot.awaw.turn.transport.air_interception import under_way
from flagplot.awaw.turn.transport.air_routes import choose_route
from flagplot.awaw.turn.transport.airlift import announce, fly_back, send_back, take_off, transports_at
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import how_many

CHINA = "china"


@hump.segment("23.141A", "Squadrons recombine into factors")
def get_ready(state: State) -> Next:
    reconcile(state)
    if not route_is_open(state):
        return END
    form_up(state, state.moving)
    return None


@rule("18.511E", "18.512G")
def route_is_open(state: State) -> bool:
    """Whether the moving side is China's, and holds both ends of the Hump, in full supply and without oil effects."""
    turn = state.turn
    if len(turn.plan.hump) != 2 or not any([CHINA in nations for nations in state.setting.nations.values()]):
        return False
    ends = [state.place(base) for base in turn.plan.hump]
    return side_of_nation(state, CHINA) == state.moving and all(
        [place.side == state.moving and is_fit(place) for place in ends]
    )


@hump.segment("18.511E", "Transports fly BRPs to China or are done")
@rule("18.511E", "18.512G")
def fly_over(state: State) -> Script[Next]:
    """18.511E: transports in the base at this end of the Hump fly BRPs of their nation to China; to fly them costs
    none."""
    start, to = state.turn.plan.hump
    for which in [which for which in transports_at(state, Task.HUMP).values() if over_the_hump(state, which)]:
        question = (
            "Fly {} BRPs to China with each of how many of {}?",
            _each(state),
            Counted(which, loads(state, which)),
        )
        verb = ("hump", which.nation)
        values = range(loads(state, which) + 1)
        number: int = yield Choose(state.moving, verb, values, question, how_many, _rule(state))
        if number:
            ends = state.place(start).at, state.place(to).at
            path = yield from choose_route(state, state.moving, *ends, staging_range(which.reach))
            take_off(state, "hump", which, number, path, [], to)
            yield announce(state, "BRPs for China", _rule(state))
            return Call(air_interception)
    return END


NOT_OVER_THE_HUMP = Refusal("the Hump is not open from its base, or there are no BRPs for China", "18.511E")


def over_the_hump(state: State, which: Unit) -> list[str]:
    """The other end of the Hump, if some transports can fly BRPs there."""
    able = route_is_open(state) and which.home == state.turn.plan.hump[0] and loads(state, which)
    return [state.turn.plan.hump[1]] if able else []


def _rule(state: State) -> str:
    """The rule of the phase by which they fly."""
    return "18.512G" if state.turn.step == Phase.COMBAT else "18.511E"


def _each(state: State) -> int:
    return state.turn.plan.hump_brps


def loads(state: State, which: Unit) -> int:
    """How many transport factors can fly: as many as there are BRPs for, and only if China is in reach."""
    turn = state.turn
    start, to = (state.place(base).at for base in turn.plan.hump)
    far = air_distance(state, start, to)
    if far is None or far > staging_range(which.reach):
        return 0
    return min(free_to_fly(state, which), turn.brps.get(which.nation, 0) // _each(state))


@hump.segment("18.621D", "BRPs that got through are China's")
@rule("18.511E", "18.512G", "18.621D", "18.623.3")
def arrive(state: State) -> Script[Next]:
    """18.511E: the BRPs of the factors that came through pass to China; those of others stay with their owner."""
    turn = state.turn
    mission = under_way(state)
    for which, number in mission.transports.items():
        brps = number * _each(state)
        turn.brps[which.nation] -= brps
        turn.brps[CHINA] = turn.brps.get(CHINA, 0) + brps
        turn.granted[which.nation] = turn.granted.get(which.nation, 0) + brps
        yield Note(("{} BRPs reach China over the Hump", brps), _rule(state))
    yield from send_back(state)
    yield from fly_back(state, "flew BRPs over the Hump")
    return fly_over
