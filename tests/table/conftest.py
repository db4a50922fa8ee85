from __future__ import annotations

from collections.abc import Iterator

import pytest

from flagplot.table.guard import hosts
from tests.table.browsers import STORES, app
from tests.table.chromium import browser, person
from tests.table.databases import address, fresh_address, open_tables, postgres, store, tables
from tests.table.halls import hall
from tests.table.servers import server

__all__ = [
    "address",
    "app",
    "browser",
    "fresh_address",
    "hall",
    "open_tables",
    "person",
    "postgres",
    "server",
    "store",
    "tables",
]


@pytest.fixture(autouse=True, scope="session")
def test_client_is_local() -> Iterator[None]:
    """The client of tests asks for `testserver`, a name that only they know."""
    usual = hosts.LOCAL
    hosts.LOCAL = usual | {"testserver"}
    yield
    hosts.LOCAL = usual


@pytest.fixture(autouse=True, scope="module")
def stores_are_closed() -> Iterator[None]:
    """Also that of a site which nobody closed: Python 3.13 complains of files that are left open."""
    yield
    while STORES:
        STORES.pop().close()
