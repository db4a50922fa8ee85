"""Making tables, joining them, and who sits where.

- `/new`: choose a scenario, or bring one in a file, which is checked with all its faults shown; options; who plays.
- `/join`: the page of a link. The secret stands behind the `#`, so no log and no other site ever sees it; the page's
  script posts it.
- `/table/ID/seats`: who sits where, the links to give away, replacing a link, handing a seat over.
- `/tables`: the tables that this browser sits at.

A browser keeps a seat in the cookie `seat-ID`, and the rights of the host in `host-ID`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, File, Form, Request, UploadFile
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from flagplot import library
from flagplot.kernel.errors import Fault, FlagplotError, ScenarioError
from flagplot.kernel.options import Reading, describe
from flagplot.kernel.ruleset import NEUTRAL
from flagplot.table.info import HOTSEAT, PERSON, Messenger, Seat, Table
from flagplot.table.page_words import deletion_told, moment_in_words
from flagplot.table.pages import page
from flagplot.table.quotas import NoRoom, TooManyTables, network_of
from flagplot.table.refusals import NoSuchSeat, NotAllowed
from flagplot.table.uploads import read_toml
from flagplot.table.visitors import cookie, cookies_of

if TYPE_CHECKING:
    from flagplot.table.tables import Tables

ME, FRIEND = "me", "friend"
WHO = {
    ME: "Me",
    FRIEND: "A friend, by a link",
    "doctrine": "The program: plays sensibly",
    "random": "The program: plays at random",
}
"""Who may play a side. If all are me, it is one screen for both: a hot-seat."""
GAME = re.compile("g[a-z2-7]{10}")
TOKEN = re.compile(r"[\w-]{20,100}", re.ASCII)
MOST_TABLES = 100
router = APIRouter(include_in_schema=False)


def service(request: Request) -> Tables:
    """The tables of this server."""
    found: Tables = request.app.state.tables
    return found


# --- a new table --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Draft:
    """A table that is being set up: the scenario, and what was chosen so far."""

    data: Mapping[str, Any]
    name: str = ""
    """The scenario, if it comes with Flagplot."""
    text: str = ""
    """Else its text."""
    seats: dict[str, str] = field(default_factory=dict)
    options: dict[str, str | bool] = field(default_factory=dict)
    title: str = ""
    my_name: str = ""

    @property
    def sides(self) -> list[tuple[str, str]]:
        return [(side["id"], side["name"]) for side in self.data["sides"]]

    @property
    def readings(self) -> list[Reading]:
        return describe(type(library.ruleset(self.data["game"]).options))

    def who(self, side: str) -> str:
        """Who plays a side: as chosen, else the first one is mine and the program plays the others."""
        return self.seats.get(side) or (ME if side == self.sides[0][0] else "doctrine")

    def chosen(self, reading: Reading) -> str | bool:
        """As chosen, else as the scenario has it, else as usual."""
        given = self.data.get("options", {})
        usual: str | bool = given.get(reading.name, reading.default) if isinstance(given, Mapping) else reading.default
        return self.options.get(reading.name, usual)

    @property
    def holders(self) -> dict[str, str]:
        """The same as the service has it."""
        mine = [side for side, _ in self.sides if self.who(side) == ME]
        kinds = {ME: HOTSEAT if len(mine) > 1 else PERSON, FRIEND: PERSON}
        return {side: kinds.get(self.who(side), self.who(side)) for side, _ in self.sides}


SHELVES = {
    "naval-battle": "Naval battles",
    "operation": "Operations on a map",
    "air-phase": "Air battles",
    "base-attack": "Air battles",
    "air-turn": "Turns on a map",
}
"""What the kinds of scenario of *A World at War* are called."""


@cache
def _shelves() -> list[tuple[str, list[dict[str, Any]]]]:
    """The scenarios that come with Flagplot, by game and kind; the one to start with is the first."""
    shelves: dict[str, list[dict[str, Any]]] = {title: [] for title in SHELVES.values()}
    for name in sorted(library.scenario_names(), key=lambda one: one != "first-battle"):
        kind = library.read_scenario(name).get("kind", "")
        told = library.described(name)
        game = library.ruleset(told["game"]).title
        shelves.setdefault(SHELVES.get(kind, "") if told["game"] == "awaw" else game, []).append(told)
    return [(title or "More battles", found) for title, found in shelves.items() if found]


@router.get("/new")
def choose(request: Request) -> Response:
    """Choose a scenario."""
    return page(request, "new.html", shelves=_shelves(), faults=[], problem="", text="")


@router.get("/new/{name}")
def set_up(request: Request, name: str) -> Response:
    """Choose who plays a scenario that comes with Flagplot."""
    if name not in library.scenario_names():
        raise HTTPException(404, "There is no such scenario here. All that there are stand on the page New table.")
    return _set_up(request, _named(name))


@router.post("/new/file")
def bring(request: Request, file: UploadFile | None = File(None), text: str = Form("")) -> Response:  # noqa: B008
    """A scenario in a file or as text: checked, and then set up."""
    try:
        draft = _brought(_uploaded(file) or text)
    except ScenarioError as error:
        return _faulty(request, error, "" if file and file.filename else text)
    return _set_up(request, draft)


def _faulty(request: Request, error: ScenarioError, text: str = "") -> Response:
    """The page of all battles, with all that is wrong with a scenario that was brought."""
    number = len(error.faults)
    problem = f"your scenario has {number} fault{'s' * (number != 1)}"
    return page(request, "new.html", status=422, shelves=_shelves(), faults=error.faults, problem=problem, text=text)


@router.post("/new")
async def make(request: Request) -> Response:
    """Make the table, sit down at it, and show the links or the table."""
    from starlette.concurrency import run_in_threadpool

    form = await request.form()
    return await run_in_threadpool(_make, request, form)


def _make(request: Request, form: FormData) -> Response:
    try:
        draft = _brought(_text(form, "text")) if _text(form, "text") else _named(_text(form, "scenario"))
    except ScenarioError as error:
        return _faulty(request, error, _text(form, "text"))
    _fill_in(draft, form)
    tables = service(request)
    try:
        created = tables.create(
            draft.name or draft.data,
            options=draft.options,
            seats=draft.holders,
            title=draft.title,
            network=network_of(request.scope),
        )
    except (TooManyTables, NoRoom):
        raise
    except FlagplotError as error:
        faults = error.faults if isinstance(error, ScenarioError) else ()
        return _set_up(request, draft, str(error) if not faults else error.message, faults)
    mine = [side for side, _ in draft.sides if draft.who(side) == ME]
    others = {side: token for side, token in created.tokens.items() if side not in mine}
    response = RedirectResponse(f"/table/{created.game}" + "/seats" * bool(others or not mine), 303)
    _keep(request, response, f"host-{created.game}", created.host_token)
    if mine:
        token = created.tokens[mine[0]]
        tables.join(token, name=draft.my_name)
        _keep(request, response, f"seat-{created.game}", token)
    if others:
        _keep_links(request, response, created.game, [side for side, _ in draft.sides], others)
    return response


def _named(name: str) -> Draft:
    if name not in library.scenario_names():
        raise ScenarioError(name[:60], [Fault("scenario", "there is no such scenario here")])
    return Draft(library.read_scenario(name), name=name)


def _uploaded(file: UploadFile | None) -> str:
    """The text of an uploaded file; its size was limited before it came here."""
    if file is None or not file.filename:
        return ""
    content = file.file.read()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ScenarioError(file.filename[:60], [Fault("the file", "this is not text in UTF-8")]) from None


def _brought(text: str) -> Draft:
    """A scenario from its text, TOML or JSON, with all that is wrong with it."""
    label = "your scenario"
    if not text.strip():
        raise ScenarioError(label, [Fault("the file", "it is empty: choose a file, or paste its text")])
    try:
        data = json.loads(text) if text.lstrip().startswith("{") else read_toml(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as fault:
        kind = "JSON" if text.lstrip().startswith("{") else "TOML"
        raise ScenarioError(label, [Fault("the file", f"this is not {kind}: {fault}")]) from None
    try:
        library.load(data, seed=0)
    except ScenarioError as error:
        raise ScenarioError(label, error.faults) from error
    except FlagplotError as error:
        raise ScenarioError(label, [Fault("the file", str(error))]) from error
    except Exception as fault:  # whatever a stranger's file can do to the checks, it is no fault of the server
        raise ScenarioError(label, [Fault("the file", f"it cannot be checked ({type(fault).__name__})")]) from fault
    return Draft(data, text=text)


def _fill_in(draft: Draft, form: FormData) -> None:
    """What was chosen in the form; what is none of the choices is left for the service to refuse."""
    for side, _ in draft.sides:
        draft.seats[side] = _text(form, f"seat.{side}")
    for reading in draft.readings:
        given = _text(form, f"option.{reading.name}")
        words = {str(value).lower(): value for value in reading.alternatives}
        if given and words.get(given, given) != draft.chosen(reading):
            draft.options[reading.name] = words.get(given, given)
    draft.title, draft.my_name = _text(form, "title"), _text(form, "name")


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def _set_up(request: Request, draft: Draft, problem: str = "", faults: Any = ()) -> Response:
    game = library.ruleset(draft.data["game"])
    status = 422 if problem else 200
    return page(
        request, "new_table.html", status=status, draft=draft, who=WHO, game=game, problem=problem, faults=faults
    )


# --- joining ------------------------------------------------------------------------------------------------------


@router.get("/join")
def invitation(request: Request) -> Response:
    """The page of a link: its script knows the rest."""
    return page(request, "join.html", problem="")


@router.post("/join/look")
def look_at_invitation(request: Request, token: str = Form("")) -> Response:
    """What a link opens, before somebody sits down."""
    tables = service(request)
    seat = tables.seat(_token(token))
    table = tables.table(seat.game)
    return page(request, "invitation.html", seat=seat, table=table, names=side_names(tables, table))


@router.post("/join")
def join(request: Request, token: str = Form(""), name: str = Form("")) -> Response:
    """Sit down. The page of the table then adds the browser's random bytes to the dice: not before it has seen
    what the server is committed to."""
    tables = service(request)
    own = _token(token)
    try:
        seat = tables.seat(own)
        if seat.sides:
            seat = tables.join(own, name=name)
    except NoSuchSeat as error:
        return page(request, "join.html", status=404, problem=_sentence(error))
    response = RedirectResponse(f"/table/{seat.game}" + "/seats" * (not seat.sides), 303)
    _keep(request, response, f"{'seat' if seat.sides else 'host'}-{seat.game}", own)
    return response


def _token(given: str) -> str:
    """The secret of a link, or of a whole address that somebody pasted."""
    own = given.strip().rpartition("#")[2]
    if not TOKEN.fullmatch(own):
        raise NoSuchSeat
    return own


def _sentence(error: FlagplotError) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."


# --- seats --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rights:
    """What this browser may do at a table."""

    table: Table
    seat: Seat | None
    token: str
    host: str
    """The host's token, if this browser has it."""

    @property
    def sides(self) -> tuple[str, ...]:
        return self.seat.sides if self.seat else ()


