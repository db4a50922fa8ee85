"""What follows from a naval battle, in words with their rule numbers (22.26, 22.62, 22.63, 22.8, 22.92)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flagplot.awaw.battle.homecoming import (
    BASE_CHANGES,
    COUNTER,
    SUPPORT,
    intercepts,
    is_defeated,
    name_of_base,
    origin_of,
    public_name,
    survivors,
)
from flagplot.awaw.ships import Fleet, Kind, Ship, described_ships, name_of
from flagplot.awaw.state.battle import GO_ON, ORIGIN, Consequence, Group, Submarines
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.nations import nation
from flagplot.kernel.rules import rule
from flagplot.kernel.words import listing

TRANSPORT = Kind.TRANSPORT  # at hand: a member of an enumeration takes long to look up


def consequences(state: State, side: str) -> list[Consequence]:
    """22.8: what follows for a side: for its groups one by one, its submarines, and all that returns."""
    if state.scene.raiders:
        text = "ships in an SW box follow rules of their own (25.36)"
        return [Consequence(side, "22.81A", f"{state.name(side)}: {text}")]
    found, returning = [], []
    for group in survivors(state, side).values():
        found += _told(state, group)
        if group.bound != GO_ON:
            returning.append(group)
    for flotilla in state.battle.submarines:
        if flotilla.side == side:
            for text in _of_submarines(state, flotilla):
                found.append(Consequence(side, "22.92", f"{nation(flotilla.nation).adjective} submarines: {text}"))
    return found + _of_all_who_return(state, side, returning) if returning else found


@rule("22.423B")
def _told(state: State, group: Group) -> list[Consequence]:
    """22.423B: what follows for a group; of one whose ships the enemy has not seen he reads only whether it goes on."""
    found, name = _of_group(state, group), public_name(state, group)
    if group.revealed:
        return [Consequence(group.side, number, f"{name}: {text}") for number, text in found]
    text = "; ".join([text for _, text in found])
    public = "goes on" if group.bound == GO_ON else "returns to base"
    return [Consequence(group.side, found[0][0], f"{name}: {text}", f"{name}: {public}")]


def _of_group(state: State, group: Group) -> list[tuple[str, str]]:
    """What follows for one group: the rule, and the words."""
    if group.activity == SUPPORT and not group.number:
        return [("22.163E", "never joined the battle, and goes back to its patrol hex")]
    goes_on = group.bound == GO_ON
    found = [_goes_on(state, group)] if goes_on else [_returns(state, group), *_comes_home(state, group)]
    if group.freed:
        text = "laden factors whose cargo was lost are free; destroyers among them may bombard the shore"
        found.append(("22.82C", f"{text} in the same activity: {group.freed}"))
    return found


@rule("22.81A.1", "22.81C", "22.81D", "22.81B", "22.28B", "SOP-NI-I")
def _goes_on(state: State, group: Group) -> tuple[str, str]:
    """22.81A: a force that is not defeated goes on with its activity; 22.81C: or adopts that of those it protected."""
    holder = state.scene.withholder
    if holder and group.activity == COUNTER:
        return "22.81D", "joins the interception of the force that it protected"
    if group.activity in (COUNTER, SUPPORT) or (holder and group.side != holder):
        return "22.81C", "takes over the activity of the force that it protected, if it is permitted to"
    if holder:
        return "22.81A", "goes on to intercept the enemy that it set out for"
    if not group.number:
        return "22.28B", "goes on with its activity; it is not compelled to abort"
    return ("22.81B" if group.side == state.scene.defender else "22.81A"), f"goes on with {_activity(group)}"


def _activity(group: Group) -> str:
    return f"its activity ({group.activity.replace('-', ' ')})" if group.activity else "its activity"


@rule("22.61C", "22.81A.1", "22.81A.2", "22.81B", "22.26C", "22.27", "22.281", "SOP-NI-J", "SOP-PA-E.2.b")
def _returns(state: State, group: Group) -> tuple[str, str]:
    """22.81: why a group returns."""
    if intercepts(state, group):
        if not group.number:
            return "22.27", "never joined the battle, returns to its base and may not intercept again in this phase"
        return "22.81B", "returns to base after the interception"
    if group.left:
        return "22.61C", f"has withdrawn, counts as defeated and aborts {_activity(group)}"
    if is_defeated(state, group):
        return "22.81A", f"is defeated, must abort {_activity(group)} and returns"
    return ("22.81A" if group.number else "22.28B"), f"aborts {_activity(group)} and returns"


@rule("22.63", "22.63A", "22.282")
def _comes_home(state: State, group: Group) -> list[tuple[str, str]]:
    """22.63: where it returns to, and whether it is inverted there; 22.282: what an abort does to transports."""
    found, free = [], [which for which in group.ships if not which.laden]
    if len(free) < len(group.ships):
        found.append(_cargo_home(state, group))
    if free:
        place = origin_of(state, group) if group.bound == ORIGIN else state.place(group.bound).name
        bound = group.activity in BASE_CHANGES and is_defeated(state, group)
        what = "the other ships return" if found else "returns"
        found.append(("22.63A" if bound else "22.63", f"{what} to {place}"))
    found.append(_inverted(state, group))
    if group.side == state.scene.attacker and any([which.kind is TRANSPORT for which in group.ships]):
        text = "no more transports are used for the supply zone of its destination in this player turn"
        found.append(("22.282", f"{text}; those that are under way go on"))
    return found


@rule("22.63B")
def _cargo_home(state: State, group: Group) -> tuple[str, str]:
    """22.63B: ships with cargo, and what they carry, go back to where they came from."""
    laden = [(which, number) for which, number in group.ships.items() if which.laden]
    cargo = listing(sorted(group.loads)) or group.cargo or "their cargo"
    verb = "returns" if sum(number for _, number in laden) == 1 else "return"
    return "22.63B", f"{described_ships(laden)} {verb} to {origin_of(state, group)}, and with them {cargo}"


class Standing(NamedTuple):
    """22.26: whether a group is inverted when it is home, by which rule, and the ships of it that are not."""

    inverted: bool
    rule: str
    spared: Fleet


@rule("22.26", "22.26C", "22.26D", "22.26D.4", "22.27", "22.281", "22.81A.2", "22.81B")
def standing(state: State, group: Group) -> Standing:
    """22.26, 22.81: who was in the battle is inverted at base; not who never joined it, nor ships that were withheld in
    every round and are undamaged (22.26D). A moving force that aborts is inverted in any case (22.281)."""
    if not group.number:
        return Standing(True, "22.281", {}) if _aborts(state, group) else Standing(False, "22.26C", {})
    if _stood_aside(state, group):
        return Standing(False, "22.26D", {})
    spared: Fleet = {}
    if rested := {tag: number for tag, number in group.rested.items() if number}:
        if sum(rested.values()) == sum(group.ships.values()):
            return Standing(False, "22.26D", dict(group.ships))
        spared = {which: rested[which.tag] for which in group.ships if which.tag in rested and not which.damaged}
    number = "22.26D" if spared else "22.81A" if _aborts(state, group) else "22.81B"
    return Standing(True, number, spared)


def _inverted(state: State, group: Group) -> tuple[str, str]:
    """The same in words."""
    inverted, number, spared = standing(state, group)
    if not inverted:
        if number == "22.26C":
            return number, "is not inverted"
        return number, "was withheld and is not inverted" if spared else "took no part in combat and is not inverted"
    if spared:
        names = [name_of(which, count) if which.named else _some(which, count) for which, count in spared.items()]
        return number, f"is inverted, but not what was withheld: {listing(names)}"
    return number, "is inverted" if number == "22.281" else "is inverted for the rest of the player turn"


@rule("22.26D.2", "22.26D.3")
def _stood_aside(state: State, group: Group) -> bool:
    """22.26D: in a counter-interception battle a group of those on their way has not engaged that fought no fleet
    combat, launched nothing and has no damage."""
    if group.side != state.scene.withholder or group.used or any([which.damaged for which in group.ships]):
        return False
    return not (state.at_sea(group.side).launched and any([which.fast_carrier for which in group.ships]))


def _some(which: Ship, number: int) -> str:
    return f"{number} {name_of(which, number)}"


def _aborts(state: State, group: Group) -> bool:
    """Whether it is the moving side's: what returns aborts an activity, unless it came to counter others."""
    return group.side == state.scene.attacker and not intercepts(state, group)


