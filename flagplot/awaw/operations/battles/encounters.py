"""Encounters (22.14, 22.16, 22.19C): a naval battle on the map, who takes part in it from when, and what follows.

In the interception hex everybody who was intercepted there fights, and who counter-intercepted there as well
(22.161A). Elsewhere an intercepting force and those who counter it fight apart (22.161B).
"""

from __future__ import annotations

from typing import NamedTuple

from flagplot.awaw.battle.consequences import Standing, standing
from flagplot.awaw.battle.homecoming import COUNTER, INTERCEPTION, SUPPORT
from flagplot.awaw.counting import add, take
from flagplot.awaw.operations.bases.targets import in_patrol_hex
from flagplot.awaw.operations.battles.scenes import bring_in, bring_in_submarines, clear_scene, set_scene
from flagplot.awaw.operations.interception.sailing_together import is_at, met_together
from flagplot.awaw.operations.markers import new_key, part_of
from flagplot.awaw.operations.names import force_name, hex_name
from flagplot.awaw.operations.passage.aborting import bar_transports
from flagplot.awaw.operations.passage.homeward import finish, leave_voyage, send_home
from flagplot.awaw.operations.passage.joining import may_act_with
from flagplot.awaw.operations.patrols.support import offer_support
from flagplot.awaw.operations.records.points import points_told
from flagplot.awaw.procedures import encounter, escape, naval_battle
from flagplot.awaw.ships import Fleet
from flagplot.awaw.state.battle import GO_ON, ORIGIN, Group
from flagplot.awaw.state.operation import Activity, Encounter, NavalForce, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import arrival_round
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Script, disclosed
from flagplot.kernel.rules import rule


@encounter.segment("22.141", "The forces that take part gather")
@rule("22.141", "22.161A", "22.161B", "22.163", "22.163A", "22.33", "SOP-NI-F.2")
def gather(state: State) -> Script[Next]:
    """22.141, 22.161A: in an interception hex all forces fight that were intercepted there together, and those who
    counter-intercept there; others join in the rounds in which they arrive (22.24B)."""
    meeting = under_way(state)
    target = state.operation.voyages[meeting.target]
    meeting.voyages = list(dict.fromkeys([*meeting.voyages, *_met_here(state, meeting)]))
    meeting.voyages += _countering_here(state, meeting)
    if meeting.level == 1:
        yield from offer_support(state, meeting)
    other = state.other(target.side)
    yield disclosed(
        ("Naval combat in {}: {} meets {}", hex_name(state, meeting.at), _all(state, target.side), _all(state, other)),
        "22.141",
        True,
    )
    return None


def under_way(state: State) -> Encounter:
    operation = state.operation
    assert operation.encounter is not None
    return operation.encounter


def _all(state: State, side: str) -> str:
    voyages = [state.operation.voyages[key] for key in under_way(state).voyages]
    return "; ".join([force_name(state, voyage) for voyage in voyages if voyage.side == side])


@rule("22.141", "22.162", "22.252A", "22.252C")
def _met_here(state: State, meeting: Encounter) -> list[str]:
    """22.141, 22.252: all who are intercepted together in the hex, and all who have come to it to intercept any of
    them."""
    found = met_together(state, meeting.target, meeting.at)
    there = [key for key in found if is_at(state.operation.voyages[key], meeting.at)]
    come = [other for key in there for other in _coming(state, key, meeting)]
    return there + come


def _coming(state: State, key: str, meeting: Encounter) -> list[str]:
    """The interceptors of a voyage that are in the hex of the battle."""
    return [
        other
        for other, voyage in state.operation.opposing(key)
        if voyage.meet == meeting.at
        and voyage.level == meeting.level
        and voyage.progress is Progress.ARRIVED
        and not voyage.flotilla
    ]


