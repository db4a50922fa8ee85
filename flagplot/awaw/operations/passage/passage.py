"""The passage of a naval force along its path, hex by hex (22.12, 22.19, 23.752).

Those who intercept a force sail before it; in each hex it meets what waits for it there: naval combat where it is
intercepted, otherwise attacks from the air, then submarines.
"""

from __future__ import annotations

from flagplot.awaw.operations.bases.attacks import offer_base_strike
from flagplot.awaw.operations.bases.harbours import embark
from flagplot.awaw.operations.interception.hexes import open_legs
from flagplot.awaw.operations.interception.sailing_together import interceptors, is_at, met_together
from flagplot.awaw.operations.names import force_name
from flagplot.awaw.operations.passage.aborting import may_abort
from flagplot.awaw.operations.passage.air_attacks import may_be_attacked
from flagplot.awaw.operations.passage.homeward import finish, release, send_home, turn_back
from flagplot.awaw.operations.passage.supply_lines import is_bare_line, overrun
from flagplot.awaw.procedures import (
    air_attack,
    confrontation,
    encounter,
    homeward,
    interceptions,
    passage,
    submarine_interception,
)
from flagplot.awaw.state.battle import ORIGIN
from flagplot.awaw.state.operation import Activity, Encounter, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import END, AnySegment, Call, Next
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words


@passage.segment("17.3126C", "Carriers embark squadrons that fought for their port")
@rule("17.3126C.2", "18.526B")
def embark_squadrons(state: State, key: str) -> Script[Next]:
    """17.3126C: squadrons that were land-based since their port was attacked go aboard as their carriers go to sea."""
    operation = state.operation
    for force in operation.sailing(operation.voyages[key]):
        yield from embark(state, force)
    return None


@passage.segment("22.19A", "Interceptors sail first")
@rule("22.19", "22.19A", "SOP-NI-H", "SOP-NI-H.1", "SOP-NI-H.1.a", "23.752C.1")
def interceptors_sail(state: State, key: str) -> Script[Next]:
    """22.19A: who was last to intercept is first to sail."""
    return (yield from _sail_next(state, key, interceptors_sail))


@rule("22.19", "23.752C.1")
def _sail_next(state: State, key: str, again: AnySegment) -> Script[Next]:
    """22.19: the side of the interceptors says in which order they sail."""
    operation = state.operation
    waiting = [other for other in interceptors(state, key) if _may_sail(state, other)]
    if not waiting:
        return None
    side = operation.voyages[waiting[0]].side
    labels: dict[str, Words] = {other: force_name(state, operation.voyages[other]) for other in waiting}
    chosen: str = yield Choose(side, "sail", waiting, "Choose the next interceptor to sail", labels, "22.19")
    return Call(passage, (chosen,), then=again)


def _may_sail(state: State, key: str) -> bool:
    """Whether an interceptor has still to sail; not one that is sailing as it is."""
    voyage = state.operation.voyages[key]
    return voyage.is_open and bool(voyage.arrives) and not _is_sailing(state, key)


def _is_sailing(state: State, key: str) -> bool:
    return any([frame.procedure == passage.name and frame.arguments[0] == key for frame in state.frames])


@passage.segment("22.141", "A force that waited for others sails on from where it is")
@rule("22.141")
def take_up(state: State, key: str) -> Next:
    """22.141: what is left to be done in the hex where it has waited is done first."""
    return challenge if state.operation.voyages[key].progress is Progress.UNDER_WAY else None


@passage.segment("22.19B", "It enters the next hex of its path")
@rule("22.19B", "22.12A", "22.12B", "22.13C.1", "22.9434", "23.752A", "SOP-NI-H.1.b", "23.23E", "23.34C")
def next_hex(state: State, key: str) -> Next:
    """22.19B: it moves one hex on. From port it first enters the water of its base's hex (22.12A). Who comes to where
    others wait for him is one force with them from there on (22.13C)."""
    operation = state.operation
    voyage = operation.voyages[key]
    if not voyage.is_open:
        return END
    if not operation.sailing(voyage) and not is_bare_line(state, voyage):
        finish(state, key)
        return END
    if voyage.step == len(voyage.path) - 1:
        arrive(state, key, voyage)
        return END
    voyage.step += 1
    voyage.progress = Progress.UNDER_WAY
    for force in operation.sailing(voyage).values():
        force.at = voyage.at
    if voyage.joins and voyage.step == len(voyage.path) - 1:
        arrive(state, key, voyage)
        return END
    return None


@passage.segment("22.13C", "Forces that join it here arrive")
@rule("22.13C.1", "22.13C.2")
def join_up(state: State, key: str) -> Next:
    """22.13C: whatever waits in the hex meets them together."""
    late = _joining(state, key, state.operation.voyages[key])
    return Call(passage, (late,), then=join_up) if late else None


@rule("22.13C.1", "22.13C.2")
def _joining(state: State, key: str, voyage: Voyage) -> str:
    """22.13C: a force that is to join here and has not set out."""
    for other, joiner in state.operation.voyages.items():
        here = joiner.joins == key and joiner.path[-1] == voyage.at
        if here and joiner.is_open and not _is_sailing(state, other):
            return other
    return ""


