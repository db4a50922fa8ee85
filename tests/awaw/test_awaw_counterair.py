"""18.52: counterair missions: who may attack what, the base, and the rounds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from flagplot.awaw.air_combat import Combat
from flagplot.awaw.counterair import commit
from flagplot.awaw.state.air import Mission
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from flagplot.kernel.errors import IllegalAnswer
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from tests.awaw.duels import ATTACK, KILL_AND_ABORT, KILL_ONE, NO_EFFECT, attack, duel, rolls, stay
from tests.awaw.scenes import CARRIERS, air, answer, asked, base, fleet, log, scene, start

# --- who may attack what ----------------------------------------------------------------------------------------


@pytest.mark.rule("18.521", "17.22", "18.31A", "17.23A")
def test_army_air_counterairs_within_four_hexes_in_europe() -> None:
    game = start(
        scene(
            base("field", "red", (0, 0), "2 germany army", "1 germany jet"),
            base("near", "blue", (0, 4), "1 britain army"),
            base("far", "blue", (0, 5), "1 britain army"),
            research={"germany": {"jets": 9}},
        )
    )
    assert asked(game) == ["counterair:near", "counterair:none"]
    assert isinstance(game.pending, Choose)
    assert [option.label for option in game.pending.options] == ["Attack Near", "No more attacks this phase"]
    game.choose("counterair:near")
    assert asked(game) == ["send:near:field:germany:army:factors:1", "send:near:field:germany:army:factors:2"]


@pytest.mark.rule("17.22", "17.32", "18.31A", "18.31B", "17.33A")
def test_ranges_in_the_pacific_are_three_hexes() -> None:
    places = (
        base("field", "red", (0, 0), "2 japan army", "2 japan naval"),
        base("near", "blue", (0, 3), "1 britain army"),
        base("far", "blue", (0, 4), "1 britain army"),
    )
    assert asked(start(scene(*places, theatre="pacific"))) == ["counterair:near", "counterair:none"]


@pytest.mark.rule("17.52A", "17.52B", "17.52C", "18.31E", "17.53A")
@pytest.mark.parametrize(("result", "reached"), [(9, 2), (11, 3), (12, 4)])
def test_range_of_jets_grows_with_research(result: int, reached: int) -> None:
    places = [base("field", "red", (0, 0), "1 germany jet")]
    places += [base(f"at{far}", "blue", (0, far), "1 britain army") for far in range(1, 6)]
    game = start(scene(*places, research={"germany": {"jets": result}}))
    assert asked(game) == [*[f"counterair:at{far}" for far in range(1, reached + 1)], "counterair:none"]


@pytest.mark.rule("18.51", "18.42A", "17.63", "18.41")
def test_inverted_air_transports_and_short_supply_do_not_attack() -> None:
    game = start(
        scene(
            base("a", "red", (0, 0), "2 germany army inverted", "1 germany transport"),
            base("b", "red", (0, 1), "2 germany army", supply="partial"),
            base("c", "red", (1, 0), "2 germany army", oil=True),
            base("aim", "blue", (0, 2), "1 britain army"),
        )
    )
    assert game.pending is None


@pytest.mark.rule("18.521")
def test_an_announced_attack_needs_at_least_one_unit() -> None:
    game = start(duel(["2 germany army", "1 italy army"], ["1 britain army"]))
    game.choose(ATTACK)
    assert asked(game) == [f"send:aim:field:germany:army:factors:{number}" for number in (0, 1, 2)]
    game.choose("send:aim:field:germany:army:factors:0")
    assert game.state.battle.mission is not None
    assert sum(game.state.battle.mission.attackers.values()) == 1


@pytest.mark.rule("18.521", "18.41", "17.63")
def test_only_ready_units_that_fight_and_reach_the_base_are_sent() -> None:
    """Neither the inverted factor nor the transports of Field, nor the jets of Strip, which reach two hexes."""
    game = start(
        scene(
            base("field", "red", (0, 0), "2 germany army", "1 italy army inverted", "1 germany transport"),
            base("strip", "red", (0, -1), "2 germany jet", "2 germany army"),
            base("aim", "blue", (0, 2)),
            base("close", "blue", (0, 1)),
            research={"germany": {"jets": 9}},
        )
    )
    sent = ["send:aim:field:germany:army:factors:1", "send:aim:strip:germany:army:factors:1"]
    answer(game, ATTACK, *sent)
    assert (air(game, "field")["germany army inverted"], air(game, "strip")["germany army inverted"]) == (1, 1)
    assert asked(game) == ["counterair:close", "counterair:none"]


@pytest.mark.rule("22.433", "22.26D", "23.152C")
def test_nobody_flies_who_was_aborted_is_withheld_or_is_kept_for_another_base() -> None:
    """One of seven each, and two more: three are left."""
    state = start(duel(["7 germany army"], ["1 britain army"])).state
    (which,) = state.sites["field"].air
    state.sites["field"].aborted, state.sites["field"].barred, state.divided = {which: 1}, {which: 1}, {which: 2}
    question = next(commit(state, Mission("aim", "red", Combat.COUNTERAIR)))
    assert isinstance(question, Choose)
    assert list(question.values) == [0, 1, 2, 3]


@pytest.mark.rule("23.51.1", "23.54")
def test_only_carriers_attack_a_base_again_in_the_same_phase() -> None:
    game = start(
        scene(
            base("field", "red", (0, 0), "2 japan army"),
            fleet("force", "red", (1, 0), "japan", 3),
            base("aim", "blue", (0, 2)),
        )
    )
    answer(game, ATTACK, "with:land", "send:aim:field:japan:army:factors:1", ATTACK)
    assert asked(game) == [f"send:aim:force:japan:naval:squadrons:{number}" for number in (1, 2, 3)]


@pytest.mark.rule("23.51.1")
def test_land_based_and_carrier_air_do_not_attack_together() -> None:
    game = start(
        scene(
            base("field", "red", (0, 0), "2 japan army"),
            fleet("force", "red", (1, 0), "japan", 3),
            base("aim", "blue", (0, 2), "1 britain army"),
        )
    )
    answer(game, ATTACK)
    assert asked(game) == ["with:land", "with:carriers"]
    game.choose("with:carriers")
    assert isinstance(game.pending, Choose)
    assert game.pending.options[0].text.startswith("send:aim:force:")


# --- the base ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.521C", "17.3126A", "17.3126B", "17.3126B.1", "17.3126C", "23.141C")
def test_carrier_air_under_a_marker_is_revealed_and_fights_as_land_based() -> None:
    """Five factors already fill the base; the three squadrons of the carrier fight there all the same."""
    aim = base("aim", "blue", (0, 2), "5 britain army", ports=1, task_force=CARRIERS)
    with rolls((6, 6), (1, 1)) as dice:
        game = start(scene(base("field", "red", (0, 0), "1 germany army"), aim), dice)
        assert "hidden" not in game.view("red").data["sites"]["aim"]
        attack(game, "first:search")
        assert "TF 1 in Aim: 3 British naval air squadrons aboard" in log(game, "red")
        assert "row 18" in log(game)
        assert game.state.sites["aim"].hidden == {}
        assert air(game, "aim")["britain naval inverted"] == 2


@pytest.mark.rule("18.521C")
def test_an_attack_also_shows_that_a_marker_hides_no_carrier_air() -> None:
    empty = {**CARRIERS, "squadrons": 0}
    game = start(
        scene(base("field", "red", (0, 0), "1 germany army"), base("aim", "blue", (0, 2), ports=1, task_force=empty))
    )
    attack(game)
    assert "TF 1 in Aim: no air units aboard" in log(game, "red")


@pytest.mark.rule("18.521D")
def test_an_empty_base_may_be_counteraired_without_combat() -> None:
    game = start(duel(["2 germany army"], []))
    attack(game)
    assert "No air units in" in log(game)
    assert air(game, "field") == {"germany army inverted": 2}


@pytest.mark.rule("18.521A")
def test_at_least_one_round_is_fought() -> None:
    """The attacker is not asked whether he fights: after the units are sent the dice fall."""
    with rolls(NO_EFFECT, NO_EFFECT) as dice:
        game = start(duel(["1 germany army"], ["1 britain army"]), dice)
        attack(game)
        assert asked(game) == ["defender:stay", "defender:leave"]


@pytest.mark.rule("18.521B", "19.64")
@pytest.mark.parametrize(("chosen", "row"), [("engage", 3), ("leave", 2)])
def test_inverted_defenders_fight_if_the_attacker_engages_them(chosen: str, row: int) -> None:
    with rolls(NO_EFFECT, NO_EFFECT) as dice:
        game = start(duel(["1 germany army"], ["2 britain army", "1 britain army inverted"]), dice)
        attack(game, f"inverted:{chosen}")
        assert f"Blue: air combat over Aim, round 1, row {row}" in log(game)


@pytest.mark.rule("18.521B")
def test_inverted_defenders_alone_always_fight() -> None:
    with rolls(NO_EFFECT, NO_EFFECT) as dice:
        game = start(duel(["1 germany army"], ["2 britain army inverted"]), dice)
        attack(game)
        assert "Blue: air combat over Aim, round 1, row 2" in log(game)


@pytest.mark.rule("19.64")
def test_results_pass_by_inverted_units_that_are_not_engaged() -> None:
    """1/1 falls on the two uninverted units alone."""
    with rolls(KILL_AND_ABORT, NO_EFFECT) as dice:
        game = start(duel(["1 germany army"], ["2 britain army", "3 britain army inverted"]), dice)
        attack(game, "inverted:leave", "defender:stay", "attacker:break-off")
        assert air(game, "aim") == {"britain army inverted": 4}


def five_eliminated(*defenders: str, answers: Sequence[str] = ("inverted:leave",)) -> Game[State]:
    """Row 8 at a roll of 12 eliminates five of the defenders; inverted units are left alone."""
    with rolls((6, 6), NO_EFFECT) as dice:
        game = start(duel(["8 germany army"], defenders), dice)
        attack(game, *answers)
    return game


@pytest.mark.rule("19.64.1")
def test_surplus_eliminations_fall_on_inverted_units_that_did_not_fight() -> None:
    """The one uninverted unit and four of the inverted ones."""
    game = five_eliminated("1 britain army", "6 britain army inverted")
    assert air(game, "aim") == {"britain army inverted": 2}


@pytest.mark.rule("19.64.1", "18.521B.1")
def test_surplus_eliminations_pass_by_transports_that_are_left_alone() -> None:
    defenders = ("1 britain army", "2 britain army inverted", "2 britain transport inverted")
    game = five_eliminated(*defenders, answers=("inverted:leave", "transports:leave"))
    assert air(game, "aim") == {"britain transport inverted": 2}


@pytest.mark.rule("19.64.1")
@pytest.mark.parametrize(
    ("defenders", "left"),
    [
        (["2 britain army", "3 britain army inverted", "2 united-states army inverted"], (1, 1)),
        (["3 britain army", "2 britain army inverted", "2 united-states army inverted"], (1, 1)),
    ],
)
def test_types_share_surplus_eliminations_without_aborts(defenders: list[str], left: tuple[int, int]) -> None:
    """Of the five three or two are left for the inverted units; nothing is asked."""
    inverted = air(five_eliminated(*defenders), "aim")
    assert (inverted["britain army inverted"], inverted["united-states army inverted"]) == left


@pytest.mark.rule("19.64.2")
def test_surplus_aborts_do_nothing_to_inverted_units() -> None:
    with rolls((6, 6), NO_EFFECT) as dice:
        game = start(duel(["1 germany army"], ["1 britain army", "6 britain army inverted"]), dice)
        attack(game, "inverted:leave")
        assert air(game, "aim") == {"britain army inverted": 6}
        assert game.state.sites["aim"].aborted == {}


@pytest.mark.rule("18.521B.1", "17.65.2")
@pytest.mark.parametrize("chosen", ["engage", "leave"])
def test_transports_can_be_hit_but_add_no_strength(chosen: str) -> None:
    """1/1 on one army unit and two transports: they share it only if they are attacked."""
    with rolls(KILL_AND_ABORT, NO_EFFECT) as dice:
        game = start(duel(["1 germany army"], ["1 britain army", "2 britain transport"]), dice)
        attack(game, f"transports:{chosen}")
        assert "Blue: air combat over Aim, round 1, row 1" in log(game)
        left = {"britain army": 1, "britain transport": 1} if chosen == "engage" else {"britain transport": 2}
        assert air(game, "aim") == left


@pytest.mark.rule("18.521B.1")
def test_inverted_transports_are_a_matter_of_transports_alone() -> None:
    """One question, about the transports; left alone they are not hit by surplus results either."""
    with rolls(KILL_ONE, NO_EFFECT) as dice:
        game = start(duel(["1 germany army"], ["1 britain army", "2 britain transport inverted"]), dice)
        attack(game)
        assert asked(game) == ["transports:engage", "transports:leave"]
        answer(game, "transports:leave")
        assert air(game, "aim") == {"britain transport inverted": 2}


@pytest.mark.rule("17.65.2", "18.521B.1")
def test_transports_alone_are_attacked_and_do_not_roll() -> None:
    with Scripted(("Red: air combat", 3, 3)) as dice:
        game = start(duel(["1 germany army"], ["2 britain transport"]), dice)
        attack(game)
        assert air(game, "aim") == {"britain transport": 1}


# --- rounds -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("19.41", "19.21")
def test_both_sides_roll_before_either_takes_losses() -> None:
    """One against one: both are eliminated, because both rolls are made with the strengths at the start."""
    with rolls(KILL_ONE, KILL_ONE) as dice:
        game = start(duel(["1 germany army"], ["1 britain army"]), dice)
        attack(game)
        assert (air(game, "field"), air(game, "aim")) == ({}, {})


@pytest.mark.rule("18.522A")
@pytest.mark.parametrize("dice", [(KILL_ONE, NO_EFFECT), (NO_EFFECT, KILL_ONE)])
def test_combat_ends_when_a_side_has_nothing_left(dice: tuple[tuple[int, int], tuple[int, int]]) -> None:
    """A wiped-out attacker may not reinforce either, though another base has air in reserve."""
    places = duel(["1 germany army"], ["1 britain army"])
    places["bases"].append(base("reserve", "red", (1, 0), "3 germany army"))
    with rolls(*dice) as scripted:
        game = start(places, scripted)
        answer(game, ATTACK, "send:aim:field:germany:army:factors:1", "send:aim:reserve:germany:army:factors:0")
        stay(game)
        assert game.state.battle.mission is None


@pytest.mark.rule("18.522B", "18.522B.1", "18.523.3", "18.43")
def test_defender_decides_first_and_ends_the_combat_by_leaving() -> None:
    with rolls(NO_EFFECT, NO_EFFECT) as dice:
        game = start(duel(["1 germany army"], ["1 britain army"]), dice)
        attack(game)
        assert isinstance(game.pending, Choose)
        assert game.pending.side == "blue"
        answer(game, "defender:leave")
        assert game.state.battle.mission is None
        assert air(game, "haven") == {"britain army inverted": 1}


@pytest.mark.rule("18.522B.2", "18.522B.2.1")
def test_attacker_may_break_off_if_the_defender_stays() -> None:
    with rolls(NO_EFFECT, NO_EFFECT) as dice:
        game = start(duel(["1 germany army"], ["1 britain army"]), dice)
        attack(game, "defender:stay")
        assert asked(game) == ["attacker:press-on", "attacker:break-off"]
        answer(game, "attacker:break-off")
        assert air(game, "aim") == {"britain army": 1}
        assert air(game, "field") == {"germany army inverted": 1}


@pytest.mark.rule("18.522B.2.2", "18.522C")
def test_attacker_goes_on_with_all_survivors_aborted_ones_too_and_fresh_air() -> None:
    """Blue's 1/3 leaves one of two attackers, aborted; he fights on with a reserve of two: row 3."""
    places = duel(["2 germany army"], ["3 britain army"])
    places["bases"].append(base("reserve", "red", (1, 0), "2 germany army"))
    with rolls(NO_EFFECT, KILL_AND_ABORT, NO_EFFECT, NO_EFFECT) as dice:
        game = start(places, dice)
        answer(game, ATTACK, "send:aim:field:germany:army:factors:2", "send:aim:reserve:germany:army:factors:0")
        answer(game, "defender:stay", "attacker:press-on", "send:aim:reserve:germany:army:factors:2")
        assert "Red: air combat over Aim, round 2, row 3" in log(game)


