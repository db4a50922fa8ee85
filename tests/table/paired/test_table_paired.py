"""Paired tables: nothing that a reader gets tells him what he may not know, on either database.

`./bench/run leaks` does the same at length. Here are a few pairs of every kind of play, and leaks that are planted in
all sorts of places and found.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from fastapi import APIRouter, FastAPI
from starlette.types import Message, Receive, Scope, Send

import flagplot
from flagplot.kernel.plain_data import digest
from flagplot.odds.position_answer import PositionAnswer
from flagplot.table.api import routes as api
from flagplot.table.battle.rendering import Rendered
from flagplot.table.battle.streaming import SIGN_OF_LIFE, SignsOfLife
from flagplot.table.seats.notifications import Notices
from flagplot.table.store.database import Row
from flagplot.table.workers.game_work import OddsAsked
from tests.table.databases import Cluster
from tests.table.paired import pairs
from tests.table.paired.channels import unclassified
from tests.table.paired.crawling import crawl, often, opened
from tests.table.paired.pairs import Depth, Leak, Pair, Report, Site, Start, starts
from tests.table.paired.worlds import POSITION, POSITIONS, Here, World, routes_of

LATER = {
    "/table/{game_id}/save",
    "/watch/{public_id}/save",
    "/watch/{public_id}/replay",
    "/watch/{public_id}/report",
    "/api/tables/{game}/save",
    "/api/tables/{game}/verification",
    "/api/tables/{game}/sides/{side}/reasons",
}
"""Routes that give nothing before the end of the game."""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Two worlds, once for each kind of database."""
    if request.param == "sqlite":
        addresses = sqlite(tmp_path_factory.mktemp("worlds"))
    else:
        server: Cluster = request.getfixturevalue("postgres")
        addresses = server.database(), server.database()
    with opened(addresses) as made:
        yield made


def sqlite(folder: Path) -> tuple[str, str]:
    return f"sqlite:///{folder}/a.sqlite", f"sqlite:///{folder}/b.sqlite"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with opened(sqlite(tmp_path_factory.mktemp("small"))) as made:
        yield made


@pytest.mark.parametrize(
    ("scenario", "seed", "pairs"),
    [("first-battle", 3, 2), ("coral-sea-operation", 1, 2), ("malta-turn", 8, 2), ("savo-island", 3, 5)],
    ids=["battle", "operation", "air turn", "Line of Battle"],
)
def test_worlds_that_differ_in_secrets_alone_look_the_same(site: Site, scenario: str, seed: int, pairs: int) -> None:
    report = asyncio.run(crawl(site, scenario, seed, pairs, closely=lambda _: often, longest=3))
    assert not report.leaks, report.leaks[0]
    assert report.moments >= 3
    assert report.responses > 50


