"""The position of any game as cards: made from a view alone, told in words as well, and safe to put into a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

import flagplot
from flagplot.awaw.board.boards import board_of
from flagplot.awaw.state.battle import Facts
from flagplot.awaw.views.battle import GroupView
from flagplot.draw.cards import LIGHT, SIDES, Card, Layout, Row, Tint
from flagplot.draw.dice import SPOTS, die
from flagplot.draw.layout import laid_out
from flagplot.draw.sea_map import map_in_words, sea_map
from flagplot.kernel.game import Game
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.kernel.views import View
from flagplot.players import player
from tests.awaw import looks

BATTLES = ("midway", "okinawa", "surigao-strait", "denmark-strait", "coral-sea")
GAMES = (*BATTLES, "malta", "coral-sea-operation", "malta-convoy", "force-z", "savo-island")
SVG = "{http://www.w3.org/2000/svg}"


def moments(name: str, seed: int = 5, every: int = 9, longest: int = 160) -> Iterator[Game[Any]]:
    """A game between players at random, now and then."""
    game = flagplot.load(name, seed=seed)
    players = {side: player("random", seed) for side in game.sides}
    for stop in range(0, longest, every):
        game.play(players, until=stop)
        yield game
        if game.pending is None:
            return


def views(name: str, every: int = 9) -> Iterator[View]:
    for game in moments(name, every=every):
        for reader in (*game.sides, NEUTRAL, UMPIRE):
            yield game.view(reader)


def drawn(view: View) -> Layout:
    return laid_out(view.board)


# --- any game ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_position_of_every_reader_is_drawn_as_well_formed_pictures(name: str) -> None:
    for view in views(name):
        board = drawn(view)
        for band in board.bands:
            for card in band.cards:
                picture = ElementTree.fromstring(card.svg())
                assert picture.get("role") == "img"
                assert picture.findtext("{*}title") == card.name


@pytest.mark.parametrize("name", GAMES)
def test_cards_have_no_styles_scripts_or_ids_which_a_strict_page_would_refuse(name: str) -> None:
    for view in views(name, every=40):
        for band in drawn(view).bands:
            for card in band.cards:
                text = card.svg()
                assert not any(word in text for word in ("style=", "<style", "<script", ' id="', "href", "onload"))


def test_texts_are_escaped() -> None:
    name = '<script>"&\x00'
    card = Card(name, "<b>", "plain", 0, [Row(name, "eye")], about=name)
    picture = ElementTree.fromstring(card.svg())
    assert "<script>" in "".join(picture.itertext())
    assert "<script>" not in card.svg()


@pytest.mark.parametrize("name", ["midway", "okinawa", "surigao-strait", "coral-sea-operation"])
def test_all_ships_of_a_view_are_told_in_words(name: str) -> None:
    """The words of a board name each ship that the view names, with its hits, and each group's name."""
    ships = 0
    for view in views(name):
        words, data = "\n".join(drawn(view).told), view.data
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


def test_the_words_of_a_card_and_the_words_in_its_picture_agree() -> None:
    """What is drawn in letters is also told, so that nobody is shown more than others hear."""
    for view in views("midway", every=25):
        for band in drawn(view).bands:
            for card in band.cards:
                picture = ElementTree.fromstring(card.svg())
                letters = "".join("".join(text.itertext()) for text in picture.iter(f"{SVG}text")).replace(" ", "")
                for row in card.rows:
                    assert row.text.replace(" ", "") in letters
                    numbers = [word for word in row.told.replace(",", " ").split() if word.isdigit()]
                    assert row.pips or all(number in letters for number in numbers)


# --- the chart --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BATTLES)
def test_each_side_has_six_places_and_each_group_stands_in_its_own(name: str) -> None:
    for view in views(name):
        board, data = drawn(view), view.data
        places = [band for band in board.bands if band.kind == "places"]
        assert len(places) == 2
        for number, (side, band) in enumerate(zip(data["sides"], places, strict=True)):
            assert len(band.cards) == 6
            assert band.side == number
            groups = {group["number"]: group for group in data["groups"] if group["side"] == side}
            for place, card in enumerate(band.cards, start=1):
                assert (card.tone == "empty") == (place not in groups)
                if place in groups:
                    assert card.title == f"CG {place}"
                    assert card.mark == groups[place]["status"]


