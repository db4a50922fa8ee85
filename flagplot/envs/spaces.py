"""What agents observe: an array, and which of the actions are options now."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import NDArray

from flagplot.envs.encoding import Encoder
from flagplot.envs.rows import MOST
from flagplot.kernel.requests import Choose
from flagplot.kernel.views import View


def space_of(encoder: Encoder) -> Dict:
    return Dict(
        {
            "observation": Box(-MOST, MOST, (encoder.size,), np.float32),
            "action_mask": Box(0, 1, (encoder.options,), np.int8),
        }
    )


def observation_of(encoder: Encoder, view: View, request: Choose[Any] | None) -> dict[str, NDArray[Any]]:
    """What a side observes: of its own view, and what it is asked, alone."""
    return {"observation": encoder.encode(view, request)[0], "action_mask": encoder.mask(request)}
