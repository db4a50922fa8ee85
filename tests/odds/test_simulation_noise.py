"""Figures without the luck of the dice: the same averages, smaller errors, and intervals that hold."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import product
from operator import getitem
from pathlib import Path
from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.awaw.battle.damage import Hits
from flagplot.awaw.battle.search import sightings_of
from flagplot.cli import main
from flagplot.kernel.dice import Seeded
from flagplot.kernel.requests import Roll
from flagplot.players import player
from flagplot.players.doctrine.lots import Lots
from flagplot.simulation import simulate, simulating
from flagplot.simulation.battles import Fought, Plan, fight, fought_from, opening_of
from flagplot.simulation.controls import Luck, Watched, worth_of
from flagplot.simulation.intervals import NINETY_FIVE
from flagplot.simulation.regression import Estimate, Sample

QUICK = "force-z"


class Fixed:
    """Dice that fall as they are told."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.header: dict[str, Any] = {}
        self._faces = faces

    def faces(self, roll: Roll[Any], number: int, head: object) -> tuple[int, ...]:
        return self._faces


def rolls_of(scenario: str, seed: int = 1) -> list[Roll[Any]]:
    """The different rolls of a battle."""
    seen: dict[Any, Roll[Any]] = {}

    class Noting(Seeded):
        def faces(self, roll: Roll[Any], number: int, head: Any) -> tuple[int, ...]:
            seen[roll.reads, roll.dice] = roll
            return super().faces(roll, number, head)

    game = flagplot.load(scenario, seed=0).copy(Noting(seed))
    game.play({side: player("doctrine", 0) for side in game.sides})
    return list(seen.values())


def test_luck_is_zero_on_average() -> None:
    """Over all ways in which the dice of a roll can fall, for every control."""
    rolls = [*rolls_of("midway"), *rolls_of("savo-island")]
    few = [roll for roll in rolls if roll.dice <= 3 and worth_of(roll.reads, roll.dice)]
    assert len({roll.rule for roll in few}) > 4
    counted: set[str] = set()
    for roll in few:
        sums: dict[str, float] = {}
        for faces in product(range(1, 7), repeat=roll.dice):
            dice = Watched(Fixed(faces))
            dice.faces(roll, 0, str)
            for name, off in dice.luck.items():
                sums[name.replace("since", "before")] = sums.get(name.replace("since", "before"), 0.0) + off
        assert sums
        assert all(abs(total) < 1e-9 for total in sums.values())
        counted |= {" ".join(name.split()[:2]) for name in sums}
    assert {"0 at", "0 first", "1 found", "1 any", "1 kind"} <= counted


@pytest.mark.parametrize("scenario", ["midway", "surigao-strait"])
def test_what_each_roll_sinks_adds_up_to_what_is_sunk(scenario: str) -> None:
    """Nothing else sinks ships in these battles, so what rolls sink at once is all that luck does to them directly."""
    for seed in range(10):
        game = flagplot.load(scenario, seed=0).copy(seen := Summing(seed))
        game.play({side: player("doctrine", 0) for side in game.sides})
        result, (first, second) = game.result or {}, game.sides
        assert result["factors_sunk"] == {first: seen.sunk[second], second: seen.sunk[first]}


