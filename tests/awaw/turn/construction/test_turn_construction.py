"""The unit construction phase: costs, who may build what, where new units appear, and elite Japanese naval air."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from flagplot import library
from flagplot.awaw.air_units import Arm, Role, unit
from flagplot.awaw.board.text import turn_lines
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import construction, player_turn
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Until
from flagplot.awaw.turn.construction.construction import cost_of, is_air_unit, obstacle
from flagplot.awaw.turn.marks import BUILT, marked
from flagplot.awaw.turn.turn import hand_over
from flagplot.cli.keyboard.position import picture
from flagplot.kernel.errors import ScenarioError
from flagplot.kernel.requests import Choose
from flagplot.kernel.words import answered
from tests.awaw.turn.moves import offered, play, steer
from tests.awaw.turn.turns import air_at, base, turn, units_of


def germany(pool: dict[str, int], brps: int = 10, *bases: dict[str, Any], **more: Any) -> State:
    """Germany's construction phase, in Berlin and Paris."""
    if not bases:
        bases = (base("berlin", "red", (0, 0)), base("paris", "red", (3, 0)))
    nations = {"germany": brps, "italy": 10}
    return turn(*bases, base("london", "blue", (8, 0)), phase="construction", force_pool=pool, brps=nations, **more)


def japan(pool: dict[str, int], *, at_war: tuple[str, ...] = (), **more: Any) -> State:
    """Japan's construction phase, with a training rate of 3, in Tokyo."""
    return turn(
        base("tokyo", "red", (0, 0), *more.pop("air", ())),
        base("hawaii", "blue", (8, 0)),
        pacific=True,
        phase="construction",
        force_pool=pool,
        brps={"japan": 20},
        training={"japan": 2},
        at_war=list(at_war),
        **more,
    )


def why(state: State, key: str, side: str = "red") -> str | None:
    refusal = obstacle(state, side, key)
    return refusal.rule if refusal else None


# --- words ----------------------------------------------------------------------------------------------------


def questions(state: State, first: str) -> list[str]:
    """What is asked after it was said what is built, in words, and the labels of the first answers."""
    game = play(state, construction)
    game.choose(first)
    asked = []
    while isinstance(game.pending, Choose) and not offered(game)[0].startswith("build:"):
        asked.append(answered(game.pending.question, game.pending.options[0].label))
        game.choose(offered(game)[0])
    return asked


def test_places_are_called_what_people_call_them() -> None:
    fronts = {"berlin": "eastern", "paris": "western"}
    bombers = questions(germany({"germany/bomber": 3}, fronts=fronts), "build:germany/bomber")
    assert bombers == [
        "Choose where to build German strategic bomber factors: On the eastern front",
        "Build how many German strategic bomber factors on the eastern front? 1",
    ]
    army = questions(germany({"germany/army": 3}), "build:germany/army")
    assert army == [
        "Choose where to build German army air factors: In Berlin",
        "Build how many German army air factors in Berlin? 1",
    ]


def test_brps_are_told_by_the_names_of_nations() -> None:
    view = library.load("malta-turn", seed=1).view("axis")
    assert "BRPs: Germany 18, Italy 9, Britain 18" in turn_lines(view.position, view.position.turn)
    console = Console(record=True, width=100, file=io.StringIO())
    console.print(picture(view, console))
    assert "BRPs: Germany 18, Italy 9" in console.export_text()


# --- costs ------------------------------------------------------------------------------------------------------

COSTS = {
    Arm.ARMY: (3, "17.24"),
    Arm.NAVAL: (1, "17.34"),
    Arm.JET: (3, "17.54"),
    Arm.TRANSPORT: (3, "17.64"),
    Arm.BOMBER: (3, "17.74"),
    Arm.INTERCEPTOR: (3, "17.84"),
}


@pytest.mark.rule("17.24", "17.34", "17.54", "17.64", "17.74", "17.84", "17.141", "17.141A")
@pytest.mark.parametrize("arm", COSTS)
def test_what_a_unit_costs(arm: Arm) -> None:
    """Two are built: the BRPs go down by twice the price, and the force pool by two."""
    key, (price, number) = f"germany/{arm}", COSTS[arm]
    assert cost_of(arm) == (price, number)
    state = germany({key: 3}, research={"germany": {"jets": 9}}, training={"germany": 3})
    game = steer(play(state, construction), f"build:{key}", f"number:{key}:2")
    assert game.state.turn.brps["germany"] == 10 - 2 * price
    assert game.state.turn.unbuilt == {key: 1}
    assert game.state.turn.built == {key: 2}


@pytest.mark.rule("17.24")
def test_nobody_builds_more_than_he_can_pay_for_or_his_force_pool_holds() -> None:
    game = play(germany({"germany/army": 9}, 10), construction)
    game.choose("build:germany/army")
    game.choose("place:germany/army:berlin")
    assert offered(game) == [f"number:germany/army:{number}" for number in (1, 2, 3)]
    game = play(germany({"germany/army": 2}, 99), construction)
    game.choose("build:germany/army")
    game.choose("place:germany/army:paris")
    assert offered(game) == ["number:germany/army:1", "number:germany/army:2"]
    assert why(germany({"germany/army": 9}, 3), "germany/army") is None
    assert why(germany({"germany/army": 9}, 2), "germany/army") == "17.24"
    assert why(germany({}), "germany/army") == "17.24"


