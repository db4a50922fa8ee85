"""The board of any game on a page: made from a view alone, told in words as well, and safe under a strict policy."""

from __future__ import annotations

from collections.abc import Iterator
from gzip import compress
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest

from flagplot.awaw.board.boards import board_of
from flagplot.awaw.state.battle import Facts
from flagplot.awaw.views.battle import GroupView
from flagplot.board.model import Board
from flagplot.draw.board_words import board_in_words
from flagplot.draw.dice import SPOTS, die
from flagplot.draw.panels import panels_of
from flagplot.draw.sea_chart import COLUMNS, sea_chart
from flagplot.draw.trays import Tray
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.kernel.views import View
from flagplot.table.battle.board_page import drawn
from flagplot.table.pages import environment
from tests.awaw import looks
from tests.games import moments

BATTLES = ("midway", "okinawa", "surigao-strait", "denmark-strait", "coral-sea")
GAMES = (*BATTLES, "malta", "coral-sea-operation", "malta-convoy", "force-z", "savo-island")


def views(name: str, every: int = 9) -> Iterator[View]:
    for game in moments(name, every=every, longest=160):
        for reader in (*game.sides, NEUTRAL, UMPIRE):
            yield game.view(reader)


class Here:
    """Where a page stands."""

    base, query = "/table/x", ""


def html(board: Board) -> str:
    macros: Any = environment().get_template("board_macros.html").module
    return str(macros.drawn(drawn(board), Here, False))


def trays(board: Board) -> list[Tray]:
    if board.is_charted:
        return [berth.tray for water in sea_chart(board).waters for berth in water.berths]
    return [tray for panel in panels_of(board) for tray in panel.trays]


# --- any game ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_position_of_every_reader_is_drawn_as_a_strict_page_allows(name: str) -> None:
    for view in views(name, every=20):
        text = html(view.board)
        assert not any(word in text for word in ("style=", "<style", "<script", "onload"))
        root = ElementTree.fromstring(f"<div>{text.replace(' class=hit', '').replace('data-panel ', '')}</div>")
        for svg in root.iter("svg"):
            assert svg.get("aria-hidden") == "true" or svg.get("focusable") == "false"
        for tray in root.iter("div"):
            assert "tray " not in tray.get("class", "") or (tray.get("role") == "group" and tray.get("aria-label"))


@pytest.mark.parametrize("name", ["midway", "okinawa", "surigao-strait", "coral-sea-operation"])
def test_all_ships_of_a_view_are_told_in_words(name: str) -> None:
    """The words of a board name each ship that the view names, with its hits, and each group's name."""
    ships = 0
    for view in views(name):
        words, data = "\n".join(board_in_words(view.board)), view.data
        for group in [*data.get("groups", ()), *data.get("departed", ())]:
            for ship in group.get("ships", ()):
                text = str(ship["text"]).partition(" (")[0]
                if ship["id"]:
                    assert text in words
                    ships += 1
                    if ship["hits"]:
                        assert f"{text}, {ship['size'] - ship['hits']} of {ship['size']} hits left" in words
            assert str(group.get("name", "")) in words
    assert ships > 30 or name == "coral-sea-operation"


@pytest.mark.parametrize("name", ["midway", "malta", "savo-island"])
def test_every_counter_of_the_board_lies_on_the_page_with_its_sentence(name: str) -> None:
    for view in views(name, every=30):
        board = view.board
        text = unescape(html(board))
        for place in board.places:
            for stack in place.stacks:
                if stack.kind != "box":
                    assert all(counter.sentence in text for counter in stack.counters)


@pytest.mark.parametrize("name", ["midway", "okinawa", "malta-convoy"])
def test_a_board_weighs_little(name: str) -> None:
    for view in views(name, every=40):
        assert len(compress(html(view.board).encode())) < 12_000


@pytest.mark.parametrize("name", ["midway", "malta", "savo-island", "coral-sea-operation"])
def test_a_notebook_shows_the_board_with_its_counters(name: str) -> None:
    for view in views(name, every=60):
        picture = ElementTree.fromstring(view._repr_svg_())
        titles = [title.text for title in picture.iter("{http://www.w3.org/2000/svg}title")]
        board = view.board
        for place in board.places:
            for stack in place.stacks:
                if stack.kind not in ("box", "lost"):
                    assert all(counter.sentence in titles for counter in stack.counters)


