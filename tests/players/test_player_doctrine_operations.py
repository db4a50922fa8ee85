"""The doctrine player on the map: orders, interceptions, air attacks on the way, attacks on bases, and whole operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import flagplot
from flagplot.kernel.dice import Seeded
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.kernel.views import View
from flagplot.players import player
from flagplot.players.doctrine import Doctrine, DoctrinePlayer
from flagplot.players.doctrine.attempts import chance
from flagplot.players.doctrine.player import OPERATIONS, SEGMENTS
from flagplot.players.doctrine.principles import PARTICULAR
from flagplot.players.doctrine.sea import Sea, likely_win
from flagplot.players.doctrine.sight import Sight
from flagplot.players.random import RandomPlayer

OPERATION_NAMES = (
    "coral-sea-operation",
    "norwegian-sortie",
    "pearl-harbor",
    "rendezvous",
    "malta-landing",
    "arctic-convoy",
)


def asks(*verb: str) -> Callable[[Game[Any]], bool]:
    """Until a question with this verb is asked, or one that begins so."""

    def is_asked(game: Game[Any]) -> bool:
        asked = game.pending.verb if isinstance(game.pending, Choose) else ()
        parts = (asked,) if isinstance(asked, str) else tuple(map(str, asked))
        return parts[: len(verb)] == verb

    return is_asked


def stopped(name: str, *verb: str, seed: int = 1) -> Game[Any]:
    """An operation between doctrine players, up to a question."""
    game = flagplot.load(name, seed=seed)
    game.play({side: DoctrinePlayer() for side in game.sides}, until=asks(*verb))
    assert not game.over, f"{verb} was never asked"
    return game


def says(game: Game[Any], **settings: Any) -> str:
    """What the doctrine player answers to the pending question."""
    assert isinstance(game.pending, Choose)
    return DoctrinePlayer(Doctrine(**settings)).choose(game.view(game.pending.side), game.pending).text


def asked(side: str, verb: Any, *values: Any) -> Choose[Any]:
    return Choose(side, verb, values, "What now?", str, "22.15")


def answer(game: Game[Any], request: Choose[Any], change: Callable[[dict[str, Any]], None] | None = None) -> Any:
    """What is answered to a question in the position of a game, or in another one that is made of it."""
    view = game.view(request.side)
    if change is not None:
        data = view.data
        change(data)
        view = View(view.game, view.side, lambda: data, view.events) if False else _with(view, data)
    return DoctrinePlayer().choose(view, request).value
