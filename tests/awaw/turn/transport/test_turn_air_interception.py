"""Interception of air transports and counter-interception, round by round (18.62, 18.472)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.air_combat import Circumstances, Combat
from flagplot.awaw.air_rounds import air_round
from flagplot.awaw.air_units import Arm
from flagplot.awaw.conversion import break_down
from flagplot.awaw.counterair import launch
from flagplot.awaw.counting import take
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import air_interception, air_transport
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import AirTransportMission, Until
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.turn.missions.inversion import available
from flagplot.awaw.turn.transport.air_interception import cost, guards_in_reach
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import Frame
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.words import say
from tests.awaw.seas import offered, play, steer
from tests.awaw.turn.moves import script
from tests.awaw.turn.turns import air_at, base, ground, turn, units_of

Dice = list[tuple[str | int, ...]]

FLY = "airlift:rome:germany"
HERE = "intercept:4,0"
BLUE, RED = "Blue: air combat", "Red: air combat"


def scene(
    *blue: str, red: tuple[str, ...] = (), transports: int = 1, options: Options | None = None, **more: Any
) -> State:
    """Transports fly from Rome to Tunis by way of (4, 0), with fighters in Bari; Blue's are on Malta."""
    return turn(
        base("rome", "red", (0, 0), f"{transports} germany transport"),
        base("tunis", "red", (8, 0)),
        base("bari", "red", (4, 3), *red, **more.pop("bari", {})),
        base("malta", "blue", (3, 3), *blue, **more.pop("malta", {})),
        units=[ground(f"u{number}", "red", "germany", "rome") for number in range(transports)],
        options=options,
        brps={"germany": more.pop("brps", 9)},
        **more,
    )


def fight(state: State, *orders: str, dice: Dice) -> State:
    with Scripted(*dice) as scripted:
        after: State = steer(play(state, air_transport, dice=scripted), FLY, *orders).state
    assert after.turn_if_any is not None
    return after


def through(game: Game[Any], *orders: str) -> Game[Any]:
    """Transports take off for Tunis; then these orders, and dice as they come."""
    for order in (FLY, "airlift:rome:tunis", *orders):
        while isinstance(game.pending, Roll):
            game.roll()
        game.choose(order)
    while isinstance(game.pending, Roll):
        game.roll()
    return game


def arrived(state: State) -> list[str]:
    return [name for name, unit in state.turn.units.items() if unit.at == (8, 0)]


# --- who intercepts ---------------------------------------------------------------------------------------------


@pytest.mark.rule("18.621", "18.471")
def test_in_any_one_hex_of_the_route_both_ends_among_them() -> None:
    def hexes(at: tuple[int, int]) -> list[str]:
        state = turn(
            base("rome", "red", (0, 0), "1 germany transport"),
            base("tunis", "red", (8, 0)),
            base("malta", "blue", at, "1 britain army"),
            units=[ground("one", "red", "germany", "rome")],
        )
        game = play(state, air_transport)
        game.choose(FLY)
        return [text.split(":")[1] for text in offered(game)]

    assert hexes((-4, 0)) == ["0,0", "none"]
    assert hexes((4, 4)) == ["4,0", "5,0", "6,0", "7,0", "8,0", "none"]
    assert hexes((4, 0)) == [*[f"{q},0" for q in range(9)], "none"]


@pytest.mark.rule("18.621", "18.41")
def test_uninverted_air_in_operational_bases_intercepts() -> None:
    able = scene("2 britain army", "1 united-states army inverted")
    assert sum(available(able, "blue", Task.INTERCEPT_TRANSPORT, (4, 0)).values()) == 2
    for unfit in ({"supply": "partial"}, {"supply": "none"}, {"oil": True}, {"winter": 9}):
        assert available(scene("2 britain army", malta=unfit), "blue", Task.INTERCEPT_TRANSPORT, (4, 0)) == {}
    inverted = play(scene("2 britain army inverted"), air_transport)
    inverted.choose(FLY)
    assert not offered(inverted)[0].startswith("intercept")


