"""Air attacks on what has no ships on the chart: sea supply lines that nobody protects, submarines on patrol.

They are found, covered and struck like any combat group; only what the squadrons do in the end differs. The rules that
would say it could not be read, so it is assumed (`docs/rulings.md`).
"""

from __future__ import annotations

from flagplot.awaw.battle.damage import Hits, hits_read
from flagplot.awaw.state import Group, Shipless, State, Strike, drm_ledger, submarine_ledger
from flagplot.awaw.tables.counts import air_attack_modifiers
from flagplot.awaw.tables.grids import naval_attack_by_air_row
from flagplot.kernel.ledger import NOTHING, Ledger
from flagplot.kernel.requests import Note, Roll, Script
from flagplot.kernel.rules import rule


@rule("23.752D", "23.43C")
def attack_shipless(state: State, flown: Strike, group: Group, target: Shipless) -> Script[None]:
    """23.752D, 23.43C: all squadrons that came through roll together on the Naval Attack Table. One hit disrupts a
    line; each hit eliminates a submarine factor."""
    if not target.nation and state.setting.options.supply_line_from_air == "any-attack":
        target.left = 0
        yield Note(("{} is disrupted", group.name), "23.752D", reveals=True)
        return
    number = sum(flown.attackers.values())
    ledger = attack_ledger(state, flown, target)
    purpose = ("{}: attack on {}, row {}", state.name(flown.side), group.name, number)
    reads = hits_read(naval_attack_by_air_row(number), ledger.total)
    hits: Hits = yield Roll(flown.side, 2, purpose, reads, "23.44", ledger)
    lost = min(int(hits), target.left)
    target.left -= lost
    if lost and target.nation:
        yield Note(("{}: {} submarine factor{} lost", group.name, lost, "s" * (lost != 1)), "23.43C", reveals=True)
    elif lost:
        yield Note(("{} is disrupted", group.name), "23.752D", reveals=True)


@rule("23.441A", "23.441B", "22.9411")
def attack_ledger(state: State, flown: Strike, target: Shipless) -> Ledger:
    """23.441: the attackers' lowest Air DRM, with the +1 of naval air, less the Naval DRM of submarines; a line has
    none."""
    lowest = min(flown.attackers, key=lambda which: which.drm + which.is_naval)
    return air_attack_modifiers(
        drm_ledger(state.setting, lowest.home, lowest.nation, lowest.arm),
        submarine_ledger(state.setting, target.nation) if target.nation else NOTHING,
        naval_air_at_sea=lowest.is_naval,
    )
