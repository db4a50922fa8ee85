"""Maps as pictures: closed coasts, names that never meet, icons, counters; all of it in words too."""

from __future__ import annotations

import gzip
import io
import xml.etree.ElementTree as ET
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

import flagplot
from flagplot.awaw.mapboard.board import Mapboard, Terrain
from flagplot.awaw.mapboard.hexes import middle
from flagplot.awaw.mapboard.reading import maps, read_map
from flagplot.board.model import MapAnswer, MapBase, MapCounter, MapItem, SeaMap
from flagplot.board.model import Path as Way
from flagplot.draw.map.coasts import Loop, Point, coastlines
from flagplot.draw.map.ground import LEVELS, NAME, UNIT, names_of, sheet_of, spots_of, taken_by, written_ground
from flagplot.draw.map.page import answer_layers, ground_layers, moving_layers, places_in_words
from flagplot.draw.map.picture import bare, game_picture, map_picture, words_of
from flagplot.draw.map.png import outlines
from flagplot.draw.map.standing import piles_of
from flagplot.draw.map.style import COLOURS, DARK, LIGHT, page_sheet
from flagplot.draw.symbols import SYMBOLS
from flagplot.kernel.errors import BadValue

SVG = "{http://www.w3.org/2000/svg}"
ODD = 'Graf <b>&"Spee"</b>\x00'
SMALL = """
~ ~ ~ ~ ~ ~
 ~ ~ ~ ~ ~ ~
~ ~ + + ~ ~
 ~ + # + ~ ~
~ ~ + + ~ ~
 ~ ~ ~ ~ ~ o
~ ~ ~ ~ ~ ~
"""


def drawn(drawing: str, **more: object) -> Mapboard:
    data = {"title": "A map", "about": "A map.", "theatre": "europe", "drawing": drawing}
    return read_map({**data, **more})


@pytest.fixture(scope="module")
def board() -> Mapboard:
    return read_map("mediterranean")


def words(picture: str, tag: str = "text") -> list[str]:
    return [part.text or "" for part in ET.fromstring(picture).iter(f"{SVG}{tag}")]


def force(at: tuple[int, int], label: str, nation: str = "britain", **more: object) -> MapItem:
    counter = MapCounter(nation, "cruiser", "4", label, **more)  # type: ignore[arg-type]
    return MapItem(at, "allies", label, label, "", (counter,))


def sea(*items: MapItem, paths: tuple[Way, ...] = (), bases: tuple[MapBase, ...] = ()) -> SeaMap:
    return SeaMap(items, paths, (), (), {"allies": "Allies", "axis": "Axis"}, bases)


# --- coasts -----------------------------------------------------------------------------------------------------


def inside(point: Point, loop: Loop) -> bool:
    x, y = point
    found = False
    for (x0, y0), (x1, y1) in zip(loop, [*loop[1:], loop[0]], strict=True):
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            found = not found
    return found


def is_dry(board: Mapboard, at: tuple[int, int]) -> bool:
    return sum(inside(middle(at), loop) for loop in coastlines(board)) % 2 == 1


