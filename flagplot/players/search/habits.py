"""Who plays on in a trial: the doctrine on both sides, the enemy with habits of his own, with slips."""

from __future__ import annotations

from random import Random
from typing import Any

from flagplot.kernel.game import Brief
from flagplot.kernel.progress import Pick
from flagplot.kernel.requests import Choose
from flagplot.kernel.situations import first_word
from flagplot.kernel.views import View
from flagplot.players.by_game import DoctrineByGame
from flagplot.players.doctrine import Doctrine

SLIPS = 0.03
"""How often an answer in a trial departs from the doctrine: the enemy may not play by the book."""
FINAL = frozenset({"withdraw", "retreat", "leave", "abort", "break-off", "activity", "return", "battle"})
"""First words of what cannot be taken back: nobody slips there."""
HABITS = (
    Doctrine(),
    Doctrine(caution=0.4),
    Doctrine(caution=1.1),
    Doctrine(cap_share=0.5),
    Doctrine(withdraw_below=0.2),
)
"""What an enemy may be like: by the book, bold, careful, thrifty with patrols, slow to leave."""


PLANS = (
    Doctrine(counterair_force=2.5),
    Doctrine(counterair_force=7.0),
    Doctrine(cap_share=0.5),
    Doctrine(caution=0.3),
    Doctrine(caution=1.2),
    Doctrine(last_strike=6.0),
)
"""Whole plans that may be better than the doctrine's: smaller or larger raids, thinner patrols, seeking or avoiding
gunfire, striking with the last squadrons sooner. Who takes up one at a question goes on with it in the trials."""


class Slipping(Brief):
    """A doctrine player that takes any option now and then."""

    def __init__(self, doctrine: Doctrine, seed: str, share: float = SLIPS) -> None:
        chance = Random(seed)
        self._player = DoctrineByGame(doctrine, chance.getrandbits(32))
        self._chance = chance.random
        self._share = share

    def picks(self, view: View) -> Pick:
        by_doctrine, chance, share = self._player.picks(view), self._chance, self._share

        def pick(request: Choose[Any]) -> int:
            if chance() < share and first_word(request.verb) not in FINAL:
                return int(chance() * len(request.values))
            return by_doctrine(request)

        return pick


def own(seed: int, trial: int, plan: Doctrine | None = None) -> Slipping:
    """Who plays on for the side itself, by the doctrine or by another plan."""
    return Slipping(plan or HABITS[0], f"own {seed}/{trial}")


def enemy_of(seed: int, trial: int) -> Slipping:
    """Who plays the enemy in a trial: each habit in turn, by the book most often."""
    place = trial // 2 % len(HABITS) if trial % 2 else 0
    return Slipping(HABITS[place], f"enemy {seed}/{trial}")


class Persistent(Slipping):
    """An enemy that answers one kind of question always alike: with the first option, the last, or one between."""

    def __init__(self, word: str, share: float, seed: int, trial: int) -> None:
        super().__init__(HABITS[0], f"enemy {seed}/{trial}")
        self._word, self._part = word, share

    def picks(self, view: View) -> Pick:
        otherwise = super().picks(view)

        def pick(request: Choose[Any]) -> int:
            if first_word(request.verb) == self._word:
                return round(self._part * (len(request.values) - 1))
            return otherwise(request)

        return pick
