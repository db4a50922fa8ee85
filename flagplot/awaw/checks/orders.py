"""What naval forces and submarines may be told to do: how far, when and where."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.checks.places import destination
from flagplot.awaw.mapboard.board import Mapboard
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.announcing import LANDED, UNLIMITED
from flagplot.awaw.operations.passage.joining import BARRED_TO_CVES, MOST_RAIDERS
from flagplot.awaw.ships import Kind
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.operation import Activity
from flagplot.awaw.tables.counts import MAXIMUM_RANGE
from flagplot.kernel.errors import Fault
from flagplot.kernel.rules import rule

USUAL_STAGE = {
    Activity.PATROL: "movement",
    Activity.BASE_CHANGE: "movement",
    Activity.SEA_TRANSPORT: "movement",
    Activity.INVASION: "combat",
    Activity.BOMBARDMENT: "combat",
    Activity.CARRIER_MISSION: "combat",
    Activity.SEA_SUPPLY: "redeployment",
    Activity.SEA_ESCORT: "redeployment",
    Activity.REDEPLOYMENT: "redeployment",
    Activity.RAID: "redeployment",
    Activity.DISPLACEMENT: "movement",
    Activity.ASW: "movement",
}
"""22.15A-B: when each activity is announced."""
ANY_STAGE = frozenset({Activity.SEA_SUPPLY, Activity.DISPLACEMENT})
"""Supply is traced in the movement stage too (22.14F), and ships are displaced whenever they have to be."""


def check_order(
    data: dict[str, Any],
    board: Mapboard,
    bases: dict[str, Any],
    entry: dict[str, Any],
    order: dict[str, Any],
    where: str,
    faults: list[Fault],
) -> None:
    """21.36: an activity is within 40 hexes of its base, 20 in the Pacific; supply and redeployment go any way."""
    _check_stage(order, where, faults)
    to = destination(board, bases, order["to"], where, faults)
    base = bases.get(entry["base"])
    if to is None or base is None:
        return
    start = (base["at"][0], base["at"][1])
    sails = board.sea_distance(start, to)
    most = MAXIMUM_RANGE[data["theatre"]]
    activity = Activity(order["activity"])
    holders = _holders(bases, order["to"], to)
    if activity in LANDED and holders - {entry["side"]}:
        faults.append(Fault(f"{where}.to", f"{order['to']} is held by the enemy: invade it first", "22.15"))
    if activity is Activity.INVASION and entry["side"] in holders:
        faults.append(Fault(f"{where}.to", f"{order['to']} is held by this side: nobody invades it", "22.15A"))
    if sails is None:
        faults.append(Fault(f"{where}.to", f"there is no way by sea from {base['name']} to {order['to']}"))
    elif sails > most and activity not in UNLIMITED:
        faults.append(Fault(f"{where}.to", f"{order['to']} is {sails} hexes away, and {most} are the most", "21.36"))


def _holders(bases: dict[str, Any], text: str, at: Hex) -> set[str]:
    """The sides with a base where an order leads to, by its name or by the hex that it lies in."""
    there = [base for key, base in bases.items() if key == text or (tuple(base["at"]) == at and not base["box"])]
    return {base["side"] for base in there}


@rule("22.15A", "22.15B")
def _check_stage(order: dict[str, Any], where: str, faults: list[Fault]) -> None:
    """22.15A: patrols and changes of base are announced in the movement stage, naval missions in the combat stage;
    22.15B: raiders and redeployments after that."""
    activity = Activity(order["activity"])
    usual = USUAL_STAGE[activity]
    if order["stage"] not in (None, usual) and activity not in ANY_STAGE:
        number = "22.15B" if usual == "redeployment" else "22.15A"
        faults.append(Fault(f"{where}.stage", f"{activity.value} is announced in the {usual} stage", number))


PORT_TO_PORT = frozenset({Activity.BASE_CHANGE, Activity.REDEPLOYMENT, Activity.DISPLACEMENT, Activity.ASW})


def check_fitness(bases: dict[str, Any], group: Group, order: dict[str, Any], where: str, faults: list[Fault]) -> None:
    """Whether the force can do it and the place fits: ships move to ports of their side, raiders to boxes."""
    activity = Activity(order["activity"])
    base = bases.get(order["to"])
    if activity in PORT_TO_PORT and (base is None or base["side"] != group.side or not (base["ports"] or base["box"])):
        faults.append(Fault(f"{where}.to", f"{order['to']} is no port of this side", "21.11"))
    if activity is Activity.RAID and (base is None or not base["box"]):
        faults.append(Fault(f"{where}.to", f"raiders go to an SW box, and {order['to']} is none", "21.533"))
    if activity is Activity.RAID and sum(group.ships.values()) > MOST_RAIDERS:
        faults.append(Fault(where, f"a raiding group has at most {MOST_RAIDERS} ships", "21.5342"))
    if activity in BARRED_TO_CVES and any([which.kind is Kind.CVE for which in group.ships]):
        faults.append(Fault(where, "escort carriers neither patrol nor raid", "20.42"))
    if activity is Activity.ASW and not all([which.kind is Kind.DESTROYER for which in group.ships]):
        faults.append(Fault(where, "only destroyers deploy as ASW", "22.11A"))
