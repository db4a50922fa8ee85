"""How far the odds of a drill look.

Most decisions of drills belong to one procedure, and have odds of a position. Withdrawal and interception reach
further: to the end of the next round, or until whoever sets out has arrived. In a drill both sides' ships are known, so
the rest is followed exactly from the position as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flagplot.awaw.battle.rounds import submarines, withdrawal
from flagplot.awaw.procedures import attempts, naval_battle
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game, Player
from flagplot.kernel.plain_data import copy_of
from flagplot.kernel.replaying import Replay, asked_in, seen_by, stand_of
from flagplot.kernel.requests import Choose
from flagplot.kernel.words import say
from flagplot.odds.answer import Answer, Part
from flagplot.odds.enumerator import enumerate_ends
from flagplot.odds.position import position
from flagplot.odds.position_answer import OptionOdds, PositionAnswer
from flagplot.odds.position_awaw import teller
from flagplot.odds.position_staff import Told, apart
from flagplot.players.by_game import DoctrineByGame

REACHED = "Forces that reach the interception hex"
SUNK = " sunk"


def followed(game: Game[Any], side: str, until: str, assume: Mapping[str, str] | Sequence[str] = ()) -> PositionAnswer:
    """The odds of every option of the pending question."""
    if not until:
        return position(game, side, assume=assume, trials=0)
    words, over, tell = HORIZONS[until](game.state, side)
    request = game.pending
    assert isinstance(request, Choose)
    stand = stand_of(game)
    players: dict[str, Player] = {one: DoctrineByGame() for one in game.sides}
    reached = Replay(game.ruleset, side, seen_by(stand.events, side), asked_in(request), players).reach(stand.state)
    assert reached is not None
    options = []
    for option in request.options:
        found = enumerate_ends(
            game.ruleset, copy_of(stand.state), players, tell, over=over, given=[*reached.answers, option.value]
        )
        chances = apart(found.ends, found.states).chances
        parts = tuple([Part(title, chances[title]) for title in chances])
        answer = Answer(option.label, parts, states=found.states, left_over=found.ends.left_over)
        options.append(OptionOdds(option.text, option.label, answer))
    return PositionAnswer(side, say(request.question), tuple(options), words)


Horizon = tuple[str, Callable[[State], bool], Callable[[State], Told]]


def _next_round(state: State, side: str) -> Horizon:
    """22.41: until both have fought one more round, or the battle is over."""
    now = state.battle.round

    def over(state: State) -> bool:
        if not naval_battle.under_way(state.frames):
            return True
        return state.battle.round > now and state.frames[-1].is_at(submarines, withdrawal)

    tell = teller(copy_of(state), side, names=False)

    def sunk(state: State) -> Told:
        """Ships that have gone home are neither sunk nor there, so only what was sunk is told."""
        return tuple([(title, number) for title, number in tell(state) if title.endswith(SUNK)])

    return "the next round (22.41)", over, sunk


def _interception(state: State, side: str) -> Horizon:
    """22.23: until the dice have told who reaches the interception hex."""

    def tell(state: State) -> Told:
        voyages = state.operation.voyages.values()
        return ((REACHED, len([one for one in voyages if one.side == side and one.arrives == 1])),)

    return "the interception (22.23)", lambda state: not attempts.under_way(state.frames), tell


HORIZONS: Mapping[str, Callable[[State, str], Horizon]] = {"round": _next_round, "interception": _interception}
