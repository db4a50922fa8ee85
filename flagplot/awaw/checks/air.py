"""The air units of a base: what they are, and whether there is room for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flagplot.awaw.air_units import FIRST_JETS, NAVAL_ARMS, Arm, room
from flagplot.awaw.basing import capacity, holds
from flagplot.awaw.belonging import check_classic, check_nation, check_naval
from flagplot.awaw.checks.places import installations
from flagplot.awaw.options import Options
from flagplot.awaw.state.air import Site
from flagplot.kernel.errors import Fault
from flagplot.kernel.rules import rule


@rule("17.54.1", "17.141A")
def check_unit(
    entry: dict[str, Any], place: str, side: str, data: dict[str, Any], options: Options, faults: list[Fault]
) -> None:
    """17.54: jets need a research result of 9."""
    arm = Arm(entry["arm"])
    check_nation(entry["nation"], place, side, data, faults)
    wanted, unwanted = ("squadrons", "factors") if arm in NAVAL_ARMS else ("factors", "squadrons")
    if not entry[wanted] or entry[unwanted]:
        faults.append(Fault(place, f"{arm.value} air is counted in {wanted} alone", "17.141A"))
    check_naval(entry["nation"], arm, place, faults)
    jets = data["research"].get(entry["nation"], {}).get("jets", 0)
    if arm is Arm.JET and jets < FIRST_JETS:
        faults.append(
            Fault(place, f"jets need a research result of {FIRST_JETS}; {entry['nation']} has {jets}", "17.54")
        )
    check_classic(entry["nation"], arm, place, options, faults)


@rule("17.42")
def check_elite(data: dict[str, Any], faults: list[Fault]) -> None:
    """17.42: once the kamikaze rule is invoked there is no elite naval air: its counters are the kamikazes."""
    if not data["kamikazes"] and not data["turn"].get("kamikaze_limit"):
        return
    for where in _elite(data):
        faults.append(Fault(where, "with the kamikaze rule invoked all elite naval air has become regular", "17.42"))


def _elite(data: dict[str, Any]) -> Iterator[str]:
    """Where the file has elite naval air; what is not built yet will be regular when it is."""
    for number, base in enumerate(data["bases"]):
        for n, entry in enumerate(base["air"]):
            if entry["arm"] == Arm.ELITE:
                yield f"bases[{number}].air[{n}]"
        if base["task_force"] and base["task_force"]["elite"]:
            yield f"bases[{number}].task_force.elite"
    for number, force in enumerate(data["forces"]):
        for n, entry in enumerate(force["air"]):
            if entry["elite"]:
                yield f"forces[{number}].air[{n}].elite"


@rule("18.11", "18.12", "18.12.1", "18.13")
def check_room(base: dict[str, Any], site: Site, where: str, pacific: bool, faults: list[Fault]) -> None:
    """18.11-18.13: no base holds more air than its installations can; carrier air under a TF marker does not count."""
    if base["box"]:
        return
    factors = capacity(installations(base), reduced=pacific and (base["island"] or base["jungle"]))
    if not holds(site.air, factors, island=base["island"]):
        needed = room(site.air)
        extra = " and one naval squadron" if base["island"] else ""
        message = f"air units worth {needed} squadrons are based here, but only {factors} factors{extra} fit"
        faults.append(Fault(where, message, "18.12"))
