"""The end of a player turn, uninversion (18.7), and what single units live through in two player turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flagplot.awaw.air_rounds import to_scale
from flagplot.awaw.air_units import Arm, Force, Role, Unit, unit
from flagplot.awaw.counterair import launch
from flagplot.awaw.procedures import air_turn, flights_home, turn_end, uninverting
from flagplot.awaw.state.state import State
from flagplot.awaw.state.turn import Down, Flight, FlightKind, Phase, Until
from flagplot.awaw.turn import turn as phases
from flagplot.awaw.turn.end import record
from flagplot.awaw.turn.end import uninverting as uninverting_module
from flagplot.awaw.turn.end.uninverting import DURING, LAST, START, held_down, uninvert_automatically, uninvertible
from flagplot.awaw.turn.ground import das_interception, defensive_support
from flagplot.awaw.turn.ground import support as ground_support
from flagplot.awaw.turn.marks import BUILT, REDEPLOYED, SHIPPED, set_mark
from flagplot.awaw.turn.missions.inversion import invert
from flagplot.awaw.turn.turn import hand_over
from flagplot.kernel.dice import Scripted, Seeded
from flagplot.kernel.game import Game
from flagplot.kernel.procedures import Frame, Procedure
from tests.awaw.seas import least, offered, play, questions, steer, taken
from tests.awaw.turn.moves import run
from tests.awaw.turn.turns import air_at, base, ground, small_force, turn, units_of


def drive(game: Game[Any], *orders: str) -> State:
    """Go on to the end: orders are given when they are offered, air is uninverted whenever it may be, and nothing else
    is done."""
    waiting = list(orders)
    for texts in questions(game):
        quiet = "uninvert:all" if "uninvert:all" in texts else least(texts)
        game.choose(taken(waiting, texts) or quiet)
    assert not waiting, f"never asked: {waiting}"
    after: State = game.state
    return after


def go(state: State, start: Frame | Procedure, *orders: str) -> State:
    return drive(play(state, start), *orders)


# --- 18.72: who may not be uninverted ---------------------------------------------------------------------------


def held(state: State, home: str, when: str) -> dict[str, int]:
    """By rule: how many of the inverted air of a base may not be uninverted."""
    which = next(one for one in state.sites[home].air if one.inverted)
    return {refusal.rule: number for refusal, number in held_down(state, which, when).items()}


def inverted(*air: str, until: Until = Until.NOW, **more: Any) -> State:
    """Inverted German air in Rome that may be uninverted at some time."""
    place = {key: more.pop(key) for key in ("supply", "oil", "box", "cities") if key in more}
    state = turn(base("rome", "red", (0, 0), *air, **place), base("malta", "blue", (2, 0)), **more)
    state.turn.down = [Down(which, number, "18.42A", "", until) for which, number in state.sites["rome"].air.items()]
    return state


@pytest.mark.rule("18.72A")
@pytest.mark.parametrize(("supply", "free"), [("full", 2), ("partial", 0), ("none", 0)])
def test_only_fully_supplied_air_is_uninverted(supply: str, free: int) -> None:
    state = inverted("2 germany army inverted", supply=supply)
    assert sum(uninvertible(state, START).values()) == free
    assert sum(uninvertible(state, LAST).values()) == free
    assert held(state, "rome", START) == ({} if free else {"18.72A": 2})


@pytest.mark.rule("18.72B", "18.71")
def test_what_was_used_waits_for_the_end_of_the_player_turn() -> None:
    state = inverted("2 germany army inverted", until=Until.TURN_END)
    assert held(state, "rome", DURING) == {"18.72B": 2}
    assert uninvertible(state, DURING) == {}
    assert sum(uninvertible(state, LAST).values()) == 2


@pytest.mark.rule("18.71")
def test_what_was_inverted_before_may_be_uninverted_at_any_time() -> None:
    state = inverted("2 germany army inverted")
    for when in (START, DURING, LAST):
        assert sum(uninvertible(state, when).values()) == 2


@pytest.mark.rule("18.72C")
def test_new_air_waits_for_the_end_and_longer_if_it_was_redeployed() -> None:
    state = inverted("2 germany army inverted")
    which = units_of(state, "rome", Arm.ARMY, inverted=True)
    set_mark(state, BUILT, which, 2)
    assert held(state, "rome", DURING) == {"18.72C": 2}
    assert held(state, "rome", LAST) == {}
    set_mark(state, REDEPLOYED, which, 1)
    assert held(state, "rome", LAST) == {"18.72D": 1}
    assert held(state, "rome", DURING) == {"18.72D": 1, "18.72C": 1}
    state.turn.down = [Down(which, 2, "18.42A", "", Until.TURN_END)]
    assert held(state, "rome", DURING) == {"18.72D": 1, "18.72C": 1}, "each is held down once"


@pytest.mark.rule("18.71", "18.72B.1")
def test_in_the_course_of_a_turn_air_that_something_has_inverted_counts_as_used() -> None:
    state = turn(base("rome", "red", (0, 0), "2 germany army inverted"), base("malta", "blue", (2, 0)), phase="combat")
    state.turn.down = []
    game = play(state, uninverting.start(DURING))
    assert game.pending is None
    after: Any = game.state
    assert [(entry.number, entry.rule) for entry in after.turn.down] == [(2, "18.42A")]


@pytest.mark.rule("18.72D.1")
def test_inverted_air_that_was_redeployed_stays_so_in_the_enemys_turn() -> None:
    state = inverted("3 germany army inverted", until=Until.TURN_END)
    which = units_of(state, "rome", Arm.ARMY, inverted=True)
    set_mark(state, REDEPLOYED, which, 2)
    after = go(state, uninverting.start(LAST))
    assert air_at(after, "rome") == {"germany army": 1, "germany army inverted": 2}
    late = Down(which, 2, "18.72D", "was redeployed after use", Until.NEXT_TURN)
    assert after.turn.down == [late]
    kept: Any = steer(play(state, uninverting.start(LAST)), "uninvert:none").state
    assert kept.turn.down == [Down(which, 1, "18.42A", "", Until.TURN_END), late]


@pytest.mark.rule("18.72D.1", "18.72C")
@pytest.mark.parametrize(
    ("pacific", "at_war", "built", "free"),
    [
        (True, [], 0, 2),
        (True, ["us-japan"], 0, 0),
        (True, ["us-germany"], 0, 2),
        (False, ["us-germany"], 0, 0),
        (False, ["us-japan"], 0, 2),
        (True, [], 1, 1),
    ],
)
def test_american_air_is_uninverted_after_redeployment_where_there_is_no_war_unless_it_is_new(
    pacific: bool, at_war: list[str], built: int, free: int
) -> None:
    state = turn(
        base("hawaii", "blue", (0, 0), "2 united-states army inverted"),
        base("x", "red", (5, 5)),
        pacific=pacific,
        at_war=at_war,
    )
    hand_over(state, "blue")
    which = units_of(state, "hawaii", Arm.ARMY, inverted=True)
    set_mark(state, REDEPLOYED, which, 2)
    set_mark(state, BUILT, which, built)
    assert sum(uninvertible(state, LAST).values()) == free


@pytest.mark.rule("18.72E")
def test_the_other_side_uninverts_nothing() -> None:
    state = turn(base("rome", "red", (0, 0)), base("malta", "blue", (2, 0), "2 britain army inverted"))
    assert held(state, "malta", LAST) == {"18.72E": 2}
    assert uninvertible(state, START) == uninvertible(state, LAST) == {}
    assert air_at(go(state, turn_end), "malta") == {"britain army inverted": 2}


@pytest.mark.rule("18.71")
def test_the_owner_uninverts_all_some_or_none() -> None:
    state = inverted("2 germany army inverted", "1 italy army inverted")
    game = play(state, uninverting.start(START))
    assert offered(game) == ["uninvert:all", "uninvert:some", "uninvert:none"]
    some: Any = steer(game, "uninvert:some", "uninvert:rome:germany:army:factors:1").state
    assert air_at(some, "rome") == {"germany army": 1, "germany army inverted": 1, "italy army inverted": 1}
    none: Any = steer(play(state, uninverting.start(START)), "uninvert:none").state
    assert air_at(none, "rome") == {"germany army inverted": 2, "italy army inverted": 1}
    assert air_at(go(state, uninverting.start(START)), "rome") == {"germany army": 2, "italy army": 1}


@pytest.mark.rule("18.72E", "18.72B.1")
def test_whatever_happened_in_the_enemys_turn_is_over_when_the_own_one_begins() -> None:
    state = inverted("2 germany army inverted", until=Until.NEXT_TURN)
    assert uninvertible(state, START) == {}
    assert air_at(go(state, uninverting.start(START)), "rome") == {"germany army": 2}
    assert air_at(go(state, uninverting.start(DURING)), "rome") == {"germany army inverted": 2}


# --- the end of a player turn -----------------------------------------------------------------------------------


@pytest.mark.rule("23.164", "18.42B.1", "18.473.2", "23.141C", "23.144", "18.72B")
def test_used_squadrons_are_inverted_then_put_together_then_uninverted() -> None:
    """Both sides have used a search squadron at sea. Red's factor is inverted with it and uninverted at once; Blue's
    stays inverted until its own player turn."""
    state = turn(
        base("rome", "red", (0, 0), "2 germany army"), base("malta", "blue", (2, 0), "2 britain army"), phase="end"
    )
    for home in ("rome", "malta"):
        site = state.sites[home]
        site.air = to_scale(site.air, {}, squadrons=True)[0]
        site.used = {next(which for which in site.air if which.role is Role.SEARCH): 1}
    kept: Any = steer(play(state, turn_end), "uninvert:none").state
    assert air_at(kept, "rome") == {"germany army": 1, "germany army inverted": 1}
    assert {entry.rule for entry in kept.turn.down} == {"23.164"}
    after = go(state, turn_end)
    assert air_at(after, "rome") == {"germany army": 2}
    assert air_at(after, "malta") == {"britain army": 1, "britain army inverted": 1}
    assert [(entry.which.home, entry.rule, entry.until) for entry in after.turn.down] == [
        ("malta", "23.164", Until.TURN_END)
    ]
    assert not any(site.used or site.committed for site in after.sites.values())


@pytest.mark.rule("23.164", "18.72D.2")
def test_air_that_was_redeployed_and_then_used_at_sea_is_not_uninverted_before_its_next_turn() -> None:
    """18.72D: redeployed by air, then used to assist naval redeployments."""
    for air in ("2 japan naval", "2 japan army"):
        state = turn(base("truk", "red", (0, 0), air), base("x", "blue", (5, 5)), pacific=True, phase="end")
        which = next(iter(state.sites["truk"].air))
        set_mark(state, REDEPLOYED, which, 1)
        site = state.sites["truk"]
        site.air = to_scale(site.air, {}, squadrons=True)[0]
        squadron = next(one for one in site.air if one.role in (Role.ATTACK, Role.SQUADRONS))
        site.used = {squadron: 1}
        assert sum(number for one, number in go(state, turn_end).sites["truk"].air.items() if one.inverted) == 0
        site.used = {squadron: 2}
        after = go(state, turn_end)
        assert sum(number for one, number in after.sites["truk"].air.items() if one.inverted) == 1
        assert [(entry.number, entry.rule, entry.until) for entry in after.turn.down] == [
            (1, "18.72D", Until.NEXT_TURN)
        ]


def test_marks_on_squadrons_hold_for_the_factors_that_they_make() -> None:
    for until in (Until.TURN_END, Until.NEXT_TURN):
        state = turn(base("truk", "red", (0, 0), "2 japan army"), base("x", "blue", (5, 5)), pacific=True, phase="end")
        site = state.sites["truk"]
        site.air = to_scale(site.air, {}, squadrons=True)[0]
        for role in (Role.SEARCH, Role.ATTACK):
            squadron = next(one for one in site.air if one.role is role)
            set_mark(state, REDEPLOYED, squadron, 2 if until is Until.TURN_END else 1)
            invert(state, squadron, 1, "23.164", "was used at sea, and redeployed", until)
        after = go(state, turn_end)
        assert air_at(after, "truk") == {"japan army": 1, "japan army inverted": 1}
        assert [(entry.number, entry.until) for entry in after.turn.down] == [(1, Until.NEXT_TURN)]


@pytest.mark.rule("18.73A")
def test_bombers_and_interceptors_of_the_moving_side_are_uninverted_by_themselves() -> None:
    state = turn(base("rome", "red", (0, 0)), base("malta", "blue", (2, 0)), phase="end")
    ours = unit("germany", Arm.INTERCEPTOR, 0, 0, "west", Role.FACTORS, True)
    theirs = unit("britain", Arm.BOMBER, 0, 0, "west", Role.FACTORS, True)
    state.turn.bombers = {"west": {theirs: 2, ours: 1}}
    after = go(state, turn_end)
    assert after.turn.bombers == {"west": {theirs: 2, ours.turned(inverted=False): 1}}


@pytest.mark.rule("18.73B")
@pytest.mark.parametrize(("mark", "free"), [("", 2), (SHIPPED, 1)])
def test_western_allied_air_in_the_boxes_of_the_united_states_is_uninverted_even_without_supply(
    mark: str, free: int
) -> None:
    box = base("us-box", "blue", (-9, 0), "2 united-states army inverted", box=True, cities=0, supply="none")
    other = base("india", "blue", (-9, 3), "1 britain army inverted", box=True, cities=0, supply="none")
    state = turn(box, other, base("x", "red", (5, 5)), phase="end", us_boxes=["us-box"])
    assert air_at(go(state, turn_end), "us-box") == {"united-states army inverted": 2}, "not in the enemy's turn"
    hand_over(state, "blue")
    if mark:
        set_mark(state, mark, units_of(state, "us-box", Arm.ARMY, inverted=True), 1)
    after = go(state, turn_end)
    assert air_at(after, "us-box").get("united-states army", 0) == free
    assert air_at(after, "india") == {"britain army inverted": 1}


@pytest.mark.rule("18.73B")
def test_nobody_is_asked_about_air_that_is_uninverted_by_itself() -> None:
    box = base("us-box", "blue", (-9, 0), "2 united-states army inverted", box=True, cities=0)
    state = turn(box, base("x", "red", (5, 5)), phase="end", us_boxes=["us-box"])
    hand_over(state, "blue")
    game = play(state, turn_end)
    assert game.pending is None
    after: Any = game.state
    assert air_at(after, "us-box") == {"united-states army": 2}


def test_ships_in_port_are_uninverted_with_the_end_of_their_owners_turn() -> None:
    """21.7, as we read it: not in the enemy's turn, not after a redeployment, not in a port without supply."""
    at = {"a": (0, -7), "b": (2, -7), "c": (4, -7)}
    ports = [base(name, "red", where, ports=1, supply="none" if name == "c" else "full") for name, where in at.items()]
    ships = [
        small_force(name, "red", home, {"nation": "germany", "destroyers": 3})
        for name, home in (("one", "a"), ("two", "b"), ("three", "c"))
    ]
    state = turn(*ports, base("x", "blue", (5, 5)), forces=ships, phase="end")
    for force in state.operation.fleet.values():
        force.inverted = True
    state.turn.berths = {"one": "a", "two": "a", "three": "c"}
    after = go(state, turn_end)
    assert {key: force.inverted for key, force in after.operation.fleet.items()} == {
        "one": False,
        "two": True,
        "three": True,
    }
    hand_over(state, "blue")
    assert all(force.inverted for force in go(state, turn_end).operation.fleet.values())


