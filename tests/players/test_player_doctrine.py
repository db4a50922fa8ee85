"""The doctrine player as a whole: it plays every scenario to its end, always alike, and from the view alone."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import flagplot
from flagplot.kernel.dice import Seeded
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.players import player
from flagplot.players.doctrine import Doctrine, DoctrinePlayer, read_doctrine
from flagplot.players.doctrine.player import OPERATIONS, SEGMENTS, TURNS
from flagplot.players.doctrine.principles import PRINCIPLES, always, nearest, neutral
from flagplot.players.random import RandomPlayer

SEEDS = range(3)


def doctrine_for(game: Game[Any], *, mixed: bool = False) -> dict[str, Any]:
    """Doctrine players for both sides, or one against a random player."""
    players: dict[str, Any] = {side: DoctrinePlayer() for side in game.sides}
    if mixed:
        players[game.sides[1]] = RandomPlayer(1)
    return players


# --- whole games ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", flagplot.scenario_names())
@pytest.mark.parametrize("mixed", [False, True], ids=["against itself", "against random"])
def test_it_plays_every_scenario_to_the_end(name: str, mixed: bool) -> None:
    opening = flagplot.load(name, seed=0)
    for seed in SEEDS:
        game = opening.copy(Seeded(seed))
        game.play(doctrine_for(game, mixed=mixed))
        assert game.result is not None


@pytest.mark.parametrize("name", flagplot.scenario_names())
def test_the_same_dice_give_the_same_game(name: str) -> None:
    """Nothing is drawn, and nothing is remembered: one player for a whole game or a new one for each question."""
    games = [flagplot.load(name, seed=5) for _ in range(2)]
    games[0].play(doctrine_for(games[0]))
    while games[1].pending is not None:
        games[1].play(doctrine_for(games[1]), until=games[1].turn + 1)
    assert [entry.as_dict() for entry in games[0].log("umpire")] == [
        entry.as_dict() for entry in games[1].log("umpire")
    ]


class Strict:
    """Hands on to the doctrine player, and holds that every answer is an option of the question."""

    def __init__(self) -> None:
        self.answered = 0

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        option = DoctrinePlayer().choose(view, request)
        assert option.request is request
        assert request.find(option.text) is not None
        assert option.value in request.values
        self.answered += 1
        return option


@pytest.mark.parametrize("name", flagplot.scenario_names())
def test_every_answer_is_offered(name: str) -> None:
    game, strict = flagplot.load(name, seed=3), Strict()
    game.play(dict.fromkeys(game.sides, strict))
    assert strict.answered > 5


# --- secrets ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["midway", "coral-sea", "first-battle", "rabaul"])
def test_other_secrets_of_the_enemy_do_not_change_its_answer(name: str) -> None:
    """At many borders between segments: the enemy's secrets are exchanged for others that look the same."""
    compared = 0
    for seed in range(4):
        game = flagplot.load(name, seed=seed)
        game.copy()  # from now on every border is remembered
        chance, players = Random(seed), doctrine_for(game, mixed=bool(seed % 2))
        while game.pending is not None:
            compared += _same_answer(game, chance)
            game.play(players, until=game.turn + 1)
    assert compared > (15 if name == "rabaul" else 30)  # an air phase is short


def _same_answer(game: Game[Any], chance: Random) -> bool:
    """Whether two paired states could be compared; fails if the player answers them differently."""
    border = game.border
    if border.turn != game.turn or not isinstance(game.pending, Choose):
        return False
    side = game.pending.side
    ours = game.from_border(border.state)
    theirs = game.from_border(game.ruleset.reshuffle(border.state, side, chance))
    assert isinstance(ours.pending, Choose)
    if not isinstance(theirs.pending, Choose) or theirs.pending.side != side:
        return False
    assert answer(ours) == answer(theirs)
    return True


