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
from flagplot.table.build.built import Built
from flagplot.table.build.edits import changed, fixed, with_more, with_rule, with_setting, with_units
from flagplot.table.build.examples import EXAMPLE
from flagplot.table.build.map import placed
from flagplot.table.build.packed import ADDRESS, LONGEST, pack, unpack
from flagplot.table.build.settings import house_rules, offered_rules, settings_of
from flagplot.table.desk.forecast_pages import built_subject, figures, looked
from flagplot.table.pages import page, slug
from flagplot.table.reader import calculator_of

NUMBER, SET, WORD = "n.", "set.", "t."
"""How fields begin that step a number of a force, choose a setting, or choose a word of a force."""
MORE = (("force", "Force"), ("base", "Base"), ("submarines", "Submarines"))
MORE_LINES = (("counter", "Counter"),)
"""What can be added to a side by a click."""
router = APIRouter(include_in_schema=False)

Packed = Annotated[str, Query(max_length=ADDRESS)]
Named = Annotated[str, Query(alias="from", max_length=80)]


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
    told = _told(request, typed)
    drawn = told["found"].chart is not None and _text(form, "charted") == told["found"].chart.mark
    response = page(request, "build_parts.html", rewritten=typed.text != before, drawn=drawn, **told)
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
    edited = calculator_of(request).run
    if _text(form, "add"):
        return edited(with_units, text, _text(form, "to"), _text(form, "units"))
    if _text(form, "place"):
        return edited(placed, text, _text(form, "thing"), _text(form, "at") or _text(form, "spot"))
    side, _, what = _text(form, "new").partition(" ")
    if what:
        return edited(with_more, text, side, what)
    for name in ("rule", "unrule"):
        rule, _, reading = _text(form, name).partition("=")
        if rule:
            return edited(with_rule, text, rule, reading)
    for one in settings_of(found):
        value = form.get(f"{SET}{one.path}")
        if isinstance(value, str) and value != one.value:
            text = edited(with_setting, text, one.path, value)
    return _stepped(request, form, found, text)


def _stepped(request: Request, form: FormData, found: Built, text: str) -> str:
    """The text with what was stepped, chosen or taken out in the trays."""
    trays = [tray for side in found.sides for tray in side.trays]
    now = {part.path: part.number for tray in trays for part in tray.parts}
    wanted = {path: _text(form, f"{NUMBER}{path}") for path in now}
    numbers = {path: int(said) for path, said in wanted.items() if said.isdecimal() and int(said) != now[path]}
    dropped = _text(form, "drop") if _text(form, "drop") in now else ""
    picks = {pick.path: (pick.value, form.get(f"{WORD}{pick.path}")) for tray in trays for pick in tray.picks}
    words = {path: said for path, (was, said) in picks.items() if isinstance(said, str) and said != was}
    if not numbers and not dropped and not words:
        return text
    return calculator_of(request).run(changed, text, numbers, dropped, words)


# --- what a page shows --------------------------------------------------------------------------------------------


def _built(request: Request, text: str) -> Built:
    return calculator_of(request).ask_built(text)


def _told(request: Request, typed: Typed) -> dict[str, Any]:
    found = _built(request, typed.text)
    return {
        "typed": typed,
        "found": found,
        "settings": settings_of(found),
        "rules": house_rules(found.draft),
        "offered": offered_rules(found.draft),
        "more": MORE_LINES if found.draft.get("game") == "line-of-battle" else MORE,
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
