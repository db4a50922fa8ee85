"""The terminal as a newcomer meets it: lists that fit, words that say what is asked, an end that says what was lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import flagplot
from flagplot.cli.keyboard.question import GREETING, question
from flagplot.kernel.requests import Choose
from flagplot.simulation.bids import bid_of
from tests.cli.terminals import Start, Terminal, any_answer

Run = Callable[..., Any]
HINT = GREETING.partition(";")[0]


# --- what to type ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [[], ["odds"], ["rules"]])
def test_the_list_of_commands_cuts_no_sentence_short(run: Run, command: list[str]) -> None:
    told = run(*command, "--help").out
    assert "Commands:" in told
    assert "..." not in told.partition("Commands:")[2]


def test_the_version_is_where_people_look_for_it(run: Run) -> None:
    assert run("--version").out == run("version").out
    assert "  --version " in run("--help").out


def test_what_is_missing_is_said_with_what_to_type(run: Run) -> None:
    assert "Missing option '--attackers'. The attackers: 6 japan elite" in run("odds", "strike").err
    assert "Missing argument 'NAME'. air-combat, " in run("table").err
    assert run("rules", "show", "99").err == "flagplot: no such rule: “99”. Use a number such as 22.71A\n"


def test_with_a_good_guess_a_long_list_is_left_out(run: Run) -> None:
    assert run("play", "midwai").err == "flagplot: no such scenario or file: “midwai”. Did you mean midway?\n"
    assert "or surigao-strait" in run("play", "xyz").err


# --- what there is to play ----------------------------------------------------------------------------------------


def test_scenarios_stand_below_their_game(run: Run) -> None:
    lines = run("scenarios").out.splitlines()
    first, second = lines.index("== A World at War =="), lines.index("== Line of Battle ==")
    names = [line.split()[0] for line in lines]
    assert first < names.index("midway") < second < names.index("savo-island")
    shown = " ".join(lines[names.index("midway")].split())
    assert shown.startswith("midway japan, allies Japan comes to take Midway; ")


@pytest.mark.parametrize("columns", [60, 80])
def test_scenarios_fit_the_screen(start: Start, columns: int) -> None:
    told = start("scenarios", columns=columns).end().splitlines()
    assert max(map(len, told)) <= columns
    place = next(number for number, line in enumerate(told) if line.startswith("okinawa "))
    below = "  A day of kamikazes" if columns == 60 else " " * 39 + "of the Yamato"
    assert told[place + 1].startswith(below)
    bids = [name for name in flagplot.scenario_names() if bid_of(name)]  # what makes them even takes a line more
    assert len(told) <= 3 * len(flagplot.scenario_names()) + len(bids) + 3


def test_the_menu_is_seen_whole(start: Start) -> None:
    table = start("play", rows=24, columns=80)
    lines = table.prompt().splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if "Start here" in line]


# --- what is asked ------------------------------------------------------------------------------------------------


def test_each_who_sits_down_is_told_once_how_to_get_help(start: Start) -> None:
    table = start("play", "denmark-strait", "--level", "step", "--seed", "5", columns=80)
    table.prompt()
    germany, _, britain, again = (table.answer(text) for text in ("", "1", "", "1"))
    assert HINT in germany
    assert HINT in britain
    assert HINT not in again


def test_enter_gives_the_only_answer_there_is(start: Start) -> None:
    table = start("play", "denmark-strait", "--level", "step", "--seed", "5", columns=80)
    table.prompt()
    asked = table.answer("")
    assert "Germany › Nothing to decide (assigning combat air patrol). (23.33)\n" in asked
    assert "  1  Continue (or Enter)\n" in asked
    assert "Hand over to Britain" in table.answer("")


def test_enter_repeats_a_question_that_has_several(run: Run) -> None:
    ran = run("play", "midway", "--player", "japan=human", "--player", "allies=random", typed="\n\n1\n")
    assert ran.out.count("Escort the Midway Invasion Force with another force?") == 3


def test_a_question_begins_with_a_capital_and_does_not_name_the_side_twice() -> None:
    asked = Choose("red", "send", (1, 2), ("{}: the carriers: {}?", "Red", "how many"), {1: "1", 2: "2"}, "22.1")
    assert question(asked, {"red": "Red"})[0].text.plain == "Red › The carriers: how many? (22.1)"


def test_one_die_is_not_dice(run: Run) -> None:
    players = ("--player", "japan=human", "--player", "allies=human")
    typed = "1\n2\n" * 2
    assert "\n1 die, such as 3> " in run("play", "savo-island", *players, "--dice", "manual", typed=typed).out


def test_raiders_are_told_that_their_battle_has_one_round() -> None:
    game = flagplot.load("denmark-strait", seed=5)
    while not isinstance(game.pending, Choose) or not game.pending.find("withdraw:none"):
        if isinstance(game.pending, Choose):
            game.choose(game.pending.options[0])
        else:
            game.roll()
    for side in game.sides:
        told = [entry.text for entry in game.log(side)]
        assert told.count("Choose a group to strike: No more strikes") == 2
    assert game.pending.question == "Raider combat ends after this round. Withdraw?"


# --- what is seen -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [60, 80])
def test_a_board_of_another_game_takes_the_width_of_the_screen(start: Start, columns: int) -> None:
    table = start(
        "play", "savo-island", "--level", "step", "--player", "allies=random", "--seed", "3", rows=24, columns=columns
    )
    lines = table.prompt().splitlines()
    assert max(map(len, lines)) <= columns
    beside = [line for line in lines if "Chokai" in line and "Canberra" in line]
    assert bool(beside) == (columns == 80)


def test_of_an_enemy_who_has_not_shown_himself_it_says_so(start: Start) -> None:
    table = start("play", "first-battle", "--level", "step", "--player", "allies=random", "--seed", "3", columns=60)
    screen = "\n".join(map(str.rstrip, table.prompt().splitlines()))
    assert "United States (intercepting)\n  nothing seen yet\n" in screen


def test_the_end_of_another_game_names_the_units_by_what_befell_them(run: Run) -> None:
    ran = run("play", "ceylon-raid", "--seed", "3", "--save", "game.jsonl")
    result = flagplot.resume("game.jsonl", follow=False).result
    assert result
    told = [f"    {fate}: {', '.join(names)}" for lost in result["losses_by_faction"].values()
            for fate, names in lost.items() if names]  # fmt: skip
    assert told
    for line in told:
        assert line in ran.out
        assert line[2:] in run("report", "game.jsonl").out


def played(table: Terminal) -> str:
    """All that is told from the last answer on, in a game that is played with any answers."""
    table.prompt()
    while "Save the game as?" not in table.fresh:
        assert table.step(any_answer(table.screen)), table.written[-2000:]
    return table.fresh


@pytest.mark.parametrize("columns", [60, 80])
def test_the_end_tells_who_has_won_and_what_each_has_lost(start: Start, columns: int) -> None:
    players = ("--player", "allies=random", "--seed", "3")
    told = played(start("play", "first-battle", "--level", "step", *players, rows=24, columns=columns))
    end = told.partition("Game over ──")[2]
    assert " won" in end
    assert "\nLosses:\n  Japan\n    " in end
    assert "\n  United States\n    " in end
    assert max(map(len, end.splitlines()[:-1])) <= columns
