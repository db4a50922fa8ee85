"""Principles by the verb of the question, and what is done where there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

from flagplot.kernel.requests import Choose
from flagplot.players.doctrine.sight import Sight

Principle: TypeAlias = Callable[[Sight, Choose[Any]], Any]
"""From what is seen and what is asked to the value that is wanted."""
P = TypeVar("P", bound=Principle)

PRINCIPLES: dict[str, Principle] = {}

When: TypeAlias = Callable[[Choose[Any]], bool]
PARTICULAR: dict[str, list[tuple[When, Principle]]] = {}
"""Principles for some of the questions of a verb, where the map asks something else under it than a battle does."""

HARMLESS = ("none", "stay", "hold", "no", "done")
"""What is answered to unknown questions, if it is offered."""


def principle(*verbs: str, when: When | None = None) -> Callable[[P], P]:
    """Marks the function that answers the questions of these verbs, or those of them for which `when` holds."""

    def enter(function: P) -> P:
        for verb in verbs:
            if when is not None:
                PARTICULAR.setdefault(verb, []).append((when, function))
                continue
            assert verb not in PRINCIPLES, verb
            PRINCIPLES[verb] = function
        return function

    return enter


def always(answer: Principle, *verbs: str, why: str, when: When | None = None) -> None:
    """Questions that are answered alike whatever is seen, with the `first` value, the `last` one or a certain one, and
    why that is so."""

    def alike(sight: Sight, request: Choose[Any]) -> Any:
        return answer(sight, request)

    alike.__doc__ = why
    principle(*verbs, when=when)(alike)


def first(sight: Sight, request: Choose[Any]) -> Any:
    """What is offered first: as it comes, or none."""
    return request.values[0]


def last(sight: Sight, request: Choose[Any]) -> Any:
    """What is offered last: of numbers the most."""
    return request.values[-1]


def says(value: Any) -> Principle:
    """The same value each time."""
    return lambda sight, request: value


def offers(value: Any) -> When:
    """Questions that offer this answer."""

    def holds(request: Choose[Any]) -> bool:
        return value in request.values

    return holds


def principle_for(request: Choose[Any]) -> Principle:
    """The principle by which a question is answered."""
    verb = request.verb
    word = verb if verb.__class__ is str else verb[0]
    if ":" in word:
        word = word.partition(":")[0]
    for when, function in PARTICULAR.get(word, ()):
        if when(request):
            return function
    return PRINCIPLES.get(word, neutral)


def neutral(sight: Sight, request: Choose[Any]) -> Any:
    """Asked something unknown, do as little as possible: nothing, the least number, or the first that is offered."""
    values = request.values
    return next((value for value in values if value in HARMLESS), values[0])


def nearest(values: Sequence[Any], wanted: Any) -> int:
    """The place of the wanted value; of a number that is not offered, that of the nearest one; else the first."""
    try:
        return values.index(wanted)
    except ValueError:
        pass
    if values.__class__ is range and wanted.__class__ is int:
        return 0 if wanted < values[0] else len(values) - 1
    if isinstance(wanted, int | float) and all(isinstance(value, int) for value in values):
        return min(range(len(values)), key=lambda place: abs(values[place] - wanted))
    return 0


def part(request: Choose[Any], place: int) -> str:
    """A part of the verb of a question, such as the group number in ``patrol:3:…``; nothing if it has no such part."""
    verb = request.verb
    return str(verb[place]) if isinstance(verb, tuple) and place < len(verb) else ""
