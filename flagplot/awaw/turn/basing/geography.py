"""The map changes in an air turn: airbases are placed and removed, bases change hands. What follows from it, distances
and room, is kept in the scene and worked out anew."""

from __future__ import annotations

from dataclasses import replace

from flagplot.awaw.reach import near, refuges
from flagplot.awaw.state.setting import Place, Scene
from flagplot.awaw.state.state import State
from flagplot.awaw.turn.missions.overflight import fly_around


def resettle(state: State, **changed: Place) -> None:
    """Some bases have changed: everything that hangs on them is worked out anew."""
    for key, place in changed.items():
        if state.place(key).side != place.side:
            state.turn.lost_bases.setdefault(key, state.place(key).side)
    places = {key: changed.get(key, place) for key, place in state.scene.places.items()}
    state.scene = state.operation.between = fly_around(state, _settled(state, places))


def _settled(state: State, places: dict[str, Place]) -> Scene:
    held = {side: tuple(key for key, place in places.items() if place.side == side) for side in state.scene.held}
    room = refuges(places, state.setting.pacific)
    return replace(state.scene, places=places, held=held, near=near(places, False), refuges=room)
