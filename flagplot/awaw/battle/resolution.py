"""One air strike (23.4, 23.76): defending squadrons, the ships' air defense, targets, hits, and the way home."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from operator import attrgetter

from flagplot.awaw.air_combat import (
    Circumstances,
    Combat,
    attackers_engaged,
    defenders_abort,
    modifiers,
    rolls,
    tie_by_drm,
    weigh,
)
from flagplot.awaw.air_units import Counted, Force, Listed, Lost, Unit, add, in_order, take
from flagplot.awaw.battle.cargo import settle_cargo
from flagplot.awaw.battle.damage import Hits, hit_light_ships, hits_read, tell_named
from flagplot.awaw.battle.decks import settle_decks
from flagplot.awaw.battle.groups import label
from flagplot.awaw.battle.picking import gather, pick
from flagplot.awaw.battle.raiders import most_targets
from flagplot.awaw.battle.shipless import attack_shipless
from flagplot.awaw.battle.strikes import room_in_strike, under_way
from flagplot.awaw.counterair import how_many
from flagplot.awaw.counting import merged
from flagplot.awaw.hits import Critical, Tally, critical_roll, hit_named
from flagplot.awaw.losses import Suffered, suffer
from flagplot.awaw.ships import Ship, Ships, defense_counts
from flagplot.awaw.state import (
    LIGHT_SHIPS,
    Aim,
    DrmReasons,
    Group,
    State,
    Strike,
    at_sea,
    drm_ledger,
    naval_ledger,
)
from flagplot.awaw.tables.counts import (
    air_attack_modifiers,
    air_defense_level,
    surprise_effects,
)
from flagplot.awaw.tables.grids import NO_EFFECT, AirResult, air_defense_row, naval_attack_by_air_row
from flagplot.awaw.tables.grids import rows as rows_of
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.procedures import END, Next, Procedure
from flagplot.kernel.requests import Choose, Faces, Note, Roll, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words

strike = Procedure("strike", "23.76", "An air strike")


@strike.segment("23.415A", "The defender's squadrons engage or hold back")
@rule(
    "23.415",
    "23.415A.1",
    "23.415A.2",
    "23.415B.5",
    "23.415E",
    "23.415E.6",
    "22.4421B",
    "22.4421C",
    "22.41D.1.1",
    "SOP-NC-I.G.2.c",
    "SOP-NC-I.G.2.c.i",
)
def engage(state: State) -> Script[Next]:
    """23.415: squadrons over the struck group engage, as many as the defender likes and surprise allows."""
    flown, group = under_way(state)
    flown.defenders = yield from send_defenders(state, group, sum(flown.attackers.values()), flown.level)
    return None if flown.defenders else "air_defense"


@rule("23.415", "22.4421B", "22.4421C", "17.47E", "22.61D")
def send_defenders(state: State, group: Group, attackers: int, surprise: int = 0) -> Script[Force]:
    """23.415: air cover over a struck group comes to light (22.4421B); then its squadrons and the combat air patrol
    engage so many attackers, or hold back."""
    group.uncovered = group.attacked = True
    covered = ("Air cover over {}: {}", label(state, group), Listed(group.cover.items()))
    yield Note(covered, "22.4421", reveals=True)
    over = merged(group.patrol, group.cover)
    most = partial(_may_engage, state, sum(over.values()), attackers, surprise)
    script = gather(group.side, "engage", over, most, 0, "How many of {} engage the strike?", "23.415")
    words = ("{}: squadrons over the target engage or hold back", state.name(group.side))
    defenders = yield from secretly(group.side, words, script, "23.415")
    told = ("{}: the strike is engaged by {}", state.name(group.side), Listed(defenders.items()))
    yield Note(told, "23.415", reveals=True)
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
@rule(
    "23.415B.1",
    "23.415B.2",
    "23.415B.3",
    "23.415C",
    "23.415E.1",
    "23.416B.1",
    "23.416B.2",
    "23.415A.3",
    "19.21",
    "19.41",
)
def air_combat(state: State) -> Script[Next]:
    """23.415B: as many attackers fight as defenders engage, of the attacker's choice; one round of air combat."""
    flown, group = under_way(state)
    options, defending = state.setting.options, flown.defenders
    number = attackers_engaged(sum(flown.attackers.values()), sum(defending.values()))
    question = "How many of {} fight the defenders?"
    fighting = in_order((yield from pick(flown.side, "fight", flown.attackers, number, question, "23.415")))
    ours, theirs = weigh(fighting, options), weigh(defending, options)
    circumstances = over_ships(group, defending, flown.level)
    ledger = modifiers(ours, theirs, partial(DrmReasons, state.setting), circumstances)
    ours_hit = yield from roll_combat(state, flown.side, group, ours.strength, ledger)
    theirs_hit = yield from roll_combat(state, group.side, group, theirs.strength, -ledger)
    yield from _defenders_suffer(state, group, defending, ours_hit)
    yield from _attackers_suffer(state, flown, fighting, theirs_hit)
    return None if flown.attackers else "turn_home"


