"""17.46-17.48: kamikazes in a naval battle."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from flagplot.awaw.battle.kamikazes import Category, categories, category_reads
from flagplot.awaw.state.battle import Dive
from flagplot.awaw.state.state import State
from flagplot.kernel.errors import ScenarioError
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Roll
from flagplot.testing import Report, set_up
from flagplot.testing.conforming import open_trial
from flagplot.testing.law_checks import the_laws_of_the_game_hold
from flagplot.testing.secrecy import secrets_stay_secret
from tests.awaw.battles import asked_now, asks, battle, fight, fleet_of, group, lost, rolls_for, ships, squadron, sunk
from tests.awaw.scenes import amounts, base, log, short, start
from tests.awaw.strike_news import reasons, seen_ships, strikes_flown
from tests.awaw.strike_orders import JAPAN, engage, fly, patrol
from tests.awaw.strikes import BLUE_FINDS, Dice, division, kido, landed, meet, task, transports

POOL = "japan/kamikaze/squadrons"
FIELD = base("field", "red", (0, 3))
"""A Japanese base in range, without which there are no kamikazes (17.462)."""
GUNS: Dice = ("air defense of", 1, 1)
"""Air defense of level 1 or 2 at its worst: nothing happens."""


def dive(*forces: dict[str, Any], number: int = 15, growth: int = 0, **more: Any) -> Game[State]:
    """Japanese carriers with kamikazes against these forces, the first of which Red finds unless said otherwise."""
    given = forces or (task(),)
    found = {"number": number, "growth": growth}
    bases = [FIELD, *more.pop("bases", ())]
    return meet(kido(6), *given, bases=bases, kamikazes=found, **more)


def dive_at_two(one: dict[str, Any], other: dict[str, Any], **more: Any) -> Game[State]:
    """Two groups are found, CG 1 and CG 2."""
    return dive(one, other, codebreaking="red", search=((1, 2), ()), **more)


def send(number: int, target: int = 1) -> str:
    return f"kamikazes:{target}:{number}"


def misses(*attacks: str) -> list[Dice]:
    """Attacks that do nothing: ``misses("1 kamikaze on light ships, row 2")``."""
    return [(f"attack by {each}", 1, 1) for each in attacks]


def attack_of(game: Game[State]) -> Dive:
    return game.state.battle.dives[0]


def told(game: Game[State], words: str) -> list[str]:
    return [entry.text for entry in game.log("umpire") if words in entry.text]


def attacks(game: Game[State]) -> list[str]:
    """The rolls on the Naval Attack Table so far."""
    return [text.split(": ", 1)[1].split(":")[0] for text in told(game, ": attack by ")]


SMALL = division("united-states", name="small", side="blue", destroyers=4)
"""Four destroyers: light ships alone, air defense of level 1."""
CARRIERS = task("Enterprise", "Hornet", "Yorktown", cruisers=8, destroyers=2)
BATTLESHIPS = squadron("guns", "blue", "Washington", "North Carolina", "Colorado")
"""Capital ships alone, 12 factors: air defense of level 2."""
ALL_KINDS = task("Enterprise", "Hornet", "Washington", "Colorado", cruisers=6, destroyers=2)
"""Two carriers, two battleships and light ships, 22 factors: air defense of level 3."""
THREE_GUNS: Dice = ("air defense of CG 1 (Blue), row 3", 1, 1)
"""0/1: one is driven off."""


LATER: dict[str, Any] = {"options": {"diverted_from_one_group": "second-attack"}}


# --- when and whom they attack --------------------------------------------------------------------------------------


@pytest.mark.rule("17.47B")
def test_only_found_groups_can_be_attacked() -> None:
    game = dive(task(), squadron("two", "blue", "Hornet", cruisers=8), until=asks("kamikazes"))
    assert [text.split(":")[1] for text in asked_now(game)] == ["1"] * 16
    game.choose(send(0))
    assert not asks("kamikazes")(game)


@pytest.mark.rule("17.47B")
def test_who_finds_nothing_sends_nobody() -> None:
    game = dive(search=BLUE_FINDS)
    assert not told(game, "kamikazes")
    assert game.state.kamikazes == 15


@pytest.mark.rule("17.47C", "17.47D.1")
def test_they_attack_in_the_first_round_or_not_at_all() -> None:
    """Nobody flies in the first round; in the second the group is found again, and only other air may strike."""
    game = two_rounds(send(0, 3))
    assert game.state.kamikazes == 15
    assert asked_now(game) == ["strike:3", "strike:none"]


def two_rounds(order: str, *rolls: Dice) -> Game[State]:
    """Groups that are too far off for their fleets find each other twice; as Red strikes in the second round."""
    again: tuple[Dice, ...] = (("Red: search", 3, 6), ("Blue: search", 6, 6))
    return dive(
        task(air=3),
        search=((3,), (6,)),
        orders=["number:kido:2", "number:task:3", order],
        rolls=[*rolls, *again],
        rounds=3,
        until=lambda game: game.state.battle.round == 2 and (asks("strike")(game) or asks("kamikazes")(game)),
    )


@pytest.mark.rule("17.47C")
def test_they_attack_when_their_side_strikes() -> None:
    """Blue has more search results: it strikes first, and Red's kamikazes come after that."""
    blue = [task("Enterprise", air=3), squadron("two", "blue", "Hornet", cruisers=8, destroyers=4, air=3)]
    game = dive(*blue, search=((1,), (1, 1)), until=asks("strike"))
    assert game.state.frames[-1].arguments == ("blue",)
    assert not game.state.battle.dives
    game.choose("strike:none")
    assert asked_now(game)[0] == send(0)