@dataclass(frozen=True, slots=True)
class Refused:
    """What somebody typed into the form of calls, and why it was not taken."""

    side: str
    webhook: str
    email: str
    words: str


def rights_of(request: Request, game: str) -> Rights:
    """What this browser may do at a table; NotAllowed if it has no seat there."""
    if not GAME.fullmatch(game):
        raise NoSuchSeat("there is no such table here")
    tables, known = service(request), cookies_of(request.scope)
    seat, host = None, ""
    token = known.get(f"seat-{game}", "")
    if token:
        seat = _opened(tables, token, game)
    if known.get(f"host-{game}") and _opened(tables, known[f"host-{game}"], game):
        host = known[f"host-{game}"]
    if seat is None and not host:
        raise NotAllowed("this browser has no seat at that table: open the link that you were given")
    return Rights(tables.table(game), seat, token if seat else "", host)


def _opened(tables: Tables, token: str, game: str) -> Seat | None:
    try:
        seat = tables.seat(token)
    except NoSuchSeat:
        return None
    return seat if seat.game == game else None


def side_names(tables: Tables, table: Table) -> dict[str, str]:
    """The sides of a table by their names for people."""
    usual = {side: side.replace("-", " ").capitalize() for side in table.sides}
    try:
        return usual | tables.look(table.id, NEUTRAL).view.sides
    except FlagplotError:  # a table of older rules cannot be looked at
        return usual