def over_ships(group: Group, defending: Force, surprise: int = 0) -> Circumstances:
    """23.415D: what changes an air combat over ships beside the forces: who of the defenders are on patrol and who
    fly cover, and surprise."""
    patrol = any([which.home == at_sea(group.side) for which in defending])
    cover = any([which.home != at_sea(group.side) for which in defending])
    return Circumstances(Combat.AT_SEA, patrol, cover, surprise)


def roll_combat(state: State, side: str, group: Group, strength: int, ledger: Ledger) -> Script[AirResult]:
    """The dice of one side in an air combat over a group."""
    result = NO_EFFECT
    purpose = (COMBAT, state.name(side), label(state, group), strength)
    for roll in rolls(side, strength, ledger, purpose, state.setting.options):
        result += yield roll
    return result


COMBAT = "{}: air combat over {}, row {}"
LOSSES = "{}: {} eliminated, {} aborted"


@rule("23.416B.1", "23.416B.2", "23.416.EX2", "19.61")
def _defenders_suffer(state: State, group: Group, defending: Force, result: AirResult) -> Script[None]:
    """23.416B: defenders who are not eliminated fight on against later strikes; aborts do not touch them."""
    assert not defenders_abort(Combat.AT_SEA)
    by_drm, named = tie_by_drm(Combat.AT_SEA, state.setting.options), state.setting.name_of_place
    result = AirResult(result.eliminated, 0)
    hit = yield from suffer(group.side, defending, [*defending], result, {}, by_drm=by_drm, named=named)
    for which, number in hit.eliminated.items():
        take(group.patrol if which.home == at_sea(group.side) else group.cover, which, number)
    state.lose(hit.eliminated)
    yield Note((LOSSES, state.name(group.side), Lost(hit.eliminated.items()), 0), "23.416")


@rule("23.416A.1", "23.416A.2", "23.416.EX1", "19.61", "19.63")
def _attackers_suffer(state: State, flown: Strike, fighting: Force, result: AirResult) -> Script[None]:
    """23.416A: results fall first on the squadrons that fought, and what is left over on the others; survivors that
    were not aborted go on to the ships."""
    others = _without(flown.attackers, fighting)
    hit = yield from _shot_at(state, flown, fighting, result)
    eliminated, aborted = hit.eliminated, hit.aborted
    flown.attackers = merged(fighting, others)
    left = AirResult(hit.surplus, result.aborted - aborted)
    if any(left):
        more = yield from _shot_at(state, flown, others, left)
        eliminated, aborted = merged(eliminated, more.eliminated), aborted + more.aborted
        flown.attackers = merged(fighting, others)
    yield Note((LOSSES, state.name(flown.side), Lost(eliminated.items()), aborted), "23.416")


def _without(force: Force, some: Force) -> Force:
    left = dict(force)
    for which, number in some.items():
        take(left, which, number)
    return left


@rule("23.423", "T23.42-10", "T23.42-11", "23.74D", "23.751B")
def _shot_at(state: State, flown: Strike, force: Force, result: AirResult) -> Script[Suffered]:
    """23.423: eliminated squadrons are lost, aborted ones turn home; the force is changed. What the result did."""
    turned: Force = {}
    by_drm, named = tie_by_drm(Combat.AT_SEA, state.setting.options), state.setting.name_of_place
    hit = yield from suffer(flown.side, force, [*force], result, turned, by_drm=by_drm, named=named)
    for which, number in turned.items():
        take(force, which, number)
        add(state.sites[which.home].struck, which, number)
    state.lose(hit.eliminated)
    return hit


@strike.segment("23.42", "The ships' air defense")
@rule("23.421", "23.421.1", "23.4211D", "23.424", "23.424#2", "SOP-NC-I.G.2.d", "SOP-NC-I.G.2.e", "SOP-NC-I.G.2.e.i")
def air_defense(state: State) -> Script[Next]:
    """23.42: all that came through face the air defense of the group, without a choice (23.424); if one of them gets
    through, the contents of the group are shown, outside naval combat those of the whole force (23.424#2)."""
    flown, group = under_way(state)
    result = yield from fire_at_air(state, group, flown.level)
    if result is not None:
        hit = yield from _shot_at(state, flown, flown.attackers, result)
        told = (LOSSES, state.name(flown.side), Lost(hit.eliminated.items()), hit.aborted)
        yield Note(told, "23.423", reveals=True)
    if not flown.attackers:
        return "turn_home"
    for seen in state.present(group.side) if flown.outside else [group]:
        if seen.ships:
            yield show_ships(state, seen)
    return None


