"""Raiders in an SW box (22.35): one combat group each, one round, and the transports behind those who stopped them."""

from __future__ import annotations

from operator import attrgetter

from flagplot.awaw.basing import UNLIMITED
from flagplot.awaw.battle.damage import Hits, hits_read
from flagplot.awaw.battle.decks import join_battle
from flagplot.awaw.battle.groups import absorb, label
from flagplot.awaw.battle.screening import fit_for_the_line
from flagplot.awaw.counting import add
from flagplot.awaw.hits import Tally, hit_light
from flagplot.awaw.ships import Fleet, Ships
from flagplot.awaw.state.setting import advantage, naval_ledger
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import fleet_attack_modifiers
from flagplot.awaw.tables.grids import naval_attack_by_fleet_row
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.requests import Headline, Roll, Script, disclosed
from flagplot.kernel.rules import rule


@rule("22.35", "22.35A", "SOP-NC-DAGGER")
def one_group_each(state: State, side: str) -> None:
    """22.35: raiders and those who meet them form one group each, of any size."""
    battle = state.battle
    mine = [*battle.forces(side).values()]
    for other in mine[1:]:
        absorb(mine[0], other)
    mine[0].formed, mine[0].number = True, 1
    join_battle(state, mine[0])
    battle.groups = {key: group for key, group in battle.groups.items() if group.ships}


@rule("22.35B")
def deem_found(state: State) -> None:
    """22.35: each of the two groups is taken to have found the other, and nobody is surprised; nothing is told of them
    (SOP-NC-I.F)."""
    for group in state.battle.groups.values():
        group.this_round.results = 1


@rule("17.3121.1")
def most_targets(state: State, side: str) -> int:
    """17.3121: the squadrons of one raiding carrier all attack one target (21.5361B); so raiders strike at most
    as many targets as they have carriers fit to fly from. Others may split as they like."""
    if not state.scene.raiders or side != state.scene.attacker:
        return UNLIMITED
    groups = state.battle.present(side)
    return sum([which.fast_carrier and not which.damaged for group in groups for which in group.ships])


@rule("22.35E", "22.552B.4")
def raid_transports(state: State) -> Script[None]:
    """22.35E: if all that met the raiders unscreened is sunk, raiders that did not fight attack the transports: all
    their factors together on the Naval Attack Table, with the +1 of 22.552B; a hit sinks one (an assumption: 21.5361
    could not be read)."""
    battle = state.battle
    side = state.scene.attacker
    _look_behind(state)
    free = {
        which: number for group in battle.present(side) for which, number in group.idle.items() if which in group.ships
    }
    if not (state.elsewhere.exposed and free and state.elsewhere.transports):
        return
    for group in battle.present(side):
        if not group.revealed:  # they have sunk the others from the air, and show themselves only now
            group.revealed = True
            yield disclosed(("{} revealed: {}", label(state, group), Ships(group.ships.items())), "22.35", group.side)
    ledger = _ledger(state, free)
    strength = sum([number * which.size for which, number in free.items()])
    purpose = ("{}: fire by {} on the transports, row {}", state.name(side), Ships(free.items()), strength)
    reads = hits_read(naval_attack_by_fleet_row(strength), ledger.total)
    hits: Hits = yield Roll(side, 2, purpose, reads, "22.35", ledger)
    sunk = yield from hit_light(state.scene.defender, state.elsewhere.transports, hits, Tally(), state.setting.options)
    for which, number in sunk.items():
        add(state.losses.ships, which, number)
    yield disclosed(("Transports sunk: {}", Ships(sunk.items())), "22.35", True, Headline("sunk"))


@rule("22.35E")
def _look_behind(state: State) -> None:
    """22.35E: carrier strikes are naval combat too: if they have sunk all in the way, no raider has fought."""
    battle = state.battle
    if battle.present(state.scene.defender):
        return
    for group in battle.present(state.scene.attacker):
        if not group.this_round.fought:
            state.elsewhere.exposed = True
            group.idle = {which: group.ships[which] for which in fit_for_the_line(group.ships)}


def _ledger(state: State, free: Fleet) -> Ledger:
    """22.552: the lowest DRM of those who fire, that of the transports, the activity, and tactical codebreaking."""
    firing, target = min(free, key=attrgetter("drm")), min(state.elsewhere.transports, key=attrgetter("drm"))
    setting, scene = state.setting, state.scene
    codebreaking = advantage(scene.tactical, scene.attacker)
    return fleet_attack_modifiers(
        naval_ledger(setting, firing), naval_ledger(setting, target), target_hampered=True, codebreaking=codebreaking
    )
