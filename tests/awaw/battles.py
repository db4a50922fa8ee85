"""Naval battles for the tests: forces in a few words, orders that are given when they are asked for, scripted dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from flagplot.awaw.ships import Fleet, Kind, named_ship, ship, ship_ledger
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Roll
from tests.awaw.scenes import scene

NATION = {"red": "japan", "blue": "united-states"}


def squadron(name: str, side: str, *named: str, air: int = 0, **more: Any) -> dict[str, Any]:
    """A naval force of a scenario: named ships, light ships by ``cruisers=8`` and so on, squadrons aboard.

    Red is Japanese and Blue American unless `nation` says otherwise. `elite` is for the squadrons.
    """
    nation, elite = more.pop("nation", NATION[side]), more.pop("elite", False)
    light = {key: more.pop(key) for key in LIGHT if key in more}
    entry = {"id": name, "name": name.upper(), "side": side, "ships": [{"nation": nation, "named": [*named], **light}]}
    if air:
        entry["air"] = [{"nation": nation, "squadrons": air, "elite": elite}]
    return entry | more


LIGHT = (
    "cruisers",
    "destroyers",
    "laden_destroyers",
    "cves",
    "transports",
    "laden_transports",
    "damaged_cruisers",
    "hits",
)


def battle(*forces: dict[str, Any], bases: Iterable[dict[str, Any]] = (), **more: Any) -> dict[str, Any]:
    """A naval battle in the hex (0, 0) in which red moves and blue intercepts, of one round unless said otherwise."""
    settings = {"kind": "naval-battle", "theatre": "pacific", "rounds": 1, "at": [0, 0], **more}
    return scene(*bases, **settings, forces=list(forces))


def fight(
    game: Game[State], *orders: str, until: Callable[[Game[State]], bool] | None = None, guns: bool = False
) -> Game[State]:
    """Go through a battle, to its end or until something is true.

    Each order is the text of an option and is given, once, when it is offered; to all other questions the answer is to
    do as little as possible. Unless it is about `guns`, all ships are screened in fleet combat, so that nobody fires.
    An order that was never asked for is a mistake in the test.
    """
    waiting = list(orders)
    while game.pending is not None and not (until and until(game)):
        if isinstance(game.pending, Roll):
            game.roll()
            continue
        offered = [option.text for option in game.pending.options]
        order = next((order for order in waiting if order in offered), None)
        if order is not None:
            waiting.remove(order)
        least = next((text for text in offered if text.endswith(":none")), offered[0])
        hides = offered[0].startswith("screen:") and not guns
        game.choose(order or (offered[-1] if hides else least))
    assert not waiting, f"never asked: {waiting}; asked now: {asked_now(game)}"
    return game


def asked_now(game: Game[State]) -> list[str]:
    """The texts of the options that are offered, or what is rolled."""
    if isinstance(game.pending, Choose):
        return [option.text for option in game.pending.options]
    return [str(game.pending)]


def asks(verb: str) -> Callable[[Game[State]], bool]:
    """Until a question of this verb is put, such as ``asks("strike")`` or ``asks("patrol:1")``."""
    return lambda game: isinstance(game.pending, Choose) and asked_now(game)[0].startswith(f"{verb}:")


def rolls_for(words: str) -> Callable[[Game[State]], bool]:
    """Until dice are to be rolled whose purpose holds these words."""
    return lambda game: isinstance(game.pending, Roll) and words in str(game.pending)


def group(game: Game[State], side: str, number: int) -> Group:
    return next(one for one in game.state.battle.groups.values() if one.side == side and one.number == number)


def fleet_of(*named: str, nation: str = "japan", **light: int) -> Fleet:
    """A fleet outside any game: ``fleet_of("Akagi", "Kaga", cruisers=4, destroyers=3)``; cruisers in ships."""
    made: Fleet = {}
    for name in named:
        entry = named_ship(name)
        drm = ship_ledger(entry.nation, entry.kind, entry.factors).total
        made[ship(entry.nation, entry.kind, entry.id, entry.factors, entry.slow, drm)] = 1
    for word, number in light.items():
        kind = Kind(word.removesuffix("s"))
        size = 2 if kind is Kind.CRUISER else 1
        made[ship(nation, kind, "", size, False, ship_ledger(nation, kind, size).total)] = number
    return dict(sorted(made.items(), key=lambda entry: entry[0].text))


def ships(one: Group) -> dict[str, int]:
    """The ships of a group in short words: ``{"akagi": 0, "kaga damaged": 2, "japan cruiser": 4}``, hits of named
    ships, numbers of others."""
    found = {}
    for which, number in one.ships.items():
        key = which.id or f"{which.nation} {which.kind}{' laden' * which.laden}{' empty' * which.empty}"
        found[f"{key}{' damaged' * which.damaged}"] = which.hits if which.named else number
    return found


def lost(game: Game[State]) -> dict[str, int]:
    """The squadrons eliminated so far: ``{"japan/naval/squadrons": 2}``."""
    return dict(game.state.losses.air)


def sunk(game: Game[State]) -> dict[str, int]:
    """The ships sunk so far: ``{"enterprise": 1, "united-states:cruiser": 2}``."""
    return {which.tag: number for which, number in game.state.losses.ships.items()}
