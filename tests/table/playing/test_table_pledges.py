"""Fresh bytes for the dice as clients send them: by programs, and without a trace on the pages of the other side."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from tests.table.halls import Hall
from tests.table.servers import PATIENCE, Server, eventually


class Program:
    """A program at a seat that keeps its stream open and does what it asks for."""

    def __init__(self, server: Server, made: dict[str, Any], side: str) -> None:
        self.server, self.token = server, made["tokens"][side]
        self.path = f"/api/tables/{made['game']}/sides/{side}"
        self.bytes: dict[str, str] = {}
        self.told: list[dict[str, str]] = []
        """What was revealed, as receipts of a browser are kept."""
        self.turns = 0

    def pledge(self) -> str:
        drawn = secrets.token_bytes(32)
        mark = hashlib.sha256(drawn).hexdigest()
        self.bytes[mark] = drawn.hex()
        return mark

    @contextmanager
    def following(self) -> Iterator[None]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        connection.request("GET", f"{self.path}/events", headers={"Authorization": f"Bearer {self.token}"})
        line: socket.socket = connection.sock
        answer = connection.getresponse()
        thread = threading.Thread(target=self._follow, args=(answer,), daemon=True)
        thread.start()
        eventually(lambda: self.turns)
        try:
            yield
        finally:
            with suppress(OSError):  # the server has ended it
                line.shutdown(socket.SHUT_RDWR)
            thread.join(PATIENCE)
            answer.close()
            line.close()

    def _follow(self, answer: http.client.HTTPResponse) -> None:
        event = ""
        for line in iter(answer.readline, b""):
            key, _, text = line.decode().strip().partition(": ")
            event = text if key == "event" else event
            if key == "data" and event == "turn":
                self.turns += 1
            if key == "data" and event == "reveal":
                wanted = json.loads(text)
                body = {"reveal": self.bytes[wanted["pledge"]], "pledge": self.pledge()}
                body["receipt"] = wanted["receipt"]
                assert self.server.ask(f"{self.path}/reveal", body, self.token) == ""
                self.told.append({"reveal": body["reveal"], "before": wanted["receipt"]})


def test_a_program_adds_fresh_bytes_to_the_rolls(server: Server) -> None:
    made = server.make("denmark-strait", join=True)
    programs = {side: Program(server, made, side) for side in made["tokens"]}
    britain = programs["britain"]
    with britain.following():
        assert server.ask(f"{britain.path}/pledge", {"pledge": "short"}, britain.token)["error"]
        assert server.ask(f"{britain.path}/pledge", {"pledge": britain.pledge()}, britain.token) == ""
        refused = server.ask(f"{britain.path}/reveal", {"reveal": "0a" * 32, "pledge": "0b" * 32}, britain.token)
        assert refused["error"] == "conflict"
        while (turn := server.ask(f"{britain.path}/turn", token=britain.token))["waiting_for"]:
            asked = programs[turn["waiting_for"]]
            if question := server.ask(f"{asked.path}/turn", token=asked.token)["question"]:
                given = {"option": question["options"][0]["text"], "at": question["at"]}
                assert server.ask(f"{asked.path}/answers", given, asked.token)["receipt"]
    save = server.ask(f"/api/tables/{made['game']}/save", token=britain.token)
    lines = [json.loads(line) for line in save.splitlines()]
    assert britain.told
    assert [line["reveal"] for line in lines if "reveal" in line] == [each["reveal"] for each in britain.told]
    for each in britain.told:
        place = next(line["n"] for line in lines if line.get("reveal") == each["reveal"])
        fixed, secret = lines[place - 1], lines[-1]["secret"]
        assert "choose" in fixed
        assert each["before"] == hmac.new(secret.encode(), f"receipt/{fixed['hash']}".encode(), "sha256").hexdigest()
    assert server.ask(f"/api/tables/{made['game']}/verification", token=britain.token)["sound"]


def test_a_pledge_shows_on_no_page_but_its_own_sides(hall: Hall) -> None:
    made = hall.make()
    japan, allies, watching = hall.browser(made, "japan"), hall.browser(made, "allies"), hall.stranger()
    places = [
        (japan, f"/table/{made.game}"),
        (japan, f"/table/{made.game}/proof"),
        (watching, f"/watch/{made.public_id}"),
    ]
    client_pages = [client.get(path) for client, path in places]  # those who come for the first time get a cookie
    assert all(page.status_code == 200 for page in client_pages)
    before = [client.get(path).text for client, path in places]
    own, tick = allies.get(f"/table/{made.game}").text, hall.tables.tick(made.game)
    looks = [hall.tables.look(made.game, reader) for reader in ("japan", "neutral")]
    pledge = hashlib.sha256(b"0" * 32).hexdigest()
    hall.tables.pledge(made.game, "allies", pledge)
    assert hall.tables.tick(made.game) == tick, "nobody is woken by it"
    assert [client.get(path).text for client, path in places] == before
    for look in looks:
        after = hall.tables.look(made.game, look.reader)
        assert after.version > look.version
        assert replace(after, version=0) == replace(look, version=0)
    assert 'data-pledge=""' in own
    assert f'data-pledge="{pledge}"' in allies.get(f"/table/{made.game}").text
