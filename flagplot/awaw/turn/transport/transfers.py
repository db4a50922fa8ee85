"""Naval air between ports and fast carriers (17.3122-17.3124): in port, before and after air and ships move.

What is aboard a task force is its owner's secret, so he decides in secret about all his ports at once; the enemy sees
what lies in the bases afterwards.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from flagplot.awaw.air_units import Counted, Force, Listed, Unit, add, take
from flagplot.awaw.counting import merged
from flagplot.awaw.procedures import naval_air_declared, transfers
from flagplot.awaw.ships import decks
from flagplot.awaw.state.operation import NavalForce
from flagplot.awaw.state.setting import at_sea
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Phase, Until
from flagplot.awaw.turn.basing.relocation import clip_down, clip_site
from flagplot.awaw.turn.basing.rooms import excess, fits
from flagplot.awaw.turn.basing.staging import relieve
from flagplot.awaw.turn.marks import BUILT, clip, marked
from flagplot.awaw.turn.missions.inversion import invert
from flagplot.awaw.turn.nations import side_of_nation
from flagplot.kernel.procedures import END, Next
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Note, Script
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import how_many


class Move(NamedTuple):
    """Squadrons that go aboard a force, come ashore from it, or change from one to another in the same port."""

    which: Unit
    """As they are before."""
    number: int
    origin: str = ""
    """The force that they leave; nothing if they are ashore."""
    to: str = ""
    """The force that they go to; nothing if they come ashore."""


# --- deciding ---------------------------------------------------------------------------------------------------


@transfers.segment("17.3122", "Squadrons go ashore or aboard, in all ports")
@rule("17.3122", "17.3122A", "17.3122B")
def transfer(state: State) -> Script[Next]:
    """17.3122: in the owner's player turn, before and after air units stage or redeploy and ships move, naval air goes
    between a port or box and the fast carriers in it."""
    operation = state.operation
    side = state.moving
    ports = harbours(state, side)
    if not ports:
        return END
    words = ("{}: moving naval air between ports and carriers", state.name(side))
    moves: list[Move] = yield from secretly(side, words, _decide(state, ports), "17.3122")
    before = {base: dict(state.sites[base].air) for base in ports}
    inverted = [key for base in ports for key in ports[base] if operation.fleet[key].inverted]
    for move in moves:
        carry_out(state, move)
    for base, air in before.items():
        yield from _seen(state, side, base, air)
    for key in [key for base in ports for key in ports[base] if operation.fleet[key].inverted and key not in inverted]:
        yield Note(("{} inverted by the squadrons it took aboard", operation.fleet[key].marker), "17.3124")
    return END


def harbours(state: State, side: str) -> dict[str, list[str]]:
    """The ports and boxes of a side with naval forces that may hold fast carriers, as far as everybody can tell: a
    marker hides what there is under it. In the construction phase only carriers that are launched (17.3122C)."""
    found: dict[str, list[str]] = {}
    for key, force in state.operation.fleet_of(side).items():
        if force.in_port and _may_have_carriers(force) and _is_open(state, key):
            found.setdefault(force.base, []).append(key)
    return {base: keys for base, keys in sorted(found.items()) if state.place(base).side == side}


def _may_have_carriers(force: NavalForce) -> bool:
    return force.group.task_force or any([which.fast_carrier for which in force.group.ships])


@rule("17.3122C.1")
def _is_open(state: State, key: str) -> bool:
    """17.3122C: whether squadrons may go aboard in this phase."""
    turn = state.turn
    return turn.step != Phase.CONSTRUCTION or key in turn.plan.launched


def _decide(state: State, ports: dict[str, list[str]]) -> Script[list[Move]]:
    moves: list[Move] = []
    for base, keys in ports.items():
        plan = _Plan(state, base, keys)
        if state.turn.step != Phase.CONSTRUCTION:
            yield from _come_ashore(state, plan)
            yield from _change_over(state, plan)
        yield from _go_aboard(state, plan)
        moves += plan.moves
    return moves


class _Plan:
    """What is decided for a port, before any of it is carried out: nobody sees it until it is."""

    def __init__(self, state: State, base: str, keys: list[str]) -> None:
        self.base = base
        self.side = state.place(base).side
        self.keys = keys
        self.aboard = {key: dict(state.operation.fleet[key].group.air) for key in keys}
        self.damaged = {key: dict(state.operation.fleet[key].grounded) for key in keys}
        self.decks = {key: _sound(state.operation.fleet[key]) for key in keys}
        self.landed = 0
        self.moves: list[Move] = []

    @rule("17.312", "17.3124.7")
    def room(self, key: str, country: str) -> int:
        """17.312: the squadrons of its own nation that undamaged carriers of a force can still take aboard."""
        there = sum([number for which, number in self.aboard[key].items() if which.nation == country])
        return max(0, self.decks[key][country] - there)


@rule("17.3124.7", "17.312")
def _sound(force: NavalForce) -> Counter[str]:
    """17.3124: nobody flies onto a damaged carrier: the squadrons that the others base, by nation."""
    return Counter({country: sound for country, (sound, _) in decks(force.group.ships).items()})


@rule("17.3122", "17.3124.6", "17.355")
def _come_ashore(state: State, plan: _Plan) -> Script[None]:
    """17.3122: squadrons leave carriers for the port, as far as it has room; those aboard damaged carriers too
    (17.3124). American ones stay aboard before there is war with Japan (17.355)."""
    for key in plan.keys:
        for source in (plan.aboard[key], plan.damaged[key]):
            for which, number in list(source.items()):
                ashore = state.rebased(which, plan.base)
                most = min(number, fits(state, ashore, plan.base) - plan.landed)
                if not most or (source is plan.aboard[key] and must_go_aboard(state, which)):
                    continue
                where = "" if source is plan.aboard[key] else " aboard damaged carriers"
                question = (
                    "{}: send how many of {}{} ashore?",
                    state.operation.fleet[key].marker,
                    Counted(which, number),
                    where,
                )
                verb = ("ashore", key, which.tag)
                some: int = yield Choose(plan.side, verb, range(most + 1), question, how_many, "17.3122")
                if some:
                    take(source, which, some)
                    plan.landed += some
                    plan.moves.append(Move(which, some, origin=key))


@rule("17.3124.2", "17.3124.3")
def _change_over(state: State, plan: _Plan) -> Script[None]:
    """17.3124: squadrons change from one carrier to another in the same port. If theirs is inverted the one that takes
    them over is inverted as well."""
    operation = state.operation
    for key in plan.keys:
        for other in plan.keys:
            for which, number in list(plan.aboard[key].items()):
                most = min(number, plan.room(other, which.nation)) if other != key else 0
                if not most:
                    continue
                question = ("Move how many of {} from {} to {}?", Counted(which, number), operation.fleet[key].marker)
                words = (*question, operation.fleet[other].marker)
                verb = ("change", key, other, which.tag)
                some: int = yield Choose(plan.side, verb, range(most + 1), words, how_many, "17.3124")
                if some:
                    take(plan.aboard[key], which, some)
                    add(plan.aboard[other], which, some)
                    plan.moves.append(Move(which, some, key, other))


@rule("17.3122", "17.3122C", "17.312", "17.312.1", "17.21.4", "17.51.1", "17.355")
def _go_aboard(state: State, plan: _Plan) -> Script[None]:
    """17.3122: squadrons of the port go aboard undamaged carriers of their own nation; only naval air does (17.312)."""
    ashore = able_to_board(state, plan.base)
    for key in plan.keys:
        for which, number in list(ashore.items()):
            most = min(number, plan.room(key, which.nation))
            if not most:
                continue
            least = most if must_go_aboard(state, which) else 0
            marker = state.operation.fleet[key].marker
            question = (
                "{}: send how many of {} aboard {}?",
                state.place(plan.base).name,
                Counted(which, number),
                marker,
            )
            verb = ("aboard", key, which.tag)
            some: int = yield Choose(plan.side, verb, range(least, most + 1), question, how_many, "17.3122")
            if some:
                take(ashore, which, some)
                add(plan.aboard[key], _at_sea(state, which), some)
                plan.moves.append(Move(which, some, to=key))


@rule("17.3122C", "17.3122C.1", "17.21.4", "17.51.1", "17.312.1")
def able_to_board(state: State, base: str) -> Force:
    """17.3122C: the naval squadrons in a base that may go aboard: none that are inverted, but for those built in this
    construction phase, which board the carriers that are launched in it; none that were used at sea in this turn, or
    are committed."""
    site = state.sites[base]
    if state.turn.step == Phase.CONSTRUCTION:
        new = {which: marked(state, BUILT, which) for which in site.air if which.is_naval}
        return {which: number for which, number in new.items() if number}
    free = {
        which: number - site.used.get(which, 0) - site.committed.get(which, 0)
        for which, number in site.air.items()
        if which.is_naval and not which.inverted
    }
    return {which: number for which, number in free.items() if number > 0}


NOBODY_BOARDS = Refusal("inverted squadrons and those used at sea stay ashore", "17.3122C")
NO_CARRIER = Refusal("no undamaged fast carrier of its nation with room in its base", "17.3122")


@rule("17.3122", "17.3122C.1", "17.312", "17.3124.7")
def carriers_with_room(state: State, base: str, country: str) -> list[str]:
    """17.3122: the forces in a port that squadrons of a nation may board in this phase: those with room on undamaged
    carriers of theirs, in the construction phase only those that are launched."""
    keys = harbours(state, state.place(base).side).get(base, [])
    plan = _Plan(state, base, keys)
    return [key for key in keys if plan.room(key, country)]


@rule("17.355")
def must_go_aboard(state: State, which: Unit) -> bool:
    """17.355: before the United States and Japan are at war American naval air goes to fast carriers as soon as it
    can, so that these become operational."""
    return which.nation == "united-states" and not state.turn.plan.at_war.get("us-japan", False)


# --- carrying it out --------------------------------------------------------------------------------------------


def _at_sea(state: State, which: Unit) -> Unit:
    """Squadrons as they are aboard."""
    side = side_of_nation(state, which.nation)
    return state.rebased(which, at_sea(side)).turned(inverted=False)


@rule("17.3122D.1", "17.3122D.2", "17.3122D.3", "17.3123.1", "17.3124.3", "17.3125")
def carry_out(state: State, move: Move) -> None:
    """17.3122D: aboard, squadrons have the status of their carrier, which operates with them at once, and lie with it,
    under the marker if there is one (17.3123). Those who leave an inverted carrier are inverted, ashore as well as
    aboard another: that is inverted with them (17.3124)."""
    operation = state.operation
    which, number = move.which, move.number
    source = operation.fleet[move.origin] if move.origin else None
    if source is not None:
        _leave_carriers(source, which, number)
    else:
        take(state.sites[which.home].air, which, number)
        clip(state)
        clip_site(state, which.home)
        clip_down(state)
        _no_guests(state, move)
    if move.to:
        add(operation.fleet[move.to].group.air, _at_sea(state, which), number)
        if source is not None and source.inverted:
            operation.fleet[move.to].inverted = True
    elif source is not None:
        land(state, which, number, source.base, inverted=source.inverted)


@rule("17.3126#note1.1")
def _no_guests(state: State, move: Move) -> None:
    """17.3126: squadrons that came ashore from carriers as the port was attacked board these first of all; aboard, they
    are guests of the port no more."""
    operation = state.operation
    left = move.number
    for force in (operation.fleet[move.to], *[force for _, force in operation.everybody()]):
        guests = force.ashore if force.in_port and force.base == move.which.home else {}
        for which in [which for which in guests if (which.nation, which.arm) == (move.which.nation, move.which.arm)]:
            some = min(left, guests[which])
            if some:
                take(guests, which, some)
                left -= some


def _leave_carriers(force: NavalForce, which: Unit, number: int) -> None:
    """Squadrons leave a force: those that can fly first, then those aboard damaged carriers."""
    for aboard in (force.group.air, force.grounded):
        some = min(number, aboard.get(which, 0))
        if some:
            take(aboard, which, some)
            number -= some


@rule("17.3122D.3")
def land(state: State, which: Unit, number: int, base: str, *, inverted: bool) -> None:
    """17.3122D: squadrons come ashore, inverted if their carrier is; they may be uninverted as others are: those of a
    carrier that was used in this turn when it is over."""
    ashore = state.rebased(which, base).turned(inverted=False)
    add(state.sites[base].air, ashore, number)
    if inverted:
        until = Until.NOW if state.turn.step == Phase.MOVEMENT else Until.TURN_END
        invert(state, ashore, number, "17.3122D", "came ashore from an inverted carrier", until)


def _seen(state: State, side: str, base: str, before: Force) -> Script[None]:
    """17.3123: what everybody sees: how many squadrons more or fewer lie in a base, and not whose carriers they are."""
    after = state.sites[base].air
    more = {which: n for which in after if (n := after[which] - before.get(which, 0)) > 0}
    fewer = {which: n for which in before if (n := before[which] - after.get(which, 0)) > 0}
    name = state.place(base).name
    if more:
        yield Note(("{}: {} ashore in {}", state.name(side), Listed(more.items()), name), "17.3122")
    if fewer:
        yield Note(("{}: {} aboard in {}", state.name(side), Listed(fewer.items()), name), "17.3122")


# --- the end of the turn ----------------------------------------------------------------------------------------


@naval_air_declared.segment("17.3123", "Squadrons that came ashore under attack stay or go back aboard")
@rule("17.3123", "17.3126C")
def declare(state: State) -> Script[Next]:
    """17.3123: with the end of its owner's turn each squadron is aboard or ashore. Those that left their carriers as
    the port was attacked are based there, and take room from now on; those for whom there is none go back aboard."""
    side = state.moving
    for _, force in state.operation.everybody():
        if force.side == side and force.in_port:
            ashore, force.ashore = force.ashore, {}
            for which in ashore:
                _return_aboard(state, force, which, ashore[which])
    yield from relieve(state, side)
    return END


def _return_aboard(state: State, force: NavalForce, which: Unit, number: int) -> None:
    """Squadrons for whom a port has no room go back to their carriers, inverted ones first."""
    aboard = merged(force.group.air, {})
    sound = _sound(force)[which.nation] - sum([n for one, n in aboard.items() if one.nation == which.nation])
    ashore = state.rebased(which, force.base)
    for form in (ashore.turned(inverted=True), ashore.turned(inverted=False)):
        some = min(number, sound, excess(state, force.base), state.sites[force.base].air.get(form, 0))
        if some > 0:
            take(state.sites[force.base].air, form, some)
            add(force.group.air, which, some)
            number, sound = number - some, sound - some
    clip(state)
    clip_down(state)
    clip_site(state, force.base)
