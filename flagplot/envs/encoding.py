"""A view as an array of numbers, always of the same size. docs/environments.md describes its fields.

Everything in a view is a thing: a combat group, a ship, air units, a base. Each becomes one row of a table. Numbers
have columns by their names. Words become codes: eight signs from the CRC-32 of the word. So a base has the same code in
its own row and in an option that names it.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flagplot.envs.rows import CODE, COLUMNS, OPTION, ROW, Remembered, codes, row_of_option, within_bounds
from flagplot.envs.telling import NOTHING_TOLD, Situation, told
from flagplot.kernel.errors import BadValue
from flagplot.kernel.requests import Choose, value_text
from flagplot.kernel.views import View

VERSION = 2
"""Changes whenever the same view would give another array."""
UNITS, OPTIONS = 128, 64
"""How many rows of things, and how many options, there is room for unless somebody asks for more or fewer."""
HEAD = (
    "asked", "offered", *[f"verb{bit}" for bit in range(CODE)],
    "moving", "round", "points", "enemy_points", "waiting", "kamikazes", *[f"stage{bit}" for bit in range(CODE)],
)  # fmt: skip

_HEAD = 4 * len(HEAD)
"""How many bytes the head has."""

__all__ = ["COLUMNS", "HEAD", "OPTION", "OPTIONS", "UNITS", "VERSION", "Encoder"]


Array = NDArray[np.float32]


class Encoder:
    """Makes arrays of one size from the views of one side or several."""

    def __init__(self, units: int = UNITS, options: int = OPTIONS) -> None:
        self.units, self.options = units, options
        self.size = len(HEAD) + units * len(COLUMNS) + options * len(OPTION)
        self._units_end, self._end = _HEAD + units * ROW, 4 * self.size
        """After how many bytes the things end, and the whole array."""
        self._masks = [(np.arange(options) < offered).astype(np.int8) for offered in range(options + 1)]

    def encode(self, view: View, request: Choose[Any] | None) -> tuple[Array, int]:
        """A view, and what its side is asked, as an array; and how many things there was no room for."""
        situation, rows = told(view.glance()) if self.units else (NOTHING_TOLD, [])
        if request is None:
            asked, options = _asked["", 0], b""
        else:
            values = request.values
            if len(values) > self.options:
                raise _no_room(len(values))
            asked = _asked[request.verb, len(values)]
            options = _options[values if type(values) is range else tuple(values)]
        seen = bytearray().join((asked, _stands[situation], *rows))
        most, left_out = self._units_end, 0
        if len(seen) > most:
            left_out = (len(seen) - most) // ROW
            del seen[most:]
        memory = seen.ljust(self._end, b"\0")  # of its own: whoever has the array may change it
        memory[most : most + len(options)] = options
        return np.frombuffer(memory, np.float32), left_out

    def unpack(self, array: Array) -> dict[str, Array]:
        """The parts of an array: ``head``, ``units`` (things by columns) and ``options``. They share its memory."""
        first, second = len(HEAD), len(HEAD) + self.units * len(COLUMNS)
        return {
            "head": array[:first],
            "units": array[first:second].reshape(self.units, len(COLUMNS)),
            "options": array[second:].reshape(self.options, len(OPTION)),
        }

    def mask(self, request: Choose[Any] | None) -> NDArray[np.int8]:
        """Which actions are options."""
        offered = 0 if request is None else len(request.values)
        if offered > self.options:
            raise _no_room(offered)
        return self._masks[offered].copy()


def _no_room(offered: int) -> BadValue:
    """The refusal of a question with more options than there are actions."""
    return BadValue(f"a question has {offered} options: make the environment with actions={offered}")


_pack_asked = Struct(f"{2 + CODE}f").pack
_pack_stands = Struct(f"{6 + CODE}f").pack


@Remembered
def _options(values: Sequence[Any]) -> bytes:
    """The rows of options. Their values are words, whole numbers, or tuples of these: equal ones have one text."""
    return b"".join([row_of_option(value_text(value)) for value in values])


@Remembered
def _asked(question: tuple[str | tuple[str, ...], int]) -> bytes:
    """What the head says of the question: its verb, and how many options it has."""
    verb, offered = question
    return _pack_asked(bool(verb), offered, *codes((value_text(verb),)))


@Remembered
def _stands(situation: Situation) -> bytes:
    """What it says of how the game stands."""
    *numbers, stage = situation
    return _pack_stands(*map(within_bounds, numbers), *codes(stage))
