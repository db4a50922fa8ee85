"""Segment G: air strikes, those who meet them, and their targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flagplot.awaw.air_units import NAVAL_ARMS
from flagplot.awaw.views.battle import StrikeView
from flagplot.awaw.views.operation import BaseStrikeView
from flagplot.awaw.views.units import FlightView, Ships
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.kamikazes import shared_out
from flagplot.players.doctrine.principles import always, last, part, principle
from flagplot.players.doctrine.sight import Sight
from flagplot.players.doctrine.target_value import Prey, air_attack_plan, air_drm, prey, prize

NONE = "none"
Free = Sequence[tuple[FlightView, int]]
"""The squadrons of a strike that have no target yet, in the order in which they are asked about; how many of each."""


@principle("strike", "surprise")
def strike(sight: Sight, request: Choose[Any]) -> str:
    """Strike the found group with the most carriers; then cargo, then size. Nothing is kept back."""
    if len(request.values) == 2:
        return str(request.values[0])
    found = {value: group for value in request.values if (group := sight.target(value)) is not None}
    return max(found, key=lambda value: prize(found[value]), default=NONE)


always(last, "engage", why="Everything over the target of a strike engages it.")


def _against_a_group(request: Choose[Any]) -> bool:
    return request.rule == "23.73"


always(last, "fly", when=_against_a_group, why="A strike flies with everything there is.")


@principle("fight")
def fight(sight: Sight, request: Choose[Any]) -> Any:
    """Army squadrons fight off the defenders, so that naval squadrons come through to the ships."""
    return request.values[-1] if ":army:" in part(request, 1) else request.values[0]


# --- targets ----------------------------------------------------------------------------------------------------


@principle("target")
def target(sight: Sight, request: Choose[Any]) -> str:
    """The target that gets most squadrons comes first: carriers, and ships that are near sinking."""
    flown = _flown(sight)
    if flown is None:
        return next(iter(shared_out(sight, request.values, 1)), str(request.values[0]))
    plan = _plan(sight, flown, _without_target(flown), request.values)
    return max(plan, key=lambda name: plan[name], default=str(request.values[0]))


@principle("against")
def against(sight: Sight, request: Choose[Any]) -> int:
    """As many squadrons attack a target as the printed table makes worth while; the best of them first."""
    flown, name = _flown(sight), part(request, 1)
    if flown is None:
        return shared_out(sight, [name], request.values[-1]).get(name, 1)
    free, tag = _without_target(flown), part(request, 2)
    wanted = max(1, _plan(sight, flown, free).get(name, 0))
    for flight, count in free:
        if flight.tag == tag:
            break
        wanted = max(0, wanted - count)
    return wanted


def _flown(sight: Sight) -> StrikeView | BaseStrikeView | None:
    """The strike on a combat group, or on the ships in a port; nothing if kamikazes attack."""
    battle = sight.battle_if_any
    return battle.strike if battle is not None else sight.operation.base_strike


def _plan(
    sight: Sight, flown: StrikeView | BaseStrikeView, free: Free, names: Sequence[str] | None = None
) -> dict[str, int]:
    """The squadrons of a strike that have no target yet shared out over its targets, or some of them, by what it is
    worth on average."""
    if not free:
        return {}
    targets = tuple([one for one in _targets(sight, flown) if names is None or one.id in names])
    in_port = isinstance(flown, BaseStrikeView)  # 23.441: the +1 of naval air holds at sea alone
    drm = min([air_drm(flight) - (in_port and flight.arm in NAVAL_ARMS) for flight, _ in free])
    shares = air_attack_plan(targets, sum([count for _, count in free]), drm)
    return {one.id: share for one, share in zip(targets, shares, strict=True)}


def _targets(sight: Sight, flown: StrikeView | BaseStrikeView) -> list[Prey]:
    """The ships under attack that have no squadrons against them yet."""
    aimed = [aim.target for aim in flown.aims]
    return [one for one in prey(_attacked_ships(sight, flown)) if one.id not in aimed]


def _attacked_ships(sight: Sight, flown: StrikeView | BaseStrikeView) -> Ships:
    attacked = flown if isinstance(flown, BaseStrikeView) else sight.target(flown.target)
    return (attacked.ships or ()) if attacked else ()


def _without_target(flown: StrikeView | BaseStrikeView) -> Free:
    if not flown.aims:
        return [(flight, flight.count) for flight in flown.attackers]
    used: dict[str, int] = {}
    for aim in flown.aims:
        for flight in aim.squadrons:
            tag = flight.tag
            used[tag] = used.get(tag, 0) + flight.count
    left = [(flight, flight.count - used.get(flight.tag, 0)) for flight in flown.attackers]
    return [(flight, count) for flight, count in left if count > 0]