@pytest.mark.rule("17.47C.1")
def test_a_group_attacked_by_kamikazes_is_not_struck_in_the_same_round() -> None:
    """Found twice, so that a strike would be left."""
    rolls = [GUNS, *misses("1 kamikaze on light ships, row 2")]
    more: dict[str, Any] = {"search": ((1, 1), ()), "codebreaking": "red"}
    game = dive(SMALL, orders=[send(1)], rolls=rolls, **more)
    assert (group(game, "blue", 1).this_round.results, group(game, "blue", 1).this_round.attacks) == (2, 1)
    assert not told(game, "Choose a group to strike")
    other = dive(SMALL, orders=[send(0), "strike:1", fly(1)], rolls=[GUNS, ("attack on", 1, 1)], **more)
    assert strikes_flown(other) == ["Red on CG 1 (Blue)"]


@pytest.mark.rule("17.47C.1")
def test_other_groups_may_be_struck_meanwhile() -> None:
    rolls = [GUNS, *misses("1 kamikaze on light ships, row 2")]
    game = dive_at_two(SMALL, TRANSPORTS, orders=[send(1)], rolls=rolls, until=STRIKE)
    assert asked_now(game) == ["strike:2", "strike:none"]


STRIKE = asks("strike")


@pytest.mark.rule("17.47C.1")
def test_kamikazes_do_not_attack_a_group_that_was_struck() -> None:
    """The surprise strike comes first; of two groups only the other is then open to kamikazes."""
    game = dive_at_two(
        TRANSPORTS,
        SMALL,
        number=5,
        orders=["surprise:1", fly(1)],
        rolls=[("surprise level", 1), ("attack on", 1, 1)],
        until=asks("kamikazes"),
    )
    assert strikes_flown(game) == ["Red by surprise on CG 1 (Blue)"]
    assert {text.split(":")[1] for text in asked_now(game)} == {"2"}


def test_in_the_next_round_the_group_may_be_struck_again() -> None:
    game = two_rounds(send(1, 3), GUNS, ("targets for", 6), ("attack by 1 kamikaze", 1, 1))
    assert told(game, "kamikaze against")
    assert asked_now(game) == ["strike:3", "strike:none"]


@pytest.mark.rule("17.47D.2")
def test_no_more_than_fifteen_against_one_group() -> None:
    game = dive(task(), squadron("two", "blue", cruisers=10), number=40, until=asks("kamikazes"))
    assert asked_now(game)[-1] == send(15)
    few = dive(number=4, until=asks("kamikazes"))
    assert asked_now(few)[-1] == send(4)


@pytest.mark.rule("17.47A.1", "17.47D.1")
def test_all_attacks_are_announced_before_any_is_resolved_each_on_one_group() -> None:
    """Each group defends itself alone, with its own guns, and only its own ships are targets."""
    orders = [send(7), send(3, 2)]
    game = dive_at_two(SMALL, BATTLESHIPS, number=20, orders=orders, until=rolls_for("air defense"))
    assert [(dive.number, game.state.battle.groups[dive.target].number) for dive in game.state.battle.dives] == [
        (7, 1),
        (3, 2),
    ]
    assert game.state.kamikazes == 10
    assert reasons(game).total == 1  # level 1: four destroyers, and not the battleships


@pytest.mark.rule("17.462", "18.31C")
def test_they_reach_four_hexes_from_a_japanese_base() -> None:
    far, near = base("field", "red", (0, 5)), base("field", "red", (0, 4))
    enemy = base("isle", "blue", (0, 1))
    assert start(battle(kido(), task(), bases=[near], kamikazes={"number": 3})).state.kamikazes == 3
    with pytest.raises(ScenarioError, match="four hexes"):
        start(battle(kido(), task(), bases=[far, enemy], kamikazes={"number": 3}))
    bases = [far, base("close", "red", (0, 4))]
    for named in ([], ["close"]):
        assert start(battle(kido(), task(), bases=bases, kamikazes={"number": 3, "bases": named})).state.kamikazes == 3
    with pytest.raises(ScenarioError, match="four hexes"):
        start(battle(kido(), task(), bases=bases, kamikazes={"number": 3, "bases": ["field"]}))


@pytest.mark.rule("17.463")
def test_they_attack_ships_alone() -> None:
    """17.463: with an enemy air base in range they are still asked about combat groups and nothing else."""
    isle = base("isle", "blue", (0, 1), "3 united-states army")
    game = dive(SMALL, bases=[isle], search=((1,), ()), until=asks("kamikazes"))
    assert isinstance(game.pending, Choose)
    assert {option.text.rsplit(":", 1)[0] for option in game.pending.options} == {"kamikazes:1"}


