"""Log entries for people: who decided what, the dice with their faces, and every reason with its rule number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rich.text import Text

from flagplot.awaw.own_groups import in_own_words
from flagplot.board.model import TIE
from flagplot.cli.screen import FAINT, SIDES, STRONG, Line
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.log import Entry
from flagplot.kernel.words import say
from flagplot.report import readings

if TYPE_CHECKING:
    from flagplot.cli.saves.orders import Told

PIPS = "⚀⚁⚂⚃⚄⚅"

Names = Mapping[str, str]
"""What people call each side, in the order of the sides."""


def style_of(side: str, names: Names) -> str:
    """The colour of a side. It is never the only sign: the name stands there too."""
    return dict(zip(names, SIDES, strict=False)).get(side, "")


def with_rule(text: str, rule: str, style: str = "") -> Text:
    """Some text and, faintly, its rule number."""
    return Text.assemble((text, style), (f" ({rule})" if rule else "", FAINT))


def lines_of(entry: Entry, names: Names, game: str, reader: str = "", order: int = 0) -> list[Line]:
    """One entry of the log of a game, as its reader says it; `order` is the standing order that gave the answer, if
    any."""
    entry = entry._replace(text=in_own_words(entry.text, names.get(reader, "")))
    if entry.kind == "roll":
        return _roll(entry._replace(reading=readings.in_words(game, entry.rule, entry.reading)), names)
    if entry.kind == "choice":
        who = (f"{names.get(entry.side, entry.side)} › ", style_of(entry.side, names))
        by = (f" [by{TIE}standing{TIE}order{TIE}{order}]" if order else "", FAINT)
        return [Line(Text.assemble(who, with_rule(entry.text, entry.rule), by))]
    return [Line(with_rule(entry.text, entry.rule))]


def _roll(entry: Entry, names: Names) -> list[Line]:
    pips, digits = [PIPS[face - 1] for face in entry.faces], map(str, entry.faces)
    faces = Text(f"{' '.join(pips)}  {' '.join(digits)}  ", f"{STRONG} {style_of(entry.side, names)}")
    head = Line(Text.assemble(faces, with_rule(entry.text, entry.rule)), hang=len(faces))
    read = Line(Text.assemble(f"{_total(entry)}→ ", (entry.reading, STRONG)), indent=4)
    return [head, *reasons(entry.ledger), read]


def _total(entry: Entry) -> str:
    """What the reasons come to; with a modifier also what it makes of the dice: ``3 + 4 + 1 = 8 ``."""
    if not entry.total:
        return ""
    return f"{entry.total if entry.counts else entry.arithmetic} "


def reasons(ledger: Ledger) -> list[Line]:
    """The lines of a ledger, one below the other."""
    return [Line(with_rule(f"{line.amount:>+3d}  {say(line.words)}", line.rule), 4, 5) for line in ledger]


def news(told: Iterable[Told], reader: str) -> list[Told]:
    """Entries worth telling a side: all but what it has just answered itself, not by order."""
    return [line for line in told if line.order or not (line.entry.kind == "choice" and line.entry.side == reader)]
