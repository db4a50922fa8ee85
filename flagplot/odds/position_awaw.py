"""The odds of positions of *A World at War*: which procedure decides what, and what is told of it.

One procedure decides a question if it is asked in it, or begins it: a strike and its launching, a fleet combat, all of
a round's fleet combat while its groups are sought, submarine attacks, kamikazes, attacks on bases, search. Groups,
patrols, cover, landing, withdrawal and the way home bear on the whole battle, and what is decided on a map on more than
that (`position_wide`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from flagplot.awaw import counterair as missions
from flagplot.awaw.battle import strikes
from flagplot.awaw.battle.resolution import air_combat, engage, turn_home
from flagplot.awaw.battle.rounds import search_squadrons, searches, surprise_strike
from flagplot.awaw.knowledge.account import Beliefs
from flagplot.awaw.knowledge.known import Knowledge
from flagplot.awaw.knowledge.public import BELIEVED, Belief
from flagplot.awaw.knowledge.squadrons import markers
from flagplot.awaw.procedures import (
    air_phase,
    base_attacks,
    counterair,
    engagement,
    fleet_combat,
    kamikazes,
    naval_battle,
    strike,
    submarine_ambush,
    submarine_attacks,
)
from flagplot.awaw.ruleset import AWAW
from flagplot.awaw.ships import Ship
from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.state.state import State
from flagplot.kernel.errors import UnknownName
from flagplot.kernel.game import Game, Player
from flagplot.kernel.replaying import Stand
from flagplot.kernel.requests import Choose, Roll
from flagplot.odds.answer import Hits
from flagplot.odds.enumerator import Limits, Tally
from flagplot.odds.position_assumed import Assumed, Involved, missing_of, read_assumed, worlds_of
from flagplot.odds.position_fleet_combat import fought_out
from flagplot.odds.position_staff import Believed, Counted, Horizon, Missing, Told, Worlds
from flagplot.odds.position_wide import newly_damaged, ships_afloat, wide_horizons

SEARCH = "search"
NAMES = {
    strike.name: ("the air strike", "23.76"),
    kamikazes.name: ("the kamikaze attacks", "17.47"),
    engagement.name: ("the fleet combat", "22.53"),
    fleet_combat.name: ("all fleet combat of the round", "22.52"),
    submarine_attacks.name: ("the submarine attacks of the round", "22.9"),
    submarine_ambush.name: ("the submarine attacks", "22.93A"),
    counterair.name: ("the counterair mission", "18.52"),
    base_attacks.name: ("the attacks on bases", "22.432"),
    SEARCH: ("the searches", "22.45"),
}
"""Each procedure that may decide, and its rule."""
LAUNCHING = (strikes.announce, surprise_strike)
SEARCHING = (search_squadrons, searches)


class Officer:
    """The odds officer of *A World at War*."""

    # --- what decides -------------------------------------------------------------------------------------------

    def horizon(self, state: State, request: Choose[Any], side: str) -> Horizon | None:
        deciding = _deciding(state)
        if not deciding or state.frames[-1].is_at(turn_home):
            return None
        name, rule = NAMES[deciding]
        enemy = state.other(side)
        tallies = tuple(f"{state.name(one)}: air units lost" for one in (enemy, side))
        return Horizon(name, rule, _ending(deciding), _losses(state, enemy, strike=deciding == strike.name), tallies)

    def wide(self, state: State, side: str) -> list[Horizon]:
        return wide_horizons(state)

    def veiled(self, game: Game[Any], stand: Stand, side: str, believe: str) -> Beliefs:
        if believe and believe not in [*Belief]:
            raise UnknownName("no such belief", given=believe, allowed=[*Belief])
        return AWAW.beliefs(game.scenario, game.options, stand.state, side, stand.now, believe, planning=False)

    def believed(self, beliefs: Beliefs) -> Believed | None:
        known = beliefs.known
        hidden = known.unseen or any([marker.hidden for marker in known.markers.values()]) or markers(known)
        if not hidden and known.waiting == 0:
            return None
        belief, all_ = beliefs.belief, [*Belief]
        others, wider = [one for one in all_ if one is not belief], all_[all_.index(belief) + 1 :]
        return Believed(belief, BELIEVED[belief], tuple(others), wider[0] if wider else "")

    # --- what is not known --------------------------------------------------------------------------------------

    def missing(self, beliefs: Beliefs, side: str, answers: Sequence[str]) -> list[Missing]:
        if beliefs.on_map:
            return []
        return missing_of(beliefs, _involved(beliefs.known, side, answers))

    def assumed(self, beliefs: Beliefs, side: str, given: Mapping[str, str], missing: Sequence[Missing]) -> Assumed:
        return read_assumed(beliefs.known, given)

    def worlds(self, beliefs: Beliefs, side: str, answers: Sequence[str], assumed: Assumed) -> Worlds:
        if beliefs.on_map:
            return self.whole_worlds(beliefs)
        return worlds_of(beliefs, _involved(beliefs.known, side, answers), assumed)

    def whole_worlds(self, beliefs: Beliefs) -> Worlds:
        return Worlds(None, beliefs.draw, key="whole")

    # --- what is told -------------------------------------------------------------------------------------------

    def tell(self, before: State, side: str, *, names: bool) -> Callable[[State], Told]:
        return teller(before, side, names)

    def policies(self, beliefs: Beliefs, side: str, horizon: Horizon) -> list[str]:
        if horizon.tell is not None or beliefs.on_map:
            return ["what you cannot see of the enemy is filled in at random in each trial, to fit what you know"]
        flown = beliefs.known.state.battle.strike
        if flown is not None and flown.side != side:
            return []
        if horizon.name in (NAMES[strike.name][0], NAMES[kamikazes.name][0], NAMES[submarine_attacks.name][0]):
            return ["undamaged enemy carriers have full decks, and unseen ships no hits"]
        return ["unseen ships have no hits"] if horizon.name == NAMES[fleet_combat.name][0] else []

    def quickly(
        self,
        start: State,
        given: Sequence[Any],
        horizon: Horizon,
        players: Mapping[str, Player],
        limits: Limits,
        seen: Callable[[Roll[Any]], None],
    ) -> Counted | None:
        if horizon.name != NAMES[engagement.name][0]:
            return None
        return fought_out(start, given, players, limits, seen)


# --- which procedure decides --------------------------------------------------------------------------------------


def _deciding(state: State) -> str:
    """The procedure that decides what is asked now, or nothing."""
    top = state.frames[-1]
    if top.is_at(*LAUNCHING):
        return strike.name
    if top.procedure == naval_battle.name:
        return SEARCH if top.is_at(*SEARCHING) else ""
    if top.procedure == air_phase.name:
        return counterair.name if top.is_at(missions.announce) else ""
    if kamikazes.under_way(state.frames):
        return kamikazes.name
    return top.procedure if top.procedure in NAMES else ""


def _ending(deciding: str) -> Callable[[State], bool]:
    if deciding == strike.name:
        return lambda state: state.battle.strike is None
    if deciding == engagement.name:
        return lambda state: state.battle.engagement is None
    if deciding == SEARCH:
        return lambda state: not state.frames[-1].is_at(*SEARCHING)
    return lambda state: all([frame.procedure != deciding for frame in state.frames])


def _losses(opening: State, enemy: str, *, strike: bool) -> Callable[[State], Tally]:
    """What can be counted beside the states: squadrons lost, and in a strike who has turned home, who engaged once the
    combat is over, and the aims once the attacks are."""
    theirs = opening.setting.nations[enemy]

    def take_out(state: State) -> Tally:
        lost, state.losses.air = state.losses.air, {}
        many = sum([number for pool, number in lost.items() if pool.partition("/")[0] in theirs])
        if strike and state.battle.strike is not None:
            _forget(state)
        return many, sum(lost.values()) - many

    return take_out


def _forget(state: State) -> None:
    flown, top = state.battle.strike, state.frames[-1]
    assert flown is not None
    for home in {which.home for which in flown.attackers} | {at_sea(flown.side)}:
        state.sites[home].struck = {}
    if not top.is_at(engage, air_combat):
        flown.defenders = {}
        if top.is_at(turn_home):
            flown.attackers, flown.aims = {}, []


# --- whom it hangs on ---------------------------------------------------------------------------------------------


def _involved(known: Knowledge, side: str, answers: Sequence[str]) -> Involved:
    """The enemy forces that bear upon a question after some answers of the side."""
    state = known.state
    deciding, present = _deciding(state), [group.number for group in state.battle.present(known.enemy)]
    present = sorted({*present, *known.unseen})  # nothing is known of their ships
    if deciding == strike.name:
        return _struck(known, side, answers)
    if deciding == kamikazes.name:
        return Involved(tuple(present), air=True) if "japan" in state.setting.nations[side] else Involved()
    if deciding == engagement.name:
        fight = state.battle.engagement
        assert fight is not None
        met = state.battle.groups[fight.intercepting if side == state.scene.attacker else fight.moving]
        return Involved((met.number,))
    if deciding == fleet_combat.name:
        return Involved(tuple(present))
    if deciding in (submarine_attacks.name, submarine_ambush.name):
        ours = any([some.side == side and some.factors for some in state.battle.submarines])
        able = [
            group.number
            for group in known.groups()
            if group.this_round.results or group.this_round.fought or group.this_round.submarined
        ]
        return Involved(tuple(able if deciding == submarine_attacks.name else present)) if ours else Involved()
    return Involved(bases=tuple(_bases(known, side, answers)))


def _struck(known: Knowledge, side: str, answers: Sequence[str]) -> Involved:
    """The target of the side's own strike; over it the air matters until it has engaged."""
    flown = known.state.battle.strike
    if flown is not None:
        target = known.state.battle.groups[flown.target]
        if flown.side != side:
            return Involved()
        return Involved((target.number,), air=known.state.frames[-1].is_at(engage))
    for text in answers:
        verb, _, number = text.partition(":")
        if verb in ("strike", "surprise") and number.isdigit():
            return Involved((int(number),), air=True)
    return Involved()


