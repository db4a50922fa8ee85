"""Where a naval force may be intercepted, and how often (22.12, 22.13, 22.18)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.interception.hexes import (
    began_at_sea,
    forces_on_leg,
    interceptable_hexes,
    legs,
    open_legs,
)
from flagplot.awaw.operations.passage.homeward import finish
from flagplot.awaw.state.operation import Activity, Progress, Voyage
from flagplot.awaw.state.state import State
from tests.awaw.seas import force, ocean, port, sail, sea, sides


def line(first: int, last: int) -> tuple[Hex, ...]:
    """The hexes of the middle row from one to another."""
    step = 1 if last >= first else -1
    return tuple((q, 0) for q in range(first, last + step, step))


def one(to: Hex = (5, 0), **more: Any) -> tuple[State, str]:
    """A task force that sails from Truk in (0, 0)."""
    board = more.pop("board", None)
    state = sea(port("truk", "red", (0, 0)), force("tf", "red", "truk", "Akagi", cruisers=8), board=board)
    return state, sail(state, more.pop("activity", "base-change"), "tf", to, **more)


@pytest.mark.rule("22.12A", "22.131")
def test_a_force_from_port_may_be_met_from_its_base_to_its_destination() -> None:
    state, key = one()
    assert open_legs(state, key) == {0: line(0, 5)}


@pytest.mark.rule("22.12B", "22.18B", "22.115")
def test_a_force_that_returns_is_met_first_beside_its_activity_hex() -> None:
    state, key = one((5, 0), activity="return", start=(0, 0))
    assert open_legs(state, key) == {0: line(1, 5)}
    assert open_legs(*one((0, 0), activity="return", start=(0, 0))) == {}


@pytest.mark.rule("22.12B")
def test_a_force_from_a_patrol_hex_is_not_met_where_it_was() -> None:
    state = sea(
        port("truk", "red", (0, 0)),
        force("tf", "red", "truk", "Akagi", cruisers=8, at=(3, 0), patrol="offensive"),
    )
    key = sail(state, "shore-bombardment", "tf", (6, 0))
    assert open_legs(state, key) == {0: line(4, 6)}


@pytest.mark.rule("22.12B", "22.18B")
def test_who_begins_at_sea() -> None:
    """22.12B: who returns or comes from a patrol hex; who has left port begins there, wherever he is by now."""
    state = sea(
        port("truk", "red", (0, 0)),
        force("tf", "red", "truk", cruisers=8),
        force("patrol", "red", "truk", cruisers=8, at=(3, 0), patrol="offensive"),
    )
    from_port = state.operation.voyages[sail(state, "shore-bombardment", "tf", (6, 0))]
    from_patrol = state.operation.voyages[sail(state, "shore-bombardment", "patrol", (6, 0))]
    assert not began_at_sea(from_port)
    assert began_at_sea(from_patrol)
    from_port.step, from_port.progress = 0, Progress.UNDER_WAY
    assert not began_at_sea(from_port)
    from_port.activity = Activity.RETURN
    assert began_at_sea(from_port)


@pytest.mark.rule("22.12")
def test_hexes_that_were_passed_cannot_be_chosen() -> None:
    state, key = one()
    state.operation.voyages[key].step, state.operation.voyages[key].progress = 2, Progress.UNDER_WAY
    assert open_legs(state, key) == {0: line(3, 5)}


@pytest.mark.rule("22.13")
def test_one_hex_is_all_there_is_on_a_path() -> None:
    state, key = one()
    state.operation.voyages[key].intercepted.append(0)
    assert open_legs(state, key) == {}


@pytest.mark.rule("22.13E", "SOP-NI-C.1")
def test_submarines_may_still_choose_a_hex() -> None:
    state, key = one()
    state.operation.voyages[key].intercepted.append(0)
    assert open_legs(state, key, submarines=True) == {0: line(0, 5)}


@pytest.mark.rule("22.13A", "SOP-NI-C.3")
def test_straits_make_two_of_a_path() -> None:
    board = ocean(straits=[("Skagerrak", (2, 0), (3, 0))])
    state, key = one(board=board)
    assert open_legs(state, key) == {0: line(0, 2), 1: line(3, 5)}
    state.operation.voyages[key].intercepted.append(0)
    assert open_legs(state, key) == {1: line(3, 5)}


@pytest.mark.rule("22.13B")
def test_each_activity_of_a_force_may_be_intercepted() -> None:
    state, key = one()
    state.operation.voyages[key].intercepted.append(0)
    state.operation.voyages[key].progress = Progress.OVER
    again = sail(state, "redeployment", "tf", (4, 0))
    assert open_legs(state, again) == {0: line(0, 4)}


@pytest.mark.rule("22.13G")
@pytest.mark.parametrize("activity", ["displacement", "escape"])
def test_displaced_and_escaping_forces_may_be_intercepted(activity: str) -> None:
    assert open_legs(*one(activity=activity)) == {0: line(0, 5)}


@pytest.mark.rule("22.13F", "SOP-NI-C.2", "22.115")
def test_who_was_intercepted_on_the_way_out_may_be_intercepted_again_on_the_way_home() -> None:
    state, key = one()
    state.operation.voyages[key].intercepted.append(0)
    state.operation.voyages[key].progress = Progress.OVER
    home = sail(state, "return", "tf", (0, 0), start=(5, 0))
    assert open_legs(state, home) == {0: line(4, 0)}


# --- patrols --------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.164A")
def test_a_patrol_is_met_in_the_hex_that_it_has_just_entered() -> None:
    state, key = one(activity="patrol")
    assert open_legs(state, key) == {}
    state.operation.voyages[key].step, state.operation.voyages[key].progress = 2, Progress.UNDER_WAY
    assert open_legs(state, key) == {0: ((2, 0),)}
    state.operation.voyages[key].intercepted.append(0)
    assert open_legs(state, key) == {}


@pytest.mark.rule("SOP-PA-D.2")
def test_a_patrol_that_stays_is_met_in_its_hex_if_nobody_has_tried() -> None:
    state, key = one(activity="patrol")
    patrol = state.operation.voyages[key]
    patrol.step, patrol.progress, patrol.staying = 5, Progress.ARRIVED, True
    assert open_legs(state, key) == {0: ((5, 0),)}
    patrol.intercepted.append(0)
    assert open_legs(state, key) == {}


# --- combining and splitting ----------------------------------------------------------------------------------


def rendezvous() -> State:
    """Three task forces from Manila, Okinawa and Tokyo that meet at sea in (5, 0) and go on to (9, 0)."""
    state = sea(
        port("manila", "red", (0, 0)),
        port("okinawa", "red", (5, -3)),
        port("tokyo", "red", (5, 4)),
        force("m", "red", "manila", "Akagi", cruisers=8),
        force("o", "red", "okinawa", "Kaga", cruisers=8),
        force("t", "red", "tokyo", "Hiryu", cruisers=8),
    )
    host = sail(state, "fast-carrier-mission", "m", (9, 0), parts=((5, 0),))
    sail(state, "fast-carrier-mission", "o", (5, 0), joins=host)
    sail(state, "fast-carrier-mission", "t", (5, 0), joins=host)
    return state


@pytest.mark.rule("22.13-EX", "22.13C.1", "SOP-NI-C.4")
def test_three_forces_that_meet_at_sea_may_be_intercepted_four_times() -> None:
    state = rendezvous()
    found = {(key, leg): hexes for key in state.operation.voyages for leg, hexes in open_legs(state, key).items()}
    assert len(found) == 4
    assert found["v1", 0] == line(0, 4)
    assert found["v1", 1] == line(5, 9)
    assert found["v2", 0] == ((5, -3), (5, -2), (5, -1))
    assert found["v3", 0] == ((5, 4), (5, 3), (5, 2), (5, 1))


@pytest.mark.rule("22.13C.1")
def test_from_the_meeting_on_the_force_is_all_of_them() -> None:
    state = rendezvous()
    assert forces_on_leg(state, "v1", 0) == ["m"]
    assert sorted(forces_on_leg(state, "v1", 1)) == ["m", "o", "t"]


@pytest.mark.rule("22.13C.1")
def test_if_the_first_is_gone_the_others_still_meet_where_they_were_to() -> None:
    """22.13C: who takes its place sails alone to the meeting hex, and from there on with the other."""
    state = rendezvous()
    finish(state, "v1")
    assert legs(state, "v2") == ((0, 2), (3, 7))
    assert [forces_on_leg(state, "v2", leg) for leg in (0, 1)] == [["o"], ["o", "t"]]


@pytest.mark.rule("22.13-EX", "22.13C.2")
def test_forces_that_are_picked_up_in_port_are_not_intercepted_alone() -> None:
    state = sea(
        port("manila", "red", (0, 0)),
        port("okinawa", "red", (3, 0)),
        port("tokyo", "red", (6, 0)),
        force("m", "red", "manila", "Akagi", cruisers=8),
        force("o", "red", "okinawa", "Kaga", cruisers=8),
        force("t", "red", "tokyo", "Hiryu", cruisers=8),
    )
    host = sail(state, "fast-carrier-mission", "m", (9, 0), parts=((3, 0), (6, 0)))
    sail(state, "fast-carrier-mission", "o", (3, 0), joins=host)
    sail(state, "fast-carrier-mission", "t", (6, 0), joins=host)
    found = {(key, leg): hexes for key in state.operation.voyages for leg, hexes in open_legs(state, key).items()}
    assert found == {("v1", 0): line(0, 2), ("v1", 1): line(3, 5), ("v1", 2): line(6, 9)}
    assert [sorted(forces_on_leg(state, host, leg)) for leg in range(3)] == [["m"], ["m", "o"], ["m", "o", "t"]]


def parting(to: Hex, activity: str = "base-change") -> State:
    """A force that sails east to (8, 0), and another that parts from it in (4, 0)."""
    state = sea(
        port("truk", "red", (0, 0)),
        force("whole", "red", "truk", "Akagi", cruisers=8),
        force("part", "red", "truk", "Kaga", cruisers=8),
    )
    parent = sail(state, activity, "whole", (8, 0))
    path = state.operation.plan.board.sea_path((4, 0), to)
    assert path is not None
    child = Voyage("red", Activity(activity), ["part"], path, shown=True, leaves=parent)
    state.operation.voyages["child"] = child
    return state


@pytest.mark.rule("22.13D", "SOP-NI-C.4")
def test_a_force_that_parts_from_another_is_a_new_one_where_the_other_does_not_go() -> None:
    state = parting((4, 3))
    assert open_legs(state, "v1") == {0: line(0, 8)}
    assert open_legs(state, "child") == {0: ((4, 1), (4, 2), (4, 3))}
    state.operation.voyages["v1"].intercepted.append(0)
    assert open_legs(state, "child") == {0: ((4, 1), (4, 2), (4, 3))}


@pytest.mark.rule("22.13D")
def test_a_force_that_parts_and_goes_the_same_way_is_no_new_one() -> None:
    assert open_legs(parting((6, 0)), "child") == {}


@pytest.mark.rule("22.18D")
def test_so_it_is_on_the_way_home() -> None:
    state = parting((4, 3), "return")
    assert open_legs(state, "child") == {0: ((4, 1), (4, 2), (4, 3))}


def test_legs_are_told_apart_by_their_places_on_the_path() -> None:
    state = rendezvous()
    assert legs(state, "v1") == ((0, 4), (5, 9))
    assert interceptable_hexes(state, "v1", 1)[0] == (5, 0)


# --- those who may not be intercepted -------------------------------------------------------------------------


def northern(activity: str, home: str, to: str, **more: Any) -> dict[int, tuple[Hex, ...]]:
    """The legs of a German voyage from one northern port to another."""
    ports = {"bergen": (0, 0), "scapa-flow": (-4, 0), "oslo": (4, 0), "kiel": (6, 0), "brest": (0, 5)}
    norway = tuple((q, 0) for q in range(1, 4))
    state = sea(
        *[port(name, "red", at) for name, at in ports.items()],
        force("tf", "red", home, nation="germany", cruisers=4, destroyers=6, **more.pop("ships", {})),
        norway=more.pop("norway", norway),
    )
    if more.pop("began_at_sea", False):
        state.operation.fleet["tf"].began_at_sea = True
    return open_legs(state, sail(state, activity, "tf", ports[to], base=to, **more))


@pytest.mark.rule("22.11A", "22.11A.1")
@pytest.mark.parametrize("home", ["bergen", "scapa-flow"])
def test_raiders_from_bergen_and_scapa_flow_are_safe(home: str) -> None:
    assert northern("raid", home, "brest") == {}
    assert northern("base-change", home, "brest") != {}


@pytest.mark.rule("22.11A", "22.11A.1")
def test_raiders_that_return_to_bergen_or_scapa_flow_are_safe() -> None:
    assert northern("return", "brest", "bergen", start=(0, 5), was="raid") == {}
    assert northern("return", "brest", "scapa-flow", start=(0, 5), was="raid") == {}
    assert northern("return", "brest", "bergen", start=(0, 5), was="patrol") != {}
    assert northern("return", "bergen", "brest", start=(0, 0), was="raid") != {}


@pytest.mark.rule("22.11C")
def test_other_raiders_may_be_intercepted_on_the_map() -> None:
    assert northern("raid", "kiel", "brest") != {}
    assert northern("raid", "brest", "bergen") != {}


@pytest.mark.rule("22.11A", "22.11A.2")
def test_raiders_that_began_at_sea_return_in_safety() -> None:
    assert northern("return", "brest", "kiel", start=(0, 5), was="raid", began_at_sea=True) == {}
    assert northern("return", "brest", "kiel", start=(0, 5), was="raid") != {}
    assert northern("raid", "brest", "kiel", began_at_sea=True) != {}


def group(activity: str, *homes: str, began: tuple[bool, bool], **more: Any) -> bool:
    """Whether two forces that sail together may not be intercepted."""
    ports = [port("bergen", "red", (0, 0)), port("kiel", "red", (6, 0)), port("atlantic", "red", (-6, 0), box=True)]
    forces = [force(f"f{n}", "red", home, nation="germany", cruisers=2) for n, home in enumerate(homes)]
    state = sea(*ports, *forces)
    for name, at_sea in zip(("f0", "f1"), began, strict=True):
        state.operation.fleet[name].began_at_sea = at_sea
    return not open_legs(state, sail(state, activity, ["f0", "f1"], (6, 0), base="kiel", **more))


@pytest.mark.rule("22.11A.1", "22.11A.2")
def test_raiders_that_sail_together_are_one_group() -> None:
    """22.11A: one raider from Bergen, or one that returns after it began at sea, makes the others safe; when they only
    change base all must have begun at sea."""
    neither, one, both = (False, False), (True, False), (True, True)
    assert group("raid", "bergen", "kiel", began=neither)
    assert not group("raid", "kiel", "kiel", began=neither)
    assert group("return", "kiel", "kiel", began=one, was="raid", start=(0, 0))
    assert not group("return", "kiel", "kiel", began=neither, was="raid", start=(0, 0))
    assert group("base-change", "atlantic", "atlantic", began=both)
    assert not group("base-change", "atlantic", "atlantic", began=one)


@pytest.mark.rule("22.11A", "22.11A.4")
def test_asw_is_safe() -> None:
    assert northern("asw-deployment", "brest", "kiel") == {}
    assert northern("return", "brest", "kiel", start=(0, 5), was="asw-deployment") == {}


@pytest.mark.rule("22.11A", "22.11A.6")
@pytest.mark.parametrize(
    ("home", "to"), [("bergen", "oslo"), ("oslo", "bergen"), ("bergen", "kiel"), ("kiel", "bergen")]
)
@pytest.mark.parametrize("activity", ["base-change", "redeployment"])
def test_axis_moves_along_norway_are_safe_there_and_only_there(activity: str, home: str, to: str) -> None:
    (hexes,) = northern(activity, home, to).values()
    assert not {(1, 0), (2, 0), (3, 0)} & set(hexes)
    assert {(0, 0), (4, 0)} <= set(hexes)


@pytest.mark.rule("22.11A.6")
def test_other_moves_along_norway_are_not_safe() -> None:
    (patrol,) = northern("sea-transport", "bergen", "oslo").values()
    assert (2, 0) in patrol
    (elsewhere,) = northern("base-change", "oslo", "scapa-flow").values()
    assert (2, 0) in elsewhere
    (west,) = northern("base-change", "bergen", "scapa-flow", norway=((-2, 0),)).values()
    assert (-2, 0) in west


@pytest.mark.rule("22.11A.6")
@pytest.mark.parametrize(
    ("nations", "safe"), [(["germany"], True), (["britain"], False), (["germany", "britain"], False)]
)
def test_only_the_axis_is_safe_along_norway(nations: list[str], safe: bool) -> None:
    """22.11A: it is for Axis forces that the coast of Norway is safe between Bergen and Oslo."""
    nations_at_war = sides(red=["germany", "britain", "hungary"], blue=["australia"])
    ports = port("bergen", "red", (0, 0)), port("oslo", "red", (4, 0))
    moved = [force(nation, "red", "bergen", nation=nation, cruisers=10) for nation in nations]
    state = sea(*ports, *moved, norway=((1, 0), (2, 0), (3, 0)), settings=nations_at_war)
    (hexes,) = open_legs(state, sail(state, "base-change", nations, (4, 0), base="oslo")).values()
    assert ((2, 0) in hexes) is not safe


@pytest.mark.rule("22.11A", "22.11A.5")
def test_western_transports_to_a_box_are_safe() -> None:
    def found(to: str, **ships: Any) -> dict[int, tuple[Hex, ...]]:
        state = sea(
            port("boston", "red", (0, 0)),
            port("atlantic", "red", (9, 0), box=True),
            port("brest", "red", (9, 1)),
            force("convoy", "red", "boston", task_force=False, **{"nation": "britain", **ships}),
            settings={
                "sides": [
                    {"id": "red", "name": "Red", "nations": ["britain", "hungary", "germany"]},
                    {"id": "blue", "name": "Blue", "nations": ["japan", "australia"]},
                ]
            },
        )
        return open_legs(state, sail(state, "redeployment", "convoy", state.place(to).at, base=to))

    assert found("atlantic", transports=4) == {}
    assert found("brest", transports=4) != {}
    assert found("atlantic", transports=4, destroyers=2) != {}
    assert found("atlantic", transports=4, nation="germany") != {}


@pytest.mark.rule("22.11A", "22.11A.7", "22.917")
def test_submarines_are_nobodys_target() -> None:
    state, _ = one()
    state.operation.voyages["sub"] = Voyage(
        "blue", Activity.INTERCEPTION, [], line(5, 3), shown=True, level=1, flotilla="subs"
    )
    assert open_legs(state, "sub") == {}
