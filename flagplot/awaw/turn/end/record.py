"""The beginning and the end of a player turn: counters are set back, and what happened is written down."""

from __future__ import annotations

from dataclasses import replace

from flagplot.awaw.state import Supply
from flagplot.awaw.turn.basing.geography import resettle
from flagplot.awaw.turn.marks import clear
from flagplot.awaw.turn.nations import unit_name
from flagplot.awaw.turn.state import Ration, TurnState
from flagplot.kernel.requests import Note, Script
from flagplot.kernel.rules import rule


def open_turn(state: TurnState) -> None:
    """A player turn begins: nobody has done anything in it."""
    state.placed, state.built = {}, {}
    state.struck, state.hunted, state.barred_zones = [], [], []
    state.flights, state.attacks, state.tasks, state.raided = [], [], {}, {}
    state.back_aboard = {}
    clear(state, *list(state.marks))
    for unit in state.units.values():
        unit.flown = ""


@rule("18.532", "18.142C#note1")
def trace_supply(state: TurnState) -> Script[None]:
    """18.531: the supply of the moving side is traced anew: what was flown to its ground units is used up, and bases
    that it has captured are supplied (`docs/rulings.md`)."""
    mine = [name for name in state.supplied if name in state.units and state.units[name].side == state.moving]
    state.supplied = [name for name in state.supplied if name in state.units and name not in mine]
    for name in mine:
        if state.units[name].supply is Ration.LIMITED:
            state.units[name].supply = Ration.NONE
            yield Note(("{} is out of supply again", unit_name(state, name)), "18.532")
    gained = [base for base in state.untraced if state.place(base).side == state.moving]
    state.untraced = [base for base in state.untraced if base not in gained]
    for base in gained:
        resettle(state, **{base: replace(state.place(base), supply=Supply.FULL)})
        yield Note(("{}: {} is supplied", state.name(state.moving), state.place(base).name), "18.142C")


def close_turn(state: TurnState) -> Script[None]:
    """A player turn is over."""
    yield Note(("{}: the player turn is over", state.name(state.moving)), "18.72B")