def _bases(known: Knowledge, side: str, answers: Sequence[str]) -> Iterable[str]:
    """Enemy bases with a TF marker that are attacked, or may be, and have not shown what is under it."""
    state = known.state
    missions = [*([state.battle.mission] if state.battle.mission else []), *state.battle.sorties]
    attacked = {mission.target for mission in missions if mission.side == side}
    attacked |= {part for text in answers for part in text.split(":")}
    for base, place in state.scene.places.items():
        if place.side == known.enemy and place.marker and base in attacked and not state.sites[base].counteraired:
            yield base


# --- what is told -------------------------------------------------------------------------------------------------


def teller(before: State, side: str, names: bool) -> Callable[[State], Told]:
    """How to sum up a state: what the enemy has lost since, then the side itself, then ships by name."""
    enemy = before.other(side)
    counts = {one: _counts(before, one) for one in (enemy, side)}
    afloat = {one: ships_afloat(before, one) for one in (enemy, side)}
    ships = [
        which
        for one in (enemy, side)
        if names or one == side
        for group in before.battle.forces(one).values()
        for which in group.ships
        if which.named
    ]

    def sum_up(after: State) -> Told:
        told: list[tuple[str, Any]] = []
        for one in (enemy, side):
            now, name = _counts(after, one), before.name(one)
            told += [(f"{name}: {what}", now[what] - counts[one][what]) for what in now]
            told.append((f"{name}: factors newly damaged", newly_damaged(afloat[one], ships_afloat(after, one))))
            told.append((f"{name}: inverted air units in its bases", _inverted(after, one)))
        told += _search(after, enemy)
        told += _hits(after, ships)
        return tuple(told)

    return sum_up


