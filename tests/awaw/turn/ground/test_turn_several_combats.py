"""Ground combat in several places or phases of a player turn: who flies once, and who together (18.48, 18.55-18.61)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.air_units import Arm, Unit, unit
from flagplot.awaw.operations.names import hex_title
from flagplot.awaw.procedures import bombing, exploitation, ground_combat, ground_support, overruns, stage
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Flight, FlightKind
from flagplot.awaw.turn.end.record import open_turn
from flagplot.awaw.turn.ground.carriers_at_sea import forces_in_reach, send_from_carriers, take_aboard
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.kernel.dice import Scripted
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Roll
from tests.awaw.turn.moves import offered, play, script, steer
from tests.awaw.turn.turns import base, ground, small_force, turn, units_of

KIDO = "launch:kido:red-at-sea:japan:naval:squadrons"


def choose(game: Game[Any], *texts: str) -> Game[Any]:
    for text in texts:
        game.choose(text)
        while isinstance(game.pending, Roll):
            game.roll()
    return game


# --- carriers ---------------------------------------------------------------------------------------------------


def off_the_coast(phase: str = "combat", **more: Any) -> State:
    """Akagi with three squadrons off the coast; two American units ashore, and Japanese armor beside them."""
    ships = {"nation": "japan", "named": ["akagi"], "destroyers": 4}
    fleet = small_force("kido", "red", "kure", ships, squadrons=3, patrol="3,-8")
    forces = [fleet]
    if more.pop("second", False):
        forces.append(fleet | {"id": "second", "ships": [{"nation": "japan", "named": ["kaga"]}]})
    return turn(
        base("kure", "red", (-9, -7), ports=1),
        base("oslo", "blue", (3, -6), "2 united-states army"),
        units=[
            ground("anton", "red", "japan", "2,-6", factors=3, movement=2),
            ground("berta", "red", "japan", "5,-6", factors=3, movement=2),
            ground("mons", "blue", "united-states", "oslo"),
            ground("loos", "blue", "united-states", "4,-6"),
        ],
        forces=forces,
        phase=phase,
        pacific=True,
        **more,
    )


@pytest.mark.rule("18.564")
def test_squadrons_of_carriers_intercept_once_in_a_player_turn() -> None:
    game = choose(play(off_the_coast(), ground_combat, dice=Scripted(("Red", 1, 1), ("Blue", 1, 1))), "defend:3,-6")
    choose(game, "das:3,-6:oslo:united-states:army:factors:1", "defend:4,-6")
    choose(game, "das:4,-6:oslo:united-states:army:factors:1", f"{KIDO}:2", "first:attack", "mission:3,-6:return")
    assert offered(game) == [f"{KIDO}:0", f"{KIDO}:1"], "two of the three have flown, and one of them was lost"
    choose(game, f"{KIDO}:0")
    assert sum(game.state.turn.back_aboard["kido"].values()) == 1, "the other was lost"
    open_turn(game.state)
    assert game.state.turn.back_aboard == {}


@pytest.mark.rule("17.3124", "18.524B", "18.564")
@pytest.mark.parametrize(
    ("aboard", "flown", "landed"),
    [((0, 0), (2, 1), (2, 1)), ((0, 0), (2, 3), (2, 1)), ((2, 0), (0, 3), (0, 1)), ((3, 1), (1, 1), (0, 0))],
)
def test_squadrons_return_to_the_sound_decks_that_are_free_and_the_rest_is_lost(
    aboard: tuple[int, int], flown: tuple[int, int], landed: tuple[int, int]
) -> None:
    """Akagi has room for three squadrons, regular or elite."""
    state = off_the_coast()
    force = state.operation.fleet["kido"]
    (regular,) = force.group.air
    kinds = (regular, unit("japan", Arm.ELITE, 4, 4, regular.home, regular.role, False))

    def air(numbers: tuple[int, int]) -> dict[Unit, int]:
        return {which: number for which, number in zip(kinds, numbers, strict=True) if number}

    force.group.air = air(aboard)
    game = play(state, script("back", lambda now: take_aboard(now, "kido", air(flown))))
    told = [entry.text for entry in game.log("red")]
    after = game.state
    assert after.operation.fleet["kido"].group.air == air((aboard[0] + landed[0], aboard[1] + landed[1]))
    assert after.turn.back_aboard == ({"kido": air(landed)} if any(landed) else {})
    assert sum(after.losses.air.values()) == sum(flown) - sum(landed)
    assert len(told) == any(landed) + (flown[0] > landed[0]) + (flown[1] > landed[1])


@pytest.mark.rule("18.5522", "18.562")
def test_what_one_force_launches_is_no_more_open_to_the_next() -> None:
    state = off_the_coast(second=True)
    game = play(state, script("launch", lambda now: send_from_carriers(now, Task.GROUND_SUPPORT, ((3, -6),), 5)))
    assert offered(game) == [f"{KIDO}:{number}" for number in (0, 1, 2, 3)]
    choose(game, f"{KIDO}:3")
    assert offered(game) == [f"{KIDO.replace('kido', 'second')}:{number}" for number in (0, 1, 2)]


@pytest.mark.rule("18.42A", "SOP-PA-E.1.a")
def test_squadrons_of_carriers_support_one_overrun() -> None:
    game = choose(play(off_the_coast("movement"), overruns), "overrun:3,-6", f"{KIDO}:2", "defend:done")
    choose(game, "go:3,-6:all", "result:3,-6:prevented", "overrun:4,-6")
    assert offered(game) == [f"{KIDO}:0", f"{KIDO}:1"]


@pytest.mark.rule("18.48")
def test_squadrons_of_carriers_go_around_neutral_land() -> None:
    assert forces_in_reach(off_the_coast(), Task.GROUND_SUPPORT, [(0, -5)]) == ["kido"]
    assert forces_in_reach(off_the_coast(neutral=["1,-6"]), Task.GROUND_SUPPORT, [(0, -5)]) == []


# --- defensive air support --------------------------------------------------------------------------------------


def town(*air: str, red: tuple[str, ...] = (), phase: str = "combat", **more: Any) -> State:
    return turn(
        base("kiel", "red", (0, 0), "3 germany army", *red, airbases=1),
        base("oslo", "blue", (3, 0), *air, airbases=1),
        units=[
            ground("anton", "red", "germany", "2,0", factors=2, kind="armor"),
            ground("jump", "red", "germany", "kiel", kind="airborne"),
            ground("mons", "blue", "britain", "oslo", factors=3),
        ],
        phase=phase,
        **more,
    )


@pytest.mark.rule("18.619", "18.611.1")
def test_support_that_was_deferred_may_be_sent_though_airborne_units_have_bettered_the_odds() -> None:
    announced = choose(play(town("3 britain army", red=("2 germany transport",)), ground_support), "attack:3,0")
    game = steer(announced, "support:3,0:kiel:germany:army:factors:0")
    game = play(game.state, ground_combat)  # 2 against 3: deferred
    choose(game, "airdrop:kiel:germany", "intercept:none", "fight:3,0", "go:3,0:all")  # 3 against 3
    assert offered(game)[-1] == "das:3,0:oslo:britain:army:factors:3"


def stayed(state: State, *waves: int) -> State:
    """A factor of each wave is over Oslo since the phase before."""
    army = units_of(state, "oslo", Arm.ARMY)
    for wave in waves:
        state.sites["oslo"].air[army] -= 1
        flight = Flight("blue", FlightKind.DEFENSIVE_SUPPORT, (3, 0), {army: 1}, wave=wave, contested=True, rounds=2)
        state.turn.flights.append(flight)
    return state


@pytest.mark.rule("18.618", "18.561")
def test_support_that_stays_for_exploitation_is_intercepted_together_whenever_it_came() -> None:
    dice = Scripted(("Red: air combat over hex 3,0, round 1, row 1", 1, 1), ("Blue: air combat", 1, 1))
    game = play(stayed(town("3 britain army", phase="exploitation"), 0, 1), exploitation, dice=dice)
    choose(game, "exploit:done", "defend:done", "intercept:3,0:kiel:germany:army:factors:1", "mission:3,0:continue")
    choose(game, "round:3,0:break-off")
    assert offered(game)[0].startswith("fight"), "there is no second interception"


@pytest.mark.rule("18.6141", "18.613.1")
def test_jets_may_escort_support_that_is_there_already() -> None:
    jets: dict[str, Any] = {"research": {"britain": {"jets": 12}}}
    state = stayed(town("1 britain army", "1 britain jet", phase="exploitation", **jets), 0)
    game = choose(play(state, exploitation), "exploit:done", "defend:3,0", "escort:3,0:oslo:britain:jet:factors:1")
    assert [flight.kind for flight in game.state.turn.flights] == [FlightKind.DEFENSIVE_SUPPORT, FlightKind.ESCORT]
    alone = town("1 britain jet", phase="exploitation", **jets)
    assert offered(choose(play(alone, exploitation), "exploit:done"))[0].startswith("fight")


# --- invasions --------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.5551", "18.554A")
def test_invaders_of_one_hex_attack_together_whichever_voyage_brings_them() -> None:
    forces = [
        small_force(
            *(name, "red", "kiel", {"nation": "germany", "laden_destroyers": 1}),
            cargo="a unit",
            orders=[{"activity": "seaborne-invasion", "to": "oslo"}],
        )
        for name in ("one", "two")
    ]
    state = turn(
        base("kiel", "red", (0, -7), "6 germany army", ports=2),
        base("oslo", "blue", (3, -7), ports=1),
        units=[
            ground("anton", "red", "germany", "kiel", aboard="one"),
            ground("berta", "red", "germany", "kiel", aboard="two"),
        ],
        forces=forces,
        phase="combat",
        phases=["combat"],
    )
    game = play(state, stage)
    while not offered(game)[0].startswith("support"):
        texts = offered(game)
        game.choose("order:two:0" if "order:two:0" in texts else texts[-1])
    assert [attack.units for attack in game.state.turn.attacks] == [["anton", "berta"]]
    assert offered(game)[-1] == "support:3,-7:kiel:germany:army:factors:6", "three for each of both"


# --- bombing ----------------------------------------------------------------------------------------------------


def raid(**more: Any) -> State:
    return turn(
        base("dover", "red", (0, 0), "3 germany army"),
        base("deal", "red", (0, 1), "3 germany army"),
        base("ruhr", "blue", (3, 0), "2 britain army"),
        base("kiel", "blue", (4, 0), "2 britain army"),
        base("york", "blue", (-4, 0), "1 britain army"),
        phase="combat",
        targets={"ruhr": "the Ruhr"},
        fronts={"dover": "west", "deal": "west"},
        **more,
    )


def opposed(game: Game[Any]) -> Game[Any]:
    choose(game, "bomb:germany:ruhr", "raid-from:ruhr:dover", "bombing:deal:germany:army:factors:3")
    return choose(game, "bombing:dover:germany:army:factors:3")


@pytest.mark.rule("T19.2-07")
def test_defenders_against_bombing_are_not_asked_who_of_them_aborts() -> None:
    game = opposed(play(raid(), bombing, dice=Scripted(("Red", 3, 3), ("Blue", 1, 1))))  # 1/3
    choose(game, "oppose:kiel:britain:army:factors:2", "oppose:ruhr:britain:army:factors:2")
    asked = [str(entry) for entry in steer(game).log("umpire")]
    assert [text for text in asked if "1 British army air factor eliminated" in text]
    assert not [text for text in asked if "Abort one of the British" in text]


def test_whoever_bombs_is_asked_by_base() -> None:
    game = opposed(play(raid(), bombing))
    assert [
        text
        for entry in game.log("umpire")
        if "how many of 3 German army air factors from Deal" in (text := str(entry))
    ]


@pytest.mark.rule("17.582")
def test_air_within_range_of_the_route_opposes_a_raid_though_it_does_not_reach_the_target() -> None:
    game = opposed(play(raid(), bombing))
    assert any([text.startswith("oppose:york") for text in offered(choose(game, *NOBODY))])


NOBODY = ("oppose:kiel:britain:army:factors:0", "oppose:ruhr:britain:army:factors:0")


# --- names ------------------------------------------------------------------------------------------------------


def test_units_and_hexes_have_names_for_people() -> None:
    assert hex_title(raid(), (3, 0)) == "Hex 3,0"
    game = choose(play(town("1 britain army"), ground_support), "attack:3,0")
    told = "Red: a ground attack against hex 3,0 with Anton (2 factors) (18.551)"
    assert told in [str(entry) for entry in game.log("umpire")]
