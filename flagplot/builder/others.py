"""Submarines, and the order that a side reads before the first decision."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.checks.kinds import ON_MAP
from flagplot.builder.draft import Draft
from flagplot.builder.heads import Head
from flagplot.builder.items import Bad, Detail, Item, Units, read_item
from flagplot.builder.pieces import Piece, Statement
from flagplot.builder.vocabulary import fold, slug
from flagplot.kernel.errors import quoted

KEYS = frozenset({"advanced", "accompany", "arrives", "origin", "base", "patrol"})


def add_submarines(draft: Draft, side: str, nation: str, factors: int, details: dict[str, Any], piece: Piece) -> str:
    """Submarines of a naval battle; their path is returned."""
    return draft.add("submarines", {"side": side, "nation": nation, "factors": factors, **details}, piece)


def read_submarines(draft: Draft, head: Head, side: str, statement: Statement) -> None:
    """``Japan submarines: 1, accompany, from Tokyo``."""
    nations = draft.nations_of(side)
    nation = head.owner if head.owner in nations else (nations[0] if nations else "")
    factors, details = 0, dict[str, Any]()
    for piece in statement.items:
        if piece.text.isdigit() and piece.text.isascii():
            factors += int(piece.text[:9])
            continue
        item: Item = read_item(piece)
        match item:
            case Units(group="submarines"):
                factors, nation = factors + item.number, item.nation or nation
                details |= {"advanced": True} if "advanced" in item.marks else {}
            case Detail(key="orders"):
                details.setdefault("orders", []).append(item.value)
            case Detail() if item.key in KEYS:
                details[item.key] = item.value
            case Bad() if item.message != "unknown type":
                draft.refuse(item.piece, item.message)
            case _:
                counted = _factors(piece.text)
                if counted:
                    factors += counted
                else:
                    draft.refuse(
                        piece,
                        f"{quoted(piece.text)} says nothing of submarines: type factors, accompany, "
                        "from a base, or arrives round 2",
                    )
    if draft.document.get("kind") in ON_MAP or "map" in draft.document:
        path = _add_flotilla(draft, head, {"side": side, "nation": nation, "factors": factors, **details})
    else:
        path = add_submarines(draft, side, nation, factors, details, head.piece)
    draft.line(statement, side, path)
    if not factors:
        draft.refuse(head.piece, "How many factors? Type a number after the colon, such as Japan submarines: 1")


def _add_flotilla(draft: Draft, head: Head, entry: dict[str, Any]) -> str:
    """Submarines of an operation; their short name is that of their base, if none is given."""
    home = entry.get("base") or entry.get("origin") or entry["side"]
    return draft.add("flotillas", {"id": head.tag or slug(f"{home} boats"), **entry}, head.piece)


def _factors(text: str) -> int:
    number, _, word = fold(text).partition(" ")
    return int(number[:9]) if number.isdigit() and word in ("factor", "factors") else 0


def read_order(draft: Draft, side: str, statement: Statement) -> None:
    """``Japan order: Take Midway.``"""
    orders = draft.document.setdefault("briefing", {}).setdefault("orders", {})
    orders[side] = statement.prose
    draft.said(f"briefing.orders.{side}", statement.body[0] if statement.body else statement.head)
    draft.line(statement, side, f"briefing.orders.{side}")
