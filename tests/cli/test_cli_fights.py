"""The chart on the screen: ships with their hits, submarines, what has left, and what is being fought."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

import flagplot
from flagplot import library
from flagplot.cli.chart import chart_of, ship_in_words, ships_in_words
from flagplot.cli.fights import under_way
from flagplot.cli.position import picture
from flagplot.cli.screen import TIE, Line, Screen
from flagplot.players.random import RandomPlayer

SIDES = {"red": "Red", "blue": "Blue"}


def ship(text: str, size: int, hits: int = 0, name: str = "", count: int = 1, laden: bool = False) -> dict[str, Any]:
    damaged = hits > 0 and hits == size - 1
    return {"id": name, "size": size, "hits": hits, "damaged": damaged, "laden": laden, "count": count, "text": text}


AKAGI = ship("Akagi", 3, 0, "akagi")
KAGA = ship("Kaga (damaged)", 3, 2, "kaga")
HIEI = ship("Hiei (1 hit)", 3, 1, "hiei")


def words(lines: list[Line]) -> list[str]:
    return [line.text.plain.replace(TIE, " ") for line in lines]


def chart(**more: Any) -> list[str]:
    data = {"sides": SIDES, "groups": [], "pending": {"red": [], "blue": 0}, "carrier_air": {}, **more}
    return words(chart_of(data, "red", ""))


def group(**more: Any) -> dict[str, Any]:
    told = {"side": "red", "number": 2, "status": "active", "results": 0, "attacks": 0, "told": None, "revealed": True}
    return {**told, "ships": [AKAGI, KAGA], **more}


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
def test_a_ship_with_the_hits_that_are_left(seen: dict[str, Any], text: str) -> None:
    assert ship_in_words(seen).replace(TIE, " ") == text


def test_no_ships_are_said_to_be_none() -> None:
    assert ships_in_words([]) == "no ships"


def test_a_ship_and_its_hits_stay_on_one_line() -> None:
    console = Console(width=24, file=io.StringIO(), force_terminal=True, color_system=None)
    Screen(console).show([Line(Text(ships_in_words([AKAGI, KAGA, HIEI])))])
    file = console.file
    assert isinstance(file, io.StringIO)
    assert file.getvalue().splitlines() == ["Akagi 3/3,", "  Kaga 1/3 damaged,", "  Hiei 2/3"]


def test_a_group_with_what_it_left_behind() -> None:
    assert chart(groups=[group(shed=[KAGA], evaded=True)]) == [
        "◇ CG 2 [active, evaded]",
        "Akagi 3/3, Kaga 1/3 damaged",
        "left behind: Kaga 1/3 damaged",
    ]


def test_what_has_left_the_battle() -> None:
    aboard = [{"text": "3 Japanese naval air squadrons"}]
    own = {"side": "red", "number": 3, "round": 1, "name": "the Main Body", "ships": [HIEI], "air": aboard}
    unseen = {"side": "red", "number": 4, "round": 2, "revealed": False}
    assert chart(departed=[own, unseen, {**unseen, "side": "blue"}]) == [
        "← CG 3 the Main Body [withdrawn after round 1]",
        "Hiei 2/3",
        "3 Japanese naval air squadrons aboard",
        "← CG 4 [withdrawn after round 2]",
    ]


def test_submarines_and_strength() -> None:
    first = {"side": "red", "nation": "japan", "factors": 2, "spent": 1, "lost": 1, "advanced": True, "arrives": 1}
    second = {"side": "red", "nation": "japan", "factors": 1, "spent": 0, "lost": 0, "accompany": True, "arrives": 2}
    none = {"side": "red", "nation": "japan", "factors": 0, "spent": 0, "lost": 0}
    told = chart(submarines=[first, second, none], strength={"red": {"left": 9, "began": 20}})
    assert told == [
        "9 of 20 factors undamaged and here",
        "Submarine factors",
        "2 ready, 1 spent, 1 lost, advanced",
        "1 ready, with a force, from round 2",
        "none left",
    ]


# --- what is being fought ---------------------------------------------------------------------------------------


def fights(**more: Any) -> list[str]:
    return words(under_way({"sides": SIDES, "groups": [group(side="blue")], **more}))


def test_nothing_is_under_way() -> None:
    assert fights() == fights(strike=None, dives=[], kamikazes=0, engagement=None, engagements=[]) == []


def test_a_strike() -> None:
    strike = {"surprise": True, "target": 4, "attackers": [{"text": "4 squadrons"}], "defenders": []}
    assert fights(strike=strike) == ["Surprise strike on CG 4: 4 squadrons"]
    strike |= {"surprise": False, "defenders": [{"text": "2 others"}]}
    assert fights(strike=strike) == ["Strike on CG 4: 4 squadrons; engaged by 2 others"]


def test_kamikazes() -> None:
    dive = {"side": "red", "target": 2, "kamikazes": 5, "diverted": 1, "defenders": [{"text": "2 squadrons"}]}
    aims = {"kaga": 3, "light-ships": 2}
    assert fights(dives=[dive | {"aims": aims}], kamikazes=7) == [
        "Kamikazes against CG 2: 5, 3 at Kaga, 2 at the light ships, 1 diverted; engaged by 2 squadrons",
        "Kamikazes that have not flown: 7",
    ]


def test_a_fleet_combat_before_and_after_all_is_shown() -> None:
    fight = {"moving": 1, "intercepting": 2, "seeker": "", "revealed": False}
    assert fights(engagement=fight, engagements=[fight | {"moving": 3}]) == [
        "Fleet combat: CG 1 (Red) against CG 2 (Blue)",
        "To be fought: CG 3 (Red) against CG 2 (Blue)",
    ]
    fight |= {"screened": {"red": [AKAGI], "blue": []}, "volleys": [{"side": "red", "target": "kaga", "ships": [HIEI]}]}
    assert fights(engagement=fight) == [
        "Fleet combat: CG 1 (Red) against CG 2 (Blue)",
        "Red screens Akagi 3/3",
        "Red fires at Kaga: Hiei 2/3",
    ]


def test_transports_that_raiders_are_kept_from() -> None:
    assert fights(shielded=[ship("3 British transports", 1, count=3)]) == [
        "Transports behind the escort: 3 British transports"
    ]


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
