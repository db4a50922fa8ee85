"""`flagplot campaign`: what a saved battle leaves behind, to be carried back to the map."""

from __future__ import annotations

from flagplot.cli.failures import DONE
from flagplot.cli.output import print_json
from flagplot.cli.saves.readers import read_saved
from flagplot.kernel.errors import BadValue
from flagplot.report.campaign import campaign_sheet

FORMS = ("text", "csv", "json")


def campaign(file: str, given: str | None, form: str, *, as_json: bool) -> int:
    """`flagplot campaign`."""
    wanted = "json" if as_json else form
    if wanted not in FORMS:
        raise BadValue("no such form", given=wanted, allowed=FORMS)
    game, notices, reader = read_saved(file, given)
    sheet = campaign_sheet(game, reader)
    if wanted == "json":
        print_json(sheet.as_dict() | {"notices": notices})
    else:
        print(sheet.to_csv() if wanted == "csv" else f"{sheet}\n", end="")
    return DONE
