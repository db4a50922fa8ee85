"""What is going on in an air strike of the tests: who is asked, who is still on the way, what was flown and seen."""

from __future__ import annotations

from flagplot.awaw.state.battle import Strike
from flagplot.awaw.state.state import State
from flagplot.kernel.game import Game
from flagplot.kernel.ledger import Ledger
from flagplot.kernel.requests import Choose, Roll
from tests.awaw.scenes import short


def red_asked(game: Game[State]) -> bool:
    return isinstance(game.pending, Choose) and game.pending.side == "red"


def struck(game: Game[State]) -> bool:
    """Whether a strike has been flown."""
    return bool(strikes_flown(game))


def strike_of(game: Game[State]) -> Strike:
    """The strike that is under way."""
    assert game.state.battle.strike is not None
    return game.state.battle.strike


def attackers_left(game: Game[State]) -> dict[str, int]:
    """Who is still on the way to the ships: ``{"japan naval": 4}``."""
    return short(strike_of(game).attackers)


def turned_back(game: Game[State], place: str = "red-at-sea") -> dict[str, int]:
    """The squadrons of a place that are done for this round."""
    return short(game.state.sites[place].struck)


def reasons(game: Game[State]) -> Ledger:
    """The ledger of the dice that are to be rolled."""
    assert isinstance(game.pending, Roll), game.pending
    return game.pending.ledger


def strikes_flown(game: Game[State]) -> list[str]:
    """The strikes so far: ``["Red on CG 1 (Blue)", …]``."""
    told = [entry.text.split(" with ")[0] for entry in game.log("umpire") if " strike on CG " in entry.text]
    return [text.replace(": air strike", "").replace(": surprise strike", " by surprise") for text in told]


def seen_ships(game: Game[State], by: str, side: str, number: int) -> list[str] | None:
    """The ships of a combat group as somebody sees them; nothing if he does not."""
    groups = game.view(by).data["groups"]
    entry = next(entry for entry in groups if (entry["side"], entry["number"]) == (side, number))
    return [ship["text"] for ship in entry["ships"]] if "ships" in entry else None
