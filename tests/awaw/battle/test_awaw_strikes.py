"""22.46, 23.73-23.75: who strikes when, with what, and how many together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.awaw.air_units import Force
from flagplot.awaw.battle.strikes import room_in_strike
from flagplot.awaw.procedures import naval_battle
from tests.awaw.battles import asked_now, asks, group, rolls_for, squadron, sunk
from tests.awaw.scenes import asked, base, fleet, force, log, scene, short, start
from tests.awaw.strike_news import attackers_left, red_asked, strike_of, strikes_flown, struck
from tests.awaw.strike_orders import AMERICA, ELITE, ENTERPRISE, ISLE, JAPAN, LIGHT, cover, fly, patrol
from tests.awaw.strikes import BLUE_FINDS, BRITISH, MISS, QUIET, Dice, isle, kido, meet, task

# --- who strikes when -------------------------------------------------------------------------------------------


def two_each() -> list[dict[str, Any]]:
    """Two groups with carriers on each side, numbered 1 and 2: two search dice each."""
    return [
        squadron("one", "red", "Akagi", cruisers=6, destroyers=2, air=3),
        squadron("two", "red", "Kaga", cruisers=6, destroyers=2, air=3),
        task("Enterprise", name="three", air=3),
        task("Hornet", name="four", air=3),
    ]


@pytest.mark.rule("22.461", "22.461B", "22.41G.2", "SOP-NC-I.G.2.a")
@pytest.mark.parametrize(
    ("red", "blue", "attacker", "order"),
    [
        ((1, 1), (1, 6), "red", ["Red", "Red", "Blue"]),
        ((1, 6), (1, 2), "red", ["Blue", "Blue", "Red"]),
        ((1, 2), (1, 6), "blue", ["Red", "Red", "Blue"]),
        ((1, 2), (2, 2), "red", ["Blue", "Blue", "Red", "Red"]),
        ((1, 2), (2, 2), "blue", ["Red", "Red", "Blue", "Blue"]),
    ],
)
def test_more_results_strike_first_and_ties_go_to_the_interceptor(
    red: tuple[int, int], blue: tuple[int, int], attacker: str, order: list[str]
) -> None:
    """All the strikes of one side come before the first one of the other."""
    wanted = [f"strike:{face}" for face in (*red, *blue) if face < 6]
    dice = [roll for _ in order for roll in (QUIET, MISS)]
    game = meet(*two_each(), search=(red, blue), rolls=dice, orders=wanted, attacker=attacker)
    assert [told.split(" on ")[0] for told in strikes_flown(game)] == order


@pytest.mark.rule("22.462A", "22.41G")
def test_only_found_groups_may_be_struck() -> None:
    game = meet(*two_each(), search=((2, 6), (1, 6)), until=lambda game: asks("strike")(game) and red_asked(game))
    assert asked_now(game) == ["strike:2", "strike:none"]


@pytest.mark.rule("22.462A")
def test_a_side_that_found_nothing_is_not_asked() -> None:
    game = meet(kido(), task(air=3), search=((6,), (6,)))
    assert "strike" not in log(game)


@pytest.mark.rule("22.462B", "22.452C.1")
def test_a_group_is_struck_as_often_as_it_was_found() -> None:
    """Two results against the active CG 1: after two strikes nothing more is asked, though squadrons are left."""
    game = meet(*two_each(), search=((1, 1), (6, 6)), rolls=[QUIET, MISS] * 2, orders=["strike:1"] * 2)
    assert strikes_flown(game) == ["Red on CG 1 (Blue)"] * 2
    assert log(game).count("Choose a group to strike") == 2


@pytest.mark.rule("22.452C.1", "22.462B")
def test_a_distant_group_is_struck_like_an_active_one() -> None:
    """In the first round CG 2 is distant: two results, two strikes."""
    game = meet(*two_each(), search=((2, 2), (6, 6)), rolls=[QUIET, MISS] * 2, orders=["strike:2"] * 2)
    assert strikes_flown(game) == ["Red on CG 2 (Blue)"] * 2


@pytest.mark.rule("22.461B", "SOP-NC-I.G.2.a.i")
def test_the_next_target_is_chosen_when_the_last_strike_is_resolved() -> None:
    orders = ["strike:1", fly(3), ENTERPRISE, f"against:enterprise:{JAPAN}:3"]
    dice: list[Dice] = [QUIET, ("attack on Enterprise", 6, 6)]
    until = asks("strike")
    game = meet(*two_each(), search=((1, 2), (6, 6)), rolls=dice, orders=orders, until=lambda g: until(g) and struck(g))
    assert sunk(game) == {"enterprise": 1}
    assert asked_now(game) == ["strike:2", "strike:none"]


@pytest.mark.rule("22.46", "SOP-NC-I.C.1.a")
def test_nobody_is_compelled_to_strike() -> None:
    game = meet(kido(6), task(), orders=["strike:none"])
    assert strikes_flown(game) == []
    assert short(group(game, "red", 1).air) == {"japan naval": 6}


@pytest.mark.rule("22.46", "22.461B")
def test_a_side_that_declines_once_is_done() -> None:
    game = meet(*two_each(), search=((1, 2), (6, 6)), orders=["strike:none"])
    assert log(game).count("Choose a group to strike") == 1


@pytest.mark.rule("23.751A", "22.463A", "SOP-NC-I.G.3", "22.41G")
def test_strikes_and_landing_stand_together_before_all_that_follows() -> None:
    """Between the search and fleet combat there is nothing else."""
    names = list(naval_battle.segments)
    first = names.index("surprise_strike")
    assert names[first - 1 : first + 4] == ["reveal", "surprise_strike", "first_strikes", "second_strikes", "landing"]


@pytest.mark.rule("23.74A")
def test_outside_naval_combat_carriers_attack_bases_and_no_ships() -> None:
    places = [
        fleet("first", "red", (0, 0), "japan", 3),
        fleet("other", "blue", (0, 1), "united-states", 3),
        base("isle", "blue", (0, 2), "1 united-states naval"),
    ]
    assert asked(start(scene(*places, theatre="pacific"))) == ["counterair:isle", "counterair:none"]


# --- who may strike ---------------------------------------------------------------------------------------------


@pytest.mark.rule("22.41C.1", "22.441", "SOP-NC-I.C.1")
def test_carrier_air_that_is_not_on_patrol_may_strike() -> None:
    game = meet(kido(6), task(), orders=[patrol(2, tag=JAPAN), "strike:1"], until=asks("fly"))
    assert asked_now(game) == [fly(number) for number in range(1, 5)]


COUNTERAIR: list[Dice] = [("Red: air combat over Isle", 1, 1), ("Blue: air combat over Isle, round 1, row 1", 2, 2)]
"""Row 4 at 2 is 1/1: the only squadron is gone; row 1 at 4 is 0/1: one of Red's four is aborted."""