def crosses(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    def turn(a: Point, b: Point, c: Point) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    (a, b), (c, d) = one, other
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def sides(loop: Loop) -> list[tuple[Point, Point]]:
    return list(zip(loop, [*loop[1:], loop[0]], strict=True))


def test_an_island_has_one_coast_that_does_not_cross_itself_and_an_islet_another() -> None:
    loops = coastlines(drawn(SMALL))
    assert len(loops) == 2
    for loop in loops:
        assert len(loop) > 5
        assert not any(crosses(one, other) for one, other in combinations(sides(loop), 2))


@pytest.mark.parametrize("name", maps())
def test_land_lies_inside_of_the_coasts_and_sea_outside(name: str) -> None:
    board = read_map(name)
    wrong = [at for at, kind in board.terrain.items() if kind in (Terrain.SEA, Terrain.LAND)]
    wrong = [at for at in wrong if is_dry(board, at) != (board.terrain[at] is Terrain.LAND)]
    assert not wrong
    assert all(is_dry(board, at) for at, kind in board.terrain.items() if kind is Terrain.ISLAND)


def test_two_shores_with_water_between_them_are_apart_and_a_barred_side_joins_them() -> None:
    rows = "~ ~ ~ ~ ~ ~\n # + ~ + # ~\n~ ~ ~ ~ ~ ~\n"
    assert len(coastlines(drawn(rows))) >= 2
    neck = "~ ~ ~ ~ ~ ~\n ~ + + ~ ~ ~\n~ ~ ~ ~ ~ ~\n"
    joined = coastlines(drawn(neck))
    strait = coastlines(drawn(neck, straits=[{"name": "the Narrows", "between": [[1, 1], [2, 1]]}]))
    assert len(joined) + 1 == len(strait) == 2


def test_land_goes_on_beyond_the_edge_of_the_map() -> None:
    board = drawn("# # # #\n # + + #\n~ ~ ~ ~\n ~ ~ ~ ~\n")
    points = [y for loop in coastlines(board) for _, y in loop]
    assert min(points) < -3  # far above the first row


def test_the_same_map_has_the_same_coasts() -> None:
    assert coastlines(drawn(SMALL)) == coastlines(drawn(SMALL, title="Another"))


# --- names ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", maps())
def test_no_name_meets_another_or_an_icon_at_any_size(name: str) -> None:
    board = read_map(name)
    sheet = sheet_of(board)
    for size in LEVELS:
        placed = names_of(sheet, (), size)
        for one, other in combinations(placed, 2):
            assert not one.box.meets(other.box), (size, one.lines, other.lines)
        icons = [taken_by(sheet, spot, size) for spot in spots_of(board, ()) if not spot.water]
        assert not any(one.box.meets(icon) for one in placed for icon in icons)
        assert all(one.size * size / UNIT > NAME - 0.01 > 11 for one in placed)


@pytest.mark.parametrize("name", maps())
def test_every_place_has_its_name_on_a_large_map_and_weighty_ones_on_a_small_one(name: str) -> None:
    board = read_map(name)
    sheet = sheet_of(board)
    shown = [len([one for one in names_of(sheet, (), size) if one.kind != "sea"]) for size in LEVELS]
    assert shown[-1] == len({place.at for place in board.places}) + len(board.boxes)
    assert 3 < shown[0] <= shown[-1]


@pytest.mark.parametrize("name", maps())
def test_seas_are_named_where_they_are_sea_and_no_place_loses_its_name_for_them(name: str) -> None:
    board = read_map(name)
    sheet = sheet_of(board)
    largest = [one for one in names_of(sheet, (), LEVELS[-1]) if one.kind == "sea"]
    assert largest, "every map that comes with the program has a sea with a name"
    for one in largest:
        middles = {at: sheet.centre(at) for at in board.terrain}
        nearest = min(middles, key=lambda at: abs(middles[at][0] - one.x) + abs(middles[at][1] - one.y))
        assert not board.is_land(nearest), one.lines


def test_names_of_bases_come_first_where_there_is_no_room_for_all(board: Mapboard) -> None:
    sheet = sheet_of(board)
    base = MapBase(board.find("derna"), "Derna", "axis", ("airbase",))
    assert "Derna" not in [" ".join(name.lines) for name in names_of(sheet, (), 9)]
    assert "Derna" in [" ".join(name.lines) for name in names_of(sheet, (base,), 9)]


@pytest.mark.parametrize("size", LEVELS)
def test_what_lies_beyond_the_edge_is_named_there_with_an_arrow(size: int) -> None:
    board = read_map("hawaii")
    placed = {" ".join(name.lines): name for name in names_of(sheet_of(board), (), size)}
    assert placed["◂ Japan box"].box.left < 2 * UNIT
    assert placed["U.S. box ▸"].box.right > sheet_of(board).size[0] - 2 * UNIT


def test_icons_say_what_there_is(board: Mapboard) -> None:
    malta = board.find("malta")
    bases = (MapBase(malta, "Malta", "allies", ("port", "airbase", "fortress")),)
    plain, base = ("".join(written_ground(sheet_of(board), some, 49)) for some in ((), bases))
    assert plain.count("#i-anchor") == len({port.at for port in board.ports}) == base.count("#i-anchor")
    assert plain.count("#i-run") == 0
    assert base.count("#i-run") == 1
    assert base.count("<path") == plain.count("<path") + 2  # the wall of a fortress around both of its icons


# --- counters ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scenario", "side", "chart"),
    [("coral-sea-operation", "japan", "coral-sea"), ("malta-turn", "axis", "mediterranean")],
)
def test_counters_stand_clear_of_names_icons_and_each_other_at_every_size(scenario: str, side: str, chart: str) -> None:
    position = flagplot.load(scenario, seed=7).view(side).board.sea
    sheet = sheet_of(read_map(chart))
    for size in LEVELS:
        piles = piles_of(sheet, position.bases, position.items, size)
        names = [name.box for name in names_of(sheet, position.bases, size)]
        assert not any(pile.box.meets(box) for pile in piles for box in names), size
        assert not any(one.box.meets(other.box) for one, other in combinations(piles, 2)), size
        if size >= 25:
            assert sum(len(pile.counters) for pile in piles) == sum(len(item.counters) for item in position.items)


