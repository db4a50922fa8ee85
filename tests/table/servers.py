"""Real servers for tests: `flagplot serve` in a process of its own, which can be killed and started again. They are
forked; `test_table_commands.py` starts some by themselves."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.forking import SERVER, Forked, forker
from tests.table.nonces import with_nonce

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
"""Seconds that anything may take before it counts as broken; a busy machine is no fault of the table."""
LISTENS = re.compile(r"^Flagplot is at http://127\.0\.0\.1:(\d+) ", re.MULTILINE)


def eventually(what: Callable[[], object], words: str = "it did not happen in time") -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until, words
        time.sleep(0.02)


@contextmanager
def meanwhile(work: Callable[..., object], *given: object) -> Iterator[None]:
    """Something is done in a thread of its own, which has to come to its end by itself."""
    thread = Thread(target=work, args=given)
    thread.start()
    try:
        yield
    finally:
        thread.join(PATIENCE)


class Server:
    """A server on a port of its own, which it keeps when it is started again."""

    def __init__(self, folder: Path, store: str = "", **settings: str) -> None:
        self.folder, self.port = folder, 0
        self.where = ["--store", store] if store else ["--data", str(folder / "data")]
        self.settings = {f"FLAGPLOT_{name.upper()}": value for name, value in settings.items()}
        self.process: Forked | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        said = self.folder / f"said-{secrets.token_hex(4)}"
        usual = {"PYTHONPATH": str(ROOT), "FLAGPLOT_ODDS_WORKERS": "1", "FLAGPLOT_COURSE_SECONDS": "0"}
        arguments = ["serve", "--port", str(self.port), *self.where]
        with open(os.devnull) as nothing, open(said, "wb") as out, open(self.folder / "log", "ab") as log:
            files = [nothing.fileno(), out.fileno(), log.fileno()]
            self.process = forker(SERVER).start(arguments, files, self.folder, {**os.environ, **usual, **self.settings})
        process = self.process
        eventually(lambda: LISTENS.search(said.read_text()) or process.poll() is not None, "the server did not start")
        listens = LISTENS.search(said.read_text())
        assert listens, self.log
        self.port = int(listens[1])

    @property
    def log(self) -> str:
        """What it wrote to its log, over all its lives."""
        return (self.folder / "log").read_text()

    def kill(self) -> None:
        """As if the power failed: nothing is closed, nothing is said."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        assert self.process
        self.process.send_signal(how)
        self.process.wait(PATIENCE)

    def ask(self, path: str, body: Any = None, token: str = "", method: str = "") -> Any:
        """The interface for programs: what it says, or the refusal, which is a dictionary with `error`."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        body = with_nonce(path, body)
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.url + path, data, headers, method=method or ("GET" if body is None else "POST"))
        try:
            with urlopen(request, timeout=PATIENCE) as answer:
                text = answer.read().decode()
        except HTTPError as refusal:
            with refusal:
                text = refusal.read().decode()
        return json.loads(text) if text.startswith(("{", "[")) and "\n" not in text else text

    def make(self, scenario: Any, *, join: bool = False, **seats: str) -> dict[str, Any]:
        """A table; with `join` all seats have been taken already."""
        made: dict[str, Any] = self.ask("/api/tables", {"scenario": scenario, "seats": seats})
        assert "tokens" in made, f"{made} {self.log[-2000:]}"
        for token in dict.fromkeys(made["tokens"].values()) if join else ():
            self.ask("/api/join", {"contribution": secrets.token_hex(32)}, token)
        return made


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all that needs none to itself."""
    made = Server(tmp_path_factory.mktemp("server"), rate_limits="no")
    made.start()
    yield made
    made.stop()