@pytest.mark.rule("17.34", "17.24")
def test_without_brps_nothing_is_built_not_even_a_squadron() -> None:
    state = germany({"germany/naval": 1})
    del state.turn.brps["germany"]
    refusal = obstacle(state, "red", "germany/naval")
    assert refusal is not None
    assert refusal == ("one costs 1 BRP, and there are 0 left", "17.34")


def test_each_nation_pays_for_its_own() -> None:
    game = play(germany({"germany/army": 1, "italy/army": 1}), construction)
    assert offered(game) == ["build:germany/army", "build:italy/army", "build:done"]
    steer(game, "build:italy/army", "place:italy/army:berlin")
    assert game.state.turn.brps == {"germany": 10, "italy": 7}


# --- where ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.72C")
def test_new_units_are_inverted_until_the_redeployment_phase_is_over() -> None:
    state = germany({"germany/army": 2})
    game = steer(play(state, construction), "build:germany/army", "place:germany/army:paris", "number:germany/army:2")
    assert air_at(game.state, "paris") == {"germany army inverted": 2}
    new = units_of(game.state, "paris", Arm.ARMY, inverted=True)
    assert marked(game.state, BUILT, new) == 2
    (down,) = game.state.turn.down
    assert (down.which, down.number, down.rule, down.until) == (new, 2, "18.72C", Until.TURN_END)


@pytest.mark.rule("18.12")
def test_new_units_need_room_and_full_supply() -> None:
    full = base("berlin", "red", (0, 0), "5 germany army")
    dry = base("paris", "red", (3, 0), supply="partial")
    state = germany({"germany/army": 1}, 10, full, dry)
    assert why(state, "germany/army") == "18.12"
    nearly = base("berlin", "red", (0, 0), "4 germany army")
    game = play(germany({"germany/army": 3}, 10, nearly, dry), construction)
    game.choose("build:germany/army")  # Berlin, and one: there is nothing else to say
    assert air_at(game.state, "berlin") == {"germany army": 4, "germany army inverted": 1}
    assert game.pending is None


def test_new_units_appear_in_their_home_country_where_the_scenario_names_it() -> None:
    """Italy's home is Rome; for Germany nothing is said, so it may use any base."""
    state = germany({"italy/army": 1, "germany/army": 1}, homes={"paris": "italy"})
    game = play(state, construction)
    game.choose("build:italy/army")
    assert air_at(game.state, "paris") == {"italy army inverted": 1}
    game.choose("build:germany/army")
    assert offered(game) == ["place:germany/army:berlin", "place:germany/army:paris"]


@pytest.mark.rule("17.13", "17.71", "17.81")
def test_strategic_bombers_and_interceptors_stand_on_a_front() -> None:
    assert [arm.value for arm in Arm if not is_air_unit(arm)] == ["interceptor", "bomber", "pacific-bomber"]
    state = germany({"germany/bomber": 1}, fronts={"berlin": "east", "paris": "west"})
    game = play(state, construction)
    game.choose("build:germany/bomber")
    assert offered(game) == ["place:germany/bomber:east", "place:germany/bomber:west"]
    game.choose("place:germany/bomber:west")
    new = unit("germany", Arm.BOMBER, 0, 0, "west", Role.FACTORS, True)
    assert game.state.turn.bombers == {"west": {new: 1}}
    assert not game.state.sites["paris"].air
    game = play(germany({"germany/bomber": 1}), construction)  # the only front has a name of its own
    game.choose("build:germany/bomber")
    assert list(game.state.turn.bombers) == ["main"]


# --- who may build what -----------------------------------------------------------------------------------------


@pytest.mark.rule("17.54.1")
def test_jets_need_a_research_result_of_9() -> None:
    assert why(germany({"germany/jet": 1}, research={"germany": {"jets": 8}}), "germany/jet") == "17.54.1"
    assert why(germany({"germany/jet": 1}, research={"germany": {"jets": 9}}), "germany/jet") is None
    assert play(germany({"germany/jet": 1}), construction).pending is None


def american(pool: dict[str, int], *, pacific: bool = True, **more: Any) -> State:
    state = turn(
        base("truk", "red", (0, 0)),
        *more.pop("bases", (base("hawaii", "blue", (6, 0), ports=1), base("denver", "blue", (8, 0)))),
        pacific=pacific,
        phase="construction",
        force_pool=pool,
        brps={"united-states": 30},
        **more,
    )
    hand_over(state, "blue")
    return state


@pytest.mark.rule("17.75A", "17.75B")
def test_pacific_bombers_are_built_in_the_pacific_from_1944_on() -> None:
    key = "united-states/pacific-bomber"
    assert why(american({key: 1}, year=1943), key, "blue") == "17.75B"
    assert why(american({key: 1}, year=1944), key, "blue") is None
    assert why(american({key: 1}, year=1944, pacific=False), key, "blue") == "17.75A"