@pytest.mark.rule("18.621", "18.623.4")
def test_nobody_has_to_intercept_and_who_does_not_is_free() -> None:
    after = fight(scene("2 britain army"), dice=[])
    assert arrived(after) == ["u0"]
    assert air_at(after, "malta") == {"britain army": 2}


@pytest.mark.rule("23.142A")
@pytest.mark.parametrize(("down", "factors", "lost"), [(0, 2, 0), (1, 2, 1), (2, 1, 3), (5, 0, 6)])
def test_a_squadron_that_is_left_over_after_the_combat_is_eliminated(down: int, factors: int, lost: int) -> None:
    """Two factors that counter-intercept have lost so many squadrons."""
    state = scene("3 britain naval", red=("2 germany army",))
    which = units_of(state, "bari", Arm.ARMY)
    launch(state, {which: 2})
    transport = units_of(state, "rome", Arm.TRANSPORT)
    guards = break_down({which: 2})
    for one in [squadron for squadron in guards for _ in range(guards[squadron])][:down]:
        take(guards, one, 1)
        state.lose({one: 1})
    state.turn.airlift = AirTransportMission(
        "hump", "red", ((0, 0), (4, 0)), {transport: 1}, intercepted=(4, 0), round=1
    )
    state.turn.airlift.guards = guards
    after: State = steer(play(state, Frame("air-interception", "return_all"))).state
    assert sum(air_at(after, "bari").values()) == factors
    assert after.turn.unbuilt.get("germany/army/squadrons", 0) == lost


def test_each_question_says_from_which_base_the_air_is() -> None:
    state = scene("2 britain army", red=("1 germany army",))
    game = through(play(state, air_transport), HERE)
    asked = []
    while isinstance(game.pending, Choose):
        asked.append(say(game.pending.question))
        game.choose(offered(game)[-1])
    assert asked[:2] == [
        "Intercept with how many of 2 British army air factors from Malta?",
        "Counter-intercept with 1 German army air factor from Bari?",
    ]


# --- counter-interception ---------------------------------------------------------------------------------------


@pytest.mark.rule("18.622A", "18.472", "18.511I", "18.512H", "18.513B")
def test_eligible_air_in_range_of_the_hex_counter_intercepts_in_every_phase_of_air_transport() -> None:
    for phase in ("movement", "combat", "redeployment"):
        state = scene("1 britain army", red=("2 germany army", "1 italy army inverted"), phase=phase)
        which = units_of(state, "rome", Arm.TRANSPORT)
        state.turn.airlift = AirTransportMission("hump", "red", ((0, 0), (4, 0)), {which: 1}, [])
        game = play(state, air_interception)
        game.choose(HERE)
        assert offered(game)[0] == "guard:bari:germany:army:factors:0"
        assert len(offered(game)) == 3


@pytest.mark.rule("18.622A")
def test_out_of_range_or_from_an_unfit_base_nobody_does() -> None:
    for bari in ({"supply": "partial"}, {"oil": True}):
        state = scene("1 britain army", red=("2 germany army",), bari=bari)
        mission = AirTransportMission("hump", "red", ((0, 0),), {}, [], intercepted=(4, 0))
        assert guards_in_reach(state, mission) == {}
    far = AirTransportMission("hump", "red", ((0, 0),), {}, [], intercepted=(4, -2))
    assert guards_in_reach(scene("1 britain army", red=("2 germany army",)), far) == {}


