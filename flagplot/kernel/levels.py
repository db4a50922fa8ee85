"""How much decisions matter: a player says from which level on he is asked, and his staff answers the rest."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from flagplot.kernel.data_files import read_data


class Level(StrEnum):
    """How much a decision matters. Whoever is asked at one level is asked at those before it, too."""

    COMMAND = "command"
    """What an admiral decides: groups, patrols, strikes, interceptions, orders."""
    TACTICS = "tactics"
    """What a captain decides: targets within a strike, who is screened, who fires at whom."""
    ROUTINE = "routine"
    """What somebody has to write down: which of equal ships or squadrons, which deck or base to land on."""

    def asks(self, other: Level) -> bool:
        """Whether a player of this level is asked what belongs to another one."""
        return tuple(Level).index(other) <= tuple(Level).index(self)


SEAT_LEVELS: Mapping[str, Level | None] = {
    "flag": Level.COMMAND,
    "captain": Level.TACTICS,
    "everything": Level.ROUTINE,
    "step": None,
}
"""What a player may set: how much he decides himself, or that he is asked one question at a time."""


class Strikes(NamedTuple):
    """How strikes are told from each other, in a game that has them."""

    words: frozenset[str] = frozenset()
    """First words of what is asked again and again within one strike."""
    announced: str = ""
    """The rule of the note that announces one."""


class Rounds(NamedTuple):
    """What is asked again and again, as in every round of a battle: whoever is asked just the same, or has held back,
    has decided it until something new begins."""

    words: frozenset[str] = frozenset()
    """First words of such questions, each with its procedure before it."""
    voyages: frozenset[str] = frozenset()
    """Those that are asked whenever a force on a voyage is attacked: there only the very same question, about the same
    force, is decided."""
    lulls: frozenset[str] = frozenset()
    """Those that are decided until something is hit."""
    begun: frozenset[str] = frozenset()
    """Rules of the notes that announce something new, as a battle."""


class Levels(NamedTuple):
    """The levels of a game's decisions."""

    words: Mapping[str, Level] = {}
    """By the first word of the options, or by that with its procedure before it."""
    once: frozenset[str] = frozenset()
    """First words of what is decided once for each subject, however often the rules ask."""
    ahead: frozenset[str] = frozenset()
    """Kinds of play, by their outermost procedure, in which a side may give orders ahead: those in which states can be
    drawn from what it knows that owe nothing to the enemy's secrets."""
    attacks: frozenset[str] = frozenset()
    """Rules of the notes that announce an attack; whoever makes it stands there before a colon, if anybody does."""
    strikes: Strikes = Strikes()
    rounds: Rounds = Rounds()

    def of(self, procedure: str, word: str) -> Level:
        """The level of a decision of a procedure. What nobody has marked is asked."""
        return self.words.get(f"{procedure}/{word}") or self.words.get(word, Level.COMMAND)


def read_levels(package: str) -> Levels:
    """The levels of a game, from the data file in its package."""
    data = read_data(package, "levels.toml")
    words = {word: level for level in Level for word in data[level.value]}
    told = data.get("strikes", {})
    strikes = Strikes(frozenset(told.get("words", ())), told.get("announced", ""))
    told = data.get("rounds", {})
    rounds = Rounds(*[frozenset(told.get(key, ())) for key in Rounds._fields])
    return Levels(words, frozenset(data["once"]), frozenset(data["ahead"]), frozenset(data["attacks"]), strikes, rounds)
