"""The odds of one round of air combat (chapter 19): what each side loses, and what is aborted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, cast

from flagplot.awaw.air_combat import Circumstances, Combat, defenders_abort, modifiers, rolls, tie_by_drm, weigh
from flagplot.awaw.air_units import NAVAL_ARMS, Arm, Role
from flagplot.awaw.battle import resolution
from flagplot.awaw.battle.rounds import second_strikes
from flagplot.awaw.counterair import combat_round, end_phase
from flagplot.awaw.counting import merged
from flagplot.awaw.losses import suffer
from flagplot.awaw.ruleset import AWorldAtWar
from flagplot.awaw.state.air import Mission
from flagplot.awaw.state.battle import Strike
from flagplot.awaw.state.setting import DrmReasons, at_sea
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.grids import NO_EFFECT
from flagplot.kernel.errors import BadValue
from flagplot.kernel.procedures import END, Next, Procedure
from flagplot.kernel.requests import Script
from flagplot.kernel.ruleset import Ruleset
from flagplot.kernel.words import titled
from flagplot.odds.answer import Answer, Part, Reasons
from flagplot.odds.answers.air_scenario import FIELD, escort, field, force_of, only, opening, role, striker_home
from flagplot.odds.enumerator import enumerate_ends
from flagplot.odds.questions.air_combat import AirCombatQuestion
from flagplot.odds.questions.shared import ATTACKERS, DEFENDERS
from flagplot.odds.words import Flight, by_country, described_flights
from flagplot.players.doctrine import DoctrinePlayer

BASE = FIELD.format(DEFENDERS)
AT_SEA_ARMS = (*NAVAL_ARMS, Arm.ARMY)
BOMBING_ARMS = (Arm.INTERCEPTOR, Arm.BOMBER, Arm.PACIFIC_BOMBER)


class Fought(NamedTuple):
    """What a round has done to both sides."""

    attackers_eliminated: int
    attackers_aborted: int
    defenders_eliminated: int
    defenders_aborted: int


def air_combat(question: AirCombatQuestion) -> Answer:
    """The exact odds of one round of air combat of some kind: units eliminated and aborted on both sides."""
    combat, ours, theirs = Combat(question.kind), question.attackers, question.defenders
    _check(combat, question)
    state = _opening(combat, question)
    ends = _over_ships(state, question) if combat is Combat.AT_SEA else _over_a_base(state, ours, theirs, combat)
    reasons = Reasons()
    segment = state.frames[-1].segment
    found = enumerate_ends(
        DUEL,
        state,
        {ATTACKERS: DoctrinePlayer(), DEFENDERS: DoctrinePlayer()},
        ends,
        over=lambda state: not state.frames or state.frames[-1].segment != segment,
        seen=reasons,
    )
    unit = "squadrons" if _in_squadrons(combat, ours, theirs) else "factors"
    who, against = described_flights(question.attackers), described_flights(question.defenders)
    asked = f"One round of air combat ({combat.replace('-', ' ')}): {who} against {against}"
    parts = tuple([Part(f"{titled(name)}, in {unit}", found.ends.of(attrgetter(name))) for name in Fought._fields])
    idle = {one.arm is Arm.TRANSPORT for one in theirs} == {True, False}
    policies = (
        OWNERS,
        *[ARMY_FIRST] * (combat is Combat.AT_SEA and any(one.arm is Arm.ARMY for one in ours)),
        *[TRANSPORTS] * idle,
    )
    return Answer(asked, parts, reasons.kept, policies, question.options.unusual, *found.extent)


OWNERS = "of types equal in number and DRM the less useful are lost first"
TRANSPORTS = "air transports are left out of the combat while other air defends"
ARMY_FIRST = "if attackers outnumber defenders, army squadrons fight first"


def _in_squadrons(combat: Combat, ours: Sequence[Flight], theirs: Sequence[Flight]) -> bool:
    """23.131A: over ships, and wherever naval air takes part."""
    return combat is Combat.AT_SEA or any(flight.arm in NAVAL_ARMS for flight in (*ours, *theirs))


def _check(combat: Combat, question: AirCombatQuestion) -> None:
    """What belongs to one kind of air combat has no place in another."""
    for name, flights in ((ATTACKERS, question.attackers), (DEFENDERS, question.defenders)):
        words = question.text(name)
        if not flights:
            raise BadValue(f"air combat needs {name}", given=words, allowed=["6 japan naval"], rule="19.1")
        if combat is Combat.AT_SEA:
            only(flights, AT_SEA_ARMS, "over ships army and naval squadrons fight", words, "23.11")
        if any(flight.inverted for flight in flights):
            message = "inverted air only fights in its base: ask for the odds of a base-attack"
            raise BadValue(message, given=words, rule="19.64")
        if combat is not Combat.BOMBING and any(flight.arm in BOMBING_ARMS for flight in flights):
            raise BadValue("bombers and interceptors only fight in bombing", given=words, rule="26")
    level, radar = question.surprise, question.radar
    if combat is not Combat.AT_SEA and (level or question.cap or question.cover):
        what = f"surprise {level}" if level else "patrol or cover"
        raise BadValue("patrol, cover and surprise apply only over ships", given=what, rule="19.31C")
    if radar and combat is not Combat.BOMBING:
        raise BadValue("radar counts only in bombing", given=f"radar {radar}", rule="19.31D")


def _opening(combat: Combat, question: AirCombatQuestion) -> State:
    """A state with a field for each side; in a naval battle also with ships, so that there is one."""
    ours, theirs = question.attackers, question.defenders
    sides = {ATTACKERS: [flight.nation for flight in ours], DEFENDERS: [flight.nation for flight in theirs]}
    based = [[flight for flight in flights if flight.arm not in BOMBING_ARMS] for flights in (ours, theirs)]
    more: dict[str, Any] = {
        "bases": [field(ATTACKERS, based[0]), field(DEFENDERS, based[1])],
        "research": _research(question, sides),
    }
    if combat is Combat.AT_SEA:
        more |= {"rounds": 1, "forces": [escort(ATTACKERS, ours[0].nation), escort(DEFENDERS, theirs[0].nation)]}
    kind = "naval-battle" if combat is Combat.AT_SEA else "air-phase"
    return opening(kind, sides, question, {"bases[0]": "attackers", "bases[1]": "defenders"}, **more)


def _research(question: AirCombatQuestion, sides: dict[str, list[str]]) -> dict[str, dict[str, int]]:
    known = by_country(question.research, sides)
    for flight in (*question.attackers, *question.defenders):
        if flight.arm is Arm.JET:  # who flies them has them (17.54)
            known.setdefault(flight.nation, {}).setdefault("jets", 9)
    if question.radar:
        for flight in question.defenders:
            known.setdefault(flight.nation, {})["radar"] = question.radar
    return known


# --- over ships -----------------------------------------------------------------------------------------------------


def _over_ships(state: State, question: AirCombatQuestion) -> Callable[[State], Fought]:
    """Put the state before the air combat of a strike. Without a word naval air flies patrol and army air cover."""
    theirs, level, cap, cover = question.defenders, question.surprise, question.cap, question.cover
    patrols = [flight for flight in theirs if _on_patrol(flight, cap, cover)]
    covering = [flight for flight in theirs if flight not in patrols]
    if cap and (not patrols or (covering and not cover)):
        raise BadValue("combat air patrol is flown by naval squadrons", given="cap", rule="23.11C")
    if cover and not covering:
        message = "with a patrol, only army squadrons fly cover: name some, or leave the patrol out"
        raise BadValue(message, given="cover", rule="23.11D")
    for group in state.battle.groups.values():
        group.formed, group.number = True, 1
    key, group = next((key, group) for key, group in state.battle.groups.items() if group.side == DEFENDERS)
    group.patrol = force_of(state, patrols, lambda _: at_sea(DEFENDERS), lambda _: Role.SQUADRONS)
    group.cover = force_of(state, covering, lambda _: BASE, role(Role.COVER))
    attackers = force_of(state, question.attackers, striker_home, role(Role.ATTACK))
    defending = merged(group.patrol, group.cover)
    state.battle.strike = Strike(ATTACKERS, key, level > 0, level, attackers, defending)
    state.frames = [second_strikes.start(), resolution.air_combat.start()]
    flying, over = sum(attackers.values()), sum(defending.values())

    def ends(after: State) -> Fought:
        assert after.battle.strike is not None
        struck, there = after.battle.strike.attackers, after.battle.groups[key]
        lost = _lost(after, ATTACKERS)
        left = sum(there.patrol.values()) + sum(there.cover.values())
        return Fought(lost, flying - lost - sum(struck.values()), over - left, 0)

    return ends


def _on_patrol(flight: Flight, cap: bool, cover: bool) -> bool:
    """Naval squadrons fly patrol, unless it is said that there is cover and no patrol."""
    return flight.arm in NAVAL_ARMS and not (cover and not cap)


# --- elsewhere ------------------------------------------------------------------------------------------------------

duel = Procedure("duel", "19.2", "A round of air combat over bombers")


@duel.segment("19.2", "A round of air combat")
def bombing_round(state: State) -> Script[Next]:
    """19.2, 19.31D: one round in which the defender's radar counts and his units ignore aborts."""
    mission, options = state.battle.mission, state.setting.options
    assert mission is not None
    site, combat = state.sites[mission.target], mission.combat
    ours, theirs = weigh(mission.attackers, options), weigh(site.air, options)
    circumstances = Circumstances(combat, radar=state.setting.best(DEFENDERS, "radar"))
    ledger = modifiers(ours, theirs, partial(DrmReasons, state.setting, state.scene), circumstances)
    results = []
    for side, strength, reasons in ((ATTACKERS, ours.strength, ledger), (DEFENDERS, theirs.strength, -ledger)):
        result = NO_EFFECT
        for roll in rolls(side, strength, reasons, ("{}: air combat, row {}", state.name(side), strength), options):
            result += yield roll
        results.append(result)
    by_drm = tie_by_drm(combat, options)
    marks = site.aborted if defenders_abort(combat) else {}
    hit = yield from suffer(DEFENDERS, site.air, [*site.air], results[0], marks, by_drm=by_drm)
    lost = yield from suffer(
        ATTACKERS, mission.attackers, [*mission.attackers], results[1], mission.aborted, by_drm=by_drm
    )
    state.lose(hit.eliminated)
    state.lose(lost.eliminated)
    return END


