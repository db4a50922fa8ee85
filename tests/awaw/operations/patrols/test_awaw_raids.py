"""Raids into an SW box (21.53 as far as it is known, 22.35): who finds the raiders, who meets them, what they sink."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.operations.patrols.raids import HUNTERS, finding_ledger
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import completion, operation, passage, raid
from flagplot.awaw.ships import Fleet, Kind
from flagplot.awaw.state.operation import Activity, Order, Progress
from flagplot.awaw.state.state import State
from flagplot.kernel.dice import Scripted
from tests.awaw.battles import fleet_of, ships
from tests.awaw.seas import force, offered, play, port, sail, sea
from tests.awaw.voyages import Cruise, cruise, intercept, reaching

BREST, BOX = port("brest", "red", (0, 0)), port("atlantic", "blue", (8, 0), box=True)
GIBRALTAR = port("gibraltar", "blue", (4, 4))
RAIDERS = force("raiders", "red", "brest", "Admiral Graf Spee", nation="germany", task_force=False)
RAID = Order(Activity.RAID, "redeployment", (8, 0), "atlantic")


def british(*named: str, **light: Any) -> dict[str, Any]:
    """Ships of the Royal Navy in the box."""
    return force("stock", "blue", "atlantic", *named, nation="britain", **({"task_force": False} | light))


def scene(*more: dict[str, Any], transports: int = 4, **plan: Any) -> State:
    """Raiders in the box, at the beginning of their raid, as v1; some transports are there."""
    state = sea(BREST, BOX, GIBRALTAR, RAIDERS, *more, stage="redeployment", **plan)
    sail(state, "raid", "raiders", (8, 0), base="atlantic")
    state.operation.voyages["v1"].step, state.operation.voyages["v1"].progress = 8, Progress.ARRIVED
    state.operation.fleet["raiders"].at = (8, 0)
    state.elsewhere.transports = fleet_of(nation="britain", transports=transports)
    return state


def hunt(state: State, *dice: tuple[Any, ...], orders: tuple[str, ...] = ()) -> Cruise:
    """The raid with these dice for finding and for kinds of ships, then sixes."""
    return cruise(state, raid.start("v1"), *orders, dice=Then(*dice))


class Then(Scripted):
    """Dice that are given, and sixes after them."""

    def faces(self, roll: Any, number: int, head: Any) -> tuple[int, ...]:
        return super().faces(roll, number, head) if self._rolls else (6,) * int(roll.dice)


SOUGHT, WHICH = "search for", "ship that meets"


# --- finding them: 21.5342 --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("face", "before", "hunting", "met"),
    [(3, 0, 0, 0), (4, 0, 0, 1), (6, 0, 0, 3), (3, 1, 0, 1), (3, 0, 1, 1), (1, 1, 1, 0), (2, 1, 1, 1)],
)
@pytest.mark.rule("22.11C")
def test_how_many_ships_meet_the_raiders(face: int, before: int, hunting: int, met: int) -> None:
    """21.5342: a die less three, one more for each group before them in the box and for what the scenario adds: so many
    ships meet them. In the box no interception of (22.11C)."""
    state = scene(british(destroyers=9), hunting=hunting)
    state.operation.raids = {"pacific": 3} | ({"atlantic": before} if before else {})
    played = hunt(state, (SOUGHT, face), *[(WHICH, 1)] * met)
    assert sum("ship that meets" in roll for roll in played.rolled) == met
    assert len(played.battles) == 0
    assert ("meet the raiders" in played.log()) == bool(met)
    assert played.state.operation.raids == {"atlantic": before + 1, "pacific": 3}
    assert not any(verb.startswith(("intercept", "route")) for verb in played.asked)


def test_three_ships_are_easier_to_find() -> None:
    """21.5342: a group of three ships gives one more."""
    state = scene(british(destroyers=4))
    assert [line.amount for line in finding_ledger(state, state.operation.voyages["v1"])] == [-3]
    state.operation.fleet["raiders"].group.ships = fleet_of("Admiral Graf Spee", "Lutzow", "Admiral Scheer")
    assert [line.amount for line in finding_ledger(state, state.operation.voyages["v1"])] == [-3, 1]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (1, {"britain destroyer": 1}),
        (2, {"britain cruiser": 1}),
        (3, {"hood": 0}),
        (4, {"king-george-v": 0}),
        (5, {"king-george-v": 0}),
        (6, {"ark-royal": 0, "britain destroyer": 2}),
    ],
)
def test_which_kind_of_ship_meets_them(line: int, found: dict[str, int]) -> None:
    """21.5342: one a destroyer, two a cruiser, three to five a capital ship of so many factors, six a fast carrier with
    as many light factors; if there is none, a ship of the next lower line. Slow and damaged ships find nobody."""
    stock = british("Hood", "King George V", "Ark Royal", "Nelson", cruisers=4, destroyers=6, task_force=True)
    state = scene(stock)
    game = play(state, raid.start("v1"), dice=Then((SOUGHT, 4), (WHICH, line)))
    while HUNTERS not in game.state.battle.groups:
        game.roll() if not hasattr(game.pending, "options") else game.choose(offered(game)[0])
    assert ships(game.state.battle.groups[HUNTERS]) == found


def test_carriers_that_meet_them_have_their_squadrons_aboard() -> None:
    """21.5342: a fast carrier comes with its air group, and takes it back into the box."""
    state = scene(british("Ark Royal", "Furious", destroyers=8, task_force=True, air=4))
    game = play(state, raid.start("v1"), dice=Then((SOUGHT, 4), (WHICH, 6)))
    while HUNTERS not in game.state.battle.groups:
        game.roll() if not hasattr(game.pending, "options") else game.choose(offered(game)[0])
    hunters, stock = game.state.battle.groups[HUNTERS], game.state.operation.fleet["stock"].group
    sizes = {which.id: which.size for which in hunters.ships if which.fast_carrier}
    assert sum(hunters.air.values()) == sum(sizes.values())
    assert sum(hunters.air.values()) + sum(stock.air.values()) == 4
    made = cruise(game).state
    assert sum(made.operation.fleet["stock"].group.air.values()) + sum(made.losses.air.values()) == 4


def test_nobody_is_there_to_meet_them() -> None:
    """21.5342: without ships in the box, or with none of the line or lower, the raiders are not met."""
    for state in (scene(), scene(british("Nelson", task_force=False)), scene(british(cruisers=2))):
        played = hunt(state, (SOUGHT, 4), *[(WHICH, 1)] * ("stock" in state.operation.fleet))
        assert "no ship meets the raiders" in played.log()


# --- combat and transports: 22.35 -------------------------------------------------------------------------------


def sunk(state: State) -> Fleet:
    return {which: number for which, number in state.losses.ships.items() if which.kind is Kind.TRANSPORT}


@pytest.mark.rule("22.35E")
@pytest.mark.parametrize("transports", [0, 4])
def test_raiders_that_nobody_meets_attack_the_transports(transports: int) -> None:
    """22.35E: unopposed they attack the transports on the Naval Attack Table; each hit sinks one."""
    played = hunt(scene(transports=transports), (SOUGHT, 1))
    assert bool(sunk(played.state)) == bool(transports)
    assert sum(sunk(played.state).values()) + sum(played.state.elsewhere.transports.values()) == transports
    assert not played.state.elsewhere.exposed
    assert not played.state.battle.groups
    assert "CG 1 (Red) revealed: " in played.log()


@pytest.mark.rule("22.35", "22.35D", "22.11A.3")
def test_hunters_fight_one_round_and_are_back_in_the_box() -> None:
    """22.35: one round of combat between the raiders and those who found them, whom nobody could intercept; then the
    hunters are among the others in the box again."""
    state = scene(british(cruisers=4, destroyers=4))
    played = hunt(state, (SOUGHT, 5), (WHICH, 2), (WHICH, 1))
    assert HUNTERS not in played.state.operation.fleet
    left = sum(played.state.operation.fleet["stock"].group.ships.values())
    lost = sum(number for which, number in played.state.losses.ships.items() if which.nation == "britain")
    assert left + lost - sum(sunk(played.state).values()) == 6
    assert "Round 1" in played.log()
    assert "Round 2" not in played.log()
    assert played.state.operation.fleet["stock"].in_port


@pytest.mark.rule("22.35")
def test_hunters_that_were_all_there_was_stay_in_the_box() -> None:
    """A stock of which all ships met the raiders is not lost when it comes back."""
    played = hunt(scene(british(cruisers=4)), (SOUGHT, 6), (WHICH, 2), (WHICH, 2), (WHICH, 2))
    theirs = [
        force_
        for force_ in played.state.operation.fleet.values()
        if force_.side == "blue" and force_.base == "atlantic"
    ]
    left = sum(number for force_ in theirs for number in force_.group.ships.values())
    lost = sum(number for which, number in played.state.losses.ships.items() if which.kind is Kind.CRUISER)
    assert left + lost == 2
    assert all(force_.in_port for force_ in theirs)


@pytest.mark.rule("23.444")
@pytest.mark.parametrize(("reading", "hits"), [("removed", 0), ("kept", 1)])
def test_hits_on_hunters_short_of_damage(reading: str, hits: int) -> None:
    """20.512: the box is their base, so that such hits are removed there; by the other reading not before a port."""
    state = scene(british("Renown", cruisers=4, hits={"Renown": 1}), options=Options(hunters_hits=reading))
    played = hunt(state, (SOUGHT, 4), (WHICH, 3))
    (renown,) = [which for which in played.state.operation.fleet["stock"].group.ships if which.id == "renown"]
    assert renown.hits == hits


# --- there and back ---------------------------------------------------------------------------------------------


@pytest.mark.rule("22.15B", "22.15C")
def test_raiders_return_with_the_others_and_are_inverted() -> None:
    """22.15C: after the raid the raiders wait, and return; at base they are inverted."""
    home = force("raiders", "red", "brest", "Admiral Graf Spee", nation="germany", task_force=False, orders=[RAID])
    state = sea(BREST, BOX, GIBRALTAR, home, stage="redeployment", stages=("redeployment",))
    played = cruise(state, operation, "order:raiders:0", dice=reaching(2))
    raiders = played.state.operation.fleet["raiders"]
    assert (raiders.at, raiders.base, raiders.inverted) == ((0, 0), "brest", True)
    assert "search for group 1 (Red) in Atlantic" in played.log()


@pytest.mark.rule("22.11C")
def test_raiders_may_be_intercepted_on_the_map() -> None:
    """22.11C: on their way to the box raiders may be intercepted as others; beaten they never get there."""
    home = force("raiders", "red", "brest", "Admiral Graf Spee", nation="germany", task_force=False, orders=[RAID])
    guard = force("guard", "blue", "gibraltar", nation="britain", cruisers=10)
    state = sea(BREST, BOX, GIBRALTAR, home, guard, stage="redeployment", stages=("redeployment",), strategic="blue")
    meet = ("order:raiders:0", "route:v1", "intercept:v1:1:4,0", "go:v1:1:guard:direct")
    played = cruise(state, operation, *meet, flees="red", dice=reaching())
    assert played.places == ["4,0"]
    assert "search for" not in played.log()


def test_a_raid_that_is_lost_is_over() -> None:
    """Raiders that are all is sunk do not return, and what they were worth is counted once."""
    state = scene(british("King George V", destroyers=8, task_force=True))
    state.operation.voyages["v1"].worth = 3
    state.operation.fleet["raiders"].group.ships = {
        which.bearing(1): number for which, number in state.operation.fleet["raiders"].group.ships.items()
    }
    played = cruise(state, completion.start("v1"), dice=Then((SOUGHT, 4), (WHICH, 5)), guns=True)
    assert played.state.operation.done == {"red": 3}
    assert played.state.operation.is_over("v1")


@pytest.mark.rule("22.552B.4", "22.552B")
def test_transports_in_the_box_hamper_nobody_in_a_battle_on_the_map() -> None:
    """22.552B: only those who shield transports from raiders are hampered, not interceptors elsewhere."""
    truk, noumea = port("truk", "red", (0, 0)), port("noumea", "blue", (8, 0))
    hunted, hunter = force("kido", "red", "truk", cruisers=10), force("tf", "blue", "noumea", cruisers=10)
    state = sea(truk, noumea, hunted, hunter, stage="combat")
    state.elsewhere.transports = fleet_of(nation="britain", transports=4)
    sail(state, "fast-carrier-mission", "kido", (6, 0))
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), guns=True)
    assert any("fire" in rolled for rolled in played.rolled)
    assert "hampered" not in played.log()


@pytest.mark.rule("22.463B.2", "17.3124.4", "22.35", "17.462", "18.49", "22.35C")
def test_nobody_flies_between_the_box_and_the_map() -> None:
    """The box is drawn beside a base of the hunters and one from which kamikazes fly: neither is near."""
    ports = port("azores", "blue", (7, 1)), port("kyushu", "red", (8, 2))
    state = scene(british("Ark Royal", destroyers=8, task_force=True, air=2), *ports)
    state.kamikazes = 4
    game = play(state, raid.start("v1"), dice=Then((SOUGHT, 4), (WHICH, 6)))
    patrolled = False
    while game.pending is not None:
        if not hasattr(game.pending, "options"):
            game.roll()
            continue
        texts = offered(game)
        assert not texts[0].startswith(("ashore:", "kamikazes:"))
        patrolled |= texts[0].startswith("patrol:")
        game.choose(texts[-1] if texts[0].startswith("patrol:") else texts[0])
    assert patrolled
