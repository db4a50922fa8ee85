"""Interceptions on the map: whom to intercept, where and with what; submarines; and those who come to help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flagplot.awaw.mapboard.hexes import hex_text
from flagplot.awaw.state.operation import Activity, Progress
from flagplot.awaw.state.turn import Phase
from flagplot.awaw.views.operation import VoyageView
from flagplot.awaw.views.units import Hex
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.interception_odds import (
    Interception,
    best_interception,
    kept_for_others,
    sent_against,
    submarine_chance,
)
from flagplot.players.doctrine.principles import always, first, last, part, principle
from flagplot.players.doctrine.sea import Sea, hex_of, likely_win
from flagplot.players.doctrine.sight import Sight

NONE, STAY, DIRECT, ALL = "none", "stay", "direct", "all"
HOPELESS = 0.08
"""Submarines do not try with less chance than this."""


@principle("route")
def route(sight: Sight, request: Choose[Any]) -> Any:
    """All paths are asked for: it costs nothing."""
    return ALL if ALL in request.values else request.values[-1]


always(first, "regroup", why="Forces sail as they are: who divides them gives the enemy parts to beat.")


# --- ships ------------------------------------------------------------------------------------------------------


@principle("intercept")
def intercept(sight: Sight, request: Choose[Any]) -> str:
    """Intercept where chance by the table, strength and what is at stake are worth most together; nowhere if it is not
    worth while. A patrol is left alone on its way if its hex is a better place, and altogether if its missions are
    still to come, unless the odds are very good."""
    sea, key = Sea(sight), part(request, 1)
    hexes = [hex_of(value) for value in request.values if value != NONE]
    best = _best(sea, key, hexes, sight.doctrine.intercept_above + _needed_later(sea, key))
    if best is None or not best.keys or _is_better_later(sea, key, best.worth):
        return NONE
    return hex_text(best.at)


def _best(sea: Sea, key: str, hexes: Sequence[Hex], least: float = 0.0) -> Interception | None:
    """The best interception of a voyage, without the forces that are worth more against another."""
    best = best_interception(sea, key, hexes, least)
    if best is None or sent_against(sea, key):
        return best
    kept = kept_for_others(sea, key, best.worth)
    return best_interception(sea, key, hexes, least, kept) if kept & best.keys else best


def _needed_later(sea: Sea, key: str) -> float:
    """What forces are worth for a later stage, if they are asked to drive away a patrol in this one."""
    position = sea.sight.position
    later = Phase.COMBAT in position.stages and position.stage == Phase.MOVEMENT
    return KEPT if later and sea.voyages[key].activity is Activity.PATROL else 0.0


KEPT = 3.0


def _is_better_later(sea: Sea, key: str, worth: float) -> bool:
    """Whether a patrol that is still on its way could be met better where it goes to."""
    voyage = sea.voyages[key]
    if voyage.activity is not Activity.PATROL or voyage.progress is Progress.ARRIVED or not voyage.destination:
        return False
    there = voyage.destination
    return there != voyage.at and best_interception(sea, key, [there], worth) is not None


@principle("go")
def go(sight: Sight, request: Choose[Any]) -> str:
    """Those forces go that make the interception worth most: not all, since each attempt takes a die from the others,
    and not a weak one alone."""
    sea, key, name = Sea(sight), part(request, 1), part(request, 3)
    best = _best(sea, key, _meant(sea, request, key, name))
    return DIRECT if best is not None and name in best.keys else STAY


def _meant(sea: Sea, request: Choose[Any], key: str, name: str) -> Sequence[Hex]:
    """The hexes that can be meant: those as far away as the way that is offered; once somebody goes it is known."""
    sent = sent_against(sea, key)
    if sent:
        return [sent[0][1]]
    start = sea.forces[name].at
    told = next((option.label for option in request.options if option.value == DIRECT), "")
    return [at for at in sea.path(key) if f" {sea.sails(start, at)} hex" in told] or sea.path(key)


always(last, "dispatch", why="Who helps helps with everything.")


@principle("support")
def support(sight: Sight, request: Choose[Any]) -> str:
    """A patrol comes to help unless the battle is hopeless even with it."""
    sea, key = Sea(sight), part(request, 1)
    met = _intercepted(sea)
    if not met:
        return "go"
    at = sea.voyages[met].at
    theirs = sum([sea.power(sea.sailing(key)) for key, voyage in sea.voyages.items() if voyage.target == met])
    ours = sea.power(sea.sailing(met)) + sea.air_power(sea.side, at)
    ours += sea.power([sea.forces[key]]) if key in sea.forces else 0.0
    win = likely_win(ours, theirs + sea.air_power(sight.enemy, at))
    return "go" if win >= HOPE * sight.doctrine.caution else "stay"


HOPE = 0.25
"""The chance to win, for a caution of one, from which on patrols help."""


def _intercepted(sea: Sea) -> str:
    """Our voyage that interceptors have reached."""
    for voyage in sea.voyages.values():
        target = sea.voyages.get(voyage.target)
        arrived = voyage.level == 1 and voyage.side != sea.side and voyage.progress is Progress.ARRIVED
        if arrived and target and voyage.meeting and target.at == voyage.meeting.meet:
            return voyage.target
    return ""


# --- submarines -------------------------------------------------------------------------------------------------


@principle("submarine")
def submarine(sight: Sight, request: Choose[Any]) -> str:
    """Submarines intercept where they have the best chance, unless another target is worth more; hopeless attempts are
    not made."""
    sea, key, name = Sea(sight), part(request, 1), part(request, 3)
    hexes = [hex_of(value) for value in request.values if value != NONE]
    at = max(hexes, key=lambda hex_: _submarine_worth(sea, key, name, hex_))
    here = _submarine_worth(sea, key, name, at)
    others = [other for other, voyage in sea.voyages.items() if other != key and _is_target(sea, voyage)]
    elsewhere = max([_submarine_worth(sea, one, name, hex_) for one in others for hex_ in sea.path(one)], default=0)
    if here < HOPELESS * sea.stake(key) or elsewhere * ELSEWHERE > here:
        return NONE
    return hex_text(at)


ELSEWHERE = 0.8
"""Submarines wait for another target only if it is clearly better."""


def _is_target(sea: Sea, voyage: VoyageView) -> bool:
    still_out = voyage.progress in (Progress.ANNOUNCED, Progress.UNDER_WAY)
    return voyage.side != sea.side and not voyage.level and still_out and bool(voyage.path)


def _submarine_worth(sea: Sea, key: str, name: str, at: Hex) -> float:
    hexes = sea.sails(sea.flotillas[name].at, at)
    return submarine_chance(sea, key, at, hexes) * sea.stake(key)


always(last, "factors", why="All submarines of a base go together.")
