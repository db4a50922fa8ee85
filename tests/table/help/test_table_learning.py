"""Learning in the browser: the list, a drill, and what the odds say of an answer."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import pytest
from starlette.testclient import TestClient

from flagplot.drills import drills, judged
from flagplot.table.server.app import create_app
from flagplot.table.workers.calculator import Busy, Calculator
from tests.table.battle.test_table_pages import words


@pytest.fixture
def client() -> TestClient:
    app = create_app(Mock())
    app.state.calculator = Mock(ask_drill=judged)
    return TestClient(app)


def test_everything_that_can_be_learnt_is_listed(client: TestClient) -> None:
    page = client.get("/learn").text
    for name, one in drills().items():
        assert f'href="/learn/{name}"' in page
        assert one.title in words(page)


@pytest.mark.parametrize("name", list(drills()))
def test_a_drill_asks_and_every_answer_is_judged(client: TestClient, name: str) -> None:
    asked = client.get(f"/learn/{name}")
    assert asked.status_code == 200
    assert "exact" not in words(asked.text).lower(), "no odds before an answer"
    found = judged(name)
    for choice in found.choices:
        assert f'value="{choice.text}"' in asked.text
    last = found.choices[-1]
    told = words(client.get(f"/learn/{name}", params={"answer": last.text}).text)
    assert found.verdict(last.text) in told
    assert last.why in told


def test_what_is_not_there_is_not_found(client: TestClient) -> None:
    assert client.get("/learn/nonsense").status_code == 404
    assert client.get("/learn/cap", params={"answer": "engage:all"}).status_code == 404


def test_a_busy_desk_says_so_and_the_question_stays(client: TestClient) -> None:
    state: Any = client.app
    state.state.calculator.ask_drill = Mock(side_effect=Busy("many people are asking just now"))
    page = words(client.get("/learn/withdrawal", params={"answer": "withdraw:all"}).text)
    assert "many people are asking" in page
    assert "Stay and fight" in page


def test_the_odds_of_a_drill_are_worked_out_by_the_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Calculator, "run", lambda self, work, *given: work(*given))
    assert Calculator().ask_drill("cap") == judged("cap")
