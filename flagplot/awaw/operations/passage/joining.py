"""Who may act with whom (22.13C, 22.81C, 22.163D): forces that sail together, or take over the activity of others."""

from __future__ import annotations

from flagplot.awaw.operations.interception.sailing_together import may_cooperate, nations
from flagplot.awaw.ships import Kind
from flagplot.awaw.state.operation import Activity, NavalForce, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.rules import rule

BARRED_TO_CVES = frozenset({Activity.PATROL, Activity.RAID})
MOST_RAIDERS = 3
"""The ships of a raiding group (21.5342)."""


@rule("22.81C", "22.163D", "22.13C.1", "22.141E", "22.282")
def may_act_with(state: State, force: NavalForce, voyage: Voyage) -> bool:
    """22.81C: whether a force is permitted to take part in an activity of others: British and French ones only if they
    act together (22.141E), no transports for a supply zone after some have turned back (22.282), escort carriers in no
    patrol or raid, and no more than three ships in a raid."""
    operation = state.operation
    ships = force.group.ships
    others = [sum(other.group.ships.values()) for other in operation.sailing(voyage).values()]
    many = voyage.activity is Activity.RAID and sum([*others, *ships.values()]) > MOST_RAIDERS
    slow = voyage.activity in BARRED_TO_CVES and any([which.kind is Kind.CVE for which in ships])
    allied = may_cooperate(state, nations(state, voyage) | {which.nation for which in ships})
    return allied and not (many or slow or is_barred(state, force, voyage.base))


@rule("22.282")
def is_barred(state: State, force: NavalForce, base: str) -> bool:
    """22.282: no transports go to a supply zone after some have turned back."""
    transports = any([which.kind is Kind.TRANSPORT for which in force.group.ships])
    return transports and state.operation.plan.zones.get(base, "") in state.operation.barred_zones
