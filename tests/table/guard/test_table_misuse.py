"""What an attacker or an unlucky user may try at a table: each of these went wrong once."""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from starlette.testclient import TestClient

from flagplot.kernel.errors import BadValue
from flagplot.kernel.verifying import verify_lines
from flagplot.library import read_scenario, ruleset
from flagplot.players.orders import OrdersError
from flagplot.table.api import routes as api
from flagplot.table.games.keeper import GRACE
from flagplot.table.games.live import LiveGame
from flagplot.table.guard import safety
from flagplot.table.guard.rates import RATES, kind_of
from flagplot.table.guard.uploads import read_toml
from flagplot.table.keeping import archives
from flagplot.table.pages import with_rules
from flagplot.table.playing import answers as playing
from flagplot.table.seats import outgoing
from flagplot.table.seats.outgoing import CallFailed, Post, send_webhook
from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.nonces import fresh_nonce


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Tables]:
    made = Tables(Store(str(tmp_path / "tables.sqlite")))
    yield made
    made.close()


# --- links ------------------------------------------------------------------------------------------------------


def test_a_stream_of_the_interface_ends_when_its_link_is_replaced(own: Tables) -> None:
    made = own.create("first-battle")
    side = own.look(made.game, "neutral").waiting_for
    assert side is not None

    async def listen() -> list[bytes]:
        stream = api._events(own, made.game, side, made.tokens[side], nullcontext())
        heard = [await anext(stream)]
        await asyncio.to_thread(own.handovers.replace_link, made.host_token, side)
        heard += [each async for each in stream]
        return heard

    heard = asyncio.run(asyncio.wait_for(listen(), 10))
    assert len(heard) == 1
    name, data = heard[0].decode().strip().split("\r\n")
    assert name == "event: turn"
    assert json.loads(data.removeprefix("data: "))["question"]["options"]


# --- what is brought --------------------------------------------------------------------------------------------


def test_a_key_of_a_hundred_thousand_parts_costs_no_time(own: Tables) -> None:
    text = ".".join(["a"] * 100_000) + " = 1"
    began = time.monotonic()
    with pytest.raises(ValueError, match="line 1 has more than 50 points"):
        read_toml(text)
    made = own.create("first-battle")
    with pytest.raises(OrdersError):
        own.set_orders(made.game, "japan", text[:20_000])
    assert time.monotonic() - began < 2


def test_a_number_that_is_too_long_is_a_fault_of_the_orders(own: Tables) -> None:
    made = own.create("first-battle")
    with pytest.raises(OrdersError, match="this is not TOML"):
        own.set_orders(made.game, "japan", f"a = {'1' * 5000}")


@pytest.mark.parametrize("depth", [60, 900])
def test_a_scenario_of_lists_in_lists_is_refused_in_words(own: Tables, depth: int) -> None:
    client = TestClient(create_app(own, Settings(log_requests=False)), raise_server_exceptions=False)
    said = json.dumps({"scenario": {**read_scenario("first-battle"), "about": 1}})
    said = said.replace('"about": 1', f'"about": {"[" * depth}{"]" * depth}')
    response = client.post("/api/tables", content=said, headers={"Content-Type": "application/json"})
    assert response.status_code == 409
    assert "too deep" in response.json()["message"]


def test_a_name_cannot_turn_the_words_after_it(own: Tables) -> None:
    made = own.create("first-battle", title="Midway\u202e 2491")
    assert own.table(made.game).title == "Midway 2491"


# --- calls ------------------------------------------------------------------------------------------------------


@pytest.fixture
def dripping() -> Iterator[str]:
    """Another end that answers for ever, a letter at a time."""
    listening = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def answer(connection: socket.socket) -> None:
        try:
            connection.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
            while not over.wait(0.1):
                connection.sendall(b"a")
        except OSError:
            return
        finally:
            connection.close()

    def accept() -> None:
        while not over.is_set():
            try:
                threading.Thread(target=answer, args=(listening.accept()[0],), daemon=True).start()
            except OSError:
                return

    threading.Thread(target=accept, daemon=True).start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    over.set()
    listening.close()


