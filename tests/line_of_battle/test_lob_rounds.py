"""Steps 5 and 6, the second round, and base attacks."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Roll
from flagplot.line_of_battle.state import State
from tests.line_of_battle.battles import answer, box, by_day, by_night, fight, log, offered, result, seen, start
from tests.line_of_battle.boards import board, lba, ship

PLAIN = board([ship("tone", "G1 D3")], [ship("ajax", "G1 D3")])
MISS: list[tuple[str | int, ...]] = [("Tone attacks", 1), ("Ajax attacks", 1)]


# --- retreat and the second round ---------------------------------------------------------------------------------


@pytest.mark.rule("LOB-05")
def test_the_phasing_faction_is_asked_first_and_its_retreat_ends_the_battle() -> None:
    game = fight(PLAIN, MISS, *by_night())
    assert isinstance(game.pending, Choose)
    assert game.pending.side == "red"
    assert offered(game) == ["retreat:stay", "retreat:retreat"]
    game.choose("retreat:retreat")
    assert box(game, "tone") == "retreated"
    assert result(game)["resolution"] == "repulsion"


@pytest.mark.rule("LOB-05")
def test_then_the_other_faction() -> None:
    game = fight(PLAIN, MISS, *by_night("retreat:stay"))
    assert isinstance(game.pending, Choose)
    assert game.pending.side == "blue"
    game.choose("retreat:retreat")
    assert box(game, "ajax") == "retreated"
    assert result(game)["resolution"] == "success"
    assert result(game)["winner"] == "red"


@pytest.mark.rule("LOB-06")
def test_two_rounds_and_never_a_third() -> None:
    game = fight(PLAIN, MISS + MISS, *by_night("retreat:stay", "retreat:stay"), *by_night())
    assert game.pending is None
    assert result(game)["rounds"] == 2
    assert log(game).count("Retreat, or fight a second round?") == 2


@pytest.mark.rule("LOB-06", "LOB-05")
def test_no_second_round_and_no_retreat_when_a_faction_has_nobody_left() -> None:
    game = fight(PLAIN, [("Tone attacks", 5), ("Ajax attacks", 1)], *by_night())
    assert result(game)["resolution"] == "success"
    assert result(game)["rounds"] == 1
    assert "Retreat" not in log(game)


# --- resolution ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("LOB-07")
@pytest.mark.parametrize(
    ("tone", "ajax", "word", "winner"),
    [(5, 1, "repulsion", "blue"), (1, 5, "success", "red"), (5, 5, "stalemate", None), (1, 1, "stalemate", None)],
)
def test_who_remains_in_the_line(tone: int, ajax: int, word: str, winner: str | None) -> None:
    """In the second round: the face that each ship is attacked with; a 5 disables it."""
    rolls: list[tuple[str | int, ...]] = [*MISS, ("Tone attacks", ajax), ("Ajax attacks", tone)]
    game = fight(PLAIN, rolls, *by_night("retreat:stay", "retreat:stay"), *by_night())
    found = result(game)
    assert (found["resolution"], found["winner"], found["rule"]) == (word, winner, "LOB-07")
    assert found["ended"].startswith(word)
    assert found["summary"].startswith(word.title())


@pytest.mark.rule("LOB-07")
def test_option_who_remains() -> None:
    """Only LBAs are left of red: they hold the line, or count for nothing."""
    scenario = board([ship("tone", "G1 D3"), lba("bettys", "A1 D3")], [ship("ajax", "G1 D3"), ship("leander", "D9")])
    rolls: list[tuple[str | int, ...]] = [("Tone attacks", 1), ("Ajax attacks", 5)]
    answers = (*by_night("targets:tone:ajax", "retreat:stay", "retreat:stay"), *by_night())
    assert result(fight(scenario, rolls, *answers))["resolution"] == "stalemate"
    found = result(fight(scenario, rolls, *answers, who_remains="ships-only"))
    assert found["resolution"] == "repulsion"


@pytest.mark.rule("LOB-05")
def test_option_retreat_by_unit() -> None:
    """Some may leave and the others fight on; if all leave, the battle is over."""
    scenario = board([ship("tone", "G1 D3"), ship("chikuma", "G1 D3")], [ship("ajax", "D3")])
    rolls: list[tuple[str | int, ...]] = [("Tone attacks", 1), ("Chikuma attacks", 1)]
    game = fight(scenario, rolls, *by_night(), retreat="by-unit")
    assert offered(game) == ["retreat:tone:stay", "retreat:tone:retreat"]
    answer(game, "retreat:tone:retreat")
    part = game.copy()
    answer(part, "retreat:chikuma:stay", "retreat:ajax:stay")
    assert offered(part) == ["select:day", "select:night"]
    assert part.state.line("red") == ["chikuma"]
    answer(game, "retreat:chikuma:retreat")
    assert result(game)["resolution"] == "repulsion"


@pytest.mark.rule("LOB-07", "LOB-05")
@pytest.mark.parametrize("stays", [(), ("retreat:stay",)])
def test_option_after_retreat(stays: tuple[str, ...]) -> None:
    """A retreat after the first round: resolved like any other battle, or not at all."""
    answers = by_night(*stays, "retreat:retreat")
    assert result(fight(PLAIN, MISS, *answers))["resolution"] == ("success" if stays else "repulsion")
    found = result(game := fight(PLAIN, MISS, *answers, after_retreat="no-resolution"))
    assert (found["resolution"], found["winner"]) == ("no resolution", None)
    assert found["ended"] == "a retreat after the first round, without a resolution"
    assert found["summary"] == "No resolution: Red lost nothing; Blue lost nothing"
    assert "Battle over: a retreat after the first round" in log(game)
    assert "battle over (no resolution)" in str(game.view("red"))


def test_a_battle_without_a_retreat_or_with_a_second_round_is_resolved_in_any_case() -> None:
    won = fight(PLAIN, [("Tone attacks", 5), ("Ajax attacks", 1)], *by_night(), after_retreat="no-resolution")
    assert result(won)["resolution"] == "success"
    scenario = board([ship("tone", "G1 D3"), ship("chikuma", "D3")], [ship("ajax", "D3")])
    parted = fight(
        scenario,
        [("Tone attacks", 1)] * 2,
        *by_night("retreat:tone:stay", "retreat:chikuma:retreat", "retreat:ajax:stay"),
        *by_night(),
        retreat="by-unit",
        after_retreat="no-resolution",
    )
    assert box(parted, "chikuma") == "retreated"
    assert result(parted)["resolution"] == "stalemate"


@pytest.mark.rule("LOB-06")
def test_option_empty_line() -> None:
    """The Ajax is disabled in the first round: it is over; or day or night is settled once more, and nobody attacks."""
    rolls: list[tuple[str | int, ...]] = [("Tone attacks", 5), ("Ajax attacks", 1)]
    stopped = result(fight(PLAIN, rolls, *by_night()))
    assert (stopped["resolution"], stopped["rounds"]) == ("success", 1)
    game = fight(PLAIN, rolls, *by_night(), empty_line="second-round")
    assert offered(game) == ["select:day", "select:night"]
    assert "Retreat" not in log(game)
    answer(game, *by_night())
    assert (result(game)["resolution"], result(game)["rounds"]) == ("success", 2)
    assert log(game).count("no unit can attack") == 2


PAIR = board([ship("tone", "G2 D9")], [ship("ajax", "G1 D5/3", "G1 D2"), ship("leander", "D9")])


@pytest.mark.rule("LOB-25", "LOB-27")
@pytest.mark.parametrize("damaged", [False, True])
def test_option_delay_box(damaged: bool) -> None:
    """Disabled in the first round: gone for the second, or back in the line with the same side up."""
    rolls: list[tuple[str | int, ...]] = [("Tone attacks Ajax", 5, 6 if damaged else 1), ("Ajax attacks", 1)]
    rolls[1:1] = [("damage", 3)] * damaged
    answers = by_night("targets:tone:ajax", "retreat:stay", "retreat:stay")
    stayed, back = [fight(PAIR, rolls, *answers, delay_box=reading) for reading in ("stay", "rejoin")]
    assert (box(stayed, "ajax"), seen(stayed, "ajax")["fate"]) == ("delay", "disabled")
    assert (box(back, "ajax"), seen(back, "ajax")["fate"]) == ("line-of-battle", "")
    assert seen(back, "ajax")["damaged"] == damaged
    assert "Ajax returns from the Delay Box (assumed)" in log(back)
    answer(back, *by_night())
    assert offered(back) == ["targets:tone:ajax", "targets:tone:leander"]


@pytest.mark.rule("LOB-28", "LOB-25")
def test_destroyed_lbas_and_sunk_ships_do_not_rejoin() -> None:
    blue = [lba("marauders", "A1 D2"), ship("ajax", "D2"), ship("leander", "D9")]
    game = fight(
        board([lba("bettys", "A1 D9"), ship("hiryu", "A1 D9")], blue),
        [("Hiryu attacks", 6), ("damage", 6), ("Bettys attacks", 6), ("damage", 6), ("Marauders attacks", 1)],
        *by_day("targets:hiryu:ajax", "targets:bettys:marauders"),
        *("targets:marauders:hiryu", "retreat:stay", "retreat:stay"),
        delay_box="rejoin",
    )
    assert game.state.round == 2
    assert (box(game, "marauders"), box(game, "ajax")) == ("delay", "out-of-play")


def test_ships_rejoin_for_a_second_round_only() -> None:
    """A faction whose ships are all delayed has lost after the first round, unless the second is gone through."""
    rolls: list[tuple[str | int, ...]] = [("Tone attacks", 5), ("Ajax attacks", 1)]
    over = fight(PLAIN, rolls, *by_night(), delay_box="rejoin")
    assert result(over)["boxes"]["blue"] == {"delay": ["ajax"]}
    on = fight(PLAIN, rolls + MISS, *by_night(), *by_night(), delay_box="rejoin", empty_line="second-round")
    assert result(on)["resolution"] == "stalemate"
    assert result(on)["losses_by_faction"]["blue"]["disabled"] == []


# --- base attacks -------------------------------------------------------------------------------------------------


def raid(red: list[dict[str, Any]], blue: list[dict[str, Any]], rounds: int = 2) -> dict[str, Any]:
    return board(red, blue, kind="base-attack", base_attack_rounds=rounds)


@pytest.mark.rule("LOB-20")
def test_disabled_ships_fight_until_the_last_base_attack_round_is_over() -> None:
    """The Hermes is disabled in the first of two rounds: in the second she is still a target, and still attacks."""
    game = start(raid([ship("hiryu", "A1 D5/3")], [ship("hermes", "A1 D5/3")]))
    game.roll([5])
    game.roll([1])
    assert game.state.round == 2
    assert box(game, "hermes") == "line-of-battle"
    assert seen(game, "hermes")["disabled"]
    assert "Hiryu attacks Hermes" in str(game.pending)
    game.roll([1])
    assert "Hermes attacks Hiryu" in str(game.pending)
    game.roll([1])
    assert box(game, "hermes") == "delay"


@pytest.mark.rule("LOB-20")
def test_held_results_neither_silence_nor_save() -> None:
    rolls: list[tuple[str | int, ...]] = [("Hiryu attacks", 5), ("Hermes attacks", 1)]
    rolls += [("Hiryu attacks", 6), ("damage", 6), ("Hermes attacks", 1)]
    game = _raid_game(*rolls, disabled_ships="silenced", disabled_and_sunk="saved")
    assert box(game, "hermes") == "out-of-play"


def _raid_game(*rolls: tuple[str | int, ...], **options: Any) -> Game[State]:
    scenario = raid([ship("hiryu", "G3 A1 D5/3")], [ship("hermes", "G3 T2 A1 D5/3", "A1 D2")])
    return fight(scenario, list(rolls), **options)


@pytest.mark.rule("LOB-20")
def test_held_results_take_effect_together_at_the_end() -> None:
    game = _raid_game(
        ("Hiryu attacks", 5), ("Hermes attacks", 5), ("Hiryu attacks Hermes", 1), ("Hermes attacks Hiryu", 1)
    )
    assert box(game, "hermes") == box(game, "hiryu") == "delay"
    assert log(game).index("Base attack round 2") < log(game).index("Hermes disabled after the base attack")
    assert result(game)["resolution"] == "stalemate"
    assert result(game)["rounds"] == 2


@pytest.mark.rule("LOB-20")
def test_damage_of_a_base_attack_round_takes_effect_at_once() -> None:
    """Damaged in the first round, disabled in it too: the damaged side is up in the second, the rest waits."""
    game = _raid_game(
        ("Hiryu attacks", 6), ("damage", 3), ("Hermes attacks", 1), ("Hiryu attacks", 5), ("Hermes attacks", 1)
    )
    assert box(game, "hermes") == "delay"
    assert seen(game, "hermes")["damaged"]
    assert "LOB-27" in [entry["rule"] for entry in result(game)["consequences"]]


@pytest.mark.rule("LOB-20")
def test_sunk_in_a_later_base_attack_round_goes_before_a_held_disabled() -> None:
    game = _raid_game(
        ("Hiryu attacks", 5), ("Hermes attacks", 1), ("Hiryu attacks", 6), ("damage", 6), ("Hermes attacks", 1)
    )
    assert box(game, "hermes") == "out-of-play"
    assert result(game)["resolution"] == "success"


def test_a_base_attack_ends_early_when_nobody_is_left() -> None:
    game = _raid_game(("Hiryu attacks", 6), ("damage", 6), ("Hermes attacks", 1))
    assert result(game)["rounds"] == 1


@pytest.mark.rule("LOB-20")
def test_option_base_attackers() -> None:
    """Only aircraft, or torpedoes as well; guns never."""
    _raid_game(*[("Hiryu", 1), ("Hermes attacks", 1)] * 2)
    _raid_game(*[("Hiryu", 1), ("Hermes attacks", 1, 1, 1)] * 2, base_attackers="day-factors")


def test_a_base_attack_has_the_rounds_of_its_scenario_and_no_retreat() -> None:
    scenario = raid([ship("hiryu", "A1 D5/3")], [ship("hector", "D5")], rounds=3)
    game = fight(scenario, [("Hiryu attacks Hector", 1)] * 3)
    assert result(game)["rounds"] == 3
    assert "Retreat" not in log(game)


# --- the log and the steps ----------------------------------------------------------------------------------------


def test_the_log_names_house_rules_at_the_start() -> None:
    assert fight(PLAIN, []).log("red")[0].text == "House rules: standard"
    told = fight(PLAIN, [], carry_damage=True, gun_dice="each-ship").log("blue")[0].text
    assert told == "House rules: carry damage yes, gun dice each-ship"


def test_the_view_tells_the_step_of_the_page() -> None:
    game = fight(board([ship("tone", "G1 D3")], [ship("ajax", "G1 D3"), ship("leander", "G1 D3")]), [])
    marks = [game.view("red").data["segment"]["mark"]]
    answer(game, *by_night())
    marks.append(game.view("red").data["segment"]["mark"])
    game.choose("targets:tone:ajax")
    while isinstance(game.pending, Roll):
        mark = game.view("red").data["segment"]["mark"]
        marks += [mark] if mark != marks[-1] else []
        game.roll([1])
    marks.append(game.view("red").data["segment"]["mark"])
    assert marks == ["1", "2", "3", "5"]


def test_by_day_and_by_night_in_one_battle() -> None:
    scenario = board([ship("tone", "G2 T1 D9")], [ship("ajax", "G2 D9")])
    rolls: list[tuple[str | int, ...]] = [("Tone", 1), ("Tone", 1, 1), ("Ajax", 1, 1)]
    game = fight(scenario, rolls, *by_day("retreat:stay", "retreat:stay"), *by_night("weapons:tone:gunnery"))
    assert result(game)["resolution"] == "stalemate"
