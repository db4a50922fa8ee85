"""What one step of an operation hands on to the next: used air, patrols that strike together, alarmed bases."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.passage.passage import from_below
from flagplot.awaw.options import Options
from flagplot.awaw.procedures import completion, operation, passage, patrol
from flagplot.awaw.state.operation import Activity, Order, Progress
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Roll
from tests.awaw.harbours import attack, begin, fleet_in_port, fly, waters
from tests.awaw.scenes import short
from tests.awaw.seas import flotilla, force, offered, play, port, sail, sea
from tests.awaw.voyages import cruise, dive, intercept, reaching

TRUK, RABAUL = port("truk", "red", (0, 0)), port("rabaul", "red", (0, 4))
NAVAL = "united-states:naval:squadrons"


def order(activity: str, to: Hex, stage: str = "combat", **more: Any) -> Order:
    return Order(Activity(activity), stage, to, **more)


def until(game: Game[State], verb: str) -> list[str]:
    """Go on with the least answers until something of this verb is asked; the verbs of all questions before it."""
    asked = []
    while game.pending is not None:
        if isinstance(game.pending, Roll):
            game.roll()
            continue
        texts = offered(game)
        asked.append(texts[0].rsplit(":", 1)[0])
        if texts[0].startswith(verb):
            break
        game.choose(next((text for text in texts if text.rsplit(":", 1)[-1] in QUIET), texts[0]))
    return asked


QUIET = ("none", "stay", "no", "done")


# --- air that was used at sea -----------------------------------------------------------------------------------


@pytest.mark.rule("23.164", "18.58", "18.473", "18.473.2", "18.42B")
def test_air_that_was_used_at_sea_is_inverted_when_the_redeployment_stage_is_over() -> None:
    """23.164, 18.473: squadrons that have attacked in the combat stage are uninverted as long as the stages of the
    player turn last, and inverted as the last of them ends; those that did nothing are not."""
    orders = [order("shore-bombardment", (5, 0)), order("redeployment", (0, 4), "redeployment", base="rabaul")]
    kido = force("kido", "red", "truk", cruisers=10, orders=orders)
    isle = port("isle", "blue", (5, 3), "4 united-states naval")
    state = sea(TRUK, RABAUL, isle, kido, stage="combat", stages=("combat", "redeployment"))
    game = play(state, operation, dice=reaching(1))
    for wanted in ("order:kido:0", "sortie:v1:yes", f"search:isle:{NAVAL}:1", "strike:1", f"fly:isle:{NAVAL}:2"):
        until(game, wanted.rpartition(":")[0])
        game.choose(wanted)
    until(game, "order:kido")
    assert game.state.now == "redeployment"
    assert short(game.state.sites["isle"].air) == {"united-states naval": 4}
    until(game, "nothing more")
    assert short(game.state.sites["isle"].air) == {"united-states naval": 1, "united-states naval inverted": 3}


@pytest.mark.rule("23.164", "18.473.2", "23.144")
def test_army_air_that_was_used_at_sea_is_put_together_after_it_is_inverted() -> None:
    """23.164, 23.144: broken-down factors whose squadrons were used are inverted factors in the end; one that is made
    of squadrons that did nothing is uninverted."""
    kido = force("kido", "red", "truk", cruisers=10, orders=[order("shore-bombardment", (5, 0))])
    isle = port("isle", "blue", (5, 3), "3 united-states army")
    state = sea(TRUK, isle, kido, stage="combat", stages=("combat",))
    wanted = ("sortie:v1:yes", "search:isle:united-states:army:search:1", "strike:1")
    flying = "fly:isle:united-states:army:attack:2"
    made = cruise(state, operation, "order:kido:0", *wanted, flying, dice=reaching(1)).state
    assert short(made.sites["isle"].air) == {"united-states army": 1, "united-states army inverted": 2}
    assert not made.sites["isle"].used


# --- patrols that attack bases ----------------------------------------------------------------------------------


def carriers(name: str, *named: str, at: Hex) -> dict[str, Any]:
    return force(name, "red", "truk", *named, cruisers=6, air=3, at=at, patrol="offensive")


@pytest.mark.rule("SOP-PA-E.1", "SOP-PA-E.1.c", "18.512B")
@pytest.mark.parametrize("strikes", [True, False])
def test_patrols_in_one_hex_strike_together_and_once(strikes: bool) -> None:
    """SOP-PA-E.1: in the combat stage the squadrons of all patrols in a hex fly together, in one attack, or do not; a
    patrol in another hex has its own."""
    pearl = port("pearl", "blue", (9, 0), "1 united-states army")
    patrols = (
        carriers("one", "Akagi", at=(7, 0)),
        carriers("two", "Kaga", at=(7, 0)),
        carriers("three", "Soryu", at=(7, 2)),
    )
    state = sea(TRUK, pearl, *patrols, stage="combat", stages=("combat",))
    game = play(state, operation, dice=reaching(1))
    until(game, "base-attack:one")
    game.choose(f"base-attack:one:{'pearl' if strikes else 'none'}")
    if strikes:
        until(game, "fly")
        assert offered(game)[-1] == "fly:red-at-sea:japan:naval:squadrons:6"
        game.choose(offered(game)[-1])
    asked = [verb for verb in until(game, "nothing more") if verb.startswith("base-attack")]
    assert asked == ["base-attack:three"]


@pytest.mark.rule("SOP-PA-E.1", "SOP-PA-E.1.c")
@pytest.mark.parametrize("before", ["", "ground-support/combat"])
def test_a_patrol_whose_squadrons_have_done_something_else_attacks_no_base(before: str) -> None:
    """SOP-PA-E.1: its squadrons have one task: who has attacked a base has done his, and who has done another attacks
    none."""
    state = sea(TRUK, port("pearl", "blue", (9, 0)), carriers("one", "Akagi", at=(7, 0)), stage="combat")
    state.operation.tasks = {"one": before} if before else {}
    game = play(state, operation)
    until(game, "base-attack:one")
    assert (game.pending is None) == bool(before)
    if not before:
        game.choose("base-attack:one:pearl")
        until(game, "fly")
        assert game.state.operation.tasks == {"one": "base-attack"}


# --- bases that are alarmed -------------------------------------------------------------------------------------


@pytest.mark.rule("23.46C", "23.46")
@pytest.mark.parametrize(
    ("met", "loser", "leaves"),
    [("6,0", "blue", True), ("5,0", "blue", False), ("6,0", "red", False)],
)
def test_ships_may_leave_bases_near_a_patrol_that_was_in_naval_combat(met: str, loser: str, leaves: bool) -> None:
    """23.46C: after naval combat with a patrol in its patrol hex ships and air units in bases within range of it may
    leave; not if it was met on its way, nor if it was driven off and is no patrol any more."""
    bases = (
        port("noumea", "blue", (8, 0), "1 united-states army"),
        port("suva", "blue", (10, 0)),
        port("pearl", "blue", (20, 0)),
    )
    kido = force("kido", "red", "truk", "Akagi", cruisers=8, air=3)
    fleets = (force("tf", "blue", "suva", cruisers=10), force("old", "blue", "noumea", cruisers=10))
    state = sea(TRUK, *bases, kido, *fleets, strategic="blue")
    sail(state, "patrol", "kido", (6, 0), shown=False)
    state.operation.fleet["kido"].group.activity = "patrol"
    orders = [f"intercept:v1:1:{met}", "go:v1:1:tf:direct"]
    orders += ["escape:old:suva", "flee-from:noumea:leave"] if leaves else []
    played = cruise(state, patrol.start("v1"), *orders, flees=loser, dice=reaching())
    assert played.places == [met]
    assert ("escape:old" in played.asked) == leaves
    assert ("flee-from:noumea" in played.asked) == leaves
    assert played.state.operation.fleet["old"].base == ("suva" if leaves else "noumea")
    assert not short(played.state.sites["noumea"].air) if leaves else short(played.state.sites["noumea"].air)


def patrol_near_noumea(**more: Any) -> State:
    """A patrol on its way to (6, 0), two hexes from the air and the ships in Noumea."""
    bases = (port("noumea", "blue", (8, 0), "1 united-states army"), port("suva", "blue", (10, 0)))
    kido = force("kido", "red", "truk", "Akagi", cruisers=8, air=3)
    fleets = (force("tf", "blue", "suva", cruisers=10), force("old", "blue", "noumea", cruisers=10))
    state = sea(TRUK, *bases, port("pearl", "blue", (20, 0)), kido, *fleets, strategic="blue", **more)
    sail(state, "patrol", "kido", (6, 0), shown=False)
    state.operation.fleet["kido"].group.activity = "patrol"
    return state


@pytest.mark.rule("23.46C", "23.461A")
@pytest.mark.parametrize(("reading", "often"), [("each-round", 2), ("after-battle", 1)])
def test_air_units_may_leave_bases_near_a_patrol_after_each_round(reading: str, often: int) -> None:
    """Two rounds: they are asked after the first, and when the battle is over."""
    state = patrol_near_noumea(options=Options(escape_from_patrols=reading))
    orders = ["intercept:v1:1:6,0", "go:v1:1:tf:direct"]
    played = cruise(state, patrol.start("v1"), *orders, rounds={"6,0": 2}, dice=reaching())
    assert played.battles[-1].rounds == 2
    assert played.asked.count("flee-from:noumea") == often
    gone = patrol_near_noumea(options=Options(escape_from_patrols=reading))
    played = cruise(gone, patrol.start("v1"), *orders, "flee-from:noumea:leave", rounds={"6,0": 2}, dice=reaching())
    assert played.asked.count("flee-from:noumea") == 1


@pytest.mark.rule("23.46A", "23.462A", "22.43")
def test_ships_may_leave_a_base_that_carriers_attacked_in_a_naval_battle() -> None:
    """The patrol is met before its hex, and its squadrons attack Noumea in the battle: the ships there may leave when
    it is over."""
    orders = ["intercept:v1:1:5,0", "go:v1:1:tf:direct"]
    for flies in (True, False):
        sent = ["send:noumea:red-at-sea:japan:naval:squadrons:1", "escape:old:suva"] * flies
        played = cruise(patrol_near_noumea(), patrol.start("v1"), *orders, *sent, dice=reaching())
        assert played.places == ["5,0"]
        assert ("escape:old" in played.asked) == flies
        assert played.state.operation.fleet["old"].base == ("suva" if flies else "noumea")


@pytest.mark.rule("17.3126C.2", "23.462A")
def test_squadrons_of_ships_that_escape_are_aboard_before_the_air_of_the_base_leaves() -> None:
    """17.3126C: carriers that leave a base take their squadrons with them; what is asked afterwards about the air of
    the base (23.461) is not about them."""
    pac = fleet_in_port("Enterprise", air=3, task_force=False)
    state = waters(port("cove", "blue", (3, 4)), pac, red=["1 japan naval"])
    played = cruise(begin(state, dice=reaching(1)), None, "escape:pac:cove", "embark:pac:aboard")
    assert "flee-from:pearl" not in played.asked
    assert (played.state.operation.fleet["pac"].base, short(played.state.operation.fleet["pac"].group.air)) == (
        "cove",
        {"united-states naval": 3},
    )


@pytest.mark.rule("17.3127", "17.3126#note1.1")
def test_squadrons_whose_carriers_are_afloat_leave_room_for_those_whose_carrier_was_sunk() -> None:
    """17.3127: a port and an airbase hold thirty squadrons. 27 are based there and three are the Enterprise's, which
    take no room: so the three of the Hornet, sunk in port, find theirs."""
    state = waters(
        fleet_in_port("Enterprise", "Hornet", air=6, task_force=False),
        air=["27 united-states naval inverted"],
        red=["8 japan naval"],
    )
    dice = [("Blue: air combat", 1, 1), ("air defense", 1, 1), ("attack on Hornet", 6, 6), ("critical", 1)]
    aims = ("target:hornet", "against:hornet:field:japan:naval:squadrons:4")
    made = attack(state, fly(8), *aims, rolls=dice).state
    assert sum(made.sites["pearl"].air.values()) == 33
    assert not [pool for pool in made.losses.air if pool.startswith("united-states")]


# --- what is carried out ----------------------------------------------------------------------------------------


def arrived(activity: str, *entries: dict[str, Any], base: str = "", **more: Any) -> State:
    """The force ``kido`` has come to (6, 0) on some activity, as v1."""
    state = sea(TRUK, *entries, **more)
    sail(state, activity, "kido", (6, 0), base=base)
    voyage = state.operation.voyages["v1"]
    voyage.step, voyage.progress = len(voyage.path) - 1, Progress.ARRIVED
    state.operation.fleet["kido"].at = (6, 0)
    return state


@pytest.mark.rule("23.61B", "22.131")
@pytest.mark.parametrize(("activity", "attacks"), [("fast-carrier-mission", True), ("shore-bombardment", False)])
def test_carriers_that_have_reached_their_mission_hex_attack_bases(activity: str, attacks: bool) -> None:
    """22.131, 23.61B: carrying out a fast carrier mission is attacking bases; on other activities carriers do not."""
    kido = force("kido", "red", "truk", "Akagi", cruisers=8, air=3)
    state = arrived(activity, port("noumea", "blue", (8, 0)), kido, stage="combat")
    played = cruise(state, completion.start("v1"))
    assert ("base-attack:v1" in played.asked) == attacks
    assert played.state.operation.fleet["kido"].inverted


@pytest.mark.rule("22.35", "22.11C")
def test_raiders_that_have_reached_their_box_are_sought_there() -> None:
    """22.11C: carrying out a raid is being sought in the box, after which there is raider combat or none (22.35)."""
    kido = force("kido", "red", "truk", "Admiral Graf Spee", nation="germany", task_force=False)
    box = port("atlantic", "blue", (6, 0), box=True)
    state = arrived("raid", box, kido, base="atlantic", stage="redeployment")
    played = cruise(state, completion.start("v1"), dice=reaching(1))
    assert [roll for roll in played.rolled if "are sought" in roll]


@pytest.mark.rule("SOP-PA-C", "SOP-PA-D.1")
@pytest.mark.parametrize("choice", ["stay", "return"])
def test_a_patrol_counts_when_it_was_in_its_hex_and_returns_inverted(choice: str) -> None:
    """SOP-PA-C, D.1: by being in its hex a patrol is carried out, whether it stays or not; who returns is inverted at
    base although nobody has met him."""
    kido = force("kido", "red", "truk", cruisers=10)
    state = sea(TRUK, port("noumea", "blue", (20, 0)), kido)
    sail(state, "patrol", "kido", (6, 0), worth=2)
    played = cruise(state, patrol.start("v1"), f"stay:v1:{choice}")
    assert played.state.operation.done == {"red": 2}
    made = played.state.operation.fleet["kido"]
    assert (made.inverted, made.patrol) == ((False, "offensive") if choice == "stay" else (True, ""))


# --- submarines -------------------------------------------------------------------------------------------------


@pytest.mark.rule("SOP-PA-E.7", "18.511B")
@pytest.mark.parametrize(
    ("side", "at", "stage", "asked"),
    [
        ("blue", (2, 0), "movement", 1),
        ("blue", (2, 0), "combat", 0),
        ("blue", (16, 0), "movement", 0),
        ("red", (2, 0), "movement", 0),
    ],
)
def test_land_based_air_is_asked_once_about_enemy_submarines_in_range(
    side: str, at: Hex, stage: str, asked: int
) -> None:
    """SOP-PA-E.7, 18.511B: in the movement stage each patrol of enemy submarines in range may be attacked, once."""
    home = {"red": "truk", "blue": "noumea"}[side]
    boats = flotilla("boats", side, home, 2, at=at, patrol="defensive")
    ports = port("truk", "red", (0, 0), "2 japan army"), port("noumea", "blue", (20, 0))
    state = sea(*ports, boats, stage=stage, stages=(stage,))
    assert cruise(state, operation).asked.count("hunt:boats") == asked


@pytest.mark.rule("SOP-PA-E.5", "22.913")
def test_submarines_are_recalled_after_the_combat_stage_and_not_asked_again() -> None:
    """SOP-PA-E.5: who stays after the combat stage stays until the enemy's player turn is over."""
    boats = flotilla("boats", "red", "truk", 2, at=(6, 0), patrol="offensive")
    state = sea(TRUK, RABAUL, boats, stages=("movement", "combat", "redeployment"))
    played = cruise(state, operation, "recall:boats:stay")
    assert played.asked.count("recall:boats") == 1


