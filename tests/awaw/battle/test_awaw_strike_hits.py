"""23.42-23.45, 23.76: air defense, targets, attacks on ships, hits, and squadrons whose carrier is hit."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from tests.awaw.battles import asked_now, asks, group, lost, rolls_for, ships, squadron, sunk
from tests.awaw.scenes import air, amounts, base, log, short
from tests.awaw.strike_news import attackers_left, reasons, red_asked, seen_ships, strike_of, strikes_flown, turned_back
from tests.awaw.strike_orders import (
    AMERICA,
    ELITE,
    ENTERPRISE,
    ISLE,
    JAPAN,
    LIGHT,
    STRIKE_WITH_ONE,
    STRIKE_WITH_SIX,
    engage,
    fly,
    patrol,
)
from tests.awaw.strikes import (
    BLUE_FINDS,
    BOTH_FIND,
    BRITISH,
    QUIET,
    RED_FINDS,
    Dice,
    isle,
    kido,
    meet,
    task,
    transports,
)

# --- the air defense of the ships -----------------------------------------------------------------------------------


def at_the_guns(*forces: dict[str, Any], search: Any = RED_FINDS, **more: Any) -> Game[State]:
    """A strike of two squadrons on CG 1 as the dice for its air defense are to be rolled."""
    return meet(kido(6), *forces, search=search, orders=["strike:1", fly(2)], until=rolls_for("air defense"), **more)


@pytest.mark.parametrize(
    ("target", "level"),
    [
        pytest.param(task(), 2, marks=pytest.mark.rule("23.421", "23.4211", "T23.42-01", "SOP-NC-I.G.2.e")),
        pytest.param(
            squadron("x", "blue", cruisers=2, destroyers=5, cves=3),
            2,
            marks=pytest.mark.rule("23.4211B", "23.4211", "T23.42-01"),
        ),
        pytest.param(squadron("x", "blue", "Iowa", "Missouri", destroyers=2), 4, marks=pytest.mark.rule("T23.42-06")),
        pytest.param(squadron("x", "blue", "Midway", cruisers=6), 2, marks=pytest.mark.rule("T23.42-07")),
        pytest.param(
            squadron("x", "blue", "Alabama", cruisers=6, destroyers=1, damaged_cruisers=1, hits={"Alabama": 3}),
            2,
            marks=pytest.mark.rule("23.4211A"),
        ),
        pytest.param(
            squadron("x", "blue", cruisers=6, laden_destroyers=6, cargo="troops"), 2, marks=pytest.mark.rule("23.4211A")
        ),
        pytest.param(
            squadron("x", "blue", cruisers=10, transports=5), 1, marks=pytest.mark.rule("23.4211C", "T23.42-01")
        ),
    ],
)
def test_the_level_of_an_attacked_group(target: dict[str, Any], level: int) -> None:
    search: Any = ((1,), (6,)) if not target["ships"][0].get("damaged_cruisers") else ((1,), ())
    assert reasons(at_the_guns(target, search=search)).total == level


@pytest.mark.rule("23.4213", "T23.42-02", "23.4211")
def test_research_of_any_nation_of_the_side_raises_the_level() -> None:
    game = at_the_guns(task(), research={"britain": {"air_defense": 2}, "japan": {"air_defense": 5}})
    assert reasons(game).total == 4
    assert amounts(reasons(game)) == [(2, "23.4211"), (2, "23.4213")]


@pytest.mark.rule("23.421.1", "23.4211")
def test_other_groups_do_not_defend() -> None:
    other = squadron("y", "blue", "Iowa", "Missouri", cruisers=6, destroyers=4)
    assert reasons(at_the_guns(task(), other)).total == 2


@pytest.mark.rule("23.4211D", "23.421")
def test_below_level_one_nothing_is_rolled() -> None:
    dice: list[Dice] = [("attack on light ships, row 2", 1, 1)]
    game = meet(kido(), transports(), search=((1,), ()), orders=["strike:1", fly(2)], rolls=dice)
    assert "air defense of" not in log(game)


@pytest.mark.rule("23.4211D", "23.4213")
def test_research_alone_lets_transports_roll() -> None:
    game = at_the_guns(transports(), search=((1,), ()), research={"united-states": {"air_defense": 1}})
    assert reasons(game).total == 1


GREAT_GUNS = squadron("x", "blue", "Iowa", "Missouri", "Wisconsin", "New Jersey", "Montana")
"""25 factors and five five-factor battleships: level 8."""


def past_great_guns(*rows: tuple[str, int, int], **more: Any) -> Game[State]:
    """Eight squadrons strike them; research raises the air defense to level 13, which these rows are rolled for."""
    return meet(
        kido(8),
        GREAT_GUNS,
        research={"united-states": {"air_defense": 5}},
        orders=["strike:1", fly(8)],
        rolls=[(f"air defense of CG 1 (Blue), {row}", *faces) for row, *faces in rows],
        until=asks("target"),
        **more,
    )


@pytest.mark.rule("T23.42-09", "23.421")
def test_above_level_ten_one_roll_is_read_in_two_rows() -> None:
    """Level 13 at 7: row 10 gives 2/3, row 3 gives 1/1; of eight squadrons one gets through."""
    game = past_great_guns(("row 13", 3, 4))
    assert lost(game) == {"japan/naval/squadrons": 3}
    assert sum(turned_back(game).values()) == 4


@pytest.mark.rule("T23.42-09", "23.421")
def test_by_option_each_row_is_rolled_for() -> None:
    """Row 10 at 7 is 2/3, row 3 at 2 is 0/1."""
    game = past_great_guns(("row 10", 3, 4), ("row 3", 1, 1), options={"beyond_last_row": "separate-rolls"})
    assert lost(game) == {"japan/naval/squadrons": 2}
    assert sum(turned_back(game).values()) == 4


@pytest.mark.rule("23.421", "SOP-NC-I.G.2.e", "23.423", "T23.42-10")
def test_what_the_guns_shoot_down_is_lost_and_what_they_drive_off_comes_home() -> None:
    """Level 2 at 10 is 1/2: of six three get through."""
    dice: list[Dice] = [("Blue: air defense of CG 1 (Blue)", 4, 6)]
    game = meet(kido(6), task(), orders=STRIKE_WITH_SIX, rolls=dice, until=asks("target"))
    assert lost(game) == {"japan/naval/squadrons": 1}
    assert turned_back(game) == {"japan naval": 2}
    assert sum(attackers_left(game).values()) == 3


def elite_and_plain(*orders: str, **more: Any) -> Game[State]:
    """Three elite squadrons and three plain ones of another group, which finds CG 1 too."""
    two = squadron("two", "red", "Shokaku", cruisers=6, destroyers=2, air=3)
    return meet(kido(3, elite=True), two, task(), search=((1, 6), (6,)), orders=orders, **more)


@pytest.mark.rule("23.423")
def test_losses_to_the_guns_are_shared_among_the_types() -> None:
    """Level 2 at 12 is 2/1: of three elite and two plain squadrons one of each dies and an elite one turns back."""
    dice: Dice = ("Blue: air defense", 6, 6)
    game = elite_and_plain("strike:1", fly(3, ELITE), fly(2), rolls=[dice], until=asks("target"))
    assert lost(game) == {"japan/elite-naval/squadrons": 1, "japan/naval/squadrons": 1}
    assert turned_back(game) == {"japan elite-naval": 1}


@pytest.mark.rule("23.424#2", "SOP-NC-I.G.2.e.i")
def test_the_contents_are_shown_when_somebody_gets_through() -> None:
    """Level 2 at 9 is 1/1: of two squadrons none gets through, of three one does."""
    dice: list[Dice] = [("Blue: air defense", 4, 5)]
    driven_off = meet(kido(6), task(), orders=["strike:1", fly(2)], rolls=dice)
    assert seen_ships(driven_off, "red", "blue", 1) is None
    assert "Enterprise" not in log(driven_off, "red")
    through = meet(kido(6), task(), orders=["strike:1", fly(3)], rolls=dice, until=asks("target"))
    assert seen_ships(through, "red", "blue", 1) == [
        "Enterprise",
        "2 American cruisers",
        "6 American destroyer factors",
    ]


# --- targets --------------------------------------------------------------------------------------------------------


def through(*forces: dict[str, Any], orders: Any = STRIKE_WITH_SIX, **more: Any) -> Game[State]:
    """A strike that the guns did not touch."""
    settings = {"rolls": [QUIET], "until": asks("target"), **more}
    return meet(kido(6), *forces, orders=orders, **settings)


@pytest.mark.rule("23.43", "23.43A", "23.43B", "23.76C", "23.76C.2")
@pytest.mark.rule("SOP-NC-I.G.2.f.i", "SOP-NC-I.G.2.f.i.a", "SOP-NC-I.G.2.f.i.b")
def test_named_ships_are_targets_one_by_one_and_light_ships_together() -> None:
    game = through(task("Enterprise", "Alabama", destroyers=4, cves=1))
    assert red_asked(game)
    assert asked_now(game) == [ENTERPRISE, "target:alabama", LIGHT]


@pytest.mark.rule("23.76C.1", "23.71B")
def test_ships_of_other_groups_are_no_targets() -> None:
    game = through(task(), task("Hornet", name="other", air=3), search=((1,), (6, 6)))
    assert asked_now(game) == [ENTERPRISE, LIGHT]


@pytest.mark.rule("23.76C.4", "SOP-NC-I.G.2.f.i", "SOP-NC-I.G.2.d", "23.43")
def test_every_squadron_that_got_through_gets_one_target() -> None:
    """Two of six on Enterprise: of the four left at least one on the next target, and all on the last."""
    game = through(task("Enterprise", "Hornet", air=3))
    game.choose(ENTERPRISE)
    assert asked_now(game) == [f"against:enterprise:{JAPAN}:{number}" for number in range(1, 7)]
    game.choose(f"against:enterprise:{JAPAN}:2")
    assert asked_now(game) == ["target:hornet", LIGHT]
    game.choose("target:hornet")
    assert asked_now(game) == [f"against:hornet:{JAPAN}:{number}" for number in range(1, 5)]
    game.choose(f"against:hornet:{JAPAN}:1")
    assert [(aim.target, sum(aim.squadrons.values())) for aim in strike_of(game).aims] == [
        ("enterprise", 2),
        ("hornet", 1),
        ("light-ships", 3),
    ]


@pytest.mark.rule("23.76C.4")
def test_of_several_kinds_each_squadron_is_named_once() -> None:
    """An elite and two plain squadrons: what one target has had is not offered to the next."""
    game = meet(
        kido(3, elite=True),
        squadron("two", "red", "Shokaku", cruisers=6, destroyers=2, air=3),
        task("Enterprise", "Hornet"),
        search=((1, 6), (6,)),
        orders=["strike:1", fly(1, ELITE), fly(2), ENTERPRISE, f"against:enterprise:{ELITE}:1"],
        rolls=[QUIET],
        until=asks("against:enterprise:red-at-sea:japan:naval"),
    )
    game.choose(f"against:enterprise:{JAPAN}:1")
    game.choose("target:hornet")
    assert [short(aim.squadrons) for aim in strike_of(game).aims] == [
        {"japan elite-naval": 1, "japan naval": 1},
        {"japan naval": 1},
    ]


@pytest.mark.rule("23.76C.3", "SOP-NC-I.G.2.f.ii", "23.76D", "23.44", "23.43")
def test_all_targets_are_announced_before_any_dice_and_each_has_one_roll() -> None:
    """Enterprise sinks in the first roll, and those meant for the light ships still attack these."""
    game = meet(
        kido(6),
        task(),
        orders=[*STRIKE_WITH_SIX, ENTERPRISE, f"against:enterprise:{JAPAN}:4"],
        rolls=[QUIET, ("attack on Enterprise, row 4", 6, 6), ("attack on light ships, row 2", 1, 1)],
    )
    kinds = [entry.kind for entry in game.log("umpire") if entry.rule in ("23.43", "23.44")]
    assert kinds == ["choice", "choice", "roll", "roll"]


@pytest.mark.rule("23.44")
def test_only_squadrons_that_got_through_count_for_the_row() -> None:
    """Level 2 at 10 is 1/2: six fly, three attack."""
    dice: list[Dice] = [("Blue: air defense", 4, 6)]
    orders = [*STRIKE_WITH_SIX, ENTERPRISE, f"against:enterprise:{JAPAN}:3"]
    game = meet(kido(6), task(), orders=orders, rolls=dice, until=rolls_for("attack on"))
    assert str(game.pending) == "red: Red: attack on Enterprise, row 3"


@pytest.mark.rule("23.76", "23.76E", "23.751A")
def test_the_steps_of_a_strike_and_of_the_next_one_on_the_same_group() -> None:
    """By land-based air: air combat, air defense, targets, attack rolls; and the same again."""
    steps = ["19.2", "19.2", "23.42", "23.43", "23.43", "23.44"]
    tag = "atoll:japan:naval:squadrons"
    game = meet(
        squadron("one", "red", cruisers=6, destroyers=4),
        task(air=3),
        search=((1, 1), ()),
        codebreaking="red",
        bases=[base("atoll", "red", (1, 1), "6 japan naval")],
        orders=[patrol(1), *["strike:1", fly(3, tag), engage(1), LIGHT, f"against:light-ships:{tag}:2"] * 2],
        rolls=[("Red: air combat", 1, 1), ("Blue: air combat", 3, 3), QUIET, ("attack on light", 1, 1)] * 2,
    )
    met = [entry.rule for entry in game.log("umpire") if entry.kind == "roll" or entry.rule == "23.43"]
    assert [number for number in met if number in steps] == steps * 2


# --- the attack -----------------------------------------------------------------------------------------------------


def attack_on(target: str, *forces: dict[str, Any], orders: Any = STRIKE_WITH_ONE, **more: Any) -> Game[State]:
    """A strike as the dice against this target are to be rolled."""
    settings: dict[str, Any] = {"rolls": [QUIET], **more}
    return meet(*forces, orders=[*orders, f"target:{target}"], until=rolls_for("attack on"), **settings)


@pytest.mark.rule("23.441A", "23.441B", "17.354", "T23.44-01", "T23.44-02", "T23.44-03", "T22.552A-11")
@pytest.mark.parametrize(
    ("elite", "named", "target", "modifier"),
    [
        (False, "Enterprise", "enterprise", 2 + 1 - 0),
        (True, "Enterprise", "enterprise", 3 + 1 - 0),
        (False, "Alabama", "alabama", 2 + 1 - 2),
        (False, "Enterprise", "light-ships", 2 + 1 - 2),
    ],
)
def test_modifiers_of_naval_air_against_ships_at_sea(elite: bool, named: str, target: str, modifier: int) -> None:
    orders = ["strike:1", fly(1, ELITE if elite else JAPAN)]
    game = attack_on(target, kido(3, elite=elite), task(named), orders=orders)
    assert reasons(game).total == modifier


@pytest.mark.rule("23.441B", "T23.441B-01")
def test_a_five_factor_battleship_is_harder_to_hit() -> None:
    quiet: list[Dice] = [("air defense of CG 1 (Blue), row 3", 1, 1)]
    game = attack_on("iowa", kido(3), task("Iowa"), orders=["strike:1", fly(2)], rolls=quiet)
    assert reasons(game).total == 2 + 1 - 3


@pytest.mark.rule("23.441B", "23.43B")
def test_light_ships_have_the_lowest_drm_among_them() -> None:
    """A CVE (2 - 2) beside cruisers and destroyers (2)."""
    assert reasons(attack_on("light-ships", kido(3), task(cves=1))).total == 2 + 1 - 0


ATTACK = "isle:united-states:army:attack"


@pytest.mark.rule("17.354", "T23.44-03", "23.441A")
@pytest.mark.parametrize(
    ("flying", "modifier"),
    [
        ([fly(0, ATTACK)], 2 + 1 - 3),
        ([fly(1, ATTACK), fly(0, ISLE)], 2 - 3),
        ([fly(1, ATTACK), fly(1, ISLE)], 2 - 3),
    ],
)
def test_the_bonus_is_naval_airs_alone_and_a_mixed_attack_has_the_lowest(flying: list[str], modifier: int) -> None:
    """Against Japanese light ships (3)."""
    game = meet(
        squadron("one", "red", cruisers=6, destroyers=4),
        task(),
        search=BLUE_FINDS,
        bases=[isle("1 united-states army", "1 united-states naval")],
        orders=["strike:1", *flying],
        rolls=[QUIET],
        until=rolls_for("attack on"),
    )
    assert reasons(game).total == modifier


@pytest.mark.rule("23.441A")
def test_the_lowest_drm_of_the_squadrons_against_one_target_counts() -> None:
    """An elite and a plain squadron against Enterprise, an elite one alone against the light ships."""
    game = elite_and_plain(
        *("strike:1", fly(2, ELITE), fly(1), ENTERPRISE),
        *(f"against:enterprise:{ELITE}:1", f"against:enterprise:{JAPAN}:1"),
        rolls=[QUIET],
        until=rolls_for("attack on Enterprise"),
    )
    assert reasons(game).total == 2 + 1 - 0
    game.roll((1, 1))
    assert reasons(game).total == 3 + 1 - 2


# --- hits -----------------------------------------------------------------------------------------------------------


def hit_enterprise(squadrons: int, *faces: int) -> Game[State]:
    """So many squadrons against Enterprise at +3."""
    orders = ["strike:1", fly(squadrons), ENTERPRISE]
    orders += [f"against:enterprise:{JAPAN}:{squadrons}"] * (squadrons > 1)
    dice: list[Dice] = [QUIET, (f"attack on Enterprise, row {squadrons}", *faces)]
    return meet(kido(6), task(), orders=orders, rolls=dice)


@pytest.mark.rule("T23.44-08", "T22.55-08", "23.443A.1", "23.44")
@pytest.mark.parametrize(
    ("squadrons", "faces", "after"),
    [
        (1, (1, 1), {"enterprise": 0}),
        (1, (1, 2), {"enterprise": 1}),
        (4, (1, 1), {"enterprise damaged": 2}),
        (4, (2, 2), {}),
        (6, (6, 6), {}),
    ],
)
def test_a_named_ship_is_damaged_one_hit_short_of_its_size_and_sunk_at_its_size(
    squadrons: int, faces: tuple[int, int], after: dict[str, int]
) -> None:
    """Row 1 at 5 and 6: no hit, one hit; row 4 at 5 and 7: two, three; row 6 at 12: six."""
    game = hit_enterprise(squadrons, *faces)
    left = ships(group(game, "blue", 1))
    assert {key: hits for key, hits in left.items() if key.startswith("enterprise")} == after
    assert sunk(game) == ({} if after else {"enterprise": 1})


def found_twice(*ships: dict[str, Any], **more: Any) -> Game[State]:
    """Two search results of Red's, so that it may strike twice with its six squadrons."""
    return meet(kido(6), *ships, search=((1, 1), ()), codebreaking="red", **more)


