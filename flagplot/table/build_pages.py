"""Build a battle: type the forces, see them grow on the board with their limits, see who wins, and play it.

The text is the one truth. It stands in the address, packed, so a reload loses nothing and a link brings it to others.
With a script every change is read at once (`/build/read`); without it the form is sent.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from flagplot import library
from flagplot.builder import write
from flagplot.kernel.errors import FlagplotError
from flagplot.table.build_edits import HEADS, fixed, setting
from flagplot.table.built import Built
from flagplot.table.calculator import Calculator
from flagplot.table.forecast_pages import built_subject, figures, looked
from flagplot.table.packed import ADDRESS, LONGEST, pack, unpack
from flagplot.table.pages import page, slug

EXAMPLE = """Date: Summer 1942
Moves: Japan
Japan Striking Force: Hiryu, Soryu, 4 CA, 3 DD; 6 NAS
Japan Landing Group: Kongo, 4 CA, 4 DD, 2 laden DD; cargo a brigade; seaborne invasion
US TF16: Enterprise, Hornet, 6 CA, 4 DD; 6 NAS
US Midway base: airbase; 1 AAF, 1 NAS
"""
"""What a stranger begins with."""
DATES = [f"{season} {year}" for year in range(1939, 1946) for season in ("Winter", "Spring", "Summer", "Fall")]
KINDS = ("Naval battle", "Raider battle", "Air phase", "Base attack", "Operation", "Line of Battle")
NUMBER, SET = "n.", "set."
"""How fields begin that step a number of a force, or choose a setting."""
router = APIRouter(include_in_schema=False)

Packed = Annotated[str, Query(max_length=ADDRESS)]
Named = Annotated[str, Query(alias="from", max_length=80)]


class Setting(NamedTuple):
    """A choice above the text."""

    path: str
    title: str
    value: str
    choices: list[str]


class Typed(NamedTuple):
    """What somebody types, and what it is compared with."""

    text: str
    before: str = ""

    @property
    def query(self) -> str:
        packed = {"b": pack(self.text)} | ({"a": pack(self.before)} if self.before else {})
        return urlencode(packed)

    @property
    def fits(self) -> bool:
        return len(self.query) <= 2 * ADDRESS

    @property
    def mark(self) -> str:
        """Stands for the text in a form: whether steppers were drawn for it."""
        return blake2b(self.text.encode(), digest_size=8).hexdigest()


# --- pages --------------------------------------------------------------------------------------------------------


@router.get("/build")
def build(request: Request, b: Packed = "", a: Packed = "", name: Named = "") -> Response:
    """The builder with the battle of the address, with one that comes with Flagplot, or with an example."""
    if name:
        return RedirectResponse(f"/build?{Typed(_written(name)).query}", 303)
    return _page(request, Typed(unpack(b) if b else EXAMPLE, unpack(a) if a else ""))


@router.post("/build")
async def send(request: Request) -> Response:
    """What the form holds, with what was clicked; the address of the next page has it."""
    form = await request.form()
    return await run_in_threadpool(_sent, request, form)


@router.post("/build/read")
async def read_on(request: Request) -> Response:
    """The same for the script of the page: the parts that change, and the address that the page has now."""
    form = await request.form()
    return await run_in_threadpool(_read_on, request, form)


@router.get("/build/file")
def file(request: Request, b: Packed) -> Response:
    """The scenario file."""
    found = _built(request, unpack(b))
    if not found.ready:
        raise HTTPException(422, "Something is wrong with this battle yet: the builder says what.")
    name = slug(found.title or "battle").strip("-") or "battle"
    headers = {"Content-Disposition": f'attachment; filename="{name}.toml"'}
    return Response(found.toml, media_type="application/toml", headers=headers)


@lru_cache(maxsize=64)
def _written(name: str) -> str:
    if name not in library.scenario_names():
        raise HTTPException(404, "There is no such battle here. The first page lists them all.")
    return write(library.read_scenario(name))


def _sent(request: Request, form: FormData) -> Response:
    typed = _typed(request, form)
    if not typed.fits:
        return _page(request, typed, "This battle is too long for a link. Save it as a file.")
    return RedirectResponse(f"/build?{typed.query}", 303)


def _read_on(request: Request, form: FormData) -> Response:
    before, typed = _text(form, "text"), _typed(request, form)
    response = page(request, "build_parts.html", rewritten=typed.text != before, **_told(request, typed))
    if typed.fits:
        response.headers["HX-Replace-Url"] = f"/build?{typed.query}"
    return response


def _page(request: Request, typed: Typed, problem: str = "") -> Response:
    return page(
        request, "build.html", problem=problem, scenarios=_scenarios(), rewritten=False, **_told(request, typed)
    )


@lru_cache(maxsize=1)
def _scenarios() -> list[tuple[str, str]]:
    return sorted(
        [(name, library.read_scenario(name)["title"]) for name in library.scenario_names()], key=lambda one: one[1]
    )


# --- what a form says ---------------------------------------------------------------------------------------------


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    text = value.replace("\r\n", "\n").replace("\r", "\n") if isinstance(value, str) else ""
    if len(text) > LONGEST:
        raise HTTPException(
            422, f"A battle has at most {LONGEST:,} characters. What you typed is still in your browser: go back."
        )
    return text


def _typed(request: Request, form: FormData) -> Typed:
    """The text of a form with what was clicked. Steppers count only if they were drawn for this text."""
    typed = Typed(_text(form, "text"), _text(form, "before"))
    text = typed.text
    if _text(form, "mark") == typed.mark:
        text = _clicked(request, form, text)
    if _text(form, "compare"):
        return Typed(text, "" if _text(form, "compare") == "no" else text)
    return typed._replace(text=text)


def _clicked(request: Request, form: FormData, text: str) -> str:
    found = _built(request, text)
    for name, out in (("fix", False), ("out", True)):
        place = _text(form, name)
        if place.isdecimal() and int(place) < len(found.problems):
            return fixed(text, found.problems[int(place)], out=out)
    edited = _calculator(request).ask_edited
    if _text(form, "add"):
        return edited(text, "units", _text(form, "to"), _text(form, "units"))
    for path in HEADS:
        value = form.get(f"{SET}{path}")
        if isinstance(value, str) and value != setting(found.lines, text, path):
            return edited(text, "setting", path, value)
    now = {part.path: part.number for side in found.sides for tray in side.trays for part in tray.parts}
    wanted = {path: _text(form, f"{NUMBER}{path}") for path in now}
    numbers = {path: int(said) for path, said in wanted.items() if said.isdecimal() and int(said) != now[path]}
    dropped = _text(form, "drop")
    return edited(text, "numbers", numbers, dropped if dropped in now else "") if numbers or dropped else text


# --- what a page shows --------------------------------------------------------------------------------------------


def _calculator(request: Request) -> Calculator:
    found: Calculator = request.app.state.calculator
    return found


def _built(request: Request, text: str) -> Built:
    return _calculator(request).ask_built(text)


def _told(request: Request, typed: Typed) -> dict[str, Any]:
    found = _built(request, typed.text)
    return {
        "typed": typed,
        "found": found,
        "settings": _settings(found),
        "marked": _marked(found),
        "address": f"/build?{typed.query}" if typed.fits else "",
        "packed": pack(typed.text),
        "cast": _forecast(request, typed, found),
    }


def _forecast(request: Request, typed: Typed, found: Built) -> dict[str, Any]:
    """The odds of the battle so far; nothing if it cannot be played yet, with the reason."""
    if found.document is None:
        return {"why_not": "Correct what is marked to see the odds."}
    try:
        subject = built_subject(request, typed.text, typed.before, found)
        forecast = looked(request, subject, 0)
    except (FlagplotError, HTTPException) as refusal:
        return {"why_not": str(getattr(refusal, "message", "") or getattr(refusal, "detail", ""))}
    return {
        "why_not": "",
        **figures(subject, forecast, 0),
        "ifs": [(name, f"/build?{Typed(text, typed.before or typed.text).query}") for name, text in found.ifs],
    }


def _settings(found: Built) -> list[Setting]:
    names = [side.name for side in found.sides]
    offered = {
        "kind": ("Kind", [*KINDS]),
        "theatre": ("Theatre", ["Pacific", "Europe"]),
        "date": ("Date", DATES),
        "attacker": ("Moves", names),
        "codebreaking": ("Codebreaking", names),
    }
    return [
        Setting(path, title, setting(found.lines, found.text, path), choices)
        for path, (title, choices) in offered.items()
    ]


class Span(NamedTuple):
    """A piece of a typed line; marked if something is wrong there."""

    text: str
    wrong: bool = False


def _marked(found: Built) -> list[tuple[str, list[Span]]]:
    """The lines of the text, whose they are, and where something is wrong."""
    nations = {side.id: side.nation for side in found.sides}
    owners = {number: line.side for line in found.lines for number in range(line.line, line.last + 1)}
    told = []
    for number, line in enumerate(found.text.split("\n"), 1):
        spans, done = list[Span](), 0
        for one in [one for one in found.problems if one.line == number]:
            begin = one.column - 1
            if begin >= done:
                spans += [Span(line[done:begin]), Span(line[begin : begin + one.length], True)]
                done = begin + one.length
        told.append((nations.get(owners.get(number, ""), ""), [*spans, Span(line[done:])]))
    return told
