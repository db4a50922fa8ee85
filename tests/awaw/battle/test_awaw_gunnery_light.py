"""22.54D-G: light ships in a fleet combat, those who held their fire, and fire at screened ships."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from flagplot.awaw.battle.targets import held_back
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from tests.awaw.battles import asked_now, asks, group, lost, rolls_for, ships, sunk
from tests.awaw.fleets import FIRE, blue, clash, fired, held, line_up, red, volleys
from tests.awaw.scenes import log, short

DESTROYER, CRUISER = "japan:destroyer", "japan:cruiser"


def opened(*forces: dict[str, Any], orders: list[str] | None = None, **more: Any) -> Game[State]:
    return clash(*forces, orders=orders or [], until=FIRE, **more)


def offers(text: str) -> Callable[[Game[State]], bool]:
    """Until an option of this text is offered."""
    return lambda game: isinstance(game.pending, Choose) and text in asked_now(game)


# --- pairs and surplus ----------------------------------------------------------------------------------------------

SURPLUS = red(cruisers=2, destroyers=7)
"""Nine factors; against two destroyers three are surplus."""
GUARDED = blue("Alaska", destroyers=2, transports=1)


@pytest.mark.rule("22.54D", "22.54D.1", "22.54F", "SOP-NC-I.H.7", "SOP-NC-I.H.8")
def test_light_ships_fire_at_light_ships_at_the_same_time() -> None:
    """One destroyer each: both hit at 8 or more after modifiers of +1 and -1, and both are sunk."""
    dice = [("Red: fire by 1 Japanese destroyer", 3, 4), ("Blue: fire by 1 American destroyer", 4, 5)]
    game = clash(red(destroyers=1), blue(destroyers=1), rolls=dice)
    assert sunk(game) == {"japan:destroyer": 1, "united-states:destroyer": 1}
    assert "CG 1 (Red) destroyed" in log(game)
    assert "CG 1 (Blue) destroyed" in log(game)


@pytest.mark.rule("22.54D.1", "22.54D.2", "SOP-NC-I.H.7.a")
@pytest.mark.parametrize(
    ("factors", "surplus"),
    [pytest.param(6, None, id="3:1"), pytest.param(7, 1, id="one more"), pytest.param(9, 3, id="three more")],
)
def test_factors_beyond_three_times_the_enemys_are_surplus(factors: int, surplus: int | None) -> None:
    game = clash(red(destroyers=factors), GUARDED, orders=["fire:alaska:hold"], until=_aim_or_fire)
    if surplus is None:
        assert volleys(game, "red") == {"light-ships": [f"{factors} {DESTROYER}"]}
        return
    assert f"{surplus} surplus light factor{'s' * (surplus != 1)}" in str(game.pending)
    game.choose("aim:hold")
    if surplus > 1:
        assert asked_now(game) == [f"aim:hold:{DESTROYER}:{number}" for number in range(1, surplus + 1)]


def _aim_or_fire(game: Game[State]) -> bool:
    return asks("aim")(game) or rolls_for("destroyer")(game)


@pytest.mark.rule("22.54D.2", "22.54D.1", "22.552A.4", "22.54E")
def test_cruisers_are_not_split() -> None:
    """Five cruisers against three factors: the surplus of one factor is no ship. A CVE counts as a destroyer does."""
    game = opened(red(cruisers=10), blue(destroyers=2, cves=1))
    assert volleys(game, "red") == {"light-ships": [f"5 {CRUISER}"]}
    assert " surplus." not in log(game)
    game = clash(red(cruisers=10, destroyers=1), blue(destroyers=2, cves=1), until=asks("aim"))
    game.choose("aim:hold")
    assert asked_now(game) == [f"aim:hold:{CRUISER}:0", f"aim:hold:{CRUISER}:1"]
    game.choose(f"aim:hold:{CRUISER}:0")
    assert volleys(game, "red") == {"light-ships": [f"5 {CRUISER}"]}
    assert held(game, "red") == {DESTROYER: 1}


@pytest.mark.rule("22.54D.2", "22.54E")
def test_without_enemy_light_ships_all_are_surplus() -> None:
    game = clash(red(destroyers=3), blue("Alaska"), orders=["fire:alaska:hold"], until=asks("aim"))
    assert "3 surplus light factors" in str(game.pending)
    assert asked_now(game) == ["aim:hold", "aim:alaska"]


# --- what surplus light ships do ------------------------------------------------------------------------------------

ALASKA = [("Alaska on light ships, row 2", 1, 1)]


@pytest.mark.rule("22.54E", "SOP-NC-I.H.7.b", "22.54E.1", "22.54E.2", "22.54E.3")
def test_what_surplus_light_ships_may_do() -> None:
    game = clash(SURPLUS, GUARDED, orders=["fire:alaska:light-ships"], rolls=ALASKA, until=asks("aim"))
    assert game.pending is not None
    assert game.pending.side == "red"
    assert asked_now(game) == ["aim:light-ships", "aim:alaska", "aim:hold"]


@pytest.mark.rule("22.54E.1", "SOP-NC-I.H.7.b.i")
def test_they_join_in_firing_at_light_ships() -> None:
    orders = ["fire:alaska:light-ships", "aim:light-ships"]
    game = clash(SURPLUS, GUARDED, orders=orders, rolls=ALASKA, until=rolls_for("row 9"))
    assert volleys(game, "red") == {"light-ships": [f"1 {CRUISER}", f"7 {DESTROYER}"]}


@pytest.mark.rule("22.54E.2", "22.54E.2.1", "SOP-NC-I.H.7.b.ii", "SOP-NC-I.H.7.b.ii.a")
def test_they_fire_at_a_capital_ship_in_any_number() -> None:
    """Any number of them, even one at a battlecruiser of two factors; the others fire at the light ships."""
    orders = ["fire:alaska:hold", "aim:alaska", f"aim:alaska:{CRUISER}:0", f"aim:alaska:{DESTROYER}:1"]
    game = opened(SURPLUS, GUARDED, orders=orders)
    assert volleys(game, "red") == {"alaska": [f"1 {DESTROYER}"], "light-ships": [f"1 {CRUISER}", f"6 {DESTROYER}"]}
    orders[2:] = [f"aim:alaska:{CRUISER}:1", f"aim:alaska:{DESTROYER}:1"]
    game = opened(SURPLUS, GUARDED, orders=orders)
    assert volleys(game, "red")["alaska"] == [f"1 {CRUISER}", f"1 {DESTROYER}"]


@pytest.mark.rule("22.54E.3", "SOP-NC-I.H.7.b.iii")
def test_they_hold_their_fire() -> None:
    orders = ["fire:alaska:hold", "aim:hold", f"aim:hold:{CRUISER}:0", f"aim:hold:{DESTROYER}:3"]
    game = opened(SURPLUS, GUARDED, orders=orders)
    assert held(game, "red") == {DESTROYER: 3}
    assert volleys(game, "red") == {"light-ships": [f"1 {CRUISER}", f"4 {DESTROYER}"]}


@pytest.mark.rule("22.54E", "22.54E.3", "22.54E.2")
def test_what_fires_at_a_capital_ship_is_no_longer_surplus() -> None:
    """Three factors are: one fires at Alaska, so two are left to hold their fire."""
    orders = ["fire:alaska:hold", "aim:alaska", f"aim:alaska:{CRUISER}:0", f"aim:alaska:{DESTROYER}:1", "aim:hold"]
    game = clash(SURPLUS, GUARDED, orders=orders, until=asks("aim:hold"))
    assert asked_now(game) == [f"aim:hold:{CRUISER}:0", f"aim:hold:{CRUISER}:1"]
    game.choose(f"aim:hold:{CRUISER}:0")
    assert asked_now(game) == [f"aim:hold:{DESTROYER}:1", f"aim:hold:{DESTROYER}:2"]


def seven_surplus() -> Game[State]:
    """Seven surplus destroyers that are about to choose among two battleships of four factors, which have sunk the
    eighth."""
    return clash(
        red(destroyers=8),
        blue("Washington", "Alabama"),
        orders=["fire:washington:light-ships", "fire:alabama:light-ships"],
        rolls=[("on light ships, row 8", 1, 1)],
        until=asks("aim"),
    )


@pytest.mark.rule("22.54E.2.2", "22.54E.2.1", "SOP-NC-I.H.7.b.ii.b", "22.54E.2")
@pytest.mark.parametrize("first", range(1, 8))
def test_a_second_battleship_is_fired_at_only_if_the_first_is_by_as_many_factors_as_it_has(first: int) -> None:
    """Seven factors against battleships of four: 4, 5, 6 or 7 on the first and what is left on the second; or fewer
    than four on one of them alone, so that three on each are too few."""
    game = seven_surplus()
    assert asked_now(game) == ["aim:hold", "aim:alabama", "aim:washington"]
    game.choose("aim:alabama")
    assert asked_now(game) == [f"aim:alabama:{DESTROYER}:{some}" for some in range(1, 8)]
    game.choose(f"aim:alabama:{DESTROYER}:{first}")
    if first == 7:
        assert volleys(game, "red") == {"alabama": [f"7 {DESTROYER}"]}
    elif first < 4:
        assert volleys(game, "red") == {"alabama": [f"{first} {DESTROYER}"]}
        assert held(game, "red") == {DESTROYER: 7 - first}
    else:
        assert asked_now(game) == ["aim:hold", "aim:washington"]
        game.choose("aim:washington")
        if first < 6:
            assert asked_now(game) == [f"aim:washington:{DESTROYER}:{some}" for some in range(1, 8 - first)]
            game.choose(f"aim:washington:{DESTROYER}:{7 - first}")
        assert volleys(game, "red") == {"alabama": [f"{first} {DESTROYER}"], "washington": [f"{7 - first} {DESTROYER}"]}


@pytest.mark.rule("22.54E.2", "22.54F", "T22.55-08", "SOP-NC-I.H.8")
def test_a_capital_ship_that_capital_ships_have_hit_may_be_finished_by_light_ships() -> None:
    """Two hits of Kongo damage Oregon, of three factors; six destroyers in row 6 roll 2 + 1 and 3 + 1: no hit, one."""
    for face, expected in ((1, {}), (2, {"oregon": 1})):
        game = clash(
            red("Kongo", destroyers=6),
            blue("Oregon"),
            orders=["aim:oregon", f"aim:oregon:{DESTROYER}:6"],
            rolls=[("Kongo on Oregon", 5, 6), ("Oregon on Kongo", 1, 1), ("factors on Oregon, row 6", 1, face)],
        )
        assert sunk(game) == expected


# --- who held its fire, and screened ships --------------------------------------------------------------------------

CARRIERS = blue("Enterprise", "Hornet", destroyers=1)
"""Two carriers behind one destroyer."""
TWO_GUNS = red("Kongo", "Haruna")
KONGO_FIRES = ["fire:haruna:hold", "fire:kongo:light-ships"]


@pytest.mark.rule("22.54G", "22.54G.1", "22.531C.3.2", "SOP-NC-I.H.9", "SOP-NC-I.H.10", "22.54G.2", "SOP-NC-I.H.9.a")
def test_once_all_others_are_sunk_who_held_its_fire_may_fire_at_screened_ships() -> None:
    """Kongo sinks the destroyer with 7 + 1; then Haruna fires at one of the carriers."""
    dice = [("Kongo on light ships", 3, 4)]
    game = clash(TWO_GUNS, CARRIERS, orders=KONGO_FIRES, rolls=dice, until=offers("fire:haruna:enterprise"))
    assert asked_now(game) == ["fire:haruna:enterprise", "fire:haruna:hornet", "fire:haruna:hold"]
    dice.append(("Red: fire by Haruna on Hornet, row 3", 6, 6))
    game = clash(TWO_GUNS, CARRIERS, orders=[*KONGO_FIRES, "fire:haruna:hornet"], rolls=dice)
    assert ships(group(game, "blue", 1)) == {"enterprise": 0, "hornet damaged": 2}


@pytest.mark.rule("22.54G", "22.54G.1")
def test_who_held_its_fire_need_not_fire_at_screened_ships() -> None:
    dice = [("Kongo on light ships", 3, 4)]
    game = clash(TWO_GUNS, CARRIERS, orders=[*KONGO_FIRES, "fire:haruna:hold"], rolls=dice)
    assert len(fired(game)) == 1
    lights = clash(red("Kongo", destroyers=3), blue("Enterprise", "Hornet"), orders=["fire:kongo:hold", "aim:hold"])
    assert fired(lights) == []


@pytest.mark.rule("22.54G.1", "22.531C.3.2", "SOP-NC-I.H.9", "22.54B.3")
def test_while_one_of_the_others_is_afloat_nobody_fires_at_screened_ships() -> None:
    game = clash(TWO_GUNS, CARRIERS, orders=KONGO_FIRES, rolls=[("Kongo on light ships", 1, 1)])
    assert len(fired(game)) == 1
    assert "Red: no target for the ships that held fire (22.54G)" in log(game)


@pytest.mark.rule("22.54G.3", "22.54G.4", "SOP-NC-I.H.10")
def test_nor_do_light_ships_that_held_their_fire() -> None:
    """Nine destroyers against two: three hold their fire, but the two are not sunk and shield Enterprise."""
    orders = ["fire:alaska:hold", "aim:hold", f"aim:hold:{DESTROYER}:3"]
    dice = [("6 Japanese destroyer factors", 1, 1), ("2 American destroyer factors", 1, 1)]
    game = clash(red(destroyers=9), blue("Alaska", "Enterprise", destroyers=2), orders=orders, rolls=dice)
    assert len(fired(game)) == 2


@pytest.mark.rule("22.54G", "22.531C.3.2", "22.54B.3")
def test_only_those_who_held_their_fire_may() -> None:
    """All have fired at the destroyer and sunk it; nobody is left to fire at the carriers."""
    dice = [("Haruna, Kongo on light ships, row 6", 3, 4)]
    game = clash(TWO_GUNS, CARRIERS, orders=["fire:haruna:light-ships", "fire:kongo:light-ships"], rolls=dice)
    assert len(fired(game)) == 1


@pytest.mark.rule("22.54G.1", "22.54C.4", "SOP-NC-I.H.6.d.i", "22.531C.3.2", "22.54G.2", "SOP-NC-I.H.9.b")
def test_a_cruiser_damaged_by_capital_ships_does_not_shield_the_others() -> None:
    """It is screened itself, and may be fired at with the other screened light ships."""
    behind = blue("Enterprise", cruisers=2, transports=2)
    game = clash(
        TWO_GUNS,
        behind,
        orders=[*KONGO_FIRES, "fire:haruna:light-ships"],
        rolls=[("Kongo on light ships", 3, 4), ("Red: fire by Haruna on light ships, row 3", 3, 4)],
    )
    assert sunk(game) == {"united-states:cruiser": 1}
    assert ships(group(game, "blue", 1)) == {"enterprise": 0, "united-states transport": 2}


@pytest.mark.rule("22.54G.1", "SOP-NC-I.H.9", "22.54F")
def test_a_cruiser_damaged_by_light_ships_does() -> None:
    """Six destroyers against a cruiser are at 3:1: one hit damages it, and it shields Enterprise."""
    dice = [("destroyer factors on light ships, row 6", 2, 2), ("Blue: fire by 1 American cruiser", 1, 1)]
    game = clash(red("Kongo", destroyers=6), blue("Enterprise", cruisers=2), orders=["fire:kongo:hold"], rolls=dice)
    assert ships(group(game, "blue", 1))["united-states cruiser damaged"] == 1
    assert "no target for" in log(game)


@pytest.mark.rule("22.54G.3", "SOP-NC-I.H.10.a", "SOP-NC-I.H.10.b", "22.54G.4", "22.54E.3", "SOP-NC-I.H.9.a")
def test_capital_ships_fire_first_and_light_ships_choose_when_they_have_seen_it() -> None:
    """Nobody is in Blue's line. Kongo sinks Enterprise, which had one hit; the destroyers may then fire at Hornet
    alone, or at the transports; nobody fires back."""
    alone = blue("Enterprise", "Hornet", transports=2, hits={"Enterprise": 1})
    orders = ["fire:kongo:enterprise"]
    dice = [("Red: fire by Kongo on Enterprise, row 3", 5, 4)]
    game = clash(red("Kongo", destroyers=3), alone, orders=orders, rolls=dice, until=asks("aim"))
    assert sunk(game) == {"enterprise": 1}
    assert asked_now(game) == ["aim:hornet", "aim:light-ships", "aim:hold"]
    orders += ["aim:hornet", f"aim:hornet:{DESTROYER}:2"]
    dice += [("Red: fire by 2 Japanese destroyer factors on Hornet, row 2", 1, 1)]
    dice += [("Red: fire by 1 Japanese destroyer factor on light ships, row 1", 1, 1)]
    game = clash(red("Kongo", destroyers=3), alone, orders=orders, rolls=dice)
    assert len(fired(game)) == 3


@pytest.mark.rule("22.54G.3", "22.54G.2", "SOP-NC-I.H.9.b", "SOP-NC-I.H.10.b")
def test_on_one_target_capital_ships_and_light_ships_fire_one_after_the_other() -> None:
    """Four transports: Kongo and Haruna together sink two, then the destroyers one more."""
    game = clash(
        red("Kongo", "Haruna", destroyers=3),
        blue(transports=4),
        rolls=[
            ("Red: fire by Haruna, Kongo on light ships, row 6", 3, 4),
            ("Red: fire by 3 Japanese destroyer factors on light ships, row 3", 2, 3),
        ],
    )
    assert sunk(game) == {"united-states:transport": 3}


@pytest.mark.rule("22.54G.3", "22.54G.2", "SOP-NC-I.H.10.b")
def test_light_ships_that_have_all_fired_are_not_asked_again() -> None:
    orders = ["fire:kongo:hold", "aim:hornet", f"aim:hornet:{DESTROYER}:3"]
    dice = [("Red: fire by 3 Japanese destroyer factors on Hornet, row 3", 1, 1)]
    game = clash(red("Kongo", destroyers=3), blue("Hornet", transports=2), orders=orders, rolls=dice)
    assert log(game).count("Choose a screened target for 3 Japanese") == 1


@pytest.mark.rule("22.54G.2", "22.54G.3", "22.35E")
def test_of_light_ships_that_held_their_fire_those_are_free_that_go_on_holding_it() -> None:
    orders = ["fire:kongo:hornet", "aim:hornet", f"aim:hornet:{DESTROYER}:2", "aim:hold"]
    dice = [("Kongo on Hornet", 1, 1), ("2 Japanese destroyer factors on Hornet", 1, 1)]
    raiders = red("Kongo", destroyers=3)
    game = clash(raiders, blue("Hornet", transports=2), raiders=True, orders=orders, rolls=dice)
    assert {which.tag: number for which, number in group(game, "red", 1).idle.items()} == {DESTROYER: 1}


@pytest.mark.rule("22.54G", "22.54E.3", "22.531C.3.1")
def test_a_ship_that_was_damaged_since_does_not_fire() -> None:
    force = red("Kongo", "Haruna", cruisers=6, damaged_cruisers=2, hits={"Kongo": 2, "Haruna": 1})
    state = line_up(force, CARRIERS).state
    assert state.battle.engagement is not None
    state.battle.engagement.screened = {"red": {}, "blue": {}}
    state.battle.engagement.held = {"red": {"kongo": 1, "haruna": 1, CRUISER: 2}}
    assert {which.tag: number for which, number in held_back(state, "red").items()} == {"haruna": 1, CRUISER: 1}


@pytest.mark.rule("22.35E")
def test_raiders_that_did_not_fight_may_attack_transports_once_nobody_shields_them() -> None:
    """Yamato sinks Alaska; Haruna was screened, Kongo held its fire and found no target: both are free."""
    game = clash(
        red("Yamato", "Kongo", "Haruna", destroyers=1),
        blue("Alaska"),
        raiders=True,
        orders=["screen:haruna", "fire:kongo:hold"],
        rolls=[("Yamato on Alaska", 6, 6), ("Alaska on Yamato", 1, 1)],
    )
    assert game.state.elsewhere.exposed
    idle = group(game, "red", 1).idle
    assert {which.tag: number for which, number in idle.items()} == {"haruna": 1, "kongo": 1, DESTROYER: 1}


@pytest.mark.rule("22.35E")
def test_those_who_have_fired_are_not_free_nor_are_transports_exposed_while_one_shields_them() -> None:
    dice = [("Yamato on Alaska", 1, 1), ("Alaska on Yamato", 1, 1)]
    game = clash(red("Yamato", "Kongo"), blue("Alaska"), raiders=True, orders=["fire:kongo:hold"], rolls=dice)
    assert not game.state.elsewhere.exposed
    bare = clash(red("Yamato", "Kongo"), blue(transports=2), raiders=True, rolls=[("Yamato, Kongo on light", 1, 1)])
    assert bare.state.elsewhere.exposed
    assert group(bare, "red", 1).idle == {}


@pytest.mark.rule("22.35E")
@pytest.mark.parametrize(("faces", "exposed"), [((1, 1), False), ((3, 4), True)])
def test_a_cruiser_that_capital_ships_have_damaged_shields_transports_from_raiders(
    faces: tuple[int, int], exposed: bool
) -> None:
    """Kongo damages the cruiser; Haruna misses it behind the line, or sinks it."""
    game = clash(
        TWO_GUNS,
        blue("Enterprise", cruisers=2, transports=2),
        raiders=True,
        orders=[*KONGO_FIRES, "fire:haruna:light-ships"],
        rolls=[("Kongo on light ships", 3, 4), ("Haruna on light ships", *faces)],
    )
    assert game.state.elsewhere.exposed is exposed


@pytest.mark.rule("22.35E")
def test_a_cruiser_that_was_damaged_before_does_not() -> None:
    game = clash(
        red("Kongo"),
        blue("Enterprise", cruisers=2, damaged_cruisers=1),
        raiders=True,
        orders=["fire:kongo:hold"],
    )
    assert game.state.elsewhere.exposed


# --- hits and their consequences ------------------------------------------------------------------------------------


@pytest.mark.rule("T22.55-11", "22.54C.2", "22.54F")
def test_hits_on_mixed_light_ships_are_reckoned_over_the_whole_combat() -> None:
    """Capital fire sinks a cruiser with two hits, so the two hits of light fire are the destroyers' turn."""
    game = clash(
        red("Nagato", "Kongo", destroyers=6),
        blue(cruisers=4, destroyers=4),
        orders=["fire:nagato:light-ships", "fire:kongo:light-ships"],
        rolls=[
            ("Nagato, Kongo on light ships, row 7", 3, 4),
            ("Japanese destroyer factors on light ships, row 6", 4, 4),
            ("Blue: fire by 1 American cruiser, 4 American destroyer", 1, 1),
        ],
    )
    assert sunk(game) == {"united-states:cruiser": 1, "united-states:destroyer": 2}


