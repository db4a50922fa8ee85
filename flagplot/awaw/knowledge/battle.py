"""What a side knows of a naval battle.

Known are the numbers of the enemy's combat groups, what search told of them, the ships of those that were seen, what
they did, and squadrons that are in sight. How the rest is drawn stands in `battle_ships` and `battle_draw`.

Only what the chart shows counts as known: not yet what the log alone tells, such as the squadrons that struck in
earlier rounds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from flagplot.awaw.air_units import Force, add, take
from flagplot.awaw.battle import submarines
from flagplot.awaw.battle.cargo import laden_factors
from flagplot.awaw.battle.groups import is_active
from flagplot.awaw.battle.rounds import combat_air_patrol, landing, late_patrol, searches
from flagplot.awaw.battle.stages import of_battle
from flagplot.awaw.battle.torpedoes import ready_carriers
from flagplot.awaw.counting import merged
from flagplot.awaw.knowledge.known import Knowledge, name_of
from flagplot.awaw.procedures import naval_battle
from flagplot.awaw.ships import undamaged_factors
from flagplot.awaw.state.air import Site
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import LEAST


class Moment(NamedTuple):
    """How far a battle has come, as everybody knows."""

    mustered: bool
    """22.41C: whether the carrier squadrons of a side stand together, and not in their groups."""
    patrols: bool
    """Whether combat air patrol is in the air."""
    searched: bool
    """Whether search dice were rolled in this round."""


def moment_of(state: State) -> Moment:
    frames = of_battle(state.frames)
    if not frames:
        return Moment(False, False, False)
    place, setting = naval_battle.segments[frames[0].segment].place, state.setting
    mustered = combat_air_patrol.place < place <= landing.place
    late = setting.options.patrol_chosen == "after-counterair"
    patrols = mustered and (not late or place > late_patrol.place)
    return Moment(mustered, patrols, place > searches.place and not state.scene.raiders)


# --- what is known ----------------------------------------------------------------------------------------------


def veil_battle(known: Knowledge, now: State, *, on_map: bool = False) -> None:
    """Take out of the state what the enemy keeps secret in a battle; `now` is the state in the segment that goes on. On
    a map everybody knows which forces wait, and unless even that is forgotten, which of them a group was that was seen
    or has left."""
    state, enemy = known.state, known.enemy
    theirs = {key: group for key, group in state.battle.groups.items() if group.side == enemy and not group.shipless}
    groups = sorted([group for group in theirs.values() if group.number], key=lambda group: group.number)
    hidden = [group for group in theirs.values() if not group.revealed]
    gone = list(state.battle.withdrawn(enemy).values())
    known.ready = _told_ready(state, now)
    known.unseen = tuple([group.number for group in groups if group.ships and not group.revealed])
    if not on_map:
        known.activities = tuple(sorted([group.activity for group in groups if group.number in known.unseen]))
    known.searching = _searching(state, groups) if moment_of(state).searched else None
    if any([group.formed for group in theirs.values()]):
        known.waiting = len(theirs) - len(groups)
    uncertain = [group for group in groups if group.ships and not group.this_round.uncovered]
    known.over = tuple([group.number for group in uncertain])
    for group in uncertain:
        known.cover = merged(known.cover, group.cover)
    known.elsewhere = _accounted_for(state, [*groups, *gone])
    _forget_damage(state, enemy, hidden, gone)
    told = on_map and not known.forgets_make_up
    numbers = known.unseen if told else tuple([group.number for group in groups])
    stay = {key: group for key, group in theirs.items() if on_map and group.number not in numbers}
    rename(state, {key: name_of(enemy, one.number) for key, one in theirs.items() if one.number and key not in stay})
    state.battle.groups = {key: group for key, group in state.battle.groups.items() if group not in theirs.values()}
    state.battle.groups |= {key: _kept(state, key, group) for key, group in stay.items()}
    for group in [group for group in groups if group.number in numbers]:
        state.battle.groups[name_of(enemy, group.number)] = _seen(state, name_of(enemy, group.number), group)
    if told:
        for group in gone:
            group.air, group.name = {}, f"CG {group.number}"
    else:
        state.battle.departed = {key: group for key, group in state.battle.departed.items() if group.side != enemy}
        state.battle.departed |= {
            f"{enemy} gone {place:02}": _seen(state, "", group) for place, group in enumerate(gone)
        }
    site = state.sites[at_sea(enemy)]
    state.sites[at_sea(enemy)] = Site(
        flown=site.flown,
        struck=site.struck,
        aborted=site.aborted,
        counteraired=site.counteraired,
        launched=site.launched,
    )
    state.battle.consequences = [
        one._replace(text=one.public) if one.side == enemy and one.public else one for one in state.battle.consequences
    ]


def bring_to_light(state: State, enemy: str, now: State) -> None:
    """Groups that were seen since, in the segment whose state is `now`, are known."""
    for key, group in state.battle.groups.items():
        group.revealed |= group.side == enemy and key in now.battle.groups and now.battle.groups[key].revealed


def _told_ready(state: State, now: State) -> dict[int, int]:
    """22.9413: a submarine that has found its group knows how many of its carriers are fully operational."""
    if not state.frames[-1].is_at(submarines.attack) or not state.battle.this_round.announced:
        return {}
    first = state.battle.this_round.announced[0]
    group, boats = now.battle.groups[first.target], state.battle.submarines[first.flotilla].factors
    if now.battle.submarines[first.flotilla].factors == boats:
        return {}  # it has not found it yet
    return {group.number: ready_carriers(group)}


def _searching(state: State, groups: list[Group]) -> int:
    """22.451D: the dice of groups of which nobody can tell whether they gave one. What was damaged since is in sight,
    so it is the number that everybody reckoned when the dice fell."""
    dice = 0
    for group in groups:
        if not is_active(group, state.battle.round):
            dice += group.ready
        elif not group.revealed:
            dice += undamaged_factors(group.ships) >= LEAST
    return dice


def _accounted_for(state: State, groups: list[Group]) -> tuple[str, ...]:
    seen = [fleet for group in groups if group.revealed for fleet in (group.ships, group.shed)]
    return tuple(sorted({which.id for fleet in (state.losses.ships, *seen) for which in fleet if which.named}))


def _forget_damage(state: State, enemy: str, hidden: list[Group], gone: list[Group]) -> None:
    """22.61A: ships that nobody has seen were damaged before the round, or not at all."""
    unseen = [group.ships for group in hidden] + [group.ships for group in gone if not group.revealed]
    for fleet in unseen:
        for which in [which for which in fleet if which in state.battle.this_round.damaged_before]:
            take(
                state.battle.this_round.damaged_before,
                which,
                min(fleet[which], state.battle.this_round.damaged_before[which]),
            )


def _in_sight(state: State, key: str, side: str) -> Force:
    """Combat air patrol that engages a strike."""
    patrol: Force = {}
    for flight in (state.battle.strike, *state.battle.dives):
        if flight is not None and flight.target == key:
            for which, number in flight.defenders.items():
                if which.home == at_sea(side):
                    add(patrol, which, number)
    return patrol


def _kept(state: State, key: str, group: Group) -> Group:
    """A group of which all is known but its air."""
    cover = group.cover if group.this_round.uncovered else {}
    patrol = _in_sight(state, key, group.side)
    return replace(
        group,
        name=f"CG {group.number}",
        air={},
        patrol=patrol,
        cover=cover,
        third=0,
        ready=False,
        withheld={},
        rested={},
    )


def _seen(state: State, key: str, group: Group) -> Group:
    """22.423B: what is open about an enemy group."""
    ships = group.ships if group.revealed else {}
    return Group(
        group.side,
        f"CG {group.number}",
        ships,
        formed=True,
        number=group.number,
        place=group.number,
        cargo="its cargo" if any(which.laden for which in ships) else "",
        carried=laden_factors(ships),
        activity=group.activity if group.revealed else "",
        patrol=_in_sight(state, key, group.side),
        cover=group.cover if group.this_round.uncovered else {},
        this_round=replace(group.this_round),
        facts=group.facts,
        revealed=group.revealed,
        used=group.used,
        shed=group.shed,
        idle=group.idle if group.revealed else {},
        since=group.since,
        left=group.left,
    )


def rename(state: State, names: dict[str, str]) -> None:
    """Groups get other names, wherever they are spoken of."""
    state.battle.groups = {names.get(key, key): group for key, group in state.battle.groups.items()}
    for flight in (state.battle.strike, *state.battle.dives, *state.battle.this_round.announced):
        if flight is not None:
            flight.target = names.get(flight.target, flight.target)
    agreed = [*state.battle.engagements, *([state.battle.engagement] if state.battle.engagement else [])]
    for one in agreed:
        one.moving = names.get(one.moving, one.moving)
        one.intercepting = names.get(one.intercepting, one.intercepting)
