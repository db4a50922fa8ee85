"""Fast carriers in an air phase: at sea, or in port under a marker."""

from __future__ import annotations

from typing import Any

from flagplot.builder.draft import Draft
from flagplot.builder.forces import Nations, refuse_item, refuse_name
from flagplot.builder.heads import Head
from flagplot.builder.items import Bad, Detail, Item, Name, Units, read_item
from flagplot.builder.pieces import Piece, Statement, items_of
from flagplot.builder.vocabulary import ship_called
from flagplot.kernel.errors import quoted


def add_carriers(draft: Draft, head: Head, side: str, items: list[Item], statement: Statement) -> None:
    """Carriers at sea that attack bases in an air phase: ``US Task Force 38: Saratoga, Princeton; 5 NAS; at 2,1``."""
    entry: dict[str, Any] = {"id": head.id or "carriers", "name": head.name or head.piece.text, "side": side}
    path = draft.add("carriers", entry, head.piece)
    draft.line(statement, side, path)
    entry |= deck_load(draft, items, Nations(draft, head.owner, side))


def under_marker(draft: Draft, item: Detail, nations: Nations) -> dict[str, Any]:
    """Carriers in port: ``under TF 5 (Zuikaku, Shokaku; 6 elite NAS)``."""
    inside: Piece = item.value["inside"]
    items = [read_item(piece) for piece in items_of(inside)]
    return {"marker": item.value["marker"], **deck_load(draft, items, nations)}


def deck_load(draft: Draft, items: list[Item], nations: Nations) -> dict[str, Any]:
    """The nation, carriers and squadrons that some items name."""
    load: dict[str, Any] = {"nation": "", "ships": [], "squadrons": 0}
    for item in items:
        match item:
            case Name():
                found = ship_called(item.piece.text, nations.of_side)
                found = found or ship_called(refuse_name(draft, item.piece, nations.of_side))
                if found is not None:
                    load["nation"] = nations.of(found.nation)
                    load["ships"].append({"name": found.name, "size": found.factors})
                    draft.ships[found.name] = item.piece
            case Units(group="air", key="naval" | "elite-naval"):
                load["squadrons"] += item.number
                if item.key == "elite-naval" or "elite" in item.marks:
                    load["elite"] = True
            case Detail(key="at"):
                load["at"] = item.value
            case Bad():
                refuse_item(draft, item)
            case _:
                draft.leave_out(item.piece, f"{quoted(item.piece.text)} has no place in an air phase: only carriers do")
    load["nation"] = load["nation"] or nations.of("")
    return load
