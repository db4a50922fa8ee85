"""Makes docs/terminal.svg: a battle as the terminal shows it. Run it from the top folder: python tools/picture.py."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

from rich.console import Console

import flagplot
from flagplot.cli.keyboard.question import option_of
from flagplot.cli.keyboard.session import Session
from flagplot.cli.screen import Screen
from flagplot.cli.seats import Seats, seats
from flagplot.kernel.game import Game

TARGET = Path(__file__).resolve().parents[1] / "docs" / "terminal.svg"
WIDTH = 100
SCENARIO, SIDE, SEED = "midway", "japan", 23
BEFORE = ("1", "1", "4", "2", "0", "4", "0", "0")
STRIKE = ("surprise:6", "8", "2", "0")
"""How the picture's battle begins, as Japan would type it, and the strike that it shows; the enemy plays at random."""


def main() -> None:
    """Play the beginning of a battle, look at it as one side does, and draw that."""
    game = flagplot.load(SCENARIO, seed=SEED)
    console = Console(record=True, width=WIDTH, force_terminal=True, file=io.StringIO(), highlight=False, markup=False)
    players = seats(game.sides, [f"{SIDE}=human"], SEED, "random")
    answer(game, players, BEFORE)
    asked(game, players)
    session = Session(game, players, Screen(console), None)
    answer(game, players, STRIKE)
    request = asked(game, players)
    session.brief(lambda: session.ask(request))
    console.print("> ", end="")
    svg = console.export_svg(title=f"flagplot play {SCENARIO} --player {SIDE}=human")
    TARGET.write_text(without_fonts(svg), encoding="utf8")


def answer(game: Game[Any], players: Seats, answers: tuple[str, ...]) -> None:
    for typed in answers:
        request = asked(game, players)
        option = option_of(request, typed)
        assert option, f"{typed} is not offered: {request} {list(request.options)}"
        game.choose(option)


def asked(game: Game[Any], players: Seats) -> flagplot.Choose[Any]:
    """The next question to the side; dice fall, and the enemy answers, on the way."""
    while not (isinstance(game.pending, flagplot.Choose) and game.pending.side == SIDE):
        game.play(players.bots, until=game.turn + 1)
    return game.pending


def without_fonts(svg: str) -> str:
    """The drawing without fonts from elsewhere: it is shown in the reader's own monospaced font."""
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace("<svg ", '<svg xml:space="preserve" ', 1)  # some viewers drop blanks at the start of a text
    svg = re.sub(r"\s*<!-- Generated with Rich.*?-->", "", svg)
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


if __name__ == "__main__":
    main()
