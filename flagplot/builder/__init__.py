"""Battles in plain text: `read` makes a scenario of what players write, `write` writes a scenario so."""

from flagplot.builder.building import BuildError, BuiltBattle, build
from flagplot.builder.reading import read
from flagplot.builder.toml import to_toml
from flagplot.builder.totals import Total, Totals, totals
from flagplot.builder.values import Line, Note, Problem, Reading
from flagplot.builder.writing import same, write, write_line

__all__ = [
    "BuildError",
    "BuiltBattle",
    "Line",
    "Note",
    "Problem",
    "Reading",
    "Total",
    "Totals",
    "build",
    "read",
    "same",
    "to_toml",
    "totals",
    "write",
    "write_line",
]
