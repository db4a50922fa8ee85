"""17.3124, 22.463: carriers and their squadrons in a naval battle: decks that are lost, and where air units land."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot.awaw.air_units import Force, Unit, take
from flagplot.awaw.battle.decks import has_ready_carrier, in_the_air, land, settle_decks, spread
from flagplot.awaw.counting import add
from flagplot.awaw.hits import hit_named
from flagplot.awaw.ships import decks
from flagplot.awaw.state.air import Site
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Roll
from tests.awaw.battles import asked_now, asks, battle, fight, fleet_of, group, rolls_for, squadron
from tests.awaw.scenes import air, base, force, log, run, short, start

ENEMY = squadron("enemy", "blue", destroyers=12)
AKAGI = squadron("one", "red", "Akagi", cruisers=10, air=3)
KAGA = squadron("two", "red", "Kaga", cruisers=10, air=3)
BOTH = squadron("both", "red", "Akagi", "Kaga", cruisers=10, air=6)
ORDERS = ("number:one:1", "number:two:2")
NAVAL = "red-at-sea:japan:naval:squadrons"


def afloat(*forces: dict[str, Any], orders: Sequence[str] = (), **more: Any) -> Game[State]:
    """A battle up to the first search dice: all carrier air that is not on patrol stands ready."""
    return fight(start(battle(*forces, ENEMY, **more)), *orders, until=rolls_for(": search"))


def hit(game: Game[State], name: str, hits: int) -> None:
    """A carrier of Red is hit: two hits damage one of three factors, three sink her."""
    for one in game.state.battle.present("red"):
        for which in [which for which in one.ships if which.id == name]:
            hit_named(one.ships, which, hits)


def settle(game: Game[State], *answers: object) -> None:
    run(settle_decks(game.state, "red"), *answers)


def strike_out(game: Game[State], number: int) -> None:
    """So many squadrons are back from a strike and wait to land."""
    at_sea = game.state.at_sea("red")
    which = next(iter(at_sea.air))
    if number:
        take(at_sea.air, which, number)
        at_sea.struck[which] = number


def marked(game: Game[State], *, flown: int, aborted: int) -> tuple[Site, Unit]:
    """This many squadrons of Red's carriers flew in the round, and this many of them were aborted."""
    at_sea = game.state.at_sea("red")
    which = next(iter(at_sea.air))
    at_sea.flown, at_sea.aborted = {which: flown}, {which: aborted}
    return at_sea, which


def landed(game: Game[State], *answers: object) -> Game[State]:
    """Red's air units land."""
    run(land(game.state, "red"), *answers)
    return game


def aboard(game: Game[State]) -> list[dict[str, int]]:
    return [short(one.air) for one in game.state.battle.present("red")]


# --- fully operational carriers ---------------------------------------------------------------------------------


@pytest.mark.rule("22.451D.2", "23.722D.2", "22.428B")
@pytest.mark.parametrize(
    ("named", "squadrons", "ready"),
    [
        (["Akagi"], ["3 japan naval 2"], True),
        (["Akagi"], ["2 japan naval 2"], False),
        (["Akagi"], ["2 japan naval 2", "1 japan elite-naval 3"], True),
        (["Akagi", "Shoho"], ["2 japan naval 2"], True),
        (["Akagi", "Graf Zeppelin"], ["1 germany naval 2", "2 japan naval 2"], False),
        (["Akagi", "Graf Zeppelin"], ["2 germany naval 2"], True),
        ([], [], False),
    ],
)
def test_a_carrier_is_fully_operational_with_squadrons_of_her_nation_for_her_size(
    named: list[str], squadrons: list[str], ready: bool
) -> None:
    assert has_ready_carrier(Group("red", "a", fleet_of(*named, cruisers=4), air=force(*squadrons))) is ready


@pytest.mark.rule("22.451D.2", "23.722D.2")
@pytest.mark.parametrize(("hits", "ready"), [(0, True), (1, True), (2, False)])
def test_a_damaged_carrier_is_not_fully_operational(hits: int, ready: bool) -> None:
    one = Group("red", "a", fleet_of("Akagi", cruisers=4), air=force("3 japan naval 2"))
    if hits:
        hit_named(one.ships, next(which for which in one.ships if which.named), hits)
    assert has_ready_carrier(one) is ready


# --- carriers that are hit --------------------------------------------------------------------------------------


