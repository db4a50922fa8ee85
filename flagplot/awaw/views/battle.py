"""The Naval Combat Chart: what each side may know of the combat groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

from flagplot.awaw.battle.groups import is_active, is_slow_group
from flagplot.awaw.battle.stages import SegmentView, present_stage
from flagplot.awaw.ships import FAST_CARRIERS, Fleet, factors
from flagplot.awaw.state.air import Site
from flagplot.awaw.state.battle import Dive, Engagement, Facts, Group, Strike, Submarines
from flagplot.awaw.state.state import State
from flagplot.awaw.views.units import Flights, FlightView, Ships, flights, flights_listed, ships_listed, ships_seen
from flagplot.kernel.rules import rule
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.view_types import HIDDEN, Hidden, Parts, Seen, known, part


class OwnGroup(Seen):
    """What only its owner knows of a combat group, or of a force that waits."""

    name: str
    factors: int
    slow: bool
    cargo: str
    air: Flights
    patrol: Flights
    patrol_limit: int
    ready_carrier: bool
    shed: Ships


class GroupView(Seen):
    """22.423B: a combat group: its number is public; contents, patrol and cover are its owner's until search and
    strikes show them."""

    opened: ClassVar = frozenset({"own"})

    side: str
    number: int
    status: str
    """``active``, ``distant`` or ``destroyed``."""
    results: int
    attacks: int
    told: Facts | None
    """What the enemy was last told of it."""
    revealed: bool
    evaded: bool
    ships: Ships | Hidden
    cover: Flights | Hidden
    own: OwnGroup | Hidden


class FleetView(NamedTuple):
    """A combat group that is afloat, as its owner sees it at a glance: less than all of it, and made at once."""

    number: int
    ships: Ships
    air: Flights
    patrol: Flights
    cargo: str
    evaded: bool


class EnemyView(NamedTuple):
    """A combat group that is afloat, as its enemy sees it at a glance."""

    number: int
    ships: Ships | Hidden
    told: Facts | None
    results: int
    attacks: int
    revealed: bool


class PendingView(Seen):
    """A force that has not joined the battle, for its owner."""

    opened: ClassVar = frozenset({"own"})

    own: OwnGroup
    ships: Ships
    arrives: int


class OwnDeparted(Seen):
    """What only its owner knows of a group that withdrew."""

    name: str
    cargo: str
    air: Flights


class DepartedView(Seen):
    """22.61: what withdrew: the enemy knows its number, and the ships if he has seen them."""

    opened: ClassVar = frozenset({"own"})

    side: str
    number: int
    round: int
    revealed: bool
    ships: Ships | Hidden
    own: OwnDeparted | Hidden


class StrengthView(Seen):
    """The factors of a side that are undamaged and in the battle, or may still join it, and all that it brought."""

    left: int
    began: int


class CarrierAirView(Seen):
    """The carrier air of a side, as it stands during a round."""

    aboard: Flights
    aborted: Flights
    flown: Flights
    struck: Flights
    grounded: Flights
    returned: Flights
    returned_ships: Ships


class AimView(Seen):
    """Squadrons against one target."""

    target: str
    squadrons: Flights


class StrikeView(Seen):
    """An air strike; all of it is announced as it goes."""

    side: str
    target: int
    """The number of the group."""
    surprise: bool
    level: int
    attackers: Flights
    defenders: Flights
    aims: tuple[AimView, ...]


class DiveView(Seen):
    """17.461: kamikazes that attack, where both sides see them."""

    side: str
    target: int
    kamikazes: int
    diverted: int
    defenders: Flights
    aims: dict[str, int]


class VolleyView(Seen):
    """Ships that fire on one target."""

    side: str
    target: str
    ships: Ships


class EngagementView(Seen):
    """22.521: a fleet combat that is agreed on: who meets whom is open, by the numbers of the groups."""

    moving: int
    intercepting: int
    seeker: str


class FoughtView(Seen):
    """22.531: the fleet combat that is fought: who is screened is a secret until both sides show their ships."""

    opened: ClassVar = frozenset({"agreed"})

    agreed: EngagementView
    revealed: bool
    screened: dict[str, Ships] | Hidden
    volleys: tuple[VolleyView, ...] | Hidden
    held: dict[str, dict[str, int]] | Hidden


class SubmarinesView(Seen):
    """Submarines are public: they have shown themselves by intercepting, or came with a force that did."""

    side: str
    nation: str
    factors: int
    spent: int
    lost: int
    advanced: bool
    accompany: bool
    arrives: int


class ConsequenceView(Seen):
    """What follows from a battle."""

    side: str
    rule: str
    text: str


class OutcomeView(Seen):
    """22.72: how the battle ended, and what follows from it, as the reader may know it."""

    rule: str
    losers: tuple[str, ...]
    consequences: tuple[ConsequenceView, ...]


def owns(reader: str, side: str) -> bool:
    """Whether a reader knows what a side knows of its own."""
    return reader in (side, UMPIRE)


class BattleView(Parts[State]):
    """A naval battle as the Naval Combat Chart shows it to a reader."""

    def owns(self, side: str) -> bool:
        """Whether the reader knows what a side knows of its own."""
        return owns(self.reader, side)

    @part
    def round(self) -> int:
        return self.now.battle.phase + 1

    @part
    def segment(self) -> SegmentView | None:
        return present_stage(self.now.frames)

    @part
    def groups(self) -> tuple[GroupView, ...]:
        """The combat groups of both sides by their numbers, those among them that were destroyed in this round."""
        return tuple([group for side in self.now.sides for group in self.groups_of(side)])

    def groups_of(self, side: str) -> tuple[GroupView, ...]:
        """Those of one side: who asks about his own does not look at the enemy's."""
        made: dict[str, tuple[GroupView, ...]] = self.__dict__.setdefault("_by_side", {})
        seen = made.get(side)
        if seen is None:
            seen = made[side] = tuple([self._seen(group) for group in self.now.battle.numbered(side)])
        return seen

    def group(self, side: str, number: int) -> GroupView | None:
        """The group of a side that has this number: who asks about one does not look at the others."""
        if "groups" in self.__dict__:
            return next((seen for seen in self.groups if seen.number == number and seen.side == side), None)
        for group in self.now.battle.groups.values():
            if group.number == number and number and group.side == side:
                return self._seen(group)
        return None

    def _seen(self, group: Group) -> GroupView:
        """A group is made once, whoever asks for it."""
        made: dict[tuple[str, int], GroupView] = self.__dict__.setdefault("_made", {})
        key = group.side, group.number
        seen = made.get(key)
        if seen is None:
            seen = made[key] = self._group(group)
        return seen

    # For whoever is in a hurry and looks at one thing alone. What was made already is not made again.

    def enemy_groups(self) -> list[EnemyView]:
        """The enemy's combat groups that are afloat, by their numbers."""
        reader = self.reader
        if "groups" in self.__dict__:
            return [_enemy_seen(group) for group in self.groups if group.side != reader and _is_seen_afloat(group)]
        seen: list[EnemyView] = []
        for group in self.now.battle.groups.values():
            if group.side != reader and group.number and _is_afloat(group):
                seen.append(_enemy(group))
        if len(seen) > 1:
            seen.sort(key=_number)
        return seen

    def enemy_group(self, number: int) -> EnemyView | None:
        """The one that has this number."""
        if "groups" in self.__dict__:
            return next((group for group in self.enemy_groups() if group.number == number), None)
        for group in self.now.battle.groups.values():
            if group.number == number and number and group.side != self.reader:
                return _enemy(group) if _is_afloat(group) else None
        return None

    def fleets(self) -> list[FleetView]:
        """The reader's own combat groups that are afloat, by their numbers."""
        reader = self.reader
        if "groups" in self.__dict__:
            return [_fleet_seen(group) for group in self.groups if group.side == reader and group.ships]
        seen: list[FleetView] = []
        for group in self.now.battle.groups.values():
            if group.side == reader and group.number and group.ships:
                seen.append(_fleet(group))
        if len(seen) > 1:
            seen.sort(key=_number)
        return seen

    def fleet(self, number: int) -> FleetView | None:
        """The one that has this number."""
        if "groups" in self.__dict__:
            return next((fleet for fleet in self.fleets() if fleet.number == number), None)
        for group in self.now.battle.groups.values():
            if group.number == number and number and group.side == self.reader:
                return _fleet(group) if group.ships else None
        return None

    def own_ships(self) -> list[Ships]:
        """The ships of each of his combat groups that are afloat."""
        reader = self.reader
        if "groups" in self.__dict__:
            return [fleet.ships for fleet in self.fleets()]
        seen: list[Ships] = []
        for group in self.now.battle.groups.values():
            if group.side == reader and group.number and group.ships:
                seen.append(ships_seen(group.ships))
        return seen

    def ships_of(self, number: int) -> Ships:
        """The ships of the one that has this number; none if it is not afloat."""
        if "groups" in self.__dict__:
            fleet = self.fleet(number)
            return fleet.ships if fleet is not None else ()
        for group in self.now.battle.groups.values():
            if group.number == number and number and group.side == self.reader:
                return ships_seen(group.ships)
        return ()

    def own_decks(self) -> dict[int, int]:
        """The factors of undamaged fast carriers in each of his combat groups that are afloat, by their numbers."""
        reader = self.reader
        if "groups" in self.__dict__:
            return {fleet.number: _decks_seen(fleet.ships) for fleet in self.fleets()}
        seen: dict[int, int] = {}
        for group in self.now.battle.groups.values():
            if group.side == reader and group.number and group.ships:
                seen[group.number] = _sound_decks(group.ships)
        return dict(sorted(seen.items())) if len(seen) > 1 else seen

    def own_strength(self) -> StrengthView:
        """What is left of his own fleet."""
        return self.strength[self.reader] if "strength" in self.__dict__ else _strength(self.now, self.reader)

    def own_squadrons(self) -> tuple[int, int]:
        """How many carrier squadrons he has aboard or back from strikes, and how many on patrol."""
        reader = self.reader
        if "groups" in self.__dict__:
            air, owned = self.carrier_air[reader], [known(group.own) for group in self.groups if group.side == reader]
            patrols = [flight for own in owned for flight in own.patrol]
            return _counted((*air.aboard, *air.struck)), _counted(patrols)
        state = self.now
        site, aloft = state.at_sea(reader), 0
        for group in state.battle.groups.values():
            if group.patrol and group.side == reader and group.number:
                aloft += sum(group.patrol.values())
        return sum(site.air.values()) + sum(site.struck.values()), aloft

    @part
    def pending(self) -> dict[str, tuple[PendingView, ...] | int]:
        """By side: the forces that have not joined; the enemy knows only how many there are."""
        return {side: self.pending_of(side) for side in self.now.sides}

    def pending_of(self, side: str) -> tuple[PendingView, ...] | int:
        """Those of one side: who asks about his own does not look at the enemy's."""
        if "pending" in self.__dict__:
            return self.pending[side]
        forces = [group for group in self.now.battle.groups.values() if group.side == side]
        waiting = [group for group in forces if not group.number]
        if not self.owns(side):
            return len(waiting) if any([group.formed for group in forces]) else 0
        waiting.sort(key=_place)
        still = self.still
        own = [OwnGroup.later(still, one, _OWN) for one in waiting]
        return tuple(
            [PendingView.later(still, one, _PENDING, {"own": mine}) for one, mine in zip(waiting, own, strict=True)]
        )

    @part
    def strength(self) -> dict[str, StrengthView]:
        return {side: _strength(self.now, side) for side in self.now.sides if self.owns(side)}

    @part
    def carrier_air(self) -> dict[str, CarrierAirView]:
        state, still = self.now, self.still
        return {
            side: CarrierAirView.later(still, state.at_sea(side), _CARRIER_AIR)
            for side in state.sides
            if self.owns(side)
        }

    @part
    def strike(self) -> StrikeView | None:
        state = self.now
        return _strike(state, state.battle.strike) if state.battle.strike else None

    @part
    def kamikazes(self) -> int:
        return self.now.kamikazes

    @part
    def shielded(self) -> Ships:
        return ships_seen(self.now.elsewhere.transports)

    @part
    def dives(self) -> tuple[DiveView, ...]:
        return tuple([_dive(self.now, dive) for dive in self.now.battle.dives])

    @part
    def engagements(self) -> tuple[EngagementView, ...]:
        return tuple([_agreed(self.now, agreed) for agreed in self.now.battle.engagements])

    @part
    def engagement(self) -> FoughtView | None:
        state = self.now
        fight = state.battle.engagement
        if fight is None:
            return None
        return FoughtView.later(self.still, (state, fight), _FOUGHT if fight.revealed else _NOT_SHOWN)

    @part
    def submarines(self) -> tuple[SubmarinesView, ...]:
        return tuple([_submarines(flotilla) for flotilla in self.now.battle.submarines])

    @part
    def destroyers_elsewhere(self) -> dict[str, int]:
        return dict(self.now.elsewhere.destroyers)

    @part
    def departed(self) -> tuple[DepartedView, ...]:
        state = self.now
        return tuple([self._departed(group) for side in state.sides for group in state.battle.withdrawn(side).values()])

    @part
    def outcome(self) -> OutcomeView | None:
        outcome = self.now.battle.outcome
        if outcome is None:
            return None
        follows = [
            ConsequenceView(side=side, rule=number, text=text if self.owns(side) else public or text)
            for side, number, text, public in self.now.battle.consequences
        ]
        return OutcomeView(rule=outcome.rule, losers=tuple(outcome.losers), consequences=tuple(follows))

    @part
    def sunk(self) -> Ships:
        return ships_seen(self.now.losses.ships)

    @part
    def sunk_elsewhere(self) -> Ships:
        return ships_seen(self.now.losses.elsewhere)

    # --- groups -------------------------------------------------------------------------------------------------

    def _group(self, group: Group) -> GroupView:
        """A group is looked at for one thing or another, so the rest of it is not made."""
        still = self._still
        status = _status(group, self.now.battle.phase + 1)
        given: dict[str, Any] = {"side": group.side, "number": group.number, "status": status}
        if not self.owns(group.side):
            return GroupView.later(still, group, _THEIRS, given)
        given["own"] = OwnGroup.later(still, group, _OWN)
        return GroupView.later(still, group, _OURS, given)

    def _departed(self, group: Group) -> DepartedView:
        own = self.owns(group.side)
        return DepartedView(
            side=group.side,
            number=group.number,
            round=group.left,
            revealed=group.revealed,
            ships=ships_seen(group.ships) if own or group.revealed else HIDDEN,
            own=OwnDeparted(name=group.name, cargo=group.cargo, air=flights(group.air)) if own else HIDDEN,
        )


