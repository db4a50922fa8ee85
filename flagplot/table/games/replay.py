"""A game again, step by step, as one reader saw it.

The steps of a side are its own answers and the rolls: what the other side was asked in secret is no step, since the
number of steps would tell how much that was. After the end the umpire's replay has every answer.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from flagplot import library
from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Game
from flagplot.kernel.log import FORCED, LogReader
from flagplot.kernel.requests import Choose, Note
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.kernel.save_lines import kind_of
from flagplot.kernel.saves import begin_tape, follow_line
from flagplot.table.games.logbook import Logbook
from flagplot.table.games.look import question_to
from flagplot.table.info import Look
from flagplot.table.recent import Recent

EVERY = 32
"""Lines from one remembered moment of a game to the next."""
KEY = ("round", "damaged", "sunk")
"""News that make a moment worth going to."""
REMEMBERED = 16
"""Games whose replays are remembered."""


class Moment(NamedTuple):
    """A step of a replay that is worth going to."""

    step: int
    text: str


class Replay:
    """A game that is gone through again: moments of it are remembered, so a step goes through a few lines only."""

    def __init__(self, header: str) -> None:
        self._lock = threading.Lock()
        self._texts = [header]
        self._bodies: list[dict[str, Any]] = [{}]
        self._moments = [begin_tape(header, library.ruleset, None)]
        """The game as it was every few lines."""

    def goes_on_with(self, texts: Sequence[str]) -> bool:
        """Whether this is the replay of a tape, or of its beginning; then the tape is known to its end."""
        with self._lock:
            if list(texts[: len(self._texts)]) != self._texts:
                return False
            for text in texts[len(self._texts) :]:
                self._texts.append(text)
                self._bodies.append(json.loads(text))
            return True

    def steps_of(self, reader: str) -> list[int]:
        """The lines after which a reader's replay stops: the header first and the newest line last.

        While the game goes on the newest line is a stop even if it is a step already: else it would show whether the
        other side has answered something. When the game is over there is no such secret, and it ends with one step, not
        two."""
        bodies = self._bodies
        stops = [0, *(n for n in range(1, len(bodies)) if _is_step(bodies[n], reader))]
        if "end" in bodies[-1]:
            last = max((n for n in range(1, len(bodies)) if _is_step(bodies[n], UMPIRE)), default=0)
            stops = [n for n in stops if n < last]
        return [*stops, len(bodies) - 1]

    def moments(self, reader: str) -> list[Moment]:
        """The moments that a reader may want to see again: rounds that begin, ships that are hit badly or sunk."""
        with self._lock:
            answers = self._answers_at([*self.steps_of(reader)])
            game = self._after(len(self._bodies) - 1)
        found, turn = dict[int, Moment](), 0
        for request, answer in game.events:
            if not isinstance(request, Note):
                turn += answer != FORCED
                continue
            if request.headline is None or request.headline.kind not in KEY:
                continue
            told = LogReader(reader)
            told.add((request, answer))
            for entry in told.entries():
                if entry.headline is not None:
                    step = max((place for place, known in enumerate(answers) if known < turn), default=-1) + 1
                    found.setdefault(step, Moment(min(step, len(answers) - 1), entry.text))
        return list(found.values())

    def _answers_at(self, stops: Sequence[int]) -> list[int]:
        """How many answers the game has after each of these lines; taking back makes them fewer."""
        counted, turn = [0], 0
        for body in self._bodies[1:]:
            turn = body["undo"] - 1 if "undo" in body else turn + ("choose" in body or "roll" in body)
            counted.append(turn)
        return [counted[stop] for stop in stops]

    def look(self, reader: str, step: int) -> Look:
        """The look of a reader at a step of the game; the steps count from 0, the start."""
        with self._lock:
            stops = self.steps_of(reader)
            if not 0 <= step < len(stops):
                raise BadValue("there is no such step", given=step, allowed=[f"0 to {len(stops) - 1}"])
            game = self._after(stops[step])
            texts = self._texts[: stops[step] + 1]
        view = game.view(reader)
        return Look(
            reader=reader,
            game=view.game,
            view=view.position.settled(),
            log=Logbook().read(game, texts, reader),
            pending=question_to(game, reader),
            waiting_for=game.pending.side if isinstance(game.pending, Choose) else None,
            waiting_since=None,
            version=stops[step] + 1,
            moment=view.moment,
            result=game.result,
            chart=game.scenario.get("map"),
            step=step,
            steps=len(stops) - 1,
        )

    def game_at(self, step: int) -> Game[Any]:
        """The game itself at a step of the umpire's replay: for whoever may know everything."""
        with self._lock:
            return self._after(self.steps_of(UMPIRE)[step])

    def _after(self, line: int) -> Game[Any]:
        """The game after a line."""
        for place in range(len(self._moments), line // EVERY + 1):
            self._moments.append(self._going_on(place * EVERY, self._moments[-1]))
        return self._going_on(line, self._moments[line // EVERY])

    def _going_on(self, line: int, moment: Game[Any]) -> Game[Any]:
        game = moment.copy()
        game.tape_rules = deepcopy(moment.tape_rules)  # a copy is usually for answers that go into no save
        for text in self._texts[len(moment.tape().texts) : line + 1]:
            follow_line(game, text)
        return game


class Replays:
    """The replays that were asked for last. Only what `Tables.replay` allows a reader may be told from them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: Recent[str, Replay] = Recent(REMEMBERED)

    def of(self, game_id: str, texts: Sequence[str]) -> Replay:
        """The replay of a game with that tape."""
        with self._lock:
            known = self._known.get(game_id)
        if known is None or not known.goes_on_with(texts):
            known = Replay(texts[0])
            known.goes_on_with(texts)
        with self._lock:
            self._known[game_id] = known
        return known


def _is_step(body: dict[str, Any], reader: str) -> bool:
    if kind_of(body) not in ("choice", "roll", "undo"):
        return False
    if reader == UMPIRE or "roll" in body or "consent" in body:
        return True
    return reader != NEUTRAL and body.get("side") == reader
