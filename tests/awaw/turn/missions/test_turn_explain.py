"""What may it do, and why not: for any unit the missions that are open, and the rule that closes each other one."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.awaw.air_units import Arm, Role, add, take
from flagplot.awaw.procedures import player_turn
from flagplot.awaw.state.operation import Activity
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import AirTransportMission, Flight, FlightKind, GroundAttack, Until
from flagplot.awaw.turn.marks import BUILT, STAGED, set_mark
from flagplot.awaw.turn.missions.abilities import Task
from flagplot.awaw.turn.missions.explain import explain
from flagplot.awaw.turn.missions.inversion import invert
from flagplot.awaw.turn.missions.verdicts import AT_SEA
from flagplot.kernel.errors import UnknownName
from flagplot.kernel.requests import Choose
from flagplot.players.random import RandomPlayer
from tests.awaw.battles import squadron
from tests.awaw.seas import sail
from tests.awaw.turn.turns import base, ground, scenario, turn, units_of

SICILY = base("sicily", "red", (0, 0), "3 germany army", "2 italy transport")
MALTA = base("malta", "blue", (2, 0), "2 britain army", "1 britain naval", ports=1)


def malta(*bases: dict[str, Any], phase: str = "combat", **more: Any) -> State:
    return turn(*(bases or (SICILY, MALTA)), phase=phase, **more)


def told(state: State, unit: str, side: str = "red") -> dict[str, Any]:
    entry: dict[str, Any]
    (entry,) = explain(state, side, unit)["units"]
    entries = {one["task"]: one for one in (*entry["tasks"], *entry["moves"])}
    return entry | {"by": entries}


def rule_of(state: State, unit: str, task: str, side: str = "red") -> tuple[bool, str]:
    entry = told(state, unit, side)["by"][task]
    return entry["open"], entry["rule"]


# --- the arm, the player turn, the phase ------------------------------------------------------------------------


def test_every_mission_is_open_or_closed_by_a_rule() -> None:
    for unit in ("sicily:germany:army", "sicily:italy:transport"):
        entry = told(malta(), unit)
        assert [one["task"] for one in entry["tasks"]] == [task.value for task in Task]
        assert all([one["rule"] and (one["open"] or one["text"]) for one in entry["tasks"]])


@pytest.mark.rule("17.12")
def test_the_arm() -> None:
    assert rule_of(malta(), "sicily:germany:army", "airdrop") == (False, "17.23")
    assert rule_of(malta(), "sicily:italy:transport", "counterair") == (False, "17.63")


@pytest.mark.rule("18.41.2")
def test_the_player_turn() -> None:
    """Offensive missions in one's own player turn, defensive ones in the enemy's."""
    state = malta(units=[ground("garrison", "blue", "britain", "malta")])
    assert rule_of(state, "sicily:germany:army", "counterair") == (True, "18.512A")
    assert rule_of(state, "sicily:germany:army", "fly-das") == (False, "18.41")
    assert rule_of(state, "malta:britain:army", "counterair", "blue") == (False, "18.41")
    assert rule_of(state, "malta:britain:army", "fly-das", "blue") == (True, "18.611")
    invert(state, units_of(state, "sicily", Arm.ARMY), 1, "18.42A", "")
    assert told(state, "sicily:germany:army")["by"]["air-cover"]["number"] == 2, "one of three is inverted"


def test_the_phase_and_whether_it_is_still_to_come() -> None:
    army, bomb = "sicily:germany:army", "attack-in-port"
    before = told(malta(phase="movement"), army)["by"][bomb]
    assert (before["rule"], before["text"]) == ("18.511", "only in the combat phase, still to come")
    after = told(malta(phase="redeployment"), army)["by"][bomb]
    assert (after["rule"], after["text"]) == (
        "18.513",
        "only in the combat phase, already past this player turn",
    )
    assert rule_of(malta(phase="construction"), army, "air-cover") == (False, "18.473")


# --- what units have done ---------------------------------------------------------------------------------------


@pytest.mark.rule("18.42A")
def test_inverted_units_and_the_cause() -> None:
    state = malta()
    invert(state, units_of(state, "sicily", Arm.ARMY), 3, "18.42A", "gave ground support", Until.TURN_END)
    entry = told(state, "sicily:germany:army")
    assert rule_of(state, "sicily:germany:army", "counterair") == (False, "18.42A")
    assert entry["by"]["counterair"]["text"] == "inverted: gave ground support"
    assert entry["inverted"] == [
        {"number": 3, "why": "gave ground support", "rule": "18.42A", "until": "until the player turn ends"}
    ]
    assert rule_of(state, "sicily:germany:army", "uninvert") == (False, "18.72B")


@pytest.mark.rule("18.71", "18.72A", "18.72E")
def test_why_units_are_not_uninverted() -> None:
    down = "2 germany army inverted"
    early = malta(base("sicily", "red", (0, 0), down), MALTA)
    which = units_of(early, "sicily", Arm.ARMY, inverted=True)
    invert(early, which, 2, "18.43", "was forced to abort", Until.NOW)
    assert rule_of(early, "sicily:germany:army", "uninvert") == (True, "18.71")
    assert "uninvert" not in told(malta(), "sicily:germany:army")["by"], "nothing is inverted"
    some = malta(base("sicily", "red", (0, 0), "1 germany army", "1 germany army inverted"), MALTA)
    assert "uninvert" in told(some, "sicily:germany:army")["by"]
    dry = malta(base("sicily", "red", (0, 0), down, supply="partial"), MALTA)
    assert rule_of(dry, "sicily:germany:army", "uninvert") == (False, "18.72A")
    theirs = malta(SICILY, base("malta", "blue", (2, 0), "1 britain army inverted"))
    assert rule_of(theirs, "malta:britain:army", "uninvert", "blue") == (False, "18.72E")


@pytest.mark.rule("18.41.1")
def test_units_that_were_used_at_sea_or_are_committed() -> None:
    state = malta()
    army = units_of(state, "sicily", Arm.ARMY)
    add(state.sites["sicily"].used, army, 3)
    assert rule_of(state, "sicily:germany:army", "counterair") == (False, "23.162")
    assert rule_of(state, "sicily:germany:army", "air-cover") == (True, "18.473")
    assert told(state, "sicily:germany:army")["marks"] == ["3 used at sea this player turn"]
    state = malta()
    add(state.sites["sicily"].committed, army, 3)
    assert rule_of(state, "sicily:germany:army", "counterair") == (False, "18.41")
    assert rule_of(state, "sicily:germany:army", "air-cover") == (False, "18.41")
    assert rule_of(state, "sicily:germany:army", "spot") == (True, "18.59")
    assert told(state, "sicily:germany:army")["by"]["counterair"]["number"] == 0


def test_how_many_may_fly() -> None:
    state = malta()
    army = units_of(state, "sicily", Arm.ARMY)
    add(state.sites["sicily"].used, army, 1)
    assert told(state, "sicily:germany:army")["by"]["counterair"]["number"] == 2


@pytest.mark.rule("23.144", "23.151")
def test_squadrons_that_make_no_factor() -> None:
    state = malta()
    army = units_of(state, "sicily", Arm.ARMY)
    take(state.sites["sicily"].air, army, 3)
    add(state.sites["sicily"].air, army.counted(Role.SEARCH), 2)
    assert rule_of(state, "sicily:germany:army", "counterair") == (False, "23.144")
    assert rule_of(state, "sicily:germany:army", "search") == (True, "18.473")
    assert rule_of(state, "sicily:germany:army", "air-cover") == (False, "23.151")
    for role in (Role.COVER, Role.ATTACK):
        add(state.sites["sicily"].air, army.counted(role), 1)
    assert told(state, "sicily:germany:army")["by"]["counterair"]["number"] == 1
    assert state.sites["sicily"].air[army.counted(Role.SEARCH)] == 2  # nothing has changed by asking


@pytest.mark.rule("23.151")
def test_of_two_kinds_of_squadrons_the_refusal_always_names_the_same() -> None:
    """Not whichever comes first in a set, which is another one from one start of the program to the next."""
    state = malta()
    army = units_of(state, "sicily", Arm.ARMY)
    take(state.sites["sicily"].air, army, 3)
    for role in (Role.ATTACK, Role.COVER):
        add(state.sites["sicily"].air, army.counted(role), 1)
    refused = told(state, "sicily:germany:army")["by"]["search"]
    assert (refused["text"], refused["rule"]) == ("cover squadrons of army air do not do this", "23.151")


def test_units_that_are_out() -> None:
    state = malta()
    army = units_of(state, "sicily", Arm.ARMY)
    take(state.sites["sicily"].air, army, 3)
    state.turn.flights = [Flight("red", FlightKind.GROUND_SUPPORT, (1, 0), {army: 3})]
    entry = told(state, "sicily:germany:army")
    assert (entry["out"], entry["name"]) == (3, "no air units")
    assert rule_of(state, "sicily:germany:army", "counterair") == (False, "18.41")


# --- the base ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("18.49", "18.51", "18.51.1", "18.51.2")
@pytest.mark.parametrize(
    ("more", "counterair", "cover"),
    [
        ({"supply": "partial"}, "18.51.1", "18.473"),
        ({"oil": True}, "18.51.1", "18.473"),
        ({"supply": "none"}, "18.51", "18.51"),
        ({"box": True, "cities": 0}, "18.49", "18.49"),
    ],
)
def test_the_base(more: dict[str, Any], counterair: str, cover: str) -> None:
    sicily = base("sicily", "red", (0, 0), "2 germany army") | more
    state = malta(sicily, MALTA)
    assert rule_of(state, "sicily:germany:army", "counterair") == (False, counterair)
    assert rule_of(state, "sicily:germany:army", "air-cover")[1] == cover


@pytest.mark.rule("18.45.3")
def test_partial_supply_keeps_cover_over_the_own_hex() -> None:
    state = malta(base("sicily", "red", (0, 0), "2 germany army", supply="partial"), MALTA)
    assert told(state, "sicily:germany:army")["by"]["air-cover"]["text"] == "for ships only over its own hex"


# --- what there is in range -------------------------------------------------------------------------------------


@pytest.mark.rule("18.45")
def test_range() -> None:
    near, far = malta(), malta(SICILY, base("cairo", "blue", (5, 0), "1 britain army"))
    assert told(near, "sicily:germany:army")["by"]["counterair"]["targets"] == ["Malta"]
    assert rule_of(far, "sicily:germany:army", "counterair") == (False, "18.45")


def test_ships_in_port() -> None:
    fleet = squadron("fleet", "blue", "Warspite", nation="britain", cruisers=8, base="malta")
    state = malta(forces=[fleet])
    assert rule_of(state, "sicily:germany:army", "attack-in-port") == (True, "18.512B")
    assert rule_of(malta(), "sicily:germany:army", "attack-in-port") == (False, "18.45")


def test_ground_support_and_its_enemies() -> None:
    units = [ground("afrika", "red", "germany", "1,0"), ground("garrison", "blue", "britain", "malta")]
    state = malta(units=units)
    assert told(state, "sicily:germany:army")["by"]["ground-support"]["targets"] == ["Malta"]
    assert rule_of(malta(), "sicily:germany:army", "ground-support") == (False, "18.45")
    announced = malta(units=units)
    announced.turn.attacks = [GroundAttack(((2, 0),), ["afrika"])]
    assert told(announced, "sicily:germany:army")["by"]["ground-support"]["targets"] == ["Malta"]
    assert told(state, "sicily:germany:army")["by"]["intercept-das"]["text"].startswith("when needed")


def test_air_transports() -> None:
    paratroops = ground("para", "red", "italy", "sicily", kind="airborne")
    state = malta(units=[paratroops, ground("garrison", "blue", "britain", "malta")])
    assert told(state, "sicily:italy:transport")["by"]["airdrop"]["targets"] == ["Malta"]
    assert rule_of(malta(), "sicily:italy:transport", "airdrop") == (False, "18.512C")
    hungry = ground("outpost", "red", "italy", "3,0", supply="none")
    moving = malta(phase="movement", units=[hungry])
    assert rule_of(moving, "sicily:italy:transport", "air-supply") == (True, "18.511D")
    assert rule_of(malta(phase="movement"), "sicily:italy:transport", "air-supply") == (False, "18.533")
    assert rule_of(malta(phase="movement"), "sicily:italy:transport", "air-transport") == (False, "18.545")
    assert rule_of(malta(phase="movement"), "sicily:italy:transport", "hump") == (False, "18.511E")


def test_interception_of_an_air_transport_mission() -> None:
    state = malta(phase="movement")
    italian = units_of(state, "sicily", Arm.TRANSPORT)
    state.turn.airlift = AirTransportMission("air-transport", "red", ((0, 0), (1, 0)), {italian: 1})
    entry = told(state, "malta:britain:army", "blue")["by"]["intercept-transport"]
    assert (entry["open"], entry["rule"], entry["number"]) == (True, "18.471", 2)
    state.turn.airlift.path = ((-9, 0), (-8, 0))
    assert rule_of(state, "malta:britain:army", "intercept-transport", "blue") == (False, "18.45")


def test_bombing() -> None:
    state = malta(targets={"malta": "the dockyard"})
    assert told(state, "sicily:germany:army")["by"]["bomb"]["targets"] == ["the dockyard"]
    assert rule_of(malta(), "sicily:germany:army", "bomb") == (False, "18.57")


@pytest.mark.rule("17.72", "18.42A")
def test_strategic_bombers_are_asked_for_by_their_front() -> None:
    bombers = [{"nation": "germany", "arm": "bomber", "factors": 2, "front": "south"}]
    state = malta(targets={"malta": "the dockyard"}, sw=bombers, fronts={"sicily": "south", "malta": "south"})
    assert told(state, "south:germany:bomber")["by"]["bomb"]["targets"] == ["the dockyard"]
    assert rule_of(state, "south:germany:bomber", "counterair") == (False, "17.73")
    down = malta(targets={"malta": "the dockyard"}, sw=bombers, fronts={"sicily": "south", "malta": "south"})
    down.turn.bombers["south"] = {
        which.turned(inverted=True): number for which, number in down.turn.bombers["south"].items()
    }
    assert told(down, "south:germany:bomber")["by"]["bomb"]["text"] == "inverted"
    nothing = malta(sw=bombers, fronts={"sicily": "south"})
    assert rule_of(nothing, "south:germany:bomber", "bomb") == (False, "17.72")


# --- staging and the like ---------------------------------------------------------------------------------------


@pytest.mark.rule("18.21", "18.24.1")
def test_staging() -> None:
    state = malta(SICILY, base("rome", "red", (-3, 0)), MALTA, phase="movement")
    entry = told(state, "sicily:germany:army")["by"]["stage"]
    assert (entry["open"], entry["number"], entry["targets"]) == (True, 3, ["Rome"])
    set_mark(state, STAGED, units_of(state, "sicily", Arm.ARMY), 3)
    assert rule_of(state, "sicily:germany:army", "stage") == (False, "18.24.1")
    assert told(state, "sicily:germany:army")["marks"] == ["3 staged this movement phase"]
    assert rule_of(malta(), "sicily:germany:army", "stage") == (False, "18.21")
    assert rule_of(malta(phase="movement"), "malta:britain:army", "stage", "blue") == (False, "18.21")


@pytest.mark.rule("18.21", "17.3122A")
def test_staging_is_over_when_ships_sail_and_squadrons_may_board_later() -> None:
    """18.21: air stages as the movement phase begins."""
    truk = base("truk", "red", (0, 0), "2 japan naval", ports=1)
    kido = squadron("kido", "red", "Akagi", cruisers=8, base="truk")
    tokyo, hawaii = base("tokyo", "red", (-3, 0)), base("hawaii", "blue", (9, 0))
    found = {}
    for segment in ("before_staging", "uninvert_staged", "after_staging", "after_base_changes", "supply_by_air"):
        state = malta(truk, tokyo, hawaii, pacific=True, forces=[kido], phase="movement")
        state.frames = [player_turn.segments[segment].frame]
        found[segment] = [rule_of(state, "truk:japan:naval", move)[0] for move in ("stage", "board")]
    assert found == {
        "before_staging": [True, True],
        "uninvert_staged": [True, True],  # the segment after staging, while that goes on
        "after_staging": [False, True],
        "after_base_changes": [False, True],
        "supply_by_air": [False, False],
    }


def test_redeployment_and_carriers() -> None:
    truk = base("truk", "red", (0, 0), "2 japan naval", ports=1)
    kido = squadron("kido", "red", "Akagi", cruisers=8, base="truk")
    tokyo, hawaii = base("tokyo", "red", (-3, 0)), base("hawaii", "blue", (9, 0))
    state = malta(truk, tokyo, hawaii, pacific=True, forces=[kido], phase="redeployment")
    assert told(state, "truk:japan:naval")["by"]["redeploy"]["targets"] == ["Tokyo"]
    assert rule_of(state, "truk:japan:naval", "board") == (True, "17.3122")
    bare = malta(truk, tokyo, hawaii, pacific=True, phase="redeployment")
    assert rule_of(bare, "truk:japan:naval", "board") == (False, "17.3122")


@pytest.mark.rule("17.3122", "17.312", "17.3122C.1")
def test_only_carriers_with_room_are_boarded_and_in_the_construction_phase_those_launched() -> None:
    def board(aboard: int, phase: str = "redeployment", launched: tuple[str, ...] = ()) -> bool:
        truk, hawaii = base("truk", "red", (0, 0), "2 japan naval", ports=1), base("hawaii", "blue", (9, 0))
        kido = squadron("kido", "red", "Akagi", cruisers=8, air=aboard, base="truk")
        state = malta(truk, hawaii, pacific=True, forces=[kido], phase=phase, launched=[*launched])
        set_mark(state, BUILT, units_of(state, "truk", Arm.NAVAL), 2)
        return rule_of(state, "truk:japan:naval", "board")[0]

    assert board(2)
    assert not board(3)
    assert not board(2, "construction")
    assert board(2, "construction", ("kido",))


# --- carriers ---------------------------------------------------------------------------------------------------


def carriers(**more: Any) -> State:
    """Kido Butai, in port in Truk; Rabaul is blue."""
    truk = base("truk", "red", (0, -8), "1 japan army", ports=1)
    rabaul = base("rabaul", "blue", (3, -8), "1 united-states army", ports=1)
    kido = squadron("kido", "red", "Akagi", cruisers=8, air=3, base="truk")
    return malta(truk, rabaul, pacific=True, forces=[kido], **more)


@pytest.mark.rule("17.3126E")
def test_squadrons_of_carriers_in_port_only_defend_it() -> None:
    assert rule_of(carriers(), "kido:japan:naval", "counterair") == (False, "17.3126E")
    assert rule_of(carriers(), "kido:japan:naval", "search") == (False, "17.33C")


@pytest.mark.rule("18.511C", "17.3122D.1")
def test_squadrons_of_carriers_at_sea() -> None:
    """On the way to a patrol hex they attack air bases alone, from it ships in port too."""
    state = carriers(phase="movement")
    key = sail(state, Activity.PATROL, "kido", (1, -9))
    state.operation.fleet["kido"].voyage = key
    state.operation.voyages[key].step = 0
    assert rule_of(state, "kido:japan:naval", "attack-in-port") == (False, "23.61")
    assert told(state, "kido:japan:naval")["by"]["counterair"]["targets"] == ["Rabaul"]
    assert rule_of(state, "kido:japan:naval", "cap") == (True, "18.473")
    state.operation.voyages[key].activity = Activity.BASE_CHANGE
    assert rule_of(state, "kido:japan:naval", "counterair") == (False, "23.61")
    state.operation.fleet["kido"].voyage, state.operation.fleet["kido"].patrol, state.operation.fleet["kido"].at = (
        "",
        "offensive",
        (2, -9),
    )
    for task, number in {"attack-in-port": "18.511C", "counterair": "18.511A"}.items():
        entry = told(state, "kido:japan:naval")["by"][task]
        assert (entry["open"], entry["rule"], entry["number"]) == (True, number, 3)
        assert entry["targets"] == ["Rabaul"]
    assert rule_of(state, "kido:japan:naval", "cap") == (True, "18.473")
    state.operation.fleet["kido"].at = (-9, -9)
    entry = told(state, "kido:japan:naval")["by"]["counterair"]
    assert (entry["open"], entry["rule"], entry["text"]) == (False, "23.61", "no enemy base within 3 hexes")
    state.operation.fleet["kido"].inverted = True
    assert rule_of(state, "kido:japan:naval", "counterair") == (False, "17.3122D.1")


@pytest.mark.rule("17.3124.5")
def test_damaged_carriers_launch_nobody() -> None:
    state = carriers(phase="movement")
    kido = state.operation.fleet["kido"]
    kido.patrol, kido.at = "offensive", (2, -9)
    kido.group.ships = {ship.bearing(2) if ship.named else ship: number for ship, number in kido.group.ships.items()}
    for task in ("counterair", "cap"):
        assert rule_of(state, "kido:japan:naval", task) == (False, "17.3124.5")


@pytest.mark.rule("18.5522", "18.562")
def test_squadrons_of_carriers_on_station_support_and_intercept_within_three_hexes() -> None:
    """Unless they have done something else, and there is something to do in range."""

    def asked(*, rabaul: str = "", task: str = "ground-support", at: tuple[int, int] = (3, -9)) -> tuple[str, str]:
        attackers = [ground("anton", "red", "japan", "2,-6"), ground("bruno", "red", "japan", "7,-6")]
        defenders = [ground("mons", "blue", "united-states", "3,-6"), ground("tours", "blue", "united-states", "8,-6")]
        state = carriers(units=[*attackers, *defenders])
        state.operation.fleet["kido"].patrol, state.operation.fleet["kido"].at = "offensive", at
        state.operation.tasks = {"kido": rabaul} if rabaul else {}
        american = units_of(state, "rabaul", Arm.ARMY)
        state.turn.flights = [Flight("blue", FlightKind.DEFENSIVE_SUPPORT, (3, -6), {american: 1})]
        entry = told(state, "kido:japan:naval")["by"][task]
        return entry["rule"], ",".join(entry["targets"]) or entry["text"]

    assert asked() == ("18.512D", "hex 3,-6")
    assert asked(task="intercept-das") == ("18.512E", "hex 3,-6")
    assert asked(at=(0, -9)) == ("18.5522", "no hex in range of its station needs it")
    assert asked(at=(0, -9), rabaul="base-attack") == ("18.5522", "no hex in range of its station needs it")
    assert asked(rabaul="base-attack") == ("21.4181C", "already did something else this player turn")


# --- kamikazes --------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.463", "17.461", "17.41", "17.47D.1")
def test_kamikazes() -> None:
    state = carriers()
    assert rule_of(state, "kamikazes", "counterair") == (False, "17.463")
    assert rule_of(state, "kamikazes", "attack-at-sea") == (False, "17.41")
    state.turn.pool.limit = 15
    assert rule_of(state, "kamikazes", "attack-at-sea") == (False, "17.44B")
    state.kamikazes = 4
    assert rule_of(state, "kamikazes", "attack-at-sea") == (True, "17.462")
    entry = told(state, "kamikazes")
    numbers = {task: verdict["number"] for task, verdict in entry["by"].items() if verdict["number"]}
    assert (numbers, entry["out"]) == ({"attack-at-sea": 4}, 0)
    state.turn.pool.last = state.turn.player_turn
    assert rule_of(state, "kamikazes", "attack-at-sea") == (False, "17.47D")
    assert not told(state, "kamikazes", "blue")["yours"]


# --- names and secrets ------------------------------------------------------------------------------------------


def test_units_are_named_by_base_nation_and_arm() -> None:
    assert [one["unit"] for one in explain(malta(), "red", "Sicily")["units"]] == [
        "sicily:germany:army",
        "sicily:italy:transport",
    ]
    assert [one["unit"] for one in explain(malta(), "red", "sicily:italy")["units"]] == ["sicily:italy:transport"]
    assert explain(malta(SICILY, base("crete", "red", (3, 0)), MALTA), "red", "crete")["units"] == []


@pytest.mark.parametrize("name", ["atlantis", "sicily:france", "sicily:germany:jet", "sicily:germany:army:x", ""])
def test_names_that_are_nobodys(name: str) -> None:
    with pytest.raises(UnknownName, match="sicily"):
        explain(malta(), "red", name)


def test_of_the_enemy_what_lies_open_is_told_and_no_more() -> None:
    """His squadrons ashore, but not what was decided about them; nothing that is aboard."""
    state = carriers()
    truk = units_of(state, "truk", Arm.ARMY)
    before = explain(state, "blue", "truk")
    add(state.sites["truk"].committed, truk, 1)
    add(state.sites["truk"].used, truk, 1)
    assert explain(state, "blue", "truk") == before
    assert explain(state, "red", "truk") != explain(carriers(), "red", "truk")
    assert [one["unit"] for one in before["units"]] == ["truk:japan:army"]
    for name in ("kido", "kido:japan:naval", "TF 1 (Red)"):
        with pytest.raises(UnknownName, match="no air units of that name"):
            explain(state, "blue", name)


def long_game(seed: int) -> Any:
    mine = squadron("fleet", "blue", "Warspite", nation="britain", cruisers=8, base="gibraltar")
    data = scenario(
        base("sicily", "red", (0, 0), "3 germany army", "1 germany transport", "1 italy army"),
        base("rome", "red", (-3, 0), "2 italy army inverted"),
        MALTA,
        base("gibraltar", "blue", (3, -7), "2 britain army", ports=1),
        units=[
            ground("afrika", "red", "germany", "1,0", factors=3),
            ground("garrison", "blue", "britain", "malta"),
            ground("para", "red", "germany", "sicily", kind="airborne"),
        ],
        forces=[mine],
        turns=["red", "blue"],
        brps={"germany": 9, "britain": 9},
        force_pool={"germany/army": 1},
    )
    return flagplot.load(data, seed=seed)


MISSIONS = {
    "fly": ("counterair", "attack-in-port"),
    "send": ("intercept-transport",),
    "guard": ("counter-intercept",),
    "das": ("fly-das",),
    "support": ("ground-support",),
    "intercept": ("intercept-das",),
}
"""What units are asked for under a verb."""


def test_whoever_is_asked_for_is_said_to_be_open() -> None:
    """At every question how many units fly: what is offered is what is told."""
    met: set[str] = set()
    for seed in range(16):
        game = long_game(seed)
        players = {side: RandomPlayer(seed + place) for place, side in enumerate(game.sides)}
        while game.pending is not None:
            request = game.pending
            if isinstance(request, Choose) and isinstance(request.verb, tuple):
                verb = str(request.verb[0]).partition(":")[0]
                tag = str(request.verb[-1]).split(":")
                squadrons = tag[-1] not in ("factors", "squadrons")  # they have flown in this attack before
                if verb in MISSIONS and len(tag) == 4 and tag[0] in game.state.sites and not squadrons:
                    (entry,) = game.explain(":".join(tag[:3]))["units"]
                    able = {one["task"] for one in entry["tasks"] if one["open"]}
                    again = game.state.operation.base_strike is not None and game.state.operation.base_strike.sortie > 1
                    assert again or set(MISSIONS[verb]) & able, (verb, tag, entry)
                    met.add(verb)
            game.play(players, until=game.turn + 1)
    assert set(MISSIONS) <= met


def open_to(state: State, task: str) -> dict[str, tuple[str, ...]]:
    """The land-based units and bombers of the moving side to which something is open, and where."""
    homes = [*[home for home in state.of_side(state.moving) if not state.place(home).afloat], *state.turn.bombers]
    units = [unit for home in homes for unit in explain(state, state.moving, home)["units"] if unit["yours"]]
    told = {unit["unit"]: one for unit in units for one in (*unit["tasks"], *unit["moves"]) if one["task"] == task}
    return {unit: tuple(one["targets"]) for unit, one in told.items() if one["open"]}


TRANSPORTS = {"airlift": "air-transport", "airdrop": "airdrop", "fly-supply": "air-supply"}


def told_to_be_offered(state: State, verb: str) -> set[str]:
    """The options that there must be at a question, by what is told of all units."""
    if verb in ("stage", "redeploy"):
        return {unit.partition(":")[0] for unit in open_to(state, verb)}
    if verb in TRANSPORTS:
        return {unit.rpartition(":")[0] for unit in open_to(state, TRANSPORTS[verb])}
    if verb == "bomb":
        named = {name: target for target, name in state.turn.plan.targets.items()}
        aims = open_to(state, "bomb").items()
        return {f"{unit.split(':')[1]}:{named[aim]}" for unit, found in aims for aim in found}
    tasks = ("counterair",) if state.operation.counterair_first or state.now == "movement" else ("attack-in-port",)
    found = {name for task in tasks for targets in open_to(state, task).values() for name in targets}
    return {base for base in state.of_side(state.other(state.moving)) if state.place(base).name in found}


@pytest.mark.rule("18.41", "18.21", "18.57", "18.545", "23.51")
@pytest.mark.parametrize("name", ["malta-turn", "rhine-turn", "solomons-turn", "generated:air-turn:8"])
def test_what_is_open_is_offered_and_what_is_closed_is_not(name: str) -> None:
    """Both ways, at every question from where, or against what, air flies."""
    verbs = {"stage", "redeploy", "bomb", "base-attack", *TRANSPORTS}
    met: set[str] = set()
    for seed in range(3):
        game = flagplot.load(name, seed=seed)
        players = {side: RandomPlayer(seed + place) for place, side in enumerate(game.sides)}
        while game.pending is not None:
            request = game.pending
            if isinstance(request, Choose):
                verb = request.verb if isinstance(request.verb, str) else ":".join(request.verb)
                asked = "base-attack" if verb == "base-attack:land" else verb
                if asked in verbs:
                    offered = {str(value) for value in request.values} - {"done", "none"}
                    assert offered == told_to_be_offered(game.state, asked), (seed, game.turn, verb)
                    met.add(asked)
            game.play(players, until=game.turn + 1)
    assert len(met) > 1, met


def test_it_can_be_asked_at_any_moment_and_tells_nothing_of_the_enemys_secrets() -> None:
    """By each side of every base; in a state that differs in what the side may not know the answers are the same."""
    asked = 0
    for seed in range(4):
        game = long_game(seed)
        players = {side: RandomPlayer(seed + place) for place, side in enumerate(game.sides)}
        while game.pending is not None:
            if game.turn % 5 == 0:
                for side in game.sides:
                    other = game.ruleset.reshuffle(game.state, side, Random(seed))
                    for home in ("sicily", "rome", "malta", "gibraltar"):
                        assert explain(game.state, side, home) == explain(other, side, home)
                        asked += 1
            game.play(players, until=game.turn + 1)
    assert asked > 50


# --- the game ---------------------------------------------------------------------------------------------------


def test_a_game_explains_as_the_owner_or_as_a_side() -> None:
    game = long_game(1)
    assert game.explain("malta")["side"] == "blue"
    assert game.explain("malta", "umpire")["side"] == "blue"
    seen = game.explain("malta", "red")
    assert (seen["side"], seen["units"][0]["yours"]) == ("red", False)
    assert game.explain("malta", "neutral")["units"][0]["yours"] is False
    with pytest.raises(UnknownName, match="no such side"):
        game.explain("malta", "green")


@pytest.mark.parametrize("name", ["malta", "midway", "first-battle"])
def test_other_games_explain_nothing(name: str) -> None:
    with pytest.raises(UnknownName, match="what its units may do"):
        flagplot.load(name, seed=1).explain("malta")


def test_what_is_done_for_ships() -> None:
    assert {task.value for task in AT_SEA} == {"search", "air-cover", "attack-at-sea", "cap", "spot"}
