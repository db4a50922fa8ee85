"""The campaign sheet: what a battle leaves behind, for whom, in which form."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.awaw.air_units import Arm, Role
from flagplot.awaw.views.units import FlightView
from flagplot.kernel.game import Game
from flagplot.kernel.naming import plainly
from flagplot.players.random import RandomPlayer
from flagplot.report.campaign import CampaignSheet, Entry, campaign_sheet
from flagplot.report.campaign_air import Lost, lost_by_base

Run = Callable[..., Any]


def played(name: str, until: int | None = None, seed: int = 2) -> Game[Any]:
    game = flagplot.load(name, seed=seed)
    game.play({side: RandomPlayer(seed + place) for place, side in enumerate(game.sides)}, until=until)
    return game


def test_a_battle_is_carried_back_to_the_map_as_text_csv_and_json(run: Run, tmp_path: Path) -> None:
    game = played("midway")
    game.save(tmp_path / "game.jsonl", follow=False)
    text, sheet = run("campaign", "game.jsonl").out, run("campaign", "game.jsonl", "--json").json
    assert text.splitlines()[0] == "Midway, June 1942: campaign sheet"
    rows = [*csv.DictReader(io.StringIO(run("campaign", "game.jsonl", "--form", "csv").out))]
    assert [row["what"] for row in rows] == [entry["what"] for entry in sheet["entries"]]
    lost = {entry["side"]: entry["number"] for entry in sheet["entries"] if entry["part"] == "brps"}
    assert game.result is not None
    assert lost == game.result["brps_lost"]
    for side in game.sides:
        names = game.result["ships"][side]
        sunk = [entry["what"] for entry in sheet["entries"] if (entry["part"], entry["side"]) == ("sunk", side)]
        assert ", ".join(sunk) == ("" if names == "no ships" else names)
    assert run("campaign", "game.jsonl", "--form", "xml").code == 2


def test_every_consequence_of_a_battle_is_on_the_sheet_once() -> None:
    game = played("midway")
    assert game.result is not None
    states = [entry.state for entry in campaign_sheet(game).entries if entry.part in ("force", "follows")]
    for one in game.result["consequences"]:
        assert any(plainly(one["text"]).partition(": ")[2] in state for state in states), one
    homes = {entry.place for entry in campaign_sheet(game).entries if entry.part == "force" and entry.place}
    told = " ".join([one["text"] for one in game.result["consequences"]])
    assert all(f"returns to {home}" in told for home in homes)


@pytest.mark.parametrize("name", ["savo-island", "malta", "denmark-strait", "pearl-harbor"])
def test_all_kinds_of_battle_have_a_sheet(name: str) -> None:
    game = played(name)
    sheet = campaign_sheet(game)
    assert sheet.over
    assert all(name in str(sheet) for name in sheet.sides.values())
    assert {entry.side for entry in sheet.entries} <= set(game.sides)
    if name == "malta":
        air = [entry for entry in sheet.entries if entry.part == "air"]
        assert any(entry.inverted for entry in air)


def test_air_eliminated_is_told_by_the_base_that_is_short_of_it() -> None:
    game = played("midway")
    lost = [entry for entry in campaign_sheet(game).entries if entry.part == "air lost"]
    assert ("3 American army air squadrons", "Midway") in [(entry.what, entry.place) for entry in lost]
    assert "3 American army air squadrons at Midway" in str(campaign_sheet(game))
    assert game.result is not None
    whole = game.state.losses.air
    assert sum([entry.number or 0 for entry in lost]) == sum(whole.values())
    running = campaign_sheet(played("midway", until=100), "japan")
    assert not [entry for entry in running.entries if entry.part == "air lost" and entry.place]


def test_air_that_has_flown_to_another_base_is_not_told_by_base() -> None:
    flight = FlightView(
        home="b", nation="japan", arm=Arm.ARMY, role=Role.FACTORS, inverted=False, count=3, aborted=0, text=""
    )
    bases = [
        {"name": "A", "air": [{"nation": "japan", "arm": "army", "factors": 4}]},
        {"name": "B", "air": [{"nation": "japan", "arm": "army", "factors": 2}]},
    ]
    lost = {"japan/army/factors": 2}
    here = [*lost_by_base(lost, bases, {"A": [], "B": [flight]})]
    assert here == [Lost("japan/army/factors", 2)]
    stayed = [*lost_by_base({"japan/army/squadrons": 4, "japan/army/factors": 1}, bases[1:], {"B": []})]
    assert stayed == [Lost("japan/army/factors", 2, "B"), Lost("japan/army/squadrons", 1)]


def test_a_sheet_of_a_running_game_tells_its_reader_no_secret() -> None:
    differed = 0
    for until in range(2, 40, 3):
        game = played("first-battle", until=until)
        for side in game.sides:
            state = game.border.state
            other = game.ruleset.reshuffle(state, side, Random(until))
            one, two = game.from_border(state), game.from_border(other)
            assert campaign_sheet(one, side) == campaign_sheet(two, side)
            differed += campaign_sheet(one, "umpire") != campaign_sheet(two, "umpire")
    assert differed
    assert "still in progress" in str(campaign_sheet(played("first-battle", until=5), "japan"))


def test_a_name_that_a_spreadsheet_would_calculate_is_only_a_name() -> None:
    sheet = CampaignSheet("A battle", "umpire", True, {"japan": "Japan"}, "", (Entry("force", "japan", "=1+1"),))
    assert "\nforce,japan,'=1+1," in sheet.to_csv()
