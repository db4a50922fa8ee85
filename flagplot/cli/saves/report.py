"""`flagplot report`: a saved battle on one page, as plain text that can be pasted into a letter, or as data."""

from __future__ import annotations

from pathlib import Path

from flagplot.cli.failures import DONE
from flagplot.cli.output import print_json
from flagplot.cli.saves.readers import read_saved
from flagplot.report.gathering import gathered
from flagplot.report.page import page


def report(file: str, given: str | None, *, as_json: bool) -> int:
    """`flagplot report`."""
    game, notices, reader = read_saved(file, given)
    found = gathered(game, reader, Path(file).name) | {"notices": notices}
    if as_json:
        print_json(found)
    else:
        print("\n".join(page(found)))
    return DONE
