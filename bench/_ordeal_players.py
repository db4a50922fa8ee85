"""The clients of an ordeal: they keep a receipt of every answer, and ask again when none came.

Some of them do mischief on command: they hang up in the middle of a request, or send again what was settled
long ago. What each of them holds at the end is what the tapes are measured by.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import random
import socket
import struct
import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from bench._serving import Client, Gone, Told
from flagplot import library
from flagplot.kernel.dice import plan_nonce

HOST = "127.0.0.1"
SCENARIOS = ("midway", "coral-sea", "denmark-strait", "malta", "coral-sea-operation", "savo-island")
PATIENCE = 20.0
"""Seconds that a client waits for a response."""
SETTLED = 120.0
"""Seconds after which a request that nobody answers for good counts as stuck."""
BREATH = 0.05
"""Seconds before a client asks again."""
GLANCE = 0.3
"""Seconds after which a client looks whether it is its turn, though nobody told it."""
TAKES_BACK = 0.06
"""How often a player thinks better of it."""
PLANS = 0.4
"""How often a player confirms the whole plan of his staff instead of answering one question."""
WAITS = 15.0
"""Seconds for which a player waits for his orders ahead to be given before he cancels them."""
CANCELS = 0.02
"""How often he cancels them when he looks whether they were given."""
ANSWERS = 0.8
"""How often a client tells the bytes that it pledged when a roll waits for them."""
PAGES = 0.4
"""How many of the seats have a page open too, and how many a stream of the interface for programs."""

CUTS = ("half a head", "half a body", "reply not read", "half a reply")
REPLAYS = ("again", "long ago", "twins", "stale question", "other option", "borrowed nonce")


@dataclass(slots=True)
class Act:
    """A line that a client sent and that belongs on the tape once, or not at all."""

    kind: str
    """`choose`, `undo` or `contribute`."""
    mark: str
    """The nonce; of a contribution the bytes themselves."""
    body: dict[str, Any]
    path: str
    receipt: str = ""
    refused: str = ""
    place: int = 0
    """Which line of several that were sent with one nonce: those of a plan, or of a plan that is taken back."""

    @property
    def option(self) -> str:
        return str(self.body.get("option", ""))


@dataclass(slots=True)
class Ordered:
    """Orders ahead that a plan has left behind: each is given once, or dropped because something else was asked."""

    plan: Act
    total: int
    """The lines of the plan if all of them are given."""
    since: float
    known: int = 1
    """The lines that the client holds receipts for."""
    cancelled: bool = False
    dropped: bool = False

    @property
    def open(self) -> int:
        """Lines that may still come."""
        return 0 if self.cancelled or self.dropped else self.total - self.known


@dataclass(slots=True)
class Fault5xx:
    """A response that the server was to blame for."""

    begun: float
    ended: float
    status: int
    about: str


@dataclass(slots=True)
class Ledger:
    """What all clients noticed."""

    kept: int = 0
    plans: int = 0
    """Plans of more than one answer, and those that were taken back."""
    ahead: int = 0
    """Orders ahead that waited, and how many of them were given, cancelled or dropped."""
    given: int = 0
    cancelled: int = 0
    dropped: int = 0
    repeated: int = 0
    """Answers that had been kept although no reply came: the second request brought the receipt."""
    refused: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    """Mischief by its kind."""
    failures: list[Fault5xx] = field(default_factory=list)
    gone: int = 0
    events: int = 0
    revealed: int = 0
    """Fresh bytes for rolls that servers took."""
    problems: list[str] = field(default_factory=list)


class World:
    """Where the servers are, what mischief waits for somebody to do it, and all tables."""

    def __init__(self, seed: int, ports: Sequence[int]) -> None:
        self.seed, self.ports = seed, list(ports)
        self.ledger = Ledger()
        self.tables: list[Table] = []
        self.begun = 0
        self.mischief: deque[str] = deque()
        self.closing = False
        self._nonces = random.Random(f"{seed} nonces")

    def nonce(self) -> str:
        return f"{self._nonces.getrandbits(128):032x}"


class Seat:
    """One side of a table as its client knows it."""

    def __init__(self, table: Table, side: str, token: str) -> None:
        self.table, self.side, self.token, self.world = table, side, token, table.world
        self.chance = random.Random(f"{self.world.seed} {table.number} {side}")
        self.acts: list[Act] = []
        self._clients = {port: Client(HOST, port, PATIENCE) for port in self.world.ports}
        self.pledged: dict[str, str] = {}
        """The bytes of this client that it has promised for rolls, by what it promised."""
        self.revealed: dict[str, str] = {}
        """Those that it told, each with the receipt of the answer that was fixed before."""
        self.gone = 0
        """Requests of this client that nobody answered."""
        self.ahead: Ordered | None = None
        """Its orders ahead that wait."""
        self.ordered: list[Ordered] = []
        self.path = f"/api/tables/{table.game}/sides/{side}"

    def close(self) -> None:
        for client in self._clients.values():
            client.close()

    # --- asking -------------------------------------------------------------------------------------------------

    def port(self) -> int:
        return self.chance.choice(self.world.ports)

    async def call(self, method: str, path: str, body: Any = None, port: int = 0) -> Told:
        """One request and its response. Raises Gone."""
        begun, ledger = time.monotonic(), self.world.ledger
        try:
            told = await self._clients[port or self.port()].call(method, path, self.token, body)
        except Gone:
            self.gone += 1
            ledger.gone += 1
            raise
        if told.status >= 500:
            ledger.failures.append(Fault5xx(begun, time.monotonic(), told.status, f"{method} {path.split('/')[-1]}"))
        return told

    async def insist(self, method: str, path: str, body: Any = None) -> Told:
        """The same request until the server says yes or no."""
        until = time.monotonic() + SETTLED
        while time.monotonic() < until:
            with contextlib.suppress(Gone):
                told = await self.call(method, path, body)
                if told.status < 500 and not _conflict(told):
                    return told
            await asyncio.sleep(BREATH * (1 + 2 * self.chance.random()))
        raise Stuck(f"{method} {path.split('/')[-1]} was not answered for {SETTLED:.0f} s")

    async def settle(self, act: Act) -> Told:
        """Send an act until it is known whether it is kept. It goes out with the same nonce each time."""
        if act not in self.acts:
            self.acts.append(act)
        gone = self.gone
        told = await self.insist("POST", act.path, act.body)
        self.note(act, told)
        if act.receipt and self.gone > gone:
            self.world.ledger.repeated += 1
        return told

    def note(self, act: Act, told: Told) -> None:
        """Keep the receipt, or the refusal; they must not contradict what was said before."""
        ledger = self.world.ledger
        if told.status == 200:
            receipts = told.body.get("receipts") or [told.body["receipt"]]
            if act.receipt and act.receipt != receipts[act.place]:
                ledger.problems.append(f"two receipts for one {act.kind} of {self.side}")
            if not act.receipt:
                act.receipt, act.refused = receipts[0], ""
                at = self.acts.index(act) + 1
                self.acts[at:at] = _lines_of(act, receipts, 1)
                ledger.kept += len(receipts)
                ledger.plans += len(receipts) > 1
                self.table.moved()
            elif self.ahead is not None and self.ahead.plan is act:
                new = _lines_of(act, receipts, self.ahead.known)
                self.acts += new
                self.ahead.known += len(new)
                ledger.kept += len(new)
        elif not act.receipt:
            act.refused = refusal(told)
            ledger.refused[act.refused] += 1
            if told.status != 409:
                ledger.problems.append(f"{act.kind} of {self.side} was refused: {act.refused}")

    # --- playing ------------------------------------------------------------------------------------------------

    async def play(self) -> None:
        """Answer until the game is over, or the ordeal."""
        while not self.world.closing:
            told = await self.insist("GET", f"{self.path}/turn")
            if told.status != 200:
                raise Stuck(f"the turn was refused: {refusal(told)}")
            turn = told.body
            if turn["waiting_for"] is None:
                return
            if self.ahead is not None:
                await self.follow_orders(self.ahead)
                await self.table.wait(GLANCE)
            elif turn["question"] is None:
                await self.table.wait(GLANCE)
            else:
                await self.answer(turn["question"])

    async def answer(self, question: dict[str, Any]) -> None:
        option = self.chance.choice(question["options"])["text"]
        plans = self.chance.random() < PLANS
        act = self.plan(question["at"]) if plans else self.choose(option, question["at"])
        mischief = self.world.mischief.popleft() if self.world.mischief else ""
        if mischief in CUTS:
            self.acts.append(act)
            await self.cut(act, mischief)
        elif mischief == "twins":
            self.acts.append(act)
            await self.twins(act)
        elif mischief == "borrowed nonce":
            await self.borrow(option, question["at"])
        await self.settle(act)
        if mischief and mischief not in ("twins", "borrowed nonce", *CUTS):
            await self.replay(act, mischief, question)
        if mischief:
            self.world.ledger.done[mischief] += 1
        if act.receipt and plans:
            await self.look_ahead(act)
        if act.receipt and not self.ahead and self.chance.random() < TAKES_BACK:
            nonce = self.world.nonce()
            await self.settle(Act("undo", nonce, {"nonce": nonce}, f"{self.path}/undo"))

    def choose(self, option: str, at: int) -> Act:
        nonce = self.world.nonce()
        return Act("choose", nonce, {"option": option, "at": at, "nonce": nonce}, f"{self.path}/answers")

    def plan(self, at: int) -> Act:
        """All that the side can decide now, as its staff proposes it."""
        nonce = self.world.nonce()
        return Act("choose", nonce, {"at": at, "nonce": nonce}, f"{self.path}/sheet")

    # --- orders ahead -------------------------------------------------------------------------------------------

    async def look_ahead(self, plan: Act) -> None:
        """Whether a plan that was confirmed has left orders that wait for their questions. If none waits any more, they
        may have been given before this client could look: then it asks for their receipts."""
        told = await self.insist("GET", f"{self.path}/ahead")
        if told.status != 200:
            raise Stuck(f"the orders ahead were refused: {refusal(told)}")
        lines = 1 + sum(act.body.get("nonce") == plan.mark for act in self.acts if act.place)
        self.ahead = ordered = Ordered(plan, lines, time.monotonic(), lines)
        if told.body["orders"]:
            ordered.total = told.body["given"] + len(told.body["orders"])
            self.ordered.append(ordered)
        else:
            self.note(plan, await self.insist("POST", plan.path, plan.body))
            self.ahead, ordered.total = None, ordered.known
            self.world.ledger.given += ordered.known - lines
        self.world.ledger.ahead += ordered.total - lines

    async def follow_orders(self, ordered: Ordered) -> None:
        """See how far they are: what was given and what waits is all that was ordered, whatever befell the servers."""
        told = await self.insist("GET", f"{self.path}/ahead")
        if told.status != 200:
            raise Stuck(f"the orders ahead were refused: {refusal(told)}")
        left, given, ledger = len(told.body["orders"]), told.body["given"], self.world.ledger
        if left and given + left != ordered.total:
            ledger.problems.append(f"{given} orders ahead given and {left} waiting, of {ordered.total}")
        late = time.monotonic() - ordered.since > WAITS
        if left and (late or self.chance.random() < CANCELS):
            await self.cancel_orders()
            ordered.cancelled = True
        elif left:
            return
        before = ordered.known
        self.note(ordered.plan, await self.insist("POST", ordered.plan.path, ordered.plan.body))
        self.ahead, ordered.dropped = None, told.body["again"] and not ordered.cancelled
        ledger.given += ordered.known - before
        if ordered.cancelled or ordered.dropped:
            ledger.cancelled += (ordered.total - ordered.known) * ordered.cancelled
            ledger.dropped += (ordered.total - ordered.known) * ordered.dropped
        elif ordered.known != ordered.total:
            ledger.problems.append(f"{ordered.known} lines of a plan with orders ahead are kept, of {ordered.total}")

    async def cancel_orders(self) -> None:
        """Until the server says that none waits any more."""
        until = time.monotonic() + SETTLED
        while time.monotonic() < until:
            with contextlib.suppress(Gone):
                if (await self.call("DELETE", f"{self.path}/ahead")).status in (200, 409):
                    return
            await asyncio.sleep(BREATH)
        raise Stuck(f"orders ahead were not cancelled for {SETTLED:.0f} s")

    # --- mischief -----------------------------------------------------------------------------------------------

    async def cut(self, act: Act, how: str) -> None:
        """Hang up in the middle; the connection is reset, not closed."""
        request = self._clients[self.world.ports[0]].request("POST", act.path, self.token, act.body)
        head, body = request.index(b"\r\n\r\n") + 4, len(request)
        sent = {"half a head": head // 2, "half a body": (head + body) // 2}.get(how, body)
        try:
            reader, writer = await asyncio.open_connection(HOST, self.port())
        except OSError:
            return  # nobody is there: that is a cut too
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
            writer.write(request[:sent])
            await writer.drain()
            if how == "half a reply":
                await asyncio.wait_for(reader.readexactly(20), PATIENCE)
            elif how == "reply not read":
                await asyncio.sleep(self.chance.random() * 0.03)
        raw = writer.get_extra_info("socket")
        with contextlib.suppress(OSError):
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    async def twins(self, act: Act) -> None:
        """The same request twice at the same moment, at two servers if there are two."""
        ports = self.chance.sample(self.world.ports, len(self.world.ports))
        one, two = Client(HOST, ports[0], PATIENCE), Client(HOST, ports[-1], PATIENCE)
        try:
            both = [each.call("POST", act.path, self.token, act.body) for each in (one, two)]
            for told in await asyncio.gather(*both, return_exceptions=True):
                if isinstance(told, Told) and told.status == 200:
                    self.note(act, told)
        finally:
            one.close()
            two.close()

    async def borrow(self, option: str, at: int) -> None:
        """An answer under a nonce that the tape has already, of either side: it is refused."""
        used = [act.mark for seat in self.table.seats for act in seat.acts if act.receipt and act.option]
        other = [act.option for act in self.acts if act.receipt and act.option not in ("", option)]
        if used and other:
            nonce = self.chance.choice(used)
            body = {"option": option, "at": at, "nonce": nonce}
            same = next((act for act in self.acts if act.mark == nonce and act.option == option), None)
            told = await self.insist("POST", f"{self.path}/answers", body)
            self._expect(told, same, "a nonce of another answer")

    async def replay(self, act: Act, how: str, question: dict[str, Any]) -> None:
        """Send what was settled once more, or nearly the same."""
        settled = [each for each in self.acts if each.receipt]
        if how == "stale question":
            stale = self.choose(act.option, question["at"]) if act.option else self.plan(question["at"])
            await self.settle(stale)
            if stale.receipt:
                self.world.ledger.problems.append("an answer to a question of the past was kept")
        elif how == "other option":
            others = [each["text"] for each in question["options"] if each["text"] != act.option]
            if others and act.receipt and act.option:
                told = await self.insist("POST", act.path, {**act.body, "option": self.chance.choice(others)})
                self._expect(told, None, "another option under the same nonce")
        elif settled:
            again = act if how == "again" and act.receipt else self.chance.choice(settled)
            told = await self.insist("POST", again.path, again.body)
            self._expect(told, again, f"{again.kind} once more")

    def _expect(self, told: Told, same: Act | None, words: str) -> None:
        """The receipt of the same act again; or, if there is no such act, a refusal."""
        if same is not None and told.status == 200:
            self.note(same, told)
        elif same is not None or told.status == 200:
            self.world.ledger.problems.append(f"{words}: {told.status} {refusal(told)}")

    # --- an open page -------------------------------------------------------------------------------------------

    async def watch(self, path: str) -> None:
        """Keep a stream open, as a page does or a program; it connects again by itself."""
        while not self.world.closing:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                reader, writer = await asyncio.open_connection(HOST, self.port(), limit=2**22)
                try:
                    await self._follow(path, reader, writer)
                finally:
                    writer.close()
            await asyncio.sleep(GLANCE)

    async def _follow(self, path: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nAccept: text/event-stream\r\n"
        head += f"Authorization: Bearer {self.token}\r\nCookie: seat-{self.table.game}={self.token}\r\n\r\n"
        writer.write(head.encode())
        await reader.readuntil(b"\r\n\r\n")
        if path.endswith("/events"):
            await self.tell("pledge", {"pledge": self.pledge()})
        event = b""
        while line := await reader.readline():
            if line.startswith(b"event:"):
                event = line.split(b":", 1)[1].strip()
            elif line.startswith(b"data:"):
                self.world.ledger.events += 1
                self.table.moved()
                if event == b"reveal":
                    await self.reveal(json.loads(line.split(b":", 1)[1]))

    # --- fresh bytes for rolls ----------------------------------------------------------------------------------

    def pledge(self) -> str:
        fresh = self.world.nonce() + self.world.nonce()
        promised = hashlib.sha256(bytes.fromhex(fresh)).hexdigest()
        self.pledged[promised] = fresh
        return promised

    async def reveal(self, wanted: dict[str, str]) -> None:
        """Dice wait for the bytes that this client pledged; now and then it does not answer."""
        fresh = self.pledged.get(wanted["pledge"])
        if fresh is not None and self.chance.random() < ANSWERS:
            if self.revealed.setdefault(fresh, wanted["receipt"]) != wanted["receipt"]:
                return  # it told them after another answer: a browser does not use them twice
            body = {"reveal": fresh, "receipt": wanted["receipt"], "pledge": self.pledge()}
            self.world.ledger.revealed += await self.tell("reveal", body)

    async def tell(self, what: str, body: dict[str, str]) -> bool:
        """Once, as a browser's script does, on a connection of its own: without it the dice roll all the same."""
        beside = Client(HOST, self.port(), PATIENCE)
        try:
            return (await beside.call("POST", f"{self.path}/{what}", self.token, body)).status == 204
        except Gone:
            return False
        finally:
            beside.close()


