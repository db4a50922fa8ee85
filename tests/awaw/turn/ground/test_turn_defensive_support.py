"""Defensive air support (18.61): who flies it, what it counts, its limits, and how long it stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from flagplot.awaw.air_units import Arm, Force, Role, unit
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import exploitation, ground_combat, ground_support, overruns
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import FlightKind, GroundAttack
from flagplot.awaw.turn.ground.defensive_support import (
    able_to_defend,
    hexes_to_support,
    is_deferred,
    is_frozen,
    merged_support,
)
from flagplot.awaw.turn.ground.strengths import defence_ledger, defensive_ledger, defensive_limit, is_low
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.kernel.game import Game
from tests.awaw.scenes import amounts
from tests.awaw.turn.moves import offered, play, steer
from tests.awaw.turn.turns import air_at, base, ground, small_force, turn

ARMY = "oslo:britain:army:factors"
NAVAL = "oslo:britain:naval:squadrons"


def front(*air: str, phase: str = "combat", bergen: tuple[str, ...] = (), **more: Any) -> State:
    """Three German factors beside Oslo, which a British unit of one factor and some air hold."""
    units = more.pop(
        "units",
        [ground("anton", "red", "germany", "2,0", factors=3, kind="armor"), ground("mons", "blue", "britain", "oslo")],
    )
    place = more.pop("oslo", {})
    return turn(
        base("kiel", "red", (0, 0), *more.pop("kiel", ())),
        base("oslo", "blue", (3, 0), *air, **place),
        base("bergen", "blue", more.pop("bergen_at", (8, 0)), *bergen),
        units=units,
        phase=phase,
        **more,
    )


def attacked(state: State) -> State:
    """The state after an attack on Oslo was announced."""
    announced: State = steer(play(state, ground_support), "attack:3,0").state
    return announced


def told(game: Game[Any]) -> list[str]:
    """What Blue's air does, as everybody hears it."""
    texts = [entry.text for entry in game.log("red")]
    return [text for text in texts if text.startswith("Blue: defensive air support") or "in the ground combat" in text]


def choose(game: Game[Any], *texts: str) -> Game[Any]:
    for text in texts:
        game.choose(text)
    return game


def force(number: int, arm: Arm = Arm.ARMY) -> Force:
    role = Role.SQUADRONS if arm is Arm.NAVAL else Role.FACTORS
    return {unit("britain", arm, 2, 4, "oslo", role, False): number}


# --- what it counts ---------------------------------------------------------------------------------------------


@pytest.mark.rule("18.611B", "18.612")
def test_against_ground_attacks_a_factor_adds_one_and_three_squadrons_add_one() -> None:
    assert defensive_ledger(force(3), invasion=False).total == 3
    assert [defensive_ledger(force(n, Arm.NAVAL), invasion=False).total for n in (2, 3, 5)] == [0, 1, 1]
    both = force(1) | force(3, Arm.NAVAL)
    assert amounts(defensive_ledger(both, invasion=False)) == [(1, "18.611B"), (1, "18.612")]


@pytest.mark.rule("18.611C", "18.612")
def test_against_invasions_a_factor_adds_three_and_a_squadron_one() -> None:
    assert defensive_ledger(force(3), invasion=True).total == 9
    assert defensive_ledger(force(2, Arm.NAVAL), invasion=True).total == 2
    both = force(1) | force(2, Arm.NAVAL)
    assert amounts(defensive_ledger(both, invasion=True)) == [(3, "18.611C"), (2, "18.611C")]


@pytest.mark.rule("18.611A", "18.615")
def test_terrain_multiplies_the_ground_units_and_not_their_air() -> None:
    state = front("2 britain army")
    state.turn.units["mons"].strength = 3
    attack = GroundAttack(((3, 0),), ["anton"])
    assert defence_ledger(state, attack, force(2)).total == 5
    assert defence_ledger(state, GroundAttack(((3, 0),), ["anton"], "invasion"), force(2)).total == 9