def _status(group: Group, combat_round: int) -> str:
    """Of a destroyed group a patrol and air cover may be left until they land."""
    if not group.ships and not group.is_left:
        return "destroyed"
    return "active" if is_active(group, combat_round) else "distant"


_place = attrgetter("place")
_Made = dict[str, Callable[[Group], Any]]
_OWN: _Made = {
    "name": lambda group: group.name,
    "factors": lambda group: factors(group.ships),
    "slow": is_slow_group,
    "cargo": lambda group: group.cargo,
    "air": lambda group: flights(group.air),
    "patrol": lambda group: flights(group.patrol),
    "patrol_limit": lambda group: group.third,
    "ready_carrier": lambda group: group.ready,
    "shed": lambda group: ships_seen(group.shed),
}
_PENDING: _Made = {"ships": lambda group: ships_seen(group.ships), "arrives": lambda group: group.arrives}
_OURS: _Made = {
    "results": lambda group: group.this_round.results,
    "attacks": lambda group: group.this_round.attacks,
    "told": lambda group: group.facts,
    "revealed": lambda group: group.revealed,
    "evaded": lambda group: group.this_round.evaded,
    "ships": lambda group: ships_seen(group.ships),
    "cover": lambda group: flights(group.cover),
}
_THEIRS: _Made = _OURS | {
    "own": lambda group: HIDDEN,
    "ships": lambda group: ships_seen(group.ships) if group.revealed else HIDDEN,
    "cover": lambda group: flights(group.cover) if group.this_round.uncovered else HIDDEN,
}


