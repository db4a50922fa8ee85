"""Plain text to a scenario: the statements of a text in order, then what follows from them together."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flagplot.builder.bases import FEATURES, add_base
from flagplot.builder.carriers import add_carriers
from flagplot.builder.checking import check
from flagplot.builder.completing import complete
from flagplot.builder.dates import read_date
from flagplot.builder.draft import Draft
from flagplot.builder.forces import add_force
from flagplot.builder.heads import Head, read_head
from flagplot.builder.history import places
from flagplot.builder.items import Detail, Item, Name, Units, read_item
from flagplot.builder.lines import add_counter, complete_lines, infers_line_of_battle
from flagplot.builder.listed_settings import read_research, read_sides
from flagplot.builder.others import read_order, read_submarines
from flagplot.builder.pieces import START, Piece, Statement, indentation, is_comment, items_of, pieces_of, statement
from flagplot.builder.settings import FIRST, LAST, SIDES, read_set, reader_of, setting_words
from flagplot.builder.siding import infer_sides
from flagplot.builder.tables import rows_read
from flagplot.builder.values import Reading
from flagplot.builder.vocabulary import fold, nation_words, ship_called
from flagplot.kernel.errors import quoted
from flagplot.kernel.naming import in_sentence

LONGEST = 200_000
"""Letters of a text that are read; no battle needs a tenth of it."""
BULLETS = ("-", "*", "•")


def read(text: str) -> Reading:
    """A scenario from plain text; never an error, whatever the text: all that is wrong stands in its problems."""
    draft = Draft()
    if len(text) > LONGEST:
        draft.refuse(START, f"This text has more than {LONGEST:,} letters: type one battle")
        return Reading(text, None, {}, tuple(draft.problems), (), ())
    statements = [*statements_of(text)]
    if statements:
        last = statements[-1]
        end = last.body[-1] if last.body else last.head
        end = Piece("", end.line, end.column + end.length)
        _read_all(draft, statements)
        if len(draft.sides) < 2:
            _refuse_one_side(draft, end)
        else:
            check(draft, end)
    else:
        draft.refuse(START, "Type a force, such as Japan TF1: Akagi, Kaga, 4 CA, 2 DD; 6 NAS")
    problems = tuple(sorted(draft.problems))
    document = None if problems else draft.document
    return Reading(text, document, draft.document, problems, tuple(sorted(draft.notes)), tuple(sorted(draft.lines)))


def statements_of(text: str) -> Iterator[Statement]:
    """The statements of a text: comments left out, continued lines joined, tables turned into lines."""
    kept: Statement | None = None
    margin: int | None = None
    for piece in rows_read([piece for piece in pieces_of(text) if not is_comment(piece)]):
        if isinstance(piece, Statement):
            yield from [kept, piece] if kept else [piece]
            kept = None
            continue
        margin = indentation(piece) if margin is None else min(margin, indentation(piece))
        if kept is not None and indentation(piece) > margin and not piece.text.lstrip().startswith(BULLETS):
            kept = kept._replace(body=(*kept.body, piece.strip()))
            continue
        if kept is not None:
            yield kept
        kept = statement(piece)
    if kept is not None:
        yield kept


def _read_all(draft: Draft, statements: list[Statement]) -> None:
    """Settings and sides first, since units are read by them; then the units; then what they leave out."""
    if _is_title(statements[0]):
        draft.document["title"] = statements[0].head.text
        draft.date, draft.date_piece = read_date(statements[0].head.text), statements[0].head
        draft.line(statements.pop(0), "", "title")
    settings = {place: reader_of(fold(one.head.text)) for place, one in enumerate(statements) if one.colon}
    for wanted in (FIRST, SIDES):
        for one in statements:
            if fold(one.head.text) in wanted and one.colon:
                (reader_of(fold(one.head.text)) or read_sides)(draft, one)
    units = [one for place, one in enumerate(statements) if not settings.get(place)]
    units = [one for one in units if fold(one.head.text) not in (*SIDES, *LAST)]
    _settle_game(draft, units)
    infer_sides(draft, statements)
    for place, reader in settings.items():
        if reader and fold(statements[place].head.text) not in FIRST:
            reader(draft, statements[place])
    section = ""
    for one in units:
        section = _read_units(draft, one, section)
    (complete if draft.document["game"] == "awaw" else complete_lines)(draft)
    for one in statements:
        if fold(one.head.text) in LAST:
            read_set(draft, one)


def _settle_game(draft: Draft, units: list[Statement]) -> None:
    """Which game it is. A base attack is a battle of Line of Battle, or on a map an operation against a base."""
    document = draft.document
    attack = document.get("kind") == "base-attack"
    if infers_line_of_battle(units) or (attack and "map" not in document):
        document.setdefault("game", "line-of-battle")
    document.setdefault("game", "awaw")
    if attack and document["game"] == "awaw":
        document["kind"] = "operation"


def _refuse_one_side(draft: Draft, end: Piece) -> None:
    """A battle has two sides: tell which one is there, and what to type for the other."""
    there = [entry["name"] for entry in draft.sides]
    missing = "Japan" if there and there[0] != "Japan" else "US"
    told = f"Only {in_sentence(there[0])} has forces here" if there else "Nobody has forces here"
    draft.refuse(end, f"{told}. Type a line for the other side, such as {missing} TF1: 4 CA, 6 DD")


def _is_title(one: Statement) -> bool:
    """Whether a first line without a colon is the name of the battle, not that of a nation."""
    if one.colon or any(isinstance(read_item(piece), Units) for piece in items_of(one.head)):
        return False
    head = read_head(one.head, {})
    return bool(head.name or head.kind)


def _read_units(draft: Draft, one: Statement, section: str) -> str:
    """A force, a base or something else of a side; the side of the section that follows is returned."""
    head = read_head(one.head, draft.side_names)
    side = draft.side_of(head.owner) if head.owner else ""
    if side and not head.name and not head.kind and not one.body:
        draft.line(one, side, "")
        return side
    if not one.colon:
        _refuse_line(draft, one)
        return section
    items = [read_item(piece) for piece in one.items]
    side = side or _side_of_items(draft, items) or section or _side_of_place(draft, head)
    if not side:
        _refuse_head(draft, head, one)
        return section
    if draft.document["game"] == "line-of-battle" and head.kind != "orders":
        add_counter(draft, head, side, one)
        return section
    match head.kind or _kind(draft, head, items):
        case "carriers":
            add_carriers(draft, head, side, items, one)
        case "bases":
            add_base(draft, head, side, items, one)
        case "submarines":
            read_submarines(draft, head, side, one)
        case "research":
            read_research(
                draft, one, head.owner if head.owner in nation_words().values() else draft.nations_of(side)[0]
            )
        case "orders":
            read_order(draft, side, one)
        case _:
            add_force(draft, head, side, items, one)
    return section


def _side_of_items(draft: Draft, items: list[Item]) -> str:
    """The side that the units of a line belong to, if they tell."""
    for item in items:
        nation = item.nation if isinstance(item, Units) else ""
        if isinstance(item, Name) and (found := ship_called(item.piece.text)):
            nation = found.nation
        if nation and (side := draft.side_of(nation)):
            return side
    return ""


def _side_of_place(draft: Draft, head: Head) -> str:
    """The side that held a base of this name in our orders of battle."""
    nations = places().get(fold(head.name), {}).get("nations", ())
    return next((side for side in map(draft.side_of, nations) if side), "")


def _kind(draft: Draft, head: Head, items: list[Item]) -> str:
    """Whether a line is about a force or a base: ships make a force, what stands on land a base."""
    if any(
        isinstance(item, Name) or (isinstance(item, Units) and item.group in ("light", "capital")) for item in items
    ):
        return "forces"
    ashore = any(
        (isinstance(item, Units) and item.key in ("army", "jet", "transport"))
        or (isinstance(item, Detail) and item.key in (*FEATURES, "at", "place", "distance", "winter", "supply"))
        for item in items
    )
    return "bases" if ashore or not items or fold(head.name) in places() else "forces"


def _refuse_line(draft: Draft, one: Statement) -> None:
    draft.refuse(
        one.head,
        f"{quoted(one.head.text)} has no colon. Type a name, a colon and what is there, such as "
        "Japan TF1: Akagi, Kaga, 4 CA, 2 DD; 6 NAS",
    )


def _refuse_head(draft: Draft, head: Head, one: Statement) -> None:
    """A line that belongs to nobody: a misspelt setting, a misspelt nation, or a name without its nation."""
    words = fold(head.piece.text)
    if meant := draft.meant(words, setting_words()):
        draft.refuse(head.piece, f"{quoted(head.piece.text)} is no setting. Did you mean {meant}?", meant.capitalize())
        return
    start = re.match(r"\S+", head.piece.text)
    names = [*draft.side_names, *[name for name in nation_words() if len(name) > 3]]
    first = head.piece.match(start) if start else head.piece
    if meant := draft.meant(fold(first.text), [*dict.fromkeys(names)]):
        draft.refuse(first, f"No nation called {quoted(first.text)}. Did you mean {meant.title()}?", meant.title())
        return
    sides = [entry["name"] for entry in draft.sides] or ["Japan"]
    draft.refuse(
        head.piece,
        f"Whose is {quoted(head.piece.text)}? Type the nation first, such as {sides[0]} {head.piece.text}",
        f"{sides[0]} {head.piece.text}",
    )
