"""Attacks on bases (23.411-23.414, 23.421, 23.443B, 23.5, 23.6, 17.142, 17.3126-17.3127)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from flagplot.awaw.air_combat import Combat
from flagplot.awaw.air_units import Role, Unit
from flagplot.awaw.counting import merged
from flagplot.awaw.dividing import next_errand
from flagplot.awaw.operations.bases.harbours import embark, in_port, port_level
from flagplot.awaw.operations.bases.sorties import fly_home, whole_again
from flagplot.awaw.operations.bases.targets import (
    Permission,
    available,
    carrier_targets,
    land_targets,
    launchable,
    may_attack_ships,
    offer_base_strike,
    permission,
)
from flagplot.awaw.operations.passage.sortie import could_attack
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import carrier_mission, land_strikes, passage
from flagplot.awaw.state.air import Mission
from flagplot.awaw.state.battle import Strike
from flagplot.awaw.state.operation import Activity, BaseStrike
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.words import say
from tests.awaw import seas
from tests.awaw.harbours import (
    ABOARD,
    ARMY,
    NAVAL,
    at,
    attack,
    begin,
    call,
    counterair,
    fleet_in_port,
    fly,
    gone,
    kido,
    lying,
    on_mission,
    on_patrol,
    text,
    told,
    until,
    waters,
)
from tests.awaw.scenes import force, one, run, short
from tests.awaw.seas import force as sailing
from tests.awaw.seas import offered, port, sail, sea


def ledger(game: Game[Any]) -> Ledger:
    assert isinstance(game.pending, Roll), game.pending
    return game.pending.ledger


def air(game: Game[State], base: str) -> dict[str, int]:
    return short(game.state.sites[base].air)


# --- a whole attack, worked out by hand -----------------------------------------------------------------------------


@pytest.mark.rule("23.411B", "23.52", "23.53", "17.142A", "23.412B.1", "23.412A.2", "23.411.1", "17.3126D", "17.3126A")
@pytest.mark.rule("17.3126", "23.443B.2", "23.421.2", "23.11F")
def test_golden_attack_by_land_based_air() -> None:
    """Three army factors and two naval squadrons against a port with a factor and a hidden carrier.

    One factor counterairs: three squadrons in row 3 against six, because there is naval air (23.131A). Red's 7 is 1/2:
    one American army squadron is lost, one of each arm aborted. Blue's 2 in row 6 is 1/2 as well, and falls on these
    three alone. Two factors and two squadrons come to the port: level 5 is 2 for the port, 1 for the airbase and
    2 for twelve factors; a 3 reads 1/1. So one factor and one squadron attack the Arizona together in row 2, with
    2 - 2 and no +1 for naval air in port: a 12 is three hits, which sink a ship of three factors. A 5 leaves it there.
    """
    state = waters(
        fleet_in_port("Arizona", "Enterprise", cruisers=4, destroyers=2, air=3),
        air=["1 united-states army"],
        red=["3 japan army", "2 japan naval"],
    )
    game = attack(
        state,
        *(fly(3, ARMY), fly(2), counterair(1, ARMY)),
        *("first:united-states:army:2", "first:search", "first:cover", "first:japan:army:2"),
        *("target:arizona", f"against:arizona:{ARMY}:1", f"against:arizona:{NAVAL}:1"),
        rolls=[
            ("Red: air combat over Pearl, round 1, row 3", 3, 4),
            ("Blue: air combat over Pearl, round 1, row 6", 1, 1),
            ("Blue: air defense of Pearl, row 5", 1, 2),
            ("Red: attack on Arizona, row 2", 6, 6),
            ("critical hit on Arizona", 5),
        ],
    )
    assert lying(game) == ["arizona"]
    assert at(game) == {"enterprise": 0, "united-states cruiser": 2, "united-states destroyer": 2}
    assert game.state.losses.air == {
        "united-states/army/squadrons": 1,
        "japan/army/squadrons": 1,
        "japan/army/factors": 1,
    }
    assert air(game, "field") == {"japan army inverted": 2, "japan naval inverted": 2}
    assert air(game, "pearl") == {
        "united-states army attack": 1,
        "united-states army cover inverted": 1,
        "united-states naval": 2,
        "united-states naval inverted": 1,
    }


@pytest.mark.rule("23.63", "23.61B", "23.45", "23.443B.1")
def test_golden_attack_by_carriers() -> None:
    """Six squadrons of a fast carrier mission against ships without air: level 2 + 1 + 1 = 4 at 8 is 2/1; two attack
    the light ships and one the Oklahoma. Hits on the light ships: 2 - 2, row 2 at 8 is 2: one cruiser is sunk."""
    state = waters(kido(), fleet_in_port("Oklahoma", cruisers=4, destroyers=2, task_force=False))
    key = on_mission(state)
    game = attack(
        state,
        *(fly(6, ABOARD), "target:light-ships", f"against:light-ships:{ABOARD}:2"),
        key=key,
        rolls=[
            ("air defense of Pearl, row 4", 4, 4),
            ("attack on light ships, row 2", 4, 4),
            ("attack on Oklahoma, row 1", 6, 6),
        ],
    )
    assert at(game) == {"oklahoma damaged": 2, "united-states cruiser": 1, "united-states destroyer": 2}
    assert short(game.state.operation.fleet["kido"].group.air) == {"japan naval": 4}
    assert told(game, "ight ships in Pearl: 1 American cruiser sunk")


# --- 23.411: counterair, ships, or both -----------------------------------------------------------------------------


@pytest.mark.rule("23.411")
def test_the_enemy_waits_while_carriers_launch_even_if_they_have_but_one_squadron() -> None:
    """How many they have is a secret; of land-based air everybody knows it, and it simply flies."""
    state = waters(kido(1), fleet_in_port("Arizona"), red=["1 japan naval"])
    assert offered(begin(state, key=on_mission(state))) == ["ready:go"]
    game = begin(state)
    assert offered(game) == ["blue: Blue: air defense of Pearl, row 4"]


@pytest.mark.rule("23.411", "23.54")
def test_the_attacker_is_asked_base_by_base_what_flies() -> None:
    game = begin(waters(fleet_in_port("Arizona"), red=["2 japan naval"]))
    assert isinstance(game.pending, Choose)
    assert say(game.pending.question) == "Attack with how many of 2 Japanese naval air squadrons from Field?"


@pytest.mark.rule("23.411", "23.411A", "SOP-PA-C.2")
def test_all_who_counterair_leave_the_ships_alone() -> None:
    state = waters(fleet_in_port("Arizona"), air=["3 united-states naval"], red=["4 japan naval"])
    game = attack(
        state,
        *(fly(4), counterair(4)),
        rolls=[("Red: air combat over Pearl, round 1, row 4", 1, 1), ("Blue: air combat", 1, 1)],
    )
    assert at(game) == {"arizona": 0}
    assert not game.state.operation.fleet["pac"].seen


@pytest.mark.rule("23.411", "23.411B", "23.63", "23.52")
def test_attacker_shares_out_his_air_as_he_likes() -> None:
    state = waters(fleet_in_port("Arizona"), air=["3 united-states naval"], red=["4 japan naval"])
    game = until(begin(state), "share", fly(4))
    assert offered(game) == [counterair(number) for number in range(5)]


@pytest.mark.rule("23.411B")
def test_those_who_counterair_do_not_attack_ships_in_the_same_round() -> None:
    state = waters(fleet_in_port("Arizona"), air=["1 united-states naval"], red=["4 japan naval"])
    dice = Scripted(("Red: air combat", 1, 1), ("Blue: air combat", 1, 1), ("air defense", 1, 1))
    game = until(begin(state, dice=dice), "attack on", fly(4), counterair(2))
    assert "row 1" in str(game.pending)  # of the two who flew against the ships one was aborted


@pytest.mark.rule("23.411C", "23.412B.2", "17.3126D")
def test_defenders_roll_although_nobody_counterairs_them() -> None:
    """Three squadrons of a carrier in port roll in row 3; the attackers do not. A 2 is 1/0, and falls on them."""
    state = waters(fleet_in_port("Enterprise", air=3), red=["4 japan naval"])
    dice = Scripted(("Blue: air combat over Pearl, round 1, row 3", 1, 1))
    game = until(begin(state, dice=dice), "air defense", fly(4), counterair(0))
    assert game.state.losses.air == {"japan/naval/squadrons": 1}
    strike = game.state.operation.base_strike.strike
    assert short(strike.attackers) == {"japan naval": 3}


@pytest.mark.rule("23.412B.2", "23.412B.1")
@pytest.mark.parametrize("engaged", [1, 2])
def test_what_exceeds_those_who_counterair_falls_on_the_others(engaged: int) -> None:
    """Blue's 1/2 in row 3 finds one squadron that counterairs, which is lost, and two of the other four turn home; or
    it finds two, of which one is lost and one aborted, and one of the other three turns home."""
    state = waters(fleet_in_port("Arizona"), air=["3 united-states naval"], red=["5 japan naval"])
    dice = Scripted(("Red: air combat", 1, 1), ("Blue: air combat", 3, 4))
    game = until(begin(state, dice=dice), "air defense", fly(5), counterair(engaged))
    raid = game.state.operation.base_strike
    assert game.state.losses.air == {"japan/naval/squadrons": 1}
    assert short(raid.strike.attackers) == {"japan naval": 2}
    assert short(raid.back) == {"japan naval": 3 - engaged}


@pytest.mark.rule("23.412B.2", "23.131A", "19.61")
def test_what_exceeds_those_who_counterair_is_taken_in_squadrons_where_the_combat_was() -> None:
    """The naval squadron counterairs and is lost. Two aborts are left, and two of the six army squadrons turn home, so
    that no factor is whole but one: it flies on, the other returns."""
    state = waters(fleet_in_port("Arizona"), air=["3 united-states naval"], red=["2 japan army", "1 japan naval"])
    dice = Scripted(("Red: air combat", 1, 1), ("Blue: air combat over Pearl, round 1, row 3", 3, 4))
    game = until(begin(state, dice=dice), "air defense", fly(2, ARMY), fly(1), counterair(0, ARMY), counterair(1))
    raid = game.state.operation.base_strike
    assert game.state.losses.air == {"japan/naval/squadrons": 1}
    assert (short(raid.strike.attackers), short(raid.back)) == ({"japan army": 1}, {"japan army": 1})


@pytest.mark.rule("23.412B.2")
@pytest.mark.parametrize(("flying", "share", "faces"), [(1, 1, (6, 6)), (4, 3, (1, 1))])
def test_nobody_else_suffers_if_all_counterair_or_nothing_exceeds_them(
    flying: int, share: int, faces: tuple[int, int]
) -> None:
    state = waters(fleet_in_port("Arizona"), air=["3 united-states naval"], red=[f"{flying} japan naval"])
    dice = Scripted(("Red: air combat", 1, 1), ("Blue: air combat", *faces))
    game = until(begin(state, dice=dice), "air defense", *[fly(flying)] * (flying > 1), counterair(share))
    assert "23.412B" not in [entry.rule for entry in game.log("umpire")]


@pytest.mark.rule("23.412B.3")
def test_defending_air_does_nothing_more_than_its_roll() -> None:
    """Naval air in the base changes neither the air defense of the port nor the attack."""
    levels = []
    for defenders in ([], ["1 united-states naval"]):
        state = waters(fleet_in_port("Arizona"), air=defenders, red=["4 japan naval"])
        dice = Scripted(("Blue: air combat", 1, 1)) if defenders else None
        game = until(begin(state, dice=dice), "air defense", fly(4))
        levels.append(ledger(game))
    assert levels[0] == levels[1]


@pytest.mark.rule("23.413")
def test_inverted_defenders_do_not_roll_unless_they_are_counteraired() -> None:
    state = waters(fleet_in_port("Arizona"), air=["3 united-states naval inverted"], red=["4 japan naval"])
    game = until(begin(state), "air defense", fly(4), counterair(0))
    assert told(game, "against the ships")
    assert not told(game, "air combat")
    dice = Scripted(("Red: air combat over Pearl, round 1, row 1", 1, 1), ("Blue: air combat", 1, 1))
    game = until(begin(state, dice=dice), "air defense", fly(4), counterair(1))
    assert told(game, "Blue: air combat over Pearl, round 1, row 3")


@pytest.mark.rule("23.414")
def test_air_of_other_bases_does_not_defend() -> None:
    state = waters(
        port("hilo", "blue", (3, 1), "5 united-states naval"),
        fleet_in_port("Arizona"),
        air=["1 united-states naval"],
        red=["4 japan naval"],
    )
    game = until(begin(state), "air combat", fly(4))
    assert "Blue: air combat over Pearl, round 1, row 1" in str(game.pending)


@pytest.mark.rule("23.11F", "17.53B", "17.531")
def test_who_attacks_ships_in_port() -> None:
    able = [
        arm for arm in ("army", "naval", "elite-naval", "jet", "transport") if may_attack_ships(one("japan", arm, 2))
    ]
    assert able == ["army", "naval", "elite-naval"]
    research = {"germany": {"jets": 12}}
    state = waters(
        fleet_in_port("Arizona"),
        air=["1 united-states army"],
        red=["2 germany jet", "1 germany army"],
        settings={"research": research},
    )
    game = until(begin(state), "share", "fly:field:germany:jet:factors:2", "fly:field:germany:army:factors:1")
    assert offered(game) == ["share:field:germany:army:factors:0", "share:field:germany:army:factors:1"]
    game.choose("share:field:germany:army:factors:0")
    assert short(game.state.operation.base_strike.mission.attackers) == {"germany jet": 2}  # they only escort


@pytest.mark.rule("23.11F", "23.53", "17.142A")
def test_army_air_attacks_ships_in_factors() -> None:
    state = waters(fleet_in_port("Arizona"), red=["3 japan army"])
    dice = Scripted(("air defense of Pearl, row 4", 1, 1))
    game = until(begin(state, dice=dice), "attack on", fly(3, ARMY))
    assert "attack on Arizona, row 2" in str(game.pending)  # 1/0 of three factors
    assert ledger(game).total == 0


@pytest.mark.rule("17.354", "T23.44-03")
def test_naval_air_has_no_bonus_in_port() -> None:
    state = waters(fleet_in_port("Arizona"), red=["3 japan naval"])
    game = until(begin(state, dice=Scripted(("air defense", 1, 1))), "attack on", fly(3))
    assert ledger(game).total == 0


# --- squadrons and factors ------------------------------------------------------------------------------------------


@pytest.mark.rule("23.131A", "23.141A.1", "23.144")
def test_army_air_is_broken_down_for_the_combat_and_put_together_for_the_ships() -> None:
    """Nobody counterairs. Three factors are nine squadrons to defenders with naval air: 1/1 takes one search squadron
    and turns back one for cover. Two factors go on, with two of each kind; what is left makes one more, inverted."""
    state = waters(fleet_in_port("Enterprise", air=3), red=["3 japan army"])
    dice = Scripted(("Blue: air combat over Pearl, round 1, row 3", 2, 2))
    game = until(begin(state, dice=dice), "air defense", fly(3, ARMY), "first:search", "first:cover")
    raid = game.state.operation.base_strike
    assert short(raid.strike.attackers) == {"japan army": 2}
    assert short(raid.back) == {"japan army inverted": 1}
    assert game.state.losses.air == {"japan/army/squadrons": 1}


@pytest.mark.rule("23.412B.1", "23.423")
def test_a_factor_completed_by_an_aborted_squadron_returns_and_may_fly_again() -> None:
    nine = force("3 japan army 2 search", "3 japan army 2 cover", "3 japan army 2 attack")
    on, home = whole_again(nine, force("1 japan army 2 cover"))
    assert (short(on), short(home)) == ({"japan army": 2}, {"japan army": 1})


@pytest.mark.rule("23.131A")
def test_without_naval_air_the_combat_is_in_factors() -> None:
    state = waters(fleet_in_port("Arizona"), air=["2 united-states army"], red=["3 japan army"])
    game = until(begin(state), "air combat", fly(3, ARMY))
    assert "Blue: air combat over Pearl, round 1, row 2" in str(game.pending)


# --- the air defense of a port ----------------------------------------------------------------------------------------


@pytest.mark.rule("23.421.2", "23.4212", "23.4211C", "23.4213")
def test_level_of_a_port_counts_all_its_ships_and_what_stands_in_the_hex() -> None:
    state = waters(
        fleet_in_port("Iowa", "Midway", cruisers=4, destroyers=2),
        fleet_in_port("Arizona", name="old", cruisers=4, transports=3),
        pearl={"cities": 1, "flak": 2, "objectives": 1, "anchors": 1, "fortification": 2},
        settings={"research": {"united-states": {"air_defense": 1}}},
    )
    level = port_level(state, "pearl")
    # 22 factors 3, Iowa 1, Midway 1, research 1, city and port 4, airbase 1, flak 2, objective 1, anchor 1, fortress 2
    assert level.total == 17
    assert [line.amount for line in level.lines if line.amount] == [3, 1, 2, 1, 1, 1, 4, 2, 1, 1]


@pytest.mark.rule("23.421.2", "23.4211C")
def test_ships_sunk_in_port_do_not_defend_it() -> None:
    state = waters(fleet_in_port("Iowa", cruisers=4, destroyers=2))
    before = port_level(state, "pearl").total
    pac = state.operation.fleet["pac"]
    iowa = next(which for which in pac.group.ships if which.named)
    del pac.group.ships[iowa]
    pac.sunk_in_port[iowa] = 1
    assert before - port_level(state, "pearl").total == 2  # eleven factors are six, and there is no five-factor ship


@pytest.mark.rule("17.142B", "17.142B#ex1", "23.53")
def test_air_defense_counts_factors_and_squadrons_alike() -> None:
    """A result of 1/2 on two factors and two squadrons: one is lost, two turn home, one attacks."""
    state = waters(fleet_in_port("Arizona"), red=["2 japan army", "2 japan naval"])
    dice = Scripted(("air defense of Pearl, row 4", 3, 3))
    orders = (fly(2, ARMY), fly(2), "first:japan:army:2")
    game = until(begin(state, dice=dice), "attack on", *orders)
    raid = game.state.operation.base_strike
    assert game.state.losses.air == {"japan/army/factors": 1}
    assert short(raid.back) == {"japan army": 1, "japan naval": 1}
    assert short(raid.strike.attackers) == {"japan naval": 1}


@pytest.mark.rule("23.424", "23.424#2")
def test_ships_in_port_are_shown_only_if_somebody_gets_through() -> None:
    state = waters(fleet_in_port("Arizona", cruisers=8), red=["2 japan naval"])
    lost = attack(state, fly(2), rolls=[("air defense of Pearl, row 5", 4, 4)])
    assert not lost.state.operation.fleet["pac"].seen
    assert "Arizona" not in text(lost, "red")
    rolls = [("air defense of Pearl, row 5", 1, 1), ("attack on light ships, row 1", 1, 1)]
    through = attack(state, fly(2), "target:light-ships", rolls=rolls)
    assert through.state.operation.fleet["pac"].seen
    assert "Arizona" in text(through, "red")


@pytest.mark.rule("23.421", "23.424#2")
def test_attacker_reads_the_dice_of_the_air_defense_and_not_its_level() -> None:
    state = waters(fleet_in_port("Arizona", cruisers=8), red=["2 japan naval"])
    game = attack(state, fly(2), rolls=[("air defense of Pearl, row 5", 4, 4)])
    assert "row 5" in text(game, "blue")
    seen = {side: [str(entry.ledger) for entry in game.log(side) if entry.ledger] for side in ("red", "blue")}
    assert "one per ten naval factors" in str(seen["blue"])
    assert "one per ten naval factors" not in str(seen["red"])
    assert "one per ten naval factors" not in text(game, "red")
    assert "row 5" not in text(game, "red")


# --- hits on ships in port --------------------------------------------------------------------------------------------


def struck(name: str, faces: tuple[int, int], die: int = 0, state: State | None = None, **more: Any) -> Any:
    """Four squadrons attack the one ship in port; air defense stops one of them, and three hit it in row 3."""
    made = state or waters(fleet_in_port(name, task_force=False), red=["4 japan naval"], **more)
    rolls: list[Any] = [("air defense of Pearl, row 4", 1, 1), (f"attack on {name}, row 3", *faces)]
    rolls += [("critical hit on", die)] if die else []
    return attack(made, fly(4), rolls=rolls)


@pytest.mark.rule("23.443B.2")
def test_a_ship_sunk_in_port_lies_there() -> None:
    game = struck("Oklahoma", faces=(4, 5), die=5)  # three hits
    assert lying(game) == ["oklahoma"]
    assert list(game.state.operation.fleet["pac"].sunk_in_port.values()) == [1]
    assert at(game) == {}
    assert gone(game) == {"oklahoma": 1}
    assert not in_port(game.state, "pearl")  # it is no target any more


@pytest.mark.rule("23.443B.1")
def test_a_critical_hit_destroys_a_ship_sunk_in_port() -> None:
    game = struck("Oklahoma", faces=(4, 5), die=6)
    assert "pac" not in game.state.operation.fleet
    assert gone(game) == {"oklahoma": 1}
    assert told(game, "Oklahoma destroyed")
    never = struck("Oklahoma", faces=(4, 5), options=Options(critical_hits="never"))
    assert lying(never) == ["oklahoma"]


@pytest.mark.rule("23.443B.3")
def test_a_damaged_ship_stays_in_port() -> None:
    game = struck("Oklahoma", faces=(3, 3))
    assert at(game) == {"oklahoma damaged": 2}
    assert game.state.operation.fleet["pac"].base == "pearl"
    assert game.state.operation.fleet["pac"].in_port


@pytest.mark.rule("23.443B.4")
def test_hits_too_few_to_damage_a_ship_are_wiped_off() -> None:
    game = struck("Oklahoma", faces=(2, 3))
    assert at(game) == {"oklahoma": 0}
    assert told(game, "too few")


@pytest.mark.rule("23.43D", "23.443B.2")
def test_damaged_ships_that_wait_for_repair_are_targets() -> None:
    state = waters(fleet_in_port("Oklahoma", hits={"Oklahoma": 2}, task_force=False), red=["4 japan naval"])
    game = struck("Oklahoma", faces=(2, 3), die=1, state=state)  # one hit more
    assert lying(game) == ["oklahoma"]
    assert [which.hits for which in (*game.state.losses.ships, *game.state.operation.fleet["pac"].sunk_in_port)] == [
        0,
        0,
    ]


@pytest.mark.rule("23.43D")
def test_ships_at_sea_and_in_other_ports_are_no_targets() -> None:
    state = waters(
        port("hilo", "blue", (5, 2)),
        *(fleet_in_port("Arizona"), fleet_in_port("Nevada", name="other", home="hilo")),
        fleet_in_port("Oklahoma", name="away"),
    )
    state.operation.fleet["away"].patrol, state.operation.fleet["away"].at = "offensive", (8, 0)
    assert list(in_port(state, "pearl")) == ["pac"]


@pytest.mark.rule("23.45", "22.82A.2")
def test_light_ships_of_one_kind_are_hit_and_others_stay() -> None:
    """Two hits on two cruisers and a destroyer, in two forces: a cruiser is sunk."""
    state = waters(
        fleet_in_port(cruisers=2, task_force=False),
        fleet_in_port(name="old", destroyers=1, hits={}, task_force=False),
        red=["4 japan naval"],
    )
    game = attack(state, fly(4), rolls=[("air defense", 1, 1), ("attack on light ships, row 3", 3, 3)])
    left = (
        [*at(game).items(), *at(game, "old").items()]
        if "pac" in game.state.operation.fleet
        else [*at(game, "old").items()]
    )
    assert (left, gone(game)) == ([("united-states destroyer", 1)], {"united-states:cruiser": 1})


@pytest.mark.rule("23.43A", "23.43B", "23.45")
def test_light_ships_of_all_forces_in_port_are_one_target() -> None:
    """Four cruisers in two forces take three hits: one is sunk and one damaged, and the owner says whose they are."""
    state = waters(
        fleet_in_port(cruisers=4, task_force=False),
        fleet_in_port(name="old", cruisers=4, task_force=False),
        red=["4 japan naval"],
    )
    game = attack(
        state,
        *(fly(4), "damaged:pac:united-states:cruiser:1", "sunk:pac:united-states:cruiser:0"),
        rolls=[("air defense", 1, 1), ("attack on light ships, row 3", 4, 5)],
    )
    assert at(game) == {"united-states cruiser": 1, "united-states cruiser damaged": 1}
    assert at(game, "old") == {"united-states cruiser": 1}
    assert gone(game) == {"united-states:cruiser": 1}


@pytest.mark.rule("23.45")
def test_a_ship_is_counted_as_sunk_when_its_owner_has_said_whose_it_was() -> None:
    """Before that it would stand on the map and among the losses."""
    forces = [fleet_in_port(name=name, cruisers=4, task_force=False) for name in ("pac", "old")]
    dice = Scripted(("air defense", 1, 1), ("attack on light ships, row 3", 4, 5))
    game = begin(waters(*forces, red=["4 japan naval"]), dice=dice)
    until(game, "sunk", fly(4), "damaged:pac:united-states:cruiser:1")
    assert (sum(at(game).values()) + sum(at(game, "old").values()), gone(game)) == (4, {})
    game.choose("sunk:pac:united-states:cruiser:1")
    assert (sum(at(game).values()) + sum(at(game, "old").values()), gone(game)) == (3, {"united-states:cruiser": 1})


# --- carriers in port -------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.3126", "17.3126A", "23.411.1", "17.3126B")
def test_squadrons_of_carriers_in_port_come_to_light_and_fight_for_the_base() -> None:
    state = waters(fleet_in_port("Enterprise", "Hornet", cruisers=6, air=6), red=["4 japan naval"])
    assert state.sites["pearl"].air == {}
    game = until(begin(state), "share", fly(4))
    assert air(game, "pearl") == {"united-states naval": 6}
    assert "TF 1 (Blue) in Pearl: 6 American naval air squadrons aboard" in text(game, "red")
    assert "Enterprise" not in text(game, "red")  # but not the ships
    assert [which.home for which in game.state.sites["pearl"].air] == ["pearl"]


@pytest.mark.rule("17.3126E", "17.3126")
def test_squadrons_of_carriers_in_port_do_nothing_but_defend_it() -> None:
    """They neither attack ships that pass by nor help to find them, unlike naval air that is based on land."""
    hidden = waters(fleet_in_port("Enterprise", cruisers=4, air=3))
    ashore = waters(fleet_in_port("Enterprise", cruisers=4), air=["3 united-states naval"])
    assert not could_attack(hidden, "blue", (4, 0))
    assert could_attack(ashore, "blue", (4, 0))
    assert hidden.sites["pearl"].air == {}


@pytest.mark.rule("17.3122D.1")
def test_squadrons_have_the_status_of_their_carriers() -> None:
    state = waters(fleet_in_port("Enterprise", cruisers=8, air=3, inverted=True), red=["4 japan naval"])
    game = until(begin(state), "share", fly(4))
    assert air(game, "pearl") == {"united-states naval inverted": 3}


@pytest.mark.rule("17.3127")
@pytest.mark.parametrize(("based", "left", "island"), [(2, 5, False), (29, 30, False), (29, 31, True)])
def test_squadrons_of_a_carrier_sunk_in_port_stay_if_there_is_room(based: int, left: int, island: bool) -> None:
    """A port and an airbase hold ten factors, thirty squadrons: of 29 and 3 two are lost. An island holds one more."""
    state = waters(
        fleet_in_port("Enterprise", air=3, task_force=False),
        air=[f"{based} united-states naval inverted"],
        red=["4 japan naval"],
        pearl={"island": island},
    )
    roll = [("Blue: air combat", 1, 1), ("air defense", 1, 1), ("attack on Enterprise, row 2", 6, 6), ("critical", 1)]
    lost = based + 3 - left
    orders = [f"lose:pearl:united-states:naval:squadrons:{lost}"] * bool(lost)
    game = attack(state, fly(4), *orders, rolls=roll)
    assert sum(game.state.sites["pearl"].air.values()) == left
    assert game.state.operation.fleet["pac"].ashore == {}
    assert told(game, "lost with the carriers") is bool(lost)


@pytest.mark.rule("17.3126C", "17.3126#note1.1")
def test_squadrons_whose_carriers_are_afloat_take_no_room_and_stay_ashore() -> None:
    state = waters(
        fleet_in_port("Enterprise", air=3, task_force=False),
        air=["30 united-states naval inverted"],
        red=["1 japan naval"],
    )
    game = attack(state, rolls=[("Blue: air combat over Pearl, round 1, row 3", 1, 1)])
    assert sum(game.state.sites["pearl"].air.values()) == 33
    assert short(game.state.operation.fleet["pac"].ashore) == {"united-states naval": 3}


@pytest.mark.rule("17.3127", "17.3126#note1.1")
def test_squadrons_whose_carriers_are_afloat_leave_room_for_those_whose_carrier_was_sunk() -> None:
    """17.3127: a port and an airbase hold thirty squadrons. 27 are based there and three are the Enterprise's, which
    take no room: so the three of the Hornet, sunk in port, find theirs."""
    state = waters(
        fleet_in_port("Enterprise", "Hornet", air=6, task_force=False),
        air=["27 united-states naval inverted"],
        red=["8 japan naval"],
    )
    dice = [("Blue: air combat", 1, 1), ("air defense", 1, 1), ("attack on Hornet", 6, 6), ("critical", 1)]
    aims = ("target:hornet", "against:hornet:field:japan:naval:squadrons:4")
    made = attack(state, fly(8), *aims, rolls=dice).state
    assert sum(made.sites["pearl"].air.values()) == 33
    assert not [pool for pool in made.losses.air if pool.startswith("united-states")]


@pytest.mark.rule("17.3126C.2", "18.526B", "17.3124.7")
def test_they_go_aboard_when_their_carriers_go_to_sea() -> None:
    """Two of three were aborted and are inverted; aboard an uninverted carrier they are not. Hornet is damaged: nobody
    flies onto it."""
    state = waters(fleet_in_port("Enterprise", "Hornet", air=4, task_force=False), red=["6 japan naval"])
    game = attack(state, fly(6), counterair(6), rolls=[("Red: air combat", 1, 1), ("Blue: air combat", 1, 1)])
    assert air(game, "pearl") == {"united-states naval": 1, "united-states naval inverted": 2}  # 1/2
    after = game.state
    hornet = next(which for which in after.operation.fleet["pac"].group.ships if which.id == "hornet")
    run_damage(after, hornet)
    run(embark(after, "pac"), "aboard")
    assert short(after.operation.fleet["pac"].group.air) == {"united-states naval": 3}
    assert after.sites["pearl"].air == {}


@pytest.mark.rule("17.3126C.2")
@pytest.mark.parametrize("goes", ["aboard", "ashore"])
def test_they_go_aboard_whatever_their_carriers_go_to_sea_for(goes: str) -> None:
    state = waters(fleet_in_port("Enterprise", cruisers=8, air=3), red=["1 japan naval"])
    after = attack(state, rolls=[("Blue: air combat", 6, 6)]).state
    key = sail(after, "base-change", "pac", (9, 0))
    game = call(after, passage.start(key))
    assert offered(game) == ["embark:pac:aboard", "embark:pac:ashore"]
    game.choose(f"embark:pac:{goes}")
    aboard = goes == "aboard"
    assert short(game.state.operation.fleet["pac"].group.air) == ({"united-states naval": 3} if aboard else {})
    assert told(game, "Blue: 3 American naval air squadrons embarked on TF 1 (Blue)", "red") is aboard


def run_damage(state: State, which: Any) -> None:
    ships = state.operation.fleet["pac"].group.ships
    del ships[which]
    ships[which.bearing(2)] = 1


# --- aborts and further sorties ---------------------------------------------------------------------------------------


@pytest.mark.rule("23.412A.1", "23.54")
def test_aborted_defenders_fight_in_the_next_round_and_only_the_last_roll_counts() -> None:
    """The first round aborts two of three (row 6 at 2 is 1/2, one is lost); in the second both others roll, and nobody
    is hit by a 2 in row 1."""
    state = waters(fleet_in_port("Arizona"), air=["3 united-states naval"], red=["6 japan naval"])
    game = attack(
        state,
        *(fly(6), counterair(6), "another:again", fly(1), counterair(1)),
        rolls=[
            ("Red: air combat over Pearl, round 1, row 6", 1, 1),
            ("Blue: air combat over Pearl, round 1, row 3", 1, 1),
            ("Red: air combat over Pearl, round 2, row 1", 1, 1),
            ("Blue: air combat over Pearl, round 2, row 2", 1, 1),
        ],
    )
    assert air(game, "pearl") == {"united-states naval": 2}


@pytest.mark.rule("23.412A.2")
def test_those_aborted_in_the_last_round_are_inverted() -> None:
    state = waters(air=["3 united-states naval"], red=["6 japan naval"])
    game = attack(state, fly(6), rolls=[("Red: air combat", 1, 1), ("Blue: air combat", 1, 1)])
    assert air(game, "pearl") == {"united-states naval inverted": 2}


@pytest.mark.rule("23.412A.1", "SOP-PA-C.2")
def test_a_patrol_attacks_one_round_at_a_time_and_aborted_defenders_fight_again() -> None:
    state = waters(kido(), air=["3 united-states naval"], stage="movement")
    key = on_patrol(state)
    first = attack(state, fly(6, ABOARD), key=key, rolls=[("Red: air combat", 1, 1), ("Blue: air combat", 1, 1)])
    assert air(first, "pearl") == {"united-states naval inverted": 2}
    again = until(begin(first.state, key=key), "Blue: air combat", fly(1, ABOARD))
    assert "row 2" in str(again.pending)
    assert not told(first, "Fly another sortie")


@pytest.mark.rule("19.12.1", "19.12.2", "18.522")
def test_by_option_carriers_on_patrol_counterair_round_after_round() -> None:
    """All survivors fight in each round; from a hex on the way there is one round in any case."""
    many = Options(carrier_counterair="many-rounds")
    rolls = [
        ("Red: air combat over Pearl, round 1, row 6", 1, 1),
        ("Blue: air combat over Pearl, round 1, row 3", 1, 1),
    ]
    more = [("Red: air combat over Pearl, round 2, row 5", 1, 1), ("Blue: air combat over Pearl, round 2, row 2", 1, 1)]
    there = waters(kido(), air=["3 united-states naval"], stage="movement", options=many)
    attack(there, fly(6, ABOARD), "another:again", key=on_patrol(there), rolls=[*rolls, *more])
    under_way = waters(kido(), air=["3 united-states naval"], stage="movement", options=many)
    key = on_mission(under_way, activity="patrol", arrived=False)
    game = attack(under_way, fly(6, ABOARD), key=key, rolls=rolls)
    assert not told(game, "Fly another sortie")


@pytest.mark.rule("23.46A")
@pytest.mark.parametrize("defenders", [["1 united-states naval"], []])
def test_ships_may_leave_after_a_round_against_air_units_or_against_ships(defenders: list[str]) -> None:
    state = waters(
        port("diego", "blue", (12, 0)), fleet_in_port("Arizona", cruisers=8), air=defenders, red=["2 japan naval"]
    )
    rolls = [("Red: air combat", 1, 1), ("Blue: air combat", 1, 1)] if defenders else [("air defense of Pearl", 6, 6)]
    game = until(begin(state, dice=Scripted(*rolls)), "escape", fly(2), *[counterair(2)] * bool(defenders))
    assert offered(game) == ["escape:pac:stay", "escape:pac:diego"]


@pytest.mark.rule("23.54")
def test_carriers_are_asked_for_another_sortie_even_if_no_squadron_is_left() -> None:
    """The enemy does not learn from the question that they have none aboard."""
    state = waters(kido(1), fleet_in_port("Arizona", task_force=False))
    game = until(begin(state, key=on_mission(state), dice=Scripted(("air defense", 6, 6))), "another")
    assert offered(game) == ["another:done"]


@pytest.mark.rule("23.46A", "18.522A")
@pytest.mark.parametrize(("reading", "leaves"), [("after-any-round", True), ("if-attackers-survive", False)])
def test_air_units_may_leave_though_the_attack_was_wiped_out(reading: str, leaves: bool) -> None:
    haven = port("hilo", "blue", (3, 4))
    state = waters(
        haven, air=["6 united-states naval"], red=["1 japan naval"], options=Options(defenders_leave=reading)
    )
    rolls = [("Red: air combat", 1, 1), ("Blue: air combat over Pearl, round 1, row 6", 6, 6)]
    game = attack(state, *["flee-from:pearl:leave"] * leaves, rolls=rolls)
    assert bool(air(game, "hilo")) == leaves == told(game, "Evacuate Pearl?")


@pytest.mark.rule("23.54", "18.524A", "23.51")
def test_land_based_air_flies_sortie_after_sortie_and_is_inverted_in_the_end() -> None:
    state = waters(fleet_in_port("Arizona", task_force=False), red=["4 japan naval"])
    sortie = [("air defense of Pearl, row 4", 1, 1), ("attack on Arizona, row", 1, 1)]
    orders = [fly(4), "another:again", fly(3), "another:again", fly(2)]
    game = attack(state, *orders, rolls=sortie * 3)
    assert air(game, "field") == {"japan naval inverted": 1}
    assert told(game, "Red: 1 Japanese naval air squadron inverted")
    assert not told(game, "round 2, row")


@pytest.mark.rule("23.54")
def test_sorties_are_counted_as_everybody_sees() -> None:
    state = waters(fleet_in_port("Arizona", task_force=False), red=["4 japan naval"])
    game = until(begin(state, dice=Scripted(("air defense", 1, 1), ("attack on", 1, 1))), "another", fly(4))
    seen = [game.view("blue").data["base_strike"]["sortie"]]
    game.choose("another:again")
    assert [*seen, game.view("blue").data["base_strike"]["sortie"]] == [1, 2]


@pytest.mark.rule("23.423", "23.54")
def test_those_who_were_aborted_fly_again() -> None:
    state = waters(fleet_in_port("Arizona", task_force=False), red=["3 japan naval"])
    dice = Scripted(("air defense of Pearl, row 4", 1, 3))  # 1/1
    game = until(begin(state, dice=dice), "attack on", fly(3))
    assert short(game.state.operation.base_strike.back) == {"japan naval": 1}
    game = attack(
        state,
        *(fly(3), "another:again"),
        rolls=[
            ("air defense", 1, 3),
            ("attack on Arizona, row 1", 1, 1),
            ("air defense", 6, 6),
        ],
    )
    assert game.state.losses.air == {"japan/naval/squadrons": 2}


@pytest.mark.rule("23.141A.2", "23.152D")
def test_squadrons_that_counteraired_are_put_together_when_the_attack_is_over() -> None:
    """Two factors are six squadrons; one is lost. In the second sortie the five may fly as they are; in the end they
    are two factors, inverted."""
    state = waters(fleet_in_port("Arizona"), air=["3 united-states naval"], red=["2 japan army"])
    rolls = [("Red: air combat", 1, 1), ("Blue: air combat over Pearl, round 1, row 3", 1, 1)]
    orders = (fly(2, ARMY), counterair(2, ARMY), "first:search", "another:again")
    again = until(begin(state, dice=Scripted(*rolls)), "fly:field:japan:army:attack", *orders)
    assert offered(again)[-1] == "fly:field:japan:army:attack:2"
    game = attack(state, fly(2, ARMY), counterair(2, ARMY), "first:search", rolls=rolls)
    assert air(game, "field") == {"japan army inverted": 2}


@pytest.mark.rule("23.142A")
def test_a_squadron_that_is_left_over_after_an_attack_is_lost_in_the_open() -> None:
    """One factor is three squadrons, of which two are shot down: the third makes no factor."""
    state = waters(air=["3 united-states naval"], red=["1 japan army"])
    rolls = [("Red: air combat", 1, 1), ("Blue: air combat over Pearl, round 1, row 3", 6, 6)]
    game = attack(state, "first:search", "first:cover", rolls=rolls)
    assert air(game, "field") == {}
    assert game.state.losses.air["japan/army/squadrons"] == 3
    assert told(game, "Field: 1 Japanese army air attack squadron left over and eliminated", "blue")


# --- who may attack, and when -----------------------------------------------------------------------------------------


@pytest.mark.rule("23.51", "18.512B")
def test_land_based_air_attacks_ships_in_the_combat_phase() -> None:
    want = {"movement": Permission.COUNTERAIR, "combat": Permission.ALL, "redeployment": Permission.NOTHING}
    for stage, allowed in want.items():
        state = waters(fleet_in_port("Arizona"), red=["4 japan naval"], stage=stage)
        assert permission(state, "") is allowed
        assert land_targets(state, "red") == (["pearl"] if allowed is not Permission.NOTHING else [])
        assert land_targets(state, "blue") == []  # it is an offensive mission of the moving side
    state = waters(fleet_in_port("Arizona"), air=["1 united-states naval"], red=["4 japan naval"], stage="movement")
    game = until(begin(state), "air combat", fly(4))
    assert "Red: air combat over Pearl, round 1, row 4" in str(game.pending)  # all counterair: ships are not attacked


@pytest.mark.rule("23.51")
def test_land_based_attacks_are_offered_one_base_after_the_other() -> None:
    state = waters(port("hilo", "blue", (3, 1)), red=["4 japan naval"])
    game = call(state, land_strikes.start())
    assert offered(game) == ["base-attack:land:pearl", "base-attack:land:hilo", "base-attack:land:none"]
    game.choose("base-attack:land:hilo")
    until(game, "base-attack", fly(2))
    assert offered(game) == ["base-attack:land:pearl", "base-attack:land:none"]  # once a phase, and two are left
    assert game.state.operation.raids_now.inverted == {"hilo": {}}


@pytest.mark.rule("23.51")
def test_ships_in_port_are_attacked_when_the_counterair_missions_are_over() -> None:
    """First bases are counteraired, those with ships in port among them, whose ships are left alone; then ships in port
    are attacked, also where air units were counteraired before, and nobody is counteraired in between."""
    state = waters(
        port("hilo", "blue", (3, 1), "1 united-states naval"),
        fleet_in_port("Arizona", task_force=False),
        air=["1 united-states naval"],
        red=["6 japan naval"],
    )
    dice = Scripted(*[("air combat over Pearl", 1, 1)] * 3, ("air defense of Pearl", 1, 1), ("attack on Arizona", 1, 1))
    game = call(state, land_strikes.start(), dice)
    game.choose("base-attack:land:pearl")
    until(game, "base-attack", fly(2))
    assert not told(game, "air defense of Pearl")
    assert offered(game) == ["base-attack:land:hilo", "base-attack:land:none"]
    game.choose("base-attack:land:none")
    assert offered(game) == ["base-attack:land:pearl", "base-attack:land:none"]
    game.choose("base-attack:land:pearl")
    until(game, "attack on Arizona", fly(2), counterair(0))
    until(game, "base-attack")
    assert game.pending is None, "each port once, and no counterair mission after that"


@pytest.mark.rule("23.152C", "23.152B", "23.152D")
@pytest.mark.parametrize(("factors", "kept"), [(1, 1), (2, 2)])
def test_the_squadrons_of_a_factor_fly_against_two_bases(factors: int, kept: int) -> None:
    """As in an air turn: two or four against Pearl, one or two against Hilo, and all are inverted factors in the end:
    nothing is left over in between."""
    hilo = port("hilo", "blue", (3, 1), "1 united-states naval")
    state = waters(hilo, air=["1 united-states naval"], red=[f"{factors} japan army"], stage="movement")
    quiet = [("air combat over", 1, 1)] * 4
    with Scripted(*quiet) as dice:
        game = call(state, land_strikes.start(), dice)
        game.choose("base-attack:land:pearl")
        until(game, "divide", *[fly(2, ARMY)] * (factors == 2))
        assert offered(game) == [f"divide:{ARMY}:{number}" for number in range(3 * factors)]
        game.choose(f"divide:{ARMY}:{kept}")
        until(game, "nothing more")
    rows = [line for line in text(game).splitlines() if line.startswith("Red: air combat over")]
    assert f"Pearl, round 1, row {3 * factors - kept}" in rows[0]
    assert f"Hilo, round 1, row {kept}" in rows[1]
    assert air(game, "field") == {"japan army inverted": factors}
    assert "japan/army/squadrons" not in game.state.losses.air


@pytest.mark.rule("23.152B")
@pytest.mark.parametrize(("there", "committed", "left"), [(2, 2, 2), (1, 2, 1), (2, 1, 1), (0, 2, 0), (2, 0, 0)])
def test_squadrons_that_were_kept_back_may_be_gone_when_their_turn_comes(there: int, committed: int, left: int) -> None:
    """Ships that leave the first base may be met at sea, and in that battle the base of the others may be attacked."""
    hilo = port("hilo", "blue", (3, 1), "1 united-states naval")
    state = waters(hilo, red=["1 japan army"], stage="movement")
    site = state.sites["field"]
    kept = next(iter(site.air)).counted(Role.ATTACK)
    site.air, site.committed = {kept: there} if there else {}, {kept: committed} if committed else {}
    state.divided = {kept: 2}
    assert run(next_errand(state)) == ("hilo" if left else "")
    assert state.divided == ({kept: left} if left else {})


@pytest.mark.rule("23.152C")
def test_squadrons_are_kept_for_other_bases_only_before_a_counterair_begins() -> None:
    """Not in its second round, nor by those who attack ships in port."""
    hilo = port("hilo", "blue", (3, 1), "1 united-states naval")
    state = waters(hilo, fleet_in_port("Arizona"), air=["2 united-states naval"], red=["1 japan army"])
    state.operation.counterair_first = True
    game = until(begin(state, dice=Scripted(*[("air combat over Pearl", 1, 1)] * 2)), "another", f"divide:{ARMY}:0")
    game.choose("another:again")
    assert offered(game) == ["red: Red: air combat over Pearl, round 2, row 3"]
    state.operation.counterair_first = False
    assert offered(begin(state)) == [counterair(0, ARMY), counterair(1, ARMY)]


@pytest.mark.rule("23.162", "18.51.1", "18.51")
def test_air_that_cannot_fly_the_mission() -> None:
    assert short(available(waters(red=["4 japan naval", "2 japan naval inverted"]), "pearl", "")) == {"japan naval": 4}
    assert available(waters(red=["4 japan naval"], field={"supply": "partial"}), "pearl", "") == {}
    assert available(waters(red=["4 japan naval"], field={"oil": True}), "pearl", "") == {}
    state = waters(red=["4 japan naval"])
    which = next(iter(state.sites["field"].air))
    state.sites["field"].used[which] = 3
    assert short(available(state, "pearl", "")) == {"japan naval": 1}
    state.sites["field"].committed[which] = 1
    assert available(state, "pearl", "") == {}
    far = waters(port("far", "red", (-1, 0), "4 japan naval", "2 japan army"))
    assert short(available(far, "pearl", "")) == {"japan army": 2}  # four hexes


@pytest.mark.rule("23.51.1")
def test_land_based_and_carrier_air_never_fly_together() -> None:
    state = waters(kido(), red=["4 japan naval"])
    key = on_mission(state)
    assert {which.home for which in available(state, "pearl", "")} == {"field"}
    assert {which.home for which in available(state, "pearl", key)} == {"red-at-sea"}


@pytest.mark.rule("23.61", "23.61B", "23.62")
@pytest.mark.parametrize(
    ("activity", "arrived", "allowed"),
    [
        ("fast-carrier-mission", True, Permission.ALL),
        ("fast-carrier-mission", False, Permission.NOTHING),
        ("patrol", True, Permission.ALL),
        ("patrol", False, Permission.COUNTERAIR),
        *[(one.value, True, Permission.NOTHING) for one in Activity if one not in ("patrol", "fast-carrier-mission")],
    ],
)
def test_when_carriers_may_attack_bases(activity: str, arrived: bool, allowed: Permission) -> None:
    """On any other activity they may not, even if air from that base has attacked them (23.62)."""
    state = waters(kido(), fleet_in_port("Arizona"))
    key = on_mission(state, activity=activity, arrived=arrived)
    state.operation.voyages[key].attacked = True
    assert permission(state, key) is allowed
    assert carrier_targets(state, key) == (["pearl"] if allowed is not Permission.NOTHING else [])


@pytest.mark.rule("23.61A", "SOP-PA-B.1.b.1")
def test_on_the_way_to_a_patrol_hex_only_air_is_attacked() -> None:
    state = waters(kido(), fleet_in_port("Arizona"), air=["1 united-states naval"])
    key = on_mission(state, activity="patrol", arrived=False)
    rolls = [("Red: air combat over Pearl, round 1, row 6", 1, 1), ("Blue: air combat", 1, 1)]
    game = attack(state, fly(6, ABOARD), key=key, rolls=rolls)
    assert not told(game, "air defense")
    assert at(game) == {"arizona": 0}


@pytest.mark.rule("23.61", "SOP-PA-E.1.c", "SOP-PA-C.2")
def test_patrols_attack_in_the_movement_and_in_the_combat_phase() -> None:
    for stage in ("movement", "combat"):
        state = waters(kido(), stage=stage)
        assert carrier_targets(state, on_patrol(state)) == ["pearl"]
    state = waters(kido())
    state.operation.fleet["kido"].at, state.operation.fleet["kido"].patrol = (9, 0), "offensive"
    assert carrier_targets(state, "kido") == []  # out of range
    state.operation.fleet["kido"].at, state.operation.fleet["kido"].patrol = (4, 0), "defensive"
    assert carrier_targets(state, "kido") == []


@pytest.mark.rule("23.61", "18.51", "17.32")
@pytest.mark.parametrize(("where", "targets"), [((6, 0), ["pearl"]), ((7, 0), [])])
def test_carriers_attack_bases_within_three_hexes(where: tuple[int, int], targets: list[str]) -> None:
    state = waters(kido())
    on_patrol(state)
    state.operation.fleet["kido"].at = where
    assert carrier_targets(state, "kido") == targets
    assert [base for base in ("pearl",) if available(state, base, "kido")] == targets


@pytest.mark.rule("17.32", "23.61")
def test_one_force_that_may_have_carriers_is_enough() -> None:
    state = waters(kido(), sailing("old", "red", "field", "Yamato", task_force=False))
    assert carrier_targets(state, on_mission(state, "old", "kido")) == ["pearl"]


@pytest.mark.rule("17.3124.5", "17.312")
def test_no_more_squadrons_take_off_than_undamaged_carriers_of_their_nation_hold() -> None:
    """Akagi is damaged: Kaga launches three, elite or not, and squadrons of other nations have no carrier here."""
    state = waters(sailing("kido", "red", "field", "Akagi", "Kaga", cruisers=6, air=2, hits={"Akagi": 2}))
    state.operation.fleet["kido"].group.air |= force("2 japan elite-naval 3", "2 germany naval 2")
    assert sum(launchable(state.operation.fleet["kido"]).values()) == 3
    assert {which.nation for which in launchable(state.operation.fleet["kido"])} == {"japan"}


@pytest.mark.rule("17.3124.5")
def test_squadrons_of_damaged_carriers_do_not_fly_against_a_base() -> None:
    """17.3124: only undamaged carriers launch, so many squadrons as they hold."""
    state = sea(*seas.PORTS, sailing("kido", "red", "truk", "Akagi", "Hiryu", cruisers=8, air=6))
    assert short(launchable(state.operation.fleet["kido"])) == {"japan naval": 6}
    ships = state.operation.fleet["kido"].group.ships
    hiryu = next(which for which in ships if which.id == "hiryu")
    ships[hiryu.bearing(2)] = ships.pop(hiryu)
    assert short(launchable(state.operation.fleet["kido"])) == {"japan naval": 3}


@pytest.mark.rule("23.61B")
def test_a_fast_carrier_mission_attacks_bases_from_its_hex() -> None:
    state = waters(kido(), port("hilo", "blue", (5, 1)))
    key = on_mission(state)
    game = call(state, carrier_mission.start(key))
    assert offered(game) == [f"base-attack:{key}:pearl", f"base-attack:{key}:hilo", f"base-attack:{key}:none"]
    game.choose(f"base-attack:{key}:hilo")
    until(game, "base-attack")
    assert offered(game)[-1] == f"base-attack:{key}:none"  # and then another


@pytest.mark.rule("23.61")
def test_a_task_force_is_asked_whether_or_not_it_has_carriers() -> None:
    for fleet in (kido(), force_without_carriers()):
        state = waters(fleet)
        script = offer_base_strike(state, on_mission(state))
        request = next(script)
        assert isinstance(request, Choose)
        assert request.always
        assert request.rule == "23.61"
    open_force = waters(force_without_carriers(cruisers=4))
    assert run(offer_base_strike(open_force, on_mission(open_force))) is None


def force_without_carriers(cruisers: int = 6) -> dict[str, Any]:
    return sailing("kido", "red", "field", "Yamato", cruisers=cruisers)


@pytest.mark.rule("18.524B", "17.3124.2", "17.3124.5")
def test_carrier_squadrons_return_to_their_carriers() -> None:
    """Two forces launch three each; two are lost, and the owner says whose they were. Damaged carriers launch none."""
    state = waters(
        sailing("one", "red", "field", "Akagi", cruisers=8, air=3),
        sailing("two", "red", "field", "Kaga", "Hiryu", cruisers=8, air=3, hits={"Hiryu": 2}),
        fleet_in_port(cruisers=4),
    )
    key = on_mission(state, "one", "two")
    game = attack(
        state,
        *(fly(6, ABOARD), f"recover:one:{ABOARD}:1"),
        key=key,
        rolls=[("air defense of Pearl, row 4", 4, 5), ("attack on light ships", 1, 1)],  # 2/1
    )
    fleet = game.state.operation.fleet
    assert [short(fleet[name].group.air) for name in ("one", "two")] == [{"japan naval": 1}, {"japan naval": 3}]
    assert "back: how many to" not in text(game, "blue")


@pytest.mark.rule("18.524B", "17.3124.2")
@pytest.mark.parametrize(("back", "first"), [(4, [1, 2, 3]), (2, [0, 1, 2]), (1, [0, 1])])
def test_the_owner_says_which_carriers_have_lost_squadrons(back: int, first: list[int]) -> None:
    """No force takes more aboard than the three that it launched, and all who are back find a deck."""
    fleets = [
        sailing(name, "red", "field", ship, cruisers=8, air=3) for name, ship in (("one", "Akagi"), ("two", "Kaga"))
    ]
    state = waters(*fleets)
    key = on_mission(state, "one", "two")
    raid = BaseStrike(Mission("pearl", "red", Combat.NAVAL_BASE), Strike("red", "pearl"), key)
    raid.launched = {name: dict(state.operation.fleet[name].group.air) for name in ("one", "two")}
    (which,) = raid.launched["one"]
    request = next(fly_home(state, raid, {which: back}))
    assert isinstance(request, Choose)
    assert list(request.values) == first


@pytest.mark.rule("18.524B")
@pytest.mark.parametrize(("names", "waits"), [(["one"], False), (["one", "two"], True)])
def test_the_enemy_waits_for_several_forces_that_take_squadrons_aboard(names: list[str], waits: bool) -> None:
    """Whether there was anything to decide would tell who has launched; of one force everybody knows it."""
    state = waters(
        sailing("one", "red", "field", "Akagi", cruisers=8, air=2),
        sailing("two", "red", "field", "Yamato", cruisers=8),
        fleet_in_port("Arizona", task_force=False),
    )
    key = on_mission(state, *names)
    dice = Scripted(("air defense of Pearl", 1, 1), ("attack on Arizona", 1, 1))
    game = until(begin(state, key=key, dice=dice), "ready", fly(2, ABOARD))
    wait = "landing squadrons on carriers" if waits else "choosing whether ships leave Pearl"
    assert isinstance(game.pending, Choose)
    assert wait in say(game.pending.question)


def test_random_attacks_come_to_an_end_and_lose_nothing() -> None:
    """Whatever is chosen: every squadron and ship is afloat, ashore or lost, and nothing is left of the attack."""
    for seed in range(40):
        chance = Random(seed)
        state = waters(
            kido(),
            fleet_in_port("Enterprise", "Arizona", cruisers=6, destroyers=2, air=3),
            fleet_in_port("Oklahoma", name="old", cruisers=2, destroyers=4),
            port("diego", "blue", (25, 0)),
            air=["2 united-states army", "2 united-states naval"],
            red=["3 japan army", "3 japan naval"],
        )
        key = on_mission(state) if seed % 2 else ""
        game = begin(state, key=key)
        while game.pending is not None:
            if isinstance(game.pending, Roll):
                game.roll()
            else:
                game.choose(chance.choice(offered(game)))
        after = game.state
        assert after.operation.base_strike is None
        assert not after.frames
        named = {
            which.id
            for one in after.operation.fleet.values()
            for which in (*one.group.ships, *one.sunk_in_port)
            if which.id
        }
        assert {"enterprise", "arizona", "oklahoma"} <= named | {which.id for which in after.losses.ships}
        _balance(after)


def _balance(state: State) -> None:
    """American naval squadrons: five at the start."""
    left = sum(n for site in state.sites.values() for which, n in site.air.items() if _american(which))
    forces = [merged(one.group.air, one.grounded) for one in state.operation.fleet.values()]
    aboard = sum(n for carried in forces for which, n in carried.items() if _american(which))
    assert left + aboard + state.losses.air.get("united-states/naval/squadrons", 0) == 5


def _american(which: Unit) -> bool:
    return which.nation == "united-states" and which.is_naval
