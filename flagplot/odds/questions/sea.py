"""The questions of the sea, each in a module of its own: fleet fire, whole fleet combats, submarines, interception."""

from __future__ import annotations

from flagplot.odds.questions.sea_engagement import engagement as engagement
from flagplot.odds.questions.sea_fire import fire as fire
from flagplot.odds.questions.sea_interception import interception as interception
from flagplot.odds.questions.sea_submarine import submarine as submarine