@pytest.mark.rule("23.443A.1", "23.76E")
def test_hits_of_several_strikes_add_up() -> None:
    """Enterprise takes one hit (row 1 at 6), then another: she is damaged."""
    game = found_twice(
        task(),
        orders=["strike:1", fly(1), ENTERPRISE] * 2,
        rolls=[QUIET, ("attack on Enterprise", 1, 2)] * 2,
    )
    assert ships(group(game, "blue", 1))["enterprise damaged"] == 2


@pytest.mark.rule("T23.44-11", "T22.55-11", "23.443A.1", "23.43B")
def test_a_mixed_light_group_loses_cruisers_and_destroyers_in_turn() -> None:
    """Row 5 at 8 + 1: four hits sink a cruiser and two destroyer factors; they are gone at once."""
    game = meet(
        kido(6),
        task(cruisers=6, destroyers=5),
        orders=["strike:1", fly(5), LIGHT, f"against:light-ships:{JAPAN}:5"],
        rolls=[QUIET, ("attack on light ships, row 5", 4, 4)],
    )
    assert sunk(game) == {"united-states:cruiser": 1, "united-states:destroyer": 2}
    assert ships(group(game, "blue", 1)) == {
        "enterprise": 0,
        "united-states cruiser": 2,
        "united-states destroyer": 3,
    }


