"""The interface for programs: JSON over HTTP, described by OpenAPI at `/api/openapi.json`.

A seat is opened by its token, ``Authorization: Bearer TOKEN``. Everything that a side is told comes from its own view,
log and questions, as on the pages.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractContextManager, suppress
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response, status
from fastapi.responses import JSONResponse, PlainTextResponse
from fastapi.routing import APIRoute
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from flagplot import library
from flagplot.kernel.codewords import words_of
from flagplot.kernel.errors import FlagplotError, UnknownName
from flagplot.kernel.ruleset import NEUTRAL
from flagplot.table.api.models import (
    GAME,
    WATCH,
    Allowing,
    Answer,
    CallTo,
    CallTold,
    Code,
    Consent,
    HandOver,
    Joined,
    Joining,
    Link,
    LookTold,
    Made,
    News,
    NewTable,
    OrdersText,
    Pledge,
    QuestionTold,
    Refusal,
    Reveal,
    ScenarioTold,
    SeatRequestTold,
    SeatTold,
    Seen,
    TableTold,
    TakeBack,
    Taken,
    TakenBack,
    Turn,
)
from flagplot.table.battle.rendering import event_of
from flagplot.table.battle.streaming import SignsOfLife, events_of
from flagplot.table.games.lane import AHEAD, laned
from flagplot.table.guard.open_pages import TooManyPages, counted_as, pages_of
from flagplot.table.guard.quotas import network_of
from flagplot.table.info import Seat
from flagplot.table.refusals import NoSuchSeat, NotAllowed, TableError
from flagplot.table.tables import Tables

PULSE = 15
"""Seconds between signs of life of a stream."""


class Refusing(APIRoute):
    """A route that tells refusals as JSON, each with its status."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handled(request: Request) -> Response:
            try:
                return await handle(request)
            except FlagplotError as error:
                return _refused(error)

        return handled

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A method that is not there is told all that are, also those of other routes of the same path."""
        if self.methods and scope["method"] not in self.methods:
            same = [route for route in router.routes if isinstance(route, APIRoute) and route.path == self.path]
            allowed = sorted({method for route in same for method in route.methods or ()})
            raise HTTPException(405, headers={"Allow": ", ".join(allowed)})
        await super().handle(scope, receive, send)


def _refused(error: FlagplotError) -> Response:
    code = status_of(error)
    headers = {"WWW-Authenticate": "Bearer"} if code == 401 else None
    return JSONResponse({key: value for key, value in error.as_dict().items() if value is not None}, code, headers)


def status_of(error: FlagplotError) -> int:
    """The status of a refusal: what cannot be read is 422, what the rules or the moment forbid 409."""
    if isinstance(error, NoSuchSeat):
        return 401
    if isinstance(error, TableError):
        return error.status
    return 404 if isinstance(error, UnknownName) else 409


REFUSALS = {
    400: "What was sent is no text.",
    401: "The token is missing, or opens no seat.",
    403: "This seat may not do that.",
    404: "There is no such table, side or scenario.",
    409: "The rules, or the moment, do not allow it; the message says why.",
    413: "Too large.",
    422: "What was sent cannot be read.",
    429: "Too many requests: try again later.",
    503: "The store cannot be reached now.",
    507: "There is no room: a limit that the owner of the server has set is reached.",
}


def may_refuse(*codes: int) -> dict[int | str, dict[str, Any]]:
    return {code: {"model": Refusal, "description": REFUSALS[code]} for code in sorted({*codes, 422, 429, 503})}


OPEN = may_refuse(404, 409)
SEATED = may_refuse(400, 401, 403, 404, 409, 413, 507)

router = APIRouter(prefix="/api", tags=["tables"], route_class=Refusing)
bearer = HTTPBearer(auto_error=False, description="The secret of a seat, or of the host.")


async def _tables(request: Request) -> Tables:
    found: Tables = request.app.state.tables
    return found


Service = Annotated[Tables, Depends(_tables)]
Credentials = Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]
Game = Annotated[str, Path(pattern=GAME, description="The id of a table.")]
Watched = Annotated[str, Path(pattern=WATCH, description="The public id of a table.")]
Side = Annotated[str, Path(description="A side that the seat holds.")]


async def _token(credentials: Credentials) -> str:
    if credentials is None:
        raise NoSuchSeat("send the secret of a seat: Authorization: Bearer TOKEN")
    return credentials.credentials


Token = Annotated[str, Depends(_token)]


async def _at_table(request: Request, game: Game, credentials: Credentials) -> Seat:
    """The seat of a token; it must be at that table. It asks for little, since each dependency has its price."""
    tables, token = await _tables(request), await _token(credentials)
    seat = tables.known_seat(token)
    if seat is None:
        seat = await run_in_threadpool(tables.seat, token)
    if seat.game != game:
        raise NotAllowed("this seat is at another table")
    return seat


async def _on_side(request: Request, game: Game, side: Side, credentials: Credentials) -> str:
    """A side that the seat of a token holds."""
    seat = await _at_table(request, game, credentials)
    if side not in seat.sides:
        raise NotAllowed("this seat does not hold that side", allowed=list(seat.sides))
    return side


AtTable = Annotated[Seat, Depends(_at_table)]
OnSide = Annotated[str, Depends(_on_side)]


def taken(tables: Tables, game: str, side: str, receipts: str) -> Response:
    """What is told of something that was taken, as a `Taken`. It was kept just now and needs not be read again; and it
    is written here, since it would be checked and written in another thread otherwise."""
    question, waiting_for, moment = tables.asked(game, side, subscribed=True)
    told = Taken(
        waiting_for=waiting_for,
        question=QuestionTold.of_any(question),
        moment=moment,
        receipt=receipts.partition(",")[0],
        receipts=receipts.split(",") if receipts else [],
    )
    return Response(told.model_dump_json(), media_type="application/json")


# --- tables and seats -------------------------------------------------------------------------------------------


@cache
def _scenarios() -> list[ScenarioTold]:
    games = [(name, library.load(name, seed=0)) for name in library.scenario_names()]
    return [
        ScenarioTold(name=name, title=str(game.scenario["title"]), game=game.ruleset.name, sides=list(game.sides))
        for name, game in games
    ]


@router.get("/scenarios", responses=may_refuse())
def scenarios() -> list[ScenarioTold]:
    """The scenarios that come with Flagplot."""
    return _scenarios()


@router.post("/tables", status_code=status.HTTP_201_CREATED, responses=may_refuse(400, 404, 409, 413, 507))
def make_table(request: Request, tables: Service, new: NewTable) -> Made:
    """Make a table. The tokens are told here and never again."""
    network = network_of(request.scope)
    made = tables.create(
        new.scenario, options=new.options, seats=new.seats, title=new.title, level=new.level, network=network
    )
    return Made.of(made)


@router.get("/seat", responses=may_refuse(401))
def seat(tables: Service, token: Token) -> SeatTold:
    """What a token opens."""
    return SeatTold.of(tables.seat(token))


@router.post("/join", responses=may_refuse(400, 401, 409, 413))
def join(tables: Service, token: Token, joining: Joining) -> Joined:
    """Sit down; the first time with a contribution to the dice. Note the commitment of the table before."""
    seat = tables.join(token, name=joining.name, contribution=joining.contribution)
    given = joining.contribution
    receipt = tables.contribution_receipt(seat.game, given) if given else ""
    return Joined(**SeatTold.of(seat).model_dump(), receipt=receipt)


@router.get("/tables/{game}", responses=SEATED)
def table(tables: Service, game: Game, seat: AtTable) -> TableTold:
    """A table as everybody at it may know it."""
    return TableTold.with_deletion(tables.table(game), tables.deletion(game))


@router.post("/tables/{game}/keep", responses=SEATED)
def keep(tables: Service, game: Game, seat: AtTable) -> TableTold:
    """Keep an unfinished table that would be deleted: its time begins again."""
    tables.keep(game)
    return TableTold.with_deletion(tables.table(game), tables.deletion(game))


@router.get(
    "/tables/{game}/save",
    response_model=None,
    responses={**SEATED, 200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "The save."}},
)
def save(tables: Service, game: Game, seat: AtTable) -> PlainTextResponse:
    """The save with the opened secret of the dice, as JSON lines; when the game is over."""
    return PlainTextResponse(tables.save(game))


@router.get("/tables/{game}/verification", responses=SEATED)
def verification(tables: Service, game: Game, seat: AtTable) -> dict[str, Any]:
    """The proof of the game: chain, answers, dice, result; when it is over."""
    found = tables.verify(game)
    return {**found.as_dict(), "words": words_of(found.head), "in_words": found.in_words()}


@router.get("/watch/{public_id}", responses=OPEN)
def watch(tables: Service, public_id: Watched) -> LookTold:
    """This moment as one may know it who only watches; after the end everything."""
    return LookTold.of(tables.look(tables.public_table(public_id).id, NEUTRAL))


@router.get("/watch/{public_id}/table", responses=OPEN)
def watched_table(tables: Service, public_id: Watched) -> TableTold:
    """The table of a spectator's link."""
    return TableTold.of(tables.public_table(public_id))


