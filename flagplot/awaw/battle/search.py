"""Search (22.45, 23.72): segments E and F of a round. Dice find combat groups; their owner tells four things of
them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction
from functools import lru_cache

from flagplot.awaw.air_units import Force, Listed, add
from flagplot.awaw.battle.air_plan import SEARCHERS, eligible
from flagplot.awaw.battle.groups import facts_of, is_active, label, subject_of
from flagplot.awaw.battle.picking import any_of, gather
from flagplot.awaw.ships import undamaged_factors
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.setting import advantage
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import search_dice
from flagplot.awaw.task_forces import LEAST
from flagplot.kernel.effects import Effect
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.requests import Choose, Faces, Headline, Roll, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words, count_times


class Sightings(tuple[int, ...]):
    """The combat group numbers that the dice showed and that the enemy uses, each as often as it was shown."""

    __slots__ = ()

    def __str__(self) -> str:
        times = {number: self.count(number) for number in self}
        found = [f"CG {number} found{f' {count_times(often)}' * (often > 1)}" for number, often in times.items()]
        return ", ".join(found) or "nothing found"

    def effect(self) -> Effect:
        return _search_results(len(self))


@lru_cache
def _search_results(number: int) -> Effect:
    return Effect(Fraction(number), "search results")


SEARCH = ("Search with how many of {}?", "Search with {}?", "Stay home", "Search")


@rule("17.23C", "17.33C", "18.58A", "22.341C", "22.4422A", "22.4422B", "23.11B", "23.131D", "SOP-NC-I.E")
def send_searchers(state: State, side: str) -> Script[None]:
    """22.4422: search squadrons of army air, and naval squadrons ashore that fly no cover, may search; they do nothing
    else in this round."""
    able = eligible(state, side, SEARCHERS)
    if not able:
        return
    words = ("{}: sending squadrons to search", state.name(side))
    script = gather(side, "search", able, any_of(able), 0, SEARCH, "22.4422")
    for which, number in (yield from secretly(side, words, script, "22.4422", anyway=False)).items():
        state.send_out(which, number)
        add(state.sites[which.home].searching, which, number)


def searchers(state: State, side: str) -> Force:
    """The land-based squadrons of a side that search in this round."""
    flying: Force = {}
    for base in state.of_side(side):
        flying |= state.sites[base].searching
    return flying


@rule(
    "22.451",
    "22.451D.3",
    "22.428A",
    "22.428B",
    "22.428C",
    "22.425D.1.1",
    "22.425D.2.1",
    "22.425D.3.1",
    "22.4422C",
    "23.722",
    "23.722D.3",
)
def dice_of(state: State, side: str, flying: int | None = None) -> Ledger:
    """22.451: the search dice of a side: searching squadrons, codebreaking, earlier rounds, active groups of ten sound
    factors, and distant groups that began the round with a ready carrier. Pending groups give none. `flying` is the
    number of searching squadrons, for those who have it at hand."""
    battle = state.battle
    active = distant = 0
    now = battle.round
    for group in battle.groups.values():
        if group.side != side or not group.number:
            continue
        if is_active(group, now):
            active += undamaged_factors(group.ships) >= LEAST
        else:
            distant += group.ready
    squadrons = sum(searchers(state, side).values()) if flying is None else flying
    return _dice(squadrons, advantage(state.scene.codebreaking, side), now, active, distant)


@lru_cache(maxsize=4096)  # without keywords this is found in a third of the time
def _dice(squadrons: int, codebreaking: int, combat_round: int, active: int, distant: int) -> Ledger:
    return search_dice(
        searching_squadrons=squadrons,
        codebreaking=codebreaking,
        combat_round=combat_round,
        active_groups=active,
        distant_carrier_groups=distant,
    )


@rule(
    "22.41E",
    "22.451",
    "22.452",
    "22.452A",
    "T22.45-06",
    "T22.45-07",
    "22.524-EX1",
    "22.524-EX2",
    "23.71A",
    "23.72",
    "23.721B",
    "23.723",
    "23.723A",
    "SOP-NC-I.E.1",
)
def search(state: State, side: str) -> Script[None]:
    """22.452: each die that shows the number of an enemy combat group is a search result against that group. If there
    are more than six groups, outside naval combat, some share a number (23.71A)."""
    battle = state.battle
    enemy: dict[int, Group] = {}
    for group in battle.groups.values():
        if group.side != side and group.number:
            enemy[group.number] = group
    flying, name = searchers(state, side), state.name(side)
    battle.this_round.searched[side] = squadrons = sum(flying.values()) if flying else 0
    dice = dice_of(state, side, squadrons)
    if flying:
        yield disclosed(("{}: searching with {}", name, Listed(flying.items())), "22.4422", side)
    words = "{}: {} search die" if dice.total == 1 else "{}: {} search dice"
    yield disclosed((words, name, dice.total), "22.451", side)
    if not dice.total:
        return
    each = state.setting.options.shared_numbers == "each-group"
    reads = sightings_of(frozenset(enemy), each)
    purpose = ("{}: search", name)
    names = {number: group.name for number, group in enemy.items()}
    found: Sightings = yield Roll(side, dice.total, purpose, reads, "22.452", dice, purpose, "dice", names)
    for number in found:
        if not each:
            sharing = [other for other in enemy if face_of(other) == number]
            number = yield from _which_is_found(state, state.other(side), sharing)
        enemy[number].this_round.results += 1


@lru_cache(maxsize=256)
def sightings_of(numbers: Collection[int], each: bool = True) -> Callable[[Faces], Sightings]:
    """What search dice read if the enemy uses these combat group numbers. Groups that share a number are found
    together, or by option the die finds one of them."""
    found: dict[int, list[int]] = {}
    for number in sorted(numbers):
        sharing = found.setdefault(face_of(number), [])
        if each or not sharing:
            sharing.append(number)

    def reads(faces: Faces) -> Sightings:
        seen: list[int] = []
        for face in faces:
            if face in found:
                seen += found[face]
        seen.sort()
        return Sightings(seen)

    lowest = range(1, len(found) + 1)
    if each and len(found) == len(numbers) and numbers != frozenset(lowest):  # which numbers they are makes no odds
        reads.worth_as = sightings_of(frozenset(lowest))  # type: ignore[attr-defined]
    return reads


@rule("23.71A", "23.721A")
def face_of(number: int) -> int:
    """23.721A: the face of a search die that finds a group: numbers beyond six begin again with 1, so that none is used
    twice before all six are used once (`docs/rulings.md`)."""
    return (number - 1) % 6 + 1


def _which_is_found(state: State, owner: str, sharing: list[int]) -> Script[int]:
    """By option, of groups that share a number the owner says which is found."""
    question = "Several groups share that number: which is found?"
    number: int = yield Choose(owner, "found", sorted(sharing), question, _called, "23.721")
    return number


def _called(number: int) -> Words:
    return "Reveal CG {}", number


@rule("22.41F", "22.452B", "23.723B", "SOP-NC-I.F", "SOP-NC-I.F.1", "T22.45-07")
def reveal_found(state: State, side: str) -> Script[None]:
    """22.452B: for each of his groups that was found the owner tells its size, fast carriers, speed and cargo."""
    for group in state.battle.found(side):
        found = Headline("found", (subject_of(group),))
        if group.shipless:
            yield disclosed(("{} found: {}", label(state, group), group.name), "23.723", side, found)
            continue
        group.facts = facts_of(group)
        words = ("{} found: {}", label(state, group), group.facts)
        yield disclosed(words, "22.452", side, found)


# --- what results are worth -------------------------------------------------------------------------------------


@rule("22.452C", "22.452C.3", "22.452C.3.1", "22.452C.3.2", "22.452C.3.3")
def results_left(group: Group) -> int:
    """22.452C: the search results against a group are one budget for this round: each air strike on it takes one, and
    so does each fleet combat that is begun against it while it is distant."""
    return group.this_round.results - group.this_round.attacks


@rule("22.452C.2", "22.452C.3")
def open_to_fleets(group: Group, combat_round: int) -> bool:
    """22.452C: an active group can be brought to fleet combat without any search result, a distant one only as long as
    there are results left."""
    return is_active(group, combat_round) or results_left(group) > 0


@rule("22.452C.2", "22.452C.3")
def count_attack(group: Group, combat_round: int, *, by_air: bool) -> None:
    """22.452C: an air strike uses a result against any group, a fleet combat one against a distant group."""
    if by_air or not is_active(group, combat_round):
        group.this_round.attacks += 1
