"""“What may it do, and why not?”: for any air unit at any moment the missions that are open to it, and for each one
that is closed the rule that closes it.

A unit is named by its base, ``malta``, or more narrowly ``malta:britain:army``; squadrons aboard by their naval force,
strategic bombers and interceptors by their front, and kamikazes by that word. Who asks is told all of his own units,
and of the enemy's what lies open on the map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from flagplot.awaw.air_units import NAVAL_ARMS, Force, described
from flagplot.awaw.counting import combined
from flagplot.awaw.kamikaze_force import no_kamikazes
from flagplot.awaw.operations.bases.kamikazes_in_port import NO_PORT, ports_in_reach
from flagplot.awaw.procedures import player_turn
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Phase, Until
from flagplot.awaw.turn.basing.base_changes import BaseChange
from flagplot.awaw.turn.basing.redeploying import REDEPLOYMENT
from flagplot.awaw.turn.basing.rooms import away, from_base
from flagplot.awaw.turn.basing.staging import STAGING
from flagplot.awaw.turn.end.uninverting import DURING, held_down
from flagplot.awaw.turn.marks import BUILT, REDEPLOYED, SHIPPED, STAGED, marked
from flagplot.awaw.turn.missions.abilities import WORDS, Task, phases_in_words
from flagplot.awaw.turn.missions.inversion import form_up, reconcile
from flagplot.awaw.turn.missions.verdicts import Subject, Verdict, inverted, judge
from flagplot.awaw.turn.transport.transfers import NO_CARRIER, NOBODY_BOARDS, able_to_board, carriers_with_room
from flagplot.awaw.turn.turn import after_base_changes, after_redeploying, board_launched, redeploy, stage_air
from flagplot.kernel.errors import UnknownName
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.procedures import AnySegment
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.rules import rule

KAMIKAZES = "kamikazes"
MOVES = {"stage": "stage", "redeploy": "redeploy", "board": "go aboard a carrier", "uninvert": "turn face up"}
"""What units do beside missions, in words."""

_UNTIL = {
    Until.NOW: "may be turned face up in its owner's player turn",
    Until.TURN_END: "until the player turn ends",
    Until.NEXT_TURN: "until its owner's next player turn",
}
_MARKS = {
    STAGED: "staged this movement phase",
    SHIPPED: "carried by sea this player turn",
    BUILT: "built this player turn",
    REDEPLOYED: "redeployed this player turn",
}


def explain(state: State, side: str, name: str) -> dict[str, Any]:
    """All that can be said of the units of that name to a side, as plain data."""
    told = {"asked": name, "side": side, "moving": state.moving, "phase": state.turn.step}
    name = key_of(state, side, name)
    if name == KAMIKAZES and any(["japan" in nations for nations in state.setting.nations.values()]):
        return told | {"units": [_of_kamikazes(state, side)]}
    subjects, ready = _found(state, side, name), formed_up(state)
    return told | {"units": [_told(state, ready, subject) for subject in subjects]}


def key_of(state: State, side: str, name: str) -> str:
    """The name with the stable name of its base or force, where somebody has typed what people call it."""
    first, colon, rest = name.strip().partition(":")
    wanted = first.strip().casefold()
    known = {place.name.casefold(): key for key, place in state.scene.places.items() if not place.afloat}
    known |= {force.marker.casefold(): key for key, force in state.operation.fleet_of(side).items()}
    known |= {key.casefold(): key for key in (*state.scene.places, *state.turn.bombers, KAMIKAZES)}
    return f"{known.get(wanted, first)}{colon}{rest}"


def owner_of(state: State, name: str) -> str:
    """The side that the units of a name belong to: its base's, its force's, its nation's."""
    turn = state.turn
    operation = state.operation
    base = key_of(state, state.moving, name).partition(":")[0]
    if base in state.sites and base in state.scene.places:
        return state.place(base).side
    if base in operation.fleet:
        return operation.fleet[base].side
    if base == KAMIKAZES:
        return next((side for side, nations in state.setting.nations.items() if "japan" in nations), state.moving)
    for force in (turn.bombers[base],) if base in turn.bombers else ():
        nations = {which.nation for which in force}
        return next((side for side, mine in state.setting.nations.items() if nations & set(mine)), state.moving)
    raise _unknown(state, state.moving, name)


