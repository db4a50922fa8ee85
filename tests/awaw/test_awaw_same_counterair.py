"""A counterair mission is the same in an air phase, an operation and an air turn: options, dice, ledgers and losses."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from flagplot.awaw.options import Options
from flagplot.awaw.procedures import air_phase, land_strikes
from flagplot.awaw.scenario import read_state
from flagplot.generating import generate
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.testing.trial import asked_of
from tests.awaw.seas import play
from tests.awaw.turn.turns import land

PHASES = 12
"""Air phases in each of the tests below."""
SAME_ANSWERS = (
    (r"base-attack:land:(.*)", r"counterair:\1"),
    (r"send:[^:]+:(.*)", r"fly:\1"),
    (r"flee-from:[^:]+:(.*)", r"defender:\1"),
    (r"another:again", "attacker:press-on"),
    (r"another:done", "attacker:break-off"),
)
"""What the same answer is called in the three kinds of play."""


def three_kinds(number: int) -> list[Game[Any]]:
    """Air phase, operation and air turn with the same bases and air units, as the attacker may fly against bases."""
    made = generate("air-phase", number)
    alike: dict[str, Any] = {
        key: made[key] for key in ("game", "title", "sides", "attacker", "research") if key in made
    }
    bases = [{key: value for key, value in base.items() if key != "task_force"} for base in made["bases"]]
    counters = {country: len(bases) for side in made["sides"] for country in side["nations"]}
    board = land([base["at"] for base in bases if base.get("ports")], pacific=made["theatre"] == "pacific")
    turn = {"turns": [made["attacker"]], "phases": ["combat"], "airbase_counters": counters}
    phase = {**alike, "kind": "air-phase", "bases": bases, "theatre": made["theatre"], "phases": ["combat"]}
    operation = {**alike, "kind": "operation", "bases": bases, "map": board, "stages": ["combat"]}
    air_turn = {**alike, "kind": "air-turn", "bases": bases, "map": board, "turn": turn}
    states = [read_state(scenario, Options()) for scenario in (phase, operation, air_turn)]
    assert states[2].turn_if_any is not None
    states[2].turn.step = "combat"
    starts = (air_phase, land_strikes, land_strikes)
    return [play(state, start) for state, start in zip(states, starts, strict=True)]


def asked(game: Game[Any]) -> Any:
    """What is asked, told so that it can be compared: rolls in full, choices by their options."""
    land_at_home(game)
    found = asked_of(game)
    if found is None or "roll" in found:
        return found
    return found["side"], sorted(plain(option["text"]) for option in found["options"])


def land_at_home(game: Game[Any]) -> None:
    """18.46: only in an air turn may those who return land elsewhere. Here they do not."""
    while isinstance(game.pending, Choose) and game.pending.verb[0] == "land":
        texts = [option.text for option in game.pending.options]
        home = texts[0].split(":")[1]
        game.choose("land:home" if "land:home" in texts else next(text for text in texts if text.endswith(f":{home}")))


def plain(text: str) -> str:
    for pattern, name in SAME_ANSWERS:
        text = re.sub(f"^{pattern}$", name, text)
    return text


def answer(games: list[Game[Any]], chance: Random) -> None:
    """The same answer, or the same dice, for all of them."""
    request = games[0].pending
    if isinstance(request, Choose):
        texts = [option.text for option in request.options]
        chosen = plain(chance.choice([text for text in texts if text != "counterair:none"] or texts))
        for game in games:
            assert isinstance(game.pending, Choose)
            game.choose(next(option.text for option in game.pending.options if plain(option.text) == chosen))
    elif request is not None:
        faces = [chance.randint(1, 6) for _ in range(request.dice)]
        for game in games:
            game.roll(faces)


@pytest.mark.rule("18.521", "18.522B", "18.523", "23.51", "23.461")
@pytest.mark.parametrize("first", range(0, 5 * PHASES, PHASES))
def test_a_counterair_mission_is_the_same_in_every_kind_of_play(first: int) -> None:
    rolls = 0
    for number in range(first, first + PHASES):
        games, chance = three_kinds(number), Random(number)
        while games[0].pending is not None:
            phase, operation, turn = (asked(game) for game in games)
            assert phase == operation == turn
            assert games[0].state.losses.air == games[1].state.losses.air == games[2].state.losses.air
            rolls += isinstance(phase, dict)
            answer(games, chance)
    assert rolls > PHASES
