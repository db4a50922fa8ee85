"""22.82: cargo that goes down with the ships that carry it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from flagplot.awaw.battle.cargo import settle_cargo
from flagplot.awaw.battle.groups import has_cargo, is_slow_group
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from tests.awaw.battles import group, ships, squadron
from tests.awaw.endings import RED, round_over, sink
from tests.awaw.scenes import log, run
from tests.awaw.strike_orders import fly
from tests.awaw.strikes import RED_FINDS, division, kido, meet

LADEN, TRANSPORT = "united-states:destroyer:laden", "united-states:transport:laden"
CORPS, WING = {"name": "corps", "factors": 3}, {"name": "wing", "factors": 2, "divisible": True}


def convoy(*loads: dict[str, Any], laden: int = 5, **more: Any) -> dict[str, Any]:
    light = {"cruisers": 6, "destroyers": 2, "laden_destroyers": laden}
    return squadron("blues", "blue", **light, **{"cargo": "cargo", "loads": [*loads], **more})


def hit(entry: dict[str, Any], number: int, *answers: object, tag: str = LADEN) -> Game[State]:
    """Laden ships of a convoy are sunk, and its cargo is settled."""
    game = round_over(RED, entry, change=sink("blues", tag, number))
    run(settle_cargo(game.state, game.state.battle.groups["blues"]), *answers)
    return game


def left(game: Game[State]) -> dict[str, int]:
    return game.state.battle.groups["blues"].loads


# --- loads ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.82A")
def test_what_the_ships_that_are_left_cannot_carry_is_lost_at_once() -> None:
    game = hit(convoy(CORPS), 3)
    assert left(game) == {}
    assert game.state.losses.cargo == {"blue": {"corps": 3}}


@pytest.mark.rule("22.82A")
def test_nothing_is_lost_while_there_is_room_for_all() -> None:
    game = hit(convoy(CORPS), 2)
    assert left(game) == {"corps": 3}
    assert game.state.losses.cargo == {}


@pytest.mark.rule("22.82A")
def test_the_owner_says_which_load_is_lost() -> None:
    two = (CORPS, {"name": "fuel", "factors": 2})
    assert left(hit(convoy(*two), 2, "corps")) == {"fuel": 2}
    assert left(hit(convoy(*two), 2, "fuel")) == {"corps": 3}


FUEL, OIL = {"name": "fuel", "factors": 2}, {"name": "oil", "factors": 1}


@pytest.mark.rule("22.82A")
@pytest.mark.parametrize(
    ("loads", "sunk", "offered"),
    [
        pytest.param((CORPS, FUEL), 3, [["corps"]], id="the fuel alone is not enough, the corps alone is"),
        pytest.param((CORPS, FUEL), 4, [["corps", "fuel"], ["fuel"]], id="both are needed"),
        pytest.param((CORPS, FUEL, OIL), 2, [["corps", "fuel"]], id="the oil would cost the fuel or the corps"),
        pytest.param((CORPS, FUEL, OIL), 1, [["corps", "fuel", "oil"]], id="each of them is enough"),
        pytest.param((CORPS, FUEL, OIL), 3, [["corps", "fuel", "oil"]], id="the corps, or the fuel and the oil"),
        pytest.param((CORPS, FUEL, OIL), 4, [["corps", "fuel", "oil"], ["fuel", "oil"]], id="the corps and one more"),
        pytest.param((CORPS, WING), 3, [["corps"]], id="the whole wing and the corps would be more than the corps"),
        pytest.param((CORPS, WING), 2, [["corps", "wing"]], id="the corps, or the wing factor by factor"),
        pytest.param((CORPS, WING), 4, [["corps", "wing"], ["wing"]], id="the corps and a factor of the wing"),
    ],
)
def test_no_more_is_lost_than_necessary(loads: Any, sunk: int, offered: list[list[str]]) -> None:
    """22.82A: a load is not offered if its loss would cost another one that would have been enough by itself."""
    entry = convoy(*loads, laden=sum(load["factors"] for load in loads))
    game = round_over(RED, entry, change=sink("blues", LADEN, sunk))
    script: Any = settle_cargo(game.state, game.state.battle.groups["blues"])
    found, answer = [], None
    with suppress(StopIteration):
        while True:
            asked = script.send(answer)
            answer = asked.values[0] if isinstance(asked, Choose) else None
            if isinstance(asked, Choose) and asked.verb == "cargo":
                found.append([*asked.values])
    assert found == offered


@pytest.mark.rule("22.82A")
def test_the_rest_goes_where_it_must() -> None:
    game = hit(convoy(CORPS, FUEL), 4, "fuel")
    assert left(game) == {}
    assert game.state.losses.cargo == {"blue": {"fuel": 2, "corps": 3}}


@pytest.mark.rule("22.82A.3")
def test_air_units_are_broken_down_to_take_losses() -> None:
    assert left(hit(convoy(CORPS, WING), 1, "wing")) == {"corps": 3, "wing": 1}
    assert left(hit(convoy(CORPS, WING), 2, "wing")) == {"corps": 3}
    assert left(hit(convoy(CORPS, WING), 1, "corps")) == {"wing": 2}


@pytest.mark.rule("22.82A")
def test_transports_carry_as_well() -> None:
    both = convoy(CORPS, {"name": "fuel", "factors": 2}, laden=3, laden_transports=2)
    assert left(hit(both, 1, "fuel", tag=TRANSPORT)) == {"corps": 3}


@pytest.mark.rule("22.82B")
def test_room_in_another_group_saves_nothing() -> None:
    other = squadron("others", "blue", cruisers=6, laden_destroyers=8, cargo="nothing much")
    game = round_over(RED, convoy(CORPS, laden=3), other, change=sink("blues", LADEN))
    run(settle_cargo(game.state, game.state.battle.groups["blues"]))
    assert left(game) == {}


@pytest.mark.rule("22.82B")
def test_a_group_loses_what_it_cannot_carry_and_not_all() -> None:
    assert left(hit(convoy(CORPS, WING), 2, "wing")) == {"corps": 3}


@pytest.mark.rule("22.82C", "22.422B")
def test_ships_whose_cargo_is_lost_are_free() -> None:
    """One of three destroyers is sunk and the corps with it: the other two carry nothing any more."""
    game = hit(convoy(CORPS, laden=3), 1)
    blues = game.state.battle.groups["blues"]
    assert ships(blues) == {"united-states cruiser": 3, "united-states destroyer": 4}
    assert blues.freed == 2
    assert not has_cargo(blues)
    assert not is_slow_group(blues)


@pytest.mark.rule("22.82C")
def test_destroyers_are_freed_before_transports() -> None:
    both = convoy(CORPS, WING, laden=3, laden_transports=2)
    blues = hit(both, 1, "corps", tag=LADEN).state.battle.groups["blues"]
    assert ships(blues)["united-states destroyer"] == 4
    assert ships(blues)["united-states transport laden"] == 2
    assert blues.freed == 2


# --- cargo in words ---------------------------------------------------------------------------------------------


@pytest.mark.rule("22.82A")
def test_cargo_in_words_is_lost_by_shares() -> None:
    game = hit(convoy(laden=4, cargo="oil"), 1)
    blues = game.state.battle.groups["blues"]
    assert (blues.cargo, game.state.losses.cargo) == ("oil", {"blue": {"oil": 1}})
    sink("blues", LADEN, 3)(game.state)
    run(settle_cargo(game.state, blues))
    assert (blues.cargo, game.state.losses.cargo) == ("", {"blue": {"oil": 4}})


def test_nothing_is_said_of_cargo_if_other_ships_sink() -> None:
    game = hit(convoy(laden=4, cargo="oil"), 2, tag="united-states:destroyer")
    assert game.state.losses.cargo == {}


# --- in a battle ------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.82A", "22.82A.1")
def test_cargo_is_lost_with_the_strike_that_sinks_its_ships() -> None:
    """One squadron with a 5 and its modifiers makes one hit on transports. They could withdraw only afterwards."""
    convoy = division("united-states", name="x", side="blue", laden_transports=5, cargo="men and oil")
    convoy["loads"] = [{"name": "men", "factors": 3}, {"name": "oil", "factors": 2, "divisible": True}]
    game = meet(
        kido(),
        convoy,
        search=(RED_FINDS[0], ()),
        rolls=[("attack on light ships", 2, 3)],
        orders=["strike:1", fly(1), "cargo:oil"],
    )
    assert ships(group(game, "blue", 1)) == {"united-states transport laden": 4}
    assert group(game, "blue", 1).loads == {"men": 3, "oil": 1}
    assert "CG 1 (Blue): cargo lost: oil (1 laden factor)" in log(game, "red")
    assert "CG 1 (Blue): losing cargo with its ships" in log(game, "red")
