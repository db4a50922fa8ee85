"""Laws of A World at War: what must be true of every state of a battle, given its opening.

They are held against what the umpire sees, not against how the state keeps it. Air factors and squadrons are put on one
scale, the squadron (a factor is three). In the middle of a segment units are on their way, and only their numbers can
be held to anything; at borders the accounts must balance:

* naval air is never converted: in play and lost make what there was at the opening, exactly;
* so does all other air, exactly, in an air phase without naval air, since then nothing is broken down, and in a naval
  battle until its end, since until then nothing is put together;
* where that is done, squadrons are rounded to whole factors (23.142A), by at most one squadron for each place in which
  some of a kind are, and at the end air beyond the force pool leaves play (23.142C);
* at the end nothing but naval air is in squadrons, and air in play and lost is within the force pool.

Naval battles have further laws: see `flagplot.testing.awaw_battle`. Operations have their own:
`flagplot.testing.awaw_operations`, and air turns: `flagplot.testing.awaw_turns`.
"""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.awaw.air_units import Role
from flagplot.awaw.basing import capacity
from flagplot.awaw.state.setting import Place
from flagplot.awaw.state.state import State
from flagplot.kernel.plain_data import copy_of
from flagplot.testing.awaw_battle import BattleLaws
from flagplot.testing.awaw_operations import OperationLaws
from flagplot.testing.awaw_overview import NAVAL, Kind, Overview
from flagplot.testing.awaw_turns import TurnLaws


class AwawLaws:
    """The laws of one battle."""

    def __init__(self, opening: State) -> None:
        self.operation: OperationLaws | None = None
        if opening.turn_if_any is not None:
            self.operation = TurnLaws(opening)
        elif opening.operation_if_any is not None:
            self.operation = OperationLaws(opening)
        self.setting, self.scene = opening.setting, opening.scene
        self.opening = Overview(copy_of(opening))
        self.converts = self.opening.battle is not None or any(flight.naval for flight in self.opening.flights)
        self.owner = {flight.nation: self._place(flight.home).side for flight in self.opening.flights}
        self.battle = BattleLaws(opening, self.opening) if self.opening.battle else None

    def _place(self, site: str) -> Place:
        return self.scene.places[site]

    def always(self, state: State) -> Iterator[str]:
        """No negative numbers, and not more aborted than there are."""
        if self.operation is not None and state.operation_if_any is not None:
            yield from self.operation.always(state)
            return
        now = Overview(state)
        for flight in now.flights:
            if flight.units < 0 or not 0 <= flight.aborted <= flight.units:
                yield f"{flight.units} units, {flight.aborted} of them aborted: {flight}"
        if self.battle is not None:
            yield from self.battle.always(now)

    def step(self, before: State, after: State) -> Iterator[str]:
        if self.operation is not None and after.operation_if_any is not None:
            assert before.operation_if_any is not None
            yield from self.operation.step(before, after)
            return
        was, now = Overview(before), Overview(after)
        yield from self._flights(now)
        yield from self._conserved(was, now)
        yield from self._room(now)
        if now.over:
            yield from self._end(now)
        if self.battle is not None:
            yield from self.battle.step(was, now)

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
            if site.counteraired and site.hidden:
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
        exact = kind[1] in NAVAL or not self.converts or (now.battle and not now.over)
        return 0 if exact else max(was.places(kind), now.places(kind))

    def _may_be_removed(self, kind: Kind, now: Overview) -> int:
        """23.142C: at the end air is removed, but not beyond the point at which the force pool is just full."""
        full = now.over and kind[1] not in NAVAL and now.pooled(kind) == self.setting.pool.get("/".join(kind), 0)
        return 3 * len(self.scene.places) if full else 0

    def _room(self, now: Overview) -> Iterator[str]:
        """18.12: nobody flees or lands where there is no room. Carrier air under a marker may come ashore all the same,
        and squadrons that fitted may have been rounded up to factors."""
        for key in now.sites:
            place = self._place(key)
            if place.afloat or place.box or place.marker:
                continue
            reduced = self.setting.pacific and (place.island or place.jungle)
            room = 3 * capacity(place.installations, reduced=reduced)
            room += place.island and any(flight.naval for flight in now.at(key))
            rounded = len({flight.kind for flight in now.at(key) if not flight.naval}) if self.converts else 0
            needed = sum(flight.squadrons for flight in now.at(key))
            if needed - rounded > room:
                yield f"{key} has room for {room} squadrons, but holds {needed}"

    def _end(self, now: Overview) -> Iterator[str]:
        """23.141C: at the end everyone is home and put together, and army air is within the force pool."""
        for flight in now.flights:
            if flight.where.split()[0] in UNDER_WAY:
                yield f"still under way at the end: {flight}"
            if flight.role is not Role.FACTORS and not flight.naval:
                yield f"not put together at the end: {flight}"
        for pool, factors in self.setting.pool.items():
            nation, arm = pool.split("/")
            if now.pooled((nation, arm)) > factors:
                yield f"{nation} has {now.pooled((nation, arm))} {arm} air factors; its force pool holds {factors}"


UNDER_WAY = ("flown", "strike", "struck", "searching", "patrol", "cover", "aboard")
"""Where nobody is when a battle is over; carrier air is then on the decks of its groups."""
