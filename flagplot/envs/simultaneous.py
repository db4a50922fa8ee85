"""PettingZoo's parallel environment: where both sides decide in secret, both decide at once.

The rules ask one side after the other. But what a side decides in secret changes nothing that the other side sees, so
the other's questions can be found on a copy in which the first has answered anything, and both are asked together. Its
answers are kept until the battle comes to them. Everywhere else one side acts and the other waits: its mask is empty,
and whatever it does is ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from flagplot.envs.battles import AgentView, info_of, question_of, rewards_of, roll_on
from flagplot.envs.spaces import observation_of
from flagplot.envs.together import FlagplotAEC
from flagplot.kernel.game import Game
from flagplot.kernel.requests import Choose, Note

LONGEST = 200
"""Secret questions in a row after which we no longer look for the other side's."""

Observations = dict[str, dict[str, NDArray[Any]]]


class FlagplotParallel(ParallelEnv):  # type: ignore[misc]
    """A battle with one agent for each side, all of whom act in each step. Its settings are those of `FlagplotAEC`."""

    metadata = FlagplotAEC.metadata | {"is_parallelizable": True}

    def __init__(self, scenario: Any = "first-battle", **settings: Any) -> None:
        self._aec = FlagplotAEC(scenario, **settings)
        self.possible_agents, self.render_mode = self._aec.possible_agents, self._aec.render_mode
        self.agents: list[str] = []
        self._kept: dict[str, list[str]] = {}
        self._twins: dict[str, Game[Any]] = {}
        """By side, if it is asked before its time: the copy that stands at its question."""

    @property
    def game(self) -> Game[Any]:
        """The game that is played now."""
        return self._aec.game

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        return self._aec.observation_space(agent)

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        return self._aec.action_space(agent)

    def render(self) -> Any:
        return self._aec.render()

    def close(self) -> None:
        """There is nothing to close."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        self._aec.reset(seed=seed)
        self.agents, self._kept = self.possible_agents[:], {}
        self._find_twins()
        return self._observations(), self._infos()

    def step(self, actions: Mapping[str, int]) -> tuple[Any, ...]:
        for side in self.agents:
            request = question_of(self._asking(side), side)
            action = int(actions.get(side, -1))
            if request is not None and 0 <= action < len(request):  # if it is no option, the side is asked again
                self._kept.setdefault(side, []).append(request.option(action).text)
        self._go_on()
        over = self.game.pending is None
        rewards = rewards_of(self.game, self.agents, self._aec.reward)
        ended, stopped = dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, False)
        self._find_twins()
        told = self._observations(), rewards, ended, stopped, self._infos()
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return told

    def _go_on(self) -> None:
        """Give the battle the answers that are there."""
        game = self.game
        while isinstance(request := game.pending, Choose):
            texts = self._kept.get(request.side, [])
            if not texts:
                break
            option = request.find(texts.pop(0))
            if option is None:  # the battle took another way: ask again
                texts.clear()
                break
            game.choose(option)
            if not isinstance(game.pending, Choose):
                self._kept.clear()  # dice may change what somebody wants
                roll_on(game)

    # --- who else can decide now ----------------------------------------------------------------------------------

    def _asking(self, side: str) -> Game[Any]:
        """Where a side's question stands: in the battle, or in a copy."""
        return self._twins.get(side, self.game)

    def _find_twins(self) -> None:
        request = self.game.pending
        self._twins = {}
        if isinstance(request, Choose) and request.secret:
            for side in self.possible_agents:
                twin = self._twin_of(side) if side != request.side else None
                if twin is not None:
                    self._twins[side] = twin

    def _twin_of(self, side: str) -> Game[Any] | None:
        """A copy in which a side is asked what it will be asked whatever the enemy decides in secret now."""
        twin, kept = self.game.copy(self.game.dice), self._kept.get(side, [])[:]
        for _ in range(LONGEST):
            request = twin.pending
            if not isinstance(request, Choose) or not request.secret:
                return None
            if request.side != side:
                logged = len(twin.events)
                twin.choose(request.option(0))
                if any([isinstance(one, Note) and one.reveals for one, _ in twin.events[logged:]]):
                    return None
            elif kept:
                option = request.find(kept.pop(0))
                if option is None:
                    return None
                twin.choose(option)
            else:
                return twin
        return None

    def _observations(self) -> Observations:
        asking, encoder = {side: self._asking(side) for side in self.agents}, self._aec.encoder
        return {
            side: observation_of(encoder, game.view(side), question_of(game, side)) for side, game in asking.items()
        }

    def _infos(self) -> dict[str, dict[str, Any]]:
        asking = {side: self._asking(side) for side in self.agents}
        return {side: info_of(AgentView(game, side), question_of(game, side)) for side, game in asking.items()}


def parallel_env(scenario: Any = "first-battle", **settings: Any) -> FlagplotParallel:
    """A battle as PettingZoo's parallel environment. The settings are those of `FlagplotAEC`."""
    return FlagplotParallel(scenario, **settings)
