"""Air transport (18.54), air supply (18.53), airdrops (18.512C) and the Hump (18.511E)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from flagplot.awaw.air_units import Arm
from flagplot.awaw.basing import distance
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import air_supply, air_transport, airdrops, flights_home, hump, player_turn
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import GroundAttack, GroundUnit, Kind, Ration
from flagplot.awaw.turn.missions.abilities import Task, in_phase
from flagplot.awaw.turn.transport.air_routes import air_path
from flagplot.awaw.turn.transport.air_supply import in_want
from flagplot.awaw.turn.transport.airdrops import drop_zones, jumpers, may_be_dropped
from flagplot.awaw.turn.transport.airlift import in_zone, may_be_carried, movement_cost, passages
from flagplot.awaw.turn.transport.hump import route_is_open
from flagplot.awaw.turn.turn import hand_over
from flagplot.kernel.dice import Scripted
from flagplot.kernel.procedures import Procedure
from flagplot.kernel.requests import Choose
from tests.awaw.seas import offered, play, steer
from tests.awaw.turn.turns import air_at, base, ground, turn, units_of

SHOT, DRIVEN, MISSED = (5, 5), (1, 3), (1, 1)
"""Rolls of one factor on the Air Combat Table: 1 eliminated, 1 aborted, nothing."""


def run(state: State, procedure: Procedure, *orders: str, dice: Any = ()) -> State:
    """Play a procedure with these orders; dice are those of Blue's single roll against the transports."""
    with Scripted(*[("Blue: air combat", *faces) for faces in dice]) as scripted:
        after: State = steer(play(state, procedure, dice=scripted), *orders).state
    assert after.turn_if_any is not None
    return after


def lift(*units: dict[str, Any], transports: str = "2 germany transport", **more: Any) -> State:
    """Transports in Rome, and bases eight and nine hexes away; a British fighter on Malta if `fighter` is set."""
    air = ["1 britain army"] if more.pop("fighter", False) else []
    rome = more.pop("rome", {})
    tunis = more.pop("tunis", {})
    return turn(
        base("rome", "red", (0, 0), transports, **rome),
        base("tunis", "red", (8, 0), **tunis),
        base("tripoli", "red", (9, 0)),
        base("malta", "blue", (4, 3), *air),
        units=list(units),
        **more,
    )


def able(state: State, home: str = "rome") -> dict[str, list[str]]:
    return passages(state, units_of(state, home, Arm.TRANSPORT))


ONE = ground("one", "red", "germany", "rome")
TWO = ground("two", "red", "germany", "rome")


# --- air transport: when, how far, from where -------------------------------------------------------------------


@pytest.mark.rule("18.541", "18.545")
def test_ground_units_are_carried_up_to_eight_hexes_in_europe_and_six_in_the_pacific() -> None:
    assert able(lift(ONE)) == {"tunis": ["one"]}
    pacific = turn(
        base("truk", "red", (0, 0), "1 japan transport"),
        base("near", "red", (6, 0)),
        base("far", "red", (7, 0)),
        base("x", "blue", (0, 5)),
        units=[ground("one", "red", "japan", "truk")],
        pacific=True,
    )
    assert able(pacific, "truk") == {"near": ["one"]}


@pytest.mark.rule("18.541", "18.511F", "18.513A")
def test_in_the_movement_and_the_redeployment_phase() -> None:
    assert [phase for phase in ("movement", "combat", "redeployment") if not in_phase(Task.AIR_TRANSPORT, phase)] == [
        "movement",
        "redeployment",
    ]
    segments = [*player_turn.segments]
    assert segments.index("sail_in_movement") < segments.index("carry_in_movement") < segments.index("combat")
    assert segments.index("carry_in_redeployment") > segments.index("redeployment")
    for phase in ("movement", "redeployment"):
        after = run(lift(ONE, phase=phase), air_transport, "airlift:rome:germany")
        assert after.turn.units["one"].at == (8, 0)