@pytest.mark.rule("17.461")
def test_both_sides_see_kamikazes_and_their_attacks() -> None:
    game = dive(SMALL, search=((1,), ()), orders=[send(2)], until=rolls_for("air defense"))
    for side in ("red", "blue"):
        view = game.view(side)
        assert view.data["kamikazes"] == 13
        assert [(one["target"], one["kamikazes"], one["side"]) for one in view.data["dives"]] == [(1, 2, "red")]
        assert "Kamikazes against CG 1: 2" in str(view)
        assert "Kamikazes that have not flown: 13" in str(view)


@pytest.mark.rule("17.461", "17.461.1")
def test_kamikazes_are_in_no_base_and_cannot_be_attacked_there() -> None:
    """Carriers attack the only base in range and destroy all the air there; all kamikazes may still fly."""
    field = base("field", "red", (0, 3), "1 japan naval")
    sortie = "send:field:blue-at-sea:united-states:naval:squadrons:3"
    before: list[Dice] = [("Blue: air combat over Field", 6, 6), ("Red: air combat over Field", 1, 1)]
    game = meet(
        kido(6),
        task(air=3),
        bases=[field],
        kamikazes={"number": 9},
        before=before,
        orders=[sortie],
        until=asks("kamikazes"),
    )
    assert lost(game) == {"japan/naval/squadrons": 1}
    assert asked_now(game)[-1] == send(9)


# --- their DRM ------------------------------------------------------------------------------------------------------


def engaged(*orders: str, number: int = 3, until: Any = None, rolls: Sequence[Dice] = (), **more: Any) -> Game[State]:
    """Kamikazes against two carriers with up to two American squadrons on patrol."""
    forces = (task("Enterprise", "Hornet", air=6), *more.pop("forces", ()))
    orders = (patrol(2), send(number), engage(2), *orders)
    return dive(*forces, orders=orders, until=until, rolls=rolls, **more)


@pytest.mark.rule("17.464", "17.47E.1")
def test_in_air_combat_they_are_regular_naval_air_and_only_the_defender_rolls() -> None:
    """Against two American naval squadrons (2) on patrol alone: 2 - 2, and +1 for the patrol."""
    game = engaged(until=rolls_for("air combat"))
    assert isinstance(game.pending, Roll)
    assert game.pending.side == "blue"
    assert amounts(reasons(game)) == [(-2, "19.31A"), (2, "19.31A"), (1, "19.31C")]
    assert "kamikazes as regular naval air, 17.464 (Japan 2)" in str(reasons(game))
    game = engaged(rolls=[("Blue: air combat", 1, 1)], until=rolls_for("air defense"))
    assert not lost(game).keys() - {POOL}


@pytest.mark.rule("17.464", "17.464.1")
def test_research_counts_and_neither_supply_nor_oil_does() -> None:
    sides = [
        {"id": "red", "name": "Red", "nations": ["japan"], "partial_supply": True, "air_oil": True},
        {"id": "blue", "name": "Blue", "nations": ["united-states"]},
    ]
    more: dict[str, Any] = {"research": {"japan": {"air_drm": 1}}, "sides": sides}
    game = engaged(until=rolls_for("air combat"), **more)
    assert reasons(game).lines[0].amount == -3
    game = dive(SMALL, search=((1,), ()), orders=[send(1)], rolls=[GUNS], until=rolls_for("attack by"), **more)
    assert reasons(game).total == 2 + 1 + 1 - 2 + 1  # elite, research, destroyers, at sea


@pytest.mark.rule("17.464.1", "17.47H")
def test_against_ships_they_are_elite_naval_air_at_sea() -> None:
    game = dive(SMALL, search=((1,), ()), orders=[send(1)], rolls=[GUNS], until=rolls_for("attack by"))
    assert amounts(reasons(game)) == [(2, "19.31A"), (1, "19.31A"), (-2, "22.552A"), (1, "17.354")]


@pytest.mark.rule("17.47H")
def test_light_ships_of_two_nations_have_the_lowest_of_their_drms() -> None:
    ships = [{"nation": nation, "destroyers": 2} for nation in ("united-states", "russia", "britain")]
    mixed = division("united-states", name="small", side="blue") | {"ships": ships}
    game = dive(mixed, search=((1,), ()), orders=[send(1)], rolls=[GUNS], until=rolls_for("attack by"))
    assert [line.amount for line in reasons(game) if line.rule == "22.552A"] == [0], "Russian"


@pytest.mark.rule("17.47H")
def test_by_option_they_have_the_elite_drm_alone() -> None:
    more: dict[str, Any] = {"options": {"kamikazes_at_sea": "drm-only"}}
    game = dive(SMALL, search=((1,), ()), orders=[send(1)], rolls=[GUNS], until=rolls_for("attack by"), **more)
    assert reasons(game).total == 1


@pytest.mark.rule("17.47H.1")
@pytest.mark.parametrize("growth", [1, 3])
def test_every_growth_of_the_pool_adds_one(growth: int) -> None:
    game = dive(SMALL, growth=growth, search=((1,), ()), orders=[send(1)], rolls=[GUNS], until=rolls_for("attack by"))
    assert reasons(game).lines[-1].amount == growth
    assert reasons(game).lines[-1].rule == "17.47H"
    assert reasons(game).total == 2 + growth


