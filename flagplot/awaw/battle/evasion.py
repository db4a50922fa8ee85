"""Evading fleet combat (22.523), and damaged ships that are left behind for the sake of speed (22.524)."""

from __future__ import annotations

from flagplot.awaw.air_units import Force, Lost, add, take
from flagplot.awaw.battle.decks import by_nation, damaged_decks
from flagplot.awaw.battle.groups import MOST_GROUPS, are_slow, has_cargo, is_active, is_slow_group, label
from flagplot.awaw.battle.picking import pick
from flagplot.awaw.counting import merged
from flagplot.awaw.ships import Fleet, Ships
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words

FIGHT, EVADE = "fight", "evade"


# --- speed ------------------------------------------------------------------------------------------------------


def damaged_ships(group: Group) -> Fleet:
    return {which: number for which, number in group.ships.items() if which.damaged}


@rule("22.524", "22.524C", "SOP-NC-I.H.1.a.i")
def can_be_fast(group: Group) -> bool:
    """22.524: whether a group is fast, or would be if its damaged ships left it; others may not leave (22.524C)."""
    if not is_slow_group(group):
        return True
    sound = {which: number for which, number in group.ships.items() if not which.damaged}
    return bool(sound) and not are_slow(sound, group.activity)


@rule("22.524A", "22.524", "22.524C", "SOP-NC-I.H.1.a.i")
def shed(state: State, group: Group) -> Script[None]:
    """22.524A: a slow group that would seek a distant one parts with its damaged ships, all of them, since one would
    slow it. They leave the battle with the end of the round, and so do the squadrons that they carry."""
    if not is_slow_group(group):
        return
    gone = damaged_ships(group)
    _part(group, gone)
    group.shed = merged(group.shed, gone)
    words = ("{}: {} left behind; leaving the battle this round", label(state, group), Ships(gone.items()))
    yield Note(words, "22.524", side="" if group.revealed else group.side)


def _part(group: Group, gone: Fleet) -> None:
    for which, number in gone.items():
        take(group.ships, which, number)


# --- evading ----------------------------------------------------------------------------------------------------


@rule("22.523C", "22.523E.1", "22.424", "SOP-NC-I.H.1.a")
def next_number(state: State, group: Group) -> int:
    """22.523: the next higher number that no group of its side has, or 0 if there is none; those of groups that are
    gone are free."""
    used = [other.number for other in state.battle.present(group.side)]
    return next((number for number in range(group.number, MOST_GROUPS + 1) if number not in used), 0)


@rule("22.523A", "22.523B", "22.523C", "SOP-NC-I.H.1.a")
def kept_from_evading(state: State, group: Group) -> Refusal | None:
    """22.523: a distant group may evade if it is fast, or becomes so by abandoning damaged ships (22.524B), and if a
    higher number is free."""
    if is_active(group, state.battle.round):
        return Refusal("active: only distant groups evade", "22.523A")
    if not next_number(state, group):
        return Refusal("no higher number is free to evade to", "22.523C")
    return None if can_be_fast(group) else Refusal("slow: only fast groups evade", "22.523B")


@rule("22.523A", "22.523B", "22.523C")
def must_fight(state: State, group: Group) -> bool:
    """22.523: whether all the world knows that a group cannot evade: it is active, or there is no higher number, or it
    has cargo, or it was seen to have a slow ship that is not damaged.

    A group that was only told to be slow may be so for its damaged ships alone, and the enemy does not know.
    """
    if is_active(group, state.battle.round) or not next_number(state, group):
        return True
    if group.revealed:
        return has_cargo(group) or any([which.slow and not which.damaged for which in group.ships])
    return group.facts is not None and group.facts.cargo


@rule("22.523", "22.523D", "SOP-NC-I.H.1.a")
def evades(state: State, group: Group, seeker: Group) -> Script[bool]:
    """22.523D: the seeker shows its ships; then the owner of the distant group decides in secret whether it evades.

    Nothing is shown and nobody is asked where everybody knows that it must fight.
    """
    if must_fight(state, group):
        return False
    seeker.revealed = True
    yield disclosed(("{} revealed: {}", label(state, seeker), Ships(seeker.ships.items())), "22.523", seeker.side)
    words = ("{}: choosing whether {} evades", state.name(group.side), label(state, group))
    lost = yield from secretly(group.side, words, _decide(state, group), "22.523")
    if lost is None:
        yield disclosed(("{} stands and fights", label(state, group)), "22.523", group.side)
        return False
    yield from _evade(state, group, lost)
    return True


def _decide(state: State, group: Group) -> Script[Force | None]:
    """Nothing if the group fights; else the squadrons that are lost with the ships that it abandons."""
    if kept_from_evading(state, group):
        return None
    labels: dict[str, Words] = {FIGHT: "Fight", EVADE: ("Evade and become CG {}", next_number(state, group))}
    slow = is_slow_group(group)
    if slow:
        labels[EVADE] = ("{}, abandoning {}", labels[EVADE], Ships(damaged_ships(group).items()))
    question = ("Evade fleet combat with {}?", group.name)
    verb = ("meet", str(group.number))
    chosen: str = yield Choose(group.side, verb, (FIGHT, EVADE), question, labels, "22.523")
    if chosen == FIGHT:
        return None
    return (yield from _aboard(state, group)) if slow else {}


@rule("17.3124.2", "22.524B")
def _aboard(state: State, group: Group) -> Script[Force]:
    """17.3124: the squadrons aboard the damaged carriers of a group: those for whom its side has no other damaged
    carriers."""
    carried, side = state.at_sea(group.side).grounded, group.side
    room = damaged_decks([other for other in state.battle.numbered(side) if other is not group])
    aboard: Force = {}
    for country, squadrons in by_nation(carried).items():
        surplus = sum(squadrons.values()) - room[country]
        asked = (
            "Carriers abandoned. How many of {} were aboard?",
            "Carriers abandoned. Was {} aboard?",
            "No",
            "Aboard",
        )
        aboard |= yield from pick(side, "aboard", squadrons, surplus, asked, "22.524")
    return aboard


@rule("22.523E.1", "22.523E.2", "22.424", "22.524B")
def _evade(state: State, group: Group, lost: Force) -> Script[None]:
    """22.523E: the group takes its new number and is safe from fleets for this round; what it was found by stays with
    it. A slow group abandons its damaged ships, which are eliminated with their squadrons (22.524B)."""
    before = label(state, group)
    if is_slow_group(group):
        gone = damaged_ships(group)
        _part(group, gone)
        for which, number in gone.items():
            add(state.losses.ships, which.bearing(0), number)
        yield disclosed(("{} abandons {}", before, Ships(gone.items())), "22.524", group.side)
    if lost:
        site = state.at_sea(group.side)
        for squadron, number in lost.items():
            take(site.grounded, squadron, number)
        state.lose(lost)
        words = ("{}: {} lost with the carriers", state.name(group.side), Lost(lost.items()))
        yield disclosed(words, "22.524", group.side)
    group.number, group.this_round.evaded = next_number(state, group), True
    yield disclosed(("{} evades and becomes CG {}", before, group.number), "22.523", group.side)
