"""Charts of arenas: how often each player was ahead of each other one, scenario by scenario, with what is uncertain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flagplot.draw.chart_page import Page, drawn, told
from flagplot.draw.chart_panels import Bars, Row
from flagplot.draw.picture import Picture
from flagplot.library import described
from flagplot.simulation.arena.standings import MIXED, Record
from flagplot.simulation.intervals import between, percent

if TYPE_CHECKING:
    from flagplot.simulation.arena import Arena

HEADS = ("share", "95 % interval", "margin")
STANDING = ("share", "95 % interval", "Elo")


def draw_arena(found: Arena) -> Picture:
    """A chart of an arena."""
    return drawn(page_of(found), None)


def text_of(found: Arena) -> str:
    """What came of an arena in words."""
    return told(page_of(found))


def page_of(found: Arena) -> Page:
    players = " against ".join(found.players) if len(found.players) == 2 else ", ".join(found.players)
    panels = [_standing(found), *[_meeting(found, *pair) for pair in found.schedule.pairs]] if found.games else []
    about = [conditions(found), *[cut_short(found)] * bool(found.stopped)]
    hint = f"{share_words(found)} Margin: mean and standard error."
    return Page(f"Arena: {players}", about, panels, [], [("bar", "share"), ("interval", "95 % interval")], hint)


def conditions(found: Arena) -> str:
    """What was played."""
    each = f"{found.schedule.games:,} of each pair in each scenario, from seed {found.schedule.seed}"
    readings = ", ".join([f"{name}={str(value).lower()}" for name, value in found.schedule.options.items()])
    return f"{len(found.games):,} games, {each}.{f' Options: {readings}.' * bool(readings)}{_bids(found)}"


def _bids(found: Arena) -> str:
    """`` Bids: midway 16 naval factors for the United States.``; nothing if none count."""
    given = [(ground.name, ground.bid) for ground in found.schedule.grounds if ground.bid is not None]
    words = [f"{name} {bid.given(_named(name, bid.side))}" for name, bid in given if bid.amount]
    return f" Bids: {', '.join(words)}." if words else ""


def _named(scenario: str, side: str) -> str:
    names: dict[str, str] = {one["id"]: one["name"] for one in described(scenario)["sides"]}
    return names[side]


def share_words(found: Arena) -> str:
    """What a share counts."""
    if any([ground.bid for ground in found.schedule.grounds]):
        return "Share: of games with somebody ahead, how often the player's margin was greater after the bid."
    return "Share: of games with somebody ahead, how often the player won or, with no winner, lost less."


def cut_short(found: Arena) -> str:
    return f"Fewer than {found.wanted:,} games: {found.stopped}. This is the answer so far."


def _standing(found: Arena) -> Bars:
    ratings = found.ratings
    rows = [
        _row(player, found.record(player), elo(ratings[player].elo, ratings[player].low)) for player in found.best_first
    ]
    return Bars("Standing", tuple(rows), STANDING)


def _meeting(found: Arena, one: str, other: str) -> Bars:
    records = {place: found.record(one, against=other, scenario=place) for place in found.scenarios}
    rows = [_row(place, record, margin(record)) for place, record in records.items() if record.games]
    return Bars(f"{one} against {other}", tuple(rows), HEADS)


def _row(label: str, record: Record, last: str) -> Row:
    cells = (percent(record.share), between(record.low, record.high), last)
    return Row(label, record.share, cells, interval=(record.low, record.high))


def margin(record: Record) -> str:
    """The mean and its standard error; margins of different units have no mean."""
    if record.unit == MIXED:
        return "–"
    return f"{record.margin:+.1f} ± {record.margin_error:.1f}"


def elo(rating: float, low: float | None) -> str:
    """A rating and how far it may be off with 95 %."""
    return f"{rating:+.0f}" if low is None else f"{rating:+.0f} ± {rating - low:.0f}"
