"""The staff of a board-wargame admiral: rules, odds, dice and a table for naval and air battles.

```python
import flagplot

game = flagplot.load("malta", seed=7)
game.pending  # what is asked: a Choose, a Roll, or None at the end
game.choose("counterair:malta")
```
"""

from typing import TYPE_CHECKING, Any

from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.game import Game, Player
from flagplot.kernel.plugins import imported, plug_in
from flagplot.kernel.requests import Choose, Option, Roll
from flagplot.kernel.sheets import Sheet
from flagplot.kernel.views import View
from flagplot.library import load, read_scenario, resume, scenario_names, verify
from flagplot.odds import ask as odds
from flagplot.version import __version__

if TYPE_CHECKING:  # these are imported when they are first used, so that commands start at once
    from flagplot.odds.luck import luck as luck
    from flagplot.simulation import simulate as simulate

_LATER = {"luck": "flagplot.odds.luck:luck", "simulate": "flagplot.simulation:simulate"}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return imported(_LATER[name])
    raise AttributeError(f"module 'flagplot' has no attribute {name!r}")


plug_in(
    odds="flagplot.odds.position:position",
    staff="flagplot.players:staff",
    panel="flagplot.draw.text_panel:panel",
    board_picture="flagplot.draw.board_picture:board_picture",
    draw_answer="flagplot.draw.odds_charts:draw_answer",
    draw_options="flagplot.draw.odds_charts:draw_options",
    draw_luck="flagplot.draw.luck_charts:draw_luck",
    draw_simulation="flagplot.draw.simulation_charts:draw_simulation",
    simulation_text="flagplot.draw.simulation_charts:text_of",
)

__all__ = [
    "Choose",
    "FlagplotError",
    "Game",
    "Option",
    "Player",
    "Roll",
    "Sheet",
    "View",
    "__version__",
    "load",
    "luck",
    "odds",
    "read_scenario",
    "resume",
    "scenario_names",
    "simulate",
    "verify",
]
