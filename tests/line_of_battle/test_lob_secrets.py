"""Secrets of Line of Battle, the conformance suite under every reading, its laws, and its doctrine player."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.kernel.game import Game
from flagplot.kernel.options import describe
from flagplot.kernel.plain_data import canonical, copy_of
from flagplot.kernel.requests import Choose
from flagplot.line_of_battle.knowledge import draw, knowledge_of, reshuffle
from flagplot.line_of_battle.options import Options
from flagplot.line_of_battle.state import Box, State
from flagplot.line_of_battle.views import Position
from flagplot.players import player
from flagplot.players.line_of_battle import PRINCIPLES, LineOfBattleDoctrine, chance, to_sink
from flagplot.players.random import RandomPlayer
from flagplot.testing import conform
from flagplot.testing.checks import ON_REQUEST
from flagplot.testing.line_of_battle import LineOfBattleLaws
from tests.line_of_battle.battles import answer, by_day, by_night, log, start
from tests.line_of_battle.boards import board, lba, ship
from tests.testing.as_told import as_told

NAMES = ("ceylon-raid", "force-z", "savo-island")
READINGS = [
    (option.name, other) for option in describe(Options) for other in option.alternatives if other != option.default
]


def mixed(**more: Any) -> dict[str, Any]:
    """All kinds of units on both sides, some with both sides of their counter and some with one."""
    red = [ship("tone", "G2 T2 A3 D4/2", bonus=True), ship("hiryu", "A4 D4/2", "A1 D2"), lba("bettys", "A3 D3/2", "A1")]
    blue = [ship("ajax", "G3 T1 D4/2"), ship("hermes", "G1 A3 D3/2", "D2"), lba("marauders", "A2 D3")]
    return board(red, blue, **{"bases": ("blue",)} | more)


def suited(options: dict[str, str | bool], **more: Any) -> dict[str, Any]:
    """The same battle, with air bases in the form that the options want."""
    if options.get("air_base_near") != "distance":
        return mixed(**more)
    scenario = mixed(bases=(), **more)
    scenario["sides"][1]["air_base_distance"] = 3
    return scenario


# --- secrets ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("LOB-09")
def test_the_enemy_cannot_tell_what_was_selected() -> None:
    """Two games that differ in the phasing faction's choice alone: the other reads and sees the same."""
    games = [start(mixed()) for _ in range(2)]
    for game, choice in zip(games, ("day", "night"), strict=True):
        game.choose(f"select:{choice}")
    first, second = [(str(game.view("blue")), game.view("blue").as_dict(), log(game, "blue")) for game in games]
    assert first == second
    assert games[0].view("red").data != games[1].view("red").data


def test_reshuffle_changes_the_enemys_hidden_choice_and_nothing_else() -> None:
    game = start(mixed())
    game.choose("select:day")
    state = game.state
    found = {canonical(reshuffle(state, "blue", Random(seed))) for seed in range(20)}
    assert len(found) == 2
    assert {canonical(reshuffle(state, "red", Random(seed))) for seed in range(20)} == {canonical(state)}
    for seed in range(20):
        assert Position(reshuffle(state, "blue", Random(seed)), "blue") == Position(state, "blue")


def test_what_a_faction_knows_does_not_hang_on_what_the_enemy_selected() -> None:
    """Two battles that look alike to it are the same knowledge to the byte, and the same draws from it."""
    states = []
    for choice in ("day", "night"):
        game = start(mixed())
        game.choose(f"select:{choice}")
        states.append(game.state)
    ours, theirs = (knowledge_of(state, "blue") for state in states)
    assert canonical(states[0]) != canonical(states[1])
    assert canonical(ours) == canonical(theirs)
    for seed in range(20):
        assert canonical(draw(ours, Random(seed))) == canonical(draw(theirs, Random(seed)))
    assert {canonical(draw(ours, Random(seed))) for seed in range(20)} == set(map(canonical, states))
    assert {canonical(draw(ours, Random(seed), day=1.0)) for seed in range(20)} == {canonical(states[0])}


def test_pairs_of_states_are_compared_and_differ() -> None:
    report = conform(mixed(), seeds=range(8), deep=False, every=2)
    assert report.pairs > 2
    assert report.differed > 2
    assert report.unlike == 0


# --- conformance --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_scenarios_conform_at_every_request(name: str) -> None:
    report = conform(name, seeds=range(2), also=ON_REQUEST)
    assert report.games == 2


