"""Data files of a package, written in TOML."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any


def read_data(package: str, name: str) -> dict[str, Any]:
    """What a data file of a package says."""
    return tomllib.loads((files(package) / name).read_text(encoding="utf8"))
