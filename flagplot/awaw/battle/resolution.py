"""One air strike (23.4, 23.76): defending squadrons, the ships' air defense, targets, hits, and the way home."""

from __future__ import annotations

from functools import partial

from flagplot.awaw.air_combat import AT_SEA, attackers_engaged, weigh
from flagplot.awaw.air_rounds import Party, exchange_fire, take_losses, tell_losses
from flagplot.awaw.air_units import Force, Listed, Unit, in_order, take
from flagplot.awaw.battle.air_attack import AtSea, fire_at_air, squadrons_attack, take_aim
from flagplot.awaw.battle.cargo import settle_cargo
from flagplot.awaw.battle.decks import in_secret, settle_decks
from flagplot.awaw.battle.groups import label, subject_of
from flagplot.awaw.battle.picking import gather, pick
from flagplot.awaw.battle.raiders import most_targets
from flagplot.awaw.battle.shipless import attack_shipless
from flagplot.awaw.battle.strikes import room_in_strike, turn_back, under_way
from flagplot.awaw.counting import merged, without
from flagplot.awaw.losses import Suffered
from flagplot.awaw.procedures import strike
from flagplot.awaw.state.battle import Group, Strike
from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.state.state import State
from flagplot.awaw.tables.counts import surprise_effects
from flagplot.awaw.tables.grids import AirResult
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.requests import Headline, Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words


@strike.segment("23.415A", "The defender's squadrons engage or hold back")
@rule("23.415", "23.415A.1", "23.415A.2", "23.415B.5", "23.415E", "23.415E.6", "22.4421B", "22.4421C")
@rule("22.41D.1.1", "SOP-NC-I.G.2.c", "SOP-NC-I.G.2.c.i")
def engage(state: State) -> Script[Next]:
    """23.415: squadrons over the struck group engage, as many as the defender likes and surprise allows."""
    flown, group = under_way(state)
    flown.defenders = yield from send_defenders(state, group, sum(flown.attackers.values()), flown.level)
    return None if flown.defenders else air_defense


ENGAGE = ("Engage the strike with how many of {}?", "Engage the strike with {}?", "Hold back", "Engage")


@rule("23.415", "22.4421B", "22.4421C", "17.47E", "22.61D")
def send_defenders(state: State, group: Group, attackers: int, surprise: int = 0) -> Script[Force]:
    """23.415: air cover over a struck group comes to light (22.4421B); then its squadrons and the combat air patrol
    engage so many attackers, or hold back."""
    group.this_round.uncovered = group.this_round.attacked = True
    covered: Words = ("No air cover over {}", label(state, group))
    if group.cover:
        covered = ("Air cover over {}: {}", label(state, group), Listed(group.cover.items()))
    yield disclosed(covered, "22.4421", group.side)
    over = merged(group.patrol, group.cover)
    most = partial(_may_engage, state, sum(over.values()), attackers, surprise)
    script = gather(group.side, "engage", over, most, 0, ENGAGE, "23.415")
    name = state.name(group.side)
    words = ("{}: choosing whether to engage the strike", name)
    defenders = yield from secretly(group.side, words, script, "23.415")
    told: Words = ("{}: no squadrons engage the strike", name)
    if defenders:
        told = ("{}: strike engaged by {}", name, Listed(defenders.items()))
    yield disclosed(told, "23.415", group.side)
    return defenders


@rule("23.415A.1", "23.415B.5", "23.415E.2", "23.415E.3", "23.415E.4", "23.415E.5", "23.7413", "SOP-NC-I.G.2.c")
def _may_engage(state: State, over: int, attackers: int, surprise: int, which: Unit, chosen: Force) -> int:
    """23.415E: by surprise so many squadrons fewer may engage; 23.415A: by options, no more than attack, or no more
    than a strike may have."""
    options, engaged = state.setting.options, sum(chosen.values())
    most = over - surprise_effects(surprise).squadrons_withheld - engaged
    if options.defenders_engage == "no-more-than-attackers":
        most = min(most, attackers - engaged)
    if options.defenders_limit == "4-8-12":
        most = min(most, room_in_strike(which, chosen))
    return max(0, most)


@strike.segment("23.415B", "Air combat over the target")
@rule("23.415B.1", "23.415B.2", "23.415B.3", "23.415C", "23.415E.1", "23.416B.1", "23.416B.2", "23.415A.3")
@rule("19.21", "19.41")
def air_combat(state: State) -> Script[Next]:
    """23.415B: as many attackers fight as defenders engage, of the attacker's choice; one round of air combat."""
    flown, target = _under_way(state)
    options, defending = state.setting.options, flown.defenders
    number = attackers_engaged(sum(flown.attackers.values()), sum(defending.values()))
    question = ("Fight defenders with how many of {}?", "Fight defenders with {}?", "Press on", "Fight")
    fighting = in_order((yield from pick(flown.side, "fight", flown.attackers, number, question, "23.415")))
    ours, theirs = Party(flown.side, weigh(fighting, options)), Party(target.side, weigh(defending, options))
    fire = yield from exchange_fire(state, ours, theirs, target.circumstances(defending), target.name)
    yield from _defenders_suffer(state, target.group, defending, fire.on_defenders)
    yield from _attackers_suffer(state, flown, fighting, fire.on_attackers)
    return None if flown.attackers else turn_home


