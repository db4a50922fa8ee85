"""What lies on a board: places with stacks of counters, what is said of them, the map, and where the game stands.

A game makes a `Board` from a view alone (its ruleset's `board`), so no picture shows more than its reader may know.
What several pictures say is said here once: a `Note` has a short and a long form, and each picture takes the one for
which it has room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias

Silhouette = Literal["carrier", "battleship", "cruiser", "destroyer", "transport", "submarine", "plane", "army"]
Sign = Literal["eye", "bolt", "speed", "cargo", "plane", "submarine"]
"""What a picture shows beside a note."""
Look = Literal["plain", "strong", "faint", "hit"]
StackKind = Literal[
    "group", "waiting", "departed", "carrier-air", "submarines", "lost",
    "base", "box", "carriers", "force", "flotilla", "ground", "air", "front", "pool", "unit", "line",
]  # fmt: skip
PlaceKind = Literal[
    "chart", "beside", "lost", "bases", "forces", "ground", "air", "inverted", "fronts", "economy", "line", "boxes"
]
State = Literal["plain", "active", "distant", "hidden", "gone"]
"""How much a stack matters now: in action or still to come, unknown, or no longer there."""
Hex = tuple[int, int]
TIE = "\ue000"
"""A blank at which no line is broken; on the screen it is a blank like any other."""
UNBROKEN = 30
"""So long may the name of a ship be to stand on one line, on the narrowest screen."""


class Note(NamedTuple):
    """Something that is said of a stack."""

    text: str
    """In short; empty if a picture shows it otherwise."""
    look: Look = "plain"
    sign: Sign | None = None
    words: str = ""
    """In full, if that is more."""

    @property
    def told(self) -> str:
        return self.words or self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """A ship, light ships of a kind, air units, submarines, a unit on the ground: one counter, or as many alike."""

    text: str
    """In full: ``4 Japanese cruisers``, ``Kaga (damaged)``."""
    silhouette: Silhouette | None = None
    brief: str = ""
    """Without its nation, where all beside it are of the same, and without its condition."""
    id: str = ""
    """The key of what has a name of its own."""
    tag: str = ""
    """What the option of a question calls it: ``yamato``, ``japan:cruiser``."""
    label: str = ""
    """What is printed on it: ``Yamato``, ``4 cruisers``, ``Elite``."""
    type: str = ""
    """What it is, in words: ``battleship``, ``cruisers``."""
    nation: str = ""
    home: str = ""
    """The place that air units belong to, by its name."""
    role: str = ""
    """What part of a factor that was broken down it is."""
    doing: str = ""
    """Where it is or what it does: ``aboard``, ``on combat air patrol``, ``left behind``."""
    detail: str = ""
    """What is printed on it, in words."""
    notes: tuple[str, ...] = ()
    """What is noted beside it."""
    count: int = 1
    factors: int = 0
    size: int = 0
    """How many hits sink it, if it is a ship with a name."""
    hits: int = 0
    damaged: bool = False
    inverted: bool = False
    aborted: int = 0
    idle: bool = False
    """It can do nothing now."""
    secret: bool = False
    """Its owner sees it and the enemy does not."""
    above: bool = False
    """It flies above its stack: a patrol, air cover."""
    laden: bool = False
    """It carries cargo."""
    value: str = ""
    """What is printed at its top right, if that is not its factors."""
    facts: tuple[str, ...] = ()
    """What else its card says: ``Japanese battleship``, ``slow``, ``bases 3 squadrons``."""

    @property
    def card(self) -> tuple[str, ...]:
        """What is known of it, line by line, its name first."""
        name = self.name if self.is_ship or self.id else self.text
        state = ["damaged"] * self.damaged + [*self.marks] + ["carries cargo"] * self.laden
        hits = [f"{self.hits} of {self.size} hits taken" if self.hits else f"{self.size} hits sink her"] * bool(
            self.size
        )
        factors = [f"{self.factors} factor{'s' * (self.factors != 1)}"] if self.factors and "factor" not in name else []
        doing = [self.doing] * bool(self.doing) + [f"from {self.home}"] * bool(self.home)
        return (name, *self.facts, *factors, *hits, *state, *doing, *[self.detail] * bool(self.detail), *self.notes)

    @property
    def sentence(self) -> str:
        """In words, for a screen reader: ``Haruna, battleship, 3 factors, 1 of 3 hits``."""
        told = [self.name if self.is_ship else self.words, *[self.type] * (self.type.lower() not in self.name.lower())]
        if self.factors and not (self.id == "" and "factor" in self.name):
            told.append(f"{self.factors} factor{'s' * (self.factors != 1)}")
        told += [f"{self.hits} of {self.size} hits"] if self.hits and self.size else []
        told += ["damaged"] * self.damaged + [self.doing] * bool(self.doing) + [self.detail] * bool(self.detail)
        return ", ".join([*told, *self.notes])

    @property
    def name(self) -> str:
        """What it is, without its condition."""
        return self.text.partition(" (")[0]

    @property
    def marks(self) -> tuple[str, ...]:
        """The condition of air units."""
        return ("inverted",) * self.inverted + ((f"{self.aborted} aborted",) if self.aborted else ())

    @property
    def words(self) -> str:
        """With its condition: ``2 German army air factors (inverted)``."""
        return f"{self.text} ({', '.join(self.marks)})" if self.marks else self.text

    @property
    def afloat(self) -> str:
        """A ship with the hits that are left: ``Akagi 3/3``, ``Kaga 1/3 damaged``, ``1 Japanese cruiser damaged``."""
        left = f" {self.size - self.hits}/{self.size}" if self.size else ""
        return f"{self.name}{left}{' damaged' * self.damaged}" if self.is_ship else self.words

    @property
    def tied(self) -> str:
        """The same for lines that are broken: a ship and its hits stay together."""
        words, name = self.afloat, self.name
        if not self.is_ship or len(words) <= UNBROKEN:
            return words.replace(" ", TIE) if self.is_ship else words
        kept = name if self.size else name.replace(" ", TIE, 1)
        return kept + words[len(name) :].replace(" ", TIE)

    @property
    def is_ship(self) -> bool:
        return self.silhouette not in (None, "plane", "submarine", "army")


Item: TypeAlias = Counter | Note


def counter_subject(stack: str, counter: Counter) -> str:
    """What a question calls a counter in a stack: ``group:allies:4#yorktown``; what flies above it is another one."""
    return f"{stack}#{counter.tag}{'^' * counter.above}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Counters that are together: a combat group, a base, a force on the map, units in a hex."""

    kind: StackKind
    title: str
    side: str = ""
    subject: str = ""
    """What a question calls it: ``group:japan:3``, ``base:malta``, ``force:kido-butai``."""
    name: str = ""
    """What its owner calls it."""
    marker: str = ""
    """What everybody calls it, with its side."""
    number: int = 0
    """Of a combat group: its place on the chart, and the round from which on it is in action."""
    state: State = "plain"
    active: bool = False
    """Of a combat group: whether it is in action, hidden or not."""
    marks: tuple[Note, ...] = ()
    where: str = ""
    doing: str = ""
    bound: str = ""
    """Where it sails to."""
    items: tuple[Item, ...] = ()
    unit: str = ""
    """What the reader can ask the game about: “what may it do, and why not?”"""

    @property
    def counters(self) -> tuple[Counter, ...]:
        return tuple([item for item in self.items if isinstance(item, Counter)])

    @property
    def ships(self) -> tuple[Counter, ...]:
        return tuple([one for one in self.counters if one.is_ship])

    @property
    def lines(self) -> Iterator[list[Item]]:
        """What belongs on one line where there is room for several: notes, ships, air units that do the same."""
        for _, items in groupby(self.items, _row):
            yield list(items)


