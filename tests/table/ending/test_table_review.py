"""The review at the end of a battle in the browser: worked out elsewhere, shown when it is ready."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import pytest

from flagplot.review.deciding import Decision, Judged, Worth
from flagplot.table.ending.reviews import Review, Reviews
from flagplot.table.info import Created
from flagplot.table.workers.calculator import Busy, TooLong
from flagplot.table.workers.game_work import judged
from tests.table.battle.test_table_pages import words
from tests.table.halls import Hall, play_on
from tests.table.servers import eventually

FOUND = Decision(3, "screen", "Round 1", "Screen ships?", "22.531C", "None", "One", Worth(-1.5), Worth(-0.5))


@pytest.fixture
def hall(hall: Hall) -> Iterator[Hall]:
    yield hall
    hall.app.state.reviews.close()


def over(hall: Hall) -> Created:
    """A short battle that has been played."""
    made = hall.make("savo-island")
    play_on(hall, made, 200)
    assert hall.tables.table(made.game).finished
    return made


def reviews(*parts: Any) -> Reviews:
    made = Reviews(1)
    made.calculator = Mock(run=Mock(side_effect=parts))
    return made


def test_a_review_is_made_part_by_part() -> None:
    made = reviews(Judged((FOUND,), 2, 3), Busy("later"), Judged((), 3, 3))
    found = made.of("game", "japan", ["…"])
    eventually(lambda: found.done)
    assert found.decisions == [FOUND]
    assert made.of("game", "japan", []) is found, "once is enough"
    assert [call.args[3] for call in made.calculator.run.call_args_list] == [0, 2, 2]  # type: ignore[attr-defined]
    made.close()


def test_a_decision_that_takes_too_long_is_passed_over() -> None:
    made = reviews(Judged((), 1, 3), TooLong("too long"), Judged((FOUND,), 3, 3))
    found = made.of("game", "japan", ["…"])
    eventually(lambda: found.done)
    assert found.decisions == [FOUND]
    made.close()


def test_the_ending_shows_the_review_when_it_is_ready(hall: Hall) -> None:
    made = over(hall)
    player = hall.browser(made, "japan")
    state: Any = hall.app.state
    state.reviews.close()
    state.reviews = Mock(of=Mock(return_value=Review(seen=1, of=3)))
    ending = player.get(f"/table/{made.game}/ending").text
    assert f'hx-get="/table/{made.game}/review"' in ending
    waiting = player.get(f"/table/{made.game}/review", headers={"HX-Request": "true"}).text
    assert "1 of 3" in words(waiting)
    assert "hx-get" in waiting, "it asks again"
    state.reviews.of.return_value = Review([FOUND], 3, 3, done=True)
    page = words(player.get(f"/table/{made.game}/review").text)
    assert "“One” was worth 1.00 factors more." in page
    assert "exact" in page
    assert "Your dice were" in page
    assert "hx-get" not in player.get(f"/table/{made.game}/review", headers={"HX-Request": "true"}).text


def test_a_battle_that_goes_on_has_no_review(hall: Hall) -> None:
    made = hall.make("first-battle")
    answer = hall.browser(made, "japan").get(f"/table/{made.game}/review")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/table/{made.game}")


def test_the_process_judges_the_lines_of_a_game(hall: Hall) -> None:
    made = over(hall)
    found = judged(hall.tables.lines(made.game), "japan", 0, 1.0)
    assert isinstance(found, Judged)
    assert 0 < found.seen <= found.of


def test_the_campaign_sheet_is_there_after_the_end_as_text_csv_and_json(hall: Hall) -> None:
    running = hall.make("savo-island")
    early = hall.browser(running, "japan").get(f"/table/{running.game}/campaign?form=json")
    assert early.status_code == 303
    made = over(hall)
    seat, base = hall.browser(made, "japan"), f"/table/{made.game}/campaign"
    page = seat.get(base)
    assert "Campaign sheet" in words(page.text)
    assert 'data-copy="campaign-text"' in page.text
    text = seat.get(f"{base}?form=txt")
    assert text.text.startswith("Savo Island")
    assert "campaign sheet" in text.text
    assert seat.get(f"{base}?form=csv").text.startswith("part,side,what,number")
    assert seat.get(f"{base}?form=json").json()["over"]
    assert seat.get(f"{base}?form=exe").status_code == 404
    watched = hall.stranger().get(f"/watch/{hall.tables.table(made.game).public_id}/campaign?form=txt")
    assert watched.text == text.text
