"""Charts of odds and simulations as SVG and PNG, for notebooks, files and pages alike.

```python
from flagplot.draw import draw_answer, draw_options, draw_simulation

picture = draw_answer(answer)                                   # an `Answer` of `flagplot.odds`
picture = draw_options("What to strike?", [("Akagi", one), ("Kaga", other)])  # (option, `Answer`) pairs, side by side
picture = draw_simulation(found)                                # a `Simulation` of `flagplot.simulation`

picture.svg()               # text; it follows the light or dark scheme of whoever looks at it
picture.svg(theme="dark")   # or always "light" or "dark"
picture.png()               # bytes, light
picture.text                # the same in words, which is in the SVG too
```

All three take `columns`: how many panels stand beside each other. Without it as many as suit a wide page; 1 suits a
phone. The SVG has a `viewBox` and fills the width that it is given, up to its natural size. It may stand in a page as
it is: its class names begin with `flagplot-`, and its ids hang on its content.

`flagplot.draw.files` writes pictures to files: `check_plot(path)` before a long computation, and
`write_plot(picture, path)` after it. `flagplot.draw.text_panel` shows plain text as a picture.

Inside: `answers` and `simulations` say what is to be seen, as `panels` of rows; `page` arranges panels; a `Picture` is
a list of `shapes`, which `svg` and `png` write down.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flagplot.draw.odds_charts import draw_answer, draw_options
    from flagplot.draw.picture import Picture
    from flagplot.draw.simulation_charts import draw_simulation

__all__ = ["Picture", "draw_answer", "draw_options", "draw_simulation"]

_FROM = {"Picture": "picture", "draw_simulation": "simulation_charts"}


def __getattr__(name: str) -> Any:
    """Charts know simulations and odds, and who only draws a counter needs neither."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_FROM.get(name, 'odds_charts')}"), name)
