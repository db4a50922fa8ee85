"""What an option means on the board: most questions about a target can be answered by clicking it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import flagplot
from flagplot.awaw.board.boards import board_of
from flagplot.awaw.board.subjects import OTHERS, PATTERNS, subjects_of
from flagplot.board.model import Board, counter_subject
from flagplot.draw.counters import Ask
from flagplot.kernel.game import Game
from flagplot.kernel.levels import read_levels
from flagplot.kernel.requests import Choose
from flagplot.library import subjects_of as of_game
from flagplot.players import player
from flagplot.table.battle.board_page import distinct, meant
from tests.awaw import looks

TARGETS = {
    "awaw": {
        "strike", "surprise", "seek", "target", "torpedo", "fire", "answer", "aim", "against", "screen", "search",
        "engage", "fly", "counterair", "base-attack", "send", "patrol", "stage", "redeploy", "return",
    },
    "line-of-battle": {"targets"},
}  # fmt: skip
"""The verbs of questions about a target, or about who does something."""
PLAYED = {"midway": 80, "coral-sea": 60, "okinawa": 50, "malta": 40, "malta-turn": 120, "savo-island": 30}
SHARE = 0.95


def questions(name: str, most: int) -> Iterator[tuple[Game[Any], Choose[Any]]]:
    """Questions with a choice, as they come up between doctrine players."""
    game: Game[Any] = flagplot.load(name, seed=3)
    players = {side: player("doctrine", 3) for side in game.sides}
    for stop in range(most):
        game.play(players, until=stop)
        if game.pending is None:
            return
        if isinstance(game.pending, Choose) and len(game.pending.options) > 1:
            yield game, game.pending


def everything(board: Board) -> set[str]:
    """All subjects on a board."""
    stacks = [stack for place in board.places for stack in place.stacks if stack.subject]
    return {stack.subject for stack in stacks} | {
        counter_subject(stack.subject, one) for stack in stacks for one in stack.counters
    }


def test_most_questions_about_a_target_have_it_on_the_board() -> None:
    asked, shown = Counter[str](), Counter[str]()
    for name, most in PLAYED.items():
        for game, question in questions(name, most):
            verb = question.options[0].text.partition(":")[0]
            if verb in TARGETS[game.ruleset.name]:
                board = game.view(question.side).board
                found = [of_game(game.ruleset.name, board, option.text) for option in question.options]
                asked[verb] += 1
                shown[verb] += any(found)
                assert {subject for some in found for subject in some} <= everything(board)
    print({verb: f"{shown[verb]}/{number}" for verb, number in asked.items()})
    assert len(asked) > 12
    assert shown.total() / asked.total() >= SHARE, {verb: (shown[verb], asked[verb]) for verb in asked}


def test_ships_are_found_where_they_are_fought_over() -> None:
    ships = (looks.ship("Akagi", 3, 0, "akagi"), looks.ship("2 Japanese cruisers", 0))
    board = board_of(looks.position(battle=looks.battle(looks.group(side="blue", number=4, ships=ships))))
    assert subjects_of(board, "target:akagi") == ("group:blue:4#akagi",)
    assert subjects_of(board, "strike:4") == ("group:blue:4",)
    assert subjects_of(board, "strike:5") == ()
    assert subjects_of(board, "target:light-ships")[0].startswith("group:blue:4#")
    assert subjects_of(board, "strike:none") == subjects_of(board, "withdraw:all") == ()


def test_a_counter_that_several_options_are_about_cannot_be_clicked() -> None:
    ships = (looks.ship("Akagi", 3, 0, "akagi"),)
    board = board_of(looks.position(battle=looks.battle(looks.group(side="blue", number=4, ships=ships))))
    counted = [Ask(f"kamikazes:4:{number}", "form") for number in range(3)]
    assert distinct(meant("awaw", board, counted)) == {}
    assert list(distinct(meant("awaw", board, [Ask("target:akagi", "form")]))) == ["group:blue:4#akagi"]


def test_every_pattern_is_of_a_verb_that_is_asked_and_says_which_word_is_meant() -> None:
    known = {word.rpartition("/")[2] for word in read_levels("flagplot.awaw").words}
    assert set(PATTERNS) <= known
    assert set(OTHERS) <= set(PATTERNS)
    assert all(pattern.count("*") == 1 for pattern in (*PATTERNS.values(), *OTHERS.values()))
