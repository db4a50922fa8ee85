"""A Gymnasium environment: an agent plays one side of a battle, and a player of the program all others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
from numpy.typing import NDArray

from flagplot.envs.battles import AgentView, Opening, Reward, Scenario, check_reward, info_of, question_of, rewards_of
from flagplot.envs.encoding import OPTIONS, UNITS, Encoder
from flagplot.envs.rendering import MODES, check_mode, rendered
from flagplot.envs.spaces import observation_of, space_of
from flagplot.kernel.errors import UnknownName
from flagplot.kernel.game import Game, Player
from flagplot.kernel.requests import Choose
from flagplot.players import local_player

ILLEGAL = -0.01
"""What an action costs that is no option; nothing else happens, and the question is asked again."""

Observation = dict[str, NDArray[Any]]


class FlagplotEnv(gymnasium.Env[Any, Any]):
    """One side of a battle against a player of the program, or any other."""

    metadata = {"render_modes": MODES, "render_fps": 2}  # noqa: RUF012  # Gymnasium's own form

    def __init__(
        self,
        scenario: Scenario = "first-battle",
        *,
        side: str | None = None,
        opponent: str | Player = "doctrine",
        options: Mapping[str, Any] | None = None,
        reward: Reward = "result",
        units: int = UNITS,
        actions: int = OPTIONS,
        render_mode: str | None = None,
    ) -> None:
        check_reward(reward)
        check_mode(render_mode)
        self.opening, self.encoder = Opening(scenario, options), Encoder(units, actions)
        self.side = side if side is not None else self.opening.sides[0]
        if self.side not in self.opening.sides:
            raise UnknownName("no such side", given=side, allowed=self.opening.sides)
        self.opponent, self.reward, self.render_mode = opponent, reward, render_mode
        if isinstance(opponent, str):
            local_player(opponent, 0)  # a wrong name is told now
        self.observation_space = space_of(self.encoder)
        self.action_space = gymnasium.spaces.Discrete(actions)
        self._players: dict[str, Player] = {}
        self.game: Game[Any]
        """The game that is played now."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        dice, chance = [int(number) for number in self.np_random.integers(2**62, size=2)]
        self._players = {side: self._player(chance) for side in self.opening.sides if side != self.side}
        self.game = self.opening.game(dice)
        self.game.play(self._players)
        return self._seen()

    def _player(self, seed: int) -> Player:
        return local_player(self.opponent, seed) if isinstance(self.opponent, str) else self.opponent

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        game, reward = self.game, 0.0
        request = game.pending
        if isinstance(request, Choose):
            if not 0 <= action < len(request.values):
                observation, info = self._seen()
                return observation, ILLEGAL, False, False, info | {"illegal": int(action)}
            game.play(self._players, answer=request.option(int(action)))
            if game.pending is None:
                reward = rewards_of(game, (self.side,), self.reward)[self.side]
        if self.render_mode == "human":
            self.render()
        observation, info = self._seen()
        return observation, reward, game.pending is None, False, info

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        view, request = AgentView(self.game, self.side), question_of(self.game, self.side)
        return observation_of(self.encoder, view, request), info_of(view, request)

    def render(self) -> Any:
        return rendered(self.game, self.side, self.render_mode)


def gym_env(scenario: Scenario = "first-battle", **settings: Any) -> FlagplotEnv:
    """A battle as a Gymnasium environment. The settings are those of `FlagplotEnv`."""
    return FlagplotEnv(scenario, **settings)
