"""The sequence of play, whole: importing the modules of the chapters fills the procedures that are declared."""

from __future__ import annotations

from flagplot.awaw import counterair as counterair_missions  # noqa: F401
from flagplot.awaw.battle import (  # noqa: F401
    ambush,
    counterair,
    engagements,
    gunnery,
    kamikazes,
    resolution,
    rounds,
    strikes,
    submarines,
)
from flagplot.awaw.operations import (  # noqa: F401
    announcing,
    base_strikes,
    below,
    completion,
    en_route,
    encounters,
    escape,
    homeward,
    interceptions,
    operation,
    passage,
    patrols,
    port_dives,
    raids,
    sortie,
)
from flagplot.awaw.procedures import DECLARED
from flagplot.awaw.turn import (  # noqa: F401
    air_interception,
    air_supply,
    airbases,
    airdrops,
    airlift,
    bombing,
    construction,
    das_interception,
    ending,
    exploitation,
    ground_combat,
    ground_support,
    hump,
    overruns,
    redeploying,
    sea_transport,
    staging,
    strategic,
    transfers,
    turn,
    uninverting,
)
from flagplot.kernel.procedures import table

PROCEDURES = table(*DECLARED)
