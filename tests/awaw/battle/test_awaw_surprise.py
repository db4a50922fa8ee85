"""22.461A, 23.741: surprise strikes: who may fly one, its level, and what the level does."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Roll
from tests.awaw.battles import asked_now, asks, group, lost, rolls_for, ships, squadron, sunk
from tests.awaw.scenes import base, log, short
from tests.awaw.strike_news import attackers_left, reasons, red_asked, strike_of, strikes_flown
from tests.awaw.strike_orders import AMERICA, ENTERPRISE, ISLE, JAPAN, cover, engage, fly, patrol
from tests.awaw.strikes import BLUE_FINDS, BOTH_FIND, MISS, QUIET, RED_FINDS, Dice, Faces, isle, kido, meet, task

NOTHING: tuple[Faces, Faces] = ((6,), (6,))
SECOND = squadron("two", "red", "Shokaku", cruisers=6, destroyers=2, air=3)
"""A second group of Red's: with codebreaking there are three search dice."""


def surprised(
    level: int,
    *orders: str,
    squadrons: int = 6,
    rolls: Any = (),
    forces: Any = (),
    **more: Any,
) -> Game[State]:
    """Red surprises CG 1 at this level: up to 6 by the die, 7 and 8 by two and three search results, 0 by radar."""
    results = max(1, level - 5)
    die: Dice = ("Red: surprise level", max(1, min(6, level)))
    return meet(
        *(kido(9), SECOND, *(forces or [task("Enterprise", "Hornet", air=6)])),
        search=((1,) * results + (6,) * (3 - results), ()),
        codebreaking="red",
        research={"united-states": {"radar": 1}} if level < 1 else {},
        orders=["surprise:1", fly(squadrons), *orders],
        rolls=[die, *rolls],
        **more,
    )


# --- who may ----------------------------------------------------------------------------------------------------


def surprise_asked(game: Game[State]) -> list[str]:
    """The sides that were asked whether they fly a surprise strike."""
    return [entry.side for entry in game.log("umpire") if "Make a surprise strike?" in entry.text]


@pytest.mark.rule("22.461A", "22.462D", "22.462E", "23.7411B", "SOP-NC-I.G.1")
@pytest.mark.parametrize(
    ("search", "side"), [(RED_FINDS, ["red"]), (BLUE_FINDS, ["blue"]), (BOTH_FIND, []), (NOTHING, [])]
)
def test_the_side_that_finds_and_is_not_found_may_surprise(search: tuple[Faces, Faces], side: list[str]) -> None:
    assert surprise_asked(meet(kido(6), task(air=3), search=search)) == side


@pytest.mark.rule("22.462E", "23.7411B", "23.74E")
def test_one_group_found_is_enough_to_forbid_surprise() -> None:
    """Red finds two groups and only his second one is found."""
    forces = [kido(6), SECOND, task(air=3), task("Hornet", name="other", air=3)]
    assert surprise_asked(meet(*forces, search=((1, 2), (2, 6)))) == []


@pytest.mark.rule("22.461A", "22.462D")
def test_a_surprise_strike_may_be_declined_and_an_ordinary_one_flown() -> None:
    game = meet(kido(6), task(air=3), rolls=[QUIET, MISS], orders=["surprise:none", "strike:1", fly(1)])
    assert strikes_flown(game) == ["Red on CG 1 (Blue)"]


@pytest.mark.rule("22.462D", "SOP-NC-I.G.1")
def test_a_surprise_strike_goes_against_one_found_group() -> None:
    forces = [kido(6), SECOND, task(air=3), task("Hornet", name="other"), task("Wasp", name="third")]
    game = meet(*forces, search=((1, 3), (6,)), until=asks("surprise"))
    assert asked_now(game) == ["surprise:1", "surprise:3", "surprise:none"]


@pytest.mark.rule("22.41G.1", "22.461A", "23.7411A", "23.75E", "SOP-NC-I.G.1")
def test_carrier_air_surprises_alone() -> None:
    """Four squadrons on Isle may not come along; in an ordinary strike they may."""
    until = asks("fly")
    field = [isle("4 united-states naval")]
    game = meet(kido(6), task(air=3), search=BLUE_FINDS, bases=field, orders=["surprise:1"], until=until)
    assert asked_now(game) == [fly(number, AMERICA) for number in range(1, 4)]
    game.choose(fly(3, AMERICA))
    assert attackers_left(game) == {"united-states naval": 3}
    game = meet(kido(6), task(air=3), search=BLUE_FINDS, bases=field, orders=["strike:1"], until=until)
    game.choose(fly(3, AMERICA))
    assert asked_now(game)[-1] == fly(4, ISLE)


