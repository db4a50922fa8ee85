"""The same battle in five spellings: as `write` has it, and four ways in which other players would type it."""

from __future__ import annotations

import re
from collections.abc import Callable

Spelling = Callable[[str], str]
UNITS = re.compile(r"\b(\d+) ((?:[A-Z][a-z]+ )?)(CA|DD|CVE|TR|NAS|AAF)\b")
WORDS = {
    "CA": "cruiser factors",
    "DD": "destroyers",
    "CVE": "escort carriers",
    "TR": "transports",
    "NAS": "squadrons",
    "AAF": "army air factors",
}


def _is_prose(line: str) -> bool:
    head = line.partition(":")[0].casefold()
    return line.startswith("  ") or head.endswith(" order") or head in PROSE


PROSE = ("title", "about", "history", "teaches", "sources", "situation")


def _line_by_line(change: Spelling) -> Spelling:
    """Change every line that is not prose."""
    return lambda text: "\n".join([line if _is_prose(line) else change(line) for line in text.split("\n")])


def _in_words(line: str) -> str:
    """``6 CA`` as ``6 cruiser factors``; a single destroyer is one."""
    return UNITS.sub(lambda found: f"{found[1]} {found[2]}{WORDS[found[3]]}", line)


def _as_published(line: str) -> str:
    """``6 CA`` as ``CA6``, where no word stands between."""
    return re.sub(r"\b(\d+) (CA|DD|CVE|NAS)\b", r"\g<2>\1", line)


def _shouted(line: str) -> str:
    """In capitals, but for names that people read and hexes and short names that files keep."""
    head, colon, body = line.partition(": ")
    if "cargo" in body or "base" in head.casefold() or "submarines" in head:
        return line
    return f"{head}{colon}{re.sub(r'(?<!from )(?<!in )(?<!at )(?<!to )[^;]+', lambda found: _shout(found[0]), body)}"


def _shout(part: str) -> str:
    kept = re.match(r"\s*(?:from|in|may|on patrol|at|.*[=#])", part)
    return part if kept else part.upper()


def _loosely(line: str) -> str:
    """With "and" for commas, and spaces where they do no harm."""
    return re.sub(r"; (?=\d+ (?:elite )?(?:[A-Z][a-z]+ )?NAS)", " and ", line).replace(": ", " :  ", 1)


SPELLINGS: dict[str, Spelling] = {
    "as written": lambda text: text,
    "in words": _line_by_line(_in_words),
    "as published": _line_by_line(_as_published),
    "shouted": _line_by_line(_shouted),
    "loosely": _line_by_line(_loosely),
}
