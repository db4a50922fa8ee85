"""`flagplot.build`: a scenario from text, or all that is wrong with it."""

from __future__ import annotations

from typing import Any

from flagplot.builder.reading import read
from flagplot.kernel.errors import Fault, FaultsError
from flagplot.kernel.words import plural


class BuildError(FaultsError):
    """All problems of a text at once."""

    code = "build"


def build(text: str) -> dict[str, Any]:
    """The scenario that a text describes, one line a force; `flagplot.load` plays it.

    ``Japan TF1: Akagi, Kaga, 2 BC, 6 CA, 1 DD; 6 elite NAS`` is such a line; `docs/build.md` has the others.
    """
    reading = read(text)
    if reading.document is None:
        faults = [Fault(f"line {one.line}, column {one.column}", one.message, one.rule) for one in reading.problems]
        raise BuildError(f"this text has {plural(len(faults), 'problem')}", faults)
    return reading.document
