"""The player that looks ahead: it compares options by playouts from what its side knows, and cannot peek."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.kernel.ahead import catch_up
from flagplot.kernel.dice import Seeded
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.game import Game
from flagplot.kernel.levels import Level
from flagplot.kernel.requests import Choose
from flagplot.kernel.situations import Situation, situation_of
from flagplot.players import RANKS, player
from flagplot.players.doctrine import Doctrine
from flagplot.players.ranks import BUDGETS, read_budget
from flagplot.players.search.budget import Budget
from flagplot.players.search.habits import Slipping, own
from flagplot.players.search.halving import halving
from flagplot.players.search.judging import Worth, judge_of
from flagplot.players.search.matrix import mixed, solved
from flagplot.players.search.player import SearchPlayer
from flagplot.players.search.thinking import SURE, is_sure, think, thinned
from flagplot.players.search.trials import Trials
from flagplot.players.search.weighing import Mean, Weighed
from flagplot.players.search.words import LITTLE, in_a_sentence

FEW = Budget(playouts=6, seconds=60, options=3, rounds=0)
MOMENTS = (
    ("first-battle", ""),
    ("first-battle", "patrol"),
    ("first-battle", "withdraw"),
    ("denmark-strait", ""),
    ("savo-island", "select"),
    ("savo-island", "targets"),
    ("ceylon-raid", ""),
    ("kursk", ""),
    ("coral-sea-operation", "order"),
    ("norwegian-sortie", "intercept"),
    ("malta-turn", ""),
)
"""A naval battle, a raider battle, Line of Battle and its base attack, an air phase, operations, a turn."""


def plain(game: Game[Any]) -> dict[str, Any]:
    return {side: player("captain", 0) for side in game.sides}


@cache
def asked(name: str, word: str = "", seed: int = 1) -> Game[Any]:
    """A game at a question of some weight, or at the first of a kind."""
    game = flagplot.load(name, seed=seed)
    game.copy()  # from now on it remembers every border

    def here(game: Game[Any]) -> bool:
        request = game.pending
        if not isinstance(request, Choose) or len(request.values) < 2:
            return False
        situation = situation_of(game, request.side)
        return situation is not None and (situation.word == word if word else situation.level is Level.COMMAND)

    game.play(plain(game), until=here)
    return game


def situation(game: Game[Any]) -> Situation:
    assert isinstance(game.pending, Choose)
    found = situation_of(game, game.pending.side)
    assert found is not None
    return found


# --- it cannot peek -----------------------------------------------------------------------------------------------


def others(game: Game[Any], side: str) -> Iterator[Game[Any]]:
    """The same moment in other truths that look the same to a side."""
    here = game._with_last_border()
    for number in range(6):
        state = game.ruleset.reshuffle(here.border.state, side, Random(number))
        twin = here.from_border(state)
        if catch_up(twin, game, side, player("captain", 0), here.border.logged):
            yield twin.copy(Seeded(number + 100))


@pytest.mark.parametrize(("name", "word"), MOMENTS)
def test_it_thinks_the_same_whatever_the_truth_is(name: str, word: str) -> None:
    """Answer and table are the same in other truths, and with other dice to come."""
    game = asked(name, word)
    side = str(game.pending.side)  # type: ignore[union-attr]
    thought = think(situation(game), 5, FEW)
    assert thought is not None
    twins = [twin for twin, _ in zip(others(game, side), range(2), strict=False)]
    assert twins
    for twin in twins:
        assert think(situation(twin), 5, FEW) == thought


def test_truths_that_look_the_same_do_differ() -> None:
    """The test above compares games that are not the same."""
    game = asked("first-battle")
    side = str(game.pending.side)  # type: ignore[union-attr]
    assert any([twin.state.battle != game.state.battle for twin in others(game, side)])


def test_what_it_is_handed_is_no_game() -> None:
    """It can be sent to another process, and comes out as it went in."""
    known = situation(asked("first-battle"))
    again = pickle.loads(pickle.dumps(known))
    assert think(again, 3, FEW) == think(known, 3, FEW)


def test_only_who_is_asked_has_a_situation() -> None:
    game = asked("first-battle")
    other = next(side for side in game.sides if side != game.pending.side)  # type: ignore[union-attr]
    assert situation_of(game, other) is None
    assert game.hint(other) is None


# --- how it decides -----------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_table() -> None:
    known = situation(asked("savo-island"))
    assert think(known, 3, FEW) == think(known, 3, FEW)
    assert think(known, 4, FEW) != think(known, 3, FEW)


def test_a_player_plays_to_the_end_and_remembers_why() -> None:
    game = flagplot.load("ceylon-raid", seed=2)
    first, second = game.sides
    thinking = SearchPlayer(1, FEW)
    game.play({first: thinking, second: player("ensign", 1)})
    assert game.result is not None
    assert thinking.thoughts
    for thought in thinking.thoughts:
        assert thought.side == first
        assert thought.playouts >= len(thought.options)
        assert thought.chosen in [one.text for one in thought.options]
        assert thought.sentence in str(thought)
        assert thought.as_dict()["options"] == thought.rows()


def test_a_simulation_with_it_can_be_repeated() -> None:
    who = {"japan": "commodore:playouts=4", "britain": "ensign"}
    first, again = [flagplot.simulate("ceylon-raid", 1, who, seed=4) for _ in range(2)]
    assert first.as_dict() == again.as_dict()


def test_a_cap_on_the_time_is_kept_and_told() -> None:
    thought = think(situation(asked("savo-island")), 3, Budget(playouts=10_000, seconds=0.0, options=2))
    assert thought is not None
    assert thought.capped
    assert thought.playouts <= 6


def test_many_options_are_thinned_around_what_the_doctrine_says() -> None:
    options = [f"send:{number}" for number in range(20)]
    assert thinned(options, ["send:7"], 4) == ["send:0", "send:7", "send:10", "send:19"]
    assert thinned(options[:3], ["send:1"], 4) == options[:3]
    assert thinned(options, ["send:7", "send:9"], 4) == ["send:0", "send:7", "send:9", "send:19"]
    assert thinned(options, ["send:7", "send:9", "send:1"], 2) == ["send:7", "send:9"]


def test_better_options_get_more_playouts() -> None:
    worth = {"a": 0.0, "b": 0.9, "c": 0.1, "d": -0.5, "e": 0.2}

    def play(option: str, trial: int) -> Worth:
        return Worth(worth[option], 0, 0, 0)

    found = halving(list(worth), "a", 60, play, lambda: True)
    assert len(found["a"]) == len(found["b"]) == max(map(len, found.values()))
    assert len(found["d"]) < len(found["b"])


def test_options_that_come_to_the_same_are_not_tried_for_ever() -> None:
    found = halving(["a", "b"], "a", 1000, lambda option, trial: Worth(trial / 1000, 0, 0, 0), lambda: True)
    assert len(found["a"]) == len(found["b"]) == 5


@pytest.mark.parametrize(("gain", "noise"), [(-0.4, 0.1), (0.004, 0.001), (0.5, 0.2)])
def test_what_is_clear_is_not_tried_again(gain: float, noise: float) -> None:
    """Surely worse than the doctrine's, the same for all that it matters, or surely better."""

    def play(option: str, trial: int) -> Worth:
        return Worth((option == "b") * (gain + noise * (-1) ** trial), 0, 0, 0)

    assert len(halving(["a", "b"], "a", 1000, play, lambda: True)["b"]) == (12 if gain < 0.1 else 24)


