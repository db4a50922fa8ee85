"""Playing a pair: two tables whose states differ only in what one side may not know are driven in step, and all that
the side, the host, a spectator or a stranger can get is the same in both.

A pair begins at a border between segments and lasts to the next one, or until something hidden comes to light; if the
side has ordered something ahead it goes on as long as the side sees the same. In the second world the enemy may decide
otherwise in secret, in more or fewer answers, may take them back, may give standing orders, ask to be called and have
a staff that looks ahead: none of it shows.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from fastapi.routing import APIRoute

import flagplot
from flagplot.kernel.game import Game
from flagplot.kernel.levels import SEAT_LEVELS
from flagplot.kernel.plain_data import canonical
from flagplot.kernel.requests import Choose, Note
from flagplot.kernel.ruleset import NEUTRAL
from flagplot.table.games.keeper import GRACE
from flagplot.testing.trial import LEAVING, STAYS, as_json
from tests.table.paired.asking import Said, Stream, Told, ask
from tests.table.paired.channels import (
    DEAR,
    OFTEN,
    STILL,
    STREAMS,
    Around,
    Reader,
    addresses,
    difference,
    normal,
    parted,
    receipts_in,
    sendings,
)
from tests.table.paired.mailbox import Mailbox
from tests.table.paired.worlds import CODE, Clock, World, routes_of

LONGEST_WAIT = 60
"""Secret answers in a row after which a pair is given up."""
PLANS = 0.2
"""How often the side confirms a plan instead of answering one question."""
PLANS_AHEAD = 0.7
"""The same, if the plan has orders ahead."""
ANOTHER = 0.6
"""How often another secret answer is given in the second world."""


THINKS = 0.3
"""How often the enemy looks at his plan in the second world before he answers: then his staff thinks."""


class Leak(Exception):
    """A reader can tell two worlds apart that differ only in what he may not know."""

    def __init__(self, channel: str, reader: str, moment: str, diff: str) -> None:
        super().__init__(f"{channel}, as {reader} gets it {moment}:\n{diff}")
        self.channel, self.reader = channel, reader


@dataclass(slots=True)
class Report:
    """What was compared."""

    responses: int = 0
    moments: int = 0
    everything: int = 0
    """Moments at which all that there is was asked for."""
    events: int = 0
    calls: int = 0
    pairs: int = 0
    differed: int = 0
    """Pairs whose states were not the same."""
    ahead: int = 0
    """Plans with orders ahead."""
    given: int = 0
    """Times at which orders ahead were given."""
    secret: int = 0
    """Answers that were given in secret."""
    ended: Counter[str] = field(default_factory=Counter)
    """Why pairs came to an end."""
    channels: Counter[str] = field(default_factory=Counter)
    good: set[str] = field(default_factory=set)
    """Routes that gave somebody what he asked for."""
    leaks: list[str] = field(default_factory=list)

    def add(self, other: Report) -> None:
        numbers = ("responses", "moments", "everything", "events", "calls", "pairs", "differed", "secret")
        for name in (*numbers, "ahead", "given"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.ended.update(other.ended)
        self.channels.update(other.channels)
        self.good |= other.good
        self.leaks += other.leaks


@dataclass(slots=True)
class Site:
    """The two worlds, and all that is around them."""

    first: World
    second: World
    clock: Clock
    mailbox: Mailbox
    routes: list[APIRoute]
    tables: int = 0
    """Tables that were made so far: none has the links of another."""

    @classmethod
    def open(cls, addresses: tuple[str, str]) -> Site:
        clock, mailbox = Clock(), Mailbox()
        first, second = (
            World(name, address, clock, smtp=mailbox.smtp) for name, address in zip("ab", addresses, strict=True)
        )
        return cls(first, second, clock, mailbox, routes_of(first.app))

    def close(self) -> None:
        for world in (self.first, self.second):
            world.close()
        self.mailbox.close()

    @property
    def worlds(self) -> tuple[World, World]:
        return self.first, self.second


# --- where a pair begins ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """Two states that differ in what a side may not know."""

    scenario: dict[str, Any]
    side: str
    first: Any
    second: Any


def starts(name: str, seed: int, answers: int) -> Iterator[Start]:
    """The borders of a game that is played at random for some answers, each with a twin that has other secrets."""
    game = flagplot.load(name, seed=seed)
    game.copy()  # from now on it remembers every border
    chance, last = Random(f"starts {name} {seed}"), -1
    for _ in range(answers):
        if game.border.turn > last:
            last = game.border.turn
            for side in game.sides:
                start = _start(game, side, chance)
                if start is not None:
                    yield start
        request = game.pending
        if request is None:
            return
        if isinstance(request, Choose):
            stay = request.verb in LEAVING and chance.random() < STAYS
            game.choose(request.option(0 if stay else chance.randrange(len(request))))
        else:
            game.roll()


def _start(game: Game[Any], side: str, chance: Random) -> Start | None:
    """A pair at this border, if there is a secret that the side could learn, or is about to be one."""
    state = game.border.state
    other = game.ruleset.reshuffle(state, side, chance)
    pending = game.pending
    secret = isinstance(pending, Choose) and bool(pending.secret) and pending.side != side
    if canonical(other) == canonical(state) and not secret:
        return None
    return Start(dict(game.scenario), side, state, other)


# --- a pair -------------------------------------------------------------------------------------------------------

Depth = Callable[[int], str]
"""How closely each moment of a pair is looked at, by its number: ``all``, ``often``, or nothing."""


class Pair:
    """One pair that is played."""

    def __init__(
        self,
        site: Site,
        start: Start,
        seed: int,
        report: Report,
        *,
        dear: bool = False,
        still: bool = True,
        plans: bool = False,
        only: str = "",
    ) -> None:
        """With `dear` odds are asked for; with `still` also what knows nothing of tables; with `plans` the side
        confirms plans at times, and the enemy changes his level; with `only` nothing but the paths that end so."""
        self.site, self.start, self.report = site, start, report
        self.routes = [route for route in site.routes if route.path.endswith(only)]
        self.dear, self.still = dear, still
        self.chance = Random(f"pair {seed}")
        self.staffs = Random(f"staffs {seed}")
        self.plans = plans
        site.tables += 1
        self.first, self.second = site.worlds
        self.present = seed % 3 != 2
        """Whether pages of the side are open. If not, it is called when it is its turn."""
        for world, state in zip(site.worlds, (start.first, start.second), strict=True):
            world.begin(start.scenario, state, site.tables, seed)
        self.border = [world.game.border.turn for world in site.worlds]
        made = self.first.made
        assert made == self.second.made, "the worlds have other links"
        self.side = start.side
        self.enemy = next(side for side in self.first.game.sides if side != self.side)
        self.seat = Reader("seat", self._cookies("1", f"seat-{made.game}", self.side), made.tokens[self.side])
        self.host = Reader("host", {"visitor": "2" * 32, f"host-{made.game}": made.host_token}, made.host_token)
        self.stranger = Reader("stranger", {"visitor": "3" * 32})
        self.opposite = Reader("enemy", self._cookies("4", f"seat-{made.game}", self.enemy), made.tokens[self.enemy])
        self.readers = (self.seat, self.host, self.stranger)
        self.streams: list[tuple[str, str, Stream, Stream]] = []
        self.number = 0
        self.ordered_ahead = False
        """Whether the side has: then the pair goes on beyond its segment as long as the side sees the same."""
        self.nonces = 0
        self.pledged = dict.fromkeys(site.worlds, 0)
        """How often the side has pledged bytes in each world."""

    def _nonce(self) -> str:
        self.nonces += 1
        return f"{self.nonces:032x}"

    def _cookies(self, visitor: str, name: str, side: str) -> dict[str, str]:
        return {"visitor": visitor * 32, name: self.first.made.tokens[side]}

    async def play(self, longest: int, depth: Depth) -> None:
        """Play it for some moments. Raises Leak."""
        try:
            if self._why_over():
                self.report.ended["something came to light at once"] += 1
            else:
                await self._play(longest, depth)
        finally:
            for world in self.site.worlds:
                world.end()

    async def _play(self, longest: int, depth: Depth) -> None:
        async with self._followed():
            await self._prepare()
            await self._look(depth(0))
            for number in range(1, longest):
                self.number = number
                why = await self._step(depth(number) if depth(number) == "all" else "")
                if why:
                    self.report.ended[why] += 1
                    break
                await self._look(depth(number))
            else:
                self.report.ended["long enough"] += 1
        self.report.pairs += 1
        self.report.differed += canonical(self.first.game.state) != canonical(self.second.game.state)

    # --- streams --------------------------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def _followed(self) -> AsyncIterator[None]:
        for reader, path, address in self._followable():
            self.streams.append((reader.name, path, *await self._opened(reader, address)))
            self.report.good.add(path)
        try:
            yield
        finally:
            for _, _, *pair in self.streams:
                for stream in pair:
                    await stream.close()

    def _followable(self) -> Iterator[tuple[Reader, str, str]]:
        made = self.first.made
        yield self.stranger, "/watch/{public_id}/stream", f"/watch/{made.public_id}/stream"
        if self.present:
            events = f"/api/tables/{made.game}/sides/{self.side}/events"
            yield self.seat, "/table/{game_id}/stream", f"/table/{made.game}/stream"
            yield self.seat, "/api/tables/{game}/sides/{side}/events", events

    async def _opened(self, reader: Reader, address: str) -> tuple[Stream, Stream]:
        first, second = (Stream(world.app, reader.reads(address)) for world in self.site.worlds)
        while not (first.line.pieces and second.line.pieces):
            await asyncio.sleep(0.001)
        return first, second

    async def _reconnect(self) -> None:
        """Follow each stream once more from now on: what it begins with is the same."""
        for reader, path, address in self._followable():
            first, second = await self._opened(reader, address)
            for stream in (first, second):
                await stream.close()
            self._same_events(reader.name, path, first, second)

    async def _compare_streams(self) -> None:
        """Every event alike: how many, in which order, how long, with which words."""
        for world in self.site.worlds:
            await world.settle()
        for reader, path, first, second in self.streams:
            self._same_events(reader, path, first, second)

    def _compare_orders(self) -> None:
        """What the side has ordered ahead, with all that it waits for: also if the segment ended with its plan."""
        ours, theirs = [str(world.tables.ahead(world.made.game, self.side)) for world in self.site.worlds]
        if ours != theirs:
            raise self._leak("orders ahead", "seat", parted(ours, theirs))
        self.ordered_ahead = bool(self.first.tables.ahead(self.first.made.game, self.side).orders)
        self.report.ahead += self.ordered_ahead

    def _same_events(self, reader: str, path: str, first: Stream, second: Stream) -> None:
        ours, theirs = ([text for piece in one.taken() if (text := normal(piece.decode()))] for one in (first, second))
        if ours != theirs:
            sizes = [[len(piece) for piece in one] for one in (ours, theirs)]
            diff = parted("".join(ours), "".join(theirs))
            raise self._leak(f"stream {path}", reader, f"events of {sizes[0]} and {sizes[1]} characters; {diff}")
        if first.line.headers != second.line.headers:
            raise self._leak(f"stream {path}", reader, parted(str(first.line.headers), str(second.line.headers)))
        self.report.events += len(ours)
        self.report.channels[f"stream {path}"] += 1

    def _leak(self, channel: str, reader: str, diff: str) -> Leak:
        title = self.start.scenario["title"]
        asked = self.first.game.pending
        words = f"at moment {self.number} of “{title}” ({self.side} looks; {asked.public if asked else 'the end'})"
        return Leak(channel, reader, words, diff)

    # --- looking --------------------------------------------------------------------------------------------------

    async def _look(self, depth: str) -> None:
        """Compare what everybody gets at this moment."""
        self.report.moments += 1
        self.report.everything += depth == "all"
        await self._compare_streams()
        before = [world.game.turn for world in self.site.worlds]
        around = self._around()
        for reader in self.readers:
            for path, said in self._asked(reader, around, depth):
                await self._same(path, reader, said)
        if depth == "all":
            await self._reconnect()
        await self._compare_streams()
        assert before == [world.game.turn for world in self.site.worlds], "looking has changed the game"

    def _asked(self, reader: Reader, around: Around, depth: str) -> Iterator[tuple[str, Said]]:
        for route in self.routes:
            path, methods = route.path, (route.methods or set()) - {"HEAD"}
            if path in STREAMS or (path.startswith(STILL) and (self.number or not self.still)):
                continue
            if "GET" in methods and (depth == "all" or self._is_often(path, reader)):
                if path in DEAR and not (self.dear and reader is self.seat):
                    continue
                for address in addresses(route, around):
                    yield f"GET {path}", reader.reads(address)
                    if depth == "all" and address == f"/table/{around.game}/replay":
                        yield f"GET {path}", reader.reads(address, **{"hx-request": "true"})
            for method in methods - {"GET"} if depth == "all" else ():
                for said in sendings(method, path, around, reader):
                    yield f"{method} {path}", said

    def _is_often(self, path: str, reader: Reader) -> bool:
        if path not in OFTEN:
            return False
        watched = "/watch/" in path
        return watched if reader is self.stranger else not watched and (reader is self.seat or "{side}" not in path)

    def _around(self) -> Around:
        game, made = self.first.game, self.first.made
        asked = game.pending
        view = game.view(self.side).data
        units = tuple(list(view.get("sites", ()))[:2] + list(view.get("forces", ()))[:1]) or ("no-such",)
        option = asked.option(0).text if isinstance(asked, Choose) and asked.side == self.side else "go"
        return Around(made.game, made.public_id, self.side, self.enemy, game.moment_of(self.side), units, option)

    async def _same(self, channel: str, reader: Reader, said: Said) -> tuple[Told, Told]:
        """Ask both worlds the same; the answers are the same."""
        ours, theirs = [await self._ask(world, said) for world in self.site.worlds]
        if self._why_over():
            return ours, theirs
        self.report.responses += 1
        self.report.channels[channel] += 1
        if ours.status < 400:
            self.report.good.add(channel.partition(" ")[2])
        if diff := difference(ours, theirs):
            raise self._leak(f"{channel} ({said})", reader.name, diff)
        if ours.status >= 500 and said.path != "/healthz":
            raise AssertionError(f"{said}: {ours.text}")
        return ours, theirs

    async def _ask(self, world: World, said: Said) -> Told:
        """Ask one world. Streams have told what follows from it before anything else changes: one event or two is no
        matter of luck."""
        told = await ask(world.app, said)
        if said.method != "GET":
            await world.settle()
        return told

    # --- going on -------------------------------------------------------------------------------------------------

    async def _step(self, depth: str) -> str:
        """Give both games the next answer, or all that the enemy decides in secret; why the pair is at its end."""
        asked = self.first.pending
        if asked is None:
            return "the game was over"
        if asked.side == self.side:
            if self.plans and await self._let_pass():
                return self._why_over()
            await self._take_back()
            await self._answer_both()
        elif self.first.in_secret(self.side):
            if not await self._wait(depth):
                return "the enemy found no end"
        elif not await self._enemy_answers():
            return "the enemy had no such option"
        return self._why_over()

    async def _let_pass(self) -> bool:
        """Wait for what passes by itself, or was ordered ahead: it is the same in both worlds. Whether there was
        something."""
        before = [world.game.turn for world in self.site.worlds]
        ordered = self.first.tables.ahead(self.first.made.game, self.side).given
        for world in self.site.worlds:
            await asyncio.to_thread(world.let_pass, self.side)
            await self._reveal(world)
        passed = [world.game.turn - turn for world, turn in zip(self.site.worlds, before, strict=True)]
        if passed[0] != passed[1] and not self._why_over():
            raise self._leak("what passes by itself", "seat", f"answers: {passed}")
        self.report.given += self.first.tables.ahead(self.first.made.game, self.side).given > ordered
        return bool(passed[0])

    def _why_over(self) -> str:
        """Why what is told from now on may differ; nothing as long as it may not."""
        if self.ordered_ahead and not self._see_the_same():
            return "a secret showed itself after a segment"
        if [world.game.border.turn for world in self.site.worlds] != self.border and not self.ordered_ahead:
            return "a segment ended"
        if any(world.game.pending is None for world in self.site.worlds):
            return "the game was over"
        events = [event for world in self.site.worlds for event, _ in world.game.events]
        revealed = any(isinstance(event, Note) and event.reveals for event in events)
        return "something came to light" if revealed else ""

    def _see_the_same(self) -> bool:
        """Whether the side and everybody see the same in both games."""
        for reader in (self.side, NEUTRAL):
            views = [world.game.view(reader) for world in self.site.worlds]
            if len({canonical([view.as_dict(), [str(entry) for entry in view.log]]) for view in views}) > 1:
                return False
        return True

    def _tick(self) -> None:
        self.site.clock.now += 7

    async def _answer_both(self) -> None:
        """The side answers, on the page or as a program; or it confirms the whole plan of its staff."""
        self._tick()
        asked, made = self.first.pending, self.first.made
        assert asked is not None
        fields = {"option": self._any(asked), "at": self.first.game.moment_of(self.side), "nonce": self._nonce()}
        roll = self.chance.random()
        path, address = "/api/tables/{game}/sides/{side}/answers", f"{self._seat_path}/answers"
        if self.plans and roll < self._share_of_plans():
            path, address = "/api/tables/{game}/sides/{side}/sheet", f"{self._seat_path}/sheet"
            del fields["option"]
        elif roll < 0.5:
            path, address = "/table/{game_id}/answer", f"/table/{made.game}/answer"
        said = self.seat.sends(address, fields)
        told = await self._same(f"POST {path}", self.seat, said)
        self._check_receipts(told)
        self._compare_orders()
        for world in self.site.worlds:
            await self._reveal(world)
        await self._call()
        await self._same(f"POST {path}", self.seat, said)  # once more: its receipt comes again
        await self._same(f"POST {path}", self.seat, self.seat.sends(address, {**fields, "nonce": self._nonce()}))

    def _share_of_plans(self) -> float:
        sheet = self.first.tables.plan(self.first.made.game, self.side, {})
        return PLANS_AHEAD if any([one.ahead for one in sheet]) else PLANS

    def _check_receipts(self, told: tuple[Told, Told]) -> None:
        """A receipt is no hash of the tape: by that one could try what the other side has answered."""
        for world, answer in zip(self.site.worlds, told, strict=True):
            assert answer.status == 200, answer.text
            receipts = receipts_in(answer)
            assert receipts, answer.text
            if set(receipts) & {json.loads(text)["hash"] for text in world.game.tape().texts}:
                raise self._leak("receipts", "seat", f"one of {receipts} is the hash of a line")

    def _any(self, asked: Choose[Any]) -> str:
        stay = asked.verb in LEAVING and self.chance.random() < STAYS
        return asked.option(0 if stay else self.chance.randrange(len(asked))).text

    async def _take_back(self) -> None:
        """The side tries to take its last answer back, or asks the enemy to let it do so; the enemy declines."""
        made, roll = self.first.made, self.chance.random()
        seat, nonce = f"/api/tables/{made.game}/sides/{self.side}", {"nonce": self._nonce()}
        if roll < 0.25:
            said = self.seat.sends(f"{seat}/undo", nonce)
            await self._same("POST /api/tables/{game}/sides/{side}/undo", self.seat, said)
        elif roll < 0.4:
            await self._propose()
            await self._look("often")
            await self._enemy_asks("/consent", {"yes": False, "nonce": self._nonce()})
        elif roll < 0.5:
            said = self.seat.sends(f"/table/{made.game}/undo", nonce)
            await self._same("POST /table/{game_id}/undo", self.seat, said)

    async def _propose(self) -> None:
        """The side asks the enemy to let it take its last answer back, if there is one."""
        said = self.seat.sends(f"/table/{self.first.made.game}/propose", {"nonce": self._nonce()})
        await self._same("POST /table/{game_id}/propose", self.seat, said)

    async def _enemy_answers(self) -> bool:
        """The enemy answers openly: the same in both worlds."""
        self._tick()
        ours, theirs = self.first.pending, self.second.pending
        assert ours is not None
        if theirs is None or theirs.side != ours.side:
            return False
        offered = {option.text for option in theirs.options}
        both = [option.text for option in ours.options if option.text in offered]
        if not both:
            return False
        text = both[0] if ours.verb in LEAVING else self.chance.choice(both)
        for world in self.site.worlds:
            await self._enemy_answer(world, text)
        await self._call()
        return True

    async def _enemy_answer(self, world: World, text: str) -> None:
        self.report.secret += world.in_secret(self.side)
        at = world.game.moment_of(self.enemy)
        if (
            self.plans and world is self.second and self.staffs.random() < THINKS
        ):  # he looks at his plan, so his staff thinks about it
            await self._enemy_asks("/sheet/trial", {}, world)
            await world.settle()
            advice = world.tables.advice(world.made.game, self.enemy)
            self.report.channels["plans of the enemy's staff"] += bool(advice.found.thoughts)
        told = await self._enemy_asks("/answers", {"option": text, "at": at, "nonce": self._nonce()}, world)
        assert told.status == 200, told.text
        await self._reveal(world)

    async def _reveal(self, world: World) -> None:
        """If dice wait for the bytes of the side, its page tells them."""
        if world.waits_for_bytes:
            await world.settle()
            shown = _bytes(self.pledged[world])
            self.pledged[world] += 1
            fields = {"reveal": shown, "pledge": _pledge(_bytes(self.pledged[world]))}
            told = await ask(world.app, self.seat.sends(f"{self._seat_path}/reveal", fields))
            assert told.status == 204, told.text
            self.report.channels["fresh bytes that a roll waited for"] += 1
            await world.settle()

    @property
    def _seat_path(self) -> str:
        return f"/api/tables/{self.first.made.game}/sides/{self.side}"

    async def _pledges(self) -> None:
        """The side pledges bytes in both worlds, the enemy in one."""
        if not any(route.path.endswith("/pledge") for route in self.site.routes):
            return
        said = self.seat.sends(f"{self._seat_path}/pledge", {"pledge": _pledge(_bytes(0))})
        await self._same("POST /api/tables/{game}/sides/{side}/pledge", self.seat, said)
        told = await self._enemy_asks("/pledge", {"pledge": _pledge("e" * 64)}, self.second)
        assert told.status == 204, told.text

    async def _enemy_asks(self, what: str, fields: dict[str, Any], *worlds: World, method: str = "POST") -> Told:
        path = f"/api/tables/{self.first.made.game}/sides/{self.enemy}{what}"
        said = self.opposite.sends(path, fields, method)
        told = [await ask(world.app, said) for world in worlds or self.site.worlds]
        return told[0]

    async def _wait(self, depth: str) -> bool:
        """Let the enemy decide in secret, first in one world, then in the other, until the side sees something new.

        Meanwhile one enemy has come further than the other, and that does not show."""
        if self.chance.random() < 0.3:
            await self._propose()  # and it stays so, whatever the enemy does
        sights = [self._sight(world) for world in self.site.worlds]
        given: set[str] = set()
        for count in range(LONGEST_WAIT):
            if not self._waits(self.first, sights[0]):
                break
            if count == 1 and self.chance.random() < 0.3:
                await self._host_asks()
            if count:
                await self._look(depth or "often")
            self._tick()
            text = self._any(self.first.pending)  # type: ignore[arg-type]
            given.add(text)
            await self._enemy_answer(self.first, text)
            if self._waits(self.first, sights[0]) and self.chance.random() < 0.3:
                await self._enemy_asks("/undo", {"nonce": self._nonce()}, self.first)
        else:
            return False
        for _ in range(LONGEST_WAIT):
            if not self._waits(self.second, sights[1]):
                await self._call()
                return True
            await self._enemy_answer(self.second, self._secret_answer(self.second.pending, given))  # type: ignore[arg-type]
        return False

    async def _host_asks(self) -> None:
        """The host asks for the enemy's seat, which everybody reads, and thinks better of it."""
        seat = f"/api/tables/{self.first.made.game}/sides/{self.enemy}"
        said = self.host.sends(f"{seat}/holder", {"holder": "person"}, "PUT")
        await self._same("PUT /api/tables/{game}/sides/{side}/holder", self.host, said)
        said = self.host.sends(f"{seat}/request", {}, "DELETE")
        await self._same("DELETE /api/tables/{game}/sides/{side}/request", self.host, said)

    def _secret_answer(self, asked: Choose[Any], given: set[str]) -> str:
        same = next((option.text for option in asked.options if option.text in given), None)
        return self._any(asked) if same is None or self.chance.random() < ANOTHER else same

    def _waits(self, world: World, sight: str) -> bool:
        return world.in_secret(self.side) and self._sight(world) == sight

    def _sight(self, world: World) -> str:
        game = world.game
        return as_json([game.view(self.side).data, [entry.as_dict() for entry in game.log(self.side)]])

    # --- calls, and what the enemy does for himself ---------------------------------------------------------------

    async def _prepare(self) -> None:
        """The side wants to be called; the enemy gives standing orders, wants to be called, has a staff that looks
        ahead and decides more or less himself, in one world alone."""
        await self._pledges()
        seat = f"/api/tables/{self.first.made.game}/sides/{self.side}"
        if self.plans:
            said = self.seat.sends(f"{seat}/level", {"level": self.chance.choice(LEVELS)}, "PUT")
            await self._same("PUT /api/tables/{game}/sides/{side}/level", self.seat, said)
            said = self.seat.sends(
                f"{seat}/staff", {"staff": self.staffs.choice(("captain", "captain", "commodore"))}, "PUT"
            )
            await self._same("PUT /api/tables/{game}/sides/{side}/staff", self.seat, said)
        to = {"webhook": f"{self.site.mailbox.webhook}{MINE}", "email": f"{MINE}@example.org"}
        said = self.seat.sends(f"{seat}/calls", to, "PUT")
        await self._same("PUT /api/tables/{game}/sides/{side}/calls", self.seat, said)
        while len(self.site.mailbox.came) < len(self.site.worlds):  # the mails with the code
            await asyncio.sleep(0.002)
        await self._same("POST /api/confirmation", self.seat, self.seat.sends("/api/confirmation", {"code": CODE}))
        orders = '[[order]]\nwhen = "hump:nowhere"\nanswer = "first"\n'
        for what, fields in (
            ("/orders", {"text": orders}),
            ("/calls", {"webhook": f"{self.site.mailbox.webhook}enemy", "email": ""}),
            *([("/level", {"level": self.chance.choice(LEVELS)})] if self.plans else []),
            *([("/staff", {"staff": "admiral"})] if self.plans else []),
        ):
            told = await self._enemy_asks(what, fields, self.second, method="PUT")
            assert told.status == 200, told.text
        for world in self.site.worlds:  # whether a test has ended when its answer goes out is a matter of chance
            await ask(world.app, self.seat.sends(f"{seat}/calls/test", {}))
            while world.tables.calls.messenger(world.made.game, self.side).testing:
                await asyncio.sleep(0.002)
        await self._same("GET /api/tables/{game}/sides/{side}/calls", self.seat, self.seat.reads(f"{seat}/calls"))
        self.site.mailbox.came.clear()

    async def _call(self) -> None:
        """Make the calls that are due: the side gets the same ones in both worlds, byte by byte."""
        self.site.clock.now += GRACE + 1
        came = []
        for world in self.site.worlds:
            await asyncio.to_thread(world.make_calls)
            came.append(self.site.mailbox.taken(MINE))
        if self._why_over():
            return
        if came[0] != came[1]:
            raise self._leak("calls", "the seat's mailbox", parted(repr(came[0]), repr(came[1])))
        self.report.calls += len(came[0])
        for kind, _ in came[0]:
            self.report.channels[kind] += 1


MINE = "my-own-mailbox"
LEVELS = list(SEAT_LEVELS)


def _bytes(number: int) -> str:
    """The bytes that a side pledges."""
    return f"{number:064x}"


def _pledge(shown: str) -> str:
    return hashlib.sha256(bytes.fromhex(shown)).hexdigest()
