"""A browser for tests of pages: it keeps cookies, and its forms bring the token of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from httpx2 import Response
from starlette.testclient import TestClient

from flagplot.table.guard.rates import Counter
from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables

STORES: list[Store] = []
"""Those of all sites of a module; they are closed at its end."""


def site(folder: Path, *, counter: Counter | None = None, **settings: Any) -> FastAPI:
    """The application over an empty store."""
    STORES.append(Store(f"sqlite:///{folder}/tables.sqlite"))
    tables = Tables(STORES[-1])
    return create_app(tables, Settings(**{"log_requests": False, "course_seconds": 0, **settings}), counter=counter)


@contextmanager
def open_site(folder: Path, **settings: Any) -> Iterator[FastAPI]:
    """The application as long as it is needed."""
    made = site(folder, rate_limits=False, **settings)
    yield made
    made.state.calculator.close()
    made.state.courses.close()
    made.state.tables.close()


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    """The application over a store that all tests of a module share."""
    with open_site(tmp_path_factory.mktemp("site")) as made:
        yield made


class Browser:
    """Somebody with cookies of his own."""

    def __init__(self, app: FastAPI, address: str = "192.0.2.1") -> None:
        self.client = TestClient(app, follow_redirects=False, client=(address, 50000))

    def get(self, path: str, **headers: str) -> Response:
        return self.client.get(path, headers=headers)

    @property
    def token(self) -> str:
        """The token of forms that this browser is shown."""
        found = re.search('name="form-token" content="([0-9a-f]{32})"', self.get("/join").text)
        assert found
        return found[1]

    def post(self, path: str, data: Mapping[str, str] | None = None, **more: Any) -> Response:
        return self.client.post(path, data={"form_token": self.token, **(data or {})}, **more)

    @property
    def cookies(self) -> dict[str, str]:
        return dict(self.client.cookies)


def words(response: Response) -> str:
    """What is to be read on a page: no tags, one blank between words."""
    text = re.sub(r"<(script|style|title|desc)\b.*?</\1>", " ", response.text, flags=re.DOTALL)
    return " ".join(unescape(re.sub("<[^>]+>", " ", text)).split())


def value_of(response: Response, name: str) -> str:
    """What a field of a page holds, found by its id."""
    found = re.search(f'<input[^>]*id="{re.escape(name)}"[^>]*>', response.text)
    assert found, name
    value = re.search('value="([^"]*)"', found[0])
    return unescape(value[1]) if value else ""