@pytest.mark.rule("17.3124", "17.3124.1")
def test_squadrons_beyond_the_decks_that_are_left_go_down_with_a_sunken_carrier() -> None:
    game = afloat(BOTH)
    hit(game, "akagi", 3)
    settle(game)
    assert short(game.state.at_sea("red").air) == {"japan naval": 3}
    assert game.state.losses.air == {"japan/naval/squadrons": 3}
    assert game.state.at_sea("red").grounded == {}


@pytest.mark.rule("17.3124.1")
def test_squadrons_are_first_taken_to_be_on_undamaged_carriers() -> None:
    """Three squadrons on two carriers of three: whichever is sunk, they were on the other."""
    for name in ("akagi", "kaga"):
        game = afloat(squadron("both", "red", "Akagi", "Kaga", cruisers=10, air=3))
        hit(game, name, 3)
        settle(game)
        assert game.state.losses.air == {}
        assert short(game.state.at_sea("red").air) == {"japan naval": 3}


@pytest.mark.rule("17.3124.1", "17.3124.2")
def test_carriers_of_other_groups_take_them_too() -> None:
    """One squadron on Akagi and three on Kaga in another group: three of the four find room on her."""
    game = afloat({**AKAGI, "air": [{"nation": "japan", "squadrons": 1}]}, KAGA, orders=ORDERS)
    hit(game, "akagi", 3)
    settle(game)
    assert game.state.losses.air == {"japan/naval/squadrons": 1}
    assert short(game.state.at_sea("red").air) == {"japan naval": 3}


@pytest.mark.rule("17.3124.1", "17.3124.5")
def test_then_they_are_on_damaged_carriers_that_only_carry_them() -> None:
    """They are not lost, but cannot be launched any more, nor land elsewhere."""
    game = afloat(BOTH)
    hit(game, "akagi", 2)
    settle(game)
    at_sea = game.state.at_sea("red")
    assert (short(at_sea.air), short(at_sea.grounded)) == ({"japan naval": 3}, {"japan naval": 3})
    assert game.state.losses.air == {}
    landed(game)
    assert aboard(game) == [{"japan naval": 3}]
    assert short(at_sea.grounded) == {"japan naval": 3}


@pytest.mark.rule("17.3124.1")
def test_those_on_a_damaged_carrier_go_down_when_she_sinks() -> None:
    game = afloat(BOTH)
    hit(game, "akagi", 2)
    settle(game)
    hit(game, "akagi", 1)
    settle(game)
    assert game.state.losses.air == {"japan/naval/squadrons": 3}
    assert game.state.at_sea("red").grounded == {}
    assert short(game.state.at_sea("red").air) == {"japan naval": 3}


@pytest.mark.rule("17.3124.1")
def test_one_carrier_damaged_and_one_sunk() -> None:
    """Nine squadrons on three carriers: three stay ready, three are carried, three go down."""
    game = afloat(squadron("all", "red", "Akagi", "Kaga", "Hiryu", cruisers=10, air=9))
    hit(game, "akagi", 2)
    hit(game, "kaga", 3)
    settle(game)
    at_sea = game.state.at_sea("red")
    assert (short(at_sea.air), short(at_sea.grounded)) == ({"japan naval": 3}, {"japan naval": 3})
    assert game.state.losses.air == {"japan/naval/squadrons": 3}


@pytest.mark.rule("17.3124.1", "17.312")
def test_carriers_of_another_nation_help_nobody() -> None:
    """Two German decks are free, and all three Japanese squadrons go down."""
    german = squadron("other", "red", "Graf Zeppelin", nation="germany", cruisers=10)
    game = afloat(AKAGI, german, orders=("number:one:1", "number:other:2"))
    hit(game, "akagi", 3)
    settle(game)
    assert game.state.losses.air == {"japan/naval/squadrons": 3}


@pytest.mark.rule("17.3124.1")
def test_which_squadrons_were_aboard_is_the_owners_choice() -> None:
    mixed = squadron("both", "red", "Akagi", "Kaga", cruisers=10)
    mixed["air"] = [{"nation": "japan", "squadrons": 3, "elite": elite} for elite in (True, False)]
    game = afloat(mixed)
    hit(game, "akagi", 2)
    settle(game, 1)
    at_sea = game.state.at_sea("red")
    assert short(at_sea.grounded) == {"japan elite-naval": 1, "japan naval": 2}
    hit(game, "akagi", 1)
    settle(game)
    assert game.state.losses.air == {"japan/elite-naval/squadrons": 1, "japan/naval/squadrons": 2}


