"""Two simulations compared: the same dice, errors that hold, and what cannot be compared."""

from __future__ import annotations

import json
from random import Random

import pytest

import flagplot
from flagplot.cli import main
from flagplot.kernel.dice import Keyed, dice_of
from flagplot.kernel.errors import BadValue, SaveError
from flagplot.kernel.toll import Toll
from flagplot.simulation import Comparison, compare, comparing, simulating
from flagplot.simulation.battles import Fought
from flagplot.simulation.comparing import Pairs
from flagplot.simulation.comparison import Difference
from flagplot.simulation.intervals import NINETY_FIVE
from flagplot.simulation.simulation import Simulation, prepared
from flagplot.simulation.workers import CHUNK

QUICK = "force-z"
LOST = {side: Toll({}, {}) for side in ("britain", "japan")}


@pytest.fixture(scope="module")
def found() -> Comparison:
    return compare(QUICK, battles=30, second_players={"japan": "random"}, seed=4)


def test_what_is_the_same_is_the_same_in_every_battle() -> None:
    same = compare(QUICK, battles=20, seed=4)
    assert same.first.tally == same.second.tally
    assert {one.mean for one in same.differences.values()} == {0.0}
    won = same.differences["won japan"]
    assert won.error > 0, "twenty battles do not prove that it never makes a difference"
    assert not won.is_clear


def test_a_difference_is_that_of_both_averages(found: Comparison) -> None:
    assert found.names == ("Japan: doctrine", "Japan: random")
    assert found.battles == found.first.battles == found.second.battles == 30
    lost = found.differences["lost britain"]
    plain = [sum(kind.mean for kind in one.lost("britain").values()) for one in (found.first, found.second)]
    assert lost.mean == pytest.approx(plain[1] - plain[0], abs=2 * lost.error)
    assert lost.second == lost.first + lost.mean
    assert lost.is_clear
    assert lost.mean < 0
    assert any(name.startswith("sunk britain ") for name in found.differences)


def test_it_is_a_frozen_value_with_a_table(found: Comparison) -> None:
    with pytest.raises(AttributeError):
        found.first = found.second  # type: ignore[misc]
    row = found.rows()[0]
    assert list(row) == ["side", "what", "first", "second", "difference", "low", "high"]
    assert row["low"] < row["difference"] < row["high"]
    assert "<table>" in found._repr_html_()
    assert "\nJapan, won: 20.0 % → 0.0 %, -20.0 % ± 7.4 %" in str(found)
    assert json.dumps(found.to_dict())


def test_the_number_of_processes_changes_nothing(found: Comparison) -> None:
    again = compare(QUICK, battles=30, second_players={"japan": "random"}, seed=4, jobs=2)
    assert json.dumps(again.as_dict()) == json.dumps(found.as_dict())


def test_the_answer_so_far_comes_again_and_again(found: Comparison) -> None:
    answers = list(comparing(QUICK, battles=30, second_players={"japan": "random"}, seed=4))
    assert [one.battles for one in answers] == [CHUNK, 30]
    assert answers[-1].as_dict() == found.as_dict()
    stopped = compare(QUICK, battles=1000, second_players={"japan": "random"}, stop=lambda: True)
    assert stopped.stopped
    assert not stopped.as_dict()["complete"]


def test_it_ends_when_the_error_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulating, "LOOK", 10)
    found = compare(QUICK, battles=500, second_players={"japan": "random"}, error=0.1)
    assert found.battles < 500
    assert found.greatest_error() <= 0.1
    assert not found.stopped
    assert found.first.wanted == found.battles


def drawn(both: tuple[Simulation, Simulation], chance: Random, pairs: int) -> Difference:
    """Made-up battles: the second ones are won more often, the dice of both are mostly the same, some of the luck is
    known."""
    made = Pairs(*both)
    for number in range(pairs):
        common, luck = chance.random(), chance.choice((-0.2, 0.2))
        falls = [common if chance.random() < 0.8 else chance.random() for _ in both]
        one, other = [
            Fought(number, 0, True, "japan" if fall + luck < share else None, "", None, 1, {}, LOST, {"0 early": luck})
            for fall, share in zip(falls, (0.4, 0.5), strict=True)
        ]
        made.add(one, other)
    return made.found.differences["won japan"]


def test_intervals_of_differences_cover_the_truth_in_95_of_100_cases() -> None:
    both = prepared(QUICK, 100, {}, 0, paired=True), prepared(QUICK, 100, {}, 0, paired=True)
    chance, ratios, covered = Random(3), [], 0
    for _ in range(400):
        one = drawn(both, chance, 80)
        covered += abs(one.mean - 0.1) <= NINETY_FIVE * one.error
        ratios.append(one.ratio)
    assert 0.93 <= covered / 400 <= 0.97
    assert sorted(ratios)[200] > 1.8


def test_one_pair_that_differs_is_not_explained_away_by_its_luck() -> None:
    """A regression with many kinds of luck would fit a single battle to the last digit, and call it certain."""
    made = Pairs(prepared(QUICK, 100, {}, 0, paired=True), prepared(QUICK, 100, {}, 0, paired=True))
    for number in range(100):
        lost = {"factors": {"japan": int(number == 50), "britain": 1}}
        luck = {f"{place} kind": float(number == 50) for place in range(8)}
        one = Fought(number, 0, True, None, "", None, 1, lost, LOST, {})
        made.add(one._replace(figures={"factors": {"japan": 0, "britain": 1}}), one._replace(luck=luck))
    found = made.found.differences["factors japan"]
    assert found.mean == pytest.approx(0.01)
    assert found.error == pytest.approx(0.01)


def test_dice_for_comparisons_are_in_no_save() -> None:
    with pytest.raises(SaveError):
        dice_of(Keyed(3).header, None)


def test_what_cannot_be_compared_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadValue, match=r"different sides.*japan, allies"):
        compare(QUICK, "midway", battles=1)
    with pytest.raises(BadValue, match="at least one process"):
        compare(QUICK, battles=1, jobs=0)
    assert main(["compare", QUICK]) == 2
    assert "nothing is different in the second battle" in capsys.readouterr().err


def test_the_command_tells_the_difference(found: Comparison, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", QUICK, "--seed", "4", "--jobs", "1"]
    assert main([*words, "--with-player", "japan=random", "--battles", "30", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(found.as_dict()))
    assert main([*words, "--with-option", "hit_faces=5-6", "--battles", "5"]) == 0
    told = capsys.readouterr().out
    assert "5 pairs of battles from seed 4" in told
    assert "Second: hit_faces=5-6." in told
    assert "Japan: won" in told


def test_it_is_at_the_top_level() -> None:
    assert flagplot.compare is compare
