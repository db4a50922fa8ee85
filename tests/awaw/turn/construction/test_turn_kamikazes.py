"""The kamikaze force pool: invoking the rule, making and building kamikazes, growth; and when they may fly."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from flagplot.awaw.air_rounds import to_scale
from flagplot.awaw.air_units import Arm
from flagplot.awaw.battle.kamikazes import spend
from flagplot.awaw.kamikaze_force import kamikazes_fly
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import construction
from flagplot.awaw.scenario import read_state
from flagplot.awaw.state.battle import Dive
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.construction.kamikaze_pool import become_regular, room_in_pool
from flagplot.awaw.turn.turn import hand_over
from flagplot.kernel.errors import ScenarioError
from tests.awaw.battles import squadron
from tests.awaw.turn.moves import offered, play, steer
from tests.awaw.turn.turns import air_at, base, scenario, turn, units_of


def japan(*air: str, options: Options | None = None, **more: Any) -> State:
    """Japan's construction phase, with its air in Tokyo."""
    bases = more.pop("bases", (base("tokyo", "red", (0, 0), *air, cities=2),))
    return turn(
        *bases,
        base("hawaii", "blue", (9, 0), "1 united-states army"),
        pacific=True,
        phase="construction",
        brps={"japan": more.pop("brps", 20)},
        options=options,
        **more,
    )


# --- invoking ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.41", "17.43A")
def test_japan_invokes_the_rule_in_its_construction_phase() -> None:
    game = play(japan(), construction)
    assert offered(game) == ["kamikazes:no", "kamikazes:yes"]
    game.choose("kamikazes:yes")
    assert game.state.turn.pool.limit == 15
    assert any("invokes the kamikaze rule" in entry.text for entry in game.log("blue"))
    declined = play(japan(), construction)
    declined.choose("kamikazes:no")
    assert declined.state.turn.pool.limit == 0


@pytest.mark.rule("17.41")
def test_nobody_else_is_asked() -> None:
    state = japan()
    hand_over(state, "blue")
    assert play(state, construction).pending is None


@pytest.mark.rule("17.42", "17.42.1")
def test_all_elite_naval_air_becomes_regular() -> None:
    """In bases, in the force pool and aboard; its DRM is that of regular naval air, and why it is inverted stays."""
    kido = squadron("kido", "red", "Akagi", cruisers=8, air=3, elite=True, base="tokyo")
    tokyo = base(
        "tokyo", "red", (0, 0), "2 japan elite-naval", "1 japan naval", "2 japan elite-naval inverted", ports=1
    )
    state = japan(bases=(tokyo,), forces=[kido], force_pool={"japan/elite-naval": 4, "japan/naval": 1})
    elite = units_of(state, "tokyo", Arm.ELITE)
    game = play(state, construction)
    game.choose("kamikazes:yes")
    assert air_at(game.state, "tokyo") == {"japan naval": 3, "japan naval inverted": 2}
    assert game.state.turn.unbuilt == {"japan/naval": 5}
    aboard = [which.arm for force in game.state.operation.fleet.values() for which in force.group.air]
    assert aboard == [Arm.NAVAL]
    assert units_of(game.state, "tokyo", Arm.NAVAL).drm == elite.drm - 1
    assert [entry.which.arm for entry in game.state.turn.down] == [Arm.NAVAL]
    alone = japan(force_pool={"japan/elite-naval": 4})
    become_regular(alone)
    assert alone.turn.unbuilt == {"japan/naval": 4}
    nothing = japan()
    become_regular(nothing)
    assert nothing.turn.unbuilt == {}


@pytest.mark.rule("17.42.1")
def test_with_kamikazes_nothing_elite_is_built() -> None:
    state = japan(force_pool={"japan/elite-naval": 1}, kamikaze_limit=15)
    steered = steer(play(state, construction), "build:japan/elite-naval")
    assert air_at(steered.state, "tokyo") == {"japan naval inverted": 1}


# --- making kamikazes -------------------------------------------------------------------------------------------


@pytest.mark.rule("17.44A", "17.44A.1", "17.44A.2")
def test_air_that_is_built_becomes_kamikazes_that_are_built() -> None:
    """A naval squadron makes one, an army air factor three; they leave Japan's force pools for good."""
    state = japan("4 japan naval", "2 japan army", kamikaze_limit=15)
    game = play(state, construction)
    assert offered(game) == ["convert:tokyo:army", "convert:tokyo:naval", "convert:done"]
    steer(game, "convert:tokyo:naval", "converted:tokyo:naval:3", "convert:tokyo:army", "converted:tokyo:army:2")
    assert game.state.kamikazes == 9
    assert air_at(game.state, "tokyo") == {"japan naval": 1}
    assert game.state.turn.pool.unbuilt == 0
    assert not game.state.turn.unbuilt
    assert game.state.turn.pools == {"japan/army": 0, "united-states/army": 1}
    assert game.state.turn.brps["japan"] == 20


