"""The staff of a board-wargame admiral: rules, odds, dice and a table for naval and air battles.

```python
import flagplot

game = flagplot.load("malta", seed=7)
game.pending  # what is asked: a Choose, a Roll, or None at the end
game.choose("counterair:malta")
```
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from flagplot.kernel.plugins import plug_in
from flagplot.version import __version__

if TYPE_CHECKING:
    from flagplot.builder import build
    from flagplot.kernel.errors import FlagplotError
    from flagplot.kernel.game import Game, Player
    from flagplot.kernel.requests import Choose, Option, Roll
    from flagplot.kernel.sheets import Sheet
    from flagplot.kernel.views import View
    from flagplot.library import load, read_scenario, resume, scenario_names, verify
    from flagplot.odds import ask as odds
    from flagplot.odds.luck import luck
    from flagplot.simulation import compare, simulate
    from flagplot.simulation.arena.meeting import arena

plug_in(
    hint="flagplot.players.search.hints:hint",
    situation="flagplot.kernel.situations:situation_of",
    odds="flagplot.odds.position:position",
    staff="flagplot.players:staff",
    panel="flagplot.draw.text_panel:panel",
    board_picture="flagplot.draw.board_picture:board_picture",
    draw_answer="flagplot.draw.odds_charts:draw_answer",
    draw_options="flagplot.draw.odds_charts:draw_options",
    draw_luck="flagplot.draw.luck_charts:draw_luck",
    draw_simulation="flagplot.draw.simulation_charts:draw_simulation",
    simulation_text="flagplot.draw.simulation_charts:text_of",
    draw_arena="flagplot.draw.arena_charts:draw_arena",
    arena_text="flagplot.draw.arena_charts:text_of",
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
    "arena",
    "build",
    "compare",
    "load",
    "luck",
    "odds",
    "read_scenario",
    "resume",
    "scenario_names",
    "simulate",
    "verify",
]

_FROM = {
    "flagplot.builder": ("build",),
    "flagplot.kernel.errors": ("FlagplotError",),
    "flagplot.kernel.game": ("Game", "Player"),
    "flagplot.kernel.requests": ("Choose", "Option", "Roll"),
    "flagplot.kernel.sheets": ("Sheet",),
    "flagplot.kernel.views": ("View",),
    "flagplot.library": ("load", "read_scenario", "resume", "scenario_names", "verify"),
    "flagplot.odds.luck": ("luck",),
    "flagplot.simulation": ("compare", "simulate"),
    "flagplot.simulation.arena.meeting": ("arena",),
}
"""Where these are; each module is imported when somebody asks for one of its names, so that commands start quickly."""


def __getattr__(name: str) -> Any:
    for module, names in _FROM.items():
        if name in names:
            return getattr(import_module(module), name)
    if name == "odds":
        return import_module("flagplot.odds")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
