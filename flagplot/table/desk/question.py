"""A question of the odds desk as it came: what each field holds, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from flagplot.odds.questions.question import Form, Word
from flagplot.table.desk.trays import Tray, settled, trays_of

LONGEST = 400
"""The longest text of a field."""
MOST_VALUES = 120
CLEAR = "clear"
"""An address with this has an empty form, instead of an example."""
NO = ("", "0", "no", "false", "off")


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