# --- flights home -----------------------------------------------------------------------------------------------


@pytest.mark.rule("18.618", "18.42A")
@pytest.mark.parametrize(
    ("kind", "rule"),
    [(FlightKind.GROUND_SUPPORT, "18.42A"), (FlightKind.DEFENSIVE_SUPPORT, "18.618"), (FlightKind.ESCORT, "18.6141")],
)
def test_whoever_was_out_over_a_hex_has_flown_a_mission_even_if_nothing_happened(kind: FlightKind, rule: str) -> None:
    state = turn(base("rome", "red", (0, 0), "2 germany army"), base("malta", "blue", (2, 0)))
    which = units_of(state, "rome", Arm.ARMY)
    launch(state, {which: 1})
    state.turn.flights = [Flight("red", kind, (1, 0), {which: 1})]
    after = go(state, flights_home)
    assert air_at(after, "rome") == {"germany army": 1, "germany army inverted": 1}
    assert [(entry.rule, entry.until) for entry in after.turn.down] == [(rule, Until.TURN_END)]
    assert after.turn.flights == []


# --- life histories ---------------------------------------------------------------------------------------------

READY = "ready"
FLOWN, SEA, SHAKEN, FOUGHT, BUILT_NOW, MOVED = "18.42A", "23.164", "18.43", "18.472", "18.72C", "18.72D"
MOVE, FIGHT, BUILD, REDEPLOY, OVER = "movement", "combat", "construction", "redeployment", "over"