@pytest.mark.rule("17.44A", "17.44A.1", "17.44A.2")
def test_air_that_is_not_built_becomes_kamikazes_that_have_to_be_built() -> None:
    state = japan(kamikaze_limit=15, force_pool={"japan/naval": 3, "japan/army": 2}, brps=4)
    game = steer(
        play(state, construction),
        "convert:unbuilt:naval",
        "converted:unbuilt:naval:2",
        "convert:unbuilt:army",
        "converted:unbuilt:army:1",
    )
    assert (game.state.kamikazes, game.state.turn.pool.unbuilt) == (0, 5)
    assert game.state.turn.unbuilt == {"japan/naval": 1, "japan/army": 1}
    assert game.state.turn.pools["japan/army"] == 1


@pytest.mark.rule("17.43A", "17.44A")
def test_no_more_are_made_than_the_force_pool_holds() -> None:
    """13 of 15: two naval squadrons fit, an army air factor does not."""
    state = japan("9 japan naval", "2 japan army", kamikaze_limit=15, kamikazes=10, kamikaze_unbuilt=3)
    game = play(state, construction)
    assert offered(game) == ["convert:tokyo:naval", "convert:done"]
    game.choose("convert:tokyo:naval")
    assert offered(game) == ["converted:tokyo:naval:1", "converted:tokyo:naval:2"]
    game.choose("converted:tokyo:naval:2")
    assert offered(game)[0] == "build:japan/kamikaze"
    unbuilt = {"japan/army": 2, "japan/naval": 2}
    few = japan(kamikaze_limit=15, kamikazes=11, force_pool=unbuilt)
    game = play(few, construction)
    game.choose("convert:unbuilt:army")
    assert any("3 kamikazes made from 1 unbuilt army air factor" in entry.text for entry in game.log("red"))
    few.kamikazes = 17
    assert room_in_pool(few) == 0


@pytest.mark.rule("17.44A", "17.44A.1")
def test_only_japanese_naval_and_army_air_becomes_kamikazes() -> None:
    state = japan("2 japan naval", "1 japan army", "1 japan transport", kamikaze_limit=15)
    state.sites["tokyo"].air |= to_scale({units_of(state, "tokyo", Arm.ARMY): 1}, {}, squadrons=True)[0]
    game = play(state, construction)
    assert offered(game) == ["convert:tokyo:army", "convert:tokyo:naval", "convert:done"]


@pytest.mark.rule("17.44A")
def test_marks_and_reasons_go_with_those_who_become_kamikazes() -> None:
    state = japan("2 japan naval inverted", kamikaze_limit=15)
    game = steer(play(state, construction), "convert:tokyo:naval:inverted", "converted:tokyo:naval:inverted:2")
    assert not game.state.turn.down
    assert not game.state.sites["tokyo"].air


# --- building ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.44B", "17.44B.1")
def test_kamikazes_are_built_whatever_the_training_rate() -> None:
    """The rate is 1, and a squadron has used it up; they cost a BRP each."""
    state = japan(kamikaze_limit=15, kamikaze_unbuilt=9, brps=8)
    state.turn.built = {"japan/naval": 1}
    game = play(state, construction)
    game.choose("build:japan/kamikaze")
    assert offered(game) == [f"number:japan/kamikaze:{number}" for number in (1, 2, 3, 4, 5, 6, 7, 8)]
    game.choose("number:japan/kamikaze:7")
    assert (game.state.kamikazes, game.state.turn.pool.unbuilt, game.state.turn.brps["japan"]) == (7, 2, 1)
    assert game.state.turn.built["japan/naval"] == 1


@pytest.mark.rule("17.44B", "17.44C")
def test_no_kamikazes_are_built_without_a_brp_for_each() -> None:
    state = japan(kamikaze_limit=15, kamikaze_unbuilt=9, brps=1)
    assert offered(play(state, construction)) == ["build:japan/kamikaze", "build:done"]
    del state.turn.brps["japan"]
    assert play(state, construction).pending is None


