"""What a player gives away in a solved game: against perfect play, and against the enemy who knows it best."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from flagplot.kernel.game import Game, Player
from flagplot.kernel.requests import Choose
from flagplot.players.search.weighing import Mean
from flagplot.players.solving.equilibrium import Response, solve, solved_value
from flagplot.players.solving.small import rules_of
from flagplot.players.solving.tree import Chance, Choice, End, Node, Piece, Speller

Players = Callable[[int], Player]
"""A player for each seed."""
DEEP = 20_000
"""Calls within calls: one for every answer of a game and every border."""


class Solved:
    """A small game, from its beginning, and perfect play in it."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        with _deep():
            spelled = Speller(game, rules_of(game), solve)
        self.sides, self.root, self.pieces = game.sides, spelled.root, list(spelled.pieces.values())
        self.value = self.root.value
        """To the first side."""
        self.range = max(spelled.values) - min(spelled.values)
        """Between the best and the worst end."""
        self._best: dict[tuple[int, int], Response] = {}

    def regret(self, players: Players, side: int, games: int, seed: int = 0) -> Mean:
        """What a player gives away in a game against a perfect enemy, as a share of the range: at each choice, how much
        its answer is worse than the best one. Dice are drawn, but their luck does not count."""
        return Mean.of([self._given_away(players, side, Random(f"{seed}/{one}"), one) for one in range(games)])

    def _given_away(self, players: Players, side: int, chance: Random, number: int) -> float:
        node: Node = self.root
        piece, lost = self.root, 0.0
        player = players(number)
        while not isinstance(node, End):
            if isinstance(node, Piece):
                piece, node = node, node.tree
            elif isinstance(node, Chance):
                shares = [share for share, _ in node.branches]
                node = chance.choices([branch for _, branch in node.branches], shares)[0]
            elif node.side == side:
                values = self._responding(piece, side).options(node.key)
                place = self.answer(player, node)
                best = max(values) if side == 0 else min(values)
                lost += abs(best - values[place]) / self.range
                node = node.branches[place]
            else:
                even = [1.0] * len(node.branches)
                node = chance.choices(node.branches, piece.mixes.get(node.key, even))[0]
        return lost

    def _responding(self, piece: Piece, side: int) -> Response:
        key = id(piece), side
        if key not in self._best:
            self._best[key] = Response(piece.tree, side, piece.mixes, solved_value)
        return self._best[key]

    def answer(self, player: Player, node: Choice) -> int:
        """The place of a player's answer at a choice: it is asked in a game that has come there."""
        game = self._game.copy()
        for given in node.path:
            game.roll(given) if isinstance(given, tuple) else game.choose(str(given))
        request = game.pending
        assert isinstance(request, Choose)
        assert game.sides[node.side] == request.side
        answer = player.choose(game.view(request.side), request)
        return node.options.index(answer if isinstance(answer, str) else answer.text)

    def exploited(self, players: Players, side: int, seeds: int) -> float:
        """What an enemy gains who knows all mixes of a player, as a share of the range. Every choice of the game is put
        to it: with one seed where everybody sees the answer, with several where it may be mixed."""
        known: dict[int, float] = {}

        def worth(piece: Piece) -> float:
            if id(piece) not in known:
                mixes = {node.key: self._mix(players, node, seeds) for node in _choices(piece.tree, side)}
                known[id(piece)] = Response(piece.tree, 1 - side, mixes, worth).value
            return known[id(piece)]

        with _deep():
            return abs(self.value - worth(self.root)) / self.range

    def _mix(self, players: Players, node: Choice, seeds: int) -> list[float]:
        asked = seeds if node.secret else 1
        counted = Counter([self.answer(players(seed), node) for seed in range(asked)])
        return [counted[place] / asked for place in range(len(node.options))]


def _choices(node: Node, side: int) -> Iterator[Choice]:
    """The choices of a side in a piece, each that it can tell from others once."""
    seen: set[Hashable] = set()
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Chance):
            waiting += [branch for _, branch in one.branches]
        elif isinstance(one, Choice):
            waiting += one.branches
            if one.side == side and one.key not in seen:
                seen.add(one.key)
                yield one


@contextmanager
def _deep() -> Iterator[None]:
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)
