"""Submarine attacks (22.94): the procedure in which announced submarines attack a group, one factor after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from flagplot.awaw.battle.submarines import described
from flagplot.awaw.battle.torpedoes import Category, categories
from flagplot.awaw.ships import Fleet, Ships
from flagplot.awaw.state import Announced, Asw, State, Submarines
from flagplot.kernel.errors import BadValue
from flagplot.kernel.procedures import Frame
from flagplot.kernel.words import say
from flagplot.odds.answer import Answer, Ledgers, Part
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Limits
from flagplot.odds.questions.sea_following import Clock, Layer, Seen, after_segment, next_layer
from flagplot.odds.questions.sea_forces import read_fleet, read_limits, read_side
from flagplot.odds.questions.sea_states import HAMPERED, SIDES, THEM, US, Fleets, battle_state, squadrons_aboard
from flagplot.odds.questions.sea_tolls import Toll, factor_parts, light_parts, ship_part, toll
from flagplot.odds.words import country_of, entries, read_readings, read_whole
from flagplot.players.doctrine import DoctrinePlayer

DOCTRINE = "by the doctrine player: of several ships in a category the attacker goes for the most valuable"


BESIDES = 2
"""Segments before and after the attacks."""
LIMITS = Limits(states=50_000, seconds=20.0)


class End(NamedTuple):
    """What some submarine attacks have done."""

    losses: Toll
    submarines_lost: int
    attacked: int
    """How many attacked: those that find their group sunk keep their attack (22.92)."""


def submarine(
    *,
    submarines: int | str,
    nation: str,
    target: str,
    target_nation: str = "",
    hits: str = "",
    advanced: bool = False,
    searchers: str = "",
    torpedo: int | str | None = None,
    asw: int | str | None = None,
    excess_asw: int | str | None = None,
    earlier: int | str | None = None,
    idle_carriers: bool = False,
    hampered: bool = False,
    codebreaking: str = "",
    tactical: str = "",
    states: int | str | None = None,
    seconds: int | str | None = None,
    option: Sequence[str] | dict[str, Any] = (),
) -> Answer:
    """What so many submarine factors do to a combat group, one after the other."""
    readings, differing = read_readings(option)
    theirs = read_fleet(target, "target", target_nation, hits, readings)
    research = {
        US: {"torpedo": read_whole(torpedo, "torpedo research", rule="22.9412")},
        THEM: {"asw": read_whole(asw, "ASW research", rule="22.9412")},
    }
    fleets = Fleets(
        {},
        theirs,
        {THEM: HAMPERED} if hampered else {},
        read_side(tactical, "tactical codebreaking"),
        read_side(codebreaking, "codebreaking"),
        research,
        readings,
    )
    number = read_whole(submarines, "number of submarines", 1, rule="22.94")
    state = submarine_state(fleets, Submarines(US, country_of(nation, nation), number, advanced))
    state.searched = read_searchers(searchers)
    group = state.groups[THEM]
    group.submarined = read_whole(earlier, "number of earlier attacks", rule="22.9416")
    if not idle_carriers:
        group.air = squadrons_aboard(THEM, theirs)
    excess = read_whole(excess_asw, "excess of ASW factors", rule="22.9415")
    state.setting = replace(state.setting, asw={THEM: Asw(excess, 0)})
    return _answer(state, theirs, read_limits(states, seconds, LIMITS), differing)


def submarine_state(fleets: Fleets, flotilla: Submarines) -> State:
    """Submarines that have announced that they all attack the other side's group (22.93D)."""
    state = battle_state(fleets, Frame("submarine-attacks", "next_attack"), submarines=flotilla)
    state.announced = [Announced(0, THEM, flotilla.factors)]
    return state


def read_searchers(text: str) -> dict[str, int]:
    """The searching squadrons of ``us=3,them=6``."""
    read: dict[str, int] = {}
    for entry in entries(text):
        side, _, number = entry.partition("=")
        if side.strip().casefold() not in SIDES or not number:
            raise BadValue("searchers are given by side", given=entry, allowed=["us=3,them=6"], rule="22.9413")
        read[side.strip().casefold()] = read_whole(number, "number of searching squadrons", rule="22.9413")
    return read


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
    return Answer(
        _question(state, theirs),
        tuple(parts),
        ledgers.kept,
        (DOCTRINE,) if sum([which.named for which in theirs]) > 1 else (),
        differing,
        states,
        found.left_over,
    )


def attacked(opening: State, limits: Limits, seen: Seen | None = None) -> tuple[Distribution[End], int]:
    """All that can come of announced submarine attacks, one after the other, and how many states there were; if there
    are too many, the likeliest are followed."""
    number = opening.submarines[0].factors
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
                flotilla = after.submarines[0]
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


def _question(state: State, theirs: Fleet) -> str:
    what = say(described(state.submarines[0]))
    return f"Attack of {what} on {Ships(theirs.items())}"
