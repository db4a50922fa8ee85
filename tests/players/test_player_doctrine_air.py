"""Principles of the doctrine player in segments A to G, each in a small battle."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.players.doctrine import Doctrine, DoctrinePlayer
from flagplot.players.doctrine.target_value import LIGHT_SHIPS, Prey, air_attack_plan, gain
from tests.awaw.battles import asks, battle, fight, squadron
from tests.awaw.duels import duel
from tests.awaw.harbours import ARMY, begin, counterair, fleet_in_port, fly, until, waters
from tests.awaw.scenes import base, scene, start
from tests.awaw.strike_orders import AMERICA, JAPAN
from tests.awaw.strikes import QUIET, kido, meet, task


def says(game: Game[State], **settings: Any) -> str:
    """What the doctrine player answers to the pending question."""
    assert isinstance(game.pending, Choose), game.pending
    return DoctrinePlayer(Doctrine(**settings)).choose(game.view(game.pending.side), game.pending).text


def at(verb: str, *forces: dict[str, Any], orders: tuple[str, ...] = (), **more: Any) -> Game[State]:
    """A battle of these forces that goes on until a question of this verb."""
    return fight(start(battle(*forces, **more)), *orders, until=asks(verb))


GUNS = squadron("guns", "red", "Kongo", "Hiei", cruisers=6)
SMALL = squadron("small", "red", cruisers=2, task_force=False, laden_transports=2, cargo="rice")

# --- A: combat groups -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("force", "number"),
    [
        (GUNS, "number:guns:1"),
        (kido(6), "number:kido:5"),
        (SMALL, "number:small:6"),
        (squadron("hurt", "red", cruisers=4, damaged_cruisers=2, task_force=False), "number:hurt:6"),
    ],
    ids=["guns low", "carriers high", "cargo highest", "cripples highest"],
)
def test_numbers(force: dict[str, Any], number: str) -> None:
    assert says(at("number", force, task())) == number


def test_a_number_that_is_taken_is_not_wanted() -> None:
    more = squadron("more", "red", "Nagato", cruisers=8)
    game = at("number:more", GUNS, more, task(), orders=("number:guns:1",))
    assert says(game) == "number:more:2"


def test_cargo_sails_with_carriers_or_with_guns_if_its_escort_is_weak() -> None:
    game = at("strengthen", SMALL, kido(6), GUNS, task())
    assert says(game, carrier_escort=1) == "strengthen:kido"
    assert says(game) == "strengthen:guns"
    strong = squadron("small", "red", cruisers=10, laden_transports=2, cargo="rice")
    assert says(at("strengthen", strong, kido(6), GUNS, task())) == "strengthen:alone"
    assert says(at("strengthen", strong, GUNS, task()), carrier_escort=1) == "strengthen:alone"


def drawn(game: Game[State], **settings: Any) -> Counter[str]:
    """What players of two hundred seeds answer."""
    assert isinstance(game.pending, Choose), game.pending
    view = game.view(game.pending.side)
    made = [DoctrinePlayer(Doctrine(**settings), seed) for seed in range(200)]
    return Counter([one.choose(view, game.pending).text for one in made])


def test_secret_choices_are_drawn_by_the_seed_of_the_player() -> None:
    numbers = drawn(at("number:guns", GUNS, kido(6), task()))
    assert len(numbers) == 6
    assert numbers.most_common(1)[0][0] == "number:guns:1"
    assert drawn(at("number:guns", GUNS, kido(6), task()), mix=0) == {"number:guns:1": 200}
    escorts = drawn(at("strengthen", SMALL, kido(6), GUNS, task()))
    assert 150 < escorts["strengthen:kido"] < 190
    assert escorts["strengthen:guns"] == 200 - escorts["strengthen:kido"]
    assert len(drawn(at("patrol", kido(6), task()))) > 1


def test_a_single_group_of_guns_comes_into_action_at_once() -> None:
    """Nobody can mistake it for another one, whatever flies."""
    for bases in ([], [base("isle", "red", (0, 2), "3 japan naval")]):
        assert drawn(at("number:guns", GUNS, task(), bases=bases)) == {"number:guns:1": 200}
    assert len(drawn(at("number:kido", kido(6), task()))) == 6  # carriers stay away if they can


LINE = (
    squadron("few", "red", cruisers=2, destroyers=2, task_force=False),
    squadron("weak", "red", cruisers=12),
    squadron("strong", "red", "Nagato", "Mutsu", cruisers=8),
)


def numbered(seed: int, *forces: dict[str, Any], **more: Any) -> dict[str, int]:
    """The numbers that a player of a seed gives the forces of a side, by their names."""
    game, player = at("number", *forces, task(), **more), DoctrinePlayer(seed=seed)
    numbers: dict[str, int] = {}
    while isinstance(game.pending, Choose) and game.pending.side == "red" and asks("number")(game):
        option = player.choose(game.view("red"), game.pending)
        numbers[option.text.split(":")[1]] = option.value
        game.play({"red": player}, until=game.turn + 1)
    return numbers


def test_a_fleet_of_guns_alone_keeps_the_order_of_its_guns() -> None:
    """It has nothing to hide but where the order begins. Who brings no search dice stays last."""
    found = Counter([tuple(numbered(seed, *LINE).values()) for seed in range(40)])
    assert set(found) == {(6, 2, 1), (6, 3, 2), (6, 4, 3)}


@pytest.mark.parametrize(
    ("more", "bases"),
    [((kido(6),), []), ((SMALL,), []), ((), [base("isle", "red", (0, 2), "3 japan naval")])],
    ids=["carriers", "cargo", "aircraft ashore"],
)
def test_guns_that_shield_something_draw_their_numbers(more: tuple[Any, ...], bases: list[Any]) -> None:
    orders = ("strengthen:alone",) if SMALL in more else ()
    found = [numbered(seed, *LINE[1:], *more, bases=bases, orders=orders) for seed in range(40)]
    assert {one["strong"] for one in found} == {1, 2, 3, 4, 5, 6}
    assert {one["strong"] < one["weak"] for one in found} == {True, False}


def test_who_is_asked_twice_answers_alike() -> None:
    game = at("number:guns", GUNS, kido(6), task())
    assert isinstance(game.pending, Choose)
    player, again = DoctrinePlayer(seed=7), DoctrinePlayer(seed=7)
    first = player.choose(game.view(game.pending.side), game.pending).text
    assert player.choose(game.view(game.pending.side), game.pending).text == first
    assert again.choose(game.view(game.pending.side), game.pending).text == first


def test_guns_are_detached_before_carriers() -> None:
    laden = squadron("laden", "red", cruisers=4, task_force=False, laden_transports=2, cargo="rice")
    carriers = squadron("mixed", "red", "Akagi", "Hiryu", "Yamato", cruisers=14, air=6)
    game = at("detach", laden, carriers, task(), orders=("strengthen:mixed",))
    assert says(game) == "detach:yamato"


# --- B to F: the air plan ---------------------------------------------------------------------------------------


def test_the_share_of_the_doctrine_flies_patrol() -> None:
    game = at("patrol", kido(12), task())
    assert says(game) == f"patrol:1:{JAPAN}:4"
    assert says(game, cap_share=0.5) == f"patrol:1:{JAPAN}:2"
    assert says(game, cap_share=0) == f"patrol:1:{JAPAN}:0"


@pytest.mark.parametrize(("air", "sent"), [("1 united-states naval", 2), ("2 united-states naval", 4)])
def test_a_weak_base_is_counteraired_at_the_odds_of_the_doctrine(air: str, sent: int) -> None:
    game = at("send", kido(6), task(), bases=[base("isle", "blue", (0, 2), air)])
    assert says(game) == f"send:isle:{JAPAN}:{sent}"


def test_a_strong_base_is_left_alone() -> None:
    game = at("send", kido(6), task(), bases=[base("isle", "blue", (0, 2), "4 united-states naval")])
    assert says(game) == f"send:isle:{JAPAN}:0"


def test_fighters_cover_the_carriers_and_naval_squadrons_do_not() -> None:
    isle = base("isle", "blue", (0, 2), "2 united-states army", "3 united-states naval")
    guns = task("Nevada", name="guns")
    game = at("cover:1", kido(), task(air=3), guns, bases=[isle], orders=("number:task:2", "number:guns:1"))
    army = "isle:united-states:army:cover"
    assert says(game) == f"cover:1:{army}:0"
    fight(game, f"cover:1:{army}:0", until=asks(f"cover:2:{army}"))
    assert says(game) == f"cover:2:{army}:2"
    fight(game, until=asks("cover:1:isle:united-states:naval"))
    assert says(game).endswith(":0")


def test_naval_squadrons_search_only_as_far_as_they_bring_dice() -> None:
    isle = base("isle", "blue", (0, 2), "5 united-states naval")
    assert says(at("search", kido(), task(), bases=[isle])) == "search:isle:united-states:naval:squadrons:3"
    isle = base("isle", "blue", (0, 2), "2 united-states army", "5 united-states naval")
    game = at("search", kido(), task(), bases=[isle])
    assert says(game) == "search:isle:united-states:army:search:2"
    fight(game, until=asks("search:isle:united-states:naval"))
    assert says(game) == "search:isle:united-states:naval:squadrons:1"


# --- G: strikes -------------------------------------------------------------------------------------------------


def test_carriers_are_struck_first() -> None:
    forces = (kido(6), task("Nevada", "Colorado", name="guns"), task("Wasp", name="flat"))
    game = meet(*forces, search=((1,), (6,)), until=asks("surprise"))
    assert says(game) == "surprise:1"
    ready = (kido(3), squadron("two", "red", "Shokaku", cruisers=6, destroyers=2, air=3))
    game = meet(*ready, *forces[1:], search=((1, 2), (6,)), until=asks("surprise"))
    assert says(game) == "surprise:2"


def test_a_strike_flies_with_all_and_all_engage_it() -> None:
    forces = (kido(6), task("Enterprise", "Hornet", air=6))
    game = meet(*forces, orders=["strike:1"], until=asks("fly"))
    assert says(game) == f"fly:{JAPAN}:6"
    orders = ["strike:1", f"fly:{JAPAN}:6", f"patrol:1:{AMERICA}:2"]
    game = meet(*forces, orders=orders, until=asks("engage"))
    assert says(game) == f"engage:{AMERICA}:2"


def test_squadrons_share_out_over_the_carriers_and_leave_light_ships_alone() -> None:
    game = meet(
        kido(6),
        task("Enterprise", "Hornet", "Nevada"),
        rolls=[QUIET],
        orders=["strike:1", f"fly:{JAPAN}:6"],
        until=asks("target"),
    )
    assert says(game) in ("target:enterprise", "target:hornet")
    fight(game, "target:enterprise", until=asks("against"))
    assert says(game) == f"against:enterprise:{JAPAN}:3"
    fight(game, f"against:enterprise:{JAPAN}:3", until=asks("target"))
    assert says(game) == "target:hornet"


def test_the_plan_is_what_the_table_makes_worth_most() -> None:
    """One squadron too few or too many for a carrier is worth less; all squadrons are used."""
    carriers = tuple(Prey(name, 3.0, 3, 0, 0) for name in ("akagi", "kaga"))
    light = Prey(LIGHT_SHIPS, 0.8, 20, 0, 2)
    assert air_attack_plan((*carriers, light), 6, 3) == (3, 3, 0)
    assert sum(air_attack_plan((*carriers, light), 12, 3)) == 12
    assert air_attack_plan((carriers[0],), 5, 3) == (5,)


def test_a_ship_near_sinking_is_worth_the_rest_of_it() -> None:
    sound, hurt = Prey("sound", 1.0, 4, 0, 2), Prey("hurt", 1.0, 4, 2, 2)
    assert gain(hurt, 1) > gain(sound, 1)
    assert gain(hurt, 2) == gain(sound, 4) == 4
    out = Prey("out", 1.0, 4, 3, 2)
    assert gain(out, 1) == pytest.approx(1.6)


# --- losses and decks -------------------------------------------------------------------------------------------


def ask(verb: str | tuple[str, ...], *values: Any) -> Any:
    """What is answered to a question that needs no look at the battle."""
    game = start(battle(kido(), task()))
    request: Choose[Any] = Choose("red", verb, values, "Which?", str, "19.6")
    return DoctrinePlayer().choose(game.view("red"), request).value


def test_the_better_units_are_kept() -> None:
    assert ask("first", ("japan", "naval", 3), ("japan", "army", 2)) == ("japan", "army", 2)
    assert ask("first", ("japan", "naval", 2), ("japan", "army", 2)) == ("japan", "army", 2)
    assert ask("first", "attack", "cover", "search") == "search"
    assert ask("lose", ("truk", "ready"), ("truk", "inverted")) == ("truk", "inverted")
    assert ask(("lose", "red-at-sea:japan:elite-naval:squadrons"), 0, 1, 2) == 0
    assert ask(("lose", "red-at-sea:japan:naval:squadrons"), 0, 1, 2) == 2
    assert ask("hit", "japan:destroyer", "japan:destroyer:laden") == "japan:destroyer"
    assert ask("hit", "japan:cruiser", "japan:transport") == "japan:transport"


def test_patrols_land_ashore_only_without_a_deck() -> None:
    near = base("isle", "blue", (0, 2))
    orders = [f"patrol:1:{AMERICA}:2"]
    forces = (kido(), task("Enterprise", "Hornet", air=6))
    game = meet(*forces, bases=[near], search=((6,), (6,)), orders=orders, until=asks("ashore"))
    assert says(game) == f"ashore:isle:{AMERICA}:0"


# --- air phases -------------------------------------------------------------------------------------------------


def test_a_base_is_counteraired_if_there_is_twice_its_air() -> None:
    assert says(start(duel(["4 germany army"], ["2 britain army"]))) == "counterair:aim"
    assert says(start(duel(["3 germany army"], ["2 britain army"]))) == "counterair:none"
    assert says(start(duel(["4 germany army"], []))) == "counterair:none"


def test_the_largest_base_that_can_be_overwhelmed_comes_first_else_the_weakest() -> None:
    def chosen(ours: int, *theirs: int) -> str:
        mine = base("field", "red", (0, 0), f"{ours} germany army")
        bases = [base(f"b{there}", "blue", (0, there), f"{there} britain army") for there in theirs]
        return says(start(scene(mine, *bases)))

    assert [chosen(ours, 1, 2, 3) for ours in (10, 8, 7)] == ["counterair:b2", "counterair:b2", "counterair:b1"]
    assert [chosen(ours, 2, 3) for ours in (7, 4, 3)] == ["counterair:b2", "counterair:b2", "counterair:none"]


@pytest.mark.parametrize(("defenders", "says_of_them"), [("1", "engage"), ("2", "leave")])
def test_transports_are_attacked_only_where_their_defenders_are_overwhelmed(defenders: str, says_of_them: str) -> None:
    game = start(duel(["4 germany army"], [f"{defenders} britain army", "2 britain transport"]))
    while isinstance(game.pending, Choose) and game.pending.verb != "transports":
        game.choose(says(game))
    assert says(game) == f"transports:{says_of_them}"


@pytest.mark.parametrize(("defenders", "says_of_them"), [("1", "engage"), ("2", "leave")])
def test_transports_in_a_port_that_is_attacked_too(defenders: str, says_of_them: str) -> None:
    air = [f"{defenders} united-states army", "2 united-states transport"]
    game = begin(waters(fleet_in_port("Nevada"), air=air, red=["6 japan army"]))
    until(game, "transports", fly(6, ARMY), counterair(4, ARMY))
    assert says(game) == f"transports:{says_of_them}"


def test_four_times_its_air_is_sent_or_all_there_is() -> None:
    game = start(duel(["10 germany army"], ["2 britain army"]))
    game.choose("counterair:aim")
    assert says(game) == "send:aim:field:germany:army:factors:8"
    assert says(game, counterair_force=3) == "send:aim:field:germany:army:factors:6"
    game = start(duel(["6 germany army"], ["2 britain army"]))
    game.choose("counterair:aim")
    assert says(game) == "send:aim:field:germany:army:factors:6"