@pytest.mark.rule("18.611D.2")
@pytest.mark.parametrize(
    ("reading", "able"),
    [("own-faction", ["britain", "united-states"]), ("any-ally", ["britain", "russia", "united-states"])],
)
def test_air_supports_units_of_its_alliance_faction_or_by_option_of_all_allies(reading: str, able: list[str]) -> None:
    air = [f"1 {nation} army" for nation in ("britain", "russia", "united-states", "france")]
    state = attacked(front(*air, options=Options(allied_air_support=reading)))
    state.operation.plan = replace(state.operation.plan, cooperation=False)
    game = choose(play(state, ground_combat), "defend:3,0")
    asked = []
    while offered(game)[0].startswith("das:"):
        asked.append(offered(game)[0].split(":")[3])
        game.choose(offered(game)[0])
    assert sorted(asked) == able


# --- who flies it -----------------------------------------------------------------------------------------------


@pytest.mark.rule("18.611", "18.612", "18.6141.1", "17.531")
def test_army_air_and_land_based_naval_air_give_it_and_jets_escort_it() -> None:
    state = front(
        "1 britain army", "2 britain naval", "1 britain jet", "1 britain army inverted",
        research={"britain": {"jets": 12}}, oslo={"airbases": 1},
    )  # fmt: skip
    able = able_to_defend(state, (3, 0), Task.FLY_DAS)
    assert {(which.arm, number) for which, number in able.items()} == {(Arm.ARMY, 1), (Arm.NAVAL, 2)}
    assert {which.arm for which in able_to_defend(state, (3, 0), Task.ESCORT_DAS)} == {Arm.JET}


@pytest.mark.rule("18.613")
def test_by_option_army_air_alone_flies_against_overruns_and_exploitation() -> None:
    for reading, arms in (("all-air", {Arm.ARMY, Arm.NAVAL}), ("army-air", {Arm.ARMY})):
        state = front("1 britain army", "2 britain naval", options=Options(late_air_support=reading))
        assert {which.arm for which in able_to_defend(state, (3, 0), Task.FLY_DAS)} == {Arm.ARMY, Arm.NAVAL}
        for phase in ("movement", "exploitation"):
            state.turn.step = phase
            assert {which.arm for which in able_to_defend(state, (3, 0), Task.FLY_DAS)} == arms


@pytest.mark.rule("18.612")
def test_squadrons_of_carriers_give_none() -> None:
    ships = {"nation": "britain", "named": ["ark-royal"], "destroyers": 4}
    fleet = small_force("cv", "blue", "oslo", ships, squadrons=2, patrol="3,-8")
    state = turn(
        base("oslo", "blue", (3, -7), "1 britain naval", ports=1),
        units=[ground("mons", "blue", "britain", "oslo")],
        forces=[fleet],
        phase="combat",
    )
    assert sum(able_to_defend(state, (3, -7), Task.FLY_DAS).values()) == 1


@pytest.mark.rule("18.611D.1", "18.45.3")
@pytest.mark.parametrize("bad", [{"supply": "partial"}, {"oil": True}, {"winter": 9}])
def test_some_bases_support_their_own_hex_alone(bad: dict[str, Any]) -> None:
    state = front("2 britain army", oslo=bad)
    state.turn.units["mons"].at = (4, 0)
    assert able_to_defend(state, (4, 0), Task.FLY_DAS) == {}
    state.turn.units["mons"].at = (3, 0)
    assert sum(able_to_defend(state, (3, 0), Task.FLY_DAS).values()) == 2


@pytest.mark.rule("18.611D.1")
def test_over_a_hex_in_the_worst_winter_flies_who_is_based_there() -> None:
    state = front("2 britain army", bergen=("1 britain army",), bergen_at=(6, 0), winter=["oslo"])
    assert {which.home for which in able_to_defend(state, (3, 0), Task.FLY_DAS)} == {"oslo"}
    mild = front("2 britain army", bergen=("1 britain army",), bergen_at=(6, 0))
    assert {which.home for which in able_to_defend(mild, (3, 0), Task.FLY_DAS)} == {"oslo", "bergen"}


@pytest.mark.rule("18.611D.1")
def test_the_worst_winter_is_a_result_of_9_in_the_hex_itself() -> None:
    frozen = {winter: is_frozen(front(oslo={"winter": winter}), (3, 0)) for winter in (0, 8, 9)}
    assert frozen == {0: False, 8: False, 9: True}
    state = front(oslo={"winter": 9})
    assert not is_frozen(state, (8, 0))  # Bergen
    assert not is_frozen(state, (4, 0))  # nothing is there
    assert is_frozen(front(winter=["4,0"]), (4, 0))


