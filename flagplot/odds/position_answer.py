"""The odds of a position: an answer for each option of a decision, or a sentence that says why there is none."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import sqrt
from textwrap import wrap
from typing import Any

from flagplot.kernel.errors import BadValue
from flagplot.kernel.plugins import Picture, plugin
from flagplot.kernel.results import Result
from flagplot.odds.answer import Answer, Part, percent
from flagplot.odds.chances import NEGLIGIBLE
from flagplot.odds.position_staff import Believed

OF_A_SHIP = ": hits"
"""How titles end that are of one ship: they are told only where they are uncertain."""
MOST_TOLD = 6
"""Things told of each option in the short list."""


@dataclass(frozen=True, slots=True)
class SampledPart(Part):
    """One thing that was asked about, counted in so many trials."""

    trials: int = 1

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return sqrt(float(self.chances.variance(lambda number: number)) / max(1, self.trials - 1))

    def lines(self) -> list[str]:
        first, *rest = Part.lines(self)
        return [first + (f" ({self.error_in_words})" if self.is_number else ""), *rest]

    @property
    def error_in_words(self) -> str:
        return f"s.e. {self.error:.3f}" if self.trials > 1 else "one trial"

    def as_dict(self) -> dict[str, Any]:
        seen = Part.as_dict(self)
        if self.is_number:
            seen["standard_error"] = self.error if self.trials > 1 else None
        return seen


@dataclass(frozen=True, slots=True, repr=False)
class SampledAnswer(Answer):
    """An answer that was counted in trials, since the arrangements that fit are too many to go through."""

    trials: int = 1
    why: str = ""

    @property
    def soundness(self) -> str:
        if self.trials == 1:
            return f"SAMPLED, not exact: {self.why}. One trial: take it for an example."
        worst = sqrt(0.25 / max(1, self.trials - 1))
        return (
            f"SAMPLED, not exact: {self.why}. {self.trials:,} trials; "
            f"the standard error of a chance is at most {100 * worst:.1f}%."
        )

    def as_dict(self) -> dict[str, Any]:
        seen = Answer.as_dict(self)
        return seen | {"exact": False, "sampled": {"trials": self.trials, "why": self.why}}


@dataclass(frozen=True, slots=True)
class OptionOdds:
    """One option of a decision, and what comes of it."""

    text: str
    label: str
    answer: Answer

    def lines(self) -> list[str]:
        """All about it, without what is said once for all options."""
        return str(replace(self.answer, policies=())).splitlines()[2:]

    def as_dict(self) -> dict[str, Any]:
        return {"option": self.text, "label": self.label, **self.answer.as_dict()}


@dataclass(frozen=True, slots=True, repr=False)
class PositionAnswer(Result):
    """All that is said about a position. If nothing can be said, `why_not` says why and there are no options."""

    side: str
    question: str
    options: tuple[OptionOdds, ...] = ()
    decided_by: str = ""
    """The procedure that decides, with its rule."""
    unknown: tuple[str, ...] = ()
    """What the side does not know, and what is taken instead."""
    assumable: tuple[str, ...] = ()
    """The keys that can be assumed."""
    policies: tuple[str, ...] = ()
    why_not: str = ""
    readings: dict[str, Any] = field(default_factory=dict)
    slow: bool = False
    """Whether it would have to be sampled, which was not wanted."""
    belief: Believed | None = None
    """What is believed of the enemy's unseen forces, if something hangs on it."""
    depends: tuple[str, ...] = ()
    """What the figures would be with other beliefs."""
    played_on: bool = False
    """Whether no single procedure decides, so that both sides were let play on."""

    @property
    def pairs(self) -> list[tuple[str, Answer]]:
        """Each option with its answer, for charts."""
        return [(one.label, one.answer) for one in self.options]

    @property
    def is_sampled(self) -> bool:
        """Whether some of it is an estimate, which gets better with time."""
        return any([isinstance(one.answer, SampledAnswer) for one in self.options])

    def head(self) -> list[str]:
        """The question and what decides it."""
        if self.why_not:
            return [self.question, self.why_not] if self.question else [self.why_not]
        return [self.question, f"Odds until the end of {self.decided_by}."]

    def foot(self) -> list[str]:
        """What was not known, and how everybody was taken to decide."""
        lines = [f"Not known: {words}" for words in self.unknown]
        if self.assumable:
            lines.append(f"To set it: {', '.join(f'--assume {key}=…' for key in self.assumable)}")
        if self.belief is not None:
            lines.append(f"Believed: {self.belief.words}")
            lines.append(f"To change it: {' or '.join(f'--believe {name}' for name in self.belief.others)}")
            lines += [f"Otherwise, {words}" for words in self.depends]
        return [*lines, *[f"Assumed: {words}" for words in self.policies]]

    def short(self) -> list[tuple[str, str]]:
        """Each option with the little that matters most, to compare them."""
        return [(one.label, _short(one.answer) + _mark(one.answer)) for one in self.options]

    def soundness(self) -> list[str]:
        """How sound the answers are, each way once; if there are several ways, which answers each is about."""
        first: dict[str, str] = {}
        for one in self.options:
            first.setdefault(_mark(one.answer).strip(), one.answer.soundness)
        if len(first) == 1:
            return [*first.values()]
        return [f"{mark or 'Without a mark'}: {words}" for mark, words in first.items()]

    def __str__(self) -> str:
        lines = [piece for line in self.head() for piece in _wrapped(line)]
        if self.options:
            lines.append("")
        for label, told in self.short():
            lines += _wrapped(f"{label}:") + _wrapped(told, "    ")
        for one in self.options:
            lines += ["", *_wrapped(f"== {one.label} ({one.text})"), ""]
            lines += one.lines()
        if foot := self.foot():
            lines += ["", *[piece for line in foot for piece in _wrapped(line)]]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        return {
            "side": self.side,
            "question": self.question,
            "why_not": self.why_not or None,
            "decided_by": self.decided_by or None,
            "options": [one.as_dict() for one in self.options],
            "unknown": list(self.unknown),
            "assumable": list(self.assumable),
            "policies": list(self.policies),
            "readings": dict(self.readings),
            "belief": self.belief._asdict() if self.belief is not None else None,
            "depends": list(self.depends),
            "played_on": self.played_on,
        }

    def rows(self) -> list[dict[str, Any]]:
        return [{"option": one.text, **row} for one in self.options for row in one.answer.rows()]

    def drawn(self, columns: int | None = None) -> Picture:
        """A chart of the options beside each other."""
        if not self.options:
            raise BadValue(f"nothing to draw: {self.why_not}")
        picture: Picture = plugin("draw_options")(self.question, self.pairs, columns)
        return picture

    def _repr_svg_(self) -> str:
        if self.options:
            return self.drawn().svg()
        return str(plugin("panel")(str(self)))