@pytest.mark.rule("T23.44-09", "T22.55-09")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (0, {"united-states cruiser": 3, "united-states cruiser damaged": 1}),
        (1, {"united-states cruiser": 3}),
    ],
)
def test_an_odd_hit_on_cruisers_damages_one_or_finishes_a_damaged_one(before: int, after: dict[str, int]) -> None:
    """Row 4 at 6 + 1: three hits on five cruisers, of which none or one is damaged."""
    game = meet(
        kido(6),
        squadron("x", "blue", cruisers=10, damaged_cruisers=before),
        search=((1,), ()) if before else RED_FINDS,
        orders=["strike:1", fly(4)],
        rolls=[QUIET, ("attack on light ships, row 4", 3, 3)],
    )
    assert ships(group(game, "blue", 1)) == after


@pytest.mark.rule("T23.44-10", "T22.55-10", "23.45", "T23.44-11")
def test_each_hit_sinks_a_ship_of_one_factor_and_kinds_share_alike() -> None:
    """Row 4 at 9 + 3 against six destroyers, four CVEs and two transports: five hits, the odd ones on the more
    numerous kinds."""
    game = meet(
        kido(6),
        squadron("x", "blue", destroyers=6, cves=4, transports=2),
        orders=["strike:1", fly(4)],
        rolls=[QUIET, ("attack on light ships, row 4", 4, 5)],
    )
    assert sunk(game) == {
        "united-states:cve": 2,
        "united-states:destroyer": 2,
        "united-states:transport": 1,
    }


