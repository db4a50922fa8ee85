"""The questions of the air, each by the name of its kind."""

from __future__ import annotations

from flagplot.odds.questions.air_base import base_attack as base_attack
from flagplot.odds.questions.air_duel import air_combat as air_combat
from flagplot.odds.questions.air_search import search as search
from flagplot.odds.questions.strike_question import strike as strike
