"""Dates as players say them."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

MONTHS: Final = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
SEASONS: Final = {"winter": 1, "spring": 4, "summer": 7, "fall": 10, "autumn": 10}
Date: TypeAlias = tuple[int, int]
"""Year and month."""
_YEAR = re.compile(r"\b(?:19)?(39|4[0-6])\b|'(39|4[0-6])\b")


def read_date(text: str) -> Date | None:
    """Year and month of a date such as ``Summer 1942``, ``June 1942``, ``Su42`` or ``1942-06``."""
    text = text.casefold()
    if found := re.search(r"\b(19(?:39|4[0-6]))-(\d\d)\b", text):
        month = int(found[2])
        return (int(found[1]), month) if 1 <= month <= 12 else None
    if found := re.search(r"\b(wi|sp|su|fa|au)\w*\s?'?(?:19)?(39|4[0-6])\b", text):
        season = next(one for one in SEASONS if one.startswith(found[1]))
        return 1900 + int(found[2]), SEASONS[season]
    if not (year := _YEAR.search(text)):
        return None
    for number, name in enumerate(MONTHS, start=1):
        if re.search(rf"\b{name[:3]}(?:{name[3:]})?\b", text):
            return 1900 + int(year[1] or year[2]), number
    return 1900 + int(year[1] or year[2]), 7
