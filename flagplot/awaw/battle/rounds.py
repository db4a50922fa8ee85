"""Rounds of naval combat (22.41): the segments of a round in the order of the book.

Each segment is a short script here; what it does stands in the module of its rules: groups, air plan, counterair,
search, strikes, resolution, decks, engagements, gunnery, submarines, withdrawal, aftermath.
"""

from __future__ import annotations

from flagplot.awaw.battle.aftermath import announce, settle
from flagplot.awaw.battle.air_plan import (
    assign_cover,
    break_down_army_air,
    fly_patrol,
    muster,
    open_round,
    remember_aborts,
)
from flagplot.awaw.battle.counterair import bases_in_range
from flagplot.awaw.battle.decks import land
from flagplot.awaw.battle.groups import form_groups
from flagplot.awaw.battle.raiders import deem_found, one_group_each, raid_transports
from flagplot.awaw.battle.search import reveal_found, search, send_searchers
from flagplot.awaw.battle.strikes import launch, open_targets, roll_surprise, striking_order, surprising_side
from flagplot.awaw.battle.withdrawal import is_over, mark_round, withdraw
from flagplot.awaw.battle.withholding import keep_aboard, withhold
from flagplot.awaw.counterair import end_of_turn, invert_aborted, offer_to_leave
from flagplot.awaw.operations.bases.escape import alarmed
from flagplot.awaw.operations.passage.naval_air import invert_used
from flagplot.awaw.procedures import air_strikes, base_attacks, fleet_combat, naval_battle, strike, submarine_attacks
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Headline, Note, Script
from flagplot.kernel.rules import rule

# --- A: combat groups -------------------------------------------------------------------------------------------


@naval_battle.segment("22.41A", "Each side secretly forms its combat groups")
@rule("22.41", "22.41A", "22.31", "22.32", "SOP-NC-I.A", "SOP-NC-DAGGER")
def combat_groups(state: State) -> Script[Next]:
    """22.41A: each player secretly forms and numbers his combat groups, the moving side first: the other learns only
    which numbers are in use. Raiders have one group each (22.35)."""
    yield Note(("Round {} of naval combat", state.battle.round), "22.41", headline=_NEW_ROUND)
    if state.scene.raiders:
        for side in state.sides:
            one_group_each(state, side)
        yield Note("Raider combat: one group per side, both found; no attacks on bases", "22.35")
        return None
    for side in state.sides:
        yield from form_groups(state, side)
    if state.scene.withholder:
        yield from withhold(state, state.scene.withholder)
    return None


_NEW_ROUND = Headline("round")

# --- B: attacks against enemy air bases -------------------------------------------------------------------------


@naval_battle.segment("22.41B", "Each side secretly allocates combat air patrol")
@rule("22.41B.1", "22.431", "22.431A", "23.32", "SOP-NC-DAGGER")
def combat_air_patrol(state: State) -> Script[Next]:
    """22.41B: each player secretly puts carrier squadrons on patrol. Raiders do not attack bases (22.35)."""
    open_round(state)
    mark_round(state)
    for side in state.sides:
        if state.setting.options.patrol_chosen == "before-counterair":
            yield from fly_patrol(state, side)
        if side == state.scene.withholder:
            keep_aboard(state)
        muster(state, side)
    return allocation if state.scene.raiders else None


@naval_battle.segment("22.432", "The moving side attacks bases")
@rule("22.31A", "22.431B", "22.432", "SOP-NC-I.B")
def moving_sorties(state: State) -> Next:
    """22.432: each player attacks enemy air bases with squadrons that are not on patrol; the moving side first."""
    return _sorties(state, state.scene.attacker)


@naval_battle.segment("22.432", "The intercepting side attacks bases")
@rule("22.432", "SOP-NC-I.B")
def intercepting_sorties(state: State) -> Next:
    """22.432: then the intercepting side."""
    return _sorties(state, state.scene.defender)