@rule("22.161A", "22.164", "22.24B", "22.253", "SOP-NI-F.2")
def _countering_here(state: State, meeting: Encounter) -> list[str]:
    """22.161A, 22.253: those who counter somebody of this battle in the very hex in which he intercepts, and who
    counter them there: all of them have sailed to it."""
    operation = state.operation
    found: list[str] = []
    for key in (countered := [*meeting.voyages]):
        for other, voyage in operation.opposing(key):
            here = voyage.meet == meeting.at and other not in countered
            if here and voyage.progress is Progress.ARRIVED and operation.sailing(voyage):
                found.append(other)
                countered.append(other)
    return found


@encounter.segment("22.31", "The battle is fought")
@rule("22.31", "22.24B", "22.252A", "22.252B", "22.914", "22.26D", "22.74", "22.74-EX", "22.253")
def fight(state: State) -> Next:
    """22.31: the forces fight by the rules of naval combat. In a counter-interception elsewhere the side that is on its
    way to intercept may withhold ships (22.26D). Carrier air fights however often its carriers did before (22.74)."""
    operation = state.operation
    meeting = under_way(state)
    target = operation.voyages[meeting.target]
    elsewhere = meeting.level > 1
    set_scene(state, meeting.at, withholder=target.side if elsewhere else "", moving="" if elsewhere else target.side)
    arrivals = _arrivals(state, meeting)
    for key in meeting.voyages:
        voyage = operation.voyages[key]
        voyage.fought_at.append(meeting.at)
        for force in operation.sailing(voyage):
            bring_in(state, force, arrivals[key])
            if voyage.level:
                state.battle.groups[force].activity = _purpose(meeting, target, voyage)
    for key, arrives in meeting.supporting.items():
        if key in operation.fleet:
            bring_in(state, key, arrives)
            state.battle.groups[key].activity = SUPPORT
        else:
            _support_from_below(state, key, arrives)
    for voyage in _submarines_here(state, meeting):
        bring_in_submarines(state, voyage.flotilla, 1, arrives=voyage.arrives)
        voyage.progress = Progress.OVER
    return Call(naval_battle)


@rule("22.81B", "22.81C", "22.81D", "22.161B", "SOP-PA-B.1.a.2")
def _purpose(meeting: Encounter, target: Voyage, voyage: Voyage) -> str:
    """What an intercepting force is in a battle for: interceptors return after it, unless they have met a patrol; who
    has countered in the interception hex may join those whom he protected; who is on his way may go on."""
    if voyage.side == target.side:
        return COUNTER if voyage.level > target.level else ""
    if meeting.level > 1:
        return INTERCEPTION
    return Activity.PATROL.value if target.activity is Activity.PATROL and voyage.level == 1 else ""


def _support_from_below(state: State, key: str, arrives: int) -> None:
    """22.163, 22.914: patrolling submarines come to the aid of a friendly force."""
    flotilla = state.operation.flotillas[key]
    factors, flotilla.factors = flotilla.factors, 0
    flotilla.away += factors
    bring_in_submarines(state, key, factors, accompany=True, arrives=arrives)


@rule("22.24B", "22.252A", "22.252B")
def _arrivals(state: State, meeting: Encounter) -> dict[str, int]:
    """22.24B: the round in which each force joins. Those who are stopped on their way join by how far the hex is from
    where they started and by their dice (22.252A). The battle begins as the first of them is there, so late ones of the
    other side gain as many rounds."""
    voyages = {key: state.operation.voyages[key] for key in meeting.voyages}
    rounds = {key: voyage.arrives for key, voyage in voyages.items()}
    theatre = "pacific" if state.setting.pacific else "europe"
    on_the_way = {
        key: arrival_round(voyage.path.index(meeting.at), voyage.reached, theatre)
        for key, voyage in voyages.items()
        if 0 < voyage.level < meeting.level
    }
    first = min(on_the_way.values(), default=1)
    return {key: max(1, number - first + 1) for key, number in (rounds | on_the_way).items()}


@rule("22.914", "22.915")
def _submarines_here(state: State, meeting: Encounter) -> list[Voyage]:
    """22.914: submarines that intercepted somebody in the hex where there is naval combat attack in it."""
    return [
        voyage
        for target in meeting.voyages
        for _, voyage in state.operation.opposing(target)
        if voyage.flotilla and voyage.arrives and voyage.meet == meeting.at
    ]


