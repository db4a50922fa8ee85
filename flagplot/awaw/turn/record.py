"""The beginning and the end of a player turn: counters are set back, and what happened is written down."""

from __future__ import annotations

from flagplot.awaw.turn.marks import clear
from flagplot.awaw.turn.state import TurnState
from flagplot.kernel.requests import Note, Script


def open_turn(state: TurnState) -> None:
    """A player turn begins: nobody has done anything in it."""
    state.placed, state.built, state.supplied = {}, {}, []
    state.struck, state.hunted, state.barred_zones = [], [], []
    state.flights, state.attacks, state.tasks, state.raided = [], [], {}, {}
    state.back_aboard = {}
    clear(state, *list(state.marks))
    for unit in state.units.values():
        unit.flown = ""


def close_turn(state: TurnState) -> Script[None]:
    """A player turn is over."""
    yield Note(("{}: the player turn is over", state.name(state.moving)), "18.72B")
