"""Players of the program that look ahead at a table: they think in a process of their own, and no table waits for it.

A player that is asked is told that it has not thought yet (`Unthought`). The table is let go, the thinking is done
elsewhere, and then the player is asked again and remembers. If it took too long, or there was no room, it plays by its
doctrine this once.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from flagplot.kernel.dice import Committed
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.game import Game, Player
from flagplot.kernel.situations import Situation
from flagplot.players import player
from flagplot.players.search.budget import Budget
from flagplot.players.search.hints import Hints
from flagplot.players.search.player import SearchPlayer
from flagplot.players.search.thinking import Unthought, think
from flagplot.players.search.thought import Thought
from flagplot.table.recent import Recent
from flagplot.table.workers.calculator import Calculator
from flagplot.table.workers.game_work import PlanAsked, planned

LOG = logging.getLogger("flagplot.table")
SECONDS = 12
"""What a decision may take at a table, whatever the player is given."""
PLAN_SECONDS = 8
"""What all decisions of a plan may take together."""
WORKERS = 1
"""Decisions that are thought about at a time."""
KEPT = 1000
"""Thoughts that are remembered until their players ask for them."""
NO_TIME = "Your staff had no time to think, so this is the captain’s plan."


class Thinkers:
    """Thinks for the players and the staffs of all tables."""

    def __init__(self) -> None:
        self._calculator: Calculator | None = None
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="flagplot-thinking")
        self._ready: Recent[int, Thought | None] = Recent(KEPT)
        self._lock = threading.Lock()

    def player(self, game: Game[Any], side: str, holder: str) -> Player:
        """The player that holds a side. What it decides by chance follows from the secret of the dice: nobody can
        foresee it, and everybody can check it when the secret is opened."""
        made = player(holder, seed_of(game, side))
        if not isinstance(made, SearchPlayer):
            return made
        budget = made.budget._replace(seconds=min(made.budget.seconds, SECONDS))
        return SearchPlayer(made.seed, budget, self._recall)

    def _recall(self, situation: Situation, seed: int, budget: Budget) -> Thought | None:
        with self._lock:
            if seed in self._ready:
                return self._ready.pop(seed)
        raise Unthought(situation, seed, budget)

    def begin(self, wanted: Unthought, done: Callable[[], object]) -> bool:
        """Think about something, and then call `done`; False if the server goes down."""
        return self.submit(lambda: self._work(wanted, done))

    def submit(self, work: Callable[[], object]) -> bool:
        """Do something in a thread of the thinkers, when it is its turn; False if the server goes down."""
        try:
            self._threads.submit(work)
        except RuntimeError:
            return False
        return True

    def _work(self, wanted: Unthought, done: Callable[[], object]) -> None:
        found: Thought | None = None
        try:
            found = self._process().run(think, wanted.situation, wanted.seed, wanted.budget)
        except FlagplotError as fault:
            LOG.warning("a player of the program did not think: %s", fault.code)
        with self._lock:
            self._ready[wanted.seed] = found
        done()

    def plan(self, asked: PlanAsked) -> Hints:
        """What a staff proposes for a plan, and why; in a thread of the thinkers."""
        try:
            return self._process().run(planned, asked, PLAN_SECONDS)
        except FlagplotError as fault:
            LOG.warning("a staff did not think: %s", fault.code)
        except Exception:
            LOG.exception("a staff did not think")
        return Hints(why_not=NO_TIME)

    def _process(self) -> Calculator:
        if self._calculator is None:
            self._calculator = Calculator(WORKERS, SECONDS, stands_back=True)
        return self._calculator

    def stop(self) -> None:
        if self._calculator is not None:
            self._calculator.close()
        self._threads.shutdown(wait=True, cancel_futures=True)


def seed_of(game: Game[Any], side: str) -> int:
    """The seed of the player that holds a side."""
    secret = game.dice.secret if isinstance(game.dice, Committed) else ""
    return int.from_bytes(hashlib.sha256(f"player/{side}/{secret}".encode()).digest()[:4])
