"""The odds of a whole battle: of a scenario from its start, or of a game from what a side knows.

A page shows the figures so far. While it is open a stream brings better ones, until they are good enough or somebody
stops it; without a script the page is loaded again. An address says what is played and by whom, so it can be sent to
others, and the figures are kept for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from markupsafe import escape
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from flagplot import library
from flagplot.board.model import Counter, Stack
from flagplot.briefing.briefing import Camp, brief
from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.game import Game
from flagplot.kernel.ruleset import UMPIRE
from flagplot.players import PLAYERS
from flagplot.table.battle.rendering import event_of
from flagplot.table.battle.streaming import events_of
from flagplot.table.build.built import Built
from flagplot.table.build.packed import ADDRESS, pack, unpack
from flagplot.table.build.trays import Side
from flagplot.table.desk.forecast_words import Names, told
from flagplot.table.pages import page, rendered
from flagplot.table.reader import As, calculator_of, seated, tables_of
from flagplot.table.visitors import visitor_of
from flagplot.table.workers.forecast_work import Battle
from flagplot.table.workers.forecasts import WANTED, Forecast, Forecasts

FIRST = "first-battle"
USUAL = "doctrine"
LEVEL = "level."
"""How a parameter of an address begins that names a side's player."""
WITHOUT = "without"
"""The parameter of an address that names a ship."""
SLOW = ("admiral", "fleet")
"""Players who think for minutes over a battle."""
LADEN = ("laden_destroyers", "transports")
TICK = 0.3
"""Seconds between two looks of a stream; later twice as many, since little changes and drawing takes its time."""
SETTLED = 150
"""Battles after which it is later."""
QUIET = 15.0
"""Seconds after which a stream that had no news ends; the page asks again."""
router = APIRouter(include_in_schema=False)

More = Annotated[int, Query(ge=0, le=len(WANTED) - 1)]
Packed = Annotated[str, Query(max_length=ADDRESS)]
From = Annotated[str, Query(alias="from", max_length=80)]
Stop = Annotated[str, Query(max_length=8)]


@dataclass(frozen=True, slots=True)
class Subject:
    """What the odds are about, and where they are found."""

    title: str
    base: str
    """The path of the page."""
    query: tuple[tuple[str, str], ...]
    """What the address says beside the players."""
    names: Names
    battle: Battle
    camps: tuple[Camp, ...] = ()
    key: str = ""
    """What stands for the battle where it would tell more than the reader knows."""
    ifs: tuple[str, ...] = ()
    """Ships of which it can be asked what would be without them."""

    def address(self, part: str = "", **more: str) -> str:
        chosen = [(f"{LEVEL}{side}", name) for side, name in self.battle.players.items() if name != USUAL]
        asked = [(name, text) for name, text in more.items() if text]
        query = urlencode([*self.query, *chosen, *asked])
        return f"{self.base}{part}{'?' * bool(query)}{query}"

    def counter(self, name: str) -> Counter | None:
        """The counter of a ship, if the reader knows it."""
        return next(
            (one for camp in self.camps for stack in camp.stacks for one in stack.counters if one.label == name), None
        )


def levels() -> list[str]:
    """The players that may be chosen, the usual one first: those of our own that play a battle within seconds."""
    return sorted([name for name in PLAYERS if name not in SLOW], key=lambda name: name != USUAL)


def chosen_players(params: Mapping[str, str], sides: Mapping[str, str]) -> dict[str, str]:
    """Who plays each side; a name that is none of ours is refused."""
    found = {side: params.get(f"{LEVEL}{side}", USUAL) for side in sides}
    for name in found.values():
        if name not in levels():
            raise HTTPException(422, f"There is no player “{name[:40]}”. Choose one of these: {', '.join(levels())}.")
    return found


def names_of(data: Mapping[str, Any]) -> Names:
    """What a scenario calls its sides, and the cargo that each carries."""
    sides = {side["id"]: side.get("name", side["id"]) for side in data["sides"]}
    nations = {side["id"]: next(iter(side.get("nations", ())), side["id"]) for side in data["sides"]}
    forces = data.get("forces", ()) if data.get("kind") == "naval-battle" else ()
    cargo = {side: sum([_cargo(force) for force in forces if force.get("side") == side]) for side in sides}
    return Names(sides, nations, cargo)


def _cargo(force: Mapping[str, Any]) -> int:
    """The laden factors of a force."""
    return sum([int(part.get(kind, 0)) for part in force.get("ships", ()) for kind in LADEN])