@pytest.mark.rule("22.24B.3", "22.914", "22.92")
@pytest.mark.parametrize("ships", [True, False])
def test_a_submarine_that_is_late_needs_naval_combat_to_join(ships: bool) -> None:
    """22.24B: a submarine that fell short joins the battle in its round; if those who were in time have been stopped
    there is none, and it returns without having attacked (22.92)."""
    kido, tf = force("kido", "red", "truk", cruisers=10), force("tf", "blue", "noumea", cruisers=10)
    state = sea(TRUK, port("noumea", "blue", (9, 0)), kido, tf, flotilla("boats", "blue", "noumea"), stage="combat")
    sail(state, "shore-bombardment", "kido", (6, 0))
    if ships:
        intercept(state, "tf", "v1", (4, 0))
    late = state.operation.voyages[dive(state, "boats", "v1", (4, 0))]
    voyage = state.operation.voyages["v1"]
    for arrives in (1, 2):
        late.arrives, voyage.step = arrives, 4
        assert bool(from_below(state, "v1")) == (arrives == 1), "by itself it attacks if it is in time"
    voyage.step, state.operation.encounter = -1, None
    game = play(state, passage.start("v1"))
    asked = until(game, "withdraw" if ships else "nothing more")
    assert [submarines.arrives for submarines in game.state.battle.submarines] == [2] * ships
    if not ships:
        assert not asked
        assert game.state.operation.voyages["v1"].progress is Progress.ARRIVED
        assert not game.state.operation.flotillas["boats"].inverted