@pytest.mark.rule("23.7411A", "23.75E")
def test_a_side_without_carrier_air_cannot_surprise() -> None:
    field = [isle("4 united-states naval")]
    game = meet(kido(6), task(), search=BLUE_FINDS, bases=field, until=asks("surprise"))
    assert asked_now(game) == ["surprise:none"]


@pytest.mark.rule("SOP-NC-I.G.1", "22.35B")
def test_raiders_do_not_surprise_and_are_not_surprised() -> None:
    game = meet(kido(6), task(), search=((), ()), raiders=True)
    assert surprise_asked(game) == []
    assert log(game).count("Choose a group to strike") == 2
    assert [group.this_round.results for group in game.state.battle.groups.values()] == [1, 1]


# --- only one, and the first ------------------------------------------------------------------------------------


@pytest.mark.rule("22.41G.1", "23.7411", "23.7411C", "23.74E", "22.41G", "22.461")
def test_the_first_strike_surprises_and_later_ones_do_not() -> None:
    """Three results: one surprise strike, then two ordinary ones, on the same group and on another; one die for all."""
    forces = [kido(9), SECOND, task(), task("Hornet", name="other")]
    game = meet(
        *forces,
        search=((1, 1, 2), ()),
        codebreaking="red",
        orders=["surprise:1", fly(1), "strike:1", fly(1), "strike:2", fly(1)],
        rolls=[("surprise level", 1), *[QUIET, MISS] * 3],
    )
    assert strikes_flown(game) == ["Red by surprise on CG 1 (Blue)", "Red on CG 1 (Blue)", "Red on CG 2 (Blue)"]


@pytest.mark.rule("23.7411", "22.41G.1")
def test_a_surprise_strike_uses_a_search_result() -> None:
    game = meet(kido(6), task(), orders=["surprise:1", fly(1)], rolls=[("surprise level", 1), QUIET, MISS])
    assert "Choose a group to strike" not in log(game)


@pytest.mark.rule("23.7413", "23.7411C")
def test_surprise_lasts_for_one_strike() -> None:
    """Level 7 lowers the air defense to 1 and adds one to the attack; a strike later it is 2, and nothing is added."""
    game = surprised(
        7,
        *(ENTERPRISE, f"against:enterprise:{JAPAN}:1", "target:hornet", "strike:1", fly(1)),
        squadrons=2,
        forces=[task("Enterprise", "Hornet")],
        rolls=[
            ("air defense of CG 1 (Blue), row 1", 1, 1),
            ("attack on Enterprise, row 1", 1, 1),
            ("attack on Hornet, row 1", 1, 1),
            ("air defense of CG 1 (Blue), row 2", 1, 1),
        ],
        until=lambda game: rolls_for("attack on")(game) and len(strikes_flown(game)) == 2,
    )
    assert reasons(game).total == 3


# --- the level --------------------------------------------------------------------------------------------------


def levels(game: Game[State]) -> list[int]:
    """The levels that the die about to be rolled can give."""
    assert isinstance(game.pending, Roll)
    assert game.pending.dice == 1
    return sorted(game.pending.outcomes())


@pytest.mark.rule("23.74121", "23.74122A", "23.74122A.1", "23.74122A.2", "23.74122A.3")
@pytest.mark.rule("T23.7413-08", "T23.7413-09")
@pytest.mark.parametrize(
    ("faces", "target", "added"),
    [((1, 6, 6), 1, 0), ((1, 1, 6), 1, 1), ((1, 1, 1), 1, 2), ((1, 2, 2), 1, 0), ((1, 2, 2), 2, 1)],
)
def test_results_against_the_group_that_is_struck_raise_the_level(faces: Faces, target: int, added: int) -> None:
    """Results against other groups do not count."""
    game = meet(
        *(kido(9), SECOND, task(), task("Hornet", name="other")),
        search=(faces, ()),
        codebreaking="red",
        orders=[f"surprise:{target}", fly(1)],
        until=rolls_for("surprise"),
    )
    assert levels(game) == [die + added for die in range(1, 7)]


@pytest.mark.rule("23.74122A.3", "T23.7413-09")
def test_more_than_three_results_count_as_three() -> None:
    game = meet(
        *(kido(9), SECOND, task()),
        search=((1, 1, 1, 1), ()),
        codebreaking="red",
        bases=[base("atoll", "red", (1, 1), "1 japan naval")],
        orders=["search:atoll:japan:naval:squadrons:1", "surprise:1", fly(1)],
        until=rolls_for("surprise"),
    )
    assert levels(game) == [3, 4, 5, 6, 7, 8]


