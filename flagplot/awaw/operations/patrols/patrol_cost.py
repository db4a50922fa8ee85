"""What a patrol costs in an air turn (SOP-PA-A); an operation without BRPs has none of this."""

from __future__ import annotations

from collections import Counter

from flagplot.awaw.state.operation import Activity, NavalForce
from flagplot.awaw.state.state import State
from flagplot.kernel.requests import Script, disclosed
from flagplot.kernel.rules import rule


@rule("SOP-PA-A")
def may_afford(state: State, force: NavalForce, activity: Activity) -> bool:
    """SOP-PA-A: by option a patrol costs a BRP of its nation for each force; submarines are free."""
    return not _is_charged(state, activity) or state.turn.brps.get(_payer(state, force), 0) > 0


@rule("SOP-PA-A")
def pay_for(state: State, force: NavalForce, activity: Activity) -> Script[None]:
    """SOP-PA-A: patrols are paid for when they are announced."""
    if _is_charged(state, activity):
        state.turn.brps[_payer(state, force)] -= 1
        yield disclosed(("{}: 1 BRP for the patrol of {}", state.name(force.side), force.marker), "SOP-PA-A", True)


def _is_charged(state: State, activity: Activity) -> bool:
    charged = state.turn_if_any is not None and state.setting.options.patrol_cost == "one-a-force"
    return charged and activity is Activity.PATROL


def _payer(state: State, force: NavalForce) -> str:
    """The nation with the most factors in a force, the first of its side among equals."""
    sizes = Counter[str]()
    for which, number in force.group.ships.items():
        sizes[which.nation] += number * which.size
    return max(state.setting.nations[force.side], key=lambda country: sizes[country])
