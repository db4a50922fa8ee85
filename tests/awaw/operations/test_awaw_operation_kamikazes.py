"""17.46-17.48: kamikazes that the file of an operation gives to Japan."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from flagplot.awaw.kamikaze_force import kamikazes_fly
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import land_strikes, operation, passage
from flagplot.awaw.scenario import read_state
from flagplot.awaw.state.state import State
from flagplot.kernel.errors import ScenarioError
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Roll
from tests.awaw.scenes import base, scene
from tests.awaw.seas import offered, play
from tests.awaw.seas import sail as voyage
from tests.awaw.voyages import cruise, intercept, reaching

JAPAN = ["tokyo", "kure", "sasebo"]


def okinawa(**kamikazes: Any) -> dict[str, Any]:
    """The Americans come to Okinawa, as an operation."""
    data = tomllib.loads(files("flagplot.scenarios").joinpath("kamikaze-turn.toml").read_text())
    del data["turn"]
    for place in data["bases"]:
        for unit in place.get("air", ()):
            unit["arm"] = unit["arm"].removeprefix("elite-")
    return data | {"kind": "operation", "attacker": "allies", "kamikazes": {"number": 15, **kamikazes}}


def read(data: dict[str, Any]) -> State:
    state = read_state(data, Options())
    assert state.operation_if_any is not None
    return state


@pytest.mark.rule("17.463", "17.47H")
def test_kamikazes_of_the_file_are_in_the_operation() -> None:
    state = read(okinawa(growth=2))
    assert (state.kamikazes, state.kamikaze_growth) == (15, 2)
    assert play(state, operation).view("allies").data["kamikazes"] == 15


@pytest.mark.rule("17.462")
def test_they_fly_four_hexes_from_japan_or_from_all_bases_of_their_side_if_none_is_named() -> None:
    """Okinawa lies four hexes from Sasebo, and its sea to the south five."""
    state = read(okinawa(bases=JAPAN))
    at = {name: state.place(name).at for name in ("okinawa", "sasebo", "keelung")}
    near = {name: kamikazes_fly(state, "japan", hex_) for name, hex_ in at.items()}
    assert near == {"okinawa": True, "sasebo": True, "keelung": False}
    assert not kamikazes_fly(state, "allies", at["okinawa"])
    assert kamikazes_fly(read(okinawa()), "japan", at["keelung"])


def sail(state: State, *orders: str) -> Game[State]:
    """The Invasion Force sails to Okinawa, and is searched for and found wherever it can be."""
    game = play(state, operation, dice=reaching(1))
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            game.roll()
            continue
        texts = offered(game)
        wanted = [text for text in texts if text in ("order:iceberg:0", *orders)]
        wanted += [text for text in texts if text.startswith("sortie:") and text.endswith(":yes")]
        wanted += [text for text in texts if text.startswith("search:")][::-1]
        quiet = [text for text in texts if text.rsplit(":", 1)[-1] in ("none", "stay", "no", "done")]
        game.choose((wanted or quiet or texts)[0])
    return game


def told(game: Game[State], words: str) -> list[str]:
    return [entry.text for entry in game.log("umpire") if words in entry.text]


@pytest.mark.rule("17.463", "17.47D.1")
def test_they_attack_ships_on_the_map_at_one_time() -> None:
    """17.47D: they are offered in every hex until some of them fly; the others do not fly after that."""
    waiting, flown = sail(read(okinawa())), sail(read(okinawa()), "kamikazes:1:3")
    assert len(told(waiting, "Attack CG 1 (The United States) with how many kamikazes?")) > 1
    assert len(told(flown, "Attack CG 1 (The United States) with how many kamikazes?")) == 1
    assert told(flown, "Japan: 3 kamikazes against CG 1")
    assert told(flown, "attack by 1 kamikaze on")
    assert (waiting.state.kamikazes, flown.state.kamikazes) == (15, 12)
    assert flown.state.losses.air["japan/kamikaze/squadrons"] == 3
    assert not kamikazes_fly(flown.state, "japan", flown.state.place("okinawa").at)


@pytest.mark.rule("17.463", "17.47C")
def test_they_attack_in_naval_combat_on_the_map() -> None:
    """The Americans are intercepted near Okinawa: in the first round kamikazes may attack the group that was found."""
    data = okinawa()
    ships = [{"nation": "japan", "named": ["Yamato"], "cruisers": 4, "destroyers": 2}]
    data["forces"].append({"id": "yamato", "name": "Yamato", "side": "japan", "base": "sasebo", "ships": ships})
    state = read(data)
    state.operation.stage = 1
    key = voyage(state, "seaborne-invasion", "iceberg", state.place("okinawa").at)
    meet = state.operation.voyages[key].path[-2]
    intercept(state, "yamato", key, meet)
    played = cruise(state, passage.start(key), "kamikazes:1:2", flees="japan", dice=reaching(1))
    assert len(played.battles) == 1
    assert played.state.kamikazes == 13


@pytest.mark.rule("17.463", "23.11F")
def test_in_the_combat_stage_of_their_side_they_attack_ships_in_port() -> None:
    data = okinawa() | {"attacker": "japan"}
    for force in data["forces"]:
        del force["orders"]
    (okinawa_base,) = [place for place in data["bases"] if place["id"] == "okinawa"]
    okinawa_base |= {"side": "allies", "air": []}
    data["forces"][0]["base"] = "okinawa"
    state = read(data)
    for stage, attack in (("movement", False), ("combat", True)):
        state.operation.stage = state.operation.plan.stages.index(stage)
        game = play(state, land_strikes)
        asked = []
        while game.pending is not None:
            asked += offered(game)
            game.choose(next(text for text in offered(game) if text.rsplit(":", 1)[-1] in ("none", "0")))
        assert ("kamikazes:okinawa:15" in asked) is attack


# --- where the key has no place ---------------------------------------------------------------------------------

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "air phase": (scene(base("a", "red", (0, 0)), base("b", "blue", (1, 0))), "an air phase has no attacks on ships"),
    "air turn": (
        tomllib.loads(files("flagplot.scenarios").joinpath("kamikaze-turn.toml").read_text()),
        "an air turn has them in turn.kamikazes",
    ),
}


@pytest.mark.rule("17.463", "17.462")
@pytest.mark.parametrize("case", REFUSED)
def test_the_key_is_refused_where_it_cannot_apply(case: str) -> None:
    data, words = REFUSED[case]
    read_state(data, Options())
    with pytest.raises(ScenarioError, match=words):
        read_state(data | {"kamikazes": {"number": 3}}, Options())


@pytest.mark.rule("17.462")
def test_only_bases_of_their_side_are_in_japan() -> None:
    with pytest.raises(ScenarioError, match="“saipan” is no air base of the side that has Japan"):
        read(okinawa(bases=["saipan"]))
    foreign = okinawa()
    for place in foreign["bases"]:
        place["side"], place["air"] = "allies", []
    with pytest.raises(ScenarioError, match="they fly from air bases in Japan, and there is none"):
        read(foreign)