# --- battles ----------------------------------------------------------------------------------------------------

NOUMEA, SYDNEY, SUVA = port("noumea", "blue", (9, 0)), port("sydney", "blue", (9, 4)), port("suva", "blue", (12, 0))
KIDO, COVER = force("kido", "red", "truk", "Akagi", cruisers=8), force("cover", "red", "rabaul", cruisers=10)
TF, FAR = force("tf", "blue", "noumea", cruisers=10), force("far", "blue", "suva", cruisers=10)


def mission(*more: dict[str, Any]) -> State:
    """Kido sails from Truk in (0, 0) to (6, 0) as v1."""
    state = sea(TRUK, RABAUL, NOUMEA, SYDNEY, SUVA, KIDO, COVER, TF, *more, stage="combat")
    sail(state, "fast-carrier-mission", "kido", (6, 0))
    state.operation.fleet["kido"].group.activity = "fast-carrier-mission"
    return state


@pytest.mark.rule("22.163A", "SOP-NI-F.2.a")
def test_patrols_do_not_help_those_who_counter_elsewhere() -> None:
    """22.163A: patrols come to the interception hex alone, not to where a counter-interception is countered, although
    it is their own side that is met there."""
    guard = force("guard", "red", "truk", cruisers=10, at=(5, 2), patrol="offensive")
    state = mission(force("third", "blue", "sydney", cruisers=10), guard)
    counter = intercept(state, "cover", intercept(state, "tf", "v1", (4, 0)), (6, 0))
    at = state.operation.voyages[counter].path[3]
    intercept(state, "third", counter, at)
    played = cruise(state, passage.start("v1"), flees="blue")
    assert (played.battles[0].at, played.battles[0].level) == (f"{at[0]},{at[1]}", 3)
    assert "support:guard" not in played.asked[: played.asked.index("withdraw")]