def test_a_webhook_that_answers_for_ever_is_cut_off(monkeypatch: pytest.MonkeyPatch, dripping: str) -> None:
    monkeypatch.setattr(outgoing, "PATIENCE", 0.5)
    began = time.monotonic()
    with pytest.raises(CallFailed, match="TimeoutError"):
        send_webhook(dripping, {}, private=True)
    assert time.monotonic() - began < 3


def test_slow_webhooks_do_not_wait_for_one_another(
    monkeypatch: pytest.MonkeyPatch, dripping: str, tmp_path: Path
) -> None:
    monkeypatch.setattr(outgoing, "PATIENCE", 0.5)
    now = [1_000_000.0]
    tables = Tables(Store(str(tmp_path / "calls.sqlite")), clock=lambda: now[0], post=Post(private=True))
    seats = [tables.create("first-battle") for _ in range(6)]
    for made in seats:
        for side, token in made.tokens.items():
            tables.calls.set_messenger(made.game, side, webhook=dripping)
            tables.join(token, contribution=secrets.token_hex(32))
    now[0] += GRACE + 1
    began = time.monotonic()
    assert tables.calls.make_due() == 0
    assert time.monotonic() - began < 2.5
    told = [tables.calls.messenger(made.game, tables.table(made.game).waiting_for or "").last for made in seats]
    assert all(["failed and will be tried again" in each for each in told])
    tables.close()


# --- too much ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/table/gabcdefghij/odds", "odds"),
        ("/table/gabcdefghij/replay", "again"),
        ("/watch/wabcdefghij/proof", "again"),
        ("/watch/wabcdefghij/report", "again"),
        ("/api/tables/gabcdefghij/sides/japan/replay/7", "again"),
        ("/api/tables/gabcdefghij/verification", "again"),
        ("/table/gabcdefghij", ""),
    ],
)
def test_what_costs_much_is_counted(path: str, kind: str) -> None:
    assert kind_of("GET", path) == kind
    assert not kind or kind in RATES


def _ask(app: Any, path: str, receive: Callable[[], Any], method: str = "GET") -> Any:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": method, "path": path, "headers": headers, "client": ("1.2.3.4", 5)}
    return app(scope, receive, send), sent


def test_an_address_has_no_more_than_so_many_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "STREAMS", 2)

    async def run() -> tuple[list[int], dict[str, int]]:
        end = asyncio.Event()

        async def inner(scope: Any, receive: Any, send: Any) -> None:
            await end.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})

        around = safety.Safety(inner, Settings())
        asked = [_ask(around, "/api/watch/x/events", lambda: end.wait()) for _ in range(3)]
        tasks = [asyncio.ensure_future(each) for each, _ in asked]
        await asyncio.sleep(0.05)
        assert tasks[2].done()
        end.set()
        await asyncio.gather(*tasks)
        return [sent[0]["status"] for _, sent in asked], around._streams

    assert asyncio.run(run()) == ([200, 200, 429], {})


def test_a_body_that_does_not_arrive_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safety, "SLOWEST", 0.05)

    async def run() -> int:
        async def never() -> Any:
            await asyncio.sleep(60)

        async def inner(scope: Any, receive: Any, send: Any) -> None:
            raise AssertionError

        deed, sent = _ask(safety.Safety(inner, Settings()), "/api/tables", never, "POST")
        await asyncio.wait_for(deed, 5)
        return int(sent[0]["status"])

    assert asyncio.run(run()) == 408


def test_the_programs_players_take_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of two of the program's players does not keep the only worker until it is over."""
    monkeypatch.setattr(playing, "BATCH", 3)
    tables = Tables(Store(str(tmp_path / "tables.sqlite")), workers=1)
    order, both = list[str](), threading.Event()
    play = tables._playing._some_answers

    def watched(live: LiveGame) -> bool:
        both.wait(10)  # until the second table is there too
        order.append(live.id)
        return play(live)

    tables._playing._some_answers = watched  # type: ignore[method-assign]
    long = [tables.create("midway", seats={"japan": "random", "allies": "random"}).game for _ in range(2)]
    both.set()
    end = time.monotonic() + 10
    while len(order) < 3 and time.monotonic() < end:
        time.sleep(0.01)
    tables.close()
    assert order[:3] == [long[0], long[1], long[0]]


