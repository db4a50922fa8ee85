"""All kinds of question."""

from __future__ import annotations

from flagplot.odds.questions.air_combat import AirCombatQuestion
from flagplot.odds.questions.base_attack import BaseAttackQuestion
from flagplot.odds.questions.engagement import EngagementQuestion
from flagplot.odds.questions.fire import FireQuestion
from flagplot.odds.questions.interception import InterceptionQuestion
from flagplot.odds.questions.question import Form, Question
from flagplot.odds.questions.search import SearchQuestion
from flagplot.odds.questions.strike import StrikeQuestion
from flagplot.odds.questions.submarine import SubmarineQuestion

QUESTIONS: tuple[type[Question], ...] = (
    StrikeQuestion,
    FireQuestion,
    EngagementQuestion,
    SubmarineQuestion,
    SearchQuestion,
    InterceptionQuestion,
    AirCombatQuestion,
    BaseAttackQuestion,
)
FORMS: dict[str, Form] = {one.form.kind: one.form for one in QUESTIONS}
"""Each kind of question as it is asked for, what is asked most often first."""
