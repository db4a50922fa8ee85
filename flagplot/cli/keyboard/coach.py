"""The coach of a lesson at the keyboard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.text import Text

from flagplot.cli.screen import FAINT, STRONG, Line
from flagplot.lessons import Lesson, Step


def greeting(guide: Lesson) -> list[Line]:
    return [Line(Text(guide.title, STRONG)), Line(Text(f"{guide.about} “coach off” sends the coach away.", FAINT))]


def card(guide: Lesson, steps: Iterable[Step]) -> Iterator[Line]:
    """What the coach says now."""
    for step in steps:
        rule = f" ({step.rule})" if step.rule else ""
        yield Line(Text.assemble((f"Coach {step.number}/{len(guide.steps)}: {step.title}", STRONG), (rule, FAINT)))
        yield Line(Text(step.text), 2)
        if step.suggestion:
            yield Line(Text.assemble(("Try this: ", STRONG), step.suggestion), 2)
