"""Announcing naval activities (22.15): forces, cargo, destinations, paths, and forces that sail together (22.13)."""

from __future__ import annotations

from typing import Any

import pytest

from flagplot.awaw.mapboard.board import Label
from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.operations.announcing import meeting_hexes
from flagplot.awaw.operations.interception.dice import carries_cargo
from flagplot.awaw.operations.interception.hexes import forces_on_leg, open_legs
from flagplot.awaw.operations.passage.completion import freight
from flagplot.awaw.procedures import announcing, operation, passage
from flagplot.awaw.state.operation import Activity, Order, Progress
from flagplot.awaw.state.state import State
from flagplot.kernel.requests import Choose
from tests.awaw import seas
from tests.awaw.looks import look
from tests.awaw.seas import flotilla, force, ocean, offered, order, play, port, sail, sea, steer
from tests.awaw.seas import play as begin
from tests.awaw.voyages import Cruise, cruise, intercept

TRUK, NOUMEA = port("truk", "red", (0, 0)), port("noumea", "blue", (9, 0))
TF = force("tf", "blue", "noumea", cruisers=10)


def announce(state: State, *orders: str) -> State:
    """The state after these orders were given."""
    return steer(begin(state, announcing), *orders).state


def asked(state: State) -> list[str]:
    """All options of the first question to each force."""
    return cruise(state, announcing).asked


def orders_of(state: State, key: str, *before: str) -> list[str]:
    """What a force may do beside staying in port, after these answers."""
    game = begin(state, announcing)
    while isinstance(game.pending, Choose) and not offered(game)[0].startswith(f"order:{key}:"):
        game.choose(next((text for text in before if text in offered(game)), offered(game)[0]))
    return [text for text in offered(game) if text.startswith(f"order:{key}:") and not text.endswith(":stay")]


# --- 22.15 ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.15A", "22.15B", "SOP-PA-A")
@pytest.mark.parametrize(
    ("stage", "texts"),
    [
        ("movement", ["order:kido:0", "order:kido:1"]),
        ("combat", ["order:kido:2"]),
        ("redeployment", ["order:kido:3", "order:kido:4", "order:kido:5"]),
    ],
)
def test_each_stage_has_its_activities(stage: str, texts: list[str]) -> None:
    """22.15A-B: patrols and changes of base, then missions, then supply, raids and redeployment together."""
    kido = force(
        "kido",
        "red",
        "truk",
        cruisers=10,
        orders=[
            order("patrol", (5, 0), "movement"),
            order("base-change", (0, 4), "movement"),
            order("fast-carrier-mission", (6, 0)),
            order("sea-supply", (4, 0), "redeployment"),
            order("raid", (7, 0), "redeployment"),
            order("redeployment", (0, 4), "redeployment"),
        ],
    )
    game = begin(sea(TRUK, NOUMEA, kido, stage=stage), announcing)
    assert offered(game) == ["order:kido:stay", *texts]


@pytest.mark.rule("22.15", "SOP-NI-A", "22.164A")
def test_all_is_announced_before_the_enemy_decides() -> None:
    """22.15: all activities of the stage with forces, cargo and destinations are announced before the enemy is asked
    for paths or interceptions."""
    escort = force("escort", "red", "truk", cruisers=10, orders=[order("shore-bombardment", (6, 0))])
    laden: dict[str, Any] = {"laden_destroyers": 2, "cargo": "a division", "task_force": False}
    troops = force("troops", "red", "truk", cruisers=4, **laden, orders=[order("seaborne-invasion", (6, 0))])
    state = sea(TRUK, NOUMEA, TF, escort, troops, stage="combat", stages=("combat",))
    played = cruise(state, operation, "order:escort:0", "order:troops:0", "route:all", "intercept:v1:1:4,0")
    first = [verb.split(":")[0] for verb in played.asked]
    assert first[: first.index("route")].count("order") == 2
    assert "order" not in first[first.index("route") :]
    told = played.log("blue")
    announced = told[: told.index("Ask to see a path")]
    assert "TF 1 (Red) from Truk on shore bombardment" in announced
    assert "on seaborne invasion" in announced
    assert "with a division" in announced


