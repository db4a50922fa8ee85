"""Where a scenario is a legal state of the game it loads; where it is not it is refused, with place and rule."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import pytest

import flagplot
from flagplot.generating import generate
from flagplot.kernel.errors import Fault, ScenarioError
from flagplot.library import read_scenario
from flagplot.players.random import RandomPlayer
from tests.generating.spoiling import SPOILS, Expected, NotSpoilt

T = TypeVar("T")

TRIED, WANTED = 80, 3
"""Scenarios that are looked at, and how many of them can be spoilt at least."""


def spoilt(kind: str, how: Callable[[dict[str, Any]], T]) -> list[tuple[dict[str, Any], T]]:
    """Some scenarios that could be spoilt in this way, and the fault that each has now."""
    found = []
    for seed in range(TRIED):
        data = generate(kind, seed)
        with suppress(NotSpoilt):
            found.append((data, how(data)))
        if len(found) == WANTED:
            break
    return found


def faults_of(data: dict[str, Any]) -> list[Fault]:
    with pytest.raises(ScenarioError) as refused:
        flagplot.load(data, seed=1)
    return list(refused.value.faults)


@pytest.mark.rule("18.142D", "18.142E", "17.75A", "22.15A", "22.15B", "22.82A", "17.42", "18.22", "18.73B", "22.112")
@pytest.mark.parametrize("name", SPOILS)
def test_each_way_to_spoil_a_scenario_is_refused_with_its_place_and_rule(name: str) -> None:
    """Before it was spoilt the scenario loads, so that the fault is the spoiling's."""
    kind, how = SPOILS[name]
    cases = spoilt(kind, how)
    assert len(cases) == WANTED
    for data, expected in cases:
        flagplot.load(data["title"], seed=1)
        assert expected in [(fault.place, fault.rule) for fault in faults_of(data)], faults_of(data)


def test_all_faults_are_told_at_once() -> None:
    names = ("aboard nobody", "a hump with one base", "a neutral hexside between far hexes", "two airbases in one hex")

    def all_of_them(data: dict[str, Any]) -> list[Expected]:
        return [SPOILS[name][1](data) for name in names]

    data, expected = spoilt("air-turn", all_of_them)[0]
    found = [(fault.place, fault.rule) for fault in faults_of(data)]
    assert [one for one in expected if one not in found] == []
    assert len(found) == len(names)


@pytest.mark.rule("22.15A")
@pytest.mark.parametrize("stage", ["movement", "combat", "redeployment"])
def test_supply_and_displacement_have_no_stage_of_their_own(stage: str) -> None:
    for activity in ("sea-supply", "displacement"):
        data = next(
            data
            for data in (generate("operation", seed) for seed in range(TRIED))
            if any(order["activity"] == activity for force in data["forces"] for order in force.get("orders", []))
        )
        for force in data["forces"]:
            for order in force.get("orders", []):
                if order["activity"] == activity:
                    order["stage"] = stage
        assert flagplot.load(data, seed=1).state is not None


# --- what is allowed --------------------------------------------------------------------------------------------


def with_a_damaged_carrier(kind: str) -> dict[str, Any]:
    """Akagi is damaged and carries her squadrons; Kaga is sound, and full of elite ones."""
    ships = {"nation": "japan", "named": ["Akagi", "Kaga"], "hits": {"Akagi": 2}, "cruisers": 6}
    air = [{"nation": "japan", "squadrons": 3}, {"nation": "japan", "squadrons": 3, "elite": True}]
    data = read_scenario("midway" if kind == "naval-battle" else "pearl-harbor")
    force = data["forces"][0]
    force |= {"ships": [ships], "air": air}
    data["forces"] = [force, *[entry for entry in data["forces"] if entry["side"] != force["side"]]]
    return data


@pytest.mark.rule("17.3124.5", "17.3124.1")
@pytest.mark.parametrize("kind", ["naval-battle", "operation"])
def test_squadrons_aboard_a_damaged_carrier_are_carried_and_do_not_fly(kind: str) -> None:
    """17.3124: the sound carrier has those that are listed first in a force; one more than both decks is refused."""
    data = with_a_damaged_carrier(kind)
    game = flagplot.load(data, seed=1)
    side = data["forces"][0]["side"]
    if kind == "naval-battle":
        while game.pending is not None and not any(group.number for group in game.state.battle.groups.values()):
            game.play({side: RandomPlayer(1) for side in game.sides}, until=game.turn + 1)
        grounded = game.state.at_sea(side).grounded
        (group,) = game.state.battle.numbered(side)
        flying = group.air
    else:
        force = game.state.operation.fleet[data["forces"][0]["id"]]
        grounded, flying = force.grounded, force.group.air
    assert {which.arm.value: number for which, number in grounded.items()} == {"naval": 3}
    assert {which.arm.value: number for which, number in flying.items()} == {"elite-naval": 3}
    data["forces"][0]["air"][0]["squadrons"] = 4
    assert [(fault.place, fault.rule) for fault in faults_of(data)] == [("forces[0].air", "17.312")]
