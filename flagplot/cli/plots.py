"""Options of many commands: `--json`, and `--plot FILE` for a chart of the answer beside its text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from flagplot.kernel.plugins import Picture

Json = Annotated[bool, typer.Option("--json", help="One JSON document for programs.")]


def _checked(given: str | None) -> str | None:
    """Refuse a file that cannot be written before anything is computed."""
    if given is not None:
        from flagplot.draw.files import check_plot

        check_plot(given)
    return given


Plot = Annotated[
    str | None,
    typer.Option("--plot", metavar="FILE", callback=_checked, help="Draw a chart into this file, .svg or .png."),
]


def plot_into(file: str | None, draw: Callable[[], Picture], *, as_json: bool) -> None:
    """Draw a chart if a file for it was named, after the answer was printed."""
    if file is None:
        return
    from flagplot.draw.files import write_plot

    write_plot(draw(), file)
    if not as_json:
        print(f"Plot: {file}")
