"""Segment G: air strikes, those who meet them, and their targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.diving import shared_out
from flagplot.players.doctrine.judging import Prey, air_attack_plan, air_drm, prey, prize
from flagplot.players.doctrine.principles import part, principle
from flagplot.players.doctrine.sight import Seen, Sight, squadrons

NONE = "none"


@principle("strike", "surprise")
def strike(sight: Sight, request: Choose[Any]) -> str:
    """Strike the found group with the most carriers; then cargo, then size. Nothing is kept back."""
    if len(request.values) == 2:
        return str(request.values[0])
    found = {value: group for value in request.values if (group := sight.target(value)) is not None}
    return max(found, key=lambda value: prize(found[value]), default=NONE)


@principle("engage")
def all_of_them(sight: Sight, request: Choose[Any]) -> Any:
    """A strike flies with everything there is, and everything over the target engages it."""
    return request.values[-1]


@principle("fight")
def fight(sight: Sight, request: Choose[Any]) -> Any:
    """Army squadrons fight off the defenders, so that naval squadrons come through to the ships."""
    return request.values[-1] if ":army:" in part(request, 1) else request.values[0]


# --- targets ----------------------------------------------------------------------------------------------------


@principle("target")
def target(sight: Sight, request: Choose[Any]) -> str:
    """The target that gets most squadrons comes first: carriers, and ships that are near sinking."""
    if _flown(sight) is None:
        return next(iter(shared_out(sight, request.values, 1)), str(request.values[0]))
    plan = _plan(sight, request.values)
    return max(plan, key=lambda name: plan[name], default=str(request.values[0]))


@principle("against")
def against(sight: Sight, request: Choose[Any]) -> int:
    """As many squadrons attack a target as the printed table makes worth while; the best of them first."""
    if _flown(sight) is None:
        return shared_out(sight, [part(request, 1)], request.values[-1]).get(part(request, 1), 1)
    names = [one.id for one in _targets(sight)]
    wanted = max(1, _plan(sight, names).get(part(request, 1), 0))
    for flight in _left(sight):
        if _kind(flight) == part(request, 2):
            break
        wanted = max(0, wanted - int(flight["count"]))
    return wanted


def _flown(sight: Sight) -> Any:
    """The strike on a combat group, or on the ships in a port; nothing if kamikazes attack."""
    return sight.data["base_strike"] if sight.on_map else sight.data["strike"]


def _plan(sight: Sight, names: Sequence[str]) -> dict[str, int]:
    """The squadrons of the strike shared out over those targets, by what it is worth on average."""
    left = _left(sight)
    if not left:
        return {}
    targets = tuple([one for one in _targets(sight) if one.id in names])
    in_port = sight.on_map
    drm = min([air_drm(flight) - _less_in_port(flight) * in_port for flight in left])
    shares = air_attack_plan(targets, squadrons(left), drm)
    return {one.id: share for one, share in zip(targets, shares, strict=True)}


def _less_in_port(flight: Seen) -> int:
    """23.441: the +1 of naval air holds at sea alone."""
    return int("naval" in flight["arm"])


def _targets(sight: Sight) -> list[Prey]:
    """The ships of the struck group that have no squadrons against them yet."""
    flown = _flown(sight)
    group = flown if "ships" in flown else sight.target(flown.get("target"))
    aimed = [aim["target"] for aim in flown["aims"]]
    return [one for one in prey(group.get("ships", ())) if one.id not in aimed] if group else []


def _left(sight: Sight) -> list[Seen]:
    """The squadrons of the strike that have no target yet, in the order in which they are asked about."""
    flown = _flown(sight)
    used: dict[str, int] = {}
    for aim in flown["aims"]:
        for flight in aim["squadrons"]:
            used[_kind(flight)] = used.get(_kind(flight), 0) + flight["count"]
    left = [{**flight, "count": flight["count"] - used.get(_kind(flight), 0)} for flight in flown["attackers"]]
    return [flight for flight in left if flight["count"] > 0]


def _kind(flight: Seen) -> str:
    return f"{flight['home']}:{flight['nation']}:{flight['arm']}:{flight['role']}"
