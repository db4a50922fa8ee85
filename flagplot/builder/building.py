"""`flagplot.build`: a scenario from text, or all that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from flagplot.builder.reading import read
from flagplot.builder.values import Note, Reading
from flagplot.builder.writing import write
from flagplot.kernel.errors import Fault, FaultsError
from flagplot.kernel.results import Result
from flagplot.kernel.words import plural


class BuildError(FaultsError, code="build"):
    """All problems of a text at once."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class BuiltBattle(Mapping[str, Any], Result):
    """A scenario that was made of a text. It is read like a dict; `flagplot.load` and `simulate` take it as it is."""

    reading: Reading

    def _scenario(self) -> dict[str, Any]:
        assert self.reading.document is not None
        return self.reading.document

    @property
    def notes(self) -> tuple[Note, ...]:
        """How parts of the text were understood where there was something to decide."""
        return self.reading.notes

    def __getitem__(self, key: str) -> Any:
        return deepcopy(self._scenario()[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._scenario())

    def __len__(self) -> int:
        return len(self._scenario())

    def as_dict(self) -> dict[str, Any]:
        return deepcopy(self._scenario())

    def rows(self) -> list[dict[str, Any]]:
        """The statements of the text: where each stands, whose it is, and how it reads."""
        lines = self.reading.text.splitlines()
        return [
            {"line": one.line, "side": one.side, "text": " ".join(lines[one.line - 1 : one.last]).strip()}
            for one in self.reading.lines
        ]

    def __str__(self) -> str:
        return "\n".join([write(self._scenario()).rstrip(), *[f"# {note}" for note in self.notes]])


def build(text: str) -> BuiltBattle:
    """The scenario that a text describes, one line a force; `flagplot.load` plays it.

    ``Japan TF1: Akagi, Kaga, 2 BC, 6 CA, 1 DD; 6 elite NAS`` is such a line; `docs/build.md` has the others.
    """
    reading = read(text)
    if reading.document is None:
        faults = [Fault(f"line {one.line}, column {one.column}", one.message, one.rule) for one in reading.problems]
        raise BuildError(f"this text has {plural(len(faults), 'problem')}", faults)
    return BuiltBattle(reading)
