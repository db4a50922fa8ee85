"""22.54A-C: capital ships in a fleet combat: ranks, pairs, surplus ships, and their fire."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from tests.awaw.battles import asked_now, asks, group, rolls_for, ships, sunk
from tests.awaw.fleets import FIRE, blue, clash, fired, held, met, red, screened, volleys
from tests.awaw.scenes import log


def opened(*forces: dict[str, Any], orders: list[str] | None = None, **more: Any) -> Game[State]:
    return clash(*forces, orders=orders or [], until=FIRE, **more)


# --- ranks and pairs ------------------------------------------------------------------------------------------------

TWO = blue("Iowa", "Alaska", cruisers=6)
"""Who is first in the line meets Iowa, who is second meets Alaska."""


@pytest.mark.rule("22.54A.1", "22.54A.1.1", "SOP-NC-I.H.3", "SOP-NC-I.H.4", "22.54A.2", "22.54A")
def test_larger_ships_come_first_though_they_are_slow_and_hit() -> None:
    """Nagato has four factors, is slow and has two hits; Kongo has three and is fast."""
    game = opened(red("Kongo", "Nagato", cruisers=4, hits={"Nagato": 2}), TWO)
    assert met(game) == ["Nagato meets Iowa", "Kongo meets Alaska"]


@pytest.mark.rule("22.54A.1", "22.54A.1.2", "SOP-NC-I.H.3")
def test_of_one_size_faster_ships_come_first_though_they_were_hit() -> None:
    game = opened(red("Mutsu", "Tosa", cruisers=4, hits={"Tosa": 2}), TWO)
    assert met(game) == ["Tosa meets Iowa", "Mutsu meets Alaska"]


GERMAN = {"nation": "germany", "named": ["Gneisenau"]}


@pytest.mark.rule("22.54A.1", "22.54A.1.3", "SOP-NC-I.H.3")
def test_of_one_size_and_speed_those_with_fewer_hits_come_first_whatever_their_drm() -> None:
    game = opened(red("Kongo", cruisers=4, hits={"Kongo": 1}, allies=GERMAN), TWO)
    assert met(game) == ["Gneisenau meets Iowa", "Kongo meets Alaska"]


@pytest.mark.rule("22.54A.1", "22.54A.1.4", "SOP-NC-I.H.3")
def test_then_those_with_a_higher_drm() -> None:
    """Japan has 3, Germany 2."""
    game = opened(red("Kongo", cruisers=4, allies=GERMAN), TWO)
    assert met(game) == ["Kongo meets Iowa", "Gneisenau meets Alaska"]


@pytest.mark.rule("22.54A.1")
def test_among_equals_the_owner_chooses() -> None:
    forces = red("Haruna", "Kongo", cruisers=4), TWO
    game = clash(*forces, until=asks("rank"))
    assert game.pending is not None
    assert game.pending.side == "red"
    assert asked_now(game) == ["rank:haruna", "rank:kongo"]
    assert met(opened(*forces, orders=["rank:kongo"])) == ["Kongo meets Iowa", "Haruna meets Alaska"]


@pytest.mark.rule("22.54A.1", "22.54A.3")
def test_among_equals_the_owner_chooses_who_is_surplus() -> None:
    game = opened(red("Haruna", "Kongo", cruisers=4), blue("Iowa", cruisers=6), orders=["rank:kongo"])
    assert met(game) == ["Kongo meets Iowa"]
    assert "Haruna has no opponent" in log(game)


@pytest.mark.rule("22.54A.1")
def test_where_nobody_pairs_off_nobody_is_ranked() -> None:
    game = opened(red("Haruna", "Kongo", cruisers=4), blue(cruisers=6), orders=["fire:kongo:hold"])
    assert "place" not in log(game)


@pytest.mark.rule("22.54A", "22.54A.2", "22.54A.3", "SOP-NC-I.H.4")
def test_ships_pair_off_one_to_one_and_fire_at_each_other() -> None:
    game = opened(red("Yamato", "Nagato", "Kongo"), blue("Iowa", "Alaska", cruisers=4), orders=["fire:kongo:hold"])
    assert met(game) == ["Yamato meets Iowa", "Nagato meets Alaska"]
    assert volleys(game, "red") == {"iowa": ["yamato"], "alaska": ["nagato"]}
    assert volleys(game, "blue") == {"yamato": ["iowa"], "nagato": ["alaska"]}
    assert game.state.battle.engagement is not None
    assert [[*volley.ships.values()] for volley in game.state.battle.engagement.volleys] == [[1]] * 4, "one ship each"


# --- surplus ships --------------------------------------------------------------------------------------------------

THREE = red("Yamato", "Nagato", "Kongo", destroyers=1)


@pytest.mark.rule("22.54B", "22.54A.3", "SOP-NC-I.H.5", "22.54B.1", "22.54B.2", "22.54B.3")
@pytest.mark.parametrize(
    ("enemy", "targets"),
    [
        pytest.param(TWO, ["iowa", "alaska", "light-ships", "hold"], id="capital and light ships"),
        pytest.param(blue("Iowa", "Alaska", "Hornet"), ["iowa", "alaska", "hold"], id="no light ships"),
        pytest.param(blue("Iowa", "Alaska", transports=3), ["iowa", "alaska", "hold"], id="only screened light ships"),
    ],
)
def test_what_a_surplus_ship_may_do(enemy: dict[str, Any], targets: list[str]) -> None:
    game = clash(THREE, enemy, until=asks("fire"))
    assert isinstance(game.pending, Choose)
    assert game.pending.side == "red"
    assert asked_now(game) == [f"fire:kongo:{target}" for target in targets]
    rules = {"light-ships": "22.54B.2", "hold": "22.54B.3"}
    assert [option.rule for option in game.pending.options] == [rules.get(target, "22.54B.1") for target in targets]


@pytest.mark.rule("22.54A.3", "22.54B")
def test_without_enemy_capital_ships_all_are_surplus() -> None:
    game = clash(THREE, blue(cruisers=6), until=asks("fire"))
    assert asked_now(game) == ["fire:yamato:light-ships", "fire:yamato:hold"]
    game = opened(THREE, blue(cruisers=6), orders=["fire:nagato:hold"])
    assert volleys(game, "red") == {"light-ships": ["yamato", "kongo"]}
    assert held(game, "red") == {"nagato": 1}


@pytest.mark.rule("22.54B")
def test_paired_ships_have_no_choice() -> None:
    game = opened(red("Yamato", "Nagato", cruisers=4), TWO)
    assert "has no opponent" not in log(game)


@pytest.mark.rule("22.54B.1", "SOP-NC-I.H.5.a", "22.55", "SOP-NC-I.H.6.a", "SOP-NC-I.H.6")
def test_it_joins_a_friend_and_both_fire_with_one_roll() -> None:
    game = opened(THREE, TWO, orders=["fire:kongo:alaska"])
    assert volleys(game, "red") == {"iowa": ["yamato"], "alaska": ["nagato", "kongo"]}
    dice = [("Yamato on Iowa, row 5", 1, 1), ("Red: fire by Nagato, Kongo on Alaska, row 7", 1, 1)]
    dice += [("Blue: fire by Iowa on Yamato, row 5", 1, 1), ("Alaska on Nagato, row 2", 1, 1)]
    game = clash(THREE, TWO, orders=["fire:kongo:alaska"], rolls=dice, until=rolls_for("destroyer"))
    assert len(fired(game)) == 4


@pytest.mark.rule("22.54B.2", "SOP-NC-I.H.5.b", "22.54C.2")
def test_it_fires_at_the_light_ships() -> None:
    game = opened(THREE, TWO, orders=["fire:kongo:light-ships"])
    assert volleys(game, "red") == {"iowa": ["yamato"], "alaska": ["nagato"], "light-ships": ["kongo"]}


@pytest.mark.rule("22.54B.3", "SOP-NC-I.H.5.c")
def test_it_holds_its_fire() -> None:
    game = opened(THREE, TWO, orders=["fire:kongo:hold"])
    assert volleys(game, "red") == {"iowa": ["yamato"], "alaska": ["nagato"]}
    assert held(game, "red") == {"kongo": 1}


# --- who is fired at answers ----------------------------------------------------------------------------------------


@pytest.mark.rule("22.54C.1")
def test_a_ship_under_fire_from_several_fires_at_one_of_them() -> None:
    """Alaska is paired with Nagato and Kongo joins in: it may fire at either, and at nobody else."""
    game = clash(THREE, TWO, orders=["fire:kongo:alaska"], until=asks("answer"))
    assert game.pending is not None
    assert game.pending.side == "blue"
    assert asked_now(game) == ["answer:alaska:nagato", "answer:alaska:kongo"]
    game = opened(THREE, TWO, orders=["fire:kongo:alaska", "answer:alaska:kongo"])
    assert volleys(game, "blue") == {"yamato": ["iowa"], "kongo": ["alaska"]}
    assert volleys(game, "red") == {"iowa": ["yamato"], "alaska": ["nagato", "kongo"]}


@pytest.mark.rule("22.54C.1")
def test_a_ship_under_fire_from_one_has_no_choice() -> None:
    for target in ("light-ships", "hold"):
        game = opened(THREE, TWO, orders=[f"fire:kongo:{target}"])
        assert "faces several ships" not in log(game)
        assert volleys(game, "blue") == {"yamato": ["iowa"], "nagato": ["alaska"]}


# --- fire -----------------------------------------------------------------------------------------------------------

WORN = {"Kongo": 1}, {"Oregon": 1}


@pytest.mark.rule("SOP-NC-I.H.6.b", "22.54C", "SOP-NC-I.H.6")
def test_two_ships_that_sink_each_other_have_both_fired() -> None:
    """Kongo and Oregon have three factors and one hit each; two hits sink either."""
    game = clash(
        red("Kongo", destroyers=1, hits=WORN[0]),
        blue("Oregon", destroyers=1, hits=WORN[1]),
        rolls=[
            ("Red: fire by Kongo (1 hit) on Oregon, row 3", 6, 6),
            ("Blue: fire by Oregon (1 hit) on Kongo, row 3", 6, 6),
            ("Red: fire by 1 Japanese destroyer", 1, 1),
            ("Blue: fire by 1 American destroyer", 1, 1),
        ],
    )
    assert sunk(game) == {"kongo": 1, "oregon": 1}
    assert ships(group(game, "red", 1)) == {"japan destroyer": 1}
    assert "Kongo sunk (22.56)" in log(game)
    assert "Oregon sunk" in log(game)


@pytest.mark.rule("T22.55-08", "22.54C", "22.55")
def test_one_hit_short_of_its_size_damages_a_capital_ship_which_stays_in_the_line() -> None:
    """Kongo rolls 11 + 1 for two hits on Oregon; Oregon stays a target of light ships and is not screened."""
    game = clash(
        red("Kongo", destroyers=6),
        blue("Oregon", transports=1),
        rolls=[("Kongo on Oregon", 5, 6), ("Oregon on Kongo", 1, 1)],
        until=asks("aim"),
    )
    assert "Oregon damaged (22.56)" in log(game)
    assert screened(game, "blue") == ["1 united-states:transport"]
    assert asked_now(game) == ["aim:hold", "aim:oregon"]


@pytest.mark.rule("22.54C.2", "22.54C.3", "SOP-NC-I.H.6.c", "22.54D")
def test_light_ships_sunk_by_capital_ships_do_not_fire() -> None:
    """Kongo and Nagato together hit the six destroyers, one target, with one roll of 7 + 1: two are sunk."""
    game = clash(
        red("Kongo", "Nagato", destroyers=3),
        blue(destroyers=6),
        orders=["fire:kongo:light-ships", "fire:nagato:light-ships"],
        rolls=[("Red: fire by Nagato, Kongo on light ships, row 7", 3, 4)],
        until=rolls_for("destroyer"),
    )
    assert sunk(game) == {"united-states:destroyer": 2}
    assert volleys(game, "blue") == {"light-ships": ["4 united-states:destroyer"]}


@pytest.mark.rule("22.54C.4", "SOP-NC-I.H.6.d", "22.54D")
def test_cruisers_damaged_by_capital_ships_are_screened_and_do_not_fire() -> None:
    game = clash(
        red("Kongo", destroyers=3),
        blue(cruisers=8),
        orders=["fire:kongo:light-ships"],
        rolls=[("Kongo on light ships, row 3", 3, 4)],
        until=rolls_for("destroyer"),
    )
    assert screened(game, "blue") == ["1 united-states:cruiser"]
    assert volleys(game, "blue") == {"light-ships": ["3 united-states:cruiser"]}
    assert volleys(game, "red") == {"light-ships": ["3 japan:destroyer"]}
    assert ships(group(game, "blue", 1)) == {"united-states cruiser": 3, "united-states cruiser damaged": 1}


@pytest.mark.rule("22.54C.2", "22.531C.3.2")
def test_screened_light_ships_are_no_part_of_the_target() -> None:
    """Five hits find three destroyers in the line; transports and screened destroyers are spared."""
    game = clash(
        red("Yamato", "Kii", "Musashi"),
        blue(destroyers=7, transports=2),
        orders=["screen:united-states:destroyer", "screen:united-states:destroyer:4"]
        + [f"fire:{name}:light-ships" for name in ("yamato", "kii", "musashi")],
        rolls=[("Kii, Musashi, Yamato on light ships, row 15", 4, 4)],
    )
    assert sunk(game) == {"united-states:destroyer": 3}
    assert ships(group(game, "blue", 1)) == {"united-states destroyer": 4, "united-states transport": 2}


@pytest.mark.rule("22.54")
def test_the_sequence() -> None:
    """Capital ships fire first, then light ships, then those who held their fire at the screened ships."""
    game = clash(
        red("Yamato", "Haruna", cruisers=4),
        blue("Oregon", "Hornet", destroyers=1),
        orders=["fire:haruna:hold"],
        rolls=[
            ("Yamato on Oregon", 6, 6),
            ("Oregon on Yamato", 1, 1),
            ("cruisers on light ships", 4, 4),
            ("destroyer factor on light ships", 1, 1),
            ("Haruna on Hornet", 1, 1),
        ],
    )
    assert fired(game) == [
        "Red: fire by Yamato on Oregon, row 5",
        "Blue: fire by Oregon on Yamato, row 3",
        "Red: fire by 2 Japanese cruisers on light ships, row 4",
        "Blue: fire by 1 American destroyer factor on light ships, row 1",
        "Red: fire by Haruna on Hornet, row 3",
    ]
    assert sunk(game) == {"oregon": 1, "united-states:destroyer": 1}
    assert game.state.battle.engagement is None
