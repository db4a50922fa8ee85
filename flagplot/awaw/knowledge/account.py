"""One account of what a side knows, for tests of secrecy, odds and opponents.

`knowledge_of` takes out of a state what a side may not know; nothing else here sees the true state. `draw` fills it in
again: any state that fits looks the same to the side now, and whatever it is asked and shown from here on follows from
its own answers, the enemy's and the dice. `reshuffle` gives a drawn state the names of the true one, so that a game can
go on in it with the answers of another.

An air phase hides only what is under TF markers in port, and an air turn hides what its operations hide.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from flagplot.awaw.knowledge.battle import bring_to_light, rename, veil_battle
from flagplot.awaw.knowledge.battle_draw import BattleDraw
from flagplot.awaw.knowledge.battle_ships import TRIES, Believed
from flagplot.awaw.knowledge.fleets import Likely
from flagplot.awaw.knowledge.known import Knowledge, NothingFits, name_of
from flagplot.awaw.knowledge.operation import OperationDraw, read_markers, veil_operation
from flagplot.awaw.knowledge.paths import forget_meetings
from flagplot.awaw.knowledge.planning import PlanDraw
from flagplot.awaw.knowledge.public import NOTHING_PUBLIC, Belief, Public, deals
from flagplot.awaw.knowledge.squadrons import markers, under_marker
from flagplot.awaw.operations.interception.declaring import might_intercept
from flagplot.awaw.operations.interception.interceptions import declare, has_interceptors
from flagplot.awaw.operations.operation import (
    contest,
    go_on_patrol,
    hunt_submarines,
    strike_from_land,
    strike_from_patrol,
)
from flagplot.awaw.procedures import attempts
from flagplot.awaw.state.state import State
from flagplot.kernel.plain_data import copy_of

EVEN = Likely()
RARE = Likely(against=40)
"""Small fleets too: of all that fit most are large and have everything, and tests of secrecy would see no others."""
TRIES_TO_PLAN = 8
"""Somebody waits for his plan: where a state that fits is hard to find he has no orders ahead."""
HURT = 0.1
"""How many of the ships that nobody has seen have hits, in tests of secrecy."""


def knowledge_of(state: State, side: str, now: State | None = None, *, planning: bool = False) -> Knowledge:
    """What a side knows of a state at a border. If the segment has gone on since, `now` is the state in it: what came
    to light in the segment is known too. For `planning` nothing of the enemy's is taken as it is."""
    other = copy_of(state)
    known = Knowledge(side, state.other(side), other, forgets_make_up=planning)
    bring_to_light(other, known.enemy, now or state)
    for key, site in other.sites.items():
        if state.place(key).side == known.enemy:
            site.hidden = {}
    if other.operation_if_any is not None:
        read_markers(known, other)
        if other.battle.groups:
            veil_battle(known, now or state, on_map=True)
        veil_operation(known, other)
        if planning:
            forget_meetings(other, known.enemy)
    elif other.scene.kind == "naval-battle":
        veil_battle(known, now or state)
    return known


class Beliefs:
    """States that fit what a side knows, by what it believes of forces that nobody has seen: that they are those of the
    scenario, if these are public. If what it has seen does not fit them, less is believed (`belief` says what)."""

    def __init__(
        self,
        known: Knowledge,
        public: Public = NOTHING_PUBLIC,
        likely: Likely = EVEN,
        hurt: float = 0.0,
        tries: int = TRIES,
    ) -> None:
        self.known = known
        self.tries = tries
        self.likely = likely
        self.hurt = hurt
        for belief in [*Belief][[*Belief].index(public.belief) :]:
            self.believed = self._believed(replace(public, belief=belief))
            if belief is Belief.NAVIES or self._drawn(Random(0)) is not None:
                break

    @property
    def belief(self) -> Belief:
        return self.believed.public.belief

    @property
    def on_map(self) -> bool:
        return self.known.state.operation_if_any is not None

    def _believed(self, public: Public) -> Believed:
        if public.belief is Belief.NAVIES:
            return Believed(NOTHING_PUBLIC)
        in_battle = not self.on_map and self.known.state.scene.kind == "naval-battle"
        return Believed(public, deals(self.known, public) if in_battle and public.belief is Belief.FORCES else ())

    def draw(self, chance: Random) -> State:
        """A state that fits; the same chance gives the same."""
        drawn = self._drawn(chance)
        if drawn is None:
            raise NothingFits("no state was found that fits what is known", given=self.known.side)
        return drawn

    def _drawn(self, chance: Random) -> State | None:
        known, public = self.known, self.believed.public
        hides = self.on_map or known.state.scene.kind == "naval-battle"
        on_map = PlanDraw if known.forgets_make_up else OperationDraw
        kind = on_map if self.on_map else BattleDraw
        if hides and not self.on_map and public.belief is Belief.FORCES and not self.believed.deals:
            return None
        for _ in range(self.tries):
            state = copy_of(known.state)
            for base in markers(known):
                listed = public.hidden.get(base)
                state.sites[base].hidden = dict(
                    listed if listed is not None else chance.choice(under_marker(known, base))[1]
                )
            if not hides or kind(known, state, chance, self.likely, self.hurt, self.believed).fill():
                return state
        return None