@pytest.mark.rule("17.47H.1")
def test_the_growth_does_not_help_other_air() -> None:
    orders = ["strike:1", fly(1)]
    game = dive(growth=4, orders=orders, rolls=[GUNS], until=rolls_for("attack on"))
    assert "17.47H" not in [line.rule for line in reasons(game)]


# --- the defenses ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.47E")
def test_first_patrol_and_cover_then_the_guns() -> None:
    """Both kinds of defenders are asked; air cover comes to light, and the ships only when somebody gets through."""
    game = dive(
        task("Enterprise", "Hornet", air=6),
        bases=[base("isle", "blue", (0, 2), "4 united-states naval")],
        orders=[patrol(2), "cover:1:isle:united-states:naval:squadrons:3", send(5)],
        until=asks("engage"),
    )
    assert group(game, "blue", 1).this_round.uncovered
    assert group(game, "blue", 1).this_round.attacked
    assert asked_now(game)[-1] == engage(2)
    game.choose(engage(2))
    assert asked_now(game)[-1] == "engage:isle:united-states:naval:squadrons:3"
    game.choose("engage:isle:united-states:naval:squadrons:3")
    assert "air combat over CG 1 (Blue), row 5" in str(game.pending)
    assert short(attack_of(game).defenders) == {"united-states naval": 5}
    assert seen_ships(game, "red", "blue", 1) is None


@pytest.mark.rule("17.47E")
def test_defenders_may_hold_back() -> None:
    game = dive(
        task("Enterprise", "Hornet", air=6), orders=[patrol(2), send(3), engage(0)], until=rolls_for("air defense")
    )
    assert not told(game, "air combat")


@pytest.mark.rule("17.47E.2", "17.47E.3", "17.47E")
def test_those_shot_down_are_lost_and_those_driven_off_are_diverted() -> None:
    """Row 2 at 7 + 1: 1/2. Of five kamikazes two go on to the guns."""
    game = engaged(number=5, rolls=[("Blue: air combat over CG 1 (Blue), row 2", 3, 4)], until=rolls_for("air defense"))
    assert lost(game) == {POOL: 1}
    assert (attack_of(game).number, attack_of(game).diverted) == (2, 2)


@pytest.mark.rule("17.47E.2")
def test_a_result_beyond_their_number_is_lost() -> None:
    """1/2 on one kamikaze: it is shot down, and nobody comes to the guns."""
    game = engaged(number=1, rolls=[("air combat", 3, 4)])
    assert lost(game) == {POOL: 1}
    assert not told(game, "air defense of")
    assert seen_ships(game, "red", "blue", 1) is None


@pytest.mark.rule("17.47E.2", "17.47E.3")
def test_the_guns_shoot_down_and_divert_too() -> None:
    """Level 2 at 8: 1/1. One of three gets through, and the ships are seen."""
    game = dive(orders=[send(3)], rolls=[("air defense of", 4, 4)], until=rolls_for("targets for 1 kamikaze"), **LATER)
    assert lost(game) == {POOL: 1}
    assert (attack_of(game).number, attack_of(game).diverted) == (1, 1)
    assert seen_ships(game, "red", "blue", 1) is not None


@pytest.mark.rule("17.47E.3")
def test_by_option_aborts_are_ignored() -> None:
    more: dict[str, Any] = {"options": {"kamikaze_aborts": "ignored"}}
    groups = (task(), TRANSPORTS)
    game = dive(
        *groups, orders=[send(3)], rolls=[("air defense of", 4, 4)], until=rolls_for("targets for 2 kamikazes"), **more
    )
    assert (attack_of(game).number, attack_of(game).diverted) == (2, 0)


TRANSPORTS = transports()
DIVERT = asks("divert")


@pytest.mark.rule("17.47E.3", "17.47E.3.1")
def test_the_defender_says_which_other_group_the_diverted_attack() -> None:
    """Level 1 at 8: 0/1. One attacks the destroyers; the other turns to battleships that nobody has found, and meets
    neither squadrons nor guns."""
    rolls = [("air defense of CG 1", 4, 4), *misses("1 kamikaze on light ships")]
    game = dive(SMALL, BATTLESHIPS, TRANSPORTS, search=((1,), ()), orders=[send(2)], rolls=rolls, until=DIVERT)
    assert isinstance(game.pending, Choose)
    assert game.pending.side == "blue"
    assert asked_now(game) == ["divert:2", "divert:3"]
    assert attack_of(game).number == 1
    game.choose("divert:2")
    assert group(game, "blue", 2).this_round.attacked
    assert not group(game, "blue", 2).this_round.kamikazed
    assert seen_ships(game, "red", "blue", 2) is not None
    assert sorted(asked_now(game)) == ["target:colorado", "target:north-carolina", "target:washington"]


@pytest.mark.rule("17.47E.3", "17.47D.2")
def test_the_diverted_may_come_to_a_group_that_is_attacked_anyway_or_was() -> None:
    """With two groups there is no choice, and the limit of fifteen does not bind the defender."""
    first = misses("14 kamikazes on light ships, row 28", "1 kamikaze on light ships, row 2")
    game = dive_at_two(
        division("united-states", name="one", side="blue", cruisers=8),
        TRANSPORTS,
        number=30,
        orders=[send(15), send(15, 2)],
        rolls=[("air defense of CG 1", 4, 4), *first],
        until=rolls_for("attack by 15"),
    )
    assert told(game, "1 kamikaze diverted to CG 2")


