"""What a side may know of an air turn: nearly everything lies open on the map; what TF markers hide is for the view of
an operation."""

from __future__ import annotations

from typing import ClassVar

from flagplot.awaw.kamikaze_force import have_attacked
from flagplot.awaw.operations.names import hex_name
from flagplot.awaw.operations.steps import StepView
from flagplot.awaw.procedures import stage
from flagplot.awaw.reach import squadrons_based
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import (
    AirTransportMission,
    Down,
    Flight,
    FlightKind,
    GroundAttack,
    GroundUnit,
    Kind,
    Phase,
    Ration,
    Until,
)
from flagplot.awaw.turn.end.outcome import points
from flagplot.awaw.turn.missions.inversion import reasons
from flagplot.awaw.turn.nations import unit_name
from flagplot.awaw.turn.transport.passengers import carrier
from flagplot.awaw.views.operation import known_as
from flagplot.awaw.views.units import Flights, Hex, flights
from flagplot.kernel.naming import in_sentence
from flagplot.kernel.rules import rule
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.view_types import Parts, Seen, part

BEGINNING = "opening"
"""The name of what is before the first phase of the first player turn."""
PHASES = {
    BEGINNING: ("inverted air may be turned face up", "18.71"),
    Phase.MOVEMENT: ("airbases, staging, naval activities, air transport and supply, overruns", "18.511"),
    Phase.COMBAT: ("bombing, missions, naval activities and ground attacks", "18.512"),
    Phase.EXPLOITATION: ("further ground attacks with the air that is left", "18.512D"),
    Phase.CONSTRUCTION: ("units and airbases are built", "17.24"),
    Phase.REDEPLOYMENT: ("air and naval units change bases", "18.513"),
    Phase.END: ("used air is inverted, other air turned face up", "18.72B"),
}


class PlayerTurnView(Seen):
    """Whose player turn it is."""

    side: str
    number: int
    of: int
    season: str


class UnitView(Seen):
    """A ground unit."""

    name: str
    side: str
    nation: str
    kind: Kind
    factors: int
    defence: int
    at: Hex
    where: str
    supply: Ration
    travelled: str
    aboard: str


class RoomView(Seen):
    """18.11: the squadrons that a base holds, and how many of them may be naval on an island."""

    squadrons: int
    naval: int


class KamikazePoolView(Seen):
    """17.43: the kamikaze force pool."""

    ready: int
    limit: int
    unbuilt: int
    used: int
    growth: int
    flown: bool


class DownView(Seen):
    """18.42: inverted units lie open on the map, and everybody knows since when and until when."""

    home: str
    air: Flights
    rule: str
    why: str
    until: Until


class AirFlightView(Seen):
    """Air that is out over a hex."""

    side: str
    kind: FlightKind
    at: Hex
    where: str
    air: Flights


class AttackView(Seen):
    """An attack on the ground that is announced and not yet fought."""

    hexes: tuple[Hex, ...]
    where: tuple[str, ...]
    units: tuple[str, ...]
    names: tuple[str, ...]
    kind: str
    guns: int
    cves: int


class AirliftView(Seen):
    """An air transport activity that is under way."""

    kind: str
    side: str
    path: tuple[Hex, ...]
    transports: Flights
    units: tuple[str, ...]
    names: tuple[str, ...]
    to: str
    intercepted: Hex | None
    interceptors: Flights
    guards: Flights
    round: int


