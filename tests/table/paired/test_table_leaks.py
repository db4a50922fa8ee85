"""A crawler for leaks: in a whole battle on a real server, no byte that the other seat or a spectator receives holds a
secret of a side.

The names, ids and cargo of a side's forces are words that occur nowhere else. So are its standing orders and where it
wants to be called; its token, the host's and the secret of the dice are found nowhere else anyhow. Everything is read
as it comes: status, headers and bodies of pages, fragments, streams, the interface for programs, refusals, and
downloads that are asked for too early.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import re
import secrets
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from flagplot.kernel.codewords import codewords
from flagplot.library import read_scenario
from tests.table.nonces import with_nonce
from tests.table.servers import PATIENCE, Server, meanwhile

WORDS = {"japan": "quokka", "allies": "numbat"}
"""None of them is a code word: fingerprints are read in those, so each comes up by chance."""
PAGES = (
    *("", "/log", "/log.txt", "/replay", "/replay?step=9", "/report", "/proof", "/save", "/seats", "/orders"),
    *("/odds?at=1", "/briefing", "/ending", "/notes", "/said", "/help", "/forecast", "/campaign", "/campaign?form=csv"),
)
SEEN_BY = ("japan", "allies", "umpire", "neutral")
FOLLOWED = ("", "/turn", "/sheet", "/news", "/orders", "/calls", "/replay/1", "/replay/9999")


def marked(name: str) -> dict[str, Any]:
    """A scenario in which the secrets of each side are words of its own, the names of its forces among them."""
    scenario = read_scenario(name)
    for number, force in enumerate(scenario["forces"]):
        word = WORDS[force["side"]]
        force["name"] = f"{word.capitalize()} {number}"
        force["id"] = f"{word}-{number}"
        if force.get("cargo"):
            force["cargo"] = f"{word} by the crate"
        for load in force.get("loads", ()):
            load["name"] = f"the {word} of {load['name']}"
    return scenario


class Reader:
    """Somebody who keeps every byte that he is sent."""

    def __init__(self, server: Server, made: dict[str, Any], side: str = "") -> None:
        self.server, self.side = server, side
        self.received: list[bytes] = []
        self.streamed = bytearray()
        self.marked = 0, 0
        self.token = made["tokens"].get(side, "")
        self.public = f"/watch/{made['public_id']}"
        self.table = f"/table/{made['game']}" if side else self.public
        self.program = f"/api/tables/{made['game']}/sides/{side}" if side else f"/api{self.public}"
        self.game = made["game"]
        visitor = secrets.token_hex(16)
        self.cookies = f"visitor={visitor}" + (f"; seat-{made['game']}={self.token}" if side else "")
        found = re.search('name="form-token" content="([0-9a-f]+)"', self.get("/join"))
        assert found
        self.form_token = found[1]

    @contextlib.contextmanager
    def _asked(
        self, method: str, path: str, body: str = "", **headers: str
    ) -> Iterator[tuple[http.client.HTTPResponse, socket.socket]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request(method, path, body.encode() or None, {"Cookie": self.cookies, **headers})
            line: socket.socket = connection.sock
            with connection.getresponse() as answer:
                self.received.append(f"{answer.status} {answer.reason}\n{answer.headers}".encode())
                yield answer, line

    def _read(self, *asked: str, **headers: str) -> str:
        with self._asked(*asked, **headers) as (answer, _):
            self.received.append(answer.read())
            assert answer.status < 500, asked
            if not asked[1].startswith("/static"):
                assert not answer.getheader("ETag")
                assert answer.getheader("Cache-Control") == "no-store"
        return self.received[-1].decode()

    def get(self, path: str, **headers: str) -> str:
        return self._read("GET", path, **headers)

    def post(self, path: str, **fields: str) -> str:
        """As a form of a page does by htmx."""
        body = urlencode({"form_token": self.form_token, **with_nonce(path, fields)})
        headers = {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
        return self._read("POST", path, body, **headers)

    def call(self, path: str, body: Any = None, method: str = "") -> Any:
        """As a program does."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        text = "" if body is None else json.dumps(with_nonce(path, body))
        how = method or ("POST" if text else "GET")
        return json.loads(self._read(how, path, text, **{"Content-Type": "application/json", **headers}))

    def look_around(self) -> None:
        """Ask for everything there is, and for much that there is not."""
        for path in PAGES:
            self.get(f"{self.table}{path}")
        for reader in SEEN_BY:
            self.get(f"{self.table}/replay?seen={reader}")
            self.get(f"/table/{self.game}?as={reader}")
            self.get(f"/table/{self.game}/stream?as={reader}") if reader != self.side else None
            for path in FOLLOWED:
                self.call(f"/api/tables/{self.game}/sides/{reader}{path}")
        for path in ("", "/save", "/verification"):
            self.call(f"/api/tables/{self.game}{path}")
        for path in (self.public, f"{self.public}/save", f"{self.public}/replay", "/tables", "/metrics", "/healthz"):
            self.get(path)
        self.call(f"/api{self.public}/table")
        for deed in ("undo", "propose", "consent"):
            if self.side:
                self.post(f"{self.table}/{deed}", yes="no")
        for option in ("go", "withdraw:all", "number:1"):
            self.post(f"/table/{self.game}/answer", option=option, at="1")
            self.call(f"/api/tables/{self.game}/sides/{self.side or 'japan'}/answers", {"option": option, "at": 1})

    @contextlib.contextmanager
    def following(self, path: str) -> Iterator[None]:
        """Read a stream all the time."""
        headers = {"Authorization": f"Bearer {self.token}"} if path.startswith("/api/") else {}
        with self._asked("GET", path, **headers) as (answer, line):
            assert answer.status == 200
            with meanwhile(self._follow, answer):
                try:
                    yield
                finally:
                    with contextlib.suppress(OSError):  # the server has ended it
                        line.shutdown(socket.SHUT_RDWR)

    def _follow(self, answer: http.client.HTTPResponse) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            while piece := answer.read1():
                self.streamed += piece

    def mark(self) -> None:
        """All that came so far came before the end."""
        self.marked = len(self.received), len(self.streamed)

    @property
    def before_the_end(self) -> bytes:
        answers, streamed = self.marked
        return b"".join(self.received[:answers]) + bytes(self.streamed[:streamed])


