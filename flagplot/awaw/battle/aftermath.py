"""After a naval battle (22.72, 22.8): who has won, and what follows from it."""

from __future__ import annotations

from functools import partial

from flagplot.awaw.battle.consequences import consequences
from flagplot.awaw.battle.homecoming import give_orders, has_orders
from flagplot.awaw.ships import Fleet
from flagplot.awaw.state.state import State
from flagplot.kernel.naming import Mended
from flagplot.kernel.requests import Note, Script, disclosed
from flagplot.kernel.rules import rule
from flagplot.kernel.secrets import secretly
from flagplot.kernel.words import listing


@rule("22.81", "SOP-NC-III")
def settle(state: State) -> Script[None]:
    """22.81: the battle is over: what each force does next, and where those that return go to."""
    for side in state.sides:
        words = ("{}: choosing who continues and who returns", state.name(side))
        yield from secretly(side, words, give_orders(state, side), "22.81", partial(has_orders, state, side))
        found = consequences(state, side)
        state.battle.consequences += found
        for _, number, text, public in found:
            reader, twin = (side, ("{}", Mended(public))) if public else ("", "")
            yield Note(("{}", Mended(text)), number, reader, twin, side)


_ENDINGS = {
    "22.71A": "{} withdrew",
    "22.71B": "{} had no operational carrier and evaded with all groups",
    "22.71C": "{} had no undamaged ship left",
    "22.35": "raiders fight a single round",
    "22.73": "it was broken off after the last round of the scenario",
}


def ended_by(state: State) -> str:
    """The rule by which the battle ended."""
    battle = state.battle
    return battle.outcome.rule if battle.outcome else ""


def ended_words(state: State) -> str:
    """How the battle ended."""
    battle = state.battle
    if battle.outcome is None:
        return ""
    return endings_in_words(state, *battle.outcome)


def endings_in_words(state: State, number: str, losers: tuple[str, ...], reasons: tuple[str, ...]) -> str:
    """How a battle ended: by which rule, who has lost it, and the rule by which each of them has."""
    if not losers:
        return _ENDINGS[number]
    by_reason = {
        reason: [state.name(side) for side, why in zip(losers, reasons, strict=True) if why == reason]
        for reason in reasons
    }
    return "; ".join([_ENDINGS[reason].format(listing(names)) for reason, names in by_reason.items()])


@rule("22.72")
def winner(state: State) -> str | None:
    """22.72: the side that has not lost, if the other has; both can lose, and then nobody has won."""
    battle = state.battle
    losers = battle.outcome.losers if battle.outcome else ()
    return state.other(losers[0]) if len(losers) == 1 else None


@rule("22.72")
def announce(state: State) -> Note:
    """22.72: how the battle ended, and who has won, as everybody reads it."""
    names = {side: state.name(side) for side in state.sides}
    told = [Mended(words, names) for words in (ended_words(state), winner_words(state))]
    return disclosed(("Battle over: {}; {}", *told), ended_by(state), True)


def winner_words(state: State) -> str:
    battle = state.battle
    won, losers = winner(state), battle.outcome.losers if battle.outcome else ()
    return f"{state.name(won)} has won" if won else "both sides are defeated" if losers else "nobody has won"


def ships_of_side(state: State, side: str, fleet: Fleet) -> Fleet:
    """The ships of a side among some of both."""
    return {which: number for which, number in fleet.items() if which.nation in state.setting.nations[side]}