@pytest.mark.rule("22.15")
@pytest.mark.parametrize("goes", [True, False])
def test_it_is_said_if_no_activity_is_announced(goes: bool) -> None:
    """A voyage of the enemy, or one that is over, is none of them."""
    kido = force("kido", "red", "truk", cruisers=10, orders=[order("shore-bombardment", (6, 0))])
    late = force("late", "red", "truk", cruisers=10)
    state = sea(TRUK, NOUMEA, TF, kido, late, stage="combat")
    sail(state, "return", "tf", (8, 0))
    state.operation.voyages[sail(state, "return", "late", (1, 0))].progress = Progress.OVER
    game = steer(begin(state, announcing), *["order:kido:0"] * goes)
    told = ["Red: no naval activities" in entry.text for entry in game.log("blue")]
    assert any(told) is not goes


@pytest.mark.rule("22.15A")
def test_who_is_not_in_port_or_has_no_orders_is_not_asked() -> None:
    """22.15: forces at sea and those without an order of this stage are not asked."""
    out = force("out", "red", "truk", cruisers=10, at=(3, 0), patrol="offensive", orders=[order("raid", (6, 0))])
    idle = force("idle", "red", "truk", cruisers=10)
    assert asked(sea(TRUK, out, idle, stage="combat")) == []


@pytest.mark.rule("22.74-EX", "22.81A.2")
def test_inverted_forces_only_redeploy() -> None:
    """22.81A: who is inverted does nothing more in this turn, but may be redeployed as the carriers of 22.74 are."""
    orders = [order("shore-bombardment", (6, 0), "redeployment"), order("redeployment", (0, 4), "redeployment")]
    used = force("used", "red", "truk", cruisers=10, inverted=True, orders=orders)
    game = begin(sea(TRUK, used, stage="redeployment"), announcing)
    assert offered(game) == ["order:used:stay", "order:used:1"]


@pytest.mark.rule("22.282")
@pytest.mark.parametrize("ships", [{"laden_transports": 2, "cargo": "oil"}, {"laden_destroyers": 2, "cargo": "oil"}])
def test_no_transports_for_a_zone_after_some_have_turned_back(ships: dict[str, Any]) -> None:
    """22.282: orders for the supply zone are closed to transports, by themselves and with others; destroyers go on."""
    way = order("sea-transport", (9, 4), base="lae")
    convoy = force("convoy", "red", "truk", cruisers=2, task_force=False, **ships, orders=[way])
    lae = port("lae", "red", (9, 4))
    state = sea(TRUK, lae, convoy, stage="combat", zones={"lae": "papua"})
    assert orders_of(state, "convoy") == ["order:convoy:0"]
    state.operation.barred_zones.append("papua")
    assert orders_of(state, "convoy") == ([] if "laden_transports" in ships else ["order:convoy:0"])


# --- 22.12 ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.12", "SOP-NI-B")
def test_the_path_is_chosen_in_secret() -> None:
    """22.12: the moving side chooses the exact path; the enemy knows where it leads, and the path only when he asks."""
    kido = force("kido", "red", "truk", cruisers=10, orders=[order("shore-bombardment", (6, 0))])
    board = ocean(places=[Label("reef", "The Reef", (3, 1), False), Label("far", "Far Away", (0, -6), False)])
    game = begin(sea(TRUK, NOUMEA, TF, kido, stage="combat", stages=("combat",), board=board), operation)
    game.choose("order:kido:0")
    assert offered(game) == ["way:kido:direct", "way:kido:reef"]
    game.choose("way:kido:reef")
    state = game.state
    assert (3, 1) in state.operation.voyages["v1"].path
    assert "Via The Reef" in "\n".join(map(str, game.log("red")))
    assert "Via" not in "\n".join(map(str, game.log("blue")))
    seen = look(state, "blue")["voyages"]["v1"]
    assert seen["destination"] == [6, 0]
    assert "path" not in seen
    assert "path" in look(state, "red")["voyages"]["v1"]
    game.choose("route:v1")
    assert [3, 1] in look(game.state, "blue")["voyages"]["v1"]["path"]


@pytest.mark.rule("22.12")
@pytest.mark.parametrize(("activity", "asked_"), [("seaborne-invasion", True), ("shore-bombardment", False)])
def test_a_landing_is_asked_for_its_path_though_there_is_but_one(activity: str, asked_: bool) -> None:
    """Which paths are open to it hangs on those of others, which are secret."""
    kido = force("kido", "red", "truk", cruisers=10, orders=[order(activity, (6, 0))])
    played = cruise(sea(TRUK, NOUMEA, TF, kido, stage="combat"), announcing, "order:kido:0")
    assert ("way:kido" in played.asked) is asked_