@router.get("/table/{game}/seats")
def seats(request: Request, game: str) -> Response:
    """Who sits where, and the links."""
    return seats_page(request, rights_of(request, game), links_of(request, game))


def seats_page(
    request: Request, rights: Rights, links: Mapping[int, str], given_away: str = "", refused: Refused | None = None
) -> Response:
    base = _base(request)
    table, tables = rights.table, service(request)
    known = {side: f"{base}/join#{links[place]}" for place, side in enumerate(table.sides) if place in links}
    return page(
        request,
        "seats.html",
        status=422 if refused else 200,
        table=table,
        rights=rights,
        names=side_names(tables, table),
        calls=_calls(tables, rights),
        requests={} if table.readonly else {one.side: one for one in tables.seat_requests(table.id)},
        absence_days=tables.absence_days,
        moment_in_words=moment_in_words,
        has_mail=tables.has_mail,
        refused=refused,
        links=known,
        own=f"{base}/join#{rights.token}" if rights.token else "",
        host=f"{base}/join#{rights.host}" if rights.host else "",
        watch=f"{base}/watch/{table.public_id}",
        given_away=given_away,
        deletion=deletion_told(tables.deletion(table.id), f"/table/{table.id}"),
    )


def _calls(tables: Tables, rights: Rights) -> dict[str, Messenger]:
    """How this browser's own sides want to be called; nobody is called when the game is over."""
    if rights.table.readonly or rights.table.finished:
        return {}
    return {side: tables.messenger(rights.table.id, side) for side in rights.sides}