def _counts(state: State, side: str) -> dict[str, int]:
    """What is counted of a side, so that the difference is what it has lost."""
    nations = state.setting.nations[side]
    sunk = [(which, number) for which, number in state.losses.ships.items() if which.nation in nations]
    elsewhere = [(which, number) for which, number in state.losses.elsewhere.items() if which.nation in nations]
    return {
        "factors sunk": sum([which.weight * number for which, number in (*sunk, *elsewhere)]),
        "fast carriers sunk": sum([which.fast_carrier for which, _ in sunk]),
        "named ships sunk": sum([which.named for which, _ in sunk]),
        "transports sunk": sum([number for which, number in sunk if not which.weight]),
        "submarine factors lost": sum([some.lost for some in state.battle.submarines if some.side == side]),
    }


def _inverted(state: State, side: str) -> int:
    sites = [site for key, site in state.sites.items() if state.place(key).side == side]
    return sum([number for site in sites for which, number in site.air.items() if which.inverted])


def _search(state: State, enemy: str) -> Told:
    """22.452: what a search has found."""
    groups = state.battle.numbered(enemy)
    each = [(f"CG {group.number}: search results", group.this_round.results) for group in groups]
    return ("Groups found", sum([group.this_round.results > 0 for group in groups])), *each


def _hits(state: State, ships: Sequence[Ship]) -> Told:
    fleets = [fleet for group in state.battle.groups.values() for fleet in (group.ships, group.shed)]
    afloat = {which.id: which.hits for fleet in fleets for which in fleet if which.named}
    return tuple(
        [
            (f"{which.name}, {which.size} factors: hits", Hits.of(afloat.get(which.id, which.size), which.size))
            for which in ships
        ]
    )


STAFF = Officer()
