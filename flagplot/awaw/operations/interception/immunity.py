"""Who may not be intercepted (22.11A)."""

from __future__ import annotations

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.ships import Kind
from flagplot.awaw.state.operation import Activity, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.rules import rule

RAIDER_PORTS = frozenset({"bergen", "scapa flow"})
NORWEGIAN = frozenset({"oslo", "kiel"})
FROM_A_BOX = frozenset({Activity.BASE_CHANGE, Activity.REDEPLOYMENT})
"""How raiders that began the game at sea leave the box that they are in."""
AXIS = frozenset({"germany", "italy", "japan", "hungary", "bulgaria", "rumania", "finland"})
WESTERN = frozenset(
    {"britain", "united-states", "france", "free-france", "canada", "australia", "new-zealand", "india"}
)


@rule("22.11A", "22.11A.1", "22.11A.2", "22.11A.4", "22.11A.5", "22.11A.7", "22.11C", "22.917")
def is_immune(state: State, voyage: Voyage) -> bool:
    """22.11A: submarines, ASW and Western Allied transports that go to or come from a box, and some raiders may not be
    intercepted. All other raiders may, as long as they are on the map (22.11C)."""
    return (
        bool(voyage.flotilla)
        or Activity.ASW in (voyage.activity, voyage.was)
        or _raiders_are_safe(state, voyage)
        or transports_of_a_box(state, voyage)
    )


@rule("22.11A.1", "22.11A.2")
def _raiders_are_safe(state: State, voyage: Voyage) -> bool:
    """22.11A: raiders from or to Bergen and Scapa Flow; raiders that return and were at sea as the game began."""
    operation = state.operation
    if voyage.activity is Activity.RAID:
        return any([_name(state, force.base) in RAIDER_PORTS for force in operation.sailing(voyage).values()])
    if voyage.activity in FROM_A_BOX:
        forces = operation.sailing(voyage).values()
        return bool(forces) and all([force.began_at_sea and is_box(state, force.base) for force in forces])
    if voyage.activity is Activity.RETURN and voyage.was == Activity.RAID:
        began = any([force.began_at_sea for force in operation.sailing(voyage).values()])
        return began or _name(state, voyage.base) in RAIDER_PORTS
    return False


@rule("22.11A.5")
def transports_of_a_box(state: State, voyage: Voyage) -> bool:
    """22.11A: Western Allied transports, and nothing else, to or from an SW box."""
    operation = state.operation
    ships = [which for force in operation.sailing(voyage).values() for which in force.group.ships]
    alone = bool(ships) and all([which.kind is Kind.TRANSPORT and which.nation in WESTERN for which in ships])
    ends = [voyage.base, *(force.base for force in operation.sailing(voyage).values())]
    return alone and any([is_box(state, end) for end in ends])


@rule("22.11A.6")
def immune_hexes(state: State, voyage: Voyage) -> tuple[Hex, ...]:
    """22.11A: Axis forces that change base or redeploy between Bergen and Oslo or Kiel are safe along Norway's North
    Sea coast, and only there."""
    operation = state.operation
    if voyage.activity not in (Activity.BASE_CHANGE, Activity.REDEPLOYMENT) or not operation.plan.norway:
        return ()
    forces = operation.sailing(voyage).values()
    ends = {_name(state, voyage.base), *(_name(state, force.base) for force in forces)}
    axis = all([which.nation in AXIS for force in forces for which in force.group.ships])
    return operation.plan.norway if axis and "bergen" in ends and ends & NORWEGIAN else ()


def is_box(state: State, base: str) -> bool:
    """Whether a base is a mapboard or SW box."""
    place = state.scene.places.get(base)
    return place.box if place else any(box.id == base for box in state.operation.plan.board.boxes)


def _name(state: State, base: str) -> str:
    place = state.scene.places.get(base)
    return place.name.casefold().replace("-", " ") if place else base.casefold().replace("-", " ")
