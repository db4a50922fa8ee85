"""The command that shows maps."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from flagplot.awaw.mapboard.reading import maps

Run = Callable[..., Any]


def test_maps_are_listed(run: Run) -> None:
    ran = run("map")
    assert ran.code == 0
    for name in maps():
        assert any(line.startswith(f"{name} ") for line in ran.out.splitlines())
    assert "42 by 17" in ran.out
    assert [entry["name"] for entry in run("map", "--json").json] == maps()


@pytest.mark.parametrize("name", maps())
def test_a_map_is_drawn_in_eighty_columns(run: Run, name: str) -> None:
    ran = run("map", name)
    assert ran.code == 0
    assert max(map(len, ran.out.splitlines())) <= 80
    assert "· sea  + coast  o island  # land" in ran.out
    assert "our own making" in " ".join(ran.out.split())


@pytest.mark.rule("22.13A")
def test_a_way_by_sea_has_its_distance_and_straits(run: Run) -> None:
    ran = run("map", "norway", "--from", "kiel", "--to", "Bergen")
    assert ran.code == 0
    assert "Kiel to Bergen: 8 hexes, through the Kiel canal" in ran.out
    assert "leg 1 (22.13A), hexes 6,5" in ran.out
    assert "leg 2 (22.13A), hexes 5,5" in ran.out
    assert "[1] from, Kiel (6,5)" in ran.out
    found = run("map", "norway", "--from", "kiel", "--to", "Bergen", "--json").json["path"]
    assert found["distance"] == 8
    assert found["straits"] == ["the Kiel canal"]
    assert found["hexes"][0] == found["parts"][0][0] == [6, 5]
    assert [at for part in found["parts"] for at in part] == found["hexes"]


def test_a_way_without_straits_and_a_way_to_where_one_is(run: Run) -> None:
    assert "Pearl Harbor to Midway: 9 hexes, no strait" in run("map", "hawaii", "--from", "6,4", "--to", "midway").out
    assert "Midway to Midway: 0 hexes, no strait" in run("map", "hawaii", "--from", "midway", "--to", "1,0").out


def test_a_map_as_json_has_every_hex(run: Run) -> None:
    found = run("map", "mediterranean", "--json").json
    hexes = {tuple(entry["at"]): entry for entry in found["hexes"]}
    assert hexes[2, 2] == {"at": [2, 2], "terrain": "island", "name": "Malta", "front": "Mediterranean"}
    assert found["theatre"] == "europe"
    assert found["path"] is None
    assert found["straits"][0] == {"name": "the Strait of Gibraltar", "between": [[-16, 1], [-15, 1]]}


def test_a_map_is_written_as_svg(run: Run, tmp_path: Path) -> None:
    ran = run("map", "coral-sea", "--svg", "map.svg", "--from", "rabaul", "--to", "port-moresby")
    assert ran.code == 0
    assert ran.out.endswith("drawn in map.svg\n")
    assert "4 hexes" in "".join(ET.fromstring((tmp_path / "map.svg").read_text(encoding="utf8")).itertext())


def test_a_map_file_of_ones_own(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pond.toml").write_text('title = "Pond"\nabout = "Wet."\ntheatre = "europe"\ndrawing = "~ ~"\n')
    assert run("map", "pond.toml").out.splitlines()[3].strip() == "0,0  ·   ·"
    (tmp_path / "pond.toml").write_text('title = "Pond"\nabout = "Wet."\ntheatre = "europe"\ndrawing = "~ q"\n')
    ran = run("map", "pond.toml")
    assert ran.code == 2
    assert "map “pond.toml” has 1 fault" in ran.err
    assert "drawing, line 1, column 3: “q” is not" in ran.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["atlantis"], "no such map or map file: “atlantis”"),
        (["norway", "--from", "kiel"], "a sea route needs both --from and --to: “kiel”"),
        (["norway", "--from", "keil", "--to", "oslo"], "no such place on this map: “keil”. Did you mean kiel?"),
        (["norway", "--from", "kiel", "--to", "6,4000"], "this hex is not on the map: “6,4000”"),
        (["mediterranean", "--from", "malta", "--to", "-10,5"], "this place is on land: “-10,5”"),
        (["--svg", "map.svg"], "choose a map. Use coral-sea"),
        (["norway", "--svg", "no/such/folder.svg"], "no such folder for the plot"),
    ],
)
def test_bad_input_is_quoted_and_answered(run: Run, arguments: list[str], complaint: str) -> None:
    ran = run("map", *arguments)
    assert ran.code == 2
    assert complaint in ran.err
    assert not ran.out
