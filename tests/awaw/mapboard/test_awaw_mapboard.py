"""Maps: reading them, ways by sea, straits and barred hexsides, words for hexes, and drawings in text."""

from __future__ import annotations

import json
from itertools import pairwise, permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flagplot import library
from flagplot.awaw.mapboard.board import Label, Mapboard, Strait, Terrain
from flagplot.awaw.mapboard.drawing import draw_board
from flagplot.awaw.mapboard.hexes import DIRECTIONS, Hex, distance, neighbours, read_hex, steps
from flagplot.awaw.mapboard.reading import MapError, maps, read_map
from flagplot.kernel.errors import Fault, ScenarioError, UnknownName
from flagplot.kernel.plain_data import canonical, copy_of, from_plain

MAPS = maps()
SMALL = {
    "title": "Two seas",
    "about": "A neck of land with a channel through it.",
    "theatre": "europe",
    "origin": "west",
    "drawing": """
W ~ + ~ ~
 ~ ~ + ~ E
~ ~ I # ~
 ~ ~ # ~ ~
""",
    "places": [
        {"key": "W", "id": "west", "name": "Westhaven", "terrain": "coast", "port": True},
        {"key": "E", "id": "east", "name": "Eastport", "terrain": "island", "port": True},
        {"key": "I", "id": "inlet", "name": "the Inlet", "terrain": "coast"},
        {"at": [0, 0], "id": "cape", "name": "the Cape"},
    ],
    "straits": [{"name": "the Channel", "between": [[2, 0], [3, 0]]}],
    "barred": [[[2, 1], [3, 0]], [[2, 1], [3, 1]], [[2, 0], [2, 1]]],
}


def small(**changes: Any) -> Mapboard:
    return read_map({**SMALL, **changes})


def faults(**changes: Any) -> list[str]:
    with pytest.raises(MapError) as caught:
        small(**changes)
    return [str(fault) for fault in caught.value.faults]


# --- hexes ------------------------------------------------------------------------------------------------------


hexes = st.tuples(st.integers(-20, 20), st.integers(-20, 20))


@given(hexes)
def test_neighbours_are_the_hexes_at_distance_one_clockwise(at: Hex) -> None:
    around = neighbours(at)
    near = product(range(at[0] - 2, at[0] + 3), range(at[1] - 2, at[1] + 3))
    assert set(around) == {other for other in near if distance(at, other) == 1}
    assert all(distance(one, other) == 1 for one, other in pairwise([*around, around[0]]))
    assert around == tuple((at[0] + q, at[1] + r) for _, (q, r) in DIRECTIONS)


@given(hexes, hexes)
def test_steps_lead_from_hex_to_hex_by_the_shortest_way(start: Hex, end: Hex) -> None:
    ways, way = dict(DIRECTIONS), steps(start, end)
    assert sum(count for count, _ in way) == distance(start, end)
    q = start[0] + sum(count * ways[name][0] for count, name in way)
    r = start[1] + sum(count * ways[name][1] for count, name in way)
    assert (q, r) == end


def test_a_hex_is_read_from_its_coordinates() -> None:
    assert read_hex("3,-1") == read_hex(" (3, -1) ") == read_hex("[3 -1]") == (3, -1)
    assert read_hex("3") is None
    assert read_hex("malta") is None
    assert read_hex("1,2,3") is None


def test_there_are_as_many_hexes_within_a_distance_as_rings_hold() -> None:
    away = [distance((4, -7), other) for other in product(range(10), range(-13, 0))]
    assert [sum(number <= most for number in away) for most in range(4)] == [1, 7, 19, 37]


# --- a small map ------------------------------------------------------------------------------------------------


def test_what_is_drawn_is_what_is_there() -> None:
    board = small()
    assert board.terrain[0, 0] is Terrain.COAST
    assert board.terrain[4, 1] is Terrain.ISLAND
    assert board.terrain[1, 2] is Terrain.COAST
    assert board.terrain[2, 2] is Terrain.LAND
    assert board.terrain[1, 1] is Terrain.SEA
    assert len(board.terrain) == 20
    assert (5, 0) not in board
    assert not board.is_water((2, 2))
    assert not board.is_water((9, 9))
    assert board.is_water((4, 1))
    assert board.is_land((4, 1))
    assert not board.is_land((9, 9))
    assert board.is_edge((0, 1))
    assert not board.is_edge((1, 1))


