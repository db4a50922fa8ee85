"""Counters: everything that is printed on one is also said, and nothing of it is colour alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

import flagplot
from flagplot.awaw.tables.nations import nations
from flagplot.board.model import Counter
from flagplot.draw.counters import INKS, Ask, counter_html, counter_svg, face_of
from flagplot.draw.nations import CODES, code_of
from flagplot.draw.symbols import SILHOUETTES, SYMBOLS, symbol_sheet
from flagplot.players import player
from flagplot.table.pages import STATIC, environment

HARUNA = Counter(
    text="Haruna (1 hit)", label="Haruna", silhouette="battleship", type="battleship", id="haruna", nation="japan",
    factors=3, size=3, hits=1,
)  # fmt: skip


def counters(name: str) -> Iterator[Counter]:
    """The counters of a game now and then, as each side sees them."""
    game = flagplot.load(name, seed=5)
    players = {side: player("random", 5) for side in game.sides}
    for stop in (0, 40, 90):
        game.play(players, until=stop)
        for side in game.sides:
            board = game.view(side).board
            yield from [one for place in board.places for stack in place.stacks for one in stack.counters]


def test_a_counter_says_what_it_shows() -> None:
    text = counter_html(face_of(HARUNA))
    assert 'aria-label="Haruna, battleship, 3 factors, 1 of 3 hits"' in text
    assert text.count("<i class=hit>") == 1
    assert text.count("<i></i>") == 2
    assert 'class="ctr jp hurt"' in text


def test_a_sunk_ship_has_all_boxes_hatched_and_says_that_it_is_sunk() -> None:
    text = counter_html(face_of(HARUNA, sunk=True))
    assert text.count("<i class=hit>") == 3
    assert "sunk" in re.findall('aria-label="([^"]*)"', text)[0]


def test_what_answers_a_question_is_a_button_of_its_form() -> None:
    text = counter_html(face_of(HARUNA), None, Ask("target:haruna", "asked-7", key="2", words="Attack Haruna"))
    assert text.startswith("<button ")
    for part in ('form="asked-7"', 'name="option"', 'value="target:haruna"', 'data-key="2"', "Attack Haruna"):
        assert part in text


def test_what_sets_a_field_of_the_plan_names_it_and_says_whether_it_is_chosen() -> None:
    ask = Ask("target:haruna", "plan", field="target", chosen=True)
    text = counter_html(face_of(HARUNA), None, ask)
    for part in ('form="plan"', 'name="pick.target"', 'data-field="target"', 'aria-pressed="true"', "ask on"):
        assert part in text


@pytest.mark.parametrize("name", ["midway", "malta-turn", "savo-island", "okinawa"])
def test_every_counter_of_a_game_is_drawn_without_what_a_strict_page_refuses(name: str) -> None:
    found = list(counters(name))
    assert found
    for one in found:
        face = face_of(one, nation="japan")
        text = counter_html(face)
        ElementTree.fromstring(f"<p>{text.replace('class=hit', '')}</p>")
        assert not re.search(r"style=|<script|onload", text)
        picture = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{counter_svg(face)}</svg>')
        assert picture.findtext(".//{*}title") == face.sentence
        assert face.name in "".join(picture.itertext())


def test_names_are_escaped() -> None:
    nasty = Counter(text='<b>"&', label='<b>"&', silhouette="cruiser", id='"x', nation="japan")
    ask = Ask('"><script>', "f", words="<i>")
    for text in (counter_html(face_of(nasty)), counter_html(face_of(nasty), None, ask), counter_svg(face_of(nasty))):
        assert not re.search('<b>"|"x"|<script|<i>', text)


def test_every_country_has_a_colour_and_a_sign_and_every_silhouette_a_shape() -> None:
    assert set(CODES) <= set(nations())
    for name in nations():
        assert f"m-{code_of(name)}" in SYMBOLS
        assert code_of(name) in INKS
    assert set(SILHOUETTES.values()) <= set(SYMBOLS)
    assert all(f'id="{key}"' in symbol_sheet() for key in SYMBOLS)


def test_signs_tell_nations_apart_without_their_colours() -> None:
    assert len({SYMBOLS[f"m-{code}"].path for code in INKS}) == len(INKS)


def test_no_print_on_a_counter_is_smaller_than_13_pixels() -> None:
    sheet = (STATIC / "board.css").read_text(encoding="utf8")
    assert all(float(size) >= 13 for size in re.findall(r"font(?:-size)?:[^;}]*?([\d.]+)px", sheet))
    assert all(float(size) >= 0.8125 for size in re.findall(r"font(?:-size)?:[^;}]*?([\d.]+)rem", sheet))


def test_templates_have_the_same_counter() -> None:
    macros = environment().get_template("counters.html").module
    assert str(macros.counter(HARUNA)) == counter_html(face_of(HARUNA))  # type: ignore[attr-defined]
    assert "aria-hidden" in str(macros.counter(HARUNA, kind="mini", silent=True))  # type: ignore[attr-defined]
