"""The two sides, where the text does not say who they are: the nations that it names, Axis and Allies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flagplot.awaw.tables.nations import nation
from flagplot.builder.draft import Draft
from flagplot.builder.heads import read_head
from flagplot.builder.items import Name, Units, read_item
from flagplot.builder.listed_settings import CAMPS, add_side_names
from flagplot.builder.pieces import Statement
from flagplot.builder.settings import reader_of
from flagplot.builder.vocabulary import AXIS, fold, nation_words, ship_called

SIDES = 2
TOGETHER = (("axis", "The Axis"), ("allies", "The Allies"))


def infer_sides(draft: Draft, statements: Iterable[Statement]) -> None:
    """Make the sides from the nations that are named, in the order in which they are."""
    if len(draft.sides) >= SIDES and all(entry["nations"] for entry in draft.sides):
        return
    taken = {country for entry in draft.sides for country in entry["nations"]}
    countries = [one for one in dict.fromkeys(_nations_in(statements)) if one not in taken]
    for entry in draft.sides:
        camp = CAMPS.get(fold(entry["name"]).removeprefix("the "))
        if camp is not None and not entry["nations"]:
            entry["nations"] = [one for one in countries if (one in AXIS) == camp]
            countries = [one for one in countries if one not in entry["nations"]]
    for entry in _grouped(countries)[: SIDES - len(draft.sides)]:
        draft.sides.append(entry)
        add_side_names(draft, entry)


def _nations_in(statements: Iterable[Statement]) -> Iterable[str]:
    for one in statements:
        if one.colon and reader_of(fold(one.head.text)):
            if fold(one.head.text) in ("moves", "intercepts", "attacker"):
                yield from [nation_words()[fold(body.text)] for body in one.body if fold(body.text) in nation_words()]
            continue
        head = read_head(one.head, {})
        if head.owner:
            yield head.owner
        for piece in one.items:
            item = read_item(piece)
            if isinstance(item, Units) and item.nation:
                yield item.nation
            elif isinstance(item, Name) and (found := ship_called(item.piece.text)) and not head.owner:
                yield found.nation


def _grouped(countries: list[str]) -> list[dict[str, Any]]:
    """Two sides of these nations: each its own if there are two, else Axis and Allies."""
    camps: list[list[str]] = []
    if len(countries) <= SIDES:
        camps = [[country] for country in countries]
    else:
        first = countries[0] in AXIS
        camps = [[one for one in countries if (one in AXIS) == camp] for camp in (first, not first)]
    return [_side(camp) for camp in camps if camp]


def _side(countries: list[str]) -> dict[str, Any]:
    if len(countries) == 1:
        return {"id": countries[0], "name": nation(countries[0]).name, "nations": countries}
    id_, name = TOGETHER[countries[0] not in AXIS]
    return {"id": id_, "name": name, "nations": countries}