@pytest.mark.rule("22.441", "22.41C.1", "22.433")
@pytest.mark.parametrize(("may_strike", "able"), [(True, 5), (False, 2)])
def test_squadrons_that_counteraired_may_strike_but_aborted_ones_not(may_strike: bool, able: int) -> None:
    """Four of six counterair; by the other reading (18.524B) only the two that stayed are left."""
    game = meet(
        kido(6),
        task(),
        bases=[isle("1 united-states naval")],
        orders=[f"send:isle:{JAPAN}:4", "strike:1"],
        options={"counterair_nas_may_strike": may_strike},
        until=asks("fly"),
        before=COUNTERAIR,
    )
    assert asked_now(game) == [fly(number) for number in range(1, able + 1)]


@pytest.mark.rule("23.11E", "23.75D", "22.341D", "22.31B")
def test_attack_squadrons_and_naval_air_strike_and_nobody_else() -> None:
    """Of an army factor one squadron in three; no cover or search squadrons, no jets and no transports."""
    field = isle("2 united-states army", "2 united-states naval", "1 united-states jet", "1 united-states transport")
    research = {"united-states": {"jets": 12}}
    game = meet(
        *(kido(), task()),
        search=BLUE_FINDS,
        bases=[field],
        research=research,
        orders=["strike:1"],
        until=asks("fly"),
    )
    offered = []
    while asks("fly")(game):
        offered.append(asked_now(game)[-1])
        game.choose(asked_now(game)[-1])
    assert offered == [fly(2, "isle:united-states:army:attack"), fly(2, ISLE)]


@pytest.mark.rule("23.75B.1", "23.74B.2")
@pytest.mark.parametrize(("far", "able"), [(3, True), (4, False)])
def test_land_based_air_strikes_within_range(far: int, able: bool) -> None:
    field = isle("2 united-states naval", at=(0, far))
    game = meet(kido(), task(), search=BLUE_FINDS, bases=[field], until=asks("strike"))
    assert asked_now(game) == (["strike:1", "strike:none"] if able else ["strike:none"])


@pytest.mark.rule("22.341D", "23.751B")
def test_land_based_air_that_searched_or_covers_does_not_strike() -> None:
    """Of six squadrons one covers and two search: three are left."""
    game = meet(
        kido(),
        task(),
        search=((6,), (1, 1, 1)),
        bases=[isle("6 united-states naval")],
        orders=[cover(1), f"search:{ISLE}:2", "strike:1"],
        until=asks("fly"),
    )
    assert asked_now(game)[-1] == fly(3, ISLE)


# --- together and apart -----------------------------------------------------------------------------------------