@pytest.mark.rule("19.11", "18.522C")
def test_rounds_go_on_until_somebody_breaks_off() -> None:
    with rolls(*[NO_EFFECT] * 8) as dice:
        game = start(duel(["1 germany army"], ["1 britain army"]), dice)
        attack(game, *["defender:stay", "attacker:press-on"] * 3, "defender:stay", "attacker:break-off")
        assert "round 4, row 1" in log(game)


@pytest.mark.rule("19.31A.2", "19.31")
def test_the_drm_of_a_later_round_is_that_of_the_units_left() -> None:
    """Italians (1) fight beside Germans (2) against British (2); when they are gone the modifier is gone."""
    with rolls(NO_EFFECT, (3, 3), NO_EFFECT, NO_EFFECT) as dice:
        game = start(duel(["1 germany army", "1 italy army"], ["1 britain army"]), dice)
        attack(game, "defender:stay", "attacker:press-on")
        first, second = [entry for entry in game.log("umpire") if "Red: air combat" in entry.text]
        assert (first.ledger.total, second.ledger.total) == (-1, 0)
        against, _ = [entry for entry in game.log("umpire") if "Blue: air combat" in entry.text]
        assert against.ledger.total == 1


@pytest.mark.rule("19.12.1", "23.54")
def test_carriers_fight_one_round_a_sortie_and_may_fly_another() -> None:
    places = scene(fleet("force", "red", (0, 0), "japan", 2), base("aim", "blue", (0, 2), "1 britain naval"))
    with rolls(NO_EFFECT, NO_EFFECT, NO_EFFECT, NO_EFFECT) as dice:
        game = start(places, dice)
        attack(game)
        assert asked(game) == [ATTACK, "counterair:none"]
        attack(game)
        assert air(game, "force") == {"japan naval": 2}


@pytest.mark.rule("19.12.1", "18.522")
def test_by_option_carriers_fight_many_rounds() -> None:
    places = scene(
        fleet("force", "red", (0, 0), "japan", 2),
        base("aim", "blue", (0, 2), "1 britain naval"),
        base("haven", "blue", (0, 5)),
    )
    with rolls(NO_EFFECT, NO_EFFECT) as dice:
        game = start(places, dice, carrier_counterair="many-rounds")
        attack(game)
        assert asked(game) == ["defender:stay", "defender:leave"]


def test_what_is_not_offered_is_refused_and_changes_nothing() -> None:
    game = start(duel(["1 germany army"], ["1 britain army"]))
    before = game.view("umpire").as_dict()
    with pytest.raises(IllegalAnswer, match=r"“counterair:field”.*18\.521.*counterair:aim"):
        game.choose("counterair:field")
    assert game.view("umpire").as_dict() == before
