"""A board laid out as cards: one for each stack, in a band for each place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from flagplot.board.model import Board, Counter, Item, Look, Note, Place, Stack
from flagplot.draw.cards import Band, Card, Layout, Row

FEW = 4
"""So many bases of a side or more, and those without air units are only named."""


def laid_out(board: Board) -> Layout:
    """The whole board; places of one name, as the bases of both sides, are one band."""
    named = [list(places) for _, places in groupby(board.places, lambda place: place.title)]
    return Layout(board.title, [_band(board, places) for places in named], [*board.lead, *map(str, board.news)])


def _band(board: Board, places: list[Place]) -> Band:
    first = places[0]
    cards = [card for place in places for card in _cards(board, place)]
    note = "; ".join(filter(None, [*[place.note for place in places], *[_without_air(board, one) for one in places]]))
    lines = [line for place in places for line in place.lines]
    return Band(
        first.title, cards, note, "places" if first.kind == "chart" else "cards", _side(board, first.side), lines
    )


def _side(board: Board, side: str) -> int:
    return list(board.names).index(side) if side in board.names else -1


def _cards(board: Board, place: Place) -> Iterator[Card]:
    if place.kind == "chart":
        groups = {stack.number: stack for stack in place.stacks}
        for number in range(1, max([place.room, *groups]) + 1):
            if number in groups:
                yield _card(board, place, groups[number])
            else:
                key = f"group:{place.side}:{number}"
                yield Card(f"{number}", "empty", "empty", _side(board, place.side), [], key, board.names[place.side])
        return
    bare = _bare(place)
    yield from [_card(board, place, stack) for stack in _shown(place) if stack not in bare]
    if place.room and not place.stacks:
        yield Card("nobody", "", "empty", _side(board, place.side))


def _shown(place: Place) -> list[Stack]:
    """A box beside the map is no base."""
    return [stack for stack in place.stacks if stack.kind != "box"]


def _bare(place: Place) -> list[Stack]:
    """The bases that are only named."""
    bases = _shown(place) if place.kind == "bases" else []
    return [stack for stack in bases if not stack.items and not stack.marks] if len(bases) >= FEW else []


def _without_air(board: Board, place: Place) -> str:
    bare = _bare(place)
    return f"{board.names[bare[0].side]}, without air units: {', '.join([one.title for one in bare])}" if bare else ""


# --- a card -----------------------------------------------------------------------------------------------------


def _card(board: Board, place: Place, stack: Stack) -> Card:
    whose = board.names.get(stack.side, "")
    marks = [whose] if whose and not place.side and stack.kind != "pool" else []
    marks += [note.text for note in stack.marks if note.text and not note.sign]
    return Card(
        stack.title,
        ", ".join(marks),
        stack.state,
        _side(board, stack.side),
        [*_above(stack), *[row for item in stack.items for row in _rows(stack, item)], *_below(stack)],
        stack.subject,
        whose if place.side else "",
        stack.unit,
    )


def _above(stack: Stack) -> Iterator[Row]:
    if stack.name:
        yield Row(stack.name, look="strong")
    yield from [Row(note.text, note.sign, words=note.words) for note in stack.marks if note.sign]
    if stack.kind in ("force", "flotilla"):
        yield Row(f"in {stack.where}", look="faint")
    elif stack.kind == "unit" and stack.where:
        yield Row(stack.where, look="faint")
    if stack.doing:
        yield Row(f"{stack.doing}{f' to {stack.bound}' if stack.bound else ''}", "speed")
    if stack.kind in ("base", "carriers") and not stack.counters:
        yield Row("no air units", look="faint")


def _below(stack: Stack) -> Iterator[Row]:
    if stack.kind == "group" and stack.state == "hidden":
        yield Row("nothing known", look="faint")
    if stack.kind == "departed" and not stack.ships:
        yield Row("ships unknown", look="faint")


def _rows(stack: Stack, item: Item) -> Iterator[Row]:
    if isinstance(item, Note):
        yield Row(item.text, item.sign, item.look, words=item.words)
    elif stack.kind == "lost":
        yield Row(item.name, item.silhouette)
    elif stack.kind == "unit":
        yield Row(item.brief, item.silhouette, "strong")
        yield Row(item.detail)
    elif stack.kind == "ground":
        yield Row(item.text, look="strong")
        yield Row(item.brief, words=item.detail)
        yield from [Row(note, look="faint") for note in item.notes]
    elif item.is_ship:
        yield _ship(item)
    else:
        words = ", ".join([item.brief or item.text, *[item.doing] * bool(item.doing), *item.marks])
        yield Row(words, item.silhouette, "faint" if item.idle or item.inverted else "plain")


def _ship(ship: Counter) -> Row:
    """A ship with a box for each hit that it bears; light ships with their number."""
    text = f"{ship.doing}: {ship.brief}" if ship.doing else ship.brief
    damaged = ", damaged" * ship.damaged
    look: Look = "hit" if ship.damaged or ship.hits else "plain"
    if not ship.size:
        return Row(f"{text}{damaged}", ship.silhouette, look)
    left = f"{ship.size - ship.hits} of {ship.size} hits left" if ship.hits else f"{ship.size} hits"
    return Row(f"{text}{damaged}", ship.silhouette, look, (ship.size, ship.hits), f"{text}, {left}{damaged}")
