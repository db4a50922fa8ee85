"""Submarine attacks (22.94): the procedure in which announced submarines attack a group, one factor after another."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from flagplot.awaw.battle.submarines import described, next_attack
from flagplot.awaw.battle.torpedoes import Category, categories
from flagplot.awaw.ships import Fleet, Ships
from flagplot.awaw.state.battle import Announced, Submarines
from flagplot.awaw.state.setting import Asw
from flagplot.awaw.state.state import State
from flagplot.kernel.words import say
from flagplot.odds.answer import Answer, Ledgers, Part
from flagplot.odds.answers.following import Clock, Layer, Seen, after_segment, next_layer
from flagplot.odds.answers.losses import Toll, factor_parts, light_parts, ship_part, toll
from flagplot.odds.answers.two_fleets import HAMPERED, Fleets, battle_state, check_at_war, squadrons_aboard
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Limits
from flagplot.odds.questions.shared import SIDES, THEM, US
from flagplot.odds.questions.submarine import SubmarineQuestion
from flagplot.players.doctrine import DoctrinePlayer

DOCTRINE = "of several ships in a category the attacker goes for the most valuable, like the doctrine player"


BESIDES = 2
"""Segments before and after the attacks."""
LIMITS = Limits(states=50_000, seconds=20.0)


class End(NamedTuple):
    """What some submarine attacks have done."""

    losses: Toll
    submarines_lost: int
    attacked: int
    """How many attacked: those that find their group sunk keep their attack (22.92)."""


def submarine(question: SubmarineQuestion) -> Answer:
    """What so many submarine factors do to a combat group, one after the other."""
    readings, differing = question.option
    theirs = question.target.fleet(question.target_nation, question.hits, readings)
    check_at_war({question.nation}, {which.nation for which in theirs})
    fleets = Fleets(
        {},
        theirs,
        {THEM: HAMPERED} if question.hampered else {},
        question.tactical,
        question.codebreaking,
        {US: {"torpedo": question.torpedo}, THEM: {"asw": question.asw}},
        readings,
    )
    state = submarine_state(fleets, Submarines(US, question.nation, question.submarines, question.advanced))
    state.battle.this_round.searched = question.searchers
    group = state.battle.groups[THEM]
    group.this_round.submarined = question.earlier
    if not question.idle_carriers:
        group.air = squadrons_aboard(THEM, theirs)
    state.scene = replace(state.scene, asw={THEM: Asw(question.excess_asw, 0)})
    limits = Limits(question.states or LIMITS.states, question.seconds or LIMITS.seconds)
    return _answer(state, theirs, limits, differing)


def submarine_state(fleets: Fleets, flotilla: Submarines) -> State:
    """Submarines that have announced that they all attack the other side's group (22.93D)."""
    state = battle_state(fleets, next_attack.start(), submarines=flotilla)
    state.battle.this_round.announced = [Announced(0, THEM, flotilla.factors)]
    return state


def _answer(state: State, theirs: Fleet, limits: Limits, differing: dict[str, Any]) -> Answer:
    ledgers = Ledgers()
    found, states = attacked(state, limits, ledgers)
    cases = [[found.of(lambda one: one.losses)]]
    parts = [
        Part("Hits taken", found.of(lambda one: sum([loss.hits for loss in one.losses]))),
        *_by_category(found, theirs),
        Part("Submarine factors lost", found.of(lambda one: one.submarines_lost)),
        *_kept(found),
        *factor_parts(cases, THEM, "Their"),
        *[ship_part(cases, THEM, which) for which in theirs if which.named],
        *light_parts(cases, THEM, theirs),
    ]
    policies = (DOCTRINE,) if sum([which.named for which in theirs]) > 1 else ()
    asked = f"Attack of {say(described(state.battle.submarines[0]))} on {Ships(theirs.items())}"
    return Answer(asked, tuple(parts), ledgers.kept, policies, differing, states, found.left_over)


def attacked(opening: State, limits: Limits, seen: Seen | None = None) -> tuple[Distribution[End], int]:
    """All that can come of announced submarine attacks, one after the other, and how many states there were; if there
    are too many, the likeliest are followed."""
    number = opening.battle.submarines[0].factors
    players = {side: DoctrinePlayer() for side in SIDES}
    clock, states, place = Clock(limits), 0, 0
    layer: Layer = {None: (Fraction(1), opening)}
    ends: dict[End, Fraction] = {}
    while layer:
        place += 1
        step = partial(after_segment, players=players, seen=seen)
        layer, more = next_layer(layer, step, clock, place / (number + BESIDES))
        states += more
        for key, (chance, after) in list(layer.items()):
            if not after.frames:
                flotilla = after.battle.submarines[0]
                end = End(toll(opening, after), flotilla.lost, number - flotilla.factors)
                ends[end] = ends.get(end, Fraction(0)) + chance
                del layer[key]
    return Distribution(ends), states


def _by_category(ends: Distribution[End], theirs: Fleet) -> list[Part]:
    """22.93E: the hits on each category of ships, if there are several."""
    present = categories(theirs)
    keys = {one: {which.tag for which in theirs if categories({which: 1}) == (one,)} for one in present}

    def hits(category: Category) -> Distribution[int]:
        return ends.of(lambda end: sum([loss.hits for loss in end.losses if loss.key in keys[category]]))

    return [Part(f"Hits on {one}", hits(one)) for one in present] if len(present) > 1 else []


def _kept(ends: Distribution[End]) -> list[Part]:
    """How many submarines attack, unless all of them do."""
    attacked = ends.of(lambda one: one.attacked)
    return [Part("Submarine factors that attack", attacked)] if len(attacked) > 1 else []