def _sorties(state: State, side: str) -> Next:
    return Call(base_attacks, (side,)) if bases_in_range(state, side) else None


# --- C: allocation of carrier air -------------------------------------------------------------------------------


@naval_battle.segment("22.41C", "Carrier air that is not on patrol stands by for strikes")
@rule("22.41C.1", "22.441", "23.64", "23.35A", "SOP-NC-I.C", "SOP-NC-I.C.1")
def allocation(state: State) -> Next:
    """22.41C: carrier squadrons that are not on patrol and were neither eliminated nor aborted may strike; there is
    nothing to decide, unless by the other reading patrol is chosen only now (23.64)."""
    return late_patrol if state.setting.options.patrol_chosen == "after-counterair" else _after_allocation(state)


def _after_allocation(state: State) -> Next:
    """22.35: in raider combat both are found at once; nobody covers, nobody searches."""
    if not state.scene.raiders:
        return air_cover
    deem_found(state)
    return first_strikes


@naval_battle.segment("23.64", "Combat air patrol is assigned now, if that reading is in use")
@rule("23.64", "23.35A")
def late_patrol(state: State) -> Script[Next]:
    """23.64: read so, counterair comes first and patrol is flown by squadrons that have not been used."""
    for side in state.sides:
        yield from fly_patrol(state, side)
    return _after_allocation(state)


# --- D: air cover -----------------------------------------------------------------------------------------------


@naval_battle.segment("22.41D", "Each side assigns air cover, to which groups in secret")
@rule("22.41D.1", "23.24A", "SOP-NC-I.D", "22.343", "SOP-NC-STAR")
def air_cover(state: State) -> Script[Next]:
    """22.41D: army air breaks down into squadrons; land-based air is assigned to cover, each to one group in secret."""
    for side in state.sides:
        break_down_army_air(state, side)
    for side in state.sides:
        yield from assign_cover(state, side)
    return None


# --- E and F: search --------------------------------------------------------------------------------------------


@naval_battle.segment("22.4422", "Both sides send out squadrons to search")
@rule("22.4422A", "SOP-NC-I.E")
def search_squadrons(state: State) -> Script[Next]:
    """22.4422: both sides decide who searches before either has searched."""
    for side in state.sides:
        yield from send_searchers(state, side)
    return None


@naval_battle.segment("22.41E", "Both sides search")
@rule("22.41E", "22.451", "SOP-NC-I.E", "SOP-NC-I.E.1")
def searches(state: State) -> Script[Next]:
    """22.41E: each player rolls his search dice."""
    for side in state.sides:
        yield from search(state, side)
    return None


@naval_battle.segment("22.41F", "Found groups are revealed in part")
@rule("22.41F", "22.452B", "SOP-NC-I.F")
def reveal(state: State) -> Script[Next]:
    """22.41F: the owners tell what they must of groups that were found."""
    for side in state.sides:
        yield from reveal_found(state, side)
    return None


# --- G: air strikes ---------------------------------------------------------------------------------------------


@naval_battle.segment("22.461A", "A side that may makes one surprise strike")
@rule("22.41G", "22.41G.1", "22.461", "22.461A", "22.462D", "23.7411", "23.7412", "SOP-NC-I.G.1")
def surprise_strike(state: State) -> Script[Next]:
    """22.461A: a side that found something and was not found itself may begin with one surprise strike."""
    side = surprising_side(state)
    if side is None or not (yield from launch(state, side, surprise=True)):
        return None
    yield from roll_surprise(state)
    return Call(strike)


@naval_battle.segment("22.461B", "The side with more search results strikes")
@rule("22.41G.2", "22.461", "22.461B", "SOP-NC-I.G.2.a", "22.35C")
def first_strikes(state: State) -> Next:
    """22.461B: the side with more search results flies all its strikes. So do raiders, before fleets meet (22.35C)."""
    return _strikes(state, striking_order(state)[0])


