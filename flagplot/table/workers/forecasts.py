"""Odds of whole battles: many are played in processes of their own, and counted as they come.

A forecast is worked on while somebody looks at it, until its error is small enough or its time is used up. It is found
again by what is played, so a second look goes on with it, and a link shows it to others. Several share the processes in
turn; the odds desk and the tables have processes of their own, and these stand back for them.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.words import capital
from flagplot.simulation.battles import Fought, figures_of
from flagplot.simulation.intervals import NINETY_FIVE, wilson
from flagplot.simulation.regression import Estimate, Sample
from flagplot.simulation.tallies import Tally
from flagplot.table.recent import Recent
from flagplot.table.workers.calculator import Busy, Calculator, TooLong
from flagplot.table.workers.forecast_work import CHUNK, Battle, Pair, Played, battles_played

WANTED = (0.01, 0.005, 0.0025)
"""The standard errors of the winners' shares at which it is enough; a better one each time somebody wants more."""
SECONDS = (40.0, 120.0, 300.0)
"""Seconds of work for each of them, of all processes together."""
MOST = 50_000
"""Battles at most."""
LOOKED = 12.0
"""For how many seconds after the last look a forecast is worked on."""
CHECKED = 50
"""After each so many battles it is asked whether they are enough."""
GREATEST = 60
"""Battles that are given to a process at once, at most."""
KEPT = 200
"""Forecasts that are remembered."""
ACTIVE = 20
"""Forecasts that are worked on at a time; more are refused for now."""
PATIENCE = 3
"""How many times as long as a question of the desk one battle may take: these processes stand back for others."""
PAUSE = 0.2


@dataclass(slots=True)
class Forecast:
    """How far it is, and what has come of the battles so far. They are counted in the order of their numbers, so the
    figures after so many battles are always the same."""

    sides: tuple[str, ...]
    battle: bytes
    tally: Tally = field(default_factory=Tally)
    sample: Sample = field(default_factory=Sample)
    before: Sample = field(default_factory=Sample)
    """The battles that these are compared with."""
    change: Sample = field(default_factory=Sample)
    """What the change brings about, pair by pair with the same dice."""
    more: int = 0
    """How often somebody wanted a smaller error."""
    problem: str = ""
    done: bool = False
    spent: float = 0.0
    lookers: dict[str, float] = field(default_factory=dict)
    """Who looks at it, and when he looked last."""
    served: float = 0.0
    _estimated: tuple[int, dict[str, Estimate]] = (0, {})
    """After how many battles averages were worked out, and what they are."""
    _pace: float = 0.0
    """Seconds that a battle takes, about."""
    _given: int = 0
    """The last number that was given to a process."""
    _again: list[int] = field(default_factory=list)
    """Numbers that were given and not played."""
    _early: dict[int, Pair] = field(default_factory=dict)
    """Battles that were played before others with lower numbers."""
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def battles(self) -> int:
        return self.tally.battles

    @property
    def progress(self) -> float:
        """How much of the work is done, from 0 to 1, by whatever ends it first."""
        error = self.error if self.battles else 1.0
        shares = [self.spent / SECONDS[self.more], self.battles / MOST, (WANTED[self.more] / max(error, 1e-9)) ** 2]
        return 1.0 if self.done else min(1.0, max(shares))

    def estimates(self) -> dict[str, Estimate]:
        """Averages without the luck of the dice; worked out once for so many battles."""
        battles, found = self._estimated
        if battles != self.battles:
            with self.lock:
                battles, found = self._estimated = (self.battles, self.sample.estimates())
        return found

    @property
    def error(self) -> float:
        """The greatest standard error of a winner's share. If somebody has won always or never, it is that by which
        Wilson's interval may still be off."""
        return max([one.error for one in self.shares().values()])

    def shares(self) -> dict[str, Estimate]:
        """How often each side wins, without the luck of the dice as soon as that can be told."""
        found, shares = self.estimates(), {}
        for side in self.sides:
            won = self.tally.winners[side]
            low, high = wilson(won, self.battles)
            plain = Estimate(won / self.battles, (high - low) / 2 / NINETY_FIVE, 0.0)
            shares[side] = plain if won in (0, self.battles) else found.get(f"won {side}", plain)
        return shares

    # --- work ---------------------------------------------------------------------------------------------------

    def is_active(self, now: float) -> bool:
        looked = max(self.lookers.values(), default=0.0)
        return not self.done and not self.problem and now - looked < LOOKED

    def reserve(self) -> list[int]:
        """The numbers of the battles that are played next."""
        with self.lock:
            if self._again:
                again, self._again = sorted(self._again), []
                return again
            number = max(1, min(GREATEST, round(CHUNK / self._pace))) if self._pace else 1
            first = self._given + 1
            self._given += number
            return [*range(first, first + number)]

    def give_back(self, numbers: Sequence[int]) -> None:
        with self.lock:
            self._again += numbers

    def add(self, numbers: Sequence[int], played: Played, seconds: float) -> None:
        """Count battles that were played within some seconds, those with lower numbers first."""
        with self.lock:
            self._again += numbers[len(played.battles) :]
            self._early |= {pair[0].number: pair for pair in played.battles}
            self.spent += played.seconds
            self._pace = seconds / max(1, len(played.battles))
            while not self.done and (pair := self._early.pop(self.battles + 1, None)) is not None:
                self._count(*pair)
                self.done = self._is_enough
            self.done = self.done or self.spent >= SECONDS[self.more]

    def _count(self, fought: Fought, before: Fought | None) -> None:
        self.tally.add(fought)
        figures = figures_of(fought, self.sides)
        self.sample.add(figures, fought.luck)
        if before is not None:
            old = figures_of(before, self.sides)
            self.before.add(old, before.luck)
            self.change.add_change(old, before.luck, figures, fought.luck)

    @property
    def _is_enough(self) -> bool:
        if self.battles >= MOST:
            return True
        return self.battles % CHECKED == 0 and self.error <= WANTED[self.more]

    def want(self, more: int) -> None:
        """Go on to a smaller error."""
        with self.lock:
            if more > self.more:
                self.more, self.done = more, False


