"""Naval air training (17.353, 17.356): rates in the current and the classic game, and escort carriers."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.options import Options
from flagplot.awaw.procedures import construction
from flagplot.awaw.scenario import read_state
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.construction.training import escort_carriers, squadrons_left, training_rate
from flagplot.awaw.turn.turn import hand_over
from flagplot.kernel.errors import ScenarioError
from tests.awaw.turn.moves import offered, play, steer
from tests.awaw.turn.turns import base, scenario, turn

NATIONS = ("united-states", "japan", "britain", "germany", "italy", "australia")


def theatre(*, pacific: bool = True, classic: bool = False, **more: Any) -> State:
    options = Options(classic=classic)
    return turn(base("truk", "red", (0, 0)), base("hawaii", "blue", (6, 0)), pacific=pacific, options=options, **more)


def rates(state: State) -> dict[str, int]:
    return {nation: training_rate(state, nation).total for nation in NATIONS}


@pytest.mark.rule("17.353A")
def test_the_rates_at_the_start() -> None:
    assert rates(theatre()) == dict(zip(NATIONS, (4, 1, 1, 0, 0, 0), strict=True))


@pytest.mark.rule("17.353A#classic")
def test_the_rates_of_the_classic_game() -> None:
    assert rates(theatre(classic=True)) == dict(zip(NATIONS, (4, 3, 2, 1, 1, 0), strict=True))


@pytest.mark.rule("17.353A.1", "17.353C")
def test_production_and_the_games_before_the_war_raise_a_rate() -> None:
    state = theatre(training={"japan": 2, "germany": 1})
    assert training_rate(state, "japan").total == 3
    assert [line.rule for line in training_rate(state, "germany")] == ["17.353A", "17.353C"]


@pytest.mark.rule("17.356")
def test_in_a_european_scenario_the_american_rate_begins_at_nothing() -> None:
    assert training_rate(theatre(pacific=False), "united-states").total == 0
    assert training_rate(theatre(pacific=False, classic=True), "united-states").total == 0
    raised = theatre(pacific=False, training={"united-states": 2})
    assert training_rate(raised, "united-states").total == 2
    assert training_rate(theatre(pacific=False), "britain").total == 1


@pytest.mark.rule("17.353A")
def test_rebuilt_and_new_squadrons_use_up_one_rate() -> None:
    state = theatre(training={"japan": 2})
    assert squadrons_left(state, "japan") == 3
    state.turn.built = {"japan/naval": 1, "japan/elite-naval": 1, "japan/army": 5}
    assert squadrons_left(state, "japan") == 1
    state.turn.built = {"japan/naval": 4}
    assert squadrons_left(state, "japan") == 0
    assert (training_rate(state, "china").total, squadrons_left(state, "china")) == (0, 0)


def building(pool: dict[str, int], *, pacific: bool = True, **more: Any) -> State:
    """Blue's construction phase, with the U.S. and Britain."""
    return turn(
        base("truk", "red", (0, 0)),
        base("hawaii", "blue", (6, 0), ports=1),
        pacific=pacific,
        phase="construction",
        force_pool=pool,
        brps={"united-states": 20, "britain": 20},
        **more,
    )


def blue(state: State) -> Any:
    hand_over(state, "blue")
    return play(state, construction)


@pytest.mark.rule("17.353B", "17.353B.1")
def test_the_us_begins_escort_carriers_up_to_the_rates() -> None:
    """Four American ones and one British one in the Pacific; they do not use the rates up."""
    state = building({"united-states/cve": 9, "britain/cve": 9})
    game = blue(state)
    assert offered(game) == [f"begin:united-states/cve:{number}" for number in range(5)]
    game.choose("begin:united-states/cve:4")
    assert offered(game) == ["begin:britain/cve:0", "begin:britain/cve:1"]
    game.choose("begin:britain/cve:1")
    assert game.pending is None
    assert game.state.turn.built == {"united-states/cve": 4, "britain/cve": 1}
    assert game.state.turn.unbuilt == {"united-states/cve": 5, "britain/cve": 8}
    assert squadrons_left(game.state, "united-states") == 4
    assert squadrons_left(game.state, "britain") == 1


@pytest.mark.rule("17.353B")
def test_squadrons_that_were_built_leave_escort_carriers_alone() -> None:
    state = building({"united-states/cve": 9, "united-states/naval": 9})
    game = blue(state)
    game.choose("build:united-states/naval")
    game.choose("number:united-states/naval:4")
    assert offered(game)[-1] == "begin:united-states/cve:4"


@pytest.mark.rule("17.356.1")
def test_in_a_european_scenario_four_american_escort_carriers_whatever_the_rate() -> None:
    state = building({"united-states/cve": 9}, pacific=False)
    assert escort_carriers(state, "united-states").total == 4
    assert escort_carriers(state, "britain").total == 1
    assert len(offered(blue(state))) == 5
    assert escort_carriers(building({}, training={"united-states": 3}), "united-states").total == 7


@pytest.mark.rule("17.353D", "17.353B")
def test_the_force_pool_of_a_scenario_is_checked() -> None:
    bases = (base("a", "red", (0, 0)), base("b", "blue", (6, 0)))
    wrong = {"russia/naval": 1, "germany/elite-naval": 1, "germany/cve": 1, "britain/cve": 1, "britain/pigeons": 1}
    with pytest.raises(ScenarioError) as refused:
        read_state(scenario(*bases, force_pool=wrong), Options())
    assert [(fault.place.rpartition(".")[2], fault.rule) for fault in refused.value.faults] == [
        ("russia/naval", "17.353D"),
        ("germany/elite-naval", "17.352"),
        ("germany/cve", "17.353B"),
        ("britain/pigeons", ""),
    ]


@pytest.mark.rule("17.75A")
def test_only_the_united_states_have_pacific_bombers() -> None:
    bases = (base("a", "red", (0, 0)), base("b", "blue", (6, 0)))
    box = [{"nation": nation, "arm": "pacific-bomber", "factors": 1, "front": "south"} for nation in ("japan", "italy")]
    pool = {"japan/pacific-bomber": 1, "united-states/pacific-bomber": 1}
    with pytest.raises(ScenarioError) as refused:
        read_state(scenario(*bases, pacific=True, force_pool=pool, sw=box), Options())
    assert [(fault.place, fault.rule) for fault in refused.value.faults] == [
        ("turn.sw[0].nation", "17.75"),
        ("turn.sw[1].nation", ""),
        ("turn.sw[1].nation", "17.75"),
        ("turn.force_pool.japan/pacific-bomber", "17.75"),
    ]


def test_nothing_is_asked_of_who_has_nothing_to_build() -> None:
    assert steer(play(building({}), construction)).turn == 1  # only whether Japan invokes the kamikaze rule