@pytest.mark.rule("17.3124.1")
def test_room_is_kept_for_those_in_the_air() -> None:
    """Two squadrons are on patrol, one is back from a strike and three are aboard as one of two carriers is damaged:
    the three aboard are carried by her, so that the others can land."""
    game = afloat(BOTH, orders=(f"patrol:1:{NAVAL}:2",))
    strike_out(game, 1)
    assert sum(in_the_air(game.state, "red").values()) == 3
    hit(game, "akagi", 2)
    settle(game)
    at_sea = game.state.at_sea("red")
    assert (short(at_sea.air), short(at_sea.grounded)) == ({}, {"japan naval": 3})
    landed(game)
    assert aboard(game) == [{"japan naval": 3}]
    assert game.state.losses.air == {}


@pytest.mark.rule("17.3124.5")
def test_marks_of_this_round_stay_with_those_that_can_still_fly() -> None:
    """Of six squadrons four flew and two of them were aborted; three are left: not more than three have flown."""
    game = afloat(BOTH)
    at_sea, which = marked(game, flown=4, aborted=2)
    hit(game, "akagi", 2)
    settle(game)
    assert (at_sea.flown, at_sea.aborted) == ({which: 3}, {which: 2})
    hit(game, "kaga", 2)
    settle(game)
    assert (at_sea.flown, at_sea.aborted) == ({}, {})


@pytest.mark.rule("17.3124", "17.3124.1")
def test_squadrons_of_a_carrier_sunk_by_a_strike_are_lost_with_her() -> None:
    """Three of Blue's squadrons sink Shoho with a roll of 12; her two squadrons had stayed aboard."""
    shoho = squadron("one", "red", "Shoho", cruisers=10, air=2)
    game = start(battle(shoho, squadron("enemy", "blue", "Lexington", cruisers=10, air=3)))
    fight(game, "number:one:1", until=rolls_for("Blue: search"))
    game.roll([1])
    fight(game, "strike:1", "fly:blue-at-sea:united-states:naval:squadrons:3", until=rolls_for("air defense"))
    game.roll([1, 1])
    fight(
        game, "target:shoho", "against:shoho:blue-at-sea:united-states:naval:squadrons:2", until=rolls_for("attack on")
    )
    game.roll([6, 6])
    fight(game)
    assert [which.id for which in game.state.losses.ships if which.named] == ["shoho"]
    assert game.state.losses.air["japan/naval/squadrons"] == 2
    assert "2 Japanese naval air squadrons lost with the carriers" in log(game, "blue")


# --- landing ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.463", "22.463A", "SOP-NC-I.G.3")
def test_all_air_comes_home_after_the_strikes_and_before_the_round_ends() -> None:
    """Cover, searchers and strikers to their base, patrol and strikers to the carriers."""
    isle = base("isle", "red", (0, 3), "4 japan naval")
    orders = (f"patrol:1:{NAVAL}:1", "cover:1:isle:japan:naval:squadrons:2", "search:isle:japan:naval:squadrons:1")
    game = afloat(AKAGI, bases=[isle], orders=orders)
    strike_out(game, 1)
    site = game.state.sites["isle"]
    which = next(iter(site.air))
    site.struck, site.air = {which: 1}, {}
    landed(game, 0)
    assert air(game, "isle") == {"japan naval": 4}
    assert (site.searching, site.struck, group(game, "red", 1).cover, group(game, "red", 1).patrol) == ({}, {}, {}, {})
    assert aboard(game) == [{"japan naval": 3}]
    at_sea = game.state.at_sea("red")
    assert (at_sea.air, at_sea.struck, at_sea.aborted, at_sea.flown) == ({}, {}, {}, {})


@pytest.mark.rule("22.463A")
def test_the_marks_of_a_round_are_gone_after_landing() -> None:
    game = afloat(AKAGI)
    at_sea, _ = marked(game, flown=3, aborted=1)
    landed(game)
    assert (at_sea.flown, at_sea.aborted) == ({}, {})
    assert aboard(game) == [{"japan naval": 3}]


@pytest.mark.rule("22.463B.1", "22.463C.1", "17.3124.2")
def test_patrol_and_strikes_land_on_undamaged_carriers_of_any_group() -> None:
    """Akagi is damaged with nobody aboard: her patrol and her strike land on Kaga in the other group, who has lost
    hers."""
    game = afloat(AKAGI, KAGA, orders=(*ORDERS, f"patrol:1:{NAVAL}:1"))
    at_sea = game.state.at_sea("red")
    which = next(iter(at_sea.air))
    at_sea.air = {which: 2}
    strike_out(game, 2)
    hit(game, "akagi", 2)
    landed(game)
    assert aboard(game) == [{}, {"japan naval": 3}]
    assert game.state.losses.air == {}