# --- a side -----------------------------------------------------------------------------------------------------

SIDE = "/tables/{game}/sides/{side}"


@router.get(SIDE, responses=SEATED)
def look(tables: Service, game: Game, side: OnSide) -> LookTold:
    """This moment as the side may know it."""
    return LookTold.of(tables.look(game, side))


@router.get(f"{SIDE}/turn", responses=SEATED)
def turn(tables: Service, game: Game, side: OnSide) -> Turn:
    """Whose turn it is, and what the side is asked; cheaper than a look."""
    question, waiting_for, moment = tables.asked(game, side)
    return Turn(waiting_for=waiting_for, question=QuestionTold.of_any(question), moment=moment)


@router.post(f"{SIDE}/answers", response_model=Taken, responses=SEATED)
@laned()
def answer(tables: Service, game: Game, side: OnSide, given: Answer) -> Response:
    """Answer. When this returns the answer is on the disk; told is what the side is asked next. The same answer sent
    again with the same nonce is not given twice: it returns the same receipt."""
    return taken(tables, game, side, tables.answer(game, side, given.option, given.at, given.nonce))


@router.post(f"{SIDE}/undo", response_model=Taken, responses=SEATED)
def undo(tables: Service, game: Game, side: OnSide, given: TakeBack) -> Response:
    """Take back the side's last decision, while that is free."""
    return taken(tables, game, side, tables.undo(game, side, given.nonce))


