"""Tables that were pasted: CSV, tabs or Markdown, one row a force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flagplot.builder.pieces import Statement


def tables_read(statements: Iterable[Statement]) -> Iterator[Statement]:
    """The statements, with the rows of tables turned into statements."""
    yield from statements