@pytest.mark.rule("23.74122B", "T23.7413-10", "23.74121")
@pytest.mark.parametrize(("radar", "lowered"), [(0, 0), (1, 1), (3, 3)])
def test_radar_of_the_surprised_side_lowers_the_level(radar: int, lowered: int) -> None:
    """That of the attacker does nothing."""
    game = meet(
        *(kido(6), task()),
        research={"britain": {"radar": radar}, "japan": {"radar": 5}},
        orders=["surprise:1", fly(1)],
        until=rolls_for("surprise"),
    )
    assert levels(game) == [die - lowered for die in range(1, 7)]


# --- what it does -----------------------------------------------------------------------------------------------


@pytest.mark.rule("T23.7413-01", "23.415E.1", "23.415E", "19.31C")
@pytest.mark.parametrize(("level", "modifier"), [(0, -1), (1, 0), (2, 0), (6, 0)])
def test_from_level_one_patrol_loses_its_edge(level: int, modifier: int) -> None:
    forces = [task("Enterprise", "Hornet", "Yorktown", "Wasp", cruisers=8, destroyers=4, air=12)]
    game = surprised(level, patrol(4), engage(1), forces=forces, until=rolls_for("Red: air combat"))
    assert reasons(game).total == modifier


@pytest.mark.rule("T23.7413-02", "T23.42-08", "23.7413")
@pytest.mark.parametrize(("level", "guns"), [(0, 2), (1, 2), (2, 1), (3, 1), (8, 1)])
def test_from_level_two_the_air_defense_is_one_lower(level: int, guns: int) -> None:
    game = surprised(level, until=rolls_for("air defense"))
    assert reasons(game).total == guns


@pytest.mark.rule("T23.7413-02", "23.4211D")
def test_surprise_can_silence_the_guns() -> None:
    """Nine factors have level 1; lowered to none they do not roll."""
    small = squadron("x", "blue", "Enterprise", cruisers=2, destroyers=4, task_force=False)
    dice: list[Dice] = [("attack on Enterprise, row 1", 1, 1)]
    game = surprised(2, squadrons=1, forces=[small], rolls=dice)
    assert "air defense" not in log(game)


@pytest.mark.rule("T23.7413-03", "T23.44-04", "T22.55-04", "23.441C", "23.7413")
@pytest.mark.parametrize(("level", "modifier"), [(0, 3), (1, 3), (2, 3), (3, 4), (7, 4)])
def test_from_level_three_attacks_have_one_more(level: int, modifier: int) -> None:
    game = surprised(level, rolls=[QUIET], squadrons=1, until=rolls_for("attack on Enterprise"))
    assert reasons(game).total == modifier


def over_the_target(level: int, *orders: str, **more: Any) -> Game[State]:
    """Red surprises a group under a patrol of two and four cover squadrons."""
    return surprised(level, patrol(2), cover(4), *orders, bases=[isle("4 united-states naval")], **more)


@pytest.mark.parametrize(
    ("level", "most"),
    [
        pytest.param(0, 6),
        pytest.param(3, 6, marks=pytest.mark.rule("T23.7413-04", "23.415E.2")),
        pytest.param(4, 5, marks=pytest.mark.rule("T23.7413-04", "23.415E.2", "23.415E")),
        pytest.param(5, 4, marks=pytest.mark.rule("T23.7413-05", "23.415E.3")),
        pytest.param(6, 3, marks=pytest.mark.rule("T23.7413-06", "23.415E.4")),
        pytest.param(7, 2, marks=pytest.mark.rule("T23.7413-07", "23.415E.5", "23.7413", "T23.7413-11")),
        pytest.param(8, 2, marks=pytest.mark.rule("T23.7413-07", "23.415E.5")),
    ],
)
def test_from_level_four_fewer_defenders_engage(level: int, most: int) -> None:
    """Of six, a patrol of two among them; the numbers are totals."""
    patrols = 2 if most > 2 else 0
    game = over_the_target(level, engage(patrols), until=asks("engage:isle"))
    assert asked_now(game)[-1] == engage(most - patrols, ISLE)


@pytest.mark.rule("23.415E.6", "23.415E")
@pytest.mark.parametrize(("patrols", "covers"), [(2, 0), (1, 1), (0, 2)])
def test_the_defender_says_who_is_left_out(patrols: int, covers: int) -> None:
    """At level 7 two of six engage, of whatever kind."""
    orders = [engage(patrols)] + [engage(covers, ISLE)] * (patrols < 2)
    game = over_the_target(7, *orders, until=rolls_for("Red: air combat"))
    assert red_asked(game) is False
    engaged = {which.home: number for which, number in strike_of(game).defenders.items()}
    wanted = {"blue-at-sea": patrols, "isle": covers}
    assert engaged == {home: number for home, number in wanted.items() if number}


