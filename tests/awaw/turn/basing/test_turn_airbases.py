"""Airbase counters (18.14): how many, when, where, whose, and how they are used again."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.air_units import Arm
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import air_turn, airbases, isolation, opening_airbases, staging
from flagplot.awaw.reach import is_fit
from flagplot.awaw.scenario import read_state
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.basing.airbases import a_turn, counters, kept_from_placing, sites_for
from flagplot.awaw.turn.basing.rooms import fits
from flagplot.awaw.turn.basing.staging import staging_bases
from flagplot.awaw.turn.files import WAR
from flagplot.awaw.turn.marks import STAGED
from flagplot.awaw.turn.turn import hand_over
from flagplot.awaw.why import reasons
from flagplot.kernel.errors import ScenarioError
from tests.awaw.turn.moves import offered, play, steer
from tests.awaw.turn.turns import air_at, base, ground, scenario, turn, units_of

AT_WAR = [*WAR]


def ours(*names: str, side: str = "red", **more: Any) -> list[dict[str, Any]]:
    """Bases in a row, each with a city."""
    return [base(name, side, (number * 2 - 6, 0), **more) for number, name in enumerate(names)]


def blue(*bases: dict[str, Any], **more: Any) -> State:
    """It is blue's player turn."""
    state = turn(base("enemy", "red", (0, 5)), *bases, **more)
    hand_over(state, "blue")
    return state


def nations_offered(state: State) -> list[str]:
    """The nations that may place an airbase now."""
    game = play(state, airbases)
    found = offered(game) if game.pending else []
    return [text.split(":")[1] for text in found if text.startswith("airbase:") and text != "airbase:done"]


# --- how many ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.14", "18.145")
@pytest.mark.parametrize(
    ("nation", "europe", "pacific"),
    [
        ("germany", 4, 4),
        ("japan", 3, 3),
        ("britain", 3, 1),
        ("russia", 3, 1),
        ("united-states", 3, 3),
        ("italy", 2, 2),
        ("france", 2, 2),
        ("china", 1, 1),
        ("finland", 0, 0),
    ],
)
def test_each_major_power_has_its_counters_in_each_theatre(nation: str, europe: int, pacific: int) -> None:
    assert counters(turn(*ours("one")), nation) == europe
    assert counters(turn(*ours("one"), pacific=True), nation) == pacific


@pytest.mark.rule("18.14")
def test_production_adds_counters() -> None:
    assert counters(turn(*ours("one"), airbase_counters={"italy": 2}), "italy") == 4


@pytest.mark.rule("18.142B.1", "18.142B.2", "18.142B.4")
@pytest.mark.parametrize("pacific", [False, True])
def test_one_or_two_airbases_a_turn(pacific: bool) -> None:
    state = turn(*ours("one"), pacific=pacific)
    assert [a_turn(state, n) for n in ("italy", "japan", "britain", "france", "china")] == [1, 1, 1, 1, 1]
    assert [a_turn(state, n) for n in ("germany", "united-states")] == [2, 2]
    assert a_turn(state, "rumania") == 0


@pytest.mark.rule("18.142B.3", "18.142B#classic")
def test_russia_places_two_from_1943() -> None:
    years = {year: a_turn(turn(*ours("one"), year=year), "russia") for year in (1935, 1938, 1939, 1942, 1943, 1945)}
    assert years == {1935: 1, 1938: 1, 1939: 1, 1942: 1, 1943: 2, 1945: 2}
    classic = Options(classic=True)
    played = {year: a_turn(turn(*ours("one"), year=year, options=classic), "russia") for year in (1938, 1939, 1943)}
    assert played == {1938: 0, 1939: 1, 1943: 2}