@pytest.mark.rule("18.611", "18.612")
def test_where_several_nations_stand_it_is_enough_that_air_may_support_one_of_them() -> None:
    state = front("2 britain army")
    state.turn.units["kursk"] = replace(state.turn.units["mons"], nation="russia")
    assert sum(able_to_defend(state, (3, 0), Task.FLY_DAS).values()) == 2


@pytest.mark.rule("18.611D.3", "18.614A")
def test_partisans_get_none_and_do_not_count() -> None:
    units = [
        ground("anton", "red", "germany", "2,0", factors=3),
        ground("maquis", "blue", "france", "oslo", kind="partisan"),
    ]
    state = front("2 britain army", units=units)
    assert hexes_to_support(state) == []
    assert defensive_limit(state, (3, 0)) == 0
    state.turn.units["mons"] = front().turn.units["mons"]
    assert hexes_to_support(state) == [(3, 0)]
    assert defensive_limit(state, (3, 0)) == 9


@pytest.mark.rule("18.611")
def test_it_may_fly_where_no_attack_is_announced() -> None:
    units = [
        ground("anton", "red", "germany", "2,0", factors=3),
        ground("mons", "blue", "britain", "oslo"),
        ground("ypres", "blue", "britain", "6,0"),
    ]
    game = play(attacked(front("2 britain army", units=units)), ground_combat)
    assert offered(game) == ["defend:3,0", "defend:6,0", "defend:done"]


# --- limits -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.614A", "18.614C", "18.614C.1", "18.614C.2", "18.614C.3")
def test_more_may_be_sent_than_counts_and_the_excess_is_neither_used_nor_touched() -> None:
    game = play(attacked(front("5 britain army")), ground_combat)
    game.choose("defend:3,0")
    assert offered(game) == [f"das:3,0:{ARMY}:{number}" for number in range(6)]
    choose(game, f"das:3,0:{ARMY}:5", "fight:3,0", "go:3,0:all")
    assert offered(game) == [f"use:3,0:{ARMY}:{number}" for number in range(4)]  # three for one ground factor
    game.choose(f"use:3,0:{ARMY}:3")
    assert "3 against 4" in str(game.pending)
    assert told(game) == [
        "Blue: defensive air support over hex 3,0: 5 British army air factors",
        "Blue: 3 British army air factors in the ground combat, worth 3 factors",
    ]
    choose(game, "attacker-loses:3,0:0", "defender-loses:3,0:4")
    steer(game)
    assert air_at(game.state, "oslo") == {"britain army inverted": 2}
    assert "mons" not in game.state.turn.units


@pytest.mark.rule("18.614B")
def test_the_limit_is_that_of_the_start_of_the_combat() -> None:
    game = play(attacked(front("3 britain army")), ground_combat)
    choose(game, "defend:3,0", f"das:3,0:{ARMY}:3", "fight:3,0", "go:3,0:all", f"use:3,0:{ARMY}:3")
    choose(game, "attacker-loses:3,0:0", "defender-loses:3,0:1", f"lose:{ARMY}:0")
    assert "mons" not in game.state.turn.units
    steer(game)
    assert air_at(game.state, "oslo") == {"britain army inverted": 3}


@pytest.mark.rule("18.6141", "18.6141.1")
def test_jets_escort_it_outside_the_limit_and_are_not_touched_by_the_result() -> None:
    state = front("3 britain army", "2 britain jet", research={"britain": {"jets": 12}}, kiel=("1 germany army",))
    game = play(attacked(state), ground_combat)
    choose(game, "defend:3,0", f"das:3,0:{ARMY}:3")
    assert offered(game) == [f"escort:3,0:oslo:britain:jet:factors:{number}" for number in range(3)]
    game.choose("escort:3,0:oslo:britain:jet:factors:2")
    choose(game, "intercept:3,0:kiel:germany:army:factors:0", "fight:3,0", "go:3,0:all")
    assert offered(game)[-1] == f"use:3,0:{ARMY}:3"
    game.choose(f"use:3,0:{ARMY}:3")
    assert "3 against 4" in str(game.pending)
    steer(choose(game, "attacker-loses:3,0:0", "defender-loses:3,0:4"))
    assert air_at(game.state, "oslo") == {"britain jet inverted": 2}


