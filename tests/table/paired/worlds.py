"""Two worlds: two servers of the table, each with a store of its own, that differ in nothing but what is put into them.

Ids, links, clock and dice are the same in both, so whatever a reader is sent can be compared as it is. A table may
begin at any border between segments: the scenario names a position that was put down before, and that one is the
opening. So two tables can be made whose states differ in the secrets of one side alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from typing import Any, TypeVar
from unittest import mock

from fastapi import FastAPI
from fastapi.routing import APIRoute

from flagplot import library
from flagplot.kernel.dice import Committed, Head, derive
from flagplot.kernel.game import Game
from flagplot.kernel.levels import Level
from flagplot.kernel.log import is_secret_from
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.requests import Choose, Faces, Roll
from flagplot.odds.answer import Answer
from flagplot.odds.enumerator import Limits
from flagplot.odds.position_answer import PositionAnswer
from flagplot.players import ranks
from flagplot.players.search.budget import Budget
from flagplot.table.battle import streaming
from flagplot.table.build.built import Built, built
from flagplot.table.games.wakeups import Subscription
from flagplot.table.guard.rates import Counter, Rate
from flagplot.table.info import Created
from flagplot.table.playing import staff
from flagplot.table.seats import notifications as notices
from flagplot.table.seats import outgoing, seating
from flagplot.table.seats.notifications import RATES
from flagplot.table.seats.outgoing import Post
from flagplot.table.server.app import create_app
from flagplot.table.settings import Settings
from flagplot.table.store.store import Store
from flagplot.table.tables import Tables
from flagplot.table.workers import forecasts, game_work, thinking
from flagplot.table.workers.calculator import Calculator, Said, answered
from flagplot.table.workers.forecasts import Forecast, Forecasts
from flagplot.table.workers.game_work import OddsAsked, PlanAsked, position_odds
from flagplot.table.workers.thinking import Thinkers
from tests.table.paired.asking import HOST

T = TypeVar("T")

POSITION = "position"
"""The key by which a scenario names the position that it begins with."""
POSITIONS: dict[str, Any] = {}
BEGIN = 1_700_000_000.0
CODE = "aaaa-bbbb-cccc-dddd"
"""The code by which e-mail addresses are confirmed."""


class Clock:
    """The clock of both worlds; it stands still until it is moved."""

    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> float:
        return self.now


class Here(Calculator):
    """Odds are worked out in this process, to the end: nothing depends on how quick the machine is."""

    def start(self, processes: int = 1) -> None:
        """There are no processes."""

    def run(self, work: Callable[..., T], *given: Any, **named: Any) -> T:
        shortly = [one._replace(level=Level.COMMAND) if isinstance(one, PlanAsked) else one for one in given]
        return work(*shortly, **named)

    def ask_position(self, lines: Sequence[str], asked: OddsAsked) -> PositionAnswer:
        return position_odds(lines, asked._replace(quick=False, more=0), 3600)

    def ask_built(self, text: str) -> Built:
        return built(text)

    def ask(self, kind: str, said: Said, who: str = "") -> Answer:
        return answered(kind, said, 3600)


class PlayedHere(Forecasts):
    """Whole battles are played in this process as soon as somebody looks, a few of them."""

    def look(self, forecast: Forecast, who: str) -> None:
        while not forecast.done and not forecast.problem:
            self._play(forecast)


class World:
    """One server and its store, and the table that is being played."""

    def __init__(self, name: str, address: str, clock: Clock, *, smtp: str = "") -> None:
        self.name = name
        self.tables = Tables(Store(address), clock=clock, post=Post(f"https://{HOST}", smtp, private=True))
        settings = Settings(address=f"https://{HOST}", rate_limits=False, log_requests=False)
        self.tables.calls.rates = Counter(dict.fromkeys(RATES, Rate(10**9, 10**9)))  # rates go by the wall clock
        self.tables.calls.due.threads = 1  # how the last call went is shown, so they are made one after the other
        self.app: FastAPI = create_app(self.tables, settings)
        self.app.state.calculator = Here()
        self.app.state.forecasts = PlayedHere(1, 3600)
        self.app.state.forecasts.calculator = self.app.state.calculator
        self.made = Created("", "", "", {})

    def close(self) -> None:
        self.tables.close()

    def begin(self, scenario: Mapping[str, Any], position: Any, number: int, dice: int = 0) -> None:
        """Make a table that begins with a position; ids and links follow from its number, in both worlds alike. The
        `dice` do not: a pair goes on as it does, whatever was played before it."""
        key = f"{self.name} {number}"
        POSITIONS[key] = copy_of(position)
        chance = random.Random(f"links {number}")
        with (
            mock.patch.object(seating, "new_id", lambda prefix: prefix + _letters(chance, 10)),
            mock.patch.object(seating, "new_token", partial(_letters, chance, 43)),
            mock.patch.object(secrets, "token_hex", lambda size: f"{dice:0{2 * size}d}"),  # the secret of the dice
        ):
            self.made = self.tables.create({**scenario, POSITION: key})
            for place, token in enumerate(self.made.tokens.values()):
                self.tables.join(token, contribution=f"{place}{number:063d}")
        self.game.copy()  # from now on it remembers every border

    def end(self) -> None:
        """The table is no longer needed: another one with the same links may follow."""
        self.tables.store.delete(self.made.game)
        self.tables._changed_elsewhere(self.made.game)
        self.tables._playing.games.forget(self.made.game)

    def make_calls(self) -> None:
        """Make the calls that are due, until none is left: each has arrived then, however slow the machine is. A seat
        has one call of a kind at a time, so if it was asked twice meanwhile the second call is put off or not, as quick
        as the machine is: that tells nothing of the game."""
        while self.tables.store.due(self.tables.clock()):
            self.tables.calls.make_due()

    @property
    def game(self) -> Game[Any]:
        """The game as the server has it."""
        with self.tables._playing.using(self.made.game) as live:
            return live.game

    @property
    def pending(self) -> Choose[Any] | None:
        pending = self.game.pending
        assert not isinstance(pending, Roll), "the dice were not rolled"
        return pending

    @property
    def waits_for_bytes(self) -> bool:
        """Whether dice are to be rolled that wait for somebody's bytes."""
        return isinstance(self.game.pending, Roll)

    def in_secret(self, side: str) -> bool:
        """Whether somebody decides something that the side may know nothing of."""
        return self.pending is not None and is_secret_from(self.pending, side)

    def let_pass(self, side: str) -> None:
        """The time is up after which a moment of a side passes by itself, or its orders ahead are given."""
        with self.tables._playing.using(self.made.game) as live:
            live.passes = dict.fromkeys((False, True), ((side, live.game.turn, live.game.undone), 0.0))
        self.tables._playing._play(self.made.game)

    async def settle(self) -> None:
        """Let every stream tell what it has to tell, then the staffs think, and then the streams tell that too. So
        whether a staff was quicker than a stream is no matter of luck."""
        thoughts = THOUGHTS[self.tables._playing._thinkers]
        await self._all_told()
        while thoughts:
            await asyncio.to_thread(thoughts.pop(0))
            await self._all_told()

    async def _all_told(self) -> None:
        while not self._is_settled():
            await asyncio.sleep(0.001)

    def _is_settled(self) -> bool:
        live = self.tables._playing.games.known(self.made.game)
        if live is not None and live.busy:
            return False
        waiting = list(self.tables.wakeups._subscribed.get(self.made.game, ()))
        return all(one in IDLE and not one._news.is_set() for one in waiting)