@pytest.mark.rule("18.545")
@pytest.mark.parametrize("unfit", [{"supply": "partial"}, {"supply": "none"}, {"oil": True}])
@pytest.mark.parametrize("end", ["rome", "tunis"])
def test_both_bases_are_operational(end: str, unfit: dict[str, Any]) -> None:
    from flagplot.awaw.turn.transport.airlift import transports_at

    state = lift(ONE, rome=unfit) if end == "rome" else lift(ONE, tunis=unfit)
    ready = {key for key, which in transports_at(state, Task.AIR_TRANSPORT).items() if passages(state, which)}
    assert ready == set()
    sound = lift(ONE)
    assert {key for key, which in transports_at(sound, Task.AIR_TRANSPORT).items() if passages(sound, which)}


@pytest.mark.rule("18.545")
def test_the_letter_of_it_asks_for_a_city_or_an_airbase_at_both_ends() -> None:
    harbour = {"cities": 0, "ports": 1}
    tunis = base("tunis", "red", (3, -7), **harbour)
    rome = base("rome", "red", (0, -6), "1 germany transport")
    malta = base("malta", "blue", (8, 0))
    for options, found in ((Options(), {"tunis": ["one"]}), (Options(ports_are_mission_bases=False), {})):
        assert able(turn(rome, tunis, malta, units=[ONE], options=options)) == found


@pytest.mark.rule("18.542", "18.545.1", "18.42A")
def test_each_factor_carries_one_unit_and_is_inverted_in_either_base() -> None:
    third = ground("three", "red", "germany", "rome")
    game = play(lift(ONE, TWO, third), air_transport)
    game.choose("airlift:rome:germany")
    assert offered(game) == ["board:one", "board:three", "board:two"], "at least one"
    game.choose("board:three")
    assert offered(game) == ["board:one", "board:two", "board:done"]
    game.choose("board:one")
    assert offered(game) == ["land:rome:germany:transport:factors:rome", "land:rome:germany:transport:factors:tunis"]
    game.choose("land:rome:germany:transport:factors:tunis")
    after: State = steer(game).state
    assert air_at(after, "rome") == {}
    assert air_at(after, "tunis") == {"germany transport inverted": 2}
    assert [after.turn.units[name].at for name in ("one", "two", "three")] == [(8, 0), (0, 0), (8, 0)]
    assert [entry.text for entry in game.log("blue") if "Arrived" in entry.text] == [
        "Arrived in Tunis by air: Three and One"
    ]
    stay = run(lift(ONE), air_transport, "airlift:rome:germany", "land:rome:germany:transport:factors:rome")
    assert air_at(stay, "rome") == {"germany transport": 1, "germany transport inverted": 1}


@pytest.mark.rule("18.542.1")
def test_transports_carry_units_of_their_alliance_faction() -> None:
    italian = ground("partner", "red", "italy", "rome")
    assert able(lift(italian)) == {"tunis": ["partner"]}
    apart = {"germany": "axis", "italy": "someone-else"}
    assert able(lift(italian, ONE, factions=apart)) == {"tunis": ["one"]}


@pytest.mark.rule("18.532.1", "18.542.1")
@pytest.mark.parametrize("together", [True, False])
def test_british_transports_serve_french_units_only_while_they_cooperate(together: bool) -> None:
    state = turn(
        base("paris", "blue", (0, 0), "1 britain transport"),
        base("lille", "blue", (3, 0)),
        base("rome", "red", (9, 9)),
        units=[ground("one", "blue", "france", "paris"), ground("two", "blue", "france", "lille", supply="none")],
    )
    hand_over(state, "blue")
    state.operation.plan = replace(state.operation.plan, cooperation=together)
    assert able(state, "paris") == ({"lille": ["one"]} if together else {})
    assert in_want(state, units_of(state, "paris", Arm.TRANSPORT)) == ({(3, 0): ["two"]} if together else {})


