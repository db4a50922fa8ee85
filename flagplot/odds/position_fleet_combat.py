"""A fleet combat of a position, taken apart as the question about engagements does (see `sea_combat`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flagplot.awaw.battle.gunnery import capital_answers, capital_pairs, capital_surplus, screening
from flagplot.awaw.ships import Fleet
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Player
from flagplot.kernel.replaying import through_segment
from flagplot.kernel.requests import Roll
from flagplot.library import ruleset
from flagplot.odds.answer import Hits
from flagplot.odds.answers.fleet_combat import fought
from flagplot.odds.answers.losses import Cases, Loss, folded_number
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Limits
from flagplot.odds.position_staff import Counted
from flagplot.odds.questions.shared import THEM, US

BEFORE_FIRE = (screening, capital_pairs, capital_surplus, capital_answers)
"""The segments without dice, before capital ships fire."""


def fought_out(
    start: State,
    given: Sequence[Any],
    players: Mapping[str, Player],
    limits: Limits,
    seen: Callable[[Roll[Any]], None],
) -> Counted | None:
    """All that can come of a fleet combat in which nobody has fired yet; else nothing. Squadrons that go down with
    carriers are not told of."""
    if not start.frames[-1].is_at(*BEFORE_FIRE) or start.scene.raiders:
        return None
    through_segment(ruleset("awaw"), players, start, given)
    alone = _alone(start)
    found = fought(alone, players, limits, seen)
    chances = _told(start, alone, found.cases)
    left = next(iter(chances.values())).left_over
    return Counted(chances, left, found.states)


def _alone(state: State) -> State:
    """The two groups, under the names that the question about engagements gives them: the moving side is "us"."""
    fight = state.battle.engagement
    assert fight is not None
    state.battle.groups = {US: state.battle.groups[fight.moving], THEM: state.battle.groups[fight.intercepting]}
    fight.moving, fight.intercepting = US, THEM
    state.frames, state.battle.engagements, state.battle.this_round.announced = state.frames[-1:], [], []
    return state


def _told(start: State, alone: State, cases: Cases) -> dict[str, Distribution[Any]]:
    sides = dict(zip(start.sides, (US, THEM), strict=True))
    told: dict[str, Distribution[Any]] = {}
    for side, place in sides.items():
        told |= _counts(start.name(side), place, alone.battle.groups[place].ships, cases)
    for place in sides.values():
        for which in alone.battle.groups[place].ships:
            if which.named:
                hits = folded_number(cases, lambda loss, key=(place, which.id): _hits(loss, key))  # type: ignore[misc]
                told[f"{which.name}, {which.size} factors: hits"] = hits.of(
                    lambda more, which=which: Hits.of(min(which.size, which.hits + more), which.size)  # type: ignore[misc]
                )
    return told


def _hits(loss: Loss, key: tuple[str, str]) -> int:
    return loss.hits if (loss.side, loss.key) == key else 0


def _counts(name: str, place: str, fleet: Fleet, cases: Cases) -> dict[str, Distribution[Any]]:
    """The numbers of one side, under the titles that other procedures have."""
    weights = {which.tag: which.weight for which in fleet}
    named = {which.tag for which in fleet if which.named}
    decks = {which.tag for which in fleet if which.fast_carrier}

    def count(number: Callable[[Loss], int]) -> Distribution[int]:
        return folded_number(cases, lambda loss: number(loss) if loss.side == place else 0)

    return {
        f"{name}: factors sunk": count(lambda loss: loss.sunk * weights[loss.key]),
        f"{name}: fast carriers sunk": count(lambda loss: loss.sunk if loss.key in decks else 0),
        f"{name}: named ships sunk": count(lambda loss: loss.sunk if loss.key in named else 0),
        f"{name}: factors newly damaged": count(lambda loss: loss.newly_damaged * weights[loss.key]),
        f"{name}: transports sunk": count(lambda loss: loss.sunk if not weights[loss.key] else 0),
    }