def stays(options: list[str]) -> list[str]:
    """Nobody goes home while he need not: the battle is to last."""
    return [text for text in options if text.startswith("withdraw:") and text.endswith(":none")] or options


WHOLE = 9_999
"""More answers than any battle takes: it is played to its end."""


@pytest.mark.parametrize(
    ("scenario", "answers"), [("surigao-strait", WHOLE), ("coral-sea", 16), ("coral-sea-operation", 16)]
)
def test_no_byte_holds_a_secret_of_another_side(server: Server, scenario: str, answers: int) -> None:
    """Over a whole battle, and parts of longer ones. When it is over everybody may know everything."""
    made = server.make(marked(scenario), join=True)
    readers = {side: Reader(server, made, side) for side in ("japan", "allies", "")}
    private = private_words(readers, made)
    chance, given = random.Random(7), 0
    with contextlib.ExitStack() as streams:
        for reader in readers.values():
            streams.enter_context(reader.following(f"{reader.table}/stream"))
            if reader.side:
                streams.enter_context(reader.following(f"{reader.program}/events"))
        while given < answers:
            turn = readers["japan"].call(f"{readers['japan'].program}/turn")["waiting_for"]
            if turn is None:
                break
            for reader in readers.values():
                if given % (48 if answers == WHOLE else 16) == 15:
                    reader.look_around()  # which may take back the last answer
                reader.get(reader.table)
                reader.call(reader.program)
                reader.mark()
            turn = readers["japan"].call(f"{readers['japan'].program}/turn")["waiting_for"]
            asked = readers[turn]
            question = asked.call(f"{asked.program}/turn")["question"]
            texts = [one["text"] for one in question["options"]]
            option = chance.choice(texts if answers == WHOLE and given >= 30 else stays(texts))
            asked.call(f"{asked.program}/answers", {"option": option, "at": question["at"]})
            given += 1
        over = readers["japan"].call(f"{readers['japan'].program}/turn")["waiting_for"] is None
        assert given >= 10
        assert over == (answers == WHOLE)
    for name, reader in readers.items():
        everything = reader.before_the_end.lower()
        assert len(everything) > 300_000
        for side, words in private.items():
            found = [word for word in words if word.lower().encode() in everything]
            if name != side:
                assert found == [], f"{name or 'a spectator'} was sent a secret of {side}: {around(everything, found)}"
            else:
                assert WORDS[side] in found


def around(everything: bytes, found: list[str]) -> str:
    """Where the first of some words stands."""
    place = everything.find(found[0].lower().encode()) if found else 0
    return everything[max(0, place - 600) : place + 200].decode(errors="replace")


def test_no_fingerprint_holds_a_secret_by_chance() -> None:
    assert not [word for word in WORDS.values() for other in codewords() if word in other]


def private_words(readers: dict[str, Reader], made: dict[str, Any]) -> dict[str, list[str]]:
    """What nobody but its side may be sent; and what nobody at all."""
    found: dict[str, list[str]] = {"host": [made["host_token"]]}
    for side, word in WORDS.items():
        reader = readers[side]
        orders, hook = f"orders{secrets.token_hex(6)}", f"https://hooks.example/{secrets.token_hex(6)}"
        text = f'[[order]]\nwhen = "hump:{orders}"\nanswer = "first"\n'
        reader.call(f"{reader.program}/orders", {"text": text}, "PUT")
        reader.call(f"{reader.program}/calls", {"webhook": hook}, "PUT")
        found[side] = [word, orders, hook, reader.token]
    return found