@pytest.mark.rule("17.47E.3", "17.47G")
@pytest.mark.parametrize(
    ("options", "rolled"),
    [
        ({}, misses("2 kamikazes on light ships, row 4")),
        (LATER["options"], misses("1 kamikaze on light ships, row 2") * 2),
    ],
)
def test_with_one_group_the_diverted_rejoin_its_attack(options: dict[str, Any], rolled: list[Dice]) -> None:
    """17.47G: there is one roll for all on the same target; by option those who were diverted attack by themselves."""
    rolls: list[Dice] = [("air defense of", 4, 4), *rolled]
    game = dive(SMALL, search=((1,), ()), orders=[send(2)], rolls=rolls, number=2, options=options)
    assert lost(game) == {POOL: 2}
    assert len(told(game, "air defense of")) == 1
    assert bool(told(game, "no other group for 1 kamikaze")) is (not options)


@pytest.mark.rule("17.47F.4", "17.47F.4.1", "17.47F.4.3")
def test_each_named_ship_has_one_of_all_of_them_before_any_is_surplus() -> None:
    """Of three kamikazes one is diverted: with the others it is one for each battleship, and nobody has a choice."""
    rolls: list[Dice] = [("air defense of", 1, 4), *misses("1 kamikaze on") * 3]
    game = dive(BATTLESHIPS, orders=[send(3)], rolls=rolls, number=3)
    assert sorted(text.split(" on ")[1].split(",")[0] for text in attacks(game)) == [
        "Colorado",
        "North Carolina",
        "Washington",
    ]


@pytest.mark.rule("17.47E.3", "17.47F.4.2")
def test_by_option_the_diverted_may_attack_a_ship_that_was_attacked() -> None:
    orders = [send(3), "target:washington", "target:colorado", "target:washington"]
    rolls: list[Dice] = [("air defense of", 1, 4), *misses("1 kamikaze on") * 3]
    game = dive(BATTLESHIPS, orders=orders, rolls=rolls, number=3, **LATER)
    assert [text.split(" on ")[1].split(",")[0] for text in attacks(game)] == ["Washington", "Colorado", "Washington"]


@pytest.mark.rule("17.47E.3", "17.47E.3.1")
def test_if_all_were_driven_off_by_squadrons_no_guns_fire_at_them() -> None:
    """17.47E: row 2 at 8: 1/2. Of two kamikazes one is diverted, which attacks without any more rolls against it."""
    game = engaged(number=2, rolls=[("air combat", 3, 4)], until=rolls_for("targets for 1 kamikaze"))
    assert not told(game, "air defense of")


@pytest.mark.rule("17.47E.3", "17.47E.3.1")
def test_diverted_kamikazes_attack_even_if_nobody_else_got_through() -> None:
    rolls: list[Dice] = [("air defense of", 4, 4), *misses("1 kamikaze on light ships, row 2")]
    game = dive(SMALL, TRANSPORTS, search=((1,), ()), orders=[send(1)], rolls=rolls, number=1)
    assert told(game, "Red: 1 kamikaze diverted to CG 2 (Blue)")
    assert seen_ships(game, "red", "blue", 1) is None


@pytest.mark.rule("17.48")
def test_the_only_group_is_sunk_before_the_diverted_come() -> None:
    """One destroyer: it sinks, and who was driven off and attacks by himself finds nothing."""
    one = division("united-states", name="one", side="blue", destroyers=1)
    rolls: list[Dice] = [("air defense of", 4, 4), ("attack by 1 kamikaze on light ships, row 2", 6, 6)]
    game = dive(one, search=((1,), ()), orders=[send(2)], rolls=rolls, **LATER)
    assert told(game, "CG 1 (Blue) destroyed")
    assert told(game, "no target left for 1 kamikaze")
    assert lost(game) == {POOL: 2}


def test_a_group_sunk_by_diverted_kamikazes_is_attacked_in_vain() -> None:
    """The second attack was announced against a group that is gone when its turn comes."""
    lonely = division("united-states", name="one", side="blue", laden_transports=1, cargo="oil")
    rolls: list[Dice] = [
        ("air defense of CG 1", 4, 4),
        ("attack by 1 kamikaze on light ships", 1, 1),
        ("attack by 1 kamikaze on light ships", 6, 6),
    ]
    guns = division("united-states", name="guns", side="blue", cruisers=8)
    game = dive_at_two(guns, lonely, number=9, orders=[send(2), send(4, 2)], rolls=rolls)
    assert told(game, "Red: no target left for 4 kamikazes")
    assert lost(game) == {POOL: 6}
    assert game.state.kamikazes == 3


# --- targets --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.47F")
def test_the_categories_of_ships() -> None:
    sorts = categories(
        fleet_of("Enterprise", "Washington", nation="united-states", cruisers=1, destroyers=2, cves=1, transports=3)
    )
    named = {category.value: [which.kind.value for which in members] for category, members in sorts.items()}
    assert named == {
        "fast carriers": ["cv"],
        "capital ships": ["battleship"],
        "light ships": ["cruiser", "cve", "destroyer", "transport"],
    }
    assert list(sorts) == [Category.CARRIERS, Category.CAPITAL, Category.LIGHT]


