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
from flagplot.awaw.operations import announcing, operation  # noqa: F401
from flagplot.awaw.operations.bases import attacks, escape, kamikazes_in_port  # noqa: F401
from flagplot.awaw.operations.battles import encounters  # noqa: F401
from flagplot.awaw.operations.interception import interceptions  # noqa: F401
from flagplot.awaw.operations.passage import (  # noqa: F401
    air_attacks,
    completion,
    homeward,
    passage,
    sortie,
    submarine_attacks,
)
from flagplot.awaw.operations.patrols import patrols, raids  # noqa: F401
from flagplot.awaw.procedures import DECLARED
from flagplot.awaw.turn import turn  # noqa: F401
from flagplot.awaw.turn.basing import airbases, redeploying, staging  # noqa: F401
from flagplot.awaw.turn.construction import construction  # noqa: F401
from flagplot.awaw.turn.end import ending, uninverting  # noqa: F401
from flagplot.awaw.turn.ground import combat, das_interception, exploitation, overruns, support  # noqa: F401
from flagplot.awaw.turn.missions import bombing, strategic  # noqa: F401
from flagplot.awaw.turn.transport import (  # noqa: F401
    air_interception,
    air_supply,
    airdrops,
    airlift,
    hump,
    sea_transport,
    transfers,
)
from flagplot.kernel.procedures import table

PROCEDURES = table(*DECLARED)
