"""Naval air between ports and fast carriers (17.3122-17.3127, 17.355), and sea transport of air units (18.24)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagplot.awaw.air_units import Arm, Unit
from flagplot.awaw.carriers_in_port import come_under_attack
from flagplot.awaw.procedures import disembarking, embarking, naval_air_declared, player_turn, staging, transfers
from flagplot.awaw.ships import decks
from flagplot.awaw.state.operation import NavalForce
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Until
from flagplot.awaw.turn.basing.displacement import capture
from flagplot.awaw.turn.basing.rooms import excess, fits
from flagplot.awaw.turn.marks import BUILT, REDEPLOYED, SHIPPED, marked, set_mark
from flagplot.awaw.turn.transport.sea_transport import able_to_embark
from flagplot.awaw.turn.transport.transfers import Move, able_to_board, carriers_with_room, carry_out
from flagplot.awaw.turn.turn import hand_over
from flagplot.kernel.errors import ScenarioError
from tests.awaw.battles import squadron
from tests.awaw.harbours import attack, counterair, fleet_in_port, fly, waters
from tests.awaw.looks import look
from tests.awaw.turn.moves import offered, play, run, steer, wander
from tests.awaw.turn.turns import air_at, base, turn, units_of

PORT = (0, -7)
NAVAL = "japan:naval:squadrons"


def harbour(*air: str, forces: Any = None, port: dict[str, Any] | None = None, **more: Any) -> State:
    """The port of Truk with air units and a carrier force of Akagi and Kaga, with three squadrons aboard unless said
    otherwise."""
    truk = base("truk", "red", PORT, *air, **({"ports": 1} | (port or {})))
    fleet = [carriers("kido")] if forces is None else forces
    return turn(truk, base("enemy", "blue", (0, 5)), forces=fleet, pacific=True, **more)


def carriers(name: str, *named: str, air: int = 3, at: str = "truk", **more: Any) -> dict[str, Any]:
    return squadron(name, "red", *(named or ("Akagi", "Kaga")), air=air, cruisers=10, base=at, **more)


def aboard(state: State, key: str = "kido") -> dict[str, int]:
    return {f"{which.nation} {which.arm}": number for which, number in state.operation.fleet[key].group.air.items()}


def asked(state: State) -> list[str]:
    """All that may be asked about transfers, if each time as little as possible is done."""
    game, found = play(state, transfers), []
    while game.pending is not None:
        found += [text for text in offered(game) if text != "ready:go"]  # which says that there is nothing to decide
        game.choose(offered(game)[0])
    return found


# --- between port and carrier -----------------------------------------------------------------------------------


@pytest.mark.rule("17.3122", "17.312")
def test_squadrons_go_aboard_and_ashore() -> None:
    state = harbour("4 japan naval")
    game = steer(play(state, transfers), f"aboard:kido:truk:{NAVAL}:3")
    assert aboard(game.state) == {"japan naval": 6}
    assert air_at(game.state, "truk") == {"japan naval": 1}
    game = steer(play(state, transfers), f"ashore:kido:red-at-sea:{NAVAL}:2")
    assert aboard(game.state) == {"japan naval": 1}
    assert air_at(game.state, "truk") == {"japan naval": 6}


@pytest.mark.rule("17.312", "17.3122")
def test_carriers_take_no_more_than_their_size_and_only_their_own_nation() -> None:
    state = harbour("9 japan naval", port={"cities": 2})
    room = sum(sound for sound, _ in decks(state.operation.fleet["kido"].group.ships).values())
    able = [text for text in asked(state) if text.startswith("aboard:")]
    assert able == [f"aboard:kido:truk:{NAVAL}:{n}" for n in range(room - 3 + 1)]
    allied = turn(
        base("malta", "blue", PORT, "2 united-states naval", ports=1),
        base("enemy", "red", (0, 5)),
        forces=[squadron("force-h", "blue", "Ark Royal", nation="britain", cruisers=10, base="malta")],
        at_war=["us-japan"],
    )
    hand_over(allied, "blue")
    assert [text for text in asked(allied) if text.startswith("aboard:")] == []


@pytest.mark.rule("17.3122", "18.13", "17.31")
def test_a_port_takes_no_more_than_it_holds() -> None:
    state = harbour("2 japan army", "2 japan naval", port={"cities": 0, "island": True})  # three factors and a squadron
    able = [text for text in asked(state) if text.startswith("ashore:")]
    assert able == [f"ashore:kido:red-at-sea:{NAVAL}:{n}" for n in range(3)]
    two = [carriers("kido", air=2), carriers("second", "Soryu", air=2)]
    state = harbour("2 japan army", "1 japan naval", port={"cities": 0, "island": True}, forces=two)
    game = play(state, transfers)
    game.choose(f"ashore:kido:red-at-sea:{NAVAL}:2")
    assert offered(game) == [f"ashore:second:red-at-sea:{NAVAL}:{n}" for n in range(2)], (
        "there is room for three in all"
    )
    game.choose(f"ashore:second:red-at-sea:{NAVAL}:1")
    assert not offered(game)[0].startswith("ashore:")


@pytest.mark.rule("17.21.4", "17.51.1", "17.312.1")
def test_nobody_but_naval_air_goes_aboard() -> None:
    state = turn(
        base("kiel", "red", PORT, "2 germany army", "2 germany jet", "1 germany transport", "2 germany naval", ports=1),
        base("enemy", "blue", (0, 5)),
        forces=[squadron("graf", "red", "Graf Zeppelin", nation="germany", cruisers=10, base="kiel")],
        research={"germany": {"jets": 12}},
    )
    boarding = [text for text in asked(state) if text.startswith("aboard:")]
    assert boarding
    assert all(":naval:" in text for text in boarding)


@pytest.mark.rule("17.3122")
def test_a_box_serves_as_a_port() -> None:
    state = harbour("2 japan naval", port={"ports": 0, "cities": 0, "box": True})
    assert f"aboard:kido:truk:{NAVAL}:2" in asked(state)
    elsewhere = turn(
        base("truk", "red", PORT, ports=1),
        base("kure", "red", (3, -7), "2 japan naval", ports=1),
        base("enemy", "blue", (0, 5)),
        forces=[carriers("kido")],
        pacific=True,
    )
    assert not any(text.startswith("aboard:") for text in asked(elsewhere))  # they are in another port


@pytest.mark.rule("17.3122A", "17.3122B")
def test_when_squadrons_transfer() -> None:
    """Before and after staging and changes of base, before and after redeployments; never in the combat phase."""
    called = [
        (segment.name, segment.script(harbour()))
        for segment in player_turn.segments.values()
        if segment.rule in ("17.3122A", "17.3122B")
    ]
    order = [*player_turn.segments]
    names = [name for name, _ in called]
    assert all(getattr(call, "procedure", None) is transfers for _, call in called)
    assert [order.index(name) for name in names] == sorted(order.index(name) for name in names)
    places = [order.index(name) for name in names]
    stage, sail, redeploy = (order.index(name) for name in ("stage_air", "sail_in_movement", "redeploy"))
    last = order.index("sail_in_redeployment")
    assert places[0] < stage < places[1] < sail < places[2] < order.index("combat")
    assert order.index("redeployment") < places[3] < redeploy < last < places[4]


# --- status -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.3122C")
def test_inverted_squadrons_do_not_go_aboard() -> None:
    assert not any(text.startswith("aboard:") for text in asked(harbour("4 japan naval inverted")))
    both = asked(harbour("1 japan naval", "4 japan naval inverted"))
    assert [text for text in both if text.startswith("aboard:")] == [f"aboard:kido:truk:{NAVAL}:{n}" for n in (0, 1)]


@pytest.mark.rule("17.3122C.1")
def test_squadrons_built_in_a_port_join_carriers_launched_there() -> None:
    state = harbour("4 japan naval inverted", launched=["kido"], phase="construction")
    assert asked(state) == []  # they were not built in this phase
    set_mark(state, BUILT, units_of(state, "truk", Arm.NAVAL, inverted=True), 3)
    game = steer(play(state, transfers), f"aboard:kido:truk:{NAVAL}:3")
    assert aboard(game.state) == {"japan naval": 6}
    assert air_at(game.state, "truk") == {"japan naval inverted": 1}
    old = harbour("4 japan naval inverted", phase="construction")
    set_mark(old, BUILT, units_of(old, "truk", Arm.NAVAL, inverted=True), 3)
    assert asked(old) == []  # that carrier was launched before
    with pytest.raises(ScenarioError, match="there is no naval force “yamato”"):
        harbour(launched=["yamato"])


@pytest.mark.rule("17.3122D.1", "17.3122D.2")
def test_aboard_squadrons_have_the_status_of_their_carrier_which_operates_at_once() -> None:
    state = harbour("2 japan naval", forces=[carriers("kido", air=0)])
    game = steer(play(state, transfers), f"aboard:kido:truk:{NAVAL}:2")
    assert not game.state.operation.fleet["kido"].inverted
    assert [which.inverted for which in game.state.operation.fleet["kido"].group.air] == [False]
    down = harbour("2 japan naval", forces=[carriers("kido", air=0, inverted=True)])
    game = steer(play(down, transfers), f"aboard:kido:truk:{NAVAL}:2")
    assert game.state.operation.fleet["kido"].inverted
    come_under_attack(game.state, "truk")
    assert air_at(game.state, "truk") == {"japan naval inverted": 2}


@pytest.mark.rule("17.3122D.3")
@pytest.mark.parametrize(("phase", "until"), [("movement", Until.NOW), ("redeployment", Until.TURN_END)])
def test_who_leaves_an_inverted_carrier_is_inverted(phase: str, until: Until) -> None:
    state = harbour(forces=[carriers("kido", inverted=True)], phase=phase)
    game = steer(play(state, transfers), f"ashore:kido:red-at-sea:{NAVAL}:2")
    assert air_at(game.state, "truk") == {"japan naval inverted": 2}
    assert [(entry.rule, entry.number, entry.until) for entry in game.state.turn.down] == [("17.3122D", 2, until)]
    ready = steer(play(harbour(phase=phase), transfers), f"ashore:kido:red-at-sea:{NAVAL}:2")
    assert air_at(ready.state, "truk") == {"japan naval": 2}


@pytest.mark.rule("17.3124.3", "17.3124.2", "17.3122")
@pytest.mark.parametrize("inverted", [False, True])
def test_squadrons_from_an_inverted_carrier_invert_the_one_that_takes_them(inverted: bool) -> None:
    fleet = [carriers("kido", inverted=inverted), carriers("second", "Soryu", "Hiryu", air=1)]
    state = harbour(forces=fleet)
    game = steer(play(state, transfers), f"change:kido:second:red-at-sea:{NAVAL}:2")
    assert aboard(game.state, "second") == {"japan naval": 3}
    assert aboard(game.state) == {"japan naval": 1}
    assert game.state.operation.fleet["second"].inverted == inverted
    told = [entry.text for entry in game.log("umpire") if "inverted by the squadrons" in entry.text]
    assert told == [f"{state.operation.fleet['second'].marker} inverted by the squadrons it took aboard"] * inverted


@pytest.mark.rule("17.3124.2", "17.312", "17.3124.7")
def test_between_carriers_go_as_many_as_there_are_and_as_have_room() -> None:
    state = harbour(forces=[carriers("kido", "Akagi", air=3), carriers("second", "Soryu", air=1)])
    second = sum(sound for sound, _ in decks(state.operation.fleet["second"].group.ships).values())
    change = [text for text in asked(state) if text.startswith("change:")]
    assert change == [f"change:kido:second:red-at-sea:{NAVAL}:{n}" for n in range(second - 1 + 1)]
    kido = state.operation.fleet["kido"].group
    assert carriers_with_room(state, "truk", "japan") == ["second"], "the other is full"
    kido.ships = {ship.bearing(2) if ship.named else ship: number for ship, number in kido.ships.items()}
    assert carriers_with_room(state, "truk", "japan") == ["second"], "it is damaged, and has more than it could base"


def busy(state: State, arm: Arm, used: int, committed: int) -> Unit:
    """The units of an arm in Truk, some of which were used and some are committed."""
    which = units_of(state, "truk", arm)
    state.sites["truk"].used, state.sites["truk"].committed = {which: used}, {which: committed}
    return which


@pytest.mark.rule("17.3122C", "17.312.1")
@pytest.mark.parametrize(("used", "committed", "free"), [(0, 0, 4), (1, 2, 1), (1, 3, 0), (4, 0, 0), (4, 4, 0)])
def test_squadrons_that_were_used_or_are_committed_do_not_go_aboard(used: int, committed: int, free: int) -> None:
    state = harbour("4 japan naval")
    naval = busy(state, Arm.NAVAL, used, committed)
    assert able_to_board(state, "truk") == ({naval: free} if free else {})


@pytest.mark.rule("17.3124.6", "17.3124.7")
def test_damaged_carriers_are_unloaded_in_port_and_take_nobody() -> None:
    def damaged(*air: str) -> State:
        force = squadron("kido", "red", "Akagi", cruisers=10, base="truk", hits={"Akagi": 2})
        return harbour(*air, forces=[force])

    state = damaged("2 japan naval")
    assert not any(text.startswith("aboard:") for text in asked(state))
    which = units_of(state, "truk", Arm.NAVAL).based("red-at-sea", 2)
    state.operation.fleet["kido"].grounded = {which: 3}
    game = steer(play(state, transfers), f"ashore:kido:red-at-sea:{NAVAL}:3")
    assert air_at(game.state, "truk") == {"japan naval": 5}
    assert game.state.operation.fleet["kido"].grounded == {}


# --- what everybody knows ---------------------------------------------------------------------------------------


@pytest.mark.rule("17.3123.1", "17.3125")
def test_the_enemy_sees_what_is_ashore_and_nothing_of_what_is_aboard() -> None:
    def seen(state: State) -> dict[str, Any]:
        force: dict[str, Any] = look(state, "blue")["forces"][state.operation.fleet["kido"].marker]
        return force

    state = harbour("4 japan naval")
    before = seen(state)
    game = steer(play(state, transfers), f"aboard:kido:truk:{NAVAL}:3")
    assert seen(game.state) == before
    assert "air" not in before
    assert [flight["count"] for flight in look(game.state, "blue")["sites"]["truk"]["air"]] == [1]
    own = look(game.state, "red")["forces"]["kido"]["air"]
    assert [flight["count"] for flight in own] == [6]


@pytest.mark.rule("17.3122")
@pytest.mark.parametrize(
    "force", [carriers("kido", air=0), squadron("kido", "red", "Yamato", cruisers=10, base="truk")]
)
def test_the_enemy_cannot_tell_whether_there_is_anything_to_transfer(force: dict[str, Any]) -> None:
    """One wait for each call, be there carriers under the marker or not; nothing of it shows before it is over."""
    game = play(harbour("2 japan naval", forces=[force]), transfers)
    assert game.pending is not None
    waits, views = 0, []
    while game.pending is not None:
        waits += 1
        views.append((look(game.state, "blue"), [str(entry) for entry in game.log("blue")]))
        game.choose(offered(game)[0])
    assert waits >= 1
    assert all(view == views[0] for view in views)


def test_nothing_is_asked_where_no_force_could_have_carriers() -> None:
    light = squadron("light", "red", destroyers=6, base="truk", task_force=False)
    assert play(harbour("2 japan naval", forces=[light]), transfers).pending is None


@pytest.mark.rule("17.3123", "17.3126C")
def test_with_the_end_of_the_turn_squadrons_are_aboard_or_ashore() -> None:
    """Three squadrons came ashore as the port was attacked; it has room for one of them."""
    state = harbour("3 japan army", port={"cities": 0, "island": True})
    come_under_attack(state, "truk")
    assert air_at(state, "truk") == {"japan army": 3, "japan naval": 3}
    assert excess(state, "truk") == 0  # their carriers are in port: they take no room
    game = steer(play(state, naval_air_declared))
    assert air_at(game.state, "truk") == {"japan army": 3, "japan naval": 1}
    assert aboard(game.state) == {"japan naval": 2}
    assert game.state.operation.fleet["kido"].ashore == {}
    assert game.state.losses.air == {}


@pytest.mark.rule("17.3123")
def test_squadrons_of_the_enemy_stay_guests_of_their_port_until_his_turn_ends() -> None:
    force = squadron("tf16", "blue", "Enterprise", air=2, cruisers=10, base="pearl")
    pearl = base("pearl", "blue", PORT, ports=1)
    state = turn(pearl, base("enemy", "red", (0, 5)), forces=[force], pacific=True, at_war=["us-japan"])
    come_under_attack(state, "pearl")
    game = steer(play(state, naval_air_declared))
    assert sum(game.state.operation.fleet["tf16"].ashore.values()) == 2


@pytest.mark.rule("17.3126C.1")
@pytest.mark.parametrize(("dice", "inverted"), [((1, 1), 2), ((6, 6), 0)])
def test_squadrons_that_the_last_roll_over_their_port_aborted_are_inverted(
    dice: tuple[int, int], inverted: int
) -> None:
    """Six squadrons roll 1/2 against four of carriers in port: one is lost, two are aborted. If they do not counterair
    them nobody is."""
    state = waters(fleet_in_port("Enterprise", "Hornet", air=4, task_force=False), red=["6 japan naval"])
    if inverted:
        game = attack(state, fly(6), counterair(6), rolls=[("Red: air combat", *dice), ("Blue: air combat", 1, 1)])
    else:
        game = attack(state, fly(6), rolls=[("Blue: air combat", *dice)])
    air = game.state.sites["pearl"].air
    assert sum(number for which, number in air.items() if which.inverted) == inverted


@pytest.mark.rule("17.3126#note1.1")
def test_squadrons_of_carriers_in_port_take_no_room() -> None:
    state = harbour("2 japan naval")
    free = fits(state, units_of(state, "truk", Arm.NAVAL), "truk")
    come_under_attack(state, "truk")
    assert air_at(state, "truk") == {"japan naval": 5}
    assert fits(state, units_of(state, "truk", Arm.NAVAL), "truk") == free


@pytest.mark.rule("17.3126#note1.1", "17.3122")
def test_squadrons_that_go_back_aboard_are_guests_of_the_port_no_more() -> None:
    state = harbour("2 japan naval")
    naval = units_of(state, "truk", Arm.NAVAL)
    come_under_attack(state, "truk")
    game = steer(play(state, transfers), f"aboard:kido:truk:{NAVAL}:3")
    assert (aboard(game.state), game.state.operation.fleet["kido"].ashore) == ({"japan naval": 3}, {})
    assert fits(game.state, naval, "truk") == 30 - 2


@pytest.mark.rule("17.3126#note1.1")
def test_of_the_guests_of_a_port_no_more_leave_than_go_aboard() -> None:
    """First those of the carriers that are boarded, then others in that port; not those of carriers elsewhere."""
    forces = [carriers("kido"), carriers("second", "Soryu", air=0), carriers("third", "Zuikaku", air=0, at="kure")]
    state = turn(
        base("truk", "red", PORT, "6 japan naval", ports=1),
        base("kure", "red", (3, -7), "2 japan naval", ports=1),
        base("enemy", "blue", (0, 5)),
        forces=forces,
        pacific=True,
    )
    naval = units_of(state, "truk", Arm.NAVAL)
    for key, number in {"kido": 2, "second": 2, "third": 1}.items():
        state.operation.fleet[key].ashore = {naval: number}
    carry_out(state, Move(naval, 3, to="second"))
    assert [sum(state.operation.fleet[key].ashore.values()) for key in ("kido", "second", "third")] == [1, 0, 1]
    carry_out(state, Move(naval, 3, to="kido"))
    assert [sum(state.operation.fleet[key].ashore.values()) for key in ("kido", "second", "third")] == [0, 0, 1]


@pytest.mark.rule("17.3126C", "18.25")
def test_squadrons_ashore_are_displaced_with_the_others_when_their_port_falls() -> None:
    state = harbour()
    come_under_attack(state, "truk")
    run(capture(state, "truk", "blue"))
    assert air_at(state, "truk") == {}
    assert state.operation.fleet["kido"].ashore == {}  # they board no carriers that leave the port


# --- before the war ---------------------------------------------------------------------------------------------


@pytest.mark.rule("17.355")
def test_before_war_with_japan_american_naval_air_goes_to_carriers_as_soon_as_it_can() -> None:
    def pearl(*facts: str) -> State:
        state = turn(
            base("pearl", "blue", PORT, "3 united-states naval", ports=1),
            base("enemy", "red", (0, 5)),
            forces=[squadron("tf16", "blue", "Enterprise", air=2, cruisers=10, base="pearl")],
            pacific=True,
            at_war=[*facts],
        )
        hand_over(state, "blue")
        return state

    game = steer(play(pearl(), transfers))
    assert aboard(game.state, "tf16") == {"united-states naval": 3}  # all that the carrier bases, without a choice
    assert air_at(game.state, "pearl") == {"united-states naval": 2}
    assert not any(text.startswith("ashore:") for text in asked(pearl()))
    game = steer(play(pearl("us-japan"), transfers))
    assert aboard(game.state, "tf16") == {"united-states naval": 2}
    assert any(text.startswith("ashore:") for text in asked(pearl("us-japan")))


# --- sea transport ----------------------------------------------------------------------------------------------


def convoy(
    *air: str,
    to: str = "rabaul",
    activity: str = "sea-transport",
    redeployments: dict[str, int] | None = None,
    **ships: int,
) -> State:
    """Destroyers in Truk that may be ordered to transport something to Rabaul."""
    orders = [{"activity": activity, "to": to}]
    force = squadron("run", "red", base="truk", task_force=False, orders=orders, **(ships or {"destroyers": 7}))
    return turn(
        base("truk", "red", (0, -8), *air, ports=1),
        base("rabaul", "red", (4, -8), ports=1),
        base("enemy", "blue", (0, 5)),
        forces=[force],
        pacific=True,
        redeployments=redeployments or {},
    )


@pytest.mark.rule("18.24", "17.141B")
def test_air_units_are_sea_transported_to_another_port_and_based_there() -> None:
    state = convoy("3 japan army", "2 japan naval")
    game = play(state, embarking)
    assert offered(game) == [f"embark:run:truk:japan:army:factors:ready:{n}" for n in range(3)]  # seven destroyers
    game.choose("embark:run:truk:japan:army:factors:ready:2")
    assert offered(game) == [f"embark:run:truk:{NAVAL}:ready:{n}" for n in range(2)]  # one is left
    game.choose(f"embark:run:truk:{NAVAL}:ready:1")
    state = game.state
    assert sum(number for which, number in state.operation.fleet["run"].group.ships.items() if which.laden) == 7
    assert air_at(state, "truk") == {"japan army": 1, "japan naval": 1}
    game = steer(play(state, player_turn.start()._replace(segment="sail_in_movement")), "order:run:0")
    assert air_at(game.state, "rabaul") == {"japan army": 2, "japan naval": 1}
    assert game.state.turn.freight == {}
    assert not any(which.laden for which in game.state.operation.fleet["run"].group.ships)


@pytest.mark.rule("17.141B", "18.72D.1")
@pytest.mark.parametrize(("most", "carried"), [(9, 2), (1, 1)])
def test_air_units_redeploy_under_sea_escort_three_destroyers_to_a_factor(most: int, carried: int) -> None:
    state = convoy("3 japan army", activity="sea-escort", redeployments={"japan": most})
    state.turn.step, state.operation.stage = "redeployment", list(state.operation.plan.stages).index("redeployment")
    game = play(state, player_turn.start()._replace(segment="embark_for_escort"))
    assert offered(game) == [f"embark:run:truk:japan:army:factors:ready:{n}" for n in range(carried + 1)]
    after = steer(game, f"embark:run:truk:japan:army:factors:ready:{carried}", "order:run:0").state
    assert air_at(after, "rabaul") == {"japan army": carried}
    assert after.turn.freight == {}


@pytest.mark.rule("17.141B", "18.72D.1")
def test_who_has_redeployed_by_air_is_not_escorted_and_inverted_air_stays_so_when_it_was() -> None:
    state = convoy("3 japan army inverted", activity="sea-escort")
    state.turn.step, state.operation.stage = "redeployment", list(state.operation.plan.stages).index("redeployment")
    which = units_of(state, "truk", Arm.ARMY, inverted=True)
    set_mark(state, REDEPLOYED, which, 2)
    game = play(state, player_turn.start()._replace(segment="embark_for_escort"))
    assert offered(game) == [f"embark:run:truk:japan:army:factors:inverted:{n}" for n in range(2)]
    after = steer(game, "embark:run:truk:japan:army:factors:inverted:1", "order:run:0").state
    assert [(one.which.home, one.number, one.until) for one in after.turn.down if one.which.home == "rabaul"] == [
        ("rabaul", 1, Until.NEXT_TURN)
    ]


@pytest.mark.rule("18.24.1", "18.24.2")
def test_what_was_sea_transported_may_fly_and_does_not_stage() -> None:
    state = steer(play(convoy("2 japan army"), embarking), "embark:run:truk:japan:army:factors:ready:2").state
    key = "run"
    state.operation.fleet[key].base = "rabaul"  # it is there
    game = steer(play(state, disembarking))
    landed = units_of(game.state, "rabaul", Arm.ARMY)
    assert marked(game.state, SHIPPED, landed) == 2
    assert not landed.inverted
    assert play(game.state, staging).pending is None


@pytest.mark.rule("18.24.1")
def test_air_that_has_staged_is_not_sea_transported() -> None:
    state = convoy("3 japan army")
    game = steer(play(state, staging), "stage:truk", "stage:rabaul:truk:japan:army:factors:2")
    game = steer(play(game.state, staging))
    back = game.state
    which = units_of(back, "truk", Arm.ARMY)
    set_mark(back, "staged", which, 1)
    assert play(back, embarking).pending is None


@pytest.mark.rule("18.15", "18.24")
def test_air_whose_transport_fails_comes_ashore_where_it_was() -> None:
    state = steer(play(convoy("5 japan army"), embarking), "embark:run:truk:japan:army:factors:ready:2").state
    game = steer(play(state, disembarking))
    assert air_at(game.state, "truk") == {"japan army": 5}
    assert marked(game.state, SHIPPED, units_of(game.state, "truk", Arm.ARMY)) == 0
    assert game.state.turn.freight == {}


@pytest.mark.rule("18.24")
def test_what_goes_down_with_its_ships_is_lost() -> None:
    state = steer(play(convoy("2 japan army"), embarking), "embark:run:truk:japan:army:factors:ready:2").state
    group = state.operation.fleet["run"].group
    (name,) = group.loads
    group.loads[name] = 4  # two laden factors were sunk: one factor is left, and a part of another
    game = steer(play(state, disembarking))
    assert air_at(game.state, "truk") == {"japan army": 1}
    assert game.state.losses.air == {"japan/army/factors": 1}


@pytest.mark.rule("18.24", "18.24.1")
def test_only_forces_with_such_an_order_carry_air() -> None:
    assert play(convoy("2 japan army"), embarking).pending is not None
    assert play(convoy("2 japan army", activity="base-change"), embarking).pending is None
    state = convoy("2 japan army")
    state.operation.plan.orders.clear()
    assert play(state, embarking).pending is None


@pytest.mark.rule("18.24.1", "17.141B")
@pytest.mark.parametrize(("used", "committed", "free"), [(0, 0, 3), (1, 1, 1), (1, 2, 0), (3, 3, 0)])
def test_air_that_was_used_or_is_committed_is_not_sea_transported(used: int, committed: int, free: int) -> None:
    state = convoy("3 japan army")
    army = busy(state, Arm.ARMY, used, committed)
    assert able_to_embark(state, "truk") == ({army: free} if free else {})


@pytest.mark.rule("18.15", "18.24")
def test_air_comes_ashore_from_ships_that_carry_something_else_too_and_only_in_port() -> None:
    state = steer(play(convoy("5 japan army"), embarking), "embark:run:truk:japan:army:factors:ready:2").state
    run = state.operation.fleet["run"]
    other = replace(run, group=replace(run.group, loads={"oil": 1}, ships=dict(run.group.ships)))
    state.operation.fleet["other"] = other
    run.group.loads["rice"] = 1
    game = steer(play(state, disembarking))
    assert air_at(game.state, "truk") == {"japan army": 5}
    assert game.state.operation.fleet["other"].group.loads == {"oil": 1}
    run.patrol = "offensive"
    assert air_at(steer(play(state, disembarking)).state, "truk") == {"japan army": 3}


# --- whatever is played -----------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    answers=st.lists(st.integers(0, 9), min_size=30, max_size=30),
    ashore=st.integers(0, 6),
    down=st.integers(0, 3),
    inverted=st.booleans(),
    phase=st.sampled_from(["movement", "redeployment"]),
)
@pytest.mark.rule("17.3122", "17.312", "18.11")
def test_no_port_and_no_carrier_ever_holds_too_much(
    answers: list[int], ashore: int, down: int, inverted: bool, phase: str
) -> None:
    air = [f"{ashore} japan naval"] * bool(ashore) + [f"{down} japan naval inverted"] * bool(down)
    fleet = [carriers("kido", inverted=inverted), carriers("second", "Soryu", air=2)]
    state = harbour(*air, forces=fleet, port={"cities": 0, "island": True}, phase=phase)
    before = _squadrons(state)
    for procedure in (transfers, transfers, naval_air_declared):
        game = play(state, procedure)
        wander(game, answers)
        state = game.state
        assert excess(state, "truk") == 0
        assert all(_is_full_or_less(force) for force in state.operation.fleet.values())
    assert _squadrons(state) == before
    assert state.losses.air == {}


def _is_full_or_less(force: NavalForce) -> bool:
    return sum(force.group.air.values()) <= sum(sound for sound, _ in decks(force.group.ships).values())


def _squadrons(state: State) -> int:
    afloat = sum(number for force in state.operation.fleet.values() for number in force.group.air.values())
    return afloat + sum(state.sites["truk"].air.values())
