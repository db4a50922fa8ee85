"""Fleet combats for the tests: two groups that meet at once, orders, scripted dice, and who fires at whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flagplot.awaw.procedures import engagement
from flagplot.awaw.ships import named_ship
from flagplot.awaw.state.battle import Engagement
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.requests import Roll
from tests.awaw.battles import LIGHT, battle, fight, rolls_for, squadron
from tests.awaw.scenes import start

Dice = tuple[str | int, ...]
FIRE = rolls_for("fire by")
"""Until the first dice of a fire."""


def red(*named: str, **more: Any) -> dict[str, Any]:
    """The moving force, Japanese unless `nation` says otherwise; cruisers are given in factors."""
    return _force("red", named, more)


def blue(*named: str, **more: Any) -> dict[str, Any]:
    """The intercepting force, American unless `nation` says otherwise."""
    return _force("blue", named, more)


def _force(side: str, named: Sequence[str], more: dict[str, Any]) -> dict[str, Any]:
    allies = more.pop("allies", None)
    parts = [({"named": named} | {key: more[key] for key in LIGHT if key in more}), *([allies] if allies else [])]
    entry = squadron(f"{side}s", side, *named, **more)
    if allies:
        entry["ships"].append({"named": [], **allies})
    size = sum(_factors(part) for part in parts)
    return {"task_force": size >= 10} | entry


def _factors(part: dict[str, Any]) -> int:
    light: list[int] = [part.get(key, 0) for key in ("cruisers", "destroyers", "laden_destroyers", "cves")]
    return sum(light) + sum(named_ship(name).factors for name in part.get("named", ()))


def line_up(
    *forces: dict[str, Any],
    dice: Scripted | None = None,
    options: dict[str, Any] | None = None,
    change: Callable[[State], None] | None = None,
    **settings: Any,
) -> Game[State]:
    """A game that begins with the fleet combat of both forces and ends with it; `change` may alter its state before."""
    game = start(battle(*forces, **settings), dice, **(options or {}))
    state = copy_of(game.border.state)
    for group in state.battle.groups.values():
        group.formed, group.number = True, 1
    state.frames = [engagement.start()]
    state.battle.engagement = Engagement("reds", "blues")
    if change:
        change(state)
    return game.from_border(state)


def clash(
    *forces: dict[str, Any],
    rolls: Sequence[Dice] = (),
    orders: Sequence[str] = (),
    until: Callable[[Game[State]], bool] | None = None,
    **more: Any,
) -> Game[State]:
    """The same fought with these dice and orders, all of which must be used."""
    with Scripted(*rolls) as dice:
        return fight(line_up(*forces, dice=dice, **more), *orders, until=until, guns=True)


# --- what is going on -----------------------------------------------------------------------------------------------


def joined(game: Game[State]) -> Engagement:
    assert game.state.battle.engagement is not None
    return game.state.battle.engagement


def volleys(game: Game[State], side: str) -> dict[str, list[str]]:
    """The fire by a side: ``{"iowa": ["yamato"], "light-ships": ["4 japan:cruiser"]}``."""
    return {
        volley.target: [which.id if which.named else f"{number} {which.tag}" for which, number in volley.ships.items()]
        for volley in joined(game).volleys
        if volley.side == side
    }


def screened(game: Game[State], side: str) -> list[str]:
    """The screened ships of a side: ``["enterprise", "2 japan:destroyer"]``."""
    found = joined(game).screened[side].items()
    return [which.id if which.named else f"{number} {which.tag}" for which, number in found]


def held(game: Game[State], side: str) -> dict[str, int]:
    return joined(game).held.get(side, {})


def met(game: Game[State]) -> list[str]:
    """The pairs of capital ships so far."""
    return [entry.text for entry in game.log("umpire") if " meets " in entry.text]


def fired(game: Game[State]) -> list[str]:
    """The rolls so far: ``["Red: fire by Yamato on Iowa, row 5", …]``."""
    return [entry.text for entry in game.log("umpire") if ": fire by " in entry.text]


def modifier(game: Game[State]) -> int:
    """What is added to the dice that are to be rolled."""
    assert isinstance(game.pending, Roll), game.pending
    return game.pending.ledger.total
