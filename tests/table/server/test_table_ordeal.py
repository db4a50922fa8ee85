"""A short ordeal; `./bench/run ordeal` does a thousand faults. And the check itself: it finds what is planted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message

from bench._ordeal_checks import Findings, check_orders, check_reveals, check_side, check_tape, mark_of, receipt_of
from bench._ordeal_players import Act, Ordered
from bench.ordeal import ordeal
from bench.queueing import Load, Service, owner, ring, simulate
from flagplot.kernel.ahead import OrderAhead
from flagplot.kernel.dice import plan_nonce
from flagplot.kernel.sheets import Wait
from flagplot.kernel.tape_rules import pledge_of
from flagplot.table.info import Ahead
from flagplot.table.server.app import create_app
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables


def test_nothing_is_lost_and_nothing_is_kept_twice() -> None:
    outcome = ordeal("sqlite", 20, 4, places=4)
    assert outcome is not None
    assert outcome.problems == []
    assert outcome.faults.total() == 20
    assert {"kill", "stop", "freeze", "disk", "clock"} <= set(outcome.faults)
    assert outcome.findings.receipts == outcome.world.ledger.kept > 20
    late = sum(one.open for table in outcome.world.tables for seat in table.seats for one in seat.ordered)
    assert 0 <= outcome.findings.acts - outcome.findings.receipts <= late  # orders ahead that were given at the end
    assert outcome.world.ledger.plans > 0


def test_a_server_that_stops_says_so_to_requests_that_it_cannot_finish(tables: Tables) -> None:
    app = create_app(tables)
    sent: list[Message] = []

    async def forever() -> None:
        begun.set()
        await asyncio.sleep(60)

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    async def stopped() -> None:
        headers = [(b"host", b"127.0.0.1")]
        about = {"method": "GET", "path": "/api/forever", "query_string": b"", "headers": headers, "root_path": ""}
        scope = {"type": "http", "http_version": "1.1", "scheme": "http", "server": ("127.0.0.1", 80), **about}
        asked = asyncio.create_task(app({**scope, "client": ("127.0.0.1", 1)}, receive, send))
        await asyncio.wait_for(begun.wait(), 20)
        asked.cancel()  # as uvicorn does when its time is up
        await asked

    begun = asyncio.Event()
    app.add_api_route("/api/forever", forever)
    asyncio.run(stopped())
    assert sent[0]["status"] == 503
    assert (b"retry-after", b"2") in sent[0]["headers"]


# --- the check finds what is planted --------------------------------------------------------------------------------


class Played:
    """A tape, and what a client of one side holds."""

    def __init__(self, folder: Path) -> None:
        tables = Tables(Store(f"sqlite:///{folder}/tables.sqlite", alone=True))
        try:
            made = tables.create("midway")
            self.acts: dict[str, list[Act]] = {side: [] for side in made.tokens}
            for number in range(8):
                side = str(tables.table(made.game).waiting_for)
                question = tables.look(made.game, side).pending
                assert question is not None
                nonce, option = f"{number:032x}", question.options[0].text
                receipt = tables.answer(made.game, side, option, question.at, nonce)
                self.acts[side].append(Act("choose", nonce, {"option": option}, "", receipt))
            self.texts = [line.text for line in tables.store.lines(made.game)]
            self.secret = str(tables.store.game(made.game)["secret"])
        finally:
            tables.close()
        self.busiest = max(self.acts, key=lambda side: len(self.acts[side]))

    @property
    def held(self) -> list[Act]:
        return self.acts[self.busiest]

    def place(self, act: Act) -> int:
        return next(place for place, text in enumerate(self.texts) if json.loads(text).get("nonce") == act.mark)

    def faults(self) -> set[str]:
        findings = Findings()
        check_tape(findings, self.texts, self.secret, self.acts, "the table")
        return {fault.split(":")[0] for fault in findings.faults}


def lose(played: Played) -> None:
    del played.texts[played.place(played.held[1])]


def double(played: Played) -> None:
    played.texts.append(played.texts[played.place(played.held[1])])


def make_up(played: Played) -> None:
    del played.held[1]


def keep_what_was_refused(played: Played) -> None:
    played.held[1].receipt, played.held[1].refused = "", "409 stale-answer"


def say_something_else(played: Played) -> None:
    played.held[1].body["option"] = "something else"


def swap(played: Played) -> None:
    played.held[:2] = played.held[1::-1]


def forge(played: Played) -> None:
    played.held[1].receipt = played.held[0].receipt


@pytest.mark.parametrize(
    ("plant", "found"),
    [
        (lose, {"lost", "broken"}),
        (double, {"doubled", "broken"}),
        (make_up, {"made up"}),
        (keep_what_was_refused, {"made up"}),
        (say_something_else, {"made up"}),
        (swap, {"out of order"}),
        (forge, {"forged"}),
    ],
)
def test_the_check_finds_what_is_planted(tmp_path: Path, plant: Callable[[Played], None], found: set[str]) -> None:
    played = Played(tmp_path)
    assert played.faults() == set()
    plant(played)
    assert played.faults() == found


TOLD, LATE, SECRET = "aa" * 32, "bb" * 32, "a secret"
FIRST, SECOND = receipt_of(SECRET, "11"), receipt_of(SECRET, "22")


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ({TOLD: FIRST, LATE: SECOND}, []),
        ({TOLD: SECOND, LATE: SECOND}, ["forged"]),
        ({TOLD: FIRST, LATE: FIRST}, ["lost"]),
        ({TOLD: FIRST, "cc" * 32: SECOND}, ["lost"]),
        ({LATE: SECOND}, ["made up"]),
    ],
)
def test_the_check_knows_for_which_answer_bytes_were_told(told: dict[str, str], found: list[str]) -> None:
    lines = [
        {"side": "red", "choose": "fire", "hash": "11"},
        {"side": "blue", "reveal": TOLD},
        {"side": "red", "roll": [6]},
        {"side": "red", "choose": "fire", "hash": "22"},
        {"side": "blue", "skip": pledge_of(LATE)},
        {"side": "red", "roll": [1]},
    ]
    findings = Findings()
    check_reveals(findings, [json.dumps(line) for line in lines], SECRET, "blue", told, "the table")
    assert [fault.split(":")[0] for fault in findings.faults] == found


# --- the simulation of the queue ------------------------------------------------------------------------------------

SERVICE = Service(processes=2, databases=1, answer=0.01, render=0.01, commit=0.004, commits=500)


def test_an_idle_site_waits_for_nothing_but_the_work() -> None:
    waits = simulate(Load(10, 1.0, 1.0, 1), SERVICE, 2000, 1)
    mean = sum(waits.shown) / len(waits.shown)
    assert mean == pytest.approx(0.01 + 0.01 + 0.004 + 0.002, rel=0.05)


def test_commits_are_shared_when_many_answers_wait() -> None:
    slow = SERVICE._replace(answer=0.0001, render=0.0001, commits=20)
    waits = simulate(Load(1000, 1.0, 12.0, 1), slow, 60, 1)
    assert waits.commits <= 20 < len(waits.acknowledged) / 48
    assert max(waits.acknowledged) < 1


def test_a_process_that_goes_away_gives_up_its_own_tables_only() -> None:
    before, after = ring(10), [place for place in ring(10) if place[1] != 3]
    tables = [f"table-{number}" for number in range(3000)]
    moved = [table for table in tables if owner(before, table) != owner(after, table)]
    assert all(owner(before, table) == 3 for table in moved)
    assert 200 < len(moved) < 400


def ordered_ahead(**changes: Any) -> tuple[Ordered, list[str], str]:
    """A plan of four lines of which two are on the tape, and one of them was given when its question came."""
    plan = Act("choose", "a" * 32, {}, "", "a receipt")
    orders = tuple([OrderAhead("Which?", ("a", "b"), "a", "A", Wait(3, ())) for _ in range(2)])
    texts = [json.dumps({"side": "red", "nonce": plan_nonce(plan.mark, place)}) for place in range(2)]
    return Ordered(plan, 4, 0.0, **changes), texts, str(Ahead(orders, plan.mark, 2))


def test_the_check_finds_an_order_ahead_that_was_lost_or_given_after_it_was_cancelled() -> None:
    ordered, texts, row = ordered_ahead()
    findings = Findings()
    check_orders(findings, texts, row, [ordered], "red")
    assert findings.faults == []
    check_orders(findings, texts, "", [ordered], "red")
    assert findings.faults == ["lost: red, 2 orders ahead given and 0 waiting, of 4"]
    for cancelled, faults in ((False, 0), (True, 1)):
        ordered, texts, row = ordered_ahead(cancelled=cancelled)
        findings = Findings()
        mine = [(mark_of(body), {**body, "choose": "a"}) for body in map(json.loads, texts)]
        check_side(findings, mine, [ordered.plan], "red", [ordered])
        assert len(findings.faults) == faults
