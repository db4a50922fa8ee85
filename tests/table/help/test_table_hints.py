"""At the table: players that look ahead, hints, and what was weighed, told when the battle is over."""

from __future__ import annotations

import pickle
import secrets
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from flagplot.kernel.requests import Choose
from flagplot.players import ranks
from flagplot.players.search.budget import Budget
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from flagplot.table.workers.calculator import Busy, Calculator
from flagplot.table.workers.thinking import seed_of
from tests.table.browsers import Browser, site, words


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions are answered in this process, and soon; what is sent there must survive the way."""

    def run(self: Calculator, work: Any, *given: Any, **named: Any) -> Any:
        return pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(partial(work, *given, **named)))()))

    monkeypatch.setattr(Calculator, "run", run)
    monkeypatch.setattr(ranks, "BUDGETS", dict.fromkeys(ranks.BUDGETS, Budget(4, 60.0, 2, 0)))


class Made(NamedTuple):
    """A table that was made by the interface for programs."""

    game: str
    tokens: dict[str, str]


def finished(tables: Tables, game: str) -> None:
    until = time.monotonic() + 60
    while not tables.table(game).finished:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_players_that_look_ahead_play_a_table_to_its_end(tmp_path: Path) -> None:
    tables = Tables(Store(f"sqlite:///{tmp_path}/tables.sqlite"))
    try:
        made = tables.create("ceylon-raid", seats={"japan": "commodore", "britain": "captain"})
        with tables.game(made.game, "japan") as game:
            seed = seed_of(game, "japan")
        finished(tables, made.game)
        with tables.game(made.game, "japan") as game:
            assert seed_of(game, "japan") == seed  # everybody can find what it found
            assert seed_of(game, "britain") != seed
    finally:
        tables.close()


def test_a_player_that_cannot_think_plays_by_its_doctrine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*asked: object, **more: object) -> Any:
        raise Busy("many people are asking just now")

    monkeypatch.setattr(Calculator, "run", busy)
    tables = Tables(Store(f"sqlite:///{tmp_path}/tables.sqlite"))
    try:
        made = tables.create("ceylon-raid", seats={"japan": "admiral", "britain": "doctrine"})
        finished(tables, made.game)
    finally:
        tables.close()


def test_a_hint_says_what_the_staff_would_do_and_can_be_taken(tmp_path: Path) -> None:
    app = site(tmp_path)
    tables, browser = app.state.tables, Browser(app)
    made = tables.create("savo-island", seats={"japan": "person", "allies": "commodore"})
    browser.client.cookies.set(f"seat-{made.game}", made.tokens["japan"])
    token = {"Authorization": f"Bearer {made.tokens['japan']}"}
    tables.join(made.tokens["japan"], contribution="ab" * 16)
    base = f"/table/{made.game}"
    assert f"{base}/hint" in browser.get(base).text
    page = browser.get(f"{base}/hint")
    assert page.status_code == 200
    assert "Score" in words(page)
    assert "Put this in my plan" in words(page)
    told = browser.get(f"/api/tables/{made.game}/sides/japan/hint", **token).json()
    assert told["thoughts"][0]["options"][0]["playouts"] > 0
    assert told["answers"]
    with tables.game(made.game, "japan") as game:
        assert isinstance(game.pending, Choose)
        assert set(told["answers"].values()) & {option.text for option in game.pending.options}
    assert browser.get(f"/api/tables/{made.game}/sides/japan/reasons?of=allies&n=1", **token).status_code == 409
    assert browser.get(f"{base}/reasons").status_code == 303


def test_after_the_battle_everybody_sees_what_was_weighed(tmp_path: Path) -> None:
    app = site(tmp_path)
    tables, browser = app.state.tables, Browser(app)
    said = {"scenario": "ceylon-raid", "seats": {"japan": "commodore:rounds=1", "britain": "person"}}
    told = browser.client.post("/api/tables", json=said)
    assert told.status_code == 201, told.text
    made = Made(told.json()["game"], told.json()["tokens"])
    tables.join(made.tokens["britain"], contribution="ab" * 16)
    browser.client.cookies.set(f"seat-{made.game}", made.tokens["britain"])
    until = time.monotonic() + 60
    while not tables.table(made.game).finished and time.monotonic() < until:
        asked = tables.look(made.game, "britain").pending
        if asked is not None:
            tables.answer(made.game, "britain", asked.options[0].text, asked.at, secrets.token_hex(16))
        time.sleep(0.01)
    base = f"/table/{made.game}"
    assert "What did the staff of the other side think?" in words(browser.get(f"{base}/ending"))
    listed = browser.get(f"{base}/reasons")
    assert "What Japan thought" in words(listed)
    one = browser.get(f"{base}/reasons?of=japan&n=1")
    assert "Options that were compared" in words(one)
    token = {"Authorization": f"Bearer {made.tokens['britain']}"}
    told = browser.get(f"/api/tables/{made.game}/sides/britain/reasons?of=japan&n=1", **token).json()
    assert told["sentence"] in words(one)
