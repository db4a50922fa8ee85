"""Whether air units may fly a mission now, and if not which rule is in the way: for people who ask.

The answers come from the table and the functions that the missions themselves ask (`abilities`, `available` and
others), on a copy of the state in which squadrons are put together as they are before any mission (23.141A).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from flagplot.awaw.air_units import ARMY_ROLES, Arm, Force, Unit
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.bases.attacks import open_ports
from flagplot.awaw.operations.bases.targets import (
    NO_BASE_IN_RANGE,
    NOT_FROM_HERE,
    Permission,
    carrier_targets,
    enemy_bases,
    land_air,
    launchable,
    open_to_land_air,
    permission,
)
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.reach import may_fly
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Down, FlightKind, Phase
from flagplot.awaw.turn.ground.carriers_at_sea import OUT_OF_RANGE, forces_in_reach, kept_away
from flagplot.awaw.turn.ground.defensive_support import able_to_defend, hexes_to_support
from flagplot.awaw.turn.ground.support import targets as ground_targets
from flagplot.awaw.turn.missions.abilities import (
    DEFENSIVE,
    NAVAL_INTERACTION,
    OFFENSIVE,
    SQUADRON_TASKS,
    Task,
    allowed_by,
    in_phase,
    may_perform,
    phases_of,
)
from flagplot.awaw.turn.missions.bombing import NO_TARGET, bombable, bomber_bases, target_hex
from flagplot.awaw.turn.missions.inversion import (
    COMMITTED,
    NO_FACTOR,
    USED_AT_SEA,
    available,
    cannot_start,
    free_to_fly,
    grounded,
    reasons,
)
from flagplot.awaw.turn.missions.strategic import reaches
from flagplot.awaw.turn.transport.air_supply import NOBODY_IN_WANT, in_want
from flagplot.awaw.turn.transport.airdrops import NOBODY_TO_DROP, airdrop_targets, drops
from flagplot.awaw.turn.transport.airlift import NOBODY_TO_CARRY, passages
from flagplot.awaw.turn.transport.hump import NOT_OVER_THE_HUMP, over_the_hump
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.rules import rule

AT_SEA = NAVAL_INTERACTION | {Task.SPOT}
"""What is done for ships, in squadrons."""


class Subject(NamedTuple):
    """The units that are asked about: of one nation and arm, in one place."""

    name: str
    """``malta:britain:army``."""
    side: str
    nation: str
    arm: Arm
    units: Force
    """As they stand there, inverted ones too."""
    base: str = ""
    force: str = ""
    """The naval force that they are aboard of."""
    out: int = 0
    """How many of them are out flying."""
    mine: bool = True
    """Whether who asks owns them; of the enemy's he knows what lies open."""

    @property
    def reach(self) -> int:
        return max([which.reach for which in self.units], default=0)


class Verdict(NamedTuple):
    """Whether something may be done, why not, and by which rule."""

    task: str
    open: bool
    text: str
    rule: str
    number: int = 0
    """How many of the units may."""
    targets: tuple[str, ...] = ()
    """Where, as far as that can be told already."""


@rule("18.41", "18.41.1", "18.41.2", "18.45", "18.51", "18.511", "18.512", "18.513")
def judge(state: State, subject: Subject, task: Task) -> Verdict:
    """18.41: what keeps units from a mission: their arm, the player turn, what they have done, the phase, their base,
    and what there is in range."""
    for check in (_by_arm, _by_turn, _by_status, _by_phase, _by_base):
        refusal = check(state, subject, task)
        if refusal is not None:
            return Verdict(task.value, False, refusal.text, refusal.rule)
    if not subject.mine:
        return Verdict(task.value, True, "from what both sides know", _allowed(state, subject, task))
    if subject.force:
        return _from_carriers(state, subject, task)
    if not subject.base:
        return _from_front(state, subject, task)
    if task not in AT_SEA:
        return _over_land(state, subject, task)
    number = sum([number for which, number in subject.units.items() if not which.inverted])
    text = f"for ships {range_words(state, subject, task)}"
    return Verdict(task.value, True, text, _allowed(state, subject, task), number)


