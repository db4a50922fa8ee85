"""Makes docs/terminal.svg: a battle as the terminal shows it. Run it from the top folder: python tools/picture.py."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console

import flagplot
from flagplot.cli.asking import option_of
from flagplot.cli.screen import Screen
from flagplot.cli.seats import seats
from flagplot.cli.session import Session

TARGET = Path(__file__).resolve().parents[1] / "docs" / "terminal.svg"
WIDTH = 100
SCENARIO, SIDE, SEED = "rabaul", "japan", 11
ANSWERS = ("counterair:rabaul", "with:carriers", "4", "7", "inverted:leave")
"""How the picture's battle begins, as it would be typed."""


def main() -> None:
    """Play the beginning of a battle, look at it as one side does, and draw that."""
    game = flagplot.load(SCENARIO, seed=SEED)
    console = Console(record=True, width=WIDTH, force_terminal=True, file=io.StringIO(), highlight=False, markup=False)
    session = Session(game, seats(game.sides, [f"{SIDE}=human"], SEED, "random"), Screen(console), None)
    for answer in ANSWERS:
        request = game.pending
        assert isinstance(request, flagplot.Choose)
        option = option_of(request, answer)
        assert option, f"{answer} is not offered: {list(request.options)}"
        game.choose(option)
    while isinstance(game.pending, flagplot.Roll):
        game.roll()
    request = game.pending
    assert isinstance(request, flagplot.Choose)
    assert request.side == SIDE
    session.brief(request)
    console.print("> ", end="")
    svg = console.export_svg(title=f"flagplot play {SCENARIO} --player {SIDE}=human")
    TARGET.write_text(without_fonts(svg), encoding="utf8")


def without_fonts(svg: str) -> str:
    """The drawing without fonts from elsewhere: it is shown in the reader's own monospaced font."""
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace("<svg ", '<svg xml:space="preserve" ', 1)  # some viewers drop blanks at the start of a text
    svg = re.sub(r"\s*<!-- Generated with Rich.*?-->", "", svg)
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


if __name__ == "__main__":
    main()
