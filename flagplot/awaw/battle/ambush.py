"""Submarines that attack a naval force where no naval combat occurs (22.915, 22.921, 22.93A).

Nobody searches for the force: its side deploys it into combat groups, the attacker picks them by their numbers.
"""

from __future__ import annotations

from flagplot.awaw.air_units import Listed
from flagplot.awaw.battle.air_plan import break_down_army_air
from flagplot.awaw.battle.cargo import load_up
from flagplot.awaw.battle.groups import MOST_GROUPS, form_groups
from flagplot.awaw.battle.search import searchers, send_searchers
from flagplot.awaw.procedures import submarine_ambush, submarine_attacks
from flagplot.awaw.state.state import State
from flagplot.kernel.procedures import END, Call, Next
from flagplot.kernel.requests import Script, disclosed
from flagplot.kernel.rules import rule


@submarine_ambush.segment("22.93A", "The attacked force deploys into combat groups")
@rule("22.93A")
def deploy(state: State, side: str) -> Script[Next]:
    """22.93A: a force that submarines attack forms combat groups as for naval combat, but there may be more than
    six. Where submarines attack again it has them already."""
    forces = state.battle.forces(state.other(side))
    if any([not group.number for group in forces.values()]):
        yield from form_groups(state, state.other(side), max(MOST_GROUPS, len(forces)), to_fight=False)
        load_up(state)
    return None


@submarine_ambush.segment("22.9413C", "Both sides send squadrons to search, the attacker first")
@rule("22.9413C", "22.9413D", "23.131D", "23.11B")
def send_out(state: State, side: str) -> Script[Next]:
    """22.9413C: the attacker sends squadrons to the hex, then the defender, who knows how many came."""
    for one in (side, state.other(side)):
        break_down_army_air(state, one)
        yield from send_searchers(state, one)
        flying = searchers(state, one)
        state.battle.this_round.searched[one] = sum(flying.values())
        yield disclosed(("{}: searching with {}", state.name(one), Listed(flying.items())), "22.9413", one)
    return None


@submarine_ambush.segment("22.921", "The submarines attack at once")
@rule("22.921", "22.93A", "22.9416C")
def attack_at_once(state: State, side: str) -> Next:
    """22.921: they attack as soon as they have intercepted. Attacks in one hex are counted as those of one round
    (22.9416C): what was counted before stays."""
    return Call(submarine_attacks, (side,))


@submarine_ambush.segment("22.92", "The squadrons return")
@rule("22.92")
def call_in(state: State, side: str) -> Next:
    """22.92: it is over: those who searched are back at their bases."""
    for site in state.sites.values():
        state.bring_back(site.searching)
        site.searching = {}
    state.battle.this_round.searched = {}
    return END
