"""Making a table: choose a scenario, or bring one in a file, which is checked with all its faults shown; options; who
plays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from fastapi.responses import RedirectResponse, Response
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from flagplot import library
from flagplot.kernel.errors import Fault, FlagplotError, ScenarioError
from flagplot.kernel.options import Reading, describe
from flagplot.table.guard.quotas import NoRoom, TooManyTables, network_of
from flagplot.table.guard.uploads import read_toml
from flagplot.table.info import HOTSEAT, PERSON
from flagplot.table.lobby.battles import cards
from flagplot.table.pages import page
from flagplot.table.reader import tables_of
from flagplot.table.seats.cookies import keep_links, keep_token

ME, FRIEND = "me", "friend"
BOTH, NONE = "both", "none"
AGAINST = {
    "doctrine": "The staff, a captain: plays by the book",
    "commodore": "The staff, a commodore: looks ahead",
    "admiral": "The staff, an admiral: looks further ahead, a few seconds a decision",
    "fleet": "The staff of a fleet: takes its time, ten seconds a decision",
    "ensign": "The staff, an ensign: makes mistakes",
    FRIEND: "A friend, by a link",
    "random": "The staff, picking at random",
}
"""Who may play the other side."""
router = APIRouter(include_in_schema=False)


@dataclass(slots=True)
class Draft:
    """A table that is being set up: the scenario, and what was chosen so far."""

    data: Mapping[str, Any]
    name: str = ""
    """The scenario, if it comes with Flagplot."""
    text: str = ""
    """Else its text."""
    side: str = ""
    """The side of whoever makes the table; BOTH at one screen, NONE to watch."""
    against: str = ""
    seats: dict[str, str] = field(default_factory=dict)
    """Who plays each side, if that is said side by side."""
    options: dict[str, str | bool] = field(default_factory=dict)
    title: str = ""
    my_name: str = ""

    @property
    def sides(self) -> list[tuple[str, str]]:
        return [(side["id"], side["name"]) for side in self.data["sides"]]

    @property
    def readings(self) -> list[Reading]:
        return describe(type(library.ruleset(self.data["game"]).options))

    @property
    def my_side(self) -> str:
        return self.side or self.sides[0][0]

    @property
    def opponent(self) -> str:
        return self.against or "doctrine"

    def who(self, side: str) -> str:
        """Who plays a side: I play mine, or both; my opponent plays the rest."""
        return self.seats.get(side) or (ME if self.my_side in (side, BOTH) else self.opponent)

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


@router.get("/new")
def choose(request: Request) -> Response:
    """Choose a scenario."""
    return page(request, "new.html", shelves=cards(), faults=[], problem="", text="")


@router.get("/new/{name}")
def set_up(request: Request, name: str, opponent: Annotated[str, Query(alias="with", max_length=20)] = "") -> Response:
    """Choose who plays a scenario that comes with Flagplot."""
    if name not in library.scenario_names():
        raise HTTPException(404, "There is no such battle here. The first page lists them all.")
    draft = _named(name)
    draft.against = opponent if opponent in AGAINST else ""
    return _set_up(request, draft)


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
    return page(request, "new.html", status=422, shelves=cards(), faults=error.faults, problem=problem, text=text)


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
    tables = tables_of(request)
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
    response = RedirectResponse(f"/table/{created.game}/{'seats' if others or not mine else 'briefing'}", 303)
    keep_token(request, response, f"host-{created.game}", created.host_token)
    if mine:
        token = created.tokens[mine[0]]
        tables.join(token, name=draft.my_name)
        keep_token(request, response, f"seat-{created.game}", token)
    if others:
        keep_links(request, response, created.game, [side for side, _ in draft.sides], others)
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
    draft.side, draft.against = _text(form, "side"), _text(form, "against")
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
    status = 422 if problem else 200
    return page(request, "new_table.html", status=status, draft=draft, against=AGAINST, problem=problem, faults=faults)
