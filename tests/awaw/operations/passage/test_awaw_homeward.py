"""The way home: who returns when and where to, who may be intercepted on it, and how it is in port (22.18, 22.63)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.operations.bases.overstacking import clear_overstacking, excess
from flagplot.awaw.operations.bases.port_room import port_room
from flagplot.awaw.operations.battles.scenes import bring_in, set_scene
from flagplot.awaw.operations.interception.dice import carries_cargo
from flagplot.awaw.operations.interception.hexes import interceptable_hexes, open_legs
from flagplot.awaw.operations.interception.sailing_together import companions
from flagplot.awaw.operations.passage.aborting import may_abort
from flagplot.awaw.operations.passage.homeward import dock, finish, send_home, turn_back
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import homeward, operation, passage
from flagplot.awaw.ships import factors
from flagplot.awaw.state.battle import ORIGIN
from flagplot.awaw.state.operation import Activity, Order, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.plain_data import copy_of
from tests.awaw import seas
from tests.awaw.scenes import run
from tests.awaw.seas import flotilla, force, offered, play, port, sail, sea, sides
from tests.awaw.voyages import at_sea, cruise, dive, home_of, intercept, reaching

TRUK, RABAUL = port("truk", "red", (0, 0)), port("rabaul", "red", (0, 4))
NOUMEA, SUVA = port("noumea", "blue", (9, 0)), port("suva", "blue", (12, 0))
PORTS = (TRUK, RABAUL, NOUMEA, SUVA)
TF = force("tf", "blue", "noumea", cruisers=10)
STRIKE = Order(Activity.BOMBARDMENT, "combat", (6, 0))
KIDO = force("kido", "red", "truk", cruisers=10, orders=[STRIKE])


def whole(*more: dict[str, Any], **plan: Any) -> State:
    """An operation of one combat stage, in which Kido may bombard (6, 0)."""
    return sea(*PORTS, KIDO, TF, *more, stage="combat", stages=("combat",), **plan)


# --- when: 22.15 ------------------------------------------------------------------------------------------------

SECOND = force("second", "red", "rabaul", cruisers=10, orders=[Order(Activity.BOMBARDMENT, "combat", (6, 4))])


@pytest.mark.rule("22.15C", "22.15B", "22.19")
def test_all_return_together_when_all_is_done() -> None:
    """22.15C: a force that has reached its hex waits there until the others have done what they came for. Which of them
    sails first is said by their side (22.19)."""
    for first, at in (("v1", (6, 0)), ("v2", (0, 0))):
        orders = ("order:kido:0", "order:second:0", "route:v2", "intercept:v2:1:4,4", "go:v2:1:tf:direct")
        played = cruise(whole(SECOND), operation, *orders, f"sail:{first}", flees="blue", dice=reaching())
        assert played.battles[0].where["kido"] == at
        assert {force.at for force in played.state.operation.fleet_of("red").values()} == {(0, 0), (0, 4)}
        assert played.inverted() == {"kido", "second", "tf"}


@pytest.mark.rule("22.15D", "22.281", "22.28A")
def test_who_aborts_returns_at_once() -> None:
    """22.15D: a force that aborts is home, and inverted, before the next one sails."""
    state = whole(SECOND, flotilla("boats", "blue", "noumea"))
    orders = ("order:kido:0", "order:second:0", "route:all", "submarine:v1:1:boats:3,0", "abort:v1:abort")
    more = ("intercept:v2:1:4,4", "go:v2:1:tf:direct", "sail:v1")
    played = cruise(state, operation, *orders, *more, flees="blue", dice=reaching())
    assert played.battles[0].where["kido"] == (0, 0)
    assert played.inverted() == {"kido", "second", "tf"}
    assert "aborts and returns" in played.log()


@pytest.mark.rule("22.15D", "22.61C")
def test_who_withdraws_returns_at_once() -> None:
    """22.15D: so is a force that withdraws from a battle."""
    other = force("tf2", "blue", "suva", cruisers=10)
    orders = ("order:kido:0", "order:second:0", "route:all", "intercept:v1:1:4,0", "go:v1:1:tf:direct")
    more = ("intercept:v2:1:4,4", "go:v2:1:tf2:direct", "sail:v1")
    played = cruise(whole(SECOND, other), operation, *orders, *more, flees="red", dice=reaching())
    assert played.places == ["4,0", "4,4"]
    assert played.battles[1].where["kido"] == (0, 0)


# --- interception on the way home: 22.18 ------------------------------------------------------------------------


@pytest.mark.rule("22.18", "22.18A", "22.13F", "22.115", "SOP-NI-C.2")
def test_returning_forces_are_intercepted_when_they_return() -> None:
    """22.18: nobody says before the return that he intercepts it; then even a force that was met on its way out may be,
    by others."""
    other = force("tf2", "blue", "suva", cruisers=10)
    orders = ("order:kido:0", "route:v1", "intercept:v1:1:4,0", "go:v1:1:tf:direct")
    home = ("route:v4", "intercept:v4:1:3,0", "go:v4:1:tf2:direct")
    state = whole(other, strategic="blue")
    played = cruise(state, operation, *orders, *home, flees="blue", dice=reaching())
    assert played.places == ["4,0", "3,0"]
    assert played.battles[1].moving == "red"
    verbs = [verb for verb in played.asked if verb.startswith(("intercept", "activity"))]
    assert verbs.index("activity:kido") < verbs.index("intercept:v4:1")
    assert played.state.operation.fleet["kido"].at == (0, 0)


@pytest.mark.rule("22.18B")
def test_the_activity_hex_is_not_open_any_more() -> None:
    """22.18B: on the way home the first hex is one beside the activity hex."""
    state = whole()
    at_sea(state, "kido", (6, 0))
    send_home(state, "kido", ORIGIN)
    assert interceptable_hexes(state, state.operation.fleet["kido"].voyage, 0) == (
        (5, 0),
        (4, 0),
        (3, 0),
        (2, 0),
        (1, 0),
        (0, 0),
    )


@pytest.mark.rule("22.116", "22.27", "22.24A", "22.26A", "SOP-NI-K.2")
def test_who_tried_in_vain_does_not_try_again_in_the_stage() -> None:
    """22.116: a force whose dice failed has stayed in port, uninverted, but does not intercept the return either."""
    orders = ("order:kido:0", "route:v1", "intercept:v1:1:2,0", "go:v1:1:tf:direct")
    played = cruise(whole(), operation, *orders, dice=reaching(1))
    assert not played.battles
    assert played.inverted() == {"kido"}
    assert [verb for verb in played.asked if verb.startswith("go:")] == ["go:v1:1:tf"]
    assert not played.state.operation.fleet["tf"].tried, "in the next stage it may"


@pytest.mark.rule("22.281", "22.62", "22.18")
def test_who_aborts_may_be_intercepted_by_those_who_have_not_tried() -> None:
    """22.281: a force that turns back is open to forces that have not tried in this stage, and to them alone."""
    state = whole(force("tf2", "blue", "suva", cruisers=10), flotilla("boats", "blue", "noumea"), strategic="blue")
    out = ("order:kido:0", "route:v1", "intercept:v1:1:5,0", "go:v1:1:tf:direct", "submarine:v1:1:boats:3,0")
    home = ("abort:v1:abort", "route:v5", "intercept:v5:1:2,0", "go:v5:1:tf2:direct")
    played = cruise(state, operation, *out, *home, flees="red", dice=reaching())
    assert played.places == ["2,0"]
    assert played.battles[0].forces == {"kido", "tf2"}
    assert "go:v5:1:tf" not in played.asked
    assert played.inverted() == {"kido", "tf2"}, "those whose target has turned back are not (22.26B)"


@pytest.mark.rule("22.18C", "22.18D")
def test_forces_that_return_from_a_hex_to_a_base_sail_together() -> None:
    """22.18C: they combine, and part if they go to different bases (22.18D)."""
    state = whole(*[force(name, "red", "truk", cruisers=10) for name in ("one", "two")])
    for name in ("kido", "one", "two"):
        at_sea(state, name, (6, 0))
        send_home(state, name, "rabaul" if name == "two" else ORIGIN)
    assert home_of(state, "kido") is home_of(state, "one")
    assert home_of(state, "two") is not home_of(state, "one")
    assert home_of(state, "two").path[-1] == (0, 4)


@pytest.mark.rule("22.18C", "22.22A")
def test_who_returns_with_those_who_had_cargo_is_as_easy_to_find() -> None:
    """22.18C, 22.22A: forces that return together are one, and one of them has carried cargo."""
    state = sea(*seas.PORTS, seas.KIDO, force("one", "red", "truk", cruisers=10), stage="combat")
    at_sea(state, "kido", (6, 0))
    at_sea(state, "one", (6, 0), "seaborne-invasion")
    send_home(state, "kido", ORIGIN)
    assert not carries_cargo(home_of(state, "kido"))
    send_home(state, "one", ORIGIN)
    assert home_of(state, "one") is home_of(state, "kido")
    assert carries_cargo(home_of(state, "kido"))


@pytest.mark.rule("22.18C")
def test_forces_that_return_from_different_hexes_do_not_combine() -> None:
    """22.18C: who returns from another hex sails apart, be it to the same base."""
    state = sea(*seas.PORTS, seas.KIDO, force("one", "red", "truk", cruisers=10), stage="combat")
    for name, at in (("kido", (6, 0)), ("one", (6, 1))):
        at_sea(state, name, at)
        send_home(state, name, ORIGIN)
    assert home_of(state, "one") is not home_of(state, "kido")
    assert (home_of(state, "one").path[0], home_of(state, "kido").path[0]) == ((6, 1), (6, 0))


@pytest.mark.rule("22.18C", "22.141E")
@pytest.mark.parametrize("cooperation", [True, False])
def test_forces_that_do_not_cooperate_return_apart(cooperation: bool) -> None:
    """22.141E: British and French forces do not combine on the way home while they do not act together."""
    names = ("britain", "france")
    state = sea(
        *seas.PORTS,
        *[force(name, "red", "truk", nation=name, cruisers=10) for name in names],
        stage="combat",
        cooperation=cooperation,
        settings=sides(red=["britain", "france", "hungary"], blue=["japan", "united-states", "australia"]),
    )
    for name in names:
        at_sea(state, name, (6, 0))
        send_home(state, name, ORIGIN)
    assert (home_of(state, "britain") is home_of(state, "france")) == cooperation


@pytest.mark.rule("22.141C", "22.141D", "22.18C")
@pytest.mark.parametrize(("activity", "together"), [("raid", False), ("sea-escort", False), ("sea-transport", True)])
def test_raiders_and_escorts_return_apart(activity: str, together: bool) -> None:
    """22.141C-D: raiding groups are intercepted apart on their way back too, and so are escorts."""
    state = whole(force("one", "red", "truk", cruisers=4))
    for name in ("kido", "one"):
        at_sea(state, name, (6, 0), activity)
        send_home(state, name, ORIGIN)
    assert (home_of(state, "kido") is home_of(state, "one")) == together
    assert home_of(state, "one").was == activity


def test_ships_of_one_raiding_group_return_together() -> None:
    """22.141C: those of one group stay together."""
    state = whole(force("one", "red", "truk", cruisers=4))
    key = sail(state, "raid", ["kido", "one"], (6, 0))
    for name in ("kido", "one"):
        state.operation.fleet[name].at = (6, 0)
    finish(state, key)
    for name in ("kido", "one"):
        send_home(state, name, ORIGIN, at_once=False)
    assert home_of(state, "kido") is home_of(state, "one")


@pytest.mark.rule("22.22A")
@pytest.mark.parametrize(
    ("activity", "cargo"), [("seaborne-invasion", True), ("sea-supply", True), ("shore-bombardment", False)]
)
def test_cargo_counts_on_the_way_home_too(activity: str, cargo: bool) -> None:
    """22.22A: a force that carried cargo is as easy to find on its return trip, although it is unloaded; bombardment
    does not count any more."""
    state = whole()
    at_sea(state, "kido", (6, 0), activity)
    send_home(state, "kido", ORIGIN)
    assert carries_cargo(home_of(state, "kido")) == cargo
    state.operation.fleet["kido"].at = (3, 0)
    send_home(state, "kido", "rabaul")
    assert carries_cargo(home_of(state, "kido")) == cargo
    assert home_of(state, "kido").was == activity


@pytest.mark.rule("22.22A")
@pytest.mark.parametrize(
    ("reading", "activity", "escort", "carrier"),
    [
        ("no-cargo-dice", "seaborne-invasion", False, True),
        ("cargo-dice", "seaborne-invasion", True, True),
        ("no-cargo-dice", "sea-supply", True, True),
    ],
)
def test_an_escort_that_returns_alone(reading: str, activity: str, escort: bool, carrier: bool) -> None:
    """22.22A: who was only with those that had the cargo has carried none on his way home, unless he returns with them;
    who protects sea supply always has."""
    landing = force("landing", "red", "truk", cruisers=8, laden_destroyers=2, cargo="a division")
    for base, together in (("rabaul", False), ("truk", True)):
        state = whole(landing, options=Options(returning_escort=reading))
        key = sail(state, activity, ["landing", "kido"], (6, 0))
        for name in ("landing", "kido"):
            state.operation.fleet[name].at = (6, 0)
        send_home(state, "landing", ORIGIN)
        send_home(state, "kido", base)
        assert state.operation.is_over(key)
        assert carries_cargo(home_of(state, "landing")) == carrier
        assert carries_cargo(home_of(state, "kido")) == (escort or together)
        state.operation.fleet["kido"].at = (3, 0)
        send_home(state, "kido", "rabaul")
        assert carries_cargo(home_of(state, "kido")) == escort, "they part on the way"


# --- parting on the way home: 22.13D, 22.18D --------------------------------------------------------------------


@pytest.mark.rule("22.18D", "22.13D")
def test_forces_of_different_bases_part_on_the_way_home() -> None:
    """22.18D: a force that divides on its way home is one force as long as its parts sail by the same way; the part
    that leaves may be intercepted in the hexes that the other does not enter."""
    palau, mission = port("palau", "red", (0, 3)), Order(Activity.BOMBARDMENT, "combat", (8, 0))
    one = force("a", "red", "truk", "Nagato", cruisers=8, orders=[mission])
    state = sea(
        TRUK,
        palau,
        port("rabaul", "blue", (4, 4)),
        one,
        force("b", "red", "palau", "Mutsu", cruisers=8),
        force("x", "blue", "rabaul", "Iowa", cruisers=8),
        stage="combat",
    )
    game = play(state, operation, dice=reaching())
    wanted = ["order:a:0", "order:b:v1", "meet:b:3,0"]
    while game.state.operation.sailings < 4:
        texts = offered(game)
        chosen = next((text for text in wanted if text in texts), texts[0])
        game.choose(chosen)
    now = game.state
    parent, child = (key for key, voyage in now.operation.voyages.items() if voyage.activity is Activity.RETURN)
    assert now.operation.voyages[child].leaves == parent
    ways = now.operation.voyages[parent].path, now.operation.voyages[child].path
    common = set(ways[0]) & set(ways[1])
    assert len(common) > 1
    assert common <= {*open_legs(now, parent)[0], (8, 0)}
    assert set(open_legs(now, child)[0]) == set(ways[1]) - common
    shared = ways[1][1]
    assert companions(now, parent, shared) == [child]


@pytest.mark.rule("22.18D", "22.13D")
@pytest.mark.parametrize("one_voyage", [True, False])
def test_only_who_was_one_force_parts_from_it(one_voyage: bool) -> None:
    """22.18D: two forces of one activity that return to different bases part on the way; those of different activities
    were never one, and each may be intercepted where it likes."""
    ports = (port("truk", "red", (0, 0)), port("rabaul", "red", (1, -1)), seas.NOUMEA)
    names = ["kido", "one"]
    state = sea(*ports, *[force(name, "red", "truk", cruisers=10) for name in names], stage="combat")
    keys = (
        [sail(state, "shore-bombardment", names, (6, 0))] if one_voyage else [at_sea(state, n, (6, 0)) for n in names]
    )
    for name in names:
        state.operation.fleet[name].at = (6, 0)
    for key in keys:
        state.operation.voyages[key].progress = Progress.OVER
    for name, base in zip(names, ("truk", "rabaul"), strict=True):
        send_home(state, name, base, at_once=False)
    assert home_of(state, "kido").path[:2] == home_of(state, "one").path[:2]
    assert bool(home_of(state, "one").leaves) == one_voyage


@pytest.mark.rule("22.18D", "22.15D")
def test_who_returns_at_once_returns_by_himself() -> None:
    """22.15D: forces that turn back return at once, one after the other: each may be intercepted on its whole way."""
    palau = port("palau", "red", (0, 3))
    state = sea(
        TRUK,
        palau,
        port("rabaul", "blue", (4, 4)),
        force("a", "red", "truk", "Nagato", cruisers=8),
        force("b", "red", "palau", "Mutsu", cruisers=8),
        stage="combat",
    )
    sail(state, "shore-bombardment", ["a", "b"], (8, 0), step=8, progress=Progress.ARRIVED)
    for at_once in (True, False):
        copy = copy_of(state)
        for name in ("a", "b"):
            copy.operation.fleet[name].at = (8, 0)
            send_home(copy, name, "origin", at_once=at_once)
        assert [voyage.leaves for voyage in copy.operation.voyages.values() if voyage.activity is Activity.RETURN] == [
            "",
            "" if at_once else "v2",
        ]


# --- aborting: 22.28 --------------------------------------------------------------------------------------------


@pytest.mark.rule("22.28", "22.28A")
def test_only_who_was_attacked_may_abort() -> None:
    """22.28: without an attack nobody is asked; after one the force may abort or go on; who returns has nothing to
    abort."""
    quiet = whole()
    sail(quiet, "shore-bombardment", "kido", (6, 0))
    assert "abort:v1" not in cruise(quiet, passage.start("v1")).asked
    state = whole(flotilla("boats", "blue", "noumea"))
    sail(state, "shore-bombardment", "kido", (6, 0))
    dive(state, "boats", "v1", (3, 0))
    played = cruise(state, passage.start("v1"))
    assert played.asked.count("abort:v1") == 1
    assert played.state.operation.fleet["kido"].at == (6, 0)
    for activity, may in (("shore-bombardment", True), ("return", False), ("escape", False)):
        voyage = Voyage("red", Activity(activity), [], ((0, 0),), attacked=True)
        assert may_abort(state, voyage) == may


@pytest.mark.rule("22.281", "22.282")
def test_turning_back() -> None:
    """22.281: all forces of the voyage are inverted and on their way; 22.282: with transports among them the supply
    zone is closed to others."""
    convoy = force("convoy", "red", "truk", cruisers=2, laden_transports=2, cargo="oil", task_force=False)
    state = whole(convoy, zones={"noumea": "pacific", "suva": "pacific", "rabaul": "truk"})
    key = sail(state, "sea-transport", ["convoy", "kido"], (6, 0), base="noumea")
    turn_back(state, key)
    assert state.operation.barred_zones == ["pacific"]
    assert state.operation.is_over(key)
    assert home_of(state, "kido") is home_of(state, "convoy")
    assert home_of(state, "kido").progress is Progress.ABORTED
    assert state.operation.fleet["kido"].inverted
    assert state.operation.fleet["convoy"].inverted


@pytest.mark.rule("22.281", "22.26B")
def test_a_voyage_that_has_lost_a_force_is_over_as_well_when_the_others_turn_back() -> None:
    state = whole(force("lost", "red", "truk", cruisers=2), force("gone", "blue", "noumea", cruisers=2))
    key = sail(state, "shore-bombardment", ["kido", "lost"], (6, 0))
    waiting = intercept(state, ["tf", "gone"], key, (4, 0))
    for name in ("lost", "gone"):
        state.operation.fleet[name].group.ships.clear()
    turn_back(state, key)
    assert state.operation.is_over(key)
    assert state.operation.is_over(waiting)
    assert home_of(state, "tf").activity is home_of(state, "kido").activity is Activity.RETURN


@pytest.mark.rule("22.282")
def test_destroyers_that_turn_back_bar_nothing() -> None:
    """22.282 is about transports."""
    state = whole(zones={"noumea": "pacific"})
    turn_back(state, sail(state, "sea-transport", "kido", (6, 0), base="noumea"))
    assert state.operation.barred_zones == []


@pytest.mark.rule("22.26B", "22.92")
def test_a_voyage_that_is_over_lets_its_interceptors_go() -> None:
    """22.26B: all who were to intercept it return, those who countered them too, and submarines are back unused."""
    state = whole(force("cover", "red", "rabaul", cruisers=10), flotilla("boats", "blue", "noumea"))
    sail(state, "shore-bombardment", "kido", (6, 0))
    first = intercept(state, "tf", "v1", (4, 0))
    second = intercept(state, "cover", first, (6, 0))
    dive(state, "boats", "v1", (4, 0))
    finish(state, "v1")
    assert all(state.operation.is_over(key) for key in ("v1", first, second))
    assert home_of(state, "tf").activity is home_of(state, "cover").activity is Activity.RETURN
    assert not state.operation.fleet["tf"].inverted
    assert (
        state.operation.flotillas["boats"].away,
        state.operation.flotillas["boats"].tried,
        state.operation.flotillas["boats"].inverted,
    ) == (
        0,
        1,
        0,
    )


# --- in port: 22.63 ---------------------------------------------------------------------------------------------


@pytest.mark.rule("22.63", "23.444")
def test_in_port_a_force_is_ready_for_something_new() -> None:
    """22.63: it lies in the base that was chosen, no longer on any activity, and light hits are gone (20.512)."""
    state = whole(force("bb", "red", "truk", "Kongo", "Haruna", destroyers=2))
    ships = state.operation.fleet["bb"].group.ships
    for which in [which for which in ships if which.named]:
        del ships[which]
        ships[which.bearing(1 if which.id == "kongo" else which.size - 1)] = 1
    at_sea(state, "bb", (6, 0))
    state.operation.fleet["bb"].group.activity = "shore-bombardment"
    send_home(state, "bb", "rabaul")
    played = cruise(state, homeward.start(state.operation.fleet["bb"].voyage))
    made = played.state.operation.fleet["bb"]
    assert (made.base, made.at, made.voyage, made.patrol, made.group.activity) == ("rabaul", (0, 4), "", "", "")
    assert {which.id: which.hits for which in made.group.ships if which.named} == {"kongo": 0, "haruna": 2}


@pytest.mark.rule("22.26D", "SOP-NI-K.1")
def test_ships_that_were_withheld_and_damaged_afterwards_stay_with_the_others() -> None:
    """22.26D: they have fought after all, so the force is inverted as a whole and not divided."""
    state = whole(force("bb", "red", "truk", "Kongo", cruisers=8))
    made = state.operation.fleet["bb"]
    kongo = next(which for which in made.group.ships if which.named)
    at_sea(state, "bb", (6, 0))
    made.inverted, made.spared = True, {kongo: 1}
    del made.group.ships[kongo]
    made.group.ships[kongo.bearing(kongo.size - 1)] = 1
    send_home(state, "bb", ORIGIN)
    dock(state, home_of(state, "bb"))
    assert made.inverted
    assert [key for key in state.operation.fleet if key.startswith("bb")] == ["bb"]


@pytest.mark.rule("22.27")
def test_interceptors_of_a_force_that_is_in_port_return() -> None:
    """22.27: who still waits for a force that has come through goes home, uninverted."""
    state = whole()
    key = sail(state, "base-change", "kido", (0, 4), base="rabaul")
    intercept(state, "tf", key, (0, 3), arrives=2)
    voyage = state.operation.voyages[key]
    voyage.step = len(voyage.path) - 1
    dock(state, voyage)
    assert home_of(state, "tf").activity is Activity.RETURN
    assert not state.operation.fleet["tf"].inverted


@pytest.mark.rule("22.63C")
def test_an_invaded_base_is_left_out_if_there_is_another() -> None:
    """22.63C: in the combat stage a force does not return to a base that is the target of an invasion, unless it is the
    only one within 20 hexes."""
    for ports, base in ((PORTS, "suva"), ((TRUK, NOUMEA), "noumea")):
        state = sea(*ports, KIDO, TF, stage="combat")
        sail(state, "seaborne-invasion", "kido", (9, 0), base="noumea")
        sail(state, "return", "tf", (9, 0), start=(6, 0), base="noumea")
        state.operation.fleet["tf"].at = (6, 0)
        send_home(state, "tf", ORIGIN)
        assert home_of(state, "tf").base == base
    other_stage = sea(*PORTS, KIDO, TF, stage="redeployment")
    sail(other_stage, "seaborne-invasion", "kido", (9, 0), base="noumea")
    send_home(other_stage, "tf", ORIGIN)
    assert home_of(other_stage, "tf").base == "noumea"


@pytest.mark.rule("22.63C")
@pytest.mark.parametrize(("pacific", "base"), [(False, "suva"), (True, "noumea")])
def test_a_refuge_from_an_invasion_is_nearer_in_the_pacific(pacific: bool, base: str) -> None:
    """22.63C: another port is within 20 hexes, in the Pacific within 10; else the force returns to the invaded one."""
    ports = (seas.TRUK, seas.NOUMEA, port("suva", "blue", (18, 0)))
    state = sea(*ports, seas.KIDO, seas.TF, stage="combat", pacific=pacific)
    sail(state, "seaborne-invasion", "kido", (9, 0), base="noumea")
    sail(state, "return", "tf", (9, 0), start=(6, 0), base="noumea")
    state.operation.fleet["tf"].at = (6, 0)
    send_home(state, "tf", ORIGIN)
    assert home_of(state, "tf").base == base


@pytest.mark.rule("22.63C")
@pytest.mark.parametrize(("stage", "closed"), [("combat", ("noumea",)), ("redeployment", ())])
def test_a_battle_knows_which_bases_are_invaded(stage: str, closed: tuple[str, ...]) -> None:
    """22.63C: in the battles of the combat stage everybody knows what is being invaded."""
    state = sea(*seas.PORTS, seas.KIDO, seas.TF, stage=stage)
    sail(state, "seaborne-invasion", "kido", (9, 0), base="noumea")
    set_scene(state, (4, 0))
    assert state.scene.invaded == closed


@pytest.mark.rule("22.63C")
@pytest.mark.parametrize(("pacific", "most"), [(False, 20), (True, 10)])
@pytest.mark.parametrize("beyond", [0, 1])
def test_the_other_base_is_in_range(pacific: bool, most: int, beyond: int) -> None:
    """22.63C: within 20 hexes of where the force is, 10 in the Pacific; else it returns to its own. That others move to
    that base does not close it."""
    far, mover = (5 + most + beyond, 0), force("mover", "blue", "noumea", cruisers=2)
    state = sea(TRUK, NOUMEA, port("suva", "blue", far), KIDO, TF, mover, stage="combat", pacific=pacific)
    sail(state, "base-change", "mover", far, base="suva")
    sail(state, "seaborne-invasion", "kido", (9, 0), base="noumea")
    state.operation.fleet["tf"].at = (5, 0)
    send_home(state, "tf", ORIGIN)
    assert home_of(state, "tf").base == ("noumea" if beyond else "suva")


@pytest.mark.rule("22.63C", "22.63")
@pytest.mark.parametrize(("based", "base"), [(40, "sydney"), (41, "suva")])
def test_of_several_bases_it_is_the_nearest_that_has_room(based: int, base: str) -> None:
    """22.63C: a port holds fifty factors, so that ten more find room beside forty and not beside 41."""
    full = [force(f"full{n}", "blue", "sydney", destroyers=some) for n, some in enumerate((20, based - 20))]
    state = sea(TRUK, SUVA, NOUMEA, port("sydney", "blue", (9, -2)), KIDO, TF, *full, stage="combat")
    sail(state, "seaborne-invasion", "kido", (9, 0), base="noumea")
    state.operation.fleet["tf"].at = (6, 0)
    send_home(state, "tf", ORIGIN)
    assert home_of(state, "tf").base == base


@pytest.mark.rule("22.63")
def test_submarines_that_are_away_or_inverted_take_room_in_their_port_as_well() -> None:
    state = whole(flotilla("boats", "red", "rabaul", 1, tried=2, away=4, inverted=8))
    assert port_room(state, "rabaul") == 50 - 15


@pytest.mark.rule("22.63")
@pytest.mark.parametrize(("bound", "truk", "rabaul"), [("", 50, 40), (ORIGIN, 40, 50), ("truk", 40, 50)])
def test_who_fights_takes_room_in_the_port_that_he_returns_to(bound: str, truk: int, rabaul: int) -> None:
    """22.63: where he is bound for on his voyage, as long as nothing else is said."""
    state = sea(*PORTS, KIDO, TF, stage="combat")
    sail(state, "base-change", "kido", (0, 4), base="rabaul")
    bring_in(state, "kido")
    state.battle.groups["kido"].bound = bound
    assert (port_room(state, "truk"), port_room(state, "rabaul")) == (truk, rabaul)


def crowded(*, air: int = 0, **more: Any) -> State:
    """Fifty-one factors in Truk, which holds fifty."""
    forces = [force(f"full{n}", "red", "truk", cruisers=20) for n in (1, 2)]
    return sea(*PORTS, *forces, force("last", "red", "truk", "Akagi", cruisers=8, air=air), **more)


@pytest.mark.rule("22.63D")
def test_a_port_that_holds_too_much_loses_ships_of_its_owners_choice() -> None:
    """22.63D: the owner gives up ships until the port holds the rest."""
    state = crowded()
    assert excess(state, "truk") == 1
    run(clear_overstacking(state, "truk", "22.63D"), "last/akagi")
    assert excess(state, "truk") == 0
    assert {which.id: number for which, number in state.losses.ships.items()} == {"akagi": 1}
    assert factors(state.operation.fleet["last"].group.ships) == 8


@pytest.mark.rule("22.63D", "17.3124")
def test_squadrons_are_lost_with_a_carrier_that_is_given_up() -> None:
    state = crowded(air=3)
    run(clear_overstacking(state, "truk", "22.63D"), "last/akagi")
    assert state.operation.fleet["last"].group.air == state.operation.fleet["last"].grounded == {}
    assert state.losses.air == {"japan/naval/squadrons": 3}


@pytest.mark.rule("22.63D")
@pytest.mark.parametrize(("stage", "lost"), [("movement", True), ("combat", False), ("redeployment", True)])
def test_overstacking_is_put_right_with_movement_and_redeployment(stage: str, lost: bool) -> None:
    """22.63D: with the end of the owner's movement or redeployment stage, not before."""
    state = crowded(stage=stage, stages=(stage,))
    played = cruise(state, operation)
    assert (excess(played.state, "truk") == 0) == lost
    assert any(verb.startswith("surplus") for verb in played.asked) == lost


@pytest.mark.rule("22.63E")
@pytest.mark.parametrize(("activity", "lost"), [("redeployment", True), ("shore-bombardment", False)])
def test_after_a_failed_redeployment_the_excess_is_lost_at_once(activity: str, lost: bool) -> None:
    """22.63E: ships that come back from a redeployment to a base that is full are lost, others have until the end of
    the phase."""
    state = crowded(stage="redeployment")
    state.operation.fleet["last"].at = (0, 2)
    sail(state, "return", "last", (0, 0), start=(0, 2), base="truk", was=activity)
    assert any(verb.startswith("surplus") for verb in cruise(state, homeward.start("v1")).asked) == lost


def test_boxes_hold_any_number() -> None:
    """21.11: a box is never too full."""
    box = port("box", "red", (0, 0), box=True)
    forces = [force(f"full{n}", "red", "box", cruisers=24) for n in (1, 2, 3)]
    assert excess(sea(box, NOUMEA, *forces), "box") == 0
