"""`flagplot table`: a printed table, or one look-up in it."""

from __future__ import annotations

from flagplot.awaw.tables import catalogue
from flagplot.cli.output import print_json, print_table


def table(name: str, level: str | None, roll: str | None, by: str | None, *, as_json: bool) -> None:
    """Print the whole table, or look one result up if anything is given to look up."""
    if level is None and roll is None and by is None:
        _whole(catalogue.table(name), as_json=as_json)
        return
    found = catalogue.look_up(name, level=level, roll=roll, by=by)
    if as_json:
        print_json(found._asdict())
        return
    print(found.result)
    for line in found.explanation:
        print(f"  {line}")


def _whole(printed: catalogue.Table, *, as_json: bool) -> None:
    if as_json:
        print_json(printed._asdict())
        return
    print(f"{printed.title} ({printed.rule})\n")
    print_table(printed.headings, printed.rows)
    if printed.notes:
        print()
    for note in printed.notes:
        print(note)
