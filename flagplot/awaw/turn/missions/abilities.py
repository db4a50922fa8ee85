"""Who may fly what, and in which phase: the one table that every mission asks (17.23, 17.33, 17.53, 17.63, 17.73,
17.83; 18.511-18.513)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from types import MappingProxyType

from flagplot.awaw.air_units import ARMY_ROLES, NAVAL_ARMS, Arm, Role
from flagplot.awaw.state.turn import Phase
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.rules import rule
from flagplot.kernel.words import listing


class Task(StrEnum):
    """What air units can be sent to do."""

    COUNTERAIR = "counterair"
    AIR_COVER = "air-cover"
    SEARCH = "search"
    SPOT = "spot"
    """Help a naval interception; no mission, and nobody is inverted for it (18.42C)."""
    ATTACK_AT_SEA = "attack-at-sea"
    ATTACK_IN_PORT = "attack-in-port"
    BOMB = "bomb"
    GROUND_SUPPORT = "ground-support"
    INTERCEPT_DAS = "intercept-das"
    FLY_DAS = "fly-das"
    OPPOSE_BOMBING = "oppose-bombing"
    INTERCEPT_TRANSPORT = "intercept-transport"
    COUNTER_INTERCEPT = "counter-intercept"
    ESCORT_PORT_ATTACK = "escort-port-attack"
    ESCORT_BOMBING = "escort-bombing"
    ESCORT_DAS = "escort-das"
    CAP = "cap"
    AIR_SUPPLY = "air-supply"
    AIR_TRANSPORT = "air-transport"
    AIRDROP = "airdrop"
    HUMP = "hump"


WORDS = MappingProxyType(
    {
        Task.COUNTERAIR: "counterair",
        Task.AIR_COVER: "air cover",
        Task.SEARCH: "search for ships",
        Task.SPOT: "spot for naval interception",
        Task.ATTACK_AT_SEA: "attack ships at sea",
        Task.ATTACK_IN_PORT: "attack ships in port",
        Task.BOMB: "bomb economic targets",
        Task.GROUND_SUPPORT: "ground support",
        Task.INTERCEPT_DAS: "intercept defensive air support",
        Task.FLY_DAS: "defensive air support",
        Task.OPPOSE_BOMBING: "oppose bombing",
        Task.INTERCEPT_TRANSPORT: "intercept air transports",
        Task.COUNTER_INTERCEPT: "counter-intercept for air transports",
        Task.ESCORT_PORT_ATTACK: "escort attacks on ports",
        Task.ESCORT_BOMBING: "escort bombing",
        Task.ESCORT_DAS: "escort defensive air support",
        Task.CAP: "combat air patrol",
        Task.AIR_SUPPLY: "air supply",
        Task.AIR_TRANSPORT: "air transport",
        Task.AIRDROP: "airdrop",
        Task.HUMP: "fly BRPs over the Hump",
    }
)
"""What people call the tasks."""

NAVAL_INTERACTION = frozenset({Task.SEARCH, Task.AIR_COVER, Task.ATTACK_AT_SEA, Task.CAP})
"""18.42B: no missions: they are done for any number of naval activities in a player turn (23.161)."""

DEFENSIVE = frozenset({Task.FLY_DAS, Task.ESCORT_DAS, Task.OPPOSE_BOMBING, Task.INTERCEPT_TRANSPORT})
"""Missions of the side whose player turn it is not (18.41, 18.6)."""

BOMBING = frozenset({Task.BOMB, Task.ESCORT_BOMBING, Task.OPPOSE_BOMBING})

OFFENSIVE = frozenset(Task) - NAVAL_INTERACTION - DEFENSIVE - {Task.SPOT}
"""Missions of the moving side (18.5)."""


# --- by arm -----------------------------------------------------------------------------------------------------

_ARMY = {
    Task.COUNTERAIR: "17.23A",
    Task.AIR_COVER: "17.23B",
    Task.SEARCH: "17.23C",
    Task.SPOT: "23.11A",
    Task.ATTACK_AT_SEA: "17.23D",
    Task.ATTACK_IN_PORT: "17.23D",
    Task.BOMB: "17.23E",
    Task.GROUND_SUPPORT: "17.23F",
    Task.INTERCEPT_DAS: "17.23G",
    Task.FLY_DAS: "17.23H",
    Task.OPPOSE_BOMBING: "17.23I",
    Task.INTERCEPT_TRANSPORT: "17.23J",
    Task.COUNTER_INTERCEPT: "17.23K",
}
_NAVAL = {
    Task.COUNTERAIR: "17.33A",
    Task.AIR_COVER: "17.33B",
    Task.SEARCH: "17.33C",
    Task.SPOT: "23.11A",
    Task.ATTACK_AT_SEA: "17.33D",
    Task.ATTACK_IN_PORT: "17.33D",
    Task.CAP: "17.33E",
    Task.GROUND_SUPPORT: "17.33F",
    Task.INTERCEPT_DAS: "17.33G",
    Task.FLY_DAS: "17.33H",
    Task.INTERCEPT_TRANSPORT: "17.33I",
    Task.COUNTER_INTERCEPT: "17.33J",
}
_JET = {
    Task.COUNTERAIR: "17.53A",
    Task.ESCORT_PORT_ATTACK: "17.53B",
    Task.ESCORT_BOMBING: "17.53C",
    Task.INTERCEPT_DAS: "17.53D",
    Task.ESCORT_DAS: "17.53E",
    Task.OPPOSE_BOMBING: "17.53F",
    Task.INTERCEPT_TRANSPORT: "17.53G",
    Task.COUNTER_INTERCEPT: "17.53H",
}
_TRANSPORT = {Task.AIR_SUPPLY: "17.63A", Task.AIR_TRANSPORT: "17.63B", Task.AIRDROP: "17.63C", Task.HUMP: "17.63D"}
_INTERCEPTOR = {Task.ESCORT_BOMBING: "17.83", Task.OPPOSE_BOMBING: "17.83"}
_BOMBER = {Task.BOMB: "17.73"}

OPERATIONS = MappingProxyType(
    {
        Arm.ARMY: _ARMY,
        Arm.NAVAL: _NAVAL,
        Arm.ELITE: _NAVAL,
        Arm.JET: _JET,
        Arm.TRANSPORT: _TRANSPORT,
        Arm.INTERCEPTOR: _INTERCEPTOR,
        Arm.BOMBER: _BOMBER,
        Arm.PACIFIC_BOMBER: _BOMBER,
    }
)
"""What each arm may do, and the rule that allows it."""

_LISTS = {
    Arm.ARMY: ("army air does not do this", "17.23"),
    Arm.NAVAL: ("naval air does not do this", "17.33"),
    Arm.ELITE: ("naval air does not do this", "17.33"),
    Arm.JET: ("jets do not do this", "17.53"),
    Arm.TRANSPORT: ("air transports only carry and supply", "17.63"),
    Arm.INTERCEPTOR: ("interceptors only escort bombing and oppose it", "17.83"),
    Arm.BOMBER: ("strategic bombers only bomb", "17.73"),
    Arm.PACIFIC_BOMBER: ("strategic bombers only bomb", "17.73"),
}
_LAND_ONLY = frozenset(
    {Task.AIR_COVER, Task.SEARCH, Task.SPOT, Task.FLY_DAS, Task.INTERCEPT_TRANSPORT, Task.COUNTER_INTERCEPT}
)
"""What naval air does only if it is based on land."""

_NOT_BY_JETS = frozenset(
    {Task.AIR_COVER, Task.ATTACK_AT_SEA, Task.ATTACK_IN_PORT, Task.BOMB, Task.GROUND_SUPPORT, Task.FLY_DAS}
)

SQUADRON_TASKS = MappingProxyType(
    {
        Role.SEARCH: frozenset({Task.SEARCH, Task.SPOT}),
        Role.COVER: frozenset({Task.AIR_COVER}),
        Role.ATTACK: frozenset({Task.ATTACK_AT_SEA}),
    }
)
"""23.11: what each kind of army air squadron does with regard to ships at sea."""

_BY_SQUADRONS = frozenset({Task.SEARCH, Task.SPOT, Task.AIR_COVER, Task.ATTACK_AT_SEA})


@rule("17.12", "17.23E", "17.23F", "17.23G", "17.23H", "17.23I", "17.23J", "17.23K")
@rule("17.33F", "17.33G", "17.33H", "17.33I", "17.33J", "17.53C", "17.53D", "17.53E", "17.53F", "17.53G", "17.53H")
@rule("17.63A", "17.63B", "17.63C", "17.63D", "17.73", "17.83", "17.531")
def may_perform(arm: Arm, task: Task, *, carrier: bool = False, role: Role = Role.FACTORS) -> Refusal | None:
    """17.12: whether units of an arm may do something; if not, why. `carrier` says that they fly from carriers, `role`
    what kind of squadron they are, if they are army air squadrons."""
    if task not in OPERATIONS[arm]:
        if arm is Arm.JET and task in _NOT_BY_JETS:
            return Refusal("jets only fight other air units", "17.531")
        return Refusal(*_LISTS[arm])
    if arm in NAVAL_ARMS:
        if carrier and task in _LAND_ONLY:
            return Refusal("only land-based naval air does this", OPERATIONS[arm][task])
        if not carrier and task is Task.CAP:
            return Refusal("only carrier air does this", "17.33E")
    return _of_squadrons(role, task)


@rule("23.151")
def _of_squadrons(role: Role, task: Task) -> Refusal | None:
    """23.151: army air squadrons search, cover or attack, each as its kind is. For other missions they are put
    together again first (23.141A)."""
    if role in ARMY_ROLES and task in _BY_SQUADRONS and task not in SQUADRON_TASKS[role]:
        return Refusal(f"{role.value} squadrons of army air do not do this", "23.151")
    return None


def allowed_by(arm: Arm, task: Task) -> str:
    """The rule that allows an arm to do something."""
    return OPERATIONS[arm][task]


# --- by phase ---------------------------------------------------------------------------------------------------

_AT_SEA = {Phase.MOVEMENT: "18.473", Phase.COMBAT: "18.473", Phase.REDEPLOYMENT: "18.473"}

_OVER_LAND = {Phase.MOVEMENT: "18.613", Phase.COMBAT: "18.611", Phase.EXPLOITATION: "18.613"}

_PHASES: dict[Task, dict[Phase, str]] = {
    Task.COUNTERAIR: {Phase.MOVEMENT: "18.511A", Phase.COMBAT: "18.512A"},
    Task.AIR_COVER: _AT_SEA,
    Task.SEARCH: _AT_SEA,
    Task.SPOT: {Phase.MOVEMENT: "18.59", Phase.COMBAT: "18.59", Phase.REDEPLOYMENT: "18.59"},
    Task.ATTACK_AT_SEA: _AT_SEA,
    Task.ATTACK_IN_PORT: {Phase.COMBAT: "18.512B"},
    Task.BOMB: {Phase.COMBAT: "18.512F"},
    Task.GROUND_SUPPORT: {Phase.MOVEMENT: "18.511G", Phase.COMBAT: "18.512D", Phase.EXPLOITATION: "18.512D"},
    Task.INTERCEPT_DAS: {Phase.MOVEMENT: "18.511H", Phase.COMBAT: "18.512E", Phase.EXPLOITATION: "18.512E"},
    Task.FLY_DAS: _OVER_LAND,
    Task.OPPOSE_BOMBING: {Phase.COMBAT: "18.512F"},
    Task.INTERCEPT_TRANSPORT: {Phase.MOVEMENT: "18.471", Phase.COMBAT: "18.471", Phase.REDEPLOYMENT: "18.471"},
    Task.COUNTER_INTERCEPT: {Phase.MOVEMENT: "18.511I", Phase.COMBAT: "18.512H", Phase.REDEPLOYMENT: "18.513B"},
    Task.ESCORT_PORT_ATTACK: {Phase.COMBAT: "18.512B"},
    Task.ESCORT_BOMBING: {Phase.COMBAT: "18.512F"},
    Task.ESCORT_DAS: _OVER_LAND,
    Task.CAP: _AT_SEA,
    Task.AIR_SUPPLY: {Phase.MOVEMENT: "18.511D"},
    Task.AIR_TRANSPORT: {Phase.MOVEMENT: "18.511F", Phase.REDEPLOYMENT: "18.513A"},
    Task.AIRDROP: {Phase.COMBAT: "18.512C"},
    Task.HUMP: {Phase.MOVEMENT: "18.511E", Phase.COMBAT: "18.512G"},
}


@rule("18.511D", "18.511E", "18.511F", "18.511G", "18.511H", "18.511I", "18.471")
@rule("18.512C", "18.512D", "18.512E", "18.512F", "18.512G", "18.512H", "18.513A", "18.513B")
def phases_of(task: Task, *, carrier: bool = False) -> dict[Phase, str]:
    """18.511-18.513: the phases in which something is done, and the rule of each. In the movement phase ships in port
    are attacked only by carriers on patrol (18.511C); carriers do not support exploitation (18.5522)."""
    if carrier and task is Task.ATTACK_IN_PORT:
        return {Phase.MOVEMENT: "18.511C", **_PHASES[task]}
    if carrier and task is Task.GROUND_SUPPORT:
        return {phase: number for phase, number in _PHASES[task].items() if phase is not Phase.EXPLOITATION}
    return _PHASES[task]


@rule("18.511C", "18.5522")
def in_phase(task: Task, phase: Phase | str, *, carrier: bool = False) -> Refusal | None:
    """18.511-18.513: whether something is done in a phase; if not, why."""
    phases = phases_of(task, carrier=carrier)
    if phase in phases:
        return None
    number = _PHASE_RULES.get(phase, next(iter(phases.values())))
    return Refusal(f"only in the {phases_in_words(phases)}", "18.5522" if phase in _PHASES[task] else number)


def phases_in_words(phases: Iterable[Phase]) -> str:
    """``movement phase``, ``movement and combat phases``."""
    names = [phase.value for phase in phases]
    return f"{listing(names)} phase{'s' * (len(names) != 1)}"


_PHASE_RULES: dict[str, str] = {
    Phase.MOVEMENT: "18.511",
    Phase.COMBAT: "18.512",
    Phase.EXPLOITATION: "18.512",
    Phase.REDEPLOYMENT: "18.513",
}
"""The list that a mission is missing from."""