@pytest.mark.rule("18.142B.1", "18.142B.2", "18.142A")
def test_the_limit_is_for_the_whole_player_turn() -> None:
    state = turn(*ours("a", "b", "c", "d"))
    game = steer(play(state, airbases), "airbase:germany", "airbase:germany:a", "airbase:italy", "airbase:italy:b")
    state = game.state
    assert state.turn.placed == {"germany": 1, "italy": 1}
    state.turn.step = "construction"
    game = play(state, airbases)
    assert offered(game) == ["airbase:germany", "airbase:done"]  # its second one, in another phase
    steer(game, "airbase:germany", "airbase:germany:c")
    state = game.state
    state.turn.step = "redeployment"
    assert nations_offered(state) == []


@pytest.mark.rule("18.142A")
def test_airbases_are_placed_in_three_phases_of_the_own_turn() -> None:
    for phase in ("movement", "construction", "redeployment"):
        assert nations_offered(turn(*ours("one"), phase=phase)) == ["germany", "italy"]
    for phase in ("combat", "exploitation", "end"):
        assert nations_offered(turn(*ours("one"), phase=phase)) == []
    both = blue(*ours("ours", side="blue"), at_war=AT_WAR)
    assert nations_offered(both) == ["britain", "united-states", "france"]  # nobody of red, and no Russian hex


@pytest.mark.rule("18.141.2")
def test_no_american_airbases_in_europe_before_war_with_germany() -> None:
    assert nations_offered(blue(*ours("one", side="blue"))) == ["britain", "france"]
    assert "united-states" in nations_offered(blue(*ours("one", side="blue"), at_war=["us-germany"]))


@pytest.mark.rule("18.141.3")
def test_american_and_british_airbases_in_the_pacific_wait_for_the_turn_after_war() -> None:
    def able(*facts: str) -> list[str]:
        return nations_offered(blue(*ours("one", side="blue"), pacific=True, at_war=[*facts]))

    assert able() == ["china"]
    assert able("us-japan", "japan-west") == ["china"]  # war has broken out in this turn
    assert able("us-japan", "us-japan-last-turn") == ["britain", "united-states", "china"]
    assert able("tension-40") == ["britain", "united-states", "china"]


# --- where ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.142C")
def test_only_fully_supplied_hexes_of_the_own_side_take_an_airbase() -> None:
    state = turn(
        *ours("good"),
        base("short", "red", (1, 1), supply="partial"),
        base("dry", "red", (2, 1), supply="none"),
        base("bare", "red", (3, 1), cities=0),
        base("box", "red", (4, 1), cities=0, box=True),
        base("enemy", "blue", (5, 1)),
    )
    assert sites_for(state, "germany") == ["good", "bare"]
    assert is_fit(state.place("bare"))


@pytest.mark.rule("18.142C")
def test_enemy_armour_beside_the_hex_is_no_bar() -> None:
    state = turn(*ours("good"), units=[ground("tanks", "blue", "britain", "-6,1", kind="armor", factors=4)])
    assert sites_for(state, "germany") == ["good"]


@pytest.mark.rule("18.142C", "18.142C.1")
def test_an_alliance_faction_partner_lets_it_in_an_ally_outside_does_not() -> None:
    state = turn(*ours("german", "italian"), controllers={"italian": "italy"})
    assert sites_for(state, "germany") == ["german", "italian"]
    assert sites_for(state, "italy") == ["german", "italian"]
    apart = turn(*ours("german", "italian"), controllers={"italian": "italy"}, factions={"italy": "alone"})
    assert sites_for(apart, "germany") == ["german"]
    assert sites_for(apart, "italy") == ["italian"]


@pytest.mark.rule("18.142C#note2")
def test_western_allies_and_russia_keep_apart() -> None:
    state = blue(*ours("british", "russian", side="blue"), controllers={"russian": "russia"}, at_war=AT_WAR)
    assert sites_for(state, "britain") == ["british"]
    assert sites_for(state, "united-states") == ["british"]
    assert sites_for(state, "russia") == ["russian"]


