"""Step 4 and the end of a round: what results do, and where the boxes send their units."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.kernel.game import Game
from flagplot.line_of_battle.options import Options
from flagplot.line_of_battle.results import BOX_RULES, DAMAGED, SUNK, UNHURT, leave_box, take_effects, verdict
from flagplot.line_of_battle.state import Box, Marker, State
from flagplot.line_of_battle.units import Factors, Unit
from tests.line_of_battle.battles import box, by_day, by_night, fight, log, seen, start
from tests.line_of_battle.boards import board, lba, ship

TWICE = ("retreat:stay", "retreat:stay")


def counter(front: Factors, back: Factors | None = None, *, flies: bool = False) -> Unit:
    return Unit("x", "X", "red", flies, False, front, back or front, back is not None)


# --- thresholds ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("LOB-22", "LOB-23")
@pytest.mark.parametrize(
    ("points", "found"), [(0, UNHURT), (2, UNHURT), (3, DAMAGED), (4, DAMAGED), (5, SUNK), (9, SUNK)]
)
def test_defense_5_and_damage_3(points: int, found: str) -> None:
    for flies in (False, True):
        unit = counter(Factors(1, 0, 0, 5, 3), flies=flies)
        assert verdict(unit, False, points, Options()) == found


@pytest.mark.rule("LOB-23")
def test_without_a_damage_factor_only_the_defense_factor_counts() -> None:
    unit = counter(Factors(1, 0, 0, 5))
    assert [verdict(unit, False, points, Options()) for points in (1, 4, 5)] == [UNHURT, UNHURT, SUNK]


def test_a_damaged_side_with_a_defense_factor_of_its_own() -> None:
    unit = counter(Factors(2, 0, 0, 5, 3), Factors(1, 0, 0, 2))
    assert [verdict(unit, True, points, Options()) for points in (1, 2)] == [UNHURT, SUNK]


def hit(points: int, target: dict[str, Any], *faces: int, **options: Any) -> Game[State]:
    """An attack by day of as many dice as there are faces, one of them a hit for so many points."""
    attacker = ship("hiryu", f"A{len(faces)} D5/3") if "lba" not in target else lba("bettys", f"A{len(faces)} D5/3")
    rolls: list[tuple[str | int, ...]] = [("attacks", *faces)]
    rolls += [("damage", points)] * (6 in faces) + [(f"{target['name']} attacks", 1)] * ("airstrike" in target)
    return fight(board([attacker], [target]), rolls, *by_day(), **options)


@pytest.mark.rule("LOB-18", "LOB-27", "LOB-23")
def test_disabled_and_damaged_together() -> None:
    """5, 6, 2 and 3 points against defense 5 and damage 3: into the box of both, then delayed, damaged side up."""
    game = hit(3, ship("hornet", "D5/3"), 5, 6, 2)
    assert "Hornet damaged and disabled (3 damage points)" in log(game)
    assert box(game, "hornet") == "delay"
    assert seen(game, "hornet")["damaged"]
    assert seen(game, "hornet")["fate"] == "disabled"


@pytest.mark.rule("LOB-19", "LOB-26")
def test_an_lba_is_reduced_but_never_disabled() -> None:
    game = hit(3, lba("marauders", "A1 D5/3", "A0"), 5, 6, 2)
    assert "Marauders: not disabled, since it is an LBA" in log(game)
    assert "Marauders reduced (3 damage points)" in log(game)
    assert box(game, "marauders") == "line-of-battle"
    assert seen(game, "marauders")["damaged"]
    assert not seen(game, "marauders")["disabled"]


@pytest.mark.rule("LOB-22", "LOB-28")
def test_sunk_goes_before_disabled() -> None:
    game = hit(6, ship("hornet", "D5/3"), 5, 6)
    assert box(game, "hornet") == "out-of-play"
    assert seen(game, "hornet")["fate"] == "sunk"


@pytest.mark.rule("LOB-28")
def test_destroyed_lbas_wait_in_the_delay_box() -> None:
    game = hit(6, lba("marauders", "A1 D5/3"), 6)
    assert box(game, "marauders") == "delay"
    assert seen(game, "marauders")["fate"] == "destroyed"


@pytest.mark.rule("LOB-18", "LOB-25")
def test_a_disabled_ship_goes_to_the_delay_box_unturned() -> None:
    game = hit(0, ship("hornet", "D5/3"), 5)
    assert "Hornet disabled (LOB-18)" in log(game)
    assert box(game, "hornet") == "delay"
    assert not seen(game, "hornet")["damaged"]


@pytest.mark.rule("LOB-26")
def test_a_damaged_ship_fights_on_damaged_side_up() -> None:
    game = hit(4, ship("hornet", "G3 D5/3", "G1 D2"), 6, 1)
    assert box(game, "hornet") == "line-of-battle"
    turned = seen(game, "hornet")
    assert (turned["damaged"], turned["gunnery"], turned["defense"], turned["damage"]) == (True, 1, 2, 0)


def test_too_few_points_do_nothing() -> None:
    game = hit(2, ship("hornet", "G3 D5/3"), 6, 1)
    assert box(game, "hornet") == "line-of-battle"
    assert not seen(game, "hornet")["damaged"]
    assert "Hornet: 2 damage points, without effect (LOB-23)" in log(game)


@pytest.mark.rule("LOB-04")
def test_points_of_all_attacks_of_a_round_are_added() -> None:
    game = fight(
        board([ship("hiryu", "A1 D5"), ship("soryu", "A1 D5")], [ship("hornet", "D5/3")]),
        [("Hiryu attacks", 6), ("damage", 2), ("Soryu attacks", 6), ("damage", 3)],
        *by_day(),
    )
    assert "Hornet sunk (5 damage points)" in log(game)


@pytest.mark.rule("LOB-04")
def test_results_take_effect_together_and_not_before() -> None:
    """Between the attacks and step 4 what was hit is noted, and nobody has left the line."""
    game = start(board([ship("tone", "G1 D3"), ship("chikuma", "G1 D3")], [ship("ajax", "G1 D3/2")]))
    game.choose("select:night")
    game.choose("select:night")
    game.roll([6])
    game.roll([2])
    assert seen(game, "ajax")["points"] == 2
    assert box(game, "ajax") == "line-of-battle"
    game.roll([5])
    assert seen(game, "ajax")["disabled"]
    assert box(game, "ajax") == "line-of-battle"
    game.choose("targets:ajax:tone")
    game.roll([1])
    assert box(game, "ajax") == "delay"


@pytest.mark.rule("LOB-04", "LOB-22", "LOB-18")
def test_the_boxes_of_step_4() -> None:
    """After step 4 and before the end of the round each unit stands in the box of its result."""
    red = [ship(name, "G1 D5/3") for name in ("a", "b", "c", "d", "e")]
    game = start(board(red, [ship("ajax", "G1 D3")]))
    marks = {"a": (0, False), "b": (0, True), "c": (3, False), "d": (4, True), "e": (5, True)}
    for key, (points, disabled) in marks.items():
        game.state.markers[key].points, game.state.markers[key].disabled = points, disabled
    list(take_effects(game.state))
    assert [game.state.markers[key].box for key in marks] == [
        Box.LINE,
        Box.DISABLED,
        Box.DAMAGED,
        Box.BOTH,
        Box.SUNK,
    ]
    assert not any(game.state.markers[key].damaged for key in marks)


@pytest.mark.rule("LOB-25", "LOB-26", "LOB-27", "LOB-28")
@pytest.mark.parametrize(
    ("start_box", "flies", "end_box", "damaged", "fate"),
    [
        (Box.DISABLED, False, Box.DELAY, False, "disabled"),
        (Box.DAMAGED, False, Box.LINE, True, ""),
        (Box.DAMAGED, True, Box.LINE, True, ""),
        (Box.BOTH, False, Box.DELAY, True, "disabled"),
        (Box.SUNK, False, Box.OUT, False, "sunk"),
        (Box.SUNK, True, Box.DELAY, False, "destroyed"),
    ],
)
def test_where_each_box_sends_its_units(start_box: Box, flies: bool, end_box: Box, damaged: bool, fate: str) -> None:
    marker = Marker(start_box)
    leave_box(counter(Factors(1, 0, 0, 5, 3), flies=flies), marker)
    assert (marker.box, marker.damaged, marker.fate) == (end_box, damaged, fate)
    assert start_box in BOX_RULES


@pytest.mark.rule("LOB-24")
def test_everybody_begins_in_the_line_of_battle() -> None:
    game = start(board([ship("tone", "G1 D3"), lba("bettys", "A1 D3")], [ship("ajax", "G1 D3")]))
    assert {unit["box"] for unit in game.view("red").data["units"]} == {"line-of-battle"}
    assert game.state.line("red") == ["tone", "bettys"]


def test_a_ship_damaged_before_and_disabled_now_keeps_its_damaged_side_up() -> None:
    game = fight(
        board([ship("tone", "G1 D9")], [ship("ajax", "D5/3", "D3")]),
        [("Tone attacks", 6), ("damage", 3), ("Tone attacks", 5)],
        *by_night(*TWICE),
        *by_night(),
    )
    assert "Ajax damaged and disabled (LOB-23)" in log(game)
    assert box(game, "ajax") == "delay"
    assert seen(game, "ajax")["damaged"]


# --- options ------------------------------------------------------------------------------------------------------


def two_rounds(target: dict[str, Any], first: int, second: int, **options: Any) -> Game[State]:
    """One hit in each of two rounds by night, for so many points."""
    return fight(
        board([ship("tone", "G1 D9")], [target]),
        [("Tone attacks", 6), ("damage", first), ("Tone attacks", 6), ("damage", second)],
        *by_night(*TWICE),
        *by_night(),
        **options,
    )


@pytest.mark.rule("LOB-22", "LOB-23", "LOB-26")
@pytest.mark.parametrize(
    ("carry", "points", "found"),
    [
        (False, (2, 3), "damaged"),
        (True, (2, 3), "out-of-play"),
        (False, (2, 2), "line-of-battle"),
        (True, (2, 2), "damaged"),
        (True, (3, 1), "damaged"),
    ],
)
def test_option_carry_damage(carry: bool, points: tuple[int, int], found: str) -> None:
    """Points stay only if that is switched on, and those that turned a counter over are spent."""
    game = two_rounds(ship("ajax", "D5/3", "D2"), *points, carry_damage=carry)
    state = seen(game, "ajax")
    assert ("damaged" if state["damaged"] and state["box"] == "line-of-battle" else state["box"]) == found


@pytest.mark.rule("LOB-23", "LOB-26")
def test_option_damaged_again() -> None:
    """Without a Defense Factor on its damaged side: a second damaged result sinks, or does nothing."""
    assert box(two_rounds(ship("ajax", "D5/3"), 3, 3), "ajax") == "out-of-play"
    assert box(two_rounds(ship("ajax", "D5/3"), 3, 2), "ajax") == "line-of-battle"
    assert box(two_rounds(ship("ajax", "D5/3"), 3, 3, damaged_again="no-effect"), "ajax") == "line-of-battle"
    assert box(two_rounds(ship("ajax", "D5/3"), 3, 5, damaged_again="no-effect"), "ajax") == "out-of-play"


@pytest.mark.parametrize(
    ("reading", "factors"),
    [("no-airstrike", (3, 2, 0)), ("unchanged", (3, 2, 5)), ("halved", (1, 1, 2))],
)
def test_option_damaged_factors(reading: str, factors: tuple[int, int, int]) -> None:
    """For what the scenario does not give; what it gives holds under any reading."""
    bare, given = ship("tone", "G3 T2 A5 D5/3"), ship("chikuma", "G3 T2 A5 D5/3", "G2 A4")
    state = start(board([bare, given], [ship("ajax", "D3")]), damaged_factors=reading).state
    assert state.unit("tone").back[:3] == factors
    assert state.unit("chikuma").back[:3] == (2, factors[1], 4)


@pytest.mark.rule("LOB-22", "LOB-18")
@pytest.mark.parametrize(
    ("reading", "text", "found"),
    [
        ("sunk", "D5/3", ("out-of-play", "sunk", False)),
        ("saved", "D5/3", ("delay", "disabled", True)),
        ("saved", "D5", ("delay", "disabled", False)),
    ],
)
def test_option_disabled_and_sunk(reading: str, text: str, found: tuple[str, str, bool]) -> None:
    """Sunk all the same; or saved by having dropped out: damaged too, if it can be."""
    state = seen(hit(6, ship("hornet", text), 5, 6, disabled_and_sunk=reading), "hornet")
    assert (state["box"], state["fate"], state["damaged"]) == found


def test_nobody_is_saved_without_a_disabled_result() -> None:
    assert box(hit(6, ship("hornet", "D5/3"), 6, 1, disabled_and_sunk="saved"), "hornet") == "out-of-play"
    game = hit(6, lba("marauders", "A1 D5/3"), 5, 6, disabled_and_sunk="saved")
    assert seen(game, "marauders")["fate"] == "destroyed"


def test_a_damaged_ship_that_is_saved_keeps_its_damaged_side_up() -> None:
    game = fight(
        board([ship("tone", "G2 D9")], [ship("ajax", "D5/3", "D3")]),
        [("Tone attacks", 6, 1), ("damage", 3), ("Tone attacks", 5, 6), ("damage", 3)],
        *by_night(*TWICE),
        *by_night(),
        disabled_and_sunk="saved",
    )
    assert "Ajax damaged and disabled (3 damage points)" in log(game)
    assert box(game, "ajax") == "delay"
    assert seen(game, "ajax")["damaged"]


@pytest.mark.rule("LOB-23")
@pytest.mark.parametrize("make", [ship, lba])
@pytest.mark.parametrize(
    ("reading", "defense", "damage"),
    [
        ("defense-only", 5, 0),
        ("half-defense", 5, 3),
        ("half-defense", 4, 2),
        ("half-defense", 2, 1),
        ("half-defense", 1, 0),
    ],
)
def test_option_no_damage_factor(make: Any, reading: str, defense: int, damage: int) -> None:
    """None; or half the Defense Factor, rounded up. What the scenario gives holds under any reading."""
    counters = [make("bare", f"A1 D{defense}"), make("given", "A1 D5/4")]
    state = start(board(counters, [ship("ajax", "D3")]), no_damage_factor=reading).state
    assert state.unit("bare").front.damage == damage
    assert state.unit("given").front.damage == 4


@pytest.mark.rule("LOB-23")
def test_option_no_damage_factor_in_a_fight() -> None:
    """3 points against a defense of 5: nothing; or the damaged side, which two more do not sink and three more do."""
    assert not seen(hit(3, ship("hornet", "D5"), 6), "hornet")["damaged"]
    turned = seen(hit(3, ship("hornet", "G2 D5", "G1 D2"), 6, no_damage_factor="half-defense"), "hornet")
    assert (turned["box"], turned["damaged"], turned["gunnery"]) == ("line-of-battle", True, 1)
    assert box(two_rounds(ship("ajax", "D5"), 3, 2, no_damage_factor="half-defense"), "ajax") == "line-of-battle"
    assert box(two_rounds(ship("ajax", "D5"), 3, 3, no_damage_factor="half-defense"), "ajax") == "out-of-play"
