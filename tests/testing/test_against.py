"""Two trees measured in turn: what is asked for, and what a turn says."""

from __future__ import annotations

from typing import Any

import pytest

from bench import against
from bench._against_measures import MEASURES, Runner
from bench._same_trees import BadInput

SCENARIOS = ["midway", "coral-sea", "santa-cruz", "philippine-sea", "savo-island"]


def test_a_name_is_a_measurement_with_or_without_a_scenario() -> None:
    assert against.read_names(["battle:savo-island"], SCENARIOS) == [against.Wanted("battle", "savo-island")]
    assert [str(one) for one in against.read_names(["kernel"], SCENARIOS)] == [f"kernel:{one}" for one in SCENARIOS[:4]]
    assert against.read_names(["kernel:midway/air"], SCENARIOS) == [against.Wanted("kernel", "midway/air")]
    with pytest.raises(BadInput, match="no scenario “midway/air”"):
        against.read_names(["battle:midway/air"], SCENARIOS)
    with pytest.raises(BadInput, match="no measurement “speed”; there are battle"):
        against.read_names(["speed"], SCENARIOS)
    with pytest.raises(BadInput, match="no scenario “lepanto”"):
        against.read_names(["battle:lepanto"], SCENARIOS)
    assert against.main(["no-such-commit", "battle"]) == 2


class Tree:
    """A tree that needs so many seconds for a piece."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.tasks: list[dict[str, Any]] = []

    def tell(self, task: dict[str, Any]) -> dict[str, Any]:
        self.tasks.append(task)
        pieces = task["pieces"] or round(task["seconds"] / self.seconds)
        return {"pieces": pieces, "units": 2 * pieces, "seconds": pieces * self.seconds}


def test_both_trees_take_turns_at_the_same_pieces() -> None:
    old, new = Tree(0.1), Tree(0.05)
    turns = against.measured(against.Wanted("battle", "midway"), old, new, 2, 1.0)  # type: ignore[arg-type]
    assert [turn.ratio for turn in turns] == pytest.approx([2, 2])
    assert [task["pieces"] for task in old.tasks] == [0, 20], "who leads changes"
    assert [task["pieces"] for task in new.tasks] == [10, 0]
    line = against.told(against.Wanted("battle", "midway"), turns)
    assert line.split() == ["battle:midway", "battles", "20.0", "40.0", "2.00", "2.00-2.00"]
    assert "other games" in against.told(against.Wanted("battle", "midway"), [turns[0]._replace(units_now=1)])


@pytest.mark.parametrize("name", MEASURES)
def test_every_measurement_goes_on_where_it_stopped(name: str) -> None:
    runner = Runner()
    for _ in range(2):
        found = runner.run(name, "savo-island", 1, 0)
        assert found["pieces"] == 1
        assert found["units"] >= 1


@pytest.mark.parametrize("name", [name for name, measure in MEASURES.items() if measure.of_air])
def test_the_air_rounds_of_a_battle_are_measured_alone(name: str) -> None:
    assert Runner().run(name, "midway/air", 1, 0)["units"] >= 1
