"""The laws of operations have teeth: a state that breaks one is told so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from flagplot.awaw.counting import add, take
from flagplot.awaw.ships import Ship
from flagplot.awaw.state.operation import Progress
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Seeded
from flagplot.kernel.plain_data import copy_of
from flagplot.testing import set_up
from flagplot.testing.awaw import AwawLaws

Spoil = Callable[[State], None]


@cache
def under_way() -> State:
    """The invasion force of Operation MO is at sea, and those who wait for it in port."""
    setup = set_up("coral-sea-operation")
    game = setup.game(Seeded(5))
    game.copy()
    state: State = game.state
    while not any(one.progress is Progress.UNDER_WAY and one.forces for one in state.operation.voyages.values()):
        pending = game.pending
        assert pending is not None
        if hasattr(pending, "options"):
            texts = [option.text for option in pending.options]
            game.choose(next((text for text in texts if text.startswith("order:") and text[-1] == "0"), texts[0]))
        else:
            game.roll()
        state = game.state
    border: State = game.border.state
    return copy_of(border)


def faults(spoil: Spoil) -> list[str]:
    opening: State = set_up("coral-sea-operation").opening
    laws, before = AwawLaws(opening), under_way()
    after = copy_of(before)
    spoil(after)
    return [*laws.always(after), *laws.step(before, after)]


def named(state: State, key: str) -> Ship:
    return next(which for which in state.operation.fleet[key].group.ships if which.named)


def carriers(state: State) -> str:
    return next(key for key, force in state.operation.fleet.items() if force.group.air)


def at_sea(state: State) -> str:
    return next(key for key, force in state.operation.fleet.items() if force.voyage)


def in_port(state: State) -> str:
    return next(key for key, force in state.operation.fleet.items() if force.in_port)


def a_ship_is_gone(state: State) -> None:
    key = carriers(state)
    take(state.operation.fleet[key].group.ships, named(state, key), 1)


def a_ship_from_nowhere(state: State) -> None:
    key = carriers(state)
    add(
        state.operation.fleet[key].group.ships,
        next(which for which in state.operation.fleet[key].group.ships if which.light),
        1,
    )


def a_group_in_two_places(state: State) -> None:
    key = carriers(state)
    state.battle.groups[key] = state.operation.fleet[key].group


def squadrons_are_gone(state: State) -> None:
    state.operation.fleet[carriers(state)].group.air.clear()


def squadrons_from_nowhere(state: State) -> None:
    force = state.operation.fleet[carriers(state)]
    add(force.group.air, next(iter(force.group.air)), 9)


def army_air_is_gone(state: State) -> None:
    for site in state.sites.values():
        site.air = {which: number for which, number in site.air.items() if which.is_naval}


def a_submarine_is_gone(state: State) -> None:
    next(iter(state.operation.flotillas.values())).factors -= 1


def no_room_for_squadrons(state: State) -> None:
    force = state.operation.fleet[carriers(state)]
    which, number = next(iter(force.group.air.items()))
    take(force.group.air, which, number)
    add(next(one for one in state.operation.fleet.values() if one is not force).group.air, which, number)


def beyond_its_path(state: State) -> None:
    voyage = state.operation.voyages[state.operation.fleet[at_sea(state)].voyage]
    voyage.step = len(voyage.path)


def over_land(state: State) -> None:
    voyage = state.operation.voyages[state.operation.fleet[at_sea(state)].voyage]
    voyage.path = (voyage.path[0], voyage.path[-1])
    voyage.step = 0


def on_no_voyage(state: State) -> None:
    force = state.operation.fleet[at_sea(state)]
    force.voyage, force.at = "", state.place(force.base).at


def on_a_voyage_that_is_not(state: State) -> None:
    state.operation.fleet[in_port(state)].voyage = "v99"


def on_a_voyage_of_others(state: State) -> None:
    state.operation.fleet[in_port(state)].voyage = state.operation.fleet[at_sea(state)].voyage


def in_a_port_elsewhere(state: State) -> None:
    state.operation.fleet[in_port(state)].at = (0, 99)


def in_an_enemy_port(state: State) -> None:
    force = state.operation.fleet[in_port(state)]
    force.base = next(key for key, place in state.scene.places.items() if place.ports and place.side != force.side)


def submarines_in_an_enemy_port(state: State) -> None:
    boats = next(iter(state.operation.flotillas.values()))
    boats.base = next(key for key, place in state.scene.places.items() if place.ports and place.side != boats.side)


def behind_a_curtain(state: State) -> None:
    state.operation.curtain = "{}"


SPOILED: dict[Spoil, str] = {
    a_ship_is_gone: "ships at the opening, then",
    a_ship_from_nowhere: "ships, but there were",
    a_group_in_two_places: "ships, but there were",
    squadrons_are_gone: "air, in squadrons:",
    squadrons_from_nowhere: "squadrons, but there were",
    army_air_is_gone: "army air, in squadrons:",
    a_submarine_is_gone: "submarine factors:",
    no_room_for_squadrons: "aboard, and room for",
    beyond_its_path: "is at step",
    over_land: "sails over land",
    on_no_voyage: "but on no voyage",
    on_a_voyage_that_is_not: "which does not exist",
    on_a_voyage_of_others: "which does not list it",
    in_a_port_elsewhere: "is in port at",
    in_an_enemy_port: "an enemy port",
    submarines_in_an_enemy_port: "an enemy port",
    behind_a_curtain: "sees what he saw before",
}


def test_a_sound_state_passes() -> None:
    assert faults(lambda state: None) == []


@pytest.mark.parametrize("spoil", SPOILED, ids=lambda spoil: spoil.__name__)
def test_what_is_spoiled_is_told(spoil: Spoil) -> None:
    assert any(SPOILED[spoil] in fault for fault in faults(spoil))


def test_hits_that_fall_at_sea_are_told() -> None:
    """A ship that had a hit has none; in port that is as it should be (20.512)."""
    laws, after = AwawLaws(set_up("coral-sea-operation").opening), under_way()
    before = copy_of(after)
    key = next(
        key for key, force in before.operation.fleet.items() if force.voyage and any(w.named for w in force.group.ships)
    )
    which = named(before, key)
    take(before.operation.fleet[key].group.ships, which, 1)
    add(before.operation.fleet[key].group.ships, which.bearing(1), 1)
    assert any("had 1 hits and has 0 at sea" in fault for fault in laws.step(before, after))
    home = copy_of(after)
    force = home.operation.fleet[key]
    home.operation.voyages[force.voyage].forces.remove(key)
    home.operation.fleet[key] = replace(force, voyage="", at=home.place(force.base).at)
    assert not any("at sea" in fault for fault in laws.step(before, home))