@lru_cache(maxsize=64)
def _of_library(name: str) -> tuple[Mapping[str, Any], tuple[Camp, ...]]:
    data = library.read_scenario(name)
    return data, brief(library.load(data, seed=0), UMPIRE).camps


def scenario_subject(name: str, params: Mapping[str, str]) -> Subject:
    """A scenario that comes with Flagplot, from its start."""
    if name not in library.scenario_names():
        raise HTTPException(404, "There is no such battle here. The first page lists them all.")
    data, camps = _of_library(name)
    names = names_of(data)
    battle = Battle(dict(data), chosen_players(params, names.sides))
    return Subject(data["title"], "/odds/battle", (("from", name),), names, battle, camps)


def built_subject(request: Request, text: str, before: str, found: Built) -> Subject:
    """A battle that somebody has typed, beside the one before a change."""
    assert found.document is not None
    names = names_of(found.document)
    old = calculator_of(request).ask_built(before).document if before and before != text else None
    if old is not None and [side["id"] for side in old["sides"]] != [*names.sides]:
        raise HTTPException(422, "Battles with different sides cannot be compared.")
    battle = Battle(dict(found.document), chosen_players(request.query_params, names.sides), before=old)
    query = (("b", pack(text)), *[("a", pack(before))] * bool(old))
    camps = tuple([Camp(one.id, one.name, one.nation, _stacks(one), False) for one in found.sides])
    return Subject(found.title, "/odds/battle", query, names, battle, camps)


def _stacks(side: Side) -> tuple[Stack, ...]:
    return tuple([Stack(kind="group", title=tray.title, side=side.id, items=tray.counters) for tray in side.trays])


def subject_of(request: Request, name: str, b: str, a: str) -> Subject:
    """The battle of an address: one that comes with Flagplot, or one that somebody has typed."""
    if not b:
        return scenario_subject(name or FIRST, request.query_params)
    text = unpack(b)
    found = calculator_of(request).ask_built(text)
    if found.document is None:
        raise HTTPException(422, "Something is wrong with this battle yet: open it in the builder.")
    return built_subject(request, text, unpack(a) if a else "", found)


# --- from the start -----------------------------------------------------------------------------------------------


@router.get("/odds/battle")
def battle_odds(
    request: Request, name: From = "", b: Packed = "", a: Packed = "", more: More = 0, stop: Stop = ""
) -> Response:
    """The odds of a battle that comes with Flagplot, or of one that somebody has typed."""
    if not name and not b:
        return RedirectResponse(f"/odds/battle?{urlencode({'from': FIRST})}", 303)
    return shown(request, subject_of(request, name, b, a), more, stopped=bool(stop))


@router.get("/odds/battle.json")
def battle_odds_data(request: Request, name: From = "", b: Packed = "", a: Packed = "", more: More = 0) -> Response:
    """The figures so far, for programs."""
    subject = subject_of(request, name, b, a)
    forecast = looked(request, subject, more)
    figures = told(forecast, subject.names).as_dict()
    return JSONResponse({"title": subject.title, "done": forecast.done, "problem": forecast.problem, **figures})


@router.get("/odds/battle/stream")
async def battle_odds_stream(
    request: Request, name: From = "", b: Packed = "", a: Packed = "", more: More = 0
) -> Response:
    """Better figures, as they come."""
    subject = await run_in_threadpool(subject_of, request, name, b, a)
    return events_of(_stream(request, subject, more))


# --- from a running game ------------------------------------------------------------------------------------------


@router.get("/table/{game_id}/forecast")
def table_odds(request: Request, game_id: str, side: As = "", more: More = 0, stop: Stop = "") -> Response:
    """The odds of a game that is played, from what a side knows now."""
    subject = table_subject(request, game_id, side)
    if subject is None:
        return RedirectResponse(f"/table/{game_id}/ending", 303)
    return shown(request, subject, more, stopped=bool(stop))


@router.get("/table/{game_id}/forecast/stream")
async def table_odds_stream(request: Request, game_id: str, side: As = "", more: More = 0) -> Response:
    subject = await run_in_threadpool(table_subject, request, game_id, side)
    if subject is None:
        raise HTTPException(404, "Battle over.")
    return events_of(_stream(request, subject, more))


def table_subject(request: Request, game_id: str, side: str) -> Subject | None:
    """A game as the side of a seat knows it; nothing if it is over."""
    place = seated(request, game_id, side)
    query = (("as", place.side),) if place.hotseat else ()
    without = request.query_params.get(WITHOUT, "")[:80]
    with tables_of(request).game(game_id, place.side) as game:
        return game_subject(request, game, game_id, place.side, query, without)


