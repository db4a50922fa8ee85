"""The map changes in an air turn: airbases are placed and removed, bases change hands. What follows from it, distances
and room, is kept in the setting and worked out anew."""

from __future__ import annotations

from dataclasses import replace

from flagplot.awaw.air_units import Unit
from flagplot.awaw.reach import near, refuges
from flagplot.awaw.state.setting import Place, Setting, drm_ledger
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.missions.overflight import fly_around


def resettle(state: State, **changed: Place) -> None:
    """Some bases have changed: everything that hangs on them is worked out anew."""
    for key, place in changed.items():
        if state.place(key).side != place.side:
            state.turn.lost_bases.setdefault(key, state.place(key).side)
    places = {key: changed.get(key, place) for key, place in state.setting.places.items()}
    state.setting = fly_around(state, _settled(state.setting, places))
    state.operation.plan = replace(
        state.operation.plan, setting=fly_around(state, _settled(state.operation.plan.setting, places))
    )


def _settled(setting: Setting, places: dict[str, Place]) -> Setting:
    held = {side: tuple(key for key, place in places.items() if place.side == side) for side in setting.held}
    return replace(
        setting, places=places, held=held, near=near(places, False), refuges=refuges(places, setting.pacific)
    )


def as_based(state: State, which: Unit, base: str) -> Unit:
    """A unit as it is in another base: its DRM may differ there (19.31A)."""
    drm = drm_ledger(state.setting, base, which.nation, which.arm).total
    return which.based(base, drm)
