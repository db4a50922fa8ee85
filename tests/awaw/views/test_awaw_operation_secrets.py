"""Secrets of an operation: two operations that differ only in what a side may not know look the same to it.

The conformance suite compares paired states at large. Here it is shown that it has teeth, that the paired states fit
what is known, and one by one what used to tell too much.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import pytest

import flagplot
from flagplot.awaw.counting import add, take
from flagplot.awaw.knowledge.account import reshuffle
from flagplot.awaw.operations.interception.dice import task_forces
from flagplot.awaw.operations.interception.sailing_together import companions
from flagplot.awaw.procedures import announcing, attempts, interceptions
from flagplot.awaw.ships import decks, factors, is_slow
from flagplot.awaw.state.battle import Group
from flagplot.awaw.state.operation import Activity, NavalForce, Order
from flagplot.awaw.state.state import State
from flagplot.awaw.task_forces import task_force_faults
from flagplot.awaw.views import operation
from flagplot.awaw.views.battle import BattleView, GroupView
from flagplot.kernel.game import Game
from flagplot.kernel.log import is_secret_from
from flagplot.kernel.requests import Roll
from flagplot.kernel.words import say
from flagplot.testing import Report, set_up
from flagplot.testing.awaw_operations import OperationLaws
from flagplot.testing.conforming import open_trial
from flagplot.testing.secrecy import secrets_stay_secret
from flagplot.testing.trial import Trial, as_json, log_of
from tests.awaw.harbours import begin, fleet_in_port, fly, told, until, waters
from tests.awaw.looks import look
from tests.awaw.seas import force, offered, play, port, sail, sea, steer

SCENARIOS = (
    "malta-landing",
    "rendezvous",
    "coral-sea-operation",
    "norwegian-sortie",
    "pearl-harbor",
    "arctic-convoy",
)


def opened(scenario: str, seed: int, folder: Path) -> Trial:
    return open_trial(set_up(scenario), seed, Report(), folder)


# --- other secrets fit what is known ----------------------------------------------------------------------------


def hidden(force_: NavalForce) -> bool:
    return force_.group.task_force and not force_.seen


def fits(other: State, state: State, side: str) -> None:
    """Forces that were seen are as they are; the others are task forces whose carriers hold what is aboard."""
    for key, one in state.operation.fleet.items():
        twin = other.operation.fleet[key]
        if one.side == side or not hidden(one):
            assert twin.group.ships == one.group.ships
            continue
        assert twin.marker == one.marker
        if not task_force_faults(one.group.ships, state.setting.options):
            assert not task_force_faults(twin.group.ships, state.setting.options)
        room = {country: sum(both) for country, both in decks(twin.group.ships).items()}
        for which, number in twin.group.air.items():
            room[which.nation] = room.get(which.nation, 0) - number
        assert min(room.values(), default=0) >= 0
        laden = [{which: n for which, n in of.group.ships.items() if which.laden} for of in (one, twin)]
        assert laden[0] == laden[1]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_other_secrets_fit_what_was_told(scenario: str, tmp_path: Path) -> None:
    """They show nothing new at once, keep the rules, and differ in what there is to hide."""
    trial, chance, differed = opened(scenario, 3, tmp_path), Random(3), 0
    while trial.game.pending is not None and trial.answers < 160:
        state = trial.game.border.state
        for side in trial.game.sides if chance.random() < 0.2 else ():
            other: Any = reshuffle(state, side, chance)
            assert look(other, side) == look(state, side)
            fits(other, state, side)
            assert not [fault for fault in OperationLaws(other).step(other, other) if "in the list" in fault]
            differed += look(other, other.other(side)) != look(state, state.other(side))
        trial.answer()
    assert differed >= 5


# --- the test has teeth -----------------------------------------------------------------------------------------

MAP_LEAKS: dict[str, Callable[[NavalForce], Any]] = {
    "what its owner calls it": lambda one: one.group.name,
    "how many kinds of ships": lambda one: len(one.group.ships),
    "how large it is": lambda one: factors(one.group.ships),
    "a named ship": lambda one: [which.id for which in one.group.ships if which.named][:1],
    "speed": lambda one: is_slow(one.group.ships),
    "carriers": lambda one: any(which.fast_carrier for which in one.group.ships),
    "squadrons aboard": lambda one: sum(one.group.air.values()),
}


def found_out(folder: Path, scenarios: tuple[str, ...] = ("rendezvous", "coral-sea-operation"), first: int = 0) -> bool:
    """Whether a few operations at random are enough to find a leak. `first` is a seed with which it shows early."""
    for seed in range(first, first + 12):
        trial = opened(scenarios[seed % len(scenarios)], seed, folder)
        while trial.game.pending is not None:
            if any("can tell two states apart" in fault for fault in secrets_stay_secret(trial)):
                return True
            trial.answer()
    return False


@pytest.mark.parametrize("leak", MAP_LEAKS)
def test_a_leak_on_the_map_is_found(leak: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shown = operation._force

    def leaky(state: State, key: str, side: str) -> operation.ForceView:
        return shown(state, key, side).but(where=str(MAP_LEAKS[leak](state.operation.fleet[key])))

    monkeypatch.setattr(operation, "_force", leaky)
    assert found_out(tmp_path)


def test_a_path_that_shows_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shown = operation._voyage

    def leaky(state: State, voyage: Any, side: str) -> operation.VoyageView:
        return shown(state, voyage, side).but(what=str(len(voyage.path)))

    monkeypatch.setattr(operation, "_voyage", leaky)
    assert found_out(tmp_path, ("coral-sea-operation", "malta-landing"), first=2)


GROUP_LEAKS: dict[str, Callable[[Group], Any]] = {
    "ships": lambda group: sorted(which.id for which in group.ships),
    "squadrons": lambda group: sum(group.air.values()) + sum(group.patrol.values()),
    "patrol": lambda group: sum(group.patrol.values()),
}
OUTSIDE = ("air-attack", "submarine-ambush")


@pytest.mark.parametrize("leak", GROUP_LEAKS)
def test_a_leak_outside_naval_combat_is_found(leak: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Groups of forces that are attacked on their way; in battles nothing leaks here."""
    shown = BattleView._group

    def leaky(battle: BattleView, group: Group) -> GroupView:
        outside = any(frame.procedure in OUTSIDE for frame in battle.now.frames)
        seen = shown(battle, group)
        return seen.but(results=crc32(str(GROUP_LEAKS[leak](group)).encode())) if outside else seen

    monkeypatch.setattr(BattleView, "_group", leaky)
    assert found_out(tmp_path)


