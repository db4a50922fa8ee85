"""Between rounds (22.6, 22.71): who withdraws, and whether the battle is over."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from flagplot.awaw.air_units import Counted, Force
from flagplot.awaw.battle.cargo import laden_factors, load_up
from flagplot.awaw.battle.decks import by_nation, damaged_decks, spread
from flagplot.awaw.battle.groups import has_cargo, label
from flagplot.awaw.battle.withholding import count_rest
from flagplot.awaw.counting import Counts, add, left_of, merged, without
from flagplot.awaw.ships import Fleet, Ship, Ships, decks, described_ships, name_of
from flagplot.awaw.state.battle import Group, GroupRound, Outcome, Round
from flagplot.awaw.state.state import State
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words, count_or_not, how_many

# --- who announces first ----------------------------------------------------------------------------------------


@rule("22.61A")
def mark_round(state: State) -> None:
    """22.61A: what was sunk and what was damaged as a round begins; who loses more in it announces first."""
    state.battle.this_round = begun = Round()
    begun.sunk_before, begun.damaged_before = dict(state.losses.ships), _damaged(state)
    load_up(state)


def _damaged(state: State) -> Fleet:
    damaged: Fleet = {}
    for group in state.battle.groups.values():
        for which in group.ships:
            if which.damaged:
                add(damaged, which, group.ships[which])
        if group.shed:
            damaged = merged(damaged, group.shed)
    return damaged


@rule("22.61A")
def announcing_order(state: State) -> tuple[str, str]:
    """22.61A: who has lost more factors in this round announces first; if equal, who has had more of them damaged; if
    still equal, the intercepting side."""
    intercepting = state.interceptor
    moving = state.other(intercepting)
    damaged, before = _damaged(state), state.battle.this_round
    if damaged == before.damaged_before and state.losses.ships == before.sunk_before:
        return intercepting, moving  # nobody was harmed
    sunk = left_of(state.losses.ships, before.sunk_before)
    ours, theirs = _by_type(state, moving, sunk), _by_type(state, intercepting, sunk)
    more = _sizes(ours) - _sizes(theirs)  # by their printed size
    if not more:
        more = _fresh_damage(state, moving, damaged, ours) - _fresh_damage(state, intercepting, damaged, theirs)
    return (moving, intercepting) if more > 0 else (intercepting, moving)


@rule("22.61A")
def _fresh_damage(state: State, side: str, damaged: Fleet, sunk: Mapping[Type, int]) -> int:
    """22.61A: the factors of a side that were damaged in this round and are afloat, of all that is `damaged` now."""
    before, now = _by_type(state, side, state.battle.this_round.damaged_before), _by_type(state, side, damaged)
    return _sizes(left_of(now, left_of(before, sunk)))


Type = tuple[str, int]
"""A named ship, or light ships of a nation and kind; and the size of one."""


def _by_type(state: State, side: str, fleet: Fleet) -> dict[Type, int]:
    """The ships of a side, whatever hits they have and whatever they carry."""
    types: dict[Type, int] = {}
    nations = state.setting.nations[side]
    for which, number in fleet.items():
        if which.nation in nations:
            key = _type_of(which)
            types[key] = types.get(key, 0) + number
    return types


@cache
def _type_of(which: Ship) -> Type:
    return which.id or f"{which.nation}:{which.kind}", which.size


def _sizes(types: Mapping[Type, int]) -> int:
    return sum([number * size for (_, size), number in types.items()])


# --- who withdraws ----------------------------------------------------------------------------------------------

NONE, ALL, SOME = "none", "all", "some"
STAY, LEAVE, PART = "stay", "leave", "part"
_WITHDRAWAL = "Withdraw from the battle?"
_SHARES: dict[str, Words] = {NONE: "Stay and fight", ALL: "Withdraw everything", SOME: "Withdraw some"}
_CHOICES: dict[str, Words] = {STAY: "Stay", LEAVE: "Withdraw all", PART: "Withdraw some ships"}


class Departure(NamedTuple):
    """What leaves the battle of one group, and the squadrons that it carries."""

    key: str
    ships: Fleet
    """Ships that withdraw; those that were shed leave with them."""
    air: Force
    grounded: Force


@rule("22.61", "22.411A", "22.54H.2", "SOP-NC-I.K", "22.524A")
def withdraw(state: State) -> Script[None]:
    """22.61: at the end of any round, fought or not, each side may withdraw all, some or none of its ships. The loser
    of the round announces first, and the other knows what he does; ships that were shed leave anyway (22.524A)."""
    count_rest(state)
    for side in announcing_order(state):
        if state.battle.present(side):
            words = ("{}: choosing whether to withdraw", state.name(side))
            leaving = yield from secretly(side, words, _decide(state, side), "22.61")
        else:
            leaving = yield from _with_squadrons(state, side, {})
        for departure in leaving:
            yield _announced(state, departure)
            _depart(state, departure)
        if not leaving:
            yield disclosed(("{}: no withdrawal", state.name(side)), "22.61", side)


@rule("22.61", "22.61D")
def _decide(state: State, side: str) -> Script[list[Departure]]:
    """22.61: everybody, nobody, or group by group."""
    groups = [
        (key, group)
        for key, group in state.battle.groups.items()
        if group.side == side and group.number and group.ships
    ]
    groups.sort(key=_number_of)
    able = [NONE, ALL, SOME] if len(groups) > 1 or kept_together(groups[0][1]) is None else [NONE, ALL]
    question = "Raider combat ends after this round. Withdraw?" if state.scene.raiders else _WITHDRAWAL
    share: str = yield Choose(side, "withdraw", able, question, _SHARES, "22.61")
    chosen: dict[str, Fleet] = {}
    if share != NONE:
        for key, group in groups:
            chosen[key] = dict(group.ships) if share == ALL else (yield from _of_group(state, group))
    return (yield from _with_squadrons(state, side, chosen))


def _number_of(entry: tuple[str, Group]) -> int:
    return entry[1].number


class Parcel(NamedTuple):
    """Ships that leave a group one by one, or all the laden ones, which leave together."""

    tag: str
    one: Fleet
    number: int

    def __str__(self) -> str:
        """What people call it; made when they read it."""
        if self.tag == LADEN:
            return described_ships(self.one.items())
        (which,) = self.one
        return f"{name_of(which, self.number)}{' (damaged)' * which.damaged}"


LADEN = "laden"
"""The tag of all laden ships of a group together."""


@rule("22.61B", "22.427")
def parcels(group: Group) -> list[Parcel]:
    """22.61B: named ships and light ships may leave one by one; cargo is not divided, so the laden ships of a group
    leave together or not at all (22.427, `docs/rulings.md`)."""
    parcels = []
    for which, number in group.ships.items():
        if not which.laden:
            tag = f"{which.tag}:damaged" if which.light and which.damaged else which.tag
            parcels.append(Parcel(tag, {which: 1}, number))
    laden = {which: number for which, number in group.ships.items() if which.laden}
    return [*parcels, Parcel(LADEN, laden, 1)] if laden else parcels


@rule("22.61D")
def kept_together(group: Group) -> Refusal | None:
    """22.61D: why the ships of a group do not leave one by one: they may only if it was attacked in this round."""
    if not group.this_round.attacked:
        return _NOT_ATTACKED
    alone = sum([number for which, number in group.ships.items() if not which.laden])
    return None if alone + has_cargo(group) > 1 else _INDIVISIBLE


_NOT_ATTACKED = Refusal("not attacked in this round: it withdraws as a whole or stays", "22.61D")
_INDIVISIBLE = Refusal("nothing to divide: it withdraws as a whole or stays", "22.61B")


@rule("22.61B", "22.61D", "22.61")
def _of_group(state: State, group: Group) -> Script[Fleet]:
    """22.61D: a group that was not attacked leaves as a whole or stays; 22.61B: of one that was, damaged ships may
    leave alone or with undamaged ones to protect them."""
    values = [STAY, LEAVE, PART] if kept_together(group) is None else [STAY, LEAVE]
    question: Words = ("Withdraw {}?", label(state, group))
    verb: tuple[str, ...] = ("withdraw", str(group.number))
    choice: str = yield Choose(group.side, verb, values, question, _CHOICES, "22.61")
    if choice != PART:
        return dict(group.ships) if choice == LEAVE else {}
    leaving: Fleet = {}
    who = label(state, group)
    for parcel in parcels(group):
        tag, one, most = parcel
        lone = parcel if tag == LADEN or next(iter(one)).named else ("1 {}", parcel)
        many, single = ("{}: withdraw how many of {} {}?", who, most, parcel), ("{}: withdraw {}?", who, lone)
        question, labels = count_or_not(most, many, single, "Stay", "Withdraw")
        verb = ("leave", str(group.number), tag)
        number: int = yield Choose(group.side, verb, range(most + 1), question, labels, "22.61")
        if number:
            leaving = merged(leaving, {which: number * some for which, some in one.items()})
    return leaving


# --- their squadrons --------------------------------------------------------------------------------------------


@rule("17.3124", "22.524A")
def _with_squadrons(state: State, side: str, chosen: dict[str, Fleet]) -> Script[list[Departure]]:
    """Squadrons leave with the carriers that they are aboard. Where a group is divided, or damaged carriers, those who
    stay must have room on carriers that stay, and the owner says who leaves."""
    battle = state.battle
    mine = {key: group for key, group in battle.groups.items() if group.side == side and (group.shed or key in chosen)}
    if not mine:
        return []
    grounded, departures = dict(state.at_sea(side).grounded), []
    room: Counts[str] = damaged_decks(battle.numbered(side)) if grounded else Counts()
    for key, group in dict(sorted(mine.items(), key=_number_of)).items():
        fleet = chosen.get(key, {})
        if not fleet and not group.shed:
            continue
        air = yield from _divide(group, fleet)
        lame: Force = {}
        if grounded:
            lame = yield from _carried_off(group, grounded, merged(fleet, group.shed), room)
            grounded = without(grounded, lame)
        departures.append(Departure(key, fleet, air, lame))
    return departures


def _divide(group: Group, leave: Fleet) -> Script[Force]:
    """The squadrons of a group that leave with some of its ships."""
    if not group.air or not (stay := without(group.ships, leave)):
        return dict(group.air)
    parts = [
        Group(group.side, f"the withdrawing ships of {group.name}", leave, number=group.number),
        Group(group.side, group.name, stay),
    ]
    yield from spread(group.side, group.air, parts)
    return parts[0].air


def _carried_off(group: Group, grounded: Force, fleet: Fleet, room: dict[str, int]) -> Script[Force]:
    """The squadrons aboard damaged carriers that leave; `room`, which is changed, is for those that have not left."""
    gone: Force = {}
    parts = by_nation(grounded)
    for country, (_, here) in decks(fleet).items():
        aboard = parts.get(country, {})
        room[country] -= here
        rest = sum(aboard.values())
        least = rest - room[country]
        for which, count in aboard.items():
            rest -= count
            values = range(max(0, least - rest), min(count, here) + 1)
            question = ("Send how many of {} off with {}?", Counted(which, count), group.name)
            verb = ("carry", str(group.number), which.tag)
            some: int = yield Choose(group.side, verb, values, question, how_many, "17.3124")
            if some:
                gone[which] = some
                least, here = least - some, here - some
    return gone


# --- leaving ----------------------------------------------------------------------------------------------------


def _announced(state: State, departure: Departure) -> Note:
    """22.61A: everybody hears which groups withdraw, and of groups that the enemy has seen which ships."""
    group = state.battle.groups[departure.key]
    whole = departure.ships == group.ships != {}
    public: Words = ("{} withdraws" if whole else "Ships of {} withdraw", label(state, group))
    full = ("{}: {}", public, Ships(merged(departure.ships, group.shed).items()))
    if group.revealed:
        return disclosed(full, "22.61", group.side)
    return Note(full, "22.61", side=group.side, twin=public, reveals=group.side)


@rule("22.61C", "22.524A", "22.427")
def _depart(state: State, departure: Departure) -> None:
    """22.61: ships leave for good, their squadrons and their cargo with them; their number is free."""
    battle = state.battle
    key, fleet, air, grounded = departure
    group = battle.groups[key]
    site, stay = state.at_sea(group.side), without(group.ships, fleet)
    if grounded:
        site.grounded = without(site.grounded, grounded)
    gone = _part_of(group, fleet, stay) if stay else group
    gone.ships, gone.air, gone.left = merged(fleet, group.shed), merged(air, grounded), battle.round
    before = sum([other.split("/")[0] == key for other in battle.departed]) if key in battle.departed else 0
    battle.departed[f"{key}/{before + 1}" if before else key] = gone
    group.shed = {}
    if stay:
        group.ships, group.air = stay, without(group.air, air)
    else:
        del battle.groups[key]


def _part_of(group: Group, fleet: Fleet, stay: Fleet) -> Group:
    """Some ships of a group, under its name and number; cargo goes with the laden ships, and who was withheld stays as
    far as it can be."""
    gone = Group(group.side, group.name, {}, group.task_force, group.arrives, activity=group.activity)
    gone.origin, gone.number, gone.place, gone.formed = group.origin, group.number, group.place, True
    gone.revealed, gone.used = group.revealed, group.used
    gone.this_round = GroupRound(attacked=group.this_round.attacked, evaded=group.this_round.evaded)
    gone.parts = {key: dict(brought) for key, brought in group.parts.items()}
    if laden_factors(fleet):
        gone.cargo, gone.loads, gone.divisible, gone.carried = group.cargo, group.loads, group.divisible, group.carried
        group.cargo, group.loads, group.divisible, group.carried = "", {}, (), 0
    for tag, number in list(group.rested.items()):
        sound = sum([count for which, count in stay.items() if which.tag == tag and not which.damaged])
        if number > sound:
            gone.rested[tag] = number - sound
            group.rested[tag] = sound
    return gone


# --- whether the battle is over ---------------------------------------------------------------------------------


@rule("22.71", "22.311", "22.35D")
def is_over(state: State) -> Script[bool]:
    """22.71: whether the battle ends with this round, and who has lost it. Raiders fight one round (22.35); and an
    undecided battle is broken off with the last round of its scenario, which is ours (`docs/rulings.md`)."""
    battle = state.battle
    last = battle.round >= len(state.scene.phases) or state.scene.raiders
    outcome = ending(state)
    if outcome is not None and outcome.rule == "22.71C" and not last and (yield from _fights_on(state)):
        outcome = None
    if outcome is None and last:
        outcome = Outcome("22.35" if state.scene.raiders else "22.73", ())
    battle.outcome = outcome
    return outcome is not None


@rule("22.71", "22.71A", "22.71B", "22.71C", "22.72", "22.72A", "22.72B", "22.72C")
def ending(state: State) -> Outcome | None:
    """22.71, 22.72: a side has lost that has withdrawn everything, that without operational carriers has evaded with
    all its groups, or that has no undamaged ships left. Forces that have not entered do not count."""
    one, other = state.sides
    for number, lost in (("22.71A", _has_withdrawn), ("22.71B", _has_evaded), ("22.71C", _is_crippled)):
        if lost(state, one) or lost(state, other):
            reasons = {side: reason for side in (one, other) if (reason := _why_lost(state, side, number))}
            return Outcome(number, tuple(reasons), tuple(reasons.values()))
    return None


@rule("22.72", "22.71C")
def _why_lost(state: State, side: str, ended: str) -> str:
    """22.72: the rule by which a side has lost a battle that ended so; both may have, each in its way
    (`docs/rulings.md`). Who traces sea supply and might have fought on has not, if the enemy left (22.71C)."""
    if _has_withdrawn(state, side):
        return "22.71A"
    if _has_evaded(state, side):
        return "22.71B"
    spared = ended != "22.71C" and any([group.activity == "sea-supply" for group in state.battle.present(side)])
    return "22.71C" if _is_crippled(state, side) and not spared else ""


@rule("22.71A", "22.72A")
def _has_withdrawn(state: State, side: str) -> bool:
    """22.71A: it has no group left in the battle, and the last to leave it withdrew in this round."""
    battle = state.battle
    if not battle.departed:
        return False
    now = battle.round
    left = [group.side == side and group.left == now for group in battle.departed.values()]
    return any(left) and not battle.present(side)


@rule("22.71B", "22.72B")
def _has_evaded(state: State, side: str) -> bool:
    """22.71B: it has no operational carrier, and each of its groups has evaded fleet combat in this round, those that
    then withdrew and those that were destroyed too."""
    battle = state.battle
    for group in battle.groups.values():
        if group.side == side and group.number and not group.this_round.evaded:
            return False  # as it is in most rounds
    groups = battle.present(side)
    left = [group for group in battle.withdrawn(side).values() if group.left == battle.round]
    if not groups or any([has_operational_carrier(group) for group in groups]):
        return False
    return all([group.this_round.evaded for group in left])


@rule("22.71C", "22.72C")
def _is_crippled(state: State, side: str) -> bool:
    """22.71C: it has no undamaged ship left in the battle."""
    for group in state.battle.groups.values():
        if group.side == side and group.number:
            for which in group.ships:
                if not which.damaged:
                    return False
    return True


@rule("22.71B")
def has_operational_carrier(group: Group) -> bool:
    """22.71B: an undamaged fast carrier that can fly a squadron of its nation."""
    nations = {which.nation for which in group.air}
    return any([which.fast_carrier and not which.damaged and which.nation in nations for which in group.ships])


@rule("22.71C")
def _fights_on(state: State) -> Script[bool]:
    """22.71C: a side that traces sea supply may go on in spite of it, as long as it has ships to protect the line and
    there is an enemy."""
    battle = state.battle
    if not all([battle.present(side) for side in state.sides]):
        return False
    for side in state.sides:
        if any([group.activity == "sea-supply" for group in battle.present(side)]):
            question = "Keep fighting for the sea supply line?"
            choice: str = yield Choose(side, "battle", (ENDS, GOES_ON), question, _ENDS, "22.71")
            if choice == GOES_ON:
                yield Note(("{}: keeps fighting for the sea supply line", state.name(side)), "22.71C")
                return True
    return False


ENDS, GOES_ON = "ends", "goes-on"
_ENDS: dict[str, Words] = {ENDS: "End the battle", GOES_ON: "Keep fighting"}