class Forecasts:
    """The forecasts of a server."""

    def __init__(self, workers: int, seconds: int) -> None:
        self.calculator = Calculator(workers, PATIENCE * seconds, stands_back=True)
        self._known: Recent[Hashable, Forecast] = Recent(KEPT)
        self._changed = threading.Condition()
        self._threads = 0
        self._closed = False

    def start(self) -> None:
        """Begin all processes before anybody asks: the first figures come at once, and from all of them."""
        self.calculator.start(self.calculator.number)

    def of(self, battle: Battle, who: str, *, more: int = 0, key: Hashable = None) -> Forecast:
        """The forecast of a battle. Whoever asks looks at it, and at no other any more: he has typed on. `key` stands
        for what is played, where the battle itself would tell more than he knows."""
        pickled = pickle.dumps(battle)
        with self._changed:
            known = (key or pickled, tuple(battle.players.items()))
            found = self._known.used(known)
            for other in self._known.values():
                other.lookers.pop(who, None)
            if found is None:
                now = time.monotonic()
                if len([one for one in self._known.values() if one.is_active(now)]) >= ACTIVE:
                    raise Busy("many battles are being played just now: try again in a minute")
                found = self._known[known] = Forecast(tuple(battle.players), pickled)
        found.want(min(more, len(WANTED) - 1))
        return found

    def look(self, forecast: Forecast, who: str) -> None:
        """Somebody looks: it is worked on for some seconds more."""
        with self._changed:
            forecast.lookers[who] = time.monotonic()
            if self._threads < self.calculator.number and not self._closed and self._next() is not None:
                self._threads += 1
                threading.Thread(target=self._serve, name="flagplot-forecast", daemon=True).start()

    def _next(self) -> Forecast | None:
        """The forecast that has waited longest."""
        now = time.monotonic()
        active = [one for one in self._known.values() if one.is_active(now)]
        return min(active, key=lambda one: one.served, default=None)

    def _serve(self) -> None:
        """Hand out battles to one process as long as somebody looks at a forecast."""
        while True:
            with self._changed:
                forecast = None if self._closed else self._next()
                if forecast is None:
                    self._threads -= 1
                    return
                forecast.served = time.monotonic()
            self._play(forecast)

    def _play(self, forecast: Forecast) -> None:
        numbers, begun = forecast.reserve(), time.monotonic()
        try:
            played = self.calculator.run(battles_played, forecast.battle, numbers)
        except Busy:
            forecast.give_back(numbers)
            time.sleep(PAUSE)
        except TooLong:
            forecast.problem = "One battle between these players takes longer than the odds desk has for it."
        except FlagplotError as refusal:
            forecast.problem = f"{capital(refusal.message).rstrip('.')}."
        else:
            forecast.add(numbers, played, time.monotonic() - begun)

    def close(self) -> None:
        self._closed = True
        self.calculator.close()