class Duelling(AWorldAtWar):
    """The game with one more procedure, for a kind of air combat whose missions are not built."""

    procedures: ClassVar = {**AWorldAtWar.procedures, duel.name: duel}


DUEL: Ruleset[State] = cast(Any, Duelling())


def _over_a_base(
    state: State, ours: Sequence[Flight], theirs: Sequence[Flight], combat: Combat
) -> Callable[[State], Fought]:
    """Put the state before a round of air combat over a base, or over bombers."""
    in_squadrons = _in_squadrons(combat, ours, theirs)
    attackers = force_of(state, ours, lambda _: FIELD.format(ATTACKERS), _scale(in_squadrons, Role.ATTACK))
    state.sites[FIELD.format(ATTACKERS)].air = {}
    state.sites[BASE].air = force_of(state, theirs, lambda _: BASE, _scale(in_squadrons, Role.COVER))
    state.battle.mission = Mission(BASE, ATTACKERS, combat, attackers, squadrons=in_squadrons)
    state.squadrons = in_squadrons
    segment = duel.start() if combat is Combat.BOMBING else combat_round.start()
    state.frames = [end_phase.start(), segment]
    return _counted


def _counted(after: State) -> Fought:
    assert after.battle.mission is not None
    return Fought(
        _lost(after, ATTACKERS),
        sum(after.battle.mission.aborted.values()),
        _lost(after, DEFENDERS),
        sum(after.sites[BASE].aborted.values()),
    )


def _scale(in_squadrons: bool, army: Role) -> Callable[[Flight], Role]:
    return role(army) if in_squadrons else lambda _: Role.FACTORS


def _lost(state: State, side: str) -> int:
    """The units that a side has lost."""
    nations = state.setting.nations[side]
    return sum([number for pool, number in state.losses.air.items() if pool.partition("/")[0] in nations])
