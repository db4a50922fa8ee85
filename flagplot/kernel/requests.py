"""What a script of the rules may ask: a choice by a side, or a roll of dice. And what it may say: a note.

A script never prints, reads input or draws a random number. It yields one of these and goes on with the answer,
whoever gives it: a person, a bot, a tape, a test, or the enumerator of the odds.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar, overload

from flagplot.kernel.ledger import NOTHING, Ledger
from flagplot.kernel.results import html_table
from flagplot.kernel.words import Words, say, sentence

T = TypeVar("T")
Faces: TypeAlias = tuple[int, ...]


@dataclass(slots=True, eq=False, repr=False)
class Choose(Generic[T]):
    """A choice by one side among a few values; the script goes on with the value that was chosen.

    `values` are small immutable values: strings, whole numbers or tuples of these. The stable text of an option is the
    verb (of one word or several) and the value, ``with:carriers`` or ``flee:rabaul:2``. `label` and `rule` are given
    once for all values or value by value, and are looked at only when somebody reads them: they may use nothing that
    changes later. `secret` holds the words by which the other side reads in the log, as soon as the question is asked,
    that something is decided, and nothing more.

    With one value only, nothing is asked. That would tell the other side that there was but one, so where the number of
    values follows from a secret `always` is set: then it is asked all the same.
    """

    side: str
    verb: str | tuple[str, ...]
    values: Sequence[T]
    question: Words
    label: Callable[[T], Words] | Mapping[T, Words]
    rule: str | Mapping[T, str]
    secret: Words = ""
    always: bool = False

    def __len__(self) -> int:
        return len(self.values)

    def option(self, index: int) -> Option[T]:
        if 0 <= index < len(self.values):
            return Option(self, index)
        raise IndexError(f"there are {len(self.values)} options, counted from 0: {index}")

    @property
    def options(self) -> Options[T]:
        """The options in their order; each is made when somebody asks for it."""
        return Options(self)

    def find(self, text: str) -> Option[T] | None:
        """The option of that text, if it is offered."""
        return next((option for option in self.options if option.text == text), None)

    @property
    def public(self) -> Words:
        """What is decided, in words that everybody may read."""
        return self.secret or self.question

    @property
    def rules(self) -> tuple[str, ...]:
        """The rule numbers behind this question, each once."""
        numbers = [self.rule] if isinstance(self.rule, str) else list(self.rule.values())
        return tuple(dict.fromkeys(numbers))

    def __str__(self) -> str:
        return f"{self.side}: {sentence(self.question)}"

    def __repr__(self) -> str:
        return f"<Choose {self}, {len(self)} options>"

    def _repr_html_(self) -> str:
        rows = [{"option": one.text, "label": one.label, "rule": one.rule} for one in self.options]
        return f"<p>{escape(str(self))}</p>{html_table(rows)}"


class Option(Generic[T]):
    """One value that may be chosen, with its stable text, a label for people and the rule that allows it."""

    __slots__ = ("index", "request")

    def __init__(self, request: Choose[T], index: int) -> None:
        self.request = request
        self.index = index

    @property
    def value(self) -> T:
        return self.request.values[self.index]

    @property
    def text(self) -> str:
        return f"{value_text(self.request.verb)}:{value_text(self.value)}"

    @property
    def label(self) -> str:
        label = self.request.label
        return sentence(label[self.value] if isinstance(label, Mapping) else label(self.value))

    @property
    def rule(self) -> str:
        rule = self.request.rule
        return rule if isinstance(rule, str) else rule[self.value]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Option) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<option {self.text}>"


class Options(Sequence[Option[T]]):
    """The options of a choice, in order, made one by one as they are looked at."""

    __slots__ = ("_request",)

    def __init__(self, request: Choose[T]) -> None:
        self._request = request

    def __len__(self) -> int:
        return len(self._request.values)

    @overload
    def __getitem__(self, index: int) -> Option[T]: ...
    @overload
    def __getitem__(self, index: slice) -> list[Option[T]]: ...
    def __getitem__(self, index: int | slice) -> Option[T] | list[Option[T]]:
        places = range(len(self))[index]
        if isinstance(places, int):
            return Option(self._request, places)
        return [Option(self._request, place) for place in places]

    def __iter__(self) -> Iterator[Option[T]]:
        return (Option(self._request, index) for index in range(len(self)))

    def __repr__(self) -> str:
        return f"({', '.join(option.text for option in self)})"


def value_text(value: object) -> str:
    """The stable text of an option's value: its parts joined by colons."""
    return ":".join(map(str, value)) if isinstance(value, tuple) else str(value)


