"""Where somebody sits at a table: by which seat, as which side, and under which address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlencode

from fastapi import Form, Query, Request
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException

from flagplot.kernel.ruleset import NEUTRAL
from flagplot.table.pages import page
from flagplot.table.refusals import NoSuchSeat, NoSuchTable
from flagplot.table.visitors import cookies_of

if TYPE_CHECKING:
    from flagplot.table.info import Seat, Table
    from flagplot.table.tables import Tables
    from flagplot.table.workers.calculator import Calculator

As = Annotated[str, Query(alias="as", max_length=80)]
"""As which of his sides the holder of several wants to look."""
AsField = Annotated[str, Form(alias="as", max_length=80)]
"""The same in a form."""
STRANGER = (
    "This browser has no seat at this table. Open the link of your seat again; if you have lost it, the table's host "
    "can make you a new one."
)
REPLACED = (
    "The link of this seat was replaced, so this browser does not open it any more. If you did that yourself, open the "
    "new link; else ask the host of the table for it. If nobody has played there for a long time, the table may have "
    "been deleted."
)


@dataclass(frozen=True, slots=True)
class Here:
    """As whom somebody looks at a table, and where. It stays the same while the game goes on."""

    base: str
    """The address of his page, to which everything of his is added."""
    side: str
    """The side as which he looks; NEUTRAL for spectators."""
    sides: tuple[str, ...] = ()
    """The sides that he holds: several in a hot-seat."""
    names: tuple[tuple[str, str], ...] = ()
    host: bool = False

    @property
    def spectator(self) -> bool:
        return self.side == NEUTRAL

    @property
    def hotseat(self) -> bool:
        return len(self.sides) > 1

    @property
    def query(self) -> str:
        """What says in an address as which side a hot-seat looks."""
        return f"?{urlencode({'as': self.side})}" if self.hotseat else ""

    @property
    def address(self) -> str:
        """The address of his page, as the side as which he looks."""
        return f"{self.base}{self.query}"

    @property
    def name(self) -> str:
        return dict(self.names).get(self.side, self.side)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(Here):
    """One who looks at a table as it is now. A spectator sits nowhere."""

    table: Table
    relinked: tuple[tuple[str, float], ...] = ()
    """The sides whose links were replaced since the table was made, and when."""

    @property
    def here(self) -> Here:
        """What stays the same of it."""
        return Here(self.base, self.side, self.sides, self.names, self.host)


def token_here(request: Request, game_id: str) -> str:
    """What this browser has for a table; nothing if it sits nowhere there."""
    return cookies_of(request.scope).get(f"seat-{game_id}", "")


def tables_of(request: Request) -> Tables:
    tables: Tables = request.app.state.tables
    return tables


def calculator_of(request: Request) -> Calculator:
    """The processes that answer questions of odds."""
    calculator: Calculator = request.app.state.calculator
    return calculator


def seat_here(request: Request, game_id: str) -> Seat:
    """The seat whose cookie this browser has for a table. A refusal never says whether the table exists."""
    token = token_here(request, game_id)
    try:
        seat = tables_of(request).seat(token) if token else None
    except NoSuchSeat:
        seat = None
    if seat is None or seat.game != game_id:
        raise HTTPException(403, REPLACED if token else STRANGER)
    return seat


def seated(request: Request, game_id: str, wanted: str = "", table: Table | None = None) -> Place:
    """The place of a seat: as the side that is wanted, if it holds that, else as its only one. Who knows the table
    already may give it; the seat is asked for every time, since its link may have been replaced."""
    seat = seat_here(request, game_id)
    if not seat.sides:
        raise HTTPException(403, "This link is the host's, who sits at no side. Open the link of a seat to play.")
    if wanted and wanted not in seat.sides:
        raise HTTPException(403, "Your seat does not hold that side.")
    table = table or tables_of(request).table(game_id)
    return Place(f"/table/{game_id}", wanted or seat.sides[0], seat.sides, host=seat.is_host, table=table)


def looking(request: Request, wanted: str = "") -> Place:
    """The place of whoever opens a page that seats and spectators share: by its address."""
    public_id = request.path_params.get("public_id")
    return watching(request, public_id) if public_id else seated(request, request.path_params["game_id"], wanted)


def said_which(request: Request, wanted: str) -> Place:
    """The same for a page on which the holder of several sides has to say as which he looks."""
    place = looking(request, wanted)
    if place.hotseat and not wanted:
        raise HTTPException(403, "Say as which side you look.")
    return place


def watching(request: Request, public_id: str) -> Place:
    """The place of a spectator."""
    try:
        table = tables_of(request).public_table(public_id)
    except NoSuchTable:
        raise HTTPException(404, "There is no such table to watch: perhaps the link is cut off.") from None
    return Place(f"/watch/{public_id}", NEUTRAL, table=table)


# --- pages of a table ---------------------------------------------------------------------------------------------


def by_script(request: Request) -> bool:
    """Whether the script of a page asks, which wants no more than a part of one."""
    return bool(request.headers.get("hx-request"))


def table_page(request: Request, place: Place, template: str, /, *, status: int = 200, **context: Any) -> HTMLResponse:
    """A page of a table, under its title."""
    return page(request, template, status=status, title=place.table.title, here=place, **context)


def card(request: Request, place: Place, name: str, /, **context: Any) -> HTMLResponse:
    """A card for a dialog; without a script, the page around it."""
    return table_page(request, place, f"{name}{'_card' * by_script(request)}.html", **context)