def _allowed(state: State, subject: Subject, task: Task) -> str:
    """The rule that lets it be done in this phase."""
    return phases_of(task, carrier=bool(subject.force)).get(Phase(state.turn.step), allowed_by(subject.arm, task))


# --- what they are, and when ------------------------------------------------------------------------------------


def _by_arm(state: State, subject: Subject, task: Task) -> Refusal | None:
    refusal = may_perform(subject.arm, task, carrier=bool(subject.force))
    if refusal is not None or subject.arm is not Arm.ARMY or task not in AT_SEA:
        return refusal
    roles = {which.role for which in subject.units if not which.inverted}
    if roles and roles <= set(ARMY_ROLES) and not any([task in SQUADRON_TASKS[role] for role in roles]):
        return may_perform(subject.arm, task, role=min(roles, key=ARMY_ROLES.index))
    return None


@rule("18.41", "18.41.2")
def _by_turn(state: State, subject: Subject, task: Task) -> Refusal | None:
    """18.41: offensive missions are flown in one's own player turn, defensive ones in that of the enemy."""
    if task in OFFENSIVE and subject.side != state.moving:
        return Refusal("an offensive mission: only in its own player turn", "18.41")
    if task in DEFENSIVE and subject.side == state.moving:
        return Refusal("a defensive mission: only in the enemy's player turn", "18.41")
    return None


def _by_phase(state: State, subject: Subject, task: Task) -> Refusal | None:
    turn = state.turn
    refusal = in_phase(task, turn.step, carrier=bool(subject.force))
    if refusal is None:
        return None
    order = [Phase.MOVEMENT, Phase.COMBAT, Phase.EXPLOITATION, Phase.CONSTRUCTION, Phase.REDEPLOYMENT, Phase.END]
    now = order.index(Phase(turn.step)) if turn.step and turn.step != Phase.END else -1
    later = [phase for phase in phases_of(task) if order.index(phase) > now and phase in turn.plan.phases]
    when = "still to come" if later else "already past this player turn"
    return refusal._replace(words=f"{refusal.text}, {when}")


# --- what they have done ----------------------------------------------------------------------------------------


def _by_status(state: State, subject: Subject, task: Task) -> Refusal | None:
    ready = [which for which in subject.units if not which.inverted]
    if not ready:
        return why_inverted(state, subject)
    if not subject.mine or not subject.base or task is Task.SPOT:
        return None
    found = [grounded(state, which) for which in ready]
    if task in AT_SEA:
        return COMMITTED if found.count(COMMITTED) == len(found) else None
    order = (None, USED_AT_SEA, NO_FACTOR, COMMITTED)
    return min(found, key=order.index)


@rule("18.42A", "18.43", "18.72")
def why_inverted(state: State, subject: Subject) -> Refusal:
    """18.42: why none of the units can fly: they are inverted, or out."""
    if subject.force:
        return Refusal("its carriers are inverted", "17.3122D.1")
    down = inverted(state, subject)
    if down:
        return Refusal(f"inverted: {down[0].why}", down[0].rule)
    if subject.units:
        return Refusal("inverted", "18.42A")
    return Refusal("all of it is out flying", "18.41")


def inverted(state: State, subject: Subject) -> list[Down]:
    """Why each of the units is inverted, and until when."""
    return [entry for entry in reasons(state) if entry.which in subject.units]


# --- where they are ---------------------------------------------------------------------------------------------


@rule("18.49", "18.51", "18.51.1", "18.51.2", "17.3126E")
def _by_base(state: State, subject: Subject, task: Task) -> Refusal | None:
    """18.51: which bases missions are flown from; carriers in port only defend it (17.3126)."""
    if subject.force:
        in_port = state.operation.fleet[subject.force].in_port
        return Refusal("its carriers are in port, where it only defends them", "17.3126E") if in_port else None
    if not subject.base:
        return None
    return cannot_start(state, next(iter(subject.units)), task, state.place(subject.base))


def range_words(state: State, subject: Subject, task: Task) -> str:
    """How far units fly: their range, or their own hex alone (18.45)."""
    if subject.base and task not in OFFENSIVE and not may_fly(state.place(subject.base), 1):
        return "only over its own hex"
    return f"within {subject.reach} hexes"


