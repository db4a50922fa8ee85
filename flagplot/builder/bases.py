"""Bases: where they are, what stands there, and the air that is based there."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.scenario import SHAPE
from flagplot.builder.carriers import under_marker
from flagplot.builder.draft import Draft
from flagplot.builder.forces import Nations, refuse_item, refuse_name
from flagplot.builder.heads import Head
from flagplot.builder.items import Bad, Detail, Item, Name, Units
from flagplot.builder.pieces import Statement
from flagplot.kernel.errors import quoted
from flagplot.kernel.shapes import Items, Table


def _keys() -> frozenset[str]:
    bases = SHAPE.optional["bases"][0]
    assert isinstance(bases, Items)
    assert isinstance(bases.of, Table)
    return frozenset(bases.of.optional)


KEYS = _keys()
FEATURES = KEYS - {"at", "place", "air", "task_force", "supply", "oil", "winter"}
"""What stands in the hex of a base."""


def add_base(draft: Draft, head: Head, side: str, items: list[Item], statement: Statement) -> None:
    """A base of the scenario from the items of its line."""
    name = head.name or head.piece.text
    entry: dict[str, Any] = {"id": head.id or "base", "name": name, "side": side}
    path = draft.add("bases", entry, head.piece)
    draft.line(statement, side, path)
    nations, number = Nations(draft, head.owner, side), len(draft.document["bases"]) - 1
    for item in items:
        match item:
            case Units(group="air"):
                _add_air(draft, entry, path, item, nations)
            case Units():
                draft.leave_out(
                    item.piece, f"{quoted(item.piece.text)} is no air unit: ships stand in a force of their own"
                )
            case Name():
                refuse_name(draft, item.piece, nations.of_side)
                draft.unread.add(item.piece.line)
            case Detail(key="distance"):
                draft.distances[number] = item.value
            case Detail(key="bare"):
                draft.bare.add(number)
            case Detail(key="task_force", value=dict()):
                entry["task_force"] = under_marker(draft, item, nations)
                draft.said(f"{path}.task_force", item.piece)
            case Detail() if item.key in KEYS - {"task_force"}:
                entry[item.key] = item.value
                draft.said(f"{path}.{item.key}", item.piece)
            case Detail():
                draft.leave_out(item.piece, f"{quoted(item.piece.text)} belongs to a force, not to a base")
            case Bad():
                refuse_item(draft, item)


def _add_air(draft: Draft, entry: dict[str, Any], path: str, item: Units, nations: Nations) -> None:
    arm = "elite-naval" if item.key == "naval" and "elite" in item.marks else item.key
    counted = "squadrons" if "naval" in arm else "factors"
    some: dict[str, Any] = {"nation": nations.of(item.nation), "arm": arm, counted: item.number}
    for mark in ("inverted", "committed"):
        if mark in item.marks:
            some[mark] = True
    if wrong := sorted(item.marks - {"inverted", "committed", "elite", "regular"}):
        draft.leave_out(item.piece, f"Air units cannot be {wrong[0]}: leave out the word")
    entry.setdefault("air", []).append(some)
    draft.said(f"{path}.air[{len(entry['air']) - 1}]", item.piece)
