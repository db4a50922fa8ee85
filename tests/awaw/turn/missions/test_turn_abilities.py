"""Who may fly what, and in which phase: the tables of chapter 17 and of 18.511-18.513, line by line."""

from __future__ import annotations

import pytest

from flagplot.awaw.air_units import Arm, Role
from flagplot.awaw.state.turn import Phase
from flagplot.awaw.turn.missions.abilities import (
    DEFENSIVE,
    NAVAL_INTERACTION,
    OFFENSIVE,
    WORDS,
    Task,
    in_phase,
    may_perform,
    phases_of,
)

LINES = {
    "17.23A": (Arm.ARMY, Task.COUNTERAIR),
    "17.23B": (Arm.ARMY, Task.AIR_COVER),
    "17.23C": (Arm.ARMY, Task.SEARCH),
    "17.23D": (Arm.ARMY, Task.ATTACK_IN_PORT),
    "17.23E": (Arm.ARMY, Task.BOMB),
    "17.23F": (Arm.ARMY, Task.GROUND_SUPPORT),
    "17.23G": (Arm.ARMY, Task.INTERCEPT_DAS),
    "17.23H": (Arm.ARMY, Task.FLY_DAS),
    "17.23I": (Arm.ARMY, Task.OPPOSE_BOMBING),
    "17.23J": (Arm.ARMY, Task.INTERCEPT_TRANSPORT),
    "17.23K": (Arm.ARMY, Task.COUNTER_INTERCEPT),
    "17.33A": (Arm.NAVAL, Task.COUNTERAIR),
    "17.33D": (Arm.NAVAL, Task.ATTACK_AT_SEA),
    "17.33F": (Arm.NAVAL, Task.GROUND_SUPPORT),
    "17.33G": (Arm.NAVAL, Task.INTERCEPT_DAS),
    "17.53A": (Arm.JET, Task.COUNTERAIR),
    "17.53B": (Arm.JET, Task.ESCORT_PORT_ATTACK),
    "17.53C": (Arm.JET, Task.ESCORT_BOMBING),
    "17.53D": (Arm.JET, Task.INTERCEPT_DAS),
    "17.53E": (Arm.JET, Task.ESCORT_DAS),
    "17.53F": (Arm.JET, Task.OPPOSE_BOMBING),
    "17.53G": (Arm.JET, Task.INTERCEPT_TRANSPORT),
    "17.53H": (Arm.JET, Task.COUNTER_INTERCEPT),
    "17.63A": (Arm.TRANSPORT, Task.AIR_SUPPLY),
    "17.63B": (Arm.TRANSPORT, Task.AIR_TRANSPORT),
    "17.63C": (Arm.TRANSPORT, Task.AIRDROP),
    "17.63D": (Arm.TRANSPORT, Task.HUMP),
    "17.73": (Arm.BOMBER, Task.BOMB),
    "17.83": (Arm.INTERCEPTOR, Task.ESCORT_BOMBING),
}
"""What is allowed, wherever the units are based."""


def refused(arm: Arm, task: Task, *, carrier: bool = False, role: Role = Role.FACTORS) -> str | None:
    refusal = may_perform(arm, task, carrier=carrier, role=role)
    return refusal.rule if refusal else None


@pytest.mark.rule("17.23E", "17.23F", "17.23G", "17.23H", "17.23I", "17.23J", "17.23K", "17.33F", "17.33G")
@pytest.mark.rule("17.53C", "17.53D", "17.53E", "17.53F", "17.53G", "17.53H")
@pytest.mark.rule("17.63A", "17.63B", "17.63C", "17.63D", "17.73", "17.83")
@pytest.mark.parametrize("line", LINES)
def test_what_each_arm_may_do(line: str) -> None:
    arm, task = LINES[line]
    assert may_perform(arm, task) is None