@pytest.mark.rule("17.47F.2")
def test_of_two_categories_three_faces_are_the_higher() -> None:
    for present in ((Category.CARRIERS, Category.CAPITAL), (Category.CAPITAL, Category.LIGHT)):
        reads = category_reads(present)
        assert [dict(reads((face,)))[present[0]] for face in range(1, 7)] == [1, 1, 1, 0, 0, 0]
        assert dict(reads((1, 3, 4, 6, 6))) == {present[0]: 2, present[1]: 3}


@pytest.mark.rule("17.47F.3")
def test_of_three_categories_each_has_two_faces() -> None:
    reads = category_reads(tuple(Category))
    taken = [next(category for category, number in reads((face,)) if number) for face in range(1, 7)]
    assert taken == [category for category in Category for _ in range(2)]
    assert str(reads((1, 2, 5))) == "2 on fast carriers and 1 on light ships"


def test_what_the_dice_say_does_not_hang_on_their_order() -> None:
    reads = category_reads(tuple(Category))
    assert reads((1, 3, 5, 6)) == reads((6, 5, 1, 3))


@pytest.mark.rule("17.47F.1")
def test_a_single_category_is_attacked_without_a_die() -> None:
    game = dive(SMALL, search=((1,), ()), orders=[send(3)], rolls=[GUNS], until=rolls_for("attack by"))
    assert attack_of(game).aims == {"light-ships": 3}


@pytest.mark.rule("17.47F", "17.47F.3", "17.47E")
def test_a_die_for_each_kamikaze() -> None:
    """The one that is driven off has no other group to attack, and is back."""
    game = dive(ALL_KINDS, orders=[send(5)], rolls=[THREE_GUNS], until=rolls_for("targets for 5 kamikazes"))
    assert isinstance(game.pending, Roll)
    assert game.pending.dice == 5
    assert game.pending.side == "red"


def aimed(*faces: int, orders: Sequence[str] = (), target: dict[str, Any] = CARRIERS, **more: Any) -> Game[State]:
    """As many kamikazes as dice are shown get through to a group and have their targets."""
    rolls: list[Dice] = [("air defense of", 1, 1), (f"targets for {len(faces)} kamikaze", *faces)]
    options = {"kamikaze_aborts": "ignored"}
    given = [send(len(faces)), *orders]
    until = more.pop("until", rolls_for("attack by"))
    return dive(target, orders=given, rolls=rolls, options=options, until=until, **more)


@pytest.mark.rule("17.47F.4", "17.47F.4.1")
def test_one_kamikaze_for_each_ship() -> None:
    """As many as there are carriers: one each, without a question; light ships as one."""
    game = aimed(1, 2, 3, 4, 5, until=lambda game: asks("target")(game) or rolls_for("attack by")(game))
    assert attack_of(game).aims == {"enterprise": 1, "hornet": 1, "yorktown": 1, "light-ships": 2}


@pytest.mark.rule("17.47F.4.2", "17.47F.4.1")
def test_with_more_ships_than_kamikazes_the_attacker_picks_different_ones() -> None:
    game = aimed(1, 1, until=asks("target"))
    assert asked_now(game) == ["target:enterprise", "target:hornet", "target:yorktown"]
    assert isinstance(game.pending, Choose)
    assert game.pending.side == "red"
    game.choose("target:yorktown")
    assert asked_now(game) == ["target:enterprise", "target:hornet"]
    game.choose("target:enterprise")
    assert attack_of(game).aims == {"enterprise": 1, "yorktown": 1}


@pytest.mark.rule("17.47F.4.3", "17.47F.4")
def test_the_surplus_attacks_whatever_its_owner_likes() -> None:
    """Six of seven fall on two battleships: four are over, and go to a carrier, a battleship and the light ships."""
    game = aimed(3, 3, 3, 4, 4, 4, 6, target=ALL_KINDS, until=asks("surplus"))
    assert asked_now(game) == [f"surplus:{ship}" for ship in ("enterprise", "hornet", *BIG, "light-ships")]
    game.choose("surplus:enterprise")
    assert asked_now(game) == [f"against:enterprise:{number}" for number in range(1, 5)]
    game.choose("against:enterprise:2")
    assert asked_now(game) == [f"surplus:{ship}" for ship in ("hornet", *BIG, "light-ships")]
    fight(game, "surplus:colorado", "surplus:light-ships", until=rolls_for("attack by"))
    assert attack_of(game).aims == {"enterprise": 2, "washington": 1, "colorado": 2, "light-ships": 2}


BIG = ("washington", "colorado")


@pytest.mark.rule("17.47F.4.3", "17.47F.4.1")
def test_the_surplus_of_a_single_ship_comes_back_to_it() -> None:
    one = squadron("x", "blue", "Montana", "Iowa")
    rolls: list[Dice] = [("air defense of", 1, 1)]
    options = {"kamikaze_aborts": "ignored"}
    orders = [send(4), "surplus:iowa", "against:iowa:2"]
    game = dive(one, orders=orders, rolls=rolls, options=options, until=rolls_for("attack by"))
    assert attack_of(game).aims == {"montana": 1, "iowa": 3}
    lonely = division("united-states", "Iowa", name="x", side="blue")
    game = dive(lonely, search=((1,), ()), orders=[send(4)], rolls=rolls, options=options, until=rolls_for("attack by"))
    assert attack_of(game).aims == {"iowa": 4}


