"""Many battles: their seeds, their tallies, their processes, and how sure the figures are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

import flagplot
from flagplot.kernel.dice import Seeded
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.game import Game
from flagplot.kernel.toll import DAMAGED, SUNK, Toll
from flagplot.players import player
from flagplot.simulation import processes, regression, simulate, workers
from flagplot.simulation.battles import BattleFailed, Fought, Plan, fight, figures_of, opening_of, seed_of, toll_of
from flagplot.simulation.intervals import Share, Spread, wilson
from flagplot.simulation.processes import Copied
from flagplot.simulation.regression import Batch, Counted, Sample, summed
from flagplot.simulation.tallies import tally_of
from flagplot.simulation.workers import CHUNK, FEW, Chunks, Task, Worker, chunks_of, played_chunk

QUICK = "force-z"


def figures(*arguments: Any, **more: Any) -> str:
    """All that a simulation tells, as text that can be compared."""
    return json.dumps(simulate(*arguments, **more).as_dict())


# --- how sure a figure is ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("times", "of", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # these four are in Newcombe's comparison of such intervals (1998)
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (5, 10, 0.2366, 0.7634),
        (20, 20, 0.8389, 1.0),
    ],
)
def test_intervals_are_wilsons(times: int, of: int, low: float, high: float) -> None:
    assert wilson(times, of) == pytest.approx((low, high), abs=5e-5)


def test_of_nothing_tried_nothing_is_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert Share(0, 0).share == 0.0


def test_a_spread_counts_what_goes_without_saying_as_zero() -> None:
    spread = Spread({1: 2, 4: 1}, of=10)
    assert spread.counts == {0: 7, 1: 2, 4: 1}
    assert spread.mean == pytest.approx(0.6)
    assert spread.error == pytest.approx((1.6 / 10) ** 0.5)  # the variance of the sample is 14.4 / 9
    assert [spread.quantile(percent) for percent in (5, 70, 71, 90, 91, 100)] == [0, 0, 1, 1, 4, 4]
    assert (spread.least, spread.most) == (0, 4)


def test_a_spread_of_one_trial_has_no_error_and_one_of_none_no_mean() -> None:
    assert Spread({3: 1}).error == 0.0
    assert (Spread({}).mean, Spread({}).most, Spread({}).quantile(50)) == (0.0, 0, 0)


# --- one battle -------------------------------------------------------------------------------------------------


def test_the_seed_of_a_battle_follows_from_both_numbers() -> None:
    seeds = {seed_of(seed, number) for seed in range(-5, 20) for number in range(1, 40)}
    assert len(seeds) == 25 * 39
    assert all(0 <= seed < 2**53 for seed in seeds)
    assert seed_of(1, 11) != seed_of(11, 1)


@pytest.mark.parametrize("who", ["doctrine", "random"])
def test_a_battle_can_be_played_again_from_its_seed(who: str) -> None:
    plan = Plan(flagplot.read_scenario(QUICK), {"britain": who, "japan": who}, 9)
    fought = fight(plan, opening_of(plan), 4)
    game = flagplot.load(QUICK, dice=Seeded(fought.seed))
    game.play({side: player(who, fought.seed + place) for place, side in enumerate(game.sides)})
    assert game.turn == fought.answers
    assert game.result is not None
    assert game.result["winner"] == fought.winner
    assert toll_of(game) == fought.toll


def test_a_fault_in_a_battle_says_how_to_see_it_again() -> None:
    plan = Plan(flagplot.read_scenario(QUICK), {"britain": "random", "japan": "nobody"}, 9)
    with pytest.raises(BattleFailed, match=f"battle 4 failed.*--seed {seed_of(9, 4)} --player britain=random"):
        fight(plan, opening_of(plan), 4)


def test_an_endless_battle_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flagplot.simulation.battles.MOST", 3)
    found = simulate(QUICK, 5)
    assert found.tally.unended == found.battles == 5
    assert found.won(None) == Share(0, 5)


# --- losses -----------------------------------------------------------------------------------------------------


def ended(name: str, seed: int = 3) -> Game[Any]:
    game = flagplot.load(name, seed=seed)
    game.play({side: player("doctrine:mix=no", 0) for side in game.sides})
    return game


def test_losses_of_a_naval_battle_are_those_of_its_result() -> None:
    game = ended("midway")
    result = game.result
    assert result is not None
    toll = toll_of(game)
    assert result["ships"]["allies"] == "Yorktown, 4 American cruisers, 2 American destroyer factors"
    assert toll["allies"].lost == {
        "fleet carriers": 1,
        "cruisers": 4,
        "destroyer factors": 2,
        "army air squadrons": 3,
        "naval air squadrons": 7,
    }
    assert toll["allies"].named == {"Yorktown": SUNK, "Enterprise": DAMAGED, "Hornet": DAMAGED}
    assert toll["japan"].lost == {"elite naval air squadrons": 5, "naval air squadrons": 2}
    assert set(toll["japan"].named.values()) == {""}
    assert "Yamato" in toll["japan"].named


def test_every_named_ship_is_in_the_toll_from_the_start_to_the_end() -> None:
    opening = toll_of(flagplot.load("philippine-sea", seed=1))
    for seed in range(3):
        closing = toll_of(ended("philippine-sea", seed))
        assert {side: set(toll.named) for side, toll in opening.items()} == {
            side: set(toll.named) for side, toll in closing.items()
        }


def test_losses_of_the_second_game_are_those_of_its_result() -> None:
    game = ended("savo-island")
    result = game.result
    assert result is not None
    for side, toll in toll_of(game).items():
        fates = result["losses_by_faction"][side]
        gone = [*fates["sunk"], *fates["destroyed"]]
        assert sum(toll.lost.values()) == len(gone)
        assert {name for name, fate in toll.named.items() if fate == SUNK} == set(gone)
        assert {name for name, fate in toll.named.items() if fate == DAMAGED} == set(fates["damaged"])


def test_a_game_that_does_not_count_losses_has_figures_only(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ended("malta")
    assert toll_of(game)["axis"].lost
    sides = game.sides
    monkeypatch.setattr(game, "ruleset", SimpleNamespace(sides=lambda state: sides))
    assert toll_of(game) == {side: Toll({}, {}) for side in sides}
    assert set(simulate("malta", 2).figures("axis")) == {"brps_lost"}


# --- tallies ----------------------------------------------------------------------------------------------------


def fought(number: int, winner: str | None, lost: int, fate: str = "") -> Fought:
    toll = {"red": Toll({"cruisers": lost} if lost else {}, {"Akagi": fate})}
    return Fought(number, 0, True, winner, "", 2, 10 + number, {"factors_sunk": {"red": 2 * lost}}, toll, {})


def test_a_tally_does_not_hang_on_the_order_of_the_battles() -> None:
    battles = [fought(1, "red", 0), fought(2, None, 3, SUNK), fought(3, "red", 3, DAMAGED)]
    whole = tally_of(battles)
    assert whole == tally_of(reversed(battles))
    assert whole.winners == {"red": 2, None: 1}
    assert whole.lost["red", "cruisers"] == {3: 2}
    assert whole.figures["red", "factors_sunk"] == {0: 1, 6: 2}
    assert whole.fates == {("red", "Akagi", SUNK): 1, ("red", "Akagi", DAMAGED): 1}
    assert whole.rounds == {2: 3}


# --- simulating -------------------------------------------------------------------------------------------------


def test_the_tally_is_that_of_the_battles_one_by_one() -> None:
    battles: list[Fought] = []
    found = simulate(QUICK, 25, {"japan": "random"}, seed=5, keep=battles.extend)
    assert [one.number for one in battles] == list(range(1, 26))
    assert found.tally == tally_of(battles)
    assert found.plan.players == {"britain": "doctrine", "japan": "random"}
    plan = found.plan
    assert battles[16] == fight(plan, opening_of(plan), 17)
    lost = [one.toll["britain"].lost.get("ships", 0) for one in battles]
    assert found.lost("britain")["ships"].mean == pytest.approx(sum(lost) / 25)
    sunk = sum(one.toll["britain"].named["Repulse"] == SUNK for one in battles)
    assert found.fate("britain", "Repulse", SUNK) == Share(sunk, 25)
    assert 0 < sunk < 25


@pytest.mark.parametrize("scenario", ["midway", QUICK])
def test_the_number_of_processes_changes_nothing(scenario: str) -> None:
    battles = 2 * CHUNK + 3
    alone = figures(scenario, battles, seed=11)
    assert figures(scenario, battles, seed=11, jobs=2) == alone
    assert figures(scenario, battles, seed=12) != alone


def test_the_size_of_chunks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = figures(QUICK, 50, seed=1)
    for size in (3, 5):
        monkeypatch.setattr(workers, "CHUNK", size)
        assert figures(QUICK, 50, seed=1, jobs=2) == alone


def test_workers_sum_up_what_they_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """To count the luck of a battle takes as long as some battles of small scenarios: one process alone would not keep
    up with many workers."""
    made = list[int]()

    def noted(battles: Sequence[Counted]) -> Batch:
        made.append(len(battles))
        return summed(battles)

    monkeypatch.setattr(regression, "summed", noted)
    found = simulate(QUICK, 2 * CHUNK + 3, seed=11, jobs=2)
    assert not made
    assert found.without_luck == simulate(QUICK, 2 * CHUNK + 3, seed=11).without_luck
    assert made == [3, CHUNK, CHUNK, 3]


def test_what_was_summed_up_elsewhere_counts_after_a_gap_too() -> None:
    """A run that was stopped has battles before and after some that were never played."""
    plan = Plan(flagplot.read_scenario(QUICK), {"britain": "doctrine", "japan": "doctrine"}, 9)
    battles, opening = 2 * CHUNK, opening_of(plan)
    fought = [fight(plan, opening, number) for number in range(1, battles + 1) if number not in (4, 5)]
    last = played_chunk(plan, opening, 1, range(CHUNK + 1, battles + 1))
    assert last.batch is not None
    alone, shared = Sample(), Sample()
    for place, one in enumerate(fought, 1):
        told = figures_of(one, tuple(plan.players))
        alone.add(told, one.luck)
        shared.add(told, one.luck, last.batch if place == len(fought) else None)
    assert shared.estimates() == alone.estimates()


def test_battles_are_kept_in_order_whoever_played_them() -> None:
    alone, shared = list[Fought](), list[Fought]()
    simulate(QUICK, 45, {"japan": "random"}, seed=2, keep=alone.extend)
    simulate(QUICK, 45, {"japan": "random"}, seed=2, keep=shared.extend, jobs=2)
    assert shared == alone


def test_chunks_hold_every_battle_once() -> None:
    chunks = Chunks(2 * CHUNK + 1)
    assert [number for place in range(len(chunks)) for number in chunks[place].numbers] == list(range(1, 2 * CHUNK + 2))
    assert len(chunks) == 3


@pytest.mark.parametrize("done", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 1])
def test_chunks_after_a_pause_end_where_they_would_have_ended(done: int) -> None:
    whole, left = Chunks(2 * CHUNK + 1), Chunks(2 * CHUNK + 1, done)
    numbers = [left[place].numbers for place in range(len(left))]
    assert [number for chunk in numbers for number in chunk] == list(range(done + 1, 2 * CHUNK + 2))
    assert {chunk[-1] for chunk in numbers} <= {whole[place].numbers[-1] for place in range(len(whole))}


@pytest.mark.parametrize(("name", "size"), [("doctrine", CHUNK), ("commodore:playouts=8", FEW), ("exec:./bot", FEW)])
def test_players_that_think_are_given_few_battles_at_once(name: str, size: int) -> None:
    """Else a second process would have nothing to do, and progress would be seen once in many minutes."""
    plan = Plan({}, {"britain": name, "japan": "doctrine"}, 9)
    assert len(chunks_of(CHUNK, 0, plan)[0].numbers) == size


# --- workers that die, and stopping -----------------------------------------------------------------------------


@pytest.fixture(params=[True, False], ids=["copied", "fresh"])
def copied(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether workers are copies of this process, which here has done nothing with threads that matters to them."""
    if request.param and not hasattr(os, "fork"):
        pytest.skip("this system does not copy processes")
    monkeypatch.setattr(processes, "can_be_copied", lambda: request.param)
    return bool(request.param)


