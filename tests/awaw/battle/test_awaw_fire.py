"""22.55-22.552: dice, rows and modifiers of fire in a fleet combat."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.counting import add, take
from flagplot.awaw.state.state import State
from tests.awaw.battles import group, rolls_for, ships, sunk
from tests.awaw.endings import sink
from tests.awaw.fleets import blue, clash, fired, modifier, red

KONGO, OREGON = red("Kongo", destroyers=1), blue("Oregon", destroyers=1)


def rolling(side: str, *forces: dict[str, Any], orders: list[str] | None = None, what: str = "", **more: Any) -> int:
    """The modifier of the first fire by a side, or of the first one that `what` names; all before it miss."""
    words = f"{side}: fire by {what}"
    dice = [("Red: fire by", 1, 1)] if side == "Blue" and not what else []
    return modifier(clash(*forces, orders=orders or [], rolls=dice, until=rolls_for(words), **more))


# --- the table ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.55", "T22.55", "SOP-NC-I.H.6.a")
def test_two_dice_in_the_row_of_all_the_factors_on_a_target() -> None:
    """Yamato and Kongo, eight factors, at 6 with a modifier of 3 - 2: two hits in the row 7-9, which damage Oregon."""
    game = clash(
        red("Yamato", "Kongo"),
        blue("Oregon"),
        orders=["fire:kongo:oregon"],
        rolls=[("Red: fire by Yamato, Kongo on Oregon, row 8", 3, 3), ("Oregon on Yamato, row 3", 1, 1)],
    )
    assert ships(group(game, "blue", 1)) == {"oregon damaged": 2}


@pytest.mark.rule("22.55")
@pytest.mark.parametrize(
    ("faces", "hits"), [pytest.param((1, 1), 1, id="below 2 reads as 2"), pytest.param((6, 6), 3, id="12 - 1 is 11")]
)
def test_rolls_off_the_table(faces: tuple[int, int], hits: int) -> None:
    """Blue's nine destroyers against Japanese ones roll at -1: one hit at 1 as at 2, three at 11."""
    dice = [("Red: fire by", 1, 1), ("Blue: fire by 9 American destroyer factors on light ships, row 9", *faces)]
    game = clash(red(destroyers=9), blue(destroyers=9), rolls=dice)
    assert sunk(game)["japan:destroyer"] == hits


def many(state: State) -> None:
    """Sixty-six Japanese destroyers."""
    (which,) = [one for one in state.battle.groups["reds"].ships if one.light]
    add(state.battle.groups["reds"].ships, which, 60)


CROWD = red(destroyers=6), blue(destroyers=22)


@pytest.mark.rule("T23.44-07", "22.55")
def test_beyond_the_last_row_one_roll_is_read_in_two() -> None:
    """66 factors are rows 60 and 6; at 3 + 1 they give 9 hits and one."""
    dice = [("Red: fire by 66 Japanese destroyer factors on light ships, row 66", 1, 2), ("Blue: fire by", 1, 1)]
    assert sunk(clash(*CROWD, change=many, rolls=dice))["united-states:destroyer"] == 10


@pytest.mark.rule("T23.44-07", "22.55")
def test_or_by_option_each_row_is_rolled_for() -> None:
    dice = [("on light ships, row 60", 1, 2), ("on light ships, row 6", 1, 1), ("Blue: fire by", 1, 1)]
    game = clash(*CROWD, change=many, rolls=dice, options={"beyond_last_row": "separate-rolls"})
    assert sunk(game)["united-states:destroyer"] == 9


# --- nationalities --------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.551", "22.552A", "T22.55-05", "T23.44-05", "T22.552A-10")
def test_what_helps_one_side_hinders_the_other() -> None:
    """Japan has 3, America 2."""
    assert rolling("Red", KONGO, OREGON) == 1
    assert rolling("Blue", KONGO, OREGON) == -1


@pytest.mark.rule("22.552A.1", "22.552A")
def test_ships_that_fire_together_use_the_lowest_drm_among_them() -> None:
    """Roma, of Italy, has 1, Kongo 3; Oregon has 2. Where Kongo fires alone its own counts."""
    force = red("Kongo", destroyers=3, allies={"nation": "italy", "named": ["Roma"]})
    two = blue("Oregon", "Alaska", destroyers=5)
    assert rolling("Red", force, blue("Oregon"), orders=["fire:kongo:oregon"], what="Roma, Kongo on Oregon") == -1
    assert rolling("Red", force, two, what="Roma on Oregon") == -1
    dice = [("Roma on Oregon", 1, 1)]
    assert modifier(clash(force, two, rolls=dice, until=rolls_for("fire by Kongo on Alaska"))) == 1


