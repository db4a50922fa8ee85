"""Forces that are intercepted together stay together: whoever sails first, there is one battle, with all of them in the
hex (22.141, 22.162, 22.252); and what follows for patrols, for counters and for the way home."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.interception.dice import task_forces
from flagplot.awaw.operations.interception.hexes import open_legs
from flagplot.awaw.operations.interception.sailing_together import companions, met_together
from flagplot.awaw.operations.passage.homeward import send_home
from flagplot.awaw.procedures import confrontation, operation, patrol
from flagplot.awaw.state.operation import Activity, Order, Progress
from flagplot.awaw.state.state import State
from flagplot.kernel.plain import copy_of
from flagplot.kernel.procedures import Frame
from flagplot.kernel.requests import Roll
from tests.awaw.seas import flotilla, force, offered, play, port, sail, sea
from tests.awaw.voyages import Cruise, cruise, dive, intercept, reaching

TRUK, RABAUL, LAE = port("truk", "red", (0, 0)), port("rabaul", "blue", (4, 4)), port("lae", "blue", (6, 4))
A, B = force("a", "red", "truk", "Nagato", cruisers=8), force("b", "red", "truk", "Mutsu", cruisers=8)
X, Y = force("x", "blue", "rabaul", "Iowa", cruisers=8), force("y", "blue", "lae", "New Jersey", cruisers=8)
SAIL, SAIL_HOME = Frame("stage", "sail", ()), Frame("stage", "sail_home", ())


def pair(*more: dict[str, Any], ends: tuple[Hex, Hex] = ((8, 0), (9, 0))) -> State:
    """Two task forces that sail from Truk by the same way, as v1 and v2; x is in Rabaul, y in Lae."""
    state = sea(TRUK, RABAUL, LAE, A, B, X, Y, *more, stage="combat", stages=("combat",))
    sail(state, "shore-bombardment", "a", ends[0])
    sail(state, "shore-bombardment", "b", ends[1])
    return state


def sailed(state: State, *orders: str, start: Frame = SAIL, flees: str = "blue", **more: Any) -> Cruise:
    return cruise(state, start, *orders, flees=flees, dice=reaching(), **more)


# --- 22.141: one battle -----------------------------------------------------------------------------------------


@pytest.mark.rule("22.141", "22.19A", "22.19B")
@pytest.mark.parametrize("first", ["v1", "v2"])
def test_whoever_sails_first_both_are_met(first: str) -> None:
    """22.141: a force that passes the interception hex with the one that is intercepted does not slip by, in whatever
    order they sail; all of them are in the hex when the battle begins, and afterwards both go on."""
    state = pair()
    intercept(state, "x", "v1", (4, 0))
    played = sailed(state, f"sail:{first}")
    (battle,) = played.battles
    assert (battle.at, battle.forces) == ("4,0", {"a", "b", "x"})
    assert {battle.where[name] for name in battle.forces} == {(4, 0)}
    assert played.log().count("shore bombardment by") == 2


@pytest.mark.rule("22.141", "22.162")
def test_two_interceptions_in_one_hex_are_one_battle() -> None:
    """22.141: who intercepts one of them and who intercepts the other in the same hex fight side by side."""
    state = pair()
    intercept(state, "x", "v1", (4, 0))
    intercept(state, "y", "v2", (4, 0))
    (battle,) = sailed(state, "sail:v1").battles
    assert battle.forces == {"a", "b", "x", "y"}
    assert {battle.where[name] for name in battle.forces} == {(4, 0)}


@pytest.mark.rule("22.141", "22.24B")
def test_late_interceptors_of_the_other_join_as_well() -> None:
    state = pair()
    intercept(state, "x", "v1", (4, 0))
    intercept(state, "y", "v2", (4, 0), arrives=2)
    (battle,) = sailed(state, "sail:v1").battles
    assert battle.arrives == {"a": 1, "b": 1, "x": 1, "y": 2}


@pytest.mark.rule("22.141A")
def test_forces_on_other_ways_do_not_wait() -> None:
    """22.141A: forces that only cross are met apart, each in its own battle."""
    saipan = port("saipan", "red", (4, -4))
    state = sea(TRUK, RABAUL, LAE, saipan, A, force("b", "red", "saipan", cruisers=10), X, Y, stage="combat")
    sail(state, "shore-bombardment", "a", (8, 0))
    sail(state, "shore-bombardment", "b", (4, 3))
    assert (4, 0) in state.operation.voyages["v2"].path
    intercept(state, "x", "v1", (4, 0))
    intercept(state, "y", "v2", (4, 0))
    played = sailed(state, "sail:v1")
    assert [battle.forces for battle in played.battles] == [{"a", "x"}, {"b", "y"}]
    assert played.battles[0].where["b"] == (4, -4)


@pytest.mark.rule("22.26B", "22.141")
def test_who_turns_back_on_the_way_is_not_waited_for() -> None:
    """22.26B: the force for which the interceptors came is gone: they return, and the other goes on unmet."""
    state = pair(flotilla("boats", "blue", "lae"))
    intercept(state, "x", "v2", (4, 0))
    dive(state, "boats", "v2", (2, 0))
    played = sailed(state, "sail:v1", "abort:v2:abort")
    assert not played.battles
    assert played.log().count("shore bombardment by") == 1
    assert "x" not in played.inverted()


@pytest.mark.rule("22.18C", "22.141")
@pytest.mark.parametrize("first", ["v1", "v2"])
def test_on_the_way_home_too(first: str) -> None:
    """22.18C: forces that return protect each other as on the way out."""
    state = sea(TRUK, RABAUL, LAE, A, B, X, Y, stage="combat", stages=("combat",))
    for name, start in (("a", (8, 0)), ("b", (9, 0))):
        sail(state, "return", name, (0, 0), start=start, base="truk")
        state.operation.fleet[name].at = start
    intercept(state, "x", "v1", (4, 0))
    played = sailed(state, f"sail:{first}", start=SAIL_HOME)
    assert [battle.forces for battle in played.battles] == [{"a", "b", "x"}]
    assert all(played.state.operation.fleet[name].in_port for name in ("a", "b"))


@pytest.mark.rule("22.13C.1", "22.141")
def test_who_joins_in_the_hex_is_counted_with_those_whom_he_joins() -> None:
    """22.13C: in the hex where forces meet they are one; the joiner is no companion beside them."""
    state = pair(ends=((8, 0), (4, 0)))
    state.operation.voyages["v2"].joins = "v1"
    assert companions(state, "v1", (3, 0)) == ["v2"]
    assert companions(state, "v1", (4, 0)) == []


@pytest.mark.rule("22.141")
def test_a_hex_in_which_nobody_waits_holds_nobody_up() -> None:
    state = pair()
    assert met_together(state, "v1", (4, 0)) == []
    intercept(state, "x", "v2", (4, 0))
    assert sorted(met_together(state, "v1", (4, 0))) == ["v1", "v2"]
    assert met_together(state, "v1", (5, 0)) == []


@pytest.mark.rule("22.141", "22.24B.3")
def test_nobody_waits_for_those_who_are_only_met_late() -> None:
    """22.24B: who is late needs somebody who is in time; without him there is no battle to wait for."""
    state = pair()
    intercept(state, "x", "v1", (4, 0), arrives=2)
    assert met_together(state, "v2", (4, 0)) == []
    played = sailed(state, "sail:v2")
    assert not played.battles
    assert "x" not in played.inverted()


@pytest.mark.rule("22.141", "22.141A")
@pytest.mark.parametrize("both", [True, False])
def test_who_is_with_one_that_is_met_is_met_too(both: bool) -> None:
    """22.141: a and b come by the same way, b and c leave by the same way. If a alone is intercepted c has nothing to
    do with it; if b is intercepted as well all of them fight one battle."""
    third = force("c", "red", "yap", "Ise", cruisers=8)
    state = sea(TRUK, port("yap", "red", (4, -3)), RABAUL, LAE, A, B, third, X, Y, stage="combat")
    sail(state, "shore-bombardment", "a", (4, 2), via=[(4, 0)])
    sail(state, "shore-bombardment", "b", (8, 0))
    sail(state, "shore-bombardment", "c", (9, 0), via=[(4, 0)])
    assert companions(state, "v1", (4, 0)) == ["v2"]
    intercept(state, "x", "v1", (4, 0))
    if both:
        intercept(state, "y", "v2", (4, 0))
    for first in ("v1", "v2", "v3"):
        battles = sailed(state, f"sail:{first}").battles
        assert [battle.forces for battle in battles] == ([{"a", "b", "c", "x", "y"}] if both else [{"a", "b", "x"}])


@pytest.mark.rule("22.141")
def test_there_is_one_battle_in_a_hex_however_long_the_chain() -> None:
    """22.141: a comes with b, b leaves with c, c comes with d; as b and c are intercepted there all four are met."""
    yap = port("yap", "red", (4, -3))
    own = [A, B, *[force(name, "red", "yap", cruisers=10) for name in ("c", "d")]]
    state = sea(TRUK, yap, RABAUL, LAE, *own, X, Y, stage="combat")
    for name, end in (("a", (4, 2)), ("b", (8, 0)), ("c", (9, 0)), ("d", (2, 2))):
        sail(state, "shore-bombardment", name, end, via=[(4, 0)])
    assert [companions(state, key, (4, 0)) for key in ("v1", "v4")] == [["v2"], ["v3"]]
    intercept(state, "x", "v2", (4, 0))
    assert sorted(met_together(state, "v1", (4, 0))) == ["v1", "v2", "v3"]
    intercept(state, "y", "v3", (4, 0))
    assert sorted(met_together(state, "v1", (4, 0))) == ["v1", "v2", "v3", "v4"]


@pytest.mark.rule("22.141")
def test_forces_that_wait_for_each_other_in_a_ring_do_not_wait_for_ever() -> None:
    """Three forces sail around a triangle, each along the first hexes of the next one's way, and each is intercepted
    where the one before it passes. They cannot all wait for each other: who is under way already is not called."""
    corners = {"a": ((0, 0), (4, 0), (3, 1)), "b": ((4, 0), (0, 4), (0, 3)), "c": ((0, 4), (0, 0), (1, 0))}
    ports = [port(f"p{name}", "red", at[0]) for name, at in corners.items()]
    own = [force(name, "red", f"p{name}", cruisers=10) for name in corners]
    state = sea(*ports, RABAUL, LAE, *own, X, Y, force("z", "blue", "lae", cruisers=10), stage="combat")
    for name, (_, corner, end) in corners.items():
        sail(state, "shore-bombardment", name, end, via=[corner])
    for name, key, at in (("x", "v1", (1, 0)), ("y", "v2", (3, 1)), ("z", "v3", (0, 3))):
        intercept(state, name, key, at)
    played = sailed(state, "sail:v1")
    assert [(battle.at, battle.forces) for battle in played.battles] == [
        ("3,1", {"b", "y"}),
        ("0,3", {"b", "c", "z"}),
        ("1,0", {"a", "c", "x"}),
    ]


@pytest.mark.rule("22.13G", "22.141")
def test_ships_that_escape_together_are_met_together() -> None:
    """22.13G, 22.141: two forces escape from one port to different refuges, the first hexes by the same way; both are
    met there, and both come to their refuges afterwards."""
    refuges = [port("palau", "red", (8, 0)), port("yap", "red", (9, 0))]
    state = sea(TRUK, *refuges, RABAUL, A, B, X, stage="combat")
    sail(state, "escape", "a", (8, 0), base="palau")
    sail(state, "escape", "b", (9, 0), base="yap")
    orders = ("intercept:v1:1:4,0", "go:v1:1:x:direct")
    played = sailed(state, *orders, start=Frame("escape", "contest", ("truk", "")))
    assert [battle.forces for battle in played.battles] == [{"a", "b", "x"}]
    assert [played.state.operation.fleet[name].base for name in ("a", "b")] == ["palau", "yap"]
    assert all(played.state.operation.fleet[name].in_port for name in ("a", "b"))


# --- 22.132B: the air attacks -----------------------------------------------------------------------------------


def sorties(state: State, start: Frame, *orders: str) -> list[tuple[str, Hex, int]]:
    """Each sortie that may be flown: against which voyage, where, and after how many battles."""
    game, found, fought, waiting = play(state, start, dice=reaching()), [], 0, list(orders)
    while game.pending is not None:
        now = game.state
        if isinstance(game.pending, Roll):
            game.roll()
            continue
        texts = offered(game)
        if texts[0].startswith("sortie:"):
            key = texts[0].split(":")[1]
            found.append((key, now.operation.voyages[key].at, fought))
        fought += texts[0] == "withdraw:none" and game.pending.side == "blue"
        order = next((order for order in waiting if order in texts), "")
        waiting = [other for other in waiting if other != order]
        flee = "withdraw:all" if "withdraw:all" in texts and game.pending.side == "blue" else ""
        screen = texts[-1] if texts[0].startswith("screen:") else ""
        quiet = next((text for text in texts if text.rsplit(":", 1)[-1] in ("no", "none", "stay", "done")), texts[0])
        game.choose(order or flee or screen or quiet)
    return found


@pytest.mark.rule("22.132B", "22.19B", "22.19C")
def test_all_sail_to_the_hex_before_the_battle() -> None:
    """22.19B: both are open to attack from the air up to the interception hex, before the battle and once in each hex;
    in that hex air takes part in the battle (22.132B)."""
    state = pair(port("buna", "blue", (3, 3), "4 united-states army"))
    intercept(state, "x", "v1", (4, 0))
    flown = sorties(state, SAIL, "sail:v1")
    for key in ("v1", "v2"):
        hexes = {at: fought for one, at, fought in flown if one == key}
        assert len(hexes) == len([entry for entry in flown if entry[0] == key])
        assert (4, 0) not in hexes
        assert {at: bool(fought) for at, fought in hexes.items()} == {at: at[0] > 4 for at in hexes}
        assert {(3, 0), (5, 0)} <= set(hexes)


@pytest.mark.rule("22.13C.1", "22.12A")
def test_who_joins_others_in_a_hex_is_attacked_there_with_them() -> None:
    """22.13C: as he comes to the hex he is one force with those who wait for him."""
    buna, palau = port("buna", "blue", (4, 2), "4 united-states army"), port("palau", "red", (4, -3))
    state = sea(TRUK, RABAUL, buna, palau, A, force("b", "red", "palau", "Mutsu", cruisers=8), stage="combat")
    sail(state, "shore-bombardment", "a", (8, 0), parts=((4, 0),))
    sail(state, "shore-bombardment", "b", (4, 0), joins="v1")
    flown = sorties(state, Frame("passage", "embark_squadrons", ("v1",)))
    assert [key for key, at, _ in flown if at == (4, 0)] == ["v1"]
    assert [at for key, at, _ in flown if key == "v2"] == [(4, -2), (4, -1)]


@pytest.mark.rule("22.132B")
def test_who_is_bound_for_the_hex_is_not_attacked_there_first() -> None:
    """22.132B: a companion that comes by another way to the interception hex, which is where both are bound for, is
    not attacked from the air in that hex."""
    palau = port("palau", "red", (-2, 3))
    near = port("rabaul", "blue", (8, 3), "4 united-states army")
    state = sea(TRUK, palau, near, A, force("b", "red", "palau", "Mutsu", cruisers=8), X, stage="combat")
    for name in ("a", "b"):
        sail(state, "shore-bombardment", name, (8, 0))
    intercept(state, "x", "v1", (8, 0))
    flown = sorties(state, SAIL, "sail:v1")
    assert {key for key, _, _ in flown} >= {"v1", "v2"}
    assert (8, 0) not in [at for key, at, _ in flown if key in ("v1", "v2")]


@pytest.mark.rule("22.141", "22.132A")
def test_who_has_waited_for_nothing_is_attacked_where_he_is() -> None:
    """A force that has come up to a hex in which there is no battle after all is open to attack from the air there."""
    state = pair(port("buna", "blue", (4, 2), "4 united-states army"))
    voyage = state.operation.voyages["v2"]
    voyage.step, voyage.progress = 4, Progress.UNDER_WAY
    assert next(at for key, at, _ in sorties(state, SAIL, "sail:v2") if key == "v2") == (4, 0)


# --- 22.162, 22.252: those on their way to intercept ------------------------------------------------------------


def countered(*forces: dict[str, Any]) -> State:
    """A force is intercepted in (8, 0) by x from Rabaul in (8, 6); c and d are in Saipan."""
    saipan, rabaul, lae = port("saipan", "red", (4, 3)), port("rabaul", "blue", (8, 6)), port("lae", "blue", (8, 5))
    own = [force("c", "red", "saipan", "Mutsu", cruisers=8), force("d", "red", "saipan", "Ise", cruisers=8)]
    state = sea(TRUK, saipan, rabaul, lae, A, *own, X, *forces, stage="combat", stages=("combat",))
    sail(state, "shore-bombardment", "a", (12, 0))
    intercept(state, "x", "v1", (8, 0))
    return state


@pytest.mark.rule("22.162", "22.252A", "22.252")
@pytest.mark.parametrize("first", ["v2", "v3"])
def test_two_counters_in_one_hex_of_a_path_are_one_battle(first: str) -> None:
    """22.162: interceptors on one path that are countered in the same hex fight one battle, all of them in it."""
    state = countered(Y)
    other = intercept(state, "y", "v1", (8, 0))
    intercept(state, "c", "v2", (8, 3))
    intercept(state, "d", other, (8, 3))
    played = sailed(state, f"sail:{first}", flees="red")
    assert [(battle.at, battle.forces) for battle in played.battles] == [
        ("8,3", {"x", "y", "c", "d"}),
        ("8,0", {"x", "y", "a"}),
    ]
    assert {played.battles[0].where[name] for name in "xycd"} == {(8, 3)}


@pytest.mark.rule("22.162", "22.252")
@pytest.mark.parametrize("stays", [True, False])
def test_counters_wait_for_the_others_on_the_path(stays: bool) -> None:
    """22.162: interceptors on one path are countered as one. If the one that the counter is noted for turns back, it
    meets the other; if both do, it returns."""
    state = countered(force("y", "blue", "rabaul", "New Jersey", cruisers=8))
    other = intercept(state, "y", "v1", (8, 0))
    intercept(state, "c", "v2", (8, 3))
    for key in ("v2", other):
        state.operation.voyages[key].attacked = True
    orders = ["sail:v2", "abort:v2:abort", f"abort:{other}:{'go-on' if stays else 'abort'}"]
    played = sailed(state, *orders)
    assert [(battle.at, battle.forces) for battle in played.battles] == ([("8,3", {"y", "c"})] if stays else [])
    assert ("c" in played.inverted()) == stays


@pytest.mark.rule("22.26B", "22.251")
def test_counters_of_one_path_do_not_wait_for_another() -> None:
    """22.26B: if those on the path for which the counter came have turned back it returns; who started elsewhere was a
    target of its own."""
    state = countered(Y)
    intercept(state, "y", "v1", (8, 0))
    intercept(state, "c", "v2", (8, 3))
    state.operation.voyages["v2"].attacked = True
    played = sailed(state, "sail:v2", "abort:v2:abort")
    assert [(battle.at, battle.forces) for battle in played.battles] == [("8,0", {"y", "a"})]
    assert "c" not in played.inverted()


@pytest.mark.rule("22.161A", "22.161B")
def test_who_is_countered_where_he_intercepts_fights_there_with_his_target() -> None:
    """22.161A: y intercepts b in (8, 2), on the way of x to (8, 0), and is countered in that very hex: that battle is
    about b, and x passes by."""
    state = countered(Y, force("b", "red", "truk", cruisers=10))
    sail(state, "shore-bombardment", "b", (8, 2))
    second = intercept(state, "y", "v3", (8, 2))
    intercept(state, "c", second, (8, 2))
    played = sailed(state, "sail:v1")
    assert [(battle.at, battle.level, battle.forces) for battle in played.battles] == [
        ("8,0", 1, {"a", "x"}),
        ("8,2", 1, {"b", "y", "c"}),
    ]


@pytest.mark.rule("22.252A", "22.252B", "22.24B")
def test_late_counters_gain_what_the_battle_begins_later() -> None:
    """22.252A: if none of those who are stopped is in time for the hex the battle begins with the first that comes, and
    so for a counter-interceptor that is as late."""
    state = countered()
    state.operation.voyages["v2"].reached = 1  # (8, 3) is three hexes away: the second round
    intercept(state, "c", "v2", (8, 3))
    intercept(state, "d", "v2", (8, 3), arrives=3)
    (battle, *_) = sailed(state).battles
    assert battle.arrives == {"x": 1, "c": 1, "d": 2}


# --- patrols ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SOP-PA-SEQ", "22.22E")
def test_nobody_is_with_a_patrol() -> None:
    """21.416M: patrols sail one at a time: others from the same port, patrols or not, are neither counted for the dice
    nor in the battle."""
    state = sea(TRUK, RABAUL, A, B, force("d", "red", "truk", "Ise", cruisers=8), X)
    sail(state, "patrol", "a", (8, 0))
    sail(state, "patrol", "b", (9, 0))
    sail(state, "base-change", "d", (10, 0))
    assert task_forces(state, "v1", 0, (2, 0)) == 1
    assert companions(state, "v3", (2, 0)) == []
    orders = ("intercept:v1:1:2,0", "go:v1:1:x:direct")
    (battle,) = cruise(state, patrol.start("v1"), *orders, flees="blue", dice=reaching()).battles
    assert battle.forces == {"a", "x"}


@pytest.mark.rule("22.921", "SOP-PA-D.2.a")
def test_in_the_patrol_hex_submarines_attack_after_the_air() -> None:
    """22.921: a patrol that stays may be attacked by one sortie, and by submarines that intercept it, in this order."""
    near = port("rabaul", "blue", (4, 2), "3 united-states army")
    state = sea(TRUK, near, A, flotilla("boats", "blue", "rabaul"))
    sail(state, "patrol", "a", (4, 0))
    orders = ("stay:v1:stay", "submarine:v1:1:boats:4,0", "factors:v1:1:boats:1")
    game, asked = play(state, patrol.start("v1"), dice=reaching()), []
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            game.roll()
            continue
        texts, staying = offered(game), game.state.operation.voyages["v1"].staying
        asked += [texts[0].split(":")[0]] * staying
        given = next((text for text in orders if text in texts), "") if staying or "stay:v1:stay" in texts else ""
        quiet = next((text for text in texts if text.rsplit(":", 1)[-1] in ("no", "none", "done")), texts[0])
        game.choose(given or quiet)
    assert asked[:2] == ["submarine", "sortie"]
    assert asked.count("sortie") == 1
    log = "\n".join(map(str, game.log("umpire")))
    assert log.index("do land-based air units attack", log.index("stays on patrol")) < log.index("ubmarine attack")


@pytest.mark.rule("SOP-PA-D.2.a")
@pytest.mark.parametrize("staying", [True, False])
def test_the_sortie_is_for_the_patrol_that_stays(staying: bool) -> None:
    """23.752A: between its attacks on bases a patrol is not attacked from the air; the one sortie comes in the end."""
    near = port("rabaul", "blue", (4, 2), "3 united-states army")
    state = sea(TRUK, near, A)
    sail(state, "patrol", "a", (4, 0), step=4, progress=Progress.ARRIVED, staying=staying)
    assert ("sortie:v1" in cruise(state, confrontation.start("v1")).asked) == staying


# --- 22.13D, 22.18D: parting on the way home --------------------------------------------------------------------


@pytest.mark.rule("22.18D", "22.13D")
def test_forces_of_different_bases_part_on_the_way_home() -> None:
    """22.18D: a force that divides on its way home is one force as long as its parts sail by the same way; the part
    that leaves may be intercepted in the hexes that the other does not enter."""
    palau, mission = port("palau", "red", (0, 3)), Order(Activity.BOMBARDMENT, "combat", (8, 0))
    one = force("a", "red", "truk", "Nagato", cruisers=8, orders=[mission])
    state = sea(TRUK, palau, RABAUL, one, force("b", "red", "palau", "Mutsu", cruisers=8), X, stage="combat")
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


@pytest.mark.rule("22.18D", "22.15D")
def test_who_returns_at_once_returns_by_himself() -> None:
    """22.15D: forces that turn back return at once, one after the other: each may be intercepted on its whole way."""
    palau = port("palau", "red", (0, 3))
    state = sea(TRUK, palau, RABAUL, A, force("b", "red", "palau", "Mutsu", cruisers=8), stage="combat")
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
