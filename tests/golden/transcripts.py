"""Battles told step by step, with what each side sees after every answer: for the golden files beside this one.

A step is one answer. Under it stands, for each side, what is new in its log and what changed in its view, so that a
person can read the whole battle, and can see what each side knew at any moment. Written anew by
``python -m tests.golden.transcripts`` from the top folder, when a change is meant; then read what has changed.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import flagplot
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Roll
from flagplot.kernel.words import plural
from flagplot.players import player

HERE = Path(__file__).resolve().parent
BATTLES = {"first-battle": 4, "denmark-strait": 2, "coral-sea": 11}
"""The battles that are told, each with the seed of its dice and players."""


def transcript(scenario: str, seed: int) -> str:
    """A whole battle of doctrine players."""
    game = flagplot.load(scenario, seed=seed)
    players = {side: player("doctrine", seed) for side in game.sides}
    lines = [f"{scenario}, seed {seed}"]
    seen: dict[str, list[str]] = {side: [] for side in game.sides}
    told = dict.fromkeys(game.sides, 0)
    while True:
        for side in game.sides:
            lines += _news(game, side, seen, told)
        if game.pending is None:
            break
        request, turn = game.pending, game.turn + 1
        game.play(players, until=turn)
        answer = next(answer for asked, answer in reversed(game.events) if asked is request)
        lines += ["", f"{turn}. {_told(request, answer)}"]
    return "\n".join([*lines, "", f"result: {game.result}", ""])


def _told(request: Choose[Any] | Roll[Any], answer: Any) -> str:
    if isinstance(request, Choose):
        return f"{request.side}, of {plural(len(request.options), 'option')}: {request.option(answer).text}"
    return f"{request.side} rolls {' '.join(map(str, answer))}"


def _news(game: Game[Any], side: str, seen: dict[str, list[str]], told: dict[str, int]) -> Iterator[str]:
    """What a side reads and sees that it did not before."""
    entries, view = game.log(side), str(game.view(side)).splitlines()
    for entry in entries[told[side] :]:
        yield f"  {side} reads: {entry}"
    for line in difflib.ndiff(seen[side], view):
        if line[0] in "+-":
            yield f"  {side} sees{line[0]} {line[2:]}"
    seen[side], told[side] = view, len(entries)


def path_of(scenario: str) -> Path:
    return HERE / f"{scenario}.txt"


if __name__ == "__main__":
    for name, number in BATTLES.items():
        path_of(name).write_text(transcript(name, number), encoding="utf8")
        print(f"written: {path_of(name).name}")
