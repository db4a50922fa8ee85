"""What servers of one PostgreSQL tell each other, so that an answer takes few questions to the database."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import secrets
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import event, insert, select, text
from sqlalchemy.exc import DisconnectionError

from flagplot.kernel.requests import Roll
from flagplot.kernel.ruleset import NEUTRAL
from flagplot.table.info import Question
from flagplot.table.playing import fresh_bytes
from flagplot.table.refusals import NoSuchSeat, StoreError
from flagplot.table.store import engines
from flagplot.table.store.schema import lines, notices
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from tests.table.clocks import Clock
from tests.table.databases import Cluster
from tests.table.playing.test_table_fresh_bytes import Browser, answer, bodies, kinds, rolling
from tests.table.servers import eventually


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pair(postgres: Cluster, clock: Clock) -> Iterator[tuple[Tables, Tables]]:
    address = postgres.cleared()
    first, second = Tables(Store(address), clock=clock), Tables(Store(address), clock=clock)
    eventually(lambda: first._hears and second._hears)
    yield first, second
    first.close()
    second.close()


@contextlib.contextmanager
def asked_of(store: Store) -> Iterator[list[str]]:
    """The statements that a store sends meanwhile: what each does, and to what."""
    sent: list[str] = []

    def note(_: Any, __: Any, statement: str, *___: Any) -> None:
        words = re.split(r"[ ,.(\n]+", statement)
        kept = "INSERT INTO lines" in statement
        sent.append("INSERT INTO lines" if kept else " ".join(words[: 2 if words[0] == "SELECT" else 3]))

    event.listen(store._engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(store._engine, "before_cursor_execute", note)


def question(tables: Tables, game: str) -> tuple[str, Question]:
    side = tables.asked(game, NEUTRAL)[1] or ""
    found = tables.asked(game, side)[0]
    assert found is not None
    return side, found


def deaf(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    """Word of other servers is late."""
    monkeypatch.setattr(tables._listener, "_changed", lambda game, what: None)


def _notices_of(store: Store, game: str) -> list[Any]:
    with store._reading() as connection:
        return list(connection.execute(select(notices).where(notices.c.game == game)).mappings())


def other_of(tables: Tables, game: str, side: str) -> str:
    return next(each for each in tables.table(game).sides if each != side)


def test_an_answer_is_kept_without_a_look_at_the_store_and_the_other_server_reads_its_lines_alone(
    pair: tuple[Tables, Tables],
) -> None:
    first, second = pair
    made = first.create("midway")
    side, asked = question(first, made.game)
    assert second.look(made.game, side).pending
    tick = second.tick(made.game)
    with asked_of(first.store) as kept, asked_of(second.store) as read:
        first.answer(made.game, side, asked.options[0].text, asked.at, secrets.token_hex(16))
        first.asked(made.game, side, subscribed=True)
        eventually(lambda: second.tick(made.game) != tick)
        look = second.look(made.game, side, subscribed=True)
        assert second.table(made.game).waiting_for == first.table(made.game).waiting_for
    assert kept == ["INSERT INTO lines"]  # which tells the other server too
    assert read == ["SELECT lines"]
    assert look == first.look(made.game, side)


def test_at_the_end_the_other_server_knows_that_the_game_is_over(pair: tuple[Tables, Tables]) -> None:
    first, second = pair
    made, chance = first.create("first-battle"), random.Random(1)
    assert not second.look(made.game, NEUTRAL).result
    while first.asked(made.game, NEUTRAL)[1]:
        answer(first, made.game, chance)
    eventually(lambda: second.look(made.game, NEUTRAL, subscribed=True).result)
    with asked_of(second.store) as read:
        assert second.table(made.game).finished
    assert "SELECT games" not in read


def test_whoever_is_ahead_of_the_word_is_not_refused(
    pair: tuple[Tables, Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody answers at one server, and at once the next question at another that has not heard yet."""
    first, second = pair
    made, chance = first.create("midway"), random.Random(1)
    second.look(made.game, NEUTRAL)
    deaf(second, monkeypatch)
    answer(first, made.game, chance)
    side, asked = question(first, made.game)
    assert second.answer(made.game, side, asked.options[0].text, asked.at, secrets.token_hex(16))
    answer(first, made.game, chance)
    browser = Browser(second, made, side)
    browser.pledge()
    assert kinds(first, made.game)[-1] == "pledge"


