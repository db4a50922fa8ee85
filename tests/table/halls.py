"""A server with its tables in the process of a test, and what is read on the pages of a battle and sent from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from flagplot.kernel.ruleset import NEUTRAL
from flagplot.table.battle.rendering import Kind, Rendered
from flagplot.table.info import Created
from flagplot.table.reader import seated, watching
from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.nonces import fresh_nonce

TOKEN = re.compile(r'name="form_token" value="([0-9a-f]+)"')
OPTION = re.compile(r'name="option" value="([^"]*)"')
AT = re.compile(r'name="at" value="(-?\d+)"')
HTMX = {"HX-Request": "true"}


class Hall:
    """A server with its tables, and a browser for each who looks."""

    def __init__(self, folder: Path) -> None:
        self.now = 1_800_000_000.0
        self.tables = Tables(Store(f"sqlite:///{folder / 'hall.db'}"), clock=lambda: self.now)
        self.app = create_app(self.tables, Settings(rate_limits=False, log_requests=False))

    def make(self, scenario: Any = "surigao-strait", **seats: str) -> Created:
        return self.tables.create(scenario, seats=seats, level="step")

    def stranger(self) -> TestClient:
        return TestClient(self.app, follow_redirects=False)

    def browser(self, made: Created, side: str) -> TestClient:
        """Somebody who sits at that side."""
        client = self.stranger()
        client.cookies.set(f"seat-{made.game}", made.tokens[side])
        return client

    def request(self, client: TestClient, path: str) -> Request:
        """A request as the server sees it, for what cannot be asked through a client."""
        known = {"visitor": "0" * 32, **client.cookies}
        cookies = "; ".join(f"{name}={value}" for name, value in known.items())
        headers = [(b"cookie", cookies.encode()), (b"host", b"testserver")]
        scope = {"type": "http", "method": "GET", "path": path, "headers": headers, "query_string": b""}
        return Request(scope | {"app": self.app, "scheme": "http", "server": ("testserver", 80)})


class Page:
    """An open page, as its stream sees it."""

    def __init__(self, hall: Hall, made: Created, side: str) -> None:
        request = hall.request(hall.stranger() if side == NEUTRAL else hall.browser(made, side), "/")
        place = watching(request, made.public_id) if side == NEUTRAL else seated(request, made.game)
        self.kind = Kind(hall.tables, place)
        self.sent: Rendered | None = None

    def look(self) -> str:
        """What the stream sends now."""
        before, self.sent = self.sent, self.kind.look()
        return self.sent.since(before).decode().replace("\r\ndata: ", "\n")


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    made = Hall(tmp_path)
    yield made
    made.tables.close()


def token_of(page: str) -> str:
    """The token that the forms of a page bring."""
    found = TOKEN.search(page)
    assert found
    return found[1]


def moment_of(page: str) -> str:
    """The moment whose question a page asks."""
    found = AT.search(page)
    assert found
    return found[1]


def form_of(page: str) -> dict[str, str]:
    """What an answer from a page brings besides the answer itself."""
    return {"form_token": token_of(page), "at": moment_of(page)}


def answer(client: TestClient, made: Created, page: str, text: str, **more: str) -> Any:
    data = {**form_of(page), "option": text, "nonce": fresh_nonce(), **more}
    return client.post(f"/table/{made.game}/answer", data=data, headers=HTMX if not more.pop("plain", "") else {})


def options_in(page: str) -> list[str]:
    return [unescape(text) for text in OPTION.findall(page)]


def play_on(
    hall: Hall, made: Created, answers: int, seed: int = 1, seen: Callable[[str, str], None] | None = None
) -> int:
    """Let both seats answer at random through their pages; `seen` is given what each of them receives."""
    chance, browsers = Random(seed), {side: hall.browser(made, side) for side in made.tokens}
    for number in range(answers):
        side = hall.tables.table(made.game).waiting_for
        if side is None:
            return number
        page = browsers[side].get(f"/table/{made.game}").text
        offered = options_in(page)
        stays = [text for text in offered if text.startswith("withdraw:") and text.endswith(":none")]
        back = answer(browsers[side], made, page, stays[0] if stays else chance.choice(offered))
        assert back.status_code == 200
        if seen:
            seen(side, page)
            seen(side, back.text)
    return answers
