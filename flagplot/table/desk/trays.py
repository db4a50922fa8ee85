"""Forces on the odds desk as counters with steppers: what a field's text says, entry by entry, and what a form changes.

A force stays the text of its field, so that addresses, the command line and Python say the same. A form sends beside it
the numbers that stand on its counters, and the text for which they were drawn: if that is still the text, the numbers
count; if somebody has typed something else meanwhile, his words do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flagplot.awaw.board.units import ARMS, SILHOUETTES, adjective
from flagplot.awaw.ships import NAMES, Kind, NamedShip, named_ship
from flagplot.board.model import Counter
from flagplot.kernel.errors import FlagplotError
from flagplot.odds.questions.question import MOST, Form, Word
from flagplot.odds.ship_lists import LightShips, read_ships
from flagplot.odds.words import Flight, entries, read_flights

TRAYS = ("air", "ships")
"""The types of words that are shown as counters."""
HITS = {
    "strike": {"target": "hits"},
    "fire": {"target": "hits"},
    "submarine": {"target": "hits"},
    "engagement": {"ours": "hits", "theirs": "their_hits"},
    "base-attack": {"ships": "hits"},
}
"""By kind of question and field of ships: the field that has their hits."""
WAS, NUMBER, HIT, ADDED, ADD, DROP = "was.", "n.", "hit.", "new.", "add", "drop"
"""How the entries of a form are called: the text that was drawn, a number, hits, an entry to add; and its buttons."""
DIGITS = re.compile(r"^\d+")
KINDS = {
    "cruisers": Kind.CRUISER,
    "damaged_cruisers": Kind.CRUISER,
    "destroyers": Kind.DESTROYER,
    "laden_destroyers": Kind.DESTROYER,
    "cves": Kind.CVE,
    "transports": Kind.TRANSPORT,
    "laden_transports": Kind.TRANSPORT,
}


class Piece(NamedTuple):
    """One entry of a force: air units, light ships, a ship with a name, or something that cannot be read."""

    entry: str
    name: str
    detail: str = ""
    counter: Counter | None = None
    number: int | None = None
    """How many, if that can be changed; a named ship is there or not."""
    step: int = 1
    """By how much; a cruiser has two factors."""
    hits: int | None = None
    """How many hits it has, if the question asks for them."""
    most_hits: int = 0
    fault: str = ""

    @property
    def unit(self) -> str:
        """What its number counts, where that is not what it is called."""
        return "factors" if self.counter and self.counter.factors == self.number else ""


class Tray(NamedTuple):
    """A force: its text, and its pieces."""

    word: Word
    text: str
    pieces: tuple[Piece, ...]
    hits_text: str
    """What the field of hits says for which these hits were drawn."""
    hits_name: str

    @property
    def total(self) -> str:
        air = sum([one.number or 0 for one in self.pieces if one.counter and one.counter.silhouette == "plane"])
        ships = sum([one.counter.factors for one in self.pieces if one.counter and one.counter.silhouette != "plane"])
        told = [f"{air} air units"] * bool(air) + [f"{ships} factors"] * bool(ships)
        return ", ".join(told)


def trays_of(form: Form, texts: Mapping[str, str]) -> dict[str, Tray]:
    """The forces of a question, by the names of their fields."""
    return {word.name: _tray(form, word, texts) for word in form.words if word.type in TRAYS and word.at_desk}


def has_counters_for(form: Form, word: Word) -> bool:
    """Whether a field is worked on the counters of another one: hits of ships."""
    return word.name in HITS.get(form.kind, {}).values()


def _tray(form: Form, word: Word, texts: Mapping[str, str]) -> Tray:
    text, hits_name = texts.get(word.name, ""), HITS.get(form.kind, {}).get(word.name, "")
    hits = _hits(texts.get(hits_name, ""))
    pieces: list[Piece] = []
    nation = ""
    for entry in entries(text):
        try:
            if word.type == "air":
                pieces.append(_flight(entry, read_flights(entry, word.what or word.name)[0]))
                continue
            ship = read_ships(entry, word.what or word.name).ships[0]
            nation = ship.nation or nation
            pieces.append(
                _named(entry, ship, hits if hits_name else None)
                if isinstance(ship, NamedShip)
                else _light(entry, ship, nation)
            )
        except FlagplotError as refusal:
            pieces.append(Piece(entry, entry, fault=str(refusal)))
    return Tray(word, text, tuple(pieces), texts.get(hits_name, ""), hits_name)


def _flight(entry: str, flight: Flight) -> Piece:
    arm = ARMS[flight.arm]
    whose = adjective(flight.nation)
    counter = Counter(
        text=f"{flight.number} {whose} {arm.lower()}",
        silhouette="plane",
        label=arm,
        nation=flight.nation,
        count=flight.number,
        inverted=flight.inverted,
    )
    return Piece(entry, f"{whose} {arm.lower()}", "inverted" * flight.inverted, counter, flight.number)


def _named(entry: str, ship: NamedShip, hits: Mapping[str, int] | None) -> Piece:
    taken = min((hits or {}).get(ship.id, 0), ship.factors)
    counter = Counter(
        text=ship.name,
        silhouette=SILHOUETTES[ship.kind],
        id=ship.id,
        label=ship.name,
        nation=ship.nation,
        factors=ship.factors,
        size=ship.factors,
        hits=taken,
        damaged=bool(taken),
    )
    what = f"{adjective(ship.nation)} {NAMES[ship.kind]}"
    return Piece(entry, ship.name, what, counter, None, 1, None if hits is None else taken, ship.factors - 1)


def _light(entry: str, ships: LightShips, nation: str) -> Piece:
    kind = KINDS[ships.kind]
    each = 2 if ships.kind == "cruisers" else 1
    name = ships.kind.replace("_", " ")
    count = ships.number // each
    called = f"{count} {name}" if each > 1 else name.capitalize()
    counter = Counter(
        text=f"{count} {name}",
        silhouette=SILHOUETTES[kind],
        label=called,
        nation=nation,
        factors=0 if kind is Kind.TRANSPORT else ships.number * (2 if ships.kind == "damaged_cruisers" else 1),
        count=count,
        damaged="damaged" in ships.kind,
        laden="laden" in ships.kind,
    )
    return Piece(entry, called, adjective(nation) if nation else "", counter, ships.number, each)


def _hits(text: str) -> dict[str, int]:
    """The hits of ships as far as they can be read."""
    found: dict[str, int] = {}
    for entry in entries(text):
        name, _, number = entry.replace("=", " ").rpartition(" ")
        if number.isdecimal():
            try:
                found[named_ship(name).id] = int(number)
            except FlagplotError:
                continue
    return found


# --- what a form changes ------------------------------------------------------------------------------------------


class Settled(NamedTuple):
    """What a form says, with the changes of its counters in the texts of their fields."""

    pairs: list[tuple[str, str]]
    changed: frozenset[str] = frozenset()
    """The fields whose text the counters have changed."""
    drawn: bool = False
    """Whether the form had counters: then its address is longer than the question."""


def settled(form: Form, pairs: Sequence[tuple[str, str]], *, adding: bool = False) -> Settled:
    """The question of a form; with `adding` what stands in its fields for new entries is added without their button."""
    ours = {name: value for name, value in pairs if _is_ours(name)}
    if not ours:
        return Settled([*pairs])
    said = {name: " ".join(value.split()) for name, value in pairs if not _is_ours(name)}
    new = dict(said)
    if adding and not ours.keys() & {ADD, DROP}:
        ours |= {ADD: next((name.removeprefix(ADDED) for name in ours if name.startswith(ADDED) and ours[name]), "")}
    for word in form.words:
        if word.type in TRAYS and said.get(word.name, "") == ours.get(f"{WAS}{word.name}", ""):
            new[word.name] = _changed(word, said.get(word.name, ""), ours)
            _take_hits(form, word, new, said, ours)
    changed = {name for name in new if new[name] != said.get(name, "")}
    others = [(name, value) for name, value in pairs if not _is_ours(name) and name not in changed]
    return Settled([*others, *[(name, new[name]) for name in changed]], frozenset(changed), drawn=True)


def _is_ours(name: str) -> bool:
    return name in (ADD, DROP) or name.startswith((WAS, NUMBER, HIT, ADDED))


def _changed(word: Word, text: str, ours: Mapping[str, str]) -> str:
    """The text of a force with the numbers of its counters; what has none left is gone."""
    kept = []
    for place, entry in enumerate(entries(text)):
        number = ours.get(f"{NUMBER}{word.name}.{place}", "")
        if ours.get(DROP) == f"{word.name}.{place}":
            continue
        if number.isdecimal() and DIGITS.match(entry):
            if not int(number):
                continue
            entry = DIGITS.sub(str(min(int(number), MOST)), entry)
        kept.append(entry)
    if ours.get(ADD) == word.name:
        kept += entries(ours.get(f"{ADDED}{word.name}", ""))
    return ", ".join(kept)


def _take_hits(form: Form, word: Word, new: dict[str, str], said: Mapping[str, str], ours: Mapping[str, str]) -> None:
    """The hits on the counters of ships, as the text of their field; unless that was typed."""
    name = HITS.get(form.kind, {}).get(word.name, "")
    if not name or said.get(name, "") != ours.get(f"{WAS}{name}", ""):
        return
    told = []
    for place, entry in enumerate(entries(said.get(word.name, ""))):
        number = ours.get(f"{HIT}{word.name}.{place}", "")
        if number.isdecimal() and int(number) and ours.get(DROP) != f"{word.name}.{place}":
            told.append(f"{entry} {number}")
    new[name] = ", ".join(told)
