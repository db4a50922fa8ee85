"""The staff of a board-wargame admiral: rules, odds, dice and a table for naval and air battles.

```python
import flagplot

game = flagplot.load("malta", seed=7)
game.pending  # what is asked: a Choose, a Roll, or None at the end
game.choose("counterair:malta")
```
"""

__version__ = "0.1.0"

from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.game import Game, Player
from flagplot.kernel.outside import enter
from flagplot.kernel.requests import Choose, Option, Roll
from flagplot.kernel.sheets import Sheet
from flagplot.kernel.views import View
from flagplot.library import load, read_scenario, resume, scenario_names, verify
from flagplot.odds import ask as odds

enter(
    odds="flagplot.odds.position:position",
    staff="flagplot.players:staff",
    panel="flagplot.draw.panel:panel",
    draw_answer="flagplot.draw.answers:draw_answer",
    draw_options="flagplot.draw.answers:draw_options",
    draw_simulation="flagplot.draw.simulations:draw_simulation",
    simulation_text="flagplot.draw.simulations:text_of",
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
    "load",
    "odds",
    "read_scenario",
    "resume",
    "scenario_names",
    "verify",
]