@pytest.mark.rule("18.6141")
def test_without_support_there_is_nothing_to_escort() -> None:
    state = front("1 britain army", "2 britain jet", research={"britain": {"jets": 12}})
    game = play(attacked(state), ground_combat)
    choose(game, "defend:3,0", f"das:3,0:{ARMY}:0")
    assert offered(game)[0].startswith("fight")
    assert not game.state.turn.flights
    assert told(game) == []


# --- losses -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.616")
def test_the_defender_takes_losses_from_air_or_ground_units_as_he_likes() -> None:
    state = attacked(front("2 britain army"))
    to = ("defend:3,0", f"das:3,0:{ARMY}:2", "fight:3,0", "go:3,0:all", f"use:3,0:{ARMY}:2", "attacker-loses:3,0:0")
    game = choose(play(state, ground_combat), *to, "defender-loses:3,0:2")
    assert offered(game) == [f"lose:{ARMY}:1", f"lose:{ARMY}:2"]
    game.choose(f"lose:{ARMY}:2")
    assert "mons" in game.state.turn.units
    assert game.state.losses.air == {"britain/army/factors": 2}


@pytest.mark.rule("18.617")
def test_air_that_sits_in_the_base_is_not_touched_and_is_displaced_when_the_hex_is_taken() -> None:
    game = play(attacked(front("3 britain army")), ground_combat)
    choose(game, "defend:3,0", f"das:3,0:{ARMY}:1", "fight:3,0", "go:3,0:all", f"use:3,0:{ARMY}:1")
    choose(game, "attacker-loses:3,0:0", "defender-loses:3,0:2")
    assert game.state.losses.air == {"britain/army/factors": 1}
    steer(game, "advance:3,0:anton")
    assert game.state.place("oslo").side == "red"
    assert air_at(game.state, "bergen") == {"britain army inverted": 2}
    assert game.state.turn.units["anton"].at == (3, 0)


@pytest.mark.rule("18.617", "18.25.4")
def test_support_whose_base_was_taken_meanwhile_waits_for_the_end_of_the_phase() -> None:
    game = play(attacked(front("3 britain army")), ground_combat)
    choose(game, "defend:3,0", f"das:3,0:{ARMY}:2", "fight:3,0", "go:3,0:all", f"use:3,0:{ARMY}:1")
    steer(choose(game, "attacker-loses:3,0:0", "defender-loses:3,0:2"), "advance:3,0:anton")
    assert air_at(game.state, "bergen") == {"britain army inverted": 1}, "who was at home is displaced at once"
    assert [(entry.number, entry.rule) for entry in game.state.turn.absent] == [(1, "18.618")]
    assert not game.state.turn.flights


# --- how long it stays ------------------------------------------------------------------------------------------


@pytest.mark.rule("18.618.1", "18.618")
def test_it_has_flown_its_mission_even_if_nobody_attacks() -> None:
    game = play(attacked(front("2 britain army")), ground_combat)
    steer(choose(game, "defend:3,0", f"das:3,0:{ARMY}:1"), "remain:3,0:return")
    assert air_at(game.state, "oslo") == {"britain army": 1, "britain army inverted": 1}
    assert game.state.turn.down[0].rule == "18.618"


@pytest.mark.rule("18.611A.1", "18.613.2", "18.618", "18.42A")
def test_what_was_not_used_in_regular_combat_may_stay_for_exploitation() -> None:
    game = play(attacked(front("3 britain army")), ground_combat)
    choose(game, "defend:3,0", f"das:3,0:{ARMY}:3", "fight:3,0", "go:3,0:all")
    assert offered(game) == [f"use:3,0:{ARMY}:{number}" for number in range(4)]
    choose(game, f"use:3,0:{ARMY}:1", "attacker-loses:3,0:0", "defender-loses:3,0:0")
    assert air_at(game.state, "oslo") == {"britain army inverted": 1}  # who was used is home
    steer(game, "remain:3,0:stay")
    assert [sum(flight.air.values()) for flight in game.state.turn.flights] == [2]
    state = game.state
    state.turn.step = "exploitation"
    game = play(state, exploitation)
    choose(game, "exploit:3,0", "fight:3,0", "go:3,0:all")
    assert offered(game)[-1] == f"use:3,0:{ARMY}:2"
    steer(game)
    assert air_at(game.state, "oslo") == {"britain army inverted": 3}