@router.post(f"{SIDE}/proposal", responses=SEATED)
def propose(tables: Service, game: Game, side: OnSide, given: TakeBack) -> TakenBack:
    """Ask the other side to let this one take back its last decision."""
    receipt = tables.propose_undo(game, side, given.nonce)
    return TakenBack(at_once=receipt is not None, receipt=receipt or "")


@router.post(f"{SIDE}/consent", response_model=Taken, responses=SEATED)
def consent(tables: Service, game: Game, side: OnSide, given: Consent) -> Response:
    """Say yes or no to a take-back that is asked for."""
    return taken(tables, game, side, tables.consent(game, side, given.yes, given.nonce))


@router.post(f"{SIDE}/pledge", status_code=status.HTTP_204_NO_CONTENT, responses=SEATED)
@laned()
def pledge(tables: Service, game: Game, side: OnSide, given: Pledge) -> None:
    """Promise fresh bytes for the next roll by their SHA-256. While the stream of the side is open, an event
    `reveal` asks for them."""
    tables.pledge(game, side, given.pledge)


@router.post(f"{SIDE}/reveal", status_code=status.HTTP_204_NO_CONTENT, responses=SEATED)
@laned(AHEAD)
def reveal(tables: Service, game: Game, side: OnSide, given: Reveal) -> None:
    """Tell the bytes that were promised, after an event `reveal`, and promise the next. Without them the dice are
    rolled after two seconds all the same, and the game says so."""
    tables.reveal(game, side, given.reveal, given.pledge, given.receipt)


@router.get(f"{SIDE}/news", responses=SEATED)
def news(tables: Service, game: Game, side: OnSide) -> News:
    """What happened since this seat last looked."""
    return News.of(tables.since(game, side))


@router.post(f"{SIDE}/seen", responses=SEATED)
def seen(tables: Service, game: Game, side: OnSide, given: Seen) -> News:
    """The seat has read its log up to there; told is what is left."""
    tables.seen(game, side, given.total)
    return News.of(tables.since(game, side))


@router.get(f"{SIDE}/replay/{{step}}", responses=SEATED)
def replay(tables: Service, game: Game, side: OnSide, step: Annotated[int, Path(ge=0)]) -> LookTold:
    """The game again as the side saw it, step by step."""
    return LookTold.of(tables.replay(game, side, step))


@router.get(f"{SIDE}/orders", responses=SEATED)
def orders(tables: Service, game: Game, side: OnSide) -> OrdersText:
    """The standing orders of the side."""
    return OrdersText(text=tables.orders(game, side))


@router.put(f"{SIDE}/orders", responses=SEATED)
def set_orders(tables: Service, game: Game, side: OnSide, given: OrdersText) -> OrdersText:
    """Give standing orders: they answer from now on."""
    tables.set_orders(game, side, given.text)
    return OrdersText(text=tables.orders(game, side))


@router.get(f"{SIDE}/calls", responses=SEATED)
def calls(tables: Service, game: Game, side: OnSide) -> CallTold:
    """Where the seat is called when it is its turn and it is not there."""
    return CallTold.of(tables.calls.messenger(game, side))


@router.put(f"{SIDE}/calls", responses=SEATED)
def set_calls(tables: Service, game: Game, side: OnSide, given: CallTo) -> CallTold:
    """Set where the seat is called. An e-mail address is used when it has been confirmed."""
    tables.calls.set_messenger(game, side, webhook=given.webhook, email=given.email)
    return calls(tables, game, side)


@router.post(f"{SIDE}/calls/test", status_code=status.HTTP_202_ACCEPTED, responses=SEATED)
def test_calls(tables: Service, game: Game, side: OnSide) -> CallTold:
    """Have a call made, to try it; ask for `calls` some seconds later to learn how it went."""
    tables.calls.test(game, side)
    return calls(tables, game, side)