class Life(NamedTuple):
    """What becomes of the units of one base in a player turn of Red, one of Blue, and the next one of Red."""

    watched: str
    """The base, at first."""
    orders: Sequence[str]
    dice: Sequence[tuple[str | int, ...]]
    seen: dict[str, str]
    """By moment: what they are. A moment is the beginning of a phase or the end of a turn: ``1 combat``."""
    used: str = ""
    """A base whose air has been used at sea as the first turn begins."""


LIVES = {
    "counterair in the movement phase": Life(
        "rome",
        ["base-attack:land:malta"],
        [("Red: air combat", 1, 1), ("Blue: air combat", 1, 1)],
        {"1 movement": READY, "1 combat": FLOWN, "1 redeployment": FLOWN, "1 over": READY, "2 over": READY},
    ),
    "forced to abort by counterair": Life(
        "malta",
        ["base-attack:land:malta"],
        [("Red: air combat", 1, 3), ("Blue: air combat", 1, 1)],
        {"1 movement": READY, "1 combat": SHAKEN, "1 over": SHAKEN, "2 movement": READY},
    ),
    "counteraired without effect": Life(
        "malta",
        ["base-attack:land:malta"],
        [("Red: air combat", 1, 1), ("Blue: air combat", 1, 1)],
        {"1 combat": READY, "1 over": READY},
    ),
    "air transport": Life(
        "capri/transport",
        ["airlift:capri:germany"],
        [],
        {"1 movement": READY, "1 combat": FLOWN, "1 redeployment": FLOWN, "1 over": READY},
    ),
    "interception of air transport, with an attack": Life(
        "malta",
        ["airlift:capri:germany", "airlift:capri:tunis", "intercept:5,0", "attack:malta:britain:army:factors:1"],
        [("Blue: air combat", 1, 1)],
        {"1 movement": READY, "1 combat": FOUGHT, "1 over": FOUGHT, "2 movement": READY},
    ),
    "interception of air transport, called off": Life(
        "malta",
        ["airlift:capri:germany", "airlift:capri:tunis", "intercept:5,0"],
        [],
        {"1 movement": READY, "1 combat": READY, "1 over": READY},
    ),
    "used at sea in its own turn": Life(
        "rome", [], [], {"1 combat": READY, "1 redeployment": READY, "1 over": READY, "2 movement": READY}, used="rome"
    ),
    "used at sea in its own turn, and redeployed": Life(
        "bari",
        ["redeploy:rome", "redeploy:rome:germany:army:factors:bari"],
        [],
        {"1 over": MOVED, "2 over": MOVED, "3 movement": READY},
        used="rome",
    ),
    "used at sea in the enemy's turn": Life(
        "malta", [], [], {"1 redeployment": READY, "1 over": SEA, "2 movement": READY}, used="malta"
    ),
    "redeployed unused": Life(
        "bari",
        ["redeploy:rome", "redeploy:rome:germany:army:factors:bari"],
        [],
        {"1 over": READY, "2 movement": READY},
    ),
    "counterair, and redeployed": Life(
        "bari",
        [
            "base-attack:land:malta",
            "redeploy:rome",
            "redeploy:rome:germany:army:factors:inverted:bari",
        ],
        [("Red: air combat", 1, 1), ("Blue: air combat", 1, 1)],
        {"1 redeployment": "", "1 over": MOVED, "2 over": MOVED, "3 movement": READY},
    ),
    "new construction": Life(
        "berlin",
        ["build:germany/army"],
        [],
        {"1 construction": "", "1 redeployment": BUILT_NOW, "1 over": READY, "2 movement": READY},
    ),
}


