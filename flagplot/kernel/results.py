"""What results of any kind offer programs and notebooks: plain data, a table for pandas or polars, and HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib import import_module
from typing import Any, Literal

from flagplot.kernel.errors import BadValue

LIBRARIES = ("pandas", "polars")
SHOWN = 60
"""Rows that a notebook shows."""


class Result:
    """Something that was worked out. It says what it is as plain data, and as the rows of a table."""

    __slots__ = ()

    def as_dict(self) -> dict[str, Any]:
        raise NotImplementedError

    def rows(self) -> list[dict[str, Any]]:
        """The rows of its table; all have the same keys."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, the same as `as_dict`."""
        return self.as_dict()

    def to_frame(self, library: Literal["pandas", "polars"] | None = None) -> Any:
        """Its table as a data frame: of pandas, or of polars if that is what is installed or asked for."""
        if library is not None and library not in LIBRARIES:
            raise BadValue("no such library of data frames", given=library, allowed=LIBRARIES)
        for name in (library,) if library else LIBRARIES:
            try:
                frame = import_module(name).DataFrame
            except ModuleNotFoundError:
                continue
            # polars would guess the types of columns from the first rows
            return frame(self.rows(), infer_schema_length=None) if name == "polars" else frame(self.rows())
        raise BadValue("a data frame needs pandas or polars: pip install pandas", given=library)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        draw = getattr(self, "_repr_svg_", None)
        return f"{draw() if draw else ''}{html_table(self.rows())}"


def html_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as a table in HTML."""
    if not rows:
        return ""
    head = "".join([f"<th>{escape(str(name).replace('_', ' '))}</th>" for name in rows[0]])
    lines = ["<tr>" + "".join([f"<td>{_cell(value)}</td>" for value in row.values()]) + "</tr>" for row in rows[:SHOWN]]
    more = f"<p>{len(rows) - SHOWN} more rows</p>" if len(rows) > SHOWN else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>{more}"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else escape(str(value))
