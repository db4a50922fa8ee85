"""A file with one line a battle, for spreadsheets (CSV) or programs (JSON lines)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from flagplot.kernel.errors import BadValue
from flagplot.simulation.battles import Fought

Cells = list[Any]


class Rows:
    """Writes battles to a new file as they are done, or keeps none if there is no file."""

    def __init__(self, path: Path | None, file: TextIO | None) -> None:
        self._path, self._file = path, file
        self._begun = False
        self.keep: Callable[[list[Fought]], None] | None = self._keep if file is not None else None

    @classmethod
    @contextmanager
    def new(cls, given: str | None) -> Iterator[Rows]:
        """The file is made at once, so that nobody waits for battles which cannot be written down."""
        if given is None:
            yield cls(None, None)
            return
        path = Path(given).expanduser()
        if path.suffix not in (".csv", ".jsonl"):
            raise BadValue("--out is of no known kind", given=given, allowed=["a file.csv", "a file.jsonl"])
        try:
            file = path.open("x", encoding="utf8", newline="")
        except FileExistsError:
            raise BadValue("a file of this name exists already", given=given, allowed=["a new name"]) from None
        except (OSError, ValueError) as fault:
            raise BadValue(f"this file cannot be written ({_reason(fault)})", given=given) from fault
        try:
            yield cls(path, file)
        finally:
            try:
                file.close()
            except OSError as fault:
                raise _unwritten(path, fault) from fault

    def _keep(self, battles: list[Fought]) -> None:
        assert self._file is not None
        assert self._path is not None
        lines = self._as_csv(battles) if self._path.suffix == ".csv" else _as_json_lines(battles)
        try:
            self._file.write(lines)
            self._file.flush()
        except OSError as fault:
            raise _unwritten(self._path, fault) from fault

    def _as_csv(self, battles: list[Fought]) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for fought in battles:
            if not self._begun:
                writer.writerow(headings(fought))
                self._begun = True
            writer.writerow(cells(fought))
        return text.getvalue()


def _reason(fault: Exception) -> str:
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault)


def _unwritten(path: Path, fault: OSError) -> BadValue:
    return BadValue(f"this file could not be written to its end ({_reason(fault)})", given=path)


def _as_json_lines(battles: Sequence[Fought]) -> str:
    return "".join([json.dumps(fought.as_dict(), ensure_ascii=False) + "\n" for fought in battles])


def headings(fought: Fought) -> list[str]:
    """The columns, which are the same for all battles of a scenario."""
    figures = [f"{figure} {side}" for figure, by_side in fought.figures.items() for side in by_side]
    tolls = [f"{what} {side}" for side in fought.toll for what in ("lost", "sunk", "damaged")]
    return ["battle", "seed", "winner", "ending", "rounds", "answers", *figures, *tolls]


def cells(fought: Fought) -> Cells:
    """One battle; several things in one cell are parted by semicolons."""
    told: Cells = [fought.number, fought.seed, _winner(fought), fought.ending, fought.rounds, fought.answers]
    told += [number for by_side in fought.figures.values() for number in by_side.values()]
    for toll in fought.toll.values():
        told.append("; ".join([f"{number} {kind}" for kind, number in sorted(toll.lost.items())]))
        told += ["; ".join([name for name, fate in toll.named.items() if fate == one]) for one in ("sunk", "damaged")]
    return told


def _winner(fought: Fought) -> str:
    return (fought.winner or "nobody") if fought.over else "not over"
