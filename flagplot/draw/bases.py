"""Bases with their air units as cards: in an air phase all that there is, in a battle or operation a part of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.draw.cards import Band, Board, Card, Row
from flagplot.draw.ships import air_rows

Data = Mapping[str, Any]


def air_board(data: Data) -> Board:
    """An air phase: the bases of each side, and the mission that is flown."""
    from flagplot.draw.combat_chart import doing_of

    return Board(str(data["title"]), bases_of(data), doing_of(data))


def bases_of(data: Data) -> list[Band]:
    """The bases: of an air phase side by side, else all together; where many are empty, these are only named."""
    alone = data["kind"] == "air-phase"
    found = [_of_side(data, side, number) for number, side in enumerate(data["sides"])]
    if alone:
        return [Band(_title(data, side), cards, note, side=number) for number, (side, cards, note) in enumerate(found)]
    cards = [card for _, some, _ in found for card in some]
    return [Band("Bases", cards, "; ".join(note for _, _, note in found if note))] if cards else []


def _of_side(data: Data, side: str, number: int) -> tuple[str, list[Card], str]:
    sites = [(key, site) for key, site in data["sites"].items() if site["side"] == side and site["kind"] != "box"]
    full = [key for key, site in sites if _has_air(site) or "marker" in site or site["counteraired"]]
    shown = [(key, site) for key, site in sites if len(sites) < 4 or key in full]
    empty = [site["name"] for entry in sites for key, site in (entry,) if entry not in shown]
    note = f"{data['sides'][side]}, without air units: {', '.join(empty)}" if empty else ""
    return side, [base_card(data, key, site, number, whose=data["kind"] != "air-phase") for key, site in shown], note


def _title(data: Data, side: str) -> str:
    marks = ["attacking"] * (side == data["attacker"]) + ["you"] * (side == data["side"])
    return str(data["sides"][side]) + (f" ({', '.join(marks)})" if marks else "")


def _has_air(site: Data) -> bool:
    return any(site.get(key) for key in ("air", "hidden", "searching", "struck"))


def base_card(data: Data, key: str, site: Data, number: int, *, whose: bool = True) -> Card:
    """A base with its air units, and what they do; `whose` says whether its side is named on it."""
    marks = [str(data["sides"][site["side"]])] if whose else []
    marks += [str(site["marker"])] if "marker" in site else []
    marks += ["counteraired"] if site["counteraired"] else []
    rows = [
        *air_rows(site["air"]),
        *air_rows(site.get("hidden", ()), "under the marker"),
        *air_rows(site["searching"], "searching", faint=True),
        *air_rows(site["struck"], "back from a strike", faint=True),
    ]
    rows = rows or [Row("no air units", look="faint")]
    return Card(site["name"], ", ".join(marks), "plain", number, rows, f"base-{key}")
