"""Activities that are carried out at the end of a passage, and what they count (22.131, 22.11C, 23.61B)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.operations.passage.passage import arrive
from flagplot.awaw.procedures import completion
from flagplot.awaw.state.operation import Progress
from flagplot.awaw.state.state import State
from tests.awaw import seas
from tests.awaw.seas import force, port, sail, sea
from tests.awaw.voyages import cruise, reaching


def arrived(activity: str, *entries: dict[str, Any], base: str = "", **more: Any) -> State:
    """The force ``kido`` has come to (6, 0) on some activity, as v1."""
    state = sea(seas.TRUK, *entries, **more)
    sail(state, activity, "kido", (6, 0), base=base)
    voyage = state.operation.voyages["v1"]
    voyage.step, voyage.progress = len(voyage.path) - 1, Progress.ARRIVED
    state.operation.fleet["kido"].at = (6, 0)
    return state


@pytest.mark.rule("23.61B", "22.131")
@pytest.mark.parametrize(("activity", "attacks"), [("fast-carrier-mission", True), ("shore-bombardment", False)])
def test_carriers_that_have_reached_their_mission_hex_attack_bases(activity: str, attacks: bool) -> None:
    """22.131, 23.61B: carrying out a fast carrier mission is attacking bases; on other activities carriers do not."""
    kido = force("kido", "red", "truk", "Akagi", cruisers=8, air=3)
    state = arrived(activity, port("noumea", "blue", (8, 0)), kido, stage="combat")
    played = cruise(state, completion.start("v1"))
    assert ("base-attack:v1" in played.asked) == attacks
    assert played.state.operation.fleet["kido"].inverted


@pytest.mark.rule("22.35", "22.11C")
def test_raiders_that_have_reached_their_box_are_sought_there() -> None:
    """22.11C: carrying out a raid is being sought in the box, after which there is raider combat or none (22.35)."""
    kido = force("kido", "red", "truk", "Admiral Graf Spee", nation="germany", task_force=False)
    box = port("atlantic", "blue", (6, 0), box=True)
    state = arrived("raid", box, kido, base="atlantic", stage="redeployment")
    played = cruise(state, completion.start("v1"), dice=reaching(1))
    assert [roll for roll in played.rolled if "search for" in roll]


def _convoy(name: str, transports: int) -> dict[str, Any]:
    return force(name, "red", "truk", cruisers=2, laden_transports=transports, cargo="oil", task_force=False)


@pytest.mark.rule("22.131", "22.13C.1")
@pytest.mark.parametrize(("left", "points"), [(4, 8), (2, 6)])
def test_cargo_that_joins_at_sea_is_counted_with_the_rest(left: int, points: int) -> None:
    """22.13C, 22.131: two convoys of four combine; of what they are worth as much counts as came through of all."""
    state = sea(*seas.PORTS, *[_convoy(name, 4) for name in ("one", "two")])
    host = sail(state, "sea-transport", "one", (0, 4), base="rabaul", worth=8, freight=4)
    joiner = sail(state, "sea-transport", "two", (0, 2), joins=host, freight=4)
    arrive(state, joiner, state.operation.voyages[joiner])
    assert state.operation.voyages[host].freight == 8
    laden = state.operation.fleet["two"].group.ships
    laden[next(which for which in laden if which.laden)] = left
    voyage = state.operation.voyages[host]
    voyage.step, voyage.progress = len(voyage.path) - 1, Progress.ARRIVED
    assert cruise(state, completion.start(host)).state.operation.done == {"red": points}