@pytest.mark.rule("22.12")
def test_no_path_enters_a_hex_twice() -> None:
    """22.12: a place beyond the destination, which would be reached and left again by the same way, is no detour."""
    kido = force("kido", "red", "truk", cruisers=10, orders=[order("shore-bombardment", (6, 0))])
    board = ocean(places=[Label("reef", "The Reef", (3, 1), False), Label("beyond", "Beyond", (7, 0), False)])
    game = begin(sea(TRUK, kido, stage="combat", stages=("combat",), board=board), operation)
    game.choose("order:kido:0")
    assert offered(game) == ["way:kido:direct", "way:kido:reef"]


def ways_to(to: Hex, activity: str) -> list[str]:
    """The ways of a force from Truk in the Pacific, where 20 hexes are the range."""
    kido = force("kido", "red", "truk", cruisers=10, orders=[order(activity, to, "redeployment")])
    board = ocean(places=[Label("reef", "The Reef", (9, 2), False), Label("near", "Near", (9, 1), False)], pacific=True)
    game = begin(sea(TRUK, kido, stage="redeployment", stages=("redeployment",), board=board), operation)
    game.choose("order:kido:0")
    return [text.rsplit(":", 1)[1] for text in offered(game) if text.startswith("way:")]


def test_detours_are_within_range() -> None:
    """21.36: a detour beyond the range of 20 hexes is not offered, but for supply, redeployment and raids."""
    assert ways_to((18, 0), "shore-bombardment") == ["direct", "reef", "near"]
    assert ways_to((19, 0), "shore-bombardment") == ["direct", "near"]
    assert ways_to((19, 0), "sea-supply") == ["direct", "reef", "near"]


@pytest.mark.parametrize(("home", "may"), [((-4, 2), True), ((-6, 2), False)])
def test_who_joins_has_the_range_for_it(home: Hex, may: bool) -> None:
    """21.36: from its own base to where they are bound, by way of the meeting, is no more than 20 hexes."""
    kido = force("kido", "red", "truk", cruisers=10, orders=[order("shore-bombardment", (16, 0))])
    state = sea(
        TRUK,
        port("palau", "red", home),
        kido,
        force("other", "red", "palau", cruisers=10),
        pacific=True,
        stage="combat",
    )
    game = begin(state, announcing)
    game.choose("order:kido:0")
    while offered(game)[0].startswith("way:"):
        game.choose("way:kido:direct")
    assert ("order:other:v1" in offered(game)) == may


def test_who_joins_does_not_come_along_the_path() -> None:
    """A force meets others only where its way does not lead over hexes that they enter afterwards."""
    kido = force("kido", "red", "truk", cruisers=10, orders=[order("shore-bombardment", (8, 0))])
    state = sea(TRUK, port("palau", "red", (8, 2)), kido, force("other", "red", "palau", cruisers=10), stage="combat")
    state = announce(state, "order:kido:0")
    found = meeting_hexes(state, state.operation.fleet["other"], state.operation.voyages["v1"])
    ways = {at: state.operation.plan.board.sea_path((8, 2), at) for at in state.operation.voyages["v1"].path[1:-1]}
    path = state.operation.voyages["v1"].path
    late = {at for at, way in ways.items() if way and set(way) & set(path[path.index(at) + 1 :])}
    assert late
    assert found
    assert not late & set(found)


@pytest.mark.parametrize("first", ["one", "two"])
def test_landings_do_not_enter_the_target_of_others(first: str) -> None:
    """21.321: no sea transport or invasion sails through the target hex of another; others may."""
    far, near = order("sea-transport", (8, 0), base="lae"), order("seaborne-invasion", (4, 0))
    forces = {"one": far, "two": near} if first == "one" else {"one": near, "two": far}
    board = ocean(places=[Label("reef", "The Reef", (4, 1), False)])
    units = [force(key, "red", "truk", cruisers=10, orders=[one]) for key, one in forces.items()]
    game = begin(sea(TRUK, port("lae", "red", (8, 0)), *units, stage="combat", board=board), announcing)
    game.choose("order:one:0")
    assert "way:one:direct" in offered(game)
    game.choose("way:one:direct")
    if first == "one":
        assert "order:two:0" not in offered(game)
    else:
        game.choose("order:two:0")
        paths = [text for text in offered(game) if text.startswith("way:")]
        assert "way:two:direct" not in paths
        assert game.state.operation.voyages["v2"].path if not paths else "way:two:reef" in paths