@pytest.mark.rule("23.45")
def test_nations_share_the_losses() -> None:
    """Row 2 at 2 + 9: three hits on three American and three Australian destroyer factors, the odd one by choice."""
    mixed = squadron("x", "blue", destroyers=5)
    mixed["ships"].append({"nation": "australia", "destroyers": 5})
    game = meet(
        kido(6),
        mixed,
        orders=["strike:1", fly(2), "hit:australia:destroyer"],
        rolls=[("air defense of CG 1 (Blue), row 1", 1, 1), ("attack on light ships, row 2", 4, 6)],
    )
    assert sunk(game) == {"australia:destroyer": 2, "united-states:destroyer": 1}


@pytest.mark.rule("17.354", "23.441A")
def test_the_lowest_in_a_mixed_attack_is_taken_with_the_bonus_of_naval_air() -> None:
    """Naval air of Atoll, which is asked for first, has the DRM of army air of Isle, and one more at sea."""
    atoll = isle("1 united-states naval", name="atoll", at=(0, -2))
    game = meet(
        squadron("one", "red", cruisers=6, destroyers=4),
        task(),
        search=BLUE_FINDS,
        bases=[atoll, isle("1 united-states army")],
        orders=["strike:1", fly(1, "atoll:united-states:naval:squadrons"), fly(1, ATTACK)],
        rolls=[QUIET],
        until=rolls_for("attack on"),
    )
    assert reasons(game).total == 2 - 3


