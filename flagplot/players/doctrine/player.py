"""The player itself: it finds the principle for a question, and a neutral answer where there is none."""

from __future__ import annotations

from typing import Any

from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.players.doctrine import (
    air_turn,
    announcing,
    bases,
    diving,
    ending,
    enduring,
    fighting,
    flying,
    forming,
    intercepting,
    raiding,
    sailing,
    striking,
)
from flagplot.players.doctrine.principles import nearest, neutral, principle_for
from flagplot.players.doctrine.settings import Doctrine
from flagplot.players.doctrine.sight import Sight

SEGMENTS = (forming, raiding, flying, diving, striking, enduring, fighting, ending)
"""The modules of principles for battles, in the order of a round."""
OPERATIONS = (announcing, intercepting, sailing, bases)
"""Those for what leads to a battle on the map, and what follows."""
TURNS = (air_turn,)
"""Those for a player turn of the air forces."""


GAME = "awaw"
"""The game whose questions have principles; those of others get the neutral answer."""


class DoctrinePlayer:
    """Plays by fixed principles, from the view alone."""

    def __init__(self, doctrine: Doctrine | None = None) -> None:
        self.doctrine = doctrine or Doctrine()

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        if len(request.values) == 1:
            return Option(request, 0)
        principle = principle_for(request) if view.game == GAME else neutral
        wanted = principle(Sight(view, self.doctrine), request)
        return Option(request, nearest(request.values, wanted))
