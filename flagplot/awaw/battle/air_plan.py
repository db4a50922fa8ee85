"""The air plan of a round: combat air patrol, land-based air and air cover. Segments B to D (22.41B-D, 22.44)."""

from __future__ import annotations

from collections import Counter
from functools import cache, lru_cache

from flagplot.awaw.air_units import Counted, Force, Listed, Role, Unit, add, take
from flagplot.awaw.battle.decks import has_ready_carrier
from flagplot.awaw.counterair import break_down_site
from flagplot.awaw.counting import merged
from flagplot.awaw.ships import decks
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import CountLabel, Words, count_or_not

SQUADRONS = Role.SQUADRONS  # at hand: a member of an enumeration takes long to look up
SEARCHERS = frozenset({Role.SEARCH, SQUADRONS})
COVERERS = frozenset({Role.COVER, SQUADRONS})
STRIKERS = frozenset({Role.ATTACK, SQUADRONS})
"""23.11: the squadrons for each role; naval squadrons are for all three, army squadrons for the one of their kind."""


# --- carrier air ------------------------------------------------------------------------------------------------


@rule("23.32", "23.33", "22.451D.2", "23.35B", "23.36")
def open_round(state: State) -> None:
    """23.33, 22.451D: what is measured as a round begins: how many may fly patrol, and which carriers are ready. What
    squadrons did in earlier rounds does not matter (23.35B). CVEs have no squadrons (23.36)."""
    remember_aborts(state)
    for group in state.battle.groups.values():
        if group.number:
            group.third = patrol_limit(sum(group.air.values()))
            group.ready = has_ready_carrier(group)


@rule("22.434", "22.435")
def remember_aborts(state: State) -> None:
    """22.434: land-based air that was aborted acts again in the next round; 22.435: but the last counterair against its
    base is remembered to the end of the battle."""
    for key, site in state.sites.items():
        if site.aborted and not state.place(key).afloat:
            site.shaken, site.aborted = site.aborted, {}


