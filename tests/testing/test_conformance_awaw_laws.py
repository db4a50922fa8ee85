"""The laws of air units, ships and combat groups have teeth: a state that breaks one is told so."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import flagplot
from flagplot.awaw.air_units import Arm, Force, Role, Unit, add, take, unit
from flagplot.awaw.conversion import break_down
from flagplot.awaw.ships import Ship
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Seeded
from flagplot.kernel.game import Game
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.procedures import Frame
from flagplot.kernel.requests import Roll
from flagplot.testing import set_up
from flagplot.testing.awaw import AwawLaws
from tests.awaw.battles import asked_now, asks, battle, rolls_for, squadron
from tests.awaw.scenes import base, start

Spoil = Callable[[State], None]


def opening(scenario: str) -> State:
    state: State = copy_of(set_up(scenario).opening)
    return state


def faults(scenario: str, spoil: Spoil) -> list[str]:
    before = opening(scenario)
    after = copy_of(before)
    spoil(after)
    laws = AwawLaws(before)
    return [*laws.always(after), *laws.step(before, after)]


def lose_without_account(state: State) -> None:
    which = next(iter(state.sites["rabaul"].air))
    state.sites["rabaul"].air[which] -= 1


def naval_squadron_from_nowhere(state: State) -> None:
    air = state.sites["tf38"].air
    air[next(iter(air))] += 1


def empty_flight(state: State) -> None:
    air = state.sites["tf38"].air
    air[next(iter(air))] = 0


def too_many_aborted(state: State) -> None:
    site = state.sites["tf38"]
    site.aborted = {next(iter(site.air)): 6}


def still_hidden(state: State) -> None:
    state.sites["rabaul"].counteraired = True


def in_an_enemy_base(state: State) -> None:
    state.sites["munda"].air |= state.sites["buin"].air
    state.sites["buin"].air = {}


def base_too_full(state: State) -> None:
    which = next(which for which in state.sites["buin"].air if which.role == "factors")
    state.sites["buin"].air[which] = 4


def never_put_together(state: State) -> None:
    state.sites["rabaul"].air = break_down(state.sites["rabaul"].air)
    state.frames = []


def beyond_the_pool(state: State) -> None:
    state.losses.air["japan/army/factors"] = 1
    state.frames = []


BROKEN: list[tuple[Spoil, str]] = [
    (lose_without_account, "japan army air in play and lost, in squadrons: 15, then"),
    (naval_squadron_from_nowhere, "united-states naval air in play and lost, in squadrons: 15, then 16"),
    (empty_flight, "an empty flight"),
    (too_many_aborted, "5 units, 6 of them aborted"),
    (still_hidden, "rabaul was attacked, but something is still hidden there"),
    (in_an_enemy_base, "based here, but its home is elsewhere"),
    (base_too_full, "buin has room for 9 squadrons, but holds"),
    (never_put_together, "not put together at the end"),
    (beyond_the_pool, "japan has 6 army air factors; its force pool holds 5"),
]


@pytest.mark.parametrize(("spoil", "words"), BROKEN, ids=[spoil.__name__ for spoil, _ in BROKEN])
def test_a_broken_state_is_told_so(spoil: Spoil, words: str) -> None:
    assert any(words in fault for fault in faults("rabaul", spoil)), faults("rabaul", spoil)


@pytest.mark.parametrize(
    "scenario", [name for name in flagplot.scenario_names() if flagplot.read_scenario(name)["game"] == "awaw"]
)
def test_openings_are_lawful(scenario: str) -> None:
    assert faults(scenario, lambda state: None) == []


# --- naval battles ----------------------------------------------------------------------------------------------


def scenario() -> dict[str, Any]:
    """Two Japanese groups and a force that comes later against two American groups, with bases on both sides."""
    return battle(
        squadron("kido", "red", "Akagi", "Kaga", cruisers=6, destroyers=3, air=6),
        squadron("screen", "red", "Zuiho", "Kongo", cruisers=4, destroyers=2, air=1),
        squadron("late", "red", "Yamato", cruisers=2, destroyers=3, arrives=2),
        squadron("tf16", "blue", "Enterprise", cruisers=6, destroyers=3, air=3),
        squadron("tf17", "blue", "Yorktown", cruisers=6, destroyers=3, air=2),
        bases=[
            base("isle", "blue", (0, 2), "2 united-states army", "2 united-states naval"),
            base("home", "red", (0, -2), "1 japan army", "2 japan naval"),
        ],
        rounds=2,
    )


ORDERS = (
    *("number:kido:1", "number:screen:2", "number:tf16:1", "number:tf17:2"),
    *("patrol:1:red-at-sea:japan:naval:squadrons:2", "patrol:1:blue-at-sea:united-states:naval:squadrons:1"),
    *("cover:1:isle:united-states:army:cover:1", "search:isle:united-states:army:search:2"),
)
MOMENTS: dict[str, Callable[[Game[State]], bool]] = {
    "opening": lambda game: True,
    "round": asks("search"),
    "search": rolls_for("Red: search"),
    "strike": lambda game: game.state.battle.strike is not None,
    "landed": lambda game: game.state.battle.round == 2,
    "over": lambda game: False,
}
"""Places in a battle in which both sides find each other and Red strikes once: until when it is played."""


@cache
def states() -> dict[str, State]:
    """The battle at each of these moments, at a border or as it is in the middle of a segment."""
    game = start(scenario(), Seeded(3))
    found, waiting = {}, list(ORDERS)
    for name, until in MOMENTS.items():
        while game.pending is not None and not until(game):
            _answer(game, waiting)
        found[name] = copy_of(game.state)
    assert not waiting
    return found


def _answer(game: Game[State], waiting: list[str]) -> None:
    if isinstance(game.pending, Roll):
        game.roll([1] * game.pending.dice)
        return
    offered = asked_now(game)
    order = next((order for order in waiting if order in offered), None)
    if order is not None:
        waiting.remove(order)
    striking = next((text for text in offered if text.startswith(("strike:1", "fly:red"))), offered[0])
    game.choose(order or striking)


def red(state: State, key: str = "kido") -> Group:
    return state.battle.groups[key]


def of_arm(force: Force, arm: str, role: str = "squadrons") -> Unit:
    return next(which for which in force if (which.arm, which.role) == (arm, role))


def named(group: Group, name: str) -> Ship:
    return next(which for which in group.ships if which.id == name)


def light(group: Group, kind: str) -> Ship:
    return next(which for which in group.ships if which.kind == kind)


def carrier_air(state: State) -> Unit:
    return next(iter(state.battle.groups["kido"].patrol))


def ship_in_two_groups(state: State) -> None:
    red(state, "screen").ships[named(red(state), "akagi")] = 1


def squadron_with_two_roles(state: State) -> None:
    state.sites["red-at-sea"].struck[carrier_air(state)] = 1


def same_number(state: State) -> None:
    red(state, "screen").number = 1


def number_seven(state: State) -> None:
    red(state).number = 7


def cover_of_the_wrong_kind(state: State) -> None:
    which = of_arm(state.sites["isle"].air, "army", "attack")
    take(state.sites["isle"].air, which, 1)
    state.battle.groups["tf16"].cover[which] = 1


def search_of_the_wrong_kind(state: State) -> None:
    which = of_arm(state.sites["isle"].air, "army", "attack")
    take(state.sites["isle"].air, which, 1)
    state.sites["isle"].searching[which] = 1


def strike_of_the_wrong_kind(state: State) -> None:
    which = of_arm(state.sites["isle"].searching, "army", "search")
    take(state.sites["isle"].searching, which, 1)
    assert state.battle.strike is not None
    state.battle.strike.attackers[which] = 1


def factors_on_cover(state: State) -> None:
    which = next(iter(state.battle.groups["tf16"].cover))
    state.battle.groups["tf16"].cover = {which.counted(Role.FACTORS): 1}


def carrier_air_as_cover(state: State) -> None:
    red(state).cover, red(state).patrol = red(state).patrol, {}


def land_based_patrol(state: State) -> None:
    which = of_arm(state.sites["isle"].air, "naval")
    state.battle.groups["tf16"].patrol = {which: state.sites["isle"].air.pop(which)}


def land_based_air_at_sea(state: State) -> None:
    which = of_arm(state.sites["isle"].air, "naval")
    state.sites["blue-at-sea"].air[which] = state.sites["isle"].air.pop(which)


def strike_of_thirteen(state: State) -> None:
    assert state.battle.strike is not None
    which = next(iter(state.battle.strike.attackers))
    state.battle.strike.attackers = {unit("japan", Arm.ELITE, 4, 3, which.home, Role.SQUADRONS, False): 13}


def strike_of_nine_average_squadrons(state: State) -> None:
    assert state.battle.strike is not None
    state.battle.strike.attackers = {next(iter(state.battle.strike.attackers)): 9}


def attacked_too_often(state: State) -> None:
    red(state).this_round.results, red(state).this_round.attacks = 1, 2


def patrol_beyond_its_limit(state: State) -> None:
    state.sites["red-at-sea"].air[carrier_air(state)] -= 1
    red(state).patrol[carrier_air(state)] += 1


def more_aborted_than_aboard(state: State) -> None:
    state.sites["red-at-sea"].aborted = {carrier_air(state): 6}


def ship_vanishes(state: State) -> None:
    take(red(state).ships, light(red(state), "destroyer"), 1)


def group_gains_ships(state: State) -> None:
    which = light(red(state), "cruiser")
    take(red(state).ships, which, 1)
    add(red(state, "screen").ships, which, 1)


def group_changes_its_number(state: State) -> None:
    red(state).number = 5


def pending_force_gains_ships(state: State) -> None:
    which = light(red(state), "cruiser")
    take(red(state).ships, which, 1)
    add(red(state, "late").ships, which, 1)


def too_many_aboard_a_group(state: State) -> None:
    red(state, "screen").air |= red(state).air
    red(state).air = {}


def aboard_without_a_deck(state: State) -> None:
    _damage(red(state), "akagi", "kaga")


def _damage(group: Group, *names: str) -> None:
    for name in names:
        which = named(group, name)
        take(group.ships, which, 1)
        add(group.ships, which.bearing(which.size - 1), 1)


def too_many_on_damaged_carriers(state: State) -> None:
    site = state.sites["red-at-sea"]
    site.grounded, site.air = site.air, {}


def patrol_limit_beyond_the_carriers(state: State) -> None:
    red(state).third = 3


def more_results_than_dice(state: State) -> None:
    state.battle.groups["tf16"].this_round.results = 3


def army_squadron_lost_without_account(state: State) -> None:
    take(state.sites["isle"].air, of_arm(state.sites["isle"].air, "army", "attack"), 1)


def never_landed(state: State) -> None:
    which = next(iter(red(state).air))
    take(red(state).air, which, 1)
    red(state).patrol, red(state).third = {which: 1}, 1


IN_BATTLE: list[tuple[str, Spoil, str]] = [
    ("round", ship_in_two_groups, "akagi: 2, but there were 1 at the opening"),
    ("round", squadron_with_two_roles, "japan naval air: 10 squadrons, but there were 9 at the opening"),
    ("round", same_number, "2 combat groups of red have the number 1"),
    ("round", number_seven, "1 combat groups of red have the number 7"),
    ("round", cover_of_the_wrong_kind, "not for this role: Flight(where='cover of blue CG 1'"),
    ("round", search_of_the_wrong_kind, "not for this role: Flight(where='searching isle'"),
    ("strike", strike_of_the_wrong_kind, "not for this role: Flight(where='strike'"),
    ("round", factors_on_cover, "not for this role: Flight(where='cover of blue CG 1'"),
    ("round", carrier_air_as_cover, "based in the wrong place for this role: Flight(where='cover of red CG 1'"),
    ("round", land_based_patrol, "based in the wrong place for this role: Flight(where='patrol of blue CG 1'"),
    ("round", land_based_air_at_sea, "not carrier air: Flight(where='aboard of blue at sea'"),
    ("strike", strike_of_thirteen, "13 squadrons with a DRM below 99 are in one strike; 12 may be"),
    ("strike", strike_of_nine_average_squadrons, "9 squadrons with a DRM below 3 are in one strike; 8 may be"),
    ("round", attacked_too_often, "red CG 1 was found 1 times and attacked 2 times"),
    ("round", patrol_beyond_its_limit, "3 squadrons fly patrol over red CG 1, but 2 may"),
    ("round", more_aborted_than_aboard, "more squadrons of red were aborted than are aboard: 6 Japanese"),
    ("round", ship_vanishes, "japan destroyer: 7 afloat, sunk or returned, but 8 at the opening"),
    ("round", group_gains_ships, "japan cruiser: 3 in red CG 2, where there were 2"),
    ("round", group_changes_its_number, "akagi: 1 in red CG 5, where there were 0"),
    ("landed", pending_force_gains_ships, "japan cruiser: 1 in pending forces, and then 2"),
    ("landed", too_many_aboard_a_group, "squadrons of japan aboard red CG 2, which has room for"),
    ("round", aboard_without_a_deck, "squadrons of japan aboard the fleet of red, which has room for 0"),
    ("round", too_many_on_damaged_carriers, "aboard the damaged carriers of red, which has room for 0"),
    ("round", patrol_limit_beyond_the_carriers, "3 squadrons may fly patrol over red CG 1, whose carriers allow 2"),
    ("search", more_results_than_dice, "red has 3 search results with 1 dice"),
    ("round", army_squadron_lost_without_account, "united-states army air in play and lost, in squadrons: 6, then 5"),
    ("over", never_landed, "still under way at the end: Flight(where='patrol of red CG 1'"),
]


@pytest.mark.parametrize(("moment", "spoil", "words"), IN_BATTLE, ids=[spoil.__name__ for _, spoil, _ in IN_BATTLE])
def test_a_broken_battle_is_told_so(moment: str, spoil: Spoil, words: str) -> None:
    found = in_battle(states()[moment], spoil)
    assert any(words in fault for fault in found), found


def in_battle(before: State, spoil: Spoil) -> list[str]:
    laws, after = AwawLaws(states()["opening"]), copy_of(before)
    spoil(after)
    return [*laws.always(after), *laws.step(before, after)]


@pytest.mark.parametrize("moment", MOMENTS)
def test_the_battle_itself_is_lawful(moment: str) -> None:
    assert in_battle(states()[moment], lambda state: None) == []


def test_hits_do_not_heal_and_the_sunk_stay_sunk() -> None:
    """The state before has the damage, the one after has not."""
    hurt = copy_of(states()["landed"])
    _damage(red(hurt), "akagi")
    take(red(hurt).ships, named(red(hurt), "kaga"), 1)
    hurt.losses.ships = {named(red(states()["opening"]), "kaga"): 1}
    found = list(AwawLaws(states()["opening"]).step(hurt, states()["landed"]))
    assert "akagi had 2 hits and has 0" in found
    assert "kaga: 1 sunk, and then 0" in found


def test_a_third_is_reckoned_from_what_was_there_as_the_round_began() -> None:
    """Between rounds five squadrons are aboard; one that may fly patrol is no third of them."""
    after = copy_of(states()["landed"])
    kido = red(after)
    after.sites["red-at-sea"].air, kido.air, kido.third = kido.air, {}, 1
    after.frames = [Frame("naval-battle", "moving_sorties")]
    found = list(AwawLaws(states()["opening"]).step(states()["landed"], after))
    assert any("1 of 5 squadrons of red CG 1 may fly patrol" in fault for fault in found), found