def draw(known: Knowledge, chance: Random, likely: Likely = EVEN, hurt: float = 0.0) -> State:
    """A state that fits what a side knows if nothing is public: all fleets that fit are equally likely, or by weights;
    that many of the unseen named ships have hits."""
    return Beliefs(known, NOTHING_PUBLIC, likely, hurt).draw(chance)


def imagine(state: State, side: str, now: State) -> State | None:
    """A state to plan in: it fits what a side knows, and it is always the same one; None if none was found. Small
    fleets do, and those are found sooner."""
    try:
        known = knowledge_of(state, side, now, planning=True)
        return Beliefs(known, likely=RARE, tries=TRIES_TO_PLAN).draw(Random(0))
    except NothingFits:
        return None


# --- the same with other secrets --------------------------------------------------------------------------------


def redrawn(state: State, side: str, chance: Random, now: State) -> State:
    """A state at a border with other secrets, of which nothing that came to light up to `now` is one: for agents that
    search. Nothing of it is the truth because nothing else was found: then it is refused with `NothingFits`.

    The enemy's forces have their names, which nobody else knows: groups of which something was learnt their own, the
    others any of theirs."""
    known = knowledge_of(state, side, now)
    return _named(draw(known, chance, RARE, HURT), state, known, chance)


def reshuffle(state: State, side: str, chance: Random) -> State:
    """The same for tests of secrecy, which go on in it as in the true one: if nothing else was found it is the true
    one, and what is about to show itself, as the path of a force that nobody could stop, is as it is."""
    known = knowledge_of(state, side)
    try:
        drawn = _named(draw(known, chance, RARE, HURT), state, known, chance)
    except NothingFits:
        return copy_of(state)
    if drawn.operation_if_any is not None and not _paths_will_be_asked_for(state, side):
        for key, voyage in drawn.operation.voyages.items():
            voyage.path, voyage.parts = state.operation.voyages[key].path, state.operation.voyages[key].parts
    return drawn


def _named(drawn: State, state: State, known: Knowledge, chance: Random) -> State:
    if drawn.operation_if_any is None:
        _name_forces(drawn, state, known, chance)
    return drawn


def _name_forces(drawn: State, state: State, known: Knowledge, chance: Random) -> None:
    enemy = known.enemy
    theirs = state.battle.forces(enemy)
    numbers = {group.number: key for key, group in theirs.items() if group.number}
    free = [number for number in known.unseen if state.battle.groups[numbers[number]].facts is None]
    numbers |= dict(zip(free, [numbers[number] for number in chance.sample(free, len(free))], strict=True))
    names = {name_of(enemy, number): key for number, key in numbers.items()}
    pending = [key for key, group in theirs.items() if not group.number]
    waiting = [key for key, group in drawn.battle.forces(enemy).items() if not group.number]
    names |= dict(zip(waiting, pending, strict=False))
    rename(drawn, names)
    gone = dict(zip(drawn.battle.withdrawn(enemy), state.battle.withdrawn(enemy), strict=True))
    drawn.battle.departed = {gone.get(key, key): group for key, group in drawn.battle.departed.items()}


def _paths_will_be_asked_for(state: State, side: str) -> bool:
    """Whether a side decides about interceptions before anybody sails: from then on the enemy's paths show themselves
    hex by hex."""
    last = state.frames[-1]
    if last.procedure == attempts.name:
        return last.is_at(declare) and any([might_intercept(state, side, key) for key in state.operation.voyages])
    return any([frame.is_at(*BEFORE) for frame in state.frames]) and has_interceptors(state, side)


BEFORE = (hunt_submarines, go_on_patrol, strike_from_patrol, strike_from_land, contest)
"""Segments of an operation before the paths of its activities are asked for."""
