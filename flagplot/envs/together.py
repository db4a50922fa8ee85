"""PettingZoo's AEC environment: all sides of a battle are agents, and one is asked at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from flagplot.envs.battles import (
    AgentView,
    Opening,
    OptionTexts,
    Reward,
    Scenario,
    check_reward,
    question_of,
    rewards_of,
    roll_on,
)
from flagplot.envs.encoding import OPTIONS, UNITS, VERSION, Encoder
from flagplot.envs.rendering import MODES, check_mode, rendered
from flagplot.envs.spaces import observation_of, space_of
from flagplot.kernel.errors import IllegalAnswer
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose
from flagplot.kernel.ruleset import UMPIRE


class FlagplotAEC(AECEnv):  # type: ignore[misc]
    """A battle with one agent for each side; whoever is asked acts."""

    metadata = {  # noqa: RUF012  # PettingZoo's own form
        "render_modes": MODES,
        "name": f"flagplot_v{VERSION}",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        scenario: Scenario = "first-battle",
        *,
        options: Mapping[str, Any] | None = None,
        reward: Reward = "result",
        units: int = UNITS,
        actions: int = OPTIONS,
        render_mode: str | None = None,
        render_as: str = UMPIRE,
    ) -> None:
        check_reward(reward)
        check_mode(render_mode)
        self.opening, self.encoder = Opening(scenario, options), Encoder(units, actions)
        self.reward, self.render_mode, self.render_as = reward, render_mode, render_as
        self.possible_agents = list(self.opening.sides)
        self._spaces = {agent: space_of(self.encoder) for agent in self.possible_agents}
        self._actions = {agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents}
        self._chance: np.random.Generator | None = None
        self.agents: list[str] = []
        self.infos: dict[str, dict[str, Any]] = {}
        self._views: dict[str, AgentView] = {}
        self.game: Game[Any]
        """The game that is played now."""

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        return self._spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None or self._chance is None:
            self._chance = np.random.default_rng(seed)
        self.game = self.opening.game(int(self._chance.integers(2**62)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        self._look()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        request = self.game.pending
        assert isinstance(request, Choose)
        if action is None or not 0 <= action < len(request.values):
            raise IllegalAnswer(f"there are {len(request)} options, counted from 0", given=action)
        self.game.choose(request.option(int(action)))
        roll_on(self.game)
        if self.game.pending is None:
            self.rewards = rewards_of(self.game, self.agents, self.reward)
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()  # before that there are none
        self._look()
        if self.render_mode == "human":
            self.render()

    def _look(self) -> None:
        """Select whoever is asked, and tell everybody what he may know."""
        game, request = self.game, self.game.pending
        views = self._views = {agent: AgentView(game, agent) for agent in self.agents}
        self.infos = {agent: {"view": view} for agent, view in views.items()}
        if isinstance(request, Choose):
            self.agent_selection = side = request.side
            self.infos[side]["options"] = OptionTexts(request)

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        return observation_of(self.encoder, self._views[agent], question_of(self.game, agent))

    def render(self) -> Any:
        return rendered(self.game, self.render_as, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""


def aec_env(scenario: Scenario = "first-battle", **settings: Any) -> OrderEnforcingWrapper:
    """A battle as PettingZoo's AEC environment, with its usual wrappers. The settings are those of `FlagplotAEC`."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(FlagplotAEC(scenario, **settings)))
