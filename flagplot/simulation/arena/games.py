"""What is kept of a game, and the file of games that a later run goes on with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from flagplot.kernel.errors import BadValue
from flagplot.kernel.margins import margin, unit_of
from flagplot.simulation.arena.schedule import Fixture, Ground, Schedule
from flagplot.simulation.battles import Fought

SIDES = 2


class GamePlayed(NamedTuple):
    """One game."""

    fixture: Fixture
    seed: int
    winner: int | None
    """The place of the side that has won by the rules: 0 or 1; None if nobody has."""
    margin: int
    """By how much the first side came out ahead, by the rules' own measure."""
    unit: str
    """What the margin counts."""
    rounds: int | None
    ending: str
    handicap: int | None = None
    """What the first side was given beforehand; None: who wins by the rules is ahead. It is no part of the game, so it
    is not written down with it."""

    def ahead(self, player: str) -> int:
        """1 if a player has won or, with no winner, came out ahead; -1 if the other; 0 if neither. With a handicap the
        margin alone says it."""
        sign = 1 if self.fixture.players[0] == player else -1
        if self.handicap is not None:
            evened = self.margin + self.handicap
            return sign * ((evened > 0) - (evened < 0))
        if self.winner is not None:
            return sign if self.winner == 0 else -sign
        return sign * ((self.margin > 0) - (self.margin < 0))

    def result(self, player: str) -> int:
        """1 if a player has won by the rules, -1 if the other, 0 if nobody."""
        if self.winner is None:
            return 0
        return 1 if self.fixture.players[self.winner] == player else -1

    def margin_of(self, player: str) -> int:
        return self.margin if self.fixture.players[0] == player else -self.margin


KEPT = tuple([name for name in GamePlayed._fields if name not in ("fixture", "handicap")])
"""What is written down of a game, beside where it was played and by whom."""


def game_played(ground: Ground, fixture: Fixture, fought: Fought) -> GamePlayed:
    """What is kept of a battle."""
    first, _ = ground.sides
    return GamePlayed(
        fixture=fixture,
        seed=fought.seed,
        winner=None if fought.winner is None else ground.sides.index(fought.winner),
        margin=margin(fought.figures, fought.toll, first),
        unit=unit_of(fought.figures),
        rounds=fought.rounds,
        ending=fought.ending if fought.over else "unfinished",
        handicap=ground.handicap,
    )


class GameFile:
    """A file of JSON lines, one for each game. Each is written as soon as it is played."""

    def __init__(self, path: Path, file: TextIO, schedule: Schedule) -> None:
        self._path, self._file, self._schedule = path, file, schedule
        self._digests = {ground.name: ground.digest for ground in schedule.grounds}

    @classmethod
    @contextmanager
    def open(cls, given: str | Path, schedule: Schedule) -> Iterator[GameFile]:
        path = Path(given).expanduser()
        try:
            file = path.open("a", encoding="utf8")
        except (OSError, ValueError) as fault:
            raise _unwritten(given, fault) from fault
        with file:
            yield cls(path, file, schedule)

    def write(self, game: GamePlayed) -> None:
        ground, players, number = game.fixture
        line = {"arena": 1, "scenario": ground, "of": self._digests[ground], "from_seed": self._schedule.seed}
        line |= {"players": list(players), "game": number} | {name: getattr(game, name) for name in KEPT}
        try:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as fault:
            raise _unwritten(self._path, fault) from fault


def _unwritten(given: str | Path, fault: Exception) -> BadValue:
    reason = (fault.strerror if isinstance(fault, OSError) else None) or str(fault)
    return BadValue(f"the file of games cannot be written ({reason})", given=given)


def lines_of(given: str | Path) -> list[dict[str, Any]]:
    """The games of a file. A last line that was not written to its end is taken away."""
    path = Path(given).expanduser()
    if path.suffix != ".jsonl":
        raise BadValue("the games are kept in a file of JSON lines", given=given, allowed=["a file.jsonl"])
    if not path.exists():
        return []
    try:
        text = path.read_bytes().decode()
        whole = text[: text.rfind("\n") + 1]
        lines = [json.loads(line) for line in whole.splitlines()]
        if not all([line["arena"] == 1 and len(line["players"]) == SIDES for line in lines]):
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise BadValue("this is no file of games of an arena", given=given, allowed=["a new name"]) from fault
    if len(whole) < len(text):
        path.write_bytes(whole.encode())
    return lines


def seed_in(lines: list[dict[str, Any]]) -> int | None:
    """The seed of the games of a file, if all have the same."""
    seeds = {line["from_seed"] for line in lines}
    return seeds.pop() if len(seeds) == 1 else None


def games_in(lines: list[dict[str, Any]], schedule: Schedule, given: str | Path) -> dict[Fixture, GamePlayed]:
    """The games of a file that belong to a schedule, each once. Those of other players, scenarios and seeds may be in
    the same file; those of another text of a scenario or version of the program may not."""
    wanted, found = set(schedule.fixtures()), dict[Fixture, GamePlayed]()
    grounds = {ground.name: ground for ground in schedule.grounds}
    for line in lines:
        fixture = Fixture(line["scenario"], (line["players"][0], line["players"][1]), line["game"])
        if fixture not in wanted or line["from_seed"] != schedule.seed:
            continue
        ground = grounds[fixture.ground]
        if line["of"] != ground.digest:
            raise BadValue(
                f"this file has games of another version of {fixture.ground} or of the program",
                given=given,
                allowed=["a new file"],
            )
        found[fixture] = GamePlayed(fixture, **{name: line[name] for name in KEPT}, handicap=ground.handicap)
    return found