def test_of_a_hidden_group_the_chart_shows_its_number_and_nothing_else() -> None:
    hidden = 0
    for view in views("midway"):
        data = view.data
        if data["side"] == UMPIRE:
            continue
        board = drawn(view)
        cards = {card.key: card for band in board.bands for card in band.cards if card.key}
        for group in data["groups"]:
            if "name" not in group and "ships" not in group and not group["told"]:
                card = cards[f"group:{group['side']}:{group['number']}"]
                assert card.tone == "hidden"
                assert [row.text for row in card.rows if row.glyph is None] == ["hidden", "nothing is known of it"]
                hidden += 1
    assert hidden > 20


def chart(*groups: GroupView) -> Layout:
    return laid_out(board_of(looks.position(battle=looks.battle(*groups))))


def test_what_is_known_shows_in_the_card_of_a_group() -> None:
    seen = looks.group(
        number=4,
        status="distant",
        results=2,
        attacks=1,
        own=looks.owned(cargo="a regiment"),
        ships=(looks.ship("Akagi", 3, 1, "akagi").but(damaged=True), looks.ship("2 Japanese cruisers", 0)),
    )
    card = chart(seen).bands[0].cards[3]
    assert card.tone == "distant"
    assert card.told == [
        "the Striking Force",
        "found twice, 1 used",
        "Akagi, 2 of 3 hits left, damaged",
        "2 cruisers",
        "12 factors, fast",
        "carries a regiment",
    ]
    assert (3, 1) in [row.pips for row in card.rows]


def test_of_a_found_group_the_four_things_that_were_told_are_shown() -> None:
    told = Facts(small=True, carriers=1, slow=True, cargo=False)
    card = chart(looks.group(side="blue", number=1, results=1, evaded=True, told=told)).bands[1].cards[0]
    assert card.told == [
        "found once",
        "evaded",
        "fewer than ten factors",
        "1 fast carrier",
        "slow, without cargo",
    ]


def test_forces_of_the_enemy_that_wait_are_only_counted() -> None:
    cards = [card for band in chart().bands for card in band.cards if card.title == "Waiting"]
    assert [(card.tone, card.told, card.side) for card in cards] == [("hidden", ["2 more pending"], 1)]


# --- the other boards -------------------------------------------------------------------------------------------


def test_every_unit_of_line_of_battle_stands_on_the_board_once() -> None:
    for view in views("savo-island", every=3):
        cards, data = [card for band in drawn(view).bands for card in band.cards if card.tone != "empty"], view.data
        assert sorted(card.title for card in cards) == sorted(unit["name"] for unit in data["units"])


def test_the_map_of_an_operation_has_no_style_of_its_own_and_shows_the_view() -> None:
    for game in moments("coral-sea-operation", every=15, longest=60):
        for side in game.sides:
            sea = game.view(side).board.sea
            picture = sea_map(sea, game.scenario["map"])
            assert " style=" not in picture
            assert "<style" not in picture
            ElementTree.fromstring(picture)
            assert map_in_words(sea, game.scenario["map"])


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_shows_as_many_spots_as_its_face(face: int) -> None:
    assert len(SPOTS[face]) == len(set(SPOTS[face])) == face
    assert die(face).count("<circle") == face


# --- colours ----------------------------------------------------------------------------------------------------


def _light(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((_light(one), _light(other)))
    return (bright + 0.05) / (dark + 0.05)


TEXTS: list[tuple[Tint, Tint]] = [
    *[(ink, ground) for ink in ("ink", "faint", "one", "two", "none", "hit") for ground in ("paper",)],
    ("ink", "board"),
    ("faint", "board"),
    *[("on", side) for side in (*SIDES, "none")],
]


@pytest.mark.parametrize(("ink", "ground"), TEXTS)
def test_words_on_cards_have_enough_contrast(ink: Tint, ground: Tint) -> None:
    assert contrast(LIGHT[ink], LIGHT[ground]) >= 4.5


@pytest.mark.parametrize("tint", ["whole", "edge"])
def test_shapes_on_cards_have_enough_contrast(tint: Tint) -> None:
    for ground in ("paper", "board"):
        assert contrast(LIGHT[tint], LIGHT[ground]) >= 3
