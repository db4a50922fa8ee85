"""A chart of luck: for each side, what its dice gave and what was to be expected of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flagplot.draw.chart_page import Page, drawn
from flagplot.draw.chart_panels import Bars, Row
from flagplot.draw.picture import Picture
from flagplot.odds.luck import Balance, as_far_off

if TYPE_CHECKING:
    from flagplot.odds.luck import Luck

HEADS = ("result", "expected", "fair dice")


def draw_luck(found: Luck) -> Picture:
    """A bar says how many games with fair dice are at least this far off: a short one stands for unusual luck."""
    panels = [
        Bars(f"{side}: {found.in_all(side):+.2f} standard deviations", tuple(map(_row, units, units.values())), HEADS)
        for side in found.sides
        if (units := found.balances(side))
    ]
    hint = "A bar shows how many games with fair dice are at least this far off, either way."
    return drawn(Page("Luck", [hint] if panels else ["No rolls to judge."], panels, []), None)


def _row(unit: str, total: Balance) -> Row:
    share = as_far_off(total.deviations)
    cells = (f"{float(total.amount):g}", f"{float(total.expected):.2f}", f"{100 * share:.0f} %")
    return Row(f"{unit} ({total.rolls} roll{'s' * (total.rolls != 1)})", share, cells)