@pytest.mark.rule("23.74B", "23.74B.1", "23.74B.2", "23.75B", "23.75B.1", "23.75B.2", "22.461B", "22.31B")
def test_carriers_of_several_groups_and_several_bases_strike_together() -> None:
    """Four of the six squadrons of two carriers, two from one base and two from another: eight in one strike."""
    rock = "rock:united-states:naval:squadrons"
    game = meet(
        *two_each(),
        search=((6, 6), (1, 6)),
        bases=[isle("2 united-states naval"), isle("2 united-states naval", at=(1, 1), name="rock")],
        orders=["strike:1", fly(4, AMERICA), fly(2, ISLE), fly(2, rock)],
        until=rolls_for("air defense"),
    )
    assert {which.home: number for which, number in strike_of(game).attackers.items()} == {
        "blue-at-sea": 4,
        "isle": 2,
        "rock": 2,
    }


@pytest.mark.rule("23.74C", "23.75C", "17.3121.1")
def test_squadrons_of_one_carrier_and_of_one_base_split_over_several_strikes() -> None:
    """Enterprise's three squadrons and Isle's two fly against CG 1 and CG 2."""
    game = meet(
        squadron("one", "red", "Akagi", cruisers=6, destroyers=2),
        squadron("two", "red", "Kaga", cruisers=6, destroyers=2),
        task(air=3),
        search=((), (1, 2)),
        codebreaking="blue",
        bases=[isle("2 united-states naval")],
        rolls=[QUIET, ("attack on Akagi, row 3", 1, 1), QUIET, ("attack on Kaga, row 2", 1, 1)],
        orders=[
            *("strike:1", fly(2, AMERICA), fly(1, ISLE), "target:akagi"),
            *(f"against:akagi:{AMERICA}:2", f"against:akagi:{ISLE}:1"),
            *("strike:2", fly(1, AMERICA), fly(1, ISLE), "target:kaga"),
            *(f"against:kaga:{AMERICA}:1", f"against:kaga:{ISLE}:1"),
        ],
    )
    assert strikes_flown(game) == ["Blue on CG 1 (Red)", "Blue on CG 2 (Red)"]


@pytest.mark.rule("23.74D", "23.751B")
def test_each_squadron_attacks_once_a_round() -> None:
    """Two carrier squadrons and one from Isle have struck: one and one are left for the second strike."""
    game = meet(
        squadron("one", "red", "Akagi", cruisers=6, destroyers=2),
        task(air=3),
        search=((), (1, 1)),
        codebreaking="blue",
        bases=[isle("2 united-states naval")],
        rolls=[QUIET, ("attack on light ships", 1, 1)],
        orders=[
            *("strike:1", fly(2, AMERICA), fly(1, ISLE)),
            *(LIGHT, f"against:light-ships:{AMERICA}:2", f"against:light-ships:{ISLE}:1"),
            "strike:1",
        ],
        until=lambda game: asks("fly")(game) and struck(game),
    )
    assert asked_now(game) == [fly(0, AMERICA), fly(1, AMERICA)]
    game.choose(fly(0, AMERICA))
    assert attackers_left(game) == {"united-states naval": 1}


def distant(*forces: dict[str, Any]) -> list[str]:
    """Orders that give every force the number 6, so that in the first rounds no fleets meet."""
    return [f"number:{entry['id']}:6" for entry in forces]


@pytest.mark.rule("23.423", "T23.42-10", "T23.42-11", "23.74D", "23.751B")
def test_squadrons_driven_off_sit_the_round_out_and_strike_in_the_next() -> None:
    """Level 2 at 4 is 0/1: one of the two turns back. Nobody is left for a second strike; a round later both fly."""
    forces = [squadron("one", "red", "Ryujo", cruisers=6, destroyers=2, air=2), task(air=3)]
    game = meet(
        *forces,
        search=((6, 6), ()),
        rounds=2,
        codebreaking="red",
        rolls=[("air defense of", 1, 3), MISS, ("Red: search", 6, 1, 1), ("Blue: search", 1)],
        orders=[*distant(*forces), "strike:6", fly(2), "strike:6"],
        until=lambda game: asks("fly")(game) and game.state.battle.round == 2,
    )
    assert "Red: 1 air unit aborted (23.423)" in log(game)
    assert len(strikes_flown(game)) == 1
    assert asked_now(game) == [fly(1), fly(2)]


# --- how many -----------------------------------------------------------------------------------------------------

KINDS = {drm: f"1 japan naval {drm} @drm{drm}" for drm in range(5)}
"""A squadron of each DRM."""


def fits(drms: list[int]) -> bool:
    """Whether the program lets these squadrons fly together, added one by one."""
    chosen: Force = {}
    for drm in drms:
        (which,) = force(KINDS[drm])
        if room_in_strike(which, chosen) < 1:
            return False
        chosen[which] = chosen.get(which, 0) + 1
    return True


