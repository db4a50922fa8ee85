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
from flagplot.report.abilities import closed_to, open_to
from flagplot.table.reader import As, card, said_which, tables_of

router = APIRouter(include_in_schema=False)


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
    return card(
        request,
        place,
        "battle_unit",
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


def _told(one: Mapping[str, Any]) -> dict[str, Any]:
    """One kind of air units: the reasons for being inverted, what is open to it, and what is closed by which rule."""
    downs = [f"{down['number']} inverted: {down['why']}; {down['until']} ({down['rule']})" for down in one["inverted"]]
    return {
        "name": one["name"],
        "out": one["out"],
        "notes": [*downs, *[str(mark) for mark in one["marks"]]],
        "may": open_to(one),
        "may_not": closed_to(one),
    }