@pytest.mark.rule("18.622B.1", "18.472.2")
def test_if_all_interceptors_are_shot_down_or_aborted_the_transports_pass() -> None:
    """Row 2, a roll of 7: 1/1 on two interceptors."""
    state = scene("2 britain army", red=("2 germany army",))
    orders = [HERE, "send:malta:britain:army:factors:2", "guard:bari:germany:army:factors:2"]
    after = fight(state, *orders, dice=[(RED, 3, 4), (BLUE, 1, 2)])
    assert arrived(after) == ["u0"]
    assert air_at(after, "malta") == {"britain army inverted": 1}
    assert air_at(after, "bari") == {"germany army inverted": 2}
    assert {(entry.which.home, entry.rule, entry.until) for entry in after.turn.down} == {
        ("malta", "18.472", Until.TURN_END),
        ("bari", "18.472", Until.TURN_END),
        ("rome", "18.42A", Until.TURN_END),
    }


@pytest.mark.rule("18.622B.2", "18.622B.2.2", "18.623", "18.623.1")
def test_the_interceptors_go_on_the_moving_side_withdraws_and_the_unaffected_attack() -> None:
    """Row 1, a roll of 4: 0/1. Of three interceptors two are left to attack; in row 2 a roll of 7 is 1/1, on three
    transports."""
    state = scene("3 britain army", red=("1 germany army",), transports=3)
    with Scripted((RED, 1, 3), (BLUE, 1, 1), ("round 2, row 2", 3, 4)) as dice:
        game = through(
            play(state, air_transport, dice=dice),
            "board:u0",
            "board:u1",
            "board:u2",
            HERE,
            "send:malta:britain:army:factors:3",
            "guard:bari:germany:army:factors:1",
            "interceptors:press-on",
        )
        assert air_at(game.state, "bari") == {}, "the guard was lost"
        assert offered(game) == [f"attack:malta:britain:army:factors:{number}" for number in range(3)]
        game.choose("attack:malta:britain:army:factors:2")
        after: State = steer(game, "lost:u1", "back:u0").state
    assert arrived(after) == ["u2"]
    assert set(after.turn.units) == {"u0", "u2"}
    assert air_at(after, "malta") == {"britain army inverted": 3}


@pytest.mark.rule("18.622B.2.2")
def test_the_moving_side_may_withdraw_its_survivors() -> None:
    state = scene("3 britain army", red=("2 germany army",))
    with Scripted((RED, 1, 1), (BLUE, 1, 1), ("round 2, row 2", 1, 1)) as dice:
        game = through(
            play(state, air_transport, dice=dice),
            HERE,
            "send:malta:britain:army:factors:3",
            "guard:bari:germany:army:factors:2",
            "interceptors:press-on",
            "guards:withdraw",
            "attack:malta:britain:army:factors:2",
        )
        after: State = steer(game).state
    assert air_at(after, "bari") == {"germany army inverted": 1}
    assert arrived(after) == []


@pytest.mark.rule("18.622B.2", "18.622C")
def test_interceptors_that_do_not_go_on_leave_the_transports_alone() -> None:
    state = scene("3 britain army", red=("1 germany army",))
    orders = [HERE, "send:malta:britain:army:factors:3", "guard:bari:germany:army:factors:1"]
    after = fight(state, *orders, "interceptors:break-off", dice=[(RED, 1, 1), (BLUE, 1, 1)])
    assert arrived(after) == ["u0"]
    assert air_at(after, "malta") == {"britain army inverted": 3}, "they have fought"


