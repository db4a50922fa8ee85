"""The staff of a board-wargame admiral: rules, odds, dice and a table for naval and air battles.

```python
import flagplot

game = flagplot.load("malta", seed=7)
game.pending  # what is asked: a Choose, a Roll, or None at the end
game.choose("counterair:malta")
```
"""

from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.game import Game, Player
from flagplot.kernel.plugins import plug_in
from flagplot.kernel.requests import Choose, Option, Roll
from flagplot.kernel.sheets import Sheet
from flagplot.kernel.views import View
from flagplot.library import load, read_scenario, resume, scenario_names, verify
from flagplot.odds import ask as odds
from flagplot.version import __version__

plug_in(
    odds="flagplot.odds.position:position",
    staff="flagplot.players:staff",
    panel="flagplot.draw.text_panel:panel",
    board_picture="flagplot.draw.board_picture:board_picture",
    draw_answer="flagplot.draw.odds_charts:draw_answer",
    draw_options="flagplot.draw.odds_charts:draw_options",
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
    "odds",
    "read_scenario",
    "resume",
    "scenario_names",
    "verify",
]
