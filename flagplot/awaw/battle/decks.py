"""Carriers and their squadrons in a naval battle: 17.3124, and the return of the air units in 22.463.

The carrier air of a side is one force: it may shift freely among undamaged carriers, launches together and lands where
there is room. So in a round it all stands in the side's place at sea, and only between rounds in groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from flagplot.awaw.air_units import Counted, Force, Lost, Unit, add, take
from flagplot.awaw.battle.picking import pick
from flagplot.awaw.counting import Counts, merged
from flagplot.awaw.ships import decks, sound_room
from flagplot.awaw.state.air import Site, without_deck
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.basing.rooms import taken
from flagplot.kernel.requests import Choose, Headline, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import CountLabel, Words, count_or_not


def by_nation(force: Force) -> dict[str, Force]:
    """A force nation by nation: carriers base squadrons of their own nation only (17.312)."""
    parts: dict[str, Force] = {}
    for which, number in force.items():
        parts.setdefault(which.nation, {})[which] = number
    return parts


def sound_decks(groups: Sequence[Group]) -> Counts[str]:
    """The squadrons that the undamaged carriers of some groups base, by nation."""
    return _decks(groups, 0)


def damaged_decks(groups: Sequence[Group]) -> Counts[str]:
    """The squadrons that their damaged carriers can only carry, those among them that were shed in this round
    (22.524A)."""
    return _decks(groups, 1)


def _decks(groups: Sequence[Group], which: int) -> Counts[str]:
    sums: Counts[str] = Counts()
    for group in groups:
        for fleet in (group.ships, group.shed) if group.shed else (group.ships,):
            for country, bases in decks(fleet).items():
                sums[country] = sums.get(country, 0) + bases[which]
    return sums


@rule("22.451D.2", "23.722D.2")
def has_ready_carrier(group: Group) -> bool:
    """22.451D: whether a group has a fully operational fast carrier: undamaged, with as many squadrons as its size."""
    if not group.air:
        return False
    aboard = squadrons_by_nation(group.air)
    for which in group.ships:
        if not which.fast_carrier:
            break  # carriers stand first
        if not which.damaged and which.size <= aboard.get(which.nation, 0):
            return True
    return False


def squadrons_by_nation(air: Force) -> dict[str, int]:
    """How many squadrons of each nation there are."""
    numbers: dict[str, int] = {}
    for which, number in air.items():
        numbers[which.nation] = numbers.get(which.nation, 0) + number
    return numbers


# --- while strikes are flown ------------------------------------------------------------------------------------


@rule("17.3124", "17.3124.1", "17.3124.2", "17.3124.5")
def settle_decks(state: State, side: str) -> Script[None]:
    """17.3124: after a carrier was hit, squadrons aboard are taken to be on undamaged carriers first, then on damaged
    ones, where they can only be carried; those for whom there is no deck go down with their ship.

    Room is kept for those in the air: they land later (22.463).
    """
    battle = state.battle
    site, sound, flying = state.at_sea(side), sound_decks(battle.present(side)), in_the_air(state, side)
    for country, aboard in by_nation(site.air).items():
        aloft = sum([number for which, number in flying.items() if which.nation == country])
        homeless = sum(aboard.values()) + aloft - sound[country]
        wreck = ("Carriers hit. How many of {} were aboard?", "Carriers hit. Was {} aboard?", "No", "Aboard")
        for which, number in (yield from pick(side, "aboard", aboard, homeless, wreck, "17.3124")).items():
            _leave_deck(site, which, number)
            add(site.grounded, which, number)
    if not site.grounded:
        return
    damaged = damaged_decks(battle.numbered(side))
    down: Force = {}
    for country, carried in by_nation(site.grounded).items():
        sunk = sum(carried.values()) - damaged[country]
        sank = ("Carriers sunk. How many of {} are lost?", "Carriers sunk. Is {} lost?", "Spare it", "Lose it")
        for which, number in (yield from pick(side, "down", carried, sunk, sank, "17.3124")).items():
            take(site.grounded, which, number)
            add(down, which, number)
    if down:
        state.lose(down)
        words = ("{}: {} lost with the carriers", state.name(side), Lost(down.items()))
        yield disclosed(words, "17.3124", side, Headline("air-lost"))


def in_secret(state: State, side: str, settling: Script[None]) -> Script[None]:
    """Which squadrons were aboard stricken carriers the side says by itself."""
    words = ("{}: sorting out squadrons of stricken carriers", state.name(side))
    return secretly(side, words, settling, "17.3124")


@rule("17.3124", "17.3124.2")
def settle_aboard(state: State, side: str) -> Script[None]:
    """17.3124: the same after the landing, when squadrons are aboard their groups: those who stay fit to fly are shared
    out anew among the undamaged carriers."""
    battle = state.battle
    site, groups = state.at_sea(side), battle.present(side)
    for group in battle.numbered(side):
        site.air, group.air = merged(site.air, group.air), {}
    yield from settle_decks(state, side)
    air, site.air = site.air, {}
    yield from spread(side, air, groups)


def _leave_deck(site: Site, which: Unit, number: int) -> None:
    """Squadrons are no longer fit to fly; those that were aborted or had flown in this round are counted out last."""
    take(site.air, which, number)
    left = site.air.get(which, 0)
    for marks in (site.aborted, site.flown, site.barred):
        if marks.get(which, 0) > left:
            marks[which] = left
            if not left:
                del marks[which]


def in_the_air(state: State, side: str) -> Force:
    """The squadrons of a side that are over the sea: patrols, and those back from a strike or still in one."""
    battle = state.battle
    flying = dict(state.at_sea(side).struck)
    for group in battle.groups.values():
        if group.side == side:
            for which, number in group.patrol.items():
                add(flying, which, number)
    if battle.strike is not None and battle.strike.side == side:
        for which, number in battle.strike.attackers.items():
            if which.home == at_sea(side):
                add(flying, which, number)
    return flying


# --- landing ----------------------------------------------------------------------------------------------------


@rule("22.463", "22.463A", "SOP-NC-I.G.3", "22.4421C", "23.24B")
def land(state: State, side: str) -> Script[None]:
    """22.463: after all strikes land-based air returns to its bases and carrier air to the carriers of its side, before
    fleet combat."""
    return_to_bases(state, side)
    return land_on_carriers(state, side)


@rule("22.463A", "22.4421C", "23.24B", "23.23E", "23.752A")
def return_to_bases(state: State, side: str) -> None:
    """22.463A: land-based squadrons that covered, searched or struck are in their bases again, uninverted."""
    for group in state.battle.groups.values():
        if group.cover and group.side == side:
            state.bring_back(group.cover)
            group.cover = {}
    for base, _ in state.scene.in_reach[side]:
        site = state.sites[base]
        if site.searching:
            state.bring_back(site.searching)
            site.searching = {}
        if site.struck:
            state.bring_back(site.struck)
            site.struck = {}


@rule("22.463", "23.34C")
def land_on_carriers(state: State, side: str) -> Script[None]:
    """22.463: carrier squadrons land on the carriers of their side; those who find no deck are lost."""
    words = ("{}: landing squadrons on carriers", state.name(side))
    lost = yield from secretly(side, words, _land_on_carriers(state, side), "22.463")
    if lost:
        state.lose(lost)
        told = ("{}: no deck left for {}: lost", state.name(side), Lost(lost.items()))
        yield disclosed(told, "22.463", side, Headline("air-lost"))


@rule("22.463B.1", "22.463C.1", "22.463C.2", "17.3124.2")
def _land_on_carriers(state: State, side: str) -> Script[Force]:
    """22.463B, C: patrols and strikes land on any undamaged carriers of their side; those beyond the decks are
    eliminated, patrols too (`docs/rulings.md`). Gives those."""
    site, groups = state.at_sea(side), state.battle.numbered(side)
    patrols = _call_in_patrols(groups)
    if patrols:
        yield from _land_ashore(state, side, patrols)
    aloft = merged(site.struck, patrols)
    landings, lost = _by_deck(merged(site.air, aloft), groups), {}
    for country, squadrons, _, total in landings:
        surplus = sum(squadrons.values()) - total
        if surplus <= 0:
            continue
        flying = by_nation(aloft).get(country, {})
        few = ("Too few decks. How many of {} are lost?", "Too few decks. Is {} lost?", "Spare it", "Lose it")
        for which, number in (yield from pick(side, "lose", flying, surplus, few, "22.463")).items():
            take(squadrons, which, number)
            lost[which] = number
    site.air, site.struck, site.aborted, site.flown, site.barred = {}, {}, {}, {}, {}
    yield from _share_out(side, landings)
    return lost


def _call_in_patrols(groups: Sequence[Group]) -> Force:
    patrols: Force = {}
    for group in groups:
        if group.patrol:
            patrols = merged(patrols, group.patrol)
            group.patrol = {}
    return patrols


@rule("22.463B.2", "17.3124.4")
def _land_ashore(state: State, side: str, patrols: Force) -> Script[None]:
    """22.463B: patrols, but not strikes, may land at a base within three hexes that has room, and are inverted
    there. An SW box has no bases in range: in raider combat they can land on carriers only (22.35)."""
    for base, holds in () if state.scene.raiders else state.scene.decks_ashore[side]:
        air = state.sites[base].air
        for which in list(patrols):
            able = range(min(patrols[which], max(0, holds - taken(state, base))) + 1)
            name = state.place(base).name
            question, labels = _ashore_words(which, patrols[which], name)
            number: int = yield Choose(side, ("ashore", base, which.tag), able, question, labels, "22.463")
            if number:
                take(patrols, which, number)
                landed = state.rebased(which, base).turned(inverted=True)
                add(air, landed, number)
                words = ("{} landed at {}", Counted(landed, number), name)
                yield disclosed(words, "22.463", side)


@lru_cache(maxsize=1024)
def _ashore_words(which: Unit, number: int, base: str) -> tuple[Words, CountLabel]:
    who = Counted(which, number)
    many, one = ("Land how many of {} at {}?", who, base), ("Land {} at {}?", who, base)
    return count_or_not(number, many, one, "Land on a carrier", ("Land at {}", base))


@rule("17.3124.2", "22.463C.1")
def spread(side: str, air: Force, groups: Sequence[Group]) -> Script[None]:
    """17.3124: squadrons for whom there is room are shared out among the undamaged carriers of their nation, as the
    owner likes."""
    return _share_out(side, _by_deck(air, groups))


Landing = tuple[str, Force, list[tuple[Group, int]], int]
"""A nation, its squadrons, the groups where it has undamaged carriers with the room on these, and all that room."""


def _by_deck(air: Force, groups: Sequence[Group]) -> list[Landing]:
    landings = []
    for country, squadrons in by_nation(air).items():
        able, total = [], 0
        for group in groups:
            sound = sound_room(group.ships).get(country, 0)
            if sound:
                able.append((group, sound))
                total += sound
        landings.append((country, squadrons, able, total))
    return landings


def _share_out(side: str, landings: list[Landing]) -> Script[None]:
    """Group by group, who of those left goes aboard its carriers, so that the rest finds room elsewhere."""
    for _, left, able, elsewhere in landings:
        for group, here in able[:-1]:
            elsewhere -= here
            rest = sum(left.values())
            least = rest - elsewhere
            aboard: Force = {}
            for which, count in list(left.items()):
                rest -= count
                number, most = max(0, least - rest), count if count < here else here
                if number < most:
                    question, labels = _landing_words(which, count, group.name)
                    verb, values = ("land", str(group.number), which.tag), range(number, most + 1)
                    number = yield Choose(side, verb, values, question, labels, "22.463")
                if number:
                    take(left, which, number)
                    aboard[which] = number
                    least, here = least - number, here - number
            group.air = merged(group.air, aboard)
        if left:
            last = able[-1][0]
            last.air = merged(last.air, left)


@lru_cache(maxsize=1024)
def _landing_words(which: Unit, number: int, group: str) -> tuple[Words, CountLabel]:
    who = Counted(which, number)
    many, one = ("Land how many of {} with {}?", who, group), ("Land {} with {}?", who, group)
    return count_or_not(number, many, one, "Land elsewhere", "Land here")


@rule("17.3124", "17.3124.5")
def join_battle(state: State, group: Group) -> None:
    """17.3124: a combat group takes part from here on, and squadrons aboard its damaged carriers stand with all others
    of their side that can only be carried."""
    operation = state.operation_if_any
    if operation is None and not group.air:
        return
    site = state.at_sea(group.side)
    if operation is None:
        for which, number in without_deck(group.ships, group.air).items():
            take(group.air, which, number)
            add(site.grounded, which, number)
        return
    # its forces have told them apart before; those of carriers that may not fight stay away
    room = {country: damaged for country, (_, damaged) in decks(group.ships).items()}
    for key in group.parts:
        grounded = operation.fleet[key].grounded
        for which, number in list(grounded.items()):
            if some := min(number, room.get(which.nation, 0)):
                take(grounded, which, some)
                add(site.grounded, which, some)
                room[which.nation] -= some
