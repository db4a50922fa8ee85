"""Land-based air that acts at sea in an air turn: no mission, no cost, inverted when the turn ends (18.42, 23.16)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.air_units import Arm
from flagplot.awaw.operations.interception.dice import spotters
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import stage, turn_end
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Until
from flagplot.awaw.turn.end.ending import invert_squadrons
from flagplot.awaw.turn.end.uninverting import START, begin_turn, uninvertible
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.turn.missions.inversion import available, form_up
from flagplot.awaw.turn.turn import hand_over
from tests.awaw.seas import least, offered, play, sail, steer
from tests.awaw.turn.moves import script
from tests.awaw.turn.turns import air_at, base, small_force, turn, units_of

NAVAL = "lae:united-states:naval:squadrons"


def waters(*air: str, options: Options | None = None) -> State:
    """Two Japanese forces may sail from Truk to Rabaul, past American air in Lae."""
    ships = {"nation": "japan", "destroyers": 6}
    orders = [{"activity": "base-change", "to": "rabaul"}]
    forces = [small_force(name, "red", "truk", ships, orders=orders) for name in ("one", "two")]
    return turn(
        base("truk", "red", (0, -7), ports=1),
        base("rabaul", "red", (6, -7), ports=1),
        base("lae", "blue", (3, -5), *air),
        forces=forces,
        pacific=True,
        brps={"japan": 5, "united-states": 5},
        options=options,
    )


@pytest.mark.rule(
    "23.161", "23.165", "23.75A.2", "18.473.1", "18.473.2", "18.42B", "18.42B.1", "18.41.1", "23.162", "23.164", "18.63"
)
def test_the_same_squadrons_search_for_one_activity_after_the_other_and_are_inverted_when_the_turn_ends() -> None:
    state = waters("4 united-states naval", options=Options(counter_interception_cost="one-a-factor"))
    searches = ["sortie:v1:yes", f"search:{NAVAL}:2", "sortie:v2:yes", f"search:{NAVAL}:2"]
    game = play(state, stage)
    game.choose("order:one:0")
    game.choose("order:two:0")
    game.choose("sail:v1")
    after: Any = steer(_once_each(game, searches)).state
    assert sum(after.sites["lae"].used.values()) == 2, "the same two have searched for both forces"
    assert air_at(after, "lae") == {"united-states naval": 4}
    assert after.turn.brps == {"japan": 5, "united-states": 5}
    form_up(after, "blue")
    assert sum(available(after, "blue", Task.FLY_DAS, (3, -5)).values()) == 2, "they fly no mission in this turn"
    after.turn.step = "end"
    ended: Any = steer(play(after, turn_end)).state
    assert air_at(ended, "lae") == {"united-states naval": 2, "united-states naval inverted": 2}
    assert [(entry.number, entry.rule, entry.until) for entry in ended.turn.down] == [(2, "23.164", Until.TURN_END)]
    hand_over(ended, "blue")
    begin_turn(ended)
    assert sum(uninvertible(ended, START).values()) == 2


def _once_each(game: Any, orders: list[str]) -> Any:
    """Each order when it is offered, in this order; else as little as may be, until all are given."""
    waiting = list(orders)
    while waiting:
        if not hasattr(game.pending, "values"):
            game.roll()
            continue
        texts = offered(game)
        order = waiting.pop(0) if waiting[0] in texts else None
        game.choose(order or least(texts))
    return game


@pytest.mark.rule("23.164", "18.42B", "18.473.2")
@pytest.mark.parametrize("used", [0, 1])
def test_it_is_told_that_air_was_used_at_sea_if_any_was(used: int) -> None:
    state = turn(base("kiel", "red", (0, 0), "3 germany naval"), base("hull", "blue", (6, 0)), phase="redeployment")
    if used:
        state.sites["kiel"].used[units_of(state, "kiel", Arm.NAVAL)] = used
    game = play(state, script("end", invert_squadrons))
    told = [entry.text for entry in game.log("blue")]
    assert [text for text in told if "used at sea" in text] == ["Air used at sea is inverted"] * used


@pytest.mark.rule("18.42C")
def test_spotting_for_naval_interceptions_inverts_nobody() -> None:
    state = waters("1 united-states army", "1 united-states naval")
    key = sail(state, "base-change", "one", (6, -7))
    assert spotters(state, "blue", state.operation.voyages[key], (6, -7)) == 2
    assert state.sites["lae"].used == {}
    state.operation.voyages[key].progress = "over"  # type: ignore[assignment]
    assert sum(available(state, "blue", Task.FLY_DAS, (3, -5)).values()) == 2, "they may fly a mission later"
    ended: Any = steer(play(state, turn_end)).state
    assert air_at(ended, "lae") == {"united-states army": 1, "united-states naval": 1}
    assert ended.turn.down == []