# --- who is meant -----------------------------------------------------------------------------------------------


def _found(state: State, side: str, name: str) -> list[Subject]:
    """The units of a name, by nation and arm; a name that is nobody's is refused."""
    base, *rest = name.split(":")
    country, arm = [*rest, "", ""][:2]
    found = [one for one in _in_place(state, side, base) if country in ("", one.nation) and arm in ("", one.arm.value)]
    if len(rest) > 2 or not _is_place(state, side, base) or (rest and not found):
        raise _unknown(state, side, name)
    return found


def _is_place(state: State, side: str, base: str) -> bool:
    operation = state.operation
    place = state.scene.places.get(base)
    mine = base in operation.fleet and operation.fleet[base].side == side and bool(operation.fleet[base].group.ships)
    return (place is not None and not place.afloat) or mine or base in state.turn.bombers


def _in_place(state: State, side: str, base: str) -> Iterator[Subject]:
    turn = state.turn
    operation = state.operation
    place = state.scene.places.get(base)
    if place is not None and not place.afloat:
        out = out_of(state, base) if place.side == side else {}
        yield from _by_kind(base, place.side, state.sites[base].air, base=base, out=out, mine=place.side == side)
    elif base in operation.fleet and operation.fleet[base].side == side:
        force = operation.fleet[base]
        aboard = {which.turned(inverted=force.inverted): number for which, number in force.group.air.items()}
        yield from _by_kind(base, side, aboard, force=base)
    elif base in turn.bombers:
        for one, nations in state.setting.nations.items():
            air = {which: number for which, number in turn.bombers[base].items() if which.nation in nations}
            yield from _by_kind(base, one, air, mine=one == side)


def out_of(state: State, base: str) -> Force:
    """The air of a base that is out over a hex, on an air transport mission, or against an enemy base."""
    strike = state.operation.base_strike
    forces = [strike.mission.attackers, strike.strike.attackers] if strike else []
    return combined([away(state, base), *[from_base(force, base) for force in forces]])


def _by_kind(
    name: str, side: str, air: Force, *, base: str = "", force: str = "", out: Force | None = None, mine: bool = True
) -> Iterator[Subject]:
    gone = out or {}
    kinds = dict.fromkeys([(which.nation, which.arm) for which in (*air, *gone)])
    for country, arm in sorted(kinds):
        units = {which: number for which, number in air.items() if (which.nation, which.arm) == (country, arm)}
        away_now = sum([number for which, number in gone.items() if (which.nation, which.arm) == (country, arm)])
        yield Subject(f"{name}:{country}:{arm.value}", side, country, arm, units, base, force, away_now, mine)


def _unknown(state: State, side: str, name: str) -> UnknownName:
    """Whatever is not there, or is the enemy's and hidden, is refused in the same words."""
    held = state.scene.held.get(side, ())  # a neutral holds nothing
    bases = [base for base in held if not state.place(base).afloat and state.sites[base].air]
    forces = [key for key, force in state.operation.fleet_of(side).items() if force.group.air]
    allowed = [*bases, *forces, *sorted(state.turn.bombers)]
    return UnknownName("no air units of that name", given=name, allowed=allowed)


# --- what is told -----------------------------------------------------------------------------------------------


def verdicts_on(state: State, side: str, task: str) -> dict[str, Verdict]:
    """Whether the air units of each base of a side may do one thing now, a mission or a move, by base, nation and arm:
    ``malta:britain:army``."""
    ready = formed_up(state)
    bases = [base for base in state.scene.held.get(side, ()) if not state.place(base).afloat and state.sites[base].air]
    found = {}
    for subject in [one for base in bases for one in _in_place(state, side, base)]:
        now = _as_it_flies(ready, subject)
        verdict = _on(ready, now, task) if now.units else Verdict(task, False, "all of it is out flying", "18.41")
        if verdict is not None:
            found[subject.name] = verdict
    return found