@rule("23.33", "23.33.EX1", "SOP-NC-I.C.2.a")
def patrol_limit(squadrons: int) -> int:
    """23.33: at most a third of the squadrons present at the start of the round, rounded up, fly patrol."""
    return -(-squadrons // 3)


@rule("17.33E", "22.41B.1", "22.431A", "23.31", "23.11C", "23.33", "SOP-NC-I.C", "SOP-NC-I.C.2", "SOP-NC-I.C.2.a")
def fly_patrol(state: State, side: str, *, outside: bool = False) -> Script[None]:
    """22.41B: in secret each player puts up to a third of each group's squadrons on combat air patrol over that group;
    the others are free to counterair and to strike (22.41C). Outside naval combat nothing goes before it (23.34)."""
    words = ("{}: assigning combat air patrol", state.name(side))
    late = state.setting.options.patrol_chosen == "after-counterair" and not outside
    return secretly(side, words, _allocate(state, side, late), "23.33")


def _allocate(state: State, side: str, late: bool) -> Script[None]:
    for group in state.battle.present(side):
        left = group.third
        source = _unused(state, group) if late else group.air
        for which, there in source.copy().items():
            verb, most = ("patrol", str(group.number), which.tag), left if left < there else there
            question, labels = _patrol_words(group.name, which, there)
            number: int = yield Choose(side, verb, range(most + 1), question, labels, "23.33")
            if number:
                left -= number
                group.patrol[which] = number
                take(state.at_sea(side).air if late else group.air, which, number)


@lru_cache(maxsize=1024)
def _patrol_words(over: str, which: Unit, there: int) -> tuple[Words, CountLabel]:
    who = Counted(which, there)
    many = ("CAP over {}: how many of {}?", over, who)
    return count_or_not(there, many, ("Fly CAP over {} with {}?", over, who), "No CAP", "Fly CAP")


@rule("23.64", "23.35A")
def _unused(state: State, group: Group) -> Force:
    """23.64: by the other reading patrol is flown by squadrons that have not counteraired, of nations whose carriers
    are in the group."""
    site, nations = state.at_sea(group.side), decks(group.ships)
    unused = Counter(site.air) - Counter(site.flown)
    return {which: number for which, number in unused.items() if which.nation in nations}


@rule("22.41C.1", "22.441", "SOP-NC-I.C.1", "17.3124.2")
def muster(state: State, side: str) -> None:
    """22.41C: the squadrons of a side that are not on patrol stand ready together, from whatever carrier."""
    site = state.at_sea(side)
    for group in state.battle.groups.values():
        if group.air and group.side == side and group.number:
            site.air = merged(site.air, group.air)
            group.air = {}


# --- land-based air ---------------------------------------------------------------------------------------------


@rule("17.141D", "22.343", "23.131C", "23.131D", "23.131E", "17.25", "SOP-NC-STAR")
def break_down_army_air(state: State, side: str) -> None:
    """22.343, 23.131: army air in reach of the battle takes part as squadrons."""
    for base, hexes in state.scene.in_reach[side]:
        site = state.sites[base]
        for which in site.air:
            if which.is_factor and hexes <= which.reach and not which.inverted:
                break_down_site(state, site)
                break


@rule("22.41B.3", "22.442", "22.442A", "22.442B", "22.442C", "22.434", "22.341", "23.151", "23.161.1", "17.531")
def eligible(state: State, side: str, roles: frozenset[Role]) -> Force:
    """22.442: the land-based squadrons that may act now: uninverted, in an operational base in range of the battle,
    not committed elsewhere, not aborted by a counterair of this round, and not used in this round (23.161).

    Those used have left the base's air: for cover, to search or to strike.
    """
    able: Force = {}
    for base, hexes in state.scene.in_reach[side]:
        site = state.sites[base]
        for which, number in site.air.items():
            if kept_home(which, hexes, roles) is not None:
                continue
            busy = site.committed.get(which, 0) + site.aborted.get(which, 0)
            if number > busy:
                able[which] = number - busy
    return able


@cache
@rule("22.442A", "22.442B", "23.11B", "23.11D", "23.11E", "23.75D")
def kept_home(which: Unit, hexes: int, roles: frozenset[Role]) -> Refusal | None:
    """22.442, 23.11: why some air does not act in these roles in a battle that many hexes from its base."""
    if which.role in roles and hexes <= which.reach and serves_at_sea(which):
        return None
    if which.inverted:
        return INVERTED
    return TOO_FAR if hexes > which.reach else _BOUND.get(which.role, _NOT_AT_SEA)


@rule("23.11B", "23.11D", "23.11E", "23.75D")
def serves_at_sea(which: Unit) -> bool:
    """23.11: only army and naval squadrons search, cover and strike, uninverted; jets and air transports do not."""
    return not which.inverted and (which.role is not SQUADRONS or which.is_naval)


TOO_FAR = Refusal("out of range of the battle", "22.442A")
INVERTED = Refusal("inverted", "22.442A")
_NOT_AT_SEA = Refusal("only army and naval air takes part in a battle at sea", "23.11")
_BOUND = {
    Role.SEARCH: Refusal("search squadrons only search", "23.11B"),
    Role.COVER: Refusal("cover squadrons only fly cover", "23.11D"),
    Role.ATTACK: Refusal("attack squadrons only strike", "23.11E"),
}


@rule(
    "17.23B",
    "17.33B",
    "18.58B",
    "22.41D.1",
    "22.41D.1.1",
    "22.41D.1.2",
    "22.41D.1.3",
    "22.341B",
    "22.4421A",
    "22.4421B",
    "23.11D",
    "23.21",
    "23.24A",
    "23.24B",
    "SOP-NC-I.D",
    "SOP-NC-I.D.1",
)
def assign_cover(state: State, side: str) -> Script[None]:
    """22.4421: land-based air for cover is announced, but the combat group that it covers is kept secret."""
    able = eligible(state, side, COVERERS)
    if not able:
        return
    words = ("{}: assigning air cover", state.name(side))
    flying = yield from secretly(side, words, _assign(state, side, able), "22.4421", anyway=False)
    if flying:
        told = ("{}: air cover by {}", state.name(side), Listed(flying.items()))
        yield disclosed(told, "22.4421", side)


@rule("23.21", "23.21.1", "22.41D.1", "22.4421A")
def _assign(state: State, side: str, able: Force) -> Script[Force]:
    """23.21: combat groups in the battle are covered; ships in port and pending groups are not.

    Those who fly leave their bases only when all is decided: one by one they would tell which group they cover.
    """
    flying: Force = {}
    groups = state.battle.present(side)
    assigned: list[tuple[Group, Unit, int]] = []
    for which, number in able.items():
        for group in groups:
            some = yield from _cover(state, group, which, number)
            number -= some
            if some:
                assigned.append((group, which, some))
    for group, which, some in assigned:
        state.send_out(which, some)
        add(group.cover, which, some)
        add(flying, which, some)
    return flying


def _cover(state: State, group: Group, which: Unit, number: int) -> Script[int]:
    if not number:
        return 0
    question, labels = _cover_words(group.number, group.name, which, number, state.place(which.home).name)
    verb = ("cover", str(group.number), which.tag)
    some: int = yield Choose(group.side, verb, range(number + 1), question, labels, "22.4421")
    return some


@lru_cache(maxsize=1024)
def _cover_words(group: int, name: str, which: Unit, number: int, base: str) -> tuple[Words, CountLabel]:
    from_base, over = ("{} from {}", Counted(which, number), base), ("CG {} ({})", group, name)
    many, one = ("Cover {} with how many of {}?", over, from_base), ("Cover {} with {}?", over, from_base)
    return count_or_not(number, many, one, "No cover", ("Cover CG {}", group))


@rule("23.23D", "23.23D.EX1")
def prorated_cover(squadrons: int, groups: int, attacked: int) -> list[int]:
    """23.23D: outside naval combat cover flies over a force as a whole, and is shared out over its groups; those left
    over count for groups that are attacked. The shares of the attacked ones, the larger first: the defender says which
    of them has it."""
    share, over = divmod(squadrons, groups)
    return [share + (place < over) for place in range(attacked)]
