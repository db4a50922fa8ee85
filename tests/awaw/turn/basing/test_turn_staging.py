"""Staging, redeployment and where air may fly (18.15, 18.2, 18.48)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagplot.awaw.air_rounds import to_scale
from flagplot.awaw.air_units import Arm, Role, unit
from flagplot.awaw.counterair import in_range
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import airbases, crowding, redeploying, staging
from flagplot.awaw.reach import may_fly
from flagplot.awaw.scenario import read_state
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Down, Until
from flagplot.awaw.turn.basing.displacement import capture, strip_airbase
from flagplot.awaw.turn.basing.geography import resettle
from flagplot.awaw.turn.basing.redeploying import able_to_redeploy, redeployment_bases
from flagplot.awaw.turn.basing.rooms import excess
from flagplot.awaw.turn.basing.staging import able_to_stage, staging_bases
from flagplot.awaw.turn.marks import REDEPLOYED, SHIPPED, STAGED, marked, set_mark
from flagplot.awaw.turn.missions.overflight import air_distance
from flagplot.kernel.errors import ScenarioError
from flagplot.kernel.requests import Choose
from tests.awaw.turn.moves import offered, play, run, steer, wander
from tests.awaw.turn.turns import air_at, base, scenario, turn, units_of


def reach(state: State, home: str = "home", arm: Arm = Arm.ARMY, *, inverted: bool = False) -> list[str]:
    """The bases that units of an arm in a base may stage to."""
    return [*staging_bases(state, units_of(state, home, arm, inverted=inverted))]


def row(*air: str, far: int = 8, pacific: bool = False, **more: Any) -> State:
    """A red base, and red bases so many hexes east of it."""
    others = [base(f"at{n}", "red", (n, 0)) for n in range(1, far + 1)]
    return turn(base("home", "red", (0, 0), *air), *others, pacific=pacific, **more)


# --- how far ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.21")
@pytest.mark.parametrize(
    ("arm", "pacific", "hexes"), [("army", False, 8), ("army", True, 6), ("naval", False, 6), ("transport", True, 6)]
)
def test_air_stages_up_to_twice_its_range(arm: str, pacific: bool, hexes: int) -> None:
    state = row(f"2 {'japan' if pacific else 'germany'} {arm}", far=9, pacific=pacific)
    assert reach(state, arm=Arm(arm)) == [f"at{n}" for n in range(1, hexes + 1)]


@pytest.mark.rule("18.21")
def test_inverted_air_stages_too_and_stays_inverted() -> None:
    state = row("2 germany army inverted", far=1)
    state.turn.down = [Down(units_of(state, "home", Arm.ARMY, inverted=True), 2, "18.42A", "flew", Until.NOW)]
    game = play(state, staging)
    steer(game, "stage:home", "stage:at1:home:germany:army:factors:2")
    assert air_at(game.state, "at1") == {"germany army inverted": 2}
    assert [(entry.which.home, entry.number) for entry in game.state.turn.down] == [("at1", 2)]


@pytest.mark.rule("18.21")
def test_a_unit_stages_once_and_any_number_of_units_do() -> None:
    state = row("3 germany army", far=2)
    game = play(state, staging)
    game.choose("stage:home")
    game.choose("stage:home:germany:army:factors:at1")
    game.choose("stage:at1:home:germany:army:factors:2")
    assert "stage:at1" not in offered(game)  # those who have staged stay
    game.choose("stage:home")
    game.choose("stage:home:germany:army:factors:at2")
    assert game.pending is None  # the third was the last
    assert air_at(game.state, "at2") == {"germany army": 1}
    assert marked(game.state, STAGED, units_of(game.state, "at1", Arm.ARMY)) == 2


@pytest.mark.rule("18.21A")
def test_the_new_base_may_be_on_another_front() -> None:
    state = row("1 germany army", far=2, fronts={"home": "western", "at1": "eastern", "at2": "mediterranean"})
    assert reach(state) == ["at1", "at2"]


@pytest.mark.rule("18.21B")
def test_a_base_taken_in_this_phase_is_closed() -> None:
    state = turn(base("home", "red", (0, 0), "1 germany army"), base("old", "red", (1, 0)), base("new", "blue", (2, 0)))
    assert reach(state) == ["old"]
    run(capture(state, "new", "red"))
    assert state.place("new").side == "red"
    assert reach(state) == ["old"]
    state.turn.held_at_start["new"] = "red"  # in the next movement phase
    assert reach(state) == ["old", "new"]


@pytest.mark.rule("18.21C")
def test_a_base_gained_without_fighting_is_open_at_once() -> None:
    state = row("1 italy army", far=1, gained=["at1"])
    state.turn.held_at_start["at1"] = "blue"
    assert reach(state) == ["at1"]
    state.turn.plan = replace(state.turn.plan, gained=())
    assert reach(state) == []


@pytest.mark.rule("18.21D")
def test_air_may_stage_to_a_base_without_supply_and_does_nothing_there() -> None:
    state = turn(
        base("home", "red", (0, 0), "2 germany army"),
        base("dry", "red", (1, 0), supply="none"),
        base("enemy", "blue", (2, 0), "1 britain army"),
    )
    game = steer(play(state, staging), "stage:home", "stage:dry:home:germany:army:factors:2")
    assert air_at(game.state, "dry") == {"germany army": 2}
    assert in_range(game.state, "enemy", afloat=False) == []
    assert not may_fly(game.state.place("dry"), 0)
    resettle(game.state, dry=replace(game.state.place("dry"), supply=game.state.place("home").supply))
    assert in_range(game.state, "enemy", afloat=False)  # supply was provided to it


@pytest.mark.rule("18.21D.1")
@pytest.mark.parametrize("trouble", [{"supply": "partial"}, {"oil": True}])
def test_from_a_base_in_partial_supply_air_defends_its_own_hex_alone(trouble: dict[str, Any]) -> None:
    state = turn(
        base("home", "red", (0, 0), "2 germany army"),
        base("short", "red", (1, 0), **trouble),
        base("enemy", "blue", (2, 0), "1 britain army"),
    )
    game = steer(play(state, staging), "stage:home", "stage:short:home:germany:army:factors:2")
    assert air_at(game.state, "short") == {"germany army": 2}
    assert in_range(game.state, "enemy", afloat=False) == []
    assert may_fly(game.state.place("short"), 0)
    assert not may_fly(game.state.place("short"), 1)


# --- where it flies ---------------------------------------------------------------------------------------------


@pytest.mark.rule("18.22")
def test_nobody_intercepts_staging() -> None:
    """Over an enemy base full of fighters nobody but the moving side is asked anything, and no die is rolled."""
    state = turn(
        base("home", "red", (0, 0), "2 germany army"),
        base("enemy", "blue", (2, 0), "5 britain army"),
        base("far", "red", (4, 0)),
    )
    game = play(state, staging)
    asked = []
    while game.pending is not None:
        assert isinstance(game.pending, Choose)
        asked.append(game.pending.side)
        game.choose("stage:home" if len(asked) == 1 else offered(game)[0])
    assert set(asked) == {"red"}
    assert air_at(game.state, "enemy") == {"britain army": 5}
    assert sum(air_at(game.state, "far").values()) >= 1


@pytest.mark.rule("18.22.1")
def test_air_stages_over_enemy_territory_and_over_hexes_that_nobody_holds() -> None:
    state = turn(
        base("home", "red", (0, 0), "1 germany army"), base("enemy", "blue", (2, 0)), base("far", "red", (4, 0))
    )
    assert reach(state) == ["far"]


def walled(*air: str, **more: Any) -> State:
    """Home and a base two hexes behind neutral land; the way around it leads over the sea."""
    neutral = [f"1,{r}" for r in range(-2, 11)]
    return turn(
        base("home", "red", (0, 0), *air),
        base("behind", "red", (2, 0)),
        base("enemy", "blue", (3, -1), "1 britain army"),
        neutral=neutral,
        **more,
    )


@pytest.mark.rule("18.22.2")
def test_air_flies_around_neutral_land() -> None:
    state = walled("1 germany army")
    assert air_distance(state, (0, 0), (2, 0)) == 7  # 2 as the crow flies
    assert air_distance(state, (0, 0), (1, 0)) is None
    assert reach(state) == ["behind"]
    assert reach(turn(*_behind(4), neutral=[f"1,{r}" for r in range(-5, 11)])) == []  # out of range around it
    assert reach(turn(*_behind(4))) == ["behind"]


def _behind(q: int) -> list[dict[str, Any]]:
    return [base("home", "red", (0, 0), "1 germany army"), base("behind", "red", (q, 0))]


@pytest.mark.rule("18.22.2", "18.48")
def test_part_water_hexes_are_open_but_for_hexsides_of_neutral_land() -> None:
    coast = base("port", "blue", (0, -7), ports=1, cities=0)
    bases = [base("home", "red", (0, -6), "1 germany army"), base("far", "red", (0, -8), ports=1, cities=0), coast]
    with pytest.raises(ScenarioError, match="part water"):
        turn(*bases, neutral=["0,-7"])
    state = turn(*bases)
    assert air_distance(state, (0, -6), (0, -7)) == 1
    state = turn(*bases, neutral_sides=[["0,-6", "0,-7"]])
    assert air_distance(state, (0, -6), (0, -7)) == 2
    assert air_distance(state, (0, -7), (0, -8)) == 1
    assert dict(state.scene.near["port"])["home"] == 2


@pytest.mark.rule("18.48")
def test_who_is_near_is_near_by_the_way_around() -> None:
    """A neutral hex in the middle of a row makes the way one hex longer."""
    ours = {"home": 0, "edge": -1, "beyond": -2, "haven": 7, "too-far": 8}
    bases = [base(name, "red", (q, 0)) for name, q in ours.items()]
    state = turn(*bases, base("enemy", "blue", (2, 0)), neutral=["1,0"])
    near = dict(state.scene.near["enemy"])
    assert {name: near.get(name) for name in ("home", "edge", "beyond")} == {"home": 3, "edge": 4, "beyond": None}
    refuges = {site: far for site, far, _ in state.scene.refuges["home"]}
    assert refuges == {"edge": 1, "beyond": 2, "haven": 8}


@pytest.mark.rule("18.22.2", "18.23")
def test_into_a_box_off_the_map_air_flies_around_neutral_land_too() -> None:
    home, box = base("home", "red", (0, 0)), base("box", "red", (20, 0), box=True, cities=0)
    assert air_distance(turn(home, box), (0, 0), (20, 0)) == 20
    for one, other in (((0, 0), (20, 0)), ((20, 0), (0, 0))):
        assert air_distance(turn(home, box, neutral=["1,0"]), one, other) == 21


@pytest.mark.rule("18.48")
def test_missions_and_redeployment_go_around_neutral_land_as_well() -> None:
    state = walled("2 germany army")
    assert in_range(state, "enemy", afloat=False) == []  # 7 hexes around, 3 straight on
    assert not state.scene.near["enemy"] or all(site != "home" for site, _ in state.scene.near["enemy"])
    open_ = turn(base("home", "red", (0, 0), "2 germany army"), base("enemy", "blue", (3, -1), "1 britain army"))
    assert in_range(open_, "enemy", afloat=False)
    cut_off = turn(*_behind(4), neutral=[f"1,{r}" for r in range(-5, 11)], phase="redeployment")
    assert not redeployment_bases(cut_off, units_of(cut_off, "home", Arm.ARMY))
    resettle(state, behind=replace(state.place("behind"), installations=2))
    assert in_range(state, "enemy", afloat=False) == []  # neutral land stays where it is


@pytest.mark.rule("18.23")
def test_only_some_boxes_are_open_to_staging() -> None:
    def from_home(nation: str, box: str, side: str = "blue") -> list[str]:
        state = turn(
            base("home", side, (0, 0), f"1 {nation} army"),
            base(box, side, (4, 0), box=True, cities=0),
            base("base", side, (1, 0)),
        )
        return reach(state)

    assert from_home("britain", "australia-box") == ["australia-box", "base"]
    assert "india-box" in from_home("united-states", "india-box")
    assert from_home("russia", "india-box") == ["base"]
    assert "urals-box" in from_home("russia", "urals-box")
    assert from_home("britain", "urals-box") == ["base"]
    assert from_home("britain", "united-states-box") == ["base"]
    assert from_home("germany", "urals-box", "red") == ["base"]
    assert from_home("britain", "indian-ocean-box") == ["base"]


@pytest.mark.rule("18.23")
def test_the_dominions_are_western_allied_whoever_leads_their_side() -> None:
    data = scenario(
        base("home", "blue", (0, 0), "1 australia army"), base("australia-box", "blue", (4, 0), box=True, cities=0)
    )
    data["sides"][1]["nations"] = ["russia", "britain", "australia"]
    state = read_state(data, Options())
    assert state.turn_if_any is not None
    assert reach(state) == ["australia-box"]


@pytest.mark.rule("18.23")
def test_air_stages_from_a_box_onto_the_map() -> None:
    state = turn(
        base("india-box", "blue", (4, 0), "2 britain army", "1 russia army", box=True, cities=0),
        base("base", "blue", (1, 0)),
    )
    british, russian = (next(w for w in state.sites["india-box"].air if w.nation == n) for n in ("britain", "russia"))
    assert [*staging_bases(state, british)] == ["base"]
    assert [*staging_bases(state, russian)] == []


# --- room -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.11", "18.21")
def test_no_more_stage_to_a_base_than_it_holds() -> None:
    state = turn(base("home", "red", (0, 0), "5 germany army"), base("near", "red", (1, 0), "3 italy army"))
    game = play(state, staging)
    game.choose("stage:home")
    assert offered(game) == [f"stage:near:home:germany:army:factors:{n}" for n in (1, 2)]


def recycled(phase: str = "movement") -> State:
    """Both Italian airbases are on the map, one of them with more air than its hex would hold without it."""
    return turn(
        base("old", "red", (0, 0), "8 italy army", airbases=1),
        base("new", "red", (1, 0), cities=0),
        base("full", "red", (2, 0), "5 germany army"),
        base("away", "red", (12, 0), cities=0, airbases=1, supply="none"),
        airbases={"old": "italy", "away": "italy"},
        phase=phase,
    )


@pytest.mark.rule("18.143.2", "18.143.1", "18.15")
@pytest.mark.parametrize("phase", ["movement", "redeployment"])
def test_air_on_an_airbase_that_is_taken_up_must_leave_it(phase: str) -> None:
    game = play(recycled(phase), airbases)
    steer(game, "airbase:italy", "recycle:italy:old", "airbase:italy:new")
    state = game.state
    assert excess(state, "old") == 9
    verb, procedure = ("stage", staging) if phase == "movement" else ("redeploy", redeploying)
    game = play(state, procedure)
    assert offered(game) == [f"{verb}:new:old:italy:army:factors:{n}" for n in range(1, 6)]  # not done, nor elsewhere
    game.choose(f"{verb}:new:old:italy:army:factors:2")
    assert offered(game) == [f"{verb}:new:old:italy:army:factors:{n}" for n in range(1, 4)]  # still too many
    game.choose(f"{verb}:new:old:italy:army:factors:1")
    assert offered(game) == [f"{verb}:old", f"{verb}:done"]
    game.choose(f"{verb}:done")
    assert air_at(game.state, "old") == {"italy army": 5}
    assert game.state.losses.air == {}


@pytest.mark.rule("18.15")
def test_air_that_finds_no_room_is_eliminated() -> None:
    state = recycled()
    run(strip_airbase(state, "old", "18.143"))
    game = steer(play(state, staging))
    assert air_at(game.state, "old") == {"italy army": 5}
    assert game.state.losses.air == {"italy/army/factors": 3}


@pytest.mark.rule("18.15")
def test_excess_after_failed_sea_transport_moves_in_the_same_phase() -> None:
    """Air came back by sea to a base that others have filled; all have staged, and would not do so again."""
    state = turn(
        base("port", "red", (0, 0), "5 germany army"), base("near", "red", (1, 0)), base("far", "red", (12, 0))
    )
    air = state.sites["port"].air
    which = units_of(state, "port", Arm.ARMY)
    air[which] = 8
    set_mark(state, STAGED, which, 8)
    game = play(state, crowding.start("moving"), crowding)
    assert game.pending is None  # one kind of air, and one base within its reach
    assert air_at(game.state, "near") == {"germany army": 3}
    assert air_at(game.state, "far") == {}
    assert game.state.losses.air == {}


@pytest.mark.rule("18.24.1")
def test_air_that_was_sea_transported_does_not_stage() -> None:
    state = row("3 germany army", far=1)
    set_mark(state, SHIPPED, units_of(state, "home", Arm.ARMY), 2)
    game = play(state, staging)
    game.choose("stage:home")
    assert game.pending is None  # one factor only, to one base
    assert air_at(game.state, "at1") == {"germany army": 1}
    set_mark(state, SHIPPED, units_of(state, "home", Arm.ARMY), 1)
    assert play(state, staging).pending is None


# --- redeployment -----------------------------------------------------------------------------------------------


@pytest.mark.rule("18.72D.1", "18.48")
def test_air_redeploys_from_base_to_base_or_in_one_flight() -> None:
    bases = [base("home", "red", (0, 0), "2 italy army"), base("mid", "red", (7, 0)), base("far", "red", (13, -2))]
    state = turn(*bases, phase="redeployment")
    italian = units_of(state, "home", Arm.ARMY)
    assert [*redeployment_bases(state, italian)] == ["mid", "far"]
    state = turn(*bases, phase="redeployment", options=Options(air_redeployment="one-flight"))
    assert [*redeployment_bases(state, italian)] == ["mid"]


@pytest.mark.rule("18.72D.1")
def test_on_the_way_air_lands_in_bases_and_not_in_bare_hexes() -> None:
    home, far = base("home", "red", (0, 0), "2 italy army"), base("far", "red", (13, -2))
    bare = turn(home, base("mid", "red", (7, 0), cities=0), far, phase="redeployment")
    assert [*redeployment_bases(bare, units_of(bare, "home", Arm.ARMY))] == []


@pytest.mark.rule("18.72D.1")
def test_redeployed_air_is_marked_and_does_not_redeploy_again() -> None:
    state = row("2 germany army inverted", far=1, phase="redeployment")
    game = play(state, redeploying)
    steer(game, "redeploy:home", "redeploy:at1:home:germany:army:factors:2")
    moved = units_of(game.state, "at1", Arm.ARMY, inverted=True)
    assert marked(game.state, REDEPLOYED, moved) == 2
    assert play(game.state, redeploying).pending is None


@pytest.mark.rule("18.72D.1")
def test_how_many_may_redeploy() -> None:
    state = row("3 germany army", "2 germany transport", far=1, phase="redeployment", redeployments={"germany": 2})
    army, transport = units_of(state, "home", Arm.ARMY), units_of(state, "home", Arm.TRANSPORT)
    assert [able_to_redeploy(state, which) for which in (army, transport)] == [2, 2]
    squadron = unit("germany", Arm.ARMY, army.drm, army.reach, "home", Role.ATTACK, False)
    broken = unit("germany", Arm.TRANSPORT, 0, 4, "home", Role.ATTACK, False)
    state.sites["home"].air |= {squadron: 2, broken: 2}
    assert [able_to_redeploy(state, which) for which in (squadron, broken)] == [2, 0], "transports go in factors"
    set_mark(state, REDEPLOYED, army, 1)
    assert [able_to_redeploy(state, which) for which in (army, transport)] == [1, 1]
    set_mark(state, REDEPLOYED, army, 2)
    assert [able_to_redeploy(state, which) for which in (army, transport)] == [0, 0], "one more than it might"


@pytest.mark.rule("18.21", "18.24.1", "18.15")
def test_how_many_may_stage() -> None:
    state = row("4 germany army", far=1)
    army = units_of(state, "home", Arm.ARMY)
    squadron = unit("germany", Arm.ARMY, army.drm, army.reach, "home", Role.ATTACK, False)
    state.sites["home"].air[squadron] = 2
    assert [able_to_stage(state, which) for which in (army, squadron)] == [4, 0]
    set_mark(state, STAGED, army, 1)
    set_mark(state, SHIPPED, army, 2)
    assert able_to_stage(state, army) == 1
    set_mark(state, SHIPPED, army, 2)
    assert able_to_stage(state, army) == 0


@pytest.mark.rule("18.15", "18.143.2")
@pytest.mark.parametrize(("who", "blue"), [("moving", 6), ("both", 5)])
def test_bases_that_hold_too_much_are_put_right_those_of_one_side_or_of_both(who: str, blue: int) -> None:
    state = turn(base("rome", "red", (0, 0), "5 italy army"), base("malta", "blue", (9, 0), "5 britain army"))
    for home in ("rome", "malta"):
        state.sites[home].air[units_of(state, home, Arm.ARMY)] = 6
    after = steer(play(state, crowding.start(who))).state
    assert [sum(after.sites[home].air.values()) for home in ("rome", "malta")] == [5, blue]


@pytest.mark.rule("18.15")
def test_squadrons_in_a_base_that_holds_too_much_are_put_together_first_and_no_others() -> None:
    state = turn(base("rome", "red", (0, 0), "5 italy army"), base("pisa", "red", (5, 0), "1 italy army"))
    for home, number in (("rome", 6), ("pisa", 1)):
        site = state.sites[home]
        site.air = to_scale({units_of(state, home, Arm.ARMY): number}, {}, squadrons=True)[0]
    after = steer(play(state, crowding.start("moving"))).state
    assert air_at(after, "rome") == {"italy army": 5}
    broken = {f"italy army {role}": 1 for role in ("attack", "cover", "search")}
    assert air_at(after, "pisa") == broken | {"italy army": 1}


@pytest.mark.rule("23.164", "18.42B")
def test_squadrons_used_at_sea_are_inverted_as_they_redeploy() -> None:
    state = row("5 germany naval", far=1, phase="redeployment")
    which = units_of(state, "home", Arm.NAVAL)
    state.sites["home"].used[which] = 2
    game = steer(play(state, redeploying), "redeploy:home", "redeploy:at1:home:germany:naval:squadrons:4")
    assert air_at(game.state, "at1") == {"germany naval": 3, "germany naval inverted": 1}
    assert air_at(game.state, "home") == {"germany naval": 1}
    assert game.state.sites["home"].used == {which: 1}
    assert [entry.rule for entry in game.state.turn.down] == ["23.164"]


@pytest.mark.rule("23.164", "18.42B")
def test_those_used_at_sea_who_were_there_already_are_not_inverted_with_them() -> None:
    state = turn(
        base("home", "red", (0, 0), "3 germany naval"),
        base("at1", "red", (1, 0), "4 germany naval"),
        phase="redeployment",
    )
    for home, used in (("home", 1), ("at1", 2)):
        state.sites[home].used[units_of(state, home, Arm.NAVAL)] = used
    game = steer(play(state, redeploying), "redeploy:home", "redeploy:at1:home:germany:naval:squadrons:3")
    assert air_at(game.state, "at1") == {"germany naval": 6, "germany naval inverted": 1}
    assert sum(game.state.sites["at1"].used.values()) == 2


@pytest.mark.rule("18.143.2", "18.15")
@pytest.mark.parametrize(("factors", "rule", "done"), [(5, "18.72D", True), (6, "18.143", False)])
def test_while_a_base_holds_too_much_redeployment_is_not_done(factors: int, rule: str, done: bool) -> None:
    bases = [base(name, "red", (q, 0), "1 germany army") for q, name in enumerate(("home", "other", "third"))]
    state = turn(*bases, phase="redeployment")
    state.sites["home"].air[units_of(state, "home", Arm.ARMY)] = factors
    game = play(state, redeploying)
    assert offered(game) == [*[f"redeploy:{name}" for name in ("home", "other", "third")], *["redeploy:done"] * done]
    assert isinstance(game.pending, Choose)
    assert game.pending.rule == rule


@pytest.mark.rule("18.72D.1")
def test_a_nation_redeploys_no_more_than_the_scenario_lets_it() -> None:
    state = row("3 germany army", "2 italy army", far=1, phase="redeployment", redeployments={"germany": 1, "italy": 0})
    game = play(state, redeploying)
    game.choose("redeploy:home")
    assert game.pending is None
    assert air_at(game.state, "at1") == {"germany army": 1}


@pytest.mark.rule("18.146#ex1", "18.146", "18.146.2")
@pytest.mark.parametrize(("placed", "able"), [("movement", ["home"]), ("construction", ["home"]), ("redeployment", [])])
def test_german_air_redeploys_to_an_italian_airbase_placed_in_an_earlier_phase(placed: str, able: list[str]) -> None:
    state = turn(base("home", "red", (0, 0), "2 germany army"), base("new", "red", (2, 0), cities=0), phase=placed)
    game = play(state, airbases)
    steer(game, "airbase:italy", "airbase:italy:new")
    state = game.state
    state.turn.step = "redeployment"
    game = play(state, redeploying)
    assert [text for text in (offered(game) if game.pending else []) if text != "redeploy:done"] == [
        f"redeploy:{home}" for home in able
    ]


# --- whatever is played -----------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    moves=st.lists(st.integers(0, 99), min_size=30, max_size=30),
    phase=st.sampled_from(["movement", "redeployment"]),
    pacific=st.booleans(),
)
@pytest.mark.rule("18.11", "18.12", "18.13", "18.15")
def test_no_base_ever_holds_more_than_it_can(moves: list[int], phase: str, pacific: bool) -> None:
    """Airbases are placed and taken up, and air stages or redeploys at random: nobody vanishes, no base is too full."""
    ours = "japan" if pacific else "italy"
    state = turn(
        base("a", "red", (0, 0), f"5 {ours} army", f"3 {ours} naval", airbases=1),
        base("b", "red", (1, 0), f"2 {ours} naval", island=True),
        base("c", "red", (2, 1), f"1 {ours} army inverted", cities=0, airbases=1, jungle=True),
        base("d", "red", (3, -1), cities=0),
        base("e", "red", (-2, 2), f"4 {ours} naval inverted", cities=0, ports=0, airbases=1),
        pacific=pacific,
        airbase_counters={ours: 2},
        phase=phase,
    )
    before = _squadrons(state)
    for number, frame in enumerate(
        (airbases.start(), (staging if phase == "movement" else redeploying).start(), crowding.start("both"))
    ):
        game = play(state, frame)
        wander(game, moves)
        state = game.state
        if number:
            assert [excess(state, key) for key in state.sites] == [0] * len(state.sites)
    lost = sum((3 if "factors" in pool else 1) * number for pool, number in state.losses.air.items())
    assert _squadrons(state) + lost == before


def _squadrons(state: State) -> int:
    return sum(which.size * number for site in state.sites.values() for which, number in site.air.items())
