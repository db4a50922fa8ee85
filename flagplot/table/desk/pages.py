"""The odds desk: forms for questions of odds, answered exactly as somebody types.

A question is its address: `/odds/strike?attackers=6+japan+elite&target=…`. The page has the form and the answer; while
somebody types, htmx asks for the answer alone (`/odds/strike/answer?…`), which brings the new address along. The fields
are those of `flagplot.odds.questions`, the answers those of `flagplot odds`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from flagplot.kernel.errors import FlagplotError
from flagplot.kernel.ledger import Ledger, Line
from flagplot.kernel.words import capital, listing, say
from flagplot.odds.answer import Answer, Part, percent
from flagplot.odds.questions.forms import FORMS
from flagplot.odds.questions.question import COUNT, BadQuestion, Form, Type, Word
from flagplot.table.desk.cases import neighbours, swapped
from flagplot.table.desk.question import CLEAR, Asked, example, read
from flagplot.table.desk.trays import has_counters_for
from flagplot.table.pages import page
from flagplot.table.reader import calculator_of
from flagplot.table.seats.cookies import address_of
from flagplot.table.visitors import visitor_of
from flagplot.table.workers.calculator import Busy, TooLong

CHART = 270.0
"""The width of one chart; drawn larger, as on any screen, its words are large enough to read."""
FIGURES = 3
"""So many chances stand at the top of an answer."""
SHORT = 24
"""The longest fraction that is shown."""
router = APIRouter(include_in_schema=False)


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
    svg: str
    rows: list[Outcome]
    is_number: bool


def panels(answer: Answer) -> list[Panel]:
    """The parts of an answer as a page shows them."""
    from flagplot.draw.odds_charts import draw_parts

    return [
        Panel(part.title, picture.svg("page"), rows(part), part.is_number)
        for part, picture in draw_parts(answer, CHART)
    ]


def figures(answer: Answer) -> list[tuple[str, str]]:
    """The chances that matter most, for the top of the answer: of at least one of what is lost or found."""
    told = [(percent(chance).strip(), _at_least_one(part)) for part, chance in _chances_of_some(answer) if chance < 1]
    return told[:FIGURES] if answer.is_whole else []


def _chances_of_some(answer: Answer) -> list[tuple[Part, Fraction]]:
    """How likely at least one of each thing is that is counted, ships sunk first."""
    parts = sorted([part for part in answer.parts if part.is_number], key=lambda one: "sunk" not in one.title)
    some = [(part, sum([part.chances[one] for one in part.chances if one], Fraction(0))) for part in parts]
    return [(part, chance) for part, chance in some if chance]


def _at_least_one(part: Part) -> str:
    return f"{part.title}: at least 1"


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
    meter = request.app.state.meters.odds
    start, end = time.monotonic(), "fault"
    try:
        answer = calculator_of(request).ask(asked.form.kind, asked.said, visitor_of(request.scope))
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
    return capital(text) + "." * (not text.endswith((".", "…", "?")))


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


@router.get("/odds/{kind}/near")
def neighbouring(request: Request, kind: str) -> Response:
    """What one squadron more or fewer would change. A script asks for this part of the page when the answer is there,
    so that nobody waits for it; without one it is the whole desk."""
    asked = _asked(request, kind)
    near = _near(request, asked, answer_of(request, asked))
    if "HX-Request" in request.headers:
        return page(request, "desk_near.html", **near)
    return _desk(request, asked, **near)


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


def _desk(request: Request, asked: Asked, **near: Any) -> HTMLResponse:
    return page(
        request,
        "desk.html",
        forms=FORMS,
        more=_about(asked.form),
        is_short=is_short,
        examples=_examples(asked.form.kind),
        first=_ordered([word for word in asked.form.words if word.at_desk and _is_first(asked.form, word)]),
        others=_ordered([word for word in asked.form.words if word.at_desk and not _is_first(asked.form, word)]),
        with_faults=False,
        **_told(request, asked),
        **near,
    )


@cache
def _examples(kind: str) -> list[tuple[str, str]]:
    """Questions to try: their addresses, and what they say."""
    form = FORMS[kind]
    return [(example(form, place).address, _in_words(example(form, place))) for place in range(len(form.examples))]


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
    link = f"{address_of(request)}{asked.address}"
    told: dict[str, Any] = {"asked": asked, "form": asked.form, "answer": answer, "link": link, "mail": ""}
    told |= {"trays": asked.trays, "completion": completion, "swapped": swapped(asked)}
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


def _near(request: Request, asked: Asked, answer: Answer | None) -> dict[str, Any]:
    """The chance at the top of the answer, in neighbouring cases. The first that takes too long is the last."""
    best = next(iter(_chances_of_some(answer)), None) if answer is not None and answer.is_whole else None
    if best is None:
        return {"near": []}
    near = []
    for case in neighbours(asked):
        try:
            other = calculator_of(request).ask(asked.form.kind, case.asked.said, f"{visitor_of(request.scope)} near")
        except (TooLong, Busy):
            break
        except FlagplotError:
            continue  # such as a patrol of more squadrons than there are aboard
        chance = next((chance for part, chance in _chances_of_some(other) if part.title == best[0].title), Fraction(0))
        if other.is_whole:
            near.append((case.label, percent(chance).strip(), chance - best[1], case.asked.address))
    return {"near": near, "what": _at_least_one(best[0])}


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