# --- air transport: who -----------------------------------------------------------------------------------------


@pytest.mark.rule("18.543", "18.544")
@pytest.mark.parametrize(
    ("kind", "factors", "fits"),
    [
        ("infantry", 1, True),
        ("infantry", 2, False),
        ("infantry", 3, False),
        ("airborne", 3, True),
        ("specialized", 2, True),
        ("armor", 1, False),
        ("replacement", 1, False),
        ("partisan", 1, False),
    ],
)
def test_one_factor_infantry_and_specialized_units_are_carried(kind: str, factors: int, fits: bool) -> None:
    state = lift(ground("one", "red", "germany", "rome", kind=kind, factors=factors))
    refusal = may_be_carried(state, state.turn.units["one"], "rome", "tunis")
    assert (refusal is None) is fits
    assert bool(able(state)) is fits
    assert fits or (refusal is not None and refusal.rule == "18.544")


@pytest.mark.rule("18.547C.1", "18.547C.2", "18.547C.3", "18.545")
@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({}, ""),
        ({"supply": Ration.NONE}, "18.547C"),
        ({"supply": Ration.LIMITED}, ""),
        ({"flown": "air"}, "18.547C"),
        ({"flown": "sea"}, "18.547C"),
        ({"aboard": "tf"}, "18.545"),
        ({"at": (1, 0)}, "18.545"),
    ],
)
def test_who_is_not_carried(changes: dict[str, Any], rule: str) -> None:
    state = lift(ONE)
    for name, value in changes.items():
        setattr(state.turn.units["one"], name, value)
    refusal = may_be_carried(state, state.turn.units["one"], "rome", "tunis")
    assert (refusal.rule if refusal else "") == rule
    assert bool(able(state)) is not bool(rule)


@pytest.mark.rule("18.547C.2")
def test_nobody_is_carried_twice_in_a_turn() -> None:
    state = lift(ONE, tunis={"air": [{"nation": "germany", "arm": "transport", "factors": 1}]})
    after = run(state, air_transport, "airlift:rome:germany")
    assert after.turn.units["one"].flown == "air"
    assert able(after, "tunis") == {}


@pytest.mark.rule("18.547C.2", "18.547C.3", "18.547C.4")
@pytest.mark.parametrize(("flown", "carried"), [("sea", True), ("air", False), ("airdrop", False), ("invasion", False)])
def test_in_the_redeployment_phase_who_was_sea_transported_in_the_movement_phase_is_carried(
    flown: str, carried: bool
) -> None:
    state = lift(ONE, phase="redeployment")
    state.turn.units["one"].flown = flown
    assert bool(able(state)) is carried


@pytest.mark.rule("18.547A", "18.547A.1", "18.547A.2")
@pytest.mark.parametrize("pacific", [False, True])
def test_movement_costs(pacific: bool) -> None:
    nation, home = ("japan", "truk") if pacific else ("germany", "rome")
    state = turn(
        base(home, "red", (0, 0), f"1 {nation} transport"),
        base("plain", "red", (4, 0)),
        base("jungle", "red", (4, 1), jungle=True),
        base("hill", "red", (4, 2)),
        base("x", "blue", (0, 5)),
        units=[
            ground("one", "red", nation, home),
            ground("british", "blue", "britain", "0,5"),
            ground("chindit", "blue", "britain", "0,5", kind="specialized", jungle=True),
        ],
        rough=["4,2"],
        pacific=pacific,
    )
    unit, british, chindit = (state.turn.units[name] for name in ("one", "british", "chindit"))
    assert movement_cost(state, unit, home, "plain") == 1
    assert movement_cost(state, unit, home, "") == 1, "wherever it is carried"
    assert movement_cost(state, unit, home, "hill") == 2
    assert movement_cost(state, unit, home, "jungle") == (1 if pacific else 2), "jungle is no matter to Japanese units"
    assert movement_cost(state, british, home, "jungle") == 2
    assert movement_cost(state, chindit, home, "jungle") == 1
    state.turn.units["foe"] = GroundUnit("blue", "britain", Kind.ARMOR, 1, (1, 0))
    assert movement_cost(state, unit, home, "plain") == (2 if pacific else 3)
    state.turn.units["foe"].kind = Kind.PARTISAN
    assert movement_cost(state, unit, home, "plain") == 1
    state.turn.step = "redeployment"
    assert movement_cost(state, unit, home, "hill") == 0


