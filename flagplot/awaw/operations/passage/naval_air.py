"""Land-based air that was used at sea in a player turn (18.42B, 23.162, 23.164)."""

from __future__ import annotations

from flagplot.awaw.air_units import Force
from flagplot.awaw.counterair import invert_some
from flagplot.awaw.counting import combined
from flagplot.awaw.state.state import State
from flagplot.kernel.rules import rule


def used_by(state: State, side: str) -> Force:
    """23.162: the land-based squadrons of a side that were used at sea in this player turn."""
    return combined([state.sites[base].used for base in state.of_side(side)])


@rule("23.164", "23.164.EX1", "18.42B", "18.473", "18.58")
def invert_used(state: State) -> None:
    """23.164: squadrons that have searched, covered or attacked at sea stay uninverted until the redeployment phase of
    the player turn ends; then they are inverted."""
    for site in state.sites.values():
        for which, number in site.used.items():
            invert_some(site, which, number)
        site.used = {}