@pytest.mark.parametrize("kind", ["battle", "base-attack"])
@pytest.mark.parametrize(("option", "reading"), READINGS, ids=[f"{name}={value}" for name, value in READINGS])
def test_every_reading_conforms(option: str, reading: str | bool, kind: str) -> None:
    """In the games in which it makes a difference; the others are looked at with the ordinary readings."""
    options = {option: reading}
    battle = suited(options, kind=kind)
    seeds = [seed for seed in range(2) if as_told(battle, seed, options) != as_told(mixed(kind=kind), seed)]
    assert conform(battle, options=options, seeds=seeds, deep=False, every=10, also=ON_REQUEST).games == len(seeds)


@pytest.mark.parametrize("kind", ["battle", "base-attack"])
def test_the_ordinary_readings_conform(kind: str) -> None:
    assert conform(mixed(kind=kind), seeds=range(4), deep=False, every=10, also=ON_REQUEST).games == 4


def test_all_other_readings_together_conform() -> None:
    others = dict(READINGS)
    assert conform(suited(others), options=others, seeds=range(10), deep=False, every=10).games == 10


# --- the laws -----------------------------------------------------------------------------------------------------

Spoil = Callable[[State], object]


def lost_unit(state: State) -> None:
    state.markers["ajax"].fate = "sunk"


def back_from_the_deep(state: State) -> None:
    state.markers["tone"].box, state.markers["tone"].fate = Box.LINE, ""


def whole_again(state: State) -> None:
    state.markers["hiryu"].damaged = False


def disabled_lba(state: State) -> None:
    state.markers["bettys"].disabled = True


def a_third_round(state: State) -> None:
    state.round = 3


def own_side(state: State) -> None:
    state.markers["ajax"].target = "hermes"


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lost_unit, "left without a reason"),
        (back_from_the_deep, "tone came back from out-of-play"),
        (whole_again, "hiryu is whole again"),
        (disabled_lba, "an LBA that is disabled"),
        (a_third_round, "round 3 of 2"),
        (own_side, "attacks its own side"),
    ],
)
def test_a_broken_state_is_told_so(spoil: Spoil, words: str) -> None:
    before = start(mixed()).state
    before.markers["tone"].box, before.markers["tone"].fate = Box.OUT, "sunk"
    before.markers["hiryu"].damaged = True
    laws = LineOfBattleLaws(before)
    assert list(laws.step(before, before)) == []
    after = copy_of(before)
    spoil(after)
    assert any(words in fault for fault in laws.step(before, after))


def test_the_laws_let_disabled_ships_back_only_under_the_option_and_for_a_new_round() -> None:
    for reading in ("stay", "rejoin"):
        before = start(mixed(), delay_box=reading).state
        before.round = 1
        laws = LineOfBattleLaws(before)
        for fate, key in (("disabled", "ajax"), ("destroyed", "marauders")):
            before.markers[key].box, before.markers[key].fate = Box.DELAY, fate
            for turn in (1, 2):
                after = copy_of(before)
                after.round, after.markers[key].box, after.markers[key].fate = turn, Box.LINE, ""
                told = any("came back from delay" in fault for fault in laws.step(before, after))
                assert told != (reading == "rejoin" and fate == "disabled" and turn == 2)


@pytest.mark.parametrize(("reading", "faults"), [("resolution", 1), ("no-resolution", 0)])
def test_the_laws_want_a_resolution_unless_the_option_does_without(reading: str, faults: int) -> None:
    before = start(mixed(), after_retreat=reading).state
    after = copy_of(before)
    after.frames, after.resolution = [], "no resolution"
    found = [fault for fault in LineOfBattleLaws(before).step(before, after) if "without a resolution" in fault]
    assert len(found) == faults


# --- the doctrine player ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_doctrine_plays_to_the_end_and_always_alike(name: str) -> None:
    logs = []
    for _ in range(2):
        game = flagplot.load(name, seed=3)
        game.play({side: player("doctrine", 1) for side in game.sides})
        assert game.result is not None
        logs.append([entry.as_dict() for entry in game.log("umpire")])
    assert logs[0] == logs[1]


def test_every_question_has_a_principle() -> None:
    asked = set()
    for seed in range(20):
        game = start(mixed(), retreat="by-unit" if seed % 2 else "whole")
        chance = RandomPlayer(seed)
        while game.pending is not None:
            if isinstance(game.pending, Choose):
                verb = game.pending.verb
                asked.add(verb if isinstance(verb, str) else verb[0])
            game.play(dict.fromkeys(game.sides, chance), until=game.turn + 1)
    assert asked == set(PRINCIPLES)


def chosen(game: Any) -> str:
    return LineOfBattleDoctrine().choose(game.view(game.pending.side), game.pending).text


def after(scenario: dict[str, Any], *texts: str) -> Game[State]:
    """A battle in which this has been answered."""
    game = start(scenario)
    answer(game, *texts)
    return game


