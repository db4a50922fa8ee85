"""The words of the game, each in one sentence, for tooltips and for `docs/glossary.md`.

`python -m flagplot.register.glossary > docs/glossary.md` writes the page from the data.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

PAGE = """# Glossary

The words of the game, each in one sentence. For a whole rule: `flagplot rules show ID`.
"""


class Term(NamedTuple):
    """A word and what it means."""

    name: str
    says: str
    also: tuple[str, ...] = ()
    """Other forms of the word in texts."""
    everyday: bool = False
    """Whether it is used so often that texts do not mark it."""


class Piece(NamedTuple):
    """A part of a text: plain, or a word of the glossary."""

    text: str
    term: Term | None = None


@lru_cache
def terms() -> tuple[Term, ...]:
    """All terms, by name."""
    data = tomllib.loads((files("flagplot.register") / "glossary.toml").read_text(encoding="utf8"))
    return tuple(
        [
            Term(entry["name"], entry["says"], tuple(entry.get("also", ())), entry.get("everyday", False))
            for entry in data["term"]
        ]
    )


@lru_cache
def _by_form() -> dict[str, Term]:
    return {form.lower(): term for term in terms() for form in (term.name, *term.also)}


def term(name: str) -> Term | None:
    """A term by its name or another form of it, whatever its capitals."""
    return _by_form().get(name.lower())


@lru_cache
def _pattern() -> re.Pattern[str]:
    forms = sorted(_by_form(), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, forms))})\b", re.IGNORECASE)


def linked(text: str) -> list[Piece]:
    """A text in pieces, each term of the glossary marked where it first occurs. Longer terms win: ``air cover`` is not
    ``cover``."""
    return [piece for piece in _pieces(text) if piece.text]


def _pieces(text: str) -> Iterator[Piece]:
    end, seen = 0, set[str]()
    for found in _pattern().finditer(text):
        meant = term(found[0])
        if meant is None or meant.name in seen:
            continue
        seen.add(meant.name)
        yield Piece(text[end : found.start()])
        yield Piece(found[0], meant)
        end = found.end()
    yield Piece(text[end:])


def page() -> str:
    """The glossary as a document."""
    ordered = sorted(terms(), key=lambda one: one.name.lower())
    return PAGE + "".join([f"\n**{one.name}**: {one.says}\n" for one in ordered])


if __name__ == "__main__":
    print(page(), end="")
