"""Laws of A World at War's air units: what must be true of every state of a battle, given its opening.

They are held against what the umpire sees, not against how the state keeps it. Air factors and squadrons are put on one
scale, the squadron (a factor is three). In the middle of a segment units are on their way, and only their numbers can
be held to anything; at borders the accounts must balance:

* naval air is never converted: in play and lost make what there was at the opening, exactly;
* so does all other air, exactly, in a battle without naval air, since then nothing is broken down;
* where it is broken down, putting squadrons together rounds to whole factors (23.142A), by at most one squadron for
  each place in which some of a kind are, and at the end air beyond the force pool leaves play (23.142C);
* at the end nothing but naval air is in squadrons, and air in play and lost is within the force pool.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from flagplot.awaw.basing import capacity
from flagplot.awaw.battle.counterair import patrol_limit
from flagplot.awaw.looking import look
from flagplot.awaw.state import Place, State
from flagplot.kernel.ruleset import UMPIRE

NAVAL = ("naval", "elite-naval")
FACTORS = "factors"

Kind = tuple[str, str]
"""A nation and an arm."""


class Flight(NamedTuple):
    """Some identical units, as the umpire sees them."""

    where: str
    home: str
    nation: str
    arm: str
    role: str
    units: int
    aborted: int

    @property
    def kind(self) -> Kind:
        return self.nation, self.arm

    @property
    def squadrons(self) -> int:
        return self.units * (3 if self.role == FACTORS else 1)


class Overview:
    """The units of a state and where they are: in a site, ``under`` its marker, or ``flown``."""

    def __init__(self, state: State) -> None:
        self.seen: dict[str, Any] = look(state, UMPIRE)
        self.over: bool = self.seen["over"]
        self.lost: dict[str, int] = self.seen["lost"]
        self.sites: dict[str, dict[str, Any]] = self.seen["sites"]
        self.flights: list[Flight] = []
        for key, site in self.sites.items():
            self._add(key, site["air"])
            self._add(f"under {key}", site["hidden"])
        missions = [self.seen["mission"], *self.seen["announced"]]
        for mission in filter(None, missions):
            self._add("flown", mission["attackers"])

    def _add(self, where: str, flights: list[dict[str, Any]]) -> None:
        for seen in flights:
            kind = seen["nation"], seen["arm"], seen["role"]
            self.flights.append(Flight(where, seen["home"], *kind, seen["count"], seen["aborted"]))

    def at(self, site: str) -> list[Flight]:
        return [flight for flight in self.flights if flight.where == site]

    def account(self) -> Counter[Kind]:
        """Units in play and lost, in squadrons."""
        sums: Counter[Kind] = Counter()
        for flight in self.flights:
            sums[flight.kind] += flight.squadrons
        for key, units in self.lost.items():
            nation, arm, unit = key.split("/")
            sums[nation, arm] += units * (3 if unit == FACTORS else 1)
        return sums

    def places(self, kind: Kind) -> int:
        """In how many places there are units of a kind, those of different homes apart."""
        return len({(flight.where, flight.home) for flight in self.flights if flight.kind == kind})

    def pooled(self, kind: Kind) -> int:
        """23.142C: factors of a nation and arm in play, and those that wait to be built again."""
        pool = "/".join(kind)
        unbuilt = self.lost.get(f"{pool}/factors", 0) + self.lost.get(f"{pool}/squadrons", 0) // 3
        return unbuilt + sum(flight.units for flight in self.flights if flight.kind == kind)


class CounterairLaws:
    """The laws of one battle."""

    def __init__(self, opening: State) -> None:
        self.setting = opening.setting
        self.opening = Overview(opening)
        self.naval = any(flight.arm in NAVAL for flight in self.opening.flights)
        self.owner = {flight.nation: self._place(flight.home).side for flight in self.opening.flights}

    def _place(self, site: str) -> Place:
        return self.setting.places[site]

    def always(self, state: State) -> Iterator[str]:
        """No negative numbers, and not more aborted than there are."""
        for flight in Overview(state).flights:
            if flight.units < 0 or not 0 <= flight.aborted <= flight.units:
                yield f"{flight.units} units, {flight.aborted} of them aborted: {flight}"

    def step(self, before: State, after: State) -> Iterator[str]:
        was, now = Overview(before), Overview(after)
        yield from self._flights(now)
        yield from self._conserved(was, now)
        yield from self._room(now)
        yield from self._patrols(was, now)
        if now.over:
            yield from self._end(now)

    def _flights(self, now: Overview) -> Iterator[str]:
        """No empty flights; each is based where it is, on its own side; nothing is hidden in an attacked base."""
        for flight in now.flights:
            if flight.units <= 0:
                yield f"an empty flight: {flight}"
            if flight.where in now.sites and flight.home != flight.where:
                yield f"based here, but its home is elsewhere: {flight}"
            if self.owner[flight.nation] != self._place(flight.home).side:
                yield f"in a base of the enemy: {flight}"
        for key, site in now.sites.items():
            if site["counteraired"] and site["hidden"]:
                yield f"{key} was attacked, but something is still hidden there (18.521C)"

    def _conserved(self, was: Overview, now: Overview) -> Iterator[str]:
        sums, later = was.account(), now.account()
        for kind in sums | later:
            change, rounding = later[kind] - sums[kind], self._rounding(kind, was, now)
            removed = self._may_be_removed(kind, now)
            if not -rounding - removed <= change <= rounding:
                yield f"{' '.join(kind)} air in play and lost, in squadrons: {sums[kind]}, then {later[kind]}"

    def _rounding(self, kind: Kind, was: Overview, now: Overview) -> int:
        """The squadrons that putting together may add or drop (23.142A)."""
        return 0 if kind[1] in NAVAL or not self.naval else max(was.places(kind), now.places(kind))

    def _may_be_removed(self, kind: Kind, now: Overview) -> int:
        """23.142C: at the end air is removed, but not beyond the point at which the force pool is just full."""
        full = now.over and kind[1] not in NAVAL and now.pooled(kind) == self.setting.pool.get("/".join(kind), 0)
        return 3 * len(self.setting.places) if full else 0

    def _room(self, now: Overview) -> Iterator[str]:
        """18.12: nobody flees to where there is no room. Carrier air under a marker may come ashore all the same, and
        squadrons that fitted may have been rounded up to factors."""
        for key in now.sites:
            place = self._place(key)
            if place.afloat or place.box or place.marker:
                continue
            reduced = self.setting.pacific and (place.island or place.jungle)
            room = 3 * capacity(place.installations, reduced=reduced)
            room += place.island and any(flight.arm in NAVAL for flight in now.at(key))
            rounded = len({flight.kind for flight in now.at(key) if flight.arm not in NAVAL}) if self.naval else 0
            needed = sum(flight.squadrons for flight in now.at(key))
            if needed - rounded > room:
                yield f"{key} has room for {room} squadrons, but holds {needed}"

    def _patrols(self, was: Overview, now: Overview) -> Iterator[str]:
        """23.33: at most a third of the squadrons that a carrier force had as the round began flies patrol."""
        for key, site in now.sites.items():
            patrol, there = site["patrol"], sum(flight.units for flight in now.at(key))
            if patrol and not self._place(key).afloat:
                yield f"a patrol over {key}, which is not at sea"
            if patrol > there:
                yield f"{patrol} squadrons of {key} fly patrol, but {there} are there"
            if patrol > site["patrol_limit"]:
                yield f"{patrol} squadrons of {key} fly patrol, but {site['patrol_limit']} may"
            present = sum(flight.units for flight in was.at(key))
            if site["patrol_limit"] not in (was.sites[key]["patrol_limit"], patrol_limit(present)):
                yield f"{site['patrol_limit']} of {present} squadrons of {key} may fly patrol"

    def _end(self, now: Overview) -> Iterator[str]:
        """23.141C: at the end everyone is home and put together, and army air is within the force pool."""
        for flight in now.flights:
            if flight.where == "flown":
                yield f"still flown at the end: {flight}"
            if flight.role != FACTORS and flight.arm not in NAVAL:
                yield f"not put together at the end: {flight}"
        for pool, factors in self.setting.pool.items():
            nation, arm = pool.split("/")
            if now.pooled((nation, arm)) > factors:
                yield f"{nation} has {now.pooled((nation, arm))} {arm} air factors; its force pool holds {factors}"