@pytest.mark.rule("18.622B.2.1", "18.622C")
def test_the_counter_interceptors_may_be_reinforced_even_if_none_survived_the_interceptors_may_not() -> None:
    """Row 1 against row 2: the first guard is lost; a second one comes, and a third."""
    state = scene("4 britain army", red=("3 germany army",))
    with Scripted((RED, 1, 1), (BLUE, 1, 3), (RED, 1, 1), (BLUE, 1, 3), (RED, 6, 6), (BLUE, 1, 1)) as dice:
        game = play(state, air_transport, dice=dice)
        through(game, HERE, "send:malta:britain:army:factors:2", "guard:bari:germany:army:factors:1")
        assert offered(game) == ["interceptors:press-on", "interceptors:break-off"]
        game.choose("interceptors:press-on")
        assert offered(game) == ["guards:fight", "guards:withdraw"]
        game.choose("guards:fight")
        assert offered(game) == ["guard:bari:germany:army:factors:1", "guard:bari:germany:army:factors:2"]
        game.choose("guard:bari:germany:army:factors:1")
        game.roll()
        game.roll()
        game.choose("interceptors:press-on")
        game.choose("guards:fight")
        game.roll()
        game.roll()
        after: State = steer(game).state
    assert air_at(after, "malta") == {"britain army": 2, "britain army inverted": 1}
    assert air_at(after, "bari") == {"germany army inverted": 1}
    assert arrived(after) == ["u0"]


@pytest.mark.rule("18.622B.2.1", "18.622C")
def test_who_still_has_counter_interceptors_there_need_not_reinforce_them() -> None:
    state = scene("4 britain army", red=("3 germany army",))
    with Scripted((RED, 1, 1), (BLUE, 1, 1)) as dice:
        game = play(state, air_transport, dice=dice)
        through(game, HERE, "send:malta:britain:army:factors:1", "guard:bari:germany:army:factors:1")
        game.choose("interceptors:press-on")
        game.choose("guards:fight")
    assert offered(game) == [f"guard:bari:germany:army:factors:{number}" for number in (0, 1, 2)]


@pytest.mark.rule("19.2", "19.21", "19.41", "19.42")
@pytest.mark.parametrize("fires_back", [True, False])
def test_both_sides_of_a_round_roll_with_opposite_modifiers_before_anybody_is_lost(fires_back: bool) -> None:
    """Five Germans (2) and seven French (1): row 5 with 6 + 1 is 2/3, row 7 with 5 - 1 is 2/2."""
    state = turn(
        base("bari", "red", (0, 0), "5 germany army"), base("malta", "blue", (3, 3), "7 france army", airbases=1)
    )
    ours, theirs = dict(state.sites["bari"].air), dict(state.sites["malta"].air)
    (german,), (french,) = ours, theirs
    found: list[Any] = []

    def steps(state: State) -> Any:
        combat = Circumstances(Combat.COUNTER_INTERCEPTION)
        both = (state, "red", ours, "blue", theirs, "the sea", 1)
        found.append((yield from air_round(*both, circumstances=combat, fires_back=fires_back)))

    rolled: Dice = [
        ("Red: air combat over the sea, round 1, row 5", 3, 3),
        ("Blue: air combat over the sea, round 1, row 7", 3, 2),
    ]
    with Scripted(*rolled[: 1 + fires_back]) as dice:
        game = play(state, script("round", steps), dice=dice)
        while isinstance(game.pending, Roll):
            assert game.pending.ledger.total == (1 if game.pending.side == "red" else -1)
            game.roll()
    assert found == [({german: 2} if fires_back else {}, {french: 2}, {french: 3})]
    assert (ours, theirs) == ({german: 3 if fires_back else 5}, {french: 5})


@pytest.mark.rule("18.622B", "18.622A")
def test_those_whom_an_earlier_round_has_aborted_fight_on() -> None:
    """Row 2, a roll of 6: 1/1. Of three interceptors one is lost and one aborted; in the next round both others fight,
    in row 2."""
    state = scene("3 britain army", red=("2 germany army",))
    with Scripted((RED, 3, 3), (BLUE, 1, 1), ("round 2, row 1", 1, 1), ("round 2, row 2", 1, 1)) as dice:
        game = play(state, air_transport, dice=dice)
        orders = ["send:malta:britain:army:factors:3", "guard:bari:germany:army:factors:2"]
        through(game, HERE, *orders, "interceptors:press-on", "guards:fight")
        steer(game, "interceptors:break-off")
    assert game.pending is None


# --- the attack on the transports -------------------------------------------------------------------------------


