"""Why something is not offered, whatever is played: a naval battle, an air phase, an attack at sea, an operation, the
airbases and ground attacks of an air turn.

For people who ask, with the rule that forbids it. The refusals are those by which options are listed, and only what the
side itself may know goes into the answers.
"""

from __future__ import annotations

from collections.abc import Iterator

from flagplot.awaw.air_units import Unit, described
from flagplot.awaw.battle import why as battle
from flagplot.awaw.battle.air_plan import COVERERS, SEARCHERS, STRIKERS
from flagplot.awaw.battle.groups import label
from flagplot.awaw.battle.strikes import kept_from_strikes
from flagplot.awaw.counterair import ATTACKED, NOBODY_IN_RANGE, kept_from, kept_from_attack
from flagplot.awaw.operations.bases.attacks import next_counterair, next_port, open_ports
from flagplot.awaw.operations.bases.targets import enemy_bases, land_targets, open_to_land_air
from flagplot.awaw.operations.interception import why as interception
from flagplot.awaw.operations.passage.sortie import announce_strikes, cover, find, patrol
from flagplot.awaw.procedures import air_phase, announcing, interceptions, sortie
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.basing.airbases import about_airbases, place_airbase
from flagplot.awaw.turn.ground import exploitation, overruns, support
from flagplot.kernel.refusal import Reason, Refusal
from flagplot.kernel.words import say


def reasons(state: State, side: str) -> list[Reason] | None:
    """Why forces of a side are not offered for something; None where nothing can be said."""
    if (found := battle.reasons(state, side)) is not None:
        return found
    if state.frames and state.frames[-1].is_at(place_airbase):
        return [*about_airbases(state, side)]
    if state.frames and state.frames[-1].is_at(support.plan_attacks, exploitation.plan_attacks, overruns.announce):
        return [*support.about_attacks(state, side)]
    if sortie.under_way(state.frames):
        return [*_about_sortie(state, side)]
    if air_phase.under_way(state.frames):
        return [*_about_air_phase(state, side)]
    if announcing.under_way(state.frames) or interceptions.under_way(state.frames):
        return interception.reasons(state, side)
    if state.operation_if_any is not None and state.frames and state.frames[-1].is_at(next_counterair, next_port):
        return [*_about_land_strikes(state, side)]
    return None


# --- an air phase -----------------------------------------------------------------------------------------------


def _about_air_phase(state: State, side: str) -> Iterator[Reason]:
    """18.521: which bases are not attacked, and which air units do not fly, against the chosen base or at all."""
    if side != state.scene.attacker or len(state.frames) > 1:
        return
    targets = state.of_side(state.other(side))
    closed = {target: refusal for target in targets if (refusal := kept_from_attack(state, side, target))}
    for target, refusal in closed.items():
        yield refusal.about(state.place(target).name)
    mission = state.battle.mission
    aims = [mission.target] if mission and mission.target not in closed else targets
    for base in state.of_side(side):
        for which, number in state.sites[base].air.items():
            if why := _kept_home(state, which, [aim for aim in aims if aim in state.scene.near]):
                who = described([(which.turned(inverted=False), number)])
                yield Reason(state.place(base).name, f"{who}: {why.text}", why.rule)


def _kept_home(state: State, which: Unit, aims: list[str]) -> Refusal | None:
    """Why some units fly against none of these bases."""
    afloat = state.place(which.home).afloat
    found = [kept_from(state, aim, which, afloat) for aim in aims]
    return found[0] if found and None not in found else None


# --- attacks by land-based air on bases -------------------------------------------------------------------------


def _about_land_strikes(state: State, side: str) -> Iterator[Reason]:
    """23.51: which bases land-based air of the moving side does not attack now."""
    if side != state.scene.attacker:
        return
    fresh, known = open_to_land_air(state), land_targets(state, side)
    only_ports = state.frames[-1].is_at(next_port)
    ports = open_ports(state) if only_ports else known
    for base in enemy_bases(state, side):
        if base not in fresh:
            yield ATTACKED.about(state.place(base).name)
        elif base not in known:
            yield NOBODY_IN_RANGE.about(state.place(base).name)
        elif base not in ports:
            yield _NO_SHIPS.about(state.place(base).name)


_NO_SHIPS = Refusal("no ships in port to attack, and counterair is over", "23.51")


# --- an attack by land-based air at sea -------------------------------------------------------------------------


def _about_sortie(state: State, side: str) -> Iterator[Reason]:
    """23.75: which land-based air takes no part in the present step of an attack, and which groups are not struck."""
    frame, attack = sortie.under_way(state.frames)[0], state.operation.attack
    if len(sortie.under_way(state.frames)) > 1 or attack is None:
        return
    if side != attack.side:
        if frame.is_at(cover):
            yield from battle.kept_ashore(state, side, COVERERS)
        elif frame.is_at(patrol):
            yield from battle.about_patrol(state, side)
    elif frame.is_at(find):
        yield from battle.kept_ashore(state, side, SEARCHERS)
    elif frame.is_at(announce_strikes):
        for group in state.battle.present(state.other(side)):
            if refusal := kept_from_strikes(group):
                yield refusal.about(say(label(state, group)))
        yield from battle.kept_ashore(state, side, STRIKERS)