@dataclass(slots=True, eq=False, repr=False)
class Roll(Generic[T]):
    """Some six-sided dice; the script goes on with what `reads`, a pure function, makes of their faces.

    So the request can list its outcomes with exact weights, and faces that read the same are one branch. What is
    read must be hashable and have a text that people understand ("2/3"), and may not depend on the order of the dice:
    sixteen of them fall in 20,349 ways if the order does not count, and in 6 ** 16 if it does. `side` is the side whose
    roll it is.

    Dice fall in the open: everybody sees the faces and what is read. With `secret` set only the side that rolls reads
    the purpose and the ledger; the other side reads these words instead, and no reasons.

    The ledger is what modifies the roll, or, if `counts` names something, what adds up to that: the "level" of an air
    defense, the "dice" of a search.

    `finds` and `sinks` are for whoever judges luck, and nobody is shown them: if what is read is a list of numbers, the
    names of what they stand for in this battle; and how much each reading sinks at once, by a function that is the same
    for equal cases.
    """

    side: str
    dice: int
    purpose: Words
    reads: Callable[[Faces], T]
    rule: str
    ledger: Ledger = NOTHING
    secret: Words = ""
    counts: str = ""
    finds: Mapping[int, str] | None = None
    sinks: Callable[[T], int] | None = None

    @property
    def public(self) -> Words:
        """What the roll is for, in words that everybody may read."""
        return self.secret or self.purpose

    def outcomes(self) -> dict[T, int]:
        """What can be read and in how many of the 6 ** dice ways."""
        weights: dict[T, int] = {}
        for faces, ways in falls(self.dice):
            reading = self.reads(faces)
            weights[reading] = weights.get(reading, 0) + ways
        return weights

    def readings(self) -> list[tuple[Faces, int]]:
        """The same with faces: the first that read so, for each of what can be read."""
        found: dict[T, tuple[Faces, int]] = {}
        for faces, ways in falls(self.dice):
            reading = self.reads(faces)
            first, before = found.get(reading, (faces, 0))
            found[reading] = first, before + ways
        return list(found.values())

    def __str__(self) -> str:
        return f"{self.side}: {say(self.purpose)}"

    def __repr__(self) -> str:
        return f"<Roll {self}, {self.dice} dice>"


@lru_cache(maxsize=16)
def falls(dice: int) -> tuple[tuple[Faces, int], ...]:
    """How some dice can fall if their order does not count: the faces from low to high, and in how many orders."""
    orders = factorial(dice)
    return tuple(
        (faces, orders // prod([factorial(faces.count(face)) for face in range(1, 7)]))
        for faces in combinations_with_replacement(range(1, 7), dice)
    )


class Headline(NamedTuple):
    """What kind of news a note brings, and of whom: for those who show it rather than read its words."""

    kind: Literal["round", "found", "damaged", "sunk", "air-lost"]
    of: tuple[str, ...] = ()
    """The ids of ships and units, or the subjects of stacks, as the board has them."""

    @property
    def is_hit(self) -> bool:
        """Whether something was damaged, sunk or shot down."""
        return self.kind in ("damaged", "sunk", "air-lost")


@dataclass(slots=True, eq=False, repr=False)
class Note:
    """Something that happened, for the log. No answer is wanted.

    With `side` set, only that side reads `words`; the other side reads `twin` in the same place. `reveals` says that
    something hidden came to light, so that nothing before it can be taken back: a secret of that side, or of more than
    one if it is just True. `headline` is for whoever may read `words`.
    """

    words: Words
    rule: str
    side: str = ""
    twin: Words = ""
    reveals: str | bool = False
    headline: Headline | None = None


def disclosed(words: Words, rule: str, side: str | bool, headline: Headline | None = None) -> Note:
    """A note by which something of a side comes to light: `reveals`, without the time that naming it would take."""
    return Note(words, rule, "", "", side, headline)


Request: TypeAlias = Choose[Any] | Roll[Any] | Note
R_co = TypeVar("R_co", covariant=True)
Script: TypeAlias = Generator[Request, Any, R_co]