@pytest.mark.rule("23.443A.1", "17.3124")
@pytest.mark.parametrize(
    ("named", "faces", "asked"),
    [("Nevada", (6, 6), False), ("Enterprise", (1, 1), False), ("Enterprise", (4, 5), True)],
)
def test_squadrons_are_sorted_out_only_if_a_carrier_is_stricken(
    named: str, faces: tuple[int, int], asked: bool
) -> None:
    orders = ["strike:1", fly(3), f"target:{named.lower()}", f"against:{named.lower()}:{JAPAN}:3"]
    rolls: list[Dice] = [("air defense", 1, 1), (f"attack on {named}", *faces)]
    game = meet(kido(3), task(named, destroyers=6), orders=orders, rolls=rolls)
    assert ("sorting out squadrons of stricken carriers" in log(game, "red")) is asked


@pytest.mark.rule("23.443A.1", "23.76E")
def test_a_group_without_ships_is_no_target_any_more() -> None:
    """Four transports, row 4 at 7 + 1 + 2: four hits; the second result against them finds nobody."""
    game = found_twice(transports(), orders=["strike:1", fly(4)], rolls=[("attack on light ships, row 4", 4, 5)])
    assert "CG 1 (Blue) destroyed" in log(game)
    assert len(strikes_flown(game)) == 1