class Fate(NamedTuple):
    """What a battle means for one force."""

    where: str
    """On with its activity, or the base that it returns to."""
    took_part: bool
    standing: Standing


@encounter.segment("22.81", "Survivors go on or return")
@rule("22.81A.1", "22.81A.2", "22.81B", "22.81C", "22.81D", "22.161B", "22.252D", "22.252E", "SOP-PA-B.1.a.1")
@rule("23.46", "23.46A", "23.46C")
def disperse(state: State) -> Script[Next]:
    """22.81: who goes on does so; who does not returns to the base that was chosen for it. Late comers to a battle that
    is over return as well (22.26C); those who countered take over the activity that they protected (22.81C). Who lies
    in a base that carriers have attacked in the battle may leave it (23.46A), and one within range of a patrol that was
    in it in its patrol hex (23.46C)."""
    operation = state.operation
    meeting = under_way(state)
    groups = [*state.battle.groups.values(), *state.battle.departed.values()]
    fates = {id(group): Fate(group.bound, bool(group.number), standing(state, group)) for group in groups}
    attacked = ",".join(sorted([base for base, site in state.sites.items() if site.counteraired]))
    dealt = clear_scene(state)
    was_in = {key: group for key, _ in operation.everybody() if (group := dealt.get(key)) is not None}
    forces = {key: fates[id(group)] for key, group in was_in.items()}
    for key, fate in forces.items():
        _count(state, meeting, operation.fleet[key], fate)
    for key, fate in sorted(forces.items(), key=lambda entry: entry[1].where != GO_ON):
        _send(state, meeting, key, fate)
    for key in sorted([key for key, group in dealt.items() if group is None]):
        _leave_for_want_of_escort(state, meeting, key)
    for key in meeting.voyages:
        if not operation.sailing(operation.voyages[key]):
            finish(state, key)
    operation.encounter = None
    if operation.fights and operation.fights[-1].sunk:
        yield from points_told(state)
    patrol = meeting.target if in_patrol_hex(state, meeting.target) else ""
    return Call(escape, (attacked, patrol)) if attacked or patrol else END


@rule("22.26", "22.26C", "22.26D", "22.27", "22.281", "22.81A.2", "22.81B")
def _count(state: State, meeting: Encounter, force: NavalForce, fate: Fate) -> None:
    """22.26: who is inverted at base: those who return from the battle; who goes on to intercept after he has fought on
    his way, or to the aid of such a force (22.26D); and who was on his way home, or helped one who was (22.27). Who
    goes on with an activity has it still before him."""
    target = state.operation.voyages[meeting.target]
    bound_home = force.side == target.side and (target.activity is Activity.RETURN or target.level > 0)
    if fate.standing.inverted and (fate.where != GO_ON or bound_home):
        force.spared = _take_from(fate.standing.spared, force.group.ships) if not force.inverted else {}
        force.inverted = True


def _take_from(fleet: Fleet, ships: Fleet) -> Fleet:
    """Those ships that are in a fleet, which loses them."""
    taken = {which: some for which, number in ships.items() if (some := min(number, fleet.get(which, 0)))}
    for which, number in taken.items():
        take(fleet, which, number)
    return taken


@rule("22.163E", "22.282", "22.63B", "22.81B", "22.81C", "SOP-PA-B.1.a.2", "SOP-PA-E.2.c", "SOP-PA-E.2.b")
def _send(state: State, meeting: Encounter, key: str, fate: Fate) -> None:
    """One force after the battle. A patrol that came too late to help is in its patrol hex again, and does not try once
    more in this stage (22.163E)."""
    operation = state.operation
    force, target = operation.fleet[key], operation.voyages[meeting.target]
    voyage = operation.voyages.get(force.voyage)
    if force.patrol and not fate.took_part:
        force.tried, force.group.activity = state.now, Activity.PATROL.value
    elif fate.where != GO_ON:
        if voyage is not None and voyage.level == 0:
            bar_transports(state, voyage, [force])
        force.at = meeting.at
        _with_its_cargo(state, key, fate.where)
        send_home(state, key, fate.where)
    elif force.side != target.side:
        if meeting.level == 1:
            _stay_on_patrol(state, key, meeting)
    elif voyage is None or voyage.level > target.level:
        _follow(state, meeting, key, _protected(state, meeting, voyage))


