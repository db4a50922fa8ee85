"""Ships in a fleet combat (22.531): who is in the line, who is screened, and how both sides show what they have.

The line is every ship of the group that is not screened: its capital ships and its light ships. It is reckoned anew
whenever it is asked for; only screened ships are kept, in the engagement.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial

from flagplot.awaw.battle.groups import label
from flagplot.awaw.counting import add, merged, without
from flagplot.awaw.hits import Tally
from flagplot.awaw.ships import Fleet, Kind, Ship, Ships
from flagplot.awaw.state.battle import Engagement, Group
from flagplot.awaw.state.state import State
from flagplot.kernel.refusal import Refusal
from flagplot.kernel.requests import Choose, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import Words, how_many

NONE = "none"
TRANSPORT = Kind.TRANSPORT  # at hand: a member of an enumeration takes long to look up


def joined(state: State) -> Engagement:
    """The fleet combat that is being fought."""
    battle = state.battle
    assert battle.engagement is not None
    return battle.engagement


def group_of(state: State, side: str) -> Group:
    """The combat group with which a side fights it."""
    battle = state.battle
    fight = battle.engagement
    assert fight is not None
    return battle.groups[fight.moving if side == state.scene.attacker else fight.intercepting]


@rule("22.53", "22.531")
def line_of(state: State, side: str) -> Fleet:
    """22.53: all the ships of a side's group that are not screened."""
    battle = state.battle
    fight = battle.engagement
    assert fight is not None
    group = battle.groups[fight.moving if side == state.scene.attacker else fight.intercepting]
    return without(group.ships, fight.screened[side])


@rule("22.531A")
def capital_ships(fleet: Fleet) -> list[Ship]:
    """22.531A: the named capital ships of a fleet."""
    return [which for which in fleet if which.capital]


def capital_line(state: State, side: str) -> list[Ship]:
    """Those in the line of a side."""
    group, screened = group_of(state, side), joined(state).screened[side]
    return [which for which in group.ships if which.capital and which not in screened]


@rule("22.531B")
def light_ships(fleet: Fleet) -> Fleet:
    """22.531B: the cruisers, destroyers and CVEs of a fleet, and such transports as are among screened ships."""
    return {which: number for which, number in fleet.items() if which.light}


# --- screening --------------------------------------------------------------------------------------------------


@cache
@rule("22.531C.1", "SOP-NC-I.H.2")
def is_always_screened(which: Ship) -> bool:
    """22.531C: damaged ships, fast carriers, destroyers with cargo and transports are."""
    return kept_out_of_line(which) is not None


@rule("22.531C.1")
def kept_out_of_line(which: Ship) -> Refusal | None:
    """22.531C: why a ship does not fight in the line."""
    if which.damaged:
        return _DAMAGED
    if which.fast_carrier:
        return _CARRIER
    return _LADEN if which.laden or which.kind is TRANSPORT else None


_DAMAGED = Refusal("always screened: damaged", "22.531C")
_CARRIER = Refusal("always screened: a fast carrier", "22.531C")
_LADEN = Refusal("always screened: carries cargo", "22.531C")


@rule("22.531", "22.531C.2", "22.26D", "SOP-NC-I.H.2")
def screen(state: State, side: str) -> Script[None]:
    """22.531C: a side screens ships in secret: those that always are, those withheld (22.26D), and any others."""
    group, screened = group_of(state, side), joined(state).screened
    screened[side] = {which: number for which, number in group.ships.items() if is_always_screened(which)}
    for which in fit_for_the_line(group.ships) if group.withheld else ():
        withheld = min(group.ships[which], group.withheld.get(which.tag, 0))
        if withheld:
            add(screened[side], which, withheld)
    words = ("{}: screening ships of CG {}", state.name(side), group.number)
    yield from secretly(side, words, _screen_others(state, side), "22.531C")


def fit_for_the_line(fleet: Fleet) -> list[Ship]:
    """Those that may stand in the line."""
    return [which for which in fleet if not is_always_screened(which)]


@rule("22.531C.2")
def _screen_others(state: State, side: str) -> Script[None]:
    """22.531C: any other ships may be screened as well, named ones one by one, light ones by their number."""
    screened = joined(state).screened[side]
    while line := line_of(state, side):
        able = {which.tag: which for which in line}
        labels = partial(_screen_label, line, able, bool(screened))
        asked: Words = "Screen ships behind the line?"
        if screened:
            asked = ("Screened: {}. Screen more ships?", Ships(screened.items()))
        chosen: str = yield Choose(side, "screen", [NONE, *able], asked, labels, "22.531C")
        if chosen == NONE:
            return
        which, number = able[chosen], 1
        if not which.named:
            question = ("Screen how many of {}?", Ships([(which, line[which])]))
            values = range(1, line[which] + 1)
            number = yield Choose(side, ("screen", which.tag), values, question, how_many, "22.531C")
        add(screened, which, number)


def _screen_label(line: Fleet, able: Mapping[str, Ship], more: bool, tag: str) -> Words:
    if tag == NONE:
        return "Screen no more" if more else "Screen none"
    return "Screen {}", Ships([(able[tag], line[able[tag]])])


@rule("22.53", "22.531", "22.531C.2", "SOP-NC-I.H.2")
def reveal_ships(state: State) -> Script[None]:
    """22.531: once both sides have screened ships, all the ships of both groups are shown, and who is screened."""
    fight = joined(state)
    fight.revealed = True
    fight.tallies = {side: Tally() for side in state.sides}
    for side in state.sides:
        group = group_of(state, side)
        group.revealed = group.this_round.attacked = group.this_round.fought = True
    for side in state.sides:
        line, screened = Ships(line_of(state, side).items()), Ships(fight.screened[side].items())
        words = ("{}: {} in the line; {} screened", label(state, group_of(state, side)), line, screened)
        yield disclosed(words, "22.531", side)


@rule("22.54C.4", "SOP-NC-I.H.6.d", "SOP-NC-I.H.6.d.i")
def screen_damaged_cruisers(state: State, side: str) -> None:
    """22.54C: cruisers that capital fire has damaged are screened, and do not shield those who were before; capital
    ships that it has damaged stay in the line."""
    for which, number in line_of(state, side).items():
        if which.light and which.damaged:
            add(joined(state).screened[side], which, number)
            if side not in joined(state).lamed:
                joined(state).lamed.append(side)


def parts_of(state: State, side: str) -> tuple[Fleet, Fleet]:
    """The line of a side and its screened ships, to be hit; `put_together` counts what is left."""
    return line_of(state, side), dict(joined(state).screened[side])


def put_together(state: State, side: str, line: Fleet, screened: Fleet) -> None:
    joined(state).screened[side] = screened
    group_of(state, side).ships = merged(line, screened)