# --- 22.13: the three task forces -------------------------------------------------------------------------------

MANILA, OKINAWA, TOKYO = port("manila", "red", (-4, 2)), port("okinawa", "red", (0, 0)), port("tokyo", "red", (4, -2))
MISSION = order("shore-bombardment", (8, 2))
LANDING = order("sea-transport", (8, 2))


def three(*ports: dict[str, Any], home: str = "manila") -> State:
    """Task forces in Manila, Okinawa and Tokyo; the first of them has a mission."""
    forces = [force(f"{name}-tf", "red", name, cruisers=10, orders=[MISSION] * (name == home)) for name in HOMES]
    return sea(*ports, NOUMEA, TF, *forces, stage="combat", stages=("combat",))


HOMES = ("manila", "okinawa", "tokyo")


def chances(state: State) -> list[set[str]]:
    """Who can be intercepted, by legs on which that is open."""
    return [set(forces_on_leg(state, key, leg)) for key in state.operation.voyages for leg in open_legs(state, key)]


@pytest.mark.rule("22.13-EX", "22.13C.1", "SOP-NI-C.4")
def test_three_forces_that_meet_at_sea_can_be_intercepted_four_times() -> None:
    """22.13, the example: they sail alone, meet in one hex and go on together: three times one of them, then all."""
    orders = ("order:manila-tf:0", "order:okinawa-tf:v1", "meet:okinawa-tf:2,2", "order:tokyo-tf:v1")
    state = announce(three(MANILA, OKINAWA, TOKYO), *orders, "meet:tokyo-tf:2,2")
    everybody = {"manila-tf", "okinawa-tf", "tokyo-tf"}
    assert sorted(map(sorted, chances(state))) == sorted([[one] for one in everybody] + [sorted(everybody)])


@pytest.mark.rule("22.13-EX", "22.13C.2", "SOP-NI-C.4")
def test_three_forces_that_are_picked_up_can_be_intercepted_three_times() -> None:
    """22.13, the example: Manila's force sails to Okinawa, both to Tokyo, and all three on: those who waited in port
    cannot be intercepted apart."""
    line = [port("manila", "red", (-4, 0)), port("okinawa", "red", (0, 0)), port("tokyo", "red", (4, 0))]
    state = three(*line)
    state.operation.plan.orders["manila-tf"] = (order("shore-bombardment", (8, 0)),)
    state = announce(state, "order:manila-tf:0", "order:okinawa-tf:v1", "order:tokyo-tf:v1")
    assert chances(state) == [{"manila-tf"}, {"manila-tf", "okinawa-tf"}, {"manila-tf", "okinawa-tf", "tokyo-tf"}]


def rendezvous(hex_: Hex, **more: Any) -> Cruise:
    """The three meet in (2, 2) and are intercepted in a hex of the first one's path."""
    orders = ("order:manila-tf:0", "order:okinawa-tf:v1", "meet:okinawa-tf:2,2", "order:tokyo-tf:v1")
    state = announce(three(MANILA, OKINAWA, TOKYO), *orders, "meet:tokyo-tf:2,2")
    intercept(state, "tf", "v1", hex_)
    return cruise(state, passage.start("v1"), **more)


@pytest.mark.rule("22.13-EX", "22.13C.1")
@pytest.mark.parametrize(("hex_", "number"), [((-1, 2), 1), ((2, 2), 3), ((3, 2), 3)])
def test_from_the_meeting_hex_on_they_fight_together(hex_: Hex, number: int) -> None:
    """22.13C: before the meeting the one that is met fights alone; in the meeting hex and after it all of them."""
    played = rendezvous(hex_, flees="blue")
    everybody = {f"{name}-tf" for name in HOMES}
    assert played.battles[0].forces == {"tf", *(everybody if number == 3 else ["manila-tf"])}
    assert {name for name, force_ in played.state.operation.fleet.items() if force_.voyage == "v1"} == everybody
    assert {force_.at for name, force_ in played.state.operation.fleet.items() if name in everybody} == {(8, 2)}


