"""What other installed packages bring: players, games, scenarios and maps, found by their entry points.

A package says so in its `pyproject.toml`; nothing is imported before somebody asks for it by name:

```toml
[project.entry-points."flagplot.players"]
mybot = "my_package:MyBot"          # a class with choose(view, request)
[project.entry-points."flagplot.games"]
skirmish = "my_package.rules:RULES" # a ruleset
[project.entry-points."flagplot.scenarios"]
mine = "my_package.battles"         # a package: every .toml file in it is a scenario
[project.entry-points."flagplot.maps"]
mine = "my_package.charts"          # the same for maps
```
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.metadata import EntryPoint, entry_points
from importlib.resources.abc import Traversable
from typing import Any, Literal

from flagplot.kernel.errors import FlagplotError

Kind = Literal["players", "games", "scenarios", "maps"]
OWN = "flagplot"


class BrokenExtension(FlagplotError, code="broken-extension"):
    """Another package promises something that cannot be imported."""


@cache
def brought(kind: Kind) -> dict[str, EntryPoint]:
    """What other packages bring of a kind, by name."""
    return {entry.name: entry for entry in entry_points(group=f"{OWN}.{kind}")}


def fetched(kind: Kind, name: str) -> Any:
    """The player or game of that name that another package brings."""
    entry = brought(kind)[name]
    try:
        return entry.load()
    except Exception as fault:  # code of strangers: anything may happen while it is imported
        raise _broken(entry, fault) from fault


@cache
def data_files(kind: Literal["scenarios", "maps"]) -> dict[str, Traversable]:
    """All scenarios or maps by name: our own, and those that other packages bring under names of their own."""
    found = dict(_files(resources.files(OWN) / kind))
    for entry in brought(kind).values():
        try:
            files = list(_files(resources.files(entry.value)))
        except Exception as fault:
            raise _broken(entry, fault) from fault
        for name, file in files:
            if name in found:
                warnings.warn(f"{entry.value} has {name} in its {kind} too: that name is taken", stacklevel=2)
            else:
                found[name] = file
    return dict(sorted(found.items()))


def _files(folder: Traversable) -> Iterator[tuple[str, Traversable]]:
    for file in folder.iterdir():
        if file.name.endswith(".toml"):
            yield file.name.removesuffix(".toml"), file


def _broken(entry: EntryPoint, fault: Exception) -> BrokenExtension:
    words = f"the extension {entry.name} cannot be imported ({type(fault).__name__}: {fault})"
    return BrokenExtension(words, given=entry.value)
