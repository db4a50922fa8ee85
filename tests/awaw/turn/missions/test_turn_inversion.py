"""Who may fly, the way home, and why and until when air is inverted (18.41-18.46, 18.51)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from flagplot.awaw.air_rounds import to_scale
from flagplot.awaw.air_units import Arm, Force
from flagplot.awaw.counterair import launch
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.options import Options
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Down, Phase, Until
from flagplot.awaw.turn.basing.displacement import displace_absent
from flagplot.awaw.turn.basing.geography import resettle
from flagplot.awaw.turn.end.uninverting import LAST, uninvertible
from flagplot.awaw.turn.marks import REDEPLOYED, marked, set_mark
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.turn.missions.inversion import available, form_up, free_to_fly, invert, moved, reasons, reconcile
from flagplot.awaw.turn.missions.returning import choose_landing, landing_places, return_home
from flagplot.awaw.turn.turn import begin
from flagplot.kernel.dice import Scripted
from flagplot.kernel.procedures import END, Next, Procedure
from flagplot.kernel.requests import Choose, Script
from flagplot.kernel.words import say
from tests.awaw.seas import offered, play, steer
from tests.awaw.turn.moves import run, script
from tests.awaw.turn.turns import air_at, base, turn, units_of


def can(state: State, side: str, task: Task, at: Hex) -> dict[str, int]:
    """Who may fly, in few words."""
    return {f"{which.home} {which.arm}": number for which, number in available(state, side, task, at).items()}


# --- who may fly ------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.45", "18.45.2", "18.41")
def test_air_flies_as_far_as_its_range_and_no_farther() -> None:
    state = turn(base("rome", "red", (0, 0), "2 germany army", "1 italy army inverted"))
    assert can(state, "red", Task.GROUND_SUPPORT, (4, 0)) == {"rome army": 2}
    assert can(state, "red", Task.GROUND_SUPPORT, (5, 0)) == {}
    far = turn(base("truk", "red", (0, 0), "2 japan army", "3 japan naval"), pacific=True)
    assert can(far, "red", Task.GROUND_SUPPORT, (3, 0)) == {"truk army": 2, "truk naval": 3}
    assert can(far, "red", Task.GROUND_SUPPORT, (4, 0)) == {}


@pytest.mark.rule("18.45.2", "18.621")
def test_defenders_fly_as_far() -> None:
    state = turn(base("rome", "red", (0, 0)), base("malta", "blue", (4, 0), "1 britain army"))
    assert can(state, "blue", Task.INTERCEPT_TRANSPORT, (0, 0)) == {"malta army": 1}
    assert can(state, "blue", Task.INTERCEPT_TRANSPORT, (-1, 0)) == {}


@pytest.mark.rule("18.41", "18.42A")
def test_inverted_air_flies_nothing() -> None:
    state = turn(base("rome", "red", (0, 0), "1 germany army", "1 germany army inverted"))
    assert can(state, "red", Task.COUNTERAIR, (0, 0)) == {"rome army": 1}


@pytest.mark.rule("18.41.1", "23.162")
def test_air_that_was_used_at_sea_or_is_committed_flies_no_mission() -> None:
    state = turn(base("rome", "red", (0, 0), "4 germany army"))
    which = units_of(state, "rome", Arm.ARMY)
    state.sites["rome"].used = {which: 1}
    state.sites["rome"].committed = {which: 2}
    assert can(state, "red", Task.GROUND_SUPPORT, (0, 0)) == {"rome army": 1}
    state.sites["rome"].used = {which: 4}
    assert can(state, "red", Task.GROUND_SUPPORT, (0, 0)) == {}
    assert free_to_fly(state, which) == 0
    launch(state, {which: 4})
    assert free_to_fly(state, which) == 0, "they are out"


@pytest.mark.rule("23.141A.1", "23.162")
def test_squadrons_fly_missions_when_they_are_put_together_and_those_used_at_sea_are_not() -> None:
    state = turn(base("rome", "red", (0, 0), "2 germany army"))
    site = state.sites["rome"]
    site.air = to_scale(site.air, {}, squadrons=True)[0]
    search = next(which for which in site.air if which.role == "search")
    site.used = {search: 1}
    assert can(state, "red", Task.GROUND_SUPPORT, (0, 0)) == {}
    form_up(state, "red")
    assert can(state, "red", Task.GROUND_SUPPORT, (0, 0)) == {"rome army": 1}


@pytest.mark.rule("23.18", "23.141A")
def test_transports_that_were_broken_down_are_put_together_by_their_losses() -> None:
    state = turn(base("rome", "red", (0, 0), "2 germany transport"))
    from flagplot.awaw.counterair import break_down_site

    break_down_site(state, state.sites["rome"])
    which = next(iter(state.sites["rome"].air))
    state.sites["rome"].air[which] = 5
    form_up(state, "red")
    assert air_at(state, "rome") == {"germany transport": 1, "germany transport inverted": 1}


@pytest.mark.rule("18.51", "18.51.1")
@pytest.mark.parametrize("unfit", [{"supply": "partial"}, {"supply": "none"}, {"oil": True}])
def test_offensive_missions_start_from_fully_supplied_bases_without_oil_effects(unfit: dict[str, Any]) -> None:
    state = turn(base("rome", "red", (0, 0), "2 germany army", **unfit))
    assert can(state, "red", Task.GROUND_SUPPORT, (1, 0)) == {}
    assert can(state, "red", Task.GROUND_SUPPORT, (0, 0)) == {}, "not even over their own hex"
    assert can(turn(base("rome", "red", (0, 0), "2 germany army")), "red", Task.GROUND_SUPPORT, (1, 0))


@pytest.mark.rule("18.45.3")
@pytest.mark.parametrize(
    ("unfit", "own", "next_hex"),
    [
        ({"supply": "partial"}, 1, 0),
        ({"oil": True}, 1, 0),
        ({"winter": 9}, 1, 0),
        ({"winter": 8}, 1, 1),
        ({"supply": "none"}, 0, 0),
    ],
)
def test_defenders_in_unfit_bases_fly_over_their_own_hex_alone(unfit: dict[str, Any], own: int, next_hex: int) -> None:
    state = turn(base("rome", "red", (5, 5)), base("malta", "blue", (0, 0), "1 britain army", **unfit))
    assert sum(can(state, "blue", Task.FLY_DAS, (0, 0)).values()) == own
    assert sum(can(state, "blue", Task.FLY_DAS, (1, 0)).values()) == next_hex


@pytest.mark.rule("18.45.3")
def test_a_base_in_a_hex_of_the_worst_winter_is_under_it_too() -> None:
    state = turn(base("rome", "red", (5, 5)), base("malta", "blue", (0, 0), "1 britain army"), winter=["malta"])
    assert can(state, "blue", Task.INTERCEPT_TRANSPORT, (0, 0)) == {"malta army": 1}
    assert can(state, "blue", Task.INTERCEPT_TRANSPORT, (1, 0)) == {}


@pytest.mark.rule("19.31A", "T19.31A-08")
def test_air_in_a_hex_of_the_worst_winter_fights_worse() -> None:
    mild = turn(base("rome", "red", (5, 5)), base("malta", "blue", (0, 0), "1 britain army"))
    harsh = turn(base("rome", "red", (5, 5)), base("malta", "blue", (0, 0), "1 britain army"), winter=["malta"])
    assert [which.drm for which in mild.sites["malta"].air] == [2]
    assert [which.drm for which in harsh.sites["malta"].air] == [1]


@pytest.mark.rule("18.51")
def test_a_base_with_nothing_but_a_port_is_a_mission_base_unless_the_players_keep_to_the_letter() -> None:
    def fliers(options: Options, **more: Any) -> dict[str, int]:
        at = (0, -7)
        harbour = base("port", "red", at, "1 japan army", "1 japan naval", cities=0, ports=1, **more)
        return can(turn(harbour, pacific=True, options=options), "red", Task.GROUND_SUPPORT, at)

    strict = Options(ports_are_mission_bases=False)
    assert fliers(Options()) == {"port army": 1, "port naval": 1}
    assert fliers(strict) == {}
    assert fliers(strict, airbases=1) == {"port army": 1, "port naval": 1}
    assert fliers(strict, island=True) == {"port naval": 1}, "naval air also flies from one-hex islands"


@pytest.mark.rule("18.51")
@pytest.mark.parametrize(("allowed", "flies"), [(True, True), (False, False)])
def test_the_same_holds_for_counterair_in_an_air_turn_and_elsewhere(allowed: bool, flies: bool) -> None:
    from flagplot.awaw.counterair import in_range
    from flagplot.awaw.operations.bases.targets import land_air

    harbour = base("port", "red", (0, -7), "1 germany army", cities=0, ports=1)
    state = turn(harbour, base("malta", "blue", (2, -7)), options=Options(ports_are_mission_bases=allowed))
    assert bool(land_air(state, "malta")) is flies
    assert bool(in_range(state, "malta", afloat=False)) is flies


@pytest.mark.rule("18.48")
def test_attacks_on_bases_go_around_neutral_land() -> None:
    from flagplot.awaw.operations.bases.targets import land_air

    bases = [base("rome", "red", (0, 0), "1 germany army"), base("malta", "blue", (2, 0))]
    assert land_air(turn(*bases), "malta")
    assert not land_air(turn(*bases, neutral=[f"1,{row}" for row in range(-2, 3)]), "malta")


@pytest.mark.rule("18.49")
def test_nobody_flies_missions_out_of_a_mapboard_box() -> None:
    state = turn(base("urals", "blue", (1, 0), "2 russia army", box=True, cities=0), base("rome", "red", (0, 0)))
    assert can(state, "blue", Task.FLY_DAS, (1, 0)) == {}
    assert can(state, "blue", Task.FLY_DAS, (2, 0)) == {}
    assert can(state, "blue", Task.BOMB, (1, 0)) == {}


@pytest.mark.rule("18.49")
def test_nobody_flies_missions_into_a_mapboard_box_but_those_who_bomb_it() -> None:
    urals, baku = base("urals", "blue", (1, 0), box=True, cities=0), base("baku", "blue", (3, 0), "1 russia army")
    state = turn(urals, baku, base("rome", "red", (0, 0), "2 germany army"))
    assert can(state, "blue", Task.FLY_DAS, (1, 0)) == {}
    assert can(state, "red", Task.GROUND_SUPPORT, (1, 0)) == {}
    assert can(state, "red", Task.BOMB, (1, 0)) == {"rome army": 2}
    assert can(state, "red", Task.GROUND_SUPPORT, (2, 0)) == {"rome army": 2}, "that is no box"


@pytest.mark.rule("18.48")
def test_missions_go_around_neutral_land() -> None:
    bases = [base("rome", "red", (0, 0), "1 germany army")]
    wall = [f"1,{row}" for row in range(-2, 3)]
    assert can(turn(*bases), "red", Task.GROUND_SUPPORT, (2, 0)) == {"rome army": 1}
    assert can(turn(*bases, neutral=wall), "red", Task.GROUND_SUPPORT, (2, 0)) == {}


@pytest.mark.rule("18.45.1")
def test_range_counts_from_the_base_that_air_has_staged_to() -> None:
    from flagplot.awaw.turn.basing.relocation import relocate

    state = turn(base("rome", "red", (0, 0), "1 germany army"), base("tunis", "red", (8, 0)))
    assert can(state, "red", Task.GROUND_SUPPORT, (12, 0)) == {}
    relocate(state, units_of(state, "rome", Arm.ARMY), 1, "tunis")
    assert can(state, "red", Task.GROUND_SUPPORT, (12, 0)) == {"tunis army": 1}


@pytest.mark.rule("18.41", "18.471")
def test_each_arm_flies_what_its_list_has() -> None:
    state = turn(
        base("rome", "red", (0, 0), "1 germany army", "1 germany jet", "1 germany transport"),
        research={"germany": {"jets": 12}},
    )
    assert can(state, "red", Task.GROUND_SUPPORT, (0, 0)) == {"rome army": 1}
    assert can(state, "red", Task.COUNTER_INTERCEPT, (0, 0)) == {"rome army": 1, "rome jet": 1}
    assert can(state, "red", Task.AIR_TRANSPORT, (0, 0)) == {"rome transport": 1}


# --- taking off and coming home ---------------------------------------------------------------------------------


def fly(state: State, force: Force, at: Hex, *orders: str, inverted: bool = True) -> State:
    """Air takes off, and returns from a hex."""
    procedure = Procedure("out-and-back", "18.46", "Out and back")

    def out_and_back(state: State) -> Script[Next]:
        launch(state, force)
        yield from return_home(state, force, at, "18.42A", "has flown", inverted=inverted)
        return END

    procedure.segment("18.46", "Out and back")(out_and_back)
    return steer(play(state, procedure), *orders).state


@pytest.mark.rule("18.46", "18.42A")
def test_air_that_has_flown_returns_to_its_base_inverted() -> None:
    state = turn(base("rome", "red", (0, 0), "2 germany army"))
    which = units_of(state, "rome", Arm.ARMY)
    after = fly(state, {which: 1}, (3, 0))
    assert air_at(after, "rome") == {"germany army": 1, "germany army inverted": 1}
    assert after.turn.down == [Down(which.turned(inverted=True), 1, "18.42A", "has flown", Until.TURN_END)]


@pytest.mark.rule("18.46")
def test_it_may_land_in_another_operational_base_in_range_of_the_hex_that_was_held_as_the_phase_began() -> None:
    state = turn(
        base("rome", "red", (0, 0), "2 germany army"),
        base("tunis", "red", (7, 0)),
        base("far", "red", (8, 1)),
        base("oran", "red", (5, 1), supply="partial"),
        base("bone", "red", (4, 1)),
        base("malta", "blue", (4, 0)),
    )
    state.turn.held_at_start["bone"] = "blue"
    which = units_of(state, "rome", Arm.ARMY)
    assert landing_places(state, which, 2, (3, 0)) == {"rome": 2, "tunis": 2}


@pytest.mark.rule("18.46.1")
def test_whoever_lands_elsewhere_is_inverted_even_without_a_mission() -> None:
    state = turn(base("rome", "red", (0, 0), "2 germany army"), base("tunis", "red", (4, 0)))
    which = units_of(state, "rome", Arm.ARMY)
    land = f"land:{which.tag}"
    home = fly(state, {which: 1}, (2, 0), f"{land}:rome", inverted=False)
    assert air_at(home, "rome") == {"germany army": 2}
    away = fly(state, {which: 1}, (2, 0), f"{land}:tunis", inverted=False)
    assert air_at(away, "tunis") == {"germany army inverted": 1}
    assert [(entry.rule, entry.until) for entry in away.turn.down] == [("18.46", Until.TURN_END)]


@pytest.mark.rule("18.46.1")
@pytest.mark.parametrize(("mission", "labels"), [(True, ["Rome", "Tunis"]), (False, ["Rome", "Tunis, inverted"])])
def test_the_question_says_where_landing_costs_something(mission: bool, labels: list[str]) -> None:
    state = turn(base("rome", "red", (0, 0), "2 germany army"), base("tunis", "red", (4, 0)))
    which = units_of(state, "rome", Arm.ARMY)
    launch(state, {which: 1})
    question = next(return_home(state, {which: 1}, (2, 0), "18.42A", "", inverted=mission))
    assert isinstance(question, Choose)
    assert [say(option.label) for option in question.options] == labels
    assert say(question.question) == "Choose a base for 1 German army air factor from Rome"


@pytest.mark.rule("18.46")
@pytest.mark.parametrize(
    ("orders", "landed"), [(("land:home",), {}), (("land:elsewhere",), {"germany army inverted": 1})]
)
def test_if_several_kinds_could_land_elsewhere_it_is_asked_once_whether_all_go_home(
    orders: tuple[str, ...], landed: dict[str, int]
) -> None:
    state = turn(base("rome", "red", (0, 0), "1 germany army", "1 italy army"), base("tunis", "red", (4, 0)))
    force = dict(state.sites["rome"].air)
    elsewhere = [f"land:{which.tag}:tunis" for which in force if landed and which.nation == "germany"]
    after = fly(state, force, (2, 0), *orders, *elsewhere)
    assert air_at(after, "tunis") == landed


@pytest.mark.rule("18.46")
def test_bases_that_were_taken_in_regular_combat_are_closed_to_air_that_supports_exploitation() -> None:
    state = turn(base("rome", "red", (0, 0), "1 germany army"), base("tunis", "blue", (4, 0)), phase="combat")
    which = units_of(state, "rome", Arm.ARMY)
    resettle(state, tunis=replace(state.place("tunis"), side="red"))
    list(begin(state, Phase.EXPLOITATION))
    assert landing_places(state, which, 1, (3, 0)) == {"rome": 1}
    list(begin(state, Phase.CONSTRUCTION))
    assert landing_places(state, which, 1, (3, 0)) == {"rome": 1, "tunis": 1}


@pytest.mark.rule("18.46", "18.11")
def test_a_full_base_takes_in_as_many_as_it_has_room_for() -> None:
    state = turn(base("rome", "red", (0, 0), "3 germany army"), base("tunis", "red", (4, 0), "4 italy army"))
    which = units_of(state, "rome", Arm.ARMY)
    launch(state, {which: 3})
    assert landing_places(state, which, 3, (2, 0)) == {"rome": 3}
    assert landing_places(state, which, 1, (2, 0)) == {"rome": 1, "tunis": 1}


@pytest.mark.rule("18.25.4", "18.46")
def test_air_whose_base_has_fallen_is_displaced_if_no_other_is_in_range() -> None:
    from dataclasses import replace

    from flagplot.awaw.turn.basing.geography import resettle

    state = turn(
        base("malta", "blue", (0, 0), "1 britain army"), base("cairo", "blue", (8, 0)), base("x", "red", (1, 0))
    )
    which = units_of(state, "malta", Arm.ARMY)
    launch(state, {which: 1})
    resettle(state, malta=replace(state.place("malta"), side="red"))
    state.sites["malta"].air[which] = 1
    after = fly(state, {which: 1}, (0, 0))
    assert air_at(after, "cairo") == {}, "not before the phase ends"
    run(displace_absent(after))
    assert air_at(after, "cairo") == {"britain army inverted": 1}
    assert air_at(after, "malta") == {}


# --- why and until when -----------------------------------------------------------------------------------------


def test_reasons_that_say_the_same_are_one_whatever_the_order() -> None:
    def after(numbers: list[int]) -> list[Down]:
        state = turn(base("rome", "red", (0, 0), "4 germany army", "2 italy army", cities=2))
        army = units_of(state, "rome", Arm.ARMY)
        other = next(which for which in state.sites["rome"].air if which.nation == "italy")
        for number in numbers:
            invert(state, army if number else other, 1, "18.42A", "has flown")
        return state.turn.down

    assert after([1, 0, 1]) == after([0, 1, 1]) == after([1, 1, 0])
    assert [entry.number for entry in after([1, 1, 0])] == [2, 1]


def test_marks_go_with_units_that_are_inverted_those_without_one_first() -> None:
    state = turn(base("rome", "red", (0, 0), "3 germany army"))
    which = units_of(state, "rome", Arm.ARMY)
    set_mark(state, REDEPLOYED, which, 1)
    invert(state, which, 2, "18.42A", "has flown")
    assert marked(state, REDEPLOYED, which) == 1
    assert marked(state, REDEPLOYED, which.turned(inverted=True)) == 0
    invert(state, which, 1, "18.42A", "has flown")
    assert marked(state, REDEPLOYED, which.turned(inverted=True)) == 1


def test_the_reason_goes_along_to_another_base() -> None:
    state = turn(base("rome", "red", (0, 0), "3 germany army inverted"), base("tunis", "red", (4, 0)))
    old = units_of(state, "rome", Arm.ARMY, inverted=True)
    state.turn.down = [Down(old, 3, "18.42A", "has flown", Until.TURN_END)]
    new = state.rebased(old, "tunis")
    moved(state, old, new, 2)
    assert [(entry.which.home, entry.number) for entry in state.turn.down] == [("rome", 1), ("tunis", 2)]


@pytest.mark.rule("18.72D.1")
def test_marks_go_with_units_that_land_in_another_base() -> None:
    state = turn(base("rome", "red", (0, 0), "3 germany army"), base("tunis", "red", (4, 0)), phase="redeployment")
    which = units_of(state, "rome", Arm.ARMY)
    set_mark(state, REDEPLOYED, which, 2)
    after = fly(state, {which: 2}, (2, 0), f"land:{which.tag}:tunis")
    assert air_at(after, "tunis") == {"germany army inverted": 2}
    landed = units_of(after, "tunis", Arm.ARMY, inverted=True)
    assert marked(after, REDEPLOYED, landed) == 1, "who stayed has the other mark"
    assert marked(after, REDEPLOYED, which) == 1
    assert uninvertible(after, LAST) == {landed: 1}
    after = fly(state, {which: 1}, (2, 0), f"land:{which.tag}:tunis")
    assert marked(after, REDEPLOYED, which) == 2, "those who stayed have both"
    after = fly(state, {which: 3}, (2, 0), f"land:{which.tag}:tunis")
    landed = units_of(after, "tunis", Arm.ARMY, inverted=True)
    assert (marked(after, REDEPLOYED, landed), marked(after, REDEPLOYED, which)) == (2, 0)


@pytest.mark.rule("18.42A", "18.43", "18.524A", "18.526A", "18.523.3")
@pytest.mark.parametrize(
    ("side", "attacked", "by", "why"),
    [
        ("red", False, "18.42A", "has flown a mission in this player turn"),
        ("blue", True, "18.43", "was forced to abort by an attack on its base"),
        ("blue", False, "18.43", "has left a base under attack"),
    ],
)
def test_what_others_have_inverted_gets_the_reason_that_fits(side: str, attacked: bool, by: str, why: str) -> None:
    state = turn(
        base("rome", "red", (0, 0), "1 germany army"),
        base("malta", "blue", (2, 0), "1 britain army"),
    )
    home = {"red": "rome", "blue": "malta"}[side]
    which = units_of(state, home, Arm.ARMY)
    state.sites[home].air = {which.turned(inverted=True): 1}
    state.operation.last_raids.inverted = {"malta": {}} if attacked else {}
    assert [(entry.rule, entry.why, entry.until) for entry in reasons(state)] == [(by, why, Until.TURN_END)]
    assert state.turn.down == [], "to ask changes nothing"
    reconcile(state)
    assert [(entry.rule, entry.number) for entry in state.turn.down] == [(by, 1)]


@pytest.mark.rule("18.42A", "18.43")
@pytest.mark.parametrize(("side", "by"), [("red", "18.42A"), ("blue", "18.43")])
def test_nobody_inherits_the_reason_of_air_that_was_lost_elsewhere(side: str, by: str) -> None:
    air = {"red": "germany", "blue": "britain"}[side]
    state = turn(
        base("here", side, (0, 0), f"1 {air} army"),
        base("there", side, (4, 0), f"1 {air} army inverted"),
        base("other", "blue" if side == "red" else "red", (2, 2)),
    )
    lost = units_of(state, "there", Arm.ARMY, inverted=True)
    state.turn.down = [Down(lost, 1, "18.72D", "was redeployed after use", Until.NEXT_TURN)]
    state.sites["there"].air = {}
    state.sites["here"].air = {units_of(state, "here", Arm.ARMY).turned(inverted=True): 1}
    state.operation.last_raids.inverted = {"here": {}}
    reconcile(state)
    assert [(entry.which.home, entry.rule, entry.until) for entry in state.turn.down] == [("here", by, Until.TURN_END)]


def test_who_is_gone_or_uninverted_is_struck_out_and_factors_inherit_the_reason_of_their_squadrons() -> None:
    state = turn(base("rome", "red", (0, 0), "2 germany army"))
    site = state.sites["rome"]
    factor = units_of(state, "rome", Arm.ARMY)
    site.air = to_scale(site.air, {}, squadrons=True)[0]
    search = next(which for which in site.air if which.role == "search")
    invert(state, search, 2, "23.164", "was used at sea")
    site.air = {factor.turned(inverted=True): 1}
    reconcile(state)
    assert state.turn.down == [Down(factor.turned(inverted=True), 1, "23.164", "was used at sea", Until.TURN_END)]
    site.air = {factor: 1}
    reconcile(state)
    assert state.turn.down == []


@pytest.mark.rule("18.42A", "18.43", "18.524A", "18.526A")
def test_counterair_inverts_attackers_and_those_whom_it_aborts_and_both_get_their_reasons() -> None:
    from flagplot.awaw.procedures import land_strikes

    state = turn(
        base("rome", "red", (0, 0), "3 germany army"),
        base("malta", "blue", (2, 0), "3 britain army"),
        phase="combat",
    )
    state.operation.stage = list(state.operation.plan.stages).index("combat")
    with Scripted(("Red: air combat", 1, 3), ("Blue: air combat", 1, 1)) as dice:
        game = play(state, land_strikes, dice=dice)
        after = steer(game, "base-attack:land:malta", "fly:rome:germany:army:factors:3").state
    assert after.turn_if_any is not None
    assert air_at(after, "rome") == {"germany army inverted": 2}
    assert air_at(after, "malta") == {"britain army": 1, "britain army inverted": 1}
    reconcile(after)
    assert [(entry.which.home, entry.number, entry.rule) for entry in after.turn.down] == [
        ("malta", 1, "18.43"),
        ("rome", 2, "18.42A"),
    ]
    assert {entry.until for entry in after.turn.down} == {Until.TURN_END}


@pytest.mark.rule("18.46", "18.524A")
def test_attackers_of_a_base_may_land_in_another_one_of_theirs_in_range_of_it() -> None:
    from flagplot.awaw.procedures import land_strikes

    state = turn(
        base("rome", "red", (0, 0), "2 germany army"),
        base("tunis", "red", (6, 0), "4 italy army"),
        base("far", "red", (7, 0)),
        base("malta", "blue", (2, 0)),
        phase="combat",
    )
    state.operation.stage = list(state.operation.plan.stages).index("combat")
    game = play(state, land_strikes)
    game.choose("base-attack:land:malta")
    assert isinstance(game.pending, Choose)
    assert say(game.pending.question) == "Attack with how many of 2 German army air factors from Rome?"
    for order in ("fly:rome:germany:army:factors:2", "fly:tunis:italy:army:factors:0"):
        game.choose(order)
    assert offered(game) == ["land:rome:germany:army:factors:rome", "land:rome:germany:army:factors:tunis"]
    after = steer(game, "land:rome:germany:army:factors:tunis").state
    assert after.turn_if_any is not None
    assert air_at(after, "rome") == {"germany army inverted": 1}, "there was room for one"
    assert air_at(after, "tunis") == {"germany army inverted": 1, "italy army": 4}


@pytest.mark.rule("18.46", "18.524A")
@pytest.mark.parametrize(
    ("orders", "landed"),
    [
        (["land:home"], {"rome army": 2, "rome naval": 3}),
        (["land:elsewhere", "army:rome", "naval:rome"], {"rome army": 2, "rome naval": 3}),
        (["land:elsewhere", "army:tunis"], {"tunis army": 1, "rome army": 1, "rome naval": 3}),
        (["land:elsewhere", "army:rome", "naval:tunis"], {"rome army": 2, "tunis naval": 3}),
    ],
)
def test_who_comes_from_an_attack_lands_as_its_owner_says(orders: list[str], landed: dict[str, int]) -> None:
    """Tunis has room for a factor or three squadrons; it is asked once whether all go home."""
    rome = base("rome", "red", (0, 0), "2 germany army", "3 germany naval", "1 italy army")
    state = turn(rome, base("tunis", "red", (3, 0), "4 italy army"), base("malta", "blue", (2, 0)), phase="combat")
    flown = {which: number for which, number in state.sites["rome"].air.items() if which.nation == "germany"}
    found: dict[str, int] = {}

    def landing(now: State) -> Script[None]:
        for which, number in (yield from choose_landing(now, flown, (2, 0))).items():
            found[f"{which.home} {which.arm}"] = number

    game = play(state, script("landing", landing))
    assert offered(game) == ["land:home", "land:elsewhere"]
    for order in orders:
        arm, _, where = order.partition(":")
        which = next((which for which in flown if which.arm == arm), None)
        game.choose(f"land:{which.tag}:{where}" if which else order)
    assert (found, game.pending) == (landed, None)


@pytest.mark.rule("18.46")
def test_if_one_kind_alone_could_land_elsewhere_it_is_not_asked_whether_all_go_home() -> None:
    rome = base("rome", "red", (0, 0), "2 germany army", "3 germany naval")
    state = turn(rome, base("tunis", "red", (3, 0), "5 italy army"), base("oran", "red", (6, 0)), phase="combat")
    flown = dict(state.sites["rome"].air)
    army = units_of(state, "rome", Arm.ARMY).tag
    game = play(state, script("landing", lambda now: choose_landing(now, flown, (2, 0))))
    assert offered(game) == [f"land:{army}:rome", f"land:{army}:oran"]
