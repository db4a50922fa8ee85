"""Nothing to decide is not a click: at once against the program, and against people when haste tells nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from flagplot.kernel.levels import Level
from flagplot.kernel.sheets import By
from flagplot.table.battle.page_words import told
from flagplot.table.info import Created
from flagplot.table.playing import staff
from flagplot.table.playing.ahead import ahead_of
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.clocks import Clock
from tests.table.nonces import fresh_nonce


@pytest.fixture
def clock() -> Clock:
    return Clock(1_800_000_000.0)


@pytest.fixture
def hall(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tables]:
    monkeypatch.setattr("flagplot.table.playing.answers.Alarms.set", lambda *given: None)  # the clock is ours
    made = Tables(Store(f"sqlite:///{tmp_path / 'hall.db'}"), clock=clock)
    yield made
    made.close()


def eventually(test: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not test():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.01)


def bodies(tables: Tables, made: Created) -> list[dict[str, Any]]:
    return [json.loads(line.text) for line in tables.store.lines(made.game)]


def confirmed(tables: Tables, made: Created, side: str) -> None:
    sheet = tables.plan(made.game, side, {})
    tables.confirm_plan(made.game, side, {}, sheet.moment, fresh_nonce())


def play_until_nothing_is_to_decide(tables: Tables, made: Created) -> str:
    """People confirm their plans until one of them has nothing to decide; who it is."""
    for _ in range(60):
        side = tables.table(made.game).waiting_for
        assert side is not None
        if not tables.plan(made.game, side, {}).open_to():
            return side
        confirmed(tables, made, side)
    raise AssertionError("there was always something to decide")


def test_against_the_program_it_passes_at_once_and_the_log_says_what_the_staff_did(tables: Tables) -> None:
    made = tables.create("first-battle", seats={"allies": "doctrine"})
    for _ in range(6):
        # nobody is left with what leaves nothing to decide: sooner or later there is a decision, or the end
        eventually(lambda: tables.table(made.game).finished or bool(tables.plan(made.game, "japan", {}).open_to()))
        if tables.table(made.game).finished:
            break
        confirmed(tables, made, "japan")
    own = [line for line in bodies(tables, made) if "choose" in line and line["side"] == "japan"]
    assert {line["by"] for line in own if "by" in line} == {"orders"}
    assert any(["nonce" in line for line in own])
    look = tables.look(made.game, "japan")
    staffs = [told(look, entry, 1) for entry in look.log if entry.mark == "orders"]
    assert staffs
    assert {one.who for one in staffs} == {"Staff"}
    assert all([one.rule for one in staffs])


def test_against_people_nothing_passes_while_its_player_is_away(hall: Tables, clock: Clock) -> None:
    made = hall.create("first-battle", level="flag")
    side = play_until_nothing_is_to_decide(hall, made)
    before = len(bodies(hall, made))
    clock.now += 10 * staff.LATEST
    hall.look(made.game, side)
    time.sleep(0.05)
    assert len(bodies(hall, made)) == before
    hall.wakeups.present_elsewhere([(made.game, side)], clock.now)
    hall.look(made.game, side)
    time.sleep(0.05)
    assert len(bodies(hall, made)) == before, "time runs from when he is there"
    clock.now += staff.LATEST
    hall.wakeups.present_elsewhere([(made.game, side)], clock.now)
    hall.look(made.game, side)
    eventually(lambda: len(bodies(hall, made)) > before)


def passing(hall: Tables, made: Created) -> tuple[str, float] | None:
    """The side that is asked and when its moment passes by itself, or what it has ordered ahead is given."""
    with hall._playing.using(made.game) as live:
        side = live.asked or ""
        moment, when = live.passes.get(bool(ahead_of(live, side).orders), (("", 0, 0), 0.0))
        return (side, when) if moment == (side, live.game.turn, live.game.undone) else None


def test_the_delay_is_drawn_whether_there_is_something_to_decide_or_not(hall: Tables, clock: Clock) -> None:
    made = hall.create("first-battle", level="flag")
    waits = []
    for _ in range(12):
        hall.wakeups.present_elsewhere([(made.game, side) for side in made.tokens], clock.now)
        eventually(lambda: passing(hall, made) is not None)  # no worker is at the question before any more
        side, when = passing(hall, made) or ("", 0.0)
        with hall._playing.using(made.game):
            waits.append((bool(hall.plan(made.game, side, {}).open_to()), when - clock.now))
        confirmed(hall, made, side)
    assert {something for something, _ in waits} == {True, False}
    assert all([staff.SOONEST <= wait <= staff.LATEST for _, wait in waits])
    assert len({wait for _, wait in waits}) == len(waits)


def test_standing_orders_wait_as_long_as_anything_else_and_are_given_while_their_side_is_away(
    hall: Tables, clock: Clock
) -> None:
    made = hall.create("midway", level="step")
    question = hall.asked(made.game, "japan")[0]
    assert question is not None
    orders = "".join([f'[[order]]\nwhen = "{verb}"\nanswer = "first"\n' for verb in ("number", "strengthen", "divide")])
    hall.set_orders(made.game, "japan", orders)
    sheet = hall.plan(made.game, "japan", {})
    ordered = [one for one in sheet if one.by is By.ORDER]
    assert [one.key for one in ordered] == [one.key for one in sheet][: len(ordered)]
    before = len(bodies(hall, made))
    hall.look(made.game, "japan")
    time.sleep(0.05)
    assert len(bodies(hall, made)) == before, "haste would tell of the orders"
    clock.now += staff.LATEST
    hall.look(made.game, "japan")
    eventually(lambda: len(bodies(hall, made)) == before + len(ordered))  # one delay for all that was ordered


def test_another_server_finds_the_same_delay(hall: Tables, clock: Clock) -> None:
    made = hall.create("first-battle", level="flag")
    with hall._playing.using(made.game) as live:
        first = staff.delay(live)
        live.forget()
    with hall._playing.using(made.game) as live:
        assert staff.delay(live) == first


def test_who_takes_something_back_decides_all_of_it_himself(tables: Tables) -> None:
    made = tables.create("arctic-convoy", level="flag")
    side = str(tables.table(made.game).waiting_for)
    sheet = tables.plan(made.game, side, {})
    assert sheet.level is Level.COMMAND
    confirmed(tables, made, side)
    tables.undo(made.game, side, fresh_nonce())
    again = tables.plan(made.game, side, {})
    assert again.level is Level.ROUTINE
    assert [one.chosen for one in again] == [one.chosen for one in sheet]


def test_one_question_at_a_time_passes_nothing(tables: Tables) -> None:
    made = tables.create("first-battle", seats={"allies": "doctrine"}, level="step")
    eventually(lambda: tables.asked(made.game, "japan")[0] is not None)
    for _ in range(8):
        question = tables.asked(made.game, "japan")[0]
        assert question is not None
        tables.answer(made.game, "japan", question.options[0].text, question.at, fresh_nonce())
        eventually(lambda: tables.asked(made.game, "japan")[0] is not None)
    assert not [line for line in bodies(tables, made) if line.get("by")]