@pytest.mark.rule("17.3124.2", "22.463C.1")
def test_the_owner_shares_squadrons_out_as_he_likes() -> None:
    """Four squadrons on two carriers of three in two groups: one to three here, the rest there."""
    game = start(battle({**AKAGI, "air": [{"nation": "japan", "squadrons": 1}]}, KAGA, ENEMY, rounds=2))
    fight(game, *ORDERS, until=asks("land"))
    assert asked_now(game) == [f"land:1:{NAVAL}:{number}" for number in (1, 2, 3)]
    game.choose(f"land:1:{NAVAL}:3")
    fight(game, until=asks("patrol"))
    assert aboard(game) == [{"japan naval": 3}, {"japan naval": 1}]


@pytest.mark.rule("22.463C.2", "22.463C.1")
def test_strikes_that_find_no_deck_are_lost() -> None:
    """Five are in the air and one aboard as one of two carriers is damaged: two of the five land."""
    game = afloat(BOTH)
    strike_out(game, 5)
    hit(game, "akagi", 2)
    landed(game)
    assert aboard(game) == [{"japan naval": 3}]
    assert game.state.losses.air == {"japan/naval/squadrons": 3}


@pytest.mark.rule("22.463C.2")
def test_the_loss_is_told_to_both() -> None:
    game = start(battle(BOTH, ENEMY))
    fight(game, until=rolls_for(": search"))
    strike_out(game, 5)
    hit(game, "akagi", 2)
    fight(game)
    assert "Red: no deck left for 3 Japanese naval air squadrons" in log(game, "blue")


@pytest.mark.rule("22.463C.2")
def test_whom_there_is_no_deck_for_is_the_owners_choice() -> None:
    mixed = squadron("both", "red", "Akagi", "Kaga", cruisers=10)
    mixed["air"] = [{"nation": "japan", "squadrons": 3, "elite": elite} for elite in (True, False)]
    game = afloat(mixed)
    at_sea = game.state.at_sea("red")
    at_sea.struck, at_sea.air = at_sea.air, {}
    hit(game, "akagi", 2)
    landed(game, 0)
    assert aboard(game) == [{"japan elite-naval": 3}]
    assert game.state.losses.air == {"japan/naval/squadrons": 3}


@pytest.mark.rule("22.463C.2", "17.312")
def test_decks_of_another_nation_are_none() -> None:
    german = squadron("other", "red", "Graf Zeppelin", nation="germany", cruisers=10)
    game = afloat(AKAGI, german, orders=("number:one:1", "number:other:2"))
    strike_out(game, 3)
    hit(game, "akagi", 2)
    landed(game)
    assert aboard(game) == [{}, {}]
    assert game.state.losses.air == {"japan/naval/squadrons": 3}


@pytest.mark.rule("22.463B.1", "22.463C.2")
@pytest.mark.parametrize("hits", [2, 3])
def test_patrol_that_finds_neither_deck_nor_base_is_lost(hits: int) -> None:
    """The text says so only of those who return from attacks; `docs/rulings.md` reads it for both. A damaged carrier is
    no deck."""
    game = afloat(AKAGI, orders=(f"patrol:1:{NAVAL}:1",))
    game.state.at_sea("red").air = {}
    hit(game, "akagi", hits)
    landed(game)
    assert game.state.losses.air == {"japan/naval/squadrons": 1}


# --- patrol that lands ashore -----------------------------------------------------------------------------------


def on_patrol(*bases: dict[str, Any], squadrons: int = 4) -> Game[State]:
    """Four squadrons on patrol over four carriers, all of which are then sunk: the other squadrons are gone."""
    kido = squadron("kido", "red", "Akagi", "Kaga", "Hiryu", "Soryu", cruisers=12, air=12)
    game = afloat(kido, bases=bases, orders=(f"patrol:1:{NAVAL}:{squadrons}",))
    game.state.at_sea("red").air = {}
    for name in ("akagi", "kaga", "hiryu", "soryu"):
        hit(game, name, 3)
    return game


@pytest.mark.rule("22.463B.2", "17.3124.4")
@pytest.mark.parametrize(("far", "ashore"), [(1, True), (3, True), (4, False)])
def test_patrol_may_land_at_a_base_within_three_hexes_and_is_inverted_there(far: int, ashore: bool) -> None:
    game = on_patrol(base("isle", "red", (0, far)))
    landed(game, *[4] * ashore)
    assert air(game, "isle") == ({"japan naval inverted": 4} if ashore else {})
    assert game.state.losses.air == ({} if ashore else {"japan/naval/squadrons": 4})


