"""Scenario documents as TOML, laid out as our own files are."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

WIDTH = 120
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def to_toml(document: Mapping[str, Any]) -> str:
    """A document as the text of a TOML file; reading it gives the same document."""
    return "\n".join(_table(document, "")).strip("\n") + "\n"


def _table(table: Mapping[str, Any], path: str) -> list[str]:
    """A table: plain keys first, then tables and lists of tables under their headings."""
    lines: list[str] = []
    later: list[str] = []
    for key, value in table.items():
        if value is None:
            continue
        name = f"{path}.{_key(key)}" if path else _key(key)
        if isinstance(value, Mapping) and _is_deep(path):
            later += ["", f"[{name}]", *_table(value, name)]
        elif isinstance(value, list) and value and not path and all(isinstance(one, Mapping) for one in value):
            for one in value:
                later += ["", f"[[{name}]]", *_table(one, name)]
        else:
            lines.append(f"{_key(key)} = {_laid_out(value)}")
    return lines + later


def _is_deep(path: str) -> bool:
    """Whether tables in a table of this path have headings of their own; farther down they stand in one line."""
    return path.count(".") < 1


def _laid_out(value: Any) -> str:
    """A value; a list that is too long for a line has one entry a line."""
    line = inline(value)
    if len(line) < WIDTH - 20 or not isinstance(value, list):
        return _block(value) if isinstance(value, str) and "\n" in value else line
    return "\n".join(["[", *[f"    {inline(one)}," for one in value], "]"])


def _block(text: str) -> str:
    """Prose in several lines, where that can be written down as it is."""
    if "\\" in text or '"""' in text or text.endswith('"') or re.search(r"[^\n -\ud7ff\ue000-\U0010ffff]|\x7f", text):
        return inline(text)
    return f'"""\n{text}"""'


def inline(value: Any) -> str:
    """A value in one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        inside = ", ".join([f"{_key(key)} = {inline(one)}" for key, one in value.items() if one is not None])
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join([inline(one) for one in value])}]"
    return str(value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else inline(key)