class Summing(Seeded):
    """Dice that add up what they sink."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.sunk: Counter[str] = Counter()

    def faces(self, roll: Roll[Any], number: int, head: Any) -> tuple[int, ...]:
        faces = super().faces(roll, number, head)
        if roll.sinks is not None:
            self.sunk[roll.side] += roll.sinks(roll.reads(faces))
        return faces


def test_hits_are_counted_by_what_they_sink() -> None:
    """Three hits sink a carrier, two do not; what is certain is not counted."""
    reads = partial(getitem, [Hits(0), Hits(1), Hits(3)])

    def luck(face: int, sinks: Callable[[Hits], int]) -> Luck:
        dice = Watched(Fixed((face,)))
        dice.faces(Roll("japan", 1, "", lambda faces: reads((faces[0] - 1) // 2), "23.44", sinks=sinks), 0, str)
        return dice.luck

    assert [luck(face, lambda hits: 3 * (hits >= 3))["0 at once japan"] for face in (1, 3, 5)] == [-1, -1, 2]
    assert "0 at once japan" not in luck(5, lambda hits: 0)
    assert "2 japan hits" not in luck(5, lambda hits: 0), "steps tell little more"


def test_what_is_found_is_counted_group_by_group() -> None:
    """Also where numbers share a face, and are found together or one of them."""
    names = {2: "the fleet", 8: "the convoy", 5: "the raiders"}
    for each, expected in ((True, [0.5, 0.5, -0.5]), (False, [0.5, None, -0.5])):
        reads = sightings_of(frozenset(names), each)
        chance = 1 - (5 / 6) ** 2
        dice = Watched(Fixed((2, 3)))
        dice.faces(Roll("japan", 2, "", reads, "22.452", finds=names), 0, str)
        found = [dice.luck.get(f"1 found japan {name} before") for name in names.values()]
        wanted = [None if off is None else (off > 0) - chance for off in expected]
        assert found == [None if off is None else pytest.approx(off) for off in wanted]


def test_what_is_found_before_anything_is_hit_is_counted_apart() -> None:
    dice = Watched(Fixed((1, 2)))
    search = Roll("japan", 2, "", sightings_of(frozenset({1, 3})), "22.452", finds={1: "the fleet", 3: "the convoy"})
    dice.faces(search, 0, str)
    dice.faces(Roll("allies", 2, "", lambda faces: Hits(faces[0]), "22.55"), 1, str)
    once = dict(dice.luck)
    dice.faces(search, 2, str)
    assert dice.luck["1 found japan the fleet before"] == once["1 found japan the fleet before"] > 0
    assert dice.luck["1 found japan the fleet since"] == once["1 found japan the fleet before"]


def test_draws_of_players_are_counted_once_and_are_zero_on_average() -> None:
    weights = {"usual": 0.5, "other": 0.3, "third": 0.2}
    for choices in (weights, {3: 2.0, 1: 5.0, 6: 1.0}):
        total = 0.0
        for answer, weight in choices.items():
            dice = Watched(Fixed(()))
            dice.drawn("japan/2/cover", choices, answer)
            total += weight * dice.luck["2 draw japan cover"]
        assert total == pytest.approx(0)
    heard: list[str] = []
    silent, told = Lots(4), Lots(4)
    told.told = lambda moment, weights, answer: heard.append(f"{moment} {answer}")
    for moment in ("japan/1/cover", "japan/1/cover", "japan/2/cover"):
        assert told.draw(moment, weights, "usual") == silent.draw(moment, weights, "usual")
    assert [one.split()[0] for one in heard] == ["japan/1/cover", "japan/2/cover"]


def test_what_is_certain_is_no_luck() -> None:
    """A mean that is off by the rounding of a computer would be taken for luck that is never zero on average."""
    assert worth_of(lambda faces: Hits(3), 2) is None
    assert worth_of(lambda faces: "a word", 2) is None
    worth = worth_of(lambda faces: Hits(faces[0] // 2), 1)
    assert worth is not None
    assert (worth.mean, worth.reaches) == (1.5, {1: 5 / 6, 2: 3 / 6, 3: 1 / 6})


def drawn(chance: Random, battles: int) -> Estimate:
    """Battles whose figure follows from the luck of three kinds of dice, from something else, and from their product;
    its average is 5."""
    sample = Sample()
    for _ in range(battles):
        luck = {f"0 early {name}": chance.choice((-1.0, 0.0, 1.0)) for name in "abc"}
        luck["1 again"] = luck["0 early a"]  # the same once more: it tells nothing new
        first, second, third = list(luck.values())[:3]
        figure = 5 + 2 * first - second + first * second + chance.choice((-1, 1)) + 0 * third
        sample.add({"figure": figure}, luck)
    return sample.estimates()["figure"]


def test_intervals_cover_the_truth_in_95_of_100_cases() -> None:
    chance, covered, ratios = Random(5), 0, []
    for _ in range(400):
        found = drawn(chance, 100)
        covered += abs(found.mean - 5) <= NINETY_FIVE * found.error
        ratios.append(found.ratio)
    assert 0.93 <= covered / 400 <= 0.97
    assert sorted(ratios)[200] > 2, "most of the noise is luck here"


def found_and_hit(chance: Random) -> tuple[dict[str, float], Luck]:
    """A battle whose rolls follow from earlier ones: what is found is attacked three times, else once; a first hit
    makes the next one likelier. There are more kinds of luck than matter."""
    luck = {f"2 other {number}": float(chance.random() < 0.3) - 0.3 for number in range(12)}
    found = chance.random() < 0.25
    luck["1 found"], hits = found - 0.25, 0
    for number in range(3 if found else 1):
        likely = 0.75 if hits else 0.5
        hit = chance.random() < likely
        name = "0 first" if number == 0 else "0 late"
        luck[name] = luck.get(name, 0.0) + hit - likely
        hits += hit
    return {"hits": float(hits * hits)}, luck


def test_intervals_hold_with_many_controls_where_luck_has_consequences() -> None:
    """The regression is fitted to the battles from which the average comes: neither may be off by that."""
    truth = 0.75 * 0.5 + 0.25 * (0.21875 + 0.375 * 4 + 0.28125 * 9)
    chance, covered, means, errors = Random(8), 0, [], []
    for _ in range(400):
        sample = Sample()
        for _ in range(200):
            sample.add(*found_and_hit(chance))
        found = sample.estimates()["hits"]
        covered += abs(found.mean - truth) <= NINETY_FIVE * found.error
        means.append(found.mean)
        errors.append(found.error)
    assert 0.93 <= covered / 400 <= 0.97
    assert abs(sum(means) / 400 - truth) < 3 * sum(errors) / 400 / 20, "no bias beyond chance"
    assert sum([(mean - truth) ** 2 for mean in means]) == pytest.approx(sum([one**2 for one in errors]), rel=0.2)


def test_with_few_battles_few_controls_are_used() -> None:
    chance = Random(1)
    assert drawn(chance, 9).ratio == pytest.approx(1)
    assert Sample().estimates() == {}


def test_two_controls_that_differ_by_what_has_not_come_up_yet_do_no_harm() -> None:
    """Each strays as it should, but their difference is far off: it would make every error greater, not smaller."""
    chance, sample = Random(3), Sample()
    for _ in range(1000):
        rolls, off = chance.randint(1, 3), chance.choice((-1.0, 1.0))
        luck = {"3 often": off, "4 often, and once in 2,000": off - rolls / 2000}
        sample.add({"lost": 3 + 2 * off + chance.choice((-1, 1))}, luck)
    found = sample.estimates()["lost"]
    assert found.mean == pytest.approx(3, abs=4 / 1000**0.5)
    assert found.ratio == pytest.approx(5, rel=0.1)


@pytest.mark.parametrize("usual", [0.0, 1.0])
def test_one_battle_that_ended_otherwise_is_not_explained_by_luck_that_fell_in_it_alone(usual: float) -> None:
    """A share of 999 in 1,000 is not certain because a rare roll was made in the one battle that was lost."""
    chance, sample = Random(2), Sample()
    for number in range(1000):
        luck = {"0 early a": chance.choice((-1.0, 1.0))} | ({"1 rare": 0.5} if number == 7 else {})
        sample.add(
            {"won": 1 - usual if number == 7 else usual, "lost": 3 + 2 * luck["0 early a"] + chance.choice((-1, 1))},
            luck,
        )
    found = sample.estimates()
    assert found["won"].mean == pytest.approx(0.999 if usual else 0.001)
    assert found["won"].ratio == pytest.approx(1, rel=0.01)
    assert found["lost"].ratio == pytest.approx(5, rel=0.1), "others go by luck as ever"


# --- until it is enough -----------------------------------------------------------------------------------------


def test_it_ends_when_the_error_is_reached_whoever_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulating, "LOOK", 12)
    found = simulate("first-battle", 10_000, seed=1, error=0.1)
    assert found.battles in (12, 24, 36, 48)
    assert 0 < found.greatest_error() <= 0.1
    assert found.as_dict()["complete"]
    assert not found.stopped
    again = simulate("first-battle", 10_000, seed=1, error=0.1, jobs=2)
    assert json.dumps(again.as_dict()) == json.dumps(found.as_dict())


def test_without_enough_battles_it_ends_as_ever() -> None:
    found = simulate(QUICK, 20, seed=1, error=0.0001)
    assert found.battles == 20
    assert found.greatest_error() > 0.0001


@pytest.mark.parametrize("given", ["1", "0%", "x%", "-1%", "150%"])
def test_a_wrong_error_is_refused(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", QUICK, "--error", given]) == 2
    assert "--error is not a percentage" in capsys.readouterr().err


# --- files that are continued -----------------------------------------------------------------------------------


def test_a_battle_is_read_back_as_it_was_written() -> None:
    game = flagplot.load("midway", seed=0)
    plan = Plan(dict(game.scenario), dict.fromkeys(game.sides, "doctrine"), 3)
    fought = fight(plan, opening_of(plan), 1)
    again = fought_from(json.loads(json.dumps(fought.as_dict() | {"luck": fought.luck})))
    assert again.as_dict() == fought.as_dict()
    assert again.luck == fought.luck
    assert fought.luck


def test_a_file_is_continued_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    common = ["simulate", QUICK, "--jobs", "1", "--json"]
    assert main([*common, "--battles", "30", "--seed", "6", "--out", str(whole)]) == 0
    told = json.loads(capsys.readouterr().out)
    lines = whole.read_text().splitlines(keepends=True)
    part.write_text("".join(lines[:12]) + lines[12][:40])  # killed while it wrote
    assert main([*common, "--battles", "30", "--out", str(part), "--resume"]) == 0
    assert json.loads(capsys.readouterr().out) == told | {"out": str(part)}
    assert part.read_text() == whole.read_text()


def test_a_file_of_other_battles_is_not_continued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "battles.jsonl"
    assert main(["simulate", QUICK, "--battles", "3", "--seed", "6", "--out", str(file)]) == 0
    for words, said in (
        (["simulate", QUICK, "--player", "japan=random", "--out", str(file), "--resume"], "ends otherwise"),
        (["simulate", QUICK, "--seed", "7", "--out", str(file), "--resume"], "ends otherwise"),
        (["simulate", QUICK, "--out", str(file)], "--resume to continue it"),
        (["simulate", QUICK, "--out", "battles.csv", "--resume"], "continues a file of JSON lines"),
    ):
        assert main(words) == 2
        assert said in capsys.readouterr().err
    file.write_text('{"battle": 1}\n')
    assert main(["simulate", QUICK, "--out", str(file), "--resume"]) == 2
    assert "no file that --out has written" in capsys.readouterr().err


def test_battles_are_kept_up_to_the_one_with_which_it_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Fought] = []
    monkeypatch.setattr(simulating, "LOOK", 15)
    found = simulate(QUICK, 1000, seed=1, error=0.2, keep=kept.extend)
    assert len(kept) == found.battles == 15
