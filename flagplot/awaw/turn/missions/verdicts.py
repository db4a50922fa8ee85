"""Whether air units may fly a mission now, and if not which rule is in the way: for people who ask.

The answers come from the table and the functions that the missions themselves ask (`abilities`, `available` and
others), on a copy of the state in which squadrons are put together as they are before any mission (23.141A).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from flagplot.awaw.air_units import ARMY_ROLES, Arm, Force, Unit
from flagplot.awaw.basing import distance
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.bases.targets import Permission, carrier_targets, enemy_bases, launchable, permission
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.reach import NAVAL_RANGE, may_fly, unfit
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Down, FlightKind, Phase
from flagplot.awaw.turn.ground.carriers_at_sea import forces_in_reach
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
from flagplot.awaw.turn.missions.bombing import origins, target_hex
from flagplot.awaw.turn.missions.inversion import available, free_to_fly, is_mission_base, reasons
from flagplot.awaw.turn.missions.strategic import reaches
from flagplot.awaw.turn.transport.air_supply import in_want
from flagplot.awaw.turn.transport.airdrops import airdrop_targets, drop_zones, jumpers
from flagplot.awaw.turn.transport.airlift import passages
from flagplot.awaw.turn.transport.hump import loads, route_is_open
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
        return Verdict(task.value, True, "as far as everybody can see", _allowed(state, subject, task))
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
        return Refusal("an offensive mission, which it flies in its own player turn", "18.41")
    if task in DEFENSIVE and subject.side == state.moving:
        return Refusal("a defensive mission, which it flies in the enemy's player turn", "18.41")
    return None


def _by_phase(state: State, subject: Subject, task: Task) -> Refusal | None:
    turn = state.turn
    refusal = in_phase(task, turn.step, carrier=bool(subject.force))
    if refusal is None:
        return None
    order = [Phase.MOVEMENT, Phase.COMBAT, Phase.EXPLOITATION, Phase.CONSTRUCTION, Phase.REDEPLOYMENT, Phase.END]
    now = order.index(Phase(turn.step)) if turn.step and turn.step != Phase.END else -1
    later = [phase for phase in phases_of(task) if order.index(phase) > now and phase in turn.plan.phases]
    when = "still to come" if later else "over for this player turn"
    return refusal._replace(words=f"{refusal.text}, {when}")


# --- what they have done ----------------------------------------------------------------------------------------


def _by_status(state: State, subject: Subject, task: Task) -> Refusal | None:
    ready = {which: number for which, number in subject.units.items() if not which.inverted}
    if not ready:
        return why_inverted(state, subject)
    if not subject.mine or not subject.base:
        return None
    site = state.sites[subject.base]
    if task is Task.SPOT:
        return None
    if all([number <= site.committed.get(which, 0) for which, number in ready.items()]):
        return Refusal("committed elsewhere in this player turn", "18.41")
    if task in AT_SEA or any([free_to_fly(state, which) for which in ready]):
        return None
    if any([site.used.get(which, 0) for which in ready]):
        return Refusal("was used at sea in this player turn, and flies no mission in it", "23.162")
    return Refusal("its squadrons make no uninverted factor", "23.144")


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
    place = state.place(subject.base)
    if place.box:
        return Refusal("no missions are flown in a mapboard box, or out of one", "18.49")
    if not is_mission_base(state, next(iter(subject.units)), place):
        return Refusal("missions are flown from cities and airbases", "18.51")
    return unfit(place) if task in OFFENSIVE or not may_fly(place, 0) else None


def range_words(state: State, subject: Subject, task: Task) -> str:
    """How far units fly: their range, or their own hex alone (18.45)."""
    if subject.base and task not in OFFENSIVE and not may_fly(state.place(subject.base), 1):
        return "over its own hex alone"
    return f"within {subject.reach} hexes"


# --- what there is in range -------------------------------------------------------------------------------------


def _over_land(state: State, subject: Subject, task: Task) -> Verdict:
    """What land-based units can do over land, and where."""
    ready = [which for which in subject.units if free_to_fly(state, which)]
    number = sum([free_to_fly(state, which) for which in ready])
    rule_of = _allowed(state, subject, task)
    if task in _ASKED:
        found, refusal = _ASKED[task](state, ready)
        if not found:
            return Verdict(task.value, False, refusal.text, refusal.rule)
        return Verdict(task.value, True, "", rule_of, number, tuple(found))
    hexes = _aims(state, subject.side, task)
    if hexes is None:
        text = f"when there is occasion, {range_words(state, subject, task)}"
        return Verdict(task.value, True, text, rule_of, number)
    able = {at: some for at in hexes if (some := _number_over(state, subject, task, at))}
    if not able:
        nothing = "there is nothing to do it for" if not hexes else "nothing that it could be done for is in its range"
        return Verdict(task.value, False, f"{nothing} ({range_words(state, subject, task)})", "18.45")
    return Verdict(task.value, True, "", rule_of, max(able.values()), tuple([where(state, at) for at in able]))


def _number_over(state: State, subject: Subject, task: Task, at: Hex) -> int:
    """How many of the units may fly a mission over a hex, as the missions themselves see it."""
    defends = task in (Task.FLY_DAS, Task.ESCORT_DAS)
    able = able_to_defend(state, at, task) if defends else available(state, subject.side, task, at)
    return sum([number for which, number in able.items() if which in subject.units])


def _aims(state: State, side: str, task: Task) -> list[Hex] | None:
    """The hexes over which a mission could be flown now; None if that hangs on what the enemy does next."""
    turn = state.turn
    operation = state.operation
    match task:
        case Task.COUNTERAIR:
            attacked = operation.attacked_by_land if operation.attacked_in == operation.stage else []
            return [state.place(base).at for base in enemy_bases(state, side) if base not in attacked]
        case Task.ATTACK_IN_PORT | Task.ESCORT_PORT_ATTACK:
            ports = {force.base for force in operation.fleet_of(state.other(side)).values() if force.in_port}
            return [state.place(base).at for base in enemy_bases(state, side) if base in ports]
        case Task.GROUND_SUPPORT:
            announced = [at for attack in turn.attacks if not attack.done for at in attack.hexes]
            return [*dict.fromkeys([*announced, *ground_targets(state), *airdrop_targets(state)])]
        case Task.FLY_DAS | Task.ESCORT_DAS:
            deferred = [at for attack in turn.attacks if not attack.done for at in attack.hexes]  # 18.619
            return [*dict.fromkeys([*hexes_to_support(state), *deferred])]
        case Task.ESCORT_BOMBING:
            return [target_hex(state, target) for target in _economic_targets(state, side)]
        case Task.INTERCEPT_DAS:
            over = [flight.at for flight in turn.flights if _supports(flight.kind) and flight.side != side]
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


def _supports(kind: FlightKind) -> bool:
    return kind is FlightKind.DEFENSIVE_SUPPORT


# --- bombing ----------------------------------------------------------------------------------------------------


def _economic_targets(state: State, side: str) -> list[str]:
    """The economic targets that a side does not hold."""
    places = state.scene.places
    return [target for target in state.turn.plan.targets if target not in places or places[target].side != side]


def _bombed(state: State, ready: Iterable[Unit]) -> tuple[list[str], Refusal]:
    turn = state.turn
    refusal = Refusal("no target in its range that was not bombed, or fewer than three factors that could fly", "18.57")
    units = list(ready)
    found = [
        turn.plan.targets[target]
        for target in turn.plan.targets
        for which in units
        if f"{which.nation}:{target}" not in turn.raided and which.home in origins(state, which.nation, target)
    ]
    return [*dict.fromkeys(found)], refusal


@rule("17.72", "17.82", "17.83")
def _from_front(state: State, subject: Subject, task: Task) -> Verdict:
    """17.72: what strategic bombers and interceptors can do from the bases of their front."""
    ready = {which: number for which, number in subject.units.items() if not which.inverted}
    rule_of, number = _allowed(state, subject, task), sum(ready.values())
    if task is Task.OPPOSE_BOMBING:
        return Verdict(task.value, True, "when bombers cross its front", rule_of, number)
    targets = [
        state.turn.plan.targets[target]
        for target in _economic_targets(state, subject.side)
        for which in ready
        if reaches(state, subject.side, which, target_hex(state, target))
    ]
    if not targets:
        return Verdict(task.value, False, "no target within range of an operational base on its front", "17.72")
    return Verdict(task.value, True, "", rule_of, number, tuple(dict.fromkeys(targets)))


# --- air transports ---------------------------------------------------------------------------------------------


def _supplied(state: State, ready: Iterable[Unit]) -> tuple[list[str], Refusal]:
    hexes = [at for which in ready for at in in_want(state, which)]
    refusal = Refusal("no unsupplied ground unit of its alliance faction is in its range", "18.533")
    return [where(state, at) for at in dict.fromkeys(hexes)], refusal


def _carried(state: State, ready: Iterable[Unit]) -> tuple[list[str], Refusal]:
    bases = [base for which in ready for base in passages(state, which)]
    refusal = Refusal("no ground unit in its base can be carried, or no operational base is in reach", "18.545")
    return [state.place(base).name for base in dict.fromkeys(bases)], refusal


def _dropped(state: State, ready: Iterable[Unit]) -> tuple[list[str], Refusal]:
    hexes = [at for which in ready if jumpers(state, which) for at in drop_zones(state, which)]
    refusal = Refusal("no airborne unit in its base can be dropped, or no enemy hex is in its range", "18.512C")
    return [where(state, at) for at in dict.fromkeys(hexes)], refusal


def _over_the_hump(state: State, ready: Iterable[Unit]) -> tuple[list[str], Refusal]:
    refusal = Refusal("the Hump is not open from its base, or there are no BRPs for China", "18.511E")
    if not route_is_open(state):
        return [], refusal
    start, to = state.turn.plan.hump
    able = any([which.home == start and loads(state, which) for which in ready])
    return [state.place(to).name] * able, refusal


_ASKED: dict[Task, Callable[[State, Iterable[Unit]], tuple[list[str], Refusal]]] = {
    Task.BOMB: _bombed,
    Task.AIR_SUPPLY: _supplied,
    Task.AIR_TRANSPORT: _carried,
    Task.AIRDROP: _dropped,
    Task.HUMP: _over_the_hump,
}


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
        return Verdict(task.value, False, "damaged carriers launch nobody", "17.3124.5")
    key = force.voyage or subject.force
    if task in (Task.COUNTERAIR, Task.ATTACK_IN_PORT):
        allowed = permission(state, key)
        if allowed is Permission.NOTHING or (task is Task.ATTACK_IN_PORT and allowed is not Permission.ALL):
            text = "carriers attack bases from a patrol or mission hex, and air bases on the way to a patrol hex"
            return Verdict(task.value, False, text, "23.61")
        bases = [state.place(base).name for base in carrier_targets(state, key)]
        if not bases:
            return Verdict(task.value, False, f"no enemy base within {NAVAL_RANGE} hexes", "23.61")
        return Verdict(task.value, True, "", rule_of, number, tuple(bases))
    if task in (Task.GROUND_SUPPORT, Task.INTERCEPT_DAS):
        hexes = _aims(state, subject.side, task) or []
        near = [at for at in hexes if subject.force in forces_in_reach(state, task, [at])]
        if not near:
            done = subject.force in operation.tasks and any([distance(force.at, at) <= NAVAL_RANGE for at in hexes])
            if done:
                return Verdict(task.value, False, "they have done something else in this player turn", "21.4181C")
            return Verdict(task.value, False, "no such hex in range of its station", "18.5522")
        return Verdict(task.value, True, "", rule_of, number, tuple([where(state, at) for at in near]))
    return Verdict(task.value, True, "for ships of its own force, and enemies in range", rule_of, number)
