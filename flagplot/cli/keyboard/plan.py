"""A sheet at the keyboard: the plan as a numbered table, and what can be typed to change and confirm it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rich.text import Text

from flagplot.awaw.own_groups import in_own_words
from flagplot.cli.saves.chronicle import Names, style_of, with_rule
from flagplot.cli.screen import FAINT, STRONG, Line
from flagplot.kernel.ahead import OrderAhead
from flagplot.kernel.errors import BadValue
from flagplot.kernel.explaining import Help
from flagplot.kernel.levels import SEAT_LEVELS, Level
from flagplot.kernel.sheets import By, Field, Sheet
from flagplot.kernel.words import answered, listing

GREETING = "Your staff has filled in a plan. Enter confirms it; “help” lists what else you can type."

HELP = {
    "Enter": "confirm the plan",
    "3 5": "set decision 3 to 5; “3?” lists what you can type",
    "3?": "explain decision 3: what it means, its options and the rule",
    "staff": "undo all your changes",
    "all": "also show what the staff decides for you",
    "step": "answer this plan's questions one at a time",
    "ahead": "list your orders ahead; “ahead cancel” takes them back",
    "level flag": "change the level: flag, captain, everything, or step for one question at a time",
}


def read_level(given: str) -> Level | None:
    """The level after `--level`; None asks one question at a time."""
    if given not in SEAT_LEVELS:
        raise BadValue("no such level", given=given, allowed=list(SEAT_LEVELS))
    return SEAT_LEVELS[given]


class Change(NamedTuple):
    """What was typed: another value for a field, or a look at it."""

    field: Field
    value: str
    """Nothing if only the field is to be shown."""


def shown(sheet: Sheet, level: Level, *, everything: bool) -> list[Field]:
    """The decisions of a plan that are numbered on the screen."""
    return [*(sheet.choices if everything else sheet.open_to(level))]


def plan(sheet: Sheet, fields: list[Field], names: Names) -> list[Line]:
    """The plan: each decision with the answer that stands there and who chose it."""
    name = names.get(sheet.side, sheet.side)
    who = (f"{name} › ", f"{STRONG} {style_of(sheet.side, names)}")
    head = Line(Text.assemble(who, (_count(len(fields)), STRONG)))
    width = len(str(len(fields)))
    rows = [_row(number, one, width, name) for number, one in enumerate(fields, 1)]
    later = next((place for place, one in enumerate(fields) if one.ahead), len(fields))
    if later < len(fields):
        rows.insert(later, Line(Text("Orders ahead, given when the enemy has decided in secret:", FAINT), 2))
    quiet = len(sheet.choices) - len(fields)
    more = [Line(Text(f"The staff decides {quiet} more; “all” shows them.", FAINT), 2)] if quiet else []
    hint = "Enter: confirm   1?: explain decision 1   1 2: set it to option 2"
    return [head, *rows, *more, Line(Text(hint, FAINT), 2)]


def _count(decisions: int) -> str:
    return "One decision" if decisions == 1 else f"Your plan, {decisions} decisions"


def _row(number: int, one: Field, width: int, name: str) -> Line:
    question = in_own_words(one.question.replace(f"{name}: ", "", 1), name)
    by = {
        By.STAFF: "",
        By.YOU: "  your choice",
        By.ORDER: f"  order {one.order}",
        By.BEFORE: "  as before",
        By.FORCED: "",
    }[one.by]
    by += f"  (no longer offered: {one.dropped})" if one.dropped else ""
    asked = answered(question, "")
    text = Text.assemble((f"{number:>{width}}  ", STRONG), asked, (one.label, STRONG), (by, FAINT))
    return Line(text, 2, width + 2)


def options(one: Field, told: Help | None) -> list[Line]:
    """One decision: what it means, and all that may be chosen."""
    same = len(one.rules) == 1
    head = Line(with_rule(one.question, one.rules[0] if same else "", STRONG))
    meaning = [Line(with_rule(told.says, told.rule), 2)] if told else []
    rows = []
    for place, offer in enumerate(one.offers):
        label = with_rule(offer.label, "" if same else offer.rule)
        here = ("  now", FAINT) if offer.text == one.chosen else ""
        rows.append(Line(Text.assemble((f"{_key(one, place)}  ", STRONG), label, here), 2, 4))
    return [head, *meaning, *rows]


def _key(one: Field, place: int) -> str:
    """What is typed for an option: a number stands for itself, anything else for its place."""
    return one.offers[place].text.rpartition(":")[2] if one.counts else str(place + 1)


def keys(one: Field) -> str:
    return listing([_key(one, place) for place in range(len(one.offers))])


def change(text: str, fields: list[Field]) -> Change | None:
    """What somebody wants with a decision: ``3``, ``3?``, ``3 5``; None if it is nothing of the kind. Raises BadValue
    for a decision that is not there or a value that is not offered."""
    typed = re.fullmatch(r"(\d+)\s*(\?|(?:[\s=]\s*)(\S.*))?", text.strip())
    if typed is None:
        return None
    number = int(typed[1])
    if not 1 <= number <= len(fields):
        there = f"Type a number from 1 to {len(fields)}." if len(fields) > 1 else "The only one is 1."
        raise BadValue(f"There is no decision {number}. {there}")
    one, value = fields[number - 1], (typed[3] or "").strip()
    if not value:
        return Change(one, "")
    for place, offer in enumerate(one.offers):
        if value in (_key(one, place), offer.text):
            return Change(one, offer.text)
    raise BadValue(f"“{value}” is not an answer to decision {number}. Its answers are {keys(one)}.")


def decided(sheet: Sheet, level: Level) -> list[Line]:
    """What the staff decided for a player, one line each, with the rule."""
    own = sheet.open_to(level)
    quiet = [one for one in sheet.choices if one not in own and not one.ahead]
    return [Line(with_rule(f"Staff: {answered(one.question, one.label)}", one.rules[0], FAINT), 2) for one in quiet]


def ahead_wait(number: int) -> list[Line]:
    """That orders ahead were given."""
    told = "One order ahead waits" if number == 1 else f"{number} orders ahead wait"
    return [Line(Text(f"{told} for the enemy. “ahead” lists, “ahead cancel” cancels.", FAINT), 2)]


def ahead_listed(orders: Sequence[OrderAhead]) -> list[Line]:
    """What a side has ordered ahead."""
    if not orders:
        return [Line(Text("You have no orders ahead.", FAINT))]
    return [Line(Text.assemble(answered(one.question, ""), (one.label, STRONG)), 2) for one in orders]


def help_lines() -> list[Line]:
    width = max(map(len, HELP)) + 2
    return [Line(Text.assemble((word.ljust(width), STRONG), meaning), 2, width) for word, meaning in HELP.items()]
