"""The passage of a force along its path: what meets it in each hex, and in which order (22.12, 22.19, 23.752)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.air_units import add
from flagplot.awaw.procedures import operation, passage
from flagplot.awaw.state.operation import Activity, Order, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.requests import Roll
from tests.awaw.seas import flotilla, force, least, offered, play, port, questions, sail, sea
from tests.awaw.voyages import cruise, dive, intercept, reaching

TRUK, NOUMEA, SUVA = port("truk", "red", (0, 0)), port("noumea", "blue", (9, 0)), port("suva", "blue", (9, 4))
KIDO = force("kido", "red", "truk", "Akagi", cruisers=8)
TF = force("tf", "blue", "noumea", cruisers=10)
LAE = port("lae", "blue", (3, 2), "3 united-states army")


def scene(*more: dict[str, Any], activity: str = "shore-bombardment", **plan: Any) -> State:
    """Kido sails from Truk in (0, 0) to (6, 0) as v1."""
    plan.setdefault("stage", "combat")
    state = sea(TRUK, NOUMEA, SUVA, KIDO, TF, *more, **plan)
    sail(state, activity, "kido", (6, 0))
    return state


def where_asked(state: State, verb: str, key: str = "v1", name: str = "kido") -> list[tuple[int, int]]:
    """The hexes in which a question is put while a voyage sails."""
    game = play(state, passage.start(key), dice=reaching(2))
    found = []
    for texts in questions(game):
        if texts[0].startswith(verb):
            found.append(game.state.operation.fleet[name].at)
        game.choose(least(texts, "no", "none"))
    return found


# --- hex by hex -------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.12A", "23.752A", "22.132A")
def test_from_port_a_force_first_enters_the_water_of_its_base() -> None:
    """22.12A, 23.752A: one sortie may be flown in each hex in range, beginning with the hex of the base itself."""
    near = port("lae", "blue", (0, 2), "3 united-states army")
    hexes = where_asked(scene(near), "sortie:v1")
    assert hexes[0] == (0, 0)
    assert len(hexes) == len(set(hexes))


@pytest.mark.rule("22.12B", "22.132A", "23.752A")
def test_at_sea_it_begins_with_the_next_hex() -> None:
    """22.12B: on the way home a force is attacked from the air too, but not again in the hex in which it begins."""
    state = sea(TRUK, NOUMEA, KIDO, LAE, stage="combat")
    sail(state, "return", "kido", (0, 0), start=(4, 0), base="truk")
    state.operation.fleet["kido"].at = (4, 0)
    hexes = where_asked(state, "sortie:v1")
    assert hexes[0] == (3, 0)
    assert (4, 0) not in hexes


@pytest.mark.rule("22.19A", "SOP-NI-H.1.a", "22.19C", "22.132B")
def test_interceptors_are_attacked_on_their_way_but_not_apart_where_they_fight() -> None:
    """22.19A: who sails to intercept may be attacked from the air on his way; in the interception hex that is part of
    the battle (22.19C)."""
    near = port("wake", "red", (6, 2), "3 japan army")
    state = scene(near)
    key = intercept(state, "tf", "v1", (4, 0))
    hexes = where_asked(state, f"sortie:{key}", name="tf")
    assert (5, 0) in hexes
    assert (4, 0) not in hexes


@pytest.mark.rule("22.19", "23.752C.1")
def test_the_side_of_the_interceptors_says_who_of_them_sails_first() -> None:
    """22.19: the intercepting player dictates the order of his interceptors, the moving player that of his forces."""
    for first in ("v2", "v3"):
        state = scene(force("two", "blue", "suva", cruisers=10))
        one, two = intercept(state, "tf", "v1", (4, 0)), intercept(state, "two", "v1", (4, 0))
        game = play(state, passage.start("v1"))
        assert game.pending is not None
        assert game.pending.side == "blue"
        assert offered(game) == [f"sail:{one}", f"sail:{two}"]
        game.choose(f"sail:{first}")
        left = {"v2": "tf", "v3": "two"}[first]
        assert game.state.operation.fleet[left].at == (4, 0)


@pytest.mark.rule("23.752C", "22.164B", "SOP-NI-F.1")
def test_air_attacks_and_battles_come_after_all_dice() -> None:
    """23.752C: nothing is attacked before all interceptions and counter-interceptions were rolled for."""
    orders = [Order(Activity.BOMBARDMENT, "combat", (6, 0))]
    kido = force("kido", "red", "truk", "Akagi", cruisers=8, orders=orders)
    cover = force("cover", "red", "truk", cruisers=10)
    state = sea(TRUK, NOUMEA, SUVA, LAE, kido, cover, TF, stage="combat", stages=("combat",))
    told = ("order:kido:0", "route:v1", "intercept:v1:1:5,0", "go:v1:1:tf:direct")
    counter = ("intercept:v2:1:5,0", "go:v2:1:cover:direct")
    played = cruise(state, operation, *told, *counter, flees="blue", dice=reaching())
    assert [roll.split(",")[0].split("interception by ")[1] for roll in played.rolled if "interception by" in roll] == [
        "TF 1 (Blue)",
        "TF 2 (Red)",
    ]
    assert played.asked.index("go:v2:1:cover") < played.asked.index("sortie:v1")
    assert played.places == ["5,0"]


@pytest.mark.rule("22.131", "22.19C")
def test_in_the_activity_hex_interception_comes_first() -> None:
    """22.131: a force that is intercepted where it is bound for fights before it does what it came for; beaten it does
    nothing."""
    orders = [Order(Activity.BOMBARDMENT, "combat", (6, 0), worth=4)]
    kido = force("kido", "red", "truk", "Akagi", cruisers=8, orders=orders)
    for loser, points in (("red", {}), ("blue", {"red": 4})):
        state = sea(TRUK, NOUMEA, kido, TF, stage="combat", stages=("combat",))
        told = ("order:kido:0", "route:v1", "intercept:v1:1:6,0", "go:v1:1:tf:direct")
        played = cruise(state, operation, *told, flees=loser, dice=reaching())
        assert played.places == ["6,0"]
        assert played.state.operation.done == points
        log = played.log()
        assert ("shore bombardment by TF 1 (Red)" in log) == (loser == "blue")
        if loser == "blue":
            assert log.index("Battle over") < log.index("shore bombardment by TF 1 (Red)")


@pytest.mark.rule("22.921", "22.915")
def test_submarines_attack_after_the_air_in_a_hex() -> None:
    """22.921: where there is no naval combat submarines attack as soon as they have intercepted, after the sortie."""
    state = scene(LAE, flotilla("boats", "blue", "noumea"))
    dive(state, "boats", "v1", (3, 0))
    game = play(state, passage.start("v1"), dice=reaching(2))
    order = []
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            game.roll()
            continue
        here = game.state.operation.fleet["kido"].at == (3, 0)
        order += [offered(game)[0].split(":")[0]] * here
        game.choose(offered(game)[0])
    assert order.index("sortie") < order.index("abort")


@pytest.mark.rule("22.26B", "22.28B")
def test_a_force_that_is_lost_on_the_way_is_waited_for_no_longer() -> None:
    """22.26B: those who were to meet a force that was lost return uninverted."""
    state = scene()
    intercept(state, "tf", "v1", (4, 0))
    state.operation.fleet["kido"].group.ships = {}
    played = cruise(state, passage.start("v1"))
    assert played.state.operation.is_over("v1")
    assert played.state.operation.fleet["tf"].voyage != "v2"
    assert not played.state.operation.fleet["tf"].inverted


# --- sea supply lines -------------------------------------------------------------------------------------------


def line(state: State) -> Voyage:
    """A sea supply line that nobody protects, from Truk to (6, 0), as v1."""
    path = state.operation.plan.board.sea_path((0, 0), (6, 0))
    assert path is not None
    state.operation.voyages["v1"] = Voyage("red", Activity.SEA_SUPPLY, [], path, shown=True, worth=3)
    state.operation.sailings = 1
    return state.operation.voyages["v1"]


@pytest.mark.rule("22.9434")
@pytest.mark.parametrize("met", [False, True])
def test_a_bare_supply_line_stands_unless_it_is_met(met: bool) -> None:
    """30.381: a line that nobody protects is cut by any interception; otherwise supply comes through."""
    state = sea(TRUK, NOUMEA, KIDO, TF, stage="redeployment")
    line(state)
    if met:
        intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"))
    assert not played.battles
    assert played.state.operation.voyages["v1"].disrupted == met
    assert played.state.operation.voyages["v1"].progress is (Progress.OVER if met else Progress.ARRIVED)
    assert played.state.operation.fleet["tf"].at == (9, 0)
    assert not played.state.operation.fleet["tf"].inverted


@pytest.mark.rule("22.9434", "22.141")
def test_nobody_comes_up_to_a_bare_supply_line_that_is_met() -> None:
    """22.141 is about forces that fight together; there is nothing to fight for where nobody protects a line."""
    state = sea(TRUK, NOUMEA, KIDO, TF, stage="redeployment")
    line(state)
    sail(state, "sea-supply", "kido", (6, 0))
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"))
    assert played.state.operation.voyages["v1"].disrupted
    assert played.state.operation.fleet["kido"].at == (0, 0)


@pytest.mark.rule("22.164A", "SOP-PA-B.1.a")
def test_other_forces_than_patrols_are_not_intercepted_as_they_sail() -> None:
    """22.164A: interceptions of them were announced before they sail."""
    assert not any(verb.startswith("intercept") for verb in cruise(scene(), passage.start("v1")).asked)


@pytest.mark.rule("22.9434", "22.921")
def test_submarines_cut_a_bare_supply_line() -> None:
    """22.9434: so is one that submarines attack."""
    state = sea(TRUK, NOUMEA, KIDO, flotilla("boats", "blue", "noumea"), stage="redeployment")
    line(state)
    dive(state, "boats", "v1", (4, 0))
    assert cruise(state, passage.start("v1")).state.operation.voyages["v1"].disrupted


# --- carriers that were attacked in port ------------------------------------------------------------------------


@pytest.mark.rule("17.3126C.2")
@pytest.mark.parametrize("choice", ["aboard", "ashore"])
def test_squadrons_go_aboard_as_their_carriers_sail(choice: str) -> None:
    """17.3126C: squadrons that have defended their port may go aboard as the carrier leaves it."""
    carrier = force("kido", "red", "truk", "Akagi", cruisers=8, air=3)
    state = sea(TRUK, NOUMEA, carrier, stage="combat")
    kido = state.operation.fleet["kido"]
    which, number = kido.group.air.popitem()
    kido.ashore = {which: number}
    add(state.sites["truk"].air, which.based("truk", which.drm), number)
    sail(state, "shore-bombardment", "kido", (6, 0))
    made = cruise(state, passage.start("v1"), f"embark:kido:{choice}").state
    assert sum(made.operation.fleet["kido"].group.air.values()) == (number if choice == "aboard" else 0)


def test_a_voyage_forgets_forces_that_are_gone() -> None:
    """Forces that are lost leave the list of their voyage, so that nobody who is called like them later is taken for
    them."""
    state = scene(force("small", "red", "truk", cruisers=2, task_force=False), flotilla("boats", "blue", "noumea"))
    state.operation.voyages["v1"].forces.append("small")
    state.operation.fleet["small"].voyage = "v1"
    dive(state, "boats", "v1", (3, 0))
    state.operation.fleet["small"].group.ships = {}
    assert cruise(state, passage.start("v1"), dice=reaching(2)).state.operation.voyages["v1"].forces == ["kido"]
