"""Hexes drawn as text: one sign a hex with a blank between, every second row shifted by one blank."""

from __future__ import annotations

import re
from collections import Counter

from flagplot.awaw.mapboard.board import OFF_MAP
from flagplot.kernel.errors import Fault, quoted

WIDEST = 200
"""Columns and rows of the largest map."""


class Grid:
    """A drawing taken apart: the signs of each row, and where they stand for a message."""

    def __init__(self, what: str, text: str, first_line: int, faults: list[Fault]) -> None:
        self.what, self.faults = what, faults
        lines = text.rstrip().splitlines()
        while lines and not lines[0].strip():
            lines.pop(0)
            first_line += 1
        self.first_line = first_line
        self.indent = min((len(line) - len(line.lstrip()) for line in lines), default=0)
        self.rows = [self._row(number, line.rstrip()) for number, line in enumerate(lines)]
        self._even()

    def place(self, row: int, column: int | None = None) -> str:
        """Where a sign stands: line and column of the file, both counted from 1."""
        where = f"{self.what}, line {self.first_line + row}"
        return where if column is None else f"{where}, column {self.indent + row % 2 + 2 * column + 1}"

    def _row(self, number: int, line: str) -> str:
        line = line[self.indent :]
        wanted, found = number % 2, len(line) - len(line.lstrip())
        if found != wanted:
            needed = "one blank more than the first row" if wanted else "as far left as the first row"
            message = f"every second row is shifted: this one should begin {needed}"
            self.faults.append(Fault(self.place(number), message))
        line = line.lstrip()
        for place, sign in enumerate(line):
            if sign.isspace() == (place % 2 == 0):
                at = f"{self.what}, line {self.first_line + number}, column {self.indent + found + place + 1}"
                wrong = "a sign is missing here" if sign.isspace() else f"{quoted(sign)} stands where a blank should be"
                self.faults.append(Fault(at, f"{wrong}: one sign a hex, with one blank between"))
                return "".join(line.split())
        return line[::2]

    def _even(self) -> None:
        """All rows should be as long as most of them."""
        lengths = Counter(map(len, self.rows))
        usual = max(lengths, key=lambda length: (lengths[length], length), default=0)
        for number, row in enumerate(self.rows):
            if len(row) != usual:
                message = f"this row has {len(row)} hexes, the others have {usual}; “{OFF_MAP}” stands for no hex"
                self.faults.append(Fault(self.place(number), message))
        if not usual:
            self.faults.append(Fault(self.what, "nothing is drawn here"))
        if usual > WIDEST or len(self.rows) > WIDEST:
            self.faults.append(Fault(self.what, f"a map has at most {WIDEST} rows and columns"))


def line_of(text: str, number: int) -> int:
    """The line of the file on which the drawing begins: the first one is the map's, the second the fronts'."""
    found = list(re.finditer(r"^[ \t]*drawing[ \t]*=[ \t]*(\"\"\"|''')(\r?\n)?", text, re.MULTILINE))
    if len(found) <= number:
        return 1
    return text.count("\n", 0, found[number].end()) + 1