@pytest.mark.rule("18.547A.1", "18.142C")
@pytest.mark.parametrize(
    ("reading", "kinds"),
    [("armor", ["armor"]), ("all-units", ["infantry", "armor", "airborne", "specialized", "replacement"])],
)
def test_armor_has_a_zone_of_control_or_by_option_all_ground_units_but_partisans(
    reading: str, kinds: list[str]
) -> None:
    state = lift(ground("foe", "blue", "britain", "1,0"), options=Options(zones_of_control=reading))
    zones = []
    for kind in Kind:
        state.turn.units["foe"].kind = kind
        zones += [kind.value] * in_zone(state, "red", (0, 0))
    assert zones == kinds
    assert not in_zone(state, "blue", (0, 0))


@pytest.mark.rule("18.547A.3", "18.547A")
def test_a_unit_needs_the_movement_factors_and_keeps_the_rest() -> None:
    foe = ground("foe", "blue", "britain", "1,0", kind="armor")
    tired = lift(ground("one", "red", "germany", "rome", movement=2), foe)
    refusal = may_be_carried(tired, tired.turn.units["one"], "rome", "tunis")
    assert refusal is not None
    assert refusal.rule == "18.547A"
    assert able(tired) == {}
    tired.turn.units["one"].movement = 3
    assert may_be_carried(tired, tired.turn.units["one"], "rome", "tunis") is None
    after = run(
        lift(ground("one", "red", "germany", "rome", movement=4), foe),
        air_transport,
        "airlift:rome:germany",
    )
    assert after.turn.units["one"].movement == 1


@pytest.mark.rule("18.547B")
def test_any_number_of_units_is_carried_from_one_base_to_another() -> None:
    units = [ground(f"u{number}", "red", "germany", "rome") for number in range(5)]
    state = lift(*units, transports="5 germany transport")
    orders = [f"board:u{number}" for number in range(4)] + ["board:u4"]
    after = run(state, air_transport, "airlift:rome:germany", *orders)
    assert [unit.at for name, unit in after.turn.units.items() if name.startswith("u")] == [(8, 0)] * 5


# --- routes -----------------------------------------------------------------------------------------------------


def rome_to_tunis(**others: tuple[int, int]) -> State:
    """A transport in Rome, Tunis in its reach, and other bases of Red's that it may fly over."""
    return turn(
        base("rome", "red", (0, 0), "1 germany transport"),
        *(base(name, "red", at) for name, at in others.items()),
        base("tunis", "red", (5, 0)),
        base("malta", "blue", (9, 9)),
        units=[ONE],
    )


@pytest.mark.rule("18.48", "18.621")
def test_routes_go_straight_or_over_another_base_and_around_neutral_land() -> None:
    state = lift(ONE)
    assert air_path(state, (0, 0), (3, 0)) == ((0, 0), (1, 0), (2, 0), (3, 0))
    around = lift(ONE, neutral=["1,0"])
    path = air_path(around, (0, 0), (2, 0))
    assert (1, 0) not in path
    assert len(path) == 4
    ring = ["4,0", "3,1", "2,1", "2,0", "3,-1", "4,-1"]
    assert air_path(lift(ONE, neutral=ring), (0, 0), (3, 0)) == ()
    over = rome_to_tunis(bari=(2, 2), off=(0, 9))
    game = play(over, air_transport)
    game.choose("airlift:rome:germany")
    game.choose("airlift:rome:tunis")
    assert offered(game) == ["route:direct", "route:bari"]
    path = air_path(over, (0, 0), (5, 0), (2, 2))
    assert (path[0], path[-1], len(path)) == ((0, 0), (5, 0), 8)
    assert [distance(one, other) for one, other in pairwise(path)] == [1] * 7
    assert (2, 2) in path
    assert air_path(lift(ONE, neutral=ring), (0, 0), (3, 0), (1, 0)) == ()
    assert air_path(lift(ONE, neutral=ring), (3, 0), (0, 0), (1, 0)) == ()


