"""The fine print of operations: what the dice count, who may do what with whom, and how forces return."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.counting import take
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.bases.targets import launchable
from flagplot.awaw.operations.battles.scenes import set_scene
from flagplot.awaw.operations.interception.dice import carries_cargo, ledger_of, prey, spotters
from flagplot.awaw.operations.interception.hexes import open_legs
from flagplot.awaw.operations.interception.interceptors import able_forces
from flagplot.awaw.operations.interception.sailing_together import met_together, same_path
from flagplot.awaw.operations.passage.homeward import finish, new_voyage, send_home
from flagplot.awaw.operations.passage.joining import may_act_with
from flagplot.awaw.operations.passage.passage import arrive
from flagplot.awaw.procedures import announcing, completion, interceptions, operation
from flagplot.awaw.state.battle import ORIGIN
from flagplot.awaw.state.operation import Activity, Order, Progress, Voyage
from flagplot.awaw.state.state import State
from tests.awaw.scenes import short
from tests.awaw.seas import flotilla, force, ocean, play, port, sail, sea, steer
from tests.awaw.voyages import cruise, intercept, reaching

TRUK, RABAUL = port("truk", "red", (0, 0)), port("rabaul", "red", (0, 4))
NOUMEA = port("noumea", "blue", (9, 0))
PORTS = (TRUK, RABAUL, NOUMEA)
KIDO, TF = force("kido", "red", "truk", cruisers=10), force("tf", "blue", "noumea", cruisers=10)
ALLIES = {
    "sides": [
        {"id": "red", "name": "Red", "nations": ["germany", "hungary", "japan"]},
        {"id": "blue", "name": "Blue", "nations": ["britain", "france", "australia"]},
    ]
}
MOVERS = {
    "sides": [
        {"id": "red", "name": "Red", "nations": ["britain", "france", "hungary"]},
        {"id": "blue", "name": "Blue", "nations": ["japan", "united-states", "australia"]},
    ]
}


def home_of(state: State, name: str) -> Voyage:
    return state.operation.voyages[state.operation.fleet[name].voyage]


def out_at(state: State, name: str, at: Hex, activity: str = "shore-bombardment") -> str:
    """A force that has arrived somewhere on an activity; its voyage."""
    key = sail(state, activity, name, at)
    voyage = state.operation.voyages[key]
    voyage.step, voyage.progress = len(voyage.path) - 1, Progress.ARRIVED
    state.operation.fleet[name].at = at
    return key


def amount(state: State, key: str, number: str) -> int:
    """The dice of an attempt that come from one rule."""
    return sum(line.amount for line in ledger_of(state, state.operation.voyages[key]) if line.rule == number)


# --- who may intercept, and who is safe: 22.11 ------------------------------------------------------------------


@pytest.mark.rule("22.11")
def test_transports_alone_do_not_intercept() -> None:
    """22.11: who has no naval factors intercepts nobody; one factor is enough."""
    convoy = force("convoy", "blue", "noumea", transports=4, task_force=False)
    state = sea(*PORTS, KIDO, TF, convoy, force("picket", "blue", "noumea", destroyers=1))
    key = sail(state, "sea-supply", "kido", (5, 0))
    assert [*able_forces(state, "blue", state.operation.voyages[key])] == ["tf", "picket"]


@pytest.mark.rule("22.11A.6")
@pytest.mark.parametrize(
    ("nations", "safe"), [(["germany"], True), (["britain"], False), (["germany", "britain"], False)]
)
def test_only_the_axis_is_safe_along_norway(nations: list[str], safe: bool) -> None:
    """22.11A: it is for Axis forces that the coast of Norway is safe between Bergen and Oslo."""
    sides = {
        "sides": [
            {"id": "red", "name": "Red", "nations": ["germany", "britain", "hungary"]},
            {"id": "blue", "name": "Blue", "nations": ["australia"]},
        ]
    }
    ports = port("bergen", "red", (0, 0)), port("oslo", "red", (4, 0))
    moved = [force(nation, "red", "bergen", nation=nation, cruisers=10) for nation in nations]
    state = sea(*ports, *moved, norway=((1, 0), (2, 0), (3, 0)), settings=sides)
    (hexes,) = open_legs(state, sail(state, "base-change", nations, (4, 0), base="oslo")).values()
    assert ((2, 0) in hexes) is not safe


@pytest.mark.rule("22.11A", "22.12")
@pytest.mark.parametrize(("activity", "asked"), [("base-change", True), ("asw-deployment", False)])
def test_nobody_asks_for_the_path_of_a_force_that_is_safe(activity: str, asked: bool) -> None:
    """22.12: the path is told to those who may intercept; of an immune force nobody asks for it (22.11A)."""
    state = sea(*PORTS, KIDO, TF)
    sail(state, activity, "kido", (5, 0), shown=False)
    assert ("route" in cruise(state, interceptions.start("out")).asked) == asked


@pytest.mark.rule("23.752D", "22.9434")
def test_a_supply_line_that_nobody_protects_may_be_intercepted() -> None:
    """23.752D: there are no ships, and yet there is something to intercept."""
    state = sea(*PORTS, KIDO, TF)
    path = state.operation.plan.board.sea_path((0, 0), (0, 4))
    assert path is not None
    new_voyage(state, Voyage("red", Activity.SEA_SUPPLY, [], path, shown=True, base="rabaul", cargo=True))
    game = play(state, interceptions.start("out"), dice=reaching())
    made = steer(game, "intercept:v1:1:0,3", "go:v1:1:tf:direct").state
    assert [
        (voyage.forces, voyage.target, voyage.arrives) for voyage in made.operation.voyages.values() if voyage.level
    ] == [(["tf"], "v1", 1)]


# --- dice: 22.22 ------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.22H")
@pytest.mark.parametrize(("doing", "helps"), [("factors", 2), ("tried", 2), ("away", 2), ("inverted", 0)])
def test_submarines_help_whatever_they_have_tried_if_they_are_uninverted(doing: str, helps: int) -> None:
    """22.22H: factors that intercept themselves, or did so in vain, are there and help the ships; those that have
    attacked do not."""
    state = sea(*PORTS, KIDO, TF, flotilla("boats", "blue", "noumea", 0, **({doing: 2} if doing != "factors" else {})))
    if doing == "factors":
        state.operation.flotillas["boats"].factors = 2
    key = sail(state, "base-change", "kido", (7, 0))
    assert prey(state, key, 0, (7, 0))["submarines"] == helps


@pytest.mark.rule("22.22K", "22.22K.2", "22.13A")
def test_attempts_beyond_a_strait_are_not_counted() -> None:
    """22.22K: only attempts on the same leg of a path cost each other dice."""
    board = ocean(straits=[("narrows", (3, 0), (4, 0))])
    state = sea(*PORTS, KIDO, TF, force("tf2", "blue", "noumea", cruisers=10), board=board)
    key = sail(state, "sea-supply", "kido", (6, 0))
    first, second = intercept(state, "tf", key, (2, 0)), intercept(state, "tf2", key, (5, 0))
    state.operation.voyages[second].leg = 1
    assert [amount(state, one, "22.22K") for one in (first, second)] == [0, 0]
    state.operation.voyages[second].leg, state.operation.voyages[second].meet = 0, (2, 0)
    assert [amount(state, one, "22.22K") for one in (first, second)] == [-1, -1]


@pytest.mark.rule("22.22G", "22.12B")
def test_a_force_that_starts_at_sea_is_not_spotted_where_it_starts() -> None:
    """22.22G: it is spotted in the hexes that it enters; where it begins its way home is not one of them (22.12B)."""
    isle = port("isle", "blue", (10, 0), "2 united-states army")
    state = sea(TRUK, isle, KIDO)
    (reach,) = {which.reach for which in state.sites["isle"].air}
    at = (10 - reach, 0)
    out_at(state, "kido", at)
    assert spotters(state, "blue", state.operation.voyages["v1"], at) == 2
    send_home(state, "kido", ORIGIN)
    assert spotters(state, "blue", home_of(state, "kido"), (0, 0)) == 0


# --- together or apart: 22.13, 22.141, 22.162 -------------------------------------------------------------------


@pytest.mark.rule("22.162", "22.141E", "22.251")
@pytest.mark.parametrize("cooperation", [True, False])
def test_interceptors_that_do_not_cooperate_are_countered_apart(cooperation: bool) -> None:
    """22.162, 22.141E: British and French task forces on one path are stopped together only if they act together."""
    state = sea(
        *(port("kiel", "red", (0, 0)), port("malta", "blue", (9, 0))),
        force("kido", "red", "kiel", nation="germany", cruisers=10),
        *[force(name, "blue", "malta", nation=name, cruisers=10) for name in ("britain", "france")],
        settings=ALLIES,
        cooperation=cooperation,
    )
    sail(state, "base-change", "kido", (5, 0))
    first, second = [intercept(state, name, "v1", (3, 0)) for name in ("britain", "france")]
    assert same_path(state, first, (6, 0)) == [second] * cooperation


@pytest.mark.rule("22.23", "22.24B")
@pytest.mark.parametrize(("arrives", "met"), [(1, ["v1", "v2"]), (2, [])])
def test_nobody_waits_for_interceptors_that_come_late_alone(arrives: int, met: list[str]) -> None:
    """22.23: a hex in which nobody is in time is no interception hex: there is nothing to be met in together."""
    state = sea(*PORTS, KIDO, TF, force("two", "red", "truk", cruisers=10))
    for name in ("kido", "two"):
        sail(state, "base-change", name, (5, 0))
    intercept(state, "tf", "v1", (4, 0), arrives=arrives)
    assert met_together(state, "v1", (4, 0)) == met


@pytest.mark.rule("22.81C", "22.282", "22.163D")
@pytest.mark.parametrize(("zone", "able"), [("south", False), ("north", True)])
def test_who_has_transports_joins_no_activity_for_a_barred_zone(zone: str, able: bool) -> None:
    """22.282: after transports have turned back from a supply zone no others are used for it, nor those of a force that
    could take over an activity there (22.81C)."""
    convoy = force("convoy", "red", "truk", cruisers=4, transports=2, task_force=False)
    state = sea(*PORTS, KIDO, convoy, zones={"rabaul": zone})
    key = sail(state, "sea-transport", "kido", (0, 4), base="rabaul")
    state.operation.barred_zones = ["south"]
    assert may_act_with(state, state.operation.fleet["convoy"], state.operation.voyages[key]) == able
    assert may_act_with(state, state.operation.fleet["kido"], state.operation.voyages[key])


@pytest.mark.rule("22.13C.1", "22.22A")
@pytest.mark.parametrize("cargo", [True, False])
def test_a_force_that_others_join_with_cargo_carries_cargo(cargo: bool) -> None:
    """22.13C: those who combine are one force; if one of them has cargo aboard it counts for all (22.22A)."""
    move = Order(Activity.BASE_CHANGE, "movement", (6, 0), "rabaul")
    laden: dict[str, Any] = {"laden_transports": 2, "cargo": "oil"} if cargo else {"transports": 2}
    host = force("kido", "red", "truk", cruisers=10, orders=[move])
    joiner = force("convoy", "red", "truk", cruisers=2, task_force=False, **laden)
    state = sea(TRUK, port("rabaul", "red", (6, 0)), NOUMEA, host, joiner)
    made = steer(play(state, announcing), "order:kido:0", "order:convoy:v1").state
    assert carries_cargo(made.operation.voyages["v1"]) == cargo


@pytest.mark.rule("22.131", "22.13C.1")
@pytest.mark.parametrize(("left", "points"), [(4, 8), (2, 6)])
def test_cargo_that_joins_at_sea_is_counted_with_the_rest(left: int, points: int) -> None:
    """22.13C, 22.131: two convoys of four combine; of what they are worth as much counts as came through of all."""
    state = sea(*PORTS, *[_convoy(name, 4) for name in ("one", "two")])
    host = sail(state, "sea-transport", "one", (0, 4), base="rabaul", worth=8, freight=4)
    joiner = sail(state, "sea-transport", "two", (0, 2), joins=host, freight=4)
    arrive(state, joiner, state.operation.voyages[joiner])
    assert state.operation.voyages[host].freight == 8
    laden = state.operation.fleet["two"].group.ships
    laden[next(which for which in laden if which.laden)] = left
    voyage = state.operation.voyages[host]
    voyage.step, voyage.progress = len(voyage.path) - 1, Progress.ARRIVED
    assert cruise(state, completion.start(host)).state.operation.done == {"red": points}


def _convoy(name: str, transports: int) -> dict[str, Any]:
    return force(name, "red", "truk", cruisers=2, laden_transports=transports, cargo="oil", task_force=False)


# --- on the way home: 22.18, 22.63 ------------------------------------------------------------------------------


@pytest.mark.rule("22.18C", "22.22A")
def test_who_returns_with_those_who_had_cargo_is_as_easy_to_find() -> None:
    """22.18C, 22.22A: forces that return together are one, and one of them has carried cargo."""
    state = sea(*PORTS, KIDO, force("one", "red", "truk", cruisers=10), stage="combat")
    out_at(state, "kido", (6, 0))
    out_at(state, "one", (6, 0), "seaborne-invasion")
    send_home(state, "kido", ORIGIN)
    assert not carries_cargo(home_of(state, "kido"))
    send_home(state, "one", ORIGIN)
    assert home_of(state, "one") is home_of(state, "kido")
    assert carries_cargo(home_of(state, "kido"))


@pytest.mark.rule("22.18C")
def test_forces_that_return_from_different_hexes_do_not_combine() -> None:
    """22.18C: who returns from another hex sails apart, be it to the same base."""
    state = sea(*PORTS, KIDO, force("one", "red", "truk", cruisers=10), stage="combat")
    for name, at in (("kido", (6, 0)), ("one", (6, 1))):
        out_at(state, name, at)
        send_home(state, name, ORIGIN)
    assert home_of(state, "one") is not home_of(state, "kido")
    assert (home_of(state, "one").path[0], home_of(state, "kido").path[0]) == ((6, 1), (6, 0))


@pytest.mark.rule("22.18C", "22.141E")
@pytest.mark.parametrize("cooperation", [True, False])
def test_forces_that_do_not_cooperate_return_apart(cooperation: bool) -> None:
    """22.141E: British and French forces do not combine on the way home while they do not act together."""
    names = ("britain", "france")
    state = sea(
        *PORTS,
        *[force(name, "red", "truk", nation=name, cruisers=10) for name in names],
        stage="combat",
        cooperation=cooperation,
        settings=MOVERS,
    )
    for name in names:
        out_at(state, name, (6, 0))
        send_home(state, name, ORIGIN)
    assert (home_of(state, "britain") is home_of(state, "france")) == cooperation


@pytest.mark.rule("22.18D", "22.13D")
@pytest.mark.parametrize("one_voyage", [True, False])
def test_only_who_was_one_force_parts_from_it(one_voyage: bool) -> None:
    """22.18D: two forces of one activity that return to different bases part on the way; those of different activities
    were never one, and each may be intercepted where it likes."""
    ports = (port("truk", "red", (0, 0)), port("rabaul", "red", (1, -1)), NOUMEA)
    names = ["kido", "one"]
    state = sea(*ports, *[force(name, "red", "truk", cruisers=10) for name in names], stage="combat")
    keys = (
        [sail(state, "shore-bombardment", names, (6, 0))] if one_voyage else [out_at(state, n, (6, 0)) for n in names]
    )
    for name in names:
        state.operation.fleet[name].at = (6, 0)
    for key in keys:
        state.operation.voyages[key].progress = Progress.OVER
    for name, base in zip(names, ("truk", "rabaul"), strict=True):
        send_home(state, name, base, at_once=False)
    assert home_of(state, "kido").path[:2] == home_of(state, "one").path[:2]
    assert bool(home_of(state, "one").leaves) == one_voyage


@pytest.mark.rule("22.63C")
@pytest.mark.parametrize(("pacific", "base"), [(False, "suva"), (True, "noumea")])
def test_a_refuge_from_an_invasion_is_nearer_in_the_pacific(pacific: bool, base: str) -> None:
    """22.63C: another port is within 20 hexes, in the Pacific within 10; else the force returns to the invaded one."""
    ports = (TRUK, NOUMEA, port("suva", "blue", (18, 0)))
    state = sea(*ports, KIDO, TF, stage="combat", pacific=pacific)
    sail(state, "seaborne-invasion", "kido", (9, 0), base="noumea")
    sail(state, "return", "tf", (9, 0), start=(6, 0), base="noumea")
    state.operation.fleet["tf"].at = (6, 0)
    send_home(state, "tf", ORIGIN)
    assert home_of(state, "tf").base == base


@pytest.mark.rule("22.63C")
@pytest.mark.parametrize(("stage", "closed"), [("combat", ("noumea",)), ("redeployment", ())])
def test_a_battle_knows_which_bases_are_invaded(stage: str, closed: tuple[str, ...]) -> None:
    """22.63C: in the battles of the combat stage everybody knows what is being invaded."""
    state = sea(*PORTS, KIDO, TF, stage=stage)
    sail(state, "seaborne-invasion", "kido", (9, 0), base="noumea")
    set_scene(state, (4, 0))
    assert state.scene.invaded == closed


@pytest.mark.rule("22.28B", "22.13C.1")
def test_who_takes_the_place_of_a_lost_force_was_intercepted_with_it() -> None:
    """22.28B, 22.13C: who was to join a force that is gone sails on in its place; those who were to intercept both
    await him there, and on that part of the path nobody else tries."""
    joiner = force("two", "red", "rabaul", cruisers=10)
    state = sea(*PORTS, KIDO, TF, joiner, stage="combat")
    sail(state, "shore-bombardment", "kido", (6, 0))
    sail(state, "shore-bombardment", "two", (3, 0), joins="v1")
    state.operation.voyages["v1"].parts = ((3, 0),)
    waiting = intercept(state, "tf", "v1", (5, 0))
    finish(state, "v1")
    assert state.operation.voyages["v2"].path[-1] == (6, 0)
    assert state.operation.voyages[waiting].target == "v2"
    leg = state.operation.voyages[waiting].leg
    assert state.operation.voyages["v2"].intercepted == [leg]
    assert leg not in open_legs(state, "v2")


# --- in port ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.14C")
@pytest.mark.parametrize("lost", [0, 1])
def test_a_task_force_that_has_lost_ships_in_port_has_no_marker_after_the_stage(lost: int) -> None:
    """22.14C: ships in port of fewer than ten factors are no task force: from the end of the stage on they lie open."""
    state = sea(*PORTS, KIDO, stage="combat", stages=("combat",))
    ships = state.operation.fleet["kido"].group.ships
    take(ships, next(iter(ships)), lost)
    made = cruise(state, operation).state.operation.fleet["kido"]
    assert made.group.task_force is not bool(lost)


@pytest.mark.rule("17.3124.5")
def test_squadrons_of_damaged_carriers_do_not_fly_against_a_base() -> None:
    """17.3124: only undamaged carriers launch, so many squadrons as they hold."""
    state = sea(*PORTS, force("kido", "red", "truk", "Akagi", "Hiryu", cruisers=8, air=6))
    assert short(launchable(state.operation.fleet["kido"])) == {"japan naval": 6}
    ships = state.operation.fleet["kido"].group.ships
    hiryu = next(which for which in ships if which.id == "hiryu")
    ships[hiryu.bearing(2)] = ships.pop(hiryu)
    assert short(launchable(state.operation.fleet["kido"])) == {"japan naval": 3}
