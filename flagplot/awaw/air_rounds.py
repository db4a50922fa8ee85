"""One round of air combat (19.2-19.6), wherever it is fought: the dice of both sides, and the losses of each.

Over ships, a base, a supported hex, transports or bombers the round is the same. Who fights and who rolls, and what
becomes of those who abort, is the business of the missions that lead to it.

Factors and squadrons: with naval air on either side everybody fights in squadrons (`to_scale`) and goes on so between
rounds; when the combat is over army air is put together again (`form_up_again`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from flagplot.awaw.air_combat import (
    Circumstances,
    Combat,
    Reasons,
    Weight,
    defenders_abort,
    modifiers,
    rolls,
    tie_by_drm,
    weigh,
)
from flagplot.awaw.air_units import Force, Lost, Unit
from flagplot.awaw.conversion import break_down, fought_as_squadrons
from flagplot.awaw.losses import Suffered, suffer
from flagplot.awaw.state.setting import DrmReasons
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.grids import NO_EFFECT, AirResult
from flagplot.kernel.requests import Headline, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words

# --- the dice ---------------------------------------------------------------------------------------------------


class Party(NamedTuple):
    """One side in a round."""

    side: str
    weight: Weight
    rolls: bool = True
    """Not so for kamikazes (17.47E), air transports (18.623), and those who do not counterair (23.411C)."""


class Exchange(NamedTuple):
    """What the dice of a round did, before anybody takes losses."""

    on_defenders: AirResult
    on_attackers: AirResult


@rule("19.2", "19.21", "19.41", "T19.2-07")
def exchange_fire(
    state: State,
    attackers: Party,
    defenders: Party,
    circumstances: Circumstances,
    over: Words,
    number: int = 0,
    reasons: Reasons | None = None,
) -> Script[Exchange]:
    """19.41: both sides roll before losses are taken; aborts count for defenders only where they may abort. A `number`
    tells rounds apart where there can be several."""
    options = state.setting.options
    reasons = reasons or partial(DrmReasons, state.setting, state.scene)
    ledger = modifiers(attackers.weight, defenders.weight, reasons, circumstances)
    results = []
    for (side, weight, rolling), own in ((attackers, ledger), (defenders, -ledger)):
        result, row, us = NO_EFFECT, weight.strength, state.name(side)
        purpose: Words = (ROUND, us, over, number, row) if number else (SINGLE_ROUND, us, over, row)
        for roll in rolls(side, row * rolling, own, purpose, options):
            fallen: AirResult = yield roll
            result = fallen if result is NO_EFFECT else result + fallen
        results.append(result)
    hit, back = results
    if not defenders_abort(circumstances.combat):
        hit = AirResult(hit.eliminated, NO_EFFECT.aborted)
    return Exchange(hit, back)


ROUND = "{}: air combat over {}, round {}, row {}"
SINGLE_ROUND = "{}: air combat over {}, row {}"


# --- the losses -------------------------------------------------------------------------------------------------


@rule("19.42", "19.62")
def take_losses(
    state: State,
    side: str,
    force: Force,
    result: AirResult,
    aborted: Force,
    combat: Combat,
    involved: Iterable[Unit] | None = None,
) -> Script[Suffered]:
    """19.42: the owner takes a result from a force, which is changed, or from those `involved` in it; who is forced to
    abort is counted in `aborted`."""
    by_drm, named = tie_by_drm(combat, state.setting.options), state.scene.name_of_place
    among = [*(force if involved is None else involved)]
    return suffer(side, force, among, result, aborted, by_drm=by_drm, named=named)


def tell_losses(
    state: State, side: str, eliminated: Force, aborted: int, number: str = "19.42", *, reveals: bool = False
) -> Note:
    """What a result cost a side; `number` is the rule."""
    name = state.name(side)
    if eliminated:
        words: Words = ("{}: {} eliminated", name, Lost(eliminated.items()))
        words = ("{}, {} aborted", words, aborted) if aborted else words
    elif aborted:
        words = ("{}: {} air unit aborted" if aborted == 1 else "{}: {} air units aborted", name, aborted)
    else:
        words = ("{}: no air losses", name)
    return disclosed(words, number, reveals, _AIR_LOST if eliminated else None)


_AIR_LOST = Headline("air-lost")


# --- away from bases --------------------------------------------------------------------------------------------


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
    state: State,
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
    """19.2: one round between a force of `side`, the attacker in it, and one of `other`, both away from their bases and
    changed in place. `fires_back` says whether the other side rolls at all."""
    options, combat = state.setting.options, circumstances.combat
    attackers, defenders = Party(side, weigh(ours, options)), Party(other, weigh(theirs, options), fires_back)
    fire = yield from exchange_fire(state, attackers, defenders, circumstances, where, number)
    aborted: Force = {}
    their_aborted: Force = {}
    lost = yield from _take(state, other, theirs, fire.on_defenders, their_aborted, combat)
    yield from _take(state, side, ours, fire.on_attackers, aborted, combat)
    return Round(aborted, lost, their_aborted)


def _take(state: State, side: str, force: Force, result: AirResult, aborted: Force, combat: Combat) -> Script[Force]:
    hit = yield from take_losses(state, side, force, result, aborted, combat)
    state.lose(hit.eliminated)
    yield tell_losses(state, side, hit.eliminated, hit.aborted)
    return hit.eliminated
