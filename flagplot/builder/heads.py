"""What stands before the colon: whose it is, its name, and the short name after ``#``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from flagplot.builder.pieces import Piece
from flagplot.builder.vocabulary import fold, longest_name, nation_words, slug

KINDS: Final = {
    "base": "bases",
    "airbase": "bases",
    "airfield": "bases",
    "air base": "bases",
    "submarines": "submarines",
    "submarine": "submarines",
    "subs": "submarines",
    "boats": "submarines",
    "u boats": "submarines",
    "flotilla": "flotillas",
    "carriers": "carriers",
    "carriers at sea": "carriers",
    "research": "research",
    "order": "orders",
    "orders": "orders",
}
"""What a head may say that it is, after or before its name."""


class Head(NamedTuple):
    """A head, taken apart."""

    piece: Piece
    owner: str
    """The id of a side or of a nation, or nothing."""
    name: str
    tag: str
    kind: str
    """The list of the scenario that it belongs to, if it says so."""

    @property
    def id(self) -> str:
        return self.tag or slug(self.name)


_TAG: Final = re.compile(r"\s*#([A-Za-z0-9][\w.-]*)\s*$")
_TASK_FORCE: Final = re.compile(
    r"(?P<kind>t\.?f\.?|task\s+force|t\.?g\.?|task\s+group)\s*(?P<number>\d[\d.]*)", re.IGNORECASE
)


def read_head(piece: Piece, sides: Mapping[str, str]) -> Head:
    """A head; `sides` are the names of the sides, folded, with their ids."""
    tag = ""
    if found := _TAG.search(piece.text):
        tag, piece = found[1].casefold(), piece.part(0, found.start())
    names = {**nation_words(), **sides}
    owner, length = longest_name(piece.text, names)
    rest = piece.part(length)
    kind, rest = _kind(rest)
    if not owner and (found := re.search(r"\(([^()]*)\)\s*$", rest.text)):
        owner, length = longest_name(found[1], names)
        if owner:
            rest = rest.part(0, found.start())
    return Head(piece, owner, name_of(rest.text), tag, kind)


def _kind(rest: Piece) -> tuple[str, Piece]:
    """What a head says that it is, and its name without that; a name in quotes is only a name."""
    if found := re.fullmatch(r'(?:(?P<before>[\w -]*?)\s*)?"(?P<name>[^"]*)"(?:\s*(?P<after>[\w -]*))?', rest.text):
        told = fold(found["before"] or "") or fold(found["after"] or "")
        return KINDS.get(told, ""), rest.match(found, "name")
    words = fold(rest.text)
    if words in KINDS:
        return KINDS[words], rest.part(len(rest.text))
    ends = [match.start() for match in re.finditer(r"\S+", rest.text)]
    for start in ends[-3:]:
        if start and fold(rest.text[start:]) in KINDS:
            return KINDS[fold(rest.text[start:])], rest.part(0, start)
    return "", rest


def name_of(text: str) -> str:
    """A name as people read it: ``Task Force 1`` for ``TF1``."""
    if found := _TASK_FORCE.fullmatch(text.strip()):
        which = "Group" if found["kind"].casefold().replace(".", "").endswith(("g", "group")) else "Force"
        return f"Task {which} {found['number'].rstrip('.')}"
    return text.strip()