@naval_battle.segment("22.461B", "Then the other side strikes")
@rule("22.41G.2", "22.461", "22.461B", "SOP-NC-I.G.2.a")
def second_strikes(state: State) -> Next:
    """22.461B: its opponent then flies his."""
    return _strikes(state, striking_order(state)[1])


def _strikes(state: State, side: str) -> Next:
    return Call(air_strikes, (side,)) if open_targets(state, side) else None


@naval_battle.segment("22.463", "The air units land")
@rule("22.463", "22.463A", "SOP-NC-I.G.3")
def landing(state: State) -> Script[Next]:
    """22.463: once all strikes are resolved air units return, before fleet combat."""
    for side in state.sides:
        yield from land(state, side)
    return None


# --- H and I: fleet combat and submarines -----------------------------------------------------------------------


@naval_battle.segment("22.41H", "Fleet combat")
@rule("22.41H", "22.51", "22.31C", "22.32")
def fleets(state: State) -> Next:
    """22.51: fleet combat comes after all air strikes."""
    return Call(fleet_combat, then=raid if state.scene.raiders else submarines)


@naval_battle.segment("22.35E", "Raiders attack transports")
@rule("22.35", "22.35E")
def raid(state: State) -> Script[Next]:
    """22.35: raiders that did not fight may find transports without protection; then the battle is over."""
    yield from raid_transports(state)
    return withdrawal


@naval_battle.segment("22.41I", "Submarines attack")
@rule("22.41I", "22.31D", "22.54H", "22.54H.1", "22.921", "SOP-NC-I.J")
def submarines(state: State) -> Next:
    """22.921: submarines attack after air strikes and fleet combat."""
    return Call(submarine_attacks) if state.battle.submarines else None


# --- between rounds ---------------------------------------------------------------------------------------------


@naval_battle.segment("22.411A", "Each side may withdraw")
@rule("22.411A", "22.54H.2", "SOP-NC-I.K")
def withdrawal(state: State) -> Script[Next]:
    """22.411A: both sides say which of their ships leave, if any."""
    return withdraw(state)


@naval_battle.segment("22.411B", "The end of the round")
@rule("22.411B", "22.311", "22.73", "SOP-NC-II")
def close_round(state: State) -> Script[Next]:
    """22.411B, 22.73: another round, unless the battle is over. What was found has to be found again (22.451)."""
    over = yield from is_over(state)
    if over:
        yield announce(state)
    remember_aborts(state)
    state.battle.end_round()
    return end_battle if over else None


@naval_battle.segment("23.46C", "Air units within range of a patrol that fights in its hex may leave their bases")
@rule("23.46C", "23.461A")
def leave_bases(state: State) -> Script[Next]:
    """23.46C: after a round of naval combat against a patrol in its patrol hex air units in bases within range of it
    may leave. Then the next round begins."""
    yield from offer_to_leave(state, alarmed(state))
    state.battle.phase += 1
    return combat_groups


@naval_battle.segment("22.8", "The end of the battle")
@rule("22.435", "22.8")
def end_battle(state: State) -> Script[Next]:
    """22.8: what the battle has decided; 22.435: its last counterair says which land-based air stays inverted."""
    for site in state.sites.values():
        site.aborted, site.shaken = site.shaken, {}
        if site.aborted:
            invert_aborted(site)
    if state.setting.ends_turn:
        yield from end_player_turn(state)
    yield from settle(state)
    return END


@rule("23.164", "23.141C")
def end_player_turn(state: State) -> Script[None]:
    """23.164: nothing follows a battle by itself, so its player turn ends as that of an operation does: air that was
    used at sea is inverted, and then squadrons are put together (23.141C)."""
    used = any([site.used for site in state.sites.values()])
    invert_used(state)
    if used:
        yield Note("Air used at sea is inverted", "23.164")
    yield from end_of_turn(state)