@pytest.mark.rule("22.463B.2")
def test_patrol_lands_within_the_stacking_limit_and_the_surplus_is_lost() -> None:
    """Isle bases five factors, and four and two squadrons are there: one squadron more finds room."""
    game = on_patrol(base("isle", "red", (0, 3), "4 japan army", "2 japan naval", airbases=1))
    landed(game, 1)
    assert air(game, "isle")["japan naval inverted"] == 1
    assert game.state.losses.air == {"japan/naval/squadrons": 3}


@pytest.mark.rule("22.463B.2")
@pytest.mark.parametrize(("island", "more", "room"), [(False, {}, 3), (True, {"jungle": False}, 4)])
def test_a_one_hex_island_has_room_for_a_naval_squadron_more(island: bool, more: dict[str, Any], room: int) -> None:
    """A Pacific island bases three factors and a naval squadron; jungle three factors without it."""
    place = base("isle", "red", (0, 3), "2 japan army", airbases=1, **{"jungle": True, **more}, island=island)
    game = on_patrol(place)
    landed(game, room)
    assert air(game, "isle")["japan naval inverted"] == room


@pytest.mark.rule("22.463B.2")
def test_land_based_air_is_home_before_the_patrol_looks_for_room() -> None:
    """Five factors and their cover squadrons fill the base, though some are away while patrol is in the air."""
    isle = base("isle", "red", (0, 3), "14 japan naval", airbases=1)
    kido = squadron("kido", "red", "Akagi", cruisers=12, air=3)
    orders = (f"patrol:1:{NAVAL}:1", "cover:1:isle:japan:naval:squadrons:9")
    game = afloat(kido, bases=[isle], orders=orders)
    landed(game, 1)
    assert air(game, "isle") == {"japan naval": 14, "japan naval inverted": 1}


@pytest.mark.rule("22.463B.2")
@pytest.mark.parametrize("more", [0, 1])
def test_a_full_base_takes_nobody_nor_does_one_with_too_many(more: int) -> None:
    game = on_patrol(base("isle", "red", (0, 3), "15 japan naval", airbases=1))
    isle = game.state.sites["isle"].air
    add(isle, next(iter(isle)), more)
    landed(game)
    assert game.state.losses.air == {"japan/naval/squadrons": 4}


@pytest.mark.rule("22.463B.2", "22.35")
def test_an_sw_box_is_near_no_base() -> None:
    """Raiders fight in a box, which is no hex: patrol has nothing but its decks."""
    game = on_patrol(base("isle", "red", (0, 1)))
    game.state.scene = replace(game.state.scene, raiders=True)
    landed(game)
    assert game.state.losses.air == {"japan/naval/squadrons": 4}


@pytest.mark.rule("22.463B.2")
def test_a_base_of_the_enemy_takes_nobody() -> None:
    landed(game := on_patrol(base("isle", "blue", (0, 3))))
    assert game.state.losses.air == {"japan/naval/squadrons": 4}


@pytest.mark.rule("22.463B.2")
def test_patrol_may_go_to_several_bases_and_to_its_carriers() -> None:
    game = on_patrol(base("isle", "red", (0, 3)), base("rock", "red", (3, 0)))
    add(group(game, "red", 1).ships, next(iter(fleet_of("Shoho"))), 1)
    landed(game, 1, 2)
    assert air(game, "isle") == {"japan naval inverted": 1}
    assert air(game, "rock") == {"japan naval inverted": 2}
    assert aboard(game) == [{"japan naval": 1}]


@pytest.mark.rule("22.463B.2", "17.3124.4")
def test_patrol_need_not_land_ashore() -> None:
    game = afloat(AKAGI, bases=[base("isle", "red", (0, 3))], orders=(f"patrol:1:{NAVAL}:1",))
    landed(game, 0)
    assert aboard(game) == [{"japan naval": 3}]
    assert air(game, "isle") == {}


@pytest.mark.rule("22.463B.2", "17.3124.4")
def test_strikes_do_not_land_ashore() -> None:
    """A base is near, but three squadrons are back from a strike and their carrier is gone."""
    game = afloat(AKAGI, bases=[base("isle", "red", (0, 1))])
    strike_out(game, 3)
    hit(game, "akagi", 3)
    landed(game)
    assert game.state.losses.air == {"japan/naval/squadrons": 3}
    assert air(game, "isle") == {}