def _on(ready: State, subject: Subject, task: str) -> Verdict | None:
    if task in MOVES:
        return next((move for move in _moves(ready, subject) if move.task == task), None)
    return judge(ready, subject, Task(task))


def formed_up(state: State) -> State:
    """A copy in which squadrons are put together as they are before any mission (23.141A)."""
    ready = copy_of(state)
    for one in ready.turn.plan.sides:
        form_up(ready, one)
    reconcile(ready)
    return ready


def _as_it_flies(ready: State, subject: Subject) -> Subject:
    return subject._replace(units=_formed(ready, subject)) if subject.base and subject.mine else subject


def _told(state: State, ready: State, subject: Subject) -> dict[str, Any]:
    now = _as_it_flies(ready, subject)
    verdicts = [judge(ready, now, task) for task in Task]
    moves = [*_moves(ready, now)] if subject.base and subject.mine else []
    return {
        "unit": subject.name,
        "name": described(subject.units.items()),
        "out": subject.out,
        "side": subject.side,
        "yours": subject.mine,
        "inverted": [
            {"number": entry.number, "why": entry.why, "rule": entry.rule, "until": _UNTIL[entry.until]}
            for entry in inverted(state, subject)
        ],
        "marks": _marks(state, subject) if subject.mine else [],
        "tasks": [_as_data(verdict, WORDS[Task(verdict.task)]) for verdict in verdicts],
        "moves": [_as_data(verdict, MOVES[verdict.task]) for verdict in moves],
    }


FLIGHTS = {
    Task.ATTACK_AT_SEA: "ships found within four hexes of Japan, in the first round of naval combat or on their way",
    Task.ATTACK_IN_PORT: "ships in port within four hexes of Japan",
}
"""What kamikazes attack (17.462, 17.463)."""


@rule("17.463", "17.461")
def _of_kamikazes(state: State, side: str) -> dict[str, Any]:
    """17.461: kamikazes stand where everybody sees them, and attack ships alone (17.463)."""
    owner = owner_of(state, KAMIKAZES)
    tasks = []
    for task in Task:
        refusal: Refusal | None = Refusal("kamikazes only attack ships", "17.463")
        if task is Task.ATTACK_AT_SEA:
            refusal = no_kamikazes(state)
        elif task is Task.ATTACK_IN_PORT:
            refusal = no_kamikazes(state) or _no_ports(state, owner)
        text = refusal.text if refusal else FLIGHTS[task]
        number = 0 if refusal else state.kamikazes
        verdict = Verdict(task.value, refusal is None, text, refusal.rule if refusal else "17.462", number)
        tasks.append(_as_data(verdict, WORDS[task]))
    pool = state.turn.pool
    return {
        "unit": KAMIKAZES,
        "name": f"{state.kamikazes} kamikazes; {pool.unbuilt} unbuilt in a force pool of {pool.limit}",
        "out": 0,
        "side": owner,
        "yours": owner == side,
        "inverted": [],
        "marks": [],
        "tasks": tasks,
        "moves": [],
    }


def _no_ports(state: State, owner: str) -> Refusal | None:
    if state.moving != owner or state.turn.step != Phase.COMBAT:
        return Refusal("ships in port are attacked only in the combat phase of its own player turn", "23.51")
    return None if ports_in_reach(state, owner) else NO_PORT


def _formed(ready: State, subject: Subject) -> Force:
    """The same units with squadrons put together, as they are before a mission (23.141A)."""
    air = ready.sites[subject.base].air
    return {which: n for which, n in air.items() if (which.nation, which.arm) == (subject.nation, subject.arm)}


def _as_data(verdict: Verdict, name: str) -> dict[str, Any]:
    return {
        "task": verdict.task,
        "name": name,
        "open": verdict.open,
        "number": verdict.number,
        "text": verdict.text,
        "targets": list(verdict.targets),
        "rule": verdict.rule,
    }


