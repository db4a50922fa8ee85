"""A report as lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import Any

from flagplot.awaw.board.units import losses, told_ships
from flagplot.board.model import TIE
from flagplot.kernel.naming import closing_words, ending_words, in_sentence, plainly
from flagplot.kernel.ruleset import NEUTRAL, UMPIRE
from flagplot.kernel.words import capital, plural
from flagplot.report import operation as operations

WIDTH = 72

Data = Mapping[str, Any]
"""What `gathered` tells."""


def page(found: Data) -> list[str]:
    """The report as lines of at most 72 columns; only a name that cannot be broken is longer."""
    lines = [found["title"], "=" * min(len(found["title"]), WIDTH), *_head(found)]
    for title, body in (
        ("Result", result_of(found)),
        *operation(found),
        ("Losses", lost(found)),
        ("Consequences", _consequences(found)),
        ("House rules", _readings(found)),
        ("Proof", _proved(found)),
    ):
        if body:
            lines += ["", title, "-" * len(title), *body]
    return lines


def operation(found: Data, width: int = WIDTH) -> list[tuple[str, list[str]]]:
    """The parts that only an operation has."""
    told = found["operation"]
    if told is None:
        return []
    parts = operations.sections(told, found["sides"])
    return [(title, [line for text in body for line in _wrapped(f"- {text}", 0, 2, width)]) for title, body in parts]


def _head(found: Data) -> list[str]:
    names, moving = found["sides"], found["moving"] if found["round"] or found["operation"] else None
    sides = [f"{name} (moving)" if side == moving else name for side, name in names.items()]
    reader = found["as"]
    told = {UMPIRE: "the umpire", NEUTRAL: "both sides"}.get(reader) or names[reader]
    head = " against ".join([sides[0], *map(in_sentence, sides[1:])])
    lines = [*_wrapped(head), *_wrapped(f"{_stands(found)} As known to {told}.")]
    return [*lines, *[line for notice in found.get("notices", ()) for line in _wrapped(f"Note: {notice}.")]]


def _stands(found: Data) -> str:
    number, segment = found["round"], found["segment"]
    if found["operation"] and not segment:
        return operations.stands(found["operation"])
    if number is None:
        return "Game over." if found["over"] else "Still in progress."
    if found["over"]:
        return f"{number} round{'s' * (number != 1)} fought."
    return f"Round {number}{', segment {mark}, {name}'.format(**segment) if segment else ''}; still in progress."


def result_of(found: Data) -> list[str]:
    """Who has won, or what is left of each side."""
    result, names = found["result"], found["sides"]
    if result is None:
        left = "{}: {left}/{began} factors fit for combat."
        words = [left.format(names[side], **strength) for side, strength in found["strength"].items()]
        return [line for text in words for line in _wrapped(text)]
    if found["operation"]:
        words = operations.won(found["operation"], result["winner"], names)
        return [line for text in words for line in _wrapped(text)]
    more = [] if result.get("ended") else _wrapped(f"{closing_words(result, names)}.")
    return [*_wrapped(winner(result, names)), *more]


def winner(result: Data, names: Data) -> str:
    """Who has won, and why by which rule if the result tells it."""
    side = result.get("winner")
    who = f"{capital(in_sentence(names.get(side, side)))} won" if side else "No winner"
    why = f": {ended}" if (ended := ending_words(result, names)) else ""
    return f"{who}{why} ({result['rule']})." if result.get("rule") else f"{who}{why}."


def lost(found: Data, width: int = WIDTH) -> list[str]:
    """What each side has lost, below its name."""
    lines = []
    for side, name in found["sides"].items():
        mine = found["losses"][side]
        lines.append(name)
        parts = {
            "sunk": ", ".join(map(_sunk, mine["sunk"])),
            "sunk elsewhere": ", ".join(map(_sunk, mine["sunk_elsewhere"])),
            "hit (hits left)": told_ships(mine["hit"]) if mine["hit"] else "",
            "air": "; ".join(losses(mine["air"])),
            "cargo": "; ".join(f"{part} (on {plural(number, 'factor')})" for part, number in mine["cargo"].items()),
            "submarines": plural(mine["submarines"], "factor") if mine["submarines"] else "",
        }
        parts |= {fate: ", ".join(names) for fate, names in mine["units"].items()}
        told = [line for key, words in parts.items() if words for line in _wrapped(f"{key}: {words}", 2, 4, width)]
        lines += told or ["  nothing"]
    return lines


def _sunk(ship: Data) -> str:
    return str(ship["text"]).partition(" (")[0]


def _consequences(found: Data) -> list[str]:
    """What follows, below whom it concerns: ``CG 4: returns to Truk``."""
    lines, about = [], ""
    for entry in (found["result"] or {}).get("consequences", ()):
        whom, colon, what = plainly(str(entry["text"])).partition(": ")
        if whom != about or not colon:
            lines += _wrapped(whom)
        about = whom
        rule = f" ({entry['rule']})" if entry.get("rule") else ""
        lines += _wrapped(f"- {what}{rule}", 2, 4) if colon else []
    return lines


def _readings(found: Data) -> list[str]:
    lines = [] if found["options"] else ["All standard."]
    for title, key in (("Changed:", "options"), ("Assumptions that came up:", "assumptions")):
        entries = found[key]
        lines += [title] if entries else []
        for entry in entries:
            name = capital(entry["name"].replace("_", " "))
            value = {"True": "yes", "False": "no"}.get(str(entry["value"]), str(entry["value"])).replace("-", " ")
            lines += _wrapped(f"- {name}: {value} ({' '.join(entry['rules'])}). {entry['about']}", 0, 2)
    return lines


def _proved(found: Data) -> list[str]:
    proof, kind = found["proof"], found["proof"]["dice"]["kind"]
    if kind == "typed":
        lines = ["Dice: rolled by people."]
    elif kind == "seeded":
        seed = proof["dice"].get("seed")
        lines = ["Dice: seeded; the seed is shown at the end." if seed is None else f"Dice: seed {seed}."]
    else:
        opened = "opened in the save" if found["over"] else "opened at the end"
        lines = [f"Dice: from a secret ({opened}), committed to by", f"  {proof['dice'].get('commitment')}"]
    if proof["head"] is not None:
        lines += ["Head of the save:", f"  {proof['head']}"]
    else:
        lines += _wrapped("The head of the save is shown at the end, since it would help to guess the enemy's secrets.")
    versions = f"{found['game']}, rules {found['rules']}; flagplot {found['program']}."
    return [*lines, *_wrapped(f"To verify it: {proof['command']}", 0, 2), *_wrapped(versions)]


def _wrapped(text: str, indent: int = 0, hang: int = 0, width: int = WIDTH) -> list[str]:
    before, after = " " * indent, " " * hang
    filled = fill(
        text, width, initial_indent=before, subsequent_indent=after, break_long_words=False, break_on_hyphens=False
    )
    return filled.replace(TIE, " ").split("\n")