@pytest.mark.rule("17.44B")
def test_those_that_have_flown_are_built_again() -> None:
    state = japan(kamikaze_limit=15, kamikazes=10)
    spend(state, Dive("red", "x", 4))
    assert state.turn.pool.unbuilt == 4
    state.kamikazes -= 4
    game = steer(play(state, construction), "build:japan/kamikaze", "number:japan/kamikaze:4")
    assert game.state.kamikazes == 10


@pytest.mark.rule("17.44B")
def test_no_more_are_built_than_the_force_pool_holds() -> None:
    state = japan(kamikaze_limit=15, kamikazes=12, kamikaze_unbuilt=3)
    state.turn.pool.unbuilt = 9  # more than there can be
    game = play(state, construction)
    game.choose("build:japan/kamikaze")
    assert offered(game)[-1] == "number:japan/kamikaze:3"


# --- growth -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.43B", "17.43C", "17.47H.1")
@pytest.mark.parametrize(
    ("limit", "used", "grown"), [(15, 14, 15), (15, 15, 30), (30, 29, 30), (30, 30, 45), (45, 46, 60)]
)
def test_the_pool_grows_when_all_of_it_was_used(limit: int, used: int, grown: int) -> None:
    """It may take several turns (17.43B). Each growth is worth one more on the attack rolls."""
    game = play(japan(kamikaze_limit=limit, kamikaze_used=used), construction)
    assert game.state.turn.pool.limit == grown
    assert game.state.turn.pool.used == (0 if grown > limit else used)
    assert game.state.kamikaze_growth == grown // 15 - 1


@pytest.mark.rule("17.43B")
def test_kamikazes_that_fly_are_counted() -> None:
    state = japan(kamikaze_limit=15, kamikazes=15)
    spend(state, Dive("red", "x", 9))
    spend(state, Dive("red", "x", 6))
    assert state.turn.pool.used == 15
    assert play(state, construction).state.turn.pool.limit == 30


@pytest.mark.rule("17.43A", "17.43C")
def test_the_pool_of_a_scenario_is_checked() -> None:
    bases = (base("tokyo", "red", (0, 0)), base("hawaii", "blue", (9, 0)))
    with pytest.raises(ScenarioError) as refused:
        read_state(scenario(*bases, pacific=True, kamikaze_limit=20, kamikazes=21), Options())
    assert [fault.place for fault in refused.value.faults] == ["turn.kamikaze_limit", "turn.kamikazes"]
    read_state(scenario(*bases, pacific=True, kamikaze_limit=30, kamikazes=20, kamikaze_unbuilt=10), Options())
    with pytest.raises(ScenarioError, match="more of them than the force pool of 30"):
        read_state(scenario(*bases, pacific=True, kamikaze_limit=30, kamikazes=20, kamikaze_unbuilt=11), Options())


# --- flying -----------------------------------------------------------------------------------------------------


def at(state: State, hex_: tuple[int, int]) -> State:
    """A battle there."""
    state.scene = replace(state.scene, at=hex_)
    return state


@pytest.mark.rule("17.462")
def test_they_fly_four_hexes_from_japan() -> None:
    tokyo, truk = base("tokyo", "red", (0, 0)), base("truk", "red", (4, 0))
    state = japan(bases=(tokyo, truk), kamikaze_limit=15, kamikazes=3, homes={"tokyo": "japan"})
    assert kamikazes_fly(at(state, (4, 0)), "red")
    assert not kamikazes_fly(at(state, (5, 0)), "red")
    assert not kamikazes_fly(at(state, (4, 0)), "blue")
    anywhere = japan(bases=(tokyo, truk), kamikaze_limit=15, kamikazes=3)
    assert kamikazes_fly(at(anywhere, (5, 0)), "red")
    anywhere.kamikazes = 0
    assert not kamikazes_fly(anywhere, "red")


@pytest.mark.rule("17.45")
def test_they_need_neither_oil_nor_supply() -> None:
    state = japan(bases=(base("tokyo", "red", (0, 0), oil=True, supply="none"),), kamikaze_limit=15, kamikazes=3)
    assert kamikazes_fly(at(state, (1, 0)), "red")


@pytest.mark.rule("17.47D.1")
def test_those_of_a_turn_attack_at_one_time() -> None:
    """A player turn; by option a game turn, of which this is the second player turn."""
    for reading, again in (("player-turn", True), ("game-turn", False)):
        state = at(japan(kamikaze_limit=15, kamikazes=9, options=Options(kamikaze_turn=reading)), (1, 0))
        spend(state, Dive("red", "x", 2))
        assert not kamikazes_fly(state, "red")
        state.turn.player_turn = 1
        assert kamikazes_fly(state, "red") is again
        state.turn.player_turn = 2
        assert kamikazes_fly(state, "red")
