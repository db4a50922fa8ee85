"""22.35: raiders in an SW box."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from flagplot.kernel.errors import ScenarioError
from flagplot.kernel.game import Game
from tests.awaw.battles import asked_now, asks, battle, fight, squadron
from tests.awaw.scenes import base, log, start
from tests.awaw.strike_orders import JAPAN
from tests.awaw.strikes import QUIET, meet, task


def strike_of_raiders(*named: str, air: int) -> Game[State]:
    """Japanese raiders with these carriers strike an American carrier and have come through."""
    raiders = squadron("raiders", "red", *named, cruisers=6, destroyers=8, air=air)
    orders = ("strike:1", f"fly:{JAPAN}:{air}")
    return meet(raiders, task(), raiders=True, search=((), ()), rolls=[QUIET], orders=orders, until=asks("target"))


@pytest.mark.rule("17.3121.1")
def test_squadrons_of_one_raiding_carrier_attack_one_target() -> None:
    """They are asked all the same: silence would tell that there is a single carrier."""
    game = fight(strike_of_raiders("Akagi", air=3), "target:enterprise", until=asks("against"))
    assert asked_now(game) == [f"against:enterprise:{JAPAN}:3"]


@pytest.mark.rule("17.3121.1")
def test_squadrons_of_two_raiding_carriers_may_have_two_targets() -> None:
    game = fight(strike_of_raiders("Akagi", "Kaga", air=6), "target:enterprise", until=asks("against"))
    assert asked_now(game)[0] == f"against:enterprise:{JAPAN}:1"


@pytest.mark.rule("17.3121.1")
def test_others_may_split_the_squadrons_of_a_carrier() -> None:
    kaga = squadron("raiders", "red", "Akagi", cruisers=6, destroyers=8, air=3)
    orders = ("strike:1", f"fly:{JAPAN}:3", "target:enterprise")
    game = meet(kaga, task(), rolls=[QUIET], orders=orders, until=asks("against"))
    assert asked_now(game)[0] == f"against:enterprise:{JAPAN}:1"


@pytest.mark.rule("22.35C")
def test_carriers_strike_before_the_fleets_meet() -> None:
    """Akagi's squadrons are asked for before the ships are screened for fleet combat."""
    raiders = squadron("raiders", "red", "Akagi", cruisers=6, destroyers=8, air=3)
    game = start(battle(raiders, task(), raiders=True))
    asked = []
    while not asks("screen")(game):
        asked += asked_now(game)
        fight(game, until=lambda game, before=game.turn: game.turn > before)  # type: ignore[misc]
    assert "strike:1" in asked