@rule("22.63B")
def _with_its_cargo(state: State, key: str, where: str) -> None:
    """22.63B: ships with cargo return to their base of origin, and the cargo with them, wherever the others go."""
    operation = state.operation
    force = operation.fleet[key]
    laden = {which: number for which, number in force.group.ships.items() if which.laden}
    if where in (ORIGIN, "", force.base) or not laden or len(laden) == len(force.group.ships):
        return
    group = force.group
    part = Group(group.side, f"{group.name}, laden", {}, False, activity=group.activity, place=group.place)
    part.cargo, part.loads, part.divisible, part.carried = group.cargo, group.loads, group.divisible, group.carried
    group.cargo, group.loads, group.divisible, group.carried = "", {}, (), 0
    for which, number in laden.items():
        take(group.ships, which, number)
        add(part.ships, which, number)
    name = new_key(state, key)
    operation.fleet[name] = part_of(state, force, part)
    operation.fleet[name].inverted = force.inverted
    force.with_cargo = False
    if force.voyage:
        operation.voyages[force.voyage].forces.append(name)
    send_home(state, name, ORIGIN)


@rule("SOP-PA-B.1.a.2", "SOP-PA-E", "22.81B")
def _stay_on_patrol(state: State, key: str, meeting: Encounter) -> None:
    """21.416F, 21.4191: who has beaten a patrol may stay in the hex as a defensive patrol."""
    force = state.operation.fleet[key]
    leave_voyage(state, key)
    force.patrol, force.at, force.group.activity = "defensive", meeting.at, Activity.PATROL.value


def _protected(state: State, meeting: Encounter, voyage: Voyage | None) -> str:
    """The voyage that a force has protected: that which was intercepted by those whom it countered."""
    countered = state.operation.voyages.get(voyage.target) if voyage else None
    host = countered.target if countered else ""
    return host if host in meeting.voyages else meeting.target


@rule("22.81C", "22.163D", "22.27", "22.63")
def _follow(state: State, meeting: Encounter, key: str, host: str) -> None:
    """22.81C: who has protected others takes over their activity, if he is permitted to. Otherwise he returns to his
    own base, inverted since he has fought: so too if they were on their way home."""
    operation = state.operation
    force, voyage = operation.fleet[key], operation.voyages[host]
    if voyage.activity is not Activity.RETURN and may_act_with(state, force, voyage):
        _adopt(state, key, host)
        return
    force.inverted, force.at = True, meeting.at
    send_home(state, key, ORIGIN)


@rule("22.421A.4.2", "22.27", "22.281")
def _leave_for_want_of_escort(state: State, meeting: Encounter, key: str) -> None:
    """22.421A: carriers that could not join in the battle return to port. They have not fought, so those that came to
    intercept are not inverted (22.27); of others the activity is aborted (22.281)."""
    operation = state.operation
    force = operation.fleet[key]
    voyage = operation.voyages.get(force.voyage)
    force.inverted |= voyage is None or not voyage.level
    force.at = meeting.at
    send_home(state, key, ORIGIN)


@rule("22.81C", "22.81D", "22.163D", "SOP-PA-E.2.a")
def _adopt(state: State, key: str, host: str) -> None:
    """22.81C: a force that protected another takes over its activity; 22.81D: or its interception."""
    operation = state.operation
    force, voyage = operation.fleet[key], operation.voyages[host]
    leave_voyage(state, key)
    force.voyage, force.at, force.group.activity = host, voyage.at, voyage.activity.value if not voyage.level else ""
    voyage.forces.append(key)
