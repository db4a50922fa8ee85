"""Uninverting air units (18.7): at the start of their owner's player turn, in the course of it, and at its end."""

from __future__ import annotations

from flagplot.awaw.air_units import Counted, Force, Listed, Unit, add
from flagplot.awaw.procedures import uninverting
from flagplot.awaw.state.setting import Supply
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Down, Until
from flagplot.awaw.turn.marks import BUILT, REDEPLOYED, SHIPPED, marked
from flagplot.awaw.turn.missions.inversion import reconcile, rewrite, side_of, uninvert
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.words import Words, how_many

START, DURING, LAST = "start", "during", "end"
"""When: as the player turn begins, in the course of it, and when it is over (18.72B)."""
ALL, SOME, NONE = "all", "some", "none"


@uninverting.segment("18.71", "The moving side may turn its land-based air face up")
@rule("18.71", "18.72B.1")
def offer(state: State, when: str) -> Script[Next]:
    """18.71: the moving side uninverts what it wants of its land-based air, as far as 18.72 lets it: at the start of
    its turn, in the course of it, and once more at the end, after use (18.72B)."""
    if when == START:
        begin_turn(state)
    elif when == DURING:
        reconcile(state)
    able = uninvertible(state, when)
    if able:
        for which, number in (yield from _chosen(state, able)).items():
            uninvert(state, which, number)
    if when == LAST:
        _hold_redeployed(state)
    return END


@rule("18.72E", "18.72B.1")
def begin_turn(state: State) -> None:
    """18.72E: whatever has inverted air units of the moving side before, in the enemy's player turn too, ends as their
    own player turn begins."""
    reconcile(state, "18.7", "was inverted as the game began", Until.NOW)
    rewrite(
        state, [_free(entry) if side_of(state, entry.which) == state.moving else entry for entry in state.turn.down]
    )


def _free(entry: Down) -> Down:
    return entry._replace(until=Until.NOW)


def uninvertible(state: State, when: str) -> Force:
    """18.72: the inverted land-based air of the moving side that may be uninverted."""
    able: Force = {}
    for base in state.of_side(state.moving):
        if state.place(base).afloat:
            continue
        for which, number in state.sites[base].air.items():
            if which.inverted and (free := number - sum(held_down(state, which, when).values())) > 0:
                able[which] = free
    return able


@rule("18.72A", "18.72B", "18.72C", "18.72D.1", "18.72D.2", "18.72E")
def held_down(state: State, which: Unit, when: str = DURING) -> dict[Refusal, int]:
    """18.72: how many of some inverted units may not be uninverted, and why."""
    there = state.sites[which.home].air[which]
    if side_of(state, which) != state.moving:
        return {Refusal("no air is turned face up in the enemy's player turn", "18.72E"): there}
    if state.place(which.home).supply is not Supply.FULL:
        return {Refusal("only fully supplied air is turned face up", "18.72A"): there}
    held: dict[Refusal, int] = {}
    left = there
    for reason, number in (
        (Refusal("redeployed this player turn", "18.72D"), _redeployed(state, which)),
        (Refusal("built this player turn", "18.72C"), marked(state, BUILT, which) * (when != LAST)),
        (Refusal("used this player turn", "18.72B"), _until(state, which, Until.TURN_END) * (when != LAST)),
    ):
        some = min(left, number)
        if some:
            held[reason] = some
            left -= some
    return held


@rule("18.72D.1", "18.72D.2", "18.72C")
def _redeployed(state: State, which: Unit) -> int:
    """18.72D: inverted air that was redeployed stays inverted until its owner's next player turn. American air does not
    where the United States are not yet at war, unless it is new (18.72C)."""
    moved = max(marked(state, REDEPLOYED, which), _until(state, which, Until.NEXT_TURN))
    war = "us-japan" if state.setting.pacific else "us-germany"
    if which.nation == "united-states" and not state.turn.plan.at_war.get(war, False):
        return min(moved, marked(state, BUILT, which))
    return moved


def _until(state: State, which: Unit, until: Until) -> int:
    return sum([entry.number for entry in state.turn.down if entry.which is which and entry.until is until])


def _chosen(state: State, able: Force) -> Script[Force]:
    """Which of them: all, none, or so many of each kind."""
    side = state.moving
    labels: dict[str, Words] = {ALL: ("Flip all: {}", _ready(able)), SOME: "Flip some", NONE: "Flip none"}
    question = "Flip air units face up?"
    chosen: str = yield Choose(side, "uninvert", (ALL, SOME, NONE), question, labels, "18.71")
    if chosen == NONE:
        return {}
    turned: Force = {}
    for which, number in able.items():
        some = number
        if chosen == SOME:
            ask: Words = ("Flip how many of {} in {}?", Counted(which, number), state.place(which.home).name)
            some = yield Choose(side, ("uninvert", which.tag), range(number + 1), ask, how_many, "18.71")
        if some:
            turned[which] = some
    if turned:
        yield Note(("{}: {} turned face up", state.name(side), _ready(turned)), "18.71")
    return turned


def _ready(force: Force) -> Listed:
    """The units as they are when they are uninverted."""
    return Listed([(which.turned(inverted=False), number) for which, number in force.items()])


@rule("18.72D", "18.72D.1")
def _hold_redeployed(state: State) -> None:
    """18.72D: it is written down of redeployed air that it stays inverted through the enemy's player turn."""
    entries = list(state.turn.down)
    for base in state.of_side(state.moving):
        for which in state.sites[base].air:
            held = _redeployed(state, which)
            for place, entry in enumerate(entries):
                if held and entry.which is which:
                    some = min(held, entry.number)
                    held -= some
                    late = Down(which, some, "18.72D", "was redeployed after use", Until.NEXT_TURN)
                    entries[place] = entry._replace(number=entry.number - some)
                    entries.append(late)
    rewrite(state, [entry for entry in entries if entry.number])


# --- automatic --------------------------------------------------------------------------------------------------


@rule("18.73A", "18.73B")
def uninvert_automatically(state: State) -> Script[None]:
    """18.73: at the end of their owner's player turn strategic bombers and interceptors in the SW boxes are uninverted,
    and Western Allied air in the boxes of the United States, supplied or not."""
    turn = state.turn
    for front, force in sorted(turn.bombers.items()):
        mine = {which: number for which, number in force.items() if which.inverted and _moves(state, which)}
        for which, number in mine.items():
            del force[which]
            add(force, which.turned(inverted=False), number)
        if mine:
            told = ("{}: strategic bombers and interceptors on the {} front turned face up", state.name(state.moving))
            yield Note((*told, front), "18.73A")
    for base in turn.plan.us_boxes:
        for which, number in list(state.sites[base].air.items()):
            shipped = marked(state, SHIPPED, which) + marked(state, REDEPLOYED, which)
            if which.inverted and _moves(state, which) and number > shipped:
                uninvert(state, which, number - shipped)
                yield Note(("{} in {} turned face up", Counted(which, number - shipped), _name(state, base)), "18.73B")


def _moves(state: State, which: Unit) -> bool:
    return side_of(state, which) == state.moving


def _name(state: State, base: str) -> str:
    return state.place(base).name
