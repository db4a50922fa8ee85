"""The briefing at the keyboard: in full by `briefing`, in short before the first decision."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from flagplot.briefing.briefing import Briefing, Camp
from flagplot.cli.screen import FAINT, STRONG, Line
from flagplot.kernel.naming import in_sentence


def opening(told: Briefing) -> Iterator[Line]:
    """What a side is told before its first decision: its order, the situation, what wins and how long it takes."""
    if told.name:
        yield Line(Text.assemble((f"Orders for {in_sentence(told.name)}: ", FAINT), (told.order or told.title, STRONG)))
    if told.situation:
        yield Line(Text(told.situation), hang=0)
    if told.guide:
        yield Line(Text("What wins:", STRONG))
        for ending in told.guide.wins:
            yield Line(Text(f"{'✗' if ending.lost else '✓'} {ending.text}{_rule(ending.rule)}"), 2)
    for task in told.tasks:
        yield Line(Text(f"{task.text}: {task.points} point{'s' * (task.points != 1)}"), 4)
    if told.minutes:
        yield Line(Text(f"About {told.minutes} minutes. “briefing” shows all of this again, with the steps.", FAINT))


def in_full(told: Briefing) -> Iterator[Line]:
    """The same with the forces and the steps of play."""
    yield from opening(told)
    for camp in told.camps:
        name = "Your forces" if camp.own else f"The enemy, as you know him: {camp.name}" if told.name else camp.name
        yield Line(Text(f"{name}:", STRONG))
        yield from _forces(camp)
    if told.guide:
        yield Line(Text(f"{told.guide.span}:", STRONG))
        for step in told.guide.steps:
            yield Line(Text(f"{step.name}. {step.text}{_rule(step.rule)}"), 2)


def _forces(camp: Camp) -> Iterator[Line]:
    for stack in camp.stacks:
        where = f" ({stack.where})" if stack.where else ""
        ships = ", ".join([counter.words for counter in stack.counters]) or "hidden"
        yield Line(Text(f"{stack.name or stack.title}{where}: {ships}"), 2)
    if not camp.stacks:
        yield Line(Text("nothing yet"), 2)


def _rule(number: str) -> str:
    return f" ({number})" if number else ""