@router.post("/table/{game}/seats/replace")
def replace(request: Request, game: str, side: str = Form("")) -> Response:
    """A new link for a side; the old one is dead. Whoever replaces his own keeps his seat."""
    rights, tables = rights_of(request, game), service(request)
    own = side in rights.sides
    fresh = tables.replace_link(rights.token if own else rights.host, side)
    response = RedirectResponse(f"/table/{game}/seats", 303)
    if own:
        tables.join(fresh, name=rights.seat.name if rights.seat else "")
        _keep(request, response, f"seat-{game}", fresh)
    elif fresh:  # else he has to wait for an answer
        links = {**links_of(request, game), rights.table.sides.index(side): fresh}
        _keep_indexed(request, response, game, links)
    return response


@router.post("/table/{game}/seats/leave")
def leave(request: Request, game: str, side: str = Form("")) -> Response:
    """Hand one's own seat over: a new link for somebody else, and this browser knows the seat no more."""
    rights = rights_of(request, game)
    if side not in rights.sides:
        raise NotAllowed("only who holds a seat can hand it over")
    fresh = service(request).leave(rights.token, side)
    rest = Rights(rights.table, None, "", rights.host)
    response = seats_page(request, rest, {}, given_away=f"{_base(request)}/join#{fresh}")
    _forget(request, response, f"seat-{game}")
    return response


@router.post("/table/{game}/seats/give")
def give(request: Request, game: str, side: str = Form(""), holder: str = Form("")) -> Response:
    """The host gives a seat to a person or to a player of the program; if somebody has joined there, he asks for it."""
    rights = _host_of(request, game)
    fresh = service(request).hand_over(rights.host, side, holder)
    response = RedirectResponse(f"/table/{game}/seats", 303)
    links = {place: token for place, token in links_of(request, game).items() if rights.table.sides[place] != side}
    _keep_indexed(request, response, game, links | ({rights.table.sides.index(side): fresh} if fresh else {}))
    return response


@router.post("/table/{game}/seats/settle")
def settle(request: Request, game: str, side: str = Form(""), yes: str = Form("no")) -> Response:
    """The holder of a seat that the host asks for allows it or declines."""
    rights = rights_of(request, game)
    if side not in rights.sides:
        raise NotAllowed("only who holds a seat can give it up")
    service(request).settle_seat_request(rights.token, side, yes == "yes")
    if yes != "yes":
        return RedirectResponse(f"/table/{game}", 303)
    words = "Thank you for playing. This browser no longer opens it; you can watch the game by the table's public link."
    response = page(request, "problem.html", title="You have given up your seat", words=words)
    _forget(request, response, f"seat-{game}")
    return response