@pytest.fixture
def hired(monkeypatch: pytest.MonkeyPatch) -> list[Worker]:
    """All workers that are hired in the test."""
    found: list[Worker] = []
    hire = workers._hired

    def spy(plans: Sequence[Plan], colleagues: Iterable[Worker]) -> Worker:
        found.append(hire(plans, colleagues))
        return found[-1]

    monkeypatch.setattr(workers, "_hired", spy)
    return found


@pytest.mark.usefixtures("copied")
def test_a_worker_that_is_killed_is_replaced_and_the_figures_are_the_same(
    hired: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Fought] = []
    give = Worker.give

    def give_and_kill_the_first(worker: Worker, place: int, task: Task) -> None:
        give(worker, place, task)
        if worker is hired[0]:
            worker.process.kill()

    monkeypatch.setattr(Worker, "give", give_and_kill_the_first)
    found = simulate(QUICK, 200, seed=8, jobs=2, keep=kept.extend)
    assert len(hired) == 3
    assert not found.stopped
    assert json.dumps(found.as_dict()) == figures(QUICK, 200, seed=8)
    assert [one.number for one in kept] == list(range(1, 201))


def test_no_worker_is_left(hired: list[Worker], copied: bool) -> None:
    simulate(QUICK, 40, jobs=2)
    assert len(hired) == 2
    assert {isinstance(worker.process, Copied) for worker in hired} == {copied}
    assert all(worker.process.returncode is not None and worker.pipe.closed for worker in hired)