def _enemy(group: Group) -> EnemyView:
    befallen, revealed = group.this_round, group.revealed
    ships = ships_seen(group.ships) if revealed else HIDDEN
    return _new(EnemyView, (group.number, ships, group.facts, befallen.results, befallen.attacks, revealed))


def _enemy_seen(group: GroupView) -> EnemyView:
    return EnemyView(group.number, group.ships, group.told, group.results, group.attacks, group.revealed)


def _is_afloat(group: Group) -> bool:
    """Whether there is anything of it, as far as its enemy can tell."""
    return bool(group.ships) or (group.is_left and not group.revealed)


def _is_seen_afloat(group: GroupView) -> bool:
    return group.status != "destroyed" and group.ships != ()


def _fleet(group: Group) -> FleetView:
    ships = group.ships
    air = flights(group.air) if group.air else ()
    patrol = flights(group.patrol) if group.patrol else ()
    listed: Ships = ships_listed(*ships, *ships.values())
    return _new(FleetView, (group.number, listed, air, patrol, group.cargo, group.this_round.evaded))


def _counted(some: Sequence[FlightView]) -> int:
    return sum([flight.count for flight in some])


def _sound_decks(ships: Fleet) -> int:
    room = 0
    for which in ships:
        if not which.fast_carrier:
            break  # a fleet lists its carriers first
        if not which.damaged:
            room += which.size
    return room