def game_subject(
    request: Request,
    game: Game[Any],
    game_id: str,
    side: str,
    query: tuple[tuple[str, str], ...] = (),
    without: str = "",
) -> Subject | None:
    """A game as a side knows it; nothing if it is over. It is known by what the side has read, so that nobody learns
    how often the enemy has decided in secret since."""
    if game.pending is None:
        return None
    seen = f"{game.moment_of(side)} {game.log(side)}"
    names = names_of(game.scenario)
    own, camps = replace_cargo(names, side), brief(game, side).camps
    ifs = known_ships(game, side)
    if without and without not in ifs:
        raise HTTPException(422, "Choose one of the ships that you know to be in the battle.")
    players = chosen_players(request.query_params, names.sides)
    battle = Battle({}, players, list(game.tape().texts), side, without=without)
    key = f"{game_id} {side} {blake2b(f'{seen} {without}'.encode(), digest_size=16).hexdigest()}"
    query = (*query, *[(WITHOUT, without)] * bool(without))
    return Subject(game.scenario["title"], f"/table/{game_id}/forecast", query, own, battle, camps, key, ifs)


def known_ships(game: Game[Any], side: str) -> tuple[str, ...]:
    """The ships with names that a side sees on its board: its own, and those of the enemy that have come to light."""
    board = getattr(game.view(side), "board", None)
    if game.ruleset.name != "awaw" or board is None:
        return ()
    stacks = [stack for place in board.places for stack in place.stacks]
    ships = [one for stack in stacks for one in stack.counters if one.size and one.hits < one.size]
    return tuple(dict.fromkeys([one.label for one in ships]))


def replace_cargo(names: Names, side: str) -> Names:
    """A side knows its own cargo; what the enemy carries is for him to say."""
    return names._replace(cargo={one: number for one, number in names.cargo.items() if one == side})


# --- pages --------------------------------------------------------------------------------------------------------


def forecasts_of(request: Request) -> Forecasts:
    found: Forecasts = request.app.state.forecasts
    return found


def looked(request: Request, subject: Subject, more: int, *, work: bool = True, who: str = "") -> Forecast:
    """The forecast of a subject, on which somebody looks now: this browser, or whoever it is."""
    who, forecasts = who or visitor_of(request.scope), forecasts_of(request)
    found = forecasts.of(subject.battle, who, more=more, key=subject.key or None)
    if work:
        forecasts.look(found, who)
    return found


def shown(request: Request, subject: Subject, more: int, *, stopped: bool) -> Response:
    """The page with the figures so far."""
    forecast = looked(request, subject, more, work=not stopped)
    told = figures(subject, forecast, more, stopped=stopped)
    return page(request, "forecast.html", **told, levels=levels(), build_query=urlencode(subject.query))


def figures(subject: Subject, forecast: Forecast, more: int, *, stopped: bool = False) -> dict[str, Any]:
    """What the part of a page with the figures is made of."""
    return {
        "subject": subject,
        "told": told(forecast, subject.names),
        "forecast": forecast,
        "running": not (stopped or forecast.done or forecast.problem),
        "stopped": stopped and not forecast.done,
        "more": more,
        "most": len(WANTED) - 1,
    }


async def _stream(request: Request, subject: Subject, more: int) -> AsyncIterator[bytes]:
    """The figures whenever there are more battles; the last ones end it."""
    who, forecasts, sent, quiet = visitor_of(request.scope), forecasts_of(request), -1, 0.0
    try:
        forecast = await run_in_threadpool(looked, request, subject, more)
    except FlagplotError as refusal:
        yield event_of(str(escape(refusal.message)))
        return
    while not request.app.state.closing.is_set() and quiet < QUIET:
        forecasts.look(forecast, who)
        over = forecast.done or bool(forecast.problem)
        if over or forecast.battles != sent:
            sent, quiet = forecast.battles, 0.0
            text = await run_in_threadpool(_part, request, subject, forecast, more)
            yield event_of(text)
        if over:
            yield event_of("done", "done")
            return
        pause = TICK if forecast.battles < SETTLED else 2 * TICK
        quiet += pause
        await asyncio.sleep(pause)


def _part(request: Request, subject: Subject, forecast: Forecast, more: int) -> str:
    return rendered(request, "forecast_figures.html", **figures(subject, forecast, more))
