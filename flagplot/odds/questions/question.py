"""What a question of odds is: a frozen dataclass whose fields say how each word of it is asked for, read and quoted.

A kind of question is declared once, under `@question`. Its fields are the options of `flagplot odds KIND`, the fields
of the odds desk, the keywords in Python and the keys of the JSON interface. `flagplot.odds.reading` makes a question of
what somebody typed, and `flagplot.odds.answers` answers it. No game is imported here, so that help comes quickly.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from inspect import getdoc
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, dataclass_transform

from flagplot.kernel.errors import FlagplotError

if TYPE_CHECKING:
    from flagplot.odds.enumerator import Limits

Forces = Literal["air", "squadrons", "ships", "screen", "country", "port"]
Counts = Literal["number", "groups", "hits", "aims", "searchers"]
Others = Literal["choice", "choices", "flag", "research", "readings"]
Type = Forces | Counts | Others
"""What a word holds; `flagplot.odds.reading` knows how each is read."""
SHIPS, COUNT, BY_NAME = "SHIPS", "N", "SHIP N, …"
METAVARS: dict[Type, str] = {"air": "AIR", "ships": SHIPS, "screen": SHIPS, "hits": BY_NAME, "aims": BY_NAME}
METAVARS |= {"number": COUNT, "squadrons": COUNT, "country": COUNT, "groups": "N,N"}
METAVARS |= {"research": "WHO:RESULT=N, …", "readings": "NAME=VALUE"}
NOTHING: tuple[Type, ...] = ("number", "squadrons", "screen")
"""Of these, nothing is something else than an empty text."""
MOST = 99
"""The largest number of units in one entry, as in scenario files."""


@dataclass(frozen=True, slots=True)
class Word:
    """One thing that can be said in a question."""

    type: Type
    about: str
    label: str = ""
    """What it is called in a form; without it, its name."""
    what: str = ""
    """What refusals call it; without it, its name."""
    name: str = ""
    """The field of the question."""
    metavar: str = ""
    needed: bool = False
    default: str | None = ""
    """The text that is taken if nothing is said."""
    unsaid: int | None = None
    """What the question has if nothing is said and there is no such text."""
    least: int = 0
    most: int = MOST
    """The bounds of a number."""
    rule: str = ""
    """The rule that a refusal names."""
    choices: Callable[[], Sequence[str]] | None = None
    """The words that are understood, if they are few."""
    refusal: str = ""
    """What is said of any other word."""
    unknown: bool = False
    """Whether such a word is an unknown name rather than a bad value."""
    first: bool = False
    """Whether a form shows it at once, as all that is needed, not only to those who want to say more."""
    at_desk: bool = True
    """Whether the desk asks for it; how long to go on is not for its readers to say."""
    option: str = ""
    """The option of the command, if it is called otherwise than the field."""

    @property
    def kind(self) -> Literal["text", "flag", "many"]:
        """A text, something that is so or not, or several texts."""
        return "flag" if self.type == "flag" else "many" if self.type in ("choices", "readings") else "text"

    @property
    def called(self) -> str:
        """The option of the command line."""
        return self.option or f"--{self.name.replace('_', '-')}"

    @property
    def title(self) -> str:
        """What a form calls it."""
        return self.label or self.name.replace("_", " ").capitalize()


def word(type: Type, about: str, label: str = "", what: str = "", **more: Any) -> Any:  # noqa: A002 - the word for it
    """A field of a question."""
    usual = {"metavar": METAVARS.get(type, ""), "default": None if type in NOTHING else "", "first": "needed" in more}
    return field(metadata={"word": Word(type, about, label, what, **usual | more)})


def number(about: str, label: str, what: str, rule: str, **more: Any) -> Any:
    """A field that holds a number."""
    return word("number", about, label, what, rule=rule, **more)


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of question, for those who ask: made of the fields of its dataclass."""

    kind: str
    title: str
    about: str
    words: tuple[Word, ...]
    more: str
    """What else is to be known before somebody asks."""
    examples: tuple[Mapping[str, str], ...]
    question: type[Question]

    def word(self, name: str) -> Word | None:
        return next((word for word in self.words if word.name == name), None)

    def command(self, said: Mapping[str, str | Sequence[str]]) -> str:
        """The question as a command line."""
        parts = ["flagplot", "odds", self.kind]
        for word in self.words:
            given = said.get(word.name)
            if word.kind == "flag":
                parts += [word.called] * bool(given)
            else:
                for one in [given] if isinstance(given, str) else given or ():
                    parts += [word.called, one]
        return shlex.join(parts)


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question that has been read. It may still ask for what the rules do not allow."""

    form: ClassVar[Form]
    said: Mapping[str, Any]
    """The words as they were typed, so that a refusal can quote them."""
    limits: Limits | None = None
    """When to stop, for programs; people say states and seconds where it matters."""

    def text(self, name: str) -> str:
        """What was typed for a word."""
        given = self.said.get(name)
        return "" if given is None else str(given)


Asked = TypeVar("Asked", bound=Question)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(word,))
def question(
    kind: str, title: str, *, more: str = "", examples: tuple[Mapping[str, str], ...] = ()
) -> Callable[[type[Asked]], type[Asked]]:
    """Declares a kind of question. What it is about stands in the docstring of its class."""

    def declared(cls: type[Asked]) -> type[Asked]:
        made = dataclass(frozen=True, kw_only=True)(cls)
        words = [_named(one.metadata["word"], one.name) for one in fields(made) if one.metadata]
        made.form = Form(kind, title, getdoc(cls) or "", tuple(words), more, examples, made)
        return made

    return declared


def _named(word: Word, name: str) -> Word:
    return replace(word, name=name, what=word.what or name.replace("_", " "))


class BadQuestion(FlagplotError, code="bad-question"):
    """Several words of a question that cannot be read, all at once."""

    def __init__(self, faults: Mapping[str, FlagplotError]) -> None:
        super().__init__(f"{len(faults)} parts of this question cannot be read")
        self.faults = dict(faults)

    def __reduce__(self) -> tuple[type[BadQuestion], tuple[dict[str, FlagplotError]]]:
        """So that it can be sent from one process to another."""
        return type(self), (self.faults,)

    def __str__(self) -> str:
        return "\n".join([f"{self.message}:", *[f"  {name}: {fault}" for name, fault in self.faults.items()]])

    def as_dict(self) -> dict[str, object]:
        return super().as_dict() | {"faults": {name: fault.as_dict() for name, fault in self.faults.items()}}
