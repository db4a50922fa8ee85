"""`flagplot odds position`, and the odds that are shown at a prompt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flagplot.cli.odds.commands import odds_app
from flagplot.cli.output import print_json
from flagplot.cli.plots import Json, Plot, plot_into

if TYPE_CHECKING:
    from flagplot.cli.screen import Line
    from flagplot.kernel.game import Game
    from flagplot.odds.position_answer import PositionAnswer

SECONDS_FIRST = 2
"""What an answer takes unless somebody gives it more."""
PROMPT_SECONDS = 1.5
"""What the odds at a prompt take, where they are sampled; twice as long whenever they are asked for again."""
MOST_SECONDS = 24.0
PROMPT_TRIALS = 20_000
"""More than time allows."""


@odds_app.command("position")
def position(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A battle by name, a scenario file, or a save.")],
    reader: Annotated[str, typer.Option("--as", metavar="SIDE", help="The side whose decision it is.")],
    assume: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="What that side assumes about the enemy: cg2.patrol=3. Repeatable."),
    ] = None,
    believe: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help="What is public of the enemy's forces: forces, ships or navies. Otherwise what the scenario says.",
        ),
    ] = "",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="A house rule; for scenarios, not for saves."),
    ] = None,
    trials: Annotated[str | None, typer.Option(metavar="N", help="Trials where exact odds are out of reach.")] = None,
    states: Annotated[str | None, typer.Option(metavar="N", help="Most states to visit.")] = None,
    seconds: Annotated[str | None, typer.Option(metavar="N", help="Most seconds to take.")] = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """The odds of each answer to a side's open question."""
    from flagplot.odds import position as odds
    from flagplot.odds.enumerator import Limits
    from flagplot.odds.questions.shared import SECONDS, STATES
    from flagplot.odds.words import read_whole

    game = _game(file, option or [])
    limits = Limits(
        odds.LIMITS.states if states is None else read_whole(states, **STATES),
        SECONDS_FIRST if seconds is None else read_whole(seconds, **SECONDS),
    )
    number = odds.TRIALS if trials is None else read_whole(trials, "number of trials", 2, 1_000_000)
    asking: dict[str, Any] = {"assume": assume or [], "believe": believe, "limits": limits, "trials": number}
    answer = odds.position(game, reader, **asking)
    if json:
        print_json(odds.compared(game, answer, **asking).as_dict())
    else:
        print(answer)
        if seconds is None and answer.is_sampled:
            print(f"Sampled for {SECONDS_FIRST} seconds; with --seconds 30 it is better, or even exact.")
        for words in odds.compared(game, answer, **asking).depends:
            print(f"Otherwise, {words}")
    plot_into(plot, answer.drawn, as_json=json)


def _game(file: str, options: list[str]) -> Game[Any]:
    """The game of a save, or one at the start of a scenario."""
    from flagplot import library
    from flagplot.cli.seats import read_readings
    from flagplot.kernel.errors import BadValue

    path = Path(file)
    if path.suffix in (".toml", ".json") or not path.exists():
        readings = read_readings(library.read_scenario(file), options)
        return library.load(file, seed=0, options=readings)
    if options:
        raise BadValue("a save keeps its house rules: they cannot be changed", given=options[0])
    return library.resume(path, follow=False)


# --- at a prompt ----------------------------------------------------------------------------------------------------


def at_prompt(game: Game[Any], side: str, asked: int = 0) -> PositionAnswer:
    """The odds of a decision while somebody waits for them; `asked` says how often they were asked for before."""
    from flagplot.odds.enumerator import Limits
    from flagplot.odds.position import LIMITS, position

    seconds = min(MOST_SECONDS, PROMPT_SECONDS * 2**asked)
    return position(game, side, limits=Limits(LIMITS.states, seconds), trials=PROMPT_TRIALS)


def short_lines(answer: PositionAnswer, keys: list[str]) -> list[Line]:
    """Option by option what matters most, under the numbers that are typed for them."""
    from rich.text import Text

    from flagplot.cli.screen import FAINT, STRONG, Line

    if answer.why_not:
        return [Line(Text(answer.why_not))]
    lines = [Line(Text(answer.head()[-1], FAINT))]
    width = max(map(len, keys))
    for key, (label, told) in zip(keys, answer.short(), strict=True):
        head = [(f"{key:>{width}}  ", STRONG)]
        lines.append(Line(Text.assemble(*head, f"{label}: " if label != key else "", told), 2, width + 2))
    lines += [Line(Text(words, FAINT)) for words in answer.soundness()]
    lines += [Line(Text(words, FAINT)) for words in answer.foot() if not words.startswith("To ")]
    better = " Type odds again for a better estimate." if answer.is_sampled else ""
    return [*lines, Line(Text(f"“odds {keys[-1]}” shows everything about answer {keys[-1]}.{better}", FAINT))]


def full_lines(answer: PositionAnswer, place: int) -> list[Line]:
    """All about one option."""
    from rich.text import Text

    from flagplot.cli.screen import STRONG, Line

    if answer.why_not:
        return [Line(Text(answer.why_not))]
    one = answer.options[place]
    return [Line(Text(one.label, STRONG)), *[_line(text) for text in (*one.lines(), *answer.foot())]]


def _line(text: str) -> Line:
    from rich.text import Text

    from flagplot.cli.screen import Line

    return Line(Text(text.lstrip()), len(text) - len(text.lstrip()))