def _mark(answer: Answer) -> str:
    """What stands behind an answer in short that is not exact."""
    return " [sampled]" if isinstance(answer, SampledAnswer) else "" if answer.is_whole else " [incomplete]"


FIRST_TOLD = ("factors sunk", "fast carriers sunk", "factors newly damaged", "air units lost")


def _short(answer: Answer) -> str:
    """The parts that tell most, in words; what is certainly nothing is left out."""
    told = sorted([part for part in answer.parts if _in_short(part)], key=lambda part: _rank(part.title))[:MOST_TOLD]
    by_side: dict[str, list[str]] = {}
    for part in told:
        side, mark, _ = part.title.rpartition(": ")
        ship = not mark or part.title.endswith(OF_A_SHIP)
        by_side.setdefault("" if ship else side, []).append(_in_short(part)[0 if ship else len(side) + 2 :])
    lines = [f"{side}: {', '.join(words)}" if side else "; ".join(words) for side, words in by_side.items()]
    return "; ".join(lines) or "no losses"


def _rank(title: str) -> int:
    found = [place for place, words in enumerate(FIRST_TOLD) if title.endswith(words)]
    return found[0] if found else len(FIRST_TOLD)


def _in_short(part: Part) -> str:
    if not part.is_number:
        return f"{part.title}: " + ", ".join([f"{one} {percent(part.chances[one]).strip()}" for one in part.chances])
    some = part.chances.chance(lambda number: number != 0)
    if len(part.chances) == 1:
        return f"{part.title} {next(iter(part.chances))}" if some else ""
    about = "at least " * (part.chances.left_over >= NEGLIGIBLE)  # some of it was not followed
    return f"{part.title} {float(part.mean):.2f} ({about}{percent(some).strip()} any)"


def _wrapped(text: str, indent: str = "") -> list[str]:
    return wrap(text, 80, initial_indent=indent, subsequent_indent=f"{indent}    ") or [""]