@pytest.mark.rule("18.621", "18.541", "18.533")
def test_a_route_over_another_base_is_no_longer_than_transports_fly() -> None:
    state = rome_to_tunis(eight=(1, 3), nine=(0, 4))
    lengths = [len(air_path(state, (0, 0), (5, 0), state.place(base).at)) - 1 for base in ("eight", "nine")]
    assert lengths == [8, 9]
    game = play(state, air_transport)
    game.choose("airlift:rome:germany")
    game.choose("airlift:rome:tunis")
    assert offered(game) == ["route:direct", "route:eight"]


@pytest.mark.rule("18.621")
def test_routes_never_leave_the_map() -> None:
    state = lift(ONE)
    board = state.operation.plan.board
    edge, end = (20, -9), (17, -3)
    assert edge in board
    path = air_path(state, edge, end)
    assert len(path) == 7
    assert all([at in board for at in path])


# --- interception and what it does to those aboard --------------------------------------------------------------

MEET = "intercept:4,0"
FIRE = "attack:malta:britain:army:factors:1"


@pytest.mark.rule("18.546", "18.621B", "18.623.3", "18.624")
@pytest.mark.parametrize(
    ("roll", "arrives", "lives", "transports"),
    [
        (MISSED, True, True, {"germany transport inverted": 1}),
        (DRIVEN, False, True, {"germany transport inverted": 1}),
        (SHOT, False, False, {}),
    ],
)
def test_an_intercepted_transport_arrives_turns_back_or_is_lost(
    roll: tuple[int, int], arrives: bool, lives: bool, transports: dict[str, int]
) -> None:
    state = lift(ONE, transports="1 germany transport", fighter=True)
    after = run(state, air_transport, "airlift:rome:germany", MEET, FIRE, dice=[roll])
    assert ("one" in after.turn.units) is lives
    if lives:
        assert after.turn.units["one"].at == ((8, 0) if arrives else (0, 0))
        assert after.turn.units["one"].flown == ("air" if arrives else "")
    assert air_at(after, "rome") == transports
    assert after.losses.air.get("germany/transport/factors", 0) == (not lives)


@pytest.mark.rule("18.624", "18.623.3")
def test_of_several_units_the_owner_says_who_is_lost_and_who_returns() -> None:
    """Row 1, a 10: one eliminated and one aborted, of two transports."""
    state = lift(ONE, TWO, fighter=True)
    orders = ["airlift:rome:germany", "board:one", "board:two", MEET, FIRE, "lost:two"]
    after = run(state, air_transport, *orders, dice=[(5, 3)])
    assert set(after.turn.units) == {"one"}
    assert after.turn.units["one"].at == (0, 0)
    assert air_at(after, "rome") == {"germany transport inverted": 1}


# --- air supply -------------------------------------------------------------------------------------------------


def hungry(*more: dict[str, Any], at: str = "4,0", fighter: bool = False, **others: Any) -> State:
    starving = ground("one", "red", "germany", at, supply="none")
    return lift(starving, *more, fighter=fighter, **others)


