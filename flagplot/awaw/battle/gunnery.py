"""One fleet combat (22.53-22.56): its segments in the order of the book.

Who stands where is in `screening`, who fires at whom in `targets`, the dice and the hits in `fire`. In each step at
most one side has surplus ships, and at most one can fire at screened ones, so nobody waits to see what the other does.
"""

from __future__ import annotations

from flagplot.awaw.battle.cargo import settle_cargo
from flagplot.awaw.battle.decks import in_secret, settle_aboard
from flagplot.awaw.battle.fire import resolve
from flagplot.awaw.battle.groups import label, subject_of
from flagplot.awaw.battle.screening import (
    capital_line,
    capital_ships,
    group_of,
    joined,
    light_ships,
    line_of,
    reveal_ships,
    screen,
    screen_damaged_cruisers,
)
from flagplot.awaw.battle.targets import (
    aim_at_screened,
    aim_light_at_screened,
    aim_light_surplus,
    aim_surplus,
    answer,
    fire_at,
    held_back,
    hold_fire,
    is_bare,
    rank,
    ranked,
    surplus_factors,
    unengaged,
)
from flagplot.awaw.procedures import engagement
from flagplot.awaw.state.battle import LIGHT_SHIPS, Group, Volley
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.requests import Headline, Note, Script
from flagplot.kernel.rules import rule


@engagement.segment("22.531", "Both sides screen ships in secret; then all ships are shown")
@rule("22.53", "22.531", "22.531C.2", "22.54", "SOP-NC-I.H.2")
def screening(state: State) -> Script[Next]:
    """22.531: each side screens ships before either has shown what it has, the moving side first."""
    for side in state.sides:
        yield from screen(state, side)
    yield from reveal_ships(state)
    return None


# --- capital ships ----------------------------------------------------------------------------------------------


@engagement.segment("22.54A", "Capital ships are ranked and pair off")
@rule("22.54A", "22.54A.2", "22.54A.3", "SOP-NC-I.H.3", "SOP-NC-I.H.4")
def capital_pairs(state: State) -> Script[Next]:
    """22.54A: the opposing capital ships pair off one to one by rank, and fire at each other."""
    moving, intercepting = state.sides
    lines = [capital_line(state, side) for side in state.sides]
    places = min(map(len, lines))
    if not places:
        return None
    ours = yield from ranked(moving, lines[0], places)
    theirs = yield from ranked(intercepting, lines[1], places)
    for one, other in zip(ours, theirs, strict=True):
        joined(state).volleys.append(Volley(moving, other.id, {one: 1}))
        joined(state).volleys.append(Volley(intercepting, one.id, {other: 1}))
        yield Note(("{} meets {}", one.name, other.name), "22.54A")
    return None


@engagement.segment("22.54B", "Surplus capital ships choose targets")
@rule("22.54A.3", "22.54B", "SOP-NC-I.H.5")
def capital_surplus(state: State) -> Script[Next]:
    """22.54B: those that are not paired choose, the first in rank first."""
    paired = {which for volley in joined(state).volleys for which in volley.ships}
    for side in state.sides:
        surplus = [which for which in capital_line(state, side) if which not in paired]
        for which in sorted(surplus, key=rank):
            yield from aim_surplus(state, side, which)
    return None


@engagement.segment("22.54C.1", "Capital ships under fire from several choose among them")
@rule("22.54C.1")
def capital_answers(state: State) -> Script[Next]:
    """22.54C: who is fired at by one fires at that one; who is fired at by more chooses."""
    volleys = joined(state).volleys
    under_fire = {volley.target: [*volley.ships] for volley in volleys}
    for volley in volleys:
        for which in volley.ships:
            attackers = under_fire.get(which.id, [])
            if len(attackers) > 1:
                yield from answer(volley, attackers)
    return None


@engagement.segment("22.54C", "Capital ships fire")
@rule("22.54C", "22.54C.3", "22.54C.4", "SOP-NC-I.H.6", "SOP-NC-I.H.6.b", "SOP-NC-I.H.6.c", "SOP-NC-I.H.6.d")
def capital_fire(state: State) -> Script[Next]:
    """22.54C: capital ships fire at the same time; sunk ships are gone, and damaged cruisers are screened."""
    fight = joined(state)
    if not fight.volleys:
        return None  # nobody was fired at, so nobody leaves the line
    yield from resolve(state, fight.volleys)
    fight.volleys = []
    for side in state.sides:
        screen_damaged_cruisers(state, side)
    return None