@pytest.mark.rule("17.33H", "17.33I", "17.33J")
@pytest.mark.parametrize(
    ("task", "line"),
    [
        (Task.AIR_COVER, "17.33B"),
        (Task.SEARCH, "17.33C"),
        (Task.FLY_DAS, "17.33H"),
        (Task.INTERCEPT_TRANSPORT, "17.33I"),
        (Task.COUNTER_INTERCEPT, "17.33J"),
        (Task.SPOT, "23.11A"),
    ],
)
def test_what_naval_air_does_from_land_alone(task: Task, line: str) -> None:
    for arm in (Arm.NAVAL, Arm.ELITE):
        assert refused(arm, task) is None
        assert refused(arm, task, carrier=True) == line


@pytest.mark.rule("17.12")
def test_combat_air_patrol_is_flown_from_carriers() -> None:
    assert refused(Arm.NAVAL, Task.CAP) == "17.33E"
    assert refused(Arm.ELITE, Task.CAP, carrier=True) is None
    assert refused(Arm.ARMY, Task.CAP) == "17.23"


NEVER = {
    Arm.ARMY: ("17.23", "escort-port-attack escort-bombing escort-das cap air-supply air-transport airdrop hump"),
    Arm.NAVAL: (
        "17.33",
        "bomb oppose-bombing escort-port-attack escort-bombing escort-das air-supply air-transport airdrop hump",
    ),
    Arm.JET: ("17.53", "search spot cap air-supply air-transport airdrop hump"),
    Arm.INTERCEPTOR: (
        "17.83",
        "counterair bomb fly-das intercept-das intercept-transport ground-support air-cover cap",
    ),
}


@pytest.mark.rule("17.12", "17.63A", "17.73", "17.83")
def test_what_an_arm_never_does() -> None:
    """The types differ in what they may carry out (17.12)."""
    for arm, (number, tasks) in NEVER.items():
        assert {task: refused(arm, Task(task)) for task in tasks.split()} == dict.fromkeys(tasks.split(), number)
    cargo = {Task.AIR_SUPPLY, Task.AIR_TRANSPORT, Task.AIRDROP, Task.HUMP}
    assert {task for task in Task if refused(Arm.TRANSPORT, task) is None} == cargo
    assert {task for task in Task if refused(Arm.BOMBER, task) is None} == {Task.BOMB}
    assert {task for task in Task if refused(Arm.PACIFIC_BOMBER, task) is None} == {Task.BOMB}
    escorts = {Task.ESCORT_BOMBING, Task.OPPOSE_BOMBING}
    assert {task for task in Task if refused(Arm.INTERCEPTOR, task) is None} == escorts


@pytest.mark.rule("17.531")
def test_what_jets_are_kept_from_by_name() -> None:
    for task in (Task.AIR_COVER, Task.ATTACK_AT_SEA, Task.ATTACK_IN_PORT, Task.BOMB, Task.GROUND_SUPPORT, Task.FLY_DAS):
        assert refused(Arm.JET, task) == "17.531"


@pytest.mark.rule("23.151")
@pytest.mark.parametrize(
    ("role", "able"),
    [
        (Role.SEARCH, {Task.SEARCH, Task.SPOT}),
        (Role.COVER, {Task.AIR_COVER}),
        (Role.ATTACK, {Task.ATTACK_AT_SEA}),
    ],
)
def test_what_each_kind_of_army_air_squadron_does(role: Role, able: set[Task]) -> None:
    """Other missions are flown in factors, and so the kind has no say in them (23.141A)."""
    at_sea = {Task.SEARCH, Task.SPOT, Task.AIR_COVER, Task.ATTACK_AT_SEA}
    assert {task for task in at_sea if refused(Arm.ARMY, task, role=role) is None} == able
    assert {refused(Arm.ARMY, task, role=role) for task in at_sea - able} == {"23.151"}
    assert refused(Arm.ARMY, Task.GROUND_SUPPORT, role=role) is None
    assert refused(Arm.ARMY, Task.COUNTERAIR, role=role) is None


# --- phases -----------------------------------------------------------------------------------------------------

