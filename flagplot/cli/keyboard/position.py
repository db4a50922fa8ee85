"""The board at the keyboard: the groups, forces and bases of both sides beside or, on a narrow screen, below each
other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from flagplot.board.model import TIE, Board, Counter, Item, News, Note, Stack, listed
from flagplot.cli.saves.chronicle import style_of
from flagplot.cli.screen import FAINT, STRONG, TWO_COLUMNS, Line, broken
from flagplot.kernel.views import View

WORDS = 48
"""The least width of a column in which signs are spelt out."""

READY, INVERTED, ABORTED, HIDDEN = "●", "○", "✕", "◌"
FOUND, UNSEEN, GONE = "◆", "◇", "←"
LEGEND = {READY: "ready", INVERTED: "inverted", ABORTED: "aborted", HIDDEN: "hidden from the enemy"}

DrawAt = Callable[[Any, int], str]
"""How a game draws a position for so many columns."""


def picture(view: View, console: Console, draw_at: DrawAt | None = None) -> RenderableType:
    """A drawing of the view: of its board, or of a game that has none, or that draws for so many columns by `draw_at`,
    its own text."""
    board, width = view.board, console.width
    if board is None or draw_at:
        return Text(draw_at(view.position, width) if draw_at else str(view))
    two = width >= TWO_COLUMNS and len(board.names) == 2
    column = (width - 2) // 2 if two else width
    sides = [_pieces(_side(board, side, words=column >= WORDS), console, column) for side in board.names]
    top = Rule(Text(board.heading, STRONG), style=FAINT, align="left")
    rest = _pieces(_below(board), console, width)
    return Group(top, _beside(sides, column) if two else Group(*sides), rest, Rule(style=FAINT))


def _beside(sides: list[Text], width: int) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in sides:
        table.add_column(width=width)
    table.add_row(*sides)
    return table


def _pieces(lines: list[Line], console: Console, width: int) -> Text:
    return Text("\n").join(piece for line in lines for piece in broken(line, console, width))


# --- a side -----------------------------------------------------------------------------------------------------


def _side(board: Board, side: str, *, words: bool) -> list[Line]:
    style, roles = f"{STRONG} {style_of(side, board.names)}", board.roles[side]
    lines = [Line(Text.assemble((board.names[side], f"{style} underline"), f" ({', '.join(roles)})" if roles else ""))]
    lines += chart_lines(board, side, style)
    points = board.points.get(side)
    for number, stack in enumerate(board.stacks(side, "forces")):
        if points and not number:
            lines.append(Line(Text(f"{points} point{'s' * (points != 1)} so far", FAINT)))
        lines += stack_lines(stack, style)
    return lines + _bases(board, side, style, words=words) + _on_the_ground(board, side, style)


def chart_lines(board: Board, side: str, style: str) -> list[Line]:
    """The groups of a side in the order of their numbers, those that wait or have left, and its carrier air."""
    chart = [place for place in board.places if place.kind == "chart" and place.side == side]
    if not chart:
        return []
    lines = [Line(Text(place.note, FAINT)) for place in chart if place.note]
    lines += [line for stack in board.stacks(side, "chart", "beside") for line in stack_lines(stack, style)]
    return lines or [_within(Text("nothing seen yet", FAINT))]


def stack_lines(stack: Stack, style: str) -> list[Line]:
    """A stack with all that is known of it."""
    if stack.kind == "waiting" and not stack.name:
        return [_within(Text(note.told, FAINT)) for note in stack.items if isinstance(note, Note)]
    if stack.kind == "submarines":
        return [_head(stack, style), *[_within(Text(counter.brief)) for counter in stack.counters]]
    if stack.kind == "flotilla":
        return [Line(Text.assemble(("submarines", style), f" {_where(stack)}: {stack.counters[0].text}"))]
    return [_head(stack, style), *[_within(_row(items)) for items in stack.lines]]


def _head(stack: Stack, style: str) -> Line:
    marks = [(note.text or note.told).replace(" ", TIE) for note in stack.marks]
    marks = [_where(stack), *marks] if stack.where else marks
    told = f" [{', '.join(marks)}]" if marks else ""
    if stack.kind == "waiting":
        return Line(Text(f"{UNSEEN} {stack.name}{told}"), hang=2)
    name, sign = f" {stack.name}" if stack.name else "", _sign(stack)
    return Line(
        Text.assemble((f"{sign} {stack.title}".strip(), "" if sign == GONE else style), f"{name}{told}"), hang=2
    )


def _where(stack: Stack) -> str:
    return f"{stack.doing}, in {stack.where}" if stack.doing else f"in {stack.where}"


def _sign(stack: Stack) -> str:
    match stack.kind:
        case "group":
            return FOUND if any([note.sign == "eye" for note in stack.marks]) else UNSEEN
        case "force":
            return UNSEEN if stack.state == "hidden" else FOUND
        case "departed":
            return GONE
        case _:
            return ""


def _row(items: list[Item]) -> Text:
    """Notes, ships, or air units that do the same, in one line."""
    counters = [item for item in items if isinstance(item, Counter)]
    if not counters:
        return Text(", ".join([item.told for item in items if isinstance(item, Note)]), FAINT)
    doing = counters[0].doing
    if counters[0].is_ship:
        return Text.assemble(f"{doing}: " if doing else "", ships_text(counters))
    return Text(f"{listed(counters, lambda counter: counter.words)} {doing}".strip())


def ships_text(ships: Iterable[Counter]) -> Text:
    """Ships in a row; those that are damaged stand out, and none is broken at the end of a line."""
    return Text(", ").join([Text(ship.tied, STRONG if ship.damaged else "") for ship in ships])


def _within(text: Text) -> Line:
    return Line(text, 2, 2)


# --- bases, and the ground --------------------------------------------------------------------------------------


def _bases(board: Board, side: str, style: str, *, words: bool) -> list[Line]:
    """The bases of a side; where there is a map, those without air units are only named."""
    lines, empty = [], []
    for stack in board.stacks(side, "bases"):
        if board.sea is None:
            lines += _base(stack, stack.counters, style, words=words)
        elif stack.kind == "base" and stack.counters:
            lines += _base(stack, together(stack.counters), style, words=words)
        elif stack.kind == "base":
            empty.append(stack.title)
    return lines + [Line(Text(f"no air units: {', '.join(empty)}", FAINT))] * bool(empty)


def _base(stack: Stack, air: Sequence[Counter], style: str, *, words: bool) -> list[Line]:
    marks = ", ".join([note.told for note in stack.marks])
    head = Text.assemble((stack.title, style), f" [{marks}]" if marks else "")
    told = [_flight(counter, words=words) for counter in air] or [Text("no air units", FAINT)]
    return [Line(head), *[Line(text, 1, 2) for text in told]]


def _flight(counter: Counter, *, words: bool = True) -> Text:
    """Identical units with their sign and, where there is room, what the sign means."""
    if counter.idle:
        return Text(f"{ABORTED} {counter.text}, {counter.doing}", FAINT)
    symbol = INVERTED if counter.inverted else HIDDEN if counter.secret else READY
    aborted = f", {ABORTED} {counter.aborted} aborted" if counter.aborted else ""
    meaning = f", {LEGEND[symbol].split()[0]}" if words and symbol != READY else ""
    return Text(f"{symbol} {counter.text}{meaning}{aborted}", FAINT if counter.inverted else "")


def together(air: Sequence[Counter]) -> list[Counter]:
    """Air units with the squadrons of broken-down factors in one entry: ``2 attack, 2 cover``."""
    parts: dict[tuple[object, ...], list[Counter]] = {}
    for one in air:
        kind = one.text.split(" ", 1)[1].split(f" {one.role} ")[0] if one.role else one.text
        parts.setdefault((kind, one.inverted, one.doing), []).append(one)
    return [some[0] if len(some) == 1 else _several(str(kind), some) for (kind, *_), some in parts.items()]


def _several(kind: str, air: Sequence[Counter]) -> Counter:
    roles = ", ".join([f"{one.count} {one.role}" for one in air])
    return replace(air[0], text=f"{kind}: {roles}", aborted=sum([one.aborted for one in air]))


def _on_the_ground(board: Board, side: str, style: str) -> list[Line]:
    """In an air turn: the ground units of a side, and the BRPs of its nations."""
    lines = []
    for stack in board.stacks(side, "ground"):
        for unit in stack.counters:
            lines.append(Line(Text(", ".join([f"■ {unit.text}, {unit.brief}: {stack.where}", *unit.notes])), 1, 2))
    lines = [Line(Text("On the ground", style)), *lines] if lines else []
    brps = [f"{stack.title} {stack.items[0].text.split()[0]}" for stack in board.stacks(side, "economy")]
    return lines + [Line(Text(f"BRPs: {', '.join(brps)}"))] * bool(brps)


# --- below ------------------------------------------------------------------------------------------------------


def _below(board: Board) -> list[Line]:
    """What is going on, what is lost so far, and what the signs mean."""
    lines = news_lines(board, board.news)
    for stack in [stack for place in board.places if place.kind == "lost" for stack in place.stacks]:
        words = ", ".join([ship.name for ship in stack.ships]) or "; ".join([item.text for item in stack.items])
        lines.append(Line(Text.assemble((f"{stack.title}: ", STRONG), words)))
    legend = "  ".join([f"{symbol} {meaning}".replace(" ", TIE) for symbol, meaning in _signs(board).items()])
    return [*lines, Line(Text(legend, FAINT))]


def news_lines(board: Board, news: Iterable[News]) -> list[Line]:
    return [_told(board, one) for one in news]


def _told(board: Board, news: News) -> Line:
    sailors = news.topic in ("activity", "sailing")
    style = style_of(news.side, board.names) if sailors else STRONG
    style = f"{STRONG} {style}" if news.topic == "activity" else style
    if news.topic == "mission" and not any([counter.is_ship for counter in news.counters]) and not news.words:
        flights = [Text.assemble(_flight(one), (f" ({one.home})" if one.home else "", FAINT)) for one in news.counters]
        return Line(Text.assemble((news.who, style), Text("; ").join(flights)))
    words = news.told(lambda counter: counter.tied)
    return Line(Text.assemble(news.before, (news.who, style), words), news.indent)


def _signs(board: Board) -> dict[str, str]:
    """The signs that this position uses."""
    usual = {sign: LEGEND[sign] for sign in (READY, INVERTED, ABORTED)}
    if board.is_battle:
        return {**usual, FOUND: "found", "3/3": "hits left"}
    return usual if board.sea else LEGEND