@pytest.mark.rule("18.532", "18.533", "18.42A")
def test_each_factor_brings_one_unit_limited_supply() -> None:
    second = ground("two", "red", "germany", "4,0", supply="none")
    third = ground("three", "red", "germany", "4,0", supply="none")
    game = play(hungry(second, third), air_supply)
    game.choose("fly-supply:rome:germany")
    game.choose("supply:three")
    game.choose("supply:one")
    after: State = steer(game).state
    assert {name: unit.supply for name, unit in after.turn.units.items()} == {
        "one": Ration.LIMITED,
        "two": Ration.NONE,
        "three": Ration.LIMITED,
    }
    assert after.turn.supplied == ["three", "one"]
    assert air_at(after, "rome") == {"germany transport inverted": 2}


@pytest.mark.rule("18.533")
def test_units_within_operational_range_are_supplied() -> None:
    def found(state: State, home: str = "rome") -> list[str]:
        return [name for names in in_want(state, units_of(state, home, Arm.TRANSPORT)).values() for name in names]

    assert found(hungry()) == ["one"]
    assert found(hungry(at="5,0")) == []
    for at, names in (("3,0", ["one"]), ("4,0", [])):
        state = turn(
            base("truk", "red", (0, 0), "1 japan transport"),
            base("x", "blue", (0, 5)),
            units=[ground("one", "red", "japan", at, supply="none")],
            pacific=True,
        )
        assert found(state, "truk") == names


@pytest.mark.rule("18.49")
def test_no_supply_is_flown_and_nobody_dropped_into_a_mapboard_box() -> None:
    jumper = ground("jump", "red", "germany", "rome", kind="airborne")
    state = turn(
        base("rome", "red", (0, 0), "1 germany transport"),
        base("box", "red", (2, 0), box=True, cities=0),
        base("urals", "blue", (1, 0), box=True, cities=0),
        units=[jumper, ground("far", "red", "germany", "box", supply="none"), ground("foe", "blue", "russia", "urals")],
    )
    which = units_of(state, "rome", Arm.TRANSPORT)
    assert in_want(state, which) == {}
    assert drop_zones(state, which) == []


@pytest.mark.rule("18.531", "18.533", "18.511D")
def test_from_fully_supplied_bases_in_the_movement_phase_after_supply_by_sea() -> None:
    assert [phase for phase in ("movement", "combat", "redeployment") if not in_phase(Task.AIR_SUPPLY, phase)] == [
        "movement"
    ]
    segments = [*player_turn.segments]
    assert segments.index("sail_in_movement") < segments.index("supply_by_air") < segments.index("combat")
    assert offered(play(hungry(), air_supply))[0] == "fly-supply:rome:germany"
    for unfit in ({"supply": "partial"}, {"oil": True}):
        assert play(hungry(rome=unfit), air_supply).pending is None


@pytest.mark.rule("18.532", "18.532.1")
def test_who_is_in_supply_or_of_another_faction_gets_none() -> None:
    assert play(lift(ground("one", "red", "germany", "4,0")), air_supply).pending is None
    assert play(lift(ground("one", "red", "germany", "4,0", supply="limited")), air_supply).pending is None
    italian = ground("one", "red", "italy", "4,0", supply="none")
    assert play(lift(italian), air_supply).pending is not None
    assert play(lift(italian, factions={"italy": "someone-else"}), air_supply).pending is None


@pytest.mark.rule("18.534", "18.621A", "18.623.3")
def test_intercepted_supply_does_not_arrive_and_the_owner_says_for_whom() -> None:
    state = hungry(ground("two", "red", "germany", "4,0", supply="none"), fighter=True)
    orders = ["fly-supply:rome:germany", "supply:one", "supply:two", MEET, FIRE]
    after = run(state, air_supply, *orders, "unsupplied:one", dice=[DRIVEN])
    assert after.turn.units["one"].supply is Ration.NONE
    assert after.turn.units["two"].supply is Ration.LIMITED
    assert air_at(after, "rome") == {"germany transport inverted": 2}