# --- what there is in range -------------------------------------------------------------------------------------


def _over_land(state: State, subject: Subject, task: Task) -> Verdict:
    """What land-based units can do over land, and where."""
    ready = [which for which in subject.units if free_to_fly(state, which)]
    number = sum([free_to_fly(state, which) for which in ready])
    rule_of = _allowed(state, subject, task)
    if task in _ASKED:
        find, refusal = _ASKED[task]
        found = [_called(state, task, aim) for which in ready for aim in find(state, which)]
        if not found:
            return Verdict(task.value, False, refusal.text, refusal.rule)
        return Verdict(task.value, True, "", rule_of, number, tuple(dict.fromkeys(found)))
    hexes = _aims(state, subject.side, task)
    if hexes is None:
        text = f"when needed, {range_words(state, subject, task)}"
        return Verdict(task.value, True, text, rule_of, number)
    able = {at: some for at in hexes if (some := _number_over(state, subject, task, at))}
    if not able:
        nothing = "no target" if task in OFFENSIVE else "nothing needs it"
        nothing += " in range" if hexes else " now"
        return Verdict(task.value, False, f"{nothing} ({range_words(state, subject, task)})", "18.45")
    return Verdict(task.value, True, "", rule_of, max(able.values()), tuple([where(state, at) for at in able]))


def _number_over(state: State, subject: Subject, task: Task, at: Hex) -> int:
    """How many of the units may fly a mission over a hex, as the missions themselves see it."""
    if task in (Task.FLY_DAS, Task.ESCORT_DAS):
        able = able_to_defend(state, at, task)
    elif task in BASE_ATTACKS:
        bases = [base for base in enemy_bases(state, subject.side) if state.place(base).at == at]
        able = {which: number for base in bases for which, number in land_air(state, base).items()}
    else:
        able = available(state, subject.side, task, at)
    return sum([number for which, number in able.items() if which in subject.units])


BASE_ATTACKS = frozenset({Task.COUNTERAIR, Task.ATTACK_IN_PORT, Task.ESCORT_PORT_ATTACK})


def _aims(state: State, side: str, task: Task) -> list[Hex] | None:
    """The hexes over which a mission could be flown now; None if that hangs on what the enemy does next."""
    turn = state.turn
    match task:
        case Task.COUNTERAIR:
            return [state.place(base).at for base in open_to_land_air(state)]
        case Task.ATTACK_IN_PORT | Task.ESCORT_PORT_ATTACK:
            return [state.place(base).at for base in open_ports(state)]
        case Task.GROUND_SUPPORT:
            announced = [at for attack in turn.attacks if not attack.done for at in attack.hexes]
            return [*dict.fromkeys([*announced, *ground_targets(state), *airdrop_targets(state)])]
        case Task.FLY_DAS | Task.ESCORT_DAS:
            deferred = [at for attack in turn.attacks if not attack.done for at in attack.hexes]  # 18.619
            return [*dict.fromkeys([*hexes_to_support(state), *deferred])]
        case Task.ESCORT_BOMBING:
            return [target_hex(state, target) for target in _economic_targets(state, side)]
        case Task.INTERCEPT_DAS:
            over = [
                flight.at
                for flight in state.turn.flights
                if flight.kind is FlightKind.DEFENSIVE_SUPPORT and flight.side != side
            ]
            return [*dict.fromkeys(over)] or None
        case Task.INTERCEPT_TRANSPORT:
            return [*turn.airlift.path] if turn.airlift else None
        case Task.COUNTER_INTERCEPT:
            return [turn.airlift.intercepted] if turn.airlift and turn.airlift.intercepted else None
        case _:
            return None


def where(state: State, at: Hex) -> str:
    """A hex by the name of the base in it, if there is one."""
    bases = [place.name for place in state.scene.places.values() if place.at == at and not place.afloat]
    return bases[0] if bases else hex_name(state, at)


def _called(state: State, task: Task, aim: Hex | str) -> str:
    """A hex, a base, or what is bombed, for people."""
    if not isinstance(aim, str):
        return where(state, aim)
    return state.turn.plan.targets[aim] if task is Task.BOMB else state.place(aim).name


