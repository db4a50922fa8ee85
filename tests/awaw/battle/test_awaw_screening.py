"""22.53-22.531: who is in a fleet combat, who is screened, and what the enemy sees of it."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from tests.awaw.battles import asked_now, group, ships
from tests.awaw.fleets import FIRE, blue, clash, fired, line_up, red, screened, volleys
from tests.awaw.scenes import log
from tests.awaw.strike_news import seen_ships


def opened(*forces: dict[str, Any], **more: Any) -> Game[State]:
    """A fleet combat as the first dice are to be rolled, or over if there are none."""
    return clash(*forces, until=FIRE, **more)


# --- categories -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.531", "22.531A", "22.531B", "SOP-NC-I.H.2")
def test_capital_ships_and_light_ships_stand_in_the_line() -> None:
    """Cruisers, destroyers and CVEs are light ships; a battlecruiser is a capital ship as a battleship is."""
    game = opened(red("Yamato", "Kongo", cruisers=4, destroyers=2, cves=1), blue("Iowa", "Alaska", destroyers=9))
    assert screened(game, "red") == screened(game, "blue") == []
    assert volleys(game, "red") == {"iowa": ["yamato"], "alaska": ["kongo"]}
    text = log(game, "blue")
    assert "CG 1 (Red): Yamato, Kongo, 2 Japanese cruisers, 1 Japanese escort carrier, 2 Japanese" in text


AUTOMATIC = {
    "damaged battleship": (red("Yamato", "Kongo", destroyers=5, hits={"Yamato": 4}), ["yamato"]),
    "damaged cruiser": (red(cruisers=6, destroyers=5, damaged_cruisers=1), ["1 japan:cruiser"]),
    "fast carrier": (red("Akagi", "Zuiho", cruisers=8), ["akagi", "zuiho"]),
    "destroyers with cargo": (
        red(cruisers=8, destroyers=3, laden_destroyers=2, cargo="troops"),
        ["2 japan:destroyer:laden"],
    ),
    "transports": (red(cruisers=10, transports=2), ["2 japan:transport"]),
    "transports with cargo": (red(cruisers=10, laden_transports=2, cargo="oil"), ["2 japan:transport:laden"]),
}


@pytest.mark.rule("22.531C.1", "22.531B", "22.531A", "SOP-NC-I.H.2")
@pytest.mark.parametrize("case", AUTOMATIC)
def test_some_ships_are_always_screened(case: str) -> None:
    force, expected = AUTOMATIC[case]
    assert screened(opened(force, blue("Alaska", cruisers=8)), "red") == expected


@pytest.mark.rule("22.531C.1", "22.531A")
def test_a_battleship_that_was_hit_and_is_not_damaged_is_not() -> None:
    game = opened(red("Yamato", destroyers=5, hits={"Yamato": 3}), blue("Iowa", destroyers=5))
    assert screened(game, "red") == []
    assert volleys(game, "red") == {"iowa": ["yamato"]}


@pytest.mark.rule("22.53", "22.531C.3.1")
def test_all_ships_of_both_groups_are_in_it_and_those_of_others_are_not() -> None:
    other = red("Musashi", cruisers=6) | {"id": "others"}

    def apart(state: State) -> None:
        state.battle.groups["others"].number = 2

    game = opened(red("Yamato", "Kongo", destroyers=6), other, blue("Iowa", "Alaska", destroyers=6), change=apart)
    assert "Screen ships behind the line? Screen none" in log(game)
    assert volleys(game, "red") == {"iowa": ["yamato"], "alaska": ["kongo"]}
    assert seen_ships(game, "blue", "red", 1) == ["Yamato", "Kongo", "6 Japanese destroyer factors"]
    assert seen_ships(game, "blue", "red", 2) is None


# --- by choice ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.531C.2", "22.53", "22.531")
def test_any_other_ships_may_be_screened() -> None:
    orders = ["screen:yamato", "screen:japan:cruiser", "screen:japan:cruiser:2", "screen:japan:destroyer"]
    orders += ["screen:japan:destroyer:6"]
    game = opened(red("Yamato", "Kongo", cruisers=6, destroyers=6), blue("Iowa", cruisers=6), orders=orders)
    assert screened(game, "red") == ["yamato", "2 japan:cruiser", "6 japan:destroyer"]
    assert "Screen ships behind the line? Screen Yamato (22.531C)" in log(game, "red")
    assert volleys(game, "red") == {"iowa": ["kongo"]}


@pytest.mark.rule("22.531C.2")
def test_those_that_are_screened_anyway_are_not_asked_about() -> None:
    game = line_up(red("Akagi", "Kongo", cruisers=8, damaged_cruisers=1, transports=1), blue("Iowa", cruisers=6))
    assert asked_now(game) == ["screen:none", "screen:kongo", "screen:japan:cruiser"]
    game.choose("screen:japan:cruiser")
    assert asked_now(game) == [f"screen:japan:cruiser:{number}" for number in (1, 2, 3)]
    game.choose("screen:japan:cruiser:3")
    assert asked_now(game) == ["screen:none", "screen:kongo"]


@pytest.mark.rule("22.531C.2", "22.531C.3.1")
def test_a_side_may_screen_everything() -> None:
    orders = ["screen:kongo", "screen:japan:cruiser", "screen:japan:cruiser:4"]
    game = opened(red("Kongo", cruisers=8), blue("Iowa", cruisers=6), orders=orders, rolls=[])
    assert screened(game, "red") == ["kongo", "4 japan:cruiser"]
    assert volleys(game, "red") == {}


@pytest.mark.rule("22.26D")
def test_ships_that_are_withheld_are_screened() -> None:
    def withhold(state: State) -> None:
        state.battle.groups["reds"].withheld = {"yamato": 1, "akagi": 1, "japan:cruiser": 3}

    game = opened(
        red("Akagi", "Yamato", "Kongo", cruisers=8, damaged_cruisers=1), blue("Iowa", cruisers=6), change=withhold
    )
    assert ships(group(game, "red", 1))["japan cruiser"] == 3
    assert screened(game, "red") == ["akagi", "yamato", "3 japan:cruiser", "1 japan:cruiser"]
    assert volleys(game, "red") == {"iowa": ["kongo"]}


@pytest.mark.rule("22.531C.3.1", "22.54G.4")
def test_screened_ships_never_fire() -> None:
    """A screened battleship and screened cruisers do not fire, not even when they are fired at themselves."""
    orders = ["screen:kongo", "screen:japan:cruiser", "screen:japan:cruiser:4", "fire:iowa:kongo"]
    orders += ["aim:light-ships", "aim:light-ships:united-states:cruiser:3"]
    dice = [("Blue: fire by Iowa on Kongo, row 5", 1, 1), ("Blue: fire by 3 American cruisers on light", 1, 1)]
    game = clash(red("Kongo", cruisers=8), blue("Iowa", cruisers=6), orders=orders, rolls=dice)
    assert len(fired(game)) == 2


# --- secrets --------------------------------------------------------------------------------------------------------


def known(game: Game[State], side: str) -> Any:
    """What a side knows: its view, with whose turn it is, and its log."""
    return game.view(side).as_dict(), [entry.as_dict() for entry in game.log(side)]


CHOICES = {
    "nothing": ["screen:none"],
    "a battleship": ["screen:yamato", "screen:none"],
    "all": ["screen:yamato", "screen:kongo", "screen:japan:cruiser", "screen:japan:cruiser:3"],
}


@pytest.mark.rule("22.531C.2")
@pytest.mark.parametrize("case", CHOICES)
def test_the_enemy_does_not_see_who_is_screened_before_both_have_chosen(case: str) -> None:
    """While Red chooses Blue sees no step of it; then Blue is asked the same, whatever Red has chosen."""
    forces = red("Yamato", "Kongo", cruisers=6), blue("Iowa", cruisers=6)
    game, plain = line_up(*forces), line_up(*forces)
    before = known(game, "blue")
    for order in CHOICES[case]:
        assert known(game, "blue") == before
        game.choose(order)
    plain.choose("screen:none")
    assert known(game, "blue") == known(plain, "blue")
    assert asked_now(game) == ["screen:none", "screen:iowa", "screen:united-states:cruiser"]
    assert "screened" not in game.view("blue").data["engagement"]


@pytest.mark.rule("22.531C.2", "22.53")
def test_a_side_with_nothing_to_screen_has_to_be_waited_for_as_well() -> None:
    """Other ships of a hidden group look the same to Blue: carriers alone, or battleships."""
    games = [
        line_up(force, blue("Iowa", cruisers=6))
        for force in (red("Akagi", "Kaga", transports=4, task_force=False), red("Yamato", "Kongo", cruisers=6))
    ]
    assert asked_now(games[0]) == ["ready:go"]
    assert known(games[0], "blue") == known(games[1], "blue")
    games[0].choose("ready:go")
    games[1].choose("screen:none")
    assert known(games[0], "blue") == known(games[1], "blue")


@pytest.mark.rule("22.531", "22.531C.2", "22.53")
def test_then_all_ships_are_shown_to_both() -> None:
    game = line_up(red("Yamato", "Akagi", cruisers=6), blue("Iowa", destroyers=6))
    game.choose("screen:yamato")
    game.choose("screen:none")
    assert seen_ships(game, "red", "blue", 1) is None
    assert seen_ships(game, "blue", "red", 1) is None
    game.choose("screen:none")
    assert seen_ships(game, "red", "blue", 1) == ["Iowa", "6 American destroyer factors"]
    assert seen_ships(game, "blue", "red", 1) == ["Akagi", "Yamato", "3 Japanese cruisers"]
    for side in ("red", "blue"):
        assert "CG 1 (Red): 3 Japanese cruisers in the line; Akagi, Yamato screened" in log(game, side)
        shown = game.view(side).data["engagement"]["screened"]
        assert [entry["text"] for entry in shown["red"]] == ["Akagi", "Yamato"]
    assert all(
        one.this_round.fought and one.this_round.attacked and one.revealed for one in game.state.battle.groups.values()
    )
