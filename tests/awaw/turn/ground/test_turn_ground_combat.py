"""Ground combat as far as air takes part in it: losses, what is taken, units that come by sea."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from flagplot.awaw.battle.cargo import settle_cargo
from flagplot.awaw.procedures import ground_attack, ground_combat, ground_support, stage
from flagplot.awaw.state.operation import Activity, Progress
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import GroundAttack
from flagplot.awaw.turn.ground.losses import Item, attacker_losses, share_out
from flagplot.awaw.turn.transport.landing import stow_units
from flagplot.awaw.turn.transport.passengers import aboard
from flagplot.kernel.errors import IllegalAnswer
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import END, Next, Procedure
from flagplot.kernel.requests import Choose, Script
from tests.awaw.seas import sail
from tests.awaw.turn.moves import offered, play, script, steer
from tests.awaw.turn.turns import air_at, base, ground, small_force, turn

KIEL = "kiel:germany:army:factors"
OSLO = "oslo:britain:army:factors"


def front(*air: str, units: list[dict[str, Any]] | None = None, oslo: tuple[str, ...] = (), **more: Any) -> State:
    """Germans beside Oslo, with air in Kiel; the British hold Oslo, and Bergen beyond."""
    usual = [
        ground("anton", "red", "germany", "2,0", factors=2),
        ground("berta", "red", "germany", "2,1", factors=1),
        ground("mons", "blue", "britain", "oslo", factors=2),
    ]
    return turn(
        base("kiel", "red", (0, 0), *air),
        base("oslo", "blue", (3, 0), *oslo, **more.pop("place", {})),
        base("bergen", "blue", (8, 0)),
        units=units or usual,
        phase="combat",
        **more,
    )


def choose(game: Game[Any], *texts: str) -> Game[Any]:
    for text in texts:
        game.choose(text)
    return game


def assault(state: State, *orders: str) -> Game[Any]:
    """An attack on Oslo with everybody is announced and made; `orders` are answers on the way."""
    announced = steer(play(state, ground_support), "attack:3,0", "with:3,0:all", *orders).state
    return play(announced, ground_combat)


# --- results and losses -----------------------------------------------------------------------------------------


@pytest.mark.rule("18.615")
def test_air_of_both_sides_adds_to_its_ground_units_and_does_not_fight() -> None:
    state = front("3 germany army", oslo=("2 britain army",))
    game = assault(state, f"support:3,0:{KIEL}:3")
    choose(game, "defend:3,0", f"das:3,0:{OSLO}:2", "fight:3,0", "go:3,0:all", f"use:3,0:{OSLO}:2")
    assert "6 against 4" in str(game.pending)
    assert offered(game) == [f"attacker-loses:3,0:{number}" for number in range(7)]
    game.choose("attacker-loses:3,0:0")
    assert offered(game) == [f"defender-loses:3,0:{number}" for number in range(5)]
    steer(game)
    assert air_at(game.state, "kiel") == {"germany army inverted": 3}
    assert air_at(game.state, "oslo") == {"britain army inverted": 2}


@pytest.mark.rule("18.556")
def test_the_attacker_takes_some_all_or_none_of_his_losses_from_the_air() -> None:
    game = assault(front("2 germany army"), f"support:3,0:{KIEL}:2")
    choose(game, "fight:3,0", "go:3,0:all", "attacker-loses:3,0:2", "defender-loses:3,0:0")
    assert offered(game) == [f"lose:{KIEL}:{number}" for number in range(3)]
    game.choose(f"lose:{KIEL}:1")
    assert offered(game) == ["lose:anton:0", "lose:anton:1"]
    game.choose("lose:anton:0")  # then berta has to go
    steer(game)
    assert sorted(game.state.turn.units) == ["anton", "mons"]
    assert game.state.losses.air == {"germany/army/factors": 1}


@pytest.mark.rule("18.556", "18.616", "18.5521")
def test_enough_is_lost_at_the_rates_at_which_it_counted() -> None:
    items = [Item("squadrons", "", 5, 1), Item("fleet", "", 2, 3), Item("corps", "", 1, 6)]
    assert _lost(items, 6, "lose:squadrons:5", "lose:fleet:1") == {"squadrons": 5, "fleet": 1}
    assert _lost(items, 6, "lose:squadrons:0", "lose:fleet:2") == {"fleet": 2}
    assert _lost(items, 6, "lose:squadrons:1", "lose:fleet:0") == {"squadrons": 1, "corps": 1}
    assert _lost(items, 99) == {"squadrons": 5, "fleet": 2, "corps": 1}
    assert _lost(items, 0) == {}
    assert _lost(items, 3, "lose:squadrons:0", "lose:fleet:1") == {"fleet": 1}
    with pytest.raises(IllegalAnswer):
        _lost(items, 3, "lose:squadrons:0", "lose:fleet:2")


def _lost(items: list[Item], needed: int, *answers: str) -> dict[str, int]:
    found: dict[str, int] = {}

    def run(state: State) -> Script[Next]:
        found.update((yield from share_out("red", items, needed, "18.556")))
        return END

    only = Procedure("only-losses", "18.556", "Losses alone")
    only.segment("18.556", "losses")(run)
    choose(play(front(), only), *answers)
    return found


@pytest.mark.rule("18.611C", "18.616")
def test_against_an_invasion_air_is_lost_at_three_factors_each() -> None:
    state = front(oslo=("2 britain army",))
    game = assault(state)
    game.state.turn.attacks[0].kind = "invasion"
    game.state.turn.ashore = ["anton", "berta"]
    game = play(game.state, ground_combat)
    choose(game, "defend:3,0", f"das:3,0:{OSLO}:2", "fight:3,0", "go:3,0:all", f"use:3,0:{OSLO}:2")
    assert "3 against 8" in str(game.pending)
    choose(game, "attacker-loses:3,0:0", "defender-loses:3,0:6")  # the ground unit and one factor are not enough
    assert "mons" in game.state.turn.units
    assert game.state.losses.air == {"britain/army/factors": 2}


def test_an_attack_may_be_made_that_was_not_announced_but_no_unit_attacks_twice() -> None:
    game = play(front(), ground_combat)
    choose(game, "fight:3,0", "with:3,0:all", "go:3,0:all", "attacker-loses:3,0:0", "defender-loses:3,0:0")
    assert game.pending is None
    assert game.state.turn.fought == ["anton", "berta"]


# --- what is taken ----------------------------------------------------------------------------------------------


@pytest.mark.rule("18.617", "18.25", "18.147")
def test_who_advances_takes_the_base_its_airbase_goes_and_its_air_is_displaced() -> None:
    state = front(oslo=("4 britain army",), place={"airbases": 1}, airbases={"oslo": "britain"})
    game = assault(state)
    choose(game, "defend:done", "fight:3,0", "go:3,0:all", "attacker-loses:3,0:0", "defender-loses:3,0:2")
    assert offered(game) == ["advance:3,0:none", "advance:3,0:anton", "advance:3,0:berta"]
    steer(game, "advance:3,0:berta")
    assert game.state.place("oslo").side == "red"
    assert "oslo" not in game.state.turn.airbases
    assert air_at(game.state, "bergen") == {"britain army inverted": 4}
    assert game.state.turn.units["berta"].at == (3, 0)
    assert game.state.losses.air == {}


@pytest.mark.rule("18.617")
def test_nobody_advances_while_defenders_are_left_or_if_he_does_not_like() -> None:
    game = assault(front(oslo=("1 britain army",)))
    choose(game, "defend:done", "fight:3,0", "go:3,0:all", "attacker-loses:3,0:0", "defender-loses:3,0:0")
    assert game.pending is None
    game = assault(front(oslo=("1 britain army",)))
    choose(game, "defend:done", "fight:3,0", "go:3,0:all", "attacker-loses:3,0:0", "defender-loses:3,0:2")
    steer(game, "advance:3,0:none")
    assert game.state.place("oslo").side == "blue"
    assert air_at(game.state, "oslo") == {"britain army": 1}


@pytest.mark.rule("18.251")
def test_an_airdrop_takes_the_hex_only_if_it_wins() -> None:
    for lost, side in ((0, "blue"), (2, "red")):
        state = front(oslo=("1 britain army",))
        state.turn.units["jump"] = turn(
            base("kiel", "red", (0, 0)), units=[ground("jump", "red", "germany", "kiel")]
        ).turn.units["jump"]
        state.turn.units["jump"].at = (3, 0)
        state.turn.attacks = [GroundAttack(((3, 0),), ["jump", "anton"], "airdrop")]
        game = play(state, ground_combat)
        waiting = ["fight:3,0", "go:3,0:all", "attacker-loses:3,0:0", f"defender-loses:3,0:{lost}"]
        steer(game, *waiting)
        assert game.state.place("oslo").side == side
        assert game.state.turn.units["anton"].at == (2, 0), "who was not dropped does not advance with them"
        assert ("britain army" in air_at(game.state, "oslo")) == (side == "blue")


@pytest.mark.rule("22.13G")
def test_ships_in_a_port_that_is_taken_leave_it() -> None:
    fleet = small_force("home", "blue", "oslo", {"nation": "britain", "destroyers": 4})
    state = turn(
        base("kiel", "red", (0, 0)),
        base("oslo", "blue", (3, -7), ports=1),
        base("bergen", "blue", (8, -7), ports=1),
        units=[ground("anton", "red", "germany", "3,-6"), ground("mons", "blue", "britain", "oslo")],
        forces=[fleet],
        phase="combat",
        phases=["combat"],
    )
    game = play(state, stage)
    waiting = ["fight:3,-7", "go:3,-7:all", "attacker-loses:3,-7:0", "defender-loses:3,-7:1", "advance:3,-7:anton"]
    steer(game, *waiting)
    assert game.state.place("oslo").side == "red"
    force = game.state.operation.fleet["home"]
    assert (force.base, force.in_port, force.at) == ("bergen", True, (8, -7))


# --- units that come by sea -------------------------------------------------------------------------------------


def transport(activity: str, **more: Any) -> State:
    ships, orders = {"nation": "germany", "laden_destroyers": 3}, [{"activity": activity, "to": "oslo"}]
    return turn(
        base("kiel", "red", (0, -7), ports=1),
        base("oslo", more.pop("side", "red"), (3, -7), ports=1),
        units=[
            ground("anton", "red", "germany", "kiel", factors=2, aboard="convoy"),
            ground("berta", "red", "germany", "kiel", aboard="convoy"),
        ],
        forces=[small_force("convoy", "red", "kiel", ships, cargo="two units", orders=orders, **more)],
        phase="movement" if activity == "sea-transport" else "combat",
        phases=["movement"] if activity == "sea-transport" else ["combat"],
    )


@pytest.mark.rule("22.131")
def test_units_that_are_transported_by_sea_are_ashore_when_they_arrive() -> None:
    game = steer(play(transport("sea-transport"), stage), "order:convoy:0")
    unit = game.state.turn.units["anton"]
    assert (unit.at, unit.aboard, unit.flown) == ((3, -7), "", "sea")


def test_an_undefended_base_that_is_invaded_is_taken_without_a_fight() -> None:
    game = play(transport("seaborne-invasion", side="blue"), stage)
    steer(game, "order:convoy:0", "fight:3,-7", "go:3,-7:all")
    assert game.state.place("oslo").side == "red"
    assert {name: unit.at for name, unit in game.state.turn.units.items()} == {"anton": (3, -7), "berta": (3, -7)}
    assert {unit.flown for unit in game.state.turn.units.values()} == {"invasion"}


@pytest.mark.rule("22.82A", "18.5552")
def test_units_go_down_with_their_ships() -> None:
    state = transport("seaborne-invasion", side="blue")
    assert aboard(state, "convoy") == ["anton", "berta"]
    laden = next(iter(state.operation.fleet["convoy"].group.ships))
    state.operation.fleet["convoy"].group.ships[laden] = 2  # one laden factor for each ground factor
    sinking = script("sinking", lambda now: settle_cargo(now, now.operation.fleet["convoy"].group, "Convoy"))
    game = steer(play(state, sinking), "cargo:berta")
    assert list(game.state.turn.units) == aboard(game.state, "convoy") == ["anton"]


@pytest.mark.rule("22.82A")
def test_cargo_in_parts_is_told_apart_by_the_names_of_the_units() -> None:
    loads = [{"name": "anton", "factors": 2}, {"name": "berta", "factors": 1}]
    state = transport("seaborne-invasion", side="blue", loads=loads)
    assert aboard(state, "convoy") == ["anton", "berta"]
    del state.operation.fleet["convoy"].group.loads["anton"]
    assert aboard(state, "convoy") == ["berta"]


@pytest.mark.rule("22.82A")
def test_units_are_parts_of_the_cargo_as_far_as_it_goes_and_have_names_of_their_own() -> None:
    state = transport("seaborne-invasion", side="blue")
    first = state.operation.fleet["convoy"]
    state.operation.fleet["second"] = replace(first, group=replace(first.group, loads={}))
    for name, called, factors in (("carl", "Carl", 4), ("dora", "Berta", 2), ("emil", "Emil", 2)):
        state.turn.units[name] = replace(
            state.turn.units["berta"], name=called, factors=factors, load="", aboard="second"
        )
    stow_units(state)
    assert state.operation.fleet["convoy"].group.loads == {"Anton": 2, "Berta": 1}
    assert state.operation.fleet["second"].group.loads == {"Berta 2": 2}
    assert [state.turn.units[name].load for name in ("carl", "dora", "emil")] == ["", "Berta 2", ""]


# --- how an attack is made --------------------------------------------------------------------------------------


@pytest.mark.rule("18.555", "18.555.1", "18.5551")
@pytest.mark.parametrize(
    ("kind", "units", "ways"),
    [
        ("regular", ["anton", "berta"], ["all", "fewer", "none"]),
        ("regular", ["anton"], ["all", "none"]),
        ("invasion", ["anton", "berta"], ["all", "none"]),
    ],
)
def test_a_part_of_the_units_may_stay_out_but_not_of_an_invasion(kind: str, units: list[str], ways: list[str]) -> None:
    state = front()
    state.turn.attacks, state.turn.fighting_now = [GroundAttack(((3, 0),), units, kind)], 0
    assert offered(play(state, ground_attack)) == [f"go:3,0:{way}" for way in ways]


@pytest.mark.rule("18.556", "18.553E")
@pytest.mark.parametrize(("guns", "cves", "secret"), [(0, 0, False), (3, 0, True), (0, 3, True)])
def test_losses_are_taken_in_secret_if_ships_gave_support(guns: int, cves: int, secret: bool) -> None:
    state = front()
    attack = GroundAttack(((3, 0),), ["anton", "berta"], guns=guns, cves=cves)
    game = play(state, script("losses", lambda now: attacker_losses(now, attack, [], 1)))
    assert isinstance(game.pending, Choose)
    assert bool(game.pending.secret) == secret


@pytest.mark.rule("18.553E")
def test_escort_carriers_of_several_forces_are_lost_as_often_as_was_said() -> None:
    forces = [small_force(name, "red", "kiel", {"nation": "germany", "cves": 2}) for name in ("one", "two")]
    state = turn(
        base("kiel", "red", (0, -7), ports=1),
        base("oslo", "blue", (3, -7), ports=1),
        units=[ground("anton", "red", "germany", "kiel")],
        forces=forces,
        phase="combat",
    )
    for name in ("one", "two"):
        key = sail(state, Activity.INVASION, name, (3, -7), progress=Progress.ARRIVED)
        voyage, state.operation.fleet[name].voyage, state.operation.fleet[name].at = (
            state.operation.voyages[key],
            key,
            (3, -7),
        )
        voyage.step = len(voyage.path) - 1
    attack = GroundAttack(((3, -7),), ["anton"], "invasion", cves=4)
    game = play(state, script("losses", lambda now: attacker_losses(now, attack, [], 3)))
    choose(game, "lose:germany:cve:3")
    assert sum(game.state.losses.ships.values()) == 3
    assert [sum(game.state.operation.fleet[name].group.ships.values()) for name in ("one", "two")] == [0, 1]
    assert [entry.rule for entry in game.log("umpire")].count("18.553E") == 1
