"""The player itself: it finds the principle for a question, and a neutral answer where there is none."""

from __future__ import annotations

from typing import Any

from flagplot.kernel.game import Brief
from flagplot.kernel.progress import Pick
from flagplot.kernel.requests import Choose
from flagplot.kernel.views import View
from flagplot.players.doctrine import (
    activities,
    air_plan,
    air_strikes,
    air_turn,
    base_attacks,
    combat_groups,
    counterair,
    fleet_combat,
    interception,
    kamikazes,
    losses,
    round_end,
    voyages,
)
from flagplot.players.doctrine.lots import Lots
from flagplot.players.doctrine.principles import nearest, neutral, principle_for
from flagplot.players.doctrine.settings import Doctrine
from flagplot.players.doctrine.sight import Sight

SEGMENTS = (combat_groups, counterair, air_plan, kamikazes, air_strikes, losses, fleet_combat, round_end)
"""The modules of principles for battles, in the order of a round."""
OPERATIONS = (activities, interception, voyages, base_attacks)
"""Those for what leads to a battle on the map, and what follows."""
TURNS = (air_turn,)
"""Those for a player turn of the air forces."""


GAME = "awaw"
"""The game whose questions have principles; those of others get the neutral answer."""


class DoctrinePlayer(Brief):
    """Plays by principles, from the view alone. With a seed it draws its secret choices."""

    def __init__(self, doctrine: Doctrine | None = None, seed: int | None = None) -> None:
        self.doctrine = doctrine or Doctrine()
        self.lots = Lots(seed if self.doctrine.mix else None)

    def picks(self, view: View) -> Pick:
        if view.game != GAME:
            return self.elsewhere(view)
        sight = Sight(view, self.doctrine, self.lots)

        def pick(request: Choose[Any]) -> int:
            values = request.values
            if len(values) == 1:
                return 0
            sight.look_again()
            return nearest(values, principle_for(request)(sight, request))

        return pick

    def elsewhere(self, view: View) -> Pick:
        """The answers in another game, of which nothing is known here."""
        sight = Sight(view, self.doctrine, self.lots)
        return lambda request: nearest(request.values, neutral(sight, request))
