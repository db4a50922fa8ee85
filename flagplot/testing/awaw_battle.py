"""Laws of naval battles: ships, combat groups, carrier air, patrol, cover, search and strikes.

Of these hold in the middle of a segment too: no ship and no naval squadron is counted twice, no group is attacked more
often than it was found, numbers are unique, a strike is within its size, and everybody flies in the role of his kind.
At borders all ships are afloat, sunk or returned to port, what was hit or sunk stays so, groups keep their numbers and
gain no ships, and carriers hold the squadrons that they may.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from flagplot.awaw.air_units import Role
from flagplot.awaw.ships import Kind
from flagplot.awaw.state.setting import drm_ledger
from flagplot.awaw.state.state import State
from flagplot.testing.awaw_overview import (
    NAVAL,
    CombatGroup,
    Flight,
    Overview,
    Sort,
    at_sea,
    by_nation,
    decks_in,
    decks_of,
    sorts,
)

MOST_GROUPS = 6
LEAST_FACTORS = 10
"""22.451D: an active group of fewer undamaged factors gives no search die."""
STRIKE_SIZES = ((99, 12), (3, 8), (2, 4))
"""23.73: at most so many squadrons of a strike may have an Air Nationality DRM below the first number."""
ROLES = {"cover": Role.COVER, "searching": Role.SEARCH, "struck": Role.ATTACK, "strike": Role.ATTACK}
"""23.11: what army squadrons do is the role of their kind; naval squadrons do anything."""


class BattleLaws:
    """The laws of one naval battle."""

    def __init__(self, state: State, opening: Overview) -> None:
        self.setting, self.scene = state.setting, state.scene
        self.ships = opening.ships()
        self.air = {kind: number for kind, number in opening.account().items() if kind[1] in NAVAL}

    # --- at any moment ------------------------------------------------------------------------------------------

    def always(self, now: Overview) -> Iterator[str]:
        yield from self._nothing_twice(now)
        yield from self._numbers(now)
        yield from self._roles(now)
        yield from self._strike_sizes(now)
        for group in now.groups:
            yield from _in_a_round(group)
        for side, air in now.chart.carrier_air.items():
            aboard = {(flight.nation, flight.arm): flight.count for flight in air.aboard}
            for flight in air.aborted:
                if flight.count > aboard.get((flight.nation, flight.arm), 0):
                    yield f"more squadrons of {side} were aborted than are aboard: {flight.text}"

    def _nothing_twice(self, now: Overview) -> Iterator[str]:
        """Nothing is counted twice; in the middle of a segment something may be on its way and not be counted."""
        for sort, number in now.ships().items():
            if number > self.ships[sort]:
                yield f"{_words(sort)}: {number}, but there were {self.ships[sort]} at the opening"
        for kind, number in now.account().items():
            if kind[1] in NAVAL and number > self.air.get(kind, 0):
                yield f"{' '.join(kind)} air: {number} squadrons, but there were {self.air.get(kind, 0)} at the opening"

    def _numbers(self, now: Overview) -> Iterator[str]:
        """22.421C, 22.423: at most six groups a side, each with a number of its own from 1 to 6; that of a group that
        was destroyed is free (22.523E)."""
        afloat = [group.label for group in now.groups if group.seen.status != "destroyed"]
        for label, count in Counter(afloat).items():
            if count > 1 or not 1 <= label[1] <= MOST_GROUPS:
                yield f"{count} combat groups of {label[0]} have the number {label[1]}"

    def _roles(self, now: Overview) -> Iterator[str]:
        """23.11, 22.442: who flies patrol, cover, search and strikes, and from where."""
        for flight in now.flights:
            doing = flight.where.split()[0]
            afloat = self.scene.places[flight.home].afloat
            if doing in ROLES and flight.role != (Role.SQUADRONS if flight.naval else ROLES[doing]):
                yield f"not for this role: {flight}"
            if PLACES.get(doing, afloat) != afloat:
                yield f"based in the wrong place for this role: {flight}"
            if flight.where.endswith(" at sea") and not afloat:
                yield f"not carrier air: {flight}"

    def _strike_sizes(self, now: Overview) -> Iterator[str]:
        flying = [(flight, self._drm(flight)) for flight in now.at("strike")]
        for below, most in STRIKE_SIZES:
            squadrons = sum(flight.units for flight, drm in flying if drm < below)
            if squadrons > most:
                yield f"{squadrons} squadrons with a DRM below {below} are in one strike; {most} may be (23.73)"

    def _drm(self, flight: Flight) -> int:
        return drm_ledger(self.setting, self.scene.places[flight.home], flight.nation, flight.arm).total

    # --- from border to border ----------------------------------------------------------------------------------

    def step(self, was: Overview, now: Overview) -> Iterator[str]:
        ships = now.ships()
        for sort in self.ships:
            if ships[sort] != self.ships[sort]:
                yield f"{_words(sort)}: {ships[sort]} afloat, sunk or returned, but {self.ships[sort]} at the opening"
        yield from _damage(was, now)
        yield from _groups(was, now)
        if now.chart.engagement is None:
            for group in now.groups:
                yield from _full(by_nation(group.aboard), decks_of(group.ships, damaged=False), f"aboard {group}")
            for force in now.pending:  # those aboard its damaged carriers are told apart when it joins (17.3124)
                room = decks_of(force.ships, damaged=False) + decks_of(force.ships, damaged=True)
                yield from _full(by_nation(force.aboard), room, f"aboard {force}")
        if now.chart.strike is None and now.chart.engagement is None:
            for side in now.seen.sides:
                yield from _at_sea(now, side)
        for group in now.groups:
            same = was.chart.round == now.chart.round and _is_planning(now)
            yield from _patrol_limit(_before(was, group), group, same=same)
        if not self.scene.raiders:
            yield from self._results(was, now)

    def _results(self, was: Overview, now: Overview) -> Iterator[str]:
        """22.452: no more search results than dice were rolled (22.451)."""
        for side in now.seen.sides:
            found, before = _found_by(now, side), _found_by(was, side)
            if found > before and found > self._dice(now, side):
                yield f"{side} has {found} search results with {self._dice(now, side)} dice"

    def _dice(self, now: Overview, side: str) -> int:
        searching = [
            flight
            for flight in now.flights
            if flight.where.startswith("searching ") and self.scene.places[flight.home].side == side
        ]
        holder = self.scene.codebreaking
        dice = sum(flight.units for flight in searching) + now.chart.round - 1
        dice += (1 if holder == side else -1) if holder else 0
        dice += sum(_searches(group) for group in now.groups if group.side == side)
        return max(0, dice)


PLACES = {"patrol": True, "decks": True, "cover": False, "searching": False}
"""Whether those who do it come from carriers; strikes come from both."""


def _words(sort: Sort) -> str:
    nation, kind, name = sort
    return name or f"{nation} {kind}"


def _is_planning(seen: Overview) -> bool:
    """Whether patrols may just have taken off: squadrons leave their groups then, and not for any other reason."""
    segment = seen.chart.segment
    return segment is not None and segment.mark in "BCD"


def _in_a_round(group: CombatGroup) -> Iterator[str]:
    """22.452C, 23.33: no more attacks than search results, no more squadrons on patrol than may fly it."""
    if not 0 <= group.seen.attacks <= group.seen.results:
        yield f"{group} was found {group.seen.results} times and attacked {group.seen.attacks} times"
    patrol = sum(flight.units for flight in group.patrol)
    if patrol > group.own.patrol_limit:
        yield f"{patrol} squadrons fly patrol over {group}, but {group.own.patrol_limit} may"


def _damage(was: Overview, now: Overview) -> Iterator[str]:
    """Hits on named ships never heal, and what is sunk stays sunk."""
    hits = {ship.id: ship.hits for ship in was.afloat if ship.id}
    for ship in now.afloat:
        if ship.id and ship.hits < hits.get(ship.id, 0):
            yield f"{ship.id} had {hits[ship.id]} hits and has {ship.hits}"
    sunk = sorts(now.chart.sunk)
    for sort, number in sorts(was.chart.sunk).items():
        if sunk[sort] < number:
            yield f"{_words(sort)}: {number} sunk, and then {sunk[sort]}"


def _groups(was: Overview, now: Overview) -> Iterator[str]:
    """22.423, 22.426: a group keeps its number, unless it evades, and gains no ships; only pending forces make new
    groups."""
    waiting, waited = (sorts(which for force in seen.pending for which in force.ships) for seen in (now, was))
    for sort, number in waiting.items():
        if number > waited[sort]:
            yield f"{_words(sort)}: {waited[sort]} in pending forces, and then {number}"
    for group in now.groups:
        before = _before(was, group)
        source = sorts(before.ships) if before else waited
        for sort, number in sorts(group.ships).items():
            if number > source[sort]:
                yield f"{_words(sort)}: {number} in {group}, where there were {source[sort]}"


def _before(was: Overview, group: CombatGroup) -> CombatGroup | None:
    """22.424: the same group at the last border; one that evades has had a lower number."""
    if not group.seen.evaded:
        return was.group(group.label)
    same = [other for other in was.groups if (other.side, other.own.name) == (group.side, group.own.name)]
    return next((other for other in same if other.label[1] <= group.label[1]), None)


def _full(squadrons: Counter[str], room: Counter[str], where: str) -> Iterator[str]:
    """17.312: squadrons are aboard carriers of their nation that have room for them."""
    for nation, number in squadrons.items():
        if number > room[nation]:
            yield f"{number} squadrons of {nation} {where}, which has room for {room[nation]}"


def _at_sea(now: Overview, side: str) -> Iterator[str]:
    """17.3124: while no strike is under way those aboard have decks beside those in the air, and those aboard damaged
    carriers are no more than these carry."""
    aloft, sound = by_nation(now.aloft(side)), now.decks(side, damaged=False)
    left = Counter({nation: max(0, number - aloft[nation]) for nation, number in sound.items()})
    yield from _full(by_nation(now.at(at_sea("aboard", side))), left, f"aboard the fleet of {side}")
    grounded = by_nation(now.at(at_sea("grounded", side)))
    yield from _full(grounded, now.decks(side, damaged=True), f"aboard the damaged carriers of {side}")


def _patrol_limit(was: CombatGroup | None, now: CombatGroup, *, same: bool) -> Iterator[str]:
    """23.33: a third of the squadrons that the group had as the round began may fly patrol."""
    limit = now.own.patrol_limit
    if was is None or limit != was.own.patrol_limit:
        most = _third(sum(map(decks_in, now.ships)))
        if limit > most:
            yield f"{limit} squadrons may fly patrol over {now}, whose carriers allow {most}"
    present = sum(flight.units for flight in was.aboard) if was and same else 0
    if present and not now.aboard and limit != _third(present):
        yield f"{limit} of {present} squadrons of {now} may fly patrol"


def _third(squadrons: int) -> int:
    return -(-squadrons // 3)


def _found_by(seen: Overview, side: str) -> int:
    return sum(group.seen.results for group in seen.groups if group.side != side)


def _searches(group: CombatGroup) -> bool:
    """22.451D: an active group of ten undamaged factors, or a distant one with a ready carrier."""
    if group.seen.status == "distant":
        return group.own.ready_carrier
    fit = [ship for ship in group.ships if not ship.damaged and ship.kind is not Kind.TRANSPORT]
    return sum([ship.count * ship.size for ship in fit]) >= LEAST_FACTORS