@pytest.mark.rule("18.142C#note1")
def test_not_in_a_minor_country_that_has_just_joined_in_the_movement_phase() -> None:
    assert sites_for(turn(*ours("old", "new"), new_minors=["new"]), "germany") == ["old"]
    later = turn(*ours("old", "new"), new_minors=["new"], phase="construction")
    assert sites_for(later, "germany") == ["old", "new"]


@pytest.mark.rule("18.142D")
def test_one_airbase_in_a_hex() -> None:
    state = turn(*ours("one"), base("two", "red", (3, 0), airbases=1), airbases={"two": "italy"})
    assert sites_for(state, "germany") == ["one"]
    game = steer(play(state, airbases), "airbase:germany")
    assert sorted(game.state.turn.airbases) == ["one", "two"]
    assert sites_for(game.state, "italy") == []


@pytest.mark.rule("18.142D")
def test_two_bases_in_one_hex_share_an_airbase() -> None:
    city, port = base("city", "red", (3, 0), airbases=1), base("port", "red", (3, 0), cities=0, ports=1)
    assert sites_for(turn(*ours("one"), city, port, airbases={"city": "italy"}), "germany") == ["one"]


@pytest.mark.rule("18.142E")
@pytest.mark.parametrize("group", ["aleutians", "the Aleutians", "Aleutian Islands"])
def test_nobody_places_airbases_in_the_aleutians_whatever_they_are_called(group: str) -> None:
    state = turn(*ours("attu", "wake"), pacific=True, island_groups={"attu": group, "wake": "the Gilberts"})
    assert sites_for(state, "japan") == ["wake"]


@pytest.mark.rule("18.142E")
def test_one_airbase_of_a_faction_in_each_pacific_island_group() -> None:
    groups = {"a": "marshalls", "b": "marshalls", "c": "gilberts", "attu": "aleutians"}
    bases = [*ours("a", "b", "c", "attu"), base("theirs", "blue", (0, 4), airbases=1)]
    counted = {"theirs": "britain"}
    state = turn(*bases, pacific=True, island_groups=groups | {"theirs": "marshalls"}, airbases=counted)
    assert sites_for(state, "japan") == ["a", "b", "c"]  # the enemy's does not count
    game = steer(play(state, airbases), "airbase:japan", "airbase:japan:a")
    assert sites_for(game.state, "japan") == ["c"]
    assert sites_for(game.state, "japan", without="a") == ["b", "c"]


@pytest.mark.rule("18.142E")
def test_island_groups_are_no_matter_outside_the_pacific() -> None:
    groups = {"a": "balearics", "b": "balearics"}
    bases = [base("a", "red", (0, 0), airbases=1), base("b", "red", (0, 4))]
    assert sites_for(turn(*bases, island_groups=groups, airbases={"a": "italy"}), "germany") == ["b"]


@pytest.mark.rule("18.142A", "18.142B.1", "18.142B.2")
def test_who_has_placed_all_airbases_of_a_turn_places_no_more() -> None:
    state = turn(*ours("a", "b"))
    assert [kept_from_placing(state, country) for country in ("germany", "italy")] == [None, None]
    state.turn.placed = {"germany": 1, "italy": 1}
    why = kept_from_placing(state, "italy")
    assert kept_from_placing(state, "germany") is None
    assert why
    assert (why.text, why.rule) == ("has placed all its airbases for this turn", "18.142B")


# --- why not ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.142A", "18.142C", "18.142D")
def test_every_nation_and_base_is_offered_an_airbase_or_told_why_not() -> None:
    cut_off, taken = base("cut-off", "red", (2, 0), supply="partial"), base("b", "red", (4, 0), airbases=1)
    state = turn(*ours("a"), taken, cut_off, airbases={"b": "italy"})
    state.turn.placed = {"italy": 1}
    told = {one.about: (one.text, one.rule) for one in reasons(play(state, airbases).state, "red") or ()}
    assert nations_offered(state) == ["germany"]
    assert told["Italian"] == ("has placed all its airbases for this turn", "18.142B")
    names = {key: state.place(key).name for key in state.of_side("red")}
    explained = [key for key, name in names.items() if f"German airbase in {name}" in told]
    assert sorted([*sites_for(state, "germany"), *explained]) == ["a", "b", "cut-off"]
    assert told[f"German airbase in {names['b']}"] == ("there is an airbase in the hex", "18.142D")
    assert told[f"German airbase in {names['cut-off']}"] == ("not fully supplied", "18.142C")
    assert reasons(play(state, airbases).state, "blue") == []