# --- light ships ------------------------------------------------------------------------------------------------


@engagement.segment("22.54D", "Light ships pair off, and surplus ones choose targets")
@rule("22.54D", "22.54D.1", "22.54D.2", "22.54E", "SOP-NC-I.H.7", "SOP-NC-I.H.7.b")
def light_pairs(state: State) -> Script[Next]:
    """22.54D, E: light ships fire at light ships; of a side with more than three times the factors of the other some
    may do something else."""
    fight = joined(state)
    fleets = {side: light_ships(line_of(state, side)) for side in state.sides}
    for side in state.sides:
        left, theirs = dict(fleets[side]), fleets[state.other(side)]
        yield from aim_light_surplus(state, side, left, surplus_factors(left, theirs))
        for which, number in left.items():
            if theirs:
                fire_at(fight.volleys, side, LIGHT_SHIPS, which, number)
            else:
                hold_fire(state, side, which, number)
    return None


@engagement.segment("22.54F", "Light ships fire")
@rule("22.54F", "SOP-NC-I.H.8")
def light_fire(state: State) -> Script[Next]:
    """22.54F: light ships fire at the same time. Cruisers that they damage stay in the line."""
    fight = joined(state)
    yield from resolve(state, fight.volleys)
    fight.volleys = []
    return None


# --- screened ships ---------------------------------------------------------------------------------------------


@engagement.segment("22.54G", "Capital ships that held their fire fire at screened ships")
@rule("22.54G", "22.54G.3", "22.54G.4", "22.531C.3.1", "SOP-NC-I.H.10", "SOP-NC-I.H.10.a")
def capital_fire_on_screened(state: State) -> Script[Next]:
    """22.54G: capital ships first; who is screened does not fire back."""
    for side in state.sides:
        held = held_back(state, side)
        if held and not is_bare(state, state.other(side)):
            yield Note(("{}: no target for the ships that held fire", state.name(side)), "22.54G")
        elif ships := capital_ships(held):
            volleys = yield from aim_at_screened(state, side, sorted(ships, key=rank))
            yield from resolve(state, volleys, screened=True)
    return None


@engagement.segment("22.54G", "Light ships that held their fire fire at screened ships")
@rule("22.54G.3", "22.54G.4", "SOP-NC-I.H.10", "SOP-NC-I.H.10.b")
def light_fire_on_screened(state: State) -> Script[Next]:
    """22.54G: light ships choose when they have seen what capital ships did, and fire after them."""
    for side in state.sides:
        ships = light_ships(held_back(state, side))
        if ships and is_bare(state, state.other(side)):
            volleys = yield from aim_light_at_screened(state, side, ships)
            yield from resolve(state, volleys, screened=True)
    return None


@rule("22.35E")
def _are_lamed(state: State, group: Group) -> bool:
    """22.35E: whether ships that engaged raiders are only damaged: cruisers that capital fire has put behind the line
    do not shield screened ships, but they are not sunk."""
    return group.side in joined(state).lamed and any([which.light and which.damaged for which in group.ships])


@engagement.segment("22.56", "The end of the fleet combat")
@rule("22.56", "22.82A", "17.3124", "22.35E")
def end(state: State) -> Script[Next]:
    """22.56: groups without ships are destroyed; laden ships that were sunk took cargo down with them (22.82), and
    carriers that were hit perhaps squadrons (17.3124). Raiders may now be free to attack transports (22.35E)."""
    battle = state.battle
    fight = joined(state)
    groups = [group_of(state, side) for side in state.sides]
    if state.scene.raiders:
        groups[0].idle = unengaged(state, state.scene.attacker)
        state.elsewhere.exposed = not line_of(state, state.scene.defender) and not _are_lamed(state, groups[1])
    battle.engagement = None
    for group in groups:
        if not group.ships:
            yield Note(("{} destroyed", label(state, group)), "22.56", headline=Headline("sunk", (subject_of(group),)))
        yield from settle_cargo(state, group)
    if fight.stricken:
        yield from in_secret(state, fight.stricken, settle_aboard(state, fight.stricken))
    return END