@pytest.mark.rule("17.47F.4.4", "17.47G")
def test_light_ships_are_one_target() -> None:
    """The five hits of one roll are shared among cruisers and destroyers."""
    mixed = division("united-states", name="x", side="blue", cruisers=4, destroyers=4)
    rolls: list[Dice] = [GUNS, ("attack by 4 kamikazes on light ships, row 8", 3, 3)]
    game = dive(mixed, search=((1,), ()), orders=[send(4)], rolls=rolls)
    assert attacks(game) == ["attack by 4 kamikazes on light ships, row 8"]
    assert sunk(game) == {"united-states:cruiser": 1, "united-states:destroyer": 2}


# --- the attacks ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.47G", "17.47G.1", "17.47G#ex1")
@pytest.mark.parametrize(("number", "row"), [(1, 2), (2, 4), (3, 6)])
def test_a_kamikaze_counts_as_two_squadrons(number: int, row: int) -> None:
    """The printed example: two kamikazes on one target attack in row 4, three in row 6, with a single roll."""
    ship = division("united-states", "Iowa", name="x", side="blue")
    options = {"kamikaze_aborts": "ignored"}
    rolls: list[Dice] = [("air defense of", 1, 1), (f"on Iowa, row {row}", 1, 1)]
    game = dive(ship, search=((1,), ()), orders=[send(number)], rolls=rolls, options=options)
    assert len(attacks(game)) == 1


@pytest.mark.rule("17.47G")
def test_all_targets_are_fixed_before_the_first_roll() -> None:
    """Carriers first, then capital ships, then light ships; each target has one roll."""
    carriers = misses("1 kamikaze on Enterprise, row 2", "1 kamikaze on Hornet, row 2")
    others = misses("2 kamikazes on Washington, row 4", "1 kamikaze on light ships, row 2")
    opening: list[Dice] = [("air defense of", 1, 1), ("targets for 5 kamikazes", 1, 1, 1, 3, 6)]
    orders = [send(5), "target:washington", "surplus:washington"]
    game = dive(ALL_KINDS, orders=orders, rolls=[*opening, *carriers, *others], options={"kamikaze_aborts": "ignored"})
    assert len(attacks(game)) == 4


@pytest.mark.rule("17.47G.1")
def test_beyond_twenty_squadrons_one_roll_is_read_in_two_rows_or_two_are_made() -> None:
    """Fifteen kamikazes are thirty squadrons: rows 20 and 10 at 7 + 2 = 9 have 12 and 7 hits."""
    many = squadron("x", "blue", cruisers=0, destroyers=24)
    rolls: list[Dice] = [("air defense of", 1, 1), ("attack by 15 kamikazes on light ships, row 30", 3, 4)]
    options: dict[str, Any] = {"kamikaze_aborts": "ignored"}
    game = dive(many, orders=[send(15)], rolls=rolls, options=options)
    assert sunk(game) == {"united-states:destroyer": 19}
    rolls = [rolls[0], ("light ships, row 20", 3, 4), ("light ships, row 10", 1, 1)]
    game = dive(many, orders=[send(15)], rolls=rolls, options=options | {"beyond_last_row": "separate-rolls"})
    assert sunk(game) == {"united-states:destroyer": 12 + 4}


@pytest.mark.rule("17.47G", "17.3124")
def test_ships_are_hit_and_squadrons_go_down_with_their_carriers() -> None:
    """Row 2 at 12 + 2 + 1 (the Naval DRM of an American carrier is 1): three hits sink Enterprise."""
    rolls: list[Dice] = [GUNS, ("targets for 1 kamikaze", 1), ("attack by 1 kamikaze on Enterprise", 6, 6)]
    game = dive(task(air=3), orders=[send(1)], rolls=rolls)
    assert sunk(game) == {"enterprise": 1}
    assert lost(game) == {POOL: 1, "united-states/naval/squadrons": 3}


@pytest.mark.rule("17.3124", "17.48")
def test_a_damaged_carrier_keeps_its_squadrons_aboard() -> None:
    rolls: list[Dice] = [GUNS, ("targets for 1 kamikaze", 1), ("attack by 1 kamikaze on Enterprise", 3, 3)]
    game = dive(task(air=3), orders=[send(1)], rolls=rolls, until=stricken)
    assert (attack_of(game).number, attack_of(game).aims) == (0, {})
    fight(game)
    assert ships(group(game, "blue", 1))["enterprise damaged"] == 2
    assert not told(game, "destroyed")
    assert short(game.state.at_sea("blue").grounded) == {"united-states naval": 3}


def stricken(game: Game[State]) -> bool:
    """Whether somebody is asked for the squadrons of stricken carriers."""
    return isinstance(game.pending, Choose) and game.pending.rule == "17.3124"


