"""A game that is only played on is the same game, as far as anybody can tell who reads its state."""

from __future__ import annotations

from typing import Any

import pytest

import flagplot
from flagplot.kernel.dice import Committed, Seeded
from flagplot.kernel.errors import DiceError, IllegalAnswer
from flagplot.kernel.game import Game, Player
from flagplot.kernel.plain_data import copy_of, digest
from flagplot.kernel.playout import Playout, Start, playout, start_of
from flagplot.kernel.progress import Pick
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.players import player
from flagplot.players.doctrine import DoctrinePlayer


def players_of(game: Game[Any], who: str) -> dict[str, Player]:
    return {side: player(who, place) for place, side in enumerate(game.sides)}


@pytest.mark.parametrize("who", ["random", "doctrine"])
@pytest.mark.parametrize("scenario", ["midway", "kursk", "surigao-strait"])
@pytest.mark.parametrize("begun", [0, 7])
def test_the_same_dice_and_players_make_the_same_game(scenario: str, who: str, begun: int) -> None:
    """From the start, and from the middle of a segment."""
    game = flagplot.load(scenario, seed=3)
    game.play(players_of(game, "random"), until=begun)
    stood, twin = game.turn, game.copy(Seeded(5))
    twin.play(players_of(game, who))
    found = playout(game, players_of(game, who), Seeded(5))
    assert found.over
    assert found.result == twin.result
    assert found.turn == twin.turn
    assert digest(found.state) == digest(twin.state)
    assert game.turn == stood, "the game itself stands where it stood"


def test_first_answers_are_given_before_anybody_is_asked() -> None:
    game = flagplot.load("midway", seed=3)
    assert isinstance(game.pending, Choose)
    last = game.pending.options[-1]
    twin = game.copy(Seeded(1))
    twin.choose(last.text)
    twin.play(players_of(game, "doctrine"))
    for answer in (last.text, last.index):
        found = playout(game, players_of(game, "doctrine"), Seeded(1), first=[answer])
        assert digest(found.state) == digest(twin.state)
    with pytest.raises(IllegalAnswer, match="not one of the answers"):
        playout(game, {}, Seeded(1), first=["no:such:answer"])
    with pytest.raises(IllegalAnswer, match="not what is asked"):
        playout(game, {}, Seeded(1), first=[(1, 2)])


def test_an_answer_that_is_refused_does_not_count() -> None:
    found = Playout(start_of(flagplot.load("midway", seed=3)))
    asked, turn = found.pending, found.turn
    with pytest.raises(IllegalAnswer):
        found.answer("no:such:answer")
    assert (found.pending, found.turn) == (asked, turn)


def test_it_stops_at_a_border_from_which_it_can_be_played_on() -> None:
    game = flagplot.load("midway", seed=3)
    players, whole = players_of(game, "doctrine"), playout(game, players_of(game, "doctrine"), Seeded(2))
    begun = playout(game, players, Seeded(2), stop=lambda state: state.battle.round == 2)
    assert begun.pending is None
    assert not begun.over
    assert begun.result is None
    assert begun.turn < whole.turn
    rest = playout(Start(game.ruleset, begun.state, (), begun.turn, begun.rolls), players, Seeded(2))
    assert digest(rest.state) == digest(whole.state)
    assert rest.turn == whole.turn


def test_a_start_is_never_changed() -> None:
    game = flagplot.load("midway", seed=3)
    game.play(players_of(game, "random"), until=5)
    start = start_of(game)
    before = copy_of(start.state)
    playout(start, players_of(game, "random"), Seeded(1))
    assert start.state == before


def test_it_is_broken_off_after_so_many_answers_and_goes_on() -> None:
    game = flagplot.load("midway", seed=3)
    whole = playout(game, players_of(game, "doctrine"), Seeded(2))
    part = playout(game, players_of(game, "doctrine"), Seeded(2), most=10)
    assert part.turn == 10
    part.play(players_of(game, "doctrine"), Seeded(2))
    assert digest(part.state) == digest(whole.state)


def test_what_was_left_out_is_refused_in_words() -> None:
    game = flagplot.load("midway", seed=3)
    found = Playout(start_of(game))
    with pytest.raises(IllegalAnswer, match="keeps no log"):
        found.log("japan")
    with pytest.raises(IllegalAnswer, match="no moments"):
        found.moment_of("japan")
    with pytest.raises(DiceError, match="dice from a seed"):
        playout(game, players_of(game, "doctrine"), Committed("x"))


def test_whoever_plays_on_often_has_only_one_segment_to_run_again() -> None:
    """The border before the position is found once and remembered, and the game stays as it is."""
    game = flagplot.load("midway", seed=3)
    game.play(players_of(game, "doctrine"), until=60)
    before = digest(game.state)
    assert len(game.since_border) == 60, "a game that is only played remembers few borders"
    start = start_of(game)
    assert len(start.answers) < 20
    assert game.last_border() is game.last_border()
    assert (game.turn, digest(game.state)) == (60, before)
    assert digest(Playout(start).state) == before


def test_a_game_goes_on_and_is_taken_back_as_usual_after_a_playout() -> None:
    game, other = flagplot.load("midway", seed=3), flagplot.load("midway", seed=3)
    for one in (game, other):
        one.play(players_of(game, "doctrine"), until=lambda it: it.turn >= 30 and it.undo_refused() is None)
    playout(game, players_of(game, "doctrine"), Seeded(1))
    for one in (game, other):
        one.undo()
        one.play(players_of(game, "doctrine"))
    assert game.turn == other.turn
    assert digest(game.state) == digest(other.state)


class Watcher(DoctrinePlayer):
    """Notes the round that it sees through its window, in a position and close up."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[int, int]] = []

    def picks(self, view: View) -> Pick:
        usual = super().picks(view)

        def pick(request: Choose[Any]) -> int:
            self.seen.append((view.position.battle.round, view.close_up().round))
            return usual(request)

        return pick


def test_a_player_that_keeps_nothing_sees_all_moments_through_one_window() -> None:
    game = flagplot.load("midway", seed=1)
    watchers = {side: Watcher() for side in game.sides}
    end = playout(game, watchers, Seeded(1))
    for watcher in watchers.values():
        positions, battles = zip(*watcher.seen, strict=True)
        assert positions == battles
        assert list(dict.fromkeys(positions)) == list(range(1, end.state.battle.round + 1))


class Otherwise(DoctrinePlayer):
    """A doctrine player that somebody else has changed."""

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        return Option(request, 0)


def test_who_chooses_in_another_way_is_asked_for_that() -> None:
    game = flagplot.load("midway", seed=1)
    end = playout(game, {side: Otherwise() for side in game.sides}, Seeded(1))
    twin = game.copy(Seeded(1))
    twin.play({side: Otherwise() for side in game.sides})
    assert end.turn == twin.turn
    assert digest(end.state) == digest(twin.state)