def test_a_pledge_wakes_nobody_and_the_next_answer_elsewhere_is_taken_the_first_time(
    pair: tuple[Tables, Tables],
) -> None:
    first, second = pair
    made = first.create("midway")
    side, asked = question(second, made.game)
    tick = second.tick(made.game)
    Browser(first, made, other_of(first, made.game, side)).pledge()
    live = second._playing.games.known(made.game)
    assert live
    eventually(lambda: live.behind)
    assert second.tick(made.game) == tick
    with asked_of(second.store) as sent:
        second.answer(made.game, side, asked.options[0].text, asked.at, secrets.token_hex(16))
    assert sent.count("INSERT INTO lines") == 1
    assert kinds(first, made.game)[-2:] == ["pledge", "choose"]


def test_a_link_that_was_replaced_opens_nothing_at_the_other_server(pair: tuple[Tables, Tables]) -> None:
    first, second = pair
    made = first.create("midway")
    side, token = next(iter(made.tokens.items()))
    assert second.seat(token)
    answer(first, made.game, random.Random(1))
    eventually(lambda: second.tick(made.game) > 0)
    assert second.known_seat(token)  # an answer changes no link
    first.handovers.replace_link(token, side)
    eventually(lambda: second.known_seat(token) is None)
    with pytest.raises(NoSuchSeat):
        second.seat(token)


@pytest.mark.parametrize("told", [True, False])
def test_bytes_that_another_server_asked_for_are_used_for_this_roll_or_never(
    pair: tuple[Tables, Tables], monkeypatch: pytest.MonkeyPatch, told: bool
) -> None:
    """The server that rolls does not know of the page at the other one, so it does not wait for it."""
    monkeypatch.setattr(fresh_bytes, "PATIENCE", 60.0)
    first, second = pair
    made, chance = first.create("midway"), random.Random(1)
    near, far = (Browser(tables, made, side) for tables, side in zip(pair, first.table(made.game).sides, strict=True))
    for browser in (near, far):
        browser.pledge()
    for _ in range(200):
        answer(first, made.game, chance)
        if rolling(first, made.game):
            break
    promised = second.open_pledge(made.game, far.side) or ""
    assert second.wanted_reveal(made.game, far.side)
    if told:
        assert far.reveal()
    assert near.reveal()
    assert not rolling(first, made.game)
    lines = [body for body in bodies(first, made.game) if "reveal" in body or "skip" in body]
    assert [("reveal" in body) for body in lines if body["side"] == far.side or body.get("skip") == far.side] == [told]
    assert second.open_pledge(made.game, far.side) != promised


def test_the_server_that_took_the_answer_rolls_when_the_last_bytes_come_to_the_other(
    pair: tuple[Tables, Tables], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fresh_bytes, "PATIENCE", 60.0)
    first, second = pair
    made, chance = first.create("midway"), random.Random(1)
    sides = first.table(made.game).sides
    browsers = [Browser(first, made, sides[0]), Browser(second, made, sides[1])]
    for browser in browsers:
        browser.pledge()
    first.store.note_present([(made.game, sides[1])], first.clock())
    for _ in range(200):
        answer(first, made.game, chance)
        if rolling(first, made.game):
            break
    browsers[0].reveal()
    assert rolling(first, made.game)
    with asked_of(second.store) as sent:
        assert browsers[1].reveal()
        eventually(lambda: "roll" in kinds(first, made.game))
    assert "INSERT INTO lines" not in sent
    assert "INSERT INTO reveals" in sent
    assert kinds(first, made.game).count("reveal") == 2
    with second._playing.using(made.game) as live:
        assert not isinstance(live.game.pending, Roll)


def test_who_has_a_page_open_at_another_server_stays_there_while_nothing_happens(
    pair: tuple[Tables, Tables], clock: Clock
) -> None:
    first, second = pair
    made = first.create("midway")
    side = next(iter(made.tokens))
    second.look(made.game, side)
    with asked_of(second.store) as sent:
        first.store.note_present([(made.game, side)], clock())
        eventually(lambda: second.table(made.game).holders[side].present)
        clock.now += 100
        assert not second.table(made.game).holders[side].present
        first.store.note_present([(made.game, side)], clock())
        eventually(lambda: second.table(made.game).holders[side].present)
        clock.now -= 86400  # it was set back: what was noted before says nothing
        assert not second.table(made.game).holders[side].present
    assert sent == []  # it is told, and need not ask