@pytest.mark.rule("22.552A.1", "22.54E")
def test_light_ships_that_divide_their_fire_use_the_lowest_drm_of_each_part() -> None:
    """Four Italian destroyers fire at Alaska, three Japanese ones with none of them at Oregon."""
    force = red(destroyers=3, allies={"nation": "italy", "destroyers": 4})
    orders = ["fire:oregon:hold", "fire:alaska:hold", "aim:alaska", "aim:alaska:italy:destroyer:4"]
    orders += ["aim:alaska:japan:destroyer:0", "aim:oregon", "aim:oregon:japan:destroyer:3"]
    enemy = blue("Oregon", "Alaska")
    assert rolling("Red", force, enemy, orders=orders, what="4 Italian destroyer factors on Alaska") == -1
    game = clash(
        force, enemy, orders=orders, rolls=[("factors on Alaska", 1, 1)], until=rolls_for("3 Japanese destroyer")
    )
    assert modifier(game) == 1


RUSSIANS = {"nation": "russia", "destroyers": 4}


@pytest.mark.rule("22.552A.2")
def test_a_capital_ship_that_is_fired_at_uses_its_own_drm() -> None:
    """Russian destroyers, with 0, are in its group."""
    assert rolling("Red", KONGO, blue("Oregon", destroyers=1, allies=RUSSIANS)) == 1


@pytest.mark.rule("22.552A.3")
def test_light_ships_that_are_fired_at_use_the_lowest_drm_among_them() -> None:
    orders = ["fire:kongo:light-ships"]
    assert rolling("Red", red("Kongo"), blue(destroyers=4), orders=orders) == 1
    assert rolling("Red", red("Kongo"), blue(destroyers=4, allies=RUSSIANS), orders=orders) == 3


@pytest.mark.rule("22.552A.4", "22.552A.1", "22.552A.3")
def test_cves_count_as_destroyers_and_lower_the_drm_of_light_ships() -> None:
    """An American CVE has 0 and counts one factor in the row."""
    force = blue(destroyers=4, cves=2)
    assert rolling("Red", red(destroyers=3), force) == 3
    game = clash(red(destroyers=3), force, rolls=[("Red: fire by", 1, 1)], until=rolls_for("Blue: fire by"))
    assert modifier(game) == -3
    assert "row 6" in str(game.pending)


@pytest.mark.rule("22.552A.3", "22.531C.1")
def test_screened_light_ships_do_not_lower_it() -> None:
    orders = ["fire:kongo:light-ships", "screen:united-states:cve", "screen:united-states:cve:2"]
    assert rolling("Red", red("Kongo"), blue(destroyers=4, cves=2), orders=orders) == 1


@pytest.mark.rule("22.552A.5.1", "T22.552A-05")
def test_battleships_of_five_factors_have_one_more() -> None:
    assert rolling("Red", red("Yamato"), OREGON) == 2
    assert rolling("Red", KONGO, blue("Iowa")) == 0
    assert rolling("Red", red("Yamato"), blue("Iowa")) == 1


@pytest.mark.rule("22.552A")
def test_tactical_codebreaking_helps_who_has_it_and_hinders_the_other() -> None:
    assert rolling("Red", KONGO, OREGON, tactical_codebreaking="red") == 2
    assert rolling("Blue", KONGO, OREGON, tactical_codebreaking="red") == -2
    assert rolling("Red", KONGO, OREGON, tactical_codebreaking="blue") == 0
    assert rolling("Blue", KONGO, OREGON, tactical_codebreaking="blue") == 0


# --- activities -----------------------------------------------------------------------------------------------------

LADEN = {"laden_destroyers": 2, "cargo": "troops"}
HAMPERED: dict[str, dict[str, Any]] = {
    "protects sea supply": {"activity": "sea-supply"},
    "carries cargo": LADEN,
    "on its way to embark": {"activity": "sea-transport"},
    "more than one": {**LADEN, "activity": "seaborne-invasion"},
}


