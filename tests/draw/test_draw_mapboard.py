"""Maps as SVG: all that is on the map is in the picture, in shapes and in words."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.reading import maps, read_map
from flagplot.draw.mapboard import DARK, LIGHT, Tint, board_svg

SVG = "{http://www.w3.org/2000/svg}"
ODD = 'Graf <b>&"Spee"</b>\x00'


@pytest.fixture(scope="module")
def board() -> Mapboard:
    return read_map("mediterranean")


def words(picture: str, tag: str = "text") -> list[str]:
    return [part.text or "" for part in ET.fromstring(picture).iter(f"{SVG}{tag}")]


@pytest.mark.parametrize("name", maps())
def test_every_hex_and_every_name_is_drawn(name: str) -> None:
    board = read_map(name)
    picture = board_svg(board)
    told = words(picture, "title")
    assert told[0] == board.title
    for at, kind in board.terrain.items():
        assert f"{board.name_of(at)}, {at[0]},{at[1]}: {kind.value}" in told
    drawn = " ".join(words(picture))
    for place in board.ports:
        assert board.names[place.at].split()[-1] in drawn
    for strait in board.sides:
        assert strait.name in told
    assert board.about in words(picture, "desc")[0]


def test_marks_and_paths_are_shapes_and_words(board: Mapboard) -> None:
    path = board.sea_path(board.find("naples"), board.find("taranto"))
    assert path is not None
    picture = board_svg(board, {board.find("malta"): "Force K"}, {"the raid": path})
    assert "Force K" in words(picture)
    assert "Force K, Malta" in words(picture, "title")
    way = "the raid: Naples to Taranto, 7 hexes, through the Strait of Messina"
    assert way in words(picture)
    assert way in words(picture, "title")
    text = words(picture, "desc")[0]
    assert way in text
    assert "Force K: Malta (2,2)" in text


def test_a_cropped_picture_shows_the_surroundings(board: Mapboard) -> None:
    marks = {board.find("malta"): "Force K"}
    small, whole = board_svg(board, marks, crop=True), board_svg(board, marks)
    assert len(small) < len(whole) / 5
    assert "Gibraltar" not in words(small)
    assert "Palermo" in words(small)
    assert words(board_svg(board, crop=True), "title") == words(board_svg(board), "title")


def test_any_text_is_fit_for_xml(board: Mapboard) -> None:
    path = [board.find("malta")]
    picture = board_svg(board, {path[0]: ODD}, {ODD: path, "nowhere": []})
    assert ODD.replace("\x00", "\ufffd") in words(picture)
    assert "nowhere: no path" in words(picture)


def test_a_long_mark_is_cut_on_the_map_and_whole_in_words(board: Mapboard) -> None:
    long = "the Combined Striking Force of the Eastern Mediterranean"
    picture = board_svg(board, {board.find("malta"): long, (99, 99): "off the map"})
    assert f"{long[:25]}…" in words(picture)
    assert f"{long}, Malta" in words(picture, "title")
    assert "off the map" not in words(picture)


def test_light_and_dark(board: Mapboard) -> None:
    auto, light, dark = board_svg(board), board_svg(board, theme="light"), board_svg(board, theme="dark")
    assert "prefers-color-scheme:dark" in auto
    assert "<style>" not in light
    assert DARK["sea"] in auto
    assert DARK["sea"] not in light
    assert LIGHT["sea"] not in dark


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize(
    ("front", "back", "least"),
    [
        ("ink", "sea", 4.5),
        ("ink", "land", 4.5),
        ("ink", "flag", 4.5),
        ("faint", "paper", 4.5),
        ("path", "sea", 3.0),
        ("path", "land", 3.0),
        ("strait", "sea", 3.0),
        ("strait", "land", 3.0),
    ],
)
def test_colours_differ_enough_for_every_kind_of_eyes(
    palette: dict[Tint, str], front: Tint, back: Tint, least: float
) -> None:
    assert contrast(palette[front], palette[back]) >= least


def test_land_is_darker_than_sea_on_light_and_lighter_on_dark() -> None:
    assert luminance(LIGHT["land"]) < luminance(LIGHT["sea"]) * 0.8
    assert luminance(DARK["land"]) > luminance(DARK["sea"]) * 1.5