def test_what_is_not_clear_gets_all_its_trials() -> None:
    def play(option: str, trial: int) -> Worth:
        return Worth((option == "b") * (0.02 + 0.3 * (-1) ** trial), 0, 0, 0)

    assert len(halving(["a", "b"], "a", 100, play, lambda: True)["b"]) == 50


def test_what_falls_behind_gets_no_more_trials() -> None:
    """Of the first trials all may be behind by chance, but not by more than a standard error; later not at all."""

    def behind(first: float, later: float) -> int:
        def play(option: str, trial: int) -> Worth:
            gain = (first if trial < 4 else later) + 0.1 * (-1) ** trial
            return Worth((option != "a") * gain, 0, 0, 0)

        return len(halving(list("abcde"), "a", 64, play, lambda: True)["a"])

    assert behind(-0.2, 0.5) == 4
    assert behind(-0.02, -0.02) == 11
    assert behind(-0.02, 0.5) == 21


def test_an_answer_of_another_plan_is_followed_by_the_rest_of_that_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the patrol now means half of it in the next rounds too; the doctrine's answer goes on by the doctrine."""
    followed: list[Doctrine | None] = []

    def spy(seed: int, trial: int, plan: Doctrine | None = None) -> Slipping:
        followed.append(plan)
        return own(seed, trial, plan)

    monkeypatch.setattr("flagplot.players.search.trials.own", spy)
    patrols = situation(asked("santa-cruz", "patrol"))
    judge = judge_of(patrols.game, patrols.kind)
    assert judge is not None
    trials = Trials(patrols, judge, 3)
    assert Doctrine(cap_share=0.5) in trials.plans.values()
    half = next(text for text, plan in trials.plans.items() if plan.cap_share == 0.5)
    assert half != trials.doctrine
    for option in (trials.doctrine, half):
        trials.play(option, 0, None)
    assert followed == [None, Doctrine(cap_share=0.5)]


def test_air_phases_are_quick_so_that_they_are_played_on_more_often() -> None:
    found = [
        think(situation(asked(name)), 3, Budget(playouts=16, seconds=60, options=3)) for name in ("kursk", "midway")
    ]
    assert [one.playouts > 16 for one in found if one] == [True, False]


def test_a_battle_is_followed_to_its_end_unless_rounds_are_given() -> None:
    """The outlook of a battle misjudges what numbers and withdrawals bring in the end."""
    first = situation(asked("first-battle"))
    followed = [think(first, 1, Budget(4, 60, options=2, rounds=rounds)) for rounds in (None, 1)]
    assert [one.rounds for one in followed if one] == ["the end", "the end of round 2"]