@pytest.mark.rule("18.623", "18.623.2", "18.623.4", "18.42A")
def test_some_attack_with_one_roll_and_the_others_stay_free() -> None:
    """Two of three attack, in row 2: a roll of 2 is 0/1."""
    state = scene("3 britain army")
    orders = [HERE, "send:malta:britain:army:factors:3", "attack:malta:britain:army:factors:2"]
    after = fight(state, *orders, dice=[("round 1, row 2", 1, 1)])
    assert arrived(after) == []
    assert air_at(after, "malta") == {"britain army": 1, "britain army inverted": 2}
    assert air_at(after, "rome") == {"germany transport inverted": 1}


@pytest.mark.rule("18.623", "18.623.4")
def test_interceptors_that_do_not_attack_return_uninverted_and_may_intercept_again() -> None:
    state = scene("2 britain army", transports=2)
    with Scripted() as dice:
        game = play(state, air_transport, dice=dice)
        orders = ["board:u0", "board:done", HERE, "send:malta:britain:army:factors:2"]
        through(game, *orders, "attack:malta:britain:army:factors:0")
        assert air_at(game.state, "malta") == {"britain army": 2}
        game.choose("land:rome:germany:transport:factors:rome")
        through(game)
        assert HERE in offered(game)


@pytest.mark.rule("18.623.1")
def test_who_was_aborted_in_the_last_round_does_not_attack() -> None:
    """Row 1, a roll of 4: one of two interceptors is aborted, so that one may attack."""
    state = scene("2 britain army", red=("1 germany army",))
    with Scripted((RED, 1, 3), (BLUE, 1, 3), (BLUE, 1, 1)) as dice:
        game = play(state, air_transport, dice=dice)
        orders = ["send:malta:britain:army:factors:2", "guard:bari:germany:army:factors:1"]
        through(game, HERE, *orders, "interceptors:press-on")
        assert offered(game) == ["attack:malta:britain:army:factors:0", "attack:malta:britain:army:factors:1"]
        game.choose("attack:malta:britain:army:factors:1")
        game.roll()
        after: State = steer(game).state
    assert air_at(after, "malta") == {"britain army inverted": 2}
    assert arrived(after) == ["u0"]


@pytest.mark.rule("23.18", "23.18.1", "23.131A", "17.65")
@pytest.mark.parametrize(
    ("faces", "left", "home", "arrives"),
    [
        ((1, 1), 2, 1, 1),  # 1/0 on six squadrons: a lesser hit on one factor
        ((3, 4), 2, 2, 0),  # 1/2
        ((5, 5), 1, 1, 0),  # 2/2: a factor is lost, the other forced back
    ],
)
def test_with_naval_air_among_the_interceptors_each_transport_is_three_squadrons(
    faces: tuple[int, int], left: int, home: int, arrives: int
) -> None:
    state = turn(
        base("truk", "red", (0, 0), "2 japan transport"),
        base("lae", "red", (6, 0)),
        base("moresby", "blue", (3, 3), "3 united-states naval"),
        units=[ground("u0", "red", "japan", "truk"), ground("u1", "red", "japan", "truk")],
        pacific=True,
    )
    with Scripted(("round 1, row 3", *faces)) as dice:
        game = play(state, air_transport, dice=dice)
        orders = ["airlift:truk:japan", "board:u0", "board:u1", "intercept:3,0"]
        orders += ["send:moresby:united-states:naval:squadrons:3", "attack:moresby:united-states:naval:squadrons:3"]
        after: State = steer(game, *orders).state
    there = [name for name, unit in after.turn.units.items() if unit.at == (6, 0)]
    transports = sum(number for which, number in after.sites["truk"].air.items() if which.arm is Arm.TRANSPORT)
    assert transports == left
    assert len(there) == arrives
    assert all(which.inverted and which.role == "factors" for which in after.sites["truk"].air)
    assert home == left - arrives
    assert air_at(after, "moresby") == {"united-states naval inverted": 3}