def test_workers_that_always_die_end_it_with_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "can_be_copied", lambda: False)
    monkeypatch.setattr("sys.executable", "/bin/false")
    found = simulate(QUICK, 40, jobs=2)
    assert found.battles == 0
    assert found.stopped == f"{workers.MOST_DEATHS + 1} worker processes died one after the other"
    assert not found.as_dict()["complete"]


@pytest.mark.usefixtures("copied")
def test_a_worker_ends_when_nobody_is_at_the_other_end() -> None:
    plan = Plan(flagplot.read_scenario(QUICK), {"britain": "random", "japan": "random"}, 9)
    crew = workers.Crew([plan], Chunks(2 * CHUNK))
    crew.hire(2)
    try:
        first, second = [*crew.workers]
        first.pipe.close()
        assert first.process.wait() == 0, "the other one does not keep its pipe open"
        assert second.process.returncode is None
    finally:
        crew.workers.remove(first)
        crew.dismiss()


def test_a_process_with_threads_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "from flagplot.simulation.processes import can_be_copied; import threading; print(can_be_copied());"
    code += "e = threading.Event(); t = threading.Thread(target=e.wait); t.start(); print(can_be_copied()); e.set()"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert told == [str(sys.platform == "linux"), "False"]
    monkeypatch.setattr("sys.platform", "darwin")
    assert not processes.can_be_copied()


