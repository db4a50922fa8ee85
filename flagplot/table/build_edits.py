"""Changes of a typed battle that a click makes: a suggestion taken, a number stepped, a setting chosen, units added.

The text stays the one truth. Only the line that a change is about is written anew; everything else is left as typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from flagplot.builder import Line, Problem, Reading, read, totals, write_line

PATH = re.compile(r"(\w+)(?:\[(\d{1,3})\])?")
LEFT_OVER = re.compile(r"(?:,\s*)+(?=[,;]|$)|(?<=:)\s*,|(?<=;)\s*,")
"""Commas with nothing between them, after something was left out."""
HEADS = {
    "kind": "Kind",
    "theatre": "Theatre",
    "date": "Date",
    "attacker": "Moves",
    "defender": "Intercepts",
    "codebreaking": "Codebreaking",
    "map": "Map",
    "title": "Title",
}
"""Settings that the page offers, by their place in the scenario, and how their lines begin."""
MOST = 99


def edited(text: str, deed: str, args: Sequence[Any]) -> str:
    """The text after one of the deeds below."""
    return EDITS[deed](text, *args)


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


def changed(text: str, numbers: Mapping[str, int], dropped: str = "") -> str:
    """The text with other numbers at some places of the scenario, and without a ship."""
    reading = read(text)
    document = deepcopy(reading.draft)
    touched = [path for path, number in numbers.items() if _put(document, path, min(MOST, max(0, number)))]
    if dropped and _put(document, dropped, 0):
        touched.append(dropped)
        _leave_with_her(document, _head(dropped))
    for line in sorted({_head(path) for path in touched}, key=lambda path: -_line(reading, path)[0]):
        text = _rewritten(text, reading, document, line)
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


def _head(path: str) -> str:
    """The force or base that a place belongs to."""
    return path.partition(".")[0]


def _line(reading: Reading, path: str) -> tuple[int, int]:
    return next(((line.line, line.last) for line in reading.lines if line.path == path), (0, 0))


def _rewritten(text: str, reading: Reading, document: Mapping[str, Any], path: str) -> str:
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
    first, last = _line(read(text), path)
    line = [f"{HEADS[path]}: {value}"] if value else []
    lines = text.split("\n")
    if first:
        return "\n".join([*lines[: first - 1], *line, *lines[last:]])
    return "\n".join([*line, text])


def setting(lines: Sequence[Line], text: str, path: str) -> str:
    """What the text says of a setting."""
    for line in lines:
        if line.path == path:
            return text.split("\n")[line.line - 1].partition(":")[2].strip()
    return ""


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


EDITS: dict[str, Callable[..., str]] = {"numbers": changed, "setting": with_setting, "units": with_units}
"""Changes for which the text has to be read, by name: they are made in a process of the desk."""