def _under_way(state: State) -> tuple[Strike, AtSea]:
    """The strike that is being flown, and its target."""
    flown, group = under_way(state)
    return flown, AtSea(state, group, flown.side, flown.level, flown.outside)


@rule("23.416B.1", "23.416.EX2", "19.61")
def _defenders_suffer(state: State, group: Group, defending: Force, result: AirResult) -> Script[None]:
    """23.416B: defenders who are not eliminated fight on against later strikes."""
    hit = yield from take_losses(state, group.side, defending, result, {}, AT_SEA)
    for which, number in hit.eliminated.items():
        take(group.patrol if which.home == at_sea(group.side) else group.cover, which, number)
    state.lose(hit.eliminated)
    yield tell_losses(state, group.side, hit.eliminated, 0, "23.416")


@rule("23.416A.1", "23.416A.2", "23.416.EX1", "19.61", "19.63")
def _attackers_suffer(state: State, flown: Strike, fighting: Force, result: AirResult) -> Script[None]:
    """23.416A: results fall first on the squadrons that fought, and what is left over on the others; survivors that
    were not aborted go on to the ships."""
    others = without(flown.attackers, fighting)
    hit = yield from _shot_at(state, flown, fighting, result)
    eliminated, aborted = hit.eliminated, hit.aborted
    flown.attackers = merged(fighting, others)
    left = AirResult(hit.surplus, result.aborted - aborted)
    if any(left):
        more = yield from _shot_at(state, flown, others, left)
        eliminated, aborted = merged(eliminated, more.eliminated), aborted + more.aborted
        flown.attackers = merged(fighting, others)
    yield tell_losses(state, flown.side, eliminated, aborted, "23.416")


@rule("23.423", "T23.42-10", "T23.42-11", "23.74D", "23.751B")
def _shot_at(state: State, flown: Strike, force: Force, result: AirResult) -> Script[Suffered]:
    """23.423: eliminated squadrons are lost, aborted ones turn home; the force is changed. What the result did."""
    turned: Force = {}
    hit = yield from take_losses(state, flown.side, force, result, turned, AT_SEA)
    for which, number in turned.items():
        take(force, which, number)
    turn_back(state, turned)
    state.lose(hit.eliminated)
    return hit


@strike.segment("23.42", "The ships' air defense")
@rule("23.421.1", "23.424", "23.424#2", "SOP-NC-I.G.2.d", "SOP-NC-I.G.2.e", "SOP-NC-I.G.2.e.i")
def air_defense(state: State) -> Script[Next]:
    """23.42: all that came through face the air defense of the group; if one of them gets through, its contents are
    shown (23.424#2)."""
    flown, target = _under_way(state)
    result = yield from fire_at_air(state, target)
    if result is not None:
        hit = yield from _shot_at(state, flown, flown.attackers, result)
        yield tell_losses(state, flown.side, hit.eliminated, hit.aborted, "23.423", reveals=True)
    if not flown.attackers:
        return turn_home
    yield from target.show()
    return None


@strike.segment("23.43", "Targets are chosen")
@rule("23.43", "23.43A", "23.43B", "23.76C", "23.76C.1", "23.76C.2", "23.76C.3", "23.76C.4", "17.3121.1")
@rule("SOP-NC-I.G.2.f.i", "SOP-NC-I.G.2.f.i.a", "SOP-NC-I.G.2.f.i.b")
def targets(state: State) -> Script[Next]:
    """23.76C: the attacker says how many squadrons attack each target before any of them rolls: named ships one by one,
    light ships as one. Every squadron attacks, and attacks one target. Raiders' carriers do not split (17.3121)."""
    flown, group = under_way(state)
    if group.shipless:
        yield from attack_shipless(state, flown, group, group.shipless)
        return turn_home
    yield from take_aim(flown, group.ships, most_targets(state, flown.side), always=state.scene.raiders)
    return None


@strike.segment("23.44", "The attacks")
@rule("23.44", "23.76D", "23.76E", "SOP-NC-I.G.2.f.ii", "23.443A.1", "22.452C.1")
def attack(state: State) -> Script[Next]:
    """23.44: for each target two dice on the Naval Attack Table, in the row of the squadrons against it."""
    flown, target = _under_way(state)
    yield from squadrons_attack(state, flown, target)
    flown.stricken = target.stricken
    yield from settle_cargo(state, target.group)
    return None


@strike.segment("23.76", "The strike turns home")
@rule("22.463", "17.3124", "23.74D", "23.751B", "23.76", "23.76E")
def turn_home(state: State) -> Script[Next]:
    """22.463: squadrons that struck are done for this round; carriers that were hit may have taken some down
    (17.3124)."""
    flown, group = under_way(state)
    turn_back(state, flown.attackers)
    state.battle.strike = None
    if flown.stricken:
        yield from in_secret(state, group.side, settle_decks(state, group.side))
    if not group.ships and not group.shipless:
        yield Note(("{} destroyed", label(state, group)), "23.443", headline=Headline("sunk", (subject_of(group),)))
    return END
