"""What a side may know of the map: markers, what they hide, paths, and what is decided behind the curtain (20.164)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from flagplot.awaw.counting import merged
from flagplot.awaw.procedures import passage
from flagplot.awaw.ships import Fleet
from flagplot.awaw.state.operation import Activity, Voyage
from flagplot.awaw.state.state import State
from flagplot.awaw.views.operation import known_as, lower_curtain, raise_curtain
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from tests.awaw.looks import look
from tests.awaw.seas import flotilla, force, port, sail, sea
from tests.awaw.voyages import cruise, intercept

TRUK, NOUMEA = port("truk", "red", (0, 0)), port("noumea", "blue", (9, 0))
KIDO = force("kido", "red", "truk", "Akagi", cruisers=8, air=3)
SMALL = force("small", "red", "truk", cruisers=4)
TF = force("tf", "blue", "noumea", cruisers=10)


def scene(*more: dict[str, Any], **plan: Any) -> State:
    return sea(TRUK, NOUMEA, KIDO, SMALL, TF, *more, stage="combat", **plan)


def seen(state: State, side: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = look(state, side)["forces"][known_as(state, name, side)]
    return found


@pytest.mark.parametrize("side", ["blue", NEUTRAL])
def test_the_name_of_a_force_is_its_owners_alone(side: str) -> None:
    """A name such as "carriers" would tell what a marker hides."""
    state = scene()
    sail(state, "shore-bombardment", "kido", (6, 0))
    told = look(state, side)
    assert "kido" not in json.dumps(told)
    assert "kido" in look(state, "red")["forces"]
    assert [voyage["forces"] for voyage in told["voyages"].values()] == [[state.operation.fleet["kido"].marker]]


def test_a_marker_hides_what_it_stands_for() -> None:
    """20.164: of a task force the enemy sees the marker, where it is and whether it is inverted; its owner and the
    umpire see all."""
    state = scene()
    theirs = seen(state, "blue", "kido")
    assert (theirs["marker"], theirs["base"], theirs["inverted"], theirs["task_force"]) == (
        "TF 1 (Red)",
        "truk",
        False,
        True,
    )
    assert not {"ships", "name", "factors", "air", "cargo", "grounded"} & set(theirs)
    for side in ("red", UMPIRE):
        assert {"ships", "name", "factors", "air", "cargo"} <= set(seen(state, side, "kido"))


def test_ships_without_a_marker_lie_open() -> None:
    """20.164: naval units outside task forces are seen, but not what their owner calls them."""
    theirs = seen(scene(), "blue", "small")
    assert "ships" in theirs
    assert not {"name", "air", "cargo"} & set(theirs)


@pytest.mark.parametrize("side", ["blue", NEUTRAL])
def test_in_a_battle_only_the_owner_knows_who_is_in_a_group_with_whom(side: str) -> None:
    """Ships without a marker, which lie open until then, may be in the combat group of another force."""
    told = []
    for groups in ([["small"], ["picket"]], [["small", "picket"]], [["picket", "small"]]):
        state = scene(force("picket", "red", "truk", destroyers=2))
        for keys in groups:
            form(state, keys)
        assert "ships" not in seen(state, side, "small")
        told.append(look(state, side)["forces"])
    assert told[0] == told[1] == told[2]


def form(state: State, keys: list[str]) -> None:
    """Some forces are a combat group together, called by the first of them."""
    forces = [state.operation.fleet[key].group for key in keys]
    parts = {key: group.ships for key, group in zip(keys, forces, strict=True)}
    ships: Fleet = {}
    for group in forces:
        ships, group.ships = merged(ships, group.ships), {}
    state.battle.groups[keys[0]] = replace(forces[0], ships=ships, parts=parts)


@pytest.mark.parametrize("guns", [True, False])
def test_what_was_seen_in_a_battle_stays_known(guns: bool) -> None:
    """A task force whose ships were seen in battle is known from then on."""
    state = scene()
    sail(state, "shore-bombardment", "kido", (6, 0))
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), flees="blue", guns=guns)
    assert played.state.operation.fleet["kido"].seen
    assert "ships" in seen(played.state, "blue", "kido")


@pytest.mark.rule("22.12", "SOP-NI-B")
def test_paths_and_meetings_are_known_when_they_were_asked_for() -> None:
    """22.12: where a force is bound for is announced; its path, and where others meet it, are known when the enemy has
    asked. Of an interception the path is announced with it (22.23)."""
    state = scene(force("two", "red", "truk", cruisers=10))
    sail(state, "shore-bombardment", "kido", (6, 0), shown=False)
    sail(state, "shore-bombardment", "two", (3, 0), shown=False, joins="v1")
    found = look(state, "blue")["voyages"]
    assert found["v1"]["destination"] == [6, 0]
    assert not {"path", "destination"} & set(found["v2"])
    assert "path" not in found["v1"]
    assert {"path", "destination"} <= set(look(state, "red")["voyages"]["v2"])
    state.operation.voyages["v2"].shown = True
    assert look(state, "blue")["voyages"]["v2"]["destination"] == [3, 0]
    key = intercept(state, "tf", "v1", (4, 0))
    assert look(state, "red")["voyages"][key]["path"][-1] == [4, 0]


def test_submarines_are_known() -> None:
    """Where submarines are, how many, and how many have tried or are used up is known to all."""
    state = scene(flotilla("boats", "blue", "noumea", 3, at=(5, 2), patrol="defensive", inverted=1))
    found = look(state, "red")["flotillas"]["boats"]
    assert (found["factors"], found["at"], found["patrol"], found["inverted"]) == (3, [5, 2], "defensive", 1)


def test_behind_the_curtain_the_enemy_sees_what_was_before() -> None:
    """While a side decides in secret about its forces on the map its enemy goes on seeing what he saw; he alone."""
    state = scene()
    before = json.dumps(look(state, "red"), sort_keys=True)
    lower_curtain(state, "blue")
    state.operation.fleet["tf"].tried = "combat"
    state.operation.voyages["v9"] = Voyage("blue", Activity.INTERCEPTION, ["tf"], ((9, 0), (8, 0)))
    state.operation.fleet["tf"].voyage = "v9"
    assert json.dumps(look(state, "red"), sort_keys=True) == before
    assert "v9" in look(state, "blue")["voyages"]
    raise_curtain(state)
    assert "v9" in look(state, "red")["voyages"]