def test_secret_choices_are_mixed_as_the_game_asks_for() -> None:
    """Rock, paper, scissors; and a game in which one row is never good."""
    ours, theirs = solved([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert ours == pytest.approx([1 / 3] * 3, abs=0.02)
    assert theirs == pytest.approx([1 / 3] * 3, abs=0.02)
    ours, _ = solved([[2, 0], [0, 1], [-1, -1]])
    assert ours == pytest.approx([1 / 3, 2 / 3, 0], abs=0.02)
    assert {mixed([0.5, 0.5, 0.0], seed) for seed in range(20)} == {0, 1}


def test_a_patrol_is_mixed_of_the_doctrines_and_what_is_surely_better() -> None:
    thought = think(situation(asked("first-battle", "patrol")), 1, Budget(42, 60, rounds=1))
    assert thought is not None
    assert len(thought.options) == 2, "as many as can each be tried often enough"
    assert thought.mixed
    assert sum([one.chance for one in thought.options]) == pytest.approx(1, abs=0.01)
    for one in thought.options:
        surely_better = one.better.mean > SURE * one.better.error
        assert one.text == thought.doctrine or surely_better or not one.chance
    several = len([one for one in thought.options if one.chance >= LITTLE]) > 1
    assert ("so it is mixed" in thought.sentence) == several


def test_with_few_playouts_the_doctrine_draws_the_group_numbers() -> None:
    """A dozen playouts of each number tell nothing: what came out best gained nothing in battles played on."""
    assert think(situation(asked("first-battle", "number")), 1, BUDGETS["commodore"]) is None


def test_day_or_night_is_not_mixed() -> None:
    thought = think(situation(asked("savo-island", "select")), 1, Budget(24, 60))
    assert thought is not None
    assert not thought.mixed


def test_a_battle_is_not_given_up_by_chance() -> None:
    """However it looks after a few playouts, nobody withdraws from a battle that he may still win."""
    for name in ("cape-matapan", "first-battle"):
        game = asked(name, "withdraw")
        thought = think(situation(game), 1, Budget(6, 60))
        assert thought is not None
        assert thought.chosen == thought.doctrine


def test_only_a_battle_that_is_as_good_as_lost_may_be_given_up() -> None:
    def after(own: float, won: float) -> Weighed:
        return Weighed("", "", 20, Mean(0.0, 0.01), Mean(0.2, 0.05), own, 1.0, won)

    leave = after(own=2, won=-1.0)
    assert is_sure(leave, after(own=9, won=-0.97), final=True)
    assert not is_sure(leave, after(own=9, won=-0.8), final=True)


# --- ranks and words ----------------------------------------------------------------------------------------------


def test_ranks_are_players_with_budgets_that_can_be_set() -> None:
    for rank in RANKS:
        assert callable(player(rank, 1).choose)
    assert BUDGETS["commodore"].playouts < BUDGETS["admiral"].playouts < BUDGETS["fleet"].playouts
    assert read_budget("fleet", "seconds=30").playouts == 3 * BUDGETS["fleet"].playouts
    assert read_budget("commodore", "playouts=64,seconds=2")[:2] == (64, 2.0)
    with pytest.raises(UnknownName):
        player("admiral:depth=3", 1)
    with pytest.raises(BadValue):
        player("admiral:seconds=0", 1)
    with pytest.raises(BadValue):
        player("captain:seconds=2", 1)


def weighed(text: str, better: float, own: float, enemy: float) -> Weighed:
    return Weighed(text, text.title(), 20, Mean(better, 0.01), Mean(better, 0.01), own, enemy, 0.0)


def test_it_says_why() -> None:
    rows = [weighed("hold back", 0.2, 1.0, 2.0), weighed("strike", 0.0, 1.4, 2.0)]
    said = in_a_sentence(rows, "hold back", "strike", "factors")
    assert said == "“Hold Back” loses 0.4 factors fewer than “Strike”."
    often = [replace(rows[0], won=0.6), replace(rows[1], won=0.2)]
    said = in_a_sentence(often, "hold back", "strike", "factors")
    assert said == "“Hold Back” loses 0.4 factors fewer and wins 20 more of 100 battles than “Strike”."
    even = [weighed("strike", 0.0, 1.4, 2.0), weighed("hold back", 0.01, 1.4, 2.0)]
    assert "keep to our doctrine" in in_a_sentence(even, "strike", "strike", "factors")


def test_only_a_choice_that_is_really_mixed_is_called_so() -> None:
    rows = [weighed("hold back", 0.2, 1.0, 2.0), weighed("strike", 0.0, 1.4, 2.0)]
    sure = [replace(rows[0], chance=0.99), replace(rows[1], chance=0.01)]
    assert in_a_sentence(sure, "hold back", "strike", "factors", mixed=True).startswith("“Hold Back” loses 0.4")
    torn = [replace(one, chance=0.5) for one in rows]
    assert "so it is mixed: “Hold Back” 50%, “Strike” 50%" in in_a_sentence(
        torn, "strike", "strike", "factors", mixed=True
    )
