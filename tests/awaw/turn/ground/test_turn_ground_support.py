"""Ground support (18.55): who gives it, what it is worth, its limits, and what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.air_units import Arm, Force, Role, unit
from flagplot.awaw.procedures import exploitation, ground_combat, ground_support, overruns, stage
from flagplot.awaw.state.operation import Activity, Progress
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Flight, FlightKind, GroundAttack
from flagplot.awaw.turn.ground.bombardment import supporting_forces
from flagplot.awaw.turn.ground.carriers_at_sea import forces_in_reach
from flagplot.awaw.turn.ground.strengths import (
    attack_ledger,
    cve_limit,
    defence_ledger,
    odds,
    support_ledger,
    support_limit,
)
from flagplot.awaw.turn.ground.support import (
    able_to_support,
    about_attacks,
    count_on_airborne,
    plan_invasions,
    support,
    targets,
)
from flagplot.awaw.turn.ground.support_home import fly_back, lose_support, settle_airdrop, trim_support
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.why import reasons
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import Procedure
from tests.awaw.seas import least, questions, sail, taken
from tests.awaw.turn.moves import offered, play, run, steer
from tests.awaw.turn.turns import air_at, base, ground, small_force, turn

KIEL = "support:3,0:kiel:germany:army:factors"


def army(number: int) -> Force:
    return {unit("germany", Arm.ARMY, 2, 4, "kiel", Role.FACTORS, False): number}


def naval(number: int) -> Force:
    return {unit("germany", Arm.NAVAL, 2, 3, "kiel", Role.SQUADRONS, False): number}


def front(*air: str, units: list[dict[str, Any]] | None = None, phase: str = "combat", **more: Any) -> State:
    """Kiel with some air, three hexes from Oslo; a German unit of two factors stands beside a British one in Oslo."""
    usual = [ground("anton", "red", "germany", "2,0", factors=2), ground("mons", "blue", "britain", "oslo")]
    return turn(
        base("kiel", "red", (0, 0), *air), base("oslo", "blue", (3, 0)), units=units or usual, phase=phase, **more
    )


def choose(game: Game[Any], *texts: str) -> Game[Any]:
    for text in texts:
        game.choose(text)
    return game


# --- what it is worth -------------------------------------------------------------------------------------------


@pytest.mark.rule("18.551", "18.552", "18.5521", "17.143", "17.143#ex1")
def test_three_naval_squadrons_are_worth_one_army_air_factor() -> None:
    assert support_ledger(army(4)).total == 4
    assert support_ledger(naval(3)).total == 1
    assert support_ledger(naval(2)).total == 0
    assert support_ledger({**army(1), **naval(6)}).total == 3
    assert [line.rule for line in support_ledger(naval(6))] == ["18.5521"]


@pytest.mark.rule("18.5521.1", "18.5521#ex2")
def test_remnants_of_naval_air_and_of_bombardment_are_added_together() -> None:
    assert support_ledger(naval(5), guns=7).total == 4
    assert support_ledger(naval(1), guns=2).total == 1
    assert support_ledger(naval(5)).total + support_ledger({}, guns=7).total == 3


@pytest.mark.rule("18.553B")
def test_each_factor_of_escort_carriers_adds_one() -> None:
    assert support_ledger({}, cves=3).total == 3


@pytest.mark.rule("18.5521#ex1")
def test_five_infantry_factors_and_twelve_squadrons_attack_a_defence_of_three_at_three_to_one() -> None:
    state = front(
        "12 germany naval",
        units=[
            ground("anton", "red", "germany", "2,0", factors=5),
            ground("mons", "blue", "britain", "oslo", strength=3),
        ],
    )
    game = play(state, ground_support)
    choose(game, "attack:3,0", "support:3,0:kiel:germany:naval:squadrons:12")
    attack = game.state.turn.attacks[0]
    ours, theirs = attack_ledger(game.state, attack).total, defence_ledger(game.state, attack, {}).total
    assert (ours, theirs, odds(ours, theirs)) == (9, 3, (3, 1))
    game = play(game.state, ground_combat)
    choose(game, "fight:3,0", "go:3,0:all", "attacker-loses:3,0:3", "defender-loses:3,0:3")
    assert offered(game)[-1] == "lose:kiel:germany:naval:squadrons:9"  # and no more than that
    game.choose("lose:kiel:germany:naval:squadrons:9")
    assert list(game.state.turn.units) == ["anton"]
    steer(game)
    assert air_at(game.state, "kiel") == {"germany naval inverted": 3}


@pytest.mark.rule("18.5521#ex1")
def test_odds_are_rounded_in_favour_of_the_defender() -> None:
    assert [odds(8, 3), odds(3, 3), odds(2, 3), odds(3, 7)] == [(2, 1), (1, 1), (1, 2), (1, 3)]
    assert [odds(5, 0), odds(0, 5)] == [(5, 0), (0, 1)]


# --- who may ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.551", "18.512D", "18.45")
def test_air_in_range_flies_to_the_attacked_hex_and_is_inverted_afterwards() -> None:
    game = play(front("3 germany army", "1 germany army inverted"), ground_support)
    game.choose("attack:3,0")
    assert offered(game) == [f"{KIEL}:{number}" for number in range(4)]
    game.choose(f"{KIEL}:2")
    (flight,) = game.state.turn.flights
    assert (flight.kind, flight.at, sum(flight.air.values())) == (FlightKind.GROUND_SUPPORT, (3, 0), 2)
    assert air_at(game.state, "kiel") == {"germany army": 1, "germany army inverted": 1}
    steer(game := play(game.state, ground_combat), "fight:3,0", "go:3,0:all")
    assert air_at(game.state, "kiel") == {"germany army": 1, "germany army inverted": 3}
    assert game.state.turn.down[0].rule == "18.42A"


@pytest.mark.rule("18.551")
def test_air_out_of_range_gives_no_support() -> None:
    state = front("2 germany army", units=[ground("a", "red", "germany", "5,0"), ground("b", "blue", "britain", "6,0")])
    game = play(state, ground_support)
    game.choose("attack:6,0")
    assert game.pending is None
    assert not game.state.turn.flights


@pytest.mark.rule("17.531", "18.551")
def test_jets_and_transports_give_no_ground_support() -> None:
    state = front("1 germany jet", "1 germany transport", research={"germany": {"jets": 12}})
    game = play(state, ground_support)
    game.choose("attack:3,0")
    assert game.pending is None


@pytest.mark.rule("18.51", "18.551")
@pytest.mark.parametrize("bad", [{"supply": "partial"}, {"oil": True}])
def test_bases_out_of_supply_or_oil_give_no_support(bad: dict[str, Any]) -> None:
    state = turn(
        base("kiel", "red", (0, 0), "2 germany army", **bad),
        base("oslo", "blue", (3, 0)),
        units=[ground("a", "red", "germany", "2,0"), ground("b", "blue", "britain", "oslo")],
        phase="combat",
    )
    assert able_to_support(state, GroundAttack(((3, 0),), ["a"])) == {}


@pytest.mark.rule("18.551.2")
def test_air_has_to_reach_every_hex_that_is_attacked() -> None:
    units = [
        ground("a", "red", "germany", "4,1", factors=3),
        ground("b", "blue", "britain", "4,0"),
        ground("c", "blue", "britain", "5,0"),
    ]
    state = front("2 germany army", units=units)
    game = play(state, ground_support)
    game.choose("attack:4,0")
    assert offered(game) == ["also:4,0:none", "also:4,0:5,0"]
    near = choose(play(state, ground_support), "attack:4,0", "also:4,0:none")
    assert offered(near)[-1] == "support:4,0:kiel:germany:army:factors:2"
    game.choose("also:4,0:5,0")  # five hexes from Kiel
    assert game.pending is None
    assert game.state.turn.attacks[0].hexes == ((4, 0), (5, 0))
    assert able_to_support(game.state, game.state.turn.attacks[0]) == {}


@pytest.mark.rule("18.551.2")
def test_hexes_that_not_all_attackers_are_beside_are_no_part_of_their_attack() -> None:
    units = [
        ground("a", "red", "germany", "2,0"),
        ground("z", "red", "germany", "3,-1"),
        ground("b", "blue", "britain", "3,0"),
        ground("c", "blue", "britain", "2,1"),
    ]
    game = play(front(units=units), ground_support)
    choose(game, "attack:3,0", "with:3,0:all")
    assert [text for text in offered(game) if text.startswith("also")] == []


@pytest.mark.rule("18.551.1", "18.512D")
def test_air_that_supported_regular_combat_does_not_support_exploitation() -> None:
    units = [
        ground("panzer", "red", "germany", "2,0", kind="armor", factors=2),
        ground("mons", "blue", "britain", "oslo"),
    ]
    game = steer(play(front("2 germany army", units=units), ground_support), "attack:3,0", f"{KIEL}:1")
    game = steer(play(game.state, ground_combat), "fight:3,0", "go:3,0:all")
    state = game.state
    state.turn.step = "exploitation"
    game = play(state, exploitation)
    game.choose("exploit:3,0")
    assert offered(game) == [f"{KIEL}:0", f"{KIEL}:1"]  # the other one is inverted


def test_only_armor_exploits_and_each_unit_attacks_once_in_a_phase() -> None:
    units = [
        ground("panzer", "red", "germany", "2,0", kind="armor"),
        ground("foot", "red", "germany", "2,1"),
        ground("mons", "blue", "britain", "3,0"),
        ground("ypres", "blue", "britain", "1,2"),
    ]
    state = front(units=units)
    assert targets(state) == [(1, 2), (3, 0)]
    state.turn.step = "exploitation"
    assert targets(state) == [(3, 0)]
    assert told(state) == {"Foot": ("only armor exploits", "18.512D")}
    state.turn.fought = ["panzer"]
    assert targets(state) == []
    assert told(state)["Panzer"] == ("already attacked in this phase", "18.551")


def told(state: State) -> dict[str, tuple[str, str]]:
    """Why nobody else attacks, as attacks are announced."""
    state.frames = [exploitation.start()]
    return {one.about: (one.text, one.rule) for one in reasons(state, "red") or ()}


def test_a_hex_that_was_stormed_and_a_unit_without_movement_are_told_why_they_are_left_out() -> None:
    units = [ground("panzer", "red", "germany", "2,0", kind="armor"), ground("mons", "blue", "britain", "3,0")]
    state = front(units=units)
    state.turn.step, state.turn.units["panzer"].movement, state.turn.stormed = "movement", 0, [(3, 0)]
    found = {one.text for one in about_attacks(state, "red")}
    assert found == {"already attacked in this phase", "no movement left to overrun with"}
    assert [*about_attacks(state, "blue")] == []


# --- limits -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.554A", "17.143.1")
def test_support_is_at_most_three_times_the_ground_factors() -> None:
    state = front("3 germany army", "6 germany naval")
    state.turn.units["anton"].factors = 1
    game = play(state, ground_support)
    choose(game, "attack:3,0")
    assert offered(game)[-1] == f"{KIEL}:3"
    game.choose(f"{KIEL}:2")
    assert offered(game)[-1] == "support:3,0:kiel:germany:naval:squadrons:3"


@pytest.mark.rule("18.553A", "18.553C", "18.554B", "18.553D")
def test_escort_carriers_are_held_to_the_invading_ground_factors_and_to_the_limit_on_all_support() -> None:
    state = front("5 germany army")
    invasion = GroundAttack(((3, 0),), ["anton"], "invasion")
    assert support_limit(state, invasion) == 18  # in thirds
    assert cve_limit(state, invasion) == 2
    state.turn.attacks = [invasion]
    game = play(state, support_alone())
    game.choose(f"{KIEL}:5")
    assert cve_limit(game.state, game.state.turn.attacks[0]) == 1
    assert cve_limit(state, GroundAttack(((3, 0),), ["anton"])) == 0


def support_alone() -> Procedure:
    only = Procedure("only-support", "18.551", "Support alone")
    only.segment("18.551", "support")(support)
    return only


@pytest.mark.rule("18.554C")
def test_losses_on_the_ground_do_not_touch_the_limit() -> None:
    state = front("5 germany army")
    state.turn.units["anton"].factors = 2
    state.turn.units["kurt"] = turn(
        base("kiel", "red", (0, 0)), units=[ground("kurt", "red", "germany", "2,1")]
    ).turn.units["kurt"]
    state.turn.units["kurt"].at = (2, 1)
    game = play(state, ground_support)
    choose(game, "attack:3,0", "with:3,0:all", f"{KIEL}:5")
    game = play(game.state, ground_combat)
    choose(game, "fight:3,0", "go:3,0:all", "attacker-loses:3,0:2", "defender-loses:3,0:0")
    steer(game, "lose:kiel:germany:army:factors:0")
    assert sorted(game.state.turn.units) == ["kurt", "mons"]
    assert air_at(game.state, "kiel") == {"germany army inverted": 5}


# --- attacks that are not made ----------------------------------------------------------------------------------


@pytest.mark.rule("18.555")
def test_support_is_lost_if_the_attack_is_freely_given_up() -> None:
    game = steer(play(front("3 germany army"), ground_support), "attack:3,0", f"{KIEL}:2")
    given_up = steer(play(game.state, ground_combat), "fight:3,0", "go:3,0:none")
    assert air_at(given_up.state, "kiel") == {"germany army": 1}
    assert given_up.state.losses.air == {"germany/army/factors": 2}
    forgotten = steer(play(game.state, ground_combat))
    assert forgotten.state.losses.air == {"germany/army/factors": 2}


@pytest.mark.rule("18.555.1")
def test_with_fewer_ground_factors_the_excess_is_lost() -> None:
    units = [
        ground("anton", "red", "germany", "2,0"),
        ground("berta", "red", "germany", "2,1"),
        ground("mons", "blue", "britain", "oslo"),
    ]
    game = play(front("5 germany army", units=units), ground_support)
    choose(game, "attack:3,0", "with:3,0:all", f"{KIEL}:5")
    game = play(game.state, ground_combat)
    choose(game, "fight:3,0", "go:3,0:fewer", "without:3,0:anton")
    assert game.state.losses.air == {"germany/army/factors": 2}
    assert attack_ledger(game.state, game.state.turn.attacks[0]).total == 4


# --- invasions --------------------------------------------------------------------------------------------------


def invasion(**more: Any) -> State:
    """Germans sail from Kiel, on the coast, to invade Oslo, three hexes to the east of it."""
    return turn(
        base("kiel", "red", (0, -7), "6 germany army", ports=1),
        base("oslo", "blue", (3, -7), ports=1),
        units=[
            ground("anton", "red", "germany", "kiel", factors=2, aboard="fleet"),
            ground("berta", "red", "germany", "kiel", factors=1, aboard="fleet"),
            ground("mons", "blue", "britain", "oslo", strength=3),
        ],
        forces=[
            small_force(
                *("fleet", "red", "kiel"),
                {"nation": "germany", "laden_destroyers": 3, "cves": 4, "cruisers": 2},
                cargo="two units",
                loads=[{"name": "anton", "factors": 2}, {"name": "berta", "factors": 1}],
                orders=[{"activity": "seaborne-invasion", "to": "oslo"}],
            )
        ],
        phase="combat",
        phases=["combat"],
        **more,
    )


SUPPORT_OSLO = "support:3,-7:kiel:germany:army:factors"


@pytest.mark.rule("18.5551", "18.551", "18.553A", "18.553B", "18.553C", "18.553D", "18.5521.1")
def test_an_invasion_is_supported_before_it_sails_and_by_the_ships_that_bring_it() -> None:
    game = play(invasion(), stage)
    steer_to(game, "order:fleet:0", until="support")
    assert offered(game)[-1] == f"{SUPPORT_OSLO}:6"
    game.choose(f"{SUPPORT_OSLO}:6")
    assert offered(game)[-1] == "bombard:3,-7:2"
    assert supporting_forces(game.state, GroundAttack(((3, -7),), ["anton"])) == ["fleet"]
    assert supporting_forces(game.state, GroundAttack(((4, -7),), ["anton"])) == []
    game.choose("bombard:3,-7:2")
    assert [attack["guns"] for attack in game.view("blue").data["attacks"]] == [0], "before all is decided"
    assert offered(game)[-1] == "cves:3,-7:3"  # four are there, and three invading factors
    choose(game, "cves:3,-7:3", "fight:3,-7", "go:3,-7:all")
    assert "12 against 3" in str(game.pending)
    choose(game, "attacker-loses:3,-7:3", "defender-loses:3,-7:3")
    assert offered(game)[0].startswith("lose:kiel")
    choose(game, f"lose:{'kiel:germany:army:factors'}:1")
    assert offered(game)[-1].endswith(":2")
    steer(game)


@pytest.mark.rule("18.553E", "18.556")
def test_losses_may_be_taken_from_escort_carriers_fleets_air_or_ground_units() -> None:
    game = play(invasion(), stage)
    steer_to(game, "order:fleet:0", f"{SUPPORT_OSLO}:1", "bombard:3,-7:2", "cves:3,-7:2", until="attacker-loses")
    game.choose("attacker-loses:3,-7:2")
    game.choose("defender-loses:3,-7:3")
    choose(game, "lose:kiel:germany:army:factors:0", "lose:germany:cve:2")
    assert {which.kind.value: number for which, number in game.state.losses.ships.items()} == {"cve": 2}
    steer(game)
    assert game.state.place("oslo").side == "red"
    assert game.state.turn.units["anton"].at == (3, -7)
    assert not game.state.turn.units["anton"].aboard


def steer_to(game: Game[Any], *orders: str, until: str) -> None:
    """As `steer`, but stop at a question of a kind; attacks are made."""
    waiting = [*orders, "fight:3,-7", "go:3,-7:all"]
    for texts in questions(game):
        if texts[0].startswith(until):
            return
        game.choose(taken(waiting, texts) or least(texts))
    pytest.fail(f"never asked: {until}")


@pytest.mark.rule("18.5551", "18.555.2")
def test_the_support_of_an_invasion_that_does_not_arrive_returns_and_is_inverted() -> None:
    game = play(invasion(), stage)
    steer_to(game, "order:fleet:0", f"{SUPPORT_OSLO}:6", until="bombard")
    game.state.turn.ashore = []
    game = steer(play(game.state, ground_combat))
    assert air_at(game.state, "kiel") == {"germany army inverted": 6}
    assert game.state.losses.air == {}
    assert {entry.rule for entry in game.state.turn.down} == {"18.5551"}


@pytest.mark.rule("18.5551", "18.551")
@pytest.mark.parametrize(
    ("changed", "planned"),
    [
        ({}, 1),
        ({"activity": Activity.SEA_TRANSPORT}, 0),
        ({"level": 1}, 0),
        ({"joins": "another"}, 0),
        ({"progress": Progress.OVER}, 0),
    ],
)
def test_only_an_invasion_under_way_is_an_attack_on_its_destination(changed: dict[str, Any], planned: int) -> None:
    state = invasion()
    voyage = state.operation.voyages[sail(state, Activity.INVASION, "fleet", (3, -7))]
    for name, value in changed.items():
        setattr(voyage, name, value)
    run(plan_invasions(state))
    assert len(state.turn.attacks) == planned


@pytest.mark.rule("18.5551")
def test_an_invasion_that_is_given_up_does_not_cost_its_support() -> None:
    game = play(invasion(), stage)
    steer_to(game, "order:fleet:0", f"{SUPPORT_OSLO}:4", until="fight")
    choose(game, "fight:3,-7", "go:3,-7:none")
    steer(game)
    assert air_at(game.state, "kiel") == {"germany army": 2, "germany army inverted": 4}
    assert game.state.place("oslo").side == "blue"


@pytest.mark.rule("18.5552")
def test_if_a_part_of_the_invaders_is_lost_on_the_way_the_excess_support_returns() -> None:
    game = play(invasion(), stage)
    steer_to(game, "order:fleet:0", f"{SUPPORT_OSLO}:6", until="bombard")
    state = game.state
    state.turn.ashore = ["berta"]
    del state.turn.units["anton"]  # of two factors, lost at sea
    game = play(state, ground_combat)
    assert air_at(game.state, "kiel") == {"germany army inverted": 3}
    assert sum(flight.air[which] for flight in game.state.turn.flights for which in flight.air) == 3
    assert game.state.losses.air == {}
    assert {entry.rule for entry in game.state.turn.down} == {"18.5552"}


# --- carriers ---------------------------------------------------------------------------------------------------


def carriers(at: tuple[int, int], **more: Any) -> State:
    """A Japanese carrier on patrol off the coast; the fighting is ashore."""
    phase = more.pop("phase", "combat")
    ships = {"nation": "japan", "named": ["akagi"], "destroyers": 4}
    return turn(
        base("kure", "red", (0, -7), ports=1),
        base("oslo", "blue", (3, -6), "2 united-states army"),
        units=[
            ground("anton", "red", "japan", "2,-6", factors=2),
            ground("mons", "blue", "united-states", "oslo"),
        ],
        forces=[small_force("carriers", "red", "kure", ships, squadrons=3, patrol=f"{at[0]},{at[1]}")],
        phase=phase,
        pacific=True,
        **more,
    )


@pytest.mark.rule("18.5522", "18.552", "SOP-PA-E.1.a")
def test_squadrons_of_carriers_on_patrol_support_an_attack_within_three_hexes() -> None:
    game = steer(play(carriers((3, -8)), ground_support), "attack:3,-6")
    game = play(game.state, ground_combat)
    launch = "launch:carriers:red-at-sea:japan:naval:squadrons"
    assert offered(game) == [f"{launch}:{number}" for number in range(4)]
    refused = play(game.state, ground_combat)
    refused.choose(f"{launch}:0")
    assert [attack.units for attack in refused.state.turn.attacks] == [["anton"]], "it is made without support too"
    game.choose(f"{launch}:3")
    assert not game.state.operation.fleet["carriers"].group.air
    assert attack_ledger(game.state, game.state.turn.attacks[0]).total == 3
    steer(game, "fight:3,-6", "go:3,-6:all")
    assert sum(game.state.operation.fleet["carriers"].group.air.values()) == 3
    assert game.state.operation.tasks == {"carriers": "ground-support/combat"}


@pytest.mark.rule("18.5522")
def test_carriers_out_of_range_or_in_exploitation_support_nobody() -> None:
    state = carriers((3, -8))
    assert forces_in_reach(state, Task.GROUND_SUPPORT, [(3, -6)]) == ["carriers"]
    assert forces_in_reach(state, Task.GROUND_SUPPORT, [(3, -6), (3, -4)]) == []
    state.turn.step = "exploitation"
    assert forces_in_reach(state, Task.GROUND_SUPPORT, [(3, -6)]) == []
    state.turn.step, state.operation.fleet["carriers"].patrol = "combat", ""
    assert forces_in_reach(state, Task.GROUND_SUPPORT, [(3, -6)]) == []


@pytest.mark.rule("SOP-PA-E.1.a", "SOP-PA-E.1.b", "SOP-PA-E.1")
def test_a_patrol_does_one_task_in_a_player_turn() -> None:
    state = carriers((3, -8))
    state.operation.tasks = {"carriers": "base-attack"}
    assert forces_in_reach(state, Task.GROUND_SUPPORT, [(3, -6)]) == []
    assert forces_in_reach(state, Task.INTERCEPT_DAS, [(3, -6)]) == []
    state.operation.tasks = {"carriers": "ground-support/combat"}
    assert forces_in_reach(state, Task.GROUND_SUPPORT, [(3, -6)]) == ["carriers"]
    assert forces_in_reach(state, Task.INTERCEPT_DAS, [(3, -6)]) == []
    state.operation.tasks = {"carriers": "ground-support/movement"}
    assert forces_in_reach(state, Task.GROUND_SUPPORT, [(3, -6)]) == []


@pytest.mark.rule("SOP-PA-E.1", "SOP-PA-E.1.c")
def test_a_patrol_that_has_supported_an_overrun_does_not_attack_a_base_in_the_combat_phase() -> None:
    state = carriers((3, -8), phases=["combat"])
    state.sites["oslo"].air = {}
    game = play(state, stage)
    asked = set()
    while game.pending is not None:
        asked |= {text.split(":")[0] for text in offered(game)}
        game.choose(next((t for t in offered(game) if t.endswith(("none", "done", ":0"))), offered(game)[0]))
    assert "base-attack" in asked
    state.operation.tasks = {"carriers": "ground-support/movement"}
    game, asked = play(state, stage), set()
    while game.pending is not None:
        asked |= {text.split(":")[0] for text in offered(game)}
        game.choose(next((t for t in offered(game) if t.endswith(("none", "done", ":0"))), offered(game)[0]))
    assert "base-attack" not in asked


# --- overruns ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.511G", "18.551", "SOP-PA-E.1.a")
def test_overruns_are_supported_from_bases_and_from_carriers_on_patrol() -> None:
    state = carriers((3, -8), phase="movement")
    game = play(state, overruns)
    game.choose("overrun:3,-6")
    game.choose("launch:carriers:red-at-sea:japan:naval:squadrons:3")
    steer(game, "go:3,-6:all", "result:3,-6:overrun")
    assert game.state.operation.tasks == {"carriers": "ground-support/movement"}
    assert game.state.place("oslo").side == "red"
    assert list(game.state.turn.units) == ["anton"]


@pytest.mark.rule("18.555")
def test_an_overrun_that_is_not_tried_costs_its_support() -> None:
    state = front("2 germany army", phase="movement")
    game = steer(play(state, overruns), "overrun:3,0", f"{KIEL}:2", "go:3,0:none")
    assert game.state.losses.air == {"germany/army/factors": 2}


# --- airdrops ---------------------------------------------------------------------------------------------------

DROP = "support-airdrop:3,0:kiel:germany:army:factors"


def airborne(*, beside: bool = False, oslo: tuple[str, ...] = ()) -> State:
    """An airborne unit in Kiel with its transport and nine factors of army air; a British unit in Oslo, and beside it a
    German one or not."""
    units = [ground("jump", "red", "germany", "kiel", kind="airborne"), ground("mons", "blue", "britain", "oslo")]
    units += [ground("anton", "red", "germany", "2,0", factors=2)] * beside
    air = ("9 germany army", "1 germany transport")
    return turn(
        base("kiel", "red", (0, 0), *air, cities=2), base("oslo", "blue", (3, 0), *oslo), units=units, phase="combat"
    )


@pytest.mark.rule("18.551", "18.554A")
def test_air_supports_a_hex_that_only_an_airdrop_attacks() -> None:
    game = choose(play(airborne(), ground_support), "drop-zone:3,0")
    assert offered(game) == [f"{DROP}:{number}" for number in range(4)]
    game = choose(play(choose(game, f"{DROP}:3").state, ground_combat), "airdrop:kiel:germany")
    (attack,) = game.state.turn.attacks
    assert (attack.kind, attack.units, attack_ledger(game.state, attack).total) == ("airdrop", ["jump"], 4)
    steer(game, "fight:3,0", "go:3,0:all", "defender-loses:3,0:1")
    assert game.state.place("oslo").side == "red"
    assert air_at(game.state, "kiel")["germany army inverted"] == 3


@pytest.mark.rule("18.554A")
def test_airborne_units_that_join_an_attack_count_toward_the_limit() -> None:
    game = choose(play(airborne(beside=True), ground_support), "attack:3,0")
    assert offered(game)[-1] == f"{KIEL}:6", "for the two factors beside it"
    game.choose(f"{KIEL}:6")
    assert offered(game)[-1] == f"{DROP}:3", "for the airborne unit"
    game = choose(play(choose(game, f"{DROP}:3").state, ground_combat), "airdrop:kiel:germany")
    assert attack_ledger(game.state, game.state.turn.attacks[0]).total == 12
    assert not game.state.losses.air


@pytest.mark.rule("18.555", "18.555.1", "18.555.2", "18.512C", "18.624")
def test_support_that_counted_on_an_airdrop_is_lost_if_it_is_not_made_and_returns_if_it_is_intercepted() -> None:
    def supported(*oslo: str) -> State:
        state = airborne(beside=True, oslo=oslo)
        after: State = choose(play(state, ground_support), "attack:3,0", f"{KIEL}:6", f"{DROP}:3").state
        return after

    given_up = choose(play(supported(), ground_combat), "airdrop:done").state
    assert given_up.losses.air == {"germany/army/factors": 3}
    assert sum([sum(flight.air.values()) for flight in given_up.turn.flights]) == 6
    with Scripted(("Blue: air combat", 1, 3)) as dice:
        game = choose(play(supported("1 britain army"), ground_combat, dice=dice), "defend:done")
        choose(game, "airdrop:kiel:germany", "intercept:3,0", "attack:oslo:britain:army:factors:1")
        game.roll()
    assert game.state.losses.air == {}
    assert sum([sum(flight.air.values()) for flight in game.state.turn.flights]) == 6
    assert air_at(game.state, "kiel") == {"germany army inverted": 3, "germany transport inverted": 1}


@pytest.mark.rule("18.553C")
def test_airborne_units_that_join_an_invasion_do_not_invade() -> None:
    state = airborne(beside=True)
    state.turn.units["jump"].flown = "airdrop"
    assert cve_limit(state, GroundAttack(((3, 0),), ["anton", "jump"], "invasion")) == 2


@pytest.mark.rule("18.553C", "18.553D", "18.554B")
@pytest.mark.parametrize(("support", "cves"), [(0, 1), (2, 1), (3, 0), (5, 0)])
def test_escort_carriers_share_the_limit_with_other_support(support: int, cves: int) -> None:
    state = airborne()
    state.turn.flights = [Flight("red", FlightKind.GROUND_SUPPORT, (3, 0), army(support))]
    assert cve_limit(state, GroundAttack(((3, 0),), ["jump"], "invasion")) == cves


# --- support in excess ------------------------------------------------------------------------------------------


def supported(*air: Force, kind: str = "regular", **more: Any) -> tuple[State, GroundAttack]:
    """One ground factor attacks Oslo with this air above it; other air is out elsewhere."""
    state = front(
        "1 germany army", units=[ground("anton", "red", "germany", "2,0"), ground("m", "blue", "britain", "oslo")]
    )
    attack = GroundAttack(((3, 0),), ["anton"], kind, **more)
    state.turn.attacks = [attack]
    places = [((3, 0), force) for force in air] + [((9, 0), army(1))]
    state.turn.flights = [Flight("red", FlightKind.GROUND_SUPPORT, at, force) for at, force in places]
    return state, attack


def above(state: State) -> list[int]:
    return [sum(flight.air.values()) for flight in state.turn.flights]


@pytest.mark.rule("18.555")
def test_all_the_support_of_an_attack_that_is_given_up_is_lost_and_no_other() -> None:
    state, attack = supported(army(1), naval(2))
    assert run(lose_support(state, attack)) == ["18.555"]
    assert (above(state), state.losses.air) == ([1], {"germany/army/factors": 1, "germany/naval/squadrons": 2})


@pytest.mark.rule("18.42A", "18.618.1")
def test_who_flies_back_leaves_the_others_where_they_are() -> None:
    state, _ = supported(army(2))
    run(fly_back(state, state.turn.flights[0]))
    assert (above(state), air_at(state, "kiel")) == ([1], {"germany army": 1, "germany army inverted": 2})


@pytest.mark.rule("18.554A", "18.555.1", "18.5552", "18.554C")
@pytest.mark.parametrize(
    ("kind", "freely", "rule"),
    [
        ("regular", True, "18.555"),
        ("regular", False, "18.555"),
        ("invasion", True, "18.555"),
        ("invasion", False, "18.5552"),
    ],
)
def test_support_in_excess_is_lost_or_returns(kind: str, freely: bool, rule: str) -> None:
    state, attack = supported(naval(10), kind=kind, cves=2)
    assert run(trim_support(state, attack, freely=freely)) == [rule]
    assert (above(state), attack.cves) == ([9, 1], 0)
    assert state.losses.air == ({"germany/naval/squadrons": 1} if freely else {})


@pytest.mark.rule("18.554A", "18.5552")
def test_escort_carriers_in_excess_of_the_limit_leave_before_any_air() -> None:
    state, attack = supported(army(2), kind="invasion", cves=2)
    assert run(trim_support(state, attack, freely=True)) == []
    assert (above(state), attack.cves, state.losses.air) == ([2, 1], 1, {})


@pytest.mark.rule("18.555.1", "18.555.2", "18.554A")
def test_of_support_for_an_airdrop_as_much_returns_as_the_airborne_units_that_were_driven_off_allowed() -> None:
    state, attack = supported(army(7), airborne=2, driven_off=1)
    assert run(settle_airdrop(state, attack)) == ["18.555", "18.555"]
    assert (above(state), state.losses.air) == ([3, 1], {"germany/army/factors": 1})
    assert air_at(state, "kiel") == {"germany army": 1, "germany army inverted": 3}
    assert (attack.airborne, attack.driven_off) == (0, 0)
    nobody = GroundAttack(((5, 0),), [], "airdrop")
    state.turn.attacks.append(nobody)
    assert run(settle_airdrop(state, nobody)) == []
    assert state.turn.attacks == [attack]


@pytest.mark.rule("18.554A")
@pytest.mark.parametrize(
    ("others", "left"),
    [([(3, 0)], 2), ([(4, 0)], 1), ([(2, 2)], 1), ([(6, 0)], 1), ([(7, 0)], 0), ([(12, 0)], 0), ([(0, 0), (6, 0)], 1)],
)
def test_support_of_one_attack_counts_on_airborne_units_that_no_other_counts_on(
    others: list[tuple[int, int]], left: int
) -> None:
    """Two airborne factors; each other attack has one ground factor, for three factors of air or escort carriers."""
    state = airborne(beside=True)
    state.turn.units["jump"].factors, state.turn.units["anton"].factors = 2, 1
    attack = GroundAttack(((3, 0),), ["anton"])
    state.turn.attacks = [attack, GroundAttack(((9, 1),), [], done=True)]
    above = [Flight("red", FlightKind.GROUND_SUPPORT, at, army(9)) for at in ((3, 0), (9, 1))]
    for row, (air, cves) in enumerate(others):
        state.turn.attacks.append(GroundAttack(((4, row),), ["anton"], cves=cves))
        above.append(Flight("red", FlightKind.GROUND_SUPPORT, (4, row), army(air)))
    state.turn.flights = above
    count_on_airborne(state, attack)
    assert attack.airborne == left
