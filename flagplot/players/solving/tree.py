"""A small game spelled out: every choice and every roll, by the rules' own scripts.

The game is cut into pieces at borders at which nothing is secret: what comes after them depends on the state alone, so
equal states are one piece. Within a piece everything is spelled out, and choices between which a side cannot tell carry
the same key: what that side has read since the piece began.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Game
from flagplot.kernel.log import FORCED, Event, read_log
from flagplot.kernel.plain_data import copy_of, key_of
from flagplot.kernel.playout import Answer
from flagplot.kernel.procedures import Border, story
from flagplot.kernel.requests import Choose, Note, Roll

MOST_PIECES = 200_000
"""A game with more pieces is not small."""


class End(NamedTuple):
    """The game is over."""

    value: float
    """To the first side."""


class Chance(NamedTuple):
    """A roll: each reading with its chance."""

    branches: tuple[tuple[float, Node], ...]


class Choice(NamedTuple):
    """A decision of a side, by its place among the sides."""

    side: int
    key: Hashable
    """The same for all choices of a piece between which the side cannot tell."""
    options: tuple[str, ...]
    branches: tuple[Node, ...]
    path: tuple[Answer, ...]
    """The answers that lead here from the beginning of the game."""
    secret: bool
    """Whether the enemy does not see the answer."""


@dataclass(eq=False, slots=True)
class Piece:
    """What can become of a state in which nothing is secret, up to the next such states."""

    tree: Node
    value: float = 0.0
    """To the first side, if both play perfectly."""
    mixes: dict[Hashable, list[float]] = field(default_factory=dict)
    """How often a perfect player takes each option, by the key of a choice."""


Node: TypeAlias = End | Chance | Choice | Piece
"""A piece within a tree is where the next one begins."""


class Rules(NamedTuple):
    """Where a small game ends, and what its ends are worth."""

    worth: Callable[[Any], float]
    """Of a state at the end, to the first side."""
    is_over: Callable[[Any], bool]
    is_open: Callable[[Any], bool]
    """Whether nothing in a state is secret."""
    key: Callable[[Any], Hashable] = key_of
    """The same for states from which the game goes on alike."""


class _Now(NamedTuple):
    """How far a piece has been followed: the last border, and what was answered since."""

    state: Any
    values: tuple[Any, ...]
    path: tuple[Answer, ...]
    told: tuple[Event, ...]
    """What happened in this piece before the border."""
    secrets: bool
    """Whether something was decided in secret in this piece."""


class Speller:
    """Spells a game out from its beginning. `solve` is handed each piece when all that can come after it is solved."""

    def __init__(self, game: Game[Any], rules: Rules, solve: Callable[[Piece], None]) -> None:
        self.rules, self.sides = rules, game.sides
        self.procedures = game.ruleset.procedures
        self._solve = solve
        self.pieces: dict[Any, Piece] = {}
        self.values: list[float] = []
        """Those of all ends."""
        self._begun: list[int] = []
        self._count = 0
        self._known: dict[Any, Any] = {}
        self.root = self._piece(game.border.state, ())

    def _piece(self, state: Any, path: tuple[Answer, ...]) -> Piece:
        key = self.rules.key(state)
        if key not in self.pieces:
            if len(self.pieces) >= MOST_PIECES:
                raise BadValue("this game is too large to be spelled out", given=len(self.pieces))
            self._count += 1
            self._begun.append(self._count)
            piece = Piece(self._node(_Now(copy_of(state), (), path, (), False)))
            self._begun.pop()
            self._solve(piece)
            self.pieces[key] = piece
        return self.pieces[key]

    def _node(self, now: _Now) -> Node:
        """Run the segment with the answers so far, and branch at what is asked then."""
        state = copy_of(now.state)
        script = story(self.procedures, state)
        told, left, answer = list(now.told), list(now.values), None
        while not isinstance(request := script.send(answer), Border):
            if isinstance(request, Note):
                told.append((request, None))
                answer = None
            elif isinstance(request, Choose) and len(request.values) == 1:
                told.append((request, 0 if request.always else FORCED))
                answer = request.values[0]
                if request.always and not left:
                    now = now._replace(path=(*now.path, request.option(0).text))
            elif left:
                given = left.pop(0)
                told.append((request, given))
                answer = request.values[given] if isinstance(request, Choose) else request.reads(given)
            elif isinstance(request, Roll):
                return self._chance(now, request)
            else:
                return self._choice(now, request, told)
        return self._border(now, state, tuple(told))

    def _border(self, now: _Now, state: Any, told: tuple[Event, ...]) -> Node:
        if self.rules.is_over(state):
            value = self.rules.worth(state)
            self.values.append(value)
            return End(value)
        if not now.secrets:
            return self._piece(state, now.path)
        if self.rules.is_open(state):
            self._check(state, told)
            return self._piece(state, now.path)
        return self._node(_Now(state, (), now.path, told, True))

    def _check(self, state: Any, told: Sequence[Event]) -> None:
        """Whether both sides really know the state, from what they have read in this piece."""
        now = self.rules.key(state)
        for side in self.sides:
            read = (self._begun[-1], side, *map(str, read_log(told, side)))
            if self._known.setdefault(read, now) != now:
                raise BadValue(f"a state is taken to be open, but {side} cannot know it", given=str(state.frames[-1]))

    def _chance(self, now: _Now, roll: Roll[Any]) -> Node:
        ways = 6**roll.dice
        branches = [(number / ways, self._node(_after(now, faces, faces))) for faces, number in roll.readings()]
        return Chance(tuple(branches))

    def _choice(self, now: _Now, request: Choose[Any], told: Sequence[Event]) -> Node:
        side = self.sides.index(request.side)
        key: Hashable = (request.side, *map(str, read_log(told, request.side))) if now.secrets else now.path
        secret = now.secrets or bool(request.secret)
        options = tuple([option.text for option in request.options])
        after = [_after(now, place, text)._replace(secrets=secret) for place, text in enumerate(options)]
        return Choice(side, key, options, tuple([self._node(one) for one in after]), now.path, bool(request.secret))


def _after(now: _Now, value: Any, answer: Answer) -> _Now:
    return now._replace(values=(*now.values, value), path=(*now.path, answer))