# --- one by one -------------------------------------------------------------------------------------------------


def seen_by(game: Game[Any], side: str) -> tuple[str, str, str]:
    """All that reaches a side now."""
    view = game.view(side)
    return as_json(log_of(game, side)), as_json(view.as_dict()), str(view)


def same_for(side: str, *games: Game[Any]) -> None:
    """Two operations that look the same to a side, and not to its enemy."""
    one, other = games
    assert seen_by(one, side) == seen_by(other, side)
    enemy = one.state.other(side)
    assert seen_by(one, enemy) != seen_by(other, enemy)


@pytest.mark.rule("17.3126C.2", "17.3124.7")
def test_whether_squadrons_can_go_aboard_again_is_the_owners_secret() -> None:
    """One of two operations has a damaged carrier in port, which takes nobody aboard: Red waits in both alike."""
    games = []
    for damaged in (False, True):
        state = waters(
            fleet_in_port("Enterprise", cruisers=8, air=2),
            port("diego", "blue", (12, 0)),
            air=["1 united-states army"],
            red=["1 japan army"],
        )
        pac = state.operation.fleet["pac"]
        if damaged:
            whole = next(which for which in pac.group.ships if which.named)
            take(pac.group.ships, whole, 1)
            add(pac.group.ships, whole.bearing(whole.size - 1), 1)
            pac.grounded, pac.group.air = pac.group.air, {}
        game = until(begin(state), "escape")
        game.choose("escape:pac:diego")
        games.append(game)
    assert offered(games[0]) == ["embark:pac:aboard", "embark:pac:ashore"]
    assert offered(games[1]) == ["ready:go"]
    same_for("red", *games)


@pytest.mark.rule("23.462", "SOP-PA-C.3")
def test_who_leaves_is_told_before_squadrons_go_aboard() -> None:
    state = waters(
        fleet_in_port("Enterprise", cruisers=8, air=2),
        port("diego", "blue", (12, 0)),
        air=["1 united-states army"],
        red=["1 japan army"],
    )
    game = until(begin(state), "escape")
    game.choose("escape:pac:diego")
    assert offered(game)[0].startswith("embark:")
    assert "TF 1 (Blue) leaves Pearl for Diego" in "\n".join(map(str, game.log("red")))


@pytest.mark.rule("23.4212", "23.421.2")
def test_of_the_air_defense_of_a_port_only_dice_and_result_are_seen() -> None:
    state = waters(fleet_in_port("Arizona", cruisers=8), red=["3 japan naval"])
    game = until(begin(state), "air defense", fly(3))
    assert told(game, "The attack reaches the ships in Pearl")
    game.roll()
    entries = {side: [entry for entry in game.log(side) if "air defense of" in entry.text] for side in ("red", "blue")}
    assert [str(entry.ledger.total) for entry in entries["red"]] == ["0"]
    assert entries["blue"][0].ledger.total > 3


