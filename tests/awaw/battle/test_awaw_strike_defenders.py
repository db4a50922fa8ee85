"""23.415, 23.416: patrol and cover over a struck group, and what they do to the strike."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from tests.awaw.battles import asked_now, asks, group, lost, rolls_for, squadron
from tests.awaw.scenes import base, log
from tests.awaw.strike_news import attackers_left, reasons, red_asked, seen_ships, strike_of, strikes_flown, turned_back
from tests.awaw.strike_orders import AMERICA, ELITE, ENTERPRISE, ISLE, JAPAN, STRIKE_WITH_SIX, cover, engage, fly
from tests.awaw.strikes import MIXED_SEARCH, QUIET, Dice, defended, isle, kido, meet, mixed, task

# --- the defenders' squadrons ---------------------------------------------------------------------------------------


@pytest.mark.rule("23.415", "23.415A.1", "23.415A.2", "SOP-NC-I.G.2.c.i")
def test_the_defender_decides_how_many_of_each_kind_engage() -> None:
    game = defended(*STRIKE_WITH_SIX, covering=3, until=asks("engage"))
    assert red_asked(game) is False
    assert asked_now(game) == [engage(number) for number in range(3)]
    game.choose(engage(1))
    assert asked_now(game) == [engage(number, ISLE) for number in range(4)]
    game.choose(engage(2, ISLE))
    assert {which.home: number for which, number in strike_of(game).defenders.items()} == {
        "blue-at-sea": 1,
        "isle": 2,
    }


@pytest.mark.rule("23.415A.2", "23.415", "23.415A.3")
def test_a_defender_who_holds_all_back_loses_nothing_and_does_not_hinder() -> None:
    game = defended(*STRIKE_WITH_SIX, engage(0), engage(0, ISLE), covering=3, until=rolls_for("air defense"))
    assert "air combat over CG 1" not in log(game)
    assert sum(attackers_left(game).values()) == 6
    assert sum(group(game, "blue", 1).patrol.values()) + sum(group(game, "blue", 1).cover.values()) == 5


@pytest.mark.rule("23.415A.3")
def test_squadrons_held_back_add_nothing_and_lose_nothing() -> None:
    """One cover squadron engages, two others and a patrol of two hold back: row 1, and 1/0 (row 1 at 6) takes the
    one that fought."""
    combat: list[Dice] = [("Red: air combat", 3, 3), ("Blue: air combat over CG 1 (Blue), row 1", 1, 1)]
    orders = [*STRIKE_WITH_SIX, engage(0), engage(1, ISLE)]
    game = defended(*orders, covering=3, rolls=combat, until=rolls_for("air defense"))
    assert sum(group(game, "blue", 1).patrol.values()) == 2
    assert sum(group(game, "blue", 1).cover.values()) == 2


@pytest.mark.rule("23.415A.2")
def test_holding_back_is_told_before_the_attacker_picks_his_fighters() -> None:
    orders = ["strike:1", fly(3, ELITE), fly(3), engage(1)]
    game = defended(*orders, forces=mixed(), search=MIXED_SEARCH, until=asks("fight"))
    assert "Blue: strike engaged by 1 American naval air squadron" in log(game, "red")


@pytest.mark.rule("23.415B.3", "23.415B.5", "23.415B.1", "SOP-NC-I.G.2.c.ii")
def test_the_attacker_picks_as_many_fighters_as_defenders_engage() -> None:
    """Two of three elite and three plain squadrons: any mix of two, and no more than two."""
    orders = ["strike:1", fly(3, ELITE), fly(3), engage(2)]
    game = defended(*orders, forces=mixed(), search=MIXED_SEARCH, until=asks("fight"))
    assert red_asked(game)
    assert asked_now(game) == [f"fight:{ELITE}:{number}" for number in range(3)]
    game.choose(f"fight:{ELITE}:2")
    assert str(game.pending) == "red: Red: air combat over CG 1 (Blue), row 2"
    assert reasons(game).total == 3 - 2 - 1


@pytest.mark.rule("23.415B.4", "23.415B.3")
@pytest.mark.parametrize(("elite", "drm"), [(2, 3), (1, 2), (0, 2)])
def test_only_those_who_fight_count_for_the_drm(elite: int, drm: int) -> None:
    orders = ["strike:1", fly(3, ELITE), fly(3), engage(2), f"fight:{ELITE}:{elite}"]
    game = defended(*orders, forces=mixed(), search=MIXED_SEARCH, until=rolls_for("air combat"))
    assert reasons(game).lines[0].amount == drm


@pytest.mark.rule("23.415B.2", "23.415B.5")
def test_all_attackers_fight_when_the_defenders_outnumber_them() -> None:
    """Two against five: the defenders roll in the row of five."""
    combat: list[Dice] = [("Red: air combat over CG 1 (Blue), row 2", 1, 1)]
    orders = ["strike:1", fly(2), engage(2), engage(3, ISLE)]
    game = defended(*orders, covering=3, attackers=2, rolls=combat, until=rolls_for("Blue: air combat"))
    assert str(game.pending) == "blue: Blue: air combat over CG 1 (Blue), row 5"


@pytest.mark.rule("23.415A.1", "23.415B.5")
def test_by_option_no_more_defenders_engage_than_attack() -> None:
    orders = ["strike:1", fly(2), engage(1)]
    option = {"defenders_engage": "no-more-than-attackers"}
    game = defended(*orders, covering=3, attackers=2, options=option, until=asks("engage:isle"))
    assert asked_now(game) == [engage(0, ISLE), engage(1, ISLE)]


@pytest.mark.rule("SOP-NC-I.G.2.c")
@pytest.mark.parametrize(("option", "most"), [("none", 9), ("4-8-12", 8)])
def test_by_option_as_many_defenders_engage_as_a_strike_may_have(option: str, most: int) -> None:
    """Nine American cover squadrons of DRM 2."""
    game = meet(
        kido(6),
        task(),
        bases=[isle("9 united-states naval", name="isle") | {"cities": 3}],
        orders=[cover(9), *STRIKE_WITH_SIX],
        options={"defenders_limit": option},
        until=asks("engage"),
    )
    assert asked_now(game)[-1] == engage(most, ISLE)


@pytest.mark.rule("23.415C", "23.415B.1")
def test_patrol_and_cover_fight_together_in_one_round() -> None:
    """Four defenders, two of each kind: one roll in row 4 each way, then the ships."""
    combat: list[Dice] = [
        ("Red: air combat over CG 1 (Blue), row 4", 1, 1),
        ("Blue: air combat over CG 1 (Blue), row 4", 1, 1),
    ]
    orders = [*STRIKE_WITH_SIX, engage(2), engage(2, ISLE)]
    game = defended(*orders, covering=2, rolls=combat, until=rolls_for("air defense"))
    assert log(game).count("air combat over CG 1") == 2


@pytest.mark.rule("19.31C", "T19.2-03", "23.415D", "SOP-NC-I.G.2.c.ii.a", "23.415A.3")
@pytest.mark.parametrize(
    ("over", "engaged", "bonus"),
    [
        ((2, 0), (2, 0), -1),
        ((1, 2), (1, 0), -1),
        ((2, 2), (2, 1), 0),
        ((0, 3), (0, 3), 0),
    ],
)
def test_patrol_has_its_edge_if_no_cover_fights(over: tuple[int, int], engaged: tuple[int, int], bonus: int) -> None:
    """Cover that is held back does not cost it. Both sides have DRM 2."""
    orders = [engage(engaged[0])] * bool(over[0]) + [engage(engaged[1], ISLE)] * bool(over[1])
    until = rolls_for("Red: air combat")
    game = defended(*STRIKE_WITH_SIX, *orders, cap=over[0], covering=over[1], until=until)
    assert reasons(game).total == bonus


@pytest.mark.rule("19.31C", "T19.2-03")
def test_the_edge_of_a_patrol_counts_for_it_too() -> None:
    combat: list[Dice] = [("Red: air combat over CG 1 (Blue), row 2", 1, 1)]
    game = defended(*STRIKE_WITH_SIX, engage(2), rolls=combat, until=rolls_for("Blue: air combat"))
    assert reasons(game).total == 1


@pytest.mark.rule("23.416B.2", "23.416B.1")
@pytest.mark.parametrize("number", [1, 2])
def test_nobody_is_asked_which_defenders_an_abort_would_fall_on(number: int) -> None:
    """Patrol of the carriers and cover of an island meet a result with or without eliminations."""
    game = defended(
        *("strike:1", fly(number * 2), engage(number), engage(number, ISLE)),
        covering=2,
        rolls=[("Red: air combat", 1, 1), ("Blue: air combat", 1, 1)],
        until=lambda game: rolls_for("air defense")(game) or asks("abort")(game),
    )
    assert rolls_for("air defense")(game)


@pytest.mark.rule("23.416B.2", "SOP-NC-I.G.2.c.ii.b", "23.416B.1", "23.416.EX2")
def test_defenders_ignore_aborts_and_fight_later_strikes() -> None:
    """The printed example: 1/1 against three cover squadrons (row 3 at 4) leaves two for the next strike."""
    dice: list[Dice] = [
        ("Red: air combat over CG 1 (Blue), row 3", 1, 3),
        ("Blue: air combat over CG 1 (Blue), row 3", 1, 1),
        QUIET,
        ("attack on Enterprise, row 2", 1, 1),
    ]
    game = defended(
        *("strike:1", fly(3), engage(3, ISLE)),
        *(ENTERPRISE, f"against:enterprise:{JAPAN}:2", "strike:1", fly(3)),
        cap=0,
        covering=3,
        search=((1, 1), ()),
        codebreaking="red",
        rolls=dice,
        until=lambda game: asks("engage")(game) and len(strikes_flown(game)) == 2,
    )
    assert asked_now(game) == [engage(number, ISLE) for number in range(3)]
    assert lost(game) == {"japan/naval/squadrons": 1, "united-states/naval/squadrons": 1}


# --- what the defenders' squadrons do -------------------------------------------------------------------------------

AMERICANS = task("Enterprise", "Hornet", "Yorktown", "Lexington", cruisers=8, destroyers=4, air=12)
YAMATO = squadron("yamato", "red", "Yamato", cruisers=4, destroyers=6)
EQUAL_RESEARCH = {"united-states": {"air_drm": 1}, "japan": {"air_drm": 1}}
"""Both sides have DRM 3, so that ten squadrons may strike."""


def ten_against_three(*faces: int, results: int = 1, **more: Any) -> Game[State]:
    """The printed example of 23.416: Blue's ten are engaged by Red's three cover squadrons, who roll these faces."""
    tag = "atoll:japan:naval:squadrons"
    return meet(
        YAMATO,
        AMERICANS,
        search=((6,), (1,)),
        bases=[base("atoll", "red", (1, 1), "3 japan naval")],
        research=EQUAL_RESEARCH,
        orders=[cover(3, tag=tag), "strike:1", fly(10, AMERICA), engage(3, tag)],
        rolls=[("Blue: air combat over CG 1 (Red), row 3", 1, 1), ("Red: air combat over CG 1 (Red), row 3", *faces)],
        until=rolls_for("air defense"),
        **more,
    )


@pytest.mark.rule("23.416.EX1", "23.416A.1", "23.416A.2")
@pytest.mark.parametrize(
    ("faces", "result", "left", "dead"), [((1, 1), "1/0", 9, 1), ((3, 4), "1/2", 7, 1), ((6, 6), "2/4", 4, 2)]
)
def test_printed_example_of_ten_against_three(faces: tuple[int, int], result: str, left: int, dead: int) -> None:
    game = ten_against_three(*faces)
    assert f"{faces[0]} + {faces[1]} = {sum(faces)} → {result}" in log(game)
    assert sum(attackers_left(game).values()) == left
    assert lost(game)["united-states/naval/squadrons"] == dead
    assert sum(turned_back(game, "blue-at-sea").values()) == 10 - left - dead


@pytest.mark.rule("23.416A.2")
def test_losses_fall_on_the_fighters_first_and_then_on_the_others() -> None:
    """Two plain Japanese fight, three elite ones do not. Blue's 1/3 (row 2 at 10) takes both plain ones, one eliminated
    and one aborted, and two elite ones turn back."""
    combat: list[Dice] = [("Red: air combat", 1, 1), ("Blue: air combat over CG 1 (Blue), row 2", 4, 5)]
    orders = ["strike:1", fly(3, ELITE), fly(2), engage(2), f"fight:{ELITE}:0"]
    until = rolls_for("air defense")
    game = defended(*orders, forces=mixed(), search=MIXED_SEARCH, rolls=combat, until=until)
    assert attackers_left(game) == {"japan elite-naval": 1}
    assert lost(game)["japan/naval/squadrons"] == 1
    assert turned_back(game) == {"japan elite-naval": 2, "japan naval": 1}


@pytest.mark.rule("23.416A.2")
def test_within_each_stage_losses_are_shared_as_everywhere() -> None:
    """One elite and one plain squadron fight two defenders: 0/1 (row 2 at 2) falls on the lower DRM."""
    combat: list[Dice] = [("Red: air combat", 1, 1), ("Blue: air combat", 1, 1)]
    orders = ["strike:1", fly(3, ELITE), fly(3), engage(2), f"fight:{ELITE}:1"]
    until = rolls_for("air defense")
    game = defended(*orders, forces=mixed(), search=MIXED_SEARCH, rolls=combat, until=until)
    assert turned_back(game) == {"japan naval": 1}


@pytest.mark.rule("23.416A.1", "23.424", "SOP-NC-I.G.2.d")
def test_survivors_go_on_to_the_ships_without_being_asked() -> None:
    """Between the air combat and the air defense nothing is decided; those who fought go on with the others."""
    combat: list[Dice] = [("Red: air combat", 1, 1), ("Blue: air combat", 1, 1)]
    game = defended(*STRIKE_WITH_SIX, engage(2), rolls=combat, until=rolls_for("air defense"))
    entries = [entry for entry in game.log("umpire") if entry.kind == "choice"]
    assert "Engage the strike" in entries[-1].text
    assert sum(attackers_left(game).values()) == 5


@pytest.mark.rule("23.424", "23.424#2")
def test_a_strike_that_air_combat_stopped_never_meets_the_air_defense() -> None:
    """One squadron against two: 1/0 (row 2 at 4, +1 for the patrol) shoots it down, and nothing is revealed."""
    combat: list[Dice] = [("Red: air combat", 1, 1), ("Blue: air combat", 1, 2)]
    game = defended("strike:1", fly(1), engage(2), attackers=2, rolls=combat)
    assert "air defense" not in log(game)
    assert seen_ships(game, "red", "blue", 1) is None
