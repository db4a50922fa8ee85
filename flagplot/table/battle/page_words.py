"""From what a reader may know (a `Look`) to what a page shows: the line of steps, the question, the news, the board.

Nothing here knows more than the look: no version, no other side's question. The same look gives the same bytes, so a
stream can tell by them whether there is anything new.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any, NamedTuple

from markupsafe import Markup

from flagplot import library
from flagplot.awaw.own_groups import in_own_words
from flagplot.board.model import Board
from flagplot.draw.dice import die
from flagplot.kernel.log import Entry
from flagplot.kernel.naming import in_sentence
from flagplot.kernel.sheets import Sheet
from flagplot.kernel.words import say
from flagplot.report import readings
from flagplot.table.battle.board_page import Drawn, asks_of, drawn
from flagplot.table.battle.map_page import MapParts, map_drawn
from flagplot.table.info import Look, Question
from flagplot.table.keeping.retention import Deletion
from flagplot.table.pages import environment
from flagplot.table.reader import Place

Data = Mapping[str, Any]

SHOWN = 40
"""Lines of the log that a page has at first; the others when they are asked for."""


ICONS = {"round": "flag", "found": "eye", "damaged": "ammo", "sunk": "flame", "air-lost": "cross", "roll": "dice"}


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the log for a page."""

    number: int
    """Its place in the reader's log, from 1."""
    kind: str
    side: int
    """0 or 1, or -1 if it is nobody's."""
    who: str
    text: str
    rule: str
    dice: Markup
    faces: tuple[int, ...]
    total: str
    """What the reasons of a roll come to, in words."""
    sum: str
    """The dice with their modifier as people write it: ``8 + 3 = 11``; nothing if they are not added up."""
    reading: str
    ledger: tuple[tuple[str, str, str], ...]
    """Amount, reason, rule."""
    mark: str = ""
    """How it came about, if it was not decided by its own side: in words."""
    headline: str = ""
    """What kind of news it is, if it is to be shown on the board."""
    of: tuple[str, ...] = ()
    """Whom that is about, as the board calls them."""

    @property
    def icon(self) -> str:
        """The sign beside it."""
        return ICONS.get(self.headline) or ICONS.get(self.kind, "")

    @property
    def spoken(self) -> str:
        """For the live region: a roll or a decision in one sentence."""
        if self.kind == "roll":
            faces = " ".join(map(str, self.faces))
            return f"Dice {faces}. {self._words}: {self.reading}."
        return f"{self._words}." if self.kind == "choice" else f"{self.text}."

    @property
    def _words(self) -> str:
        return f"{self.who}: {self.text}" if self.who else self.text


@dataclass(frozen=True, slots=True)
class Button:
    """An option as it is offered."""

    text: str
    label: str
    rule: str
    key: str
    """The key that takes it; the first ten have one."""


# --- what is asked ----------------------------------------------------------------------------------------------


OwnWords = Callable[[str], str]


def own_words(look: Look, board: Board | None) -> OwnWords:
    """How a reader is asked about his groups: by the names that stand on his board."""
    stacks = [stack for place in board.places for stack in place.stacks] if board else []
    names = {stack.number: stack.name for stack in stacks if stack.side == look.reader and stack.number and stack.name}
    return partial(in_own_words, name=names_of(look).get(look.reader, ""), names=names)


def in_words_of(sheet: Sheet, own: OwnWords) -> Sheet:
    """A plan that asks so."""
    fields = []
    for one in sheet.fields:
        offers = [offer._replace(label=own(offer.label)) for offer in one.offers]
        fields.append(one._replace(question=own(one.question), offers=tuple(offers)))
    return replace(sheet, fields=tuple(fields))


# --- who and when -----------------------------------------------------------------------------------------------


def names_of(look: Look) -> dict[str, str]:
    return dict(look.view.sides)


def place_of(look: Look, side: str) -> int:
    sides = list(names_of(look))
    return sides.index(side) if side in sides else -1


def moment_in_words(seconds: float | None) -> str:
    """A time of day that says the same everywhere; the page's script makes it local."""
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%d %b %Y, %H:%M UTC")