@pytest.mark.parametrize(
    ("drms", "legal"),
    [
        pytest.param([0] * 4, True, marks=pytest.mark.rule("23.73.1", "23.73")),
        pytest.param([0] * 5, False, marks=pytest.mark.rule("23.73.1", "23.73")),
        pytest.param([1] * 4, True, marks=pytest.mark.rule("23.73.1")),
        pytest.param([1] * 5, False, marks=pytest.mark.rule("23.73.1")),
        pytest.param([0, 0, 1, 1, 1], False, marks=pytest.mark.rule("23.73.1")),
        pytest.param([2] * 8, True, marks=pytest.mark.rule("23.73.2", "23.73")),
        pytest.param([2] * 9, False, marks=pytest.mark.rule("23.73.2", "23.73")),
        pytest.param([3] * 12, True, marks=pytest.mark.rule("23.73.3", "23.73")),
        pytest.param([3] * 13, False, marks=pytest.mark.rule("23.73.3", "23.73")),
        pytest.param([4] * 12, True, marks=pytest.mark.rule("23.73.3")),
        pytest.param([1] * 4 + [2] * 4 + [3] * 4, True, marks=pytest.mark.rule("23.73.4")),
        pytest.param([1] * 4 + [3] * 8, True, marks=pytest.mark.rule("23.73.4", "23.73.4.1")),
        pytest.param([0] * 5 + [3] * 7, False, marks=pytest.mark.rule("23.73.4", "23.73.4.1")),
        pytest.param([1, 2, 2, 2, 2, 2, 2, 2], True, marks=pytest.mark.rule("23.73.4", "23.73.4.2")),
        pytest.param([1, 1, 2, 2, 2, 2, 2, 2, 2], False, marks=pytest.mark.rule("23.73.4", "23.73.4.2")),
        pytest.param([2] * 8 + [3], True, marks=pytest.mark.rule("23.73.4", "23.73.4.3")),
        pytest.param([2] * 8 + [3] * 4, True, marks=pytest.mark.rule("23.73.4", "23.73.4.3")),
        pytest.param([2] * 9 + [3], False, marks=pytest.mark.rule("23.73.4", "23.73.4.3")),
    ],
)
def test_legal_and_illegal_mixes(drms: list[int], legal: bool) -> None:
    """In whatever order they are named."""
    assert {fits(order) for order in (drms, drms[::-1], drms[1::2] + drms[::2])} == {legal}


def tiers(drms: list[int]) -> bool:
    """23.73 as it is printed: every squadron gets one of twelve places, four for any DRM, four for two or more, four
    for three or more."""
    places = [0] * 4 + [2] * 4 + [3] * 4
    for drm in sorted(drms, reverse=True):
        able = [place for place in places if place <= drm]
        if not able:
            return False
        places.remove(max(able))
    return True


@pytest.mark.rule("23.73", "23.73.1", "23.73.2", "23.73.3", "23.73.4", "23.73.4.1", "23.73.4.2", "23.73.4.3")
@given(st.lists(st.integers(0, 4), max_size=13))
def test_sizes_are_those_of_the_printed_tiers(drms: list[int]) -> None:
    assert fits(drms) == tiers(drms)


@pytest.mark.rule("22.462C", "SOP-NC-I.G.2.b", "23.73")
@pytest.mark.parametrize(("elite", "tag", "most"), [(False, JAPAN, 8), (True, ELITE, 12)])
def test_a_strike_is_limited_by_the_drm_of_its_squadrons(elite: bool, tag: str, most: int) -> None:
    game = meet(kido(12, elite=elite), task(), orders=["strike:1"], until=asks("fly"))
    assert asked_now(game) == [fly(number, tag) for number in range(1, most + 1)]


@pytest.mark.rule("22.462C", "23.73.1", "23.73.4.1", "SOP-NC-I.G.2.b")
def test_low_squadrons_and_high_ones_fill_a_strike_together() -> None:
    """Of six British naval squadrons (DRM 1) four may fly; beside them four American ones (2)."""
    british = squadron("home", "blue", *BRITISH, nation="britain", cruisers=4, destroyers=2, air=6)
    game = meet(
        kido(),
        british,
        task("Enterprise", "Hornet", "Yorktown", cruisers=6, air=9),
        search=((6,), (1, 1)),
        orders=["strike:1"],
        until=asks("fly"),
    )
    tag = "blue-at-sea:britain:naval:squadrons"
    assert asked_now(game) == [fly(number, tag) for number in range(5)]
    game.choose(fly(4, tag))
    assert asked_now(game) == [fly(number, AMERICA) for number in range(5)]