@pytest.mark.rule("22.28B", "22.13C.1")
@pytest.mark.parametrize("answer", ["abort", "go-on"])
def test_who_was_to_join_a_beaten_force_aborts_or_goes_on_alone(answer: str) -> None:
    """22.28B: the force that the others were to meet is beaten: each of them may abort, or go on all the way."""
    orders = ("order:manila-tf:0", "order:okinawa-tf:v1", "meet:okinawa-tf:2,2")
    state = announce(three(MANILA, OKINAWA, TOKYO), *orders)
    intercept(state, "tf", "v1", (0, 2))
    beaten = cruise(state, passage.start("v1"), flees="red").state
    joiner = beaten.operation.voyages["v2"]
    assert beaten.operation.is_over("v1")
    assert joiner.is_open
    assert not joiner.joins
    played = cruise(beaten, passage.start("v2"), f"abort:v2:{answer}")
    at = played.state.operation.fleet["okinawa-tf"].at
    assert at == ((0, 0) if answer == "abort" else (8, 2))
    assert played.state.operation.fleet["okinawa-tf"].inverted == (answer == "abort")


@pytest.mark.rule("22.28B")
def test_who_was_to_be_joined_may_abort_as_well() -> None:
    """22.28B: if the force that was to join is beaten on its way, the other may abort, but need not."""
    orders = ("order:manila-tf:0", "order:okinawa-tf:v1", "meet:okinawa-tf:2,2")
    for answer, end in (("abort", (-4, 2)), ("go-on", (8, 2))):
        state = announce(three(MANILA, OKINAWA, TOKYO), *orders)
        joiner = state.operation.voyages["v2"]
        intercept(state, "tf", "v2", joiner.path[1])
        played = cruise(state, passage.start("v1"), f"abort:v1:{answer}", flees="red")
        assert played.state.operation.fleet["manila-tf"].at == end
        assert played.state.operation.fleet["okinawa-tf"].at == (0, 0)


@pytest.mark.rule("22.13C.2")
def test_who_sails_from_the_same_port_sails_from_the_start() -> None:
    """22.13C: a force in the same port simply sails with the other."""
    other = force("other", "red", "manila", cruisers=10)
    one = force("one", "red", "manila", cruisers=10, orders=[MISSION])
    state = announce(sea(MANILA, NOUMEA, one, other, stage="combat"), "order:one:0", "order:other:v1")
    assert list(state.operation.voyages) == ["v1"]
    assert state.operation.voyages["v1"].forces == ["one", "other"]


@pytest.mark.rule("22.13C.2")
@pytest.mark.parametrize("home", ["manila", "cavite"])
def test_the_enemy_waits_for_a_meeting_unless_they_leave_port_together(home: str) -> None:
    """Whoever lies on the path of the other has no choice where he is picked up, and that is a secret."""
    other = force("other", "red", home, cruisers=10)
    one = force("one", "red", "manila", cruisers=10, orders=[MISSION])
    state = sea(MANILA, port("cavite", "red", (-3, 2)), NOUMEA, one, other, stage="combat")
    played = cruise(state, announcing, "order:one:0", "order:other:v1")
    assert ("meet:other" in played.asked) is (home == "cavite")


@pytest.mark.rule("22.13C.2")
def test_the_cargo_of_all_who_sail_together_is_counted() -> None:
    troops = [
        force(name, "red", "manila", laden_destroyers=number, cargo="troops", task_force=False, orders=[LANDING])
        for name, number in (("one", 2), ("other", 1))
    ]
    state = announce(sea(MANILA, NOUMEA, *troops, stage="combat"), "order:one:0", "order:other:v1")
    parts = [freight(state.operation.fleet[name]) for name in ("one", "other")]
    assert state.operation.voyages["v1"].freight == sum(parts) > max(parts)


@pytest.mark.rule("22.141E")
@pytest.mark.parametrize("cooperation", [True, False])
def test_british_and_french_sail_together_only_if_they_cooperate(cooperation: bool) -> None:
    """22.141E: as long as the restrictions hold they are separate forces."""
    british = force("british", "blue", "scapa", nation="britain", cruisers=10, orders=[MISSION])
    french = force("french", "blue", "scapa", nation="free-france", cruisers=10)
    state = sea(port("scapa", "blue", (1, 0)), TRUK, british, french, stage="combat", cooperation=cooperation)
    state.scene = state.operation.between = state.scene.turned_round()
    assert bool(orders_of(state, "french", "order:british:0")) == cooperation