def _decks_seen(ships: Ships) -> int:
    return sum([ship.size for ship in ships if ship.kind in FAST_CARRIERS and not ship.damaged])


def _fleet_seen(group: GroupView) -> FleetView:
    own = known(group.own)
    return FleetView(group.number, known(group.ships), own.air, own.patrol, own.cargo, group.evaded)


_number = attrgetter("number")
_new = tuple.__new__
"""Makes a named tuple in half of the time: players ask for these groups very often."""


def _strength(state: State, side: str) -> StrengthView:
    battle, nations = state.battle, state.setting.nations[side]
    left, began = 0, factors(state.at_sea(side).gone)
    for group in battle.groups.values():
        if group.side == side:
            for which, number in group.ships.items():
                there = number * which.weight
                began += there
                if not which.damaged:
                    left += there
            if group.shed:
                began += factors(group.shed)
    for group in battle.departed.values():
        if group.side == side:
            began += factors(group.ships) + factors(group.shed)
    for which, number in state.losses.ships.items():
        if which.nation in nations:
            began += number * which.weight
    return StrengthView(left=left, began=began)


_CARRIER_AIR: dict[str, Callable[[Site], Any]] = {
    "aboard": lambda site: flights(site.air),
    "aborted": lambda site: flights(site.aborted),
    "flown": lambda site: flights(site.flown),
    "struck": lambda site: flights(site.struck),
    "grounded": lambda site: flights(site.grounded),
    "returned": lambda site: flights(site.ashore),
    "returned_ships": lambda site: ships_seen(site.gone),
}