def scene(used: str = "") -> State:
    state = turn(
        base("rome", "red", (0, 0), "1 germany army"),
        base("capri", "red", (0, 1), "1 germany transport"),
        base("bari", "red", (4, 3)),
        base("tunis", "red", (5, 0)),
        base("berlin", "red", (-8, 6)),
        base("malta", "blue", (2, 1), "1 britain army"),
        units=[ground("one", "red", "germany", "capri")],
        phases=["movement", "combat", "construction", "redeployment"],
        turns=["red", "blue"],
        force_pool={"germany/army": 1},
        brps={"germany": 3},
        homes={"berlin": "germany"},
        overruns=False,
    )
    state.turn.plan = replace(state.turn.plan, turns=("red", "blue", "red"))
    state.operation.plan = state.operation.plan.with_stages(("movement", "combat", "redeployment") * 3)
    state.turn.step = ""
    if used:
        which = next(one for one in state.sites[used].air if one.arm is Arm.ARMY)
        state.sites[used].used = {which: 1}
    return state


def lived(life: Life, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What the watched units were at the beginning of each phase, and at the end of each player turn."""
    seen: dict[str, str] = {}
    begin, close = phases.begin, record.close_turn

    def note(state: State, moment: str) -> None:
        seen.setdefault(f"{state.turn.player_turn + 1} {moment}", _status(state, life.watched))

    def watched_begin(state: State, phase: Phase) -> Any:
        note(state, phase.value)
        return (yield from begin(state, phase))

    def watched_close(state: State) -> Any:
        note(state, OVER)
        yield from close(state)

    monkeypatch.setattr(phases, "begin", watched_begin)
    monkeypatch.setattr(phases, "close_turn", watched_close)
    with Scripted(*life.dice) as dice:
        drive(play(scene(life.used), air_turn, dice=dice), *life.orders)
    return seen


def _status(state: State, watched: str) -> str:
    from flagplot.awaw.turn.missions.inversion import reasons

    home, _, arm = watched.partition("/")
    down = [entry.rule for entry in reasons(state) if entry.which.home == home and entry.which.arm == (arm or "army")]
    there = any(which.arm == (arm or "army") for which in state.sites[home].air)
    return down[0] if down else READY if there else ""


@pytest.mark.rule("18.41", "18.41.2", "18.42A", "18.42B", "18.43", "18.472.2", "18.623.4", "18.71")
@pytest.mark.rule("18.72B", "18.72B.1", "18.72C", "18.72D.1", "18.72E", "23.164")
@pytest.mark.parametrize("life", LIVES)
def test_life_histories(life: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What single units have flown, when they are inverted and why, and when they are free again."""
    seen = lived(LIVES[life], monkeypatch)
    assert {moment: seen[moment] for moment in LIVES[life].seen} == LIVES[life].seen


# --- no unit flies two missions ---------------------------------------------------------------------------------


class Ledger:
    """Who has taken off on missions in each player turn, by nation and arm, against who was uninverted as it began or
    has been uninverted in it."""

    def __init__(self) -> None:
        self.turn = -1
        self.could: dict[tuple[str, str], int] = {}
        self.flew: dict[tuple[str, str], int] = {}

    def open(self, state: State) -> None:
        if state.turn.player_turn != self.turn:
            self.turn, self.flew, self.could = state.turn.player_turn, {}, {}
            for site in state.sites.values():
                for which, number in site.air.items():
                    if not which.inverted:
                        self.add(self.could, which, number)

    @staticmethod
    def add(counts: dict[tuple[str, str], int], which: Unit, number: int) -> None:
        key = which.nation, which.arm.value
        counts[key] = counts.get(key, 0) + number * which.size


MISSIONS = [
    base("rome", "red", (0, 0), "2 germany army", "1 germany transport"),
    base("bari", "red", (3, 1), "1 italy army", "1 germany army inverted"),
    base("malta", "blue", (2, 2), "2 britain army", "1 britain transport"),
    base("cairo", "blue", (5, 2), "1 britain army inverted", "1 united-states army"),
]
TROOPS = [
    ground("one", "red", "germany", "rome"),
    ground("two", "red", "germany", "1,1", supply="none"),
    ground("three", "blue", "britain", "malta"),
    ground("four", "blue", "britain", "2,1", strength=2),
    ground("five", "red", "germany", "2,0", factors=3, kind="armor"),
    ground("jump", "red", "germany", "rome", kind="airborne"),
]


@pytest.mark.rule("18.41", "18.42A", "23.162")
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 100_000))
def test_no_unit_flies_two_missions_in_a_player_turn(seed: int) -> None:
    """Two player turns at random: no more air of a nation and arm takes off in a player turn than was uninverted as it
    began, or was uninverted in it. Attacks on bases are seen by those who are inverted for them."""
    state = turn(*MISSIONS, units=TROOPS, turns=["red", "blue"], brps={"germany": 9, "britain": 9})
    state.turn.step = ""
    book = Ledger()
    with pytest.MonkeyPatch.context() as patch:
        _watch(patch, book)
        game, chance = play(state, air_turn, dice=Seeded(seed)), Random(seed)
        for texts in islice(questions(game), 5000):
            game.choose(chance.choice(texts))
        assert game.pending is None, "the turns end"


