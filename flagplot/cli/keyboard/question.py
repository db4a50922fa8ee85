"""A question as people see it and answer it: numbered options, and words that are commands."""

from __future__ import annotations

import re
from typing import Any

from rich.text import Text

from flagplot.awaw.own_groups import in_own_words
from flagplot.cli.saves.chronicle import Names, reasons, style_of, with_rule
from flagplot.cli.screen import FAINT, STRONG, Line
from flagplot.kernel.ledger import NOTHING
from flagplot.kernel.log import is_secret_from, sum_of
from flagplot.kernel.requests import Choose, Option, Roll
from flagplot.kernel.words import capital, listing, say, sentence

HELP = {
    "a number": "choose that option; its name, such as counterair:malta, works too",
    "Enter": "repeat the question, or give the only answer",
    "?": "what the question means, and its rules; ? 2 the rule of option 2; ? 19.61 any rule",
    "undo": "take back your last answer, until dice fall, something is revealed or the other side chooses",
    "view": "show the position",
    "briefing": "your orders and forces, what wins, and the steps of play",
    "round": "list the steps of the stage or round, and where you are",
    "map": "in an operation: the map with all names, and the announced activities",
    "why": "what is not offered to your forces now, and the rule that forbids it",
    "explain X": "in an air turn: what the air units in base X can do, and why not the rest",
    "log": "everything so far that your side may know",
    "save FILE": "save the game in a new file, and every later answer too",
    "odds": "the odds of each answer; odds 2 shows everything about answer 2",
    "hint": "what your staff would do, and why",
    "quit": "stop; the game is saved and can be resumed",
}


GREETING = "Type the number of an answer. “?” explains the question; “help” lists what else you can type."


def key_of(option: Option[Any]) -> str:
    """What is typed for an option: a number that is chosen stands for itself, anything else for its place."""
    return str(option.value if _counts(option.request) else option.index + 1)


def _counts(request: Choose[Any]) -> bool:
    return all(isinstance(value, int) for value in request.values)


def keys_in_words(request: Choose[Any]) -> str:
    """All that may be typed for an option: ``1 to 6``, or ``3, 5 or 0`` where something in between is not offered."""
    keys = [key_of(option) for option in request.options]
    first = int(keys[0])
    if len(keys) > 1 and keys == [str(first + place) for place in range(len(keys))]:
        return f"{keys[0]} to {keys[-1]}"
    return listing(keys, "or")


def option_of(request: Choose[Any], text: str) -> Option[Any] | None:
    """The option that was typed: by its number or by its stable text. Where there is but one, Enter will do."""
    if not text and len(request) == 1:
        return request.options[0]
    for option in request.options:
        if text in (key_of(option), option.text):
            return option
    return None


def question(request: Choose[Any], names: Names) -> list[Line]:
    """The question and what may be answered, each with its rule number."""
    name = names.get(request.side, request.side)
    who = (f"{name} › ", f"{STRONG} {style_of(request.side, names)}")
    same = len(request.rules) == 1
    words = say(request.question).replace(f"{name}: ", "", 1)  # it stands before the question already
    asked = with_rule(capital(in_own_words(words, name)), request.rules[0] if same else "", STRONG)
    head = Line(Text.assemble(who, asked))
    if _counts(request) and same:
        return [head, Line(_in_a_row(request), 2, 0)]
    width = len(str(len(request)))
    if len(request) == 1:
        (option,) = request.options
        return [head, _option(option, width, show_rule=not same, more=" (or Enter)")]
    return [head, *[_option(option, width, show_rule=not same) for option in request.options]]


def _option(option: Option[Any], width: int, *, show_rule: bool, more: str = "") -> Line:
    number = (f"{key_of(option):>{width}}  ", STRONG)
    label = with_rule(option.label, option.rule if show_rule else "")
    return Line(Text.assemble(number, label, (more, FAINT)), 2, width + 2)


def _in_a_row(request: Choose[Any]) -> Text:
    """Numbers to choose from, on one line, with their label where it says more than the number."""
    parts = []
    for option in request.options:
        label = "" if option.label == key_of(option) else f" {option.label}"
        parts.append(Text.assemble((key_of(option), STRONG), label))
    return Text("  ").join(parts)


def dice_wanted(roll: Roll[Any], reader: str) -> list[Line]:
    """A roll that people make themselves: what for, and with which modifiers, as the reader may know them."""
    hidden = is_secret_from(roll, reader)
    head = Line(with_rule(sentence(roll.secret if hidden else roll.purpose), roll.rule, STRONG))
    ledger = NOTHING if hidden else roll.ledger
    total = [Line(Text(sum_of(ledger, roll.counts)), 4)] if ledger.lines else []
    return [head, *reasons(ledger), *total]


def rules_behind(roll: Roll[Any], reader: str) -> list[str]:
    """The rule numbers of a roll, and of its modifiers if the reader may know them."""
    return [roll.rule] if is_secret_from(roll, reader) else [roll.rule, *[line.rule for line in roll.ledger]]


def faces_of(text: str) -> list[str]:
    """The faces as people type them: `3 5`, `3,5` or `35`."""
    parts = [part for part in re.split(r"[\s,;+]+", text) if part]
    if len(parts) == 1 and parts[0].isdigit():
        return list(parts[0])
    return parts


def help_lines() -> list[Line]:
    """What can be typed."""
    width = max(map(len, HELP)) + 2
    lines = [Line(Text.assemble((word.ljust(width), STRONG), meaning), 2, width) for word, meaning in HELP.items()]
    return [*lines, Line(Text("Before handing over, undo takes back the last answer.", FAINT), 2)]