@pytest.mark.rule("22.35", "18.49")
@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"submarines": [{"side": "blue", "nation": "united-states", "factors": 1}]}, "no submarine attacks"),
        ({"transports": {"nation": "japan", "factors": 3}}, "transports"),
        ({"kamikazes": {"number": 2}, "bases": [base("kyushu", "red", (0, 1))]}, "none fly into an SW box"),
    ],
)
def test_faults_of_a_raider_battle(more: dict[str, Any], message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        start(battle(squadron("a", "red", destroyers=10), task(), raiders=True, **more))


@pytest.mark.rule("22.35D")
def test_nobody_comes_later_to_a_raider_battle() -> None:
    with pytest.raises(ScenarioError, match="only one round"):
        start(battle(squadron("a", "red", destroyers=10), task(), task(name="late", arrives=2), raiders=True))


@pytest.mark.rule("22.35E")
def test_transports_behind_a_battle_are_for_raiders_alone() -> None:
    with pytest.raises(ScenarioError, match="raiders alone"):
        start(battle(squadron("a", "red", destroyers=10), task(), transports={"nation": "united-states", "factors": 3}))


# --- the transports behind the battle -----------------------------------------------------------------------------


def raid(
    *dice: tuple[str | int, ...],
    orders: tuple[str, ...] = ("screen:gneisenau",),
    british: dict[str, Any] | None = None,
    **more: Any,
) -> Game[State]:
    """Bismarck fights Hood, which shields three transports, while Gneisenau stays out of it unless ordered else."""
    germans = squadron("raiders", "red", "Bismarck", "Gneisenau", nation="germany", task_force=False)
    british = british or squadron("hood", "blue", "Hood", nation="britain", task_force=False)
    sides = [
        {"id": "red", "name": "Red", "nations": ["germany"]},
        {"id": "blue", "name": "Blue", "nations": ["britain"]},
    ]
    behind = {"nation": "britain", "factors": 3}
    scenario = battle(germans, british, sides=sides, raiders=True, transports=behind, theatre="europe", **more)
    with Scripted(*dice) as faces:
        return fight(start(scenario, faces), *orders, guns=True)


HOOD_SINKS = (("Red: fire by Bismarck on Hood", 6, 6), ("Blue: fire by Hood on Bismarck", 1, 1))
HOOD_LIVES = (("Red: fire by Bismarck on Hood", 1, 1), ("Blue: fire by Hood on Bismarck", 1, 1))


@pytest.mark.rule("22.35E", "22.35", "22.35D")
def test_raiders_that_did_not_fight_attack_transports_once_their_shield_is_sunk() -> None:
    """Gneisenau alone attacks, in row 3: 7 + 1 reads one hit, and one transport sinks."""
    game = raid(*HOOD_SINKS, ("Gneisenau on the transports, row 3", 3, 4))
    assert sum(game.state.elsewhere.transports.values()) == 2
    assert log(game).count("of naval combat (22.41)") == 1
    assert "Transports sunk: 1 British transport" in log(game)


@pytest.mark.rule("22.552B.4")
def test_the_defenders_and_their_transports_are_hampered_by_what_they_protect() -> None:
    game = raid(*HOOD_SINKS, ("Gneisenau on the transports, row 3", 3, 4))
    ledgers = {entry.text: entry.ledger for entry in game.log("umpire") if entry.ledger}
    amounts = {
        text: [line.amount for line in ledger.lines if line.rule == "22.552B"] for text, ledger in ledgers.items()
    }
    found = {
        text.split(":")[0] + (" at sea" if "transports" not in text else " raids"): lines
        for text, lines in amounts.items()
    }
    assert found == {"Red at sea": [1], "Blue at sea": [-1], "Red raids": [1]}


@pytest.mark.rule("22.35E")
def test_no_transports_are_attacked_past_a_ship_that_lives() -> None:
    assert sum(raid(*HOOD_LIVES).state.elsewhere.transports.values()) == 3


@pytest.mark.rule("22.35E")
def test_raiders_that_fought_do_not_attack_transports() -> None:
    """Both fire on Hood, and nobody is left to raid."""
    sinks = (("Red: fire by Bismarck, Gneisenau on Hood", 6, 6), ("Blue: fire by Hood on Bismarck", 1, 1))
    game = raid(*sinks, orders=("fire:gneisenau:hood",))
    assert not group_ships(game, "blue")
    assert sum(game.state.elsewhere.transports.values()) == 3


@pytest.mark.rule("22.35E")
def test_a_cruiser_that_is_only_damaged_still_shields_the_transports() -> None:
    """Bismarck's fire damages the one cruiser, which leaves the line; Gneisenau, which stayed out, may not pass."""
    cruiser = squadron("hood", "blue", nation="britain", task_force=False, cruisers=2)
    dice = (("Red: fire by Bismarck on light ships", 3, 2),)
    game = raid(*dice, orders=("screen:gneisenau", "fire:bismarck:light-ships"), british=cruiser)
    assert "damaged" in log(game)
    assert sum(game.state.elsewhere.transports.values()) == 3


@pytest.mark.rule("22.35E")
def test_a_shield_that_was_sunk_from_the_air_shields_no_more() -> None:
    raiders = squadron("raiders", "red", "Akagi", "Kongo", cruisers=6, destroyers=2, air=3)
    guard = squadron("guard", "blue", task_force=False, destroyers=1)
    behind = {"nation": "united-states", "factors": 3}
    orders = ("strike:1", f"fly:{JAPAN}:3")
    rolls = (("air defense of", 1, 1), ("attack on light ships", 6, 6), ("on the transports", 6, 6))
    with Scripted(*rolls) as dice:
        game = fight(start(battle(raiders, guard, raiders=True, transports=behind), dice), *orders)
    assert sum(game.state.elsewhere.transports.values()) < 3


@pytest.mark.rule("22.35C")
def test_land_based_air_does_not_strike_in_an_sw_box() -> None:
    field = base("isle", "blue", (0, 1), "3 united-states naval")
    raiders = squadron("raiders", "red", destroyers=12)
    game = fight(start(battle(raiders, task(), raiders=True, bases=[field])), until=asks("strike"))
    assert asked_now(game) == ["strike:none"]


def group_ships(game: Game[State], side: str) -> list[str]:
    groups = [*game.state.battle.groups.values(), *game.state.battle.departed.values()]
    return [which.id for group in groups if group.side == side for which in group.ships]
