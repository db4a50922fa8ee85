"""The beginning and the end of a player turn: counters are set back, and what happened is written down."""

from __future__ import annotations

from dataclasses import replace

from flagplot.awaw.state.setting import Supply
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Ration
from flagplot.awaw.turn.basing.geography import resettle
from flagplot.awaw.turn.marks import clear
from flagplot.awaw.turn.nations import unit_name
from flagplot.kernel.requests import Note, Script
from flagplot.kernel.rules import rule


def open_turn(state: State) -> None:
    """A player turn begins: nobody has done anything in it."""
    turn = state.turn
    operation = state.operation
    turn.placed, turn.built = {}, {}
    operation.struck, operation.hunted, operation.barred_zones = [], [], []
    turn.flights, turn.attacks, operation.tasks, turn.raided = [], [], {}, {}
    turn.back_aboard = {}
    clear(state, *list(turn.marks))
    for unit in turn.units.values():
        unit.flown = ""


@rule("18.532", "18.142C#note1")
def trace_supply(state: State) -> Script[None]:
    """18.531: the supply of the moving side is traced anew: what was flown to its ground units is used up, and bases
    that it has captured are supplied (`docs/rulings.md`)."""
    turn = state.turn
    mine = [name for name in turn.supplied if name in turn.units and turn.units[name].side == state.moving]
    turn.supplied = [name for name in turn.supplied if name in turn.units and name not in mine]
    for name in mine:
        if turn.units[name].supply is Ration.LIMITED:
            turn.units[name].supply = Ration.NONE
            yield Note(("{} is out of supply again", unit_name(state, name)), "18.532")
    gained = [base for base in turn.untraced if state.place(base).side == state.moving]
    turn.untraced = [base for base in turn.untraced if base not in gained]
    for base in gained:
        resettle(state, **{base: replace(state.place(base), supply=Supply.FULL)})
        yield Note(("{}: {} is supplied", state.name(state.moving), state.place(base).name), "18.142C")


def close_turn(state: State) -> Script[None]:
    """A player turn is over."""
    yield Note(("{}: player turn ends", state.name(state.moving)), "18.72B")
