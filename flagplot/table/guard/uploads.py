"""What strangers bring as TOML or as data: refused before it can cost the server its time or its stack."""

from __future__ import annotations

import tomllib
from typing import Any

PARTS = 50
"""Points in one line of TOML. The time to read a key grows with the square of its parts, and no key of ours has more
than a few; a line of prose may have some more."""
DEPTH = 40
"""How deep tables and lists may lie in one another."""


def read_toml(text: str) -> dict[str, Any]:
    """TOML as somebody typed it. Raises ValueError or RecursionError if it is none."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.count(".") > PARTS:
            raise ValueError(f"line {number} has more than {PARTS} points; break the line")
    return tomllib.loads(text)


def is_too_deep(data: Any) -> bool:
    """Whether tables and lists lie so deep in one another that it can be no scenario."""
    level = [data]
    for _ in range(DEPTH):
        level = [part for one in level for part in _parts(one)]
        if not level:
            return False
    return True


def _parts(data: Any) -> list[Any]:
    found = list(data.values()) if isinstance(data, dict) else data if isinstance(data, list) else []
    return [part for part in found if isinstance(part, dict | list)]