def _watch(patch: pytest.MonkeyPatch, book: Ledger) -> None:
    """Every take-off and every uninversion is entered in the book, wherever it is called from."""
    from flagplot.awaw.operations.bases import attacks as base_strikes
    from flagplot.awaw.operations.bases import sorties as base_sorties
    from flagplot.awaw.turn.missions import inversion, returning
    from flagplot.awaw.turn.transport import air_interception, airlift

    def flies(state: State, force: Force) -> None:
        for which, number in force.items():
            book.add(book.flew, which, number)
            key = which.nation, which.arm.value
            assert book.flew[key] <= book.could.get(key, 0), f"{which} flies twice"
        launched(state, force)

    def uninverts(state: State, which: Unit, number: int) -> None:
        book.add(book.could, which, number)
        uninverted(state, which, number)

    def stands_down(state: State, flown: Force) -> Any:
        for which, number in flown.items():
            book.add(book.flew, which, number)
            key = which.nation, which.arm.value
            assert book.flew[key] <= book.could.get(key, 0), f"{which} flies twice"
        yield from stood_down(state, flown)

    def returns(state: State, force: Force, *more: Any, inverted: bool = True) -> Any:
        for which, number in force.items():
            if not inverted:  # interceptors that did nothing have flown no mission (18.623)
                book.add(book.flew, which, -number)
        yield from returned(state, force, *more, inverted=inverted)

    def opens(state: State) -> None:
        opened(state)
        book.open(state)

    launched, uninverted, opened = launch, inversion.uninvert, record.open_turn
    stood_down, returned = base_sorties.stand_down, returning.return_home
    patch.setattr(air_interception, "return_home", returns)
    for module in (returning, airlift, air_interception, ground_support, defensive_support, das_interception):
        if hasattr(module, "launch"):
            patch.setattr(module, "launch", flies)
    patch.setattr(uninverting_module, "uninvert", uninverts)
    patch.setattr(base_strikes, "stand_down", stands_down)
    patch.setattr(phases, "open_turn", opens)


