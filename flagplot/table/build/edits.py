"""Changes of a typed battle that a click makes: a suggestion taken, a number stepped, a setting chosen, units added.

The text stays the one truth. Only the line that a change is about is written anew; everything else is left as typed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from flagplot.builder import Problem, Reading, read, totals, write_line
from flagplot.table.build.examples import EXAMPLE, EXAMPLES, is_example

PATH = re.compile(r"(\w+)(?:\[(\d{1,3})\])?")
OWNER = re.compile(r"sides\[\d{1,3}\]\.\w+\[\d{1,3}\]|\w+\[\d{1,3}\]")
"""The force, base or counter that a place belongs to."""
LEFT_OVER = re.compile(r"(?:,\s*)+(?=[,;]|$)|(?<=:)\s*,|(?<=;)\s*,")
"""Commas with nothing between them, after something was left out."""
HEADS = {
    "kind": "Kind",
    "theatre": "Theatre",
    "date": "Date",
    "attacker": "Moves",
    "codebreaking": "Codebreaking",
    "tactical_codebreaking": "Tactical codebreaking",
    "submarine_codebreaking": "Submarine codebreaking",
    "winter": "Winter",
    "rounds": "Rounds",
    "public": "Public",
    "map": "Map",
}
"""Settings that the page offers, by their place in the scenario, and how their lines begin."""
WITH_KIND = ("kind", "raiders", "game")
"""Settings that say what kind of battle it is."""
RULES = "options"
MOST = 99


def fixed(text: str, problem: Problem, *, out: bool = False) -> str:
    """The text with the suggestion of a problem, or without what it is about."""
    lines = text.split("\n")
    if problem.line > len(lines):
        return text
    line, begin = lines[problem.line - 1], problem.column - 1
    instead = "" if out else problem.suggestion
    line = line[:begin] + instead + line[begin + problem.length :]
    lines[problem.line - 1] = LEFT_OVER.sub("", line).rstrip() if out else line
    return "\n".join([one for place, one in enumerate(lines, 1) if one or place != problem.line])


def changed(text: str, numbers: Mapping[str, int], dropped: str = "", words: Mapping[str, str] | None = None) -> str:
    """The text with other numbers and words at some places of the scenario, and without a ship."""
    reading = read(text)
    document = deepcopy(reading.draft)
    touched = [path for path, word in (words or {}).items() if _say(document, path, word)]
    touched += [path for path, number in numbers.items() if _put(document, path, min(MOST, max(0, number)))]
    if dropped and _put(document, dropped, 0):
        touched.append(dropped)
        _leave_with_her(document, _head(dropped))
    for line in sorted({_head(path) for path in touched}, key=lambda path: -_line(reading, path)[0]):
        text = line_again(text, reading, document, line)
    return text


def _leave_with_her(document: dict[str, Any], path: str) -> None:
    """17.312: squadrons for which a force has no deck left go with the carrier that was taken out."""
    figures = next((one.figures for one in totals(document) if one.path == path), ())
    too_many = sum([one.number - one.most for one in figures if one.what == "squadrons" and one.number > one.most])
    entry = document["forces"][int(path.partition("[")[2].rstrip("]"))] if path.startswith("forces") else {}
    if not any([one.what == "squadrons" for one in figures]):
        entry.pop("air", None)
    for some in reversed(entry.get("air", [])):
        gone = min(too_many, some["squadrons"])
        some["squadrons"] -= gone
        too_many -= gone
    if "air" in entry:
        entry["air"] = [some for some in entry["air"] if some["squadrons"]]


def _say(document: dict[str, Any], path: str, word: str) -> bool:
    """Put a word at a place of a force, or take it away; whether there is such a force."""
    found = re.fullmatch(r"forces\[(\d{1,3})\]\.activity", path)
    forces = document.get("forces", ())
    if not found or int(found[1]) >= len(forces):
        return False
    force = forces[int(found[1])]
    force.pop("activity", None)
    force |= {"activity": word.replace(" ", "-")} if word else {}
    return True


def _head(path: str) -> str:
    """The force, base or counter that a place belongs to."""
    found = OWNER.match(path)
    return found[0] if found else path


def _line(reading: Reading, path: str) -> tuple[int, int]:
    return next(((line.line, line.last) for line in reading.lines if line.path == path), (0, 0))


def line_again(text: str, reading: Reading, document: Mapping[str, Any], path: str) -> str:
    """The text with the line of a force, base or counter written anew from a changed scenario."""
    first, last = _line(reading, path)
    if not first:
        return text
    lines = text.split("\n")
    return "\n".join([*lines[: first - 1], write_line(document, path), *lines[last:]])


def _put(document: Any, path: str, number: int) -> bool:
    """Put a number at a place that has one, or take a name out of its list; whether there is such a place."""
    steps = [(found[1], found[2]) for found in map(PATH.fullmatch, path.split(".")) if found]
    if len(steps) != path.count(".") + 1:
        return False
    at = document
    try:
        for key, place in steps[:-1]:
            at = at[key][int(place)] if place else at[key]
        key, place = steps[-1]
        if place:
            del at[key][int(place)]
        elif isinstance(at[key], int) and number:
            at[key] = number
        elif isinstance(at[key], int):
            _without(document, steps, at, key)
        else:
            return False
    except (LookupError, TypeError):
        return False
    return True


def _without(document: Any, steps: list[tuple[str, str]], at: Any, key: str) -> None:
    """None are left: air units go with their entry, light ships with their key."""
    name, place = steps[-2] if len(steps) > 1 else ("", "")
    if name == "air" and place:
        owner = document
        for one, number in steps[:-2]:
            owner = owner[one][int(number)] if number else owner[one]
        del owner["air"][int(place)]
    else:
        del at[key]


def with_setting(text: str, path: str, value: str) -> str:
    """The text with a setting: its line is replaced, or stands above all others."""
    value = " ".join(value.split())[:80]
    if path == "intercepts":
        return _intercepted_by(text, value)
    if path == "kind" and is_example(text):
        return EXAMPLES.get(value, EXAMPLE)
    return _with_line(text, WITH_KIND if path == "kind" else (path,), f"{HEADS[path]}: {value}" if value else "")


def _intercepted_by(text: str, value: str) -> str:
    """The side that does not intercept moves."""
    names = [entry["name"] for entry in read(text).draft.get("sides", ())]
    other = next((name for name in names if name != value), "")
    return with_setting(text, "attacker", other) if value in names else text


def _with_line(text: str, paths: Sequence[str], line: str) -> str:
    """The text with one line for some settings, at the place of the first of them, or else above all others."""
    lines, old = text.split("\n"), [one for one in read(text).lines if one.path in paths]
    place = old[0].line - 1 if old else 0
    gone = {number for one in old for number in range(one.line - 1, one.last)}
    kept = [(number, one) for number, one in enumerate(lines) if number not in gone]
    above, below = [one for number, one in kept if number < place], [one for number, one in kept if number >= place]
    return "\n".join([*above, *[line] * bool(line), *below])


def with_rule(text: str, name: str, reading: str) -> str:
    """The text with a house rule, or without it: all of them stand in one line."""
    chosen = {one: reading_word(value) for one, value in read(text).draft.get(RULES, {}).items() if one != name}
    chosen |= {name: reading} if reading else {}
    told = "; ".join([f"{one} = {value}" for one, value in chosen.items()])
    return _with_line(text, (RULES,), f"House rules: {told}" if told else "")


def reading_word(value: object) -> str:
    """A reading of a house rule as it stands in the text."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def with_more(text: str, side: str, what: str) -> str:
    """The text with a line for something new of a side: a force, a base, submarines."""
    draft = read(text).draft
    name = next((entry["name"] for entry in draft.get("sides", ()) if entry["id"] == side), "")
    taken = {entry.get("name") for group in ("forces", "bases") for entry in draft.get(group, ())}
    number = next(one for one in range(1, len(taken) + 2) if not {f"Task Force {one}", f"Base {one}"} & taken)
    line = NEW.get(what, "").format(side=name, number=number)
    return f"{text.rstrip()}\n{line}\n" if name and line else text


NEW = {
    "force": "{side} TF{number}: 4 CA, 4 DD",
    "base": "{side} Base {number} base: airbase; 1 AAF",
    "submarines": "{side} submarines: 1",
    "counter": "{side} Ship {number}: gunnery 2, torpedo 0, defense 4, damage 2",
}
"""What a line for something new says; the steppers do the rest."""


def with_units(text: str, path: str, units: str) -> str:
    """The text with more in a force; without a force that is named, a line of its own."""
    units = " ".join(units.split())[:200]
    if not units:
        return text
    first, _ = _line(read(text), path)
    if not first:
        return f"{text.rstrip()}\n{units}\n"
    lines = text.split("\n")
    head, colon, body = lines[first - 1].partition(":")
    lines[first - 1] = f"{head}{colon} {units}{',' * bool(body.strip())}{body}" if colon else lines[first - 1]
    return "\n".join(lines)
