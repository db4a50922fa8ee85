"""A position as a side may know it: bases and their air, and the battle, operation or turn that is going on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar

from flagplot.awaw.counting import merged
from flagplot.awaw.operations.steps import StepView
from flagplot.awaw.state.air import Mission, Site
from flagplot.awaw.state.setting import Place
from flagplot.awaw.state.state import State
from flagplot.awaw.views.battle import BattleView, StrengthView
from flagplot.awaw.views.glances import Made, Makers, PositionGlance, is_sending, position_at_a_glance
from flagplot.awaw.views.operation import OperationView
from flagplot.awaw.views.turn import TurnView
from flagplot.awaw.views.units import Flights, Hex, flights
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.view_types import HIDDEN, Hidden, Parts, Seen, Still, part


class SiteView(Seen):
    """A base, a mapboard box or a carrier force at sea, with its air."""

    if_any: ClassVar = frozenset({"marker", "has"})

    name: str
    side: str
    at: Hex
    kind: str
    """``base``, ``box`` or ``carriers``."""
    air: Flights
    searching: Flights
    struck: Flights
    counteraired: bool
    marker: str | None
    """The TF marker that stands there."""
    hidden: Flights | Hidden
    """What it hides."""
    has: tuple[str, ...] | None
    """``port``, ``airbase``, ``fortress``: what stands there, as the map shows everybody."""


class MissionView(Seen):
    """A counterair mission; all of it is announced."""

    target: str
    side: str
    combat: str
    round: int
    attackers: Flights


class Position(Parts[State]):
    """All that a side may know: every base and force on the map; under a TF marker only its own carriers' air; of a
    naval battle what the Naval Combat Chart shows it."""

    opened: ClassVar = frozenset({"operation", "turn", "battle"})

    @part
    def title(self) -> str:
        return self.now.setting.title

    @part
    def side(self) -> str:
        """Who looks."""
        return self.reader

    @part
    def sides(self) -> dict[str, str]:
        """The names of the sides: the moving one first."""
        scene = self.now.scene
        return {scene.attacker: scene.names[0], scene.defender: scene.names[1]}

    @part
    def flags(self) -> dict[str, str]:
        """The nation under whose flag each side is shown where no unit tells its own: its first."""
        return {side: self.now.setting.nations[side][0] for side in self.sides}

    @part
    def attacker(self) -> str:
        return self.now.scene.attacker

    @part
    def phase(self) -> str:
        phases = self.now.scene.phases
        return phases[min(self.now.battle.phase, len(phases) - 1)]

    @part
    def over(self) -> bool:
        return not self.now.frames

    @part
    def kind(self) -> str:
        """``air-phase``, ``naval-battle``, ``operation`` or ``air-turn``: what is being played at this moment."""
        return self.now.scene.kind

    @part
    def sites(self) -> dict[str, SiteView]:
        """The bases, and in an air phase the carriers at sea; in a naval battle ships are on the chart."""
        air_phase = self.kind == "air-phase"
        return {key: self.site(key) for key, place in self.now.scene.places.items() if air_phase or not place.afloat}

    def site(self, key: str) -> SiteView:
        """One of them: who asks about one base does not look at the others."""
        made: dict[str, SiteView] = self.__dict__.setdefault("_sites", {})
        if key not in made:
            if "sites" in self.__dict__:
                return self.sites[key]
            state = self.now
            made[key] = _site(self.still, state.sites[key], state.scene.places[key], self._how(key))
        return made[key]

    def air_at(self, key: str) -> Flights:
        """The air in one of them, for whoever asks for nothing else."""
        if "sites" in self.__dict__:
            return self.sites[key].air
        state = self.now
        site = state.sites[key]
        if site.searching and self._how(key) is _THEIRS_SENDING:
            return _with_searchers(site)
        return flights(site.air, site.aborted)

    def own_air(self) -> list[Flights]:
        """The air in each of the reader's bases that has any, in the same way."""
        if "sites" in self.__dict__:
            return [site.air for site in self.sites.values() if site.side == self.reader]
        state = self.now
        sites = [state.sites[key] for key in state.of_side(self.reader)]
        return [flights(site.air, site.aborted) for site in sites if site.air]

    def at_a_glance(self, make: Makers[Made]) -> PositionGlance[Made]:
        """The bases, and the battle if one is being fought: what somebody makes of each thing."""
        return position_at_a_glance(self.now, self.reader, make)

    def _how(self, key: str) -> Mapping[str, Callable[[Site], Any]]:
        """How the reader sees what is in a place."""
        if self.reader in (self.now.scene.places[key].side, UMPIRE):
            return _OURS
        return _THEIRS_SENDING if self.now.sites[key].searching and is_sending(self.now) else _THEIRS

    @property
    def enemy(self) -> str:
        """The side that is not the reader's."""
        first, second = self.sides if "sides" in self.__dict__ else self.now.sides
        return second if first == self.reader else first

    @part
    def mission(self) -> MissionView | None:
        return _mission(self.now.battle.mission) if self.now.battle.mission else None

    @part
    def announced(self) -> tuple[MissionView, ...]:
        return tuple([_mission(sortie) for sortie in self.now.battle.sorties])

    @part
    def lost(self) -> dict[str, int]:
        """Air units eliminated so far: nation/arm/unit."""
        return dict(sorted(self.now.losses.air.items()))

    @part
    def operation(self) -> OperationView | None:
        """The operation that is played, or that an air turn has."""
        return self.inner(OperationView) if self.now.operation_if_any is not None else None

    @part
    def turn(self) -> TurnView | None:
        return self.inner(TurnView) if self.now.turn_if_any is not None else None

    @part
    def battle(self) -> BattleView | None:
        """The naval battle that is being fought."""
        return self.inner(BattleView) if self.now.scene.kind == "naval-battle" else None

    # --- what several of them tell ------------------------------------------------------------------------------

    @property
    def stage(self) -> str | None:
        """The stage or phase of a player turn, if there is one."""
        told = self.turn or self.operation
        return told.stage if told else None

    @property
    def stages(self) -> tuple[str, ...]:
        """All stages or phases of the player turn."""
        told = self.turn or self.operation
        return told.stages if told else ()

    @property
    def step(self) -> StepView | None:
        """The step of a player turn that is being played."""
        if self.turn and self.turn.step:
            return self.turn.step
        return self.operation.step if self.operation else None

    @property
    def points(self) -> dict[str, int]:
        told = self.turn or self.operation
        return told.points if told else {}

    @property
    def strength(self) -> dict[str, StrengthView]:
        """What is left of the fleets in a naval battle, of the sides that the reader knows."""
        return self.battle.strength if self.battle else {}