def _row(item: Item) -> tuple[object, ...]:
    return ("note",) if isinstance(item, Note) else (item.is_ship, item.doing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A part of the board: a side's half of the chart, what is off the chart, bases, boxes."""

    kind: PlaceKind
    title: str
    side: str = ""
    """Whose it is; empty if both sides have something there."""
    note: str = ""
    room: int = 0
    """How many numbered stacks have room, empty or not."""
    stacks: tuple[Stack, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A line on what is going on: a strike, a fleet combat, a force on its way."""

    topic: Literal["fight", "mission", "battle", "activity", "sailing"]
    who: str
    """Whom or what it is about: ``Strike on CG 3: ``."""
    words: str = ""
    counters: tuple[Counter, ...] = ()
    engaged: tuple[Counter, ...] = ()
    """Air units that fight those."""
    before: str = ""
    """Words before it."""
    side: str = ""
    indent: int = 0

    def told(self, counter: Callable[[Counter], str] | None = None) -> str:
        """All after `who`; `counter` says how a counter is told."""
        tell = counter or (lambda one: f"{one.afloat} ({one.home})" if one.home else one.afloat)
        parts = [self.words] if self.words else []
        parts += [listed(self.counters, tell)] if self.counters else []
        return "; ".join(parts) + (f"; engaged by {listed(self.engaged, tell)}" if self.engaged else "")

    def __str__(self) -> str:
        return f"{self.before}{self.who}{self.told()}"


def listed(counters: Sequence[Counter], counter: Callable[[Counter], str]) -> str:
    """Counters in words: ships after commas, air units after semicolons."""
    return (", " if any([one.is_ship for one in counters]) else "; ").join(map(counter, counters))


class Vector(NamedTuple):
    """Air units on their way from somewhere to a stack."""

    side: str
    target: str
    """The subject of the stack that is attacked."""
    sources: tuple[str, ...]
    """The subjects of the stacks that they come from, as far as the reader knows."""
    counters: tuple[Counter, ...]
    words: str

    @property
    def number(self) -> int:
        """How many air units there are."""
        return sum([one.count for one in self.counters])


class Steps(NamedTuple):
    """A line of steps, and the one that is played now."""

    title: str
    mark: str
    name: str
    """What is done in it just now, if that is more than the step is called."""
    rule: str
    line: dict[str, str]
    """By their marks: what the steps are called."""
    outer: bool = False
    """Whether there is another line for what is played within it."""

    @property
    def label(self) -> str:
        """What is done now; of a line with another one within it, that one says it."""
        return "" if self.outer else self.name or self.line.get(self.mark, "")

    @property
    def marked(self) -> str:
        """``A B [C] D``: the present one in brackets."""
        return " ".join([f"[{mark}]" if mark == self.mark else mark for mark in self.line])

    def __str__(self) -> str:
        name = f" {self.name}" if self.name else ""
        return f"{self.title}: {self.marked}{name} ({self.rule})"


# --- the map ----------------------------------------------------------------------------------------------------


class MapCounter(NamedTuple):
    """What lies in a hex, for a picture: a force, air units, submarines, a unit on the ground."""

    nation: str
    silhouette: Silhouette | None
    """Nothing if nobody knows what it is."""
    value: str = ""
    """Its factors, if they are known."""
    label: str = ""
    hidden: bool = False
    inverted: bool = False


class MapItem(NamedTuple):
    """Something that stands in a hex."""

    at: Hex
    side: str
    text: str
    brief: str
    """The same for a flag: what there is, without numbers of air units and submarines."""
    subject: str = ""
    counters: tuple[MapCounter, ...] = ()


class Reach(NamedTuple):
    """How far something reaches from a hex, in hexes."""

    key: str
    words: str
    at: Hex
    hexes: int
    nation: str


class MapBase(NamedTuple):
    """A base on the map, and what there is: everybody sees that, but for beaches of orders that only one side has."""

    at: Hex
    name: str
    side: str
    has: tuple[str, ...] = ()
    """``port``, ``airbase``, ``fortress``, ``beach``."""


class Path(NamedTuple):
    """The rest of the way of a force, which the reader knows."""

    who: str
    hexes: tuple[Hex, ...]
    side: str
    nation: str = ""


class MapAnswer(NamedTuple):
    """A hex that answers a question, or a field of a plan."""

    option: str
    """The text of the option."""
    at: Hex
    words: str
    field: str = ""
    """The key of the field; nothing if it answers the question."""
    path: tuple[Hex, ...] = ()
    """The path that it stands for, or that leads there."""
    is_way: bool = False
    """Whether the path itself is chosen, and not only where it leads."""
    key: str = ""
    """The number key that does the same."""
    chosen: bool = False


class Threat(NamedTuple):
    """An enemy force that could intercept somebody on a path, as far as one side knows."""

    who: str
    at: Hex
    """Where it is."""
    meet: Hex
    """Where it would intercept, and how far that is."""
    hexes: int
    dice: int
    reasons: tuple[tuple[int, str, str], ...]
    """What the dice are made up of: amount, words, rule."""
    submarines: bool = False


@dataclass(frozen=True, slots=True)
class SeaMap:
    """What stands where on the map, who sails along which path, and what is announced."""

    items: tuple[MapItem, ...]
    paths: tuple[Path, ...]
    announced: tuple[News, ...]
    sailing: tuple[News, ...]
    names: dict[str, str]
    bases: tuple[MapBase, ...] = ()
    reaches: tuple[Reach, ...] = ()
    fighting: Hex | None = None
    """Where it is fought now."""

    @property
    def marks(self) -> dict[Hex, str]:
        """What stands in each hex, from north to south."""
        found = self._by_hex(lambda item: item.text)
        return {at: found[at] for at in sorted(found, key=lambda at: (at[1], at[0]))}

    @property
    def flags(self) -> dict[Hex, str]:
        """The same in short, for flags on a picture."""
        return self._by_hex(lambda item: item.brief, once=True)

    @property
    def ways(self) -> dict[str, tuple[Hex, ...]]:
        """The paths by what they are called."""
        return {path.who: path.hexes for path in self.paths}

    def sides_at(self, at: Hex) -> set[str]:
        return {item.side for item in self.items if item.at == at}

    def _by_hex(self, words: Callable[[MapItem], str], *, once: bool = False) -> dict[Hex, str]:
        found: dict[Hex, dict[str, list[str]]] = {}
        for item in self.items:
            there = found.setdefault(item.at, {}).setdefault(item.side, [])
            if not (once and words(item) in there):
                there.append(words(item))
        return {
            at: "; ".join([f"{', '.join(things)} ({self.names[side]})" for side, things in sides.items()])
            for at, sides in found.items()
        }


# --- all of it --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """All that a reader sees."""

    title: str
    heading: str
    """The title, and what is played now."""
    reader: str
    names: dict[str, str]
    """The sides by their names, the first one first."""
    roles: dict[str, tuple[str, ...]]
    """By side: ``moving``, ``you``."""
    flags: dict[str, str] = field(default_factory=dict)
    """By side: the nation whose colour what is hidden has."""
    steps: tuple[Steps, ...] = ()
    lead: tuple[str, ...] = ()
    """What is to be said before all else."""
    news: tuple[News, ...] = ()
    vectors: tuple[Vector, ...] = ()
    focus: tuple[str, ...] = ()
    """The subjects of the stacks that are fought over just now."""
    places: tuple[Place, ...] = ()
    points: dict[str, int] = field(default_factory=dict)
    sea: SeaMap | None = None
    around: Board | None = None
    """The board of what the battle is a part of."""

    @property
    def is_battle(self) -> bool:
        """Whether combat groups are on a chart."""
        return any([place.kind == "chart" for place in self.places])

    @property
    def is_charted(self) -> bool:
        """Whether the two sides face each other with nothing else around: on a chart, or without a map."""
        return self.is_battle or self.sea is None

    def stacks(self, side: str, *places: PlaceKind) -> list[Stack]:
        """The stacks of a side in places of some kinds."""
        return [stack for place in self.places if place.kind in places for stack in place.stacks if stack.side == side]

    def told(self, topic: str) -> tuple[News, ...]:
        """The news of one kind."""
        return tuple([news for news in self.news if news.topic == topic])
