"""Calls to seats whose turn it is: once, with retries, with no secret, and not into the server's own network."""

from __future__ import annotations

import asyncio
import json
import random
import re
import socketserver
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from flagplot.kernel.errors import BadValue
from flagplot.kernel.ruleset import NEUTRAL
from flagplot.table.games.keeper import GRACE
from flagplot.table.info import Created
from flagplot.table.refusals import NotAllowed, StoreError
from flagplot.table.seats import notifications as notices
from flagplot.table.seats.notifications import AGAIN
from flagplot.table.seats.outgoing import CallFailed, Post, read_webhook, send_webhook
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.clocks import Clock
from tests.table.nonces import fresh_nonce
from tests.table.servers import eventually


class Receiver:
    """The other end of a webhook: remembers what came, and answers as told."""

    def __init__(self) -> None:
        self.status, self.came = 204, list[dict[str, Any]]()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.came.append({"path": self.path, "host": self.headers["Host"], **json.loads(body)})
                self.send_response(receiver.status)
                if receiver.status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *given: Any) -> None:
                """Quietly."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook?key=1"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


Serve = Callable[..., Tables]


@pytest.fixture
def serve(tmp_path: Path, clock: Clock) -> Iterator[Serve]:
    opened: list[Tables] = []

    def open_one(**post: Any) -> Tables:
        opened.append(Tables(Store(str(tmp_path / "s")), clock=clock, post=Post(**{"private": True, **post})))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


def sides(tables: Tables, made: Created) -> tuple[str, str]:
    """The side that is asked, and the other."""
    asked = tables.look(made.game, NEUTRAL).waiting_for
    assert asked is not None
    return asked, next(side for side in tables.table(made.game).sides if side != asked)


def until_asked(tables: Tables, made: Created, side: str) -> None:
    """The other side answers until this one is asked."""
    chance = random.Random(1)
    while (asked := tables.look(made.game, NEUTRAL).waiting_for) != side:
        assert asked is not None
        question, _, _ = tables.asked(made.game, asked)
        assert question is not None
        tables.answer(made.game, asked, chance.choice(question.options).text, question.at, fresh_nonce())


def to_be_called(tables: Tables, receiver: Receiver) -> tuple[Created, str]:
    """A table, and the side that is asked there now and is called by webhook."""
    made = tables.create("midway")
    _, side = sides(tables, made)
    tables.calls.set_messenger(made.game, side, webhook=receiver.url)
    until_asked(tables, made, side)
    return made, side


def name_of(tables: Tables, made: Created, side: str) -> str:
    """What people call a side."""
    return str(tables.look(made.game, side).view.sides[side])


def test_a_seat_that_is_asked_and_not_there_is_called_once(serve: Serve, clock: Clock, receiver: Receiver) -> None:
    tables = serve(address="https://table.example")
    made = tables.create("midway", title="Evening")
    _, side = sides(tables, made)
    tables.calls.set_messenger(made.game, side, webhook=receiver.url)
    until_asked(tables, made, side)
    assert tables.calls.make_due() == 0  # it may be just reloading its page
    clock.now += GRACE + 1
    assert tables.calls.make_due() == 1
    clock.now += 100_000
    assert tables.calls.make_due() == 0
    (call,) = receiver.came
    assert call["path"] == "/hook?key=1"
    assert (call["game"], call["side"], call["title"]) == (made.game, side, "Evening")
    assert call["url"] == f"https://table.example/table/{made.game}"
    assert call["text"] == call["content"]
    assert f"the turn of {name_of(tables, made, side)}" in call["text"]
    assert tables.calls.messenger(made.game, side).last == "webhook: the last call arrived"


def test_a_call_says_what_is_asked_in_words_for_everybody(serve: Serve, clock: Clock, receiver: Receiver) -> None:
    tables = serve()
    made = tables.create("midway")
    chance = random.Random(3)
    for side in tables.table(made.game).sides:
        tables.calls.set_messenger(made.game, side, webhook=receiver.url)
    secrets = []
    for _ in range(25):
        asked = tables.look(made.game, NEUTRAL).waiting_for
        if asked is None:
            break
        question, _, _ = tables.asked(made.game, asked)
        assert question is not None
        with tables.game(made.game, NEUTRAL) as game:
            if game.pending is not None and game.pending.secret:
                secrets.append(question.text)
        clock.now += GRACE + 1
        tables.calls.make_due()
        tables.answer(made.game, asked, chance.choice(question.options).text, question.at, fresh_nonce())
    told = json.dumps(receiver.came, ensure_ascii=False)
    assert len(receiver.came) >= 15
    assert len(secrets) >= 3
    assert not [text for text in secrets if text in told]
    assert not [token for token in made.tokens.values() if token in told]


def test_who_has_answered_or_sits_there_is_not_called(serve: Serve, clock: Clock, receiver: Receiver) -> None:
    tables = serve()
    made = tables.create("midway")
    first, side = sides(tables, made)
    tables.calls.set_messenger(made.game, side, webhook=receiver.url)
    until_asked(tables, made, side)

    async def present() -> None:
        with tables.subscribe(made.game, side):
            clock.now += GRACE + 1
            tables.calls.make_due()

    asyncio.run(present())
    until_asked(tables, made, first)
    until_asked(tables, made, side)
    question, _, _ = tables.asked(made.game, side)
    assert question is not None
    tables.answer(made.game, side, question.options[0].text, question.at, fresh_nonce())
    tables.calls.set_messenger(made.game, side)
    clock.now += GRACE + 1
    tables.calls.make_due()
    assert receiver.came == []


def test_calls_that_are_due_at_the_same_time_have_an_order_of_their_own(tables: Tables) -> None:
    """Not that in which their rows happen to lie: it would tell a seat of what was written for others."""
    store, made = tables.store, tables.create("midway")
    names = sorted(made.tokens)
    for moment in (2, 1):
        for kind in ("webhook", "email"):
            calls = [{"side": side, "kind": kind, "moment": moment, "due": 5.0} for side in reversed(names)]
            store.append(made.game, [], {}, calls=calls)
    found = store.due(10.0)
    assert [(call["side"], call["moment"], call["kind"]) for call in found] == [
        (side, moment, kind) for side in names for moment in (1, 2) for kind in ("email", "webhook")
    ]
    store.called(found[0], due=6.0)
    store.called(found[0], due=5.0)  # its row is written anew, and lies behind the others now
    assert store.due(10.0) == found


def test_a_call_is_made_later_if_the_store_cannot_be_read_now(
    serve: Serve, clock: Clock, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = serve()
    to_be_called(tables, receiver)
    clock.now += GRACE + 1
    with monkeypatch.context() as broken:
        broken.setattr(tables._playing.games, "use", _unreadable)
        assert tables.calls.make_due() == 0
    clock.now += notices.LEASE + 1
    assert tables.calls.make_due() == 1
    assert len(receiver.came) == 1


def _unreadable(_: str) -> None:
    raise StoreError("the store cannot be read or written now")


def test_a_failed_call_is_tried_again_for_hours_and_then_given_up(
    serve: Serve, clock: Clock, receiver: Receiver
) -> None:
    tables = serve()
    made, side = to_be_called(tables, receiver)
    receiver.status = 500
    clock.now += GRACE + 1
    for number, pause in enumerate(AGAIN, 1):
        assert tables.calls.make_due() == 0
        assert len(receiver.came) == number
        assert (
            "will be tried again: the other end answered with status 500"
            in tables.calls.messenger(made.game, side).last
        )
        clock.now += pause - 1
        assert tables.calls.make_due() == 0
        assert len(receiver.came) == number
        clock.now += 2
    assert tables.calls.make_due() == 0
    assert "given up after 6 tries" in tables.calls.messenger(made.game, side).last
    clock.now += 1e6
    tables.calls.make_due()
    assert len(receiver.came) == len(AGAIN) + 1


def test_calls_outlive_the_server_and_are_made_by_its_thread(
    serve: Serve, clock: Clock, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = serve()
    _, side = to_be_called(first, receiver)
    first.close()
    clock.now += GRACE + 1
    monkeypatch.setattr(notices, "PULSE", 0.01)
    second = serve()
    second.start()
    done = threading.Event()
    for _ in range(500):
        if receiver.came:
            break
        done.wait(0.01)
    assert [call["side"] for call in receiver.came] == [side]


def how_it_went(tables: Tables, made: Created, side: str) -> str:
    """Test the calls of a seat; how it went."""
    tables.calls.test(made.game, side)
    eventually(lambda: not tables.calls.messenger(made.game, side).testing)
    return tables.calls.messenger(made.game, side).last


def test_a_call_can_be_tried(serve: Serve, receiver: Receiver) -> None:
    tables = serve()
    made = tables.create("midway")
    with pytest.raises(BadValue, match="no webhook"):
        tables.calls.test(made.game, "japan")
    tables.calls.set_messenger(made.game, "japan", webhook=receiver.url)
    assert how_it_went(tables, made, "japan") == "webhook: it arrived"
    assert "This is a test" in receiver.came[0]["text"]
    receiver.status = 302
    assert "status 302" in how_it_went(tables, made, "japan")
    assert len(receiver.came) == 2  # nobody went elsewhere
    receiver.close()
    assert "cannot be reached" in how_it_went(tables, made, "japan")
    assert receiver.url not in tables.calls.messenger(made.game, "japan").last
    receiver.__init__()  # type: ignore[misc]  # so that it can be closed once more


# --- addresses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1/",
        "http://10.1.2.3:8080/x",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[fe80::1]/",
        "http://0.0.0.0/",
        "http://224.0.0.1/",
    ],
)
def test_webhooks_do_not_reach_into_our_own_network(address: str) -> None:
    with pytest.raises(NotAllowed):
        read_webhook(address, private=False)
    with pytest.raises(CallFailed, match="own network"):
        send_webhook(address, {}, private=False)
    assert read_webhook(address, private=True) == address


def test_a_name_that_leads_into_our_own_network_is_refused_when_it_is_called() -> None:
    assert read_webhook("http://localhost:9/", private=False)
    with pytest.raises(CallFailed, match="own network"):
        send_webhook("http://localhost:9/", {}, private=False)
    with pytest.raises(CallFailed, match="no host of that name"):
        send_webhook("http://nowhere.invalid/", {}, private=False)


@pytest.mark.parametrize(
    "address", ["ftp://x.example/", "x", "http://", "http://x.example:99999/", "http://x y/", "http://x.example/ä\n"]
)
def test_what_is_no_webhook_is_refused(address: str) -> None:
    with pytest.raises(BadValue):
        read_webhook(address, private=True)


# --- e-mail -----------------------------------------------------------------------------------------------------


class MailServer(socketserver.ThreadingTCPServer):
    """As much of a mail server as a letter needs."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), MailTalk)
        self.letters: list[str] = []


