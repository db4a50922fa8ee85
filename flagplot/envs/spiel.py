"""Battles as games of OpenSpiel: `pyspiel.load_game("flagplot", {"scenario": "force-z"})` once this module is imported.

Dice are chance nodes: faces that read the same are one outcome, with its exact probability. What a player knows is his
view and his log, as text. Nothing is left out of it, so algorithms that need perfect recall (CFR, exploitability) run
where the tree is small.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache, partial
from random import Random
from typing import Any

from flagplot.kernel.errors import MissingExtra

try:
    import pyspiel
except ModuleNotFoundError as fault:
    raise MissingExtra("envs", fault.name) from fault

from flagplot.envs.battles import Opening, Scenario, rewards_of
from flagplot.envs.worlds import another
from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Game
from flagplot.kernel.log import FORCED
from flagplot.kernel.requests import Choose, Faces, Note, Roll
from flagplot.kernel.ruleset import UMPIRE

NAME = "flagplot"
OUTCOMES = 256
"""More different readings no roll of a battle has; one that had would be refused."""
MOST_TOLL = 1000.0
PARAMETERS = {"scenario": "first-battle", "reward": "result", "actions": 64, "length": 4000}
"""A scenario is a name, a path, or JSON text; `length` is the greatest number of choices in a game."""

GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Flagplot",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    provides_factored_observation_string=False,
    parameter_specification=PARAMETERS,
)


class FlagplotGame(pyspiel.Game):  # type: ignore[misc]
    """One scenario with all the ways in which it can go."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = PARAMETERS | (params or {})
        self.opening = Opening(_scenario(str(given["scenario"])))
        self.reward: Any = given["reward"]
        best = 1.0 if self.reward == "result" else MOST_TOLL
        info = pyspiel.GameInfo(
            num_distinct_actions=given["actions"],
            max_chance_outcomes=OUTCOMES,
            num_players=2,
            min_utility=-best,
            max_utility=best,
            utility_sum=0.0,
            max_game_length=given["length"],
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> FlagplotState:
        return FlagplotState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(iig_obs_type is None or iig_obs_type.perfect_recall)


class Observer:
    """What OpenSpiel's algorithms ask for what a player knows; there are no tensors."""

    tensor = None

    def __init__(self, remembers: bool) -> None:
        self.dict: dict[str, Any] = {}
        self._remembers = remembers

    def set_from(self, state: FlagplotState, player: int) -> None:
        """There is no tensor to fill."""

    def string_from(self, state: FlagplotState, player: int) -> str:
        return state.information_state_string(player) if self._remembers else state.observation_string(player)


class FlagplotState(pyspiel.State):  # type: ignore[misc]
    """A moment of a battle."""

    def __init__(self, game: FlagplotGame) -> None:
        super().__init__(game)
        self._sides, self._reward = game.opening.sides, game.reward
        self._held = _Held(game.opening.start())

    @property
    def battle(self) -> Game[Any]:
        """The game of Flagplot at this moment, to be looked at."""
        return self._held.game

    def current_player(self) -> int:
        request = self.battle.pending
        if request is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if isinstance(request, Roll) else self._sides.index(request.side)

    def is_terminal(self) -> bool:
        return self.battle.pending is None

    def _legal_actions(self, player: int) -> list[int]:
        request = self.battle.pending
        assert isinstance(request, Choose)
        if len(request) > self.get_game().num_distinct_actions():
            raise BadValue(f"a question has {len(request)} options: load the game with actions={len(request)}")
        return list(range(len(request)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        request = self.battle.pending
        assert isinstance(request, Roll)
        return [(place, ways / 6**request.dice) for place, (_, ways) in enumerate(outcomes(request))]

    def _apply_action(self, action: int) -> None:
        game = self._held.own()
        request = game.pending
        if isinstance(request, Roll):
            game.roll(outcomes(request)[action][0])
        elif isinstance(request, Choose):
            game.choose(request.option(action))

    def _action_to_string(self, player: int, action: int) -> str:
        request = self.battle.pending
        if isinstance(request, Roll):
            return f"dice:{','.join(map(str, outcomes(request)[action][0]))}"
        return request.option(action).text if isinstance(request, Choose) else str(action)

    def returns(self) -> list[float]:
        return [*rewards_of(self.battle, self._sides, self._reward).values()]

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player knows and has known: his view, his log, and what he is asked."""
        view = self.battle.view(self._sides[self.current_player() if player is None else player])
        return _text({"view": view.data, "asked": view.asked, "log": [entry.as_dict() for entry in view.log]})

    def observation_string(self, player: int | None = None) -> str:
        """What a player sees now."""
        view = self.battle.view(self._sides[self.current_player() if player is None else player])
        return _text({"view": view.data, "asked": view.asked})

    def resample_from_infostate(self, player: int, sampler: Any) -> FlagplotState:
        """Another state that looks the same to a player, for searches that may not look at the true one."""
        chance = Random(int(sampler() * 2**53))
        state: FlagplotState = self.clone()
        state._held = _Held(another(self.battle, self._sides[player], chance))
        return state

    def __str__(self) -> str:
        return f"{self.battle.view(UMPIRE)}\n{self.battle.pending or 'over'}"


class _Held:
    """A battle that several clones of a state may share until one of them goes on."""

    __slots__ = ("game", "shared")

    def __init__(self, game: Game[Any], shared: bool = False) -> None:
        self.game, self.shared = game, shared

    def own(self) -> Game[Any]:
        """The battle, for going on with it."""
        if self.shared:
            self.game, self.shared = self.game.copy(), False
        return self.game

    def __deepcopy__(self, memo: Any) -> _Held:
        """OpenSpiel clones a state by copying what it holds."""
        self.shared = True
        return _Held(self.game, shared=True)

    def __reduce__(self) -> tuple[Any, ...]:
        """A battle is written as its scenario and its answers."""
        given = [answer for request, answer in self.game.events if not isinstance(request, Note) and answer != FORCED]
        return _played, (self.game.scenario, given)


def _played(scenario: dict[str, Any], answers: list[int | Faces]) -> _Held:
    game = Opening(scenario).start()
    for answer in answers:
        if isinstance(answer, int):
            assert isinstance(game.pending, Choose)
            game.choose(game.pending.option(answer))
        else:
            game.roll(answer)
    return _Held(game)


@lru_cache(maxsize=64)  # who asks for the outcomes of a roll applies one of them next
def outcomes(request: Roll[Any]) -> list[tuple[Faces, int]]:
    """What can be read from a roll: for each reading the first faces that read so, and in how many ways it falls."""
    found = _readings(request)
    if len(found) > OUTCOMES:
        raise BadValue(f"a roll has more than {OUTCOMES} readings", given=len(found))
    return found


def _readings(request: Roll[Any]) -> list[tuple[Faces, int]]:
    """The readings of a roll, worked out once for the same number of dice, function and arguments: such functions are
    pure. Arguments that cannot be hashed are worked out each time."""
    reads = request.reads
    if isinstance(reads, partial) and not reads.keywords and _is_hashable(reads.args):
        return _readings_of(request.dice, reads.func, reads.args)
    return request.readings()


@lru_cache(maxsize=1024)
def _readings_of(dice: int, read: Callable[..., Any], given: tuple[Any, ...]) -> list[tuple[Faces, int]]:
    return Roll("", dice, "", partial(read, *given), "").readings()


def _is_hashable(given: tuple[Any, ...]) -> bool:
    try:
        hash(given)
    except TypeError:
        return False
    return True


def _text(told: dict[str, Any]) -> str:
    return json.dumps(told, ensure_ascii=False, default=str)


def _scenario(text: str) -> Scenario:
    if text.startswith("{"):
        data: dict[str, Any] = json.loads(text)
        return data
    return text


pyspiel.register_game(GAME_TYPE, FlagplotGame)