# --- the chart --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BATTLES)
def test_each_group_lies_in_the_sea_of_its_side_by_whether_it_is_in_action(name: str) -> None:
    for view in views(name):
        data = view.data
        mine = data["side"] if data["side"] in data["sides"] else next(iter(data["sides"]))
        seas = {berth.tray.subject: water.sea for water in sea_chart(view.board).waters for berth in water.berths}
        for group in data["groups"]:
            whose = "ours" if group["side"] == mine else "theirs"
            expected = whose if group["status"] == "active" else f"{whose}-far"
            assert seas[f"group:{group['side']}:{group['number']}"] == expected


@pytest.mark.parametrize("name", BATTLES)
def test_trays_of_a_sea_do_not_lie_upon_each_other(name: str) -> None:
    for view in views(name):
        for water in sea_chart(view.board).waters:
            ends = dict[int, int]()
            for berth in water.berths:
                assert ends.get(berth.row, 0) < berth.column
                ends[berth.row] = berth.column + berth.span - 1
                assert ends[berth.row] <= COLUMNS


def test_a_strike_is_drawn_from_where_it_comes_to_its_target() -> None:
    strikes = 0
    for game in moments("midway", seed=7, every=1, longest=120):
        view = game.view("japan")
        strike = view.data.get("strike")
        if strike and strike["attackers"]:
            (flight,) = sea_chart(view.board).flights
            assert str(strike["target"]) in flight.words
            number = sum(one["count"] for one in strike["attackers"])
            assert sum(one.count for one in view.board.vectors[0].counters) == number
            assert flight.down == (strike["side"] != "japan")
            strikes += 1
    assert strikes > 5


def test_of_a_hidden_group_the_chart_shows_its_number_and_nothing_else() -> None:
    hidden = 0
    for view in views("midway"):
        data = view.data
        if data["side"] == UMPIRE:
            continue
        found = {tray.subject: tray for tray in trays(view.board)}
        for group in data["groups"]:
            if "name" not in group and "ships" not in group and not group["told"]:
                tray = found[f"group:{group['side']}:{group['number']}"]
                assert (tray.title, tray.back, tray.counters, tray.notes) == ("Hidden", str(group["number"]), (), ())
                hidden += 1
    assert hidden > 20


def board(*groups: GroupView) -> Board:
    return board_of(looks.position(battle=looks.battle(*groups)))


def test_what_is_known_shows_on_the_tray_of_a_group() -> None:
    seen = looks.group(
        number=4,
        status="distant",
        results=2,
        attacks=1,
        own=looks.owned(cargo="a regiment"),
        ships=(looks.ship("Akagi", 3, 1, "akagi").but(damaged=True), looks.ship("2 Japanese cruisers", 0)),
    )
    tray = next(tray for tray in trays(board(seen)) if tray.number == "4")
    assert (tray.title, tray.when, tray.aside) == ("Striking Force", "round 4", "12 factors, fast")
    assert [(badge.text, badge.told) for badge in tray.badges] == [
        ("found 2×, attacked 1×", "found twice, attacked once")
    ]
    assert [note.told for note in tray.notes] == ["carries a regiment"]
    assert "Akagi" in tray.counters[0]
    assert "hurt" in tray.counters[0]
    words = "\n".join(board_in_words(board(seen)))
    assert "Akagi, 2 of 3 hits left, damaged; 2 cruisers; 12 factors, fast; carries a regiment" in words


def test_of_a_found_group_the_four_things_that_were_told_are_shown() -> None:
    told = Facts(small=True, carriers=1, slow=True, cargo=False)
    found = board(looks.group(side="blue", number=1, results=1, evaded=True, told=told))
    tray = next(tray for tray in trays(found) if tray.number == "1")
    assert [badge.told for badge in tray.badges] == ["found once", "evaded"]
    assert [note.told for note in tray.notes] == ["fewer than ten factors", "1 fast carrier", "slow, without cargo"]
    assert tray.back == "1"


def test_forces_of_the_enemy_that_wait_are_only_counted() -> None:
    waiting = [tray for tray in trays(board()) if tray.title == "Waiting"]
    assert [(tray.back, tray.counters, tray.notes) for tray in waiting] == [("2", (), ())]


# --- the other boards -------------------------------------------------------------------------------------------


def test_every_unit_of_line_of_battle_stands_on_the_board_once() -> None:
    for view in views("savo-island", every=3):
        counters = [counter for tray in trays(view.board) for counter in tray.counters]
        for unit in view.data["units"]:
            assert sum(f'data-counter="{unit["id"]}"' in counter for counter in counters) == 1


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_shows_as_many_spots_as_its_face(face: int) -> None:
    assert len(SPOTS[face]) == len(set(SPOTS[face])) == face
    assert die(face).count("<circle") == face
