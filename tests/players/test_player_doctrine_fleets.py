"""Principles of the doctrine player from fleet combat on: fire, evasion, submarines, kamikazes, withdrawal."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine import Doctrine, DoctrinePlayer
from tests.awaw.battles import asks, fight, squadron
from tests.awaw.endings import RED, all_of, damage, mark, round_over, sink
from tests.awaw.fleets import blue, clash, red
from tests.awaw.scenes import base
from tests.awaw.strikes import kido, meet, task


def says(game: Game[State], **settings: Any) -> str:
    """What the doctrine player answers to the pending question."""
    assert isinstance(game.pending, Choose), game.pending
    return DoctrinePlayer(Doctrine(**settings)).choose(game.view(game.pending.side), game.pending).text


# --- who meets whom ---------------------------------------------------------------------------------------------

GUNS = squadron("guns", "red", "Kongo", "Hiei", cruisers=8)
CARRIERS = task("Enterprise", "Hornet", cruisers=6, destroyers=2, name="flat")


def sought(target: dict[str, Any] = CARRIERS, until: str = "seek", *orders: str) -> Game[State]:
    """Japanese guns, 14 factors, have found a distant American group."""
    numbers = ["number:guns:1", f"number:{target['id']}:4", *orders]
    return meet(GUNS, target, search=((4,), ()), orders=numbers, until=asks(until))


def test_guns_seek_carriers_that_they_can_meet() -> None:
    assert says(sought()) == "seek:1:4"
    assert says(sought(), caution=3) == "seek:1:none"


def test_carriers_evade_guns_and_guns_fight() -> None:
    assert says(sought(CARRIERS, "meet", "seek:1:4"), caution=1) == "meet:4:fight"  # no squadron: it would be flight
    flying = task("Enterprise", "Hornet", cruisers=6, destroyers=2, name="flat", air=6)
    game = meet(
        GUNS,
        flying,
        search=((4,), (6,)),
        orders=["number:guns:1", "number:flat:4", "seek:1:4"],
        until=asks("meet"),
    )
    assert says(game, caution=1) == "meet:4:evade"
    assert says(game, caution=0.2) == "meet:4:fight"


# --- fire -------------------------------------------------------------------------------------------------------


def test_nothing_is_screened_that_can_fight() -> None:
    game = clash(red("Kongo", "Hiei", cruisers=4), blue("Washington", cruisers=6), until=asks("screen"))
    assert says(game) == "screen:none"


def test_a_ship_that_one_hit_would_cripple_is_screened_behind_others() -> None:
    forces = red("Kongo", "Hiei", "Nagato", cruisers=4, hits={"Nagato": 2}), blue("Washington", cruisers=6)
    assert says(clash(*forces, until=asks("screen"))) == "screen:nagato"
    alone = red("Nagato", "Kongo", cruisers=4, hits={"Nagato": 2})
    assert says(clash(alone, forces[1], until=asks("screen"))) == "screen:none"


@pytest.mark.parametrize(
    ("hits", "target"), [({}, "light-ships"), ({"Washington": 2}, "washington")], ids=["all sound", "one near its end"]
)
def test_surplus_fire_goes_where_it_adds_most(hits: dict[str, int], target: str) -> None:
    """Washington has four factors, and is met by Kongo; Hiei is free."""
    forces = red("Kongo", "Hiei"), blue("Washington", cruisers=12, hits=hits)
    game = clash(*forces, orders=["rank:kongo"], until=asks("fire"))
    assert says(game) == f"fire:hiei:{target}"


def test_fire_is_held_for_carriers_only_behind_a_line_that_is_swept_away() -> None:
    strong = red("Yamato", "Nagato", "Mutsu", cruisers=6)
    weak = blue("Enterprise", cruisers=2)
    assert says(clash(strong, weak, until=asks("fire"))) == "fire:yamato:hold"
    firm = blue("Enterprise", cruisers=10)
    assert says(clash(strong, firm, until=asks("fire"))) == "fire:yamato:light-ships"


def test_a_carrier_with_nothing_before_it_is_fired_at() -> None:
    bare = blue("Enterprise")
    assert says(clash(red("Yamato", "Nagato"), bare, until=asks("fire"))) == "fire:yamato:enterprise"
    assert says(clash(red(cruisers=6), bare, until=asks("aim"))) == "aim:enterprise"


def test_a_ship_under_fire_answers_the_one_that_is_nearer_its_end() -> None:
    forces = red("Kongo", "Hiei", hits={"Hiei": 1}), blue("Washington")
    game = clash(*forces, orders=["fire:hiei:washington"], until=asks("answer"))
    assert says(game) == "answer:washington:hiei"


def test_surplus_light_ships_fire_at_capital_ships_with_enough() -> None:
    """Twenty-two factors against two: sixteen are surplus, and the battleship is near its end."""
    game = clash(
        red(cruisers=22),
        blue("Washington", cruisers=2, hits={"Washington": 2}),
        orders=["fire:washington:hold"],
        until=asks("aim"),
    )
    assert says(game) == "aim:washington"
    fight(game, "aim:washington", until=asks("aim:washington"))
    number = int(says(game).rsplit(":", 1)[1])
    assert 3 <= number <= 8


# --- submarines and kamikazes -----------------------------------------------------------------------------------


def dived(until: str, **more: Any) -> Game[State]:
    """Two American groups are found, the second with carriers."""
    guns = task("Nevada", "Colorado", name="guns")
    flat = task("Enterprise", "Hornet", name="flat")
    return meet(
        kido(3),
        squadron("two", "red", "Shokaku", cruisers=6, destroyers=2, air=3),
        guns,
        flat,
        search=((2, 3), ()),
        orders=["number:kido:2", "number:two:3", "number:guns:2", "number:flat:3"],
        until=asks(until),
        **more,
    )


def test_submarines_go_for_carriers() -> None:
    flotilla = [{"side": "red", "nation": "japan", "factors": 2, "accompany": True}]
    game = dived("submarines", submarines=flotilla)
    assert says(game) == "submarines:1:2:0"
    fight(game, until=asks("submarines:1:3"))
    assert says(game) == "submarines:1:3:2"


def test_kamikazes_go_for_carriers_and_the_surplus_for_others() -> None:
    field = base("field", "red", (0, 3))
    for number, others in ((10, 0), (15, 0), (18, 3)):
        game = dived("kamikazes", kamikazes={"number": number, "growth": 0}, bases=[field])
        assert says(game) == f"kamikazes:2:{others}"
        fight(game, f"kamikazes:2:{others}", until=asks("kamikazes:3"))
        assert says(game) == f"kamikazes:3:{min(15, number)}"


# --- withdrawal -------------------------------------------------------------------------------------------------


def test_a_fleet_that_is_whole_stays() -> None:
    assert says(after_blue(round_over())) == "withdraw:none"


def after_blue(game: Game[State]) -> Game[State]:
    """Until red is asked who withdraws; blue keeps everybody."""
    while isinstance(game.pending, Choose) and game.pending.side != "red":
        game.choose("withdraw:none")
    return game


def test_cripples_leave_and_sound_ships_stay() -> None:
    hurt = all_of(damage("reds", "kongo"), damage("reds", "japan:cruiser"), mark("reds", attacked=True))
    game = after_blue(round_over(change=hurt))
    assert says(game) == "withdraw:some"
    said: list[str] = []
    while isinstance(game.pending, Choose) and game.pending.side == "red" and len(said) < 12:
        said.append(says(game))
        game.choose(said[-1])
    assert said[:2] == ["withdraw:some", "withdraw:1:part"]
    leaving = {text for text in said if text.startswith("leave:") and not text.endswith(":0")}
    assert leaving == {"leave:1:kongo:1", "leave:1:japan:cruiser:damaged:1"}


def test_a_beaten_fleet_withdraws() -> None:
    """Four destroyers of eighteen factors are left."""
    beaten = all_of(
        sink("reds", "akagi"),
        damage("reds", "kongo"),
        damage("reds", "japan:cruiser", 3),
        mark("reds", attacked=True),
        mark("blues", revealed=True),
    )
    game = after_blue(round_over(change=beaten))
    assert says(game) == says(game, withdraw_below=0.3) == "withdraw:all"
    assert says(game, withdraw_below=0.1, toothless_below=0) == "withdraw:some"


def test_with_half_of_its_factors_a_fleet_leaves_an_enemy_of_twice_as_many() -> None:
    """Seven of sixteen factors are left, and squadrons can fly."""
    hit = all_of(sink("reds", "kongo"), damage("reds", "japan:cruiser", 3))
    beaten = all_of(hit, mark("reds", attacked=True), mark("blues", revealed=True))
    stronger = RED, squadron("blues", "blue", "Washington", "North Carolina", "Iowa", cruisers=10)
    assert says(after_blue(round_over(*stronger, change=beaten))) == "withdraw:all"
    assert says(after_blue(round_over(*stronger, change=beaten)), withdraw_below=0.3) == "withdraw:some"
    assert says(after_blue(round_over(change=beaten))) == "withdraw:some"


def test_a_fleet_without_squadrons_that_is_behind_leaves_to_stronger_guns() -> None:
    """Four destroyers of eighteen factors are left, a carrier was sunk, and the enemy has lost nothing."""
    beaten = all_of(
        sink("reds", "akagi"), damage("reds", "kongo"), damage("reds", "japan:cruiser", 3), mark("reds", attacked=True)
    )
    game = after_blue(round_over(change=all_of(beaten, mark("blues", revealed=True))))
    assert says(game, withdraw_below=0) == "withdraw:all"
    assert says(game, withdraw_below=0, toothless_below=0.1) == "withdraw:some"


def test_a_fleet_that_beat_the_enemy_too_stays() -> None:
    """Four factors are left on one side, six on the other."""
    beaten = all_of(
        sink("reds", "akagi"),
        damage("reds", "kongo"),
        damage("reds", "japan:cruiser", 3),
        damage("blues", "washington"),
        mark("reds", attacked=True),
        mark("blues", revealed=True),
    )
    forces = RED, squadron("blues", "blue", "Washington", cruisers=6)
    game = after_blue(round_over(*forces, change=beaten))
    assert says(game, withdraw_below=0.3, toothless_below=0) == "withdraw:some"
