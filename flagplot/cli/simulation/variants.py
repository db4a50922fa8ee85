"""`flagplot simulate --variants`: a table of variants, each played many times, into a table of results."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import secrets
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

from flagplot import library
from flagplot.cli.failures import DONE, INTERRUPTED, NO
from flagplot.cli.output import new_console, print_json, print_table
from flagplot.cli.screen import STRONG, Screen
from flagplot.cli.seats import read_players, read_readings, read_seed
from flagplot.cli.simulation.simulate import Given, heeding, joined_if_any, progress, read_amount
from flagplot.kernel.errors import BadValue
from flagplot.kernel.words import plural
from flagplot.simulation.intervals import percent
from flagplot.simulation.variants import Variant, play_variants, read_variants

KINDS = (".csv", ".parquet")
Rows = list[dict[str, Any]]


def simulate_variants(given: Given, table: str, *, as_json: bool) -> int:
    """`flagplot simulate --variants`."""
    wanted, processes, aim = read_amount(given.battles, given.jobs, given.error)
    if given.seconds is not None:
        raise BadValue("variants are sampled", given=f"--seconds {given.seconds}", allowed=["--variants alone"])
    document = library.read_scenario(given.scenario)
    document["options"] = {**document.get("options", {}), **read_readings(document, given.options)}
    sides = [str(side["id"]) for side in document["sides"]]
    variants = read_variants(_text_of(table), document, read_players(sides, given.players))
    seed, mark = read_seed(given.seed), _mark(document, variants, wanted, aim)
    with _journal(given.out, mark, seed, resume=given.resume) as journal:
        interrupted = threading.Event()
        left = [variant for variant in variants if variant.number not in journal.numbers]
        total = len(left) * wanted if aim is None else None
        with (
            joined_if_any(given.cluster, str(document["game"])) as workers,
            progress("battles", total, lambda: f"{len(journal.rows)} of {len(variants)} variants") as told,
            heeding(interrupted),
        ):
            for row in play_variants(
                left,
                wanted,
                seed=journal.seed,
                jobs=processes,
                cluster=workers,
                error=aim,
                stop=interrupted.is_set,
                told=lambda done, battle: told(done * wanted + battle),
            ):
                journal.add(row)
        missing = len(variants) - len(journal.rows)
        journal.finish(complete=not missing)
    if as_json:
        print_json({"seed": journal.seed, "wanted": len(variants), "variants": journal.rows, "out": given.out})
    else:
        _tell(journal.rows, sides, missing, given.out)
    return DONE if not missing else INTERRUPTED if interrupted.is_set() else NO


def _text_of(table: str) -> str:
    try:
        return Path(table).expanduser().read_text(encoding="utf8")
    except (OSError, ValueError) as fault:
        raise BadValue(
            f"this table cannot be read ({fault})", given=table, allowed=["a file.csv of changes"]
        ) from fault


def _mark(document: Mapping[str, Any], variants: Sequence[Variant], battles: int, error: float | None) -> str:
    """What a journal belongs to: another battle, table or number of battles has another mark."""
    told = json.dumps(
        [document, [variant.changes for variant in variants], battles, error], sort_keys=True, default=str
    )
    return hashlib.sha256(told.encode(errors="replace")).hexdigest()


# --- the file of results ------------------------------------------------------------------------------------------


class Journal:
    """The rows so far. With a file they are kept beside it, line by line, until all are there."""

    def __init__(self, out: Path | None, file: TextIO | None, seed: int, rows: Rows) -> None:
        self._out, self._file, self.seed, self.rows = out, file, seed, rows

    @property
    def numbers(self) -> set[int]:
        return {row["number"] for row in self.rows}

    def add(self, row: dict[str, Any]) -> None:
        self.rows.append(row)
        if self._file is not None:
            self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
            self._file.flush()

    def finish(self, *, complete: bool) -> None:
        """Write the table of results; if all are there, what was kept beside it goes."""
        if self._out is None or self._file is None:
            return
        write_rows(self._out, sorted(self.rows, key=lambda row: int(row["number"])))
        if complete:
            self._file.close()
            kept_beside(self._out).unlink()


def kept_beside(out: Path) -> Path:
    """Where the rows are kept until all are there."""
    return out.with_name(f"{out.name}.part")


@contextmanager
def _journal(out: str | None, mark: str, seed: int | None, *, resume: bool) -> Iterator[Journal]:
    if out is None:
        if resume:
            raise BadValue("--resume continues a file: name it after --out", given="--resume")
        yield Journal(None, None, secrets.randbits(32) if seed is None else seed, [])
        return
    path = Path(out).expanduser()
    if path.suffix not in KINDS:
        raise BadValue("--out is of no known kind", given=out, allowed=["a file.csv", "a file.parquet"])
    if path.suffix == ".parquet":
        _parquet_writer()
    beside = kept_beside(path)
    rows: Rows = []
    number = secrets.randbits(32) if seed is None else seed
    if resume:
        number, rows = _continued(beside, mark, seed)
    elif path.exists() or beside.exists():
        allowed = ["a new name", *["--resume to continue it"] * beside.exists()]
        raise BadValue("a file of this name exists already", given=out, allowed=allowed)
    try:
        file = beside.open("a" if resume else "x", encoding="utf8")
    except OSError as fault:
        raise BadValue(f"this file cannot be written ({fault})", given=out) from fault
    with file:
        if not resume:
            file.write(json.dumps({"mark": mark, "seed": number}) + "\n")
            file.flush()
        yield Journal(path, file, number, rows)


def _continued(beside: Path, mark: str, seed: int | None) -> tuple[int, Rows]:
    """The seed and rows of a journal; a line that was half written is left out."""
    try:
        head, *lines = beside.read_text(encoding="utf8").splitlines()
        begun, rows = json.loads(head), [json.loads(line) for line in lines if line.endswith("}")]
    except (OSError, ValueError) as fault:
        raise BadValue(
            "there is nothing to continue", given=beside, allowed=["the same command without --resume"]
        ) from fault
    if begun["mark"] != mark or seed not in (None, begun["seed"]):
        raise BadValue(
            "this file is of another battle, table or number of battles",
            given=beside,
            allowed=["the same battle, table, options and --battles"],
        )
    whole = "".join([f"{line}\n" for line in [head, *[json.dumps(row, ensure_ascii=False) for row in rows]]])
    beside.write_text(whole, encoding="utf8")
    return int(begun["seed"]), rows


def write_rows(path: Path, rows: Rows) -> None:
    """The rows as CSV or Parquet: the file is there as a whole, or as it was."""
    headings = [*dict.fromkeys([key for row in rows for key in row])]
    if not rows:
        return
    beside = path.with_name(f".{path.name}.new")
    if path.suffix == ".csv":
        with beside.open("w", encoding="utf8", newline="") as file:
            writer = csv.DictWriter(file, headings, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    else:
        _parquet_writer()(beside, {heading: [row.get(heading) for row in rows] for heading in headings})
    os.replace(beside, path)


def _parquet_writer() -> Any:
    """What writes columns as Parquet: pyarrow or polars, whichever is installed."""
    for library_, write in (("pyarrow.parquet", _by_pyarrow), ("polars", _by_polars)):
        try:
            module = import_module(library_)
        except ImportError:
            continue
        return lambda path, columns, module=module, write=write: write(module, path, columns)
    raise BadValue(
        "Parquet needs pyarrow or polars, and neither is installed: pip install pyarrow",
        given="--out",
        allowed=["a file.csv, which needs nothing"],
    )


def _by_pyarrow(module: Any, path: Path, columns: Mapping[str, list[Any]]) -> None:
    module.write_table(import_module("pyarrow").table(dict(columns)), path)


def _by_polars(module: Any, path: Path, columns: Mapping[str, list[Any]]) -> None:
    module.DataFrame(dict(columns), strict=False).write_parquet(path)


# --- what came of it ----------------------------------------------------------------------------------------------


def _tell(rows: Rows, sides: Sequence[str], missing: int, out: str | None) -> None:
    """A line a variant: who wins how often."""
    screen = Screen(new_console())
    if rows:
        print_table(
            ["variant", "battles", *[f"{side} wins" for side in sides], "95 % interval of the first"],
            [
                [
                    row["variant"],
                    f"{row['battles']:,}",
                    *[percent(row[f"{side} won"]) for side in sides],
                    f"{percent(row[f'{sides[0]} won low'])} to {percent(row[f'{sides[0]} won high'])}",
                ]
                for row in sorted(rows, key=lambda row: int(row["number"]))
            ],
        )
    if missing:
        screen.say(f"Stopped: {plural(missing, 'variant')} left. The same command with --resume continues.", STRONG)
    if out is not None and rows:
        screen.say(f"All figures: {out}")
