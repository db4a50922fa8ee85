"""Places in a scenario, as people and programs write them: ``forces[0].air[0].squadrons``, ``forces.tf-16.arrives``."""

from __future__ import annotations

import re
from typing import Any


class BadPath(ValueError):
    """A path that leads nowhere."""


_SEGMENT = re.compile(r"(?P<key>[^.\[\]\"]+|\"[^\"]*\")|\[(?P<number>\d{1,4})\]")
DEEPEST = 12


def segments(path: str) -> list[str | int]:
    """The keys and numbers of a path."""
    found: list[str | int] = []
    place = 0
    while place < len(path):
        match = _SEGMENT.match(path, place)
        if match is None or len(found) >= DEEPEST:
            raise BadPath(f"it breaks off after {path[:place]!r}")
        found.append(int(match["number"]) if match["number"] else match["key"].strip().strip('"'))
        place = match.end() + (path[match.end() : match.end() + 1] == ".")
    if not found:
        raise BadPath("it is empty")
    return found


def put(document: dict[str, Any], path: str, value: Any) -> None:
    """Set the value at a path; tables on the way are made, lists are not."""
    *way, last = segments(path)
    here: Any = document
    for step, following in zip(way, [*way[1:], last], strict=False):
        here = _down(here, step, following)
    if isinstance(here, list):
        number = _place(here, last)
        if number == len(here):
            here.append(value)
        else:
            here[number] = value
    elif isinstance(here, dict) and isinstance(last, str):
        here[last] = value
    else:
        raise BadPath(f"there is nothing to hold {last!r}")


def _down(here: Any, step: str | int, following: str | int) -> Any:
    if isinstance(here, list):
        number = _place(here, step)
        if number < len(here):
            return here[number]
    elif isinstance(here, dict) and isinstance(step, str):
        return here.setdefault(step, [] if isinstance(following, int) else {})
    raise BadPath(f"there is no {step!r}")


def _place(entries: list[Any], step: str | int) -> int:
    """The number of an entry: as it is given, or by its short name or name."""
    if isinstance(step, int):
        if step > len(entries):
            raise BadPath(f"there are only {len(entries)} entries")
        return step
    for number, entry in enumerate(entries):
        if isinstance(entry, dict) and step.casefold() in (str(entry.get("id")), str(entry.get("name")).casefold()):
            return number
    raise BadPath(f"there is no entry {step!r}")
