"""Battles as environments for learning agents: PettingZoo and Gymnasium. They need the extra `envs`.

```python
from flagplot.envs import aec_env, gym_env, parallel_env

env = gym_env("first-battle", side="japan", opponent="doctrine")
observation, info = env.reset(seed=7)
```

What is observed, and what is rewarded: docs/environments.md. OpenSpiel: `flagplot.envs.spiel`.
"""

from flagplot.kernel.errors import MissingExtra

try:
    import gymnasium
    import numpy  # noqa: F401  # whoever lacks one of them is told so here
    import pettingzoo  # noqa: F401
except ModuleNotFoundError as fault:
    raise MissingExtra("envs", fault.name) from fault

from flagplot.envs.alone import FlagplotEnv, gym_env
from flagplot.envs.encoding import VERSION, Encoder
from flagplot.envs.simultaneous import FlagplotParallel, parallel_env
from flagplot.envs.together import FlagplotAEC, aec_env

GYM_ID = f"Flagplot-v{VERSION}"
"""For `gymnasium.make("flagplot.envs:Flagplot-v2", scenario=…)` and `gymnasium.make_vec`."""

gymnasium.register(GYM_ID, entry_point="flagplot.envs.alone:FlagplotEnv")

__all__ = [
    "GYM_ID",
    "VERSION",
    "Encoder",
    "FlagplotAEC",
    "FlagplotEnv",
    "FlagplotParallel",
    "aec_env",
    "gym_env",
    "parallel_env",
]
