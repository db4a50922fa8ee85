"""The air units in a place, and their missions."""

from __future__ import annotations

from dataclasses import dataclass, field

from flagplot.awaw.air_combat import Combat
from flagplot.awaw.air_units import Force, Unit
from flagplot.awaw.conversion import Broken
from flagplot.awaw.ships import Fleet, Ship, sound_room
from flagplot.kernel.rules import rule


@dataclass(slots=True)
class Site:
    """The air units in a place."""

    air: dict[Unit, int] = field(default_factory=dict)
    hidden: dict[Unit, int] = field(default_factory=dict)
    """Naval air on carriers in port, concealed by the TF marker until the base is attacked (17.3126)."""
    aborted: dict[Unit, int] = field(default_factory=dict)
    """How many of them the last roll against them forced to abort (18.526)."""
    transports: list[Broken] = field(default_factory=list)
    committed: dict[Unit, int] = field(default_factory=dict)
    """How many of them are committed elsewhere, so that they take no part in a naval battle (22.442B)."""
    counteraired: bool = False
    """Counteraired in the current phase (18.523)."""
    shaken: dict[Unit, int] = field(default_factory=dict)
    """In a naval battle, those that the last counterair of an earlier round forced to abort (22.435)."""
    flown: dict[Unit, int] = field(default_factory=dict)
    """Carrier squadrons that counteraired in this naval combat round, those lost not among them (18.524B)."""
    launched: bool = False
    """Whether carriers have launched an attack in this battle (22.26D)."""
    barred: dict[Unit, int] = field(default_factory=dict)
    """Squadrons of carriers that are withheld in this round: they do not attack (22.26D)."""
    searching: dict[Unit, int] = field(default_factory=dict)
    """Land-based squadrons that search in this naval combat round (22.4422)."""
    used: dict[Unit, int] = field(default_factory=dict)
    """How many of those in the base have searched, covered or attacked at sea in this player turn: they fly no other
    mission in it, and are inverted when the redeployment phase ends (23.162, 23.164)."""
    struck: dict[Unit, int] = field(default_factory=dict)
    """Squadrons that are back from a strike of this round: land-based ones at their base (23.751B), carrier squadrons
    over the sea, waiting to land (22.463)."""
    grounded: dict[Unit, int] = field(default_factory=dict)
    """Carrier squadrons aboard damaged carriers: they can neither be launched nor land elsewhere (17.3124)."""
    ashore: dict[Unit, int] = field(default_factory=dict)
    """Carrier squadrons that returned to port with carriers that may not fight (22.421A)."""
    gone: dict[Ship, int] = field(default_factory=dict)
    """Those carriers."""


@dataclass(slots=True)
class Mission:
    """One counterair mission against one base."""

    target: str
    side: str
    combat: Combat
    attackers: dict[Unit, int] = field(default_factory=dict)
    aborted: dict[Unit, int] = field(default_factory=dict)
    """How many of the attackers the defender's last roll forced to abort (22.433)."""
    round: int = 0
    squadrons: bool = False


@rule("17.3124.1")
def without_deck(fleet: Fleet, air: Force) -> Force:
    """17.3124: squadrons are taken to be aboard undamaged carriers first; those for whom there is no room there."""
    if not air:
        return {}
    room = sound_room(fleet)
    left: Force = {}
    for which, number in air.items():
        free = room.get(which.nation, 0) - number
        room[which.nation] = free if free > 0 else 0
        if free < 0:
            left[which] = -free
    return left
