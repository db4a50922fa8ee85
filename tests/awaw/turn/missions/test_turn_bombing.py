"""Strategic bombers, interceptors and bombing (17.58, 17.7, 17.8, 18.31F-G, 18.49, 18.57, 19.31D)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from flagplot.awaw.air_units import Arm, Force, Role, unit
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import bombing, sw_redeploying
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Raid
from flagplot.awaw.turn.missions.bombing import able_to_oppose, bombing_factors, origins, strengths
from flagplot.awaw.turn.missions.strategic import (
    as_flown,
    bases_on,
    bomber_range,
    front_of,
    interceptor_range,
    may_bomb_box,
    may_intercept,
    reaches,
)
from flagplot.awaw.turn.turn import hand_over
from flagplot.kernel.dice import Dice, Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Roll
from tests.awaw.turn.moves import offered, play, steer
from tests.awaw.turn.turns import air_at, base, turn

WEST = {"kiel": "west", "ruhr": "west", "dover": "west", "rome": "south"}


def raid(*sw: tuple[str, str, int, str], **more: Any) -> State:
    """Germans in Dover bomb the Ruhr, four hexes away, which the British hold here, with Kiel and Rome beyond."""
    return turn(
        base("dover", "red", (0, 0), *more.pop("dover", ()), **more.pop("place", {})),
        base("ruhr", "blue", (4, 0), *more.pop("ruhr", ()), **more.pop("target", {})),
        base("kiel", "blue", (5, -2), *more.pop("kiel", ())),
        base("rome", "blue", (8, 0), *more.pop("rome", ())),
        phase="combat",
        targets={"ruhr": "the Ruhr"},
        fronts=more.pop("fronts", WEST),
        sw=[{"nation": n, "arm": arm, "factors": number, "front": front} for n, arm, number, front in sw],
        **more,
    )


def sw(nation: str, arm: Arm, front: str = "west") -> Any:
    return unit(nation, arm, 0, 0, front, Role.FACTORS, False)


def choose(game: Game[Any], *texts: str) -> Game[Any]:
    for text in texts:
        game.choose(text)
    return game


def roll(game: Game[Any]) -> Game[Any]:
    while isinstance(game.pending, Roll):
        game.roll()
    return game


def numbers(game: Game[Any]) -> list[int]:
    """The numbers that are offered."""
    return [int(text.rsplit(":", 1)[-1]) for text in offered(game)]


# --- ranges -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.72A", "17.72B", "17.72C", "17.72D", "18.31F")
def test_the_range_of_strategic_bombers_grows_with_air_range_research() -> None:
    assert [bomber_range(results, pacific=False) for results in range(4)] == [4, 8, 16, 24]
    assert [bomber_range(results, pacific=True) for results in range(4)] == [3, 6, 12, 18]


@pytest.mark.rule("17.82A", "17.82B", "17.82C", "17.82D")
def test_the_range_of_interceptors_grows_later() -> None:
    assert [interceptor_range(results, pacific=False) for results in range(4)] == [4, 4, 8, 12]
    assert [interceptor_range(results, pacific=True) for results in range(4)] == [3, 3, 6, 9]


@pytest.mark.rule("17.72", "17.71")
def test_bombers_fly_from_any_operational_base_of_their_front_however_crowded() -> None:
    state = raid(("germany", "bomber", 2, "west"), dover=("5 germany army",))
    assert reaches(state, "red", sw("germany", Arm.BOMBER), (4, 0)) == ["dover"]
    assert reaches(state, "red", sw("germany", Arm.BOMBER), (5, 0)) == []
    assert reaches(state, "red", sw("germany", Arm.BOMBER, "south"), (4, 0)) == []
    cut_off = raid(("germany", "bomber", 2, "west"), place={"supply": "partial"})
    assert bases_on(cut_off, "red", "west") == []
    assert origins(cut_off, "germany", "ruhr") == []


@pytest.mark.rule("17.71.2")
def test_bombers_may_bomb_a_target_on_another_front() -> None:
    fronts = {**WEST, "ruhr": "east"}
    state = raid(("germany", "bomber", 2, "west"), fronts=fronts)
    assert front_of(state, (4, 0)) == "east"
    assert origins(state, "germany", "ruhr") == ["dover"]


@pytest.mark.rule("17.82.1", "18.31G.1", "17.72")
def test_escorting_interceptors_have_a_range_of_their_own() -> None:
    far = raid(
        ("germany", "bomber", 1, "west"), ("germany", "interceptor", 1, "west"), research={"germany": {"air_range": 1}}
    )
    assert reaches(far, "red", sw("germany", Arm.BOMBER), (8, 0)) == ["dover"]
    assert reaches(far, "red", sw("germany", Arm.INTERCEPTOR), (8, 0)) == []
    assert reaches(far, "red", sw("germany", Arm.INTERCEPTOR), (4, 0)) == ["dover"]


@pytest.mark.rule("18.31G", "17.82")
def test_interceptors_need_their_front_and_a_supplied_base_in_range() -> None:
    state = raid()
    fighter = sw("britain", Arm.INTERCEPTOR)
    route = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]
    assert may_intercept(state, "blue", fighter, route) == "ruhr"
    assert may_intercept(state, "blue", sw("britain", Arm.INTERCEPTOR, "south"), route) == ""  # another front
    assert may_intercept(state, "blue", fighter, [(-1, 0)]) == ""  # its front, but five hexes away
    hungry = raid(target={"supply": "partial"})
    assert may_intercept(hungry, "blue", fighter, [(0, 0)]) == ""  # Kiel is supplied, but out of range
    assert may_intercept(state, "blue", fighter, [(0, 0)]) == "ruhr"
    assert may_intercept(state, "blue", fighter, [(-5, 0), (0, 0), (8, 0)]) == "ruhr", "a part of the way is enough"


@pytest.mark.rule("17.71", "17.81")
def test_the_front_of_a_hex_is_that_of_a_base_in_it_or_of_the_nearest() -> None:
    state = raid(fronts={"dover": "west", "ruhr": "east", "rome": "south"})
    found = [front_of(state, at) for at in ((0, 0), (4, 0), (5, -2), (1, 0), (2, 0), (3, 0), (7, 0), (12, 0))]
    assert found == ["west", "east", "east", "west", "west", "east", "south", "south"]
    assert front_of(raid(fronts={}), (4, 0)) == ""
    rows = tuple("n" * len(row) for row in state.operation.plan.board.rows)
    drawn = replace(state.operation.plan.board, front_rows=rows, front_names=(("n", "north"),))
    state.operation.plan = replace(state.operation.plan, board=drawn)
    assert [front_of(state, at) for at in ((4, 0), (5, 0), (40, 0))] == ["east", "north", "south"], "as the map has it"


@pytest.mark.rule("17.82")
def test_by_option_the_front_or_a_base_in_range_is_enough() -> None:
    state = raid(options=Options(interceptor_reach="either"))
    assert may_intercept(state, "blue", sw("britain", Arm.INTERCEPTOR), [(-1, 0)]) == "ruhr"  # over its front
    assert may_intercept(state, "blue", sw("britain", Arm.INTERCEPTOR, "south"), [(4, 0)]) == "rome"  # in range of Rome
    assert may_intercept(state, "blue", sw("britain", Arm.INTERCEPTOR, "south"), [(3, 0)]) == ""


@pytest.mark.rule("17.85", "17.75C", "17.75A")
def test_interceptors_and_pacific_bombers_have_one_more() -> None:
    state = raid()
    assert as_flown(state, sw("germany", Arm.INTERCEPTOR), "dover").drm == 3
    assert as_flown(state, sw("germany", Arm.BOMBER), "dover").drm == 2
    assert as_flown(state, sw("united-states", Arm.PACIFIC_BOMBER), "ruhr").drm == 3


@pytest.mark.rule("17.75A")
def test_pacific_bombers_do_not_fly_in_europe() -> None:
    state = raid()
    state.turn.bombers["west"] = {sw("germany", Arm.BOMBER): 2}
    assert origins(state, "germany", "ruhr") == ["dover"]
    state.turn.bombers["west"] = {sw("germany", Arm.PACIFIC_BOMBER): 2}
    assert origins(state, "germany", "ruhr") == []


# --- boxes ------------------------------------------------------------------------------------------------------


def boxes(nation: str, pacific: bool, results: int) -> dict[str, bool]:
    box = {"box": True, "cities": 0}
    state = turn(
        base("home", "red", (0, 0)),
        base("urals", "blue", (12, 0), **box),
        base("australia", "blue", (12, 1), **box),
        base("india", "blue", (12, 2), **box),
        base("america", "blue", (12, 3), **box),
        base("africa", "blue", (12, 4), **box),
        us_boxes=["america"],
        research={nation: {"air_range": results}},
        pacific=pacific,
    )
    names = ("urals", "australia", "india", "america", "africa")
    return {name: may_bomb_box(state, nation, name) is None for name in names}


@pytest.mark.rule("18.49A")
def test_the_axis_bombs_the_urals_and_with_three_results_the_atlantic_box() -> None:
    few = boxes("germany", False, 2)
    assert [name for name in few if few[name]] == ["urals"]
    many = boxes("germany", False, 3)
    assert [name for name in many if many[name]] == ["urals", "america"]


@pytest.mark.rule("18.49B")
def test_japan_bombs_australia_and_india_too_and_with_three_results_the_pacific_box() -> None:
    few = boxes("japan", True, 2)
    assert [name for name in few if few[name]] == ["urals", "australia", "india"]
    assert boxes("japan", True, 3)["america"]


@pytest.mark.rule("18.49A", "18.49B")
def test_others_bomb_no_box() -> None:
    state = turn(base("home", "blue", (0, 0)), base("urals", "red", (12, 0), box=True, cities=0))
    refused = may_bomb_box(state, "britain", "urals")
    assert refused is not None
    assert refused.rule == "18.49"


@pytest.mark.rule("18.49A", "18.49B")
@pytest.mark.parametrize(("nation", "rule"), [("germany", "18.49A"), ("japan", "18.49B")])
@pytest.mark.parametrize("name", ["africa", "america"])
def test_each_has_the_rule_that_keeps_it_from_a_box(nation: str, rule: str, name: str) -> None:
    places = [base(one, "blue", (12, row), box=True, cities=0) for row, one in enumerate(("africa", "america"))]
    state = turn(base("home", "red", (0, 0)), *places, us_boxes=["america"], pacific=nation == "japan")
    refused = may_bomb_box(state, nation, name)
    assert refused is not None
    assert refused.rule == rule


# --- a raid -----------------------------------------------------------------------------------------------------


def army(number: int) -> Force:
    return {unit("germany", Arm.ARMY, 2, 4, "dover", Role.FACTORS, False): number}


def jets(number: int) -> Force:
    return {unit("germany", Arm.JET, 2, 4, "dover", Role.FACTORS, False): number}


@pytest.mark.rule("17.23E", "17.73")
def test_a_third_of_the_army_air_bombs_and_the_rest_escorts() -> None:
    assert [bombing_factors(army(number), {}) for number in (2, 3, 5, 6)] == [0, 1, 1, 2]
    assert bombing_factors(army(3), {sw("germany", Arm.BOMBER): 4, sw("germany", Arm.INTERCEPTOR): 2}) == 5


@pytest.mark.rule("17.55", "17.581", "17.582")
def test_no_more_attackers_count_than_defenders_and_jets_count_two_more() -> None:
    assert strengths(army(6), army(2)) == (2, 2)
    assert strengths(army(6), army(9)) == (4, 9)  # two of the six bomb
    assert strengths({**army(3), **jets(1)}, {**army(1), **jets(1)}) == (4, 4)


@pytest.mark.rule("17.73", "17.83", "17.53C", "17.581", "18.42A")
def test_a_raid_without_opposition_bombs_and_everybody_is_inverted() -> None:
    state = raid(
        ("germany", "bomber", 3, "west"),
        ("germany", "interceptor", 2, "west"),
        dover=("4 germany army", "1 germany jet"),
        research={"germany": {"jets": 12}},
    )
    game = play(state, bombing)
    assert offered(game) == ["bomb:germany:ruhr", "bomb:done"]
    choose(game, "bomb:germany:ruhr", "bombers:west:germany:bomber:factors:2")
    choose(game, "bombing:dover:germany:army:factors:3", "escort:west:germany:interceptor:factors:1")
    choose(game, "escort:dover:germany:jet:factors:1")
    assert "3 factors of bombs" in str(game.pending)
    choose(game, "bombed:ruhr:5")
    assert game.state.turn.bombed == {"ruhr": 5}
    assert air_at(game.state, "dover") == {
        "germany army": 1,
        "germany army inverted": 3,
        "germany jet inverted": 1,
    }
    assert {str(which.arm) + " " + str(which.inverted): n for which, n in game.state.turn.bombers["west"].items()} == {
        "bomber False": 1,
        "bomber True": 2,
        "interceptor False": 1,
        "interceptor True": 1,
    }
    steer(game)


def opposed(dice: Dice, **more: Any) -> Game[Any]:
    """Two bombers and an interceptor against one British factor and two interceptors over the Ruhr."""
    state = raid(
        ("germany", "bomber", 2, "west"),
        ("germany", "interceptor", 1, "west"),
        ("britain", "interceptor", 2, "west"),
        ruhr=("1 britain army",),
        **more,
    )
    game = play(state, bombing, dice=dice)
    choose(game, "bomb:germany:ruhr", "bombers:west:germany:bomber:factors:2")
    choose(game, "escort:west:germany:interceptor:factors:1")
    choose(game, "oppose:ruhr:britain:army:factors:1", "oppose:west:britain:interceptor:factors:2")
    return game


@pytest.mark.rule("17.582", "17.23I", "17.82", "18.31G", "19.12", "T19.2-07")
def test_a_raid_is_opposed_in_one_round_and_defenders_do_not_abort() -> None:
    dice = Scripted(("Red: air combat over the Ruhr, row 3", 6, 6), ("Blue: air combat over the Ruhr, row 3", 3, 3))
    game = roll(opposed(dice))  # 2/4, and 1/2: all three defenders would abort or fall
    while offered(game)[0].startswith(("first", "lose", "abort")):
        game.choose(offered(game)[0])
    steer(game)
    left = sum(number for which, number in game.state.turn.bombers["west"].items() if which.nation == "britain")
    assert left + sum(game.state.sites["ruhr"].air.values()) == 1  # two fell, and the last one stayed
    assert all(which.inverted for which in game.state.turn.bombers["west"])


def over_the_ruhr(dice: Dice, interceptors: int) -> Game[Any]:
    """Three bombers and four German factors, one of which bombs, against interceptors. Turin is four hexes from the
    Ruhr, and farther from the rest of the way; Paris too far."""
    state = turn(
        base("dover", "red", (0, 0), "4 germany army"),
        base("turin", "red", (4, 4)),
        base("paris", "red", (-1, 0), "3 germany army"),
        base("ruhr", "blue", (4, 0)),
        phase="combat",
        targets={"ruhr": "the Ruhr"},
        fronts={"dover": "west", "ruhr": "west"},
        sw=[
            {"nation": "germany", "arm": "bomber", "factors": 3, "front": "west"},
            {"nation": "britain", "arm": "interceptor", "factors": 7, "front": "west"},
        ],
    )
    game = play(state, bombing, dice=dice)
    choose(game, "bomb:germany:ruhr", "bombers:west:germany:bomber:factors:3", "bombing:dover:germany:army:factors:4")
    return choose(game, f"oppose:west:britain:interceptor:factors:{interceptors}")


@pytest.mark.rule("19.12", "T19.2-07", "17.85", "19.42", "18.42A")
def test_each_side_rolls_on_its_own_row_and_aborted_bombers_return_without_bombing() -> None:
    dice = Scripted(("Red: air combat over the Ruhr, row 6", 3, 2), ("Blue: air combat over the Ruhr, row 7", 2, 2))
    game = over_the_ruhr(dice, 7)
    assert isinstance(game.pending, Roll)
    assert game.pending.ledger.total == -1
    game.roll()
    assert isinstance(game.pending, Roll)
    assert game.pending.ledger.total == 1
    game.roll()  # 2/3: of four and of three, one each is lost, and two and one turn back
    landing = ["land:dover:germany:army:factors:dover", "land:dover:germany:army:factors:turin"]
    assert offered(game) == landing
    choose(game, landing[0])
    assert numbers(game) == [0, 1, 2, 3, 4, 5, 6]  # a bomber and the army air that was to bomb are left
    choose(game, "bombed:ruhr:6")
    assert offered(game) == landing
    choose(game, landing[1])
    assert air_at(game.state, "dover") == {"germany army inverted": 2}
    assert air_at(game.state, "turin") == {"germany army inverted": 1}
    assert game.state.turn.bombers["west"] == {
        sw("britain", Arm.INTERCEPTOR).turned(inverted=True): 6,
        sw("germany", Arm.BOMBER).turned(inverted=True): 2,
    }


@pytest.mark.rule("19.12", "T19.2-07", "19.42", "18.42A", "17.581")
def test_who_was_not_hit_in_the_air_goes_on_to_bomb() -> None:
    dice = Scripted(("Red: air combat over the Ruhr, row 3", 1, 1), ("Blue: air combat over the Ruhr, row 3", 1, 1))
    game = roll(over_the_ruhr(dice, 3))  # 1/0: one of the four army air factors
    assert numbers(game) == [*range(3 * 4 + 1)]
    choose(game, "bombed:ruhr:12", "land:dover:germany:army:factors:dover")
    assert air_at(game.state, "dover") == {"germany army inverted": 3}
    assert game.state.turn.bombers["west"][sw("germany", Arm.BOMBER).turned(inverted=True)] == 3


@pytest.mark.rule("19.31D")
def test_radar_of_the_defender_counts_for_him_and_that_of_the_attacker_does_not() -> None:
    dice = Scripted()
    game = opposed(dice, research={"germany": {"radar": 3}})
    assert isinstance(game.pending, Roll)
    before = game.pending.ledger.total
    game = opposed(dice, research={"britain": {"radar": 2}})
    assert isinstance(game.pending, Roll)
    assert game.pending.ledger.total == before - 2
    assert "19.31D" in [line.rule for line in game.pending.ledger]


@pytest.mark.rule("17.85")
def test_the_lowest_drm_of_a_mixed_force_counts() -> None:
    game = opposed(Scripted())
    assert isinstance(game.pending, Roll)
    assert game.pending.ledger.total == 0  # 2 of the bombers to 2 of the British army air


@pytest.mark.rule("17.582", "17.53F", "17.23I")
def test_army_air_and_jets_within_range_of_the_route_oppose_it() -> None:
    state = raid(
        ruhr=("1 britain army", "3 britain naval"),
        kiel=("1 britain jet",),
        rome=("2 britain army",),
        research={"britain": {"jets": 9}},
    )
    over = Raid("ruhr", "germany", "dover", ((0, 0), (1, 0), (2, 0), (3, 0), (4, 0)))
    able = able_to_oppose(state, over)
    assert {(which.home, which.arm.value): number for which, number in able.items()} == {
        ("ruhr", "army"): 1,
        ("rome", "army"): 2,
        ("kiel", "jet"): 1,
    }
    short = Raid("ruhr", "germany", "dover", ((0, 0), (1, 0)))
    assert {which.home for which in able_to_oppose(state, short)} == {"ruhr"}


@pytest.mark.rule("17.23E", "17.72", "17.581", "18.57")
def test_a_target_is_bombed_once_by_a_nation_in_a_turn_and_not_by_too_few() -> None:
    assert play(raid(dover=("2 germany army",)), bombing).pending is None
    assert offered(play(raid(dover=("3 germany army",)), bombing)) == ["bomb:germany:ruhr", "bomb:done"]
    game = play(raid(dover=("4 germany army",)), bombing)
    choose(game, "bomb:germany:ruhr")
    assert numbers(game) == [0, 1, 2, 3, 4]
    game.choose("bombing:dover:germany:army:factors:2")
    assert game.pending is None
    assert air_at(game.state, "dover") == {"germany army": 4}


@pytest.mark.rule("18.57", "17.73", "17.23E")
def test_a_factor_of_bombs_costs_three_brps_at_most_and_nobody_bombs_the_same_target_again() -> None:
    game = play(raid(("germany", "bomber", 1, "west"), dover=("5 germany army",)), bombing)
    choose(game, "bomb:germany:ruhr")
    assert game.state.turn.raid.route == ((0, 0), (1, 0), (2, 0), (3, 0), (4, 0))
    choose(game, "bombers:west:germany:bomber:factors:1", "bombing:dover:germany:army:factors:5")
    assert "2 factors of bombs" in str(game.pending)
    assert numbers(game) == [0, 1, 2, 3, 4, 5, 6]
    assert choose(game, "bombed:ruhr:0").pending is None


@pytest.mark.rule("18.57", "17.23E", "17.72")
def test_nobody_bombs_his_own_towns() -> None:
    state = turn(
        base("dover", "red", (0, 0), "4 germany army"),
        base("ruhr", "red", (2, 0)),
        base("kiel", "blue", (3, 0)),
        phase="combat",
        targets={"ruhr": "the Ruhr", "kiel": "Kiel"},
    )
    assert offered(play(state, bombing)) == ["bomb:germany:kiel", "bomb:done"]


@pytest.mark.rule("17.72", "17.73", "17.53C", "17.581", "17.23E")
def test_inverted_bombers_interceptors_alone_and_bombers_of_others_bomb_nothing() -> None:
    state = raid()
    for which in (
        sw("germany", Arm.BOMBER).turned(inverted=True),
        sw("germany", Arm.INTERCEPTOR),
        sw("britain", Arm.BOMBER),
    ):
        state.turn.bombers = {"west": {which: 2}}
        assert origins(state, "germany", "ruhr") == []
    state.turn.bombers = {"west": {sw("germany", Arm.BOMBER): 1}}
    assert origins(state, "germany", "ruhr") == ["dover"]


def raid_of_japan() -> Game[Any]:
    state = turn(
        base("kobe", "red", (0, 0), "8 japan army", airbases=1),
        base("kure", "red", (1, 0), "5 japan army"),
        base("perth", "blue", (3, 0)),
        base("darwin", "blue", (3, -1)),
        phase="combat",
        pacific=True,
        targets={"perth": "Perth", "darwin": "Darwin"},
    )
    return choose(play(state, bombing), "bomb:japan:perth", "raid-from:perth:kobe")


@pytest.mark.rule("17.23E", "17.72", "17.581")
def test_japan_sends_ten_army_air_factors_in_a_turn_at_most() -> None:
    game = raid_of_japan()
    assert numbers(game) == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    choose(game, "bombing:kobe:japan:army:factors:2")
    assert numbers(game) == [0, 1, 2, 3, 4, 5]
    game = choose(raid_of_japan(), "bombing:kobe:japan:army:factors:6")
    assert numbers(game) == [0, 1, 2, 3, 4]
    choose(game, "bombing:kure:japan:army:factors:1", "bombed:perth:0", "land:kure:japan:army:factors:kure")
    assert offered(game) == ["bomb:japan:darwin", "bomb:done"]  # three are left
    choose(game, "bomb:japan:darwin", "raid-from:darwin:kobe")
    assert numbers(game) == [0, 1, 2]
    game = choose(raid_of_japan(), "bombing:kobe:japan:army:factors:8", "bombing:kure:japan:army:factors:0")
    assert choose(game, "bombed:perth:0").pending is None  # two are too few


@pytest.mark.rule("17.23E", "17.581", "18.57")
def test_those_who_stay_at_home_after_all_do_not_count_among_the_ten() -> None:
    game = raid_of_japan()
    choose(game, "bombing:kobe:japan:army:factors:2", "bombing:kure:japan:army:factors:0")
    choose(game, "bomb:japan:darwin", "raid-from:darwin:kobe", "bombing:kobe:japan:army:factors:6")
    assert numbers(game) == [0, 1, 2, 3, 4]


@pytest.mark.rule("18.49A", "18.57", "17.23E", "17.53C")
def test_a_box_is_bombed_by_those_whom_its_rule_allows_to() -> None:
    def targets(**research: int) -> list[str]:
        box = {"box": True, "cities": 0}
        state = turn(
            base("dover", "red", (0, 0)),
            base("urals", "blue", (2, 0), **box),
            base("america", "blue", (3, 0), **box),
            us_boxes=["america"],
            research={"germany": {"air_range": 2} | research},
            phase="combat",
            targets={"urals": "the Urals", "america": "America"},
            fronts={"dover": "west"},
            sw=[{"nation": "germany", "arm": "bomber", "factors": 1, "front": "west"}],
        )
        return offered(play(state, bombing))

    assert targets() == ["bomb:germany:urals", "bomb:done"]
    assert targets(air_range=3) == ["bomb:germany:america", "bomb:germany:urals", "bomb:done"]


def test_italian_army_air_does_not_defend_germany() -> None:
    state = turn(
        base("dover", "blue", (0, 0)),
        base("ruhr", "red", (2, 0), "1 italy army", "1 germany army"),
        targets={"ruhr": "the Ruhr"},
        homes={"ruhr": "germany"},
        phase="combat",
        turns=["red"],
    )
    hand_over(state, "blue")
    over = Raid("ruhr", "britain", "dover", ((0, 0), (1, 0), (2, 0)))
    assert {which.nation for which in able_to_oppose(state, over)} == {"germany"}


# --- redeployment -----------------------------------------------------------------------------------------------


@pytest.mark.rule("17.71.1", "17.81.1", "17.71", "17.81")
def test_bombers_and_interceptors_change_fronts_used_or_not() -> None:
    state = raid(
        ("germany", "bomber", 3, "west"), ("germany", "interceptor", 1, "west"), ("britain", "bomber", 1, "west")
    )
    used = sw("germany", Arm.BOMBER)
    state.turn.bombers["west"] = {used.turned(inverted=True): 2, used: 1, sw("germany", Arm.INTERCEPTOR): 1}
    state.turn.step = "redeployment"
    game = play(state, sw_redeploying)
    steer(
        game,
        "shift:germany:bomber:inverted:west:south:2",
        "shift:germany:interceptor:ready:west:south:1",
    )
    south = {(which.arm.value, which.inverted): number for which, number in game.state.turn.bombers["south"].items()}
    assert south == {("bomber", True): 2, ("interceptor", False): 1}
    assert all(which.home == "south" for which in game.state.turn.bombers["south"])
    assert sum(game.state.turn.bombers["west"].values()) == 1


@pytest.mark.rule("17.71", "17.81")
def test_who_goes_to_one_front_does_not_go_to_another() -> None:
    state = raid(("germany", "bomber", 3, "west"), fronts={**WEST, "kiel": "north"})
    state.turn.step = "redeployment"
    game = play(state, sw_redeploying)
    assert offered(game) == [f"shift:germany:bomber:ready:west:north:{number}" for number in range(4)]
    game.choose("shift:germany:bomber:ready:west:north:1")
    assert offered(game) == [f"shift:germany:bomber:ready:west:south:{number}" for number in range(3)]
    game.choose("shift:germany:bomber:ready:west:south:2")
    assert {front: sum(force.values()) for front, force in game.state.turn.bombers.items() if force} == {
        "north": 1,
        "south": 2,
    }


@pytest.mark.rule("17.71", "17.81")
def test_only_the_moving_side_shifts_its_bombers() -> None:
    game = play(raid(("britain", "bomber", 1, "west"), options=Options()), sw_redeploying)
    assert game.pending is None