def test_a_beach_stands_where_the_readers_own_orders_land_troops() -> None:
    game, board = flagplot.load("coral-sea-operation", seed=7), read_map("coral-sea")
    drawn = {}
    for side in game.sides:
        sea = game.view(side).board.sea
        drawn[side] = "".join(written_ground(sheet_of(board), sea.bases, 49))
        beaches = [base.name for base in sea.bases if "beach" in base.has]
        assert beaches == (["Port Moresby"] if side == "japan" else [])
        assert ("Landing beaches: Port Moresby" in words_of(board, sea)) == bool(beaches)
    assert drawn["japan"].count("#i-beach") == 1
    assert "#i-beach" not in drawn["allies"]


def test_small_maps_show_one_counter_for_each_nation_in_a_hex(board: Mapboard) -> None:
    malta = board.find("malta")
    items = (force(malta, "TF 1"), force(malta, "TF 2"), force(malta, "TF 3", "australia"))
    shown = {size: sum(len(pile.counters) for pile in piles_of(sheet_of(board), (), items, size)) for size in LEVELS}
    assert shown[9] == shown[18] == 2
    assert shown[25] == shown[96] == 3


def test_what_a_marker_hides_is_not_in_the_picture(board: Mapboard) -> None:
    hidden = MapItem((0, 0), "axis", "TF 1", "TF 1", "", (MapCounter("italy", None, "", "TF 1", hidden=True),))
    picture = map_picture(board, sea(hidden)).svg()
    assert 'class="m-hatch"' in picture
    assert not [key for key in ("#cv", "#bb", "#ca", "#dd") if f'href="{key}"' in picture]


# --- files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", maps())
def test_every_map_is_drawn_with_its_names_and_told_in_words(name: str) -> None:
    board = read_map(name)
    picture = map_picture(board).svg()
    assert words(picture, "title")[0] == board.title
    text = words(picture, "desc")[0]
    assert board.about in text
    assert all(port.name in text for port in board.ports)
    assert all(box.name in text for box in board.boxes)
    shown = " ".join(words(picture))
    assert sum(port.name.split()[-1] in shown for port in board.ports) > len(board.ports) * 0.9


def test_counters_and_paths_are_shapes_and_words(board: Mapboard) -> None:
    path = board.sea_path(board.find("naples"), board.find("taranto"))
    assert path is not None
    position = sea(force(board.find("malta"), "Force K"), paths=(Way("the raid", path, "axis", "italy"),))
    picture = map_picture(board, position, crop=True).svg()
    assert "Force K" in words(picture)
    way = "the raid: Naples to Taranto, 7 hexes, through the Strait of Messina"
    assert way in words(picture)
    assert way in words(picture, "title")
    assert way in words(picture, "desc")[0]
    assert "Force K (Allies): Malta (2,2)." in words(picture, "desc")[0]


def test_a_cropped_picture_shows_the_surroundings(board: Mapboard) -> None:
    position = sea(force(board.find("malta"), "Force K"))
    small, whole = map_picture(board, position, crop=True).svg(), map_picture(board, position).svg()
    assert len(small) < len(whole) / 2
    assert "Gibraltar" not in words(small)
    assert "Palermo" in words(small)


def test_any_text_is_fit_for_xml(board: Mapboard) -> None:
    malta = board.find("malta")
    picture = map_picture(
        board, sea(force(malta, ODD), force((99, 99), "off the map"), paths=(Way(ODD, (malta,), ""),))
    )
    ET.fromstring(picture.svg())
    assert ODD.replace("\x00", "\ufffd") in words(picture.svg(), "desc")[0]
    assert "off the map" not in words(picture.svg())


def test_light_and_dark(board: Mapboard) -> None:
    picture = map_picture(board)
    auto, light, dark = picture.svg(), picture.svg("light"), picture.svg("dark")
    assert "prefers-color-scheme:dark" in auto
    assert LIGHT["sea"] in auto
    assert DARK["sea"] in auto
    assert DARK["sea"] not in light
    assert LIGHT["sea"] not in dark
    assert "var(" not in auto


def test_a_png_has_land_sea_and_counters(board: Mapboard) -> None:
    picture = map_picture(board, sea(force(board.find("malta"), "Force K")))
    with Image.open(io.BytesIO(picture.png(1))) as image:
        colours = {"#" + bytes(image.getpixel((x, y))).hex() for x in range(image.width) for y in range(image.height)}  # type: ignore[arg-type]
        wide = image.width
    assert {LIGHT["sea"], LIGHT["land"], LIGHT["coast"], LIGHT["uk"]} <= colours
    assert wide == pytest.approx(picture.sheet.across * picture.dots, abs=1)