def test_nobody_is_called_who_has_a_page_open_at_another_server(
    pair: tuple[Tables, Tables], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = pair
    made, calls = first.create("midway"), list[str]()
    side = first.table(made.game).waiting_for or ""

    def call(kind: str, *_: Any) -> str:
        calls.append(kind)
        return ""

    monkeypatch.setattr(second.calls, "_try", call)
    first.store.change_seat(made.game, side, webhook="http://127.0.0.1/")
    first._playing.games.changed_elsewhere(made.game)
    first.store.note_present([(made.game, side)], clock())
    second.look(made.game, side)
    clock.now += 200
    answered, asked = question(first, made.game)
    assert answered == side
    first.answer(made.game, side, asked.options[0].text, asked.at, secrets.token_hex(16))
    assert first.table(made.game).waiting_for == side  # and is asked the next question
    eventually(lambda: (live := second._playing.games.known(made.game)) is not None and live.behind)
    second.look(made.game, side, subscribed=True)  # which reads its lines, and not the seats
    first.store.note_present([(made.game, side)], clock())
    clock.now += 20
    second.calls.make_due()
    assert calls == []
    clock.now += 200
    for due in _notices_of(first.store, made.game):
        first.store.called(due, done=None, due=clock())
    second.calls.make_due()
    assert calls == ["webhook"]  # the page is closed


def test_a_connection_that_the_database_has_closed_is_replaced_and_none_is_asked_whether_it_is_open(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(postgres.cleared())
    pings: list[Any] = []
    monkeypatch.setattr(store._engine.dialect, "do_ping", pings.append)
    try:
        assert store.ids() == []
        mine = f"SELECT pg_terminate_backend(pid, 9000) FROM pg_stat_activity WHERE datname = '{store.url.database}'"
        postgres.execute("postgres", mine)
        for _ in range(3):
            assert store.ids() == []
        assert store.faults.number == 0
        assert pings == []
    finally:
        store.close()


def test_after_a_break_connections_are_kept_though_the_clock_was_set_back(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = time.time
    store = Store(postgres.cleared())
    opened: list[Any] = []
    event.listen(store._engine, "connect", lambda *_: opened.append(1))
    try:
        monkeypatch.setattr(time, "time", lambda: right() + 86400)
        store._engine.dispose()
        with pytest.raises(StoreError), store._reading() as connection:
            connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
        monkeypatch.setattr(time, "time", right)
        opened.clear()
        for _ in range(5):
            store.ids()
        assert len(opened) <= 1
    finally:
        store.close()


def test_a_page_of_the_other_server_hears_of_an_answer(pair: tuple[Tables, Tables]) -> None:
    first, second = pair
    made = first.create("midway")

    async def hear() -> bool:
        with second.subscribe(made.game, "japan") as news:
            await asyncio.to_thread(answer, first, made.game, random.Random(1))
            return await news.wait(10)

    assert asyncio.run(hear())


def test_a_server_that_hangs_in_the_middle_of_a_transaction_holds_nobody_up_for_long(
    postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it has locked is free again after a moment: else all answers at other servers would wait for it."""
    address = postgres.cleared()
    tables = Tables(Store(address))
    made = tables.create("midway")
    monkeypatch.setattr(engines, "ABANDONED", 1500)
    hanging = Store(address)
    version = tables.store.count(made.game)

    def hang() -> None:
        with ThreadPoolExecutor(1) as answering, hanging._writing() as connection:
            connection.execute(insert(lines), [{"game": made.game, "n": version, "text": "half", "at": 0.0}])
            answering.submit(answer, tables, made.game, random.Random(1)).result(30)
            connection.execute(select(lines.c.n))

    try:
        with pytest.raises(StoreError):
            hang()
        assert tables.store.count(made.game) == version + 1
        assert tables.store.lines(made.game, version)[0].text != "half"
    finally:
        hanging.close()
        tables.close()


def test_a_database_that_takes_connections_and_says_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engines.WAITS, "connect_timeout", 2)
    with ThreadPoolExecutor(1) as opening, socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"postgresql://flagplot@127.0.0.1:{silent.getsockname()[1]}/none"
        fault = opening.submit(Store, address).exception(30)
        assert isinstance(fault, StoreError)


def test_a_database_that_closes_every_connection_at_once_is_trouble_of_the_store(postgres: Cluster) -> None:
    """As while it is started again. It is no fault of the program."""
    store = Store(postgres.cleared())

    def closed(*_: Any) -> None:
        raise DisconnectionError

    event.listen(store._engine, "checkout", closed)
    try:
        with pytest.raises(StoreError):
            store.ids()
    finally:
        event.remove(store._engine, "checkout", closed)
        store.close()
