"""The course of a battle as a page tells it: chart, turning points, how far the estimate may err."""

from __future__ import annotations

from typing import Any, NamedTuple

from flagplot.draw.course_chart import Spot, course_chart
from flagplot.draw.nations import code_of
from flagplot.kernel.game import Game
from flagplot.table.ending.course import Course

TOLD = 2
"""Events that a turning point names."""


class ToldTurn(NamedTuple):
    """A turning point in words."""

    words: str
    step: int
    change: str


def told_course(course: Course, game: Game[Any], reader: str) -> dict[str, Any]:
    """What the page says; for a reader who is no side, as the side that moved first sees it."""
    ours, theirs = sorted(game.sides, key=lambda side: side != reader)
    named = dict(game.view(ours).position.sides)
    nations = {side["id"]: side.get("nations", [side["id"]])[0] for side in game.scenario["sides"]}
    codes = code_of(nations[ours]), code_of(nations[theirs])
    turns = course.turns(ours)
    last = course.points[-1].step if course.points else 0
    marks = {turn.place: number for number, turn in enumerate(turns, 1)}
    spots = [
        Spot(point.step / max(1, last), point.chance(ours), point.chance(theirs), marks.get(place, 0))
        for place, point in enumerate(course.points)
    ]
    words = f"Chance of {named[ours]} to win: " + ", ".join([f"{spot.ours:.0%}" for spot in spots])
    return {
        "course": course,
        "nobody": course.is_decided_by_nobody([ours, theirs]),
        "names": (named[ours], named[theirs]),
        "codes": codes,
        "error": f"{100 * course.error(ours):.0f}",
        "chart": course_chart(spots, codes, words) if spots else "",
        "turns": [ToldTurn(_words(turn.point.words), turn.point.step, f"{100 * turn.change:+.0f}") for turn in turns],
    }


def _words(happened: tuple[str, ...]) -> str:
    """What happened before a turning point: the last losses, which are usually its cause."""
    told = [one.rstrip(".") for one in happened if not one.startswith("Round ")][-TOLD:]
    return ". ".join(told) + "." if told else "Decisions and dice between key moments."