@rule("23.421", "23.421.1", "23.4211D")
def fire_at_air(state: State, group: Group, surprise: int = 0) -> Script[AirResult | None]:
    """23.42: what the air defense of a group does to those who came through to it; nothing if it may not roll."""
    level, over = defense_level(state, group, surprise), label(state, group)
    yield Note(("The strike comes to {}", over), "23.42", reveals=True)
    if not level.total:
        return None
    result = NO_EFFECT
    for roll in defense_rolls(state, group.side, over, level):
        result += yield roll
    return result


@rule("23.424#2")
def show_ships(state: State, group: Group) -> Note:
    """23.424#2: attackers who get through see the ships of the group."""
    group.revealed = True
    return Note(("{}: {}", label(state, group), Ships(group.ships.items())), "23.424#2", reveals=True)


@rule("23.4211", "23.4213", "T23.42-08", "23.421.1", "23.4211D")
def defense_level(state: State, group: Group, surprise: int) -> Ledger:
    """23.4211: the air defense level of the struck group alone; below one nothing is rolled. Submarines have none,
    whatever the research of their side."""
    submarines = group.shipless is not None and bool(group.shipless.nation)
    research = 0 if submarines else state.setting.best(group.side, "air_defense")
    return air_defense_level(*defense_counts(group.ships), research=research, surprise_level=surprise)


@rule("T23.42-09", "23.421")
def defense_rolls(state: State, side: str, over: Words, level: Ledger) -> list[Roll[AirResult]]:
    """T23.42-09: one roll, above level 10 read in several rows, or by option a roll for each row."""
    separate = state.setting.options.beyond_last_row == "separate-rolls"
    rows = rows_of("air-defense", level.total) if separate else (level.total,)
    public = ("{}: air defense of {}", state.name(side), over)
    return [
        Roll(side, 2, ("{}, row {}", public, row), _defense_reads(row), "23.42", level, public, "level") for row in rows
    ]


@lru_cache(maxsize=64)
def _defense_reads(level: int) -> Callable[[Faces], AirResult]:
    row = air_defense_row(level)

    def reads(faces: Faces) -> AirResult:
        return row[faces[0] + faces[1] - 2]

    return reads


@strike.segment("23.43", "Targets are chosen")
@rule(
    "23.43",
    "23.43A",
    "23.43B",
    "23.76C",
    "23.76C.1",
    "23.76C.2",
    "23.76C.3",
    "23.76C.4",
    "17.3121.1",
    "SOP-NC-I.G.2.f.i",
    "SOP-NC-I.G.2.f.i.a",
    "SOP-NC-I.G.2.f.i.b",
)
def targets(state: State) -> Script[Next]:
    """23.76C: the attacker says how many squadrons attack each target before any of them rolls: named ships one by one,
    light ships as one. Every squadron attacks, and attacks one target. Raiders' carriers do not split (17.3121)."""
    flown, group = under_way(state)
    if group.shipless:
        yield from attack_shipless(state, flown, group, group.shipless)
        return "turn_home"
    yield from take_aim(flown, group, most_targets(state, flown.side), always=state.setting.raiders)
    return None


@rule("23.43A", "23.43B", "17.3121.1")
def take_aim(flown: Strike, group: Group, most: int, *, always: bool = False) -> Script[None]:
    """23.43: the targets of a strike, no more than so many: named ships one by one, light ships as one."""
    names: dict[str, Words] = {}
    for which in group.ships:
        if which.named:
            names[which.id] = which.name
        else:
            names[LIGHT_SHIPS] = "the light ships"
    able, left = [*names], dict(flown.attackers)
    while left:
        target: str = yield Choose(flown.side, "target", [*able], "Which target is attacked?", names, "23.43")
        able.remove(target)
        least = sum(left.values()) if not able or len(flown.aims) + 1 >= most else 1
        some = yield from _against(flown.side, target, names[target], left, least, always=always)
        flown.aims.append(Aim(target, some))
        left = _without(left, some)


def _against(side: str, target: str, name: Words, left: Force, least: int, *, always: bool) -> Script[Force]:
    """At least so many squadrons for one target, kind by kind. Raiders are asked `always`: whether they have a choice
    would tell from how many carriers they fly (17.3121)."""
    rest = sum(left.values())
    if least == rest and not always:
        return dict(left)
    some: Force = {}
    for which, count in left.items():
        rest -= count
        values = range(max(0, least - rest), count + 1)
        words = ("How many of {} attack {}?", Counted(which, count), name)
        number: int = yield Choose(
            side, ("against", target, which.tag), values, words, how_many, "23.43", always=always
        )
        if number:
            some[which] = number
            least -= number
    return some


