"""What the processes of the odds desk have in common. The one from which they are forked imports this, so that each of
them begins with everything imported and has played a battle already: its first answer is as quick as the others."""

from __future__ import annotations

import gc
import pickle
from contextlib import suppress

from flagplot import library
from flagplot.kernel.errors import FlagplotError
from flagplot.players.search import thinking as _thinking  # noqa: F401
from flagplot.table.workers.calculator import answered
from flagplot.table.workers.forecast_work import Battle, battles_played

SCENARIO, PLAYER = "first-battle", "doctrine"

with suppress(FlagplotError):
    answered("search", {"groups": "1", "dice": "1"}, 1)
    _data = library.read_scenario(SCENARIO)
    _players = {side["id"]: PLAYER for side in _data["sides"]}
    battles_played(pickle.dumps(Battle(_data, _players)), [1])
gc.collect()
gc.freeze()  # what is here already is looked at no more, so that its memory stays shared
