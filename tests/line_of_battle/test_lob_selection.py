"""Step 1: Day Action or Night Action."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.kernel.errors import IllegalAnswer
from flagplot.kernel.requests import Choose, Roll
from flagplot.line_of_battle.selection import selection_modifiers
from tests.line_of_battle.battles import answer, by_day, fight, log, offered, start
from tests.line_of_battle.boards import board, ship

RED, BLUE = ship("tone", "G2 T1 D4/2"), ship("leander", "G2 T1 D4/2")
PLAIN = board([RED], [BLUE])


def action(scenario: dict[str, Any], red: str, blue: str, *rolls: int, **options: Any) -> str:
    """The action that comes of two choices and two rolls."""
    game = start(scenario, **options)
    game.choose(f"select:{red}")
    game.choose(f"select:{blue}")
    for side, face in zip(("Red", "Blue"), rolls, strict=True):
        assert isinstance(game.pending, Roll)
        assert f"{side}: roll" in str(game.pending)
        game.roll([face])
    return game.state.action


@pytest.mark.rule("LOB-10", "LOB-11")
def test_a_tie_is_the_non_phasing_factions() -> None:
    """Phasing 4 for night; the other 3 and +1 for day: 4 against 4, so day."""
    assert action(PLAIN, "night", "day", 4, 3) == "day"
    assert action(PLAIN, "day", "night", 3, 4) == "night"


@pytest.mark.rule("LOB-12")
def test_an_air_base_within_three_hexes_of_an_all_sea_hex() -> None:
    """With a phasing air base 5 against 4: night. Where the hex is not all sea it counts for nothing."""
    assert action(board([RED], [BLUE], bases=("red",)), "night", "day", 4, 3) == "night"
    assert action(board([RED], [BLUE], bases=("red",), all_sea=False), "night", "day", 4, 3) == "day"


@pytest.mark.rule("LOB-09")
@pytest.mark.parametrize(("red", "blue", "found"), [(6, 4, "night"), (5, 4, "day"), (4, 4, "day"), (1, 6, "day")])
def test_the_higher_total_decides(red: int, blue: int, found: str) -> None:
    """Red wants night, blue day with its +1."""
    assert action(PLAIN, "night", "day", red, blue) == found


@pytest.mark.rule("LOB-11", "LOB-12")
@pytest.mark.parametrize(
    ("choice", "bases", "all_sea", "lines"),
    [
        ("day", (), True, ["LOB-11"]),
        ("night", (), True, []),
        ("day", ("red",), True, ["LOB-11", "LOB-12"]),
        ("night", ("red",), True, ["LOB-12"]),
        ("day", ("red",), False, ["LOB-11"]),
        ("day", ("blue",), True, ["LOB-11"]),
    ],
)
def test_the_ledger_says_where_a_modifier_comes_from(
    choice: str, bases: tuple[str, ...], all_sea: bool, lines: list[str]
) -> None:
    setting = start(board([RED], [BLUE], bases=bases, all_sea=all_sea)).state.setting
    ledger = selection_modifiers(setting, "red", choice)
    assert [line.rule for line in ledger] == lines
    assert ledger.total == len(lines)


@pytest.mark.rule("LOB-09", "LOB-01")
def test_each_round_is_settled_anew_and_the_same_choice_needs_no_roll() -> None:
    game = fight(
        board([ship("tone", "G1 D4/2")], [ship("leander", "G1 D4/2")]),
        [("Tone attacks", 1), ("Leander attacks", 1)],
        *("select:night", "select:night", "retreat:stay", "retreat:stay"),
    )
    assert offered(game) == ["select:day", "select:night"]
    assert (game.state.round, game.state.action) == (2, "")
    answer(game, "select:day", "select:day")
    assert game.state.action == "day"


# --- options ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LOB-12")
def test_option_air_base_bonus() -> None:
    near = board([RED], [BLUE], bases=("red",))
    assert action(near, "night", "day", 4, 3) == "night"
    assert action(near, "night", "day", 4, 3, air_base_bonus="day-only") == "day"
    assert action(near, "day", "night", 3, 4, air_base_bonus="day-only") == "day"


@pytest.mark.rule("LOB-12")
@pytest.mark.parametrize(("hexes", "near"), [(0, True), (3, True), (4, False), (None, False)])
def test_option_air_base_near(hexes: int | None, near: bool) -> None:
    """Yes or no; or the hexes, of which three still count."""
    assert action(board([RED], [BLUE], bases=("red",)), "night", "day", 4, 3, air_base_near="yes-or-no") == "night"
    measured = board([RED], [BLUE])
    measured["sides"][0] |= {} if hexes is None else {"air_base_distance": hexes}
    assert action(measured, "night", "day", 4, 3, air_base_near="distance") == ("night" if near else "day")
    assert start(measured, air_base_near="distance").view("blue").data["air_bases"] == {"red": near, "blue": False}


@pytest.mark.rule("LOB-09")
def test_option_same_choice() -> None:
    """Nobody rolls; or both do, and neither the higher roll nor a tie changes anything."""
    unrolled = fight(PLAIN, [("Tone attacks", 1), ("Leander attacks", 1)], *by_day())
    assert unrolled.state.action == "day"
    assert "Both chose it: Day Action, no roll (assumed)" in log(unrolled)
    for rolls in ((6, 1), (1, 6), (3, 3)):
        for choice in ("day", "night"):
            readings = {"same_choice": "both-roll", "tied_selection": "day-then-night"}
            assert action(PLAIN, choice, choice, *rolls, **readings) == choice
    game = start(PLAIN, same_choice="both-roll")
    game.choose("select:day")
    game.choose("select:day")
    game.roll([1])
    assert game.state.action == ""
    game.roll([6])
    assert "Both chose it: Day Action, whatever the rolls (assumed)" in log(game)


def test_option_same_choice_where_the_choices_differ() -> None:
    assert action(PLAIN, "night", "day", 6, 1, same_choice="both-roll") == "night"
    assert action(PLAIN, "night", "day", 1, 6, same_choice="both-roll") == "day"


@pytest.mark.rule("LOB-09")
def test_option_day_night_choice_secret_and_then_shown() -> None:
    game = start(PLAIN)
    game.choose("select:night")
    assert game.view("red").data["selected"] == {"red": "night"}
    assert game.view("blue").data["selected"] == {}
    assert log(game, "blue").splitlines()[-1] == "Red: choosing day or night"
    game.choose("select:day")
    assert game.view("blue").data["selected"] == {"red": "night", "blue": "day"}
    assert "Selected: Night by Red, Day by Blue" in log(game, "blue")


def test_option_day_night_choice_openly() -> None:
    game = start(PLAIN, day_night_choice="phasing-first")
    game.choose("select:night")
    assert game.view("blue").data["selected"] == {"red": "night"}
    assert "Night: attack with guns or torpedoes" in log(game, "blue")
    assert isinstance(game.pending, Choose)
    assert game.pending.side == "blue"


@pytest.mark.rule("LOB-10")
def test_option_tied_selection() -> None:
    """Day, then night, in one round: both kinds of attack, and no retreat in between."""
    scenario = board([ship("tone", "G1 T1 D4/2")], [ship("leander", "G1 D4/2")])
    rolls: list[tuple[str | int, ...]] = [("Red: roll", 4), ("Blue: roll", 3), ("Tone attacks", 1)]
    night: list[tuple[str | int, ...]] = [("Tone attacks", 1), ("Leander attacks", 1)]
    game = fight(
        scenario,
        rolls + night,
        *("select:night", "select:day", "weapons:tone:gunnery"),
        tied_selection="day-then-night",
    )
    assert game.state.round == 1
    assert offered(game) == ["retreat:stay", "retreat:retreat"]
    higher = fight(
        scenario,
        [("Red: roll", 6), ("Blue: roll", 1)],
        *("select:night", "select:day"),
        tied_selection="day-then-night",
    )
    assert "Night Action, chosen by Red" in log(higher)
    plain = fight(scenario, rolls, "select:night", "select:day")
    assert offered(plain) == ["retreat:stay", "retreat:retreat"]


def test_a_night_after_a_tie_is_not_fought_alone() -> None:
    """Whoever is sunk by day leaves nobody for the night."""
    rolls: list[tuple[str | int, ...]] = [("Red: roll", 4), ("Blue: roll", 3), ("Tone attacks", 6), ("damage", 6)]
    scenario = board([ship("tone", "G1 T1 D4/2")], [ship("leander", "G1 D4/2")])
    game = fight(scenario, rolls, "select:night", "select:day", tied_selection="day-then-night")
    assert game.result is not None
    assert game.result["resolution"] == "success"
    assert log(game).count("no unit can attack") == 1  # the Leander, by day


def test_nonsense_is_refused() -> None:
    game = start(PLAIN)
    with pytest.raises(IllegalAnswer, match="LOB-09"):
        game.choose("select:dawn")
