"""How the chances of a finished battle went: what is played on, what is told, and that no page waits for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI

import flagplot
from flagplot.kernel.dice import Committed
from flagplot.players import player
from flagplot.table.ending import course as courses
from flagplot.table.ending.course import FEWEST, POINTS, Course, Point, chosen_steps, course_of
from flagplot.table.keeping.archives import bring_in
from flagplot.table.workers.calculator import Busy, Calculator
from tests.table.browsers import Browser, open_site, words

WON = Course(
    (
        Point(0, (), {"japan": 30, "allies": 60}, 100),
        Point(9, ("Round 2 of naval combat", "Hornet sunk"), {"japan": 75, "allies": 20}, 100),
        Point(20, ("1 cruiser damaged",), {"japan": 78, "allies": 20}, 100),
        Point(31, ("Enterprise sunk",), {"japan": 1}, 1),
    )
)


@pytest.fixture(scope="module")
def tape(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A battle that is over."""
    game = flagplot.load("first-battle", dice=Committed("course"))
    game.play({side: player("doctrine", 1) for side in game.sides})
    path = tmp_path_factory.mktemp("course") / "game.jsonl"
    game.save(path, follow=False)
    return path


@pytest.fixture
def app(tmp_path: Path) -> Iterator[FastAPI]:
    with open_site(tmp_path) as made:
        yield made


def test_few_moments_are_filled_up_and_of_many_some_are_taken() -> None:
    assert chosen_steps([], 0) == [0]
    assert chosen_steps([3], 5) == [0, 1, 2, 3, 4]
    assert len(chosen_steps([10, 20], 100)) == FEWEST
    many = chosen_steps(range(1, 90), 100)
    assert (len(many), many[0], many[-1]) == (POINTS, 0, 89)
    assert len(chosen_steps(range(1, 90), 100, 8)) == 8


def test_turning_points_are_the_largest_changes_and_no_noise() -> None:
    (turn,) = WON.turns("japan")[:1]
    assert (turn.point.step, round(turn.change, 2)) == (9, 0.45)
    assert [one.point.step for one in WON.turns("japan")] == [9, 31]
    assert 0.04 < WON.error("japan") < 0.06
    assert WON.points[-1].error("japan") == 0, "the end is certain"
    assert Point(0, (), {}, 50).error("japan") > 0, "none in fifty is not never"
    assert Course.from_text(WON.as_text()) == WON


def test_the_positions_of_a_replay_are_played_on(tape: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courses, "PLAYOUTS", 1)
    monkeypatch.setattr(courses, "ENOUGH", 1)
    monkeypatch.setattr(courses, "POINTS", 8)
    texts = tape.read_text().splitlines()
    found = course_of(texts, 60)
    assert found is not None
    assert found.points[0].step == 0
    assert all(point.playouts == 1 for point in found.points)
    assert any("sunk" in told for point in found.points for told in point.words)
    assert course_of(texts, 60) == found, "the same games again"
    assert course_of(texts, 0) is None, "nothing is told without games"


def test_an_ending_never_waits_and_shows_the_course_when_it_is_there(app: FastAPI, tape: Path) -> None:
    made = bring_in(app.state.tables.store, tape).made
    assert made
    stranger = Browser(app)
    ending = f"/watch/{made.public_id}/ending"
    assert "not worked out now" in words(stranger.get(ending)), "this server works out none"
    app.state.tables.store.keep_course(made.game, WON.as_text())
    page = stranger.get(ending)
    told = words(page)
    assert "chance to win, ± 5 points" in told
    assert "Hornet sunk." in told
    assert "Round 2" not in told
    assert "+45" in told
    assert f"/watch/{made.public_id}/replay?seen=umpire&amp;step=9" in page.text
    assert "Chance of Japan to win: 30%, 75%, 78%, 100%" in page.text, "the chart in words"
    assert "Hornet sunk." in words(stranger.get(f"{ending}/course"))
    app.state.tables.store.keep_course(made.game, "[]")
    assert "How it turned" not in words(stranger.get(ending)), "a game that takes too long"


def test_a_running_battle_has_no_course(app: FastAPI) -> None:
    made = app.state.tables.create("denmark-strait")
    me = Browser(app)
    me.post("/join", {"token": made.tokens["germany"], "name": "Lütjens"})
    for path in (f"/table/{made.game}/ending/course", f"/watch/{made.public_id}/ending/course"):
        assert me.get(path).status_code == 303
    assert not app.state.courses.begin(made.game)


def test_the_work_is_done_once_in_the_background(app: FastAPI, tape: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def answer(self: Calculator, work: object, lines: list[str], seconds: int) -> Course:
        asked.append(len(lines))
        time.sleep(0.2)
        if len(asked) == 1:
            raise Busy("the machine is very busy just now")
        return WON

    monkeypatch.setattr(Calculator, "run", answer)
    made = bring_in(app.state.tables.store, tape).made
    assert made
    working = app.state.courses
    working._calculator, working._seconds = Calculator(1, 1), 1
    for wanted in (None, WON):
        begun = time.monotonic()
        assert working.begin(made.game)
        assert working.begin(made.game), "it is under way"
        assert time.monotonic() - begun < 0.15
        while made.game in working._under_way:
            time.sleep(0.02)
        assert working.known(made.game) == wanted, "who was refused may ask again"
    assert len(asked) == 2
