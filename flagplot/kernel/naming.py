"""Sides in sentences: with the article and the verb that belong to them.

A scenario calls a side as it likes, ``Japan``, ``United States``, ``The Allies``. As a label that is enough. In a
sentence it is ``the United States`` and ``the Allies have``. Results are written into saves and stay to the byte as
they were first worded; `closing_words` and `ending_words` are how people read them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from flagplot.kernel.words import capital

ARTICLE = re.compile(r"(United|Western|Soviet)\b|.*\b(Allies|Axis|Powers|Empire|Union|Fleet|Navy|States|Kingdom)$")
"""Names that have an article in a sentence, though they are written without one."""
MANY = re.compile(r".*\b(Allies|Powers)$|.* and ")
"""Names that stand for several."""
ONE = re.compile(r"\b1 ([a-z ]*?)(squadron|point|factor|BRP)s\b")

ALL_ALIKE = re.compile(r"\b(\d+) ([^,;:()\d]+) \(\1 (damaged|inverted)\)")
"""Units that all have the same mark, and are counted twice."""

REWORDED = [
    (re.compile(old), new)
    for old, new in {
        r" and 0 air squadrons": " and no air squadrons",
        r"it was broken off after the last round of the scenario": "broken off after the scenario's last round",
        r"goes on with its activity; it is not compelled to abort": "continues its activity; it need not abort",
        r"goes on with its activity": "continues its activity",
        r": goes on$": ": continues",
        r"goes on to intercept the enemy that it set out for": "goes on to intercept its target",
        r"has withdrawn, counts as defeated and aborts": "counts as defeated and aborts",
        r"it protected, if it is permitted to": "it protected, if it may",
        r"is inverted, but not what was withheld: (.*)": r"is inverted, except \1, held back",
        r"was withheld and": "was held back and",
        r"follow rules of their own": "follow their own rules",
        r", and with them (.*)": r" with \1",
        r"factors that attacked, return(.*) and are inverted: 1$": r"1 factor that attacked returns\1, inverted",
        r"factors that attacked, (.*) and are inverted: (\d+)": r"\2 factors that attacked \1, inverted",
        r"factors that did not attack, (.*): (\d+)$": r"factors that did not attack (\2) \1",
        r"laden factors whose cargo was lost are free; (.*): (\d+)": r"factors that lost their cargo (\2) are free; \1",
        r"no more transports are used for": "no more transports may be used for",
        r"those that are under way go on": "those under way continue",
        r"ships beyond what their base may hold are": "ships that their base cannot hold are",
        r"bases that hold too much are .* by the end of the next (.*) of their owner, or the excess is": (
            r"overfull bases must be cleared by the end of the owner's next \1, or the excess is"
        ),
    }.items()
]
"""Words that results were given once, and how we say it today."""


def names_of(header: Mapping[str, Any]) -> dict[str, str]:
    """The names of the sides in the header of a save; a header that is no good has none."""
    scenario = header.get("scenario")
    sides = scenario.get("sides") if isinstance(scenario, Mapping) else None
    told = [one for one in sides if isinstance(one, Mapping)] if isinstance(sides, list) else []
    return {str(one.get("id")): str(one["name"]) for one in told if one.get("name")}


def in_sentence(name: str) -> str:
    """A side within a sentence: ``the United States``, ``the Allies``, ``Japan``."""
    bare = _bare(name)
    return f"the {bare}" if bare != name or ARTICLE.match(bare) else name


def has(name: str) -> str:
    """The verb that a side takes."""
    return "have" if MANY.match(name) else "has"


def closing_words(result: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """How a game ended, in a sentence without its full stop."""
    return capital(mended(str(result["summary"]), names))


def ending_words(result: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Why a battle was over, or nothing where the rules name no reason."""
    return mended(str(result.get("ended") or ""), names)


def mended(text: str, names: Mapping[str, str]) -> str:
    """A sentence about sides in which they have their articles and verbs, and one is no plural."""
    for name in names.values():
        called = re.compile(rf"\b(?:[Tt]he )?{re.escape(_bare(name))}\b( has\b)?")
        text = called.sub(partial(_named, name), text)
    return plainly(ONE.sub(r"1 \1\2", text))


class Mended:
    """The same, done only when somebody reads it."""

    __slots__ = ("_names", "_text")

    def __init__(self, text: str, names: Mapping[str, str] = MappingProxyType({})) -> None:
        self._text, self._names = text, names

    def __str__(self) -> str:
        return mended(self._text, self._names)


def plainly(text: str) -> str:
    """Words of a result as we would choose them today."""
    for old, new in REWORDED:
        text = old.sub(new, text)
    return counted_once(text)


def counted_once(text: str) -> str:
    """Units as we would describe them today: ``4 cruisers (damaged)`` where all four are."""
    return ALL_ALIKE.sub(r"\1 \2 (\3)", text) if "(" in text else text


def _named(name: str, found: re.Match[str]) -> str:
    return in_sentence(name) + (f" {has(name)}" if found[1] else "")


def _bare(name: str) -> str:
    return name[4:] if name.startswith(("The ", "the ")) else name