@pytest.mark.rule("23.415E", "23.415E.5")
def test_with_fewer_defenders_than_surprise_keeps_out_nobody_engages() -> None:
    game = surprised(7, patrol(2), until=rolls_for("air defense"))
    assert "Blue: no squadrons engage the strike" in log(game)
    assert "Engage the strike with" not in log(game)
    assert short(group(game, "blue", 1).patrol) == {"united-states naval": 2}


@pytest.mark.rule("23.7413", "23.74121")
def test_level_nought_is_no_surprise_at_all() -> None:
    game = surprised(0, rolls=[QUIET], squadrons=1, until=rolls_for("attack on"))
    assert "Red: surprise level (23.7412): 1 - 1 = 0 → no surprise" in log(game)
    assert reasons(game).total == 3


@pytest.mark.rule("T23.7413-11", "23.7413")
def test_a_high_level_has_the_effects_of_all_lower_ones() -> None:
    """Level 8: the patrol that is left has no edge, the guns are lower, and the attack has one more."""
    game = surprised(
        8,
        *(patrol(4), cover(1), engage(1)),
        forces=[task("Enterprise", "Hornet", "Yorktown", "Wasp", cruisers=8, destroyers=4, air=12)],
        bases=[isle("1 united-states naval")],
        rolls=[("Red: air combat", 1, 1), ("Blue: air combat", 1, 1), QUIET],
        until=rolls_for("attack on Enterprise"),
    )
    totals = [entry.ledger.total for entry in game.log("umpire") if entry.kind == "roll"]
    assert totals[-3:] == [0, 0, 3 - 1]
    assert reasons(game).total == 3 + 1


# --- critical hits ----------------------------------------------------------------------------------------------


def damaged(level: int, *faces: int, critical: tuple[int, ...] = (), **more: Any) -> Game[State]:
    """Two squadrons attack Enterprise at +4 by surprise, with these faces; then a die for a critical hit, if any."""
    dice: list[Dice] = [QUIET, ("attack on Enterprise, row 2", *faces)]
    dice += [("critical hit on Enterprise", *critical)] * bool(critical)
    orders = [ENTERPRISE, f"against:enterprise:{JAPAN}:2"]
    return surprised(level, *orders, squadrons=2, rolls=dice, **more)


TWO_HITS, THREE_HITS = (2, 2), (4, 3)
"""Row 2 at 8 and at 11."""


@pytest.mark.rule("T23.7413-07")
@pytest.mark.parametrize(
    ("option", "die", "sinks"), [("on-6", 6, True), ("on-6", 5, False), ("on-5-6", 5, True), ("on-5-6", 4, False)]
)
def test_damage_at_level_seven_brings_a_die_for_a_critical_hit(option: str, die: int, sinks: bool) -> None:
    game = damaged(7, *TWO_HITS, critical=(die,), options={"critical_hits": option})
    assert sunk(game) == ({"enterprise": 1} if sinks else {})
    assert ("enterprise damaged" in ships(group(game, "blue", 1))) is not sinks
    assert ("Enterprise sunk (23.443)" in log(game)) is sinks


@pytest.mark.rule("T23.7413-07")
def test_below_level_seven_there_are_no_critical_hits() -> None:
    game = damaged(6, *TWO_HITS)
    assert ships(group(game, "blue", 1))["enterprise damaged"] == 2


@pytest.mark.rule("T23.7413-07")
def test_by_option_there_are_none() -> None:
    game = damaged(7, *TWO_HITS, options={"critical_hits": "never"})
    assert sunk(game) == {}


@pytest.mark.rule("T23.7413-07")
def test_a_ship_sunk_outright_or_hit_too_lightly_calls_for_no_die() -> None:
    """Row 2 at 6 is one hit, at 11 three."""
    assert ships(group(damaged(7, 1, 1), "blue", 1))["enterprise"] == 1
    assert sunk(damaged(7, *THREE_HITS)) == {"enterprise": 1}


@pytest.mark.rule("T23.7413-07")
def test_light_ships_suffer_no_critical_hits() -> None:
    """Row 1 at 7 + 2 is one hit, which damages a cruiser."""
    cruisers = squadron("x", "blue", cruisers=12)
    game = surprised(7, squadrons=1, forces=[cruisers], rolls=[QUIET, ("attack on light ships", 3, 4)])
    assert ships(group(game, "blue", 1))["united-states cruiser damaged"] == 1


@pytest.mark.rule("T23.7413-07", "17.3124")
def test_a_carrier_sunk_by_a_critical_hit_takes_its_squadrons_down() -> None:
    game = damaged(7, *TWO_HITS, critical=(6,), forces=[task("Enterprise", "Hornet", air=6)])
    assert lost(game) == {"united-states/naval/squadrons": 3}
