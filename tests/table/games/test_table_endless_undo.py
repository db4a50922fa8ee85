"""Answering and taking back without end: it has an end, and replays do not go through a game again for each step."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from flagplot.kernel.errors import UndoRefused
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.saves import follow_line
from flagplot.table.games import replay as replaying
from flagplot.table.info import Created, Look
from flagplot.table.server.app import create_app
from flagplot.table.service import taking_back
from flagplot.table.settings import Settings
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Tables]:
    made = Tables(Store(f"sqlite:///{tmp_path}/tables.sqlite", alone=True))
    yield made
    made.close()


def answer(tables: Tables, made: Created, chance: Random | None = None) -> str:
    """The side that is asked answers; which one it was, or nothing at the end."""
    for side in tables.table(made.game).sides:
        question = tables.asked(made.game, side)[0]
        if question is not None:
            option = chance.choice(question.options) if chance else question.options[0]
            tables.answer(made.game, side, option.text, question.at, secrets.token_hex(16))
            return side
    return ""


def told(look: Look) -> list[Any]:
    return [look.view, [entry.as_dict() for entry in look.log], look.pending, look.moment, look.result, look.step]


def until_free(tables: Tables, made: Created) -> str:
    """Answer until a side may take back what it has just answered; which side."""
    for _ in range(100):
        side = answer(tables, made)
        if tables.look(made.game, side).may_undo:
            return side
    raise AssertionError("nothing can be taken back here")


def take_back(tables: Tables, made: Created, side: str) -> None:
    tables.undo(made.game, side, secrets.token_hex(16))


def test_one_answer_can_be_taken_back_twenty_times(here: Tables) -> None:
    made = here.create("midway")
    side = until_free(here, made)
    for _ in range(taking_back.SAME):
        take_back(here, made, side)
        assert answer(here, made) == side
    with pytest.raises(UndoRefused, match="you have taken this back 20 times: this time it stands"):
        take_back(here, made, side)
    assert answer(here, made)  # the game goes on


def test_programs_are_told_the_same(here: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taking_back, "SAME", 1)
    made = here.create("midway")
    side = until_free(here, made)
    take_back(here, made, side)
    answer(here, made)
    client = TestClient(create_app(here, Settings(log_requests=False)), base_url="http://127.0.0.1:8350")
    told = client.post(
        f"/api/tables/{made.game}/sides/{side}/undo",
        json={"nonce": secrets.token_hex(16)},
        headers={"Authorization": f"Bearer {made.tokens[side]}"},
    )
    assert told.status_code == 409
    assert "you have taken this back 1 times" in told.json()["message"]


def test_a_side_takes_back_so_many_answers_at_a_table(here: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taking_back, "ALONE", 3)
    made = here.create("midway")
    for _ in range(3):
        take_back(here, made, until_free(here, made))
    side = until_free(here, made)
    with pytest.raises(UndoRefused, match="you have taken back 3 decisions at this table"):
        take_back(here, made, side)


def test_so_much_is_taken_back_by_consent_at_a_table(here: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taking_back, "CONSENTED", 2)
    made = here.create("midway", seats={"allies": "doctrine"}, level="step")
    here.join(made.tokens["japan"], contribution=secrets.token_hex(32))
    for _ in range(2):
        answer(here, made)
        here.propose_undo(made.game, "japan", secrets.token_hex(16))
    answer(here, made)
    with pytest.raises(UndoRefused, match="2 times decisions were taken back by consent"):
        here.propose_undo(made.game, "japan", secrets.token_hex(16))


def test_a_replay_goes_through_the_tape_once_however_many_steps_are_shown(
    here: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, chance = here.create("malta-turn"), Random(3)
    for number in range(90):
        side = answer(here, made, chance)
        if number % 9 == 0 and side and here.look(made.game, side).may_undo:
            take_back(here, made, side)
    lines = len(here.store.lines(made.game))
    monkeypatch.setattr(replaying, "EVERY", 8)
    assert lines > 8 * replaying.EVERY
    whole = [here.replay(made.game, "axis", 0)]
    followed = [0]

    def follow(*given: object) -> None:
        followed[0] += 1
        follow_line(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(replaying, "follow_line", follow)
    steps = whole[0].steps
    shown = [here.replay(made.game, "axis", step) for step in range(steps + 1)]
    assert followed[0] < lines + (steps + 1) * replaying.EVERY
    followed[0] = 0
    for step in (steps, 0, steps // 2, steps):
        assert told(here.replay(made.game, "axis", step)) == told(shown[step])
    assert followed[0] < 4 * replaying.EVERY
    now = here.look(made.game, "axis")
    assert told(shown[-1])[:3] == told(now)[:3]


def test_a_remembered_replay_is_the_same_as_a_new_one_at_every_step(here: Tables) -> None:
    made, chance = here.create("denmark-strait"), Random(5)
    while answer(here, made, chance):
        here.replay(made.game, "germany", 0)  # remembered while the game goes on
    steps = here.replay(made.game, UMPIRE, 0).steps
    for step in range(steps, -1, -1):
        texts = [line.text for line in here.store.lines(made.game)]
        fresh = replaying.Replays().of(made.game, texts)
        assert told(here.replay(made.game, UMPIRE, step)) == told(fresh.look(UMPIRE, step))