@pytest.mark.usefixtures("copied")
def test_a_fault_in_a_worker_comes_to_light() -> None:
    plan = Plan(flagplot.read_scenario(QUICK), {"britain": "random", "japan": "nobody"}, 9)
    with pytest.raises(BattleFailed, match=r"no such player(.|\n)*battle 1 failed"):
        list(workers.played_by_workers([plan], Chunks(5), 1, lambda: False))


@pytest.mark.parametrize("jobs", [1, 2])
def test_it_can_be_stopped_with_the_answer_so_far(jobs: int) -> None:
    done: list[int] = []
    kept: list[Fought] = []
    found = simulate(QUICK, 10_000, seed=1, jobs=jobs, stop=lambda: sum(done) > 30, told=done.append, keep=kept.extend)
    assert 10 <= found.battles < 10_000
    assert found.stopped
    assert found.tally == tally_of(kept)
    assert not found.as_dict()["complete"]


# --- bad input --------------------------------------------------------------------------------------------------


def test_what_is_wrong_is_quoted() -> None:
    with pytest.raises(BadValue, match="“0”"):
        simulate(QUICK, 0)
    with pytest.raises(BadValue, match="“-1”"):
        simulate(QUICK, 1, jobs=-1)
    with pytest.raises(UnknownName, match=r"“france”.*britain or japan"):
        simulate(QUICK, 1, {"france": "random"})
    with pytest.raises(UnknownName, match=r"“human”.*random, doctrine"):
        simulate(QUICK, 1, {"japan": "human"})
    with pytest.raises(BadValue, match="“fast”"):
        simulate(QUICK, 1, {"japan": "random:fast"})
    with pytest.raises(UnknownName, match="“nowhere”"):
        simulate("nowhere", 1)