@router.post("/table/{game}/seats/withdraw")
def withdraw(request: Request, game: str, side: str = Form("")) -> Response:
    """The host asks for a seat no more."""
    service(request).withdraw_seat_request(_host_of(request, game).host, side)
    return RedirectResponse(f"/table/{game}/seats", 303)


@router.post("/table/{game}/seats/carry-out")
def carry_out(request: Request, game: str, side: str = Form("")) -> Response:
    """The host gives a seat away whose holder has stayed away for long enough."""
    rights = _host_of(request, game)
    fresh = service(request).carry_out_seat_request(rights.host, side)
    response = RedirectResponse(f"/table/{game}/seats", 303)
    if fresh:
        _keep_indexed(request, response, game, {**links_of(request, game), rights.table.sides.index(side): fresh})
    return response


def _host_of(request: Request, game: str) -> Rights:
    rights = rights_of(request, game)
    if not rights.host:
        raise NotAllowed("only the host of the table may give seats away")
    return rights


@router.post("/table/{game}/forget")
def forget(request: Request, game: str) -> Response:
    """This browser forgets a table; who has its link can come back."""
    response = RedirectResponse("/tables", 303)
    if GAME.fullmatch(game):
        for kind in ("seat", "host"):
            _forget(request, response, f"{kind}-{game}")
    return response


# --- my tables ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mine:
    """A table that this browser sits at, or made."""

    table: Table
    seat: Seat | None
    names: Mapping[str, str]

    @property
    def my_turn(self) -> bool:
        return bool(self.seat and self.table.waiting_for in self.seat.sides)

    @property
    def state(self) -> str:
        """Whose turn it is, in words."""
        if self.table.finished:
            return "over"
        if self.table.readonly:
            return "of older rules"
        if self.my_turn:
            return "your turn"
        asked = self.table.waiting_for
        return f"waiting for {self.names.get(asked, asked)}" if asked else "going on"


@router.get("/tables")
def my_tables(request: Request) -> Response:
    """The tables of this browser, those first where it is its turn."""
    tables = service(request)
    found, gone = dict[str, Mine](), list[str]()
    for name, token in sorted(cookies_of(request.scope).items(), reverse=True)[: 2 * MOST_TABLES]:
        kind, _, game = name.partition("-")
        if kind not in ("seat", "host") or not GAME.fullmatch(game) or game in found:
            continue
        seat = _opened(tables, token, game)
        if seat is None:
            gone += [game] * (kind == "seat")
            continue
        table = tables.table(game)
        found[game] = Mine(table, seat if seat.sides else None, side_names(tables, table))
    ordered = sorted(found.values(), key=lambda one: (not one.my_turn, one.table.finished, -one.table.created))
    lost = [game for game in gone if game not in found]
    response = page(request, "tables.html", mine=ordered, gone=lost)
    for game in lost:  # it is told once
        _forget(request, response, f"seat-{game}")
    return response


# --- cookies ------------------------------------------------------------------------------------------------------


def _keep(request: Request, response: Response, name: str, token: str) -> None:
    response.headers.append("Set-Cookie", cookie(request.scope, name, token))


def _forget(request: Request, response: Response, name: str) -> None:
    response.headers.append("Set-Cookie", cookie(request.scope, name, "", days=0))


def links_of(request: Request, game: str) -> dict[int, str]:
    """The links that this browser made and may still give away, by the place of their side."""
    text = cookies_of(request.scope).get(f"links-{game}", "")
    pairs = [piece.partition("~") for piece in text.split(".")]
    return {
        int(place): token for place, _, token in pairs if place.isdigit() and len(place) < 3 and TOKEN.fullmatch(token)
    }


def _keep_links(request: Request, response: Response, game: str, sides: list[str], tokens: Mapping[str, str]) -> None:
    _keep_indexed(request, response, game, {sides.index(side): token for side, token in tokens.items()})


def _keep_indexed(request: Request, response: Response, game: str, links: Mapping[int, str]) -> None:
    text = ".".join([f"{place}~{token}" for place, token in links.items()])
    made = cookie(request.scope, f"links-{game}", text, days=14 if text else 0, path=f"/table/{game}/seats")
    response.headers.append("Set-Cookie", made)


def _base(request: Request) -> str:
    address: str = request.app.state.settings.address
    return address.rstrip("/") or str(request.base_url).rstrip("/")