def answer(game: Game[Any]) -> str:
    """What the doctrine player says to the pending question."""
    assert isinstance(game.pending, Choose)
    return DoctrinePlayer().choose(game.view(game.pending.side), game.pending).text


class Blinded(View):
    """A view that has nothing but what a side may see: no way leads from it to the game."""

    __slots__ = ("name", "seen")

    def __init__(self, view: View) -> None:
        self.side, self.name, self.seen = view.side, view.game, view.position.settled()

    @property
    def game(self) -> str:
        return self.name

    @property
    def position(self) -> Any:
        return self.seen

    def glance(self) -> Any:
        return self.seen

    def close_up(self) -> Any:
        return self.seen.battle


class BlindedPlayer:
    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        return DoctrinePlayer().choose(Blinded(view), request)


@pytest.mark.parametrize("name", flagplot.scenario_names())
def test_it_needs_nothing_but_the_position_of_the_view(name: str) -> None:
    games = [flagplot.load(name, seed=2) for _ in range(2)]
    games[0].play(doctrine_for(games[0]))
    games[1].play(dict.fromkeys(games[1].sides, BlindedPlayer()))
    assert games[0].result == games[1].result
    assert games[0].turn == games[1].turn


# --- questions that it does not know ----------------------------------------------------------------------------


def asked(verb: str | tuple[str, ...], *values: Any) -> Choose[Any]:
    return Choose("red", verb, values, "A question?", str, "1.1")


@pytest.mark.parametrize(
    ("values", "expected"),
    [((3, 4, 5), 3), (("sail", "none"), "none"), (("stay", "go"), "stay"), (("this", "that"), "this")],
)
def test_to_unknown_questions_it_does_as_little_as_possible(values: tuple[Any, ...], expected: Any) -> None:
    request = asked("juggle", *values)
    game = flagplot.load("midway", seed=1)
    assert DoctrinePlayer().choose(game.view("japan"), request).value == expected
    assert neutral(None, request) == expected  # type: ignore[arg-type]


def test_a_number_that_is_not_offered_becomes_the_nearest_one() -> None:
    assert nearest(range(2, 6), 9) == 3
    assert nearest(range(2, 6), 0) == 0
    assert nearest(range(2, 6), 4) == 2
    assert nearest(("a", "b"), "c") == 0
    assert nearest(("a", "b"), "b") == 1


def test_every_principle_says_what_it_is() -> None:
    """Each is a function of one of the modules, or an answer that is always alike, with its principle in words."""
    modules = {module.__name__ for module in (*SEGMENTS, *OPERATIONS, *TURNS)}
    for verb, function in PRINCIPLES.items():
        assert function.__doc__, verb
        assert function.__doc__.strip()[0].isupper(), verb
        assert function.__module__ in modules or function.__qualname__.startswith(always.__name__)


# --- settings ---------------------------------------------------------------------------------------------------


def test_settings_are_read_from_a_text() -> None:
    assert read_doctrine("") == Doctrine()
    assert read_doctrine("withdraw_below=0.3,caution=2") == Doctrine(withdraw_below=0.3, caution=2)
    named = player("doctrine:cap_share=0.5", 7)
    assert isinstance(named, DoctrinePlayer)
    assert named.doctrine == Doctrine(cap_share=0.5)
    plain = player("doctrine", 7)
    assert isinstance(plain, DoctrinePlayer)
    assert plain.doctrine == Doctrine()


def test_wrong_settings_are_refused_with_what_there_is() -> None:
    with pytest.raises(UnknownName, match="no such setting") as unknown:
        read_doctrine("courage=1")
    assert "caution" in str(unknown.value.as_dict()["allowed"])
    for wrong in ("caution", "caution=", "caution=much", "caution=-1", "caution=nan"):
        with pytest.raises(BadValue, match="number from 0 to 100"):
            read_doctrine(wrong)
    with pytest.raises(BadValue, match="no such setting"):
        player("random:caution=1", 7)
    with pytest.raises(UnknownName, match="no such player"):
        player("doctor", 7)