# --- submarines -------------------------------------------------------------------------------------------------


@pytest.mark.rule("22.913", "SOP-PA-A", "SOP-PA-E.4")
def test_submarines_patrol_by_themselves() -> None:
    """22.913: submarines are sent on patrol of their own; nobody can stop them, so they are in their hex at once."""
    state = sea(TRUK, NOUMEA, TF, flotilla("boats", "red", "truk", 2), stage="movement")
    state.operation.plan.orders["boats"] = (order("patrol", (4, 2), "movement"),)
    played = cruise(state, announcing, "order:boats:0", "factors:boats:2")
    assert played.asked == ["order:boats", "factors:boats"], "all have left: no more is asked"
    made = announce(state, "order:boats:0", "factors:boats:2")
    boats = made.operation.flotillas["boats"]
    assert (boats.at, boats.patrol, boats.factors) == ((4, 2), "offensive", 2)
    assert not made.operation.voyages
    assert announce(state, "order:boats:stay").operation.flotillas["boats"].patrol == ""


@pytest.mark.rule("22.913")
def test_some_of_a_flotilla_may_patrol() -> None:
    """22.913: some factors go on patrol, the others stay in port or patrol elsewhere."""
    state = sea(TRUK, NOUMEA, TF, flotilla("boats", "red", "truk", 3), stage="movement")
    state.operation.plan.orders["boats"] = (order("patrol", (4, 2), "movement"), order("patrol", (2, 3), "movement"))
    game = begin(state, announcing)
    game.choose("order:boats:0")
    assert offered(game) == ["factors:boats:1", "factors:boats:2", "factors:boats:3"]
    made = announce(state, "order:boats:0", "factors:boats:1", "order:boats:stay").operation.flotillas
    assert {(one.at, one.patrol): one.factors for one in made.values()} == {((0, 0), ""): 2, ((4, 2), "offensive"): 1}
    made = announce(state, "order:boats:0", "factors:boats:1", "order:boats:1", "factors:boats:2").operation.flotillas
    assert {one.at: one.factors for one in made.values()} == {(4, 2): 1, (2, 3): 2}


@pytest.mark.rule("22.913", "22.15")
def test_enemy_submarines_and_those_on_patrol_get_no_orders() -> None:
    """22.15: only those of the moving side that are in port are asked."""
    out = flotilla("out", "red", "truk", 2, at=(3, 0), patrol="offensive")
    state = sea(TRUK, NOUMEA, out, flotilla("theirs", "blue", "noumea"), stage="movement")
    for name in ("out", "theirs"):
        state.operation.plan.orders[name] = (order("patrol", (4, 2), "movement"),)
    assert asked(state) == []


def test_escort_carriers_join_no_patrol() -> None:
    """20.42: a force with escort carriers is not offered a patrol or a raid of others."""
    patrol = force("patrol", "red", "truk", cruisers=10, orders=[order("patrol", (5, 0), "movement")])
    slow = force("slow", "red", "truk", cruisers=8, cves=2)
    assert not orders_of(sea(TRUK, patrol, slow), "slow", "order:patrol:0")
    fast = force("slow", "red", "truk", cruisers=10)
    assert orders_of(sea(TRUK, patrol, fast), "slow", "order:patrol:0") == ["order:slow:v1"]


@pytest.mark.rule("22.13C.1", "22.22A")
@pytest.mark.parametrize("cargo", [True, False])
def test_a_force_that_others_join_with_cargo_carries_cargo(cargo: bool) -> None:
    """22.13C: those who combine are one force; if one of them has cargo aboard it counts for all (22.22A)."""
    move = Order(Activity.BASE_CHANGE, "movement", (6, 0), "rabaul")
    laden: dict[str, Any] = {"laden_transports": 2, "cargo": "oil"} if cargo else {"transports": 2}
    host = force("kido", "red", "truk", cruisers=10, orders=[move])
    joiner = force("convoy", "red", "truk", cruisers=2, task_force=False, **laden)
    state = sea(seas.TRUK, port("rabaul", "red", (6, 0)), seas.NOUMEA, host, joiner)
    made = steer(play(state, announcing), "order:kido:0", "order:convoy:v1").state
    assert carries_cargo(made.operation.voyages["v1"]) == cargo