# --- carriers and their squadrons -----------------------------------------------------------------------------------

SINK_ENTERPRISE = [ENTERPRISE, f"against:enterprise:{JAPAN}:6"]
SUNK: list[Dice] = [QUIET, ("attack on Enterprise, row 6", 6, 6)]
DAMAGED: list[Dice] = [QUIET, ("attack on Enterprise, row 2", 3, 2)]
"""Row 6 at 12: six hits. Row 2 at 5 + 3: two hits, damaged."""


@pytest.mark.rule("17.3124", "17.3124.1")
def test_squadrons_beyond_the_decks_that_are_left_go_down() -> None:
    """Six squadrons on two carriers; Hornet, in another group, holds three."""
    game = meet(
        kido(6),
        task(air=3),
        task("Hornet", name="other", air=3),
        search=((1,), (6, 6)),
        orders=[*STRIKE_WITH_SIX, *SINK_ENTERPRISE],
        rolls=SUNK,
    )
    assert lost(game) == {"united-states/naval/squadrons": 3}
    assert short(group(game, "blue", 2).air) == {"united-states naval": 3}


@pytest.mark.rule("17.3124.1", "17.3124.2", "17.3124")
def test_squadrons_are_taken_to_be_on_sound_carriers_first() -> None:
    """Hornet sails empty: the three squadrons of the sunk Enterprise were aboard her."""
    game = meet(
        kido(6),
        task(air=3),
        task("Hornet", name="other"),
        orders=[*STRIKE_WITH_SIX, *SINK_ENTERPRISE],
        rolls=SUNK,
    )
    assert lost(game) == {}
    assert short(group(game, "blue", 2).air) == {"united-states naval": 3}


