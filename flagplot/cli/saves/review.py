"""`flagplot review`: the decisions that cost or gained most in a saved game, and how lucky the dice were."""

from __future__ import annotations

from typing import Any

from rich.progress import Progress
from rich.text import Text

from flagplot.cli.failures import DONE
from flagplot.cli.output import new_console, print_json
from flagplot.cli.saves.readers import read_saved
from flagplot.cli.screen import FAINT, STRONG, Line, Screen
from flagplot.kernel.errors import BadValue
from flagplot.kernel.game import Game
from flagplot.kernel.ruleset import UMPIRE
from flagplot.odds.words import read_whole
from flagplot.review.deciding import COUNTED, Decision, judged, steps
from flagplot.review.words import luck_told, mattered, named


def review(file: str, given: str | None, seconds: str | None, *, as_json: bool) -> int:
    """`flagplot review`."""
    wide = 0 if seconds is None else read_whole(seconds, "number of seconds", 1, 600)
    saved = read_saved(file, given)
    game, notices, reader = saved
    sides = game.sides if reader == UMPIRE else [reader]
    if reader not in (UMPIRE, *game.sides):
        raise BadValue("name the side to review: --as SIDE", given=given or file, allowed=game.sides)
    found = {side: _decisions(game, side, wide, Screen(new_console())) for side in sides}
    if as_json:
        told = {side: [one.as_dict() for one in mattered(some)] for side, some in found.items()}
        judged_of = {side: len(some) for side, some in found.items()}
        print_json({"as": reader, "notices": notices, "decisions": told, "judged": judged_of, "counted": COUNTED})
        return DONE
    screen = saved.screen()
    screen.say(str(game.scenario.get("title", game.ruleset.title)), STRONG)
    names = game.view(reader).names
    for side, some in found.items():
        screen.rule(names[side])
        _tell(screen, game, side, names[side], some, reader)
    screen.say(f"Judged from what each side knew then. {COUNTED[0].upper()}{COUNTED[1:]}.", FAINT)
    return DONE


def _decisions(game: Game[Any], side: str, wide: int, screen: Screen) -> list[Decision]:
    """All decisions of a side that have odds; on a terminal a bar shows how far it is."""
    found = []
    bar = Progress(console=screen.console, transient=True, disable=not screen.live)
    with bar:
        task = bar.add_task("Looking at the decisions", total=len(game.events))
        for step in steps(game, side):
            one = judged(step, side, wide=wide)
            found += [one] if one else []
            bar.update(task, completed=step.number)
    return found


def _tell(screen: Screen, game: Game[Any], side: str, name: str, some: list[Decision], reader: str) -> None:
    weighty = mattered(some)
    if not weighty:
        screen.say(f"No decision stands out; {len(some)} could be compared by their odds.")
    for place, one in enumerate(weighty, 1):
        told = named(one, name)
        head = Text.assemble((f"{place}. {told.where}: ", STRONG), told.question, (f" ({told.rule})", FAINT))
        screen.show([Line(head, 0, 3), Line(Text.assemble(told.verdict, (f" ({told.soundness})", FAINT)), 3, 0)])
    for line in luck_told(game, side, reader, "The"):
        screen.say(line)