@pytest.mark.rule("22.552B.1", "22.552B.1.1", "22.552B.1.2", "22.552B.2", "22.552B.3", "T22.55-06", "T23.44-06")
@pytest.mark.rule("22.551", "22.552B")
@pytest.mark.parametrize("case", HAMPERED)
def test_a_hampered_group_fires_at_one_less_and_is_fired_at_with_one_more(case: str) -> None:
    hampered = blue("Oregon", destroyers=1, **HAMPERED[case])
    assert rolling("Red", KONGO, hampered) == 2
    assert rolling("Blue", KONGO, hampered) == -2
    mirrored = red("Kongo", destroyers=1, **HAMPERED[case])
    assert rolling("Red", mirrored, OREGON) == 0
    assert rolling("Blue", mirrored, OREGON) == 0


@pytest.mark.rule("22.552B.1.2", "22.552B")
def test_a_group_is_not_hampered_by_escorts_once_its_cargo_ships_are_sunk() -> None:
    convoy = blue("Oregon", destroyers=1, **LADEN, activity="seaborne-invasion")
    assert rolling("Red", KONGO, convoy, change=sink("blues", "united-states:destroyer:laden", 1)) == 2
    assert rolling("Red", KONGO, convoy, change=sink("blues", "united-states:destroyer:laden", 2)) == 1


@pytest.mark.rule("22.552B.1.2")
def test_nor_is_an_escort_without_cargo_of_those_that_have_it() -> None:
    """The activity alone means that a force is on the way to its cargo, or from it, if nobody else carries it."""
    escort = blue("Oregon", destroyers=1, activity="seaborne-invasion")
    for activity, total in (("seaborne-invasion", 1), ("sea-transport", 2)):
        convoy = blue(cruisers=2, activity=activity, arrives=2, **LADEN) | {"id": "convoy"}
        assert rolling("Red", KONGO, escort, convoy) == total


@pytest.mark.rule("22.552B.1")
def test_if_both_groups_are_hampered_nobody_gains() -> None:
    forces = red("Kongo", destroyers=1, **LADEN), blue("Oregon", destroyers=1, **LADEN)
    assert rolling("Red", *forces) == 1
    assert rolling("Blue", *forces) == -1


@pytest.mark.rule("22.552B.5")
def test_fast_carriers_and_damaged_ships_in_a_group_change_nothing() -> None:
    forces = (
        red("Kongo", "Akagi", "Nagato", destroyers=1, hits={"Nagato": 3}),
        blue("Oregon", "Hornet", cruisers=4, damaged_cruisers=1),
    )
    assert rolling("Red", *forces) == 1
    assert rolling("Blue", *forces) == -1


def raid(side: str, change: Any = None) -> int:
    behind = {"nation": "united-states", "factors": 3}
    return rolling(side, KONGO, OREGON, raiders=True, change=change, transports=behind)


@pytest.mark.rule("22.552B.4")
def test_in_the_first_engagement_those_who_shield_transports_from_raiders_are_hampered() -> None:
    assert raid("Red") == 2
    assert raid("Blue") == -2


@pytest.mark.rule("22.552B.4")
def test_and_not_if_there_are_no_transports_to_shield() -> None:
    assert rolling("Red", KONGO, OREGON, raiders=True) == 1


@pytest.mark.rule("22.552B.4")
def test_and_in_later_ones_they_are_not() -> None:
    def later(state: State) -> None:
        state.battle.phase = 1

    assert raid("Red", later) == 1
    assert raid("Blue", later) == -1


# --- effects --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("T22.55-08", "22.56")
def test_hits_add_up_and_those_beyond_its_size_are_wasted() -> None:
    """Yamato has three hits; four more in one roll sink it all the same, once."""

    def worn(state: State) -> None:
        yamato = next(which for which in state.battle.groups["reds"].ships if which.id == "yamato")
        take(state.battle.groups["reds"].ships, yamato, 1)
        add(state.battle.groups["reds"].ships, yamato.bearing(3), 1)

    game = clash(
        red("Yamato"),
        blue("Iowa", "Missouri"),
        orders=["rank:iowa", "fire:missouri:yamato"],
        rolls=[("Red: fire by Yamato (3 hits)", 1, 1), ("Iowa, Missouri on Yamato, row 10", 6, 6)],
        change=worn,
    )
    assert sunk(game) == {"yamato": 1}
    assert len(fired(game)) == 2
    assert group(game, "red", 1).ships == {}
