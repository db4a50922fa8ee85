"""`flagplot luck`: the rolls of a saved game beside what was to be expected of them."""

from __future__ import annotations

from rich.text import Text

from flagplot.cli.command import program
from flagplot.cli.failures import DONE
from flagplot.cli.output import print_json, print_table
from flagplot.cli.saves.readers import read_saved, reader_name
from flagplot.cli.screen import STRONG, Line, Screen
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.words import plural
from flagplot.odds.luck import Balance, Luck, Rolled
from flagplot.odds.luck import luck as luck_of
from flagplot.odds.luck_words import in_words, number, off


def luck(file: str, given: str | None, *, as_json: bool) -> int:
    """`flagplot luck`."""
    saved = read_saved(file, given)
    game, notices, reader = saved
    found = luck_of(game, reader)
    if as_json:
        head = {"as": reader, "over": game.pending is None, "notices": notices}
        print_json(head | found.as_dict())
        return DONE
    names = {side: side for side in found.sides} | game.view(reader).names
    screen = saved.screen()
    screen.say(str(game.scenario.get("title", game.ruleset.title)), STRONG)
    if game.pending is not None:
        whole = "" if reader == UMPIRE else f", from what {reader_name(reader, names)} may know"
        screen.say(f"The game is still in progress. Luck so far{whole}:")
    for side in found.sides:
        _tell_side(screen, found, side, names[side])
    _tell_rolls(screen, found.mattered(), names)
    _tell_meaning(screen)
    return DONE


def _tell_side(screen: Screen, found: Luck, side: str, name: str) -> None:
    screen.rule(name)
    rolls = found.of(side)
    if rolls:
        screen.say(f"{plural(len(rolls), 'roll')}: {in_words(found.in_all(side))}.")
        rows = [_row(unit, total) for unit, total in found.balances(side).items()]
        print_table(["counted", "rolls", "rolled", "expected", "standard error", "off by"], rows)
    for count, why in (
        (found.unmeasured.get(side, 0), "left out: no number to compare"),
        (found.hidden.get(side, 0), "left out until the end: the reasons are secret"),
    ):
        if count:
            screen.say(f"{plural(count, 'roll')} {why}.")
    if not rolls:
        screen.say("No rolls to compare.")


def _row(unit: str, total: Balance) -> list[str]:
    return [
        unit,
        str(total.rolls),
        number(total.amount),
        number(total.expected),
        f"{total.error:.2f}",
        off(total.deviations),
    ]


def _tell_rolls(screen: Screen, rolls: list[Rolled], names: dict[str, str]) -> None:
    if not rolls:
        return
    screen.rule("The rolls that mattered most")
    for place, one in enumerate(rolls, 1):
        name = names[one.side]
        whose = "" if one.purpose.startswith(name) else f"{name}: "
        screen.show([Line(Text(f"{place:>2}. {whose}{one.purpose} ({one.rule})"), hang=4), Line(Text(_told(one)), 4)])


def _told(one: Rolled) -> str:
    faces = " ".join(map(str, one.faces))
    worth = f"{number(one.amount)} against {number(one.expected)} expected ({off(one.deviations)})"
    return f"roll {one.number}: {faces} → {one.reading}; {one.unit}: {worth}"


def _tell_meaning(screen: Screen) -> None:
    screen.rule()
    screen.say(
        "Each roll is compared with every way its dice could have fallen, with its own modifiers. Fair dice are off by "
        "one standard error or more in about a third of all games, either way. This measures the dice, not how well "
        f"anybody played. To check that the dice were honest: {program()} verify"
    )