# --- bombing ----------------------------------------------------------------------------------------------------


def _economic_targets(state: State, side: str) -> list[str]:
    """The economic targets that a side does not hold."""
    places = state.scene.places
    return [target for target in state.turn.plan.targets if target not in places or places[target].side != side]


def _bombed(state: State, which: Unit) -> list[str]:
    return [target for target, bases in bombable(state, which.nation).items() if which.home in bases]


@rule("17.72", "17.82", "17.83")
def _from_front(state: State, subject: Subject, task: Task) -> Verdict:
    """17.72: what strategic bombers and interceptors can do from the bases of their front."""
    ready = {which: number for which, number in subject.units.items() if not which.inverted}
    rule_of, number = _allowed(state, subject, task), sum(ready.values())
    if task is Task.OPPOSE_BOMBING:
        return Verdict(task.value, True, "when bombers cross its front", rule_of, number)
    if task is Task.BOMB:
        aims = [(which, target) for which in ready for target in bombable(state, which.nation)]
        found = [target for which, target in aims if bomber_bases(state, which, target_hex(state, target))]
    else:
        aims = [(which, target) for target in _economic_targets(state, subject.side) for which in ready]
        found = [target for which, target in aims if reaches(state, subject.side, which, target_hex(state, target))]
    targets = [state.turn.plan.targets[target] for target in found]
    if not targets:
        return Verdict(task.value, False, "no target within range of an operational base on its front", "17.72")
    return Verdict(task.value, True, "", rule_of, number, tuple(dict.fromkeys(targets)))


_ASKED: dict[Task, tuple[Callable[[State, Unit], Iterable[Hex | str]], Refusal]] = {
    Task.BOMB: (_bombed, NO_TARGET),
    Task.AIR_SUPPLY: (in_want, NOBODY_IN_WANT),
    Task.AIR_TRANSPORT: (passages, NOBODY_TO_CARRY),
    Task.AIRDROP: (drops, NOBODY_TO_DROP),
    Task.HUMP: (over_the_hump, NOT_OVER_THE_HUMP),
}
"""What says where units can fly, and what is told if they can fly nowhere."""


# --- carriers at sea --------------------------------------------------------------------------------------------


@rule("17.3124.5", "18.511C", "18.5522", "18.562")
def _from_carriers(state: State, subject: Subject, task: Task) -> Verdict:
    """What squadrons of carriers at sea can do: against bases as their voyage or patrol lets them, over land from where
    they are on station."""
    operation = state.operation
    force = operation.fleet[subject.force]
    number = sum(launchable(force).values())
    rule_of = _allowed(state, subject, task)
    if not number:
        return Verdict(task.value, False, "damaged carriers cannot launch", "17.3124.5")
    key = force.voyage or subject.force
    if task in (Task.COUNTERAIR, Task.ATTACK_IN_PORT):
        allowed = permission(state, key)
        if allowed is Permission.NOTHING or (task is Task.ATTACK_IN_PORT and allowed is not Permission.ALL):
            return Verdict(task.value, False, NOT_FROM_HERE.text, NOT_FROM_HERE.rule)
        bases = [state.place(base).name for base in carrier_targets(state, key)]
        if not bases:
            return Verdict(task.value, False, NO_BASE_IN_RANGE.text, NO_BASE_IN_RANGE.rule)
        return Verdict(task.value, True, "", rule_of, number, tuple(bases))
    if task in (Task.GROUND_SUPPORT, Task.INTERCEPT_DAS):
        hexes = _aims(state, subject.side, task) or []
        near = [at for at in hexes if subject.force in forces_in_reach(state, task, [at])]
        if not near:
            refusals = [kept_away(state, task, subject.force, [at]) for at in hexes]
            refusal = next((one for one in refusals if one and one is not OUT_OF_RANGE), OUT_OF_RANGE)
            return Verdict(task.value, False, refusal.text, refusal.rule)
        return Verdict(task.value, True, "", rule_of, number, tuple([where(state, at) for at in near]))
    return Verdict(task.value, True, "for ships of its own force and enemies in range", rule_of, number)