class MailTalk(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline():
            if line.upper().startswith(b"DATA"):
                self.wfile.write(b"354 go on\r\n")
                letter = b""
                while (text := self.rfile.readline()) != b".\r\n":
                    letter += text
                assert isinstance(self.server, MailServer)
                self.server.letters.append(letter.decode())
            self.wfile.write(b"250 well\r\n" if not line.upper().startswith(b"QUIT") else b"221 bye\r\n")


def test_letters_are_sent_if_there_is_a_mail_server(serve: Serve, clock: Clock) -> None:
    with MailServer() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        port = server.server_address[1]
        tables = serve(smtp=f"smtp://127.0.0.1:{port}?from=table@example.org")
        assert tables.calls.has_mail
        made = tables.create("midway")
        _, side = sides(tables, made)
        with pytest.raises(BadValue):
            tables.calls.set_messenger(made.game, side, email="me@example.org\nBcc: all@example.org")
        tables.calls.set_messenger(made.game, side, email="me@example.org")
        eventually(lambda: server.letters)
        code = re.search(r"\b(?:[a-z2-7]{4}-){3}[a-z2-7]{4}\b", server.letters[0])
        assert code
        tables.calls.confirm(code[0])
        until_asked(tables, made, side)
        clock.now += GRACE + 1
        assert tables.calls.make_due() == 1
        server.shutdown()
    _, letter = server.letters
    assert "To: me@example.org" in letter
    assert "From: table@example.org" in letter
    assert f"turn of {name_of(tables, made, side)}" in letter.replace("=\n", "").replace("=\r\n", "")


def test_without_a_mail_server_no_address_is_taken(serve: Serve) -> None:
    tables = serve()
    made = tables.create("midway")
    assert not tables.calls.has_mail
    with pytest.raises(NotAllowed, match="no mail server"):
        tables.calls.set_messenger(made.game, "japan", email="me@example.org")


def test_the_owner_of_the_server_sets_it_up_by_the_environment() -> None:
    given = {"FLAGPLOT_SMTP": "smtps://u:hush@mail.example?from=t@example.org", "FLAGPLOT_WEBHOOKS_PRIVATE": "yes"}
    post = Post.from_environment("https://table.example/", given)
    assert (post.address, post.sender, post.private) == ("https://table.example", "t@example.org", True)
    assert "hush" not in repr(post)
    for wrong in ("mail.example", "http://mail.example?from=a@b.c", "smtp://mail.example"):
        with pytest.raises(BadValue, match="FLAGPLOT_SMTP") as refused:
            Post.from_environment("", {"FLAGPLOT_SMTP": wrong})
        assert "hush" not in str(refused.value)