@pytest.mark.rule("17.353A")
def test_the_training_rate_ends_the_building_of_squadrons() -> None:
    game = play(american({"united-states/naval": 9, "united-states/army": 9}, at_war=["us-japan"]), construction)
    game.choose("build:united-states/naval")
    game.choose("place:united-states/naval:denver")
    assert offered(game)[-1] == "number:united-states/naval:4"
    game.choose("number:united-states/naval:4")
    assert offered(game) == ["build:united-states/army", "build:done"]
    assert why(game.state, "united-states/naval", "blue") == "17.353A"


@pytest.mark.rule("17.353B", "17.353B.1")
def test_nobody_is_asked_about_escort_carriers_that_no_force_pool_has() -> None:
    game = play(american({"britain/cve": 1}, at_war=["us-japan"], year=1943), construction)
    assert offered(game) == ["begin:britain/cve:0", "begin:britain/cve:1"]
    game.choose("begin:britain/cve:0")
    assert game.pending is None


@pytest.mark.rule("17.355")
def test_before_the_war_new_american_naval_air_appears_where_carriers_lie() -> None:
    peace = play(american({"united-states/naval": 1}), construction)
    peace.choose("build:united-states/naval")
    assert air_at(peace.state, "hawaii") == {"united-states naval inverted": 1}
    war = play(american({"united-states/naval": 1}, at_war=["us-japan"]), construction)
    war.choose("build:united-states/naval")
    assert offered(war) == ["place:united-states/naval:hawaii", "place:united-states/naval:denver"]
    inland = play(american({"united-states/naval": 1}, bases=(base("denver", "blue", (8, 0)),)), construction)
    inland.choose("build:united-states/naval")
    assert air_at(inland.state, "denver") == {"united-states naval inverted": 1}


# --- elite Japanese naval air -----------------------------------------------------------------------------------


@pytest.mark.rule("17.352B")
def test_before_the_war_additions_are_elite() -> None:
    game = play(japan({"japan/elite-naval": 2}), construction)
    steer(game, "build:japan/elite-naval", "number:japan/elite-naval:2")
    assert air_at(game.state, "tokyo") == {"japan elite-naval inverted": 2}


@pytest.mark.rule("17.352B.1", "17.352B.2")
def test_with_the_war_all_that_is_unbuilt_becomes_regular() -> None:
    """What was added before it and is still unbuilt, as well as what is added later."""
    game = play(japan({"japan/elite-naval": 1, "japan/naval": 1}, at_war=("japan-west",)), construction)
    steer(game, "build:japan/elite-naval", "build:japan/naval")
    assert air_at(game.state, "tokyo") == {"japan naval inverted": 2}


@pytest.mark.rule("17.352C")
def test_elite_squadrons_that_are_lost_are_rebuilt_as_regular_ones() -> None:
    state = japan({}, air=("3 japan elite-naval", "1 japan naval", "2 japan army"))
    elite = units_of(state, "tokyo", Arm.ELITE)
    state.lose({elite: 2, units_of(state, "tokyo", Arm.ARMY): 1})
    assert state.turn.unbuilt == {"japan/naval": 2, "japan/army": 1}
    assert state.losses.air == {"japan/elite-naval/squadrons": 2, "japan/army/factors": 1}
    game = steer(play(state, construction), "build:japan/naval", "number:japan/naval:2")
    assert air_at(game.state, "tokyo")["japan naval inverted"] == 2


@pytest.mark.rule("19.31A#classic")
def test_in_the_classic_game_the_force_pool_has_no_indian_army_air() -> None:
    def pool(*, classic: bool) -> dict[str, int]:
        return turn(
            base("delhi", "blue", (0, 0)), pacific=True, options=Options(classic=classic), force_pool=INDIA
        ).turn.unbuilt

    assert pool(classic=False) == INDIA
    with pytest.raises(ScenarioError) as refusal:
        pool(classic=True)
    assert [(fault.place, fault.rule) for fault in refusal.value.faults] == [
        ("turn.force_pool.india/army", "19.31A#classic")
    ]


INDIA = {"india/army": 1, "india/transport": 1}


# --- new airbases -----------------------------------------------------------------------------------------------


@pytest.mark.rule("18.142A", "18.146", "18.146.2")
def test_units_built_in_the_phase_use_an_airbase_that_is_placed_in_it_if_their_nation_has_placed_it() -> None:
    bare = base("bare", "red", (3, 0), cities=0)
    full = base("berlin", "red", (0, 0), "5 germany army")
    state = germany({"germany/army": 2, "italy/army": 2}, 10, full, bare, phases=["construction"])
    game = play(state, player_turn)
    for answer in ("airbase:germany", "airbase:germany:bare", "airbase:done"):
        game.choose(answer)
    assert offered(game) == ["build:germany/army", "build:done"], "Italy has to wait for the next phase"
    game.choose("build:germany/army")
    game.choose("number:germany/army:2")
    assert air_at(steer(game).state, "bare") == {"germany army inverted": 2}
