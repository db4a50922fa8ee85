"""The battles that come with Flagplot, as cards: what is fought with, how long it takes, how hard it is.

A card follows from all forces of a battle, and for that the rules have to be read. So the cards of our own battles, and
the odds on the first page, are made once and kept in `cards.json` (`tools/keep_cards.py`; a test compares them). A card
that was made from another file than there is now is made anew, and so are those of battles that others bring.
"""

from __future__ import annotations

import json
import threading
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import flagplot
from flagplot import library
from flagplot.board.model import Counter
from flagplot.kernel.briefings import HARDEST, MOODS
from flagplot.kernel.extensions import data_files
from flagplot.kernel.plain_data import from_plain, to_plain
from flagplot.kernel.ruleset import UMPIRE
from flagplot.kernel.words import capital

if TYPE_CHECKING:
    from flagplot.briefing.briefing import Camp

FIRST = "first-battle"
"""The battle that a newcomer is given."""
ORDER = ("carrier", "battleship", "plane", "cruiser", "submarine", "transport", "destroyer")
"""Which counter stands for a side: the first of these that it has."""
KEPT = Path(__file__).with_name("cards.json")
_making = threading.Lock()


@dataclass(frozen=True, slots=True)
class Token:
    """A counter that stands for a side."""

    counter: Counter
    nation: str


@dataclass(frozen=True, slots=True)
class Card:
    """A battle as it is offered."""

    name: str
    title: str
    about: str
    game: str
    mood: str
    minutes: int
    difficulty: int
    size: str
    """How strong both sides are: ``20 : 20 factors``."""
    sides: tuple[str, ...]
    tokens: tuple[Token, ...]

    @property
    def dots(self) -> str:
        return "●" * self.difficulty + "○" * (HARDEST - self.difficulty)


@dataclass(frozen=True, slots=True)
class Example:
    """Odds that the first page shows: what becomes of Enterprise under a small strike."""

    squadrons: int
    damaged: float
    sunk: float

    @property
    def little(self) -> float:
        return max(0.0, 100 - self.damaged - self.sunk)


def cards() -> dict[str, list[Card]]:
    """The battles by mood; those of Line of Battle stand among them."""
    with _making:
        return _cards()


@cache
def _cards() -> dict[str, list[Card]]:
    found: dict[str, list[Card]] = {title: [] for title in MOODS.values()}
    for name in sorted(library.scenario_names(), key=lambda one: one != FIRST):
        card = _card(name)
        found[MOODS[card.mood]].append(card)
    return {title: sorted(shelf, key=_rank) for title, shelf in found.items()}


def _rank(card: Card) -> tuple[bool, bool, int, int]:
    return card.name != FIRST, card.game != "awaw", card.difficulty, card.minutes


def first_card() -> Card:
    """The battle that *Play now* begins."""
    return next(card for shelf in cards().values() for card in shelf if card.name == FIRST)


def _card(name: str) -> Card:
    """The card of a battle: the one that is kept, if it was made from the same file."""
    kept = _kept()["battles"].get(name, {})
    return from_plain(Card, kept["card"]) if kept.get("file") == _mark_of(name) else made_card(name)


@cache
def _kept() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf8"))
    return kept


def _mark_of(name: str) -> str:
    """A mark of the file that a battle is in."""
    return blake2b(data_files("scenarios")[name].read_bytes(), digest_size=8).hexdigest()


def cards_to_keep() -> dict[str, Any]:
    """All that is kept, made anew."""
    names = library.scenario_names()
    battles = {name: {"file": _mark_of(name), "card": to_plain(made_card(name))} for name in names}
    return {"battles": battles, "example": asdict(made_example())}


def made_card(name: str) -> Card:
    """What a battle is, from all its forces: files that come with Flagplot hide nothing."""
    from flagplot.briefing.briefing import brief

    data = library.read_scenario(name)
    told = data["briefing"]
    camps = brief(library.load(data, seed=0), UMPIRE).camps
    return Card(
        name=name,
        title=data["title"],
        about=capital(data.get("about", "").removeprefix(f"{library.ruleset(data['game']).title}: ")),
        game=data["game"],
        mood=told["mood"],
        minutes=told["minutes"],
        difficulty=told["difficulty"],
        size=_size(camps),
        sides=tuple([camp.name for camp in camps]),
        tokens=tuple([_token(camp) for camp in camps if camp.stacks]),
    )


def _size(camps: tuple[Camp, ...]) -> str:
    ships = [camp.factors for camp in camps]
    if all(ships):
        return f"{' : '.join(map(str, ships))} factors"
    air = [sum([one.count for one in _counters(camp) if one.silhouette == "plane"]) for camp in camps]
    return f"{' : '.join(map(str, air))} air units" if all(air) else ""


def _counters(camp: Camp) -> list[Counter]:
    return [counter for stack in camp.stacks for counter in stack.counters]


def _token(camp: Camp) -> Token:
    best = min(_counters(camp), key=lambda one: (_rank_of(one), -one.factors))
    return Token(best, best.nation or camp.nation)


def _rank_of(counter: Counter) -> int:
    return ORDER.index(counter.silhouette) if counter.silhouette in ORDER else len(ORDER)


@cache
def example() -> Example:
    """The odds that are kept."""
    return Example(**_kept()["example"])


def made_example() -> Example:
    """Three elite squadrons on a carrier: exact, as the odds desk has it."""
    answer: Any = flagplot.odds.strike(attackers="3 japan elite", target="Enterprise")
    hits = answer.parts[0].chances
    damaged, sunk = (float(hits.chance(lambda one, word=word: word in str(one))) for word in ("damaged", "sunk"))
    return Example(3, 100 * damaged, 100 * sunk)


@cache
def cards_of_help() -> dict[str, Counter]:
    """Counters that Help explains."""
    hiryu = Counter(text="Hiryu", label="Hiryu", silhouette="carrier", id="hiryu", nation="japan", factors=3, size=3)
    cruisers = Counter(text="3 American cruisers", label="3 cruisers", silhouette="cruiser", nation="united-states")
    naval = Counter(text="4 American naval air squadrons", label="Naval", silhouette="plane", nation="united-states")
    army = Counter(text="2 German army air factors", label="Army", silhouette="plane", nation="germany")
    return {
        "ship": hiryu,
        "hurt": replace(hiryu, hits=2, damaged=True),
        "light": replace(cruisers, count=3, factors=6),
        "air": replace(naval, count=4),
        "down": replace(army, count=2, inverted=True),
    }
