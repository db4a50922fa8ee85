"""The chart on the screen: ships with their hits, submarines, what has left, and what is being fought."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

import flagplot
from flagplot import library
from flagplot.awaw.board.boards import board_of
from flagplot.awaw.board.units import ships_of, told_ships
from flagplot.awaw.views.battle import (
    DepartedView,
    DiveView,
    EngagementView,
    FoughtView,
    OwnDeparted,
    StrengthView,
    StrikeView,
    SubmarinesView,
    VolleyView,
)
from flagplot.awaw.views.units import ShipView
from flagplot.board.model import TIE
from flagplot.cli.keyboard.position import chart_lines, news_lines, picture, ships_text
from flagplot.cli.screen import Line, Screen
from flagplot.kernel.view_types import HIDDEN, to_json
from flagplot.players.random import RandomPlayer
from tests.awaw.looks import battle, flight, group, owned, position, ship

AKAGI = ship("Akagi", 3, 0, "akagi")
KAGA = ship("Kaga (damaged)", 3, 2, "kaga")
HIEI = ship("Hiei (1 hit)", 3, 1, "hiei")


def words(lines: list[Line]) -> list[str]:
    return [line.text.plain.replace(TIE, " ") for line in lines]


def chart(*groups: Any, **more: Any) -> list[str]:
    board = board_of(position(battle=battle(*groups, **{"pending": {"red": (), "blue": 0}} | more)))
    return words(chart_lines(board, "red", ""))


@pytest.mark.parametrize(
    ("seen", "text"),
    [
        (AKAGI, "Akagi 3/3"),
        (KAGA, "Kaga 1/3 damaged"),
        (HIEI, "Hiei 2/3"),
        (ship("4 Japanese cruisers", 2, count=4), "4 Japanese cruisers"),
        (ship("1 Japanese cruiser (1 damaged)", 2, 1), "1 Japanese cruiser damaged"),
        (ship("2 Japanese destroyer factors with cargo", 1, laden=True), "2 Japanese destroyer factors with cargo"),
    ],
)
def test_a_ship_with_the_hits_that_are_left(seen: ShipView, text: str) -> None:
    (counter,) = ships_of((seen,))
    assert counter.afloat == counter.tied.replace(TIE, " ") == text
    assert told_ships([to_json(seen)]) == counter.tied


def test_no_ships_are_said_to_be_none() -> None:
    assert chart(group(ships=())) == ["◇ CG 2 [active]", "no ships"]


def test_a_ship_and_its_hits_stay_on_one_line() -> None:
    console = Console(width=24, file=io.StringIO(), force_terminal=True, color_system=None)
    Screen(console).show([Line(Text(ships_text(ships_of((AKAGI, KAGA, HIEI))).plain))])
    file = console.file
    assert isinstance(file, io.StringIO)
    assert file.getvalue().splitlines() == ["Akagi 3/3,", "  Kaga 1/3 damaged,", "  Hiei 2/3"]


def test_a_group_with_what_it_left_behind() -> None:
    assert chart(group(ships=(AKAGI, KAGA), own=owned(shed=(KAGA,)), evaded=True)) == [
        "◇ CG 2 the Striking Force [active, evaded]",
        "Akagi 3/3, Kaga 1/3 damaged",
        "12 factors, fast",
        "left behind: Kaga 1/3 damaged",
    ]


def test_what_has_left_the_battle() -> None:
    aboard = OwnDeparted(name="the Main Body", cargo="", air=(flight("3 Japanese naval air squadrons"),))
    own = DepartedView(side="red", number=3, round=1, revealed=False, ships=(HIEI,), own=aboard)
    unseen = DepartedView(side="red", number=4, round=2, revealed=False, ships=HIDDEN, own=HIDDEN)
    assert chart(departed=(own, unseen, unseen.but(side="blue"))) == [
        "← CG 3 the Main Body [withdrawn after round 1]",
        "Hiei 2/3",
        "3 Japanese naval air squadrons aboard",
        "← CG 4 [withdrawn after round 2]",
    ]


def submarines(factors: int, **more: Any) -> SubmarinesView:
    usual = {"spent": 0, "lost": 0, "advanced": False, "accompany": False, "arrives": 1}
    return SubmarinesView(side="red", nation="japan", factors=factors, **usual | more)


def test_submarines_and_strength() -> None:
    first, second = submarines(2, spent=1, lost=1, advanced=True), submarines(1, accompany=True, arrives=2)
    told = chart(submarines=(first, second, submarines(0)), strength={"red": StrengthView(left=9, began=20)})
    assert told == [
        "9/20 factors fit",
        "Submarines",
        "2 ready, 1 used, 1 lost, advanced",
        "1 ready, with a force, from round 2",
        "none left",
    ]


# --- what is being fought ---------------------------------------------------------------------------------------


def fights(**more: Any) -> list[str]:
    board = board_of(position(battle=battle(group(side="blue", ships=(AKAGI, KAGA)), **more)))
    return words(news_lines(board, board.news))


def test_nothing_is_under_way() -> None:
    assert fights() == fights(strike=None, dives=(), kamikazes=0, engagement=None, engagements=()) == []


def test_a_strike() -> None:
    strike = StrikeView(
        side="red", target=4, surprise=True, level=2, attackers=(flight("4 squadrons"),), defenders=(), aims=()
    )
    assert fights(strike=strike) == ["Surprise strike on CG 4: 4 squadrons"]
    strike = strike.but(surprise=False, defenders=(flight("2 others"),))
    assert fights(strike=strike) == ["Strike on CG 4: 4 squadrons; engaged by 2 others"]


def test_kamikazes() -> None:
    aims = {"kaga": 3, "light-ships": 2}
    dive = DiveView(side="red", target=2, kamikazes=5, diverted=1, defenders=(flight("2 squadrons"),), aims=aims)
    assert fights(dives=(dive,), kamikazes=7) == [
        "Kamikazes against CG 2: 5, 3 at Kaga, 2 at light ships, 1 diverted; engaged by 2 squadrons",
        "Kamikazes that have not flown: 7",
    ]


def test_a_fleet_combat_before_and_after_all_is_shown() -> None:
    agreed = EngagementView(moving=1, intercepting=2, seeker="")
    fight = FoughtView(agreed=agreed, revealed=False, screened=HIDDEN, volleys=HIDDEN, held=HIDDEN)
    assert fights(engagement=fight, engagements=(agreed.but(moving=3),)) == [
        "Fleet combat: CG 1 (Red) against CG 2 (Blue)",
        "Still to fight: CG 3 (Red) against CG 2 (Blue)",
    ]
    volleys = (VolleyView(side="red", target="kaga", ships=(HIEI,)),)
    assert fights(engagement=fight.but(screened={"red": (AKAGI,), "blue": ()}, volleys=volleys)) == [
        "Fleet combat: CG 1 (Red) against CG 2 (Blue)",
        "Red screens Akagi 3/3",
        "Red fires at Kaga: Hiei 2/3",
    ]


def test_transports_that_raiders_are_kept_from() -> None:
    board = board_of(position(battle=battle(shielded=(ship("3 British transports", 1, count=3),))))
    (stack,) = [stack for place in board.places if place.kind == "lost" for stack in place.stacks]
    assert (stack.title, [one.name for one in stack.ships]) == (
        "Transports under escort",
        ["3 British transports"],
    )
    assert stack.state == "plain", "they are safe, and no picture shows them as sunk"


BATTLES = [name for name in flagplot.scenario_names() if library.read_scenario(name).get("kind") == "naval-battle"]


@pytest.mark.parametrize("name", BATTLES)
def test_every_position_of_a_battle_can_be_drawn(name: str) -> None:
    game = flagplot.load(name, seed=5)
    players = {side: RandomPlayer(5 + place) for place, side in enumerate(game.sides)}
    while True:
        for reader in (*game.sides, "umpire"):
            console = Console(width=60, file=io.StringIO(), force_terminal=False, highlight=False, markup=False)
            console.print(picture(game.view(reader), console))
            file = console.file
            assert isinstance(file, io.StringIO)
            assert max(map(len, file.getvalue().splitlines())) <= 60
            assert TIE not in file.getvalue()
        if game.pending is None:
            break
        game.play(players, until=game.turn + 3)