def moment_for_programs(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def deletion_told(found: Deletion | None, base: str, log: str = "", *, watching: bool = False) -> Data | None:
    """That a table will be deleted, for its pages, with what a reader can do; nothing if that is not near."""
    if found is None:
        return None
    told = {"words": moment_in_words(found.at), "at": moment_for_programs(found.at), "finished": found.finished}
    return {**told, "base": base, "log": log, "watching": watching}


def turn_in_words(look: Look) -> str:
    """Whose turn it is, for the live region and the title."""
    if look.rolling or look.waiting_for is None:
        return "Battle over." if look.result else "Rolling…"
    if look.pending is not None:
        return "Your turn."
    name = names_of(look).get(look.waiting_for, look.waiting_for)
    return f"Waiting for {in_sentence(name)}."


@dataclass(frozen=True, slots=True)
class Opponent:
    """Who sits at another side, as everybody at the table may know."""

    name: str
    who: str
    linked: str
    linked_at: str
    """When the link of the seat was replaced, in words and for programs; nothing if it is the first one."""


def opponents_of(look: Look, place: Place) -> list[Opponent]:
    """Those on the other sides; of no interest to a spectator."""
    if place.spectator:
        return []
    names, found, replaced = names_of(look), [], dict(place.relinked)
    for side in (side for side in place.table.sides if side not in place.sides):
        holder = place.table.holders[side]
        who = "the staff" if holder.is_bot else holder.name
        when = replaced.get(side) if look.result is None else None
        found.append(Opponent(names.get(side, side), who, moment_in_words(when), moment_for_programs(when)))
    return found


# --- the question -----------------------------------------------------------------------------------------------

NUMBER = re.compile(r"none|\d+")


def buttons_of(question: Question, own: OwnWords = str) -> list[Button]:
    """The options with their keys: numbers are their own keys, others are counted."""
    if is_counting(question):
        keys = ["0" if choice.label == "none" else choice.label for choice in question.options]
    else:
        keys = [str(choice.number) for choice in question.options]
    return [
        Button(choice.text, own(choice.label), choice.rule, key if len(key) == 1 else "")
        for choice, key in zip(question.options, keys, strict=True)
    ]


def is_counting(question: Question) -> bool:
    """Whether all options are numbers."""
    return all(NUMBER.fullmatch(choice.label) for choice in question.options)


# --- the log ----------------------------------------------------------------------------------------------------


MARKS = {"forced": "forced", "orders": ""}
"""How a choice came about that nobody made."""


def told(look: Look, entry: Entry, number: int) -> Told:
    names = names_of(look)
    return Told(
        number=number,
        kind=entry.kind,
        side=place_of(look, entry.side),
        who=_who(entry, names),
        text=in_own_words(entry.text, names.get(look.reader, "")),
        rule=entry.rule,
        dice=Markup("").join([Markup(die(face)) for face in entry.faces]),
        faces=entry.faces,
        total=f"{entry.ledger.total:+d}" if entry.total and not entry.counts else entry.total,
        sum=_sum(entry),
        reading=readings.in_words(look.game, entry.rule, entry.reading),
        ledger=tuple((f"{line.amount:+d}", say(line.words), line.rule) for line in entry.ledger),
        mark=MARKS.get(entry.mark, entry.mark),
        headline=entry.headline.kind if entry.headline else "",
        of=entry.headline.of if entry.headline else (),
    )


def _who(entry: Entry, names: Mapping[str, str]) -> str:
    """Who rolls or decides, unless the words begin with that: the staff, if it answered for the reader."""
    if entry.mark == "orders":
        return "Staff"
    name = names.get(entry.side, entry.side)
    return "" if entry.text.startswith(f"{name}:") else name


def _sum(entry: Entry) -> str:
    """Dice and modifier added up; nothing if the reasons are no modifier."""
    if not entry.total or entry.counts:
        return ""
    rolled, more = sum(entry.faces), entry.ledger.total
    return f"{rolled} {'−' if more < 0 else '+'} {abs(more)} = {rolled + more}" if more else str(rolled)


def log_of(look: Look, last: int | None = SHOWN) -> list[Told]:
    """The newest lines of the log first."""
    first = 0 if last is None else max(0, len(look.log) - last)
    lines = [told(look, entry, number) for number, entry in enumerate(look.log[first:], start=first + 1)]
    return lines[::-1]


@lru_cache(maxsize=16_384)
def entry(line: Told, open_it: bool = False) -> Markup:
    """A line of a log as it stands on pages."""
    macros: Any = environment().get_template("battle_macros.html").module
    return Markup(str(macros.entry(line, open_it)).strip())


class Line(NamedTuple):
    """A line of the log with what pages show of it, which is made once."""

    entry: Entry
    told: Told


def lines_of(look: Look, known: Mapping[int, Line]) -> dict[int, Line]:
    """The newest lines of the log, the newest first, by their numbers; those that are known are not made again."""
    found = {}
    for number in range(len(look.log), max(0, len(look.log) - SHOWN), -1):
        one, line = look.log[number - 1], known.get(number)
        if line is None or (line.entry is not one and line.entry != one):
            line = Line(one, told(look, one, number))
        found[number] = line
    return found


# --- the board --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of a position and their words."""

    board: Drawn | None
    text: str
    """The position as plain text, for games that nobody has drawn."""
    map: MapParts | None
    map_open: bool
    """Whether the map matters now: not while a battle is fought."""
    around: Drawn | None = None
    """The turn around a battle."""


def board_of(look: Look) -> Board | None:
    """What lies on the board; None in a game that has none."""
    return library.board_of(look.game, look.view)


def nation_of(board: Board | None, side: str) -> str:
    """The nation whose sign stands for a side: that of its first unit on the board, or the side itself where units have
    none."""
    places = [*board.places, *(board.around.places if board.around else ())] if board else []
    found = ""
    for stack in (stack for place in places for stack in place.stacks if stack.side == side):
        for unit in stack.counters:
            if unit.nation:
                return unit.nation
            found = side
    return found


def position_in_words(look: Look) -> str:
    """The position as plain text, for games that nobody has drawn."""
    return library.ruleset(look.game).draw(look.view)


def pictures_of(look: Look, board: Board | None) -> Pictures:
    """The pictures of a position."""
    if board is None:
        return Pictures(None, position_in_words(look), None, False)
    around = drawn(board.around) if board.around else None
    return Pictures(drawn(board, asks_of(look, board)), "", map_drawn(board, look.chart), not board.is_battle, around)
