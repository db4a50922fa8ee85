"""A game again, step by step, as one reader saw it.

The steps of a side are its own answers and the rolls: what the other side was asked in secret is no step, since the
number of steps would tell how much that was. After the end the umpire's replay has every answer.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from flagplot import library
from flagplot.kernel.errors import BadValue
from flagplot.kernel.lines import kind_of
from flagplot.kernel.requests import Choose
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.kernel.saves import begin_tape, follow_line
from flagplot.table.facts import Look
from flagplot.table.logbook import Logbook
from flagplot.table.looking import question_to
from flagplot.table.store.store import Line


def steps_of(lines: Sequence[Line], reader: str) -> list[int]:
    """The lines after which a reader's replay stops: the header first and the newest line last.

    While the game goes on the newest line is a stop even if it is a step already: else it would show whether the other
    side has answered something. When the game is over there is no such secret, and it ends with one step, not two."""
    bodies = [(line.n, json.loads(line.text)) for line in lines[1:]]
    stops = [0, *(n for n, body in bodies if _is_step(body, reader))]
    if bodies and "end" in bodies[-1][1]:
        last = max((n for n, body in bodies if _is_step(body, UMPIRE)), default=0)
        stops = [n for n in stops if n < last]
    return [*stops, lines[-1].n]


def _is_step(body: dict[str, Any], reader: str) -> bool:
    if kind_of(body) not in ("choice", "roll", "undo"):
        return False
    if reader == UMPIRE or "roll" in body or "consent" in body:
        return True
    return reader != NEUTRAL and body.get("side") == reader


def replayed(lines: Sequence[Line], reader: str, step: int) -> Look:
    """The look of a reader at a step of the game; the steps count from 0, the start."""
    stops = steps_of(lines, reader)
    if not 0 <= step < len(stops):
        raise BadValue("there is no such step", given=step, allowed=[f"0 to {len(stops) - 1}"])
    game = begin_tape(lines[0].text, library.ruleset, None)
    for line in lines[1 : stops[step] + 1]:
        follow_line(game, line.text)
    view = game.view(reader)
    return Look(
        reader=reader,
        view=view.data,
        log=Logbook().read(game, [line.text for line in lines[: stops[step] + 1]], reader),
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
