"""Thinking about a decision: from what a side knows and a seed to the options that were compared and the one to take.

Nothing else goes in: no game, no true state. The same situation, seed and budget give the same answer and the same
table, as long as the cap on the time is not reached.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from flagplot.kernel.errors import BadValue
from flagplot.kernel.situations import Situation
from flagplot.players.search.budget import Budget
from flagplot.players.search.habits import FINAL, Persistent
from flagplot.players.search.halving import Found, halving
from flagplot.players.search.judging import Worth, judge_of
from flagplot.players.search.matrix import mixed, solved
from flagplot.players.search.thought import Thought
from flagplot.players.search.trials import Trials
from flagplot.players.search.weighing import Weighed, weighed

SECRET = {"number": 25, "patrol": 7}
"""First words of what both sides choose in secret at once, where it pays to be guessed wrong; and how many playouts
each pair of choices must be able to get before a matrix is solved. With a dozen, chance alone makes one group number
look better than another. Day or Night is not among them: whatever the enemy chooses, naming the better one makes it
likelier."""
UNORDERED = frozenset({"number"})
"""Those whose options are not more or less of something, so that a few of them do not stand for the rest; the
doctrine's draw is left only for what is very surely better."""
SURE, VERY_SURE = 1.0, 2.0
"""How many standard errors an option must be better than the doctrine's; and one that cannot be taken back."""
GIVEN_UP = 0.05
"""The chance to win, less that to lose, which may be given up with a battle to save ships."""
OFTEN = 20
"""Playouts that an option must have had which cannot be taken back."""
TIE = 0.01
"""By how much an option must be better than the doctrine's on the whole to be mixed with it, at least."""
HARMLESS = ("none", "stay", "hold", "no", "go-on")
"""Answers to final questions that leave everything open."""


def looks_ahead(situation: Situation | None) -> bool:
    """Whether there is something to think about, in a kind of play that is thought about."""
    if situation is None or len(situation.options) < 2:
        return False
    return judge_of(situation.game, situation.kind) is not None


def think(situation: Situation, seed: int, budget: Budget) -> Thought | None:
    """What comes of each option, and which one to take; None if there is nothing to go by."""
    judge = judge_of(situation.game, situation.kind)
    if judge is None:
        return None
    until = time.monotonic() + budget.seconds
    try:
        trials = Trials(situation, judge, seed)
    except BadValue:  # nothing was found that fits what is known
        return None
    return _Thinking(situation, seed, budget, trials, until).thought()


