"""Rules of engagement (22.52): which combat groups meet in fleet combat. Segment H of a round.

How a distant group evades stands in `flagplot.awaw.battle.evasion`, how a fleet combat is fought in
`flagplot.awaw.battle.gunnery`.
"""

from __future__ import annotations

from collections.abc import Sequence

from flagplot.awaw.battle.evasion import can_be_fast, damaged_ships, evades, shed
from flagplot.awaw.battle.groups import is_active, is_slow_group, key_of, label
from flagplot.awaw.battle.search import count_attack, open_to_fleets
from flagplot.awaw.battle.strikes import striking_order
from flagplot.awaw.procedures import engagement, fleet_combat
from flagplot.awaw.ships import Ships
from flagplot.awaw.state.battle import Engagement, Group
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words

NOBODY = "none"


# --- A and B: pairing off ---------------------------------------------------------------------------------------


@rule("22.521A", "22.521B", "SOP-NC-I.H.1")
def paired(ours: Sequence[int], theirs: Sequence[int]) -> list[tuple[int, int]]:
    """22.521A, B: equal numbers pair off; then the others from the lowest up, until a side has none left."""
    equal = [(number, number) for number in sorted(ours) if number in theirs]
    rest = sorted([number for number in ours if number not in theirs])
    others = sorted([number for number in theirs if number not in ours])
    return equal + list(zip(rest, others, strict=False))


@fleet_combat.segment("22.521A", "Active groups pair off")
@rule("22.52", "22.521", "22.521A", "22.521B", "22.425D.1.2", "22.425D.2.2", "SOP-NC-I.H.1")
def pair_off(state: State) -> Script[Next]:
    """22.521A, B: the active groups of both sides pair off, without a choice; distant ones do not."""
    battle = state.battle
    now = battle.round
    active = [[group for group in battle.present(side) if is_active(group, now)] for side in state.sides]
    for one, other in _couples(*active):
        battle.engagements.append(Engagement(key_of(state, one), key_of(state, other)))
        yield Note(("{} meets {}", label(state, one), label(state, other)), "22.521")
    return None


def _couples(ours: Sequence[Group], theirs: Sequence[Group]) -> list[tuple[Group, Group]]:
    if not ours or not theirs:
        return []
    mine, enemy = {group.number: group for group in ours}, {group.number: group for group in theirs}
    return [(mine[one], enemy[other]) for one, other in paired([*mine], [*enemy])]


# --- C and E: the engagements -----------------------------------------------------------------------------------


@fleet_combat.segment("22.521C", "The paired groups fight")
@rule("22.521C", "22.521", "22.35D", "SOP-NC-DAGGER")
def first_engagements(state: State) -> Script[Next]:
    """22.521C: fleet combat is resolved for each pair; for raiders that is all there is (22.35D)."""
    under_way = yield from _next_engagement(state)
    if under_way:
        return Call(engagement, then=first_engagements)
    return END if state.scene.raiders else None


@rule("22.521C", "22.521E", "22.522A")
def _next_engagement(state: State) -> Script[bool]:
    """22.521: the next of the engagements that are agreed on begins, unless one of its groups has been sunk since."""
    battle = state.battle
    while battle.engagements:
        agreed = battle.engagements.pop(0)
        one, other = battle.groups[agreed.moving], battle.groups[agreed.intercepting]
        if not (one.ships and other.ships):
            gone = other if one.ships else one
            yield Note(("No fleet combat: {} is already sunk", label(state, gone)), "22.521")
            continue
        for group in (one, other):
            group.this_round.attacked = group.this_round.fought = group.used = True
        battle.engagement = agreed
        yield Note(("Fleet combat: {} against {}", label(state, one), label(state, other)), "22.521")
        return True
    return False


# --- D: free groups seek more -----------------------------------------------------------------------------------


@rule("22.521D", "22.425D.1.2")
def free_groups(state: State, side: str) -> list[Group]:
    """22.521D: the active groups of a side that were not paired, or whose opponent was sunk to the last ship."""
    battle = state.battle
    now = battle.round
    able = [group for group in battle.present(side) if is_active(group, now)]
    if not any([group.this_round.fought for group in able]):
        return able
    victors = _victors(state) if any([not group.ships for group in battle.groups.values()]) else []
    return [group for group in able if kept_from_seeking(group, now, won=id(group) in victors) is None]


def _victors(state: State) -> list[int]:
    """The groups whose opponents were sunk to the last ship, by their identities."""
    fought = [[group for group in state.battle.numbered(one) if group.this_round.fought] for one in state.sides]
    couples = _couples(*fought)
    return [id(group) for couple in couples for group, enemy in (couple, couple[::-1]) if not enemy.ships]


def kept_from_seeking(group: Group, combat_round: int, *, won: bool = False) -> Refusal | None:
    """22.521D: why a group seeks no more battle in this round."""
    if not is_active(group, combat_round):
        return Refusal(("distant until round {}: only active groups seek battle", group.number), "22.521D")
    return HAS_FOUGHT if group.this_round.fought and not won else None


HAS_FOUGHT = Refusal("has fought in this round, and its opponent is still afloat", "22.521D")