@pytest.mark.rule("18.611A.1")
def test_some_of_each_kind_may_be_used() -> None:
    state = front("3 britain army", "5 britain naval")
    state.turn.units["mons"].factors = 2
    game = play(attacked(state), ground_combat)
    choose(game, "defend:3,0", f"das:3,0:{ARMY}:3", f"das:3,0:{NAVAL}:5", "fight:3,0", "go:3,0:all")
    choose(game, f"use:3,0:{ARMY}:1", f"use:3,0:{NAVAL}:3")
    flown = [(flight.spent, list(flight.air.values())) for flight in game.state.turn.flights]
    assert flown == [(False, [2, 2]), (True, [1, 3])]
    assert "3 against 4" in str(game.pending)


@pytest.mark.rule("18.613.2", "18.618")
def test_it_returns_if_there_is_no_exploitation_or_nobody_left_to_support() -> None:
    game = play(attacked(front("3 britain army", phases=["combat"])), ground_combat)
    choose(game, "defend:3,0", f"das:3,0:{ARMY}:3")
    steer(game)
    assert not game.state.turn.flights
    game = play(attacked(front("3 britain army")), ground_combat)
    choose(game, "defend:3,0", f"das:3,0:{ARMY}:2", "fight:3,0", "go:3,0:all", f"use:3,0:{ARMY}:0")
    choose(game, "attacker-loses:3,0:0", "defender-loses:3,0:1", "advance:3,0:none")
    assert game.pending is None
    assert not game.state.turn.flights


@pytest.mark.rule("18.613", "18.618")
def test_air_that_has_not_flown_may_be_sent_in_exploitation() -> None:
    state = front("3 britain army", "1 britain army inverted", phase="exploitation")
    game = play(state, exploitation)
    choose(game, "exploit:3,0", "defend:3,0")
    assert offered(game)[-1] == f"das:3,0:{ARMY}:3"


@pytest.mark.rule("18.613", "18.613.1", "18.611")
def test_support_against_an_overrun_stays_for_regular_combat_if_it_prevents_it() -> None:
    game = play(front("3 britain army", phase="movement"), overruns)
    choose(game, "overrun:3,0", "defend:3,0", f"das:3,0:{ARMY}:2", "go:3,0:all")
    assert "3 against 3" in str(game.pending)
    steer(choose(game, "result:3,0:prevented"))
    assert [flight.kind for flight in game.state.turn.flights] == [FlightKind.DEFENSIVE_SUPPORT]
    state = game.state
    state.turn.step = "combat"
    game = play(attacked(state), ground_combat)
    choose(game, "defend:done", "fight:3,0", "go:3,0:all")
    assert offered(game)[-1] == f"use:3,0:{ARMY}:2"


@pytest.mark.rule("18.613", "18.616")
def test_an_overrun_that_succeeds_takes_the_hex_and_what_is_left_of_the_air_returns() -> None:
    game = play(front("3 britain army", phase="movement"), overruns)
    choose(game, "overrun:3,0", "defend:3,0", f"das:3,0:{ARMY}:3", "go:3,0:all", "result:3,0:overrun")
    choose(game, f"use:3,0:{ARMY}:3")
    assert offered(game) == [f"air-lost:3,0:{number}" for number in range(4)]
    steer(game, "air-lost:3,0:2")
    assert list(game.state.turn.units) == ["anton"]
    assert game.state.place("oslo").side == "red"
    assert air_at(game.state, "bergen") == {"britain army inverted": 1}
    assert game.state.losses.air == {"britain/army/factors": 2}


def two_fronts(phase: str, **more: Any) -> State:
    """Germans beside Oslo and beside Bergen, which has one factor of air as Oslo has."""
    units = [
        ground("anton", "red", "germany", "2,0", factors=3, kind="armor"),
        ground("berta", "red", "germany", "7,0", factors=3, kind="armor"),
        ground("mons", "blue", "britain", "oslo"),
        ground("tours", "blue", "britain", "bergen"),
    ]
    return front("1 britain army", phase=phase, bergen=("1 britain army",), units=units, **more)