# --- combat -----------------------------------------------------------------------------------------------------


def _agreed(state: State, agreed: Engagement) -> EngagementView:
    moving, intercepting = state.battle.groups[agreed.moving], state.battle.groups[agreed.intercepting]
    return EngagementView(moving=moving.number, intercepting=intercepting.number, seeker=agreed.seeker)


@lru_cache(maxsize=1024)
def _volley(side: str, target: str, *ships_and_counts: Any) -> VolleyView:
    return VolleyView(side=side, target=target, ships=ships_listed(*ships_and_counts))


_NOT_SHOWN: dict[str, Callable[[tuple[State, Engagement]], Any]] = {
    "agreed": lambda fought: _agreed(*fought),
    "revealed": lambda fought: fought[1].revealed,
    "screened": lambda fought: HIDDEN,
    "volleys": lambda fought: HIDDEN,
    "held": lambda fought: HIDDEN,
}
_FOUGHT = _NOT_SHOWN | {
    "screened": lambda fought: {side: ships_seen(ships) for side, ships in fought[1].screened.items()},
    "volleys": lambda fought: tuple(
        [_volley(one.side, one.target, *one.ships, *one.ships.values()) for one in fought[1].volleys]
    ),
    "held": lambda fought: {side: dict(held) for side, held in fought[1].held.items()},
}


def _strike(state: State, strike: Strike) -> StrikeView:
    return StrikeView(
        side=strike.side,
        target=state.battle.groups[strike.target].number,
        surprise=strike.surprise,
        level=int(strike.level),
        attackers=flights(strike.attackers),
        defenders=flights(strike.defenders),
        aims=aims_seen(strike),
    )


def aims_seen(strike: Strike) -> tuple[AimView, ...]:
    return tuple([_aim(aim.target, *aim.squadrons, *aim.squadrons.values()) for aim in strike.aims])


@lru_cache(maxsize=1024)
def _aim(target: str, *units_and_counts: Any) -> AimView:
    return AimView(target=target, squadrons=flights_listed(*units_and_counts))


def _submarines(flotilla: Submarines) -> SubmarinesView:
    return SubmarinesView(
        side=flotilla.side,
        nation=flotilla.nation,
        factors=flotilla.factors,
        spent=flotilla.spent,
        lost=flotilla.lost,
        advanced=flotilla.advanced,
        accompany=flotilla.accompany,
        arrives=flotilla.arrives,
    )


@rule("17.461")
def _dive(state: State, dive: Dive) -> DiveView:
    """17.461: kamikazes stand where both sides see them, those that have not flown and those that attack."""
    return DiveView(
        side=dive.side,
        target=state.battle.groups[dive.target].number,
        kamikazes=dive.number,
        diverted=dive.diverted,
        defenders=flights(dive.defenders),
        aims=dict(sorted(dive.aims.items())),
    )
