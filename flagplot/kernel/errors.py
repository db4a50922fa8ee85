"""What can go wrong at the border of the engine, as a small tree.

Each error has a code for programs, quotes the offending input, says what would be allowed and names the rule
that forbids it. A fault inside the engine itself is none of these: it is an ordinary Python exception.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from typing import ClassVar, NamedTuple

from flagplot.kernel.words import listing, plural

MANY = 12
"""With a good guess, more things than this are not listed: nobody would read them."""


class FlagplotError(Exception):
    """Base of every refusal. Nothing has changed when one of these is raised."""

    code: ClassVar[str] = "error"

    def __init_subclass__(cls, *, code: str = "") -> None:
        """Each kind of refusal is declared with its code; without one it has that of the kind above it."""
        cls.code = code or cls.code

    def __init__(self, message: str, *, given: object = None, allowed: Sequence[object] = (), rule: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.given = given
        self.allowed = tuple(str(item) for item in allowed)
        self.rule = rule

    def __str__(self) -> str:
        text = self.message
        if self.given is not None:
            text += f": {quoted(self.given)}"
        if self.rule:
            text += f" (rule {self.rule})"
        if self.allowed:
            text += f". {self._instead()}"
        return text

    def _instead(self) -> str:
        """What to type instead: what is most like it, if one thing is, and else what is allowed."""
        given = "" if self.given is None else str(self.given)
        meant = most_like(given, self.allowed) if len(self.allowed) > 1 else ""
        if meant and len(self.allowed) > MANY:
            return f"Did you mean {meant}?"
        others = listing([one for one in self.allowed if one != meant], "or")
        return f"Did you mean {meant}? Otherwise use {others}" if meant else f"Use {others}"

    def as_dict(self) -> dict[str, object]:
        return {
            "error": self.code,
            "message": self.message,
            "given": None if self.given is None else str(self.given),
            "allowed": list(self.allowed),
            "rule": self.rule or None,
        }


class UnknownName(FlagplotError, code="unknown-name"):
    """A scenario, table, rule, option or side that does not exist."""


class BadValue(FlagplotError, code="bad-value"):
    """A value of the wrong kind or out of range."""


class IllegalAnswer(FlagplotError, code="illegal-answer"):
    """An answer that was not offered, or of the wrong kind for what is asked."""


class StaleAnswer(FlagplotError, code="stale-answer"):
    """An answer, or a look, meant for a moment of the game that has passed."""


class UndoRefused(FlagplotError, code="undo-refused"):
    """Something happened since the answer that cannot be taken back."""


class DiceError(FlagplotError, code="dice"):
    """Dice that no six-sided dice could show, or that cannot be had."""


class SaveError(FlagplotError, code="save"):
    """A save that cannot be read, is of another version, or was tampered with."""


class OldRules(SaveError, code="old-rules"):
    """A save under another version of its game's rules: it can be read and its dice proved, but not played on."""

    def __str__(self) -> str:
        return self.message  # it names the rules already


class MissingExtra(FlagplotError, ImportError, code="missing-extra"):
    """A part of Flagplot was asked for whose packages were not installed with it."""

    def __init__(self, extra: str, module: str | None = None) -> None:
        missing = f" ({module})" if module else ""
        super().__init__(f"this needs packages that are not installed{missing}. Type: pip install 'flagplot[{extra}]'")


class Fault(NamedTuple):
    """One thing wrong in a file: where, what, and the rule that it breaks."""

    place: str
    message: str
    rule: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" + (f" (rule {self.rule})" if self.rule else "")


class FaultsError(FlagplotError):
    """All faults of something that was read, at once."""

    def __init__(self, message: str, faults: Sequence[Fault], *, given: object = None) -> None:
        super().__init__(message, given=given)
        self.faults = tuple(faults)

    def __str__(self) -> str:
        return "\n".join([f"{self.message}:", *[f"  {fault}" for fault in self.faults]])

    def as_dict(self) -> dict[str, object]:
        return super().as_dict() | {"faults": [fault._asdict() for fault in self.faults]}


class ScenarioError(FaultsError, code="scenario"):
    """All faults of a scenario file at once."""

    def __init__(self, name: str, faults: Sequence[Fault]) -> None:
        super().__init__(f"scenario {quoted(name)} has {plural(len(faults), 'fault')}", faults)
        self.name = name

    def __reduce__(self) -> tuple[type[ScenarioError], tuple[str, tuple[Fault, ...]]]:
        """So that it can be sent from one process to another."""
        return type(self), (self.name, self.faults)


def most_like(given: str, allowed: Sequence[str]) -> str:
    """What is most like it; nothing if several are alike: a guess would be wrong as often as right."""
    return _most_like(given, tuple(allowed))


@lru_cache(1024)
def _most_like(given: str, allowed: tuple[str, ...]) -> str:
    folded = given.casefold()
    close = get_close_matches(folded, [one.casefold() for one in allowed], 2) if folded else []
    likeness = [SequenceMatcher(None, one, folded).ratio() for one in close]
    if not close or (len(close) > 1 and likeness[0] == likeness[1]):
        return ""
    return next(one for one in allowed if one.casefold() == close[0])


def quoted(thing: object) -> str:
    """The offending input in quotes, shortened if it is long."""
    text = str(thing)
    return f"“{text if len(text) <= 80 else text[:77] + '…'}”"
