"""The board of any view: which drawing suits it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flagplot.draw.cards import Board

Data = Mapping[str, Any]


def board_of(data: Data) -> Board | None:
    """A view as a board; None if it is of a game that nobody has drawn."""
    if data.get("game") == "line-of-battle":
        from flagplot.draw.line_board import line_board

        return line_board(data)
    if "groups" in data:
        from flagplot.draw.combat_chart import combat_chart

        return combat_chart(data)
    if "player_turn" in data:
        from flagplot.draw.turn_board import turn_board

        return turn_board(data)
    if "voyages" in data:
        from flagplot.draw.sea_board import sea_board

        return sea_board(data)
    if "sites" in data:
        from flagplot.draw.bases import air_board

        return air_board(data)
    return None


def board_around(data: Data) -> Board | None:
    """The turn in which a battle is fought, as a board of its own; None if there is no battle or no turn around it."""
    if "player_turn" not in data or "groups" not in data:
        return None
    from flagplot.draw.turn_board import turn_board

    return turn_board(data)