# --- taking up --------------------------------------------------------------------------------------------------


def all_placed(phase: str = "movement", *air: str) -> State:
    """Both Italian airbases are on the map."""
    return turn(*all_placed_bases(*air), airbases={"a": "italy", "b": "italy"}, phase=phase)


def all_placed_bases(*air: str) -> list[dict[str, Any]]:
    return [
        base("a", "red", (0, 0), *air, airbases=1),
        base("b", "red", (1, 0), cities=0, airbases=1),
        base("c", "red", (2, 0), cities=0),
    ]


@pytest.mark.rule("18.143", "18.144", "18.145")
def test_when_all_counters_are_on_the_map_another_must_be_removed() -> None:
    game = play(all_placed(), airbases)
    game.choose("airbase:italy")
    assert offered(game) == ["recycle:italy:a", "recycle:italy:b"]
    game.choose("recycle:italy:b")
    assert sorted(game.state.turn.airbases) == ["a", "c"]
    assert game.state.place("b").installations == 0
    assert game.state.place("c").installations == 1
    assert game.state.turn.placed == {"italy": 1}  # as any other
    assert "airbase:italy" not in offered(game)


@pytest.mark.rule("18.144")
def test_an_airbase_that_stands_never_moves() -> None:
    """With a counter to spare nobody is asked to take one up, and air that stages leaves it where it is."""
    state = turn(*ours("c", "d"), base("b", "red", (1, 0), airbases=1), airbases={"b": "italy"})
    game = play(state, airbases)
    game.choose("airbase:italy")
    assert offered(game) == ["airbase:italy:c", "airbase:italy:d"]
    game.choose("airbase:italy:c")
    assert sorted(game.state.turn.airbases) == ["b", "c"]
    assert sorted(steer(play(game.state, staging)).state.turn.airbases) == ["b", "c"]


@pytest.mark.rule("18.143.1")
def test_air_may_stage_to_an_airbase_that_was_just_placed() -> None:
    state = all_placed("movement", "2 italy army")
    game = steer(play(state, airbases), "airbase:italy", "recycle:italy:b")
    assert [*staging_bases(game.state, units_of(game.state, "a", Arm.ARMY))] == ["c"]


@pytest.mark.rule("18.143.2")
def test_in_the_construction_phase_no_airbase_is_taken_up_under_air_that_could_not_leave() -> None:
    game = play(all_placed("construction", "6 italy army"), airbases)
    game.choose("airbase:italy")
    assert sorted(game.state.turn.airbases) == ["a", "c"]  # that in b, without a choice
    game = play(all_placed("construction", "5 italy army"), airbases)
    game.choose("airbase:italy")
    assert offered(game) == ["recycle:italy:a", "recycle:italy:b"]


@pytest.mark.rule("18.143.2", "18.13")
@pytest.mark.parametrize(("squadrons", "able"), [(1, ["a", "b"]), (2, [])])
def test_on_an_island_the_one_naval_squadron_does_not_hold_the_airbase_down(squadrons: int, able: list[str]) -> None:
    first, *others = all_placed_bases("5 italy army", f"{squadrons} italy naval")
    counters = {"a": "italy", "b": "italy"}
    game = play(turn(first | {"island": True}, *others, airbases=counters, phase="construction"), airbases)
    game.choose("airbase:italy")
    asked = offered(game) if game.pending is not None else []  # without a choice that in b is taken up
    assert [text for text in asked if text.startswith("recycle")] == [
        f"recycle:italy:{name}" for name in able[1:] and able
    ]