@pytest.mark.rule("T22.55-09", "T22.55-10", "22.54F")
def test_an_odd_hit_damages_a_cruiser_and_each_hit_sinks_a_destroyer() -> None:
    """Row 8 at 2 + 1 is one hit, row 8 at 6 - 1 is one."""
    game = clash(
        red(cruisers=8),
        blue(destroyers=8),
        rolls=[("4 Japanese cruisers on light ships, row 8", 1, 1), ("on light ships, row 8", 3, 3)],
    )
    assert sunk(game) == {"united-states:destroyer": 1}
    assert ships(group(game, "red", 1)) == {"japan cruiser": 3, "japan cruiser damaged": 1}


@pytest.mark.rule("17.3124", "22.56")
def test_squadrons_of_a_carrier_that_is_damaged_are_only_carried() -> None:
    dice = [("Kongo on light ships", 3, 4), ("Haruna on Enterprise", 6, 6)]
    carriers = blue("Enterprise", "Hornet", destroyers=1, air=6)
    game = clash(TWO_GUNS, carriers, orders=[*KONGO_FIRES, "fire:haruna:enterprise"], rolls=dice)
    assert short(group(game, "blue", 1).air) == {"united-states naval": 3}
    assert short(game.state.sites["blue-at-sea"].grounded) == {"united-states naval": 3}


@pytest.mark.rule("17.3124", "22.56")
def test_squadrons_of_a_group_that_is_destroyed_are_lost_with_it() -> None:
    dice = [("Kongo on light ships", 3, 4), ("Haruna on Enterprise", 5, 4)]
    alone = blue("Enterprise", destroyers=1, air=3, hits={"Enterprise": 1})
    game = clash(TWO_GUNS, alone, orders=KONGO_FIRES, rolls=dice)
    assert lost(game) == {"united-states/naval/squadrons": 3}
    assert "CG 1 (Blue) destroyed" in log(game)
    assert group(game, "blue", 1).air == {}


@pytest.mark.rule("22.82A")
def test_cargo_goes_down_with_its_ships() -> None:
    laden = blue(laden_transports=3, cargo="oil")

    def load(state: State) -> None:
        state.battle.groups["blues"].carried = 3

    game = clash(red("Kongo"), laden, rolls=[("Kongo on light ships", 3, 4)], change=load)
    assert sunk(game) == {"united-states:transport:laden": 1}
    assert "1 of 3 laden factors sunk" in log(game)