@pytest.mark.parametrize("key", SYMBOLS)
def test_symbols_are_read_as_outlines_within_their_box(key: str) -> None:
    symbol = SYMBOLS[key]
    lines = list(outlines(symbol.path))
    assert len(lines) == symbol.path.upper().count("Z")
    for x, y in [point for line in lines for point in line]:
        assert -0.5 <= x <= symbol.width + 0.5
        assert -0.5 <= y <= symbol.height + 0.5


def test_the_page_has_the_same_looks_as_the_files() -> None:
    static = Path(flagplot.__file__).parent / "table" / "static"
    assert (static / "map-drawing.css").read_text(encoding="utf8") == page_sheet()
    palette = (static / "palette.css").read_text(encoding="utf8")
    for scheme in COLOURS.values():
        assert [name for name, value in scheme.items() if f"--{name}: {value};" not in palette] == []


# --- colours ----------------------------------------------------------------------------------------------------


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
        ("place", "sea", 4.5),
        ("place", "land", 4.5),
        ("place", "halo", 4.5),
        ("water", "sea", 4.5),
        ("coast", "sea", 3.0),
        ("act", "sea", 3.0),
        ("act", "land", 3.0),
        ("hit", "sea", 3.0),
    ],
)
def test_colours_differ_enough_for_every_kind_of_eyes(
    palette: dict[str, str], front: str, back: str, least: float
) -> None:
    assert contrast(palette[front], palette[back]) >= least


def test_the_map_of_a_game_is_shown_in_a_notebook_as_a_side_knows_it() -> None:
    game = flagplot.load("coral-sea-operation", seed=7)
    shown = {side: game_picture(game, side)._repr_svg_() for side in ("japan", "allies", "umpire")}
    assert 'href="#cv"' in shown["japan"]
    assert len(set(shown.values())) == 3
    assert "Lexington" not in shown["umpire"]  # a map shows forces, not ships
    with pytest.raises(BadValue, match="this game has no map"):
        game_picture(flagplot.load("midway", seed=7), "japan")


def test_bare_maps_have_nothing_on_them() -> None:
    assert bare() == SeaMap((), (), (), (), {})


# --- on a page --------------------------------------------------------------------------------------------------


def test_layers_for_a_page_have_no_style_of_their_own_and_what_moves_is_light() -> None:
    game = flagplot.load("coral-sea-operation", seed=7)
    board = read_map("coral-sea")
    for side in game.sides:
        position = game.view(side).board.sea
        ground, moving = ground_layers(board, position.bases), moving_layers(board, position)
        for picture in (f"<g>{ground}</g>", f"<g>{moving}</g>"):
            assert " style=" not in picture
            assert "<style" not in picture
            ET.fromstring(picture)
        assert len(gzip.compress(moving.encode())) < 8_000
        assert ground.count("<svg") == moving.count("<svg") == 2
        assert all(f'class="lv lv{number}"' in ground and f'class="lv lv{number}"' in moving for number in range(8))


def test_what_can_be_chosen_is_a_button_with_its_path() -> None:
    board = read_map("coral-sea")
    truk, sea_ = board.find("truk"), board.find("coral-sea")
    path = board.sea_path(truk, sea_)
    assert path is not None
    stay = MapAnswer("order:x:stay", truk, "Stay", key="1")
    go = MapAnswer("order:x:0", sea_, "Patrol <the> sea", path=path, key="2", field="order:x", chosen=True)
    picture = answer_layers(board, [stay, go], "asked-7", "japan", {"order:x:0": "Patrol <the> sea, 11 hexes"})
    assert picture.count("<button") == 2
    assert 'name="option" value="order:x:stay"' in picture
    assert 'data-field="order:x"' in picture
    assert 'aria-label="Patrol &lt;the&gt; sea, 11 hexes"' in picture
    assert picture.count('class="m-way on"') == 1
    assert f'data-hexes="{truk[0]},{truk[1]} ' in picture
    assert answer_layers(board, [], "asked-7", "japan", {}) == ""


def test_the_list_of_places_says_what_is_there() -> None:
    game = flagplot.load("coral-sea-operation", seed=7)
    board = read_map("coral-sea")
    listed = {name: what for _, name, what in places_in_words(game.view("japan").board.sea, board)}
    assert listed["Truk (port)"] == "TF 1, 1 submarine (Japan)"
    assert any(name.startswith("Brisbane") for name in listed)
