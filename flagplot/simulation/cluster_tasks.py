"""What is sent to the workers of a cluster, and what they do with it.

An errand is bytes that are run by unpickling them. So neither the scheduler nor a worker has to import anything of
Flagplot before an errand is opened, and a worker that has no Flagplot, or one of long ago, answers with an ordinary
ImportError. The battles lie in it in bytes of their own, which are opened only where the versions are the same.
"""

from __future__ import annotations

import pickle
import socket
import traceback
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple

from flagplot import library
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.game import Game
from flagplot.players.program import ProgramFault
from flagplot.simulation.battles import BattleFailed, Plan, opening_of
from flagplot.simulation.workers import Played, played_chunk
from flagplot.version import __version__


class Versions(NamedTuple):
    """What must be the same wherever battles are played."""

    game: str
    rules: str
    program: str


class Answer(NamedTuple):
    """What a worker has to say."""

    played: Played | None = None
    unlike: str = ""
    """Why this worker cannot play, if it cannot."""
    failed: str = ""
    """The fault of the program in a battle."""


def versions_of(game: str) -> Versions:
    """The versions of the program that runs here."""
    return Versions(game, library.ruleset(game).version, __version__)


class Errand:
    """The bytes of one errand, in the making."""

    def __init__(self, versions: Versions, battles: bytes) -> None:
        self._versions, self._battles = versions, battles

    def __reduce__(self) -> tuple[Any, ...]:
        return run, (tuple(self._versions), self._battles)


def errand(versions: Versions, plan: bytes = b"", place: int = 0, numbers: range = range(0)) -> bytes:
    """An errand to play some battles; without a plan, only to compare versions."""
    battles = pickle.dumps((plan, place, numbers)) if plan else b""
    return pickle.dumps(Errand(versions, battles))


# --- on the worker ----------------------------------------------------------------------------------------------

_ONE_AT_A_TIME = Lock()
"""A worker may have several threads. Rules and players are made for one, and would gain nothing by more."""


def run(versions: tuple[str, str, str], battles: bytes) -> bytes:
    """Do an errand. What comes back are bytes as well, which only the one who asked opens."""
    return pickle.dumps(_answer(Versions(*versions), battles))


def _answer(wanted: Versions, battles: bytes) -> Answer:
    unlike = _unlike(wanted)
    if unlike or not battles:
        return Answer(unlike=unlike)
    text, place, numbers = pickle.loads(battles)
    with _ONE_AT_A_TIME:
        try:
            plan, opening = _opening(text)
            return Answer(played_chunk(plan, opening, place, numbers))
        except (BattleFailed, ProgramFault):
            return Answer(failed=traceback.format_exc())


def _unlike(wanted: Versions) -> str:
    try:
        here = versions_of(wanted.game)
    except FlagplotError as fault:
        return f"{socket.gethostname()}: {fault}"
    if here == wanted:
        return ""
    return f"{socket.gethostname()} has flagplot {here.program} with rules {here.rules}"


@lru_cache(maxsize=2)
def _opening(plan: bytes) -> tuple[Plan, Game[Any]]:
    """Where the battles of a plan begin, made once in each process."""
    read: Plan = pickle.loads(plan)
    return read, opening_of(read)
