"""Odds: the scripts that play, with all dice instead of some."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flagplot.odds.answer import Answer


def ask(kind: str, /, **words: Any) -> Answer:
    """The exact answer to a question of odds: ``ask("strike", attackers="12 japan elite", target="Enterprise, …")``.

    The kinds and their words are those of the commands `flagplot odds KIND`, with underscores for hyphens.
    """
    from flagplot.odds.questions import question

    return question(kind)(**words)
