"""“What may it do, and why not?”: the page of a base, force or front of an air turn, as its owner knows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from flagplot.awaw.views.position import Position
from flagplot.awaw.views.turn import TurnView
from flagplot.kernel.errors import UnknownName
from flagplot.table.pages import page
from flagplot.table.reader import As, said_which, tables_of

Data = Mapping[str, Any]
router = APIRouter(include_in_schema=False)

LISTS = ("17.23", "17.33", "17.53", "17.63", "17.73", "17.83")
"""The lists of what each type of air unit does: what stands on none of them is told last, and in one line."""


@router.get("/table/{game_id}/unit/{name}")
def unit(request: Request, game_id: str, name: str, side: As = "") -> Response:
    """What units may do and why not; in a dialog, or without script on a page."""
    place = said_which(request, side)
    with tables_of(request).game(game_id, place.side) as game:
        seen = game.view(place.side).position
        if not isinstance(seen, Position) or seen.turn is None or seen.over:
            raise HTTPException(404, "Only an air turn that is played tells what its units may do.")
        try:
            told = game.explain(name, place.side)
        except UnknownName:
            raise HTTPException(404, "There are no units of that name at this table.") from None
        title, sides = _title(seen, seen.turn, name), seen.sides
    part = "_card" if request.headers.get("hx-request") else ""
    return page(
        request,
        f"battle_unit{part}.html",
        title=place.table.title,
        here=place,
        name=title,
        moving=sides.get(told["moving"], told["moving"]),
        phase=told["phase"] or "",
        units=[_told(one) for one in told["units"] if one["yours"]],
    )


def _title(seen: Position, turn: TurnView, name: str) -> str:
    key = name.partition(":")[0]
    forces = seen.operation.forces if seen.operation else {}
    if key in seen.sites:
        return seen.sites[key].name
    if key in forces:
        return forces[key].marker
    return f"{key.capitalize()} front" if key in turn.strategic else key.capitalize()


def _told(one: Data) -> dict[str, Any]:
    """One kind of air units: the reasons for being inverted, what is open to it, and what is closed by which rule."""
    entries = [*one["tasks"], *one["moves"]]
    closed: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        if not entry["open"]:
            closed.setdefault((entry["text"], entry["rule"]), []).append(entry["name"])
    ordered = sorted(closed.items(), key=lambda found: found[0][1] in LISTS)
    downs = [f"{down['number']} inverted: {down['why']}; {down['until']} ({down['rule']})" for down in one["inverted"]]
    return {
        "name": one["name"],
        "out": one["out"],
        "notes": [*downs, *[str(mark) for mark in one["marks"]]],
        "may": [(entry["name"], _how(entry), entry["rule"]) for entry in entries if entry["open"]],
        "may_not": [(_all(kinds, rule), text, rule) for (text, rule), kinds in ordered],
    }


def _all(kinds: list[str], rule: str) -> str:
    return "all other missions" if rule in LISTS and len(kinds) > 2 else ", ".join(kinds)


def _how(entry: Data) -> str:
    parts = [str(entry["number"])] * bool(entry["number"])
    parts += [entry["text"]] * bool(entry["text"])
    parts += [", ".join(entry["targets"])] * bool(entry["targets"])
    return "; ".join(parts) or "yes"