def _site(still: Still, site: Site, place: Place, made: Mapping[str, Callable[[Site], Any]]) -> SiteView:
    given = {
        "name": place.name,
        "side": place.side,
        "at": place.at,
        "kind": "carriers" if place.afloat else "box" if place.box else "base",
        "marker": place.marker or None,
        "has": None if place.afloat or place.box else _has(place.ports, place.installations, place.fortified),
    }
    return SiteView.later(still, site, made, given)


def _with_searchers(site: Site) -> Flights:
    """The air of the enemy while it may be sent out to search."""
    return flights(merged(site.air, site.searching) if site.searching else site.air, site.aborted)


_OURS: Mapping[str, Callable[[Site], Any]] = {
    "air": lambda site: flights(site.air, site.aborted),
    "searching": lambda site: flights(site.searching),
    "struck": lambda site: flights(site.struck),
    "counteraired": lambda site: site.counteraired,
    "hidden": lambda site: flights(site.hidden),
}
_THEIRS = {**_OURS, "hidden": lambda site: HIDDEN}
_THEIRS_SENDING = _THEIRS | {
    "air": _with_searchers,
    "searching": lambda site: (),
}


@cache
def _has(ports: int, installations: int, fortified: bool) -> tuple[str, ...]:
    return ("port",) * bool(ports) + ("airbase",) * (installations > ports) + ("fortress",) * fortified


def _mission(mission: Mission) -> MissionView:
    return MissionView(
        target=mission.target,
        side=mission.side,
        combat=mission.combat.value,
        round=mission.round,
        attackers=flights(mission.attackers, mission.aborted),
    )
