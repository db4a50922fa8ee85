"""The commands `flagplot odds KIND`: each reads its words, asks a question of `flagplot.odds`, and shows the answer."""

from __future__ import annotations

import typer

from flagplot.cli.output import print_json
from flagplot.cli.plots import plot_into
from flagplot.odds.answer import Answer

odds_app = typer.Typer(
    help="Exact odds of one procedure, from the same rules that play it.", rich_markup_mode=None, no_args_is_help=True
)


def show(answer: Answer, *, as_json: bool, plot: str | None = None) -> None:
    """An answer for people, or for programs; and as a chart, if a file for it was named."""
    if as_json:
        print_json(answer.as_dict())
    else:
        print(answer)
    plot_into(plot, answer.drawn, as_json=as_json)
