"""Who answers the questions of odds: for each kind a module and a function of its name, which takes the question."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from flagplot.odds.answer import Answer
from flagplot.odds.questions.question import Question


def answer(question: Question) -> Answer:
    """The answer to a question. What answers it is imported when somebody asks."""
    name = question.form.kind.replace("-", "_")
    found: Callable[[Question], Answer] = getattr(import_module(f"{__name__}.{name}"), name)
    return found(question)
