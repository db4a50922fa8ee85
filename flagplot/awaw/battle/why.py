"""Why groups and squadrons are not offered in a naval battle: for people who ask, with the rule that forbids it.

Only what the side itself may know goes into the answers: its own forces, and of enemy groups what everybody sees. The
refusals are those by which options are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flagplot.awaw.air_units import described
from flagplot.awaw.basing import distance
from flagplot.awaw.battle.air_plan import COVERERS, SEARCHERS, STRIKERS, eligible, kept_home
from flagplot.awaw.battle.counterair import kept_from_sorties
from flagplot.awaw.battle.engagements import free_groups, kept_from_fleets, kept_from_seeking, open_groups
from flagplot.awaw.battle.evasion import can_be_fast, kept_from_evading
from flagplot.awaw.battle.groups import has_cargo, is_active, label, may_not_wait, not_here_yet
from flagplot.awaw.battle.homecoming import kept_from_going_on, kept_from_port, ports_in_range, survivors
from flagplot.awaw.battle.rounds import landing
from flagplot.awaw.battle.screening import group_of, kept_out_of_line
from flagplot.awaw.battle.stages import of_battle, present_stage
from flagplot.awaw.battle.strikes import carrier_strikers, kept_from_strikes, results_against, under_way
from flagplot.awaw.battle.submarines import kept_from_submarines
from flagplot.awaw.battle.withdrawal import kept_together
from flagplot.awaw.reach import out_of_reach
from flagplot.awaw.ships import described_ships
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import surprise_effects
from flagplot.kernel.refusal import Reason
from flagplot.kernel.words import capital, plural, say

CARRIER_AIR = "Carrier air"


def reasons(state: State, side: str) -> list[Reason] | None:
    """Why a side cannot do more in the present step of a battle; None if none is fought."""
    stage = present_stage(state.frames)
    if stage is None:
        return None
    return [*ABOUT[stage.mark](state, side)]


# --- groups -----------------------------------------------------------------------------------------------------


def _about_groups(state: State, side: str) -> Iterator[Reason]:
    """22.42: which forces form no group yet, which must fight, and which numbers are taken."""
    now, forces = state.battle.round, state.battle.forces(side).values()
    waiting = [group for group in forces if not group.number and group.ships]
    for group in waiting:
        if refusal := not_here_yet(group, now) or may_not_wait(group):
            yield refusal.about(say(group.name))
    for group in forces:
        if group.number and waiting:
            yield Reason(f"Number {group.number}", f"taken by {say(group.name)}", "22.423A")


# --- air --------------------------------------------------------------------------------------------------------


def _about_bases(state: State, side: str) -> Iterator[Reason]:
    """23.33, 22.432: how many squadrons may fly patrol, and which bases and squadrons are out of it."""
    yield from about_patrol(state, side)
    for base in state.of_side(state.other(side)):
        place = state.place(base)
        if not place.afloat and (refusal := kept_from_sorties(state, base)):
            yield refusal.about(place.name)
    yield from _tired(state, side)


def about_patrol(state: State, side: str) -> Iterator[Reason]:
    """23.33: how many squadrons may defend each group."""
    for group in state.battle.present(side):
        name = say(group.name)
        there = _number(group.air) + _number(group.patrol)
        if not there:
            yield Reason(name, "has no squadrons to fly patrol", "23.33")
        elif group.third < there:
            yield Reason(name, f"at most a third of its {there} squadrons fly patrol: {group.third}", "23.33")
    yield from _grounded(state, side)


def _about_cover(state: State, side: str) -> Iterator[Reason]:
    """22.4421: which land-based air does not fly cover."""
    if _has_carrier_air(state, side):
        yield Reason(CARRIER_AIR, "defends by combat air patrol, not as air cover", "23.11D")
    yield from kept_ashore(state, side, COVERERS)


def _about_search(state: State, side: str) -> Iterator[Reason]:
    """22.4422: which land-based air does not search."""
    if _has_carrier_air(state, side):
        yield Reason(CARRIER_AIR, "sends no squadrons: distant groups with a ready carrier give a die each", "22.451D")
    yield from kept_ashore(state, side, SEARCHERS)


def kept_ashore(state: State, side: str, roles: frozenset[Any]) -> Iterator[Reason]:
    """22.442: why land-based air of a side does not act in these roles, base by base."""
    at, near = state.scene.at, dict(state.scene.in_reach[side])
    for base in state.of_side(side):
        place, site = state.place(base), state.sites[base]
        if place.afloat or not site.air:
            continue
        if base not in near and (refusal := out_of_reach(place, distance(place.at, at))):
            yield refusal.about(place.name)
            continue
        for which, number in site.air.items():
            who = described([(which.turned(inverted=False), number)])
            if refusal := kept_home(which, near[base], roles):
                yield Reason(place.name, f"{who}: {refusal.text}", refusal.rule)
            for some, words, rule in (
                (site.committed.get(which, 0), "committed elsewhere this turn", "22.442B"),
                (site.aborted.get(which, 0), "aborted by carrier air in this round", "22.442C"),
            ):
                if some and not refusal:
                    yield Reason(place.name, f"{some} of {who}: {words}", rule)


def _has_carrier_air(state: State, side: str) -> bool:
    return bool(state.at_sea(side).air) or any([group.patrol for group in state.battle.present(side)])


def _about_strikes(state: State, side: str) -> Iterator[Reason]:
    """22.46: which enemy groups cannot be struck, and which squadrons do not strike; while a strike flies, who keeps
    out of it."""
    if state.battle.strike is not None:
        yield from _about_strike(state, side)
        return
    if of_battle(state.frames)[-1].is_at(landing):
        return
    for group in state.battle.present(state.other(side)):
        if refusal := kept_from_strikes(group):
            yield refusal.about(say(label(state, group)))
    against = results_against(state)
    if len(against) == len(state.sides):
        yield Reason("Surprise strike", "groups of both sides were found, so nobody can surprise", "22.462D")
    if not carrier_strikers(state, side) and not eligible(state, side, STRIKERS):
        yield Reason("Air strike", "no squadron is left that may strike", "23.74D")
    patrol = sum([_number(group.patrol) for group in state.battle.present(side)])
    struck = _number(state.at_sea(side).struck)
    for number, words, rule in (
        (patrol, "on combat air patrol, to defend a group", "22.441"),
        (struck, "back from a strike: each squadron strikes once a round", "23.74D"),
    ):
        if number:
            yield Reason(CARRIER_AIR, f"{plural(number, 'squadron')} {words}", rule)
    yield from _tired(state, side)
    yield from _grounded(state, side)
    if not state.scene.raiders:
        yield from kept_ashore(state, side, STRIKERS)


def _about_strike(state: State, side: str) -> Iterator[Reason]:
    """23.415, 23.43: which squadrons do not engage a strike, and which ships are no targets of their own."""
    flown, target = under_way(state)
    if side == flown.side:
        if target.revealed and any([not which.named for which in target.ships]):
            yield Reason("Light ships", "attacked together as one target, not one by one", "23.43")
        return
    for group in state.battle.present(side):
        if group is not target and (group.patrol or group.cover):
            yield Reason(say(group.name), "its squadrons engage only strikes on their own group", "23.415")
    if held := surprise_effects(flown.level).squadrons_withheld:
        yield Reason("Surprise", f"{plural(held, 'squadron')} cannot engage at surprise level {flown.level}", "23.415E")


def _tired(state: State, side: str) -> Iterator[Reason]:
    site = state.at_sea(side)
    for number, words, rule in (
        (_number(site.aborted), "aborted over a base in this round", "22.433"),
        (_number(site.barred), "held back with their carriers", "22.26D"),
    ):
        if number:
            yield Reason(CARRIER_AIR, f"{plural(number, 'squadron')} {words}", rule)


def _grounded(state: State, side: str) -> Iterator[Reason]:
    if number := _number(state.at_sea(side).grounded):
        yield Reason(CARRIER_AIR, f"{plural(number, 'squadron')} aboard damaged carriers cannot take off", "17.3124")


def _number(force: Mapping[Any, int]) -> int:
    return sum(force.values())


# --- ships ------------------------------------------------------------------------------------------------------


def _about_fleets(state: State, side: str) -> Iterator[Reason]:
    """22.52: which groups seek no battle, and which enemy groups cannot be reached; in a fleet combat, which ships do
    not stand in the line (22.531C)."""
    if state.battle.engagement is not None:
        for which, number in group_of(state, side).ships.items():
            if refusal := kept_out_of_line(which):
                yield refusal.about(capital(described_ships([(which, number)])))
        return
    free = free_groups(state, side)
    distant = [group for group in open_groups(state, side) if not is_active(group, state.battle.round)]
    for group in state.battle.present(side):
        refusal = None if group in free else kept_from_seeking(group, state.battle.round)
        if refusal:
            yield refusal.about(say(group.name))
        elif distant and not can_be_fast(group):
            yield Reason(say(group.name), "slow: only fast groups reach distant ones", "22.521D")
        if not is_active(group, state.battle.round) and (refusal := kept_from_evading(state, group)):
            yield refusal.about(say(group.name))
    for group in state.battle.present(state.other(side)):
        if refusal := kept_from_fleets(group, state.battle.round):
            yield refusal.about(say(label(state, group)))


def _about_submarines(state: State, side: str) -> Iterator[Reason]:
    """22.93B: which groups submarines cannot attack."""
    if any([flotilla.side == side for flotilla in state.battle.submarines]):
        for group in state.battle.present(state.other(side)):
            if refusal := kept_from_submarines(group):
                yield refusal.about(say(label(state, group)))


def _about_withdrawal(state: State, side: str) -> Iterator[Reason]:
    """22.61: which groups are not divided, and which ships leave together."""
    for group in state.battle.present(side):
        if refusal := kept_together(group):
            yield refusal.about(say(group.name))
        elif has_cargo(group):
            yield Reason(say(group.name), "ships with cargo withdraw together or not at all", "22.427")


def _about_orders(state: State, side: str) -> Iterator[Reason]:
    """22.63, 22.81: who cannot continue, and which ports are closed to whom."""
    for group in survivors(state, side).values() if not state.scene.raiders else ():
        if refusal := kept_from_going_on(state, group):
            yield refusal.about(say(group.name))
        for port, name in ports_in_range(state, side).items():
            if port != group.origin and (refusal := kept_from_port(state, group, port)):
                yield Reason(f"{say(group.name)} to {name}", refusal.text, refusal.rule)


def _nothing(state: State, side: str) -> Iterator[Reason]:
    """22.41F: what was found is shown, and nobody decides anything."""
    yield from ()


ABOUT: Mapping[str, Callable[[State, str], Iterator[Reason]]] = {
    "A": _about_groups,
    "B": _about_bases,
    "C": about_patrol,
    "D": _about_cover,
    "E": _about_search,
    "F": _nothing,
    "G": _about_strikes,
    "H": _about_fleets,
    "I": _about_submarines,
    "W": _about_withdrawal,
    "End": _about_orders,
}
