"""One round of air combat between two forces that are away from their bases (chapter 19), for all missions.

Factors and squadrons: with naval air on either side everybody fights in squadrons (`to_scale`) and goes on so between
rounds; when the combat is over army air is put together again (`form_up_again`).
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from flagplot.awaw.air_combat import Circumstances, Combat, modifiers, rolls, tie_by_drm, weigh
from flagplot.awaw.air_units import Force, Lost
from flagplot.awaw.conversion import break_down, fought_as_squadrons
from flagplot.awaw.counterair import AIR_COMBAT, LOSSES
from flagplot.awaw.losses import suffer
from flagplot.awaw.state import DrmReasons
from flagplot.awaw.tables.grids import NO_EFFECT, AirResult
from flagplot.awaw.turn.state import TurnState
from flagplot.kernel.requests import Note, Script
from flagplot.kernel.rules import rule


class Round(NamedTuple):
    """What a round of air combat did to both forces."""

    aborted: Force
    """How many of those who are left of the first force the result forced to abort."""
    their_eliminated: Force
    their_aborted: Force


@rule("23.131A", "19.51", "17.141C", "23.141A.2")
def to_scale(ours: Force, theirs: Force, *, squadrons: bool = False) -> tuple[Force, Force, bool]:
    """23.131A: both forces in squadrons if there is naval air in either, or if they fought so before (23.141A); and
    whether they are."""
    if squadrons or fought_as_squadrons(ours, theirs):
        return break_down(ours), break_down(theirs), True
    return dict(ours), dict(theirs), False


@rule("19.2", "19.21", "19.41", "19.42")
def air_round(
    state: TurnState,
    side: str,
    ours: Force,
    other: str,
    theirs: Force,
    where: str,
    number: int,
    *,
    circumstances: Circumstances,
    fires_back: bool = True,
) -> Script[Round]:
    """19.2: one round between a force of `side`, the attacker in it, and one of `other`; both are changed in place. All
    dice are rolled before losses are taken (19.41). `fires_back` says whether the other side rolls at all."""
    options, combat = state.setting.options, circumstances.combat
    mine, others = weigh(ours, options), weigh(theirs, options)
    ledger = modifiers(mine, others, partial(DrmReasons, state.setting), circumstances)
    hit = back = NO_EFFECT
    for roll in rolls(
        side, mine.strength, ledger, (AIR_COMBAT, state.name(side), where, number, mine.strength), options
    ):
        hit += yield roll
    purpose = (AIR_COMBAT, state.name(other), where, number, others.strength)
    for roll in rolls(other, others.strength if fires_back else 0, -ledger, purpose, options):
        back += yield roll
    aborted: Force = {}
    their_aborted: Force = {}
    lost = yield from _take(state, other, theirs, hit, their_aborted, combat)
    yield from _take(state, side, ours, back, aborted, combat)
    return Round(aborted, lost, their_aborted)


def _take(
    state: TurnState, side: str, force: Force, result: AirResult, aborted: Force, combat: Combat
) -> Script[Force]:
    """19.6: the owner takes a result: what was eliminated."""
    by_drm, named = tie_by_drm(combat, state.setting.options), state.setting.name_of_place
    hit = yield from suffer(side, force, [*force], result, aborted, by_drm=by_drm, named=named)
    state.lose(hit.eliminated)
    yield Note((LOSSES, state.name(side), Lost(hit.eliminated.items()), hit.aborted), "19.42")
    return hit.eliminated
