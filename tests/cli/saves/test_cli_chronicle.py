"""A line of the log in the terminal says what a player would say, not what stands in the cell of a table."""

from __future__ import annotations

from flagplot.cli.saves.chronicle import lines_of
from flagplot.kernel.log import Entry

NAMES = {"japan": "Japan", "allies": "Allies"}


def read(entry: Entry, reader: str) -> str:
    return " ".join([line.text.plain for line in lines_of(entry, NAMES, "awaw", reader)])


def test_a_cell_of_a_table_is_said_in_words() -> None:
    roll = Entry("roll", "japan", "Japan: air combat", "19.2", faces=(3, 4), reading="1/2")
    assert read(roll, "allies").endswith("→ 1 eliminated, 2 aborted")
    assert read(roll._replace(reading="0/0"), "allies").endswith("→ no effect")
    assert read(roll._replace(rule="23.44", reading="2 hits"), "allies").endswith("→ 2 hits")


def test_only_its_owner_reads_your_group() -> None:
    note = Entry("note", "", "CG 5 (Japan) found", "22.452")
    assert read(note, "japan") == "Your CG 5 found (22.452)"
    assert read(note, "allies") == read(note, "umpire") == "CG 5 (Japan) found (22.452)"