@router.post("/confirmation", status_code=status.HTTP_204_NO_CONTENT, responses=may_refuse(400, 409, 413))
def confirm(tables: Service, given: Code) -> None:
    """Confirm an e-mail address by the code that was sent there."""
    tables.calls.confirm(given.code)


# --- links ------------------------------------------------------------------------------------------------------


@router.post(f"{SIDE}/link", responses=SEATED)
def replace_link(tables: Service, game: Game, side: Side, seat: AtTable, token: Token) -> Link:
    """A new token for a side, by its holder or the host; the old one is dead. The host only asks for it if somebody has
    joined there."""
    fresh = tables.handovers.replace_link(token, side)
    return Link(token=fresh, asked=not fresh)


@router.put(f"{SIDE}/holder", responses=SEATED)
def hand_over(tables: Service, game: Game, side: Side, seat: AtTable, token: Token, given: HandOver) -> Link:
    """Hand a seat over, by the host; if somebody has joined there the host only asks for it."""
    fresh = tables.handovers.hand_over(token, side, given.holder)
    return Link(token=fresh, asked=side in [one.side for one in tables.handovers.requests(game)])


@router.get("/tables/{game}/requests", responses=SEATED)
def seat_requests(tables: Service, game: Game, seat: AtTable) -> list[SeatRequestTold]:
    """The seats that the host asks for."""
    return [SeatRequestTold.of(one) for one in tables.handovers.requests(game)]


@router.post(f"{SIDE}/request", responses=SEATED)
def settle_request(tables: Service, game: Game, side: OnSide, token: Token, given: Allowing) -> list[SeatRequestTold]:
    """Allow that the host gives this side's seat away, or decline."""
    tables.handovers.settle(token, side, yes=given.yes)
    return [SeatRequestTold.of(one) for one in tables.handovers.requests(game)]


@router.post(f"{SIDE}/request/carry-out", responses=SEATED)
def carry_out_request(tables: Service, game: Game, side: Side, seat: AtTable, token: Token) -> Link:
    """Give a seat away whose holder has given no sign for long enough, by the host."""
    return Link(token=tables.handovers.carry_out(token, side))


@router.delete(f"{SIDE}/request", responses=SEATED)
def withdraw_request(tables: Service, game: Game, side: Side, seat: AtTable, token: Token) -> list[SeatRequestTold]:
    """Ask for a seat no more, by the host."""
    tables.handovers.withdraw(token, side)
    return [SeatRequestTold.of(one) for one in tables.handovers.requests(game)]


# --- the stream -------------------------------------------------------------------------------------------------


@router.get(
    f"{SIDE}/events",
    response_model=None,
    responses={
        **SEATED,
        200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}, "description": "A stream."},
    },
)
async def events(request: Request, tables: Service, game: Game, side: OnSide, token: Token) -> Response:
    """A stream of server-sent events: the same as `turn`, with the length of the side's log, now and after each change
    that this side may know of; and events `reveal`, when the bytes that the side has pledged are wanted, with the
    pledge and the receipt of the answer that is fixed already."""
    pages = pages_of(request)
    pages.check(game, side, counted_as(request, side))
    counted = pages.counted(game, side, counted_as(request, side))
    return events_of(_events(tables, game, side, token, counted))


async def _events(
    tables: Tables, game: str, side: str, token: str, counted: AbstractContextManager[None]
) -> AsyncIterator[bytes]:
    last: dict[str, str] = {}
    alive = SignsOfLife(PULSE)
    with suppress(TooManyPages), counted, tables.subscribe(game, side) as subscription:
        while not subscription.stopped:
            found = await run_in_threadpool(_event, tables, game, side, token)
            if not found:
                return
            # each once, so the number of secret answers of the other side does not show
            news = [event_of(text, event) for event, text in found.items() if text and text != last.get(event)]
            if sent := alive.with_news(b"".join(news)):
                yield sent
            last = found
            await subscription.wait(alive.left)


def _event(tables: Tables, game: str, side: str, token: str) -> dict[str, str]:
    """What the stream says now, by the names of its events; nothing if the link was replaced meanwhile, or the table is
    gone."""
    try:
        if side not in tables.seat(token).sides:
            return {}
        found = tables.look(game, side, subscribed=True)
    except FlagplotError:
        return {}
    question = QuestionTold.of_any(found.pending)
    about = {
        "waiting_for": found.waiting_for,
        "moment": found.moment,
        "log": len(found.log),
        "question": question.model_dump() if question else None,
    }
    wanted = {"pledge": found.pledge, "receipt": found.reveal} if found.reveal else None
    return {"turn": json.dumps(about, ensure_ascii=False), "reveal": json.dumps(wanted) if wanted else ""}