SUPPLY = Order(Activity.SEA_SUPPLY, "movement", (6, 0), "moresby")


@pytest.mark.rule("22.282")
def test_a_force_is_asked_whether_or_not_its_transports_are_barred() -> None:
    """Nobody learns from a question that is not asked that a task force has transports."""
    games = []
    for transports in (2, 0):
        state = sea(
            port("rabaul", "red", (0, 0)),
            port("moresby", "red", (6, 0)),
            port("cairns", "blue", (9, 0)),
            force("tf", "red", "rabaul", "Nagato", cruisers=8, transports=transports, orders=(SUPPLY,)),
            zones={"moresby": "papua"},
        )
        state.operation.barred_zones = ["papua"]
        games.append(play(state, announcing))
    assert offered(games[0]) == ["order:tf:stay"]
    assert offered(games[1]) == ["order:tf:stay", "order:tf:0"]
    same_for("blue", *games)


@pytest.mark.rule("22.12", "22.13C.1")
def test_where_forces_meet_is_asked_even_if_there_is_one_place() -> None:
    """Whether a path leads past the port of another force is a secret as long as nobody has asked for it."""
    games = []
    for via in (((3, 0),), ((2, 1), (4, 1))):
        state = sea(
            port("rabaul", "red", (0, 0)),
            port("lae", "red", (3, 0)),
            port("cairns", "blue", (9, 0)),
            force("main", "red", "rabaul", "Nagato", cruisers=8),
            force("more", "red", "lae", "Kongo", cruisers=8),
        )
        sail(state, "shore-bombardment", "main", (6, 0), via=via, shown=False)
        game = play(state, announcing)
        game.choose("order:more:v1")
        games.append(game)
    assert offered(games[0]) == ["meet:more:3,0"]
    assert len(offered(games[1])) > 1
    same_for("blue", *games)


def kido_sails_from_truk(*others: dict[str, Any]) -> State:
    """Akagi is about to bombard; Blue is in Noumea."""
    kido = force("kido", "red", "truk", "Akagi", cruisers=8)
    state = sea(port("truk", "red", (0, 0)), port("noumea", "blue", (8, 3)), kido, *others)
    sail(state, "shore-bombardment", "kido", (8, 0))
    return state


@pytest.mark.rule("22.22E", "22.12")
def test_task_forces_whose_paths_nobody_asked_for_give_no_dice() -> None:
    state = kido_sails_from_truk(force("main", "red", "truk", "Nagato", cruisers=8))
    other = sail(state, "shore-bombardment", "main", (8, 0), shown=False)
    assert companions(state, "v1", (4, 0)) == [other]
    assert task_forces(state, "v1", 0, (4, 0)) == 1
    state.operation.voyages[other].shown = True
    assert task_forces(state, "v1", 0, (4, 0)) == 2


@pytest.mark.rule("22.14B.2")
def test_regrouping_is_told_by_its_markers_even_if_nobody_sails() -> None:
    state = kido_sails_from_truk(
        force("one", "blue", "noumea", "Wasp", cruisers=8),
        force("two", "blue", "noumea", "Nevada", cruisers=4, destroyers=2),
    )
    games = []
    for orders in (("regroup:noumea:join:one:two",), ()):
        game = steer(play(state, attempts.start("out", 1), interceptions), *orders)
        games.append("\n".join(map(str, game.log("red"))))
    assert "Blue: forces in Noumea regrouped: TF 1 (Blue)" in games[0]
    assert "Wasp" not in games[0]
    assert "regrouped" not in games[1]


@pytest.mark.rule("22.164A", "SOP-PA-B.1.a")
@pytest.mark.parametrize("scenario", ["coral-sea-operation", "solomons-turn"])
def test_no_force_sails_on_in_silence_because_nobody_intercepts_it(scenario: str) -> None:
    """Whoever sees on the map that a secret decision about interceptions let a force go on reads it in the log too."""
    sailed = 0
    for seed in range(4, 8):
        game, chance = flagplot.load(scenario, seed=seed), Random(seed)
        for _ in range(100):
            asked = game.pending
            if asked is None:
                break
            if isinstance(asked, Roll):
                game.roll()
                continue
            other = next(side for side in game.sides if side != asked.side)
            about = "intercept" in say(asked.public) and is_secret_from(asked, other)
            before = (where(game, other), log_of(game, other)) if about else None
            game.choose(asked.option(0 if about else chance.randrange(len(asked))))  # the first is to send nobody
            if before and where(game, other) != before[0]:
                sailed += 1
                assert log_of(game, other) != before[1]
    assert sailed > 5


def where(game: Game[State], side: str) -> dict[str, Any]:
    """Where a side sees forces."""
    return {key: force_["at"] for key, force_ in game.view(side).data["forces"].items()}