@pytest.mark.rule("18.532")
def test_supply_that_was_flown_in_lasts_until_the_next_player_turn_of_its_side() -> None:
    one = ground("one", "red", "germany", "4,0", supply="none")
    state: Any = lift(one, turns=["red", "blue"], phases=["movement"])
    for side, orders, supply in (
        ("red", ["fly-supply:rome:germany"], Ration.LIMITED),
        ("blue", [], Ration.LIMITED),
        ("red", [], Ration.NONE),
        ("red", ["uninvert:all", "fly-supply:rome:germany"], Ration.LIMITED),
    ):
        hand_over(state, side)
        state = steer(play(state, player_turn), *orders).state
        assert state.turn.units["one"].supply is supply


# --- the Hump ---------------------------------------------------------------------------------------------------


def over_the_hump(brps: int = 12, **more: Any) -> State:
    india = {key: more.pop(key) for key in ("supply",) if key in more}
    china = more.pop("china", {})
    state = turn(
        base("assam", "blue", (0, 0), "3 united-states transport", "1 britain army", **india),
        base("kunming", "blue", (4, 0), **china),
        base("burma", "red", (2, 2), "1 japan army"),
        pacific=True,
        hump=["assam", "kunming"],
        brps={"united-states": brps, "china": 0},
        **more,
    )
    hand_over(state, "blue")
    return state


@pytest.mark.rule("18.511E", "18.512G")
def test_transports_fly_brps_to_china_and_that_costs_nothing_else() -> None:
    assert [phase for phase in ("movement", "combat", "redeployment") if not in_phase(Task.HUMP, phase)] == [
        "movement",
        "combat",
    ]
    for phase, rule in (("movement", "18.511E"), ("combat", "18.512G")):
        game = play(over_the_hump(phase=phase), hump)
        assert isinstance(game.pending, Choose)
        assert game.pending.options[0].rule == rule
        assert offered(game) == [f"hump:united-states:{number}" for number in range(3)], "12 BRPs are two loads of five"
        after: State = steer(game, "hump:united-states:2").state
        assert after.turn.brps == {"united-states": 2, "china": 10}
        assert after.turn.granted == {"united-states": 10}
        assert air_at(after, "assam")["united-states transport inverted"] == 2


@pytest.mark.rule("18.511E")
def test_both_ends_are_held_and_operational_and_it_is_chinas_turn() -> None:
    assert play(over_the_hump(), hump).pending is not None
    assert play(over_the_hump(supply="partial"), hump).pending is None
    assert play(over_the_hump(china={"oil": True}), hump).pending is None
    assert play(over_the_hump(brps=4), hump).pending is None
    enemy = over_the_hump()
    hand_over(enemy, "red")
    assert play(enemy, hump).pending is None
    assert not route_is_open(turn(base("assam", "red", (0, 0)), pacific=True)), "there is no Hump"
    without = over_the_hump()
    nations = {side: tuple(n for n in members if n != "china") for side, members in without.setting.nations.items()}
    without.setting = replace(without.setting, nations=nations)
    assert not route_is_open(without)


@pytest.mark.rule("18.511E", "18.512G")
def test_only_transports_at_this_end_of_the_hump_fly_and_china_may_begin_with_nothing() -> None:
    state = over_the_hump()
    state.sites["kunming"].air = {units_of(state, "assam", Arm.TRANSPORT).based("kunming", 0): 1}
    del state.turn.brps["china"]
    after: State = steer(play(state, hump), "hump:united-states:1").state
    assert after.turn.brps == {"united-states": 7, "china": 5}
    state.sites["assam"].air = {}
    assert play(state, hump).pending is None, "those at the other end do not"


@pytest.mark.rule("18.621D", "18.623.3")
def test_what_is_intercepted_over_the_hump_stays_with_its_owner() -> None:
    with Scripted(("Red: air combat", *DRIVEN)) as dice:
        game = play(over_the_hump(), hump, dice=dice)
        orders = ["hump:united-states:2", "intercept:2,0", "attack:burma:japan:army:factors:1"]
        after: State = steer(game, *orders).state
    assert after.turn.brps == {"united-states": 7, "china": 5}