@pytest.mark.rule("17.3124", "17.3124.1")
def test_carriers_of_another_nation_do_not_take_them() -> None:
    british = squadron("home", "blue", *BRITISH, nation="britain", cruisers=4, destroyers=2)
    game = meet(kido(6), task(air=3), british, orders=[*STRIKE_WITH_SIX, *SINK_ENTERPRISE], rolls=SUNK)
    assert lost(game) == {"united-states/naval/squadrons": 3}


@pytest.mark.rule("17.3124.5", "17.3124.1")
def test_a_damaged_carrier_carries_squadrons_but_does_not_launch_them() -> None:
    """Red strikes first and damages Enterprise: of six American squadrons three strike back, and none is lost."""
    forces = [
        squadron("one", "red", "Akagi", cruisers=6, destroyers=2, air=3),
        squadron("two", "red", "Kaga", cruisers=6, destroyers=2, air=3),
        task(air=3),
        task("Hornet", name="other", air=3),
    ]
    game = meet(
        *forces,
        search=((1, 1), (1, 6)),
        orders=["strike:1", fly(2), ENTERPRISE, f"against:enterprise:{JAPAN}:2", "strike:none", "strike:1"],
        rolls=DAMAGED,
        until=asks("fly:blue-at-sea"),
    )
    assert asked_now(game) == [fly(number, AMERICA) for number in range(1, 4)]
    assert short(game.state.sites["blue-at-sea"].grounded) == {"united-states naval": 3}
    assert lost(game) == {}