def test_the_origin_moves_coordinates_and_nothing_else() -> None:
    here, there = small(), small(origin=[2, 3], straits=[], barred=[], places=SMALL["places"][:3])
    (one, other) = (board.labels["west"] for board in (here, there))
    assert other == (-1, -3)
    moved = {(q + other[0] - one[0], r + other[1] - one[1]): kind for (q, r), kind in here.terrain.items()}
    assert moved == there.terrain


def test_no_ship_crosses_land_or_a_barred_hexside() -> None:
    board = small(straits=[])
    assert (3, 0) in board.sea_neighbours((2, 0))
    assert board.sea_neighbours((2, 1)) == ((1, 2), (1, 1))
    assert board.sea_neighbours((2, 2)) == ()
    assert board.sea_distance((2, 1), (3, 1)) == 4
    assert board.is_sea_path([(2, 0), (3, 0), (3, 1)])
    assert not board.is_sea_path([(2, 1), (3, 1)])
    assert not board.is_sea_path([(1, 0), (3, 0)])
    assert not board.is_sea_path([(1, 2), (2, 2)])
    assert small(barred=[]).sea_distance((2, 1), (3, 1)) == 1


@pytest.mark.rule("22.13A")
def test_a_strait_divides_a_path() -> None:
    board = small()
    path = board.sea_path((0, 0), (4, 1))
    assert path == ((0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (4, 1))
    assert board.strait_between((3, 0), (2, 0)) == "the Channel"
    assert board.strait_between((3, 0), (3, 1)) == ""
    assert board.straits_along(path) == ("the Channel",)
    assert board.legs(path) == ((0, 2), (3, 5))
    assert board.legs(path[:3]) == ((0, 2),)
    assert board.legs(path[2:4]) == ((0, 0), (1, 1))
    assert board.legs(()) == ()


@pytest.mark.rule("22.13A")
def test_a_path_that_passes_a_strait_twice_has_three_parts() -> None:
    there_and_back = ((2, 0), (3, 0), (4, 0), (3, 0), (2, 0))
    assert small().legs(there_and_back) == ((0, 0), (1, 3), (4, 4))


def test_a_closed_strait_lets_nobody_through() -> None:
    board = small()
    assert board.sea_distance((0, 0), (4, 1)) == 5
    assert board.sea_distance((0, 0), (4, 1), closed=["the Channel"]) is None
    assert board.sea_path((0, 0), (4, 1), closed=["the Channel"]) is None
    assert board.sea_distance((0, 0), (2, 1), closed=["the Channel"]) == 3
    assert not board.is_sea_path(((2, 0), (3, 0)), closed=["the Channel"])


def test_a_way_through_other_hexes_is_longer() -> None:
    board = small()
    path = board.sea_path((0, 0), (2, 0), via=((0, 2), (1, 1)))
    assert path is not None
    assert path[0] == (0, 0)
    assert path[-1] == (2, 0)
    assert path.index((0, 2)) < path.index((1, 1))
    assert board.is_sea_path(path)
    assert len(path) - 1 == 2 + 1 + 1 == board.sea_distance((0, 0), (0, 2)) + 2  # type: ignore[operator]


def test_there_is_no_way_to_land_or_off_the_map() -> None:
    board = small()
    assert board.sea_path((0, 0), (2, 2)) is None
    assert board.sea_path((2, 2), (0, 0)) is None
    assert board.sea_path((0, 0), (99, 0)) is None
    assert board.sea_distance((99, 0), (99, 0)) is None
    assert board.sea_path((0, 0), (0, 0)) == ((0, 0),)
    assert board.sea_distance((0, 0), (0, 0)) == 0


def test_hexes_have_names_that_lead_back_to_them() -> None:
    board = small()
    assert board.name_of((0, 0)) == "Westhaven"
    assert board.name_of((1, 0)) == "1 hex east of Westhaven"
    assert board.name_of((-1, 3)) == "1 hex south-west, 1 west of the Inlet"
    assert (
        board.find("the cape") == board.find("Cape".lower()) == board.find("WESTHAVEN") == board.find("0,0") == (0, 0)
    )
    for at in board.terrain:
        assert board.find(board.name_of(at)) == at
    assert len({board.name_of(at) for at in board.terrain}) == len(board.terrain)


def test_without_places_a_hex_is_called_by_its_coordinates() -> None:
    board = read_map({"title": "Sea", "about": "Sea.", "theatre": "pacific", "drawing": "~ ~\n ~ ~"})
    assert board.pacific
    assert board.name_of((1, 1)) == "hex 1,1"
    assert board.ports == ()


def test_an_unknown_place_is_answered_with_those_like_it() -> None:
    with pytest.raises(UnknownName) as caught:
        small().find("Estport")
    assert "“Estport”" in str(caught.value)
    assert caught.value.allowed[0] == "east"
    with pytest.raises(UnknownName, match=r"not on the map: “7,7”.*q from -1 to 4"):
        small().find("7,7")


def test_fronts_and_boxes_are_read() -> None:
    drawing = "a a b b b\n a a b b b\na a b b .\n a a b b b"
    board = small(
        fronts={"names": {"a": "West", "b": "East"}, "drawing": drawing},
        boxes=[{"id": "ocean", "name": "the Ocean", "edges": ["west", [0, 1]]}],
    )
    assert board.front((0, 0)) == "West"
    assert board.front((4, 1)) == "East"
    assert board.front((3, 2)) == ""
    assert sum(bool(board.front(at)) for at in board.terrain) == 19
    assert [(box.id, box.name, box.edges) for box in board.boxes] == [("ocean", "the Ocean", ((0, 0), (0, 1)))]


def test_a_map_is_plain_data_that_copies_share() -> None:
    board = small()
    again = from_plain(Mapboard, json.loads(canonical(board)))
    assert again == board
    assert hash(again) == hash(board)
    assert again.terrain is board.terrain
    assert copy_of(board) is board
    with pytest.raises(TypeError):
        board.terrain[0, 0] = Terrain.SEA  # type: ignore[index]


# --- faults -----------------------------------------------------------------------------------------------------


def test_all_faults_of_a_file_are_told_at_once_with_line_and_column(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('title = "Bad"\nabout = "x"\ndrawing = """\n~ ~ ~\n ~ Q ~\n~ ~\n~ ~ ~\n~ ~~ ~\n"""\n')
    with pytest.raises(MapError) as caught:
        read_map(file)
    found = [str(fault) for fault in caught.value.faults]
    assert len(found) == 6
    assert any(fault.startswith("theatre: this is missing") for fault in found)
    assert any(fault.startswith("drawing, line 5, column 4: “Q” is not") for fault in found)
    assert any(fault.startswith("drawing, line 6: this row has 2 hexes, the others have 3") for fault in found)
    assert any(fault.startswith("drawing, line 7: every second row is shifted") for fault in found)
    assert any(fault.startswith("drawing, line 8, column 4: “~” stands where a blank should be") for fault in found)
    assert any(fault.startswith("drawing, line 8: this row has 4") for fault in found)
    assert str(caught.value).startswith("map “")
    assert "” has 6 faults:" in str(caught.value)
    assert caught.value.as_dict()["error"] == "map"
    assert isinstance(caught.value, ScenarioError)


def test_a_drawing_may_be_indented() -> None:
    drawing = SMALL["drawing"]
    assert isinstance(drawing, str)
    assert small(drawing="".join(f"    {line}\n" for line in drawing.splitlines())).rows == small().rows


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (
            {"drawing": "W W\n I E", "straits": [], "barred": []},
            "drawing, line 1, column 3: “W” (Westhaven) is drawn twice",
        ),
        ({"drawing": "W ~\n E ~", "straits": [], "barred": []}, "places[2].key: “I” (the Inlet) is not in the drawing"),
        (
            {"drawing": "   ", "places": [], "straits": [], "barred": [], "origin": [0, 0]},
            "drawing: nothing is drawn here",
        ),
        ({"origin": "nowhere"}, "origin: “nowhere” is not the id of a place in the drawing"),
        (
            {"straits": [{"name": "S", "between": ["west", "east"]}]},
            "“west” and “east” are 5 hexes apart (rule 21.211)",
        ),
        ({"straits": [{"name": "S", "between": ["inlet", [2, 2]]}]}, "“[2, 2]” has none"),
        (
            {"straits": [{"name": "S", "between": ["inlet", "limbo"]}]},
            "“limbo” is neither a place nor a hex of the map",
        ),
        ({"barred": [[[2, 0], [3, 0]]]}, "barred[0]: this hexside is the Channel: a strait cannot be barred as well"),
        ({"barred": [["west", [1, 0]], [[1, 0], "west"]]}, "barred[1]: this hexside is barred already"),
        ({"straits": [*SMALL["straits"], *SMALL["straits"]]}, "straits[1].between: this hexside is already a strait"),
        (
            {"boxes": [{"id": "b", "name": "B", "edges": [[1, 1]]}]},
            "1 hex north-west of the Inlet is no water hex at the edge",
        ),
        ({"boxes": [{"id": "b", "name": "B", "edges": [[1, 3]]}]}, "boxes[0].edges[0]: 1 hex south-east of the Inlet"),
        (
            {"fronts": {"names": {"a": "A"}, "drawing": "a a\n a a"}},
            "it should have the shape of the map: 4 rows of 5 hexes",
        ),
        (
            {"fronts": {"names": {"a": "A"}, "drawing": "a a a a a\n a a x a a\na a a a a\n a a a a a"}},
            "fronts.drawing, line 2, column 6: “x” is not a, .",
        ),
        ({"theatre": "moon"}, "theatre: “moon” is not europe or pacific"),
        ({"seas": 7}, "seas: no such key here"),
    ],
)
def test_a_fault_says_where_and_what(changes: dict[str, Any], fault: str) -> None:
    assert any(fault in found for found in faults(**changes)), faults(**changes)


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        ({"id": "x", "name": "X"}, "places[4]: a place has either a key in the drawing or coordinates"),
        ({"id": "x", "name": "X", "key": "W", "terrain": "sea"}, "places[4].key: “W” is already Westhaven"),
        ({"id": "x", "name": "X", "key": "~", "terrain": "sea"}, "places[4].key: “~” is not one sign other than"),
        ({"id": "x", "name": "X", "key": "E2", "terrain": "sea"}, "places[4].key: “E2” is not one sign"),
        ({"id": "west", "name": "X", "at": [1, 1]}, "places[4]: there is another place called “X”"),
        ({"id": "x", "name": "EASTPORT", "at": [1, 1]}, "places[4]: there is another place called “EASTPORT”"),
        ({"id": "x", "name": "X", "at": [50, 1]}, "places[4].at: 50,1 is not on the map"),
        ({"id": "x", "name": "X", "at": [2, 2], "port": True}, "places[4]: X is a port on land: ships cannot reach it"),
        ({"id": "x", "name": "X", "at": [2, 2], "terrain": "sea"}, "X is drawn as land, not as sea"),
    ],
)
def test_a_place_must_be_somewhere_and_somebody(place: dict[str, Any], fault: str) -> None:
    places = [*SMALL["places"], place]
    assert any(fault in found for found in faults(places=places)), faults(places=places)