@rule("22.452C.2", "22.522A", "22.522B", "22.523E.2", "22.425D.2.2", "SOP-NC-I.F.2.a")
def open_groups(state: State, side: str) -> list[Group]:
    """22.522: the enemy's active groups, as often as one likes, and his distant ones with search results left that have
    not evaded in this round."""
    now, enemy = state.battle.round, state.battle.present(state.other(side))
    return [group for group in enemy if kept_from_fleets(group, now) is None]


def kept_from_fleets(group: Group, combat_round: int) -> Refusal | None:
    """22.522, 22.523E: why a group cannot be brought to fleet combat."""
    if not open_to_fleets(group, combat_round):
        return OUT_OF_SIGHT
    return EVADED if group.this_round.evaded else None


OUT_OF_SIGHT = Refusal("distant, and there is no search result left by which to reach it", "22.522B")
EVADED = Refusal("has evaded fleet combat in this round", "22.523E")


@rule("22.521D.1", "22.521D.2", "22.52", "22.524A")
def in_reach(state: State, seeker: Group) -> list[Group]:
    """22.521D: any free group may engage active groups; only a fast one distant groups, if need be without its damaged
    ships."""
    able = [group for group in open_groups(state, seeker.side) if not _agreed(state, seeker, group)]
    return able if can_be_fast(seeker) else [group for group in able if is_active(group, state.battle.round)]


def _agreed(state: State, one: Group, other: Group) -> bool:
    """Whether these two are to meet already: they do so once, though each has sought the other."""
    if not state.battle.engagements:
        return False
    keys = {key_of(state, one), key_of(state, other)}
    return any([{agreed.moving, agreed.intercepting} == keys for agreed in state.battle.engagements])


@fleet_combat.segment("22.521D", "Free groups of the side with more search results seek battle")
@rule("22.521D", "22.521")
def first_seekers(state: State) -> Script[Next]:
    """22.521D: the order of the sides is that of air strikes (`docs/rulings.md`)."""
    yield from _seek(state, striking_order(state)[0])
    return None


@fleet_combat.segment("22.521D", "Then those of the other side")
@rule("22.521D", "22.521")
def second_seekers(state: State) -> Script[Next]:
    """22.521D: then the other side, which has seen what the first seeks."""
    yield from _seek(state, striking_order(state)[1])
    return None


@rule("22.521D", "22.522B", "22.523E.2")
def _seek(state: State, side: str) -> Script[None]:
    """22.521D: each free group may engage once more. If its target evades it may choose another; the search result is
    spent all the same."""
    battle = state.battle
    for seeker in free_groups(state, side):
        while open_groups(state, side):
            target = yield from _chosen(state, seeker)
            if target is None:
                break
            count_attack(target, battle.round, by_air=False)
            if not (yield from evades(state, target, seeker)):
                battle.engagements.append(_sought(state, seeker, target))
                break


@rule("22.521D", "22.524A", "SOP-NC-I.H.1")
def _chosen(state: State, seeker: Group) -> Script[Group | None]:
    """22.521D: whom a free group engages, chosen in secret, since the choice hangs on its speed; then it is told."""
    words = ("{}: choosing whether {} seeks battle", state.name(seeker.side), label(state, seeker))
    target = yield from secretly(seeker.side, words, _choose(state, seeker), "22.521")
    if target is None:
        yield disclosed(("{} seeks no battle", label(state, seeker)), "22.521", seeker.side)
    else:
        yield disclosed(("{} seeks battle with {}", label(state, seeker), label(state, target)), "22.521", seeker.side)
    return target


def _choose(state: State, seeker: Group) -> Script[Group | None]:
    targets = {str(group.number): group for group in in_reach(state, seeker)}
    labels = {number: _label(state, seeker, group) for number, group in targets.items()} | {NOBODY: "Seek no battle"}
    question = ("Choose an enemy group for {}", seeker.name)
    verb = ("seek", str(seeker.number))
    chosen: str = yield Choose(seeker.side, verb, [*targets, NOBODY], question, labels, "22.521", always=True)
    target = targets.get(chosen)
    if target is not None and not is_active(target, state.battle.round):
        yield from shed(state, seeker)
    return target


def _label(state: State, seeker: Group, group: Group) -> Words:
    """An enemy group as its seeker knows it, and what it costs to reach it."""
    battle = state.battle
    words: Words = (
        "Engage CG {} (active)" if is_active(group, battle.round) else "Engage CG {} (distant)",
        group.number,
    )
    if group.facts and not group.revealed:
        words = ("{}: {}", words, group.facts)
    if is_slow_group(seeker) and not is_active(group, battle.round):
        words = ("{}; leave {} behind", words, Ships(damaged_ships(seeker).items()))
    return words


def _sought(state: State, seeker: Group, target: Group) -> Engagement:
    one, other = (seeker, target) if seeker.side == state.sides[0] else (target, seeker)
    return Engagement(key_of(state, one), key_of(state, other), seeker.side)


@fleet_combat.segment("22.521E", "The groups that were sought fight")
@rule("22.521E", "22.521")
def last_engagements(state: State) -> Script[Next]:
    """22.521E: fleet combat is resolved for these engagements; there is no third turn."""
    under_way = yield from _next_engagement(state)
    return Call(engagement, then=last_engagements) if under_way else END