@pytest.mark.rule("22.252E", "22.252C", "22.81D")
def test_who_was_to_join_later_goes_on_with_the_victors() -> None:
    """22.252E: of interceptors on one path those too may complete their interception who had not yet come up when the
    battle was won."""
    state = mission(FAR)
    first = intercept(state, "tf", "v1", (3, 0))
    intercept(state, "far", "v1", (3, 0), arrives=3, reached=3)
    intercept(state, "cover", first, (6, 0))
    played = cruise(state, passage.start("v1"), flees={"6,0": "red", "3,0": "red"}, rounds={"3,0": 3})
    assert [(battle.at, battle.arrives) for battle in played.battles] == [
        ("6,0", {"tf": 1, "far": 2, "cover": 1}),
        ("3,0", {"kido": 1, "tf": 1, "far": 3}),
    ]


@pytest.mark.rule("22.81C")
def test_who_has_countered_takes_over_what_he_protected() -> None:
    """22.81C: of two forces that are met together each has its own interceptor; who countered that of the second adopts
    the second's mission."""
    state = mission(force("two", "red", "truk", cruisers=10), force("tf2", "blue", "noumea", cruisers=10))
    second = sail(state, "shore-bombardment", "two", (6, 0))
    intercept(state, "tf", "v1", (4, 0))
    intercept(state, "cover", intercept(state, "tf2", second, (4, 0)), (4, 0))
    played = cruise(state, passage.start("v1"), flees="blue")
    assert played.battles[0].forces == {"kido", "two", "tf", "tf2", "cover"}
    assert played.state.operation.fleet["cover"].voyage == second


@pytest.mark.rule("22.141", "22.19B")
def test_who_has_waited_for_a_battle_sails_on_when_he_is_told_to() -> None:
    """22.141: a force that was called to the hex where others are met with it stays there until its own turn comes."""
    state = mission(force("two", "red", "truk", cruisers=10))
    second = sail(state, "shore-bombardment", "two", (6, 0))
    intercept(state, "tf", "v1", (4, 0))
    played = cruise(state, passage.start("v1"), flees="blue")
    assert played.battles[0].forces == {"kido", "two", "tf"}
    assert played.state.operation.fleet["kido"].at == (6, 0)
    assert played.state.operation.fleet["two"].at == (4, 0)
    assert played.state.operation.voyages[second].is_open