@strike.segment("23.44", "The attacks")
@rule("23.44", "23.76D", "23.76E", "SOP-NC-I.G.2.f.ii", "23.443A.1", "22.452C.1")
def attack(state: State) -> Script[Next]:
    """23.44: for each target two dice on the Naval Attack Table, in the row of the squadrons against it."""
    flown, group = under_way(state)
    tally = Tally()
    for aim in flown.aims:
        aimed = aimed_at(group, aim.target)
        if not aimed:
            continue
        hits: Hits = yield attack_roll(state, flown, aim, aimed)
        if not hits:
            continue
        if aim.target == LIGHT_SHIPS:
            yield from hit_light_ships(state, group, group.ships, hits, tally, "23.443")
        else:
            yield from _hit_named_ship(state, flown, group, aimed[0], hits)
    yield from settle_cargo(state, group)
    return None


@rule("23.44", "17.142A", "23.53")
def attack_roll(state: State, flown: Strike, aim: Aim, aimed: list[Ship], *, at_sea: bool = True) -> Roll[Hits]:
    """23.44: the dice for one target, in the row of the squadrons against it; army air factors that attack ships in
    port count as a squadron each (17.142A)."""
    number = sum(aim.squadrons.values())
    ledger = attack_ledger(state, flown, aim.squadrons, aimed, at_sea=at_sea)
    what = "the light ships" if aim.target == LIGHT_SHIPS else aimed[0].name
    purpose = ("{}: attack on {}, row {}", state.name(flown.side), what, number)
    return Roll(flown.side, 2, purpose, hits_read(naval_attack_by_air_row(number), ledger.total), "23.44", ledger)


def aimed_at(group: Group, target: str) -> list[Ship]:
    if target == LIGHT_SHIPS:
        return [which for which in group.ships if which.light]
    return [which for which in group.ships if which.id == target]


@rule("23.441A", "23.441B", "23.441C", "17.354", "T22.55-03", "T23.44-03", "T22.552A-11")
def attack_ledger(state: State, flown: Strike, squadrons: Force, aimed: list[Ship], *, at_sea: bool = True) -> Ledger:
    """23.441: the attackers' lowest Air DRM, at sea with the +1 of naval air, less the target's Naval DRM, the lowest
    of light ships (`docs/rulings.md`)."""
    lowest = min(squadrons, key=_attack_value if at_sea else _drm)
    target = min(aimed, key=_drm)
    return air_attack_modifiers(
        drm_ledger(state.setting, lowest.home, lowest.nation, lowest.arm),
        naval_ledger(state.setting, target),
        naval_air_at_sea=at_sea and lowest.is_naval,
        surprise_level=flown.level,
    )


def _attack_value(which: Unit) -> int:
    return which.drm + which.is_naval


_drm = attrgetter("drm")


@rule("T23.44-08", "23.443A.1", "T23.7413-07", "23.7413")
def _hit_named_ship(state: State, flown: Strike, group: Group, which: Ship, hits: int) -> Script[None]:
    """T23.44-08: a named ship is damaged one hit short of its size and sunk at its size; at surprise level 7 or more
    damage brings a die for a critical hit (T23.7413-07)."""
    after = hit_named(group.ships, which, hits)
    if after is not None and after.damaged and not which.damaged and surprise_effects(flown.level).critical_hits:
        roll = critical_roll(flown.side, after, state.setting.options)
        if roll is not None and (yield roll) is Critical.SUNK:
            take(group.ships, after, 1)
            after = None
    flown.stricken |= which.fast_carrier and (after is None or after.damaged)
    yield from tell_named(state, which, after, "23.443")


@strike.segment("23.76", "The strike turns home")
@rule("22.463", "17.3124", "23.74D", "23.751B", "23.76", "23.76E")
def turn_home(state: State) -> Script[Next]:
    """22.463: squadrons that struck are done for this round; carriers that were hit may have taken some down
    (17.3124)."""
    flown, group = under_way(state)
    for which, number in flown.attackers.items():
        add(state.sites[which.home].struck, which, number)
    state.strike = None
    if flown.stricken:
        words = ("{}: squadrons of stricken carriers", state.name(group.side))
        yield from secretly(group.side, words, settle_decks(state, group.side), "17.3124")
    if not group.ships and not group.shipless:
        yield Note(("{} is destroyed", label(state, group)), "23.443")
    return END
