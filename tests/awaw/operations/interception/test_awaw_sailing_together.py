"""Who is intercepted together (22.141), and which interceptors are countered together (22.162, 22.25)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.interception.sailing_together import companions, met_together, same_path
from flagplot.awaw.operations.passage.homeward import new_voyage
from flagplot.awaw.state.operation import Activity, Encounter, Progress, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import Frame
from flagplot.kernel.requests import Roll
from tests.awaw import seas
from tests.awaw.seas import flotilla, force, least, offered, play, port, sail, sea, sides
from tests.awaw.voyages import Cruise, cruise, dive, intercept, reaching

ALLIES = sides(red=["britain", "france", "hungary"], blue=["germany", "australia"])


def pair(first: Hex, second: Hex, *, home: Hex = (0, 4), **more: Any) -> State:
    """Two task forces: one from Truk in (0, 0), the other from Saipan, which sail to two hexes."""
    activity, other = more.pop("activity", "base-change"), more.pop("other", "")
    start, bases = more.pop("start", {}), more.pop("bases", ("", ""))
    nations = more.pop("nations", ("japan", "japan"))
    state = sea(
        port("truk", "red", (0, 0)),
        port("saipan", "red", home, airbases=0),
        port("noumea", "blue", (20, 0)),
        force("one", "red", "truk", nation=nations[0], cruisers=10),
        force("two", "red", "saipan", nation=nations[1], cruisers=10),
        **more,
    )
    sail(state, activity, "one", first, base=bases[0], **start)
    sail(state, other or activity, "two", second, base=bases[1], **start)
    return state


def together(state: State, at: Hex) -> bool:
    """Whether both voyages are intercepted together in a hex, whichever is the target."""
    found = companions(state, "v1", at), companions(state, "v2", at)
    assert (found[0] == ["v2"]) is (found[1] == ["v1"])
    return bool(found[0])


@pytest.mark.rule("22.141A")
def test_paths_that_cross_in_a_hex_are_apart() -> None:
    state = pair((8, 0), (4, -4), home=(4, 4))
    assert (4, 0) in state.operation.voyages["v1"].path
    assert (4, 0) in state.operation.voyages["v2"].path
    assert not together(state, (4, 0))


@pytest.mark.rule("22.141", "22.141A")
def test_a_common_destination_makes_them_one() -> None:
    state = pair((8, 0), (8, 0), home=(8, 4))
    assert together(state, (8, 0))
    assert not together(state, (7, 0))


@pytest.mark.rule("22.141", "22.141A")
def test_a_common_origin_makes_them_one() -> None:
    state = pair((8, 0), (0, 4), home=(0, 0))
    assert together(state, (0, 0))
    assert not together(state, (1, 0))


@pytest.mark.rule("22.141A")
def test_a_destination_that_another_only_passes_does_not() -> None:
    state = pair((8, 0), (4, 0), home=(4, 4))
    assert not together(state, (4, 0))


@pytest.mark.rule("22.141")
def test_forces_that_go_the_same_way_are_one_there() -> None:
    state = pair((8, 0), (6, 0), home=(-2, 0))
    assert together(state, (3, 0))
    assert not companions(state, "v2", (-1, 0))


@pytest.mark.rule("22.141A")
def test_forces_that_go_the_same_way_in_opposite_directions_are_not() -> None:
    assert not together(pair((8, 0), (0, 0), home=(8, 0)), (4, 0))


@pytest.mark.rule("22.141B")
def test_sea_supply_of_different_zones_is_apart() -> None:
    more: dict[str, Any] = {"activity": "sea-supply", "home": (0, 0), "bases": ("truk", "saipan")}
    assert not together(pair((8, 0), (8, 0), zones={"truk": "east", "saipan": "west"}, **more), (8, 0))
    assert together(pair((8, 0), (8, 0), zones={"truk": "east", "saipan": "east"}, **more), (8, 0))


@pytest.mark.rule("22.141C")
def test_raiders_are_apart() -> None:
    assert not together(pair((8, 0), (8, 0), home=(0, 0), activity="raid"), (8, 0))
    assert not together(pair((8, 0), (8, 0), home=(0, 0), activity="raid", other="base-change"), (8, 0))
    home = {"start": {"start": (0, 0), "was": "raid"}}
    assert not together(pair((8, 0), (8, 0), home=(0, 0), activity="return", start=home["start"]), (8, 0))


@pytest.mark.rule("22.141D")
@pytest.mark.parametrize("activity", ["sea-escort", "redeployment"])
def test_escorts_and_redeployments_are_apart_unless_they_sail_as_one(activity: str) -> None:
    assert not together(pair((8, 0), (8, 0), home=(0, 0), activity=activity), (8, 0))
    state = pair((8, 0), (8, 0), home=(0, 0), activity=activity)
    del state.operation.voyages["v2"]
    state.operation.voyages["v1"].forces.append("two")
    assert list(state.operation.sailing(state.operation.voyages["v1"])) == ["one", "two"]


@pytest.mark.rule("22.141E")
def test_british_and_french_forces_are_apart_while_they_do_not_cooperate() -> None:
    more: dict[str, Any] = {"home": (0, 0), "nations": ("britain", "france"), "settings": ALLIES}
    assert not together(pair((8, 0), (8, 0), cooperation=False, **more), (8, 0))
    assert together(pair((8, 0), (8, 0), cooperation=True, **more), (8, 0))


@pytest.mark.rule("22.141E")
@pytest.mark.parametrize("nation", ["britain", "france"])
def test_forces_of_one_nation_are_not_apart(nation: str) -> None:
    nations = (nation, nation)
    state = pair((8, 0), (8, 0), home=(0, 0), nations=nations, settings=ALLIES, cooperation=False)
    assert together(state, (8, 0))


@pytest.mark.rule("22.18C")
def test_returning_forces_protect_each_other_but_not_those_on_the_way_out() -> None:
    state = pair((8, 0), (8, 0), home=(0, 0), activity="return", start={"start": (0, 0)})
    assert together(state, (8, 0))
    state = pair((8, 0), (8, 0), home=(0, 0), other="return")
    assert not together(state, (8, 0))


@pytest.mark.rule("22.141")
def test_who_is_gone_or_has_passed_is_not_there() -> None:
    state = pair((8, 0), (8, 0), home=(-2, 0))
    state.operation.voyages["v2"].step, state.operation.voyages["v2"].progress = 6, Progress.UNDER_WAY
    assert companions(state, "v1", (3, 0)) == []
    assert companions(state, "v1", (8, 0)) == ["v2"]
    state.operation.voyages["v2"].progress = Progress.OVER
    assert companions(state, "v1", (8, 0)) == []


# --- interceptors ---------------------------------------------------------------------------------------------


def interceptors(*bases: Hex, meet: Hex = (4, 0)) -> State:
    """A force from Truk, and task forces from some ports that intercept it in a hex: v2, v3 and so on."""
    state = sea(
        port("truk", "red", (0, 0)),
        *[port(f"b{n}", "blue", at, airbases=0) for n, at in enumerate(bases)],
        force("one", "red", "truk", cruisers=10),
        *[force(f"f{n}", "blue", f"b{n}", cruisers=10) for n in range(len(bases))],
    )
    key = sail(state, "base-change", "one", (8, 0))
    for n, at in enumerate(bases):
        path = state.operation.plan.board.sea_path(at, meet)
        assert path is not None
        new_voyage(
            state,
            Voyage(
                "blue", Activity.INTERCEPTION, [f"f{n}"], path, level=1, target=key, meet=meet, arrives=1, reached=20
            ),
        )
    return state


@pytest.mark.rule("22.162", "22.252")
def test_interceptors_on_one_path_are_countered_together_wherever_they_started() -> None:
    state = interceptors((12, 0), (12, 0), (9, 0))
    assert same_path(state, "v2", (7, 0)) == ["v3", "v4"]
    assert same_path(state, "v2", (11, 0)) == ["v3"]


@pytest.mark.rule("22.251", "22.252F")
def test_those_on_other_paths_give_no_help() -> None:
    state = interceptors((12, 0), (4, 5))
    assert same_path(state, "v2", (7, 0)) == []
    assert same_path(state, "v2", (4, 0)) == ["v3"]


@pytest.mark.rule("22.252C")
def test_late_ones_on_the_path_are_involved_too() -> None:
    state = interceptors((12, 0), (12, 0))
    state.operation.voyages["v3"].arrives, state.operation.voyages["v3"].reached = 3, 1
    assert same_path(state, "v2", (6, 0)) == ["v3"]
    state.operation.voyages["v3"].progress = Progress.ARRIVED
    assert same_path(state, "v2", (6, 0)) == ["v3"]
    state.operation.voyages["v3"].progress = Progress.OVER
    assert same_path(state, "v2", (6, 0)) == []


@pytest.mark.rule("22.253")
def test_so_are_counter_interceptors() -> None:
    state = interceptors((12, 0), (12, 0))
    for key in ("v2", "v3"):
        state.operation.voyages[key].level = 2
    assert same_path(state, "v2", (6, 0)) == ["v3"]
    state.operation.voyages["v3"].level = 1
    assert same_path(state, "v2", (6, 0)) == []


@pytest.mark.rule("22.162")
def test_in_a_battle_its_hex_is_meant() -> None:
    state = interceptors((12, 0), (9, 0))
    assert same_path(state, "v2") == ["v3"]
    state.operation.encounter = Encounter((11, 0), "v2", 2, [])
    assert same_path(state, "v2") == []


@pytest.mark.rule("22.162", "22.141E", "22.251")
@pytest.mark.parametrize("cooperation", [True, False])
def test_interceptors_that_do_not_cooperate_are_countered_apart(cooperation: bool) -> None:
    """22.162, 22.141E: British and French task forces on one path are stopped together only if they act together."""
    state = sea(
        *(port("kiel", "red", (0, 0)), port("malta", "blue", (9, 0))),
        force("kido", "red", "kiel", nation="germany", cruisers=10),
        *[force(name, "blue", "malta", nation=name, cruisers=10) for name in ("britain", "france")],
        settings=sides(red=["germany", "hungary", "japan"], blue=["britain", "france", "australia"]),
        cooperation=cooperation,
    )
    sail(state, "base-change", "kido", (5, 0))
    first, second = [intercept(state, name, "v1", (3, 0)) for name in ("britain", "france")]
    assert same_path(state, first, (6, 0)) == [second] * cooperation


@pytest.mark.rule("22.23", "22.24B")
@pytest.mark.parametrize(("arrives", "met"), [(1, ["v1", "v2"]), (2, [])])
def test_nobody_waits_for_interceptors_that_come_late_alone(arrives: int, met: list[str]) -> None:
    """22.23: a hex in which nobody is in time is no interception hex: there is nothing to be met in together."""
    state = sea(*seas.PORTS, seas.KIDO, seas.TF, force("two", "red", "truk", cruisers=10))
    for name in ("kido", "two"):
        sail(state, "base-change", name, (5, 0))
    intercept(state, "tf", "v1", (4, 0), arrives=arrives)
    assert met_together(state, "v1", (4, 0)) == met


# --- one battle: 22.141 -----------------------------------------------------------------------------------------


TRUK, RABAUL, LAE = port("truk", "red", (0, 0)), port("rabaul", "blue", (4, 4)), port("lae", "blue", (6, 4))
A, B = force("a", "red", "truk", "Nagato", cruisers=8), force("b", "red", "truk", "Mutsu", cruisers=8)
X, Y = force("x", "blue", "rabaul", "Iowa", cruisers=8), force("y", "blue", "lae", "New Jersey", cruisers=8)
SAIL, SAIL_HOME = Frame("stage", "sail", ()), Frame("stage", "sail_home", ())


def both_from_truk(*more: dict[str, Any], ends: tuple[Hex, Hex] = ((8, 0), (9, 0))) -> State:
    """Two task forces that sail from Truk by the same way, as v1 and v2; x is in Rabaul, y in Lae."""
    state = sea(TRUK, RABAUL, LAE, A, B, X, Y, *more, stage="combat", stages=("combat",))
    sail(state, "shore-bombardment", "a", ends[0])
    sail(state, "shore-bombardment", "b", ends[1])
    return state


def sailed(state: State, *orders: str, start: Frame = SAIL, flees: str = "blue", **more: Any) -> Cruise:
    return cruise(state, start, *orders, flees=flees, dice=reaching(), **more)


@pytest.mark.rule("22.141", "22.19A", "22.19B")
@pytest.mark.parametrize("first", ["v1", "v2"])
def test_whoever_sails_first_both_are_met(first: str) -> None:
    """22.141: a force that passes the interception hex with the one that is intercepted does not slip by, in whatever
    order they sail; all of them are in the hex when the battle begins, and afterwards both go on."""
    state = both_from_truk()
    intercept(state, "x", "v1", (4, 0))
    played = sailed(state, f"sail:{first}")
    (battle,) = played.battles
    assert (battle.at, battle.forces) == ("4,0", {"a", "b", "x"})
    assert {battle.where[name] for name in battle.forces} == {(4, 0)}
    assert played.log().count("shore bombardment by") == 2


@pytest.mark.rule("22.141", "22.162")
def test_two_interceptions_in_one_hex_are_one_battle() -> None:
    """22.141: who intercepts one of them and who intercepts the other in the same hex fight side by side."""
    state = both_from_truk()
    intercept(state, "x", "v1", (4, 0))
    intercept(state, "y", "v2", (4, 0))
    (battle,) = sailed(state, "sail:v1").battles
    assert battle.forces == {"a", "b", "x", "y"}
    assert {battle.where[name] for name in battle.forces} == {(4, 0)}


@pytest.mark.rule("22.141", "22.24B")
def test_late_interceptors_of_the_other_join_as_well() -> None:
    state = both_from_truk()
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
    state = both_from_truk(flotilla("boats", "blue", "lae"))
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
    state = both_from_truk(ends=((8, 0), (4, 0)))
    state.operation.voyages["v2"].joins = "v1"
    assert companions(state, "v1", (3, 0)) == ["v2"]
    assert companions(state, "v1", (4, 0)) == []


@pytest.mark.rule("22.141")
def test_a_hex_in_which_nobody_waits_holds_nobody_up() -> None:
    state = both_from_truk()
    assert met_together(state, "v1", (4, 0)) == []
    intercept(state, "x", "v2", (4, 0))
    assert sorted(met_together(state, "v1", (4, 0))) == ["v1", "v2"]
    assert met_together(state, "v1", (5, 0)) == []


@pytest.mark.rule("22.141", "22.24B.3")
def test_nobody_waits_for_those_who_are_only_met_late() -> None:
    """22.24B: who is late needs somebody who is in time; without him there is no battle to wait for."""
    state = both_from_truk()
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


# --- air attacks on those who sail together: 22.132B ------------------------------------------------------------


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
        quiet = least(texts)
        game.choose(order or flee or screen or quiet)
    return found


@pytest.mark.rule("22.132B", "22.19B", "22.19C")
def test_all_sail_to_the_hex_before_the_battle() -> None:
    """22.19B: both are open to attack from the air up to the interception hex, before the battle and once in each hex;
    in that hex air takes part in the battle (22.132B)."""
    state = both_from_truk(port("buna", "blue", (3, 3), "4 united-states army"))
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
    state = both_from_truk(port("buna", "blue", (4, 2), "4 united-states army"))
    voyage = state.operation.voyages["v2"]
    voyage.step, voyage.progress = 4, Progress.UNDER_WAY
    assert next(at for key, at, _ in sorties(state, SAIL, "sail:v2") if key == "v2") == (4, 0)


# --- interceptors who are countered together: 22.162, 22.252 ----------------------------------------------------


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