@pytest.mark.rule("23.131A", "23.144", "23.141A.2")
def test_in_a_combat_in_squadrons_army_air_is_put_together_again_and_only_sound_factors_attack() -> None:
    """An American army factor and a naval squadron against a Japanese factor: four squadrons against three. Row 3 at 4
    is 1/1: an army squadron is lost, the naval one aborted. The army squadrons that are left make no sound factor, so
    that nobody attacks the transports."""
    state = turn(
        base("truk", "red", (0, 0), "1 japan transport"),
        base("lae", "red", (6, 0)),
        base("rabaul", "red", (3, 2), "1 japan army"),
        base("moresby", "blue", (3, 3), "1 united-states army", "1 united-states naval"),
        units=[ground("u0", "red", "japan", "truk")],
        pacific=True,
    )
    with Scripted(("Red: air combat", 1, 3), ("Blue: air combat", 1, 1)) as dice:
        game = play(state, air_transport, dice=dice)
        orders = ["airlift:truk:japan", "intercept:3,0", "send:moresby:united-states:army:factors:1"]
        orders += ["send:moresby:united-states:naval:squadrons:1", "guard:rabaul:japan:army:factors:1"]
        after: State = steer(game, *orders, "interceptors:press-on", "guards:withdraw").state
    roles = {which.role.value for site in after.sites.values() for which in site.air if which.arm is Arm.ARMY}
    assert roles == {"factors"}, "nobody is left in squadrons"
    assert air_at(after, "moresby") == {"united-states army inverted": 1, "united-states naval inverted": 1}
    assert air_at(after, "rabaul") == {"japan army inverted": 1}
    assert after.turn.units["u0"].at == (6, 0)


# --- what it costs ----------------------------------------------------------------------------------------------


@pytest.mark.rule("18.472.1", "18.473.1", "23.165")
@pytest.mark.parametrize(
    ("reading", "phase", "left"),
    [("", "movement", 7), ("none", "movement", 9), ("one-a-factor", "combat", 7), ("one-a-factor", "redeployment", 9)],
)
def test_counter_interception_costs_a_brp_a_factor_or_by_option_nothing_but_not_in_redeployment(
    reading: str, phase: str, left: int
) -> None:
    options = Options(counter_interception_cost=reading) if reading else Options()
    state = scene("1 britain army", red=("2 germany army",), options=options, phase=phase)
    orders = [HERE, "guard:bari:germany:army:factors:2"]
    after = fight(state, *orders, dice=[(RED, 6, 6), (BLUE, 1, 1)])
    assert after.turn.brps == {"germany": left}


@pytest.mark.rule("18.472.1")
def test_where_the_scenario_counts_no_brps_nobody_is_charged() -> None:
    state = scene("1 britain army", red=("2 germany army",))
    state.turn.brps = {}
    orders = [HERE, "guard:bari:germany:army:factors:2"]
    assert fight(state, *orders, dice=[(RED, 6, 6), (BLUE, 1, 1)]).turn.brps == {}


@pytest.mark.rule("18.472.1")
def test_nobody_counter_intercepts_who_cannot_pay() -> None:
    options = Options(counter_interception_cost="one-a-factor")
    game = play(scene("1 britain army", red=("3 germany army",), options=options, brps=2), air_transport)
    through(game, HERE)
    assert offered(game) == [f"guard:bari:germany:army:factors:{number}" for number in range(3)]


@pytest.mark.rule("18.472.1", "17.141A")
def test_every_three_squadrons_or_part_of_them_cost_what_a_factor_costs() -> None:
    squadrons = units_of(turn(base("t", "red", (0, 0), "7 japan naval"), pacific=True), "t", Arm.NAVAL)
    assert [cost({squadrons: number}, "japan") for number in range(8)] == [0, 1, 1, 1, 2, 2, 2, 3]