def _marks(state: State, subject: Subject) -> list[str]:
    """What befell some of the units in this player turn."""
    told = []
    for mark, words in _MARKS.items():
        number = sum([marked(state, mark, which) for which in subject.units])
        if number:
            told.append(f"{number} {words}")
    site = state.sites.get(subject.base)
    if site is not None:
        used = sum([site.used.get(which, 0) for which in subject.units])
        told += [f"{used} used at sea this player turn"] * bool(used)
    return told


# --- staging, redeployment, carriers, uninversion ---------------------------------------------------------------


@rule("18.21", "18.71", "17.3122")
def _moves(state: State, subject: Subject) -> Iterator[Verdict]:
    """What units do beside missions: only in their owner's player turn, and each in its phase."""
    if not subject.units:
        return
    yield _verdict("stage", _change_base(state, subject, STAGING, {Phase.MOVEMENT: stage_air}), "18.21")
    yield _verdict("redeploy", _change_base(state, subject, REDEPLOYMENT, {Phase.REDEPLOYMENT: redeploy}), "18.72D")
    if subject.arm in NAVAL_ARMS:
        yield _verdict("board", _board(state, subject), "17.3122")
    if any([which.inverted for which in subject.units]):
        yield _verdict("uninvert", _uninvert(state, subject), "18.71")


def _verdict(move: str, found: Refusal | tuple[int, list[str]], allowed: str) -> Verdict:
    if isinstance(found, Refusal):
        return Verdict(move, False, found.text, found.rule)
    return Verdict(move, True, "", allowed, found[0], tuple(found[1]))


def _not_now(state: State, subject: Subject, segments: Mapping[Phase, AnySegment], number: str) -> Refusal | None:
    """Why it is not the time for a move: each phase that knows it has a last occasion for it, a segment of the turn."""
    if subject.side != state.moving:
        return Refusal("only in its own player turn", number)
    turn = state.turn
    if turn.step not in segments:
        return Refusal(f"only in the {phases_in_words(segments)}", number)
    if _is_past(state, segments[Phase(turn.step)]):
        return Refusal(f"too late in this {turn.step} phase", number)
    return None


def _is_past(state: State, segment: AnySegment) -> bool:
    """Whether the player turn has gone on from a segment. Its frame names the one that comes next."""
    frames = player_turn.under_way(state.frames)
    return bool(frames) and player_turn.segments[frames[0].segment].place > segment.place + 1


def _change_base(
    state: State, subject: Subject, change: BaseChange, last: Mapping[Phase, AnySegment]
) -> Refusal | tuple[int, list[str]]:
    late = _not_now(state, subject, last, change.rule)
    if late:
        return late
    refusals = [refusal for which in subject.units if (refusal := change.refusal(state, which))]
    if len(refusals) == len(subject.units):
        return refusals[-1]
    able = [which for which in subject.units if change.able(state, which)]
    bases = [base for which in able for base in change.bases(state, which)]
    if not bases:
        return change.nowhere
    names = [state.place(base).name for base in dict.fromkeys(bases)]
    return sum([change.able(state, which) for which in able]), names


_BOARDING = {
    Phase.MOVEMENT: after_base_changes,
    Phase.CONSTRUCTION: board_launched,
    Phase.REDEPLOYMENT: after_redeploying,
}
"""When squadrons go aboard carriers for the last time in a phase (17.3122A-C)."""


def _board(state: State, subject: Subject) -> Refusal | tuple[int, list[str]]:
    refusal = _not_now(state, subject, _BOARDING, "17.3122")
    if refusal:
        return refusal
    able = {which: n for which, n in able_to_board(state, subject.base).items() if which in subject.units}
    if not able:
        return NOBODY_BOARDS
    here = [state.operation.fleet[key].marker for key in carriers_with_room(state, subject.base, subject.nation)]
    if not here:
        return NO_CARRIER
    return sum(able.values()), here


def _uninvert(state: State, subject: Subject) -> Refusal | tuple[int, list[str]]:
    free, why = 0, Refusal("", "")
    for which, number in subject.units.items():
        if which.inverted:
            held = held_down(state, which, DURING)
            free += number - sum(held.values())
            why = next(iter(held), why)
    return (free, []) if free > 0 else why
