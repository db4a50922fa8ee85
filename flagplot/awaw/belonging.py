"""Which country a unit of a scenario file may belong to: one that exists, on its side, and that has such units."""

from __future__ import annotations

from typing import Any

from flagplot.awaw.air_units import NAVAL_ARMS, Arm
from flagplot.awaw.options import Options
from flagplot.awaw.tables.nations import nations
from flagplot.kernel.errors import Fault
from flagplot.kernel.rules import rule

NO_NAVAL_AIR = ("france", "free-france", "vichy-france", "russia", "china")
"""17.353D: the nations that never have naval air."""


def check_nation(country: str, place: str, side: str, data: dict[str, Any], faults: list[Fault]) -> bool:
    """Whether a country exists and fights on that side; if not, it is a fault."""
    if country not in nations():
        fault = f"there is no nation “{country}”; there are {', '.join(nations())}"
    elif all(country not in entry["nations"] for entry in data["sides"] if entry["id"] == side):
        fault = f"{country} does not fight on the side of {side}"
    else:
        return True
    faults.append(Fault(f"{place}.nation", fault))
    return False


@rule("17.352", "17.353D")
def check_naval(country: str, arm: Arm, place: str, faults: list[Fault]) -> None:
    """17.352, 17.353D: only Japan has elite naval air; France, Russia and China never have naval air."""
    if arm is Arm.ELITE and country != "japan":
        faults.append(Fault(place, f"only Japan has elite naval air, not {country}", "17.352"))
    if arm in NAVAL_ARMS and country in NO_NAVAL_AIR:
        faults.append(Fault(place, f"{country} never builds naval air", "17.353D"))


@rule("19.31A#classic")
def check_classic(country: str, arm: Arm, place: str, options: Options, faults: list[Fault]) -> None:
    """19.31A: in the classic game India has no army air, neither in play nor in its force pool."""
    if options.classic and country == "india" and arm is Arm.ARMY:
        faults.append(Fault(place, "in the classic game India has no army air", "19.31A#classic"))
