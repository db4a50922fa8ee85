"""The words of the game, each in one sentence, for tooltips and for `docs/glossary.md`.

`python -m flagplot.register.glossary > docs/glossary.md` writes the page from the data.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from flagplot.kernel.data_files import read_data

PAGE = """# Glossary

The words of the game, each in one sentence. For a whole rule: `./run rules show ID`.
"""


WORD = re.compile(r"\w+")


class Term(NamedTuple):
    """A word and what it means."""

    name: str
    says: str
    also: tuple[str, ...] = ()
    """Other forms of the word in texts."""
    everyday: bool = False
    """Whether it is used so often that texts do not mark it."""
    common: bool = False
    """Whether the log uses it in most of its lines, and so does not mark it there."""


class Piece(NamedTuple):
    """A part of a text: plain, or a word of the glossary."""

    text: str
    term: Term | None = None


@lru_cache
def terms() -> tuple[Term, ...]:
    """All terms, by name."""
    data = read_data("flagplot.register", "glossary.toml")
    return tuple(
        [
            Term(
                entry["name"],
                entry["says"],
                tuple(entry.get("also", ())),
                entry.get("everyday", False),
                entry.get("common", False),
            )
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
def _by_first_word() -> dict[str, list[str]]:
    """The forms of all terms by their first words, the longest first."""
    found: dict[str, list[str]] = {}
    for form in sorted(_by_form(), key=len, reverse=True):
        first = WORD.match(form)
        assert first, form
        found.setdefault(first[0], []).append(form)
    return found


def linked(text: str) -> list[Piece]:
    """A text in pieces, each term of the glossary marked where it first occurs. Longer terms win: ``air cover`` is not
    ``cover``."""
    return [piece for piece in _pieces(text) if piece.text]


def _pieces(text: str) -> Iterator[Piece]:
    low = text.lower()
    if len(low) != len(text):  # rare letters grow when they become small
        low = text
    end, seen, forms = 0, set[str](), _by_first_word()
    for word in WORD.finditer(low):
        start = word.start()
        if start < end:
            continue
        for form in forms.get(word[0], ()):
            after = start + len(form)
            if low.startswith(form, start) and not low[after : after + 1].isalnum():
                meant = _by_form()[form]
                if meant.name not in seen:
                    seen.add(meant.name)
                    yield Piece(text[end:start])
                    yield Piece(text[start:after], meant)
                    end = after
                break
    yield Piece(text[end:])


def page() -> str:
    """The glossary as a document."""
    ordered = sorted(terms(), key=lambda one: one.name.lower())
    return PAGE + "".join([f"\n**{one.name}**: {one.says}\n" for one in ordered])


if __name__ == "__main__":
    print(page(), end="")