@passage.segment("22.141", "Where others are intercepted with it, it waits until all are there")
@rule("22.141", "22.19B", "22.132B")
def wait(state: State, key: str) -> Next:
    """22.141: who was called to a hex where he is intercepted together with others waits there for the battle; air
    units attack him in it, and not before (22.132B)."""
    voyage = state.operation.voyages[key]
    return END if voyage.step == voyage.halt else None


def arrive(state: State, key: str, voyage: Voyage) -> None:
    """The end of the path: its activity can begin, or it joins the force that waits for it (22.13C)."""
    operation = state.operation
    voyage.progress = Progress.ARRIVED
    if voyage.joins:
        host = operation.voyages[voyage.joins]
        for force in operation.sailing(voyage):
            host.forces.append(force)
            operation.fleet[force].voyage = voyage.joins
        host.freight += voyage.freight
        voyage.forces, voyage.progress = [], Progress.OVER
        release(state, key)


@passage.segment("21.416C", "A patrol may be intercepted in each hex that it enters")
@rule("22.164A", "SOP-PA-B", "SOP-PA-B.1.a")
def challenge(state: State, key: str) -> Next:
    """21.416C-D: interceptions of a patrol are announced as it enters the hex, unlike all others."""
    voyage = state.operation.voyages[key]
    if voyage.activity is not Activity.PATROL or not open_legs(state, key, submarines=True):
        return meet
    return Call(interceptions, (key,))


@passage.segment("22.19A", "Interceptors of the patrol sail to its hex")
@rule("22.19A")
def challengers_sail(state: State, key: str) -> Script[Next]:
    """22.19A: they sail before there is naval combat."""
    return (yield from _sail_next(state, key, challengers_sail))


@passage.segment("22.19C", "If it is intercepted here there is naval combat")
@rule("22.19C", "22.141", "22.131", "22.132B", "22.23", "SOP-NI-E.1", "SOP-NI-H", "22.161B")
def meet(state: State, key: str) -> Script[Next]:
    """22.19C: where interceptors wait there is naval combat, before anything else is done in the hex (22.131); air
    units take part in it and do not attack apart from it (22.132B). All who are intercepted together come up first
    (22.141). A supply line that nobody protects is cut."""
    operation = state.operation
    late = _absent(state, key)
    if late:
        return Call(passage, (late,), then=meet)
    voyage = operation.voyages[key]
    if not _is_met(state, key):
        return carry_on if _is_where_it_intercepts(voyage) else None
    if is_bare_line(state, voyage):
        operation.encounter = None
        yield from overrun(state, key)
        return carry_on
    return Call(encounter, then=carry_on)


@rule("22.141", "22.19B", "22.252C", "22.9434")
def _absent(state: State, key: str) -> str:
    """22.141: a force that is intercepted together with another and has still to sail to the hex where they are
    awaited; it is to wait there. Late comers sail to it as well, and join the battle in their round (22.252C)."""
    operation = state.operation
    voyage = operation.voyages[key]
    if is_bare_line(state, voyage) or not _waiting(state, key):
        return ""
    for other in met_together(state, key, voyage.at):
        friend = operation.voyages[other]
        if friend.is_open and not is_at(friend, voyage.at) and not _is_sailing(state, other):
            friend.halt = friend.path.index(voyage.at)
            return other
    return ""


@rule("22.23", "22.24B", "22.24B.3", "22.27")
def _is_met(state: State, key: str) -> bool:
    """22.23: whether interceptors have reached a force in its hex; those who come late need one who came in time, and
    return if he was stopped on his way (22.27)."""
    operation = state.operation
    voyage, waiting = operation.voyages[key], _waiting(state, key)
    first = next((other for other in waiting if operation.voyages[other].arrives == 1), "")
    if first:
        target = operation.voyages[first].target
        operation.encounter = Encounter(voyage.at, target, voyage.level + 1, [target, *waiting])
        return True
    for other in waiting:
        for force in list(operation.sailing(operation.voyages[other])):
            send_home(state, force, ORIGIN)
    return False


@rule("22.161A", "22.141", "22.162")
def _waiting(state: State, key: str) -> list[str]:
    """The interceptors that wait in its hex for a force, or for others that are there together with it. Who has come to
    where he intercepts others waits as well: if he is countered there, all of them fight together (22.161A)."""
    operation = state.operation
    voyage = operation.voyages[key]
    if _is_where_it_intercepts(voyage):
        return []
    return [
        other
        for other in interceptors(state, key)
        if operation.voyages[other].progress is Progress.ARRIVED and operation.voyages[other].meet == voyage.at
    ]


def _is_where_it_intercepts(voyage: Voyage) -> bool:
    return voyage.level > 0 and voyage.at == voyage.meet


