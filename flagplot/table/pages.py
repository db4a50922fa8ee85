"""Pages: templates, and what every template can use.

`page(request, "battle.html", title=…)` renders a template of `templates/` with autoescape. Every template has:

- `form_token`: for `<input type="hidden" name="form_token" value="{{ form_token }}">` in forms that post (macro
  `token_field()` of `parts.html`); requests by htmx carry it in a header by themselves (static/table.js);
- `static("site.css")`: the address of a static file, which changes with its content;
- the filter `with_rules`: text in which rule numbers are links that open our summary;
- the filter `with_terms`: the same, and words of the glossary say what they mean; `with_rare_terms` for the log;
- `problem`: words for people when something was refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, MutableMapping
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

import flagplot
from flagplot.draw.counters import counter_html, face_of
from flagplot.draw.nations import code_of
from flagplot.draw.symbols import symbol_sheet
from flagplot.kernel.naming import closing_words, has, in_sentence
from flagplot.kernel.words import capital, listing
from flagplot.register.glossary import Term, linked
from flagplot.register.rule_lookup import is_known
from flagplot.table.visitors import form_token

HERE = Path(__file__).parent
STATIC = HERE / "static"
NUMBERED = re.compile(
    r"(?<![\w.:-])(?:T?\d{2}\.\d+[A-Z]?(?:\.\d+)*(?:-\d{2}(?![\d.]))?(?:#\w+(?:\.\d+)*)?|(?:SOP|LOB)-[A-Z0-9][\w.-]*\w)(?![\w%])"
)
"""What looks like the number of a rule in a text."""


class Templates(Environment):
    """Jinja with our templates. None of them has globals of its own, so all share one plain dict: Jinja's chain of two
    is searched name by name at each `import`, which costs more than a small template."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


@cache
def environment() -> Environment:
    """Our templates: what is put into a page is escaped, and a missing value is a fault."""
    made = Templates(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,  # all of them are kept, so none needs to be noted as used last
    )
    made.globals.update(static=static, version=flagplot.__version__)
    made.globals.update(closing_words=closing_words, has=has, dict=dict)
    made.globals.update(symbol_sheet=symbol_sheet, nation_code=code_of)
    made.globals.update(counter_html=counter_html, face_of=face_of, tray_html=tray_html, told_lines=told_lines)
    made.filters["with_rules"] = with_rules
    made.filters["with_terms"] = with_terms
    made.filters["with_rare_terms"] = with_rare_terms
    made.filters["named"] = named
    made.filters["titled"] = titled
    made.filters["in_sentence"] = in_sentence
    made.filters["capital"] = capital
    made.filters["drawing"] = Markup  # for our own pictures, whose texts are escaped where they are drawn
    return made


def tray_html(*given: Any, **named: Any) -> str:
    """`flagplot.draw.trays.tray_html`, which needs to know more of the games than the first page does."""
    from flagplot.draw import trays

    return trays.tray_html(*given, **named)


@cache
def static(name: str) -> str:
    """The address of a static file with a mark of its content, so that browsers may keep it for ever."""
    mark = blake2b((STATIC / name).read_bytes(), digest_size=6).hexdigest()
    return f"/static/{name}?{mark}"


def page(request: Request, template: str, /, *, status: int = 200, **context: Any) -> HTMLResponse:
    """A page, or a part of one, as a response."""
    return HTMLResponse(rendered(request, template, **context), status)


def rendered(request: Request, template: str, /, **context: Any) -> str:
    """The text of a page or a part of one."""
    usual = {"form_token": form_token(request.scope), "path": request.url.path}
    return environment().get_template(template).render(usual | context)


def with_rules(text: object) -> Markup:
    """A text in which every number of a rule that we know is a link to our summary of it."""
    return _with_rules(str(text))


def told_lines(lines: Iterable[str]) -> Markup:
    """A picture in words, as the items of a list; what belongs to the line before is indented. Pictures often differ
    from the last one in what can be clicked and not in their words."""
    return _told_lines(tuple(lines))


@lru_cache(maxsize=4096)
def _told_lines(lines: tuple[str, ...]) -> Markup:
    within = ' class="within"'
    items = [f"    <li{within * line.startswith('  ')}>{_with_rules(line.strip())}</li>\n" for line in lines]
    return Markup("".join(items))


@lru_cache(maxsize=4096)
def _with_rules(plain: str) -> Markup:
    pieces, done = list[Markup](), 0
    for found in NUMBERED.finditer(plain):
        number = found[0] if is_known(found[0]) else found[0].partition("#")[0]
        if is_known(number):
            pieces += [escape(plain[done : found.start()]), rule_link(number)]
            done = found.start() + len(number)
    return Markup("").join([*pieces, escape(plain[done:])])


def with_terms(text: object) -> Markup:
    """The same, and each word of the glossary is a link to what it means, once in a text. Everyday words are not."""
    return _with_terms(str(text), True)


def with_rare_terms(text: object) -> Markup:
    """The same for lines of the log, of which most would have a common word: these are not marked."""
    return _with_terms(str(text), False)


@lru_cache(maxsize=4096)
def _with_terms(plain: str, common: bool) -> Markup:
    pieces = []
    for piece in linked(plain):
        marked = piece.term and not piece.term.everyday and (common or not piece.term.common)
        pieces.append(term_link(piece.term, piece.text) if piece.term and marked else _with_rules(piece.text))
    return Markup("").join(pieces)


def term_link(term: Term, text: str) -> Markup:
    """A word of the game: its meaning shows when somebody points at it; without script it leads to the glossary."""
    return Markup('<a class="term" href="/glossary#{0}" data-term="{0}">{1}</a>').format(slug(term.name), text)


def slug(name: str) -> str:
    """A name as a part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower())


def named(sides: Iterable[str], names: Mapping[str, str]) -> str:
    """Some sides as people call them."""
    return listing([in_sentence(names.get(side, side)) for side in sides])


def titled(name: str) -> str:
    """What a sentence calls “the Carrier Group”, as a heading."""
    return capital(name.removeprefix("the "))


def rule_link(number: str) -> Markup:
    """A link that opens our summary of a rule: in a dialog, or without script as a page."""
    return Markup('<a class="rule" href="/rules/{1}" data-rule="{0}">{0}</a>').format(number, quote(number, safe=""))