@rule("22.92")
def _of_submarines(state: State, flotilla: Submarines) -> Iterator[str]:
    """22.92: submarines that attacked return and are inverted; those that had no opportunity go back uninverted to
    where they came from, or stay with the force that they accompany."""
    home = f" to {name_of_base(state, flotilla.origin)}" if flotilla.origin else ""
    if flotilla.spent:
        yield f"factors that attacked, return{home} and are inverted: {flotilla.spent}"
    if flotilla.factors and flotilla.accompany:
        yield f"factors that did not attack, stay with their force and are not inverted: {flotilla.factors}"
    elif flotilla.factors:
        home = home or " to where they came from"
        text = f"factors that did not attack, return{home}, are not inverted and may intercept in later phases"
        yield f"{text}: {flotilla.factors}"


@rule("22.62", "22.281", "22.63C", "22.63D", "22.63E", "SOP-NI-J")
def _of_all_who_return(state: State, side: str, groups: list[Group]) -> list[Consequence]:
    """22.62, 22.63: what holds for everything that returns."""
    found = [("22.62", "ships on their way home may be attacked from the air or intercepted")]
    if any([group.activity == "seaborne-invasion" for group in state.battle.groups.values() if group.side != side]):
        text = "in the combat phase no ships return to a base that is being invaded, unless there is no other"
        found.append(("22.63C", text))
    if any([group.activity == "redeployment" and is_defeated(state, group) for group in groups]):
        found.append(("22.63E", "after the failed redeployment ships beyond what their base may hold are eliminated"))
    text = "bases that hold too much are put right by the end of the next movement or redeployment phase of their owner"
    found.append(("22.63D", f"{text}, or the excess is eliminated"))
    name = state.name(side)
    return [Consequence(side, number, f"{name}: {text}") for number, text in found]