def test_a_port_that_no_ship_can_reach_is_a_fault() -> None:
    found = faults(straits=[], barred=[*SMALL["barred"], [[2, 0], [3, 0]]])
    assert found == ["places[1]: no ship can sail from Eastport to Westhaven: look at the water around it"]


def test_a_map_that_is_not_there_or_no_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match=r"no such map or map file: “atlantis”\. Use coral-sea"):
        read_map("atlantis")
    with pytest.raises(UnknownName, match="no such map file"):
        read_map(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("title = ")
    with pytest.raises(MapError, match="this is not TOML"):
        read_map(str(tmp_path / "bad.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MapError, match="it cannot be read"):
        read_map(tmp_path / "bytes.toml")


@given(
    st.dictionaries(
        st.sampled_from([*SMALL, "fronts", "boxes"]),
        st.recursive(
            st.none() | st.integers() | st.text("~+#o.W x\n", max_size=12),
            lambda inner: st.lists(inner, max_size=3),
            max_leaves=6,
        ),
    )
)
def test_any_data_is_read_or_refused(changes: dict[str, Any]) -> None:
    wrong: tuple[Fault, ...] = ()
    board = None
    try:
        board = read_map({**SMALL, **changes})
    except MapError as error:
        wrong = error.faults
    assert bool(wrong) != bool(board and board.terrain)


# --- the maps that come with it ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MAPS)
def test_a_shipped_map_is_sound(name: str) -> None:
    board = read_map(name)
    assert board is read_map(name)
    assert "of our own making" in board.about
    assert len(board.ports) >= 6
    for one, other in permutations([port.at for port in board.ports], 2):
        sails = board.sea_distance(one, other)
        assert sails is not None
        assert sails >= distance(one, other)
        path = board.sea_path(one, other)
        assert path is not None
        assert len(path) == sails + 1
        assert board.is_sea_path(path)
        parts = [path[first : last + 1] for first, last in board.legs(path)]
        assert sum(parts, ()) == path
        assert len(parts) == len(board.straits_along(path)) + 1


@pytest.mark.parametrize("name", MAPS)
def test_no_water_of_a_shipped_map_is_cut_off(name: str) -> None:
    board = read_map(name)
    far = board.sea_distances(board.ports[0].at)
    assert [at for at in board.terrain if board.is_water(at) and at not in far] == []


@given(st.data())
def test_sea_distance_is_a_distance(data: st.DataObject) -> None:
    board = read_map(data.draw(st.sampled_from(MAPS)))
    water = [at for at in board.terrain if board.is_water(at)]
    one, other, third = (data.draw(st.sampled_from(water)) for _ in range(3))
    straight, first, second = (board.sea_distance(*pair) for pair in ((one, other), (one, third), (third, other)))
    assert straight is not None
    assert first is not None
    assert second is not None
    assert straight == board.sea_distance(other, one)
    assert (straight == 0) == (one == other)
    assert straight <= first + second
    path = board.sea_path(one, other, via=(third,))
    assert path is not None
    assert len(path) == first + second + 1
    assert board.is_sea_path(path)


@pytest.mark.parametrize("name", ["coral-sea", "midway"])
def test_places_of_a_battle_lie_where_they_do_on_the_map(name: str) -> None:
    board = read_map({"midway": "hawaii"}.get(name, name))
    bases = {base["id"]: tuple(base["at"]) for base in library.read_scenario(name)["bases"]}
    bases.pop("wake", None)  # Wake lies farther south than that scenario has it
    assert bases
    assert {base: board.labels[base] for base in bases} == bases


@pytest.mark.parametrize(
    ("name", "start", "end", "hexes", "straits"),
    [
        ("mediterranean", "gibraltar", "malta", range(17, 20), ()),
        ("mediterranean", "malta", "alexandria", range(14, 18), ()),
        ("mediterranean", "naples", "taranto", range(6, 9), ("the Strait of Messina",)),
        ("mediterranean", "cadiz", "gibraltar", range(1, 4), ("the Strait of Gibraltar",)),
        ("mediterranean", "bari", "taranto", range(3, 6), ()),
        ("mediterranean", "palermo", "malta", range(3, 6), ()),
        ("mediterranean", "tunis", "sfax", range(3, 6), ()),
        ("norway", "scapa-flow", "bergen", range(4, 7), ()),
        ("norway", "scapa-flow", "narvik", range(13, 18), ()),
        ("norway", "kiel", "wilhelmshaven", range(1, 3), ("the Kiel canal",)),
        ("norway", "oslo", "copenhagen", range(5, 8), ("the Sound",)),
        ("norway", "clyde", "rosyth", range(7, 11), ()),
        ("coral-sea", "rabaul", "port-moresby", range(4, 6), ()),
        ("coral-sea", "rabaul", "guadalcanal", range(4, 7), ()),
        ("western-pacific", "manila", "okinawa", range(6, 9), ()),
        ("western-pacific", "okinawa", "tokyo", range(6, 9), ()),
        ("western-pacific", "manila", "leyte", range(3, 5), ("the San Bernardino Strait",)),
        ("western-pacific", "jesselton", "leyte", range(5, 8), ("the Surigao Strait",)),
        ("hawaii", "pearl-harbor", "midway", range(9, 11), ()),
        ("hawaii", "pearl-harbor", "johnston", range(5, 8), ()),
    ],
)
def test_distances_are_near_the_real_ones(
    name: str, start: str, end: str, hexes: range, straits: tuple[str, ...]
) -> None:
    """A hundred kilometres a hex in Europe, about two hundred in the Pacific."""
    board = read_map(name)
    path = board.sea_path(board.find(start), board.find(end))
    assert path is not None
    assert len(path) - 1 in hexes
    assert board.straits_along(path) == straits


def test_without_the_kiel_canal_the_way_is_round_denmark() -> None:
    board = read_map("norway")
    kiel, jade = board.find("kiel"), board.find("wilhelmshaven")
    path = board.sea_path(kiel, jade, closed=["the Kiel canal"])
    assert path is not None
    assert board.straits_along(path) == ("the Great Belt",)
    assert len(path) - 1 > 8


def test_theatres_fronts_and_boxes_of_shipped_maps() -> None:
    assert {name for name in MAPS if read_map(name).pacific} == {"coral-sea", "hawaii", "western-pacific"}
    assert read_map("mediterranean").front(read_map("mediterranean").find("malta")) == "Mediterranean"
    [atlantic] = [box for box in read_map("norway").boxes if box.id == "atlantic"]
    assert all(read_map("norway").is_edge(edge) for edge in atlantic.edges)
    assert {box.id for box in read_map("hawaii").boxes} == {"united-states", "japan"}


# --- drawn in text ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("width", [60, 80, 200])
def test_a_drawing_fits_and_names_every_place(name: str, width: int) -> None:
    board = read_map(name)
    lines = draw_board(board, width=width)
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    for called in set(board.names.values()):
        assert f" {called}" in text


def test_a_drawing_shows_terrain_marks_and_path_where_they_are() -> None:
    board = small()
    path = board.sea_path((0, 0), (4, 1))
    assert path is not None
    assert draw_board(board, {(0, 0): "Force H", (3, 1): "the enemy"}, path, legend=False) == [
        " 0,0 [1]* *   *   *   ·",
        " 0,1    ·   ·   +  [2]*Eas*",
        "-1,2  ·   ·  Inl ###  ·",
        "-1,3    ·   ·  ###  ·   ·",
    ]
    legend = draw_board(board, {(0, 0): "Force H", (3, 1): "the enemy"}, path)[4:]
    assert "[1] Force H, Westhaven (0,0)" in legend
    assert "[2] the enemy, 1 hex west of Eastport (3,1)" in legend
    assert any(line.startswith("The Channel: between ") for line in legend)


def test_a_narrow_drawing_has_one_sign_a_hex() -> None:
    board = small()
    assert draw_board(board, {(1, 1): "Force H"}, (), 17, legend=False) == [
        " 0,0 w · + ·",
        " 0,1  · 1 + ·",
        "-1,2 · · i #",
        "-1,3  · · # ·",
    ]


def test_a_drawing_of_a_wide_map_shows_the_waters_that_matter() -> None:
    board = read_map("mediterranean")
    near = draw_board(board, {board.find("malta"): "the convoy"})
    assert len(near) < 16
    assert near[0] == "   1,0  ·  Tra Pal Mes  ·"
    assert any("[1] the convoy, Malta (2,2)" in line for line in near)
    assert not any("Gibraltar" in line for line in near if not line.startswith("The Strait"))
    whole = draw_board(board)
    assert whole[0] == "Part 1 of 2, from the west:"


def test_many_marks_have_signs_of_their_own() -> None:
    board = read_map("hawaii")
    marks = {at: f"force {number}" for number, at in enumerate(list(board.terrain)[:40])}
    lines = draw_board(board, marks)
    assert sum(line.split(" ")[1:2] == ["force"] for line in lines) == 40
    signs = [line.split(" ")[0] for line in lines if line.split(" ")[1:2] == ["force"]]
    assert len(set(signs)) == 40
    assert all(len(sign) == 1 for sign in signs), "a narrow hex has room for one"


def test_a_board_can_be_made_without_a_file() -> None:
    port, gut = Label("port", "Port", (1, 1), True), Strait("the Gut", (0, 0), (0, 1))
    board = Mapboard("made", "Made", "By hand.", True, (0, 0), ("~~", "~+"), (port,), (gut,))
    assert board.sea_path((0, 0), (1, 1)) == ((0, 0), (1, 0), (1, 1)), "as short as through the strait"
    assert board.strait_between((0, 1), (0, 0)) == "the Gut"
    assert board.ports == (port,)