class _Thinking:
    """One decision that is thought about."""

    def __init__(self, situation: Situation, seed: int, budget: Budget, trials: Trials, until: float) -> None:
        self.situation, self.seed, self.trials = situation, seed, trials
        self.until, self.capped = until, False
        self.labels = dict(situation.options)
        self.doctrine = trials.doctrine
        self.options = thinned([text for text, _ in situation.options], (self.doctrine, *trials.plans), budget.options)
        self.horizon = None if situation.word in FINAL else trials.judge.horizon(trials.first, budget.rounds)
        self.playouts = max(1, int(budget.playouts / trials.judge.slowness(situation.kind)))

    def _in_time(self) -> bool:
        self.capped = self.capped or time.monotonic() > self.until
        return not self.capped

    def thought(self) -> Thought | None:
        """Secret choices are mixed if there are enough playouts; else the best is taken, if it is surely better. With
        too few to tell one group number from another, the doctrine draws it."""
        if self.situation.word in SECRET:
            affordable = self.playouts // (SECRET[self.situation.word] * len(WAYS))
            if self.situation.word not in UNORDERED and affordable > 1:
                self.options = thinned(self.options, (self.doctrine, *self.trials.plans), affordable)
            if len(self.options) <= affordable:
                return self._mixed()
            if self.situation.word in UNORDERED:
                return None
        found = self._compared(self._play)
        rows = self._rows(found)
        return self._thought(rows, self._best(rows))

    def _compared(self, play: Callable[[str, int], Worth]) -> Found:
        return halving(self.options, self.doctrine, self.playouts, play, self._in_time)

    def _play(self, option: str, trial: int) -> Worth:
        return self.trials.play(option, trial, self.horizon)

    def _rows(self, found: Found, chances: dict[str, float] | None = None) -> list[Weighed]:
        reference = found[self.doctrine]
        given = chances or {}
        rows = [weighed(text, self.labels[text], found[text], reference, given.get(text, 0.0)) for text in self.options]
        return sorted(rows, key=lambda one: (-one.playouts, -one.value.mean))

    def _best(self, rows: Sequence[Weighed]) -> str:
        """The best of those that are surely better than what the doctrine would do, or that. Only those count that were
        compared to the end."""
        most = max([one.playouts for one in rows])
        others = [one for one in rows if one.text != self.doctrine and one.playouts == most]
        doctrines = next(row for row in rows if row.text == self.doctrine)
        sure = [one for one in others if is_sure(one, doctrines, final=self._is_final(one.text))]
        return max(sure, key=lambda one: one.better.mean).text if sure else self.doctrine

    def _is_final(self, text: str) -> bool:
        return self.situation.word in FINAL and text.rpartition(":")[2] not in HARMLESS

    # --- secret choices -----------------------------------------------------------------------------------------

    def _mixed(self) -> Thought:
        """Each option against each way of the enemy, then a mix that he cannot exploit."""
        found = self._compared(self._against)
        rows = self._rows(found)
        worthy = [one.text for one in rows if one.text == self.doctrine or self._is_worthy(one, rows[0].playouts)]
        chances, _ = solved([_by_way(found[option]) for option in worthy])
        rows = self._rows(found, dict(zip(worthy, chances, strict=True)))
        return self._thought(rows, worthy[mixed(chances, self.seed)], is_mixed=True)

    def _is_worthy(self, one: Weighed, most: int) -> bool:
        """Whether an option may be mixed with the doctrine's, which is drawn by lot itself: only if it was compared to
        the end and is surely better on the whole. A few playouts of each pair of choices alone would make a mix of
        luck."""
        sure = VERY_SURE if self.situation.word in UNORDERED else SURE
        return one.playouts == most and one.better.mean > max(TIE, sure * one.better.error)

    def _against(self, option: str, trial: int) -> Worth:
        """One option in one trial: the enemy's ways take turns, so that each meets the same states."""
        trial, column = divmod(trial, len(WAYS))
        way = WAYS[column]
        enemy = None if way is None else Persistent(self.situation.word, way, self.seed, trial)
        return self.trials.play(option, trial, self.horizon, enemy)

    def _thought(self, rows: Sequence[Weighed], chosen: str, *, is_mixed: bool = False) -> Thought:
        situation = self.situation
        return Thought(
            side=situation.side,
            name=situation.names.get(situation.side, situation.side),
            question=situation.question,
            options=tuple(rows),
            chosen=chosen,
            doctrine=self.doctrine,
            unit=self.trials.unit,
            rounds=self.horizon.name if self.horizon else "the end",
            mixed=is_mixed,
            capped=self.capped,
        )


def is_sure(one: Weighed, doctrines: Weighed, *, final: bool) -> bool:
    """Whether an option is better than the doctrine's by more than chance can explain. What cannot be taken back must
    be surer, must have been tried often, and may not give a battle away that could still be won."""
    if not final:
        return one.better.mean > SURE * one.better.error
    enough = one.playouts >= OFTEN and one.won >= doctrines.won - GIVEN_UP
    return enough and one.better.mean > VERY_SURE * one.better.error


WAYS: tuple[float | None, ...] = (None, 0.0, 1.0)
"""What the enemy may do in secret at the same time: as his habits are, the first that is offered, the last."""


def _by_way(found: Sequence[Worth]) -> list[float]:
    """What an option is worth against each way of the enemy, on average."""
    cells = [found[column :: len(WAYS)] for column in range(len(WAYS))]
    return [sum([one.value for one in cell]) / max(1, len(cell)) for cell in cells]


def thinned(options: Sequence[str], kept: Sequence[str], most: int) -> list[str]:
    """The options that are compared: those that are kept, the doctrine's first, then those of other plans; and others
    spread evenly, with the first and the last."""
    kept = kept[: max(1, most)]
    others = [option for option in options if option not in kept]
    room = max(2 - len(kept), most - len(kept))
    if len(others) > room:
        places = {round(place * (len(others) - 1) / max(1, room - 1)) for place in range(room)}
        others = [others[place] for place in sorted(places)]
    return [option for option in options if option in kept or option in others]


Think = Callable[[Situation, int, Budget], Thought | None]
"""Who thinks for a player: `think`, or somebody who has it done elsewhere and may say `Unthought`."""


class Unthought(Exception):
    """A player has to think before it can answer: whoever asked it has that done elsewhere, and asks it again."""

    def __init__(self, situation: Situation, seed: int, budget: Budget) -> None:
        super().__init__(situation.side)
        self.situation, self.seed, self.budget = situation, seed, budget
