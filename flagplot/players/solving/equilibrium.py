"""Perfect play in a piece of a small game: backward induction where nothing is secret, CFR+ where something is.

CFR+ (Tammelin, 2014): at every choice each option is played the more often, the more it is regretted that it was not
played before. The average of what is played tends to a pair of mixes against which no other answer gains anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeAlias

from flagplot.players.solving.tree import Chance, Choice, End, Node, Piece

Mixes: TypeAlias = Mapping[Hashable, Sequence[float]]
Values: TypeAlias = Callable[[Piece], float]
"""What the beginning of the next piece is worth to the first side."""
STEPS = 2_000
EXACT = 1e-4
"""What the other could still gain when solving stops."""
LOOK = 25
"""Steps after which it is looked whether it is enough."""


def solve(piece: Piece) -> None:
    """Find the value and the mixes of a piece; those that follow are solved."""
    keys: dict[Hashable, int] = defaultdict(int)
    _count(piece.tree, keys)
    if all([number == 1 for number in keys.values()]):
        piece.value = _induction(piece.tree, piece.mixes)
        return
    solving = _Regrets(piece.tree)
    for step in range(1, STEPS + 1):
        for side in (0, 1):
            solving.step(side, step)
        if step % LOOK == 0:
            piece.mixes = solving.average()
            low, high = [Response(piece.tree, side, piece.mixes, solved_value).value for side in (1, 0)]
            piece.value = (high + low) / 2
            if high - low < EXACT:
                break


def solved_value(piece: Piece) -> float:
    return piece.value


def _count(node: Node, keys: dict[Hashable, int]) -> None:
    """How many choices have each key."""
    if isinstance(node, Choice):
        keys[node.key] += 1
        for branch in node.branches:
            _count(branch, keys)
    elif isinstance(node, Chance):
        for _, branch in node.branches:
            _count(branch, keys)


def _induction(node: Node, mixes: dict[Hashable, list[float]]) -> float:
    """The value of a tree without secrets, from its ends to its beginning."""
    if isinstance(node, (End, Piece)):
        return node.value
    if isinstance(node, Chance):
        return sum([chance * _induction(branch, mixes) for chance, branch in node.branches])
    values = [_induction(branch, mixes) for branch in node.branches]
    best = max(values) if node.side == 0 else min(values)
    place = values.index(best)
    mixes[node.key] = [float(one == place) for one in range(len(values))]
    return best


class _Regrets:
    """What both sides regret so far, by the key of a choice, and what they have played."""

    def __init__(self, tree: Node) -> None:
        self.tree = tree
        self._regrets: dict[Hashable, list[float]] = {}
        self._played: dict[Hashable, list[float]] = {}
        self._mixes: dict[Hashable, list[float]] = {}
        """How both play in this step."""

    def step(self, side: int, weight: int) -> None:
        """Play once, and let a side learn from it."""
        self._mixes = {}
        self._walk(self.tree, side, float(weight), 1.0)
        for regrets in self._regrets.values():
            for place, one in enumerate(regrets):
                regrets[place] = max(0.0, one)

    def average(self) -> dict[Hashable, list[float]]:
        return {key: _shares(played) for key, played in self._played.items()}

    def _mix(self, node: Choice) -> list[float]:
        if node.key not in self._mixes:
            self._mixes[node.key] = _shares(self._regrets.setdefault(node.key, [0.0] * len(node.branches)))
        return self._mixes[node.key]

    def _walk(self, node: Node, side: int, own: float, others: float) -> float:
        """The value of a node to a side as both play now. `own` is how likely its own choices lead here, times the
        weight of the step; `others` is how likely the enemy's and the dice do."""
        if isinstance(node, (End, Piece)):
            return node.value if side == 0 else -node.value
        if isinstance(node, Chance):
            return sum([chance * self._walk(branch, side, own, others * chance) for chance, branch in node.branches])
        mix = self._mix(node)
        both = list(zip(mix, node.branches, strict=True))
        if node.side != side:
            return sum([share * self._walk(branch, side, own, others * share) for share, branch in both if share])
        values = [self._walk(branch, side, own * share, others) for share, branch in both]
        value = sum([share * one for share, one in zip(mix, values, strict=True)])
        regrets, played = self._regrets[node.key], self._played.setdefault(node.key, [0.0] * len(mix))
        for place, share in enumerate(mix):
            regrets[place] += others * (values[place] - value)
            played[place] += own * share
        return value


def _shares(weights: Sequence[float]) -> list[float]:
    whole = sum(weights)
    return [one / whole for one in weights] if whole > 0 else [1 / len(weights)] * len(weights)


class Response:
    """The best that a side can do in a piece against an enemy whose mixes are known."""

    def __init__(self, tree: Node, side: int, mixes: Mixes, following: Values) -> None:
        self.side, self._mixes, self._following = side, mixes, following
        self._choices: dict[Hashable, list[tuple[float, Choice]]] = defaultdict(list)
        self._best: dict[Hashable, int] = {}
        self._known: dict[int, float] = {}
        self._reach(tree, 1.0)
        self.value = self._value(tree)
        """To the first side, whichever side responds."""

    def _reach(self, node: Node, chance: float) -> None:
        """How likely each choice of the side is reached, if it does all to come there."""
        if isinstance(node, Chance):
            for share, branch in node.branches:
                self._reach(branch, chance * share)
        elif isinstance(node, Choice):
            mix: Sequence[float] = [1.0] * len(node.branches)
            if node.side == self.side:
                self._choices[node.key].append((chance, node))
            else:
                mix = self._mix(node)
            for share, branch in zip(mix, node.branches, strict=True):
                self._reach(branch, chance * share)

    def _mix(self, node: Choice) -> Sequence[float]:
        """How the enemy plays; anyhow where he never comes."""
        return self._mixes.get(node.key) or [1 / len(node.branches)] * len(node.branches)

    def _value(self, node: Node) -> float:
        if id(node) not in self._known:
            self._known[id(node)] = self._found(node)
        return self._known[id(node)]

    def _found(self, node: Node) -> float:
        if isinstance(node, Piece):
            return self._following(node)
        if isinstance(node, End):
            return node.value
        if isinstance(node, Chance):
            return sum([chance * self._value(branch) for chance, branch in node.branches])
        if node.side == self.side:
            return self._value(node.branches[self.best(node.key)])
        return sum(
            [share * self._value(branch) for share, branch in zip(self._mix(node), node.branches, strict=True) if share]
        )

    def best(self, key: Hashable) -> int:
        """The place of the best option."""
        if key not in self._best:
            values = self.options(key)
            self._best[key] = values.index(max(values) if self.side == 0 else min(values))
        return self._best[key]

    def options(self, key: Hashable) -> list[float]:
        """What each option is worth to the first side, as far as the side can tell where it is."""
        choices = self._choices[key]
        whole = sum([chance for chance, _ in choices])
        weights = [chance / whole if whole else 1 / len(choices) for chance, _ in choices]
        number = len(choices[0][1].branches)
        return [
            sum(
                [weight * self._value(node.branches[place]) for weight, (_, node) in zip(weights, choices, strict=True)]
            )
            for place in range(number)
        ]