@pytest.mark.rule("18.73A", "18.73B")
def test_what_is_uninverted_by_itself_is_told_and_nothing_else() -> None:
    """Of five in the box one was shipped there and two were redeployed; of the others who were, none is left."""
    box = base("states", "blue", (9, 0), "5 united-states army inverted", "3 britain army inverted", box=True, cities=0)
    state = turn(box, base("rome", "red", (0, 0)), us_boxes=["states"], at_war=["us-germany"])
    hand_over(state, "blue")
    american, british = state.sites["states"].air
    bomber = unit("britain", Arm.BOMBER, 0, 0, "west", Role.FACTORS, False)
    ready = {front: {bomber.based(front, 0): 1} for front in ("east", "north")}
    state.turn.bombers = {"west": {bomber.turned(inverted=True): 2}, **ready}
    for which, shipped, redeployed in ((american, 1, 2), (british, 2, 1)):
        set_mark(state, SHIPPED, which, shipped)
        set_mark(state, REDEPLOYED, which, redeployed)
    assert run(uninvert_automatically(state)) == ["18.73A", "18.73B"]
    assert state.turn.bombers == {"west": {bomber: 2}, **ready}
    assert air_at(state, "states") == {
        "united-states army": 2,
        "united-states army inverted": 3,
        "britain army inverted": 3,
    }