MOVEMENT = {
    "18.511A": Task.COUNTERAIR,
    "18.511D": Task.AIR_SUPPLY,
    "18.511E": Task.HUMP,
    "18.511F": Task.AIR_TRANSPORT,
    "18.511G": Task.GROUND_SUPPORT,
    "18.511H": Task.INTERCEPT_DAS,
    "18.511I": Task.COUNTER_INTERCEPT,
}
COMBAT = {
    "18.512A": Task.COUNTERAIR,
    "18.512B": Task.ATTACK_IN_PORT,
    "18.512C": Task.AIRDROP,
    "18.512D": Task.GROUND_SUPPORT,
    "18.512E": Task.INTERCEPT_DAS,
    "18.512F": Task.BOMB,
    "18.512G": Task.HUMP,
    "18.512H": Task.COUNTER_INTERCEPT,
}
REDEPLOYMENT = {"18.513A": Task.AIR_TRANSPORT, "18.513B": Task.COUNTER_INTERCEPT}


def missions_in(phase: Phase) -> set[Task]:
    """The offensive missions of a phase, those of escorts apart."""
    escorts = {Task.ESCORT_BOMBING, Task.ESCORT_PORT_ATTACK}
    return {task for task in OFFENSIVE - escorts if phase in phases_of(task)}


@pytest.mark.rule("18.511D", "18.511E", "18.511F", "18.511G", "18.511H", "18.511I")
def test_the_missions_of_the_movement_phase() -> None:
    assert {number: phases_of(task)[Phase.MOVEMENT] for number, task in MOVEMENT.items()} == {n: n for n in MOVEMENT}
    assert missions_in(Phase.MOVEMENT) == set(MOVEMENT.values())


@pytest.mark.rule("18.512C", "18.512D", "18.512E", "18.512G", "18.512H")
def test_the_missions_of_the_combat_phase() -> None:
    assert {number: phases_of(task)[Phase.COMBAT] for number, task in COMBAT.items()} == {n: n for n in COMBAT}
    assert missions_in(Phase.COMBAT) == set(COMBAT.values())
    assert missions_in(Phase.EXPLOITATION) == {Task.GROUND_SUPPORT, Task.INTERCEPT_DAS}


@pytest.mark.rule("18.5522", "18.512D")
def test_carriers_do_not_support_exploitation() -> None:
    assert in_phase(Task.GROUND_SUPPORT, Phase.EXPLOITATION) is None
    refusal = in_phase(Task.GROUND_SUPPORT, Phase.EXPLOITATION, carrier=True)
    assert refusal == ("only in the movement and combat phases", "18.5522")


@pytest.mark.rule("18.513A", "18.513B")
def test_the_missions_of_the_redeployment_phase() -> None:
    known = {number: phases_of(task)[Phase.REDEPLOYMENT] for number, task in REDEPLOYMENT.items()}
    assert known == {n: n for n in REDEPLOYMENT}
    assert missions_in(Phase.REDEPLOYMENT) == set(REDEPLOYMENT.values())
    assert not missions_in(Phase.CONSTRUCTION)


@pytest.mark.rule("18.511C")
def test_carriers_on_patrol_attack_ports_in_the_movement_phase_too() -> None:
    assert in_phase(Task.ATTACK_IN_PORT, Phase.MOVEMENT, carrier=True) is None
    refusal = in_phase(Task.ATTACK_IN_PORT, Phase.MOVEMENT)
    assert refusal is not None
    assert refusal == ("only in the combat phase", "18.511")


@pytest.mark.rule("18.471")
def test_when_the_other_side_may_act() -> None:
    """Air transports and ships may be met in every phase in which they move."""
    moves = {Phase.MOVEMENT, Phase.COMBAT, Phase.REDEPLOYMENT}
    assert set(phases_of(Task.INTERCEPT_TRANSPORT)) == moves
    for task in NAVAL_INTERACTION:
        assert set(phases_of(task)) == moves
    assert set(phases_of(Task.FLY_DAS)) == {Phase.MOVEMENT, Phase.COMBAT, Phase.EXPLOITATION}


def test_every_task_is_of_one_kind_and_has_a_name() -> None:
    assert set(WORDS) == set(Task)
    assert not OFFENSIVE & DEFENSIVE
    assert set(Task) == OFFENSIVE | DEFENSIVE | NAVAL_INTERACTION | {Task.SPOT}
    refusal = in_phase(Task.AIR_COVER, Phase.CONSTRUCTION)
    assert refusal is not None
    assert refusal.text == "only in the movement, combat and redeployment phases"