def test_that_a_staff_of_the_enemy_thinks_shows_nowhere(small: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one world the enemy's admiral looks ahead while the enemy decides in secret; in the other he has none. Both
    worlds see the same, pages that are open too."""
    monkeypatch.setattr(pairs, "THINKS", 1.0)
    report, start = Report(), next(start for start in starts("first-battle", 1, 1) if start.side == "allies")
    asyncio.run(Pair(small, start, 19, report, still=False, plans=True).play(3, often))
    assert report.channels["plans of the enemy's staff"]
    assert report.events


def test_what_a_staff_proposes_follows_from_what_its_side_knows(small: Site) -> None:
    """The plan of a commodore, and his reasons, are the same whatever the enemy hides."""
    start = next(start for start in starts("first-battle", 3, 60) if has_a_plan(start))
    pair = Pair(small, start, 5, Report(), still=False, plans=True)
    for world in small.worlds:
        world.tables.set_level(world.made.game, pair.side, "everything")
        world.tables.set_staff(world.made.game, pair.side, "commodore")
        world.tables.advice(world.made.game, pair.side)
        asyncio.run(world.settle())
    ours, theirs = [world.tables.advice(world.made.game, pair.side) for world in small.worlds]
    assert ours.found.thoughts
    assert ours == theirs
    assert digest(start.first) != digest(start.second)


def has_a_plan(start: Start) -> bool:
    """Whether the side is asked something that can be thought about, and the worlds differ."""
    game = flagplot.load(start.scenario, seed=1).from_border(start.first)
    asked = game.pending is not None and game.pending.side == start.side
    return asked and digest(start.first) != digest(start.second) and len(game.sheet(start.side).choices) > 0


def test_orders_ahead_are_given_alike_in_worlds_that_differ_in_secrets_alone(small: Site) -> None:
    """Whoever looks on when they are given, and before, gets the same in both."""
    report, start = Report(), next(start for start in starts("surigao-strait", 1, 120) if has_orders_ahead(start))
    asyncio.run(Pair(small, start, 3, report, still=False, plans=True, only="/turn").play(4, often))
    assert report.given
    assert report.differed


def has_orders_ahead(start: Start) -> bool:
    """Whether the side is asked, and can order something ahead."""
    game = flagplot.load(start.scenario, seed=1).from_border(start.first)
    asked = game.pending is not None and game.pending.side == start.side
    return asked and any([one.ahead for one in game.sheet(start.side, ahead=True)])


def test_everything_that_can_be_asked_is_asked_and_answered(small: Site) -> None:
    """Each route is asked by everybody in both worlds, and gives somebody what he asked for, except what comes when the
    game is over, and what is for the owner of the server."""
    report, start = Report(), next(starts("malta-turn", 6, 40))
    asyncio.run(Pair(small, start, 12, report, dear=True).play(2, first_of_all))
    read = {route.path for route in small.routes if "GET" in (route.methods or ())}
    assert read - report.good == LATER | {"/metrics"}
    sent = {f"{method} {route.path}" for route in small.routes for method in (route.methods or set()) - {"HEAD", "GET"}}
    assert sent <= set(report.channels)


def first_of_all(moment: int) -> str:
    return "often" if moment else "all"


# --- it finds leaks -----------------------------------------------------------------------------------------------


def called(site: Site) -> Report:
    """Pairs of an air turn in which the side is away and is called."""
    return asyncio.run(crawl(site, "malta-turn", 21, 2, closely=lambda _: often, longest=3, plans=False, only="/turn"))


def played(site: Site, *, depth: Depth = often, only: str = "/turn") -> Report:
    """The opening of a battle, in which the enemy forms combat groups in secret while the side waits."""
    report = Report()
    start = next(start for start in starts("first-battle", 1, 1) if start.side == "allies")
    asyncio.run(Pair(site, start, 19, report, still=False, only=only).play(3, depth))
    return report


def test_without_a_leak_nothing_is_found(small: Site) -> None:
    report = played(small)
    assert report.secret >= 4, "one enemy is ahead of the other for a while"
    assert report.events >= 3
    assert called(small).calls >= 2


class Telling:
    """An application that tells a number that nobody may know: how many lines the tape has."""

    def __init__(self, world: World, path: str, tell: Callable[[Message, int], Message], status: int = 200) -> None:
        self.app, self.world, self.path, self.tell, self.status = world.app, world, path, tell, status

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        said = 0

        async def sent(message: Message) -> None:
            nonlocal said
            said = message.get("status", said)
            told = scope["path"].endswith(self.path) and said == self.status
            await send(self.tell(message, len(self.world.game.tape().texts)) if told else message)

        await self.app(scope, receive, sent)


def header(message: Message, lines: int) -> Message:
    headers = [*message.get("headers", ()), (b"x-lines", b"%d" % lines)]
    return {**message, "headers": headers} if message["type"] == "http.response.start" else message


def with_body(change: Callable[[bytes, int], bytes]) -> Callable[[Message, int], Message]:
    def changed(message: Message, lines: int) -> Message:
        return {**message, "body": change(message["body"], lines)} if message.get("body") else message

    return changed


@with_body
def comment(body: bytes, lines: int) -> bytes:
    return body.replace(b"</body>", b"<!-- %d lines --></body>" % lines)


@with_body
def size(body: bytes, lines: int) -> bytes:
    """The same to read, but a little longer with each line."""
    return body + b" " * lines


@with_body
def number(body: bytes, lines: int) -> bytes:
    """The id of an event."""
    return b"id: %d\r\n" % lines + body


PLANTED = {
    "header of a page": ("/log", header, 200, "GET /watch/{public_id}/log"),
    "comment in a page": ("/proof", comment, 200, "GET /watch/{public_id}/proof"),
    "size of a replay": ("/replay", size, 200, "GET /table/{game_id}/replay"),
    "size for programs": ("/news", size, 200, "GET /api/tables/{game}/sides/{side}/news"),
    "refusal of a download": ("/save", size, 403, "GET /watch/{public_id}/save"),
    "refusal of an answer": ("/answers", size, 409, "POST /api/tables/{game}/sides/{side}/answers"),
    "health": ("/healthz", header, 200, "GET /healthz"),
    "event numbers": ("/stream", number, 200, "stream /watch/{public_id}/stream"),
    "event numbers for programs": ("/events", number, 200, "stream /api/tables/{game}/sides/{side}/events"),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_leak_is_found(small: Site, monkeypatch: pytest.MonkeyPatch, planted: str) -> None:
    path, tell, status, channel = PLANTED[planted]
    for world in small.worlds:
        monkeypatch.setattr(world, "app", Telling(world, path, tell, status))
    with pytest.raises(Leak) as found:
        played(small, depth=throughout, only=path)
    assert found.value.channel.startswith(channel)


def throughout(_: int) -> str:
    return "all"


def test_the_number_of_events_is_compared(small: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that tells something whenever the game has changed, also when there is nothing new for the reader."""
    since = Rendered.since
    monkeypatch.setattr(Rendered, "since", lambda self, before: since(self, before) or b"data: nothing new\r\n\r\n")
    with pytest.raises(Leak, match=r"events of \[\d+\] and \[\]"):
        played(small)


def test_signs_of_life_of_a_stream_are_no_events(small: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine sends more of them while a pair is played."""
    monkeypatch.setattr(api, "PULSE", 0.01)
    assert played(small).events == 3


def test_a_sign_of_life_that_a_secret_answer_brings_about_is_found(
    small: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream that says that it is there whenever it was woken, not when it was silent for some time."""
    monkeypatch.setattr(SignsOfLife, "with_news", lambda self, news: news or SIGN_OF_LIFE)
    with pytest.raises(Leak, match=r"events of \[10\] and \[\]"):
        played(small)


def test_calls_are_compared(small: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    message = Notices._message

    def telling(self: Notices, game_id: str, *given: Any) -> dict[str, Any]:
        with self.playing.using(game_id) as live:
            orders = [len(seat["orders"]) for seat in live.seats.values()]
        return {**message(self, game_id, *given), "orders": orders}

    monkeypatch.setattr(Notices, "_message", telling)
    assert "calls, as the seat's mailbox" in called(small).leaks[0]


def test_a_call_that_has_to_wait_for_another_one_of_its_seat_is_no_leak(
    small: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seat was asked twice before anybody was called: the first call is no longer needed when it is made."""
    claim, world = Notices._claim, small.first

    def slowly(self: Notices, call: Row) -> bool:
        time.sleep(0.05)
        return claim(self, call)

    monkeypatch.setattr(Notices, "_claim", slowly)
    start = next(starts("first-battle", 1, 20))
    small.tables += 1
    world.begin(start.scenario, start.first, small.tables)
    game = world.made.game
    side = world.tables.table(game).waiting_for or ""
    world.tables.store.change_seat(game, side, webhook=f"{small.mailbox.webhook}mine")
    world.tables._playing.games.changed_elsewhere(game)
    now, moment = small.clock(), world.game.moment_of(side)
    due = [{"side": side, "kind": "webhook", "moment": each, "due": now} for each in (moment - 1, moment)]
    world.tables.store.append(game, [], {}, calls=due)
    world.make_calls()
    assert len(small.mailbox.taken("mine")) == 1
    world.end()


def test_dice_that_follow_from_an_answer_of_the_side_are_rolled_with_its_bytes(small: Site) -> None:
    report, start = Report(), next(islice(starts("first-battle", 2, 60), 3, None))
    asyncio.run(Pair(small, start, 12, report, only="/turn").play(6, often))
    assert report.channels["fresh bytes that a roll waited for"] == len(small.worlds)


def test_odds_are_compared(small: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Odds that are worked out from everything, and not from what the side knows."""
    ask = Here.ask_position

    def telling(self: Here, lines: Any, asked: OddsAsked) -> PositionAnswer:
        key = json.loads(lines[0])["scenario"][POSITION]
        return replace(ask(self, lines, asked), options=(), why_not=digest(POSITIONS[key]))

    monkeypatch.setattr(Here, "ask_position", telling)
    with pytest.raises(Leak) as found:
        asyncio.run(crawl_one(small))
    assert found.value.channel.partition(" (")[0].endswith("/odds")
    assert "200" in str(found.value)


async def crawl_one(site: Site) -> None:
    """A moment of a battle at which the side is asked, with odds."""
    start = next(start for start in starts("first-battle", 1, 1) if start.side == "japan")
    await Pair(site, start, 0, Report(), dear=True, still=False, only="/odds").play(1, throughout)


def test_a_route_that_nobody_has_classified_is_refused(small: Site) -> None:
    new = APIRouter()

    @new.get("/table/{game_id}/counts")
    @new.delete("/table/{game_id}/counts")
    @new.get("/table/{game_id}/ship/{ship}")
    def counts() -> None:
        """A new page."""

    unknown = unclassified([*small.routes, *routes_of(FastAPI(routes=[*new.routes]))])
    assert sorted(unknown) == ["DELETE /table/{game_id}/counts", "GET /table/{game_id}/ship/{ship}"]
