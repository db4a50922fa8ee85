"""What a side may know of an operation: markers on the map; what they hide only their owner and who has seen it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

from flagplot.awaw.operations.bases.harbours import harbour, in_port
from flagplot.awaw.operations.names import ACTIVITIES, hex_name
from flagplot.awaw.operations.records.outcome import FightView, seen_fight
from flagplot.awaw.operations.records.points import operation_points
from flagplot.awaw.operations.steps import StepView, present_mark, present_step
from flagplot.awaw.procedures import sortie
from flagplot.awaw.ships import factors
from flagplot.awaw.state.battle import Dive, Group
from flagplot.awaw.state.operation import (
    Activity,
    AirAttack,
    BaseStrike,
    Event,
    Flotilla,
    NavalForce,
    Order,
    Progress,
    Voyage,
)
from flagplot.awaw.state.state import State
from flagplot.awaw.views.battle import AimView, aims_seen
from flagplot.awaw.views.units import Flights, Hex, Ships, flights, ships_seen
from flagplot.kernel.plain_data import keyer_of_fields
from flagplot.kernel.rules import rule
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.kernel.view_types import HIDDEN, Hidden, Parts, Seen, from_json, part, to_json


class OrderView(Seen):
    """Something that a force may be told to do, and what that counts."""

    number: int
    activity: Activity
    stage: str
    to: Hex
    base: str
    worth: int


class OwnForce(Seen):
    """What only its owner knows of a naval force."""

    name: str
    factors: int
    air: Flights
    cargo: str
    grounded: Flights
    orders: tuple[OrderView, ...]


class ForceView(Seen):
    """20.164: a naval force on the map: a TF marker hides what it stands for; naval units without one lie open."""

    opened: ClassVar = frozenset({"own"})
    if_any: ClassVar = frozenset({"sunk_in_port"})

    marker: str
    side: str
    task_force: bool
    base: str
    at: Hex
    where: str
    voyage: str
    patrol: str
    inverted: bool
    ships: Ships | Hidden
    own: OwnForce | Hidden
    sunk_in_port: Ships | None


class FlotillaView(Seen):
    """Submarine factors that base or patrol together; they lie open."""

    side: str
    nation: str
    base: str
    at: Hex
    where: str
    factors: int
    away: int
    tried: int
    inverted: int
    patrol: str
    lost: int


class MeetingView(Seen):
    """Where an interception is to meet its target, and how far its dice took it."""

    meet: Hex
    meets: str
    reached: int


class VoyageView(Seen):
    """22.12: a force at sea; the enemy knows its path from the moment that he asked for it, that of an interception at
    once."""

    opened: ClassVar = frozenset({"meeting"})

    side: str
    activity: Activity
    what: str
    forces: tuple[str, ...]
    base: str
    at: Hex
    where: str
    names: str
    progress: Progress
    cargo: bool
    joins: str
    level: int
    target: str
    flotilla: str
    arrives: int
    meeting: MeetingView | None
    destination: Hex | Hidden
    bound: str | Hidden
    path: tuple[Hex, ...] | Hidden


class FightingView(Seen):
    """What is being fought, where on the map, and by whom, as everybody sees."""

    kind: str
    at: Hex
    where: str
    sides: dict[str, str]


class BaseStrikeView(Seen):
    """23.411: all of an attack on a base is announced as it goes; the ships in port once somebody got through."""

    side: str
    base: str
    sortie: int
    counterair: Flights
    attackers: Flights
    aims: tuple[AimView, ...]
    ships: Ships | Hidden


class PortDiveView(Seen):
    """17.461: kamikazes against ships in port."""

    side: str
    base: str
    kamikazes: int
    diverted: int
    defenders: Flights
    aims: dict[str, int]
    ships: Ships | Hidden


class SortieStrikeView(Seen):
    """A strike of a sortie, announced and not yet flown."""

    group: int
    attackers: Flights


class SortieView(Seen):
    """23.23, 23.71: the sortie that is under way: cover and strikes are open to both sides."""

    side: str
    target: str
    at: Hex
    cover: Flights
    strikes: tuple[SortieStrikeView, ...]


# Keys of all that a reader sees of markers, for programs that look at every step: equal keys, equal markers.

_marker = keyer_of_fields(
    NavalForce, "marker", "base", "at", "voyage", "patrol", "inverted", "seen", "grounded", "sunk_in_port",
    "group.side", "group.task_force",
)  # fmt: skip
_aboard = keyer_of_fields(Group, "name", "ships", "air", "cargo")
_voyage_seen = keyer_of_fields(
    Voyage, "side", "activity", "forces", "path", "step", "progress", "base", "shown", "joins", "cargo", "names",
    "level", "target", "meet", "flotilla", "reached", "arrives",
)  # fmt: skip
_flotilla_seen = keyer_of_fields(
    Flotilla, "side", "nation", "base", "at", "factors", "away", "tried", "inverted", "patrol", "lost"
)
Named = list[tuple[str, object]]
"""The name of each marker, and a key that can be hashed."""


def _forces_seen(state: State, reader: str) -> Named:
    operation, groups = state.operation, state.battle.groups
    if operation.curtain and (kept := _behind_the_curtain(state, reader, "forces")) is not None:
        return kept
    in_battle = {*groups, *[key for group in groups.values() for key in group.parts]}
    seen: Named = []
    for key, force in operation.fleet.items():
        own, fights = reader in (force.side, UMPIRE), key in in_battle
        shown = own or (not fights and (force.seen or not force.group.task_force))
        aboard = _aboard(groups.get(key, force.group)) if shown else None
        orders = operation.plan.orders.get(key, ()) if own else ()
        seen.append((key if own else force.marker, (shown, _marker(force), aboard, orders)))
    return seen


def _flotillas_seen(state: State, reader: str) -> Named:
    if state.operation.curtain and (kept := _behind_the_curtain(state, reader, "flotillas")) is not None:
        return kept
    return [(key, _flotilla_seen(flotilla)) for key, flotilla in state.operation.flotillas.items()]


def _voyages_seen(state: State, reader: str) -> Named:
    if state.operation.curtain and (kept := _behind_the_curtain(state, reader, "voyages")) is not None:
        return kept
    return [(key, _voyage_seen(voyage)) for key, voyage in state.operation.voyages.items()]


def _behind_the_curtain(state: State, reader: str, kind: str) -> Named | None:
    """What a reader goes on seeing while a side decides in secret; None if he sees all of it."""
    curtain = state.operation.curtain
    watching, _ = _before_the_curtain(curtain)
    if reader not in (watching, NEUTRAL):
        return None
    names = getattr(OperationView(state, reader), kind)
    return [(name, curtain if reader == watching else object()) for name in names]  # a neutral sees part of it change


class OperationView(Parts[State]):
    """An operation on the map, as a reader may know it."""

    @part
    def map(self) -> str:
        return self.now.operation.plan.board.name

    @part
    def theatre(self) -> str:
        """``pacific`` or ``europe``: whose ranges apply."""
        return "pacific" if self.now.setting.pacific else "europe"

    @part
    def nations(self) -> dict[str, tuple[str, ...]]:
        """The nations of each side, the leading one first."""
        return dict(self.now.setting.nations)

    @part
    def cards(self) -> str:
        """The side that has played more strategic cards, which both have seen (22.22I)."""
        return self.now.operation.plan.strategic

    @part
    def safe_coast(self) -> tuple[Hex, ...]:
        """The coast of Norway, along which some forces are not intercepted (22.11A)."""
        return self.now.operation.plan.norway

    @part
    def stage(self) -> str:
        return self.now.now if self.now.frames else ""

    @part
    def stages(self) -> tuple[str, ...]:
        return self.now.operation.plan.stages

    @part
    def step(self) -> StepView | None:
        return present_step(self.now)

    @part
    def forces(self) -> dict[str, ForceView]:
        return _on_map(self, _forces, lambda before: before.forces)

    def force(self, name: str) -> ForceView:
        """One of them: who asks about one does not look at the others."""
        state, reader = self.now, self.reader
        if "forces" in self.__dict__ or state.operation.curtain:
            return self.forces[name]
        keys = [key for key in state.operation.fleet if known_as(state, key, reader) == name]
        return _force(state, keys[-1], reader)

    @part
    def flotillas(self) -> dict[str, FlotillaView]:
        return _on_map(self, _flotillas, lambda before: before.flotillas)

    @part
    def voyages(self) -> dict[str, VoyageView]:
        return _on_map(self, _voyages, lambda before: before.voyages)

    def voyage(self, key: str) -> VoyageView:
        """One of them."""
        state = self.now
        if "voyages" in self.__dict__ or state.operation.curtain:
            return self.voyages[key]
        return _voyage(state, state.operation.voyages[key], self.reader)

    # For whoever is in a hurry: he looks only at what he has not seen before.

    def forces_at_a_glance(self) -> Named:
        return _forces_seen(self.now, self.reader)

    def flotillas_at_a_glance(self) -> Named:
        return _flotillas_seen(self.now, self.reader)

    def voyages_at_a_glance(self) -> Named:
        return _voyages_seen(self.now, self.reader)

    @property
    def mark(self) -> str:
        """The mark of `step` alone."""
        return present_mark(self.now)

    @part
    def fighting(self) -> FightingView | None:
        state = self.now
        if not state.operation.open_fights:
            return None
        fight = state.operation.open_fights[-1]
        return FightingView(kind=fight.kind, at=fight.at, where=hex_name(state, fight.at), sides=dict(fight.sides))

    @part
    def record(self) -> tuple[Event, ...]:
        return tuple(self.now.operation.record)

    @part
    def fights(self) -> tuple[FightView, ...]:
        return tuple([seen_fight(self.now, fight) for fight in self.now.operation.fights if fight.struck])

    @part
    def done(self) -> dict[str, int]:
        return dict(self.now.operation.done)

    @part
    def points(self) -> dict[str, int]:
        return {side: operation_points(self.now, side) for side in self.now.sides}

    @part
    def sunk(self) -> Ships:
        return ships_seen(self.now.losses.ships)

    @part
    def sunk_elsewhere(self) -> Ships:
        return ships_seen(self.now.losses.elsewhere)

    @part
    def destroyers_elsewhere(self) -> dict[str, int]:
        return dict(self.now.elsewhere.destroyers)

    @part
    def attacked(self) -> tuple[str, ...]:
        """The bases that were attacked in this stage."""
        return tuple(sorted(self.now.operation.raids_now.inverted))

    @part
    def counterair_first(self) -> bool:
        return self.now.operation.counterair_first

    @part
    def base_strike(self) -> BaseStrikeView | None:
        state = self.now
        return _base_strike(state, state.operation.base_strike) if state.operation.base_strike else None

    @part
    def kamikazes(self) -> int:
        return self.now.kamikazes

    @part
    def port_dives(self) -> tuple[PortDiveView, ...]:
        return tuple([_port_dive(self.now, dive) for dive in self.now.operation.port_dives])

    @part
    def sortie(self) -> SortieView | None:
        state = self.now
        under_way = state.operation.attack and sortie.under_way(state.frames)
        return _sortie(state, state.operation.attack) if state.operation.attack and under_way else None


# --- attacks ----------------------------------------------------------------------------------------------------


@rule("23.411", "23.424#2")
def _base_strike(state: State, raid: BaseStrike) -> BaseStrikeView:
    """23.411: all of an attack on a base is announced as it goes; the ships in port once somebody got through."""
    return BaseStrikeView(
        side=raid.mission.side,
        base=raid.mission.target,
        sortie=raid.sortie,
        counterair=flights(raid.mission.attackers),
        attackers=flights(raid.strike.attackers),
        aims=aims_seen(raid.strike),
        ships=_in_sight(state, raid.mission.target),
    )


def _in_sight(state: State, base: str) -> Ships | Hidden:
    """The ships in a port under attack, if all of them are known."""
    forces = in_port(state, base).values()
    known = all([force.seen or not force.group.task_force for force in forces])
    return ships_seen(harbour(state, base).ships) if known else HIDDEN


@rule("17.461")
def _port_dive(state: State, dive: Dive) -> PortDiveView:
    """17.461: kamikazes stand where both sides see them."""
    return PortDiveView(
        side=dive.side,
        base=dive.target,
        kamikazes=dive.number,
        diverted=dive.diverted,
        defenders=flights(dive.defenders),
        aims=dict(sorted(dive.aims.items())),
        ships=_in_sight(state, dive.target),
    )


def _sortie(state: State, attack: AirAttack) -> SortieView:
    strikes = [
        SortieStrikeView(group=state.battle.groups[flown.target].number, attackers=flights(flown.attackers))
        for flown in attack.strikes
    ]
    return SortieView(
        side=attack.side, target=attack.target, at=attack.at, cover=flights(attack.cover), strikes=tuple(strikes)
    )


# --- markers ----------------------------------------------------------------------------------------------------


class Markers(Seen):
    """What stands on the map."""

    forces: dict[str, ForceView]
    flotillas: dict[str, FlotillaView]
    voyages: dict[str, VoyageView]


def known_as(state: State, key: str, side: str) -> str:
    """20.164: what a side calls a force: its owner by its name in the scenario, which may tell what it is, all others
    by its marker."""
    force = state.operation.fleet.get(key)
    return key if force is None or side in (force.side, UMPIRE) else force.marker


def lower_curtain(state: State, side: str) -> None:
    """A side begins to decide in secret about its forces on the map: its enemy goes on seeing what he sees now."""
    enemy = state.other(side)
    state.operation.curtain = json.dumps({"side": enemy, **to_json(_in_the_open(state, enemy))}, sort_keys=True)


def raise_curtain(state: State) -> None:
    """It is decided, and told."""
    state.operation.curtain = ""


M = TypeVar("M", ForceView, FlotillaView, VoyageView)


def _on_map(
    view: OperationView,
    in_the_open: Callable[[State, str], dict[str, M]],
    kept: Callable[[Markers], dict[str, M]],
) -> dict[str, M]:
    """Markers of one kind. While a side decides in secret its enemy sees what he saw before; a neutral sees that of the
    side, and of its enemy what lies open now."""
    state, reader = view.now, view.reader
    watching, before = _before_the_curtain(state.operation.curtain) if state.operation.curtain else ("", None)
    if before is None or reader not in (watching, NEUTRAL):
        return in_the_open(state, reader)
    if reader == watching:
        return dict(kept(before))
    now = in_the_open(state, reader)
    return {key: entry for key, entry in kept(before).items() if entry.side != watching} | {
        key: entry for key, entry in now.items() if entry.side == watching
    }


@lru_cache(maxsize=32)
def _before_the_curtain(curtain: str) -> tuple[str, Markers]:
    """Who goes on seeing what he saw before, and what that was."""
    before: dict[str, Any] = json.loads(curtain)
    return before["side"], from_json(Markers, before)


def _in_the_open(state: State, side: str) -> Markers:
    return Markers(forces=_forces(state, side), flotillas=_flotillas(state, side), voyages=_voyages(state, side))


def _forces(state: State, side: str) -> dict[str, ForceView]:
    return {known_as(state, key, side): _force(state, key, side) for key in state.operation.fleet}


def _flotillas(state: State, side: str) -> dict[str, FlotillaView]:
    return {key: _flotilla(state, flotilla) for key, flotilla in state.operation.flotillas.items()}


def _voyages(state: State, side: str) -> dict[str, VoyageView]:
    return {key: _voyage(state, voyage, side) for key, voyage in state.operation.voyages.items()}


def _force(state: State, key: str, side: str) -> ForceView:
    """20.164: what is in a battle is on the chart; which combat group it is in, and with whom, is for its owner."""
    force = state.operation.fleet[key]
    group = state.battle.groups.get(key, force.group)
    own = side in (force.side, UMPIRE)
    fights = any([key == first or key in one.parts for first, one in state.battle.groups.items()])
    lies_open = not fights and (force.seen or not force.group.task_force)
    return ForceView(
        marker=force.marker,
        side=force.side,
        task_force=force.group.task_force,
        base=force.base,
        at=force.at,
        where=hex_name(state, force.at),
        voyage=force.voyage,
        patrol=force.patrol,
        inverted=force.inverted,
        ships=ships_seen(group.ships) if own or lies_open else HIDDEN,
        own=_own(state, key) if own else HIDDEN,
        sunk_in_port=ships_seen(force.sunk_in_port) if force.sunk_in_port else None,
    )


def _own(state: State, key: str) -> OwnForce:
    force = state.operation.fleet[key]
    group = state.battle.groups.get(key, force.group)
    orders = enumerate(state.operation.plan.orders.get(key, ()))
    return OwnForce(
        name=group.name,
        factors=factors(group.ships),
        air=flights(group.air),
        cargo=group.cargo,
        grounded=flights(force.grounded),
        orders=tuple([_order(number, order) for number, order in orders]),
    )


@lru_cache(maxsize=1024)
def _order(number: int, order: Order) -> OrderView:
    return OrderView(
        number=number, activity=order.activity, stage=order.stage, to=order.to, base=order.base, worth=order.worth
    )


def _flotilla(state: State, flotilla: Flotilla) -> FlotillaView:
    return FlotillaView(
        side=flotilla.side,
        nation=flotilla.nation,
        base=flotilla.base,
        at=flotilla.at,
        where=hex_name(state, flotilla.at),
        factors=flotilla.factors,
        away=flotilla.away,
        tried=flotilla.tried,
        inverted=flotilla.inverted,
        patrol=flotilla.patrol,
        lost=flotilla.lost,
    )


@rule("22.12", "SOP-NI-B")
def _voyage(state: State, voyage: Voyage, side: str) -> VoyageView:
    """22.12: the enemy knows the path of a force from the moment that he asked for it, that of an interception at
    once. Where others are to meet it is told with the path."""
    known = bool(voyage.shown or voyage.level or side in (voyage.side, UMPIRE))
    bound = known or not voyage.joins
    return VoyageView(
        side=voyage.side,
        activity=voyage.activity,
        what=ACTIVITIES[voyage.activity],
        forces=tuple([known_as(state, key, side) for key in voyage.forces]),
        base=voyage.base,
        at=voyage.at,
        where=hex_name(state, voyage.at),
        names=voyage.names,
        progress=voyage.progress,
        cargo=voyage.cargo,
        joins=voyage.joins,
        level=voyage.level,
        target=voyage.target,
        flotilla=voyage.flotilla,
        arrives=voyage.arrives,
        meeting=_meeting(state, voyage) if voyage.level else None,
        destination=voyage.path[-1] if bound else HIDDEN,
        bound=hex_name(state, voyage.path[-1]) if bound else HIDDEN,
        path=voyage.path if known else HIDDEN,
    )


def _meeting(state: State, voyage: Voyage) -> MeetingView:
    return MeetingView(meet=voyage.meet, meets=hex_name(state, voyage.meet), reached=voyage.reached)
