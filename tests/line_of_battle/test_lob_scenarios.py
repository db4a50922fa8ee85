"""Scenario files of Line of Battle, what is shown of a battle, and the commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import flagplot
from flagplot import library
from flagplot.cli.app import app
from flagplot.kernel.errors import ScenarioError
from flagplot.kernel.options import describe
from flagplot.line_of_battle.board import BOXES
from flagplot.line_of_battle.options import Options
from flagplot.line_of_battle.state import Box
from flagplot.line_of_battle.text import draw
from flagplot.players.random import RandomPlayer
from flagplot.register import register
from tests.line_of_battle.battles import by_night, fight, result
from tests.line_of_battle.boards import board, lba, ship

NAMES = ("ceylon-raid", "force-z", "savo-island")


def faults(scenario: dict[str, Any], **options: Any) -> list[str]:
    with pytest.raises(ScenarioError) as caught:
        flagplot.load(scenario, seed=1, options=options)
    return [str(fault) for fault in caught.value.faults]


def good() -> dict[str, Any]:
    return board([ship("tone", "G1 A3 D4/2", "G1 D2")], [ship("ajax", "G1 D3"), lba("bettys", "A2 D3/2", "A1")])


# --- scenarios ----------------------------------------------------------------------------------------------------


def test_there_are_three_battles() -> None:
    found = [name for name in flagplot.scenario_names() if library.read_scenario(name)["game"] == "line-of-battle"]
    assert tuple(found) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_battle_can_be_played_to_its_end(name: str) -> None:
    for seed in range(5):
        game = flagplot.load(name, seed=seed)
        game.play({side: RandomPlayer(seed) for side in game.sides})
        found = game.result
        assert found is not None
        assert found["resolution"] in ("stalemate", "success", "repulsion")
        assert set(found["losses_by_faction"]) == set(game.sides)
        assert sum(map(len, found["boxes"][game.sides[0]].values())) == len(game.state.of(game.sides[0]))


# --- faults -------------------------------------------------------------------------------------------------------


def test_all_faults_at_once_each_with_its_place_and_rule() -> None:
    bad = good()
    bad["phasing"] = "green"
    bad["sides"][0]["ships"][0] |= {"gunnery": 11, "damage": 4, "id": "Tone Two"}
    bad["sides"][1]["ships"][0] |= {"id": "bettys", "defense": 0, "speed": 3}
    bad["sides"][1]["lbas"][0]["reduced"]["airstrike"] = 3
    bad["base_attack_rounds"] = 2
    found = faults(bad, carry_damage="maybe")
    for part in (
        "options.carry_damage: “maybe” is not one of false, true (rule LOB-22 LOB-23)",
        "phasing: “green” is not one of the factions: red, blue (rule LOB-02)",
        "sides[0].ships[0].gunnery: 11 is not between 0 and 10 (rule LOB-17)",
        "sides[0].ships[0].damage: a Damage Factor of 4 is not below the Defense Factor of 4 (rule LOB-23)",
        "sides[0].ships[0].id: “Tone Two” should be small letters, digits and hyphens",
        "sides[1].ships[0].speed: no such key here",
        "sides[1].ships[0].defense: 0 is not between 1 and 10 (rule LOB-22)",
        "sides[1].lbas[0].id: “bettys” is used twice",
        "sides[1].lbas[0].reduced.airstrike: a factor of 3 is more than the 2 of the undamaged side (rule LOB-26)",
        "base_attack_rounds: only a base-attack has such rounds (rule LOB-20)",
    ):
        assert any(line.startswith(part) for line in found), (part, found)


Spoiling = Callable[[dict[str, Any]], object]
SPOILT: dict[str, tuple[Spoiling, str]] = {
    "a faction without units": (
        lambda data: data["sides"][0].update(ships=[]),
        "sides[0]: red has no unit in the Line of Battle (rule LOB-24)",
    ),
    "a side that is never turned up": (
        lambda data: data["sides"][0]["ships"][0].pop("damage"),
        "sides[0].ships[0].damaged: without a Damage Factor it is never turned over (rule LOB-23)",
    ),
    "rounds of a base attack in a battle at sea": (
        lambda data: data.update(base_attack_rounds=2),
        "base_attack_rounds: only a base-attack has such rounds (rule LOB-20)",
    ),
    "a base attack without aircraft": (
        lambda data: (data.update(kind="base-attack"), data["sides"][0]["ships"][0].update(airstrike=0)),
        "sides: in a base attack the phasing faction needs aircraft to attack with (rule LOB-20)",
    ),
    "an LBA with guns": (
        lambda data: data["sides"][1]["lbas"][0].update(gunnery=1),
        "sides[1].lbas[0].gunnery: no such key here",
    ),
    "an LBA that cannot attack": (
        lambda data: data["sides"][1]["lbas"][0].update(airstrike=0, reduced={}),
        "sides[1].lbas[0].airstrike: 0 is not between 1 and 10 (rule LOB-14)",
    ),
    "a faction called umpire": (
        lambda data: data["sides"][1].update(id="umpire"),
        "sides[1].id: “umpire” is taken: it names the umpire",
    ),
    "two factions of one name": (
        lambda data: data["sides"][1].update(id="red"),
        "sides[1].id: “red” is used twice",
    ),
    "three factions": (
        lambda data: data["sides"].append(board([ship("x", "G1 D3")], [])["sides"][0] | {"id": "green"}),
        "sides: there should be 2 of these, not 3",
    ),
}


@pytest.mark.rule("LOB-20", "LOB-22", "LOB-23", "LOB-26")
@pytest.mark.parametrize("what", SPOILT)
def test_a_spoilt_battle_is_refused(what: str) -> None:
    spoil, message = SPOILT[what]
    scenario = good()
    spoil(scenario)
    (fault,) = faults(scenario)
    assert fault.startswith(message)


def test_a_file_that_is_nothing_but_its_game_is_refused_in_words() -> None:
    found = faults({"game": "line-of-battle"})
    assert any(line.startswith("sides: this is missing") for line in found)
    assert any(line.startswith("phasing: this is missing") for line in found)


@pytest.mark.rule("LOB-12")
def test_air_bases_are_given_in_the_form_of_the_option() -> None:
    near, measured = good(), good()
    near["sides"][1]["air_base"] = True
    measured["sides"][0]["air_base_distance"] = 0
    flagplot.load(near, seed=1)
    flagplot.load(measured, seed=1, options={"air_base_near": "distance"})
    (fault,) = faults(measured)
    assert fault == (
        "sides[0].air_base_distance: with the option air_base_near = yes-or-no this is said by air_base (rule LOB-12)"
    )
    (fault,) = faults(near, air_base_near="distance")
    assert fault == (
        "sides[1].air_base: with the option air_base_near = distance this is said by air_base_distance (rule LOB-12)"
    )


@pytest.mark.rule("LOB-22", "LOB-23", "LOB-26")
@pytest.mark.parametrize(
    ("front", "back", "where"),
    [
        ("G2 D5/5", None, "damage"),
        ("G2 D1/1", None, "damage"),
        ("D5/4", "G1", "damaged.gunnery"),
        ("G2 D5/4", "G3", "damaged.gunnery"),
        ("G2 D5/4", "D6", "damaged.defense"),
    ],
)
def test_the_factors_of_a_counter_fit_together(front: str, back: str | None, where: str) -> None:
    """Damaged below its defense, and no factor of the damaged side is greater than that of the other."""
    scenario = board([ship("tone", front, back), ship("chikuma", "G1 D3")], [ship("ajax", "D3")])
    assert [line.split(":")[0] for line in faults(scenario)] == [f"sides[0].ships[0].{where}"]
    flagplot.load(board([ship("tone", "G2 D5/4", "G2 D5")], [ship("ajax", "D3")]), seed=1)


@pytest.mark.rule("LOB-26")
def test_factors_that_are_not_given_are_none() -> None:
    state = flagplot.load(board([ship("tone", "G2 D5")], [lba("bettys", "A3 D2")]), seed=1).state
    tone, bettys = state.unit("tone").front, state.unit("bettys").front
    assert (tone.gunnery, tone.torpedo, tone.airstrike) == (2, 0, 0)
    assert (bettys.gunnery, bettys.torpedo, bettys.airstrike) == (0, 0, 3)


def test_a_damaged_side_needs_a_damage_factor_given_or_assumed() -> None:
    scenario = good()
    del scenario["sides"][0]["ships"][0]["damage"]
    assert len(faults(scenario)) == 1
    assert flagplot.load(scenario, seed=1, options={"no_damage_factor": "half-defense"}).state.unit("tone").armoured


# --- options ------------------------------------------------------------------------------------------------------


def test_every_option_is_marked_as_an_assumption_and_cites_rules_that_exist() -> None:
    for option in describe(Options):
        assert len(option.alternatives) >= 2
        assert option.alternatives[0] == option.default
        assert "assumption" in option.about
        assert option.about.endswith(".")
        assert set(option.rules) <= set(register())


# --- what is shown ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_boxes_are_drawn_within_the_width(width: int) -> None:
    for name in NAMES:
        game = flagplot.load(name, seed=4)
        for _ in range(60):
            if game.pending is None:
                break
            text = draw(game.view(game.sides[0]).position, width)
            assert max(map(len, text.splitlines())) <= width
            assert all(word in text for unit in game.state.setting.units.values() for word in unit.name.split())
            game.play({side: RandomPlayer(1) for side in game.sides}, until=game.turn + 1)


def test_every_box_of_the_page_has_a_title() -> None:
    assert set(BOXES) == set(Box)
    assert [*BOXES][:5] == [Box.LINE, Box.DISABLED, Box.DAMAGED, Box.BOTH, Box.SUNK]


def test_a_board_as_text() -> None:
    game = fight(
        board([ship("tone", "G2 D5/3", "G1 D2")], [ship("ajax", "G1 D3"), lba("bettys", "A2 D3")]),
        [("Tone attacks Ajax", 5, 1), ("Ajax attacks Tone", 6), ("damage", 4)],
        *by_night(),
    )
    assert str(game.view("red")).splitlines() == [
        "A test: round 1, night action",
        "Night action in an All-Sea Hex; no air base nearby",
        "Red (attacker)",
        "+-- Line of Battle ----------------------------------------+",
        "| Tone                                   *   G1 T- A- D2/- |",
        "+----------------------------------------------------------+",
        "Empty: Disabled, Damaged/Reduced, Damaged & Disabled,",
        "Sunk/Destroyed",
        "Blue",
        "+-- Line of Battle ----------------------------------------+",
        "| Bettys                                 L   G- T- A2 D3/- |",
        "+----------------------------------------------------------+",
        "+-- Naval Warfare Delay -----------------------------------+",
        "| Ajax                                       G1 T- A- D3/- |",
        "|   disabled                                               |",
        "+----------------------------------------------------------+",
        "Empty: Disabled, Damaged/Reduced, Damaged & Disabled,",
        "Sunk/Destroyed",
        "G gunnery, T torpedo, A airstrike, D defense/damage",
        "* damaged side up, L land-based air, + attack bonus",
    ]


def test_the_result_names_losses_and_boxes() -> None:
    game = fight(
        board([ship("tone", "G2 D5/3", "G1 D2")], [ship("ajax", "G1 D3")]),
        [("Tone attacks Ajax", 6, 1), ("damage", 3), ("Ajax attacks Tone", 6), ("damage", 4)],
        *by_night(),
    )
    found = result(game)
    assert found["summary"] == "Success: Red lost nothing; Blue lost Ajax"
    assert found["losses"] == {"blue/sunk/ships": 1}
    assert found["losses_by_faction"]["red"]["damaged"] == ["Tone"]
    assert found["boxes"] == {"red": {"line-of-battle": ["tone"]}, "blue": {"out-of-play": ["ajax"]}}
    assert found["consequences"] == [{"text": "Red: Tone is damaged", "rule": "LOB-26"}]


# --- the commands -------------------------------------------------------------------------------------------------


def run(*arguments: str) -> str:
    ran = CliRunner().invoke(app, list(arguments))
    assert ran.exit_code == 0, ran.output
    return ran.output


def test_the_commands_serve_this_game_like_the_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    players = ("--player", "japan=doctrine", "--player", "allies=random")
    played = run("play", "savo-island", *players, "--seed", "5", "--save", "game.jsonl")
    assert "Battle over" in played
    assert "is proved" in run("verify", "game.jsonl")
    assert "Selected:" in run("replay", "game.jsonl", "--as", "allies")
    report = run("report", "game.jsonl")
    assert "Savo Island" in report
    assert "Disabled faces: 5" in report
    assert "savo-island is valid" in run("check", "savo-island")
    assert '"line-of-battle"' in run("schema", "line-of-battle")
    assert "Step 6" in run("outline", "line-of-battle")
    assert "carry_damage" in run("options", "line-of-battle")
    assert "force-z" in run("scenarios")
    assert "line_of_battle" in run("rules", "show", "LOB-16")


def test_a_report_tells_what_was_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scenario = board([ship("tone", "G2 D5/3")], [ship("ajax", "G1 D3")])
    rolls: list[tuple[str | int, ...]] = [("Tone", 6, 1), ("damage", 3), ("Ajax", 1)]
    game = fight(scenario, rolls, *by_night())
    game.save("game.jsonl", follow=False)
    report = run("report", "game.jsonl")
    assert "sunk: Ajax" in report
    assert "Red won: success" in report