@pytest.mark.rule("17.3124.1", "17.3124.5")
def test_what_is_aboard_a_damaged_carrier_goes_down_with_it() -> None:
    """Two hits, then a third: the squadrons that could not leave her are lost."""
    game = found_twice(
        task(air=3),
        orders=[
            *("strike:1", fly(2), ENTERPRISE, f"against:enterprise:{JAPAN}:2"),
            *("strike:1", fly(1), ENTERPRISE),
        ],
        rolls=[*DAMAGED, QUIET, ("attack on Enterprise, row 1", 3, 3)],
    )
    assert sunk(game) == {"enterprise": 1}
    assert lost(game) == {"united-states/naval/squadrons": 3}


def exchange(*more: dict[str, Any], **settings: Any) -> Game[State]:
    """Blue's three squadrons strike, then Red sinks the Enterprise, their carrier."""
    return meet(
        kido(6),
        task(air=3),
        *more,
        search=BOTH_FIND,
        orders=[
            *("strike:1", fly(3, AMERICA), "target:akagi", f"against:akagi:{AMERICA}:2"),
            *(*STRIKE_WITH_SIX, *SINK_ENTERPRISE),
        ],
        rolls=[("air defense of CG 1 (Red), row 3", 1, 1), ("attack on Akagi, row 2", 1, 1), *SUNK],
        **settings,
    )


@pytest.mark.rule("22.463", "22.463C.2", "SOP-NC-I.G.3")
def test_squadrons_that_come_back_to_no_deck_are_lost() -> None:
    """One of Blue's three was driven off before, and is lost with the others."""
    game = exchange()
    assert lost(game) == {"united-states/naval/squadrons": 3}
    assert "Blue: no deck left for 3 American naval air squadrons" in log(game)


@pytest.mark.rule("22.463", "22.463C.1", "17.3124.2")
def test_squadrons_land_on_any_sound_carrier_of_their_side() -> None:
    """Hornet, in another group, has room for three."""
    game = exchange(task("Hornet", name="other"))
    assert lost(game) == {}
    assert short(group(game, "blue", 2).air) == {"united-states naval": 3}


@pytest.mark.rule("22.463", "SOP-NC-I.G.3")
def test_land_based_air_returns_to_its_base() -> None:
    game = meet(
        squadron("one", "red", cruisers=6, destroyers=4),
        task(),
        search=BLUE_FINDS,
        bases=[isle("3 united-states naval")],
        orders=["strike:1", fly(3, ISLE)],
        rolls=[("air defense of CG 1 (Red), row 1", 3, 4), ("attack on light ships, row 2", 1, 1)],
    )
    assert air(game, "isle") == {"united-states naval": 3}
    assert game.state.sites["isle"].struck == {}


@pytest.mark.rule("22.463A", "22.463", "SOP-NC-I.G.3")
def test_after_the_strikes_everybody_is_aboard() -> None:
    """The last thing of the round's air segments: nobody is in the air any more."""
    game = meet(kido(6), task(), orders=STRIKE_WITH_SIX, rolls=[QUIET, *ONE_AND_FIVE])
    sea = game.state.sites["red-at-sea"]
    assert (sea.air, sea.struck) == ({}, {})
    assert short(group(game, "red", 1).air) == {"japan naval": 6}


ONE_AND_FIVE: list[Dice] = [("attack on Enterprise, row 1", 1, 1), ("attack on light ships, row 5", 1, 1)]
