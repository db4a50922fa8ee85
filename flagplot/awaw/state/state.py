"""Everything that can change in a game: one value that has parts, and the questions that concern several of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from flagplot.awaw.air_units import Force, Unit
from flagplot.awaw.counting import add, take
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.ships import Ship
from flagplot.awaw.state.air import Site
from flagplot.awaw.state.battle import Battle
from flagplot.awaw.state.operation import Operation
from flagplot.awaw.state.setting import Place, Scene, Setting, at_sea, drm_ledger
from flagplot.awaw.state.turn import GroundUnit, Phase, Turn
from flagplot.kernel.procedures import Frame
from flagplot.kernel.rules import rule


@dataclass(slots=True)
class Losses:
    """What was lost so far."""

    air: dict[str, int] = field(default_factory=dict)
    """Units eliminated: nation/arm/unit, the unit being factors or squadrons."""
    ships: dict[Ship, int] = field(default_factory=dict)
    elsewhere: dict[Ship, int] = field(default_factory=dict)
    """Destroyers that were lost off the chart instead of others (22.9432)."""
    cargo: dict[str, dict[str, int]] = field(default_factory=dict)
    """By side: the parts of its cargo that were lost, in laden factors (22.82)."""


@dataclass(slots=True)
class Elsewhere:
    """Ships off the chart and off the map, which a scenario only counts."""

    destroyers: dict[str, int] = field(default_factory=dict)
    """For each side: uninverted destroyers in the base of origin and uncommitted ones in the SW box, which may be lost
    instead of destroyers that submarines hit (22.9432)."""
    transports: dict[Ship, int] = field(default_factory=dict)
    """Transports in the SW box that raiders are kept from (22.35E)."""
    exposed: bool = False
    """Whether all that stood between them and the raiders who came last is sunk (22.35E)."""


@dataclass(slots=True)
class State:
    """Everything that can change. An operation has an `operation`, an air turn has that and a `turn`; scripts of these
    chapters take them for granted, and all others ask for them with `operation_if_any` and `turn_if_any`."""

    setting: Setting
    scene: Scene
    """Where and between whom something happens now."""
    frames: list[Frame]
    sites: dict[str, Site]
    """The air units in each base."""
    squadrons: bool = False
    """Whether any factors were broken down into squadrons (23.13)."""
    divided: dict[Unit, int] = field(default_factory=dict)
    """Squadrons of army air factors that counterair several bases, and have one before them still (23.152C)."""
    scattered: dict[Unit, int] = field(default_factory=dict)
    """Those that are back and wait, inverted, to be put together (23.152D)."""
    kamikazes: int = 0
    """Kamikazes that have not flown (17.47); there is only one side that has them."""
    kamikaze_growth: int = 0
    """How often the kamikaze pool has grown (17.47H)."""
    losses: Losses = field(default_factory=Losses)
    elsewhere: Elsewhere = field(default_factory=Elsewhere)
    battle: Battle = field(default_factory=Battle)
    """What is being fought; without anything in it if nothing is."""
    operation_if_any: Operation | None = None
    turn_if_any: Turn | None = None

    @property
    def operation(self) -> Operation:
        """The operation, where there is one."""
        assert self.operation_if_any is not None, "not in an operation"
        return self.operation_if_any

    @property
    def turn(self) -> Turn:
        """The air turn, where there is one."""
        assert self.turn_if_any is not None, "not in an air turn"
        return self.turn_if_any

    # --- sides and places ---------------------------------------------------------------------------------------

    def place(self, site: str) -> Place:
        return self.scene.places[site]

    def other(self, side: str) -> str:
        return self.scene.defender if side == self.scene.attacker else self.scene.attacker

    def name(self, side: str) -> str:
        scene = self.scene
        return scene.names[0] if side == scene.attacker else scene.names[1]

    @property
    def sides(self) -> tuple[str, str]:
        """The moving side and the intercepting side; what both do in turn they do in this order."""
        scene = self.scene  # not `scene.sides`: this is asked very often
        return scene.attacker, scene.defender

    @property
    def moving(self) -> str:
        """The side whose player turn it is."""
        return self.scene.attacker

    @property
    def interceptor(self) -> str:
        """The side that ties favour as the one that intercepts: in a counter-interception battle elsewhere that is who
        has countered (22.161B, `docs/rulings.md`)."""
        scene = self.scene
        return self.other(scene.withholder) if scene.withholder else scene.defender

    def of_side(self, side: str) -> tuple[str, ...]:
        """The sites of a side in the order of the scenario."""
        return self.scene.held[side]

    def rebased(self, which: Unit, base: str) -> Unit:
        """A unit as it is in another base, with the DRM that it has there."""
        return which.based(base, drm_ledger(self.setting, self.scene.places[base], which.nation, which.arm).total)

    def at_sea(self, side: str) -> Site:
        """Where all the carrier air of a side stands during a round of a naval battle."""
        return self.sites[at_sea(side)]

    # --- the player turn ----------------------------------------------------------------------------------------

    @property
    def now(self) -> str:
        """The stage of an operation, movement, combat or redeployment (22.15); in an air turn its phase, which may be
        another."""
        if self.turn_if_any is not None:
            return self.turn_if_any.step
        operation = self.operation
        return operation.plan.stages[operation.stage]

    @property
    def fights_on_land(self) -> bool:
        """Whether there is ground combat in this stage, as there is in an air turn."""
        return self.turn_if_any is not None and self.turn_if_any.step == Phase.COMBAT

    def is_held_against(self, side: str, at: Hex) -> bool:
        """Whether the enemy of a side holds a base in a hex; in an air turn his ground units may stand there too."""
        places = self.scene.places.values()
        if any([place.at == at and place.side != side and not place.afloat and not place.box for place in places]):
            return True
        return self.turn_if_any is not None and bool(self.ground_factors(self.other(side), at))

    @rule("22.22F")
    def ground_factors(self, side: str, at: Hex) -> int:
        """22.22F: the ground factors of a side in a hex: in an air turn those of the units that stand there now, in an
        operation what the file says of the bases."""
        if self.turn_if_any is not None:
            units = self.turn_if_any.units.values()
            return sum([unit.factors for unit in units if unit.side == side and _stands(unit, at)])
        ground, places = self.operation.plan.ground, self.scene.places.items()
        return sum([ground.get(key, 0) for key, place in places if place.at == at and place.side == side])

    # --- changing -----------------------------------------------------------------------------------------------

    def send_out(self, which: Unit, number: int) -> None:
        """Squadrons leave their base to search, cover or strike at sea: those that did so before go first (23.164)."""
        site = self.sites[which.home]
        take(site.air, which, number)
        if which in site.used:
            take(site.used, which, min(number, site.used[which]))

    def bring_back(self, force: Force) -> None:
        """Squadrons return to their bases from the sea, uninverted; what they did is remembered (23.162, 23.164)."""
        for which, number in force.items():
            site = self.sites[which.home]
            add(site.air, which, number)
            add(site.used, which, number)

    @rule("17.352C", "23.133")
    def lose(self, eliminated: Force) -> None:
        """Air units are lost. 17.352C: in an air turn they may be built again, elite naval air as regular; squadrons of
        army air wait in the force pool until they make factors (23.141B)."""
        if not eliminated:
            return
        lost = self.losses.air
        for which, number in eliminated.items():
            lost[which.pool] = lost.get(which.pool, 0) + number
        if self.turn_if_any is not None:
            unbuilt = self.turn_if_any.unbuilt
            for which, number in eliminated.items():
                key = f"{which.nation}/naval" if which.is_naval else which.pool.removesuffix("/factors")
                unbuilt[key] = unbuilt.get(key, 0) + number


def _stands(unit: GroundUnit, at: Hex) -> bool:
    return unit.at == at and not unit.aboard