@pytest.mark.rule("18.613", "18.616")
def test_one_overrun_after_the_other_leaves_the_support_of_the_first_where_it_is() -> None:
    game = play(two_fronts("movement"), overruns)
    choose(game, "overrun:3,0", "defend:3,0", f"das:3,0:{ARMY}:1")
    choose(game, "go:3,0:all", "result:3,0:prevented")
    choose(game, "overrun:8,0", "defend:done", "go:8,0:all", "result:8,0:overrun")
    steer(game)
    assert [(flight.at, sum(flight.air.values())) for flight in game.state.turn.flights] == [((3, 0), 1)]
    assert (game.state.place("oslo").side, game.state.place("bergen").side) == ("blue", "red")


@pytest.mark.rule("18.613.2", "18.618", "18.618.1")
def test_support_stays_in_one_hex_and_returns_from_another() -> None:
    game = play(two_fronts("combat"), ground_combat)
    choose(game, "defend:3,0", f"das:3,0:{ARMY}:1", "defend:8,0")
    steer(game, "das:8,0:bergen:britain:army:factors:1", "remain:3,0:stay", "remain:8,0:return")
    assert [(flight.at, sum(flight.air.values())) for flight in game.state.turn.flights] == [((3, 0), 1)]
    assert air_at(game.state, "bergen") == {"britain army inverted": 1}


# --- attacks at low odds ----------------------------------------------------------------------------------------


def outnumbered(**more: Any) -> State:
    state = front("2 britain army", "1 britain army inverted", **more)
    state.turn.units["mons"].factors = 4
    return state


@pytest.mark.rule("18.611.1", "18.619", "18.619.2")
def test_against_an_attack_at_less_than_one_to_one_it_is_deferred_until_the_attack_is_made() -> None:
    state = attacked(outnumbered())
    assert is_low(3, 4)
    assert not is_low(4, 4)
    assert hexes_to_support(state) == []
    assert is_deferred(state, GroundAttack(((3, 0),), ["anton"]))
    assert not is_deferred(state, GroundAttack(((3, 0),), ["anton"], done=True))
    assert not is_deferred(state, GroundAttack(((3, 0),), []))  # an airdrop that is not announced yet
    game = play(state, ground_combat)
    assert offered(game)[0] == "fight:3,0"  # nothing was asked before
    choose(game, "fight:3,0", "go:3,0:all")
    assert offered(game)[-1] == f"das:3,0:{ARMY}:2"
    game.choose(f"das:3,0:{ARMY}:2")
    assert offered(game)[-1] == f"use:3,0:{ARMY}:2"  # and the attack cannot be given up any more
    game.choose(f"use:3,0:{ARMY}:2")
    assert "3 against 6" in str(game.pending)


@pytest.mark.rule("18.611.1")
def test_at_even_odds_it_is_not_deferred() -> None:
    state = front("2 britain army")
    state.turn.units["mons"].factors = 3
    state = attacked(state)
    assert hexes_to_support(state) == [(3, 0)]
    game = play(state, ground_combat)
    choose(game, "defend:done", "fight:3,0", "go:3,0:all")
    assert offered(game)[0].startswith("attacker-loses")


@pytest.mark.rule("18.619.3")
def test_it_may_be_deferred_for_one_attack_after_the_other() -> None:
    units = [
        ground("anton", "red", "germany", "2,0"),
        ground("berta", "red", "germany", "2,1"),
        ground("mons", "blue", "britain", "3,0", factors=3),
        ground("ypres", "blue", "britain", "1,2", factors=3),
    ]
    state = front("2 britain army", units=units)
    game = steer(play(state, ground_support), "attack:1,2", "attack:3,0")
    game = play(game.state, ground_combat)
    choose(game, "fight:1,2", "go:1,2:all", f"das:1,2:{ARMY}:1", f"use:1,2:{ARMY}:1")
    choose(game, "attacker-loses:1,2:0", "defender-loses:1,2:0", "fight:3,0", "go:3,0:all")
    assert offered(game)[-1] == f"das:3,0:{ARMY}:1"


@pytest.mark.rule("18.614A")
def test_what_counts_is_cut_to_the_limit() -> None:
    game = play(attacked(front("5 britain army")), ground_combat)
    choose(game, "defend:3,0", f"das:3,0:{ARMY}:5")
    assert sum(merged_support(game.state, [(3, 0)]).values()) == 3
    game.state.turn.units["mons"].strength = 4  # what terrain makes of the defenders does not count
    assert defensive_limit(game.state, (3, 0)) == 9
