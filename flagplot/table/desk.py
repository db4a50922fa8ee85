"""The odds desk: forms for questions of odds, answered exactly as somebody types.

A question is its address: `/odds/strike?attackers=6+japan+elite&target=…`. The page has the form and the answer; while
somebody types, htmx asks for the answer alone (`/odds/strike/answer?…`), which brings the new address along. The fields
are those of `flagplot.odds.questions`, the answers those of `flagplot odds`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.words import listing, say
from flagplot.odds.answer import Answer, Part, percent
from flagplot.odds.questions.forms import FORMS
from flagplot.odds.questions.question import COUNT, BadQuestion, Form, Type, Word
from flagplot.table.calculator import Busy, Calculator, TooLong
from flagplot.table.desk_trays import Tray, has_counters_for, settled, trays_of
from flagplot.table.pages import page
from flagplot.table.visitors import visitor_of

LONGEST = 400
"""The longest text of a field."""
MOST_VALUES = 120
CHART = 340.0
"""The width of one chart, which fits on a phone."""
FIGURES = 3
"""So many chances stand at the top of an answer."""
SHORT = 24
"""The longest fraction that is shown."""
CLEAR = "clear"
"""An address with this has an empty form, instead of an example."""
NO = ("", "0", "no", "false", "off")
router = APIRouter(include_in_schema=False)


# --- what was said ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Asked:
    """A question as it came: what each field holds, and what is wrong with it."""

    form: Form
    values: dict[str, list[str]] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)
    """What is wrong, by field; under "" what belongs to none."""
    settled: frozenset[str] = frozenset()
    """The fields whose text was changed on counters."""
    drawn: bool = False
    """Whether it came with counters, so that its address is longer than the question."""

    @property
    def trays(self) -> dict[str, Tray]:
        """The forces as counters."""
        return trays_of(self.form, {word.name: self.value(word) for word in self.form.words})

    def value(self, word: Word) -> str:
        return ", ".join(self.values.get(word.name, []))

    def has(self, word: Word, choice: str = "") -> bool:
        given = self.values.get(word.name, [])
        return choice in given if choice else bool(given)

    @property
    def missing(self) -> list[Word]:
        """What has to be said and is not."""
        return [word for word in self.form.words if word.needed and not self.values.get(word.name)]

    @property
    def says_more(self) -> bool:
        """Whether something is said that the form does not show at once."""
        return any([not word.first and self.values.get(word.name) for word in self.form.words])

    @property
    def said(self) -> dict[str, str | bool | list[str]]:
        """The words for the function that answers."""
        words: dict[str, str | bool | list[str]] = {}
        for word in self.form.words:
            given = self.values.get(word.name)
            if given:
                words[word.name] = True if word.kind == "flag" else given if word.kind == "many" else ", ".join(given)
        return words

    @property
    def query(self) -> str:
        """The question as the end of an address."""
        pairs = [(name, value) for name, values in self.values.items() for value in values]
        return urlencode(pairs)

    @property
    def address(self) -> str:
        return f"/odds/{self.form.kind}" + (f"?{self.query}" if self.query else "")


def read(form: Form, pairs: Sequence[tuple[str, str]], *, whole: bool = False) -> Asked:
    """The question of a query string. Nothing in it is taken on trust. `whole` says that it is a form that was sent,
    not one in which somebody types."""
    given = settled(form, pairs[:MOST_VALUES], adding=whole)
    asked = Asked(form, settled=given.changed, drawn=given.drawn)
    for name, text in given.pairs:
        if name == CLEAR:
            continue
        word = form.word(name)
        value = " ".join(text.split())
        if word is None or not word.at_desk:
            asked.faults[""] = f"There is no “{name[:40]}” in this question; it was left out."
        elif len(value) > LONGEST:
            asked.faults[name] = f"This is too long: at most {LONGEST} characters are read."
        elif word.kind == "flag":
            if value.casefold() not in NO:
                asked.values[name] = ["yes"]
        elif value and value != word.default:
            more = [one.strip() for one in value.split(",")] if word.kind == "many" else [value]
            known = asked.values.setdefault(name, []) if word.kind == "many" else []
            asked.values[name] = [*known, *[one for one in more if one and one not in known]]
    asked.values = {word.name: asked.values[word.name] for word in form.words if word.name in asked.values}
    return asked


def example(form: Form, place: int = 0) -> Asked:
    """A question to begin with."""
    return read(form, [*form.examples[place].items()])


# --- what is answered ---------------------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """One row of a table of chances."""

    label: str
    chance: str
    or_more: str
    fraction: str


class Panel(NamedTuple):
    """One thing that was asked about: its chart, and the same as a table."""

    title: str
    average: str
    svg: str
    rows: list[Outcome]
    is_number: bool


def panels(answer: Answer) -> list[Panel]:
    """The parts of an answer as a page shows them."""
    from flagplot.draw.odds_charts import draw_parts

    return [
        Panel(
            part.title,
            f"{float(part.mean):.3f} on average" if part.is_number else "",
            picture.svg("page"),
            rows(part),
            part.is_number,
        )
        for part, picture in draw_parts(answer, CHART)
    ]


def figures(answer: Answer) -> list[tuple[str, str]]:
    """The chances that matter most, for the top of the answer: of at least one of what is lost or found."""
    told: list[tuple[str, str]] = []
    for part in sorted(answer.parts, key=lambda one: "sunk" not in one.title):
        some = sum([part.chances[one] for one in part.chances if part.is_number and one], Fraction(0))
        if 0 < some < 1 and len(told) < FIGURES:
            told.append((percent(some).strip(), f"{part.title}: at least 1"))
    return told if answer.is_whole else []


def rows(part: Part) -> list[Outcome]:
    """Every outcome with its chance, for numbers in their order, else the likeliest first."""
    ordered = sorted(part.chances) if part.is_number else sorted(part.chances, key=lambda one: -part.chances[one])
    left, told = part.chances.total, list[Outcome]()
    for one in ordered:
        chance = part.chances[one]
        more = percent(left).strip() if part.is_number else ""
        told.append(Outcome(str(one), percent(chance).strip(), more, _fraction(chance)))
        left -= chance
    return told


def _fraction(chance: Fraction) -> str:
    text = str(chance)
    return text if len(text) <= SHORT else ""


def ledgers(answer: Answer) -> list[tuple[str, Ledger]]:
    """The ledgers of an answer, those that say the same for several things once."""
    grouped: dict[tuple[Line, ...], list[str]] = {}
    for title, ledger in answer.ledgers:
        told = tuple([Line(line.amount, say(line.words), line.rule) for line in ledger])
        grouped.setdefault(told, []).append(title)
    return [(_together(titles), Ledger(lines)) for lines, titles in grouped.items()]


def _together(titles: Sequence[str]) -> str:
    """Several titles as one: what they begin with alike is said once."""
    words = [title.split() for title in dict.fromkeys(titles)]
    same = 0
    while len(words) > 1 and all([len(one) > same + 1 and one[same] == words[0][same] for one in words]):
        same += 1
    return " ".join([*words[0][:same], listing([" ".join(one[same:]) for one in words])])


def answer_of(request: Request, asked: Asked) -> Answer | None:
    """The answer, or nothing and the faults of the question."""
    if asked.missing or any(asked.faults):
        return None
    calculator: Calculator = request.app.state.calculator
    meter = request.app.state.meters.odds
    start, end = time.monotonic(), "fault"
    try:
        answer = calculator.ask(asked.form.kind, asked.said, visitor_of(request.scope))
        end = "whole" if answer.is_whole else "part"
    except (TooLong, Busy) as refusal:
        end = refusal.code
        asked.faults[""] = _sentence(refusal)
        return None
    except BadQuestion as refusal:
        end = "refused"
        asked.faults |= {name: _sentence(fault) for name, fault in refusal.faults.items()}
        return None
    except FlagplotError as refusal:
        end = "refused"
        asked.faults[place_of(asked, refusal)] = _sentence(refusal)
        return None
    finally:
        meter.labels(asked.form.kind, end).observe(time.monotonic() - start)
    return answer


def _sentence(refusal: FlagplotError) -> str:
    text = str(refusal)
    for option in [word for form in FORMS.values() for word in form.words]:
        text = text.replace(f"({option.called} ", f"({option.title} ").replace(
            f"say {option.called}", f"say “{option.title}”"
        )
    return text[:1].upper() + text[1:] + "." * (not text.endswith((".", "…", "?")))


def place_of(asked: Asked, refusal: FlagplotError) -> str:
    """The field that a refusal is about: the one whose words it quotes, of several the one that it names."""
    given = "" if refusal.given is None else " ".join(str(refusal.given).split()).casefold()
    message = refusal.message.casefold()
    best, most = "", 0
    for word in asked.form.words:
        value = asked.value(word).casefold()
        if not value:
            continue
        quoted = 8 if given == value else 6 if given in [one.strip() for one in value.split(",")] else 0
        quoted = quoted or (4 if given and given in value else 0)
        named = any([name in message for name in (word.title.casefold(), word.name.replace("_", " "))])
        score = quoted + 3 * named
        if score > most:
            best, most = word.name, score
    return best if most >= 4 or (most and not given) else ""


# --- pages --------------------------------------------------------------------------------------------------------


@router.get("/odds")
def first_page(request: Request) -> Response:
    """The odds desk with an example, which a stranger can change."""
    return _desk(request, example(FORMS["strike"]))


@router.get("/odds/words.json")
def words() -> Response:
    """What fields can complete: the names of ships, countries and arms."""
    return JSONResponse(known_words(), headers={"Cache-Control": "public, max-age=86400"})


@router.get("/odds/{kind}.json")
def as_data(request: Request, kind: str) -> Response:
    """The answer for programs, as `flagplot odds --json` has it."""
    asked = _asked(request, kind)
    answer = answer_of(request, asked)
    if answer is None:
        missing = {word.name: "this is missing" for word in asked.missing}
        return JSONResponse({"error": "bad-question", "faults": missing | asked.faults}, 422)
    return JSONResponse(answer.as_dict())


@router.get("/odds/{kind}/answer")
def only_the_answer(request: Request, kind: str) -> Response:
    """The part of the page that changes while somebody types, and the address that the page has now."""
    asked = _asked(request, kind)
    response = page(request, "desk_answer.html", with_faults=True, **_told(request, asked))
    response.headers["HX-Replace-Url"] = asked.address
    return response


@router.get("/odds/{kind}")
def desk(request: Request, kind: str) -> Response:
    """The desk for one kind of question."""
    asked = _asked(request, kind, whole=True)
    if asked.drawn:
        return RedirectResponse(asked.address if asked.query else f"{asked.address}?{CLEAR}=", 303)
    return _desk(request, asked if request.url.query else example(asked.form))


def _asked(request: Request, kind: str, *, whole: bool = False) -> Asked:
    if kind not in FORMS:
        raise HTTPException(404, f"There are no odds of this kind; there are {', '.join(FORMS)}.")
    return read(FORMS[kind], request.query_params.multi_items(), whole=whole)


def _desk(request: Request, asked: Asked) -> HTMLResponse:
    return page(
        request,
        "desk.html",
        forms=FORMS,
        more=_about(asked.form),
        is_short=is_short,
        examples=_examples(asked.form),
        first=_ordered([word for word in asked.form.words if word.at_desk and _is_first(asked.form, word)]),
        others=_ordered([word for word in asked.form.words if word.at_desk and not _is_first(asked.form, word)]),
        with_faults=False,
        **_told(request, asked),
    )


@cache
def _by_kind(kind: str) -> list[tuple[str, str]]:
    form = FORMS[kind]
    return [(example(form, place).address, _in_words(example(form, place))) for place in range(len(form.examples))]


def _examples(form: Form) -> list[tuple[str, str]]:
    """Questions to try: their addresses, and what they say."""
    return _by_kind(form.kind)


def _in_words(asked: Asked) -> str:
    told = []
    for word in asked.form.words:
        if asked.has(word):
            name = word.title[0].lower() + word.title[1:]
            long = word.needed or (not is_short(word) and word.kind == "text")
            told.append(name if word.kind == "flag" else asked.value(word) if long else f"{name} {asked.value(word)}")
    return "; ".join(told)


def is_short(word: Word) -> bool:
    """Whether two of these fields fit beside each other."""
    return word.kind == "text" and (word.choices is not None or word.metavar == COUNT)


def _is_first(form: Form, word: Word) -> bool:
    """Whether a form shows a field at once. Hits of ships stand on their counters."""
    return word.first and not has_counters_for(form, word)


def _ordered(words: Sequence[Word]) -> list[Word]:
    """Long fields, short ones, and what is so or not: in this order there are no gaps between them."""
    return sorted(words, key=lambda word: (word.kind == "flag", is_short(word)))


def _about(form: Form) -> str:
    return form.more.format_map({word.name: f"“{word.title}”" for word in form.words})


def _told(request: Request, asked: Asked) -> dict[str, Any]:
    from flagplot.draw.odds_charts import certain

    answer = answer_of(request, asked)
    link = f"{_base(request)}{asked.address}"
    told: dict[str, Any] = {"asked": asked, "form": asked.form, "answer": answer, "link": link, "mail": ""}
    told |= {"trays": asked.trays, "completion": completion}
    if answer is not None:
        told |= {
            "panels": panels(answer),
            "ledgers": ledgers(answer),
            "certain": certain(answer),
            "is_whole": answer.is_whole,
            "figures": figures(answer),
        }
        told["mail"] = f"{answer}\n\n{link}\n"
        told["subject"] = answer.question
        told["legend"] = any([panel.is_number for panel in told["panels"]])
        told["hopeless"] = answer.left_over > Fraction(1, 2)
    return told


def _base(request: Request) -> str:
    address: str = request.app.state.settings.address
    return address.rstrip("/") or str(request.base_url).rstrip("/")


# --- completion ---------------------------------------------------------------------------------------------------


COMPLETED: dict[Type, str] = {"air": "air", "ships": "ships", "screen": "ships"}
COMPLETED |= {"country": "countries", "readings": "readings"}


def completion(word: Word) -> str:
    """Which words a field can complete."""
    return COMPLETED.get(word.type, "")


@cache
def known_words() -> Mapping[str, Sequence[str]]:
    """The names that fields can complete."""
    from flagplot.awaw.options import Options
    from flagplot.awaw.ships import named_ships
    from flagplot.awaw.tables.nations import nations
    from flagplot.kernel.options import describe
    from flagplot.odds.ship_lists import LIGHT_KINDS
    from flagplot.odds.words import ARMS

    readings = [f"{one.name}={str(value).lower()}" for one in describe(Options) for value in one.alternatives[1:]]
    return {
        "ships": [ship.name for ship in named_ships().values()],
        "countries": [*nations()],
        "arms": [*ARMS],
        "light": [*LIGHT_KINDS],
        "readings": readings,
    }
