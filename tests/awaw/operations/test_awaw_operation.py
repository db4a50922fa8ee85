"""Whole operations: the stages of a player turn, and what lasts from one to the next (22.13B, 22.15, 22.27, 22.74)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.procedures import completion, operation
from flagplot.awaw.state.operation import Progress
from flagplot.awaw.state.state import State
from tests.awaw.seas import flotilla, force, order, play, port, sail, sea
from tests.awaw.voyages import cruise, reaching

TRUK, RABAUL = port("truk", "red", (0, 0)), port("rabaul", "red", (0, 4))
NOUMEA, SUVA = port("noumea", "blue", (9, 0)), port("suva", "blue", (12, 0))
PORTS = (TRUK, RABAUL, NOUMEA, SUVA)
TF, TF2 = force("tf", "blue", "noumea", cruisers=10), force("tf2", "blue", "suva", cruisers=10)


def in_port(state: State) -> bool:
    return all(one.in_port and one.at == state.place(one.base).at for one in state.operation.fleet.values())


@pytest.mark.rule("22.15A")
def test_the_stages_of_a_player_turn_come_in_order() -> None:
    """22.15: movement, combat, redeployment; each is announced anew."""
    orders = [
        order("base-change", (0, 4), "movement", base="rabaul"),
        order("shore-bombardment", (6, 0)),
        order("redeployment", (0, 0), "redeployment", base="truk"),
    ]
    kido = force("kido", "red", "truk", cruisers=10, orders=orders)
    played = cruise(sea(*PORTS, kido), operation, "order:kido:0", "order:kido:1", "order:kido:2")
    log = played.log()
    assert log.index("movement stage") < log.index("combat stage") < log.index("redeployment stage")
    assert played.state.operation.fleet["kido"].base == "truk"
    assert played.state.operation.fleet["kido"].inverted
    assert in_port(played.state)


@pytest.mark.rule("22.13B", "22.14A", "22.27")
def test_each_stage_gives_a_new_chance() -> None:
    """22.13B, 22.27: another activity of the same force may be intercepted in another stage, by a force whose dice have
    failed before too."""
    orders = [order("shore-bombardment", (6, 0)), order("redeployment", (0, 4), "redeployment", base="rabaul")]
    kido = force("kido", "red", "truk", cruisers=10, orders=orders)
    state = sea(*PORTS, kido, TF, stage="combat", stages=("combat", "redeployment"))
    first = ("order:kido:0", "route:v1", "intercept:v1:1:2,0", "go:v1:1:tf:direct", "order:kido:1")
    played = cruise(state, operation, *first, "route:v4", dice=reaching(1))
    assert "go:v1:1:tf" in played.asked
    assert "intercept:v4:1" in played.asked, "tried in vain in the combat stage, and free again"
    assert not played.battles
    assert not played.state.operation.voyages


@pytest.mark.rule("23.51", "18.511A", "18.512A")
@pytest.mark.parametrize(("stage", "asked"), [("movement", True), ("combat", True), ("redeployment", False)])
def test_in_which_stages_land_based_air_attacks_bases(stage: str, asked: bool) -> None:
    """23.51, 18.511, 18.512: bases are attacked in the movement and combat stages, not in that of redeployment."""
    near = port("near", "red", (7, 0), "4 japan army")
    aim = port("aim", "blue", (9, 0), "2 united-states army")
    state = sea(TRUK, near, aim, force("tf", "blue", "aim", cruisers=10), stage=stage, stages=(stage,))
    assert any(verb.startswith("base-attack") for verb in cruise(state, operation).asked) == asked


@pytest.mark.rule("22.92", "22.27")
def test_submarines_are_free_again_in_the_next_stage() -> None:
    """22.92: factors that have tried in vain try again in a later stage; those that have attacked do not."""
    boats = flotilla("boats", "blue", "noumea", 1, tried=2, inverted=1)
    state = sea(*PORTS, boats, stage="combat", stages=("combat",))
    made = cruise(state, operation).state.operation.flotillas["boats"]
    assert (made.factors, made.tried, made.inverted) == (3, 0, 1)


@pytest.mark.rule("22.74", "22.74-EX", "22.81A.1", "22.15C")
def test_carriers_strike_redeploy_and_fight_again() -> None:
    """22.74, the whole example: carriers with nine squadrons set out to strike a base, win against interceptors, carry
    out their mission and are inverted; they are redeployed, are intercepted once more, and their air fights again."""
    orders = [
        order("fast-carrier-mission", (7, 0)),
        order("redeployment", (0, 4), "redeployment", base="rabaul"),
    ]
    carriers = force("strike", "red", "truk", "Akagi", "Kaga", "Soryu", cruisers=10, air=9, orders=orders)
    state = sea(*PORTS, carriers, TF, TF2, stage="combat", stages=("combat", "redeployment"), strategic="blue")
    out = ("order:strike:0", "route:v1", "intercept:v1:1:4,0", "go:v1:1:tf:direct", "activity:strike:go-on")
    base = ("base-attack:v1:noumea",)
    again = ("order:strike:1", "route:v5", "intercept:v5:1:0,2", "go:v5:1:tf2:direct")
    played = cruise(state, operation, *out, *base, *again, flees="blue", dice=reaching(6))
    assert played.places == ["4,0", "0,2"]
    assert "attack on Noumea" in played.log()
    caps = [verb for verb in played.asked if verb.startswith("patrol:")]
    assert len(caps) >= 2, "combat air patrol in both battles"
    strike = played.state.operation.fleet["strike"]
    assert (strike.base, strike.inverted) == ("rabaul", True)


@pytest.mark.rule("22.15C")
def test_what_was_carried_out_counts_and_the_forces_return_inverted() -> None:
    """22.15C: the activity is done, and the force returns; a change of base ends where it leads."""
    orders = [order("shore-bombardment", (6, 0), worth=3), order("base-change", (0, 4), worth=1, base="rabaul")]
    kido = force("kido", "red", "truk", cruisers=10, orders=orders)
    for choice, base, points, inverted in (("0", "truk", 3, True), ("1", "rabaul", 1, False)):
        state = sea(*PORTS, kido, stage="combat", stages=("combat",))
        played = cruise(state, operation, f"order:kido:{choice}")
        made = played.state.operation.fleet["kido"]
        assert (made.base, made.inverted, played.state.operation.done) == (base, inverted, {"red": points})
        assert in_port(played.state)


@pytest.mark.rule("18.5521.1", "22.82C")
@pytest.mark.parametrize(
    ("ships", "worth"),
    [
        ({"cruisers": 8, "destroyers": 4}, 4),
        ({"cruisers": 8, "destroyers": 4, "damaged_cruisers": 1}, 3),
        ({"cruisers": 8, "destroyers": 4, "cves": 3, "transports": 6}, 4),
        ({"cruisers": 8, "destroyers": 1, "laden_destroyers": 3, "cargo": "troops"}, 3),
        ({"named": ("Akagi",), "cruisers": 8, "destroyers": 4}, 4),
        ({"named": ("Kongo",), "cruisers": 10}, 4),
    ],
)
def test_a_bombardment_is_worth_what_it_would_be_in_an_air_turn(ships: dict[str, Any], worth: int) -> None:
    """18.5521: three fleet factors for one: undamaged ships without cargo that are no carriers and no transports."""
    state = sea(*PORTS, force("kido", "red", "truk", *ships.get("named", ()), **_light(ships)), stage="combat")
    key = sail(state, "shore-bombardment", "kido", (6, 0))
    state.operation.voyages[key].step, state.operation.voyages[key].progress = 6, Progress.ARRIVED
    assert f"support worth {worth} ground factors" in cruise(state, completion.start(key)).log()


def _light(ships: dict[str, Any]) -> dict[str, Any]:
    return {key: number for key, number in ships.items() if key != "named"}


@pytest.mark.rule("22.131")
def test_cargo_counts_by_what_arrives() -> None:
    """What an activity is worth is counted in proportion to the cargo that comes through; then the ships are free."""
    convoy = force("convoy", "red", "truk", cruisers=2, laden_transports=4, cargo="oil", task_force=False)
    state = sea(*PORTS, convoy, stage="movement")
    key = sail(state, "sea-transport", "convoy", (0, 4), base="rabaul", worth=8, freight=8)
    voyage = state.operation.voyages[key]
    voyage.step, voyage.progress = len(voyage.path) - 1, Progress.ARRIVED
    played = cruise(state, completion.start(key))
    assert played.state.operation.done == {"red": 4}
    group = played.state.operation.fleet["convoy"].group
    assert not group.cargo
    assert not any(which.laden for which in group.ships)
    assert played.state.operation.fleet["convoy"].inverted


def test_a_force_that_was_lost_in_its_hex_does_nothing() -> None:
    """A voyage of which nothing is left carries out nothing."""
    kido = force("kido", "red", "truk", cruisers=10, orders=[order("shore-bombardment", (6, 0))])
    state = sea(*PORTS, kido, stage="combat", stages=("combat",))
    sail(state, "shore-bombardment", "kido", (6, 0), worth=5)
    state.operation.voyages["v1"].progress = Progress.ARRIVED
    state.operation.voyages["v1"].step = 6
    state.operation.fleet["kido"].group.ships = {}
    game = play(state, operation)
    assert game.pending is None
    assert not any(game.state.operation.done.values())
    assert "shore bombardment by" not in "\n".join(map(str, game.log("umpire")))


@pytest.mark.rule("22.18C")
def test_forces_of_different_activities_in_one_hex_return_together() -> None:
    """22.18C: two forces that meet in their activity hex return together, and are met together."""
    one = force("one", "red", "truk", cruisers=10, orders=[order("shore-bombardment", (6, 0))])
    two = force("two", "red", "truk", cruisers=10, orders=[order("fast-carrier-mission", (6, 0))])
    state = sea(*PORTS, one, two, TF, stage="combat", stages=("combat",))
    orders = ("order:one:0", "order:two:0", "route:v3", "intercept:v3:1:3,0", "go:v3:1:tf:direct")
    played = cruise(state, operation, *orders, flees="blue", dice=reaching())
    assert played.battles[0].forces == {"one", "two", "tf"}
    assert in_port(played.state)
