"""What naval forces on the map are called. Markers are public; who reads a name of the owner's reads a secret."""

from __future__ import annotations

from functools import lru_cache

from flagplot.awaw.mapboard.hexes import Hex
from flagplot.awaw.state.operation import Activity, Voyage
from flagplot.awaw.state.state import State
from flagplot.kernel.words import capital, listing

ACTIVITIES = {
    Activity.PATROL: "patrol",
    Activity.BASE_CHANGE: "change of base",
    Activity.SEA_TRANSPORT: "sea transport",
    Activity.SEA_SUPPLY: "sea supply",
    Activity.INVASION: "seaborne invasion",
    Activity.BOMBARDMENT: "shore bombardment",
    Activity.CARRIER_MISSION: "fast carrier mission",
    Activity.SEA_ESCORT: "sea escort",
    Activity.REDEPLOYMENT: "naval redeployment",
    Activity.RAID: "raid",
    Activity.DISPLACEMENT: "displacement",
    Activity.ESCAPE: "escape",
    Activity.INTERCEPTION: "interception",
    Activity.RETURN: "return",
    Activity.ASW: "ASW deployment",
}


def force_name(state: State, voyage: Voyage) -> str:
    """A naval force by the markers that everybody sees."""
    operation = state.operation
    if voyage.flotilla:
        return f"a submarine from {state.place(operation.flotillas[voyage.flotilla].base).name}"
    markers = [force.marker for force in operation.sailing(voyage).values()]
    return listing(markers) or ("an undefended line" if voyage.activity is Activity.SEA_SUPPLY else "nothing")


def hex_name(state: State, at: Hex) -> str:
    """A hex as people call it: ``Milne Bay``, ``the hex 2 south-east of Truk``."""
    return _in_a_sentence(state.operation.plan.board.name_of(at))


@lru_cache(maxsize=4096)
def _in_a_sentence(name: str) -> str:
    count, _, way = name.partition(" ")
    if not count.isdigit():
        return name
    _, _, rest = way.partition(" ")
    return f"the hex {rest}" if count == "1" else f"the hex {count} {rest}"


def hex_title(state: State, at: Hex) -> str:
    """The same as the beginning of a sentence."""
    return capital(hex_name(state, at))


def hexes_long(number: int) -> str:
    """A distance: ``1 hex``, ``12 hexes``."""
    return f"{number} hex{'es' * (number != 1)}"


def factors_long(number: int) -> str:
    """So many factors: ``1 factor``, ``3 factors``."""
    return f"{number} factor{'s' * (number != 1)}"
