"""The board of a view: what every picture shows, for every game and reader."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import flagplot
from flagplot import library
from flagplot.board.model import Board, Counter, Note, Stack
from flagplot.kernel.naming import plainly
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.players import player
from tests.games import moments

GAMES = ("midway", "okinawa", "malta", "coral-sea-operation", "malta-turn", "savo-island")


def boards(name: str) -> Iterator[Board]:
    for game in moments(name):
        for reader in (*game.sides, NEUTRAL, UMPIRE):
            yield game.view(reader).board


def stacks(board: Board) -> Iterator[Stack]:
    for place in board.places:
        yield from place.stacks


@pytest.mark.parametrize("name", GAMES)
def test_a_question_can_name_each_stack(name: str) -> None:
    """Combat groups, bases, forces, flotillas and units each have a subject, and no two the same."""
    for board in boards(name):
        named = [stack for stack in stacks(board) if stack.kind in ("group", "base", "force", "flotilla", "unit")]
        assert all(stack.subject for stack in named)
        assert len({stack.subject for stack in named}) == len(named)


@pytest.mark.parametrize("name", GAMES)
def test_each_stack_is_of_a_side_or_of_nobody_and_stands_in_a_place_of_its_own_side(name: str) -> None:
    for board in boards(name):
        for place in board.places:
            assert place.title
            for stack in place.stacks:
                assert stack.side in ("", *board.names)
                assert place.side in ("", stack.side)


@pytest.mark.parametrize("name", GAMES)
def test_a_board_of_a_settled_view_is_the_same_when_the_game_has_gone_on(name: str) -> None:
    game = flagplot.load(name, seed=5)
    players = {side: player("random", 5) for side in game.sides}
    for stop in range(0, 60, 12):
        game.play(players, until=stop)
        view = game.view(game.sides[0])
        now, kept = view.board, view.position.settled()
        game.play(players, until=stop + 12)
        assert library.board_of(game.ruleset.name, kept) == now


def test_of_a_group_of_which_nothing_is_known_there_are_no_counters() -> None:
    unknown = 0
    for game in moments("midway"):
        for side in game.sides:
            for stack in stacks(game.view(side).board):
                if stack.kind == "group" and stack.state == "hidden":
                    assert [item.told for item in stack.items if isinstance(item, Note)] == ["hidden"]
                    assert not stack.counters
                    assert not stack.name
                    assert stack.side != side
                    unknown += 1
    assert unknown > 5


def test_a_group_stands_in_the_place_of_its_number_with_its_ships_and_patrol() -> None:
    patrols = 0
    for game in moments("midway"):
        view = game.view(UMPIRE)
        for group in view.position.battle.groups:
            (stack,) = [one for one in stacks(view.board) if one.subject == f"group:{group.side}:{group.number}"]
            aboard = [counter for counter in stack.counters if not counter.doing]
            assert [counter.text for counter in aboard] == [plainly(ship.text) for ship in group.ships]
            assert sum(counter.factors for counter in aboard) == group.own.factors
            flying = [counter.count for counter in stack.counters if counter.doing == "on combat air patrol"]
            assert flying == [flight.count for flight in group.own.patrol]
            patrols += bool(flying)
    assert patrols


@pytest.mark.parametrize(
    ("counter", "told"),
    [
        (Counter(text="Akagi", silhouette="carrier", size=3), ("Akagi", "Akagi 3/3")),
        (Counter(text="2 squadrons", silhouette="plane", inverted=True), ("2 squadrons (inverted)",) * 2),
        (Counter(text="3 factors", silhouette="plane", aborted=1), ("3 factors (1 aborted)",) * 2),
    ],
)
def test_a_counter_in_words(counter: Counter, told: tuple[str, str]) -> None:
    assert (counter.words, counter.afloat) == told
