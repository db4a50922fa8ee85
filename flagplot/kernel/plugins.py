"""What games, views and answers offer by means of packages above them, which they do not know.

Such a package is plugged in by name and place (`flagplot/__init__.py`); it is imported when it is first needed.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Literal, Protocol

_PLACES: dict[str, str] = {}


class Picture(Protocol):
    """Something that was drawn."""

    title: str
    text: str
    """What is to be seen, for those who do not see it."""

    def svg(self, theme: Literal["auto", "light", "dark", "page"] = "auto") -> str:
        """The text of an SVG file."""

    def png(self, scale: float = 2) -> bytes:
        """The bytes of a PNG file."""


def plug_in(**places: str) -> None:
    """Say where something is: ``odds="flagplot.odds.position:position"``."""
    _PLACES.update(places)


def plugin(name: str) -> Any:
    """What was plugged in by that name."""
    return imported(_PLACES[name])


@cache
def imported(place: str) -> Any:
    """The attribute of a module, as ``module:attribute`` names it."""
    module, attribute = place.split(":")
    return getattr(import_module(module), attribute)
