"""`flagplot hint`: what the staff would do, and why; and the same at a prompt and after a battle."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.text import Text

from flagplot import library
from flagplot.cli.failures import DONE
from flagplot.cli.output import new_console, print_json
from flagplot.cli.screen import FAINT, STRONG, Line, Screen
from flagplot.kernel.errors import BadValue, UnknownName
from flagplot.kernel.game import Game, Player
from flagplot.kernel.words import answered
from flagplot.odds.words import read_whole
from flagplot.players.ranks import BUDGETS
from flagplot.players.search.hints import RANK, why_none
from flagplot.players.search.player import SearchPlayer
from flagplot.players.search.thought import Thought
from flagplot.players.search.words import table
from flagplot.review.reasons import decisions, reason

TOLD = 3
"""Decisions of the enemy that are explained after a battle."""


def hint(file: str, side: str, at: str | None, rank: str | None, *, as_json: bool) -> int:
    """`flagplot hint`."""
    kind = (rank or RANK).partition(":")[0]
    if kind not in BUDGETS:
        raise UnknownName("no such rank that looks ahead", given=rank, allowed=list(BUDGETS))
    game, notices = library.resume_with_notices(file, follow=False)
    if side not in game.sides:
        raise UnknownName("no such side", given=side, allowed=list(game.sides))
    screen = Screen(new_console())
    if game.pending is None and at is None:
        return _listed(game, side, screen, as_json=as_json)
    if game.pending is None:
        past = decisions(game, side)
        number = read_whole(str(at), "number of a decision", 1, len(past) or 1)
        found = reason(game, side, number, rank=rank or RANK)
        why = "the staff does not look ahead for this decision"
    elif at is not None:
        raise BadValue("past decisions are explained when the game is over", given=f"--at {at}")
    else:
        found, why = game.hint(side, rank=rank or RANK), why_none(game, side)
    if as_json:
        print_json({"hint": found.as_dict() if found else None, "why_not": "" if found else why, "notices": notices})
        return DONE
    screen.show(lines(found) if found else [Line(Text(why, STRONG))])
    return DONE


def _listed(game: Game[Any], side: str, screen: Screen, *, as_json: bool) -> int:
    """The decisions of a side in a finished game, by number."""
    past = decisions(game, side)
    if as_json:
        print_json({"decisions": [one._asdict() for one in past]})
        return DONE
    for one in past:
        screen.show([Line(Text.assemble((f"{one.number:>4}  ", STRONG), answered(one.question, one.answer)), 0, 6)])
    screen.say("To see what was weighed, add --at and a number.", FAINT)
    return DONE


def lines(thought: Thought) -> list[Line]:
    """A decision with its table and why."""
    rows = table(thought.options, thought.chosen, thought.unit)
    return [
        Line(Text(thought.question, STRONG)),
        *[Line(Text(row, FAINT if place in (0, len(rows) - 1) else ""), 2) for place, row in enumerate(rows)],
        Line(Text(thought.sentence), 2),
    ]


def all_lines(thoughts: Sequence[Thought]) -> list[Line]:
    return [line for thought in thoughts for line in lines(thought)]


def afterwards(bots: dict[str, Player], names: dict[str, str]) -> Iterable[Line]:
    """After a battle: where a player that looked ahead left its doctrine for most, and why."""
    for side, bot in bots.items():
        if not isinstance(bot, SearchPlayer) or not bot.thoughts:
            continue
        left = [one for one in bot.thoughts if one.chosen != one.doctrine and not one.mixed]
        weighty = sorted(left, key=lambda one: -one.of(one.chosen).better.mean)[:TOLD]
        number, other = len(bot.thoughts), len([one for one in bot.thoughts if one.chosen != one.doctrine])
        head = f"What {names.get(side, side)} thought: it weighed {number} decisions and left its doctrine in {other}."
        yield Line(Text(head, STRONG))
        for one in sorted(weighty, key=lambda one: one.number):
            yield Line(Text.assemble(answered(one.question, ""), one.sentence), 2, 2)