def test_doctrine_selects_the_action_in_which_it_has_the_edge() -> None:
    game = start(board([lba("bettys", "A4 D3")], [ship("ajax", "G3 D4")]))
    assert chosen(game) == "select:day"
    game.choose("select:day")
    assert chosen(game) == "select:night"


def test_doctrine_takes_the_stronger_weapon_and_the_better_target() -> None:
    blue = [ship("hulk", "D8"), ship("ajax", "G3 D2"), ship("leander", "G3 D4")]
    game = after(board([ship("tone", "G3 T2 D4"), ship("chikuma", "G1 D4")], blue), *by_night())
    assert chosen(game) == "weapons:tone:gunnery"
    game.choose("weapons:tone:gunnery")
    assert chosen(game) == "targets:tone:ajax"
    answer(game, "targets:tone:ajax")
    assert chosen(game) == "targets:chikuma:leander", "one die more may disable another ship"


def test_doctrine_goes_to_the_next_target_when_one_should_sink() -> None:
    """After four dice at a defense of two, one more brings less there than the first at a defense of four."""
    blue = [ship("ajax", "G3 D2"), ship("leander", "G3 D4")]
    game = after(board([ship("tone", "G4 D4"), ship("chikuma", "G1 D4")], blue), *by_night("targets:tone:ajax"))
    assert chosen(game) == "targets:chikuma:leander"


def test_doctrine_attacks_what_it_can_sink_rather_than_what_has_more_guns() -> None:
    """Four dice sink a defense of four in 32 % of all cases, one of six in 16 %."""
    game = after(board([ship("tone", "G4 D4")], [ship("ajax", "G6 D6"), ship("leander", "G3 D4")]), *by_night())
    assert chosen(game) == "targets:tone:leander"
    assert chance(4, 1, 0, 4) == pytest.approx(0.315, abs=0.001)
    assert chance(4, 1, 0, 6) == pytest.approx(0.163, abs=0.001)


def test_doctrine_shares_a_target_that_it_may_sink_rather_than_scratch_another() -> None:
    """LBAs are not disabled: four dice more at a defense of two bring more than four at a defense of eight."""
    blue = [lba("marauders", "A2 D2"), lba("liberators", "A2 D8")]
    game = after(board([lba("bettys", "A4 D4"), lba("nells", "A4 D4")], blue), *by_day("targets:bettys:marauders"))
    assert chosen(game) == "targets:nells:marauders"


def test_doctrine_would_rather_drive_the_whole_line_away_than_make_sure_of_one_ship() -> None:
    """Four dice at a defense of eight hardly ever sink, but disable in half of all cases; and then nobody is left."""
    game = after(
        board([ship("tone", "G4 D4"), ship("chikuma", "G4 D4")], [ship("ajax", "G1 D2"), ship("hulk", "D8")]),
        *by_night("targets:tone:ajax"),
    )
    assert chance(8, 1, 0, 2) - chance(4, 1, 0, 2) > 4 * chance(4, 1, 0, 8)
    assert chance(4, 1, 1, 8) > 0.5
    assert chosen(game) == "targets:chikuma:hulk"


def test_doctrine_knows_that_a_damaged_ship_sinks_when_it_is_damaged_again() -> None:
    game = start(board([ship("tone", "G4 D4")], [ship("ajax", "G2 D4/2")]))
    ajax = next(unit for unit in game.view("red").position.units if unit.id == "ajax")
    assert to_sink(ajax) == 4
    assert to_sink(ajax.but(damaged=True, damage=2)) == 2
    assert to_sink(ajax.but(damaged=True, damage=0, defense=3, points=1)) == 2


def test_doctrine_at_an_lba_counts_the_third() -> None:
    game = after(board([ship("hiryu", "A4 D4")], [lba("marauders", "A2 D3"), ship("ajax", "G2 D3")]), *by_day())
    assert chosen(game) == "targets:hiryu:ajax"


@pytest.mark.parametrize(("left", "found"), [(1, "retreat:retreat"), (9, "retreat:stay")])
def test_doctrine_leaves_when_it_is_beaten(left: int, found: str) -> None:
    """Of ten factors one is left, against ten: gone; nine: stay."""
    red = [ship("tone", f"G{10 - left} D2"), ship("chikuma", f"G{left} D2")]
    game = start(board(red, [ship("ajax", "G10 D10")]))
    game.choose("select:night")
    game.choose("select:night")
    game.roll([1] * (10 - left))
    game.roll([1] * left)
    game.choose("targets:ajax:tone")
    game.roll([5] * 10)
    assert chosen(game) == found
