"""Small battles for the tests: units in words, a game with scripted dice, answers in a row."""

from __future__ import annotations

from typing import Any

import flagplot
from flagplot.awaw.air_units import NAVAL_ARMS, Arm, Force, Role, Unit, add, unit
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Dice
from flagplot.kernel.game import Game
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.requests import Choose, Roll, Script

RED = ["germany", "italy", "japan", "hungary", "finland"]
BLUE = ["britain", "united-states", "australia", "india", "russia", "free-france"]


def units(*words: str) -> list[dict[str, Any]]:
    """Entries of a scenario: ``units("3 germany army", "2 britain naval inverted")``."""
    entries = []
    for word in words:
        number, nation, arm, *marks = word.split()
        counter = "squadrons" if Arm(arm) in NAVAL_ARMS else "factors"
        entries.append({"nation": nation, "arm": arm, counter: int(number), "inverted": "inverted" in marks})
    return entries


def base(name: str, side: str, at: tuple[int, int], *air: str, **more: Any) -> dict[str, Any]:
    """A base with a city and an airbase unless something else is said."""
    installations = {} if {"cities", "ports", "airbases", "box"} & set(more) else {"cities": 1, "airbases": 1}
    return {"id": name, "name": name.title(), "side": side, "at": list(at), "air": units(*air), **installations, **more}


def fleet(name: str, side: str, at: tuple[int, int], nation: str, squadrons: int, **more: Any) -> dict[str, Any]:
    """Carriers at sea, as many as the squadrons need."""
    ships = [{"name": f"{name} {number}", "size": 3} for number in range(-(-squadrons // 3) or 1)]
    return {
        "id": name,
        "name": name.title(),
        "side": side,
        "at": list(at),
        "nation": nation,
        "ships": ships,
        "squadrons": squadrons,
        **more,
    }


def scene(*places: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A scenario of these bases and fleets; red attacks."""
    return {
        "game": "awaw",
        "kind": "air-phase",
        "title": "A test",
        "theatre": "europe",
        "attacker": "red",
        "sides": [
            {"id": "red", "name": "Red", "nations": RED},
            {"id": "blue", "name": "Blue", "nations": BLUE},
        ],
        "bases": [place for place in places if "ships" not in place],
        "carriers": [place for place in places if "ships" in place],
        **more,
    }


def start(scenario: dict[str, Any], dice: Dice | None = None, **options: Any) -> Game[State]:
    return flagplot.load(scenario, dice=dice, seed=None if dice else 1, options=options)


def answer(game: Game[State], *texts: str) -> Game[State]:
    """Answer choices in a row, rolling the game's dice between them and after the last."""
    for text in texts:
        roll(game)
        game.choose(text)
    roll(game)
    return game


def roll(game: Game[State]) -> None:
    while isinstance(game.pending, Roll):
        game.roll()


def asked(game: Game[State]) -> list[str]:
    """The texts of the options that are offered."""
    assert isinstance(game.pending, Choose), game.pending
    return [option.text for option in game.pending.options]


def send_all(game: Game[State]) -> Game[State]:
    """Send as many as possible for as long as that is asked."""
    while isinstance(game.pending, Choose) and game.pending.verb[0] == "send":
        game.choose(game.pending.options[-1])
    return game


def air(game: Game[State], site: str) -> dict[str, int]:
    """The air in a site in short words: ``{"germany army": 3, "britain naval inverted": 1}``."""
    return short(game.state.sites[site].air)


def short(force: Force) -> dict[str, int]:
    found: dict[str, int] = {}
    for which, number in force.items():
        role = "" if which.role in (Role.FACTORS, Role.SQUADRONS) else f" {which.role}"
        key = f"{which.nation} {which.arm}{role}{' inverted' * which.inverted}"
        found[key] = found.get(key, 0) + number
    return found


def log(game: Game[State], side: str = "umpire") -> str:
    return "\n".join(map(str, game.log(side)))


def amounts(ledger: Ledger) -> list[tuple[int, str]]:
    """The lines of a ledger without their words: ``[(2, "23.4211"), (1, "23.4213")]``."""
    return [(line.amount, line.rule) for line in ledger]


def force(*words: str, squadrons: bool = False) -> Force:
    """A force outside any game: ``force("3 germany army 2", "1 britain naval 1 inverted")``, the last number the DRM.

    Army air in squadrons is named with its role: ``force("2 britain army 2 search")``.
    """
    made: Force = {}
    for word in words:
        number, nation, arm, drm, *marks = word.split()
        add(made, one(nation, arm, int(drm), *marks, squadrons=squadrons), int(number))
    return made


def one(nation: str, arm: str, drm: int, *marks: str, squadrons: bool = False) -> Unit:
    counted = Role.SQUADRONS if squadrons or Arm(arm) in NAVAL_ARMS else Role.FACTORS
    role = next((Role(mark) for mark in marks if mark in set(Role)), counted)
    home = next((mark[1:] for mark in marks if mark.startswith("@")), "home")
    return unit(nation, Arm(arm), drm, 4, home, role, "inverted" in marks)


def run(script: Script[Any], *answers: object) -> Any:
    """Go through a script with these answers: values for choices, faces for rolls; all must be used."""
    given, reply = list(answers), None
    try:
        while True:
            request = script.send(reply)
            if isinstance(request, Choose):
                reply = request.values[0] if len(request.values) == 1 else given.pop(0)
                assert reply in request.values, (reply, request.values)
            elif isinstance(request, Roll):
                faces = given.pop(0)
                assert isinstance(faces, tuple)
                reply = request.reads(faces)
            else:
                reply = None
    except StopIteration as stop:
        assert not given, f"answers left over: {given}"
        return stop.value


CARRIERS = {"marker": "TF 1", "nation": "britain", "ships": [{"name": "Ark", "size": 3}], "squadrons": 3}
"""A fast carrier in port with three squadrons, under a TF marker."""
