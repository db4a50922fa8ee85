"""The player itself: it finds the principle for a question, and a neutral answer where there is none."""

from __future__ import annotations

from typing import Any

from flagplot.kernel.requests import Choose, Option
from flagplot.kernel.views import View
from flagplot.players.doctrine import diving, ending, enduring, fighting, flying, forming, raiding, striking
from flagplot.players.doctrine.principles import PRINCIPLES, nearest, neutral
from flagplot.players.doctrine.settings import Doctrine
from flagplot.players.doctrine.sight import Sight

SEGMENTS = (forming, raiding, flying, diving, striking, enduring, fighting, ending)
"""The modules of principles, in the order of a round."""


GAME = "awaw"
"""The game whose questions have principles; those of others get the neutral answer."""


class DoctrinePlayer:
    """Plays by fixed principles, from the view alone."""

    def __init__(self, doctrine: Doctrine | None = None) -> None:
        self.doctrine = doctrine or Doctrine()

    def choose(self, view: View, request: Choose[Any]) -> Option[Any]:
        if len(request.values) == 1:
            return Option(request, 0)
        verb = request.verb if isinstance(request.verb, str) else request.verb[0]
        principle = PRINCIPLES.get(verb, neutral) if view.game == GAME else neutral
        wanted = principle(Sight(view, self.doctrine), request)
        return Option(request, nearest(request.values, wanted))
