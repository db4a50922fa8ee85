"""Fire in a fleet combat (22.55): the dice for each target, their modifiers (22.552), and the hits (22.56)."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from flagplot.awaw.battle.damage import Hits, hit_light_ships, hits_read, tell_named
from flagplot.awaw.battle.groups import is_hampered
from flagplot.awaw.battle.screening import group_of, joined, light_ships, line_of, parts_of, put_together
from flagplot.awaw.hits import hit_named, sinks_light, sinks_named
from flagplot.awaw.ships import Fleet, Ship, Ships, factors
from flagplot.awaw.state.battle import LIGHT_SHIPS, Group, Volley
from flagplot.awaw.state.setting import naval_ledger
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import fleet_attack_modifiers
from flagplot.awaw.tables.grids import naval_attack_by_fleet_row
from flagplot.awaw.tables.grids import rows as rows_of
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.requests import Roll, Script
from flagplot.kernel.rules import rule

_drm = attrgetter("drm")


@rule("22.54C", "22.54F", "22.55", "SOP-NC-I.H.6.b", "SOP-NC-I.H.8", "SOP-NC-I.H.10")
def resolve(state: State, volleys: Sequence[Volley], *, screened: bool = False) -> Script[None]:
    """22.54C, F: fire is simultaneous: all the dice fall before a hit counts, the moving side's first.

    The targets are in the enemy's line, or among its `screened` ships.
    """
    told: list[tuple[Volley, int]] = []
    for volley in sorted(volleys, key=lambda volley: volley.side != state.scene.attacker):
        hits = 0
        for roll in _rolls(state, volley, screened=screened):
            hits += yield roll
        told.append((volley, hits))
    for volley, hits in told:
        if hits:
            yield from _hit(state, volley, hits, screened=screened)


@rule("22.54C.2", "22.54G.2", "SOP-NC-I.H.9.a", "SOP-NC-I.H.9.b")
def _aimed_at(fleet: Fleet, target: str) -> list[Ship]:
    """22.54C: named ships are targets of their own, light ships are one."""
    return [*light_ships(fleet)] if target == LIGHT_SHIPS else [which for which in fleet if which.id == target]


@rule("22.55", "SOP-NC-I.H.6.a", "T22.55", "T23.44-07", "22.552A.4")
def _rolls(state: State, volley: Volley, *, screened: bool) -> list[Roll[Hits]]:
    """22.55: all the fire on one target is one roll of two dice, in the row of its factors, of which CVEs have one;
    beyond the last row by option a roll for each row (T23.44-07)."""
    enemy = state.other(volley.side)
    fleet = joined(state).screened[enemy] if screened else line_of(state, enemy)
    aimed = _aimed_at(fleet, volley.target)
    ledger = fire_ledger(state, volley, aimed)
    light, options = volley.target == LIGHT_SHIPS, state.setting.options
    what = "light ships" if light else aimed[0].name
    sinks = sinks_light(fleet, joined(state).tallies[enemy], options) if light else sinks_named(aimed[0])
    strength = factors(volley.ships)
    separate = options.beyond_last_row == "separate-rolls"
    purpose = ("{}: fire by {} on {}", state.name(volley.side), Ships(volley.ships.items()), what)
    return [
        Roll(
            volley.side,
            2,
            ("{}, row {}", purpose, row),
            hits_read(naval_attack_by_fleet_row(row), ledger.total),
            "22.55",
            ledger,
            sinks=sinks,
        )
        for row in (rows_of("naval-attack", strength, "fleet") if separate else (strength,))
    ]


@rule(
    "22.551",
    "22.552A",
    "22.552A.1",
    "22.552A.2",
    "22.552A.3",
    "22.552A.4",
    "22.552A.5.1",
    "22.552B.1",
    "22.552B.2",
    "22.552B.5",
    "T22.55-05",
    "T22.55-06",
    "T22.552A-10",
    "T23.44-05",
    "T23.44-06",
)
def fire_ledger(state: State, volley: Volley, aimed: Sequence[Ship]) -> Ledger:
    """22.552: the lowest Naval DRM of the ships that fire less that of the target, the lowest of light ships; tactical
    codebreaking; and activities that hamper a group, whatever carriers and damaged ships are in it."""
    setting, scene, enemy = state.setting, state.scene, state.other(volley.side)
    return fleet_attack_modifiers(
        naval_ledger(setting, min(volley.ships, key=_drm)),
        naval_ledger(setting, min(aimed, key=_drm)),
        firing_hampered=hampers(state, group_of(state, volley.side)),
        target_hampered=hampers(state, group_of(state, enemy)),
        codebreaking=(scene.tactical == volley.side) - (scene.tactical == enemy),
    )


@rule("22.552B", "22.552B.4")
def hampers(state: State, group: Group) -> bool:
    """22.552B: whether its activity hampers a group; in the first engagement with raiders, who are the moving side,
    those who shield the transports are hampered."""
    shields = (
        state.scene.raiders
        and state.elsewhere.transports
        and state.battle.round == 1
        and group.side == state.scene.defender
    )
    return bool(shields) or is_hampered(group)


@rule("22.54C.3", "22.56", "T22.55-08", "T22.55-09", "T22.55-10", "T22.55-11", "SOP-NC-I.H.6.c")
def _hit(state: State, volley: Volley, hits: int, *, screened: bool) -> Script[None]:
    """22.56: hits on a named ship, or shared out among the light ships that were fired at; what is sunk is gone."""
    fight, enemy = joined(state), state.other(volley.side)
    parts = parts_of(state, enemy)
    fleet = parts[screened]
    if volley.target == LIGHT_SHIPS:
        tally, group = fight.tallies[enemy], group_of(state, enemy)
        yield from hit_light_ships(state, group, fleet, hits, tally, "22.56")
        put_together(state, enemy, *parts)
        return
    (which,) = _aimed_at(fleet, volley.target)
    after = hit_named(fleet, which, hits)
    put_together(state, enemy, *parts)
    if which.fast_carrier and (after is None or after.damaged):
        fight.stricken = enemy
    yield from tell_named(state, which, after, "22.56")
