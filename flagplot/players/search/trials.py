"""Trials of a decision: states that fit what a side knows, each option played on in each of them.

Trial by trial all options meet the same state, the same dice and the same habits of the enemy, so that two of them
differ by what they bring about, and not by luck.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any

from flagplot.kernel.dice import Keyed
from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Player
from flagplot.kernel.playout import Playout, Start
from flagplot.kernel.replaying import Position, Reached, Replay
from flagplot.kernel.requests import Choose
from flagplot.kernel.situations import Situation
from flagplot.kernel.views import View
from flagplot.library import ruleset
from flagplot.players.by_game import DoctrineByGame
from flagplot.players.doctrine import Doctrine
from flagplot.players.search.habits import PLANS, enemy_of, own
from flagplot.players.search.judging import Horizon, Judge, Worth, worth

TRIES = 20
"""States that are drawn for each one that fits what was seen since the border; then some serve again."""
MOST = 4_000
"""Answers after which a trial is broken off."""


class NothingFits(BadValue):
    """No state was found that fits what a side has seen."""


class RoundDice(Keyed):
    """Keyed dice that begin anew with each round: one roll more in this round does not change the next."""

    __slots__ = ("_round", "_trial")

    def __init__(self, trial: int) -> None:
        super().__init__(trial)
        self._trial, self._round = trial, 0

    def begin(self, number: int) -> None:
        """The battle is in this round."""
        if number != self._round:
            self._round = number
            self.key = sha256(f"{self._trial}/{number}".encode()).digest()
            self._counts.clear()


class Trials:
    """The trials of one situation."""

    def __init__(self, situation: Situation, judge: Judge, seed: int) -> None:
        self.situation, self.judge, self.seed = situation, judge, seed
        self.ruleset = ruleset(situation.game)
        self.replay = Replay(self.ruleset, situation.side, situation.seen, situation.asked, {})
        self._worlds: list[tuple[Any, Reached]] = []
        self._drawn = 0
        first, reached = self.world(0)
        self.stake = judge.stake(first)
        self.unit = judge.unit(first)
        self.first = first
        self.doctrine = self._answer(Doctrine(), first, reached)
        """What the doctrine answers: it sees only what the side sees, so it is the same in every state. What is secret
        it draws by the seed."""
        self.plans = {
            text: plan for plan in reversed(PLANS) if (text := self._answer(plan, first, reached)) != self.doctrine
        }
        """Answers of other plans, each with the plan that goes on from it."""

    def world(self, trial: int) -> tuple[Any, Reached]:
        """The state of a trial. Where few fit, those that do serve for several trials, with other dice."""
        while len(self._worlds) <= trial and self._drawn < TRIES * (trial + 1):
            state = self.situation.beliefs.draw(Random(f"{self.seed}/{self._drawn}"))
            self.replay.players = self._deciding_in_secret(self._drawn)
            self._drawn += 1
            reached = self.replay.reach(state)
            if reached is not None:
                self._worlds.append((state, reached))
        if not self._worlds:
            raise NothingFits("no state was found that fits what is known", given=self.situation.side)
        return self._worlds[trial % len(self._worlds)]

    def _deciding_in_secret(self, drawn: int) -> dict[str, Player]:
        """Who answers what the enemy was asked in secret since the border: otherwise in each state that is drawn."""
        return {side: DoctrineByGame(seed=hash_of(self.seed, drawn)) for side in self.situation.sides}

    def _answer(self, doctrine: Doctrine, state: Any, reached: Reached) -> str:
        played = Playout(Start(self.ruleset, state, reached.given))
        assert isinstance(played.pending, Choose)
        view = View(Position(self.ruleset, played.state), self.situation.side)  # type: ignore[arg-type]
        return DoctrineByGame(doctrine, self.seed).choose(view, played.pending).text

    def play(self, option: str, trial: int, horizon: Horizon | None, enemy: Player | None = None) -> Worth:
        """What comes of an option in one trial, at the end or where it is followed to. Where another plan than the
        doctrine's says so, it is followed by the rest of that plan."""
        state, reached = self.world(trial)
        dice = RoundDice(hash_of(self.seed, trial))
        side = self.situation.side
        players: dict[str, Player] = {
            one: own(self.seed, trial, self.plans.get(option)) if one == side else enemy or enemy_of(self.seed, trial)
            for one in self.situation.sides
        }
        played = Playout(Start(self.ruleset, state, reached.given), self._stop(dice, horizon))
        played.answer(option)
        played.play(players, dice, MOST)
        return worth(self.judge, played.state, side, self.stake)

    def _stop(self, dice: RoundDice, horizon: Horizon | None) -> Callable[[Any], bool]:
        number = self.judge.round

        def stop(state: Any) -> bool:
            dice.begin(number(state))
            return horizon is not None and horizon.over(state)

        return stop


def hash_of(seed: int, trial: int) -> int:
    """The seed of one trial, for its dice and whoever decides in secret."""
    return Random(f"dice {seed}/{trial}").getrandbits(48)