# --- who uses it ------------------------------------------------------------------------------------------------


def placed_by(country: str, *air: str, cities: int = 0, side: str = "red", **more: Any) -> State:
    """An airbase that was just placed in the base `new`, and air units in the base `home`."""
    bases = [base("home", side, (0, 0), *air, cities=3), base("new", side, (2, 0), cities=cities)]
    state = turn(*bases, base("enemy", "blue" if side == "red" else "red", (0, 5)), at_war=AT_WAR, **more)
    hand_over(state, side)
    placed: State = steer(play(state, airbases), f"airbase:{country}", f"airbase:{country}:new").state
    return placed


def room_for(state: State, country: str) -> int:
    which = next(which for which in state.sites["home"].air if which.nation == country)
    return staging_bases(state, which).get("new", 0)


@pytest.mark.rule("18.146", "18.146.2")
def test_in_its_phase_only_who_placed_an_airbase_uses_it() -> None:
    state = placed_by("italy", "5 italy army", "5 germany army")
    assert (room_for(state, "italy"), room_for(state, "germany")) == (5, 0)
    state.turn.step = "combat"
    assert (room_for(state, "italy"), room_for(state, "germany")) == (5, 5)
    state.turn.step, state.turn.player_turn = "movement", 1  # in the next turn
    assert room_for(state, "germany") == 5


@pytest.mark.rule("18.146.1")
def test_australian_and_free_french_air_uses_a_new_british_airbase_at_once() -> None:
    state = placed_by(
        "britain", "2 britain army", "2 australia army", "2 united-states army", side="blue", pacific=True
    )
    assert [room_for(state, country) for country in ("britain", "australia", "united-states")] == [5, 5, 0]
    state = placed_by("united-states", "2 britain army", "2 australia army", side="blue", pacific=True)
    assert [room_for(state, country) for country in ("britain", "australia")] == [0, 0]


@pytest.mark.rule("18.146.1")
def test_free_french_air_does_so_in_europe() -> None:
    data = scenario(
        base("home", "red", (0, 0), "2 free-france army", "2 france army", "2 britain army", cities=3),
        base("new", "red", (2, 0), cities=0),
        base("enemy", "blue", (0, 5)),
    )
    data["sides"][0]["nations"] = ["britain", "france", "free-france"]
    data["sides"][1]["nations"] = ["germany"]
    state = read_state(data, Options())
    assert state.turn_if_any is not None
    state.turn.step = "movement"
    state = steer(play(state, airbases), "airbase:britain", "airbase:britain:new").state
    assert [room_for(state, country) for country in ("britain", "free-france", "france")] == [5, 5, 0]


@pytest.mark.rule("18.146.3", "18.146")
def test_an_ally_may_use_the_city_beside_it() -> None:
    state = placed_by("italy", "5 italy army", "7 germany army", cities=1)
    assert (room_for(state, "italy"), room_for(state, "germany")) == (10, 5)
    game = play(state, staging)
    steer(game, "stage:home", "units:home:germany:army:factors", "stage:new:home:germany:army:factors:5")
    state = game.state
    assert air_at(state, "new") == {"germany army": 5}
    assert (room_for(state, "italy"), room_for(state, "germany")) == (5, 0)
    assert state.turn.marks[STAGED]


# --- the beginning ----------------------------------------------------------------------------------------------


@pytest.mark.rule("18.141")
@pytest.mark.parametrize(
    ("pacific", "asked"),
    [(False, ["germany", "italy", "britain", "russia", "france"]), (True, ["japan", "china"])],
)
def test_in_the_opening_setup_each_major_power_may_place_one(pacific: bool, asked: list[str]) -> None:
    bases = [*ours("r1", "r2"), *(base(f"b{n}", "blue", (2 * n, 5)) for n in range(1, 4))]
    more: dict[str, Any] = {} if pacific else {"controllers": {"b2": "russia"}}
    state = turn(*bases, pacific=pacific, opening=True, phases=["movement"], **more)
    state.turn.step = ""
    game = play(state, air_turn)
    found = []
    while game.pending is not None and offered(game)[-1].startswith("setup:"):
        found.append(offered(game)[-1].split(":")[1])
        game.choose(offered(game)[0])
    assert found == asked
    assert len(game.state.turn.airbases) == len(asked)
    assert game.state.turn.placed == {}  # those of the first turn are not among them