IDLE: set[Subscription] = set()
"""Streams that wait for news."""
THOUGHTS: defaultdict[Thinkers, list[Callable[[], object]]] = defaultdict(list)
"""What the staffs of each world are to think about, until its streams have told what they have to tell."""


def _letters(chance: random.Random, number: int) -> str:
    return "".join(chance.choices(seating.LETTERS, k=number))


@contextlib.contextmanager
def paired_play() -> Iterator[None]:
    """While this lasts tables may begin with positions, and the dice fall alike everywhere, by the roll's number."""
    wait = Subscription.wait

    async def waits(self: Subscription, timeout: float | None = None) -> bool:
        IDLE.add(self)
        try:
            return await wait(self, None)  # nobody looks again because of the clock on the wall
        finally:
            IDLE.discard(self)

    def faces(self: Committed, roll: Roll[Any], number: int, head: Head) -> Faces:
        return derive(self.secret.encode(), b"%d" % number, roll.dice)

    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(streaming, "monotonic", return_value=0.0))  # no sign of life is due
        for name in library.RULESETS:
            kind: Any = type(library.ruleset(name))
            stack.enter_context(mock.patch.object(kind, "read", _reading(kind.read)))
        stack.enter_context(mock.patch.object(Subscription, "wait", waits))
        stack.enter_context(mock.patch.object(Committed, "faces", faces))
        stack.enter_context(mock.patch.object(notices, "new_code", return_value=CODE))
        stack.enter_context(mock.patch.object(notices, "AGAIN", (0.0,) * len(notices.AGAIN)))
        stack.enter_context(mock.patch.object(notices, "LATER", 0.0))
        stack.enter_context(mock.patch.object(outgoing, "PATIENCE", 3600.0))  # a call that seems lost is made again
        # a staff thinks when `World.settle` says so, and shortly; in what it says then the worlds could differ
        stack.enter_context(mock.patch.object(Thinkers, "submit", _later))
        stack.enter_context(mock.patch.object(Thinkers, "_process", return_value=Here()))
        stack.enter_context(mock.patch.object(thinking, "PLAN_SECONDS", 3600))
        stack.enter_context(mock.patch.object(ranks, "BUDGETS", dict.fromkeys(ranks.BUDGETS, Budget(2, 3600.0, 2, 1))))
        if find_spec("flagplot.table.playing.fresh_bytes"):
            stack.enter_context(mock.patch("flagplot.table.playing.fresh_bytes.PATIENCE", 3600.0))
        stack.enter_context(mock.patch.object(staff, "delay", return_value=1e9))  # see `World.let_pass`
        stack.enter_context(mock.patch.object(game_work, "TRIALS", 2))
        stack.enter_context(mock.patch.object(game_work, "FIRST", 3600))
        stack.enter_context(mock.patch.object(game_work, "LIMITS", Limits(400, 3600)))
        stack.enter_context(mock.patch.object(forecasts, "MOST", 2))
        first: Any = type(library.ruleset("awaw"))
        stack.enter_context(mock.patch.object(first, "beliefs", _published(first.beliefs)))
        yield


def _later(self: Thinkers, work: Callable[[], object]) -> bool:
    THOUGHTS[self].append(work)
    return True


def _reading(read: Any) -> Any:
    def positioned(self: Any, scenario: Mapping[str, Any], options: Any) -> Any:
        key = scenario.get(POSITION)
        return read(self, scenario, options) if key is None else copy_of(POSITIONS[key])

    return positioned


def _published(beliefs: Any) -> Any:
    """Public is what both players have read in the scenario, whatever position their table begins with."""

    def by_scenario(self: Any, data: Mapping[str, Any], *given: Any, **named: Any) -> Any:
        return beliefs(self, {key: value for key, value in data.items() if key != POSITION}, *given, **named)

    return by_scenario


def routes_of(app: FastAPI) -> list[APIRoute]:
    """All routes of an application, those of its parts among them."""
    return list(_walk(app.router.routes))


def _walk(routes: Any) -> Iterator[APIRoute]:
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from _walk(inner.routes)
        elif isinstance(route, APIRoute):
            yield route