@pytest.mark.rule("22.463B.2", "17.3124.4")
def test_patrol_ashore_stays_inverted_to_the_end_and_does_nothing_in_further_rounds() -> None:
    game = start(battle(AKAGI, ENEMY, bases=[base("isle", "red", (0, 3))], rounds=2))
    fight(game, f"patrol:1:{NAVAL}:1", f"ashore:isle:{NAVAL}:1")
    assert air(game, "isle") == {"japan naval inverted": 1}
    asked = [request for request, _ in game.events if isinstance(request, Choose)]
    assert not [one for one in asked if one.verb[0] in ("cover", "search")]
    assert "1 Japanese naval air squadron landed at Isle" in log(game, "blue")


@pytest.mark.rule("22.463B.2")
def test_patrol_ashore_has_the_drm_of_its_base() -> None:
    game = on_patrol(base("isle", "red", (0, 3), supply="partial"))
    over = next(iter(group(game, "red", 1).patrol))
    landed(game, 4)
    ashore = next(iter(game.state.sites["isle"].air))
    assert (ashore.home, ashore.drm) == ("isle", over.drm - 1)


# --- sharing out ------------------------------------------------------------------------------------------------

CARRIERS = ["Akagi", "Kaga", "Shoho", "Zuiho", "Shinano", "Graf Zeppelin", "Europa"]


def answered(script: Any, data: st.DataObject) -> None:
    """Go through a script with any answers."""
    reply = None
    while True:
        try:
            request = script.send(reply)
        except StopIteration:
            return
        assert not isinstance(request, Roll)
        reply = data.draw(st.sampled_from(list(request.values))) if isinstance(request, Choose) else None


@pytest.mark.rule("17.3124.2", "22.463C.1")
@given(st.lists(st.sets(st.sampled_from(CARRIERS)), min_size=1, max_size=4), st.data())
def test_whatever_the_owner_chooses_nobody_is_without_a_deck(carriers: list[set[str]], data: st.DataObject) -> None:
    """All are aboard, no group has more than its decks of a nation hold, and no squadron is made or lost."""
    groups = [Group("red", str(at), fleet_of(*named), number=at) for at, named in enumerate(carriers, 1)]
    spread_out: Force = {}
    for nation in ("germany", "japan"):
        room = sum(decks(one.ships).get(nation, (0, 0))[0] for one in groups)
        elite = data.draw(st.integers(0, room)) if nation == "japan" else 0
        for arm, number in (("elite-naval", elite), ("naval", data.draw(st.integers(0, room - elite)))):
            if number:
                spread_out |= force(f"{number} {nation} {arm} 2")
    answered(spread("red", spread_out, groups), data)
    total = {which: sum(one.air.get(which, 0) for one in groups) for which in spread_out}
    assert total == spread_out
    for one in groups:
        for nation in ("germany", "japan"):
            there = sum(number for which, number in one.air.items() if which.nation == nation)
            assert there <= decks(one.ships).get(nation, (0, 0))[0]


@pytest.mark.rule("17.3124.1", "22.463C.2")
@given(st.data())
def test_no_squadron_is_made_or_forgotten(data: st.DataObject) -> None:
    """Whatever is hit and whatever flies: those aboard, carried, ashore and lost are all that there were."""
    game = afloat(
        *[AKAGI, squadron("two", "red", "Kaga", "Shoho", cruisers=10, air=5)],
        orders=(*ORDERS, f"patrol:2:{NAVAL}:{data.draw(st.integers(0, 2))}"),
        bases=[base("isle", "red", (0, 3), "4 japan army", "1 japan naval")],
    )
    strike_out(game, data.draw(st.integers(0, 6)))
    at_sea = game.state.at_sea("red")
    for name in data.draw(st.sets(st.sampled_from(["akagi", "kaga", "shoho"]))):
        hit(game, name, data.draw(st.integers(1, 2)))
        answered(settle_decks(game.state, "red"), data)
    answered(land(game.state, "red"), data)
    total = sum(sum(one.air.values()) for one in game.state.battle.present("red")) + sum(at_sea.grounded.values())
    ashore = air(game, "isle").get("japan naval inverted", 0)
    assert total + ashore + sum(game.state.losses.air.values()) == 8
    for one in game.state.battle.present("red"):
        assert sum(one.air.values()) <= decks(one.ships).get("japan", (0, 0))[0]
