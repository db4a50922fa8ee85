"""The odds of one air strike on one combat group (23.76): what becomes of its ships, and of the squadrons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from flagplot.awaw.battle.air_attack import aimed_at
from flagplot.awaw.battle.resolution import air_combat, engage, turn_home
from flagplot.awaw.counting import merged
from flagplot.awaw.ships import Ship, described_ships
from flagplot.awaw.state.battle import LIGHT_SHIPS, Group
from flagplot.awaw.state.state import State
from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Player
from flagplot.kernel.words import listing, plural
from flagplot.library import ruleset
from flagplot.odds.answer import Answer, Hits, Part, Reasons
from flagplot.odds.answers.players import Aimed, Decided
from flagplot.odds.answers.strike_state import TARGET, strike_state
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Tally, enumerate_apart
from flagplot.odds.questions.shared import ATTACKERS, DEFENDERS
from flagplot.odds.questions.strike import StrikeQuestion
from flagplot.odds.words import described_flights, read_whole
from flagplot.players.doctrine import DoctrinePlayer


class Struck(NamedTuple):
    """What became of a strike: in hits, ships and squadrons."""

    hits: tuple[int, ...]
    """The hits of each named ship, those that it had among them, in the order of the fleet; its size if it is sunk."""
    light_sunk: int
    """Factors of light ships that were sunk."""
    cruisers_damaged: int
    attackers_lost: int
    defenders_lost: int
    """Squadrons of the defenders that were lost in air combat."""
    drowned: int
    """Squadrons of the defenders that were lost with their carriers."""


def strike(question: StrikeQuestion) -> Answer:
    """The exact odds of an air strike: hits on each ship, ships sunk, and squadrons lost on both sides."""
    state = strike_state(question)
    striking, told_attack = _attacker(state, question)
    defending, told_defence = _defender(state, question.engage)
    reasons = Reasons()
    ships, asked = [*state.battle.groups[TARGET].ships], _question(state, question)
    policies = (told_attack, told_defence, _aboard(state), LOSSES)
    players = {ATTACKERS: striking, DEFENDERS: defending}
    outcome, take_out = outcome_of(state), losses_of(state)
    found = enumerate_apart(ruleset("awaw"), state, players, outcome, take_out, limits=question.limits, seen=reasons)
    parts, told = tuple(_parts(found.ends.of(_together), ships)), tuple(filter(None, policies))
    return Answer(asked, parts, reasons.kept, told, question.options.unusual, *found.extent)


LOSSES = "each owner loses the least useful squadrons first"


def outcome_of(opening: State) -> Callable[[State], Struck]:
    """How to sum up a state in which the strike is over."""
    group = opening.battle.groups[TARGET]
    named = tuple([which for which in group.ships if which.named])
    over = sum(group.patrol.values()) + sum(group.cover.values())
    damaged = sum([number for which, number in group.ships.items() if which.light and which.damaged])
    enemies = opening.setting.nations[ATTACKERS]

    def sum_up(state: State) -> Struck:
        group = state.battle.groups[TARGET]
        borne = {which.id: which.hits for which in group.ships if which.named}
        lost = defenders = 0
        for pool, number in state.losses.air.items():
            if pool.partition("/")[0] in enemies:
                lost += number
            else:
                defenders += number
        in_combat = over - sum(group.patrol.values()) - sum(group.cover.values())
        still = sum([number for which, number in group.ships.items() if which.light and which.damaged])
        sunk = [(which, number) for which, number in state.losses.ships.items() if which.light]
        return Struck(
            tuple([borne.get(which.id, which.size) for which in named]),
            sum([which.size * number for which, number in sunk]),
            max(0, still - damaged),
            lost,
            in_combat,
            defenders - in_combat,
        )

    return sum_up


def losses_of(opening: State) -> Callable[[State], Tally]:
    """What can be counted beside a strike, since nothing of it is read any more: squadrons lost, who has turned home,
    who engaged once the combat is over, and the aims once the attacks are."""
    enemies = opening.setting.nations[ATTACKERS]
    homes = dict.fromkeys([which.home for which in opening.battle.strike.attackers]) if opening.battle.strike else {}

    def take_out(state: State) -> Tally:
        lost, state.losses.air = state.losses.air, {}
        attackers = sum([number for pool, number in lost.items() if pool.partition("/")[0] in enemies])
        for home in homes:
            state.sites[home].struck = {}
        if state.battle.strike is not None and not state.frames[-1].is_at(engage, air_combat):
            state.battle.strike.defenders = {}
            if state.frames[-1].is_at(turn_home):
                state.battle.strike.attackers, state.battle.strike.aims = {}, []
        return attackers, sum(lost.values()) - attackers

    return take_out


def _together(end: tuple[Struck, Tally]) -> Struck:
    """The end of a strike with the losses that were counted beside it."""
    struck, (attackers, defenders) = end
    return struck._replace(attackers_lost=struck.attackers_lost + attackers, drowned=struck.drowned + defenders)


# --- who decides --------------------------------------------------------------------------------------------------


def _attacker(state: State, question: StrikeQuestion) -> tuple[Player, str]:
    """The attacker with his aims, or by the doctrine, and the same in words."""
    name = state.name(ATTACKERS)
    if not question.aim:
        return DoctrinePlayer(), (
            f"{name} divides the squadrons that get through for the best result, a carrier factor counting three "
            f"times a factor of another named ship"
        )
    group, flown = state.battle.groups[TARGET], state.battle.strike
    assert flown is not None
    aims, told = shared_out(group, question.aim, sum(flown.attackers.values()), name, question.text("aim"))
    return Aimed(aims), told


def shared_out(group: Group, aim: Mapping[str, int], number: int, name: str, text: str) -> tuple[dict[str, int], str]:
    """How many squadrons of a side attack each target, in equal shares if no number is given; and the same in words."""
    aims = _aims(group, aim, number, text)
    names = {which.id: which.name for which in group.ships if which.named} | {LIGHT_SHIPS: "light ships"}
    told = listing([f"{names[target]} with {some}" for target, some in aims.items()], "and")
    missing = "losses come first from the target with most squadrons"
    return aims, f"{name} attacks {told}" + (f"; {missing}" if len(aims) > 1 else "")


def _aims(group: Group, aim: Mapping[str, int], number: int, text: str) -> dict[str, int]:
    aims = dict(aim)
    there = [which.name for which in group.ships if which.named]
    for target in aims:
        if not aimed_at(group.ships, target):
            light = [LIGHT_SHIPS] if any([which.light for which in group.ships]) else []
            raise BadValue("the target has no such ship", given=target, allowed=[*there, *light], rule="23.43")
    if not any(aims.values()):
        share, over = divmod(number, len(aims))
        aims = {target: share + (place < over) for place, target in enumerate(aims)}
    if not all(aims.values()) or sum(aims.values()) != number:
        aimed = sum(aims.values())
        message = f"every squadron attacks one target: {plural(number, 'squadron')} strike, but {aimed} have a target"
        raise BadValue(message, given=text, rule="23.76C")
    return aims


def _defender(state: State, engage: int | None) -> tuple[Player, str]:
    """The defender with the squadrons that he engages, or by the doctrine, and the same in words."""
    group = state.battle.groups[TARGET]
    over = merged(group.patrol, group.cover)
    number, name = sum(over.values()), state.name(DEFENDERS)
    if engage is None:
        return DoctrinePlayer(), f"{name} engages with everything over the target" if number else ""
    wanted = read_whole(engage, "number of squadrons that engage", 0, number, "23.415")
    left, engaging = wanted, {}
    for which in sorted(over, key=lambda one: -one.drm):
        engaging[which.tag] = min(left, over[which])
        left -= engaging[which.tag]
    return Decided(engage=engaging), f"{name} engages with {wanted} of the {number} over the target, the best first"


# --- in words -----------------------------------------------------------------------------------------------------


def _question(state: State, question: StrikeQuestion) -> str:
    group, flown = state.battle.groups[TARGET], state.battle.strike
    assert flown is not None
    told = [
        f"A strike of {described_flights(question.attackers, 'squadron')} on {described_ships(group.ships.items())}",
        f"under a patrol of {sum(group.patrol.values())}" if group.patrol else "",
        f"covered by {described_flights(question.cover, 'squadron')}" if group.cover else "",
        f"by surprise at level {flown.level}" if flown.level else "",
    ]
    return ", ".join(filter(None, told))


def _aboard(state: State) -> str:
    number = sum(state.at_sea(DEFENDERS).air.values())
    return f"{plural(number, 'squadron')} of {state.name(DEFENDERS)} stay aboard the carriers" if number else ""


def _parts(ends: Distribution[Struck], ships: Iterable[Ship]) -> list[Part]:
    return [
        *ship_parts(ends, ships),
        Part("Squadrons of the attackers lost", ends.of(lambda end: end.attackers_lost)),
        Part("Squadrons of the defenders lost in air combat", ends.of(lambda end: end.defenders_lost)),
        Part("Squadrons of the defenders lost with their carriers", ends.of(lambda end: end.drowned)),
    ]


def ship_parts(ends: Distribution[Any], ships: Iterable[Ship]) -> list[Part]:
    """What becomes of the ships that were attacked, at sea or in port."""
    named = [which for which in ships if which.named]
    parts = [Part(f"{which.name}, {which.size} factors: hits", _hits(ends, n, which)) for n, which in enumerate(named)]
    carriers = [place for place, which in enumerate(named) if which.fast_carrier]
    if len(carriers) > 1:
        parts.append(Part("Fast carriers sunk", _count(ends, named, carriers, lambda which: which.size)))
        parts.append(Part("Fast carriers sunk or damaged", _count(ends, named, carriers, lambda one: one.size - 1)))
    if len(named) > max(1, len(carriers)):
        parts.append(Part("Named ships sunk", _count(ends, named, range(len(named)), lambda which: which.size)))
    if any([which.light for which in ships]):
        parts.append(Part("Light ships sunk, in factors", ends.of(lambda end: end.light_sunk)))
        parts.append(Part("Cruisers damaged", ends.of(lambda end: end.cruisers_damaged)))
    return parts


def _hits(ends: Distribution[Any], place: int, which: Ship) -> Distribution[Any]:
    return ends.of(lambda end: Hits.of(end.hits[place], which.size))


def _count(
    ends: Distribution[Any], named: Sequence[Ship], places: Sequence[int], least: Callable[[Ship], int]
) -> Distribution[int]:
    """How many of some ships have so many hits."""
    return ends.of(lambda end: sum([end.hits[place] >= least(named[place]) for place in places]))
