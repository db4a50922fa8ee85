"""A view as an array of numbers, always of the same size. docs/environments.md describes its fields.

Everything in a view is a thing: the position itself, a combat group, a ship, air units, a base. Each becomes one row of
a table, in the order of the view. Numbers have columns by their names. Words become codes: eight signs from the CRC-32
of the word. So a base has the same code in its own row and in an option that names it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flagplot.envs.rows import CODE, COLUMNS, ENOUGH, OPTION, ROW, code, row_of_option
from flagplot.envs.telling import Teller
from flagplot.kernel.errors import BadValue
from flagplot.kernel.requests import Choose, value_text
from flagplot.kernel.views import View

VERSION = 1
"""Changes whenever the same view would give another array."""
UNITS, OPTIONS = 192, 64
"""How many rows of things, and how many options, there is room for unless somebody asks for more or fewer."""
HEAD = ("asked", "offered", *[f"verb{bit}" for bit in range(CODE)])

_HEAD = 4 * len(HEAD)
"""How many bytes the head has."""

__all__ = ["COLUMNS", "HEAD", "OPTION", "OPTIONS", "UNITS", "VERSION", "Encoder"]


Array = NDArray[np.float32]


class Encoder:
    """Makes arrays of one size from the views of one side or several."""

    def __init__(self, units: int = UNITS, options: int = OPTIONS) -> None:
        self.units, self.options = units, options
        self.size = len(HEAD) + units * len(COLUMNS) + options * len(OPTION)
        self._teller = Teller()
        self._masks = [(np.arange(options) < offered).astype(np.int8) for offered in range(options + 1)]

    def encode(self, view: View, request: Choose[Any] | None) -> tuple[Array, int]:
        """A view, and what its side is asked, as an array; and how many things there was no room for."""
        told = b"".join(self._teller.rows(view)) if self.units else b""
        room = self.units * ROW
        left_out = max(0, len(told) - room) // ROW
        memory = bytearray(4 * self.size)  # of its own: whoever has the array may change it
        memory[_HEAD : _HEAD + min(len(told), room)] = told[:room] if left_out else told
        if request is not None:
            self._lay_out_options(memory, request)
        return np.frombuffer(memory, np.float32), left_out

    def _lay_out_options(self, memory: bytearray, request: Choose[Any]) -> None:
        """The head, and the rows of the options, at their places."""
        self.check_room(request)
        memory[:_HEAD] = _head(value_text(request.verb), len(request))
        options = b"".join(
            [row_of_option(value if type(value) is str else value_text(value)) for value in request.values]
        )
        first = _HEAD + self.units * ROW
        memory[first : first + len(options)] = options

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
        if request is None:
            return self._masks[0].copy()
        self.check_room(request)
        return self._masks[len(request)].copy()

    def check_room(self, request: Choose[Any]) -> None:
        """Refuse a question with more options than there are actions."""
        if len(request) > self.options:
            raise BadValue(f"a question has {len(request)} options: make the environment with actions={len(request)}")


@lru_cache(maxsize=ENOUGH)
def _head(verb: str, offered: int) -> bytes:
    return np.array([1, offered, *code(verb)], np.float32).tobytes()
