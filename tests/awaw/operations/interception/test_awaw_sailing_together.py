"""Who is intercepted together (22.141), and which interceptors are countered together (22.162, 22.25)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.interception.sailing_together import companions, same_path
from flagplot.awaw.operations.passage.homeward import new_voyage
from flagplot.awaw.state.operation import Activity, Encounter, Progress, Voyage
from flagplot.awaw.state.state import State
from tests.awaw.seas import force, port, sail, sea

ALLIES = {
    "sides": [
        {"id": "red", "name": "Red", "nations": ["britain", "france", "hungary"]},
        {"id": "blue", "name": "Blue", "nations": ["germany", "australia"]},
    ]
}


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