@pytest.mark.rule("17.3124")
@pytest.mark.parametrize(("ship", "face"), [(5, 6), (1, 1)])
def test_squadrons_move_only_if_a_carrier_is_damaged_or_sunk(ship: int, face: int) -> None:
    """Not if a battleship is, or if a carrier is not."""
    rolls: list[Dice] = [GUNS, ("targets for 1 kamikaze", ship), ("attack by 1 kamikaze on", face, face)]
    game = dive(task("Midway", "Washington", air=3), orders=[send(1)], rolls=rolls, until=stricken)
    assert not stricken(game)


def test_cargo_goes_down_with_its_ships() -> None:
    rolls: list[Dice] = [("attack by 1 kamikaze on light ships", 6, 6)]
    game = dive(TRANSPORTS, search=((1,), ()), orders=[send(1)], rolls=rolls)
    assert sunk(game) == {"united-states:transport:laden": 3}
    assert told(game, "3 of 4 laden factors sunk")


@pytest.mark.rule("17.48")
def test_those_who_attacked_are_lost() -> None:
    rolls: list[Dice] = [GUNS, ("attack by 3 kamikazes on light ships", 1, 1)]
    game = dive(SMALL, search=((1,), ()), orders=[send(3)], rolls=rolls, until=None)
    assert lost(game) == {POOL: 3}
    assert game.state.kamikazes == 12
    assert game.state.battle.dives == []


@pytest.mark.rule("17.44C", "17.48")
def test_each_is_worth_one_brp() -> None:
    rolls: list[Dice] = [GUNS, ("attack by 3 kamikazes on light ships", 1, 1)]
    game = dive(SMALL, search=((1,), ()), orders=[send(3)], rolls=rolls)
    ended = game.ruleset.result(game.state)
    assert ended["brps_lost"] == {"red": 3, "blue": 0}
    assert ended["losses"] == {POOL: 3}


@pytest.mark.rule("17.47D.3")
def test_nobody_goes_with_them() -> None:
    """Squadrons stay aboard while kamikazes attack, and there is no question about others."""
    game = dive(SMALL, search=((1,), ()), orders=[send(3)], until=rolls_for("air defense"))
    assert short(game.state.at_sea("red").air) == {"japan naval": 6}
    assert game.state.battle.strike is None
    assert JAPAN not in log(game)


# --- a second wave --------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.47D.2.1", "17.47D.2")
def test_against_a_single_group_a_second_wave_may_follow() -> None:
    """It is asked after the first is resolved, is no larger, and meets the guns again; there is no third."""
    lots = squadron("x", "blue", cruisers=16, destroyers=9)
    opening: list[Dice] = [("air defense of", 1, 1), ("attack by 15 kamikazes on light ships, row 30", 1, 1)]
    more: list[Dice] = [("air defense of", 1, 1), ("attack by 2 kamikazes on light ships, row 4", 1, 1)]
    options = {"kamikaze_aborts": "ignored"}
    game = dive(lots, orders=[send(15)], rolls=opening, number=40, options=options, until=asks("wave"))
    assert sunk(game)
    assert asked_now(game)[0] == "wave:0"
    assert asked_now(game)[-1] == "wave:15"
    game = dive(lots, orders=[send(15), "wave:2"], rolls=[*opening, *more], number=40, options=options)
    assert game.state.kamikazes == 23
    assert lost(game) == {POOL: 17}
    assert group(game, "blue", 1).this_round.attacks == 1


@pytest.mark.rule("17.47D.2.1", "17.47E")
def test_the_second_wave_is_engaged_again() -> None:
    target = task("Enterprise", "Hornet", air=6)
    orders = [patrol(2), send(1), engage(2), "wave:1", engage(1)]
    rolls: list[Dice] = [("air combat over CG 1 (Blue), row 2", 3, 4), ("air combat over CG 1 (Blue), row 1", 4, 4)]
    game = dive(target, orders=orders, rolls=rolls)
    assert lost(game) == {POOL: 2}


@pytest.mark.rule("17.47D.2.1")
def test_there_is_no_second_wave_against_a_force_of_several_groups() -> None:
    rolls: list[Dice] = [GUNS, ("attack by 1 kamikaze on light ships", 1, 1)]
    game = dive(SMALL, TRANSPORTS, search=((1,), ()), orders=[send(1)], rolls=rolls, number=40)
    assert not told(game, "Second wave")
    assert game.state.kamikazes == 39


# --- secrets and laws -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_games_with_kamikazes_keep_secrets_and_laws(seed: int, tmp_path: Path) -> None:
    forces = [
        kido(6),
        squadron("two", "red", "Shokaku", cruisers=6, destroyers=2, air=3),
        task("Enterprise", "Washington", air=3, name="task"),
        squadron("more", "blue", "Hornet", cruisers=6, destroyers=4, air=3),
        transports(),
    ][: 5 if seed % 3 else 3]
    bases = [FIELD, base("isle", "blue", (0, -2), "3 united-states naval")]
    scenario = battle(*forces, bases=bases, kamikazes={"number": 30, "growth": 1}, codebreaking="red")
    trial, chance = open_trial(set_up(scenario), seed, Report(), tmp_path), Random(seed)
    while trial.game.pending is not None and not landed(trial.game):
        assert list(the_laws_of_the_game_hold(trial)) == []
        if chance.random() < 0.3:
            assert list(secrets_stay_secret(trial)) == []
        trial.answer()