# --- moving tables, and the proof -------------------------------------------------------------------------------


def test_an_export_is_of_one_moment(own: Tables, tmp_path: Path) -> None:
    """While a table is exported it goes on; its row and its lines still belong together."""
    made = own.create("first-battle")
    side = own.asked(made.game, "neutral")[1] or ""
    before = own.store.lines(made.game)
    answered = list[str]()

    def meanwhile(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if "games.secret" in statement and not answered:  # the row itself
            answered.append(side)
            question = own.look(made.game, side).pending
            assert question is not None
            own.answer(made.game, side, question.options[0].text, question.at, fresh_nonce())

    out = tmp_path / "all.jsonl"
    own.asked(made.game, side)  # it is in memory: the next one to ask for its row is the export
    event.listen(own.store._engine, "after_cursor_execute", meanwhile)
    assert archives.export(own.store, [made.game], out) == 1
    event.remove(own.store._engine, "after_cursor_execute", meanwhile)
    assert answered
    assert len(own.store.lines(made.game)) > len(before)
    packed = json.loads(out.read_text())
    assert [line[1] for line in packed["lines"]] == [line.text for line in before]
    assert {link["side"] for link in packed["links"]} == {"", *made.tokens}


def test_the_proof_says_which_rolls_fell_before_a_side_had_joined(own: Tables) -> None:
    made = own.create("denmark-strait")
    first, second = own.table(made.game).sides
    own.join(made.tokens[first], contribution="ab" * 32)
    late = 0
    while (look := own.look(made.game, first)).result is None:
        asked = look.waiting_for or ""
        question = own.look(made.game, asked).pending
        assert question is not None
        own.answer(made.game, asked, question.options[0].text, question.at, fresh_nonce())
        rolls = sum('"roll"' in line.text for line in own.store.lines(made.game))
        if rolls and not late and own.look(made.game, first).result is None:
            late = rolls
            own.join(made.tokens[second], contribution="cd" * 32)
    assert late
    found = own.verify(made.game)
    assert found.sound
    (line,) = found.contributions[second]
    assert sum(roll.line < line for roll in found.parts) == late


def test_a_contribution_that_was_changed_and_chained_again_is_found(own: Tables) -> None:
    from flagplot.kernel.tape import seal

    made = own.create("surigao-strait")  # forty dice and more: they do not fall the same by chance
    for token, byte in zip(made.tokens.values(), ("ab", "ef"), strict=True):
        own.join(token, contribution=byte * 32)
    while (side := own.asked(made.game, "neutral")[1]) is not None:
        question = own.look(made.game, side).pending
        assert question is not None
        own.answer(made.game, side, question.options[0].text, question.at, fresh_nonce())
    lines, head = list[str](), ""
    for line in own.store.lines(made.game):
        body = {key: value for key, value in json.loads(line.text).items() if key != "hash"}
        if body.get("contribute") and not any("cd" * 32 in text for text in lines):
            body["contribute"] = "cd" * 32
        if "prev" in body:
            body["prev"] = head
        text, head = seal(body)
        lines.append(text)
    found = verify_lines([text.encode() for text in lines], ruleset)
    assert any("the dice must show" in problem for problem in found.problems)


# --- words ------------------------------------------------------------------------------------------------------


def test_a_rule_that_is_printed_under_the_same_number_has_a_link_of_its_own() -> None:
    assert with_rules("(23.424#2)") == '(<a class="rule" href="/rules/23.424%232" data-rule="23.424#2">23.424#2</a>)'
    assert '<a class="rule" href="/rules/22.54A" data-rule="22.54A">22.54A</a>#99' in with_rules("22.54A#99")


def test_no_side_is_called_as_one_who_sees_everything(own: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    from flagplot.table.seats import seating

    monkeypatch.setattr(seating, "UMPIRE", "japan")  # our rules refuse it before; those of others might not
    with pytest.raises(BadValue, match="sees what no side may see"):
        own.create("first-battle")
