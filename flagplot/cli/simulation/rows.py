"""A file with one line a battle, for spreadsheets (CSV) or programs (JSON lines). JSON lines can be continued."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from flagplot.kernel.errors import BadValue
from flagplot.simulation.battles import Fought, fought_from

Cells = list[Any]


class Rows:
    """Writes battles to a new file as they are done, or keeps none if there is no file."""

    def __init__(self, path: Path | None, file: TextIO | None, seed: int) -> None:
        self._path, self._file, self._seed = path, file, seed
        self._begun = False
        self.keep: Callable[[list[Fought]], None] | None = self._keep if file is not None else None

    @classmethod
    @contextmanager
    def open(cls, given: str | None, seed: int, *, resume: bool) -> Iterator[Rows]:
        """The file is made at once, so that nobody waits for battles which cannot be written down; or the one that is
        there is continued. `seed` is that of all battles, which stands in each of the JSON lines."""
        if given is None:
            yield cls(None, None, seed)
            return
        path = Path(given).expanduser()
        if path.suffix not in (".csv", ".jsonl"):
            raise BadValue("--out is of no known kind", given=given, allowed=["a file.csv", "a file.jsonl"])
        try:
            file = path.open("a" if resume else "x", encoding="utf8", newline="")
        except FileExistsError:
            allowed = ["a new name", *["--resume to continue it"] * (path.suffix == ".jsonl")]
            raise BadValue("a file of this name exists already", given=given, allowed=allowed) from None
        except (OSError, ValueError) as fault:
            raise BadValue(f"this file cannot be written ({_reason(fault)})", given=given) from fault
        try:
            yield cls(path, file, seed)
        finally:
            try:
                file.close()
            except OSError as fault:
                raise _unwritten(path, fault) from fault

    def _keep(self, battles: list[Fought]) -> None:
        assert self._file is not None
        assert self._path is not None
        lines = self._as_csv(battles) if self._path.suffix == ".csv" else self._as_json_lines(battles)
        try:
            self._file.write(lines)
            self._file.flush()
        except OSError as fault:
            raise _unwritten(self._path, fault) from fault

    def _as_json_lines(self, battles: Sequence[Fought]) -> str:
        lines = [fought.as_dict() | {"luck": fought.luck, "from_seed": self._seed} for fought in battles]
        return "".join([json.dumps(line, ensure_ascii=False) + "\n" for line in lines])

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


class Begun(NamedTuple):
    """What a file of JSON lines holds: the seed of all its battles, and these."""

    seed: int
    battles: list[Fought]


def begun(given: str | None) -> Begun | None:
    """What was written before, up to the first battle that is missing; None if there is no such file yet. A last line
    that was not written to its end is taken away."""
    path = Path(given or "").expanduser()
    if path.suffix != ".jsonl":
        raise BadValue("--resume continues a file of JSON lines", given=given, allowed=["--out file.jsonl"])
    if not path.exists():
        return None
    try:
        text = path.read_bytes().decode()
        whole = text[: text.rfind("\n") + 1]
        lines = [json.loads(line) for line in whole.splitlines()]
        battles = [fought_from(line) for line in lines]
        seeds = {line["from_seed"] for line in lines}
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise BadValue("this is no file that --out has written", given=given) from fault
    if not battles:
        return None
    if len(seeds) > 1 or [one.number for one in battles] != list(range(1, len(battles) + 1)):
        raise BadValue("the battles of this file are not those of one simulation, one after the other", given=given)
    if len(whole) < len(text):
        path.write_bytes(whole.encode())
    return Begun(seeds.pop(), battles)


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