# --- airdrops ---------------------------------------------------------------------------------------------------


def paras(*more: dict[str, Any], **others: Any) -> State:
    jump = ground("jump", "red", "germany", "rome", kind="airborne", factors=2)
    crete = base("crete", "blue", (3, 0), *others.pop("air", ()))
    cairo = base("cairo", "blue", (5, 0))
    return turn(
        base("rome", "red", (0, 0), "1 germany transport"),
        crete,
        cairo,
        units=[jump, *more],
        phase=others.pop("phase", "combat"),
        **others,
    )


@pytest.mark.rule("18.512C")
def test_airborne_units_take_an_empty_base_in_range_in_the_combat_phase() -> None:
    state = paras()
    which = units_of(state, "rome", Arm.TRANSPORT)
    assert drop_zones(state, which) == [(3, 0)]
    after = run(state, airdrops, "airdrop:rome:germany")
    assert after.turn.units["jump"].at == (3, 0)
    assert after.place("crete").side == "red"
    assert air_at(after, "rome") == {"germany transport inverted": 1}
    assert play(paras(phase="movement"), airdrops).pending is None
    state.turn.units["jump"].at = (1, 0)
    assert play(state, airdrops).pending is None  # a place to drop them on, but nobody to drop


@pytest.mark.rule("18.547C.4", "18.512C")
@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({}, ""),
        ({"flown": "air"}, "18.547C"),
        ({"supply": Ration.NONE}, "18.547C"),
        ({"kind": Kind.INFANTRY}, "18.512C"),
        ({"at": (1, 0)}, "18.512C"),
    ],
)
def test_who_may_be_dropped(changes: dict[str, Any], rule: str) -> None:
    state = paras()
    for name, value in changes.items():
        setattr(state.turn.units["jump"], name, value)
    refusal = may_be_dropped(state, state.turn.units["jump"], "rome")
    assert (refusal.rule if refusal else "") == rule
    assert bool(jumpers(state, units_of(state, "rome", Arm.TRANSPORT))) is not bool(rule)


@pytest.mark.rule("18.251", "18.512C")
def test_on_ground_units_they_attack_with_others_or_alone_and_air_stays_in_its_base() -> None:
    state = paras(ground("foe", "blue", "britain", "crete"), air=["1 britain army"])
    alone = run(state, airdrops, "airdrop:rome:germany")
    assert [(attack.kind, attack.units) for attack in alone.turn.attacks] == [("airdrop", ["jump"])]
    assert alone.place("crete").side == "blue"
    assert air_at(alone, "crete") == {"britain army": 1}
    state.turn.attacks = [GroundAttack(((3, 0),), ["other"])]
    together = run(state, airdrops, "airdrop:rome:germany")
    assert [(attack.kind, attack.units) for attack in together.turn.attacks] == [("regular", ["other", "jump"])]
    lost = run(alone, flights_home)
    assert "jump" not in lost.turn.units, "who could not take the hex is lost"


@pytest.mark.rule("18.621C", "18.624")
@pytest.mark.parametrize(("roll", "lives"), [(DRIVEN, True), (SHOT, False)])
def test_intercepted_airborne_units_return_or_are_lost(roll: tuple[int, int], lives: bool) -> None:
    state = paras(air=["1 britain army"])
    state.turn.attacks = [GroundAttack(((3, 0),), ["other"]), GroundAttack(((5, 0),), ["other"])]
    state.turn.attacks += [GroundAttack(((3, 0),), ["other"], done=True)]
    orders = ["airdrop:rome:germany", "intercept:3,0", "attack:crete:britain:army:factors:1"]
    after = run(state, airdrops, *orders, dice=[roll])
    assert ("jump" in after.turn.units) is lives
    assert [attack.driven_off for attack in after.turn.attacks] == [2, 0, 0], "the attack that they were to join"
    assert after.place("crete").side == "blue"
    if lives:
        assert after.turn.units["jump"].at == (0, 0)