class TurnView(Parts[State]):
    """An air turn, as a reader may know it; what it has in common with an operation is told anew."""

    if_any: ClassVar = frozenset({"step"})

    @part
    def stage(self) -> str:
        return (self.now.turn.step or BEGINNING) if self.now.frames else ""

    @part
    def step(self) -> StepView | None:
        """The phase that is being played, with the line of them all; nothing in a stage of naval activities, which
        has steps of its own."""
        state = self.now
        if not state.frames or stage.under_way(state.frames):
            return None
        now = state.turn.step or BEGINNING
        line = {
            phase: words for phase, (words, _) in PHASES.items() if phase in (now, Phase.END, *state.turn.plan.phases)
        }
        return StepView(
            stage=str(now),
            title=f"Player turn of {in_sentence(state.name(state.moving))}",
            mark=str(now),
            name="",
            rule=PHASES[now][1],
            line={str(phase): words for phase, words in line.items()},
        )

    @part
    def stages(self) -> tuple[str, ...]:
        return self.now.turn.plan.phases

    @part
    def player_turn(self) -> PlayerTurnView:
        state, turn = self.now, self.now.turn
        return PlayerTurnView(
            side=state.moving,
            number=state.turn.player_turn + 1,
            of=len(turn.plan.turns),
            season=f"{turn.plan.season} {turn.plan.year}",
        )

    @part
    def units(self) -> dict[str, UnitView]:
        """The ground units."""
        return {key: _ground(self.now, key, unit, self.reader) for key, unit in self.now.turn.units.items()}

    @part
    def airbases(self) -> dict[str, str]:
        """By base: the nation whose airbase counter is there."""
        return {base: counter.nation for base, counter in self.now.turn.airbases.items()}

    @part
    def room(self) -> dict[str, RoomView | None]:
        """By base; a mapboard box holds any number."""
        places = self.now.scene.places.items()
        return {key: _room(self.now, key) for key, place in places if not place.afloat}

    @part
    def brps(self) -> dict[str, int]:
        return dict(self.now.turn.brps)

    @part
    def nations(self) -> dict[str, tuple[str, ...]]:
        return dict(self.now.setting.nations)

    @part
    def force_pool(self) -> dict[str, int]:
        return dict(self.now.turn.unbuilt)

    @part
    def kamikaze_pool(self) -> KamikazePoolView:
        state, pool = self.now, self.now.turn.pool
        return KamikazePoolView(
            ready=state.kamikazes,
            limit=pool.limit,
            unbuilt=pool.unbuilt,
            used=pool.used,
            growth=pool.growth,
            flown=have_attacked(state),
        )

    @part
    def strategic(self) -> dict[str, Flights]:
        """By front: strategic bombers and interceptors."""
        return {front: flights(force) for front, force in self.now.turn.bombers.items()}

    @part
    def inverted(self) -> tuple[DownView, ...]:
        """Inverted air, and why."""
        return tuple([_down(one) for one in reasons(self.now)])

    @part
    def flights(self) -> tuple[AirFlightView, ...]:
        return tuple([_flight(self.now, flight) for flight in self.now.turn.flights])

    @part
    def absent(self) -> tuple[DownView, ...]:
        """Air whose base fell while it was out."""
        return tuple([_down(entry) for entry in self.now.turn.absent])

    @part
    def attacks(self) -> tuple[AttackView, ...]:
        return tuple([_attack(self.now, attack) for attack in self.now.turn.attacks])

    @part
    def airlift(self) -> AirliftView | None:
        state = self.now
        return _airlift(state, state.turn.airlift) if state.turn.airlift else None

    @part
    def supplied(self) -> tuple[str, ...]:
        return tuple(self.now.turn.supplied)

    @part
    def points(self) -> dict[str, int]:
        return {side: points(self.now, side) for side in self.now.turn.plan.sides}


def _room(state: State, base: str) -> RoomView | None:
    place = state.place(base)
    if place.box:
        return None
    return RoomView(squadrons=squadrons_based(place, state.setting.pacific), naval=int(place.island))


def _ground(state: State, key: str, unit: GroundUnit, side: str) -> UnitView:
    by = carrier(state, key) if unit.aboard else ""
    return UnitView(
        name=unit_name(state, key),
        side=unit.side,
        nation=unit.nation,
        kind=unit.kind,
        factors=unit.factors,
        defence=unit.defence,
        at=unit.at,
        where=hex_name(state, unit.at),
        supply=unit.supply,
        travelled=unit.flown,
        aboard=known_as(state, by, side) if by and _is_known_aboard(state, by, side) else "",
    )


@rule("22.15A")
def _is_known_aboard(state: State, by: str, side: str) -> bool:
    """22.15A: what a force carries is announced with its activity; before that only its owner knows who embarks."""
    force = state.operation.fleet.get(by)
    return force is not None and (side in (force.side, UMPIRE) or bool(force.voyage))


@rule("18.42A")
def _down(down: Down) -> DownView:
    """18.42: inverted units lie open on the map, and everybody knows since when and until when."""
    which, number, cause, why, until = down
    return DownView(home=which.home, air=flights({which: number}), rule=cause, why=why, until=until)


def _flight(state: State, flight: Flight) -> AirFlightView:
    return AirFlightView(
        side=flight.side,
        kind=flight.kind,
        at=flight.at,
        where=hex_name(state, flight.at),
        air=flights(flight.air, flight.aborted),
    )


def _names(state: State, units: list[str]) -> tuple[str, ...]:
    return tuple([unit_name(state, key) for key in units if key in state.turn.units])


def _attack(state: State, attack: GroundAttack) -> AttackView:
    return AttackView(
        hexes=attack.hexes,
        where=tuple([hex_name(state, at) for at in attack.hexes]),
        units=tuple(attack.units),
        names=_names(state, attack.units),
        kind=attack.kind,
        guns=attack.guns,
        cves=attack.cves,
    )


def _airlift(state: State, mission: AirTransportMission) -> AirliftView:
    return AirliftView(
        kind=mission.kind,
        side=mission.side,
        path=mission.path,
        transports=flights(mission.transports),
        units=tuple(mission.units),
        names=_names(state, mission.units),
        to=mission.to,
        intercepted=mission.intercepted or None,
        interceptors=flights(mission.interceptors, mission.aborted),
        guards=flights(mission.guards),
        round=mission.round,
    )
