"""How a side reads of its own groups and forces. The log and the questions call them what both sides call them, ``CG 5
(Japan)``, and these words are kept. Their owner reads *your CG 5*, and when he is asked, its name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from flagplot.kernel.words import capital

NOBODY: Mapping[int, str] = {}


@lru_cache(maxsize=64)
def _own(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b(CG|TF|group) (\d+) \({re.escape(name)}\)")


def in_own_words(text: str, name: str, names: Mapping[int, str] = NOBODY) -> str:
    """A text as the side of that name reads it; `names` are those of its combat groups by their numbers, where they are
    known to be the groups that the text means."""
    if not name or f"({name})" not in text:
        return text

    def said(found: re.Match[str]) -> str:
        kind, number = found.groups()
        words = names.get(int(number), "") if kind == "CG" else ""
        words = words or f"your {kind} {number}"
        return words if found.start() else capital(words)

    return _own(name).sub(said, text)
