"""No id of a scenario file reaches a person: not in questions, options, rolls, the log, the board or the result."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

import flagplot
from flagplot.kernel.game import Game
from flagplot.players import player
from flagplot.report.gathering import gathered
from flagplot.report.page import page
from flagplot.testing.trial import asked_of, log_of
from tests.testing.disguise import NONSENSE, disguised, read_files, sentences

LOOKS = 25
"""The boards are drawn at one request in this many."""
GAMES = list(zip(flagplot.scenario_names(), itertools.cycle(["random", "doctrine"]), strict=False))


@pytest.mark.parametrize(("name", "who"), GAMES)
def test_no_id_reaches_a_person(name: str, who: str) -> None:
    game = flagplot.load(disguised(read_files(name)), seed=7)
    players = {side: player(who, 7) for side in game.sides}
    while game.pending is not None:
        for text in sentences(asked_of(game)):
            assert not NONSENSE.search(text), text
        if game.turn % LOOKS == 0:
            hold_boards(game)
        game.play(players, until=game.turn + 1)
    hold_boards(game)
    for text in in_the_end(game):
        assert not NONSENSE.search(text), text


def hold_boards(game: Game[Any]) -> None:
    for reader in (*game.sides, "umpire"):
        view = game.view(reader)
        assert not NONSENSE.search(str(view)), str(view)


def in_the_end(game: Game[Any]) -> Iterator[str]:
    """All logs, the result and the reports."""
    for reader in (*game.sides, "umpire"):
        yield from sentences(log_of(game, reader))
        yield from page(gathered(game, reader, "battle.jsonl"))
    yield from sentences(game.result)
