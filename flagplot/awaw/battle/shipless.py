"""Air attacks on what has no ships on the chart: sea supply lines that nobody protects, submarines on patrol.

They are found, covered and struck like any combat group; only what the squadrons do in the end differs. The rules that
would say it could not be read, so it is assumed (`docs/rulings.md`).
"""

from __future__ import annotations

from flagplot.awaw.battle.air_attack import attack_roll, squadrons_ledger
from flagplot.awaw.state.battle import Group, Shipless, Strike
from flagplot.awaw.state.setting import submarine_ledger
from flagplot.awaw.state.state import State
from flagplot.kernel.ledger import NOTHING, Ledger
from flagplot.kernel.requests import Headline, Script, disclosed
from flagplot.kernel.rules import rule


@rule("23.752D", "23.43C")
def attack_shipless(state: State, flown: Strike, group: Group, target: Shipless) -> Script[None]:
    """23.752D, 23.43C: all squadrons that came through roll together on the Naval Attack Table. One hit disrupts a
    line; each hit eliminates a submarine factor."""
    if not target.nation and state.setting.options.supply_line_from_air == "any-attack":
        target.left = 0
        yield disclosed(("{} disrupted", group.name), "23.752D", True)
        return
    ledger = attack_ledger(state, flown, target)
    hits = yield attack_roll(state, flown.side, flown.attackers, group.name, ledger)
    lost = min(int(hits), target.left)
    target.left -= lost
    if lost and target.nation:
        words = ("{}: {} submarine factor{} lost", group.name, lost, "s" * (lost != 1))
        yield disclosed(words, "23.43C", True, Headline("sunk"))
    elif lost:
        yield disclosed(("{} disrupted", group.name), "23.752D", True)


@rule("22.9411")
def attack_ledger(state: State, flown: Strike, target: Shipless) -> Ledger:
    """22.9411: the modifiers of squadrons against submarines, which have a Naval DRM; a line has none."""
    against = submarine_ledger(state.setting, target.nation) if target.nation else NOTHING
    return squadrons_ledger(state, flown.attackers, against)
