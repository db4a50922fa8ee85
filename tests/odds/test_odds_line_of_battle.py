"""Who wins a battle of Line of Battle: taken apart unit by unit it comes to the same as followed as one."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from flagplot import library
from flagplot.cli import main
from flagplot.kernel.dice import Typed
from flagplot.kernel.game import Game, Player
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.replaying import through_segment
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.line_of_battle.attacks import attacks
from flagplot.line_of_battle.ending import winner
from flagplot.odds.chances import Distribution
from flagplot.odds.enumerator import Found, Limits, enumerate_ends
from flagplot.odds.line_of_battle import winners
from flagplot.players import local_player
from flagplot.simulation import simulation
from flagplot.simulation.exact import Ending, Exact


def ship(name: str, **factors: Any) -> dict[str, Any]:
    return {"id": name.lower(), "name": name, "defense": 3, **factors}


def duel(*, wing: bool = False) -> dict[str, Any]:
    """Two ships against one, or one against a ship and an air unit."""
    damaged = {"gunnery": 1, "torpedo": 0, "defense": 2}
    east = [ship("Able", gunnery=1, torpedo=1, damage=2, damaged=damaged, bonus=True), ship("Baker", gunnery=1)]
    if wing:
        east = [ship("Able", gunnery=1, airstrike=3, damage=2, damaged=damaged)]
    west = [ship("Xray", gunnery=1, torpedo=1, damage=2, damaged=damaged)]
    lbas = [{"id": "wing", "name": "Wing", "airstrike": 1, "defense": 2}] if wing else []
    sides = [
        {"id": "east", "name": "East", "ships": east},
        {"id": "west", "name": "West", "ships": west, "lbas": lbas},
    ]
    scenario = {"game": "line-of-battle", "kind": "battle", "title": "A duel", "phasing": "east", "sides": sides}
    return {**scenario, "theatre": "pacific", "all_sea": True}


def opening(*, wing: bool = False, **options: Any) -> Game[Any]:
    return library.load(duel(wing=wing), dice=Typed(), options=options)


def players_of(game: Game[Any]) -> dict[str, Player]:
    return {side: local_player("doctrine", 0) for side in game.sides}


def taken_apart(game: Game[Any], limits: Limits | None = None) -> Found[str | None] | None:
    return winners(game.ruleset, game.border.state, players_of(game), limits or Limits())


def as_one(game: Game[Any]) -> Found[str | None]:
    state, players = game.border.state, players_of(game)
    return enumerate_ends(game.ruleset, state, players, winner, over=lambda after: not after.frames)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"wing": True},
        {"carry_damage": True},
        {"delay_box": "rejoin"},
        {"empty_line": "second-round"},
        {"factors_used": "both"},
        {"targets_named": "one-by-one"},
        {"who_remains": "ships-only", "wing": True},
    ],
    ids=str,
)
def test_taken_apart_it_comes_to_the_same_fractions(options: dict[str, Any]) -> None:
    game = opening(**options)
    apart, together = taken_apart(game), as_one(game)
    assert apart is not None
    assert apart.complete
    assert apart.ends == together.ends
    assert len(apart.ends) == 3, "each of them wins now and then, and so does nobody"
    assert apart.states < together.states / 100


@pytest.mark.parametrize("options", [{"disabled_ships": "silenced"}, {"tied_selection": "day-then-night"}], ids=str)
def test_what_hangs_together_is_not_taken_apart(options: dict[str, Any]) -> None:
    assert taken_apart(opening(**options)) is None


class Nervous:
    """The doctrine player, who also counts the damage points of its own units."""

    def __init__(self) -> None:
        self.doctrine = local_player("doctrine", 0)

    def choose(self, view: View, request: Choose[Any]) -> Option[Any] | str:
        sum([unit.points for unit in view.position.units if unit.side == view.side])
        return self.doctrine.choose(view, request)


def test_a_player_who_looks_at_what_dice_have_noted_is_noticed() -> None:
    game = opening()
    assert winners(game.ruleset, game.border.state, players_of(game) | {"east": Nervous()}, Limits()) is not None
    assert winners(game.ruleset, game.border.state, players_of(game) | {"west": Nervous()}, Limits()) is None


def test_stopped_early_it_says_how_much_is_left() -> None:
    game = opening()
    part, whole = taken_apart(game, Limits(states=5)), taken_apart(game)
    assert part is not None
    assert whole is not None
    assert not part.complete
    assert part.states == 5
    assert 0 < part.ends.left_over < Fraction(1, 2), "the likeliest positions are followed first"
    for side in whole.ends:
        assert part.ends[side] <= whole.ends[side] <= part.ends[side] + part.ends.left_over


def test_within_the_attacks_it_is_not_taken_apart() -> None:
    game = opening()
    state = copy_of(game.border.state)
    while not attacks.under_way(state.frames):
        through_segment(game.ruleset, players_of(game), state, roll=lambda roll: next(iter(roll.outcomes())))
    assert winners(game.ruleset, state, players_of(game), Limits()) is None


def test_the_command_is_given_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "duel.json"
    file.write_text(json.dumps(duel()))
    command = ["simulate", str(file), "--battles", "200", "--seed", "1", "--jobs", "1"]
    assert main(command) == 0
    assert "All dice" not in capsys.readouterr().out, "a moment is not enough"
    assert main([*command, "--seconds", "60"]) == 0
    told = capsys.readouterr().out
    assert "All dice were followed, through 19 positions" in told
    assert "East wins    50.0" in told
    assert main([*command, "--seconds", "60", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["exact"]["left_over"]["number"] == 0
    for side in ("east", "west", "nobody"):
        low, high = found["winners"][side]["low"], found["winners"][side]["high"]
        assert low <= found["exact"]["winners"][side]["number"] <= high
    assert main([*command, "--seconds", "soon"]) == 2


def test_the_command_says_how_far_it_came(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["simulate", "denmark-strait", "--battles", "2", "--seed", "1", "--jobs", "1", "--seconds", "9"]
    half: Distribution[Ending] = Distribution({(None, ()): Fraction(1, 2)})
    monkeypatch.setattr(simulation, "exact", lambda plan, game, seconds: Exact(half, 7, Fraction(1, 2)))
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "The likeliest dice were followed, 50.0 % of all, through 7 positions" in told
    assert "Germany wins  0.0 to 50.0 %" in told
    assert "nobody wins   50.0 to 100.0 %" in told
    monkeypatch.setattr(simulation, "exact", lambda plan, game, seconds: None)
    assert main(command) == 0
    assert "Sampled: not all dice could be followed in 9 seconds." in capsys.readouterr().out
    assert main([*command, "--variants", "changes.csv"]) == 2
