"""Submarine patrols from one player turn to the next (21.4184, 21.419): they return with the other patrols, or stay at
sea while the enemy moves and are a defensive patrol then."""

from __future__ import annotations

from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.state.operation import Flotilla
from flagplot.awaw.state.state import State
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

OFFENSIVE, DEFENSIVE = "offensive", "defensive"
RETURN, STAY = "return", "stay"
_ANSWERS: dict[str, Words] = {RETURN: "Return to base", STAY: "Stay on patrol"}


@rule("SOP-PA-E.5", "SOP-PA-E.3", "22.913")
def recall_submarines(state: State) -> Script[None]:
    """21.4184B: when the other patrols return, the moving side says for each patrol of its submarines whether they do
    so too, or stay until the enemy's player turn is over."""
    if state.now != _recall_stage(state):
        return
    for key, flotilla in _on_patrol(state, OFFENSIVE):
        if flotilla.side == state.scene.attacker:
            question = ("Recall the submarines in {}?", hex_name(state, flotilla.at))
            chosen: str = yield Choose(flotilla.side, ("recall", key), (RETURN, STAY), question, _ANSWERS, "22.913")
            if chosen == RETURN:
                go_home(state, flotilla)
    if state.setting.options.submarine_patrol_ends == "with-patrols":
        yield from end_second_turn(state)


def _recall_stage(state: State) -> str:
    """21.4183: patrols return after the combat stage; where none is played, after the first that is."""
    stages = state.operation.plan.stages
    return "combat" if "combat" in stages else stages[0]


def _on_patrol(state: State, kind: str) -> list[tuple[str, Flotilla]]:
    """The flotillas on such a patrol; those that have all attacked are in port (22.92)."""
    return [(key, one) for key, one in state.operation.boats() if one.patrol == kind and one.factors + one.tried > 0]


@rule("SOP-PA-E.5", "SOP-PA-E.8", "SOP-PA-E.9", "22.14F")
def begin_second_turn(state: State) -> None:
    """21.419: submarines that have stayed at sea are on defensive patrol in the enemy's player turn, and may intercept
    as any other (22.14F)."""
    for _, flotilla in _on_patrol(state, OFFENSIVE):
        if flotilla.side != state.scene.attacker:
            flotilla.patrol = DEFENSIVE


@rule("SOP-PA-E.5")
def end_second_turn(state: State) -> Script[None]:
    """21.4184B: the submarines that were at sea in the enemy's player turn are home when it is over."""
    for _, flotilla in _on_patrol(state, DEFENSIVE):
        yield Note(
            ("{}: submarines in {} return to base", state.name(flotilla.side), hex_name(state, flotilla.at)), "22.913"
        )
        go_home(state, flotilla)


def go_home(state: State, flotilla: Flotilla) -> None:
    """Nobody intercepts submarines, so they are in port at once (22.11A)."""
    flotilla.at, flotilla.patrol = state.place(flotilla.base).at, ""


@rule("22.92")
def uninvert_submarines(state: State, key: str) -> None:
    """22.92: the factors of a flotilla that have attacked are in port: uninverted there they are a flotilla of their
    own, if others are still on patrol."""
    operation = state.operation
    flotilla = operation.flotillas[key]
    ready, flotilla.inverted = flotilla.inverted, 0
    if flotilla.patrol and flotilla.factors + flotilla.tried:
        at = state.place(flotilla.base).at
        part = Flotilla(flotilla.side, flotilla.nation, flotilla.base, at, ready, flotilla.advanced)
        operation.flotillas[flotilla_key(state, key)] = part
        return
    go_home(state, flotilla)
    flotilla.factors += ready


def divide_flotilla(state: State, key: str, number: int) -> str:
    """So many factors of a flotilla as a flotilla of their own, or the flotilla itself if that is all; its key."""
    operation = state.operation
    flotilla = operation.flotillas[key]
    if number == flotilla.factors:
        return key
    flotilla.factors -= number
    name = flotilla_key(state, key)
    part = Flotilla(flotilla.side, flotilla.nation, flotilla.base, flotilla.at, number, flotilla.advanced)
    part.patrol = flotilla.patrol
    operation.flotillas[name] = part
    return name


def flotilla_key(state: State, key: str) -> str:
    """A key for a part of a flotilla."""
    return next(name for n in range(2, 99) if (name := f"{key}-{n}") not in state.operation.flotillas)
