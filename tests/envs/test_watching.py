"""What parts of views say they are made from is all that they read: only what has changed is told anew."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import flagplot
from flagplot.envs import VERSION, Encoder
from flagplot.envs.rows import COLUMNS, code
from flagplot.envs.telling import Teller
from flagplot.envs.watching import ALWAYS, Watch
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.view_types import HIDDEN, Hidden, Parts, Seen, made_from, part
from flagplot.players.random import RandomPlayer

STARTS = {"operation": "operation_if_any", "turn": "turn_if_any"}
"""Properties of a state, and the fields that they read."""


class Reading:
    """A state that notes the paths of what is read from it, down to the fields of what is in its lists and dicts."""

    def __init__(self, state: Any) -> None:
        self.read: set[str] = set()
        self.state = copy_of(state)
        self._note(self.state, "")

    def _note(self, noting: Any, path: str) -> None:
        if isinstance(noting, dict | list):
            for one in noting.values() if isinstance(noting, dict) else noting:
                self._note(one, f"{path}*.")
        elif is_dataclass(noting) and not noting.__dataclass_params__.frozen:  # type: ignore[union-attr]
            kind: Any = type(noting)
            names = frozenset([one.name for one in fields(kind)])
            for name in names:
                self._note(getattr(noting, name), f"{path}{name}.")
            object.__setattr__(noting, "__class__", _noting(kind, names, path, self.read))

    def by(self, source: Any, reader: str) -> set[str]:
        """What a source reads, if it is a function."""
        self.read.clear()
        source(self.state, reader)
        return set(self.read)


def _noting(kind: Any, names: frozenset[str], path: str, read: set[str]) -> type:
    class Noting(kind):  # type: ignore[misc]
        __slots__ = ()

        def __getattribute__(self, name: str) -> Any:
            if name in names:
                read.add(path + name)
            return super().__getattribute__(name)

    return Noting


def undeclared(view: Parts[Any], reading: Reading) -> dict[str, set[str]]:
    """By part of a view: what it reads and does not say."""
    found: dict[str, set[str]] = {}
    for name in view._names:
        one: part[Any, Any] = getattr(type(view), name)
        reading.read.clear()
        value = one.make(view)
        _read_all(value)
        read = set(reading.read)
        if one.sources is not None:
            wholly, said = set[str](), set[str]()
            for source in one.sources:
                if isinstance(source, str):
                    first, _, rest = source.partition(".")
                    wholly.add(".".join([STARTS.get(first, first), rest]).rstrip("."))
                elif source(reading.state, view.reader) != source(reading.state, view.reader):
                    read = set()  # it is made anew at every look
                else:
                    said |= reading.by(source, view.reader)
            missing = {path for path in read if not _is_said(path, wholly, said)}
            if missing:
                found[f"{type(view).__name__}.{name}"] = missing
        if isinstance(value, Parts):
            found |= undeclared(value, reading)
    return found


def _is_said(path: str, wholly: set[str], said: set[str]) -> bool:
    """Whether a path is said, lies in something that is said wholly, or leads to what is said."""
    if path in said or any([other.startswith(f"{path}.") for other in wholly | said]):
        return True
    return any([path == other or path.startswith(f"{other}.") for other in wholly])


def _read_all(value: Any) -> None:
    """Make what is made later: it is read from what the view has found, not from the state."""
    if isinstance(value, dict):
        value = tuple(value.values())
    for one in value if isinstance(value, tuple) else (value,):
        if hasattr(one, "settled") and not isinstance(one, Parts):
            one.settled()


@pytest.mark.parametrize(
    "scenario", ["midway", "malta", "savo-island", "coral-sea-operation", "malta-turn", "kamikaze-turn"]
)
def test_a_part_of_a_view_reads_nothing_but_what_it_says(scenario: str) -> None:
    found: dict[str, set[str]] = defaultdict(set)
    game = flagplot.load(scenario, seed=3)
    players = {side: RandomPlayer(3) for side in game.sides}
    while game.pending is not None and game.turn < 100:
        game.play(players, until=game.turn + 25)
        for reader in (game.sides[0], "umpire"):
            reading = Reading(game.state)
            for name, paths in undeclared(game.ruleset.look(reading.state, reader), reading).items():
                found[name] |= paths
    assert not found


def test_a_look_tells_what_has_changed_since_the_last() -> None:
    game = flagplot.load("midway", seed=1)
    state = game.state
    watch = Watch(["sites", "battle.groups", "scene"], type(state), "japan")
    every = ALWAYS + sum(watch.bits.values())
    assert watch.look(state) == every
    assert watch.look(state) == ALWAYS
    group = next(iter(state.battle.groups.values()))
    group.ships = dict(reversed(group.ships.items()))
    assert watch.look(state) == ALWAYS + watch.bits["battle.groups"], "another order is another view"
    next(iter(state.sites.values())).counteraired = True
    assert watch.look(state) == ALWAYS + watch.bits["sites"]
    assert watch.look(copy_of(state)) == ALWAYS


@pytest.mark.parametrize(
    "scenario", ["first-battle", "midway", "malta", "savo-island", "coral-sea-operation", "kamikaze-turn"]
)
def test_arrays_are_those_of_an_encoder_that_remembers_nothing(scenario: str) -> None:
    encoder = Encoder()
    for seed in (4, 5):  # what was told in one game is remembered in the next
        game = flagplot.load(scenario, seed=seed)
        players = {side: RandomPlayer(seed) for side in game.sides}
        while game.pending is not None and game.turn < 160:
            game.play(players, until=game.turn + 3)
            for reader in (*game.sides, "umpire", "neutral"):
                told, afresh = [one.encode(game.view(reader), None)[0] for one in (encoder, Encoder())]
                assert told.tobytes() == afresh.tobytes()


class Size(Enum):
    LARGE = "large"


class Boat(Seen):
    id: str
    side: str
    size: Size
    hits: int
    cargo: str | Hidden


class Harbour(Parts[Any]):
    @part
    def side(self) -> str:
        return self.reader

    @made_from("round")
    @part
    def round(self) -> int:
        return int(self.now.round)

    @part
    def boats(self) -> tuple[Boat, ...]:
        return (Boat(id="hiryu", side="japan", size=Size.LARGE, hits=2, cargo=HIDDEN),)

    @part
    def points(self) -> dict[str, int]:
        return {"japan": 3, "allies": 5000}


@dataclass(slots=True)
class Harboured:
    round: int


def test_a_view_is_told_as_version_1_of_the_encoding_tells_it() -> None:
    def rows(state: Harboured) -> NDArray[np.float32]:
        view: Any = SimpleNamespace(side="japan", glance=lambda: Harbour(state, "japan"))
        return np.frombuffer(b"".join(teller.rows(view)), np.float32).reshape(-1, len(COLUMNS))

    teller, state = Teller(), Harboured(4)
    position, boat, ours, theirs = rows(state)
    words = {"what": "Harbour", "who": "japan"}, {"what": "Boat", "who": "hiryu", "state": "size=large"}
    for row, said in zip((position, boat), words, strict=True):
        for name, word in said.items():
            assert np.array_equal(row[COLUMNS.index(f"{name}0") :][:8], code(word))
    assert [position[COLUMNS.index(name)] for name in ("present", "mine", "round")] == [1, 0, 4]
    assert [boat[COLUMNS.index(name)] for name in ("present", "mine", "hidden", "hits")] == [1, 1, 1, 2]
    assert [row[COLUMNS.index("amount")] for row in (ours, theirs)] == [3, 1000]
    state.round = 5
    assert rows(state)[0][COLUMNS.index("round")] == 5
    assert VERSION == 1, "the same view gives another array: change this test with the version"
