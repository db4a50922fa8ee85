"""Why units are not offered in Line of Battle: for people who ask, with the rule that forbids it.

The refusals are those by which options are listed. Everything told lies open on the board.
"""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.kernel.refusal import Reason
from flagplot.line_of_battle.attacks import attacks, in_reach, kept_from_attacking, open_targets, ways
from flagplot.line_of_battle.state import Box, State


def reasons(state: State, side: str) -> list[Reason]:
    """Why a faction cannot do more in the present step."""
    under_way = attacks.under_way(state.frames)
    found = [*_absent(state, side)]
    if under_way and side in under_way[0].arguments:
        found += [*_idle(state, side), *_spared(state, side)]
    return found


def _absent(state: State, side: str) -> Iterator[Reason]:
    """LOB-24: only units in the Line of Battle fight."""
    for key in state.of(side):
        if state.markers[key].box is not Box.LINE:
            yield Reason(state.unit(key).name, f"{state.markers[key].fate}: not in the Line of Battle", "LOB-24")


def _idle(state: State, side: str) -> Iterator[Reason]:
    """Units in the line that do not attack."""
    for key in state.line(side):
        if refusal := kept_from_attacking(state, key):
            yield refusal.about(state.unit(key).name)


def _spared(state: State, side: str) -> Iterator[Reason]:
    """Enemies that units which can attack, and have no target yet, cannot choose."""
    enemies = state.line(state.setting.enemy(side))
    for key in state.line(side):
        able = [target for weapons in ways(state, key) for target in in_reach(state, key, weapons)]
        if not able or state.markers[key].target or kept_from_attacking(state, key):
            continue
        name, offered = state.unit(key).name, open_targets(state, side, able)
        for target in enemies:
            about = f"{name} against {state.unit(target).name}"
            if target not in able:
                yield Reason(about, "its factors give no dice", "LOB-16")
            elif target not in offered:
                yield Reason(about, "attacked already; others have no attacker yet", "LOB-02")
