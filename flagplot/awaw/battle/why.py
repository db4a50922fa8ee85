"""Why groups and squadrons are not offered in a naval battle: for people who ask, with the rule that forbids it.

Only what the side itself may know goes into the answers: its own forces, and of enemy groups what everybody sees. The
refusals are those by which options are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flagplot.awaw.battle.air_plan import STRIKERS, eligible
from flagplot.awaw.battle.engagements import free_groups, kept_from_fleets, kept_from_seeking, open_groups
from flagplot.awaw.battle.evasion import can_be_fast
from flagplot.awaw.battle.groups import is_active, label
from flagplot.awaw.battle.stages import present_stage
from flagplot.awaw.battle.strikes import carrier_strikers, kept_from_strikes, results_against
from flagplot.awaw.battle.submarines import kept_from_submarines
from flagplot.awaw.state.state import State
from flagplot.kernel.refusal import Reason
from flagplot.kernel.words import plural, say

CARRIER_AIR = "Carrier air"


def reasons(state: State, side: str) -> list[Reason] | None:
    """Why a side cannot do more in the present step of a battle; None if none is fought."""
    stage = present_stage(state.frames)
    if stage is None:
        return None
    told = ABOUT.get(stage.mark)
    return [*told(state, side)] if told else []


def _about_patrol(state: State, side: str) -> Iterator[Reason]:
    """23.33: how many squadrons may defend each group."""
    for group in state.battle.present(side):
        name = say(group.name)
        there = sum(group.air.values()) + sum(group.patrol.values())
        if not there:
            yield Reason(name, "has no squadrons to fly patrol", "23.33")
        elif group.third < there:
            yield Reason(
                say(group.name), f"at most a third of its {there} squadrons fly patrol: {group.third}", "23.33"
            )
    yield from _grounded(state, side)


def _about_strikes(state: State, side: str) -> Iterator[Reason]:
    """22.46: which enemy groups cannot be struck, and which squadrons do not strike."""
    for group in state.battle.present(state.other(side)):
        if refusal := kept_from_strikes(group):
            yield refusal.about(say(label(state, group)))
    against = results_against(state)
    if len(against) == len(state.sides):
        yield Reason("Surprise strike", "groups of both sides were found, so nobody can surprise", "22.462D")
    if not carrier_strikers(state, side) and not eligible(state, side, STRIKERS):
        yield Reason("Air strike", "no squadron is left that may strike", "23.74D")
    site = state.at_sea(side)
    patrol = sum([_number(group.patrol) for group in state.battle.present(side)])
    for number, words, rule in (
        (patrol, "on combat air patrol: they defend their group", "22.441"),
        (_number(site.struck), "back from a strike: each squadron strikes once a round", "23.74D"),
        (_number(site.aborted), "aborted over a base in this round", "22.433"),
        (_number(site.barred), "withheld with their carriers", "22.26D"),
    ):
        if number:
            yield Reason(CARRIER_AIR, f"{plural(number, 'squadron')} {words}", rule)
    yield from _grounded(state, side)


def _grounded(state: State, side: str) -> Iterator[Reason]:
    if number := _number(state.at_sea(side).grounded):
        yield Reason(CARRIER_AIR, f"{plural(number, 'squadron')} aboard damaged carriers cannot take off", "17.3124")


def _number(force: Mapping[Any, int]) -> int:
    return sum(force.values())


def _about_fleets(state: State, side: str) -> Iterator[Reason]:
    """22.52: which groups seek no battle, and which enemy groups cannot be reached."""
    free = free_groups(state, side)
    distant = [group for group in open_groups(state, side) if not is_active(group, state.battle.round)]
    for group in state.battle.present(side):
        refusal = None if group in free else kept_from_seeking(group, state.battle.round)
        if refusal:
            yield refusal.about(say(group.name))
        elif distant and not can_be_fast(group):
            yield Reason(say(group.name), "slow: only fast groups reach distant ones", "22.521D")
    for group in state.battle.present(state.other(side)):
        if refusal := kept_from_fleets(group, state.battle.round):
            yield refusal.about(say(label(state, group)))


def _about_submarines(state: State, side: str) -> Iterator[Reason]:
    """22.93B: which groups submarines cannot attack."""
    if any([flotilla.side == side for flotilla in state.battle.submarines]):
        for group in state.battle.present(state.other(side)):
            if refusal := kept_from_submarines(group):
                yield refusal.about(say(label(state, group)))


ABOUT: Mapping[str, Callable[[State, str], Iterator[Reason]]] = {
    "B": _about_patrol,
    "C": _about_patrol,
    "G": _about_strikes,
    "H": _about_fleets,
    "I": _about_submarines,
}