@pytest.mark.rule("18.14", "18.141")
def test_nobody_places_more_than_his_counters_in_the_opening_setup() -> None:
    """Italy has both of its counters on the map already."""
    state = turn(*ours("x", "y"), *all_placed_bases(), airbases={"a": "italy", "b": "italy"}, opening=True)
    game = play(state, opening_airbases)
    assert offered(game)[-1] == "setup:germany:done"
    game.choose("setup:germany:x")
    assert [text for text in game.state.turn.airbases if game.state.turn.airbases[text].nation == "italy"] == ["a", "b"]
    assert game.pending is None or not offered(game)[0].startswith("setup:italy")


@pytest.mark.rule("18.141.1")
def test_a_scenario_says_where_airbases_stand_as_it_begins() -> None:
    state = turn(*ours("a"), base("b", "red", (3, 0), "8 germany army", airbases=1), airbases={"b": "germany"})
    assert {key: counter.nation for key, counter in state.turn.airbases.items()} == {"b": "germany"}
    assert fits(state, units_of(state, "b", Arm.ARMY), "b") == 2  # everybody may use it
    state = turn(base("b", "red", (3, 0), airbases=1), controllers={"b": "italy"})
    assert {key: counter.nation for key, counter in state.turn.airbases.items()} == {"b": "italy"}
    state = turn(base("a", "red", (0, 0), airbases=1), base("b", "blue", (3, 0), airbases=1))
    assert {key: counter.nation for key, counter in state.turn.airbases.items()} == {"a": "germany", "b": "britain"}


@pytest.mark.rule("18.14", "18.141.1")
def test_faults_of_airbases_in_files() -> None:
    many = [base(f"b{n}", "red", (n, 0), airbases=1) for n in range(3)]
    with pytest.raises(ScenarioError, match="italy has 3 airbases, and 2 counters"):
        turn(*many, airbases={f"b{n}": "italy" for n in range(3)})
    assert (
        len(turn(*many, airbases={f"b{n}": "italy" for n in range(3)}, airbase_counters={"italy": 1}).turn.airbases)
        == 3
    )
    british = [base(f"b{n}", "blue", (n, 0), airbases=1) for n in range(2)]
    assert len(turn(*british, airbases={"b0": "britain", "b1": "britain"}).turn.airbases) == 2
    with pytest.raises(ScenarioError, match="britain has 2 airbases, and 1 counters"):
        turn(*british, airbases={"b0": "britain", "b1": "britain"}, pacific=True)
    with pytest.raises(ScenarioError, match="has no airbase: it needs airbases = 1"):
        turn(base("a", "red", (0, 0)), airbases={"a": "italy"})
    with pytest.raises(ScenarioError, match="“finland” has no airbase counters"):
        turn(base("a", "red", (0, 0), airbases=1), airbases={"a": "finland"})
    with pytest.raises(ScenarioError, match="does not fight on the side that holds a"):
        turn(base("a", "red", (0, 0)), controllers={"a": "britain"})
    with pytest.raises(ScenarioError, match="“japan” does not fight on the side that holds a"):
        turn(base("a", "red", (0, 0), airbases=1), airbases={"a": "japan"})


@pytest.mark.rule("18.147.1")
def test_isolation_asks_nothing_where_nothing_is_cut_off() -> None:
    assert play(all_placed(), isolation).pending is None
    with pytest.raises(ScenarioError, match="there is no base “nowhere”"):
        turn(*ours("a"), isolated=["nowhere"])
