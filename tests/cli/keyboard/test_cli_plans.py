"""Plans at the keyboard: Enter confirms what the staff has filled in, a number changes it, a level says how much."""

from __future__ import annotations

import pytest

import flagplot
from flagplot.cli.keyboard import plan
from flagplot.kernel.errors import BadValue
from flagplot.kernel.levels import Level
from tests.cli.conftest import Run
from tests.cli.terminals import Start

JAPAN = ("play", "first-battle", "--seed", "5", "--player", "japan=human", "--player", "allies=doctrine")


def test_enter_confirms_the_staffs_plan(run: Run) -> None:
    told = run(*JAPAN, "--level", "flag", typed="\n").out
    assert "Japan › Your plan, 2 decisions" in told
    assert "Japan: combat group 5 (22.423)" in told


def test_a_decision_is_shown_and_changed(run: Run) -> None:
    told = run(*JAPAN, "--level", "flag", typed="2?\n2 2\n\n").out
    assert "Choose a combat group number for the Landing Group and the Carrier Group (22.423)" in told
    assert "Choose a combat group number for the Landing Group and the Carrier Group: 2  your choice" in told
    assert "Japan: combat group 2 (22.423)" in told


def test_the_staffs_plan_comes_back(run: Run) -> None:
    told = run(*JAPAN, "--level", "flag", typed="2 2\nstaff\n\n").out
    assert "Japan: combat group 5 (22.423)" in told


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("9 1", "There is no decision 9. Type a number from 1 to 2."),
        ("1 7", "“7” is not an answer to decision 1. Its answers are 1 and 2."),
        ("xyzzy", "Enter confirms the plan"),
    ],
)
def test_what_cannot_be_meant_says_what_can_be_typed(run: Run, typed: str, told: str) -> None:
    assert told in run(*JAPAN, "--level", "flag", typed=f"{typed}\n").out


def test_a_plan_can_be_asked_step_by_step_and_taken_back_whole(run: Run) -> None:
    told = run(*JAPAN, "--level", "everything", typed="step\n1\n1\n2\nundo\n").out
    assert "Japan › Choose a combat group number for the Landing Group" in told
    told = run(*JAPAN, "--level", "everything", typed="\nundo\n").out
    assert "Too late to take back" in told or "Taken back." in told


def test_in_a_pipe_questions_come_one_by_one_unless_a_level_is_set(run: Run) -> None:
    assert "Your plan" not in run(*JAPAN, typed="").out
    ran = run(*JAPAN, "--level", "admiral", typed="")
    assert ran.code == 2
    assert "flag" in ran.err


def test_whoever_plays_the_program_at_a_terminal_gets_plans(start: Start) -> None:
    table = start("play", "first-battle", "--seed", "5", "--player", "allies=doctrine", columns=100)
    assert "Your plan, 2 decisions" in table.prompt()
    assert "combat group 5 " in table.answer("")
    assert "set it" not in table.answer("level step")


def test_the_staff_tells_what_it_decided() -> None:
    game = flagplot.load("first-battle", seed=5)
    sheet = game.sheet("japan")
    assert plan.decided(sheet, Level.ROUTINE) == []
    quiet = [line.text.plain for line in plan.decided(sheet, Level.COMMAND)]
    assert all(line.startswith("Staff: ") for line in quiet)


TWO = ("play", "cape-matapan", "--seed", "5", "--player", "italy=human", "--player", "allies=human")


def test_two_people_at_one_keyboard_give_orders_ahead(run: Run) -> None:
    """What one has ordered ahead is answered without handing the keyboard over."""
    told = run(*TWO, "--level", "everything", typed="ahead\nahead now\n" + "\n" * 12).out
    assert "You have no orders ahead." in told
    assert "Type ahead to see your orders ahead" in told
    assert "Orders ahead, given when the enemy has decided in secret:" in told
    assert "One order ahead waits for the enemy." in told


def test_levels_have_names() -> None:
    assert plan.read_level("step") is None
    assert plan.read_level("flag") is Level.COMMAND
    with pytest.raises(BadValue):
        plan.read_level("ensign")
