"""A board in words: the text version of every picture, with all that the picture shows and nothing more."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from flagplot.board.model import Board, Counter, Item, Note, Place, Stack

FEW = 4
"""So many bases of a side or more, and those without air units are only named."""


def board_in_words(board: Board) -> list[str]:
    """What is going on, then place by place; what belongs to a place is indented."""
    lines = [*board.lead, *map(str, board.news)]
    for title, places in groupby(board.places, lambda place: place.title):
        some = list(places)
        notes = filter(None, [*[place.note for place in some], *[_without_air(board, place) for place in some]])
        note = "; ".join(notes)
        lines.append(f"{title}: {note}" if note else title)
        for place in some:
            lines += [f"  {_stack(stack, whose(board, place, stack))}" for stack in laid_out(place)]
            lines += [f"  {line}" for line in place.lines]
    return lines


def shown(place: Place) -> list[Stack]:
    """What a picture shows of a place: a box beside the map is no base."""
    return [stack for stack in place.stacks if stack.kind != "box"]


def bare_bases(place: Place) -> list[Stack]:
    """The bases that are only named, since there are many and nothing is there."""
    bases = shown(place) if place.kind == "bases" else []
    return [stack for stack in bases if not stack.items and not stack.marks] if len(bases) >= FEW else []


def laid_out(place: Place, asked: Container[str] = ()) -> list[Stack]:
    """What a picture shows of a place but for the bases that are only named; one that is asked for, by its subject, is
    shown."""
    bare = {id(stack) for stack in bare_bases(place) if stack.subject not in asked}
    return [stack for stack in shown(place) if id(stack) not in bare]


def _without_air(board: Board, place: Place) -> str:
    bare = bare_bases(place)
    return f"{board.names[bare[0].side]}, without air units: {', '.join([one.title for one in bare])}" if bare else ""


class Whose(NamedTuple):
    """What a board says of the owner of a stack."""

    name: str
    """The name of the side."""
    flag: str
    """The nation whose flag it flies."""
    mine: bool
    """Whether it is the reader's."""
    alone: bool
    """Whether the place is its own, so that its name need not be said beside each stack."""


def whose(board: Board, place: Place, stack: Stack) -> Whose:
    """Whose a stack is."""
    side = stack.side
    return Whose(board.names.get(side, ""), board.flags.get(side, ""), side == board.reader, bool(place.side))


@lru_cache(maxsize=16_384)
def _stack(stack: Stack, owner: Whose) -> str:
    told = "; ".join([*_above(stack), *[words for item in stack.items for words in _item(stack, item)], *_below(stack)])
    name = stack_in_words(stack, owner)
    return f"{name}: {told}" if told else name


def stack_in_words(stack: Stack, owner: Whose) -> str:
    """What it is and whose, with what is noted beside its name: ``Japan, CG 4 (active)``."""
    marks = [owner.name] if owner.name and not owner.alone and stack.kind != "pool" else []
    marks += [note.told for note in stack.marks if note.text and not note.sign]
    name = f"{owner.name}, {stack.title}" if owner.name and owner.alone else stack.title
    return f"{name} ({', '.join(marks)})" if marks else name


def _above(stack: Stack) -> Iterator[str]:
    if stack.name:
        yield stack.name
    yield from [note.told for note in stack.marks if note.sign]
    if stack.kind in ("force", "flotilla"):
        yield f"in {stack.where}"
    elif stack.kind == "unit" and stack.where:
        yield stack.where
    if stack.doing:
        yield f"{stack.doing}{f' to {stack.bound}' if stack.bound else ''}"
    if stack.kind in ("base", "carriers") and not stack.counters:
        yield "no air units"


def _below(stack: Stack) -> Iterator[str]:
    if stack.kind == "group" and stack.state == "hidden":
        yield "nothing is known of it"
    if stack.kind == "departed" and not stack.ships:
        yield "ships unknown"


def _item(stack: Stack, item: Item) -> Iterator[str]:
    if isinstance(item, Note):
        yield item.told
    elif stack.kind == "lost":
        yield item.name
    elif stack.kind == "unit":
        yield from (item.brief, item.detail)
    elif stack.kind == "ground":
        yield from (item.text, item.detail, *item.notes)
    elif item.is_ship:
        yield ship_in_words(item)
    else:
        yield ", ".join([item.brief or item.text, *[item.doing] * bool(item.doing), *item.marks])


def ship_in_words(ship: Counter) -> str:
    """A ship with the hits that it bears; light ships with their number."""
    text = f"{ship.doing}: {ship.brief}" if ship.doing else ship.brief
    damaged = ", damaged" * ship.damaged
    if not ship.size:
        return f"{text}{damaged}"
    left = f"{ship.size - ship.hits} of {ship.size} hits left" if ship.hits else f"{ship.size} hits"
    return f"{text}, {left}{damaged}"