@passage.segment("18.52", "Carriers on patrol may counterair bases from the hex, for one round")
@rule("SOP-PA-B.1.b.1", "19.12.2", "23.61A")
def counterair(state: State, key: str) -> Script[Next]:
    """21.416G, 23.61A: where it was not intercepted a patrol may fly a round of counterair from each hex on its way,
    but not attack ships in port before it has reached its patrol hex. The water of its base is such a hex (22.12A),
    unless an option says no (19.12)."""
    voyage = state.operation.voyages[key]
    leaving_port = voyage.step == 0 and not state.setting.options.counterair_from_base_hex
    if voyage.activity is not Activity.PATROL or leaving_port or voyage.step == len(voyage.path) - 1:
        return None
    return (yield from offer_base_strike(state, key))


@passage.segment("23.752A", "If it is not, air units may attack it here")
@rule("22.132A", "23.752A", "23.752C", "23.75A", "SOP-PA-B.1.b.2")
def from_the_air(state: State, key: str) -> Next:
    """23.752: in each hex one sortie may be flown against it; in its patrol hex when it says whether it stays."""
    voyage = state.operation.voyages[key]
    on_station = voyage.activity is Activity.PATROL and voyage.step == len(voyage.path) - 1
    return Call(air_attack, (key,)) if not on_station and may_be_attacked(state, voyage) else None


@passage.segment("22.921", "Submarines that intercept it here attack")
@rule("22.921", "22.915", "SOP-PA-B.1.c")
def from_below(state: State, key: str) -> Next:
    """22.921: without naval combat submarines attack as soon as they have intercepted, after any air attack."""
    return _dive(state, key, from_below)


def _dive(state: State, key: str, again: AnySegment) -> Next:
    operation = state.operation
    voyage = operation.voyages[key]
    if not operation.sailing(voyage) and not is_bare_line(state, voyage):
        return None
    for other, submarine in operation.opposing(key):
        if submarine.flotilla and submarine.arrives == 1 and submarine.meet == voyage.at:
            operation.encounter = Encounter(voyage.at, key, 1, [key, other])
            return Call(submarine_interception, (key,), then=again)
    return None


@passage.segment("22.28", "An attacked force may abort; forces that must return do so at once")
@rule("22.28", "22.28A", "22.28B", "22.15D", "23.76#2")
def carry_on(state: State, key: str) -> Script[Next]:
    """22.28: only a force that was attacked may abort its activity, or one that was to combine with such a force. Air
    attacks alone do not stop it (23.76#2). Who turns back does so at once (22.15D)."""
    operation = state.operation
    homebound = operation.homebound()
    if homebound:
        return Call(homeward, (homebound,), then=carry_on)
    voyage = operation.voyages[key]
    if voyage.is_open and operation.sailing(voyage) and may_abort(state, voyage):
        voyage.attacked = False
        question = ("{} was attacked: carry on or return?", force_name(state, voyage))
        chosen: str = yield Choose(voyage.side, ("abort", key), (GO_ON, ABORT), question, _ORDERS, "22.28")
        if chosen == ABORT:
            yield Note(("{}: {} aborts and returns", state.name(voyage.side), force_name(state, voyage)), "22.28")
            turn_back(state, key)
            return carry_on
    return next_hex


GO_ON, ABORT = "go-on", "abort"
_ORDERS: dict[str, Words] = {GO_ON: "Carry on", ABORT: "Return to base"}


# --- a force that stays where it is -----------------------------------------------------------------------------


@confrontation.segment("22.19A", "Interceptors sail to its hex")
@rule("22.19A")
def come_up(state: State, key: str) -> Script[Next]:
    """22.19A: one after the other."""
    return (yield from _sail_next(state, key, come_up))


@confrontation.segment("22.19C", "Naval combat, if they reach it")
@rule("22.19C", "SOP-PA-D.2")
def fight(state: State, key: str) -> Next:
    """22.19C: naval combat in its hex."""
    return Call(encounter) if _is_met(state, key) else None


@confrontation.segment("23.752A", "If there was none, one sortie may be flown against a patrol that stays")
@rule("SOP-PA-D.2.a", "22.921")
def sortie(state: State, key: str) -> Next:
    """23.752A: as a patrol says that it stays land-based air may attack it, before submarines do (22.921)."""
    voyage = state.operation.voyages[key]
    open_ = voyage.staying and voyage.progress is Progress.ARRIVED and may_be_attacked(state, voyage)
    return Call(air_attack, (key,)) if open_ else None


@confrontation.segment("22.921", "Submarines that intercept it attack, if there was no naval combat")
@rule("22.921", "22.915", "SOP-PA-B.1.c")
def ambush(state: State, key: str) -> Next:
    """22.921: without naval combat submarines attack by themselves, after the air attack."""
    return _dive(state, key, ambush)


@confrontation.segment("22.15D", "Forces that must return do so at once")
@rule("22.15D", "SOP-PA-D.2")
def part(state: State, key: str) -> Next:
    """22.15D: those who were beaten or have withdrawn return at once."""
    home = state.operation.homebound()
    return Call(homeward, (home,), then=part) if home else END