def _lines_of(plan: Act, receipts: Sequence[str], first: int) -> list[Act]:
    """The lines of a plan from one of them on, each as an act of its own."""
    return [
        replace(plan, mark=plan_nonce(plan.mark, place), receipt=receipts[place], place=place)
        for place in range(first, len(receipts))
    ]


class Stuck(Exception):
    """A client got no definite answer, or one that makes no sense."""


def _conflict(told: Told) -> bool:
    return told.status == 409 and isinstance(told.body, dict) and told.body.get("error") == "conflict"


def refusal(told: Told) -> str:
    word = told.body.get("error", "") if isinstance(told.body, dict) else ""
    return f"{told.status} {word}".strip()


class Table:
    """A table and its clients."""

    def __init__(self, world: World, number: int, game: str, tokens: dict[str, str]) -> None:
        self.world, self.number, self.game = world, number, game
        self.seats = [Seat(self, side, token) for side, token in tokens.items()]
        self._moved = asyncio.Event()

    def moved(self) -> None:
        self._moved.set()

    async def wait(self, seconds: float) -> None:
        self._moved.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._moved.wait(), seconds)

    async def play(self) -> None:
        """Sit down, and play until the game is over, or the ordeal."""
        pages = [
            asyncio.create_task(seat.watch(path))
            for seat in self.seats
            for path in (f"/table/{self.game}/stream", f"{seat.path}/events")
            if seat.chance.random() < PAGES
        ]
        try:
            for seat in self.seats:
                await self.join(seat)
            await asyncio.gather(*[seat.play() for seat in self.seats])
        except Stuck as fault:
            self.world.ledger.problems.append(f"table {self.number}: {fault}")
        finally:
            for page in pages:
                page.cancel()
            for seat in self.seats:
                seat.close()

    async def join(self, seat: Seat) -> None:
        mark = f"{seat.chance.getrandbits(256):064x}"
        await seat.settle(Act("contribute", mark, {"contribution": mark}, "/api/join"))


@cache
def _last_side(scenario: str) -> str:
    return library.load(scenario, seed=0).sides[-1]


async def sit_down(world: World) -> Table:
    """A new table; every third one is against a player of the program."""
    number = world.begun = world.begun + 1
    scenario = SCENARIOS[number % len(SCENARIOS)]
    seats = {} if number % 3 else {_last_side(scenario): ("random", "doctrine")[number // 3 % 2]}
    nobody = Seat(Table(world, number, "", {}), "", "")
    try:
        made = (await nobody.insist("POST", "/api/tables", {"scenario": scenario, "seats": seats})).body
    finally:
        nobody.close()
    table = Table(world, number, made["game"], made["tokens"])
    world.tables.append(table)
    return table


async def keep_playing(world: World) -> None:
    """At one place tables are played one after the other."""
    while not world.closing:
        await (await sit_down(world)).play()
